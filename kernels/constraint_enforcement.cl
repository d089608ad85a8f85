/* OpenCL's entry points to constraint_enforcement.h. */
#include "constraint_enforcement.h"

#define NODE       WORK_ITEM
#define PARAMETERS const struct constraint_enforcement_parameters p, const int step WORK_ITEM_PARAMETER

/* The work item's node. Two rows and columns from the border every neighbour is there; in a small cloth nearly every
 * warp holds border nodes, and would go both ways. */
static inline struct grid_node node_of(const struct mass_spring_parameters p WORK_ITEM_PARAMETER) {
    const int row = NODE / p.columns, column = NODE - row * p.columns;
    const int inside = column >= 2 && column < p.columns - 2 && row >= 2 && row < p.rows - 2;
    const struct grid_node at = {NODE, column, row, !(CONSTRAINT_IS_LARGE && inside)};
    return at;
}

/* What a kernel does to its node, `at`: of a large grid, compiled twice. */
#define AT_NODE(call)                                                                                                  \
    if (NODE < p.m.columns * p.m.rows) {                                                                               \
        struct grid_node at = node_of(p.m WORK_ITEM_ARGUMENT);                                                         \
        if (CONSTRAINT_IS_LARGE && !at.checked) {                                                                      \
            at.checked = 0;                                                                                            \
            call;                                                                                                      \
        } else {                                                                                                       \
            at.checked = 1;                                                                                            \
            call;                                                                                                      \
        }                                                                                                              \
    }

/* Of a small grid a work item reads what it needs of its node and about it before it adds up the sum that it waits for.
 */
#define READS_AHEAD (!CONSTRAINT_IS_LARGE && NODE < p.m.columns * p.m.rows)

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
    struct constraint_star star;
    if (READS_AHEAD)
        star = star_at(node_of(p.m WORK_ITEM_ARGUMENT), &m);
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
    struct constraint_ends ends;
    if (READS_AHEAD)
        ends = ends_at(node_of(p.m WORK_ITEM_ARGUMENT), &m);
    const scalar alpha = stride_of(TOTAL_OF_TAKEN(taken), head);
    AT_NODE(constraint_step(at, alpha, CONSTRAINT_IS_LARGE ? 0 : &ends, &m));
}

/* Whether all that is left of an iteration changes nothing: since a stride found it so. */
static inline int constraint_enforcement_ended(__global const quad *progress) {
    return progress[1].z != 0;
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
