/* The items of xpbd_hyperelastic.h for vector units, in the same bits: as many of a colour at once as there are lanes.
 */
#include "method/list_lanes.h"

#include "method/xpbd_hyperelastic_loops.h"
#include "xpbd_hyperelastic.h"

INLINE void project_element(const struct taken *t, void *const *buffers, const void *parameters, const int material,
                            const int is_root) {
    quad *predicted = buffers[0];
    struct tetrahedron all;
    UNROLLED
    for (int k = 0; k < 4; ++k) {
        const struct quads x = quads_gather_at(predicted, t->place[k]);
        all.p[k] = x.xyz;
        all.w[k] = x.w;
    }
    UNROLLED
    for (int k = 0; k < 9; ++k)
        all.q[k / 3][k % 3] = taken_rest(t, k);
    const real multiplier = element_project(material, is_root, &all, taken_rest(t, 9), taken_own(t), parameters);
    FORGET_PLACES;
    UNROLLED
    for (int k = 0; k < 4; ++k)
        quads_scatter_at(predicted, t->place[k], all.p[k], all.w[k]);
    taken_keep(t, multiplier);
}

#define ELEMENT(name, material, is_root)                                                                               \
    INLINE void name(const struct taken *t, void *const *buffers, const void *parameters) {                            \
        project_element(t, buffers, parameters, material, is_root);                                                    \
    }

ELEMENT(project_stvk, ELEMENT_STVK, 0)
ELEMENT(project_neo_hookean, ELEMENT_NEO_HOOKEAN, 0)
ELEMENT(project_stvk_root, ELEMENT_STVK, 1)
ELEMENT(project_neo_hookean_root, ELEMENT_NEO_HOOKEAN, 1)

/* A loop for each, in which nothing is asked. */
#define RUN(name) project(room.prepared, buffers[1], buffers, &p, range, 4, 10, name)

static void run_elements(struct sweep_room room, void *const *buffers, const void *parameters, int step, int steps,
                         struct range range) {
    const struct xpbd_parameters p = *(const struct xpbd_parameters *)parameters;
    (void)step;
    (void)steps;
    if (p.material == ELEMENT_STVK && p.is_root)
        RUN(project_stvk_root);
    else if (p.material == ELEMENT_STVK)
        RUN(project_stvk);
    else if (p.is_root)
        RUN(project_neo_hookean_root);
    else
        RUN(project_neo_hookean);
}

static void *prepare_elements(void *const *buffers, int items) {
    return lists_create(buffers[2], buffers[3], items, 4, 10);
}

const struct sweep ROWS(xpbd_element_lanes) = {
    .run = run_elements, .steps = 1, .prepare = prepare_elements, .first_fixed = 2};
