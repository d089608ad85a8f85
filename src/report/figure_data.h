/* The data of an experiment's figures, as text for gnuplot. */
#ifndef SPRINGBACK_REPORT_FIGURE_DATA_H
#define SPRINGBACK_REPORT_FIGURE_DATA_H

#include "base/status.h"
#include "claim/geometry.h"

#include <stdio.h>

/* Write files into the folder `out`, from the manifest of `folder` and the traces that it names:
 *   summary.tsv  one line per run with a trace, with these columns: the run's id; its outcome (the status); the notes
 *                of /run; the parameters by their paths. For a timed run: the median frame time in seconds with its
 *                95 % interval, and the number of samples; frames per second, with the interval; step_seconds, the
 *                frame time divided by the steps per frame; lee2022_frames_per_second, by the protocol of that
 *                paper (claim/statistics.h); lee2022_samples, the 15 samples of this protocol, each the mean over the
 *                tests that are not dropped. Then <name>_min, _max, _last and _mean of each series, of inner_speed
 *                (claim/quantity.h) and, if a run has geometry, of each quantity of one run in claim/geometry.h. The
 *                last column is geometry: the frames whose geometry is recorded
 *   <id>.tsv     the run's series (series_table_write), and the quantities of its geometry if any is recorded
 *   context.gp   gnuplot variables: `footer`, the program and machine of these results; `stand_ins`, the meshes that
 *                are not the paper's bodies, "" for none */
int figure_data_write(const char *folder, const char *out);

/* ---- A run's series as text, with quantities measured of its recorded geometry ---- */

/* Whether the tables of series_table_write have a column for a quantity. The tables have a column for each quantity
 * that this program can measure; for a quantity that compares two runs, only if `pair` is true. */
bool series_table_has(enum geometry_quantity quantity, bool pair);

/* Write a run's series as the table of export_table (trace/export.h), or, if `heading` is not NULL, as the table of
 * export_csv, which reads and sets *heading. If `geometry` has frames, the series are followed by a column for each
 * quantity for which series_table_has is true. These columns have "nan" in frames without recorded geometry. */
int series_table_write(const struct trace_data *trace, const struct geometry *geometry, bool pair, char **heading,
                       FILE *out);

/* ---- Texts in gnuplot's scripts and tables ---- */

/* Write any text as one gnuplot string literal: no quote ends it, and no backtick starts a command. Control characters
 * become spaces. */
void gnuplot_write_text(const char *text, FILE *out);

/* Write a cell of a table. Control characters become spaces, so that a row stays on one line. Double quotes become
 * single quotes, because gnuplot would look for their second one. NULL and "" become "-". */
void gnuplot_write_cell(const char *text, FILE *out);

#endif
