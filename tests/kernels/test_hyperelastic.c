/* Tests of kernels/hyperelastic.h, most of them in double precision: gradients compared with difference quotients,
 * invariants, and the return to the rest shape. */
#define REAL_IS_double
#include "xpbd_hyperelastic.h"

#include "number_bits.h"

#include <math.h>

enum { DRAWS = 200, BATCH = 4096 };

static const double mu = 1.3, lambda = 2.7;

static const struct material {
    const char *name;
    struct hyperelastic (*of)(const struct tetrahedron *t, double volume, double mu, double lambda);
} materials[] = {{"St. Venant-Kirchhoff", saint_venant_kirchhoff}, {"Neo-Hookean", neo_hookean}};
enum { MATERIALS = sizeof materials / sizeof *materials, NEO_HOOKEAN = 1 };

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

static double determinant(const vec3 p[4]) {
    return inner(subtract(p[1], p[0]), outer(subtract(p[2], p[0]), subtract(p[3], p[0])));
}

/* Make a tetrahedron at rest with these corners and random masses. Sets *volume to its volume. The rows of Q^-1 are the
 * gradients of the barycentric coordinates. */
static struct tetrahedron at_rest(const vec3 p[4], double *volume) {
    const vec3 a = subtract(p[1], p[0]), b = subtract(p[2], p[0]), c = subtract(p[3], p[0]);
    const double over = 1 / determinant(p);
    const vec3 row[3] = {scale(over, outer(b, c)), scale(over, outer(c, a)), scale(over, outer(a, b))};
    struct tetrahedron t;
    for (int k = 0; k < 4; ++k) {
        t.p[k] = p[k];
        t.w[k] = 1 + 0.5 * draw();
    }
    for (int k = 0; k < 3; ++k) {
        t.q[k][0] = row[k].x;
        t.q[k][1] = row[k].y;
        t.q[k][2] = row[k].z;
    }
    *volume = determinant(p) / 6;
    return t;
}

/* Make a random tetrahedron at rest, of about this size and not flat. Sets *volume to its volume. */
static struct tetrahedron draw_rest(double size, double *volume) {
    vec3 p[4];
    do
        for (int k = 0; k < 4; ++k)
            p[k] = scale(size, add(scale(0.3, draw_place()), vec3_of(k == 1, k == 2, k == 3)));
    while (determinant(p) < 0.3 * size * size * size);
    return at_rest(p, volume);
}

static double deformed_volume(const struct tetrahedron *t) {
    return inner(strained(t, 0), outer(strained(t, 1), strained(t, 2)));
}

static double distance_between(const struct tetrahedron *a, const struct tetrahedron *b) {
    double most = 0;
    for (int k = 0; k < 4; ++k) {
        const vec3 d = subtract(a->p[k], b->p[k]);
        most = fmax(most, sqrt(inner(d, d)));
    }
    return most;
}

/* The largest difference between the gradient and the difference quotients of C, divided by the largest quotient. The
 * divisor is at least 1e-3 * volume * mu, which is the gradient's size at a strain of 1e-3. */
static double gradient_error(const struct material *m, const struct tetrahedron *at, double volume) {
    const double step = 1e-6;
    struct hyperelastic here = m->of(at, volume, mu, lambda);
    double worst = 0, scale_of = 1e-3 * volume * mu;
    for (int x = 0; x < 12; ++x) {
        double c[2];
        for (int side = 0; side < 2; ++side) {
            struct tetrahedron moved = *at;
            *component(&moved.p[x / 3], x % 3) += side ? step : -step;
            c[side] = m->of(&moved, volume, mu, lambda).c;
        }
        const double expected = (c[1] - c[0]) / (2 * step);
        worst = fmax(worst, fabs(expected - *component(&here.gradient[x / 3], x % 3)));
        scale_of = fmax(scale_of, fabs(expected));
    }
    return worst / scale_of;
}

/* Small strains use another form of C than large strains. A strain of 3 inverts many tetrahedra. */
Test(hyperelastic, gradient_is_that_of_c) {
    static const double strains[] = {1e-3, 0.03, 0.3, 1, 3};
    int inverted = 0, near = 0;
    srand(1);
    for (size_t s = 0; s < sizeof strains / sizeof *strains; ++s)
        for (int n = 0; n < DRAWS; ++n) {
            double volume;
            struct tetrahedron t = draw_rest(1, &volume);
            for (int k = 0; k < 4; ++k)
                t.p[k] = add(t.p[k], scale(strains[s], draw_place()));
            inverted += deformed_volume(&t) < 0;
            near += green_strain_of(&t).square < 1.0 / 128;
            for (int m = 0; m < MATERIALS; ++m)
                cr_expect_lt(gradient_error(&materials[m], &t, volume), 1e-6, "%s, strain %g, draw %d: %g",
                             materials[m].name, strains[s], n, gradient_error(&materials[m], &t, volume));
        }
    cr_expect_gt(inverted, 100);
    cr_expect_gt(near, 200);
}

/* A corner moves through the plane of the other three corners. The relative volume J also passes the value below which
 * the Neo-Hookean energy continues linearly. */
Test(hyperelastic, c_and_gradient_are_finite_and_continuous_through_flatness) {
    double volume;
    srand(2);
    for (int m = 0; m < MATERIALS; ++m)
        for (int n = 0; n < 20; ++n) {
            const struct tetrahedron rest = draw_rest(1, &volume);
            struct hyperelastic before = {0};
            for (int step = 0; step <= 4000; ++step) {
                struct tetrahedron t = rest;
                /* The corner moves from its place at rest to the other side of the plane: J from 1 to -1. */
                const vec3 to = add(add(scale(1.0 / 3, t.p[0]), scale(1.0 / 3, t.p[1])), scale(1.0 / 3, t.p[2]));
                t.p[3] = add(t.p[3], scale(step / 2000.0, subtract(to, t.p[3])));
                const struct hyperelastic h = materials[m].of(&t, volume, mu, lambda);
                cr_assert(isfinite(h.c) && h.c >= 0, "%s: %g", materials[m].name, h.c);
                for (int k = 0; step && k < 4; ++k) {
                    const vec3 d = subtract(h.gradient[k], before.gradient[k]);
                    cr_assert_lt(sqrt(inner(d, d)), 1.5, "%s, draw %d, step %d", materials[m].name, n, step);
                }
                cr_assert(!step || fabs(h.c - before.c) < 0.1, "%s, draw %d, step %d", materials[m].name, n, step);
                before = h;
            }
        }
}

Test(hyperelastic, the_energies_are_the_printed_ones) {
    double volume;
    srand(3);
    for (int n = 0; n < 10 * DRAWS; ++n) {
        struct tetrahedron t = draw_rest(1, &volume);
        const double strain = n % 2 ? 0.4 : 0.05;
        double f[3][3], e2 = 0, trace = 0, i1 = 0;
        for (int k = 0; k < 4; ++k)
            t.p[k] = add(t.p[k], scale(strain, draw_place()));
        for (int i = 0; i < 3; ++i) {
            vec3 column = strained(&t, i);
            for (int k = 0; k < 3; ++k)
                f[k][i] = *component(&column, k);
        }
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                const double c = f[0][i] * f[0][j] + f[1][i] * f[1][j] + f[2][i] * f[2][j], e = (c - (i == j)) / 2;
                e2 += e * e;
                trace += i == j ? e : 0;
                i1 += i == j ? c : 0;
            }
        const double j = deformed_volume(&t), log_i3 = 2 * log(j);
        const double stvk = mu * e2 + lambda / 2 * trace * trace;
        const double neo = mu / 2 * (i1 - log_i3 - 3) + lambda / 8 * log_i3 * log_i3;
        cr_expect_float_eq(saint_venant_kirchhoff(&t, volume, mu, lambda).c, volume * stvk, 1e-13 * (1 + stvk));
        if (j > 0.1)
            cr_expect_float_eq(neo_hookean(&t, volume, mu, lambda).c, volume * neo, 1e-13 * (1 + neo), "%g", j);
        else
            cr_expect_gt(neo_hookean(&t, volume, mu, lambda).c, 0);
    }
}

Test(hyperelastic, what_is_at_rest_stays) {
    double volume;
    const vec3 unit[4] = {vec3_of(0, 0, 0), vec3_of(1, 0, 0), vec3_of(0, 1, 0), vec3_of(0, 0, 1)};
    srand(4);
    for (int m = 0; m < MATERIALS; ++m) {
        struct tetrahedron t = at_rest(unit, &volume), after = t;
        struct hyperelastic h = materials[m].of(&t, volume, mu, lambda);
        cr_expect_eq(h.c, 0);
        hyperelastic_project(&after, &h, 1);
        cr_expect_eq(distance_between(&t, &after), 0);
        for (int n = 0; n < DRAWS; ++n) {
            const double size = pow(10, 3 * draw());
            t = after = draw_rest(size, &volume);
            h = materials[m].of(&t, volume, mu, lambda);
            cr_expect_lt(fabs(h.c), 1e-28 * volume);
            hyperelastic_project(&after, &h, 1);
            cr_expect_lt(distance_between(&t, &after), 1e-13 * size, "%s, size %g: %g", materials[m].name, size,
                         distance_between(&t, &after) / size);
        }
    }
}

/* The reflection of x at the plane through the origin with this normal. Two reflections are a rotation. */
static vec3 mirrored(vec3 x, vec3 normal) {
    return subtract(x, scale(2 * inner(x, normal) / inner(normal, normal), normal));
}

Test(hyperelastic, rotation_and_translation_change_nothing) {
    double volume;
    srand(5);
    for (int n = 0; n < DRAWS; ++n) {
        struct tetrahedron t = draw_rest(1, &volume), turned;
        const vec3 a = draw_place(), b = draw_place(), by = draw_place();
        for (int k = 0; k < 4; ++k)
            t.p[k] = add(t.p[k], scale(0.5, draw_place()));
        turned = t;
        for (int k = 0; k < 4; ++k)
            turned.p[k] = add(mirrored(mirrored(t.p[k], a), b), by);
        for (int m = 0; m < MATERIALS; ++m) {
            const struct hyperelastic h = materials[m].of(&t, volume, mu, lambda);
            const struct hyperelastic g = materials[m].of(&turned, volume, mu, lambda);
            cr_expect_float_eq(h.c, g.c, 1e-11 * (1 + h.c));
            for (int k = 0; k < 4; ++k) {
                const vec3 d = subtract(mirrored(mirrored(h.gradient[k], a), b), g.gradient[k]);
                cr_expect_lt(sqrt(inner(d, d)), 1e-11 * (1 + sqrt(inner(g.gradient[k], g.gradient[k]))));
            }
        }
    }
}

/* The sum of the gradients and their total moment are 0. Therefore a projection conserves linear and angular momentum.
 */
Test(hyperelastic, momenta_are_kept) {
    double volume;
    srand(6);
    for (int n = 0; n < DRAWS; ++n) {
        struct tetrahedron t = draw_rest(1, &volume);
        for (int k = 0; k < 4; ++k)
            t.p[k] = add(t.p[k], scale(0.7, draw_place()));
        for (int m = 0; m < MATERIALS; ++m) {
            const struct hyperelastic h = materials[m].of(&t, volume, mu, lambda);
            struct tetrahedron after = t;
            vec3 force = vec3_of(0, 0, 0), moment = force, linear = force;
            double size = 0;
            hyperelastic_project(&after, &h, 1);
            for (int k = 0; k < 4; ++k) {
                force = add(force, h.gradient[k]);
                moment = add(moment, outer(t.p[k], h.gradient[k]));
                linear = add(linear, scale(1 / t.w[k], subtract(after.p[k], t.p[k])));
                size += sqrt(inner(h.gradient[k], h.gradient[k]));
            }
            cr_expect_lt(sqrt(inner(force, force)), 1e-14 * size);
            cr_expect_lt(sqrt(inner(moment, moment)), 1e-13 * size);
            cr_expect_lt(sqrt(inner(linear, linear)), 1e-13);
        }
    }
}

/* A projection with the stiffness s must give dx_k = -s C w_k grad_k C / sum of w |grad C|^2, unless this dx_k is
 * too large. Pinned corners do not move. The magnitude of the moduli and of the volume has no effect. */
Test(hyperelastic, projection_is_along_the_gradient) {
    double volume;
    srand(7);
    for (int n = 0; n < DRAWS; ++n) {
        struct tetrahedron t = draw_rest(1, &volume);
        for (int k = 0; k < 4; ++k)
            t.p[k] = add(t.p[k], scale(0.2, draw_place()));
        t.w[n % 4] = 0;
        for (int m = 0; m < MATERIALS; ++m) {
            const struct hyperelastic h = materials[m].of(&t, volume, mu, lambda);
            const struct hyperelastic large = materials[m].of(&t, 0x1p3 * volume, 0x1p20 * mu, 0x1p20 * lambda);
            struct tetrahedron after = t, by_large = t;
            double sum = 0;
            for (int k = 0; k < 4; ++k)
                sum += t.w[k] * inner(h.gradient[k], h.gradient[k]);
            cr_expect_float_eq(hyperelastic_sum(&t, &h), sum, 1e-14 * sum);
            hyperelastic_project(&after, &h, 0.3);
            hyperelastic_project(&by_large, &large, 0.3);
            for (int k = 0; k < 4; ++k) {
                const vec3 expected = scale(-0.3 * h.c * t.w[k] / sum, h.gradient[k]);
                const vec3 d = subtract(subtract(after.p[k], t.p[k]), expected);
                cr_expect_lt(sqrt(inner(d, d)), 1e-13, "%s, draw %d", materials[m].name, n);
            }
            cr_expect_lt(distance_between(&after, &by_large), 1e-14);
            cr_expect_eq(distance_between(&(struct tetrahedron){.p = {t.p[n % 4]}},
                                          &(struct tetrahedron){.p = {after.p[n % 4]}}),
                         0);
        }
    }
}

/* The corners of a ghost are the three corners of a triangle and the centre. The test computes the gradients of the
 * energy C as difference quotients. Corner k must move by relaxation * w_k * grad_k C * dlambda. The centre does not
 * move, but the sum of w |grad C|^2 includes the centre with its own weight. */
Test(hyperelastic, a_ghost_goes_along_its_energy_s_differences) {
    static const int particle[3] = {2, 0, 1};
    srand(7);
    for (int n = 0; n < DRAWS; ++n)
        for (int m = 0; m < MATERIALS; ++m) {
            double volume, rest[10], multiplier = 0, sum = 0;
            struct tetrahedron t = draw_rest(1, &volume);
            quad predicted[3];
            vec3 gradient[4];
            for (int k = 0; k < 9; ++k)
                rest[k] = t.q[k / 3][k % 3];
            rest[9] = volume;
            for (int k = 0; k < 4; ++k)
                t.p[k] = add(t.p[k], scale(0.1, draw_place()));
            for (int k = 0; k < 3; ++k)
                predicted[particle[k]] = quad_of(t.p[k + 1], t.w[k + 1]);
            const quad centre = quad_of(scale(3, t.p[0]), 0);
            const struct xpbd x = {.predicted = predicted,
                                   .multiplier = &multiplier,
                                   .centre = &centre,
                                   .particle = particle,
                                   .rest = rest,
                                   .p = {.share = 1.0 / 3,
                                         .relaxation = 0.25,
                                         .unrelaxed = 4,
                                         .centre_weight = t.w[0],
                                         .shear = mu,
                                         .lame = lambda,
                                         .compliance = 0.05,
                                         .material = m}};
            xpbd_ghost_element_item(0, &x);
            const double c = materials[m].of(&t, volume, mu, lambda).c;
            for (int k = 0; k < 12; ++k) {
                double side[2];
                for (int s = 0; s < 2; ++s) {
                    struct tetrahedron moved = t;
                    *component(&moved.p[k / 3], k % 3) += s ? 1e-6 : -1e-6;
                    side[s] = materials[m].of(&moved, volume, mu, lambda).c;
                }
                *component(&gradient[k / 3], k % 3) = (side[1] - side[0]) / 2e-6;
            }
            for (int k = 0; k < 4; ++k)
                sum += t.w[k] * inner(gradient[k], gradient[k]);
            const double change = -c / (sum + 0.05);
            cr_expect_float_eq(multiplier, change, 1e-7, "%s: the multiplier is %g, expected %g", materials[m].name,
                               multiplier, change);
            for (int k = 1; k < 4; ++k) {
                const vec3 d = subtract(subtract(xyz(predicted[particle[k - 1]]), t.p[k]),
                                        scale(0.25 * change * t.w[k], gradient[k]));
                cr_expect_lt(sqrt(inner(d, d)), 1e-7, "%s, draw %d: %g", materials[m].name, n, sqrt(inner(d, d)));
            }
        }
}

/* Project `turns` times. Returns the largest displacement of a corner in one projection. */
static double settle(const struct material *m, struct tetrahedron *t, double volume, double stiffness, int turns) {
    double most = 0;
    for (int n = 0; n < turns; ++n) {
        const struct tetrahedron before = *t;
        const struct hyperelastic h = m->of(t, volume, mu, lambda);
        hyperelastic_project(t, &h, stiffness);
        most = fmax(most, distance_between(&before, t));
        cr_assert(isfinite(most), "%s", m->name);
    }
    return most;
}

/* A deformed tetrahedron. Kind 0 is reflected, kind 1 has random corners, kind 2 is flat. */
static struct tetrahedron draw_wreck(int kind, const struct tetrahedron *rest) {
    struct tetrahedron t = *rest;
    for (int k = 0; k < 4; ++k)
        t.p[k] = kind == 0   ? vec3_of(-t.p[k].x, t.p[k].y, t.p[k].z)
                 : kind == 1 ? scale(1.5, draw_place())
                             : vec3_of(t.p[k].x, t.p[k].y, 0);
    return t;
}

/* No projection moves a corner by 2 rest lengths or more. Neo-Hookean tetrahedra return to the rest volume. St.
 * Venant-Kirchhoff tetrahedra come to rest with the rest volume, possibly inverted; flat ones stay flat. */
Test(hyperelastic, what_is_inverted_comes_back_or_stays_bounded) {
    static const double stiffness[] = {1, 0.3};
    double volume;
    int inverted = 0;
    srand(8);
    for (int kind = 0; kind < 3; ++kind)
        for (int n = 0; n < DRAWS; ++n) {
            const struct tetrahedron rest = draw_rest(1, &volume), wreck = draw_wreck(kind, &rest);
            inverted += deformed_volume(&wreck) < 0;
            for (int m = 0; m < MATERIALS; ++m) {
                struct tetrahedron t = wreck;
                const double most = settle(&materials[m], &t, volume, stiffness[n % 2], 1000);
                const double c = materials[m].of(&t, volume, mu, lambda).c / volume, j = deformed_volume(&t);
                cr_expect_lt(most, 2, "%s, kind %d, draw %d: a corner moves by %g", materials[m].name, kind, n, most);
                if (m == NEO_HOOKEAN) {
                    cr_expect_float_eq(j, 1, 1e-2, "kind %d, draw %d: the volume is %g", kind, n, j);
                    cr_expect_lt(c, 1e-4, "kind %d, draw %d: the energy is %g", kind, n, c);
                } else if (kind == 2) {
                    cr_expect_float_eq(j, 0, 1e-9, "draw %d: the volume is %g", n, j);
                } else {
                    cr_expect_float_eq(fabs(j), 1, 5e-2, "kind %d, draw %d: the volume is %g", kind, n, j);
                }
            }
        }
    cr_expect_gt(inverted, DRAWS + DRAWS / 4);
}

/* One projection of random tetrahedra whose size is 0 to a million rest lengths. No corner moves farther than
 * 5 (1 + size). */
Test(hyperelastic, no_step_is_without_bound) {
    static const double sizes[] = {0, 1e-12, 1e-3, 10, 1e3, 1e6};
    double volume;
    srand(9);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s)
        for (int n = 0; n < DRAWS; ++n)
            for (int m = 0; m < MATERIALS; ++m) {
                const struct tetrahedron rest = draw_rest(1, &volume);
                struct tetrahedron t = rest, after;
                for (int k = 0; k < 4; ++k)
                    t.p[k] = scale(sizes[s], draw_place());
                after = t;
                const double most = settle(&materials[m], &after, volume, 1, 1);
                cr_expect_lt(most, 5 * (1 + sizes[s]), "%s, size %g: %g", materials[m].name, sizes[s], most);
            }
}

/* ---- In single precision, and with all vector widths ---- */

/* Write tetrahedron i of n to the fields, in single and in double precision. */
static void put(int i, int n, const struct tetrahedron *t, double volume, float *in, double *in_double) {
    for (int f = 0; f < TETRAHEDRON_FIELDS; ++f) {
        vec3 p = t->p[f < 16 ? f / 4 : 0];
        const double x = f >= 25      ? volume
                         : f >= 16    ? t->q[(f - 16) / 3][(f - 16) % 3]
                         : f % 4 == 3 ? t->w[f / 4]
                                      : *component(&p, f % 4);
        in[f * n + i] = (float)x;
        in_double[f * n + i] = x;
    }
}

static float one[TETRAHEDRON_FIELDS * BATCH], one_after[TETRAHEDRON_RESULTS * BATCH];
static double two[TETRAHEDRON_FIELDS * BATCH];

/* The largest change of a coordinate in a projection of item i for a material; NaN if a result is NaN. */
static double moved_in_float(int i, int material) {
    double most = 0;
    for (int k = 0; k < 4; ++k)
        for (int x = 0; x < 3; ++x) {
            const float after = one_after[(25 * material + 6 * k + 4 + x) * BATCH + i];
            const double d = fabs((double)after - (double)one[(4 * k + x) * BATCH + i]);
            most = d > most || isnan(d) ? d : most;
        }
    return most;
}

/* The tetrahedra are at rest, except that their positions and Q^-1 are rounded. A projection moves such a tetrahedron
 * only by about the rounding errors. */
Test(hyperelastic, what_is_at_rest_but_for_rounding_stays_in_float) {
    srand(10);
    for (int i = 0; i < BATCH; ++i) {
        double volume;
        struct tetrahedron t = draw_rest(i % 2 ? 1 : 0.02, &volume);
        const vec3 a = draw_place(), b = draw_place();
        if (i % 4 > 1)
            for (int k = 0; k < 4; ++k)
                t.p[k] = mirrored(mirrored(t.p[k], a), b);
        put(i, BATCH, &t, volume, one, two);
    }
    tetrahedra_float_1(BATCH, one, one_after);
    for (int i = 0; i < BATCH; ++i)
        for (int m = 0; m < MATERIALS; ++m)
            cr_expect_lt(moved_in_float(i, m), 3e-6 * (i % 2 ? 1 : 0.02), "%s, draw %d: %g", materials[m].name, i,
                         moved_in_float(i, m));
}

/* A tetrahedron does not move if its deformation gradient F, or the change of F, is too large (hyperelastic_bounded).
 */
Test(hyperelastic, what_is_too_far_stays_in_float) {
    srand(11);
    for (int i = 0; i < BATCH; ++i) {
        double volume;
        struct tetrahedron t = draw_rest(1, &volume);
        for (int k = 0; k < 4; ++k)
            t.p[k] = scale(i % 2 ? 1e12 : 1e30, draw_place());
        put(i, BATCH, &t, volume, one, two);
    }
    tetrahedra_float_1(BATCH, one, one_after);
    for (int i = 0; i < BATCH; ++i)
        for (int m = 0; m < MATERIALS; ++m)
            cr_expect_eq(moved_in_float(i, m), 0, "%s, draw %d", materials[m].name, i);
}

/* The tetrahedra are at rest, near rest, far from rest, inverted, flat, with two equal corners, so large that their
 * strain is infinite in float, or NaN. */
Test(hyperelastic, lanes_and_a_device_give_the_bits_of_plain_c) {
    static number_loop *const in_float[] = {tetrahedra_float_1, tetrahedra_float_8, tetrahedra_float_16};
    static number_loop *const in_double[] = {tetrahedra_double_1, tetrahedra_double_4, tetrahedra_double_8};
    static const double sizes[] = {0, 1e-6, 0.05, 0.3, 2, 1e4, 1e30, NAN};
    srand(12);
    for (int i = 0; i < BATCH; ++i) {
        double volume;
        struct tetrahedron t = draw_rest(1, &volume);
        const double size = sizes[rand() % 8];
        for (int k = 0; k < 4; ++k)
            t.p[k] = add(t.p[k], scale(size, draw_place()));
        t.w[rand() % 4] *= rand() % 4 > 0;
        t = i % 16 == 0 ? draw_wreck(2, &t) : t;
        t.p[1] = i % 64 == 1 ? t.p[0] : t.p[1];
        put(i, BATCH, &t, volume, one, two);
    }
    expect_same_bits("tetrahedron", in_float, 3, sizeof(float), BATCH, one, TETRAHEDRON_FIELDS, TETRAHEDRON_RESULTS);
    expect_same_bits("tetrahedron", in_double, 3, sizeof(double), BATCH, two, TETRAHEDRON_FIELDS, TETRAHEDRON_RESULTS);
}
