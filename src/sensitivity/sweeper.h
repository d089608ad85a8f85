/* A sweep over the ranges of all assumptions of an experiment. A member is all runs of the experiment file with the
 * values of one point of the ranges (experiment/sample.h), on one backend and without timing. Each member runs and is
 * reduced to numbers in the table of the sweep (run/sweep.h). Then the paper's claims are judged by the table. */
#ifndef SPRINGBACK_SENSITIVITY_SWEEPER_H
#define SPRINGBACK_SENSITIVITY_SWEEPER_H

#include "claim/claim_file.h"
#include "claim/sensitivity.h"
#include "experiment/plan.h"

/* What a sweep has to do, computed before its first run. */
struct sweep_forecast {
    const char *experiment, *backend, *tier;
    int shard, shards;                  /* only the members of shard `shard` of `shards` run; both 0: all members run */
    int members[MEMBER_KINDS], skipped; /* members: how many of each kind; skipped: how many cannot run, because their
                                           values cannot be combined */
    int assumptions;                    /* number of assumptions that vary */
    int runs, due;                      /* runs: runs of all members; due: those that are not finished */
    double seconds;                     /* forecast duration of the runs that are not finished, in s */
    bool rough;                         /* the forecast is a rough estimate */
};

struct sweeper_options {
    struct plan_options plan;  /* `backends` names at most one backend. If it names none, the sweep runs on the file's
                                * first backend with threads, or on the file's first backend if none has threads */
    int members[MEMBER_KINDS]; /* the smallest number of members of each kind. The sweep also keeps all members that the
                                * table already has. The first likely member has the chosen values */
    int shard, shards;         /* run only the members of this shard, 1 to `shards`; both 0: run all members */
    double seconds;            /* sweep_verify runs nothing if its forecast is above this time, in s; 0: no limit */
    int search;          /* the most members to run for each claim that holds in no member (search.h); 0: no search */
    const char *out;     /* members run in OUT/<paper>/<experiment>/sensitivity/, where parts of the table are */
    const char *scratch; /* members run below this folder instead of OUT; NULL: OUT */
    const char *sweeps;  /* the table is SWEEPS/<paper>/<experiment>.tsv.xz */
    const char *claims;  /* the file of claims; NULL for paper_checks/<paper>.yaml, if it exists */
    bool quiet;

    /* Called before the first run. May be NULL. */
    void (*report)(const struct sweep_forecast *forecast);

    /* Called before a search, with the number of claims and the largest number of members that will run. May be NULL.
     */
    void (*report_search)(int claims, int members);
};

struct sweep_item {
    const struct claim *claim;
    const struct sensitivity *sensitivity; /* owned by the report's set */
};

struct sweep_report {
    char *experiment;
    struct member_set set;
    struct claim_file claims;
    struct sweep_item *items; /* one for each claim about the experiment */
    int count;
};

/* Sweep one experiment file. Members of the table do not run again if the file's runs and ranges are the same. If a
 * sweep or search was interrupted, the next call resumes it, and the members are then the same as without the
 * interruption. A shard writes its members to a part of the table (run/sweep.h), which a later sweep of all members
 * reads; the report of a shard is empty. The caller frees the report, also after an error.
 *
 * Errors: a mistake in one of the files; no assumption with a range; more than one backend; a member that cannot run
 * although its values can be combined; chosen values that cannot be combined. After an error or an interruption, the
 * function returns STATUS_BAD, and no further member runs. If this happens before the search, the table is not
 * written. */
int sweep(const char *file, const struct sweeper_options *options, struct sweep_report *report);
void sweep_report_free(struct sweep_report *report);

/* Why no member of a table was run again. */
enum verify_skip {
    VERIFY_NOT_SKIPPED,
    VERIFY_TOO_LONG,  /* the forecast exceeds the options' `seconds` */
    VERIFY_OTHER_BODY /* a body has another mesh than in the table, for example the original instead of a stand-in */
};

struct verify_result {
    enum verify_skip skip;
    double seconds;          /* forecast duration of all chosen members, in s; 0 for VERIFY_OTHER_BODY */
    int compared, differing; /* numbers of members that were compared, and of members that differ and are reported */
};

/* Run up to `count` random members of a table again, selected by `seed`, and compare their final states and numbers
 * with the table. Errors: those of sweep(), and an outdated table. After an interruption: STATUS_BAD, and the members
 * that had ended are compared. */
int sweep_verify(const char *file, const struct sweeper_options *options, int count, unsigned long seed,
                 struct verify_result *out);

/* Shuffle items randomly. The same seed gives the same order. */
void sweep_shuffle(void *items, size_t count, size_t size, unsigned long seed);

void sweep_report_print(const struct sweep_report *report, FILE *out);
void sweep_report_json(const struct sweep_report *report, FILE *out); /* one object for each claim */

/* Write the table FOLDER/sensitivity.tsv for figures: a line for each member that ran, with its values and, for each
 * claim that is not left out, the measured value and whether the claim holds. */
int sweep_report_write(const struct sweep_report *report, const char *folder);

#endif
