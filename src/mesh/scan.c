#include "mesh/scan.h"

#include "mesh/mesh.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scan scan_begin(const char *name, const char *bytes, size_t length) {
    return (struct scan){
        .name = name, .at = bytes, .end = bytes + length, .line_from = bytes, .line = 1, .word = bytes};
}

static void to_line_end(struct scan *scan) {
    const char *newline = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
    scan->at = newline ? newline : scan->end;
}

static void pass_newline(struct scan *scan) {
    scan->line_from = ++scan->at;
    ++scan->line;
}

/* Whether a \ and a line end follow. */
static bool joins(const struct scan *scan) {
    const char *next = scan->at + 1; /* *next is read only if *at is a \, so next points at most to the final 0 */
    return scan->joins_lines && *scan->at == '\\' && (*next == '\n' || (*next == '\r' && next[1] == '\n'));
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

bool scan_word(struct scan *scan) {
    for (;; ++scan->at) {
        if (joins(scan)) {
            to_line_end(scan);
            scan->line_from = scan->at + 1;
            ++scan->line;
        } else if (!is_blank(*scan->at))
            break;
    }
    if (scan->comment && *scan->at == scan->comment)
        to_line_end(scan);
    if (scan->at == scan->end || *scan->at == '\n')
        return false;
    scan->word = scan->at;
    while (scan->at < scan->end && !is_blank(*scan->at) && *scan->at != '\n' && !joins(scan))
        ++scan->at;
    scan->length = (int)(scan->at - scan->word);
    return true;
}

bool scan_line(struct scan *scan) {
    do {
        while (scan_word(scan)) {
        }
        if (scan->at == scan->end)
            return false;
        pass_newline(scan);
    } while (!scan_word(scan));
    return true;
}

bool scan_next(struct scan *scan) {
    while (!scan_word(scan)) {
        if (scan->at == scan->end)
            return false;
        pass_newline(scan);
    }
    return true;
}

bool scan_is(const struct scan *scan, const char *word) {
    const int length = (int)strlen(word);
    for (int k = 0; k < length && k < scan->length; ++k) {
        const char c = scan->word[k];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != word[k])
            return false;
    }
    return scan->length == length;
}

const char *scan_shown(const struct scan *scan) {
    enum { MOST = 32 };
    static char shown[MOST + 4];
    const int length = scan->length < MOST ? scan->length : MOST;
    for (int k = 0; k < length; ++k)
        shown[k] = (char)(scan->word[k] > ' ' && scan->word[k] <= '~' ? scan->word[k] : '?');
    snprintf(shown + length, sizeof shown - MOST, "%s", scan->length > MOST ? "..." : "");
    return shown;
}

PRINTF_LIKE(3, 0)
static int fail_by(const struct scan *scan, const char *where, const char *format, va_list arguments) {
    char message[512];
    vsnprintf(message, sizeof message, format, arguments);
    /* If lines are joined, `where` may be before the start of the current line; then the column is 1. */
    const int column = where >= scan->line_from ? (int)(where - scan->line_from) + 1 : 1;
    return fail_at((struct place){scan->name, scan->line, column}, "%s", message);
}

int scan_fail(const struct scan *scan, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_by(scan, scan->word, format, arguments);
    va_end(arguments);
    return STATUS_BAD;
}

int scan_fail_here(const struct scan *scan, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_by(scan, scan->at, format, arguments);
    va_end(arguments);
    return STATUS_BAD;
}

int scan_number(const struct scan *scan, const char *what, double *number) {
    static locale_t plain; /* the C locale, in which a comma is never a decimal separator */
    if (!plain)
        plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    char *end;
    *number = strtod_l(scan->word, &end, plain);
    const bool is_hexadecimal =
        memchr(scan->word, 'x', (size_t)scan->length) || memchr(scan->word, 'X', (size_t)scan->length);
    if (end != scan->word + scan->length || is_hexadecimal)
        return scan_fail(scan, "%s is '%s', which is not a number", what, scan_shown(scan));
    if (!isfinite(*number))
        return scan_fail(scan, "%s is '%s', which is not finite", what, scan_shown(scan));
    return STATUS_OK;
}

int scan_integer(const struct scan *scan, const char *what, long long *integer) {
    const char *c = scan->word, *end = c + scan->length;
    const bool negative = *c == '-';
    long long value = 0;
    c += negative || *c == '+';
    const char *digits = c;
    while (c < end && *c >= '0' && *c <= '9' && c - digits < 18)
        value = 10 * value + (*c++ - '0');
    if (c == digits || c < end)
        return scan_fail(scan, "%s is '%s', which is not a whole number of at most 18 digits", what, scan_shown(scan));
    *integer = negative ? -value : value;
    return STATUS_OK;
}

int scan_next_word(struct scan *scan, const char *what) {
    return scan_word(scan) ? STATUS_OK : scan_fail_here(scan, "the line ends before %s", what);
}

int scan_next_number(struct scan *scan, const char *what, double *number) {
    int status = scan_next_word(scan, what);
    return status ? status : scan_number(scan, what, number);
}

int scan_position(struct scan *scan, double position[3]) {
    static const char *const what[3] = {"the coordinate x", "the coordinate y", "the coordinate z"};
    int status = STATUS_OK;
    for (int k = 0; k < 3 && !status; ++k)
        status = scan_next_number(scan, what[k], &position[k]);
    return status;
}

int scan_corners(struct scan *scan, long long corners, long long vertices, struct polygons_builder *builder) {
    long long vertex = -1;
    if (corners < 3)
        return scan_fail(scan, "the face has %lld corners; it needs at least 3", corners);
    for (long long k = 0; k < corners; ++k) {
        if (!scan_word(scan))
            return scan_fail_here(scan, "the line ends after %lld of the face's %lld corners", k, corners);
        if (scan_integer(scan, "the corner's vertex", &vertex))
            return STATUS_BAD;
        if (vertex < 0 || vertex >= vertices)
            return scan_fail(scan, "the corner's vertex is %lld; vertices are 0 to %lld", vertex, vertices - 1);
        polygons_add_corner(builder, (int)vertex);
    }
    return STATUS_OK;
}

int scan_rest(struct scan *scan, int most) {
    double number;
    for (int k = 0; scan_word(scan); ++k) {
        if (k == most)
            return scan_fail(scan, "unexpected '%s' at the end of the line", scan_shown(scan));
        if (scan_number(scan, "the additional value", &number))
            return STATUS_BAD;
    }
    return STATUS_OK;
}
