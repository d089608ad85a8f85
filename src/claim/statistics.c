#include "claim/statistics.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The quantile of sorted samples, linear between neighbours. */
static double quantile(const double *sorted, int n, double share) {
    double at = share * (n - 1);
    int below = (int)at;
    int above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

static double log_choose(int n, int k) {
    return lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0);
}

/* P(X = k) of the number X of samples under the median, which follows Binomial(n, 1/2). */
static double chance_under(int n, int k) {
    return exp(log_choose(n, k) - n * log(2.0));
}

/* Which sorted sample begins an interval that covers the median but for a tail at either side: the k-th smallest, from
 * 1, with the largest k for which P(X < k) <= tail. It ends with the k-th largest. The first also where even the least
 * sample is too large too often: n < 6 for a tail of 2.5 %. */
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

struct median median_of(const double *samples, int n) {
    if (n < 1)
        return (struct median){NAN, NAN, NAN, 0, 0};
    AUTO_FREE double *sorted = sort_copy(samples, n);
    const int first = first_inside(n, 0.025);
    double lower = quantile(sorted, n, 0.25), upper = quantile(sorted, n, 0.75), fence = 1.5 * (upper - lower);
    struct median median = {quantile(sorted, n, 0.5), sorted[first], sorted[n - 1 - first], n, 0};
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
