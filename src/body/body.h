/* Bodies: nodes, springs, and triangles of a surface.
 *
 * If body.is_grid, the springs of a cloth follow from a node's row and column and are not stored. Otherwise springs are
 * stored in compressed rows. In both cases a node's springs have a fixed order, in which their forces are added. */
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
    int a, b;    /* the nodes at the ends; a < b */
    double rest; /* rest length, m */
};

/* The spring between two nodes, with their distance as its rest length. */
struct spring spring_between(const double (*position)[3], int a, int b);

struct body {
    char sum[DIGEST_SIZE]; /* hash of the data that the run's parameters do not determine: the prepared body, and the
                              planes of the scene's convex bodies; "" if there are no such data */
    int nodes;
    long springs, springs_of[SPRING_TYPES]; /* each spring is counted once */
    long springs_inside;                    /* of a mesh: number of springs that are not edges of its surface */
    int springs_at_node;                    /* largest number of springs at a node */
    double mass;                            /* kg, of one node */
    uint64_t noise;                         /* seed of the noise in the starting positions (body.noise); 0: no noise */
    double shortest_rest;                   /* smallest rest length of all springs, m */
    double divergence_radius;               /* m; the run has diverged if |coordinate| of a node is larger */

    /* A cloth: node (column, row) has the index row * columns + column. Other bodies: rows = 1, columns = nodes. If
     * is_grid, neighbours follow from row and column; otherwise they are stored. */
    bool is_grid;
    int columns, rows;
    bool has[SPRING_TYPES];
    /* Rest lengths, m: of springs to the next column, of springs to the next row, of shear springs. A bend spring is
     * twice as long as rest_column or rest_row. */
    double rest_column, rest_row, rest_shear;

    /* A mesh's prepared body, set by body_describe. For a cloth it has no vertices; if the method projects springs by
     * groups, its PART_EDGES contains all springs of the cloth. The trace records the facts of `prepared`. */
    struct prepared prepared;
    bool is_closed;     /* the mesh's surface is closed and consistently oriented at every vertex */
    double rest_volume; /* at rest, m^3; set if is_closed; positive if oriented outward */

    struct node_colours colours; /* set by body_describe for methods that move nodes one by one; otherwise count is 0 */

    /* The scene's convex bodies, set by body_describe: body b has planes solid_start[b] to solid_start[b + 1] - 1. */
    int solids;
    int *solid_start;   /* [solids + 1]; NULL if there are none */
    double (*plane)[4]; /* outward unit normal, and its dot product with a point of the plane, m */
    bool is_blown;      /* whether a wind acts on triangles */

    /* Whether body_build stores the triangles: always for a mesh; for a cloth only if a wind acts on them or the run
     * records geometry. */
    bool stores_triangles;

    /* body_build sets the members below. body_describe already sets `triangles` of a mesh, and of a cloth whose springs
     * are in groups. */
    double (*position)[3]; /* m, at rest */
    bool *pinned;
    int *start, *neighbour; /* compressed rows of a network: [nodes + 1], [2 springs] */
    double *rest;           /* rest lengths in m, in the order of neighbour */
    int32_t (*triangle)[3]; /* [triangles]; NULL if they are not stored */
    size_t triangles;

    /* If is_closed: a node's first neighbours are its ring (body/surface.h), from index start[node] of `neighbour` to
     * ring_end[node] - 1. Neighbours inside the body follow. Nodes inside have no ring. */
    int *ring_end; /* [nodes] */

    /* If is_blown: the triangles at node i are fan[fan_start[i]] to fan[fan_start[i + 1] - 1], in ascending order. */
    int *fan_start, *fan; /* [nodes + 1], [3 triangles] */

    struct pool pool; /* owns the arrays, except those of `prepared` */
};

/* Count the nodes and springs of a run's body, and the triangles of a mesh, without allocating the arrays that
 * body_build fills. So the caller can refuse a body that is too large. Fails if a mesh cannot be read, or if the run's
 * parameters do not fit the body. The caller must free the body in any case. */
int body_describe(const struct run *run, struct body *body);

/* An estimate of the main memory that body_build allocates, in bytes. The estimate assumes two triangles for each
 * node. */
size_t body_bytes(const struct body *body);

/* Allocate and fill the arrays. Fails if out of memory. */
int body_build(const struct run *run, struct body *body);

/* Allocate arrays by the counts in *body: position and pinned; triangle if stores_triangles; start, neighbour and rest
 * unless is_grid. Fails if out of memory. */
int body_allocate(struct body *body);

/* Returns a number `reach`: springs of a grid join node i only to nodes from i - reach to i + reach. Needs only what
 * body_describe sets. */
int body_reach(const struct body *body);

/* Fill start, neighbour and rest, which must be allocated and zero. Each node's springs are in the order of `springs`.
 * Also sets springs_at_node. */
void body_lay_springs(struct body *body, const struct spring *springs, int spring_count);

/* Allocate and fill fan_start and fan from the triangles. Fails if out of memory, or if three times the number of
 * triangles exceeds an int. */
int body_lay_fans(struct body *body);

/* Whether the run's method moves nodes one by one, by the colours of the nodes. */
bool body_has_colours(const struct run *run);

/* Colour the nodes if the run's method moves them one by one. end[s] are the two nodes of spring s. Fails if out of
 * memory. */
int body_colour_nodes(const struct run *run, int springs, const int (*end)[2], struct body *body);

/* A node's springs, in the order in which their forces are added. body_slots is the number of slots; a slot is a place
 * in this order, and may be empty. body_spring returns whether slot `slot` has a spring. If so, it sets the spring's
 * other end and its rest length, in m. */
int body_slots(const struct body *body, int node);
bool body_spring(const struct body *body, int node, int slot, int *other, double *rest);

void body_free(struct body *body);

#endif
