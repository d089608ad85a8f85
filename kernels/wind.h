/* Wind: the force of air that flows with the same velocity everywhere, and that the body does not slow down.
 *
 * The force on a triangle follows the law of Terzopoulos, Platt, Barr and Fleischer, "Elastically deformable models",
 * SIGGRAPH 1987, section 4, for a viscous medium: f = c A ((u - v) . n) n, with the velocity u of the air and v of the
 * triangle, its area A and unit normal n. cetinaslan2019 does not state the law of its figure 2; this law is from a
 * paper that it cites. The law gives the same force for n and -n. The law is linear in u - v, so the largest stable
 * step does not depend on u. With a law with the square of u - v, a faster wind would reduce the largest stable
 * step. */
#ifndef SPRINGBACK_KERNELS_WIND_H
#define SPRINGBACK_KERNELS_WIND_H

#include "dialect.h"

#define WIND_TRIANGLES 1
#define WIND_UNIFORM   2 /* the same acceleration for every node that moves, independent of the body */
#define WIND_NORMALS   3 /* the component of an acceleration along the normal of each triangle at a node */

/* SI units; reals only. drag: c, kg/(m^2 s). */
struct wind_parameters {
    scalar velocity_x, velocity_y, velocity_z, drag;
    scalar acceleration_x, acceleration_y, acceleration_z;
};

/* The force on a triangle, in N, from the positions and velocities of its corners. With N = (b - a) x (c - a) = 2 A n,
 * the force is c / 2 ((u - v) . N) N / |N|. It is 0 if the triangle has no area. v is the mean velocity of the
 * corners. */
INLINE vec3 wind_on_triangle(vec3 a, vec3 b, vec3 c, vec3 va, vec3 vb, vec3 vc, struct wind_parameters p) {
    const vec3 normal = outer(subtract(b, a), subtract(c, a));
    const vec3 mean = scale(EVERYWHERE((scalar)0.333333333333333333), add(add(va, vb), vc));
    const vec3 stream = subtract(vec3_everywhere(p.velocity_x, p.velocity_y, p.velocity_z), mean);
    const real square = inner(normal, normal);
    const real inverse = WHERE(square > (scalar)1e-30, inverse_root(square));
    return scale((scalar)0.5 * p.drag * (inner(stream, normal) * inverse), normal);
}

#ifndef LANES
/* The force on node i, in N: a third of the force on each of its triangles. The triangles are added in the order
 * fan[fan_start[i]] to fan[fan_start[i + 1] - 1]. The corners of triangle t are triangle[3 t] to triangle[3 t + 2]. */
INLINE vec3 wind_on_node(int i, GLOBAL const int *fan_start, GLOBAL const int *fan, GLOBAL const int *triangle,
                         GLOBAL const quad *position, GLOBAL const quad *velocity, struct wind_parameters p) {
    vec3 sum = vec3_of(0, 0, 0);
    for (int k = fan_start[i]; k < fan_start[i + 1]; ++k) {
        const int first = 3 * fan[k], a = triangle[first], b = triangle[first + 1], c = triangle[first + 2];
        sum = add(sum, wind_on_triangle(xyz(position[a]), xyz(position[b]), xyz(position[c]), xyz(velocity[a]),
                                        xyz(velocity[b]), xyz(velocity[c]), p));
    }
    return scale((scalar)0.333333333333333333, sum);
}

/* Sum of n (n . a) over the triangles at node i, m/s^2, with their unit normals n and the acceleration a in p, as in a
 * later public program of cetinaslan2019's author: ozancetinaslan/espef_and_esbd, commit c021b14,
 * xpbd2020/mPHYSSolver.cpp:1355-1371, PHYSSolverCPU.cpp:67-73. */
INLINE vec3 wind_along_normals(int i, GLOBAL const int *fan_start, GLOBAL const int *fan, GLOBAL const int *triangle,
                               GLOBAL const quad *position, struct wind_parameters p) {
    const vec3 wind = vec3_of(p.acceleration_x, p.acceleration_y, p.acceleration_z);
    vec3 sum = vec3_of(0, 0, 0);
    for (int k = fan_start[i]; k < fan_start[i + 1]; ++k) {
        const int first = 3 * fan[k];
        const vec3 a = xyz(position[triangle[first]]), b = xyz(position[triangle[first + 1]]),
                   c = xyz(position[triangle[first + 2]]), normal = outer(subtract(b, a), subtract(c, a));
        const real square = inner(normal, normal), share = inner(normal, wind) * reciprocal(square);
        sum = add(sum, scale(WHERE(square > (scalar)1e-30, share), normal));
    }
    return sum;
}

/* The acceleration of node i by a wind of the given kind, m/s^2. The inverse mass is position's w; a pinned node is not
 * accelerated. For WIND_UNIFORM no array except position is read. */
INLINE vec3 wind_pull(int i, int kind, GLOBAL const int *fan_start, GLOBAL const int *fan, GLOBAL const int *triangle,
                      GLOBAL const quad *position, GLOBAL const quad *velocity, struct wind_parameters p) {
    const real inverse_mass = position[i].w;
    if (kind == WIND_TRIANGLES)
        return scale(inverse_mass, wind_on_node(i, fan_start, fan, triangle, position, velocity, p));
    if (kind == WIND_NORMALS)
        return vec3_where(inverse_mass > 0, wind_along_normals(i, fan_start, fan, triangle, position, p));
    return vec3_where((inverse_mass > 0) & (kind == WIND_UNIFORM),
                      vec3_of(p.acceleration_x, p.acceleration_y, p.acceleration_z));
}
#endif

#endif
