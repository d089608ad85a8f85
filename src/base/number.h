/* Division that rounds up, and reading of numbers. The reading functions accept only decimal, finite numbers. strtod
 * and strtol accept more: white space before a number, hexadecimal numbers, "inf" and "nan". */
#ifndef SPRINGBACK_BASE_NUMBER_H
#define SPRINGBACK_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* `number` divided by `size`, rounded up: how many parts of this size are needed for `number` items. */
static inline size_t parts_of(size_t number, size_t size) {
    return (number + size - 1) / size;
}

/* The smallest multiple of `unit` that is at least `number`. */
static inline size_t round_up(size_t number, size_t unit) {
    return parts_of(number, unit) * unit;
}

/* Read the number at the start of a text. Returns the text after the number. If the text starts with no number, returns
 * NULL, and *number does not change. */
const char *number_read(const char *text, double *number);

/* `number`, rounded to `digits` significant digits. */
double number_rounded(double number, int digits);

/* Read a whole number without a sign, in decimal digits. Returns whether the whole text is a number from `least` to
 * `most`; otherwise *number does not change. */
bool whole_read(const char *text, int least, int most, int *number);

#endif
