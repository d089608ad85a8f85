/* The kernels of pbd.h for vector units, bit-identical to the plain loops. A vector has LANES items: constraints of one
 * colour (Gauss-Seidel), any constraints (Jacobi), or nodes. */
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

/* distance_share of one pair, taken from a lane of the vector function. The vector function is bit-identical to the
 * plain function. */
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

/* ---- Jacobi: constraints store corrections in the buffer `correction`, and move no node ---- */

/* Fill the array `to`, [size][LANES], with the indices at which the constraints c to c + LANES - 1 store their
 * corrections. Constraint c stores `size` corrections, from index first + size * c on. The range's last constraint is
 * `end` - 1; lanes after this constraint repeat its indices. */
INLINE void corrections_of(int to[4][LANES], int first, int c, int end, const int size) {
    for (int k = 0; k < size; ++k)
        for (int l = 0; l < LANES; ++l)
            to[k][l] = first + size * (c + l < end ? c + l : end - 1) + k;
}

/* The constraints c to c + LANES - 1 of `lists`. The range's last constraint is `end` - 1; lanes after this constraint
 * repeat it. If there are such lanes, the data of all lanes are in *tail, which must outlive the result. */
INLINE struct constraint_lanes constraints_at(const struct lists *lists, int c, int end, const int size,
                                              const int reals, struct tail *tail) {
    struct constraint_lanes t = {.own = NULL};
    for (int k = 0; k < size; ++k)
        t.place[k] = lists->place + (size_t)k * lists->count + c;
    for (int k = 0; k < reals; ++k)
        t.rest[k] = lists->rest + (size_t)k * lists->count + c;
    if (c + LANES > end)
        tail_take(tail, &t, end - c, size, reals);
    return t;
}

INLINE void distances_apart(const struct lists *lists, const struct pbd *m, struct range range, scalar compression,
                            scalar stretch, int first) {
    for (int c = range.column_begin; c < range.column_end; c += LANES) {
        struct tail tail;
        int to[4][LANES];
        const struct constraint_lanes t = constraints_at(lists, c, range.column_end, 2, 1, &tail);
        const struct quads a = quads_gather_at(m->predicted, t.place[0]), b = quads_gather_at(m->predicted, t.place[1]);
        const vec3 d =
            distance_correction(a.xyz, b.xyz, reals_at(t.rest[0]), distance_share(a.w, b.w), compression, stretch);
        corrections_of(to, first, c, range.column_end, 2);
        quads_scatter(m->correction, to[0], scale(-a.w, d), EVERYWHERE((scalar)1));
        quads_scatter(m->correction, to[1], scale(b.w, d), EVERYWHERE((scalar)1));
    }
}

static void run_edges_apart(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {
    TAKE_ARGUMENTS(pbd);
    (void)steps;
    distances_apart(workspace.prepared, &m, range, m.p.edge_compression, m.p.edge_stretch, 0);
}
LIST_SIMD_KERNEL(pbd, pbd_edge_apart_lanes, run_edges_apart, 2, 1);

static void run_links_apart(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {
    TAKE_ARGUMENTS(pbd);
    (void)steps;
    distances_apart(workspace.prepared, &m, range, m.p.link_compression, m.p.link_stretch, m.p.inside_slot);
}
LIST_SIMD_KERNEL(pbd, pbd_link_apart_lanes, run_links_apart, 2, 1);

static void run_bends_apart(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {
    TAKE_ARGUMENTS(pbd);
    (void)steps;
    for (int c = range.column_begin; c < range.column_end; c += LANES) {
        struct tail tail;
        int to[4][LANES];
        const struct constraint_lanes t = constraints_at(workspace.prepared, c, range.column_end, 4, 1, &tail);
        struct quads x[4];
        for (int k = 0; k < 4; ++k)
            x[k] = quads_gather_at(m.predicted, t.place[k]);
        const struct dihedral h = dihedral_of(x[0].xyz, x[1].xyz, x[2].xyz, x[3].xyz);
        const real factor = bend_factor(&h, x[0].w, x[1].w, x[2].w, x[3].w, reals_at(t.rest[0]), m.p.bending);
        const vec3 gradient[4] = {h.a, h.b, h.c, h.d};
        corrections_of(to, m.p.bend_slot, c, range.column_end, 4);
        for (int k = 0; k < 4; ++k)
            quads_scatter(m.correction, to[k], scale(factor * x[k].w, gradient[k]), EVERYWHERE((scalar)1));
    }
}
LIST_SIMD_KERNEL(pbd, pbd_bend_apart_lanes, run_bends_apart, 4, 1);

INLINE void strains_apart(const struct constraint_lanes *t, const struct pbd *m, int to[4][LANES],
                          const int is_printed) {
    struct tetrahedron all;
    vec3 sum[4];
    UNROLLED
    for (int k = 0; k < 4; ++k) {
        const struct quads x = quads_gather_at(m->predicted, t->place[k]);
        all.p[k] = x.xyz;
        all.w[k] = x.w;
        sum[k] = vec3_everywhere(0, 0, 0);
    }
    UNROLLED
    for (int k = 0; k < 9; ++k)
        all.q[k / 3][k % 3] = reals_at(t->rest[k]);
    UNROLLED
    for (int i = 0; i < 3; ++i) {
        UNROLLED
        for (int j = 0; j <= i; ++j) {
            struct tetrahedron alone = all;
            if (i == j)
                stretch_project(&alone, i, is_printed, m->p.strain);
            else
                shear_project(&alone, i, j, is_printed, m->p.strain);
            UNROLLED
            for (int k = 0; k < 4; ++k)
                sum[k] = add(sum[k], subtract(alone.p[k], all.p[k]));
        }
    }
    for (int k = 0; k < 4; ++k)
        quads_scatter(m->correction, to[k], sum[k], EVERYWHERE((scalar)6));
}

static void run_strains_apart(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {
    TAKE_ARGUMENTS(pbd);
    (void)steps;
    for (int c = range.column_begin; c < range.column_end; c += LANES) {
        struct tail tail;
        int to[4][LANES];
        const struct constraint_lanes t = constraints_at(workspace.prepared, c, range.column_end, 4, 9, &tail);
        corrections_of(to, m.p.inside_slot, c, range.column_end, 4);
        if (m.p.is_printed)
            strains_apart(&t, &m, to, 1);
        else
            strains_apart(&t, &m, to, 0);
    }
}
LIST_SIMD_KERNEL(pbd, pbd_strain_apart_lanes, run_strains_apart, 4, 9);

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
