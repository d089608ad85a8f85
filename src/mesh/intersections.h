/* Where a triangle mesh passes through itself. */
#ifndef SPRINGBACK_MESH_INTERSECTIONS_H
#define SPRINGBACK_MESH_INTERSECTIONS_H

#include "mesh/mesh.h"

#include <stdbool.h>

/* The number of pairs of triangles that meet elsewhere than in the vertices and edges that they share: that cross,
 * touch, overlap in a plane, are folded onto each other, or are one triangle twice. Vertices of equal positions count
 * as shared, so that a mesh whose seams are not welded has no more pairs than the welded one. Triangles without area
 * (triangle_is_degenerate) are left out. TetGen 1.5's `-d` finds the same pairs, but prints and counts some of them
 * several times: of the welded Stanford Dragon's 205 pairs it makes 247.
 *
 * Candidates come from the tree of bounding boxes of GTS, and each is decided by the signs of exact determinants
 * (Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates", 1997, as GTS has
 * them): the number is the same everywhere. Any mesh will do, manifold or not; positions must be finite. If `marked` is
 * not NULL, marked[t] becomes whether triangle t is in one of these pairs. */
long mesh_intersections(const struct mesh *mesh, bool *marked);

/* Whether the corners of a triangle lie exactly on a line, or two of them in one place. */
int triangle_is_degenerate(const struct mesh *mesh, int triangle);

#endif
