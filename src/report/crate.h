/* The descriptions of an archive for other programs.
 *
 * ro-crate-metadata.json follows RO-Crate 1.2 and the profile Process Run Crate 0.5: each file with its SHA-256, and
 * for each run an action with its command, its input and output files, its start and end, the program, and the machine.
 * codecheck.yml follows version 1.0 of the configuration file of CODECHECK: the papers, and the files that a reader of
 * the papers checks.
 *
 * Neither file contains the time at which it was written, so the same results give the same bytes. */
#ifndef SPRINGBACK_REPORT_CRATE_H
#define SPRINGBACK_REPORT_CRATE_H

#include "base/tarball.h"
#include "base/words.h"
#include "claim/claim.h"

/* Add both files to the list of an archive, which has all other files already. Each run whose trace is in the list gets
 * an action. `claims` are files of claims, whose papers are described. Errors: those of tarball_sum, a mistake in a
 * file of claims. */
int crate_add(struct tarball_list *list, const struct trace_set *traces, const struct words *claims);

#endif
