/* OpenCL's entry points to constraint_enforcement.h. */
#include "constraint_enforcement.h"

#define NODE       WORK_ITEM
#define PARAMETERS const struct constraint_enforcement_parameters p, const int step WORK_ITEM_PARAMETER

#define HAS_NODE (NODE < p.m.columns * p.m.rows)

/* The work item's node. Two rows and columns from the border every neighbour is there; in a small cloth nearly every
 * warp holds border nodes, and would go both ways. */
static inline struct grid_node node_of(const struct mass_spring_parameters p WORK_ITEM_PARAMETER) {
    const int row = NODE / p.columns, column = NODE - row * p.columns;
    const int inside = column >= 2 && column < p.columns - 2 && row >= 2 && row < p.rows - 2;
    const struct grid_node at = {NODE, column, row, !(CONSTRAINT_IS_LARGE && inside)};
    return at;
}

/* The same of a small grid, where all is checked; of a work item that has no node, the last one. */
static inline struct grid_node near_node_of(const struct mass_spring_parameters p WORK_ITEM_PARAMETER) {
    const int last = p.columns * p.rows - 1, i = NODE < last ? NODE : last;
    const int row = i / p.columns, column = i - row * p.columns;
    const struct grid_node at = {i, column, row, 1};
    return at;
}

/* What a kernel does to its node, `at`: of a large grid, compiled twice. */
#define AT_NODE(call)                                                                                                  \
    if (HAS_NODE) {                                                                                                    \
        struct grid_node at = node_of(p.m WORK_ITEM_ARGUMENT);                                                         \
        if (CONSTRAINT_IS_LARGE && !at.checked) {                                                                      \
            at.checked = 0;                                                                                            \
            call;                                                                                                      \
        } else {                                                                                                       \
            at.checked = 1;                                                                                            \
            call;                                                                                                      \
        }                                                                                                              \
    }

ENTRY void constraint_enforcement_prepare(__global const quad *position, __global const quad *velocity,
                                          __global real *place, __global real *drive, __global real *pull,
                                          __global real *kept, PARAMETERS) {
    const struct constraint_enforcement m = {.position = position, .velocity = velocity, .place = place,
                                             .drive = drive, .pull = pull, .kept = kept, .p = p, .step = step};
    AT_NODE(constraint_prepare(at, &m));
}

ENTRY void constraint_enforcement_begin(__global const quad *velocity, __global real *place, __global real *drive,
                                        __global real *pull, __global real *residual, __global real *kept,
                                        __global quad *shares, __global quad *progress, __global int *awake,
                                        PARAMETERS) {
    const struct constraint_enforcement m = {.velocity = velocity, .place = place, .drive = drive, .pull = pull,
                                             .residual = residual, .kept = kept, .shares = shares,
                                             .progress = progress, .awake = awake, .p = p, .step = step};
    AT_NODE(constraint_begin(at, &m));
}

/* Of a small grid a work item reads what it needs of its node and about it before it adds up the sum that it waits for;
 * all do, since a compiler puts off what only some read. What a kernel writes, items without a node read elsewhere. */
ENTRY void constraint_enforcement_direction(__global real *place, __global real *pull, __global real *residual,
                                            __global const real *direction, __global real *direction_next,
                                            __global real *multiplier, __global real *kept, __global quad *shares,
                                            __global quad *progress, __global quad *heading, TOTAL total,
                                            __global int *awake, PARAMETERS) {
    const struct constraint_enforcement m = {.place = place, .pull = pull, .residual = residual,
                                             .direction = direction, .direction_next = direction_next,
                                             .multiplier = multiplier, .kept = kept, .shares = shares,
                                             .progress = progress, .heading = heading, .awake = awake, .p = p,
                                             .step = step};
    const taken_total taken = TOTAL_TAKE(total);
    const struct standing before = standing_at(progress);
    struct constraint_enforcement near = m;
    near.multiplier = HAS_NODE ? multiplier : residual;
    struct constraint_star star;
    if (!CONSTRAINT_IS_LARGE)
        star = star_at(near_node_of(p.m WORK_ITEM_ARGUMENT), &near);
    const struct iteration s = iteration_of(TOTAL_OF_TAKEN(taken), before, &m); /* by all: whole warps add it up */
    AT_NODE(constraint_direction(at, &s, CONSTRAINT_IS_LARGE ? 0 : &star, &m));
}

ENTRY void constraint_enforcement_stride(__global real *place, __global real *pull, __global real *residual,
                                         __global const real *direction, __global quad *shares,
                                         __global quad *progress, __global quad *heading, TOTAL total,
                                         __global int *awake, PARAMETERS) {
    const struct constraint_enforcement m = {.place = place, .pull = pull, .residual = residual,
                                             .direction = direction, .shares = shares, .progress = progress,
                                             .heading = heading, .awake = awake, .p = p, .step = step};
    const taken_total taken = TOTAL_TAKE(total);
    const struct standing head = standing_at(heading);
    struct constraint_enforcement near = m;
    near.residual = HAS_NODE ? residual : (__global real *)direction;
    struct constraint_ends ends;
    if (!CONSTRAINT_IS_LARGE)
        ends = ends_at(near_node_of(p.m WORK_ITEM_ARGUMENT), &near);
    const scalar alpha = stride_of(TOTAL_OF_TAKEN(taken), head);
    AT_NODE(constraint_step(at, alpha, CONSTRAINT_IS_LARGE ? 0 : &ends, &m));
}

/* Not 0 once all that is left of an iteration changes nothing: since a stride found it so. */
static inline real constraint_enforcement_ended(__global const quad *progress) {
    return progress[1].z;
}

ENTRY void constraint_enforcement_finish(__global const quad *position, __global const quad *velocity,
                                         __global quad *position_next, __global quad *velocity_next,
                                         __global real *place, __global real *drive, __global const real *direction,
                                         __global real *multiplier, __global real *kept, __global quad *progress,
                                         __global quad *record, TOTAL total, PARAMETERS) {
    const struct constraint_enforcement m = {.position = position, .velocity = velocity,
                                             .position_next = position_next, .velocity_next = velocity_next,
                                             .place = place, .drive = drive, .direction = direction,
                                             .multiplier = multiplier, .kept = kept, .progress = progress,
                                             .record = record, .p = p, .step = step};
    const struct iteration s = iteration_of(TOTAL_OF(total), standing_at(progress), &m);
    AT_NODE(constraint_finish(at, &s, &m));
}
