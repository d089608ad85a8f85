#include "base/number.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The powers of ten that are exact doubles. */
static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Read a decimal number of at most 15 digits, whose power of ten is at most 22. The digits and the power are then exact
 * doubles, so one multiplication or division rounds as strtod does (Clinger, 1990). Returns the end of the number; NULL
 * if the text has another form. */
static const char *short_read(const char *text, double *number) {
    const bool is_negative = *text == '-';
    const char *at = text + (is_negative || *text == '+');
    int64_t digits = 0;
    int count = 0, power = 0, exponent = 0;
    for (bool is_fraction = false; isdigit((unsigned char)*at) || (*at == '.' && !is_fraction); ++at) {
        if (*at == '.') {
            is_fraction = true;
            continue;
        }
        if (++count > 15)
            return NULL;
        digits = 10 * digits + (*at - '0');
        power -= is_fraction;
    }
    if (count && (*at == 'e' || *at == 'E')) {
        const bool is_small = *++at == '-';
        at += is_small || *at == '+';
        if (!isdigit((unsigned char)*at))
            return NULL;
        for (; isdigit((unsigned char)*at) && exponent < 100; ++at)
            exponent = 10 * exponent + (*at - '0');
        power += is_small ? -exponent : exponent;
    }
    if (!count || isalnum((unsigned char)*at) || *at == '.' || abs(power) > 22)
        return NULL;
    const double found = power < 0 ? (double)digits / powers[-power] : (double)digits * powers[power];
    *number = is_negative ? -found : found;
    return at;
}

const char *number_read(const char *text, double *number) {
    const char *short_end = short_read(text, number);
    if (short_end)
        return short_end;
    const char *first = text + (*text == '-' || *text == '+');
    char *end;
    const double found = strtod(text, &end);
    const bool is_decimal = end > first && (isdigit((unsigned char)*first) || *first == '.') &&
                            !memchr(text, 'x', (size_t)(end - text)) && !memchr(text, 'X', (size_t)(end - text));
    if (!is_decimal || !isfinite(found))
        return NULL;
    *number = found;
    return end;
}

double number_rounded(double number, int digits) {
    char text[32];
    snprintf(text, sizeof text, "%.*g", digits, number);
    return strtod(text, NULL);
}

bool whole_read(const char *text, int least, int most, int *number) {
    const size_t digits = strspn(text, "0123456789");
    if (!digits || text[digits])
        return false;
    const long found = strtol(text, NULL, 10); /* LONG_MAX on overflow */
    if (found < least || found > most)
        return false;
    *number = (int)found;
    return true;
}
