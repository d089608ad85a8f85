/* Vertex block descent: Chen, Liu, Yang and Yuksel, "Vertex Block Descent", ACM Transactions on Graphics 43(4), 2024.
 *
 * A step of implicit Euler minimises
 *
 *     G(x) = sum of m |x_i - y_i|^2 / (2 h^2) + E(x).
 *
 * Here h is the time step, and x_n and v_n are the position and velocity at the start of the step. y = x_n + h v_n +
 * h^2 g, and E is the energy of the springs or elements.
 *
 * An iteration goes through the nodes, one colour after the other. Two nodes of one colour share no spring and no
 * element. Each node makes one Newton step on G, with all other nodes fixed:
 *
 *     H_i dx_i = f_i, f_i = -dG / dx_i, H_i = d2G / dx_i2.
 *
 * A step starts at x = y. The paper does not change H_i, and skips a node whose H_i is nearly singular. Here no node
 * has to be skipped. Under compression one term of H_i can be negative, and is then replaced by 0 (`s` in the equations
 * of H below). Therefore no eigenvalue of H_i is less than m / h^2. */
#ifndef SPRINGBACK_KERNELS_VBD_H
#define SPRINGBACK_KERNELS_VBD_H

#include "dialect.h"
#include "hyperelastic.h"

/* Reals first, then 4-byte integers. SI units. */
struct vbd_parameters {
    scalar step, rate; /* rate: 1 / step */
    scalar gravity_x, gravity_y, gravity_z;
    scalar inertia;                 /* m / h^2 of a node that is not pinned */
    scalar stiffness, damping_rate; /* of springs: k, and the damping c divided by h */
    scalar shear, lame;             /* elements: Lame's mu and lambda, Pa */
    int columns, rows;              /* the number of nodes, and 1 */
};

struct vbd {
    GLOBAL quad *position, *velocity;
    FRAME_SPACE quad *predicted;         /* inverse mass in w */
    GLOBAL const int *node;              /* the node of each item; items are sorted by colour */
    GLOBAL const int *start, *neighbour; /* an item's entries of `neighbour`: start[item] to start[item + 1] - 1 */
    GLOBAL const scalar *rest;  /* springs: rest length of each entry; elements: [elements][10] Q^-1 by rows, volume */
    GLOBAL const int *particle; /* [elements][4]: nodes at the corners */
    struct vbd_parameters p;
    int step;
};

struct symmetric {
    real xx, yy, zz, xy, yz, zx;
};

/* f_i in N, and H_i in N/m, of a node. */
struct block {
    vec3 force;
    struct symmetric hessian;
};

/* H += s a a^T. */
INLINE void symmetric_add_square(struct symmetric *h, real s, vec3 a) {
    const vec3 b = scale(s, a);
    h->xx = h->xx + b.x * a.x;
    h->yy = h->yy + b.y * a.y;
    h->zz = h->zz + b.z * a.z;
    h->xy = h->xy + b.x * a.y;
    h->yz = h->yz + b.y * a.z;
    h->zx = h->zx + b.z * a.x;
}

/* H += s I. */
INLINE void symmetric_add_multiple(struct symmetric *h, real s) {
    h->xx = h->xx + s;
    h->yy = h->yy + s;
    h->zz = h->zz + s;
}

/* H^-1 f by the factors L D L^T. No eigenvalue of H is below `least` > 0. Therefore a pivot can be below `least` only
 * by rounding, and is then replaced by `least`. */
INLINE vec3 symmetric_solve(struct symmetric h, vec3 f, real least) {
    const real over_x = reciprocal(h.xx);
    const real l_y = h.xy * over_x, l_z = h.zx * over_x;
    const real yy = h.yy - l_y * h.xy, yz = h.yz - l_y * h.zx;
    const real over_y = reciprocal(EITHER(yy > least, yy, least));
    const real l_yz = yz * over_y;
    const real zz = h.zz - l_z * h.zx - l_yz * yz;
    const real over_z = reciprocal(EITHER(zz > least, zz, least));
    const real y = f.y - l_y * f.x, z = f.z - l_z * f.x - l_yz * y;
    vec3 d;
    d.z = z * over_z;
    d.y = y * over_y - l_yz * d.z;
    d.x = f.x * over_x - l_y * d.y - l_z * d.z;
    return d;
}

/* Add a spring's terms to the block of its end i, with d = x_i - x_j, rest length L, damping c, the relative
 * displacement u of its ends in this step, and n = d / |d|:
 *
 *     E = k (|d| - L)^2 / 2 + c (n . u)^2 / (2 h),
 *     f = -k (1 - L / |d|) d - (c / h) (n . u) n,
 *     H = k s (I - n n^T) + (k + c / h) n n^T, s = max(1 - L / |d|, 0).
 *
 * This is the spring of va2022 (1), with damping by implicit Euler. f and H take n as constant in the damping term. If
 * both ends are at one point, the spring has no direction and gives no force. */
INLINE void block_add_spring(struct block *block, vec3 d, vec3 u, real rest, const struct vbd_parameters *p) {
    const real inverse = inverse_root(inner(d, d)), stretch = (scalar)1 - rest * inverse;
    const vec3 n = scale(inverse, d);
    const real across = WHERE(stretch > 0, p->stiffness * stretch);
    block->force = subtract(block->force, scale(p->stiffness * stretch, d));
    block->force = subtract(block->force, scale(p->damping_rate * inner(n, u), n));
    symmetric_add_multiple(&block->hessian, across);
    symmetric_add_square(&block->hessian, p->stiffness - across + p->damping_rate, n);
}

/* Add the terms of a Saint Venant-Kirchhoff element to the block of a corner. b is the corner's row of Q^-1; for corner
 * 0, it is minus the sum of the three rows. If the corner moves by dx, F changes by dF = dx b^T. Then
 *
 *     f = -V F S b, S = lambda tr(E) I + 2 mu E,
 *     H = V (s I + (lambda + mu) (F b) (F b)^T + mu |b|^2 F F^T), s = max(b . S b, 0). */
INLINE void block_add_element(struct block *block, const struct tetrahedron *t, vec3 b, real volume,
                              const struct vbd_parameters *p) {
    const struct green_strain e = green_strain_of(t);
    const real spread = p->lame * e.trace, twice = EVERYWHERE((scalar)2 * p->shear);
    const vec3 sb = vec3_of((twice * e.xx + spread) * b.x + twice * (e.xy * b.y + e.zx * b.z),
                            (twice * e.yy + spread) * b.y + twice * (e.xy * b.x + e.yz * b.z),
                            (twice * e.zz + spread) * b.z + twice * (e.zx * b.x + e.yz * b.y));
    const vec3 fsb = add(add(scale(sb.x, e.f[0]), scale(sb.y, e.f[1])), scale(sb.z, e.f[2]));
    const vec3 fb = add(add(scale(b.x, e.f[0]), scale(b.y, e.f[1])), scale(b.z, e.f[2]));
    const real along = inner(b, sb), weight = volume * p->shear * inner(b, b);
    block->force = subtract(block->force, scale(volume, fsb));
    symmetric_add_multiple(&block->hessian, WHERE(along > 0, volume * along));
    symmetric_add_square(&block->hessian, volume * (p->lame + p->shear), fb);
    UNROLLED
    for (int k = 0; k < 3; ++k)
        symmetric_add_square(&block->hessian, weight, e.f[k]);
}

#ifndef LANES

/* y = x_n + h v_n + h^2 g of a node that is not pinned. */
INLINE vec3 vbd_inertial(vec3 x, vec3 v, const struct vbd_parameters *p) {
    const vec3 gravity = vec3_everywhere(p->gravity_x, p->gravity_y, p->gravity_z);
    return add(x, scale(p->step, add(v, scale(p->step, gravity))));
}

/* The block of node i at x with the terms of inertia only. The caller adds the terms of springs or elements. */
INLINE struct block vbd_block(int i, vec3 x, const struct vbd *m) {
    const vec3 y = vbd_inertial(xyz(m->position[i]), xyz(m->velocity[i]), &m->p);
    const real inertia = m->p.inertia, none = 0;
    struct block block;
    block.force = scale(inertia, subtract(y, x));
    block.hessian.xx = block.hessian.yy = block.hessian.zz = inertia;
    block.hessian.xy = block.hessian.yz = block.hessian.zx = none;
    return block;
}

INLINE void vbd_move(int i, quad x, struct block block, const struct vbd *m) {
    m->predicted[i] = quad_of(add(xyz(x), symmetric_solve(block.hessian, block.force, m->p.inertia)), x.w);
}

/* Start a step: predicted is y, or x if the node is pinned. */
INLINE void vbd_predict_item(int i, const struct vbd *m) {
    const quad x = m->position[i];
    m->predicted[i] = quad_of(vec3_either(x.w > 0, vbd_inertial(xyz(x), xyz(m->velocity[i]), &m->p), xyz(x)), x.w);
}

/* A Newton step of an item's node in a network of springs. The step moves the node in `predicted`. */
INLINE void vbd_spring_item(int item, const struct vbd *m) {
    const int i = m->node[item];
    const quad x = m->predicted[i];
    if (x.w > 0) {
        struct block block = vbd_block(i, xyz(x), m);
        const vec3 before = xyz(m->position[i]), moved = subtract(xyz(x), before);
        for (int s = m->start[item]; s < m->start[item + 1]; ++s) {
            const int j = m->neighbour[s];
            const vec3 other = xyz(m->predicted[j]);
            vec3 u = vec3_of(0, 0, 0);
            if (m->p.damping_rate > 0)
                u = subtract(moved, subtract(other, xyz(m->position[j])));
            block_add_spring(&block, subtract(xyz(x), other), u, m->rest[s], &m->p);
        }
        vbd_move(i, x, block, m);
    }
}

/* A Newton step of an item's node in a body of elements. An entry of `neighbour` is 4 times an element's index, plus
 * the node's corner. */
INLINE void vbd_element_item(int item, const struct vbd *m) {
    const int i = m->node[item];
    const quad x = m->predicted[i];
    if (x.w > 0) {
        struct block block = vbd_block(i, xyz(x), m);
        for (int s = m->start[item]; s < m->start[item + 1]; ++s) {
            const int element = m->neighbour[s] / 4, corner = m->neighbour[s] % 4;
            struct tetrahedron t;
            vec3 rows[3], b;
            UNROLLED
            for (int k = 0; k < 4; ++k) {
                t.p[k] = xyz(m->predicted[m->particle[4 * element + k]]);
                t.w[k] = 0;
            }
            UNROLLED
            for (int k = 0; k < 9; ++k)
                t.q[k / 3][k % 3] = m->rest[10 * element + k];
            UNROLLED
            for (int k = 0; k < 3; ++k)
                rows[k] = vec3_of(t.q[k][0], t.q[k][1], t.q[k][2]);
            b = add(add(rows[0], rows[1]), rows[2]);
            b = vec3_of(-b.x, -b.y, -b.z);
            UNROLLED
            for (int k = 0; k < 3; ++k)
                b = vec3_either(corner == k + 1, rows[k], b);
            block_add_element(&block, &t, b, m->rest[10 * element + 9], &m->p);
        }
        vbd_move(i, x, block, m);
    }
}

/* The end of a step: v = (x - x_n) / h. */
INLINE void vbd_update_item(int i, const struct vbd *m) {
    const quad before = m->position[i], after = m->predicted[i];
    m->velocity[i] = quad_of(scale(m->p.rate, subtract(xyz(after), xyz(before))), m->velocity[i].w);
    m->position[i] = after;
}
#endif

#define VBD_KERNELS(KERNEL)                                                                                            \
    KERNEL(LIST, vbd, vbd_predict)                                                                                     \
    KERNEL(LIST, vbd, vbd_spring)                                                                                      \
    KERNEL(LIST, vbd, vbd_element)                                                                                     \
    KERNEL(LIST, vbd, vbd_update)

#endif
