#include "mesh/reduce.h"

#include "base/memory.h"
#include "base/rows.h"
#include "mesh/edges.h"
#include "mesh/repair.h"

#include <gts.h>
#include <math.h>
#include <meshoptimizer.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Counts ---- */

struct counts {
    int vertices, edges, triangles, border; /* vertices: those with triangles; border: edges with one triangle */
};

/* Count the elements of a mesh. Fails if GTS cannot process the mesh. */
static int count(const struct mesh *mesh, const char *name, struct counts *counts) {
    AUTO(edges_free) struct edges edges;
    edges_create(mesh, &edges);
    *counts = (struct counts){0, edges.count, mesh->triangles, 0};
    int status = STATUS_OK;
    for (int e = 0; e < edges.count && !status; ++e) {
        const int *triangle = &edges.triangle[edges.start[e]], at_edge = edge_triangles(&edges, e);
        counts->border += at_edge == 1;
        if (at_edge > 2)
            status = fail("%s: %d triangles share the edge of the vertices %d and %d; add the step `open` or the step "
                          "`close` before "
                          "`reduce`",
                          name, at_edge, edges.end[e][0], edges.end[e][1]);
        else if (at_edge == 2 &&
                 triangle_rises(mesh, &edges, triangle[0], e) == triangle_rises(mesh, &edges, triangle[1], e))
            status = fail("%s: triangles %d and %d have opposite orientations; add the step `orient` before `reduce`",
                          name, triangle[0], triangle[1]);
    }
    AUTO_FREE bool *used = mesh_used(mesh);
    for (int v = 0; v < mesh->vertices; ++v)
        counts->vertices += used[v];
    return status;
}

/* Complete the target's counts by Euler's formula: V - E + F is constant, and 3 F = 2 E - border. *want becomes the
 * counts. If the target of an open mesh gives only one count, the other counts in *want are 0 and the border is -1,
 * which means unknown. */
static int complete(const struct mesh_target *target, const struct counts *now, const char *name, struct counts *want) {
    const int euler = now->vertices - now->edges + now->triangles;
    *want = (struct counts){target->vertices, target->edges, target->triangles, now->border ? -1 : 0};
    if (!want->vertices && !want->edges && !want->triangles)
        return fail("%s: the target of the reduction is missing; give vertices, edges or triangles", name);
    if (now->border && (want->vertices > 0) + (want->edges > 0) + (want->triangles > 0) < 2)
        return STATUS_OK; /* the reducer determines the border */
    if (now->border) {
        if (!want->vertices)
            want->vertices = euler + want->edges - want->triangles;
        if (!want->triangles)
            want->triangles = euler + want->edges - want->vertices;
        want->border = 2 * want->vertices - 2 * euler - want->triangles;
    } else if (!want->vertices) {
        want->vertices = want->edges ? want->edges / 3 + euler : want->triangles / 2 + euler;
    }
    const struct counts right = {want->vertices, 3 * want->vertices - 3 * euler - want->border,
                                 2 * want->vertices - 2 * euler - want->border, want->border};
    if ((target->edges && target->edges != right.edges) || (target->triangles && target->triangles != right.triangles))
        return fail("%s: the mesh's Euler characteristic is %d, so %d vertices need %d edges and %d triangles; other "
                    "counts are impossible",
                    name, euler, right.vertices, right.edges, right.triangles);
    if (want->border && (want->border < 3 || want->border > now->border))
        return fail("%s: %d vertices and %d triangles need a border of %d edges; the border can have 3 to %d", name,
                    right.vertices, right.triangles, want->border, now->border);
    *want = right;
    return STATUS_OK;
}

/* ---- GTS's surfaces: GTS orders their elements by address, and this order must not affect results ---- */

/* A surface of a mesh whose edges have at most two triangles. */
static GtsSurface *surface_of_mesh(const struct mesh *mesh) {
    AUTO(edges_free) struct edges edges;
    edges_create(mesh, &edges);
    GtsSurface *surface = gts_surface_new(gts_surface_class(), gts_face_class(), gts_edge_class(), gts_vertex_class());
    AUTO_FREE GtsVertex **vertex = memory_new((size_t)mesh->vertices, sizeof *vertex);
    AUTO_FREE GtsEdge **edge = memory_new((size_t)edges.count, sizeof *edge);
    for (int v = 0; v < mesh->vertices; ++v) {
        const double *x = mesh->position[v];
        vertex[v] = gts_vertex_new(surface->vertex_class, x[0], x[1], x[2]);
    }
    for (int e = 0; e < edges.count; ++e)
        edge[e] = gts_edge_new(surface->edge_class, vertex[edges.end[e][0]], vertex[edges.end[e][1]]);
    for (int t = 0; t < mesh->triangles; ++t) {
        const int *of = edges.of_triangle[t];
        gts_surface_add_face(surface, gts_face_new(surface->face_class, edge[of[0]], edge[of[1]], edge[of[2]]));
    }
    for (int v = 0; v < mesh->vertices; ++v) /* the surface does not free vertices without triangles */
        if (!vertex[v]->segments)
            gts_object_destroy(GTS_OBJECT(vertex[v]));
    return surface;
}

static int by_position(const void *a, const void *b) {
    const GtsPoint *p = GTS_POINT(*(GtsVertex *const *)a), *q = GTS_POINT(*(GtsVertex *const *)b);
    const double x[3] = {p->x, p->y, p->z}, y[3] = {q->x, q->y, q->z};
    for (int c = 0; c < 3; ++c)
        if (x[c] != y[c])
            return x[c] < y[c] ? -1 : 1;
    return 0;
}

static int by_corners(const void *a, const void *b) {
    return ints_compare(a, b, 3);
}

struct collector {
    struct mesh *mesh;
    GtsVertex **vertex;
    int count;
    GHashTable *number; /* the number of each GtsVertex, from 1 */
};

static gint collect_vertex(gpointer item, gpointer data) {
    struct collector *collector = data;
    collector->vertex[collector->count++] = GTS_VERTEX(item);
    return 0;
}

static gint collect_face(gpointer item, gpointer data) {
    struct collector *collector = data;
    GtsVertex *corner[3];
    gts_triangle_vertices(GTS_TRIANGLE(item), &corner[0], &corner[1], &corner[2]);
    int number[3], lowest = 0;
    for (int k = 0; k < 3; ++k) {
        number[k] = GPOINTER_TO_INT(g_hash_table_lookup(collector->number, corner[k])) - 1;
        lowest = number[k] < number[lowest] ? k : lowest;
    }
    for (int k = 0; k < 3; ++k)
        collector->mesh->corner[collector->count][k] = number[(lowest + k) % 3];
    ++collector->count;
    return 0;
}

/* Sort the vertices by position, rotate the corners of each triangle so that the lowest index is first, and sort the
 * triangles. Fails if two vertices are at one position, because their order would be undefined. */
static int surface_to_mesh(GtsSurface *surface, struct mesh *mesh) {
    mesh_create(mesh, (int)gts_surface_vertex_number(surface), (int)gts_surface_face_number(surface));
    AUTO_FREE GtsVertex **vertex = memory_new((size_t)mesh->vertices, sizeof *vertex);
    struct collector collector = {.mesh = mesh, .vertex = vertex, .number = g_hash_table_new(NULL, NULL)};
    gts_surface_foreach_vertex(surface, collect_vertex, &collector);
    qsort(vertex, (size_t)mesh->vertices, sizeof *vertex, by_position);
    int status = STATUS_OK;
    for (int v = 0; v < mesh->vertices; ++v) {
        const GtsPoint *point = GTS_POINT(vertex[v]);
        if (v > 0 && !status && by_position(&vertex[v - 1], &vertex[v]) == 0)
            status = fail("two vertices of the reduced mesh are at one position, (%g, %g, %g); add the step `weld` "
                          "before `reduce`",
                          point->x, point->y, point->z);
        memcpy(mesh->position[v], (const double[3]){point->x, point->y, point->z}, sizeof *mesh->position);
        g_hash_table_insert(collector.number, vertex[v], GINT_TO_POINTER(v + 1));
    }
    collector.count = 0;
    gts_surface_foreach_face(surface, collect_face, &collector);
    qsort(mesh->corner, (size_t)mesh->triangles, sizeof *mesh->corner, by_corners);
    g_hash_table_destroy(collector.number);
    if (status)
        mesh_free(mesh);
    return status;
}

/* ---- GTS ---- */

/* The state of a reduction. GTS collapses the edge with the lowest cost first. */
struct collapse {
    GtsVolumeOptimizedParams weights;
    enum { ANY, BORDER, INSIDE } which; /* the edges that may collapse */
    struct counts now, least;           /* now: counts of the surface; least: counts of the target */
    guint left;                         /* number of edges at the last call of is_done; 0 before the first call */
};

/* A hash of the positions of an edge's ends, from 0 to 1. It makes equal costs different, because GTS would order equal
 * costs by address. */
static double tie_breaker(GtsSegment *segment) {
    const GtsPoint *end[2] = {GTS_POINT(segment->v1), GTS_POINT(segment->v2)};
    uint64_t sum = 0;
    for (int e = 0; e < 2; ++e) {
        const double x[3] = {end[e]->x + 0.0, end[e]->y + 0.0, end[e]->z + 0.0};
        uint64_t hash = 0;
        for (int c = 0; c < 3; ++c) {
            uint64_t bits;
            memcpy(&bits, &x[c], sizeof bits);
            hash = (hash ^ bits) * 0x9e3779b97f4a7c15U;
            hash ^= hash >> 29;
        }
        sum += hash * 0xbf58476d1ce4e5b9U; /* a sum does not depend on the order of the ends */
    }
    sum ^= sum >> 31;
    return (double)(sum >> 11) * 0x1p-53;
}

static gdouble cost_of(gpointer item, gpointer data) {
    struct collapse *collapse = data;
    GtsEdge *edge = GTS_EDGE(item);
    const bool is_border = !edge->triangles || !edge->triangles->next;
    if (collapse->which != ANY && is_border != (collapse->which == BORDER))
        return G_MAXDOUBLE;
    const double cost = gts_volume_optimized_cost(edge, &collapse->weights), among = tie_breaker(GTS_SEGMENT(edge));
    return cost * (1 + 1e-9 * among) + 1e-200 * among;
}

static GtsVertex *merge(GtsEdge *edge, GtsVertexClass *class, gpointer data) {
    struct collapse *collapse = data;
    return gts_volume_optimized_vertex(edge, class, &collapse->weights);
}

/* GTS calls this function before each collapse, and stops if the result is true. The previous collapse removed three
 * edges, or two if its edge was on the border. If the previous collapse would have created a fold, GTS removed no
 * edge. */
static gboolean is_done(gdouble cost, guint left, gpointer data) {
    struct collapse *collapse = data;
    struct counts *now = &collapse->now;
    const int gone = collapse->left ? (int)(collapse->left - left) : 0;
    (void)cost;
    collapse->left = left;
    now->edges -= gone;
    now->vertices -= gone > 0;
    now->border -= gone == 2;
    now->triangles -= gone > 0 ? gone - 1 : 0;
    const struct counts *least = &collapse->least;
    return now->vertices <= least->vertices || now->edges <= least->edges || now->triangles <= least->triangles ||
           (collapse->which != INSIDE && now->border && now->border <= least->border);
}

/* Collapse edges of one kind (`which`) until the surface has at most `least` vertices, or at most as many edges or
 * triangles as the target. Unless `which` is INSIDE, also stop if the border has at most as many edges as the target's.
 */
static void coarsen(GtsSurface *surface, struct collapse *collapse, int which, int least) {
    struct counts *now = &collapse->now;
    *now = (struct counts){(int)gts_surface_vertex_number(surface), (int)gts_surface_edge_number(surface),
                           (int)gts_surface_face_number(surface), 0};
    now->border = 2 * now->edges - 3 * now->triangles;
    collapse->which = which;
    collapse->least.vertices = least;
    collapse->left = 0;
    gts_surface_coarsen(surface, cost_of, collapse, merge, collapse, is_done, collapse, G_PI / 180);
}

static int reduce_by_gts(struct mesh *mesh, const struct mesh_target *target, const char *name) {
    struct counts now, want;
    if (count(mesh, name, &now) || complete(target, &now, name, &want))
        return STATUS_BAD;
    if (want.vertices > now.vertices || want.edges > now.edges || want.triangles > now.triangles)
        return fail("%s: it has %d vertices, %d edges and %d triangles; the target must not have more", name,
                    now.vertices, now.edges, now.triangles);
    const bool has_all = (!target->vertices || target->vertices == now.vertices) &&
                         (!target->edges || target->edges == now.edges) &&
                         (!target->triangles || target->triangles == now.triangles);
    if (has_all)
        return STATUS_OK;
    const double unit = ldexp(1, mesh_exponent(mesh) - 1); /* GTS's weights are for bodies of size about 1 */
    mesh_scale_by(mesh, 1 / unit);
    GtsSurface *surface = surface_of_mesh(mesh);
    mesh_scale_by(mesh, unit);
    struct collapse collapse = {.weights = {0.5, 0.5, 1e-4}, .least = want}; /* weights of volume, border and shape */
    if (want.border > 0) { /* near the end the border is reduced to the target's length, and then kept */
        coarsen(surface, &collapse, ANY, want.vertices + want.vertices / 4 + now.border - want.border);
        coarsen(surface, &collapse, BORDER, want.vertices);
        coarsen(surface, &collapse, INSIDE, want.vertices);
    } else {
        coarsen(surface, &collapse, ANY, want.vertices);
    }
    AUTO(mesh_free) struct mesh reduced; /* is exchanged with *mesh at the end, so that the old mesh is freed */
    const int status = surface_to_mesh(surface, &reduced);
    gts_object_destroy(GTS_OBJECT(surface));
    if (status)
        return status;
    AUTO(edges_free) struct edges edges;
    edges_create(&reduced, &edges);
    const int reached[3] = {reduced.vertices, edges.count, reduced.triangles};
    const int asked[3] = {target->vertices, target->edges, target->triangles};
    for (int k = 0; k < 3; ++k)
        if (asked[k] && asked[k] != reached[k])
            return fail("%s: reduced to %d vertices, %d edges and %d triangles; a further reduction would create "
                        "folds; the target is %d, %d and %d",
                        name, reached[0], reached[1], reached[2], want.vertices, want.edges, want.triangles);
    mesh_scale_by(&reduced, unit);
    const struct mesh before = *mesh;
    *mesh = reduced;
    reduced = before;
    return STATUS_OK;
}

/* ---- meshoptimizer ---- */

static int reduce_by_meshoptimizer(struct mesh *mesh, const struct mesh_target *target, const char *name) {
    if (!target->triangles || target->vertices || target->edges)
        return fail(
            "%s: for meshoptimizer the target can only be a number of triangles; give only `triangles`, or use gts",
            name);
    const size_t corners = 3 * (size_t)mesh->triangles;
    AUTO_FREE float(*position)[3] = memory_new((size_t)mesh->vertices, sizeof *position);
    for (int v = 0; v < mesh->vertices; ++v)
        for (int c = 0; c < 3; ++c)
            position[v][c] = (float)mesh->position[v][c];
    AUTO_FREE unsigned *old = memory_new(corners, sizeof *old);
    AUTO_FREE unsigned *new = memory_new(corners, sizeof *new);
    for (size_t c = 0; c < corners; ++c)
        old[c] = (unsigned)mesh->corner[c / 3][c % 3];
    const size_t left = meshopt_simplify(new, old, corners, &position[0][0], (size_t)mesh->vertices, sizeof *position,
                                         3 * (size_t)target->triangles, 1e9F, 0, NULL);
    for (size_t c = 0; c < left; ++c)
        mesh->corner[c / 3][c % 3] = (int)new[c];
    mesh->triangles = (int)(left / 3);
    mesh_drop_unused(mesh);
    return STATUS_OK;
}

int mesh_reduce(struct mesh *mesh, const struct mesh_target *target, enum reducer by, const char *name) {
    if (!mesh->triangles)
        return fail("%s: it has no triangles, so it cannot be reduced", name);
    return by == REDUCER_GTS ? reduce_by_gts(mesh, target, name) : reduce_by_meshoptimizer(mesh, target, name);
}

char *reduce_tools(void) {
    return text_format("GTS %u.%u.%u, meshoptimizer %d", gts_major_version, gts_minor_version, gts_micro_version,
                       MESHOPTIMIZER_VERSION);
}
