/* Tetrahedra at rest, as methods hand them to kernels/pbd.h and kernels/hyperelastic.h. */
#ifndef SPRINGBACK_METHOD_ELEMENT_H
#define SPRINGBACK_METHOD_ELEMENT_H

#include "body/body.h"

/* Write of each tetrahedron of a body at rest the inverse of Q, whose columns are p_1 - p_0, p_2 - p_0 and p_3 - p_0,
 * by rows, in 1/m; and, if there are ten `reals`, its volume, in m^3. Of a flat one, which has no inverse, zeros: its
 * constraints have no gradient then, and do nothing. */
void element_fill_rest(const struct body *body, size_t reals, int real_size, void *out);

/* Write the distance at rest of each pair of a part's particles. */
void element_fill_lengths(const struct body *body, enum body_part part, int real_size, void *out);

#endif
