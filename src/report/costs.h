/* What the runs of each experiment cost on a recorded machine: costs.tsv of its record (report/machine.h). A row has
 * the experiment, its tier, the number of its runs, their seconds together, the most memory that a process had used
 * when one of them ended, and the bytes of their traces. "-": not known. */
#ifndef SPRINGBACK_REPORT_COSTS_H
#define SPRINGBACK_REPORT_COSTS_H

#include "report/machine.h"

/* Write the costs of a machine's traces into FOLDER/costs.tsv, sorted by experiment. Rows of other experiments stay.
 * Errors: the file is malformed, or cannot be read or written. */
int costs_record(const struct machine *machine, const char *folder);

/* Print a Markdown table for docs/evaluation.md: for each headline claim of some files of claims its experiment, the
 * costs of this experiment in FOLDER/costs.tsv, and the recorded verdicts; after the claims of a paper, the costs of
 * all its experiments. Errors: mistakes in the files; FOLDER/costs.tsv is missing or malformed. */
int costs_print(const char *const *files, int count, const char *folder, FILE *out);

#endif
