/* The descriptions of an archive for other programs.
 *
 * ro-crate-metadata.json follows RO-Crate 1.2 and the profile Process Run Crate 0.5. This file lists all other files of
 * the archive, each except SHA256SUMS with its SHA-256. For each run the file has an action: the command, the input and
 * output files, the start and the end, the program, and the machine.
 * codecheck.yml follows version 1.0 of the configuration file of CODECHECK. This file lists the papers, and the files
 * that a reader of the papers checks.
 *
 * Neither file contains the time at which it was written, so the same results give the same bytes. */
#ifndef SPRINGBACK_REPORT_CRATE_H
#define SPRINGBACK_REPORT_CRATE_H

#include "base/tarball.h"
#include "base/words.h"
#include "claim/claim.h"

/* Add ro-crate-metadata.json and codecheck.yml to the list of an archive, which already has all other files. Each run
 * whose trace is in the list gets an action. `claims` are the files of claims of the papers. Errors: those of
 * tarball_sum; a mistake in a file of claims. */
int crate_add(struct tarball_list *list, const struct trace_set *traces, const struct words *claims);

#endif
