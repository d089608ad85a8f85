#include "report/page_table.h"

#include "report/html.h"

/* As blocks, rows and cells would no longer be told as such: the roles say it in any layout. */
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
