#include "base/file.h"
#include "base/memory.h"
#include "base/progress.h"
#include "claim/claim.h"
#include "run/manifest.h"
#include "run/results.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

/* What trace_open had to say, taken out of the messages where no earlier ones stand among them. */
static char *open_failure(int before, size_t length) {
    char *reason = text_copy(failure_text() + length + (before > 0));
    if (before == 0)
        failure_clear();
    return reason;
}

/* Error: the trace is there, but the system cannot read it. */
static int add_run(struct trace_set *set, const char *folder, const char *experiment, const struct manifest_row *row) {
    set->runs = memory_grow(set->runs, (size_t)set->run_count + 1, sizeof *set->runs);
    struct trace_run *run = &set->runs[set->run_count++];
    const char *sample = strcmp(row->sample, "-") ? row->sample : "";
    *run = (struct trace_run){text_copy(experiment), text_copy(row->id), text_copy(sample), NULL, RUN_FAILED, NULL};
    bool whole = !strcmp(row->status, "whole"), diverged = !strcmp(row->status, "diverged");
    if (!whole && !diverged) {
        run->status = strcmp(row->status, "missing") ? RUN_FAILED : RUN_MISSING;
        run->reason = text_copy(strcmp(row->reason, "-") ? row->reason : "the manifest gives no reason");
        return STATUS_OK;
    }
    progress_show(set->run_count, experiment, "traces", set->run_count, set->named);
    int before = failure_count();
    size_t length = strlen(failure_text());
    struct trace_data trace;
    if (manifest_open(folder, row, &trace)) {
        if (trace_error())
            return STATUS_BAD;
        run->reason = open_failure(before, length);
    } else {
        run->status = whole ? RUN_WHOLE : RUN_DIVERGED;
        run->reason = text_copy("");
        set->traces = memory_grow(set->traces, (size_t)set->count + 1, sizeof *set->traces);
        set->traces[set->count++] = trace;
    }
    return STATUS_OK;
}

static int add_experiment(struct trace_set *set, const char *folder, const char *experiment) {
    struct manifest manifest;
    int status = manifest_read(folder, &manifest);
    for (int r = 0; !status && r < manifest.count; r++)
        status = add_run(set, folder, experiment, &manifest.rows[r]);
    set->experiments = memory_grow(set->experiments, (size_t)set->experiment_count + 1, sizeof *set->experiments);
    set->experiments[set->experiment_count++] = (struct trace_experiment){.name = text_copy(experiment)};
    manifest_free(&manifest);
    return status;
}

/* Whether results have a file of their experiment still; all have where no folder of experiments is given. */
static bool has_file(const char *experiments, const char *name) {
    char *file = text_format("%s/%s.yaml", experiments ? experiments : "", name);
    bool has = !experiments || file_exists(file);
    free(file);
    return has;
}

/* Walk the two levels of folders, <paper>/<experiment>. */
static int walk(struct trace_set *set, const char *folder, const char *experiments, const char *paper) {
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_visible, alphasort), status = STATUS_OK;
    if (count < 0)
        return errno == ENOTDIR && paper
                   ? STATUS_OK
                   : fail("%s: %s; name a folder of traces, such as `springback run` makes", folder, strerror(errno));
    for (int e = 0; e < count; e++) {
        char *path = text_format("%s/%s", folder, entries[e]->d_name);
        char *name = paper ? text_format("%s/%s", paper, entries[e]->d_name) : text_copy(entries[e]->d_name);
        char *table = text_format("%s/runs.tsv", path);
        int bad = STATUS_OK;
        if (paper && file_exists(table) && has_file(experiments, name))
            bad = add_experiment(set, path, name);
        else if (!paper && folder_exists(path))
            bad = walk(set, path, experiments, name);
        status = bad ? bad : status;
        free(table);
        free(name);
        free(path);
        free(entries[e]);
    }
    free(entries);
    return status;
}

/* How many runs the manifests name. Mistakes in them are told when they are read in earnest. */
static int count_named(const char *folder) {
    const struct failure_mark mark = failure_mark();
    struct results results;
    int named = 0;
    results_list(folder, &results);
    for (int e = 0; e < results.count; e++) {
        char *path = text_format("%s/%s", folder, results.experiments[e]);
        struct manifest manifest;
        manifest_read(path, &manifest);
        named += manifest.count;
        manifest_free(&manifest);
        free(path);
    }
    results_free(&results);
    failure_rewind(mark);
    return named;
}

int trace_set_read(const char *folder, const char *experiments, struct trace_set *out) {
    *out = (struct trace_set){.named = 0};
    if (experiments && !folder_exists(experiments))
        return fail("%s: there is no such folder; name one of experiment files, as experiments/ is", experiments);
    out->folder = text_copy(folder);
    out->named = count_named(folder);
    progress_begin(out->named);
    int status = walk(out, folder, experiments, NULL);
    progress_end();
    int trace = 0; /* runs and traces are in the same order; only now do the traces stay where they are */
    for (int r = 0; r < out->run_count; r++)
        if (out->runs[r].status == RUN_WHOLE || out->runs[r].status == RUN_DIVERGED)
            out->runs[r].trace = &out->traces[trace++];
    if (status)
        trace_set_free(out);
    else
        trace_set_note(out);
    return status;
}

const struct trace_experiment *trace_set_experiment(const struct trace_set *set, const char *name) {
    for (int e = 0; e < set->experiment_count; e++)
        if (!strcmp(set->experiments[e].name, name))
            return &set->experiments[e];
    return NULL;
}

void trace_set_free(struct trace_set *set) {
    for (int t = 0; t < set->count; t++)
        trace_close(&set->traces[t]);
    for (int r = 0; r < set->run_count; r++) {
        free(set->runs[r].experiment);
        free(set->runs[r].id);
        free(set->runs[r].sample);
        free(set->runs[r].reason);
    }
    for (int e = 0; e < set->experiment_count; e++) {
        free(set->experiments[e].name);
        for (int s = 0; s < set->experiments[e].set_count; s++)
            free(set->experiments[e].set[s]);
        free(set->experiments[e].set);
        free(set->experiments[e].outdated);
    }
    free(set->folder);
    free(set->traces);
    free(set->runs);
    free(set->experiments);
    *set = (struct trace_set){0};
}
