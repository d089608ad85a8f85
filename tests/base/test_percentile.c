/* The 99th percentile, compared with sorting. */
#include "base/percentile.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int order(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Fill `values` with numbers of many magnitudes, some of them equal. */
static void fill(double *values, size_t count) {
    uint32_t state = 12345;
    for (size_t i = 0; i < count; ++i) {
        state = 1664525 * state + 1013904223;
        values[i] = i % 7 ? ldexp(1 + state % 4096 / 4096.0, (int)(state >> 24) % 40 - 30) : 0.5;
    }
}

Test(percentile, is_the_value_that_sorting_finds) {
    static const size_t counts[] = {1, 2, 50, 99, 100, 101, 200, 201, 4097, 10000, 65536, 65537, 200000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
        const size_t count = counts[k], rank = (99 * count + 99) / 100; /* 99 % of the count, rounded up */
        double *values = malloc(count * sizeof *values), *sorted = malloc(count * sizeof *sorted);
        fill(values, count);
        memcpy(sorted, values, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, order);
        const double found = percentile_99(values, count);
        cr_expect(found == sorted[rank - 1], "%zu values: %.17g, sorting finds %.17g", count, found, sorted[rank - 1]);
        free(values);
        free(sorted);
    }
}

Test(percentile, equal_values_are_the_result) {
    enum { COUNT = 200000 };
    double *values = malloc(COUNT * sizeof *values);
    for (int i = 0; i < COUNT; ++i)
        values[i] = 0.1;
    cr_expect_eq(percentile_99(values, COUNT), 0.1);
    free(values);
}

Test(percentile, nan_is_the_largest_value) {
    double values[200], few[100];
    for (int i = 0; i < 200; ++i)
        values[i] = i < 2 ? -(double)NAN : (double)i;
    cr_expect_eq(percentile_99(values, 200), 199);
    for (int i = 0; i < 100; ++i)
        few[i] = i < 2 ? (double)NAN : (double)INFINITY;
    cr_expect(isnan(percentile_99(few, 100)));
}
