/* Which claims of a paper can hold together. A set-up of the whole paper has one member of each experiment, and these
 * members have the same values of the assumptions that the experiments share.
 *
 * A likely or possible set-up has a number. It has, of each experiment, the likely (or possible) member with this
 * number. A searched set-up has a searched member of one experiment. Among the members of another experiment with the
 * same shared values, a searched set-up has the member with the largest number of true claims.
 *
 * Sweeps give members with the same number the same shared values (experiment/sample.h). Two exceptions: likely member
 * 0 of an experiment can have a chosen value of its own, and a table can have been edited. If a shared value differs,
 * the members do not form a set-up. */
#ifndef SPRINGBACK_CLAIM_FIT_H
#define SPRINGBACK_CLAIM_FIT_H

#include "claim/sensitivity.h"

/* A headline or result claim that a sweep judges. */
struct fit_claim {
    const struct claim *claim;
    int experiment; /* index in fit.experiments */
    bool *holds;    /* [fit.setup_count] whether the claim holds in every reading */
    int holding;    /* number of set-ups in which it holds */
};

/* A set-up that ran and is admissible in every experiment. */
struct fit_setup {
    enum member_kind kind;  /* likely, possible or searched */
    int number;             /* of the members; searched set-ups are numbered from 1 */
    int *members;           /* [fit.experiment_count] index of the member in the set of each experiment */
    int holding, headlines; /* numbers of claims, and of headline claims, that hold */
};

struct fit {
    struct claim_file *claims;       /* owned by the caller */
    struct member_sets *sets;        /* owned by the caller */
    struct member_set **experiments; /* the sets of the experiments to which `items` belong */
    int experiment_count;
    struct fit_claim *items;
    int count;
    /* first the likely set-ups, then the possible ones, then the searched ones, each kind sorted by `number` */
    struct fit_setup *setups;
    int setup_count;
    int unjoined;     /* set-ups that were left out because their members differ in a shared value */
    int left_out;     /* set-ups that are not admissible, could not run or are missing in an experiment */
    int best;         /* index of the set-up with the largest number `holding`; of several such set-ups, the one with
                         the largest number `headlines`, or the first of these; -1 if there is no set-up */
    struct pool pool; /* owns the arrays `holds` and `members` */
};

/* Judge the claims of a paper in the set-ups of its experiments' sweeps. Outdated tables are left out
 * (member_set_read). The claims and sets must outlive the result. The caller frees the result, also after an error.
 * Errors: mistakes in a claim or a table. */
int fit_make(struct claim_file *claims, struct member_sets *sets, struct fit *fit);

void fit_free(struct fit *fit);

/* What a claim adds to the score of a set-up in which it is true: 1, and 0.001 more for a headline claim. So the set-up
 * with the highest score has the largest number of true claims and, of several such set-ups, the largest number of true
 * headline claims. */
double fit_score(const struct claim *claim);

/* Whether the items a and b exclude each other: each of them holds in at least one set-up, but they hold together in
 * none. */
bool fit_excludes(const struct fit *fit, int a, int b);

/* The options of `springback run` that give an experiment the values of a set-up; "" for the chosen values. Newly
 * allocated. */
char *fit_options(const struct fit *fit, int setup, int experiment);

/* Print the numbers of set-ups, the outdated tables, the best set-up, the claims that hold in no set-up, and the pairs
 * of claims that exclude each other. */
void fit_print(const struct fit *fit, FILE *out);

/* {paper, claims, setups, left_out, unjoined, outdated: [experiment], best: {kind, number, holding, headlines, holds:
 * [id], options: {experiment: text}}, nowhere: [id], apart: [[id, id]]}. `best` is null if there is no set-up.
 * `nowhere` has the claims that hold in no set-up. `apart` has the pairs of claims that exclude each other. A new
 * reference, which the caller releases. */
json_t *fit_json(const struct fit *fit);

/* A shell script that runs all of `fit->experiments` in the best set-up, into out/fit/PAPER, and judges the claims of
 * the file `claims` there. A best set-up must exist. Newly allocated. */
char *fit_script(const struct fit *fit, const char *claims);

#endif
