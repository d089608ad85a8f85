/* The kernel xpbd_element of xpbd_hyperelastic.h for vector units, bit-identical to the plain loop. A vector has LANES
 * elements of one colour. */
#include "method/list_lanes.h"

#include "method/loops.h"
#include "xpbd_hyperelastic.h"

INLINE void project_element(const struct constraint_lanes *t, const struct xpbd *m, const int material,
                            const int is_root) {
    quad *predicted = m->predicted;
    struct tetrahedron all;
    UNROLLED
    for (int k = 0; k < 4; ++k) {
        const struct quads x = quads_gather_at(predicted, t->place[k]);
        all.p[k] = x.xyz;
        all.w[k] = x.w;
    }
    UNROLLED
    for (int k = 0; k < 9; ++k)
        all.q[k / 3][k % 3] = reals_at(t->rest[k]);
    const real multiplier = element_project(material, is_root, &all, reals_at(t->rest[9]), reals_at(t->own), &m->p);
    FORGET_PLACES;
    UNROLLED
    for (int k = 0; k < 4; ++k)
        quads_scatter_at(predicted, t->place[k], all.p[k], all.w[k]);
    reals_put(t->own, multiplier);
}

#define ELEMENT(name, material, is_root)                                                                               \
    INLINE void name(const struct constraint_lanes *t, const void *arguments) {                                        \
        project_element(t, arguments, material, is_root);                                                              \
    }

ELEMENT(project_stvk, ELEMENT_STVK, 0)
ELEMENT(project_neo_hookean, ELEMENT_NEO_HOOKEAN, 0)
ELEMENT(project_stvk_root, ELEMENT_STVK, 1)
ELEMENT(project_neo_hookean_root, ELEMENT_NEO_HOOKEAN, 1)

/* One loop for each material and constraint, without branches. */
#define RUN(name) project(workspace.prepared, m.multiplier, &m, range, 4, 10, name)

static void run_elements(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {
    TAKE_ARGUMENTS(xpbd);
    (void)steps;
    if (m.p.material == ELEMENT_STVK && m.p.is_root)
        RUN(project_stvk_root);
    else if (m.p.material == ELEMENT_STVK)
        RUN(project_stvk);
    else if (m.p.is_root)
        RUN(project_neo_hookean_root);
    else
        RUN(project_neo_hookean);
}
LIST_SIMD_KERNEL(xpbd, xpbd_element_lanes, run_elements, 4, 10);
