/* The data of an experiment's figures, as text for gnuplot. */
#ifndef SPRINGBACK_REPORT_FIGURE_DATA_H
#define SPRINGBACK_REPORT_FIGURE_DATA_H

#include "base/status.h"
#include "claim/geometry.h"

#include <stdio.h>

/* Read the manifest of `folder` and the traces that the manifest names. Write these files into the folder `out`:
 *   summary.tsv  one line for each run that has a trace
 *   <id>.tsv     the series of a run, and the quantities of its recorded geometry (series_table_write)
 *   context.gp   two gnuplot variables: `footer` names the program and the machine of these results; `stand_ins` names
 *                the bodies that are stand-ins, "" for none
 *
 * The columns of summary.tsv, in this order:
 *   the run's id and its outcome (the status); the notes of /run; the parameters by their paths
 *   frame_seconds              median frame time in s with its 95 % interval, and the number of samples
 *   frames_per_second          the same as a rate, with its interval
 *   step_seconds               the frame time divided by the steps per frame
 *   lee2022_frames_per_second  the rate by the protocol of lee2022 (claim/statistics.h)
 *   lee2022_samples            the 15 samples of this protocol, each the mean over the tests that are not dropped
 *   <name>_min, _max, _last, _mean   of each series, and of inner_speed (claim/quantity.h). If any run has recorded
 *                              geometry: also of each quantity in claim/geometry.h that does not compare two runs
 *   geometry                   the frames whose geometry is recorded
 * A time or rate is "nan" for a run that was not timed. */
int figure_data_write(const char *folder, const char *out);

/* ---- A run's series as text, with quantities measured of its recorded geometry ---- */

/* Whether the tables of series_table_write have a column for a quantity. A quantity that this build of the program
 * cannot compute has no column. A quantity that compares two runs has a column only if `pair` is true. */
bool series_table_has(enum geometry_quantity quantity, bool pair);

/* Write a run's series as a table: by export_table if `heading` is NULL, otherwise by export_csv, which reads and sets
 * *heading (trace/export.h). If `geometry` has frames, the table also has a column for each quantity for which
 * series_table_has is true. These columns have "nan" in frames without recorded geometry. */
int series_table_write(const struct trace_data *trace, const struct geometry *geometry, bool pair, char **heading,
                       FILE *out);

/* ---- Texts in gnuplot's scripts and tables ---- */

/* Write any text as one gnuplot string literal: no quote ends it, and no backtick starts a command. Control characters
 * become spaces. */
void gnuplot_write_text(const char *text, FILE *out);

/* Write a cell of a table. Control characters become spaces, so that a row stays on one line. Double quotes become
 * single quotes, because gnuplot would look for a closing quote. NULL and "" become "-". */
void gnuplot_write_cell(const char *text, FILE *out);

#endif
