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

/* Write a table, of a page as by struct page_table, and free its cells; nothing where it has no row. On a terminal
 * columns are as wide as they need be, and those of numbers stand to the right. */
void table_write(struct table *table, bool is_page, FILE *out);

/* Tables of the report's page: with headings for each row and column, and on a narrow screen a block a row, each cell
 * behind its column's heading. */
struct page_table {
    FILE *out;
    const char *caption;
    const char *const *headings; /* ends with NULL; they must outlive the table */
    int column;                  /* of the next cell */
    bool is_begun;
};

/* End a table; one without a cell is not written at all. */
void page_table_end(struct page_table *table);

/* Write a cell of markup with slots (html_put). Rows begin by themselves, and end after as many cells as there are
 * headings; the first is the row's own heading. page.css has the kinds: "", "word", "word zero", "whole", "long". */
void page_table_cell(struct page_table *table, const char *kind, const char *markup, ...);

/* A cell of a text, or of a word or a number, which is not parted at the end of a line. */
void page_table_text(struct page_table *table, const char *text);
void page_table_word(struct page_table *table, const char *word);
void page_table_number(struct page_table *table, int number);

#endif
