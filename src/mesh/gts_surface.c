#include "mesh/gts_surface.h"

#include "base/memory.h"
#include "base/rows.h"
#include "mesh/edges.h"

#include <stdlib.h>

GtsSurface *gts_surface_of_mesh(const struct mesh *mesh) {
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
    for (int v = 0; v < mesh->vertices; ++v) /* those of no triangle belong to nothing that would free them */
        if (!vertex[v]->segments)
            gts_object_destroy(GTS_OBJECT(vertex[v]));
    return surface;
}

void gts_surface_drop(GtsSurface *surface) {
    gts_object_destroy(GTS_OBJECT(surface));
}

/* ---- Out again ---- */

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
    GHashTable *number; /* of vertices, from 1 */
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

int gts_surface_to_mesh(GtsSurface *surface, struct mesh *mesh) {
    mesh_create(mesh, (int)gts_surface_vertex_number(surface), (int)gts_surface_face_number(surface));
    AUTO_FREE GtsVertex **vertex = memory_new((size_t)mesh->vertices, sizeof *vertex);
    struct collector collector = {.mesh = mesh, .vertex = vertex, .number = g_hash_table_new(NULL, NULL)};
    gts_surface_foreach_vertex(surface, collect_vertex, &collector);
    qsort(vertex, (size_t)mesh->vertices, sizeof *vertex, by_position);
    int status = STATUS_OK;
    for (int v = 0; v < mesh->vertices; ++v) {
        const GtsPoint *point = GTS_POINT(vertex[v]);
        if (v > 0 && !status && by_position(&vertex[v - 1], &vertex[v]) == 0)
            status = fail("two vertices of the reduced mesh are in one place, (%g, %g, %g); weld it before", point->x,
                          point->y, point->z);
        mesh->position[v][0] = point->x;
        mesh->position[v][1] = point->y;
        mesh->position[v][2] = point->z;
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
