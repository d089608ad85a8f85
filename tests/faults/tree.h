/* The files of a folder, with their content, in memory. */
#ifndef SPRINGBACK_TESTS_FAULTS_TREE_H
#define SPRINGBACK_TESTS_FAULTS_TREE_H

#include "base/memory.h"

#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct item {
    char *path, *bytes;
    size_t size;
    bool is_loose; /* the file differs between two undisturbed runs */
};

struct tree {
    struct item *items;
    int count, folders;
};

static inline int by_name(const FTSENT **a, const FTSENT **b) {
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static inline char *bytes_of(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    struct stat about;
    if (!file || fstat(fileno(file), &about)) {
        fprintf(stderr, "faults: %s: %s\n", path, strerror(errno));
        exit(EXIT_FAILURE);
    }
    char *bytes = memory_new((size_t)about.st_size + 1, 1);
    *size = fread(bytes, 1, (size_t)about.st_size, file);
    fclose(file);
    return bytes;
}

/* All files of the current folder. */
static inline struct tree tree_read(void) {
    struct tree tree = {.folders = 0};
    char *const roots[] = {".", NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    for (FTSENT *entry; (entry = fts_read(walk));) {
        tree.folders += entry->fts_info == FTS_D;
        if (entry->fts_info != FTS_F)
            continue;
        tree.items = memory_grow(tree.items, (size_t)tree.count + 1, sizeof *tree.items);
        struct item *item = &tree.items[tree.count++];
        *item = (struct item){.path = text_copy(entry->fts_path + 2)};
        item->bytes = bytes_of(entry->fts_path, &item->size);
    }
    fts_close(walk);
    return tree;
}

static inline void tree_free(struct tree *tree) {
    for (int i = 0; i < tree->count; ++i) {
        free(tree->items[i].path);
        free(tree->items[i].bytes);
    }
    free(tree->items);
    *tree = (struct tree){.count = 0};
}

static inline const struct item *tree_find(const struct tree *tree, const char *path) {
    for (int i = 0; i < tree->count; ++i)
        if (!strcmp(tree->items[i].path, path))
            return &tree->items[i];
    return NULL;
}

static inline bool item_equals(const struct item *a, const struct item *b) {
    return a && b && a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

static inline bool tree_equals(const struct tree *a, const struct tree *b) {
    bool equal = a->count == b->count && a->folders == b->folders;
    for (int i = 0; i < a->count && equal; ++i)
        equal = !strcmp(a->items[i].path, b->items[i].path) && item_equals(&a->items[i], &b->items[i]);
    return equal;
}

static inline void text_write(const char *path, const char *bytes, size_t size) {
    char *copy = text_copy(path);
    for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(copy, 0755);
        *slash = '/';
    }
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) {
        fprintf(stderr, "faults: %s: %s\n", path, strerror(errno));
        exit(EXIT_FAILURE);
    }
    free(copy);
}

static inline void folder_empty(const char *folder) {
    char *const roots[] = {(char *)folder, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *entry; (entry = fts_read(walk));)
        if (entry->fts_level > 0 && entry->fts_info != FTS_D)
            remove(entry->fts_path);
    fts_close(walk);
}

#endif
