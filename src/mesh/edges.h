/* The edges of a triangle mesh, and the triangles that meet in each. */
#ifndef SPRINGBACK_MESH_EDGES_H
#define SPRINGBACK_MESH_EDGES_H

#include "mesh/mesh.h"

struct edges {
    int count;
    int (*end)[2]; /* [count] vertices, the lower first; sorted by both */
    int *start;    /* [count + 1] the triangles of edge e are triangle[start[e]] .. triangle[start[e + 1] - 1] */
    int *triangle; /* [3 triangles], rising within an edge */
    int (*of_triangle)[3]; /* [triangles] edge k of a triangle leads from its corner k to the next */
};

/* Takes time and memory proportional to the mesh. Corners must be vertices of the mesh, and differ in a triangle. */
void edges_create(const struct mesh *mesh, struct edges *edges);
void edges_free(struct edges *edges);

/* Triangles that meet in an edge: 2 inside a surface, 1 at its boundary, more where it is no manifold. */
int edge_triangles(const struct edges *edges, int edge);

#endif
