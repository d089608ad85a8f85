/* Constraints between two particles. In some bodies, such as lattices, the particles of successive constraints are
 * adjacent in memory (enum pair_layout). For these bodies, if LANES is 16, x, y, z and w of all particles are copied
 * into separate arrays (planes). A vector can then read and write consecutive elements. The data are copied to the
 * planes before the kernel runs, and back before another kernel runs (struct simd_kernel, program.h). */
#ifndef SPRINGBACK_METHOD_PAIR_PLANES_H
#define SPRINGBACK_METHOD_PAIR_PLANES_H

#include "method/list_lanes.h"

/* Number of vectors that are computed at once, which hides the latency of the arithmetic. This is possible because no
 * projection depends on another projection of its colour. Three vectors are hardly faster than two, and leave more
 * constraints at the end of a range for single vectors. */
enum { PAIR_VECTORS = 2 };

struct pair_planes;

struct pairs {
    size_t count;
    const int *place;           /* [2][count] offsets of the quads of first and of second particles, in bytes */
    const scalar *rest, *share; /* [count] rest lengths, in m; [count] results of the function pair_share, or zeros */
    struct pair_planes *planes; /* NULL if LANES is not 16, or if too many constraints are scattered (PAIR_FEW) */
};

/* LANES constraints: positions of both ends, which a rule moves, and their inverse masses. `before` are the vectors
 * from first to second ends at the start of the time step; 0 if the rule does not need them. `rest` and `share` are as
 * in struct pairs, `own` is as in struct pair_work. */
struct pair_lanes {
    struct quads a, b;
    vec3 before;
    real rest, share, own;
};

/* Projects LANES constraints. */
typedef void pair_rule(struct pair_lanes *pair, const void *parameters);

/* Input of a projection. `own` has one value for each constraint, such as its multiplier, which the projection updates;
 * NULL if there are no such values. `before` has the vectors from first to second ends at the start of the step,
 * [3][stride]; NULL if the rule does not need them. */
struct pair_work {
    const struct pairs *pairs;
    quad *quads;
    const scalar *before;
    size_t stride;
    scalar *own;
    const void *parameters;
};

INLINE void pairs_project_vectors(struct pair_work work, int c, const int vectors, pair_rule *const rule) {
    const struct pairs *pairs = work.pairs;
    const int *first = pairs->place + c, *second = first + pairs->count;
    struct pair_lanes pair[PAIR_VECTORS];
    UNROLLED
    for (int v = 0; v < vectors; ++v) {
        const int at = v * LANES;
        pair[v].a = quads_gather_at(work.quads, first + at);
        pair[v].b = quads_gather_at(work.quads, second + at);
        pair[v].before = vec3_everywhere(0, 0, 0);
        if (work.before)
            pair[v].before = (vec3){reals_at(work.before + c + at), reals_at(work.before + work.stride + c + at),
                                    reals_at(work.before + 2 * work.stride + c + at)};
        pair[v].rest = reals_at(pairs->rest + c + at);
        pair[v].share = reals_at(pairs->share + c + at);
        pair[v].own = work.own ? reals_at(work.own + c + at) : EVERYWHERE((scalar)0);
    }
    UNROLLED
    for (int v = 0; v < vectors; ++v)
        rule(&pair[v], work.parameters);
    FORGET_PLACES;
    UNROLLED
    for (int v = 0; v < vectors; ++v) {
        const int at = v * LANES;
        quads_scatter_at(work.quads, first + at, pair[v].a.xyz, pair[v].a.w);
        quads_scatter_at(work.quads, second + at, pair[v].b.xyz, pair[v].b.w);
        if (work.own)
            reals_put(work.own + c + at, pair[v].own);
    }
}

/* Project the last `left` constraints of a range, which begin at c and are fewer than LANES. The other lanes repeat the
 * last constraint. All lanes read before any lane writes, and lanes of the same constraint write equal values. */
INLINE void pairs_project_tail(struct pair_work work, int c, int left, pair_rule *const rule) {
    const struct pairs *from = work.pairs;
    int place[2][LANES];
    scalar rest[LANES], share[LANES], own[LANES], before[3][LANES];
    for (int l = 0; l < LANES; ++l) {
        const size_t at = (size_t)c + (size_t)(l < left ? l : left - 1);
        place[0][l] = from->place[at];
        place[1][l] = from->place[from->count + at];
        rest[l] = from->rest[at];
        share[l] = from->share[at];
        own[l] = work.own ? work.own[at] : 0;
        for (size_t k = 0; k < 3; ++k)
            before[k][l] = work.before ? work.before[k * work.stride + at] : 0;
    }
    const struct pairs tail = {.count = LANES, .place = place[0], .rest = rest, .share = share};
    struct pair_work last = work;
    last.pairs = &tail;
    last.own = work.own ? own : NULL;
    last.before = work.before ? before[0] : NULL;
    last.stride = LANES;
    pairs_project_vectors(last, 0, 1, rule);
    if (work.own)
        memcpy(work.own + c, own, (size_t)left * sizeof *own);
}

/* Project a range of a colour whose particles need not be adjacent in memory. */
INLINE void pairs_project_listed(struct pair_work work, struct range range, pair_rule *const rule) {
    const int end = range.column_end;
    int c = range.column_begin;
    for (; c + PAIR_VECTORS * LANES <= end; c += PAIR_VECTORS * LANES)
        pairs_project_vectors(work, c, PAIR_VECTORS, rule);
    for (; c + LANES <= end; c += LANES)
        pairs_project_vectors(work, c, 1, rule);
    if (c < end)
        pairs_project_tail(work, c, end - c, rule);
}

#include "base/number.h"

/* Layout of the particles of consecutive constraints. SIDE_BY_SIDE: the first particles are consecutive, and so are the
 * second particles, as in (i, j), (i + 1, j + 1). INTERLEAVED: as in (i, i + 1), (i + 2, i + 3). SCATTERED: all other
 * cases. */
enum pair_layout { PAIRS_SCATTERED, PAIRS_SIDE_BY_SIDE, PAIRS_INTERLEAVED };

/* A stretch is a maximal sequence of constraints with the same layout. A stretch of fewer than PAIR_STRETCH constraints
 * counts as scattered, because even a short stretch costs as much as several vectors. Planes exist only if at most one
 * constraint in PAIR_FEW is scattered, and if LANES is 16: the functions below write a part of a vector by instructions
 * for 16 floats. */
enum { PAIR_STRETCH = 4, PAIR_FEW = 16 };

enum { PLANE_X, PLANE_Y, PLANE_Z, PLANE_W, PLANES };

struct pair_planes {
    int vertices;
    scalar *plane[PLANES];
    const int *end;              /* [constraints] for each constraint, the end of its stretch: the index of the
                                    stretch's last constraint, plus 1 */
    const unsigned char *layout; /* [constraints] for each constraint, the layout of its stretch (enum pair_layout) */
};

/* ---- Stretches ---- */

/* Layout of constraints c and c + 1; `particle` is [count][2]. */
static inline enum pair_layout pairs_follow(const int *particle, size_t c) {
    const int *a = particle + 2 * c, *b = a + 1;
    if (a[2] - a[0] == 1 && b[2] - b[0] == 1)
        return PAIRS_SIDE_BY_SIDE;
    return a[2] - a[0] == 2 && b[2] - b[0] == 2 && b[0] - a[0] == 1 ? PAIRS_INTERLEAVED : PAIRS_SCATTERED;
}

/* Returns the end of the stretch that begins at c. *layout becomes the layout of this stretch. */
static inline size_t pairs_stretch(const int *particle, size_t count, size_t c, enum pair_layout *layout) {
    const enum pair_layout follow = c + 1 < count ? pairs_follow(particle, c) : PAIRS_SCATTERED;
    size_t end = c + 1;
    while (follow != PAIRS_SCATTERED && end < count && pairs_follow(particle, end - 1) == follow)
        ++end;
    *layout = end - c >= PAIR_STRETCH ? follow : PAIRS_SCATTERED;
    return end;
}

static inline bool pairs_are_lattice(const int *particle, size_t count) {
    size_t scattered = 0;
    enum pair_layout layout;
    for (size_t c = 0, end; c < count; c = end) {
        end = pairs_stretch(particle, count, c, &layout);
        scattered += layout == PAIRS_SCATTERED ? end - c : 0;
    }
    return LANES == 16 && scattered <= count / PAIR_FEW;
}

static inline void pairs_mark_stretches(const int *particle, size_t count, int *end, unsigned char *layout) {
    enum pair_layout own;
    for (size_t c = 0, last; c < count; c = last) {
        last = pairs_stretch(particle, count, c, &own);
        for (size_t k = c; k < last; ++k) {
            end[k] = (int)last;
            layout[k] = (unsigned char)own;
        }
    }
    for (size_t c = count; c-- > 1;) /* consecutive scattered constraints are one stretch */
        if (layout[c - 1] == PAIRS_SCATTERED && layout[c] == PAIRS_SCATTERED)
            end[c - 1] = end[c];
}

/* ---- Lists ---- */

/* A constant of a constraint, computed once from the inverse masses of its particles; for example 1 / (w1 + w2). */
typedef scalar pair_share(scalar w1, scalar w2);

/* Bytes from one plane to the next: whole pages plus PLANE_SHIFT cache lines. If a read and an earlier write have equal
 * offsets in two pages, a processor at first treats the two addresses as equal, and the read waits. Neighbouring
 * vectors and rows are only a few lines apart, so a distance of 13 lines avoids equal offsets. */
static inline size_t plane_stride(size_t bytes) {
    enum { PAGE = 4096, PLANE_SHIFT = 13 };
    return round_up(bytes, PAGE) + (size_t)PLANE_SHIFT * 64;
}

/* Create pairs from particles [items][2] and rest lengths [items]. The function `share`, unless NULL, is called for
 * each pair with the inverse masses in `quads`. The caller frees the result by free(). Returns NULL if out of memory.
 */
static inline struct pairs *pairs_create(const quad *quads, const int *particle, const scalar *rest, int items,
                                         pair_share *const share) {
    const size_t count = (size_t)items;
    const bool has_planes = pairs_are_lattice(particle, count);
    int vertices = 0;
    for (size_t c = 0; c < 2 * count; ++c)
        vertices = particle[c] >= vertices ? particle[c] + 1 : vertices;
    const size_t plane = plane_stride((size_t)vertices * sizeof(scalar));
    const size_t head = round_up(sizeof(struct pairs) + sizeof(struct pair_planes), 64);
    const size_t listed = head + round_up(2 * count * (sizeof(int) + sizeof(scalar)), 64);
    char *memory =
        aligned_alloc(64, listed + (has_planes ? PLANES * plane + round_up(count * (sizeof(int) + 1), 64) : 0));
    if (!memory)
        return NULL;
    struct pairs *pairs = (struct pairs *)memory;
    int *place = (int *)(memory + head);
    scalar *rests = (scalar *)(place + 2 * count), *shares = rests + count;
    for (size_t c = 0; c < count; ++c) {
        const int a = particle[2 * c], b = particle[2 * c + 1];
        place[c] = a * (int)sizeof(quad);
        place[count + c] = b * (int)sizeof(quad);
        rests[c] = rest[c];
        shares[c] = share ? share(quads[a].w, quads[b].w) : 0;
    }
    *pairs = (struct pairs){count, place, rests, shares, NULL};
    if (has_planes) {
        int *end = (int *)(memory + listed + PLANES * plane);
        unsigned char *layout = (unsigned char *)(end + count);
        pairs->planes = (struct pair_planes *)(pairs + 1);
        *pairs->planes = (struct pair_planes){.vertices = vertices, .end = end, .layout = layout};
        for (size_t k = 0; k < PLANES; ++k)
            pairs->planes->plane[k] = (scalar *)(memory + listed + k * plane);
        pairs_mark_stretches(particle, count, end, layout);
    }
    return pairs;
}

/* ---- Planes ---- */

#if LANES == 16
/* A mask of the first `left` lanes of two vectors. The lower LANES bits are for the first vector. */
INLINE unsigned lanes_there(int left) {
    return left >= 2 * LANES ? ~0U : (1U << left) - 1;
}

/* plane_real reads and plane_keep writes a vector. If is_whole, they access all lanes; otherwise only the lanes of the
 * mask `there`, because another thread may write the other numbers. */
INLINE real plane_real(const scalar *from, unsigned there, const bool is_whole) {
    return is_whole ? reals_at(from) : (real)_mm512_maskz_loadu_ps((__mmask16)there, from);
}

INLINE void plane_keep(scalar *to, unsigned there, const bool is_whole, real a) {
    if (is_whole)
        reals_put(to, a);
    else
        _mm512_mask_storeu_ps(to, (__mmask16)there, (__m512)a);
}

/* EVEN and ODD: the elements of two vectors with even and with odd indices. INTERLEAVED_LOW and INTERLEAVED_HIGH are
 * the inverse of this separation. */
#define EVEN(a, b)            __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODD(a, b)             __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
#define INTERLEAVED_LOW(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define INTERLEAVED_HIGH(a, b)                                                                                         \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

/* For a vector of constraints, load one coordinate of both ends from a plane. The first ends begin at index a, the
 * second ends at index b. `there` is the mask of the elements to load. If the layout is interleaved, the mask has 2
 * LANES bits, two for each constraint. Otherwise the mask has LANES bits, one for each constraint. */
INLINE void plane_take(const scalar *plane, int a, int b, unsigned there, const bool is_whole,
                       const enum pair_layout layout, real *first, real *second) {
    if (layout == PAIRS_SIDE_BY_SIDE) {
        *first = plane_real(plane + a, there, is_whole);
        *second = plane_real(plane + b, there, is_whole);
    } else {
        const real low = plane_real(plane + a, there, is_whole),
                   high = plane_real(plane + a + LANES, there >> LANES, is_whole);
        *first = EVEN(low, high);
        *second = ODD(low, high);
    }
}

INLINE void plane_put(scalar *plane, int a, int b, unsigned there, const bool is_whole, const enum pair_layout layout,
                      real first, real second) {
    if (layout == PAIRS_SIDE_BY_SIDE) {
        plane_keep(plane + a, there, is_whole, first);
        plane_keep(plane + b, there, is_whole, second);
    } else {
        plane_keep(plane + a, there, is_whole, INTERLEAVED_LOW(first, second));
        plane_keep(plane + a + LANES, there >> LANES, is_whole, INTERLEAVED_HIGH(first, second));
    }
}

/* ---- Projections ---- */

/* Project constraints of one stretch, from c on. If is_whole, project `vectors` whole vectors of constraints. Otherwise
 * project only `left` constraints, which need at most `vectors` vectors. */
INLINE void pairs_project_side_vectors(struct pair_work work, int c, const int vectors, int left, const bool is_whole,
                                       const enum pair_layout layout, pair_rule *const rule) {
    const struct pairs *pairs = work.pairs;
    scalar *const *plane = pairs->planes->plane;
    const int a = pairs->place[c] / (int)sizeof(quad), b = pairs->place[pairs->count + (size_t)c] / (int)sizeof(quad);
    const int step = layout == PAIRS_INTERLEAVED ? 2 * LANES : LANES;
    struct pair_lanes pair[PAIR_VECTORS];
    UNROLLED
    for (int v = 0; v < vectors; ++v) {
        struct pair_lanes *p = &pair[v];
        const int i = a + v * step, j = b + v * step, at = c + v * LANES;
        const unsigned own = lanes_there(left - v * LANES), here = lanes_there((left - v * LANES) * (step / LANES));
        plane_take(plane[PLANE_X], i, j, here, is_whole, layout, &p->a.xyz.x, &p->b.xyz.x);
        plane_take(plane[PLANE_Y], i, j, here, is_whole, layout, &p->a.xyz.y, &p->b.xyz.y);
        plane_take(plane[PLANE_Z], i, j, here, is_whole, layout, &p->a.xyz.z, &p->b.xyz.z);
        plane_take(plane[PLANE_W], i, j, here, is_whole, layout, &p->a.w, &p->b.w);
        p->before = vec3_everywhere(0, 0, 0);
        if (work.before)
            p->before = (vec3){plane_real(work.before + at, own, is_whole),
                               plane_real(work.before + work.stride + at, own, is_whole),
                               plane_real(work.before + 2 * work.stride + at, own, is_whole)};
        p->rest = plane_real(pairs->rest + at, own, is_whole);
        p->share = plane_real(pairs->share + at, own, is_whole);
        p->own = work.own ? plane_real(work.own + at, own, is_whole) : EVERYWHERE((scalar)0);
    }
    UNROLLED
    for (int v = 0; v < vectors; ++v)
        rule(&pair[v], work.parameters);
    UNROLLED
    for (int v = 0; v < vectors; ++v) {
        const struct pair_lanes *p = &pair[v];
        const int i = a + v * step, j = b + v * step;
        const unsigned own = lanes_there(left - v * LANES), here = lanes_there((left - v * LANES) * (step / LANES));
        plane_put(plane[PLANE_X], i, j, here, is_whole, layout, p->a.xyz.x, p->b.xyz.x);
        plane_put(plane[PLANE_Y], i, j, here, is_whole, layout, p->a.xyz.y, p->b.xyz.y);
        plane_put(plane[PLANE_Z], i, j, here, is_whole, layout, p->a.xyz.z, p->b.xyz.z);
        if (work.own)
            plane_keep(work.own + (c + v * LANES), own, is_whole, p->own);
    }
}

INLINE void pairs_project_stretch(struct pair_work work, int c, int stop, const enum pair_layout layout,
                                  pair_rule *const rule) {
    for (; c + PAIR_VECTORS * LANES <= stop; c += PAIR_VECTORS * LANES)
        pairs_project_side_vectors(work, c, PAIR_VECTORS, PAIR_VECTORS * LANES, true, layout, rule);
    if (c + LANES < stop)
        pairs_project_side_vectors(work, c, PAIR_VECTORS, stop - c, false, layout, rule);
    else if (c < stop)
        pairs_project_side_vectors(work, c, 1, stop - c, false, layout, rule);
}

/* Project scattered constraints. The positions and inverse masses of their particles are copied to quads, and the new
 * positions are copied back. There are few scattered constraints, so the function is not inlined. */
static __attribute__((noinline, cold)) void pairs_project_scattered(struct pair_work work, int c, int stop,
                                                                    pair_rule *const rule) {
    const struct pairs *from = work.pairs;
    scalar *const *plane = from->planes->plane;
    for (; c < stop; c += LANES) {
        const int left = stop - c < LANES ? stop - c : LANES;
        quad quads[2 * LANES];
        int place[2][LANES], node[2][LANES];
        for (int l = 0; l < left; ++l)
            for (int e = 0; e < 2; ++e) {
                const int i = node[e][l] = from->place[(size_t)e * from->count + (size_t)(c + l)] / (int)sizeof(quad);
                place[e][l] = (2 * l + e) * (int)sizeof(quad);
                quads[2 * l + e] = (quad){plane[PLANE_X][i], plane[PLANE_Y][i], plane[PLANE_Z][i], plane[PLANE_W][i]};
            }
        const struct pairs some = {.count = LANES, .place = place[0], .rest = from->rest + c, .share = from->share + c};
        struct pair_work own = work;
        own.pairs = &some;
        own.quads = quads;
        own.before = work.before ? work.before + c : NULL;
        own.own = work.own ? work.own + c : NULL;
        pairs_project_tail(own, 0, left, rule);
        for (int l = 0; l < left; ++l)
            for (int e = 0; e < 2; ++e) {
                const int i = node[e][l];
                plane[PLANE_X][i] = quads[2 * l + e].x;
                plane[PLANE_Y][i] = quads[2 * l + e].y;
                plane[PLANE_Z][i] = quads[2 * l + e].z;
            }
    }
}

INLINE void pairs_project_planes(struct pair_work work, struct range range, pair_rule *const rule) {
    const struct pair_planes *planes = work.pairs->planes;
    for (int c = range.column_begin, stop; c < range.column_end; c = stop) {
        stop = planes->end[c] < range.column_end ? planes->end[c] : range.column_end;
        if (planes->layout[c] == PAIRS_SIDE_BY_SIDE)
            pairs_project_stretch(work, c, stop, PAIRS_SIDE_BY_SIDE, rule);
        else if (planes->layout[c] == PAIRS_INTERLEAVED)
            pairs_project_stretch(work, c, stop, PAIRS_INTERLEAVED, rule);
        else
            pairs_project_scattered(work, c, stop, rule);
    }
}
#endif

/* Project a range of a colour. */
INLINE void pairs_project(struct pair_work work, struct range range, pair_rule *const rule) {
#if LANES == 16
    if (work.pairs->planes) {
        pairs_project_planes(work, range, rule);
        return;
    }
#endif
    pairs_project_listed(work, range, rule);
}

/* ---- Copy in and out ---- */

static inline bool pairs_have_planes(const void *prepared) {
    return ((const struct pairs *)prepared)->planes != NULL;
}

#if LANES == 16
/* The range of vertices that thread `index` of `count` threads copies, in whole vectors. */
static inline struct range pairs_share(const struct pair_planes *planes, int index, int count) {
    const int vectors = (planes->vertices + LANES - 1) / LANES;
    const int end = (int)((long long)vectors * (index + 1) / count) * LANES;
    return (struct range){.column_begin = (int)((long long)vectors * index / count) * LANES,
                          .column_end = end < planes->vertices ? end : planes->vertices};
}

static inline void pairs_enter(const struct pairs *pairs, const quad *quads, int index, int count) {
    scalar *const *plane = pairs->planes->plane;
    const struct range range = pairs_share(pairs->planes, index, count);
    for (int i = range.column_begin; i < range.column_end; i += LANES) {
        const unsigned there = lanes_there(range.column_end - i);
        int node[LANES];
        take_nodes(node, i, range.column_end);
        const struct quads q = quads_gather(quads, node);
        plane_keep(plane[PLANE_X] + i, there, false, q.xyz.x);
        plane_keep(plane[PLANE_Y] + i, there, false, q.xyz.y);
        plane_keep(plane[PLANE_Z] + i, there, false, q.xyz.z);
        plane_keep(plane[PLANE_W] + i, there, false, q.w);
    }
}

static inline void pairs_leave(const struct pairs *pairs, quad *quads, int index, int count) {
    scalar *const *plane = pairs->planes->plane;
    const struct range range = pairs_share(pairs->planes, index, count);
    int i = range.column_begin;
    for (; i + LANES <= range.column_end; i += LANES) {
        int node[LANES];
        take_nodes(node, i, range.column_end);
        const vec3 xyz = {reals_at(plane[PLANE_X] + i), reals_at(plane[PLANE_Y] + i), reals_at(plane[PLANE_Z] + i)};
        quads_scatter(quads, node, xyz, reals_at(plane[PLANE_W] + i));
    }
    for (; i < range.column_end; ++i)
        quads[i] = (quad){plane[PLANE_X][i], plane[PLANE_Y][i], plane[PLANE_Z][i], plane[PLANE_W][i]};
}
#else
static inline void pairs_enter(const struct pairs *pairs, const quad *quads, int index, int count) {
    (void)pairs, (void)quads, (void)index, (void)count;
}

static inline void pairs_leave(const struct pairs *pairs, quad *quads, int index, int count) {
    (void)pairs, (void)quads, (void)index, (void)count;
}
#endif

/* Define a SIMD kernel over constraints between two particles. `runs` is the kernel's function, `type` is the method's
 * struct, and `share` is a pair_share function or NULL. */
#define PAIR_SIMD_KERNEL(type, name, runs, share)                                                                      \
    static void *prepare_##runs(const void *arguments, int items) {                                                    \
        TAKE_ARGUMENTS(type);                                                                                          \
        return pairs_create(m.predicted, m.particle, m.rest, items, share);                                            \
    }                                                                                                                  \
    static void enter_##runs(struct simd_workspace workspace, const void *arguments, int index, int count) {           \
        TAKE_ARGUMENTS(type);                                                                                          \
        pairs_enter(workspace.prepared, m.predicted, index, count);                                                    \
    }                                                                                                                  \
    static void leave_##runs(struct simd_workspace workspace, const void *arguments, int index, int count) {           \
        TAKE_ARGUMENTS(type);                                                                                          \
        pairs_leave(workspace.prepared, m.predicted, index, count);                                                    \
    }                                                                                                                  \
    const struct simd_kernel ROWS(name) = {.run = (runs),                                                              \
                                           .steps = 1,                                                                 \
                                           .prepare = prepare_##runs,                                                  \
                                           .has_layout = pairs_have_planes,                                            \
                                           .enter_layout = enter_##runs,                                               \
                                           .leave_layout = leave_##runs}

#endif
