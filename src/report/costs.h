/* The time, memory and disk space of the runs of each experiment on a recorded machine (report/machine.h). The time is
 * in the runs of the record. Memory and disk space are in the record's file costs.tsv, which has one row for each
 * experiment: the name, the most memory that a process had used when a run ended, and the size of all traces. Both
 * numbers are in bytes; "-" means that a number is not known. */
#ifndef SPRINGBACK_REPORT_COSTS_H
#define SPRINGBACK_REPORT_COSTS_H

#include "base/words.h"
#include "report/machine.h"

/* Write the costs of a machine's traces into FOLDER/costs.tsv, sorted by experiment. Rows of other experiments stay.
 * Errors: the file is malformed, or cannot be read or written. */
int costs_record(const struct machine *machine, const char *folder);

/* Print a Markdown table for docs/evaluation.md. Each headline claim has a row with its experiment, the costs of this
 * experiment, and the recorded verdicts. The last row of each paper has the costs of all its experiments in records[0].
 *
 * `files` are `count` files of claims. `records` are the folders of one or more records. The costs of an experiment are
 * from the first record that has runs of the experiment; if the claim needs a GPU, one of these runs must have used a
 * GPU. `experiments` is the folder of the experiment files.
 * Errors: mistakes in the files; those of machine_read; RECORD/costs.tsv is malformed. */
int costs_print(const char *const *files, int count, const struct words *records, const char *experiments, FILE *out);

#endif
