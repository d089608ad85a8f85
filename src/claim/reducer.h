/* Reducers: what becomes one number of several. */
#ifndef SPRINGBACK_CLAIM_REDUCER_H
#define SPRINGBACK_CLAIM_REDUCER_H

#include <stdbool.h>

struct reducer {
    const char *name;
    double (*of)(const double *values, int n); /* n >= 1; NaN where any value is NaN */
    bool for_frames, for_runs;                 /* whether it has a meaning over frames, and over runs */
    double none;                               /* of no values; NaN where that has no meaning */
};

/* NULL where there is none of that name. */
const struct reducer *reducer_named(const char *name);

/* The names of all reducers over frames, or over runs, separated by spaces. */
const char *reducer_names(bool frames);

#endif
