#include "body/cloth.h"

#include "base/memory.h"
#include "body/surface.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct cloth_neighbour cloth_neighbours[CLOTH_NEIGHBOURS] = {
    {SPRING_STRUCTURAL, -1, 0}, {SPRING_STRUCTURAL, 1, 0}, {SPRING_STRUCTURAL, 0, -1}, {SPRING_STRUCTURAL, 0, 1},
    {SPRING_SHEAR, -1, -1},     {SPRING_SHEAR, 1, -1},     {SPRING_SHEAR, -1, 1},      {SPRING_SHEAR, 1, 1},
    {SPRING_BEND, -2, 0},       {SPRING_BEND, 2, 0},       {SPRING_BEND, 0, -2},       {SPRING_BEND, 0, 2},
};

static const char *const type_words[SPRING_TYPES] = {"structural", "shear", "bend"};

/* The number of springs of one type in a grid of a x b nodes. */
static long springs_of(enum spring_type type, long a, long b) {
    long bend_a = a > 2 ? a - 2 : 0, bend_b = b > 2 ? b - 2 : 0;
    const long count[SPRING_TYPES] = {a * (b - 1) + b * (a - 1), 2 * (a - 1) * (b - 1), a * bend_b + b * bend_a};
    return count[type];
}

static double neighbour_rest(const struct body *body, int k) {
    const struct cloth_neighbour *n = &cloth_neighbours[k];
    if (n->type == SPRING_SHEAR)
        return body->rest_shear;
    return abs(n->right) * body->rest_column + abs(n->down) * body->rest_row;
}

bool cloth_spring(const struct body *body, int column, int row, int k, int *other, double *rest) {
    int c = column + cloth_neighbours[k].right, r = row + cloth_neighbours[k].down;
    if (!body->has[cloth_neighbours[k].type] || c < 0 || c >= body->columns || r < 0 || r >= body->rows)
        return false;
    *other = r * body->columns + c;
    *rest = neighbour_rest(body, k);
    return true;
}

/* Whether the run's method needs a list of all springs: to project springs by groups, or to move nodes one by one. */
static bool lists_springs(const struct run *run) {
    return run_parameter(run, "method.groups") || body_has_colours(run);
}

/* List the two ends of each spring; each spring is listed once. Newly allocated; NULL if out of memory. */
static int *list_ends(const struct body *body) {
    int *ends = memory_large(2 * (size_t)body->springs * sizeof *ends);
    size_t count = 0;
    double rest;
    for (int i = 0; ends && i < body->nodes; ++i)
        for (int k = 0, other; k < CLOTH_NEIGHBOURS; ++k)
            if (cloth_spring(body, i % body->columns, i / body->columns, k, &other, &rest) && other > i) {
                ends[count++] = i;
                ends[count++] = other;
            }
    return ends;
}

/* Add the springs to body->prepared as PART_EDGES, in independent groups. */
static int group_springs(const struct run *run, const int *ends, struct body *body) {
    body->triangles = 2 * (size_t)(body->columns - 1) * (size_t)(body->rows - 1); /* used if a wind acts */
    body->prepared.vertices = body->nodes;                                        /* used by the colouring */
    const int status = prepared_add_part(&body->prepared, PART_EDGES, (int)body->springs, ends) ||
                               surface_group_edges(run, &body->prepared)
                           ? STATUS_BAD
                           : STATUS_OK;
    body->prepared.vertices = 0;
    if (!status) {
        prepared_seal(&body->prepared);
        memcpy(body->sum, body->prepared.hash, sizeof body->sum);
    }
    return status;
}

static int order_springs(const struct run *run, struct body *body) {
    const struct parameter *nodes = run_parameter(run, "body.cloth.nodes");
    if (body->springs == 0 || body->springs > INT_MAX / 2)
        return fail_at(nodes->place, "body.cloth.nodes is %s, which makes %ld springs; %s needs 1 to %d",
                       nodes->value.text, body->springs, run_text(run, "method.name"), INT_MAX / 2);
    AUTO_FREE int *ends = list_ends(body);
    if (!ends)
        return fail_at(nodes->place, "body.cloth.nodes is %s, which makes %ld springs; these do not fit into memory",
                       nodes->value.text, body->springs);
    return run_parameter(run, "method.groups")
               ? group_springs(run, ends, body)
               : body_colour_nodes(run, (int)body->springs, (const int(*)[2])ends, body);
}

int cloth_describe(const struct run *run, struct body *body) {
    *body = (struct body){.columns = (int)run_number(run, "body.cloth.nodes", 0),
                          .rows = (int)run_number(run, "body.cloth.nodes", 1)};
    body->nodes = body->columns * body->rows;
    body->is_grid = run_has(run, "body.cloth.neighbours", "index");
    body->mass = run_number(run, "body.node_mass", 0);
    body->noise = (uint64_t)run_number(run, "body.noise", 0);
    body->rest_column = run_number(run, "body.cloth.size", 0) / (body->columns - 1);
    body->rest_row = run_number(run, "body.cloth.size", 1) / (body->rows - 1);
    body->rest_shear = sqrt(body->rest_column * body->rest_column + body->rest_row * body->rest_row);
    body->shortest_rest = INFINITY;
    for (int t = 0; t < SPRING_TYPES; ++t) {
        body->has[t] = run_has(run, "body.cloth.springs", type_words[t]);
        body->springs_of[t] = body->has[t] ? springs_of(t, body->columns, body->rows) : 0;
        body->springs += body->springs_of[t];
    }
    for (int k = 0; k < CLOTH_NEIGHBOURS; ++k)
        if (body->has[cloth_neighbours[k].type])
            body->shortest_rest = fmin(body->shortest_rest, neighbour_rest(body, k));
    body->divergence_radius = 1e6 * body->shortest_rest;
    /* A node in the first three rows and columns has the most springs. Along an axis with at least five nodes, the
     * third node has all its neighbours. Along a shorter axis, every later node mirrors one of the first three. */
    for (int row = 0; row < body->rows && row < 3; ++row)
        for (int column = 0; column < body->columns && column < 3; ++column) {
            int count = 0, other;
            double rest;
            for (int k = 0; k < CLOTH_NEIGHBOURS; ++k)
                count += cloth_spring(body, column, row, k, &other, &rest);
            body->springs_at_node = count > body->springs_at_node ? count : body->springs_at_node;
        }
    return lists_springs(run) ? order_springs(run, body) : STATUS_OK;
}

static bool is_pinned(const struct body *body, int column, int row, const char *pins) {
    bool side = column == 0 || column == body->columns - 1, end = row == 0 || row == body->rows - 1;
    return (!strcmp(pins, "corners") && side && end) || (!strcmp(pins, "row") && row == 0) ||
           (!strcmp(pins, "border") && (side || end));
}

static void store_neighbours(struct body *body) {
    int next = 0;
    for (int i = 0; i < body->nodes; ++i) {
        body->start[i] = next;
        for (int k = 0; k < CLOTH_NEIGHBOURS; ++k)
            next +=
                cloth_spring(body, i % body->columns, i / body->columns, k, &body->neighbour[next], &body->rest[next]);
    }
    body->start[body->nodes] = next;
}

static void store_triangles(struct body *body) {
    size_t t = 0;
    for (int row = 0; row + 1 < body->rows; ++row)
        for (int column = 0; column + 1 < body->columns; ++column) {
            int32_t a = row * body->columns + column, b = a + 1, c = a + body->columns, d = c + 1;
            memcpy(body->triangle[t++], (int32_t[3]){a, c, b}, sizeof body->triangle[0]);
            memcpy(body->triangle[t++], (int32_t[3]){b, c, d}, sizeof body->triangle[0]);
        }
}

int cloth_build(const struct run *run, struct body *body) {
    const bool vertical = run_has(run, "body.cloth.plane", "vertical");
    const char *pins = run_text(run, "body.cloth.pins");
    body->triangles = 2 * (size_t)(body->columns - 1) * (size_t)(body->rows - 1);
    if (body_allocate(body))
        return STATUS_BAD;
    for (int i = 0; i < body->nodes; ++i) {
        int column = i % body->columns, row = i / body->columns;
        double along = column * body->rest_column, across = row * body->rest_row;
        body->position[i][0] = along;
        body->position[i][vertical ? 1 : 2] = vertical ? -across : across;
        body->pinned[i] = is_pinned(body, column, row, pins);
    }
    if (body->stores_triangles)
        store_triangles(body);
    if (!body->is_grid)
        store_neighbours(body);
    return STATUS_OK;
}
