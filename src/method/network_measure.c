/* Measures the quantities of networks of springs for a block of nodes. */
#include "base/memory.h"
#include "body/cloth.h"
#include "method/loops.h"
#include "method/network.h"
#include "method/node_row.h"
#include "method/spring_batch.h"

#include <math.h>
#include <string.h>

/* Indices of network_quantities. */
enum {
    KINETIC,
    ELASTIC,
    POTENTIAL,
    MOMENTUM,
    ANGULAR = MOMENTUM + 3,
    STRAIN = ANGULAR + 3,
    STRAIN_99,
    SPEED,
    VOLUME,
    LOSS,
    ERROR,
    QUANTITIES
};

const struct quantity network_quantities[NETWORK_QUANTITIES] = {
    QUANTITY_OF_MOTION,
    {"elastic_energy", "J", "ks (length - rest)^2 / 2, summed over the springs", QUANTITY_SUM},
    QUANTITIES_OF_NODES,
};

_Static_assert((int)QUANTITIES == (int)NETWORK_QUANTITIES, "NETWORK_QUANTITIES is the number of quantities");

int network_quantity_count(const struct body *body) {
    return body->is_closed ? QUANTITIES : VOLUME;
}

/* Positions of all nodes: coordinate c of node i is from[c][i * stride]. */
struct places {
    const double *from[3];
    size_t stride;
};

static vec3 place_of(const struct places *places, int node) {
    const size_t k = (size_t)node * places->stride;
    return vec3_of(places->from[0][k], places->from[1][k], places->from[2][k]);
}

/* A node's term of the volume, x . dV/dx / 3. Here x is the position relative to node 0, so the rounding error does not
 * grow with the body's distance from the origin. */
static double volume_share(const struct body *body, const struct places *places, int i) {
    const vec3 x = place_of(places, i);
    vec3 area = vec3_of(0, 0, 0);
    for (int k = body->start[i]; k < body->ring_end[i]; ++k) {
        const int next = k + 1 < body->ring_end[i] ? k + 1 : body->start[i];
        const vec3 a = place_of(places, body->neighbour[k]), b = place_of(places, body->neighbour[next]);
        area = add(area, outer(subtract(a, x), subtract(b, x)));
    }
    return inner(subtract(x, place_of(places, 0)), area) / 18;
}

/* Set the terms of the quantities volume, volume_loss and volume_error of a closed body: out[0], out[1] and out[2]. */
static void measure_volumes(const struct body *body, const struct node_motion *motion, int begin, int end,
                            double *const *out) {
    const double *rest = body->position[0];
    const struct places now = {{motion->position[0], motion->position[1], motion->position[2]}, 1},
                        at_rest = {{rest, rest + 1, rest + 2}, 3};
    for (int i = begin; i < end; ++i) {
        const double volume = volume_share(body, &now, i), before = volume_share(body, &at_rest, i);
        out[0][i - begin] = volume;
        out[LOSS - VOLUME][i - begin] = out[ERROR - VOLUME][i - begin] = (before - volume) / body->rest_volume;
    }
}

DECLARE_ROWS(node_row_function, node_rows_double);
DECLARE_ROWS(spring_batch_function, spring_batch_rows_double);
DECLARE_ROWS(spring_row_function, spring_row_rows_double);

/* Springs to measure, and the results for the nodes from `first` on. The energies of a node's springs are added up in
 * the order of the springs. */
struct spring_sums {
    struct spring_batch batch;
    double stiffness, *elastic, *strain; /* for each node: half of its springs' energies; the largest strain of its
                                            springs */
    int first;
};

static void measure_batch(struct spring_sums *sums) {
    static spring_batch_function *const functions[PROCESSOR_LEVELS] = ROWS_TABLE(spring_batch_rows_double);
    struct spring_batch *batch = &sums->batch;
    functions[processor_level()](batch, sums->stiffness);
    for (int k = 0; k < batch->count; ++k) {
        const double strain = fabs(batch->strain[k]);
        double *largest = &sums->strain[batch->node[k] - sums->first];
        sums->elastic[batch->node[k] - sums->first] += batch->energy[k] / 2; /* each spring is visited from both ends */
        *largest = strain > *largest || isnan(strain) ? strain : *largest;
    }
    batch->count = 0;
}

/* Measure springs of a row of a grid: the springs from the nodes in columns `column` to `column` + `count` - 1 to their
 * k-th neighbours. */
static void measure_row(const struct body *body, const struct node_motion *motion, int row, int column, int count,
                        int k, const struct spring_sums *sums) {
    static spring_row_function *const functions[PROCESSOR_LEVELS] = ROWS_TABLE(spring_row_rows_double);
    const int right = cloth_neighbours[k].right, begin = column > -right ? column : -right,
              end = column + count < body->columns - right ? column + count : body->columns - right,
              first = row * body->columns + begin;
    double rest;
    int other;
    if (begin >= end || !cloth_spring(body, begin, row, k, &other, &rest))
        return;
    struct spring_row springs = {.rest = rest,
                                 .stiffness = sums->stiffness,
                                 .elastic = sums->elastic + (first - sums->first),
                                 .strain = sums->strain + (first - sums->first),
                                 .count = end - begin};
    for (int c = 0; c < 3; ++c) {
        springs.from[c] = motion->position[c] + (first - motion->first);
        springs.to[c] = motion->position[c] + (other - motion->first);
    }
    functions[processor_level()](&springs);
}

static void measure_grid(const struct body *body, const struct node_motion *motion, int begin, int end,
                         const struct spring_sums *sums) {
    for (int i = begin, count; i < end; i += count) {
        const int row = i / body->columns, column = i % body->columns;
        count = body->columns - column < end - i ? body->columns - column : end - i;
        for (int k = 0; k < CLOTH_NEIGHBOURS; ++k)
            measure_row(body, motion, row, column, count, k, sums);
    }
}

static void measure_list(const struct body *body, const struct node_motion *motion, int begin, int end,
                         struct spring_sums *sums) {
    struct spring_batch *batch = &sums->batch;
    for (int i = begin; i < end; ++i) {
        for (int slot = 0, slots = body_slots(body, i); slot < slots; ++slot) {
            int j;
            if (!body_spring(body, i, slot, &j, &batch->rest[batch->count]))
                continue;
            for (int k = 0; k < 3; ++k)
                batch->d[k][batch->count] =
                    motion->position[k][i - motion->first] - motion->position[k][j - motion->first];
            batch->node[batch->count] = i;
            if (++batch->count == SPRING_BATCH)
                measure_batch(sums);
        }
    }
    measure_batch(sums);
}

/* Set the terms of all quantities that do not need springs or volumes. */
static void measure_nodes(const struct mass_spring_parameters *p, const struct body *body,
                          const struct node_motion *motion, int begin, int end, double *const out[VOLUME]) {
    static node_row_function *const functions[PROCESSOR_LEVELS] = ROWS_TABLE(node_rows_double);
    struct node_row row = {.mass = body->mass,
                           .gravity = {p->gravity_x, p->gravity_y, p->gravity_z},
                           .kinetic = out[KINETIC],
                           .potential = out[POTENTIAL],
                           .speed = out[SPEED],
                           .count = end - begin};
    for (int c = 0; c < 3; ++c) {
        row.x[c] = motion->position[c] + (begin - motion->first);
        row.v[c] = motion->velocity[c] + (begin - motion->first);
        row.momentum[c] = out[MOMENTUM + c];
        row.angular[c] = out[ANGULAR + c];
    }
    functions[processor_level()](&row);
}

void network_measure(struct mass_spring_parameters p, const struct body *body, const struct node_motion *motion,
                     int begin, int end, int own, double *const *out) {
    const size_t count = (size_t)(end - begin);
    AUTO_FREE double *sums = memory_new(2 * count, sizeof *sums);
    struct spring_sums springs = {.stiffness = p.stiffness, .elastic = sums, .strain = sums + count, .first = begin};
    if (body->is_grid)
        measure_grid(body, motion, begin, end, &springs);
    else
        measure_list(body, motion, begin, end, &springs);
    double *to[VOLUME];
    for (int q = 0; q < VOLUME; ++q)
        to[q] = q == ELASTIC && own == 0 ? NULL : out[q > ELASTIC ? q + own - 1 : q];
    measure_nodes(&p, body, motion, begin, end, to);
    if (to[ELASTIC])
        memcpy(to[ELASTIC], springs.elastic, count * sizeof *sums);
    memcpy(to[STRAIN], springs.strain, count * sizeof *sums);
    memcpy(to[STRAIN_99], springs.strain, count * sizeof *sums);
    if (body->is_closed)
        measure_volumes(body, motion, begin, end, out + VOLUME + own - 1);
}
