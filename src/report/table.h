/* A table that is told to people, on a terminal or as a part of a page. */
#ifndef SPRINGBACK_REPORT_TABLE_H
#define SPRINGBACK_REPORT_TABLE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

struct table {
    const char *caption;
    const char *const *headings; /* ends with NULL */
    char **cells;                /* [count], row by row */
    int count;
};

/* One more cell; an empty text becomes "-". */
void table_add(struct table *table, const char *format, ...) PRINTF_LIKE(2, 3);

/* Write a table, of a page as by page_table.h, and free its cells; nothing where it has no row. On a terminal columns
 * are as wide as they need be, and those of numbers stand to the right. */
void table_write(struct table *table, bool is_page, FILE *out);

#endif
