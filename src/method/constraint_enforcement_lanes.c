/* A grid's iteration by vectors of nodes that stand side by side, in the bits of the plain loops: the same equations,
 * compiled once more. Two rows and columns from the border; what is nearer to it the plain loops do. */
#include "method/lanes.h"

#include "constraint_enforcement.h"
#include "method/constraint_enforcement_loops.h"

#include <stddef.h>

enum { ALL = SPRINGS_STRUCTURAL | SPRINGS_SHEAR | SPRINGS_BEND, TWO = SPRINGS_STRUCTURAL | SPRINGS_SHEAR };

/* What is done to LANES nodes from one on. */
typedef void some(struct grid_node at, const struct iteration *s, scalar alpha, const struct constraint_enforcement *m);

/* Go by rows over a range of nodes: `vectors` as far as these reach, and the plain loop on both sides. */
static inline __attribute__((always_inline)) void each(some *const vectors, kernel_loop *const plain,
                                                       void *const *buffers, const void *parameters, int step,
                                                       struct range range, const struct iteration *s, scalar alpha,
                                                       const struct constraint_enforcement *m) {
    const int columns = m->p.m.columns;
    int done = range.column_begin; /* the plain loop takes what lies between two rows' vectors at once */
    for (int row = done / columns; row * columns < range.column_end; ++row) {
        const int first = row * columns;
        int i = first + 2 > range.column_begin ? first + 2 : range.column_begin;
        const int end = first + columns - 2 < range.column_end ? first + columns - 2 : range.column_end;
        if (row < 2 || row >= m->p.m.rows - 2 || i + LANES > end)
            continue;
        plain(buffers, parameters, step, (struct range){done, i, 0, 1});
        for (; i + LANES <= end; i += LANES)
            vectors((struct grid_node){i, i - first, row, 0}, s, alpha, m);
        done = i;
    }
    plain(buffers, parameters, step, (struct range){done, range.column_end, 0, 1});
}

#define TURN(name, springs)                                                                                            \
    static void name(struct grid_node at, const struct iteration *s, scalar alpha,                                     \
                     const struct constraint_enforcement *m) {                                                         \
        (void)alpha;                                                                                                   \
        constraint_advance(at.i, s, springs, m);                                                                       \
        constraint_turn(at, s, springs, m);                                                                            \
    }
TURN(turn_all, ALL)
TURN(turn_two, TWO)
TURN(turn_some, m->p.m.springs)

#define STRIDE(name, springs)                                                                                          \
    static void name(struct grid_node at, const struct iteration *s, scalar alpha,                                     \
                     const struct constraint_enforcement *m) {                                                         \
        (void)s;                                                                                                       \
        constraint_stride(at, alpha, springs, m);                                                                      \
    }
STRIDE(stride_all, ALL)
STRIDE(stride_two, TWO)
STRIDE(stride_some, m->p.m.springs)

static void direction(struct sweep_room room, void *const *buffers, const void *parameters, int step, int steps,
                      struct range range) {
    (void)room;
    (void)steps;
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
                                             .p = *(const struct constraint_enforcement_parameters *)parameters,
                                             .step = step};
    const struct iteration s = iteration_of(*(const quad *)buffers[10], &m);
    kernel_loop *const plain = LOOP(constraint_enforcement_direction);
    if (s.has_ended)
        plain(buffers, parameters, step, range);
    else if (m.p.m.springs == ALL)
        each(turn_all, plain, buffers, parameters, step, range, &s, 0, &m);
    else if (m.p.m.springs == TWO)
        each(turn_two, plain, buffers, parameters, step, range, &s, 0, &m);
    else
        each(turn_some, plain, buffers, parameters, step, range, &s, 0, &m);
}

static void stride(struct sweep_room room, void *const *buffers, const void *parameters, int step, int steps,
                   struct range range) {
    (void)room;
    (void)steps;
    const struct constraint_enforcement m = {.place = buffers[0],
                                             .pull = buffers[1],
                                             .residual = buffers[2],
                                             .direction = buffers[3],
                                             .shares = buffers[4],
                                             .progress = buffers[5],
                                             .heading = buffers[6],
                                             .p = *(const struct constraint_enforcement_parameters *)parameters,
                                             .step = step};
    const scalar alpha = stride_of(*(const quad *)buffers[7], &m);
    kernel_loop *const plain = LOOP(constraint_enforcement_stride);
    if (m.heading[1].z != 0)
        plain(buffers, parameters, step, range);
    else if (m.p.m.springs == ALL)
        each(stride_all, plain, buffers, parameters, step, range, NULL, alpha, &m);
    else if (m.p.m.springs == TWO)
        each(stride_two, plain, buffers, parameters, step, range, NULL, alpha, &m);
    else
        each(stride_some, plain, buffers, parameters, step, range, NULL, alpha, &m);
}

const struct sweep ROWS(constraint_enforcement_direction_lanes) = {.run = direction, .steps = 1};
const struct sweep ROWS(constraint_enforcement_stride_lanes) = {.run = stride, .steps = 1};
