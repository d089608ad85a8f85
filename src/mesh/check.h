/* What a user of a mesh may require of it. */
#ifndef SPRINGBACK_MESH_CHECK_H
#define SPRINGBACK_MESH_CHECK_H

#include "mesh/mesh.h"

enum mesh_requirement {
    MESH_NO_DEGENERATE = 1 << 0,   /* no triangle of equal corners or without area */
    MESH_NO_DUPLICATES = 1 << 1,   /* no two triangles of the same corners */
    MESH_ALL_USED = 1 << 2,        /* each vertex has a triangle */
    MESH_MANIFOLD = 1 << 3,        /* one or two triangles in an edge, one fan of triangles around a vertex */
    MESH_CLOSED = 1 << 4,          /* no edge of one triangle */
    MESH_ORIENTED = 1 << 5,        /* the two triangles of an edge wind in one sense */
    MESH_POSITIVE_VOLUME = 1 << 6, /* the surface winds outward as a whole; for closed ones */
    MESH_SOLID = (1 << 7) - 1      /* all of these */
};

/* See that positions are finite and corners are vertices. */
int mesh_check_numbers(const struct mesh *mesh);

/* See that a mesh is what `requirements`, some of the above, ask for. Each that is not met adds one message: how many
 * offend, which is the first (counted from 0), and which step of mesh/repair.h mends it where one does. Takes time
 * proportional to the mesh. */
int mesh_check(const struct mesh *mesh, unsigned requirements, const char *name);

#endif
