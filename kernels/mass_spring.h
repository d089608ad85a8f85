/* The mass-spring system of Va, Choi and Hong, "Parallel Cloth Simulation Using OpenGL Shading Language", CSSE,
 * 2022, section 3.1, equations (1) to (4).
 *
 * Node-centric: a node gathers the forces of its incident springs in a fixed order, so that no two work items write to
 * one place and every device adds in the same order. A position carries its inverse mass in w (0: pinned), a velocity
 * its share of the push in w. Positions and velocities are read from one pair of buffers and written to another,
 * because a neighbour still needs the old ones. */
#ifndef SPRINGBACK_KERNELS_MASS_SPRING_H
#define SPRINGBACK_KERNELS_MASS_SPRING_H

#include "dialect.h"

#define SPRINGS_STRUCTURAL 1
#define SPRINGS_SHEAR      2
#define SPRINGS_BEND       4

/* The same on host and device: reals first, then 4-byte integers. SI units. */
struct mass_spring_parameters {
    real stiffness, damping, step;
    real gravity_x, gravity_y, gravity_z;
    real push_x, push_y, push_z;            /* acceleration */
    real rest_column, rest_row, rest_shear; /* rest lengths of a grid's springs; bend springs are twice as long */
    int columns, rows;                      /* a network has one row */
    int springs;                            /* SPRINGS_*, of a grid */
    int push_begin, push_end;               /* steps: the push acts in [begin, end) */
    int is_large;                           /* whether a grid's inside goes its own way */
};

struct mass_spring {
    GLOBAL const quad *position, *velocity;
    GLOBAL quad *position_next, *velocity_next;
    GLOBAL const int *start, *neighbour; /* a network's rows: springs of node i are start[i] .. start[i + 1] */
    GLOBAL const real *rest;
    struct mass_spring_parameters p;
    int step; /* index, from 0 */
};

/* Added to a squared length before its root: too little to change the bits of any length over 1e-11 m in float (1e-7 m in
 * double), and enough that ends which coincide, and so have no direction, feel no force and no division by zero. A
 * comparison costs the H100 a ninth of the large cloth's time, this addition next to none. */
#define LENGTH_GUARD ((real)1e-30)

/* (1): f1 = -[ks (|p1 - p2| - L0) + kd ((v1 - v2) . (p1 - p2)) / |p1 - p2|] (p1 - p2) / |p1 - p2|
 *
 * The force of a spring on its first end; (2), f2 = -f1, holds to the last bit when the ends are exchanged. The print
 * loses its minus signs. */
INLINE vec3 spring_force(vec3 p1, vec3 v1, vec3 p2, vec3 v2, real rest, real stiffness, real damping) {
    const vec3 d = subtract(p1, p2);
    const real length = ROOT(inner(d, d) + LENGTH_GUARD);
    const real inverse = 1 / length;
    const real pull = stiffness * (length - rest) + damping * (inner(subtract(v1, v2), d) * inverse);
    return scale(-(pull * inverse), d);
}

/* The energy whose negative gradient is (1) without damping: ks (|p1 - p2| - L0)^2 / 2. */
INLINE real spring_energy(vec3 p1, vec3 p2, real rest, real stiffness) {
    const vec3 d = subtract(p1, p2);
    const real stretch = ROOT(inner(d, d)) - rest;
    return stiffness * stretch * stretch / 2;
}

/* |p1 - p2| / L0 - 1. */
INLINE real spring_strain(vec3 p1, vec3 p2, real rest) {
    const vec3 d = subtract(p1, p2);
    return (ROOT(inner(d, d)) - rest) / rest;
}

/* `force` and the force on node i of its spring to node j. */
INLINE vec3 gather(vec3 force, int i, int j, real rest, const struct mass_spring *m) {
    return add(force, spring_force(xyz(m->position[i]), xyz(m->velocity[i]), xyz(m->position[j]), xyz(m->velocity[j]),
                                   rest, m->p.stiffness, m->p.damping));
}

/* The neighbours of a grid's node in the order of summation: four structural, four shear, four bend. */
CONSTANT const int grid_right[12] = {-1, 1, 0, 0, -1, 1, -1, 1, -2, 2, 0, 0};
CONSTANT const int grid_down[12] = {0, 0, -1, 1, -1, -1, 1, 1, 0, 0, -2, 2};

/* `force` and that of the spring to the k-th neighbour; where `checked`, only if there is such a node. */
INLINE vec3 grid_gather(vec3 force, int column, int row, int k, int checked, const struct mass_spring *m) {
    const int c = column + grid_right[k], r = row + grid_down[k], i = row * m->p.columns + column;
    const real along = grid_right[k] == 0 ? m->p.rest_row : m->p.rest_column;
    if (checked && (c < 0 || c >= m->p.columns || r < 0 || r >= m->p.rows))
        return force;
    return gather(force, i, i + grid_down[k] * m->p.columns + grid_right[k],
                  k < 4   ? along
                  : k < 8 ? m->p.rest_shear
                          : 2 * along,
                  m);
}

/* Sum of (1) over the springs of a grid's node. */
INLINE vec3 grid_gather_all(int column, int row, int checked, const struct mass_spring *m) {
    vec3 force = vec3_of(0, 0, 0);
    UNROLLED
    for (int type = 0; type < 3; ++type)
        if (m->p.springs >> type & 1) {
            UNROLLED
            for (int k = 4 * type; k < 4 * type + 4; ++k)
                force = grid_gather(force, column, row, k, checked, m);
        }
    return force;
}

/* Two rows and columns from the border every neighbour is there and need not be looked for: a tenth of the large
 * cloth's time on the H100. In a small cloth nearly every warp holds border nodes, and would go both ways. */
INLINE vec3 grid_force(int column, int row, const struct mass_spring *m) {
    const int inside = column >= 2 && column < m->p.columns - 2 && row >= 2 && row < m->p.rows - 2;
    return inside && m->p.is_large ? grid_gather_all(column, row, 0, m) : grid_gather_all(column, row, 1, m);
}

/* The same over a network's stored springs. */
INLINE vec3 network_force(int i, const struct mass_spring *m) {
    vec3 force = vec3_of(0, 0, 0);
    for (int k = m->start[i]; k < m->start[i + 1]; ++k)
        force = gather(force, i, m->neighbour[k], m->rest[k], m);
    return force;
}

/* (4) v(t + dt) = v(t) + (g + F / M) dt, then (3) p(t + dt) = p(t) + v(t + dt) dt.
 *
 * The paper calls this explicit Euler; with v(t + dt) in (3) it is the symplectic one. */
INLINE void integrate(int i, vec3 force, const struct mass_spring *m) {
    const quad p = m->position[i], v = m->velocity[i];
    vec3 velocity = vec3_of(0, 0, 0);
    if (p.w > 0) {
        vec3 acceleration = add(vec3_of(m->p.gravity_x, m->p.gravity_y, m->p.gravity_z), scale(p.w, force));
        if (m->step >= m->p.push_begin && m->step < m->p.push_end)
            acceleration = add(acceleration, scale(v.w, vec3_of(m->p.push_x, m->p.push_y, m->p.push_z)));
        velocity = add(xyz(v), scale(m->p.step, acceleration));
    }
    m->velocity_next[i] = quad_of(velocity, v.w);
    m->position_next[i] = quad_of(add(xyz(p), scale(m->p.step, velocity)), p.w);
}

/* One step of a grid's node. */
INLINE void mass_spring_grid_step(int column, int row, const struct mass_spring *m) {
    integrate(row * m->p.columns + column, grid_force(column, row, m), m);
}

/* One step of a network's node. */
INLINE void mass_spring_network_step(int i, const struct mass_spring *m) {
    integrate(i, network_force(i, m), m);
}

#endif
