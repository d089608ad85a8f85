/* Constraints between two particles for vector units. Nothing of a projection hangs on another of its colour, so that
 * several vectors of them go at once, which hides the time that each step of the arithmetic takes. Particles that lie
 * side by side, as the rows of a lattice do, are read and written as whole vectors. */
#ifndef SPRINGBACK_METHOD_PAIR_LANES_H
#define SPRINGBACK_METHOD_PAIR_LANES_H

#include "method/list_lanes.h"

/* Vectors at once: three are hardly faster, and leave more of a stretch to be done one by one. */
enum { PAIR_VECTORS = 2 };

/* How the particles of constraints that follow each other lie: anyhow; first and second ones each side by side, at
 * places i, i + 1, ... and j, j + 1, ...; in turn, at i and i + 1, i + 2 and i + 3, ... Stretches of less than a vector
 * count as anyhow, and so do all where a vector holds no four quads. */
enum pair_layout { PAIRS_ANYHOW, PAIRS_SIDE_BY_SIDE, PAIRS_IN_TURN };

struct pairs {
    size_t count;
    const int *place;            /* [2][count] quads, in bytes */
    const scalar *rest, *share;  /* [count]; share: [0] where none was asked for */
    const int *end;              /* [count] where the constraint's stretch ends */
    const unsigned char *layout; /* [count] the stretch's */
};

/* Of one's own, both ends' positions and inverse masses, to be moved; before: the second's less the first's at the
 * step's begin, where the rule asks for it. */
struct pair_lanes {
    struct quads a, b;
    vec3 before;
    real rest, share, own;
};

/* A projection of so many constraints as there are lanes. */
typedef void pair_rule(struct pair_lanes *pair, const void *parameters);

/* ---- Lists ---- */

/* What is made of both particles' inverse masses once. */
typedef scalar pair_share(scalar w1, scalar w2);

static inline enum pair_layout pairs_follow(const int *a, const int *b, size_t c) {
    const int step = (int)sizeof(quad), da = a[c + 1] - a[c], db = b[c + 1] - b[c];
    if (da == step && db == step)
        return PAIRS_SIDE_BY_SIDE;
    return da == 2 * step && db == 2 * step && b[c] - a[c] == step ? PAIRS_IN_TURN : PAIRS_ANYHOW;
}

static inline void pairs_find_stretches(const struct pairs *pairs, int *end, unsigned char *layout) {
    const int *a = pairs->place, *b = a + pairs->count;
    size_t anyhow = 0; /* where the stretch before began, if it is one of those */
    for (size_t c = 0, last; c < pairs->count; c = last) {
        const enum pair_layout follow = LANES == 16 && c + 1 < pairs->count ? pairs_follow(a, b, c) : PAIRS_ANYHOW;
        last = c + 1;
        while (follow != PAIRS_ANYHOW && last < pairs->count && pairs_follow(a, b, last - 1) == follow)
            ++last;
        const int is_one = last - c >= LANES;
        for (size_t k = is_one ? c : anyhow; k < last; ++k) {
            end[k] = (int)last;
            layout[k] = is_one ? (unsigned char)follow : PAIRS_ANYHOW;
        }
        if (is_one)
            anyhow = last;
    }
}

/* Of particles [items][2] and rest lengths [items]; `share`, if given, of the inverse masses in `quads`. Freed by
 * free(); NULL where memory does not suffice. */
static inline struct pairs *pairs_create(const quad *quads, const int *particle, const scalar *rest, int items,
                                         pair_share *const share) {
    const size_t count = (size_t)items, line = 64 / sizeof(int);
    const size_t ints = (3 * count + line - 1) / line * line, bytes = (sizeof(struct pairs) + 63) / 64 * 64;
    struct pairs *pairs =
        aligned_alloc(64, (bytes + ints * sizeof(int) + 2 * count * sizeof(scalar) + count + 63) / 64 * 64);
    if (!pairs)
        return NULL;
    int *place = (int *)((char *)pairs + bytes), *end = place + 2 * count;
    scalar *rests = (scalar *)(place + ints), *shares = rests + count;
    unsigned char *layout = (unsigned char *)(shares + count);
    for (size_t c = 0; c < count; ++c) {
        const int a = particle[2 * c], b = particle[2 * c + 1];
        place[c] = a * (int)sizeof(quad);
        place[count + c] = b * (int)sizeof(quad);
        rests[c] = rest[c];
        shares[c] = share ? share(quads[a].w, quads[b].w) : 0;
    }
    *pairs = (struct pairs){count, place, rests, shares, end, layout};
    pairs_find_stretches(pairs, end, layout);
    return pairs;
}

/* ---- Quads ---- */

#if LANES == 16
#define QUADS_BYTES ((ptrdiff_t)(LANES * sizeof(quad)))

/* One of so many vectors in memory, of whose quads the first `quads` of all are there. What is not there is neither
 * read nor written: it may be another thread's. */
INLINE __mmask16 quads_there(int k, int quads) {
    const int here = quads - 4 * k;
    return here >= 4 ? 0xffff : here <= 0 ? 0 : (__mmask16)((1U << (4 * here)) - 1);
}

INLINE real vector_at(const char *from, int k, int quads) {
    const char *at = from + (ptrdiff_t)k * (ptrdiff_t)sizeof(real);
    return (real)_mm512_maskz_loadu_ps(quads_there(k, quads), at);
}

INLINE void vector_keep(char *to, int k, int quads, real a) {
    _mm512_mask_storeu_ps(to + (ptrdiff_t)k * (ptrdiff_t)sizeof a, quads_there(k, quads), (__m512)a);
}

/* Sixteen quads that are four vectors as x, y, z and w: of quads 0, 4, 8, 12, 1, 5, ..., the order that takes least to
 * be made of them; and back. What belongs to them is turned to the same order, or back, by the same. */
INLINE struct quads quads_side_by_side(const char *from, int quads) {
    return transposed(vector_at(from, 0, quads), vector_at(from, 1, quads), vector_at(from, 2, quads),
                      vector_at(from, 3, quads));
}

INLINE void quads_keep_side_by_side(char *to, int quads, struct quads q) {
    const struct quads by_four = transposed(q.xyz.x, q.xyz.y, q.xyz.z, q.w);
    vector_keep(to, 0, quads, by_four.xyz.x);
    vector_keep(to, 1, quads, by_four.xyz.y);
    vector_keep(to, 2, quads, by_four.xyz.z);
    vector_keep(to, 3, quads, by_four.w);
}

INLINE __mmask16 lanes_there(int left) {
    return left >= LANES ? 0xffff : (__mmask16)((1U << left) - 1);
}

INLINE real turned(real a) {
    return __builtin_shufflevector(a, a, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
}

/* Of quads in turn: every second of two vectors, and back. */
#define EVEN(a, b)      __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27)
#define ODD(a, b)       __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31)
#define TURN(a, b)      __builtin_shufflevector(a, b, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23)
#define TURN_NEXT(a, b) __builtin_shufflevector(a, b, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31)

INLINE void quads_in_turn(const char *from, int quads, struct quads *a, struct quads *b) {
    real even[4], odd[4];
    UNROLLED
    for (int k = 0; k < 4; ++k) {
        const real first = vector_at(from, 2 * k, quads), second = vector_at(from, 2 * k + 1, quads);
        even[k] = EVEN(first, second);
        odd[k] = ODD(first, second);
    }
    *a = transposed(even[0], even[1], even[2], even[3]);
    *b = transposed(odd[0], odd[1], odd[2], odd[3]);
}

INLINE void quads_keep_in_turn(char *to, int quads, struct quads a, struct quads b) {
    const struct quads p = transposed(a.xyz.x, a.xyz.y, a.xyz.z, a.w), q = transposed(b.xyz.x, b.xyz.y, b.xyz.z, b.w);
    const real even[4] = {p.xyz.x, p.xyz.y, p.xyz.z, p.w}, odd[4] = {q.xyz.x, q.xyz.y, q.xyz.z, q.w};
    UNROLLED
    for (int k = 0; k < 4; ++k) {
        vector_keep(to, 2 * k, quads, TURN(even[k], odd[k]));
        vector_keep(to, 2 * k + 1, quads, TURN_NEXT(even[k], odd[k]));
    }
}
#endif

/* Vector v of a stretch whose first ones are at these places, or the first `left` of it; of those that lie anyhow it is
 * always whole. */
INLINE void pair_take(const quad *from, const int *first, const int *second, int v, int left,
                      const enum pair_layout layout, struct quads *a, struct quads *b) {
#if LANES == 16
    if (layout == PAIRS_SIDE_BY_SIDE) {
        *a = quads_side_by_side((const char *)from + *first + QUADS_BYTES * v, left);
        *b = quads_side_by_side((const char *)from + *second + QUADS_BYTES * v, left);
        return;
    }
    if (layout == PAIRS_IN_TURN) {
        quads_in_turn((const char *)from + *first + 2 * QUADS_BYTES * v, 2 * left, a, b);
        return;
    }
#else
    (void)left;
    (void)layout;
#endif
    *a = quads_gather_at(from, first + (ptrdiff_t)v * LANES);
    *b = quads_gather_at(from, second + (ptrdiff_t)v * LANES);
}

INLINE void pair_put(quad *to, const int *first, const int *second, int v, int left, const enum pair_layout layout,
                     struct quads a, struct quads b) {
#if LANES == 16
    if (layout == PAIRS_SIDE_BY_SIDE) {
        quads_keep_side_by_side((char *)to + *first + QUADS_BYTES * v, left, a);
        quads_keep_side_by_side((char *)to + *second + QUADS_BYTES * v, left, b);
        return;
    }
    if (layout == PAIRS_IN_TURN) {
        quads_keep_in_turn((char *)to + *first + 2 * QUADS_BYTES * v, 2 * left, a, b);
        return;
    }
#else
    (void)left;
    (void)layout;
#endif
    quads_scatter_at(to, first + (ptrdiff_t)v * LANES, a.xyz, a.w);
    quads_scatter_at(to, second + (ptrdiff_t)v * LANES, b.xyz, b.w);
}

/* ---- Projections ---- */

/* What a projection works on: `own` is what each constraint keeps between projections, `before` where particles were
 * when the step began; NULL where the rule asks for none. */
struct pair_work {
    const struct pairs *pairs;
    quad *quads;
    const quad *before;
    scalar *own;
    const void *parameters;
};

INLINE real pair_real(const scalar *from, int left, const enum pair_layout layout) {
    real a;
#if LANES == 16
    if (layout != PAIRS_ANYHOW)
        return turned((real)_mm512_maskz_loadu_ps(lanes_there(left), from));
#else
    (void)left;
    (void)layout;
#endif
    memcpy(&a, from, sizeof a);
    return a;
}

INLINE void pair_keep_real(scalar *to, int left, const enum pair_layout layout, real a) {
#if LANES == 16
    if (layout != PAIRS_ANYHOW) {
        _mm512_mask_storeu_ps(to, lanes_there(left), (__m512)turned(a));
        return;
    }
#else
    (void)left;
    (void)layout;
#endif
    memcpy(to, &a, sizeof a);
}

#define ALWAYS static inline __attribute__((always_inline))

ALWAYS void pairs_project_vectors(struct pair_work work, int c, const int vectors, int left,
                                  const enum pair_layout layout, pair_rule *const rule) {
    const struct pairs *pairs = work.pairs;
    const int *first = pairs->place + c, *second = first + pairs->count;
    struct pair_lanes pair[PAIR_VECTORS];
    UNROLLED
    for (int v = 0; v < vectors; ++v) {
        const int at = c + v * LANES;
        pair_take(work.quads, first, second, v, left, layout, &pair[v].a, &pair[v].b);
        pair[v].before = vec3_everywhere(0, 0, 0);
        pair[v].own = EVERYWHERE((scalar)0);
        if (work.before) {
            struct quads a, b;
            pair_take(work.before, first, second, v, left, layout, &a, &b);
            pair[v].before = subtract(b.xyz, a.xyz);
        }
        pair[v].rest = pair_real(pairs->rest + at, left, layout);
        pair[v].share = pair_real(pairs->share + at, left, layout);
        if (work.own)
            pair[v].own = pair_real(work.own + at, left, layout);
    }
    UNROLLED
    for (int v = 0; v < vectors; ++v)
        rule(&pair[v], work.parameters);
    if (layout == PAIRS_ANYHOW)
        FORGET_PLACES;
    UNROLLED
    for (int v = 0; v < vectors; ++v) {
        pair_put(work.quads, first, second, v, left, layout, pair[v].a, pair[v].b);
        if (work.own)
            pair_keep_real(work.own + c + v * LANES, left, layout, pair[v].own);
    }
}

/* Of a stretch, up to `stop`; what is less than a vector goes alone. */
ALWAYS int pairs_project_stretch(struct pair_work work, int c, int stop, const enum pair_layout layout,
                                 pair_rule *const rule) {
    for (; c + PAIR_VECTORS * LANES <= stop; c += PAIR_VECTORS * LANES)
        pairs_project_vectors(work, c, PAIR_VECTORS, LANES, layout, rule);
    for (; c + LANES <= stop; c += LANES)
        pairs_project_vectors(work, c, 1, LANES, layout, rule);
    if (c < stop)
        pairs_project_vectors(work, c, 1, stop - c, layout, rule);
    return stop;
}

/* Whole vectors, and those that begin before `stop`. Returns what comes behind them. */
ALWAYS int pairs_project_anyhow(struct pair_work work, int c, int stop, int end, pair_rule *const rule) {
    for (; c + (PAIR_VECTORS - 1) * LANES < stop && c + PAIR_VECTORS * LANES <= end; c += PAIR_VECTORS * LANES)
        pairs_project_vectors(work, c, PAIR_VECTORS, LANES, PAIRS_ANYHOW, rule);
    for (; c < stop && c + LANES <= end; c += LANES)
        pairs_project_vectors(work, c, 1, LANES, PAIRS_ANYHOW, rule);
    return c;
}

/* The last ones of a range, fewer than lanes: the last of all fills up. What is read of it is read before it is
 * written, and it is written alike. */
ALWAYS void pairs_project_tail(struct pair_work work, int c, int left, pair_rule *const rule) {
    const struct pairs *from = work.pairs;
    int place[2][LANES];
    scalar rest[LANES], share[LANES], own[LANES];
    for (int l = 0; l < LANES; ++l) {
        const size_t at = (size_t)c + (size_t)(l < left ? l : left - 1);
        place[0][l] = from->place[at];
        place[1][l] = from->place[from->count + at];
        rest[l] = from->rest[at];
        share[l] = from->share[at];
        own[l] = work.own ? work.own[at] : 0;
    }
    const struct pairs tail = {.count = LANES, .place = place[0], .rest = rest, .share = share};
    struct pair_work last = work;
    last.pairs = &tail;
    last.own = work.own ? own : NULL;
    pairs_project_vectors(last, 0, 1, LANES, PAIRS_ANYHOW, rule);
    if (work.own)
        memcpy(work.own + c, own, (size_t)left * sizeof *own);
}

/* All of a range of a colour. */
ALWAYS void pairs_project(struct pair_work work, struct range range, pair_rule *const rule) {
    const struct pairs *pairs = work.pairs;
    const int end = range.column_end;
    int c = range.column_begin;
    while (c < end) {
        const int stop = pairs->end[c] < end ? pairs->end[c] : end;
        if (LANES == 16 && pairs->layout[c] == PAIRS_SIDE_BY_SIDE)
            c = pairs_project_stretch(work, c, stop, PAIRS_SIDE_BY_SIDE, rule);
        else if (LANES == 16 && pairs->layout[c] == PAIRS_IN_TURN)
            c = pairs_project_stretch(work, c, stop, PAIRS_IN_TURN, rule);
        else if (c + LANES <= end)
            c = pairs_project_anyhow(work, c, stop, end, rule);
        else
            break;
    }
    if (c < end)
        pairs_project_tail(work, c, end - c, rule);
}

#endif
