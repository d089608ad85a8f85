/* The kernels of xpbd.h for vector units, bit-identical to the plain loops. A vector has LANES items: constraints of
 * one colour, or nodes. */
#include "method/pair_planes.h"

#include "method/loops.h"
#include "xpbd.h"

INLINE void project_spring(struct pair_lanes *pair, const struct xpbd_parameters *p, const int spring,
                           const int is_damped) {
    const struct spring_change s = spring_changed(spring, is_damped, pair->a.xyz, pair->a.w, pair->b.xyz, pair->b.w,
                                                  pair->before, pair->rest, pair->own, p);
    pair->a.xyz = subtract(pair->a.xyz, scale(pair->a.w, s.correction));
    pair->b.xyz = add(pair->b.xyz, scale(pair->b.w, s.correction));
    pair->own = s.multiplier;
}

/* Each kind of spring, and the function that projects it. */
#define SPRINGS(DO)                                                                                                    \
    DO(XPBD_STRETCHING, project_stretching)                                                                            \
    DO(XPBD_HOOKEAN, project_hookean)                                                                                  \
    DO(XPBD_STVK, project_stvk)                                                                                        \
    DO(XPBD_MORSE, project_morse)                                                                                      \
    DO(XPBD_UNMODIFIED, project_unmodified)                                                                            \
    DO(XPBD_PRINTED, project_printed)

#define DEFINE(spring, name)                                                                                           \
    INLINE void name(struct pair_lanes *pair, const void *parameters) {                                                \
        project_spring(pair, parameters, spring, 0);                                                                   \
    }                                                                                                                  \
    INLINE void name##_damped(struct pair_lanes *pair, const void *parameters) {                                       \
        project_spring(pair, parameters, spring, 1);                                                                   \
    }
SPRINGS(DEFINE)

/* One loop for each kind of spring, without branches. */
#define CASE(spring, name)                                                                                             \
    case spring:                                                                                                       \
        pairs_project(free_work, range, name);                                                                         \
        break;                                                                                                         \
    case DAMPED + (spring):                                                                                            \
        pairs_project(work, range, name##_damped);                                                                     \
        break;

static void run_springs(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {
    TAKE_ARGUMENTS(xpbd);
    (void)steps;
    enum { DAMPED = XPBD_SPRINGS };
    const struct pair_work work = {workspace.prepared,      m.predicted,  m.before,
                                   (size_t)m.p.constraints, m.multiplier, &m.p},
                           free_work = {workspace.prepared, m.predicted, NULL, 0, m.multiplier, &m.p};
    switch (m.p.spring + (m.p.is_damped ? DAMPED : 0)) { SPRINGS(CASE) }
}
PAIR_SIMD_KERNEL(xpbd, xpbd_spring_lanes, run_springs, NULL);

/* Project the springs c to c + `left` - 1. Lanes without a spring repeat the last spring. is_whole: whether `left` is
 * LANES, so that every lane has its own spring. */
INLINE void project_ends(const struct xpbd *m, int c, int left, const bool is_whole, const int spring) {
    int node[2][LANES];
    scalar rest[LANES], multiplier[2][LANES];
    scalar *const own[2] = {m->multiplier + c, m->multiplier + m->p.constraints + c};
    struct ends e;
    const size_t bytes = (size_t)(is_whole ? LANES : left) * sizeof(scalar);
    for (int l = 0; l < LANES; ++l) {
        const int at = is_whole || l < left ? l : left - 1;
        for (int k = 0; k < 2; ++k) {
            node[k][l] = m->particle[2 * (c + at) + k];
            if (!is_whole)
                multiplier[k][l] = own[k][at];
        }
        rest[l] = m->rest[c + at];
    }
    for (int k = 0; k < 2; ++k) {
        const struct quads x = quads_gather(m->predicted, node[k]);
        e.x[k] = x.xyz;
        e.w[k] = x.w;
        e.before[k] = quads_gather(m->position, node[k]).xyz;
        e.multiplier[k] = reals_at(is_whole ? own[k] : multiplier[k]);
    }
    ends_project(spring, &e, reals_at(rest), &m->p);
    for (int k = 0; k < 2; ++k) {
        quads_scatter(m->predicted, node[k], e.x[k], e.w[k]);
        memcpy(own[k], &e.multiplier[k], bytes);
    }
}

INLINE void run_ends_of(const struct xpbd *m, struct range range, const int spring) {
    int c = range.column_begin;
    for (; c + LANES <= range.column_end; c += LANES)
        project_ends(m, c, LANES, true, spring);
    if (c < range.column_end)
        project_ends(m, c, range.column_end - c, false, spring);
}

#define ENDS_CASE(spring, name)                                                                                        \
    case spring:                                                                                                       \
        run_ends_of(&m, range, spring);                                                                                \
        break;

static void run_ends(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {
    TAKE_ARGUMENTS(xpbd);
    (void)steps, (void)workspace;
    switch (m.p.spring) { SPRINGS(ENDS_CASE) }
}

const struct simd_kernel ROWS(xpbd_ends_lanes) = {.run = run_ends, .steps = 1};

INLINE vec3 mean_of(const quad *total, const struct xpbd_parameters *p) {
    return vec3_everywhere(p->share * total->x, p->share * total->y, p->share * total->z);
}

INLINE void project_volume(const struct constraint_lanes *t, const struct xpbd *m, const int is_damped) {
    const struct xpbd_parameters *p = &m->p;
    quad *predicted = m->predicted;
    const vec3 centre = mean_of(m->centre, p);
    struct quads x[3];
    vec3 corner[3], moved[3];
    real w[3];
    UNROLLED
    for (int k = 0; k < 3; ++k) {
        x[k] = quads_gather_at(predicted, t->place[k]);
        w[k] = x[k].w;
        corner[k] = subtract(x[k].xyz, centre);
        moved[k] = vec3_everywhere(0, 0, 0);
        if (is_damped)
            moved[k] = subtract(corner[k], (vec3){reals_at(t->rest[3 * k + 1]), reals_at(t->rest[3 * k + 2]),
                                                  reals_at(t->rest[3 * k + 3])});
    }
    const struct volume_change v =
        volume_changed(is_damped, corner, w, moved, reals_at(t->rest[0]), reals_at(t->own), p);
    FORGET_PLACES;
    UNROLLED
    for (int k = 0; k < 3; ++k)
        quads_scatter_at(predicted, t->place[k], add(x[k].xyz, scale(w[k], v.correction[k])), w[k]);
    reals_put(t->own, v.multiplier);
}

INLINE void project_volume_free(const struct constraint_lanes *t, const void *arguments) {
    project_volume(t, arguments, 0);
}

INLINE void project_volume_damped(const struct constraint_lanes *t, const void *arguments) {
    project_volume(t, arguments, 1);
}

static void run_volumes(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {
    TAKE_ARGUMENTS(xpbd);
    (void)steps;
    if (m.p.is_damped)
        project_with(workspace.prepared, m.volume_multiplier, (struct also){m.before, (size_t)m.p.triangles, 9}, &m,
                     range, 3, 1, project_volume_damped);
    else
        project(workspace.prepared, m.volume_multiplier, &m, range, 3, 1, project_volume_free);
}
LIST_SIMD_KERNEL(xpbd, xpbd_volume_lanes, run_volumes, 3, 1);

/* ---- Nodes ---- */

/* Set to 0 the multipliers that the nodes `begin` to `end` - 1 reset: node i resets the multipliers i, i + nodes, i + 2
 * nodes, ... below `count`. */
static void forget(scalar *multiplier, int begin, int end, int nodes, int count) {
    for (; begin < count; begin += nodes, end += nodes)
        memset(multiplier + begin, 0, (size_t)((end < count ? end : count) - begin) * sizeof *multiplier);
}

/* A run with wind uses the plain loop instead. */
static void run_predict(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {
    TAKE_ARGUMENTS(xpbd);
    (void)steps;
    (void)workspace;
    for (int i = range.column_begin; i < range.column_end; i += LANES) {
        int node[LANES];
        take_nodes(node, i, range.column_end);
        const struct quads x = quads_gather(m.position, node), v = quads_gather(m.velocity, node);
        quads_scatter(m.predicted, node, xpbd_predicted(x.xyz, v.xyz, vec3_everywhere(0, 0, 0), x.w, &m.p), x.w);
    }
    forget(m.multiplier, range.column_begin, range.column_end, m.p.nodes, xpbd_multipliers(&m.p));
    forget(m.volume_multiplier, range.column_begin, range.column_end, m.p.nodes, m.p.triangles);
}

const struct simd_kernel ROWS(xpbd_predict_lanes) = {.run = run_predict, .steps = 1};

INLINE void collide(const int *node, const struct xpbd *m) {
    const struct quads x = quads_gather(m->predicted, node);
    quads_scatter(
        m->predicted, node,
        obstacles_kept_out(x.xyz, x.w > 0, m->p.obstacles, m->planes, m->solid_start, m->p.solids, m->p.obstacle), x.w);
}
NODE_SIMD_KERNEL(xpbd, xpbd_collide_lanes, collide);

INLINE void update(const int *node, const struct xpbd *m) {
    const struct quads x = quads_gather(m->position, node), v = quads_gather(m->velocity, node),
                       after = quads_gather(m->predicted, node);
    quads_scatter(m->velocity, node, xpbd_velocity(after.xyz, x.xyz, &m->p), v.w);
    quads_scatter(m->position, node, after.xyz, x.w);
}
NODE_SIMD_KERNEL(xpbd, xpbd_update_lanes, update);
