#include "diff/contrast.h"

#include "base/json.h"
#include "base/memory.h"

#include <stdlib.h>

void contrasts_add(struct contrasts *list, const char *name, const char *a, const char *b) {
    *ARRAY_ADD(list->items, list->count) =
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

void contrasts_print(const struct contrasts *list, const char *indent, FILE *out) {
    for (int i = 0; i < list->count; ++i)
        fprintf(out, "%s%-22s %s | %s\n", indent, list->items[i].name, list->items[i].of[0], list->items[i].of[1]);
}

json_t *contrasts_json(const struct contrasts *list) {
    json_t *array = json_array();
    for (int i = 0; i < list->count; ++i)
        json_array_append_new(array, json_pack("{so so so}", "name", json_text(list->items[i].name), "a",
                                               json_text(list->items[i].of[0]), "b", json_text(list->items[i].of[1])));
    return array;
}
