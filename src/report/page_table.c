#include "report/page_table.h"

#include "report/html.h"

/* As blocks, rows and cells would no longer be told as such: the roles say it in any layout. */
void page_table_begin(struct page_table *table, FILE *out, const char *caption, const char *const *headings) {
    *table = (struct page_table){.out = out, .headings = headings};
    fputs("<table role=\"table\">\n<caption>", out);
    html_text(out, caption);
    fputs("</caption>\n<thead role=\"rowgroup\"><tr role=\"row\">", out);
    for (const char *const *heading = headings; *heading; ++heading) {
        fputs("<th scope=\"col\" role=\"columnheader\">", out);
        html_text(out, *heading);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody role=\"rowgroup\">\n", out);
}

void page_table_end(struct page_table *table) {
    fputs("</tbody>\n</table>\n", table->out);
}

void page_table_open(struct page_table *table, const char *kind) {
    if (!table->column) {
        fputs("<tr role=\"row\"><th scope=\"row\" role=\"rowheader", table->out);
    } else {
        fputs("<td role=\"cell\" data-label=\"", table->out);
        html_text(table->out, table->headings[table->column]);
    }
    fprintf(table->out, "\"%s%s%s>", *kind ? " class=\"" : "", kind, *kind ? "\"" : "");
}

void page_table_close(struct page_table *table) {
    fputs(table->column ? "</td>" : "</th>", table->out);
    if (!table->headings[++table->column]) {
        fputs("</tr>\n", table->out);
        table->column = 0;
    }
}

void page_table_text(struct page_table *table, const char *text) {
    page_table_open(table, "");
    html_text(table->out, *text ? text : "-");
    page_table_close(table);
}

void page_table_word(struct page_table *table, const char *word) {
    page_table_open(table, "word");
    html_text(table->out, *word ? word : "-");
    page_table_close(table);
}

void page_table_number(struct page_table *table, long number) {
    page_table_open(table, number ? "word" : "word zero");
    fprintf(table->out, "%ld", number);
    page_table_close(table);
}
