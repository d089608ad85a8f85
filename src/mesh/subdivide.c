#include "mesh/subdivide.h"

#include "base/memory.h"
#include "mesh/edges.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The sides of polygons, sorted by their ends; sides of equal ends make an edge. */
struct sides {
    int count, edges;
    struct side {
        int low, high, face, corner; /* corner: where the side begins */
    } * side;                        /* [count] of equal ends in the order of the faces */
    int *start;                      /* [edges + 1] */
    int *edge_of;                    /* [count] the edge of the side that begins at a corner */
};

/* Stable: sides of equal keys keep their order. */
static void sort_by(const struct side *from, struct side *to, int sides, int vertices, bool is_high, int *next) {
    memset(next, 0, ((size_t)vertices + 1) * sizeof *next);
    for (int s = 0; s < sides; ++s)
        ++next[(is_high ? from[s].high : from[s].low) + 1];
    for (int v = 0; v < vertices; ++v)
        next[v + 1] += next[v];
    for (int s = 0; s < sides; ++s)
        to[next[is_high ? from[s].high : from[s].low]++] = from[s];
}

static void sides_create(const struct polygons *polygons, struct sides *sides) {
    const int count = polygons->start[polygons->faces];
    struct side *other = memory_new((size_t)count, sizeof *other);
    int *next = memory_new((size_t)polygons->vertices + 1, sizeof *next);
    *sides = (struct sides){.count = count};
    sides->side = memory_new((size_t)count, sizeof *sides->side);
    for (int f = 0; f < polygons->faces; ++f)
        for (int c = polygons->start[f]; c < polygons->start[f + 1]; ++c) {
            const int a = polygons->corner[c];
            const int b = polygons->corner[c + 1 < polygons->start[f + 1] ? c + 1 : polygons->start[f]];
            sides->side[c] = (struct side){a < b ? a : b, a < b ? b : a, f, c};
        }
    sort_by(sides->side, other, count, polygons->vertices, true, next);
    sort_by(other, sides->side, count, polygons->vertices, false, next);
    free(other);
    free(next);
    sides->start = memory_new((size_t)count + 1, sizeof *sides->start);
    sides->edge_of = memory_new((size_t)count, sizeof *sides->edge_of);
    for (int s = 0; s < count; ++s) {
        const struct side *side = &sides->side[s];
        if (s == 0 || side->low != side[-1].low || side->high != side[-1].high)
            sides->start[sides->edges++] = s;
        sides->edge_of[side->corner] = sides->edges - 1;
    }
    sides->start[sides->edges] = count;
}

static void sides_free(struct sides *sides) {
    free(sides->side);
    free(sides->start);
    free(sides->edge_of);
}

static int check(const struct polygons *from, const struct sides *sides, const char *name) {
    for (int e = 0; e < sides->edges; ++e) {
        const struct side *side = &sides->side[sides->start[e]];
        const int faces = sides->start[e + 1] - sides->start[e];
        if (side->low == side->high)
            return fail("%s: face %d (counted from 0) has the vertex %d twice running; it cannot be subdivided", name,
                        side->face, side->low);
        if (faces > 2)
            return fail(
                "%s: %d faces meet in the edge from vertex %d to %d (counted from 0); Catmull-Clark needs one or "
                "two",
                name, faces, side->low, side->high);
    }
    if ((long long)from->vertices + sides->edges + from->faces > INT_MAX / 4 || sides->count > INT_MAX / 12)
        return fail("%s: too large to be subdivided: %d faces of %d corners", name, from->faces, sides->count);
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

static void place_edges(const struct polygons *from, const struct sides *sides, const double (*face)[3],
                        double (*point)[3]) {
    for (int e = 0; e < sides->edges; ++e) {
        const struct side *side = &sides->side[sides->start[e]];
        const bool is_inner = sides->start[e + 1] - sides->start[e] == 2;
        for (int k = 0; k < 3; ++k) {
            const double ends = from->position[side->low][k] + from->position[side->high][k];
            point[e][k] = is_inner ? (ends + (face[side[0].face][k] + face[side[1].face][k])) / 4 : ends / 2;
        }
    }
}

/* Sums over what a vertex has. */
struct around {
    double faces[3], middles[3], boundary[3];
    int face_count, edge_count, boundary_count;
};

static void place_vertices(const struct polygons *from, const struct sides *sides, const double (*face)[3],
                           double (*point)[3]) {
    struct around *around = memory_new((size_t)from->vertices, sizeof *around);
    for (int f = 0; f < from->faces; ++f)
        for (int c = from->start[f]; c < from->start[f + 1]; ++c) {
            struct around *own = &around[from->corner[c]];
            ++own->face_count;
            for (int k = 0; k < 3; ++k)
                own->faces[k] += face[f][k];
        }
    for (int e = 0; e < sides->edges; ++e) {
        const struct side *side = &sides->side[sides->start[e]];
        const int end[2] = {side->low, side->high};
        const bool is_boundary = sides->start[e + 1] - sides->start[e] == 1;
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
    free(around);
}

int polygons_catmull_clark(const struct polygons *from, const char *name, struct polygons *to) {
    struct sides sides;
    sides_create(from, &sides);
    int status = check(from, &sides, name);
    if (!status) {
        const int edge_from = from->vertices, face_from = edge_from + sides.edges;
        *to = (struct polygons){.vertices = face_from + from->faces, .faces = sides.count};
        to->position = memory_new((size_t)to->vertices, sizeof *to->position);
        to->start = memory_new((size_t)to->faces + 1, sizeof *to->start);
        to->corner = memory_new(4 * (size_t)to->faces, sizeof *to->corner);
        place_faces(from, to->position + face_from);
        const double(*face)[3] = (const double(*)[3])to->position + face_from;
        place_edges(from, &sides, face, to->position + edge_from);
        place_vertices(from, &sides, face, to->position);
        for (int f = 0; f < from->faces; ++f)
            for (int c = from->start[f]; c < from->start[f + 1]; ++c) {
                const int before = c > from->start[f] ? c - 1 : from->start[f + 1] - 1;
                int *quad = to->corner + 4 * (size_t)c;
                quad[0] = from->corner[c];
                quad[1] = edge_from + sides.edge_of[c];
                quad[2] = face_from + f;
                quad[3] = edge_from + sides.edge_of[before];
                to->start[c + 1] = 4 * (c + 1);
            }
    }
    sides_free(&sides);
    return status;
}

int mesh_refine(struct mesh *mesh, const char *name) {
    struct edges edges;
    edges_create(mesh, &edges);
    if (mesh->triangles > INT_MAX / 12 || mesh->vertices > INT_MAX - edges.count) {
        edges_free(&edges);
        return fail("%s: too large to be refined: %d triangles", name, mesh->triangles);
    }
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
    edges_free(&edges);
    mesh_free(mesh);
    *mesh = finer;
    return STATUS_OK;
}
