/* OpenCL's entry points to constraint_enforcement_paper.h. */
#include "constraint_enforcement_paper.h"

#define ITEM (int)get_global_id(0)

#define PARAMETERS const struct constraint_paper_parameters p, const int step

/* How far the iteration is. */
static inline struct constraint_enforcement iteration_in(__global quad *progress, __global quad *heading,
                                                         __global quad *record, PARAMETERS) {
    const struct constraint_enforcement m = {.progress = progress, .heading = heading, .record = record, .p = p.e,
                                             .step = step};
    return m;
}

ENTRY void constraint_paper_constraint(__global const quad *position, __global const int *spring,
                                       __global const real *rest, __global real *error, __global real *jacobian,
                                       __global int *jacobian_row, __global int *jacobian_column,
                                       __global real *transpose, __global int *transpose_column,
                                       __global int *transpose_row, __global quad *progress, PARAMETERS) {
    const struct constraint_paper m = {.position = position, .spring = spring, .rest = rest, .error = error,
                                       .jacobian = jacobian, .jacobian_row = jacobian_row,
                                       .jacobian_column = jacobian_column, .transpose = transpose,
                                       .transpose_column = transpose_column, .transpose_row = transpose_row, .p = p,
                                       .step = step};
    if (ITEM < p.constraints)
        paper_constraint(ITEM, &m);
    if (ITEM == 0) {
        progress[0] = quad_of(vec3_of(0, -1, 0), 0);
        progress[1] = quad_of(vec3_of(0, 0, 0), 0);
    }
}

ENTRY void constraint_paper_vector(__global const quad *position, __global const quad *velocity,
                                   __global real *acceleration, __global real *force, PARAMETERS) {
    const struct constraint_paper m = {.position = position, .velocity = velocity, .acceleration = acceleration,
                                       .force = force, .p = p, .step = step};
    if (ITEM < p.e.m.columns * p.e.m.rows)
        paper_vector(ITEM, &m);
}

#define SYSTEM                                                                                                         \
    __global const quad *position, __global real *jacobian, __global int *jacobian_row, __global int *jacobian_column, \
        __global real *transpose, __global int *transpose_column, __global int *transpose_row, __global real *entry
#define SYSTEM_GIVEN                                                                                                   \
    .position = position, .jacobian = jacobian, .jacobian_row = jacobian_row, .jacobian_column = jacobian_column,      \
    .transpose = transpose, .transpose_column = transpose_column, .transpose_row = transpose_row, .entry = entry

ENTRY void constraint_paper_entry(SYSTEM, __global const int *entry_row, __global const int *entry_column,
                                  PARAMETERS) {
    const struct constraint_paper m = {SYSTEM_GIVEN, .entry_row = entry_row, .entry_column = entry_column, .p = p,
                                       .step = step};
    if (ITEM < p.entries)
        paper_entry(ITEM, &m);
}

ENTRY void constraint_paper_entry_dense(SYSTEM, PARAMETERS) {
    const struct constraint_paper m = {SYSTEM_GIVEN, .p = p, .step = step};
    if (ITEM < p.entries)
        paper_entry_dense(ITEM, &m);
}

ENTRY void constraint_paper_right_side(__global real *error, __global real *jacobian, __global int *jacobian_row,
                                       __global int *jacobian_column, __global real *acceleration,
                                       __global real *residual, PARAMETERS) {
    const struct constraint_paper m = {.error = error, .jacobian = jacobian, .jacobian_row = jacobian_row,
                                       .jacobian_column = jacobian_column, .acceleration = acceleration,
                                       .residual = residual, .p = p, .step = step};
    if (ITEM < p.constraints)
        paper_right_side(ITEM, &m);
}

ENTRY void constraint_paper_direction(__global real *residual, __global real *direction, __global real *product,
                                      __global real *multiplier, __global real *kept, __global quad *progress,
                                      __global quad *heading, TOTAL total, PARAMETERS) {
    const struct constraint_enforcement at = iteration_in(progress, heading, 0, p, step);
    const struct constraint_paper m = {.residual = residual, .direction = direction, .product = product,
                                       .multiplier = multiplier, .kept = kept, .p = p, .step = step};
    const struct iteration s = iteration_of(paper_total(TOTAL_OF(total)), standing_at(progress), &at);
    if (ITEM < p.constraints)
        paper_direction(ITEM, &s, &m);
    if (ITEM == 0)
        iteration_head(&s, &at);
}

ENTRY void constraint_paper_multiply(__global const int *entry_row, __global const int *entry_column,
                                     __global real *entry, __global real *direction, __global real *product,
                                     __global const quad *heading, PARAMETERS) {
    const struct constraint_paper m = {.entry_row = entry_row, .entry_column = entry_column, .entry = entry,
                                       .direction = direction, .product = product, .p = p, .step = step};
    if (ITEM < p.entries && heading[1].z == 0)
        paper_multiply(ITEM, &m);
}

ENTRY void constraint_paper_multiply_dense(__global real *entry, __global real *direction, __global real *product,
                                           __global const quad *heading, PARAMETERS) {
    const struct constraint_paper m = {.entry = entry, .direction = direction, .product = product, .p = p,
                                       .step = step};
    if (ITEM < p.constraints && heading[1].z == 0)
        paper_multiply_dense(ITEM, &m);
}

/* A dot product's shares, which the same launch begins to reduce, and those of a vector with itself; by atomics, and
 * what they begin with. */
ENTRY void constraint_paper_dot(__global real *first, __global real *second, __global quad *shares, PARAMETERS) {
    if (ITEM < p.constraints)
        shares[ITEM] = quad_of(vec3_of(first[ITEM] * second[ITEM], 0, 0), 0);
}

ENTRY void constraint_paper_squares(__global real *vector, __global quad *shares, PARAMETERS) {
    if (ITEM < p.constraints)
        shares[ITEM] = quad_of(vec3_of(vector[ITEM] * vector[ITEM], 0, 0), 0);
}

ENTRY void constraint_paper_dot_atomic(__global real *first, __global real *second, __global quad *total,
                                       PARAMETERS) {
    if (ITEM < p.constraints)
        atomic_add_own((volatile __global real *)total, first[ITEM] * second[ITEM]);
}

ENTRY void constraint_paper_clear(__global quad *total, PARAMETERS) {
    if (ITEM == 0)
        total[0] = quad_of(vec3_of(0, 0, 0), 0);
}

ENTRY void constraint_paper_stride(__global real *residual, __global real *product, __global quad *progress,
                                   __global quad *heading, TOTAL total, PARAMETERS) {
    const struct constraint_enforcement at = iteration_in(progress, heading, 0, p, step);
    const struct constraint_paper m = {.residual = residual, .product = product, .p = p, .step = step};
    const scalar alpha = stride_of(TOTAL_OF(total), standing_at(heading));
    if (ITEM < p.constraints && heading[1].z == 0)
        paper_stride(ITEM, alpha, &m);
    if (ITEM == 0)
        iteration_stride(alpha, &at);
}

ENTRY void constraint_paper_force(__global real *transpose, __global int *transpose_column,
                                  __global int *transpose_row, __global real *force, __global real *direction,
                                  __global real *multiplier, __global real *kept, __global quad *progress,
                                  TOTAL total, PARAMETERS) {
    const struct constraint_enforcement at = iteration_in(progress, 0, 0, p, step);
    const struct constraint_paper m = {.transpose = transpose, .transpose_column = transpose_column,
                                       .transpose_row = transpose_row, .force = force, .direction = direction,
                                       .multiplier = multiplier, .kept = kept, .p = p, .step = step};
    const struct iteration s = iteration_of(paper_total(TOTAL_OF(total)), standing_at(progress), &at);
    if (ITEM < p.constraints)
        paper_force(ITEM, &s, &m);
}

ENTRY void constraint_paper_update(__global quad *position, __global quad *velocity, __global real *force,
                                   __global quad *progress, __global quad *record, TOTAL total, PARAMETERS) {
    const struct constraint_enforcement at = iteration_in(progress, 0, record, p, step);
    const struct constraint_paper m = {.force = force, .p = p, .step = step};
    const struct iteration s = iteration_of(paper_total(TOTAL_OF(total)), standing_at(progress), &at);
    if (ITEM < p.e.m.columns * p.e.m.rows) {
        quad x = position[ITEM], v = velocity[ITEM];
        paper_update(ITEM, &x, &v, &m);
        position[ITEM] = x;
        velocity[ITEM] = v;
    }
    if (ITEM == 0)
        constraint_note(&s, s.is_least || s.least < 0 ? s.squared : s.least, &at);
}
