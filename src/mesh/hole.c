
#include "base/memory.h"
#include "base/vector.h"
#include "mesh/edges.h"
#include "mesh/repair.h"
#include "mesh/survey.h"

#include <math.h>
#include <string.h>

enum { LONGEST_HOLE = 400, MOST_ROUNDS = 100 };

/* ---- Removing triangles ---- */

/* Remove the marked triangles, and the vertices that then have no triangle. The other triangles and vertices keep their
 * order. */
static void remove_marked(struct mesh *mesh, const bool *marked) {
    AUTO_FREE bool *keep = memory_new((size_t)mesh->triangles, sizeof *keep);
    for (int t = 0; t < mesh->triangles; ++t)
        keep[t] = !marked[t];
    mesh_keep_triangles(mesh, keep);
    mesh_drop_unused(mesh);
}

/* Mark the triangles that prevent a consistently oriented surface; the comment on holes_open lists their kinds. Returns
 * the number of marked triangles. */
static int mark_bad(const struct mesh *mesh, const struct edges *edges, bool *marked) {
    AUTO_FREE int *fans_at = edges_count_fans(mesh, edges);
    int count = 0;
    for (int e = 0; e < edges->count; ++e) {
        const int *triangle = &edges->triangle[edges->start[e]], at_edge = edge_triangles(edges, e);
        if (at_edge > 2 || (at_edge == 2 &&
                            triangle_rises(mesh, edges, triangle[0], e) == triangle_rises(mesh, edges, triangle[1], e)))
            for (int k = 0; k < at_edge; ++k)
                marked[triangle[k]] = true;
    }
    for (int t = 0; t < mesh->triangles; ++t) {
        for (int k = 0; k < 3; ++k)
            marked[t] = marked[t] || fans_at[mesh->corner[t][k]] > 1;
        count += marked[t];
    }
    return count;
}

/* ---- Cutting ---- */

static int nearest_vertex(const struct mesh *mesh, const double at[3]) {
    double low[3], high[3], place[3];
    mesh_box(mesh, low, high);
    for (int c = 0; c < 3; ++c)
        place[c] = low[c] + at[c] * (high[c] - low[c]);
    int nearest = 0;
    for (int v = 1; v < mesh->vertices; ++v)
        if (vector_square(mesh->position[v], place) < vector_square(mesh->position[nearest], place))
            nearest = v;
    return nearest;
}

static bool has_corner(const struct mesh *mesh, int t, int vertex) {
    return mesh->corner[t][0] == vertex || mesh->corner[t][1] == vertex || mesh->corner[t][2] == vertex;
}

int hole_cut(struct mesh *mesh, const double at[3], int sides, const char *name) {
    if (sides < 3)
        return fail("%s: a hole cannot have %d sides; use at least 3", name, sides);
    if (!mesh->triangles)
        return fail("%s: it has no triangles, so no hole can be cut", name);
    AUTO(edges_free) struct edges edges;
    edges_create(mesh, &edges);
    const int seed = nearest_vertex(mesh, at);
    AUTO_FREE bool *gone = memory_new((size_t)mesh->triangles, sizeof *gone);
    /* held: whether a vertex is inside the hole, on its border, or on an edge that does not have exactly two triangles
     */
    AUTO_FREE bool *held = memory_new((size_t)mesh->vertices, sizeof *held);
    for (int e = 0; e < edges.count; ++e)
        if (edge_triangles(&edges, e) != 2)
            held[edges.end[e][0]] = held[edges.end[e][1]] = true;
    /* taboo: whether a triangle has a vertex that is held before the hole begins; such triangles are not removed */
    AUTO_FREE bool *taboo = memory_new((size_t)mesh->triangles, sizeof *taboo);
    AUTO_FREE double *far = memory_new((size_t)mesh->triangles, sizeof *far);
    for (int t = 0; t < mesh->triangles; ++t) {
        double centre[3];
        for (int c = 0; c < 3; ++c)
            centre[c] = (mesh->position[mesh->corner[t][0]][c] + mesh->position[mesh->corner[t][1]][c] +
                         mesh->position[mesh->corner[t][2]][c]) /
                        3;
        far[t] = vector_square(centre, mesh->position[seed]);
        for (int k = 0; k < 3; ++k)
            taboo[t] = taboo[t] || held[mesh->corner[t][k]];
    }
    int border = 0, left = mesh->triangles, star = 0;
    /* The hole begins as all triangles at the seed vertex under three conditions: none of them is excluded (taboo),
     * there are at most `sides` of them, and the mesh has at least two other triangles. */
    bool whole = true; /* no triangle at the seed is excluded */
    for (int t = 0; t < mesh->triangles; ++t)
        if (has_corner(mesh, t, seed)) {
            ++star;
            whole = whole && !taboo[t];
        }
    for (int t = 0; t < mesh->triangles && whole && star <= sides && star < left - 1; ++t)
        if (has_corner(mesh, t, seed)) {
            gone[t] = true;
            ++border;
            for (int k = 0; k < 3; ++k)
                held[mesh->corner[t][k]] = true;
        }
    left -= border;
    while (border != sides) {
        /* Find the triangle nearest to the seed vertex after whose removal the hole's border is still one loop that
         * does not touch itself. Such a triangle has two sides on this border; or it has one side on the border, and
         * its opposite corner is not held. */
        int best = -1, best_sides = 0;
        for (int t = 0; t < mesh->triangles; ++t) {
            if (gone[t] || taboo[t] || (best >= 0 && far[t] >= far[best]))
                continue;
            int shared = 0, off = 0;
            for (int k = 0; k < 3; ++k) {
                const int *pair = &edges.triangle[edges.start[edges.of_triangle[t][k]]];
                shared += gone[pair[0]] || gone[pair[1]];
                off += !held[mesh->corner[t][k]];
            }
            if (!border || shared == 2 || (shared == 1 && off == 1)) {
                best = t;
                best_sides = shared;
            }
        }
        if (best < 0 || --left < 2)
            return fail("%s: a hole of %d sides does not fit at the fractions (%g, %g, %g) of the bounding box; use "
                        "fewer sides or "
                        "another place",
                        name, sides, at[0], at[1], at[2]);
        gone[best] = true;
        for (int k = 0; k < 3; ++k)
            held[mesh->corner[best][k]] = true;
        border += border ? (best_sides == 1 ? 1 : -1) : 3;
    }
    remove_marked(mesh, gone);
    return STATUS_OK;
}

/* ---- Closing ---- */

/* Fill a hole by the n - 2 triangles of least total area, and write them to `out`. `ring` has the n vertices of the
 * hole's border, in the orientation of the new triangles. The triangles create no edge that already exists. Returns
 * false if no such triangles exist. */
static bool fill(const struct mesh *mesh, const struct edges *edges, const int *ring, int n, int (*out)[3]) {
    AUTO_FREE double *least = memory_new((size_t)n * (size_t)n, sizeof *least);
    AUTO_FREE int *apex = memory_new((size_t)n * (size_t)n, sizeof *apex);
    for (int span = 2; span < n; ++span)
        for (int i = 0; i + span < n; ++i) {
            const int k = i + span;
            double best = INFINITY;
            /* If the span is n - 1, the edge from i to k exists: it joins the border's first and last vertex. */
            if (span == n - 1 || edges_find(edges, ring[i], ring[k]) < 0)
                for (int j = i + 1; j < k; ++j) {
                    const double sum =
                        least[i * n + j] + least[j * n + k] +
                        vector_area(mesh->position[ring[i]], mesh->position[ring[j]], mesh->position[ring[k]]);
                    if (sum < best) {
                        best = sum;
                        apex[i * n + k] = j;
                    }
                }
            least[i * n + k] = best;
        }
    if (!isfinite(least[n - 1]))
        return false;
    AUTO_FREE int *open = memory_new((size_t)n * 2, sizeof *open); /* stack of pairs (i, k): border vertices i to k
                                                                      still need triangles */
    int depth = 2, count = 0;
    open[1] = n - 1;
    while (depth) {
        const int k = open[--depth], i = open[--depth], j = apex[i * n + k];
        if (k - i < 2)
            continue;
        memcpy(out[count++], (const int[3]){ring[i], ring[j], ring[k]}, sizeof *out);
        memcpy(&open[depth], (const int[4]){i, j, j, k}, 4 * sizeof *open);
        depth += 4;
    }
    return true;
}

/* Fill every hole; each vertex must have one fan. */
static int fill_all(struct mesh *mesh, const char *name) {
    AUTO(edges_free) struct edges edges;
    edges_create(mesh, &edges);
    AUTO_FREE int *next = memory_new((size_t)mesh->vertices, sizeof *next);
    AUTO_FREE int *ring = memory_new(LONGEST_HOLE, sizeof *ring);
    int border = 0;
    for (int v = 0; v < mesh->vertices; ++v)
        next[v] = -1;
    for (int e = 0; e < edges.count; ++e)
        if (edge_triangles(&edges, e) == 1) { /* the filling passes the edge in the opposite direction */
            const bool forward = triangle_rises(mesh, &edges, edges.triangle[edges.start[e]], e);
            next[edges.end[e][forward]] = edges.end[e][!forward];
            ++border;
        }
    mesh->corner = memory_grow(mesh->corner, (size_t)mesh->triangles + (size_t)border, sizeof *mesh->corner);
    for (int v = 0; v < mesh->vertices; ++v) {
        int n = 0;
        for (int at = v; next[at] >= 0 && n <= LONGEST_HOLE;) {
            if (n < LONGEST_HOLE)
                ring[n] = at;
            ++n;
            const int after = next[at];
            next[at] = -1;
            at = after;
        }
        if (n > LONGEST_HOLE)
            return fail("%s: a hole of more than %d edges at vertex %d is too large to be closed", name, LONGEST_HOLE,
                        v);
        if (n && (n < 3 || !fill(mesh, &edges, ring, n, &mesh->corner[mesh->triangles])))
            return fail("%s: the hole of %d edges at vertex %d cannot be filled by triangles between its vertices",
                        name, n, v);
        mesh->triangles += n ? n - 2 : 0;
    }
    return STATUS_OK;
}

/* The removal is repeated because removing triangles can create new faults. */
int holes_open(struct mesh *mesh, const char *name) {
    for (int round = 0; round < MOST_ROUNDS && mesh->triangles; ++round) {
        AUTO(edges_free) struct edges edges;
        edges_create(mesh, &edges);
        AUTO_FREE bool *marked = memory_new((size_t)mesh->triangles, sizeof *marked);
        const int bad = mark_bad(mesh, &edges, marked);
        remove_marked(mesh, marked);
        if (!bad && !mesh_keep_largest(mesh))
            return STATUS_OK;
    }
    return fail("%s: no consistently oriented surface is left after the faulty triangles are removed", name);
}

int holes_close(struct mesh *mesh, const char *name) {
    return holes_open(mesh, name) || fill_all(mesh, name) ? STATUS_BAD : STATUS_OK;
}

int holes_mend(struct mesh *mesh, int rounds, const char *name) {
    for (int round = 0;; ++round) {
        if (holes_close(mesh, name))
            return STATUS_BAD;
        AUTO_FREE bool *crosses = memory_new((size_t)mesh->triangles, sizeof *crosses);
        const long count = mesh_intersections(mesh, crosses);
        if (!count)
            return STATUS_OK;
        if (round == rounds)
            return fail("%s: %ld pairs of triangles still intersect after %d rounds", name, count, rounds);
        /* Each round removes one more layer of neighbours than the round before, because otherwise the same
         * intersections could return. */
        AUTO_FREE bool *touched = memory_new((size_t)mesh->vertices, sizeof *touched);
        for (int ring = 0; ring <= round; ++ring) {
            for (int t = 0; t < mesh->triangles; ++t)
                for (int k = 0; k < 3 && crosses[t]; ++k)
                    touched[mesh->corner[t][k]] = true;
            for (int t = 0; t < mesh->triangles; ++t)
                for (int k = 0; k < 3; ++k)
                    crosses[t] = crosses[t] || touched[mesh->corner[t][k]];
        }
        remove_marked(mesh, crosses);
    }
}
