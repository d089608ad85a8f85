/* Reduces the triangles of meshes, to exact counts. */
#ifndef SPRINGBACK_MESH_REDUCE_H
#define SPRINGBACK_MESH_REDUCE_H

#include "mesh/mesh.h"

enum reducer {
    REDUCER_GTS, /* exact; each edge becomes a vertex at the optimal position (Lindstrom and Turk 1998); the surface
                    keeps its topology */
    REDUCER_MESHOPTIMIZER, /* fast; keeps some of the vertices (Garland and Heckbert 1997); reaches a number of
                              triangles approximately, closes thin tunnels, and may leave edges with more than two
                              triangles */
};

/* 0: not given. For a closed mesh each count determines the others. An open mesh needs vertices and triangles, which
 * determine the length of its border, or one count. */
struct mesh_target {
    int vertices, edges, triangles;
};

/* Reduce a mesh. GTS needs one or two triangles at each edge, with consistent orientation, and no two vertices at one
 * position; the resulting vertices are sorted by position. A mesh that has the target's counts is not changed. Errors,
 * with the mesh unchanged: a mesh that GTS cannot process; counts that its topology does not allow; more than it has;
 * counts that were not reached. `name` is the mesh's name in messages. */
int mesh_reduce(struct mesh *mesh, const struct mesh_target *target, enum reducer by, const char *name);

/* The names and versions of the libraries in use: "GTS 0.7.6, meshoptimizer 180". Newly allocated. */
char *reduce_tools(void);

#endif
