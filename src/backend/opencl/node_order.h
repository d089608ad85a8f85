/* The order of a network's nodes in local memory while a frame runs (frame_shape.h: is_ordered).
 *
 * A warp takes as long as its node with the most neighbours. Therefore the nodes are sorted by their number of
 * neighbours in descending order.
 *
 * Local memory has banks. If two of eight consecutive lanes read different quads (vectors of four floats) whose indices
 * are equal modulo 8, one lane waits. Lanes read their k-th neighbours at the same time. A local search with a fixed
 * number of tries exchanges nodes that have the same number of neighbours, so that fewer of these reads conflict. */
#ifndef SPRINGBACK_BACKEND_NODE_ORDER_H
#define SPRINGBACK_BACKEND_NODE_ORDER_H

/* Find the order: node_at[p] becomes the node at place p, and places[s] the place of neighbour[s]. The neighbours of
 * node i are neighbour[start[i]] to neighbour[start[i + 1] - 1]. Takes 0.3 s. The same input gives the same order. */
void node_order(const int *start, const int *neighbour, int nodes, int *node_at, int *places);

#endif
