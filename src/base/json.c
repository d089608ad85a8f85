#include "base/json.h"

#include "base/memory.h"
#include "base/terminal.h"

#include <math.h>

json_t *json_text(const char *text) {
    json_t *string = json_string(text);
    if (string)
        return string;
    AUTO_FREE char *copy = text_copy(text);
    for (char *c = copy; *c; c++)
        *c = (unsigned char)*c < 0x80 ? *c : '?';
    return json_string(copy);
}

json_t *json_number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_index(int64_t index) {
    return index < 0 ? json_null() : json_integer((json_int_t)index);
}

bool json_is_plain(json_t *value) {
    const char *key;
    json_t *item;
    size_t i;
    bool is_plain = !json_is_string(value) || terminal_is_plain(json_string_value(value));
    json_array_foreach(value, i, item) is_plain = is_plain && json_is_plain(item);
    json_object_foreach(value, key, item) is_plain = is_plain && terminal_is_plain(key) && json_is_plain(item);
    return is_plain;
}

void json_print(json_t *object, FILE *out) {
    json_dumpf(object, out, JSON_COMPACT);
    fputc('\n', out);
    json_decref(object);
}
