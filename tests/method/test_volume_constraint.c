/* Tests of the physics of volume_constraint: comparisons with finite differences and closed forms, and invariants. The
 * numbers of equations are those of va2023. */
#include "subject.h"

#define REAL_IS_double
#include "volume_constraint.h"

static const double pi = 3.14159265358979323846;

static void (*const shapes_under_test[])(struct mesh *) = {subject_sphere, subject_torus, subject_cube};
enum { SHAPES = sizeof shapes_under_test / sizeof *shapes_under_test };

#define METHOD_OF(precision, variant, stiffness, damping)                                                              \
    "method: {name: volume_constraint, stiffness: " stiffness " N/m, damping: " damping                                \
    " N s/m, precision: " precision ", variant: " variant "}\n"
#define NO_WEIGHT "scene: {gravity: [0, 0, 0]}\n"
#define ONE_STEP  "time: {step: 1 ms, frames: 1}\n"

static double (*positions_of(const struct subject *s))[3] {
    const size_t bytes = (size_t)s->model.body.nodes * sizeof(double[3]);
    double(*x)[3] = memory_new(bytes, 1);
    memcpy(x, s->model.body.position, bytes);
    return x;
}

/* The rest positions of the nodes, with random displacements of at most 0.02 m in each coordinate. Each call gives the
 * same displacements. Newly allocated. */
static double (*shaken(const struct subject *s))[3] {
    double(*x)[3] = positions_of(s);
    unsigned seed = 5;
    for (int i = 0; i < s->model.body.nodes; ++i)
        for (int k = 0; k < 3; ++k)
            x[i][k] += 0.02 * subject_random(&seed);
    return x;
}

/* ---- The volume and its gradient ---- */

/* A triangle's part of the volume by (7): its area, times the component of the sum of its corners along its unit
 * normal, divided by 9. */
static double triangle_of_seven(const double a[3], const double b[3], const double c[3]) {
    const vec3 p = vec3_of(a[0], a[1], a[2]), q = vec3_of(b[0], b[1], b[2]), r = vec3_of(c[0], c[1], c[2]);
    const vec3 cross = outer(subtract(q, p), subtract(r, p));
    const double length = sqrt(inner(cross, cross)), area = length / 2;
    return area * inner(add(add(p, q), r), scale(1 / length, cross)) / 9;
}

static double volume_of_seven(const struct body *body, const double (*x)[3]) {
    double sum = 0;
    for (size_t t = 0; t < body->triangles; ++t) {
        const int32_t *corner = body->triangle[t];
        sum += triangle_of_seven(x[corner[0]], x[corner[1]], x[corner[2]]);
    }
    return sum;
}

/* A gather (kernels/volume_constraint.h) computes a direction for each node. Without forces, with a step of 1 s and
 * nodes of 1 kg, this direction is the node's row of the Jacobian. */
#define BARE(variant) METHOD_OF("double", variant, "0", "0") NO_WEIGHT "time: {step: 1 s, frames: 1}\n"
#define OF_1_KG       "node_mass: 1 kg"

/* Run the gather at positions x. Stores the rows of the Jacobian in row[nodes], and returns the volume, in m^3. */
static double gather_rows(const struct subject *s, const double (*x)[3], double (*row)[3]) {
    const struct program *program = &s->model.program;
    const struct kernel *kernel = &program->kernels[0];
    const int nodes = s->model.body.nodes;
    void *memory[PROGRAM_BUFFERS];
    _Alignas(max_align_t) char arguments[ARGUMENT_BYTES];
    double volume = 0;
    for (int b = 0; b < program->buffer_count; ++b) {
        memory[b] = memory_new(program->buffers[b].items, program->buffers[b].item_size);
        s->model.method->fill(s->model.run, &s->model.body, program, b, memory[b]);
    }
    for (int i = 0; i < nodes; ++i)
        for (int k = 0; k < 3; ++k)
            real_store(memory[program->positions], 4 * (size_t)i + (size_t)k, x[i][k], program->real_size);
    kernel_arguments(program, kernel, memory, 0, arguments);
    kernel->loop(arguments, (struct range){0, kernel->columns, 0, 1});
    for (int b = 0; b < program->buffer_count; ++b)
        for (int i = 0; i < nodes; ++i)
            if (!strcmp(program->buffers[b].name, "predicted"))
                row[i][0] = real_load(memory[b], 4 * (size_t)i + 3, program->real_size);
            else if (!strcmp(program->buffers[b].name, "drift"))
                row[i][1] = real_load(memory[b], 4 * (size_t)i + 3, program->real_size);
            else if (!strcmp(program->buffers[b].name, "direction_z"))
                row[i][2] = real_load(memory[b], (size_t)i, program->real_size);
            else if (!strcmp(program->buffers[b].name, "shares"))
                volume += real_load(memory[b], 4 * (size_t)i, program->real_size) / 3;
    for (int b = 0; b < program->buffer_count; ++b)
        free(memory[b]);
    return volume;
}

/* The volume is linear in each coordinate. Therefore a central difference is exact except for rounding, for any width.
 */
Test(volume, the_gradient_is_that_of_seven) {
    for (int q = 0; q < SHAPES; ++q) {
        struct subject s;
        subject_create(&s, shapes_under_test[q], OF_1_KG, BARE("tuned"));
        const struct body *body = &s.model.body;
        double(*x)[3] = shaken(&s), (*row)[3] = memory_new((size_t)body->nodes, sizeof *row), sum[3] = {0, 0, 0};
        const double volume = gather_rows(&s, (const double(*)[3])x, row), h = 0.125;
        cr_expect_float_eq(volume, volume_of_seven(body, (const double(*)[3])x), 1e-13);
        for (int i = 0; i < body->nodes; ++i)
            for (int k = 0; k < 3; ++k) {
                const double here = x[i][k];
                x[i][k] = here + h;
                const double more = volume_of_seven(body, (const double(*)[3])x);
                x[i][k] = here - h;
                const double less = volume_of_seven(body, (const double(*)[3])x);
                x[i][k] = here;
                cr_expect_float_eq(row[i][k], (more - less) / (2 * h), 1e-13, "shape %d node %d: %g, not %g", q, i,
                                   row[i][k], (more - less) / (2 * h));
                sum[k] += row[i][k];
            }
        for (int k = 0; k < 3; ++k)
            cr_expect_float_eq(sum[k], 0, 1e-14, "a moved body changes its volume by %g m^3 per m", sum[k]);
        free(x);
        free(row);
        subject_free(&s);
    }
}

static double radius_of(int k) {
    return sin(pi * k / 16);
}

/* The volume of subject_sphere's mesh, 16 frusta of pyramids with 32 sides. */
static double sphere_volume(void) {
    const double side = 16 * sin(2 * pi / 32);
    double sum = 0;
    for (int k = 0; k < 16; ++k) {
        const double a = radius_of(k), b = radius_of(k + 1), height = cos(pi * k / 16) - cos(pi * (k + 1) / 16);
        sum += side * height * (a * a + b * b + a * b) / 3;
    }
    return sum;
}

/* The volume of subject_torus's mesh. It has 48 equal cross sections, and straight edges join each cross section to the
 * next. The volume between two cross sections is R sin(2 pi / 48) times the area of a cross section, where R = 1 is the
 * distance of a cross section's centre from the axis. (With arcs in place of straight edges the factor would be R 2 pi
 * / 48.) */
static double torus_volume(void) {
    const double area = 6 * sin(2 * pi / 12) * 0.0625;
    return 48 * sin(2 * pi / 48) * area;
}

static double cube_volume(void) {
    return 1;
}

static double tetrahedron_volume(void) {
    return 1 / (6 * sqrt(2));
}

Test(volume, closed_forms_and_a_body_that_is_moved) {
    static const struct {
        void (*shape)(struct mesh *);
        double (*volume)(void);
    } table[] = {{subject_sphere, sphere_volume},
                 {subject_torus, torus_volume},
                 {subject_cube, cube_volume},
                 {subject_tetrahedron, tetrahedron_volume}};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct subject s;
        subject_create(&s, table[t].shape, OF_1_KG, BARE("tuned"));
        const struct body *body = &s.model.body;
        double(*x)[3] = positions_of(&s), (*row)[3] = memory_new((size_t)body->nodes, sizeof *row);
        const double expected = table[t].volume();
        subject_open(&s, "serial");
        cr_expect_float_eq(body->rest_volume, expected, 1e-12);
        cr_expect_float_eq(gather_rows(&s, (const double(*)[3])x, row), expected, 1e-12);
        cr_expect_float_eq(subject_value(&s, state_after(s.simulation, 0), "volume"), expected, 1e-12);
        for (int i = 0; i < body->nodes; ++i) {
            x[i][0] += 300;
            x[i][1] -= 200;
            x[i][2] += 100;
        }
        cr_expect_float_eq(gather_rows(&s, (const double(*)[3])x, row), expected, 1e-12);
        subject_set(&s, (const double(*)[3])x, NULL);
        cr_expect_float_eq(subject_value(&s, state_after(s.simulation, 0), "volume"), expected, 1e-12);
        free(x);
        free(row);
        subject_free(&s);
    }
}

/* Store (10a), (10b) and (10c), exactly as printed, in the rows of `out`. The corners of the triangle are at x. */
static void as_printed(const double x[3][3], double out[3][3]) {
    const double x1 = x[0][0], y1 = x[0][1], z1 = x[0][2], x2 = x[1][0], y2 = x[1][1], z2 = x[1][2];
    const double x3 = x[2][0], y3 = x[2][1], z3 = x[2][2];
    const double print[3][3] = {{(y3 * z2 - y2 * z3) / 2, (x2 * z3 - x3 * z2) / 2, (x3 * y2 - x2 * y3) / 2},
                                {(y1 * z3 - y3 * z1) / 2, (x3 * z1 - x1 * z3) / 2, (x3 * y1 - x1 * y3) / 2},
                                {(y2 * z1 - y1 * z2) / 2, (x1 * z2 - x2 * z1) / 2, (x2 * y1 - x1 * y2) / 2}};
    memcpy(out, print, sizeof print);
}

Test(volume, the_print_is_minus_three_times_the_gradient_and_once_plus) {
    unsigned seed = 3;
    for (int round = 0; round < 100; ++round) {
        double x[3][3], print[3][3];
        const double h = 0.25;
        for (int k = 0; k < 9; ++k)
            x[k / 3][k % 3] = subject_random(&seed);
        as_printed(x, print);
        for (int i = 0; i < 3; ++i) {
            const double *j = x[(i + 1) % 3], *k = x[(i + 2) % 3];
            const vec3 ours = printed_gradient(vec3_of(j[0], j[1], j[2]), vec3_of(k[0], k[1], k[2]), i + 1);
            const double entries[3] = {ours.x, ours.y, ours.z};
            for (int c = 0; c < 3; ++c) {
                const double here = x[i][c], factor = i == 1 && c == 2 ? 3 : -3;
                x[i][c] = here + h;
                const double more = triangle_of_seven(x[0], x[1], x[2]);
                x[i][c] = here - h;
                const double less = triangle_of_seven(x[0], x[1], x[2]);
                x[i][c] = here;
                cr_expect_float_eq(print[i][c], factor * (more - less) / (2 * h), 1e-13, "entry %d of (10%c)", c,
                                   'a' + i);
                cr_expect_float_eq(entries[c], print[i][c], 1e-15);
            }
        }
    }
}

/* The printed form of an entry depends on which of the three corners of a triangle the node is. */
Test(volume, the_variant_as_printed_has_the_print_of_each_triangle) {
    struct subject s;
    subject_create(&s, subject_sphere, OF_1_KG, BARE("as_printed"));
    const struct body *body = &s.model.body;
    double(*x)[3] = shaken(&s), (*row)[3] = memory_new((size_t)body->nodes, sizeof *row);
    double(*expected)[3] = memory_new((size_t)body->nodes, sizeof *expected);
    for (size_t t = 0; t < body->triangles; ++t) {
        double at[3][3], print[3][3];
        for (int k = 0; k < 3; ++k)
            memcpy(at[k], x[body->triangle[t][k]], sizeof at[k]);
        as_printed(at, print);
        for (int k = 0; k < 9; ++k)
            expected[body->triangle[t][k / 3]][k % 3] += print[k / 3][k % 3];
    }
    gather_rows(&s, (const double(*)[3])x, row);
    for (int i = 0; i < body->nodes; ++i)
        for (int k = 0; k < 3; ++k)
            cr_expect_float_eq(row[i][k], expected[i][k], 1e-14, "node %d", i);
    free(expected);
    free(x);
    free(row);
    subject_free(&s);
}

/* ---- Algorithm 4 as printed ---- */

/* The sum of printed_volume over a body's triangles. */
static double printed_sum(const struct body *body, const double (*x)[3]) {
    double sum = 0;
    for (size_t t = 0; t < body->triangles; ++t) {
        vec3 at[3];
        for (int k = 0; k < 3; ++k) {
            const double *corner = x[body->triangle[t][k]];
            at[k] = vec3_of(corner[0], corner[1], corner[2]);
        }
        sum += printed_volume(at[0], at[1], at[2]);
    }
    return sum;
}

/* The cube has edges of 1 m, its centre at the origin, and n = 768 triangles. Each triangle has the area 6 / n. The
 * cross product of two of its edges has the length 12 / n. The component of the sum of a triangle's corners along its
 * normal is 3/2. Therefore the volume by (7) is n (6 / n) (3 / 2) / 9 = 1 m^3. Algorithm 4 also multiplies each term by
 * a ninth of the length of the cross product. */
Test(volume, algorithm_four_grows_with_the_fifth_power_of_length_and_depends_on_the_place) {
    struct subject s;
    subject_create(&s, subject_cube, OF_1_KG, BARE("tuned"));
    const struct body *body = &s.model.body;
    double(*x)[3] = positions_of(&s), (*odd)[3] = shaken(&s);
    const double printed = printed_sum(body, (const double(*)[3])x);
    cr_expect_float_eq(printed, 1.5 * 6 * 12 / 768 / 81, 1e-14, "%g", printed);
    for (int i = 0; i < body->nodes; ++i)
        for (int k = 0; k < 3; ++k)
            x[i][k] *= 2;
    cr_expect_float_eq(printed_sum(body, (const double(*)[3])x), 32 * printed, 1e-12);
    const double before = printed_sum(body, (const double(*)[3])odd),
                 volume = volume_of_seven(body, (const double(*)[3])odd);
    for (int i = 0; i < body->nodes; ++i)
        odd[i][1] += 10;
    cr_expect_float_eq(volume_of_seven(body, (const double(*)[3])odd), volume, 1e-11);
    cr_expect_gt(fabs(printed_sum(body, (const double(*)[3])odd) / before - 1), 0.01);
    free(odd);
    free(x);
    subject_free(&s);
}

/* ---- Conserved quantities ---- */

#define FALL(variant)                                                                                                  \
    METHOD_OF("float", variant, "5000", "200")                                                                         \
    "scene: {ground: {height: 0 m, drop: 1 m}}\n"                                                                      \
    "time: {step: 0.1 ms, steps_per_frame: 20, frames: 400}\n"

/* The sphere of va2023 falls onto the ground. */
Test(volume, the_print_diverges_where_the_gradient_does_not) {
    struct subject tuned, printed;
    bool diverged = false;
    double largest = 0;
    subject_create(&tuned, subject_sphere, "node_mass: 1 kg", FALL("tuned"));
    subject_create(&printed, subject_sphere, "node_mass: 1 kg", FALL("as_printed"));
    subject_open(&tuned, "serial");
    subject_open(&printed, "serial");
    for (int f = 0; f < 400; ++f) {
        const struct state *state = state_after(tuned.simulation, 1);
        cr_assert_not(state->diverged, "frame %d", f);
        largest = fmax(largest, subject_value(&tuned, state, "volume_error"));
        if (!diverged)
            diverged = state_after(printed.simulation, 1)->diverged;
    }
    cr_expect(diverged);
    cr_expect_lt(largest, 1e-5, "%g", largest);
    subject_free(&tuned);
    subject_free(&printed);
}

/* The largest volume error, as a fraction, of a sphere that rotates and is thrown up. The sphere starts deformed, but
 * with its rest volume. */
static double largest_error_in_flight(const char *method) {
    struct subject s;
    double largest = 0;
    subject_create(&s, subject_sphere, "node_mass: 1 kg",
                   "method: {name: %s, stiffness: 5000 N/m, damping: 20 N s/m}\n"
                   "time: {step: 0.1 ms, steps_per_frame: 20, frames: 400}\n",
                   method);
    double(*x)[3] = positions_of(&s), (*v)[3] = memory_new((size_t)s.model.body.nodes, sizeof *v);
    for (int i = 0; i < s.model.body.nodes; ++i) {
        x[i][0] *= 1.25;
        x[i][1] *= 0.8;
        v[i][0] = 2 * x[i][2];
        v[i][1] = 4;
        v[i][2] = -2 * x[i][0];
    }
    subject_open(&s, "serial");
    subject_set(&s, (const double(*)[3])x, (const double(*)[3])v);
    for (int f = 0; f < 400; ++f)
        largest = fmax(largest, subject_value(&s, state_after(s.simulation, 1), "volume_error"));
    free(x);
    free(v);
    subject_free(&s);
    return largest;
}

Test(volume, in_free_flight_it_is_kept_to_a_hundred_thousandth) {
    const double kept = largest_error_in_flight("volume_constraint"), lost = largest_error_in_flight("mass_spring");
    cr_expect_lt(kept, 1e-5, "%g", kept);
    cr_expect_gt(lost, 1e-2, "without the constraint: %g", lost);
}

static const char *const momenta[] = {"momentum_x",         "momentum_y",         "momentum_z",
                                      "angular_momentum_x", "angular_momentum_y", "angular_momentum_z"};

/* How much the momenta and the kinetic energy of a sphere change, as fractions. `linear` is the largest change of a
 * component of the momentum, divided by the sum of m v over the nodes. `angular` is the largest change of a component
 * of the angular momentum, divided by the sum of m v r. A node starts with the speed v at the distance r from the
 * origin. `kinetic` is the change of the kinetic energy, divided by its initial value. */
struct change {
    double linear, angular, kinetic;
};

static struct change change_after(const char *text, int steps) {
    struct subject s;
    struct change change = {0, 0, 0};
    double start[6], kinetic, speed = 0, moment = 0;
    unsigned seed = 9;
    subject_create(&s, subject_sphere, "node_mass: 2 kg", "%s" NO_WEIGHT "time: {step: 1 ms, frames: %d}\n", text,
                   steps);
    double(*x)[3] = shaken(&s), (*v)[3] = memory_new((size_t)s.model.body.nodes, sizeof *v);
    for (int i = 0; i < s.model.body.nodes; ++i) {
        for (int k = 0; k < 3; ++k)
            v[i][k] = 0.1 * subject_random(&seed) - 0.2 * x[i][k] + (k == 0);
        const double fast = sqrt(v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2]);
        speed += 2 * fast;
        moment += 2 * fast * sqrt(x[i][0] * x[i][0] + x[i][1] * x[i][1] + x[i][2] * x[i][2]);
    }
    subject_open(&s, "serial");
    subject_set(&s, (const double(*)[3])x, (const double(*)[3])v);
    const struct state *state = state_after(s.simulation, 0);
    for (int k = 0; k < 6; ++k)
        start[k] = subject_value(&s, state, momenta[k]);
    kinetic = subject_value(&s, state, "kinetic_energy");
    state = state_after(s.simulation, steps);
    for (int k = 0; k < 6; ++k) {
        const double by = fabs(subject_value(&s, state, momenta[k]) - start[k]);
        if (k < 3)
            change.linear = fmax(change.linear, by / speed);
        else
            change.angular = fmax(change.angular, by / moment);
    }
    change.kinetic = fabs(subject_value(&s, state, "kinetic_energy") / kinetic - 1);
    free(x);
    free(v);
    subject_free(&s);
    return change;
}

/* A body without velocity is too large by 1/1000 in each direction. One step removes the fraction volume_correction of
 * the volume error, except for terms of second order in the error. */
Test(volume, a_step_takes_away_the_stated_share_of_the_error) {
    static const double shares[] = {1, 1.0 / 3, 0};
    for (int k = 0; k < 3; ++k) {
        struct subject s;
        subject_create(
            &s, subject_torus, "node_mass: 1 kg",
            "method: {name: volume_constraint, stiffness: 0 N/m, precision: double, volume_correction: %.17g}\n"
            "scene: {gravity: [0, 0, 0]}\ntime: {step: 1 ms, frames: 1}\n",
            shares[k]);
        const struct body *body = &s.model.body;
        double(*position)[3] = memory_new((size_t)body->nodes, sizeof *position);
        for (int i = 0; i < body->nodes; ++i)
            for (int c = 0; c < 3; ++c)
                position[i][c] = 1.001 * body->position[i][c];
        subject_open(&s, "serial");
        subject_set(&s, (const double(*)[3])position, NULL);
        const double before = pow(1.001, 3) - 1,
                     after = subject_value(&s, state_after(s.simulation, 1), "volume_error");
        cr_expect_float_eq(after / before, 1 - shares[k], 0.005, "%g: %g", shares[k], after / before);
        free(position);
        subject_free(&s);
    }
}

Test(volume, the_constraint_keeps_both_momenta) {
    enum { STEPS = 200 };
    static const struct {
        const char *text;
        double within; /* one rounding error in each of 200 steps, with random signs: about sqrt(200) errors */
    } table[] = {{METHOD_OF("double", "tuned", "0", "0"), 15 * 0x1p-52},
                 {METHOD_OF("double", "tuned", "500", "2"), 15 * 0x1p-52},
                 {METHOD_OF("float", "tuned", "0", "0"), 15 * 0x1p-23},
                 {METHOD_OF("float", "paper", "500", "2"), 15 * 0x1p-23}};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        const struct change change = change_after(table[t].text, STEPS);
        cr_expect_lt(change.linear, table[t].within, "%zu: %g", t, change.linear);
        cr_expect_lt(change.angular, table[t].within, "%zu: %g", t, change.angular);
        cr_expect_gt(change.kinetic, 1e-2, "the constraint has no effect");
    }
    const struct change wrong = change_after(METHOD_OF("double", "as_printed", "0", "0"), 1);
    cr_expect_gt(wrong.linear, 1e-6, "as printed, the momentum is conserved, too: %g", wrong.linear);
}

/* A tetrahedron pulsates: its nodes are u farther from the centre than at rest. Each of the six springs has the energy
 * k / 2 (8 / 3) u^2, and each of the four nodes the energy m u'^2 / 2. Therefore the period is pi sqrt(m / k). */
Test(volume, a_tetrahedron_of_a_mesh_breathes_with_its_period_and_not_at_a_kept_volume) {
    const double mass = 0.5, stiffness = 20, step = 1e-4, period = pi * sqrt(mass / stiffness);
    for (int kept = 0; kept < 2; ++kept) {
        struct subject s;
        subject_create(&s, subject_tetrahedron, "node_mass: 0.5 kg",
                       "method: {name: %s, stiffness: 20 N/m, precision: double}\n" NO_WEIGHT
                       "time: {step: 0.1 ms, frames: 8000}\n",
                       kept ? "volume_constraint" : "mass_spring");
        double(*x)[3] = positions_of(&s), v[4][3], before = 0, crossing[3] = {0, 0, 0};
        int crossings = 0;
        for (int k = 0; k < 12; ++k) /* at rest length, growing by 0.001 of its size per second */
            v[k / 3][k % 3] = 1e-3 * x[k / 3][k % 3];
        subject_open(&s, "serial");
        subject_set(&s, (const double(*)[3])x, (const double(*)[3])v);
        for (int f = 1; f < 8000 && crossings < 3; ++f) {
            const struct state *state = state_after(s.simulation, 1);
            const double out = subject_position(&s, state, 0, 0) / x[0][0] - 1;
            if (kept)
                cr_assert_lt(fabs(out), 1e-14, "%g", out);
            else if (f > 1 && (out > 0) != (before > 0))
                crossing[crossings++] = (f - 1 + before / (before - out)) * step;
            before = out;
        }
        cr_expect_eq(crossings, kept ? 0 : 3);
        if (!kept)
            cr_expect_float_eq(crossing[2] - crossing[0], period, 1e-3 * period, "%g, not %g",
                               crossing[2] - crossing[0], period);
        free(x);
        subject_free(&s);
    }
}

/* ---- The multiplier ---- */

/* Run one step of a regular tetrahedron with edges of `size` m, which are 1 m long at rest. All nodes start with the
 * speed `outward`, away from the centre. Node 0 also has the speed `sideways` along y. Expect the velocities that
 * follow from (14), with errors of at most `within`. All these speeds are in m/s.
 *
 * The row of J at node i is dV/dx_i. Its length is A / 3, where A = sqrt(3) / 4 size^2 is the area of a face, and its
 * direction is away from the opposite face. With nodes of mass m, (14) is
 *
 * 4 (A / 3)^2 / m lambda = (V - V0) / dt^2 + J . (v / dt + F / m).
 *
 * By algorithm 4 as printed, the volume is sqrt(6) / 216 size^5: 8/27 A^2 times the distance of a face from the
 * centre. */
static void expect_one_step(const char *precision, const char *variant, double size, double outward, double sideways,
                            double stiffness, double within) {
    struct subject s;
    const double step = 1e-3, mass = 2;
    subject_create(
        &s, subject_tetrahedron, "node_mass: 2 kg",
        "method: {name: volume_constraint, stiffness: %.17g N/m, precision: %s, variant: %s}\n" NO_WEIGHT ONE_STEP,
        stiffness, precision, variant);
    double(*x)[3] = positions_of(&s), v[4][3];
    for (int k = 0; k < 12; ++k)
        x[k / 3][k % 3] *= size;
    const double third = sqrt(3) / 12 * size * size, radius = sqrt(3.0 / 8) * size;
    const double error =
        strcmp(variant, "printed_volume") ? (pow(size, 3) - 1) / (6 * sqrt(2)) : (pow(size, 5) - 1) * sqrt(6) / 216;
    const double pull = stiffness * (1 - size) * 3 * sqrt(2.0 / 3); /* N, by three springs, along the radius */
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k)
            v[i][k] = outward * x[i][k] / radius + (i == 0 ? sideways : 0) * (k == 1);
    subject_open(&s, "serial");
    subject_set(&s, (const double(*)[3])x, (const double(*)[3])v);
    const struct state *state = state_after(s.simulation, 1);
    double along = 0; /* J . (v + dt F / m), divided by A / 3 */
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k)
            along += (v[i][k] + step / mass * pull * x[i][k] / radius) * x[i][k] / radius;
    const double lambda = mass / (4 * third * third) * (error / (step * step) + third * along / step);
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k) {
            const double n = x[i][k] / radius, u = v[i][k] + step / mass * pull * n;
            const double expected = u - step / mass * third * n * lambda;
            cr_expect_float_eq(subject_velocity(&s, state, i, k), expected, within, "%s %s node %d: %g, not %g",
                               variant, precision, i, subject_velocity(&s, state, i, k), expected);
            cr_expect_float_eq(subject_position(&s, state, i, k), x[i][k] + step * expected,
                               within * step + 2e-7 * (within > 1e-9));
        }
    free(x);
    subject_free(&s);
}

Test(volume, the_multiplier_of_a_tetrahedron_is_that_worked_out_by_hand) {
    static const char *const variants[] = {"tuned", "paper", "node_centric", "reduced", "printed_volume"};
    static const struct {
        double size, outward, sideways, stiffness;
    } cases[] = {{0.999, 0, 0, 0}, {1, 0.3, 0, 0}, {1.001, 0, 0.2, 0}, {0.999, 0.3, 0.2, 700}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        expect_one_step("double", "tuned", cases[c].size, cases[c].outward, cases[c].sideways, cases[c].stiffness,
                        1e-12);
        /* 1e-4 exceeds the rounding of a volume of 0.1 m^3 in float, divided by dt and by 4 A / 3 = 0.58 m^2. */
        for (int k = 0; k < 5; ++k)
            expect_one_step("float", variants[k], cases[c].size, cases[c].outward, cases[c].sideways,
                            cases[c].stiffness, 1e-4);
    }
}

/* ---- The weight (15) ---- */

Test(volume, the_weight_is_hongs) {
    const vec3 centre = vec3_of(0.3, -0.2, 0.5);
    const double radius = 0.7;
    static const struct { double share, weight; } table[] = {{0, 1}, {0.5, 0.5}, {1, 0}, {1.0001, 0}, {30, 0}};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        const vec3 x = add(centre, vec3_of(0, radius * table[t].share, 0));
        cr_expect_float_eq(local_weight(x, centre, radius), table[t].weight, 1e-15);
    }
    for (int k = 0; k <= 1000; ++k) {
        const vec3 x = add(centre, scale(radius * k / 1000 / 3, vec3_of(1, 2, -2)));
        const double expected = (cos(pi * k / 1000) + 1) / 2, weight = local_weight(x, centre, radius);
        cr_expect_float_eq(weight, expected, 1e-15, "at %d / 1000: %g, not %g", k, weight, expected);
    }
}

Test(volume, the_cosine_is_within_two_units_of_ones_last_place) {
    for (int k = 0; k <= 1000000; ++k) {
        const double t = k / 1e6;
        const long double error = fabsl((long double)quarter_cosine(t) - cosl(acosl(-1) / 2 * (long double)t));
        cr_assert(error <= 2 * 0x1p-52L, "%g: %Lg", t, error);
    }
}

/* The sphere starts compressed, and its springs have no stiffness. So only the constraint moves its nodes. */
Test(volume, beyond_the_radius_no_constraint_is_felt) {
    static const char *const weighted[] = {"rows", "forces"};
    const double step = 1e-3, centre[3] = {0, 1, 0}, radius = 0.8;
    for (int forces = 0; forces < 2; ++forces) {
        struct subject s, bare;
        subject_create(&bare, subject_sphere, OF_1_KG, BARE("tuned"));
        subject_create(&s, subject_sphere, "node_mass: 1 kg",
                       "method: {name: volume_constraint, stiffness: 0 N/m, precision: double, "
                       "weight_centre: [0 m, 1 m, 0 m], weight_radius: 0.8 m, weight_enters: %s}\n" NO_WEIGHT ONE_STEP,
                       weighted[forces]);
        const struct body *body = &s.model.body;
        double(*x)[3] = positions_of(&s), (*row)[3] = memory_new((size_t)body->nodes, sizeof *row);
        double *weight = memory_new((size_t)body->nodes, sizeof *weight), left = 0;
        int inside = 0;
        for (int i = 0; i < body->nodes; ++i)
            for (int k = 0; k < 3; ++k)
                x[i][k] *= 0.999;
        const double error = gather_rows(&bare, (const double(*)[3])x, row) - body->rest_volume;
        for (int i = 0; i < body->nodes; ++i) {
            double square = 0, rows = 0;
            for (int k = 0; k < 3; ++k) {
                square += (x[i][k] - centre[k]) * (x[i][k] - centre[k]);
                rows += row[i][k] * row[i][k];
            }
            weight[i] = square < radius * radius ? (cos(pi * sqrt(square) / radius) + 1) / 2 : 0;
            left += (forces ? weight[i] : weight[i] * weight[i]) * rows;
        }
        subject_open(&s, "serial");
        subject_set(&s, (const double(*)[3])x, NULL);
        const struct state *state = state_after(s.simulation, 1);
        for (int i = 0; i < body->nodes; ++i) {
            inside += weight[i] > 0;
            for (int k = 0; k < 3; ++k) {
                const double expected = -weight[i] * row[i][k] * error / (step * left);
                const double velocity = subject_velocity(&s, state, i, k);
                if (weight[i] == 0)
                    cr_expect_eq(velocity, 0, "node %d outside moves", i);
                else
                    cr_expect_float_eq(velocity, expected, 1e-11 * fabs(error / (step * left)),
                                       "%s node %d: %g, not %g", weighted[forces], i, velocity, expected);
            }
        }
        cr_expect(inside > 20 && inside < 200, "%d nodes inside", inside);
        free(weight);
        free(x);
        free(row);
        subject_free(&bare);
        subject_free(&s);
    }
}

/* ---- The variants ---- */

/* Run a sphere between ground and plate with this variant and with the variant tuned. All nodes start with a velocity
 * of 1 m/s upward and a velocity inward, which the constraint must stop. Set *furthest to the largest difference of a
 * coordinate between the variants, in m, and *fastest to the largest difference of a velocity component, in m/s. */
static void differ(const char *variant, const char *backend, double *furthest, double *fastest) {
    struct subject of[2];
    const struct state *state[2];
    for (int k = 0; k < 2; ++k) {
        subject_create(&of[k], subject_sphere, "node_mass: 1 kg",
                       "method: {name: volume_constraint, stiffness: 5000 N/m, damping: 200 N s/m, variant: %s}\n"
                       "scene: {ground: {height: 0 m, drop: 0 m, friction: 0.3}, plate: {speed: 1 m/s}}\n"
                       "time: {step: 0.1 ms, frames: 60}\n",
                       k ? variant : "tuned");
        const struct body *body = &of[k].model.body;
        double(*x)[3] = positions_of(&of[k]), (*v)[3] = memory_new((size_t)body->nodes, sizeof *v);
        for (int i = 0; i < body->nodes; ++i)
            for (int c = 0; c < 3; ++c)
                v[i][c] = -x[i][c] + (c == 1);
        subject_open(&of[k], k ? backend : "serial");
        subject_set(&of[k], (const double(*)[3])x, (const double(*)[3])v);
        state[k] = state_after(of[k].simulation, 60);
        free(x);
        free(v);
    }
    *furthest = *fastest = 0;
    for (int i = 0; i < of[0].model.body.nodes; ++i)
        for (int c = 0; c < 3; ++c) {
            *furthest = fmax(*furthest,
                             fabs(subject_position(&of[0], state[0], i, c) - subject_position(&of[1], state[1], i, c)));
            *fastest = fmax(*fastest,
                            fabs(subject_velocity(&of[0], state[0], i, c) - subject_velocity(&of[1], state[1], i, c)));
        }
    cr_expect(of[1].model.program.has_unordered_sums && !of[0].model.program.has_unordered_sums);
    subject_free(&of[0]);
    subject_free(&of[1]);
}

/* The variants add up the volume in different orders, and therefore round differently. The volume is a sum over T
 * tetrahedra, which the triangles form with the origin. The absolute volumes add up to 8 m^3, so the rounding error is
 * about sqrt(T) 2^-24 8 m^3, as in a random walk. Divided by the area of 12.5 m^2, this error is a length of 1.2e-6 m.
 * The next step corrects this length with the velocity 1.2e-6 m / dt. The test allows about four times this length and
 * this velocity. */
Test(volume, the_papers_variants_end_where_tuned_does) {
    static const char *const variants[] = {"paper", "node_centric", "reduced"};
    static const char *const backends[] = {"serial", "threads:3", "opencl"};
    for (int k = 0; k < 9; ++k) {
        double furthest, fastest;
        differ(variants[k / 3], backends[k % 3], &furthest, &fastest);
        cr_expect_lt(furthest, 5e-6, "%s on %s: %g m", variants[k / 3], backends[k % 3], furthest);
        cr_expect_lt(fastest, 5e-2, "%s on %s: %g m/s", variants[k / 3], backends[k % 3], fastest);
    }
}
