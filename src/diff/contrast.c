#include "diff/contrast.h"

#include "base/memory.h"

#include <stdlib.h>

void contrasts_add(struct contrasts *list, const char *name, const char *a, const char *b) {
    list->items = memory_grow(list->items, (size_t)list->count + 1, sizeof *list->items);
    list->items[list->count++] =
        (struct contrast){text_copy(name), {text_copy(a && *a ? a : "-"), text_copy(b && *b ? b : "-")}};
}

void contrasts_free(struct contrasts *list) {
    for (int i = 0; i < list->count; ++i) {
        free(list->items[i].name);
        free(list->items[i].of[0]);
        free(list->items[i].of[1]);
    }
    free(list->items);
    *list = (struct contrasts){NULL, 0};
}
