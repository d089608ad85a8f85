#include "base/file.h"
#include "base/memory.h"
#include "base/progress.h"
#include "claim/claim.h"
#include "run/results.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
    if (!run_has_trace(row->status)) {
        run->status = row->status;
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
        run->status = row->status;
        run->reason = text_copy("");
        set->traces = memory_grow(set->traces, (size_t)set->count + 1, sizeof *set->traces);
        set->traces[set->count++] = trace;
    }
    return STATUS_OK;
}

/* Whether there is a manifest of an experiment, and its file still; all have one where no folder of experiments is
 * given. */
static bool is_asked(const char *folder, const char *experiments, const char *name) {
    char *table = text_format("%s/runs.tsv", folder);
    char *file = text_format("%s/%s.yaml", experiments ? experiments : "", name);
    const bool is_there = file_exists(table) && (!experiments || file_exists(file));
    free(file);
    free(table);
    return is_there;
}

/* Read the manifests of all results that are asked for, then the traces that these name. */
static int read_results(struct trace_set *set, const char *experiments) {
    struct results results;
    results_list(set->folder, &results);
    struct manifest *manifests = memory_new((size_t)results.count, sizeof *manifests);
    set->experiments = memory_new((size_t)results.count, sizeof *set->experiments);
    int status = STATUS_OK;
    for (int e = 0; e < results.count; e++) {
        const char *name = results.experiments[e];
        char *folder = text_format("%s/%s", set->folder, name);
        if (is_asked(folder, experiments, name)) {
            struct manifest *manifest = &manifests[set->experiment_count];
            status = manifest_read(folder, manifest) ? STATUS_BAD : status;
            set->named += manifest->count;
            set->experiments[set->experiment_count++] = (struct trace_experiment){.name = text_copy(name)};
        }
        free(folder);
    }
    progress_begin(set->named);
    for (int e = 0; e < set->experiment_count; e++) {
        char *folder = text_format("%s/%s", set->folder, set->experiments[e].name);
        for (int r = 0; r < manifests[e].count && !status; r++)
            status = add_run(set, folder, set->experiments[e].name, &manifests[e].rows[r]);
        manifest_free(&manifests[e]);
        free(folder);
    }
    progress_end();
    free(manifests);
    results_free(&results);
    return status;
}

int trace_set_read(const char *folder, const char *experiments, struct trace_set *out) {
    *out = (struct trace_set){.named = 0};
    if (experiments && !folder_exists(experiments))
        return fail("%s: there is no such folder; name one of experiment files, as experiments/ is", experiments);
    DIR *results = opendir(folder);
    if (!results)
        return fail("%s: %s; name a folder of traces, such as `springback run` makes", folder, strerror(errno));
    closedir(results);
    out->folder = text_copy(folder);
    const int status = read_results(out, experiments);
    int trace = 0; /* runs and traces are in the same order; only now do the traces stay where they are */
    for (int r = 0; r < out->run_count; r++)
        if (run_has_trace(out->runs[r].status))
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
