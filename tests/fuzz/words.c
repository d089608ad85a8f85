/* Print a dictionary for libFuzzer: words [FILE...]. It has the words of the tables for experiment files, the pieces of
 * signs.h, and the keys and short values of the given files. */
#include "base/memory.h"
#include "experiment/document.h"
#include "experiment/plan.h"
#include "method/method.h"
#include "signs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 40 };

static char **said;
static int said_count;

/* Print a word, unless it was printed before or is longer than LONGEST. */
static void put(const char *word) {
    if (!word || !*word || strlen(word) > LONGEST)
        return;
    for (int i = 0; i < said_count; i++)
        if (strcmp(said[i], word) == 0)
            return;
    said = memory_grow(said, (size_t)said_count + 1, sizeof *said);
    said[said_count++] = text_copy(word);
    putchar('"');
    for (const unsigned char *at = (const unsigned char *)word; *at; at++)
        printf(*at == '"' || *at == '\\' ? "\\%c" : isprint(*at) ? "%c" : "\\x%02x", *at);
    puts("\"");
}

/* Print a path, and for each of its dots the rest of the path after this dot. */
static void put_path(const char *path) {
    for (; path; path = strchr(path, '.') ? strchr(path, '.') + 1 : NULL)
        put(path);
}

static void put_fields(const struct field *field) {
    for (; field->path; field++) {
        put_path(field->path);
        put(field->unit);
        put(field->fallback);
        char *choices = text_copy(field->choices ? field->choices : ""), *rest = choices;
        for (char *word; (word = strsep(&rest, " "));)
            put(word);
        free(choices);
    }
}

static void put_node(const struct node *node) {
    put(node->key);
    put(node->text);
    for (int i = 0; i < node->count; i++)
        put_node(&node->items[i]);
}

int main(int count, char **words) {
    put_fields(experiment_fields);
    for (const struct method_fields *method = method_table; method->name; method++) {
        put(method->name);
        put_fields(method->fields);
    }
    for (int s = 0; s < SIGNS; s++)
        put(signs[s]);
    for (int f = 1; f < count; f++) {
        char *text;
        struct node root;
        if (document_load(words[f], &text) != STATUS_OK || document_parse(text, words[f], true, &root) != STATUS_OK) {
            fprintf(stderr, "%s\n", failure_text());
            return STATUS_BAD;
        }
        put_node(&root);
        document_free(&root);
        free(text);
    }
    return STATUS_OK;
}
