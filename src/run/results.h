/* The results of a machine: OUT/<paper>/<experiment>/, a folder an experiment. */
#ifndef SPRINGBACK_RUN_RESULTS_H
#define SPRINGBACK_RUN_RESULTS_H

#include "base/status.h"

struct results {
    char **experiments; /* "va2022/resolutions", in order; those whose folder holds a manifest, a trace or a sweep */
    int count;
};

/* What there is below a folder; nothing where the folder is not there. */
void results_list(const char *out, struct results *results);
void results_free(struct results *results);

/* The entries of a folder, without those that begin with a dot, in order; a NULL-ended list:
 * AUTO(entries_free) char **entries = entries_list(folder). Empty where there is no such folder; one that the system
 * does not list ends the program. */
char **entries_list(const char *folder);
void entries_free(char ***entries);

/* Whether a name ends in an ending, with something before it. */
int name_ends(const char *name, const char *ending);

#endif
