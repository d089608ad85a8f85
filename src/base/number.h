/* Division that rounds up; and numbers in texts, which are decimal and finite. strtod and strtol accept more: white
 * space before a number, hexadecimal ones, "inf" and "nan". */
#ifndef SPRINGBACK_BASE_NUMBER_H
#define SPRINGBACK_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* How many parts of `size` cover `number`. */
static inline size_t parts_of(size_t number, size_t size) {
    return (number + size - 1) / size;
}

/* The smallest multiple of `unit` that is at least `number`. */
static inline size_t round_up(size_t number, size_t unit) {
    return parts_of(number, unit) * unit;
}

/* The number at the very beginning of a text; what follows it, or NULL if there is none. */
const char *number_read(const char *text, double *number);

/* A number as so many significant digits have it. */
double number_rounded(double number, int digits);

/* Whether a text is a whole number in decimal digits, without a sign, from `least` to `most`. */
bool whole_read(const char *text, int least, int most, int *number);

#endif
