/* Each lane does the operations of spring_energy and spring_strain for one spring, so the results are bit-identical to
 * those of single springs. */
#include "method/lanes.h"

#include "mass_spring.h"
#include "method/loops.h"
#include "method/spring_batch.h"

#include <string.h>

#ifdef REAL_IS_double /* measurements are in double precision only */
#include "method/plane_lanes.h"

spring_batch_function ROWS(spring_batch_rows);
spring_row_function ROWS(spring_row_rows);

void ROWS(spring_batch_rows)(struct spring_batch *batch, double stiffness) {
    const vec3 origin = vec3_everywhere(0, 0, 0);
    for (int k = 0; k < batch->count; k += LANES) { /* the last lanes may compute springs that do not exist */
        vec3 d;
        real rest;
        memcpy(&d.x, batch->d[0] + k, sizeof d.x);
        memcpy(&d.y, batch->d[1] + k, sizeof d.y);
        memcpy(&d.z, batch->d[2] + k, sizeof d.z);
        memcpy(&rest, batch->rest + k, sizeof rest);
        const real energy = spring_energy(d, origin, rest, stiffness), strain = spring_strain(d, origin, rest);
        memcpy(batch->energy + k, &energy, sizeof energy);
        memcpy(batch->strain + k, &strain, sizeof strain);
    }
}

/* Compute the results of springs k to k + `lanes` - 1 of a row; `lanes` is at most LANES. */
INLINE void spring_lanes(const struct spring_row *row, int k, const size_t lanes) {
    const word magnitude = (word){0} + INT64_MAX; /* all bits except the sign */
    const vec3 a = vec3_from_planes(row->from, k), b = vec3_from_planes(row->to, k);
    const real rest = EVERYWHERE(row->rest), strain = REAL_OF(WORD_OF(spring_strain(a, b, rest)) & magnitude);
    real elastic = {0}, largest = {0};
    memcpy(&elastic, row->elastic + k, lanes * sizeof(double));
    memcpy(&largest, row->strain + k, lanes * sizeof(double));
    elastic = elastic + spring_energy(a, b, rest, row->stiffness) / 2;
    largest = EITHER((strain > largest) | (strain != strain), strain, largest);
    memcpy(row->elastic + k, &elastic, lanes * sizeof(double));
    memcpy(row->strain + k, &largest, lanes * sizeof(double));
}

void ROWS(spring_row_rows)(const struct spring_row *row) {
    int k = 0;
    for (; k + LANES <= row->count; k += LANES)
        spring_lanes(row, k, LANES);
    if (k < row->count)
        spring_lanes(row, k, (size_t)(row->count - k));
}
#endif
