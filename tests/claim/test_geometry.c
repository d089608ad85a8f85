/* Quantities of the recorded geometry: computed by hand for small bodies, and in claims about runs. */
#include "claim/geometry.h"
#include "claim/statistics.h"
#include "run/sweep.h"
#include "shell.h"
#include "trace/trace.h"

#include <math.h>

/* ---- Bending ---- */

enum { ROUND = 24, ALONG = 7 };

/* The bending (hinges_bending) of a strip of ROUND by ALONG rectangles, each of two triangles. With `rolled`, the strip
 * is a tube. With `ripple`, it has ripples with right angles. Otherwise it is flat. */
static double bending_of_tube(double radius, double length, int rolled, int ripple) {
    static int32_t corner[6 * ROUND * ALONG];
    static double at[(ROUND + 1) * (ALONG + 1)][3];
    int count = 0;
    for (int j = 0; j <= ALONG; j++)
        for (int i = 0; i <= ROUND; i++) {
            const double angle = 2 * M_PI * i / ROUND, side = 2 * radius * sin(M_PI / ROUND);
            double *p = at[j * (ROUND + 1) + i];
            p[0] = rolled ? radius * cos(angle) : side * i;
            p[1] = rolled ? radius * sin(angle) : ripple && i % 2 ? side : 0;
            p[2] = length * j / ALONG;
        }
    for (int j = 0; j < ALONG; j++)
        for (int i = 0; i < ROUND; i++) {
            const int a = j * (ROUND + 1) + i, square[6] = {0, 1, ROUND + 2, 0, ROUND + 2, ROUND + 1};
            for (int k = 0; k < 6; k++)
                corner[count++] = a + square[k];
        }
    struct hinges hinges;
    hinges_create(corner, (size_t)count / 3, sizeof at / sizeof *at, &hinges);
    const double bending = hinges_bending(&hinges, (const double(*)[3])at);
    hinges_free(&hinges);
    return bending;
}

/* The number of wrinkles of a closed tube, with a body length of 1 m. */
static double wrinkles_of_tube(double radius, double length) {
    static int32_t corner[6 * ROUND * ALONG];
    static double at[ROUND * (ALONG + 1)][3];
    int count = 0;
    for (int j = 0; j <= ALONG; j++)
        for (int i = 0; i < ROUND; i++) {
            double *p = at[j * ROUND + i];
            p[0] = radius * cos(2 * M_PI * i / ROUND);
            p[1] = radius * sin(2 * M_PI * i / ROUND);
            p[2] = length * j / ALONG;
        }
    for (int j = 0; j < ALONG; j++)
        for (int i = 0; i < ROUND; i++) {
            const int a = j * ROUND + i, b = j * ROUND + (i + 1) % ROUND;
            const int square[6] = {a, b, b + ROUND, a, b + ROUND, a + ROUND};
            for (int k = 0; k < 6; k++)
                corner[count++] = square[k];
        }
    struct hinges hinges;
    hinges_create(corner, (size_t)count / 3, sizeof at / sizeof *at, &hinges);
    const double wrinkles =
        wrinkles_count(&hinges, corner, (size_t)count / 3, sizeof at / sizeof *at, (const double(*)[3])at, 1);
    hinges_free(&hinges);
    return wrinkles;
}

/* Around the tube there are ROUND - 1 edges that bend by 2 pi / ROUND each; the edges of the seam are borders. The
 * bending is nearly pi times the tube's length, for every radius. */
Test(bending, of_tubes_planes_and_ripples) {
    const double expected = 0.5 * 3 * (ROUND - 1) * 2 * M_PI / ROUND;
    cr_expect_float_eq(bending_of_tube(0.1, 3, 1, 0), expected, 1e-12);
    cr_expect_float_eq(bending_of_tube(20, 3, 1, 0), expected, 1e-12);
    cr_expect_float_eq(bending_of_tube(1, 3, 0, 0), 0, 1e-12);
    cr_expect_float_eq(bending_of_tube(1, 3, 0, 1), 0.5 * 3 * (ROUND - 1) * M_PI / 2, 1e-12);
}

/* Two triangles folded onto each other. An edge of three triangles is not an inner edge. */
Test(bending, of_folds_and_what_is_no_surface) {
    const int32_t corner[] = {0, 1, 2, 1, 0, 3, 0, 1, 4};
    double at[5][3] = {{0, 0, 0}, {2, 0, 0}, {1, 1, 0}, {1, 1, 0}, {1, 0, 1}};
    struct hinges hinges;
    hinges_create(corner, 2, 5, &hinges);
    cr_expect_eq(hinges.count, 1);
    cr_expect_float_eq(hinges_bending(&hinges, (const double(*)[3])at), M_PI, 1e-15);
    at[3][1] = NAN;
    cr_expect(isnan(hinges_bending(&hinges, (const double(*)[3])at)));
    at[3][0] = at[3][1] = 0; /* now the second triangle has no area */
    cr_expect_eq(hinges_bending(&hinges, (const double(*)[3])at), 0);
    hinges_free(&hinges);
    hinges_create(corner, 3, 5, &hinges);
    cr_expect_eq(hinges.count, 0);
    cr_expect_eq(hinges_bending(&hinges, (const double(*)[3])at), 0);
    hinges_free(&hinges);
}

/* ---- Wrinkles ---- */

enum { CELLS = 60 };

/* The number of wrinkles of a square sheet with this number of waves, rotated by `turn` rad. `high` is the height of
 * the crests as a fraction of `size`, the sheet's side in m. With 0 waves, the sheet has one spike of this height. */
static double wrinkles_of_sheet(double waves, double high, double size, double turn) {
    static int32_t corner[6 * CELLS * CELLS];
    static double at[(CELLS + 1) * (CELLS + 1)][3];
    int count = 0;
    for (int j = 0; j <= CELLS; j++)
        for (int i = 0; i <= CELLS; i++) {
            double *p = at[j * (CELLS + 1) + i];
            const double spike = i == CELLS / 2 && j == CELLS / 2 ? size * high : 0;
            const double x = size * i / CELLS, y = waves > 0 ? size * high * sin(2 * M_PI * waves * i / CELLS) : spike;
            p[0] = cos(turn) * x - sin(turn) * y;
            p[1] = sin(turn) * x + cos(turn) * y;
            p[2] = size * j / CELLS;
        }
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++) {
            const int a = j * (CELLS + 1) + i, square[6] = {0, 1, CELLS + 2, 0, CELLS + 2, CELLS + 1};
            for (int k = 0; k < 6; k++)
                corner[count++] = a + square[k];
        }
    struct hinges hinges;
    hinges_create(corner, (size_t)count / 3, sizeof at / sizeof *at, &hinges);
    const double wrinkles =
        wrinkles_count(&hinges, corner, (size_t)count / 3, sizeof at / sizeof *at, (const double(*)[3])at, size);
    hinges_free(&hinges);
    return wrinkles;
}

/* At a crest of a wave of length l and height a, the curvature is a (2 pi / l)^2. The mean curvature H is half of the
 * curvature. With a body length of 1 m, a wrinkle has H > 5 (geometry.h), so a > 10 (l / 2 pi)^2. For three waves, this
 * limit of a is 0.028. */
Test(wrinkles, crests_and_troughs_that_are_tight_enough) {
    cr_expect_eq(wrinkles_of_sheet(3, 0, 1, 0), 0);
    cr_expect_eq(wrinkles_of_sheet(3, 0.02, 1, 0), 0);
    cr_expect_eq(wrinkles_of_sheet(3, 0.05, 1, 0), 6);
    cr_expect_eq(wrinkles_of_sheet(5, 0.05, 1, 0), 10);
    cr_expect_eq(wrinkles_of_sheet(5, 0.05, 300, 0.7), 10, "size and rotation must not change the number");
    cr_expect_eq(wrinkles_of_sheet(3, 0.027, 1, 0), 0);
    cr_expect_eq(wrinkles_of_sheet(3, 0.029, 1, 0), 6);
    cr_expect_eq(wrinkles_of_sheet(0, 0.01, 1, 0), 0, "a spike's area is below 1/400 of the squared body length");
}

Test(wrinkles, of_a_tube_and_what_is_no_number) {
    cr_expect_eq(wrinkles_of_tube(0.05, 0.4), 1,
                 "the radius is below a tenth of the body length everywhere, so the tube is one wrinkle");
    cr_expect_eq(wrinkles_of_tube(0.15, 0.4), 0);
    cr_expect(isnan(wrinkles_of_tube(0.05, NAN)));
    cr_expect(isnan(wrinkles_of_tube(INFINITY, 1)));
}

/* The angle of an edge changes its sign if the surface is folded to the other side, but not if the direction of the
 * edge is reversed.
 */
Test(wrinkles, angles_have_the_side_s_sign) {
    for (int first = 0; first < 2; first++) {
        const int32_t corner[2][6] = {{0, 1, 2, 1, 0, 3}, {1, 0, 3, 0, 1, 2}};
        double at[4][3] = {{0, 0, 0}, {2, 0, 0}, {1, 1, 0}, {1, -1, 0}};
        struct hinges hinges;
        hinges_create(corner[first], 2, 4, &hinges);
        for (int side = -1; side <= 1; side++) {
            double length;
            at[3][2] = side; /* normals point along z, so a positive z is on their side */
            const double angle = hinge_angle(hinges.corner[0], (const double(*)[3])at, &length);
            cr_expect_float_eq(angle, -side * M_PI / 4, 1e-14);
            cr_expect_eq(length, 2);
        }
        hinges_free(&hinges);
    }
}

/* ---- Decay ---- */

Test(decay, of_envelopes) {
    enum { COUNT = 1001 };
    double times[COUNT], values[COUNT];
    for (int i = 0; i < COUNT; i++) {
        times[i] = 5 + 0.01 * i;
        values[i] = 3 * exp(-0.01 * i / 1.7);
    }
    cr_expect_float_eq(decay_time(times, values, COUNT, exp(-1)), 1.7, 1e-4);
    cr_expect_float_eq(decay_time(times, values, COUNT, 0.1), 1.7 * log(10), 1e-4);
    cr_expect_eq(decay_time(times, values, COUNT, 1e-3), INFINITY, "the envelope does not fall to 0.1 %");
    for (int i = 0; i < COUNT; i++) /* 20 peaks per second, with zeros in between */
        values[i] *= pow(sin(2 * M_PI * 10 * 0.01 * i + 0.6), 2);
    cr_expect_float_eq(decay_time(times, values, COUNT, exp(-1)), 1.7, 0.06);
    values[700] = 2;
    cr_expect_gt(decay_time(times, values, COUNT, exp(-1)), 6.9, "a late peak counts");
    values[900] = NAN;
    cr_expect(isnan(decay_time(times, values, COUNT, exp(-1))));
    for (int i = 0; i < COUNT; i++)
        values[i] = 0;
    cr_expect_eq(decay_time(times, values, COUNT, 0.5), 0);
}

/* ---- The best rigid motion ---- */

enum { POINTS = 20 };

/* A pseudorandom number from -1 to 1. */
static double noise(unsigned i) {
    i = (i ^ 61) * 2654435769u;
    i = (i ^ i >> 15) * 2246822519u;
    return (i >> 8) / 8388608.0 - 1;
}

/* Rotate the vector `from` by the quaternion q, which can have any length except 0. The result is `to`. */
static void rotate(const double q[4], const double from[3], double to[3]) {
    const double s = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double m[3][3] = {
        {1 - 2 * (q[2] * q[2] + q[3] * q[3]) / s, 2 * (q[1] * q[2] - q[3] * q[0]) / s,
         2 * (q[1] * q[3] + q[2] * q[0]) / s},
        {2 * (q[1] * q[2] + q[3] * q[0]) / s, 1 - 2 * (q[1] * q[1] + q[3] * q[3]) / s,
         2 * (q[2] * q[3] - q[1] * q[0]) / s},
        {2 * (q[1] * q[3] - q[2] * q[0]) / s, 2 * (q[2] * q[3] + q[1] * q[0]) / s,
         1 - 2 * (q[1] * q[1] + q[2] * q[2]) / s},
    };
    for (int a = 0; a < 3; a++)
        to[a] = m[a][0] * from[0] + m[a][1] * from[1] + m[a][2] * from[2];
}

/* Random points of a body (3 dimensions), on a plane (2), on a line (1) or in one place (0). */
static void points_make(int dimensions, unsigned seed, double points[POINTS][3]) {
    for (unsigned i = 0; i < POINTS; i++)
        for (int a = 0; a < 3; a++)
            points[i][a] = a < dimensions ? noise(seed + 3 * i + (unsigned)a) : 0.25;
}

static void points_move(const double q[4], double shift, double points[POINTS][3]) {
    for (int i = 0; i < POINTS; i++) {
        double moved[3];
        rotate(q, points[i], moved);
        for (int a = 0; a < 3; a++)
            points[i][a] = moved[a] + shift * (a + 1);
    }
}

#define DISTANCE(from, to) rigid_distance((const double(*)[3])(from), (const double(*)[3])(to), POINTS)

Test(rigid, a_motion_costs_nothing) {
    for (int dimensions = 0; dimensions <= 3; dimensions++)
        for (unsigned seed = 0; seed < 200; seed++) {
            double from[POINTS][3], to[POINTS][3];
            const double q[4] = {noise(seed * 7 + 1), noise(seed * 7 + 2), noise(seed * 7 + 3), noise(seed * 7 + 4)};
            points_make(dimensions, seed * 1000, from);
            memcpy(to, from, sizeof to);
            points_move(q, noise(seed), to);
            cr_assert_lt(DISTANCE(from, to), 1e-14, "%d dimensions, seed %u: %g", dimensions, seed, DISTANCE(from, to));
        }
}

Test(rigid, a_mirror_image_is_another_shape) {
    double from[POINTS][3], to[POINTS][3];
    points_make(3, 5, from);
    memcpy(to, from, sizeof to);
    for (int i = 0; i < POINTS; i++)
        to[i][0] = -to[i][0];
    cr_assert_gt(DISTANCE(from, to), 0.1);
    points_make(2, 5, from); /* a flat body equals its mirror image after a rotation by 180 degrees */
    memcpy(to, from, sizeof to);
    for (int i = 0; i < POINTS; i++)
        to[i][0] = -to[i][0];
    cr_assert_lt(DISTANCE(from, to), 1e-14);
}

/* No rotation about the centres gives a smaller distance. Half of the tried rotations are near the best one, half are
 * random. */
Test(rigid, no_other_rotation_is_better) {
    double from[POINTS][3], to[POINTS][3], least = INFINITY;
    points_make(3, 11, from);
    memcpy(to, from, sizeof to);
    points_move((const double[4]){0.9, 0.1, -0.3, 0.2}, 1, to);
    for (unsigned i = 0; i < POINTS; i++)
        for (unsigned a = 0; a < 3; a++)
            to[i][a] += 0.2 * noise(7000 + 3 * i + a);
    double centres[2][3] = {{0}};
    for (int i = 0; i < POINTS; i++)
        for (int a = 0; a < 3; a++) {
            centres[0][a] += from[i][a] / POINTS;
            centres[1][a] += to[i][a] / POINTS;
        }
    const double best = DISTANCE(from, to);
    for (unsigned k = 0; k < 20000; k++) {
        const double spread = k % 2 ? 1 : 0.01;
        const double q[4] = {(k % 2 ? 0 : 0.9) + spread * noise(4 * k), (k % 2 ? 0 : 0.1) + spread * noise(4 * k + 1),
                             (k % 2 ? 0 : -0.3) + spread * noise(4 * k + 2),
                             (k % 2 ? 0 : 0.2) + spread * noise(4 * k + 3)};
        double sum = 0;
        for (int i = 0; i < POINTS; i++) {
            double arm[3], moved[3];
            for (int a = 0; a < 3; a++)
                arm[a] = from[i][a] - centres[0][a];
            rotate(q, arm, moved);
            for (int a = 0; a < 3; a++)
                sum += (to[i][a] - centres[1][a] - moved[a]) * (to[i][a] - centres[1][a] - moved[a]);
        }
        least = fmin(least, sqrt(sum / POINTS));
    }
    cr_assert_leq(best, least);
    cr_assert_gt(best, 0.98 * least, "%g, and the best of many is %g", best, least);
}

Test(rigid, a_stretch_by_hand) {
    /* Two points are pulled apart from a distance of 2 to one of 3, so each is 0.5 from its target. */
    const double from[2][3] = {{-1, 0, 0}, {1, 0, 0}}, to[2][3] = {{5, 1.5, 0}, {5, -1.5, 0}};
    cr_assert_float_eq(rigid_distance(from, to, 2), 0.5, 1e-15);
    const double far[2][3] = {{-1e150, 0, 0}, {1e150, 0, 0}}, bad[2][3] = {{0, (double)NAN, 0}, {1, 0, 0}};
    cr_assert(isfinite(rigid_distance(from, far, 2)) && rigid_distance(from, far, 2) > 1e149);
    const double farther[2][3] = {{-1e160, 0, 0}, {1e160, 0, 0}};
    cr_assert(isnan(rigid_distance(farther, farther, 2)), "squares that overflow give NaN");
    cr_assert(isnan(rigid_distance(from, bad, 2)));
    cr_assert(isnan(rigid_distance(bad, to, 2)));
}

/* ---- Geometry of traces ---- */

/* The surface of a tetrahedron, and a fifth node in no triangle, which is far away and must not count. */
static const int32_t corners[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static const double rest[5][3] = {{0, 0, 0}, {4, 0, 0}, {0, 2, 0}, {0, 0, 2}, {50, 50, 50}};

/* Write a trace. Recorded frame f has the frame number `step` * f. Its positions are the positions at rest, changed by
 * `place`. */
static void trace_write(const char *path, int frames, int step, size_t triangles,
                        void (*place)(int f, double at[5][3])) {
    const struct trace_series series[] = {{"energy", "J", ""}};
    const struct trace_note notes[] = {{"id", path}, {"key", "0"}};
    const struct trace_header header = {.experiment_text = "",
                                        .run = notes,
                                        .run_count = 2,
                                        .series = series,
                                        .series_count = 1,
                                        .frames = frames,
                                        .mesh_frames = frames,
                                        .nodes = 5,
                                        .real_size = 8,
                                        .triangles = corners,
                                        .triangle_count = triangles};
    struct trace *trace;
    cr_assert_eq(trace_create(path, &header, &trace), STATUS_OK, "%s", failure_text());
    for (int f = 0; f < frames; f++) {
        double state[2][5][3] = {{{0}}};
        const double energy = f;
        char hash[DIGEST_SIZE];
        memcpy(state[0], rest, sizeof rest);
        place(f, state[0]);
        struct digest *digest = digest_create();
        digest_add(digest, state[0], sizeof state[0]);
        digest_add(digest, state[1], sizeof state[1]);
        digest_finish(digest, hash);
        cr_assert_eq(trace_add_mesh(trace, f * 0.25, state[0], state[1]), STATUS_OK);
        cr_assert_eq(trace_add_frame(trace, step * f, f * 0.25, &energy, hash), STATUS_OK);
    }
    const struct trace_note end[] = {{"status", "whole"}, {"state_hash", "0"}};
    cr_assert_eq(trace_finish(trace, end, 2), STATUS_OK, "%s", failure_text());
}

/* The body falls 1 m per frame. In frame 2 it is also rotated by 90 degrees about the vertical axis. */
static void fall(int f, double at[5][3]) {
    for (int n = 0; n < 5; n++) {
        const double x = at[n][0], z = at[n][2];
        at[n][1] -= f;
        if (f == 2) {
            at[n][0] = z;
            at[n][2] = -x;
        }
    }
}

/* In frame f the body is 1 + f / 2 times as long along x as at rest, and the fifth node is far away. */
static void stretch(int f, double at[5][3]) {
    for (int n = 0; n < 4; n++)
        at[n][0] *= 1 + 0.5 * f;
    at[4][1] = -100 * f;
}

static void blow_up(int f, double at[5][3]) {
    at[2][1] = f == 1 ? (double)NAN : f == 2 ? (double)INFINITY : at[2][1];
}

TestSuite(geometry, .init = shell_begin, .fini = shell_end);

#define expect_value(quantity, k, value)                                                                               \
    cr_expect_float_eq(g.values[quantity][k], value, 1e-12, #quantity " of %d: %.17g", k, g.values[quantity][k])

/* The geometry of a trace, compared with that of another trace if `against` is not NULL. */
static struct geometry measured(const char *path, const char *against) {
    struct trace_data trace, other = {.path = NULL};
    struct geometry geometry;
    cr_assert_eq(trace_open(path, &trace), STATUS_OK, "%s", failure_text());
    cr_assert(!against || trace_open(against, &other) == STATUS_OK, "%s", failure_text());
    char *problem = geometry_measure(&trace, against ? &other : NULL, &geometry);
    cr_assert_null(problem, "%s", problem);
    trace_close(&trace);
    trace_close(&other);
    return geometry;
}

Test(geometry, a_rigid_motion_leaves_the_shape) {
    trace_write("fall.h5", 3, 10, 4, fall);
    struct geometry g = measured("fall.h5", NULL);
    cr_assert_eq(g.frames, 3);
    expect_value(GEOMETRY_CENTRE_X, 0, 1);
    expect_value(GEOMETRY_CENTRE_Y, 1, 0.5 - 1);
    expect_value(GEOMETRY_CENTRE_Z, 2, -1);
    expect_value(GEOMETRY_LOWEST, 2, -2);
    expect_value(GEOMETRY_HEIGHT, 2, 2);
    expect_value(GEOMETRY_WIDTH_X, 0, 4);
    expect_value(GEOMETRY_WIDTH_X, 2, 2);
    expect_value(GEOMETRY_WIDTH_Z, 2, 4);
    expect_value(GEOMETRY_BENDING, 2, g.values[GEOMETRY_BENDING][0]);
    cr_expect_gt(g.values[GEOMETRY_BENDING][0], 10);
    for (int k = 0; k < 3; k++)
        cr_expect_eq(g.values[GEOMETRY_SHAPE_ERROR][k], 0, "%g", g.values[GEOMETRY_SHAPE_ERROR][k]);
    cr_expect(isnan(g.values[GEOMETRY_SHAPE_DISTANCE][0]) && !g.paired[0]);
    geometry_free(&g);
}

Test(geometry, two_runs_side_by_side) {
    trace_write("fall.h5", 3, 10, 4, fall);
    trace_write("stretch.h5", 2, 10, 4, stretch);
    struct geometry g = measured("fall.h5", "stretch.h5"), s = measured("stretch.h5", NULL);
    cr_assert_eq(g.frames, 3);
    cr_expect(g.paired[0] && g.paired[1] && !g.paired[2]);
    expect_value(GEOMETRY_SHAPE_DISTANCE, 0, 0);
    /* The fallen body has the shape at rest, so its shape distance from the stretched body is the shape error of the
     * stretched body. */
    cr_expect_gt(s.values[GEOMETRY_SHAPE_ERROR][1], 0.05);
    expect_value(GEOMETRY_SHAPE_DISTANCE, 1, s.values[GEOMETRY_SHAPE_ERROR][1]);
    expect_value(GEOMETRY_CENTRE_DISTANCE, 1, sqrt(0.5 * 0.5 + 1) / 4);
    expect_value(GEOMETRY_HEIGHT_DIFFERENCE, 1, 0);
    double fallen[5][3], stretched[5][3], sum = 0;
    memcpy(fallen, rest, sizeof rest);
    memcpy(stretched, rest, sizeof rest);
    fall(1, fallen);
    stretch(1, stretched);
    for (int c = 0; c < 12; c++)
        sum += (fallen[c / 3][c % 3] - stretched[c / 3][c % 3]) * (fallen[c / 3][c % 3] - stretched[c / 3][c % 3]);
    expect_value(GEOMETRY_POSITION_DISTANCE, 0, 0);
    expect_value(GEOMETRY_POSITION_DISTANCE, 1, sqrt(sum / 4) / 4);
    cr_expect(isnan(g.values[GEOMETRY_SHAPE_DISTANCE][2]));
    expect_value(GEOMETRY_HEIGHT, 2, 2);
    geometry_free(&g);
    geometry_free(&s);
}

Test(geometry, what_is_not_finite_is_no_number) {
    trace_write("bad.h5", 3, 10, 4, blow_up);
    struct geometry g = measured("bad.h5", "bad.h5");
    expect_value(GEOMETRY_SHAPE_ERROR, 0, 0);
    for (int k = 1; k < 3; k++)
        for (int q = 0; q < GEOMETRY_QUANTITIES; q++)
            if (q != GEOMETRY_CENTRE_X && q != GEOMETRY_CENTRE_Z && q != GEOMETRY_WIDTH_X && q != GEOMETRY_WIDTH_Z)
                cr_expect(!isfinite(g.values[q][k]), "%s at %d", geometry_kinds[q].name, k);
    geometry_free(&g);
}

/* If there are no triangles, all nodes count as nodes of the surface. */
Test(geometry, without_triangles_all_nodes_count) {
    trace_write("nodes.h5", 1, 10, 0, fall);
    struct geometry g = measured("nodes.h5", NULL);
    expect_value(GEOMETRY_HEIGHT, 0, 50);
    cr_expect(isnan(g.values[GEOMETRY_BENDING][0]));
    geometry_free(&g);
}

static void expect_problem(const char *path, const char *against, const char *what) {
    struct trace_data trace, other = {.path = NULL};
    struct geometry geometry;
    cr_assert_eq(trace_open(path, &trace), STATUS_OK);
    cr_assert(!against || trace_open(against, &other) == STATUS_OK);
    char *problem = geometry_measure(&trace, against ? &other : NULL, &geometry);
    cr_expect(problem && strstr(problem, what), "%s", problem);
    cr_expect_eq(geometry.frames, 0);
    free(problem);
    geometry_free(&geometry);
    trace_close(&trace);
    trace_close(&other);
}

Test(geometry, runs_that_cannot_be_compared) {
    trace_write("a.h5", 3, 10, 4, fall);
    trace_write("b.h5", 3, 10, 3, fall);
    trace_write("c.h5", 3, 20, 4, fall);
    expect_problem("a.h5", "b.h5",
                   "have different surfaces: 4 vertices and 4 triangles, and 4 vertices and 3 triangles");
    expect_problem("a.h5", "c.h5",
                   "frame 20 of the run a.h5 is at 0.5 s, but in the run c.h5 this frame is at 0.25 s");
    shell("\"$S\" export --against b.h5 a.h5");
    expect_code(2);
    expect_err("have different surfaces");
    cr_expect_str_eq(said.out, "");
    shell("\"$S\" export --against none.h5 a.h5");
    expect_code(2);
    shell("\"$S\" export --against a.h5 --format vtk a.h5");
    expect_code(2);
    expect_err("--against needs the format series or csv");
    shell("\"$S\" export --against a.h5 a.h5 | cut -f 3,8,12-");
    expect_code(0);
    cr_expect_str_eq(said.out, "energy/J\theight/m\twrinkles\tshape_error\t"
                               "shape_distance\tcentre_distance\theight_difference\tposition_distance\n"
                               "0\t2\t1\t0\t0\t0\t0\t0\n1\t2\t1\t0\t0\t0\t0\t0\n2\t2\t1\t0\t0\t0\t0\t0\n");
}

/* ---- Claims ---- */

static const char fall_experiment[] =
    "springback: 1\npaper: t\ntitle: A cube falls\n"
    "body: {mesh: " SOURCE_DIR "/tests/small_cube.off, node_mass: 1 kg, surface.length: 1 m}\n"
    "method: {name: [mass_spring, volume_constraint], stiffness: [50 N/m, 5000 N/m], damping: 2 N s/m}\n"
    "scene: {ground: {height: 0 m, drop: 0.1 m}}\n"
    "time: {step: 1 ms, steps_per_frame: 10, frames: 40}\n"
    "record: {mesh_every: 10}\n";

static void check_claims(const char *list) {
    char *text = text_format("springback: 1\npaper: t\nclaims:\n%s", list);
    text_write("claims.yaml", text);
    free(text);
    shell("\"$S\" check claims.yaml --out out --json");
}

static void run_fall(void) {
    cr_assert_eq(shell("mkdir t"), 0);
    text_write("t/fall.yaml", fall_experiment);
    shell("\"$S\" run -q t/fall.yaml --out out");
    cr_assert_eq(said.code, 0, "%s", said.err);
}

#define FROM "from: {experiment: t/fall, "

Test(geometry, claims_about_shape) {
    run_fall();
    check_claims(
        "  - {id: t.start, says: x, kind: value, " FROM "select: {method.name: mass_spring, method.stiffness: 50 N/m}, "
        "quantity: height, over_frames: first}, reported: 1.0000, recorded: matches}\n"
        "  - {id: t.at, says: x, kind: bound, " FROM "quantity: lowest, over_frames: {at: 0.1 s}, each: id}, "
        "expect: '< 0.06 m', recorded: matches}\n"
        "  - {id: t.held, says: x, kind: order, " FROM "select: {method.name: mass_spring}, quantity: shape_error, "
        "over_frames: max, along: method.stiffness}, expect: decreasing, recorded: matches}\n"
        "  - {id: t.like, says: x, kind: bound, " FROM "select: {method.name: volume_constraint}, "
        "against: {method.name: mass_spring}, quantity: shape_distance, over_frames: last, each: method.stiffness}, "
        "expect: '> 0.1 %', recorded: matches}\n"
        "  - {id: t.late, says: x, kind: bound, " FROM "quantity: height, over_frames: {at: 0.5 s}, each: id}, "
        "expect: '> 0 m', recorded: not run}\n"
        "  - {id: t.decays, says: x, kind: bound, " FROM
        "select: {method.name: mass_spring, method.stiffness: 50 N/m}, "
        "quantity: kinetic_energy, over_frames: {decay: 99 %}}, expect: '> 0 s', recorded: matches}\n"
        "  - {id: t.negative, says: x, kind: bound, " FROM
        "quantity: momentum_y, over_frames: {decay: 0.5}, each: id}, "
        "expect: '> 0 s', recorded: not run}\n");
    expect_code(0);
    cr_expect(strstr(said.out, "By method.stiffness: 50 N/m: ") && strstr(said.out, "5000 N/m: "), "%s", said.out);
    expect_out("the record of height ends at 0.4 s, before 0.5 s");
    expect_out("decay needs values that are never negative");
    /* The distance is the same if the two runs are exchanged, and `export` prints it too. */
    const char *at = strstr(said.out, "\"t.like\"");
    cr_assert_not_null(at);
    shell("\"$S\" export --against out/t/fall/method=mass_spring,stiffness=50.trace-1.vtkhdf "
          "out/t/fall/method=volume_constraint,stiffness=50.trace-1.vtkhdf | tail -1 | awk '{print $(NF-3)}'");
    const double distance = strtod(said.out, NULL);
    cr_expect_gt(distance, 0.001);
    char *claim = text_format("  - {id: t.like, says: x, kind: value, " FROM "select: {method.name: mass_spring, "
                              "method.stiffness: 50 N/m}, against: {method.name: volume_constraint}, quantity: "
                              "shape_distance, over_frames: last}, reported: %.5f, recorded: matches}\n",
                              distance);
    check_claims(claim);
    expect_code(0);
    free(claim);
    /* If the method of `against` lacks a selected key, its run need not match this key. */
    claim = text_format("  - {id: t.like, says: x, kind: value, " FROM "select: {method.name: volume_constraint, "
                        "method.volume_correction: 1, method.stiffness: 50 N/m}, against: {method.name: mass_spring}, "
                        "quantity: shape_distance, over_frames: last}, reported: %.5f, recorded: matches}\n",
                        distance);
    check_claims(claim);
    expect_code(0);
    free(claim);
    /* The tables for figures have columns for the quantities of the geometry. */
    shell("\"$S\" export --format figure --out tables out/t/fall && head -1 tables/summary.tsv && "
          "head -1 tables/method=mass_spring,stiffness=50.tsv && tail -1 tables/method=mass_spring,stiffness=50.tsv");
    expect_code(0);
    expect_out("\tshape_error_min\tshape_error_max\tshape_error_last\tshape_error_mean\tgeometry\n");
    expect_out("\tlowest/m\theight/m\twidth_x/m\twidth_z/m\tbending/m\twrinkles\tshape_error\n");
    expect_out("\n40\t0.4\t");
    expect_out("\tkinetic_energy_min\tkinetic_energy_max\tkinetic_energy_last\tkinetic_energy_mean\t");
    expect_out("\tinner_speed_min\t");
    /* The last values of a run's series in summary.tsv are those in the last row of the run's own table. */
    shell("awk -F'\\t' 'NR == 1 {for (c = 1; c <= NF; ++c) h[$c] = c; next} $1 == \"method=mass_spring,stiffness=50\" "
          "{printf \"%%s %%s\", $h[\"kinetic_energy_last\"], $h[\"height_last\"]}' tables/summary.tsv >a && "
          "awk -F'\\t' 'NR == 1 {for (c = 1; c <= NF; ++c) h[$c] = c; next} {k = $h[\"kinetic_energy/J\"]; "
          "t = $h[\"height/m\"]} END {printf \"%%s %%s\", k, t}' "
          "tables/method=mass_spring,stiffness=50.tsv >b && cmp a b && test -s a");
    expect_code(0);
}

Test(geometry, runs_with_no_or_several_partners) {
    run_fall();
    check_claims("  - {id: t.two, says: x, kind: bound, " FROM
                 "against: {time.step: 0.001 s, method.name: mass_spring, "
                 "method.stiffness: 50 N/m}, select: {method.name: volume_constraint}, quantity: centre_distance, "
                 "over_frames: max, each: method.stiffness}, expect: '>= 0', recorded: matches}\n"
                 "  - {id: t.many, says: x, kind: bound, " FROM "select: {method.name: mass_spring, method.stiffness: "
                 "50 N/m}, against: {method.stiffness: 5000 N/m, method.name: viscous}, quantity: centre_distance, "
                 "over_frames: max}, expect: '>= 0', recorded: not run}\n"
                 "  - {id: t.which, says: x, kind: bound, " FROM "select: {method.stiffness: 50 N/m, method.name: "
                 "mass_spring}, against: {method.stiffness: 5000 N/m}, quantity: height_difference, over_frames: max}, "
                 "expect: '> 0', recorded: matches}\n");
    expect_code(0);
    expect_out("no selected run has a reference run to be compared with");
}

Test(geometry, mistakes_in_claims_are_told_with_their_place) {
    static const struct {
        const char *from, *expected;
    } cases[] = {
        {"quantity: shape_distance, over_frames: max",
         "claims.yaml:4:74: shape_distance compares two runs of one surface; select the other run, as in against: "
         "{method.name: pbd_strain_tets}"},
        {"quantity: height, over_frames: max, against: {method.name: mass_spring}",
         "claims.yaml:4:100: `against` is for quantities of two runs"},
        {"quantity: height", "claims.yaml:4:74: height is a series over the recorded geometries; add over_frames"},
        {"quantity: height, over_frames: {at: 3 kg}", "claims.yaml:4:100: at: "},
        {"quantity: height, over_frames: {at: -1 s}",
         "claims.yaml:4:100: `at` is -1 s; expected a time of at least 0 s"},
        {"quantity: height, over_frames: {to: 1 s}", "over_frames has no key to"},
        {"quantity: height, over_frames: {}", "over_frames is an empty map"},
        {"quantity: height, over_frames: {decay: 1}",
         "claims.yaml:4:103: decay is 1; expected a fraction above 0 and below 1"},
        {"quantity: height, over_frames: {decay: 2 m}", "claims.yaml:4:103: decay: "},
        {"quantity: height, over_frames: {decay: 0.5, at: 1 s}", "over_frames is both a time and a fraction; write"},
        {"quantity: height, over_frames: maximum",
         "claims.yaml:4:95: `over_frames` is maximum; expected one of: max min mean median first last range"},
        {"quantity: shape_distance, over_frames: max, against: mass_spring", "`against` must be a map"},
        {"quantity: height, over_frames: max, statistic: lee2022",
         "claims.yaml:4:100: `statistic` is for timings: frame_seconds, frames_per_second or step_seconds"},
        {"quantity: frame_seconds, statistic: lee2021", "there is no statistic lee2021; did you mean lee2022?"},
    };
    cr_assert_eq(shell("mkdir out"), 0);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char *claim = text_format("  - {id: t.a, says: x, kind: bound, " FROM "%s}, expect: '> 0'}\n", cases[c].from);
        check_claims(claim);
        cr_expect_eq(said.code, 2, "%s", claim);
        expect_err(cases[c].expected);
        free(claim);
    }
}

/* A sweep stores no geometry, but it measures the distances between the runs of each member. */
Test(geometry, a_sweep_has_the_distances_of_pairs) {
    struct sweep_table table;
    run_fall();
    shell("sed -i 's/steps_per_frame: 10, //' t/fall.yaml && "
          "echo 'assumptions: {time.steps_per_frame: {value: 10, likely: [1, 20], why: x}}' >>t/fall.yaml");
    text_write("claims.yaml", "springback: 1\npaper: t\nclaims:\n"
                              "  - {id: t.high, says: x, kind: bound, " FROM "select: {method.stiffness: 5000 N/m}, "
                              "against: {method.name: mass_spring}, quantity: centre_distance, over_frames: max}, "
                              "expect: '< 1', recorded: not swept}\n");
    shell(
        "\"$S\" sensitivity -q -n 6 -p 0 --set time.frames=10 --sweeps data/sweeps t/fall.yaml --claims claims.yaml "
        "--out out && \"$S\" run -q --set time.frames=10 t/fall.yaml --out out && \"$S\" check claims.yaml --out out");
    expect_out("The claim holds in 6 of 6 likely set-ups");
    expect_out("1 claims: 1 not swept; 0 changed");
    /* With the chosen values, the sweep has the same distance as the traces. */
    cr_assert_eq(sweep_read("data/sweeps/t/fall.tsv.xz", false, &table), STATUS_OK, "%s", failure_text());
    int column = -1;
    for (int c = 0; c < table.column_count; ++c)
        if (!strcmp(table.columns[c].quantity, "centre_distance"))
            column = c;
    cr_assert_geq(column, 0);
    cr_expect_str_eq(table.columns[column].reduction, "max against method=mass_spring,stiffness=5000");
    double largest;
    shell("\"$S\" export --against out/t/fall/method=mass_spring,stiffness=5000.trace-1.vtkhdf "
          "out/t/fall/method=volume_constraint,stiffness=5000.trace-1.vtkhdf | awk -F'\t' 'NR == 1 { for (c = 1; c <= "
          "NF; ++c) if "
          "($c ~ /centre_distance/) at = c; next } $at + 0 > m { m = $at + 0 } END { print m }'");
    largest = strtod(said.out, NULL);
    cr_expect(largest > 0, "%s", said.out);
    for (int r = 0; r < table.run_count; ++r)
        if (!strcmp(table.runs[r].id, "method=volume_constraint,stiffness=5000,backend=serial"))
            cr_expect_float_eq((double)sweep_numbers(&table, &table.members[0], r)[column], largest, 1e-4 * largest);
    sweep_free(&table);
}
