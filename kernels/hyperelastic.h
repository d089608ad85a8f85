/* The constraint of a tetrahedron of hyperelastic material: Bender, Koschier, Charrier and Weber, "Position-based
 * simulation of continuous materials", Computers & Graphics 44, 2014. cetinaslan2019, section 7, compares its own
 * constraints with this one.
 *
 *     C = V Psi(F), F = P Q^-1, [grad_1 grad_2 grad_3] = V dPsi/dF Q^-T, grad_0 = -(grad_1 + grad_2 + grad_3)
 *
 * with the energy density Psi, the rest volume V in m^3, Lame's mu and lambda in Pa, C in J, and gradients in N. The
 * columns of P are the edge vectors p_k - p_0; the columns of Q are these vectors at rest.
 *
 * Near rest the energy is of second order in the strain. The energy is therefore computed from Green's strain E = (F^T
 * F - I) / 2, not from differences of numbers near 1. Such differences would consist of rounding errors. Divided by an
 * equally small gradient, they would give an arbitrary step. */
#ifndef SPRINGBACK_KERNELS_HYPERELASTIC_H
#define SPRINGBACK_KERNELS_HYPERELASTIC_H

#include "dialect.h"
#include "exponential.h"
#include "pbd.h"

struct hyperelastic {
    real c;
    vec3 gradient[4];
};

/* Green's strain E, and the columns f of F. */
struct green_strain {
    vec3 f[3];
    real xx, yy, zz, xy, yz, zx;
    real trace, square; /* tr E, E : E */
};

INLINE struct green_strain green_strain_of(const struct tetrahedron *t) {
    struct green_strain e;
    UNROLLED
    for (int i = 0; i < 3; ++i)
        e.f[i] = strained(t, i);
    e.xx = (scalar)0.5 * (inner(e.f[0], e.f[0]) - (scalar)1);
    e.yy = (scalar)0.5 * (inner(e.f[1], e.f[1]) - (scalar)1);
    e.zz = (scalar)0.5 * (inner(e.f[2], e.f[2]) - (scalar)1);
    e.xy = (scalar)0.5 * inner(e.f[0], e.f[1]);
    e.yz = (scalar)0.5 * inner(e.f[1], e.f[2]);
    e.zx = (scalar)0.5 * inner(e.f[2], e.f[0]);
    e.trace = e.xx + e.yy + e.zz;
    e.square = e.xx * e.xx + e.yy * e.yy + e.zz * e.zz + (scalar)2 * (e.xy * e.xy + e.yz * e.yz + e.zx * e.zx);
    return e;
}

/* C and its gradients, from Psi and from the columns of dPsi/dF. */
INLINE struct hyperelastic hyperelastic_of(const struct tetrahedron *t, real volume, real psi, const vec3 stress[3]) {
    struct hyperelastic h;
    h.c = volume * psi;
    UNROLLED
    for (int k = 0; k < 3; ++k) {
        const vec3 sum =
            add(add(scale(t->q[k][0], stress[0]), scale(t->q[k][1], stress[1])), scale(t->q[k][2], stress[2]));
        h.gradient[k + 1] = scale(volume, sum);
    }
    const vec3 three = add(add(h.gradient[1], h.gradient[2]), h.gradient[3]);
    h.gradient[0] = vec3_of(-three.x, -three.y, -three.z);
    return h;
}

/* St. Venant and Kirchhoff: Psi = mu E : E + lambda / 2 tr(E)^2, dPsi/dF = F (2 mu E + lambda tr(E) I).
 *
 * This energy does not detect inversion: a mirrored tetrahedron is at rest. A flat tetrahedron is pushed within its
 * plane only. If all corners are at one point, the gradient is 0, although C is not. */
INLINE struct hyperelastic saint_venant_kirchhoff(const struct tetrahedron *t, real volume, scalar mu, scalar lambda) {
    const struct green_strain e = green_strain_of(t);
    const real spread = lambda * e.trace, twice = EVERYWHERE((scalar)2 * mu);
    const real x = twice * e.xx + spread, y = twice * e.yy + spread, z = twice * e.zz + spread;
    const real xy = twice * e.xy, yz = twice * e.yz, zx = twice * e.zx;
    vec3 stress[3];
    stress[0] = add(add(scale(x, e.f[0]), scale(xy, e.f[1])), scale(zx, e.f[2]));
    stress[1] = add(add(scale(xy, e.f[0]), scale(y, e.f[1])), scale(yz, e.f[2]));
    stress[2] = add(add(scale(zx, e.f[0]), scale(yz, e.f[1])), scale(z, e.f[2]));
    return hyperelastic_of(t, volume, mu * e.square + (scalar)0.5 * spread * e.trace, stress);
}

/* The relative volume J below which the energy g(J) of a Neo-Hookean tetrahedron continues linearly. */
#define HYPERELASTIC_LEAST 0.1

/* Neo-Hookean: Psi = mu / 2 (I1 - ln I3 - 3) + lambda / 8 ln^2 I3, dPsi/dF = mu F - mu F^-T + lambda / 2 ln(I3) F^-T.
 * With J = det F, I3 = J^2 and cof F = J F^-T this is
 *
 *     Psi = mu / 2 (I1 - 3) + g(J), dPsi/dF = mu F + g'(J) cof F, g(J) = lambda / 2 ln^2 J - mu ln J,
 *
 * where cof F, the cross products of the columns, is defined for every F.
 *
 * g is undefined for J <= 0. Below J0 = 0.1, g therefore continues along its tangent, g(J0) + g'(J0) (J - J0). Psi and
 * its gradient are finite and continuous. Because g'(J0) < 0, the gradient pushes a flat or an inverted tetrahedron
 * back to positive volume. This extrapolation of the energy is the method of Stomakhin, Howes, Schroeder and Teran,
 * "Energetically consistent invertible elasticity", SCA, 2012. Bender et al. use the method of Irving, Teran and
 * Fedkiw, "Invertible finite elements for robust simulation of large deformation", SCA, 2004, which needs F's singular
 * values.
 *
 * Limits of this extrapolation: if all corners are at one point, the gradient is 0. With lambda = mu, a tetrahedron
 * smaller than about a thirtieth of its rest size may collapse to a point, because mu F is larger than g'(J0) cof F.
 *
 * Near rest, with u = I3 - 1 = 2 tr E + 4 II + 8 det E and II the second invariant of E,
 *
 *     I1 - 3 - ln I3 = (u - ln(1 + u)) - 4 II - 8 det E. */
INLINE struct hyperelastic neo_hookean(const struct tetrahedron *t, real volume, scalar mu, scalar lambda) {
    const struct green_strain e = green_strain_of(t);
    vec3 cofactor[3], stress[3];
    cofactor[0] = outer(e.f[1], e.f[2]);
    cofactor[1] = outer(e.f[2], e.f[0]);
    cofactor[2] = outer(e.f[0], e.f[1]);
    const real j = inner(e.f[0], cofactor[0]);
    const real second = e.xx * e.yy + e.yy * e.zz + e.zz * e.xx - e.xy * e.xy - e.yz * e.yz - e.zx * e.zx;
    const real third =
        e.xx * (e.yy * e.zz - e.yz * e.yz) - e.xy * (e.xy * e.zz - e.yz * e.zx) + e.zx * (e.xy * e.yz - e.yy * e.zx);
    const real beyond = (scalar)4 * second + (scalar)8 * third;
    /* is_near: whether the strain is so small that sqrt(1/2) < 1 + u < sqrt(2), and the element is not inverted. */
    const word is_near = (e.square < (scalar)0.0078125) & (j > 0);
    const real u = WHERE(is_near, (scalar)2 * e.trace + beyond), lag = logarithm_lag(u);

    const word is_upright = j > (scalar)HYPERELASTIC_LEAST;
    const real held = EITHER(is_upright, j, EVERYWHERE((scalar)HYPERELASTIC_LEAST));
    const real log_j = EITHER(is_near, (scalar)0.5 * (u - lag), logarithm(held));
    const real over =
        EITHER(is_near, u * reciprocal(EITHER(is_near, (scalar)1 + j, EVERYWHERE((scalar)2))), held - (scalar)1);
    const real inverse = reciprocal(held);
    /* slope: g'(J). rise: g'(J) + mu. At rest, rise and F - cof F are 0. */
    const real slope = (lambda * log_j - mu) * inverse, rise = (lambda * log_j + mu * over) * inverse;
    UNROLLED
    for (int i = 0; i < 3; ++i)
        stress[i] = add(scale(EVERYWHERE(mu), subtract(e.f[i], cofactor[i])), scale(rise, cofactor[i]));
    const real shape = EITHER(is_near, (scalar)0.5 * (lag - beyond), e.trace - log_j);
    return hyperelastic_of(t, volume, mu * shape + (scalar)0.5 * lambda * log_j * log_j + slope * (j - held), stress);
}

/* Sum of w_k |grad_k C|^2 over the four corners. */
INLINE real hyperelastic_sum(const struct tetrahedron *t, const struct hyperelastic *h) {
    real sum = t->w[0] * inner(h->gradient[0], h->gradient[0]);
    UNROLLED
    for (int k = 1; k < 4; ++k)
        sum = sum + t->w[k] * inner(h->gradient[k], h->gradient[k]);
    return sum;
}

/* Returns `factor`, limited in absolute value. With the limit, moving the corners by factor w_k grad_k C changes F by
 * at most 1/2 sqrt(1 + |F|^2), which is 1 at rest. Without the limit the step would have no bound if the gradient
 * vanishes but C does not. This can happen in a flat tetrahedron. The result is 0 if |F|^2 / 4, or the square of the
 * change of F by a factor of 1, is at least about 1e30 or NaN. */
INLINE real hyperelastic_bounded(const struct tetrahedron *t, const struct hyperelastic *h, real factor) {
    struct tetrahedron moved = *t;
    real square = EVERYWHERE((scalar)0), change = EVERYWHERE((scalar)0);
    UNROLLED
    for (int k = 0; k < 4; ++k)
        moved.p[k] = scale(t->w[k], h->gradient[k]);
    UNROLLED
    for (int i = 0; i < 3; ++i) {
        const vec3 f = strained(t, i), change_of_f = strained(&moved, i);
        square = square + inner(f, f);
        change = change + inner(change_of_f, change_of_f);
    }
    const real bound = (scalar)0.25 + (scalar)0.25 * square;
    const word is_there = (change < (scalar)1e30) & (bound < (scalar)1e30);
    const real most = WHERE(is_there, bound * inverse_root(bound) * inverse_root(change));
    factor = EITHER(factor < most, factor, most);
    return EITHER(factor > -most, factor, -most);
}

/* Move the corners by dx_k = factor w_k grad_k C, with the factor limited by hyperelastic_bounded. Returns the limited
 * factor. */
INLINE real hyperelastic_move(struct tetrahedron *t, const struct hyperelastic *h, real factor) {
    factor = hyperelastic_bounded(t, h, factor);
    const word moves = (factor > 0) | (factor < 0); /* 0 times infinity would be NaN */
    UNROLLED
    for (int k = 0; k < 4; ++k)
        t->p[k] = add(t->p[k], vec3_where(moves, scale(factor * t->w[k], h->gradient[k])));
    return WHERE(moves, factor);
}

/* Move the corners by dx_k = -stiffness C w_k grad_k C / sum of w_l |grad_l C|^2, or less. The step depends on the
 * ratio of mu and lambda, not on their size or on V. Near rest, with stiffness 1, a step covers half the distance to
 * rest, because C is of second order. */
INLINE void hyperelastic_project(struct tetrahedron *t, const struct hyperelastic *h, scalar stiffness) {
    hyperelastic_move(t, h, share_of(-stiffness * h->c, hyperelastic_sum(t, h)));
}

#endif
