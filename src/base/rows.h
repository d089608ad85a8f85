/* Compressed rows: which numbered items belong to each row. */
#ifndef SPRINGBACK_BASE_ROWS_H
#define SPRINGBACK_BASE_ROWS_H

/* Put item i into row row[i], or into none if that is negative: a stable counting sort. Row r then holds the items
 * item[start[r]] to item[start[r + 1] - 1], in rising order. start has room for rows + 1, item for all items. */
void rows_sort(int rows, int items, const int *row, int *start, int *item);

/* Compare two lists of `count` ints as words are compared: below 0, 0 or above 0. */
int ints_compare(const int *a, const int *b, int count);

#endif
