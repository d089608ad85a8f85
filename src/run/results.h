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

/* The sorted names in a folder, without names that begin with a dot. The list ends with NULL; it is empty if there is
 * no such folder. Newly allocated; free it with AUTO(entries_free) char **entries = entries_list(folder). If the folder
 * cannot be listed, the function ends the program. */
char **entries_list(const char *folder);
void entries_free(char ***entries);

/* The id in `name`, the file name of a trace or of the part file of a trace; NULL if `name` is no such file name. Newly
 * allocated; the caller frees it. *is_part becomes whether `name` ends in ".part". */
char *results_trace_id(const char *name, bool *is_part);

#endif
