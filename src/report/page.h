/* The report: one HTML page of its own, which asks for no other file and for no network.
 *
 * Order: a summary by paper and verdict, machines and devices, these beside recorded machines, the claims with their
 * filters, the figures, the experiments with what failed. Without JavaScript all of it is there, only the filters are
 * not. It is well-formed XML as well. The same results give the same page: no moment but those of the traces is in it.
 */
#ifndef SPRINGBACK_REPORT_PAGE_H
#define SPRINGBACK_REPORT_PAGE_H

#include "claim/claim.h"
#include "report/comparison.h"
#include "report/gallery.h"
#include "report/table.h"

#include <stdio.h>

struct fit; /* claim/fit.h */

struct page_source {
    const char *results; /* the folder of results, as it is told */
    const char *base;    /* what leads from the page's folder to it: "", or a path that ends in a slash */
    const struct trace_set *traces;
    const struct claim_report *reports; /* a paper's claims each */
    int report_count;
    const struct fit *fits; /* what of each paper can hold together */
    const struct gallery *gallery;
    const struct comparison
        *comparisons; /* of these results with other machines; those without like work are passed over */
    int comparison_count;
};

void page_write(const struct page_source *source, FILE *out);

/* What it is styled and filtered by, page.css, page.js, player.js and three.js, as embedded at build time. */
struct page_part {
    const char *name, *text;
};
extern const struct page_part page_parts[]; /* ends with a NULL name */
const char *page_part(const char *name);    /* its text; "" if it was not there at build time */

/* A verdict's name as a word of a class or an address, "not-testable-here", and its mark, so that it is told by more
 * than its colour. */
extern const struct page_sign { const char *word, *mark; } page_signs[VERDICT_COUNT];

/* The mark and the name. */
void page_verdict(enum verdict verdict, FILE *out);

/* Write a claim as an article under a heading of the fourth level. */
void page_claim(const struct page_source *source, const struct claim_result *result, FILE *out);

/* Write the section on what was run, and where: the traces' provenance, put together. */
void page_machines(const struct page_source *source, FILE *out);

/* Write the row of an experiment and its runs, those that vary an assumption among them: its title, how many there are
 * of each status, their tiers, and how long they took. */
void page_experiment(const struct page_source *source, const char *name, struct page_table *table);

#endif
