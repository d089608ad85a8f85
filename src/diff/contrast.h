/* What is not the same in two runs, or in two machines. */
#ifndef SPRINGBACK_DIFF_CONTRAST_H
#define SPRINGBACK_DIFF_CONTRAST_H

#include <jansson.h>
#include <stdio.h>

/* One thing that is not the same in both; "-" where a trace does not have it. */
struct contrast {
    char *name, *of[2];
};

struct contrasts {
    struct contrast *items;
    int count;
};

/* Both texts are copied; NULL and "" become "-". */
void contrasts_add(struct contrasts *list, const char *name, const char *a, const char *b);
void contrasts_free(struct contrasts *list);

/* A line each, for people; an array of objects, for programs. */
void contrasts_print(const struct contrasts *list, const char *indent, FILE *out);
json_t *contrasts_json(const struct contrasts *list);

#endif
