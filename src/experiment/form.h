/* A YAML file that is read with tables of keys. Each row of a table has a key and the member of a C struct (the record)
 * that the key's value fills.
 *
 * Every mistake is reported at its place and sets `status`. Reading continues, so one pass reports all mistakes. */
#ifndef SPRINGBACK_EXPERIMENT_FORM_H
#define SPRINGBACK_EXPERIMENT_FORM_H

#include "base/memory.h"
#include "experiment/document.h"

struct form {
    char *file;       /* the name of the file; places point to this text */
    struct node root; /* owns the texts that the records point to */
    struct pool pool; /* owns the other memory of the records */
    void *record;     /* the record of the whole file, for functions that read a part of the file */
    int status;
};

/* Read a file. Errors: those of document_load and document_parse. The caller closes the form, also after an error.
 * After an error no other function may be called. */
int form_open(const char *file, struct form *form);
void form_close(struct form *form); /* a zeroed form is allowed */

/* Read the value of a key into a field of the record. `node->key` is the key. */
typedef void form_read(struct form *form, const struct node *node, void *field);

struct form_key {
    const char *name;
    size_t offset; /* of the field in the record, in bytes */
    form_read *read;
    const char *missing; /* the message if the key is missing; "": the standard message; NULL: the key is optional */
};

/* Read one word or text as `const char *`, which the tree owns. */
form_read form_text;

/* Read one word or a list of words as one text, with spaces between the words. The form or its tree owns the text. */
form_read form_words;

/* Whether a node is a map. Reports a node that is not a map, and each key that is not among the space-separated
 * `words`. Messages name the node `what`. */
bool form_is_map(struct form *form, const struct node *node, const char *what, const char *words);

/* Read a map with a table of keys, in the table's order. The table ends with a NULL name. Fields without a key in the
 * map do not change. Returns whether the node is a map. */
bool form_read_map(struct form *form, const struct node *node, const char *what, const struct form_key *keys,
                   void *record);

/* Read the keys of a map into the record, as form_read_map does. The caller has checked the names of the keys. */
void form_read_keys(struct form *form, const struct node *map, const char *what, const struct form_key *keys,
                    void *record);

/* Report each of the space-separated keys that a map lacks. */
void form_needs(struct form *form, const struct node *map, const char *what, const char *words);

/* The index of a node's text among space-separated words, from 0. If the text is not among the words, returns -1 and
 * reports the nearest word. The message names the kind of word by `what`, as in "there is no kind x". */
int form_choice(struct form *form, const struct node *node, const char *what, const char *words);

/* Report the message if is_wrong. */
void form_refuse_if(struct form *form, bool is_wrong, struct place place, const char *message);

#endif
