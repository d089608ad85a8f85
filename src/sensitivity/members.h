/* The members of a sweep while it runs: which there are, which of them an earlier sweep has left, running the others,
 * and the table of those that have ended. Private to this folder. */
#ifndef SPRINGBACK_SENSITIVITY_MEMBERS_H
#define SPRINGBACK_SENSITIVITY_MEMBERS_H

#include "run/runner.h"
#include "run/sweep.h"
#include "sensitivity/sweeper.h"

/* A member of the sweep. */
struct planned_member {
    enum member_kind kind;
    int number;
    const struct value *values;       /* [assumptions] */
    double seconds;                   /* that it may take */
    char *reason;                     /* why its values cannot be combined, or NULL */
    char *folder;                     /* in which it runs */
    const struct sweep_member *found; /* what the table or the part of it has already; else NULL */
};

/* A sweep while it runs. `file` and `options` are set by the caller. */
struct sweeper {
    const char *file;
    const struct sweeper_options *options;
    struct plan_options plan; /* with the one backend */
    const char *backends[2];
    struct plan base; /* with the values as taken */
    struct value *values;
    struct pool pool; /* texts of values, and what else lives as long */
    struct planned_member *members;
    int member_count;
    int counts[MEMBER_KINDS]; /* of the members to draw: those asked for, or as many as the table has */
    int *due;                 /* which of them are to be run */
    char *folder, *scratch, *part_path, *first_part_path, *table_path; /* scratch: folder of the members' folders */
    struct sweep_table table; /* what is written: head, and members that have ended */
    struct sweep_table kept;  /* an earlier table */
    struct sweep_table part;  /* members of the parts, which interrupted sweeps and shards have left */
    struct sweep_table *parts;
    int part_count;
    struct claim_file claims;
    struct speeds *speeds;
    struct sweep_outlook outlook;
    int lock;         /* the file that keeps others away while it is open; 0 or less: none */
    bool is_verified; /* members run again, to be compared with the table's, in a folder of their own */
    int differing;
};

/* Wait until no other process sweeps this experiment into the same folder; shards run side by side. Nothing if that is
 * done, or if there is no folder yet, or if it is not writable. */
void sweeper_lock(struct sweeper *sweeper);

/* Read the files, draw the members of the sweep, and find those that need not run. The options must outlive the
 * sweeper, which is good to be freed in any case. Errors: those of sweep() before a member is looked at. */
int sweeper_begin(struct sweeper *sweeper);
void sweeper_free(struct sweeper *sweeper);

/* Keep those of the members, none of which was surveyed yet, that `is_kept`, [member_count]. */
void sweeper_keep(struct sweeper *sweeper, const bool *is_kept);

/* Add a member with these values, which must outlive the sweeper. */
struct planned_member *sweeper_plan(struct sweeper *sweeper, enum member_kind kind, int number,
                                    const struct value *values);

/* Add a searched member of an earlier sweep, with the values that its table has. NULL: one is not in its possible
 * range. */
struct planned_member *sweeper_plan_searched(struct sweeper *sweeper, const struct sweep_member *member);

/* Survey the members from `first` on: all that can be known to go wrong with them before they run, and how long they
 * may take. */
int sweeper_survey(struct sweeper *sweeper, int first);

/* Run the members from `first` on that need to, and add them to the table. */
int sweeper_run(struct sweeper *sweeper, int first);

/* Complete the table by the members from `first` on that did not run now. */
void sweeper_add_others(struct sweeper *sweeper, int first);

/* ---- What earlier sweeps have left (earlier.c) ---- */

/* Whether an earlier table is of the same runs and ranges. */
bool sweeper_is_same(const struct sweeper *sweeper, const struct sweep_table *other);

/* Read what earlier sweeps have left, and find the members that need not run. */
int sweeper_read_earlier(struct sweeper *sweeper);

/* Write the whole table, unless it is there. */
int sweeper_write(struct sweeper *sweeper);

/* ---- The search (searcher.c) ---- */

/* Search for set-ups in which the claims hold that hold in no member, and add what was tried to the table, which must
 * be written. */
int sweeper_search(struct sweeper *sweeper);

/* Run points, [count][assumptions], as searched members, unless the set has them, and add them to it and to the table.
 * members[p]: the set's member at a point; -1 if its values cannot be combined. */
int sweeper_run_points(struct sweeper *sweeper, const struct value *points, int count, struct member_set *set,
                       int *members);

/* Add the members of an interrupted search that the table does not have yet: they are evidence, too. */
int sweeper_keep_searched(struct sweeper *sweeper);

#endif
