/* What a claim says of one member of a sweep. */
#ifndef SPRINGBACK_CLAIM_ANSWER_H
#define SPRINGBACK_CLAIM_ANSWER_H

#include "claim/quantity.h"
#include "claim/sensitivity.h"

struct claim_answer {
    bool all, any;     /* true in all of its readings; in one at least */
    bool is_undecided; /* values lie closer than the noise floor, or there is nothing to judge */
    double distance;   /* from holding (evaluate.h), the smallest of the readings; INFINITY without values */
};

/* How far rounding moves each value that a claim compares, by the members of noise; to be freed by table_free. */
struct table claim_noise(const struct claim *claim, const struct member_set *set);

/* Judge a claim in one member, whether it is admissible or not. *status: as of struct sensitivity, changed on errors.
 */
struct claim_answer claim_answer(const struct claim *claim, const struct member_set *set, int member,
                                 const struct table *noise, int *status);

#endif
