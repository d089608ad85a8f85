/* A network's rows for vector units: nodes in groups of `lanes` nodes. Slot k of a group has spring k of each of its
 * nodes.
 *
 * Nodes are sorted by their number of springs within each block of LIST_BLOCK, so that the lanes of a group finish
 * together. In slots beyond the springs of its node, a lane reads its own node and is masked. */
#ifndef SPRINGBACK_METHOD_LANE_GROUPS_H
#define SPRINGBACK_METHOD_LANE_GROUPS_H

#include <stddef.h>

struct lane_group {
    size_t first; /* start of its slots in neighbour and rest, counted in reals */
    int slots;    /* largest number of springs of its nodes */
    int common;   /* number of slots in which all its nodes have springs, and all these springs are in their rings */
};

/* One block of memory, with reals of one size. */
struct lane_groups {
    const struct lane_group *group; /* [nodes / lanes, rounded up] */
    const int *node;                /* [groups][lanes]; lanes behind the last node repeat it */
    const int *neighbour;           /* [slots][lanes] of each group */
    const void *rest;               /* m; [slots][lanes] of each group, reals */
    const void *springs, *ring; /* [groups][lanes]: springs of a node, springs to its ring; integers as wide as reals */
};

/* Create groups from a network's rows as in mass_spring.h. If `ring_end` is NULL, all springs count as in the ring.
 * `lanes` must divide LIST_BLOCK. The caller frees the result by free(). Returns NULL if out of memory. */
struct lane_groups *lane_groups_create(const int *start, const int *ring_end, const int *neighbour, const void *rest,
                                       int nodes, int real_size, int lanes);

#endif
