/* Sums by one fixed tree, on every backend: the sum of an aligned run of 2^k quads is that of its two halves. What is
 * missing at the end counts as +0, and a sum of -0 is +0, so that it does not matter at which power of two a backend
 * cuts: threads fold blocks, a device's work groups fold their own items, in the same order of additions. */
#ifndef SPRINGBACK_METHOD_TREE_SUM_H
#define SPRINGBACK_METHOD_TREE_SUM_H

#include <stddef.h>

enum { TREE_SUM_BLOCK = 256 };

/* The sums of aligned blocks `begin` to `end` - 1 of an array of `items` quads of 4- or 8-byte reals, component by
 * component: block b's goes to sums[b]. */
void tree_sum_blocks(const void *quads, size_t items, size_t begin, size_t end, int real_size, void *sums);

/* The sum of `count` quads, which may themselves be the sums of blocks, into out[1]. `scratch` holds one quad
 * more than count / TREE_SUM_BLOCK. */
void tree_sum(const void *quads, size_t count, int real_size, void *scratch, void *out);

#endif
