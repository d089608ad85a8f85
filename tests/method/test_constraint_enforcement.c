/* Tests of the physics of constraint_enforcement: comparisons with the matrix of the equations, with a direct
 * factorisation and with results computed by hand, and invariants. The numbers of equations are those of va2022. */
#include "constraint_direct.h"

#include <gsl/gsl_eigen.h>

/* ---- The matrix ---- */

/* The buffers of a program in the test's own memory, on which the test runs one kernel at a time. */
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
        _Alignas(max_align_t) char arguments[ARGUMENT_BYTES];
        if (strcmp(kernel->name, name) != 0)
            continue;
        kernel_arguments(bench->program, kernel, bench->memory, 0, arguments);
        kernel->loop(arguments, (struct range){0, kernel->columns, 0, 1});
        return;
    }
    cr_assert_fail("no kernel %s", name);
}

/* Store column c of A, the matrix of (12), in `out`. An iteration subtracts alpha A p from the residual. Here the
 * residual is 0, and alpha is 1. The direction p is 1 for constraint c and 0 for all other constraints. So the residual
 * becomes minus the column. */
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
    memcpy(direction, bench->memory[buffer_of(cloth, "direction_next")],
           count * sizeof(double)); /* the program does this by STAGE_SWAP, which is no kernel */
    memset(residual, 0, count * sizeof(double));
    memcpy(bench->memory[buffer_of(cloth, "curvature")], (double[4]){1, 0, 0, 0}, sizeof(double[4])); /* alpha = 1 */
    bench_run(bench, "constraint_enforcement_stride");
    for (int d = 0; d < system->count; ++d)
        out[d] = -residual[(size_t)system->constraint[d].slot * pitch + (size_t)system->constraint[d].a];
}

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
        gsl_eigen_symm_workspace *workspace = gsl_eigen_symm_alloc(n);
        gsl_eigen_symm(&matrix.matrix, values, workspace);
        int zeros = 0;
        for (size_t k = 0; k < n; ++k) {
            const double value = gsl_vector_get(values, k) - 0.25 * r;
            cr_expect_gt(value, -1e-12, "%g", value);
            zeros += value < 1e-12;
        }
        /* All 127 springs are constraints, because no spring joins two pinned nodes. Only 26 nodes move, in 3
         * coordinates. So at least 127 - 3 * 26 eigenvalues are 0. */
        cr_expect_eq(system.count, 127);
        cr_expect_geq(zeros, 127 - 3 * 26, "%d", zeros);
        gsl_eigen_symm_free(workspace);
        gsl_vector_free(values);
        free(a);
        free(x);
        bench_free(&bench);
        system_free(&system);
        cloth_free(&cloth);
    }
}

/* ---- The multipliers ---- */

/* Compare the multipliers of the program with those of a direct factorisation. Returns the largest difference, divided
 * by the largest multiplier of the factorisation. The last step of the cloth must have started from x and v. */
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
        cr_expect_lt(quantity(&cloth, state, "iterations"), 500, "the tolerance was not reached");
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
        /* The second step starts from x and v. The multipliers of the first step are a good start for it. */
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
    cr_expect_neq(iterations[0], iterations[1], "%g iterations with both starts: the warm start has no effect",
                  iterations[0]);
}

/* For a cloth that hangs at rest, the multipliers are the same in each step. With a warm start, the second step
 * therefore needs no iteration. */
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

/* Two nodes of mass m hang at the distance L below pinned nodes. For each vertical spring, the element of A is 4 L^2 /
 * m, and b is 2 L g. So lambda = m g / (2 L), which supports the node. */
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
    for (size_t i = 0; i < 2; ++i) { /* slot 1 of nodes 0, 1: vertical springs; slot 0 of nodes 2, 3: not vertical */
        cr_expect_float_eq(kept[pitch + i], 0.5 * 9.8 / (2 * 2.0), 1e-15, "%.17g", kept[pitch + i]);
        cr_expect_eq(kept[2 + i], 0);
    }
    for (int k = 0; k < 12; ++k) {
        cr_expect_float_eq(((const double *)state->velocity)[k], 0, 1e-15);
        cr_expect_float_eq(((const double *)state->position)[k], cloth.model.body.position[k / 3][k % 3], 1e-15);
    }
    cr_expect_eq(quantity(&cloth, state, "residual"), 0);
    cr_expect_eq(quantity(&cloth, state, "iterations"), 1,
                 "one iteration suffices, because b is a multiple of an eigenvector of A");
    cloth_free(&cloth);
}

/* A spring of length L that is too long becomes shorter by Phi / (2 L), which is one step of Newton's method. */
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

/* A constraint enforces the nearest length that its threshold allows. If the threshold allows the present length, the
 * constraint only keeps the length constant. `length` and `after` are the lengths before and after one step, in m.
 * `speed` is in m/s. */
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

/* ---- The constraint error after a step ---- */

/* Phi is quadratic in the positions. The series (11) neglects the quadratic term, which is dt^2 times the square of the
 * relative velocity of a constraint's ends. After one step, this term must be the error of each constraint. Returns the
 * largest error, in m^2. */
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

Test(constraint_enforcement, the_constraint_error_after_a_step_is_of_second_order) {
    const double coarse = left_of("8 ms"), middle = left_of("4 ms"), fine = left_of("2 ms");
    cr_expect_float_eq(coarse / middle, 4, 0.1, "%g", coarse / middle);
    cr_expect_float_eq(middle / fine, 4, 0.1, "%g", middle / fine);
}

/* In 10,000 steps of a swinging cloth, neither the constraint error nor the error of the energy accumulates. The energy
 * differs from its initial value by less than 0.06 J, while over 20 J of potential energy are converted. */
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

/* The norm of b - A lambda, divided by the norm of b. The test computes A and b. lambda is that of the program. */
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

/* A cloth with all types of springs has more constraints than coordinates, so its system has no solution. The residual
 * first decreases and then increases. The program must use the multipliers of the smallest residual. */
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
        cr_expect_gt(residual, 0.05, "this system must not have a solution");
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

/* If all nodes are in one place, A is 0, and no direction reduces the residual. The method stops after one iteration,
 * and the multipliers stay 0. */
Test(constraint_enforcement, it_ends_where_nothing_can_be_moved) {
    static const struct {
        const char *backend, *override;
    } table[] = {{"serial", ""}, {"threads:2", ""}, {"opencl", ""}, {"opencl", "launches"}};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct cloth cloth;
        cloth_create(&cloth, CLOTH("40", "3", "") METHOD(", iterations: 10") ONE_STEP);
        const int count = cloth.model.body.nodes;
        double(*x)[3] = memory_new((size_t)count, sizeof *x), (*v)[3] = memory_new((size_t)count, sizeof *v);
        cr_assert_eq(setenv("SPRINGBACK_OPENCL", table[t].override, 1), 0);
        cloth_open(&cloth, table[t].backend);
        cloth_set(&cloth, (const double(*)[3])x, (const double(*)[3])v);
        const struct state *state = state_after(cloth.simulation, 1);
        cr_expect_eq(quantity(&cloth, state, "iterations"), 1, "%s %s: %g", table[t].backend, table[t].override,
                     quantity(&cloth, state, "iterations"));
        cr_expect_eq(quantity(&cloth, state, "residual"), 1);
        cr_expect_eq(quantity(&cloth, state, "last_residual"), 1);
        const double *after = state->position;
        for (int k = 3; k < 3 * count; ++k)
            cr_expect_eq(after[k], after[k % 3]);
        cr_expect_lt(after[1], 0, "the nodes do not fall");
        cr_assert_eq(unsetenv("SPRINGBACK_OPENCL"), 0);
        free(x);
        free(v);
        cloth_free(&cloth);
    }
}

/* Only some GPUs have a global barrier. The test needs no such GPU, because it checks the generated source of a frame
 * kernel. */
Test(constraint_enforcement, groups_at_a_barrier_skip_the_remaining_iterations) {
    const struct device with_barrier = {.compute_units = 132,
                                        .max_group_size = 1024,
                                        .is_gpu = true,
                                        .has_global_barrier = true},
                        without_barrier = {.compute_units = 132, .max_group_size = 1024, .is_gpu = true};
    const struct shape_override none = {.lanes = 0};
    struct frame_shape shape;
    struct cloth cloth;
    cloth_create(&cloth, CLOTH("40", "3", "") METHOD(", iterations: 10") ONE_STEP);
    cr_assert(frame_shape_choose(&with_barrier, &cloth.model.program, &none, &shape));
    cr_assert_eq(shape.work_groups, 2);
    char *source = frame_source(&cloth.model.program, &shape);
    const char *repeat = strstr(source, " real converged"), *left = repeat ? strstr(repeat, "if (converged") : NULL,
               *asked = left ? strstr(left, "= constraint_enforcement_ended(") : NULL,
               *made_up = asked ? strstr(asked, "atomic_add(arrivals, arrivals_before + ") : NULL;
    cr_assert(repeat && left && asked && made_up, "the result of an iteration is not tested one iteration later:\n%s",
              source);
    const char *next = strstr(left, "continue;");
    cr_assert(next && next < asked);
    const char *swap = strstr(left, "*other = ");
    cr_expect(swap && swap < next, "the buffers are not exchanged before the iteration is skipped");
    cr_expect_null(strstr(asked, "if (converged"), "convergence is tested in a second place");
    free(source);
    cr_assert(frame_shape_choose(&without_barrier, &cloth.model.program, &none, &shape));
    source = frame_source(&cloth.model.program, &shape);
    cr_expect_null(strstr(source, "converged"));
    cr_expect_null(strstr(source, "atomic_add(arrivals, arrivals_before"));
    free(source);
    cloth_free(&cloth);
}

/* The value that is recorded for a frame is the largest value of its steps. For diverged_steps, the recorded value is
 * the sum over the steps. */
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
