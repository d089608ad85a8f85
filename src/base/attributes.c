#include "base/attributes.h"

#include "base/memory.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

const char *attributes_text(const struct attributes *facts, const char *name) {
    for (int f = 0; f < facts->count; ++f)
        if (!strcmp(facts->items[f].name, name))
            return facts->items[f].value;
    return NULL;
}

double attributes_number(const struct attributes *facts, const char *name, double otherwise) {
    const char *text = attributes_text(facts, name);
    double number = otherwise;
    const char *end = text ? number_read(text, &number) : NULL;
    return end && (!*end || *end == ' ') ? number : otherwise; /* a unit may follow */
}

void attributes_add(struct attributes *facts, const char *name, const char *value, bool is_default) {
    *ARRAY_ADD(facts->items, facts->count) = (struct attribute){text_copy(name), text_copy(value), is_default};
}

void attributes_free(struct attributes *facts) {
    for (int f = 0; f < facts->count; ++f) {
        free(facts->items[f].name);
        free(facts->items[f].value);
    }
    free(facts->items);
    *facts = (struct attributes){NULL, 0};
}

bool attributes_equal(const struct attributes *a, const struct attributes *b) {
    bool equal = a->count == b->count;
    for (int f = 0; f < a->count && equal; ++f) {
        const char *other = attributes_text(b, a->items[f].name);
        equal = other && !strcmp(other, a->items[f].value);
    }
    return equal;
}
