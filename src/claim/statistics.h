/* Statistics of timings, after Hoefler and Belli (2015): raw samples kept, medians with nonparametric intervals. */
#ifndef SPRINGBACK_CLAIM_STATISTICS_H
#define SPRINGBACK_CLAIM_STATISTICS_H

#include <stdbool.h>

struct median {
    double value, low, high; /* the interval by order statistics at 95 %; [min, max] where there are too few samples */
    int samples;
    int outliers; /* flagged by Tukey's fences, never dropped */
};

struct interval {
    double low, high;
};

/* Median of n >= 1 finite samples; n = 0 gives NaN. */
struct median median_of(const double *samples, int n);

/* An interval of the median by order statistics that holds with `confidence` or more, for n >= 1 samples; from the
 * least to the largest where they are too few for that. *covered is the probability with which it holds, whatever the
 * samples' distribution, where they are independent. */
struct interval median_interval(const double *samples, int n, double confidence, double *covered);

/* The 95 % interval of a share of which `hits` of n >= 1 were seen, after Wilson (JASA 22, 1927): inside [0, 1], and
 * wider than nothing also where all or none are. */
struct interval wilson_of(int hits, int n);

/* How often chance alone would put `both` or more of `hits` marked things into a part of `part` things out of n: the
 * upper tail of the hypergeometric distribution (Fisher's exact test, one-sided). */
double chance_of(int both, int part, int hits, int n);

/* Reducers: what becomes one number of several. */
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

/* From the first of the largest values to when the envelope has fallen to a share of it, in the times' unit. The
 * envelope goes straight from peak to peak, of those that no later value reaches; where there is none but the first, it
 * is the series, and falls where no later value is over the share. Times rise; values are 0 or more; 0 < share < 1.
 * INFINITY where it has not fallen so far by the last peak (or the last value), 0 where all are 0, NaN where one is no
 * number. */
double decay_time(const double *times, const double *values, int count, double share);

#endif
