/* Assumptions and citations: `assumptions:` and `stated:` of an experiment file, and of the paper's file. */
#include "experiment/reader.h"

#include "base/file.h"
#include "base/memory.h"
#include "experiment/sample.h"
#include "experiment/value.h"

#include <stdlib.h>
#include <string.h>

const char *range_kind_name(enum range_kind kind) {
    static const char *const names[] = {"likely", "possible"};
    return names[kind];
}

/* ---- Ranges ---- */

static bool is_between(const struct value *value, const struct value *low, const struct value *high) {
    for (int k = 0; k < value->count; k++)
        if (value->number[k] < low->number[k] || value->number[k] > high->number[k])
            return false;
    return true;
}

static bool is_among(const struct value_range *range, const struct value *value) {
    if (range->is_interval)
        return is_between(value, &range->values[0], &range->values[1]);
    for (int v = 0; v < range->count; v++)
        if (value_equal(value, &range->values[v]))
            return true;
    return false;
}

/* Whether the range `inner` is inside the range `outer`. */
static bool range_has(const struct value_range *outer, const struct value_range *inner) {
    if (inner->is_interval && !outer->is_interval)
        return value_equal(&inner->values[0], &inner->values[1]) && is_among(outer, &inner->values[0]);
    for (int v = 0; v < inner->count; v++)
        if (!is_among(outer, &inner->values[v]))
            return false;
    return true;
}

char *range_text(const struct value_range *range) {
    char *text = text_copy("");
    for (int v = 0; v < range->count; v++)
        text_append(&text, "%s%s", !v ? "" : range->is_interval ? " to " : ", ", range->values[v].text);
    return text;
}

/* A range of one value. */
static struct value_range range_of(const struct value *value, struct pool *pool) {
    struct value_range range = {pool_add(pool, memory_new(1, sizeof *range.values)), 1, false};
    range.values[0] = *value;
    return range;
}

static int range_read(struct reader *reader, const struct node *node, const struct field *field, const char *name,
                      struct value_range *out) {
    *out = (struct value_range){NULL, 0, false};
    if (node->kind != NODE_LIST || !node->count)
        return fail_at(node->place,
                       "assumptions: `%s` of %s must be a list: [LOW, HIGH] for an interval of numbers, or the values "
                       "to choose from",
                       name, field->path);
    out->values = pool_add(reader->out->pool, memory_new((size_t)node->count, sizeof *out->values));
    for (int i = 0; i < node->count; i++) {
        struct value *value = &out->values[out->count];
        if (reader_one(reader, &node->items[i], field, value))
            return STATUS_BAD;
        if (is_among(out, value))
            return fail_at(node->items[i].place,
                           "assumptions: `%s` of %s has the value %s twice; write each value once", name, field->path,
                           value->text);
        out->count++;
    }
    out->is_interval = type_numbers(field->type) && out->count == 2;
    if (out->is_interval && !is_between(&out->values[0], &out->values[0], &out->values[1]))
        return fail_at(node->place, "assumptions: `%s` of %s has %s before the lower %s; write the lower value first",
                       name, field->path, out->values[0].text, out->values[1].text);
    return STATUS_OK;
}

/* Read the likely and the possible range of an assumption. The likely range must include the assumption's value. The
 * possible range must include the likely range. */
static int ranges_read(struct reader *reader, const struct node *const nodes[RANGE_COUNT], struct place place,
                       struct assumption *out) {
    const char *path = out->field->path;
    for (int kind = 0; kind < RANGE_COUNT; kind++) {
        struct value_range *range = &out->ranges[kind];
        const char *name = range_kind_name((enum range_kind)kind);
        if (!nodes[kind] && !kind && type_numbers(out->field->type))
            return fail_at(place,
                           "assumptions: %s has no `likely` range; write the values that a reader of the paper "
                           "would choose: [LOW, HIGH]",
                           path);
        if (!nodes[kind])
            *range = kind ? out->ranges[RANGE_LIKELY] : range_of(&out->value, reader->out->pool);
        else if (range_read(reader, nodes[kind], out->field, name, range))
            return STATUS_BAD;
        const struct value_range own = range_of(&out->value, reader->out->pool),
                                 *inner = kind ? &out->ranges[RANGE_LIKELY] : &own;
        if (range_has(range, inner))
            continue;
        AUTO_FREE char *outer_text = range_text(range), *inner_text = range_text(inner);
        return fail_at(nodes[kind] ? nodes[kind]->place : place,
                       "assumptions: `%s` of %s is too narrow: the range %s does not include %s%s", name, path,
                       outer_text, kind ? "the likely range, " : "`value`, ", inner_text);
    }
    return STATUS_OK;
}

/* ---- Dimensions ---- */

bool range_varies(const struct value_range *range, int k) {
    return range->values[0].number[k] < range->values[1].number[k];
}

bool range_is_uniform(const struct value_range *range) {
    for (int v = 0; v < 2; v++)
        for (int k = 1; k < range->values[v].count; k++)
            if (range->values[v].number[k] != range->values[v].number[0])
                return false;
    return true;
}

int assumption_dimensions(const struct assumption *assumption) {
    const struct value_range *range = &assumption->ranges[RANGE_POSSIBLE];
    if (!range->is_interval || range_is_uniform(range))
        return range->count > 1;
    int count = 0;
    for (int k = 0; k < assumption->value.count; k++)
        count += range_varies(range, k);
    return count;
}

bool assumption_varies(const struct assumption *assumption, enum range_kind kind) {
    return assumption->is_used && assumption->ranges[kind].count > 1;
}

/* ---- Assumptions ---- */

static struct assumption *shared_at(struct experiment *experiment, const char *path) {
    for (int i = 0; i < experiment->assumption_count; i++)
        if (experiment->assumptions[i].is_shared && !strcmp(experiment->assumptions[i].field->path, path))
            return &experiment->assumptions[i];
    return NULL;
}

/* A text of one sentence or more; NULL, and a message, if it is missing. */
static const char *sentence_read(struct reader *reader, const struct node *node, struct place place, const char *path,
                                 const char *key, const char *advice) {
    if (node && node->kind == NODE_SCALAR && strspn(node->text, " \t\n") < strlen(node->text))
        return pool_add(reader->out->pool, text_copy(node->text));
    reader->status = fail_at(node ? node->place : place, "assumptions: %s has no `%s`; %s", path, key, advice);
    return NULL;
}

/* Whether a node is a list with one item, the assumption's value. */
static bool is_only_value(struct reader *reader, const struct node *node, const struct assumption *own) {
    struct value one;
    return node->kind == NODE_LIST && node->count == 1 &&
           reader_one(reader, &node->items[0], own->field, &one) == STATUS_OK && !strcmp(one.text, own->value.text);
}

/* Give a shared assumption the value and the reason of the experiment's file. The assumption keeps the ranges of the
 * paper's file. Exception: if the experiment's file has `likely: [VALUE]`, both ranges become this one value, which may
 * be outside the ranges of the paper's file. */
static int share(struct reader *reader, const struct node *const nodes[RANGE_COUNT], struct assumption *shared,
                 const struct assumption *own) {
    const bool is_fixed =
        nodes[RANGE_LIKELY] && !nodes[RANGE_POSSIBLE] && is_only_value(reader, nodes[RANGE_LIKELY], own);
    for (int kind = 0; kind < RANGE_COUNT; kind++)
        if (nodes[kind] && !is_fixed)
            return fail_at(nodes[kind]->place,
                           "assumptions: the ranges of %s are in the paper's file, line %d; give only `value` and "
                           "`why` here, or also `likely: [%s]` if this experiment does not vary the value",
                           own->field->path, shared->place.line, own->value.text);
    if (is_fixed) {
        for (int kind = 0; kind < RANGE_COUNT; kind++)
            shared->ranges[kind] = range_of(&own->value, reader->out->pool);
        shared->source = "";
    } else if (!is_among(&shared->ranges[RANGE_LIKELY], &own->value)) {
        AUTO_FREE char *text = range_text(&shared->ranges[RANGE_LIKELY]);
        return fail_at(
            own->place,
            "assumptions: %s is %s, outside the likely range of the paper's file (%s); choose a value inside",
            own->field->path, own->value.text, text);
    }
    shared->value = own->value;
    shared->why = own->why;
    shared->place = own->place;
    shared->is_used = true;
    return STATUS_OK;
}

void assumption_read(struct reader *reader, const struct field *field, const struct node *node) {
    const struct node *value = document_item(node, "value"), *source = document_item(node, "source"),
                      *ranges[RANGE_COUNT] = {document_item(node, "likely"), document_item(node, "possible")};
    struct assumption own = {.field = field, .place = node->key_place, .is_shared = reader->is_shared, .source = ""};
    if (!reader_once(reader, field->path, node->key_place, false) ||
        !reader_map(reader, node, field->path, "{value: ..., likely: [LOW, HIGH], possible: [LOW, HIGH], why: ...}"))
        return;
    if (strcmp(field->path, "method.name") == 0 || strcmp(field->path, "backend") == 0) {
        reader->status =
            fail_at(node->key_place,
                    "%s cannot be an assumption; set it as a field, and give its source under `stated:`", field->path);
        return;
    }
    int status = STATUS_OK;
    for (int i = 0; i < node->count; i++)
        if (!words_have("value likely possible why source", node->items[i].key, strlen(node->items[i].key)))
            status = fail_at(node->items[i].key_place,
                             "assumptions: %s has the key %.60s; the allowed keys are `value`, `likely`, `possible`, "
                             "`why` and `source`",
                             field->path, node->items[i].key);
    own.why = sentence_read(reader, document_item(node, "why"), node->key_place, field->path, "why",
                            "give the reason for this value in a sentence");
    if (ranges[RANGE_POSSIBLE])
        own.source = sentence_read(reader, source, node->key_place, field->path, "source",
                                   "write who has used the values of the possible range");
    if (!value)
        status = fail_at(node->key_place, "assumptions: %s has no `value`; write the chosen value", field->path);
    else if (reader_one(reader, value, field, &own.value) != STATUS_OK)
        status = STATUS_BAD;
    struct assumption *shared = reader->is_shared ? NULL : shared_at(reader->experiment, field->path);
    if (!status)
        status = shared ? share(reader, ranges, shared, &own) : ranges_read(reader, ranges, node->key_place, &own);
    reader->status |= status;
    own.dimension_count = status || shared ? 0 : assumption_dimensions(&own);
    own.is_used = !own.is_shared; /* for a shared assumption, mark_used_assumptions sets it later */
    if (!status && own.why && own.source && !shared)
        *ARRAY_ADD(reader->experiment->assumptions, reader->experiment->assumption_count) = own;
}

void assumptions_place(struct experiment *experiment) {
    int dimension = 0;
    for (int i = 0; i < experiment->assumption_count; i++) {
        experiment->assumptions[i].dimension = dimension;
        dimension += experiment->assumptions[i].dimension_count;
    }
}

/* ---- The paper's file ---- */

/* Read a shared assumption. Several methods may have a field of this path. The first field that allows the values is
 * used: the fields of the experiment's methods are tried first, then the fields of all methods. If only other methods
 * have the field, the assumption is read too, because its numbers count as dimensions (sample.h). */
static void read_shared(struct reader *reader, const struct field *field, const struct node *node) {
    const struct field **all = reader->fields, **const lists[] = {reader->own_fields, all};
    const int before = reader->experiment->assumption_count, status = reader->status;
    const struct failure_mark mark = failure_mark();
    for (int l = 0; l < 2; l++)
        for (const struct field **at = lists[l]; *at && reader->experiment->assumption_count == before; at++) {
            const struct field *one[] = {*at, NULL};
            if (strcmp((*at)->path, field->path) != 0)
                continue;
            failure_rewind(mark);
            reader->status = status;
            reader->fields = one;
            reader->out->location_count = 0;
            assumption_read(reader, *at, node);
            reader->fields = all;
        }
}

static const char *const shared_keys[] = {"springback", "paper", "title", "assumptions"};

int assumptions_read_shared(struct reader *reader, char **file) {
    AUTO_FREE char *name = text_copy(reader->experiment->file);
    char *slash = strrchr(name, '/'), *text;
    if (!slash)
        return STATUS_OK;
    *slash = 0;
    *file = pool_add(reader->out->pool, text_format("%s.yaml", name));
    if (!file_exists(*file))
        return STATUS_OK;
    AUTO(document_free) struct node root = {0};
    int status = document_load(*file, &text);
    if (!status)
        status = document_parse(text, *file, true, &root);
    pool_add(reader->out->pool, text);
    if (status || !reader_map(reader, &root, "the paper's file", "springback: 1, paper: ..., assumptions: {...}"))
        return STATUS_BAD;
    for (int i = 0; i < root.count; i++) {
        bool is_known = false;
        for (size_t k = 0; k < sizeof shared_keys / sizeof *shared_keys; k++)
            is_known = is_known || !strcmp(root.items[i].key, shared_keys[k]);
        if (!is_known)
            reader->status = fail_at(root.items[i].key_place,
                                     "the paper's file has the key %.60s; the allowed keys are `springback`, `paper`, "
                                     "`title` and `assumptions`",
                                     root.items[i].key);
    }
    const struct node *assumptions = document_item(&root, "assumptions");
    reader->own_fields = reader->fields;
    reader->fields = reader_fields(reader->options, "");
    reader->is_shared = reader->assuming = true;
    if (assumptions && reader_map(reader, assumptions, "assumptions", "{time.step: {value: ..., why: ...}}"))
        reader_walk(reader, assumptions, "", read_shared);
    reader->is_shared = reader->assuming = false;
    free(reader->fields);
    reader->fields = reader->own_fields;
    reader->out->location_count = 0; /* the experiment may state a value that the paper's file assumes */
    return reader->status;
}

/* ---- Citations ---- */

void citation_read(struct reader *reader, const struct field *field, const struct node *node) {
    struct experiment *experiment = reader->experiment;
    for (int c = 0; c < experiment->citation_count; c++)
        if (!strcmp(experiment->citations[c].field->path, field->path)) {
            reader->status = fail_at(node->key_place, "stated: %s is here and at line %d; keep one of them",
                                     field->path, experiment->citations[c].place.line);
            return;
        }
    if (node->kind != NODE_SCALAR || !*node->text) {
        reader->status = fail_at(node->place, "stated: %s is %s; write where the source states it, such as Sec. 5",
                                 field->path, node->kind == NODE_SCALAR ? "empty" : document_kind(node));
        return;
    }
    *ARRAY_ADD(experiment->citations, experiment->citation_count) =
        (struct citation){field, pool_add(reader->out->pool, text_copy(node->text)), node->key_place};
}

/* Beginnings of the paths that need no source. A key with such a path changes no result, or changes results only as
 * rounding does (body.noise), or names a method, or the preparation or the required properties of a mesh file. */
static const char *const without_source[] = {"record.",
                                             "backend",
                                             "time.repeats",
                                             "time.read_back",
                                             "method.name",
                                             "body.cloth.neighbours",
                                             "scene.collisions",
                                             "body.surface.clean",
                                             "body.surface.requires",
                                             "body.noise"};

/* Defaults that switch off a feature of a scene, a body or a method. `path`, `value`: the key and its default. `idle`:
 * the beginnings of the paths of the keys that have no effect without the feature. */
static const struct {
    const char *path, *value;
    const char *idle[2];
} absences[] = {
    {"body.noise", "0", {NULL}},
    {"body.surface.pins", "none", {"body.surface.pins_depth"}},
    {"body.surface.length", "0 m", {NULL}}, /* the mesh keeps its size */
    {"method.weight_radius", "0 m", {"method.weight_"}},
    {"scene.plate.until", "1e+06 s", {NULL}},
};

/* Whether the value of a parameter is a default that switches a feature off, or the default of a key that has no effect
 * without that feature. */
static bool is_absence(const struct run *run, const struct parameter *parameter) {
    const char *path = parameter->field->path;
    for (size_t a = 0; a < sizeof absences / sizeof *absences; a++) {
        const struct parameter *key = run_parameter(run, absences[a].path);
        if (!key || key->origin != ORIGIN_DEFAULT || strcmp(key->value.text, absences[a].value) != 0)
            continue;
        if (!strcmp(path, absences[a].path))
            return true;
        for (int i = 0; i < 2 && absences[a].idle[i]; i++)
            if (parameter->origin == ORIGIN_DEFAULT && !strncmp(path, absences[a].idle[i], strlen(absences[a].idle[i])))
                return true;
    }
    return false;
}

static const struct citation *citation_of(const struct experiment *experiment, const char *path) {
    for (int c = 0; c < experiment->citation_count; c++)
        if (!strcmp(experiment->citations[c].field->path, path))
            return &experiment->citations[c];
    return NULL;
}

char *parameter_source(const struct experiment *experiment, const struct run *run, const struct parameter *parameter) {
    const char *path = parameter->field->path;
    const struct citation *citation = citation_of(experiment, path);
    if (parameter->origin == ORIGIN_DEFAULT || parameter->origin == ORIGIN_STATED) {
        if (citation)
            return text_format("stated (%s)", citation->where);
        for (size_t w = 0; w < sizeof without_source / sizeof *without_source; w++)
            if (!strncmp(path, without_source[w], strlen(without_source[w])))
                return text_copy(origin_name(parameter->origin));
        return is_absence(run, parameter) ? text_copy("absent") : NULL;
    }
    return text_copy(origin_name(parameter->origin));
}
