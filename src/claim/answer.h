/* Judge a claim in one member of a sweep. */
#ifndef SPRINGBACK_CLAIM_ANSWER_H
#define SPRINGBACK_CLAIM_ANSWER_H

#include "claim/quantity.h"
#include "claim/sensitivity.h"

struct claim_answer {
    bool all, any;     /* all: the claim is true in all readings; any: in at least one reading */
    bool is_undecided; /* in at least one reading, there is no value to judge, or noise decides the order of two values
                          (outcome.is_undecided, evaluate.h) */
    bool is_unjudged;  /* in at least one reading, there is no value to judge */
    double distance;   /* how far the claim is from being true: the smallest distance of all readings (outcome.distance,
                          evaluate.h); INFINITY if there are no values */
};

/* The noise of each value that a claim compares: a table for each reading, 1 + reading_count tables. The noise is the
 * largest difference between the value in a noise member and the value in the member with the chosen values. A table is
 * empty if there are no noise members, or if nothing can be compared. The caller frees the tables with
 * claim_noise_free. */
struct table *claim_noise(const struct claim *claim, const struct member_set *set);
void claim_noise_free(struct table *noise, const struct claim *claim); /* NULL is allowed */

/* Judge a claim in one member, which need not be admissible. `noise`: the result of claim_noise. *status becomes
 * STATUS_BAD if the claim has a mistake, and is not changed otherwise. */
struct claim_answer claim_answer(const struct claim *claim, const struct member_set *set, int member,
                                 const struct table *noise, int *status);

#endif
