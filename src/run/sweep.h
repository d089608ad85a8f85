/* A sweep over the ranges of an experiment's assumptions: where the traces of its members lie, and which there are.
 *
 *   OUT/<paper>/<experiment>/sensitivity/members.tsv    its members, and their values; written before they are run
 *   OUT/<paper>/<experiment>/sensitivity/0007/          a member's manifest and traces */
#ifndef SPRINGBACK_RUN_SWEEP_H
#define SPRINGBACK_RUN_SWEEP_H

#include "base/digest.h"
#include "experiment/plan.h"

#include <stdbool.h>

#define SWEEP_MOST 10000 /* members, whose folders have four digits */

/* The folder of an experiment's sweep, and of a member in it; newly allocated. */
char *sweep_folder(const char *out, const char *experiment);
char *sweep_member_folder(const char *sweep, int member);

/* The member that an entry of the sweep's folder is for; -1 for others. */
int sweep_member_of(const char *entry);

/* Whether a member's manifest is of what the sweep's members come from now, and has all runs of a plan, where one is
 * given: not where it was not run yet, or was interrupted. Says nothing. */
bool sweep_member_ended(const char *folder, const char *digest, const struct plan *plan);

/* The table's columns are the assumptions' paths, its rows their ranges' ends, then a member each. */
struct sweep_members {
    char digest[DIGEST_SIZE]; /* of all that the members come from; "" where there is no table */
    int count, path_count;
    char **paths, **low, **high; /* low and high are the value itself where it is words */
    char **values;               /* values[m * path_count + p], canonical texts */
    bool *passed;                /* which were passed over, since their values do not go together */
    char *text;                  /* the table; all of the above is in it */
};

/* What a sweep's members come from: the runs as taken, the assumptions and their ranges. */
void sweep_digest(const struct plan *plan, char out[DIGEST_SIZE]);

/* Write the table: values[m * assumptions + a]; the reasons why a member was passed over, NULL for the others. A table
 * that says the same stays as it is. */
int sweep_members_write(const char *sweep, const struct experiment *experiment, const char *digest,
                        const struct value *values, char *const *reasons, int count);

/* Read it; an empty one where there is none. Errors: it is no such table. */
int sweep_members_read(const char *sweep, struct sweep_members *out);
void sweep_members_free(struct sweep_members *members);

#endif
