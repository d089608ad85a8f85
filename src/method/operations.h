/* Operations, counted in kernels/: a multiplication, an addition or a division is one. In single precision. */
#ifndef SPRINGBACK_METHOD_OPERATIONS_H
#define SPRINGBACK_METHOD_OPERATIONS_H

enum {
    OPS_ROOT = 13,                 /* inverse_root */
    OPS_RECIPROCAL = OPS_ROOT + 1, /* reciprocal */
    OPS_SHARE = OPS_ROOT + 2,      /* a reciprocal and its factor */
    OPS_VECTOR = 3,                /* a vec3's sum or multiple */
    OPS_INNER = 5                  /* an inner product */
};

/* mass_spring.h, spring_force: p1 - p2, v1 - v2, |d|^2, its root, kd u.d / |d| (7), the bracket (4), times d; the sum
 * at either end. */
enum { OPS_SPRING_FORCE = 2 * OPS_VECTOR + OPS_INNER + OPS_ROOT + 7 + 4 + OPS_VECTOR + 2 * OPS_VECTOR };

/* mass_spring.h, of a node, (4) and (3): three terms of the acceleration, two of them scaled, times dt, and added; then
 * the displacement. */
enum { OPS_EULER = 2 * OPS_VECTOR + 2 * OPS_VECTOR + 2 * OPS_VECTOR + 2 * OPS_VECTOR };

/* xpbd.h, of a node: forces, the predicted displacement, and the velocity that the displacement gives. */
enum { OPS_PREDICTION = 3 * OPS_VECTOR + 2 * OPS_VECTOR + 2 * OPS_VECTOR };

/* Of a tetrahedron: the edges from its first corner, and of these a column of F. */
enum { OPS_EDGES = 3 * OPS_VECTOR, OPS_COLUMN_OF_F = 3 * OPS_VECTOR + 2 * OPS_VECTOR };

#endif
