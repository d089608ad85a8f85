#include "mesh/repair.h"

#include "base/memory.h"
#include "base/rows.h"
#include "base/vector.h"
#include "mesh/edges.h"
#include "mesh/sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int mesh_keep_triangles(struct mesh *mesh, const bool *keep) {
    int kept = 0;
    for (int t = 0; t < mesh->triangles; ++t)
        if (keep[t])
            memmove(mesh->corner[kept++], mesh->corner[t], sizeof *mesh->corner);
    const int gone = mesh->triangles - kept;
    mesh->triangles = kept;
    return gone;
}

/* Keep the vertices v with keep[v], which must include all vertices of triangles. Returns how many were removed. */
static int keep_vertices(struct mesh *mesh, const bool *keep) {
    AUTO_FREE int *number = memory_new((size_t)mesh->vertices, sizeof *number);
    int kept = 0;
    for (int v = 0; v < mesh->vertices; ++v)
        if (keep[v]) {
            memmove(mesh->position[kept], mesh->position[v], sizeof *mesh->position);
            number[v] = kept++;
        }
    for (int t = 0; t < mesh->triangles; ++t)
        for (int k = 0; k < 3; ++k)
            mesh->corner[t][k] = number[mesh->corner[t][k]];
    const int gone = mesh->vertices - kept;
    mesh->vertices = kept;
    return gone;
}

int mesh_weld(struct mesh *mesh, double distance) {
    AUTO_FREE int *one_with = memory_new((size_t)mesh->vertices, sizeof *one_with);
    AUTO_FREE bool *keep = memory_new((size_t)mesh->vertices, sizeof *keep);
    weld_find(mesh->vertices, (const double(*)[3])mesh->position, distance, one_with);
    for (int v = 0; v < mesh->vertices; ++v)
        keep[v] = one_with[v] == v;
    for (int t = 0; t < mesh->triangles; ++t)
        for (int k = 0; k < 3; ++k)
            mesh->corner[t][k] = one_with[mesh->corner[t][k]];
    return keep_vertices(mesh, keep);
}

/* Whether the cross product of two sides, computed in double, is 0. The sides are first scaled by a power of 2, because
 * products of the coordinates of short sides would underflow. The largest absolute value of a scaled coordinate is from
 * 0.5 to 1. A product can then underflow only if a coordinate is over 1e150 times smaller than the largest one. */
static bool has_no_area(const struct mesh *mesh, const int corner[3]) {
    double side[2][3], normal[3];
    for (int s = 0; s < 2; ++s)
        vector_minus(mesh->position[corner[s + 1]], mesh->position[corner[0]], side[s]);
    const int exponent = mesh_exponent(&(struct mesh){.vertices = 2, .position = side});
    for (int s = 0; s < 2; ++s)
        for (int k = 0; k < 3; ++k)
            side[s][k] = ldexp(side[s][k], -exponent);
    vector_cross(side[0], side[1], normal);
    return normal[0] == 0 && normal[1] == 0 && normal[2] == 0;
}

bool mesh_is_degenerate(const struct mesh *mesh, int triangle, bool zero_area) {
    const int *c = mesh->corner[triangle];
    return c[0] == c[1] || c[1] == c[2] || c[2] == c[0] || (zero_area && has_no_area(mesh, c));
}

int mesh_drop_degenerate(struct mesh *mesh, bool zero_area) {
    AUTO_FREE bool *keep = memory_new((size_t)mesh->triangles, sizeof *keep);
    for (int t = 0; t < mesh->triangles; ++t)
        keep[t] = !mesh_is_degenerate(mesh, t, zero_area);
    return mesh_keep_triangles(mesh, keep);
}

static void exchange(int *a, int *b) {
    const int held = *a;
    *a = *b;
    *b = held;
}

/* A triangle's corners, in ascending order. */
static void sorted_corners(const int corner[3], int out[3]) {
    memcpy(out, corner, 3 * sizeof *out);
    for (int pass = 0; pass < 3; ++pass)
        if (out[pass % 2] > out[pass % 2 + 1])
            exchange(&out[pass % 2], &out[pass % 2 + 1]);
}

/* Compare two rows, each of three corners and the index of a triangle: by the corners, then by the index. */
static int compare_rows(const void *a, const void *b) {
    return ints_compare(a, b, 4);
}

int mesh_drop_duplicates(struct mesh *mesh) {
    AUTO_FREE int(*list)[4] = memory_new((size_t)mesh->triangles, sizeof *list); /* sorted corners, index */
    AUTO_FREE bool *keep = memory_new((size_t)mesh->triangles, sizeof *keep);
    for (int t = 0; t < mesh->triangles; ++t) {
        sorted_corners(mesh->corner[t], list[t]);
        list[t][3] = t;
    }
    qsort(list, (size_t)mesh->triangles, sizeof *list, compare_rows);
    for (int i = 0; i < mesh->triangles; ++i)
        keep[list[i][3]] = i == 0 || ints_compare(list[i], list[i - 1], 3) != 0;
    return mesh_keep_triangles(mesh, keep);
}

int mesh_keep_largest(struct mesh *mesh) {
    AUTO_FREE int *parent = sets_new(mesh->vertices);
    AUTO_FREE int *count = memory_new((size_t)mesh->vertices, sizeof *count);
    AUTO_FREE bool *keep = memory_new((size_t)mesh->triangles, sizeof *keep);
    AUTO_FREE bool *keep_vertex = memory_new((size_t)mesh->vertices, sizeof *keep_vertex);
    for (int t = 0; t < mesh->triangles; ++t)
        for (int k = 1; k < 3; ++k)
            sets_join(parent, mesh->corner[t][0], mesh->corner[t][k]);
    for (int t = 0; t < mesh->triangles; ++t)
        ++count[sets_root(parent, mesh->corner[t][0])];
    int largest = 0;
    for (int v = 1; v < mesh->vertices; ++v)
        largest = count[v] > count[largest] ? v : largest;
    for (int t = 0; t < mesh->triangles; ++t)
        keep[t] = sets_root(parent, mesh->corner[t][0]) == largest;
    for (int v = 0; v < mesh->vertices; ++v) {
        const int root = sets_root(parent, v);
        keep_vertex[v] = root == largest || count[root] == 0;
    }
    const int gone = mesh_keep_triangles(mesh, keep);
    keep_vertices(mesh, keep_vertex);
    return gone;
}

bool *mesh_used(const struct mesh *mesh) {
    bool *used = memory_new((size_t)mesh->vertices, sizeof *used);
    for (int t = 0; t < mesh->triangles; ++t)
        for (int k = 0; k < 3; ++k)
            used[mesh->corner[t][k]] = true;
    return used;
}

int mesh_drop_unused(struct mesh *mesh) {
    AUTO_FREE bool *keep = mesh_used(mesh);
    return keep_vertices(mesh, keep);
}

void mesh_add_loose(struct mesh *mesh, int count) {
    struct mesh larger;
    mesh_create(&larger, mesh->vertices + count, mesh->triangles);
    for (int v = 0; v < larger.vertices; ++v)
        memcpy(larger.position[v], mesh->position[v % mesh->vertices], sizeof *larger.position);
    memcpy(larger.corner, mesh->corner, (size_t)mesh->triangles * sizeof *mesh->corner);
    mesh_free(mesh);
    *mesh = larger;
}

/* A traversal of triangles that orients them consistently. */
struct walk {
    const struct mesh *mesh;
    const struct edges *edges;
    int *part;   /* [triangles] number of the part; parts are in the order of their first triangles; -1: not reached */
    bool *flips; /* [triangles] whether the orientation is opposite to that of the part's first triangle */
    int *queue;  /* [triangles] the triangles of part 0, then of part 1, ..., each in the order of the traversal */
    int *from;   /* [parts + 1] start of a part in the queue */
    bool *open;  /* [parts] whether a part is open */
    int parts;
};

/* Reach all triangles that are connected to `seed` by edges with two triangles. They form a part. */
static int walk_part(struct walk *walk, int seed, const char *name) {
    int at = walk->from[walk->parts], end = at;
    walk->part[seed] = walk->parts;
    walk->queue[end++] = seed;
    for (; at < end; ++at)
        for (int k = 0; k < 3; ++k) {
            const int t = walk->queue[at], edge = walk->edges->of_triangle[t][k];
            const int *pair = walk->edges->triangle + walk->edges->start[edge];
            if (edge_triangles(walk->edges, edge) != 2)
                continue;
            const int other = pair[0] == t ? pair[1] : pair[0];
            const bool same = triangle_rises(walk->mesh, walk->edges, t, edge) ==
                              triangle_rises(walk->mesh, walk->edges, other, edge);
            if (walk->part[other] < 0) {
                walk->part[other] = walk->parts;
                walk->flips[other] = walk->flips[t] != same;
                walk->queue[end++] = other;
            } else if (walk->flips[other] != (walk->flips[t] != same))
                return fail("%s: the surface is not orientable: the orientations of triangles %d and %d, which share "
                            "the edge from vertex %d to %d, contradict each other",
                            name, t, other, walk->edges->end[edge][0], walk->edges->end[edge][1]);
        }
    walk->from[++walk->parts] = end;
    return STATUS_OK;
}

/* Find the open parts. A part is closed if its triangles pass each of its edges once in each direction. Several closed
 * parts may touch at an edge of more than two triangles. */
static void find_open(struct walk *walk) {
    AUTO_FREE int *uses = memory_new((size_t)walk->parts, sizeof *uses);
    AUTO_FREE int *sum = memory_new((size_t)walk->parts, sizeof *sum);
    for (int e = 0; e < walk->edges->count; ++e) {
        const int from = walk->edges->start[e], end = walk->edges->start[e + 1];
        if (end - from == 2)
            continue;
        for (int s = from; s < end; ++s) {
            const int t = walk->edges->triangle[s];
            ++uses[walk->part[t]];
            sum[walk->part[t]] += triangle_rises(walk->mesh, walk->edges, t, e) != walk->flips[t] ? 1 : -1;
        }
        for (int s = from; s < end; ++s)
            if (uses[walk->part[walk->edges->triangle[s]]] != 2 || sum[walk->part[walk->edges->triangle[s]]] != 0)
                walk->open[walk->part[walk->edges->triangle[s]]] = true;
        for (int s = from; s < end; ++s)
            uses[walk->part[walk->edges->triangle[s]]] = sum[walk->part[walk->edges->triangle[s]]] = 0;
    }
}

/* Whether a part must get the orientation opposite to that of its first triangle. */
static bool is_inside_out(const struct walk *walk, int part) {
    const int from = walk->from[part], end = walk->from[part + 1];
    const double *point = walk->mesh->position[walk->mesh->corner[walk->queue[from]][0]];
    double volume = 0;
    int flipped = 0;
    for (int q = from; q < end; ++q) {
        const int t = walk->queue[q];
        const double six = triangle_volume_six(walk->mesh, t, point);
        volume += walk->flips[t] ? -six : six;
        flipped += walk->flips[t];
    }
    return walk->open[part] ? flipped > end - from - flipped : volume < 0;
}

int mesh_orient(struct mesh *mesh, const char *name, int *flipped) {
    for (int t = 0; t < mesh->triangles; ++t)
        if (mesh_is_degenerate(mesh, t, false))
            return fail(
                "%s: triangle %d has equal corners, so it cannot be oriented; first remove it by `body.surface.clean: "
                "[drop_degenerate]`, or by the step weld in data/meshes.yaml",
                name, t);
    const size_t triangles = (size_t)mesh->triangles;
    AUTO(edges_free) struct edges edges;
    AUTO(pool_free) struct pool pool = {0};
    edges_create(mesh, &edges);
    struct walk walk = {.mesh = mesh, .edges = &edges};
    walk.part = pool_add(&pool, memory_new(triangles, sizeof *walk.part));
    memset(walk.part, 0xff, triangles * sizeof *walk.part);
    walk.flips = pool_add(&pool, memory_new(triangles, sizeof *walk.flips));
    walk.queue = pool_add(&pool, memory_new(triangles, sizeof *walk.queue));
    walk.from = pool_add(&pool, memory_new(triangles + 1, sizeof *walk.from));
    walk.open = pool_add(&pool, memory_new(triangles, sizeof *walk.open));
    *flipped = 0;
    for (int t = 0; t < mesh->triangles; ++t)
        if (walk.part[t] < 0 && walk_part(&walk, t, name))
            return STATUS_BAD;
    find_open(&walk);
    for (int part = 0; part < walk.parts; ++part) {
        const bool inside_out = is_inside_out(&walk, part);
        for (int q = walk.from[part]; q < walk.from[part + 1]; ++q) {
            const int t = walk.queue[q];
            if (walk.flips[t] == inside_out)
                continue;
            exchange(&mesh->corner[t][1], &mesh->corner[t][2]);
            ++*flipped;
        }
    }
    return STATUS_OK;
}

void mesh_box(const struct mesh *mesh, double low[3], double high[3]) {
    for (int k = 0; k < 3; ++k) {
        low[k] = high[k] = mesh->vertices ? mesh->position[0][k] : 0;
        for (int v = 1; v < mesh->vertices; ++v) {
            low[k] = fmin(low[k], mesh->position[v][k]);
            high[k] = fmax(high[k], mesh->position[v][k]);
        }
    }
}

double mesh_longest_side(const struct mesh *mesh) {
    double low[3], high[3];
    mesh_box(mesh, low, high);
    return fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
}

int mesh_scale(struct mesh *mesh, double length, const char *name) {
    const double side = mesh_longest_side(mesh);
    if (!(length > 0) || !isfinite(length))
        return fail("%s: the longest side cannot become %g m; use a length above 0", name, length);
    if (!(side > 0) || !isfinite(side) || !isfinite(length / side))
        return fail("%s: the longest side is %g, which cannot be scaled to %g m", name, side, length);
    mesh_scale_by(mesh, length / side);
    return STATUS_OK;
}

void mesh_scale_by(struct mesh *mesh, double factor) {
    for (int v = 0; v < mesh->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            mesh->position[v][k] *= factor;
}

void mesh_move(struct mesh *mesh, const double by[3]) {
    for (int v = 0; v < mesh->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            mesh->position[v][k] += by[k];
}

void mesh_centre(struct mesh *mesh) {
    double low[3], high[3], by[3];
    mesh_box(mesh, low, high);
    for (int k = 0; k < 3; ++k)
        by[k] = -(low[k] / 2 + high[k] / 2);
    mesh_move(mesh, by);
}

void mesh_rotate(struct mesh *mesh, int axis, int quarters) {
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    for (int q = (quarters % 4 + 4) % 4; q > 0; --q)
        for (int v = 0; v < mesh->vertices; ++v) {
            double *p = mesh->position[v];
            const double held = p[a];
            p[a] = 0 - p[b]; /* not -p[b], which would change 0 to -0 */
            p[b] = held;
        }
}
