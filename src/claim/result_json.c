/* A claim's result as JSON, for `check --json` and verdicts.json. */
#include "base/memory.h"
#include "claim/claim.h"

#include <stddef.h>
#include <string.h>

struct field {
    const char *key;
    size_t offset; /* bytes from the start of a struct claim_result; in `assumed`, of a struct trace_parameter */
};

static const struct field texts[] = {
    {"id", offsetof(struct claim_result, id)},
    {"paper", offsetof(struct claim_result, paper)},
    {"where", offsetof(struct claim_result, where)},
    {"kind", offsetof(struct claim_result, kind)},
    {"class", offsetof(struct claim_result, class)},
    {"fact", offsetof(struct claim_result, fact)},
    {"says", offsetof(struct claim_result, says)},
    {"reported", offsetof(struct claim_result, reported)},
    {"measured", offsetof(struct claim_result, measured)},
    {"interval", offsetof(struct claim_result, interval)},
    {"why", offsetof(struct claim_result, why)},
    {"direction", offsetof(struct claim_result, direction)},
    {"stand_in", offsetof(struct claim_result, stand_in)},
    {"short", offsetof(struct claim_result, brief)},
    {"explained", offsetof(struct claim_result, explained)},
    {"tier", offsetof(struct claim_result, tier)},
    {"experiment", offsetof(struct claim_result, experiment)},
    {"outdated", offsetof(struct claim_result, outdated)},
    {"set", offsetof(struct claim_result, set)},
    {"command", offsetof(struct claim_result, command)},
};

static const struct field flags[] = {
    {"headline", offsetof(struct claim_result, is_headline)},
    {"timed", offsetof(struct claim_result, is_timed)},
    {"unrun", offsetof(struct claim_result, is_unrun)},
    {"partly_run", offsetof(struct claim_result, is_partly_run)},
    {"incomplete", offsetof(struct claim_result, is_incomplete)},
};

static const struct field assumed[] = {
    {"path", offsetof(struct trace_parameter, path)}, {"value", offsetof(struct trace_parameter, value)},
    {"low", offsetof(struct trace_parameter, low)},   {"high", offsetof(struct trace_parameter, high)},
    {"why", offsetof(struct trace_parameter, why)},
};

#define COUNT(table)              ((int)(sizeof(table) / sizeof *(table)))
#define MEMBER(type, item, field) (*(type *)((char *)(item) + (field)->offset))

/* ---- Writing ---- */

static void set_texts(json_t *object, const void *item, const struct field *fields, int count) {
    for (int f = 0; f < count; f++)
        json_object_set_new(object, fields[f].key, json_text(MEMBER(const char *, item, &fields[f])));
}

static json_t *list_json(const char *const *items, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_text(items[i]));
    return list;
}

json_t *claim_result_json(const struct claim_result *result) {
    json_t *object = json_object(), *assumptions = json_array();
    set_texts(object, result, texts, COUNT(texts));
    for (int f = 0; f < COUNT(flags); f++)
        json_object_set_new(object, flags[f].key, json_boolean(MEMBER(bool, result, &flags[f])));
    json_object_set_new(object, "verdict", json_string(verdict_name(result->verdict)));
    json_object_set_new(object, "chosen_verdict", json_string(verdict_name(result->chosen_verdict)));
    json_object_set_new(object, "recorded",
                        result->has_recorded ? json_string(verdict_name(result->recorded)) : json_null());
    json_object_set_new(object, "changed", json_boolean(claim_result_changed(result)));
    json_object_set_new(object, "traces", list_json(result->traces, result->trace_count));
    json_object_set_new(object, "files", list_json(result->files, result->trace_count));
    for (int a = 0; a < result->assumption_count; a++) {
        json_t *assumption = json_object();
        set_texts(assumption, &result->assumptions[a], assumed, COUNT(assumed));
        json_array_append_new(assumptions, assumption);
    }
    json_object_set_new(object, "assumptions", assumptions);
    json_object_set_new(object, "sensitivity", result->sensitivity ? json_incref(result->sensitivity) : json_null());
    return object;
}

void claim_report_json(const struct claim_report *report, FILE *out) {
    for (int i = 0; i < report->count; i++)
        json_print(claim_result_json(&report->results[i]), out);
}

bool claim_result_example(const struct claim_result *result, const char *kind, struct claim_example *out) {
    const json_t *example = json_object_get(result->sensitivity, kind);
    *out = (struct claim_example){.options = json_string_value(json_object_get(example, "options")),
                                  .measured = json_string_value(json_object_get(example, "measured")),
                                  .tier = json_string_value(json_object_get(example, "tier"))};
    return out->options && out->measured && out->tier;
}

/* ---- Reading ---- */

static bool read_text(json_t *value, struct pool *pool, const char **out) {
    const char *text = json_string_value(value);
    *out = text ? pool_add(pool, text_copy(text)) : "";
    return text;
}

static bool read_texts(json_t *object, struct pool *pool, const struct field *fields, int count, void *item) {
    bool is_right = json_is_object(object);
    for (int f = 0; f < count && is_right; f++)
        is_right = read_text(json_object_get(object, fields[f].key), pool, &MEMBER(const char *, item, &fields[f]));
    return is_right;
}

static bool read_list(json_t *list, struct pool *pool, int count, const char ***out) {
    bool is_right = json_is_array(list) && json_array_size(list) == (size_t)count;
    *out = pool_add(pool, memory_new((size_t)count + 1, sizeof **out));
    for (int i = 0; i < count && is_right; i++)
        is_right = read_text(json_array_get(list, (size_t)i), pool, &(*out)[i]);
    return is_right;
}

static bool read_verdict(json_t *value, enum verdict *out) {
    const char *name = json_string_value(value);
    return name && verdict_of_name(name, out);
}

bool claim_result_read(json_t *object, struct claim_report *report, struct claim_result *out) {
    struct pool *pool = &report->pool;
    json_t *assumptions = json_object_get(object, "assumptions"), *recorded = json_object_get(object, "recorded");
    *out = (struct claim_result){.trace_count = (int)json_array_size(json_object_get(object, "traces")),
                                 .assumption_count = (int)json_array_size(assumptions),
                                 .has_recorded = !json_is_null(recorded)};
    bool is_right = json_is_plain(object) && read_texts(object, pool, texts, COUNT(texts), out) &&
                    read_verdict(json_object_get(object, "verdict"), &out->verdict) &&
                    read_verdict(json_object_get(object, "chosen_verdict"), &out->chosen_verdict) &&
                    (!out->has_recorded || read_verdict(recorded, &out->recorded)) &&
                    read_list(json_object_get(object, "traces"), pool, out->trace_count, &out->traces) &&
                    read_list(json_object_get(object, "files"), pool, out->trace_count, &out->files);
    for (int f = 0; f < COUNT(flags) && is_right; f++) {
        json_t *flag = json_object_get(object, flags[f].key);
        MEMBER(bool, out, &flags[f]) = json_is_true(flag);
        is_right = json_is_boolean(flag);
    }
    out->assumptions = pool_add(pool, memory_new((size_t)out->assumption_count + 1, sizeof *out->assumptions));
    for (int a = 0; a < out->assumption_count && is_right; a++)
        is_right =
            read_texts(json_array_get(assumptions, (size_t)a), pool, assumed, COUNT(assumed), &out->assumptions[a]);
    json_t *sensitivity = json_object_get(object, "sensitivity");
    out->sensitivity = json_is_object(sensitivity) ? json_incref(sensitivity) : NULL;
    return is_right;
}
