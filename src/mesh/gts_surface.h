/* Meshes as surfaces of the GNU Triangulated Surface library, whose sets follow addresses: nothing here lets its order
 * out. */
#ifndef SPRINGBACK_MESH_GTS_SURFACE_H
#define SPRINGBACK_MESH_GTS_SURFACE_H

#include "mesh/mesh.h"

#include <gts.h>

/* A surface of a mesh whose edges have at most two triangles. Freed by gts_surface_drop. */
GtsSurface *gts_surface_of_mesh(const struct mesh *mesh);
void gts_surface_drop(GtsSurface *surface);

/* The vertices sorted by position, each triangle from its lowest vertex on, triangles sorted. Errors: two vertices in
 * one place, since nothing would then tell them apart. */
int gts_surface_to_mesh(GtsSurface *surface, struct mesh *mesh);

#endif
