#include "report/gnuplot.h"

#include <ctype.h>
#include <string.h>

/* Between double quotes, with all that gnuplot might read as more than a character as its octal number. Four digits,
 * since gnuplot takes up to four behind a first 0. Single quotes would need no numbers, but gnuplot 5.4 mistakes a
 * doubled quote at the beginning of a text for an empty text. */
void gnuplot_write_text(const char *text, FILE *out) {
    fputc('"', out);
    for (const char *c = text; *c; ++c)
        if (iscntrl((unsigned char)*c))
            fputc(' ', out);
        else if (isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80 || strchr(" .,:=+/_()-", *c))
            fputc(*c, out);
        else
            fprintf(out, "\\0%03o", (unsigned)*c);
    fputc('"', out);
}

void gnuplot_write_cell(const char *text, FILE *out) {
    for (const char *c = text && *text ? text : "-"; *c; ++c)
        fputc((unsigned char)*c < ' ' ? ' ' : *c == '"' ? '\'' : *c, out);
}
