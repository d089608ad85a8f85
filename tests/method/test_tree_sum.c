/* Sums by the fixed tree are bit-identical, however threads divide the blocks. */
#include "method/tree_sum.h"
#include "subject.h"

#define DEFINE_REFERENCE(real)                                                                                         \
    static bool is_same_##real(real a, real b) { /* equal, and +0 is not equal to -0 */                                \
        return a == b && !signbit(a) == !signbit(b);                                                                   \
    }                                                                                                                  \
                                                                                                                       \
    /* The sum of component c of the quads `begin` to `begin` + `size` - 1; `size` is a power of two. */               \
    static real reference_##real(const real(*quads)[4], size_t count, size_t begin, size_t size, int c) {              \
        if (begin >= count)                                                                                            \
            return 0;                                                                                                  \
        if (size == 1)                                                                                                 \
            return quads[begin][c];                                                                                    \
        return reference_##real(quads, count, begin, size / 2, c) +                                                    \
               reference_##real(quads, count, begin + size / 2, size / 2, c);                                          \
    }                                                                                                                  \
    static void check_##real(size_t count, unsigned *seed) {                                                           \
        real(*quads)[4] = memory_new(count, sizeof *quads), sum[4], folded[4];                                         \
        const size_t blocks = (count + TREE_SUM_BLOCK - 1) / TREE_SUM_BLOCK;                                           \
        real(*workspace)[4] = memory_new(count / TREE_SUM_BLOCK + 1, sizeof *workspace);                               \
        real(*sums)[4] = memory_new(blocks, sizeof *sums);                                                             \
        size_t size = 1;                                                                                               \
        for (size_t k = 0; k < 4 * count; ++k) /* magnitudes differ, so each order of addition rounds differently */   \
            quads[k / 4][k % 4] = (real)(subject_random(seed) * exp(8 * subject_random(seed)));                        \
        while (size < count)                                                                                           \
            size *= 2;                                                                                                 \
        tree_sum(quads, count, sizeof(real), workspace, sum);                                                          \
        for (size_t b = 0; b < blocks;) { /* groups of one to three blocks, as threads compute them */                 \
            const size_t end = b + 1 + b % 3 < blocks ? b + 1 + b % 3 : blocks;                                        \
            tree_sum_blocks(quads, count, b, end, sizeof(real), sums);                                                 \
            b = end;                                                                                                   \
        }                                                                                                              \
        tree_sum(sums, blocks, sizeof(real), workspace, folded);                                                       \
        for (int c = 0; c < 4; ++c) {                                                                                  \
            const real expected = reference_##real((const real(*)[4])quads, count, 0, size, c) + 0;                    \
            cr_assert_eq(is_same_##real(sum[c], expected), true, "%zu: %g, not %g", count, (double)sum[c],             \
                         (double)expected);                                                                            \
            cr_assert_eq(is_same_##real(folded[c], expected), true, "%zu by blocks", count);                           \
        }                                                                                                              \
        free(quads);                                                                                                   \
        free(workspace);                                                                                               \
        free(sums);                                                                                                    \
    }
DEFINE_REFERENCE(float)
DEFINE_REFERENCE(double)

Test(tree_sum, any_count_is_the_sum_of_two_halves) {
    unsigned seed = 17;
    for (size_t count = 1; count <= 1100; ++count)
        check_float(count, &seed);
    for (size_t count = 1; count <= 5000; count += count % 256 == 255 || count % 256 == 0 ? 1 : 23)
        check_double(count, &seed);
}

/* More than TREE_SUM_BLOCK^2 = 65,536 quads need three levels of blocks. */
Test(tree_sum, beyond_the_square_of_a_block) {
    unsigned seed = 19;
    check_float(65536, &seed);
    check_float(65537, &seed);
    check_double(200000, &seed);
}

/* A result of -0 becomes +0 (tree_sum.h). So the sum of numbers that are all -0 is +0. */
Test(tree_sum, a_sum_of_negative_zeros_is_zero) {
    static const size_t counts[] = {1, 2, 255, 256, 257, 512, 513};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
        float(*quads)[4] = memory_new(counts[k], sizeof *quads), workspace[8][4], sum[4];
        for (size_t q = 0; q < 4 * counts[k]; ++q)
            quads[q / 4][q % 4] = -0.0f;
        tree_sum(quads, counts[k], sizeof(float), workspace, sum);
        for (int c = 0; c < 4; ++c)
            cr_expect(sum[c] == 0 && !signbit(sum[c]), "%zu", counts[k]);
        free(quads);
    }
}

Test(tree_sum, each_component_is_for_itself) {
    double quads[300][4], workspace[4][4], sum[4];
    for (int k = 0; k < 300; ++k)
        for (int c = 0; c < 4; ++c)
            quads[k][c] = c == 3 ? (double)NAN : pow(10, c);
    tree_sum(quads, 300, sizeof(double), workspace, sum);
    cr_expect(sum[0] == 300 && sum[1] == 3000 && sum[2] == 30000 && isnan(sum[3]));
}
