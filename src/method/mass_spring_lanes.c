/* A network's step for vector units: as many nodes at once as there are lanes, each of which adds up its own springs in
 * the order of mass_spring.h, so the bits are the same. Each spring is computed from both ends: what would be saved by
 * computing it once is lost in fetching it. */
#include "method/quad_lanes.h"

#include "mass_spring.h"
#include "method/lane_groups.h"
#include "method/mass_spring_loops.h"
#include "method/network_lanes.h"

static void *prepare(void *const *buffers, int items) {
    return lane_groups_create(buffers[4], NULL, buffers[5], buffers[6], items, sizeof(scalar), LANES);
}

/* As network_force has it. */
static vec3 force_of(const struct lane_groups *groups, int g, const struct motion *here, const quad *position,
                     const quad *velocity, const struct mass_spring_parameters *p) {
    const struct lane_group *group = &groups->group[g];
    vec3 force = vec3_everywhere(0, 0, 0);
    for (int k = 0; k < group->slots; ++k) {
        const size_t at = group->first + (size_t)k * LANES;
        const struct motion there = lanes_there(groups, at, position, velocity);
        const vec3 with = add(force, spring_force(here->x, here->v, there.x, there.v, load_real(groups->rest, at),
                                                  p->stiffness, p->damping));
        force = k < group->common ? with : vec3_either(lanes_with(groups->springs, g, k), with, force);
    }
    return force;
}

static void run(struct sweep_room room, void *const *buffers, const void *parameters, int step, int steps,
                struct range range) {
    (void)steps;
    const struct lane_groups *groups = room.prepared;
    const struct mass_spring_parameters p = *(const struct mass_spring_parameters *)parameters;
    const quad *position = buffers[0], *velocity = buffers[1];
    quad *position_next = buffers[2], *velocity_next = buffers[3];
    for (int g = range.column_begin / LANES; g < (range.column_end + LANES - 1) / LANES; ++g) {
        const int *node = groups->node + (size_t)g * LANES;
        const struct lane_nodes here = lane_nodes_at(position, velocity, node);
        const vec3 force = force_of(groups, g, &here.motion, position, velocity, &p);
        const struct motion after = network_after(here.motion, force, here.inverse_mass, here.share, step, p);
        quads_scatter(position_next, node, after.x, here.inverse_mass);
        quads_scatter(velocity_next, node, after.v, here.share);
    }
}

const struct sweep ROWS(mass_spring_network_lanes) = {.run = run, .steps = 1, .prepare = prepare, .first_fixed = 4};
