/* What is told beside a verdict. */
#ifndef SPRINGBACK_CLAIM_JUDGE_H
#define SPRINGBACK_CLAIM_JUDGE_H

#include "claim/claim_file.h"

/* Why a claim selects no run, in sentences, newly allocated: which key or value of `select` no run has. *is_of_claim:
 * it is the claim's mistake, or runs are not there; not what only other machines have, nor a device that is missing.
 * *is_partly_run: the experiment's file plans runs of which there is no result (trace_set_compare). */
char *why_unselected(const struct source *from, const struct trace_set *set, bool *is_of_claim, bool *is_partly_run);

/* The command that repeats a verdict: a line for a shell in the repository that runs again what the verdict rests on,
 * and judges the claims of the file about its experiment; of a claim without runs, those of the file. Newly allocated.
 */
char *claim_command(const struct claim_result *result, const struct trace_set *set, const char *claims);

#endif
