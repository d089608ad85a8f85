/* The kernels of an iteration of constraint_enforcement.h with vectors of adjacent nodes. They are bit-identical to the
 * plain loops, because the same equations are compiled for vectors.
 *
 * A vector may begin at the end of a row and continue in the next row, as the arrays do. If a node has no neighbour in
 * a slot, its lane reads the position of another node, and the numbers of a constraint that does not exist. All these
 * numbers are +0, and the terms of the constraint change no sum that began with +0. Only vectors near the border need
 * checks: for reads before the first or after the last node, and for residuals of constraints that do not exist.
 *
 * The terms of a block of nodes are added up as soon as they are computed, so they stay in the cache. Vectors of nodes
 * without an active constraint are skipped. */
#include "method/lanes.h"

#include "base/number.h"
#include "constraint_enforcement.h"
#include "method/loops.h"
#include "method/tree_sum.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

CONSTRAINT_ENFORCEMENT_KERNELS(DECLARE_LOOPS)

enum { ALL = SPRINGS_STRUCTURAL | SPRINGS_SHEAR | SPRINGS_BEND, TWO = SPRINGS_STRUCTURAL | SPRINGS_SHEAR };
_Static_assert(TREE_SUM_BLOCK % LANES == 0, "a block is whole vectors");

/* A function that computes LANES nodes, and returns their terms of the following sum. */
typedef real some(struct grid_node at, const struct iteration *s, scalar alpha, const struct constraint_enforcement *m);

/* ---- Sums ---- */

/* Add pairs of adjacent terms, as in method/tree_sum.h; `count` is the number of terms. */
INLINE void fold_pairs(const scalar *from, scalar *to, const int count) {
    INDEPENDENT
    for (size_t k = 0; k < (size_t)count / 2; ++k)
        to[k] = from[2 * k] + from[2 * k + 1];
}

static scalar fold(const scalar share[TREE_SUM_BLOCK]) {
    scalar a[TREE_SUM_BLOCK / 2], b[TREE_SUM_BLOCK / 4];
    _Static_assert(TREE_SUM_BLOCK == 256, "seven calls of fold_pairs leave two terms");
    fold_pairs(share, a, 256);
    fold_pairs(a, b, 128);
    fold_pairs(b, a, 64);
    fold_pairs(a, b, 32);
    fold_pairs(b, a, 16);
    fold_pairs(a, b, 8);
    fold_pairs(b, a, 4);
    return a[0] + a[1];
}

/* Add up the nodes' terms in the buffer `shares`, and store the sums of the range's blocks in workspace.sums. */
static void add_up(struct simd_workspace workspace, const struct constraint_enforcement *m, struct range range) {
    if (workspace.sums)
        tree_sum_blocks(m->shares, (size_t)m->p.m.columns * (size_t)m->p.m.rows,
                        parts_of((size_t)range.column_begin, TREE_SUM_BLOCK),
                        parts_of((size_t)range.column_end, TREE_SUM_BLOCK), sizeof(scalar), workspace.sums);
}

/* For the kernels after the end of the iteration: copy the range's block sums from previous_sums to workspace.sums. */
static void keep_sums(struct simd_workspace workspace, struct range range) {
    const size_t begin = parts_of((size_t)range.column_begin, TREE_SUM_BLOCK),
                 end = parts_of((size_t)range.column_end, TREE_SUM_BLOCK);
    if (workspace.sums)
        memcpy((quad *)workspace.sums + begin, (const quad *)workspace.previous_sums + begin,
               (end - begin) * sizeof(quad));
}

/* ---- Nodes ---- */

/* Whether an iteration skips all of the LANES nodes from i on. */
INLINE bool all_sleep(int i, scalar iterations, const struct constraint_enforcement *m) {
    int k = 0;
    while (k < LANES && constraint_sleeps(constraint_has_any(i + k, m), iterations))
        ++k;
    return k == LANES;
}

/* is_at_end: whether the index of a neighbour of the LANES nodes from i on may be outside of the grid. is_at_border:
 * whether the index or the column of such a neighbour may be outside of the grid. */
INLINE bool is_at_end(int i, struct mass_spring_parameters p) {
    const int reach = 2 * p.columns + 2;
    return i < reach || i > p.columns * p.rows - reach - LANES;
}

INLINE bool is_at_border(int i, int column, struct mass_spring_parameters p) {
    return is_at_end(i, p) || column < 2 || column > p.columns - LANES - 2;
}

/* Compute the nodes `begin` to `end` - 1 of one block. The function `vectors` computes whole vectors, and the plain
 * loop the remaining nodes at the end of the list. If minds_columns, vectors at the ends of a row also need checks. If
 * `sum` is NULL, the nodes' terms are stored in the buffer `shares`; otherwise their sum is stored in *sum. */
INLINE __attribute__((always_inline)) void block(some *const vectors, const bool minds_columns,
                                                 kernel_loop *const plain, const void *arguments, int begin, int end,
                                                 quad *sum, const struct iteration *s, scalar alpha, scalar iterations,
                                                 const struct constraint_enforcement *m) {
    const struct mass_spring_parameters p = m->p.m;
    _Alignas(64) scalar share[TREE_SUM_BLOCK] = {0};
    int i = begin, row = begin / p.columns, column = begin - row * p.columns;
    for (; i + LANES <= end; i += LANES) {
        const bool checked = minds_columns ? is_at_border(i, column, p) : is_at_end(i, p);
        const struct grid_node at = {i, column, row, checked};
        struct grid_node inner = at;
        inner.checked = 0;
        if (!all_sleep(i, iterations, m))
            real_put(share, i - begin, checked ? vectors(at, s, alpha, m) : vectors(inner, s, alpha, m));
        column += LANES;
        if (column >= p.columns) {
            column -= p.columns;
            ++row;
        }
    }
    const int whole = i - begin;
    if (i < end)
        plain(arguments, (struct range){i, end, 0, 1});
    if (!sum) {
        for (int k = 0; k < whole; ++k)
            m->shares[begin + k] = (quad){share[k], 0, 0, 0};
        return;
    }
    for (; i < end; ++i)
        share[i - begin] = m->shares[i].x;
    *sum = (quad){fold(share), 0, 0, 0};
}

/* Compute a range, block by block. The caller must write the state of the iteration, which node 0 writes in the plain
 * loop. */
INLINE __attribute__((always_inline)) void each(some *const vectors, const bool minds_columns, kernel_loop *const plain,
                                                struct simd_workspace workspace, const void *arguments,
                                                struct range range, const struct iteration *s, scalar alpha,
                                                scalar iterations, const struct constraint_enforcement *m) {
    for (int b = range.column_begin / TREE_SUM_BLOCK; b * TREE_SUM_BLOCK < range.column_end; ++b) {
        const int begin = b * TREE_SUM_BLOCK, behind = begin + TREE_SUM_BLOCK;
        block(vectors, minds_columns, plain, arguments, begin, behind < range.column_end ? behind : range.column_end,
              workspace.sums ? (quad *)workspace.sums + b : NULL, s, alpha, iterations, m);
    }
}

#define DIRECTION(name, springs)                                                                                       \
    INLINE real name(struct grid_node at, const struct iteration *s, scalar alpha,                                     \
                     const struct constraint_enforcement *m) {                                                         \
        (void)alpha;                                                                                                   \
        constraint_advance(at.i, s, NULL, springs, m);                                                                 \
        return constraint_new_direction(at, s, NULL, springs, m);                                                      \
    }
DIRECTION(direction_all, ALL)
DIRECTION(direction_two, TWO)
DIRECTION(direction_some, m->p.m.springs)

#define STRIDE(name, springs)                                                                                          \
    INLINE real name(struct grid_node at, const struct iteration *s, scalar alpha,                                     \
                     const struct constraint_enforcement *m) {                                                         \
        (void)s;                                                                                                       \
        return constraint_stride(at, alpha, NULL, springs, m);                                                         \
    }
STRIDE(stride_all, ALL)
STRIDE(stride_two, TWO)
STRIDE(stride_some, m->p.m.springs)

/* ---- Kernels ---- */

/* A kernel's functions for the kinds of springs of a cloth: `all` for structural, shear and bend springs, `two` for
 * structural and shear springs, `other` for any other kinds. */
struct node_functions {
    some *all, *two, *other;
};

/* Compute a range with vectors. The plain loop runs instead if a row is shorter than a vector, or if the iteration has
 * ended (has_ended). If has_ended, the previous sums are also copied. Returns whether the caller must write the state
 * of the iteration, which node 0 writes in the plain loop. */
INLINE __attribute__((always_inline)) bool run(const struct node_functions functions, const bool minds_columns,
                                               kernel_loop *const plain, struct simd_workspace workspace,
                                               const void *arguments, struct range range, bool has_ended,
                                               const struct iteration *s, scalar alpha, scalar iterations,
                                               const struct constraint_enforcement *m) {
    if (has_ended || m->p.m.columns < LANES) {
        plain(arguments, range);
        if (has_ended)
            keep_sums(workspace, range);
        else
            add_up(workspace, m, range);
        return false;
    }
    if (m->p.m.springs == ALL)
        each(functions.all, minds_columns, plain, workspace, arguments, range, s, alpha, iterations, m);
    else if (m->p.m.springs == TWO)
        each(functions.two, minds_columns, plain, workspace, arguments, range, s, alpha, iterations, m);
    else
        each(functions.other, minds_columns, plain, workspace, arguments, range, s, alpha, iterations, m);
    return range.column_begin == 0;
}

static void direction(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {
    (void)steps;
    TAKE_ARGUMENTS(constraint_enforcement);
    const struct iteration s = iteration_of(*m.total, standing_at(m.progress), &m);
    if (run((struct node_functions){direction_all, direction_two, direction_some}, false,
            LOOP(constraint_enforcement_direction), workspace, arguments, range, s.has_ended, &s, 0, s.count, &m))
        iteration_head(&s, &m);
}

static void stride(struct simd_workspace workspace, const void *arguments, int steps, struct range range) {
    (void)steps;
    TAKE_ARGUMENTS(constraint_enforcement);
    const scalar alpha = stride_of(*m.total, standing_at(m.heading));
    if (run((struct node_functions){stride_all, stride_two, stride_some}, true, LOOP(constraint_enforcement_stride),
            workspace, arguments, range, m.heading[1].z != 0, NULL, alpha, m.heading[1].x, &m))
        iteration_stride(alpha, &m);
}

const struct simd_kernel ROWS(constraint_enforcement_direction_lanes) = {
    .run = direction, .steps = 1, .computes_sums = true};
const struct simd_kernel ROWS(constraint_enforcement_stride_lanes) = {.run = stride, .steps = 1, .computes_sums = true};
