/* JSON for other programs: one object a line. */
#ifndef SPRINGBACK_BASE_JSON_H
#define SPRINGBACK_BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A string, whatever its bytes: what is no UTF-8 (a file's or a device's name may be anything) loses its bytes beyond
 * ASCII. */
json_t *json_text(const char *text);

/* A number, or null where it is infinite or NaN, which JSON has not. */
json_t *json_number(double value);

/* A count from 0, or null where it is negative: there is none. */
json_t *json_index(int64_t index);

/* Whether no text in it, keys included, holds control characters that a terminal would obey (base/terminal.h). */
bool json_is_plain(json_t *value);

/* Print an object on a line of its own, and give it up. */
void json_print(json_t *object, FILE *out);

#endif
