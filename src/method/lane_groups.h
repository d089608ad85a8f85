/* A network's rows for vector units: nodes in groups of so many lanes, and what each lane needs slot by slot.
 *
 * Nodes are taken in blocks of LIST_BLOCK, and in a block by the number of their springs, so that the lanes of a group
 * end together. A lane whose node has fewer springs than the group's slots is led to its own node there, and masked. */
#ifndef SPRINGBACK_METHOD_LANE_GROUPS_H
#define SPRINGBACK_METHOD_LANE_GROUPS_H

#include <stddef.h>

struct lane_group {
    size_t first; /* its slots in neighbour and rest, counted in reals */
    int slots;    /* the most springs of its nodes */
    int common;   /* all its nodes have so many springs at least, and all of these in their rings */
};

/* One piece of memory, of reals of one size. */
struct lane_groups {
    const struct lane_group *group; /* [nodes / lanes, rounded up] */
    const int *node;                /* [groups][lanes]; behind the list's end its last group's last node again */
    const int *neighbour;           /* [slots][lanes] of each group */
    const void *rest;               /* m, likewise: reals */
    const void *springs, *ring; /* [groups][lanes]: a node's springs, and those in its ring; words, as wide as reals */
};

/* Of the network's rows as mass_spring.h has them; without `ring_end` all springs count as in the ring. `lanes` divides
 * LIST_BLOCK. Freed by free(); NULL where memory does not suffice. */
struct lane_groups *lane_groups_create(const int *start, const int *ring_end, const int *neighbour, const void *rest,
                                       int nodes, int real_size, int lanes);

#endif
