#include "base/percentile.h"

#include "base/memory.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The result is found digit by digit (radix selection). A digit is a group of neighbouring bits of a value. The group
 * has MANY_BITS bits if more than MANY values are left, otherwise FEW_BITS bits. */
enum { FEW_BITS = 8, MANY_BITS = 16, MANY = 1 << MANY_BITS };

/* The `digit_bits` bits of a value from bit `shift` on. Values >= 0 have the same order as their bits, read as whole
 * numbers. */
static size_t digit_of(double value, int shift, int digit_bits) {
    const double positive = fabs(value);
    uint64_t bits;
    memcpy(&bits, &positive, sizeof bits);
    return (size_t)(bits >> shift) % ((size_t)1 << digit_bits);
}

/* For each digit, from the highest to the lowest, keep only the values whose digit equals that of the result. */
double percentile_99(double *values, size_t count) {
    size_t rank = count - count / 100 - 1; /* index of the result among the sorted values that are left */
    for (int shift = 64; shift > 0 && count > 1;) {
        const int digit_bits = count > MANY && shift >= MANY_BITS ? MANY_BITS : FEW_BITS;
        size_t digit = 0, kept = 0;
        AUTO_FREE size_t *with = memory_new((size_t)1 << digit_bits, sizeof *with);
        shift -= digit_bits;
        for (size_t i = 0; i < count; ++i)
            ++with[digit_of(values[i], shift, digit_bits)];
        while (rank >= with[digit])
            rank -= with[digit++];
        for (size_t i = 0; i < count; ++i)
            if (digit_of(values[i], shift, digit_bits) == digit)
                values[kept++] = values[i];
        count = kept;
    }
    return values[0];
}
