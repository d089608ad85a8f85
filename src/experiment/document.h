/* A YAML document as a tree. Every node has its place in the file. libfyaml parses the text. This reader also refuses
 * duplicate keys, keys that are not words, aliases, tags, control characters and a second document. Files above the
 * limits of size, values and depth (document.c) are refused, too. */
#ifndef SPRINGBACK_EXPERIMENT_DOCUMENT_H
#define SPRINGBACK_EXPERIMENT_DOCUMENT_H

#include "base/status.h"

#include <stdbool.h>

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

struct node {
    enum node_kind kind;
    struct place place;
    char *text;             /* the text of a scalar, "" if the value is null or not written; NULL for lists and maps */
    char *key;              /* the key of this node if its parent is a map; otherwise NULL */
    struct place key_place; /* the place of the key */
    struct node *items;     /* the items of a list or a map, [count] */
    int count;
};

/* Read a file and add a final zero byte. *text is newly allocated or NULL; the caller frees it, also after an error.
 * Errors: no such file, not a regular file, more than 1 MiB, not readable, not UTF-8 text. An I/O error ends the
 * program. */
int document_load(const char *file, char **text);

/* Parse a text. Messages name the text `file`; this string must live as long as the tree. If `lines` is false, places
 * have no line number; use false for a text from the command line. The caller frees the tree. Errors, with their
 * places: broken YAML, and YAML that this reader refuses. After an error the tree is empty. */
int document_parse(const char *text, const char *file, bool lines, struct node *root);
void document_free(struct node *root); /* a zeroed node is allowed */

/* The item of a map that has this key. NULL if there is no such item, or if the node is not a map. */
const struct node *document_item(const struct node *map, const char *key);

/* "a single value", "a list" or "a map", for messages. */
const char *document_kind(const struct node *node);

#endif
