/* What a description may ask to be done to a mesh, step by step; nothing here is done unasked.
 *
 * Vertices and triangles keep their order; where some go, the others move up. Each returns how many it changed, but for
 * those that can fail, which return a status and tell of the mesh by `name`. Coordinates must be finite and corners be
 * vertices, as mesh_read sees to. Messages count vertices and triangles from 0. */
#ifndef SPRINGBACK_MESH_REPAIR_H
#define SPRINGBACK_MESH_REPAIR_H

#include "mesh/mesh.h"

#include <stdbool.h>

/* Make vertices at one place (mesh/repair.h) one, the lowest of them; a distance of 0 asks for equal coordinates. The
 * others are taken out, and a triangle may be left with equal corners. Returns how many vertices went. */
int mesh_weld(struct mesh *mesh, double distance);

/* Whether a triangle has equal corners or, if asked, no area: its corners' cross product is 0 in double. */
bool mesh_is_degenerate(const struct mesh *mesh, int triangle, bool zero_area);

/* Take such triangles out. Where one without area went, the vertices on its long side stay, and so may a gap. */
int mesh_drop_degenerate(struct mesh *mesh, bool zero_area);

/* Of triangles with the same three corners, in any order and winding, keep the first. */
int mesh_drop_duplicates(struct mesh *mesh);

/* Keep the part with most triangles; of equals the one with the lowest vertex. A part is what hangs together by shared
 * vertices. The other parts' vertices go too; those of no triangle stay. Returns how many triangles went. */
int mesh_keep_largest(struct mesh *mesh);

/* Keep some of the triangles, in their order, and all vertices; returns how many went. */
int mesh_keep_triangles(struct mesh *mesh, const bool *keep);

/* Which vertices have a triangle. Newly allocated. */
bool *mesh_used(const struct mesh *mesh);

/* Take out vertices that no triangle has. */
int mesh_drop_unused(struct mesh *mesh);

/* Add `count` vertices without triangles, at the positions of the vertices in turn. */
void mesh_add_loose(struct mesh *mesh, int count);

/* Give neighbours in edges of two triangles the same sense of winding, by exchanging the last two corners of triangles.
 * A part, hanging together by such edges, is turned outward where it is closed, so that its volume is positive (a
 * hollow's wall too: nothing is said about which part lies in which), and as most of its triangles are where it is
 * open, of equals as the lowest. Fails, and changes nothing, where a part has no two sides, or a triangle equal
 * corners. `turned` becomes the number of triangles that were turned. */
int mesh_orient(struct mesh *mesh, const char *name, int *flipped);

/* The box of all vertices. A mesh without vertices has none: 0 to 0. */
void mesh_box(const struct mesh *mesh, double low[3], double high[3]);

/* The longest side of that box. */
double mesh_longest_side(const struct mesh *mesh);

/* Scale about the origin: so that the longest side of the box is a length, which fails where that cannot be, or by a
 * factor. */
int mesh_scale(struct mesh *mesh, double length, const char *name);
void mesh_scale_by(struct mesh *mesh, double factor);

void mesh_move(struct mesh *mesh, const double by[3]);

/* Move the middle of the box to the origin. */
void mesh_centre(struct mesh *mesh);

/* Turn about an axis (0: x, 1: y, 2: z) by quarters of a turn, counterclockwise as seen from its tip; exact. */
void mesh_rotate(struct mesh *mesh, int axis, int quarters);

/* ---- Which vertices stand at one place ---- */

/* For each of `vertices` positions the lowest vertex that it is one with: equal coordinates (-0 equals +0), or, with a
 * distance > 0, none farther away than it. By distance the vertices are taken in order, and each joins the lowest of
 * the earlier ones that stand for themselves and are near enough; so it depends on the order alone, chains do not grow,
 * and those left are farther apart than the distance. Coordinates must be finite. Returns how many joined another. */
int weld_find(int vertices, const double (*position)[3], double distance, int *one_with);

/* ---- Holes in a mesh: cutting them, and closing them ---- */

/* Cut a hole of exactly `sides` edges, 3 or more, round the vertex nearest to a place, which is given in shares of the
 * bounding box (0 to 1 on each axis). Triangles leave from the nearest on; vertices that lose all leave too, and the
 * others keep their order. The surface keeps its other borders, and stays connected. Errors, the mesh unchanged: no
 * room for such a hole there. `name` is what messages call the mesh. */
int hole_cut(struct mesh *mesh, const double at[3], int sides, const char *name);

/* Make a surface of the mesh's largest part, open as it may be: triangles leave that meet at an edge of more than two,
 * are wound against a neighbour, or touch where surfaces only share a vertex; then the smaller parts leave. Errors:
 * nothing is left. */
int holes_open(struct mesh *mesh, const char *name);

/* The same, and each hole is filled by the triangles of least area over its border (Barequet and Sharir 1995). Tunnels
 * that a reduction has pinched off are thereby gone. Errors: a hole of over 400 edges; one that no triangles fill. */
int holes_close(struct mesh *mesh, const char *name);

/* The same, closed, after the triangles that meet others elsewhere than in their edges and corners have left, with
 * those that touch them, until none do: at most `rounds` times, then an error. A closed mesh without any is left as it
 * is. */
int holes_mend(struct mesh *mesh, int rounds, const char *name);

#endif
