#include "mesh/mesh.h"

#include "base/memory.h"
#include "mesh/edges.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

/* Fails if polygons_catmull_clark cannot subdivide the polygons. */
static int check(const struct polygons *from, const struct edges *edges, const char *name) {
    for (int e = 0; e < edges->count; ++e) {
        const int *end = edges->end[e], faces = edge_triangles(edges, e);
        if (end[0] == end[1])
            return fail("%s: face %d (counted from 0) has the vertex %d twice in a row; it cannot be subdivided", name,
                        edges->triangle[edges->start[e]], end[0]);
        if (faces > 2)
            return fail(
                "%s: %d faces share the edge from vertex %d to %d (counted from 0); Catmull-Clark needs one or two",
                name, faces, end[0], end[1]);
    }
    const int corners = from->start[from->faces];
    if ((long long)from->vertices + edges->count + from->faces > INT_MAX / 4 || corners > INT_MAX / 12)
        return fail("%s: too large to be subdivided: %d faces with %d corners in all; subdivide it fewer times", name,
                    from->faces, corners);
    return STATUS_OK;
}

static void place_faces(const struct polygons *from, double (*point)[3]) {
    for (int f = 0; f < from->faces; ++f) {
        const int corners = from->start[f + 1] - from->start[f];
        for (int k = 0; k < 3; ++k) {
            double sum = 0;
            for (int c = from->start[f]; c < from->start[f + 1]; ++c)
                sum += from->position[from->corner[c]][k];
            point[f][k] = sum / corners;
        }
    }
}

static void place_edges(const struct polygons *from, const struct edges *edges, const double (*face)[3],
                        double (*point)[3]) {
    for (int e = 0; e < edges->count; ++e) {
        const int *end = edges->end[e], *at = edges->triangle + edges->start[e];
        const bool is_inner = edge_triangles(edges, e) == 2;
        for (int k = 0; k < 3; ++k) {
            const double ends = from->position[end[0]][k] + from->position[end[1]][k];
            point[e][k] = is_inner ? (ends + (face[at[0]][k] + face[at[1]][k])) / 4 : ends / 2;
        }
    }
}

/* Sums over the elements at a vertex, and the numbers of these elements. `faces`: sum of the faces' points. `middles`:
 * sum of the edges' middles. `boundary`: sum of the positions of the neighbours along boundary edges. */
struct around {
    double faces[3], middles[3], boundary[3];
    int face_count, edge_count, boundary_count;
};

static void place_vertices(const struct polygons *from, const struct edges *edges, const double (*face)[3],
                           double (*point)[3]) {
    AUTO_FREE struct around *around = memory_new((size_t)from->vertices, sizeof *around);
    for (int f = 0; f < from->faces; ++f)
        for (int c = from->start[f]; c < from->start[f + 1]; ++c) {
            struct around *own = &around[from->corner[c]];
            ++own->face_count;
            for (int k = 0; k < 3; ++k)
                own->faces[k] += face[f][k];
        }
    for (int e = 0; e < edges->count; ++e) {
        const int *end = edges->end[e];
        const bool is_boundary = edge_triangles(edges, e) == 1;
        for (int j = 0; j < 2; ++j) {
            struct around *own = &around[end[j]];
            ++own->edge_count;
            own->boundary_count += is_boundary;
            for (int k = 0; k < 3; ++k) {
                own->middles[k] += (from->position[end[0]][k] + from->position[end[1]][k]) / 2;
                own->boundary[k] += is_boundary ? from->position[end[1 - j]][k] : 0;
            }
        }
    }
    for (int v = 0; v < from->vertices; ++v) {
        const struct around *own = &around[v];
        const int n = own->edge_count;
        for (int k = 0; k < 3; ++k) {
            const double place = from->position[v][k];
            if (own->boundary_count == 2)
                point[v][k] = (own->boundary[k] + 6 * place) / 8;
            else if (own->boundary_count > 0 || n == 0)
                point[v][k] = place;
            else
                point[v][k] = (own->faces[k] / own->face_count + 2 * (own->middles[k] / n) + (n - 3) * place) / n;
        }
    }
}

int polygons_catmull_clark(const struct polygons *from, const char *name, struct polygons *to) {
    AUTO(edges_free) struct edges edges;
    edges_of_polygons(from, &edges);
    if (check(from, &edges, name))
        return STATUS_BAD;
    const int edge_from = from->vertices, face_from = edge_from + edges.count;
    *to = (struct polygons){.vertices = face_from + from->faces, .faces = from->start[from->faces]};
    to->position = memory_new((size_t)to->vertices, sizeof *to->position);
    to->start = memory_new((size_t)to->faces + 1, sizeof *to->start);
    to->corner = memory_new(4 * (size_t)to->faces, sizeof *to->corner);
    place_faces(from, to->position + face_from);
    const double(*face)[3] = (const double(*)[3])to->position + face_from;
    place_edges(from, &edges, face, to->position + edge_from);
    place_vertices(from, &edges, face, to->position);
    for (int f = 0; f < from->faces; ++f)
        for (int c = from->start[f]; c < from->start[f + 1]; ++c) {
            const int before = c > from->start[f] ? c - 1 : from->start[f + 1] - 1;
            int *quad = to->corner + 4 * (size_t)c;
            quad[0] = from->corner[c];
            quad[1] = edge_from + edges.of_corner[c];
            quad[2] = face_from + f;
            quad[3] = edge_from + edges.of_corner[before];
            to->start[c + 1] = 4 * (c + 1);
        }
    return STATUS_OK;
}

int mesh_refine(struct mesh *mesh, const char *name) {
    AUTO(edges_free) struct edges edges;
    edges_create(mesh, &edges);
    if (mesh->triangles > INT_MAX / 12 || mesh->vertices > INT_MAX - edges.count)
        return fail("%s: too large to be refined: %d triangles; refine it fewer times", name, mesh->triangles);
    struct mesh finer;
    mesh_create(&finer, mesh->vertices + edges.count, 4 * mesh->triangles);
    memcpy(finer.position, mesh->position, (size_t)mesh->vertices * sizeof *mesh->position);
    for (int e = 0; e < edges.count; ++e)
        for (int k = 0; k < 3; ++k)
            finer.position[mesh->vertices + e][k] =
                mesh->position[edges.end[e][0]][k] / 2 + mesh->position[edges.end[e][1]][k] / 2;
    for (int t = 0; t < mesh->triangles; ++t) {
        int(*four)[3] = finer.corner + 4 * (size_t)t;
        for (int k = 0; k < 3; ++k) {
            four[k][0] = mesh->corner[t][k];
            four[k][1] = mesh->vertices + edges.of_triangle[t][k];
            four[k][2] = mesh->vertices + edges.of_triangle[t][(k + 2) % 3];
            four[3][k] = mesh->vertices + edges.of_triangle[t][k];
        }
    }
    mesh_free(mesh);
    *mesh = finer;
    return STATUS_OK;
}
