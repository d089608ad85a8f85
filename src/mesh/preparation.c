#include "mesh/catalogue.h"

#include "base/memory.h"
#include "mesh/edges.h"
#include "mesh/mesh_file.h"
#include "mesh/sets.h"
#include "mesh/survey.h"

#include <endian.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void mesh_provenance_free(struct mesh_provenance *provenance) {
    free(provenance->path);
    free(provenance->steps);
    free(provenance->missed);
    *provenance = (struct mesh_provenance){.mesh = NULL};
}

/* ---- Sums and counts ---- */

static void add_little(struct checksum *checksum, uint64_t bits, size_t bytes) {
    const uint64_t little = htole64(bits);
    checksum_add(checksum, &little, bytes);
}

void mesh_checksum(const struct mesh *mesh, char out[CHECKSUM_SIZE]) {
    struct checksum *checksum = checksum_create();
    add_little(checksum, (uint64_t)mesh->vertices, 4);
    add_little(checksum, (uint64_t)mesh->triangles, 4);
    for (int v = 0; v < mesh->vertices; ++v)
        for (int c = 0; c < 3; ++c) {
            const double x = mesh->position[v][c] + 0.0; /* -0 becomes 0 */
            uint64_t bits;
            memcpy(&bits, &x, sizeof bits);
            add_little(checksum, bits, 8);
        }
    for (int t = 0; t < mesh->triangles; ++t)
        for (int k = 0; k < 3; ++k)
            add_little(checksum, (uint64_t)mesh->corner[t][k], 4);
    checksum_finish(checksum, out);
}

/* Loops of the border; loops that share a vertex count as one. */
static int count_loops(const struct mesh *mesh, const struct edges *edges) {
    AUTO_FREE int *parent = sets_new(mesh->vertices);
    int loops = 0;
    AUTO_FREE bool *border = memory_new((size_t)mesh->vertices, sizeof *border);
    for (int e = 0; e < edges->count; ++e)
        if (edge_triangles(edges, e) == 1) {
            border[edges->end[e][0]] = border[edges->end[e][1]] = true;
            sets_join(parent, edges->end[e][0], edges->end[e][1]);
        }
    for (int v = 0; v < mesh->vertices; ++v)
        loops += border[v] && sets_root(parent, v) == v;
    return loops;
}

void mesh_count(const struct mesh *mesh, bool crossings, long count[MESH_COUNTS]) {
    AUTO(edges_free) struct edges edges;
    edges_create(mesh, &edges);
    count[MESH_VERTICES] = mesh->vertices;
    count[MESH_TRIANGLES] = mesh->triangles;
    count[MESH_EDGES] = edges.count;
    count[MESH_EULER] = (long)mesh->vertices - edges.count + mesh->triangles;
    count[MESH_LOOPS] = count_loops(mesh, &edges);
    count[MESH_CROSSINGS] = crossings ? mesh_intersections(mesh, NULL) : 0;
}

/* ---- Preparing ---- */

static char *steps_text(const struct mesh_source *source) {
    char *text = text_copy("[");
    for (int s = 0; s < source->step_count; ++s) {
        AUTO_FREE char *step = step_text(&source->steps[s]);
        text_append(&text, "%s%s", s ? ", " : "", step);
    }
    text_append(&text, "]");
    return text;
}

void catalogue_key(const struct mesh_source *source, char key[CHECKSUM_SIZE]) {
    struct checksum *checksum = checksum_create();
    const struct mesh_origin *origin = source->origin;
    AUTO_FREE char *steps = steps_text(source);
    const char *words[] = {origin ? origin->name : source->shape->name,
                           steps,
                           origin ? origin->sum : "",
                           origin ? origin->licence : "",
                           origin ? origin->credit : "",
                           source->sum ? source->sum : "",
                           source->stand_in ? "stand-in" : ""};
    for (size_t w = 0; w < sizeof words / sizeof *words; ++w)
        checksum_add(checksum, words[w], strlen(words[w]) + 1);
    for (int p = 0; p < SHAPE_PARAMETERS; ++p) {
        uint64_t bits;
        memcpy(&bits, &source->parameter[p], sizeof bits);
        add_little(checksum, bits, 8);
    }
    for (int k = 0; k < MESH_COUNTS; ++k) {
        add_little(checksum, source->counts.asked[k], 1);
        add_little(checksum, (uint64_t)source->counts.value[k], 8);
    }
    checksum_finish(checksum, key);
}

/* Choose the first available source of a mesh. A source with an original is available if the original can be fetched.
 */
static int choose(const struct catalogue_mesh *mesh, const struct origin_options *options,
                  struct mesh_provenance *provenance) {
    *provenance = (struct mesh_provenance){.mesh = mesh, .missed = text_copy("")};
    for (int s = 0; s < mesh->source_count && !provenance->source; ++s) {
        const struct mesh_source *source = &mesh->sources[s];
        AUTO_FREE char *why = NULL;
        if (source->origin && origin_fetch(source->origin, options, &provenance->path, &why))
            return STATUS_BAD;
        if (why)
            text_append(&provenance->missed, "%s: %s\n", source->origin->name, why);
        else
            provenance->source = source;
    }
    if (!provenance->source) {
        char *rest = provenance->missed;
        for (char *line; (line = strsep(&rest, "\n"));)
            if (*line)
                fail_at(mesh->place, "%s: %s", mesh->name, line);
        return fail_at(mesh->place, "%s: none of its sources is available, as reported above", mesh->name);
    }
    if (provenance->source->origin)
        memcpy(provenance->original, provenance->source->origin->sum, CHECKSUM_SIZE);
    provenance->steps = steps_text(provenance->source);
    return STATUS_OK;
}

/* Make the triangles of a source. If the source has a formula, the formula makes them. If the source has an original,
 * read it, subdivide its faces as the first `subdivisions` steps say, and cut the faces into triangles. */
static int begin(const struct mesh_source *source, const char *name, const char *path, int subdivisions,
                 struct mesh *mesh) {
    if (source->shape) {
        source->shape->make(source->parameter, mesh);
        return STATUS_OK;
    }
    AUTO(polygons_free) struct polygons polygons = {.vertices = 0};
    if (mesh_read_polygons(path, &polygons))
        return STATUS_BAD;
    for (int s = 0; s < subdivisions; ++s)
        if (step_subdivide(&source->steps[s], name, &polygons))
            return STATUS_BAD;
    return polygons_triangulate(&polygons, name, mesh);
}

/* Compare the counts and the SHA-256 of a prepared mesh with those of the catalogue. */
static int judge(const struct mesh_source *source, const char *name, struct mesh_provenance *provenance) {
    int status = STATUS_OK;
    for (int k = 0; k < MESH_COUNTS; ++k)
        if (source->counts.asked[k] && source->counts.value[k] != provenance->count[k])
            status = fail_at(source->place, "%s has %ld %s; the catalogue says %ld", name, provenance->count[k],
                             mesh_count_names[k], source->counts.value[k]);
    if (!status && source->sum && strcmp(source->sum, provenance->sum) != 0)
        status = fail_at(source->place,
                         "%s: the SHA-256 of the prepared mesh is %s; the catalogue says %s; the counts agree, "
                         "so a library on this machine may compute differently: see docs/meshes.md",
                         name, provenance->sum, source->sum);
    return status;
}

int catalogue_choose(const struct catalogue *catalogue, const char *name, const struct origin_options *options,
                     struct mesh_provenance *provenance) {
    const struct catalogue_mesh *mesh = catalogue_find(catalogue, name);
    *provenance = (struct mesh_provenance){.mesh = NULL};
    const int status = mesh ? choose(mesh, options, provenance) : STATUS_BAD;
    if (status)
        mesh_provenance_free(provenance);
    return status;
}

int catalogue_make(struct mesh_provenance *provenance, struct mesh *mesh) {
    const struct mesh_source *source = provenance->source;
    const char *name = provenance->mesh->name;
    const int subdivisions = source->shape ? 0 : steps_of_polygons(source->steps, source->step_count);
    if (begin(source, name, provenance->path, subdivisions, mesh))
        return STATUS_BAD;
    int status = STATUS_OK;
    for (int s = subdivisions; s < source->step_count && !status; ++s) {
        const struct failure_mark mark = failure_mark();
        status = step_do(&source->steps[s], name, mesh);
        if (status) { /* the step's message is reported again, with the place of the step */
            AUTO_FREE char *text = failure_take(mark);
            fail_at(source->steps[s].place, "%s", text);
        }
    }
    if (!status) {
        mesh_count(mesh, source->counts.asked[MESH_CROSSINGS], provenance->count);
        mesh_checksum(mesh, provenance->sum);
        status = judge(source, name, provenance);
    }
    if (status)
        mesh_free(mesh);
    return status;
}
