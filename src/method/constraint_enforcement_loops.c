/* The element functions of kernels/constraint_enforcement.h, over ranges: the twins of its entry points for OpenCL. */
#include "method/constraint_enforcement_loops.h"

#include "constraint_enforcement.h"

#include <stddef.h>

#define PARAMETERS *(const struct constraint_enforcement_parameters *)parameters

/* From the first column up to `end` - 1 of a row, where neighbours are looked for or not. */
#define EACH_COLUMN(end, is_checked, name, ...)                                                                        \
    for (; i < range.column_end && i - first < (end); ++i) {                                                           \
        const struct grid_node at = {i, i - first, row, is_checked};                                                   \
        name(at, __VA_ARGS__);                                                                                         \
    }

/* A kernel's nodes, row by row: two rows and columns from the border every neighbour is there. */
#define EACH_NODE(name, ...)                                                                                           \
    for (int i = range.column_begin; i < range.column_end;) {                                                          \
        const int columns = m.p.m.columns, row = i / columns, first = row * columns;                                   \
        const int has_inside = columns > 4 && row >= 2 && row < m.p.m.rows - 2;                                        \
        EACH_COLUMN(has_inside ? 2 : columns, 1, name, __VA_ARGS__)                                                    \
        EACH_COLUMN(columns - 2, 0, name, __VA_ARGS__)                                                                 \
        EACH_COLUMN(columns, 1, name, __VA_ARGS__)                                                                     \
    }

void LOOP(constraint_enforcement_prepare)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct constraint_enforcement m = {.position = buffers[0],
                                             .velocity = buffers[1],
                                             .place = buffers[2],
                                             .drive = buffers[3],
                                             .pull = buffers[4],
                                             .kept = buffers[5],
                                             .p = PARAMETERS,
                                             .step = step};
    EACH_NODE(constraint_prepare, &m)
}

void LOOP(constraint_enforcement_begin)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct constraint_enforcement m = {.velocity = buffers[0],
                                             .place = buffers[1],
                                             .drive = buffers[2],
                                             .pull = buffers[3],
                                             .residual = buffers[4],
                                             .kept = buffers[5],
                                             .shares = buffers[6],
                                             .progress = buffers[7],
                                             .awake = buffers[8],
                                             .p = PARAMETERS,
                                             .step = step};
    EACH_NODE(constraint_begin, &m)
}

void LOOP(constraint_enforcement_direction)(void *const *buffers, const void *parameters, int step,
                                            struct range range) {
    const struct constraint_enforcement m = {.place = buffers[0],
                                             .pull = buffers[1],
                                             .residual = buffers[2],
                                             .direction = buffers[3],
                                             .direction_next = buffers[4],
                                             .multiplier = buffers[5],
                                             .kept = buffers[6],
                                             .shares = buffers[7],
                                             .progress = buffers[8],
                                             .heading = buffers[9],
                                             .awake = buffers[11],
                                             .p = PARAMETERS,
                                             .step = step};
    const struct iteration s = iteration_of(*(const quad *)buffers[10], standing_at(m.progress), &m);
    EACH_NODE(constraint_direction, &s, NULL, &m)
}

void LOOP(constraint_enforcement_stride)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct constraint_enforcement m = {.place = buffers[0],
                                             .pull = buffers[1],
                                             .residual = buffers[2],
                                             .direction = buffers[3],
                                             .shares = buffers[4],
                                             .progress = buffers[5],
                                             .heading = buffers[6],
                                             .awake = buffers[8],
                                             .p = PARAMETERS,
                                             .step = step};
    const scalar alpha = stride_of(*(const quad *)buffers[7], standing_at(m.heading));
    EACH_NODE(constraint_step, alpha, NULL, &m)
}

void LOOP(constraint_enforcement_finish)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct constraint_enforcement m = {.position = buffers[0],
                                             .velocity = buffers[1],
                                             .position_next = buffers[2],
                                             .velocity_next = buffers[3],
                                             .place = buffers[4],
                                             .drive = buffers[5],
                                             .direction = buffers[6],
                                             .multiplier = buffers[7],
                                             .kept = buffers[8],
                                             .progress = buffers[9],
                                             .record = buffers[10],
                                             .p = PARAMETERS,
                                             .step = step};
    const struct iteration s = iteration_of(*(const quad *)buffers[11], standing_at(m.progress), &m);
    EACH_NODE(constraint_finish, &s, &m)
}
