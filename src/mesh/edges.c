#include "mesh/edges.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* One side of a triangle, on its way to being an edge. */
struct side {
    int low, high, place; /* place: 3 * triangle + side */
};

/* Stable: sides of equal keys keep their order. */
static void sort_by(const struct side *from, struct side *to, size_t sides, int vertices, int is_high, int *next) {
    memset(next, 0, ((size_t)vertices + 1) * sizeof *next);
    for (size_t s = 0; s < sides; ++s)
        ++next[(is_high ? from[s].high : from[s].low) + 1];
    for (int v = 0; v < vertices; ++v)
        next[v + 1] += next[v];
    for (size_t s = 0; s < sides; ++s)
        to[next[is_high ? from[s].high : from[s].low]++] = from[s];
}

void edges_create(const struct mesh *mesh, struct edges *edges) {
    const size_t sides = 3 * (size_t)mesh->triangles;
    struct side *a = memory_new(sides, sizeof *a), *b = memory_new(sides, sizeof *b);
    int *next = memory_new((size_t)mesh->vertices + 1, sizeof *next);
    for (size_t s = 0; s < sides; ++s) {
        const int from = mesh->corner[s / 3][s % 3], to = mesh->corner[s / 3][(s + 1) % 3];
        a[s] = (struct side){from < to ? from : to, from < to ? to : from, (int)s};
    }
    sort_by(a, b, sides, mesh->vertices, 1, next);
    sort_by(b, a, sides, mesh->vertices, 0, next);
    free(b);
    free(next);
    *edges = (struct edges){.count = 0};
    for (size_t s = 0; s < sides; ++s)
        edges->count += s == 0 || a[s].low != a[s - 1].low || a[s].high != a[s - 1].high;
    edges->end = memory_new((size_t)edges->count, sizeof *edges->end);
    edges->start = memory_new((size_t)edges->count + 1, sizeof *edges->start);
    edges->triangle = memory_new(sides, sizeof *edges->triangle);
    edges->of_triangle = memory_new((size_t)mesh->triangles, sizeof *edges->of_triangle);
    int edge = -1;
    for (size_t s = 0; s < sides; ++s) {
        if (s == 0 || a[s].low != a[s - 1].low || a[s].high != a[s - 1].high) {
            edges->end[++edge][0] = a[s].low;
            edges->end[edge][1] = a[s].high;
            edges->start[edge] = (int)s;
        }
        edges->triangle[s] = a[s].place / 3;
        edges->of_triangle[a[s].place / 3][a[s].place % 3] = edge;
    }
    edges->start[edges->count] = (int)sides;
    free(a);
}

void edges_free(struct edges *edges) {
    free(edges->end);
    free(edges->start);
    free(edges->triangle);
    free(edges->of_triangle);
    *edges = (struct edges){.count = 0};
}

int edge_triangles(const struct edges *edges, int edge) {
    return edges->start[edge + 1] - edges->start[edge];
}
