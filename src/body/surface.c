#include "body/surface.h"

#include "base/file.h"
#include "base/memory.h"
#include "body/stored.h"
#include "mesh/check.h"
#include "mesh/mesh_file.h"
#include "mesh/repair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool surface_is_file(const char *mesh) {
    static const char *const endings[] = {".obj", ".off", ".ply", ".stl", ".gz"};
    const char *ending = strrchr(mesh, '.');
    for (size_t e = 0; ending && e < sizeof endings / sizeof *endings; ++e)
        if (!strcmp(ending, endings[e]))
            return true;
    return strchr(mesh, '/') != NULL;
}

const char *surface_folder(void) {
    const char *folder = getenv("SPRINGBACK_BODIES");
    return folder && *folder ? folder : "out/bodies";
}

static int weld(struct mesh *mesh, const char *name) {
    (void)name;
    mesh_weld(mesh, 0);
    return STATUS_OK;
}

static int drop_degenerate(struct mesh *mesh, const char *name) {
    (void)name;
    mesh_drop_degenerate(mesh, true);
    return STATUS_OK;
}

static int drop_duplicates(struct mesh *mesh, const char *name) {
    (void)name;
    mesh_drop_duplicates(mesh);
    return STATUS_OK;
}

static int keep_largest(struct mesh *mesh, const char *name) {
    (void)name;
    mesh_keep_largest(mesh);
    return STATUS_OK;
}

static int drop_unused(struct mesh *mesh, const char *name) {
    (void)name;
    mesh_drop_unused(mesh);
    return STATUS_OK;
}

static int orient(struct mesh *mesh, const char *name) {
    int turned;
    return mesh_orient(mesh, name, &turned);
}

/* In the order in which they are done, which is that of body.surface.clean. */
static const struct {
    const char *word;
    int (*clean)(struct mesh *mesh, const char *name);
} cleanings[] = {{"weld", weld},
                 {"drop_degenerate", drop_degenerate},
                 {"drop_duplicates", drop_duplicates},
                 {"keep_largest", keep_largest},
                 {"drop_unused", drop_unused},
                 {"orient", orient}};

/* What is asked for beside what every body needs: a vertex of no triangle has no spring, and falls for ever. */
static const struct {
    const char *word;
    unsigned requirements;
} required[] = {
    {"manifold", MESH_MANIFOLD}, {"closed", MESH_CLOSED}, {"oriented", MESH_ORIENTED | MESH_POSITIVE_VOLUME}};

static int prepare_file(const struct run *run, const char *path, struct prepared *prepared) {
    struct mesh mesh;
    unsigned requirements = MESH_NO_DEGENERATE | MESH_NO_DUPLICATES | MESH_ALL_USED;
    if (!file_exists(path))
        return fail_at(run_parameter(run, "body.mesh")->place,
                       "body.mesh: there is no file %s; a path is seen from where springback is started", path);
    int status = mesh_read(path, &mesh);
    if (status)
        return status;
    for (size_t c = 0; !status && c < sizeof cleanings / sizeof *cleanings; ++c)
        if (run_has(run, "body.surface.clean", cleanings[c].word))
            status = cleanings[c].clean(&mesh, path);
    const double length = run_number(run, "body.surface.length", 0);
    if (!status && length > 0)
        status = mesh_scale(&mesh, length, path);
    for (size_t r = 0; r < sizeof required / sizeof *required; ++r)
        if (run_has(run, "body.surface.requires", required[r].word))
            requirements |= required[r].requirements;
    if (!(requirements & MESH_CLOSED)) /* an open surface has no volume */
        requirements &= ~(unsigned)MESH_POSITIVE_VOLUME;
    if (!status)
        status = mesh_check(&mesh, requirements, path);
    if (!status)
        status = prepared_create(&mesh, path, prepared);
    if (!status)
        prepared_add(prepared, "mesh_source", "the file %s", path);
    mesh_free(&mesh);
    return status;
}

/* The way from a name to a body that is not there is short: say it. */
static int read_prepared(const char *name, struct place place, struct prepared *prepared) {
    char *path = text_format("%s/%s.h5", surface_folder(), name);
    int status = file_exists(path)
                     ? stored_read(path, prepared)
                     : fail_at(place,
                               "the body '%s' is not prepared: there is no %s; `springback meshes --list` says which "
                               "there are, `springback meshes NAME` prepares one, and a mesh file is named by a path "
                               "with a slash",
                               name, path);
    free(path);
    return status;
}

int surface_read(const char *word, struct mesh *mesh) {
    struct prepared prepared;
    if (surface_is_file(word))
        return mesh_read(word, mesh);
    if (read_prepared(word, (struct place){NULL, 0, 0}, &prepared))
        return STATUS_BAD;
    prepared_surface(&prepared, mesh);
    prepared_free(&prepared);
    return STATUS_OK;
}

static double distance(const struct prepared *prepared, int a, int b) {
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const double d = prepared->position[a][k] - prepared->position[b][k];
        square += d * d;
    }
    return sqrt(square);
}

/* Whether a value is its field's default, by its text: a trace has all values stated. */
static bool is_default(const struct parameter *parameter) {
    const char *fallback = parameter->field->fallback;
    const size_t brackets = *fallback == '[', length = strlen(fallback) - 2 * brackets;
    return strlen(parameter->value.text) == length && !strncmp(parameter->value.text, fallback + brackets, length);
}

/* What is done to files is not done to bodies that are prepared. */
static int refuse_file_fields(const struct run *run) {
    static const char *const paths[] = {"body.surface.clean", "body.surface.length", "body.surface.requires"};
    int status = STATUS_OK;
    for (size_t p = 0; p < sizeof paths / sizeof *paths; ++p) {
        const struct parameter *parameter = run_parameter(run, paths[p]);
        if (!is_default(parameter))
            status = fail_at(parameter->place,
                             "%s goes with a mesh file; the body '%s' is prepared as data/meshes.yaml says", paths[p],
                             run_text(run, "body.mesh"));
    }
    return status;
}

int surface_describe(const struct run *run, struct body *body) {
    *body = (struct body){.rows = 1, .mass = run_number(run, "body.node_mass", 0), .shortest_rest = INFINITY};
    const struct parameter *mesh = run_parameter(run, "body.mesh");
    const char *name = mesh->value.text;
    struct prepared *prepared = &body->prepared;
    if (!*name)
        return fail_at(mesh->place, "body.mesh is empty; a body's name or a mesh file's path would be right");
    if (!surface_is_file(name) && refuse_file_fields(run))
        return STATUS_BAD;
    if (surface_is_file(name) ? prepare_file(run, name, prepared) : read_prepared(name, mesh->place, prepared))
        return STATUS_BAD;
    memcpy(body->sum, prepared->hash, sizeof body->sum);
    /* Those inside are moved by tetrahedra, which springs know nothing of. */
    body->nodes = body->columns = prepared->surface_vertices;
    body->triangles = (size_t)prepared->parts[PART_TRIANGLES].count;
    const struct part *edges = &prepared->parts[PART_EDGES];
    body->springs = body->springs_of[SPRING_STRUCTURAL] = edges->count;
    int *ends = memory_new((size_t)body->nodes, sizeof *ends);
    double sum = 0; /* in the order of the edges */
    for (size_t e = 0; e < (size_t)edges->count; ++e) {
        const int a = edges->particle[2 * e], b = edges->particle[2 * e + 1];
        const double rest = distance(prepared, a, b);
        body->shortest_rest = fmin(body->shortest_rest, rest);
        sum += rest;
        ++ends[a];
        ++ends[b];
    }
    body->reach = 1e6 * sum / edges->count; /* of the mean edge: the shortest may be a sliver's */
    for (int i = 0; i < body->nodes; ++i)
        body->springs_at_node = ends[i] > body->springs_at_node ? ends[i] : body->springs_at_node;
    free(ends);
    return STATUS_OK;
}

static int compare_springs(const void *a, const void *b) {
    const struct spring *p = a, *q = b;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

/* Pin the nodes within a hundredth of the height of the lowest (side -1) or highest (side 1). */
static void pin(struct body *body, int side) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < body->nodes; ++i) {
        low = fmin(low, body->position[i][1]);
        high = fmax(high, body->position[i][1]);
    }
    const double near = (high - low) / 100;
    for (int i = 0; i < body->nodes; ++i)
        body->pinned[i] = side < 0 ? body->position[i][1] <= low + near : body->position[i][1] >= high - near;
}

int surface_build(const struct run *run, struct body *body) {
    const struct prepared *prepared = &body->prepared;
    const struct part *edges = &prepared->parts[PART_EDGES], *triangles = &prepared->parts[PART_TRIANGLES];
    const size_t nodes = (size_t)body->nodes, springs = (size_t)edges->count;
    body->position = memory_large(nodes * sizeof *body->position);
    body->pinned = memory_large(nodes * sizeof *body->pinned);
    body->start = memory_large((nodes + 1) * sizeof *body->start);
    body->neighbour = memory_large(2 * springs * sizeof *body->neighbour);
    body->rest = memory_large(2 * springs * sizeof *body->rest);
    body->triangle = memory_large(body->triangles * sizeof *body->triangle);
    struct spring *list = memory_large(springs * sizeof *list);
    if (!body->position || !body->pinned || !body->start || !body->neighbour || !body->rest || !body->triangle ||
        !list) {
        free(list);
        return fail("a body of %d nodes does not fit into memory", body->nodes);
    }
    memcpy(body->position, prepared->position, nodes * sizeof *body->position);
    if (!run_has(run, "body.surface.pins", "none"))
        pin(body, run_has(run, "body.surface.pins", "lowest") ? -1 : 1);
    for (size_t t = 0; t < body->triangles; ++t)
        for (size_t k = 0; k < 3; ++k)
            body->triangle[t][k] = triangles->particle[3 * t + k];
    for (size_t e = 0; e < springs; ++e) {
        const int a = edges->particle[2 * e], b = edges->particle[2 * e + 1];
        list[e] = (struct spring){a < b ? a : b, a < b ? b : a, distance(prepared, a, b)};
    }
    qsort(list, springs, sizeof *list,
          compare_springs); /* no two are equal; by nodes, and not by groups: for locality */
    body_lay_springs(body, list, edges->count);
    free(list);
    return STATUS_OK;
}
