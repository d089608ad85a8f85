/* Each claim that runs decide can hold and can fail.
 *
 * For each claim, the runs of its experiment (tier full) get fabricated numbers many times. The claim is judged by
 * these numbers. The claim, and each of its readings, must hold for some numbers and fail for others.
 *
 * The fabricated numbers are durations of frames, series, counts of a body, and the status of a run. For quantities of
 * shapes, they are the reduced numbers of a sweep's table. Some numbers are random. Other numbers are drawn near the
 * number, the bound or the order that the claim expects, because random numbers alone almost never hit these.
 * `plausible` has the ranges of runs that did not blow up. If a value of the claim's quantity is above its range, the
 * upper end of the range replaces the value.
 *
 * A claim must also fail, in at least one of its readings, for runs of which none blew up. Otherwise the claim would
 * accept runs that are unstable but do not blow up. A run blows up only when a position or velocity is NaN, or when a
 * node is a million edge lengths away. */
#include "claim/evaluate.h"
#include "claim/geometry.h"
#include "claim/reduction.h"
#include "support.h"

#include "base/number.h"
#include "base/words.h"
#include "experiment/units.h"
#include "experiment/value.h"

#include <glob.h>
#include <stdint.h>

enum { TRIES = 6000, FRAMES = 16, TIMED = 4, RUN_NOTES = 64 };

/* ---- Random numbers: splitmix64 (Steele, Lea, Flood, 2014) ---- */

static uint64_t random_state;

static double uniform(double low, double high) {
    uint64_t bits = random_state += 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return low + (high - low) * (double)((bits ^ (bits >> 31)) >> 11) * 0x1p-53;
}

static int choose(int count) {
    return (int)uniform(0, count);
}

/* A random number from `low` to `high`, whose logarithm has a uniform distribution. */
static double wide(double low, double high) {
    return exp(uniform(log(low), log(high)));
}

/* ---- Runs without numbers ---- */

/* The runs of an experiment, with fabricated numbers. Arrays have an item for each run. */
struct fabrication {
    const char *experiment;
    struct plan plan;
    struct trace_data *traces;
    char (*hash)[4];             /* the note state_hash */
    int *body;                   /* index of the first run with the same body */
    double (*counts)[RUN_NOTES]; /* numbers of the notes on the body; set only for the first run with this body */
    struct words notes;          /* names of notes on the body */
    struct sweep_table table;    /* its columns are the reduced numbers of the geometry */
    struct pool pool;
    struct fabrication *next;
};

static bool is_same_body(const struct run *a, const struct run *b) {
    for (int p = 0; p < a->parameter_count; p++) {
        const char *path = a->parameters[p].field->path;
        const struct parameter *other = run_parameter(b, path);
        if (!strncmp(path, "body.", 5) && (!other || strcmp(other->value.text, a->parameters[p].value.text) != 0))
            return false;
    }
    return true;
}

static void find_bodies(struct fabrication *all) {
    for (int r = 0; r < all->plan.run_count; r++)
        for (all->body[r] = 0; !is_same_body(&all->plan.runs[all->body[r]], &all->plan.runs[r]);)
            all->body[r]++;
}

static void note_add(struct trace_data *trace, const char *name, const char *value) {
    cr_assert_lt(trace->run_count, RUN_NOTES);
    trace->run[trace->run_count++] = (struct trace_note){name, value};
}

static void add_notes(struct fabrication *all, int r) {
    const struct run *run = &all->plan.runs[r];
    struct trace_data *trace = &all->traces[r];
    const struct backend *backend = backend_find(run_text(run, "backend"));
    trace->run = pool_add(&all->pool, memory_new(RUN_NOTES, sizeof *trace->run));
    note_add(trace, "id", run->id);
    note_add(trace, "experiment", all->experiment);
    note_add(trace, "tier", "full");
    note_add(trace, "method", run_text(run, "method.name"));
    note_add(trace, "backend_kind", backend->name);
    note_add(trace, "device_type", backend->has_devices ? "gpu" : "cpu");
    note_add(trace, "bit_exact", "yes");
    note_add(trace, "steps_per_frame", run_text(run, "time.steps_per_frame"));
    note_add(trace, "state_hash", all->hash[r]);
    note_add(trace, "status", "whole");
    for (int n = 0; n < all->notes.count; n++)
        note_add(trace, all->notes.words[n], pool_add(&all->pool, memory_new(32, 1)));
}

static void add_parameters(struct fabrication *all, int r) {
    const struct run *run = &all->plan.runs[r];
    struct trace_data *trace = &all->traces[r];
    trace->parameters = pool_add(&all->pool, memory_new((size_t)run->parameter_count, sizeof *trace->parameters));
    for (int p = 0; p < run->parameter_count; p++)
        trace->parameters[trace->parameter_count++] = (struct trace_parameter){.path = run->parameters[p].field->path,
                                                                               .value = run->parameters[p].value.text,
                                                                               .unit = run->parameters[p].field->unit,
                                                                               .origin = "stated",
                                                                               .why = "",
                                                                               .low = "",
                                                                               .high = ""};
}

/* Make the series that the run's method records, and the times of the frames. */
static void add_series(struct fabrication *all, int r) {
    const struct run *run = &all->plan.runs[r];
    struct trace_data *trace = &all->traces[r];
    const struct method *method = method_find(run_text(run, "method.name"));
    const struct body body = {.is_closed = !run_parameter(run, "body.cloth.nodes")};
    const double end = run_number(run, "time.step", 0) * run_number(run, "time.steps_per_frame", 0) *
                       run_number(run, "time.frames", 0);
    trace->series_count = method->quantity_count(&body) + 1;
    trace->series = pool_add(&all->pool, memory_new((size_t)trace->series_count, sizeof *trace->series));
    trace->values = pool_add(&all->pool, memory_new((size_t)trace->series_count, sizeof *trace->values));
    for (int s = 0; s < trace->series_count; s++) {
        const bool is_method = s < trace->series_count - 1;
        trace->series[s] = is_method ? (struct trace_series){method->quantities[s].name, method->quantities[s].unit, ""}
                                     : (struct trace_series){"inner_speed", "m/s", ""};
        trace->values[s] = pool_add(&all->pool, memory_new(FRAMES, sizeof **trace->values));
    }
    trace->frames = run_number(run, "record.every", 0) > 0 ? FRAMES : 2;
    trace->frame_time = pool_add(&all->pool, memory_new(FRAMES, sizeof *trace->frame_time));
    for (int f = 0; f < trace->frames; f++)
        trace->frame_time[f] = end * f / (trace->frames - 1);
    trace->mesh_frames = run_number(run, "record.mesh_every", 0) > 0;
    trace->repeats = (int)run_number(run, "time.repeats", 0);
    trace->timed_frames = TIMED;
    if (trace->repeats)
        trace->frame_seconds =
            pool_add(&all->pool, memory_new((size_t)trace->repeats * TIMED, sizeof *trace->frame_seconds));
}

/* Make all->table: the table of a sweep whose member has these fabricated runs, with the columns that the claims need.
 * Keep only the columns for quantities of the geometry. */
static void add_columns(struct fabrication *all, const struct claim_file *claims) {
    struct sweep_table *table = &all->table;
    int count = 0;
    table->experiment = all->experiment;
    table->run_count = all->plan.run_count;
    table->runs = pool_add(&all->pool, memory_new((size_t)table->run_count, sizeof *table->runs));
    for (int r = 0; r < table->run_count; r++)
        table->runs[r] = (struct sweep_run){.id = all->plan.runs[r].id,
                                            .parameters = all->traces[r].parameters,
                                            .parameter_count = all->traces[r].parameter_count};
    failure_clear();
    cr_assert_eq(reduction_columns(claims, all->traces, table), STATUS_OK, "%s", failure_text());
    for (int c = 0; c < table->column_count; c++)
        if (geometry_kind_named(table->columns[c].quantity))
            table->columns[count++] = table->columns[c];
    table->column_count = count;
    for (int r = 0; r < table->run_count; r++) {
        all->traces[r].reductions = table->columns;
        all->traces[r].reduction_count = count;
        all->traces[r].reduced = pool_add(&all->pool, memory_new((size_t)count + 1, sizeof(float)));
    }
}

/* Find the notes on bodies that claims name in the keys quantity, each, along or compare. */
static void find_notes(const struct claim_file *claims, struct words *notes) {
    static const char counts[] = "nodes springs springs_structural springs_shear springs_bend springs_inside "
                                 "springs_at_node";
    for (int c = 0; c < claims->count; c++) {
        const struct source *from = &claims->claims[c].from;
        const char *const names[] = {from->quantity, from->each, from->along, from->compare};
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            if (names[n] && (words_have(counts, names[n], strlen(names[n])) || !strncmp(names[n], "body_", 5)))
                words_add_new(notes, names[n]);
    }
}

static struct fabrication *fabrication_new(const char *experiment, const struct claim_file *claims) {
    struct fabrication *all = memory_new(1, sizeof *all);
    AUTO_FREE char *file = text_format(SOURCE_DIR "/experiments/%s.yaml", experiment);
    const struct plan_options options = {.methods = method_table, .backend_words = backend_words};
    failure_clear();
    cr_assert_eq(plan_read(file, &options, &all->plan), STATUS_OK, "%s", failure_text());
    const size_t runs = (size_t)all->plan.run_count;
    all->experiment = experiment;
    all->traces = pool_add(&all->pool, memory_new(runs, sizeof *all->traces));
    all->hash = pool_add(&all->pool, memory_new(runs, sizeof *all->hash));
    all->body = pool_add(&all->pool, memory_new(runs, sizeof *all->body));
    all->counts = pool_add(&all->pool, memory_new(runs, sizeof *all->counts));
    find_notes(claims, &all->notes);
    find_bodies(all);
    for (int r = 0; r < all->plan.run_count; r++) {
        all->traces[r].path = "memory";
        add_notes(all, r);
        add_parameters(all, r);
        add_series(all, r);
    }
    add_columns(all, claims);
    return all;
}

static struct fabrication *fabrication_of(struct fabrication **first, const char *experiment,
                                          const struct claim_file *claims) {
    for (struct fabrication *all = *first; all; all = all->next)
        if (!strcmp(all->experiment, experiment))
            return all;
    struct fabrication *all = fabrication_new(experiment, claims);
    all->next = *first;
    return *first = all;
}

static void fabrications_free(struct fabrication *all) {
    for (struct fabrication *next; all; all = next) {
        next = all->next;
        plan_free(&all->plan);
        words_free(&all->notes);
        free(all->table.columns);
        pool_free(&all->table.pool);
        pool_free(&all->pool);
        free(all);
    }
}

/* ---- Numbers ---- */

/* The ranges of runs that did not blow up, by unit. The last row is for all other units. */
static const struct {
    const char *unit;
    double low, high;
} plausible[] = {
    {"1", 1e-6, 10},    /* a ratio: strains up to 1000 %, volumes up to ten times the volume at rest */
    {"m", 1e-3, 100},   /* the size of a body, or a distance that it moves */
    {"s", 1e-5, 100},   /* the time of a frame or of a decay */
    {"1/s", 1e-2, 1e5}, /* frames per second */
    {"count", 1, 1e8},  /* nodes, springs, links of a body */
    {NULL, 1e-6, 1e6},
};

static void range_of(const char *unit, double *low, double *high) {
    size_t k = 0;
    while (plausible[k].unit && strcmp(plausible[k].unit, unit) != 0)
        k++;
    *low = plausible[k].low;
    *high = plausible[k].high;
}

/* Quantities that can be negative. */
static const char signed_quantities[] = "volume volume_loss potential_energy lowest centre_x centre_y "
                                        "centre_z momentum_x momentum_y momentum_z angular_momentum_x "
                                        "angular_momentum_y angular_momentum_z";

/* How the numbers of one try are drawn. In a run of rank r (rank_of), the claim's quantity has the value
 * centre * exp(direction * step * r) * exp(amplitude * u). u is random, from -1 to 1. In a ratio, the numerator's runs
 * have `ratio` times this value, and the values of the denominator's runs do not depend on r. For the kind shape, the
 * factor p^target replaces the factor exp(direction * step * r), where p is the run's value on the axis. */
struct distribution {
    const struct claim *claim;
    const char *unit;       /* the unit of the claim's quantity; for the kind ratio, of the values that are divided */
    double target;          /* the number that the claim expects, in the unit of its quantity; NaN for an order */
    double centre, ratio;   /* centre: the value of rank 0 without its random part; ratio: the numerator's factor */
    double direction;       /* -1, 0 or 1: for a positive centre, the value falls, is constant or rises with the rank */
    double step, amplitude; /* of the value's logarithm. step: increase per rank; amplitude: of the random part */
    bool is_constant;       /* the value is the same in all frames */
    int ending;             /* enum ending */
    double threshold;       /* for BY_RANK: a run diverges if its score (set_status) is larger */
};

enum ending { ALL_WHOLE, ALL_DIVERGED, RANDOM_ENDING, BY_RANK, ENDINGS };

/* The number that the claim expects, in the unit of its quantity; NaN for an order. */
static double target_of(const struct claim *claim, const char *unit) {
    AUTO_FREE char *text = claim->reported
                               ? text_format("%.17g %s", claim->printed, claim->reported_unit)
                               : text_copy(claim->expect.kind == EXPECT_BOUND ? claim->expect.bound : "nan");
    const char *end, *pure = strcmp(unit, "yes or no") ? unit : "1";
    double number = NAN;
    if (claim->reported || claim->expect.kind == EXPECT_BOUND) {
        end = number_read(text, &number);
        if (!end || end[strspn(end, " ")])
            cr_assert_eq(unit_read(claim->node->place, claim->id, text, pure, &number), STATUS_OK, "%s",
                         failure_text());
    }
    return number;
}

static const char *axis_of(const struct claim *claim) {
    return claim->from.along ? claim->from.along : claim->from.compare;
}

/* The rank of a run in the order that the claim expects. The rank is 0 if the claim has no axis, or if the run has no
 * value on the axis. If `expect` lists the run's value on the axis, the rank is the place of this value in the list.
 * Otherwise the rank is from 0 to 8 on a numeric axis, and random on an axis of words. */
static double rank_of(const struct claim *claim, const struct fabrication *all, int r) {
    const char *path = axis_of(claim), *text = path ? trace_text(&all->traces[r], path) : NULL;
    if (!text)
        return 0;
    for (int n = 0; n < claim->expect.name_count; n++)
        if (!strcmp(claim->expect.name[n], text))
            return n;
    if (!claim->from.along)
        return uniform(-1, claim->expect.name_count + 1);
    int rank = 0;
    for (int other = 0; other < all->plan.run_count; other++) {
        const char *other_text = trace_text(&all->traces[other], path);
        rank += other_text && text_size(other_text) < text_size(text);
    }
    return (double)rank * 8 / all->plan.run_count;
}

static struct distribution distribution_draw(const struct claim *claim, const struct fabrication *all, const char *unit,
                                             double target) {
    const bool is_ratio = claim->from.denominator.count > 0, is_known = isfinite(target) && choose(2);
    double low, high;
    range_of(unit, &low, &high);
    const char *quantity = claim->from.quantity;
    const char *some = quantity ? trace_text(&all->traces[choose(all->plan.run_count)], quantity) : NULL;
    return (struct distribution){
        .claim = claim,
        .unit = unit,
        .target = target,
        .centre = is_known && !is_ratio ? target
                  : choose(4)           ? wide(low, high)
                                        : -wide(low, high),
        .ratio = !is_ratio  ? 1
                 : is_known ? target
                            : wide(1e-2, 1e2),
        .direction = choose(3) - 1,
        .step = wide(1e-2, 3),
        .amplitude = choose(2) ? 0 : wide(1e-3, 5),
        .is_constant = choose(2),
        .ending = choose(2) ? ALL_WHOLE : choose(ENDINGS),
        .threshold = (some ? log(text_size(some)) : 0) + uniform(-1, 5),
    };
}

/* A random value of the claim's quantity for a run. */
static double value_of(const struct distribution *drawn, const struct fabrication *all, int r) {
    const struct claim *claim = drawn->claim;
    const bool is_above = claim->from.denominator.count > 0 && trace_matches(&all->traces[r], &claim->from.numerator),
               is_ordered = is_above || !claim->from.denominator.count;
    const char *place = claim->kind == KIND_SHAPE ? trace_text(&all->traces[r], claim->from.along) : NULL;
    double low, high, log_value = drawn->amplitude * uniform(-1, 1);
    range_of(drawn->unit, &low, &high);
    if (is_ordered)
        log_value +=
            place ? drawn->target * log(text_size(place)) : drawn->direction * drawn->step * rank_of(claim, all, r);
    const double value = drawn->centre * (is_above ? drawn->ratio : 1) * exp(log_value), size = fmin(fabs(value), high);
    const char *quantity = claim->from.quantity ? claim->from.quantity : "";
    return words_have(signed_quantities, quantity, strlen(quantity)) ? copysign(size, value) : size;
}

static void set_status(const struct distribution *drawn, struct fabrication *all, int r) {
    struct trace_data *trace = &all->traces[r];
    const char *text = trace_text(trace, drawn->claim->from.quantity ? drawn->claim->from.quantity : "");
    const double score =
        (text ? log(text_size(text)) : 0) + drawn->direction * drawn->step * rank_of(drawn->claim, all, r);
    const bool is_diverged = drawn->ending == ALL_DIVERGED || (drawn->ending == RANDOM_ENDING && choose(2)) ||
                             (drawn->ending == BY_RANK && score > drawn->threshold);
    for (int n = 0; n < trace->run_count; n++)
        if (!strcmp(trace->run[n].name, "status"))
            trace->run[n].value = is_diverged ? "diverged" : "whole";
}

static void set_series(const struct distribution *drawn, struct trace_data *trace, double value) {
    const struct source *from = &drawn->claim->from;
    for (int s = 0; s < trace->series_count; s++) {
        const bool is_asked = from->quantity && !strcmp(trace->series[s].name, from->quantity);
        double low, high;
        range_of(trace->series[s].unit, &low, &high);
        const double centre = is_asked && !(from->decay > 0) ? value : wide(low, high);
        for (int f = 0; f < trace->frames; f++)
            trace->values[s][f] = is_asked && from->decay > 0 ? pow(from->decay, trace->frame_time[f] / value)
                                  : drawn->is_constant        ? centre
                                                              : centre * uniform(0, 2);
    }
}

static void set_shapes(const struct distribution *drawn, const struct fabrication *all, int r, double value) {
    float *reduced = (float *)all->traces[r].reduced;
    for (int c = 0; c < all->table.column_count; c++) {
        const struct trace_reduction *column = &all->table.columns[c];
        double low, high;
        range_of(column->unit, &low, &high);
        reduced[c] = !all->traces[r].mesh_frames ? NAN
                     : drawn->claim->from.quantity && !strcmp(column->quantity, drawn->claim->from.quantity)
                         ? (float)value
                         : (float)wide(low, high);
    }
}

static void set_timing(const struct distribution *drawn, struct trace_data *trace, double value) {
    const char *quantity = drawn->claim->from.quantity ? drawn->claim->from.quantity : "";
    const double steps = strtod(trace_run_text(trace, "steps_per_frame"), NULL);
    const double seconds = !strcmp(quantity, "frames_per_second") ? 1 / value
                           : !strcmp(quantity, "step_seconds")    ? value * steps
                                                                  : value;
    for (int i = 0; trace->frame_seconds && i < trace->repeats * TIMED; i++)
        trace->frame_seconds[i] = seconds * (drawn->is_constant ? 1 : uniform(0.9, 1.1));
}

/* Set the counts of a run's body. They are equal in all runs with this body. */
static void set_notes(const struct distribution *drawn, struct fabrication *all, int r, double value) {
    struct trace_data *trace = &all->traces[r];
    for (int n = 0; n < all->notes.count; n++) {
        const char *name = all->notes.words[n];
        const bool is_asked = drawn->claim->from.quantity && !strcmp(name, drawn->claim->from.quantity);
        double *count = &all->counts[all->body[r]][n];
        if (all->body[r] == r)
            *count = floor(is_asked ? fabs(value) + 0.5 : wide(1, 1e8) - 1);
        for (int k = 0; k < trace->run_count; k++)
            if (trace->run[k].name == name)
                snprintf((char *)trace->run[k].value, 32, "%.0f", *count);
    }
}

static void fabricate(const struct distribution *drawn, struct fabrication *all) {
    for (int r = 0; r < all->plan.run_count; r++)
        set_notes(drawn, all, r, value_of(drawn, all, r));
    for (int r = 0; r < all->plan.run_count; r++) {
        const double value = value_of(drawn, all, r);
        set_status(drawn, all, r);
        set_series(drawn, &all->traces[r], value);
        set_shapes(drawn, all, r, value);
        set_timing(drawn, &all->traces[r], value);
        snprintf(all->hash[r], sizeof all->hash[r], "%d", drawn->is_constant ? 0 : choose(2));
    }
}

/* ---- Claims ---- */

/* Which verdicts a claim has got so far, with any of the fabricated numbers. */
struct seen {
    bool holds, fails, fails_whole; /* `fails_whole`: the claim failed although all runs were whole */
    char *why;                      /* the reason of the last outcome without a verdict; NULL if there is none */
};

static struct trace_list select_runs(const struct claim *claim, const struct fabrication *all) {
    struct trace_list list = {memory_new((size_t)all->plan.run_count, sizeof(const struct trace_data *)), 0};
    for (int r = 0; r < all->plan.run_count; r++)
        if (source_selects(&claim->from, &all->traces[r], false))
            list.items[list.count++] = &all->traces[r];
    return list;
}

/* Find the unit of the claim's quantity. For the kind ratio, this is the unit of the values that are divided. Returns
 * false if the runs do not have the quantity. */
static bool find_unit(const struct claim *claim, const struct fabrication *all, char unit[64]) {
    struct claim plain = *claim;
    plain.from.denominator.count = 0;
    AUTO(table_free) struct table table = {.count = 0};
    struct trace_list list = select_runs(claim, all);
    const bool is_known = !claim->from.same && claim_table(&plain, &list, &table);
    if (is_known)
        snprintf(unit, 64, "%s", table.unit);
    free(list.items);
    return is_known;
}

/* If the claim's quantity is a count of the body, set its unit to "count", which has its own range. */
static void name_counts(const struct claim *claim, const struct fabrication *all, char unit[64]) {
    for (int n = 0; n < all->notes.count && claim->from.quantity; n++)
        if (!strcmp(all->notes.words[n], claim->from.quantity))
            snprintf(unit, 64, "count");
}

/* Fabricate numbers, at most TRIES times, until the claim has held, failed, and failed for whole runs. After
 * TRIES / 20 tries, the search also ends if the claim has held and failed, but not failed for whole runs. */
static void look_for_verdicts(const struct claim *claim, struct fabrication *all, struct seen *seen) {
    char unit[64] = "1";
    double target = NAN;
    bool is_unit_known = false;
    for (int t = 0; t < TRIES && !(seen->holds && seen->fails && (seen->fails_whole || t > TRIES / 20)); t++) {
        const struct distribution drawn = distribution_draw(claim, all, unit, target);
        fabricate(&drawn, all);
        struct trace_list list = select_runs(claim, all);
        AUTO(outcome_free) struct outcome outcome = outcome_of(claim, &list, 1);
        free(list.items);
        seen->holds = seen->holds || verdict_holds(outcome.verdict);
        seen->fails = seen->fails || outcome.verdict == VERDICT_DIFFERS;
        seen->fails_whole = seen->fails_whole || (outcome.verdict == VERDICT_DIFFERS && drawn.ending == ALL_WHOLE);
        if (outcome.verdict == VERDICT_NOT_RUN) {
            free(seen->why);
            seen->why = text_copy(outcome.why);
        }
        if (!is_unit_known && find_unit(claim, all, unit)) {
            is_unit_known = true;
            target = target_of(claim, claim->from.denominator.count ? "1" : unit);
            name_counts(claim, all, unit);
        }
    }
}

/* A text that says what is wrong with a claim, newly allocated; "" if nothing is wrong. */
static char *fault_of(const struct claim *claim, struct fabrication *all) {
    char *fault = text_copy("");
    bool fails_whole = false;
    for (int r = -1; r < claim->reading_count; r++) {
        const struct claim *reading = r < 0 ? claim : &claim->readings[r];
        struct seen seen = {.why = NULL};
        random_state = 20220401 + (uint64_t)r;
        look_for_verdicts(reading, all, &seen);
        fails_whole = fails_whole || seen.fails_whole;
        if (!seen.holds || !seen.fails)
            text_append(&fault, "it never %s (%s). %s", seen.holds ? "fails" : "holds", reading->says,
                        seen.why ? seen.why : "");
        free(seen.why);
    }
    if (!*fault && !fails_whole)
        text_append(&fault, "it fails only if a run blows up; add a reading that also fails for other runs");
    return fault;
}

/* The faults of all claims that runs decide, and of the conditions for admissible members: "ID: FAULT" on each line,
 * newly allocated. */
static char *faults_of_file(const char *path) {
    AUTO(claim_file_free) struct claim_file claims;
    struct fabrication *fabrications = NULL;
    char *faults = text_copy("");
    failure_clear();
    cr_assert_eq(claim_file_read(path, &claims), STATUS_OK, "%s", failure_text());
    for (int c = 0; c < claims.count + claims.admissible_count; c++) {
        const struct claim *claim = c < claims.count ? &claims.claims[c] : &claims.admissible[c - claims.count];
        if (claim->kind == KIND_CONSISTENCY)
            continue;
        AUTO_FREE char *fault = fault_of(claim, fabrication_of(&fabrications, claim->from.experiment, &claims));
        if (*fault)
            text_append(&faults, "%s: %s\n", claim->id && *claim->id ? claim->id : claim->says, fault);
    }
    fabrications_free(fabrications);
    return faults;
}

Test(claims_can_fail, each_claim_that_runs_decide_holds_for_some_numbers_and_fails_for_others) {
    glob_t files;
    cr_assert_eq(glob(SOURCE_DIR "/paper_checks/*.yaml", 0, NULL, &files), 0);
    for (size_t f = 0; f < files.gl_pathc; f++) {
        AUTO_FREE char *faults = faults_of_file(files.gl_pathv[f]);
        cr_expect_str_empty(faults, "%s", faults);
    }
    globfree(&files);
}

/* Findings, and claims about the paper's arithmetic, do not depend on data. Therefore, if such a claim has the class
 * `result`, its verdict must be "not testable here". */
Test(claims_can_fail, a_result_that_no_run_decides_has_no_verdict) {
    glob_t files;
    cr_assert_eq(glob(SOURCE_DIR "/paper_checks/*.yaml", 0, NULL, &files), 0);
    for (size_t f = 0; f < files.gl_pathc; f++) {
        AUTO(claim_file_free) struct claim_file claims;
        failure_clear();
        cr_assert_eq(claim_file_read(files.gl_pathv[f], &claims), STATUS_OK, "%s", failure_text());
        for (int c = 0; c < claims.count; c++) {
            const struct claim *claim = &claims.claims[c];
            if (claim->kind == KIND_CONSISTENCY && !strcmp(claim_class_name(claim), "result"))
                cr_expect(claim->finding && claim->fixed.verdict == VERDICT_NOT_TESTABLE,
                          "%s: the class is result, but no run decides the claim; expected the verdict `not testable "
                          "here`",
                          claim->id);
        }
    }
    globfree(&files);
}

/* ---- Tests of the search itself ---- */

static void expect_fault(const char *claim, const char *said) {
    char *folder = folder_temporary(), *path = text_format("%s/claims.yaml", folder);
    AUTO_FREE char *text =
        text_format("springback: 1\npaper: va2022\nclaims:\n  - {id: va2022.x, where: x, says: y, %s}\n", claim);
    text_write(path, text);
    AUTO_FREE char *faults = faults_of_file(path);
    cr_expect(*said ? strstr(faults, said) != NULL : !*faults, "%s\n%s", claim, faults);
    free(path);
    folder_remove(folder);
}

#define PUSH "from: {experiment: va2022/strong-push, "

Test(claims_can_fail, a_claim_that_cannot_fail_or_cannot_hold_is_found) {
    expect_fault("kind: bound, expect: '< 10 %', " PUSH "quantity: largest_strain, over_frames: max}", "");
    expect_fault("kind: bound, expect: '< 2000 %', " PUSH "quantity: largest_strain, over_frames: max}", "never fails");
    expect_fault("kind: bound, expect: '> -1 m', " PUSH
                 "select: {time.step: 0.005 s}, quantity: height, over_frames: max}",
                 "never fails");
    expect_fault("kind: bound, expect: '< 0.1 s', " PUSH "quantity: frame_seconds}", "never holds (y). the run");
    expect_fault("kind: bound, expect: '< 10 %', " PUSH
                 "select: {time.step: 7 s}, quantity: largest_strain, over_frames: max}",
                 "never holds");
    expect_fault("kind: order, expect: a < b, " PUSH
                 "compare: method.name, quantity: largest_strain, over_frames: max}",
                 "never holds");
    expect_fault("kind: value, reported: 5.61 %, " PUSH
                 "select: {time.step: 0.005 s}, quantity: largest_strain, over_frames: max}",
                 "");
    expect_fault("kind: capability, expect: '< 100 %', " PUSH "quantity: diverged}", "only if a run blows up");
    expect_fault("kind: capability, expect: yes, " PUSH "quantity: diverged}", "");
}
