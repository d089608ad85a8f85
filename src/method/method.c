#include "method/method.h"

#include <string.h>

#define METHOD(name) extern const struct method method_##name;
#include "method/methods.def"
#undef METHOD

const struct method *const methods[] = {
#define METHOD(name) &method_##name,
#include "method/methods.def"
#undef METHOD
    NULL,
};

#define METHOD(name) extern const struct field method_##name##_fields[];
#include "method/methods.def"
#undef METHOD

const struct method_fields method_table[] = {
#define METHOD(name) {#name, method_##name##_fields},
#include "method/methods.def"
#undef METHOD
    {NULL, NULL},
};

const struct method *method_find(const char *name) {
    for (const struct method *const *method = methods; *method; ++method)
        if (!strcmp((*method)->name, name))
            return *method;
    return NULL;
}
