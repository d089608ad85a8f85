/* Bodies of triangles. A run names a prepared body of data/meshes.yaml, or the user's mesh file. The springs are the
 * edges of the triangles, as in va2023, section III. Inner links or the other edges of tetrahedra are also springs if
 * body.surface.inside names them. */
#ifndef SPRINGBACK_BODY_SURFACE_H
#define SPRINGBACK_BODY_SURFACE_H

#include "body/body.h"

#include <stdbool.h>

/* Whether body.mesh is the path of a file instead of the name of a prepared body: it has a slash, or a mesh file's
 * ending. */
bool surface_is_file(const char *mesh);

/* The folder of prepared bodies: the environment variable SPRINGBACK_BODIES, or out/bodies. A body is <name>.h5. */
const char *surface_folder(void);

/* Read the triangles of a mesh file or of a prepared body, given by `word`. If `reports_cut`, a message says how many
 * faces of a mesh file had to be cut into triangles (mesh_read). The caller frees the mesh. On failure nothing is
 * allocated. */
int surface_read(const char *word, bool reports_cut, struct mesh *mesh);

/* body_describe and body_build for a run with body.mesh. surface_describe reads a prepared body, or reads a mesh file,
 * cleans it as the run says, and prepares it. */
int surface_describe(const struct run *run, struct body *body);
int surface_build(const struct run *run, struct body *body);

/* Sort a body's edges as method.groups says, and add the fact "groups_of_edges", the number of groups. Does nothing if
 * the method has no field method.groups. Fails if there are too many edges for the paper's groups. */
int surface_group_edges(const struct run *run, struct prepared *prepared);

/* Rings: the neighbours of each vertex of a closed surface, in order around it.
 *
 * A vertex and two consecutive neighbours of its ring are a triangle, with corners in this order; the first neighbour
 * follows the last. A ring begins with its neighbour of lowest index. */
struct rings {
    int *start;     /* [vertices + 1] */
    int *neighbour; /* [3 triangles]: the ring of vertex v is neighbour[start[v]] to neighbour[start[v + 1] - 1] */
};

/* Create rings from triangles, each with three different corners. Returns false, with nothing allocated, if a vertex
 * does not have exactly one ring: the surface is open there, not consistently oriented, or two parts touch. A vertex
 * without triangles has an empty ring. */
bool rings_create(int vertices, int triangles, const int *corner, struct rings *rings);
void rings_free(struct rings *rings);

#endif
