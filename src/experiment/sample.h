/* Points in the ranges of an experiment's assumptions, all of them at once.
 *
 * The points are those of Sobol's sequence (I. M. Sobol', USSR Computational Mathematics and Mathematical Physics 7(4),
 * 1967; GSL's gsl_qrng_sobol), which fills the ranges evenly however many are taken: the first N of more points are the
 * points of N. Its dimensions are the numbers that can vary: first those of the assumptions that all experiments of the
 * paper share, in the order of the paper's file, then the experiment's own. So point k has the same values of the
 * shared assumptions in each experiment. Over 40 dimensions GSL's reverse Halton sequence takes its place. */
#ifndef SPRINGBACK_EXPERIMENT_SAMPLE_H
#define SPRINGBACK_EXPERIMENT_SAMPLE_H

#include "experiment/plan.h"

/* Whether an interval is so wide that its logarithm is sampled. */
static inline bool range_is_wide(double low, double high) {
    return low > 0 && high / low >= 10;
}

/* Whether the k-th number of an interval varies; and whether all numbers of each end are equal, so that those of its
 * values are too. */
bool range_varies(const struct value_range *range, int k);
bool range_is_uniform(const struct value_range *range);

/* Dimensions of an assumption: numbers of it that its possible range varies. Equal numbers of a pair, such as the sides
 * of a square cloth, are one. 0: it cannot vary. */
int assumption_dimensions(const struct assumption *assumption);

/* Whether a kind of range varies an assumption that the experiment takes. */
bool assumption_varies(const struct assumption *assumption, enum range_kind kind);

/* The points 1 to `count` of a kind of range: out[k * assumptions + a], k from 0, whose texts are the pool's or the
 * assumptions'. A number lies in its interval, in its logarithm where that is wide; it has six significant digits, so
 * that a person can give it to --set; a whole number is rounded; of values to choose from each is as frequent. */
void sample_draw(const struct experiment *experiment, enum range_kind kind, int count, struct pool *pool,
                 struct value *out);

/* Numbers of a point of the unit cube that stands for values of all assumptions; some may vary nothing. */
int sample_dimensions(const struct experiment *experiment);

/* Whether a number of the points varies an assumption of the experiment by one of a list of values, as words, and not
 * in an interval. */
enum sample_axis { SAMPLE_FIXED, SAMPLE_INTERVAL, SAMPLE_CHOICE };
enum sample_axis sample_axis(const struct experiment *experiment, int dimension);

/* The values at a point, [assumptions], by the rules of sample_draw; each number of the point from 0 to 1, both ends
 * included. */
void sample_at(const struct experiment *experiment, enum range_kind kind, const double *point, struct pool *pool,
               struct value *out);

/* A point of the possible ranges at which these values lie, [sample_dimensions]; 0.5 where nothing varies. */
void sample_place(const struct experiment *experiment, const struct value *values, double *point);

/* Read the canonical texts of the assumptions that the possible ranges vary, in their order; the others are as taken.
 * Returns false if one is no value of its possible range. */
bool sample_read(const struct experiment *experiment, const char *const *texts, struct pool *pool, struct value *out);

#endif
