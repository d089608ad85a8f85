/* A search for a set-up of a paper in which more claims hold than in any set-up of its sweeps.
 *
 * The search begins at the best set-up of the sweeps. Each batch has up to 25 set-ups, which search_draw_near
 * (search.h) draws around the best known set-up. A batch uses standard deviations from 0.3 to 0.023 of the range,
 * because the number of claims that hold does not show how far away a better set-up is. An experiment is not varied if
 * its member of the best set-up is forecast to take too long. Such an experiment keeps this member, and the varied
 * experiments use the shared values of this member. */
#ifndef SPRINGBACK_SENSITIVITY_FIT_SEARCH_H
#define SPRINGBACK_SENSITIVITY_FIT_SEARCH_H

#include "claim/fit.h"

struct fit_search_options {
    int runs;                 /* the largest number of set-ups to run */
    double seconds;           /* an experiment is varied only if its member of the best set-up is forecast to take at
                               * most this time, in s */
    const char *claims;       /* the file of claims */
    const char *experiments;  /* folder of the experiment files */
    const char *sweeps, *out; /* as in struct sweeper_options */
    bool quiet;
};

/* The size of a search. */
struct fit_found {
    int runs;  /* number of set-ups that ran */
    int moved; /* number of experiments that were varied */
};

/* Search, and write all members that ran as searched members to the tables of the varied experiments. Afterwards the
 * fit's sets have invalid members, so the fit must be made again. Errors: those of sweep(), and an incomplete table. */
int fit_search(struct fit *fit, const struct fit_search_options *options, struct fit_found *found);

#endif
