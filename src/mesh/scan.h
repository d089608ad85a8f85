/* Text files of words in lines, read from memory: what the text formats of meshes share.
 *
 * Words are parted by blanks; a comment leads to the end of its line. Positions are kept, so that every message names
 * its line and column. Numbers are read as in the C locale, whatever the program's is. */
#ifndef SPRINGBACK_MESH_SCAN_H
#define SPRINGBACK_MESH_SCAN_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct scan {
    const char *name;      /* the file's */
    const char *at, *end;  /* *end is 0 */
    const char *line_from; /* where the line begins */
    int line;              /* from 1 */
    char comment;          /* what begins a comment; 0 where there are none */
    bool joins_lines;      /* a \ at a line's end joins the next line to it */
    const char *word;      /* the last word: length bytes, not ended by 0 */
    int length;
};

/* From the first byte of a text; bytes[length] must be there, and 0. More than INT_MAX bytes are the caller's to
 * refuse. */
struct scan scan_begin(const char *name, const char *bytes, size_t length);

/* Take the line's next word; false at its end. */
bool scan_word(struct scan *scan);

/* Go to the next line that has a word, and take that; false at the end of the file. Call after scan_word said false, or
 * to leave out what a line still has. */
bool scan_line(struct scan *scan);

/* Take the next word on this line or a later one; false at the end of the file. */
bool scan_next(struct scan *scan);

/* Whether the last word is this one, in letters of either case. */
bool scan_is(const struct scan *scan, const char *word);

/* The last word as a finite number, or a whole one; `what` names it in messages ("the coordinate x"). */
int scan_number(const struct scan *scan, const char *what, double *number);
int scan_integer(const struct scan *scan, const char *what, long long *integer);

/* Take the line's next word, which must be there; as a number. */
int scan_next_word(struct scan *scan, const char *what);
int scan_next_number(struct scan *scan, const char *what, double *number);

/* Three finite numbers x y z, which the line must still have. */
int scan_position(struct scan *scan, double position[3]);

/* Read the corners of a face, whose count was the last word, as vertices from 0 to vertices - 1. */
struct polygons_builder;
int scan_corners(struct scan *scan, long long corners, long long vertices, struct polygons_builder *builder);

/* See that what the line still has are numbers, or, with `most` 0, that there is nothing. */
int scan_rest(struct scan *scan, int most);

/* A message led by the place of the last word, or, where a word is missing, of the line's end. */
int scan_fail(const struct scan *scan, const char *format, ...) PRINTF_LIKE(2, 3);
int scan_fail_here(const struct scan *scan, const char *format, ...) PRINTF_LIKE(2, 3);

/* The last word for a message: cut to a sensible length, unprintable bytes as ?. Valid until the next call. */
const char *scan_shown(const struct scan *scan);

#endif
