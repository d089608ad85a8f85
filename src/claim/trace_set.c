#include "base/file.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/project.h"
#include "claim/claim.h"
#include "claim/quantity.h"
#include "run/provenance.h"
#include "run/results.h"
#include "run/sweep.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Add a run of a manifest, with its trace. If the trace is missing or damaged, the run becomes a failed run. Error: the
 * trace exists, but the system cannot read it. */
static int add_run(struct trace_set *set, const struct trace_experiment *experiment, const char *folder,
                   const struct manifest_row *row) {
    struct trace_run *run = ARRAY_ADD(set->runs, set->run_count);
    *run = (struct trace_run){.experiment = experiment->name,
                              .id = pool_add(&set->pool, text_copy(row->id)),
                              .reason = "",
                              .status = RUN_FAILED};
    if (!run_has_trace(row->status)) {
        run->status = row->status;
        run->reason =
            strcmp(row->reason, "-") ? pool_add(&set->pool, text_copy(row->reason)) : "the manifest gives no reason";
        return STATUS_OK;
    }
    progress_show(set->run_count, experiment->name, "traces", set->run_count, set->named);
    const struct failure_mark mark = failure_mark();
    struct trace_data trace;
    if (manifest_open(folder, experiment->index, row, &trace)) {
        if (trace_error())
            return STATUS_BAD;
        run->reason = pool_add(&set->pool, failure_take(mark));
    } else {
        run->status = row->status;
        *ARRAY_ADD(set->traces, set->count) = trace;
    }
    return STATUS_OK;
}

/* Whether an experiment has a manifest and, unless `experiments` is NULL, an experiment file. */
static bool is_there(const char *folder, const char *experiments, const char *name) {
    AUTO_FREE char *table = text_format("%s/runs.tsv", folder);
    AUTO_FREE char *file = text_format("%s/%s.yaml", experiments ? experiments : "", name);
    return file_exists(table) && (!experiments || file_exists(file));
}

/* Read the manifests of a folder, and open its indexes, for the experiments in the scope. */
static int read_manifests(struct trace_set *set, const char *experiments, const struct claim_scope *scope,
                          struct manifest **manifests) {
    AUTO(results_free) struct results results;
    results_list(set->folder, &results);
    *manifests = memory_new((size_t)results.count, sizeof **manifests);
    set->experiments = pool_add(&set->pool, memory_new((size_t)results.count, sizeof *set->experiments));
    int status = STATUS_OK;
    for (int e = 0; e < results.count; e++) {
        const char *name = results.experiments[e];
        AUTO_FREE char *folder = text_format("%s/%s", set->folder, name);
        if (!is_there(folder, experiments, name))
            continue;
        struct trace_experiment *experiment = &set->experiments[set->experiment_count];
        *experiment = (struct trace_experiment){.name = pool_add(&set->pool, text_copy(name))};
        struct manifest *manifest = &(*manifests)[set->experiment_count++];
        if (!scope_has(scope, name)) {
            set->rest = set->rest ? set->rest : memory_new(1, sizeof *set->rest);
            continue;
        }
        experiment->index = trace_index_open(folder, provenance_binary());
        status = manifest_read(folder, manifest) ? STATUS_BAD : status;
        set->named += manifest->count;
    }
    return status;
}

/* Read the manifests of the experiments in the scope, then the traces that the manifests name. */
static int read_results(struct trace_set *set, const char *experiments, const struct claim_scope *scope) {
    AUTO_FREE struct manifest *manifests = NULL;
    int status = read_manifests(set, experiments, scope, &manifests);
    progress_begin(set->named);
    for (int e = 0; e < set->experiment_count; e++) {
        AUTO_FREE char *folder = text_format("%s/%s", set->folder, set->experiments[e].name);
        for (int r = 0; r < manifests[e].count && !status; r++)
            status = add_run(set, &set->experiments[e], folder, &manifests[e].rows[r]);
        manifest_free(&manifests[e]);
    }
    progress_end();
    /* Runs and traces have the same order. ARRAY_ADD moves the traces, so pointers to them are set only now. */
    int trace = 0;
    for (int r = 0; r < set->run_count; r++)
        if (run_has_trace(set->runs[r].status))
            set->runs[r].trace = &set->traces[trace++];
    return status;
}

int trace_set_read(const char *folder, const char *experiments, const struct claim_scope *scope,
                   struct trace_set *out) {
    *out = (struct trace_set){.named = 0};
    if (experiments && !folder_exists(experiments))
        return fail("%s: there is no such folder; expected a folder of experiment files, such as experiments/",
                    experiments);
    DIR *results = opendir(folder);
    if (!results)
        return fail("%s: %s; expected a folder of traces, as `springback run` makes it", folder, strerror(errno));
    closedir(results);
    out->folder = pool_add(&out->pool, text_copy(folder));
    out->sweeps = project_path(DEFAULT_SWEEPS);
    const int status = read_results(out, experiments, scope);
    if (status)
        trace_set_free(out);
    else
        trace_set_note(out);
    return status;
}

/* Read the experiments that were outside the scope when the set was read. */
static void read_rest(const struct trace_set *set) {
    AUTO_FREE const char **names = memory_new((size_t)set->experiment_count, sizeof *names);
    struct claim_scope scope = {names, 0};
    for (int e = 0; e < set->experiment_count; e++)
        if (!set->experiments[e].index)
            names[scope.count++] = set->experiments[e].name;
    set->rest->folder = pool_add(&set->rest->pool, text_copy(set->folder));
    set->rest->is_temporary = set->is_temporary;
    read_results(set->rest, NULL, &scope);
    free(set->rest->rest); /* a set for the experiments in the first scope, which `set` already has */
    set->rest->rest = NULL;
}

bool trace_set_has(const struct trace_set *set, const char *name, const char *value) {
    for (int r = 0; r < set->run_count; r++) {
        const char *text = set->runs[r].trace ? trace_text(set->runs[r].trace, name) : NULL;
        if (text && !strcmp(text, value))
            return true;
    }
    if (set->rest && !set->rest->folder)
        read_rest(set);
    return set->rest && trace_set_has(set->rest, name, value);
}

const struct trace_experiment *trace_set_experiment(const struct trace_set *set, const char *name) {
    for (int e = 0; e < set->experiment_count; e++)
        if (!strcmp(set->experiments[e].name, name))
            return &set->experiments[e];
    return NULL;
}

const struct trace_run *trace_set_next(const struct trace_set *set, const char *experiment,
                                       const struct trace_run *last) {
    for (int r = last ? (int)(last - set->runs) + 1 : 0; r < set->run_count; ++r)
        if (!strcmp(set->runs[r].experiment, experiment))
            return &set->runs[r];
    return NULL;
}

const struct trace_run *trace_set_next_trace(const struct trace_set *set, const char *experiment,
                                             const struct trace_run *last) {
    do
        last = trace_set_next(set, experiment, last);
    while (last && !last->trace);
    return last;
}

void trace_set_free(struct trace_set *set) {
    for (int t = 0; t < set->count; t++)
        trace_close(&set->traces[t]);
    for (int e = 0; e < set->experiment_count; e++) {
        free(set->experiments[e].set);
        trace_index_close(set->experiments[e].index, !set->is_temporary);
    }
    if (set->rest)
        trace_set_free(set->rest);
    free(set->rest);
    free(set->traces);
    free(set->runs);
    pool_free(&set->pool);
    *set = (struct trace_set){0};
}
