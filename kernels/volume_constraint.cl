/* OpenCL's entry points to volume_constraint.h. Those that end in _held are for a kernel that runs a whole frame. */
#include "volume_constraint.h"

#define NODE       (int)get_global_id(0)
#define PARAMETERS const struct volume_constraint_parameters p

static inline struct ring volume_constraint_hold(__global const int *start, __global const int *ring_end,
                                                 __global const int *neighbour, __global const real *rest,
                                                 PARAMETERS) {
    return ring_take(NODE < p.m.columns ? NODE : 0, start, ring_end, neighbour, rest);
}

static inline void volume_constraint_begin_held(__global quad *position, __global quad *velocity,
                                                __global quad *predicted, __global quad *drift,
                                                __global quad *direction, __global quad *shares,
                                                __global const int *start, __global const int *ring_end,
                                                __global const int *neighbour, __global const real *rest, PARAMETERS,
                                                const int step, const struct ring *ring) {
    const struct volume_constraint m = {.position = position, .velocity = velocity, .predicted_next = predicted,
                                        .drift_next = drift, .direction_next = direction, .shares = shares,
                                        .start = start, .ring_end = ring_end, .neighbour = neighbour, .rest = rest,
                                        .p = p, .step = step};
    if (NODE < p.m.columns)
        volume_constraint_gather(NODE, 0, 0, 0, ring, 0, &m);
}

ENTRY void volume_constraint_begin(__global quad *position, __global quad *velocity, __global quad *predicted,
                                   __global quad *drift, __global quad *direction, __global quad *shares,
                                   __global const int *start, __global const int *ring_end,
                                   __global const int *neighbour, __global const real *rest, PARAMETERS,
                                   const int step) {
    const struct ring ring = volume_constraint_hold(start, ring_end, neighbour, rest, p);
    volume_constraint_begin_held(position, velocity, predicted, drift, direction, shares, start, ring_end, neighbour,
                                 rest, p, step, &ring);
}

ENTRY void volume_constraint_printed(__global quad *position, __global quad *velocity, __global quad *predicted,
                                     __global quad *drift, __global quad *direction, __global quad *shares,
                                     __global const int *start, __global const int *ring_end,
                                     __global const int *neighbour, __global const real *rest,
                                     __global const int *corner, PARAMETERS, const int step) {
    const struct volume_constraint m = {.position = position, .velocity = velocity, .predicted_next = predicted,
                                        .drift_next = drift, .direction_next = direction, .shares = shares,
                                        .start = start, .ring_end = ring_end, .neighbour = neighbour, .rest = rest,
                                        .corner = corner, .p = p, .step = step};
    const struct ring ring = volume_constraint_hold(start, ring_end, neighbour, rest, p);
    if (NODE < p.m.columns)
        volume_constraint_gather(NODE, 0, 1, 0, &ring, 0, &m);
}

static inline void volume_constraint_late_held(__global const quad *predicted, __global const quad *drift,
                                               __global const quad *direction, __global quad *predicted_next,
                                               __global quad *drift_next, __global quad *direction_next,
                                               __global quad *shares, TOTAL total,
                                               __global const int *start, __global const int *ring_end,
                                               __global const int *neighbour, __global const real *rest, PARAMETERS,
                                               const int step, const struct ring *ring) {
    const struct volume_constraint m = {.predicted = predicted, .drift = drift, .direction = direction,
                                        .predicted_next = predicted_next, .drift_next = drift_next,
                                        .direction_next = direction_next, .shares = shares, .total = total,
                                        .start = start, .ring_end = ring_end, .neighbour = neighbour, .rest = rest,
                                        .p = p, .step = step};
    struct left left;
    left_take(&left, ring, &m);
    left_take_own(&left, NODE < p.m.columns ? NODE : 0, &m);
    const scalar lambda = last_multiplier(&m); /* by all: whole warps add it up */
    if (NODE < p.m.columns)
        volume_constraint_gather(NODE, 1, 0, lambda, ring, &left, &m);
}

ENTRY void volume_constraint_late(__global const quad *predicted, __global const quad *drift,
                                  __global const quad *direction, __global quad *predicted_next,
                                  __global quad *drift_next, __global quad *direction_next, __global quad *shares,
                                  TOTAL total, __global const int *start, __global const int *ring_end,
                                  __global const int *neighbour, __global const real *rest, PARAMETERS,
                                  const int step) {
    const struct ring ring = volume_constraint_hold(start, ring_end, neighbour, rest, p);
    volume_constraint_late_held(predicted, drift, direction, predicted_next, drift_next, direction_next, shares, total,
                                start, ring_end, neighbour, rest, p, step, &ring);
}

ENTRY void volume_constraint_end(__global quad *position, __global quad *velocity, __global const quad *predicted,
                                 __global const quad *drift, __global const quad *direction,
                                 TOTAL total, PARAMETERS, const int step) {
    const struct volume_constraint m = {.position = position, .velocity = velocity, .predicted = predicted,
                                        .drift = drift, .direction = direction, .total = total, .p = p,
                                        .step = step};
    const scalar lambda = last_multiplier(&m);
    if (NODE < p.m.columns)
        volume_constraint_correct(NODE, lambda, &m);
}

ENTRY void volume_constraint_contact(__global quad *position, __global quad *velocity, PARAMETERS, const int step) {
    if (NODE < p.m.columns)
        mass_spring_contact(NODE, position, velocity, p.m, step);
}
