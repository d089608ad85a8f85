/* The quantities of networks of springs, of all nodes of a block. */
#include "base/memory.h"
#include "body/cloth.h"
#include "method/loops.h"
#include "method/network.h"
#include "method/node_row.h"
#include "method/spring_batch.h"

#include <math.h>
#include <stdlib.h>
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

/* A node's term of the volume, x . dV/dx / 3, where x is the position relative to node 0. So the rounding error does
 * not grow with the body's distance from the origin. `position` has all nodes. */
static double volume_share(const struct body *body, const double (*position)[3], int i) {
    const vec3 x = vec3_from(position[i]);
    const vec3 origin = vec3_from(position[0]);
    vec3 area = vec3_of(0, 0, 0);
    for (int k = body->start[i]; k < body->ring_end[i]; ++k) {
        const double *a = position[body->neighbour[k]];
        const double *b = position[body->neighbour[k + 1 < body->ring_end[i] ? k + 1 : body->start[i]]];
        area = add(area, outer(subtract(vec3_from(a), x), subtract(vec3_from(b), x)));
    }
    return inner(subtract(x, origin), area) / 18;
}

DECLARE_ROWS(node_row_function, node_rows_double);
DECLARE_ROWS(spring_batch_function, spring_batch_rows_double);
DECLARE_ROWS(spring_row_function, spring_row_rows_double);

/* Springs to measure, and the results for the nodes from `first` on. A node's energies are added up in the order of its
 * springs. */
struct spring_sums {
    struct spring_batch batch;
    double stiffness, *elastic, *strain; /* of each node: half of its springs' energies, and their largest strain */
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

/* Positions in m or velocities in m/s of the nodes from `first` on, by coordinate. */
struct planes {
    double *coordinate[3];
    int first;
};

/* Copy `from` for the nodes `begin` to `end` - 1 and all nodes within `reach` of them; from[0] belongs to node
 * from_first. Newly allocated: the caller frees coordinate[0]. */
static struct planes planes_of(const struct body *body, const double (*from)[3], int from_first, int begin, int end,
                               int reach) {
    const int first = begin > reach ? begin - reach : 0, last = end < body->nodes - reach ? end + reach : body->nodes;
    const size_t count = (size_t)(last - first), pitch = count + ROW_SPARE;
    double *all = memory_new(3 * pitch, sizeof *all);
    from += first - from_first;
    for (size_t i = 0; i < count; ++i)
        for (size_t c = 0; c < 3; ++c)
            all[c * pitch + i] = from[i][c];
    return (struct planes){{all, all + pitch, all + 2 * pitch}, first};
}

/* Measure the springs that lead from the nodes `column` to `column` + `count` - 1 of a grid's row to their k-th
 * neighbours. */
static void measure_row(const struct body *body, const struct planes *planes, int row, int column, int count, int k,
                        const struct spring_sums *sums) {
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
        springs.from[c] = planes->coordinate[c] + (first - planes->first);
        springs.to[c] = planes->coordinate[c] + (other - planes->first);
    }
    functions[processor_level()](&springs);
}

static void measure_grid(const struct body *body, const struct planes *planes, int begin, int end,
                         const struct spring_sums *sums) {
    for (int i = begin, count; i < end; i += count) {
        const int row = i / body->columns, column = i % body->columns;
        count = body->columns - column < end - i ? body->columns - column : end - i;
        for (int k = 0; k < CLOTH_NEIGHBOURS; ++k)
            measure_row(body, planes, row, column, count, k, sums);
    }
}

static void measure_list(const struct body *body, const struct node_motion *motion, int begin, int end,
                         struct spring_sums *sums) {
    struct spring_batch *batch = &sums->batch;
    for (int i = begin; i < end; ++i) {
        const double *x = motion->position[i - motion->first];
        for (int slot = 0, slots = body_slots(body, i); slot < slots; ++slot) {
            int j;
            if (!body_spring(body, i, slot, &j, &batch->rest[batch->count]))
                continue;
            for (int k = 0; k < 3; ++k)
                batch->d[k][batch->count] = x[k] - motion->position[j - motion->first][k];
            batch->node[batch->count] = i;
            if (++batch->count == SPRING_BATCH)
                measure_batch(sums);
        }
    }
    measure_batch(sums);
}

/* Set the terms of all quantities that do not need springs or volumes. */
static void measure_nodes(const struct mass_spring_parameters *p, const struct body *body,
                          const struct planes *position, const struct planes *velocity, int begin, int end,
                          double *const out[VOLUME]) {
    static node_row_function *const functions[PROCESSOR_LEVELS] = ROWS_TABLE(node_rows_double);
    struct node_row row = {.mass = body->mass,
                           .gravity = {p->gravity_x, p->gravity_y, p->gravity_z},
                           .kinetic = out[KINETIC],
                           .potential = out[POTENTIAL],
                           .speed = out[SPEED],
                           .count = end - begin};
    for (int c = 0; c < 3; ++c) {
        row.x[c] = position->coordinate[c] + (begin - position->first);
        row.v[c] = velocity->coordinate[c] + (begin - velocity->first);
        row.momentum[c] = out[MOMENTUM + c];
        row.angular[c] = out[ANGULAR + c];
    }
    functions[processor_level()](&row);
}

void network_measure(struct mass_spring_parameters p, const struct body *body, const struct node_motion *motion,
                     int begin, int end, int own, double *const *out) {
    const size_t count = (size_t)(end - begin);
    const struct planes position = planes_of(body, motion->position, motion->first, begin, end,
                                             body->is_grid ? body_reach(body) : 0),
                        velocity = planes_of(body, motion->velocity, motion->first, begin, end, 0);
    AUTO_FREE double *sums = memory_new(2 * count, sizeof *sums);
    struct spring_sums springs = {.stiffness = p.stiffness, .elastic = sums, .strain = sums + count, .first = begin};
    if (body->is_grid)
        measure_grid(body, &position, begin, end, &springs);
    else
        measure_list(body, motion, begin, end, &springs);
    double *to[VOLUME];
    for (int q = 0; q < VOLUME; ++q)
        to[q] = q == ELASTIC && own == 0 ? NULL : out[q > ELASTIC ? q + own - 1 : q];
    measure_nodes(&p, body, &position, &velocity, begin, end, to);
    if (to[ELASTIC])
        memcpy(to[ELASTIC], springs.elastic, count * sizeof *sums);
    memcpy(to[STRAIN], springs.strain, count * sizeof *sums);
    memcpy(to[STRAIN_99], springs.strain, count * sizeof *sums);
    free(position.coordinate[0]);
    free(velocity.coordinate[0]);
    for (int i = begin; i < end && body->is_closed; ++i) {
        const double volume = volume_share(body, motion->position, i),
                     rest = volume_share(body, (const double(*)[3])body->position, i);
        out[VOLUME + own - 1][i - begin] = volume;
        out[LOSS + own - 1][i - begin] = out[ERROR + own - 1][i - begin] = (rest - volume) / body->rest_volume;
    }
}
