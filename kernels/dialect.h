/* What the C compiler and the OpenCL C compiler call by different names, so that an equation stands once.
 *
 * The includer chooses the precision: REAL_IS_float or REAL_IS_double. Kernels use only + - * / and ROOT, which are
 * correctly rounded everywhere; no fused operations, no fast variants (docs/bits.md says why). */
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
#else
typedef float4 quad;
#endif
typedef REAL real;
#define GLOBAL   __global
#define CONSTANT __constant
#define UNROLLED _Pragma("unroll")
#define INLINE   static inline
#define ROOT(x)  sqrt(x)
#else
#include <math.h>
typedef REAL real;
typedef struct {
    _Alignas(4 * sizeof(real)) real x;
    real y, z, w;
} quad; /* the host's twin of float4 and double4 */
#define GLOBAL
#define CONSTANT static
#ifdef __clang__
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif
#define INLINE static inline __attribute__((unused))
#ifdef REAL_IS_double
#define ROOT(x) sqrt(x)
#else
#define ROOT(x) sqrtf(x)
#endif
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
