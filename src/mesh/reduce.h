/* Reduces meshes to fewer triangles. */
#ifndef SPRINGBACK_MESH_REDUCE_H
#define SPRINGBACK_MESH_REDUCE_H

#include "mesh/mesh.h"

enum reducer {
    REDUCER_GTS, /* reaches exact counts; replaces an edge by one vertex at the optimal position (Lindstrom and Turk
                    1998); the surface keeps its topology */
    REDUCER_MESHOPTIMIZER, /* fast; keeps some of the vertices (Garland and Heckbert 1997); reaches a number of
                              triangles approximately, closes thin tunnels, and may leave edges with more than two
                              triangles */
};

/* The counts to reach; 0: not given. For a closed mesh each count determines the other two. For an open mesh, two
 * counts also determine the length of its border; if one count is given, the reduction determines the length. */
struct mesh_target {
    int vertices, edges, triangles;
};

/* Reduce a mesh. GTS needs one or two triangles at each edge, with consistent orientation, and no two vertices at one
 * position; the resulting vertices are sorted by position. GTS does not change a mesh that has the target's counts.
 * Errors, with the mesh unchanged: a mesh that GTS cannot process; counts that its topology does not allow; counts
 * above those of the mesh; counts that were not reached; for meshoptimizer, a target other than `triangles` alone.
 * `name` is the mesh's name in messages. */
int mesh_reduce(struct mesh *mesh, const struct mesh_target *target, enum reducer by, const char *name);

/* The names and versions of the libraries in use: "GTS 0.7.6, meshoptimizer 180". Newly allocated. */
char *reduce_tools(void);

#endif
