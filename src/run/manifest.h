/* The manifest of an experiment: which runs there are, and where their traces lie. Figures and verdicts read it, never
 * a folder's contents. A tab-separated table, FOLDER/runs.tsv: id, status, trace, sample, reason. */
#ifndef SPRINGBACK_RUN_MANIFEST_H
#define SPRINGBACK_RUN_MANIFEST_H

#include "base/status.h"

#include <stdbool.h>

struct manifest_row {
    char *id;
    char *status; /* "whole", "diverged", "failed", "missing" (no such device) */
    char *trace;  /* file in the same folder, or "-" */
    char *sample; /* path of the assumption that the run varies, or "-" */
    char *reason; /* why it is not there, or "-" */
};

struct manifest {
    struct manifest_row *rows;
    int count;
};

/* Add or replace the row of an id. Texts are copied; tabs and newlines in them become spaces. */
void manifest_put(struct manifest *manifest, const char *id, const char *status, const char *trace, const char *sample,
                  const char *reason);

/* Read a folder's manifest; an empty one where there is none. */
int manifest_read(const char *folder, struct manifest *manifest);

/* Write it at once: always where a run was made anew, else only if its text changed, so that what is made from it is
 * made again only when it must. */
int manifest_write(const char *folder, const struct manifest *manifest, bool anew);

void manifest_free(struct manifest *manifest);

#endif
