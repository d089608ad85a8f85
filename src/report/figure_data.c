#include "report/figure_data.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/words.h"
#include "claim/quantity.h"
#include "claim/quantity_list.h"
#include "claim/statistics.h"
#include "run/manifest.h"
#include "run/provenance.h"
#include "trace/export.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Texts ---- */

/* The text is written between double quotes. A character with a special meaning becomes an octal escape of four digits,
 * because gnuplot reads up to four digits if the first digit is 0. A text in single quotes would need no escapes, but
 * gnuplot 5.4 reads a doubled quote at the beginning of a text as an empty text. */
void gnuplot_write_text(const char *text, FILE *out) {
    fputc('"', out);
    for (const char *c = text; *c; ++c)
        if (iscntrl((unsigned char)*c))
            fputc(' ', out);
        else if (isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80 || strchr(" .,:=+/_()-", *c))
            fputc(*c, out);
        else
            fprintf(out, "\\0%03o", (unsigned)*c);
    fputc('"', out);
}

void gnuplot_write_cell(const char *text, FILE *out) {
    for (const char *c = text && *text ? text : "-"; *c; ++c)
        fputc((unsigned char)*c < ' ' ? ' ' : *c == '"' ? '\'' : *c, out);
}

/* ---- Tables ---- */

static void write_cell(FILE *file, const char *text) {
    fputc('\t', file);
    gnuplot_write_cell(text, file);
}

static void write_timing(FILE *file, const struct trace_data *trace) {
    const struct measure m = trace_median(trace);
    const char *steps = trace_run_note(trace, "steps_per_frame");
    fprintf(file, "\t%.9g\t%.9g\t%.9g\t%d\t%.9g\t%.9g\t%.9g\t%.9g", m.value, m.low, m.high, m.samples, 1 / m.value,
            1 / m.high, 1 / m.low, m.value / (steps ? strtod(steps, NULL) : (double)NAN));
    struct protocol protocol = {.rate = NAN};
    if (trace->frame_seconds)
        protocol = protocol_of(trace->frame_seconds, trace->repeats, trace->timed_frames);
    if (!protocol.tests) {
        fputs("\tnan\t-", file);
        return;
    }
    fprintf(file, "\t%.9g\t", protocol.rate);
    for (int s = 0; s < PROTOCOL_SAMPLES; ++s)
        fprintf(file, "%s%.9g", s ? " " : "", protocol.samples[s]);
}

/* Begin to write a file in the output folder. */
static int draft_begin(const char *out, const char *name, struct file_draft *draft) {
    AUTO_FREE char *path = text_format("%s/%s", out, name);
    return file_draft_begin(path, draft);
}

/* Write the indices of the frames with geometry, separated by spaces. */
static void write_geometry(FILE *file, const struct trace_data *trace) {
    fputc('\t', file);
    for (int k = 0; k < trace->mesh_frames; ++k)
        fprintf(file, "%s%lld", k ? " " : "", (long long)trace->frame_index[trace->mesh_frame[k]]);
    fputs(trace->mesh_frames ? "" : "-", file);
}

/* The reductions of a series that summary.tsv has as columns. */
static const char *const summarised[] = {"min", "max", "last", "mean"};

enum { SUMMARISED = sizeof summarised / sizeof *summarised };

static void write_headings(FILE *file, const char *name) {
    for (int r = 0; r < SUMMARISED; ++r)
        fprintf(file, "\t%s_%s", name, summarised[r]);
}

/* Write the reductions of a series, one cell each; "nan" if `values` is NULL or empty. */
static void write_reduced(FILE *file, const double *values, int count) {
    for (int r = 0; r < SUMMARISED; ++r) {
        const double value = values && count ? reducer_named(summarised[r])->of(values, count) : (double)NAN;
        if (isnan(value)) /* printf would print the sign of NaN */
            fputs("\tnan", file);
        else
            fprintf(file, "\t%.9g", value);
    }
}

/* Write the reductions of each series, of inner_speed, and of the quantities of the geometry. */
static void write_quantities(FILE *file, const struct words *series, bool has_shape, const struct trace_data *trace,
                             const struct geometry *geometry) {
    for (int s = 0; s < series->count; ++s)
        write_reduced(file, trace_series(trace, series->words[s]), trace->frames);
    AUTO_FREE double *inner = inner_speed_of(trace);
    write_reduced(file, inner, trace->frames);
    for (int q = 0; q < GEOMETRY_QUANTITIES && has_shape; ++q)
        if (series_table_has((enum geometry_quantity)q, false))
            write_reduced(file, geometry->values[q], geometry->frames);
}

static int write_summary(const char *out, const struct manifest *manifest, const struct trace_data *traces,
                         const struct geometry *geometries) {
    struct file_draft draft;
    AUTO(words_free) struct words notes = {NULL, 0}, parameters = {NULL, 0}, series = {NULL, 0};
    bool has_shape = false;
    if (draft_begin(out, "summary.tsv", &draft))
        return STATUS_BAD;
    for (int r = 0; r < manifest->count; ++r) {
        has_shape = has_shape || geometries[r].frames;
        for (int n = 0; n < traces[r].run_count; ++n)
            words_add_new(&notes, traces[r].run[n].name);
        for (int p = 0; p < traces[r].parameter_count; ++p)
            words_add_new(&parameters, traces[r].parameters[p].path);
        for (int q = 0; q < traces[r].series_count; ++q)
            words_add_new(&series, traces[r].series[q].name);
    }
    FILE *file = draft.file;
    fprintf(file, "run\toutcome");
    for (int c = 0; c < notes.count; ++c)
        write_cell(file, notes.words[c]);
    for (int c = 0; c < parameters.count; ++c)
        write_cell(file, parameters.words[c]);
    fprintf(
        file,
        "\tframe_seconds\tframe_seconds_low\tframe_seconds_high\tsamples\tframes_per_second"
        "\tframes_per_second_low\tframes_per_second_high\tstep_seconds\tlee2022_frames_per_second\tlee2022_samples");
    for (int q = 0; q < series.count; ++q)
        write_headings(file, series.words[q]);
    write_headings(file, inner_speed);
    for (int q = 0; q < GEOMETRY_QUANTITIES && has_shape; ++q)
        if (series_table_has((enum geometry_quantity)q, false))
            write_headings(file, geometry_kinds[q].name);
    fputs("\tgeometry\n", file);
    for (int r = 0; r < manifest->count; ++r) {
        const struct manifest_row *row = &manifest->rows[r];
        if (!traces[r].path)
            continue;
        fputs(row->id, file);
        write_cell(file, run_status_word(row->status));
        for (int c = 0; c < notes.count; ++c)
            write_cell(file, trace_run_note(&traces[r], notes.words[c]));
        for (int c = 0; c < parameters.count; ++c)
            write_cell(file, trace_parameter_text(&traces[r], parameters.words[c]));
        write_timing(file, &traces[r]);
        write_quantities(file, &series, has_shape, &traces[r], &geometries[r]);
        write_geometry(file, &traces[r]);
        fputc('\n', file);
    }
    return file_draft_end(&draft, STATUS_OK);
}

static int write_run(const char *out, const char *id, const struct trace_data *trace, const struct geometry *geometry) {
    struct file_draft draft;
    AUTO_FREE char *name = text_format("%s.tsv", id);
    const int status = draft_begin(out, name, &draft);
    return status ? status : file_draft_end(&draft, series_table_write(trace, geometry, false, NULL, draft.file));
}

/* Measure the recorded geometry of a trace; *out is empty if the trace has no geometry. Errors: the geometry of frame 0
 * is not recorded, or a geometry cannot be read. */
static int measure_shape(const struct trace_data *trace, struct geometry *out) {
    *out = (struct geometry){0};
    AUTO_FREE char *problem = trace->mesh_frames ? geometry_measure(trace, NULL, out) : NULL;
    return problem ? fail("%s: %s", trace->path, problem) : STATUS_OK;
}

/* Write context.gp: the footer of the figures (program and machine), and the names of the stand-ins. `trace` is the
 * trace whose program and machine the footer names; NULL if there is no trace. */
static int write_context(const char *out, const struct trace_data *traces, int count, const struct trace_data *trace) {
    static const char *const names[] = {"springback", "revision", "tree", "cpu"};
    const char *values[4];
    for (int n = 0; n < 4; ++n) {
        values[n] = trace ? trace_provenance_note(trace, names[n]) : NULL;
        values[n] = values[n] ? values[n] : "unknown";
    }
    struct file_draft draft;
    if (draft_begin(out, "context.gp", &draft))
        return STATUS_BAD;
    AUTO_FREE char *footer = text_format("springback %s, revision %s%s, on %s", values[0], values[1],
                                         strcmp(values[2], "changed") ? "" : "+", values[3]);
    AUTO_FREE char *stand_ins = text_copy("");
    AUTO(words_free) struct words bodies = {NULL, 0};
    for (int t = 0; t < count; ++t) {
        const char *is_stand_in = trace_run_note(&traces[t], "body_stand_in");
        const char *body = trace_parameter_text(&traces[t], "body.mesh");
        if (is_stand_in && !strcmp(is_stand_in, "yes") && body && words_add_new(&bodies, body))
            text_append(&stand_ins, "%s%s", *stand_ins ? ", " : "", body);
    }
    fputs("footer = ", draft.file);
    gnuplot_write_text(footer, draft.file);
    fputs("\nstand_ins = ", draft.file);
    gnuplot_write_text(stand_ins, draft.file);
    fputc('\n', draft.file);
    return file_draft_end(&draft, STATUS_OK);
}

int figure_data_write(const char *folder, const char *out) {
    AUTO(manifest_free) struct manifest manifest = {.count = 0};
    AUTO_FREE char *table = text_format("%s/runs.tsv", folder);
    if (!file_exists(table))
        return fail("%s: no such file; give the folder of an experiment's results, as written by `springback run "
                    "--out`",
                    table);
    if (manifest_read(folder, &manifest) || folder_make(out))
        return STATUS_BAD;
    struct trace_index *index = trace_index_open(folder, provenance_binary());
    AUTO_FREE struct trace_data *traces = memory_new((size_t)manifest.count, sizeof *traces);
    struct trace_data *first = NULL;
    AUTO_FREE struct geometry *geometries = memory_new((size_t)manifest.count, sizeof *geometries);
    int status = STATUS_OK;
    progress_begin(manifest.count);
    for (int r = 0; !status && r < manifest.count; ++r) {
        const struct manifest_row *row = &manifest.rows[r];
        if (!strcmp(row->trace, "-"))
            continue;
        progress_show(r, folder, "traces", r, manifest.count);
        status = manifest_open(folder, index, row, &traces[r]);
        first = !status && !first ? &traces[r] : first;
        if (!status)
            status = measure_shape(&traces[r], &geometries[r]);
        if (!status)
            status = write_run(out, row->id, &traces[r], &geometries[r]);
    }
    progress_end();
    if (!status && !(status = write_context(out, traces, manifest.count, first)))
        status = write_summary(out, &manifest, traces, geometries);
    for (int r = 0; r < manifest.count; ++r) {
        trace_close(&traces[r]);
        geometry_free(&geometries[r]);
    }
    trace_index_close(index, true);
    return status;
}

/* ---- Series ---- */

bool series_table_has(enum geometry_quantity quantity, bool pair) {
    const struct geometry_kind *kind = &geometry_kinds[quantity];
    return geometry_is_known(kind) && (pair || !kind->is_pair);
}

int series_table_write(const struct trace_data *trace, const struct geometry *geometry, bool pair, char **heading,
                       FILE *out) {
    struct export_column columns[GEOMETRY_QUANTITIES];
    double *values[GEOMETRY_QUANTITIES];
    int count = 0;
    for (int q = 0; q < GEOMETRY_QUANTITIES && geometry->frames; q++) {
        if (!series_table_has((enum geometry_quantity)q, pair))
            continue;
        values[count] = memory_new((size_t)trace->frames, sizeof *values[count]);
        for (int f = 0; f < trace->frames; f++)
            values[count][f] = NAN;
        for (int k = 0; k < geometry->frames; k++)
            values[count][trace->mesh_frame[k]] = geometry->values[q][k];
        columns[count] = (struct export_column){geometry_kinds[q].name, geometry_kinds[q].unit, values[count]};
        count++;
    }
    const int status =
        heading ? export_csv(trace, columns, count, heading, out) : export_table(trace, columns, count, out);
    while (count > 0)
        free(values[--count]);
    return status;
}
