#include "experiment/selection.h"

#include "base/memory.h"
#include "experiment/document.h"
#include "experiment/run.h"
#include "experiment/spelling.h"
#include "experiment/value.h"

#include <stdlib.h>
#include <string.h>

static const struct place place = {"--only", 0, 0};

/* The path that a key means in some run, or NULL after saying why there is none. */
static const char *path_of(const struct plan *plan, const char *key) {
    const char *found = NULL;
    struct spelling search = spelling_search(key);
    for (int r = 0; r < plan->run_count; r++) {
        if (run_parameter(&plan->runs[r], key))
            return run_parameter(&plan->runs[r], key)->field->path;
        for (int i = 0; i < plan->runs[r].parameter_count; i++) {
            const char *path = plan->runs[r].parameters[i].field->path;
            spelling_consider(&search, path, spelling_path_distance(key, path));
            if (!spelling_path_fits(key, path) || (found && strcmp(found, path) == 0))
                continue;
            if (found) {
                fail_at(place, "%.60s could be %s or %s; write the one that is meant", key, found, path);
                return NULL;
            }
            found = path;
        }
    }
    if (!found && *search.nearest)
        fail_at(place, "%.60s is no parameter of these runs; the nearest right one is %s; id is allowed too", key,
                search.nearest);
    else if (!found)
        fail_at(place, "%.60s is no parameter of these runs; `springback manual` lists them; id is allowed too", key);
    return found;
}

/* The canonical text of a value that was typed, or NULL after saying what is wrong with it. A set may be typed as its
 * words with spaces. */
static char *canonical_text(const struct description *description, const struct field *field, const char *typed) {
    struct node node;
    struct value value;
    char *list = field->type == TYPE_SET && !strpbrk(typed, "[,") ? text_format("[%s]", typed) : text_copy(typed);
    for (char *at = list; field->type == TYPE_SET && !strpbrk(typed, "[,") && *at; at++)
        if (*at == ' ')
            *at = ',';
    int status = document_parse(list, place.file, false, &node);
    if (status == STATUS_OK) {
        status = value_read(&node, field, description_choices(description, field), &value);
        document_free(&node);
    }
    free(list);
    return status == STATUS_OK ? value.text : NULL;
}

/* Whether a value is written as the id of a run has it: what `springback plan` prints can be given back. */
static bool is_shown(const struct plan *plan, const char *path, const char *typed) {
    bool shown = false;
    for (int r = 0; r < plan->run_count && !shown; r++) {
        const struct parameter *parameter = run_parameter(&plan->runs[r], path);
        char *text = parameter ? parameter_id_text(parameter) : text_copy("");
        shown = *text && strcmp(text, typed) == 0;
        free(text);
    }
    return shown;
}

/* Drop the runs that one KEY=VALUE does not fit. */
static int keep(const struct description *description, struct plan *plan, const char *only) {
    const char *equals = strchr(only, '=');
    if (!equals)
        return fail_at(place, "\"%.60s\" has no value; write KEY=VALUE, as in backend=serial", only);
    char *key = text_format("%.*s", (int)(equals - only), only);
    bool by_id = strcmp(key, "id") == 0;
    const char *path = by_id ? NULL : path_of(plan, key), *wanted = by_id ? equals + 1 : NULL;
    const bool by_shown = path && is_shown(plan, path, equals + 1);
    char *text = NULL;
    for (int r = 0; path && !by_shown && !text && r < plan->run_count; r++)
        if (run_parameter(&plan->runs[r], path)) {
            text = canonical_text(description, run_parameter(&plan->runs[r], path)->field, equals + 1);
            break;
        }
    wanted = text ? text : by_shown ? equals + 1 : wanted;
    int kept = 0;
    for (int r = 0; wanted && r < plan->run_count; r++) {
        const struct parameter *parameter = by_id ? NULL : run_parameter(&plan->runs[r], path);
        const char *found = by_id ? plan->runs[r].id : parameter ? parameter->value.text : "";
        char *shown = by_shown && parameter ? parameter_id_text(parameter) : NULL;
        if (strcmp(shown ? shown : found, wanted) == 0)
            plan->runs[kept++] = plan->runs[r];
        else
            run_free(&plan->runs[r]);
        free(shown);
    }
    if (wanted)
        plan->run_count = kept;
    int status = !wanted    ? STATUS_BAD
                 : kept > 0 ? STATUS_OK
                            : fail_at(place, "no run of %s has %s; `springback plan %s` lists those there are",
                                      plan->experiment.file, only, plan->experiment.file);
    free(text);
    free(key);
    return status;
}

int selection_apply(const struct plan_options *options, const struct description *description, struct plan *plan) {
    int status = STATUS_OK;
    for (const char *const *only = options->only; only && *only && status == STATUS_OK; only++)
        status = keep(description, plan, *only);
    return status;
}
