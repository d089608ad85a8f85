/* The exponential and the natural logarithm, computed with + - * and integer operations only, bit-identical everywhere.
 */
#ifndef SPRINGBACK_KERNELS_EXPONENTIAL_H
#define SPRINGBACK_KERNELS_EXPONENTIAL_H

#include "dialect.h"

/* Layout of a real. LN_2_HIGH + LN_2_LOW is ln 2; the product of LN_2_HIGH and any exponent is exact. REAL_ROUNDING is
 * 1.5 times the power of two beyond which a real has no fraction. If a number of less than REAL_ROUNDING / 3 in
 * absolute value is added to REAL_ROUNDING, the last bits of the sum are this number, rounded to an integer. The
 * rounding of this sum is the same on every device; the rounding of a conversion to an integer need not be the same. */
#ifdef REAL_IS_double
#define REAL_FRACTION_BITS 52
#define REAL_EXPONENT_BIAS 1023
#define REAL_EXPONENT_MASK 0x7FF0000000000000
#define REAL_ONE_BITS      0x3FF0000000000000
#define REAL_ROOT_BITS     0x3FE6A09E667F3BCD /* sqrt(1/2) */
#define REAL_ROUNDING      6755399441055744.0
#define REAL_ROUNDING_BITS 0x4338000000000000
#define LN_2_HIGH          0.6931471805598903
#define LN_2_LOW           5.497923018708371e-14
#define REAL_LEAST         2.2250738585072014e-308
#define REAL_LARGEST       1.7976931348623157e308
#define EXPONENTIAL_LIMIT  346.5735902799727 /* 500 ln 2 */
#else
#define REAL_FRACTION_BITS 23
#define REAL_EXPONENT_BIAS 127
#define REAL_EXPONENT_MASK 0x7F800000
#define REAL_ONE_BITS      0x3F800000
#define REAL_ROOT_BITS     0x3F3504F3
#define REAL_ROUNDING      12582912.0
#define REAL_ROUNDING_BITS 0x4B400000
#define LN_2_HIGH          0.693145751953125
#define LN_2_LOW           1.4286068203094173e-06
#define REAL_LEAST         1.1754943508222875e-38
#define REAL_LARGEST       3.4028234663852886e38
#define EXPONENTIAL_LIMIT  41.58883083359672 /* 60 ln 2 */
#endif

/* exp(x) for -EXPONENTIAL_LIMIT <= x <= `most`, within 1 unit in the last place. `most` is at most EXPONENTIAL_LIMIT.
 * An x outside of this range is replaced by the nearest limit, and NaN by `most`.
 *
 * x = n ln 2 + r with |r| <= ln 2 / 2, and exp(r) = 1 + r + r^2 q(r). The polynomial q interpolates
 * (exp(r) - 1 - r) / r^2 at Chebyshev's nodes, with degree 5 in float and 10 in double. The relative error of the
 * formula is 2e-10 in float and 4e-19 in double. r = high - low is added in two parts, and the larger part, `high`, is
 * exact. */
INLINE real exponential_up_to(real x, scalar most) {
    const scalar least = -(scalar)EXPONENTIAL_LIMIT;
    real held = EITHER(x < most, x, EVERYWHERE(most));
    held = EITHER(held > least, held, EVERYWHERE(least));
    const real rounded = held * (scalar)1.4426950408889634 + (scalar)REAL_ROUNDING, n = rounded - (scalar)REAL_ROUNDING;
    const real high = held - n * (scalar)LN_2_HIGH, low = n * (scalar)LN_2_LOW, r = high - low;
#ifdef REAL_IS_double
    real q = EVERYWHERE((scalar)2.0914686968086876e-09);
    q = (scalar)2.5105217004720745e-08 + r * q;
    q = (scalar)2.75572736431103e-07 + r * q;
    q = (scalar)2.7557255400206422e-06 + r * q;
    q = (scalar)2.4801587325547743e-05 + r * q;
    q = (scalar)0.00019841269874820627 + r * q;
    q = (scalar)0.0013888888888883748 + r * q;
    q = (scalar)0.008333333333326136 + r * q;
    q = (scalar)0.04166666666666667 + r * q;
    q = (scalar)0.1666666666666667 + r * q;
    q = (scalar)0.5 + r * q;
#else
    real q = EVERYWHERE((scalar)0.00019890990824673654);
    q = (scalar)0.0013933649996309251 + r * q;
    q = (scalar)0.0083333109254809 + r * q;
    q = (scalar)0.041666464925285904 + r * q;
    q = (scalar)0.16666666681623232 + r * q;
    q = (scalar)0.500000001346581 + r * q;
#endif
    const real y = (scalar)1 + (high + (r * r * q - low));
    const real power = REAL_OF((WORD_OF(rounded) - (REAL_ROUNDING_BITS - REAL_EXPONENT_BIAS)) << REAL_FRACTION_BITS);
    return y * power;
}

/* exp(x), within 1 unit in the last place for |x| <= 60 ln 2 in float, 500 ln 2 in double. For a larger |x|, even
 * infinity, the result is the value at the limit: 2^60 or 2^-60 in float, 2^500 or 2^-500 in double. The result's
 * square, its inverse and the square of its inverse are therefore normal numbers. NaN gives NaN. */
INLINE real exponential(real x) {
    const real y = exponential_up_to(x, (scalar)EXPONENTIAL_LIMIT);
    return EITHER(x == x, y, x);
}

/* f - log(1 + f) for sqrt(1/2) <= 1 + f <= sqrt(2), within 3 units in the last place. For f near 0 the result is about
 * f^2 / 2. A subtraction of log(1 + f) from f would lose most digits of this result.
 *
 * With s = f / (2 + f), log(1 + f) = 2 artanh(s) = 2 s + s R(s^2) = f - (f^2 / 2 - s (f^2 / 2 + R)), as in fdlibm (K.
 * C. Ng, 1993). The term with s is small, so the reciprocal's error of 5 units does not matter. With z = s^2, R(z) / z
 * is replaced by its interpolation at Chebyshev's nodes, with degree 2 in float and 6 in double. The relative error of
 * the formula is 3e-9 in float and 5e-18 in double. */
INLINE real logarithm_lag(real f) {
    const real s = f * reciprocal((scalar)2 + f), z = s * s, start = (scalar)0.5 * f * f;
#ifdef REAL_IS_double
    real q = EVERYWHERE((scalar)0.14616721179861816);
    q = (scalar)0.15331699633543858 + z * q;
    q = (scalar)0.18182889786191042 + z * q;
    q = (scalar)0.2222221112572281 + z * q;
    q = (scalar)0.28571428626031065 + z * q;
    q = (scalar)0.3999999999989938 + z * q;
    q = (scalar)0.666666666666667 + z * q;
#else
    real q = EVERYWHERE((scalar)0.2958015670534363);
    q = (scalar)0.3998877599783465 + z * q;
    q = (scalar)0.6666668505073791 + z * q;
#endif
    return start - s * (start + z * q);
}

/* log(x), within 1 unit in the last place for a normal x > 0. An x below the smallest normal number, even 0 or a
 * negative number, is replaced by the smallest normal number. Infinity is replaced by the largest number. NaN gives
 * NaN.
 *
 * x = 2^k (1 + f), where sqrt(1/2) <= 1 + f < sqrt(2). */
INLINE real logarithm(real x) {
    real held = EITHER(x > (scalar)REAL_LEAST, x, EVERYWHERE((scalar)REAL_LEAST));
    held = EITHER(held < (scalar)REAL_LARGEST, held, EVERYWHERE((scalar)REAL_LARGEST));
    const word above = WORD_OF(held) - REAL_ROOT_BITS + REAL_ONE_BITS;
    const real k =
        REAL_OF((above >> REAL_FRACTION_BITS) + REAL_ROUNDING_BITS) - (scalar)(REAL_ROUNDING + REAL_EXPONENT_BIAS);
    const real f = REAL_OF(WORD_OF(held) - ((above & REAL_EXPONENT_MASK) - REAL_ONE_BITS)) - (scalar)1;
    const real y = k * (scalar)LN_2_HIGH - ((logarithm_lag(f) - k * (scalar)LN_2_LOW) - f);
    return EITHER(x == x, y, x);
}

#endif
