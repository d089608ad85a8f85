/* What was run, and where: the traces' provenance, put together. */
#ifndef SPRINGBACK_REPORT_ORIGINS_H
#define SPRINGBACK_REPORT_ORIGINS_H

#include "claim/claim.h"

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
