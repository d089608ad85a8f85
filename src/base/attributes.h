/* What is known of a run or a machine: names with texts. */
#ifndef SPRINGBACK_BASE_ATTRIBUTES_H
#define SPRINGBACK_BASE_ATTRIBUTES_H

#include <stdbool.h>

struct attribute {
    char *name, *value;
    bool is_default; /* of a parameter: nobody set it */
};

/* In no order. */
struct attributes {
    struct attribute *items;
    int count;
};

/* The text of a name, NULL if there is none; the number that it begins with, which a unit may follow. */
const char *attributes_text(const struct attributes *facts, const char *name);
double attributes_number(const struct attributes *facts, const char *name, double otherwise);

/* Texts are copied. */
void attributes_add(struct attributes *facts, const char *name, const char *value, bool is_default);
void attributes_free(struct attributes *facts);
bool attributes_equal(const struct attributes *a, const struct attributes *b);

#endif
