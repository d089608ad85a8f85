#include "sensitivity/sweeper.h"

#include "sensitivity/search.h"

#include "backend/backend.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/progress.h"
#include "claim/evaluate.h"
#include "claim/reduction.h"
#include "experiment/run.h"
#include "experiment/sample.h"
#include "experiment/value.h"
#include "run/manifest.h"
#include "run/runner.h"
#include "run/sweep.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A member of the sweep. */
struct planned_member {
    enum member_kind kind;
    int number;
    const struct value *values;       /* [assumptions] */
    double seconds;                   /* that it may take */
    char *reason;                     /* why its values cannot be combined, or NULL */
    char *folder;                     /* in which it runs */
    const struct sweep_member *found; /* what the table or the part of it has already; else NULL */
};

/* A sweep on its way. */
struct sweeper {
    const char *file;
    const struct sweeper_options *options;
    struct plan_options plan; /* with the one backend */
    const char *backends[2];
    struct plan base; /* with the values as taken */
    struct value *values;
    struct pool pool; /* texts of values, and what else lives as long */
    struct planned_member *members;
    int member_count;
    int *due; /* which of them are to be run */
    char *folder, *part_path, *table_path;
    struct sweep_table table;      /* what is written: head, and members that have ended */
    struct sweep_table kept, part; /* an earlier table, and what an interrupted sweep has */
    struct claim_file claims;
    struct speeds *speeds;
    struct sweep_outlook outlook;
    bool is_verified; /* members run again, to be compared with the table's */
    int differing;
};

/* ---- Members ---- */

/* The plan of a member; NULL for the values as taken. Values that do not go together are no mistake here: *reason says
 * so, newly allocated. */
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

static struct planned_member *plan_member(struct sweeper *sweeper, enum member_kind kind, int number,
                                          const struct value *values) {
    struct planned_member *member = ARRAY_ADD(sweeper->members, sweeper->member_count);
    *member = (struct planned_member){
        .kind = kind, .number = number, .values = values, .folder = sweep_member_folder(sweeper->folder, kind, number)};
    return member;
}

/* Draw the values of all members, but those of searches. */
static int draw(struct sweeper *sweeper) {
    const struct experiment *experiment = &sweeper->base.experiment;
    const int assumptions = experiment->assumption_count, *counts = sweeper->options->members;
    const int most = counts[MEMBER_LIKELY] + counts[MEMBER_POSSIBLE] + counts[MEMBER_NOISE];
    struct value *values = sweeper->values = memory_new((size_t)(most + 1) * (size_t)assumptions, sizeof *values);
    for (int a = 0; a < assumptions; ++a)
        sweeper->outlook.assumptions += assumption_varies(&experiment->assumptions[a], RANGE_POSSIBLE);
    if (!sweeper->outlook.assumptions)
        return fail("%s: it has no assumption that could be varied; under assumptions:, give what the paper does not "
                    "state a range",
                    sweeper->file);
    for (int a = 0; a < assumptions; ++a)
        values[a] = experiment->assumptions[a].value;
    sample_draw(experiment, RANGE_LIKELY, counts[MEMBER_LIKELY] - 1, &sweeper->pool, values + assumptions);
    sample_draw(experiment, RANGE_POSSIBLE, counts[MEMBER_POSSIBLE], &sweeper->pool,
                values + (size_t)counts[MEMBER_LIKELY] * (size_t)assumptions);
    for (int kind = 0, first = 0; kind < MEMBER_SEARCH; first += counts[kind++])
        for (int k = 0; k < counts[kind]; ++k)
            plan_member(sweeper, (enum member_kind)kind, k + (kind != MEMBER_LIKELY),
                        kind == MEMBER_NOISE ? values : values + (size_t)(first + k) * (size_t)assumptions);
    return STATUS_OK;
}

/* ---- The table ---- */

static bool is_varied(const struct experiment *experiment, int a) {
    return assumption_varies(&experiment->assumptions[a], RANGE_POSSIBLE);
}

/* The table's head, all but the columns. */
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

/* Whether an earlier table is of the same runs and ranges. */
static bool is_same_sweep(const struct sweeper *sweeper, const struct sweep_table *other) {
    return other->experiment && !strcmp(other->digest, sweeper->table.digest) &&
           !strcmp(other->tier, sweeper->table.tier) && other->run_count == sweeper->table.run_count &&
           other->assumption_count == sweeper->table.assumption_count;
}

/* Take notes and columns from an earlier table. */
static void take_columns(struct sweep_table *table, const struct sweep_table *from) {
    for (int c = 0; c < from->column_count; ++c)
        *ARRAY_ADD(table->columns, table->column_count) = from->columns[c];
    for (int r = 0; r < from->run_count; ++r)
        for (int n = 0; n < from->runs[r].note_count; ++n)
            *ARRAY_ADD(table->runs[r].notes, table->runs[r].note_count) = from->runs[r].notes[n];
}

/* Whether runs record a series of this name. Series of closed bodies alone count only if `table` has one already. */
static bool is_series(const struct sweeper *sweeper, const struct sweep_table *table, const char *quantity) {
    const struct body open = {.is_closed = false};
    bool found = false;
    for (int k = 0; k < table->column_count && !found; ++k)
        found = !strcmp(table->columns[k].quantity, quantity);
    for (int r = 0; r < sweeper->base.run_count && !found; ++r) {
        const struct method *method = method_find(run_text(&sweeper->base.runs[r], "method.name"));
        for (int q = 0; q < method->quantity_count(&open) && !found; ++q)
            found = !strcmp(method->quantities[q].name, quantity);
    }
    return found;
}

/* Whether a claim, or one of its readings, needs a column that a table does not have. */
static bool lacks_column_of(const struct sweeper *sweeper, const struct sweep_table *table, const struct source *from) {
    if (!from->quantity || !from->experiment || strcmp(from->experiment, table->experiment) != 0 ||
        !is_series(sweeper, table, from->quantity))
        return false;
    AUTO_FREE char *name = reduction_name(from, NULL);
    for (int k = 0; k < table->column_count; ++k)
        if (!strcmp(table->columns[k].quantity, from->quantity) &&
            !strncmp(table->columns[k].reduction, name, strlen(name)))
            return false;
    return true;
}

static bool lacks_columns(const struct sweeper *sweeper, const struct sweep_table *table) {
    for (int c = 0; c < sweeper->claims.count; ++c) {
        const struct claim *claim = &sweeper->claims.claims[c];
        for (int r = -1; r < claim->reading_count; ++r)
            if (lacks_column_of(sweeper, table, r < 0 ? &claim->from : &claim->readings[r].from))
                return true;
    }
    return false;
}

/* Plan a member of an earlier search, with the values that its table has. NULL: they are none of the ranges. */
static struct planned_member *plan_searched(struct sweeper *sweeper, const struct sweep_member *member) {
    const struct experiment *experiment = &sweeper->base.experiment;
    struct value *values = pool_add(&sweeper->pool, memory_new((size_t)experiment->assumption_count, sizeof *values));
    return sample_read(experiment, member->values, &sweeper->pool, values)
               ? plan_member(sweeper, MEMBER_SEARCH, member->number, values)
               : NULL;
}

/* Plan the members of the searches that the table has, and take what it says of them. */
static int take_searches(struct sweeper *sweeper) {
    const struct sweep_table *kept = &sweeper->kept;
    for (int m = 0; m < kept->member_count; ++m)
        if (kept->members[m].kind == MEMBER_SEARCH && !plan_searched(sweeper, &kept->members[m]))
            return fail("%s: the values of the member search %d are not in the possible ranges of %s; remove the file "
                        "and run springback sensitivity",
                        sweeper->table_path, kept->members[m].number, sweeper->file);
    for (int s = 0; s < kept->searched_count; ++s)
        sweep_note_searched(&sweeper->table, kept->searched[s].claim, kept->searched[s].runs);
    return STATUS_OK;
}

/* Read what earlier sweeps have left, and find the members that need not run. */
static int read_earlier(struct sweeper *sweeper) {
    if (sweep_read(sweeper->table_path, false, &sweeper->kept) || sweep_read(sweeper->part_path, true, &sweeper->part))
        return STATUS_BAD;
    if (is_same_sweep(sweeper, &sweeper->kept) && take_searches(sweeper))
        return STATUS_BAD;
    const struct sweep_table *const earlier[] = {&sweeper->kept, &sweeper->part};
    bool is_usable = false; /* the part, at the end */
    for (int e = 0; e < 2; ++e) {
        is_usable = is_same_sweep(sweeper, earlier[e]) && !lacks_columns(sweeper, earlier[e]);
        if (is_usable && !sweeper->table.column_count)
            take_columns(&sweeper->table, earlier[e]);
        is_usable = is_usable && earlier[e]->column_count == sweeper->table.column_count;
        if (!is_usable)
            continue;
        for (int m = 0; m < sweeper->member_count; ++m) {
            struct planned_member *member = &sweeper->members[m];
            if (!member->found)
                member->found = sweep_member(earlier[e], member->kind, member->number);
        }
    }
    if (!is_usable) {
        remove(sweeper->part_path); /* without a member, or of another version of the file or its claims */
        sweep_free(&sweeper->part);
    }
    return STATUS_OK;
}

/* Add a member that has ended, or cannot run, to the table. */
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
    survey->is_broken = survey->is_broken || (preview->action == ACTION_REFUSE && !preview->is_invalid);
    if (preview->action != ACTION_RUN)
        return;
    ++outlook->due;
    outlook->rough = outlook->rough || preview->forecast.basis == FORECAST_ROUGH;
    outlook->seconds += preview->forecast.seconds;
    survey->sweeper->members[survey->member].seconds += preview->forecast.seconds;
}

/* How a member is run, and its folder. */
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

/* Say of which member, and with which values, something went wrong. */
static int fail_member(const struct sweeper *sweeper, const struct planned_member *member) {
    const struct experiment *experiment = &sweeper->base.experiment;
    AUTO_FREE char *values = text_copy("");
    for (int a = 0; a < experiment->assumption_count; ++a)
        if (is_varied(experiment, a))
            sentence_add(&values, "%s%s = %s", *values ? "and " : "", experiment->assumptions[a].field->path,
                         member->values[a].text);
    fail("%s: member %s %d of the sweep cannot run: %s", sweeper->file, member_kind_name(member->kind), member->number,
         values);
    return STATUS_BAD;
}

/* Look at a member's runs. Where its method refuses one of them, though not those of the values as taken, its values do
 * not go together. */
static int survey_member(struct sweeper *sweeper, int m, const struct plan *plan) {
    struct planned_member *member = &sweeper->members[m];
    const struct sweep_outlook before = sweeper->outlook;
    const struct runner_options runner = runner_for(sweeper, m);
    const struct failure_mark mark = failure_mark();
    struct member_survey context = {sweeper, m, false};
    if (!runner_survey(plan, &runner, sweeper->speeds, survey_run, &context))
        return STATUS_OK;
    if (m == 0 || context.is_broken)
        return fail_member(sweeper, member);
    member->reason = failure_take(mark);
    sweeper->outlook = before;
    member->seconds = 0;
    return STATUS_OK;
}

/* All that can be known to go wrong with the members from `first` on, before they run; and how long they may take. */
static int survey(struct sweeper *sweeper, int first) {
    int status = STATUS_OK;
    for (int m = first; m < sweeper->member_count && !status && !interrupt_signal(); ++m) {
        struct planned_member *member = &sweeper->members[m];
        struct plan plan;
        sweeper->outlook.runs += sweeper->base.run_count;
        if (member->found) {
            sweeper->outlook.skipped += !*member->found->digest;
            continue;
        }
        status = member_plan(sweeper, member, &plan, &member->reason);
        if (status)
            break;
        if (!member->reason)
            status = survey_member(sweeper, m, &plan);
        sweeper->outlook.skipped += member->reason != NULL;
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
    free(reason); /* the survey found none */
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
            status = manifest_open(folder, row, &traces[r]);
    }
    return status;
}

/* The notes of a member's runs, for the head of the table. */
static void take_notes(struct sweep_table *table, const struct trace_data *traces) {
    static const char without[] = "key canonical group state_hash seconds started ended load_before load_after "
                                  "clock_before_mhz clock_after_mhz resumed_frame resumed_by";
    for (int r = 0; r < table->run_count; ++r)
        for (int n = 0; n < traces[r].run_count; ++n) {
            const struct trace_note *note = &traces[r].run[n];
            if (!words_have(without, note->name, strlen(note->name)))
                *ARRAY_ADD(table->runs[r].notes, table->runs[r].note_count) = (struct trace_note){
                    pool_add(&table->pool, text_copy(note->name)), pool_add(&table->pool, text_copy(note->value))};
        }
}

/* Reduce a member's traces to a member of the table. */
static int reduce_member(struct sweeper *sweeper, const struct planned_member *planned,
                         const struct trace_data *traces) {
    struct sweep_table *table = &sweeper->table;
    if (!table->column_count) {
        if (reduction_columns(&sweeper->claims, traces, table))
            return STATUS_BAD;
        take_notes(table, traces);
    }
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
    const int status = reduction_numbers(table, traces, member->numbers);
    for (int k = 0; k < table->run_count * table->column_count; ++k)
        member->numbers[k] = sweep_number((double)member->numbers[k]);
    return status || sweeper->is_verified ? status : sweep_append(sweeper->part_path, table, member);
}

/* When a member has ended, keep its numbers and remove its traces. */
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

/* Run the members from `first` on that need to. */
static int run_members(struct sweeper *sweeper, int first) {
    int failed;
    struct members due = {.backend = run_text(&sweeper->base.runs[0], "backend"),
                          .begin = begin_member,
                          .end = end_member,
                          .context = sweeper};
    free(sweeper->due);
    sweeper->due = memory_new((size_t)sweeper->member_count, sizeof *sweeper->due);
    for (int m = first; m < sweeper->member_count; ++m)
        if (!sweeper->members[m].reason && !sweeper->members[m].found)
            sweeper->due[due.count++] = m;
    if (!sweeper->options->quiet)
        progress_begin(sweeper->outlook.seconds);
    const int status = members_run(&due, &failed);
    progress_end();
    if (failed >= 0 && !interrupt_signal())
        fail_member(sweeper, &sweeper->members[sweeper->due[failed]]);
    return interrupt_signal() ? STATUS_BAD : status;
}

/* Complete the table by the members from `first` on that did not run now. */
static void add_others(struct sweeper *sweeper, int first) {
    for (int m = first; m < sweeper->member_count; ++m)
        if (sweeper->members[m].found)
            *ARRAY_ADD(sweeper->table.members, sweeper->table.member_count) = *sweeper->members[m].found;
        else if (sweeper->members[m].reason)
            add_member(sweeper, &sweeper->members[m]);
}

/* Write the whole table, unless it is there. */
static int write_table(struct sweeper *sweeper) {
    AUTO_FREE char *folder = text_copy(sweeper->table_path);
    *strrchr(folder, '/') = 0;
    bool is_new = sweeper->kept.member_count != sweeper->table.member_count ||
                  sweeper->kept.searched_count != sweeper->table.searched_count;
    for (int m = 0; m < sweeper->member_count; ++m) {
        const struct planned_member *member = &sweeper->members[m];
        is_new = is_new || !member->found || sweep_member(&sweeper->part, member->kind, member->number);
    }
    for (int s = 0; s < sweeper->kept.searched_count; ++s) {
        const struct sweep_searched *searched = &sweeper->kept.searched[s];
        is_new = is_new || sweep_searched_runs(&sweeper->table, searched->claim) != searched->runs;
    }
    return !is_new ? STATUS_OK : folder_make(folder) ? STATUS_BAD : sweep_write(sweeper->table_path, &sweeper->table);
}

/* ---- The search ---- */

/* What an interrupted search has of a point. */
static const struct sweep_member *find_in_part(const struct sweeper *sweeper, const struct value *values) {
    const struct experiment *experiment = &sweeper->base.experiment;
    const struct sweep_table *part = &sweeper->part;
    for (int m = 0; m < part->member_count; ++m) {
        bool is_same = part->members[m].kind == MEMBER_SEARCH;
        for (int a = 0, k = 0; a < experiment->assumption_count && is_same; ++a)
            if (is_varied(experiment, a))
                is_same = !strcmp(part->members[m].values[k++], values[a].text);
        if (is_same)
            return &part->members[m];
    }
    return NULL;
}

/* The first number of a searched member that neither the plan nor the part has. */
static int free_number(const struct sweeper *sweeper) {
    AUTO_FREE bool *is_used = memory_new(MAX_SWEEP_MEMBERS + 1, sizeof *is_used);
    int number = 1;
    for (int m = 0; m < sweeper->member_count; ++m)
        if (sweeper->members[m].kind == MEMBER_SEARCH)
            is_used[sweeper->members[m].number] = true;
    for (int m = 0; m < sweeper->part.member_count; ++m)
        if (sweeper->part.members[m].kind == MEMBER_SEARCH)
            is_used[sweeper->part.members[m].number] = true;
    while (is_used[number])
        ++number;
    return number;
}

/* Run the points that a search has drawn, and add them to its set. */
static int run_points(struct sweeper *sweeper, struct search *search) {
    const size_t assumptions = (size_t)sweeper->base.experiment.assumption_count;
    const int first = sweeper->member_count, ended = sweeper->table.member_count;
    const double seconds = sweeper->outlook.seconds;
    for (int p = 0; p < search->point_count; ++p) {
        struct value *values = pool_add(&sweeper->pool, memory_new(assumptions, sizeof *values));
        memcpy(values, search->points + (size_t)p * assumptions, assumptions * sizeof *values);
        const struct sweep_member *found = find_in_part(sweeper, values);
        const int number = found ? found->number : free_number(sweeper);
        if (number >= MAX_SWEEP_MEMBERS)
            return fail("%s: a sweep has at most %d members of searches", sweeper->file, MAX_SWEEP_MEMBERS - 1);
        plan_member(sweeper, MEMBER_SEARCH, number, values)->found = found;
    }
    if (survey(sweeper, first) || interrupt_signal())
        return STATUS_BAD;
    sweeper->outlook.seconds -= seconds; /* of this batch */
    if (run_members(sweeper, first))
        return STATUS_BAD;
    add_others(sweeper, first);
    for (int m = first; m < sweeper->member_count; ++m) {
        const struct sweep_member *member = NULL;
        for (int k = ended; k < sweeper->table.member_count && !member; ++k)
            if (sweeper->table.members[k].number == sweeper->members[m].number)
                member = &sweeper->table.members[k];
        if (member && *member->digest)
            member_set_add(search->set, member);
    }
    return search_judge(search);
}

/* Search for set-ups in which the claims hold that hold in no member, and add what was tried to the table. */
static int search_claims(struct sweeper *sweeper) {
    AUTO(search_free) struct search search = {.experiment = NULL};
    AUTO(member_set_free) struct member_set set;
    int status = member_set_read(sweeper->options->sweeps, sweeper->base.experiment.name, &set);
    if (!status)
        status = search_begin(&sweeper->base.experiment, &sweeper->claims, &set, sweeper->options->search,
                              &sweeper->pool, &search);
    if (!status && search.target_count && sweeper->options->tell_search)
        sweeper->options->tell_search(search.target_count, search.target_count * sweeper->options->search);
    while (!status && (search_draw(&search), search.point_count))
        status = run_points(sweeper, &search);
    for (int t = 0; t < search.target_count && !status; ++t)
        if (!search.targets[t].is_found)
            sweep_note_searched(&sweeper->table, pool_add(&sweeper->table.pool, text_copy(search.targets[t].claim->id)),
                                sweeper->options->search);
    return status;
}

/* Members of an interrupted search that the table does not have yet: they are evidence, too. */
static int keep_searched(struct sweeper *sweeper) {
    const struct sweep_table *part = &sweeper->part;
    for (int m = 0; m < part->member_count && part->column_count == sweeper->table.column_count; ++m)
        if (part->members[m].kind == MEMBER_SEARCH &&
            !sweep_member(&sweeper->table, MEMBER_SEARCH, part->members[m].number)) {
            struct planned_member *planned = plan_searched(sweeper, &part->members[m]);
            if (!planned)
                return fail("%s: the values of the member search %d are not in the possible ranges; remove the file",
                            sweeper->part_path, part->members[m].number);
            planned->found = &part->members[m];
            add_others(sweeper, sweeper->member_count - 1);
        }
    return STATUS_OK;
}

/* ---- Claims ---- */

static int read_claims(struct sweeper *sweeper) {
    const char *named = sweeper->options->claims;
    AUTO_FREE char *file =
        named ? text_copy(named) : text_format("paper_checks/%s.yaml", sweeper->base.experiment.paper);
    return named || file_exists(file) ? claim_file_read(file, &sweeper->claims) : STATUS_OK;
}

static int judge(const struct sweeper *sweeper, struct sweep_report *report) {
    int status = member_set_read(sweeper->options->sweeps, report->experiment, &report->set);
    for (int c = 0; c < report->claims.count && !status; ++c) {
        const struct claim *claim = &report->claims.claims[c];
        if (strcmp(claim_experiment(claim), report->experiment) != 0)
            continue;
        struct sensitivity *sensitivity = sensitivity_of(claim, &report->set, &report->claims);
        *ARRAY_ADD(report->items, report->count) = (struct sweep_item){claim, sensitivity};
        status = sensitivity->status;
    }
    AUTO_FREE char *folder = text_format("%s/%s", sweeper->options->out, report->experiment);
    if (!status)
        status = folder_make(folder) ? STATUS_BAD : sweep_report_write(report, folder);
    return status;
}

/* ---- The whole ---- */

static void sweeper_free(struct sweeper *sweeper) {
    /* Members that were found share their memory with the earlier tables, texts of the head with the plan. */
    sweep_free(&sweeper->table);
    sweep_free(&sweeper->kept);
    sweep_free(&sweeper->part);
    free(sweeper->values);
    pool_free(&sweeper->pool);
    for (int m = 0; m < sweeper->member_count; ++m) {
        free(sweeper->members[m].reason);
        free(sweeper->members[m].folder);
    }
    if (sweeper->speeds)
        speeds_free(sweeper->speeds);
    free(sweeper->members);
    free(sweeper->due);
    free(sweeper->folder);
    free(sweeper->part_path);
    free(sweeper->table_path);
    free((char *)sweeper->backends[0]);
    claim_file_free(&sweeper->claims);
    plan_free(&sweeper->base);
}

/* Prepare all until the survey of what is to be run. */
static int begin(struct sweeper *sweeper) {
    const struct sweeper_options *options = sweeper->options;
    const struct experiment *experiment = &sweeper->base.experiment;
    char *none;
    if (choose_backend(sweeper) || member_plan(sweeper, NULL, &sweeper->base, &none))
        return STATUS_BAD;
    sweeper->folder = sweep_folder(options->out, experiment->name);
    sweeper->part_path = text_format("%s/members.tsv", sweeper->folder);
    sweeper->table_path = sweep_path(options->sweeps, experiment->name);
    begin_table(sweeper);
    if (draw(sweeper) || read_claims(sweeper))
        return STATUS_BAD;
    sweeper->speeds = speeds_create(options->out);
    return read_earlier(sweeper);
}

int sweep(const char *file, const struct sweeper_options *options, struct sweep_report *report) {
    AUTO(sweeper_free) struct sweeper sweeper = {.file = file, .options = options};
    const struct experiment *experiment = &sweeper.base.experiment;
    *report = (struct sweep_report){.count = 0};
    if (begin(&sweeper) || survey(&sweeper, 0) || interrupt_signal())
        return STATUS_BAD;
    report->experiment = text_copy(experiment->name);
    sweeper.outlook.experiment = experiment->name;
    memcpy(sweeper.outlook.members, options->members, sizeof sweeper.outlook.members);
    sweeper.outlook.backend = run_text(&sweeper.base.runs[0], "backend");
    sweeper.outlook.tier = sweeper.table.tier;
    if (options->tell)
        options->tell(&sweeper.outlook);
    if (folder_make(sweeper.folder) || run_members(&sweeper, 0) || interrupt_signal())
        return STATUS_BAD;
    add_others(&sweeper, 0);
    if (write_table(&sweeper) || (options->search && search_claims(&sweeper)) || keep_searched(&sweeper) ||
        write_table(&sweeper))
        return STATUS_BAD;
    temporary_remove(sweeper.folder);
    report->claims = sweeper.claims;
    sweeper.claims = (struct claim_file){.count = 0};
    return judge(&sweeper, report);
}

/* Whether a number is that of a table, which has five digits. */
static bool is_same_number(double a, double b) {
    return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : a == b || fabs(a - b) <= 1e-4 * fmax(fabs(a), fabs(b));
}

/* What of a member that ran again is not that of the table, newly allocated; NULL if it is the same member. */
static char *difference(const struct sweep_table *table, const struct sweep_member *a, const struct sweep_member *b) {
    if (strcmp(a->digest, b->digest) != 0)
        return text_copy("ends in other states than the table says");
    for (int r = 0; r < table->run_count; ++r) {
        const float *x = sweep_numbers(table, a, r), *y = sweep_numbers(table, b, r);
        if (strcmp(a->status[r], b->status[r]) != 0)
            return text_format("has the status %s, and the table says %s", a->status[r], b->status[r]);
        for (int c = 0; c < table->column_count; ++c)
            if (!is_same_number((double)x[c], (double)y[c]))
                return text_format("has other numbers: in the run %s, %s of %s is %.6g, and the table says %.6g",
                                   table->runs[r].id, table->columns[c].reduction, table->columns[c].quantity,
                                   (double)x[c], (double)y[c]);
    }
    return NULL;
}

void sweep_shuffle(void *items, size_t count, size_t size, unsigned long seed) {
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(random, seed);
    gsl_ran_shuffle(random, items, count, size);
    gsl_rng_free(random);
}

/* Leave the `count` members to be run that a random permutation begins with. */
static void choose_members(struct sweeper *sweeper, int count, unsigned long seed) {
    int *order = pool_add(&sweeper->pool, memory_new((size_t)sweeper->member_count, sizeof *order)), kept = 0;
    for (int m = 0; m < sweeper->member_count; ++m)
        order[m] = m;
    sweep_shuffle(order, (size_t)sweeper->member_count, sizeof *order, seed);
    for (int k = 0; k < sweeper->member_count; ++k) {
        struct planned_member *member = &sweeper->members[order[k]];
        const bool is_chosen = kept < count && member->found && *member->found->digest;
        kept += is_chosen;
        if (is_chosen)
            member->found = NULL;
        else if (!member->reason)
            member->reason = text_copy("not chosen");
    }
}

int sweep_verify(const char *file, const struct sweeper_options *options, int count, unsigned long seed, int *compared,
                 int *differing) {
    AUTO(sweeper_free) struct sweeper sweeper = {.file = file, .options = options, .is_verified = true};
    *compared = *differing = 0;
    if (begin(&sweeper))
        return STATUS_BAD;
    if (!is_same_sweep(&sweeper, &sweeper.kept))
        return fail("%s: this table is %s", sweeper.table_path,
                    sweeper.kept.experiment ? "of another version of the experiment's file; make it again with "
                                              "springback sensitivity"
                                            : "not there");
    choose_members(&sweeper, count, seed);
    if (folder_make(sweeper.folder) || run_members(&sweeper, 0) || interrupt_signal())
        return STATUS_BAD;
    for (int m = 0; m < sweeper.table.member_count; ++m) {
        const struct sweep_member *again = &sweeper.table.members[m],
                                  *member = sweep_member(&sweeper.kept, again->kind, again->number);
        AUTO_FREE char *differs = difference(&sweeper.kept, again, member);
        ++*compared;
        if (!differs)
            continue;
        ++*differing;
        fail("%s: member %s %d %s", sweeper.table_path, member_kind_name(again->kind), again->number, differs);
    }
    temporary_remove(sweeper.folder);
    return STATUS_OK;
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
