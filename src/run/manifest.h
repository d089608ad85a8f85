/* The manifest of an experiment is the tab-separated table FOLDER/runs.tsv. It has a row for each run, with the run's
 * status and trace. Figures and verdicts find traces only through manifests. */
#ifndef SPRINGBACK_RUN_MANIFEST_H
#define SPRINGBACK_RUN_MANIFEST_H

#include "base/memory.h"
#include "trace/index.h"

#include <stdbool.h>

/* How a run ended. A manifest has only the first four values. */
enum run_status {
    RUN_WHOLE,
    RUN_DIVERGED, /* blew up: a recorded frame diverged (simulation.h); a valid result */
    RUN_FAILED,
    RUN_MISSING, /* the device is not available; or the device is inexact, and --inexact was not given */
    RUN_INTERRUPTED,
    RUN_PENDING, /* the run has not ended yet */
    RUN_STATUSES
};

/* The word of a status in manifests, traces and reports: "whole", "diverged", ... */
const char *run_status_word(enum run_status status);

/* Whether a run with this status has a whole trace. */
bool run_has_trace(enum run_status status);

struct manifest_row {
    const char *id;
    enum run_status status;
    const char *trace;      /* name of a file in the same folder, or "-" */
    const char *key;        /* key of the trace's recipe (run/recipe.h), or "-" */
    const char *plan;       /* result_digest of the run in the plan; for a member of a sweep, sweep_table.digest */
    const char *reason;     /* why there is no trace, or "-" */
    const char *parameters; /* JSON object of each parameter's path and canonical text */
};

struct manifest {
    struct manifest_row *rows;
    int count;
    struct pool pool; /* owns the texts of the rows */
};

/* Add a row, or replace the row with the same id. The texts are copied, with spaces in place of tabs and newlines. An
 * empty text becomes "-". */
void manifest_put(struct manifest *manifest, const struct manifest_row *row);

void manifest_remove(struct manifest *manifest, int r); /* remove row r */

/* Open the trace of a row. `index` is the index of the folder, or NULL. Errors: the trace cannot be read; the key of
 * the trace differs from the key of the row. */
int manifest_open(const char *folder, struct trace_index *index, const struct manifest_row *row,
                  struct trace_data *out);

/* Read a folder's manifest; it is empty if there is no file runs.tsv. Errors: the file cannot be read or parsed. */
int manifest_read(const char *folder, struct manifest *manifest);

/* Write the manifest. Unless `always_write`, a file with the same text is not touched, so that make does not rebuild
 * what depends on it. */
int manifest_write(const char *folder, const struct manifest *manifest, bool always_write);

void manifest_free(struct manifest *manifest);

#endif
