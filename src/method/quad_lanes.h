/* Functions that convert the quads of LANES nodes to vectors of x, y, z and w, and back. They load or store each quad
 * as a whole and exchange elements by shuffles, which is much faster than the processors' gather instructions for
 * single reals. */
#ifndef SPRINGBACK_METHOD_QUAD_LANES_H
#define SPRINGBACK_METHOD_QUAD_LANES_H

#include "method/lanes.h"

#include "dialect.h"

#if LANES == 16
#include <immintrin.h>
#endif
#include <stddef.h>
#include <string.h>

typedef scalar four __attribute__((vector_size(4 * sizeof(scalar)), may_alias));

struct quads {
    vec3 xyz;
    real w;
};

/* LANES consecutive reals. */
INLINE real reals_at(const scalar *from) {
    real a;
    memcpy(&a, from, sizeof a); // NOLINT(clang-analyzer-core.NonNullParamChecker): `from` has LANES elements
    return a;
}

INLINE void reals_put(scalar *to, real a) {
    memcpy(to, &a, sizeof a);
}

/* Used before a scatter to the addresses of a gather. The compiler then reads the offsets again from memory. Otherwise
 * it would store offsets on the stack if they do not fit into registers. */
#define FORGET_PLACES __asm__ volatile("" ::: "memory")

/* `unit` is the size of the units that index i counts, in bytes: sizeof(quad), or 1 if i is an offset in bytes. Offsets
 * in bytes save a shift, because processors multiply an index by at most 8. */
#define QUAD_AT(from, i) (*(const four *)((const char *)(from) + (ptrdiff_t)(i)*unit))
#define QUAD_TO(to, i)   (*(four *)((char *)(to) + (ptrdiff_t)(i)*unit))

#if LANES == 2
/* With LANES 2, one quad fills two vectors. The quads of two nodes are read, and transposed. */
INLINE struct quads quads_gather_by(const quad *from, const int *index, const int unit) {
    const four a = QUAD_AT(from, index[0]), b = QUAD_AT(from, index[1]);
    struct quads q;
    q.xyz.x = __builtin_shufflevector(a, b, 0, 4);
    q.xyz.y = __builtin_shufflevector(a, b, 1, 5);
    q.xyz.z = __builtin_shufflevector(a, b, 2, 6);
    q.w = __builtin_shufflevector(a, b, 3, 7);
    return q;
}

INLINE void quads_scatter_by(quad *to, const int *index, vec3 a, real w, const int unit) {
    const four xy = __builtin_shufflevector(a.x, a.y, 0, 2, 1, 3), zw = __builtin_shufflevector(a.z, w, 0, 2, 1, 3);
    QUAD_TO(to, index[0]) = __builtin_shufflevector(xy, zw, 0, 1, 4, 5);
    QUAD_TO(to, index[1]) = __builtin_shufflevector(xy, zw, 2, 3, 6, 7);
}
#else
/* LOW and HIGH work on each block of four elements of two vectors. LOW interleaves the first two elements of a block,
 * HIGH the last two. */
#if LANES == 4
#define LOW(a, b)    __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH(a, b)   __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define BLOCKS(q, k) (q)[k]
#define BLOCK(r, b)  (r)
#elif LANES == 8
#define LOW(a, b)    __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH(a, b)   __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define BLOCKS(q, k) __builtin_shufflevector((q)[k], (q)[(k) + 4], 0, 1, 2, 3, 4, 5, 6, 7)
#define BLOCK(r, b)  ((b) ? __builtin_shufflevector(r, r, 4, 5, 6, 7) : __builtin_shufflevector(r, r, 0, 1, 2, 3))
#else
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define HIGH(a, b) __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
/* Intrinsics that insert a block into a vector or extract it. With shuffles in place of these intrinsics, gcc 12
 * generates twice as many instructions. */
#define BLOCKS(q, k)                                                                                                   \
    (real) _mm512_insertf32x4(                                                                                         \
        _mm512_insertf32x4(_mm512_insertf32x4(_mm512_castps128_ps512((__m128)(q)[k]), (__m128)(q)[(k) + 4], 1),        \
                           (__m128)(q)[(k) + 8], 2),                                                                   \
        (__m128)(q)[(k) + 12], 3)
#define BLOCK_AT(r, b) (four) _mm512_extractf32x4_ps((__m512)(r), b)
#define BLOCK(r, b)    /* the intrinsic needs a constant b even without optimisation */                                \
    ((b) == 0 ? BLOCK_AT(r, 0) : (b) == 1 ? BLOCK_AT(r, 1) : (b) == 2 ? BLOCK_AT(r, 2) : BLOCK_AT(r, 3))
#endif

/* Transposes blocks of four by four; this function is its own inverse. */
INLINE struct quads transposed(real a, real b, real c, real d) {
    const real ac = LOW(a, c), bd = LOW(b, d), ac_high = HIGH(a, c), bd_high = HIGH(b, d);
    struct quads q;
    q.xyz.x = LOW(ac, bd);
    q.xyz.y = HIGH(ac, bd);
    q.xyz.z = LOW(ac_high, bd_high);
    q.w = HIGH(ac_high, bd_high);
    return q;
}

/* Quads of the nodes in `index`, [LANES]. */
INLINE struct quads quads_gather_by(const quad *from, const int *index, const int unit) {
    four q[LANES];
    UNROLLED
    for (int k = 0; k < LANES; ++k)
        q[k] = QUAD_AT(from, index[k]);
    return transposed(BLOCKS(q, 0), BLOCKS(q, 1), BLOCKS(q, 2), BLOCKS(q, 3));
}

INLINE void quads_scatter_by(quad *to, const int *index, vec3 a, real w, const int unit) {
    const struct quads q = transposed(a.x, a.y, a.z, w);
    UNROLLED
    for (int k = 0; k < LANES; k += 4) {
        QUAD_TO(to, index[k]) = BLOCK(q.xyz.x, k / 4);
        QUAD_TO(to, index[k + 1]) = BLOCK(q.xyz.y, k / 4);
        QUAD_TO(to, index[k + 2]) = BLOCK(q.xyz.z, k / 4);
        QUAD_TO(to, index[k + 3]) = BLOCK(q.w, k / 4);
    }
}
#endif

INLINE struct quads quads_gather(const quad *from, const int *index) {
    return quads_gather_by(from, index, sizeof(quad));
}

INLINE void quads_scatter(quad *to, const int *index, vec3 a, real w) {
    quads_scatter_by(to, index, a, w, sizeof(quad));
}

/* quads_gather and quads_scatter by offsets in bytes, [LANES], instead of indices. */
INLINE struct quads quads_gather_at(const quad *from, const int *place) {
    return quads_gather_by(from, place, 1);
}

INLINE void quads_scatter_at(quad *to, const int *place, vec3 a, real w) {
    quads_scatter_by(to, place, a, w, 1);
}

#endif
