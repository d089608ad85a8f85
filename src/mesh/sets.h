/* Disjoint sets of numbered elements that are joined pair by pair. The lowest element of a set, its root, identifies
 * the set. */
#ifndef SPRINGBACK_MESH_SETS_H
#define SPRINGBACK_MESH_SETS_H

#include "base/memory.h"

/* Make `count` sets of one element each. Returns [count] the parent of each element; a root is its own parent. Newly
 * allocated; the caller frees it. */
static inline int *sets_new(int count) {
    int *parent = memory_new((size_t)count, sizeof *parent);
    for (int i = 0; i < count; ++i)
        parent[i] = i;
    return parent;
}

/* The lowest element of the set of i. This also halves the path from i to the root. */
static inline int sets_root(int *parent, int i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static inline void sets_join(int *parent, int i, int j) {
    const int a = sets_root(parent, i), b = sets_root(parent, j);
    parent[a > b ? a : b] = a > b ? b : a;
}

#endif
