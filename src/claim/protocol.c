#include "claim/protocol.h"

#include "base/memory.h"
#include "claim/statistics.h"

#include <math.h>
#include <stdlib.h>

static const double test_seconds = 15, smoothing = 0.1;

/* One repeat: its rate at each instant, and their mean. */
struct test {
    const double *seconds; /* of its frames */
    int frames;            /* before one that is not finite */
    double duration;       /* what these add up to */
    double samples[PROTOCOL_SAMPLES], mean, away;
    bool dropped;
};

/* The rate at the end of the first frame that ends at or after each instant. */
static void sample(struct test *out, double apart) {
    double smooth = out->seconds[0], time = 0;
    int next = 0;
    for (int f = 0; f < out->frames && next < PROTOCOL_SAMPLES; f++) {
        smooth += (out->seconds[f] - smooth) * smoothing;
        time += out->seconds[f];
        /* Rounding must not push the last instant behind the last frame. */
        while (next < PROTOCOL_SAMPLES && (time >= (next + 1) * apart || f + 1 == out->frames))
            out->samples[next++] = 1 / smooth;
    }
    for (int s = 0; s < PROTOCOL_SAMPLES; s++)
        out->mean += out->samples[s];
    out->mean /= PROTOCOL_SAMPLES;
}

/* Drop the test that is farthest from the median of all. */
static void drop_one(struct test *tests, int count) {
    int farthest = -1;
    for (int t = 0; t < count; t++)
        if (!tests[t].dropped && (farthest < 0 || tests[t].away >= tests[farthest].away))
            farthest = t;
    tests[farthest].dropped = true;
}

struct protocol protocol_of(const double *seconds, int tests, int frames) {
    struct protocol out = {.shortest = INFINITY, .longest = 0};
    AUTO_FREE struct test *each = memory_new((size_t)tests + 1, sizeof *each);
    AUTO_FREE double *means = memory_new((size_t)tests + 1, sizeof *means);
    for (int t = 0; t < tests; t++) {
        struct test *test = &each[out.tests];
        *test = (struct test){.seconds = seconds + (size_t)t * (size_t)frames};
        while (test->frames < frames && isfinite(test->seconds[test->frames]))
            test->duration += test->seconds[test->frames++];
        if (test->frames == 0)
            continue;
        out.shortest = fmin(out.shortest, test->duration);
        out.longest = fmax(out.longest, test->duration);
        out.tests++;
    }
    out.is_each_second = out.tests > 0 && out.shortest >= test_seconds;
    for (int t = 0; t < out.tests; t++) {
        sample(&each[t], (out.is_each_second ? test_seconds : each[t].duration) / PROTOCOL_SAMPLES);
        means[t] = each[t].mean;
    }
    const double median = median_of(means, out.tests).value;
    for (int t = 0; t < out.tests; t++)
        each[t].away = fabs(each[t].mean - median);
    for (out.kept = out.tests; out.kept > PROTOCOL_KEPT; out.kept--)
        drop_one(each, out.tests);
    for (int s = 0; s < PROTOCOL_SAMPLES; s++) {
        for (int t = 0; t < out.tests; t++)
            out.samples[s] += each[t].dropped ? 0 : each[t].samples[s];
        out.samples[s] = out.kept ? out.samples[s] / out.kept : (double)NAN;
        out.rate += out.samples[s];
    }
    out.rate /= PROTOCOL_SAMPLES;
    return out;
}
