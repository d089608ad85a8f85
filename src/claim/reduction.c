#include "claim/reduction.h"

#include "base/memory.h"
#include "base/number.h"
#include "claim/geometry.h"
#include "claim/quantity.h"
#include "claim/quantity_list.h"
#include "claim/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const kept[] = {"min", "max", "mean", "last"};
static const char against[] = " against ";

/* ---- Columns ---- */

static void add_column(struct sweep_table *table, const char *quantity, const char *reduction, const char *unit) {
    for (int c = 0; c < table->column_count; ++c)
        if (!strcmp(table->columns[c].quantity, quantity) && !strcmp(table->columns[c].reduction, reduction))
            return;
    *ARRAY_ADD(table->columns, table->column_count) =
        (struct trace_reduction){pool_add(&table->pool, text_copy(quantity)),
                                 pool_add(&table->pool, text_copy(reduction)), pool_add(&table->pool, text_copy(unit))};
}

static void add_kept(struct sweep_table *table, const char *quantity, const char *unit) {
    for (size_t k = 0; k < sizeof kept / sizeof *kept; ++k)
        add_column(table, quantity, kept[k], unit);
}

static void add_all(struct sweep_table *table, const struct trace_data *trace) {
    for (int s = 0; s < trace->series_count; ++s)
        /* The six series of momenta are stored only if a claim needs them. */
        if (!strstr(trace->series[s].name, "momentum"))
            add_kept(table, trace->series[s].name, trace->series[s].unit);
    AUTO_FREE double *inner = inner_speed_of(trace);
    if (inner)
        add_kept(table, inner_speed, "m/s");
    for (int q = 0; q < GEOMETRY_QUANTITIES && trace->mesh_frames; ++q)
        if (!geometry_kinds[q].is_pair && geometry_is_known(&geometry_kinds[q]))
            add_kept(table, geometry_kinds[q].name, geometry_kinds[q].unit);
}

/* The unit of a quantity that is a series, a column of the table or a quantity of the recorded geometry; NULL for other
 * names. */
static const char *unit_of(const struct sweep_table *table, const struct trace_data *trace, const char *quantity) {
    for (int s = 0; s < trace->series_count; ++s)
        if (!strcmp(trace->series[s].name, quantity))
            return trace->series[s].unit;
    for (int c = 0; c < table->column_count; ++c)
        if (!strcmp(table->columns[c].quantity, quantity))
            return table->columns[c].unit;
    const struct geometry_kind *kind = geometry_kind_named(quantity);
    return kind ? kind->unit : NULL;
}

/* Add the columns that a claim needs. `chosen`: the traces of a member, but with the chosen values as parameters,
 * because claims select runs by the chosen values. */
static int add_claimed(const struct source *from, struct place place, const struct trace_data *chosen,
                       struct sweep_table *table) {
    const char *unit = from->quantity ? unit_of(table, &chosen[0], from->quantity) : NULL;
    const struct geometry_kind *kind = from->quantity ? geometry_kind_named(from->quantity) : NULL;
    if (!unit)
        return STATUS_OK; /* the quantity is a note, a parameter or one of run_quantities, or a series that these runs
                             do not have */
    if (!kind || !kind->is_pair) {
        AUTO_FREE char *name = reduction_name(from, NULL);
        add_column(table, from->quantity, name, from->decay > 0 ? "s" : unit);
        return STATUS_OK;
    }
    const size_t runs = (size_t)table->run_count;
    AUTO_FREE const struct trace_data **items = memory_new(runs, sizeof(const struct trace_data *));
    AUTO_FREE int *partner = memory_new(runs, sizeof *partner);
    struct trace_list list = {items, 0};
    for (size_t r = 0; r < runs; ++r)
        if (source_selects(from, &chosen[r], false))
            items[list.count++] = &chosen[r];
    AUTO_FREE char *problem = partners_find(from, &list, partner);
    if (problem)
        return fail_at(place, "%s", problem);
    for (int t = 0; t < list.count; ++t)
        if (partner[t] >= 0) {
            AUTO_FREE char *name = reduction_name(from, items[partner[t]]);
            add_column(table, from->quantity, name, from->decay > 0 ? "s" : unit);
        }
    return STATUS_OK;
}

int reduction_columns(const struct claim_file *claims, const struct trace_data *traces, struct sweep_table *table) {
    AUTO_FREE struct trace_data *chosen = memory_new((size_t)table->run_count, sizeof *chosen);
    int status = STATUS_OK;
    for (int r = 0; r < table->run_count; ++r) {
        chosen[r] = traces[r];
        chosen[r].parameters = table->runs[r].parameters;
        chosen[r].parameter_count = table->runs[r].parameter_count;
        add_all(table, &traces[r]);
    }
    for (int c = 0; c < claims->count; ++c) {
        const struct claim *claim = &claims->claims[c];
        if (strcmp(claim_experiment(claim), table->experiment) != 0 || claim->from.same)
            continue;
        for (int k = -1; k < claim->reading_count; ++k)
            if (add_claimed(k < 0 ? &claim->from : &claim->readings[k].from, claim_place(claim, "from"), chosen, table))
                status = STATUS_BAD;
    }
    for (int c = 0; c < claims->admissible_count; ++c) {
        const struct claim *condition = &claims->admissible[c];
        if (!strcmp(condition->from.experiment, table->experiment) &&
            add_claimed(&condition->from, claim_place(condition, "from"), chosen, table))
            status = STATUS_BAD;
    }
    return status;
}

/* ---- Numbers ---- */

/* Set the reduction of a source from the name of a column's reduction. Returns false if the name is unknown. */
static bool source_of(const struct trace_reduction *column, struct source *out) {
    AUTO_FREE char *word =
        text_format("%.*s",
                    (int)(strstr(column->reduction, against) ? strstr(column->reduction, against) - column->reduction
                                                             : (long)strlen(column->reduction)),
                    column->reduction);
    double number;
    *out = (struct source){.quantity = column->quantity, .over_frames = reducer_named(word)};
    if (!strncmp(word, "at ", 3) && number_read(word + 3, &number)) {
        out->is_at_time = true;
        out->at_time = number;
    } else if (!strncmp(word, "decay ", 6) && number_read(word + 6, &number)) {
        out->decay = number;
    }
    return out->over_frames || out->is_at_time || out->decay > 0;
}

/* The series of a run from which columns are computed. `geometry` and `inner` (inner_speed) are computed when they are
 * first needed. `partner`: the reference run for quantities of two runs, or NULL. */
struct run_series {
    const struct trace_data *trace, *partner;
    struct geometry geometry;
    double *inner, *mesh_values, *mesh_times;
    bool has_geometry, is_tried; /* has_geometry: `geometry` was computed; is_tried: geometry_measure was called */
};

static void series_free(struct run_series *series) {
    geometry_free(&series->geometry);
    free(series->inner);
    free(series->mesh_values);
    free(series->mesh_times);
}

/* Compute a series over the recorded geometry. Returns its number of frames. 0: there is no recorded geometry, or the
 * two runs cannot be compared. -1, after a message: the geometry of a single run cannot be measured. */
static int geometry_series(struct run_series *series, const struct geometry_kind *kind) {
    const struct trace_data *trace = series->trace;
    if (!series->is_tried && trace->mesh_frames) {
        series->is_tried = true;
        AUTO_FREE char *problem = geometry_measure(trace, series->partner, &series->geometry);
        if (problem && !series->partner)
            return fail("%s", problem), -1;
        series->has_geometry = !problem;
        series->mesh_values = memory_new((size_t)trace->mesh_frames, sizeof *series->mesh_values);
        series->mesh_times = memory_new((size_t)trace->mesh_frames, sizeof *series->mesh_times);
    }
    int count = 0;
    for (int k = 0; series->has_geometry && k < series->geometry.frames; ++k)
        if (!kind->is_pair || series->geometry.paired[k]) {
            series->mesh_times[count] = trace->mesh_time[k];
            series->mesh_values[count++] = series->geometry.values[kind - geometry_kinds][k];
        }
    return count;
}

/* Compute the number of a column for a run; NaN if the run does not have the quantity, or if its series cannot be
 * reduced. */
static int number_of(struct run_series *series, const struct trace_reduction *column, double *out) {
    const struct trace_data *trace = series->trace;
    const struct geometry_kind *kind = geometry_kind_named(column->quantity);
    const double *values = NULL, *times = trace->frame_time;
    struct source from;
    struct measure measure;
    int count = trace->frames;
    *out = (double)NAN;
    for (int s = 0; s < trace->series_count; ++s)
        values = strcmp(trace->series[s].name, column->quantity) ? values : trace->values[s];
    if (!strcmp(column->quantity, inner_speed))
        values = series->inner = series->inner ? series->inner : inner_speed_of(trace);
    else if (kind && (count = geometry_series(series, kind)) < 0)
        return STATUS_BAD;
    if (kind) {
        values = series->mesh_values;
        times = series->mesh_times;
    }
    if (!values || !count || !source_of(column, &from))
        return STATUS_OK;
    AUTO_FREE char *problem = series_reduce(&from, times, values, count, &measure);
    *out = problem ? (double)NAN : measure.value;
    return STATUS_OK;
}

/* The index of the run whose id without its backend is `id`, or -1. */
static int run_of(const struct sweep_table *table, const char *id) {
    for (int r = 0; r < table->run_count; ++r)
        if (strlen(id) == (size_t)run_id_length(table->runs[r].id) && !strncmp(table->runs[r].id, id, strlen(id)))
            return r;
    return -1;
}

int reduction_numbers(const struct sweep_table *table, const struct trace_data *traces, float *numbers) {
    int status = STATUS_OK;
    for (int r = 0; r < table->run_count && !status; ++r) {
        struct run_series alone = {.trace = &traces[r]}, pair = {.partner = NULL};
        int paired = -1;
        for (int c = 0; c < table->column_count && !status; ++c) {
            const struct trace_reduction *column = &table->columns[c];
            const char *with = strstr(column->reduction, against);
            const int partner = with ? run_of(table, with + strlen(against)) : -1;
            double number = (double)NAN;
            if (partner >= 0 && partner != paired) {
                series_free(&pair);
                pair = (struct run_series){.trace = &traces[r], .partner = &traces[partner]};
                paired = partner;
            }
            if (!with || (partner >= 0 && partner != r))
                status = number_of(with ? &pair : &alone, column, &number);
            numbers[r * table->column_count + c] = (float)number;
        }
        series_free(&alone);
        series_free(&pair);
    }
    return status;
}
