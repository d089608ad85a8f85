/* Tests of the paper's variants of constraint_enforcement and adaptive_constraint, which run on OpenCL only. The tests
 * compare the matrix of these variants with the equations of va2022, and their results with those of the variant
 * `tuned`. */
#include "cloth.h"

#include <math.h>

#include "constraint_enforcement_paper.h" /* in float, as on the device */

/* Read the buffer with this name from the engine. Newly allocated. */
static void *contents(const struct cloth *cloth, struct simulation *s, const char *name) {
    const struct program *program = &cloth->model.program;
    for (int b = 0; b < program->buffer_count; ++b)
        if (!strcmp(program->buffers[b].name, name)) {
            void *out = memory_new(program->buffers[b].items, program->buffers[b].item_size);
            cr_assert_eq(engine_read(simulation_engine(s), b, out), STATUS_OK, "%s", failure_text());
            return out;
        }
    cr_assert_fail("no buffer %s", name);
    return NULL;
}

/* The next pseudorandom number from -1 to 1. Equal seeds give equal sequences. */
static float any(unsigned *seed) {
    return (float)(*seed = *seed * 1664525u + 1013904223u) / 2147483648.0f - 1;
}

/* ---- The matrix ---- */

/* Expect the device's list of springs to have each spring of the body exactly once. */
static void expect_springs(const struct body *body, const int *spring, const float *rest) {
    char *count = memory_new((size_t)body->nodes * (size_t)body->nodes, 1);
    for (long c = 0; c < body->springs; ++c) {
        const int a = spring[2 * c], b = spring[2 * c + 1];
        bool is_there = false;
        for (int s = 0; s < body_slots(body, a); ++s) {
            int j;
            double length;
            if (body_spring(body, a, s, &j, &length) && j == b)
                is_there = (float)length == rest[c];
        }
        cr_expect(is_there && a < b && !count[a * body->nodes + b]++, "%d to %d", a, b);
    }
    free(count);
}

/* The element of the matrix of (12) in row c and column d, computed in double from positions in float. */
static double entry_of(const struct body *body, const float (*x)[3], const int *spring, int c, int d) {
    double sum = 0;
    for (int e = 0; e < 2; ++e)
        for (int f = 0; f < 2; ++f) {
            const int node = spring[2 * c + e];
            if (node != spring[2 * d + f] || body->pinned[node])
                continue;
            for (int k = 0; k < 3; ++k) {
                const double along = (double)x[spring[2 * c]][k] - (double)x[spring[2 * c + 1]][k],
                             other = (double)x[spring[2 * d]][k] - (double)x[spring[2 * d + 1]][k];
                sum += (e == f ? 4 : -4) * along * other / body->mass;
            }
        }
    return sum;
}

/* Compute the matrix by the kernels' functions, compiled as C. Expect the result to be bit-identical to the device's
 * matrix `a`. This is possible because no element of the matrix is an atomic sum. */
static void expect_bits(const struct cloth *cloth, quad *position, const int *spring, const float *rest,
                        const double *a) {
    const size_t m = (size_t)cloth->model.body.springs;
    quad progress[2];
    const struct constraint_paper p = {
        .position = position,
        .spring = spring,
        .rest = rest,
        .error = memory_new(m, sizeof(float)),
        .jacobian = memory_new(6 * m, sizeof(float)),
        .jacobian_row = memory_new(m + 1, sizeof(int)),
        .jacobian_column = memory_new(6 * m, sizeof(int)),
        .transpose = memory_new(6 * m, sizeof(float)),
        .transpose_column = memory_new(m + 1, sizeof(int)),
        .transpose_row = memory_new(6 * m, sizeof(int)),
        .progress = progress,
        .p = *(const struct constraint_paper_parameters *)cloth->model.program.parameters};
    for (int c = 0; c < (int)m; ++c)
        constraint_paper_constraint_item(c, &p);
    for (int c = 0; c < (int)m; ++c)
        for (int d = 0; d < (int)m; ++d)
            cr_expect_eq((double)paper_product(c, d, &p), a[(size_t)c * m + (size_t)d], "%d, %d", c, d);
    free(p.error);
    free(p.jacobian);
    free(p.jacobian_row);
    free(p.jacobian_column);
    free(p.transpose);
    free(p.transpose_column);
    free(p.transpose_row);
}

#define CLOTH                 "body: {cloth: {nodes: [7, 5], pins: corners}, node_mass: 0.5 kg}\n"
#define METHOD(variant, more) "method: {name: constraint_enforcement, variant: " variant more "}\nbackend: opencl\n"

/* Run one step from displaced positions. Expect the matrix of this step to be complete and correct, with each element
 * stored once. */
static void expect_matrix(const char *variant) {
    struct cloth cloth;
    unsigned seed = 5;
    cloth_create(&cloth,
                 CLOTH METHOD("%s", ", iterations: 12, regularisation: 0.25 m^2/kg") "time: {step: 5 ms, frames: 1}\n",
                 variant);
    const struct body *body = &cloth.model.body;
    float(*x)[3] = memory_new((size_t)body->nodes, sizeof *x), (*v)[3] = memory_new((size_t)body->nodes, sizeof *v);
    for (int i = 0; i < body->nodes; ++i)
        for (int k = 0; k < 3; ++k)
            x[i][k] = (float)body->position[i][k] + (body->pinned[i] ? 0 : 0.04f * any(&seed));
    struct simulation *s = simulation_on(&cloth.model, "opencl");
    cr_assert_eq(simulation_restore(s, x, v, 0), STATUS_OK, "%s", failure_text());
    quad *position = contents(&cloth, s, "position");
    cr_assert_eq(simulation_advance(s), STATUS_OK, "%s", failure_text());
    const bool is_dense = !strcmp(variant, "paper_dense"), is_placed = !strcmp(variant, "paper_atomic_places");
    const int m = (int)body->springs;
    int *spring = contents(&cloth, s, "spring"),
        *row = is_dense ? NULL : contents(&cloth, s, is_placed ? "stored_row" : "entry_row"),
        *column = is_dense ? NULL : contents(&cloth, s, is_placed ? "stored_column" : "entry_column"),
        *stored = is_placed ? contents(&cloth, s, "stored") : NULL;
    float *rest = contents(&cloth, s, "rest"), *entry = contents(&cloth, s, "entry");
    expect_springs(body, spring, rest);
    double *a = memory_new((size_t)m * (size_t)m, sizeof *a);
    char *count = memory_new((size_t)m * (size_t)m, 1);
    size_t entries = (size_t)m * (size_t)m;
    for (int b = 0; b < cloth.model.program.buffer_count; ++b)
        if (!strcmp(cloth.model.program.buffers[b].name, "entry"))
            entries = is_placed ? (size_t)*stored : cloth.model.program.buffers[b].items;
    for (size_t e = 0; e < entries; ++e) {
        const size_t at = is_dense ? e : (size_t)row[e] * (size_t)m + (size_t)column[e];
        cr_assert_lt(at, (size_t)m * (size_t)m);
        cr_expect_eq(count[at]++, 0, "element %zu is stored twice", at);
        a[at] = (double)entry[e];
    }
    for (int c = 0; c < m; ++c)
        for (int d = 0; d < m; ++d) {
            const bool shares = spring[2 * c] == spring[2 * d] || spring[2 * c] == spring[2 * d + 1] ||
                                spring[2 * c + 1] == spring[2 * d] || spring[2 * c + 1] == spring[2 * d + 1];
            const double exact = entry_of(body, (const float(*)[3])x, spring, c, d) + (c == d ? 0.25 : 0);
            cr_expect_eq(count[c * m + d], is_dense || (shares && (!is_placed || exact != 0)), "%d, %d", c, d);
            /* An element is a sum of up to eight products, each rounded three times. A product has two elements of J,
             * which are below 1.2 m, and the inverse mass, 2/kg. */
            cr_expect_float_eq(a[c * m + d], exact, 8 * 3 * 1.44 * 2 * 0x1p-24, "%s: %d, %d: %g", variant, c, d,
                               a[c * m + d]);
            cr_expect_eq(a[c * m + d], a[d * m + c]);
        }
    expect_bits(&cloth, position, spring, rest, a);
    free(position);
    free(spring);
    free(row);
    free(column);
    free(stored);
    free(rest);
    free(entry);
    free(a);
    free(count);
    free(x);
    free(v);
    simulation_close(s);
    cloth_free(&cloth);
}

/* ---- The result ---- */

/* Compare two states, each in float or double. Set *furthest to the largest difference of a coordinate, in m, and
 * *fastest to the largest difference of a velocity component, in m/s. */
static void differ(const struct cloth *a, const struct state *first, const struct cloth *b, const struct state *second,
                   double *furthest, double *fastest) {
    const int of[2] = {a->model.program.real_size, b->model.program.real_size};
    *furthest = *fastest = 0;
    for (size_t k = 0; k < 3 * (size_t)a->model.body.nodes; ++k) {
        *furthest = fmax(*furthest, fabs(real_load(first->position, k, of[0]) - real_load(second->position, k, of[1])));
        *fastest = fmax(*fastest, fabs(real_load(first->velocity, k, of[0]) - real_load(second->velocity, k, of[1])));
    }
}

#define ENFORCEMENT "constraint_enforcement"
#define ADAPTIVE    "adaptive_constraint, stiffness: 2 N/m, damping: 0.001 N s/m, threshold: 0.02, held: threshold"
#define REGULAR     ", regularisation: 1 m^2/kg"

/* Run a pushed cloth with at most `most` iterations of conjugate gradients per step. If `ends_early`, all steps of the
 * last frame must need fewer iterations; otherwise at least one step must need `most` iterations. Expect the paper's
 * variants to have the same result as `tuned`, except for rounding.
 *
 * The variants add up in another order than `tuned`, and therefore round differently. The measure of rounding is the
 * difference between `tuned` in float and in double. A variant may differ from `tuned` by twice this measure, because
 * the order of its sums depends on timing. In twenty runs, the variants differed by at most 0.72 times this measure. */
static void expect_end(const char *body, int most, bool ends_early, const char *method, const char *const *variants) {
    static const char text[] = "body: {cloth: {%s}, node_mass: 1 g}\n"
                               "method: {iterations: %d, name: %s, precision: %s, variant: %s}\n"
                               "scene: {push: {acceleration: [3 m/s^2, 40 m/s^2, 1 m/s^2], until: 0.03 s, radius: "
                               "0.5 m}}\ntime: {step: 5 ms, steps_per_frame: 4, frames: 3}\nbackend: opencl\n";
    struct cloth tuned[2];
    struct simulation *s[2];
    const struct state *state[2];
    double rounded, rounded_speed;
    for (int k = 0; k < 2; ++k) {
        cloth_create(&tuned[k], text, body, most, method, k ? "double" : "float", "tuned");
        s[k] = simulation_on(&tuned[k].model, "serial");
        state[k] = state_after(s[k], 3);
    }
    differ(&tuned[0], state[0], &tuned[1], state[1], &rounded, &rounded_speed);
    cr_expect_lt(rounded, 1e-4, "%s: float and double differ too much: %g m", body, rounded);
    cr_expect_eq(quantity(&tuned[0], state[0], "iterations") < most, ends_early, "%s: %g iterations", body,
                 quantity(&tuned[0], state[0], "iterations"));
    for (int v = 0; variants[v]; ++v) {
        struct cloth cloth;
        double furthest, fastest;
        cloth_create(&cloth, text, body, most, method, "float", variants[v]);
        cr_expect(cloth.model.program.has_unordered_sums && !tuned[0].model.program.has_unordered_sums);
        struct simulation *paper = simulation_on(&cloth.model, "opencl");
        const struct state *end = state_after(paper, 3);
        differ(&cloth, end, &tuned[0], state[0], &furthest, &fastest);
        cr_expect_lt(furthest, 2 * rounded, "%s, %s: %g m, and %g m by rounding", body, variants[v], furthest, rounded);
        cr_expect_lt(fastest, 2 * rounded_speed, "%s, %s: %g m/s, and %g m/s by rounding", body, variants[v], fastest,
                     rounded_speed);
        static const char *const counts[] = {"iterations", "kept_iteration", "diverged_steps"};
        for (int k = 0; k < 3; ++k)
            cr_expect_eq(quantity(&cloth, end, counts[k]), quantity(&tuned[0], state[0], counts[k]), "%s, %s: %s", body,
                         variants[v], counts[k]);
        cr_expect_float_eq(quantity(&cloth, end, "residual"), quantity(&tuned[0], state[0], "residual"), 0.01);
        simulation_close(paper);
        cloth_free(&cloth);
    }
    for (int k = 0; k < 2; ++k) {
        simulation_close(s[k]);
        cloth_free(&tuned[k]);
    }
}

Test(constraint_paper, the_matrix_is_that_of_twelve_and_the_end_that_of_tuned) {
    expect_matrix("paper"); /* in the same test as expect_end, so that kernels are compiled only once */
    expect_matrix("paper_dense");
    expect_matrix("paper_atomic_places");
    expect_end("nodes: [7, 5], pins: corners", 12, false, ENFORCEMENT,
               (const char *const[]){"paper", "paper_atomic_dots", "paper_dense", "paper_atomic_places", NULL});
}

Test(constraint_paper, an_end_before_the_last_iteration_a_threshold_and_two_types_of_springs) {
    expect_end("nodes: [21, 16], springs: [structural, shear], pins: row", 30, true,
               ENFORCEMENT ", tolerance: 0.01, threshold: 1 %, regularisation: 10 m^2/kg",
               (const char *const[]){"paper", NULL});
}

Test(constraint_paper, adaptive_constraints_end_as_tuned_ones_do) {
    expect_end("nodes: [7, 5], pins: corners", 12, false, ADAPTIVE REGULAR,
               (const char *const[]){"paper", "paper_atomic_dots", "paper_dense", "paper_atomic_places", NULL});
}

/* One node is displaced. Only springs beyond the threshold have stored elements in their rows of the matrix. */
Test(constraint_paper, springs_within_the_threshold_have_no_row) {
    struct cloth cloth;
    cloth_create(&cloth, CLOTH "method: {name: " ADAPTIVE ", iterations: 5, variant: paper_atomic_places}\n"
                               "time: {step: 5 ms, frames: 1}\nbackend: opencl\n");
    const struct body *body = &cloth.model.body;
    float(*x)[3] = memory_new((size_t)body->nodes, sizeof *x), (*v)[3] = memory_new((size_t)body->nodes, sizeof *v);
    for (int i = 0; i < body->nodes; ++i)
        for (int k = 0; k < 3; ++k)
            x[i][k] = (float)body->position[i][k] + (k == 0 && i == 17 ? 0.05f : 0); /* node 17: the centre */
    struct simulation *s = simulation_on(&cloth.model, "opencl");
    cr_assert_eq(simulation_restore(s, x, v, 0), STATUS_OK, "%s", failure_text());
    cr_assert_eq(simulation_advance(s), STATUS_OK, "%s", failure_text());
    int *spring = contents(&cloth, s, "spring"), *row = contents(&cloth, s, "stored_row"),
        *stored = contents(&cloth, s, "stored");
    float *rest = contents(&cloth, s, "rest");
    bool *has_row = memory_new((size_t)body->springs, sizeof *has_row);
    int active = 0;
    for (int e = 0; e < *stored; ++e)
        has_row[row[e]] = true;
    for (int c = 0; c < (int)body->springs; ++c) {
        double squared = 0;
        for (int k = 0; k < 3; ++k)
            squared += pow((double)x[spring[2 * c]][k] - (double)x[spring[2 * c + 1]][k], 2);
        const bool acts = fabs(sqrt(squared) / (double)rest[c] - 1) > 0.02;
        active += acts;
        cr_expect_eq(has_row[c], acts, "%d", c);
    }
    cr_expect(active > 3 && active < body->springs / 2, "%d", active);
    free(spring);
    free(row);
    free(stored);
    free(rest);
    free(has_row);
    free(x);
    free(v);
    simulation_close(s);
    cloth_free(&cloth);
}

/* Each step assembles the matrix once, before the iterations of conjugate gradients. So the time of a frame includes
 * the assembly. */
Test(constraint_paper, the_matrix_is_made_in_every_step) {
    static const char *const names[] = {ENFORCEMENT, ADAPTIVE}, *const variants[] = {"paper", "paper_atomic_dots",
                                                                                     "paper_atomic_places",
                                                                                     "paper_dense"};
    for (int k = 0; k < 8; ++k) {
        struct cloth cloth;
        cloth_create(&cloth,
                     CLOTH "method: {name: %s, iterations: 5, variant: %s}\n"
                           "time: {step: 5 ms, steps_per_frame: 3, frames: 1}\nbackend: opencl\n",
                     names[k / 4], variants[k % 4]);
        const struct program *program = &cloth.model.program;
        int made = 0;
        cr_assert_eq(program->stages[0].kind, STAGE_STEPS);
        for (int s = 1; s < program->stage_count && program->stages[s].kind != STAGE_REPEAT; ++s)
            made += program->stages[s].kind == STAGE_RUN &&
                    !strncmp(program->kernels[program->stages[s].a].name, "constraint_paper_entry", 22);
        cr_expect_eq(made, 1, "%s, %s: %d", names[k / 4], variants[k % 4], made);
        cloth_free(&cloth);
    }
}

/* ---- Refused input ---- */

Test(constraint_paper, what_it_cannot_do_is_refused) {
    static const struct {
        const char *body, *method, *backend, *flaw;
    } table[] = {
        {"nodes: [4, 4]", "variant: paper", "serial",
         "test.yaml:5:40: the kernel constraint_paper_constraint exists for OpenCL devices only, and the "
         "backend serial does not compile kernels; use the backend opencl"},
        {"nodes: [4, 4]", "variant: paper_dense", "threads:2",
         "the backend threads does not compile kernels; use the backend opencl"},
        {"nodes: [4, 4]", "variant: paper_atomic_dots, precision: double", "opencl",
         "method.variant is paper_atomic_dots: its atomic sums exist in float only, and method.precision is double; "
         "use float"},
        {"nodes: [4, 4]", "variant: paper, warm_start: yes", "opencl",
         "starts from 0, and method.warm_start is yes; use method.warm_start: no, or the variant tuned"},
        {"nodes: [4, 4]",
         "variant: paper, name: adaptive_constraint, stiffness: 1 N/m, threshold: 0.1, held: rest, precision: double",
         "opencl",
         "method.variant is paper: its atomic sums exist in float only, and method.precision is double; use float"},
        {"nodes: [2, 2], springs: [bend]", "variant: paper", "opencl", "has no springs to use as constraints"},
        {"nodes: [64, 64], springs: [structural]", "variant: paper_dense", "opencl",
         "stores a matrix of at most 4096 x 4096, and the cloth has 8064 constraints; use fewer nodes"},
        {"nodes: [4000, 4000]", "variant: paper", "opencl",
         "which can store at most 2147483647 elements of the matrix"},
    };
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        AUTO_FREE char *text =
            text_format("springback: 1\npaper: test\ntitle: t\nbody: {cloth: {%s}, node_mass: 1 g}\n"
                        "method: {%s%s, iterations: 3}\n"
                        "time: {step: 1 ms, frames: 1}\nbackend: %s\n",
                        table[t].body, strstr(table[t].method, "name") ? "" : "name: constraint_enforcement, ",
                        table[t].method, table[t].backend);
        expect_refused(text, table[t].flaw);
    }
}

/* The experiment file selects the backend opencl, but the test asks for other backends. */
Test(constraint_paper, other_backends_refuse_kernels_that_they_have_not) {
    static const char *const backends[] = {"serial", "threads:2"};
    struct cloth cloth;
    cloth_create(&cloth, CLOTH METHOD("paper", ", iterations: 1") "time: {step: 5 ms, frames: 1}\n");
    for (int b = 0; b < 2; ++b) {
        struct backend_choice choice;
        cr_assert_eq(backend_choose(backends[b], &choice), STATUS_OK);
        failure_clear();
        cr_expect_eq(backend_check(&choice, &cloth.model.program, true), STATUS_BAD);
        cr_expect(strstr(failure_text(), "does not compile kernels; use the backend opencl"), "%s", failure_text());
    }
    cloth_free(&cloth);
}
