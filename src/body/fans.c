#include "body/fans.h"

#include "base/memory.h"
#include "base/rows.h"

#include <limits.h>
#include <stdlib.h>

int fans_create(int nodes, size_t triangles, const int32_t (*corner)[3], int **start, int **fan) {
    if (triangles > INT_MAX / 3)
        return fail("a surface of %zu triangles has more corners than there may be, which is %d", triangles, INT_MAX);
    int *begin = memory_large(((size_t)nodes + 1) * sizeof *begin),
        *list = memory_large((3 * triangles + 1) * sizeof *list);
    if (!begin || !list) {
        free(begin);
        free(list);
        return fail("the triangles at each of %d nodes do not fit into memory", nodes);
    }
    rows_sort(nodes, 3 * (int)triangles, (const int *)corner, begin, list);
    for (size_t c = 0; c < 3 * triangles; ++c)
        list[c] /= 3;
    *start = begin;
    *fan = list;
    return STATUS_OK;
}
