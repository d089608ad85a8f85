#include "claim/wrinkles.h"

#include "base/memory.h"
#include "base/vector.h"
#include "mesh/sets.h"

#include <math.h>
#include <stdlib.h>

/* In body lengths: the radius of what is bent just so tightly, and the side of the least area. */
static const double radius = 0.1, side = 0.05;

static double area_of(const double *a, const double *b, const double *c) {
    double side_b[3], side_c[3], normal[3];
    vector_minus(b, a, side_b);
    vector_minus(c, a, side_c);
    vector_cross(side_b, side_c, normal);
    return 0.5 * vector_length(normal);
}

/* The side to which a vertex bends tightly; 0 for neither. */
static int side_of(double curvature, double area, double length) {
    return fabs(curvature) > area / (2 * radius * length) ? (curvature > 0) - (curvature < 0) : 0;
}

double wrinkles_count(const struct hinges *hinges, const int32_t *corner, size_t triangles, size_t nodes,
                      const double (*position)[3], double length) {
    AUTO_FREE double *area = memory_new(nodes, sizeof *area), *curvature = memory_new(nodes, sizeof *curvature),
                     *region = memory_new(nodes, sizeof *region);
    AUTO_FREE int *parent = memory_new(nodes, sizeof *parent);
    double whole = 0;
    int count = 0;
    for (size_t t = 0; t < triangles; t++) {
        const int32_t *at = corner + 3 * t;
        const double third = area_of(position[at[0]], position[at[1]], position[at[2]]) / 3;
        for (int k = 0; k < 3; k++)
            area[at[k]] += third;
        whole += third;
    }
    for (int h = 0; h < hinges->count; h++) {
        double edge;
        const double angle = hinge_angle(hinges->corner[h], position, &edge);
        for (int k = 0; k < 2; k++)
            curvature[hinges->corner[h][k]] += 0.25 * edge * angle;
    }
    for (size_t v = 0; v < nodes; v++)
        parent[v] = (int)v;
    for (size_t c = 0; c < 3 * triangles; c++) {
        const int a = corner[c], b = corner[c % 3 == 2 ? c - 2 : c + 1];
        const int bent = side_of(curvature[a], area[a], length);
        if (bent && bent == side_of(curvature[b], area[b], length))
            sets_join(parent, a, b);
    }
    for (size_t v = 0; v < nodes; v++)
        if (side_of(curvature[v], area[v], length))
            region[sets_root(parent, (int)v)] += area[v];
    for (size_t v = 0; v < nodes; v++)
        count += region[v] > 0 && region[v] >= side * side * length * length;
    return isfinite(whole) && length > 0 ? count : (double)NAN;
}
