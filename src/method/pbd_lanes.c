/* The items of pbd.h for vector units, bit-identical: LANES items of a colour at once. */
#include "method/pair_planes.h"

#include "method/loops.h"
#include "pbd.h"

INLINE void project_distances(struct pair_lanes *pair, scalar compression, scalar stretch) {
    const vec3 d = distance_correction(pair->a.xyz, pair->b.xyz, pair->rest, pair->share, compression, stretch);
    pair->a.xyz = subtract(pair->a.xyz, scale(pair->a.w, d));
    pair->b.xyz = add(pair->b.xyz, scale(pair->b.w, d));
}

INLINE void project_edges(struct pair_lanes *pair, const void *parameters) {
    const struct pbd_parameters *p = parameters;
    project_distances(pair, p->edge_compression, p->edge_stretch);
}

INLINE void project_links(struct pair_lanes *pair, const void *parameters) {
    const struct pbd_parameters *p = parameters;
    project_distances(pair, p->link_compression, p->link_stretch);
}

INLINE void project_bends(const struct constraint_lanes *t, const void *arguments) {
    const struct pbd *m = arguments;
    const struct pbd_parameters *p = &m->p;
    quad *predicted = m->predicted;
    struct quads x[4];
    UNROLLED
    for (int k = 0; k < 4; ++k)
        x[k] = quads_gather_at(predicted, t->place[k]);
    const struct dihedral h = dihedral_of(x[0].xyz, x[1].xyz, x[2].xyz, x[3].xyz);
    const real factor = bend_factor(&h, x[0].w, x[1].w, x[2].w, x[3].w, reals_at(t->rest[0]), p->bending);
    const vec3 gradient[4] = {h.a, h.b, h.c, h.d};
    FORGET_PLACES;
    UNROLLED
    for (int k = 0; k < 4; ++k)
        quads_scatter_at(predicted, t->place[k], add(x[k].xyz, scale(factor * x[k].w, gradient[k])), x[k].w);
}

INLINE void project_strains(const struct constraint_lanes *t, quad *predicted, const struct pbd_parameters *p,
                            const int is_printed) {
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
    strain_project_all(&all, is_printed, p->strain);
    FORGET_PLACES;
    UNROLLED
    for (int k = 0; k < 4; ++k)
        quads_scatter_at(predicted, t->place[k], all.p[k], all.w[k]);
}

INLINE void project_normalised(const struct constraint_lanes *t, const void *arguments) {
    const struct pbd *m = arguments;
    project_strains(t, m->predicted, &m->p, 0);
}

INLINE void project_printed(const struct constraint_lanes *t, const void *arguments) {
    const struct pbd *m = arguments;
    project_strains(t, m->predicted, &m->p, 1);
}

#define RUN_PAIRS(name, rule)                                                                                          \
    static void name(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {          \
        TAKE_ARGUMENTS(pbd);                                                                                           \
        (void)steps;                                                                                                   \
        const struct pair_work work = {.pairs = workspace.prepared, .quads = m.predicted, .parameters = &m.p};         \
        pairs_project(work, range, rule);                                                                              \
    }

/* distance_share in one lane of a vector, which gives the same bits. */
static scalar share_of_two(scalar w1, scalar w2) {
    return distance_share(EVERYWHERE(w1), EVERYWHERE(w2))[0];
}

RUN_PAIRS(run_edges, project_edges)
RUN_PAIRS(run_links, project_links)
PAIR_SIMD_KERNEL(pbd, pbd_edge_lanes, run_edges, share_of_two);
PAIR_SIMD_KERNEL(pbd, pbd_link_lanes, run_links, share_of_two);

static void run_bends(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {
    TAKE_ARGUMENTS(pbd);
    (void)steps;
    project(workspace.prepared, NULL, &m, range, 4, 1, project_bends);
}
LIST_SIMD_KERNEL(pbd, pbd_bend_lanes, run_bends, 4, 1);

static void run_strains(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {
    TAKE_ARGUMENTS(pbd);
    (void)steps;
    if (m.p.is_printed)
        project(workspace.prepared, NULL, &m, range, 4, 9, project_printed);
    else
        project(workspace.prepared, NULL, &m, range, 4, 9, project_normalised);
}
LIST_SIMD_KERNEL(pbd, pbd_strain_lanes, run_strains, 4, 9);

/* ---- Nodes ---- */

INLINE void predict(const int *node, const struct pbd *m) {
    const struct quads x = quads_gather(m->position, node), v = quads_gather(m->velocity, node);
    const struct motion after = pbd_predicted((struct motion){x.xyz, v.xyz}, x.w, m->p);
    quads_scatter(m->velocity, node, after.v, v.w);
    quads_scatter(m->predicted, node, after.x, x.w);
}
NODE_SIMD_KERNEL(pbd, pbd_predict_lanes, predict);

INLINE void collide(const int *node, const struct pbd *m) {
    const struct quads x = quads_gather(m->predicted, node);
    quads_scatter(m->predicted, node, pbd_kept_out(x.xyz, x.w, m->step + 1, m->p), x.w);
}
NODE_SIMD_KERNEL(pbd, pbd_collide_lanes, collide);

INLINE void update(const int *node, const struct pbd *m) {
    const struct quads x = quads_gather(m->position, node), v = quads_gather(m->velocity, node),
                       after = quads_gather(m->predicted, node);
    quads_scatter(m->velocity, node, pbd_velocity(after.xyz, x.xyz, v.xyz, x.w, m->step + 1, m->p), v.w);
    quads_scatter(m->position, node, after.xyz, x.w);
}
NODE_SIMD_KERNEL(pbd, pbd_update_lanes, update);
