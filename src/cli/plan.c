/* springback plan: print what would run and why, what is assumed, how long it may take, and the leftovers. */
#include "base/amount.h"
#include "base/memory.h"
#include "cli/verb.h"
#include "run/leftover.h"
#include "run/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sums over all runs of one file, or of several files. */
struct totals {
    int runs[ACTION_REFUSE + 1],
        based[FORECAST_BASES]; /* runs: number of runs for each action; based: for each basis of a forecast */
    double seconds, bytes;     /* forecast time and disk space of the runs that would run */
    char *refusal;             /* the reason of the refusal that was printed last; NULL before the first */
};

struct plan_verb {
    struct selection selection;
    bool stale;
    struct speeds *speeds; /* speeds of the runs whose traces are in the folder of results */
    struct totals totals;  /* of all files that could be planned */
    int planned;           /* number of these files */
};

static const struct verb_option options[] = {
    {"out", 'o', "DIR", "Folder of the results with which the plan is compared (default: out/<machine>)", OPTION_PATH,
     .field = offsetof(struct plan_verb, selection.out)},
    {"stale", 0, NULL, "Print each leftover file", OPTION_FLAG, .field = offsetof(struct plan_verb, stale)},
    {.name = NULL},
};

static void print_assumption(const struct assumption *a) {
    printf("    %s = %s", a->field->path, a->value.text);
    for (int kind = 0; kind < RANGE_COUNT; ++kind) {
        AUTO_FREE char *range = range_text(&a->ranges[kind]);
        printf("%s %s: %s", kind ? ";" : "   ", range_kind_name((enum range_kind)kind), range);
    }
    printf("\n        %s\n", a->why);
    if (*a->source)
        printf("        possible: %s\n", a->source);
}

/* Whether an earlier run has this value of the parameter. */
static bool is_repeated(const struct plan *plan, int run, const struct parameter *parameter) {
    for (int r = 0; r < run; ++r) {
        const struct parameter *earlier = run_parameter(&plan->runs[r], parameter->field->path);
        if (earlier && !strcmp(earlier->value.text, parameter->value.text))
            return true;
    }
    return false;
}

/* Print each value that the paper states, once, with the place in the paper. Also print the values that need a source
 * but have none. */
static void print_stated(const struct plan *plan) {
    int missing = 0;
    printf("  stated:\n");
    for (int r = 0; r < plan->run_count; ++r)
        for (int p = 0; p < plan->runs[r].parameter_count; ++p) {
            const struct parameter *parameter = &plan->runs[r].parameters[p];
            AUTO_FREE char *source = parameter_source(&plan->experiment, &plan->runs[r], parameter);
            if (parameter->origin == ORIGIN_ASSUMED || is_repeated(plan, r, parameter) ||
                (source && strncmp(source, "stated", strlen("stated")) != 0))
                continue;
            missing += !source;
            printf("    %s = %s   %s\n", parameter->field->path, parameter->value.text, source ? source : "NO SOURCE");
        }
    if (missing)
        printf("  %d values have no source: add their places in the paper under `stated:`, or make the values "
               "assumptions\n",
               missing);
}

static const char *const bases[FORECAST_BASES] = {
    [FORECAST_SAME] = "as measured before",
    [FORECAST_LIKE] = "from a similar run",
    [FORECAST_ROUGH] = "a rough guess",
};

/* Print the reason of a refusal. A reason that is the same for all runs, such as a missing body, is printed once. */
static void print_refusal(struct totals *totals, const char *reason, int length) {
    char *refusal = text_format("%.*s", length, reason);
    if (totals->refusal && !strcmp(totals->refusal, refusal))
        printf("        would be refused for the same reason\n");
    else
        printf("        would be refused: %s\n", refusal);
    free(totals->refusal);
    totals->refusal = refusal;
}

static void print_run(void *context, const struct run *run, const struct run_preview *preview) {
    struct totals *totals = context;
    char seconds[AMOUNT_SIZE], bytes[AMOUNT_SIZE];
    printf("    %s\n", run->id);
    if (preview->action != ACTION_REFUSE)
        printf("        %d nodes, %ld springs, %.0f frames of %.0f steps\n", preview->nodes, preview->springs,
               run_number(run, "time.frames", 0), run_number(run, "time.steps_per_frame", 0));
    const int first_line = (int)strcspn(preview->reason, "\n");
    if (preview->action == ACTION_KEEP)
        printf("        up to date\n");
    else if (preview->action == ACTION_SKIP)
        printf("        would be missing: %.*s\n", first_line, preview->reason);
    else if (preview->action == ACTION_REFUSE)
        print_refusal(totals, preview->reason, first_line);
    else
        printf("        would run: %.*s; about %s, %s; about %s of disk\n", first_line, preview->reason,
               amount_seconds(preview->forecast.seconds, seconds), bases[preview->forecast.basis],
               amount_bytes(preview->bytes, bytes));
    ++totals->runs[preview->action];
    if (preview->action == ACTION_RUN) {
        totals->seconds += preview->forecast.seconds;
        totals->bytes += preview->bytes;
        ++totals->based[preview->forecast.basis];
    }
}

static void add_totals(struct totals *sum, const struct totals *totals) {
    for (int o = 0; o <= ACTION_REFUSE; ++o)
        sum->runs[o] += totals->runs[o];
    for (int b = 0; b < FORECAST_BASES; ++b)
        sum->based[b] += totals->based[b];
    sum->seconds += totals->seconds;
    sum->bytes += totals->bytes;
}

static void print_totals(const struct totals *totals) {
    static const struct {
        enum planned_action action;
        const char *what;
    } rows[] = {{ACTION_KEEP, "up to date"}, {ACTION_SKIP, "missing"}, {ACTION_REFUSE, "refused"}};
    char seconds[AMOUNT_SIZE], bytes[AMOUNT_SIZE];
    printf("  %d would run", totals->runs[ACTION_RUN]);
    if (totals->runs[ACTION_RUN])
        printf("; this would take about %s%s and about %s of disk", amount_seconds(totals->seconds, seconds),
               totals->based[FORECAST_ROUGH] ? " (rough)" : "", amount_bytes(totals->bytes, bytes));
    for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r)
        if (totals->runs[rows[r].action])
            printf("; %d %s", totals->runs[rows[r].action], rows[r].what);
    printf("\n");
}

/* Print the leftovers of an experiment. To find them, use a plan with all runs of the file, even if only some runs are
 * selected, because the files of the other runs are not leftovers. */
static int print_leftovers(const struct plan_verb *verb, const char *file, const char *out) {
    const struct selection all = {.tier = verb->selection.tier};
    AUTO(leftovers_free) struct leftovers leftovers = {NULL, 0};
    AUTO(plan_free) struct plan plan;
    int status = selection_plan(&all, file, &plan);
    if (status)
        return status;
    status = leftovers_find(out, &plan, &leftovers);
    int files = 0, resumable = 0;
    double bytes = 0;
    char amount[AMOUNT_SIZE];
    for (int l = 0; l < leftovers.count; ++l) {
        files += !leftovers.items[l].folder;
        resumable += leftovers.items[l].resumable;
        bytes += leftovers.items[l].bytes;
    }
    if (files) {
        printf("  left over: %d file%s, %s", files, files == 1 ? "" : "s", amount_bytes(bytes, amount));
        if (resumable)
            printf("; runs or sweeps can be resumed from %d of these files, which `clean` removes only with --parts",
                   resumable);
        printf(" (%s`springback clean` removes leftover files)\n", verb->stale ? "" : "--stale names them all, ");
    }
    for (int l = 0; verb->stale && l < leftovers.count; ++l)
        if (!leftovers.items[l].folder)
            printf("    %s  (%s, %s)\n", leftovers.items[l].path, leftovers.items[l].why,
                   amount_bytes(leftovers.items[l].bytes, amount));
    return status;
}

static int plan_file(struct plan_verb *verb, const char *file, const char *out) {
    AUTO(plan_free) struct plan plan;
    if (selection_plan(&verb->selection, file, &plan))
        return complain();
    const struct experiment *experiment = &plan.experiment;
    const struct runner_options runner = {
        .out = out, .tier = verb->selection.tier, .missing_is_bad = verb->selection.backends.count};
    printf("%s: %s\n", experiment->name, experiment->title);
    print_stated(&plan);
    if (experiment->assumption_count)
        printf("  assumed:\n");
    for (int a = 0; a < experiment->assumption_count; ++a)
        if (experiment->assumptions[a].is_used)
            print_assumption(&experiment->assumptions[a]);
    printf("  %d runs:\n", plan.run_count);
    struct totals totals = {.seconds = 0};
    int status = runner_survey(&plan, &runner, verb->speeds, print_run, &totals);
    print_totals(&totals);
    free(totals.refusal);
    add_totals(&verb->totals, &totals);
    ++verb->planned;
    if (print_leftovers(verb, file, out))
        status = STATUS_BAD;
    return status ? complain() : STATUS_OK;
}

static int plan_all(void *out) {
    struct plan_verb *verb = out;
    const char *folder = results_folder(verb->selection.out);
    int status = STATUS_OK;
    verb->speeds = speeds_create(folder);
    for (int f = 0; f < verb->selection.files.count; ++f)
        if (plan_file(verb, verb->selection.files.words[f], folder))
            status = STATUS_BAD;
    if (verb->planned > 1) {
        printf("all %d experiments:\n", verb->planned);
        print_totals(&verb->totals);
    }
    speeds_free(verb->speeds);
    return status;
}

const struct verb verb_plan = {
    .arguments = "FILE...",
    .doc = "Print what would run and why, what is assumed, how long it may take, and how much disk it needs. Also "
           "print how many "
           "files of interrupted sweeps, killed runs and deleted experiments are left over. Nothing is run or written."
           "\vExample: the cost of a changed stiffness\n"
           "  springback plan experiments/va2022/strong-push.yaml \\\n"
           "      --set 'method.stiffness=200 N/m'",
    .options = options,
    .has_selection = true,
    .missing = "no experiment file given",
    .size = sizeof(struct plan_verb),
    .run = plan_all};
