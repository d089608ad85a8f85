#include "mesh/edges.h"

#include "base/memory.h"
#include "base/rows.h"
#include "mesh/sets.h"

#include <stdlib.h>

int edges_compare(const void *a, const void *b) {
    return ints_compare(a, b, 2);
}

int *edges_order(const int (*end)[2], int count, int vertices) {
    AUTO_FREE int *key = memory_new((size_t)count, sizeof *key);
    AUTO_FREE int *start = memory_new((size_t)vertices + 1, sizeof *start);
    AUTO_FREE int *by_high = memory_new((size_t)count, sizeof *by_high);
    int *order = memory_new((size_t)count, sizeof *order);
    for (int e = 0; e < count; ++e)
        key[e] = end[e][1];
    rows_sort(vertices, count, key, start, by_high);
    for (int e = 0; e < count; ++e)
        key[e] = end[by_high[e]][0];
    rows_sort(vertices, count, key, start, order);
    for (int e = 0; e < count; ++e)
        order[e] = by_high[order[e]];
    return order;
}

void edges_of_polygons(const struct polygons *polygons, struct edges *edges) {
    const int sides = polygons->start[polygons->faces];
    AUTO_FREE int(*side)[2] = memory_new((size_t)sides, sizeof *side);
    AUTO_FREE int *face_of = memory_new((size_t)sides, sizeof *face_of);
    for (int f = 0; f < polygons->faces; ++f)
        for (int c = polygons->start[f]; c < polygons->start[f + 1]; ++c) {
            const int from = polygons->corner[c];
            const int to = polygons->corner[c + 1 < polygons->start[f + 1] ? c + 1 : polygons->start[f]];
            side[c][0] = from < to ? from : to;
            side[c][1] = from < to ? to : from;
            face_of[c] = f;
        }
    AUTO_FREE int *sorted = edges_order((const int(*)[2])side, sides, polygons->vertices);
    *edges = (struct edges){.triangle = memory_new((size_t)sides, sizeof *edges->triangle),
                            .of_corner = memory_new((size_t)sides, sizeof *edges->of_corner),
                            .start = memory_new((size_t)sides + 1, sizeof *edges->start),
                            .end = memory_new((size_t)sides, sizeof *edges->end)};
    edges->of_triangle = (int(*)[3])edges->of_corner;
    for (int s = 0; s < sides; ++s) {
        const int *ends = side[sorted[s]];
        if (s == 0 || edges_compare(ends, edges->end[edges->count - 1]) != 0) {
            edges->start[edges->count] = s;
            edges->end[edges->count][0] = ends[0];
            edges->end[edges->count++][1] = ends[1];
        }
        edges->triangle[s] = face_of[sorted[s]];
        edges->of_corner[sorted[s]] = edges->count - 1;
    }
    edges->start[edges->count] = sides;
}

void edges_create(const struct mesh *mesh, struct edges *edges) {
    struct polygons polygons = {.vertices = mesh->vertices, .faces = mesh->triangles, .corner = (int *)mesh->corner};
    polygons.start = memory_new((size_t)mesh->triangles + 1, sizeof *polygons.start);
    for (int t = 0; t <= mesh->triangles; ++t)
        polygons.start[t] = 3 * t;
    edges_of_polygons(&polygons, edges);
    free(polygons.start);
}

void edges_free(struct edges *edges) {
    free(edges->end);
    free(edges->start);
    free(edges->triangle);
    free(edges->of_corner);
    *edges = (struct edges){.count = 0};
}

int edge_triangles(const struct edges *edges, int edge) {
    return edges->start[edge + 1] - edges->start[edge];
}

int edges_find(const struct edges *edges, int a, int b) {
    const int ends[2] = {a < b ? a : b, a < b ? b : a};
    const int(*found)[2] = bsearch(ends, edges->end, (size_t)edges->count, sizeof ends, edges_compare);
    return found ? (int)(found - (const int(*)[2])edges->end) : -1;
}

int corner_at(const struct mesh *mesh, int triangle, int vertex) {
    int k = 0;
    while (mesh->corner[triangle][k] != vertex)
        ++k;
    return 3 * triangle + k;
}

int *edges_fans(const struct mesh *mesh, const struct edges *edges) {
    int *fans = sets_new(3 * mesh->triangles);
    for (int e = 0; e < edges->count; ++e)
        for (int s = edges->start[e] + 1; s < edges->start[e + 1]; ++s)
            for (int k = 0; k < 2; ++k)
                sets_join(fans, corner_at(mesh, edges->triangle[s - 1], edges->end[e][k]),
                          corner_at(mesh, edges->triangle[s], edges->end[e][k]));
    return fans;
}

int *edges_count_fans(const struct mesh *mesh, const struct edges *edges) {
    AUTO_FREE int *fans = edges_fans(mesh, edges);
    int *fans_at = memory_new((size_t)mesh->vertices, sizeof *fans_at);
    for (int c = 0; c < 3 * mesh->triangles; ++c)
        fans_at[mesh->corner[c / 3][c % 3]] += fans[c] == c;
    return fans_at;
}
