/* The springs of a network, stored for vector units. Nodes are in groups of `lanes` nodes, and slot k of a group has
 * spring k of each node of the group.
 *
 * Within each block of LIST_BLOCK nodes (method/program.h), nodes are sorted by their number of springs, so that the
 * lanes of a group finish together. If a node has fewer springs than its group has slots, its lane reads the node
 * itself in the remaining slots, and a mask discards the results. */
#ifndef SPRINGBACK_METHOD_LANE_GROUPS_H
#define SPRINGBACK_METHOD_LANE_GROUPS_H

#include <stddef.h>

struct lane_group {
    size_t first; /* index in lane_groups.neighbour and .rest at which the group's slots begin */
    int slots;    /* largest number of springs of a node of the group */
    int common;   /* number of slots in which every node of the group has a spring that leads to the node's ring
                     (body/body.h) */
};

/* All arrays are in one block of memory. The reals of all arrays are floats, or all are doubles. */
struct lane_groups {
    const struct lane_group *group; /* [nodes / lanes, rounded up] */
    const int *node;                /* [groups][lanes]; lanes after the last node repeat this node */
    const int *neighbour;           /* for each group, [slots][lanes]: the nodes at the other ends of the springs */
    const void *rest;               /* for each group, [slots][lanes] reals: the rest lengths of the springs, m */
    const void *springs, *ring;     /* [groups][lanes] `springs`: how many springs a node has; `ring`: how many of its
                                       springs lead to its ring. Integers as wide as reals */
};

/* Create groups from the arrays of a network (struct body). If `ring_end` is NULL, all springs count as springs to the
 * ring. `lanes` must divide LIST_BLOCK. The caller frees the result by free(). Returns NULL if out of memory. */
struct lane_groups *lane_groups_create(const int *start, const int *ring_end, const int *neighbour, const void *rest,
                                       int nodes, int real_size, int lanes);

#endif
