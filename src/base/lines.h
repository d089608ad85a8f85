/* Line breaking of texts. A width is in columns; each UTF-8 character counts as one column. */
#ifndef SPRINGBACK_BASE_LINES_H
#define SPRINGBACK_BASE_LINES_H

#include <stddef.h>
#include <stdio.h>

/* The number of columns of the first `bytes` bytes of a text, or of the whole text if it is shorter. */
int text_columns(const char *text, size_t bytes);

/* Split off a line of at most `width` columns at the last space, or inside a word that is longer than a line. Returns
 * the number of bytes of the line; *text then points behind the line and the spaces after it. */
size_t text_line(const char **text, int width);

/* Print a text in lines of at most `width` columns, which include an indent of `indent` spaces. */
void text_print(FILE *out, const char *text, int indent, int width);

/* A copy of the text; if the text is longer than `width` columns, it is cut as by text_line, and "..." follows. `width`
 * is at least 4. Newly allocated; the caller frees it. */
char *text_cut(const char *text, int width);

#endif
