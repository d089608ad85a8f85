/* A sweep over the ranges of all assumptions of an experiment at once: its members run, and its paper's claims judged
 * in each. A member is the whole main sweep of the file, all with the same point of the ranges (experiment/sample.h),
 * on one backend and untimed, its series recorded and no geometry. */
#ifndef SPRINGBACK_SENSITIVITY_SWEEPER_H
#define SPRINGBACK_SENSITIVITY_SWEEPER_H

#include "claim/claim_file.h"
#include "claim/sensitivity.h"
#include "experiment/plan.h"

struct sweep_outlook {
    const char *experiment, *backend, *tier;
    int members, skipped; /* skipped: their values cannot be combined */
    int assumptions;      /* that vary */
    int runs, due;        /* of all members, and those to be made */
    double seconds;
    bool rough; /* a guess */
};

struct sweeper_options {
    struct plan_options plan; /* its backends: one; or none for threads if the file has it, else the file's first */
    int members;
    const char *out;    /* traces go to OUT/<paper>/<experiment>/sensitivity/<member>/ */
    const char *claims; /* the claims' file; NULL for paper_checks/<paper>.yaml, if it is there */
    bool quiet;

    /* Called before the first run: what is to be done, and about how long it takes. May be NULL. */
    void (*tell)(const struct sweep_outlook *outlook);
};

struct sweep_item {
    const struct claim *claim;
    struct sensitivity *sensitivity;
};

struct sweep_report {
    char *experiment;
    struct member_set set;
    struct claim_file claims;
    struct sweep_item *items; /* a claim about the experiment each */
    int count;
};

/* Sweep one experiment file; what is up to date is not run, what was interrupted goes on. Ends by writing
 * OUT/<paper>/<experiment>/sensitivity.tsv. Errors: a mistake in either file, nothing that could be varied, more than
 * one backend, a member that cannot run: then nothing was run, or, where it failed on its way, no later member and no
 * table. After an interruption STATUS_BAD, and no table. The report is good to be freed in any case. */
int sweep(const char *file, const struct sweeper_options *options, struct sweep_report *report);
void sweep_report_free(struct sweep_report *report);

void sweep_report_print(const struct sweep_report *report, FILE *out);
void sweep_report_json(const struct sweep_report *report, FILE *out); /* one object a claim */

/* Write the table FOLDER/sensitivity.tsv: a member a line, its values, and of each claim what was measured and whether
 * it holds. */
int sweep_report_write(const struct sweep_report *report, const char *folder);

#endif
