#include "body/prepared.h"

#include "base/memory.h"
#include "body/groups.h"
#include "body/links.h"
#include "body/order.h"
#include "body/paper_groups.h"
#include "body/tetgen.h"
#include "mesh/edges.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct part_kind part_kinds[BODY_PARTS] = {
    [PART_EDGES] = {"edges", 2}, [PART_TRIANGLES] = {"triangles", 3},           [PART_BENDS] = {"bends", 4},
    [PART_LINKS] = {"links", 2}, [PART_LINKS_TO_START] = {"links_to_start", 2}, [PART_TETRAHEDRA] = {"tetrahedra", 4},
};

void prepared_add(struct prepared *prepared, const char *name, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    prepared->facts = memory_grow(prepared->facts, (size_t)prepared->fact_count + 1, sizeof *prepared->facts);
    prepared->facts[prepared->fact_count++] = (struct fact){text_copy(name), text ? text : text_copy("")};
}

const char *prepared_fact(const struct prepared *prepared, const char *name) {
    for (int f = 0; f < prepared->fact_count; ++f)
        if (!strcmp(prepared->facts[f].name, name))
            return prepared->facts[f].text;
    return NULL;
}

void prepared_seal(struct prepared *prepared) {
    struct digest *digest = digest_create();
    const int counts[2] = {prepared->vertices, prepared->surface_vertices};
    digest_add(digest, counts, sizeof counts);
    digest_add(digest, prepared->position, (size_t)prepared->vertices * sizeof *prepared->position);
    for (int k = 0; k < BODY_PARTS; ++k) {
        const struct part *part = &prepared->parts[k];
        const int sizes[2] = {part->count, part->groups};
        digest_add(digest, sizes, sizeof sizes);
        digest_add(digest, part->particle, sizeof(int) * (size_t)part->count * (size_t)part_kinds[k].size);
        if (part->count)
            digest_add(digest, part->start, sizeof(int) * ((size_t)part->groups + 1));
    }
    digest_finish(digest, prepared->hash);
}

static const char *constraint_flaw(const int *particle, int size, int vertices) {
    for (int a = 0; a < size; ++a) {
        if (particle[a] < 0 || particle[a] >= vertices)
            return "a constraint names a particle that is not there";
        for (int b = 0; b < a; ++b)
            if (particle[a] == particle[b])
                return "a constraint names a particle twice";
    }
    return NULL;
}

const char *prepared_flaw(const struct prepared *prepared) {
    const char *flaw = prepared->vertices < 1 || prepared->surface_vertices > prepared->vertices
                           ? "it has no vertices, or more on its surface than in all"
                           : NULL;
    for (int k = 0; k < BODY_PARTS && !flaw; ++k) {
        const struct part *part = &prepared->parts[k];
        const int size = part_kinds[k].size;
        if (part->count && (part->groups < 1 || part->start[0] != 0 || part->start[part->groups] != part->count))
            flaw = "its groups do not cover its constraints";
        for (int g = 0; part->count && g < part->groups && !flaw; ++g)
            if (part->start[g + 1] < part->start[g])
                flaw = "a group ends before it begins";
        for (int c = 0; c < part->count && !flaw; ++c)
            flaw = constraint_flaw(part->particle + (size_t)c * (size_t)size, size, prepared->vertices);
    }
    return flaw;
}

/* Take over constraints, by groups. Facts: how many there are, in how many groups, and how few groups there can be. */
static int add_part(struct prepared *prepared, enum body_part kind, int count, int *particle) {
    const char *name = part_kinds[kind].name;
    const int size = part_kinds[kind].size;
    struct part *part = &prepared->parts[kind];
    struct groups groups;
    const int bound = groups_bound(prepared->vertices, count, size, particle);
    int status = bound < 0 ? STATUS_BAD : groups_create(prepared->vertices, count, size, particle, &groups);
    if (!status) {
        *part = (struct part){.count = count, .groups = groups.count};
        part->particle = memory_new((size_t)count * (size_t)size, sizeof *part->particle);
        part->start = memory_new((size_t)groups.count + 1, sizeof *part->start);
        groups_lay(&groups, sizeof(int) * (size_t)size, particle, part->particle);
        memcpy(part->start, groups.start, sizeof(int) * ((size_t)groups.count + 1));
        groups_free(&groups);
        char *fact = text_format("%s_groups", name), *least = text_format("%s_groups_least", name);
        prepared_add(prepared, name, "%d", count);
        prepared_add(prepared, fact, "%d", part->groups);
        prepared_add(prepared, least, "%d", bound);
        free(fact);
        free(least);
    }
    free(particle);
    return status;
}

static int add_bends(struct prepared *prepared, const struct mesh *mesh, const struct edges *edges) {
    int *particle = memory_new(4 * (size_t)edges->count, sizeof *particle), count = 0;
    for (int e = 0; e < edges->count; ++e) {
        if (edge_triangles(edges, e) != 2)
            continue;
        int *bend = particle + 4 * (size_t)count;
        bend[0] = edges->end[e][0];
        bend[1] = edges->end[e][1];
        for (int side = 0; side < 2; ++side) {
            const int *corner = mesh->corner[edges->triangle[edges->start[e] + side]];
            for (int k = 0; k < 3; ++k)
                if (corner[k] != bend[0] && corner[k] != bend[1])
                    bend[2 + side] = corner[k];
        }
        count += bend[2] != bend[3]; /* the same triangle twice bends about nothing */
    }
    return add_part(prepared, PART_BENDS, count, particle);
}

static int add_links(struct prepared *prepared, const struct mesh *mesh, enum links_end end) {
    static const enum body_part kind_of[] = {[LINKS_END_HIT] = PART_LINKS, [LINKS_END_START] = PART_LINKS_TO_START};
    const enum body_part kind = kind_of[end];
    struct links links;
    if (links_create(mesh, &(struct links_options){.end = end}, &links))
        return STATUS_BAD;
    int *particle = memory_new(2 * (size_t)links.count, sizeof *particle);
    for (int l = 0; l < links.count; ++l) {
        particle[2 * (size_t)l] = links.link[l].a;
        particle[2 * (size_t)l + 1] = links.link[l].b;
    }
    const struct {
        const char *name;
        int value;
    } facts[] = {{"missed", links.missed}, {"doubled", links.doubled}, {"that_are_edges", links.edges}};
    int status = add_part(prepared, kind, links.count, particle);
    for (size_t f = 0; !status && f < sizeof facts / sizeof *facts; ++f) {
        char *name = text_format("%s_%s", part_kinds[kind].name, facts[f].name);
        prepared_add(prepared, name, "%d", facts[f].value);
        free(name);
    }
    links_free(&links);
    return status;
}

/* What TetGen said, without the lines that tell times: those differ from run to run. */
static char *message_without_times(const char *message) {
    char *kept = text_copy("");
    for (const char *line = message, *end; *line; line = *end ? end + 1 : end) {
        end = strchrnul(line, '\n');
        char *text = text_format("%.*s", (int)(end - line), line);
        if (!strstr(text, "seconds")) {
            char *longer = text_format("%s%s\n", kept, text);
            free(kept);
            kept = longer;
        }
        free(text);
    }
    return kept;
}

/* Vertices inside are put in Morton's order, behind those of the surface. */
static int take_tetrahedra(struct prepared *prepared, const struct tetrahedra *body, const char *name) {
    const int kept = prepared->surface_vertices, inside = body->vertices - kept;
    if (body->kept < kept)
        return fail("%s: TetGen keeps %d of the surface's %d vertices; switches with Y would keep all", name,
                    body->kept, kept);
    int *order = memory_new((size_t)inside, sizeof *order), *place = memory_new((size_t)body->vertices, sizeof *place);
    int status = inside ? order_morton(inside, (const double(*)[3])body->position + kept, order) : STATUS_OK;
    prepared->position = memory_grow(prepared->position, (size_t)body->vertices, sizeof *prepared->position);
    for (int k = 0; k < kept; ++k)
        place[k] = k;
    for (int k = 0; k < inside && !status; ++k) {
        place[kept + order[k]] = kept + k;
        memcpy(prepared->position[kept + k], body->position[kept + order[k]], sizeof *prepared->position);
    }
    if (!status) {
        prepared->vertices = body->vertices;
        int *particle = memory_new(4 * (size_t)body->tetrahedra, sizeof *particle);
        for (size_t k = 0; k < 4 * (size_t)body->tetrahedra; ++k)
            particle[k] = place[body->corner[k / 4][k % 4]];
        status = add_part(prepared, PART_TETRAHEDRA, body->tetrahedra, particle);
    }
    free(order);
    free(place);
    return status;
}

static int add_tetrahedra(struct prepared *prepared, const struct mesh *surface, const char *switches,
                          const char *name) {
    static const char *const results[] = {"whole", "not run", "failed", "empty", "broken"};
    const struct failure_mark mark = failure_mark();
    struct tetrahedra body;
    struct tetgen_outcome outcome;
    const int failed = tetgen_fill(surface, &(struct tetgen_options){.switches = switches}, &body, &outcome);
    int status = failed && outcome.result == TETGEN_NOT_RUN ? STATUS_BAD : STATUS_OK;
    if (!status) {
        char *message = message_without_times(outcome.message);
        failure_rewind(mark); /* that it fails is a result */
        prepared_add(prepared, "tetgen_switches", "%s", switches);
        prepared_add(prepared, "tetgen_result", "%s", results[outcome.result]);
        prepared_add(prepared, "tetgen_failed", "%d", failed != 0);
        prepared_add(prepared, "tetgen_code", "%d", outcome.code);
        prepared_add(prepared, "tetgen_signal", "%d", outcome.signal);
        prepared_add(prepared, "tetgen_message", "%s", message);
        free(message);
    }
    if (!failed) {
        struct tetrahedra_survey survey;
        tetrahedra_survey(&body, surface, &survey);
        prepared_add(prepared, "tetrahedra_volume", "%.17g", survey.volume);
        prepared_add(prepared, "tetrahedra_smallest_angle", "%.6g", survey.smallest_angle);
        status = take_tetrahedra(prepared, &body, name);
    }
    tetrahedra_free(&body);
    tetgen_free(&outcome);
    return status;
}

static int add_paper_groups(struct prepared *prepared, const struct edges *edges) {
    struct paper_groups groups;
    struct paper_groups_verdict verdict;
    const int(*end)[2] = (const int(*)[2])edges->end;
    if (edges->count > PAPER_GROUPS_EDGES_MOST)
        return STATUS_OK;
    if (paper_groups_repaired(prepared->vertices, edges->count, end, &groups))
        return STATUS_BAD;
    const int count = groups.count;
    paper_groups_judge(&groups, edges->count, end, &verdict);
    prepared_add(prepared, "paper_groups", "%d", count);
    prepared_add(prepared, "paper_groups_conflicts", "%ld", verdict.conflicts);
    paper_groups_free(&groups);
    if ((long)count * edges->count > PAPER_GROUPS_PLACES_MOST)
        return STATUS_OK;
    if (paper_groups_as_printed(prepared->vertices, edges->count, end, count, &groups))
        return STATUS_BAD;
    paper_groups_judge(&groups, edges->count, end, &verdict);
    prepared_add(prepared, "printed_groups_conflicts", "%ld", verdict.conflicts);
    prepared_add(prepared, "printed_groups_missing", "%d", verdict.missing);
    paper_groups_free(&groups);
    return STATUS_OK;
}

static int fill(struct prepared *prepared, const struct mesh *mesh, const struct edges *edges,
                const struct preparation *how, const char *name) {
    const size_t ends = 2 * (size_t)edges->count, corners = 3 * (size_t)mesh->triangles;
    int *end = memory_new(ends, sizeof *end), *corner = memory_new(corners, sizeof *corner);
    memcpy(end, edges->end, ends * sizeof *end);
    memcpy(corner, mesh->corner, corners * sizeof *corner);
    prepared->vertices = prepared->surface_vertices = mesh->vertices;
    prepared->position = memory_new((size_t)mesh->vertices, sizeof *prepared->position);
    memcpy(prepared->position, mesh->position, (size_t)mesh->vertices * sizeof *prepared->position);
    prepared_add(prepared, "vertices", "%d", mesh->vertices);
    prepared_add(prepared, "euler", "%d", mesh->vertices - edges->count + mesh->triangles);
    int status = add_part(prepared, PART_EDGES, edges->count, end);
    if (!status)
        status = add_part(prepared, PART_TRIANGLES, mesh->triangles, corner);
    else
        free(corner);
    if (!status)
        status = add_bends(prepared, mesh, edges);
    if (!status && how->with_links)
        status = add_links(prepared, mesh, LINKS_END_HIT);
    if (!status && how->with_links)
        status = add_links(prepared, mesh, LINKS_END_START);
    if (!status && how->with_paper_groups)
        status = add_paper_groups(prepared, edges);
    if (!status && how->tetrahedra)
        status = add_tetrahedra(prepared, mesh, how->tetrahedra, name);
    prepared_add(prepared, "particles", "%d", prepared->vertices);
    return status;
}

/* The same surface with its vertices in an order for locality. */
static int order(const struct mesh *surface, struct mesh *mesh) {
    struct edges edges;
    mesh_create(mesh, surface->vertices, surface->triangles);
    memcpy(mesh->position, surface->position, (size_t)surface->vertices * sizeof *mesh->position);
    memcpy(mesh->corner, surface->corner, (size_t)surface->triangles * sizeof *mesh->corner);
    edges_create(mesh, &edges);
    int *order = memory_new((size_t)mesh->vertices, sizeof *order);
    int status = order_graph(mesh->vertices, edges.count, (const int(*)[2])edges.end, order);
    if (!status)
        status = mesh_permute(mesh, order);
    free(order);
    edges_free(&edges);
    return status;
}

int prepared_create(const struct mesh *surface, const struct preparation *how, const char *name,
                    struct prepared *prepared) {
    struct mesh mesh;
    struct edges edges;
    *prepared = (struct prepared){.vertices = 0};
    for (int t = 0; t < surface->triangles; ++t)
        if (constraint_flaw(surface->corner[t], 3, surface->vertices))
            return fail("%s: triangle %d has equal corners, or one that is no vertex; drop_degenerate would mend the "
                        "first",
                        name, t);
    if (!surface->triangles)
        return fail("%s: there is no triangle; a body needs a surface", name);
    int status = order(surface, &mesh);
    if (!status) {
        edges_create(&mesh, &edges);
        status = fill(prepared, &mesh, &edges, how, name);
        edges_free(&edges);
    }
    mesh_free(&mesh);
    if (status)
        prepared_free(prepared);
    else
        prepared_seal(prepared);
    return status;
}

void prepared_free(struct prepared *prepared) {
    free(prepared->position);
    for (int k = 0; k < BODY_PARTS; ++k) {
        free(prepared->parts[k].particle);
        free(prepared->parts[k].start);
    }
    for (int f = 0; f < prepared->fact_count; ++f) {
        free(prepared->facts[f].name);
        free(prepared->facts[f].text);
    }
    free(prepared->facts);
    *prepared = (struct prepared){.vertices = 0};
}
