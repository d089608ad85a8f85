/* Sizes of launches. */
#ifndef SPRINGBACK_BACKEND_LAUNCH_H
#define SPRINGBACK_BACKEND_LAUNCH_H

#include <stddef.h>

/* The smallest multiple of `unit` that is not below `number`. */
static inline size_t launch_round_up(size_t number, size_t unit) {
    return (number + unit - 1) / unit * unit;
}

/* The largest power of two up to both. */
static inline size_t launch_power(size_t most, size_t limit) {
    size_t size = 1;
    while (2 * size <= most && 2 * size <= limit)
        size *= 2;
    return size;
}

/* How many of `count` quads each of a group's work items takes to add up: up to 8, as kernels/frame.h has it. */
static inline unsigned launch_take(size_t count, size_t group) {
    unsigned take = 1;
    while (take < 8 && take * group < count)
        take *= 2;
    return take;
}

#endif
