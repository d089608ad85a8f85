#define REAL_IS_double /* precision of the host's parameters */
#include "constraint_enforcement_paper.h"

#include "method/constraint_paper.h"

#include "method/build.h"
#include "method/network.h"

#include "base/memory.h"
#include "base/rows.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* In constraint_paper_parameters, the members `constraints` and `entries` directly follow `e`, without padding. */
PARAMETERS_END(struct constraint_enforcement_parameters, is_adaptive);

enum variant { TUNED, PAPER, ATOMIC_DOTS, ATOMIC_PLACES, DENSE }; /* in the order of the words of method.variant */

/* Largest number of constraints of a dense matrix: 64 MiB of floats. */
enum { DENSE_MOST = 4096 };

bool constraint_paper_is(const struct run *run) {
    return run_choice(run, "method.variant") != TUNED;
}

/* ---- Constraints that share a node ---- */

/* The index of the node at the other end of a node's constraint in a slot. It is a later node if `side` is 1, and an
 * earlier node if `side` is -1. Returns -1 if there is no such constraint. */
static int other_end(const struct body *body, int i, int slot, int side) {
    const int column = i % body->columns + side * slot_right[slot], row = i / body->columns + side * slot_down[slot];
    const bool is_there = body->has[slot / 2] && column >= 0 && column < body->columns && row >= 0 && row < body->rows;
    return is_there ? row * body->columns + column : -1;
}

/* Number of elements of A, the matrix of va2022 (12), that may differ from 0. There is one for each ordered pair of
 * constraints that share a node. The sum over the nodes counts the pair of a constraint with itself twice, once at each
 * end, so the number of springs is subtracted. */
static double entries_of(const struct body *body) {
    double entries = -(double)body->springs;
    for (int i = 0; i < body->nodes; ++i) {
        int incident = 0;
        for (int k = 0; k < CONSTRAINT_SLOTS; ++k)
            incident += (other_end(body, i, k, 1) >= 0) + (other_end(body, i, k, -1) >= 0);
        entries += (double)incident * incident;
    }
    return entries;
}

/* Give each constraint an index, in the order of nodes and slots. Returns [nodes][CONSTRAINT_SLOTS]: the index of each
 * node's constraint in each slot, or -1 if there is none. The caller frees the result. */
static int *number_constraints(const struct body *body) {
    int *number = memory_new((size_t)body->nodes * CONSTRAINT_SLOTS, sizeof *number), c = 0;
    for (int i = 0; i < body->nodes; ++i)
        for (int k = 0; k < CONSTRAINT_SLOTS; ++k)
            number[i * CONSTRAINT_SLOTS + k] = other_end(body, i, k, 1) >= 0 ? c++ : -1;
    return number;
}

/* Append the constraints at node i, except `but`, to a list of `count` constraints. Returns the new number of
 * constraints in the list. */
static int add_incident(const struct body *body, const int *number, int i, int but, int *list, int count) {
    for (int k = 0; k < CONSTRAINT_SLOTS; ++k)
        for (int side = -1; side <= 1; side += 2) {
            const int other = other_end(body, i, k, side), first = side > 0 ? i : other;
            if (other >= 0 && number[first * CONSTRAINT_SLOTS + k] != but)
                list[count++] = number[first * CONSTRAINT_SLOTS + k];
        }
    return count;
}

static int rising(const void *a, const void *b) {
    return ints_compare(a, b, 1);
}

/* List the elements of A that may differ from 0, row by row. Write their column indices if `columns`, otherwise their
 * row indices. */
static void fill_entries(const struct body *body, bool columns, int *out) {
    AUTO_FREE int *number = number_constraints(body);
    for (int i = 0; i < body->nodes; ++i)
        for (int k = 0; k < CONSTRAINT_SLOTS; ++k) {
            const int c = number[i * CONSTRAINT_SLOTS + k];
            int list[4 * CONSTRAINT_SLOTS], count = 0;
            if (c < 0)
                continue;
            list[count++] = c;
            count = add_incident(body, number, i, c, list, count);
            count = add_incident(body, number, other_end(body, i, k, 1), c, list, count);
            qsort(list, (size_t)count, sizeof *list, rising);
            for (int e = 0; e < count; ++e)
                *out++ = columns ? list[e] : c;
        }
}

/* ---- Checks ---- */

int constraint_paper_check(const struct run *run, const struct body *body) {
    const struct parameter *variant = run_parameter(run, "method.variant");
    const char *flaw = NULL;
    if (run_has(run, "method.precision", "double"))
        flaw = "its atomic sums exist in float only, and method.precision is double; use float";
    else if (run_parameter(run, "method.warm_start") && run_has(run, "method.warm_start", "yes"))
        flaw = "its iteration starts from 0, and method.warm_start is yes; use method.warm_start: no";
    else if (body->springs == 0)
        flaw = "the cloth has no springs to use as constraints; use more nodes";
    if (flaw)
        return fail_at(variant->place, "method.variant is %s: %s, or the variant tuned", variant->value.text, flaw);
    if (run_choice(run, "method.variant") == DENSE && body->springs > DENSE_MOST)
        return fail_at(variant->place,
                       "method.variant is %s, which stores a matrix of at most %d x %d, and the cloth has %ld "
                       "constraints; use fewer nodes, or the variant paper",
                       variant->value.text, DENSE_MOST, DENSE_MOST, body->springs);
    if (body->springs > INT_MAX / 6 || entries_of(body) > INT_MAX)
        return fail_at(
            variant->place,
            "method.variant is %s, which can store at most %d elements of the matrix, and a cloth of %d x %d nodes "
            "needs more; use fewer nodes or the variant tuned",
            variant->value.text, INT_MAX, body->columns, body->rows);
    return STATUS_OK;
}

/* ---- The program ---- */

#define BUFFERS(BUFFER)                                                                                                \
    BUFFER(position, quad, BUFFER_SHARED, nodes)                                                                       \
    BUFFER(velocity, quad, parameters->is_adaptive ? BUFFER_SHARED : BUFFER_OWN, nodes)                                \
    BUFFER(spring, int, BUFFER_FIXED, 2 * constraints)                                                                 \
    BUFFER(rest, real, BUFFER_FIXED, constraints)                                                                      \
    BUFFER(error, real, BUFFER_OWN, constraints)                                                                       \
    BUFFER(jacobian, real, BUFFER_SHARED, 6 * constraints)                                                             \
    BUFFER(jacobian_row, int, BUFFER_SHARED, constraints + 1)                                                          \
    BUFFER(jacobian_column, int, BUFFER_SHARED, 6 * constraints)                                                       \
    BUFFER(transpose, real, BUFFER_SHARED, 6 * constraints)                                                            \
    BUFFER(transpose_column, int, BUFFER_SHARED, constraints + 1)                                                      \
    BUFFER(transpose_row, int, BUFFER_SHARED, 6 * constraints)                                                         \
    BUFFER(acceleration, real, BUFFER_SHARED, 3 * nodes)                                                               \
    BUFFER(force, real, BUFFER_SHARED, 3 * nodes)                                                                      \
    BUFFER(residual, real, BUFFER_OWN, constraints)                                                                    \
    BUFFER(direction, real, BUFFER_SHARED, constraints)                                                                \
    BUFFER(product, real, BUFFER_SHARED, constraints)                                                                  \
    BUFFER(multiplier, real, BUFFER_OWN, constraints)                                                                  \
    BUFFER(kept, real, BUFFER_OWN, constraints)                                                                        \
    BUFFER(shares, quad, BUFFER_OWN, constraints)                                                                      \
    BUFFER(progress, quad, BUFFER_SHARED, 2)                                                                           \
    BUFFER(heading, quad, BUFFER_SHARED, 2)                                                                            \
    BUFFER(record, quad, BUFFER_SHARED, 2)                                                                             \
    BUFFER(squared_residual, quad, total, 1)                                                                           \
    BUFFER(curvature, quad, total, 1)                                                                                  \
    BUFFER(entry, real, BUFFER_SHARED, entries)                                                                        \
    BUFFER(entry_row, int, BUFFER_FIXED, entries)                                                                      \
    BUFFER(entry_column, int, BUFFER_FIXED, entries)                                                                   \
    BUFFER(stored_row, int, BUFFER_SHARED, entries)                                                                    \
    BUFFER(stored_column, int, BUFFER_SHARED, entries)                                                                 \
    BUFFER(stored, quad, BUFFER_SHARED, 1)

enum { BUFFERS(BUFFER_INDEX) };

enum {
    CONSTRAIN,
    VECT,
    SPMM,
    RHS,
    DIRECTION,
    MULTIPLY,
    DOT_CURVATURE,
    STRIDE,
    DOT_RESIDUAL,
    PULL,
    UPDATE,
    ALL_VARIANTS, /* number of kernels that every variant has; each kernel below belongs to one variant */
    CLEAR_CURVATURE = ALL_VARIANTS,
    CLEAR_RESIDUAL,
    CLEAR_PLACES = ALL_VARIANTS,
    KERNELS = CLEAR_RESIDUAL + 1
};

#define ARGUMENTS(...)           BINDINGS(constraint_paper, __VA_ARGS__)
#define ARGUMENT(member, buffer) BIND(constraint_paper, member, buffer)
#define JACOBIANS                ARGUMENTS(jacobian, jacobian_row, jacobian_column)
#define TRANSPOSES               ARGUMENTS(transpose, transpose_column, transpose_row)

/* Set the kernel of the dot product of the buffers `first` and `second`. If `is_atomic`, the kernel adds the terms to
 * the buffer `total`. Otherwise the kernel writes the terms to `shares`, and a later stage adds them up (add_dot). */
static void set_dot(struct program *program, int kernel, int first, int second, int total, bool is_atomic) {
    const struct kernel by_sum = {.name = second == first ? "constraint_paper_squares" : "constraint_paper_dot",
                                  .bindings = {ARGUMENT(first, first), ARGUMENTS(shares)}},
                        by_atomics = {
                            .name = "constraint_paper_dot_atomic",
                            .bindings = {ARGUMENT(first, first), ARGUMENT(second, second), ARGUMENT(sum, total)}};
    program->kernels[kernel] = is_atomic ? by_atomics : by_sum;
    if (!is_atomic && second != first)
        program->kernels[kernel].bindings[2] = (struct binding)ARGUMENT(second, second);
}

static void set_kernels(enum variant variant, struct program *program) {
    const struct kernel kernels[KERNELS] = {
        [CONSTRAIN] = {.name = "constraint_paper_constraint",
                       .bindings = {ARGUMENTS(position, spring, rest, error, progress), JACOBIANS, TRANSPOSES}},
        [VECT] = {.name = "constraint_paper_vector", .bindings = {ARGUMENTS(position, velocity, acceleration, force)}},
        [SPMM] = {.name = "constraint_paper_entry",
                  .bindings = {ARGUMENTS(position, entry, entry_row, entry_column), JACOBIANS, TRANSPOSES}},
        [RHS] = {.name = "constraint_paper_right_side",
                 .bindings = {ARGUMENTS(error, acceleration, residual), JACOBIANS}},
        [DIRECTION] = {.name = "constraint_paper_direction",
                       .bindings = {ARGUMENTS(residual, direction, product, multiplier, kept, progress, heading),
                                    ARGUMENT(total, AT_squared_residual)},
                       .is_collective = true},
        [MULTIPLY] = {.name = "constraint_paper_multiply",
                      .bindings = {ARGUMENTS(entry_row, entry_column, entry, direction, product, heading)}},
        [STRIDE] = {.name = "constraint_paper_stride",
                    .bindings = {ARGUMENTS(residual, product, progress, heading), ARGUMENT(total, AT_curvature)},
                    .is_collective = true},
        [PULL] = {.name = "constraint_paper_force",
                  .bindings = {TRANSPOSES, ARGUMENTS(force, direction, multiplier, kept, progress),
                               ARGUMENT(total, AT_squared_residual)},
                  .is_collective = true},
        [UPDATE] = {.name = "constraint_paper_update",
                    .bindings = {ARGUMENTS(position, velocity, force, progress, record),
                                 ARGUMENT(total, AT_squared_residual)},
                    .is_collective = true},
        [CLEAR_CURVATURE] = {.name = "constraint_paper_clear", .bindings = {ARGUMENT(sum, AT_curvature)}},
        [CLEAR_RESIDUAL] = {.name = "constraint_paper_clear", .bindings = {ARGUMENT(sum, AT_squared_residual)}},
    };
    memcpy(program->kernels, kernels, sizeof kernels);
    program->kernel_count = variant == ATOMIC_DOTS ? KERNELS : ALL_VARIANTS;
    set_dot(program, DOT_CURVATURE, AT_direction, AT_product, AT_curvature, variant == ATOMIC_DOTS);
    set_dot(program, DOT_RESIDUAL, AT_residual, AT_residual, AT_squared_residual, variant == ATOMIC_DOTS);
    if (variant == ATOMIC_PLACES) {
        program->kernels[SPMM] = (struct kernel){
            .name = "constraint_paper_entry_placed",
            .bindings = {ARGUMENTS(position, entry, entry_row, entry_column, stored_row, stored_column, stored),
                         JACOBIANS, TRANSPOSES}};
        program->kernels[MULTIPLY] =
            (struct kernel){.name = "constraint_paper_multiply_placed",
                            .bindings = {ARGUMENT(entry_row, AT_stored_row), ARGUMENT(entry_column, AT_stored_column),
                                         ARGUMENTS(entry, direction, product, heading, stored)}};
        program->kernels[program->kernel_count++] =
            (struct kernel){.name = "constraint_paper_clear", .bindings = {ARGUMENT(sum, AT_stored)}};
    }
    if (variant == DENSE) {
        program->kernels[SPMM] = (struct kernel){.name = "constraint_paper_entry_dense",
                                                 .bindings = {ARGUMENTS(position, entry), JACOBIANS, TRANSPOSES}};
        program->kernels[MULTIPLY] = (struct kernel){.name = "constraint_paper_multiply_dense",
                                                     .bindings = {ARGUMENTS(entry, direction, product, heading)}};
    }
}

/* Add the stages of a dot product, which is added up by the tree or by atomics. Atomics need an initial sum of 0. */
static void add_dot(struct program *program, enum variant variant, int dot, int clear, int total) {
    if (variant == ATOMIC_DOTS)
        program_add_stage(program, STAGE_RUN, clear, 0, 0);
    program_add_stage(program, STAGE_RUN, dot, 0, 0);
    if (variant != ATOMIC_DOTS)
        program_add_stage(program, STAGE_SUM, AT_shares, total, 0);
}

static void set_stages(const struct run *run, enum variant variant, struct program *program) {
    program_add_stage(program, STAGE_STEPS, 0, 0, (int)run_number(run, "time.steps_per_frame", 0));
    if (variant == ATOMIC_PLACES)
        program_add_stage(program, STAGE_RUN, CLEAR_PLACES, 0, 0);
    for (int k = CONSTRAIN; k <= RHS; ++k)
        program_add_stage(program, STAGE_RUN, k, 0, 0);
    add_dot(program, variant, DOT_RESIDUAL, CLEAR_RESIDUAL, AT_squared_residual);
    program_add_stage(program, STAGE_REPEAT, 0, 0, (int)run_number(run, "method.iterations", 0));
    program_add_stage(program, STAGE_RUN, DIRECTION, 0, 0);
    program_add_stage(program, STAGE_RUN, MULTIPLY, 0, 0);
    add_dot(program, variant, DOT_CURVATURE, CLEAR_CURVATURE, AT_curvature);
    program_add_stage(program, STAGE_RUN, STRIDE, 0, 0);
    add_dot(program, variant, DOT_RESIDUAL, CLEAR_RESIDUAL, AT_squared_residual);
    program_add_stage(program, STAGE_END, 0, 0, 0);
    program_add_stage(program, STAGE_RUN, PULL, 0, 0);
    program_add_stage(program, STAGE_RUN, UPDATE, 0, 0);
    program_add_stage(program, STAGE_END, 0, 0, 0);
}

void constraint_paper_build(const struct run *run, const struct body *body,
                            const struct constraint_enforcement_parameters *parameters, struct program *program) {
    const enum variant variant = (enum variant)run_choice(run, "method.variant");
    const size_t nodes = (size_t)body->nodes, constraints = (size_t)body->springs;
    const size_t entries = variant == DENSE ? constraints * constraints : (size_t)entries_of(body);
    const enum sharing total = variant == ATOMIC_DOTS ? BUFFER_SHARED : BUFFER_TOTAL;
    *program = (struct program){
        .sources = {"contact.h", "mass_spring.h", "constraint_enforcement.h", "constraint_enforcement_paper.h"},
        .real_size = sizeof(float),
        .has_unordered_sums = true, /* J^T lambda is an atomic sum in all these variants, A p in all but DENSE */
        ARGUMENTS_ARE(constraint_paper, constraint_paper_parameters),
        .buffers = {BUFFERS(BUFFER_ENTRY)},
        .buffer_count = variant == DENSE           ? AT_entry_row
                        : variant == ATOMIC_PLACES ? 0
                                                   : AT_stored_row};
    set_kernels(variant, program);
    set_stages(run, variant, program);
    const int items[KERNELS] = {[VECT] = body->nodes,  [UPDATE] = body->nodes,
                                [SPMM] = (int)entries, [MULTIPLY] = variant == DENSE ? 0 : (int)entries,
                                [CLEAR_CURVATURE] = 1, [CLEAR_RESIDUAL] = 1};
    for (int k = 0; k < program->kernel_count; ++k) {
        program->kernels[k].columns = items[k];
        program->kernels[k].group_size = 1024; /* va2022, section 4.1, states this size for 1D groups */
    }
    program_complete(program, (int)constraints);
    const struct constraint_paper_parameters p = {*parameters, (int)constraints, (int)entries};
    program_set_parameters(program, &p, CONSTRAINT_REALS, sizeof p);
}

void constraint_paper_fill(const struct body *body, const struct program *program, int buffer, void *out) {
    if (buffer == AT_spring)
        network_fill_springs(body, program->real_size, out, NULL);
    else if (buffer == AT_rest)
        network_fill_springs(body, program->real_size, NULL, out);
    else if (buffer == AT_entry_row || buffer == AT_entry_column)
        fill_entries(body, buffer == AT_entry_column, out);
    /* All other buffers begin with 0, or are written before they are read. */
}
