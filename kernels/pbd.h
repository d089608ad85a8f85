/* Position based dynamics: Mueller et al., "Position Based Dynamics", JVCIR, 2007, as in Lee, Kim, Choi and Hong,
 * "Volumetric Object Modeling Using Internal Shape Preserving Constraint in Unity 3D", 2022, algorithm 1. Also the
 * strain constraints of Mueller et al., "Strain Based Dynamics", SCA, 2014, with which Lee et al. compare their method.
 *
 * Every constraint C moves its particles by dp_k = -s C w_k grad_k C / sum of w_l |grad_l C|^2, with the stiffness s.
 * Gauss-Seidel projects colour by colour. Constraints of one colour share no particle, so their order does not matter.
 * In Jacobi's method all constraints read the same positions. A node then moves by the sum of its corrections, or by
 * their mean times a factor.
 *
 * A later public program of the same group (hly-12/DeformableObjectSim-PBD, b3e0d20) uses Jacobi on the GPU. Its factor
 * is 1.5 (Assets/Shader/compute shader/PBDSolving.compute:338-360; Assets/Scenes/Free-fall scene.unity:431). In this
 * program s is the stiffness that the scene sets, without a limit, so s may exceed 1 (PBDSolving.compute:167-170 and
 * :235). The group's CPU program uses Gauss-Seidel (Assets/Script/CPU/CPUPBD.cs:262-289). Both programs have a volume
 * constraint per tetrahedron instead of the strain constraints (PBDSolving.compute:271-335), and the edges of all
 * tetrahedra instead of inner links. */
#ifndef SPRINGBACK_KERNELS_PBD_H
#define SPRINGBACK_KERNELS_PBD_H

#include "angle.h"
#include "contact.h"
#include "dialect.h"

/* Reals first, then 4-byte integers. SI units. A stiffness is the fraction of a correction that is applied. */
struct pbd_parameters {
    scalar step, rate; /* rate: 1 / step */
    scalar kept;       /* the fraction of a velocity that remains after a step's damping */
    scalar gravity_x, gravity_y, gravity_z;
    scalar edge_compression, edge_stretch, link_compression, link_stretch, bending, strain;
    scalar relaxation; /* Jacobi: factor of the mean of a node's corrections */
    struct contact_parameters contact;
    int nodes;
    /* A sum of CONTACT_*; the plate exists while fewer than plate_until steps are complete. */
    int contacts, plate_until;
    int is_printed;             /* whether strain constraints have the printed form */
    int is_summed;              /* Jacobi: whether a node moves by the sum of its corrections instead of their mean */
    int bend_slot, inside_slot; /* Jacobi: index of the first correction of bends; index of the first correction of
                                   links or tetrahedra */
    int unused;                 /* makes the number of integers even (method/program.h: PARAMETERS_END) */
};

#ifndef PBD_IS_PRINTED /* on a device this macro is a compile-time constant, like NETWORK_CONTACTS */
#define PBD_IS_PRINTED p.is_printed
#endif

/* ---- Constraints: corrections of particles at given places ---- */

/* numerator / sum; 0 if sum is at most 1e-30 or at least 1e30. For example, sum is 0 for a tetrahedron with an axis of
 * length 0. Without the upper limit, the reciprocal of infinity would be NaN here. */
INLINE real share_of(real numerator, real sum) {
    const word is_there = (sum > (scalar)1e-30) & (sum < (scalar)1e30);
    return WHERE(is_there, numerator * reciprocal(EITHER(is_there, sum, EVERYWHERE((scalar)1))));
}

/* (1) to (3): C = |p1 - p2| - d, dp1 = -w1 / (w1 + w2) C n, dp2 = +w2 / (w1 + w2) C n, n = (p1 - p2) / |p1 - p2|. In
 * our copy of the paper, (1) and (2) lack the norm, and (1) lacks the minus sign. distance_correction returns a vector
 * r with dp1 = -w1 r and dp2 = w2 r. Ends that coincide have no direction and do not move. `share` is 1 / (w1 + w2) by
 * distance_share; it does not change during a run. */
INLINE real distance_share(real w1, real w2) {
    return share_of(EVERYWHERE((scalar)1), w1 + w2);
}

INLINE vec3 distance_correction(vec3 p1, vec3 p2, real rest, real share, scalar compression, scalar stretch) {
    const vec3 d = subtract(p1, p2);
    const real square = inner(d, d), inverse = inverse_root(square);
    const real error = square * inverse - rest;
    const real stiffness = EITHER(error < 0, EVERYWHERE(compression), EVERYWHERE(stretch));
    return scale(WHERE(share > 0, stiffness * error * inverse * share), d);
}

/* (4), the angle between two triangles that share the edge (a, b); c and d are their other corners. The angle is 0 if
 * the triangles are coplanar and side by side, and pi if one is folded onto the other. The paper uses the arccosine of
 * the normals' dot product. In single precision this arccosine is 0 for angles up to 3e-4 rad, and it has no sign. This
 * code uses the angle of the vector (n1 . n2, (n1 x n2) . e / |e|) from the x axis, with e = b - a, n1 = (c - a) x (c -
 * b) and n2 = (d - b) x (d - a).
 *
 * The gradient is finite for flat and folded triangles:
 *
 *     grad_c = -|e| n1 / |n1|^2, grad_d = -|e| n2 / |n2|^2,
 *     grad_a = -((c - b).e n1 / |n1|^2 + (d - b).e n2 / |n2|^2) / |e|,
 *     grad_b = ((c - a).e n1 / |n1|^2 + (d - a).e n2 / |n2|^2) / |e| (Bridson, Marino and Fedkiw, 2003).
 */
struct dihedral {
    real angle;
    vec3 a, b, c, d; /* gradients of the angle */
};

INLINE struct dihedral dihedral_of(vec3 a, vec3 b, vec3 c, vec3 d) {
    struct dihedral h;
    const vec3 e = subtract(b, a), ca = subtract(c, a), cb = subtract(c, b), da = subtract(d, a), db = subtract(d, b);
    const vec3 n1 = outer(ca, cb), n2 = outer(db, da);
    const real inverse_length = inverse_root(inner(e, e)), length = inner(e, e) * inverse_length;
    h.angle = arctangent(inner(outer(n1, n2), e) * inverse_length, inner(n1, n2));
    const vec3 m1 = scale(share_of(EVERYWHERE((scalar)1), inner(n1, n1)), n1);
    const vec3 m2 = scale(share_of(EVERYWHERE((scalar)1), inner(n2, n2)), n2);
    h.c = scale(-length, m1);
    h.d = scale(-length, m2);
    h.a = scale(-inverse_length, add(scale(inner(cb, e), m1), scale(inner(db, e), m2)));
    h.b = scale(inverse_length, add(scale(inner(ca, e), m1), scale(inner(da, e), m2)));
    return h;
}

/* The factor f in each corner's move: dp_k = f w_k grad_k of the angle. */
INLINE real bend_factor(const struct dihedral *h, real wa, real wb, real wc, real wd, real rest, scalar stiffness) {
    const real sum = wa * inner(h->a, h->a) + wb * inner(h->b, h->b) + wc * inner(h->c, h->c) + wd * inner(h->d, h->d);
    return share_of(-stiffness * wrapped_angle(h->angle - rest), sum);
}

/* A tetrahedron's corners, their inverse masses, and Q^-1, (6), by rows. c_i is column i of Q^-1: (q[0][i], q[1][i],
 * q[2][i]). */
struct tetrahedron {
    vec3 p[4];
    real w[4];
    real q[3][3];
};

/* P c_i, column i of F = P Q^-1, (5) and (7). Called f_i below. */
INLINE vec3 strained(const struct tetrahedron *t, const int i) {
    const vec3 a = scale(t->q[0][i], subtract(t->p[1], t->p[0])), b = scale(t->q[1][i], subtract(t->p[2], t->p[0])),
               c = scale(t->q[2][i], subtract(t->p[3], t->p[0]));
    return add(add(a, b), c);
}

/* Move the corners by -stiffness C w_k grad_k C / sum of w_l |grad_l C|^2. `error` is C. For the last three corners,
 * grad_(k + 1) C = q[k][i] g + q[k][j] h. grad_0 C is minus the sum of these three. */
INLINE void strain_project(struct tetrahedron *t, const int i, const int j, vec3 g, vec3 h, real error,
                           scalar stiffness) {
    vec3 gradient[4];
    real sum;
    UNROLLED
    for (int k = 0; k < 3; ++k)
        gradient[k + 1] = add(scale(t->q[k][i], g), scale(t->q[k][j], h));
    const vec3 three = add(add(gradient[1], gradient[2]), gradient[3]);
    gradient[0] = vec3_of(-three.x, -three.y, -three.z);
    sum = t->w[0] * inner(three, three);
    UNROLLED
    for (int k = 1; k < 4; ++k)
        sum = sum + t->w[k] * inner(gradient[k], gradient[k]);
    const real factor = share_of(-stiffness * error, sum);
    UNROLLED
    for (int k = 0; k < 4; ++k)
        t->p[k] = add(t->p[k], scale(factor * t->w[k], gradient[k]));
}

/* (10), stretch along axis i. c_ki is q[k][i]. Printed: C = S_ii - 1, with S = F^T F, grad = 2 c_ki f_i. Mueller: C =
 * |f_i| - 1, grad = c_ki f_i / |f_i|. The parameter s_i of Mueller et al. is 1, because the body's own shape is at
 * rest. The step of the printed form has no bound if f_i vanishes. If |f_i| < 1/2, the step is therefore reduced: with
 * stiffness 1, f_i becomes at most three times as long. */
INLINE void stretch_project(struct tetrahedron *t, const int i, const int is_printed, scalar stiffness) {
    const vec3 f = strained(t, i), none = vec3_everywhere(0, 0, 0);
    const real square = inner(f, f);
    if (is_printed) {
        const real bound = (scalar)4 * square, limit = EITHER(bound < 1, bound, EVERYWHERE((scalar)1));
        strain_project(t, i, i, scale(EVERYWHERE((scalar)2), f), none, (square - (scalar)1) * limit, stiffness);
    } else {
        const real inverse = inverse_root(square);
        strain_project(t, i, i, scale(inverse, f), none, square * inverse - (scalar)1, stiffness);
    }
}

/* (11), shear between axes i and j. Printed: C = S_ij, grad = c_ki f_j + c_kj f_i. Mueller: C = S_ij / (|f_i| |f_j|).
 * With the directions a of f_i and b of f_j it is C = a.b, grad = c_ki (b - C a) / |f_i| + c_kj (a - C b) / |f_j|.
 *
 * If f_i and f_j are parallel, Mueller's gradient is 0 and the step to C = 0 has no bound: it would move the corners of
 * a flattened tetrahedron by a million edge lengths. Beyond 60 degrees of shear the step is therefore multiplied by 4
 * sin^2 of the angle between f_i and f_j. Then the step goes to 0 with the sine of this angle. */
INLINE void shear_project(struct tetrahedron *t, const int i, const int j, const int is_printed, scalar stiffness) {
    const vec3 fi = strained(t, i), fj = strained(t, j);
    if (is_printed) {
        strain_project(t, i, j, fj, fi, inner(fi, fj), stiffness);
    } else {
        const real over_i = inverse_root(inner(fi, fi)), over_j = inverse_root(inner(fj, fj));
        const vec3 a = scale(over_i, fi), b = scale(over_j, fj);
        const real cosine = inner(a, b), bound = (scalar)4 * ((scalar)1 - cosine * cosine);
        const real limit = EITHER(bound < 1, WHERE(bound > 0, bound), EVERYWHERE((scalar)1));
        strain_project(t, i, j, scale(over_i, subtract(b, scale(cosine, a))),
                       scale(over_j, subtract(a, scale(cosine, b))), cosine * limit, stiffness);
    }
}

/* All six constraints of a tetrahedron, one after the other. */
INLINE void strain_project_all(struct tetrahedron *t, const int is_printed, scalar stiffness) {
    UNROLLED
    for (int i = 0; i < 3; ++i) {
        stretch_project(t, i, is_printed, stiffness);
        UNROLLED
        for (int j = 0; j < i; ++j)
            shear_project(t, i, j, is_printed, stiffness);
    }
}

/* ---- Start and end of a step ---- */

/* Lines (8) to (10) of algorithm 1: gravity, damping, and the predicted position. */
INLINE struct motion pbd_predicted(struct motion here, real inverse_mass, struct pbd_parameters p) {
    const vec3 gravity = vec3_everywhere(p.gravity_x, p.gravity_y, p.gravity_z);
    struct motion m;
    m.v = vec3_where(inverse_mass > 0, scale(EVERYWHERE(p.kept), add(here.v, scale(EVERYWHERE(p.step), gravity))));
    m.x = add(here.x, scale(EVERYWHERE(p.step), m.v));
    return m;
}

/* Lines (11) and (13): a node that is above the plate's underside after `steps` steps is moved onto the underside. A
 * node below the ground is moved to the height `placed`, which is that of the ground unless CONTACT_LIFTED. The public
 * program that the head of this file names places a node 0.015 length units above the ground
 * (PBDSolving.compute:363-372). */
INLINE vec3 pbd_kept_out(vec3 x, real inverse_mass, int steps, struct pbd_parameters p) {
    const int contacts = NETWORK_CONTACTS;
    if ((contacts & CONTACT_PLATE) && steps < p.plate_until) {
        const scalar height = plate_height(steps, p.step, p.contact);
        x.y = EITHER((x.y > height) & (inverse_mass > 0), EVERYWHERE(height), x.y);
    }
    if (contacts & CONTACT_GROUND)
        x.y = EITHER((x.y < p.contact.ground) & (inverse_mass > 0), EVERYWHERE(p.contact.placed), x.y);
    return x;
}

/* Returns the velocity of a node at the end of a step: v, unless the node `touches` a plane that moves up at `speed`
 * and `came` leads into this plane. In that case the component of `came` into the plane is removed or reversed, and
 * Coulomb friction reduces the tangential component of v. `came` is the velocity at the start of the step, and `up` is
 * as in contact_touch. */
INLINE vec3 pbd_touched(word touches, vec3 v, vec3 came, scalar speed, scalar up, struct contact_parameters p) {
    struct motion m;
    m.x = v;
    m.v = vec3_of(v.x, came.y, v.z);
    m = contact_touch(m, 0, speed, up, p);
    return vec3_either(touches & (up * (EVERYWHERE(speed) - came.y) > 0), m.v, v);
}

/* Lines (16), (17) and (19): v = (p - x) / dt, and its change by contact. `came` is the velocity at the start of the
 * step. With CONTACT_LIFTED the ground does not change the velocity. The public program sets the velocity of a node
 * that touches the ground to 0, but then replaces this velocity by (p - x) / dt (PBDSolving.compute:370 and :381). */
INLINE vec3 pbd_velocity(vec3 predicted, vec3 x, vec3 came, real inverse_mass, int steps, struct pbd_parameters p) {
    const int contacts = NETWORK_CONTACTS;
    const word moves = inverse_mass > 0;
    vec3 v = scale(EVERYWHERE(p.rate), subtract(predicted, x));
    if ((contacts & CONTACT_PLATE) && steps < p.plate_until)
        v = pbd_touched((predicted.y >= plate_height(steps, p.step, p.contact)) & moves, v, came,
                        plate_rise(steps, p.step, p.contact), -1, p.contact);
    if ((contacts & (CONTACT_GROUND | CONTACT_LIFTED)) == CONTACT_GROUND)
        v = pbd_touched((predicted.y <= p.contact.ground) & moves, v, came, 0, 1, p.contact);
    return v;
}

/* ---- Items of lists ---- */

struct pbd {
    GLOBAL quad *position, *velocity;
    FRAME_SPACE quad *predicted; /* inverse mass in w */
    GLOBAL const int *particle;  /* [constraints][2] or [constraints][4]: the nodes of each constraint */
    GLOBAL const scalar *rest;   /* length in m or angle of each constraint; for a tetrahedron 9 reals, Q^-1 by rows */
    GLOBAL quad *correction;     /* Jacobi: one for each particle of each constraint; w: how many corrections are added
                                    up in it */
    GLOBAL const int *start, *slot; /* Jacobi: a node's corrections are slot[start[i]] .. slot[start[i + 1] - 1] */
    struct pbd_parameters p;
    int step;
};

#ifndef LANES

INLINE void pbd_predict_item(int i, const struct pbd *m) {
    const quad x = m->position[i], v = m->velocity[i];
    struct motion here;
    here.x = xyz(x);
    here.v = xyz(v);
    const struct motion after = pbd_predicted(here, x.w, m->p);
    m->velocity[i] = quad_of(after.v, v.w);
    m->predicted[i] = quad_of(after.x, x.w);
}

INLINE void pbd_collide_item(int i, const struct pbd *m) {
    const quad x = m->predicted[i];
    m->predicted[i] = quad_of(pbd_kept_out(xyz(x), x.w, m->step + 1, m->p), x.w);
}

INLINE void pbd_update_item(int i, const struct pbd *m) {
    const quad x = m->position[i], v = m->velocity[i], after = m->predicted[i];
    m->velocity[i] = quad_of(pbd_velocity(xyz(after), xyz(x), xyz(v), x.w, m->step + 1, m->p), v.w);
    m->position[i] = quad_of(xyz(after), x.w);
}

/* Data of a constraint that no stage changes. A device can read them before the positions of the constraint's particles
 * are known. */
struct pbd_pair {
    int particle[2];
    scalar rest;
};
struct pbd_bent {
    int particle[4];
    scalar rest;
};
struct pbd_strained {
    int particle[4];
    scalar rest[9];
};

INLINE struct pbd_pair pbd_edge_prefetch_item(int c, const struct pbd *m) {
    struct pbd_pair pair;
    const int first = 2 * c;
    pair.particle[0] = m->particle[first];
    pair.particle[1] = m->particle[first + 1];
    pair.rest = m->rest[c];
    return pair;
}

INLINE struct pbd_pair pbd_link_prefetch_item(int c, const struct pbd *m) {
    return pbd_edge_prefetch_item(c, m);
}

INLINE struct pbd_bent pbd_bend_prefetch_item(int c, const struct pbd *m) {
    struct pbd_bent bent;
    const int first = 4 * c;
    UNROLLED
    for (int k = 0; k < 4; ++k)
        bent.particle[k] = m->particle[first + k];
    bent.rest = m->rest[c];
    return bent;
}

INLINE struct pbd_strained pbd_strain_prefetch_item(int c, const struct pbd *m) {
    struct pbd_strained strained;
    const int corner = 4 * c, first = 9 * c;
    UNROLLED
    for (int k = 0; k < 4; ++k)
        strained.particle[k] = m->particle[corner + k];
    UNROLLED
    for (int k = 0; k < 9; ++k)
        strained.rest[k] = m->rest[first + k];
    return strained;
}

/* Project constraint c between two particles. If `apart` (Jacobi), do not move the particles, but store their
 * corrections. The first correction is stored at index `first` + 2 c. */
INLINE void pbd_distance_of(int c, const struct pbd_pair *pair, scalar compression, scalar stretch, const int apart,
                            int first, const struct pbd *m) {
    const int k = 2 * c, a = pair->particle[0], b = pair->particle[1];
    const quad x = m->predicted[a], y = m->predicted[b];
    const vec3 d = distance_correction(xyz(x), xyz(y), pair->rest, distance_share(x.w, y.w), compression, stretch);
    if (apart) {
        m->correction[first + k] = quad_of(scale(-x.w, d), 1);
        m->correction[first + k + 1] = quad_of(scale(y.w, d), 1);
    } else {
        m->predicted[a] = quad_of(subtract(xyz(x), scale(x.w, d)), x.w);
        m->predicted[b] = quad_of(add(xyz(y), scale(y.w, d)), y.w);
    }
}

INLINE void pbd_edge_apply_item(int c, const struct pbd_pair *pair, const struct pbd *m) {
    pbd_distance_of(c, pair, m->p.edge_compression, m->p.edge_stretch, 0, 0, m);
}

INLINE void pbd_link_apply_item(int c, const struct pbd_pair *pair, const struct pbd *m) {
    pbd_distance_of(c, pair, m->p.link_compression, m->p.link_stretch, 0, 0, m);
}

INLINE void pbd_edge_item(int c, const struct pbd *m) {
    const struct pbd_pair pair = pbd_edge_prefetch_item(c, m);
    pbd_edge_apply_item(c, &pair, m);
}

INLINE void pbd_link_item(int c, const struct pbd *m) {
    const struct pbd_pair pair = pbd_link_prefetch_item(c, m);
    pbd_link_apply_item(c, &pair, m);
}

INLINE void pbd_edge_apart_item(int c, const struct pbd *m) {
    const struct pbd_pair pair = pbd_edge_prefetch_item(c, m);
    pbd_distance_of(c, &pair, m->p.edge_compression, m->p.edge_stretch, 1, 0, m);
}

INLINE void pbd_link_apart_item(int c, const struct pbd *m) {
    const struct pbd_pair pair = pbd_link_prefetch_item(c, m);
    pbd_distance_of(c, &pair, m->p.link_compression, m->p.link_stretch, 1, m->p.inside_slot, m);
}

/* Project bend c. If `apart` (Jacobi), do not move the particles, but store their corrections, the first one at index
 * bend_slot + 4 c. */
INLINE void pbd_bend_of(int c, const struct pbd_bent *bent, const int apart, const struct pbd *m) {
    const int k = 4 * c, a = bent->particle[0], b = bent->particle[1], e = bent->particle[2], f = bent->particle[3];
    const quad xa = m->predicted[a], xb = m->predicted[b], xe = m->predicted[e], xf = m->predicted[f];
    const struct dihedral h = dihedral_of(xyz(xa), xyz(xb), xyz(xe), xyz(xf));
    const scalar factor = bend_factor(&h, xa.w, xb.w, xe.w, xf.w, bent->rest, m->p.bending);
    const vec3 da = scale(factor * xa.w, h.a), db = scale(factor * xb.w, h.b), de = scale(factor * xe.w, h.c),
               df = scale(factor * xf.w, h.d);
    if (apart) {
        GLOBAL quad *to = m->correction + m->p.bend_slot + k;
        to[0] = quad_of(da, 1);
        to[1] = quad_of(db, 1);
        to[2] = quad_of(de, 1);
        to[3] = quad_of(df, 1);
    } else {
        m->predicted[a] = quad_of(add(xyz(xa), da), xa.w);
        m->predicted[b] = quad_of(add(xyz(xb), db), xb.w);
        m->predicted[e] = quad_of(add(xyz(xe), de), xe.w);
        m->predicted[f] = quad_of(add(xyz(xf), df), xf.w);
    }
}

INLINE void pbd_bend_apply_item(int c, const struct pbd_bent *bent, const struct pbd *m) {
    pbd_bend_of(c, bent, 0, m);
}

INLINE void pbd_bend_item(int c, const struct pbd *m) {
    const struct pbd_bent bent = pbd_bend_prefetch_item(c, m);
    pbd_bend_of(c, &bent, 0, m);
}

INLINE void pbd_bend_apart_item(int c, const struct pbd *m) {
    const struct pbd_bent bent = pbd_bend_prefetch_item(c, m);
    pbd_bend_of(c, &bent, 1, m);
}

INLINE struct tetrahedron tetrahedron_of(const struct pbd_strained *strained, const struct pbd *m) {
    struct tetrahedron t;
    UNROLLED
    for (int k = 0; k < 4; ++k) {
        const quad x = m->predicted[strained->particle[k]];
        t.p[k] = xyz(x);
        t.w[k] = x.w;
    }
    UNROLLED
    for (int k = 0; k < 9; ++k)
        t.q[k / 3][k % 3] = strained->rest[k];
    return t;
}

/* The six constraints of a tetrahedron, by Gauss-Seidel. */
INLINE void pbd_strain_apply_item(int c, const struct pbd_strained *strained, const struct pbd *m) {
    (void)c;
    const struct pbd_parameters p = m->p;
    struct tetrahedron t = tetrahedron_of(strained, m);
    strain_project_all(&t, PBD_IS_PRINTED, p.strain);
    UNROLLED
    for (int k = 0; k < 4; ++k)
        m->predicted[strained->particle[k]] = quad_of(t.p[k], t.w[k]);
}

INLINE void pbd_strain_item(int c, const struct pbd *m) {
    const struct pbd_strained strained = pbd_strain_prefetch_item(c, m);
    pbd_strain_apply_item(c, &strained, m);
}

/* The six constraints of a tetrahedron, by Jacobi: all of them read the same positions. For each corner, the sum of the
 * six corrections is stored. */
INLINE void pbd_strain_apart_item(int c, const struct pbd *m) {
    const struct pbd_parameters p = m->p;
    const struct pbd_strained strained = pbd_strain_prefetch_item(c, m);
    const struct tetrahedron t = tetrahedron_of(&strained, m);
    vec3 sum[4];
    for (int k = 0; k < 4; ++k)
        sum[k] = vec3_of(0, 0, 0);
    UNROLLED
    for (int i = 0; i < 3; ++i) {
        UNROLLED
        for (int j = 0; j <= i; ++j) {
            struct tetrahedron alone = t;
            if (i == j)
                stretch_project(&alone, i, PBD_IS_PRINTED, p.strain);
            else
                shear_project(&alone, i, j, PBD_IS_PRINTED, p.strain);
            UNROLLED
            for (int k = 0; k < 4; ++k)
                sum[k] = add(sum[k], subtract(alone.p[k], t.p[k]));
        }
    }
    const int first = p.inside_slot + 4 * c;
    for (int k = 0; k < 4; ++k)
        m->correction[first + k] = quad_of(sum[k], 6);
}

/* Jacobi: move a node by the sum of its corrections, or by their mean times the factor. The corrections are added in
 * their stored order. */
INLINE void pbd_average_item(int i, const struct pbd *m) {
    const quad x = m->predicted[i];
    vec3 sum = vec3_of(0, 0, 0);
    real count = 0;
    for (int k = m->start[i]; k < m->start[i + 1]; ++k) {
        const quad c = m->correction[m->slot[k]];
        sum = add(sum, xyz(c));
        count = count + c.w;
    }
    const vec3 mean = scale(m->p.relaxation * share_of(1, count), sum);
    m->predicted[i] = quad_of(add(xyz(x), m->p.is_summed ? sum : mean), x.w);
}
#endif

#define PBD_KERNELS(KERNEL)                                                                                            \
    KERNEL(LIST, pbd, pbd_predict)                                                                                     \
    KERNEL(LIST, pbd, pbd_collide)                                                                                     \
    KERNEL(LIST, pbd, pbd_update)                                                                                      \
    KERNEL(LIST, pbd, pbd_edge)                                                                                        \
    KERNEL(LIST, pbd, pbd_link)                                                                                        \
    KERNEL(LIST, pbd, pbd_bend)                                                                                        \
    KERNEL(LIST, pbd, pbd_strain)                                                                                      \
    KERNEL(LIST, pbd, pbd_edge_apart)                                                                                  \
    KERNEL(LIST, pbd, pbd_link_apart)                                                                                  \
    KERNEL(LIST, pbd, pbd_bend_apart)                                                                                  \
    KERNEL(LIST, pbd, pbd_strain_apart)                                                                                \
    KERNEL(LIST, pbd, pbd_average)

#endif
