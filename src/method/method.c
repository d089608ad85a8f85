#include "method/method.h"

#include "base/memory.h"

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

/* Parts of a scene that not every method supports. `path` is the first field of each part. */
static const struct {
    const char *path, *scene;
    unsigned takes;
} scene_uses[] = {{"scene.sphere.radius", "scene.sphere", TAKES_OBSTACLES},
                  {"scene.convex.mesh", "scene.convex", TAKES_OBSTACLES},
                  {"scene.wind.kind", "scene.wind", TAKES_WIND}};

/* The names of the methods that support a part of a scene, joined by " or "; "" if no method does. The caller frees the
 * result. */
static char *names_of(unsigned takes) {
    char *names = text_copy("");
    for (const struct method *const *method = methods; *method; ++method)
        if ((*method)->takes & takes)
            text_append(&names, "%s%s", *names ? " or " : "", (*method)->name);
    return names;
}

int method_check_scene(const struct method *method, const struct run *run) {
    int status = STATUS_OK;
    for (size_t u = 0; u < sizeof scene_uses / sizeof *scene_uses; ++u) {
        const struct parameter *parameter = run_parameter(run, scene_uses[u].path);
        if (!parameter || method->takes & scene_uses[u].takes)
            continue;
        AUTO_FREE char *names = names_of(scene_uses[u].takes);
        status =
            fail_at(parameter->place, "method.name is %s, which does not support %s; %s%s%sremove %s", method->name,
                    scene_uses[u].scene, *names ? "use " : "", names, *names ? ", or " : "", scene_uses[u].scene);
    }
    return status;
}

const struct method *method_find(const char *name) {
    for (const struct method *const *method = methods; *method; ++method)
        if (!strcmp((*method)->name, name))
            return *method;
    return NULL;
}
