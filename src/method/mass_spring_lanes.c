/* A network's step for vector units: LANES nodes at once. Each node adds up its own springs in the order of
 * mass_spring.h, so the result is bit-identical. Each spring is computed at both ends, because fetching a stored result
 * would cost as much as computing it. */
#include "method/quad_lanes.h"

#include "mass_spring.h"
#include "method/lane_groups.h"
#include "method/loops.h"
#include "method/network_lanes.h"

static void *prepare(const void *arguments, int items) {
    TAKE_ARGUMENTS(mass_spring);
    return lane_groups_create(m.start, NULL, m.neighbour, m.rest, items, sizeof(scalar), LANES);
}

/* The function network_force of mass_spring.h, for the nodes of group g. */
static vec3 force_of(const struct lane_groups *groups, int g, const struct motion *here, const quad *position,
                     const quad *velocity, const struct mass_spring_parameters *p) {
    const struct lane_group *group = &groups->group[g];
    vec3 force = vec3_everywhere(0, 0, 0);
    for (int k = 0; k < group->slots; ++k) {
        const size_t at = group->first + (size_t)k * LANES;
        const struct motion there = lanes_there(groups, at, position, velocity);
        const vec3 with =
            add(force, spring_force(here->x, here->v, there.x, there.v, reals_at((const scalar *)groups->rest + at),
                                    p->stiffness, p->damping));
        force = k < group->common ? with : vec3_either(lanes_with(groups->springs, g, k), with, force);
    }
    return force;
}

static void run(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {
    (void)steps;
    const struct lane_groups *groups = workspace.prepared;
    TAKE_ARGUMENTS(mass_spring);
    for (int g = range.column_begin / LANES; g < (range.column_end + LANES - 1) / LANES; ++g) {
        const int *node = groups->node + (size_t)g * LANES;
        const struct lane_nodes here = lane_nodes_at(m.position, m.velocity, node);
        const vec3 force = force_of(groups, g, &here.motion, m.position, m.velocity, &m.p);
        const struct motion after = network_after(here.motion, force, here.inverse_mass, here.share, m.step, m.p);
        quads_scatter(m.position_next, node, after.x, here.inverse_mass);
        quads_scatter(m.velocity_next, node, after.v, here.share);
    }
}

const struct simd_kernel ROWS(mass_spring_network_lanes) = {.run = run, .steps = 1, .prepare = prepare};
