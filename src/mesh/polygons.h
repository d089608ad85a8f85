/* Meshes of polygons, as files hold them: what a triangle mesh is cut from. */
#ifndef SPRINGBACK_MESH_POLYGONS_H
#define SPRINGBACK_MESH_POLYGONS_H

#include "mesh/mesh.h"

struct polygons {
    int vertices, faces;
    double (*position)[3]; /* [vertices] m */
    int *start;            /* [faces + 1] face f has the corners corner[start[f]] .. corner[start[f + 1] - 1] */
    int *corner;           /* vertices, counterclockwise as seen from outside; three or more a face */
};

void polygons_free(struct polygons *polygons);

/* Polygons that grow vertex by vertex and corner by corner, so that no count is believed before its bytes are there.
 * Starts zeroed. More than INT_MAX of anything is the caller's to prevent. */
struct polygons_builder {
    struct polygons made; /* not to be read before polygons_finish */
    int vertex_room, corner_room, face_room;
    int corners;
};
void polygons_add_vertex(struct polygons_builder *builder, const double position[3]);
void polygons_add_corner(struct polygons_builder *builder, int vertex);

/* End the face whose corners were added since the last one. */
void polygons_end_face(struct polygons_builder *builder);

/* Hand over what was added; the builder is zeroed. */
void polygons_finish(struct polygons_builder *builder, struct polygons *polygons);
void polygons_abandon(struct polygons_builder *builder);

/* Cut each face into triangles, a fan from its first corner: (a, b, c, d, ...) becomes (a, b, c), (a, c, d), ... in the
 * order of the faces. Right for convex faces, and stated, so that every reader gets the same triangles. Fails where
 * they are more than a mesh can number. */
int polygons_triangulate(const struct polygons *polygons, const char *name, struct mesh *mesh);

#endif
