/* The constraints of a list program for vector units: LANES constraints of a colour at once. */
#ifndef SPRINGBACK_METHOD_LIST_LANES_H
#define SPRINGBACK_METHOD_LIST_LANES_H

#include "method/quad_lanes.h"

#include "base/number.h"
#include "method/loops.h"
#include "method/program.h"

#include <stdlib.h>
#include <string.h>

/* `count` constraints, each of `size` particles and `reals` rest values. place[k * count + c]: offset of the quad of
 * constraint c's k-th particle, in bytes. rest[k * count + c]: the k-th rest value of constraint c. */
struct lists {
    size_t count;
    const int *place;
    const scalar *rest;
};

/* Create lists from particles [items][size] and rest values [items][reals]. The caller frees the result by free().
 * Returns NULL if out of memory. */
static inline struct lists *lists_create(const int *particle, const scalar *rest, int items, size_t size,
                                         size_t reals) {
    const size_t count = (size_t)items, ints = round_up(size * count * sizeof(int), 64);
    struct lists *lists = malloc(64 + ints + reals * count * sizeof(scalar));
    if (!lists)
        return NULL;
    int *place = (int *)((char *)lists + 64);
    scalar *to = (scalar *)((char *)place + ints);
    for (size_t k = 0; k < size; ++k)
        for (size_t c = 0; c < count; ++c)
            place[k * count + c] = particle[size * c + k] * (int)sizeof(quad);
    for (size_t k = 0; k < reals; ++k)
        for (size_t c = 0; c < count; ++c)
            to[k * count + c] = rest[reals * c + k];
    *lists = (struct lists){count, place, to};
    return lists;
}

/* LANES constraints. place[k]: offsets of the quads of their k-th particles, in bytes. rest[k]: their k-th rest values.
 * own: one value for each constraint, such as its multiplier, which a projection updates; NULL if there are no such
 * values. Each pointer leads to LANES numbers. */
struct constraint_lanes {
    const int *place[4];
    const scalar *rest[10];
    scalar *own;
};

/* The last constraints of a range, if they are fewer than LANES. The remaining lanes repeat the last constraint. All
 * lanes read before any lane writes, and lanes of the same constraint write equal values. */
struct tail {
    int place[4][LANES];
    scalar rest[10][LANES], own[LANES];
};

static inline void tail_take(struct tail *tail, struct constraint_lanes *t, int left, int size, int reals) {
    for (int k = 0; k < size; ++k) {
        for (int l = 0; l < LANES; ++l)
            tail->place[k][l] = t->place[k][l < left ? l : left - 1];
        t->place[k] = tail->place[k];
    }
    for (int k = 0; k < reals; ++k) {
        for (int l = 0; l < LANES; ++l)
            tail->rest[k][l] = t->rest[k][l < left ? l : left - 1];
        t->rest[k] = tail->rest[k];
    }
    for (int l = 0; l < LANES && t->own; ++l)
        tail->own[l] = t->own[l < left ? l : left - 1];
}

/* Projects LANES constraints; `arguments` is the method's struct. */
typedef void projection(const struct constraint_lanes *t, const void *arguments);

/* Additional rest values of constraints: `count` rows of `stride` values. Row k has the k-th additional value of every
 * constraint. A row may be longer than the list of constraints; only its beginning is used. */
struct also {
    const scalar *real;
    size_t stride;
    int count;
};

/* Project the constraints of a range with the function `one`. Each constraint has `size` particles, `known` rest values
 * in `lists`, and the additional rest values of `also`. `own` is [constraints], as in constraint_lanes, or NULL. The
 * tail has separate code, so that the loop is short. */
INLINE void project_with(const struct lists *lists, scalar *own, const struct also also, const void *arguments,
                         struct range range, const int size, const int known, projection *const one) {
    const int reals = known + also.count;
    struct constraint_lanes t;
    struct tail tail;
    int c = range.column_begin;
    for (int k = 0; k < size; ++k)
        t.place[k] = lists->place + (size_t)k * lists->count + c;
    for (int k = 0; k < known; ++k)
        t.rest[k] = lists->rest + (size_t)k * lists->count + c;
    for (int k = known; k < reals; ++k)
        t.rest[k] = also.real + (size_t)(k - known) * also.stride + c;
    t.own = own ? own + c : NULL;
    for (; c + LANES <= range.column_end; c += LANES) {
        one(&t, arguments);
        UNROLLED
        for (int k = 0; k < size; ++k)
            t.place[k] += LANES;
        UNROLLED
        for (int k = 0; k < reals; ++k)
            t.rest[k] += LANES;
        t.own = own ? t.own + LANES : NULL;
    }
    if (c < range.column_end) {
        const int left = range.column_end - c;
        tail_take(&tail, &t, left, size, reals);
        if (own) {
            t.own = tail.own;
            one(&t, arguments);
            memcpy(own + c, tail.own, (size_t)left * sizeof *own);
        } else {
            one(&t, arguments);
        }
    }
}

INLINE void project(const struct lists *lists, scalar *own, const void *arguments, struct range range, const int size,
                    const int reals, projection *const one) {
    project_with(lists, own, (struct also){NULL, 0, 0}, arguments, range, size, reals, one);
}

/* Write the indices of the LANES nodes i, i + 1, ... of a range. Lanes after the range's last node, end - 1, repeat
 * this node. */
INLINE void take_nodes(int node[LANES], int i, int end) {
    for (int l = 0; l < LANES; ++l)
        node[l] = i + l < end ? i + l : end - 1;
}

/* A SIMD kernel over nodes. each(node, m) computes the LANES nodes in `node`; m is the method's struct, `type`. */
#define NODE_SIMD_KERNEL(type, name, each)                                                                             \
    static void run_##each(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {    \
        TAKE_ARGUMENTS(type);                                                                                          \
        (void)steps, (void)workspace;                                                                                  \
        for (int i = range.column_begin; i < range.column_end; i += LANES) {                                           \
            int node[LANES];                                                                                           \
            take_nodes(node, i, range.column_end);                                                                     \
            each(node, &m);                                                                                            \
        }                                                                                                              \
    }                                                                                                                  \
    const struct simd_kernel ROWS(name) = {.run = run_##each, .steps = 1}

/* A SIMD kernel over constraints, each of `size` particles and `reals` rest values. `runs` is the kernel's function,
 * and `type` is the method's struct. */
#define LIST_SIMD_KERNEL(type, name, runs, size, reals)                                                                \
    static void *prepare_##runs(const void *arguments, int items) {                                                    \
        TAKE_ARGUMENTS(type);                                                                                          \
        return lists_create(m.particle, m.rest, items, size, reals);                                                   \
    }                                                                                                                  \
    const struct simd_kernel ROWS(name) = {.run = (runs), .steps = 1, .prepare = prepare_##runs}

#endif
