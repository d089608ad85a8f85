#include "experiment/form.h"

#include "experiment/spelling.h"
#include "experiment/value.h"

#include <stdlib.h>
#include <string.h>

int form_open(const char *file, struct form *form) {
    AUTO_FREE char *text = NULL;
    *form = (struct form){.file = text_copy(file)};
    form->status = document_load(file, &text);
    if (!form->status)
        form->status = document_parse(text, form->file, true, &form->root);
    return form->status;
}

void form_close(struct form *form) {
    document_free(&form->root);
    pool_free(&form->pool);
    free(form->file);
    *form = (struct form){.file = NULL};
}

void form_text(struct form *form, const struct node *node, void *field) {
    if (node->kind == NODE_SCALAR && *node->text)
        *(const char **)field = node->text;
    else
        form->status = fail_at(node->place, "`%s` needs one value; write a word, a number or a text", node->key);
}

void form_words(struct form *form, const struct node *node, void *field) {
    if (node->kind != NODE_LIST || !node->count) {
        form_text(form, node, field);
        return;
    }
    char *words = text_copy("");
    for (int i = 0; i < node->count; i++) {
        const struct node *item = &node->items[i];
        if (item->kind == NODE_SCALAR && *item->text)
            text_append(&words, "%s%s", i ? " " : "", item->text);
        else
            form->status =
                fail_at(item->place, "an item of `%s` is not a word; write a list of words or numbers", node->key);
    }
    *(const char **)field = pool_add(&form->pool, words);
}

bool form_is_map(struct form *form, const struct node *node, const char *what, const char *words) {
    if (node->kind != NODE_MAP) {
        form->status =
            fail_at(node->place, "%s is %s; it must be a map with the keys %s", what, document_kind(node), words);
        return false;
    }
    for (int i = 0; i < node->count; i++) {
        const struct node *item = &node->items[i];
        if (words_have(words, item->key, strlen(item->key)))
            continue;
        AUTO_FREE char *advice = spelling_advice(item->key, words);
        form->status = fail_at(item->key_place, "%s has no key %.60s; %s", what, item->key, advice);
    }
    return true;
}

bool form_read_map(struct form *form, const struct node *node, const char *what, const struct form_key *keys,
                   void *record) {
    AUTO_FREE char *words = text_copy(keys->name);
    for (const struct form_key *key = keys + 1; key->name; key++)
        text_append(&words, " %s", key->name);
    if (!form_is_map(form, node, what, words))
        return false;
    form_read_keys(form, node, what, keys, record);
    return true;
}

void form_read_keys(struct form *form, const struct node *map, const char *what, const struct form_key *keys,
                    void *record) {
    for (const struct form_key *key = keys; key->name; key++) {
        const struct node *item = document_item(map, key->name);
        if (item)
            key->read(form, item, (char *)record + key->offset);
        else if (key->missing && *key->missing)
            form->status = fail_at(map->place, "%s", key->missing);
        else if (key->missing)
            form_needs(form, map, what, key->name);
    }
}

void form_needs(struct form *form, const struct node *map, const char *what, const char *words) {
    AUTO_FREE char *copy = text_copy(words);
    for (char *rest = copy, *word; (word = strsep(&rest, " "));)
        if (*word && !document_item(map, word))
            form->status = fail_at(map->place, "%s lacks the key %s", what, word);
}

int form_choice(struct form *form, const struct node *node, const char *what, const char *words) {
    const char *name = NULL;
    form_text(form, node, &name);
    const int index = name ? words_index(words, name) : -1;
    if (!name || index >= 0)
        return index;
    AUTO_FREE char *advice = spelling_advice(name, words);
    form->status = fail_at(node->place, "there is no %s %.60s; %s", what, name, advice);
    return -1;
}

void form_refuse_if(struct form *form, bool is_wrong, struct place place, const char *message) {
    if (is_wrong)
        form->status = fail_at(place, "%s", message);
}
