/* What the figures of an experiment are drawn from, as text that gnuplot reads. */
#ifndef SPRINGBACK_REPORT_FIGURE_DATA_H
#define SPRINGBACK_REPORT_FIGURE_DATA_H

#include "base/status.h"
#include "claim/geometry.h"

#include <stdio.h>

/* Write into OUT, from the manifest of FOLDER and the traces that it names:
 *   summary.tsv  a line a run: id, status, sample, the notes of /run, the parameters by their paths, and, where timings
 *                were taken, the median of a frame's seconds with its interval at 95 %, and frames a second;
 *                lee2022_frames_per_second, by that paper's protocol (claim/statistics.h), and lee2022_samples, its 15
 *                samples, each the mean of the tests that were kept; <quantity>_min, _max, _last and _mean of each
 *                series, inner_speed, and where a run has geometry what claim/geometry.h measures of one run; geometry,
 *                the frames whose geometry is recorded
 *   <id>.tsv     the run's series (series_table_write), with the geometry's where there is one
 *   context.gp   gnuplot variables: `footer`, what made these results; `stand_ins`, the meshes that are not
 *                the paper's bodies, "" for none */
int figure_data_write(const char *folder, const char *out);

/* ---- A run's series as text, with what is measured of its recorded geometry ---- */

/* The columns of `geometry` that a table has: all that this program can measure; those of two runs where `pair`. */
bool series_table_has(enum geometry_quantity quantity, bool pair);

/* Write export_table's table (trace/export.h), or with a `heading` export_csv's; behind the series, where `geometry`
 * has frames, a column for each quantity of claim/geometry.h, "nan" in frames whose geometry is not recorded. */
int series_table_write(const struct trace_data *trace, const struct geometry *geometry, bool pair, char **heading,
                       FILE *out);

/* ---- Texts in gnuplot's scripts and tables ---- */

/* Write a text as one string literal, whatever the text has: no quote ends it, no backtick starts a command. Control
 * characters become spaces. */
void gnuplot_write_text(const char *text, FILE *out);

/* Write a cell of a table: in one line, and without the quotes that gnuplot would look for a pair of. NULL and an empty
 * text are "-". */
void gnuplot_write_cell(const char *text, FILE *out);

#endif
