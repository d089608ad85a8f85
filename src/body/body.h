/* Bodies: nodes, springs, and a surface to look at.
 *
 * A cloth's springs follow from a node's row and column and are not stored; any other network keeps them in compressed
 * rows. Both list a node's springs in one fixed order, which is the order in which forces are added. */
#ifndef SPRINGBACK_BODY_BODY_H
#define SPRINGBACK_BODY_BODY_H

#include "base/memory.h"
#include "body/node_colours.h"
#include "body/prepared.h"
#include "experiment/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum spring_type { SPRING_STRUCTURAL, SPRING_SHEAR, SPRING_BEND, SPRING_TYPES };

struct spring {
    int a, b;    /* a < b */
    double rest; /* m */
};

/* The spring between two nodes, with their distance as its rest length. */
struct spring spring_between(const double (*position)[3], int a, int b);

struct body {
    char sum[DIGEST_SIZE]; /* of what the run's parameters do not settle: a prepared body's hash, and what convex bodies
                              the scene has; "" of a cloth without any */
    int nodes;
    long springs, springs_of[SPRING_TYPES]; /* each spring counted once */
    long springs_inside;                    /* of them, of a mesh: those that are no edges of its surface */
    int springs_at_node;                    /* the most springs that meet in a node */
    double mass;                            /* kg, of one node */
    uint64_t noise;                         /* seed of the rounding of the starting positions (body.noise); 0: none */
    double shortest_rest;                   /* m, of all springs */
    double divergence_radius;               /* m: a node farther from the origin than this has been blown there */

    /* A cloth: node (column, row) has the index row * columns + column. Other bodies: rows = 1, columns = nodes. Where
     * is_grid, neighbours follow from row and column; elsewhere they are stored. */
    bool is_grid;
    int columns, rows;
    bool has[SPRING_TYPES];
    double rest_column, rest_row, rest_shear; /* m; bend springs are twice rest_column and rest_row */

    /* A mesh's, from body_describe on. Of a cloth it has no vertices, and for a method that projects springs by groups
     * PART_EDGES: all springs. Its facts are notes of the trace. */
    struct prepared prepared;
    bool is_closed;     /* a mesh whose surface is, about every vertex, and turned alike */
    double rest_volume; /* m^3, of such a one; positive where it is turned outward */

    struct node_colours colours; /* for a method that moves node by node, from body_describe on; count 0 for others */

    /* Of the scene's convex bodies, from body_describe on: body b has planes solid_start[b] to solid_start[b + 1] - 1.
     */
    int solids;
    int *solid_start;   /* [solids + 1]; NULL where there are none */
    double (*plane)[4]; /* unit normal, outward; its product with a point of the plane, m */
    bool is_blown;      /* a wind blows on triangles */

    /* What body_build makes. */
    double (*position)[3]; /* m, at rest */
    bool *pinned;
    int *start, *neighbour; /* compressed rows, of a network: [nodes + 1], [2 springs] */
    double *rest;           /* m, beside neighbour */
    int32_t (*triangle)[3];
    size_t triangles;

    /* Where is_closed: a node's first neighbours are its ring (body/surface.h), which ends before ring_end[node]; those
     * inside come behind. Nodes inside have no ring. */
    int *ring_end; /* [nodes] */

    /* Where is_blown: the triangles at node i are fan[fan_start[i]] to fan[fan_start[i + 1] - 1], rising. */
    int *fan_start, *fan; /* [nodes + 1], [3 triangles] */

    struct pool pool; /* has the arrays, but those of `prepared` */
};

/* Counts of the body that a run describes, without making its arrays: so that too large a one is refused before memory
 * is asked for. Fails where a mesh cannot be had; the body is good to be freed in any case. */
int body_describe(const struct run *run, struct body *body);

/* Bytes of main memory that body_build will take. */
size_t body_bytes(const struct body *body);

/* Make the arrays. Fails where memory does not suffice. */
int body_build(const struct run *run, struct body *body);

/* Make position, pinned and triangle, and, if neighbours are stored, start, neighbour and rest, by the counts that are
 * there. Fails where memory does not suffice. */
int body_allocate(struct body *body);

/* Fill start, neighbour and rest, which must be there, zeroed: a node's springs in their order. */
void body_lay_springs(struct body *body, const struct spring *springs, int spring_count);

/* Make the fans of the triangles that are there. Fails where memory does not suffice or an int cannot number three of
 * each triangle. */
int body_lay_fans(struct body *body);

/* Whether the run's method moves node by node, in the colours of the nodes. */
bool body_has_colours(const struct run *run);

/* Colour the nodes if the run's method moves node by node. Fails if memory does not suffice. */
int body_colour_nodes(const struct run *run, int springs, const int (*end)[2], struct body *body);

/* A node's springs, slot by slot in the order of summation: slots from 0 to body_slots - 1, of which some may be empty.
 * Returns whether there is a spring; if so, its other end and its rest length. */
int body_slots(const struct body *body, int node);
bool body_spring(const struct body *body, int node, int slot, int *other, double *rest);

void body_free(struct body *body);

#endif
