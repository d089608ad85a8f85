/* The mass-spring system of Va, Choi and Hong, "Parallel Cloth Simulation Using OpenGL Shading Language", CSSE, 2022,
 * section 3.1, equations (1) to (4).
 *
 * The method is node-centric: a node gathers the forces of its springs in a fixed order. Therefore no two work items
 * write to the same address, and every device adds in the same order. A step reads positions and velocities from one
 * pair of buffers and writes the new ones to another pair, because neighbours still need the old values.
 *
 * A position has in w the node's inverse mass in 1/kg (0: pinned). A velocity has in w the node's `share` of the
 * push or the torque, from 0 to 1.
 *
 * The springs of a grid follow from its columns and rows. Any other body, and a cloth with stored neighbours, is a
 * network, which stores a list of springs for each node. */
#ifndef SPRINGBACK_KERNELS_MASS_SPRING_H
#define SPRINGBACK_KERNELS_MASS_SPRING_H

#include "contact.h"
#include "dialect.h"

#define SPRINGS_STRUCTURAL 1
#define SPRINGS_SHEAR      2
#define SPRINGS_BEND       4

/* The same layout on host and device: reals first, then 4-byte integers. SI units. */
struct mass_spring_parameters {
    scalar stiffness, damping, step;
    scalar gravity_x, gravity_y, gravity_z;
    scalar push_x, push_y, push_z; /* acceleration by the push */
    /* Rest lengths of a grid's structural springs to the next column and to the next row, and of its shear springs. A
     * bend spring is twice as long as the structural spring in its direction. */
    scalar rest_column, rest_row, rest_shear;
    struct contact_parameters contact; /* of a network only, that is, a body with a list of springs */
    /* Of a network only: torque / sum |r|^2 (network_push); x and z of the torque's axis. */
    scalar twist, twist_x, twist_z;
    int columns, rows;        /* of a network: the number of nodes, and 1 */
    int springs;              /* the kinds of a grid's springs: a sum of SPRINGS_* */
    int push_begin, push_end; /* the push acts in the steps push_begin to push_end - 1 */
    int is_large;             /* whether nodes inside a grid use the branch without checks (GRID_IS_INSIDE) */
    /* Of a network only: a sum of CONTACT_*; the plate exists while fewer than plate_until steps are complete. */
    int contacts, plate_until;
    int spring_count, triangle_count; /* spring_count is 0 for a grid */
};

/* A node of a grid, or the first of LANES consecutive nodes, which may continue in the next row. If `checked`,
 * functions test whether a neighbour exists. If `checked` is 0, all neighbours of the nodes must exist. */
struct grid_node {
    int i, column, row;
    int checked;
};

/* Whether all neighbours of a node exist: the node is at least two rows and columns away from the border. Its
 * neighbours then need no check. Without checks a step of a large cloth takes a tenth less time on an H100. In a small
 * cloth nearly every warp has nodes at the border and would execute both branches, so is_large is 0. */
#define GRID_IS_INSIDE(column, row, p)                                                                                 \
    ((column) >= 2 && (column) < (p).columns - 2 && (row) >= 2 && (row) < (p).rows - 2)

/* A node's springs in a network. The first RING_RESIDENT + RING_MORE springs are resident data
 * (backend/opencl/frame_shape.h): a frame kernel keeps them in registers, which saves two successive reads of memory in
 * each step. The other springs are read RING_FETCH at a time. In C no springs are resident, because a processor's
 * caches have the same effect.
 *
 * A node with at most RING_RESIDENT springs skips the next RING_MORE places. On a large surface this rarely saves time,
 * because most warps have a node with more springs, and all lanes of the warp wait for this node. */
#ifdef ORDERED /* few nodes have more than RING_RESIDENT springs, and these nodes are in the same warps */
#define RING_RESIDENT 8
#define RING_ABSENT   0xffffu
#define RING_MORE     0
#define RING_FETCH    1
#elif defined __OPENCL_VERSION__
#define RING_RESIDENT 8 /* most nodes of a surface have six springs */
#define RING_MORE     4
#define RING_FETCH    4
#else
#define RING_RESIDENT 0
#define RING_MORE     0
#define RING_FETCH    1
#endif

struct ring {
    int begin, middle, end; /* the node's springs are begin .. end - 1; the springs before `middle` lead to its ring
                               (volume_constraint.h) */
    int neighbour[RING_RESIDENT + RING_MORE]; /* places without a spring have the node itself */
    scalar rest[RING_RESIDENT + RING_MORE];
#ifdef ORDERED
    uint packed[RING_RESIDENT / 2]; /* byte offsets of neighbours, two in a word; RING_ABSENT: no spring */
    int node;                       /* the node's index in the body, for buffers that are not ordered */
    int least, most; /* constants: fewest and most springs of the nodes that all lanes compute in one iteration */
#endif
};

/* The springs of node i. If `ring_end` is 0, `middle` is `end`. */
INLINE struct ring ring_load(int i, GLOBAL const int *start, GLOBAL const int *ring_end, GLOBAL const int *neighbour,
                             GLOBAL const scalar *rest) {
    struct ring ring;
    ring.begin = start[i];
    ring.end = start[i + 1];
    ring.middle = ring_end ? ring_end[i] : ring.end;
    UNROLLED
    for (int k = 0; k < RING_RESIDENT + RING_MORE; ++k) {
        const int is_there = ring.begin + k < ring.end;
        ring.neighbour[k] = is_there ? neighbour[ring.begin + k] : i;
        ring.rest[k] = is_there ? rest[ring.begin + k] : 0;
#ifdef ORDERED
        const uint packed = is_there ? (uint)ring.neighbour[k] : RING_ABSENT;
        ring.packed[k / 2] = k % 2 ? packed << 16 | ring.packed[k / 2] : packed;
#endif
    }
    return ring;
}

struct mass_spring {
    STATE_SPACE const quad *position, *velocity;
    STATE_SPACE quad *position_next, *velocity_next;
    GLOBAL const int *start, *neighbour; /* of a network: node i has the springs start[i] .. start[i + 1] - 1 */
    GLOBAL const scalar *rest;
    struct mass_spring_parameters p;
    int step; /* index of the time step, from 0 */
};

/* |d|. */
INLINE real length_of(vec3 d) {
    return inner(d, d) * inverse_root(inner(d, d));
}

/* The factor of d in (1) below, where d is p1 - p2, and u is v1 - v2. */
INLINE real spring_factor(vec3 d, vec3 u, real rest, scalar stiffness, scalar damping) {
    const real inverse = inverse_root(inner(d, d));
    const real damped = damping * inner(u, d) * inverse;
    return -(stiffness - (stiffness * rest - damped) * inverse);
}

/* (1): f1 = -[ks (|p1 - p2| - L0) + kd ((v1 - v2) . (p1 - p2)) / |p1 - p2|] (p1 - p2) / |p1 - p2|
 *
 * The force of a spring on its first end. If the ends are exchanged, the result is bit-identical except for the sign,
 * so (2), f2 = -f1, is exact. Our copy of the paper has no minus signs in (1) and (2). With d = p1 - p2 and the last
 * division by |d| moved into the bracket, equation (1) is -[ks - (ks L0 - kd (v1 - v2) . d / |d|) / |d|] d. If both
 * ends coincide, the force is 0, because d is 0, and the inverse root of 0 is large but finite. */
INLINE vec3 spring_force(vec3 p1, vec3 v1, vec3 p2, vec3 v2, real rest, scalar stiffness, scalar damping) {
    const vec3 d = subtract(p1, p2);
    return scale(spring_factor(d, subtract(v1, v2), rest, stiffness, damping), d);
}

/* The energy whose negative gradient is (1) without damping: ks (|p1 - p2| - L0)^2 / 2. */
INLINE real spring_energy(vec3 p1, vec3 p2, real rest, scalar stiffness) {
    const real stretch = length_of(subtract(p1, p2)) - rest;
    return stiffness * stretch * stretch / 2;
}

/* |p1 - p2| / L0 - 1. */
INLINE real spring_strain(vec3 p1, vec3 p2, real rest) {
    return (length_of(subtract(p1, p2)) - rest) / rest;
}

#ifndef LANES
/* A network stores the position and velocity of a node as quads, with the inverse mass in w of the position and the
 * share in w of the velocity.
 *
 * In some ensembles the nodes are ORDERED: they are in another order and in local memory (method/program.h: network).
 * ORDERED is then the number of nodes, and FIRST_NODE is the place of the body's node 0 in this order. x of the
 * velocity is in w of the position, and y and z of the velocity are a pair. After all these pairs follow the pairs of
 * inverse mass and share. A neighbour is then read with 24 bytes instead of 32. A spring stores the byte offset of its
 * neighbour's position, which saves a multiplication for each address. */
#ifdef ORDERED
#define VELOCITY_PAIR(i, velocity)          ((STATE_SPACE pair *)(velocity))[i]
#define INVERSE_MASS(i, position, velocity) VELOCITY_PAIR(ORDERED + (i), velocity).x
#define SHARE(i, velocity)                  VELOCITY_PAIR(ORDERED + (i), velocity).y
#else
#define INVERSE_MASS(i, position, velocity) (position)[i].w
#define SHARE(i, velocity)                  (velocity)[i].w
#define FIRST_NODE                          0
#endif

INLINE struct motion motion_at(quad x, quad v) {
    struct motion m;
    m.x = xyz(x);
    m.v = xyz(v);
    return m;
}

#ifdef ORDERED
INLINE struct motion motion_at_offset(uint offset, STATE_SPACE const quad *position, STATE_SPACE const quad *velocity) {
    const quad x = *(STATE_SPACE const quad *)((STATE_SPACE const uchar *)position + offset);
    const pair v = *(STATE_SPACE const pair *)((STATE_SPACE const uchar *)velocity + offset / 2);
    return motion_at(x, (quad)(x.w, v.x, v.y, 0));
}
#endif

INLINE struct motion node_motion(int i, STATE_SPACE const quad *position, STATE_SPACE const quad *velocity) {
#ifdef ORDERED
    return motion_at_offset((uint)i * sizeof(quad), position, velocity);
#else
    return motion_at(position[i], velocity[i]);
#endif
}

/* Store a node after a step. For ORDERED nodes, inverse_mass and share are ignored, because node_load has already
 * stored them. */
INLINE void node_store(int i, struct motion after, real inverse_mass, real share, STATE_SPACE quad *position,
                       STATE_SPACE quad *velocity) {
#ifdef ORDERED
    position[i] = quad_of(after.x, after.v.x);
    VELOCITY_PAIR(i, velocity) = (pair)(after.v.y, after.v.z);
#else
    position[i] = quad_of(after.x, inverse_mass);
    velocity[i] = quad_of(after.v, share);
#endif
}

#ifdef ORDERED
INLINE void node_load(int i, STATE_SPACE quad *position, STATE_SPACE quad *velocity, STATE_SPACE quad *other_velocity,
                      __global const quad *x, __global const quad *v) {
    node_store(i, motion_at(*x, *v), 0, 0, position, velocity);
    VELOCITY_PAIR(ORDERED + i, velocity) = VELOCITY_PAIR(ORDERED + i, other_velocity) = (pair)(x->w, v->w);
}

INLINE void node_unload(int i, STATE_SPACE quad *position, STATE_SPACE quad *velocity, STATE_SPACE quad *other_velocity,
                        __global quad *x, __global quad *v) {
    const struct motion m = node_motion(i, position, velocity);
    *x = quad_of(m.x, INVERSE_MASS(i, position, velocity));
    *v = quad_of(m.v, SHARE(i, velocity));
}

INLINE uint ring_packed(const struct ring *ring, int k) {
    return k % 2 ? ring->packed[k / 2] >> 16 : ring->packed[k / 2] & 0xffff;
}

/* Run `statement` for each spring of the ORDERED node i, in order. `statement` can use k, the spring's number from 0;
 * `offset`, the byte offset of its neighbour; and rest_length, its rest length. `bounds` has the members `least` and
 * `most` of struct ring. */
#define EACH_ORDERED_SPRING(i, ring, bounds, m, statement)                                                             \
    UNROLLED                                                                                                           \
    for (int k = 0; k < RING_RESIDENT; ++k)                                                                            \
        if (k < (bounds)->most) {                                                                                      \
            const uint offset = ring_packed(ring, k);                                                                  \
            const scalar rest_length = (ring)->rest[k];                                                                \
            if (k < (bounds)->least || offset != RING_ABSENT)                                                          \
                statement;                                                                                             \
        }                                                                                                              \
    if ((bounds)->most > RING_RESIDENT && ring_packed(ring, RING_RESIDENT - 1) != RING_ABSENT)                         \
        for (int k = RING_RESIDENT, s = (m)->start[i] + k; s < (m)->start[i + 1]; ++k, ++s) {                          \
            const uint offset = (uint)(m)->neighbour[s];                                                               \
            const scalar rest_length = (m)->rest[s];                                                                   \
            statement;                                                                                                 \
        }
#endif

/* The force on node `a` by its spring to node `b`. */
INLINE vec3 force_between(struct motion a, struct motion b, real rest, const struct mass_spring *m) {
    return spring_force(a.x, a.v, b.x, b.v, rest, m->p.stiffness, m->p.damping);
}

/* The neighbours of a grid's node in the order of summation: four structural, four shear, four bend. */
CONSTANT const int grid_right[12] = {-1, 1, 0, 0, -1, 1, -1, 1, -2, 2, 0, 0};
CONSTANT const int grid_down[12] = {0, 0, -1, 1, -1, -1, 1, 1, 0, 0, -2, 2};

/* Returns `force` plus the forces of the springs to four neighbours, k to k + 3 of grid_right; k is 0, 4 or 8. If
 * `checked`, neighbours may be missing. A missing neighbour adds +0, which changes no sum that began with +0. A CPU
 * computes the four springs as one vector. On an H100 a step of a large cloth takes 5 % less time with four springs at
 * a time than with one. */
INLINE vec3 grid_gather(vec3 force, int column, int row, int k, int checked, const struct mass_spring *m) {
    const int i = row * m->p.columns + column;
    const vec3 p = xyz(m->position[i]), v = xyz(m->velocity[i]);
    quad there[4], moving[4];
    real x[4], y[4], z[4], rest[4];
    int missing[4];
    UNROLLED
    for (int q = 0; q < 4; ++q) {
        const int right = grid_right[k + q], down = grid_down[k + q], c = column + right, r = row + down;
        missing[q] = checked && (c < 0 || c >= m->p.columns || r < 0 || r >= m->p.rows);
        const int j = missing[q] ? i : i + down * m->p.columns + right;
        there[q] = m->position[j];
        moving[q] = m->velocity[j];
        rest[q] = k == 4 ? m->p.rest_shear : (k == 0 ? 1 : 2) * (right == 0 ? m->p.rest_row : m->p.rest_column);
    }
    VECTOR
    for (int q = 0; q < 4; ++q) {
        const vec3 f = spring_force(p, v, xyz(there[q]), xyz(moving[q]), rest[q], m->p.stiffness, m->p.damping);
        x[q] = f.x;
        y[q] = f.y;
        z[q] = f.z;
    }
    UNROLLED
    for (int q = 0; q < 4; ++q)
        force = add(force, vec3_of(missing[q] ? 0 : x[q], missing[q] ? 0 : y[q], missing[q] ? 0 : z[q]));
    return force;
}

/* Sum of the spring forces (1) on a grid's node. */
INLINE vec3 grid_force(int column, int row, int checked, const struct mass_spring *m) {
    vec3 force = vec3_of(0, 0, 0);
    UNROLLED
    for (int type = 0; type < 3; ++type)
        if (m->p.springs >> type & 1)
            force = grid_gather(force, column, row, 4 * type, checked, m);
    return force;
}

/* Returns `force` plus the forces of up to `count` springs of node i. Spring k leads to neighbour[k] and exists if k <
 * `there`. */
INLINE vec3 gather_some(vec3 force, int i, const int *neighbour, const scalar *rest, const int count, int there,
                        const struct mass_spring *m) {
    const struct motion here = node_motion(i, m->position, m->velocity);
    UNROLLED
    for (int k = 0; k < count; ++k) {
        const struct motion far = node_motion(neighbour[k], m->position, m->velocity);
        const vec3 with = add(force, force_between(here, far, rest[k], m));
        force = k < there ? with : force;
    }
    return force;
}

/* The sum of the spring forces (1) on a network's node. For ORDERED nodes the sum begins with the first spring.
 * Beginning with +0 could only change the sign of a 0, which does not change the acceleration (velocity_after). */
INLINE vec3 network_force(int i, const struct ring *ring, const struct mass_spring *m) {
#ifdef ORDERED
    const struct motion here = node_motion(i, m->position, m->velocity);
    vec3 force = vec3_of(0, 0, 0);
    EACH_ORDERED_SPRING(i, ring, ring, m, {
        const struct motion far = motion_at_offset(offset, m->position, m->velocity);
        const vec3 one = force_between(here, far, rest_length, m);
        force = k ? add(force, one) : one;
    })
#else
    const int count = ring->end - ring->begin;
    vec3 force = gather_some(vec3_of(0, 0, 0), i, ring->neighbour, ring->rest, RING_RESIDENT, count, m);
    if (RING_MORE && count > RING_RESIDENT)
        force = gather_some(force, i, ring->neighbour + RING_RESIDENT, ring->rest + RING_RESIDENT, RING_MORE,
                            count - RING_RESIDENT, m);
    for (int first = ring->begin + RING_RESIDENT + RING_MORE; first < ring->end; first += RING_FETCH) {
        int neighbour[RING_FETCH];
        scalar rest[RING_FETCH];
        UNROLLED
        for (int k = 0; k < RING_FETCH; ++k) {
            const int slot = first + k < ring->end ? first + k : first;
            neighbour[k] = m->neighbour[slot];
            rest[k] = m->rest[slot];
        }
        force = gather_some(force, i, neighbour, rest, RING_FETCH, ring->end - first, m);
    }
#endif
    return force;
}

#endif

#ifndef NETWORK_IS_PUSHED /* on a device this macro is a compile-time constant, like NETWORK_CONTACTS */
#define NETWORK_IS_PUSHED 1
#endif

/* (4): v(t + dt) = v(t) + (g + F / M) dt. `push`, in m/s^2, is multiplied by the node's `share` and added to the
 * acceleration. A pinned node (inverse_mass 0) gets the velocity 0. No component of g is -0, so no component of g + F /
 * M is -0, for either sign of a zero force. */
INLINE vec3 velocity_after(vec3 v, vec3 force, real inverse_mass, real share, vec3 push,
                           struct mass_spring_parameters p) {
    const vec3 gravity = vec3_everywhere(p.gravity_x, p.gravity_y, p.gravity_z);
    vec3 acceleration = add(gravity, scale(inverse_mass, force));
    if (NETWORK_IS_PUSHED)
        acceleration = add(acceleration, scale(share, push));
    const vec3 after = add(v, scale(EVERYWHERE(p.step), acceleration));
    return vec3_where(inverse_mass > 0, after);
}

/* (3): p(t + dt) = p(t) + v(t + dt) dt. The paper calls this explicit Euler. With v(t + dt) it is symplectic Euler. */
INLINE vec3 position_after(vec3 x, vec3 velocity, struct mass_spring_parameters p) {
    return add(x, scale(EVERYWHERE(p.step), velocity));
}

/* The acceleration of the push in a step, in m/s^2; 0 if the push does not act in this step. */
INLINE vec3 push_in(int step, struct mass_spring_parameters p) {
    const int acts = step >= p.push_begin && step < p.push_end;
    return vec3_everywhere(acts ? p.push_x : 0, acts ? p.push_y : 0, acts ? p.push_z : 0);
}

#ifndef NETWORK_HAS_TWIST /* on a device this macro is a compile-time constant, like NETWORK_CONTACTS */
#define NETWORK_HAS_TWIST (p.twist != 0)
#endif

/* The acceleration of a network's node by the push and by a torque tau about a vertical axis. The torque is distributed
 * so that nodes of equal mass rotate like a rigid body: F = tau (y x r) / sum |r|^2, with the vertical unit vector y
 * and a node's horizontal vector r from the axis. The sum is over the nodes on which the torque acts. It is computed
 * once, from the initial positions, so the torque grows when the nodes move outward. va2023, section V, has a "torque
 * force" and prints no equation for it. */
INLINE vec3 network_push(vec3 x, real inverse_mass, int step, struct mass_spring_parameters p) {
    vec3 push = push_in(step, p);
    if (NETWORK_HAS_TWIST)
        push = add(push, scale(inverse_mass * p.twist, vec3_of(x.z - p.twist_z, EVERYWHERE(0), p.twist_x - x.x)));
    return push;
}

INLINE struct motion network_keep_out(struct motion m, word moves, int steps, struct mass_spring_parameters p) {
    const int contacts = NETWORK_CONTACTS;
    return contacts & CONTACT_APART ? m : contact_keep_out(m, moves, steps, p.step, contacts, p.plate_until, p.contact);
}

/* Whether network_keep_out moves the node if the node is not pinned (contact_touches). */
INLINE int network_touches(struct motion m, int steps, struct mass_spring_parameters p) {
    const int contacts = NETWORK_CONTACTS;
    return contacts & CONTACT_APART ? 0 : contact_touches(m, steps, p.step, contacts, p.plate_until, p.contact);
}

/* The motion of a network's node after step `step`. `force` is the force of its springs. */
INLINE struct motion network_after(struct motion here, vec3 force, real inverse_mass, real share, int step,
                                   struct mass_spring_parameters p) {
    struct motion after;
    after.v = velocity_after(here.v, force, inverse_mass, share, network_push(here.x, inverse_mass, step, p), p);
    after.x = position_after(here.x, after.v, p);
    return network_keep_out(after, inverse_mass > 0, step + 1, p);
}

#ifndef LANES
INLINE void integrate(int i, vec3 force, const struct mass_spring *m) {
    const quad x = m->position[i], v = m->velocity[i];
    const vec3 velocity = velocity_after(xyz(v), force, x.w, v.w, push_in(m->step, m->p), m->p);
    m->velocity_next[i] = quad_of(velocity, v.w);
    m->position_next[i] = quad_of(position_after(xyz(x), velocity, m->p), x.w);
}

/* One step of a grid's node. */
INLINE void mass_spring_grid_item(struct grid_node at, const struct mass_spring *m) {
    integrate(at.i, grid_force(at.column, at.row, at.checked, m), m);
}

#ifdef __OPENCL_VERSION__
/* This function does not use struct grid_node, because with that struct NVIDIA's compiler makes a frame of 64 x 64
 * nodes 13 to 41 % slower on an H200. */
INLINE void mass_spring_grid_all(int item, const struct mass_spring_parameters p, const struct mass_spring *m) {
    const int column = WORK_COLUMN(p.columns), row = WORK_ROW(p.columns);
    if (column >= p.columns || row >= p.rows)
        return;
    const int inside = GRID_IS_INSIDE(column, row, p);
    if (inside && p.is_large)
        integrate(row * m->p.columns + column, grid_force(column, row, 0, m), m);
    else
        integrate(row * m->p.columns + column, grid_force(column, row, 1, m), m);
}
#endif

/* Resident data of a network's node. */
INLINE struct ring mass_spring_load_resident_item(int i, const struct mass_spring *m) {
    return ring_load(i, m->start, 0, m->neighbour, m->rest);
}

INLINE struct ring mass_spring_load_resident_all(int i, const struct mass_spring_parameters p,
                                                 const struct mass_spring *m) {
    return mass_spring_load_resident_item(i < p.columns ? i : 0, m);
}

/* One step of a network's node. */
INLINE void mass_spring_network_resident_item(int i, const struct ring *ring, const struct mass_spring *m) {
    const real inverse_mass = INVERSE_MASS(i, m->position, m->velocity), share = SHARE(i, m->velocity);
    const struct motion after = network_after(node_motion(i, m->position, m->velocity), network_force(i, ring, m),
                                              inverse_mass, share, m->step, m->p);
    node_store(i, after, inverse_mass, share, m->position_next, m->velocity_next);
}

INLINE void mass_spring_network_item(int i, const struct mass_spring *m) {
    const struct ring ring = mass_spring_load_resident_item(i, m);
    mass_spring_network_resident_item(i, &ring, m);
}

/* Move a node out of ground and plate after step `step`, as a separate stage. */
INLINE void mass_spring_contact(int i, STATE_SPACE quad *position, STATE_SPACE quad *velocity,
                                struct mass_spring_parameters p, int step) {
    const quad x = position[i], v = velocity[i];
    const struct motion m =
        contact_keep_out(motion_at(x, v), x.w > 0, step + 1, p.step, p.contacts, p.plate_until, p.contact);
    position[i] = quad_of(m.x, x.w);
    velocity[i] = quad_of(m.v, v.w);
}

INLINE void mass_spring_contact_nodes_item(int i, const struct mass_spring *m) {
    mass_spring_contact(i, m->position_next, m->velocity_next, m->p, m->step);
}

/* ---- The method of va2023: spring-centric, algorithm 3 ---- */

struct mass_spring_paper {
    STATE_SPACE quad *position, *velocity;
    GLOBAL real *force;       /* [nodes][4]: x, y and z of the sum of forces in N; zero before a step */
    GLOBAL const int *spring; /* [springs][2]: the nodes at both ends */
    GLOBAL const scalar *rest;
    struct mass_spring_parameters p;
    int step;
};

#ifndef REAL_IS_double
INLINE void mass_spring_spring_forces_item(int s, const struct mass_spring_paper *m) {
    const int first = 2 * s, a = m->spring[first], b = m->spring[first + 1], to_a = 4 * a, to_b = 4 * b;
    const vec3 f = spring_force(xyz(m->position[a]), xyz(m->velocity[a]), xyz(m->position[b]), xyz(m->velocity[b]),
                                m->rest[s], m->p.stiffness, m->p.damping);
    atomic_add_real(&m->force[to_a], f.x);
    atomic_add_real(&m->force[to_a + 1], f.y);
    atomic_add_real(&m->force[to_a + 2], f.z);
    atomic_add_real(&m->force[to_b], -f.x);
    atomic_add_real(&m->force[to_b + 1], -f.y);
    atomic_add_real(&m->force[to_b + 2], -f.z);
}
#endif

/* Equations (2) and (3) of va2023: the new velocity and position, from the sum of the forces. The sum is then reset to
 * 0. */
INLINE void mass_spring_update_nodes_item(int i, const struct mass_spring_paper *m) {
    const quad x = m->position[i], v = m->velocity[i];
    const int at = 4 * i;
    const vec3 force = vec3_of(m->force[at], m->force[at + 1], m->force[at + 2]);
    const struct motion after = network_after(motion_at(x, v), force, x.w, v.w, m->step, m->p);
    m->velocity[i] = quad_of(after.v, v.w);
    m->position[i] = quad_of(after.x, x.w);
    m->force[at] = m->force[at + 1] = m->force[at + 2] = 0;
}
#endif

#define MASS_SPRING_KERNELS(KERNEL)                                                                                    \
    KERNEL(GRID, mass_spring, mass_spring_grid)                                                                        \
    KERNEL(LIST, mass_spring, mass_spring_network)                                                                     \
    KERNEL(LIST, mass_spring, mass_spring_contact_nodes)                                                               \
    KERNEL(FLOAT_LIST, mass_spring_paper, mass_spring_spring_forces)                                                   \
    KERNEL(FLOAT_LIST, mass_spring_paper, mass_spring_update_nodes)

#endif
