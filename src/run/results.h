/* The results of a machine: a folder OUT/<paper>/<experiment>/ for each experiment. */
#ifndef SPRINGBACK_RUN_RESULTS_H
#define SPRINGBACK_RUN_RESULTS_H

#include "base/status.h"

#include <stdbool.h>

struct results {
    char **experiments; /* sorted names such as "va2022/resolutions": the folders with a manifest, a trace or a sweep */
    int count;
};

/* List the results below a folder; empty if the folder does not exist. */
void results_list(const char *out, struct results *results);
void results_free(struct results *results);

/* The names in a folder, sorted, without those that begin with a dot; ends with NULL. Newly allocated; free them with
 * AUTO(entries_free) char **entries = entries_list(folder). Empty if there is no such folder. Ends the program if the
 * folder cannot be listed. */
char **entries_list(const char *folder);
void entries_free(char ***entries);

/* The id in the file name of a trace, or of the part file of a trace, newly allocated; the caller frees it. NULL if
 * `name` is not such a name. *is_part becomes whether the name ends in ".part". */
char *results_trace_id(const char *name, bool *is_part);

#endif
