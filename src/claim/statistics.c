#include "claim/statistics.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The quantile of sorted samples, with linear interpolation. */
static double quantile(const double *sorted, int n, double share) {
    double at = share * (n - 1);
    int below = (int)at;
    int above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

static double log_choose(int n, int k) {
    return lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0);
}

/* P(X = k), where X is the number of samples below the median; X has the distribution Binomial(n, 1/2). */
static double chance_under(int n, int k) {
    return exp(log_choose(n, k) - n * log(2.0));
}

/* The index of the sorted sample at which an interval of the median begins, from 0. The interval goes from the k-th
 * smallest to the k-th largest sample, with the largest k for which P(X < k) <= tail. If even k = 1 gives a larger tail
 * (n < 6 for 2.5 %), the interval begins with the first sample. */
static int first_inside(int n, double tail) {
    double below = 0;
    for (int k = 0; k < n / 2; k++) {
        below += chance_under(n, k);
        if (below > tail)
            return k > 0 ? k - 1 : 0;
    }
    return 0;
}

static double *sort_copy(const double *samples, int n) {
    double *sorted = memory_new((size_t)n, sizeof *sorted);
    memcpy(sorted, samples, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    return sorted;
}

struct interval median_interval(const double *samples, int n, double confidence, double *covered) {
    AUTO_FREE double *sorted = sort_copy(samples, n);
    const int first = first_inside(n, (1 - confidence) / 2);
    const struct interval interval = {sorted[first], sorted[n - 1 - first]};
    double below = 0; /* P(X <= first) */
    for (int k = 0; k <= first; k++)
        below += chance_under(n, k);
    *covered = fmax(0, 1 - 2 * below);
    return interval;
}

struct measure median_of(const double *samples, int n) {
    if (n < 1)
        return (struct measure){NAN, NAN, NAN, 0, 0};
    AUTO_FREE double *sorted = sort_copy(samples, n);
    const int first = first_inside(n, 0.025);
    double lower = quantile(sorted, n, 0.25), upper = quantile(sorted, n, 0.75), fence = 1.5 * (upper - lower);
    struct measure median = {quantile(sorted, n, 0.5), sorted[first], sorted[n - 1 - first], n, 0};
    for (int i = 0; i < n; i++)
        median.outliers += sorted[i] < lower - fence || sorted[i] > upper + fence;
    return median;
}

struct interval wilson_of(int hits, int n) {
    const double z = 1.959963984540054, share = (double)hits / n, zz = z * z / n;
    const double middle = (share + zz / 2) / (1 + zz),
                 half = z * sqrt(share * (1 - share) / n + zz / (4 * n)) / (1 + zz);
    return (struct interval){hits ? middle - half : 0, hits < n ? middle + half : 1};
}

double chance_of(int both, int part, int hits, int n) {
    const int most = part < hits ? part : hits;
    double chance = 0;
    for (int k = both; k <= most; k++)
        if (k >= part + hits - n)
            chance += exp(log_choose(hits, k) + log_choose(n - hits, part - k) - log_choose(n, part));
    return chance;
}

/* ---- Reducers ---- */

static double of_max(const double *values, int n) {
    double most = values[0];
    for (int i = 1; i < n; i++)
        most = isnan(values[i]) || values[i] > most ? values[i] : most;
    return most;
}

static double of_min(const double *values, int n) {
    double least = values[0];
    for (int i = 1; i < n; i++)
        least = isnan(values[i]) || values[i] < least ? values[i] : least;
    return least;
}

static double of_range(const double *values, int n) {
    return of_max(values, n) - of_min(values, n);
}

static double of_sum(const double *values, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i];
    return sum;
}

static double of_mean(const double *values, int n) {
    return of_sum(values, n) / n;
}

static double of_geometric_mean(const double *values, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += log(values[i]);
    return exp(sum / n);
}

static double of_median(const double *values, int n) {
    for (int i = 0; i < n; i++)
        if (isnan(values[i]))
            return NAN;
    return median_of(values, n).value;
}

static double of_first(const double *values, int n) {
    (void)n;
    return values[0];
}

static double of_last(const double *values, int n) {
    return values[n - 1];
}

static const struct reducer reducers[] = {
    {"max", of_max, true, true, -INFINITY},
    {"min", of_min, true, true, INFINITY},
    {"mean", of_mean, true, true, NAN},
    {"median", of_median, true, true, NAN},
    {"first", of_first, true, false, NAN},
    {"last", of_last, true, false, NAN},
    {"range", of_range, true, false, NAN},
    {"sum", of_sum, false, true, 0},
    {"geometric_mean", of_geometric_mean, false, true, NAN},
};

const struct reducer *reducer_named(const char *name) {
    for (size_t i = 0; i < sizeof reducers / sizeof reducers[0]; i++)
        if (!strcmp(reducers[i].name, name))
            return &reducers[i];
    return NULL;
}

const char *reducer_names(bool frames) {
    return frames ? "max min mean median first last range" : "max min mean median sum geometric_mean";
}

/* ---- Decay ---- */

/* The time at which the straight line from values[from] to values[to] reaches `level`. */
static double crossing(const double *times, const double *values, int from, int to, double level) {
    const double part = (values[from] - level) / (values[from] - values[to]);
    return times[from] + part * (times[to] - times[from]);
}

/* Whether values[i] is not less than its two neighbours, and is larger than all later values. later[k]: the largest of
 * values[k] and all later values. */
static bool is_peak(const double *values, const double *later, int i) {
    return values[i] >= values[i - 1] && values[i] >= values[i + 1] && values[i] > later[i + 1];
}

/* The decay time of a series without peaks after the maximum at `top`: from the maximum until the series falls to the
 * level for the last time; INFINITY if it ends above the level. */
static double fall(const double *times, const double *values, const double *later, int top, int count, double level) {
    int last = top;
    while (last < count - 1 && later[last + 1] > level)
        last++;
    return last < count - 1 ? crossing(times, values, last, last + 1, level) - times[top] : (double)INFINITY;
}

double decay_time(const double *times, const double *values, int count, double share) {
    AUTO_FREE double *later = memory_new((size_t)count, sizeof *later); /* as in is_peak */
    double found = INFINITY;
    int top = count - 1, peak;
    bool is_number = true, swings = false;
    for (int i = count - 1; i >= 0; i--) {
        is_number = is_number && !isnan(values[i]);
        top = values[i] >= values[top] ? i : top;
        later[i] = values[top];
    }
    const double level = share * values[top];
    peak = top;
    for (int i = top + 1; i < count - 1 && isinf(found); i++) {
        if (!is_peak(values, later, i))
            continue;
        swings = true;
        if (values[i] <= level)
            found = crossing(times, values, peak, i, level) - times[top];
        peak = i;
    }
    if (!swings)
        found = fall(times, values, later, top, count, level);
    return !is_number ? (double)NAN : level > 0 ? found : 0;
}

/* ---- The protocol of lee2022 ---- */

static const double test_seconds = 15, smoothing = 0.1;

/* A test is one repeat: its frame rate at each of 15 instants, and the mean of these rates. */
struct test {
    const double *seconds;                        /* durations of its frames, s */
    int frames;                                   /* number of frames before the first duration that is not finite */
    double duration;                              /* sum of the first `frames` durations, s */
    double samples[PROTOCOL_SAMPLES], mean, away; /* 1/s; away: distance of the mean from the median of all tests */
    bool dropped;
};

/* Set the rate at each instant: the smoothed rate at the end of the first frame that ends at or after the instant.
 * Instants are `apart` seconds from each other. */
static void sample(struct test *out, double apart) {
    double smooth = out->seconds[0], time = 0;
    int next = 0;
    for (int f = 0; f < out->frames && next < PROTOCOL_SAMPLES; f++) {
        smooth += (out->seconds[f] - smooth) * smoothing;
        time += out->seconds[f];
        /* If rounding moves the last instant after the end of the last frame, the sample is taken at this frame. */
        while (next < PROTOCOL_SAMPLES && (time >= (next + 1) * apart || f + 1 == out->frames))
            out->samples[next++] = 1 / smooth;
    }
    for (int s = 0; s < PROTOCOL_SAMPLES; s++)
        out->mean += out->samples[s];
    out->mean /= PROTOCOL_SAMPLES;
}

/* Drop one more test: of the tests that are left, the one whose mean is farthest from the median of all tests. */
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
