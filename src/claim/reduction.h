/* Reduce the runs of a member to the numbers that the table of the sweep stores (run/sweep.h).
 *
 * The table has the minimum, maximum, mean and last value of inner_speed, of each series over the geometry of one run,
 * and of each recorded series except momenta. Therefore most new claims need no new runs. The table also has the other
 * reductions, and the quantities of two runs, that the claims about the experiment need. */
#ifndef SPRINGBACK_CLAIM_REDUCTION_H
#define SPRINGBACK_CLAIM_REDUCTION_H

#include "claim/claim_file.h"
#include "run/sweep.h"

/* Define the table's columns from the claims and from the traces of one member, [table->run_count]. `claims` may be
 * empty. Errors: a claim that compares a run with several reference runs (partners_find); the message has the place in
 * the file of claims. */
int reduction_columns(const struct claim_file *claims, const struct trace_data *traces, struct sweep_table *table);

/* Compute the numbers of a member for the table's columns, [run_count][column_count]; NaN if a run does not have the
 * number. Errors: the geometry of a trace cannot be read. */
int reduction_numbers(const struct sweep_table *table, const struct trace_data *traces, float *numbers);

#endif
