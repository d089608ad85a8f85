#include "claim/evaluate.h"

#include "backend/backend.h"
#include "base/memory.h"
#include "base/number.h"
#include "claim/statistics.h"
#include "experiment/units.h"
#include "experiment/value.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state while one claim is judged. `values`: the numbers that the claim compares. `results`: the numbers that are
 * compared with the number in the claim. `results` has the values, or the values reduced to one number, or the slopes
 * of the values along an axis. */
struct trial {
    const struct claim *claim;
    bool has_texts; /* whether the texts of the outcome are made */
    struct table values, results;
    struct outcome out;
};

bool source_is_about(const struct source *from, const char *path) {
    const char *const subjects[] = {from->each, from->along, from->compare, from->quantity};
    for (int i = 0; i < 4; i++)
        if (subjects[i] && !strcmp(subjects[i], path))
            return true;
    for (int i = 0; i < from->against.count; i++)
        if (!strcmp(from->against.items[i].name, path))
            return true;
    return false;
}

bool verdict_holds(enum verdict verdict) {
    return verdict == VERDICT_MATCHES || verdict == VERDICT_WITHIN || verdict == VERDICT_SHAPE_ONLY;
}

void sentence_add(char **text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    AUTO_FREE char *sentence = text_format_list(format, arguments);
    va_end(arguments);
    if (*sentence)
        text_append(text, "%s%s", **text ? " " : "", sentence);
}

/* The number in `text`, the value of the claim's key `key`, converted to `unit`. A number without a unit is in `unit`
 * already. */
static double in_unit(struct trial *trial, const char *unit, const char *key, const char *text) {
    double number = 0;
    const char *end = number_read(text, &number);
    if ((!end || end[strspn(end, " ")]) &&
        unit_read(claim_place(trial->claim, key), key, text, strcmp(unit, "yes or no") ? unit : "1", &number))
        trial->out.status = STATUS_BAD;
    return number;
}

/* Store the distance of one value (outcome.distance), if it is the largest until now. NaN counts as INFINITY. */
static void note_distance(struct trial *trial, double distance) {
    trial->out.distance = isnan(distance) ? (double)INFINITY : fmax(trial->out.distance, distance);
}

/* Append a sentence to the reason, if the outcome gets its texts. */
static void explain(struct trial *trial, const char *format, ...) PRINTF_LIKE(2, 3);
static void explain(struct trial *trial, const char *format, ...) {
    va_list arguments;
    if (!trial->has_texts)
        return;
    va_start(arguments, format);
    AUTO_FREE char *sentence = text_format_list(format, arguments);
    va_end(arguments);
    sentence_add(&trial->out.why, "%s", sentence);
}

static const char *entry_name(const struct table_entry *entry) {
    return *entry->axis ? entry->axis : entry->each;
}

/* ---- Orders and bounds ---- */

/* bound_holds, trend_holds and chain_holds return VERDICT_MATCHES if the expected bound or order holds, otherwise
 * VERDICT_DIFFERS. An order with a missing value gives VERDICT_NOT_RUN. A bound gives VERDICT_DEPENDS if each value
 * that violates it is a timing whose interval contains the bound. */

static bool relation_holds(const struct expect *expect, double a, double b) {
    if (expect->relation == '=')
        return a == b;
    return (expect->or_equal && a == b) || (expect->relation == '<' ? a < b : a > b);
}

/* Whether a claim orders two numbers by their ratio: "a / b > 1" says that a is larger than b. */
static bool orders_by_ratio(const struct claim *claim, double bound) {
    return claim->from.numerator.count && bound == 1;
}

/* The noise of a value (add_noise). 0 for a timing, which has an interval in place of noise. */
static double noise_of(const struct measure *measure) {
    return measure->samples ? 0 : (measure->high - measure->low) / 2;
}

/* Whether rounding decides the order of two values: their difference `apart` is not 0, but at most their noise. */
static bool is_within_noise(double apart, double noise) {
    return apart > 0 && apart <= noise;
}

static enum verdict bound_holds(struct trial *trial, const struct table *table) {
    const struct expect *expect = &trial->claim->expect;
    double bound = in_unit(trial, table->unit, "expect", expect->bound);
    int failing = 0, unsure = 0, timed_by_chance = 0; /* timed_by_chance: timings that violate the bound, although the
                                                       * bound is inside their interval */
    AUTO_FREE char *names = text_copy("");
    for (int m = 0; m < table->count; m++) {
        const struct measure *measure = &table->entries[m].measure;
        bool holds = relation_holds(expect, measure->value, bound);
        const bool is_unsure =
            relation_holds(expect, measure->low, bound) != relation_holds(expect, measure->high, bound);
        unsure += is_unsure;
        if (orders_by_ratio(trial->claim, bound) && is_within_noise(fabs(measure->value - 1), noise_of(measure)))
            trial->out.is_undecided = true;
        timed_by_chance += !holds && is_unsure && measure->samples;
        if (!holds)
            note_distance(trial, fabs(measure->value - bound) / (fabs(bound) > 0 ? fabs(bound) : 1));
        if (!holds && failing++ < 4 && trial->has_texts && *entry_name(&table->entries[m]))
            sentence_add(&names, "%s%s", *names ? "and " : "", entry_name(&table->entries[m]));
    }
    if (failing && table->count > 1)
        explain(trial, "The claim does not hold for %d of %d values%s%s%s.", failing, table->count, *names ? " (" : "",
                names, *names ? ")" : "");
    if (unsure)
        explain(trial, "The bound is inside the interval of %d of %d values.", unsure, table->count);
    return !failing ? VERDICT_MATCHES : failing == timed_by_chance ? VERDICT_DEPENDS : VERDICT_DIFFERS;
}

/* Whether two values are in the expected order. Sets is_undecided if they differ, but by at most the sum of their
 * noise. Adds a sentence if the order is wrong, or if the intervals of two timings overlap. */
static bool pair_holds(struct trial *trial, const struct table_entry *a, const struct table_entry *b) {
    const struct expect *expect = &trial->claim->expect;
    bool holds = relation_holds(expect, a->measure.value, b->measure.value);
    if (holds && a->measure.samples && a->measure.low <= b->measure.high && b->measure.low <= a->measure.high)
        explain(trial, "The intervals of %s and %s overlap.", a->axis, b->axis);
    const double apart = fabs(a->measure.value - b->measure.value);
    if (is_within_noise(apart, noise_of(&a->measure) + noise_of(&b->measure)))
        trial->out.is_undecided = true;
    if (!holds) {
        note_distance(trial, apart > 0 ? apart / fmax(fabs(a->measure.value), fabs(b->measure.value)) : 0);
        if (trial->has_texts)
            explain(trial, "%s%s%s has %s and %s has %s.", a->each, *a->each ? ": " : "", a->axis,
                    number_text(a->measure.value, trial->values.unit).text, b->axis,
                    number_text(b->measure.value, trial->values.unit).text);
    }
    return holds;
}

/* Whether the values of each group are in the expected order along the axis. If the order allows equal neighbours, the
 * last value of a group must still be on the expected side of the first. */
static enum verdict trend_holds(struct trial *trial, const struct table *table) {
    const struct expect strict = {.relation = trial->claim->expect.relation};
    enum verdict verdict = VERDICT_MATCHES;
    for (int first = 0, last; first < table->count; first = last + 1) {
        for (last = first; last + 1 < table->count && table->entries[last + 1].group == table->entries[first].group;)
            last++;
        const struct table_entry *a = &table->entries[first], *b = &table->entries[last];
        if (first == last) {
            explain(trial, "There is only one value of %s%s%s.", trial->claim->from.along, *a->each ? " for " : "",
                    a->each);
            return VERDICT_NOT_RUN;
        }
        for (int m = first; m < last; m++)
            if (!pair_holds(trial, &table->entries[m], &table->entries[m + 1]))
                verdict = VERDICT_DIFFERS;
        if (verdict == VERDICT_MATCHES && !relation_holds(&strict, a->measure.value, b->measure.value)) {
            explain(trial, "All values%s%s are equal (%s).", *a->each ? " for " : "", a->each,
                    number_text(a->measure.value, table->unit).text);
            verdict = VERDICT_DIFFERS;
        }
    }
    return verdict;
}

static const struct table_entry *find(const struct table *table, int group, const char *axis) {
    for (int m = 0; m < table->count; m++)
        if (table->entries[m].group == group && !strcmp(table->entries[m].axis, axis))
            return &table->entries[m];
    return NULL;
}

static enum verdict chain_holds(struct trial *trial, const struct table *table) {
    const struct expect *expect = &trial->claim->expect;
    enum verdict verdict = VERDICT_MATCHES;
    for (int g = 0; g < table->groups; g++)
        for (int n = 0; n + 1 < expect->name_count; n++) {
            const struct table_entry *a = find(table, g, expect->name[n]), *b = find(table, g, expect->name[n + 1]);
            if (!a || !b) {
                explain(trial, "No run has %s = %s.", trial->claim->from.compare, expect->name[a ? n + 1 : n]);
                return VERDICT_NOT_RUN;
            }
            if (!pair_holds(trial, a, b))
                verdict = VERDICT_DIFFERS;
        }
    return verdict;
}

/* Whether the expectation of a claim holds. A bound is compared with each entry of `bounded`: trial->values for claims
 * of the kinds `value`, `ratio` and `shape`, trial->results for claims of other kinds. */
static enum verdict expectation_holds(struct trial *trial, const struct table *bounded) {
    switch (trial->claim->expect.kind) {
    case EXPECT_BOUND:
        return bound_holds(trial, bounded);
    case EXPECT_TREND:
        return trend_holds(trial, &trial->values);
    case EXPECT_CHAIN:
        return chain_holds(trial, &trial->values);
    default:
        return VERDICT_DIFFERS;
    }
}

/* ---- Verdicts by kind ---- */

static enum verdict judge_expected(struct trial *trial) {
    return expectation_holds(trial, &trial->results);
}

/* Convert a number from the unit that the paper prints to the unit of the results. */
static double in_printed_unit(struct trial *trial, double number) {
    const struct claim *claim = trial->claim;
    char text[128];
    snprintf(text, sizeof text, "%.17g %.80s", number, claim->reported_unit);
    return in_unit(trial, trial->results.unit, "reported", text);
}

/* The worst verdict of all results: matches (within the rounding of the printed number), within tolerance, or differs.
 */
static enum verdict grade(struct trial *trial) {
    const struct claim *claim = trial->claim;
    double printed = in_printed_unit(trial, claim->printed);
    double half = trial->out.status ? 0 : in_printed_unit(trial, claim->printed_half);
    double tolerance = claim->relative ? claim->relative_share * fabs(printed) : 0;
    if (claim->absolute && !trial->out.status)
        tolerance = in_unit(trial, trial->results.unit, "tolerance", claim->absolute);
    enum verdict worst = VERDICT_MATCHES;
    for (int m = 0; m < trial->results.count; m++) {
        double away = fabs(trial->results.entries[m].measure.value - printed);
        double slack = 4e-16 * fabs(printed); /* rounding of the decimal numbers to binary */
        if (!(away <= fmax(half, tolerance) + slack))
            note_distance(trial, away / (fmax(half, tolerance) + slack));
        if (!(away <= half + slack))
            worst = away <= tolerance + slack && worst != VERDICT_DIFFERS ? VERDICT_WITHIN : VERDICT_DIFFERS;
        if (isfinite(trial->results.entries[m].measure.value))
            continue;
        explain(trial, "The measured value is not finite.");
    }
    return worst;
}

static enum verdict judge_value(struct trial *trial) {
    enum verdict verdict = grade(trial);
    if (verdict != VERDICT_DIFFERS || trial->claim->expect.kind == EXPECT_NOTHING)
        return verdict;
    const double by_value = trial->out.distance;
    trial->out.distance = 0;
    const enum verdict expected = expectation_holds(trial, &trial->values);
    trial->out.distance = expected == VERDICT_NOT_RUN ? by_value : fmin(by_value, trial->out.distance);
    if (expected != VERDICT_MATCHES)
        return VERDICT_DIFFERS;
    explain(trial, trial->claim->from.between_devices
                       ? "A ratio of two devices depends on the hardware, so only its direction is "
                         "judged (above or below 1); the direction is as printed for all values."
                       : "The value differs, but what the claim expects (`expect`) holds.");
    return VERDICT_SHAPE_ONLY;
}

static enum verdict judge_count(struct trial *trial) {
    double printed = in_printed_unit(trial, trial->claim->printed);
    for (int m = 0; m < trial->results.count; m++)
        if (trial->results.entries[m].measure.value != printed)
            note_distance(trial, fabs(trial->results.entries[m].measure.value - printed) / fmax(fabs(printed), 1));
    return trial->out.distance != 0 ? VERDICT_DIFFERS : VERDICT_MATCHES;
}

/* Replace the results of each group by one number: the least-squares slope of the logarithm of the values over the
 * logarithm of their places on the axis. Returns false, with a reason, if a group has no slope. */
static bool slopes(struct trial *trial) {
    struct table *results = &trial->results;
    const struct table *values = &trial->values;
    int count = 0;
    for (int first = 0, next; first < values->count; first = next) {
        double n = 0, x = 0, y = 0, xx = 0, xy = 0;
        for (next = first; next < values->count && values->entries[next].group == values->entries[first].group;
             next++) {
            double u = log(values->entries[next].place), v = log(values->entries[next].measure.value);
            n += 1, x += u, y += v, xx += u * u, xy += u * v;
        }
        double slope = (n * xy - x * y) / (n * xx - x * x);
        if (n < 2 || !isfinite(slope)) {
            explain(trial, "A slope needs two or more positive values along %s.", trial->claim->from.along);
            return false;
        }
        results->entries[count] = values->entries[first];
        results->entries[count].axis = "";
        results->entries[count++].measure = (struct measure){slope, slope, slope, 0, 0};
    }
    results->count = count;
    strcpy(results->unit, "1");
    return true;
}

static enum verdict judge_shape(struct trial *trial) {
    return slopes(trial) ? judge_value(trial) : VERDICT_NOT_RUN;
}

static enum verdict (*const judges[])(struct trial *trial) = {
    [KIND_VALUE] = judge_value,    [KIND_BOUND] = judge_expected,      [KIND_RATIO] = judge_value,
    [KIND_ORDER] = judge_expected, [KIND_SHAPE] = judge_shape,         [KIND_COUNT] = judge_count,
    [KIND_CONSISTENCY] = NULL,     [KIND_CAPABILITY] = judge_expected,
};

/* ---- Texts ---- */

/* The word that a claim about blow-ups expects, "stable" or "blew up"; NULL for other claims. */
static const char *expected_answer(const struct claim *claim) {
    double bound = 0;
    if (!claim->from.quantity || strcmp(claim->from.quantity, "diverged") != 0 || claim->expect.kind != EXPECT_BOUND ||
        !number_read(claim->expect.bound, &bound))
        return NULL;
    bound *= strchr(claim->expect.bound, '%') ? 0.01 : 1;
    return relation_holds(&claim->expect, 0, bound) ? "stable" : "blew up";
}

const char *claim_printed(const struct claim *claim) {
    const char *answer = expected_answer(claim);
    return answer ? answer : claim->reported ? claim->reported : claim->expect_text ? claim->expect_text : "";
}

/* "stable in 4 of 5" if the claim expects stable runs, otherwise "blew up in 1 of 5"; newly allocated. */
static char *answers_text(const struct claim *claim, const struct table *results) {
    const char *expected = expected_answer(claim);
    const bool is_stable = !expected || !strcmp(expected, "stable");
    int as_expected = 0;
    for (int m = 0; m < results->count; m++)
        as_expected += (results->entries[m].measure.value == 0) == is_stable;
    return text_format("%s in %d of %d", is_stable ? "stable" : "blew up", as_expected, results->count);
}

/* 1 if a larger value is better, -1 if a smaller value is better, 0 if neither. A ratio between devices is a speed-up
 * and gives 1; other ratios give 0. */
static int better_side(const struct source *from) {
    static const char less[] =
        "frame_seconds step_seconds diverged volume_loss volume_error length_error shape_error "
        "shape_distance centre_distance height_difference position_distance constraint_error residual "
        "iterations body_edges_groups_least body_paper_groups body_groups_of_edges body_crossings";
    if (from->numerator.count)
        return from->between_devices;
    return words_have(less, from->quantity, strlen(from->quantity)) ? -1 : !strcmp(from->quantity, "frames_per_second");
}

char *difference_text(double number, double printed) {
    const double ratio = number / printed;
    const char *side = number > printed ? "more" : "less";
    if (!(printed > 0 && ratio > 0) || !isfinite(ratio))
        return text_copy(side);
    if (ratio >= 2 || ratio <= 0.5)
        return text_format("%.10g times %s", number_rounded(ratio > 1 ? ratio : 1 / ratio, 3), side);
    return text_format("%.2g %% %s", 100 * fabs(ratio - 1), side);
}

/* Set outcome.direction from the value that differs most from the printed one. For a bound, only values that violate
 * the bound count. */
static void describe_direction(struct trial *trial) {
    const struct claim *claim = trial->claim;
    const struct table *results = &trial->results;
    const bool is_bound = claim->kind == KIND_BOUND || claim->kind == KIND_CAPABILITY;
    if (claim->kind == KIND_ORDER) {
        trial->out.direction = text_copy("in another order than printed");
        return;
    }
    const double printed = is_bound ? in_unit(trial, results->unit, "expect", claim->expect.bound)
                                    : in_printed_unit(trial, claim->printed);
    double worst = printed;
    for (int m = 0; m < results->count; m++) {
        const double value = results->entries[m].measure.value;
        if (fabs(value - printed) > fabs(worst - printed) &&
            !(is_bound && relation_holds(&claim->expect, value, printed)))
            worst = value;
    }
    if (worst == printed)
        return;
    const int side = better_side(&claim->from);
    if (!strcmp(results->unit, "yes or no")) {
        trial->out.direction = text_format("%s than printed", worst < printed ? "better" : "worse");
        return;
    }
    AUTO_FREE char *difference = difference_text(worst, printed);
    trial->out.direction =
        side ? text_format("%s than printed, %s", (side > 0) == (worst > printed) ? "better" : "worse", difference)
             : text_format("%s than printed", difference);
}

/* Set `measured`: "124 1/s", or "11.2 1/s to 311 1/s" for several different values. Set `interval` for a single
 * timing. */
static void describe(struct trial *trial) {
    const struct table *results = &trial->results;
    struct measure least = table_reduce(results, reducer_named("min"));
    struct measure most = table_reduce(results, reducer_named("max"));
    const struct number_text low = number_text(least.value, results->unit),
                             high = number_text(most.value, results->unit);
    const bool is_timed = results->count == 1 && least.samples;
    if (trial->out.verdict == VERDICT_DIFFERS)
        describe_direction(trial);
    const bool are_answers = !strcmp(results->unit, "yes or no") && results->count > 1;
    trial->out.measured = are_answers                   ? answers_text(trial->claim, results)
                          : strcmp(low.text, high.text) ? text_format("%s to %s", low.text, high.text)
                                                        : text_copy(low.text);
    trial->out.interval = is_timed ? text_format("[%s, %s]", number_text(least.low, "1").text,
                                                 number_text(least.high, results->unit).text)
                                   : text_copy("");
}

/* Add to the reason: the values (at most 24), the number of runs and values without a partner (table.unpaired), and the
 * number of outliers. */
static void list_entries(struct trial *trial) {
    const struct table *values = &trial->values;
    const struct claim *claim = trial->claim;
    const char *axis = claim->from.along ? claim->from.along : claim->from.compare;
    const char *path = axis ? axis : claim->from.each;
    int samples = 0, outliers = 0;
    AUTO_FREE char *list = text_copy("");
    for (int m = 0; m < values->count; m++) {
        const struct table_entry *entry = &values->entries[m];
        if (m < 24)
            sentence_add(&list, "%s%s%s: %s%s", *entry->axis ? entry->each : "",
                         *entry->axis && *entry->each ? ", " : "", entry_name(entry),
                         number_text(entry->measure.value, values->unit).text,
                         m + 1 < values->count ? (m == 23 ? "; ..." : ";") : ".");
        samples += entry->measure.samples;
        outliers += entry->measure.outliers;
    }
    if (path && strcmp(path, "id") != 0 && values->count > 1)
        sentence_add(&trial->out.why, "By %s: %s", path, list);
    if (values->unpaired)
        sentence_add(&trial->out.why, "Values that are left out because there is no run to compare them with: %d.",
                     values->unpaired);
    if (outliers)
        sentence_add(&trial->out.why, "%d of %d timing samples are outliers by Tukey's fences; none is dropped.",
                     outliers, samples);
}

/* Add to the reason, for comparison, the claim's ratio with another denominator: the runs of `backend`, such as
 * "threads:1". */
static void list_baseline(struct trial *trial, const struct trace_list *traces, const char *backend) {
    const struct reducer *geometric = reducer_named("geometric_mean");
    struct clause clause = {.name = "backend", .value = backend};
    struct source from = trial->claim->from;
    from.denominator = (struct clauses){&clause, 1};
    AUTO(table_free) struct table table;
    AUTO_FREE char *problem = table_make(&from, traces, 1, &table);
    if (problem)
        return;
    const struct reducer *reducer = from.over_each ? from.over_each : geometric;
    sentence_add(&trial->out.why,
                 "For comparison, the same ratio with the %s backend as the denominator: %s %s, geometric mean %s.",
                 backend, reducer->name, number_text(table_reduce(&table, reducer).value, "1").text,
                 number_text(table_reduce(&table, geometric).value, "1").text);
}

/* Add comparisons to the reason for a ratio between devices. The first is the geometric mean of the ratio's values. The
 * others are the same ratio, with the runs of a backend with threads, such as "threads:4", as the denominator. */
static void list_baselines(struct trial *trial, const struct trace_list *traces) {
    if (trial->values.count > 1)
        sentence_add(&trial->out.why, "The geometric mean is %s.",
                     number_text(table_reduce(&trial->values, reducer_named("geometric_mean")).value, "1").text);
    for (int t = 0; t < traces->count; t++) {
        const struct backend *kind = backend_find(trace_run_note(traces->items[t], "backend_kind"));
        const char *backend = trace_text(traces->items[t], "backend");
        bool listed = !kind || !kind->has_threads || !backend;
        for (int s = 0; s < t && !listed; s++) {
            const char *earlier = trace_text(traces->items[s], "backend");
            listed = earlier && !strcmp(earlier, backend);
        }
        if (!listed)
            list_baseline(trial, traces, backend);
    }
}

/* ---- One text that must be equal ---- */

static struct outcome same_text(const struct claim *claim, const struct trace_list *traces) {
    struct outcome out = {
        .verdict = VERDICT_MATCHES, .interval = text_copy(""), .why = text_copy(""), .status = STATUS_OK};
    const char *name = claim->from.same;
    int groups = 0, equal = 0;
    AUTO_FREE bool *seen = memory_new((size_t)traces->count, sizeof *seen);
    for (int a = 0; a < traces->count; a++) {
        const char *each = claim->from.each ? trace_text(traces->items[a], claim->from.each) : "";
        const char *text = trace_text(traces->items[a], name);
        int size = 0, apart = 0;
        if (seen[a])
            continue;
        for (int b = a; b < traces->count && each && text; b++) {
            const char *other_each = claim->from.each ? trace_text(traces->items[b], claim->from.each) : "";
            const char *other = trace_text(traces->items[b], name);
            if (!other_each || !other || strcmp(each, other_each) != 0)
                continue;
            seen[b] = true;
            size++;
            if (strcmp(text, other) != 0 && !apart++)
                sentence_add(&out.why, "%s has %s, %s has %s.", trace_run_note(traces->items[a], "id"), text,
                             trace_run_note(traces->items[b], "id"), other);
        }
        if (size < 2) {
            sentence_add(&out.why, "%s%sthere is nothing to compare: %s.", each ? each : "", each && *each ? ": " : "",
                         size ? "only one run" : "a run lacks the text that `same` names");
            out.verdict = VERDICT_NOT_RUN;
        }
        groups++;
        equal += !apart && size > 1;
    }
    if (out.verdict != VERDICT_NOT_RUN && equal < groups)
        out.verdict = VERDICT_DIFFERS;
    out.measured =
        groups > 1 ? text_format("equal in %d of %d", equal, groups) : text_copy(equal ? "equal" : "not equal");
    if (out.verdict == VERDICT_MATCHES)
        sentence_add(&out.why,
                     groups > 1 ? "%s is equal in all runs that have the same value under `each` (%d runs in total)."
                                : "%s is equal in all %d runs.",
                     name, traces->count);
    return out;
}

/* The source of the values that a claim compares: its key `from`, or a changed copy of it. */
static struct source source_of(const struct claim *claim) {
    struct source from = claim->from;
    if (claim->kind == KIND_CAPABILITY && !from.each && !from.over_count)
        from.each = "id"; /* the claim must be true in each run */
    return from;
}

static void reduce_entries(const struct source *from, const struct table *values, struct table *results) {
    if (from->over_each) {
        results->entries[0] = (struct table_entry){"", "", 0, 0, table_reduce(values, from->over_each)};
        results->count = results->groups = 1;
    }
}

/* Convert pure numbers to percent if the printed number is in percent. If there is no printed number, the unit of the
 * bound decides. */
static void convert_to_percent(const struct claim *claim, struct table *table) {
    const char *bound = claim->expect.bound ? strchr(claim->expect.bound, '%') : NULL;
    const bool is_in_percent = claim->reported ? !strcmp(claim->reported_unit, "%") : bound != NULL;
    if (!is_in_percent || strcmp(table->unit, "1") != 0)
        return;
    table_scale(table, 100);
    strcpy(table->unit, "%");
}

/* Add to the reason how lee2022's protocol (statistics.h) was applied to all timed runs of the claim. */
static void describe_protocol(struct trial *trial, const struct trace_list *traces) {
    const struct source *from = &trial->claim->from;
    struct protocol all = {.shortest = INFINITY, .is_each_second = true};
    int fewest = 0, kept = 0;
    for (int t = 0; t < traces->count; t++) {
        const struct trace_data *trace = traces->items[t];
        if (!trace->frame_seconds ||
            (!trace_matches(trace, &from->numerator) && !trace_matches(trace, &from->denominator)))
            continue;
        const struct protocol one = protocol_of(trace->frame_seconds, trace->repeats, trace->timed_frames);
        if (!one.tests)
            continue;
        fewest = !all.tests || one.tests < fewest ? one.tests : fewest;
        kept = !all.tests || one.kept < kept ? one.kept : kept;
        all.tests = one.tests > all.tests ? one.tests : all.tests;
        all.shortest = fmin(all.shortest, one.shortest);
        all.longest = fmax(all.longest, one.longest);
        all.is_each_second = all.is_each_second && one.is_each_second;
    }
    if (!all.tests)
        return;
    sentence_add(&trial->out.why, "By lee2022's protocol (section 4.2), with equations (12) and (13) corrected:");
    if (all.is_each_second)
        sentence_add(&trial->out.why, "15 samples, one in each second of a test;");
    else
        sentence_add(
            &trial->out.why,
            "15 samples, one at the end of each of 15 equal parts of a test, which lasts %.3g s to %.3g s (paper: "
            "15 s, a sample each second);",
            all.shortest, all.longest);
    if (fewest == PROTOCOL_TESTS && all.tests == PROTOCOL_TESTS)
        sentence_add(
            &trial->out.why,
            "averaged over the 10 of 15 tests whose means are nearest to the median, because the paper does not "
            "say which five it drops.");
    else
        sentence_add(&trial->out.why, "of %d tests (paper: 15), %s.", fewest,
                     kept < PROTOCOL_KEPT ? "all are averaged"
                                          : "the 10 whose means are nearest to the median are averaged");
}

/* Add to the reason, for comparison with the paper's protocol, the median of all frames with its interval. */
static void list_medians(struct trial *trial, const struct trace_list *traces, double factor) {
    struct source from = source_of(trial->claim);
    AUTO(table_free) struct table table;
    from.statistic = STATISTIC_MEDIAN;
    AUTO_FREE char *problem = table_make(&from, traces, factor, &table), *list = text_copy("");
    if (problem)
        return;
    reduce_entries(&from, &table, &table);
    for (int m = 0; m < table.count && m < 8; m++) {
        const struct measure *measure = &table.entries[m].measure;
        const char *name = entry_name(&table.entries[m]);
        sentence_add(&list, "%s%s%s%s [%s, %s]", m ? "and " : "", name, *name ? ": " : "",
                     number_text(measure->value, table.unit).text, number_text(measure->low, "1").text,
                     number_text(measure->high, table.unit).text);
    }
    sentence_add(&trial->out.why, "By the median of all frames, with its 95 %% interval: %s.", list);
}

/* Widen the interval of each value by its noise. */
static void add_noise(struct table *table, const struct table *noise) {
    for (int m = 0; m < table->count; m++)
        for (int n = 0; noise && n < noise->count; n++)
            if (!strcmp(table->entries[m].each, noise->entries[n].each) &&
                !strcmp(table->entries[m].axis, noise->entries[n].axis)) {
                table->entries[m].measure.low -= noise->entries[n].measure.value;
                table->entries[m].measure.high += noise->entries[n].measure.value;
            }
}

bool claim_table(const struct claim *claim, const struct trace_list *traces, struct table *out) {
    const struct source from = source_of(claim);
    AUTO_FREE char *problem = traces->count ? table_make(&from, traces, 1, out) : text_copy("no runs");
    return !problem;
}

void claim_layout(const struct claim *claim, const struct trace_list *traces, struct table_layout *out) {
    const struct source from = source_of(claim);
    table_layout_make(&from, traces, out);
}

/* The outcome of a trial whose values cannot be computed. `problem`: the reason; NULL if there are no traces. */
static struct outcome outcome_without_values(const struct trial *trial, const char *problem) {
    struct outcome out = {.verdict = VERDICT_NOT_RUN, .distance = INFINITY};
    if (trial->has_texts) {
        out.measured = text_copy("");
        out.interval = text_copy("");
        out.why = problem ? text_format("%s.", problem) : text_copy("");
    }
    return out;
}

/* Add the measured value, its interval and the sentences of the reason to the outcome. */
static void add_texts(struct trial *trial, const struct trace_list *traces, double factor) {
    const struct source *from = &trial->claim->from;
    describe(trial);
    list_entries(trial);
    if (from->statistic == STATISTIC_LEE2022) {
        describe_protocol(trial, traces);
        list_medians(trial, traces, factor);
    }
    if (from->between_devices)
        list_baselines(trial, traces);
}

/* Complete the outcome of a trial. */
static struct outcome outcome_with(struct trial *trial, const struct trace_list *traces,
                                   const struct table_layout *layout, const struct table *noise, double factor) {
    const struct claim *claim = trial->claim;
    if (!traces->count)
        return outcome_without_values(trial, NULL);
    if (claim->from.same)
        return same_text(claim, traces);
    const struct source from = source_of(claim);
    AUTO_FREE char *problem = layout ? table_fill(&from, layout, traces, factor, &trial->values)
                                     : table_make(&from, traces, factor, &trial->values);
    if (problem)
        return outcome_without_values(trial, problem);
    trial->out = (struct outcome){.why = trial->has_texts ? text_copy("") : NULL};
    add_noise(&trial->values, noise);
    convert_to_percent(claim, &trial->values);
    trial->results = trial->values;
    trial->results.entries = memory_new((size_t)trial->values.count, sizeof *trial->results.entries);
    memcpy(trial->results.entries, trial->values.entries, (size_t)trial->values.count * sizeof *trial->values.entries);
    reduce_entries(&from, &trial->values, &trial->results);
    trial->out.verdict = judges[claim->kind](trial);
    if (trial->out.verdict == VERDICT_NOT_RUN)
        trial->out.distance = INFINITY;
    if (trial->has_texts)
        add_texts(trial, traces, factor);
    table_free(&trial->values);
    table_free(&trial->results);
    return trial->out;
}

struct outcome outcome_of(const struct claim *claim, const struct trace_list *traces, double factor) {
    struct trial trial = {.claim = claim, .has_texts = true};
    return outcome_with(&trial, traces, NULL, NULL, factor);
}

/* Whether a claim about a printed number selects a run that blew up. Such a run gives no measurement. */
static bool is_of_blown_up(const struct claim *claim, const struct trace_list *traces) {
    bool is_any = false;
    for (int r = 0; r < traces->count && (claim->kind == KIND_VALUE || claim->kind == KIND_RATIO); r++)
        is_any = is_any || !strcmp(trace_run_text(traces->items[r], "status"), "diverged");
    return is_any;
}

struct outcome outcome_in_member(const struct claim *claim, const struct trace_list *traces,
                                 const struct table_layout *layout, const struct table *noise) {
    struct trial trial = {.claim = claim};
    struct outcome outcome = outcome_with(&trial, traces, layout, noise, 1);
    if (is_of_blown_up(claim, traces)) {
        outcome.verdict = verdict_holds(outcome.verdict) ? VERDICT_DIFFERS : outcome.verdict;
        outcome.distance = INFINITY;
    }
    return outcome;
}

void outcome_free(struct outcome *outcome) {
    free(outcome->measured);
    free(outcome->interval);
    free(outcome->why);
    free(outcome->direction);
    *outcome = (struct outcome){0};
}
