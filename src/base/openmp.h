/* OpenMP, or one thread in a build without it. */
#ifndef SPRINGBACK_BASE_OPENMP_H
#define SPRINGBACK_BASE_OPENMP_H

#ifdef _OPENMP
#include <omp.h> // IWYU pragma: export
#else
static inline int omp_get_max_threads(void) {
    return 1;
}
static inline int omp_get_num_procs(void) {
    return 1;
}
static inline int omp_get_num_threads(void) {
    return 1;
}
static inline int omp_get_thread_num(void) {
    return 0;
}
#endif

#endif
