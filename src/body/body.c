#include "body/body.h"

#include "base/memory.h"
#include "base/rows.h"
#include "base/vector.h"
#include "body/cloth.h"
#include "body/solids.h"
#include "body/surface.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

int body_describe(const struct run *run, struct body *body) {
    const struct parameter *wind = run_parameter(run, "scene.wind.kind");
    if (run_parameter(run, "body.mesh") ? surface_describe(run, body) : cloth_describe(run, body))
        return STATUS_BAD;
    body->is_blown = wind && strcmp(wind->value.text, "uniform") != 0;
    body->stores_triangles =
        run_parameter(run, "body.mesh") || body->is_blown || run_number(run, "record.mesh_every", 0) > 0;
    return solids_describe(run, body);
}

size_t body_bytes(const struct body *body) {
    size_t nodes = (size_t)body->nodes;
    size_t bytes = nodes * (sizeof *body->position + sizeof *body->pinned);
    if (body->stores_triangles)
        bytes += nodes * 2 * sizeof *body->triangle;
    if (!body->is_grid)
        bytes += 2 * nodes * sizeof *body->start +
                 2 * (size_t)body->springs * (sizeof *body->neighbour + sizeof *body->rest);
    if (body->is_blown)
        bytes += nodes * sizeof *body->fan_start + 6 * nodes * sizeof *body->fan;
    return bytes;
}

int body_lay_fans(struct body *body) {
    if (body->triangles > INT_MAX / 3)
        return fail("a surface of %zu triangles has more than the %d corners that are supported; use fewer triangles",
                    body->triangles, INT_MAX);
    const int corners = 3 * (int)body->triangles;
    body->fan_start = pool_add(&body->pool, memory_large(((size_t)body->nodes + 1) * sizeof *body->fan_start));
    body->fan = pool_add(&body->pool, memory_large(((size_t)corners + 1) * sizeof *body->fan));
    if (!body->fan_start || !body->fan)
        return fail("the lists of the triangles at each of %d nodes do not fit into memory", body->nodes);
    rows_sort(body->nodes, corners, (const int *)body->triangle, body->fan_start, body->fan);
    for (int c = 0; c < corners; ++c)
        body->fan[c] /= 3;
    return STATUS_OK;
}

int body_build(const struct run *run, struct body *body) {
    const int status = run_parameter(run, "body.mesh") ? surface_build(run, body) : cloth_build(run, body);
    return !status && body->is_blown ? body_lay_fans(body) : status;
}

bool body_has_colours(const struct run *run) {
    return run_has(run, "method.name", "vbd") || run_has(run, "method.name", "vbd_hyperelastic");
}

int body_colour_nodes(const struct run *run, int springs, const int (*end)[2], struct body *body) {
    if (!body_has_colours(run))
        return STATUS_OK;
    if (node_colours_create(body->nodes, springs, end, &body->pool, &body->colours))
        return STATUS_BAD;
    prepared_add(&body->prepared, "groups_of_nodes", "%d", body->colours.count);
    return STATUS_OK;
}

struct spring spring_between(const double (*position)[3], int a, int b) {
    return (struct spring){a < b ? a : b, a < b ? b : a, vector_distance(position[a], position[b])};
}

int body_allocate(struct body *body) {
    const size_t nodes = (size_t)body->nodes, ends = 2 * (size_t)body->springs;
    body->position = pool_add(&body->pool, memory_large(nodes * sizeof *body->position));
    body->pinned = pool_add(&body->pool, memory_large(nodes * sizeof *body->pinned));
    if (body->stores_triangles)
        body->triangle = pool_add(&body->pool, memory_large(body->triangles * sizeof *body->triangle));
    if (!body->is_grid) {
        body->start = pool_add(&body->pool, memory_large((nodes + 1) * sizeof *body->start));
        body->neighbour = pool_add(&body->pool, memory_large(ends * sizeof *body->neighbour));
        body->rest = pool_add(&body->pool, memory_large(ends * sizeof *body->rest));
    }
    return body->position && body->pinned && (body->triangle || !body->stores_triangles) &&
                   (body->is_grid || (body->start && body->neighbour && body->rest))
               ? STATUS_OK
               : fail("a body of %d nodes does not fit into memory", body->nodes);
}

int body_reach(const struct body *body) {
    return 2 * body->columns; /* bend springs lead two rows away */
}

void body_lay_springs(struct body *body, const struct spring *springs, int spring_count) {
    AUTO_FREE int *end = memory_new(2 * (size_t)spring_count, sizeof *end);
    AUTO_FREE int *at = memory_new(2 * (size_t)spring_count, sizeof *at);
    for (int s = 0; s < spring_count; ++s) {
        end[2 * (size_t)s] = springs[s].a;
        end[2 * (size_t)s + 1] = springs[s].b;
    }
    rows_sort(body->nodes, 2 * spring_count, end, body->start, at);
    for (int i = 0; i < 2 * spring_count; ++i) {
        const struct spring *spring = &springs[at[i] / 2];
        body->neighbour[i] = at[i] % 2 ? spring->a : spring->b;
        body->rest[i] = spring->rest;
    }
    for (int i = 0; i < body->nodes; ++i)
        if (body->start[i + 1] - body->start[i] > body->springs_at_node)
            body->springs_at_node = body->start[i + 1] - body->start[i];
}

int body_slots(const struct body *body, int node) {
    return body->is_grid ? CLOTH_NEIGHBOURS : body->start[node + 1] - body->start[node];
}

bool body_spring(const struct body *body, int node, int slot, int *other, double *rest) {
    if (body->is_grid)
        return cloth_spring(body, node % body->columns, node / body->columns, slot, other, rest);
    *other = body->neighbour[body->start[node] + slot];
    *rest = body->rest[body->start[node] + slot];
    return true;
}

void body_free(struct body *body) {
    pool_free(&body->pool);
    prepared_free(&body->prepared);
    *body = (struct body){.nodes = 0};
}
