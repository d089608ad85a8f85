/* Each lane does the operations of spring_energy and spring_strain for one spring, so the results are bit-identical to
 * those of single springs. */
#include "method/lanes.h"

#include "mass_spring.h"
#include "method/loops.h"
#include "method/spring_batch.h"

#include <string.h>

#ifdef REAL_IS_double /* measurements are in double precision only */
spring_batch_function ROWS(spring_batch_rows);

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
#endif
