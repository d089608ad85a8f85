#include "backend/backend.h"
#include "base/memory.h"
#include "base/progress.h"
#include "claim/evaluate.h"
#include "claim/sensitivity.h"
#include "experiment/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The state while one claim is judged. */
struct session {
    const struct claim *claim;
    const struct trace_set *set;
    struct claim_result *result;
    struct claim_report *report;
    struct trace_list selected; /* the experiment's runs that the claim's source selects (source_selects) */
    /* The sweep whose member with the chosen values gives the measured numbers, because its runs are of the tier full
     * and the selected runs are of the tier quick (choose_numbers). NULL if the selected runs give the numbers. */
    struct member_set *numbers;
    char *why; /* the reason of the verdict; sentences are appended */
    int status;
};

static const char *const verdict_names[] = {
    [VERDICT_MATCHES] = "matches",
    [VERDICT_WITHIN] = "within tolerance",
    [VERDICT_SHAPE_ONLY] = "shape only",
    [VERDICT_DEPENDS] = "depends",
    [VERDICT_NOT_SWEPT] = "not swept",
    [VERDICT_DIFFERS] = "differs",
    [VERDICT_NOT_TESTABLE] = "not testable here",
    [VERDICT_NOT_RUN] = "not run",
};

const char *verdict_name(enum verdict verdict) {
    return verdict_names[verdict];
}

bool verdict_of_name(const char *name, enum verdict *out) {
    for (int v = 0; v < VERDICT_COUNT; v++)
        if (!strcmp(name, verdict_names[v])) {
            *out = (enum verdict)v;
            return true;
        }
    return false;
}

static bool is_same_text(const char *a, const char *b) {
    return a && b && !strcmp(a, b);
}

static bool is_gpu(const struct trace_data *trace) {
    return is_same_text(trace_run_note(trace, "device_type"), "gpu");
}

/* The next run of the claim's experiment after `last`, as trace_set_next. */
static const struct trace_run *next_run(const struct session *session, const struct trace_run *last) {
    return trace_set_next(session->set, session->claim->from.experiment, last);
}

/* The next run with a trace, as trace_set_next_trace. */
static const struct trace_run *next_trace(const struct session *session, const struct trace_run *last) {
    return trace_set_next_trace(session->set, session->claim->from.experiment, last);
}

/* ---- Reasons for no verdict ---- */

/* A function whose name begins with lacks_ returns true if the claim cannot be judged. Then the function has set the
 * verdict and added the reason. */

static bool lacks_gpu(struct session *session) {
    const char *cpu = NULL;
    for (const struct trace_run *run = NULL; (run = next_trace(session, run));) {
        if (is_gpu(run->trace))
            return false;
        const struct backend *backend = backend_find(trace_run_note(run->trace, "backend_kind"));
        if (backend && backend->has_devices)
            cpu = trace_run_note(run->trace, "device");
    }
    if (cpu)
        sentence_add(
            &session->why,
            "The claim needs a GPU, but the device here, %s, is a CPU. On a machine with a GPU, the same command "
            "judges the claim.",
            cpu);
    else
        sentence_add(
            &session->why,
            "The claim needs a GPU, but no run here used a GPU. On a machine with a GPU, the same command judges "
            "the claim.");
    session->result->verdict = VERDICT_NOT_TESTABLE;
    return true;
}

static bool lacks_method(struct session *session, const char *method) {
    if (trace_set_has(session->set, "method.name", method))
        return false;
    sentence_add(&session->why, "No run here uses the method %s.", method);
    session->result->verdict = VERDICT_NOT_RUN;
    return true;
}

/* Whether the claim needs a method or a GPU that no run used. Methods are checked first, because a GPU alone would not
 * make the claim testable if a method is missing. */
static bool lacks_needs(struct session *session) {
    for (int pass = 0; pass < 2; pass++) {
        AUTO_FREE char *words = text_copy(session->claim->needs);
        for (char *rest = words, *word; (word = strsep(&rest, " "));)
            if (*word && (strcmp(word, "gpu") == 0) == pass &&
                (pass ? lacks_gpu(session) : lacks_method(session, word)))
                return true;
    }
    return false;
}

/* The part of a run's id that begins with a key: for "nodes", the part "nodes=52x52" of "nodes=52x52,backend=serial".
 * *length: the length of the part. NULL if the id does not have this key. */
static const char *id_part(const char *id, const char *key, size_t *length) {
    size_t key_length = strlen(key);
    for (const char *at = id; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, key, key_length) && at[key_length] == '=') {
            *length = strcspn(at, ",");
            return at;
        }
    return NULL;
}

/* Whether a run without a trace certainly does not match a clause. The parameters of such a run are known only from its
 * id. So the part of its id for the clause's parameter is compared with the same part of the ids of runs that have a
 * trace. The run without a trace does not match in two cases: a run with a trace and an equal part does not match the
 * clause; or a run with a trace and another part matches the clause. */
static bool excluded(const struct session *session, const struct trace_run *failed, const struct clause *clause) {
    const char *dot = strrchr(clause->name, '.');
    bool is_kind = !strcmp(clause->name, "backend_kind"), is_type = !strcmp(clause->name, "device_type");
    const char *key = is_kind || is_type ? "backend" : !strcmp(clause->name, "method.name") ? "method" : clause->name;
    size_t length, other_length;
    const char *part = id_part(failed->id, key, &length);
    if (!part && dot) /* an id has only the last part of a path, if that is unambiguous */
        part = id_part(failed->id, key = dot + 1, &length);
    if (!part)
        return false;
    if (is_kind || is_type) { /* `part` is, for example, "backend=opencl.0" */
        const char *kind = part + strlen("backend=");
        size_t kind_length = strcspn(kind, ".:,");
        const struct backend *backend = backend_find(kind);
        if (is_type)
            return !(backend && backend->has_devices) && !strcmp(clause->value, "gpu");
        return strlen(clause->value) != kind_length || strncmp(clause->value, kind, kind_length) != 0;
    }
    for (const struct trace_run *run = NULL; (run = next_trace(session, run));) {
        const char *text = trace_text(run->trace, clause->name);
        const char *other = text ? id_part(run->id, key, &other_length) : NULL;
        if (other && (length == other_length && !strncmp(part, other, length)) != !strcmp(text, clause->value))
            return true;
    }
    return false;
}

static bool may_match(const struct session *session, const struct trace_run *failed, const struct clauses *clauses) {
    for (int i = 0; i < clauses->count; i++)
        if (excluded(session, failed, &clauses->items[i]))
            return false;
    return true;
}

/* Whether a run that the claim may select has no trace. If the claim compares runs for equality (`same`), runs whose
 * device is missing are left out instead. */
static bool lacks_run(struct session *session) {
    const struct source *from = &session->claim->from;
    bool lacks = false;
    for (const struct trace_run *run = NULL; (run = next_run(session, run));) {
        if (run->trace)
            continue;
        session->result->is_incomplete = session->result->is_incomplete || run->status == RUN_FAILED;
        bool part = may_match(session, run, &from->numerator) || may_match(session, run, &from->denominator);
        const bool is_reference = from->against.count && may_match(session, run, &from->reference);
        if (lacks || !((part && may_match(session, run, &from->select)) || is_reference))
            continue;
        bool missing = run->status == RUN_MISSING;
        if (missing && from->same) { /* equality is judged on the available devices */
            sentence_add(&session->why, "The run %s is left out, because there is no device for it: %s.", run->id,
                         run->reason);
            continue;
        }
        sentence_add(&session->why, missing ? "There is no device for the run %s: %s" : "The run %s failed: %s",
                     run->id, run->reason);
        session->result->verdict =
            missing && strstr(session->claim->needs, "gpu") ? VERDICT_NOT_TESTABLE : VERDICT_NOT_RUN;
        lacks = true;
    }
    return lacks;
}

/* The runs of the claim's experiment that a source selects. */
static struct trace_list selected_runs(struct session *session, const struct source *from) {
    struct trace_list list = {pool_add(&session->report->pool,
                                       memory_new((size_t)session->set->run_count, sizeof(const struct trace_data *))),
                              0};
    for (const struct trace_run *run = NULL; (run = next_trace(session, run));)
        if (source_selects(from, run->trace, false))
            list.items[list.count++] = run->trace;
    return list;
}

/* Set session->selected. Returns false if it is empty; then the verdict and the reason are set. */
static bool select_runs(struct session *session) {
    struct trace_list *selected = &session->selected;
    *selected = selected_runs(session, &session->claim->from);
    if (!selected->count) {
        struct claim_result *result = session->result;
        bool is_of_claim;
        AUTO_FREE char *why = why_unselected(&session->claim->from, session->set, &is_of_claim, &result->is_partly_run);
        sentence_add(&session->why, "%s", why);
        result->is_unrun = result->is_unrun || result->is_partly_run;
        result->is_incomplete = result->is_incomplete || is_of_claim;
        session->result->verdict = VERDICT_NOT_RUN;
    }
    return selected->count > 0;
}

/* Add the assumptions of a trace to the result, unless an earlier trace has the same path with the same value.
 * result->assumptions must be large enough. */
static void note_assumptions(struct claim_result *result, const struct trace_data *trace) {
    for (int p = 0; p < trace->parameter_count; p++) {
        const struct trace_parameter *parameter = &trace->parameters[p];
        bool is_new = !strcmp(parameter->origin, "assumed");
        for (int a = 0; a < result->assumption_count && is_new; a++)
            is_new = strcmp(result->assumptions[a].path, parameter->path) != 0 ||
                     strcmp(result->assumptions[a].value, parameter->value) != 0;
        if (is_new)
            result->assumptions[result->assumption_count++] = *parameter;
    }
}

/* The file of a trace, relative to the folder of results. */
static const char *file_of(const struct trace_set *set, const struct trace_data *trace) {
    const size_t length = set->folder ? strlen(set->folder) : 0;
    const bool is_below = length && !strncmp(trace->path, set->folder, length) && trace->path[length] == '/';
    return trace->path + (is_below ? length + strspn(trace->path + length, "/") : 0);
}

/* Store the traces that decide the verdict, their files, tier and assumptions in the result. */
static void note_traces(struct session *session) {
    const struct source *from = &session->claim->from;
    const struct trace_list *selected = &session->selected;
    struct claim_result *result = session->result;
    struct pool *pool = &session->report->pool;
    int parameters = 0;
    for (int t = 0; t < selected->count; t++)
        parameters += selected->items[t]->parameter_count;
    result->assumptions = pool_add(pool, memory_new((size_t)parameters, sizeof *result->assumptions));
    result->traces = pool_add(pool, memory_new((size_t)selected->count, sizeof(const char *)));
    result->files = pool_add(pool, memory_new((size_t)selected->count, sizeof(const char *)));
    bool quick = false, full = false;
    for (int t = 0; t < selected->count; t++) {
        const struct trace_data *trace = selected->items[t];
        if (!trace_matches(trace, &from->numerator) && !trace_matches(trace, &from->denominator) &&
            !source_is_reference(from, trace))
            continue;
        result->files[result->trace_count] = file_of(session->set, trace);
        result->traces[result->trace_count++] =
            pool_add(pool, text_format("%s %s", from->experiment, trace_name(trace)));
        note_assumptions(result, trace);
        quick = quick || is_same_text(trace_run_note(trace, "tier"), "quick");
        full = full || is_same_text(trace_run_note(trace, "tier"), "full");
    }
    result->tier = quick && full ? "quick full" : quick ? "quick" : full ? "full" : "";
}

/* ---- Sensitivity ---- */

/* Whether two traces have the same parameters, except those in a space-separated list of paths. */
static bool agree_but(const struct trace_data *a, const struct trace_data *b, const char *paths) {
    if (a->parameter_count != b->parameter_count)
        return false;
    for (int p = 0; p < a->parameter_count; p++) {
        const struct trace_parameter *parameter = &a->parameters[p];
        const char *other = trace_parameter_text(b, parameter->path);
        if (!other ||
            (strcmp(parameter->value, other) != 0 && !words_have(paths, parameter->path, strlen(parameter->path))))
            return false;
    }
    return true;
}

/* The assumed parameter of a run at a path; NULL if the value is stated or there is no such parameter. */
static const struct trace_parameter *assumed(const struct trace_data *trace, const char *path) {
    const struct trace_parameter *parameter = trace_parameter_at(trace, path);
    return parameter && !strcmp(parameter->origin, "assumed") ? parameter : NULL;
}

/* Judge the claim or one of its readings by the selected runs, or by the sweep if session->numbers is set. The quantity
 * is multiplied by a factor. */
static struct outcome judged_outcome(struct session *session, const struct claim *reading, double factor) {
    if (!session->numbers) {
        const struct trace_list list =
            reading == session->claim ? session->selected : selected_runs(session, &reading->from);
        return outcome_of(reading, &list, factor);
    }
    struct trace_list list = member_set_select(session->numbers, 0, &reading->from);
    struct outcome outcome = outcome_of(reading, &list, factor);
    free(list.items);
    return outcome;
}

/* Whether the claim holds if its quantity is multiplied by a factor. *measured, if not NULL: the measured value; newly
 * allocated. */
static bool holds_at(struct session *session, double factor, char **measured) {
    AUTO(outcome_free) struct outcome outcome = judged_outcome(session, session->claim, factor);
    bool holds = verdict_holds(outcome.verdict);
    if (measured)
        *measured = text_copy(outcome.measured);
    return holds;
}

/* Whether the claim holds at only one of two values of a parameter: its chosen value and an end of its range. If so,
 * the verdict becomes `depends`, and the reason says so. Unless the end is 0, the reason also has the value at which
 * the verdict changes, found by bisection of the logarithm. `base`: the outcome with the chosen value. */
static bool flips_at(struct session *session, const struct clause *scale, const struct trace_parameter *parameter,
                     double end, const char *end_text, const struct outcome *base) {
    bool base_holds = verdict_holds(base->verdict);
    double chosen = text_size(parameter->value), same = chosen, other = end;
    AUTO_FREE char *measured = NULL;
    if (holds_at(session, pow(end / chosen, scale->number), &measured) == base_holds)
        return false;
    for (int i = 0; i < 40 && end > 0; i++) {
        double middle = sqrt(same * other);
        *(holds_at(session, pow(middle / chosen, scale->number), NULL) == base_holds ? &same : &other) = middle;
    }
    session->result->verdict = VERDICT_DEPENDS;
    sentence_add(&session->why,
                 "The claim depends on %s, which the paper does not state. With the chosen value %s the claim %s "
                 "(result: %s); with %s, an end of the range, the claim %s (result: %s).",
                 scale->name, parameter->value, base_holds ? "holds" : "does not hold", base->measured, end_text,
                 base_holds ? "does not hold" : "holds", measured);
    if (end > 0)
        sentence_add(&session->why, "The verdict changes at about %s.", number_text(other, parameter->unit).text);
    return true;
}

/* Judge a claim at the ends of an assumption's range, without runs there: the claim's quantity is proportional to the
 * assumption to the power scale->number. */
static void try_scale(struct session *session, const struct clause *scale, const struct outcome *base) {
    const struct trace_parameter *parameter = assumed(session->selected.items[0], scale->name);
    double chosen = parameter ? text_size(parameter->value) : 0;
    if (!parameter || !(chosen > 0))
        return; /* the parameter is not assumed, or its value is not above 0; then there is no factor end / chosen */
    const char *const ends[] = {parameter->low, parameter->high};
    const char *tried[] = {parameter->value, parameter->value}; /* the smallest and the largest value that was judged */
    bool flips = false;
    for (int e = 0; e < 2; e++) {
        double end = text_size(ends[e]), factor = pow(end / chosen, scale->number);
        if (isnan(end)) /* the parameter has no range */
            continue;
        if (end >= 0 && isfinite(factor)) {
            tried[e] = ends[e];
            flips = (end != chosen && flips_at(session, scale, parameter, end, ends[e], base)) || flips;
        } else {
            sentence_add(&session->why,
                         "The claim cannot be judged with %s = %s, because the quantity has no value there.",
                         scale->name, ends[e]);
        }
    }
    if (!flips && strcmp(tried[0], tried[1]) != 0)
        sentence_add(&session->why, "The verdict is the same for %s from %s to %s.", scale->name, tried[0], tried[1]);
}

/* ---- The sweep of the experiment ---- */

/* Parameters in which a run and the corresponding run of a sweep may differ. */
static const char free_paths[] = "backend time.frames time.repeats time.read_back record.every record.mesh_every";

/* Whether two runs have the same body. Names are not enough, because a stand-in has the name of the body that it
 * replaces. */
static bool is_same_body(const struct trace_data *a, const struct trace_data *b) {
    const char *x = trace_run_note(a, "body_hash"), *y = trace_run_note(b, "body_hash");
    return !x || !y || !strcmp(x, y);
}

/* Whether the sweep has all the judged runs, with the same parameters and bodies. Otherwise the sweep decides nothing.
 */
static bool is_of_these(const struct session *session, const struct member_set *set) {
    for (int t = 0; t < session->selected.count; t++) {
        bool found = false;
        for (int r = 0; r < set->table.run_count && !found; r++)
            found = agree_but(session->selected.items[t], &set->members[0].traces[r], free_paths) &&
                    is_same_body(session->selected.items[t], &set->members[0].traces[r]);
        if (!found)
            return false;
    }
    return true;
}

/* Whether a run uses an assumption that has a range and that the claim is not about. */
static bool is_open(const struct session *session) {
    for (int t = 0; t < session->selected.count; t++)
        for (int p = 0; p < session->selected.items[t]->parameter_count; p++) {
            const struct trace_parameter *parameter = &session->selected.items[t]->parameters[p];
            if (!strcmp(parameter->origin, "assumed") && strcmp(parameter->low, parameter->high) != 0 &&
                !source_is_about(&session->claim->from, parameter->path))
                return true;
        }
    return false;
}

/* Whether runs compute a quantity. A quantity that no run computes is a parameter or a note, such as the number of
 * nodes. */
static bool is_computed(const struct session *session, const char *quantity) {
    return !strcmp(quantity, "diverged") || !trace_text(session->selected.items[0], quantity);
}

/* Whether runs compute neither the claim's quantity nor a quantity that selects the claim's runs (`only`). */
static bool is_count(const struct session *session) {
    const struct source *from = &session->claim->from;
    for (int c = 0; c < from->only.count; c++)
        if (is_computed(session, from->only.items[c].name))
            return false;
    return from->quantity && !is_computed(session, from->quantity);
}

/* Add to the reason in how many set-ups the claim holds and on which assumption it depends. */
static void describe_sweep(struct session *session, const struct sensitivity *sensitivity) {
    AUTO_FREE char *count = sensitivity_count_text(sensitivity), *split = split_text(&sensitivity->split);
    sentence_add(&session->why, "The claim holds %s.", count);
    if (*split)
        sentence_add(&session->why, "%s%s.",
                     sensitivity->split.chance < 0.05
                         ? "The claim depends most on "
                         : "No single assumption decides; the set-ups are best separated by ",
                     split);
    if (sensitivity->may_differ && !sensitivity->search_runs)
        sentence_add(&session->why, "No search has been run for a set-up in which the claim holds.");
    else if (sensitivity->may_differ && sensitivity->search_runs < SEARCH_RUNS)
        sentence_add(&session->why,
                     "The search for a set-up in which the claim holds was allowed at most %d runs; %d are needed.",
                     sensitivity->search_runs, SEARCH_RUNS);
}

/* Set session->numbers, if the sweep has the selected runs in the tier full, the selected runs are of the tier quick,
 * and the sweep decides the claim. Returns STATUS_BAD if the sweep or the claim has a mistake. */
static int choose_numbers(struct session *session) {
    struct member_set *set = member_sets_find(session->report->sweeps, session->claim->from.experiment);
    if (!set)
        return STATUS_BAD;
    const struct sensitivity *sensitivity = sensitivity_of(session->claim, set, session->report->claims);
    if (sensitivity->status)
        return sensitivity->status;
    if (set->count && !strcmp(set->table.tier, "full") && !strcmp(session->result->tier, "quick") &&
        !sensitivity->left_out && !is_count(session) && is_open(session) && is_of_these(session, set))
        session->numbers = set;
    return STATUS_OK;
}

/* Judge the claim by the sweep of its experiment, if there is one. */
static void try_sweep(struct session *session, const struct outcome *base) {
    struct claim_result *result = session->result;
    struct member_set *set = member_sets_find(session->report->sweeps, session->claim->from.experiment);
    if (!set) {
        session->status = STATUS_BAD;
        return;
    }
    const struct sensitivity *sensitivity = sensitivity_of(session->claim, set, session->report->claims);
    session->status = sensitivity->status ? sensitivity->status : session->status;
    const bool is_left_out = sensitivity->is_fixed || is_count(session),
               is_stale = set->count && !is_of_these(session, set);
    if (!is_left_out && !sensitivity->status && is_open(session)) {
        if (!set->count || is_stale) {
            result->verdict = VERDICT_NOT_SWEPT;
            sentence_add(&session->why,
                         "With the chosen values the claim %s. Other values that the paper allows were not tried: %s.",
                         verdict_holds(base->verdict) ? "holds" : "does not hold",
                         set->is_outdated
                             ? "the table of the sweep does not match the experiment file; run springback sensitivity"
                         : is_stale ? "the table of the sweep does not match the runs; run springback sensitivity"
                                    : "there is no sweep of this experiment");
        } else {
            result->verdict = sensitivity->verdict;
            if (sensitivity->left_out) {
                sentence_add(&session->why, "%s", sensitivity->left_out);
            } else {
                result->sensitivity = sensitivity_json(sensitivity, set);
                describe_sweep(session, sensitivity);
            }
        }
    }
}

/* ---- One claim ---- */

static void judge_consistency(struct session *session) {
    const struct claim *claim = session->claim;
    struct claim_result *result = session->result;
    if (claim->finding) {
        session->result->verdict = claim->fixed.verdict;
        sentence_add(&session->why, "%s", claim->finding);
        return;
    }
    double away = fabs(claim->computed - claim->printed);
    result->verdict = away <= claim->printed_half + 4e-16 * fabs(claim->printed) ? VERDICT_MATCHES : VERDICT_DIFFERS;
    if (result->verdict == VERDICT_DIFFERS) {
        AUTO_FREE char *difference = difference_text(claim->computed, claim->printed);
        result->direction = pool_add(&session->report->pool, text_format("%s than printed", difference));
    }
    const char *unit = *claim->reported_unit ? claim->reported_unit : "1";
    result->measured = pool_add(&session->report->pool, text_copy(number_text(claim->computed, unit).text));
    sentence_add(&session->why, "%s", claim->compute);
    for (int i = 0; i < claim->with.count; i++)
        sentence_add(&session->why, "%s%s = %s%s", i ? "" : "with ", claim->with.items[i].name,
                     claim->with.items[i].value, i + 1 < claim->with.count ? "," : ".");
}

/* If a body is a stand-in, the verdict becomes `not testable here`. The reason then has the verdict that the stand-in
 * gives. */
static void mark_stand_ins(struct session *session, enum verdict verdict) {
    const char *name = NULL, *missed = NULL;
    for (int t = 0; t < session->selected.count && !name; t++) {
        if (is_same_text(trace_run_note(session->selected.items[t], "body_stand_in"), "yes")) {
            name = trace_text(session->selected.items[t], "body.mesh");
            missed = trace_run_note(session->selected.items[t], "body_missed");
        }
    }
    if (!name)
        return;
    session->result->verdict = VERDICT_NOT_TESTABLE;
    session->result->has_recorded = false;
    session->result->stand_in = name;
    sentence_add(&session->why,
                 "The body %s is a stand-in (original not found: %.*s). With the stand-in, the verdict would be: %s.",
                 name, missed ? (int)strcspn(missed, "\n") : 0, missed ? missed : "", verdict_name(verdict));
}

/* Add to the reason which values --set gave, and whether the results are outdated. */
static void note_experiment(struct session *session, const struct trace_experiment *experiment) {
    struct claim_result *result = session->result;
    char *set = text_copy("");
    for (int s = 0; s < experiment->set_count; s++)
        text_append(&set, "%s%s", s ? "; " : "", experiment->set[s]);
    result->set = pool_add(&session->report->pool, set);
    if (*result->set)
        sentence_add(&session->why, "The results were made with --set (%s).", result->set);
    if (!experiment->outdated)
        return;
    result->outdated = experiment->outdated;
    sentence_add(&session->why, "The results are outdated: %s.", experiment->outdated);
    result->is_incomplete = true;
}

/* Judge all readings except the first by the runs. `first`: the outcome of the first reading. If the claim holds in
 * only some readings, the verdict becomes `depends`. */
static void judge_readings(struct session *session, const struct outcome *first) {
    const bool holds = verdict_holds(first->verdict);
    for (int r = 0; r < session->claim->reading_count; r++) {
        const struct claim *reading = &session->claim->readings[r];
        AUTO(outcome_free) struct outcome outcome = judged_outcome(session, reading, 1);
        session->status = outcome.status ? outcome.status : session->status;
        if (outcome.verdict == VERDICT_NOT_RUN) {
            session->result->verdict = VERDICT_NOT_RUN;
            sentence_add(&session->why, "The reading \"%s\" is not judged. %s", reading->says, outcome.why);
            return;
        }
        if (verdict_holds(outcome.verdict) == holds)
            continue;
        session->result->verdict = VERDICT_DEPENDS;
        sentence_add(&session->why, "The claim %s in the reading \"%s\" (%s).", holds ? "does not hold" : "holds",
                     reading->says, outcome.measured);
    }
}

static void judge_by_runs(struct session *session) {
    const struct claim *claim = session->claim;
    struct claim_result *result = session->result;
    const struct trace_experiment *experiment = trace_set_experiment(session->set, claim->from.experiment);
    result->is_unrun = !next_run(session, NULL);
    if (experiment)
        note_experiment(session, experiment);
    if (lacks_needs(session))
        return;
    if (!experiment) {
        sentence_add(&session->why, "The experiment %s has not been run.", claim->from.experiment);
        session->result->verdict = VERDICT_NOT_RUN;
        result->is_incomplete = !claim->is_optional;
        return;
    }
    if (lacks_run(session) || !select_runs(session))
        return;
    note_traces(session);
    if (claim->recorded_full.is_given && !strcmp(result->tier, "full")) {
        result->recorded = claim->recorded_full.verdict;
        result->has_recorded = true;
    }
    const int status = choose_numbers(session);
    AUTO(outcome_free) struct outcome outcome = judged_outcome(session, claim, 1);
    session->result->verdict = session->result->chosen_verdict = outcome.verdict;
    session->status = outcome.status ? outcome.status : status;
    result->measured = pool_add(&session->report->pool, text_copy(outcome.measured));
    result->interval = pool_add(&session->report->pool, text_copy(outcome.interval));
    if (outcome.direction)
        result->direction = pool_add(&session->report->pool, text_copy(outcome.direction));
    sentence_add(&session->why, "%s", outcome.why);
    if (session->numbers)
        sentence_add(&session->why, "The numbers are those of the tier full, from the table of the sweep, because the "
                                    "selected runs are of the tier quick.");
    if (outcome.verdict != VERDICT_NOT_RUN && !outcome.status) {
        judge_readings(session, &outcome);
        for (int i = 0; i < claim->scales.count; i++)
            try_scale(session, &claim->scales.items[i], &outcome);
        if (!status)
            try_sweep(session, &outcome);
    }
    mark_stand_ins(session, result->verdict);
}

const char *claim_experiment(const struct claim *claim) {
    return claim->kind == KIND_CONSISTENCY ? "" : claim->from.experiment;
}

/* The recorded verdict for the machine of the traces, which has a GPU if a trace was computed on one. */
static const struct stated_verdict *recorded_for(const struct claim *claim, const struct trace_set *traces) {
    const struct stated_verdict *recorded = claim->recorded;
    const bool is_same = recorded[0].is_given == recorded[1].is_given && recorded[0].verdict == recorded[1].verdict;
    return &recorded[!is_same && trace_set_has(traces, "device_type", "gpu")];
}

static int judge(const struct claim *claim, const struct trace_set *traces, const char *file,
                 struct claim_report *report) {
    const struct stated_verdict *recorded = recorded_for(claim, traces);
    struct claim_result *result = &report->results[report->count++];
    struct session session = {.claim = claim, .set = traces, .result = result, .report = report, .why = text_copy("")};
    *result = (struct claim_result){
        .id = claim->id,
        .paper = report->paper,
        .where = claim->where,
        .says = claim->says,
        .kind = claim_kind_name(claim->kind),
        .class = claim_class_name(claim),
        .fact = claim->fact,
        .brief = claim->brief,
        .explained = claim->explained,
        .is_headline = claim->is_headline,
        .recorded = recorded->verdict,
        .has_recorded = recorded->is_given,
        .is_timed = claim->from.quantity && quantity_is_timing(claim->from.quantity),
        .chosen_verdict = VERDICT_NOT_RUN,
        .reported = claim_printed(claim),
        .direction = "",
        .stand_in = "",
        .measured = "",
        .interval = "",
        .outdated = "",
        .set = "",
        .tier = "",
        .experiment = claim_experiment(claim),
    };
    if (claim->kind == KIND_CONSISTENCY)
        judge_consistency(&session);
    else
        judge_by_runs(&session);
    sentence_add(&session.why, "%s", claim->why);
    result->why = pool_add(&report->pool, session.why);
    result->command = pool_add(&report->pool, claim_command(result, traces, file));
    report->incomplete = report->incomplete || result->is_incomplete;
    return session.status;
}

int claim_report_open(struct claim_report *report, const char *file, const struct trace_set *traces) {
    if (report->claims)
        return STATUS_OK;
    report->claims = pool_add(&report->pool, memory_new(1, sizeof *report->claims));
    report->sweeps = pool_add(&report->pool, memory_new(1, sizeof *report->sweeps));
    *report->sweeps = (struct member_sets){.folder = traces->sweeps, .experiments = traces->files};
    return claim_file_read(file, report->claims);
}

int claims_judge(const char *file, const struct trace_set *traces, const struct claim_scope *scope,
                 struct claim_report *report) {
    *report = (struct claim_report){.count = 0};
    int status = claim_report_open(report, file, traces);
    if (status) {
        claim_report_free(report);
        return report->status = status;
    }
    const struct claim_file *claims = report->claims;
    report->results = pool_add(&report->pool, memory_new((size_t)claims->count, sizeof *report->results));
    report->paper = claims->paper;
    report->title = claims->citation;
    report->doi = claims->doi;
    AUTO(words_free) struct words experiments = {NULL, 0}; /* experiments whose sweeps the claims may need */
    for (int c = 0; c < claims->count; c++) {
        const char *experiment = claim_experiment(&claims->claims[c]);
        if (scope_has(scope, experiment) && trace_set_experiment(traces, experiment))
            words_add_new(&experiments, experiment);
    }
    member_sets_read_ahead(report->sweeps, &experiments);
    progress_begin(claims->count);
    for (int c = 0; c < claims->count; c++) {
        const struct claim *claim = &claims->claims[c];
        if (!scope_has(scope, claim_experiment(claim)))
            continue;
        progress_show(c, claim->id, "claims", c, claims->count);
        const int judged = judge(claim, traces, file, report);
        status = judged ? judged : status;
    }
    progress_end();
    return report->status = status;
}
