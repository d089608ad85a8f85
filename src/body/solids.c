#include "body/solids.h"

#include "base/memory.h"
#include "base/rows.h"
#include "base/vector.h"
#include "body/surface.h"
#include "mesh/check.h"
#include "mesh/edges.h"
#include "mesh/repair.h"
#include "mesh/sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A mesh, with the vertices and triangles of each solid. */
struct solid_set {
    const struct mesh *mesh;
    const char *name;
    struct place place;
    int solids;
    int *vertex, *vertex_start;     /* solid s: vertex[vertex_start[s]] .. vertex[vertex_start[s + 1] - 1], ascending */
    int *triangle, *triangle_start; /* the triangles of each solid, in the same form */
    int planes;
    double (*plane)[4];
    struct pool pool; /* owns the lists above */
};

/* List the items of each solid, in ascending order; solid_of[item] is an item's solid. */
static void lay(struct solid_set *set, const int *solid_of, int items, int **start, int **item) {
    *start = pool_add(&set->pool, memory_new((size_t)set->solids + 1, sizeof **start));
    *item = pool_add(&set->pool, memory_new((size_t)items, sizeof **item));
    rows_sort(set->solids, items, solid_of, *start, *item);
}

static void solid_set_create(const struct mesh *mesh, struct solid_set *set) {
    const size_t vertices = (size_t)mesh->vertices;
    AUTO_FREE int *parent = sets_new(mesh->vertices);
    AUTO_FREE int *solid_of = memory_new(vertices, sizeof *solid_of);
    AUTO_FREE int *of_triangle = memory_new((size_t)mesh->triangles, sizeof *of_triangle);
    for (int v = 0; v < mesh->vertices; ++v)
        solid_of[v] = -1;
    for (int t = 0; t < mesh->triangles; ++t)
        for (int k = 1; k < 3; ++k)
            sets_join(parent, mesh->corner[t][0], mesh->corner[t][k]);
    for (int t = 0; t < mesh->triangles; ++t) /* first mark the roots of sets with triangles */
        solid_of[sets_root(parent, mesh->corner[t][0])] = 0;
    for (int v = 0; v < mesh->vertices; ++v) {
        const int root = sets_root(parent, v); /* the lowest vertex of the set, so solid_of[root] is final */
        if (solid_of[root] >= 0)
            solid_of[v] = root == v ? set->solids++ : solid_of[root];
    }
    for (int t = 0; t < mesh->triangles; ++t)
        of_triangle[t] = solid_of[mesh->corner[t][0]];
    lay(set, solid_of, mesh->vertices, &set->vertex_start, &set->vertex);
    lay(set, of_triangle, mesh->triangles, &set->triangle_start, &set->triangle);
}

static void solid_set_free(struct solid_set *set) {
    pool_free(&set->pool);
    free(set->plane);
}

/* The longest side of a solid's bounding box. */
static double longest_side(const struct solid_set *set, int solid) {
    double longest = 0;
    for (int k = 0; k < 3; ++k) {
        double low = INFINITY, high = -INFINITY;
        for (int i = set->vertex_start[solid]; i < set->vertex_start[solid + 1]; ++i) {
            low = fmin(low, set->mesh->position[set->vertex[i]][k]);
            high = fmax(high, set->mesh->position[set->vertex[i]][k]);
        }
        longest = fmax(longest, high - low);
    }
    return longest;
}

/* A triangle's unit normal. */
static void normal_of(const struct mesh *mesh, int triangle, double normal[3]) {
    const int *corner = mesh->corner[triangle];
    vector_normal(mesh->position[corner[0]], mesh->position[corner[1]], mesh->position[corner[2]], normal);
    vector_normalise(normal);
    for (int k = 0; k < 3; ++k)
        normal[k] += 0.0; /* changes -0 to +0 */
}

/* The plane of a solid with this normal; the solid's planes begin at index `first`. If there is none, add a plane
 * through the solid's farthest vertex along the normal. Returns NULL if there are too many planes. */
static const double *plane_of(struct solid_set *set, int solid, int first, const double normal[3]) {
    double offset = -INFINITY;
    for (int p = first; p < set->planes; ++p)
        if (vector_square(set->plane[p], normal) <= SOLIDS_NORMAL_TOLERANCE * SOLIDS_NORMAL_TOLERANCE)
            return set->plane[p];
    if (set->planes == SOLIDS_PLANES_MOST)
        return NULL;
    for (int i = set->vertex_start[solid]; i < set->vertex_start[solid + 1]; ++i)
        offset = fmax(offset, vector_dot(normal, set->mesh->position[set->vertex[i]]));
    double *plane = set->plane[set->planes++];
    memcpy(plane, normal, 3 * sizeof *plane);
    plane[3] = offset;
    return plane;
}

/* Six times the volume of one solid. */
static double volume_six(const struct solid_set *set, int solid) {
    const double *point = set->mesh->position[set->vertex[set->vertex_start[solid]]];
    double sum = 0;
    for (int i = set->triangle_start[solid]; i < set->triangle_start[solid + 1]; ++i)
        sum += triangle_volume_six(set->mesh, set->triangle[i], point);
    return sum;
}

static int add_solid(struct solid_set *set, int solid) {
    const struct mesh *mesh = set->mesh;
    const double size = longest_side(set, solid);
    const int first = set->planes;
    if (!(volume_six(set, solid) > 0))
        return fail_at(set->place,
                       "scene.convex.mesh: body %d of %d in %s, which has vertex %d, is oriented inward or has no "
                       "volume; use triangles that are counterclockwise as seen from outside",
                       solid + 1, set->solids, set->name, set->vertex[set->vertex_start[solid]]);
    for (int i = set->triangle_start[solid]; i < set->triangle_start[solid + 1]; ++i) {
        const int triangle = set->triangle[i];
        double normal[3], deepest = 0;
        normal_of(mesh, triangle, normal);
        const double *plane = plane_of(set, solid, first, normal);
        if (!plane)
            return fail_at(set->place,
                           "scene.convex.mesh: the bodies in %s have more than %d sides, which each particle tests in "
                           "each iteration; use a coarser mesh",
                           set->name, SOLIDS_PLANES_MOST);
        for (int k = 0; k < 3; ++k)
            deepest = fmax(deepest, plane[3] - vector_dot(plane, mesh->position[mesh->corner[triangle][k]]));
        if (deepest > SOLIDS_DENT * size)
            return fail_at(
                set->place,
                "scene.convex.mesh: body %d of %d in %s, which has vertex %d, is not convex. Its triangle %d is %g m "
                "behind the body's outermost point along the triangle's normal; at most %g m is allowed. Use several "
                "convex bodies instead",
                solid + 1, set->solids, set->name, set->vertex[set->vertex_start[solid]], triangle, deepest,
                SOLIDS_DENT * size);
    }
    return STATUS_OK;
}

/* Fails unless the squares of the solids' sizes and coordinates are within the range of floats. */
static int check_length(const struct solid_set *set) {
    double shortest = INFINITY, farthest = 0;
    for (int s = 0; s < set->solids; ++s)
        shortest = fmin(shortest, longest_side(set, s));
    for (int v = 0; v < set->mesh->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            farthest = fmax(farthest, fabs(set->mesh->position[v][k]));
    if (shortest >= 1e-6 && farthest <= 1e6)
        return STATUS_OK;
    return fail_at(set->place,
                   "scene.convex.mesh: the bodies in %s have coordinates of up to %g m (allowed: at most 1e6 m). The "
                   "smallest body is %g m long (allowed: at least 1e-6 m). scene.convex.length scales the bodies",
                   set->name, farthest, shortest);
}

int solids_of_mesh(const struct mesh *mesh, const char *name, struct place place, struct body *body) {
    AUTO(solid_set_free) struct solid_set set = {.mesh = mesh, .name = name, .place = place};
    if (!mesh->triangles)
        return fail_at(place, "scene.convex.mesh: %s has no triangles; use closed convex bodies", name);
    if (mesh_check(mesh, MESH_NO_DEGENERATE | MESH_NO_DUPLICATES | MESH_MANIFOLD | MESH_CLOSED | MESH_ORIENTED, name))
        return fail_at(place,
                       "scene.convex.mesh: %s cannot be used, for the reason above; use closed convex bodies, with "
                       "triangles oriented outward",
                       name);
    solid_set_create(mesh, &set);
    set.plane = memory_new(SOLIDS_PLANES_MOST, sizeof *set.plane);
    AUTO_FREE int *start = memory_new((size_t)set.solids + 1, sizeof *start);
    if (check_length(&set))
        return STATUS_BAD;
    for (int s = 0; s < set.solids; ++s) {
        if (add_solid(&set, s))
            return STATUS_BAD;
        start[s + 1] = set.planes;
    }
    body->solids = set.solids;
    body->solid_start = pool_add(&body->pool, start);
    body->plane = pool_add(&body->pool, memory_grow(set.plane, (size_t)set.planes, sizeof *set.plane));
    start = NULL; /* now owned by the body, as are the planes */
    set.plane = NULL;
    return STATUS_OK;
}

/* Scale a mesh to the length in the run (0: no scaling), and move the centre of its bounding box to the position in the
 * run. */
static void set_down(const struct run *run, struct mesh *mesh) {
    const double length = run_number(run, "scene.convex.length", 0), longest = mesh_longest_side(mesh);
    const double factor = length > 0 && longest > 0 ? length / longest : 1;
    double centre[3];
    for (int k = 0; k < 3; ++k)
        centre[k] = run_number(run, "scene.convex.centre", k);
    mesh_centre(mesh);
    mesh_scale_by(mesh, factor);
    mesh_move(mesh, centre);
}

/* Add the planes to the hash, because they depend on a file, which the run's parameters do not determine. */
static void add_to_sum(struct body *body) {
    struct digest *digest = digest_create();
    digest_add_text(digest, body->sum);
    digest_add_words(digest, body->solid_start, sizeof *body->solid_start, (size_t)body->solids + 1);
    digest_add_words(digest, body->plane, sizeof **body->plane, 4 * (size_t)body->solid_start[body->solids]);
    digest_finish(digest, body->sum);
}

int solids_mesh(const struct run *run, struct mesh *mesh) {
    const struct parameter *parameter = run_parameter(run, "scene.convex.mesh");
    *mesh = (struct mesh){.vertices = 0};
    if (!parameter)
        return STATUS_OK;
    if (surface_read(parameter->value.text, false, mesh))
        return fail_at(parameter->place, "scene.convex.mesh: '%s' cannot be read", parameter->value.text);
    set_down(run, mesh);
    return STATUS_OK;
}

int solids_describe(const struct run *run, struct body *body) {
    const struct parameter *parameter = run_parameter(run, "scene.convex.mesh");
    AUTO(mesh_free) struct mesh mesh = {.vertices = 0};
    if (!parameter)
        return STATUS_OK;
    if (solids_mesh(run, &mesh) || solids_of_mesh(&mesh, parameter->value.text, parameter->place, body))
        return STATUS_BAD;
    add_to_sum(body);
    return STATUS_OK;
}
