#include "claim/geometry.h"

#include "base/memory.h"
#include "base/vector.h"
#include "mesh/edges.h"
#include "mesh/sets.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Whether end[1] is the next corner of a triangle after end[0], in the order of the triangle's corners. */
static bool goes_along(const int corner[3], const int end[2]) {
    for (int k = 0; k < 3; k++)
        if (corner[k] == end[0] && corner[(k + 1) % 3] == end[1])
            return true;
    return false;
}

/* The corner of a triangle that is not an end of its edge `end`. */
static int opposite_corner(const int corner[3], const int end[2]) {
    for (int k = 0; k < 2; k++)
        if (corner[k] != end[0] && corner[k] != end[1])
            return corner[k];
    return corner[2];
}

void hinges_create(const int32_t *corner, size_t triangles, size_t nodes, struct hinges *out) {
    AUTO(mesh_free) struct mesh mesh;
    AUTO(edges_free) struct edges edges;
    mesh_create(&mesh, (int)nodes, (int)triangles);
    for (size_t t = 0; t < triangles; t++)
        for (size_t k = 0; k < 3; k++)
            mesh.corner[t][k] = corner[3 * t + k];
    edges_create(&mesh, &edges);
    *out = (struct hinges){.corner = memory_new((size_t)edges.count + 1, sizeof *out->corner)};
    for (int e = 0; e < edges.count; e++) {
        if (edge_triangles(&edges, e) != 2)
            continue;
        int *hinge = out->corner[out->count++];
        const int *triangle = edges.triangle + edges.start[e];
        const bool first = goes_along(mesh.corner[triangle[0]], edges.end[e]);
        for (int k = 0; k < 2; k++) {
            hinge[k] = edges.end[e][k];
            hinge[2 + k] = opposite_corner(mesh.corner[triangle[first ? k : 1 - k]], edges.end[e]);
        }
    }
}

void hinges_free(struct hinges *hinges) {
    free(hinges->corner);
    *hinges = (struct hinges){0};
}

double hinge_angle(const int corner[4], const double (*position)[3], double *length) {
    const double *from = position[corner[0]];
    double edge[3], wing[2][3], normal[2][3], between[3];
    vector_minus(position[corner[1]], from, edge);
    vector_minus(position[corner[2]], from, wing[0]);
    vector_minus(from, position[corner[3]], wing[1]);
    /* wing[0] points from the edge to the third corner of the first triangle, wing[1] from the third corner of the
     * second triangle to the edge. Therefore both normals point to the same side of the surface. */
    vector_cross(edge, wing[0], normal[0]);
    vector_cross(edge, wing[1], normal[1]);
    vector_cross(normal[0], normal[1], between);
    *length = vector_length(edge);
    return copysign(atan2(vector_length(between), vector_dot(normal[0], normal[1])), vector_dot(between, edge));
}

double hinges_bending(const struct hinges *hinges, const double (*position)[3]) {
    double sum = 0;
    for (int h = 0; h < hinges->count; h++) {
        double length;
        const double angle = hinge_angle(hinges->corner[h], position, &length);
        sum += length * fabs(angle);
    }
    return 0.5 * sum;
}

/* ---- Wrinkles ---- */

/* Limits of wrinkles_count, as fractions of the body's length. A vertex is tightly bent if the absolute value of its
 * mean curvature is larger than the mean curvature of a cylinder with the radius `radius`. A wrinkle has at least the
 * area of a square with the side `side`. */
static const double radius = 0.1, side = 0.05;

/* The sign of the curvature of a tightly bent vertex; 0 if the vertex is not tightly bent. `curvature`: the mean
 * curvature of the vertex times `area`, in m. `length`: the body's length, in m. */
static int side_of(double curvature, double area, double length) {
    return fabs(curvature) > area / (2 * radius * length) ? (curvature > 0) - (curvature < 0) : 0;
}

double wrinkles_count(const struct hinges *hinges, const int32_t *corner, size_t triangles, size_t nodes,
                      const double (*position)[3], double length) {
    AUTO_FREE double *area = memory_new(nodes, sizeof *area), *curvature = memory_new(nodes, sizeof *curvature),
                     *region = memory_new(nodes, sizeof *region);
    AUTO_FREE int *parent = sets_new((int)nodes);
    double whole = 0;
    int count = 0;
    for (size_t t = 0; t < triangles; t++) {
        const int32_t *at = corner + 3 * t;
        const double third = vector_area(position[at[0]], position[at[1]], position[at[2]]) / 3;
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
