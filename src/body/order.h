/* Orders for locality: what is near in space or by edges is near in memory.
 *
 * An order lists old indices: order[new] = old. Where there are edges, order_graph is the better one: a node-centred
 * gather of spring forces on a mesh of 435,545 vertices took about five times as long in random order as along Morton's
 * curve, and a fifth to a third longer along that than by order_graph (tests/bench/order.c). Morton's is made in a
 * tenth of the time, and asks for positions alone. */
#ifndef SPRINGBACK_BODY_ORDER_H
#define SPRINGBACK_BODY_ORDER_H

#include "mesh/mesh.h"

#include <stdint.h>

struct keyed {
    uint64_t key;
    int index;
};

/* By the key, ties by index; for qsort. */
int keyed_compare(const void *a, const void *b);

/* Along Morton's curve (1966): by the interleaved bits of the position on a grid of 2^21 cells along the longest side;
 * ties by index. Fails where a position is not finite. */
int order_morton(int vertices, const double (*position)[3], int *order);

/* Reverse Cuthill-McKee (1969; George 1971), each part from a vertex at its rim (George and Liu 1979); parts, and
 * vertices of equal degree, by index. end[e] are two vertices. Fails where an end is no vertex. Linear in both. */
int order_graph(int vertices, int edges, const int (*end)[2], int *order);

/* Constraints as in body/groups.h by their lowest particle, ties by index; those without any last. */
void order_constraints(int particles, int constraints, int size, const int *particle, int *order);

/* place[old] = new. Fails where the order is no permutation. */
int order_invert(int count, const int *order, int *place);

/* Renumber: indices[i], if not negative, becomes place[indices[i]]. */
void order_renumber(size_t count, const int *place, int *indices);

/* The mesh in another order of its vertices; its triangles, corners unturned, by their lowest vertex. Fails, and leaves
 * it as it is, where the order is no permutation. */
int mesh_permute(struct mesh *mesh, const int *order);

#endif
