/* A table of text, on a terminal or as a part of a page. */
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

/* Add a cell; an empty text becomes "-". */
void table_add(struct table *table, const char *format, ...) PRINTF_LIKE(2, 3);

/* Write a table, and free its cells. If `is_page` is true, the table is written as HTML (struct page_table). Otherwise
 * it is written as text for a terminal. Columns of numbers are right-aligned, except the first column. A table without
 * rows is not written. */
void table_write(struct table *table, bool is_page, FILE *out);

/* A table of the report's page, with headings for rows and columns. On a narrow screen each row becomes a block, and
 * the heading of its column precedes each cell. */
struct page_table {
    FILE *out;
    const char *caption;
    const char *const *headings; /* borrowed; ends with NULL */
    int column;                  /* index of the next cell's column */
    bool is_begun;
};

/* End a table. A table without a cell is not written at all. */
void page_table_end(struct page_table *table);

/* Write a cell. `markup` has slots for the arguments after it (html_put). A row begins automatically, and ends when it
 * has as many cells as there are headings. The first cell of a row is the row's heading. `kind` is "" or one of the
 * classes "word", "word zero", "whole" and "long" of page.css. */
void page_table_cell(struct page_table *table, const char *kind, const char *markup, ...);

/* Write a cell with a text, a word or a number. A word or a number stays on one line, except on a narrow screen. */
void page_table_text(struct page_table *table, const char *text);
void page_table_word(struct page_table *table, const char *word);
void page_table_number(struct page_table *table, int number);

#endif
