/* Extended position based dynamics: Macklin, Mueller and Chentanez, "XPBD: Position-Based Simulation of Compliant
 * Constrained Dynamics", MIG, 2016, as in Cetinaslan, "Parallel XPBD Simulation of Modified Morse Potential - an
 * Alternative Spring Model", 2019, algorithm 1, with its four springs and its volume constraint.
 *
 * A constraint C with compliance alpha has a multiplier lambda, which is 0 at the start of a step and accumulates over
 * the step's iterations. With the time step h, alpha' = alpha / h^2 (alpha tilde of Macklin et al.), Rayleigh damping
 * beta and gamma = alpha beta / h, a projection is
 *
 *     dlambda = (-C - alpha' lambda - gamma grad C . (x - x_n)) / ((1 + gamma) sum of w |grad C|^2 + alpha'),
 *     dx_k = w_k grad_k C dlambda,
 *
 * where x_n is the position at the start of the step. These are (4), with damping, and (3) of the paper. The paper's
 * section 5.2 uses the damping of Macklin et al., but prints only its dissipation function, beta (dC/dt)^2 / 2. The
 * equation of dlambda is that of Macklin et al. For alpha > 0 the damping force does not depend on alpha. For alpha =
 * 0, gamma is 0, so beta has no effect.
 *
 * The iterations converge to C = -alpha' lambda. This state is not the equilibrium of the energy C^2 / 2 alpha, because
 * the displacement is the sum of w dlambda grad C over the iterations, each with its own gradient. If the size of the
 * gradient changes with the length, as for all springs except stretching, the rest position of a hanging weight depends
 * on the gradient at the predicted position. The error is of the order of h^2.
 *
 * "Program D" in the comments below is a later public program of the paper's author: ozancetinaslan/espef_and_esbd,
 * commit c021b14. It is probably a successor of the paper's program, but this is not proven. Line numbers without a
 * file are those of xpbd2020/PHYSSolverCPU.cpp. */
#ifndef SPRINGBACK_KERNELS_XPBD_H
#define SPRINGBACK_KERNELS_XPBD_H

#include "dialect.h"
#include "exponential.h"
#include "obstacle.h"
#include "wind.h"

#define XPBD_STRETCHING 0
#define XPBD_HOOKEAN    1
#define XPBD_STVK       2
#define XPBD_MORSE      3
#define XPBD_UNMODIFIED 4 /* Morse's original potential */
#define XPBD_PRINTED    5 /* the modified potential with its gradient as printed */
#define XPBD_SPRINGS    6

#define XPBD_DAMPED_PAIRS 1 /* a spring damps the relative motion of its ends */
#define XPBD_DAMPED_ENDS  2 /* a spring damps each end's own motion (struct ends) */

/* Reals first, then 4-byte integers. SI units; the unit of a compliance depends on that of the constraint. */
struct xpbd_parameters {
    scalar step, rate; /* rate: 1 / step */
    scalar gravity_x, gravity_y, gravity_z;
    scalar stiffness;           /* k of (7) and (15) to (17); D of (5) and (6) */
    scalar exponent, depth;     /* a of (5) and (6); depth: 0 for (5), D for (6), which is (5) minus D */
    scalar compliance, damping; /* alpha' and gamma of springs; of elements: alpha' (xpbd_hyperelastic.h) and 0 */
    scalar volume_compliance, volume_damping; /* alpha' and gamma of ghost tetrahedra */
    scalar shear, lame;      /* in xpbd_hyperelastic.h: Lame's mu and lambda, divided by Young's modulus */
    scalar share;            /* 1 / nodes: weight of a node in the mean of all nodes */
    scalar velocity_damping; /* k of Mueller et al. (2007), in each step */
    /* unrelaxed: 1 / relaxation; centre_weight: inverse mass of a ghost's centre, 1/kg. */
    scalar relaxation, unrelaxed, centre_weight;
    struct obstacle_parameters obstacle;
    struct wind_parameters wind;
    int nodes;
    int constraints, triangles; /* constraints: springs or elements; triangles: ghost tetrahedra */
    int spring;                 /* kind of spring: XPBD_STRETCHING to XPBD_PRINTED */
    int material, is_root; /* `material` of elements: ELEMENT_*; is_root: whether C = sqrt(2 U) (xpbd_hyperelastic.h) */
    int is_damped;         /* XPBD_DAMPED_PAIRS or XPBD_DAMPED_ENDS; 0 without damping */
    int obstacles, solids; /* the set of obstacles (OBSTACLE_*); number of convex bodies */
    int wind_kind;         /* WIND_*; 0 without wind */
};

INLINE int xpbd_multipliers(const struct xpbd_parameters *p) {
    return p->constraints * (p->is_damped == XPBD_DAMPED_ENDS ? 2 : 1);
}

/* For a device these macros are compile-time constants. */
#ifndef XPBD_SPRING
#define XPBD_SPRING p->spring
#endif
#ifndef XPBD_IS_DAMPED
#define XPBD_IS_DAMPED p->is_damped
#endif
#ifndef XPBD_OBSTACLES
#define XPBD_OBSTACLES p->obstacles
#endif
#ifndef XPBD_CONSTRAINTS
#define XPBD_CONSTRAINTS m->p.constraints
#define XPBD_TRIANGLES   m->p.triangles
#endif
#ifndef XPBD_IS_PACKED
#define XPBD_IS_PACKED 0
#endif
#ifndef XPBD_WIND
#define XPBD_WIND p->wind_kind
#endif

/* ---- Constraints ---- */

/* Returns dlambda, (4) with damping. `value` is C, `square` is the sum of w |grad C|^2, `moved` is grad C . (x -
 * x_n), `compliance` is alpha', and `damping` is gamma. The result is 0 if the denominator is at most 1e-30 or at least
 * 1e30. For example, the denominator is 0 if nothing can move and alpha' is 0. */
INLINE real xpbd_change(real value, real square, real moved, real multiplier, scalar compliance, scalar damping) {
    const real sum = ((scalar)1 + damping) * square + compliance;
    const word is_there = (sum > (scalar)1e-30) & (sum < (scalar)1e30);
    const real against = value + compliance * multiplier + damping * moved;
    return WHERE(is_there, -against * reciprocal(EITHER(is_there, sum, EVERYWHERE((scalar)1))));
}

/* A spring's C, and its derivative with respect to the length. */
struct spring_value {
    real value, slope;
};

/* For a spring of length l, rest length l0 and stiffness k:
 *
 *     stretching (15): C = k (l - l0);           dC/dl = k
 *     Hookean (16):    C = k (l - l0)^2 / 2;     dC/dl = k (l - l0)
 *     StVK (17):       C = k (l^2 - l0^2)^2 / 2; dC/dl = 2 k (l^2 - l0^2) l
 *     Morse (7):       C = k (1 - e^s)^2, s = l - l0; dC/dl = -2 k (1 - e^s) e^s
 *     as printed:      C of (7);              dC/dl = 2 k (e^l - 1) e^l
 *     unmodified (5):  C = D (1 - e^-as)^2;   dC/dl = 2 D a (1 - e^-as) e^-as
 *     unmodified (6):  C = D e^-2as - 2 D e^-as, which is (5) minus D; the same slope.
 *
 * (8) and (9) lack l0: they are the gradient of (7) only for l0 = 0. As printed, they contract a spring of any length.
 * The exponent s of (7) is a length, used as a number of metres.
 *
 * Each exponent is limited to 8; e^8 is 2981. A spring by (7) that is more than 8 m too long pulls like one that is 8 m
 * too long. An unmodified spring that is too short by more than 8 / a pushes like one that is too short by 8 / a. Even
 * without these limits, the change of length by a projection would be almost constant for exponents above 8. With
 * compliance 0 the change would be (1 - e^-s) / 2 m for (7), and (1 - e^-t) / 2a for (5), where t = -as. The square of
 * the gradient, 4 k^2 e^4s, stays below the limit in xpbd_change if w k^2 < 1e15. */
INLINE real spring_exponential(real x) {
    return exponential_up_to(x, 8);
}

INLINE struct spring_value spring_value_of(const int spring, real length, real rest, const struct xpbd_parameters *p) {
    const scalar stiffness = p->stiffness;
    struct spring_value s;
    const real longer = length - rest;
    if (spring == XPBD_STRETCHING) {
        s.value = stiffness * longer;
        s.slope = EVERYWHERE(stiffness);
    } else if (spring == XPBD_HOOKEAN) {
        s.slope = stiffness * longer;
        s.value = (scalar)0.5 * s.slope * longer;
    } else if (spring == XPBD_STVK) {
        const real squares = longer * (length + rest);
        s.value = (scalar)0.5 * stiffness * squares * squares;
        s.slope = (scalar)2 * stiffness * squares * length;
    } else if (spring == XPBD_UNMODIFIED) {
        const real left = spring_exponential(-p->exponent * longer), missing = (scalar)1 - left;
        s.value = stiffness * missing * missing - p->depth;
        s.slope = (scalar)2 * stiffness * p->exponent * missing * left;
    } else {
        const real grown = spring_exponential(longer), missing = (scalar)1 - grown;
        s.value = stiffness * missing * missing;
        s.slope = (scalar)-2 * stiffness * missing * grown;
        if (spring == XPBD_PRINTED) {
            const real printed = spring_exponential(length);
            s.slope = (scalar)2 * stiffness * (printed - (scalar)1) * printed;
        }
    }
    return s;
}

/* The projection of a spring between x_1 and x_2: dx_1 = -w_1 `correction`, dx_2 = w_2 `correction`. Ends that coincide
 * have no direction and do not move. |grad C| at each end is |slope|. `before` is x_2 - x_1 at the start of the step,
 * and is used only with damping. */
struct spring_change {
    vec3 correction;
    real multiplier; /* the new lambda */
};

INLINE struct spring_change spring_changed(const int spring, const int is_damped, vec3 x1, real w1, vec3 x2, real w2,
                                           vec3 before, real rest, real multiplier, const struct xpbd_parameters *p) {
    struct spring_change c;
    const vec3 d = subtract(x2, x1);
    const real square = inner(d, d), inverse = inverse_root(square);
    const struct spring_value s = spring_value_of(spring, square * inverse, rest, p);
    const vec3 gradient = scale(s.slope * inverse, d);
    const real moved = is_damped ? inner(gradient, subtract(d, before)) : EVERYWHERE((scalar)0);
    const real change = xpbd_change(s.value, (w1 + w2) * (s.slope * s.slope), moved, multiplier, p->compliance,
                                    is_damped ? p->damping : 0);
    c.correction = scale(p->relaxation * change, gradient);
    c.multiplier = multiplier + change;
    return c;
}

/* Project a spring with damping of each end k by its own motion since x_n, and with a multiplier for each end:
 *
 *     dlambda_k = (-C - alpha' lambda_k - gamma grad_k C . (x_k - x_kn)) / ((1 + gamma) sum of w |grad C|^2 + alpha'),
 *     dx_k = relaxation w_k grad_k C dlambda_k.
 *
 * This damping also damps the motion of the whole body. Program D uses these equations (:371-388), with masses of 1 in
 * the denominator (:358), a relaxation of 0.5 (:387-388), and gamma = alpha beta / h (:371-372). In the denominator
 * program D treats pinned nodes as free. It moves them back after each iteration (:140). Here w of a pinned node is
 * 0. */
struct ends {
    vec3 x[2], before[2]; /* before: x_n */
    real w[2], multiplier[2];
};

INLINE void ends_project(const int spring, struct ends *e, real rest, const struct xpbd_parameters *p) {
    const vec3 d = subtract(e->x[1], e->x[0]);
    const real square = inner(d, d), inverse = inverse_root(square);
    const struct spring_value s = spring_value_of(spring, square * inverse, rest, p);
    UNROLLED
    for (int k = 0; k < 2; ++k) {
        const vec3 gradient = scale(k ? s.slope * inverse : -(s.slope * inverse), d);
        const real change =
            xpbd_change(s.value, (e->w[0] + e->w[1]) * (s.slope * s.slope),
                        inner(gradient, subtract(e->x[k], e->before[k])), e->multiplier[k], p->compliance, p->damping);
        e->x[k] = add(e->x[k], scale(e->w[k], scale(p->relaxation * change, gradient)));
        e->multiplier[k] = e->multiplier[k] + change;
    }
}

/* The projection of a ghost tetrahedron, (10) to (14). C is the volume of the tetrahedron of a triangle and the centre,
 * minus its rest volume. `corner` has the vectors from the centre to the corners. `moved` has the changes of these
 * vectors since the start of the step, and is used only with damping. The centre has an inverse mass of zero. */
struct volume_change {
    vec3 correction[3]; /* dx_k = w_k correction[k] */
    real multiplier;
};

INLINE struct volume_change volume_changed(const int is_damped, const vec3 corner[3], const real w[3],
                                           const vec3 moved[3], real rest, real multiplier,
                                           const struct xpbd_parameters *p) {
    const scalar sixth = (scalar)0.16666666666666666667;
    struct volume_change c;
    vec3 gradient[3];
    real square = EVERYWHERE((scalar)0), along = EVERYWHERE((scalar)0);
    UNROLLED
    for (int k = 0; k < 3; ++k) {
        gradient[k] = scale(EVERYWHERE(sixth), outer(corner[(k + 1) % 3], corner[(k + 2) % 3]));
        square = square + w[k] * inner(gradient[k], gradient[k]);
        if (is_damped)
            along = along + inner(gradient[k], moved[k]);
    }
    const real value = inner(gradient[0], corner[0]) - rest;
    const real change =
        xpbd_change(value, square, along, multiplier, p->volume_compliance, is_damped ? p->volume_damping : 0);
    UNROLLED
    for (int k = 0; k < 3; ++k)
        c.correction[k] = scale(change, gradient[k]);
    c.multiplier = multiplier + change;
    return c;
}

/* ---- Start and end of a step ---- */

/* Line 2 of algorithm 1. xpbd_forced returns v + h a, where a is gravity plus `pull`, in m/s^2. xpbd_moved returns x +
 * h v. xpbd_predicted returns x + h v + h^2 a. A pinned node does not move. */
INLINE vec3 xpbd_forced(vec3 v, vec3 pull, const struct xpbd_parameters *p) {
    const vec3 gravity = vec3_everywhere(p->gravity_x, p->gravity_y, p->gravity_z);
    return add(v, scale(EVERYWHERE(p->step), add(gravity, pull)));
}

INLINE vec3 xpbd_moved(vec3 x, vec3 v, real inverse_mass, const struct xpbd_parameters *p) {
    return add(x, vec3_where(inverse_mass > 0, scale(EVERYWHERE(p->step), v)));
}

INLINE vec3 xpbd_predicted(vec3 x, vec3 v, vec3 pull, real inverse_mass, const struct xpbd_parameters *p) {
    return xpbd_moved(x, xpbd_forced(v, pull, p), inverse_mass, p);
}

/* Line 14: (x - x_n) / h, where `after` is x, and `x` is x_n. */
INLINE vec3 xpbd_velocity(vec3 after, vec3 x, const struct xpbd_parameters *p) {
    return scale(EVERYWHERE(p->rate), subtract(after, x));
}

/* ---- Damping of all motion except the rigid motion of the whole body ----
 *
 * Mueller, Heidelberger, Hennix and Ratcliff, "Position Based Dynamics", 2007, section 3.5. This damping follows the
 * forces and precedes the prediction. With the centre x_c, its velocity v_c, r_i = x_i - x_c, L = sum of r_i x m_i v_i
 * and the inertia I = sum of m_i (r_i . r_i - r_i r_i^T), the angular velocity of the body is w = I^-1 L, and
 *
 *     v_i += k (v_c + w x r_i - v_i).
 *
 * The sums are over the nodes that move, because a pinned node has an infinite mass. All masses are equal here and
 * cancel out. L is computed from v_i - v_c instead of v_i, which gives the same L. */

/* I^-1 L by cofactors. `momentum` is L; `diagonal` is the diagonal of I; `across` has the elements xy, xz and yz of I.
 * Points on a line have no inertia and no angular momentum about this line. If the determinant of I / trace(I) is at
 * most 1e-5, the points are treated as points on a line. The result is then only the component of I^-1 L perpendicular
 * to the line. For one point the result is 0. */
INLINE vec3 angular_velocity(vec3 momentum, vec3 diagonal, vec3 across) {
    const real trace = diagonal.x + diagonal.y + diagonal.z;
    const word is_there = (trace > (scalar)1e-30) & (trace < (scalar)1e30);
    const real inverse = WHERE(is_there, reciprocal(EITHER(is_there, trace, EVERYWHERE((scalar)1))));
    const vec3 l = scale(inverse, momentum), d = scale(inverse, diagonal), c = scale(inverse, across);
    const real xx = d.y * d.z - c.z * c.z, yy = d.x * d.z - c.y * c.y, zz = d.x * d.y - c.x * c.x;
    const real xy = c.y * c.z - c.x * d.z, xz = c.x * c.z - c.y * d.y, yz = c.x * c.y - c.z * d.x;
    const real determinant = d.x * xx + c.x * xy + c.y * xz;
    const word is_solid = determinant > (scalar)1e-5;
    const real over = reciprocal(EITHER(is_solid, determinant, EVERYWHERE((scalar)1)));
    const vec3 product =
        vec3_of(xx * l.x + xy * l.y + xz * l.z, xy * l.x + yy * l.y + yz * l.z, xz * l.x + yz * l.y + zz * l.z);
    return vec3_either(is_solid, scale(over, product), scale(EVERYWHERE((scalar)2), l));
}

/* ---- Items of lists ---- */

struct xpbd {
    GLOBAL quad *position, *velocity;
    FRAME_SPACE quad *predicted;                        /* inverse mass in w */
    SPARE_SPACE scalar *multiplier, *volume_multiplier; /* lambda of springs or elements; lambda of ghost tetrahedra */
    TOTAL centre;                                       /* sum of predicted positions over the nodes */
    TOTAL centre_before;                                /* sum of positions at the start of the step */
    GLOBAL const int *particle;                         /* [springs][2], [triangles][3] or [elements][4] */
    GLOBAL const scalar *rest; /* of springs: lengths; of ghost tetrahedra: volumes; of elements: xpbd_element.rest */
    GLOBAL const int *packed;  /* if XPBD_IS_PACKED: `particle`, two in a word */
    GLOBAL scalar *before;     /* [3][springs] or [9][triangles], only with damping: vectors at the start of the step */
    GLOBAL const quad *planes; /* of convex bodies, as in obstacle.h */
    GLOBAL const int *solid_start;
    GLOBAL const int *fan_start, *fan, *corner; /* of a wind, as in wind.h */
    /* Only with damping of velocities. `forced` has a node's velocity after the forces, which is also the node's term
     * of the sum of velocities. place_share has the node's term of the sum of positions, with 1 in w. momentum_share
     * has the node's term of the angular momentum. diagonal_share and across_share have the node's terms of the
     * inertia: of the diagonal, and of the other elements. All terms of pinned nodes are 0. */
    GLOBAL quad *forced, *place_share, *momentum_share, *diagonal_share, *across_share;
    TOTAL place; /* sum of place_share */
    TOTAL whole; /* sum of `forced` */
    TOTAL momentum;
    TOTAL diagonal;
    TOTAL across;
    struct xpbd_parameters p;
    int step;
};

#ifndef LANES

INLINE vec3 xpbd_pull(int i, const struct xpbd *m) {
    const struct xpbd_parameters *p = &m->p;
    vec3 pull = vec3_of(0, 0, 0);
    if (XPBD_WIND)
        pull = wind_pull(i, XPBD_WIND, m->fan_start, m->fan, m->corner, m->position, m->velocity, p->wind);
    return pull;
}

/* Reset to 0 multiplier i, i + nodes, i + 2 nodes and so on, of each kind. All nodes together reset all multipliers. */
INLINE void xpbd_forget(int i, const struct xpbd *m) {
    for (int c = i; c < xpbd_multipliers(&m->p); c += m->p.nodes)
        m->multiplier[c] = 0;
    for (int c = i; c < m->p.triangles; c += m->p.nodes)
        m->volume_multiplier[c] = 0;
}

/* Predict node i, and reset the multipliers for which this node is responsible (xpbd_forget). */
INLINE void xpbd_predict_item(int i, const struct xpbd *m) {
    const quad x = m->position[i], v = m->velocity[i];
    m->predicted[i] = quad_of(xpbd_predicted(xyz(x), xyz(v), xpbd_pull(i, m), x.w, &m->p), x.w);
    xpbd_forget(i, m);
}

/* With damping, xpbd_before_item stores the vector between the ends of spring c at the start of the step.
 * xpbd_volume_before_item stores the vectors from the centre to the corners of ghost tetrahedron c. Each iteration
 * reads these vectors. Consecutive items read consecutive addresses. */
INLINE void xpbd_before_item(int c, const struct xpbd *m) {
    const int count = m->p.constraints, first = 2 * c;
    const vec3 d = subtract(xyz(m->position[m->particle[first + 1]]), xyz(m->position[m->particle[first]]));
    m->before[c] = d.x;
    m->before[count + c] = d.y;
    m->before[2 * count + c] = d.z;
}

INLINE vec3 xpbd_mean(quad total, const struct xpbd_parameters *p) {
    return scale(p->share, xyz(total));
}

INLINE void xpbd_volume_before_item(int c, const struct xpbd *m) {
    const vec3 centre = xpbd_mean(TOTAL_OF(m->centre_before), &m->p);
    const int count = m->p.triangles;
    for (int k = 0; k < 3; ++k) {
        const vec3 d = subtract(xyz(m->position[m->particle[3 * c + k]]), centre);
        m->before[(3 * k) * count + c] = d.x;
        m->before[(3 * k + 1) * count + c] = d.y;
        m->before[(3 * k + 2) * count + c] = d.z;
    }
}

/* With damping of velocities, three kernels replace xpbd_predict_item: xpbd_force_item, xpbd_momentum_item and
 * xpbd_damp_item. Sums follow each of the first two. */
INLINE void xpbd_force_item(int i, const struct xpbd *m) {
    const quad x = m->position[i], v = m->velocity[i];
    m->place_share[i] = quad_of(vec3_where(x.w > 0, xyz(x)), x.w > 0 ? 1 : 0);
    m->forced[i] = quad_of(vec3_where(x.w > 0, xpbd_forced(xyz(v), xpbd_pull(i, m), &m->p)), 0);
}

/* The mean of `count` values. The mean is computed by division, because a mean with an error of some units in the last
 * place would slow down the whole body. */
INLINE vec3 xpbd_mean_of(quad total, scalar count) {
    return scale((scalar)1 / count, xyz(total));
}

INLINE void xpbd_momentum_item(int i, const struct xpbd *m) {
    const quad x = m->position[i], place = TOTAL_OF(m->place);
    const vec3 r = subtract(xyz(x), xpbd_mean_of(place, place.w)),
               u = subtract(xyz(m->forced[i]), xpbd_mean_of(TOTAL_OF(m->whole), place.w));
    const vec3 diagonal = vec3_of(r.y * r.y + r.z * r.z, r.x * r.x + r.z * r.z, r.x * r.x + r.y * r.y),
               across = vec3_of(-r.x * r.y, -r.x * r.z, -r.y * r.z);
    m->momentum_share[i] = quad_of(vec3_where(x.w > 0, outer(r, u)), 0);
    m->diagonal_share[i] = quad_of(vec3_where(x.w > 0, diagonal), 0);
    m->across_share[i] = quad_of(vec3_where(x.w > 0, across), 0);
}

INLINE void xpbd_damp_item(int i, const struct xpbd *m) {
    const struct xpbd_parameters *p = &m->p;
    const quad x = m->position[i], place = TOTAL_OF(m->place);
    const vec3 v = xyz(m->forced[i]), r = subtract(xyz(x), xpbd_mean_of(place, place.w)),
               rotation =
                   angular_velocity(xyz(TOTAL_OF(m->momentum)), xyz(TOTAL_OF(m->diagonal)), xyz(TOTAL_OF(m->across))),
               rigid = add(xpbd_mean_of(TOTAL_OF(m->whole), place.w), outer(rotation, r)),
               damped = add(v, scale(p->velocity_damping, subtract(rigid, v)));
    m->predicted[i] = quad_of(xpbd_moved(xyz(x), damped, x.w, p), x.w);
    xpbd_forget(i, m);
}

/* Section 5.2: a node in an obstacle is moved onto the obstacle's surface. */
INLINE void xpbd_collide_item(int i, const struct xpbd *m) {
    const struct xpbd_parameters *p = &m->p;
    const quad x = m->predicted[i];
    m->predicted[i] = quad_of(
        obstacles_kept_out(xyz(x), x.w > 0, XPBD_OBSTACLES, m->planes, m->solid_start, p->solids, p->obstacle), x.w);
}

INLINE void xpbd_update_item(int i, const struct xpbd *m) {
    const quad x = m->position[i], v = m->velocity[i];
    const vec3 after = xyz(m->predicted[i]);
    m->velocity[i] = quad_of(xpbd_velocity(after, xyz(x), &m->p), v.w);
    m->position[i] = quad_of(after, x.w);
}

/* The number of words for a constraint's particles. A word has one particle, or two if XPBD_IS_PACKED, which keeps the
 * number of prefetched words small. */
#define XPBD_WORDS(particles) (XPBD_IS_PACKED ? ((particles) + 1) / 2 : (particles))

INLINE int xpbd_word(int words, int k, int c, const struct xpbd *m) {
    return XPBD_IS_PACKED ? m->packed[words * c + k] : m->particle[words * c + k];
}

INLINE int xpbd_particle(const int *words, int k) {
    return XPBD_IS_PACKED ? words[k / 2] >> 16 * (k % 2) & 0xffff : words[k];
}

/* Data of a spring that can be read early, because no other work item writes these data. The data are the particles,
 * the rest length, the multiplier and, with damping, the vector between the ends at the start of the step. The
 * projection changes only the multiplier among these data. */
struct xpbd_pair {
    int words[XPBD_WORDS(2)];
    scalar rest, multiplier;
    vec3 before; /* used only with damping and if FRAME_IS_CACHED */
};

INLINE vec3 xpbd_spring_before(int c, const struct xpbd *m) {
    const int count = XPBD_CONSTRAINTS;
    return vec3_of(m->before[c], m->before[count + c], m->before[2 * count + c]);
}

INLINE struct xpbd_pair xpbd_spring_prefetch_item(int c, const struct xpbd *m) {
    const struct xpbd_parameters *p = &m->p;
    struct xpbd_pair pair;
    UNROLLED
    for (int k = 0; k < XPBD_WORDS(2); ++k)
        pair.words[k] = xpbd_word(XPBD_WORDS(2), k, c, m);
    pair.rest = m->rest[c];
    pair.multiplier = m->multiplier[c];
    pair.before = vec3_of(0, 0, 0);
    if (XPBD_IS_DAMPED && FRAME_IS_CACHED)
        pair.before = xpbd_spring_before(c, m);
    return pair;
}

INLINE void xpbd_spring_apply_item(int c, struct xpbd_pair *pair, const struct xpbd *m) {
    const struct xpbd_parameters *p = &m->p;
    vec3 before = pair->before;
    if (XPBD_IS_DAMPED)
        before = FRAME_IS_CACHED ? before : xpbd_spring_before(c, m);
    const int a = xpbd_particle(pair->words, 0), b = xpbd_particle(pair->words, 1);
    const quad x = m->predicted[a], y = m->predicted[b];
    const struct spring_change s =
        spring_changed(XPBD_SPRING, XPBD_IS_DAMPED, xyz(x), x.w, xyz(y), y.w, before, pair->rest, pair->multiplier, p);
    m->predicted[a] = quad_of(subtract(xyz(x), scale(x.w, s.correction)), x.w);
    m->predicted[b] = quad_of(add(xyz(y), scale(y.w, s.correction)), y.w);
    pair->multiplier = s.multiplier;
}

INLINE void xpbd_spring_write_back_item(int c, const struct xpbd_pair *pair, const struct xpbd *m) {
    m->multiplier[c] = pair->multiplier;
}

INLINE void xpbd_spring_item(int c, const struct xpbd *m) {
    struct xpbd_pair pair = xpbd_spring_prefetch_item(c, m);
    xpbd_spring_apply_item(c, &pair, m);
    xpbd_spring_write_back_item(c, &pair, m);
}

/* A spring with damping of each end by its own motion. Multipliers are [2][springs]. */
INLINE void xpbd_ends_item(int c, const struct xpbd *m) {
    const struct xpbd_parameters *p = &m->p;
    int words[XPBD_WORDS(2)];
    struct ends e;
    for (int k = 0; k < XPBD_WORDS(2); ++k)
        words[k] = xpbd_word(XPBD_WORDS(2), k, c, m);
    for (int k = 0; k < 2; ++k) {
        e.x[k] = xyz(m->predicted[xpbd_particle(words, k)]);
        e.w[k] = m->predicted[xpbd_particle(words, k)].w;
        e.before[k] = xyz(m->position[xpbd_particle(words, k)]);
        e.multiplier[k] = m->multiplier[k * XPBD_CONSTRAINTS + c];
    }
    ends_project(XPBD_SPRING, &e, m->rest[c], p);
    for (int k = 0; k < 2; ++k) {
        m->predicted[xpbd_particle(words, k)] = quad_of(e.x[k], e.w[k]);
        m->multiplier[k * XPBD_CONSTRAINTS + c] = e.multiplier[k];
    }
}

/* A ghost tetrahedron's data that do not depend on positions, and its multiplier. xpbd.before is not prefetched,
 * because this would need more registers than there are. The projection itself reads xpbd.before. */
struct xpbd_ghost {
    int words[XPBD_WORDS(3)];
    scalar rest, multiplier;
};

INLINE struct xpbd_ghost xpbd_volume_prefetch_item(int c, const struct xpbd *m) {
    struct xpbd_ghost ghost;
    UNROLLED
    for (int k = 0; k < XPBD_WORDS(3); ++k)
        ghost.words[k] = xpbd_word(XPBD_WORDS(3), k, c, m);
    ghost.rest = m->rest[c];
    ghost.multiplier = m->volume_multiplier[c];
    return ghost;
}

INLINE void xpbd_volume_apply_item(int c, struct xpbd_ghost *ghost, const struct xpbd *m) {
    const struct xpbd_parameters *p = &m->p;
    const vec3 centre = xpbd_mean(TOTAL_OF(m->centre), p);
    const int count = XPBD_TRIANGLES;
    vec3 x[3], corner[3], moved[3];
    real w[3];
    UNROLLED
    for (int k = 0; k < 3; ++k) {
        moved[k] = vec3_of(0, 0, 0);
        if (XPBD_IS_DAMPED)
            moved[k] = vec3_of(m->before[(3 * k) * count + c], m->before[(3 * k + 1) * count + c],
                               m->before[(3 * k + 2) * count + c]);
    }
    UNROLLED
    for (int k = 0; k < 3; ++k) {
        const quad place = m->predicted[xpbd_particle(ghost->words, k)];
        x[k] = xyz(place);
        w[k] = place.w;
        corner[k] = subtract(x[k], centre);
        if (XPBD_IS_DAMPED)
            moved[k] = subtract(corner[k], moved[k]);
    }
    const struct volume_change v = volume_changed(XPBD_IS_DAMPED, corner, w, moved, ghost->rest, ghost->multiplier, p);
    UNROLLED
    for (int k = 0; k < 3; ++k)
        m->predicted[xpbd_particle(ghost->words, k)] = quad_of(add(x[k], scale(w[k], v.correction[k])), w[k]);
    ghost->multiplier = v.multiplier;
}

INLINE void xpbd_volume_write_back_item(int c, const struct xpbd_ghost *ghost, const struct xpbd *m) {
    m->volume_multiplier[c] = ghost->multiplier;
}

INLINE void xpbd_volume_item(int c, const struct xpbd *m) {
    struct xpbd_ghost ghost = xpbd_volume_prefetch_item(c, m);
    xpbd_volume_apply_item(c, &ghost, m);
    xpbd_volume_write_back_item(c, &ghost, m);
}
#endif

#define XPBD_KERNELS(KERNEL)                                                                                           \
    KERNEL(LIST, xpbd, xpbd_predict)                                                                                   \
    KERNEL(LIST, xpbd, xpbd_collide)                                                                                   \
    KERNEL(LIST, xpbd, xpbd_update)                                                                                    \
    KERNEL(LIST, xpbd, xpbd_spring)                                                                                    \
    KERNEL(LIST, xpbd, xpbd_ends)                                                                                      \
    KERNEL(LIST, xpbd, xpbd_volume)                                                                                    \
    KERNEL(LIST, xpbd, xpbd_before)                                                                                    \
    KERNEL(LIST, xpbd, xpbd_volume_before)                                                                             \
    KERNEL(LIST, xpbd, xpbd_force)                                                                                     \
    KERNEL(LIST, xpbd, xpbd_momentum)                                                                                  \
    KERNEL(LIST, xpbd, xpbd_damp)

#endif
