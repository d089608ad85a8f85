/* A sweep varies the assumptions of an experiment within their ranges. Each combination of values is a member.
 *
 *   OUT/<paper>/<experiment>/sensitivity/members.tsv    the members and their values; written before they run
 *   OUT/<paper>/<experiment>/sensitivity/0007/          a member's manifest and traces */
#ifndef SPRINGBACK_RUN_SWEEP_H
#define SPRINGBACK_RUN_SWEEP_H

#include "base/digest.h"
#include "experiment/plan.h"

#include <stdbool.h>

#define MAX_SWEEP_MEMBERS 10000 /* maximum number of members, whose folders have four digits */

/* Folder of an experiment's sweep, and of a member in it; newly allocated. */
char *sweep_folder(const char *out, const char *experiment);
char *sweep_member_folder(const char *sweep, int member);

/* The member whose folder has this name; -1 if it is not a member's folder. */
int sweep_member_of(const char *entry);

/* Whether a member's manifest has rows with the sweep's current digest, and for all runs of `plan` unless that is NULL.
 * False if the member was not run yet or was interrupted. Reports no errors. */
bool sweep_member_ended(const char *folder, const char *digest, const struct plan *plan);

/* Contents of members.tsv: a column for each assumption; rows for its path and range, then a row for each member. */
struct sweep_members {
    char digest[DIGEST_SIZE]; /* of everything that the members depend on; "" if there is no table */
    int count, path_count;
    char **paths, **low, **high; /* for values that are words, low and high are the value itself */
    char **values;               /* values[m * path_count + p], canonical texts */
    bool *skipped;               /* members that did not run, because their values cannot be combined */
    char *text;                  /* of the file; the other texts point into it */
};

/* Digest of everything that the members depend on: the runs, the assumptions and their ranges. */
void sweep_digest(const struct plan *plan, char out[DIGEST_SIZE]);

/* Write members.tsv if it changed. values[m * assumptions + a]; reasons[m] says why member m does not run, or is
 * NULL. */
int sweep_members_write(const char *sweep, const struct experiment *experiment, const char *digest,
                        const struct value *values, char *const *reasons, int count);

/* Read members.tsv; it is empty if there is none. Errors: the file is not such a table. */
int sweep_members_read(const char *sweep, struct sweep_members *out);
void sweep_members_free(struct sweep_members *members);

#endif
