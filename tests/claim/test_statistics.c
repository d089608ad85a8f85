#include "claim/statistics.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/* The median of n samples 1, 2, ..., n, which are not in order. */
static struct measure of_ranks(int n) {
    double *samples = malloc((size_t)n * sizeof *samples);
    for (int i = 0; i < n; i++)
        samples[i] = (i * 7 + 3) % n + 1; /* a permutation, because 7 divides none of the n below */
    struct measure median = median_of(samples, n);
    free(samples);
    return median;
}

Test(statistics, no_sample_gives_nan) {
    cr_assert(isnan(median_of(NULL, 0).value));
    cr_assert_eq(median_of(NULL, 0).samples, 0);
}

Test(statistics, one_sample_is_its_own_median_and_interval) {
    double one = 3.5;
    struct measure median = median_of(&one, 1);
    cr_assert_eq(median.value, 3.5);
    cr_assert_eq(median.low, 3.5);
    cr_assert_eq(median.high, 3.5);
}

Test(statistics, even_counts_take_the_middle) {
    double samples[] = {4, 1, 3, 2};
    cr_assert_eq(median_of(samples, 4).value, 2.5);
    cr_assert_eq(samples[0], 4, "median_of must not change the samples");
}

/* Ranks from the tables of the sign test. Below six samples no pair of ranks covers the median with 95 %. */
Test(statistics, interval_by_order_statistics) {
    const struct {
        int n, low, high;
    } table[] = {{5, 1, 5},   {6, 1, 6},   {8, 1, 8},    {9, 2, 8},    {10, 2, 9},
                 {20, 6, 15}, {25, 8, 18}, {50, 18, 33}, {100, 40, 61}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct measure median = of_ranks(table[i].n);
        cr_assert_eq(median.value, (table[i].n + 1) / 2.0, "n = %d", table[i].n);
        cr_assert_eq(median.low, table[i].low, "n = %d: %g", table[i].n, median.low);
        cr_assert_eq(median.high, table[i].high, "n = %d: %g", table[i].n, median.high);
    }
}

/* For a large n, the ranks are compared with the normal approximation n/2 +- 1.96 sqrt(n)/2. For n = 10,000,
 * 2^-n is below the range of a double. */
Test(statistics, many_samples) {
    struct measure median = of_ranks(10000);
    cr_assert_float_eq(median.low, 5000 - 98, 2);
    cr_assert_float_eq(median.high, 5001 + 98, 2);
}

Test(statistics, outliers_are_flagged_and_kept) {
    double samples[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1000};
    struct measure median = median_of(samples, 10);
    cr_assert_eq(median.outliers, 1);
    cr_assert_eq(median.samples, 10);
    cr_assert_eq(median.value, 5.5);
    samples[9] = 10;
    cr_assert_eq(median_of(samples, 10).outliers, 0);
}

Test(reducers, each_by_hand) {
    const double values[] = {2, 8, 4};
    const struct {
        const char *name;
        double expected;
    } table[] = {{"max", 8},  {"min", 2},   {"mean", 14 / 3.0}, {"median", 4},        {"first", 2},
                 {"last", 4}, {"range", 6}, {"sum", 14},        {"geometric_mean", 4}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        cr_assert_float_eq(reducer_named(table[i].name)->of(values, 3), table[i].expected, 1e-14, "%s", table[i].name);
    cr_assert_null(reducer_named("average"));
}

Test(reducers, nan_is_never_lost) {
    const double values[] = {1, (double)NAN, 3};
    const char *const names[] = {"max", "min", "mean", "median", "range", "sum", "geometric_mean"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cr_assert(isnan(reducer_named(names[i])->of(values, 3)), "%s", names[i]);
}

/* Wilson (1927) as tabled by Newcombe (1998): 81 of 263, 15 of 148, 0 of 20, 1 of 29. */
Test(statistics, shares_have_the_intervals_of_the_tables) {
    static const struct {
        int hits, n;
        double low, high;
    } rows[] = {{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r) {
        const struct interval interval = wilson_of(rows[r].hits, rows[r].n);
        const struct interval other = wilson_of(rows[r].n - rows[r].hits, rows[r].n);
        cr_expect(fabs(interval.low - rows[r].low) < 6e-5 && fabs(interval.high - rows[r].high) < 6e-5, "[%g, %g]",
                  interval.low, interval.high);
        cr_expect(fabs(interval.low - (1 - other.high)) < 1e-12 && fabs(interval.high - (1 - other.low)) < 1e-12);
    }
    /* Fisher's tea experiment: all of 4 cups correct has the probability 1/70, 3 or more 17/70. */
    cr_expect_float_eq(chance_of(4, 4, 4, 8), 1.0 / 70, 1e-12);
    cr_expect_float_eq(chance_of(3, 4, 4, 8), 17.0 / 70, 1e-12);
    cr_expect_float_eq(chance_of(0, 4, 4, 8), 1, 1e-12);
    /* Only 2 of 8 cups are not marked, so at least 4 of 6 chosen ones are marked. */
    cr_expect_float_eq(chance_of(3, 6, 6, 8), 1, 1e-12);
}
