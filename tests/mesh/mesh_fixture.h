/* Common functions of the tests of meshes. */
#ifndef SPRINGBACK_TESTS_MESH_FIXTURE_H
#define SPRINGBACK_TESTS_MESH_FIXTURE_H

#include "mesh/catalogue.h"
#include "mesh/check.h"
#include "support.h"

/* The volume inside a closed surface, m^3: the sum of the signed volumes of the tetrahedra that each triangle forms
 * with the origin. */
static inline double volume_of(const struct mesh *mesh) {
    double sum = 0;
    for (int t = 0; t < mesh->triangles; ++t) {
        const double *a = mesh->position[mesh->corner[t][0]], *b = mesh->position[mesh->corner[t][1]],
                     *c = mesh->position[mesh->corner[t][2]];
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6;
}

/* Expect these counts of a mesh. A count of -1 is not checked. The Euler characteristic is always checked, because it
 * can be -1. */
#define expect_counts(mesh, vertices, edges, triangles, euler, loops, crossings)                                       \
    do {                                                                                                               \
        const long expected_[] = {vertices, triangles, edges, euler, loops, crossings};                                \
        long count_[MESH_COUNTS];                                                                                      \
        mesh_count(mesh, (crossings) >= 0, count_);                                                                    \
        for (int k_ = 0; k_ < MESH_COUNTS; ++k_)                                                                       \
            cr_expect(expected_[k_] == count_[k_] || (k_ != MESH_EULER && expected_[k_] < 0), "%s: %ld, expected %ld", \
                      mesh_count_names[k_], count_[k_], expected_[k_]);                                                \
    } while (0)

#endif
