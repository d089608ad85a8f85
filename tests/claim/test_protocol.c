/* lee2022's protocol for frame rates (claim/statistics.h), compared with numbers computed by hand. */
#include "claim/statistics.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stddef.h>

/* Durations of frames, in s. All 150 frames of a test are equal, so the smoothed duration equals the duration of each
 * frame. */
static double seconds[20][150];

static void fill(int test, double frame) {
    for (int f = 0; f < 150; f++)
        seconds[test][f] = frame;
}

Test(protocol, equal_frames_give_their_rate) {
    for (int t = 0; t < 15; t++)
        fill(t, 0.1);
    const struct protocol p = protocol_of(&seconds[0][0], 15, 150);
    cr_assert_eq(p.tests, 15);
    cr_assert_eq(p.kept, 10);
    cr_assert_float_eq(p.rate, 10, 1e-12);
    for (int s = 0; s < PROTOCOL_SAMPLES; s++)
        cr_assert_float_eq(p.samples[s], 10, 1e-12);
}

Test(protocol, the_five_farthest_from_the_median_are_dropped) {
    /* Twelve rates are from 8 to 12; the others are 1, 2 and 100. The median of all rates is 10. The tests with the
     * rates 1, 2, 100, 8 and 12 are dropped. */
    const double rates[15] = {9.5, 100, 9.6, 8, 9.7, 1, 10, 10.1, 2, 10.2, 10.3, 12, 10.4, 9.9, 10.5};
    double kept = 0;
    for (int t = 0; t < 15; t++) {
        fill(t, 1 / rates[t]);
        kept += rates[t] > 8 && rates[t] < 12 ? rates[t] : 0;
    }
    const struct protocol p = protocol_of(&seconds[0][0], 15, 150);
    cr_assert_float_eq(p.rate, kept / 10, 1e-9);
    /* If there are ten tests or fewer, none is dropped. */
    const struct protocol few = protocol_of(&seconds[0][0], 2, 150);
    cr_assert_eq(few.kept, 2);
    cr_assert_float_eq(few.rate, (9.5 + 100) / 2, 1e-9);
}

/* If the rates of two tests are equally far from the median, the later test is dropped. */
Test(protocol, ties_go_by_order) {
    for (int t = 0; t < 11; t++)
        fill(t, t == 3 ? 0.125 : t == 7 ? 0.5 : 0.2); /* rates of 8, 2 and 5 frames per second; 5 is the median */
    cr_assert_float_eq(protocol_of(&seconds[0][0], 11, 150).rate, (9 * 5 + 8) / 10.0, 1e-12);
    fill(3, 0.5);
    fill(7, 0.125);
    cr_assert_float_eq(protocol_of(&seconds[0][0], 11, 150).rate, (9 * 5 + 2) / 10.0, 1e-12);
}

/* lee2022's formulas (12) and (13), as statistics.h corrects them. In the first 5 s a frame takes 0.5 s, in the
 * next 15 s a frame takes 0.25 s. */
Test(protocol, a_sample_each_second) {
    double frames[70];
    for (int f = 0; f < 70; f++)
        frames[f] = f < 10 ? 0.5 : 0.25;
    const struct protocol p = protocol_of(frames, 1, 70);
    cr_assert(p.is_each_second);
    cr_assert_eq(p.longest, 20);
    double sum = 0;
    for (int s = 0; s < PROTOCOL_SAMPLES; s++) {
        /* Sample s is taken at s + 1 seconds, after 4 (s - 4) short frames. Each short frame multiplies the difference
         * of the smoothed duration from 0.25 s by 0.9. */
        const double expected = s < 5 ? 2 : 1 / (0.25 + 0.25 * pow(0.9, 4 * (s - 4)));
        cr_assert_float_eq(p.samples[s], expected, 1e-12, "sample %d: %g, not %g", s, p.samples[s], expected);
        sum += expected;
    }
    cr_assert_float_eq(p.rate, sum / 15, 1e-12);
}

Test(protocol, equal_parts_of_less_than_fifteen_seconds) {
    double frames[2][30];
    for (int f = 0; f < 30; f++)
        frames[0][f] = frames[1][f] = f < 10 ? 0.25 : 0.125; /* 5 s in all: each of the 15 parts is 1/3 s */
    frames[0][29] = 15; /* one test of 15 s is not enough, because all tests must last 15 s */
    const struct protocol p = protocol_of(frames[1], 1, 30), both = protocol_of(frames[0], 2, 30);
    cr_assert(!p.is_each_second);
    cr_assert_eq(p.shortest, 5);
    cr_assert_eq(p.samples[6], 4); /* at 2 1/3 s, in the frame that ends at 2.5 s */
    cr_assert_float_eq(p.samples[7], 1 / (0.125 + 0.125 * pow(0.9, 2)), 1e-12); /* at 2 2/3 s: two short frames */
    cr_assert_float_eq(p.samples[14], 1 / (0.125 + 0.125 * pow(0.9, 20)), 1e-12);
    cr_assert(!both.is_each_second);
    cr_assert_eq(both.shortest, 5);
    cr_assert_eq(both.longest, 5 - 0.125 + 15);
}

Test(protocol, what_blew_up_counts_until_then) {
    double frames[2][4] = {{0.5, 0.5, (double)NAN, (double)NAN}, {(double)NAN, (double)NAN, (double)NAN, (double)NAN}};
    const struct protocol p = protocol_of(frames[0], 2, 4);
    cr_assert_eq(p.tests, 1);
    cr_assert_eq(p.longest, 1);
    cr_assert_float_eq(p.rate, 2, 1e-12);
    const struct protocol none = protocol_of(frames[1], 1, 4);
    cr_assert_eq(none.tests, 0);
    cr_assert(isnan(none.rate));
    cr_assert(isnan(protocol_of(NULL, 0, 0).rate));
}
