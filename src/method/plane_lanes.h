/* Vectors of LANES successive nodes, read from an array for each coordinate. */
#ifndef SPRINGBACK_METHOD_PLANE_LANES_H
#define SPRINGBACK_METHOD_PLANE_LANES_H

#include "dialect.h"

#include <string.h>

INLINE real real_from(const double *from) {
    real a;
    memcpy(&a, from, sizeof a);
    return a;
}

/* The vectors of nodes k to k + LANES - 1. from[c][i] is coordinate c of node i. */
INLINE vec3 vec3_from_planes(const double *const from[3], int k) {
    return vec3_of(real_from(from[0] + k), real_from(from[1] + k), real_from(from[2] + k));
}

#endif
