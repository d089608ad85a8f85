#include "experiment/reader.h"

#include "base/memory.h"
#include "experiment/value.h"

#include <stdlib.h>
#include <string.h>

/* ---- Axes ---- */

static struct axis *axis_append(struct description *out, int length) {
    struct axis *axis = ARRAY_ADD(out->axes, out->axis_count);
    *axis = (struct axis){.length = length};
    return axis;
}

static struct column *column_append(struct axis *axis, struct column column) {
    struct column *last = ARRAY_ADD(axis->columns, axis->column_count);
    *last = column;
    return last;
}

struct column *axis_column(struct axis *axis, const char *path) {
    for (int c = 0; c < axis->column_count; c++)
        if (strcmp(axis->columns[c].field->path, path) == 0)
            return &axis->columns[c];
    return NULL;
}

struct axis *axis_of(const struct description *description, const char *path) {
    for (int a = 0; a < description->axis_count; a++)
        if (axis_column(&description->axes[a], path))
            return &description->axes[a];
    return NULL;
}

void axes_free(struct axis *axes, int count) {
    for (int a = 0; a < count; a++)
        free(axes[a].columns);
    free(axes);
}

void axis_override(struct reader *reader, struct column column, int length) {
    struct experiment *experiment = reader->experiment;
    for (int i = 0; i < experiment->assumption_count; i++) {
        struct assumption *assumption = &experiment->assumptions[i];
        if (strcmp(assumption->field->path, column.field->path) != 0)
            continue;
        memmove(assumption, assumption + 1, (size_t)(--experiment->assumption_count - i) * sizeof *assumption);
        break;
    }
    struct axis *axis = axis_of(reader->out, column.field->path);
    struct column *old = axis ? axis_column(axis, column.field->path) : NULL;
    if (old && axis->column_count == 1) {
        *old = column;
        axis->length = length;
        axis->zip = false;
        return;
    }
    if (old)
        memmove(old, old + 1, (size_t)(axis->columns + --axis->column_count - old) * sizeof *old);
    column_append(axis_append(reader->out, length), column);
}

void axis_set_method(struct description *out, const char *method, struct column column, struct value value) {
    struct axis *axis = axis_of(out, "method.name");
    const struct value *names = axis_column(axis, "method.name")->values;
    column.values = pool_add(out->pool, memory_new((size_t)axis->length, sizeof value));
    for (int step = 0; step < axis->length; step++) {
        if (!names[step].text || strcmp(names[step].text, method) != 0)
            continue;
        column.values[step] = value;
        for (int c = 0; c < axis->column_count; c++)
            if (strcmp(axis->columns[c].field->path, column.field->path) == 0)
                axis->columns[c].values[step] = (struct value){.text = NULL};
    }
    column_append(axis, column);
}

/* ---- Reading ---- */

void axis_state(struct reader *reader, const struct field *field, const struct node *node) {
    struct column column = {field, NULL, ORIGIN_STATED, node->key_place, false};
    int count;
    if (reader_once(reader, field->path, node->key_place, false) &&
        reader_many(reader, node, field, false, &column.values, &count) == STATUS_OK)
        column_append(axis_append(reader->out, count), column);
}

static void zip_column(struct reader *reader, const struct field *field, const struct node *node) {
    struct column column = {field, NULL, ORIGIN_STATED, node->key_place, false};
    int count;
    if (!reader_once(reader, field->path, node->key_place, false) ||
        reader_many(reader, node, field, true, &column.values, &count) != STATUS_OK)
        return;
    if (reader->zip->column_count && count != reader->zip->length) {
        reader->status =
            fail_at(node->place, "%s has %d values, and %s has %d; the lists of a zip must be equally long",
                    field->path, count, reader->zip->columns[0].field->path, reader->zip->length);
        return;
    }
    reader->zip->length = count;
    column_append(reader->zip, column);
}

void axis_read_zip(struct reader *reader, const struct node *node) {
    if (!reader_map(reader, node, "zip", "{body.cloth.nodes: [[52, 52], [128, 128]], time.frames: [200, 50]}"))
        return;
    struct axis zip = {.length = 1, .zip = true};
    reader->zip = &zip;
    reader_walk(reader, node, "", zip_column);
    *axis_append(reader->out, 1) = zip;
}

/* A copy of the first `count` values of a column, with space for `capacity` values. All bytes of the other values are
 * zero. The pool owns the copy. */
static struct value *method_values(struct pool *pool, const struct value *old, int count, int capacity) {
    struct value *values = pool_add(pool, memory_new((size_t)capacity, sizeof *values));
    if (count)
        memcpy(values, old, (size_t)count * sizeof *values);
    return values;
}

/* Append each combination of steps of one method's axes as one step to `methods`, the axis of methods. A step is one
 * alternative of an axis (description.h). Returns false if `methods` would have more than MOST_STEPS steps. */
static bool method_steps(struct pool *pool, struct axis *methods, const struct axis *axes, int count) {
    int total = 1;
    for (int a = 0; a < count && total <= MOST_STEPS; a++)
        total *= axes[a].length;
    if (total > MOST_STEPS - methods->length)
        return false;
    const int before = methods->length, after = before + total;
    for (int c = 0; c < methods->column_count; ++c)
        methods->columns[c].values = method_values(pool, methods->columns[c].values, before, after);
    for (int a = 0, each = total; a < count; a++) {
        each /= axes[a].length; /* number of consecutive new steps that have the same step of this axis */
        for (int c = 0; c < axes[a].column_count; c++) {
            const struct column *from = &axes[a].columns[c];
            struct column *to = axis_column(methods, from->field->path);
            if (!to) {
                to = column_append(methods, *from);
                to->values = method_values(pool, NULL, 0, after);
            }
            for (int step = 0; step < total; step++)
                to->values[before + step] = from->values[step / each % axes[a].length];
        }
    }
    methods->length = after;
    return true;
}

void axis_read_methods(struct reader *reader, const struct node *list) {
    const struct field **common = reader->fields;
    struct description *out = reader->out, whole = *out;
    struct axis methods = {0};
    if (list->count == 0)
        reader->status = fail_at(list->place, "method is an empty list; give one or more of: %s", out->methods);
    for (int i = 0; i < list->count; i++) {
        const struct node *entry = &list->items[i], *name = document_item(entry, "name");
        if (!reader_map(reader, entry, "an item of method", "{name: NAME, ...}"))
            continue;
        if (!name || name->kind != NODE_SCALAR) {
            reader->status = fail_at(entry->place, "an item of method has no name; give it one of: %s", out->methods);
            continue;
        }
        /* Read the item as a separate description that has only the common fields and the fields of its method. */
        reader->fields = reader_fields(reader->options, name->text);
        reader->entry = i + 1;
        out->axes = NULL;
        out->axis_count = 0;
        for (int k = 0; k < entry->count; k++)
            if (strcmp(entry->items[k].key, "zip") == 0)
                axis_read_zip(reader, &entry->items[k]);
            else
                reader_item(reader, &entry->items[k], "method", axis_state);
        if (!method_steps(out->pool, &methods, out->axes, out->axis_count))
            reader->status = fail_at(
                entry->place, "the lists under method have more than %d combinations; shorten a list", MOST_STEPS);
        axes_free(out->axes, out->axis_count);
        free(reader->fields);
    }
    out->axes = whole.axes;
    out->axis_count = whole.axis_count;
    reader->fields = common;
    reader->entry = 0;
    *axis_append(out, 0) = methods;
}
