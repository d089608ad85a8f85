/* The members of a sweep while it runs: plan them, find the members that an earlier sweep has finished, run the other
 * members, and write the table of all members. Private to this folder. */
#ifndef SPRINGBACK_SENSITIVITY_MEMBERS_H
#define SPRINGBACK_SENSITIVITY_MEMBERS_H

#include "run/runner.h"
#include "run/sweep.h"
#include "sensitivity/sweeper.h"

/* A member of the sweep. */
struct planned_member {
    enum member_kind kind;
    int number;
    const struct value *values;       /* one for each assumption of the experiment */
    double seconds;                   /* forecast of its duration, in s */
    char *reason;                     /* why its values cannot be combined, or NULL */
    char *folder;                     /* the folder in which its runs write their traces */
    const struct sweep_member *found; /* this member in the earlier table or in a part; NULL if it is in neither */
    int twin;                         /* index of an earlier member with the same values and so the same results, or -1.
                                         Only the earlier member runs */
};

/* A sweep while it runs. The caller sets `file`, `options` and `is_verified`. */
struct sweeper {
    const char *file; /* the experiment file */
    const struct sweeper_options *options;
    struct plan_options plan; /* the caller's options, with the one backend on which the sweep runs */
    const char *backends[2];  /* plan.backends if the options name no backend: the backend that was chosen, and NULL */
    struct plan base;         /* the runs with the chosen values */
    struct value *values;     /* the values of all drawn members */
    struct pool pool;         /* owns texts of values and other memory that lives as long as the sweeper */
    struct planned_member *members;
    int member_count;
    int counts[MEMBER_KINDS]; /* members to draw of each kind: the requested number, or more if the table has more */
    int *due;                 /* indices of the members that must run */
    /* `folder` has the parts of the table; `scratch` has a folder for each member that runs. */
    char *folder, *scratch, *part_path, *first_part_path, *table_path;
    struct sweep_table table;  /* the table that will be written: its head and its members */
    struct sweep_table kept;   /* the earlier table, read from table_path */
    struct sweep_table part;   /* the members in the parts that interrupted sweeps and shards have written */
    struct sweep_table *parts; /* the tables read from these parts; they own the data of the members in `part` */
    int part_count;
    struct claim_file claims;
    struct speeds *speeds;
    struct sweep_forecast forecast;
    int lock;         /* descriptor of the lock file, which is locked while it is open; 0 or less: no lock */
    bool is_verified; /* members of the table run again, to be compared with the table; the table is not written */
};

/* Wait until no other process runs a sweep of this experiment in the same folder, and lock the folder. Shards of a
 * sweep may run at the same time. Does nothing if the sweeper has the lock, or if the folder does not exist or is not
 * writable.
 */
void sweeper_lock(struct sweeper *sweeper);

/* Read the files, draw the members of the sweep, and find the finished members. The options must outlive the sweeper.
 * The caller frees the sweeper, also after an error. Errors: a mistake in one of the files, no assumption with a range,
 * more than one backend. */
int sweeper_begin(struct sweeper *sweeper);
void sweeper_free(struct sweeper *sweeper);

/* Remove the members m for which is_kept[m] is false. Call this function before sweeper_survey. */
void sweeper_keep(struct sweeper *sweeper, const bool *is_kept);

/* Add a member with these values, which must outlive the sweeper. The returned pointer is valid until the next member
 * is added. */
struct planned_member *sweeper_plan(struct sweeper *sweeper, enum member_kind kind, int number,
                                    const struct value *values);

/* Add a searched member of an earlier sweep, with the values of its table. Returns NULL if a value is not in its
 * possible range. */
struct planned_member *sweeper_plan_searched(struct sweeper *sweeper, const struct sweep_member *member);

/* Survey the members from `first` on: check everything that can be checked before they run, and forecast their
 * duration.
 */
int sweeper_survey(struct sweeper *sweeper, int first);

/* Run the members from `first` on that are not finished, and add them to the table. */
int sweeper_run(struct sweeper *sweeper, int first);

/* Add the members from `first` on that sweeper_run does not add to the table: the members of earlier sweeps, and the
 * members that cannot run. */
void sweeper_add_others(struct sweeper *sweeper, int first);

/* ---- Results of earlier sweeps (earlier.c) ---- */

/* Whether an earlier table has the same tier, runs, assumptions and ranges as this sweep. */
bool sweeper_is_same(const struct sweeper *sweeper, const struct sweep_table *other);

/* Read the table and the parts of earlier sweeps, and find the finished members. */
int sweeper_read_earlier(struct sweeper *sweeper);

/* Write the table, unless the file has the same content. */
int sweeper_write(struct sweeper *sweeper);

/* ---- The search (searcher.c) ---- */

/* Search, for each claim that holds in no member, for a set-up in which the claim holds (search.h). Adds the searched
 * members to the table in memory; call sweeper_write afterwards. */
int sweeper_search(struct sweeper *sweeper);

/* Run points, [count][assumptions], as searched members, and add these to the set and to the table. A point does not
 * run if the set already has a member with its values. members[p] becomes the index in the set of the member at point
 * p, or -1 if the point's values cannot be combined. */
int sweeper_run_points(struct sweeper *sweeper, const struct value *points, int count, struct member_set *set,
                       int *members);

/* Add to the table the members that an interrupted search has run and that the table does not have yet. They count in
 * the verdicts like other searched members. */
int sweeper_keep_searched(struct sweeper *sweeper);

#endif
