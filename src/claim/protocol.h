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
#ifndef SPRINGBACK_CLAIM_PROTOCOL_H
#define SPRINGBACK_CLAIM_PROTOCOL_H

#include <stdbool.h>

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
