#include "base/memory.h"
#include "experiment/document.h"
#include "experiment/run.h"
#include "experiment/spelling.h"
#include "experiment/value.h"

#include <string.h>

static const struct place place = {"--only", 0, 0};

/* The field of a key among the parameters of all runs. The key is a path or the last part of a path. NULL, with a
 * message, if the key is unknown or ambiguous. */
static const struct field *field_of(const struct plan *plan, const char *key) {
    const struct field *found = NULL;
    struct spelling search = spelling_search(key);
    for (int r = 0; r < plan->run_count; r++) {
        if (run_parameter(&plan->runs[r], key))
            return run_parameter(&plan->runs[r], key)->field;
        for (int i = 0; i < plan->runs[r].parameter_count; i++) {
            const struct field *field = plan->runs[r].parameters[i].field;
            spelling_consider(&search, field->path, spelling_path_distance(key, field->path));
            if (!spelling_path_fits(key, field->path) || (found && strcmp(found->path, field->path) == 0))
                continue;
            if (found)
                return fail_at(place, "the key %.60s is ambiguous: %s or %s; write the whole key", key, found->path,
                               field->path),
                       NULL;
            found = field;
        }
    }
    if (!found && *search.nearest)
        fail_at(place, "these runs have no parameter %.60s; the nearest key is %s; the key `id` is allowed, too", key,
                search.nearest);
    else if (!found)
        fail_at(place,
                "these runs have no parameter %.60s; `springback manual` lists the keys; the key `id` is allowed, too",
                key);
    return found;
}

/* The canonical text of a value from the command line; or NULL, and a message. A set may be written as words with
 * spaces between them. */
static const char *canonical_text(const struct description *description, const struct field *field, const char *typed) {
    struct value value;
    const bool is_bare_set = field->type == TYPE_SET && !strpbrk(typed, "[,");
    AUTO_FREE char *text = text_format(is_bare_set ? "[%s]" : "%s", typed);
    for (char *at = text; is_bare_set && *at; at++)
        if (*at == ' ')
            *at = ',';
    const char *choices = description_choices(description, field);
    return value_parse(text, place.file, field, choices, description->pool, &value) ? NULL : value.text;
}

/* The text of a run's value at a path, written as in an id or as canonical text; "" if the run has no such parameter.
 * If the path is NULL, the text is the id of the run. Newly allocated. */
static char *text_of(const struct run *run, const char *path, bool as_in_id) {
    const struct parameter *parameter = path ? run_parameter(run, path) : NULL;
    if (parameter && as_in_id)
        return parameter_id_text(parameter);
    return text_copy(parameter ? parameter->value.text : path ? "" : run->id);
}

/* Whether a value is written as in the id of a run. Users can copy such a value from `springback plan`. */
static bool is_shown(const struct plan *plan, const char *path, const char *typed) {
    bool shown = false;
    for (int r = 0; r < plan->run_count && !shown; r++) {
        AUTO_FREE char *text = text_of(&plan->runs[r], path, true);
        shown = *text && strcmp(text, typed) == 0;
    }
    return shown;
}

void plan_keep(struct plan *plan, const bool *is_kept) {
    int kept = 0;
    for (int r = 0; r < plan->run_count; r++)
        if (is_kept[r])
            plan->runs[kept++] = plan->runs[r];
        else
            run_free(&plan->runs[r]);
    plan->run_count = kept;
}

/* Remove the runs that do not match KEY=VALUE. is_first: whether this is the first --only; for the message. */
static int keep(const struct description *description, struct plan *plan, const char *only, bool is_first) {
    const char *equals = strchr(only, '=');
    const struct field *field = NULL;
    if (!equals)
        return fail_at(place, "\"%.60s\" has no value; write KEY=VALUE, as in backend=serial", only);
    AUTO_FREE char *key = text_format("%.*s", (int)(equals - only), only);
    const char *wanted = equals + 1;
    if (strcmp(key, "id") != 0 && !(field = field_of(plan, key)))
        return STATUS_BAD;
    const char *path = field ? field->path : NULL;
    const bool as_in_id = field && is_shown(plan, path, wanted);
    if (field && !as_in_id && !(wanted = canonical_text(description, field, wanted)))
        return STATUS_BAD;
    AUTO_FREE bool *is_kept = memory_new((size_t)plan->run_count, sizeof *is_kept);
    for (int r = 0; r < plan->run_count; r++) {
        AUTO_FREE char *text = text_of(&plan->runs[r], path, as_in_id);
        is_kept[r] = strcmp(text, wanted) == 0;
    }
    plan_keep(plan, is_kept);
    return plan->run_count > 0
               ? STATUS_OK
               : fail_at(place, "no run of %s has %s%s; `springback plan %s` lists the runs", plan->experiment.file,
                         only, is_first ? "" : " and the values of the earlier --only", plan->experiment.file);
}

int selection_apply(const struct plan_options *options, const struct description *description, struct plan *plan) {
    for (const char *const *only = options->only; only && *only; only++)
        if (keep(description, plan, *only, only == options->only))
            return STATUS_BAD;
    return STATUS_OK;
}
