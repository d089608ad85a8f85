#include "base/json.h"

#include "base/memory.h"

#include <stdlib.h>

json_t *json_text(const char *text) {
    json_t *string = json_string(text);
    if (string)
        return string;
    char *copy = text_copy(text);
    for (char *c = copy; *c; c++)
        *c = (unsigned char)*c < 0x80 ? *c : '?';
    string = json_string(copy);
    free(copy);
    return string;
}

void json_print(json_t *object, FILE *out) {
    json_dumpf(object, out, JSON_COMPACT);
    fputc('\n', out);
    json_decref(object);
}
