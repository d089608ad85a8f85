/* Sums by one fixed tree, the same on every backend. The sum of an aligned block of 2^k quads is the sum of its two
 * halves. Missing quads at the end count as +0, and a result of -0 becomes +0. Backends may divide the tree at any
 * power of two: each thread adds up blocks, and each work group of a device adds up its own items. The order of the
 * additions is the same. */
#ifndef SPRINGBACK_METHOD_TREE_SUM_H
#define SPRINGBACK_METHOD_TREE_SUM_H

#include <stddef.h>

enum { TREE_SUM_BLOCK = 256 };

/* The sums of aligned blocks `begin` to `end` - 1 of an array of `items` quads of 4- or 8-byte reals, component by
 * component. The sum of block b is stored in sums[b]. */
void tree_sum_blocks(const void *quads, size_t items, size_t begin, size_t end, int real_size, void *sums);

/* Store the sum of `count` quads in `out`, which has space for one quad. The quads may be the sums of blocks. `scratch`
 * must have space for count / TREE_SUM_BLOCK + 1 quads. */
void tree_sum(const void *quads, size_t count, int real_size, void *scratch, void *out);

#endif
