/* Implicit constraint enforcement of Va, Choi and Hong, "Parallel Cloth Simulation Using OpenGL Shading Language",
 * CSSE, 2022, sections 3.2, 4.2 and 4.3, equations (5) to (12), with the springs of a grid as constraints.
 *
 * q are the positions of all nodes, M is the mass matrix, W is M^-1, J is the Jacobian dPhi/dq, and F are all forces
 * except those of constraints. A constraint has the ends x1 and x2, d = x1 - x2, and the rest length r; lambda has its
 * multiplier. The signs and the derivatives with respect to time that the printed equations lack are restored; a prime
 * means such a derivative:
 *
 *     (5)   Phi = |x1 - x2|^2 - r^2            (printed without its minus signs); its row of J is 2 d, -2 d
 *     (7)   M q'' + J^T lambda = F
 *     (8)   q'(t + dt) = q'(t) - dt W J^T lambda + dt W F     (printed with q, without dots and minus sign)
 *     (9)   q(t + dt) = q(t) + dt q'(t + dt)
 *     (10)  Phi(q(t + dt)) = 0
 *     (11)  Phi + J (q(t + dt) - q(t)) = 0     (Phi_t = 0: no constraint depends on time explicitly)
 *     (12)  J W J^T lambda = Phi / dt^2 + J (q' / dt + W F)
 *
 * With the exact lambda, Phi(q(t + dt)) is the remainder of the Taylor series in (11): dt^2 |v1 - v2|^2, with the
 * velocities at t + dt.
 *
 * A = J W J^T is symmetric and positive semidefinite. A is never assembled: A p is computed as J (W (J^T p)). Each node
 * adds up its part of J^T p in a fixed order, and stores the pull u = W J^T p. A constraint belongs to one of its two
 * nodes: the one with the smaller index. A node adds up its own constraints, which lead to later nodes, and the
 * constraints of earlier nodes that lead to this node. A constraint's element of A p is 2 d . (u1 - u2). The solver is
 * the method of conjugate gradients (Hestenes and Stiefel, 1952; the paper's [17]). An iteration needs only two kernels
 * and two sums. Its first kernel already computes the terms of p . A p, which is the sum of the nodes' |J^T p|^2 / m,
 * with a node's mass m. In the kernels p is the search direction, and r is not a rest length but the residual
 * b - A lambda, where b is the right side of (12):
 *
 *     direction:  beta = r . r / (previous r . r);  p = r + beta p, computed by both ends of a constraint;
 *                 lambda = lambda + alpha p, with alpha and p of the previous iteration;  u = W J^T p
 *     stride:     alpha = r . r / p . A p;  r = r - alpha A p
 *
 * With all six constraints of each node, a cloth has more constraints than coordinates. A is then singular, and (12)
 * may have no solution, because Phi may be outside the range of A. Then |r| decreases at first and increases later. The
 * paper's "user defined iteration number" limits the iterations. The multipliers with the least residual of all
 * iterations are used. With eps > 0, (A + eps I) lambda = b is solved instead of (12). This system always has a
 * solution.
 *
 * Node i of the grid has six constraints: to the node at its right, below, below left, below right, two columns to its
 * right and two rows below, in slots 0 to 5. Arrays of constraints are stored slot by slot, [slots][pitch]. The
 * residual of a constraint that does not exist, or whose two ends are both pinned, is 0, and therefore all its numbers
 * are 0.
 *
 * With adaptive constraints (section 4.3), each step compares the length of each spring with an allowed range. Within
 * this range the spring exerts the force (1) of mass_spring.h in this step; outside this range it is a constraint in
 * this step. */
#ifndef SPRINGBACK_KERNELS_CONSTRAINT_ENFORCEMENT_H
#define SPRINGBACK_KERNELS_CONSTRAINT_ENFORCEMENT_H

#include "contact.h"
#include "dialect.h"
#include "mass_spring.h"

#if defined LANES && !defined __OPENCL_VERSION__
#include <string.h>
#endif

/* Reals first, then 4-byte integers. SI units. */
struct constraint_enforcement_parameters {
    scalar rate;              /* 1 / dt */
    scalar shortest, longest; /* allowed range of (length / rest length)^2 of a constraint */
    scalar below, above;      /* adaptive: a spring with (length / rest length)^2 < below or > above is a constraint */
    scalar regularisation;    /* eps, m^2/kg */
    scalar tolerance;         /* square of the |r| / |b| at which the iteration ends */
    struct mass_spring_parameters m;
    int pitch; /* elements from one component or slot of an array to the next: the number of nodes plus padding */
    int steps_per_frame;
    int is_warm; /* whether the iteration starts from the previous step's multipliers */
    int is_adaptive;
};

/* For a device these macros are compile-time constants, so unused branches are not compiled. */
#ifndef CONSTRAINT_SPRINGS
#define CONSTRAINT_SPRINGS     m->p.m.springs
#define CONSTRAINT_IS_WARM     m->p.is_warm
#define CONSTRAINT_IS_ADAPTIVE m->p.is_adaptive
#endif

enum { CONSTRAINT_SLOTS = 6 };
CONSTANT const int slot_right[6] = {1, 0, -1, 1, 2, 0};
CONSTANT const int slot_down[6] = {0, 1, 1, 1, 0, 2};

/* The iteration stops if the squared residual exceeds this many times |b|^2. This limit is far below the overflow of a
 * float. Therefore the results contain no NaN, whose bits differ between devices. */
#define CONSTRAINT_GIVEN_UP ((scalar)1e12)

struct constraint_enforcement {
    GLOBAL const quad *position, *velocity; /* position.w: inverse mass; velocity.w: factor of the push */
    GLOBAL quad *position_next, *velocity_next;
    GLOBAL scalar *place;    /* [4][pitch]: x, y, z of the position, inverse mass */
    GLOBAL scalar *drive;    /* [3][pitch]: W F, acceleration by all forces except constraints */
    GLOBAL scalar *pull;     /* [3][pitch]: W J^T p */
    GLOBAL scalar *residual; /* [slots][pitch], like the four arrays that follow */
    GLOBAL const scalar *direction;
    GLOBAL scalar *direction_next;
    GLOBAL scalar *multiplier, *kept; /* lambda, and the lambda with the least residual so far */
    SHARE_SPACE quad *shares;         /* [nodes]: a node's terms of the next sums */
    GLOBAL int *awake;                /* [nodes]: whether a constraint acts at the node; used only if is_adaptive */
    /* State of the solver in a time step, equal for all nodes and written only by node 0.
     *
     * The kernel `begin` and each `stride` write `progress` [2]. The first quad has the previous r . r, the least r . r
     * so far (-1: none yet), b . b, and alpha. The second quad has the number of iterations; the number of iterations
     * when r . r was least; and 1 if the solver has ended.
     *
     * Each kernel `direction` writes `heading` [2]. The first quad has r . r, the least r . r, and b . b. The second
     * quad is as in `progress`.
     *
     * `record` [2] is about the time steps of the frame so far. The first quad has four maxima over these steps:
     * (|r| / |b|)^2 of the multipliers that were used; (|r| / |b|)^2 after the last iteration; number of iterations;
     * number of iterations after which the used multipliers were found. x of the second quad is the number of steps
     * whose last iteration left |r| > |b|. */
    GLOBAL quad *progress, *heading, *record;
    TOTAL total; /* result of the sum before a kernel `direction`, `stride` or `finish` */
    struct constraint_enforcement_parameters p;
    int step;
};

/* ---- Arrays by nodes ---- */

#ifdef LANES
INLINE real real_at(const scalar *from, int i) {
    real a;
    memcpy(&a, from + i, sizeof a);
    return a;
}

/* The LANES numbers of the array `from` that begin at index i; i may be negative. The array has `count` numbers; a
 * number outside of the array is 0. This function is not inlined, because it is seldom called. */
static __attribute__((noinline, unused)) real real_partly(const scalar *from, int i, int count) {
    scalar some[LANES] = {0};
    for (int k = i < 0 ? -i : 0; k < LANES && i + k < count; ++k)
        some[k] = from[i + k];
    return real_at(some, 0);
}

/* The LANES numbers that begin at from[base + i]. The array is the `count` numbers that begin at from[base]. If
 * `checked`, a number outside of this array is 0; otherwise all LANES numbers must be inside. */
INLINE real real_near(const scalar *from, int base, int i, int count, int checked) {
    return !checked || (i >= 0 && i <= count - LANES) ? real_at(from, base + i) : real_partly(&from[base], i, count);
}

INLINE void real_put(scalar *to, int i, real a) {
    memcpy(to + i, &a, sizeof a);
}
#else
INLINE real real_at(GLOBAL const scalar *from, int i) {
    return from[i];
}

INLINE real real_near(GLOBAL const scalar *from, int base, int i, int count, int checked) {
    (void)count;
    (void)checked;
    return from[base + i];
}

INLINE void real_put(GLOBAL scalar *to, int i, real a) {
    to[i] = a;
}
#endif

INLINE vec3 vec3_at(GLOBAL const scalar *from, int i, int pitch) {
    return vec3_of(real_at(from, i), real_at(from, pitch + i), real_at(from, 2 * pitch + i));
}

INLINE vec3 vec3_near(GLOBAL const scalar *from, int i, int pitch, int count, int checked) {
    return vec3_of(real_near(from, 0, i, count, checked), real_near(from, pitch, i, count, checked),
                   real_near(from, 2 * pitch, i, count, checked));
}

INLINE void vec3_put(GLOBAL scalar *to, int i, int pitch, vec3 a) {
    real_put(to, i, a.x);
    real_put(to, pitch + i, a.y);
    real_put(to, 2 * pitch + i, a.z);
}

#ifndef LANES
INLINE void share_put(SHARE_SPACE quad *to, int i, real a) {
    SHARE_OF(to, i) = quad_of(vec3_of(a, 0, 0), 0);
}
#endif

/* The index of the node at the other end of a constraint of the node `at`, in a slot. If `side` is 1, the constraint is
 * the node's own, and the other end is a later node. If `side` is -1, the constraint belongs to the other end, an
 * earlier node. If there is no such constraint, the result is the node's own index. With LANES, a lane without this
 * constraint may get an unrelated node, or an index outside of the grid. The constraint that the lane then reads does
 * not exist, so its numbers are 0. */
INLINE int slot_other(struct grid_node at, const int slot, const int side, struct mass_spring_parameters p) {
    const int right = side * slot_right[slot], down = side * slot_down[slot];
#ifndef LANES
    const int column = at.column + right, row = at.row + down;
    if (at.checked && (column < 0 || column >= p.columns || row < 0 || row >= p.rows))
        return at.i;
#endif
    return at.i + down * p.columns + right;
}

#ifdef LANES
/* For each lane, whether the node at.i + lane has a constraint of its own in a slot. A row of the grid must have at
 * least LANES nodes. */
INLINE word slot_exists(struct grid_node at, const int slot, struct mass_spring_parameters p) {
    scalar_word lanes[LANES];
    word lane;
    for (int k = 0; k < LANES; ++k)
        lanes[k] = k;
    memcpy(&lane, lanes, sizeof lane);
    word column = lane + (scalar_word)at.column;
    column = column - ((column >= (scalar_word)p.columns) & (scalar_word)p.columns) + (scalar_word)slot_right[slot];
    const int last = p.columns * (p.rows - slot_down[slot]) - at.i;
    return (column >= (scalar_word)0) & (column < (scalar_word)p.columns) & (lane < (scalar_word)last);
}
#endif

INLINE scalar slot_rest(const int slot, struct mass_spring_parameters p) {
    return slot == 2 || slot == 3 ? p.rest_shear
                                  : (slot < 2 ? 1 : 2) * (slot_right[slot] == 0 ? p.rest_row : p.rest_column);
}

/* ---- Before the iteration ---- */

/* Phi, (5), of a constraint with this squared length: the squared length minus the nearest allowed squared length. */
INLINE real constraint_error(real squared, scalar rest, struct constraint_enforcement_parameters p) {
    const real least = EVERYWHERE(p.shortest * (rest * rest)), most = EVERYWHERE(p.longest * (rest * rest));
    const real held = EITHER(squared > most, most, EITHER(squared < least, least, squared));
    return squared - held;
}

/* Whether a spring of this squared length is a constraint. Used only with adaptive constraints. */
INLINE word constraint_acts(real squared, scalar rest, struct constraint_enforcement_parameters p) {
    const real square = EVERYWHERE(rest * rest);
    return (squared > p.above * square) | (squared < p.below * square);
}

#ifndef LANES
/* The sum of the forces (1) of mass_spring.h on a node by its springs that are not constraints. */
INLINE vec3 slack_force(struct grid_node at, const struct constraint_enforcement *m) {
    const vec3 x = xyz(m->position[at.i]), v = xyz(m->velocity[at.i]);
    vec3 force = vec3_of(0, 0, 0);
    UNROLLED
    for (int k = 0; k < CONSTRAINT_SLOTS; ++k)
        if (CONSTRAINT_SPRINGS >> k / 2 & 1) {
            const scalar rest = slot_rest(k, m->p.m);
            UNROLLED
            for (int side = 1; side >= -1; side -= 2) {
                const int j = slot_other(at, k, side, m->p.m);
                const vec3 y = xyz(m->position[j]), d = subtract(x, y);
                const vec3 f = spring_force(x, v, y, xyz(m->velocity[j]), rest, m->p.m.stiffness, m->p.m.damping);
                if (j != at.i && !constraint_acts(inner(d, d), rest, m->p))
                    force = add(force, f);
            }
        }
    return force;
}

/* A node's part of J^T `kept`: the sum of 2 (x - x') `kept` over its constraints, where x and x' are the positions of
 * the node and of the other end. */
INLINE vec3 warm_gather(struct grid_node at, const struct constraint_enforcement *m) {
    const vec3 x = xyz(m->position[at.i]);
    vec3 sum = vec3_of(0, 0, 0);
    UNROLLED
    for (int k = 0; k < CONSTRAINT_SLOTS; ++k)
        if (CONSTRAINT_SPRINGS >> k / 2 & 1) {
            const int next = slot_other(at, k, 1, m->p.m), before = slot_other(at, k, -1, m->p.m);
            sum = add(sum, scale(m->kept[k * m->p.pitch + at.i], subtract(x, xyz(m->position[next]))));
            sum = add(sum, scale(m->kept[k * m->p.pitch + before], subtract(x, xyz(m->position[before]))));
        }
    return scale(2, sum);
}

/* Store a node's position and its acceleration without constraints. If CONSTRAINT_IS_WARM, also store the pull of the
 * previous step's multipliers. */
INLINE void constraint_enforcement_prepare_item(struct grid_node at, const struct constraint_enforcement *m) {
    const struct mass_spring_parameters p = m->p.m;
    const quad x = m->position[at.i];
    const vec3 force = CONSTRAINT_IS_ADAPTIVE ? slack_force(at, m) : vec3_of(0, 0, 0);
    const vec3 weight = vec3_of(p.gravity_x, p.gravity_y, p.gravity_z);
    const vec3 drive = add(add(weight, scale(x.w, force)), scale(m->velocity[at.i].w, push_in(m->step, p)));
    vec3_put(m->place, at.i, m->p.pitch, xyz(x));
    m->place[3 * m->p.pitch + at.i] = x.w;
    vec3_put(m->drive, at.i, m->p.pitch, vec3_where(x.w > 0, drive));
    if (CONSTRAINT_IS_WARM)
        vec3_put(m->pull, at.i, m->p.pitch, scale(x.w, warm_gather(at, m)));
}

/* Whether any constraint acts at a node. */
INLINE int constraint_is_awake(struct grid_node at, const struct constraint_enforcement *m) {
    const int pitch = m->p.pitch;
    const vec3 x = vec3_at(m->place, at.i, pitch);
    int is_awake = 0;
    UNROLLED
    for (int k = 0; k < CONSTRAINT_SLOTS; ++k)
        if (CONSTRAINT_SPRINGS >> k / 2 & 1) {
            UNROLLED
            for (int side = 1; side >= -1; side -= 2) {
                const int j = slot_other(at, k, side, m->p.m);
                const vec3 d = subtract(x, vec3_at(m->place, j, pitch));
                is_awake |= j != at.i && constraint_acts(inner(d, d), slot_rest(k, m->p.m), m->p);
            }
        }
    return is_awake;
}

/* The initial residual b - (A + eps I) lambda of a node's own constraints, where b is the right side of (12). Also
 * stores the node's terms of r . r and b . b in `shares`. */
INLINE void constraint_enforcement_begin_item(struct grid_node at, const struct constraint_enforcement *m) {
    const int pitch = m->p.pitch;
    const vec3 x = vec3_at(m->place, at.i, pitch), v = xyz(m->velocity[at.i]), a = vec3_at(m->drive, at.i, pitch);
    const real w = m->place[3 * pitch + at.i];
    real left = 0, right = 0;
    UNROLLED
    for (int k = 0; k < CONSTRAINT_SLOTS; ++k)
        if (CONSTRAINT_SPRINGS >> k / 2 & 1) {
            const int j = slot_other(at, k, 1, m->p.m), c = k * pitch + at.i;
            const vec3 d = subtract(x, vec3_at(m->place, j, pitch)), u = subtract(v, xyz(m->velocity[j]));
            const scalar rest = slot_rest(k, m->p.m);
            const real squared = inner(d, d), error = constraint_error(squared, rest, m->p);
            const int is_there = j != at.i && w + m->place[3 * pitch + j] > 0;
            const int acts = CONSTRAINT_IS_ADAPTIVE ? is_there && constraint_acts(squared, rest, m->p) : is_there;
            const vec3 rate = add(scale(m->p.rate, u), subtract(a, vec3_at(m->drive, j, pitch)));
            const real b = acts ? error * m->p.rate * m->p.rate + 2 * inner(d, rate) : 0;
            real r = b;
            if (CONSTRAINT_IS_WARM) {
                const vec3 pull = subtract(vec3_at(m->pull, at.i, pitch), vec3_at(m->pull, j, pitch));
                const real product = 2 * inner(d, pull) + m->p.regularisation * m->kept[c];
                r = acts ? b - product : 0;
            }
            m->residual[c] = r;
            left = left + r * r;
            right = right + b * b;
        }
    SHARE_OF(m->shares, at.i) = quad_of(vec3_of(left, right, 0), 0);
    if (CONSTRAINT_IS_ADAPTIVE)
        m->awake[at.i] = constraint_is_awake(at, m);
    if (at.i == 0) {
        m->progress[0] = quad_of(vec3_of(0, -1, 0), 0);
        m->progress[1] = quad_of(vec3_of(0, 0, 0), 0);
    }
}
#endif

/* ---- The iteration ---- */

/* The state of the solver in a time step, after a sum of r . r. It is equal for all nodes. */
struct iteration {
    scalar squared, least, norm; /* r . r, the least r . r, b . b */
    scalar alpha, beta;          /* alpha of the previous stride; beta of the next direction */
    scalar count, least_at;      /* number of iterations; their number when the residual was least */
    /* is_first: no iteration is complete. is_least: r . r is the least so far; at the first sum this is false unless
     * the start is warm. had_ended: the solver had ended before this sum. has_ended: the solver had ended before, or
     * ends with this sum. */
    int is_first, is_least, had_ended, has_ended;
};

/* `progress` or `heading`, as read from memory. */
struct standing {
    quad numbers, counts;
};

INLINE struct standing standing_at(GLOBAL const quad *two) {
    struct standing s;
    s.numbers = two[0];
    s.counts = two[1];
    return s;
}

INLINE struct iteration iteration_of(quad total, struct standing progress, const struct constraint_enforcement *m) {
    const quad before = progress.numbers, counts = progress.counts;
    struct iteration s;
    s.is_first = counts.x == 0;
    s.squared = total.x;
    s.norm = s.is_first ? total.y : before.z;
    s.is_least = (!s.is_first || CONSTRAINT_IS_WARM) && (before.y < 0 || s.squared < before.y);
    s.least = s.is_least ? s.squared : before.y;
    s.count = counts.x;
    s.least_at = s.is_least ? counts.x : counts.y;
    s.alpha = before.w;
    s.beta = s.is_first ? 0 : s.squared / before.x;
    s.had_ended = counts.z != 0;
    s.has_ended = s.had_ended || !(s.squared > m->p.tolerance * s.norm && s.squared <= CONSTRAINT_GIVEN_UP * s.norm);
    return s;
}

/* Whether any constraint acts at a node, from the flag that constraint_enforcement_begin_item has stored. */
INLINE int constraint_has_any(int i, const struct constraint_enforcement *m) {
    return !CONSTRAINT_IS_ADAPTIVE || m->awake[i];
}

/* Whether an iteration skips a node: no constraint acts at the node, and the first two iterations have set all its
 * numbers to 0. */
INLINE int constraint_sleeps(int is_awake, scalar iterations) {
    return iterations >= 2 && !is_awake;
}

/* What a node reads in a slot for its part of J^T p, where p = `first` + factor * `second`. Two constraints count: the
 * node's own constraint, which leads to a later node, and the constraint of an earlier node that leads to this node.
 * `own` and `other` are the values of the two constraints in the array `first`; second_own and second_other are their
 * values in `second`. `next` and `before` are the positions of the other ends of the two constraints. */
struct constraint_slot {
    real own, other, second_own, second_other;
    vec3 next, before;
};

/* Everything that the kernel `direction` reads for a node. */
struct constraint_star {
    vec3 x;
    real inverse_mass;
    struct constraint_slot slots[CONSTRAINT_SLOTS];
    real multiplier[CONSTRAINT_SLOTS]; /* of the node's own constraints */
    int is_awake;
};

INLINE struct constraint_slot slot_at(struct grid_node at, const int slot, GLOBAL const scalar *first,
                                      GLOBAL const scalar *second, const int has_second,
                                      const struct constraint_enforcement *m) {
    const int pitch = m->p.pitch, nodes = m->p.m.columns * m->p.m.rows, base = slot * pitch;
    const int next = slot_other(at, slot, 1, m->p.m), before = slot_other(at, slot, -1, m->p.m);
    struct constraint_slot c;
    c.own = real_at(first, base + at.i);
    c.other = real_near(first, base, before, nodes, at.checked);
    c.second_own = c.second_other = EVERYWHERE(0);
    if (has_second) {
        c.second_own = real_at(second, base + at.i);
        c.second_other = real_near(second, base, before, nodes, at.checked);
    }
    c.next = vec3_near(m->place, next, pitch, nodes, at.checked);
    c.before = vec3_near(m->place, before, pitch, nodes, at.checked);
    return c;
}

/* A node's part of J^T p: the sum of 2 (x - x') p over its constraints, where x and x' are the positions of the node
 * and of the other end. p is `first` + `share` * `second` if has_second (`share` is a factor here), else `first`. If
 * `stores`, the p of the node's own constraints are stored in `to`, and their squares are added to *squares.
 * `prefetched` has the inputs; if `prefetched` is NULL, this function reads the inputs. */
INLINE vec3 constraint_gather(struct grid_node at, GLOBAL const scalar *first, GLOBAL const scalar *second,
                              scalar share, const int has_second, const int stores, GLOBAL scalar *to, real *squares,
                              const struct constraint_star *prefetched, const int springs,
                              const struct constraint_enforcement *m) {
    const vec3 x = prefetched ? prefetched->x : vec3_at(m->place, at.i, m->p.pitch);
    vec3 sum = vec3_everywhere(0, 0, 0);
    UNROLLED
    for (int k = 0; k < CONSTRAINT_SLOTS; ++k)
        if (springs >> k / 2 & 1) {
            const struct constraint_slot c =
                prefetched ? prefetched->slots[k] : slot_at(at, k, first, second, has_second, m);
            real p = c.own, q = c.other;
            if (has_second) {
                p = p + share * c.second_own;
                q = q + share * c.second_other;
            }
            if (stores) {
                real_put(to, k * m->p.pitch + at.i, p);
                *squares = *squares + p * p;
            }
            sum = add(sum, scale(p, subtract(x, c.next)));
            sum = add(sum, scale(q, subtract(x, c.before)));
        }
    return scale(EVERYWHERE(2), sum);
}

/* Update `multiplier` of a node's own constraints by the previous stride. If the residual is the least so far, also
 * copy the multipliers to `kept`. */
INLINE void constraint_advance(int i, const struct iteration *s, const struct constraint_star *prefetched,
                               const int springs, const struct constraint_enforcement *m) {
    UNROLLED
    for (int k = 0; k < CONSTRAINT_SLOTS; ++k)
        if (springs >> k / 2 & 1) {
            const int c = k * m->p.pitch + i;
            real lambda = EVERYWHERE(0);
            if (!s->is_first)
                lambda = (prefetched ? prefetched->multiplier[k] : real_at(m->multiplier, c)) +
                         s->alpha * (prefetched ? prefetched->slots[k].second_own : real_at(m->direction, c));
            else if (CONSTRAINT_IS_WARM)
                lambda = real_at(m->kept, c);
            real_put(m->multiplier, c, lambda);
            if (s->is_least)
                real_put(m->kept, c, lambda);
        }
}

/* Store the new direction p of a node's own constraints, and the node's pull W J^T p. Returns the node's term of p . (A
 * + eps I) p. */
INLINE real constraint_new_direction(struct grid_node at, const struct iteration *s,
                                     const struct constraint_star *prefetched, const int springs,
                                     const struct constraint_enforcement *m) {
    const int pitch = m->p.pitch;
    real squares = EVERYWHERE(0);
    const vec3 g = constraint_gather(at, m->residual, m->direction, s->beta, !s->is_first, 1, m->direction_next,
                                     &squares, prefetched, springs, m);
    const real w = prefetched ? prefetched->inverse_mass : real_at(m->place, 3 * pitch + at.i);
    vec3_put(m->pull, at.i, pitch, scale(w, g));
    return w * inner(g, g) + m->p.regularisation * squares;
}

/* What the kernel `stride` reads for one of the up to six constraints that a node owns: the position and the pull of
 * the node at the other end, and the constraint's residual. */
struct constraint_end {
    vec3 place, pull;
    real residual;
};

/* Everything that the kernel `stride` reads for a node. */
struct constraint_ends {
    vec3 x, pull;
    struct constraint_end slots[CONSTRAINT_SLOTS];
    int is_awake;
};

INLINE struct constraint_end end_at(struct grid_node at, const int slot, const struct constraint_enforcement *m) {
    const int pitch = m->p.pitch, nodes = m->p.m.columns * m->p.m.rows, j = slot_other(at, slot, 1, m->p.m);
    struct constraint_end end;
    end.place = vec3_near(m->place, j, pitch, nodes, at.checked);
    end.pull = vec3_near(m->pull, j, pitch, nodes, at.checked);
    end.residual = real_at(m->residual, slot * pitch + at.i);
    return end;
}

/* r = r - alpha (A + eps I) p for a node's own constraints. Returns the node's term of r . r. `prefetched` is as in
 * constraint_gather. */
INLINE real constraint_stride(struct grid_node at, scalar alpha, const struct constraint_ends *prefetched,
                              const int springs, const struct constraint_enforcement *m) {
    const int pitch = m->p.pitch;
    const vec3 x = prefetched ? prefetched->x : vec3_at(m->place, at.i, pitch),
               u = prefetched ? prefetched->pull : vec3_at(m->pull, at.i, pitch);
    real squares = EVERYWHERE(0);
    UNROLLED
    for (int k = 0; k < CONSTRAINT_SLOTS; ++k)
        if (springs >> k / 2 & 1) {
            const int c = k * pitch + at.i;
            const struct constraint_end end = prefetched ? prefetched->slots[k] : end_at(at, k, m);
            const vec3 d = subtract(x, end.place);
            real product = (scalar)2 * inner(d, subtract(u, end.pull));
#ifdef LANES
            if (at.checked)
                product = WHERE(slot_exists(at, k, m->p.m), product);
#endif
            if (CONSTRAINT_IS_ADAPTIVE)
                product = WHERE(constraint_acts(inner(d, d), slot_rest(k, m->p.m), m->p), product);
            if (m->p.regularisation > 0)
                product = product + m->p.regularisation * real_at(m->direction, c);
            const real r = end.residual - alpha * product;
            real_put(m->residual, c, r);
            squares = squares + r * r;
        }
    return squares;
}

INLINE quad quad_of_scalars(scalar x, scalar y, scalar z, scalar w) {
    quad a;
    a.x = x;
    a.y = y;
    a.z = z;
    a.w = w;
    return a;
}

/* Write `heading` for the stride. If the iteration had already ended, copy only the counts: their z tells the stride
 * that the iteration has ended. */
INLINE void iteration_head(const struct iteration *s, const struct constraint_enforcement *m) {
    if (s->had_ended) {
        m->heading[1] = m->progress[1];
        return;
    }
    m->heading[0] = quad_of_scalars(s->squared, s->least, s->norm, 0);
    m->heading[1] = quad_of_scalars(s->count, s->least_at, s->has_ended, 0);
}

#ifndef LANES
/* star_at and ends_at read nothing that depends on the previous sum. On a GPU these functions read while the sum is
 * computed, so there is one wait for memory instead of two. */
INLINE struct constraint_star star_at(struct grid_node at, const struct constraint_enforcement *m) {
    const int pitch = m->p.pitch;
    struct constraint_star star;
    star.x = vec3_at(m->place, at.i, pitch);
    star.inverse_mass = m->place[3 * pitch + at.i];
    star.is_awake = constraint_has_any(at.i, m);
    UNROLLED
    for (int k = 0; k < CONSTRAINT_SLOTS; ++k)
        if (CONSTRAINT_SPRINGS >> k / 2 & 1) {
            star.slots[k] = slot_at(at, k, m->residual, m->direction, 1, m);
            star.multiplier[k] = m->multiplier[k * pitch + at.i];
        }
    return star;
}

INLINE struct constraint_ends ends_at(struct grid_node at, const struct constraint_enforcement *m) {
    struct constraint_ends ends;
    ends.x = vec3_at(m->place, at.i, m->p.pitch);
    ends.pull = vec3_at(m->pull, at.i, m->p.pitch);
    ends.is_awake = constraint_has_any(at.i, m);
    UNROLLED
    for (int k = 0; k < CONSTRAINT_SLOTS; ++k)
        if (CONSTRAINT_SPRINGS >> k / 2 & 1)
            ends.slots[k] = end_at(at, k, m);
    return ends;
}

/* After the iteration has ended, this kernel changes neither arrays nor shares, so the sums keep their values. */
INLINE void constraint_direction(struct grid_node at, const struct iteration *s,
                                 const struct constraint_star *prefetched, const struct constraint_enforcement *m) {
    if (at.i == 0)
        iteration_head(s, m);
    if (s->had_ended)
        return;
    if (constraint_sleeps(prefetched ? prefetched->is_awake : constraint_has_any(at.i, m), s->count))
        return;
    constraint_advance(at.i, s, prefetched, CONSTRAINT_SPRINGS, m);
    if (!s->has_ended)
        share_put(m->shares, at.i, constraint_new_direction(at, s, prefetched, CONSTRAINT_SPRINGS, m));
}

INLINE struct iteration constraint_enforcement_direction_shared(const struct constraint_enforcement *m) {
    return iteration_of(TOTAL_OF(m->total), standing_at(m->progress), m);
}

INLINE void constraint_enforcement_direction_item(struct grid_node at, const struct iteration *s,
                                                  const struct constraint_enforcement *m) {
    constraint_direction(at, s, 0, m);
}
#endif

/* alpha from the sum p . A p. alpha is 0 if the iteration has ended, or if p . A p is not positive. */
INLINE scalar stride_of(quad total, struct standing heading) {
    return heading.counts.z == 0 && total.x > 0 ? heading.numbers.x / total.x : 0;
}

/* Write `progress` for the next direction. */
INLINE void iteration_stride(scalar alpha, const struct constraint_enforcement *m) {
    const quad head = m->heading[0], counts = m->heading[1];
    const int had_ended = counts.z != 0;
    m->progress[0] = quad_of_scalars(head.x, head.y, head.z, alpha);
    m->progress[1] = quad_of_scalars(counts.x + (had_ended ? 0 : 1), counts.y, had_ended || !(alpha > 0), 0);
}

#ifndef LANES
INLINE void constraint_step(struct grid_node at, scalar alpha, const struct constraint_ends *prefetched,
                            const struct constraint_enforcement *m) {
    const int is_awake = prefetched ? prefetched->is_awake : constraint_has_any(at.i, m);
    if (m->heading[1].z == 0 && !constraint_sleeps(is_awake, m->heading[1].x))
        share_put(m->shares, at.i, constraint_stride(at, alpha, prefetched, CONSTRAINT_SPRINGS, m));
    if (at.i == 0)
        iteration_stride(alpha, m);
}

INLINE scalar constraint_enforcement_stride_shared(const struct constraint_enforcement *m) {
    return stride_of(TOTAL_OF(m->total), standing_at(m->heading));
}

INLINE void constraint_enforcement_stride_item(struct grid_node at, const scalar *alpha,
                                               const struct constraint_enforcement *m) {
    constraint_step(at, *alpha, 0, m);
}

/* ---- After the iteration ---- */

INLINE scalar larger(scalar a, scalar b) {
    return a >= b ? a : b; /* b if a or b is NaN */
}

/* Add a step to the frame's record. `squared` is r . r of the multipliers that the step uses. */
INLINE void constraint_note(const struct iteration *s, scalar squared, const struct constraint_enforcement *m) {
    const int begins = m->step % m->p.steps_per_frame == 0;
    const quad a = m->record[0], b = m->record[1];
    const scalar used = s->norm > 0 ? squared / s->norm : 0, last = s->norm > 0 ? s->squared / s->norm : 0;
    const scalar diverged = last <= 1 ? 0 : 1;
    quad record;
    record.x = begins ? used : larger(a.x, used);
    record.y = begins ? last : larger(a.y, last);
    record.z = begins ? s->count : larger(a.z, s->count);
    record.w = begins ? s->least_at : larger(a.w, s->least_at);
    m->record[0] = record;
    m->record[1] = quad_of(vec3_of(begins ? diverged : b.x + diverged, 0, 0), 0);
}

/* The end of a step: the velocity (8) and the position (9) with the multipliers of the least residual. Afterwards
 * `kept` has these multipliers. */
INLINE struct iteration constraint_enforcement_finish_shared(const struct constraint_enforcement *m) {
    return iteration_of(TOTAL_OF(m->total), standing_at(m->progress), m);
}

INLINE void constraint_enforcement_finish_item(struct grid_node at, const struct iteration *s,
                                               const struct constraint_enforcement *m) {
    const struct mass_spring_parameters p = m->p.m;
    const int pitch = m->p.pitch, uses_last = s->is_least || s->least < 0, is_late = uses_last && s->alpha > 0;
    const quad x = m->position[at.i], v = m->velocity[at.i];
    real squares = 0;
    const vec3 g = constraint_gather(at, uses_last ? m->multiplier : m->kept, m->direction, s->alpha, is_late, 0, 0,
                                     &squares, 0, CONSTRAINT_SPRINGS, m);
    const vec3 acceleration = subtract(vec3_at(m->drive, at.i, pitch), scale(x.w, g));
    const vec3 velocity = vec3_where(x.w > 0, add(xyz(v), scale(p.step, acceleration)));
    m->velocity_next[at.i] = quad_of(velocity, v.w);
    m->position_next[at.i] = quad_of(position_after(xyz(x), velocity, p), x.w);
    UNROLLED
    for (int k = 0; k < CONSTRAINT_SLOTS; ++k)
        if (uses_last && CONSTRAINT_SPRINGS >> k / 2 & 1) { /* no data race: no node has read `kept` in this case */
            const int c = k * pitch + at.i;
            m->kept[c] = is_late ? m->multiplier[c] + s->alpha * m->direction[c] : m->multiplier[c];
        }
    if (at.i == 0)
        constraint_note(s, uses_last ? s->squared : s->least, m);
}

/* ---- On a device: the node of a work item ---- */

#ifdef __OPENCL_VERSION__
#define HAS_NODE (i < p.m.columns * p.m.rows)

/* Execute `call` for the work item's node `at`. For a large grid `call` is compiled twice: with checks of the
 * neighbours, and without. */
#define ON_NODE(call)                                                                                                  \
    if (HAS_NODE) {                                                                                                    \
        struct grid_node at = node_of(i, p.m);                                                                         \
        if (CONSTRAINT_IS_LARGE && !at.checked) {                                                                      \
            at.checked = 0;                                                                                            \
            call;                                                                                                      \
        } else {                                                                                                       \
            at.checked = 1;                                                                                            \
            call;                                                                                                      \
        }                                                                                                              \
    }

INLINE struct grid_node node_of(int i, const struct mass_spring_parameters p) {
    const int row = i / p.columns, column = i - row * p.columns;
    const struct grid_node at = {i, column, row, !(CONSTRAINT_IS_LARGE && GRID_IS_INSIDE(column, row, p))};
    return at;
}

/* node_of for a small grid, in which all nodes have `checked`. A work item without a node gets the last node. */
INLINE struct grid_node near_node_of(int i, const struct mass_spring_parameters p) {
    const int last = p.columns * p.rows - 1, j = i < last ? i : last;
    const int row = j / p.columns, column = j - row * p.columns;
    const struct grid_node at = {j, column, row, 1};
    return at;
}

INLINE void constraint_enforcement_prepare_all(int i, const struct constraint_enforcement_parameters p,
                                               const struct constraint_enforcement *m) {
    ON_NODE(constraint_enforcement_prepare_item(at, m));
}

INLINE void constraint_enforcement_begin_all(int i, const struct constraint_enforcement_parameters p,
                                             const struct constraint_enforcement *m) {
    ON_NODE(constraint_enforcement_begin_item(at, m));
}

/* On a large grid a warp prefetches what it reads at its own nodes: each lane prefetches the numbers of one array. So
 * the warp asks for all arrays at once, and not only for as many as its registers can hold. In double precision, only
 * half of the nodes are prefetched. If no constraint acts at the warp's first node, nothing is prefetched, because the
 * iteration then probably skips the other nodes, too. The flags that tell this are prefetched AWAKE_ROWS rows ahead.
 *
 * On an H200, prefetching makes steps of 2,048 x 2,048 nodes of adaptive_constraint 19 % faster, and steps of 1,024 x
 * 1,024 nodes of constraint_enforcement 23 % faster. */
#define PREFETCH_LANES 32 /* lanes of a warp, or a part of a larger subgroup */
#define AWAKE_ROWS     16
#define SLOT_ARRAYS    (CONSTRAINT_SPRINGS & SPRINGS_BEND ? 6 : CONSTRAINT_SPRINGS & SPRINGS_SHEAR ? 4 : 2)

/* The first node of the warp whose work item has node i. */
INLINE int warp_node(int i) {
    return i - (int)get_local_id(0) % PREFETCH_LANES;
}

/* Prefetch `count` arrays, the first of which is `array`. The lanes `lane` to `lane` + `count` - 1 do so. */
INLINE void prefetch_arrays(int i, int lane, int count, GLOBAL const scalar *array,
                            const struct constraint_enforcement *m) {
    const int k = i - warp_node(i) - lane;
    if (k >= 0 && k < count)
        PREFETCH_LINE(array + k * m->p.pitch + warp_node(i));
}

/* Whether to prefetch for the warp whose work item has node i. This function prefetches the flags of later nodes. */
INLINE int constraint_prefetches(int i, const struct constraint_enforcement *m) {
    const int nodes = m->p.m.columns * m->p.m.rows, ahead = i + AWAKE_ROWS * m->p.m.columns;
    if (CONSTRAINT_IS_LARGE && CONSTRAINT_IS_ADAPTIVE && i == warp_node(i) && ahead < nodes)
        PREFETCH_LINE(m->awake + ahead);
    return CONSTRAINT_IS_LARGE && warp_node(i) < nodes && constraint_has_any(warp_node(i), m);
}

/* On a small grid a work item reads the data of its node before whole warps compute the sum. All work items read,
 * because a compiler postpones reads that only some work items make. A work item without a node reads the data of the
 * last node. To avoid a data race, it reads another array instead of the array that the last node's work item
 * writes. */
INLINE void constraint_enforcement_direction_all(int i, const struct constraint_enforcement_parameters p,
                                                 const struct constraint_enforcement *m) {
    if (constraint_prefetches(i, m)) {
        prefetch_arrays(i, 0, SLOT_ARRAYS, m->residual, m);
        prefetch_arrays(i, SLOT_ARRAYS, SLOT_ARRAYS, m->direction, m);
        prefetch_arrays(i, 2 * SLOT_ARRAYS, SLOT_ARRAYS, m->multiplier, m);
        prefetch_arrays(i, 3 * SLOT_ARRAYS, 4, m->place, m);
    }
    const prefetched_total prefetched = TOTAL_PREFETCH(m->total);
    const struct standing before = standing_at(m->progress);
    struct constraint_enforcement near = *m;
    near.multiplier = HAS_NODE ? m->multiplier : m->residual;
    struct constraint_star star;
    if (!CONSTRAINT_IS_LARGE)
        star = star_at(near_node_of(i, p.m), &near);
    const struct iteration s = iteration_of(TOTAL_OF_PREFETCHED(prefetched), before, m);
    ON_NODE(constraint_direction(at, &s, CONSTRAINT_IS_LARGE ? 0 : &star, m));
}

INLINE void constraint_enforcement_stride_all(int i, const struct constraint_enforcement_parameters p,
                                              const struct constraint_enforcement *m) {
    if (constraint_prefetches(i, m)) {
        prefetch_arrays(i, 0, SLOT_ARRAYS, m->residual, m);
        prefetch_arrays(i, SLOT_ARRAYS, 3, m->pull, m);
        prefetch_arrays(i, SLOT_ARRAYS + 3, 3, m->place, m);
    }
    const prefetched_total prefetched = TOTAL_PREFETCH(m->total);
    const struct standing head = standing_at(m->heading);
    struct constraint_enforcement near = *m;
    near.residual = HAS_NODE ? m->residual : (GLOBAL scalar *)m->direction;
    struct constraint_ends ends;
    if (!CONSTRAINT_IS_LARGE)
        ends = ends_at(near_node_of(i, p.m), &near);
    const scalar alpha = stride_of(TOTAL_OF_PREFETCHED(prefetched), head);
    ON_NODE(constraint_step(at, alpha, CONSTRAINT_IS_LARGE ? 0 : &ends, m));
}

INLINE void constraint_enforcement_finish_all(int i, const struct constraint_enforcement_parameters p,
                                              const struct constraint_enforcement *m) {
    const struct iteration s = constraint_enforcement_finish_shared(m);
    ON_NODE(constraint_enforcement_finish_item(at, &s, m));
}

/* Not 0 if the iteration has ended. The remaining directions and strides then change nothing. */
INLINE real constraint_enforcement_ended(GLOBAL const quad *progress) {
    return progress[1].z;
}
#endif
#endif

#define CONSTRAINT_ENFORCEMENT_KERNELS(KERNEL)                                                                         \
    KERNEL(NODES, constraint_enforcement, constraint_enforcement_prepare)                                              \
    KERNEL(NODES, constraint_enforcement, constraint_enforcement_begin)                                                \
    KERNEL(SHARED_NODES, constraint_enforcement, constraint_enforcement_direction)                                     \
    KERNEL(SHARED_NODES, constraint_enforcement, constraint_enforcement_stride)                                        \
    KERNEL(SHARED_NODES, constraint_enforcement, constraint_enforcement_finish)

#endif
