/* A file of maps that is read by tables of keys: one row a key, with the field of a record that it fills.
 *
 * Every mistake is reported at its place, and notes itself in `status`, so that one reading tells all of them. */
#ifndef SPRINGBACK_EXPERIMENT_FORM_H
#define SPRINGBACK_EXPERIMENT_FORM_H

#include "base/memory.h"
#include "experiment/document.h"

struct form {
    char *file;       /* which places point to */
    struct node root; /* whose texts the records point to */
    struct pool pool; /* other memory of the records */
    void *record;     /* of the whole file, where the readers of its parts need it */
    int status;
};

/* Read a file, with the errors of document_load and document_parse; then only form_close is of use. */
int form_open(const char *file, struct form *form);
void form_close(struct form *form); /* zeroed is fine */

/* Reads the value of a key into a field; `node->key` is the key. */
typedef void form_read(struct form *form, const struct node *node, void *field);

struct form_key {
    const char *name;
    size_t offset; /* of the field in the record */
    form_read *read;
    const char *missing; /* what to say where the key is missing; "": that it is; NULL: it may be */
};

/* One word or text: `const char *`, which the tree owns. */
form_read form_text;

/* The same of a list, whose words are joined by spaces, as canonical texts are written. */
form_read form_words;

/* Whether a node is a map whose keys are all among space-separated words; `what` is what messages call it. */
bool form_is_map(struct form *form, const struct node *node, const char *what, const char *words);

/* Read a map by a table of keys, which ends with a NULL name, in the table's order; whether it is a map. Fields whose
 * keys are missing stay as they are. */
bool form_read_map(struct form *form, const struct node *node, const char *what, const struct form_key *keys,
                   void *record);

/* The same of a map whose keys are known to be right. */
void form_read_keys(struct form *form, const struct node *map, const char *what, const struct form_key *keys,
                    void *record);

/* Say which of space-separated keys a map lacks. */
void form_needs(struct form *form, const struct node *map, const char *what, const char *words);

/* Which of space-separated words a node is, counted from 0; -1 after saying that there is no such `what`, and which is
 * nearest. */
int form_choice(struct form *form, const struct node *node, const char *what, const char *words);

/* Say what is wrong, if it is. */
void form_refuse_if(struct form *form, bool is_wrong, struct place place, const char *message);

#endif
