/* The items of pbd.h for vector units, in the same bits: as many of a colour at once as there are lanes. */
#include "method/pair_planes.h"

#include "method/pbd_loops.h"
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

INLINE void project_bends(const struct taken *t, void *const *buffers, const void *parameters) {
    const struct pbd_parameters *p = parameters;
    quad *predicted = buffers[0];
    struct quads x[4];
    UNROLLED
    for (int k = 0; k < 4; ++k)
        x[k] = quads_gather_at(predicted, t->place[k]);
    const struct dihedral h = dihedral_of(x[0].xyz, x[1].xyz, x[2].xyz, x[3].xyz);
    const real factor = bend_factor(&h, x[0].w, x[1].w, x[2].w, x[3].w, taken_rest(t, 0), p->bending);
    const vec3 gradient[4] = {h.a, h.b, h.c, h.d};
    FORGET_PLACES;
    UNROLLED
    for (int k = 0; k < 4; ++k)
        quads_scatter_at(predicted, t->place[k], add(x[k].xyz, scale(factor * x[k].w, gradient[k])), x[k].w);
}

INLINE void project_strains(const struct taken *t, quad *predicted, const struct pbd_parameters *p,
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
        all.q[k / 3][k % 3] = taken_rest(t, k);
    strain_project_all(&all, is_printed, p->strain);
    FORGET_PLACES;
    UNROLLED
    for (int k = 0; k < 4; ++k)
        quads_scatter_at(predicted, t->place[k], all.p[k], all.w[k]);
}

INLINE void project_normalised(const struct taken *t, void *const *buffers, const void *parameters) {
    const struct pbd_parameters *p = parameters;
    quad *predicted = buffers[0];
    project_strains(t, predicted, p, 0);
}

INLINE void project_printed(const struct taken *t, void *const *buffers, const void *parameters) {
    const struct pbd_parameters *p = parameters;
    quad *predicted = buffers[0];
    project_strains(t, predicted, p, 1);
}

#define PARAMETERS const struct pbd_parameters p = *(const struct pbd_parameters *)parameters
#define UNUSED                                                                                                         \
    (void)step;                                                                                                        \
    (void)steps

#define RUN_PAIRS(name, rule)                                                                                          \
    static void name(struct sweep_room room, void *const *buffers, const void *parameters, int step, int steps,        \
                     struct range range) {                                                                             \
        UNUSED;                                                                                                        \
        PARAMETERS;                                                                                                    \
        const struct pair_work work = {.pairs = room.prepared, .quads = buffers[0], .parameters = &p};                 \
        pairs_project(work, range, rule);                                                                              \
    }

RUN_PAIRS(run_edges, project_edges)
RUN_PAIRS(run_links, project_links)

static void run_bends(struct sweep_room room, void *const *buffers, const void *parameters, int step, int steps,
                      struct range range) {
    UNUSED;
    PARAMETERS;
    project(room.prepared, NULL, buffers, &p, range, 4, 1, project_bends);
}

static void run_strains(struct sweep_room room, void *const *buffers, const void *parameters, int step, int steps,
                        struct range range) {
    UNUSED;
    PARAMETERS;
    if (p.is_printed)
        project(room.prepared, NULL, buffers, &p, range, 4, 9, project_printed);
    else
        project(room.prepared, NULL, buffers, &p, range, 4, 9, project_normalised);
}

/* ---- Nodes ---- */

static void run_predict(struct sweep_room room, void *const *buffers, const void *parameters, int step, int steps,
                        struct range range) {
    PARAMETERS;
    UNUSED;
    (void)room;
    for (int i = range.column_begin; i < range.column_end; i += LANES) {
        int node[LANES];
        take_nodes(node, i, range.column_end);
        const struct quads x = quads_gather(buffers[0], node), v = quads_gather(buffers[1], node);
        const struct motion after = pbd_predicted((struct motion){x.xyz, v.xyz}, x.w, p);
        quads_scatter(buffers[1], node, after.v, v.w);
        quads_scatter(buffers[2], node, after.x, x.w);
    }
}

static void run_collide(struct sweep_room room, void *const *buffers, const void *parameters, int step, int steps,
                        struct range range) {
    PARAMETERS;
    (void)steps;
    (void)room;
    for (int i = range.column_begin; i < range.column_end; i += LANES) {
        int node[LANES];
        take_nodes(node, i, range.column_end);
        const struct quads x = quads_gather(buffers[0], node);
        quads_scatter(buffers[0], node, pbd_kept_out(x.xyz, x.w, step + 1, p), x.w);
    }
}

static void run_update(struct sweep_room room, void *const *buffers, const void *parameters, int step, int steps,
                       struct range range) {
    PARAMETERS;
    (void)steps;
    (void)room;
    for (int i = range.column_begin; i < range.column_end; i += LANES) {
        int node[LANES];
        take_nodes(node, i, range.column_end);
        const struct quads x = quads_gather(buffers[0], node), v = quads_gather(buffers[1], node),
                           after = quads_gather(buffers[2], node);
        quads_scatter(buffers[1], node, pbd_velocity(after.xyz, x.xyz, v.xyz, x.w, step + 1, p), v.w);
        quads_scatter(buffers[0], node, after.xyz, x.w);
    }
}

/* distance_share in one lane of a vector, where it has the same bits. */
static scalar share_of_two(scalar w1, scalar w2) {
    return distance_share(EVERYWHERE(w1), EVERYWHERE(w2))[0];
}

static void *prepare_distances(void *const *buffers, int items) {
    return pairs_create(buffers[0], buffers[1], buffers[2], items, share_of_two);
}

static void enter_distances(struct sweep_room room, void *const *buffers, int index, int count) {
    pairs_enter(room.prepared, buffers[0], index, count);
}

static void leave_distances(struct sweep_room room, void *const *buffers, int index, int count) {
    pairs_leave(room.prepared, buffers[0], index, count);
}

static void *prepare_bends(void *const *buffers, int items) {
    return lists_create(buffers[1], buffers[2], items, 4, 1);
}

static void *prepare_strains(void *const *buffers, int items) {
    return lists_create(buffers[1], buffers[2], items, 4, 9);
}

const struct sweep ROWS(pbd_predict_lanes) = {.run = run_predict, .steps = 1};
const struct sweep ROWS(pbd_collide_lanes) = {.run = run_collide, .steps = 1};
const struct sweep ROWS(pbd_update_lanes) = {.run = run_update, .steps = 1};
#define DISTANCES(run_them)                                                                                            \
    {                                                                                                                  \
        .run = (run_them), .steps = 1, .prepare = prepare_distances, .first_fixed = 1, .turns = pairs_turn,            \
        .enter = enter_distances, .leave = leave_distances                                                             \
    }

const struct sweep ROWS(pbd_edge_lanes) = DISTANCES(run_edges);
const struct sweep ROWS(pbd_link_lanes) = DISTANCES(run_links);
const struct sweep ROWS(pbd_bend_lanes) = {.run = run_bends, .steps = 1, .prepare = prepare_bends, .first_fixed = 1};
const struct sweep ROWS(pbd_strain_lanes) = {
    .run = run_strains, .steps = 1, .prepare = prepare_strains, .first_fixed = 1};
