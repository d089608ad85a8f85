/* A YAML document as a small tree whose every node knows its place. libfyaml parses; this refuses what a description
 * has no use for: doubled keys, aliases, tags, a second document, and amounts that no person writes. */
#ifndef SPRINGBACK_EXPERIMENT_DOCUMENT_H
#define SPRINGBACK_EXPERIMENT_DOCUMENT_H

#include "base/status.h"

#include <stdbool.h>

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

struct node {
    enum node_kind kind;
    struct place place;
    char *text;             /* of a scalar; "" where nothing was written, or null */
    char *key;              /* where the parent is a map */
    struct place key_place; /* likewise */
    struct node *items;     /* of a list or a map */
    int count;
};

/* The bytes of a file and a final zero, newly allocated, to be freed after an error too. Errors: no such file, not a
 * file, more than 1 MiB, not text in UTF-8. */
int document_load(const char *file, char **text);

/* Parse a text; `file` is what messages call it and must live as long as the tree. With `lines` false, places
 * carry no line, as for a word of the command line. Errors, with their places: broken YAML, and the refusals above. */
int document_parse(const char *text, const char *file, bool lines, struct node *root);
void document_free(struct node *root); /* zeroed is fine */

/* The item of a map under a key, or NULL; NULL too where the node is no map. */
const struct node *document_item(const struct node *map, const char *key);

/* "a single value", "a list", "a map": for messages. */
const char *document_kind(const struct node *node);

#endif
