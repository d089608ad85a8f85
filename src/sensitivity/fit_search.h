/* A search for a set-up of a paper in which more of its claims hold than in any set-up of its sweeps.
 *
 * It begins at the best of these. Each batch of 25 set-ups is drawn around the best known so far, as in search.h; its
 * deviations are from 0.3 to 0.023 of the range, because a count of claims does not say how near a better set-up is.
 * Experiments whose members take too long keep their member, and with it the values that they share with others; all
 * others have the same shared values. */
#ifndef SPRINGBACK_SENSITIVITY_FIT_SEARCH_H
#define SPRINGBACK_SENSITIVITY_FIT_SEARCH_H

#include "claim/fit.h"

struct fit_search_options {
    int runs;                 /* set-ups to run at most */
    double seconds;           /* an experiment takes part if its member is forecast to take this long at most */
    const char *claims;       /* the file of claims */
    const char *experiments;  /* folder of the experiments' files */
    const char *sweeps, *out; /* as of struct sweeper_options */
    bool quiet;
};

/* What was found. */
struct fit_found {
    int runs;                   /* set-ups that ran */
    int moved;                  /* experiments that took part */
    int number;                 /* of the best among them, from 1 */
    bool is_better;             /* in which more claims hold than before, or as many with more headlines */
    struct fit_member *members; /* [fit->experiment_count] the best set-up; to be freed */
};

/* Search, and keep all that ran as searched members in the tables of the experiments that took part. The members that
 * the fit's sets get are invalid afterwards: the fit must be made again. Errors: those of sweep(), and a table that
 * lacks members or numbers of its sweep. */
int fit_search(struct fit *fit, const struct fit_search_options *options, struct fit_found *found);

#endif
