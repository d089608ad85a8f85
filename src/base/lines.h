/* Texts in lines of a width, counted in columns: a character of UTF-8 takes one. */
#ifndef SPRINGBACK_BASE_LINES_H
#define SPRINGBACK_BASE_LINES_H

#include <stddef.h>
#include <stdio.h>

/* Columns of the first `bytes` bytes of a text, or of all of it if it is shorter. */
int text_columns(const char *text, size_t bytes);

/* Take a line of at most `width` columns off a text: up to the last space, or in the midst of a word that is longer
 * than a line. Returns its bytes; *text moves on behind it and its space. */
size_t text_line(const char **text, int width);

/* Print a text in lines of at most `width` columns, each after `indent` spaces. */
void text_print(FILE *out, const char *text, int indent, int width);

/* A text of at most `width` columns (4 or more), newly allocated: a longer one is cut at a space, with "..." behind. */
char *text_cut(const char *text, int width);

#endif
