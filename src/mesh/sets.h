/* What hangs together: sets of numbered things that are joined two by two, each named by its lowest member. */
#ifndef SPRINGBACK_MESH_SETS_H
#define SPRINGBACK_MESH_SETS_H

#include "base/memory.h"

/* Each thing is a set of its own. Newly allocated. */
static inline int *sets_new(int count) {
    int *parent = memory_new((size_t)count, sizeof *parent);
    for (int i = 0; i < count; ++i)
        parent[i] = i;
    return parent;
}

/* The way to the root is halved for the next time. */
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
