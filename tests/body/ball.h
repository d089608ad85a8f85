/* A sphere for tests of closed surfaces. */
#ifndef SPRINGBACK_TESTS_BALL_H
#define SPRINGBACK_TESTS_BALL_H

#include "mesh/mesh.h"
#include "support.h"

#include <math.h>

/* An octahedron whose sides are each cut into n^2 triangles, projected onto a sphere of radius 1. The mesh has
 * 4 n^2 + 2 vertices and 8 n^2 triangles, in arbitrary order. */
static inline void ball_create(int n, struct mesh *mesh) {
    static const int axis[8][3] = {{1, 2, 4},  {2, -1, 4},  {-1, -2, 4},  {-2, 1, 4},
                                   {2, 1, -4}, {-1, 2, -4}, {-2, -1, -4}, {1, -2, -4}};
    mesh_create(mesh, 4 * n * n + 2, 8 * n * n);
    int vertices = 0, triangles = 0;
    for (int s = 0; s < 8; ++s) {
        int *number = memory_new((size_t)(n + 1) * (size_t)(n + 1), sizeof *number);
        for (int i = 0; i <= n; ++i)
            for (int j = 0; i + j <= n; ++j) {
                double at[3] = {0}, length = 0;
                const int weight[3] = {n - i - j, i, j};
                for (int c = 0; c < 3; ++c)
                    at[abs(axis[s][c]) / 2] += axis[s][c] > 0 ? weight[c] : -weight[c];
                for (int k = 0; k < 3; ++k)
                    length += at[k] * at[k];
                for (int k = 0; k < 3; ++k)
                    at[k] = at[k] / sqrt(length) + 0; /* -0 becomes +0 */
                int v = 0;
                while (v < vertices && (mesh->position[v][0] != at[0] || mesh->position[v][1] != at[1] ||
                                        mesh->position[v][2] != at[2]))
                    ++v;
                if (v == vertices) {
                    cr_assert_lt(v, mesh->vertices);
                    memcpy(mesh->position[vertices++], at, sizeof at);
                }
                number[i * (n + 1) + j] = v;
            }
        for (int i = 0; i < n; ++i)
            for (int j = 0; i + j < n; ++j) {
                const int a = i * (n + 1) + j, b = a + n + 1, c = a + 1;
                memcpy(mesh->corner[triangles++], (int[3]){number[a], number[b], number[c]}, sizeof(int[3]));
                if (i + j + 1 < n)
                    memcpy(mesh->corner[triangles++], (int[3]){number[b], number[b + 1], number[c]}, sizeof(int[3]));
            }
        free(number);
    }
    cr_assert_eq(vertices, mesh->vertices);
    cr_assert_eq(triangles, mesh->triangles);
}

#endif
