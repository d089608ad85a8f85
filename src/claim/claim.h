/* Claims: what a paper says, and what the traces say of it. One verdict a claim, never one score for a paper. */
#ifndef SPRINGBACK_CLAIM_CLAIM_H
#define SPRINGBACK_CLAIM_CLAIM_H

#include "base/status.h"
#include "trace/trace.h"

#include <stdio.h>

enum verdict {
    VERDICT_MATCHES,      /* inside the paper's own printed range or rounding */
    VERDICT_WITHIN,       /* inside a tolerance that was committed, with its reason, before the run */
    VERDICT_SHAPE_ONLY,   /* the order, the slope or the crossover holds, the value does not */
    VERDICT_SENSITIVE,    /* it flips inside the plausible range of something that the paper leaves unsaid */
    VERDICT_DIFFERS,
    VERDICT_NOT_TESTABLE, /* here */
    VERDICT_NOT_RUN,
    VERDICT_COUNT
};

const char *verdict_name(enum verdict verdict); /* "matches", "within tolerance", "shape only", ... */

/* The traces of a folder, grouped by experiment: DIR/<paper>/<experiment>/ *.h5, in the order of the manifest
 * DIR/<paper>/<experiment>/runs.tsv (see run/manifest.h). */
struct trace_set {
    struct trace_data *traces;
    int count;
};

struct claim_result {
    char *id, *paper, *where, *says, *kind;
    enum verdict verdict, recorded;
    bool has_recorded;           /* false: no verdict is recorded for a machine like this one */
    char *reported, *measured;   /* as text with units; "" where there is none */
    char *interval;              /* "[a, b]" with units; "" where there is none */
    char *why;                   /* what the verdict hangs on, in a sentence or two */
};

struct claim_report {
    struct claim_result *results;
    int count;
    bool incomplete;             /* something could not run, or a trace could not be read */
};

/* Judge all claims of one file of paper_checks/. Mistakes in the file are reported with their place. */
int claims_judge(const char *file, const struct trace_set *traces, struct claim_report *report);
void claim_report_free(struct claim_report *report);

/* STATUS_OK when every verdict is the recorded one, STATUS_CHANGED when one is not, STATUS_BAD when something could
 * not run. */
int claim_report_status(const struct claim_report *report);

void claim_report_print(const struct claim_report *report, FILE *out, int width); /* a table for the terminal */
void claim_report_json(const struct claim_report *report, FILE *out);             /* one object a claim, a line each */

/* The papers' stated values as gnuplot variables, for the figures: `va2022_speed_up_mean = 61`. */
int claims_write_gnuplot(const char *file, FILE *out);

#endif
