/* OpenCL's entry points to the paper's own program in volume_constraint.h: its table 2. Atomic sums are of floats. */
#include "volume_constraint.h"

#ifndef REAL_IS_double
#define ITEM (int)get_global_id(0)

ENTRY void volume_constraint_spring_forces(__global quad *position, __global quad *velocity, __global real *force,
                                           __global const int *spring, __global const real *spring_rest,
                                           const struct volume_constraint_parameters p, const int step) {
    const struct mass_spring_paper m = {position, velocity, force, spring, spring_rest, p.m, step};
    if (ITEM < p.m.spring_count)
        mass_spring_paper_force(ITEM, &m);
}

ENTRY void volume_constraint_node_forces(__global const quad *position, __global const quad *velocity,
                                         __global real *force, __global const int *start,
                                         __global const int *neighbour, __global const real *rest,
                                         const struct volume_constraint_parameters p, const int step) {
    const struct volume_constraint_paper m = {.position = position, .velocity = velocity, .force = force,
                                              .start = start, .neighbour = neighbour, .rest = rest, .p = p};
    if (ITEM < p.m.columns)
        volume_constraint_paper_gather(ITEM, &m);
}

ENTRY void volume_constraint_volume(__global const quad *position, __global real *system,
                                    __global const int *triangle, const struct volume_constraint_parameters p,
                                    const int step) {
    const struct volume_constraint_paper m = {.position = position, .system = system, .triangle = triangle, .p = p};
    if (ITEM < p.m.triangle_count)
        atomic_add_real(&system[0], triangle_volume(ITEM, &m));
}

ENTRY void volume_constraint_volume_shares(__global const quad *position, __global quad *volume_share,
                                           __global const int *triangle,
                                           const struct volume_constraint_parameters p, const int step) {
    const struct volume_constraint_paper m = {.position = position, .volume_share = volume_share,
                                              .triangle = triangle, .p = p};
    if (ITEM < p.m.triangle_count)
        volume_share[ITEM] = quad_of(vec3_of(triangle_volume(ITEM, &m), 0, 0), 0);
}

ENTRY void volume_constraint_jacobian(__global const quad *position, __global quad *jacobian,
                                      __global const int *start, __global const int *ring_end,
                                      __global const int *neighbour, const struct volume_constraint_parameters p,
                                      const int step) {
    const struct volume_constraint_paper m = {.position = position, .jacobian = jacobian, .start = start,
                                              .ring_end = ring_end, .neighbour = neighbour, .p = p};
    if (ITEM < p.m.columns)
        volume_constraint_paper_jacobian(ITEM, &m);
}

ENTRY void volume_constraint_system(__global const quad *position, __global const quad *velocity,
                                    __global real *force, __global quad *jacobian, __global real *system,
                                    const struct volume_constraint_parameters p, const int step) {
    const struct volume_constraint_paper m = {.position = position, .velocity = velocity, .force = force,
                                              .jacobian = jacobian, .system = system, .p = p};
    if (ITEM < p.m.columns) {
        const quad share = system_share(ITEM, step, &m);
        atomic_add_real(&system[1], share.y);
        atomic_add_real(&system[2], share.z);
    }
}

ENTRY void volume_constraint_system_shares(__global const quad *position, __global const quad *velocity,
                                           __global real *force, __global quad *jacobian,
                                           __global quad *system_shares,
                                           const struct volume_constraint_parameters p, const int step) {
    const struct volume_constraint_paper m = {.position = position, .velocity = velocity, .force = force,
                                              .jacobian = jacobian, .system_share = system_shares, .p = p};
    if (ITEM < p.m.columns)
        system_shares[ITEM] = system_share(ITEM, step, &m);
}

ENTRY void volume_constraint_constrain(__global real *force, __global quad *jacobian, __global const real *system,
                                       const struct volume_constraint_parameters p, const int step) {
    const struct volume_constraint_paper m = {.force = force, .jacobian = jacobian, .p = p};
    if (ITEM < p.m.columns)
        volume_constraint_paper_constrain(ITEM, system[0], system[1], system[2], &m);
}

ENTRY void volume_constraint_constrain_by_sums(__global real *force, __global quad *jacobian,
                                               TOTAL volume_total, TOTAL system_total,
                                               const struct volume_constraint_parameters p, const int step) {
    const struct volume_constraint_paper m = {.force = force, .jacobian = jacobian, .p = p};
    if (ITEM < p.m.columns)
        volume_constraint_paper_constrain(ITEM, TOTAL_OF(volume_total).x, TOTAL_OF(system_total).y,
                                          TOTAL_OF(system_total).z, &m);
}

ENTRY void volume_constraint_update(__global quad *position, __global quad *velocity, __global real *force,
                                    __global real *system, const struct volume_constraint_parameters p,
                                    const int step) {
    const struct mass_spring_paper m = {position, velocity, force, 0, 0, p.m, step};
    if (ITEM < p.m.columns)
        mass_spring_paper_update(ITEM, &m);
    if (ITEM < 3) /* the sums of the next step */
        system[ITEM] = 0;
}
#endif
