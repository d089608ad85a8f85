#include "refine/refine.h"

#include "base/file.h"
#include "base/memory.h"
#include "claim/evaluate.h"
#include "claim/geometry.h"
#include "refine/variant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *origin_word_name(enum origin_word word) {
    static const char *const names[] = {"left out", "physics", "not known", "rounding", "step size"};
    return names[word];
}

/* ---- Judging one number ---- */

/* How far the variants of a number lie from each other, in its own unit; NaN where that is not known. */
struct distances {
    double half, quarter, twice; /* from h to h/2, to h/4, to double */
    double halves;               /* from h/2 to h/4 */
    double size;
};

/* A distance as a share of the size. Nothing is no movement, whatever the size. */
static double share(double distance, double size) {
    return distance == 0 ? 0 : distance / size;
}

/* log2 of the ratio of successive differences: the p of an error c h^p. It makes no sense where they do not shrink, or
 * the smaller is near to rounding, which grows with the number of steps; nor for what takes few values: an answer, or a
 * parameter of a sweep. */
static double order_of(const struct distances *d, bool is_smooth) {
    const double noise = fmax(8 * d->twice, 1e-10 * d->size); /* a run in double has no other than itself beside it */
    const bool shrinks = isfinite(d->half) && d->half > d->halves && d->halves > noise;
    return is_smooth && shrinks ? log2(d->half / d->halves) : (double)NAN;
}

/* Where double moves a number too, and at least half as far as the step does, the step's part cannot be told from
 * rounding's, which a change of the step changes as well. */
static enum origin_word owed_to(double with_step, double with_double) {
    if (isnan(with_step) || (isnan(with_double) && with_step <= REFINE_LITTLE))
        return OWED_UNKNOWN;
    if (with_double > REFINE_LITTLE && with_double >= with_step / 2)
        return OWED_ROUNDING;
    return with_step > REFINE_LITTLE ? OWED_STEP : OWED_PHYSICS;
}

static void judge(struct movement *movement, const struct distances *d, bool is_smooth) {
    movement->with_step = fmax(share(d->half, d->size), share(d->quarter, d->size));
    if (isnan(d->half) || isnan(d->quarter))
        movement->with_step = NAN;
    movement->with_double = share(d->twice, d->size);
    movement->order = order_of(d, is_smooth);
    movement->word = owed_to(movement->with_step, movement->with_double);
}

static struct movement *movement_add(struct refinement *item, char *name, const char *unit) {
    item->movements = memory_grow(item->movements, (size_t)item->movement_count + 1, sizeof *item->movements);
    struct movement *movement = &item->movements[item->movement_count++];
    *movement = (struct movement){.name = name, .unit = text_copy(unit), .value = {NAN, NAN, NAN, NAN}};
    return movement;
}

/* ---- Blow-ups ---- */

/* "1 of 2 runs at h, none at h/2": said where any run blew up. */
static void tell_blow_ups(struct refinement *item) {
    int most = 0;
    for (int v = 0; v < VARIANTS; ++v)
        most = item->blown[v] > most ? item->blown[v] : most;
    if (!most)
        return;
    if (item->blown[AT_STEP] && !item->blown[AT_HALF] && item->runs[AT_HALF])
        sentence_add(&item->why, "The blow-up at h is gone at h/2.");
    else if (item->blown[AT_STEP] && !item->blown[AT_QUARTER] && item->runs[AT_QUARTER])
        sentence_add(&item->why, "The blow-up at h is gone at h/4.");
    else if (item->blown[AT_STEP] && !item->blown[IN_DOUBLE] && item->runs[IN_DOUBLE])
        sentence_add(&item->why, "The blow-up at h is gone in double.");
    else if (!item->blown[AT_STEP])
        sentence_add(&item->why, "Nothing blows up at h, but elsewhere.");
    sentence_add(&item->why, "Runs that blow up:");
    for (int v = 0; v < VARIANTS; ++v)
        sentence_add(&item->why, "%d of %d %s %s%s", item->blown[v], item->runs[v], v == IN_DOUBLE ? "in" : "at",
                     variant_names[v], v + 1 < VARIANTS ? "," : ".");
}

/* The item's word is the most alarming of its numbers'. */
static void settle(struct refinement *item) {
    for (int m = 0; m < item->movement_count; ++m) {
        const struct movement *movement = &item->movements[m];
        item->word = movement->word > item->word ? movement->word : item->word;
    }
    tell_blow_ups(item);
}

/* ---- Claims ---- */

/* Why a claim has nothing to refine, or NULL. */
static const char *left_out(const struct claim *claim) {
    if (claim->kind == KIND_COUNT)
        return "It is a count, into which the step does not enter.";
    if (claim->from.same)
        return "It compares texts, not a number.";
    if (claim->from.quantity && quantity_is_timing(claim->from.quantity))
        return "It is a timing, and those are not taken here.";
    if (claim->from.quantity && geometry_kind_named(claim->from.quantity))
        return "It is measured on recorded geometry, which is not recorded here.";
    return NULL;
}

static bool is_of(const struct claim *claim, const struct experiment *experiment) {
    return claim->kind != KIND_CONSISTENCY && claim->from.experiment &&
           !strcmp(claim->from.experiment, experiment->name);
}

/* The traces that a claim selects. */
static struct trace_list select_traces(const struct claim *claim, const struct variant_runs *runs,
                                       struct refinement *item, int v) {
    struct trace_list list = {memory_new((size_t)runs->count, sizeof(const struct trace_data *)), 0};
    for (int r = 0; r < runs->count; ++r)
        if (trace_matches(&runs->runs[r].trace, &claim->from.select)) {
            list.items[list.count++] = &runs->runs[r].trace;
            item->blown[v] += runs->runs[r].blown;
        }
    item->runs[v] = list.count;
    return list;
}

static const struct member *partner(const struct table *table, const struct member *member) {
    for (int m = 0; m < table->count; ++m)
        if (!strcmp(table->members[m].each, member->each) && !strcmp(table->members[m].axis, member->axis))
            return &table->members[m];
    return NULL;
}

static double distance(const struct movement *movement, enum variant a, enum variant b) {
    const double x = movement->value[a], y = movement->value[b];
    if (!movement->has[a] || !movement->has[b])
        return NAN;
    return x == y ? 0 : fabs(x - y);
}

static void compare_members(const struct claim *claim, const struct table tables[VARIANTS], bool is_parameter,
                            struct refinement *item) {
    for (int m = 0; m < tables[AT_STEP].count; ++m) {
        const struct member *base = &tables[AT_STEP].members[m];
        const char *each = base->each, *axis = base->axis;
        char *name =
            text_format("%s%s%s%s%s", claim->from.quantity, *each ? " of " : "", each, *axis ? " at " : "", axis);
        struct movement *movement = movement_add(item, name, tables[AT_STEP].unit);
        double size = 0;
        for (int v = 0; v < VARIANTS; ++v) {
            const struct member *member = tables[v].count ? partner(&tables[v], base) : NULL;
            movement->has[v] = member != NULL;
            movement->value[v] = member ? member->measure.value : (double)NAN;
            if (member && v != AT_STEP)
                size = fmax(size, fabs(member->measure.value));
        }
        if (movement->value[AT_STEP] != 0)
            size = fabs(movement->value[AT_STEP]);
        const struct distances d = {.half = distance(movement, AT_STEP, AT_HALF),
                                    .quarter = distance(movement, AT_STEP, AT_QUARTER),
                                    .twice = distance(movement, AT_STEP, IN_DOUBLE),
                                    .halves = distance(movement, AT_HALF, AT_QUARTER),
                                    .size = size};
        judge(movement, &d, !is_parameter && strcmp(tables[AT_STEP].unit, "yes or no") != 0);
    }
}

static int refine_claim(const struct claim *claim, const struct variant_runs runs[VARIANTS], struct refinement *item) {
    const char *reason = left_out(claim);
    int status = STATUS_OK;
    *item = (struct refinement){.id = text_copy(claim->id), .is_claim = true, .why = text_copy(reason ? reason : "")};
    if (reason)
        return status;
    struct table tables[VARIANTS] = {{.count = 0}};
    bool is_parameter = false, flips = false;
    for (int v = 0; v < VARIANTS && !status; ++v) {
        struct trace_list list = select_traces(claim, &runs[v], item, v);
        struct outcome outcome = outcome_of(claim, &list, 1);
        status = outcome.status;
        item->verdict[v] = verdict_name(outcome.verdict);
        flips = flips || item->verdict[v] != item->verdict[AT_STEP];
        is_parameter = is_parameter || (list.count && trace_parameter_text(list.items[0], claim->from.quantity));
        outcome_free(&outcome);
        char *problem = results_of(claim, &list, &tables[v]);
        if (problem && v == AT_STEP)
            sentence_add(&item->why, "%s.", problem);
        free(problem);
        free(list.items);
    }
    item->word = tables[AT_STEP].count ? OWED_LEFT_OUT : OWED_UNKNOWN;
    if (!status)
        compare_members(claim, tables, is_parameter, item);
    settle(item);
    if (flips)
        sentence_add(&item->why, "The verdict changes: %s at h, %s at h/2, %s at h/4, %s in double.",
                     item->verdict[AT_STEP], item->verdict[AT_HALF], item->verdict[AT_QUARTER],
                     item->verdict[IN_DOUBLE]);
    for (int v = 0; v < VARIANTS; ++v)
        table_free(&tables[v]);
    return status;
}

/* ---- Series ---- */

static int series_of(const struct trace_data *trace, const char *name) {
    for (int s = 0; trace && s < trace->series_count; ++s)
        if (!strcmp(trace->series[s].name, name))
            return s;
    return -1;
}

/* The largest difference of a series over the frames that two traces recorded; infinite where one of the two blew up
 * and the other did not, unknown where one is not there or both blew up, for then the frames before are all there is to
 * compare, and they end at different times. */
static double series_distance(const struct variant_run *a, const struct variant_run *b, const char *name) {
    const int s = a && b ? series_of(&a->trace, name) : -1, t = s >= 0 ? series_of(&b->trace, name) : -1;
    if (t < 0)
        return NAN;
    if (a->blown || b->blown)
        return a->blown && b->blown ? (double)NAN : (double)INFINITY;
    double most = 0;
    for (int f = 0; f < a->trace.frames && f < b->trace.frames; ++f) {
        const double x = a->trace.values[s][f], y = b->trace.values[t][f];
        most = x == y ? most : fmax(most, fabs(x - y));
    }
    return most;
}

static void refine_series(const struct variant_run *const run[VARIANTS], int s, struct refinement *item) {
    const struct trace_series *series = &run[AT_STEP]->trace.series[s];
    struct movement *movement = movement_add(item, text_copy(series->name), series->unit);
    double size = 0;
    for (int v = 0; v < VARIANTS; ++v) {
        const struct trace_data *trace = run[v] ? &run[v]->trace : NULL;
        const int t = series_of(trace, series->name);
        if (!trace || t < 0 || trace->frames < 1)
            continue;
        movement->has[v] = true;
        movement->value[v] = trace->values[t][trace->frames - 1];
        for (int f = 0; f < trace->frames && (v == AT_STEP || size == 0); ++f)
            size = fmax(size, fabs(trace->values[t][f]));
    }
    const struct distances d = {.half = series_distance(run[AT_STEP], run[AT_HALF], series->name),
                                .quarter = series_distance(run[AT_STEP], run[AT_QUARTER], series->name),
                                .twice = series_distance(run[AT_STEP], run[IN_DOUBLE], series->name),
                                .halves = series_distance(run[AT_HALF], run[AT_QUARTER], series->name),
                                .size = isfinite(size) ? size : 1};
    judge(movement, &d, true);
}

static void refine_run(const struct variant_runs runs[VARIANTS], int r, struct refinement *item) {
    const struct variant_run *run[VARIANTS];
    *item = (struct refinement){.id = text_copy(runs[AT_STEP].runs[r].id), .why = text_copy("")};
    for (int v = 0; v < VARIANTS; ++v) {
        run[v] = variant_find(&runs[v], runs[AT_STEP].runs[r].id);
        item->runs[v] = run[v] != NULL;
        item->blown[v] = run[v] && run[v]->blown;
    }
    for (int s = 0; s < run[AT_STEP]->trace.series_count; ++s)
        refine_series(run, s, item);
    settle(item);
}

/* ---- The whole ---- */

/* The claims' file: the one that was named, or the paper's if it is there. An empty one else. */
static int read_claims(const char *named, const struct experiment *experiment, struct claim_file *claims) {
    *claims = (struct claim_file){.count = 0};
    char *file = named ? text_copy(named) : text_format("paper_checks/%s.yaml", experiment->paper);
    int status = named || file_exists(file) ? claim_file_read(file, claims) : STATUS_OK;
    free(file);
    return status;
}

static int run_variants(const char *file, const struct refine_options *options, bool has_claims,
                        struct variant_runs runs[VARIANTS]) {
    struct variant_plan plans[VARIANTS] = {{.kept = NULL}};
    int status = STATUS_OK;
    for (int v = 0; v < VARIANTS && !status; ++v) /* all mistakes before the first run */
        status = variant_read((enum variant)v, file, options, has_claims, &plans[v]);
    for (int v = 0; v < VARIANTS && !status; ++v)
        status = variant_run_all((enum variant)v, &plans[v], options, &runs[v]);
    for (int v = 0; v < VARIANTS; ++v)
        variant_plan_free(&plans[v]);
    return status;
}

int refine(const char *file, const struct refine_options *options, struct refine_report *report) {
    struct variant_plan base;
    struct claim_file claims;
    struct variant_runs runs[VARIANTS] = {{.count = 0}};
    int mine = 0, wanted = 0;
    *report = (struct refine_report){.experiment = NULL};
    int status = variant_read(AT_STEP, file, options, true, &base);
    if (status)
        return status;
    report->experiment = text_copy(base.plan.experiment.name);
    status = read_claims(options->claims, &base.plan.experiment, &claims);
    for (int c = 0; c < claims.count; ++c)
        if (is_of(&claims.claims[c], &base.plan.experiment)) {
            ++mine;
            wanted += !left_out(&claims.claims[c]);
        }
    if (!status && (wanted || !mine))
        status = run_variants(file, options, mine > 0, runs);
    report->runs = runs[AT_STEP].count;
    report->items = memory_new((size_t)(mine ? mine : report->runs), sizeof *report->items);
    for (int c = 0; c < claims.count && !status; ++c)
        if (is_of(&claims.claims[c], &base.plan.experiment))
            status = refine_claim(&claims.claims[c], runs, &report->items[report->count++]);
    for (int r = 0; !mine && r < report->runs && !status; ++r)
        refine_run(runs, r, &report->items[report->count++]);
    if (!status && !mine && !report->runs)
        status = fail("%s: no run could be made here: there is no device for any of them", file);
    for (int v = 0; v < VARIANTS; ++v)
        variant_free(&runs[v]);
    claim_file_free(&claims);
    variant_plan_free(&base);
    return status;
}

void refine_report_free(struct refine_report *report) {
    for (int i = 0; i < report->count; ++i) {
        struct refinement *item = &report->items[i];
        for (int m = 0; m < item->movement_count; ++m) {
            free(item->movements[m].name);
            free(item->movements[m].unit);
        }
        free(item->movements);
        free(item->id);
        free(item->why);
    }
    free(report->items);
    free(report->experiment);
    *report = (struct refine_report){.count = 0};
}
