#include "run/runner.h"

#include "base/memory.h"
#include "base/words.h"
#include "run/provenance.h"
#include "run/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The speed of a run, from its trace. The work of a time step is (nodes + springs) times iterations. */
struct speed {
    const char *run;   /* experiment and id */
    const char *where; /* method, backend and device */
    const char *variant;
    double work, seconds; /* work of a time step; seconds per unit of work */
};

struct speeds {
    char *out;
    struct words read; /* the experiments whose traces were read */
    bool has_all;      /* the traces of all experiments below `out` were read */
    struct speed *speeds;
    int count;
    struct pool pool; /* owns the texts of the speeds */
};

static double note_number(const struct trace_data *trace, const char *name) {
    return strtod(trace_run_text(trace, name), NULL);
}

static void speeds_add(struct speeds *speeds, const char *experiment, const struct manifest_row *row,
                       const struct trace_data *trace) {
    const char *iterations = trace_parameter_text(trace, "method.iterations");
    const char *variant = trace_parameter_text(trace, "method.variant");
    const double work =
        (note_number(trace, "nodes") + note_number(trace, "springs")) * (iterations ? strtod(iterations, NULL) : 1);
    const double steps = note_number(trace, "steps_per_frame");
    const double frames = note_number(trace, "frames"), repeats = trace->repeats > 0 ? trace->repeats : 1;
    const double seconds = note_number(trace, "seconds") / (work * steps * frames * repeats);
    if (!isfinite(seconds) || seconds <= 0)
        return;
    char *where = text_format("%s\n%s\n%s", trace_run_text(trace, "method"), trace_run_text(trace, "backend_kind"),
                              trace_run_text(trace, "device"));
    *ARRAY_ADD(speeds->speeds, speeds->count) =
        (struct speed){.run = pool_add(&speeds->pool, text_format("%s %s", experiment, row->id)),
                       .where = pool_add(&speeds->pool, where),
                       .variant = pool_add(&speeds->pool, text_copy(variant ? variant : "")),
                       .work = work,
                       .seconds = seconds};
}

/* Read the speeds of an experiment's traces, if they were not read before. `own` is the index of the experiment's
 * traces; if `own` is NULL, the function opens the index. Unreadable traces are ignored. */
static void speeds_read(struct speeds *speeds, const char *experiment, struct trace_index *own) {
    AUTO_FREE char *folder = text_format("%s/%s", speeds->out, experiment);
    const struct failure_mark mark = failure_mark();
    if (!words_add_new(&speeds->read, experiment))
        return;
    AUTO(manifest_free) struct manifest manifest;
    struct trace_index *opened = own ? NULL : trace_index_open(folder, provenance_binary());
    const int rows = manifest_read(folder, &manifest) ? 0 : manifest.count;
    for (int r = 0; r < rows; ++r) {
        struct trace_data trace;
        if (run_has_trace(manifest.rows[r].status) &&
            !manifest_open(folder, own ? own : opened, &manifest.rows[r], &trace)) {
            speeds_add(speeds, experiment, &manifest.rows[r], &trace);
            trace_close(&trace);
        }
    }
    trace_index_close(opened, false);
    failure_rewind(mark);
}

struct speeds *speeds_create(const char *out) {
    struct speeds *speeds = memory_new(1, sizeof *speeds);
    speeds->out = text_copy(out);
    return speeds;
}

void speeds_free(struct speeds *speeds) {
    pool_free(&speeds->pool);
    words_free(&speeds->read);
    free(speeds->speeds);
    free(speeds->out);
    free(speeds);
}

/* Whether `speed` predicts a run better than `than`, which may be NULL. If only one of the two speeds is of the run's
 * variant, this speed is better. Otherwise the speed whose work is closer to `work` is better. */
static bool is_nearer(const struct speed *speed, const struct speed *than, const char *variant, double work) {
    if (!than)
        return true;
    const bool is_of_variant = !strcmp(speed->variant, variant);
    if (is_of_variant != !strcmp(than->variant, variant))
        return is_of_variant;
    return fabs(log(speed->work / work)) < fabs(log(than->work / work));
}

struct forecast forecast_make(struct speeds *speeds, const char *experiment, const struct run *run, int nodes,
                              long springs, const struct backend_choice *choice, struct trace_index *own) {
    const char *method = run_text(run, "method.name");
    const char *variant = run_parameter(run, "method.variant") ? run_text(run, "method.variant") : "";
    const double iterations = run_parameter(run, "method.iterations") ? run_number(run, "method.iterations", 0) : 1;
    const double work = ((double)nodes + (double)springs) * iterations;
    const double steps = run_number(run, "time.frames", 0) * run_number(run, "time.steps_per_frame", 0) *
                         fmax(1, run_number(run, "time.repeats", 0));
    AUTO_FREE char *name = text_format("%s %s", experiment, run->id),
                   *where = text_format("%s\n%s\n%s", method, choice->backend->name, choice->device_name);
    const struct speed *same = NULL, *nearest = NULL;
    AUTO(results_free) struct results results = {NULL, 0};
    if (speeds)
        speeds_read(speeds, experiment, own);
    for (int s = 0; speeds && s < speeds->count && !same; ++s)
        if (!strcmp(speeds->speeds[s].where, where) && !strcmp(speeds->speeds[s].run, name))
            same = &speeds->speeds[s];
    if (same)
        return (struct forecast){steps * work * same->seconds, FORECAST_SAME};
    if (speeds && !speeds->has_all)
        results_list(speeds->out, &results);
    for (int e = 0; e < results.count; ++e)
        speeds_read(speeds, results.experiments[e], NULL);
    if (speeds)
        speeds->has_all = true;
    for (int s = 0; speeds && s < speeds->count; ++s)
        if (!strcmp(speeds->speeds[s].where, where) && is_nearer(&speeds->speeds[s], nearest, variant, work))
            nearest = &speeds->speeds[s];
    if (nearest)
        return (struct forecast){steps * work * nearest->seconds, FORECAST_LIKE};
    const double seconds = steps * work * method_find(method)->relative_cost * choice->cost.item_seconds +
                           steps * iterations * choice->cost.iteration_seconds;
    return (struct forecast){seconds, FORECAST_ROUGH};
}
