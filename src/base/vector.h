/* Vectors of three doubles on the host. */
#ifndef SPRINGBACK_BASE_VECTOR_H
#define SPRINGBACK_BASE_VECTOR_H

#include <math.h>
#include <stdbool.h>

static inline double vector_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double vector_length(const double a[3]) {
    return sqrt(vector_dot(a, a));
}

static inline void vector_minus(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; ++k)
        out[k] = a[k] - b[k];
}

static inline void vector_cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* The cross product of the edges from a to b and from a to c: the normal of a triangle, with a length of twice its
 * area. */
static inline void vector_normal(const double a[3], const double b[3], const double c[3], double out[3]) {
    double side[2][3];
    vector_minus(b, a, side[0]);
    vector_minus(c, a, side[1]);
    vector_cross(side[0], side[1], out);
}

static inline double vector_area(const double a[3], const double b[3], const double c[3]) {
    double normal[3];
    vector_normal(a, b, c, normal);
    return vector_length(normal) / 2;
}

/* vector_square is the squared distance of two points, and vector_distance their distance. */
static inline double vector_square(const double a[3], const double b[3]) {
    double between[3];
    vector_minus(a, b, between);
    return vector_dot(between, between);
}

static inline double vector_distance(const double a[3], const double b[3]) {
    return sqrt(vector_square(a, b));
}

/* Scale a vector to length 1. Returns false if its length is 0 or not finite; the vector is then not usable. */
static inline bool vector_normalise(double a[3]) {
    const double length = vector_length(a);
    for (int k = 0; k < 3; ++k)
        a[k] /= length;
    return length > 0 && isfinite(length);
}

#endif
