/* JSON output for other programs: one object per line. */
#ifndef SPRINGBACK_BASE_JSON_H
#define SPRINGBACK_BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The next three functions return a new reference, which the caller releases or passes on. */

/* A JSON string. If the text is not valid UTF-8, each byte outside ASCII becomes "?". */
json_t *json_text(const char *text);

/* A JSON number, or null if the value is infinite or NaN, which JSON cannot represent. */
json_t *json_number(double value);

/* A JSON integer, or null if the index is negative, which means "none". */
json_t *json_index(int64_t index);

/* Whether all texts in `value`, including keys, are free of control characters that could change what a terminal shows
 * (terminal_is_plain). */
bool json_is_plain(json_t *value);

/* Print an object on one line, and release the caller's reference to it. */
void json_print(json_t *object, FILE *out);

#endif
