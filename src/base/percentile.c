#include "base/percentile.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

/* The digit at bit `shift` of a value's bits. If the bits of values >= 0 are read as whole numbers, these numbers have
 * the same order as the values. */
static size_t digit_of(double value, int shift) {
    const double positive = fabs(value);
    uint64_t bits;
    memcpy(&bits, &positive, sizeof bits);
    return (size_t)(bits >> shift) % DIGITS;
}

/* For each digit, from the highest to the lowest, keep only the values whose digit equals that of the result. */
double percentile_99(double *values, size_t count) {
    size_t rank = count - count / 100 - 1; /* number of values before the result, if the values are sorted */
    for (int shift = 64 - DIGIT_BITS; shift >= 0 && count > 1; shift -= DIGIT_BITS) {
        size_t with[DIGITS] = {0}, digit = 0, kept = 0;
        for (size_t i = 0; i < count; ++i)
            ++with[digit_of(values[i], shift)];
        while (rank >= with[digit])
            rank -= with[digit++];
        for (size_t i = 0; i < count; ++i)
            if (digit_of(values[i], shift) == digit)
                values[kept++] = values[i];
        count = kept;
    }
    return values[0];
}
