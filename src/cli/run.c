/* springback run: run experiments, and write traces. */
#include "base/json.h"
#include "base/memory.h"
#include "base/terminal.h"
#include "cli/verb.h"
#include "run/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run_verb {
    struct selection selection;
    bool json, force, inexact, quiet, label, resume;
    const struct plan *plan;
    int ran, current, missing; /* numbers of runs until now: that ran, were up to date, or had no device */
    int seen;                  /* number of untimed runs until now, in all files */
};

static const struct verb_option options[] = {
    {"out", 'o', "DIR", "Folder of this machine's results (default: out/<machine>)", OPTION_PATH,
     .field = offsetof(struct run_verb, selection.out)},
    {"json", 0, NULL, "Print one JSON object per run", OPTION_FLAG, .field = offsetof(struct run_verb, json)},
    {"force", 0, NULL, "Also run what is up to date", OPTION_FLAG, .field = offsetof(struct run_verb, force)},
    {"resume", 0, NULL,
     "Resume interrupted runs from their last checkpoint; the results are bit-identical. A run begins again if its "
     "part file is damaged or comes from another run or build, and also if the run is timed or has "
     "method.warm_start=yes",
     OPTION_FLAG, .field = offsetof(struct run_verb, resume)},
    {"inexact", 0, NULL, "Also run on devices that are not bit-exact; their traces are marked", OPTION_FLAG,
     .field = offsetof(struct run_verb, inexact)},
    {"label", 0, NULL,
     "Print the experiment's name in each line, and no progress bar: for several processes at the same time",
     OPTION_FLAG, .field = offsetof(struct run_verb, label)},
    {"shard", 0, "I/N",
     "Run only every N-th run of the files, starting with run I, without timed runs, and write no manifest. When all "
     "shards have ended, `springback run` without --shard writes the manifests and does the timed runs",
     OPTION_OWN, .take = shard_take},
    {"quiet", 'q', NULL, "Print only errors", OPTION_FLAG, .field = offsetof(struct run_verb, quiet)},
    {.name = NULL},
};

static void print_json(const struct run *run, const struct run_outcome *outcome, const struct plan *plan) {
    json_t *device = *outcome->device ? json_text(outcome->device) : json_null();
    json_t *resumed = outcome->resumed < 0 ? json_null() : json_integer(outcome->resumed);
    json_print(json_pack("{so so so so so sb si so sf ss so ss sb so}", "id", json_text(run->id), "experiment",
                         json_text(plan->experiment.name), "paper", json_text(plan->experiment.paper), "backend",
                         json_text(run_text(run, "backend")), "device", device, "bit_exact", outcome->bit_exact,
                         "frames", outcome->frames, "resumed_frame", resumed, "seconds", outcome->seconds, "state_hash",
                         outcome->hash, "trace", json_text(outcome->trace), "status", run_status_word(outcome->status),
                         "up_to_date", outcome->up_to_date, "reason", json_text(outcome->reason)),
               stdout);
    fflush(stdout);
}

static const enum terminal_style styles[RUN_STATUSES] = {
    [RUN_WHOLE] = TERMINAL_PLAIN, [RUN_DIVERGED] = TERMINAL_FAIR,     [RUN_FAILED] = TERMINAL_BAD,
    [RUN_MISSING] = TERMINAL_DIM, [RUN_INTERRUPTED] = TERMINAL_PLAIN, [RUN_PENDING] = TERMINAL_PLAIN,
};

static void report(void *context, const struct run *run, const struct run_outcome *outcome) {
    struct run_verb *verb = context;
    verb->current += outcome->up_to_date;
    verb->missing += outcome->status == RUN_MISSING;
    verb->ran += !outcome->up_to_date && *outcome->trace;
    if (verb->json)
        print_json(run, outcome, verb->plan);
    if (verb->json || verb->quiet || outcome->up_to_date)
        return;
    const enum terminal_style style = styles[outcome->status];
    const char *status = run_status_word(outcome->status), *begin = terminal_begin(stdout, style),
               *end = terminal_end(stdout, style);
    const char *name = verb->label ? verb->plan->experiment.name : "", *gap = verb->label ? " " : "";
    if (*outcome->trace) /* ids, which can be long, come last */
        printf("  %s%-8s%s %6d frames %9.3f s  %.12s  %s%s%s\n", begin, status, end, outcome->frames, outcome->seconds,
               outcome->hash, name, gap, run->id);
    else if (*outcome->reason) /* only the first line: a compiler's log is printed with the errors */
        printf("  %s%-8s%s %s%s%s: %.*s\n", begin, status, end, name, gap, run->id, (int)strcspn(outcome->reason, "\n"),
               outcome->reason);
    fflush(stdout);
}

/* Keep only the runs of this shard, without timed ones: timings that are compared must come from one process. */
static void keep_shard(struct run_verb *verb, struct plan *plan) {
    AUTO_FREE bool *is_kept = memory_new((size_t)plan->run_count, sizeof *is_kept);
    for (int r = 0; r < plan->run_count; ++r)
        is_kept[r] =
            !run_is_timed(&plan->runs[r]) && verb->seen++ % verb->selection.shards == verb->selection.shard - 1;
    plan_keep(plan, is_kept);
}

static int run_file(void *out, const char *file) {
    struct run_verb *verb = out;
    AUTO(plan_free) struct plan plan;
    if (selection_plan(&verb->selection, file, &plan))
        return complain();
    verb->plan = &plan;
    if (verb->selection.shards)
        keep_shard(verb, &plan);
    if (!plan.run_count)
        return STATUS_OK;
    const struct runner_options runner = {
        .out = results_folder(verb->selection.out),
        .tier = verb->selection.tier,
        .allow_inexact = verb->inexact,
        .force = verb->force && !verb->selection.is_shared,
        .resume = verb->resume,
        .partial = verb->selection.only.count || verb->selection.backends.count,
        .force_timed = verb->force,
        .is_shard = verb->selection.shards,
        .quiet = verb->quiet,
        .label = verb->label,
        .missing_is_bad = verb->selection.backends.count,
        .report = report,
        .context = verb,
    };
    const int before = verb->current, ran = verb->ran, missing = verb->missing;
    if (!verb->json && !verb->quiet)
        printf("%s: %s, %d runs\n", plan.experiment.name, plan.experiment.title, plan.run_count);
    fflush(stdout);
    int status = runner_run(&plan, &runner);
    if (!verb->json && !verb->quiet && verb->ran == ran && verb->current > before && !status)
        printf("  %s%snothing to run: %s%d are up to date\n", verb->label ? plan.experiment.name : "",
               verb->label ? ": " : "", verb->missing > missing ? "the other " : "all ", verb->current - before);
    return status ? complain() : STATUS_OK;
}

const struct verb verb_run = {
    .arguments = "FILE...",
    .doc = "Run experiment files, and write one trace per run. Runs that are up to date are not run again."
           "\vExample: the fast part of an experiment, on two threads\n"
           "  springback run experiments/va2022/resolutions.yaml --tier quick \\\n"
           "      --only 'nodes=[52, 52]' --backend threads:2",
    .options = options,
    .has_selection = true,
    .shard_words = (const char *const[]){"--label", NULL},
    .missing = "no experiment file given",
    .check = verb_check_set,
    .size = sizeof(struct run_verb),
    .each = run_file};
