/* Independent groups: constraints coloured so that no two of a colour share a particle. A colour's constraints can be
 * projected in parallel, in any order, and the results are bit-identical.
 *
 * Constraint i has the particles particle[i * size] .. particle[i * size + size - 1]: 2 for edges, 3 for triangles, 4
 * for bends and tetrahedra. The particles of a constraint must differ. -1 means no particle, so that edges and
 * tetrahedra can be coloured together, as size 4. A list with other indices, or with a particle twice in a constraint,
 * is refused.
 *
 * The bound is the largest number of constraints at a particle: no colouring has fewer colours. The number of colours:
 *
 * - Edges of a simple graph get the bound, or one more (Vizing 1964, by the fans of Misra and Gries 1992). Duplicate
 *   edges may need more. lattice_colour colours the edges of a lattice.
 * - Constraints of more than two particles get a few colours more than the bound, by a search of bounded length.
 *   Example: a cube of 19 x 19 x 19 cubes, each cut into five tetrahedra. The tetrahedra get 35 colours (bound: 32);
 *   together with their edges they get 51 (bound: 50).
 *
 * A million springs of a cloth take about 0.6 s (tests/bench/groups.c). A body may take a minute if many of its
 * particles have thousands of constraints each. */
#ifndef SPRINGBACK_BODY_GROUPS_H
#define SPRINGBACK_BODY_GROUPS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* The bound: the largest number of constraints at a particle. Returns -1 if the list is refused. */
int groups_bound(int particles, int constraints, int size, const int *particle);

/* Assign each constraint a colour, from 0. Colours have about equal numbers of constraints; in a lattice the smallest
 * and the largest of these numbers differ by at most an eighth of the largest. Returns the number of colours, or -1 if
 * the list is refused. The same list gets the same colours on every machine. */
int groups_colour(int particles, int constraints, int size, const int *particle, int *colour);

/* Number of pairs of constraints of one colour that share a particle, each pair counted once; -1 if the list is
 * refused, or if a colour is not from 0 to constraints - 1. Takes time proportional to the list and to the result. */
long groups_conflicts(int particles, int constraints, int size, const int *particle, const int *colour);

/* Constraints sorted by colour. For locality, constraints of one colour are sorted by lowest particle, then by
 * index. */
struct groups {
    int count, constraints;
    int *start;      /* [count + 1] group g is constraint[start[g]] .. constraint[start[g + 1] - 1] */
    int *constraint; /* [constraints] indices into the original list */
};

/* Colour and sort the constraints. The caller frees the groups. Errors: the list is refused; then nothing is
 * allocated. */
int groups_create(int particles, int constraints, int size, const int *particle, struct groups *groups);
void groups_free(struct groups *groups);

/* Copy the data of each constraint (its particles, its rest length, ...), `bytes` bytes each, in the order of the
 * groups. */
void groups_lay(const struct groups *groups, size_t bytes, const void *from, void *to);

/* A lattice: the edges of a grid whose vertices are numbered row by row. For almost every edge (i, j) there is an edge
 * (i + 1, j + 1). This order of vertices needs no change for locality. A colour of the edges can contain long runs of
 * consecutive particles, which vector units read and write at once. */

/* Whether there is an edge (i + 1, j + 1) for at least 19 in 20 edges (i, j). end[e] are the two vertices of edge e, in
 * any order. */
bool lattice_is(int edges, const int (*end)[2]);

/* Assign each edge a colour, from 0, so that no two edges of a colour share a vertex. Edge (i, j) gets the first colour
 * of this list that is free at both vertices: the colour of edge (i - 1, j - 1); the colour of edge (i - 2, j - 2); the
 * lowest free colour. Returns the number of colours, or -1 if more than `most` or more than 64 colours are needed. */
int lattice_colour(int vertices, int edges, const int (*end)[2], int most, int *colour);

#endif
