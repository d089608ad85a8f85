/* Judge a claim in one member of a sweep. */
#ifndef SPRINGBACK_CLAIM_ANSWER_H
#define SPRINGBACK_CLAIM_ANSWER_H

#include "claim/quantity.h"
#include "claim/sensitivity.h"

struct claim_answer {
    bool all, any;     /* the claim is true in all readings; in at least one */
    bool is_undecided; /* values differ by less than the noise, or there is nothing to judge */
    double distance;   /* from holding (evaluate.h), the smallest of all readings; INFINITY without values */
};

/* The noise of each value that a claim compares: its largest change in the noise members. The caller frees the table
 * with table_free. */
struct table claim_noise(const struct claim *claim, const struct member_set *set);

/* Judge a claim in one member, which need not be admissible. *status is changed on errors only, as in struct
 * sensitivity. */
struct claim_answer claim_answer(const struct claim *claim, const struct member_set *set, int member,
                                 const struct table *noise, int *status);

#endif
