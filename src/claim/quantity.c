#include "claim/quantity.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/words.h"
#include "claim/geometry.h"
#include "claim/quantity_list.h"
#include "claim/statistics.h"
#include "experiment/plan.h"
#include "experiment/units.h"
#include "experiment/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void trace_list_free(struct trace_list *list) {
    free(list->items);
    *list = (struct trace_list){NULL, 0};
}

/* ---- Texts and numbers ---- */

const char *trace_text(const struct trace_data *trace, const char *name) {
    const char *text = trace_parameter_text(trace, name);
    return text ? text : trace_run_note(trace, name);
}

bool source_is_whereabouts(const char *name) {
    return name && words_have("backend backend_kind device device_type threads", name, strlen(name));
}

static bool clauses_match(const struct trace_data *trace, const struct clauses *clauses, bool is_anywhere) {
    for (int i = 0; i < clauses->count; i++) {
        const struct clause *clause = &clauses->items[i];
        const char *text = trace_text(trace, clause->name);
        if (!(is_anywhere && source_is_whereabouts(clause->name)) && !(text && !strcmp(text, clause->value)))
            return false;
    }
    return true;
}

bool trace_matches(const struct trace_data *trace, const struct clauses *clauses) {
    return clauses_match(trace, clauses, false);
}

static bool is_reference(const struct source *from, const struct trace_data *trace, bool is_anywhere) {
    const struct clauses *reference = &from->reference;
    /* The clauses of `reference` that come from `select`. The clauses of `against` follow them. */
    const int selected = reference->count - from->against.count;
    bool names_method = false;
    for (int i = 0; i < from->against.count; i++)
        names_method = names_method || !strcmp(from->against.items[i].name, "method.name");
    bool matches = from->against.count > 0 && clauses_match(trace, &from->against, is_anywhere);
    for (int i = 0; i < selected && matches; i++) {
        const struct clauses one = {&reference->items[i], 1};
        const bool is_of_other = names_method && !trace_text(trace, one.items->name) &&
                                 !strncmp(one.items->name, "method.", strlen("method."));
        matches = is_of_other || clauses_match(trace, &one, is_anywhere);
    }
    return matches;
}

bool source_is_reference(const struct source *from, const struct trace_data *trace) {
    return is_reference(from, trace, false);
}

bool source_selects(const struct source *from, const struct trace_data *trace, bool is_anywhere) {
    return clauses_match(trace, &from->select, is_anywhere) || is_reference(from, trace, is_anywhere);
}

int text_numbers(const char *text, double numbers[3]) {
    int count = 0;
    for (const char *end; count < 3; count++, text = end + strspn(end, " ")) {
        end = number_read(text, &numbers[count]);
        if (!end || (*end && *end != ' '))
            break;
    }
    return count;
}

double text_size(const char *text) {
    double number[3];
    const int count = text_numbers(text, number);
    if (count == 3)
        return sqrt(number[0] * number[0] + number[1] * number[1] + number[2] * number[2]);
    return count == 2 ? number[0] * number[1] : count == 1 ? number[0] : (double)NAN;
}

struct number_text number_text(double number, const char *unit) {
    struct number_text out;
    const bool is_answer = !strcmp(unit, "yes or no"), is_pure = is_answer || !strcmp(unit, "1");
    if (!isfinite(number)) /* for example 0 / 0 */
        snprintf(out.text, sizeof out.text, "%s", isnan(number) ? "not a number" : "none");
    else if (is_answer && (number == 0 || number == 1))
        snprintf(out.text, sizeof out.text, "%s", number == 1 ? "blew up" : "stable");
    else {
        const bool is_whole = number == floor(number) && fabs(number) < 1e15;
        snprintf(out.text, sizeof out.text, is_whole ? "%.0f%s%.100s" : "%.10g%s%.100s",
                 (is_whole ? number : number_rounded(number, 4)) + 0.0, is_pure ? "" : " ", is_pure ? "" : unit);
    }
    return out;
}

const char *trace_name(const struct trace_data *trace) {
    const char *id = trace_run_note(trace, "id");
    return id ? id : trace->path;
}

/* ---- One trace ---- */

static struct measure exactly(double value) {
    return (struct measure){value, value, value, 0, 0};
}

struct measure trace_median(const struct trace_data *trace) {
    const int count = trace->frame_seconds ? trace->repeats * trace->timed_frames : 0;
    AUTO_FREE double *samples = memory_new((size_t)count, sizeof *samples);
    int finite = 0;
    for (int i = 0; i < count; i++) /* frames after a run blew up were not timed and are NaN */
        if (isfinite(trace->frame_seconds[i]))
            samples[finite++] = trace->frame_seconds[i];
    return median_of(samples, finite);
}

static bool measure_frame(const struct trace_data *trace, enum statistic statistic, struct measure *out) {
    if (trace->frame_seconds && statistic == STATISTIC_LEE2022) { /* this statistic has no interval */
        const struct protocol protocol = protocol_of(trace->frame_seconds, trace->repeats, trace->timed_frames);
        *out = exactly(1 / protocol.rate);
        return protocol.tests > 0;
    }
    *out = trace_median(trace);
    return out->samples > 0;
}

static bool measure_rate(const struct trace_data *trace, enum statistic statistic, struct measure *out) {
    struct measure frame;
    bool there = measure_frame(trace, statistic, &frame);
    *out = (struct measure){1 / frame.value, 1 / frame.high, 1 / frame.low, frame.samples, frame.outliers};
    return there;
}

static bool measure_step(const struct trace_data *trace, enum statistic statistic, struct measure *out) {
    const char *text = trace_run_note(trace, "steps_per_frame");
    double steps = text ? strtod(text, NULL) : 0;
    bool there = measure_frame(trace, statistic, out) && steps > 0;
    *out = (struct measure){out->value / steps, out->low / steps, out->high / steps, out->samples, out->outliers};
    return there;
}

static bool measure_diverged(const struct trace_data *trace, enum statistic statistic, struct measure *out) {
    (void)statistic;
    const char *status = trace_run_note(trace, "status");
    *out = exactly(status && !strcmp(status, "diverged"));
    return status != NULL;
}

const struct run_quantity run_quantities[] = {
    {"frame_seconds", "s", "the time of a frame: the median of the samples, or by lee2022's protocol", true,
     measure_frame},
    {"frames_per_second", "1/s", "1 / frame_seconds", true, measure_rate},
    {"step_seconds", "s", "frame_seconds / time.steps_per_frame", true, measure_step},
    {"diverged", "yes or no", "whether the run blew up", false, measure_diverged},
    {.name = NULL},
};

static const struct run_quantity *run_quantity_named(const char *name) {
    for (const struct run_quantity *kind = run_quantities; kind->name; kind++)
        if (!strcmp(kind->name, name))
            return kind;
    return NULL;
}

bool quantity_is_timing(const char *name) {
    const struct run_quantity *kind = run_quantity_named(name);
    return kind && kind->is_timing;
}

char *series_reduce(const struct source *from, const double *times, const double *values, int count,
                    struct measure *out) {
    if (count < 1 || (!from->over_frames && !from->is_at_time && !(from->decay > 0)))
        return text_format("%s is a series; add over_frames to reduce it to one number: %s, {at: 0.5 s} or "
                           "{decay: 0.368}",
                           from->quantity, reducer_names(true));
    for (int f = 0; f < count && from->decay > 0; f++)
        if (values[f] < 0)
            return text_format("%s is %.4g at %.6g s; decay needs values that are never negative", from->quantity,
                               values[f], times[f]);
    int nearest = 0;
    for (int f = 1; f < count && from->is_at_time; f++)
        if (fabs(times[f] - from->at_time) < fabs(times[nearest] - from->at_time))
            nearest = f;
    /* A frame's time is a multiple of the time step. Because of rounding, the time of the last frame may be slightly
     * less than the decimal number in the claim. */
    if (from->is_at_time && from->at_time > times[count - 1] * (1 + 1e-9))
        return text_format("the record of %s ends at %.6g s, before %.6g s, the time in over_frames", from->quantity,
                           times[count - 1], from->at_time);
    *out = exactly(from->decay > 0     ? decay_time(times, values, count, from->decay)
                   : from->over_frames ? from->over_frames->of(values, count)
                                       : values[nearest]);
    return NULL;
}

const double *trace_series(const struct trace_data *trace, const char *name) {
    for (int s = 0; s < trace->series_count; s++)
        if (!strcmp(trace->series[s].name, name))
            return trace->values[s];
    return NULL;
}

/* Koenig's theorem: with the momentum P and the mass M, the kinetic energy is |P|^2 / (2 M) + M v^2 / 2. The function
 * returns v. In a free fall without deformation and rotation, v is 0. */
double *inner_speed_of(const struct trace_data *trace) {
    const double *energy = trace_series(trace, "kinetic_energy"), *x = trace_series(trace, "momentum_x"),
                 *y = trace_series(trace, "momentum_y"), *z = trace_series(trace, "momentum_z");
    const char *nodes = trace_run_note(trace, "nodes"), *each = trace_parameter_text(trace, "body.node_mass");
    const double mass = nodes && each ? strtod(nodes, NULL) * strtod(each, NULL) : 0;
    if (!energy || !x || !y || !z || !(mass > 0))
        return NULL;
    double *values = memory_new((size_t)trace->frames + 1, sizeof *values);
    for (int f = 0; f < trace->frames; f++) {
        const double inner = 2 * energy[f] / mass - (x[f] * x[f] + y[f] * y[f] + z[f] * z[f]) / (mass * mass);
        values[f] = inner < 0 ? 0 : sqrt(inner); /* `inner` is negative only because of rounding */
    }
    return values;
}

static char *measure_inner_speed(const struct source *from, const struct trace_data *trace, const char *id,
                                 struct measure *out) {
    AUTO_FREE double *values = inner_speed_of(trace);
    return values ? series_reduce(from, trace->frame_time, values, trace->frames, out)
                  : text_format("the run %s has no %s, which needs its kinetic energy, momentum and mass", id,
                                inner_speed);
}

/* The partner of each run of a list: NULL for runs without a partner and for reference runs. */
struct pairs {
    const struct trace_list *traces;
    const struct trace_data **partner;
};

/* Whether some compared run and some reference run have the same value of a parameter. */
static bool is_shared(const struct trace_list *traces, const bool *is_reference_of, const char *path) {
    for (int a = 0; a < traces->count; a++) {
        const char *x = is_reference_of[a] ? NULL : trace_parameter_text(traces->items[a], path);
        for (int b = 0; b < traces->count && x; b++) {
            const char *y = is_reference_of[b] ? trace_parameter_text(traces->items[b], path) : NULL;
            if (y && !strcmp(x, y))
                return true;
        }
    }
    return false;
}

/* The parameters in which a run and its partner must be equal (quantity.h). */
static struct words shared_paths(const struct source *from, const struct trace_list *traces,
                                 const bool *is_reference_of) {
    struct words paths = {NULL, 0};
    for (int t = 0; t < traces->count; t++)
        for (int p = 0; is_reference_of[t] && p < traces->items[t]->parameter_count; p++) {
            const char *path = traces->items[t]->parameters[p].path;
            bool is_given = false;
            for (int k = 0; k < from->against.count; k++)
                is_given = is_given || !strcmp(from->against.items[k].name, path);
            if (!is_given && is_shared(traces, is_reference_of, path))
                words_add_new(&paths, path);
        }
    return paths;
}

/* Whether two runs have the same values of the parameters in `paths`. A parameter is ignored if one run lacks it. */
static bool are_like(const struct trace_data *a, const struct trace_data *b, const struct words *paths) {
    for (int k = 0; k < paths->count; k++) {
        const char *x = trace_parameter_text(a, paths->words[k]), *y = trace_parameter_text(b, paths->words[k]);
        if (x && y && strcmp(x, y) != 0)
            return false;
    }
    return true;
}

static char *pairs_make(const struct source *from, const struct trace_list *traces, struct pairs *out) {
    AUTO_FREE bool *is_reference_of = memory_new((size_t)traces->count + 1, sizeof *is_reference_of);
    *out = (struct pairs){traces, memory_new((size_t)traces->count + 1, sizeof(const struct trace_data *))};
    for (int t = 0; t < traces->count; t++)
        is_reference_of[t] = source_is_reference(from, traces->items[t]);
    AUTO(words_free) struct words paths = shared_paths(from, traces, is_reference_of);
    char *problem = NULL;
    for (int t = 0; t < traces->count; t++)
        for (int r = 0; r < traces->count && !is_reference_of[t] && !problem; r++) {
            if (!is_reference_of[r] || !are_like(traces->items[t], traces->items[r], &paths))
                continue;
            if (out->partner[t])
                problem = text_format("the run %s could be compared with %s and with %s; `against` must select one of "
                                      "them",
                                      trace_name(traces->items[t]), trace_name(out->partner[t]),
                                      trace_name(traces->items[r]));
            out->partner[t] = traces->items[r];
        }
    return problem;
}

/* The partner of a trace; NULL if it has none or `pairs` is NULL. */
static const struct trace_data *partner_of(const struct pairs *pairs, const struct trace_data *trace) {
    for (int t = 0; pairs && t < pairs->traces->count; t++)
        if (pairs->traces->items[t] == trace)
            return pairs->partner[t];
    return NULL;
}

/* Measure a quantity of the recorded geometry. A quantity of two runs uses only the frames that both runs have. */
static char *measure_geometry(const struct source *from, const struct pairs *pairs, const struct trace_data *trace,
                              const struct geometry_kind *kind, struct measure *out) {
    const struct trace_data *partner = kind->is_pair ? partner_of(pairs, trace) : NULL;
    AUTO(geometry_free) struct geometry geometry = {.frames = 0};
    if (!geometry_is_known(kind))
        return text_format("%s needs GSL, and this program was built without GSL; build it with SPRINGBACK_SWEEP=ON",
                           kind->name);
    if (kind->is_pair && !partner)
        return text_format("%s compares the run %s with another run; select the other run with `against`", kind->name,
                           trace_name(trace));
    char *problem = geometry_measure(trace, partner, &geometry);
    if (problem)
        return problem;
    const double *values = geometry.values[kind - geometry_kinds];
    AUTO_FREE double *times = memory_new((size_t)geometry.frames, sizeof *times),
                     *measured = memory_new((size_t)geometry.frames, sizeof *measured);
    int count = 0;
    for (int k = 0; k < geometry.frames; k++)
        if (!kind->is_pair || geometry.paired[k]) {
            times[count] = trace->mesh_time[k];
            measured[count++] = values[k];
        }
    return series_reduce(from, times, measured, count, out);
}

char *reduction_name(const struct source *from, const struct trace_data *partner) {
    char *name = from->is_at_time    ? text_format("at %.6g s", from->at_time)
                 : from->decay > 0   ? text_format("decay %.6g", from->decay)
                 : from->over_frames ? text_copy(from->over_frames->name)
                                     : text_copy("none");
    if (partner)
        text_append(&name, " against %.*s", run_id_length(trace_name(partner)), trace_name(partner));
    return name;
}

/* Read a quantity of a sweep's run from the table of the sweep. *is_there: whether the table has the quantity with any
 * reduction, or the quantity is a quantity of the recorded geometry. Returns NULL or an error message, newly
 * allocated. */
static char *measure_reduced(const struct source *from, const struct pairs *pairs, const struct trace_data *trace,
                             bool *is_there, struct measure *out, const char **unit) {
    const struct geometry_kind *kind = geometry_kind_named(from->quantity);
    AUTO_FREE char *name = reduction_name(from, kind && kind->is_pair ? partner_of(pairs, trace) : NULL);
    *is_there = kind != NULL;
    for (int r = 0; r < trace->reduction_count; r++) {
        const struct trace_reduction *reduction = &trace->reductions[r];
        if (strcmp(reduction->quantity, from->quantity) != 0)
            continue;
        *is_there = true;
        if (strcmp(reduction->reduction, name) != 0)
            continue;
        *unit = reduction->unit;
        *out = exactly((double)trace->reduced[r]);
        return NULL;
    }
    return *is_there ? text_format("the sweep's table does not have %s of %s", name, from->quantity) : NULL;
}

/* Measure the quantity of a source in one trace. Returns NULL or an error message, newly allocated. */
static char *measure(const struct source *from, const struct pairs *pairs, const struct trace_data *trace,
                     struct measure *out, const char **unit) {
    const char *id = trace_name(trace), *name = from->quantity;
    const struct run_quantity *own = run_quantity_named(name);
    if (own) {
        *unit = own->unit;
        return own->measure(trace, from->statistic, out) ? NULL : text_format("the run %s has no %s", id, name);
    }
    if (trace->reduced) {
        bool is_there;
        char *problem = measure_reduced(from, pairs, trace, &is_there, out, unit);
        if (is_there)
            return problem;
    }
    for (int s = 0; s < trace->series_count; s++)
        if (!strcmp(trace->series[s].name, name)) {
            *unit = from->decay > 0 ? "s" : trace->series[s].unit;
            return series_reduce(from, trace->frame_time, trace->values[s], trace->frames, out);
        }
    if (!strcmp(name, inner_speed)) {
        *unit = "m/s";
        return measure_inner_speed(from, trace, id, out);
    }
    const struct geometry_kind *kind = geometry_kind_named(name);
    if (kind) {
        *unit = from->decay > 0 ? "s" : kind->unit;
        return measure_geometry(from, pairs, trace, kind, out);
    }
    const char *text = trace_text(trace, name);
    double number = text ? text_size(text) : (double)NAN;
    if (isnan(number)) {
        AUTO_FREE char *methods = quantity_methods(name);
        return text_format("the run %s has no quantity %s%s%s", id, name,
                           *methods ? ", which these methods record: " : "", methods);
    }
    const struct trace_parameter *parameter = trace_parameter_at(trace, name);
    *unit = parameter ? parameter->unit : "1";
    *out = exactly(number);
    return NULL;
}

char *partners_find(const struct source *from, const struct trace_list *traces, int *partner) {
    struct pairs pairs;
    char *problem = pairs_make(from, traces, &pairs);
    for (int t = 0; t < traces->count; t++) {
        partner[t] = -1;
        for (int r = 0; r < traces->count && !problem; r++)
            partner[t] = pairs.partner[t] == traces->items[r] ? r : partner[t];
    }
    free(pairs.partner);
    return problem;
}

/* ---- Several traces ---- */

static struct measure reduce(const struct measure *measures, int count, const struct reducer *reducer) {
    struct measure out = exactly(reducer->none);
    AUTO_FREE double *values = memory_new((size_t)count * 3, sizeof *values);
    for (int i = 0; i < count; i++) {
        values[i] = measures[i].value;
        values[count + i] = measures[i].low;
        values[2 * count + i] = measures[i].high;
        out.samples += measures[i].samples;
        out.outliers += measures[i].outliers;
    }
    if (count > 0) {
        out.value = reducer->of(values, count);
        out.low = reducer->of(values + count, count);
        out.high = reducer->of(values + (size_t)2 * (size_t)count, count);
    }
    return out;
}

/* Reduce several runs to one number by the k-th and later entries of `over`. If the k-th entry is a path, runs with the
 * same value of this path form a part. Each part is reduced by the later entries, and the numbers of the parts by the
 * k-th entry. If the k-th entry is `runs`, it reduces the numbers of all runs. If there is no k-th entry, the quantity
 * must have the same value in all runs. Returns NULL or an error message, newly allocated. */
static char *reduce_runs(const struct source *from, const struct pairs *pairs, int k, const struct trace_data **traces,
                         int count, struct measure *out, const char **unit) {
    AUTO_FREE struct measure *parts = memory_new((size_t)count + 1, sizeof *parts);
    const char *path = k < from->over_count ? from->over[k].path : NULL;
    bool by_path = path && strcmp(path, "runs") != 0;
    int part_count = 0;
    char *problem = NULL;
    if (by_path) {
        AUTO_FREE const struct trace_data **part = memory_new((size_t)count, sizeof(const struct trace_data *));
        AUTO_FREE bool *is_assigned = memory_new((size_t)count, sizeof *is_assigned);
        for (int i = 0; i < count && !problem; i++) {
            const char *value = trace_text(traces[i], path);
            int size = 0;
            if (!value)
                problem = text_format("`over` names %s, but a run has no such parameter or note", path);
            for (int j = i; j < count && value; j++) {
                const char *other = trace_text(traces[j], path);
                if (!is_assigned[j] && other && !strcmp(value, other)) {
                    is_assigned[j] = true;
                    part[size++] = traces[j];
                }
            }
            if (size && !problem)
                problem = reduce_runs(from, pairs, k + 1, part, size, &parts[part_count++], unit);
        }
    } else {
        for (int i = 0; i < count && !problem; i++)
            problem = measure(from, pairs, traces[i], &parts[part_count++], unit);
    }
    if (!problem && path) {
        *out = reduce(parts, part_count, from->over[k].reducer);
        if (!count && isnan(out->value))
            problem = text_format("no selected run has the values that `only` lists, so there is no %s",
                                  from->over[k].reducer->name);
    } else if (!problem) {
        *out = count ? parts[0] : exactly(NAN);
        if (!count)
            problem = text_copy("no selected run has the values that `only` lists");
        for (int i = 1; i < part_count && !problem; i++)
            if (parts[i].value != out->value && !(isnan(parts[i].value) && isnan(out->value)))
                problem =
                    text_format("%d runs have different values (%.6g, %.6g); select one of them, or reduce them with "
                                "`over`",
                                count, out->value, parts[i].value);
    }
    return problem;
}

/* Read the number of a clause of `only`, in the quantity's unit. Returns NULL or an error message, newly allocated. */
static char *wanted_number(const struct clause *clause, const char *unit, double *number) {
    const char *end = number_read(clause->value, number);
    if (!end)
        return text_format("only: %s is \"%.60s\"; write yes, no or a number", clause->name, clause->value);
    const struct failure_mark mark = failure_mark();
    const bool is_bad =
        *end && unit_read(clause->place, clause->name, clause->value, strcmp(unit, "yes or no") ? unit : "1", number);
    return is_bad ? failure_take(mark) : NULL;
}

/* Find whether a trace has the values of `only`. Returns NULL or an error message, newly allocated. */
static char *passes(const struct trace_data *trace, const struct clauses *only, bool *pass) {
    *pass = true;
    for (int i = 0; i < only->count; i++) {
        struct measure value = exactly(NAN);
        const char *unit = "1", *wanted = only->items[i].value, *text = trace_text(trace, only->items[i].name);
        if (text) {
            *pass = *pass && !strcmp(text, wanted);
            continue;
        }
        const struct source from = {.quantity = only->items[i].name};
        char *problem = measure(&from, NULL, trace, &value, &unit);
        if (problem)
            return problem;
        double number = strcmp(wanted, "yes") == 0;
        if (!number && strcmp(wanted, "no") != 0 && (problem = wanted_number(&only->items[i], unit, &number)))
            return problem;
        *pass = *pass && value.value == number;
    }
    return NULL;
}

static int by_place(const void *a, const void *b) {
    const struct table_entry *x = a, *y = b;
    return x->group != y->group ? (x->group > y->group) - (x->group < y->group)
                                : (x->place > y->place) - (x->place < y->place);
}

/* Assign each trace that matches `clauses` to an entry of *out. Reference runs, and runs without a partner, have no
 * entry. `clauses`: the numerator or the denominator of a ratio, otherwise empty. Returns NULL or an error message,
 * newly allocated. */
static char *assign(const struct source *from, const struct clauses *clauses, const struct trace_list *traces,
                    struct table_part *out) {
    const char *axis_path = from->along ? from->along : from->compare;
    for (int t = 0; t < traces->count; t++) {
        const struct trace_data *trace = traces->items[t];
        out->entry_of[t] = -1;
        if (!trace_matches(trace, clauses) || source_is_reference(from, trace))
            continue;
        if (out->partner && out->partner[t] < 0) {
            out->unpaired++;
            continue;
        }
        const char *each = from->each ? trace_text(trace, from->each) : "";
        const char *axis = axis_path ? trace_text(trace, axis_path) : "";
        double place = from->along && axis ? text_size(axis) : 0;
        if (!each || !axis || isnan(place))
            return text_format("a run has no %s%s", !each ? from->each : axis_path,
                               axis && each ? " that is a number" : "");
        int group = out->groups, entry = out->count;
        for (int m = 0; m < out->count; m++)
            if (!strcmp(out->entries[m].each, each)) {
                group = out->entries[m].group;
                if (!strcmp(out->entries[m].axis, axis))
                    entry = m;
            }
        out->groups = group == out->groups ? group + 1 : out->groups;
        if (entry == out->count)
            out->entries[out->count++] = (struct table_entry){each, axis, group, place, exactly(NAN)};
        out->entry_of[t] = entry;
    }
    return NULL;
}

static void make_part(const struct source *from, const struct clauses *clauses, const struct trace_list *traces,
                      struct table_part *out) {
    const size_t count = (size_t)traces->count;
    *out = (struct table_part){.entries = memory_new(count, sizeof *out->entries),
                               .entry_of = memory_new(count, sizeof *out->entry_of)};
    if (from->against.count) {
        out->partner = memory_new(count, sizeof *out->partner);
        out->problem = partners_find(from, traces, out->partner);
    }
    if (!out->problem)
        out->problem = assign(from, clauses, traces, out);
}

static void free_part(struct table_part *part) {
    free(part->entries);
    free(part->entry_of);
    free(part->partner);
    free(part->problem);
    *part = (struct table_part){.count = 0};
}

void table_layout_make(const struct source *from, const struct trace_list *traces, struct table_layout *out) {
    *out = (struct table_layout){.above = {.count = 0}};
    make_part(from, &from->numerator, traces, &out->above);
    if (from->denominator.count > 0)
        make_part(from, &from->denominator, traces, &out->below);
}

void table_layout_free(struct table_layout *layout) {
    free_part(&layout->above);
    free_part(&layout->below);
}

/* Measure the entries of `part`, and make a table of them. Returns NULL or an error message, newly allocated. */
static char *fill_part(const struct source *from, const struct table_part *part, const struct trace_list *traces,
                       struct table *out) {
    AUTO_FREE const struct trace_data **mine = memory_new((size_t)traces->count, sizeof(const struct trace_data *)),
                                      **partner = memory_new((size_t)traces->count, sizeof(const struct trace_data *));
    const struct pairs pairs = {traces, partner}, *paired = part->partner ? &pairs : NULL;
    const char *unit = "1";
    char *problem = part->problem ? text_copy(part->problem) : NULL;
    *out = (struct table){.entries = memory_new((size_t)traces->count, sizeof *out->entries),
                          .count = part->count,
                          .groups = part->groups,
                          .unpaired = part->unpaired};
    memcpy(out->entries, part->entries, (size_t)part->count * sizeof *out->entries);
    for (int t = 0; t < traces->count && paired; t++)
        partner[t] = part->partner[t] < 0 ? NULL : traces->items[part->partner[t]];
    for (int m = 0; m < out->count && !problem; m++) {
        int count = 0;
        for (int t = 0; t < traces->count && !problem; t++) {
            bool pass = false;
            if (part->entry_of[t] == m)
                problem = passes(traces->items[t], &from->only, &pass);
            if (pass && !problem)
                mine[count++] = traces->items[t];
        }
        if (!problem)
            problem = reduce_runs(from, paired, 0, mine, count, &out->entries[m].measure, &unit);
    }
    if (!problem && !out->count)
        problem = text_copy(out->unpaired ? "no selected run has a reference run to be compared with"
                                          : "no run matches what the claim selects");
    if (!problem)
        qsort(out->entries, (size_t)out->count, sizeof *out->entries, by_place);
    strncpy(out->unit, unit, sizeof out->unit - 1);
    return problem;
}

/* Divide each entry of a table by the entry of another table with the same `each` and axis value. An entry that the
 * other table lacks is left out. */
static void divide(struct table *above, const struct table *below) {
    int count = 0;
    for (int a = 0; a < above->count; a++)
        for (int b = 0; b < below->count; b++) {
            struct table_entry entry = above->entries[a];
            const struct measure *x = &entry.measure, *y = &below->entries[b].measure;
            if (strcmp(entry.each, below->entries[b].each) != 0 || strcmp(entry.axis, below->entries[b].axis) != 0)
                continue;
            entry.measure = (struct measure){x->value / y->value, x->low / y->high, x->high / y->low,
                                             x->samples + y->samples, x->outliers + y->outliers};
            above->entries[count++] = entry;
            break;
        }
    above->unpaired += above->count - count;
    above->count = count;
    strcpy(above->unit, "1");
}

char *table_fill(const struct source *from, const struct table_layout *layout, const struct trace_list *traces,
                 double factor, struct table *out) {
    const bool is_ratio = from->denominator.count > 0;
    AUTO(table_free) struct table below = {.count = 0};
    char *problem = fill_part(from, &layout->above, traces, out);
    if (!problem && is_ratio)
        problem = fill_part(from, &layout->below, traces, &below);
    if (!problem && is_ratio)
        divide(out, &below);
    if (!problem && !out->count)
        problem = text_copy(
            "no run of the numerator has the same values of `each`, `along` and `compare` as a run of the denominator");
    if (problem)
        table_free(out);
    table_scale(out, factor);
    return problem;
}

char *table_make(const struct source *from, const struct trace_list *traces, double factor, struct table *out) {
    AUTO(table_layout_free) struct table_layout layout;
    table_layout_make(from, traces, &layout);
    return table_fill(from, &layout, traces, factor, out);
}

void table_scale(struct table *table, double factor) {
    for (int m = 0; m < table->count; m++) {
        table->entries[m].measure.value *= factor;
        table->entries[m].measure.low *= factor;
        table->entries[m].measure.high *= factor;
    }
}

void table_free(struct table *table) {
    free(table->entries);
    *table = (struct table){0};
}

struct measure table_reduce(const struct table *table, const struct reducer *reducer) {
    AUTO_FREE struct measure *measures = memory_new((size_t)table->count, sizeof *measures);
    for (int m = 0; m < table->count; m++)
        measures[m] = table->entries[m].measure;
    return reduce(measures, table->count, reducer);
}
