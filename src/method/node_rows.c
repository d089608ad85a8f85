/* Each lane does the operations that define the energies, momenta and speed of one node, so the results are
 * bit-identical to those of single nodes. */
#include "method/lanes.h"

#include "dialect.h"
#include "method/loops.h"
#include "method/node_row.h"

#include <math.h>
#include <string.h>

#ifdef REAL_IS_double /* measurements are in double precision only */
#include "method/plane_lanes.h"

node_row_function ROWS(node_rows);

/* The correctly rounded square root. */
INLINE real root_of(real a) {
    for (int k = 0; k < LANES; ++k)
        a[k] = sqrt(a[k]);
    return a;
}

INLINE void set(double *to, real a, const size_t lanes) {
    memcpy(to, &a, lanes * sizeof *to);
}

INLINE void set_vec3(double *const to[3], int k, vec3 a, const size_t lanes) {
    set(to[0] + k, a.x, lanes);
    set(to[1] + k, a.y, lanes);
    set(to[2] + k, a.z, lanes);
}

/* Compute the results of nodes k to k + `lanes` - 1 of a row; `lanes` is at most LANES. */
INLINE void node_lanes(const struct node_row *row, int k, const size_t lanes) {
    const vec3 x = vec3_from_planes(row->x, k), v = vec3_from_planes(row->v, k),
               gravity = vec3_everywhere(row->gravity[0], row->gravity[1], row->gravity[2]);
    const real mass = EVERYWHERE(row->mass), square = inner(v, v);
    set(row->kinetic + k, mass * square / 2, lanes);
    set(row->potential + k, -mass * inner(gravity, x), lanes);
    set(row->speed + k, root_of(square), lanes);
    set_vec3(row->momentum, k, scale(mass, v), lanes);
    set_vec3(row->angular, k, scale(mass, outer(x, v)), lanes);
}

void ROWS(node_rows)(const struct node_row *row) {
    int k = 0;
    for (; k + LANES <= row->count; k += LANES)
        node_lanes(row, k, LANES);
    if (k < row->count)
        node_lanes(row, k, (size_t)(row->count - k));
}
#endif
