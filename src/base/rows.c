#include "base/rows.h"

#include <string.h>

void rows_sort(int rows, int items, const int *row, int *start, int *item) {
    memset(start, 0, ((size_t)rows + 1) * sizeof *start);
    for (int i = 0; i < items; ++i)
        if (row[i] >= 0)
            ++start[row[i] + 1];
    for (int r = 0; r < rows; ++r)
        start[r + 1] += start[r];
    for (int i = 0; i < items; ++i)
        if (row[i] >= 0)
            item[start[row[i]]++] = i;
    /* Each start[r] is now the end of row r, and so the start of row r + 1. */
    memmove(start + 1, start, (size_t)rows * sizeof *start);
    start[0] = 0;
}

int ints_compare(const int *a, const int *b, int count) {
    int k = 0;
    while (k < count - 1 && a[k] == b[k])
        ++k;
    return (a[k] > b[k]) - (a[k] < b[k]);
}
