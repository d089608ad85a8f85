#include "experiment/value.h"

#include "experiment/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For each type: how many numbers a value has, whether they are whole, and the words for messages. */
static const struct {
    int numbers;
    bool whole;
    const char *name, *shape;
} types[] = {
    [TYPE_INTEGER] = {1, true, "whole number", "a whole number, as in 5"},
    [TYPE_REAL] = {1, false, "number", "a number"},
    [TYPE_PAIR] = {2, true, "two whole numbers", "two whole numbers, as in [52, 52]"},
    [TYPE_REAL2] = {2, false, "two numbers", "two numbers, as in [A, B]"},
    [TYPE_REAL3] = {3, false, "three numbers", "three numbers, as in [X, Y, Z]"},
    [TYPE_CHOICE] = {0, false, "word", "a word"},
    [TYPE_SET] = {0, false, "list of words", "a list of words"},
    [TYPE_TEXT] = {0, false, "text", "a text"},
};

int type_numbers(enum value_type type) {
    return types[type].numbers;
}

const char *type_name(enum value_type type) {
    return types[type].name;
}

bool value_equal(const struct value *a, const struct value *b) {
    return strcmp(a->text, b->text) == 0;
}

static int index_of(const char *words, const char *word, size_t length) {
    int index = 0;
    for (const char *at = words; length && *at; at += strcspn(at, " "), at += strspn(at, " "), index++)
        if (strcspn(at, " ") == length && memcmp(at, word, length) == 0)
            return index;
    return -1;
}

bool words_have(const char *words, const char *word, size_t length) {
    return index_of(words, word, length) >= 0;
}

int words_index(const char *words, const char *word) {
    return index_of(words, word, strlen(word));
}

/* ---- Numbers ---- */

/* "52 52", "0 -9.8 0 m/s^2": the numbers, and the unit if the field has one. */
static char *numbers_text(const struct field *field, const double *numbers, int count) {
    char text[3 * NUMBER_SIZE] = "", one[NUMBER_SIZE];
    for (int k = 0; k < count; k++) {
        if (types[field->type].whole)
            snprintf(one, sizeof one, "%.0f", numbers[k]);
        else
            number_write(numbers[k], one);
        snprintf(text + strlen(text), sizeof text - strlen(text), k ? " %s" : "%s", one);
    }
    return strcmp(field->unit, "1") == 0 ? text_copy(text) : text_format("%s %s", text, field->unit);
}

struct value value_make(const struct field *field, const double *numbers, struct pool *pool) {
    struct value value = {.count = types[field->type].numbers};
    for (int k = 0; k < value.count; k++)
        value.number[k] = numbers[k];
    value.text = pool_add(pool, numbers_text(field, numbers, value.count));
    return value;
}

int value_check_bounds(struct place place, const struct field *field, const struct value *value) {
    for (int k = 0; k < value->count; k++) {
        double number = value->number[k];
        if (number >= field->least && number <= field->most && !(field->above_least && number == field->least))
            continue;
        AUTO_FREE char *found = numbers_text(field, &number, 1), *least = numbers_text(field, &field->least, 1),
                       *most = numbers_text(field, &field->most, 1);
        return fail_at(place, "%s: %s is out of bounds; it must be %s%s%s%s%s", field->path, found,
                       isfinite(field->least) ? field->above_least ? "above " : "at least " : "",
                       isfinite(field->least) ? least : "",
                       isfinite(field->least) && isfinite(field->most) ? " and " : "",
                       isfinite(field->most) ? "at most " : "", isfinite(field->most) ? most : "");
    }
    return STATUS_OK;
}

static int wrong_shape(const struct node *node, const struct field *field) {
    return fail_at(node->place, "%s is %s; it must be %s", field->path, document_kind(node), types[field->type].shape);
}

static int read_numbers(const struct node *node, const struct field *field, struct pool *pool, struct value *out) {
    const int wanted = types[field->type].numbers;
    const bool is_whole = types[field->type].whole;
    const char *shape = types[field->type].shape;
    const struct node *items = wanted == 1 ? node : node->items;
    if (wanted == 1 ? node->kind != NODE_SCALAR : node->kind != NODE_LIST)
        return wrong_shape(node, field);
    if (wanted > 1 && node->count != wanted)
        return fail_at(node->place, "%s has %d items; it must be %s", field->path, node->count, shape);
    for (int k = 0; k < wanted; k++) {
        if (items[k].kind != NODE_SCALAR)
            return fail_at(items[k].place, "%s contains %s; it must be %s", field->path, document_kind(&items[k]),
                           shape);
        const bool bare_zero = wanted > 1 && strcmp(items[k].text, "0") == 0,
                   is_count = is_whole && !strcmp(field->unit, "1");
        if (!bare_zero &&
            (is_count ? unit_read_like(items[k].place, field->path, items[k].text, "1", "5", &out->number[k])
                      : unit_read(items[k].place, field->path, items[k].text, field->unit, &out->number[k])))
            return STATUS_BAD;
        if (is_whole && out->number[k] != floor(out->number[k]))
            return fail_at(items[k].place, "%s: \"%.60s\" is not a whole number; expected %s", field->path,
                           items[k].text, shape);
        struct value one = {.count = 1, .number = {out->number[k]}};
        if (value_check_bounds(items[k].place, field, &one) != STATUS_OK)
            return STATUS_BAD;
    }
    *out = value_make(field, out->number, pool);
    return STATUS_OK;
}

/* ---- Words ---- */

/* Whether a text is WORD:NUMBER and the choices have WORD:LEAST... with LEAST <= NUMBER. NUMBER has at most four
 * digits. */
static bool is_numbered_choice(const char *choices, const char *text) {
    const char *colon = strchr(text, ':'), *number = colon ? colon + 1 : "";
    const size_t head = (size_t)(number - text), digits = strspn(number, "0123456789");
    if (!colon || !digits || digits > 4 || number[digits] || (number[0] == '0' && digits > 1))
        return false;
    for (const char *at = choices; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (length > head + 3 && !memcmp(at, text, head) && !memcmp(at + length - 3, "...", 3))
            return strtol(number, NULL, 10) >= strtol(at + head, NULL, 10);
        at += length;
    }
    return false;
}

static int read_choice(const struct node *node, const struct field *field, const char *choices) {
    if (node->kind != NODE_SCALAR)
        return wrong_shape(node, field);
    if ((words_index(choices, node->text) >= 0 && !strstr(node->text, "...")) ||
        is_numbered_choice(choices, node->text))
        return STATUS_OK;
    return fail_at(node->place, "%s: \"%.60s\" is not known; it must be one of: %s", field->path, node->text, choices);
}

/* Read a set. out->text has the words in the order of the choices, not in the order of the file. */
static int read_set(const struct node *node, const struct field *field, const char *choices, struct pool *pool,
                    struct value *out) {
    const struct node *items = node->kind == NODE_LIST ? node->items : node;
    int count = node->kind == NODE_LIST ? node->count : 1, status = STATUS_OK;
    if (count == 0)
        return fail_at(node->place, "%s is empty; it must have one or more of: %s", field->path, choices);
    for (int i = 0; i < count; i++) {
        if (read_choice(&items[i], field, choices) != STATUS_OK) {
            status = STATUS_BAD;
            continue;
        }
        for (int j = 0; j < i; j++)
            if (items[j].kind == NODE_SCALAR && strcmp(items[i].text, items[j].text) == 0)
                status = fail_at(items[i].place, "%s has %s twice; write each word once", field->path, items[i].text);
    }
    if (status != STATUS_OK)
        return status;
    char *text = text_copy("");
    for (const char *at = choices; *at; at += strcspn(at, " "), at += strspn(at, " "))
        for (int i = 0; i < count; i++)
            if (words_index(at, items[i].text) == 0)
                text_append(&text, "%s%s", *text ? " " : "", items[i].text);
    out->text = pool_add(pool, text);
    return STATUS_OK;
}

static int read_text(const struct node *node, const struct field *field, struct pool *pool, struct value *out) {
    if (node->kind != NODE_SCALAR)
        return wrong_shape(node, field);
    if (!node->text[0])
        return fail_at(node->place, "%s has no value; write %s", field->path, types[field->type].shape);
    out->text = pool_add(pool, text_copy(node->text));
    return STATUS_OK;
}

/* ---- One value, or many ---- */

int value_read(const struct node *node, const struct field *field, const char *choices, struct pool *pool,
               struct value *out) {
    memset(out, 0, sizeof *out);
    if (types[field->type].numbers)
        return read_numbers(node, field, pool, out);
    if (field->type == TYPE_SET)
        return read_set(node, field, choices, pool, out);
    if (field->type == TYPE_TEXT)
        return read_text(node, field, pool, out);
    return read_choice(node, field, choices) ? STATUS_BAD : read_text(node, field, pool, out);
}

int value_parse(const char *text, const char *source, const struct field *field, const char *choices, struct pool *pool,
                struct value *out) {
    AUTO(document_free) struct node node;
    return document_parse(text, source, false, &node) || value_read(&node, field, choices, pool, out) ? STATUS_BAD
                                                                                                      : STATUS_OK;
}

/* Whether a node has several values of a type: a list, or a list of lists for the types that are lists. */
static bool is_sweep(const struct node *node, enum value_type type) {
    if (node->kind != NODE_LIST)
        return false;
    if (types[type].numbers <= 1 && type != TYPE_SET)
        return true;
    for (int i = 0; i < node->count; i++)
        if (node->items[i].kind == NODE_LIST)
            return true;
    return false;
}

int values_read(const struct node *node, const struct field *field, const char *choices, bool zip, struct pool *pool,
                struct value **values, int *count) {
    const bool sweep = is_sweep(node, field->type);
    *values = NULL;
    *count = 0;
    if (zip && !sweep)
        return fail_at(node->place, "%s is %s; in a zip it must be a list of values, each %s", field->path,
                       node->kind == NODE_LIST ? "one value" : document_kind(node), types[field->type].shape);
    if (sweep && node->count == 0)
        return fail_at(node->place, "%s is an empty list; write one value or a list of values", field->path);
    int length = sweep ? node->count : 1, status = STATUS_OK;
    struct value *read = pool_add(pool, memory_new((size_t)length, sizeof *read));
    for (int i = 0; i < length; i++) {
        const struct node *item = sweep ? &node->items[i] : node;
        status |= value_read(item, field, choices, pool, &read[i]);
        for (int j = 0; j < i && !zip && read[i].text; j++)
            if (read[j].text && value_equal(&read[i], &read[j])) {
                status = fail_at(item->place, "%s: %s is twice in the list; write each value once", field->path,
                                 read[i].text);
                break;
            }
    }
    if (status != STATUS_OK)
        return STATUS_BAD;
    *values = read;
    *count = length;
    return STATUS_OK;
}
