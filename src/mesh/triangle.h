/* What can be said of the triangles of a mesh. */
#ifndef SPRINGBACK_MESH_TRIANGLE_H
#define SPRINGBACK_MESH_TRIANGLE_H

#include "mesh/edges.h"

#include <stdbool.h>

/* Whether a triangle goes through an edge of its own from the lower vertex to the higher. */
static inline bool triangle_rises(const struct mesh *mesh, const struct edges *edges, int triangle, int edge) {
    int k = 0;
    while (edges->of_triangle[triangle][k] != edge)
        ++k;
    return mesh->corner[triangle][k] < mesh->corner[triangle][(k + 1) % 3];
}

/* Six times the volume between a triangle and a point, in m^3; positive where the point lies behind it. */
static inline double triangle_volume_six(const struct mesh *mesh, int triangle, const double point[3]) {
    double a[3][3];
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k)
            a[c][k] = mesh->position[mesh->corner[triangle][c]][k] - point[k];
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) + a[0][1] * (a[1][2] * a[2][0] - a[1][0] * a[2][2]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

/* The volume inside a closed mesh, in m^3, as the sum of those between its triangles and a point: near the mesh, no
 * digits are lost. */
double mesh_volume(const struct mesh *mesh, const double point[3]);

#endif
