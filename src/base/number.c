#include "base/number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *number_read(const char *text, double *number) {
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
