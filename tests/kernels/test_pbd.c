/* Tests of the equations of kernels/pbd.h and kernels/angle.h in double precision, by difference quotients and closed
 * forms. */
#define REAL_IS_double
#include "pbd.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { DRAWS = 200 };

static double draw(void) {
    return 2.0 * rand() / RAND_MAX - 1;
}

static vec3 draw_place(void) {
    const double x = draw(), y = draw(), z = draw();
    return vec3_of(x, y, z);
}

static double *component(vec3 *a, int k) {
    return k == 0 ? &a->x : k == 1 ? &a->y : &a->z;
}

Test(angle, arctangent_is_the_library_s) {
    double worst = 0;
    srand(1);
    for (int n = 0; n < 200000; ++n) {
        const double y = draw() * pow(10, 4 * draw()), x = draw();
        const double error = fabs(arctangent(y, x) - atan2(y, x)) / fabs(atan2(y, x));
        worst = error > worst ? error : worst;
    }
    cr_expect_lt(worst, 1.2e-15, "%g", worst);
    const struct {
        double y, x, angle;
    } cases[] = {{0, 1, 0},        {1, 0, M_PI / 2},      {0, -1, M_PI},    {-1, 0, -M_PI / 2},
                 {0, 0, 0},        {1e-4, 1, atan(1e-4)}, {1, 1, M_PI / 4}, {-1, -1, -3 * M_PI / 4},
                 {1e-20, 1, 1e-20}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c)
        cr_expect_float_eq(arctangent(cases[c].y, cases[c].x), cases[c].angle, 1e-15, "case %zu: %.17g", c,
                           arctangent(cases[c].y, cases[c].x));
    cr_expect_float_eq(wrapped_angle(3.5), 3.5 - 2 * M_PI, 1e-15);
    cr_expect_float_eq(wrapped_angle(-3.5), 2 * M_PI - 3.5, 1e-15);
}

/* The largest difference between the gradient and the difference quotients of a dihedral's angle, relative to the
 * largest quotient. */
static double bend_gradient_error(const vec3 corner[4]) {
    const double h = 1e-6;
    const struct dihedral at = dihedral_of(corner[0], corner[1], corner[2], corner[3]);
    const vec3 gradient[4] = {at.a, at.b, at.c, at.d};
    double worst = 0, scale_of = 1e-12;
    for (int n = 0; n < 12; ++n) {
        double angle[2];
        for (int side = 0; side < 2; ++side) {
            vec3 moved[4] = {corner[0], corner[1], corner[2], corner[3]};
            *component(&moved[n / 3], n % 3) += side ? h : -h;
            angle[side] = dihedral_of(moved[0], moved[1], moved[2], moved[3]).angle;
        }
        vec3 g = gradient[n / 3];
        const double expected = wrapped_angle(angle[1] - angle[0]) / (2 * h), got = *component(&g, n % 3);
        worst = fmax(worst, fabs(expected - got));
        scale_of = fmax(scale_of, fabs(expected));
    }
    return worst / scale_of;
}

Test(bend, gradient_is_that_of_the_angle) {
    srand(2);
    for (int n = 0; n < DRAWS; ++n) {
        const vec3 corner[4] = {draw_place(), draw_place(), draw_place(), draw_place()};
        cr_expect_lt(bend_gradient_error(corner), 1e-5, "draw %d: %g", n, bend_gradient_error(corner));
    }
    const vec3 a = vec3_of(0, 0, 0), b = vec3_of(0, 0, 1);
    const vec3 flat[4] = {a, b, vec3_of(1, 0, 0.3), vec3_of(-1, 0, 0.6)};
    const vec3 folded[4] = {a, b, vec3_of(1, 0, 0.3), vec3_of(1, 0, 0.6)};
    cr_expect_lt(bend_gradient_error(flat), 1e-5, "%g", bend_gradient_error(flat));
    cr_expect_lt(bend_gradient_error(folded), 1e-5, "%g", bend_gradient_error(folded));
    cr_expect_float_eq(dihedral_of(flat[0], flat[1], flat[2], flat[3]).angle, 0, 1e-15);
    cr_expect_float_eq(fabs(dihedral_of(folded[0], folded[1], folded[2], folded[3]).angle), M_PI, 1e-15);
}

/* The constraints (10) and (11) of lee2022 as functions: as printed, or in the form of Mueller et al. (pbd.h). */
static double strain_of(const struct tetrahedron *t, int i, int j, int is_printed) {
    const vec3 fi = strained(t, i), fj = strained(t, j);
    if (i == j)
        return is_printed ? inner(fi, fi) - 1 : sqrt(inner(fi, fi)) - 1;
    return is_printed ? inner(fi, fj) : inner(fi, fj) / sqrt(inner(fi, fi) * inner(fj, fj));
}

/* A random tetrahedron with moderate strain and shear. */
static struct tetrahedron draw_tetrahedron(void) {
    struct tetrahedron t;
    for (int k = 0; k < 4; ++k) {
        t.p[k] = add(scale(0.1, draw_place()), vec3_of(k == 1, k == 2, k == 3));
        t.w[k] = 1 + 0.5 * draw();
    }
    for (int k = 0; k < 9; ++k)
        t.q[k / 3][k % 3] = (k / 3 == k % 3) + 0.2 * draw();
    return t;
}

/* A projection must give dp_k = -C w_k grad_k C / sum of w |grad C|^2. The test computes the gradients as difference
 * quotients. */
Test(strain, projection_is_along_the_gradient) {
    const double h = 1e-6;
    srand(3);
    for (int n = 0; n < DRAWS; ++n)
        for (int c = 0; c < 12; ++c) {
            const int i = c % 3, j = (c / 3) % 2 ? (i + 1) % 3 : i, is_printed = c / 6;
            const struct tetrahedron at = draw_tetrahedron();
            double gradient[12], sum = 0;
            for (int x = 0; x < 12; ++x) {
                double value[2];
                for (int side = 0; side < 2; ++side) {
                    struct tetrahedron moved = at;
                    *component(&moved.p[x / 3], x % 3) += side ? h : -h;
                    value[side] = strain_of(&moved, i, j, is_printed);
                }
                gradient[x] = (value[1] - value[0]) / (2 * h);
                sum += at.w[x / 3] * gradient[x] * gradient[x];
            }
            struct tetrahedron after = at;
            if (i == j)
                stretch_project(&after, i, is_printed, 1);
            else
                shear_project(&after, i, j, is_printed, 1);
            for (int x = 0; x < 12; ++x) {
                vec3 moved = subtract(after.p[x / 3], at.p[x / 3]);
                const double expected = -strain_of(&at, i, j, is_printed) * at.w[x / 3] * gradient[x] / sum;
                cr_expect_float_eq(*component(&moved, x % 3), expected, 1e-6 * (1 + fabs(expected)),
                                   "draw %d, axes %d and %d, is_printed %d: a corner moves by %g, expected %g", n, i, j,
                                   is_printed, *component(&moved, x % 3), expected);
            }
        }
}

Test(distance, projection_restores_the_length) {
    srand(4);
    for (int n = 0; n < DRAWS; ++n) {
        const vec3 a = draw_place(), b = draw_place();
        const double wa = 1 + draw() / 2, wb = 1 + draw() / 2;
        const vec3 d = distance_correction(a, b, 0.5, distance_share(wa, wb), 1, 1);
        const vec3 e = subtract(subtract(a, scale(wa, d)), add(b, scale(wb, d)));
        cr_expect_float_eq(sqrt(inner(e, e)), 0.5, 1e-12);
        const vec3 none = distance_correction(a, b, 0.5, distance_share(0, 0), 1, 1);
        cr_expect_float_eq(inner(none, none), 0, 0);
    }
    const vec3 a = vec3_of(0, 0, 0), b = vec3_of(1, 0, 0);
    cr_expect_float_eq(distance_correction(a, b, 0.5, distance_share(1, 1), 0.3, 0.1).x, -0.1 * 0.25, 1e-15);
    cr_expect_float_eq(distance_correction(a, b, 2, distance_share(1, 1), 0.3, 0.1).x, 0.3 * 0.5, 1e-15);
}

/* share_of returns 0 if the sum by which it divides is at most 1e-30, at least 1e30, or NaN; then nothing moves. */
Test(distance, a_share_of_nothing_or_of_infinity_is_none) {
    cr_expect_float_eq(share_of(3, 2), 1.5, 1e-15);
    cr_expect_float_eq(share_of(3, 0), 0, 0);
    cr_expect_float_eq(share_of(3, 1e-40), 0, 0);
    cr_expect_float_eq(share_of(3, 1e40), 0, 0);
    cr_expect_float_eq(share_of(3, INFINITY), 0, 0);
    cr_expect_float_eq(share_of(3, NAN), 0, 0);
}
