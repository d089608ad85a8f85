/* Points in the ranges of an experiment's assumptions, all of them at once.
 *
 * The points are those of Sobol's sequence (I. M. Sobol', USSR Computational Mathematics and Mathematical Physics 7(4),
 * 1967; GSL's gsl_qrng_sobol), which fills the ranges evenly however many are taken: the first N of more points are the
 * points of N. The numbers that can vary, in the order of the file, are its dimensions; over 40 of them, GSL's reverse
 * Halton sequence takes its place. */
#ifndef SPRINGBACK_EXPERIMENT_SAMPLE_H
#define SPRINGBACK_EXPERIMENT_SAMPLE_H

#include "experiment/plan.h"

/* Whether a range is so wide that its logarithm is sampled. */
static inline bool range_is_wide(double low, double high) {
    return low > 0 && high / low >= 10;
}

/* Whether an assumption can be varied: a number of it has a range, or there are words to choose from. */
bool assumption_varies(const struct assumption *assumption);

/* The first `count` points: out[k * assumptions + a], whose texts are the pool's or the assumptions'. Point 0 is the
 * values as taken. In the others a number lies in its range, in its logarithm where that is wide; it has six
 * significant digits, so that a person can give it to --set; a whole number is rounded; words are the value and its
 * samples, equally often. */
void sample_draw(const struct assumption *assumptions, int assumption_count, int count, struct pool *pool,
                 struct value *out);

#endif
