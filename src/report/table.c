#include "report/table.h"

#include "base/memory.h"
#include "report/html.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void table_add(struct table *table, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *cell = text_format_list(format, arguments);
    va_end(arguments);
    if (!*cell)
        text_append(&cell, "-");
    *ARRAY_ADD(table->cells, table->count) = cell;
}

static bool is_number(const char *cell) {
    return !cell[strspn(cell, "0123456789")] || strspn(cell, "0123456789.e+-") > 1 || !strcmp(cell, "-");
}

enum { WIDEST = 64 }; /* largest width of a column on a terminal, in bytes; a longer cell shifts the rest of its row */

static void write_text(const struct table *table, int columns, FILE *out) {
    fprintf(out, "\n%s:\n", table->caption);
    AUTO_FREE int *width = memory_new((size_t)columns, sizeof *width);
    AUTO_FREE bool *is_right = memory_new((size_t)columns, sizeof *is_right);
    for (int c = 0; c < columns; ++c) {
        width[c] = (int)strlen(table->headings[c]);
        is_right[c] = c > 0;
        for (int k = c; k < table->count; k += columns) {
            const int length = (int)strlen(table->cells[k]);
            width[c] = length > width[c] && length <= WIDEST ? length : width[c];
            is_right[c] = is_right[c] && is_number(table->cells[k]);
        }
    }
    for (int k = -columns; k < table->count; ++k) {
        const int c = (k + columns) % columns;
        const char *cell = k < 0 ? table->headings[c] : table->cells[k];
        const bool is_last = c == columns - 1;
        fprintf(out, "  %*s%s", is_right[c] ? width[c] : is_last ? 0 : -width[c], cell, is_last ? "\n" : "");
    }
}

static void write_page(const struct table *table, int columns, FILE *out) {
    struct page_table page = {.out = out, .caption = table->caption, .headings = table->headings};
    for (int k = 0; k < table->count; ++k)
        (k % columns && strlen(table->cells[k]) < 24 ? page_table_word : page_table_text)(&page, table->cells[k]);
    page_table_end(&page);
}

void table_write(struct table *table, bool is_page, FILE *out) {
    int columns = 0;
    while (table->headings[columns])
        ++columns;
    if (table->count && columns)
        (is_page ? write_page : write_text)(table, columns, out);
    for (int k = 0; k < table->count; ++k)
        free(table->cells[k]);
    free(table->cells);
    *table = (struct table){NULL, NULL, NULL, 0};
}

/* Begin the table. The roles are explicit for screen readers, because on a narrow screen page.css displays rows and
 * cells as blocks, which have no roles of their own. */
static void begin(struct page_table *table) {
    html_put(table->out,
             "<table role=\"table\">\n<caption>{text}</caption>\n<thead role=\"rowgroup\"><tr role=\"row\">",
             table->caption);
    for (const char *const *heading = table->headings; *heading; ++heading)
        html_put(table->out, "<th scope=\"col\" role=\"columnheader\">{text}</th>", *heading);
    fputs("</tr></thead>\n<tbody role=\"rowgroup\">\n", table->out);
    table->is_begun = true;
}

void page_table_end(struct page_table *table) {
    if (table->is_begun)
        fputs("</tbody>\n</table>\n", table->out);
}

void page_table_cell(struct page_table *table, const char *kind, const char *markup, ...) {
    va_list arguments;
    if (!table->is_begun)
        begin(table);
    if (table->column)
        html_put(table->out, "<td role=\"cell\" data-label=\"{text}\"", table->headings[table->column]);
    else
        fputs("<tr role=\"row\"><th scope=\"row\" role=\"rowheader\"", table->out);
    if (*kind)
        html_put(table->out, " class=\"{text}\"", kind);
    fputc('>', table->out);
    va_start(arguments, markup);
    html_put_list(table->out, markup, arguments);
    va_end(arguments);
    fputs(table->column ? "</td>" : "</th>", table->out);
    if (!table->headings[++table->column]) {
        fputs("</tr>\n", table->out);
        table->column = 0;
    }
}

void page_table_text(struct page_table *table, const char *text) {
    page_table_cell(table, "", "{text}", *text ? text : "-");
}

void page_table_word(struct page_table *table, const char *word) {
    page_table_cell(table, "word", "{text}", *word ? word : "-");
}

void page_table_number(struct page_table *table, int number) {
    page_table_cell(table, number ? "word" : "word zero", "{int}", number);
}
