#include "body/fans.h"

#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>

int fans_create(int nodes, size_t triangles, const int32_t (*corner)[3], int **start, int **fan) {
    if (triangles > INT_MAX / 3)
        return fail("a surface of %zu triangles has more corners than there may be, which is %d", triangles, INT_MAX);
    int *begin = memory_large(((size_t)nodes + 2) * sizeof *begin),
        *list = memory_large((3 * triangles + 1) * sizeof *list);
    if (!begin || !list) {
        free(begin);
        free(list);
        return fail("the triangles at each of %d nodes do not fit into memory", nodes);
    }
    /* A counting sort, one place ahead: what was a row's begin is its end when it is laid. */
    for (size_t t = 0; t < triangles; ++t)
        for (int k = 0; k < 3; ++k)
            ++begin[corner[t][k] + 2];
    for (int i = 0; i < nodes; ++i)
        begin[i + 2] += begin[i + 1];
    for (size_t t = 0; t < triangles; ++t)
        for (int k = 0; k < 3; ++k)
            list[begin[corner[t][k] + 1]++] = (int)t;
    *start = begin;
    *fan = list;
    return STATUS_OK;
}
