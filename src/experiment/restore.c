/* Make runs from the texts that a trace stores, and change values of runs. */
#include "base/memory.h"
#include "experiment/run.h"
#include "experiment/value.h"

#include <stdlib.h>
#include <string.h>

/* Read a canonical text, as value.c writes it: numbers or words separated by spaces, and one unit after the last
 * number. */
static int canonical_read(const char *text, const struct field *field, const char *choices, struct place place,
                          struct pool *pool, struct value *out) {
    const int numbers = type_numbers(field->type);
    const bool is_list = numbers > 1 || field->type == TYPE_SET;
    const char *unit = strcmp(field->unit, "1") == 0 ? "" : field->unit;
    AUTO_FREE char *copy = text_copy(text);
    char *rest = copy, *word;
    struct node node = {.place = place, .kind = is_list ? NODE_LIST : NODE_SCALAR, .text = copy};
    while (is_list && (word = strsep(&rest, " ")) && (!numbers || node.count < numbers))
        *ARRAY_ADD(node.items, node.count) =
            (struct node){.place = place, .text = text_format("%s%s%s", word, *unit ? " " : "", unit)};
    int status = value_read(&node, field, choices, pool, out);
    for (int i = 0; i < node.count; i++)
        free(node.items[i].text);
    free(node.items);
    if (status == STATUS_OK && strcmp(out->text, text) != 0)
        status = fail_at(place,
                         "%s is \"%.60s\", but this version writes %s; the trace was changed, or another version made "
                         "it",
                         field->path, text, out->text);
    return status;
}

/* The field with this path among the common fields and, unless `method` is NULL, the fields of the method. NULL if
 * there is no such field. */
static const struct field *field_of(const char *path, const struct method_fields *method) {
    const struct field *tables[] = {experiment_fields, method ? method->fields : NULL};
    for (int t = 0; t < 2; t++)
        for (const struct field *field = tables[t]; field && field->path; field++)
            if (strcmp(field->path, path) == 0)
                return field;
    return NULL;
}

int run_restore(const char *file, const struct stated *stated, int count, const struct method_fields *methods,
                const char *const *backend_words, struct run *out) {
    const struct place place = {file, 0, 0};
    const struct method_fields *method = NULL;
    struct experiment experiment = {.file = file};
    struct description description;
    struct axis axis = {.length = 1};
    int status = STATUS_OK;
    *out = (struct run){.id = NULL};
    description_begin(methods, backend_words, &experiment.pool, &description);
    for (int i = 0; i < count && !method; i++)
        if (strcmp(stated[i].path, "method.name") == 0)
            method = method_named(methods, stated[i].text);
    for (int i = 0; i < count; i++) {
        const struct field *field = field_of(stated[i].path, method);
        struct value *value = pool_add(&experiment.pool, memory_new(1, sizeof *value));
        if (!field)
            status =
                fail_at(place, "unknown parameter %.60s; another version of springback made the trace", stated[i].path);
        else if (canonical_read(stated[i].text, field, description_choices(&description, field), place,
                                &experiment.pool, value))
            status = STATUS_BAD;
        else
            *ARRAY_ADD(axis.columns, axis.column_count) = (struct column){field, value, ORIGIN_STATED, place, false};
    }
    *ARRAY_ADD(description.axes, description.axis_count) = axis;
    if (status == STATUS_OK)
        status = run_settle(&description, &experiment, methods, (int[]){0}, out);
    out->pool = experiment.pool;
    if (status == STATUS_OK)
        run_digest(out, true, out->canonical);
    else
        run_free(out);
    description_free(&description);
    return status;
}

int run_set(struct run *run, const char *path, const char *text) {
    for (int i = 0; i < run->parameter_count; i++) {
        struct parameter *parameter = &run->parameters[i];
        const struct field *field = parameter->field;
        struct node node = {.place = parameter->place, .text = (char *)text};
        struct value value;
        if (strcmp(field->path, path) != 0)
            continue;
        if (value_read(&node, field, field->choices ? field->choices : "", &run->pool, &value))
            return STATUS_BAD;
        parameter->value = value;
        parameter->origin = ORIGIN_COMMAND;
        run_digest(run, true, run->canonical);
        return run_check(run);
    }
    return fail_at((struct place){run->id, 0, 0}, "the run has no parameter %s", path);
}

int run_assume(struct run *run, const struct experiment *experiment, const struct value *values) {
    for (int a = 0; a < experiment->assumption_count; a++)
        for (int i = 0; i < run->parameter_count; i++) {
            struct parameter *parameter = &run->parameters[i];
            if (parameter->origin == ORIGIN_ASSUMED &&
                strcmp(parameter->field->path, experiment->assumptions[a].field->path) == 0)
                parameter->value = values[a];
        }
    run_digest(run, true, run->canonical);
    return run_check(run);
}
