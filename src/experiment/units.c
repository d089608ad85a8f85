#include "experiment/units.h"

#include "base/number.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <udunits2.h>

#define LONGEST 100 /* characters of a number with its unit; a longer text is refused before udunits reads it */

/* udunits' table of units, which is read once. */
static ut_system *unit_system(void) {
    static ut_system *system;
    static bool tried;
    if (!tried) {
        tried = true;
        ut_set_error_message_handler(ut_ignore);
        system = ut_read_xml(NULL);
        if (!system)
            fail_and_end("udunits2's table of units cannot be read; install libudunits2-data, or set UDUNITS2_XML_PATH "
                         "to the path of udunits2.xml");
    }
    return system;
}

/* The factor from one unit to another. 0 if the units differ in kind, or if the conversion is not a multiplication
 * (reciprocals such as Hz and s; logarithms; temperatures with an offset). */
static double unit_factor(const char *from, const char *to) {
    double factor = 0;
    ut_unit *source = ut_parse(unit_system(), from, UT_UTF8), *target = ut_parse(unit_system(), to, UT_UTF8);
    if (source && target && ut_are_convertible(source, target)) {
        cv_converter *converter = ut_get_converter(source, target);
        if (converter) {
            double one = cv_convert_double(converter, 1), two = cv_convert_double(converter, 2);
            if (isfinite(one) && fabs(two - 2 * one) <= 1e-12 * fabs(one))
                factor = one;
            cv_free(converter);
        }
    }
    ut_free(source);
    ut_free(target);
    return factor;
}

static bool is_letter(char c) {
    return isalpha((unsigned char)c);
}

/* Whether a text has the form of a unit: symbols with whole exponents, multiplied or divided, as in kg m^2/s or 1/s.
 * udunits accepts more texts, such as "m 3" (three metres) and "m @ 5" (metres counted from 5 m); this function refuses
 * them. */
static bool is_unit_text(const char *text) {
    const char *first = strncmp(text, "1/", 2) == 0 ? text + 2 : text;
    for (const char *c = first; *c; c++) {
        const char before = c > first ? c[-1] : ' ';
        const bool is_symbol = is_letter(*c) || (unsigned char)*c >= 0x80 || strchr("% /.*()", *c);
        const bool is_exponent = isdigit((unsigned char)*c)
                                     ? is_letter(before) || isdigit((unsigned char)before) || strchr("^-", before)
                                 : *c == '-' ? is_letter(before) || before == '^'
                                             : *c == '^';
        if (!is_symbol && !is_exponent)
            return false;
    }
    return true;
}

bool unit_is_known(const char *text) {
    ut_unit *unit = is_unit_text(text) ? ut_parse(unit_system(), text, UT_UTF8) : NULL;
    ut_free(unit);
    return unit != NULL;
}

int unit_read(struct place place, const char *path, const char *text, const char *unit, double *number) {
    char example[64];
    snprintf(example, sizeof example, strcmp(unit, "1") != 0 ? "0.5 %s" : "0.5", unit);
    return unit_read_like(place, path, text, unit, example, number);
}

int unit_read_like(struct place place, const char *path, const char *text, const char *unit, const char *example,
                   double *number) {
    const bool pure = strcmp(unit, "1") == 0;
    size_t length = strlen(text);
    if (length == 0)
        return fail_at(place, "%s has no value; write one, as in %s", path, example);
    char *rest;
    double value = strtod(text, &rest);
    bool hexadecimal = memchr(text, 'x', (size_t)(rest - text)) || memchr(text, 'X', (size_t)(rest - text));
    if (rest == text || hexadecimal || length > LONGEST)
        return fail_at(place, "%s: \"%.60s\" is not a number; write one, as in %s", path, text, example);
    if (!isfinite(value))
        return fail_at(place, "%s: \"%.60s\" is not finite; write a finite number, as in %s", path, text, example);
    while (isspace((unsigned char)*rest))
        rest++;
    if (*rest == 0) {
        if (!pure)
            return fail_at(place, "%s: \"%.60s\" has no unit; write \"%.60s %s\", or another unit of the same kind",
                           path, text, text, unit);
    } else if (strcmp(rest, unit) != 0) {
        const bool is_unit = pure ? strcmp(rest, "%") == 0 : is_unit_text(rest);
        double factor = is_unit ? unit_factor(rest, unit) : 0;
        if (factor == 0)
            return pure
                       ? fail_at(place, "%s: \"%.60s\" has the unit %.40s; it must be a pure number, as in %s", path,
                                 text, rest, example)
                       : fail_at(place, "%s: \"%.60s\" has the unit %.40s; it must be in %s or a unit of the same kind",
                                 path, text, rest, unit);
        double converted = value * factor;
        if (!isfinite(converted))
            return fail_at(place, "%s: \"%.60s\" is not finite in %s; write a smaller number", path, text, unit);
        /* Round to fifteen digits, so that 9 ms equals 0.009 s. The product 9 * 0.001 alone is not 0.009. */
        value = factor == 1 ? value : number_rounded(converted, 15);
    }
    *number = value + 0.0; /* the addition turns -0 into 0 */
    return STATUS_OK;
}

void number_write(double number, char out[NUMBER_SIZE]) {
    char text[NUMBER_SIZE];
    out[0] = 0;
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number == 0 ? 0.0 : number);
        if (strtod(text, NULL) == number && (!out[0] || strlen(text) <= strlen(out)))
            memcpy(out, text, sizeof text);
    }
}
