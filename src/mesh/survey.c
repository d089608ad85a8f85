#include "mesh/survey.h"

#include "base/memory.h"
#include "base/tree.h"
#include "base/vector.h"
#include "mesh/intersections.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Sets that are joined, each known by its lowest member ---- */

static int *sets_new(size_t count) {
    int *sets = memory_new(count, sizeof *sets);
    for (size_t s = 0; s < count; ++s)
        sets[s] = (int)s;
    return sets;
}

static int set_of(int *sets, int member) {
    while (sets[member] != member) {
        sets[member] = sets[sets[member]];
        member = sets[member];
    }
    return member;
}

static void sets_join(int *sets, int a, int b) {
    a = set_of(sets, a);
    b = set_of(sets, b);
    sets[a > b ? a : b] = a < b ? a : b;
}

/* ---- Topology ---- */

/* The triangles of three different corners, as a mesh that borrows the positions. */
static void proper_triangles(const struct mesh *mesh, struct mesh *proper) {
    *proper = (struct mesh){.vertices = mesh->vertices, .position = mesh->position};
    proper->corner = memory_new((size_t)mesh->triangles, sizeof *proper->corner);
    for (int t = 0; t < mesh->triangles; ++t) {
        const int *corner = mesh->corner[t];
        if (corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0])
            memcpy(proper->corner[proper->triangles++], corner, sizeof *proper->corner);
    }
}

static int compare_corners(const void *a, const void *b) {
    return memcmp(a, b, 3 * sizeof(int)); /* any order will do: equal ones are to stand together */
}

static void order_two(int *a, int *b) {
    const int low = *a < *b ? *a : *b;
    *b = *a < *b ? *b : *a;
    *a = low;
}

static int count_duplicates(const struct mesh *mesh) {
    int(*sorted)[3] = memory_new((size_t)mesh->triangles, sizeof *sorted), duplicates = 0;
    for (int t = 0; t < mesh->triangles; ++t) {
        int *corner = memcpy(sorted[t], mesh->corner[t], sizeof *sorted);
        order_two(&corner[0], &corner[1]);
        order_two(&corner[1], &corner[2]);
        order_two(&corner[0], &corner[1]);
    }
    qsort(sorted, (size_t)mesh->triangles, sizeof *sorted, compare_corners);
    for (int t = 1; t < mesh->triangles; ++t)
        duplicates += !memcmp(sorted[t], sorted[t - 1], sizeof *sorted);
    free(sorted);
    return duplicates;
}

/* Whether a triangle passes an edge from its lower vertex to its higher. */
static bool passes_upward(const struct mesh *mesh, const struct edges *edges, int triangle, int edge) {
    int k = 0;
    while (edges->of_triangle[triangle][k] != edge)
        ++k;
    return mesh->corner[triangle][k] == edges->end[edge][0];
}

/* Of an edge's triangles, as many pass it one way as the other, but for one where their number is odd. */
static bool is_oriented_at(const struct mesh *mesh, const struct edges *edges, int edge) {
    const int count = edge_triangles(edges, edge);
    int upward = 0;
    for (int k = 0; k < count; ++k)
        upward += passes_upward(mesh, edges, edges->triangle[edges->start[edge] + k], edge);
    return abs(2 * upward - count) <= count % 2;
}

/* Walk over the edges of two triangles, turning triangles as need be, until two can't be had right. */
static bool is_orientable(const struct mesh *mesh, const struct edges *edges) {
    enum { UNSEEN, AS_IT_IS, TURNED };
    char *state = memory_new((size_t)mesh->triangles, 1);
    int *waiting = memory_new((size_t)mesh->triangles, sizeof *waiting);
    bool orientable = true;
    for (int first = 0; first < mesh->triangles && orientable; ++first) {
        int count = 0;
        if (state[first] == UNSEEN) {
            waiting[count++] = first;
            state[first] = AS_IT_IS;
        }
        while (count && orientable) {
            const int t = waiting[--count];
            for (int k = 0; k < 3; ++k) {
                const int edge = edges->of_triangle[t][k];
                if (edge_triangles(edges, edge) != 2)
                    continue;
                const int *both = &edges->triangle[edges->start[edge]], other = both[both[0] == t];
                const bool alike = passes_upward(mesh, edges, t, edge) == passes_upward(mesh, edges, other, edge);
                const char wanted = (char)(alike ? AS_IT_IS + TURNED - state[t] : state[t]);
                if (state[other] == UNSEEN)
                    waiting[count++] = other;
                else if (state[other] != wanted)
                    orientable = false;
                state[other] = wanted;
            }
        }
    }
    free(waiting);
    free(state);
    return orientable;
}

/* The corner of a triangle at a vertex, numbered 3 * triangle + corner. */
static int corner_at(const struct mesh *mesh, int triangle, int vertex) {
    const int *corner = mesh->corner[triangle];
    return 3 * triangle + (corner[0] == vertex ? 0 : corner[1] == vertex ? 1 : 2);
}

/* Corners of one vertex whose triangles are joined by edges there make a fan; the border goes on from one edge to the
 * next of the same fan, so that loops which meet in a point stay apart. */
static void survey_fans(const struct mesh *mesh, const struct edges *edges, struct mesh_survey *survey) {
    int *fans = sets_new(3 * (size_t)mesh->triangles);
    for (int e = 0; e < edges->count; ++e)
        for (int k = edges->start[e] + 1; k < edges->start[e + 1]; ++k)
            for (int end = 0; end < 2; ++end)
                sets_join(fans, corner_at(mesh, edges->triangle[edges->start[e]], edges->end[e][end]),
                          corner_at(mesh, edges->triangle[k], edges->end[e][end]));
    int *fans_at = memory_new((size_t)mesh->vertices, sizeof *fans_at);
    for (int c = 0; c < 3 * mesh->triangles; ++c)
        if (fans[c] == c && ++fans_at[mesh->corner[c / 3][c % 3]] == 2)
            ++survey->non_manifold_vertices;
    free(fans_at);

    int *edge_at = memory_new(3 * (size_t)mesh->triangles, sizeof *edge_at); /* a fan's first border edge, + 1 */
    int *loops = sets_new((size_t)edges->count);
    for (int e = 0; e < edges->count; ++e)
        for (int end = 0; end < 2 && edge_triangles(edges, e) == 1; ++end) {
            const int fan = set_of(fans, corner_at(mesh, edges->triangle[edges->start[e]], edges->end[e][end]));
            if (edge_at[fan])
                sets_join(loops, edge_at[fan] - 1, e);
            else
                edge_at[fan] = e + 1;
        }
    for (int e = 0; e < edges->count; ++e)
        survey->boundary_loops += edge_triangles(edges, e) == 1 && loops[e] == e;
    free(loops);
    free(edge_at);
    free(fans);
}

static void survey_components(const struct mesh *mesh, struct mesh_survey *survey) {
    int *parts = sets_new((size_t)mesh->vertices);
    bool *used = memory_new((size_t)mesh->vertices, sizeof *used);
    for (int t = 0; t < mesh->triangles; ++t)
        for (int k = 0; k < 3; ++k) {
            used[mesh->corner[t][k]] = true;
            sets_join(parts, mesh->corner[t][0], mesh->corner[t][k]);
        }
    for (int v = 0; v < mesh->vertices; ++v) {
        survey->unused += !used[v];
        survey->components += used[v] && parts[v] == v;
    }
    free(used);
    free(parts);
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
    survey->orientable = is_orientable(mesh, edges);
    survey->closed = mesh->triangles && !survey->boundary_edges && !survey->non_manifold_edges;
    survey->euler_characteristic = survey->vertices - survey->unused - survey->edges + mesh->triangles;
    survey->genus =
        mesh->triangles && survey->orientable && !survey->non_manifold_edges && !survey->non_manifold_vertices
            ? (2 * survey->components - survey->euler_characteristic - survey->boundary_loops) / 2
            : -1;
}

static void survey_valence(const struct mesh *mesh, const struct edges *edges, struct mesh_survey *survey) {
    int *valence = memory_new((size_t)mesh->vertices, sizeof *valence);
    for (int e = 0; e < edges->count; ++e)
        for (int end = 0; end < 2; ++end)
            if (++valence[edges->end[e][end]] > survey->largest_valence)
                survey->largest_valence = valence[edges->end[e][end]];
    survey->valence = memory_new((size_t)survey->largest_valence + 1, sizeof *survey->valence);
    for (int v = 0; v < mesh->vertices; ++v)
        survey->valence[valence[v]] += valence[v] > 0; /* a vertex used has an edge */
    free(valence);
}

/* ---- Measures ---- */

static double length(const double *a) {
    return sqrt(vector_dot(a, a));
}

static void survey_box(const struct mesh *mesh, struct mesh_survey *survey) {
    for (int v = 0; v < mesh->vertices; ++v)
        for (int k = 0; k < 3; ++k) {
            survey->low[k] = v ? fmin(survey->low[k], mesh->position[v][k]) : mesh->position[v][k];
            survey->high[k] = v ? fmax(survey->high[k], mesh->position[v][k]) : mesh->position[v][k];
        }
}

static void survey_edges(const struct mesh *mesh, const struct edges *edges, struct mesh_survey *survey) {
    double *lengths = memory_new((size_t)edges->count, sizeof *lengths);
    for (int e = 0; e < edges->count; ++e) {
        double along[3];
        vector_minus(mesh->position[edges->end[e][1]], mesh->position[edges->end[e][0]], along);
        lengths[e] = length(along);
        survey->shortest_edge = e ? fmin(survey->shortest_edge, lengths[e]) : lengths[e];
        survey->longest_edge = fmax(survey->longest_edge, lengths[e]);
    }
    survey->mean_edge = edges->count ? tree_reduce(TREE_SUM, lengths, (size_t)edges->count) / edges->count : 0;
    free(lengths);
}

/* Twelve digits are the same whatever the last bit of atan2 is. */
static double rounded(double value) {
    char text[32];
    snprintf(text, sizeof text, "%.12g", value);
    return strtod(text, NULL);
}

/* The angle from sine and cosine both: from the cosine alone a small one would be lost. */
static double smallest_angle(const double corner[3][3]) {
    double smallest = 180;
    for (int k = 0; k < 3; ++k) {
        double u[3], v[3], normal[3];
        vector_minus(corner[(k + 1) % 3], corner[k], u);
        vector_minus(corner[(k + 2) % 3], corner[k], v);
        vector_cross(u, v, normal);
        smallest = fmin(smallest, atan2(length(normal), vector_dot(u, v)) * (180 / M_PI));
    }
    return smallest;
}

/* The volume as the sum of the tetrahedra from the middle of the box to each triangle (the divergence theorem). */
static void survey_triangles(const struct mesh *mesh, struct mesh_survey *survey) {
    double *areas = memory_new((size_t)mesh->triangles, sizeof *areas);
    double *volumes = memory_new((size_t)mesh->triangles, sizeof *volumes), middle[3];
    for (int k = 0; k < 3; ++k)
        middle[k] = 0.5 * survey->low[k] + 0.5 * survey->high[k];
    survey->smallest_angle = mesh->triangles ? 180 : 0;
    for (int t = 0; t < mesh->triangles; ++t) {
        double corner[3][3], u[3], v[3], normal[3];
        for (int c = 0; c < 3; ++c)
            vector_minus(mesh->position[mesh->corner[t][c]], middle, corner[c]);
        vector_minus(corner[1], corner[0], u);
        vector_minus(corner[2], corner[0], v);
        vector_cross(u, v, normal);
        areas[t] = length(normal) / 2;
        volumes[t] = vector_dot(corner[0], normal) / 6;
        survey->smallest_angle = fmin(survey->smallest_angle, smallest_angle((const double(*)[3])corner));
    }
    survey->smallest_angle = rounded(survey->smallest_angle);
    survey->area = tree_reduce(TREE_SUM, areas, (size_t)mesh->triangles);
    survey->volume = (double)NAN;
    if (survey->closed && survey->oriented)
        survey->volume = tree_reduce(TREE_SUM, volumes, (size_t)mesh->triangles);
    free(volumes);
    free(areas);
}

/* ---- All of it ---- */

void mesh_survey_quick(const struct mesh *mesh, struct mesh_survey *survey) {
    *survey = (struct mesh_survey){.vertices = mesh->vertices, .triangles = mesh->triangles, .intersections = -1};
    struct mesh proper;
    struct edges edges;
    proper_triangles(mesh, &proper);
    edges_create(&proper, &edges);
    survey_topology(&proper, &edges, survey);
    survey_valence(&proper, &edges, survey);
    survey_box(mesh, survey);
    survey_edges(&proper, &edges, survey);
    survey_triangles(&proper, survey);
    for (int t = 0; t < mesh->triangles; ++t)
        survey->degenerate += triangle_is_degenerate(mesh, t);
    survey->duplicates = count_duplicates(&proper);
    edges_free(&edges);
    free(proper.corner);
}

void mesh_survey(const struct mesh *mesh, struct mesh_survey *survey) {
    mesh_survey_quick(mesh, survey);
    survey->intersections = mesh_intersections(mesh);
}

void mesh_survey_edges(const struct mesh *mesh, struct edges *edges) {
    struct mesh proper;
    proper_triangles(mesh, &proper);
    edges_create(&proper, edges);
    free(proper.corner);
}

void mesh_survey_free(struct mesh_survey *survey) {
    free(survey->valence);
    *survey = (struct mesh_survey){.vertices = 0};
}
