/* Texts as HTML that is also well-formed XML. Names of files, devices and runs are never interpreted as markup. */
#ifndef SPRINGBACK_REPORT_HTML_H
#define SPRINGBACK_REPORT_HTML_H

#include <stdarg.h>
#include <stdio.h>

/* Write a text as content, or as the value of an attribute between double quotes. Invalid UTF-8, noncharacters of
 * Unicode, and control characters other than tab and line feed become U+FFFD. */
void html_text(FILE *out, const char *text);

/* Write a path as a relative URL. The caller writes double quotes around it. Bytes other than letters, digits and
 * -._~/=,@ are percent-encoded. */
void html_path(FILE *out, const char *path);

/* Write a text for use in an id, a URL fragment and a selector. Letters, digits, - . _ stay; other bytes become ~XX, so
 * that different texts stay different. */
void html_id(FILE *out, const char *text);

/* Write an SVG picture, from its element <svg> on, as a data: URL. The caller writes double quotes around the URL. Such
 * a picture runs no script, loads no file, and shares no ids with the page. */
void html_svg(FILE *out, const char *svg);

/* Write markup with slots. Each slot is replaced by the next argument. The argument for {text}, {path}, {id} and {svg}
 * is a const char *, written as by html_text, html_path, html_id and html_svg. The argument for {markup} is a
 * const char * that is written unchanged, and the argument for {int} is an int. */
void html_put(FILE *out, const char *markup, ...);
void html_put_list(FILE *out, const char *markup, va_list arguments);

#endif
