/* Meshes with fewer triangles, to exact counts. */
#ifndef SPRINGBACK_MESH_REDUCE_H
#define SPRINGBACK_MESH_REDUCE_H

#include "mesh/mesh.h"

enum reducer {
    REDUCER_GTS, /* exact; each edge becomes a vertex at the best place (Lindstrom and Turk 1998); the surface keeps its
                    topology */
    REDUCER_MESHOPTIMIZER, /* fast; keeps a part of the vertices (Garland and Heckbert 1997); comes near a number of
                              triangles, closes thin tunnels, and may leave edges of more than two triangles */
};

/* 0 where nothing is asked. Of a closed mesh any one says the others; an open one takes vertices and triangles both,
 * which settles how long its border is, or any one. */
struct mesh_target {
    int vertices, edges, triangles;
};

/* Reduce a mesh. GTS wants each edge to have one or two triangles of like winding, and no two vertices in one place;
 * vertices come out sorted by position. A mesh that has what is asked is left as it is. Errors, the mesh unchanged: no
 * such mesh; counts that its topology cannot have; more than it has; counts that were not reached. `name` is what
 * messages call it. */
int mesh_reduce(struct mesh *mesh, const struct mesh_target *target, enum reducer by, const char *name);

/* The libraries that it computes with, and their versions: "GTS 0.7.6, meshoptimizer 180". Newly allocated. */
char *reduce_tools(void);

#endif
