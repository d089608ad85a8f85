/* Lattices: edges of a grid whose vertices are numbered row by row, so that beside almost every edge (i, j) there is
 * one (i + 1, j + 1). Such an order is as good as any, and in it a colour of edges can hold long stretches of particles
 * that lie side by side, which vector units read and write at once. */
#ifndef SPRINGBACK_BODY_LATTICE_H
#define SPRINGBACK_BODY_LATTICE_H

#include <stdbool.h>

/* Whether at least 19 in 20 edges (i, j) have a neighbour (i + 1, j + 1). end[e] are two vertices, any way round. */
bool lattice_is(int edges, const int (*end)[2]);

/* Give each edge a colour, from 0, so that no two of a colour share a vertex: the colour of its neighbour (i - 1,
 * j - 1), or of (i - 2, j - 2), where that is free, else the lowest that is. Returns the number of colours, or -1 where
 * it would be more than `most`, or than 64. */
int lattice_colour(int vertices, int edges, const int (*end)[2], int most, int *colour);

#endif
