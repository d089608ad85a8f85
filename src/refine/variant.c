#include "refine/variant.h"

#include "base/memory.h"
#include "experiment/run.h"
#include "run/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const variant_names[VARIANTS] = {"h", "h/2", "h/4", "double"};

/* By what the step is divided, and where the traces go. */
static const struct {
    int parts;
    const char *folder;
} variants[VARIANTS] = {{1, "h"}, {2, "h2"}, {4, "h4"}, {1, "double"}};

static const char *const varied[VARIED] = {"time.step", "time.steps_per_frame", "method.precision"};

/* Keep the runs for which a condition holds. */
static void keep(struct plan *plan, bool (*holds)(const struct plan *plan, int kept, const struct run *run)) {
    int kept = 0;
    for (int r = 0; r < plan->run_count; ++r)
        if (holds(plan, kept, &plan->runs[r]))
            plan->runs[kept++] = plan->runs[r];
        else
            run_free(&plan->runs[r]);
    plan->run_count = kept;
}

static bool is_main(const struct plan *plan, int kept, const struct run *run) {
    (void)plan;
    (void)kept;
    return !run->sample;
}

static bool is_first_of_group(const struct plan *plan, int kept, const struct run *run) {
    for (int r = 0; r < kept; ++r)
        if (plan->runs[r].group == run->group)
            return false;
    return true;
}

static bool has_precision(const struct plan *plan, int kept, const struct run *run) {
    (void)plan;
    (void)kept;
    return run_parameter(run, "method.precision") != NULL;
}

/* Give a run the variant's step and precision; neither timings nor geometry are wanted of it. */
static int run_vary(enum variant variant, const char *file, struct run *run) {
    const int parts = variants[variant].parts;
    char *step = text_format("%.17g s", run_number(run, "time.step", 0) / parts);
    char *steps = text_format("%.0f", run_number(run, "time.steps_per_frame", 0) * parts);
    int status = run_set(run, "time.repeats", "0");
    if (!status)
        status = run_set(run, "record.mesh_every", "0");
    if (!status && parts > 1 && !(status = run_set(run, "time.step", step)))
        status = run_set(run, "time.steps_per_frame", steps);
    if (!status && variant == IN_DOUBLE)
        status = run_set(run, "method.precision", "double");
    if (status)
        fail("%s: the run %s has no variant at %s", file, run->id, variant_names[variant]);
    free(step);
    free(steps);
    return status;
}

/* The text of a run's parameter, or NULL. */
static char *text_of(const struct run *run, const char *path) {
    const struct parameter *parameter = run_parameter(run, path);
    return parameter ? text_copy(parameter->value.text) : NULL;
}

int variant_read(enum variant variant, const char *file, const struct refine_options *options, bool backends,
                 struct variant_plan *out) {
    *out = (struct variant_plan){.kept = NULL};
    struct plan *plan = &out->plan;
    int status = plan_read(file, &options->plan, plan);
    if (status)
        return status;
    keep(plan, is_main);
    if (!backends)
        keep(plan, is_first_of_group);
    if (!plan->run_count)
        status = fail("%s: only runs that vary an assumption are left; --only must leave one of the main sweep", file);
    if (variant == IN_DOUBLE)
        keep(plan, has_precision);
    out->kept = memory_new((size_t)plan->run_count, sizeof *out->kept);
    for (int r = 0; r < plan->run_count; ++r) {
        for (int c = 0; c < VARIED; ++c)
            out->kept[r][c] = text_of(&plan->runs[r], varied[c]);
        if (!status)
            status = run_vary(variant, file, &plan->runs[r]);
    }
    if (status)
        variant_plan_free(out);
    return status;
}

void variant_plan_free(struct variant_plan *plan) {
    for (int r = 0; r < plan->plan.run_count; ++r)
        for (int c = 0; c < VARIED; ++c)
            free(plan->kept[r][c]);
    free(plan->kept);
    plan_free(&plan->plan);
    *plan = (struct variant_plan){.kept = NULL};
}

struct collector {
    struct variant_runs *out;
    char **paths;
};

static void collect(void *context, const struct run *run, const struct run_outcome *outcome) {
    struct collector *collector = context;
    struct variant_runs *out = collector->out;
    if (!*outcome->trace)
        return;
    const size_t room = (size_t)out->count + 1;
    out->runs = memory_grow(out->runs, room, sizeof *out->runs);
    collector->paths = memory_grow(collector->paths, room, sizeof *collector->paths);
    out->runs[out->count] =
        (struct variant_run){.id = text_copy(run->id), .blown = !strcmp(outcome->status, "diverged")};
    collector->paths[out->count++] = text_copy(outcome->trace);
}

/* Give a trace's parameter another text. */
static void show_as(struct trace_data *trace, const char *path, const char *text) {
    for (int p = 0; text && p < trace->parameter_count; ++p)
        if (!strcmp(trace->parameters[p].path, path)) {
            free((char *)trace->parameters[p].value);
            trace->parameters[p].value = text_copy(text);
        }
}

int variant_run_all(enum variant variant, const struct variant_plan *plan, const struct refine_options *options,
                    struct variant_runs *out) {
    *out = (struct variant_runs){NULL, 0};
    if (!plan->plan.run_count)
        return STATUS_OK;
    char *folder = text_format("%s/refine/%s", options->out, variants[variant].folder);
    struct collector collector = {out, NULL};
    const struct runner_options runner = {.out = folder,
                                          .tier = options->plan.tier,
                                          .quiet = options->quiet,
                                          .missing_is_bad = options->plan.backends && *options->plan.backends,
                                          .report = collect,
                                          .context = &collector};
    int status = runner_run(&plan->plan, &runner);
    for (int i = 0; i < out->count; ++i) {
        struct variant_run *run = &out->runs[i];
        if (!status)
            status = trace_open(collector.paths[i], &run->trace);
        free(collector.paths[i]);
        for (int r = 0; !status && r < plan->plan.run_count; ++r)
            for (int c = 0; c < VARIED && !strcmp(plan->plan.runs[r].id, run->id); ++c)
                show_as(&run->trace, varied[c], plan->kept[r][c]);
    }
    free(collector.paths);
    free(folder);
    return status;
}

const struct variant_run *variant_find(const struct variant_runs *runs, const char *id) {
    for (int i = 0; i < runs->count; ++i)
        if (!strcmp(runs->runs[i].id, id))
            return &runs->runs[i];
    return NULL;
}

void variant_free(struct variant_runs *runs) {
    for (int i = 0; i < runs->count; ++i) {
        free(runs->runs[i].id);
        trace_close(&runs->runs[i].trace);
    }
    free(runs->runs);
    *runs = (struct variant_runs){NULL, 0};
}
