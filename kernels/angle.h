/* The angle of a direction in the plane, computed with + - * and integer operations only, bit-identical everywhere. */
#ifndef SPRINGBACK_KERNELS_ANGLE_H
#define SPRINGBACK_KERNELS_ANGLE_H

#include "dialect.h"

/* atan(t) for |t| <= tan(pi / 8): t + t^3 q(t^2), where the polynomial q interpolates (atan(t) - t) / t^3 at
 * Chebyshev's nodes. q has degree 4 in float and 10 in double. The relative error of the formula is 2.5e-9 in float and
 * 5e-18 in double. */
INLINE real small_arctangent(real t) {
    const real s = t * t;
#ifdef REAL_IS_double
    real q = EVERYWHERE(-1.91768871190622589893e-02);
    q = (scalar)3.92316582955871913028e-02 + s * q;
    q = (scalar)-5.08544973794025986132e-02 + s * q;
    q = (scalar)5.85814891280220988165e-02 + s * q;
    q = (scalar)-6.6645114473819480001e-02 + s * q;
    q = (scalar)7.69218319082608656369e-02 + s * q;
    q = (scalar)-9.09090457812390189048e-02 + s * q;
    q = (scalar)1.11111110152563617275e-01 + s * q;
    q = (scalar)-1.42857142846665429225e-01 + s * q;
    q = (scalar)1.99999999999955206778e-01 + s * q;
    q = (scalar)-3.33333333333333301597e-01 + s * q;
#else
    real q = EVERYWHERE((scalar)-6.45192820812174875796e-02);
    q = (scalar)1.07437314907910830434e-01 + s * q;
    q = (scalar)-1.42639555979846391989e-01 + s * q;
    q = (scalar)1.99995404836489634448e-01 + s * q;
    q = (scalar)-3.3333331761168519851e-01 + s * q;
#endif
    return t + t * s * q;
}

/* The angle of (x, y) from the x axis, in (-pi, pi], within 6 units in the last place. The angle of (0, 0) is 0. If |x|
 * + |y| is below 1.5e-30, the result may be only the nearest multiple of pi / 4. */
INLINE real arctangent(real y, real x) {
    const real ax = WHERE(x > 0, x) - WHERE(x < 0, x), ay = WHERE(y > 0, y) - WHERE(y < 0, y);
    const real large = EITHER(ax > ay, ax, ay), small = EITHER(ax > ay, ay, ax);
    /* If the slope is above tan(pi / 8), rotate the direction by -pi / 4, and add pi / 4 to its angle. */
    const word is_rotated = small > (scalar)0.41421356237309504880 * large;
    const real over = EITHER(is_rotated, small - large, small), under = EITHER(is_rotated, small + large, large);
    const word is_there = under > (scalar)1e-30;
    const real t = WHERE(is_there, over * reciprocal(EITHER(is_there, under, EVERYWHERE((scalar)1))));
    real angle = small_arctangent(t) + WHERE(is_rotated, EVERYWHERE((scalar)0.78539816339744830962));
    angle = EITHER(ay > ax, (scalar)1.57079632679489661923 - angle, angle);
    angle = EITHER(x < 0, (scalar)3.14159265358979323846 - angle, angle);
    return EITHER(y < 0, -angle, angle);
}

/* The angle in (-pi, pi] that equals `a` or differs from `a` by a full rotation. `a` must be in (-3 pi, 3 pi]. */
INLINE real wrapped_angle(real a) {
    const scalar straight = (scalar)3.14159265358979323846, rotation = (scalar)6.28318530717958647693;
    a = EITHER(a > straight, a - rotation, a);
    return EITHER(a <= -straight, a + rotation, a);
}

#endif
