/* OpenCL's entry points to volume_constraint.h. Those that end in _held are for a kernel that runs a whole frame,
 * and inlined: PoCL 3.1 reads 0 where a function that is not is given a pointer to local memory. */
#include "volume_constraint.h"

#define NODE       WORK_ITEM
#define PARAMETERS const struct volume_constraint_parameters p

INLINE struct held_node volume_constraint_hold(STATE_SPACE quad *position, STATE_SPACE quad *velocity,
                                               __global const int *start, __global const int *ring_end,
                                               __global const int *neighbour, __global const real *rest,
                                               PARAMETERS WORK_ITEM_PARAMETER) {
    const struct volume_constraint m = {.position = position, .velocity = velocity, .start = start,
                                        .ring_end = ring_end, .neighbour = neighbour, .rest = rest};
    return held_node_take(NODE < p.m.columns ? NODE : 0, &m);
}

INLINE void volume_constraint_begin_held(STATE_SPACE quad *position, STATE_SPACE quad *velocity,
                                         STATE_SPACE quad *predicted, STATE_SPACE quad *drift,
                                         STATE_SPACE real *direction_z, __global quad *shares,
                                         __global const int *start, __global const int *ring_end,
                                         __global const int *neighbour, __global const real *rest, PARAMETERS,
                                         const int step, const struct held_node *held WORK_ITEM_PARAMETER) {
    const struct volume_constraint m = {.position = position, .velocity = velocity, .predicted_next = predicted,
                                        .drift_next = drift, .direction_z_next = direction_z, .shares = shares,
                                        .start = start, .ring_end = ring_end, .neighbour = neighbour, .rest = rest,
                                        .p = p, .step = step};
    if (NODE < p.m.columns)
        volume_constraint_gather(NODE, 0, 0, 0, held, 0, &m);
}

ENTRY void volume_constraint_begin(STATE_SPACE quad *position, STATE_SPACE quad *velocity, STATE_SPACE quad *predicted,
                                   STATE_SPACE quad *drift, STATE_SPACE real *direction_z, __global quad *shares,
                                   __global const int *start, __global const int *ring_end,
                                   __global const int *neighbour, __global const real *rest, PARAMETERS,
                                   const int step WORK_ITEM_PARAMETER) {
    const struct held_node held = volume_constraint_hold(position, velocity, start, ring_end, neighbour, rest,
                                                         p WORK_ITEM_ARGUMENT);
    volume_constraint_begin_held(position, velocity, predicted, drift, direction_z, shares, start, ring_end, neighbour,
                                 rest, p, step, &held WORK_ITEM_ARGUMENT);
}

ENTRY void volume_constraint_printed(STATE_SPACE quad *position, STATE_SPACE quad *velocity,
                                     STATE_SPACE quad *predicted, STATE_SPACE quad *drift,
                                     STATE_SPACE real *direction_z, __global quad *shares,
                                     __global const int *start, __global const int *ring_end,
                                     __global const int *neighbour, __global const real *rest,
                                     __global const int *corner, PARAMETERS, const int step WORK_ITEM_PARAMETER) {
    const struct volume_constraint m = {.position = position, .velocity = velocity, .predicted_next = predicted,
                                        .drift_next = drift, .direction_z_next = direction_z, .shares = shares,
                                        .start = start, .ring_end = ring_end, .neighbour = neighbour, .rest = rest,
                                        .corner = corner, .p = p, .step = step};
    const struct held_node held = volume_constraint_hold(position, velocity, start, ring_end, neighbour, rest,
                                                         p WORK_ITEM_ARGUMENT);
    if (NODE < p.m.columns)
        volume_constraint_gather(NODE, 0, 1, 0, &held, 0, &m);
}

INLINE void volume_constraint_late_held(STATE_SPACE quad *position, STATE_SPACE quad *velocity,
                                        STATE_SPACE const quad *predicted, STATE_SPACE const quad *drift,
                                        STATE_SPACE const real *direction_z, STATE_SPACE quad *predicted_next,
                                        STATE_SPACE quad *drift_next, STATE_SPACE real *direction_z_next,
                                        __global quad *shares, TOTAL total,
                                        __global const int *start, __global const int *ring_end,
                                        __global const int *neighbour, __global const real *rest, PARAMETERS,
                                        const int step, const struct held_node *held WORK_ITEM_PARAMETER) {
    const struct volume_constraint m = {.position = position, .velocity = velocity, .predicted = predicted,
                                        .drift = drift, .direction_z = direction_z, .predicted_next = predicted_next,
                                        .drift_next = drift_next, .direction_z_next = direction_z_next,
                                        .shares = shares, .total = total, .start = start, .ring_end = ring_end,
                                        .neighbour = neighbour, .rest = rest, .p = p, .step = step};
    const taken_total taken = TOTAL_TAKE(m.total); /* first: all else waits for it */
    struct left left;
    left_take_own(&left, NODE < p.m.columns ? NODE : 0, &m);
    left_take(&left, &held->ring, &m);
    const scalar lambda = last_multiplier(taken, &m); /* by all: whole warps add it up */
    if (NODE < p.m.columns)
        volume_constraint_gather(NODE, 1, 0, lambda, held, &left, &m);
}

ENTRY void volume_constraint_late(STATE_SPACE quad *position, STATE_SPACE quad *velocity,
                                  STATE_SPACE const quad *predicted, STATE_SPACE const quad *drift,
                                  STATE_SPACE const real *direction_z,
                                  STATE_SPACE quad *predicted_next, STATE_SPACE quad *drift_next,
                                  STATE_SPACE real *direction_z_next, __global quad *shares, TOTAL total,
                                  __global const int *start, __global const int *ring_end,
                                  __global const int *neighbour, __global const real *rest, PARAMETERS,
                                  const int step WORK_ITEM_PARAMETER) {
    const struct held_node held = volume_constraint_hold(position, velocity, start, ring_end, neighbour, rest,
                                                         p WORK_ITEM_ARGUMENT);
    volume_constraint_late_held(position, velocity, predicted, drift, direction_z, predicted_next, drift_next,
                                direction_z_next, shares, total, start, ring_end, neighbour, rest, p, step,
                                &held WORK_ITEM_ARGUMENT);
}

ENTRY void volume_constraint_end(STATE_SPACE quad *position, STATE_SPACE quad *velocity,
                                 STATE_SPACE const quad *predicted, STATE_SPACE const quad *drift,
                                 STATE_SPACE const real *direction_z,
                                 TOTAL total, PARAMETERS, const int step WORK_ITEM_PARAMETER) {
    const struct volume_constraint m = {.position = position, .velocity = velocity, .predicted = predicted,
                                        .drift = drift, .direction_z = direction_z, .total = total, .p = p,
                                        .step = step};
    const scalar lambda = last_multiplier(TOTAL_TAKE(m.total), &m);
    if (NODE < p.m.columns)
        volume_constraint_correct(NODE, lambda, &m);
}

ENTRY void volume_constraint_contact(STATE_SPACE quad *position, STATE_SPACE quad *velocity, PARAMETERS,
                                     const int step WORK_ITEM_PARAMETER) {
    if (NODE < p.m.columns)
        mass_spring_contact(NODE, position, velocity, p.m, step);
}
