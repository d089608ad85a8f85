/* What of a paper can hold together: its claims in the set-ups of its experiments' sweeps. A set-up of the whole paper
 * is a likely or possible member of the same number in each experiment. These have the same values of the assumptions
 * that the paper's experiments share (experiment/sample.h), unless an experiment takes one of its own as member likely
 * 0, or a table was altered: members whose shared values differ are not joined. */
#ifndef SPRINGBACK_CLAIM_FIT_H
#define SPRINGBACK_CLAIM_FIT_H

#include "claim/sensitivity.h"

/* A headline or result claim that sweeps judge. */
struct fit_claim {
    const struct claim *claim;
    int experiment; /* of fit.experiments */
    bool *holds;    /* [fit.setup_count], in every reading */
    int holding;    /* in how many */
};

/* A member of an experiment's sweep. */
struct fit_member {
    enum member_kind kind;
    int number;
};

/* A set-up that ran and is admissible in every experiment. */
struct fit_setup {
    enum member_kind kind; /* likely or possible; search for that of fit_add */
    int number;
    int *members; /* [fit.experiment_count] of each experiment's set */
    int holding, headlines;
};

struct fit {
    struct claim_file *claims; /* the caller's */
    struct member_sets *sets;
    struct member_set **experiments; /* that such claims are about, and that have a table */
    int experiment_count;
    struct fit_claim *items;
    int count;
    struct fit_setup *setups; /* likely ones first, by number */
    int setup_count;
    int unjoined;     /* set-ups whose members differ in a shared value */
    int left_out;     /* set-ups that are not admissible in an experiment, could not run or lack there */
    int best;         /* the set-up in which most claims hold; of several the one with most headline claims, then the
                         first; -1 without set-ups */
    struct pool pool; /* memory of the above */
};

/* Judge the claims of a paper in the set-ups of its experiments' sweeps, whose tables must be of the experiments' files
 * as they are now (member_set_read). Both must outlive the result, which is good to be freed in any case. Errors:
 * mistakes in a claim or a table. */
int fit_make(struct claim_file *claims, struct member_sets *sets, struct fit *fit);
/* Add a set-up of these members, [experiment_count], under a number; all must be evidence. */
void fit_add(struct fit *fit, int number, const struct fit_member *members);

void fit_free(struct fit *fit);

/* Whether both claims hold in set-ups, and in none together. */
bool fit_excludes(const struct fit *fit, int a, int b);

/* The options of `springback run` that give an experiment the values of a set-up, "" as taken; newly allocated. */
char *fit_options(const struct fit *fit, int setup, int experiment);

/* Print which tables are outdated, the best set-up, the claims that hold in none, and the pairs that exclude each
 * other. */
void fit_print(const struct fit *fit, FILE *out);

/* {paper, claims, setups, left_out, unjoined, outdated: [experiment], best: {kind, number, holding, headlines, holds:
 * [id], options: {experiment: text}}, nowhere: [id], apart: [[id, id]]}; `best` is null without set-ups. */
json_t *fit_json(const struct fit *fit);

/* A shell script that runs all experiments in the best set-up, into out/fit/PAPER, and judges the claims there; newly
 * allocated. There must be one. */
char *fit_script(const struct fit *fit, const char *claims);

#endif
