/* The surface-based volume constraint of Va, Choi and Hong, "Real-Time Surface-Based Volume Constraints on Mass-Spring
 * Model in Unity3D", IEEE Access, 2023, section III: one scalar constraint per body, Phi = V(x) - V(x(0)) = 0. It acts
 * on the mass-spring system of the surface's edges, and is enforced implicitly by (11), (12) and (14).
 *
 * A node's first neighbours are its ring, in order around the node. The node and two consecutive neighbours of its ring
 * form a triangle, whose normal by the right-hand rule points outward. Springs inside the body come after the ring.
 *
 * A step is a gather and a correction. The gather writes for each node the position without the constraint, the
 * direction in which the constraint moves the node, and the node's terms of three sums over the body. The correction
 * computes the multiplier from the sums and moves the nodes.
 *
 * A late gather does the correction of one step and the gather of the next step. It reads the results of the last
 * gather, and corrects each node that it reads. A neighbour is therefore corrected again for every node that reads this
 * neighbour. One barrier of all work items per step is then sufficient, and the results are bit-identical. */
#ifndef SPRINGBACK_KERNELS_VOLUME_CONSTRAINT_H
#define SPRINGBACK_KERNELS_VOLUME_CONSTRAINT_H

#include "contact.h"
#include "dialect.h"
#include "mass_spring.h"

/* Reals first, then 4-byte integers. SI units. */
struct volume_constraint_parameters {
    scalar volume;                       /* V(x(0)), the volume at the start */
    scalar rate;                         /* 1 / dt, times the fraction of the volume error that a step removes */
    scalar weight_x, weight_y, weight_z; /* the point c of (15), where the body is loaded */
    scalar weight_radius;                /* radius of the zone around c; 0: the constraint acts everywhere equally */
    scalar weight_rows; /* 1: the weight multiplies the forces and the Jacobian's rows; 0: the forces only */
    struct mass_spring_parameters m;
};

/* cos(pi t / 2) for 0 <= t <= 1, by its Taylor series in t^2 (B. Taylor, 1715). The first omitted term is below 2e-17.
 * The error is within 2 units of the last place of 1. */
INLINE real quarter_cosine(real t) {
    const real s = t * t;
    real c = EVERYWHERE(3.43773917909860717508e-15);
    c = (scalar)-5.29440020073462347661e-13 + s * c;
    c = (scalar)6.56596311497947279922e-11 + s * c;
    c = (scalar)-6.38660308379185209331e-09 + s * c;
    c = (scalar)4.71087477881817173974e-07 + s * c;
    c = (scalar)-2.52020423730606066238e-05 + s * c;
    c = (scalar)9.19260274839426585157e-04 + s * c;
    c = (scalar)-2.08634807633529609228e-02 + s * c;
    c = (scalar)2.53669507901048030263e-01 + s * c;
    c = (scalar)-1.23370055013616974904e+00 + s * c;
    return (scalar)1 + s * c;
}

/* (15), after Hong et al. (2006): W = (cos(pi |x - c| / r) + 1) / 2 inside of r, 0 outside. This is the square of
 * cos(pi |x - c| / (2 r)). The printed equation lacks pi; without pi, W is 0.770 at r and discontinuous there.
 *
 * The paper does not print how W enters (14). There are two possibilities. If weight_rows is 1, W multiplies the forces
 * and the rows of J, but Phi is that of the whole body. A step then removes the error times
 * sum(W J^2) / sum(W^2 J^2) >= 1. The motion of the nodes outside the zone adds to the error one step later, and with a
 * narrow zone the error grows. If weight_rows is 0, W multiplies only the forces. The left side of (14) is then
 * J M^-1 W J^T, and a step removes the whole error. */
INLINE real local_weight(vec3 x, vec3 centre, scalar radius) {
    const real t = length_of(subtract(x, centre)) / radius;
    const real c = quarter_cosine(WHERE(t < 1, t));
    return WHERE(t < 1, c * c);
}

/* The term of one triangle in 6 dV/dx of a node. `a` and `b` are vectors to the node from two consecutive neighbours in
 * its ring:
 *
 *     dV/dx_i = sum of (x_j - x_i) x (x_k - x_i) / 6 over its triangles (i, j, k).
 *
 * dV/dx_i is a third of the sum of the triangles' area vectors. dV/dx_i is the gradient of (7), where V is the sum of
 * A (x_i + x_j + x_k) . n / 9 over all triangles. On a closed surface dV/dx_i equals the sum of x_j x x_k / 6, but this
 * sum loses digits far from the origin. The printed (10a-c) are not this gradient: see printed_gradient. */
INLINE vec3 ring_area(vec3 a, vec3 b) {
    return outer(a, b);
}

/* The gradient (10a), (10b) or (10c) as printed, for node i in the triangle (i, j, k). `corner` (1, 2 or 3) is the
 * number of i's corner in the stored triangle. Eight of the nine entries are -3 times those of the true gradient. The
 * entry dV/dz2 is +3 times that of the true gradient. */
INLINE vec3 printed_gradient(vec3 x_j, vec3 x_k, int corner) {
    const vec3 g = scale(EVERYWHERE((scalar)-0.5), outer(x_j, x_k));
    return vec3_of(g.x, g.y, corner == 2 ? -g.z : g.z);
}

/* lambda of (14), which has one row:
 *
 *     (J M^-1 J^T) lambda = Phi / dt^2 + J (v / dt + M^-1 F).
 *
 * lambda follows from three sums: 3 V = sum of (x - o) . dV/dx, where o is one point for all nodes (`origin`); sum of
 * J . c with c = dt M^-1 J^T; and sum of J . u, where u = v + dt M^-1 F is the velocity without the constraint. With `rate` = 1 / dt a step removes the whole error.
 * If no node can be moved, the result is 0.
 *
 * The public programs of va2023's first author differ from (14) (hly-12/RealtimeDeformableObjectUnity, fc1f252). The
 * GPU program adds Phi as `phi / dt * dt`, without 1 / dt^2 and with the other sign
 * (Assets/Scipt/GPU/GlobalDeformationCS.compute:340-342). A step then removes -dt^2 / 3 times the error, which is
 * practically 0. In the CPU program (Assets/Scipt/CPU/CPUDeformationSurface.cs:414-416) the term is (V(0) - V) / dt^2
 * with J = -3 dV/dx (:337-347). A step then removes a third of the error. */
INLINE scalar multiplier(scalar volume_3, scalar left, scalar right, scalar rest_volume, scalar rate) {
    const scalar error = (scalar)0.33333333333333333333 * volume_3 - rest_volume;
    const scalar quotient = (rate * error + right) / (left > 0 ? left : 1); /* no branch: 1 replaces a divisor of 0 */
    return left > 0 ? quotient : 0;
}

/* Sums of a gather over a node's springs: the force; 6 dV/dx (ring_area); and the printed gradient. */
struct around {
    vec3 force, area, printed;
    vec3 first, before;     /* vectors to the node: from the ring's first neighbour, and from the previous neighbour */
    vec3 first_x, before_x; /* positions of these two neighbours */
};

INLINE struct around around_none(void) {
    const vec3 none = vec3_everywhere(0, 0, 0);
    struct around a;
    a.force = a.area = a.printed = a.first = a.before = a.first_x = a.before_x = none;
    return a;
}

/* Add the spring to a neighbour, if the spring `is_there`. If the neighbour is `in_ring`, also add the triangle of the
 * node, the previous neighbour and this neighbour. `corner` is the node's corner of this triangle, for the printed
 * gradient.
 *
 * `place` is 0 for the node's first spring, 1 or 2 for the second, and 2 or more for all others. With 1, the second
 * spring's triangle replaces the initial 0 of `area` instead of being added.
 *
 * A missing spring adds +0 or -0, and so does a triangle in which both neighbours are the same. Such terms change only
 * the sign of a 0, which does not change the motion. */
INLINE void around_add(struct around *a, const int place, word is_there, word in_ring, struct motion here,
                       struct motion there, real rest, const int as_printed, int corner,
                       const struct mass_spring_parameters *p) {
    const int is_first = place == 0;
    const vec3 d = subtract(here.x, there.x);
    const real factor = spring_factor(d, subtract(here.v, there.v), rest, p->stiffness, p->damping);
    const vec3 next = is_first ? d : vec3_either(in_ring, d, a->before);
    const vec3 force = scale(WHERE(is_there, factor), d), area = ring_area(a->before, next);
    a->force = is_first ? force : add(a->force, force);
    if (is_first)
        a->first = d;
    else
        a->area = place == 1 ? area : add(a->area, area);
    a->before = next;
    if (as_printed) {
        if (is_first)
            a->first_x = there.x;
        else
            a->printed =
                vec3_either(in_ring, add(a->printed, printed_gradient(a->before_x, there.x, corner)), a->printed);
        a->before_x = vec3_either(in_ring, there.x, a->before_x);
    }
}

/* Add the triangle of the ring's last and first neighbour, if the node has a ring. */
INLINE void around_close(struct around *a, word has_ring, const int as_printed, int corner) {
    a->area = vec3_either(has_ring, add(a->area, ring_area(a->before, a->first)), a->area);
    if (as_printed)
        a->printed =
            vec3_either(has_ring, add(a->printed, printed_gradient(a->before_x, a->first_x, corner)), a->printed);
}

#ifndef VOLUME_HAS_WEIGHT /* on a device this macro is a compile-time constant, like NETWORK_CONTACTS */
#define VOLUME_HAS_WEIGHT (p.weight_radius > 0)
#endif

/* A node's result of a gather, with u, c and the three sums as in `multiplier`. predicted: x + dt u, the position
 * without the constraint. drift: u, the velocity without the constraint. direction: the node's row of c. volume_3,
 * left, right: the node's terms of the three sums. */
struct gathered {
    vec3 predicted, drift, direction;
    real volume_3, left, right;
};

/* Returns a node's result of a gather. `here` is the node before the step, and `force` the force of its springs.
 * `gradient` is dV/dx of the node. `row` is its row of the Jacobian: dV/dx or the printed gradient. `origin` is x_0, a
 * point that moves with the body. */
INLINE struct gathered volume_constraint_gathered(struct motion here, vec3 origin, vec3 force, vec3 gradient, vec3 row,
                                                  real inverse_mass, real share, int step,
                                                  struct volume_constraint_parameters p) {
    struct gathered g;
    real weight = EVERYWHERE(1);
    g.drift = velocity_after(here.v, force, inverse_mass, share, network_push(here.x, inverse_mass, step, p.m), p.m);
    g.predicted = position_after(here.x, g.drift, p.m);
    if (VOLUME_HAS_WEIGHT)
        weight = local_weight(here.x, vec3_everywhere(p.weight_x, p.weight_y, p.weight_z), p.weight_radius);
    g.direction = scale(p.m.step * inverse_mass * weight, row);
    g.volume_3 = inner(subtract(here.x, origin), gradient);
    g.left = inner(row, g.direction);
    g.right = inner(row, g.drift);
    if (VOLUME_HAS_WEIGHT) {
        const real row_weight = p.weight_rows * weight + ((scalar)1 - p.weight_rows);
        g.left = row_weight * g.left;
        g.right = row_weight * g.right;
    }
    return g;
}

/* (11) and (12): v+ = u - c lambda, x+ = x + dt v+. Contacts are computed afterwards. */
INLINE struct motion constrained(vec3 predicted, vec3 drift, vec3 direction, scalar lambda,
                                 struct volume_constraint_parameters p) {
    struct motion after;
    after.v = subtract(drift, scale(EVERYWHERE(lambda), direction));
    after.x = subtract(predicted, scale(EVERYWHERE(p.m.step * lambda), direction));
    return after;
}

/* dV/dx of a node from the sum of ring_area over its ring. */
INLINE vec3 gradient_of(vec3 area) {
    return scale(EVERYWHERE((scalar)0.16666666666666666667), area);
}

/* A gather writes three items for a node (struct gathered). `predicted` has x + dt u, and in w the x of c. `drift` has
 * u, and in w the y of c. direction_z has the z of c. A GPU's bandwidth for reading many neighbours limits the speed.
 * This layout has a quarter fewer bytes than a layout with a quad for c. */
struct volume_constraint {
    STATE_SPACE quad *position, *velocity; /* a late gather reads only inverse mass and share */
    STATE_SPACE const quad *predicted, *drift;
    STATE_SPACE const scalar *direction_z;
    STATE_SPACE quad *predicted_next, *drift_next;
    STATE_SPACE scalar *direction_z_next;
    STATE_SPACE quad
        *shares; /* each node's terms of the three sums: x, y, z of quads, or planes (frame.h) if ORDERED */
    TOTAL total; /* the sums of the last gather's `shares` */
    GLOBAL const int *start, *ring_end, *neighbour;
    GLOBAL const scalar *rest;
    GLOBAL const int *corner; /* [neighbours]: the node's corner (1 to 3) in the triangle with neighbours k and k + 1 */
    struct volume_constraint_parameters p;
    int step;
};

/* The multiplier of the last gather, from its sums. */
INLINE scalar last_multiplier(prefetched_total prefetched, const struct volume_constraint *m) {
    const quad total = TOTAL_OF_PREFETCHED(prefetched);
    return multiplier(total.x, total.y, total.z, m->p.volume, m->p.rate);
}

#ifndef LANES
/* Resident data of a node. */
struct resident_node {
    struct ring ring;
#ifdef ORDERED
    vec3 drift, direction; /* stored by a gather, read by the next correction */
    int node, least, most; /* as in struct ring */
#else
    real inverse_mass, share;
#endif
};

INLINE struct resident_node volume_constraint_load_resident_item(int i, const struct volume_constraint *m) {
    struct resident_node resident;
    resident.ring = ring_load(i, m->start, m->ring_end, m->neighbour, m->rest);
#ifndef ORDERED
    resident.inverse_mass = m->position[i].w;
    resident.share = m->velocity[i].w;
#endif
    return resident;
}

/* Results of the last gather, which a late gather reads for some nodes. They can be read right after the barrier, while
 * the multiplier is still being computed. Each array has the node's resident neighbours first, then the node itself
 * (LEFT_OWN) and node 0 (LEFT_ORIGIN). */
enum { LEFT_OWN = RING_RESIDENT + RING_MORE, LEFT_ORIGIN, LEFT_NODES };

struct left {
    int node[LEFT_NODES];
    quad predicted[LEFT_NODES], drift[LEFT_NODES];
    real direction_z[LEFT_NODES];
};

INLINE void left_take_one(struct left *left, int k, int i, const struct volume_constraint *m) {
    left->node[k] = i;
    left->predicted[k] = m->predicted[i];
    left->drift[k] = m->drift[i];
    left->direction_z[k] = m->direction_z[i];
}

/* left_take reads the results for all resident neighbours. left_take_own reads the results for node i and node 0. */
INLINE void left_take(struct left *left, const struct ring *ring, const struct volume_constraint *m) {
    UNROLLED
    for (int k = 0; k < RING_RESIDENT; ++k)
        left_take_one(left, k, ring->neighbour[k], m);
    UNROLLED
    for (int first = RING_RESIDENT; first < RING_RESIDENT + RING_MORE; first += 2)
        if (ring->end > ring->begin + first) {
            left_take_one(left, first, ring->neighbour[first], m);
            left_take_one(left, first + 1, ring->neighbour[first + 1], m);
        }
}

INLINE void left_take_own(struct left *left, int i, const struct volume_constraint *m) {
    left_take_one(left, LEFT_OWN, i, m);
    left_take_one(left, LEFT_ORIGIN, 0, m);
}

/* Node k of `left` after the correction, before its contacts. */
INLINE struct motion left_constrained(const struct left *left, int k, scalar lambda,
                                      const struct volume_constraint *m) {
    const quad x = left->predicted[k], v = left->drift[k];
    return constrained(xyz(x), xyz(v), vec3_of(x.w, v.w, left->direction_z[k]), lambda, m->p);
}

/* Whether node k of `left` can be moved. */
INLINE int left_moves(const struct left *left, int k, const struct volume_constraint *m) {
    return m->position[left->node[k]].w > 0;
}

INLINE struct motion left_corrected(const struct left *left, int k, scalar lambda, int steps,
                                    const struct volume_constraint *m) {
    const struct motion after = left_constrained(left, k, lambda, m);
    return network_touches(after, steps, m->p.m) ? network_keep_out(after, left_moves(left, k, m), steps, m->p.m)
                                                 : after;
}

/* Correct the `count` nodes of `left` from number `first` on, and store their motion in `after`. Contacts are computed
 * only if at least one of these nodes has a contact. A branch for each node would prevent the compiler from
 * interleaving their work. */
INLINE void left_corrected_some(struct motion *after, const struct left *left, const int first, const int count,
                                scalar lambda, int steps, const struct volume_constraint *m) {
    int touches = 0;
    UNROLLED
    for (int k = 0; k < count; ++k) {
        after[k] = left_constrained(left, first + k, lambda, m);
        touches |= network_touches(after[k], steps, m->p.m);
    }
    if (touches) {
        UNROLLED
        for (int k = 0; k < count; ++k)
            after[k] = network_keep_out(after[k], left_moves(left, first + k, m), steps, m->p.m);
    }
}

/* Add `count` of a node's springs. Spring k leads to there[k] and has the index `first` + k in `neighbour`; springs
 * from index ring->end on do not exist. */
INLINE void gather_some_around(struct around *a, struct motion here, const struct ring *ring,
                               const struct motion *there, const scalar *rest, int first, const int count,
                               const int begins, const int as_printed, const struct volume_constraint *m) {
    UNROLLED
    for (int k = 0; k < count; ++k) {
        const int slot = first + k, in_ring = slot < ring->middle, place = begins ? k : 2;
        around_add(a, place, slot < ring->end, in_ring, here, there[k], rest[k], as_printed,
                   as_printed && in_ring && place ? m->corner[slot - 1] : 0, &m->p.m);
    }
}

/* Add `count` of the node's resident springs, from number `first` on. */
INLINE void gather_resident(struct around *a, struct motion here, const struct ring *ring, const struct left *left,
                            const int first, const int count, const int is_late, const int as_printed, scalar lambda,
                            const struct volume_constraint *m) {
    struct motion there[RING_RESIDENT + RING_MORE];
    if (is_late) {
        left_corrected_some(there, left, first, count, lambda, m->step + 1, m);
    } else {
        UNROLLED
        for (int k = 0; k < count; ++k)
            there[k] = node_motion(ring->neighbour[first + k], m->position, m->velocity);
    }
    gather_some_around(a, here, ring, there, ring->rest + first, ring->begin + first, count, first == 0, as_printed, m);
}

/* Add up to RING_FETCH of a node's springs that are not resident, from index `first` of `neighbour` on. `begins` is
 * true if `first` is the node's first spring. */
INLINE void gather_fetched(struct around *a, struct motion here, const struct ring *ring, int first, const int begins,
                           const int is_late, const int as_printed, scalar lambda, const struct volume_constraint *m) {
    struct motion there[RING_FETCH];
    struct left left;
    scalar rest[RING_FETCH];
    UNROLLED
    for (int k = 0; k < RING_FETCH; ++k) {
        const int slot = first + k < ring->end ? first + k : first, j = m->neighbour[slot];
        rest[k] = m->rest[slot];
        if (is_late)
            left_take_one(&left, k, j, m);
        else
            there[k] = node_motion(j, m->position, m->velocity);
    }
    if (is_late)
        left_corrected_some(there, &left, 0, RING_FETCH, lambda, m->step + 1, m);
    gather_some_around(a, here, ring, there, rest, first, RING_FETCH, begins, as_printed, m);
}

/* The gather of node i. If `is_late`, this is the gather of the step after m->step. The gather then completes step
 * m->step for each node that it reads, with the multiplier `lambda` and the results `left` of the node, node 0 and the
 * resident neighbours. If not `is_late`, the gather reads neither `lambda` nor `left`. */
INLINE void volume_constraint_gather(int i, const int is_late, const int as_printed, scalar lambda,
                                     struct resident_node *resident, const struct left *left,
                                     const struct volume_constraint *m) {
    const struct ring *ring = &resident->ring;
    struct motion own[2];
    struct around a = around_none();
    if (is_late) {
        own[0] = left_corrected(left, LEFT_OWN, lambda, m->step + 1, m);
        own[1] = left_corrected(left, LEFT_ORIGIN, lambda, m->step + 1, m);
    } else {
        own[0] = node_motion(i, m->position, m->velocity);
        own[1] = node_motion(FIRST_NODE, m->position, m->velocity);
    }
#ifdef ORDERED
    const int middle = NETWORK_IS_SURFACE ? INT_MAX : m->ring_end[i] - m->start[i];
    EACH_ORDERED_SPRING(i, ring, resident, m,
                        around_add(&a, k, 1, k < middle, own[0], motion_at_offset(offset, m->position, m->velocity),
                                   rest_length, 0, 0, &m->p.m))
    around_close(&a, middle > 0, 0, 0);
    const real inverse_mass = INVERSE_MASS(i, m->position, m->velocity), share = SHARE(i, m->velocity);
#else
    const real inverse_mass = resident->inverse_mass, share = resident->share;
    gather_resident(&a, own[0], ring, left, 0, RING_RESIDENT, is_late, as_printed, lambda, m);
    UNROLLED
    for (int first = RING_RESIDENT; first < RING_RESIDENT + RING_MORE; first += 2)
        if (ring->end > ring->begin + first)
            gather_resident(&a, own[0], ring, left, first, 2, is_late, as_printed, lambda, m);
    for (int k = ring->begin + RING_RESIDENT + RING_MORE; k < ring->end; k += RING_FETCH)
        gather_fetched(&a, own[0], ring, k, !RING_RESIDENT && k == ring->begin, is_late, as_printed, lambda, m);
    around_close(&a, ring->begin < ring->middle, as_printed,
                 as_printed && ring->begin < ring->middle ? m->corner[ring->middle - 1] : 0);
#endif
    const vec3 gradient = gradient_of(a.area);
    const struct gathered g =
        volume_constraint_gathered(own[0], own[1].x, a.force, gradient, as_printed ? a.printed : gradient, inverse_mass,
                                   share, m->step + is_late, m->p);
#ifdef ORDERED
    resident->drift = g.drift;
    resident->direction = g.direction;
    STATE_SPACE scalar *shares = (STATE_SPACE scalar *)m->shares + resident->node;
    shares[0] = g.volume_3;
    shares[SHARE_PLANE] = g.left;
    shares[2 * SHARE_PLANE] = g.right;
#else
    m->predicted_next[i] = quad_of(g.predicted, g.direction.x);
    m->drift_next[i] = quad_of(g.drift, g.direction.y);
    m->direction_z_next[i] = g.direction.z;
    m->shares[i] = quad_of(vec3_of(g.volume_3, g.left, g.right), 0);
#endif
}

/* The correction of node i, by the multiplier of the last gather. */
INLINE void volume_constraint_correct(int i, scalar lambda, const struct resident_node *resident,
                                      const struct volume_constraint *m) {
    const real inverse_mass = INVERSE_MASS(i, m->position, m->velocity), share = SHARE(i, m->velocity);
#ifdef ORDERED
    const vec3 drift = resident->drift, direction = resident->direction,
               predicted = position_after(xyz(m->position[i]), drift, m->p.m);
#else
    (void)resident;
    const quad x = m->predicted[i], v = m->drift[i];
    const vec3 predicted = xyz(x), drift = xyz(v), direction = vec3_of(x.w, v.w, m->direction_z[i]);
#endif
    const struct motion after =
        network_keep_out(constrained(predicted, drift, direction, lambda, m->p), inverse_mass > 0, m->step + 1, m->p.m);
    node_store(i, after, inverse_mass, share, m->position, m->velocity);
}

/* A gather from the state at the start of a step. volume_constraint_printed uses the printed gradient. */
INLINE void volume_constraint_begin_resident_item(int i, struct resident_node *resident,
                                                  const struct volume_constraint *m) {
    volume_constraint_gather(i, 0, 0, 0, resident, 0, m);
}

INLINE void volume_constraint_begin_item(int i, const struct volume_constraint *m) {
    struct resident_node resident = volume_constraint_load_resident_item(i, m);
    volume_constraint_begin_resident_item(i, &resident, m);
}

INLINE void volume_constraint_printed_item(int i, const struct volume_constraint *m) {
    struct resident_node resident = volume_constraint_load_resident_item(i, m);
    volume_constraint_gather(i, 0, 1, 0, &resident, 0, m);
}

INLINE scalar volume_constraint_late_shared(const struct volume_constraint *m) {
    return last_multiplier(TOTAL_PREFETCH(m->total), m);
}

INLINE void volume_constraint_late_item(int i, const scalar *lambda, const struct volume_constraint *m) {
    struct resident_node resident = volume_constraint_load_resident_item(i, m);
    struct left left;
    left_take(&left, &resident.ring, m);
    left_take_own(&left, i, m);
    volume_constraint_gather(i, 1, 0, *lambda, &resident, &left, m);
}

INLINE scalar volume_constraint_end_shared(const struct volume_constraint *m) {
    return last_multiplier(TOTAL_PREFETCH(m->total), m);
}

INLINE void volume_constraint_end_item(int i, const scalar *lambda, const struct volume_constraint *m) {
    volume_constraint_correct(i, *lambda, 0, m);
}

INLINE void volume_constraint_contact_item(int i, const struct volume_constraint *m) {
    mass_spring_contact(i, m->position, m->velocity, m->p.m, m->step);
}

/* ---- On a device: called by all work items ----
 *
 * The following are macros, not functions. Functions with the parameters or the number of nodes as an argument make a
 * frame of 482 nodes 16 to 21 % slower on an H200 with NVIDIA's compiler. */

#ifdef __OPENCL_VERSION__
#define volume_constraint_load_resident_all(i, parameters, method)                                                     \
    ((i) < parameters.m.columns ? volume_constraint_load_resident_item(i, method) : (struct resident_node){0})

#define volume_constraint_begin_resident_all(i, resident, parameters, method)                                          \
    do {                                                                                                               \
        if (IS_LIST_PROGRAM || (i) < parameters.m.columns)                                                             \
            volume_constraint_begin_resident_item(i, resident, method);                                                \
    } while (0)

/* A late gather starts its reads before whole warps add up the sum. */
#define volume_constraint_late_resident_all(i, resident, parameters, method)                                           \
    do {                                                                                                               \
        const prefetched_total prefetched =                                                                            \
            TOTAL_PREFETCH((method)->total); /* first, because all later work waits for this total */                  \
        struct left left;                                                                                              \
        left_take_own(&left, (i) < parameters.m.columns ? (i) : 0, method);                                            \
        left_take(&left, &(resident)->ring, method);                                                                   \
        const scalar lambda = last_multiplier(prefetched, method);                                                     \
        if (IS_LIST_PROGRAM || (i) < parameters.m.columns)                                                             \
            volume_constraint_gather(i, 1, 0, lambda, resident, &left, method);                                        \
    } while (0)

#define volume_constraint_end_resident_all(i, resident, parameters, method)                                            \
    do {                                                                                                               \
        const scalar lambda = last_multiplier(TOTAL_PREFETCH((method)->total), method);                                \
        if (IS_LIST_PROGRAM || (i) < parameters.m.columns)                                                             \
            volume_constraint_correct(i, lambda, resident, method);                                                    \
    } while (0)
#endif

/* ---- The method of the paper: algorithms 3, 4 and 5, and the kernels of its table 2 ---- */

struct volume_constraint_paper {
    STATE_SPACE quad *position, *velocity;
    GLOBAL real *force;                       /* [nodes][4]: x, y and z of the force, N */
    GLOBAL quad *jacobian;                    /* [nodes]: rows of the Jacobian */
    GLOBAL real *system;                      /* [3]: V, left and right side of (14), if atomic sums compute them */
    GLOBAL quad *volume_share, *system_share; /* [triangles], [nodes]: terms, if the fixed tree adds them up */
    TOTAL volume_total;
    TOTAL system_total;
    GLOBAL const int *start, *ring_end, *neighbour, *triangle;
    GLOBAL const scalar *rest;
    GLOBAL const int *spring; /* [springs][2]: the nodes at both ends */
    GLOBAL const scalar *spring_rest;
    struct volume_constraint_parameters p;
    int step;
};

/* The struct of va2023's mass-spring method (mass_spring.h), with the same buffers. */
INLINE struct mass_spring_paper springs_of(const struct volume_constraint_paper *m) {
    const struct mass_spring_paper n = {m->position, m->velocity, m->force, m->spring, m->spring_rest, m->p.m, m->step};
    return n;
}

/* The term of triangle t in (7): A (a + b + c) . n / 9. Algorithm 4 as printed has another term: see printed_volume. */
INLINE real triangle_volume(int t, const struct volume_constraint_paper *m) {
    const int first = 3 * t;
    const vec3 a = xyz(m->position[m->triangle[first]]), b = xyz(m->position[m->triangle[first + 1]]),
               c = xyz(m->position[m->triangle[first + 2]]);
    const vec3 area_normal = scale((scalar)0.5, outer(subtract(b, a), subtract(c, a)));
    return inner(add(add(a, b), c), area_normal) / 9;
}

/* A triangle's term of lines 5 to 8 of algorithm 4 as printed, in m^5: (|n| / 2) (a + b + c) . (n / 9) / 9 with n = (b
 * - a) x (c - a). This is the term of (7) times 2/9 of the area, because line 7 divides n by 9 instead of by |n|. Line
 * 5 gives a vector as the area; this code uses the length of the vector. */
INLINE real printed_volume(vec3 a, vec3 b, vec3 c) {
    const vec3 normal = outer(subtract(b, a), subtract(c, a));
    return (scalar)0.5 * length_of(normal) * inner(add(add(a, b), c), normal) / 81;
}

/* Algorithm 5: a node's row of the Jacobian, with the gradient of (7) instead of (10a-c). */
INLINE void volume_constraint_jacobian_item(int i, const struct volume_constraint_paper *m) {
    const vec3 x = xyz(m->position[i]);
    vec3 area = vec3_of(0, 0, 0);
    for (int k = m->start[i]; k < m->ring_end[i]; ++k) {
        const int next = k + 1 < m->ring_end[i] ? k + 1 : m->start[i];
        area = add(area, ring_area(subtract(x, xyz(m->position[m->neighbour[k]])),
                                   subtract(x, xyz(m->position[m->neighbour[next]]))));
    }
    m->jacobian[i] = quad_of(gradient_of(area), 0);
}

/* Node-centric forces of springs, for comparison with the spring-centric algorithm 3. */
INLINE void volume_constraint_node_forces_item(int i, const struct volume_constraint_paper *m) {
    const struct mass_spring n = {m->position, m->velocity, 0, 0, m->start, m->neighbour, m->rest, m->p.m, 0};
    const struct ring ring = ring_load(i, m->start, 0, m->neighbour, m->rest);
    const vec3 force = network_force(i, &ring, &n);
    const int at = 4 * i;
    m->force[at] = force.x;
    m->force[at + 1] = force.y;
    m->force[at + 2] = force.z;
}

/* A node's terms of both sides of (14), times dt. y is the term of the left side. z is the term of the right side
 * without Phi / dt^2. */
INLINE quad system_share(int i, const struct volume_constraint_paper *m) {
    const struct mass_spring_parameters p = m->p.m;
    const quad x = m->position[i], v = m->velocity[i];
    const vec3 row = xyz(m->jacobian[i]);
    const int at = 4 * i;
    const vec3 force = vec3_of(m->force[at], m->force[at + 1], m->force[at + 2]);
    const vec3 velocity = velocity_after(xyz(v), force, x.w, v.w, network_push(xyz(x), x.w, m->step, p), p);
    quad share;
    share.x = 0;
    share.y = p.step * x.w * inner(row, row);
    share.z = inner(row, velocity);
    share.w = 0;
    return share;
}

/* (11): the force becomes F - J^T lambda. */
INLINE void volume_constraint_paper_constrain(int i, scalar volume, scalar left, scalar right,
                                              const struct volume_constraint_paper *m) {
    const scalar lambda = multiplier(3 * volume, left, right, m->p.volume, m->p.rate);
    const vec3 row = xyz(m->jacobian[i]);
    const int at = 4 * i;
    m->force[at] -= lambda * row.x;
    m->force[at + 1] -= lambda * row.y;
    m->force[at + 2] -= lambda * row.z;
}

INLINE void volume_constraint_volume_shares_item(int t, const struct volume_constraint_paper *m) {
    m->volume_share[t] = quad_of(vec3_of(triangle_volume(t, m), 0, 0), 0);
}

INLINE void volume_constraint_printed_volume_shares_item(int t, const struct volume_constraint_paper *m) {
    const int first = 3 * t;
    const vec3 a = xyz(m->position[m->triangle[first]]), b = xyz(m->position[m->triangle[first + 1]]),
               c = xyz(m->position[m->triangle[first + 2]]);
    m->volume_share[t] = quad_of(vec3_of(printed_volume(a, b, c), 0, 0), 0);
}

INLINE void volume_constraint_system_shares_item(int i, const struct volume_constraint_paper *m) {
    m->system_share[i] = system_share(i, m);
}

INLINE void volume_constraint_constrain_item(int i, const struct volume_constraint_paper *m) {
    volume_constraint_paper_constrain(i, m->system[0], m->system[1], m->system[2], m);
}

INLINE void volume_constraint_constrain_by_sums_item(int i, const struct volume_constraint_paper *m) {
    const quad sums = TOTAL_OF(m->system_total);
    volume_constraint_paper_constrain(i, TOTAL_OF(m->volume_total).x, sums.y, sums.z, m);
}

INLINE void volume_constraint_update_item(int i, const struct volume_constraint_paper *m) {
    const struct mass_spring_paper n = springs_of(m);
    mass_spring_update_nodes_item(i, &n);
    if (i < 3) /* reset the sums for the next step */
        m->system[i] = 0;
}

#ifndef REAL_IS_double
INLINE void volume_constraint_spring_forces_item(int s, const struct volume_constraint_paper *m) {
    const struct mass_spring_paper n = springs_of(m);
    mass_spring_spring_forces_item(s, &n);
}

INLINE void volume_constraint_volume_item(int t, const struct volume_constraint_paper *m) {
    atomic_add_real(&m->system[0], triangle_volume(t, m));
}

INLINE void volume_constraint_system_item(int i, const struct volume_constraint_paper *m) {
    const quad share = system_share(i, m);
    atomic_add_real(&m->system[1], share.y);
    atomic_add_real(&m->system[2], share.z);
}
#endif
#endif

#define VOLUME_CONSTRAINT_KERNELS(KERNEL)                                                                              \
    KERNEL(LIST, volume_constraint, volume_constraint_begin)                                                           \
    KERNEL(LIST, volume_constraint, volume_constraint_printed)                                                         \
    KERNEL(SHARED_LIST, volume_constraint, volume_constraint_late)                                                     \
    KERNEL(SHARED_LIST, volume_constraint, volume_constraint_end)                                                      \
    KERNEL(LIST, volume_constraint, volume_constraint_contact)                                                         \
    KERNEL(FLOAT_LIST, volume_constraint_paper, volume_constraint_spring_forces)                                       \
    KERNEL(FLOAT_LIST, volume_constraint_paper, volume_constraint_node_forces)                                         \
    KERNEL(FLOAT_LIST, volume_constraint_paper, volume_constraint_volume)                                              \
    KERNEL(FLOAT_LIST, volume_constraint_paper, volume_constraint_volume_shares)                                       \
    KERNEL(FLOAT_LIST, volume_constraint_paper, volume_constraint_printed_volume_shares)                               \
    KERNEL(FLOAT_LIST, volume_constraint_paper, volume_constraint_jacobian)                                            \
    KERNEL(FLOAT_LIST, volume_constraint_paper, volume_constraint_system)                                              \
    KERNEL(FLOAT_LIST, volume_constraint_paper, volume_constraint_system_shares)                                       \
    KERNEL(FLOAT_LIST, volume_constraint_paper, volume_constraint_constrain)                                           \
    KERNEL(FLOAT_LIST, volume_constraint_paper, volume_constraint_constrain_by_sums)                                   \
    KERNEL(FLOAT_LIST, volume_constraint_paper, volume_constraint_update)

#endif
