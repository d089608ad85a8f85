#include "method/tree_sum.h"

#include "base/number.h"

#include <string.h>

/* Add up one block: first pairs of adjacent quads, then pairs of their sums, and so on. */
#define DEFINE_TREE_SUM(real)                                                                                          \
    static void block_##real(const real(*quads)[4], size_t count, real out[4]) {                                       \
        real scratch[TREE_SUM_BLOCK][4];                                                                               \
        size_t padded = TREE_SUM_BLOCK;                                                                                \
        memcpy(scratch, quads, count * sizeof *scratch);                                                               \
        memset(scratch[count], 0, (padded - count) * sizeof *scratch);                                                 \
        for (; padded > 1; padded /= 2)                                                                                \
            for (size_t k = 0; k < padded / 2; ++k)                                                                    \
                for (int c = 0; c < 4; ++c)                                                                            \
                    scratch[k][c] = scratch[2 * k][c] + scratch[2 * k + 1][c];                                         \
        for (int c = 0; c < 4; ++c)                                                                                    \
            out[c] = scratch[0][c];                                                                                    \
    }                                                                                                                  \
    static void blocks_##real(const real(*quads)[4], size_t items, size_t begin, size_t end, real(*sums)[4]) {         \
        for (size_t b = begin; b < end; ++b) {                                                                         \
            const size_t first = b * TREE_SUM_BLOCK, left = items - first;                                             \
            block_##real(quads + first, left < TREE_SUM_BLOCK ? left : TREE_SUM_BLOCK, sums[b]);                       \
        }                                                                                                              \
    }                                                                                                                  \
    static void sum_##real(const real(*quads)[4], size_t count, real(*scratch)[4], real out[4]) {                      \
        while (count > TREE_SUM_BLOCK) { /* a sum overwrites only items of `scratch` that were read */                 \
            const size_t blocks = parts_of(count, TREE_SUM_BLOCK);                                                     \
            blocks_##real(quads, count, 0, blocks, scratch);                                                           \
            quads = (const real(*)[4])scratch;                                                                         \
            count = blocks;                                                                                            \
        }                                                                                                              \
        block_##real(quads, count, out);                                                                               \
        for (int c = 0; c < 4; ++c)                                                                                    \
            out[c] = out[c] + 0;                                                                                       \
    }
DEFINE_TREE_SUM(float)
DEFINE_TREE_SUM(double)

void tree_sum_blocks(const void *quads, size_t items, size_t begin, size_t end, int real_size, void *sums) {
    if (real_size == sizeof(float))
        blocks_float(quads, items, begin, end, sums);
    else
        blocks_double(quads, items, begin, end, sums);
}

void tree_sum(const void *quads, size_t count, int real_size, void *scratch, void *out) {
    if (real_size == sizeof(float))
        sum_float(quads, count, scratch, out);
    else
        sum_double(quads, count, scratch, out);
}
