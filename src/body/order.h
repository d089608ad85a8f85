/* Orders for locality: vertices that are near in space or connected by edges become near in memory.
 *
 * An order is a list of old indices: order[new] = old. If there are edges, use order_graph. On a mesh of 435,545
 * vertices, a node-centred gather of spring forces took about five times as long in random order as along Morton's
 * curve. Along Morton's curve it took a fifth to a third longer than by order_graph (tests/bench/order.c). order_morton
 * takes a tenth of the time of order_graph, and needs only positions. */
#ifndef SPRINGBACK_BODY_ORDER_H
#define SPRINGBACK_BODY_ORDER_H

#include "mesh/mesh.h"

#include <stdint.h>

struct keyed {
    uint64_t key;
    int index;
};

/* Compares by key, then by index; for qsort. */
int keyed_compare(const void *a, const void *b);

/* Order vertices along Morton's curve (1966): by the interleaved bits of their cells, then by index. The grid has 2^21
 * cells along the longest side of the bounding box. Fails if a position is not finite. */
int order_morton(int vertices, const double (*position)[3], int *order);

/* Reverse Cuthill-McKee (1969; George 1971). The search of each connected part begins at a vertex on the part's
 * periphery (George and Liu 1979). Parts are in the order of their lowest vertices. Vertices of equal degree are in the
 * order of their indices. end[e] are the two vertices of edge e. Fails if an end is not a vertex. The time is linear in
 * the numbers of vertices and edges. */
int order_graph(int vertices, int edges, const int (*end)[2], int *order);

/* Order constraints by their lowest particle, then by index. Constraints without particles come last. The list has the
 * form of body/groups.h. */
void order_constraints(int particles, int constraints, int size, const int *particle, int *order);

/* Invert an order: place[old] = new. Fails if the order is not a permutation. */
int order_invert(int count, const int *order, int *place);

/* Renumber: indices[i], if not negative, becomes place[indices[i]]. */
void order_renumber(size_t count, const int *place, int *indices);

/* Reorder the vertices of a mesh, and its triangles by their lowest vertex; the order of corners does not change. Fails
 * if the order is not a permutation; the mesh is then unchanged. */
int mesh_permute(struct mesh *mesh, const int *order);

#endif
