/* Requirements on a mesh, and functions that check them. */
#ifndef SPRINGBACK_MESH_CHECK_H
#define SPRINGBACK_MESH_CHECK_H

#include "mesh/mesh.h"

enum mesh_requirement {
    MESH_NO_DEGENERATE = 1 << 0,   /* no triangle with equal corners or without area */
    MESH_NO_DUPLICATES = 1 << 1,   /* no two triangles with the same corners */
    MESH_ALL_USED = 1 << 2,        /* each vertex has a triangle */
    MESH_MANIFOLD = 1 << 3,        /* one or two triangles at an edge, one fan of triangles around a vertex */
    MESH_CLOSED = 1 << 4,          /* no edge with one triangle */
    MESH_ORIENTED = 1 << 5,        /* the two triangles of an edge are consistently oriented */
    MESH_POSITIVE_VOLUME = 1 << 6, /* the surface is closed, and its signed volume is above 0 */
    MESH_SOLID = (1 << 7) - 1      /* all of these */
};

/* Fails unless positions are finite and corners are vertices. */
int mesh_check_numbers(const struct mesh *mesh);

/* Fails unless a mesh satisfies `requirements`, a set of the flags above. The messages say which requirements are
 * violated, how often, and where first (triangles and vertices are counted from 0). If a word of the parameter
 * body.surface.clean repairs the mesh, the message names this word. `name` is the mesh's name in messages. The time is
 * proportional to n log n for n triangles. */
int mesh_check(const struct mesh *mesh, unsigned requirements, const char *name);

#endif
