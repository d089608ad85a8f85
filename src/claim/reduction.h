/* The runs of a sweep's member reduced to the numbers that its table keeps (run/sweep.h).
 *
 * Of each series, of inner_speed and of each series over the geometry the table has the least, the largest, the mean
 * and the last value, so that new claims need no new runs; further reductions, and quantities of two runs, as far as
 * the claims about the experiment ask for them. */
#ifndef SPRINGBACK_CLAIM_REDUCTION_H
#define SPRINGBACK_CLAIM_REDUCTION_H

#include "claim/claim_file.h"
#include "run/sweep.h"

/* Fill in the table's columns from one member's traces, [table->run_count]; claims may be empty. Errors: a claim that
 * cannot be answered by the runs, with its place. */
int reduction_columns(const struct claim_file *claims, const struct trace_data *traces, struct sweep_table *table);

/* The numbers of a member, [run_count][column_count], by the table's columns. Errors: a trace's geometry cannot be
 * read. */
int reduction_numbers(const struct sweep_table *table, const struct trace_data *traces, float *numbers);

#endif
