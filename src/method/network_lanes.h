/* Functions that load the nodes of a group (method/lane_groups.h) and their neighbours, for the SIMD kernels of
 * networks. */
#ifndef SPRINGBACK_METHOD_NETWORK_LANES_H
#define SPRINGBACK_METHOD_NETWORK_LANES_H

#include "method/quad_lanes.h"

#include "mass_spring.h"
#include "method/lane_groups.h"

#include <string.h>

struct lane_nodes {
    struct motion motion;
    real inverse_mass, share;
};

INLINE struct lane_nodes lane_nodes_at(const quad *position, const quad *velocity, const int *node) {
    const struct quads x = quads_gather(position, node), v = quads_gather(velocity, node);
    return (struct lane_nodes){{x.xyz, v.xyz}, x.w, v.w};
}

INLINE word load_word(const void *array, size_t k) {
    word a;
    memcpy(&a, (const scalar_word *)array + k, sizeof a);
    return a;
}

/* A mask of all lanes. */
#define EACH_LANE ((word){0} == (word){0})

/* Positions and velocities of the neighbours groups->neighbour[at] to [at + LANES - 1]. These are the neighbours of one
 * slot of a group. */
INLINE struct motion lanes_there(const struct lane_groups *groups, size_t at, const quad *position,
                                 const quad *velocity) {
    const int *neighbour = groups->neighbour + at;
    return (struct motion){quads_gather(position, neighbour).xyz, quads_gather(velocity, neighbour).xyz};
}

/* A mask of the lanes of group g whose count is above k. `counts` is groups->springs or groups->ring. */
INLINE word lanes_with(const void *counts, int g, int k) {
    return load_word(counts, (size_t)g * LANES) > (scalar_word)k;
}

#endif
