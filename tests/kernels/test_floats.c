/* Tests of functions of kernels/ in float: their errors are within the documented bounds. */
#include "support.h"

#include <math.h>

#define REAL_IS_float
#include "volume_constraint.h"

Test(floats, the_cosine_is_within_two_units_of_ones_last_place) {
    double largest = 0;
    for (int k = 0; k <= 1 << 20; ++k) {
        const float t = (float)k / (1 << 20);
        largest = fmax(largest, fabs((double)quarter_cosine(t) - cos(acos(-1) / 2 * (double)t)));
    }
    cr_expect(largest <= 2 * 0x1p-23, "the largest error is %g", largest);
}

Test(floats, the_inverse_root_is_within_one_and_a_half_units) {
    for (int k = 0; k < 3 << 20; ++k) {
        const float x = REAL_OF(0x3f800000 + 8 * k); /* from 1 to 8; an x above 4 has the same error as x / 4 */
        const double exact = 1 / sqrt((double)x);
        int exponent;
        frexp(exact, &exponent);
        cr_assert_lt(fabs((double)inverse_root(x) - exact) / ldexp(1, exponent - 24), 1.5, "%a", (double)x);
    }
}

Test(floats, the_weight_is_hongs) {
    const vec3 centre = vec3_of(0.25f, -0.5f, 1);
    for (int k = 0; k <= 1500; ++k) {
        const float share = (float)k / 1000;
        const float weight = local_weight(add(centre, vec3_of(0, 0, 2 * share)), centre, 2);
        const double expected = k < 1000 ? (cos(acos(-1) * k / 1000) + 1) / 2 : 0;
        cr_expect_float_eq((double)weight, expected, 1e-6, "%d: %g", k, (double)weight);
        cr_expect(weight >= 0 && weight <= 1);
    }
}
