#include "body/order.h"

#include "base/memory.h"
#include "base/rows.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int keyed_compare(const void *a, const void *b) {
    const struct keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Insert two zeros before each of the lower 21 bits. */
static uint64_t spread(uint64_t bits) {
    bits = (bits | bits << 32) & 0x001f00000000ffff;
    bits = (bits | bits << 16) & 0x001f0000ff0000ff;
    bits = (bits | bits << 8) & 0x100f00f00f00f00f;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
    bits = (bits | bits << 2) & 0x1249249249249249;
    return bits;
}

int order_morton(int vertices, const double (*position)[3], int *order) {
    const double cells = 1 << 21;
    double low[3] = {INFINITY, INFINITY, INFINITY}, longest = 0;
    for (int i = 0; i < vertices; ++i)
        for (int k = 0; k < 3; ++k) {
            if (!isfinite(position[i][k]))
                return fail("vertex %d is at %g, %g, %g; positions must be finite", i, position[i][0], position[i][1],
                            position[i][2]);
            low[k] = fmin(low[k], position[i][k]);
        }
    for (int i = 0; i < vertices; ++i)
        for (int k = 0; k < 3; ++k) /* halves, because the difference of two finite numbers may be infinite */
            longest = fmax(longest, position[i][k] / 2 - low[k] / 2);
    AUTO_FREE struct keyed *list = memory_new((size_t)vertices, sizeof *list);
    for (int i = 0; i < vertices; ++i) {
        list[i].index = i;
        for (int k = 0; k < 3 && longest > 0; ++k) {
            const double cell = (position[i][k] / 2 - low[k] / 2) / longest * cells;
            list[i].key |= spread((uint64_t)fmin(cell, cells - 1)) << k;
        }
    }
    qsort(list, (size_t)vertices, sizeof *list, keyed_compare);
    for (int i = 0; i < vertices; ++i)
        order[i] = list[i].index;
    return STATUS_OK;
}

/* Neighbours in compressed rows. Each row is sorted by the neighbours' degrees in ascending order, then by index. */
struct graph {
    int *start, *neighbour;
};

static int degree(const struct graph *graph, int v) {
    return graph->start[v + 1] - graph->start[v];
}

static void graph_create(int vertices, int edges, const int (*end)[2], struct graph *graph) {
    const size_t n = (size_t)vertices, ends = 2 * (size_t)edges;
    *graph = (struct graph){memory_new(n + 1, sizeof *graph->start), memory_new(ends, sizeof *graph->neighbour)};
    AUTO_FREE int *at = memory_new(ends, sizeof *at);
    AUTO_FREE int *start = memory_new(ends + 2, sizeof *start);
    AUTO_FREE int *degrees = memory_new(n, sizeof *degrees);
    AUTO_FREE int *sorted = memory_new(n, sizeof *sorted);
    AUTO_FREE int *next = memory_new(n, sizeof *next);
    rows_sort(vertices, 2 * edges, (const int *)end, graph->start, at);
    for (int v = 0; v < vertices; ++v)
        degrees[v] = degree(graph, v);
    rows_sort(2 * edges + 1, vertices, degrees, start, sorted);
    /* Add the vertices to the rows of their neighbours in ascending order of degree, so that each row is sorted. */
    memcpy(next, graph->start, n * sizeof *next);
    for (int i = 0; i < vertices; ++i)
        for (int k = graph->start[sorted[i]]; k < graph->start[sorted[i] + 1]; ++k)
            graph->neighbour[next[end[at[k] / 2][1 - at[k] % 2]]++] = sorted[i];
}

/* List the vertices that can be reached from vertex `from`, level by level. Returns their number. *last is the index in
 * `list` at which the last level begins; *levels is the number of levels. seen[v] becomes `stamp` for each listed
 * vertex. */
static int breadth_first(const struct graph *graph, int from, int *seen, int stamp, int *list, int *levels, int *last) {
    int count = 1, end = 1;
    list[0] = from;
    seen[from] = stamp;
    *levels = 1;
    *last = 0;
    for (int i = 0; i < count; ++i) {
        if (i == end) {
            ++*levels;
            *last = i;
            end = count;
        }
        for (int k = graph->start[list[i]]; k < graph->start[list[i] + 1]; ++k) {
            const int v = graph->neighbour[k];
            if (seen[v] == stamp)
                continue;
            seen[v] = stamp;
            list[count++] = v;
        }
    }
    return count;
}

int order_graph(int vertices, int edges, const int (*end)[2], int *order) {
    enum { TRIES = 8, DONE = TRIES + 2 };
    for (int e = 0; e < edges; ++e)
        for (int k = 0; k < 2; ++k)
            if (end[e][k] < 0 || end[e][k] >= vertices)
                return fail("edge %d has the end %d; vertices are 0 to %d", e, end[e][k], vertices - 1);
    struct graph graph;
    graph_create(vertices, edges, end, &graph);
    AUTO_FREE int *seen = memory_new((size_t)vertices, sizeof *seen);
    for (int v = 0, done = 0; v < vertices; ++v) {
        if (seen[v] == DONE)
            continue;
        /* Search again from the vertex of least degree in the last level, as long as the number of levels grows. */
        int *list = order + done, from = v, levels, last, count, farthest = 0;
        count = breadth_first(&graph, from, seen, 1, list, &levels, &last);
        for (int try = 2; try < TRIES && levels > farthest; ++try) {
            farthest = levels;
            from = list[last];
            for (int i = last; i < count; ++i)
                if (degree(&graph, list[i]) < degree(&graph, from) ||
                    (degree(&graph, list[i]) == degree(&graph, from) && list[i] < from))
                    from = list[i];
            breadth_first(&graph, from, seen, try, list, &levels, &last);
        }
        breadth_first(&graph, from, seen, DONE, list, &levels, &last);
        for (int i = 0; i < count / 2; ++i) {
            const int swap = list[i];
            list[i] = list[count - 1 - i];
            list[count - 1 - i] = swap;
        }
        done += count;
    }
    free(graph.start);
    free(graph.neighbour);
    return STATUS_OK;
}

void order_constraints(int particles, int constraints, int size, const int *particle, int *order) {
    AUTO_FREE int *start =
        memory_new((size_t)particles + 2, sizeof *start); /* the last row is for constraints without particles */
    AUTO_FREE int *lowest = memory_new((size_t)constraints, sizeof *lowest);
    for (int t = 0; t < constraints; ++t) {
        lowest[t] = particles;
        for (int k = 0; k < size; ++k) {
            const int p = particle[(size_t)t * (size_t)size + (size_t)k];
            if (p >= 0 && p < lowest[t])
                lowest[t] = p;
        }
    }
    rows_sort(particles + 1, constraints, lowest, start, order);
}

int order_invert(int count, const int *order, int *place) {
    for (int i = 0; i < count; ++i)
        place[i] = -1;
    for (int i = 0; i < count; ++i) {
        if (order[i] < 0 || order[i] >= count)
            return fail("place %d of the order has %d; the order must have each of 0 to %d once", i, order[i],
                        count - 1);
        if (place[order[i]] >= 0)
            return fail("places %d and %d of the order have %d; the order must have each of 0 to %d once",
                        place[order[i]], i, order[i], count - 1);
        place[order[i]] = i;
    }
    return STATUS_OK;
}

void order_renumber(size_t count, const int *place, int *indices) {
    for (size_t i = 0; i < count; ++i)
        if (indices[i] >= 0)
            indices[i] = place[indices[i]];
}

int mesh_permute(struct mesh *mesh, const int *order) {
    AUTO_FREE int *place = memory_new((size_t)mesh->vertices, sizeof *place);
    if (order_invert(mesh->vertices, order, place))
        return STATUS_BAD;
    AUTO_FREE int *by_vertex = memory_new((size_t)mesh->triangles, sizeof *by_vertex);
    struct mesh to;
    mesh_create(&to, mesh->vertices, mesh->triangles);
    for (int v = 0; v < mesh->vertices; ++v)
        memcpy(to.position[v], mesh->position[order[v]], sizeof to.position[v]);
    if (mesh->triangles > 0) {
        order_renumber(3 * (size_t)mesh->triangles, place, mesh->corner[0]);
        order_constraints(mesh->vertices, mesh->triangles, 3, mesh->corner[0], by_vertex);
    }
    for (int t = 0; t < mesh->triangles; ++t)
        memcpy(to.corner[t], mesh->corner[by_vertex[t]], sizeof to.corner[t]);
    mesh_free(mesh);
    *mesh = to;
    return STATUS_OK;
}
