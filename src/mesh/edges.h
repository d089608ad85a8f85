/* The edges of a mesh, and the faces at each edge. */
#ifndef SPRINGBACK_MESH_EDGES_H
#define SPRINGBACK_MESH_EDGES_H

#include "mesh/mesh.h"

#include <stdbool.h>

struct edges {
    int count;
    int (*end)[2];  /* [count] both vertices of an edge, lower index first; the edges are sorted by these pairs */
    int *start;     /* [count + 1] the faces of edge e are triangle[start[e]] .. triangle[start[e + 1] - 1] */
    int *triangle;  /* [corners] the faces of all edges; those of one edge are in ascending order */
    int *of_corner; /* [corners] the edge from a face's corner to the next corner of the face */
    int (*of_triangle)[3]; /* [triangles] the array of_corner for a mesh of triangles; edge k is from corner k to the
                              next */
};

/* Find the edges of a mesh. The caller frees them with edges_free. The time and memory are proportional to the mesh's
 * size. Corners must be vertices of the mesh, and differ within a triangle. */
void edges_create(const struct mesh *mesh, struct edges *edges);

/* Find the edges of polygons. If a face has a vertex twice in a row, the edge between these corners has equal ends. */
void edges_of_polygons(const struct polygons *polygons, struct edges *edges);
void edges_free(struct edges *edges);

/* Number of triangles at an edge: 2 inside a surface, 1 at its boundary, more if the surface is not a manifold. */
int edge_triangles(const struct edges *edges, int edge);

/* The edge between two vertices; -1 if there is none. */
int edges_find(const struct edges *edges, int a, int b);

/* The indices of edges in the order of their vertices: first by end[.][0], then by end[.][1]; equal edges stay in the
 * order of their indices. Time and memory are proportional to `count` and `vertices`. Newly allocated; the caller frees
 * it. */
int *edges_order(const int (*end)[2], int count, int vertices);

/* Compare two edges, each given as int[2] like edges.end, by their vertices; for qsort and bsearch. */
int edges_compare(const void *a, const void *b);

/* The fans of a mesh of triangles. A fan is a set of corners at one vertex whose triangles are connected by edges at
 * this vertex. A corner has the number 3 * triangle + corner. Returns the sets of these numbers (mesh/sets.h), newly
 * allocated. */
int *edges_fans(const struct mesh *mesh, const struct edges *edges);

/* The number of fans of each vertex. Newly allocated. */
int *edges_count_fans(const struct mesh *mesh, const struct edges *edges);

/* The corner of a triangle at `vertex`, as 3 * triangle + corner (0 to 2). The triangle must have this vertex. */
int corner_at(const struct mesh *mesh, int triangle, int vertex);

/* ---- Properties of triangles ---- */

/* Whether the corners of a triangle, in their order, pass one of its edges from the vertex with the lower index to the
 * vertex with the higher index. */
static inline bool triangle_rises(const struct mesh *mesh, const struct edges *edges, int triangle, int edge) {
    int k = 0;
    while (edges->of_triangle[triangle][k] != edge)
        ++k;
    return mesh->corner[triangle][k] < mesh->corner[triangle][(k + 1) % 3];
}

/* Six times the volume of the tetrahedron of a triangle and a point, in m^3; positive if the point is behind the
 * triangle. Points inside a convex surface that is oriented outward are behind all its triangles. */
static inline double triangle_volume_six(const struct mesh *mesh, int triangle, const double point[3]) {
    double a[3][3];
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k)
            a[c][k] = mesh->position[mesh->corner[triangle][c]][k] - point[k];
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) + a[0][1] * (a[1][2] * a[2][0] - a[1][0] * a[2][2]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

/* The volume inside a closed mesh, in m^3: the sum of the signed volumes of the tetrahedra of its triangles and
 * `point`. The rounding error is small if the point is near the mesh. */
double mesh_volume(const struct mesh *mesh, const double point[3]);

#endif
