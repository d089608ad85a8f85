/* Finer meshes of the same surface. */
#ifndef SPRINGBACK_MESH_SUBDIVIDE_H
#define SPRINGBACK_MESH_SUBDIVIDE_H

#include "mesh/polygons.h"

/* One step of Catmull-Clark: E. Catmull, J. Clark, Recursively generated B-spline surfaces on arbitrary topological
 * meshes, Computer-Aided Design 10 (6), 1978. Every face of n corners becomes n quads (corner, middle of the side after
 * it, middle of the face, middle of the side before it). The vertices are the old ones moved, then those of the edges,
 * sorted by their ends, then those of the faces:
 *
 *     face    the mean of its corners
 *     edge    the mean of its ends and its two faces' points
 *     vertex  (F + 2 R + (n - 3) P) / n;  n edges, F the mean of the faces' points, R of the edges' middles, P its
 * place
 *
 * At a boundary the rules of a cubic B-spline curve hold (T. DeRose, M. Kass, T. Truong, Subdivision surfaces in
 * character animation, SIGGRAPH 1998, sharp edges): an edge gives its middle, a vertex (A + 6 P + B) / 8 with its two
 * neighbours on the boundary, so that corners are rounded too. A vertex where more than two edges of the boundary meet
 * stays, as does one without faces.
 *
 * Fails where an edge has more than two faces, or equal ends, and where the result is more than ints can number. */
int polygons_catmull_clark(const struct polygons *from, const char *name, struct polygons *to);

/* Each triangle into four by the middles of its edges, in place; the surface stays as it is. The middles, in the order
 * of edges sorted by their ends, come after the old vertices. Triangle t becomes the four from 4 t: its corners' in
 * order, then the middle one. Fails where the result is more than ints can number. */
int mesh_refine(struct mesh *mesh, const char *name);

#endif
