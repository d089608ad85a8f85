/* Attributes of a run or a machine: pairs of a name and a text. */
#ifndef SPRINGBACK_BASE_ATTRIBUTES_H
#define SPRINGBACK_BASE_ATTRIBUTES_H

#include <stdbool.h>

struct attribute {
    char *name, *value;
    bool is_default; /* true for a parameter whose value no file and no option has set */
};

/* An unordered list, which owns its texts. */
struct attributes {
    struct attribute *items;
    int count;
};

/* attributes_text returns the text of the attribute `name`, borrowed from `facts`; NULL if there is no such attribute.
 * attributes_number returns the number of this text. A space and a unit may follow the number. If the text has another
 * form, or if there is no such attribute, attributes_number returns `otherwise`. */
const char *attributes_text(const struct attributes *facts, const char *name);
double attributes_number(const struct attributes *facts, const char *name, double otherwise);

/* Add an attribute. Both texts are copied. */
void attributes_add(struct attributes *facts, const char *name, const char *value, bool is_default);
void attributes_free(struct attributes *facts);

/* Whether two lists have the same names with the same texts, in any order. */
bool attributes_equal(const struct attributes *a, const struct attributes *b);

#endif
