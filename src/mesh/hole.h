/* Holes in a mesh: cutting them, and closing them. */
#ifndef SPRINGBACK_MESH_HOLE_H
#define SPRINGBACK_MESH_HOLE_H

#include "mesh/mesh.h"

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
