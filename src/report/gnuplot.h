/* Texts in gnuplot's scripts. */
#ifndef SPRINGBACK_REPORT_GNUPLOT_H
#define SPRINGBACK_REPORT_GNUPLOT_H

#include <stdio.h>

/* Write a text as one string literal, whatever the text has: no quote ends it, no backtick starts a command. Control
 * characters become spaces. */
void gnuplot_write_text(const char *text, FILE *out);

#endif
