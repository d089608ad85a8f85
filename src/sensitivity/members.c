#include "sensitivity/members.h"

#include "backend/backend.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/project.h"
#include "claim/evaluate.h"
#include "claim/reduction.h"
#include "experiment/run.h"
#include "experiment/sample.h"
#include "experiment/value.h"
#include "run/lock.h"
#include "run/manifest.h"

#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* ---- Planning ---- */

/* Make the plan of a member; `member` is NULL for the chosen values. Values that cannot be combined are not an error:
 * then *reason says why, newly allocated. Otherwise *reason is NULL. */
static int member_plan(const struct sweeper *sweeper, const struct planned_member *member, struct plan *plan,
                       char **reason) {
    int status = plan_read(sweeper->file, &sweeper->plan, plan);
    *reason = NULL;
    if (status)
        return status;
    for (int r = 0; r < plan->run_count && !status && !*reason; ++r) {
        struct run *run = &plan->runs[r];
        status = run_set(run, "time.repeats", "0");
        if (!status && member && member->kind == MEMBER_NOISE) {
            AUTO_FREE char *noise = text_format("%d", member->number);
            status = run_set(run, "body.noise", noise);
        }
        const struct failure_mark mark = failure_mark();
        if (!status && member && run_assume(run, &plan->experiment, member->values))
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

/* Choose the backend of all runs: the requested backend, if there is one. Otherwise choose the first backend of the
 * file that has threads, or the first backend of the file if none has threads. */
static int choose_backend(struct sweeper *sweeper) {
    const char *const *requested = sweeper->options->plan.backends;
    if (requested && requested[0] && requested[1])
        return fail("--backend: a sweep runs on one backend, because all backends are bit-identical; give one");
    sweeper->plan = sweeper->options->plan;
    if (requested && requested[0])
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

struct planned_member *sweeper_plan(struct sweeper *sweeper, enum member_kind kind, int number,
                                    const struct value *values) {
    struct planned_member *member = ARRAY_ADD(sweeper->members, sweeper->member_count);
    *member = (struct planned_member){.kind = kind,
                                      .number = number,
                                      .values = values,
                                      .twin = -1,
                                      .folder = sweep_member_folder(sweeper->scratch, kind, number)};
    return member;
}

/* Count the members to draw. The members of an earlier table are kept, even if fewer are requested. */
static void count_members(struct sweeper *sweeper) {
    const struct sweep_table *kept = &sweeper->kept;
    memcpy(sweeper->counts, sweeper->options->members, sizeof sweeper->counts);
    for (int m = 0; m < kept->member_count && sweeper_is_same(sweeper, kept); ++m) {
        const struct sweep_member *member = &kept->members[m];
        const int count = member->number + (member->kind == MEMBER_LIKELY);
        if (member->kind != MEMBER_SEARCH && sweeper->counts[member->kind] < count)
            sweeper->counts[member->kind] = count;
    }
}

/* Plan all members except searched ones, and draw the values of the likely and possible members. */
static int draw(struct sweeper *sweeper) {
    const struct experiment *experiment = &sweeper->base.experiment;
    const int assumptions = experiment->assumption_count, *counts = sweeper->counts;
    const int most = counts[MEMBER_LIKELY] + counts[MEMBER_POSSIBLE] + counts[MEMBER_NOISE];
    struct value *values = sweeper->values = memory_new((size_t)(most + 1) * (size_t)assumptions, sizeof *values);
    for (int a = 0; a < assumptions; ++a)
        sweeper->forecast.assumptions += assumption_varies(&experiment->assumptions[a], RANGE_POSSIBLE);
    if (!sweeper->forecast.assumptions)
        return fail("%s: no assumption has a range; give one a `likely` or `possible` range", sweeper->file);
    for (int a = 0; a < assumptions; ++a)
        values[a] = experiment->assumptions[a].value;
    sample_draw(experiment, RANGE_LIKELY, counts[MEMBER_LIKELY] - 1, &sweeper->pool, values + assumptions);
    sample_draw(experiment, RANGE_POSSIBLE, counts[MEMBER_POSSIBLE], &sweeper->pool,
                values + (size_t)counts[MEMBER_LIKELY] * (size_t)assumptions);
    for (int kind = 0, first = 0; kind < MEMBER_SEARCH; first += counts[kind++])
        for (int k = 0; k < counts[kind]; ++k)
            sweeper_plan(sweeper, (enum member_kind)kind, k + (kind != MEMBER_LIKELY),
                         kind == MEMBER_NOISE ? values : values + (size_t)(first + k) * (size_t)assumptions);
    return STATUS_OK;
}

static bool is_varied(const struct experiment *experiment, int a) {
    return assumption_varies(&experiment->assumptions[a], RANGE_POSSIBLE);
}

void sweeper_keep(struct sweeper *sweeper, const bool *is_kept) {
    int kept = 0;
    for (int m = 0; m < sweeper->member_count; ++m)
        if (is_kept[m])
            sweeper->members[kept++] = sweeper->members[m];
        else
            free(sweeper->members[m].folder);
    sweeper->member_count = kept;
}

/* Fill in the head of the table (everything before its members), except the notes and columns. */
static void begin_table(struct sweeper *sweeper) {
    const struct experiment *experiment = &sweeper->base.experiment;
    struct sweep_table *table = &sweeper->table;
    table->experiment = experiment->name;
    table->tier = sweeper->plan.tier ? sweeper->plan.tier : "full";
    sweep_digest(&sweeper->base, table->digest);
    for (int a = 0; a < experiment->assumption_count; ++a) {
        const struct assumption *assumption = &experiment->assumptions[a];
        if (is_varied(experiment, a))
            *ARRAY_ADD(table->assumptions, table->assumption_count) =
                (struct sweep_assumption){assumption->field->path, assumption->field->unit,
                                          pool_add(&table->pool, range_text(&assumption->ranges[RANGE_LIKELY])),
                                          pool_add(&table->pool, range_text(&assumption->ranges[RANGE_POSSIBLE]))};
    }
    for (int r = 0; r < sweeper->base.run_count; ++r) {
        const struct run *run = &sweeper->base.runs[r];
        struct sweep_run *out = ARRAY_ADD(table->runs, table->run_count);
        *out = (struct sweep_run){.id = run->id};
        for (int p = 0; p < run->parameter_count; ++p)
            *ARRAY_ADD(out->parameters, out->parameter_count) =
                (struct trace_parameter){.path = run->parameters[p].field->path,
                                         .value = run->parameters[p].value.text,
                                         .unit = run->parameters[p].field->unit,
                                         .origin = origin_name(run->parameters[p].origin),
                                         .why = "",
                                         .low = "",
                                         .high = ""};
    }
}

/* Add a member to the table, with its values only, and return it. The caller fills in the results of a finished member.
 * A member that cannot run has no results. */
static struct sweep_member *add_member(struct sweeper *sweeper, const struct planned_member *planned) {
    const struct experiment *experiment = &sweeper->base.experiment;
    struct sweep_table *table = &sweeper->table;
    struct sweep_member *member = ARRAY_ADD(table->members, table->member_count);
    const size_t runs = (size_t)table->run_count;
    *member = (struct sweep_member){.kind = planned->kind, .number = planned->number, .digest = ""};
    member->values = pool_add(&table->pool, memory_new((size_t)table->assumption_count + 1, sizeof(const char *)));
    member->status = pool_add(&table->pool, memory_new(runs + 1, sizeof(const char *)));
    member->numbers =
        pool_add(&table->pool, memory_new(runs * (size_t)table->column_count + 1, sizeof *member->numbers));
    for (int a = 0, k = 0; a < experiment->assumption_count; ++a)
        if (is_varied(experiment, a))
            member->values[k++] = planned->values[a].text;
    return member;
}

/* ---- The survey ---- */

struct member_survey {
    struct sweeper *sweeper;
    int member;
    bool is_broken; /* a run is refused for another reason than values that cannot be combined */
};

static void survey_run(void *context, const struct run *run, const struct run_preview *preview) {
    struct member_survey *survey = context;
    struct sweep_forecast *forecast = &survey->sweeper->forecast;
    (void)run;
    survey->is_broken = survey->is_broken || (preview->action == ACTION_REFUSE && !preview->is_invalid);
    if (preview->action != ACTION_RUN)
        return;
    ++forecast->due;
    forecast->rough = forecast->rough || preview->forecast.basis == FORECAST_ROUGH;
    forecast->seconds += preview->forecast.seconds;
    survey->sweeper->members[survey->member].seconds += preview->forecast.seconds;
}

/* The options for the runs of a member. */
static struct runner_options runner_for(const struct sweeper *sweeper, int member) {
    return (struct runner_options){.out = sweeper->options->out,
                                   .folder = sweeper->members[member].folder,
                                   .tier = sweeper->plan.tier,
                                   .sweep = sweeper->table.digest,
                                   .resume = true,
                                   .partial = sweeper->plan.only && *sweeper->plan.only,
                                   .quiet = sweeper->options->quiet,
                                   .missing_is_bad = true};
}

/* Report the number and values of a member that cannot run. */
static int fail_member(const struct sweeper *sweeper, const struct planned_member *member) {
    const struct experiment *experiment = &sweeper->base.experiment;
    AUTO_FREE char *values = text_copy("");
    for (int a = 0; a < experiment->assumption_count; ++a)
        if (is_varied(experiment, a))
            sentence_add(&values, "%s%s = %s", *values ? "and " : "", experiment->assumptions[a].field->path,
                         member->values[a].text);
    fail("%s: member %s %d of the sweep cannot run; its values are %s", sweeper->file, member_kind_name(member->kind),
         member->number, values);
    return STATUS_BAD;
}

/* Survey the runs of a member. If a method refuses a run, the member's values cannot be combined. For the member with
 * the chosen values this is an error. */
static int survey_member(struct sweeper *sweeper, int m, const struct plan *plan) {
    struct planned_member *member = &sweeper->members[m];
    const struct sweep_forecast before = sweeper->forecast;
    const struct runner_options runner = runner_for(sweeper, m);
    const struct failure_mark mark = failure_mark();
    struct member_survey context = {sweeper, m, false};
    if (!runner_survey(plan, &runner, sweeper->speeds, survey_run, &context))
        return STATUS_OK;
    if ((member->kind == MEMBER_LIKELY && !member->number) || context.is_broken)
        return fail_member(sweeper, member);
    member->reason = failure_take(mark);
    sweeper->forecast = before;
    member->seconds = 0;
    return STATUS_OK;
}

static bool have_same_values(const struct sweeper *sweeper, const struct planned_member *a,
                             const struct planned_member *b) {
    for (int k = 0; k < sweeper->base.experiment.assumption_count; ++k)
        if (strcmp(a->values[k].text, b->values[k].text) != 0)
            return false;
    return true;
}

static bool is_drawn(const struct planned_member *member) {
    return member->kind == MEMBER_LIKELY || member->kind == MEMBER_POSSIBLE;
}

/* The index of the twin of member m: the first likely or possible member before m that has the same values. -1 if there
 * is none, or if m is not a likely or possible member. */
static int twin_of(const struct sweeper *sweeper, int m) {
    for (int k = 0; k < m && is_drawn(&sweeper->members[m]); ++k)
        if (is_drawn(&sweeper->members[k]) && have_same_values(sweeper, &sweeper->members[k], &sweeper->members[m]))
            return k;
    return -1;
}

int sweeper_survey(struct sweeper *sweeper, int first) {
    int status = STATUS_OK;
    for (int m = first; m < sweeper->member_count && !status && !interrupt_signal(); ++m) {
        struct planned_member *member = &sweeper->members[m];
        struct plan plan;
        sweeper->forecast.runs += sweeper->base.run_count;
        if (member->found) {
            sweeper->forecast.skipped += !*member->found->digest;
            continue;
        }
        member->twin = twin_of(sweeper, m);
        if (member->twin >= 0) {
            const char *reason = sweeper->members[member->twin].reason;
            member->reason = reason ? text_copy(reason) : NULL;
            sweeper->forecast.skipped += reason != NULL;
            continue;
        }
        status = member_plan(sweeper, member, &plan, &member->reason);
        if (status)
            break;
        if (!member->reason)
            status = survey_member(sweeper, m, &plan);
        sweeper->forecast.skipped += member->reason != NULL;
        plan_free(&plan);
    }
    return status;
}

/* ---- Running ---- */

static int begin_member(void *context, int k, struct plan *plan, struct runner_options *options) {
    const struct sweeper *sweeper = context;
    const int m = sweeper->due[k];
    char *reason;
    int status = member_plan(sweeper, &sweeper->members[m], plan, &reason);
    free(reason); /* `reason` is NULL, because the survey has found that the values can be combined */
    *options = runner_for(sweeper, m);
    options->progress = sweeper->members[m].seconds > 0 ? sweeper->members[m].seconds : 1e-9;
    return status;
}

/* Open a member's traces, in the order of the table's runs. */
static int open_traces(const struct sweeper *sweeper, const char *folder, struct trace_data *traces) {
    AUTO(manifest_free) struct manifest manifest;
    int status = manifest_read(folder, &manifest);
    for (int r = 0; r < sweeper->table.run_count && !status; ++r) {
        const struct manifest_row *row = NULL;
        for (int k = 0; k < manifest.count; ++k)
            if (!strcmp(manifest.rows[k].id, sweeper->table.runs[r].id))
                row = &manifest.rows[k];
        if (!row || !run_has_trace(row->status))
            status = fail("%s: the run %s has no trace", folder, sweeper->table.runs[r].id);
        else
            status = manifest_open(folder, NULL, row, &traces[r]);
    }
    return status;
}

/* Replace the notes of the runs in the head of the table by those of a member's traces. */
static void set_notes(struct sweep_table *table, const struct trace_data *traces) {
    static const char without[] = "key canonical group state_hash seconds started ended load_before load_after "
                                  "clock_before_mhz clock_after_mhz peak_memory resumed_frame resumed_by";
    for (int r = 0; r < table->run_count; ++r) {
        table->runs[r].note_count = 0;
        for (int n = 0; n < traces[r].run_count; ++n) {
            const struct trace_note *note = &traces[r].run[n];
            if (!words_have(without, note->name, strlen(note->name)))
                *ARRAY_ADD(table->runs[r].notes, table->runs[r].note_count) = (struct trace_note){
                    pool_add(&table->pool, text_copy(note->name)), pool_add(&table->pool, text_copy(note->value))};
        }
    }
}

/* Add a member to this process's part of the table on disk. Does nothing if is_verified. `path`: the part's file. */
static int append_to_part(const struct sweeper *sweeper, const char *path, const struct sweep_member *member) {
    return sweeper->is_verified ? STATUS_OK : sweep_append(path, &sweeper->table, member);
}

/* Reduce a member's traces to numbers, and add the member to the table in memory and to the part on disk. */
static int reduce_member(struct sweeper *sweeper, const struct planned_member *planned,
                         const struct trace_data *traces) {
    struct sweep_table *table = &sweeper->table;
    const bool is_likely_0 = planned->kind == MEMBER_LIKELY && !planned->number, is_first_here = !table->column_count;
    if (is_first_here && reduction_columns(&sweeper->claims, traces, table))
        return STATUS_BAD;
    if (is_first_here || is_likely_0)
        set_notes(table, traces);
    struct sweep_member *member = add_member(sweeper, planned);
    struct digest *digest = digest_create();
    char text[DIGEST_SIZE];
    for (int r = 0; r < table->run_count; ++r) {
        const char *status = trace_run_note(&traces[r], "status"), *hash = trace_run_note(&traces[r], "state_hash");
        member->status[r] = pool_add(&table->pool, text_copy(status ? status : "none"));
        digest_add_text(digest, hash ? hash : "");
    }
    digest_finish(digest, text);
    member->digest = pool_add(&table->pool, text_copy(text));
    if (reduction_numbers(table, traces, member->numbers)) {
        --table->member_count; /* the table must not have a member without numbers */
        return STATUS_BAD;
    }
    for (int k = 0; k < table->run_count * table->column_count; ++k)
        member->numbers[k] = sweep_number((double)member->numbers[k]);
    return append_to_part(sweeper, is_likely_0 ? sweeper->first_part_path : sweeper->part_path, member);
}

/* Add a member to the table with the results of its twin, which has ended. */
static int copy_twin(struct sweeper *sweeper, const struct planned_member *planned) {
    struct sweep_table *table = &sweeper->table;
    const struct planned_member *twin = &sweeper->members[planned->twin];
    struct sweep_member *member = add_member(sweeper, planned);
    const struct sweep_member *from = twin->found ? twin->found : sweep_member(table, twin->kind, twin->number);
    const size_t runs = (size_t)table->run_count;
    member->digest = from->digest;
    memcpy(member->status, from->status, runs * sizeof *member->status);
    memcpy(member->numbers, from->numbers, runs * (size_t)table->column_count * sizeof *member->numbers);
    return append_to_part(sweeper, sweeper->part_path, member);
}

/* Store the numbers of a member that has ended, and remove its traces. */
static int end_member(void *context, int k) {
    struct sweeper *sweeper = context;
    const struct planned_member *planned = &sweeper->members[sweeper->due[k]];
    AUTO_FREE struct trace_data *traces = memory_new((size_t)sweeper->table.run_count, sizeof *traces);
    int status = open_traces(sweeper, planned->folder, traces);
    if (!status)
        status = reduce_member(sweeper, planned, traces);
    for (int r = 0; r < sweeper->table.run_count; ++r)
        trace_close(&traces[r]);
    if (!status)
        temporary_remove(planned->folder);
    return status;
}

int sweeper_run(struct sweeper *sweeper, int first) {
    int failed;
    struct members due = {.backend = run_text(&sweeper->base.runs[0], "backend"),
                          .begin = begin_member,
                          .end = end_member,
                          .context = sweeper};
    free(sweeper->due);
    sweeper->due = memory_new((size_t)sweeper->member_count, sizeof *sweeper->due);
    for (int m = first; m < sweeper->member_count; ++m)
        if (!sweeper->members[m].reason && !sweeper->members[m].found && sweeper->members[m].twin < 0)
            sweeper->due[due.count++] = m;
    if (!sweeper->options->quiet)
        progress_begin(sweeper->forecast.seconds);
    int status = members_run(&due, &failed);
    for (int m = first; m < sweeper->member_count && !status; ++m)
        if (sweeper->members[m].twin >= 0 && !sweeper->members[m].reason)
            status = copy_twin(sweeper, &sweeper->members[m]);
    progress_end();
    if (failed >= 0 && !interrupt_signal())
        fail_member(sweeper, &sweeper->members[sweeper->due[failed]]);
    return interrupt_signal() ? STATUS_BAD : status;
}

void sweeper_add_others(struct sweeper *sweeper, int first) {
    for (int m = first; m < sweeper->member_count; ++m)
        if (sweeper->members[m].found)
            *ARRAY_ADD(sweeper->table.members, sweeper->table.member_count) = *sweeper->members[m].found;
        else if (sweeper->members[m].reason)
            add_member(sweeper, &sweeper->members[m]);
}

/* ---- The sweeper ---- */

static int read_claims(struct sweeper *sweeper) {
    const char *named = sweeper->options->claims;
    AUTO_FREE char *file =
        named ? text_copy(named)
              : text_format("%s/%s.yaml", project_path("paper_checks"), sweeper->base.experiment.paper);
    return named || file_exists(file) ? claim_file_read(file, &sweeper->claims) : STATUS_OK;
}

void sweeper_free(struct sweeper *sweeper) {
    /* The table uses members of the earlier tables and texts of the plan. Therefore the table is freed first. */
    sweep_free(&sweeper->table);
    sweep_free(&sweeper->kept);
    sweep_free(&sweeper->part);
    for (int p = 0; p < sweeper->part_count; ++p)
        sweep_free(&sweeper->parts[p]);
    free(sweeper->parts);
    free(sweeper->values);
    pool_free(&sweeper->pool);
    if (sweeper->lock > 0)
        close(sweeper->lock);
    for (int m = 0; m < sweeper->member_count; ++m) {
        free(sweeper->members[m].reason);
        free(sweeper->members[m].folder);
    }
    if (sweeper->speeds)
        speeds_free(sweeper->speeds);
    free(sweeper->members);
    free(sweeper->due);
    free(sweeper->folder);
    free(sweeper->scratch);
    free(sweeper->part_path);
    free(sweeper->first_part_path);
    free(sweeper->table_path);
    free((char *)sweeper->backends[0]);
    claim_file_free(&sweeper->claims);
    plan_free(&sweeper->base);
}

void sweeper_lock(struct sweeper *sweeper) {
    const struct sweeper_options *options = sweeper->options;
    AUTO_FREE char *path = text_format("%s/%s/.sweep", options->out, sweeper->base.experiment.name);
    if (sweeper->lock > 0 || (sweeper->lock = lock_open(path)) < 0)
        return;
    lock_wait(sweeper->lock, options->shards ? LOCK_SH : LOCK_EX, options->quiet ? NULL : sweeper->base.experiment.name,
              "another sweep, or its shards, to end");
}

int sweeper_begin(struct sweeper *sweeper) {
    const struct sweeper_options *options = sweeper->options;
    const struct experiment *experiment = &sweeper->base.experiment;
    char *none;
    if (choose_backend(sweeper) || member_plan(sweeper, NULL, &sweeper->base, &none))
        return STATUS_BAD;
    sweeper->folder = sweep_folder(options->out, experiment->name);
    sweeper->scratch = sweep_folder(options->scratch ? options->scratch : options->out, experiment->name);
    sweeper->part_path = sweep_part_path(sweeper->folder, options->shard, options->shards);
    sweeper->first_part_path = sweep_first_part_path(sweeper->folder);
    sweeper->table_path = sweep_path(options->sweeps, experiment->name);
    begin_table(sweeper);
    if (sweep_read(sweeper->table_path, false, &sweeper->kept))
        return STATUS_BAD;
    count_members(sweeper);
    if (draw(sweeper) || read_claims(sweeper))
        return STATUS_BAD;
    sweeper->speeds = speeds_create(options->out);
    if (!sweeper->is_verified)
        sweeper_lock(sweeper);
    return sweeper_read_earlier(sweeper);
}
