#include "body/tetrahedra.h"

#include "base/memory.h"
#include "base/tree.h"
#include "base/vector.h"

#include <math.h>
#include <stdlib.h>

void tetrahedra_free(struct tetrahedra *body) {
    free(body->position);
    free(body->corner);
    *body = (struct tetrahedra){.vertices = 0};
}

double tetrahedron_determinant(const double (*position)[3], const int corner[4]) {
    double normal[3], side[3];
    vector_normal(position[corner[0]], position[corner[1]], position[corner[2]], normal);
    vector_minus(position[corner[3]], position[corner[0]], side);
    return vector_dot(normal, side);
}

/* The cotangent of the smallest angle between two sides of a positively oriented tetrahedron: of its edges' angles,
 * the largest. With e along an edge and n, m the normals of both sides, |n x m| = |e| det. */
static double largest_cotangent(const struct tetrahedra *body, const int corner[4], double six_volumes) {
    static const int edges[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
    double largest = -INFINITY;
    for (int e = 0; e < 6; ++e) {
        const double *p[4];
        double n[3], m[3];
        for (int k = 0; k < 4; ++k)
            p[k] = body->position[corner[edges[e][k]]];
        vector_normal(p[0], p[1], p[2], n);
        vector_normal(p[0], p[1], p[3], m);
        const double cotangent = vector_dot(n, m) / (vector_distance(p[0], p[1]) * six_volumes);
        largest = cotangent > largest ? cotangent : largest;
    }
    return largest;
}

void tetrahedra_survey(const struct tetrahedra *body, struct tetrahedra_survey *survey) {
    const double none = -(double)INFINITY;
    AUTO_FREE double *part = memory_new((size_t)body->tetrahedra, sizeof *part);
    double cotangent = none;
    for (int t = 0; t < body->tetrahedra; ++t) {
        part[t] = tetrahedron_determinant(body->position, body->corner[t]);
        if (part[t] > 0)
            cotangent = fmax(cotangent, largest_cotangent(body, body->corner[t], part[t]));
        else if (part[t] == 0)
            cotangent = INFINITY;
    }
    survey->volume = tree_reduce(TREE_SUM, part, (size_t)body->tetrahedra) / 6;
    survey->smallest_angle = cotangent > none ? atan2(1, cotangent) * 45 / atan2(1, 1) : (double)NAN;
}
