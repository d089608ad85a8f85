/* A sphere as a mesh, without a file. */
#ifndef SPRINGBACK_TESTS_SPHERE_H
#define SPRINGBACK_TESTS_SPHERE_H

#include "mesh/edges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A sphere of radius 1 m: an icosahedron whose triangles are each cut into four, `cuts` times. Finally, all vertices
 * are projected onto the sphere. */
static inline struct mesh sphere(int cuts) {
    static const int triangle[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                        {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                        {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                        {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const double g = (1 + sqrt(5)) / 2;
    const double vertex[12][3] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                  {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    struct mesh mesh;
    mesh_create(&mesh, 12, 20);
    memcpy(mesh.corner, triangle, sizeof triangle);
    memcpy(mesh.position, vertex, sizeof vertex);
    for (int cut = 0; cut < cuts; ++cut) {
        struct edges edges;
        struct mesh fine;
        edges_create(&mesh, &edges);
        mesh_create(&fine, mesh.vertices + edges.count, 4 * mesh.triangles);
        memcpy(fine.position, mesh.position, (size_t)mesh.vertices * sizeof *mesh.position);
        for (int e = 0; e < edges.count; ++e)
            for (int k = 0; k < 3; ++k)
                fine.position[mesh.vertices + e][k] =
                    (mesh.position[edges.end[e][0]][k] + mesh.position[edges.end[e][1]][k]) / 2;
        for (int t = 0; t < mesh.triangles; ++t)
            for (int k = 0; k < 3; ++k) {
                const int before = mesh.vertices + edges.of_triangle[t][(k + 2) % 3];
                const int after = mesh.vertices + edges.of_triangle[t][k];
                memcpy(fine.corner[4 * t + k], (int[3]){mesh.corner[t][k], after, before}, sizeof *fine.corner);
                fine.corner[4 * t + 3][k] = after;
            }
        edges_free(&edges);
        mesh_free(&mesh);
        mesh = fine;
    }
    for (int v = 0; v < mesh.vertices; ++v) {
        double *x = mesh.position[v], length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        for (int k = 0; k < 3; ++k)
            x[k] /= length;
    }
    return mesh;
}

/* The mean of |i - j| over all edges; i and j are the indices of an edge's ends. */
static inline double order_mean_distance(int edges, const int (*end)[2]) {
    double sum = 0; /* of integers, therefore exact */
    for (int e = 0; e < edges; ++e)
        sum += abs(end[e][0] - end[e][1]);
    return edges > 0 ? sum / edges : 0;
}

#endif
