/* Fixed obstacles: a sphere and convex bodies, as in cetinaslan2019, section 5.2, for figures 4 and 5. Obstacles change
 * positions only. The method decides what happens to velocities. */
#ifndef SPRINGBACK_KERNELS_OBSTACLE_H
#define SPRINGBACK_KERNELS_OBSTACLE_H

#include "dialect.h"

/* The kinds of a run's obstacles, which can be combined. These numbers are never combined with CONTACT_* of contact.h,
 * some of which have the same values. */
#define OBSTACLE_SPHERE 8
#define OBSTACLE_CONVEX 16

/* SI units; reals only. */
struct obstacle_parameters {
    scalar sphere_x, sphere_y, sphere_z, sphere_radius;
};

/* Signed distance of a point x from an obstacle, negative inside, and the outward unit normal at the nearest point of
 * the obstacle's surface. This nearest point is x - distance * normal. */
struct nearest {
    real distance;
    vec3 normal;
};

/* For a sphere with the centre S and the radius R, the paper prints C = R - |x - S| >= 0, which keeps particles inside.
 * Figure 5 shows them outside: C = |x - S| - R >= 0, grad C = (x - S) / |x - S|. At the centre, which has no direction,
 * the normal is up. */
INLINE struct nearest sphere_nearest(vec3 x, struct obstacle_parameters p) {
    const vec3 d = subtract(x, vec3_everywhere(p.sphere_x, p.sphere_y, p.sphere_z));
    const real square = inner(d, d), inverse = inverse_root(square);
    const word is_apart = square > (scalar)1e-30;
    struct nearest nearest;
    nearest.distance = WHERE(is_apart, square * inverse) - p.sphere_radius;
    nearest.normal = vec3_either(is_apart, scale(inverse, d), vec3_everywhere(0, 1, 0));
    return nearest;
}

/* C = (x - p) . n >= 0, with the nearest point p of a convex body and its normal n there. For a point inside, the
 * nearest surface point is in the plane with the largest signed distance; if several are equal, the first is used. For
 * a point outside, the result is the distance from this plane, which is at most the distance from the body.
 *
 * A plane is stored as a quad: x, y and z are its outward unit normal, and w is the dot product of the normal and a
 * point of the plane. A body has `count` planes, from index `first` on. */
INLINE struct nearest convex_nearest(vec3 x, GLOBAL const quad *planes, int first, int count) {
    struct nearest nearest;
    nearest.distance = EVERYWHERE((scalar)-1e30);
    nearest.normal = vec3_everywhere(0, 1, 0);
    for (int k = first; k < first + count; ++k) {
        const quad plane = planes[k];
        const real distance = plane.x * x.x + plane.y * x.y + plane.z * x.z - plane.w;
        const word is_farther = distance > nearest.distance;
        nearest.distance = EITHER(is_farther, distance, nearest.distance);
        nearest.normal = vec3_either(is_farther, vec3_everywhere(plane.x, plane.y, plane.z), nearest.normal);
    }
    return nearest;
}

/* The nearest point of the obstacle's surface, if x is inside the obstacle and `moves`; otherwise x. */
INLINE vec3 put_outside(vec3 x, word moves, struct nearest nearest) {
    const word is_inside = (nearest.distance < 0) & moves;
    return vec3_either(is_inside, subtract(x, scale(nearest.distance, nearest.normal)), x);
}

INLINE vec3 sphere_kept_out(vec3 x, word moves, struct obstacle_parameters p) {
    return put_outside(x, moves, sphere_nearest(x, p));
}

INLINE vec3 convex_kept_out(vec3 x, word moves, GLOBAL const quad *planes, int first, int count) {
    return put_outside(x, moves, convex_nearest(x, planes, first, count));
}

/* Returns the position x. If `moves`, x is moved out of the obstacles that `obstacles` names: first out of the sphere,
 * then out of one convex body after the other. Body b has the planes start[b] to start[b + 1] - 1. If obstacles
 * overlap, moving a position out of one may move it into another. */
INLINE vec3 obstacles_kept_out(vec3 x, word moves, int obstacles, GLOBAL const quad *planes, GLOBAL const int *start,
                               int solids, struct obstacle_parameters p) {
    if (obstacles & OBSTACLE_SPHERE)
        x = sphere_kept_out(x, moves, p);
    if (obstacles & OBSTACLE_CONVEX)
        for (int b = 0; b < solids; ++b)
            x = convex_kept_out(x, moves, planes, start[b], start[b + 1] - start[b]);
    return x;
}

#endif
