/* Statistics of timings, after Hoefler and Belli (2015): raw samples kept, medians with nonparametric intervals. */
#ifndef SPRINGBACK_CLAIM_STATISTICS_H
#define SPRINGBACK_CLAIM_STATISTICS_H

struct median {
    double value, low, high; /* the interval by order statistics at 95 %; [min, max] where there are too few samples */
    int samples;
    int outliers; /* flagged by Tukey's fences, never dropped */
};

/* Median of n >= 1 finite samples; n = 0 gives NaN. */
struct median median_of(const double *samples, int n);

#endif
