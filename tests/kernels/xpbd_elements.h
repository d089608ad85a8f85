/* Tests of the equations of kernels/xpbd.h on one element, in the precision of the including file. They check
 * gradients, the equation that a projection solves, and the result of many projections. Numbers in parentheses are
 * equations of cetinaslan2019, if no other paper is named. */
#ifndef SPRINGBACK_TESTS_XPBD_ELEMENTS_H
#define SPRINGBACK_TESTS_XPBD_ELEMENTS_H

#include "xpbd.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 300, SPRINGS = XPBD_SPRINGS };

#ifdef REAL_IS_double
static const double rounding = 1.2e-16; /* half a unit in the last place of 1 */
#else
static const double rounding = 6e-8;
#endif

static const char *const spring_names[] = {"stretching", "Hookean",          "StVK",
                                           "Morse",      "unmodified Morse", "Morse as printed"};
static const double exponent = 1.25; /* the parameter a of (5); exact in both precisions */

/* A random number from -1 to 1 with few digits, which is exact in both precisions. */
static scalar draw(void) {
    return (scalar)(rand() % 8193 - 4096) / 4096;
}

static vec3 draw_place(void) {
    const scalar x = draw(), y = draw(), z = draw();
    return vec3_of(x, y, z);
}

static double product(vec3 a, vec3 b) {
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

/* The constraint of a spring by (5), (7) and (15) to (17), as printed. */
static long double constraint_of(int spring, long double length, long double rest, long double k) {
    const long double longer = length - rest, squares = length * length - rest * rest;
    switch (spring) {
    case XPBD_STRETCHING:
        return k * longer;
    case XPBD_HOOKEAN:
        return k * longer * longer / 2;
    case XPBD_STVK:
        return k * squares * squares / 2;
    case XPBD_UNMODIFIED:
        return k * powl(1 - expl(-(long double)exponent * longer), 2);
    default:
        return k * powl(1 - expl(longer), 2);
    }
}

/* The derivative of the constraint with respect to the length: (9) as printed for XPBD_PRINTED, else a difference
 * quotient. */
static long double slope_of(int spring, long double length, long double rest, long double k) {
    const long double h = 1e-6L;
    if (spring == XPBD_PRINTED)
        return 2 * k * expl(length) * (expl(length) - 1);
    return (constraint_of(spring, length + h, rest, k) - constraint_of(spring, length - h, rest, k)) / (2 * h);
}

Test(xpbd, springs_are_as_printed_and_slopes_are_theirs) {
    srand(1);
    for (int n = 0; n < DRAWS; ++n)
        for (int spring = 0; spring < SPRINGS; ++spring) {
            const scalar length = (scalar)1.5 + draw(), rest = (scalar)1.5 + draw(),
                         k = (scalar)5.5 + (scalar)4.5 * draw();
            const struct xpbd_parameters p = {.stiffness = k, .exponent = (scalar)exponent};
            const struct spring_value got = spring_value_of(spring, length, rest, &p);
            const long double l = (long double)length, l0 = (long double)rest, stiffness = (long double)k;
            const double value = (double)constraint_of(spring, l, l0, stiffness),
                         slope = (double)slope_of(spring, l, l0, stiffness);
            const double size = (double)k * 400; /* larger than each term of the equations */
            cr_expect_float_eq((double)got.value, value, 2 * rounding * size,
                               "%s of %g, %g at rest: %.17g, expected %.17g", spring_names[spring], (double)length,
                               (double)rest, (double)got.value, value);
            cr_expect_float_eq((double)got.slope, slope, 2 * rounding * size + 1e-9 * (double)k,
                               "slope of %s at %g, %g at rest: %.17g, expected %.17g", spring_names[spring],
                               (double)length, (double)rest, (double)got.slope, slope);
        }
}

/* Beyond 8 m of elongation, the value and the slope of a Morse spring stay constant, so nothing overflows. */
Test(xpbd, a_morse_spring_s_exponent_is_held) {
    const struct xpbd_parameters p = {.stiffness = 3};
    const struct spring_value at = spring_value_of(XPBD_MORSE, 9, 1, &p);
    static const double lengths[] = {9.5, 20, 101, 1e6, 1e18};
    cr_expect_float_eq((double)at.value, 3 * pow(exp(8) - 1, 2), 3e8 * rounding);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; ++l) {
        const struct spring_value beyond = spring_value_of(XPBD_MORSE, (scalar)lengths[l], 1, &p);
        cr_expect(beyond.value == at.value && beyond.slope == at.slope, "at %g m: %g, %g", lengths[l],
                  (double)beyond.value, (double)beyond.slope);
    }
}

/* (6) is (5) minus D, so both have the same slope. The largest slope is a D / 2, at the elongation s for which exp(-a
 * s) = 1/2. At larger elongations the slope tends to 0. With the value of `a` of a molecule, a spring that is a
 * millimetre too short would have an exponent of 2e7. Nevertheless nothing overflows. */
Test(xpbd, an_unmodified_morse_spring_lets_go) {
    const struct xpbd_parameters by_minimum = {.stiffness = 3, .exponent = 2},
                                 by_dissociation = {.stiffness = 3, .exponent = 2, .depth = 3},
                                 molecule = {.stiffness = 10, .exponent = (scalar)1.94e10};
    double strength = 0;
    for (int n = -512; n <= 4096; ++n) {
        const scalar length = 1 + (scalar)n / 1024;
        const struct spring_value five = spring_value_of(XPBD_UNMODIFIED, length, 1, &by_minimum),
                                  six = spring_value_of(XPBD_UNMODIFIED, length, 1, &by_dissociation);
        cr_expect(six.value == five.value - 3 && six.slope == five.slope, "%g long", (double)length);
        strength = fmax(strength, (double)five.slope);
    }
    cr_expect_float_eq(strength, 2 * 3 / 2.0, 3e-6, "%.9g", strength);
    const struct spring_value torn = spring_value_of(XPBD_UNMODIFIED, 16, 1, &by_minimum),
                              apart = spring_value_of(XPBD_UNMODIFIED, 16, 1, &by_dissociation);
    cr_expect_float_eq((double)torn.value, 3 - 6 * exp(-30), 10 * rounding);
    cr_expect_float_eq((double)apart.value, -6 * exp(-30), 10 * rounding);
    cr_expect(torn.slope > 0 && (double)torn.slope < 1e-11, "%g", (double)torn.slope);
    for (int n = -1; n <= 1; n += 2) {
        const struct spring_value tiny = spring_value_of(XPBD_UNMODIFIED, 1 + (scalar)n / 1024, 1, &molecule);
        cr_expect(isfinite((double)tiny.value) && isfinite((double)tiny.slope), "%d: %g, %g", n, (double)tiny.value,
                  (double)tiny.slope);
    }
}

/* (9) as printed contracts a spring of any length, even if the spring is too short. */
Test(xpbd, a_gradient_as_printed_always_shortens) {
    const struct xpbd_parameters p = {.stiffness = 3, .compliance = (scalar)0.125, .relaxation = 1};
    const vec3 none = vec3_of(0, 0, 0);
    for (int n = 1; n <= 64; ++n) {
        const vec3 b = vec3_of((scalar)n / 32, 0, 0);
        const struct spring_change printed = spring_changed(XPBD_PRINTED, 0, none, 1, b, 1, none, 1, 0, &p),
                                   repaired = spring_changed(XPBD_MORSE, 0, none, 1, b, 1, none, 1, 0, &p);
        if (n != 32)
            cr_expect(printed.correction.x < 0 && (repaired.correction.x > 0) == (n < 32), "%d: %g and %g", n,
                      (double)printed.correction.x, (double)repaired.correction.x);
    }
}

static struct xpbd_parameters draw_parameters(int is_damped) {
    struct xpbd_parameters p = {
        .stiffness = (scalar)1.5 + draw(), .compliance = 1 + draw() / 2, .exponent = (scalar)exponent, .relaxation = 1};
    p.damping = is_damped ? (scalar)1.5 + draw() : 0;
    p.volume_compliance = p.compliance / 16;
    p.volume_damping = p.damping;
    return p;
}

/* (4) solves C + grad C . dx + alpha' lambda + gamma grad C . (x - x_n + dx) = 0 for the new lambda. xpbd.h defines the
 * symbols, such as alpha' = alpha / h^2. The damping term is that of (26) of Macklin et al. All gradients, also that of
 * the damping term, are those at x. */
Test(xpbd, a_projection_of_a_spring_solves_the_linear_equation) {
    srand(2);
    for (int n = 0; n < DRAWS; ++n)
        for (int spring = 0; spring < SPRINGS; ++spring) {
            const int is_damped = n % 2;
            const struct xpbd_parameters p = draw_parameters(is_damped);
            const vec3 a = draw_place(), b = draw_place(), before = draw_place(), d = subtract(b, a);
            const scalar wa = 1 + draw() / 2, wb = n % 7 ? 1 + draw() / 2 : 0, rest = (scalar)1.5 + draw(),
                         lambda = draw();
            const struct spring_change c = spring_changed(spring, is_damped, a, wa, b, wb, before, rest, lambda, &p);
            const double length = sqrt(product(d, d)), along = product(c.correction, d) / length,
                         k = (double)p.stiffness;
            if (length < 0.25) /* the direction of a short spring has few correct digits */
                continue;
            const double value = (double)constraint_of(spring, (long double)length, (long double)rest, (long double)k),
                         slope = (double)slope_of(spring, (long double)length, (long double)rest, (long double)k),
                         grown = ((double)wa + (double)wb) * along, /* elongation by the projection */
                moved = length - product(before, d) / length, compliance = (double)p.compliance;
            const double terms[] = {value, slope * grown, compliance * (double)c.multiplier,
                                    is_damped ? (double)p.damping * slope * (moved + grown) : 0};
            double sum = 0, size = 1;
            for (int t = 0; t < 4; ++t) {
                sum += terms[t];
                size += fabs(terms[t]);
            }
            cr_expect_lt(fabs(sum), (100 * rounding + 1e-9) * size,
                         "%s, draw %d: the terms add up to %g, their sizes to %g", spring_names[spring], n, sum, size);
            const vec3 across = subtract(c.correction, scale((scalar)(along / length), d));
            cr_expect_lt(sqrt(product(across, across)), 20 * rounding * (fabs(along) + 1e-3),
                         "the correction is not along the spring");
        }
}

/* Many projections of one spring converge to C = -(alpha / h^2) lambda (xpbd.h). They would not converge to this value
 * if a projection used the gradient of another function than C. */
Test(xpbd, projections_of_one_spring_converge) {
    srand(3);
    for (int n = 0; n < DRAWS; ++n)
        for (int spring = 0; spring < XPBD_PRINTED; ++spring) {
            const struct xpbd_parameters p = draw_parameters(0);
            const scalar wa = 1 + draw() / 2, wb = 1 + draw() / 2, rest = (scalar)0.75 + draw() / 4;
            vec3 a = scale((scalar)0.25, draw_place()),
                 b = add(a, vec3_of(rest + (scalar)0.25, draw() / 4, draw() / 4));
            const vec3 sum = add(scale(wb, a), scale(wa, b)); /* opposite impulses do not move the centre of mass */
            scalar lambda = 0;
            for (int k = 0; k < 400; ++k) {
                const struct spring_change c =
                    spring_changed(spring, 0, a, wa, b, wb, vec3_of(0, 0, 0), rest, lambda, &p);
                a = subtract(a, scale(wa, c.correction));
                b = add(b, scale(wb, c.correction));
                lambda = c.multiplier;
            }
            const vec3 d = subtract(b, a);
            const double length = sqrt(product(d, d)), k = (double)p.stiffness,
                         value = (double)constraint_of(spring, (long double)length, (long double)rest, (long double)k);
            cr_expect_float_eq(value, -(double)p.compliance * (double)lambda, 100 * rounding * (k + 1),
                               "%s, draw %d: C = %g, expected %g", spring_names[spring], n, value,
                               -(double)p.compliance * (double)lambda);
            cr_expect_lt((double)lambda, 0, "the stretched spring does not pull");
            const vec3 drift = subtract(add(scale(wb, a), scale(wa, b)), sum);
            cr_expect_lt(sqrt(product(drift, drift)), 2000 * rounding);
        }
}

/* If the ends of a spring coincide, the correction is 0. If both ends are pinned, the correction is finite. A stiff
 * spring between two free nodes has its rest length after one projection. */
Test(xpbd, springs_at_their_limits) {
    struct xpbd_parameters p = {.stiffness = 4, .relaxation = 1};
    const vec3 a = vec3_of(1, 2, 3), b = vec3_of(1, 2, 5), none = vec3_of(0, 0, 0);
    for (int spring = 0; spring < SPRINGS; ++spring)
        for (int c = 0; c < 2; ++c) {
            p.compliance = (scalar)c;
            const struct spring_change coincident = spring_changed(spring, 0, a, 1, a, 1, none, 1, 0, &p),
                                       pinned = spring_changed(spring, 0, a, 0, b, 0, none, 1, 0, &p);
            cr_expect(coincident.correction.x == 0 && coincident.correction.y == 0 && coincident.correction.z == 0,
                      "%s", spring_names[spring]);
            cr_expect(isfinite((double)coincident.multiplier), "%s", spring_names[spring]);
            cr_expect(isfinite(product(pinned.correction, pinned.correction)), "%s", spring_names[spring]);
        }
    p.compliance = 0;
    const struct spring_change c = spring_changed(XPBD_STRETCHING, 0, a, 1, b, 3, none, 1, 0, &p);
    cr_expect_float_eq((double)c.correction.z * 4, -1, 20 * rounding);
}

/* ---- Ghost tetrahedra ---- */

static long double volume_of(const long double x[9]) {
    return (x[0] * (x[4] * x[8] - x[5] * x[7]) + x[1] * (x[5] * x[6] - x[3] * x[8]) +
            x[2] * (x[3] * x[7] - x[4] * x[6])) /
           6;
}

/* The centre of a ghost, its fourth corner, is fixed. Corner k moves along the gradient of the volume with respect to
 * corner k. */
Test(xpbd, a_projection_of_a_ghost_goes_along_the_gradient_and_solves_the_linear_equation) {
    srand(4);
    for (int n = 0; n < DRAWS; ++n) {
        const int is_damped = n % 2;
        const struct xpbd_parameters p = draw_parameters(is_damped);
        vec3 corner[3], moved[3];
        scalar w[3];
        long double x[9], gradient[9];
        for (int k = 0; k < 3; ++k) {
            corner[k] = draw_place();
            moved[k] = scale((scalar)0.25, draw_place());
            w[k] = k == n % 5 ? 0 : 1 + draw() / 2;
            x[3 * k] = (long double)corner[k].x;
            x[3 * k + 1] = (long double)corner[k].y;
            x[3 * k + 2] = (long double)corner[k].z;
        }
        for (int c = 0; c < 9; ++c) {
            long double other[9], value[2];
            for (int side = 0; side < 2; ++side) {
                memcpy(other, x, sizeof other);
                other[c] += side ? 1e-3L : -1e-3L; /* the volume is linear in each coordinate */
                value[side] = volume_of(other);
            }
            gradient[c] = (value[1] - value[0]) / 2e-3L;
        }
        const scalar rest = draw() / 2, lambda = draw();
        const struct volume_change v = volume_changed(is_damped, corner, w, (const vec3 *)moved, rest, lambda, &p);
        const double change = (double)v.multiplier - (double)lambda;
        double sum = (double)volume_of(x) - (double)rest + (double)p.volume_compliance * (double)v.multiplier;
        for (int k = 0; k < 3; ++k) {
            const vec3 g = vec3_of((scalar)gradient[3 * k], (scalar)gradient[3 * k + 1], (scalar)gradient[3 * k + 2]);
            const vec3 apart = subtract(v.correction[k], scale((scalar)change, g));
            cr_expect_lt(sqrt(product(apart, apart)), 30 * rounding * (1 + fabs(change)), "draw %d, corner %d", n, k);
            const double step = (double)w[k] * product(g, v.correction[k]);
            sum += step;
            if (is_damped)
                sum += (double)p.volume_damping * (product(g, moved[k]) + step);
        }
        cr_expect_lt(fabs(sum), 100 * rounding, "draw %d: %g", n, sum);
    }
}

Test(xpbd, a_ghost_of_no_compliance_gets_its_volume_back) {
    const struct xpbd_parameters p = {.stiffness = 1};
    vec3 corner[3] = {vec3_of((scalar)1.25, 0, (scalar)0.25), vec3_of(0, 1, 0), vec3_of((scalar)0.25, 0, (scalar)0.75)};
    const vec3 moved[3] = {corner[0], corner[1], corner[2]};
    const scalar w[3] = {1, (scalar)0.5, 2};
    long double x[9];
    scalar lambda = 0;
    for (int k = 0; k < 20; ++k) {
        const struct volume_change v = volume_changed(0, (const vec3 *)corner, w, moved, (scalar)0.25, lambda, &p);
        for (int c = 0; c < 3; ++c)
            corner[c] = add(corner[c], scale(w[c], v.correction[c]));
        lambda = v.multiplier;
    }
    for (int k = 0; k < 3; ++k) {
        x[3 * k] = (long double)corner[k].x;
        x[3 * k + 1] = (long double)corner[k].y;
        x[3 * k + 2] = (long double)corner[k].z;
    }
    cr_expect_float_eq((double)volume_of(x), 0.25, 10 * rounding, "%.17g", (double)volume_of(x));
}

/* ---- The rotation of the whole body ---- */

/* If points rotate with the angular velocity w, angular_velocity returns w. If the points are on a line, the function
 * returns the component of w perpendicular to the line. If all points are in one place, the function returns 0. */
Test(xpbd, angular_velocity_is_that_of_a_rigid_motion) {
    srand(5);
    for (int n = 0; n < DRAWS; ++n) {
        const bool is_line = n % 3 == 0, is_point = n % 30 == 0;
        const scalar size = n % 2 ? 1000 : (scalar)0.03125;
        const vec3 line = draw_place(), turn = draw_place();
        vec3 r[6], l = vec3_of(0, 0, 0), diagonal = l, across = l;
        for (int i = 0; i < 6; ++i) {
            r[i] = scale(size, is_line ? scale((scalar)(i - 2.5), line) : draw_place());
            if (is_point)
                r[i] = vec3_of(0, 0, 0);
            l = add(l, outer(r[i], outer(turn, r[i])));
            diagonal = add(diagonal, vec3_of(r[i].y * r[i].y + r[i].z * r[i].z, r[i].x * r[i].x + r[i].z * r[i].z,
                                             r[i].x * r[i].x + r[i].y * r[i].y));
            across = subtract(across, vec3_of(r[i].x * r[i].y, r[i].x * r[i].z, r[i].y * r[i].z));
        }
        const vec3 got = angular_velocity(l, diagonal, across);
        const double along = is_line ? product(turn, line) / product(line, line) : 0;
        const vec3 expected = is_point ? vec3_of(0, 0, 0) : is_line ? subtract(turn, scale((scalar)along, line)) : turn;
        const vec3 apart = subtract(got, expected);
        cr_expect_lt(sqrt(product(apart, apart)), 3000 * rounding, "draw %d: %g %g %g, expected %g %g %g", n,
                     (double)got.x, (double)got.y, (double)got.z, (double)expected.x, (double)expected.y,
                     (double)expected.z);
    }
}

/* xpbd_change returns 0 if its divisor is at most 1e-30, at least 1e30, or NaN; then nothing moves. In the calls that
 * must return 0, the divisor is the sum of w |grad C|^2. */
Test(xpbd, a_multiplier_of_nothing_or_of_infinity_does_not_change) {
    cr_expect_eq((double)xpbd_change(1, 0, 0, 0, 0, 0), 0);
    cr_expect_eq((double)xpbd_change(1, (scalar)1e-33, 0, 0, 0, 0), 0);
    cr_expect_eq((double)xpbd_change(1, (scalar)1e33, 0, 0, 0, 0), 0);
    cr_expect_eq((double)xpbd_change(1, (scalar)INFINITY, 0, 0, 0, 0), 0);
    cr_expect_eq((double)xpbd_change(1, (scalar)NAN, 0, 0, 0, 0), 0);
    cr_expect_float_eq((double)xpbd_change(3, 2, 5, 7, 1, 1), -(3 + 7 + 5) / 5.0, 40 * rounding);
}

#endif
