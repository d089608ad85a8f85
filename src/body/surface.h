/* Bodies of triangles: prepared ones of data/meshes.yaml by name, and a user's own mesh files. Their springs are the
 * edges of the triangles, as in va2023, section III. */
#ifndef SPRINGBACK_BODY_SURFACE_H
#define SPRINGBACK_BODY_SURFACE_H

#include "body/body.h"

#include <stdbool.h>

/* Whether body.mesh is the path of a file, and not the name of a prepared body: it has a slash, or a mesh file's
 * ending. */
bool surface_is_file(const char *mesh);

/* The folder of prepared bodies: out/bodies, or what the environment's SPRINGBACK_BODIES says. A body is <name>.h5. */
const char *surface_folder(void);

/* The triangles that a word stands for: of a mesh file as it is, or of a prepared body. `says_cut` as in mesh_read. */
int surface_read(const char *word, bool says_cut, struct mesh *mesh);

/* Read a prepared body; or read a mesh file, clean it as the run says, and prepare it. */
int surface_describe(const struct run *run, struct body *body);
int surface_build(const struct run *run, struct body *body);

/* Lay a body's edges as method.groups says, and note how many groups there are. Does nothing for a method that has no
 * such field. */
int surface_group_edges(const struct run *run, struct prepared *prepared);

/* Rings: the neighbours of each vertex of a closed surface, in turn around it.
 *
 * A vertex and two neighbours that follow each other in its ring, the last followed by the first, are a triangle, its
 * corners in that order. A ring begins with its neighbour of lowest index. */
struct rings {
    int *start;     /* [vertices + 1] */
    int *neighbour; /* [3 triangles]: ring of vertex v: from start[v] on */
};

/* From triangles of which all corners differ. False, with nothing allocated, where some vertex has not one ring: the
 * surface is open there, or not turned alike, or two parts touch. A vertex of no triangle has an empty ring. */
bool rings_create(int vertices, int triangles, const int *corner, struct rings *rings);
void rings_free(struct rings *rings);

#endif
