/* Compressed rows: the numbered items that belong to each row. */
#ifndef SPRINGBACK_BASE_ROWS_H
#define SPRINGBACK_BASE_ROWS_H

/* Sort `items` items into rows by a stable counting sort. Item i goes to row[i], or to no row if row[i] is negative. On
 * return, row r has the items item[start[r]] to item[start[r + 1] - 1], in increasing order. `start` has rows + 1
 * elements, `item` has `items` elements. */
void rows_sort(int rows, int items, const int *row, int *start, int *item);

/* Compare two lists of `count` ints in lexicographic order; `count` is at least 1. Returns -1, 0 or 1. */
int ints_compare(const int *a, const int *b, int count);

#endif
