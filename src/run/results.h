/* The results of a machine: a folder OUT/<paper>/<experiment>/ for each experiment. */
#ifndef SPRINGBACK_RUN_RESULTS_H
#define SPRINGBACK_RUN_RESULTS_H

#include "base/status.h"

#include <stdbool.h>

struct results {
    char **experiments; /* "va2022/resolutions", sorted; folders with a manifest, a trace or a sweep */
    int count;
};

/* List the results below a folder; none if it does not exist. */
void results_list(const char *out, struct results *results);
void results_free(struct results *results);

/* Names in a folder, sorted, without those that begin with a dot; ends with NULL. Use AUTO(entries_free) char **entries
 * = entries_list(folder). Empty if there is no such folder; ends the program if it cannot be listed. */
char **entries_list(const char *folder);
void entries_free(char ***entries);

/* Whether a name ends with `ending` and is longer. */
bool name_ends(const char *name, const char *ending);

#endif
