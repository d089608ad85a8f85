/* Constraints between two particles for vector units. Nothing of a projection hangs on another of its colour, so that
 * several vectors of them go at once, which hides the time that each step of the arithmetic takes. */
#ifndef SPRINGBACK_METHOD_PAIR_LANES_H
#define SPRINGBACK_METHOD_PAIR_LANES_H

#include "method/list_lanes.h"

/* Vectors at once: three are hardly faster, and leave more of a range to be done one by one. */
enum { PAIR_VECTORS = 2 };

struct pair_planes;

struct pairs {
    size_t count;
    const int *place;           /* [2][count] quads, in bytes */
    const scalar *rest, *share; /* [count]; share: [0] where none was asked for */
    struct pair_planes *planes; /* NULL where the particles lie anyhow (method/pair_planes.h) */
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

/* What a projection works on: `own` is what each constraint keeps between projections, `before` [3][stride] the ways
 * from first to second ends when the step began; NULL where the rule asks for none. */
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

/* The last ones of a range, fewer than lanes: the last of all fills up. What is read of it is read before it is
 * written, and it is written alike. */
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

/* All of a range of a colour, anyhow they lie. */
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

#endif
