/* Tests of inverse_root (kernels/dialect.h) in float. test_mass_spring.c tests inverse_root in double. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define REAL_IS_float
#include "dialect.h"

/* The error in units in the last place; a unit is 2^-24 if the result is in [1/2, 1). */
static double error_at(float x) {
    int exponent;
    const double exact = 1 / sqrt((double)x);
    frexp(exact, &exponent);
    return fabs((double)inverse_root(x) - exact) / ldexp(1, exponent - 24);
}

Test(inverse_root, is_within_one_and_a_half_units_for_every_mantissa) {
    double largest = 0;
    for (uint32_t bits = 0x3f800000; bits < 0x40800000; ++bits) { /* 1 to 4: all mantissas, even and odd exponents */
        float x;
        memcpy(&x, &bits, sizeof x);
        const double here = error_at(x);
        largest = here > largest ? here : largest;
    }
    cr_expect_lt(largest, 1.5, "%g", largest);
    cr_expect_gt(largest, 0.5,
                 "the largest error is %g units; without correct rounding it must exceed 0.5, so the test is wrong",
                 largest);
}

Test(inverse_root, is_within_one_and_a_half_units_for_every_exponent) {
    for (int exponent = -126; exponent < 128; ++exponent)
        for (int k = 0; k < 1000; ++k) {
            const float x = ldexpf(1 + (float)k / 1000, exponent);
            cr_assert_lt(error_at(x), 1.5, "%a", (double)x);
        }
}

Test(inverse_root, of_what_is_no_number_is_none) {
    cr_expect(isnan(inverse_root(NAN)));
    cr_expect(!isfinite(INFINITY * inverse_root(INFINITY)));
}
