#include "body/prepared.h"

#include "base/memory.h"
#include "body/groups.h"
#include "body/order.h"
#include "mesh/edges.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const struct part_kind part_kinds[BODY_PARTS] = {
    [PART_EDGES] = {"edges", 2}, [PART_TRIANGLES] = {"triangles", 3},           [PART_BENDS] = {"bends", 4},
    [PART_LINKS] = {"links", 2}, [PART_LINKS_TO_START] = {"links_to_start", 2}, [PART_TETRAHEDRA] = {"tetrahedra", 4},
};

void prepared_add(struct prepared *prepared, const char *name, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    AUTO_FREE char *text = text_format_list(format, arguments);
    va_end(arguments);
    attributes_add(&prepared->facts, name, text, false);
}

const char *prepared_fact(const struct prepared *prepared, const char *name) {
    return attributes_text(&prepared->facts, name);
}

void prepared_seal(struct prepared *prepared) {
    struct digest *digest = digest_create();
    const int counts[2] = {prepared->vertices, prepared->surface_vertices};
    digest_add_words(digest, counts, sizeof *counts, 2);
    digest_add_words(digest, prepared->position, sizeof **prepared->position, 3 * (size_t)prepared->vertices);
    for (int k = 0; k < BODY_PARTS; ++k) {
        const struct part *part = &prepared->parts[k];
        const int sizes[2] = {part->count, part->groups};
        digest_add_words(digest, sizes, sizeof *sizes, 2);
        digest_add_words(digest, part->particle, sizeof(int), (size_t)part->count * (size_t)part_kinds[k].size);
        if (part->count)
            digest_add_words(digest, part->start, sizeof(int), (size_t)part->groups + 1);
    }
    digest_finish(digest, prepared->hash);
}

static const char *constraint_flaw(const int *particle, int size, int vertices) {
    for (int a = 0; a < size; ++a) {
        if (particle[a] < 0 || particle[a] >= vertices)
            return "a constraint has a particle that does not exist";
        for (int b = 0; b < a; ++b)
            if (particle[a] == particle[b])
                return "a constraint has a particle twice";
    }
    return NULL;
}

static bool groups_are_sound(const struct part *part, int size, int vertices) {
    if (part->groups < 1 || part->start[0] != 0 || part->start[part->groups] != part->count)
        return false;
    AUTO_FREE int *group = memory_new((size_t)part->count, sizeof *group);
    for (int g = 0; g < part->groups; ++g) {
        if (part->start[g + 1] < part->start[g] || part->start[g + 1] > part->count)
            return false;
        for (int c = part->start[g]; c < part->start[g + 1]; ++c)
            group[c] = g;
    }
    return groups_conflicts(vertices, part->count, size, part->particle, group) == 0;
}

const char *prepared_flaw(const struct prepared *prepared) {
    if (prepared->surface_vertices < 1 || prepared->surface_vertices > prepared->vertices)
        return "it has no vertices, or more on its surface than in total";
    for (int v = 0; v < prepared->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            if (!isfinite(prepared->position[v][k]))
                return "a position is not finite";
    const char *flaw = NULL;
    for (int k = 0; k < BODY_PARTS && !flaw; ++k) {
        const struct part *part = &prepared->parts[k];
        const int size = part_kinds[k].size;
        const int most = k == PART_TETRAHEDRA ? prepared->vertices : prepared->surface_vertices;
        for (int c = 0; c < part->count && !flaw; ++c)
            flaw = constraint_flaw(part->particle + (size_t)c * (size_t)size, size, most);
        if (!flaw && part->count && !groups_are_sound(part, size, prepared->vertices))
            flaw = "its groups do not cover its constraints, or two constraints of a group share a particle";
    }
    return flaw;
}

int prepared_add_part(struct prepared *prepared, enum body_part kind, int count, const int *particle) {
    const char *name = part_kinds[kind].name;
    const int size = part_kinds[kind].size;
    struct part *part = &prepared->parts[kind];
    AUTO(groups_free) struct groups groups = {.count = 0};
    const int bound = groups_bound(prepared->vertices, count, size, particle);
    if (bound < 0 || groups_create(prepared->vertices, count, size, particle, &groups))
        return STATUS_BAD;
    *part = (struct part){count, groups.count, memory_new((size_t)count * (size_t)size, sizeof(int)), groups.start};
    groups.start = NULL; /* now owned by the part */
    groups_lay(&groups, sizeof(int) * (size_t)size, particle, part->particle);
    AUTO_FREE char *fact = text_format("%s_groups", name);
    AUTO_FREE char *least = text_format("%s_groups_least", name);
    prepared_add(prepared, name, "%d", count);
    prepared_add(prepared, fact, "%d", part->groups);
    prepared_add(prepared, least, "%d", bound);
    return STATUS_OK;
}

static int add_bends(struct prepared *prepared, const struct mesh *mesh, const struct edges *edges) {
    AUTO_FREE int *particle = memory_new(4 * (size_t)edges->count, sizeof *particle);
    int count = 0;
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
        count += bend[2] != bend[3]; /* two triangles with the same corners have no bend */
    }
    return prepared_add_part(prepared, PART_BENDS, count, particle);
}

static int fill(struct prepared *prepared, const struct mesh *mesh, const struct edges *edges) {
    prepared->vertices = prepared->surface_vertices = mesh->vertices;
    prepared->position = memory_new((size_t)mesh->vertices, sizeof *prepared->position);
    memcpy(prepared->position, mesh->position, (size_t)mesh->vertices * sizeof *prepared->position);
    prepared_add(prepared, "vertices", "%d", mesh->vertices);
    prepared_add(prepared, "euler", "%d", mesh->vertices - edges->count + mesh->triangles);
    return prepared_add_part(prepared, PART_EDGES, edges->count, (const int *)edges->end) ||
                   prepared_add_part(prepared, PART_TRIANGLES, mesh->triangles, (const int *)mesh->corner) ||
                   add_bends(prepared, mesh, edges)
               ? STATUS_BAD
               : STATUS_OK;
}

/* Copy the surface to *mesh, with its vertices in an order for locality. The order of a lattice is not changed. */
static int order(const struct mesh *surface, struct mesh *mesh) {
    AUTO(edges_free) struct edges edges;
    mesh_copy(surface, mesh);
    edges_create(mesh, &edges);
    AUTO_FREE int *order = memory_new((size_t)mesh->vertices, sizeof *order);
    const int(*end)[2] = (const int(*)[2])edges.end;
    if (lattice_is(edges.count, end))
        return STATUS_OK;
    return order_graph(mesh->vertices, edges.count, end, order) || mesh_permute(mesh, order) ? STATUS_BAD : STATUS_OK;
}

void prepared_surface(const struct prepared *prepared, struct mesh *mesh) {
    const struct part *triangles = &prepared->parts[PART_TRIANGLES];
    mesh_create(mesh, prepared->surface_vertices, triangles->count);
    memcpy(mesh->position, prepared->position, (size_t)mesh->vertices * sizeof *mesh->position);
    memcpy(mesh->corner, triangles->particle, (size_t)mesh->triangles * sizeof *mesh->corner);
}

int prepared_create(const struct mesh *surface, const char *name, struct prepared *prepared) {
    *prepared = (struct prepared){.vertices = 0};
    for (int t = 0; t < surface->triangles; ++t)
        if (constraint_flaw(surface->corner[t], 3, surface->vertices))
            return fail(
                "%s: triangle %d has equal corners, or one that is not a vertex; drop_degenerate repairs equal corners",
                name, t);
    if (!surface->triangles)
        return fail("%s: it has no triangles; a body needs a surface", name);
    AUTO(mesh_free) struct mesh mesh;
    AUTO(edges_free) struct edges edges = {.count = 0};
    if (order(surface, &mesh))
        return STATUS_BAD;
    edges_create(&mesh, &edges);
    if (!fill(prepared, &mesh, &edges)) {
        prepared_seal(prepared);
        return STATUS_OK;
    }
    prepared_free(prepared);
    return STATUS_BAD;
}

void prepared_free(struct prepared *prepared) {
    free(prepared->position);
    for (int k = 0; k < BODY_PARTS; ++k) {
        free(prepared->parts[k].particle);
        free(prepared->parts[k].start);
    }
    attributes_free(&prepared->facts);
    *prepared = (struct prepared){.vertices = 0};
}
