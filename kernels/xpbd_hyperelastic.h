/* Tetrahedra of hyperelastic material in extended position based dynamics, which replace the springs of xpbd.h. Their
 * constraint is that of hyperelastic.h: Bender, Koschier, Charrier and Weber, "Position-based simulation of continuous
 * materials", Computers & Graphics 44, 2014. With the first constraint below (C = U), compliance 0 and no relaxation,
 * the result is that of Bender et al., in position based dynamics.
 *
 * An element's energy U = V Psi gives two possible constraints:
 *
 *     C = U, as in Bender et al. XPBD's energy C^2 / 2 alpha is then U^2 / 2 alpha. Young's modulus E and alpha act as
 *         one parameter, E^2 / alpha. If alpha is 0, E has no effect.
 *     C = sqrt(2 U) with alpha = 1. C^2 / 2 alpha is then U, and E is the material's Young's modulus.
 *
 * Everything is computed for a material whose Young's modulus is 1. For C = U, C is divided by E, and alpha by E^2. For
 * C = sqrt(2 U), C is divided by sqrt(E), and alpha is 1 / E. Therefore no modulus is too large or too small for a
 * float. */
#ifndef SPRINGBACK_KERNELS_XPBD_HYPERELASTIC_H
#define SPRINGBACK_KERNELS_XPBD_HYPERELASTIC_H

#include "hyperelastic.h"
#include "xpbd.h"

#define ELEMENT_STVK        0
#define ELEMENT_NEO_HOOKEAN 1

/* For a device these macros are compile-time constants. */
#ifndef XPBD_MATERIAL
#define XPBD_MATERIAL p->material
#endif
#ifndef XPBD_IS_ROOT
#define XPBD_IS_ROOT p->is_root
#endif

/* Move an element's corners as in (3) and (4) of the paper, dx_k = w_k grad_k C dlambda, or less if hyperelastic.h
 * limits the step. Returns the new multiplier.
 *
 * For the root R = sqrt(2 U), grad R = grad U / R. With S = sum of w |grad U|^2
 *
 *     dlambda = (-R - alpha' lambda) / (S / R^2 + alpha'), dx_k = w_k grad_k U f,
 *     f = dlambda / R = (-2 U - alpha' R lambda) / (S + 2 U alpha'),
 *
 * where alpha' is alpha / h^2 as in xpbd.h. At rest R has no gradient, and f is 0. The displacement is relaxed; the
 * multiplier is not. */
INLINE real element_project(const int material, const int is_root, struct tetrahedron *t, real volume, real multiplier,
                            const struct xpbd_parameters *p) {
    const struct hyperelastic h = material == ELEMENT_STVK ? saint_venant_kirchhoff(t, volume, p->shear, p->lame)
                                                           : neo_hookean(t, volume, p->shear, p->lame);
    const real sum = hyperelastic_sum(t, &h);
    if (!is_root)
        return multiplier +
               p->unrelaxed *
                   hyperelastic_move(
                       t, &h, p->relaxation * share_of(-(h.c + p->compliance * multiplier), sum + p->compliance));
    const real twice = WHERE(h.c > (scalar)1e-30, (scalar)2 * h.c);
    const real root = twice * inverse_root(twice);
    const real against = twice + p->compliance * root * multiplier;
    const real factor = p->relaxation * share_of(-against, sum + p->compliance * twice);
    return multiplier + root * (p->unrelaxed * hyperelastic_move(t, &h, factor));
}

#ifndef LANES
/* An element's data that do not change during a run, and its multiplier, which only this element's item writes. */
struct xpbd_element {
    int words[XPBD_WORDS(4)];
    scalar rest[10]; /* Q^-1 by rows, and the volume */
    scalar multiplier;
};

INLINE struct xpbd_element xpbd_element_prefetch_item(int c, const struct xpbd *m) {
    struct xpbd_element element;
    const int first = 10 * c;
    UNROLLED
    for (int k = 0; k < XPBD_WORDS(4); ++k)
        element.words[k] = xpbd_word(XPBD_WORDS(4), k, c, m);
    UNROLLED
    for (int k = 0; k < 10; ++k)
        element.rest[k] = m->rest[first + k];
    element.multiplier = m->multiplier[c];
    return element;
}

INLINE void xpbd_element_apply_item(int c, struct xpbd_element *element, const struct xpbd *m) {
    (void)c;
    const struct xpbd_parameters *p = &m->p;
    struct tetrahedron t;
    UNROLLED
    for (int k = 0; k < 4; ++k) {
        const quad place = m->predicted[xpbd_particle(element->words, k)];
        t.p[k] = xyz(place);
        t.w[k] = place.w;
    }
    UNROLLED
    for (int k = 0; k < 9; ++k)
        t.q[k / 3][k % 3] = element->rest[k];
    element->multiplier = element_project(XPBD_MATERIAL, XPBD_IS_ROOT, &t, element->rest[9], element->multiplier, p);
    UNROLLED
    for (int k = 0; k < 4; ++k)
        m->predicted[xpbd_particle(element->words, k)] = quad_of(t.p[k], t.w[k]);
}

INLINE void xpbd_element_write_back_item(int c, const struct xpbd_element *element, const struct xpbd *m) {
    m->multiplier[c] = element->multiplier;
}

INLINE void xpbd_element_item(int c, const struct xpbd *m) {
    struct xpbd_element element = xpbd_element_prefetch_item(c, m);
    xpbd_element_apply_item(c, &element, m);
    xpbd_element_write_back_item(c, &element, m);
}

/* Project a ghost tetrahedron as an element. Its corners are those of a surface triangle and the centre of the nodes.
 * The centre does not move, but counts in the denominator like a node. Program D (xpbd.h) does the same (:1976-2188),
 * with a relaxation of 0.25 (:2142) and without a limit of the step. The volumes in program D have signs
 * (mPHYSSolver.cpp:897), which do not affect displacements; here all volumes are positive. */
INLINE void xpbd_ghost_element_item(int c, const struct xpbd *m) {
    const struct xpbd_parameters *p = &m->p;
    int words[XPBD_WORDS(3)];
    struct tetrahedron t;
    for (int k = 0; k < XPBD_WORDS(3); ++k)
        words[k] = xpbd_word(XPBD_WORDS(3), k, c, m);
    t.p[0] = xpbd_mean(TOTAL_OF(m->centre), p);
    t.w[0] = p->centre_weight;
    for (int k = 0; k < 3; ++k) {
        t.p[k + 1] = xyz(m->predicted[xpbd_particle(words, k)]);
        t.w[k + 1] = m->predicted[xpbd_particle(words, k)].w;
    }
    for (int k = 0; k < 9; ++k)
        t.q[k / 3][k % 3] = m->rest[10 * c + k];
    m->multiplier[c] = element_project(XPBD_MATERIAL, XPBD_IS_ROOT, &t, m->rest[10 * c + 9], m->multiplier[c], p);
    for (int k = 0; k < 3; ++k)
        m->predicted[xpbd_particle(words, k)] = quad_of(t.p[k + 1], t.w[k + 1]);
}
#endif

#define XPBD_HYPERELASTIC_KERNELS(KERNEL)                                                                              \
    KERNEL(LIST, xpbd, xpbd_element)                                                                                   \
    KERNEL(LIST, xpbd, xpbd_ghost_element)

#endif
