/* The manifest of an experiment: its runs, how each ended, and where its trace lies. Figures and verdicts read the
 * manifest, never a folder's contents. A tab-separated table, FOLDER/runs.tsv. */
#ifndef SPRINGBACK_RUN_MANIFEST_H
#define SPRINGBACK_RUN_MANIFEST_H

#include "base/status.h"
#include "trace/trace.h"

#include <stdbool.h>

/* How a run ended. A manifest has only the first four. */
enum run_status {
    RUN_WHOLE,
    RUN_DIVERGED, /* blew up at a frame: a legal result */
    RUN_FAILED,
    RUN_MISSING, /* there is no such device here */
    RUN_INTERRUPTED,
    RUN_PENDING, /* it has not ended */
    RUN_STATUSES
};

/* The word of a status in manifests, traces and reports: "whole", "diverged", ... */
const char *run_status_word(enum run_status status);

/* Whether a run of this status has a whole trace. */
bool run_has_trace(enum run_status status);

struct manifest_row {
    const char *id;
    enum run_status status;
    const char *trace;  /* file in the same folder, or "-" */
    const char *sample; /* path of the assumption that the run varies, or "-" */
    const char *key;    /* what the trace must be made from, or "-" */
    const char *plan;   /* hash of what the run's file gives it (run.alike); of a sweep's member that of the sweep */
    const char *reason; /* why it is not there, or "-" */
    const char *parameters; /* a JSON object: each parameter's path and canonical text; "-" in manifests of before */
};

struct manifest {
    struct manifest_row *rows;
    int count;
};

/* Add or replace the row of an id. Texts are copied; tabs and newlines in them become spaces, and nothing a "-". */
void manifest_put(struct manifest *manifest, const struct manifest_row *row);

void manifest_remove(struct manifest *manifest, int r);

/* Open the trace of a row, which must be the one that the row was written for. */
int manifest_open(const char *folder, const struct manifest_row *row, struct trace_data *out);

/* Read a folder's manifest; an empty one where there is none. */
int manifest_read(const char *folder, struct manifest *manifest);

/* Write it at once: always where a run was made anew, else only if its text changed, so that what is made from it is
 * made again only when it must. */
int manifest_write(const char *folder, const struct manifest *manifest, bool anew);

void manifest_free(struct manifest *manifest);

#endif
