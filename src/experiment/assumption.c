#include "experiment/reader.h"

#include "base/memory.h"
#include "experiment/value.h"

#include <string.h>

static bool inside(const struct value *value, const struct value *low, const struct value *high) {
    for (int k = 0; k < value->count; k++)
        if (value->number[k] < low->number[k] || value->number[k] > high->number[k])
            return false;
    return true;
}

static int read_range(struct reader *reader, const struct node *range, struct place place, struct assumption *out) {
    const char *path = out->field->path;
    if (!type_numbers(out->field->type)) {
        out->low = out->high = out->value;
        return range ? fail_at(range->place,
                               "assumptions: %s has no range, since it is no number; leave the range out, "
                               "and name other values as samples",
                               path)
                     : STATUS_OK;
    }
    if (!range)
        return fail_at(
            place, "assumptions: %s has no range; say how far it may plausibly lie, as in range: [LOW, HIGH]", path);
    if (range->kind != NODE_LIST || range->count != 2)
        return fail_at(range->place, "assumptions: the range of %s must be two values: [LOW, HIGH]", path);
    int status = reader_one(reader, &range->items[0], out->field, &out->low) |
                 reader_one(reader, &range->items[1], out->field, &out->high);
    if (status != STATUS_OK)
        return status;
    if (!inside(&out->low, &out->low, &out->high))
        return fail_at(range->place,
                       "assumptions: the range of %s goes from %s down to %s; write the lower value first", path,
                       out->low.text, out->high.text);
    if (!inside(&out->value, &out->low, &out->high))
        return fail_at(range->place, "assumptions: %s is %s, outside its range from %s to %s; widen the range", path,
                       out->value.text, out->low.text, out->high.text);
    return STATUS_OK;
}

static int read_samples(struct reader *reader, const struct node *samples, struct assumption *out) {
    if (samples->kind != NODE_LIST)
        return fail_at(samples->place, "assumptions: the samples of %s must be a list of values", out->field->path);
    int status = STATUS_OK;
    out->samples = pool_add(reader->out->pool, memory_new((size_t)samples->count, sizeof *out->samples));
    for (int i = 0; i < samples->count; i++) {
        struct value *sample = &out->samples[out->sample_count];
        const struct node *node = &samples->items[i];
        if (reader_one(reader, node, out->field, sample) != STATUS_OK) {
            status = STATUS_BAD;
            continue;
        }
        out->sample_count++;
        for (int j = 0; j < out->sample_count - 1; j++)
            if (value_equal(sample, &out->samples[j]))
                status = fail_at(node->place, "assumptions: %s has the sample %s twice; name each once",
                                 out->field->path, sample->text);
        if (out->high.text && !inside(sample, &out->low, &out->high))
            status = fail_at(node->place, "assumptions: the sample %s of %s is outside the range from %s to %s",
                             sample->text, out->field->path, out->low.text, out->high.text);
    }
    return status;
}

void assumption_read(struct reader *reader, const struct field *field, const struct node *node) {
    const struct node *value = document_item(node, "value"), *range = document_item(node, "range"),
                      *samples = document_item(node, "samples"), *why = document_item(node, "why");
    struct assumption assumption = {.field = field, .place = node->key_place};
    if (!reader_once(reader, field->path, node->key_place, false) ||
        !reader_map(reader, node, field->path, "{value: ..., range: [LOW, HIGH], samples: [...], why: ...}"))
        return;
    if (strcmp(field->path, "method.name") == 0 || strcmp(field->path, "backend") == 0) {
        reader->status = fail_at(node->key_place, "%s cannot be an assumption; state it, or sweep it", field->path);
        return;
    }
    int status = STATUS_OK;
    for (int i = 0; i < node->count; i++)
        if (!words_have("value range samples why", node->items[i].key, strlen(node->items[i].key)))
            status = fail_at(node->items[i].key_place,
                             "assumptions: %s has the key %.60s; it may have value, range, samples and why",
                             field->path, node->items[i].key);
    if (!why || why->kind != NODE_SCALAR || strspn(why->text, " \t\n") == strlen(why->text))
        status = fail_at(why ? why->place : node->key_place,
                         "assumptions: %s has no why; say in a sentence why this value is taken", field->path);
    if (!value)
        status = fail_at(node->key_place, "assumptions: %s has no value; write the value that is taken", field->path);
    else if (reader_one(reader, value, field, &assumption.value) != STATUS_OK)
        status = STATUS_BAD;
    else
        status |= read_range(reader, range, node->key_place, &assumption);
    if (samples && assumption.value.text)
        status |= read_samples(reader, samples, &assumption);
    assumption.why = pool_add(reader->out->pool, text_copy(why && why->text ? why->text : ""));
    reader->status |= status;
    if (status == STATUS_OK)
        *ARRAY_ADD(reader->experiment->assumptions, reader->experiment->assumption_count) = assumption;
}
