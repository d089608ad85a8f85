/* Reads the words and lines of a text that is in memory, for all text formats of meshes.
 *
 * Words are separated by blanks; a comment extends to the end of its line. The place of each word is known, so that
 * every message has a line and a column. Numbers are read as in the C locale, independent of the program's locale. */
#ifndef SPRINGBACK_MESH_SCAN_H
#define SPRINGBACK_MESH_SCAN_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct scan {
    const char *name;      /* name of the file */
    const char *at, *end;  /* at: the next byte to read; end: the byte after the text, which is 0 */
    const char *line_from; /* start of the current line */
    int line;              /* number of the current line, from 1 */
    char comment;          /* character that begins a comment; 0 if there are no comments */
    bool joins_lines;      /* whether a \ at a line's end joins the next line to it */
    const char *word;      /* "the last word" below: the word that was read last, `length` bytes without a final 0 */
    int length;
};

/* Start at the first byte of a text; bytes[length] must exist, and be 0. The caller must refuse more than INT_MAX
 * bytes. */
struct scan scan_begin(const char *name, const char *bytes, size_t length);

/* Read the line's next word; false at the end of the line. */
bool scan_word(struct scan *scan);

/* Go to the next line that has a word, and read its first word; false at the end of the file. Call this after scan_word
 * returned false, or to skip the rest of a line. */
bool scan_line(struct scan *scan);

/* Read the next word on this line or a later one; false at the end of the file. */
bool scan_next(struct scan *scan);

/* Whether the last word is `word`, which must be in lower case; the case of the last word is ignored. */
bool scan_is(const struct scan *scan, const char *word);

/* Convert the last word to a finite number, or to an integer of at most 18 digits. `what` says in messages what the
 * number is ("the coordinate x"). */
int scan_number(const struct scan *scan, const char *what, double *number);
int scan_integer(const struct scan *scan, const char *what, long long *integer);

/* Read the line's next word; fails if the line has no more words. scan_next_number reads the word as a number. */
int scan_next_word(struct scan *scan, const char *what);
int scan_next_number(struct scan *scan, const char *what, double *number);

/* Read three finite numbers x y z from the line. */
int scan_position(struct scan *scan, double position[3]);

/* Read the corners of a face from the line, and add them to the builder. `corners` is their number, which the caller
 * has read from the last word. Fails if `corners` is below 3, or if a corner is not a vertex from 0 to vertices - 1. */
struct polygons_builder;
int scan_corners(struct scan *scan, long long corners, long long vertices, struct polygons_builder *builder);

/* Fails unless the rest of the line has only numbers, and at most `most` of them. */
int scan_rest(struct scan *scan, int most);

/* Fail with a message. scan_fail reports the place of the last word. scan_fail_here reports the current place, which is
 * the end of the line if a word is missing. */
int scan_fail(const struct scan *scan, const char *format, ...) PRINTF_LIKE(2, 3);
int scan_fail_here(const struct scan *scan, const char *format, ...) PRINTF_LIKE(2, 3);

/* The last word for a message: at most 32 characters, then "..."; unprintable bytes become "?". Valid until the next
 * call. */
const char *scan_shown(const struct scan *scan);

#endif
