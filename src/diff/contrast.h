/* Differences between two runs or two machines. */
#ifndef SPRINGBACK_DIFF_CONTRAST_H
#define SPRINGBACK_DIFF_CONTRAST_H

#include <jansson.h>
#include <stdio.h>

/* One property that differs, with the values of both sides; "-" if a side does not have the property. Owns its texts.
 */
struct contrast {
    char *name, *of[2];
};

struct contrasts {
    struct contrast *items;
    int count;
};

/* Add a difference. The texts are copied; NULL and "" become "-". */
void contrasts_add(struct contrasts *list, const char *name, const char *a, const char *b);
void contrasts_free(struct contrasts *list);

/* contrasts_print prints the differences as text, one per line. contrasts_json converts them to a JSON array of
 * objects, which the caller releases. */
void contrasts_print(const struct contrasts *list, const char *indent, FILE *out);
json_t *contrasts_json(const struct contrasts *list);

#endif
