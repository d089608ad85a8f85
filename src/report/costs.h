/* The time, memory and disk space of the runs of each experiment on a recorded machine (report/machine.h). The record
 * has the seconds of each run. The record's file costs.tsv has one row for each experiment: its name, the most memory
 * in bytes that a process had used when a run of the experiment ended, and the size of all traces in bytes. "-" means
 * that a number is not known. */
#ifndef SPRINGBACK_REPORT_COSTS_H
#define SPRINGBACK_REPORT_COSTS_H

#include "base/words.h"
#include "report/machine.h"

/* Write the costs of a machine's traces into FOLDER/costs.tsv, sorted by experiment. Rows of other experiments stay.
 * Errors: the file is malformed, or cannot be read or written. */
int costs_record(const struct machine *machine, const char *folder);

/* Print a Markdown table for docs/evaluation.md. It has a row for each headline claim of the `count` files of claims
 * `files`, with the claim's experiment, the costs of this experiment, and the recorded verdicts. `records` is a list of
 * folders of records, which is not empty. The costs are those in the first record that has runs of the experiment. If
 * the claim needs a GPU, they are those in the first record in which a run of the experiment used a GPU. The last row
 * of each paper has the costs of all its experiments in records[0]. `experiments` is the folder of the experiment
 * files. Errors: mistakes in the files; those of machine_read; RECORD/costs.tsv is malformed. */
int costs_print(const char *const *files, int count, const struct words *records, const char *experiments, FILE *out);

#endif
