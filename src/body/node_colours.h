/* Nodes by colours: no spring joins two nodes of one colour, so the nodes of a colour can move in parallel, in any
 * order. */
#ifndef SPRINGBACK_BODY_NODE_COLOURS_H
#define SPRINGBACK_BODY_NODE_COLOURS_H

#include "base/memory.h"
#include "base/status.h"

struct node_colours {
    int count;
    int *start; /* [count + 1] colour c is node[start[c]] .. node[start[c + 1] - 1], in ascending order */
    int *node;  /* [nodes] */
};

/* Assign each node, in the order of the indices, the lowest colour that none of its neighbours has. end[s] are the two
 * nodes of spring s. The number of colours is at most the largest number of springs at a node, plus one. The arrays
 * belong to the pool. Fails if out of memory, or if the number of ends exceeds INT_MAX. */
int node_colours_create(int nodes, int springs, const int (*end)[2], struct pool *pool, struct node_colours *out);

#endif
