/* Vectors of three doubles, on the host. */
#ifndef SPRINGBACK_BASE_VECTOR_H
#define SPRINGBACK_BASE_VECTOR_H

static inline double vector_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void vector_minus(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; ++k)
        out[k] = a[k] - b[k];
}

static inline void vector_cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

#endif
