/* Repairs and changes of a mesh. The steps in data/meshes.yaml and the words of body.surface.clean request them.
 *
 * Vertices and triangles keep their order; if some are removed, the others are renumbered without gaps. Functions that
 * can fail return a status, and have the parameter `name`, the mesh's name in messages. Other functions that return an
 * int, except weld_find, return how many elements they removed. Coordinates must be finite and corners must be
 * vertices, as mesh_read ensures. Messages count vertices and triangles from 0. */
#ifndef SPRINGBACK_MESH_REPAIR_H
#define SPRINGBACK_MESH_REPAIR_H

#include "mesh/mesh.h"

#include <stdbool.h>

/* Replace vertices at one position (see weld_find) by the one with the lowest index. A distance of 0 means equal
 * coordinates. The other vertices are removed, and a triangle may get equal corners. Returns how many vertices were
 * removed. */
int mesh_weld(struct mesh *mesh, double distance);

/* Whether a triangle has equal corners. If zero_area, also true for a triangle without area: the cross product of two
 * of its sides, computed in double, is 0. */
bool mesh_is_degenerate(const struct mesh *mesh, int triangle, bool zero_area);

/* Remove the degenerate triangles, as mesh_is_degenerate defines them. If a triangle without area is removed, the
 * vertices on its long side stay, and a gap may remain. */
int mesh_drop_degenerate(struct mesh *mesh, bool zero_area);

/* Remove each triangle that has the same three corners as an earlier triangle, in any order and orientation. */
int mesh_drop_duplicates(struct mesh *mesh);

/* Keep the part with the most triangles; among equally large parts, the part that has the vertex with the lowest
 * index. A part is a component connected by shared vertices. The vertices of the other parts are removed too, but
 * vertices without triangles stay. Returns how many triangles were removed. */
int mesh_keep_largest(struct mesh *mesh);

/* Keep the triangles t with keep[t], in their order, and all vertices. Returns how many triangles were removed. */
int mesh_keep_triangles(struct mesh *mesh, const bool *keep);

/* Returns [vertices] whether each vertex has a triangle. Newly allocated; the caller frees it. */
bool *mesh_used(const struct mesh *mesh);

/* Remove vertices without triangles. */
int mesh_drop_unused(struct mesh *mesh);

/* Add `count` vertices without triangles. They get the positions of the old vertices, in order, and again from the
 * first vertex if `count` is larger than the number of old vertices. */
void mesh_add_loose(struct mesh *mesh, int count);

/* Orient each part of a mesh consistently, by exchanging the last two corners of triangles. A part is a component
 * connected by edges with exactly two triangles. *flipped becomes the number of flipped triangles. Fails, and changes
 * nothing, if a part is not orientable, or a triangle has equal corners.
 *
 * A closed part is oriented outward, so that its volume is positive. This also applies to the inner wall of a hollow
 * body, because this function does not find out which part is inside which. An open part gets the orientation of most
 * of its triangles, or that of its first triangle if there are as many of each orientation. */
int mesh_orient(struct mesh *mesh, const char *name, int *flipped);

/* The bounding box of all vertices; 0 to 0 for a mesh without vertices. */
void mesh_box(const struct mesh *mesh, double low[3], double high[3]);

/* The longest side of the bounding box. */
double mesh_longest_side(const struct mesh *mesh);

/* Scale about the origin. mesh_scale makes the longest side of the bounding box `length` long, in m; mesh_scale_by
 * multiplies all positions by a factor. mesh_scale fails if `length` is not a finite number above 0, if all sides of
 * the box are 0, or if the longest side or the factor is not finite. */
int mesh_scale(struct mesh *mesh, double length, const char *name);
void mesh_scale_by(struct mesh *mesh, double factor);

void mesh_move(struct mesh *mesh, const double by[3]);

/* Move the middle of the bounding box to the origin. */
void mesh_centre(struct mesh *mesh);

/* Rotate about an axis (0: x, 1: y, 2: z) by `quarters` times 90 degrees, counterclockwise as seen from the positive
 * end of the axis. The result is exact. */
void mesh_rotate(struct mesh *mesh, int axis, int quarters);

/* ---- Vertices at one position ---- */

/* Find vertices at one position. one_with[v] becomes the vertex that v joins: the vertex of lowest index with equal
 * coordinates (-0 equals +0), or v itself. If distance > 0, vertices are processed in order; each joins the earlier
 * vertex of lowest index that has joined no other vertex and is at most this distance in m away. So the result depends
 * on the order of the vertices. Joins form no chains, and the remaining vertices are farther apart than the distance.
 * Coordinates must be finite. Returns how many vertices joined another. */
int weld_find(int vertices, const double (*position)[3], double distance, int *one_with);

/* ---- Holes in a mesh: cutting them, and closing them ---- */

/* Cut a hole of exactly `sides` edges, 3 or more, at the vertex nearest to the place `at`. The place is given in
 * fractions of the bounding box, 0 to 1 on each axis. All triangles at this vertex are removed first, if possible. Then
 * the triangles nearest to this vertex are removed one by one, but none whose removal would split the hole's border.
 * Vertices without triangles are removed, and the others keep their order. The surface keeps its other borders, and
 * stays connected. Fails, with the mesh unchanged, if such a hole is impossible there. `name` is the mesh's name in
 * messages. */
int hole_cut(struct mesh *mesh, const double at[3], int sides, const char *name);

/* Make a consistently oriented surface, which may be open. Three kinds of triangles are removed: those at an edge of
 * more than two triangles; those whose orientation is opposite to that of a neighbour; those at a vertex in which
 * separate surfaces touch. Then all parts except the largest are removed. These removals are repeated, because they can
 * create new faults. Fails if nothing is left, or if faults are left after 100 repetitions. */
int holes_open(struct mesh *mesh, const char *name);

/* Make a closed surface: holes_open, then fill each hole by the triangles of least area between the vertices of its
 * border (Barequet and Sharir 1995). This also removes thin tunnels that a reduction has closed. Errors: those of
 * holes_open; a hole of over 400 edges; a hole that cannot be filled. */
int holes_close(struct mesh *mesh, const char *name);

/* Make a closed surface without intersections. Each round calls holes_close, and then removes the triangles that
 * intersect others outside of shared edges and corners, together with their neighbours. Fails if there are still
 * intersections after `rounds` rounds. A mesh is not changed if it is one closed, consistently oriented part without
 * intersections, without vertices at which surfaces touch, and without unused vertices. */
int holes_mend(struct mesh *mesh, int rounds, const char *name);

#endif
