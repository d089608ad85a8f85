#include "body/surface.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/project.h"
#include "base/words.h"
#include "body/memo.h"
#include "body/paper_groups.h"
#include "body/prepared.h"
#include "experiment/spelling.h"
#include "mesh/check.h"
#include "mesh/edges.h"
#include "mesh/mesh_file.h"
#include "mesh/repair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool surface_is_file(const char *mesh) {
    return mesh_file_is_name(mesh) || strchr(mesh, '/') != NULL;
}

const char *surface_folder(void) {
    const char *folder = getenv("SPRINGBACK_BODIES");
    return folder && *folder ? folder : "out/bodies";
}

/* The requirements that each word of body.surface.requires adds. prepare_file always requires that all vertices are
 * used, because a vertex without triangles has no spring and would fall without end. */
static const struct {
    const char *word;
    unsigned requirements;
} required[] = {
    {"manifold", MESH_MANIFOLD}, {"closed", MESH_CLOSED}, {"oriented", MESH_ORIENTED | MESH_POSITIVE_VOLUME}};

/* Apply the repairs that body.surface.clean of the run names. Their order is always that of the lines below, which is
 * also the order of the words in src/experiment/fields.c. */
static int clean(const struct run *run, const char *path, struct mesh *mesh) {
    static const char field[] = "body.surface.clean";
    int flipped;
    if (run_has(run, field, "weld"))
        mesh_weld(mesh, 0);
    if (run_has(run, field, "drop_degenerate"))
        mesh_drop_degenerate(mesh, true);
    if (run_has(run, field, "drop_duplicates"))
        mesh_drop_duplicates(mesh);
    if (run_has(run, field, "keep_largest"))
        mesh_keep_largest(mesh);
    if (run_has(run, field, "drop_unused"))
        mesh_drop_unused(mesh);
    return run_has(run, field, "orient") ? mesh_orient(mesh, path, &flipped) : STATUS_OK;
}

static int prepare_file(const struct run *run, const char *path, struct prepared *prepared) {
    AUTO(mesh_free) struct mesh mesh = {.vertices = 0};
    unsigned requirements = MESH_NO_DEGENERATE | MESH_NO_DUPLICATES | MESH_ALL_USED;
    const char *found = project_path(path);
    if (!file_exists(found))
        return fail_at(
            run_parameter(run, "body.mesh")->place,
            "body.mesh: the file %s does not exist; paths are relative to the folder in which springback is started",
            path);
    if (mesh_read(found, true, &mesh))
        return STATUS_BAD;
    const double length = run_number(run, "body.surface.length", 0);
    if (clean(run, path, &mesh) || (length > 0 && mesh_scale(&mesh, length, path)))
        return STATUS_BAD;
    for (size_t r = 0; r < sizeof required / sizeof *required; ++r)
        if (run_has(run, "body.surface.requires", required[r].word))
            requirements |= required[r].requirements;
    if (!(requirements & MESH_CLOSED)) /* an open surface has no volume */
        requirements &= ~(unsigned)MESH_POSITIVE_VOLUME;
    if (mesh_check(&mesh, requirements, path) || prepared_create(&mesh, path, prepared))
        return STATUS_BAD;
    prepared_add(prepared, "mesh_source", "the file %s", path);
    return STATUS_OK;
}

/* The name of a prepared body that is most similar to `name`, newly allocated; "" if none is similar. */
static char *nearest_prepared(const char *name) {
    AUTO_FREE char *pattern = text_format("%s/*.h5", surface_folder());
    AUTO(words_free) struct words files = {NULL, 0};
    struct spelling search = spelling_search(name);
    words_add_files(&files, pattern);
    for (int f = 0; f < files.count; ++f) {
        const char *file = strrchr(files.words[f], '/') + 1;
        AUTO_FREE char *stem = text_format("%.*s", (int)(strlen(file) - strlen(".h5")), file);
        spelling_consider(&search, stem, spelling_distance(name, stem));
    }
    return text_copy(search.nearest);
}

/* The file of a prepared body, newly allocated. */
static char *prepared_path(const char *name) {
    return text_format("%s/%s.h5", surface_folder(), name);
}

/* Read a prepared body. If it does not exist, the message says how to prepare it. */
static int read_prepared(const char *name, struct place place, struct prepared *prepared) {
    AUTO_FREE char *path = prepared_path(name);
    AUTO_FREE char *near = file_exists(path) ? NULL : nearest_prepared(name);
    return !near ? stored_read(path, prepared)
           : *near
               ? fail_at(place,
                         "the body '%s' is not prepared; did you mean %s? Otherwise prepare it with `springback meshes "
                         "%s`; `springback meshes --list` lists all bodies",
                         name, near, name)
               : fail_at(place,
                         "the body '%s' is not prepared: %s does not exist; prepare it with `springback meshes %s`; "
                         "`springback meshes --list` lists all bodies; for a mesh file, use a path with a slash",
                         name, path, name);
}

int surface_read(const char *word, bool reports_cut, struct mesh *mesh) {
    struct prepared prepared;
    if (surface_is_file(word))
        return mesh_read(project_path(word), reports_cut, mesh);
    if (read_prepared(word, (struct place){NULL, 0, 0}, &prepared))
        return STATUS_BAD;
    prepared_surface(&prepared, mesh);
    prepared_free(&prepared);
    return STATUS_OK;
}

/* Whether a value's text is its field's default. The origin of the value is not tested, because a run that is read from
 * a trace states all values. */
static bool is_default(const struct parameter *parameter) {
    const char *fallback = parameter->field->fallback;
    const size_t brackets = *fallback == '[', length = strlen(fallback) - 2 * brackets;
    return strlen(parameter->value.text) == length && !strncmp(parameter->value.text, fallback + brackets, length);
}

/* For a prepared body: fails if the run sets fields that apply to mesh files only. */
static int refuse_file_fields(const struct run *run) {
    static const char *const paths[] = {"body.surface.clean", "body.surface.requires"};
    int status = STATUS_OK;
    for (size_t p = 0; p < sizeof paths / sizeof *paths; ++p) {
        const struct parameter *parameter = run_parameter(run, paths[p]);
        if (!is_default(parameter))
            status = fail_at(
                parameter->place,
                "%s is for mesh files only; remove it, because the body '%s' is prepared as data/meshes.yaml says",
                paths[p], run_text(run, "body.mesh"));
    }
    return status;
}

/* Rotate the body by 90 degrees about a coordinate axis so that the axis body.surface.up points up. 0 - y instead of -y
 * gives +0 for y = 0. */
static void rotate_up(const struct run *run, struct prepared *prepared) {
    const bool is_z = run_has(run, "body.surface.up", "z"), is_x = run_has(run, "body.surface.up", "x");
    for (int i = 0; i < prepared->vertices && (is_z || is_x); ++i) {
        double *at = prepared->position[i];
        const double x = at[0], y = at[1], z = at[2];
        at[0] = is_z ? x : 0 - y;
        at[1] = is_z ? z : x;
        at[2] = is_z ? 0 - y : z;
    }
}

/* Scale a body to body.surface.length, and raise it to its height above the ground. A mesh file was scaled when it was
 * read. */
static void place(const struct run *run, struct prepared *prepared, bool is_file) {
    const double length = run_number(run, "body.surface.length", 0);
    const struct mesh surface = {.vertices = prepared->surface_vertices, .position = prepared->position};
    struct mesh all = {.vertices = prepared->vertices, .position = prepared->position};
    double low[3], high[3];
    mesh_box(&surface, low, high);
    const double factor = !is_file && length > 0 ? length / mesh_longest_side(&surface) : 1;
    const double rise =
        run_parameter(run, "scene.ground.height")
            ? run_number(run, "scene.ground.height", 0) + run_number(run, "scene.ground.drop", 0) - factor * low[1]
            : 0;
    mesh_scale_by(&all, factor);
    mesh_move(&all, (const double[3]){0, rise, 0});
}

/* The springs of `list`, sorted by their ends (a, then b), without duplicates; *count is their number. Newly allocated;
 * NULL if out of memory. */
static struct spring *sort_springs(const struct spring *list, int springs, int vertices, int *count) {
    AUTO_FREE int(*end)[2] = memory_new((size_t)springs, sizeof *end);
    struct spring *sorted = memory_large((size_t)springs * sizeof *sorted);
    int kept = 0;
    for (int s = 0; s < springs; ++s) {
        end[s][0] = list[s].a;
        end[s][1] = list[s].b;
    }
    AUTO_FREE int *order = edges_order((const int(*)[2])end, springs, vertices);
    for (int s = 0; sorted && s < springs; ++s) /* equal springs have equal rest lengths */
        if (!kept || edges_compare(end[order[s]], end[order[s - 1]]) != 0)
            sorted[kept++] = list[order[s]];
    *count = kept;
    return sorted;
}

/* The springs of a body, *count of them: its edges, and the connections of the part `inside` that are not edges. The
 * springs are sorted by nodes, not by groups, for locality. Newly allocated; NULL if out of memory. */
static struct spring *list_springs(const struct prepared *prepared, enum body_part inside, int *count) {
    static const int corner[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    const struct part *edges = &prepared->parts[PART_EDGES],
                      *more = inside == PART_EDGES ? NULL : &prepared->parts[inside];
    const size_t most = (size_t)edges->count + (more ? (inside == PART_TETRAHEDRA ? 6 : 1) * (size_t)more->count : 0);
    const double(*position)[3] = (const double(*)[3])prepared->position;
    struct spring *list = memory_large(most * sizeof *list);
    size_t n = 0;
    if (!list)
        return NULL;
    for (size_t e = 0; e < (size_t)edges->count; ++e)
        list[n++] = spring_between(position, edges->particle[2 * e], edges->particle[2 * e + 1]);
    for (size_t c = 0; more && c < (size_t)more->count; ++c)
        for (int k = 0; k < (inside == PART_TETRAHEDRA ? 6 : 1); ++k) {
            const int *particle = more->particle + (size_t)part_kinds[inside].size * c;
            list[n++] = spring_between(position, particle[corner[k][0]], particle[corner[k][1]]);
        }
    struct spring *sorted = sort_springs(list, (int)n, prepared->vertices, count);
    free(list);
    return sorted;
}

/* The part that body.surface.inside names; PART_EDGES if body.surface.inside is "none". */
static enum body_part inside_of(const struct run *run) {
    return run_has(run, "body.surface.inside", "tetrahedra") ? PART_TETRAHEDRA
           : run_has(run, "body.surface.inside", "links")    ? PART_LINKS
                                                             : PART_EDGES;
}

/* The volume of the surface, in m^3, by va2023 (7) with positions relative to the first vertex. */
static double volume(const struct prepared *prepared) {
    AUTO(mesh_free) struct mesh mesh;
    double sum = 0;
    prepared_surface(prepared, &mesh);
    for (int t = 0; t < mesh.triangles; ++t)
        sum += triangle_volume_six(&mesh, t, mesh.position[0]);
    return sum / 6;
}

int surface_group_edges(const struct run *run, struct prepared *prepared) {
    const struct parameter *groups = run_parameter(run, "method.groups");
    const int edges = prepared->parts[PART_EDGES].count;
    if (groups && run_has(run, "method.groups", "paper")) {
        if (edges > PAPER_GROUPS_EDGES_MOST)
            return fail_at(groups->place,
                           "method.groups is paper, which takes time quadratic in the edges, and the body "
                           "has %d edges; use a body with at most %d edges, or method.groups: tuned",
                           edges, PAPER_GROUPS_EDGES_MOST);
        if (paper_groups_lay(prepared))
            return STATUS_BAD;
    }
    if (groups)
        prepared_add(prepared, "groups_of_edges", "%d", prepared->parts[PART_EDGES].groups);
    return STATUS_OK;
}

static int colour_nodes(const struct run *run, const struct spring *list, int springs, struct body *body) {
    AUTO_FREE int(*end)[2] = memory_new((size_t)springs, sizeof *end);
    for (int s = 0; s < springs; ++s) {
        end[s][0] = list[s].a;
        end[s][1] = list[s].b;
    }
    return body_colour_nodes(run, springs, (const int(*)[2])end, body);
}

static int describe(const struct run *run, struct body *body) {
    *body = (struct body){.rows = 1,
                          .mass = run_number(run, "body.node_mass", 0),
                          .noise = (uint64_t)run_number(run, "body.noise", 0),
                          .shortest_rest = INFINITY};
    const struct parameter *mesh = run_parameter(run, "body.mesh");
    const char *name = mesh->value.text;
    struct prepared *prepared = &body->prepared;
    const bool is_file = surface_is_file(name);
    const enum body_part inside = inside_of(run);
    if (!*name)
        return fail_at(mesh->place, "body.mesh is empty; use the name of a body or the path of a mesh file");
    if (!is_file && refuse_file_fields(run))
        return STATUS_BAD;
    if (is_file ? prepare_file(run, name, prepared) : read_prepared(name, mesh->place, prepared))
        return STATUS_BAD;
    if (!prepared->parts[inside].count)
        return fail_at(
            run_parameter(run, "body.surface.inside")->place,
            "body.surface.inside is %s, and the body '%s' has no %s; use body.surface.inside: none, or a body of "
            "data/meshes.yaml%s",
            run_text(run, "body.surface.inside"), name, run_text(run, "body.surface.inside"),
            inside == PART_LINKS ? "" : " that has the key `tetrahedra`");
    if (surface_group_edges(run, prepared))
        return STATUS_BAD;
    rotate_up(run, prepared);
    place(run, prepared, is_file);
    memcpy(body->sum, prepared->hash, sizeof body->sum);
    /* Without tetrahedra the particles inside have no springs, so they are not nodes of the body. */
    body->nodes = body->columns = inside == PART_TETRAHEDRA ? prepared->vertices : prepared->surface_vertices;
    body->triangles = (size_t)prepared->parts[PART_TRIANGLES].count;
    AUTO_FREE int *ends = memory_new((size_t)body->nodes, sizeof *ends);
    int springs;
    double sum = 0;
    AUTO_FREE struct spring *list = list_springs(prepared, inside, &springs);
    for (int s = 0; list && s < springs; ++s) {
        body->shortest_rest = fmin(body->shortest_rest, list[s].rest);
        sum += list[s].rest;
        ++ends[list[s].a];
        ++ends[list[s].b];
    }
    if (list && colour_nodes(run, list, springs, body))
        return STATUS_BAD;
    body->springs = springs;
    body->springs_of[SPRING_STRUCTURAL] = prepared->parts[PART_EDGES].count;
    body->springs_inside = springs - body->springs_of[SPRING_STRUCTURAL];
    body->divergence_radius = 1e6 * sum / springs; /* from the mean length, because the shortest may be nearly 0 */
    for (int i = 0; i < body->nodes; ++i)
        body->springs_at_node = ends[i] > body->springs_at_node ? ends[i] : body->springs_at_node;
    const struct part *triangles = &prepared->parts[PART_TRIANGLES];
    AUTO(rings_free) struct rings rings;
    body->is_closed = rings_create(prepared->surface_vertices, triangles->count, triangles->particle, &rings);
    if (body->is_closed)
        body->rest_volume = volume(prepared);
    return list ? STATUS_OK : fail("the springs of '%s' do not fit into memory", name);
}

int surface_describe(const struct run *run, struct body *body) {
    const char *name = run_text(run, "body.mesh");
    AUTO_FREE char *path = surface_is_file(name) ? NULL : prepared_path(name);
    if (path && memo_find(run, path, body))
        return STATUS_OK;
    const int status = describe(run, body);
    if (path && !status)
        memo_keep(run, path, body);
    return status;
}

/* Unpin all pinned nodes except the first and the last along an axis. Among nodes with equal coordinates, the one with
 * the lowest index is chosen. */
static void keep_ends(struct body *body, int axis) {
    int first = -1, last = -1;
    for (int i = 0; i < body->nodes; ++i) {
        const double at = body->position[i][axis];
        if (!body->pinned[i])
            continue;
        first = first < 0 || at < body->position[first][axis] ? i : first;
        last = last < 0 || at > body->position[last][axis] ? i : last;
        body->pinned[i] = false;
    }
    body->pinned[first] = body->pinned[last] = true;
}

/* Pin the nodes that body.surface.pins names: the lowest or the highest layer of the body, or two nodes of the highest
 * layer. The thickness of the layer is computed as a quotient, so that a depth of 0.01 is exactly a hundredth of the
 * body's height. */
static void pin(const struct run *run, struct body *body) {
    const bool is_lowest = run_has(run, "body.surface.pins", "lowest");
    double low[3], high[3];
    if (run_has(run, "body.surface.pins", "none"))
        return;
    mesh_box(&(struct mesh){.vertices = body->nodes, .position = body->position}, low, high);
    const double depth = run_number(run, "body.surface.pins_depth", 0);
    const double layer = depth > 0 ? (high[1] - low[1]) / (1 / depth) : 0;
    for (int i = 0; i < body->nodes; ++i) {
        const double y = body->position[i][1];
        body->pinned[i] = is_lowest ? y <= low[1] + layer : y >= high[1] - layer;
    }
    if (run_has(run, "body.surface.pins", "highest_ends"))
        keep_ends(body, high[2] - low[2] > high[0] - low[0] ? 2 : 0);
}

/* Sort each node's neighbours: first those of its ring in their order, then those inside. Rest lengths are sorted with
 * them. Sets ring_end. */
static void order_rings(struct body *body, const struct rings *rings, int surface_vertices) {
    const size_t nodes = (size_t)body->nodes, most = (size_t)body->springs_at_node;
    AUTO_FREE int *neighbour = memory_new(most, sizeof *neighbour);
    AUTO_FREE int *place = memory_new(nodes, sizeof *place);
    AUTO_FREE double *rest = memory_new(most, sizeof *rest);
    for (int i = 0; i < body->nodes; ++i) {
        const int begin = body->start[i], count = body->start[i + 1] - begin;
        const int first = i < surface_vertices ? rings->start[i] : 0;
        const int ring = i < surface_vertices ? rings->start[i + 1] - first : 0;
        memcpy(neighbour, body->neighbour + begin, (size_t)count * sizeof *neighbour);
        memcpy(rest, body->rest + begin, (size_t)count * sizeof *rest);
        for (int k = 0; k < ring; ++k)
            place[rings->neighbour[first + k]] = k + 1;
        for (int k = 0, inside = ring; k < count; ++k) {
            const int at = begin + (place[neighbour[k]] ? place[neighbour[k]] - 1 : inside++);
            body->neighbour[at] = neighbour[k];
            body->rest[at] = rest[k];
        }
        for (int k = 0; k < ring; ++k)
            place[rings->neighbour[first + k]] = 0;
        body->ring_end[i] = begin + ring;
    }
}

int surface_build(const struct run *run, struct body *body) {
    const struct prepared *prepared = &body->prepared;
    const struct part *triangles = &prepared->parts[PART_TRIANGLES];
    const size_t nodes = (size_t)body->nodes;
    int count;
    AUTO_FREE struct spring *list = list_springs(prepared, inside_of(run), &count);
    if (!list)
        return fail("the springs of a body of %d nodes do not fit into memory", body->nodes);
    if (body_allocate(body))
        return STATUS_BAD;
    memcpy(body->position, prepared->position, nodes * sizeof *body->position);
    pin(run, body);
    for (size_t t = 0; t < body->triangles; ++t)
        for (size_t k = 0; k < 3; ++k)
            body->triangle[t][k] = triangles->particle[3 * t + k];
    body_lay_springs(body, list, count);
    AUTO(rings_free) struct rings rings = {NULL, NULL};
    if (body->is_closed && rings_create(prepared->surface_vertices, triangles->count, triangles->particle, &rings)) {
        body->ring_end = pool_add(&body->pool, memory_new(nodes, sizeof *body->ring_end));
        order_rings(body, &rings, prepared->surface_vertices);
    }
    return STATUS_OK;
}
