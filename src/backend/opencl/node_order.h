/* The order of a network's nodes in local memory while a frame runs (frame_shape.h: is_ordered).
 *
 * A warp takes as long as its node with the most neighbours, so the nodes are sorted by this number in descending
 * order. Local memory has banks: if two of eight consecutive lanes read quads whose indices are equal modulo 8, one
 * lane waits. A local search, of a fixed number of tries, exchanges nodes with equally many neighbours to make these
 * conflicts rarer for their k-th neighbours. */
#ifndef SPRINGBACK_BACKEND_NODE_ORDER_H
#define SPRINGBACK_BACKEND_NODE_ORDER_H

/* The nodes in their order, node_at[place], and the neighbours' places in it. The neighbours of node i are
 * neighbour[start[i]] .. neighbour[start[i + 1] - 1]. Takes 0.3 s. The same input gives the same order. */
void node_order(const int *start, const int *neighbour, int nodes, int *node_at, int *places);

#endif
