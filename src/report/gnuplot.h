/* Texts in gnuplot's scripts and tables. */
#ifndef SPRINGBACK_REPORT_GNUPLOT_H
#define SPRINGBACK_REPORT_GNUPLOT_H

#include <stdio.h>

/* Write a text as one string literal, whatever the text has: no quote ends it, no backtick starts a command. Control
 * characters become spaces. */
void gnuplot_write_text(const char *text, FILE *out);

/* Write a cell of a table: in one line, and without the quotes that gnuplot would look for a pair of. NULL and an empty
 * text are "-". */
void gnuplot_write_cell(const char *text, FILE *out);

#endif
