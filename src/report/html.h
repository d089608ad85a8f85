/* Text as HTML that is well-formed XML too: what a file, a device or a run may be called is never markup. */
#ifndef SPRINGBACK_REPORT_HTML_H
#define SPRINGBACK_REPORT_HTML_H

#include <stdarg.h>
#include <stdio.h>

/* A text as content, or as an attribute between double quotes. What neither HTML nor XML can hold, control characters
 * and bytes that are no UTF-8, becomes U+FFFD. */
void html_text(FILE *out, const char *text);

/* A path as a relative address, between double quotes: each byte that has a meaning in one is percent-encoded. */
void html_path(FILE *out, const char *path);

/* A text that can be part of an id, of an address behind # and of a selector: letters, digits, - . _ stay; others
 * become their bytes as ~XX, so that different texts stay different. */
void html_id(FILE *out, const char *text);

/* An SVG picture as a data: address, between double quotes, from its element <svg> on. A picture that is loaded so runs
 * no script, asks for no file, and shares no ids with the page. */
void html_svg(FILE *out, const char *svg);

/* Write markup with slots in it, which take the arguments in their order: {text}, {path}, {id} and {svg} a const char *
 * that is written as by the functions above, {markup} one that is written as it is, {int} an int. */
void html_put(FILE *out, const char *markup, ...);
void html_put_list(FILE *out, const char *markup, va_list arguments);

#endif
