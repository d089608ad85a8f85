/* Common names for types and keywords that C and OpenCL C name differently. With these names each equation is written
 * only once.
 *
 * REAL_IS_float or REAL_IS_double must be defined before this header is included. In C, LANES may also be defined. Then
 * a `real` is a vector of LANES elements, and each equation computes all elements; a `scalar` is one number for all
 * elements. Kernels compute reals only by + - * /, which every bit-exact device rounds correctly. Kernels use no fused
 * operations and no fast variants, for the reason in docs/bits.md. */
#ifndef SPRINGBACK_KERNELS_DIALECT_H
#define SPRINGBACK_KERNELS_DIALECT_H

#ifdef REAL_IS_double
#define REAL double
#else
#define REAL float
#endif

#ifdef __OPENCL_VERSION__
#pragma OPENCL FP_CONTRACT OFF
#ifdef REAL_IS_double
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double4 quad;
typedef double2 pair;
#else
typedef float4 quad;
typedef float2 pair;
#endif
typedef REAL scalar;
typedef REAL real;
#define GLOBAL __global
#ifndef FRAME_SPACE /* address space of BUFFER_FRAME buffers (method/program.h); __local if they fit into local        \
                       memory */
#define FRAME_SPACE __global
#endif
#ifndef SPARE_SPACE /* address space of BUFFER_SPARE buffers; __local if they also fit into local memory */
#define SPARE_SPACE __global
#endif
/* A share is an item's term of a sum. SHARE_OF is the share of item i. If SUMS_ARE_FUSED is defined, each launch that
 * writes shares also begins to add them up. A work item's share is then in private memory, and is not stored. */
#ifdef SUMS_ARE_FUSED
#define SHARE_SPACE         __private
#define SHARE_OF(shares, i) (*(shares))
#else
#define SHARE_SPACE __global
#endif
/* ITEM is the index of the item, such as a node, that a work item computes. Functions of list programs
 * (method/program.h) do not use ITEM. If GRID_COLUMNS is defined, the items are the nodes of a grid with GRID_COLUMNS
 * columns, a multiple of TILE_COLUMNS. A work group then computes a tile of TILE_COLUMNS columns and TILE_ROWS rows. */
#ifdef GRID_COLUMNS
#define TILES_OF_ROW (GRID_COLUMNS / TILE_COLUMNS)
#define ITEM_ROW     (TILE_ROWS * ((uint)get_group_id(0) / TILES_OF_ROW) + (uint)get_local_id(0) / TILE_COLUMNS)
#define ITEM_COLUMN  (TILE_COLUMNS * ((uint)get_group_id(0) % TILES_OF_ROW) + (uint)get_local_id(0) % TILE_COLUMNS)
#define ITEM         (int)(GRID_COLUMNS * ITEM_ROW + ITEM_COLUMN)
#else
#define ITEM (int)get_global_id(0)
#endif
#ifndef STATE_SPACE /* address space of state buffers (program.state_count); __local if they are in local memory */
#define STATE_SPACE __global
#endif
/* WORK_COLUMN, WORK_ROW: the column and row of a work item's node in a grid. In an ensemble (LIST_PROGRAM) they come
 * from the caller's variable `item`, otherwise from the global ids. */
#ifdef LIST_PROGRAM /* IS_LIST_PROGRAM: whether the kernel's function is called only by work items that have an item */
#define IS_LIST_PROGRAM      1
#define WORK_COLUMN(columns) (item % (columns))
#define WORK_ROW(columns)    (item / (columns))
#else
#define IS_LIST_PROGRAM      0
#define WORK_COLUMN(columns) (int)get_global_id(0)
#define WORK_ROW(columns)    (int)get_global_id(1)
#endif
#ifdef FRAME /* in a frame kernel each work item runs a whole frame; without WARPS it has its own copy of each total */
#define TOTAL frame_total
#ifdef WARPS /* each warp adds up the groups' sums itself when it needs them */
typedef struct {
    __global const quad *sums;
    uint groups;
} frame_total;
typedef struct {
    quad sums[4]; /* the groups' sums that this lane has read */
} prefetched_total;
static inline prefetched_total prefetch_groups(const frame_total total);
static inline quad reduce_groups(prefetched_total prefetched);
#define TOTAL_PREFETCH(t)      prefetch_groups(t)
#define TOTAL_OF_PREFETCHED(t) reduce_groups(t)
#else
typedef __private const quad *frame_total;
typedef frame_total prefetched_total;
#endif
#else
#define TOTAL __global const quad *
typedef TOTAL prefetched_total;
#endif
#define CONSTANT __constant
#define UNROLLED _Pragma("unroll")
#define VECTOR   UNROLLED /* a loop of four iterations, which a CPU computes as one vector */
#define INLINE   static inline __attribute__((always_inline)) /* is inlined before its loops are unrolled */
#ifdef REAL_IS_double
typedef long word; /* an integer as wide as a real */
#define WORD_OF(x) as_long(x)
#define REAL_OF(i) as_double(i)
#else
typedef int word;
#define WORD_OF(x) as_int(x)
#define REAL_OF(i) as_float(i)
#endif
#else
#include <stdint.h>
typedef REAL scalar;
#ifdef REAL_IS_double
typedef int64_t scalar_word;
#else
typedef int32_t scalar_word;
#endif
#ifdef LANES
typedef scalar real __attribute__((vector_size(LANES * sizeof(scalar))));
typedef scalar_word word __attribute__((vector_size(LANES * sizeof(scalar))));
#else
typedef scalar real;
typedef scalar_word word;
#endif
typedef struct {
    _Alignas(4 * sizeof(scalar)) scalar x;
    scalar y, z, w;
} quad; /* same layout as float4 and double4 */
#define GLOBAL
#define SHARE_SPACE
#define FRAME_SPACE
#define SPARE_SPACE
#define STATE_SPACE
#define TOTAL    const quad *
typedef TOTAL prefetched_total;
#define CONSTANT static
#ifdef __clang__
#define UNROLLED _Pragma("unroll")
#define VECTOR   _Pragma("clang loop vectorize(enable)")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#define VECTOR   _Pragma("GCC ivdep")
#endif
#ifdef LANES /* passing many vectors to a function costs more than the function itself */
#define INLINE static inline __attribute__((unused, always_inline))
#else
#define INLINE static inline __attribute__((unused))
#endif

/* The bits of a real as an integer, and back. */
#ifdef LANES
#define WORD_OF(x) ((word)(x))
#define REAL_OF(i) ((real)(i))
#else
INLINE word WORD_OF(real x) {
    return ((union {
               real x;
               word i;
           }){.x = x})
        .i;
}

INLINE real REAL_OF(word i) {
    return ((union {
               word i;
               real x;
           }){.i = i})
        .x;
}
#endif
#endif

#ifndef SHARE_OF
#define SHARE_OF(shares, i) (shares)[i]
#endif

#ifdef FRAME_CACHES_CONSTRAINTS /* a lane reads a constraint's data once, and keeps them for all iterations */
#define FRAME_IS_CACHED 1
#else
#define FRAME_IS_CACHED 0
#endif

/* TOTAL_OF reads the result of a sum. A kernel can also call the two macros of which TOTAL_OF consists, and do other
 * work between the two calls: TOTAL_PREFETCH starts the reads, and TOTAL_OF_PREFETCHED computes the result. */
#ifndef TOTAL_PREFETCH
#define TOTAL_PREFETCH(t)      (t)
#define TOTAL_OF_PREFETCHED(t) (*(t))
#endif
#define TOTAL_OF(t) TOTAL_OF_PREFETCHED(TOTAL_PREFETCH(t))

/* These macros make the code for one element and for a vector the same. EVERYWHERE: a scalar as a real. WHERE: x if the
 * condition is true, else +0. EITHER: a if the condition is true, else b. ANY: whether the condition is true, for a
 * vector in at least one lane. A branch on ANY skips work that no lane needs. */
#ifdef LANES
#define EVERYWHERE(x)           ((scalar)(x) - (real){0})
#define WHERE(condition, x)     REAL_OF(WORD_OF(x) & (condition))
#define EITHER(condition, a, b) REAL_OF((WORD_OF(a) & (condition)) | (WORD_OF(b) & ~(condition)))
INLINE int ANY(word condition) {
    scalar_word some = 0;
    for (int k = 0; k < LANES; ++k)
        some |= condition[k];
    return some != 0;
}
#else
#define EVERYWHERE(x)           (x)
#define WHERE(condition, x)     ((condition) ? (x) : 0)
#define EITHER(condition, a, b) ((condition) ? (a) : (b))
#define ANY(condition)          (condition)
#endif

/* WORTH(condition): the condition of a branch around work that has no effect if `condition` is false. In C, WORTH is
 * ANY(condition), so the branch skips work that no lane needs. On a device WORTH is 1, because the device's compiler
 * interleaves the work of several elements only if there is no branch. If the nodes are ORDERED (mass_spring.h), WORTH
 * is also ANY(condition) on a device. */
#if defined __OPENCL_VERSION__ && !defined ORDERED
#define WORTH(condition) 1
#else
#define WORTH(condition) ANY(condition)
#endif

typedef struct {
    real x, y, z;
} vec3;

INLINE vec3 vec3_of(real x, real y, real z) {
    vec3 a;
    a.x = x;
    a.y = y;
    a.z = z;
    return a;
}

INLINE vec3 add(vec3 a, vec3 b) {
    return vec3_of(a.x + b.x, a.y + b.y, a.z + b.z);
}

INLINE vec3 subtract(vec3 a, vec3 b) {
    return vec3_of(a.x - b.x, a.y - b.y, a.z - b.z);
}

INLINE vec3 scale(real s, vec3 a) {
    return vec3_of(s * a.x, s * a.y, s * a.z);
}

INLINE real inner(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

INLINE vec3 outer(vec3 a, vec3 b) {
    return vec3_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

INLINE vec3 vec3_everywhere(scalar x, scalar y, scalar z) {
    return vec3_of(EVERYWHERE(x), EVERYWHERE(y), EVERYWHERE(z));
}

INLINE vec3 vec3_where(word condition, vec3 a) {
    return vec3_of(WHERE(condition, a.x), WHERE(condition, a.y), WHERE(condition, a.z));
}

INLINE vec3 vec3_either(word condition, vec3 a, vec3 b) {
    return vec3_of(EITHER(condition, a.x, b.x), EITHER(condition, a.y, b.y), EITHER(condition, a.z, b.z));
}

#ifndef LANES
INLINE vec3 xyz(quad a) {
    return vec3_of(a.x, a.y, a.z);
}

INLINE quad quad_of(vec3 a, real w) {
    quad b;
    b.x = a.x;
    b.y = a.y;
    b.z = a.z;
    b.w = w;
    return b;
}
#endif

/* Start to load a cache line of global memory into the L2 cache of an NVIDIA GPU. On an H100 this saves 2 % of the time
 * of an ensemble of 1,024 Bunnies (backend/opencl/frame_source.c). It saves 9 % of the time of two steps of a large
 * cloth (mass_spring_strips.h). */
#ifdef __NV_CL_C_VERSION
#define PREFETCH_LINE(at) asm volatile("prefetch.global.L2 [%0];" ::"l"((ulong)(at)))
#else
#define PREFETCH_LINE(at) ((void)(at))
#endif

#if !defined LANES && !defined REAL_IS_double
/* *sum += x, atomically, as in va2023, section IV. A compare-and-exchange of the float's bits is repeated until no
 * other work item has changed the bits in between. The order of additions depends on timing, and so do the last bits of
 * the sum. */
#ifdef __OPENCL_VERSION__
INLINE void atomic_add_real(volatile GLOBAL real *sum, real x) {
    volatile GLOBAL int *bits = (volatile GLOBAL int *)sum;
    int seen = *bits, expected;
    do {
        expected = seen;
        seen = atomic_cmpxchg(bits, expected, WORD_OF(REAL_OF(expected) + x));
    } while (seen != expected);
}

/* *sum += x. On NVIDIA's devices this function uses their own atomic addition of floats, for which OpenCL C 1.2 has no
 * name. On other devices it is atomic_add_real. va2022, section 6, uses "floating point atomic operation, which is
 * provided by the NVIDIA GPU". */
#ifdef __NV_CL_C_VERSION
INLINE void atomic_add_own(volatile GLOBAL real *sum, real x) {
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"((ulong)sum), "f"(x) : "memory");
}
#else
#define atomic_add_own atomic_add_real
#endif
#else
INLINE void atomic_add_real(volatile GLOBAL real *sum, real x) {
    volatile word *bits = (volatile word *)sum;
    word seen = __atomic_load_n(bits, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(bits, &seen, WORD_OF(REAL_OF(seen) + x), 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}
#define atomic_add_own atomic_add_real
#endif
#endif

/* 1 / sqrt(x) for a normal x > 0, within 1.5 units in the last place. For 0 the result is large but finite. For any
 * other x the result is NaN or an arbitrary number.
 *
 * On a GPU a correctly rounded root and division cost more than the rest of a spring. The GPU's own inverse root is not
 * bit-identical to that of other devices.
 *
 * Halving the exponent as an integer gives a first value y with a relative error of at most 3.5 %. Multiplying y by a
 * fitted linear function of x y^2 reduces the error to 6.5e-4 (J. Kadlec, 2010). With r = 1 - x y^2, the exact result
 * is y (1 - r)^(-1/2), whose series begins with y (1 + r/2 + 3/8 r^2). One step with this series leaves a relative
 * error of 7e-10. Two steps leave an error too small for a double. */
INLINE real inverse_root(real x) {
#ifdef REAL_IS_double
    real y = REAL_OF(0x5FE3FFFF20000000 - (WORD_OF(x) >> 1));
#else
    real y = REAL_OF(0x5F1FFFF9 - (WORD_OF(x) >> 1));
#endif
    y = (scalar)0.703952253 * y * ((scalar)2.38924456 - x * y * y);
    real r = (scalar)1 - x * y * y;
    y = y + y * r * ((scalar)0.5 + (scalar)0.375 * r);
#ifdef REAL_IS_double
    r = (scalar)1 - x * y * y;
    y = y + y * r * ((scalar)0.5 + (scalar)0.375 * r);
#endif
    return y;
}

/* 1 / x for a normal x > 0, within 5 units in the last place. On a GPU a division costs more than the rest of a
 * constraint. */
INLINE real reciprocal(real x) {
    const real root = inverse_root(x);
    return root * root;
}

#endif
