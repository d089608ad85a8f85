/* The report: one HTML page, which needs no other file and no network. Its parts, in this order:
 *
 * - the verdicts on the papers' headline claims, with a picture of each paper
 * - for each paper, a section with its figures, its claims and its assumptions
 * - the experiments and their failures
 * - the machines and devices of the runs
 * - the comparison with recorded machines
 *
 * The anchor of each claim is its id. All content except the motion of player scenes is visible without JavaScript. The
 * page is also well-formed XML. Equal results give equal pages, because the only times on the page are those of the
 * traces. */
#ifndef SPRINGBACK_REPORT_PAGE_H
#define SPRINGBACK_REPORT_PAGE_H

#include "claim/claim.h"
#include "report/comparison.h"
#include "report/gallery.h"
#include "report/table.h"

#include <stdio.h>

struct fit; /* claim/fit.h */

struct page_source {
    const char *results; /* the folder of results, as printed on the page */
    const char *base;    /* relative path from the page's folder to the results: "", or a path that ends in a slash */
    const char *docs; /* relative path from the page's folder to docs/, with a slash at the end. NULL if docs/ does not
                         exist; the page then has no links to docs/ */
    const struct trace_set *traces;
    const struct claim_report *reports; /* one per paper */
    int report_count;
    const struct fit *fits; /* [report_count] which claims of each paper can be true together */
    const struct gallery *gallery;
    const struct comparison *comparisons; /* of these results (A) with records of other machines (B). A comparison in
                                             which no two runs did the same work is ignored */
    int comparison_count;
};

void page_write(const struct page_source *source, FILE *out);

/* The embedded files for style and behaviour, included at build time: all .css and .js files of src/report/, and
 * three.js, the library of the player. */
struct page_part {
    const char *name, *text;
};
extern const struct page_part page_parts[]; /* ends with a NULL name */
const char *page_part(const char *name);    /* the text of a file, static; "" if the file did not exist at build time */

/* For each verdict, its word in CSS classes and anchors ("not-testable-here"), and a symbol, so that colour is not the
 * only sign of a verdict. */
extern const struct page_sign { const char *word, *mark; } page_signs[VERDICT_COUNT];

/* Markup of a verdict for html_put, with slots for the word, the mark and the name. */
#define PAGE_VERDICT "<span class=\"verdict {markup}\"><span aria-hidden=\"true\">{markup}</span> {text}</span>"
void page_verdict(enum verdict verdict, FILE *out);

/* Write the verdict on a claim. If the measured value differs in a known direction, write also this direction. If a
 * stand-in replaces the paper's body, write also the stand-in. If the recorded verdict is a different one, write also
 * the recorded verdict. */
void page_judged(const struct claim_result *result, FILE *out);

/* Write a link to a page of docs/, for example "claims.md". If the page does not exist, write only its path. */
void page_docs(const struct page_source *source, const char *name, FILE *out);

/* Whether a figure shows a claim: the claim names the figure as its place in the paper, or the figure's script reads
 * the claim's experiment. */
bool page_figure_shows(const struct gallery_figure *figure, const struct claim_result *result);

/* The figure that represents a paper in the summary. A figure with drawn bodies is preferred to a plot. Among figures
 * of the same kind, the figure with the most headline claims is preferred. Borrowed; NULL if there is no figure. */
const struct gallery_figure *page_figure_of(const struct page_source *source, const struct claim_report *report);

/* Write a claim as an article with a heading of the fourth level. */
void page_claim(const struct page_source *source, const struct claim_result *result, FILE *out);

/* Write a claim as a list item: its sentence, the verdict, the values, and the reason `why` unless `why` is "". The
 * sentence links to the article that page_claim writes. */
void page_claim_item(const struct claim_result *result, const char *why, FILE *out);

/* Write the summary: the verdicts on the headline claims, and a picture of each paper. */
void page_summary(const struct page_source *source, FILE *out);

/* Whether the results have player scenes of a paper. */
bool page_has_scenes(const struct page_source *source, const char *paper);

/* Write the section of a paper, whose claims are reports[paper]. Returns the number of player scenes in the section. */
int page_paper(const struct page_source *source, int paper, FILE *out);

/* Write the section on the machines, programs and devices of the runs, from the provenance of the traces. */
void page_machines(const struct page_source *source, FILE *out);

/* Write the row of an experiment: its title, the number of its runs per status, and the tiers and the total duration of
 * its runs. */
void page_experiment(const struct page_source *source, const char *name, struct page_table *table);

#endif
