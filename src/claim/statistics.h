/* Statistics of timings, after Hoefler and Belli (2015): raw samples kept, medians with nonparametric intervals. */
#ifndef SPRINGBACK_CLAIM_STATISTICS_H
#define SPRINGBACK_CLAIM_STATISTICS_H

#include <stdbool.h>

/* A number and its interval. Of timings it is the median; of all else the three are equal, without samples. */
struct measure {
    double value, low, high; /* the interval by order statistics at 95 %; [min, max] where there are too few samples */
    int samples;
    int outliers; /* flagged by Tukey's fences, never dropped */
};

struct interval {
    double low, high;
};

/* Median of n >= 1 finite samples; n = 0 gives NaN. */
struct measure median_of(const double *samples, int n);

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

/* Lee, Kim, Choi and Hong (lee2022), section 4.2: how their frame rates were taken.
 *
 * A test lasts 15 s, and the rate is noted each second; there are 15 tests, of which 10 are left when "outliers, such
 * as the maximum and minimum values" are dropped; the rates of these are averaged. The rate comes from a frame's
 * duration, smoothed by (12) and (13). As they are printed, Deltatime = (dt - Deltatime) 0.1 and FPS = Deltatime, these
 * have lost a + and turned the rate over; meant is what such programs have,
 *
 *     deltaTime += (dt - deltaTime) 0.1,    FPS = 1 / deltaTime
 *
 * What is not printed: where deltaTime begins; here with the first frame's duration, for from 0 the first rates come
 * out too high, by 1 / (1 - 0.9^n) after n frames. And which five are dropped; here those whose mean rate lies farthest
 * from the median of all tests' (of two at one distance, the later). */

enum { PROTOCOL_SAMPLES = 15, PROTOCOL_TESTS = 15, PROTOCOL_KEPT = 10 };

struct protocol {
    double rate;                      /* frames a second: the mean of all samples of the tests that were kept */
    double samples[PROTOCOL_SAMPLES]; /* their mean at each of the 15 instants */
    int tests, kept;          /* the repeats that have a frame; those that were not dropped: 10, or all of fewer */
    double shortest, longest; /* s: what the tests' frames add up to */
    bool is_each_second;      /* all tests last 15 s; else the samples are at 15 equal parts of what there is */
};

/* By the seconds of each frame, [tests][frames], not finite from where a run blew up. Without a test that has a frame,
 * `tests` is 0 and the rate NaN. */
struct protocol protocol_of(const double *seconds, int tests, int frames);

#endif
