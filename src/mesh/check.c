#include "mesh/check.h"

#include "base/memory.h"
#include "base/tree.h"
#include "mesh/edges.h"
#include "mesh/repair.h"
#include "mesh/sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A mesh, and a copy of it without triangles that have equal corners, because such a triangle does not have three
 * edges. */
struct view {
    const struct mesh *mesh; /* the given mesh */
    const char *name;
    unsigned requirements;
    struct mesh sound;  /* the copy */
    int *original;      /* [sound.triangles] index of each triangle in the given mesh */
    struct edges edges; /* edges of the copy */
};

static void view_create(const struct mesh *mesh, unsigned requirements, const char *name, struct view *view) {
    *view = (struct view){.mesh = mesh, .name = name, .requirements = requirements};
    view->original = memory_new((size_t)mesh->triangles, sizeof *view->original);
    for (int t = 0, sound = 0; t < mesh->triangles; ++t)
        if (!mesh_is_degenerate(mesh, t, false))
            view->original[sound++] = t;
    mesh_copy(mesh, &view->sound);
    mesh_drop_degenerate(&view->sound, false);
    edges_create(&view->sound, &view->edges);
}

static void view_free(struct view *view) {
    mesh_free(&view->sound);
    free(view->original);
    edges_free(&view->edges);
}

static const char *plural(int count) {
    return count == 1 ? "" : "s";
}

static int check_degenerate(const struct view *view) {
    int equal = 0, flat = 0, first = -1;
    for (int t = 0; t < view->mesh->triangles; ++t) {
        const bool is_equal = mesh_is_degenerate(view->mesh, t, false);
        const bool is_flat = !is_equal && mesh_is_degenerate(view->mesh, t, true);
        equal += is_equal;
        flat += is_flat;
        if (first < 0 && (is_equal || is_flat))
            first = t;
    }
    return first < 0 ? STATUS_OK
                     : fail("%s: %d triangle%s with equal corners and %d without area, the first is triangle %d; for a "
                            "body, `body.surface.clean: [drop_degenerate]` removes them",
                            view->name, equal, plural(equal), flat, first);
}

static int check_duplicates(const struct view *view) {
    AUTO(mesh_free) struct mesh copy;
    mesh_copy(view->mesh, &copy);
    const int doubled = mesh_drop_duplicates(&copy);
    int first = 0; /* index of the first removed triangle: there the copy begins to differ */
    while (first < copy.triangles && memcmp(copy.corner[first], view->mesh->corner[first], sizeof *copy.corner) == 0)
        ++first;
    return doubled == 0
               ? STATUS_OK
               : fail("%s: %d triangle%s with the same corners as an earlier one, the first is triangle %d; for a "
                      "body, `body.surface.clean: [drop_duplicates]` removes them",
                      view->name, doubled, plural(doubled), first);
}

static int check_unused(const struct view *view) {
    AUTO_FREE bool *used = mesh_used(view->mesh);
    int unused = 0, first = -1;
    for (int v = 0; v < view->mesh->vertices; ++v)
        if (!used[v] && unused++ == 0)
            first = v;
    return unused == 0 ? STATUS_OK
                       : fail("%s: %d %s to no triangle, the first is vertex %d; for a body, `body.surface.clean: "
                              "[drop_unused]` removes them",
                              view->name, unused, unused == 1 ? "vertex belongs" : "vertices belong", first);
}

static int check_edges_of_many(const struct view *view) {
    int edges = 0, first = -1;
    for (int e = 0; e < view->edges.count; ++e)
        if (edge_triangles(&view->edges, e) > 2 && edges++ == 0)
            first = e;
    if (edges == 0)
        return STATUS_OK;
    return fail("%s: not a manifold: %d edge%s with more than two triangles, the first from vertex %d to %d, with %d "
                "triangles",
                view->name, edges, plural(edges), view->edges.end[first][0], view->edges.end[first][1],
                edge_triangles(&view->edges, first));
}

static int check_vertices_of_many(const struct view *view) {
    const struct mesh *mesh = &view->sound;
    AUTO_FREE int *fans_at = edges_count_fans(mesh, &view->edges);
    int vertices = 0, first = -1;
    for (int v = 0; v < mesh->vertices; ++v)
        if (fans_at[v] > 1 && vertices++ == 0)
            first = v;
    return vertices == 0
               ? STATUS_OK
               : fail("%s: not a manifold: parts of the surface touch only in a vertex, at %d %s; the first is "
                      "vertex %d, with %d fans of triangles",
                      view->name, vertices, vertices == 1 ? "vertex" : "vertices", first, fans_at[first]);
}

static int check_closed(const struct view *view) {
    const int vertices = view->sound.vertices;
    AUTO_FREE int *parent = sets_new(vertices);
    int edges = 0, loops = 0, first = vertices;
    for (int e = 0; e < view->edges.count; ++e) {
        if (edge_triangles(&view->edges, e) != 1)
            continue;
        const int *end = view->edges.end[e];
        loops += sets_root(parent, end[0]) == sets_root(parent, end[1]); /* an edge within a set closes a loop */
        sets_join(parent, end[0], end[1]);
        first = end[0] < first ? end[0] : first;
        ++edges;
    }
    if (edges == 0)
        return STATUS_OK;
    const int doubled = weld_find(vertices, (const double(*)[3])view->sound.position, 0, parent);
    fail("%s: open along %d edge%s in %d loop%s, the first at vertex %d; use a closed surface", view->name, edges,
         plural(edges), loops, plural(loops), first);
    if (doubled) /* the usual cause of open edges: the file has each vertex at these edges twice */
        fail("%s: %d %s as another vertex; for a body, `body.surface.clean: [weld]` joins them, which may close the "
             "surface",
             view->name, doubled, doubled == 1 ? "vertex has the same position" : "vertices have the same position");
    return STATUS_BAD;
}

static int check_oriented(const struct view *view) {
    int edges = 0, first = -1;
    for (int e = 0; e < view->edges.count; ++e) {
        const int *pair = view->edges.triangle + view->edges.start[e];
        if (edge_triangles(&view->edges, e) == 2 &&
            triangle_rises(&view->sound, &view->edges, pair[0], e) ==
                triangle_rises(&view->sound, &view->edges, pair[1], e) &&
            edges++ == 0)
            first = view->edges.start[e];
    }
    if (edges == 0)
        return STATUS_OK;
    return fail("%s: the triangles of %d edge%s have opposite orientations, the first two are triangles %d and %d; "
                "for a body, `body.surface.clean: [orient]` orients them consistently",
                view->name, edges, plural(edges), view->original[view->edges.triangle[first]],
                view->original[view->edges.triangle[first + 1]]);
}

double mesh_volume(const struct mesh *mesh, const double point[3]) {
    AUTO_FREE double *six = memory_new((size_t)mesh->triangles, sizeof *six);
    for (int t = 0; t < mesh->triangles; ++t)
        six[t] = triangle_volume_six(mesh, t, point);
    return tree_reduce(TREE_SUM, six, (size_t)mesh->triangles) / 6;
}

static int check_volume(const struct view *view) {
    for (int e = 0; e < view->edges.count; ++e)
        if (edge_triangles(&view->edges, e) == 1)
            return view->requirements & MESH_CLOSED ? STATUS_BAD /* check_closed has reported the open edges */
                                                    : fail("%s: the surface is open, so it has no volume", view->name);
    const struct mesh *mesh = view->mesh;
    double low[3], high[3], middle[3];
    mesh_box(mesh, low, high);
    for (int k = 0; k < 3; ++k)
        middle[k] = low[k] / 2 + high[k] / 2;
    const double volume = mesh_volume(mesh, middle);
    if (volume > 0)
        return STATUS_OK;
    return fail("%s: the volume is %g m^3; %s", view->name, volume,
                volume < 0 ? "the surface is oriented inward; `body.surface.clean: [orient]` orients it outward"
                           : "it should be above 0");
}

int mesh_check_numbers(const struct mesh *mesh) {
    for (int v = 0; v < mesh->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            if (!isfinite(mesh->position[v][k]))
                return fail("vertex %d of the surface is at %g, %g, %g; positions must be finite", v,
                            mesh->position[v][0], mesh->position[v][1], mesh->position[v][2]);
    for (int t = 0; t < mesh->triangles; ++t)
        for (int c = 0; c < 3; ++c)
            if (mesh->corner[t][c] < 0 || mesh->corner[t][c] >= mesh->vertices)
                return fail("triangle %d of the surface has vertex %d; vertices are 0 to %d", t, mesh->corner[t][c],
                            mesh->vertices - 1);
    return STATUS_OK;
}

int mesh_check(const struct mesh *mesh, unsigned requirements, const char *name) {
    static const struct {
        enum mesh_requirement requirement;
        int (*see)(const struct view *view);
    } table[] = {
        {MESH_NO_DEGENERATE, check_degenerate}, {MESH_NO_DUPLICATES, check_duplicates},  {MESH_ALL_USED, check_unused},
        {MESH_MANIFOLD, check_edges_of_many},   {MESH_MANIFOLD, check_vertices_of_many}, {MESH_CLOSED, check_closed},
        {MESH_ORIENTED, check_oriented},        {MESH_POSITIVE_VOLUME, check_volume},
    };
    AUTO(view_free) struct view view;
    view_create(mesh, requirements, name, &view);
    int status = STATUS_OK;
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k)
        if (requirements & table[k].requirement && table[k].see(&view))
            status = STATUS_BAD;
    return status;
}
