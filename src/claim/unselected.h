/* Why a claim selects no run. */
#ifndef SPRINGBACK_CLAIM_UNSELECTED_H
#define SPRINGBACK_CLAIM_UNSELECTED_H

#include "claim/claim.h"
#include "claim/claim_file.h"

/* In sentences, newly allocated: which key or value of `select` no run has. *is_of_claim: it is the claim's mistake, or
 * runs are not there; not what only other machines have, nor a device that is missing. *is_partly_run: the experiment's
 * file plans runs of which there is no result (trace_set_compare). */
char *why_unselected(const struct source *from, const struct trace_set *set, bool *is_of_claim, bool *is_partly_run);

#endif
