/* Meshes of triangles and of polygons: positions and corners, without data that can be derived from them. */
#ifndef SPRINGBACK_MESH_MESH_H
#define SPRINGBACK_MESH_MESH_H

#include "base/status.h"

struct mesh {
    int vertices, triangles;
    double (*position)[3]; /* [vertices] in m */
    int (*corner)[3];      /* [triangles] vertices of a triangle, counterclockwise as seen from outside */
};

/* Allocate the arrays, filled with zeros. */
void mesh_create(struct mesh *mesh, int vertices, int triangles);
void mesh_copy(const struct mesh *mesh, struct mesh *copy);
void mesh_free(struct mesh *mesh);

/* The XXH3 hash (base/digest.h) of the counts, positions and corners: 32 hexadecimal digits and a final 0. */
void mesh_hash(const struct mesh *mesh, char out[33]);

/* The least exponent whose power of 2 is above the absolute values of all coordinates; 0 if all are 0. */
int mesh_exponent(const struct mesh *mesh);

/* ---- Meshes of polygons, as in files; polygons_triangulate makes triangle meshes of them ---- */

struct polygons {
    int vertices, faces;
    double (*position)[3]; /* [vertices] in m */
    int *start;            /* [faces + 1] face f has the corners corner[start[f]] .. corner[start[f + 1] - 1] */
    int *corner;           /* vertices, counterclockwise as seen from outside; at least three per face */
};

void polygons_free(struct polygons *polygons);

/* Polygons that grow vertex by vertex and corner by corner. A reader can therefore allocate memory for the data that it
 * has read, and need not trust a number that a file states. All fields are initially 0. The caller must not add more
 * than INT_MAX vertices, faces or corners. */
struct polygons_builder {
    struct polygons made; /* not to be read before polygons_finish */
    int vertex_capacity, corner_capacity, face_capacity;
    int corners; /* number of corners that were added */
};
void polygons_add_vertex(struct polygons_builder *builder, const double position[3]);
void polygons_add_corner(struct polygons_builder *builder, int vertex);

/* End a face. Its corners are those that were added since the end of the previous face. */
void polygons_end_face(struct polygons_builder *builder);

/* Move the result to *polygons; the builder is zeroed. */
void polygons_finish(struct polygons_builder *builder, struct polygons *polygons);

/* Free the memory of a builder that is not finished. */
void polygons_abandon(struct polygons_builder *builder);

/* Cut each face into triangles, a fan from its first corner: (a, b, c, d, ...) becomes (a, b, c), (a, c, d), ... in the
 * order of the faces. The triangles of a face that is not convex can overlap. Fails if there are more than INT_MAX / 3
 * triangles. `name` is the mesh's name in messages. */
int polygons_triangulate(const struct polygons *polygons, const char *name, struct mesh *mesh);

/* ---- Finer meshes ---- */

/* One subdivision by the scheme of Catmull and Clark: E. Catmull, J. Clark, Recursively generated B-spline surfaces on
 * arbitrary topological meshes, Computer-Aided Design 10 (6), 1978. Every face of n corners becomes n faces of four
 * corners: a corner, the point of the edge after it, the point of the face, the point of the edge before the corner.
 * The vertices of the result are, in this order: the old vertices, moved; the point of each edge, with the edges sorted
 * by their ends; the point of each face. The positions are:
 *
 *     face    the mean of its corners
 *     edge    the mean of its ends and its two faces' points
 *     vertex  (F + 2 R + (n - 3) P) / n, where n is the number of the vertex's edges, F the mean of its faces' points,
 *             R the mean of its edges' middles, and P its position
 *
 * At a boundary the rules of a cubic B-spline curve apply (T. DeRose, M. Kass, T. Truong, Subdivision surfaces in
 * character animation, SIGGRAPH 1998, sharp edges). The point of a boundary edge is its middle. A boundary vertex moves
 * to (A + 6 P + B) / 8, where A and B are its two neighbours on the boundary. So the bends of a boundary are also
 * rounded. A vertex with more than two boundary edges does not move, and a vertex without faces does not move.
 *
 * Errors: an edge with more than two faces or with equal ends; a result of more than INT_MAX / 4 vertices or
 * INT_MAX / 12 faces. */
int polygons_catmull_clark(const struct polygons *from, const char *name, struct polygons *to);

/* Cut each triangle of a mesh into four by the middles of its edges; the surface does not change. The new vertices are
 * the middles of the edges, in the order of the edges sorted by their ends. They come after the old vertices. Triangle
 * t becomes the triangles 4 t to 4 t + 3: first those at its corners, in order, then the middle one. Fails if the
 * result would have more than INT_MAX vertices or INT_MAX / 3 triangles. */
int mesh_refine(struct mesh *mesh, const char *name);

#endif
