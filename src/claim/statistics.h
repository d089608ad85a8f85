/* Statistics of timings and of series. Timings are treated as Hoefler and Belli (2015) recommend: raw samples are
 * stored, and medians have nonparametric intervals. */
#ifndef SPRINGBACK_CLAIM_STATISTICS_H
#define SPRINGBACK_CLAIM_STATISTICS_H

#include <stdbool.h>

/* A number and its interval. For timings by the median: the median and its 95 % interval by order statistics, or [min,
 * max] if there are too few samples. For timings by lee2022's protocol, and for other quantities: low = value = high;
 * in a sweep, the interval is widened by the noise of the value (outcome_in_member). */
struct measure {
    double value, low, high;
    int samples;  /* number of timing samples; 0 for timings by lee2022's protocol and for other quantities */
    int outliers; /* number of outliers by Tukey's fences; they are never dropped */
};

struct interval {
    double low, high;
};

/* The median of n finite samples, with its interval; NaN if n is 0. */
struct measure median_of(const double *samples, int n);

/* An interval of the median of n >= 1 samples by order statistics, whose coverage is at least `confidence`. If there
 * are too few samples, the interval goes from the smallest to the largest. *covered: the coverage probability for
 * independent samples of any distribution. */
struct interval median_interval(const double *samples, int n, double confidence, double *covered);

/* The 95 % interval of a proportion, if `hits` of n >= 1 observed items have the property: Wilson (JASA 22, 1927). The
 * interval is inside [0, 1], and its width is positive also for 0 or n hits. */
struct interval wilson_of(int hits, int n);

/* The probability that `both` or more marked items are among `part` items chosen at random. `hits` of all n items are
 * marked. This is the upper tail of the hypergeometric distribution (Fisher's exact test, one-sided). */
double chance_of(int both, int part, int hits, int n);

/* A reducer makes one number of several. */
struct reducer {
    const char *name;
    double (*of)(const double *values, int n); /* n >= 1; NaN if a value that the reducer uses is NaN */
    bool for_frames, for_runs;                 /* whether it may reduce values of frames, and of runs */
    double none;                               /* the result if there are no values; NaN if there must be a value */
};

/* The reducer with this name, or NULL. */
const struct reducer *reducer_named(const char *name);

/* The names of all reducers over frames, or over runs, separated by spaces. */
const char *reducer_names(bool frames);

/* The time from the largest value until the envelope has fallen to the level, which is `share` times the largest value.
 * If several values are the largest, the time begins at the first of them. The result has the unit of `times`.
 *
 * The envelope joins, by straight lines, the largest value and those later peaks that are larger than all values after
 * them. If there is no such later peak, the envelope is the series; then the time ends when the series falls to the
 * level for the last time. Times must increase, values must be >= 0, and 0 < share < 1. Returns INFINITY if the
 * envelope does not fall to the level, 0 if all values are 0, NaN if a value is NaN. */
double decay_time(const double *times, const double *values, int count, double share);

/* The protocol for frame rates of Lee, Kim, Choi and Hong (lee2022), section 4.2.
 *
 * A test lasts 15 s, with one sample of the rate each second. There are 15 tests; 10 are left when "outliers, such as
 * the maximum and minimum values" are dropped. The rates of these 10 are averaged. The rate is computed from the
 * frame's duration, smoothed by equations (12) and (13). The paper prints these equations as Deltatime = (dt -
 * Deltatime) 0.1 and FPS = Deltatime, without a + and without the reciprocal. This project uses the formulas of similar
 * programs,
 *
 *     deltaTime += (dt - deltaTime) 0.1,    FPS = 1 / deltaTime
 *
 * The paper does not state the start value of deltaTime; here it is the duration of the first frame. (With 0, the rate
 * after n frames would be too high by the factor 1 / (1 - 0.9^n).) The paper does not state which five tests are
 * dropped. This project drops the tests whose mean rate is farthest from the median of all tests; of two tests at the
 * same distance, the later one. */

enum { PROTOCOL_SAMPLES = 15, PROTOCOL_TESTS = 15, PROTOCOL_KEPT = 10 };

struct protocol {
    double rate;                      /* 1/s: the mean of all samples of the tests that were not dropped */
    double samples[PROTOCOL_SAMPLES]; /* 1/s: the mean of these tests at each of the 15 instants */
    int tests, kept;                  /* numbers of repeats with at least one frame, and of tests that were not dropped
                                         (at most 10) */
    double shortest, longest;         /* s: the shortest and longest duration of a test */
    bool is_each_second;              /* true: all tests last 15 s or more, with a sample each second until 15 s; false:
                                         there is a sample at the end of each of 15 equal parts of a test */
};

/* Apply the protocol to the durations of frames in s, [tests][frames]. Durations after a run blew up are not finite. If
 * no test has a frame, `tests` is 0 and the rate is NaN. */
struct protocol protocol_of(const double *seconds, int tests, int frames);

#endif
