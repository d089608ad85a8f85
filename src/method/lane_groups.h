/* The springs of a network, stored for vector units: nodes are in groups of `lanes` nodes, and slot k of a group has
 * spring k of each of its nodes.
 *
 * Nodes are sorted by their number of springs within each block of LIST_BLOCK, so that the lanes of a group finish
 * together. In slots beyond the springs of its node, a lane reads its own node and is masked. */
#ifndef SPRINGBACK_METHOD_LANE_GROUPS_H
#define SPRINGBACK_METHOD_LANE_GROUPS_H

#include <stddef.h>

struct lane_group {
    size_t first; /* index of its first slot's first element in neighbour and rest */
    int slots;    /* largest number of springs of its nodes */
    int common;   /* number of slots in which each of its nodes has a spring that leads to the node's ring
                     (body/body.h) */
};

/* One block of memory, with reals of one size. */
struct lane_groups {
    const struct lane_group *group; /* [nodes / lanes, rounded up] */
    const int *node;                /* [groups][lanes]; lanes behind the last node repeat it */
    const int *neighbour;           /* [slots][lanes] of each group */
    const void *rest;               /* m; [slots][lanes] of each group, reals */
    const void *springs, *ring; /* [groups][lanes] number of a node's springs, and number of those to its ring; integers
                                   as wide as reals */
};

/* Create groups from the arrays of a network (struct body). If `ring_end` is NULL, all springs count as springs to the
 * ring. `lanes` must divide LIST_BLOCK. The caller frees the result by free(). Returns NULL if out of memory. */
struct lane_groups *lane_groups_create(const int *start, const int *ring_end, const int *neighbour, const void *rest,
                                       int nodes, int real_size, int lanes);

#endif
