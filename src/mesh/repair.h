/* Repairs and changes of a mesh, which a description requests step by step.
 *
 * Vertices and triangles keep their order; if some are removed, the others move up. Functions return how many they
 * changed. Those that can fail return a status instead, and name the mesh by `name` in messages. Coordinates must be
 * finite and corners must be vertices, as mesh_read ensures. Messages count vertices and triangles from 0. */
#ifndef SPRINGBACK_MESH_REPAIR_H
#define SPRINGBACK_MESH_REPAIR_H

#include "mesh/mesh.h"

#include <stdbool.h>

/* Replace vertices at one position (see weld_find) by the lowest of them. A distance of 0 means equal coordinates. The
 * other vertices are removed, and a triangle may get equal corners. Returns how many vertices were removed. */
int mesh_weld(struct mesh *mesh, double distance);

/* Whether a triangle has equal corners or, if zero_area, no area: its corners' cross product is 0 in double. */
bool mesh_is_degenerate(const struct mesh *mesh, int triangle, bool zero_area);

/* Remove such triangles. If a triangle without area is removed, the vertices on its long side stay, and a gap may
 * remain. */
int mesh_drop_degenerate(struct mesh *mesh, bool zero_area);

/* Of triangles with the same three corners, in any order and orientation, keep only the first. */
int mesh_drop_duplicates(struct mesh *mesh);

/* Keep the part with the most triangles; of equal ones the one with the lowest vertex. A part is a component connected
 * by shared vertices. The other parts' vertices are removed too; vertices without triangles stay. Returns how many
 * triangles were removed. */
int mesh_keep_largest(struct mesh *mesh);

/* Keep some of the triangles, in their order, and all vertices; returns how many were removed. */
int mesh_keep_triangles(struct mesh *mesh, const bool *keep);

/* Which vertices have a triangle. Newly allocated. */
bool *mesh_used(const struct mesh *mesh);

/* Remove vertices without triangles. */
int mesh_drop_unused(struct mesh *mesh);

/* Add `count` vertices without triangles, at the positions of the vertices in order, repeatedly if necessary. */
void mesh_add_loose(struct mesh *mesh, int count);

/* Orient neighbours at edges of two triangles consistently, by exchanging the last two corners of triangles. A part is
 * a component connected by such edges. A closed part is oriented outward, so that its volume is positive. This includes
 * inner walls of hollow bodies, because it is not known which part is inside which. An open part is oriented as most of
 * its triangles are, if equal as the lowest one. Fails, and changes nothing, if a part is not orientable, or a triangle
 * has equal corners. *flipped becomes the number of flipped triangles. */
int mesh_orient(struct mesh *mesh, const char *name, int *flipped);

/* The bounding box of all vertices; 0 to 0 for a mesh without vertices. */
void mesh_box(const struct mesh *mesh, double low[3], double high[3]);

/* The longest side of the bounding box. */
double mesh_longest_side(const struct mesh *mesh);

/* Scale about the origin, to a longest side of `length`, which fails if impossible, or by a factor. */
int mesh_scale(struct mesh *mesh, double length, const char *name);
void mesh_scale_by(struct mesh *mesh, double factor);

void mesh_move(struct mesh *mesh, const double by[3]);

/* Move the middle of the bounding box to the origin. */
void mesh_centre(struct mesh *mesh);

/* Rotate about an axis (0: x, 1: y, 2: z) by quarters of 90 degrees, counterclockwise as seen from its tip; exact. */
void mesh_rotate(struct mesh *mesh, int axis, int quarters);

/* ---- Vertices at one position ---- */

/* For each of `vertices` positions the lowest vertex with which it is joined: equal coordinates (-0 equals +0), or, if
 * distance > 0, at most this distance. With a distance, vertices are processed in order. Each joins the lowest earlier
 * vertex that has not joined another and is near enough. The result depends only on the order, chains do not grow, and
 * the remaining vertices are farther apart than the distance. Coordinates must be finite. Returns how many vertices
 * joined another. */
int weld_find(int vertices, const double (*position)[3], double distance, int *one_with);

/* ---- Holes in a mesh: cutting them, and closing them ---- */

/* Cut a hole of exactly `sides` edges, 3 or more, around the vertex nearest to a place, which is given in fractions of
 * the bounding box (0 to 1 on each axis). Triangles are removed from the nearest on. Vertices that lose all triangles
 * are removed, and the others keep their order. The surface keeps its other borders, and stays connected. Fails, with
 * the mesh unchanged, if such a hole is impossible there. `name` is the mesh's name in messages. */
int hole_cut(struct mesh *mesh, const double at[3], int sides, const char *name);

/* Make a surface of the mesh's largest part; it may be open. Removed are triangles at an edge of more than two, with an
 * orientation opposite to a neighbour's, or at vertices that only join surfaces; then the smaller parts. Fails if
 * nothing is left. */
int holes_open(struct mesh *mesh, const char *name);

/* The same, and each hole is filled by the triangles of least area over its border (Barequet and Sharir 1995). This
 * also removes tunnels that a reduction has pinched off. Errors: a hole of over 400 edges; one that cannot be
 * filled. */
int holes_close(struct mesh *mesh, const char *name);

/* The same, closed, after removing triangles that intersect others outside of shared edges and corners, together with
 * their neighbours, until there are none. Fails after `rounds` rounds. A closed mesh without intersections is not
 * changed. */
int holes_mend(struct mesh *mesh, int rounds, const char *name);

#endif
