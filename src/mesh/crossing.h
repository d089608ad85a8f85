/* Triangles that meet elsewhere than in their common edges and corners. */
#ifndef SPRINGBACK_MESH_CROSSING_H
#define SPRINGBACK_MESH_CROSSING_H

#include "mesh/mesh.h"

#include <stdbool.h>

/* How many pairs of triangles cross, touch or overlap; decided by exact predicates (Shewchuk 1997, as GTS has them), so
 * that no order and no rounding matters. Marks the triangles of these pairs where `marked` is not NULL: its elements,
 * one a triangle, are all written. A triangle without area crosses what it lies on. */
long crossings_find(const struct mesh *mesh, bool *marked);

#endif
