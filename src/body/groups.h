/* Independent groups: constraints coloured so that no two of a colour share a particle. A colour's constraints can be
 * projected at once, in any order, to the same bits.
 *
 * Constraint i holds particle[i * size] .. particle[i * size + size - 1]: 2 for edges, 3 for triangles, 4 for bends and
 * tetrahedra. Particles of a constraint differ; -1 stands for none, so that edges and tetrahedra can be coloured
 * together, as size 4. What is no such list is refused.
 *
 * No colouring has fewer colours than the most constraints at a particle. Edges of a simple graph get that many or one
 * more (Vizing 1964, by the fans of Misra and Gries 1992); twice-drawn edges may need more; those of a lattice are
 * coloured as body/groups.h says. Larger constraints get a
 * few more than that, by a search of bounded length: the tetrahedra of a cube of 19 x 19 x 19 cubes cut in five take
 * 35, where 32 meet; with their edges 51, of 50. A million springs of a cloth take about 0.6 s (tests/bench/groups.c);
 * bodies where thousands of constraints meet at many particles may take a minute. */
#ifndef SPRINGBACK_BODY_GROUPS_H
#define SPRINGBACK_BODY_GROUPS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* The most constraints at a particle: no colouring has fewer colours. -1 if the list is refused. */
int groups_bound(int particles, int constraints, int size, const int *particle);

/* Give each constraint a colour, from 0; colours are of about equal size, those of a lattice within an eighth. Returns
 * their number, or -1 if the list is refused. The same list has the same colours on every machine. */
int groups_colour(int particles, int constraints, int size, const int *particle, int *colour);

/* Pairs of constraints of one colour that share a particle, each pair counted once; -1 if the list or a colour is
 * refused. Takes time proportional to the list and to what it counts. */
long groups_conflicts(int particles, int constraints, int size, const int *particle, const int *colour);

/* Constraints by colour; in a colour by lowest particle, then by index, for locality. */
struct groups {
    int count, constraints;
    int *start;      /* [count + 1] group g is constraint[start[g]] .. constraint[start[g + 1] - 1] */
    int *constraint; /* [constraints] indices into the original list */
};

int groups_create(int particles, int constraints, int size, const int *particle, struct groups *groups);
void groups_free(struct groups *groups);

/* Lay what each constraint has (its particles, its rest length, ...: so many bytes) in the order of the groups. */
void groups_lay(const struct groups *groups, size_t bytes, const void *from, void *to);

/* Lattices: edges of a grid whose vertices are numbered row by row, so that beside almost every edge (i, j) there is
 * one (i + 1, j + 1). Such an order is as good as any, and in it a colour of edges can hold long stretches of particles
 * that lie side by side, which vector units read and write at once. */

/* Whether at least 19 in 20 edges (i, j) have a neighbour (i + 1, j + 1). end[e] are two vertices, any way round. */
bool lattice_is(int edges, const int (*end)[2]);

/* Give each edge a colour, from 0, so that no two of a colour share a vertex: the colour of its neighbour (i - 1,
 * j - 1), or of (i - 2, j - 2), where that is free, else the lowest that is. Returns the number of colours, or -1 where
 * it would be more than `most`, or than 64. */
int lattice_colour(int vertices, int edges, const int (*end)[2], int most, int *colour);

#endif
