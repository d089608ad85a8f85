/* A sweep over the ranges of all assumptions of an experiment at once: its members run, each one is reduced to numbers
 * in the sweep's table (run/sweep.h), and its paper's claims are judged by the table. A member is the whole sweep of
 * the file, all runs with the same point of the ranges (experiment/sample.h), on one backend and untimed. */
#ifndef SPRINGBACK_SENSITIVITY_SWEEPER_H
#define SPRINGBACK_SENSITIVITY_SWEEPER_H

#include "claim/claim_file.h"
#include "claim/sensitivity.h"
#include "experiment/plan.h"

struct sweep_outlook {
    const char *experiment, *backend, *tier;
    int shard, shards;                  /* 0 of 0: all members */
    int members[MEMBER_KINDS], skipped; /* skipped: their values cannot be combined */
    int assumptions;                    /* that vary */
    int runs, due;                      /* of all members, and those to be made */
    double seconds;
    bool rough; /* a guess */
};

struct sweeper_options {
    struct plan_options plan;  /* its backends: one; or none for threads if the file has it, else the file's first */
    int members[MEMBER_KINDS]; /* at least so many of each kind, since those of the table stay; of the likely ones that
                                * with the values as taken is the first */
    int shard, shards;         /* run the members of this shard alone, 1 to `shards`; 0 of 0: all members */
    double seconds;            /* that sweep_verify may take; 0: no limit */
    int search;                /* members to run for each claim that holds in none (search.h); 0: no search */
    const char *out;           /* members run in OUT/<paper>/<experiment>/sensitivity/, where parts of the table are */
    const char *scratch;       /* members run below this folder in place of OUT; NULL: OUT */
    const char *sweeps;        /* the table is SWEEPS/<paper>/<experiment>.tsv.xz */
    const char *claims;        /* the claims' file; NULL for paper_checks/<paper>.yaml, if it is there */
    bool quiet;

    /* Called before the first run: what is to be done, and about how long it takes. May be NULL. */
    void (*tell)(const struct sweep_outlook *outlook);

    /* The same before a search: for how many claims, and how many members it runs at most. May be NULL. */
    void (*tell_search)(int claims, int members);
};

struct sweep_item {
    const struct claim *claim;
    const struct sensitivity *sensitivity; /* the set's */
};

struct sweep_report {
    char *experiment;
    struct member_set set;
    struct claim_file claims;
    struct sweep_item *items; /* a claim about the experiment each */
    int count;
};

/* Sweep one experiment file. Members that its table has are not run again, as long as the file's runs and ranges are
 * the same; an interrupted sweep, and an interrupted search, goes on and ends with the same members. Errors: a mistake
 * in either file, nothing that could be varied, more than one backend, a member that cannot run: then nothing was run,
 * or no later member and no table. After an interruption STATUS_BAD, and no table. A shard leaves its members in a part
 * of the table (run/sweep.h), from which a sweep of all members goes on, and its report is empty. The report is good to
 * be freed in any case. */
int sweep(const char *file, const struct sweeper_options *options, struct sweep_report *report);
void sweep_report_free(struct sweep_report *report);

/* Run `count` members of a table again, those that a random permutation of `seed` begins with, and compare their states
 * and numbers with the table's. *differing: how many differ; each is reported. *compared is -1 if they are forecast to
 * take longer than the options' seconds. Errors as for sweep(); the table is not of the file as it is now. */
int sweep_verify(const char *file, const struct sweeper_options *options, int count, unsigned long seed, int *compared,
                 int *differing);

/* Put items into a random order, which a seed fixes. */
void sweep_shuffle(void *items, size_t count, size_t size, unsigned long seed);

void sweep_report_print(const struct sweep_report *report, FILE *out);
void sweep_report_json(const struct sweep_report *report, FILE *out); /* one object a claim */

/* Write the table FOLDER/sensitivity.tsv for figures: a member a line, its values, and of each claim what was measured
 * and whether it holds. */
int sweep_report_write(const struct sweep_report *report, const char *folder);

#endif
