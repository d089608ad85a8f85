/* The kernels volume_constraint_begin and volume_constraint_end of volume_constraint.h for vector units: LANES nodes at
 * once. They are bit-identical to the plain loops. */
#include "method/list_lanes.h"

#include "method/lane_groups.h"
#include "method/loops.h"
#include "method/network_lanes.h"
#include "volume_constraint.h"

#include <stdbool.h>

static void *prepare(const void *arguments, int items) {
    TAKE_ARGUMENTS(volume_constraint);
    return lane_groups_create(m.start, m.ring_end, m.neighbour, m.rest, items, sizeof(scalar), LANES);
}

/* Add springs of group g's nodes to the sums `a`: those in the slots `begin` to `end` - 1. Slot k has the k-th spring
 * of each node, or nothing if the node has fewer springs. If `whole`, every node has a spring in each of these slots,
 * and all these springs lead to the rings of their nodes. */
static inline __attribute__((always_inline)) void add_slots(struct around *a, const struct lane_groups *groups, int g,
                                                            int begin, int end, const bool whole,
                                                            const struct motion *here, const quad *position,
                                                            const quad *velocity,
                                                            const struct mass_spring_parameters *p) {
    for (int k = begin; k < end; ++k) {
        const size_t at = groups->group[g].first + (size_t)k * LANES;
        const word is_there = whole ? EACH_LANE : lanes_with(groups->springs, g, k);
        const word in_ring = whole ? EACH_LANE : lanes_with(groups->ring, g, k);
        around_add(a, k ? 2 : 0, is_there, in_ring, *here, lanes_there(groups, at, position, velocity),
                   reals_at((const scalar *)groups->rest + at), 0, 0, p);
    }
}

/* The sums of volume_constraint_gather for the nodes of group g. */
static struct around around_of(const struct lane_groups *groups, int g, const struct motion *here, const quad *position,
                               const quad *velocity, const struct mass_spring_parameters *p) {
    const struct lane_group *group = &groups->group[g];
    struct around a = around_none();
    add_slots(&a, groups, g, 0, group->slots > 0, false, here, position, velocity, p);
    add_slots(&a, groups, g, 1, group->common, true, here, position, velocity, p);
    add_slots(&a, groups, g, group->common > 1 ? group->common : 1, group->slots, false, here, position, velocity, p);
    around_close(&a, lanes_with(groups->ring, g, 0), 0, 0);
    return a;
}

static void begin(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {
    (void)steps;
    const struct lane_groups *groups = workspace.prepared;
    TAKE_ARGUMENTS(volume_constraint);
    const quad *position = m.position, *velocity = m.velocity;
    const vec3 origin = vec3_everywhere(position[0].x, position[0].y, position[0].z);
    const real none = EVERYWHERE(0);
    for (int g = range.column_begin / LANES; g < (range.column_end + LANES - 1) / LANES; ++g) {
        const int *node = groups->node + (size_t)g * LANES;
        const struct lane_nodes here = lane_nodes_at(position, velocity, node);
        const struct around sums = around_of(groups, g, &here.motion, position, velocity, &m.p.m);
        const vec3 gradient = gradient_of(sums.area);
        const struct gathered after = volume_constraint_gathered(here.motion, origin, sums.force, gradient, gradient,
                                                                 here.inverse_mass, here.share, m.step, m.p);
        quads_scatter(m.predicted_next, node, after.predicted, after.direction.x);
        quads_scatter(m.drift_next, node, after.drift, after.direction.y);
        for (int l = 0; l < LANES; ++l)
            m.direction_z_next[node[l]] = after.direction.z[l];
        quads_scatter(m.shares, node, vec3_of(after.volume_3, after.left, after.right), none);
    }
}

static void end(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {
    (void)workspace;
    (void)steps;
    TAKE_ARGUMENTS(volume_constraint);
    const scalar lambda = last_multiplier(TOTAL_PREFETCH(m.total), &m);
    int nodes[LANES];
    for (int i = range.column_begin; i < range.column_end; i += LANES) {
        take_nodes(nodes, i, range.column_end);
        const struct lane_nodes here = lane_nodes_at(m.position, m.velocity, nodes);
        const struct quads x = quads_gather(m.predicted, nodes), v = quads_gather(m.drift, nodes);
        real z = {0}; /* initialised because gcc 13 warns at -O1 */
        for (int l = 0; l < LANES; ++l)
            z[l] = m.direction_z[nodes[l]];
        const struct motion after = network_keep_out(constrained(x.xyz, v.xyz, vec3_of(x.w, v.w, z), lambda, m.p),
                                                     here.inverse_mass > 0, m.step + 1, m.p.m);
        quads_scatter(m.position, nodes, after.x, here.inverse_mass);
        quads_scatter(m.velocity, nodes, after.v, here.share);
    }
}

const struct simd_kernel ROWS(volume_constraint_begin_lanes) = {.run = begin, .steps = 1, .prepare = prepare};
const struct simd_kernel ROWS(volume_constraint_end_lanes) = {.run = end, .steps = 1};
