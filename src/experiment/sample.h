/* Points in the ranges of all assumptions of an experiment.
 *
 * The points are those of Sobol's sequence (I. M. Sobol', USSR Computational Mathematics and Mathematical Physics 7(4),
 * 1967; GSL's gsl_qrng_sobol). The sequence fills the ranges evenly for any number of points. The first points do not
 * depend on how many points are drawn. A dimension is a number that can vary, or a choice from a list of values. The
 * first dimensions are those of the assumptions that all experiments of the paper share, in the order of the paper's
 * file. Then follow those of the experiment's own assumptions. Therefore point k has the same values of the shared
 * assumptions in each experiment. An experiment with more than 40 dimensions uses GSL's reverse Halton sequence
 * instead, so its points have other values of the shared assumptions. */
#ifndef SPRINGBACK_EXPERIMENT_SAMPLE_H
#define SPRINGBACK_EXPERIMENT_SAMPLE_H

#include "experiment/plan.h"

/* Whether an interval is so wide that the logarithm of its values is sampled. */
static inline bool range_is_wide(double low, double high) {
    return low > 0 && high / low >= 10;
}

/* Whether the two ends of an interval differ in their k-th number. */
bool range_varies(const struct value_range *range, int k);

/* Whether all numbers of the lower end of an interval are equal, and also all numbers of the upper end. An example is
 * [1 m, 1 m] to [2 m, 2 m]. Then the numbers of each sampled value are equal too. */
bool range_is_uniform(const struct value_range *range);

/* The number of dimensions of an assumption: how many of its numbers vary in its possible range. Equal numbers of a
 * pair, such as the sides of a square cloth, count once. A list of values is one dimension. 0: the assumption cannot
 * vary. */
int assumption_dimensions(const struct assumption *assumption);

/* Whether the experiment uses an assumption and this kind of range has more than one value. */
bool assumption_varies(const struct assumption *assumption, enum range_kind kind);

/* The first `count` points in a kind of range: out[k * assumption_count + a] is the value of assumption a at point k,
 * from 0. The pool or the assumptions own the texts. Numbers are spread evenly over the interval, or over its logarithm
 * if the interval is wide. They have six significant digits, so that a person can give them to --set. Whole numbers are
 * rounded. Each value of a list is equally frequent. */
void sample_draw(const struct experiment *experiment, enum range_kind kind, int count, struct pool *pool,
                 struct value *out);

/* The number of coordinates of a point of the unit cube. Such a point represents one value of each assumption. Some
 * coordinates may have no effect. */
int sample_dimensions(const struct experiment *experiment);

/* How a dimension of the points varies an assumption: not at all, in an interval, or through a list of values. */
enum sample_axis { SAMPLE_FIXED, SAMPLE_INTERVAL, SAMPLE_CHOICE };
enum sample_axis sample_axis(const struct experiment *experiment, int dimension);

/* Write the values at a point, one for each assumption, to `out`, by the rules of sample_draw. Each coordinate of the
 * point is from 0 to 1, both included. */
void sample_at(const struct experiment *experiment, enum range_kind kind, const double *point, struct pool *pool,
               struct value *out);

/* The inverse of sample_at for the possible ranges: point[sample_dimensions] becomes a point with these values. A
 * coordinate that has no effect becomes 0.5. */
void sample_place(const struct experiment *experiment, const struct value *values, double *point);

/* Read values from canonical texts, one for each assumption that varies in its possible range, in the order of the
 * assumptions. The other assumptions have the chosen value. Returns false if a text is not canonical or its
 * value is not in the possible range. */
bool sample_read(const struct experiment *experiment, const char *const *texts, struct pool *pool, struct value *out);

#endif
