/* The report: one HTML page of its own, which asks for no other file and for no network.
 *
 * Order: what became of the papers' headline results, with a picture of each paper; a section for each paper (its
 * figures beside the claims that they show, what differs and why, then all claims and assumptions behind a click); the
 * experiments with what failed; machines and devices; these results beside recorded machines. Each claim has its id as
 * its address. Without JavaScript all of it is there. It is well-formed XML as well. The same results give the same
 * page: no moment but those of the traces is in it.
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
    const char *docs;    /* likewise to the folder docs/; NULL if it is not there, and its pages are named only */
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

/* The mark and the name; as markup with slots for the word, the mark and the name. */
#define PAGE_VERDICT "<span class=\"verdict {markup}\"><span aria-hidden=\"true\">{markup}</span> {text}</span>"
void page_verdict(enum verdict verdict, FILE *out);

/* The verdict on a claim; if it differs, in which direction; and the body that is a stand-in for the paper's. */
void page_judged(const struct claim_result *result, FILE *out);

/* Write a link to a page of docs/, such as "claims.md", or its name if docs/ is not there. */
void page_docs(const struct page_source *source, const char *name, FILE *out);

/* Whether a figure shows a claim: the claim names it as its place in the paper, or its script reads the claim's
 * experiment. */
bool page_figure_shows(const struct gallery_figure *figure, const struct claim_result *result);

/* The figure that stands for a paper, whose picture the first screen has: of bodies rather than a plot, and of the most
 * headline results; NULL if there is none. */
const struct gallery_figure *page_figure_of(const struct page_source *source, const struct claim_report *report);

/* Write a claim as an article under a heading of the fourth level. */
void page_claim(const struct page_source *source, const struct claim_result *result, FILE *out);

/* Write a claim as an item of a list: its sentence, which is a link to the article, the verdict, the values, and a
 * reason ("": none). */
void page_claim_item(const struct claim_result *result, const char *why, FILE *out);

/* Write the first screen: what became of the headline results, and a picture of each paper. */
void page_summary(const struct page_source *source, FILE *out);

/* Whether a paper has scenes that were made. */
bool page_has_scenes(const struct page_source *source, const char *paper);

/* Write the section of a paper, whose claims are reports[paper]. Returns how many scenes it plays. */
int page_paper(const struct page_source *source, int paper, FILE *out);

/* Write the section on what was run, and where: the traces' provenance, put together. */
void page_machines(const struct page_source *source, FILE *out);

/* Write the row of an experiment and its runs, those that vary an assumption among them: its title, how many there are
 * of each status, their tiers, and how long they took. */
void page_experiment(const struct page_source *source, const char *name, struct page_table *table);

#endif
