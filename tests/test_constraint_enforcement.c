/* The physics of constraint_enforcement against the equations' own matrix, a direct factorisation, cases by hand, and
 * what must be kept. */
#include "backend/frame_kernel.h"
#include "support.h"

#include <cholmod.h>
#include <gsl/gsl_eigen.h>
#include <math.h>
#include <stdarg.h>

#define REAL_IS_double
#include "constraint_enforcement.h"

/* A cloth under the method, on a backend of the test's choice. */
struct cloth {
    struct plan plan;
    struct model model;
    struct simulation *simulation; /* NULL until cloth_open */
};

static void cloth_create(struct cloth *cloth, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void cloth_create(struct cloth *cloth, const char *format, ...) {
    char *rest = NULL;
    va_list arguments;
    va_start(arguments, format);
    cr_assert_geq(vasprintf(&rest, format, arguments), 0);
    va_end(arguments);
    char *text = text_format("springback: 1\npaper: test\ntitle: t\n%s", rest);
    plan_from_text(text, &cloth->plan);
    failure_clear();
    cr_assert_eq(model_describe(&cloth->plan.runs[0], &cloth->model), STATUS_OK, "%s", failure_text());
    cr_assert_eq(model_build(&cloth->model), STATUS_OK, "%s", failure_text());
    cloth->simulation = NULL;
    free(text);
    free(rest);
}

static void cloth_open(struct cloth *cloth, const char *backend) {
    simulation_close(cloth->simulation);
    cloth->simulation = simulation_on(&cloth->model, backend);
}

static void cloth_free(struct cloth *cloth) {
    simulation_close(cloth->simulation);
    model_free(&cloth->model);
    plan_free(&cloth->plan);
}

/* Set the state before step 0; of programs in double. */
static void cloth_set(struct cloth *cloth, const double (*position)[3], const double (*velocity)[3]) {
    cr_assert_eq(simulation_restore(cloth->simulation, position, velocity, 0), STATUS_OK, "%s", failure_text());
}

static double quantity(const struct cloth *cloth, const struct state *state, const char *name) {
    const struct method *method = cloth->model.method;
    for (int q = 0; q < method->quantity_count(&cloth->model.body); ++q)
        if (!strcmp(method->quantities[q].name, name))
            return state->values[q];
    cr_assert_fail("no quantity %s", name);
    return NAN;
}

static int buffer_of(const struct cloth *cloth, const char *name) {
    for (int b = 0; b < cloth->model.program.buffer_count; ++b)
        if (!strcmp(cloth->model.program.buffers[b].name, name))
            return b;
    cr_assert_fail("no buffer %s", name);
    return -1;
}

/* From one slot to the next in the arrays of constraints. */
static size_t pitch_of(const struct cloth *cloth) {
    return cloth->model.program.buffers[buffer_of(cloth, "place")].items / 4;
}

/* Numbers from -1 to 1, always the same. */
static double any(unsigned *seed) {
    return (double)(*seed = *seed * 1664525u + 1013904223u) / 2147483648.0 - 1;
}

/* The cloth's nodes out of place by a part of a spring, and moving. Newly allocated. */
static double (*shaken(const struct cloth *cloth, double by, unsigned seed))[3] {
    const size_t nodes = (size_t)cloth->model.body.nodes;
    double(*x)[3] = memory_new(nodes, sizeof *x);
    for (size_t k = 0; k < 3 * nodes; ++k)
        x[k / 3][k % 3] = cloth->model.body.position[k / 3][k % 3] + by * any(&seed);
    return x;
}

static double (*moving(const struct cloth *cloth, double speed, unsigned seed))[3] {
    const size_t nodes = (size_t)cloth->model.body.nodes;
    double(*v)[3] = memory_new(nodes, sizeof *v);
    for (size_t k = 0; k < 3 * nodes; ++k)
        v[k / 3][k % 3] = cloth->model.body.pinned[k / 3] ? 0 : speed * any(&seed);
    return v;
}

/* ---- The system of (12), put together from the body alone ---- */

/* Each spring once: its ends, its rest length, and where its multiplier stands in the program's arrays. */
struct constraint {
    int a, b, slot;
    double rest;
};

struct system {
    int count, nodes;
    struct constraint *constraint;
    double (*jacobian)[3]; /* of the first end; of the other it is the negative */
    double *inverse_mass, *error;
};

/* Neighbours before a node have its multipliers; where the grid's order of slots is another than the body's, this finds
 * it by where the neighbour stands. */
static int slot_of(const struct body *body, int a, int b) {
    static const int right[] = {1, 0, -1, 1, 2, 0}, down[] = {0, 1, 1, 1, 0, 2};
    for (int k = 0; k < 6; ++k)
        if (b % body->columns - a % body->columns == right[k] && b / body->columns - a / body->columns == down[k])
            return k;
    cr_assert_fail("%d and %d are no neighbours", a, b);
    return -1;
}

static void system_create(const struct body *body, const double (*x)[3], struct system *system) {
    *system = (struct system){.nodes = body->nodes,
                              .constraint = memory_new((size_t)body->springs, sizeof *system->constraint)};
    system->jacobian = memory_new((size_t)body->springs, sizeof *system->jacobian);
    system->inverse_mass = memory_new((size_t)body->nodes, sizeof(double));
    system->error = memory_new((size_t)body->springs, sizeof(double));
    for (int i = 0; i < body->nodes; ++i) {
        system->inverse_mass[i] = body->pinned[i] ? 0 : 1 / body->mass;
        for (int s = 0; s < body_slots(body, i); ++s) {
            int j;
            double rest;
            if (!body_spring(body, i, s, &j, &rest) || j < i || (body->pinned[i] && body->pinned[j]))
                continue;
            const int c = system->count++;
            system->constraint[c] = (struct constraint){i, j, slot_of(body, i, j), rest};
            system->error[c] = -rest * rest;
            for (int k = 0; k < 3; ++k) {
                system->error[c] += (x[i][k] - x[j][k]) * (x[i][k] - x[j][k]);
                system->jacobian[c][k] = 2 * (x[i][k] - x[j][k]);
            }
        }
    }
}

static void system_free(struct system *system) {
    free(system->constraint);
    free(system->jacobian);
    free(system->inverse_mass);
    free(system->error);
}

/* The sign with which a node stands in a constraint; 0 where it does not. */
static int sign_in(const struct constraint *c, int node) {
    return c->a == node ? 1 : c->b == node ? -1 : 0;
}

/* An entry of J M^-1 J^T. */
static double entry(const struct system *system, int c, int d) {
    const struct constraint *first = &system->constraint[c];
    const int ends[2] = {first->a, first->b};
    double sum = 0;
    for (int e = 0; e < 2; ++e)
        for (int k = 0; k < 3; ++k)
            sum += sign_in(first, ends[e]) * sign_in(&system->constraint[d], ends[e]) * system->inverse_mass[ends[e]] *
                   system->jacobian[c][k] * system->jacobian[d][k];
    return sum;
}

/* b of (12), under a weight along y. */
static double right_side(const struct system *system, int c, const double (*v)[3], double gravity, double dt) {
    const struct constraint *at = &system->constraint[c];
    double b = system->error[c] / (dt * dt);
    for (int k = 0; k < 3; ++k) {
        const double weight = k == 1 ? gravity : 0;
        b += system->jacobian[c][k] * (v[at->a][k] - v[at->b][k]) / dt;
        b += system->jacobian[c][k] *
             ((system->inverse_mass[at->a] > 0 ? weight : 0) - (system->inverse_mass[at->b] > 0 ? weight : 0));
    }
    return b;
}

/* ---- The matrix ---- */

/* Runs kernels on memory of its own, one at a time. */
struct bench {
    const struct program *program;
    void *memory[PROGRAM_BUFFERS];
};

static void bench_create(struct bench *bench, const struct cloth *cloth, const double (*x)[3]) {
    bench->program = &cloth->model.program;
    for (int b = 0; b < bench->program->buffer_count; ++b) {
        bench->memory[b] = memory_large(bench->program->buffers[b].items * bench->program->buffers[b].item_size);
        cr_assert_not_null(bench->memory[b]);
        cloth->model.method->fill(cloth->model.run, &cloth->model.body, bench->program, b, bench->memory[b]);
    }
    for (int i = 0; i < cloth->model.body.nodes; ++i)
        memcpy((double *)bench->memory[bench->program->positions] + 4 * (size_t)i, x[i], sizeof x[i]);
}

static void bench_free(struct bench *bench) {
    for (int b = 0; b < bench->program->buffer_count; ++b)
        free(bench->memory[b]);
}

static void bench_run(struct bench *bench, const char *name) {
    for (int k = 0; k < bench->program->kernel_count; ++k) {
        const struct kernel *kernel = &bench->program->kernels[k];
        void *arguments[KERNEL_BUFFERS];
        if (strcmp(kernel->name, name) != 0)
            continue;
        for (int b = 0; b < kernel->buffer_count; ++b)
            arguments[b] = bench->memory[kernel->buffers[b]];
        kernel->loop(arguments, bench->program->parameters, 0, (struct range){0, kernel->columns, 0, 1});
        return;
    }
    cr_assert_fail("no kernel %s", name);
}

/* What an iteration takes from a residual of 0, along a direction that is 1 for one constraint: a column of A. */
static void column_of(struct bench *bench, const struct cloth *cloth, const struct system *system, int c, double *out) {
    double *residual = bench->memory[buffer_of(cloth, "residual")];
    double *direction = bench->memory[buffer_of(cloth, "direction")];
    const size_t count = bench->program->buffers[buffer_of(cloth, "residual")].items;
    const size_t pitch = pitch_of(cloth);
    const struct constraint *at = &system->constraint[c];
    bench_run(bench, "constraint_enforcement_prepare");
    bench_run(bench, "constraint_enforcement_begin");
    memset(residual, 0, count * sizeof(double));
    residual[(size_t)at->slot * pitch + (size_t)at->a] = 1;
    memcpy(bench->memory[buffer_of(cloth, "squared_residual")], (double[4]){1, 1, 0, 0}, sizeof(double[4]));
    bench_run(bench, "constraint_enforcement_direction");
    memcpy(direction, bench->memory[buffer_of(cloth, "direction_next")], count * sizeof(double)); /* the swap */
    memset(residual, 0, count * sizeof(double));
    memcpy(bench->memory[buffer_of(cloth, "curvature")], (double[4]){1, 0, 0, 0}, sizeof(double[4])); /* alpha = 1 */
    bench_run(bench, "constraint_enforcement_stride");
    for (int d = 0; d < system->count; ++d)
        out[d] = -residual[(size_t)system->constraint[d].slot * pitch + (size_t)system->constraint[d].a];
}

#define METHOD(more)      "method: {name: constraint_enforcement, precision: double" more "}\n"
#define CLOTH(n, m, more) "body: {cloth: {nodes: [" n ", " m "]" more "}, node_mass: 0.5 kg}\n"
#define ONE_STEP          "time: {step: 10 ms, frames: 1}\n"

Test(constraint_enforcement, the_matrix_is_that_of_twelve_symmetric_and_semidefinite) {
    static const char *const regularisations[] = {"0 m^2/kg", "0.25 m^2/kg"};
    for (int r = 0; r < 2; ++r) {
        struct cloth cloth;
        struct system system;
        struct bench bench;
        cloth_create(&cloth, CLOTH("5", "6", ", pins: corners") METHOD(", iterations: 1, regularisation: %s") ONE_STEP,
                     regularisations[r]);
        double(*x)[3] = shaken(&cloth, 0.05, 7);
        system_create(&cloth.model.body, (const double(*)[3])x, &system);
        bench_create(&bench, &cloth, (const double(*)[3])x);
        const size_t n = (size_t)system.count;
        double *a = memory_new(n * n, sizeof *a);
        for (int c = 0; c < system.count; ++c)
            column_of(&bench, &cloth, &system, c, a + (size_t)c * n);
        for (int c = 0; c < system.count; ++c)
            for (int d = 0; d < system.count; ++d) {
                const double here = a[(size_t)c * n + (size_t)d];
                cr_expect_float_eq(here, entry(&system, c, d) + (c == d ? 0.25 * r : 0), 1e-13);
                cr_expect_float_eq(here, a[(size_t)d * n + (size_t)c], 1e-14);
            }
        gsl_matrix_view matrix = gsl_matrix_view_array(a, n, n);
        gsl_vector *values = gsl_vector_alloc(n);
        gsl_eigen_symm_workspace *room = gsl_eigen_symm_alloc(n);
        gsl_eigen_symm(&matrix.matrix, values, room);
        int zeros = 0;
        for (size_t k = 0; k < n; ++k) {
            const double value = gsl_vector_get(values, k) - 0.25 * r;
            cr_expect_gt(value, -1e-12, "%g", value);
            zeros += value < 1e-12;
        }
        /* 127 springs, of which none leads from a held node to another, and 26 nodes that move. */
        cr_expect_eq(system.count, 127);
        cr_expect_geq(zeros, 127 - 3 * 26, "%d", zeros);
        gsl_eigen_symm_free(room);
        gsl_vector_free(values);
        free(a);
        free(x);
        bench_free(&bench);
        system_free(&system);
        cloth_free(&cloth);
    }
}

/* ---- The multipliers ---- */

/* (A + eps I)^-1 b by a Cholesky factorisation. Newly allocated. */
static double *solve(const struct system *system, const double *b, double regularisation) {
    cholmod_common common;
    cholmod_start(&common);
    const size_t n = (size_t)system->count;
    cholmod_triplet *triplet = cholmod_allocate_triplet(n, n, n * n, 1, CHOLMOD_REAL, &common);
    for (int c = 0; c < system->count; ++c)
        for (int d = c; d < system->count; ++d) {
            const double value = entry(system, c, d) + (c == d ? regularisation : 0);
            if (value != 0) {
                ((int *)triplet->i)[triplet->nnz] = c;
                ((int *)triplet->j)[triplet->nnz] = d;
                ((double *)triplet->x)[triplet->nnz++] = value;
            }
        }
    cholmod_sparse *matrix = cholmod_triplet_to_sparse(triplet, 0, &common);
    cholmod_factor *factor = cholmod_analyze(matrix, &common);
    cholmod_factorize(matrix, factor, &common);
    cr_assert_eq(common.status, CHOLMOD_OK, "the matrix is not positive definite");
    cholmod_dense *right = cholmod_allocate_dense(n, 1, n, CHOLMOD_REAL, &common);
    memcpy(right->x, b, n * sizeof *b);
    cholmod_dense *solution = cholmod_solve(CHOLMOD_A, factor, right, &common);
    double *lambda = memory_new(n, sizeof *lambda);
    memcpy(lambda, solution->x, n * sizeof *lambda);
    cholmod_free_dense(&solution, &common);
    cholmod_free_dense(&right, &common);
    cholmod_free_factor(&factor, &common);
    cholmod_free_sparse(&matrix, &common);
    cholmod_free_triplet(&triplet, &common);
    cholmod_finish(&common);
    return lambda;
}

/* The largest difference between the multipliers that a step took and those of the factorisation, over the largest of
 * these. The cloth has made one step from x and v. */
static double wrong_by(struct cloth *cloth, const double (*x)[3], const double (*v)[3], double regularisation) {
    const double dt = run_number(cloth->model.run, "time.step", 0);
    const double gravity = run_number(cloth->model.run, "scene.gravity", 1);
    const int kept = buffer_of(cloth, "kept");
    double *lambda = memory_new(cloth->model.program.buffers[kept].items, sizeof *lambda);
    struct system system;
    system_create(&cloth->model.body, x, &system);
    double *b = memory_new((size_t)system.count, sizeof *b), most = 0, size = 0;
    for (int c = 0; c < system.count; ++c)
        b[c] = right_side(&system, c, v, gravity, dt);
    double *exact = solve(&system, b, regularisation);
    cr_assert_eq(engine_read(simulation_engine(cloth->simulation), kept, lambda), STATUS_OK);
    for (int c = 0; c < system.count; ++c) {
        const struct constraint *at = &system.constraint[c];
        most = fmax(most, fabs(lambda[(size_t)at->slot * pitch_of(cloth) + (size_t)at->a] - exact[c]));
        size = fmax(size, fabs(exact[c]));
    }
    free(lambda);
    free(exact);
    free(b);
    system_free(&system);
    return most / size;
}

Test(constraint_enforcement, the_multipliers_are_those_of_a_direct_factorisation) {
    static const struct {
        const char *springs, *pins, *regularisation;
        double eps;
    } table[] = {{"[structural]", "none", "0 m^2/kg", 0},
                 {"[structural]", "corners", "0 m^2/kg", 0},
                 {"[structural, shear, bend]", "corners", "0.01 m^2/kg", 0.01},
                 {"[structural, shear]", "border", "0.01 m^2/kg", 0.01},
                 {"[structural, bend]", "row", "0.01 m^2/kg", 0.01}};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct cloth cloth;
        cloth_create(&cloth,
                     CLOTH("6", "5", ", springs: %s, pins: %s")
                         METHOD(", iterations: 500, tolerance: 1e-12, regularisation: %s") ONE_STEP,
                     table[t].springs, table[t].pins, table[t].regularisation);
        double(*x)[3] = shaken(&cloth, 0.04, 3), (*v)[3] = moving(&cloth, 0.5, 4);
        cloth_open(&cloth, "serial");
        cloth_set(&cloth, (const double(*)[3])x, (const double(*)[3])v);
        const struct state *state = state_after(cloth.simulation, 1);
        const double wrong = wrong_by(&cloth, (const double(*)[3])x, (const double(*)[3])v, table[t].eps);
        cr_expect_lt(wrong, 1e-8, "%s %s: %g", table[t].springs, table[t].pins, wrong);
        cr_expect_leq(quantity(&cloth, state, "residual"), 1e-12);
        cr_expect_lt(quantity(&cloth, state, "iterations"), 500, "the tolerance ends it");
        cr_expect_eq(quantity(&cloth, state, "diverged_steps"), 0);
        free(x);
        free(v);
        cloth_free(&cloth);
    }
}

Test(constraint_enforcement, a_warm_start_ends_where_a_cold_one_does) {
    static const char *const starts[] = {"no", "yes"};
    double iterations[2];
    for (int w = 0; w < 2; ++w) {
        struct cloth cloth;
        cloth_create(&cloth,
                     CLOTH("6", "5", ", springs: [structural], pins: corners")
                         METHOD(", iterations: 500, tolerance: 1e-12, warm_start: %s") ONE_STEP,
                     starts[w]);
        double(*x)[3] = shaken(&cloth, 0.04, 3), (*v)[3] = moving(&cloth, 0.5, 4);
        cloth_open(&cloth, "serial");
        cloth_set(&cloth, (const double(*)[3])x, (const double(*)[3])v);
        const struct state *state = state_after(cloth.simulation, 1);
        /* The next step, of which the first's multipliers are a good guess. */
        memcpy(x, state->position, (size_t)cloth.model.body.nodes * sizeof *x);
        memcpy(v, state->velocity, (size_t)cloth.model.body.nodes * sizeof *v);
        state = state_after(cloth.simulation, 1);
        cr_expect_lt(wrong_by(&cloth, (const double(*)[3])x, (const double(*)[3])v, 0), 1e-8);
        cr_expect_leq(quantity(&cloth, state, "residual"), 1e-12);
        iterations[w] = quantity(&cloth, state, "iterations");
        free(x);
        free(v);
        cloth_free(&cloth);
    }
    cr_expect_neq(iterations[0], iterations[1], "%g: it does begin elsewhere", iterations[0]);
}

/* A weight that hangs at rest is held by the same multipliers in each step: no iteration is left to a warm start. */
Test(constraint_enforcement, what_hangs_still_is_held_by_the_multipliers_before) {
    static const char *const starts[] = {"no", "yes"};
    for (int w = 0; w < 2; ++w) {
        struct cloth cloth;
        cloth_create(&cloth,
                     CLOTH("3", "6", ", springs: [structural], pins: row, plane: vertical")
                         METHOD(", iterations: 50, tolerance: 1e-9, warm_start: %s") ONE_STEP,
                     starts[w]);
        cloth_open(&cloth, "serial");
        cr_expect_gt(quantity(&cloth, state_after(cloth.simulation, 1), "iterations"), 0);
        const double second = quantity(&cloth, state_after(cloth.simulation, 1), "iterations");
        cr_expect(w ? second == 0 : second > 0, "%s: %g", starts[w], second);
        cloth_free(&cloth);
    }
}

/* ---- Cases by hand ---- */

/* Two nodes under two that are held, straight down: A is 4 L^2 / m, b is 2 L g, and lambda = m g / (2 L) holds them. */
Test(constraint_enforcement, a_hanging_node_is_held_by_half_its_weight_over_its_length) {
    struct cloth cloth;
    double kept[2048], velocity[4][3] = {{0}};
    cloth_create(&cloth, CLOTH("2", "2", ", size: [1 m, 2 m], springs: [structural], pins: row, plane: vertical")
                             METHOD(", iterations: 3") ONE_STEP);
    cloth_open(&cloth, "serial");
    cloth_set(&cloth, (const double(*)[3])cloth.model.body.position, (const double(*)[3])velocity);
    const struct state *state = state_after(cloth.simulation, 1);
    const size_t pitch = pitch_of(&cloth);
    cr_assert_eq(engine_read(simulation_engine(cloth.simulation), buffer_of(&cloth, "kept"), kept), STATUS_OK);
    for (size_t i = 0; i < 2; ++i) { /* the springs below the two upper nodes, slot 1; the lower one across, slot 0 */
        cr_expect_float_eq(kept[pitch + i], 0.5 * 9.8 / (2 * 2.0), 1e-15, "%.17g", kept[pitch + i]);
        cr_expect_eq(kept[2 + i], 0);
    }
    for (int k = 0; k < 12; ++k) {
        cr_expect_float_eq(((const double *)state->velocity)[k], 0, 1e-15);
        cr_expect_float_eq(((const double *)state->position)[k], cloth.model.body.position[k / 3][k % 3], 1e-15);
    }
    cr_expect_eq(quantity(&cloth, state, "residual"), 0);
    cr_expect_eq(quantity(&cloth, state, "iterations"), 1, "b is a multiple of an eigenvector");
    cloth_free(&cloth);
}

/* A spring that is too long is one step of Newton's method from its length: it loses Phi / (2 L). */
Test(constraint_enforcement, a_stretched_pair_makes_a_step_of_newtons_method) {
    struct cloth cloth;
    double x[4][3], v[4][3] = {{0}};
    cloth_create(&cloth, CLOTH("2", "2", ", size: [1 m, 2 m], springs: [structural], pins: row, plane: vertical")
                             METHOD(", iterations: 1") "scene: {gravity: [0, 0, 0]}\n" ONE_STEP);
    cloth_open(&cloth, "serial");
    memcpy(x, cloth.model.body.position, sizeof x);
    x[2][1] = x[3][1] = -2.5;
    cloth_set(&cloth, (const double(*)[3])x, (const double(*)[3])v);
    const struct state *state = state_after(cloth.simulation, 1);
    const double moved = (2.5 * 2.5 - 2.0 * 2.0) / (2 * 2.5);
    for (int i = 2; i < 4; ++i) {
        cr_expect_float_eq(((const double *)state->position)[3 * i + 1], -2.5 + moved, 1e-14);
        cr_expect_float_eq(((const double *)state->velocity)[3 * i + 1], moved / 0.01, 1e-12);
    }
    cloth_free(&cloth);
}

/* A constraint holds the nearest of the lengths that its threshold allows: one that is within has its rate held alone.
 */
Test(constraint_enforcement, a_threshold_is_where_a_constraint_holds_its_spring) {
    static const struct {
        double length, speed, after;
    } table[] = {{2.1, 0, 2.1},
                 {2.1, 3, 2.1},
                 {2.5, 0, 2.5 - (2.5 * 2.5 - 2.2 * 2.2) / 5},
                 {1.5, 0, 1.5 + (1.8 * 1.8 - 1.5 * 1.5) / 3}};
    struct cloth cloth;
    cloth_create(&cloth, CLOTH("2", "2", ", size: [1 m, 2 m], springs: [structural], pins: row, plane: vertical")
                             METHOD(", iterations: 1, threshold: 10 %%") "scene: {gravity: [0, 0, 0]}\n" ONE_STEP);
    cloth_open(&cloth, "serial");
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        double x[4][3], v[4][3] = {{0}};
        memcpy(x, cloth.model.body.position, sizeof x);
        x[2][1] = x[3][1] = -table[t].length;
        v[2][1] = v[3][1] = table[t].speed;
        cloth_set(&cloth, (const double(*)[3])x, (const double(*)[3])v);
        const double after = -((const double *)state_after(cloth.simulation, 1)->position)[7];
        cr_expect_float_eq(after, table[t].after, 1e-13, "%g at %g: %.17g", table[t].length, table[t].speed, after);
    }
    cloth_free(&cloth);
}

/* ---- What a step leaves of the constraints ---- */

/* Phi is a square: the series (11) leaves out dt^2 |v1 - v2|^2 of it and nothing else. Returns the largest. */
static double left_of(const char *step) {
    struct cloth cloth;
    cloth_create(&cloth,
                 CLOTH("5", "4", ", springs: [structural], pins: none")
                     METHOD(", iterations: 400, tolerance: 1e-13") "scene: {gravity: [0, 0, 0]}\n"
                                                                   "time: {step: %s, frames: 1}\n",
                 step);
    double(*v)[3] = moving(&cloth, 1, 9), most = 0;
    struct system after;
    cloth_open(&cloth, "serial");
    cloth_set(&cloth, (const double(*)[3])cloth.model.body.position, (const double(*)[3])v);
    const struct state *state = state_after(cloth.simulation, 1);
    const double dt = run_number(cloth.model.run, "time.step", 0);
    const double(*u)[3] = (const double(*)[3])state->velocity;
    system_create(&cloth.model.body, (const double(*)[3])state->position, &after);
    for (int c = 0; c < after.count; ++c) {
        const struct constraint *at = &after.constraint[c];
        double squared = 0;
        for (int k = 0; k < 3; ++k)
            squared += (u[at->a][k] - u[at->b][k]) * (u[at->a][k] - u[at->b][k]);
        cr_expect_float_eq(after.error[c], dt * dt * squared, 1e-13 + 1e-9 * dt * dt * squared, "%g of %g",
                           after.error[c], dt * dt * squared);
        most = fmax(most, after.error[c]);
    }
    system_free(&after);
    free(v);
    cloth_free(&cloth);
    return most;
}

Test(constraint_enforcement, what_a_step_leaves_is_the_squared_way_and_of_second_order) {
    const double coarse = left_of("8 ms"), middle = left_of("4 ms"), fine = left_of("2 ms");
    cr_expect_float_eq(coarse / middle, 4, 0.1, "%g", coarse / middle);
    cr_expect_float_eq(middle / fine, 4, 0.1, "%g", middle / fine);
}

/* Over 10,000 steps of a cloth that swings, what is left of the constraints does not add up, nor does the energy, which
 * goes to and fro by a part of what the fall gives: over 20 J. */
Test(constraint_enforcement, nothing_drifts_over_ten_thousand_steps) {
    static const char *const precisions[] = {"float", "double"};
    for (int t = 0; t < 2; ++t) {
        struct cloth cloth;
        cloth_create(&cloth,
                     "body: {cloth: {nodes: [3, 3], springs: [structural], pins: row, plane: horizontal}, "
                     "node_mass: 0.5 kg}\n"
                     "method: {name: constraint_enforcement, iterations: 12, precision: %s}\n"
                     "time: {step: 1 ms, steps_per_frame: 100, frames: 100}\n",
                     precisions[t]);
        cloth_open(&cloth, "serial");
        double most = 0;
        for (int f = 0; f < 100; ++f) {
            const struct state *state = state_after(cloth.simulation, 1);
            const double strain = quantity(&cloth, state, "largest_strain"),
                         fallen = -quantity(&cloth, state, "potential_energy"),
                         energy = quantity(&cloth, state, "kinetic_energy") - fallen;
            most = fmax(most, fallen);
            cr_expect_lt(strain, 2e-4, "%s, frame %d: %g", precisions[t], f, strain);
            cr_expect_lt(fabs(energy), 0.06, "%s, frame %d: %g J", precisions[t], f, energy);
        }
        cr_expect_gt(most, 20, "%g J", most);
        cloth_free(&cloth);
    }
}

/* ---- A system without a solution ---- */

/* The residual of b - A lambda, over that of b, from the matrix itself. */
static double residual_of(struct cloth *cloth, const double (*x)[3], const double (*v)[3]) {
    const double dt = run_number(cloth->model.run, "time.step", 0);
    const double gravity = run_number(cloth->model.run, "scene.gravity", 1);
    const int kept = buffer_of(cloth, "kept");
    double *lambda = memory_new(cloth->model.program.buffers[kept].items, sizeof *lambda), left = 0, all = 0;
    struct system system;
    cr_assert_eq(engine_read(simulation_engine(cloth->simulation), kept, lambda), STATUS_OK);
    system_create(&cloth->model.body, x, &system);
    for (int c = 0; c < system.count; ++c) {
        const double b = right_side(&system, c, v, gravity, dt);
        double r = b;
        for (int d = 0; d < system.count; ++d)
            r -= entry(&system, c, d) *
                 lambda[(size_t)system.constraint[d].slot * pitch_of(cloth) + (size_t)system.constraint[d].a];
        left += r * r;
        all += b * b;
    }
    free(lambda);
    system_free(&system);
    return sqrt(left / all);
}

/* A stretched cloth with all springs has more constraints than coordinates: the iteration goes past the least residual,
 * of which the multipliers are taken. */
Test(constraint_enforcement, where_there_is_no_solution_the_least_residual_is_taken) {
    double before = INFINITY;
    static const int iterations[] = {1, 5, 20, 60, 400};
    for (int k = 0; k < 5; ++k) {
        struct cloth cloth;
        cloth_create(&cloth, CLOTH("12", "12", ", pins: corners") METHOD(", iterations: %d") ONE_STEP, iterations[k]);
        double(*x)[3] = shaken(&cloth, 0.02, 11), (*v)[3] = moving(&cloth, 0.1, 12);
        cloth_open(&cloth, "serial");
        cloth_set(&cloth, (const double(*)[3])x, (const double(*)[3])v);
        const struct state *state = state_after(cloth.simulation, 1);
        const double residual = quantity(&cloth, state, "residual");
        cr_expect_float_eq(residual, residual_of(&cloth, (const double(*)[3])x, (const double(*)[3])v), 1e-6, "%g",
                           residual);
        cr_expect_leq(residual, before);
        cr_expect_gt(residual, 0.05, "there is no solution");
        cr_expect_leq(residual, quantity(&cloth, state, "last_residual"));
        cr_expect_leq(quantity(&cloth, state, "kept_iteration"), quantity(&cloth, state, "iterations"));
        if (k == 4)
            cr_expect_lt(quantity(&cloth, state, "kept_iteration"), quantity(&cloth, state, "iterations"));
        before = residual;
        free(x);
        free(v);
        cloth_free(&cloth);
    }
}

/* Where all nodes lie in one place, A is 0, and no direction leads anywhere: the iteration ends with its first, and the
 * multipliers stay 0. */
Test(constraint_enforcement, it_ends_where_nothing_can_be_moved) {
    static const struct {
        const char *backend, *way;
    } table[] = {{"serial", ""}, {"threads:2", ""}, {"opencl", ""}, {"opencl", "launches"}};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct cloth cloth;
        cloth_create(&cloth, CLOTH("40", "3", "") METHOD(", iterations: 10") ONE_STEP);
        const int count = cloth.model.body.nodes;
        double(*x)[3] = memory_new((size_t)count, sizeof *x), (*v)[3] = memory_new((size_t)count, sizeof *v);
        cr_assert_eq(setenv("SPRINGBACK_OPENCL", table[t].way, 1), 0);
        cloth_open(&cloth, table[t].backend);
        cloth_set(&cloth, (const double(*)[3])x, (const double(*)[3])v);
        const struct state *state = state_after(cloth.simulation, 1);
        cr_expect_eq(quantity(&cloth, state, "iterations"), 1, "%s %s: %g", table[t].backend, table[t].way,
                     quantity(&cloth, state, "iterations"));
        cr_expect_eq(quantity(&cloth, state, "residual"), 1);
        cr_expect_eq(quantity(&cloth, state, "last_residual"), 1);
        const double *after = state->position;
        for (int k = 3; k < 3 * count; ++k)
            cr_expect_eq(after[k], after[k % 3]);
        cr_expect_lt(after[1], 0, "it falls");
        cr_assert_eq(unsetenv("SPRINGBACK_OPENCL"), 0);
        free(x);
        free(v);
        cloth_free(&cloth);
    }
}

/* What is noted of a frame is the largest of its steps, and counts those that diverge. */
/* No device here lets groups wait for each other; how such a frame is written can be seen all the same. */
Test(constraint_enforcement, groups_that_meet_leave_the_turns_that_are_left) {
    const struct device meeting = {.compute_units = 132, .group_size = 1024, .is_gpu = true, .may_meet = true},
                        apart = {.compute_units = 132, .group_size = 1024, .is_gpu = true};
    const struct frame_shape shape = {{64, 1}, {128, 1}, 2};
    struct cloth cloth;
    cloth_create(&cloth, CLOTH("40", "3", "") METHOD(", iterations: 10") ONE_STEP);
    char *source = frame_kernel_source(&cloth.model.program, &meeting, &shape);
    const char *repeat = strstr(source, " real ended"), *left = repeat ? strstr(repeat, "if (ended") : NULL,
               *asked = left ? strstr(left, "= constraint_enforcement_ended(") : NULL,
               *made_up = asked ? strstr(asked, "atomic_add(come, begin + ") : NULL;
    cr_assert(repeat && left && asked && made_up, "what was found is looked at a turn later:\n%s", source);
    const char *next = strstr(left, "continue;");
    cr_assert(next && next < asked);
    const char *swap = strstr(left, "*other = ");
    cr_expect(swap && swap < next, "what a turn exchanges is exchanged all the same");
    cr_expect_null(strstr(asked, "if (ended"), "one repetition has turns to be left");
    free(source);
    source = frame_kernel_source(&cloth.model.program, &apart, &shape);
    cr_expect_null(strstr(source, "ended"));
    cr_expect_null(strstr(source, "atomic_add(come, begin"));
    free(source);
    cloth_free(&cloth);
}

Test(constraint_enforcement, a_frame_notes_the_largest_of_its_steps) {
    static const char *const names[] = {"residual", "last_residual", "iterations", "kept_iteration", "diverged_steps"};
    struct cloth each, all;
    double most[5] = {0, 0, 0, 0, 0};
    static const char text[] = CLOTH("9", "9", ", pins: corners")
        METHOD(", iterations: 40, tolerance: 0.3") "time: {step: 10 ms, steps_per_frame: %d, frames: 1}\n";
    cloth_create(&each, text, 1);
    cloth_create(&all, text, 15);
    cloth_open(&each, "serial");
    cloth_open(&all, "serial");
    for (int frame = 0; frame < 2; ++frame) {
        memset(most, 0, sizeof most);
        for (int step = 0; step < 15; ++step) {
            const struct state *state = state_after(each.simulation, 1);
            for (int q = 0; q < 5; ++q) {
                const double here = quantity(&each, state, names[q]);
                most[q] = q == 4 ? most[q] + here : fmax(most[q], here);
            }
        }
        const struct state *state = state_after(all.simulation, 1);
        for (int q = 0; q < 5; ++q)
            cr_expect_eq(quantity(&all, state, names[q]), most[q], "%s: %g, not %g", names[q],
                         quantity(&all, state, names[q]), most[q]);
    }
    cr_expect_gt(most[4], 0);
    cloth_free(&each);
    cloth_free(&all);
}

/* ---- Adaptive constraints ---- */

#define ADAPTIVE_OF(more)                                                                                              \
    "method: {name: adaptive_constraint, iterations: 500, tolerance: 1e-12, precision: double, " more "}\n"

/* Where none is as long as at rest and springs have no stiffness, all are constraints and nothing else. */
Test(adaptive_constraint, without_a_threshold_all_springs_are_constraints) {
    static const char *const texts[] = {"constraint_enforcement",
                                        "adaptive_constraint, stiffness: 0 N/m, threshold: 0, held: rest"};
    char hash[2][DIGEST_SIZE];
    for (int m = 0; m < 2; ++m) {
        struct cloth cloth;
        cloth_create(&cloth,
                     CLOTH("12", "9", ", pins: corners") "method: {name: %s, iterations: 20, precision: double}\n"
                                                         "time: {step: 5 ms, steps_per_frame: 4, frames: 1}\n",
                     texts[m]);
        double(*x)[3] = shaken(&cloth, 0.02, 11), (*v)[3] = moving(&cloth, 0.1, 12);
        cloth_open(&cloth, "serial");
        cloth_set(&cloth, (const double(*)[3])x, (const double(*)[3])v);
        memcpy(hash[m], state_after(cloth.simulation, 1)->hash, DIGEST_SIZE);
        free(x);
        free(v);
        cloth_free(&cloth);
    }
    cr_expect_str_eq(hash[0], hash[1]);
}

/* Where none comes to the threshold there are springs and nothing else, added up in another order. */
Test(adaptive_constraint, within_the_threshold_it_is_the_mass_spring_system) {
    static const char *const texts[] = {"mass_spring, ",
                                        "adaptive_constraint, iterations: 3, threshold: 99 %, held: threshold, "};
    double(*x[2])[3];
    size_t reals = 0;
    for (int m = 0; m < 2; ++m) {
        struct cloth cloth;
        cloth_create(
            &cloth,
            CLOTH("7", "8",
                  ", pins: corners") "method: {name: %sstiffness: 300 N/m, damping: 0.1 N s/m, precision: double}\n"
                                     "scene: {push: {acceleration: [1 m/s^2, 2 m/s^2, 3 m/s^2], until: 0.1 s, radius: "
                                     "0.4 m}}\n"
                                     "time: {step: 2 ms, steps_per_frame: 100, frames: 1}\n",
            texts[m]);
        cloth_open(&cloth, "serial");
        reals = 3 * (size_t)cloth.model.body.nodes;
        x[m] = memory_new(reals, sizeof(double));
        const struct state *state = state_after(cloth.simulation, 1);
        memcpy(x[m], state->position, reals * sizeof(double));
        if (m) {
            cr_expect_eq(quantity(&cloth, state, "active_constraints"), 0);
            cr_expect_eq(quantity(&cloth, state, "iterations"), 0, "there is nothing to solve");
        }
        cloth_free(&cloth);
    }
    for (size_t k = 0; k < reals; ++k)
        cr_expect_float_eq(x[0][k / 3][k % 3], x[1][k / 3][k % 3], 1e-12);
    free(x[0]);
    free(x[1]);
}

/* The force of the springs that are no constraints on a node, along k; (1). */
static double spring_pull(const struct body *body, const double (*x)[3], int i, int k, double stiffness,
                          double threshold) {
    double sum = 0;
    for (int s = 0; s < body_slots(body, i); ++s) {
        int j;
        double rest, squared = 0;
        if (!body_spring(body, i, s, &j, &rest))
            continue;
        for (int c = 0; c < 3; ++c)
            squared += (x[i][c] - x[j][c]) * (x[i][c] - x[j][c]);
        const double length = sqrt(squared);
        if (fabs(length / rest - 1) <= threshold)
            sum -= stiffness * (length - rest) * (x[i][k] - x[j][k]) / length;
    }
    return sum;
}

/* One step of a shaken cloth, of which some springs are beyond the threshold, against the system of these alone. */
Test(adaptive_constraint, those_beyond_the_threshold_are_solved_for_and_the_others_pull) {
    static const struct {
        const char *held;
        double share;
    } table[] = {{"threshold", 0.1}, {"rest", 0}};
    for (int t = 0; t < 2; ++t) {
        struct cloth cloth;
        struct system all, acting;
        cloth_create(&cloth,
                     CLOTH("6", "5", ", pins: corners")
                         ADAPTIVE_OF("stiffness: 40 N/m, threshold: 0.1, regularisation: 0.01 m^2/kg, held: %s")
                             ONE_STEP,
                     table[t].held);
        const struct body *body = &cloth.model.body;
        double(*x)[3] = shaken(&cloth, 0.03, 3), (*v)[3] = moving(&cloth, 0, 4), dt = 0.01;
        system_create(body, (const double(*)[3])x, &all);
        acting = all; /* in the same memory: what is written was read before */
        acting.count = 0;
        for (int c = 0; c < all.count; ++c) {
            const double rest = all.constraint[c].rest, squared = all.error[c] + rest * rest;
            const double ratio = sqrt(squared) / rest;
            if (fabs(ratio - 1) <= 0.1)
                continue;
            const double held = rest * (ratio > 1 ? 1 + table[t].share : 1 - table[t].share);
            acting.error[acting.count] = squared - held * held;
            acting.constraint[acting.count] = all.constraint[c];
            memcpy(acting.jacobian[acting.count++], all.jacobian[c], sizeof all.jacobian[c]);
        }
        cr_assert(acting.count > 5 && acting.count < all.count - 5, "%d of %d", acting.count, all.count);
        double *b = memory_new((size_t)acting.count, sizeof *b);
        for (int c = 0; c < acting.count; ++c) {
            b[c] = right_side(&acting, c, (const double(*)[3])v, -9.8, dt);
            for (int k = 0; k < 3; ++k)
                for (int e = 0; e < 2; ++e) {
                    const int i = e ? acting.constraint[c].b : acting.constraint[c].a;
                    b[c] += (e ? -1 : 1) * acting.jacobian[c][k] * acting.inverse_mass[i] *
                            spring_pull(body, (const double(*)[3])x, i, k, 40, 0.1);
                }
        }
        double *lambda = solve(&acting, b, 0.01);
        cloth_open(&cloth, "serial");
        cloth_set(&cloth, (const double(*)[3])x, (const double(*)[3])v);
        const struct state *state = state_after(cloth.simulation, 1);
        for (int i = 0; i < body->nodes; ++i)
            for (int k = 0; k < 3; ++k) {
                double force = spring_pull(body, (const double(*)[3])x, i, k, 40, 0.1) - (k == 1 ? 9.8 * 0.5 : 0);
                for (int c = 0; c < acting.count; ++c)
                    force -= sign_in(&acting.constraint[c], i) * acting.jacobian[c][k] * lambda[c];
                const double speed = dt * acting.inverse_mass[i] * force;
                cr_expect_float_eq(((const double *)state->velocity)[3 * i + k], speed, 1e-8, "%d %d: %g, not %g", i, k,
                                   ((const double *)state->velocity)[3 * i + k], speed);
            }
        free(lambda);
        free(b);
        free(x);
        free(v);
        system_free(&all);
        cloth_free(&cloth);
    }
}

/* A pair of springs that hang free: stretched beyond the threshold, put back to its rest length, and out again. */
Test(adaptive_constraint, constraints_come_and_go_with_the_length) {
    static const struct {
        const char *held;
        double length, speed, after, active, activated, deactivated;
    } table[] = {{"rest", 2.5, 0, 2.5 - (2.5 * 2.5 - 4) / 5, 0, 0, 2},
                 {"threshold", 3, 0, 3 - (9 - 2.2 * 2.2) / 6, 2, 0, 0}, /* to 2.307: a step of Newton's method */
                 {"threshold", 2.15, 10, 2.25, 2, 2, 0},
                 {"rest", 2.15, 1, 2.16, 0, 0, 0},
                 {"rest", 1.7, 0, 1.7 + (4 - 1.7 * 1.7) / 3.4, 0, 0, 2}};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct cloth cloth;
        double x[4][3], v[4][3] = {{0}};
        cloth_create(
            &cloth,
            CLOTH("2", "2", ", size: [1 m, 2 m], springs: [structural], pins: row, plane: vertical")
                ADAPTIVE_OF("stiffness: 0 N/m, threshold: 0.1, held: %s") "scene: {gravity: [0, 0, 0]}\n" ONE_STEP,
            table[t].held);
        cloth_open(&cloth, "serial");
        memcpy(x, cloth.model.body.position, sizeof x);
        x[2][1] = x[3][1] = -table[t].length;
        v[2][1] = v[3][1] = -table[t].speed;
        cloth_set(&cloth, (const double(*)[3])x, (const double(*)[3])v);
        const struct state *state = state_after(cloth.simulation, 1);
        cr_expect_float_eq(-((const double *)state->position)[7], table[t].after, 1e-12, "%zu: %.17g", t,
                           -((const double *)state->position)[7]);
        cr_expect_eq(quantity(&cloth, state, "active_constraints"), table[t].active, "%zu", t);
        cr_expect_eq(quantity(&cloth, state, "activated"), table[t].activated, "%zu", t);
        cr_expect_eq(quantity(&cloth, state, "deactivated"), table[t].deactivated, "%zu", t);
        cloth_free(&cloth);
    }
}

/* ---- What is refused ---- */

Test(constraint_enforcement, what_it_cannot_do_is_refused) {
    static const struct {
        const char *body, *method, *flaw;
    } table[] = {
        {"cloth: {nodes: [4, 4], neighbours: stored}", "constraint_enforcement",
         "test.yaml:4:31: body.cloth.neighbours is stored, and constraint_enforcement finds neighbours by their index; "
         "index would be right"},
        {"cloth: {nodes: [40000, 40000]}", "constraint_enforcement",
         "test.yaml:4:16: a cloth of 40000 x 40000 nodes has more springs than constraint_enforcement can count"},
        {"mesh: " SOURCE_DIR "/tests/small_cube.off",
         "adaptive_constraint, stiffness: 1 N/m, threshold: 0.1, held: rest",
         "test.yaml:5:10: method.name is adaptive_constraint, whose constraints are a cloth's springs, and the body is "
         "a mesh; body.cloth would be right"},
    };
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct plan plan;
        struct model model;
        char *text = text_format("springback: 1\npaper: test\ntitle: t\nbody: {%s, node_mass: 1 g}\n"
                                 "method: {name: %s, iterations: 3}\ntime: {step: 1 ms, frames: 1}\n",
                                 table[t].body, table[t].method);
        plan_from_text(text, &plan);
        failure_clear();
        cr_expect_eq(model_describe(&plan.runs[0], &model), STATUS_BAD);
        cr_expect(strstr(failure_text(), table[t].flaw), "%s", failure_text());
        model_free(&model);
        plan_free(&plan);
        free(text);
    }
}

/* ---- Bits ---- */

static void hash_after(const struct cloth *cloth, const char *backend, int frames, char out[DIGEST_SIZE]) {
    struct simulation *s = simulation_on(&cloth->model, backend);
    const struct state *state = state_after(s, frames);
    cr_expect_not(state->diverged, "%s", backend);
    memcpy(out, state->hash, DIGEST_SIZE);
    simulation_close(s);
}

#define SCENE                                                                                                          \
    "scene: {push: {acceleration: [3 m/s^2, 40 m/s^2, 1 m/s^2], from: 0.01 s, until: 0.05 s, radius: 0.5 m}}\n"        \
    "time: {step: 5 ms, steps_per_frame: 4, frames: 3}\n"
#define OF(precision) "method: {name: constraint_enforcement, iterations: 15, precision: " precision
#define ADAPTIVE                                                                                                       \
    "method: {name: adaptive_constraint, iterations: 15, stiffness: 2 N/m, damping: 0.001 N s/m, threshold: 2 %, "     \
    "held: threshold, precision: "

Test(constraint_enforcement, the_bits_are_the_same_everywhere) {
    static const struct {
        int columns, rows;
        const char *springs, *method;
        bool on_device; /* whose compiler takes a second for each */
    } table[] = {
        {33, 40, "[shear, bend]", OF("float") ", warm_start: yes}", true},
        {33, 9, "[structural]", ADAPTIVE "double, regularisation: 0.001 m^2/kg}", true},
        {9, 7, "[structural, shear]", OF("double") ", warm_start: yes, regularisation: 0.001 m^2/kg}", false},
        {2, 2, "[structural, shear, bend]", OF("float") "}", false},
        {3, 200, "[structural, bend]", OF("float") ", tolerance: 0.4}", false},
        {300, 5, "[structural, shear, bend]", OF("double") "}", false},
        {40, 64, "[structural, shear]", OF("float") ", threshold: 1 %}", false},
        {61, 47, "[structural]", OF("double") ", tolerance: 0.01}", false},
        {24, 30, "[structural, shear, bend]", ADAPTIVE "float}", false},
        {40, 2, "[structural, shear, bend]", OF("float") ", tolerance: 0.3}", false},
        {16, 3, "[structural, shear, bend]", OF("float") "}", false},
        {53, 37, "[structural, shear]", ADAPTIVE "float, tolerance: 0.1}", false},
        {19, 130, "[shear, bend]", OF("float") ", tolerance: 0.3, warm_start: yes}", false},
    };
    static const char *const levels[] = {"base", "v3", "v4"}, *const threads[] = {"threads:1", "threads:2",
                                                                                  "threads:5"};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t)
        for (int l = 0; l < 3; ++l) {
            struct cloth cloth;
            char reference[DIGEST_SIZE], hash[DIGEST_SIZE];
            cr_assert_eq(setenv("SPRINGBACK_LEVEL", levels[l], 1), 0);
            cloth_create(&cloth, "body: {cloth: {nodes: [%d, %d], springs: %s, pins: corners}, node_mass: 1 g}\n%s\n%s",
                         table[t].columns, table[t].rows, table[t].springs, table[t].method, SCENE);
            hash_after(&cloth, "serial", 3, reference);
            for (int b = 0; b < 2; ++b) {
                hash_after(&cloth, threads[b], 3, hash);
                cr_expect_str_eq(hash, reference, "%d x %d on %s at %s", table[t].columns, table[t].rows, threads[b],
                                 levels[l]);
            }
            if (table[t].on_device && l == 0) {
                hash_after(&cloth, "opencl", 3, hash);
                cr_expect_str_eq(hash, reference, "%d x %d on OpenCL", table[t].columns, table[t].rows);
            }
            cloth_free(&cloth);
        }
}

Test(constraint_enforcement, frames_do_not_change_the_steps) {
    static const char *const starts[] = {"no", "yes"};
    for (int w = 0; w < 2; ++w) {
        struct cloth few, many;
        char a[DIGEST_SIZE], b[DIGEST_SIZE];
        static const char text[] = CLOTH("10", "8", ", pins: corners")
            METHOD(", iterations: 15, warm_start: %s") "time: {step: 5 ms, steps_per_frame: %d, frames: 1}\n";
        cloth_create(&few, text, starts[w], 12);
        cloth_create(&many, text, starts[w], 1);
        hash_after(&few, "threads:2", 2, a);
        hash_after(&many, "serial", 24, b);
        cr_expect_str_eq(a, b, "%s", starts[w]);
        cloth_free(&few);
        cloth_free(&many);
    }
}

/* A rewound simulation does not remember what its steps left for the next. */
Test(constraint_enforcement, a_rewound_simulation_repeats_itself) {
    struct cloth cloth;
    char first[DIGEST_SIZE];
    cloth_create(&cloth, CLOTH("10", "8", ", pins: corners")
                             METHOD(", iterations: 15, warm_start: yes") "time: {step: 5 ms, frames: 1}\n");
    cloth_open(&cloth, "threads:2");
    memcpy(first, state_after(cloth.simulation, 20)->hash, DIGEST_SIZE);
    cr_assert_eq(simulation_rewind(cloth.simulation), STATUS_OK);
    cr_expect_str_eq(state_after(cloth.simulation, 20)->hash, first);
    cloth_free(&cloth);
}

/* These are the bits that this version makes everywhere. A change here is a change of results, and must be meant. */
Test(constraint_enforcement, golden_hashes) {
    static const struct {
        const char *precision, *hash;
    } table[] = {{"float", "073c9ebd7e23eeb836b8113cd9004407"}, {"double", "589a62102d8716c7d97647e544001f30"}};
    for (int k = 0; k < 2; ++k) {
        struct cloth cloth;
        char hash[DIGEST_SIZE];
        cloth_create(&cloth,
                     "body: {cloth: {nodes: [40, 30], pins: corners}, node_mass: 1 g}\n"
                     "method: {name: constraint_enforcement, iterations: 20, precision: %s}\n" SCENE,
                     table[k].precision);
        hash_after(&cloth, "serial", 5, hash);
        cr_expect_str_eq(hash, table[k].hash, "%s: %s", table[k].precision, hash);
        cloth_free(&cloth);
    }
}

/* The same of a calm cloth, where few springs are constraints and most nodes are passed by. The hashes are those of the
 * method that went over all nodes. */
Test(adaptive_constraint, golden_hashes_where_most_nodes_sleep) {
    static const struct {
        const char *precision, *hash;
    } table[] = {{"float", "735bd1d6efe12df21b385532c8782a1d"}, {"double", "bea956d72e9db97eef570e14039a7e75"}};
    static const char *const backends[] = {"serial", "threads:2", "opencl"};
    for (int k = 0; k < 2; ++k) {
        struct cloth cloth;
        char hash[DIGEST_SIZE];
        cloth_create(&cloth,
                     "body: {cloth: {nodes: [40, 30], springs: [structural, shear, bend], pins: corners}, node_mass: 1 "
                     "g}\n"
                     "method: {name: adaptive_constraint, iterations: 20, stiffness: 20 N/m, damping: 0.001 N s/m, "
                     "threshold: 10 %%, held: threshold, precision: %s}\n"
                     "time: {step: 5 ms, steps_per_frame: 4, frames: 5}\n",
                     table[k].precision);
        for (int b = 0; b < 3; ++b) {
            hash_after(&cloth, backends[b], 5, hash);
            cr_expect_str_eq(hash, table[k].hash, "%s on %s: %s", table[k].precision, backends[b], hash);
        }
        cloth_free(&cloth);
    }
}
