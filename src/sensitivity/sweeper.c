#include "sensitivity/sweeper.h"

#include "backend/backend.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/progress.h"
#include "claim/evaluate.h"
#include "experiment/run.h"
#include "experiment/sample.h"
#include "experiment/value.h"
#include "run/runner.h"
#include "run/sweep.h"

#include <stdlib.h>
#include <string.h>

/* A member of the sweep. */
struct planned_member {
    double seconds;  /* that it may take */
    bool is_current; /* nothing of it is to be done */
    char *folder;
};

/* A sweep on its way. */
struct sweeper {
    const char *file;
    const struct sweeper_options *options;
    struct plan_options plan; /* with the one backend */
    const char *backends[2];
    struct plan base;     /* member 0 */
    struct value *values; /* values[m * assumptions + a] */
    struct pool pool;     /* their texts */
    char **reasons;       /* why a member is skipped, or NULL */
    struct planned_member *members;
    int *due; /* which of them are to be run */
    char *folder;
    char digest[DIGEST_SIZE];
    struct speeds *speeds;
    struct sweep_outlook outlook;
};

/* ---- Members ---- */

/* The plan of a member; `values` are one an assumption, or NULL for those that are taken. Values that do not go
 * together are no mistake here: *reason says so, newly allocated. */
static int member_plan(const struct sweeper *sweeper, const struct value *values, struct plan *plan, char **reason) {
    int status = plan_read(sweeper->file, &sweeper->plan, plan);
    *reason = NULL;
    if (status)
        return status;
    for (int r = 0; r < plan->run_count && !status && !*reason; ++r) {
        struct run *run = &plan->runs[r];
        status = run_set(run, "time.repeats", "0");
        if (!status && strcmp(run_text(run, "record.mesh_of"), "all") != 0)
            status = run_set(run, "record.mesh_every", "0");
        const struct failure_mark mark = failure_mark();
        if (!status && values && run_assume(run, &plan->experiment, values))
            *reason = failure_take(mark);
    }
    if (status)
        plan_free(plan);
    return status;
}

static bool has_threads(const struct run *run) {
    const struct backend *backend = backend_find(run_text(run, "backend"));
    return backend && backend->has_threads;
}

/* The backend that the file's runs shall have. */
static int choose_backend(struct sweeper *sweeper) {
    const char *const *asked = sweeper->options->plan.backends;
    if (asked && asked[0] && asked[1])
        return fail("--backend: the members are run on one backend, since the bits are equal on all; name one");
    sweeper->plan = sweeper->options->plan;
    if (asked && asked[0])
        return STATUS_OK;
    AUTO(plan_free) struct plan plan;
    int status = plan_read(sweeper->file, &sweeper->plan, &plan);
    if (status)
        return status;
    int chosen = 0;
    while (chosen < plan.run_count && !has_threads(&plan.runs[chosen]))
        ++chosen;
    sweeper->backends[0] = text_copy(run_text(&plan.runs[chosen < plan.run_count ? chosen : 0], "backend"));
    sweeper->plan.backends = sweeper->backends;
    return status;
}

static int draw(struct sweeper *sweeper) {
    const struct experiment *experiment = &sweeper->base.experiment;
    const int assumptions = experiment->assumption_count, members = sweeper->options->members;
    sweeper->values = memory_new((size_t)members * (size_t)assumptions, sizeof *sweeper->values);
    sweeper->reasons = memory_new((size_t)members, sizeof *sweeper->reasons);
    sweeper->members = memory_new((size_t)members, sizeof *sweeper->members);
    for (int a = 0; a < assumptions; ++a)
        sweeper->outlook.assumptions += assumption_varies(&experiment->assumptions[a], RANGE_LIKELY);
    if (!sweeper->outlook.assumptions)
        return fail("%s: it has no assumption that could be varied; under assumptions:, give what the paper does not "
                    "state its range, or words their samples",
                    sweeper->file);
    for (int a = 0; a < assumptions; ++a)
        sweeper->values[a] = experiment->assumptions[a].value;
    sample_draw(experiment, RANGE_LIKELY, members - 1, &sweeper->pool, sweeper->values + assumptions);
    return STATUS_OK;
}

/* ---- What is to be done ---- */

struct member_survey {
    struct sweeper *sweeper;
    int member;
    bool is_broken; /* a run is refused for another reason than that its values do not go together */
};

static void survey_run(void *context, const struct run *run, const struct run_preview *preview) {
    struct member_survey *survey = context;
    struct sweep_outlook *outlook = &survey->sweeper->outlook;
    (void)run;
    ++outlook->runs;
    survey->is_broken = survey->is_broken || (preview->action == ACTION_REFUSE && !preview->is_invalid);
    if (preview->action != ACTION_RUN)
        return;
    ++outlook->due;
    survey->sweeper->members[survey->member].is_current = false;
    outlook->rough = outlook->rough || preview->forecast.basis == FORECAST_ROUGH;
    outlook->seconds += preview->forecast.seconds;
    survey->sweeper->members[survey->member].seconds += preview->forecast.seconds;
}

/* How a member is run, and its folder. */
static struct runner_options runner_for(const struct sweeper *sweeper, int member) {
    return (struct runner_options){.out = sweeper->options->out,
                                   .folder = sweeper->members[member].folder,
                                   .tier = sweeper->plan.tier,
                                   .sweep = sweeper->digest,
                                   .resume = true,
                                   .partial = sweeper->plan.only && *sweeper->plan.only,
                                   .quiet = sweeper->options->quiet,
                                   .missing_is_bad = true};
}

static const struct value *values_of(const struct sweeper *sweeper, int member) {
    return &sweeper->values[(size_t)member * (size_t)sweeper->base.experiment.assumption_count];
}

/* Say of which member, and with which values, something went wrong. */
static int fail_member(const struct sweeper *sweeper, int member) {
    const struct experiment *experiment = &sweeper->base.experiment;
    AUTO_FREE char *values = text_copy("");
    for (int a = 0; a < experiment->assumption_count; ++a)
        if (assumption_varies(&experiment->assumptions[a], RANGE_LIKELY))
            sentence_add(&values, "%s%s = %s", *values ? "and " : "", experiment->assumptions[a].field->path,
                         values_of(sweeper, member)[a].text);
    fail("%s: so member %d of the sweep cannot run: %s", sweeper->file, member, values);
    return STATUS_BAD;
}

/* Look at a member's runs. Where its method refuses one of them, though not those of the values as taken, member 0,
 * its values do not go together. */
static int survey_member(struct sweeper *sweeper, int m, const struct plan *plan) {
    const struct sweep_outlook before = sweeper->outlook;
    const struct runner_options runner = runner_for(sweeper, m);
    const struct failure_mark mark = failure_mark();
    struct member_survey context = {sweeper, m, false};
    if (!runner_survey(plan, &runner, sweeper->speeds, survey_run, &context))
        return STATUS_OK;
    if (m == 0 || context.is_broken)
        return fail_member(sweeper, m);
    sweeper->reasons[m] = failure_take(mark);
    sweeper->outlook = before;
    sweeper->members[m].seconds = 0;
    return STATUS_OK;
}

/* All that can be known to go wrong, before the first run; and how long it may take. */
static int survey(struct sweeper *sweeper) {
    int status = STATUS_OK;
    for (int m = 0; m < sweeper->options->members && !status && !interrupt_signal(); ++m) {
        struct plan plan;
        status = member_plan(sweeper, values_of(sweeper, m), &plan, &sweeper->reasons[m]);
        if (status)
            break;
        struct planned_member *member = &sweeper->members[m];
        member->folder = sweep_member_folder(sweeper->folder, m);
        member->is_current = sweep_member_ended(member->folder, sweeper->digest, &plan);
        if (!sweeper->reasons[m])
            status = survey_member(sweeper, m, &plan);
        sweeper->outlook.skipped += sweeper->reasons[m] != NULL;
        plan_free(&plan);
    }
    return status;
}

/* ---- Running ---- */

static int begin_member(void *context, int k, struct plan *plan, struct runner_options *options) {
    const struct sweeper *sweeper = context;
    const int m = sweeper->due[k];
    char *reason;
    int status = member_plan(sweeper, values_of(sweeper, m), plan, &reason);
    free(reason); /* the survey found none */
    *options = runner_for(sweeper, m);
    options->progress = sweeper->members[m].seconds > 0 ? sweeper->members[m].seconds : 1e-9;
    return status;
}

static int run_members(struct sweeper *sweeper) {
    const int members = sweeper->options->members;
    int failed;
    struct members due = {
        .backend = run_text(&sweeper->base.runs[0], "backend"), .begin = begin_member, .context = sweeper};
    sweeper->due = memory_new((size_t)members, sizeof *sweeper->due);
    for (int m = 0; m < members; ++m)
        if (!sweeper->reasons[m] && !sweeper->members[m].is_current)
            sweeper->due[due.count++] = m;
    if (!sweeper->options->quiet)
        progress_begin(sweeper->outlook.seconds);
    const int status = members_run(&due, &failed);
    progress_end();
    if (failed >= 0 && !interrupt_signal())
        fail_member(sweeper, sweeper->due[failed]);
    return interrupt_signal() ? STATUS_BAD : status;
}

/* ---- Claims ---- */

static int read_claims(const struct sweeper *sweeper, struct claim_file *claims) {
    const char *named = sweeper->options->claims;
    AUTO_FREE char *file =
        named ? text_copy(named) : text_format("paper_checks/%s.yaml", sweeper->base.experiment.paper);
    return named || file_exists(file) ? claim_file_read(file, claims) : STATUS_OK;
}

static int judge(const struct sweeper *sweeper, struct sweep_report *report) {
    int status = member_set_read(sweeper->options->out, report->experiment, &report->set);
    if (!status && report->set.count + report->set.skipped < sweeper->options->members)
        status = fail("%s: %s; springback sensitivity without --only makes what is missing", sweeper->folder,
                      report->set.end);
    for (int c = 0; c < report->claims.count && !status; ++c) {
        const struct claim *claim = &report->claims.claims[c];
        if (strcmp(claim_experiment(claim), report->experiment) != 0)
            continue;
        struct sensitivity *sensitivity = sensitivity_of(claim, &report->set);
        *ARRAY_ADD(report->items, report->count) = (struct sweep_item){claim, sensitivity};
        status = sensitivity->status;
    }
    AUTO_FREE char *folder = text_format("%s/%s", sweeper->options->out, report->experiment);
    if (!status)
        status = sweep_report_write(report, folder);
    return status;
}

/* ---- The whole ---- */

static void sweeper_free(struct sweeper *sweeper) {
    const int members = sweeper->options->members;
    free(sweeper->values);
    pool_free(&sweeper->pool);
    for (int m = 0; sweeper->reasons && m < members; ++m) {
        free(sweeper->reasons[m]);
        free(sweeper->members[m].folder);
    }
    if (sweeper->speeds)
        speeds_free(sweeper->speeds);
    free(sweeper->reasons);
    free(sweeper->members);
    free(sweeper->due);
    free(sweeper->folder);
    free((char *)sweeper->backends[0]);
    plan_free(&sweeper->base);
}

int sweep(const char *file, const struct sweeper_options *options, struct sweep_report *report) {
    AUTO(sweeper_free) struct sweeper sweeper = {.file = file, .options = options};
    const struct experiment *experiment = &sweeper.base.experiment;
    char *none;
    *report = (struct sweep_report){.count = 0};
    if (choose_backend(&sweeper) || member_plan(&sweeper, NULL, &sweeper.base, &none) || draw(&sweeper) ||
        read_claims(&sweeper, &report->claims))
        return STATUS_BAD;
    report->experiment = text_copy(experiment->name);
    sweeper.folder = sweep_folder(options->out, experiment->name);
    sweeper.speeds = speeds_create(options->out);
    sweep_digest(&sweeper.base, sweeper.digest);
    if (survey(&sweeper) || interrupt_signal())
        return STATUS_BAD;
    sweeper.outlook.experiment = experiment->name;
    sweeper.outlook.members = options->members;
    sweeper.outlook.backend = run_text(&sweeper.base.runs[0], "backend");
    sweeper.outlook.tier = sweeper.plan.tier ? sweeper.plan.tier : "full";
    if (options->tell)
        options->tell(&sweeper.outlook);
    if (folder_make(sweeper.folder) ||
        sweep_members_write(sweeper.folder, experiment, sweeper.digest, sweeper.values, sweeper.reasons,
                            options->members) ||
        run_members(&sweeper) || interrupt_signal())
        return STATUS_BAD;
    return judge(&sweeper, report);
}

void sweep_report_free(struct sweep_report *report) {
    for (int i = 0; i < report->count; ++i)
        sensitivity_free(report->items[i].sensitivity);
    claim_file_free(&report->claims);
    member_set_free(&report->set);
    free(report->items);
    free(report->experiment);
    *report = (struct sweep_report){.count = 0};
}
