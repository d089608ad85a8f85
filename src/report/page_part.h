/* What the report's page is styled and filtered by, src/report/page.css and page.js, as embedded at build time. */
#ifndef SPRINGBACK_REPORT_PAGE_PART_H
#define SPRINGBACK_REPORT_PAGE_PART_H

struct page_part {
    const char *name, *text;
};

extern const struct page_part page_parts[]; /* ends with a NULL name */

#endif
