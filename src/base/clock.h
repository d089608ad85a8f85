/* Elapsed time. */
#ifndef SPRINGBACK_BASE_CLOCK_H
#define SPRINGBACK_BASE_CLOCK_H

#include <time.h>

/* Seconds since an unspecified moment, from a monotonic clock. */
static inline double clock_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif
