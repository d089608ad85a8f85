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

#include <stdio.h>

struct page_source {
    const char *results; /* the folder of results, as it is told */
    const char *base;    /* what leads from the page's folder to it: "", or a path that ends in a slash */
    const struct trace_set *traces;
    const struct claim_report *reports; /* a paper's claims each */
    int report_count;
    const struct gallery *gallery;
    const struct comparison
        *comparisons; /* of these results with other machines; those without like work are passed over */
    int comparison_count;
};

void page_write(const struct page_source *source, FILE *out);

/* A verdict's mark, so that it is told by more than its colour, and its name as a word of a class or an address:
 * "not-testable-here". */
const char *page_verdict_mark(enum verdict verdict);
const char *page_verdict_word(enum verdict verdict);

/* The mark and the name. */
void page_verdict(enum verdict verdict, FILE *out);

/* Write a claim as an article under a heading of the fourth level. */
void page_claim(const struct page_source *source, const struct claim_result *result, FILE *out);

/* ---- What was run, and where: the traces' provenance, put together ---- */

/* Notes of traces that agree in all of them are one row: how many there are, and between which moments they began. */
struct origin_row {
    const char **notes; /* in the order of the table's names; "unknown" where a trace lacks one. They are the traces' */
    int runs;
    const char *first, *last; /* "2026-11-22T09:03:53Z" */
};

/* The names that a table of origins goes by, each with a heading. */
struct origin_note {
    const char *name, *heading;
    bool of_run; /* a note of /run; else of /provenance */
};

struct origins {
    const struct origin_note *names; /* ends with a NULL name */
    int name_count;
    struct origin_row *rows;
    int count;
};

extern const struct origin_note origin_machines[]; /* host, processor, system, program, compiler */
extern const struct origin_note origin_devices[];  /* backend, device, driver, whether the bits are kept */

/* Put the traces of a set together by notes. The set must outlive the rows. */
void origins_read(const struct trace_set *set, const struct origin_note *names, struct origins *origins);
void origins_free(struct origins *origins);

/* An experiment and its runs, those that vary an assumption among them. */
struct origin_experiment {
    char *title;               /* "" where no trace of it says one; newly allocated */
    int runs[RUN_MISSING + 1]; /* by their status */
    bool quick, full;          /* which tiers there are */
    double seconds;            /* that the runs took */
};

struct origin_experiment origin_experiment_read(const struct trace_set *set, const char *name);

#endif
