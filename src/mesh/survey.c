#include "mesh/survey.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/tree.h"
#include "base/vector.h"
#include "mesh/edges.h"
#include "mesh/repair.h"
#include "mesh/sets.h"

#include <math.h>
#include <stdlib.h>

/* ---- Topology ---- */

/* Whether as many triangles pass an edge in one direction as in the other direction. If the number of triangles is odd,
 * a difference of 1 is allowed. */
static bool is_oriented_at(const struct mesh *mesh, const struct edges *edges, int edge) {
    const int count = edge_triangles(edges, edge);
    int upward = 0;
    for (int k = 0; k < count; ++k)
        upward += triangle_rises(mesh, edges, edges->triangle[edges->start[edge] + k], edge);
    return abs(2 * upward - count) <= count % 2;
}

/* Whether flipping some triangles can orient the surface, so that two triangles at an edge pass it in opposite
 * directions. */
static bool is_orientable(const struct mesh *mesh) {
    const struct failure_mark mark = failure_mark();
    AUTO(mesh_free) struct mesh copy;
    int flipped;
    mesh_copy(mesh, &copy);
    const bool orientable = !mesh_orient(&copy, "", &flipped);
    failure_rewind(mark);
    return orientable;
}

/* Count the non-manifold vertices and the boundary loops. A loop continues from one boundary edge to the other boundary
 * edge of the same fan. Two surfaces that touch in a vertex of their borders therefore have two loops. Two holes that
 * share a vertex have one loop. */
static void survey_fans(const struct mesh *mesh, const struct edges *edges, struct mesh_survey *survey) {
    AUTO_FREE int *fans = edges_fans(mesh, edges);
    AUTO_FREE int *fans_at = edges_count_fans(mesh, edges);
    for (int v = 0; v < mesh->vertices; ++v)
        survey->non_manifold_vertices += fans_at[v] > 1;
    AUTO_FREE int *edge_at =
        memory_new(3 * (size_t)mesh->triangles, sizeof *edge_at); /* a fan's first boundary edge plus 1; 0: none */
    AUTO_FREE int *loops = sets_new(edges->count);
    for (int e = 0; e < edges->count; ++e)
        for (int end = 0; end < 2 && edge_triangles(edges, e) == 1; ++end) {
            const int fan = sets_root(fans, corner_at(mesh, edges->triangle[edges->start[e]], edges->end[e][end]));
            if (edge_at[fan])
                sets_join(loops, edge_at[fan] - 1, e);
            else
                edge_at[fan] = e + 1;
        }
    for (int e = 0; e < edges->count; ++e)
        survey->boundary_loops += edge_triangles(edges, e) == 1 && loops[e] == e;
}

static void survey_components(const struct mesh *mesh, struct mesh_survey *survey) {
    AUTO_FREE int *parts = sets_new(mesh->vertices);
    AUTO_FREE bool *used = mesh_used(mesh);
    for (int t = 0; t < mesh->triangles; ++t)
        for (int k = 1; k < 3; ++k)
            sets_join(parts, mesh->corner[t][0], mesh->corner[t][k]);
    for (int v = 0; v < mesh->vertices; ++v) {
        survey->unused += !used[v];
        survey->components += used[v] && parts[v] == v;
    }
}

static void survey_topology(const struct mesh *mesh, const struct edges *edges, struct mesh_survey *survey) {
    survey->edges = edges->count;
    survey->oriented = true;
    for (int e = 0; e < edges->count; ++e) {
        survey->boundary_edges += edge_triangles(edges, e) == 1;
        survey->non_manifold_edges += edge_triangles(edges, e) > 2;
        survey->oriented = survey->oriented && is_oriented_at(mesh, edges, e);
    }
    survey_components(mesh, survey);
    survey_fans(mesh, edges, survey);
    survey->orientable = is_orientable(mesh);
    survey->closed = mesh->triangles && !survey->boundary_edges && !survey->non_manifold_edges;
    survey->euler_characteristic = survey->vertices - survey->unused - survey->edges + mesh->triangles;
    survey->genus =
        mesh->triangles && survey->orientable && !survey->non_manifold_edges && !survey->non_manifold_vertices
            ? (2 * survey->components - survey->euler_characteristic - survey->boundary_loops) / 2
            : -1;
}

static void survey_valence(const struct mesh *mesh, const struct edges *edges, struct mesh_survey *survey) {
    AUTO_FREE int *valence = memory_new((size_t)mesh->vertices, sizeof *valence);
    for (int e = 0; e < edges->count; ++e)
        for (int end = 0; end < 2; ++end)
            if (++valence[edges->end[e][end]] > survey->largest_valence)
                survey->largest_valence = valence[edges->end[e][end]];
    survey->valence = memory_new((size_t)survey->largest_valence + 1, sizeof *survey->valence);
    for (int v = 0; v < mesh->vertices; ++v)
        survey->valence[valence[v]] += valence[v] > 0; /* a vertex without edges is not counted */
}

/* ---- Measures ---- */

static void survey_edges(const struct mesh *mesh, const struct edges *edges, struct mesh_survey *survey) {
    AUTO_FREE double *lengths = memory_new((size_t)edges->count, sizeof *lengths);
    for (int e = 0; e < edges->count; ++e) {
        lengths[e] = vector_distance(mesh->position[edges->end[e][1]], mesh->position[edges->end[e][0]]);
        survey->shortest_edge = e ? fmin(survey->shortest_edge, lengths[e]) : lengths[e];
        survey->longest_edge = fmax(survey->longest_edge, lengths[e]);
    }
    survey->mean_edge = edges->count ? tree_reduce(TREE_SUM, lengths, (size_t)edges->count) / edges->count : 0;
}

/* The smallest angle of a triangle in degrees, from sine and cosine, because the cosine alone is inaccurate for small
 * angles. */
static double smallest_angle(const double corner[3][3]) {
    double smallest = 180;
    for (int k = 0; k < 3; ++k) {
        double u[3], v[3], normal[3];
        vector_minus(corner[(k + 1) % 3], corner[k], u);
        vector_minus(corner[(k + 2) % 3], corner[k], v);
        vector_cross(u, v, normal);
        smallest = fmin(smallest, atan2(vector_length(normal), vector_dot(u, v)) * (180 / M_PI));
    }
    return smallest;
}

/* Measure areas, angles and the volume. The volume is the sum of the signed volumes of the tetrahedra of each triangle
 * and the middle of the bounding box (divergence theorem). */
static void survey_triangles(const struct mesh *mesh, struct mesh_survey *survey) {
    AUTO_FREE double *areas = memory_new((size_t)mesh->triangles, sizeof *areas);
    AUTO_FREE double *volumes = memory_new((size_t)mesh->triangles, sizeof *volumes);
    double middle[3];
    for (int k = 0; k < 3; ++k)
        middle[k] = 0.5 * survey->low[k] + 0.5 * survey->high[k];
    survey->smallest_angle = mesh->triangles ? 180 : 0;
    for (int t = 0; t < mesh->triangles; ++t) {
        double corner[3][3], normal[3];
        for (int c = 0; c < 3; ++c)
            vector_minus(mesh->position[mesh->corner[t][c]], middle, corner[c]);
        vector_normal(corner[0], corner[1], corner[2], normal);
        areas[t] = vector_length(normal) / 2;
        volumes[t] = vector_dot(corner[0], normal) / 6;
        survey->smallest_angle = fmin(survey->smallest_angle, smallest_angle((const double(*)[3])corner));
    }
    /* An angle rounded to twelve digits almost never depends on the last bit of atan2. */
    survey->smallest_angle = number_rounded(survey->smallest_angle, 12);
    survey->area = tree_reduce(TREE_SUM, areas, (size_t)mesh->triangles);
    survey->volume = (double)NAN;
    if (survey->closed && survey->oriented)
        survey->volume = tree_reduce(TREE_SUM, volumes, (size_t)mesh->triangles);
}

/* ---- The whole survey ---- */

void mesh_survey_quick(const struct mesh *mesh, struct mesh_survey *survey) {
    *survey = (struct mesh_survey){.vertices = mesh->vertices, .triangles = mesh->triangles, .intersections = -1};
    AUTO(mesh_free) struct mesh proper;
    AUTO(edges_free) struct edges edges;
    mesh_copy(mesh, &proper);
    mesh_drop_degenerate(&proper, false);
    edges_create(&proper, &edges);
    survey_topology(&proper, &edges, survey);
    survey_valence(&proper, &edges, survey);
    mesh_box(mesh, survey->low, survey->high);
    survey_edges(&proper, &edges, survey);
    survey_triangles(&proper, survey);
    for (int t = 0; t < mesh->triangles; ++t)
        survey->degenerate += triangle_is_degenerate(mesh, t);
    survey->duplicates = mesh_drop_duplicates(&proper);
}

void mesh_survey(const struct mesh *mesh, struct mesh_survey *survey) {
    mesh_survey_quick(mesh, survey);
    survey->intersections = mesh_intersections(mesh, NULL);
}

void mesh_survey_edges(const struct mesh *mesh, struct edges *edges) {
    AUTO(mesh_free) struct mesh proper;
    mesh_copy(mesh, &proper);
    mesh_drop_degenerate(&proper, false);
    edges_create(&proper, edges);
}

void mesh_survey_free(struct mesh_survey *survey) {
    free(survey->valence);
    *survey = (struct mesh_survey){.vertices = 0};
}
