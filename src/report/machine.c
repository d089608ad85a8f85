#include "report/machine.h"

#include "backend/cpu.h"
#include "backend/opencl/device.h"
#include "backend/roofline_limits.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/openmp.h"
#include "experiment/name.h"
#include "experiment/plan.h"
#include "method/method.h"
#include "report/costs.h"
#include "run/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Facts ---- */

int machine_environment(struct machine *machine, struct attributes *facts) {
    for (int e = 0; e < machine->environment_count; ++e)
        if (attributes_equal(&machine->environments[e], facts)) {
            attributes_free(facts);
            return e;
        }
    *ARRAY_ADD(machine->environments, machine->environment_count) = *facts;
    *facts = (struct attributes){NULL, 0};
    return machine->environment_count - 1;
}

struct machine_run *machine_add_run(struct machine *machine) {
    struct machine_run *run = ARRAY_ADD(machine->runs, machine->run_count);
    *run = (struct machine_run){.seconds = {NAN, NAN, NAN, 0, 0}};
    return run;
}

struct machine_limits *machine_add_limits(struct machine *machine) {
    struct machine_limits *limits = ARRAY_ADD(machine->limits, machine->limits_count);
    *limits = (struct machine_limits){.best = {NAN, NAN, NAN}};
    return limits;
}

void limits_settle(struct machine_limits *limits) {
    for (int k = 0; k < LIMIT_KINDS; ++k)
        for (int s = 0; s < limits->sample_count[k]; ++s) /* the best rate is the largest, the best time the smallest */
            limits->best[k] = k == LIMIT_LAUNCH ? fmin(limits->best[k], limits->samples[k][s])
                                                : fmax(limits->best[k], limits->samples[k][s]);
}

void *machine_array(struct machine *machine, size_t count, size_t size) {
    return pool_add(&machine->kept, memory_new(count + 1, size));
}

const char *machine_text(struct machine *machine, const char *text) {
    return pool_add(&machine->kept, text_copy(text));
}

void machine_free(struct machine *machine) {
    for (int e = 0; e < machine->environment_count; ++e)
        attributes_free(&machine->environments[e]);
    for (int r = 0; r < machine->run_count; ++r) {
        attributes_free(&machine->runs[r].facts);
        attributes_free(&machine->runs[r].parameter);
    }
    for (int r = 0; r < machine->reported_count; ++r)
        attributes_free(&machine->reported[r].select);
    free(machine->environments);
    free(machine->runs);
    free(machine->limits);
    free(machine->reported);
    pool_free(&machine->kept);
    trace_set_free(&machine->traces);
    *machine = (struct machine){.path = NULL};
}

/* ---- From traces ---- */

/* The names of the notes that are read from a trace, on the environment and on the run. Private notes are not read: the
 * host's name, the command and the dates. */
static const char environment_notes[] =
    "springback revision tree code compiler flags cpu governor system device driver kernels fp_contract";
static const char run_notes[] =
    "tier method backend backend_kind device device_type threads bit_exact body_hash body_mesh_sha256 body_edges "
    "body_triangles body_bends body_links body_tetrahedra nodes springs springs_inside steps_per_frame status "
    "diverged_frame frames seconds load_before load_after clock_before_mhz clock_after_mhz temperature_before_c "
    "temperature_after_c";

/* The note `system` without the name of the kernel's build: "Linux 6.8.0 x86_64" for "Linux 6.8.0-45-generic x86_64".
 * The build depends on the distribution or the provider. Newly allocated; the caller frees it. */
static char *system_text(const char *system) {
    char *text = text_copy(system), *dash = strchr(text, '-'), *space = dash ? strchr(dash, ' ') : NULL;
    if (dash)
        memmove(dash, space ? space : "", strlen(space ? space : "") + 1);
    return text;
}

/* Add notes of a trace to *out: those whose names are in `names`, separated by blanks, if the trace has them. `note` is
 * the function that reads a note by its name. */
static void add_notes(const struct trace_data *trace, const char *names,
                      const char *(*note)(const struct trace_data *trace, const char *name), struct attributes *out) {
    AUTO_FREE char *words = text_copy(names);
    char *rest = words;
    for (const char *name; (name = strsep(&rest, " "));) {
        const char *text = note(trace, name);
        AUTO_FREE char *known = text && !strcmp(name, "system") ? system_text(text) : text_copy(text ? text : "");
        if (*known)
            attributes_add(out, name, known, false);
    }
}

static void add_samples(struct machine *machine, const struct trace_data *trace, struct machine_run *run) {
    run->repeats = trace->repeats;
    run->samples = machine_array(machine, (size_t)trace->repeats * (size_t)trace->timed_frames, sizeof *run->samples);
    run->repeat_samples = machine_array(machine, (size_t)trace->repeats, sizeof *run->repeat_samples);
    for (int r = 0; r < trace->repeats; ++r)
        for (int f = 0; f < trace->timed_frames; ++f) {
            const double seconds = trace->frame_seconds[(size_t)r * (size_t)trace->timed_frames + (size_t)f];
            if (isfinite(seconds) && seconds > 0) {
                run->samples[run->sample_count++] = seconds;
                ++run->repeat_samples[r];
            }
        }
    run->seconds = median_of(run->samples, run->sample_count);
}

static void add_trace(struct machine *machine, const struct trace_run *from) {
    const struct trace_data *trace = from->trace;
    struct machine_run *run = machine_add_run(machine);
    struct attributes environment = {NULL, 0};
    run->experiment = machine_text(machine, from->experiment);
    run->id = machine_text(machine, from->id);
    run->trace = trace;
    add_notes(trace, run_notes, trace_run_note, &run->facts);
    add_notes(trace, environment_notes, trace_provenance_note, &environment);
    run->environment = machine_environment(machine, &environment);
    for (int p = 0; p < trace->parameter_count; ++p)
        if (strcmp(trace->parameters[p].path, "backend") != 0)
            attributes_add(&run->parameter, trace->parameters[p].path, trace->parameters[p].value,
                           !strcmp(trace->parameters[p].origin, "default") ||
                               field_same_as_without(trace->parameters[p].path, trace->parameters[p].value));
    run->frames = trace->frames;
    run->frame = machine_array(machine, (size_t)trace->frames, sizeof *run->frame);
    run->hash = machine_array(machine, (size_t)trace->frames, sizeof *run->hash);
    for (int f = 0; f < trace->frames; ++f) {
        run->frame[f] = (int)trace->frame_index[f];
        memcpy(run->hash[f], trace->frame_hash[f], DIGEST_SIZE);
    }
    run->last_count = trace->frames ? trace->series_count : 0;
    run->last = machine_array(machine, (size_t)run->last_count, sizeof *run->last);
    for (int s = 0; s < run->last_count; ++s)
        run->last[s] =
            (struct machine_value){machine_text(machine, trace->series[s].name),
                                   machine_text(machine, trace->series[s].unit), trace->values[s][trace->frames - 1]};
    if (trace->frame_seconds)
        add_samples(machine, trace, run);
}

/* An empty machine with this path, from which slashes at the end are removed. */
static struct machine machine_at(const char *path) {
    struct machine machine = {.path = NULL};
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        --length;
    machine.path = pool_add(&machine.kept, text_format("%.*s", (int)length, path));
    return machine;
}

/* Add the results in a folder's traces, and the folder's hardware limits. */
static int add_results(const struct trace_set *traces, struct machine *machine) {
    const char *slash = strrchr(machine->path, '/');
    AUTO_FREE char *file = text_format("%s/floors.json", machine->path);
    machine->name = slash ? slash + 1 : machine->path;
    machine->source = "measured";
    for (int r = 0; r < traces->run_count; ++r)
        if (traces->runs[r].trace)
            add_trace(machine, &traces->runs[r]);
    int status = STATUS_OK;
    if (!machine->run_count)
        status = fail(
            "%s: the folder has neither a record (machine.json) nor results (PAPER/EXPERIMENT/runs.tsv with a readable "
            "trace)",
            machine->path);
    else if (file_exists(file))
        status = machine_file_read(file, machine);
    return status;
}

int machine_of_traces(const struct trace_set *traces, struct machine *out) {
    *out = machine_at(traces->folder);
    return add_results(traces, out);
}

int machine_read(const char *path, struct machine *out) {
    *out = machine_at(path);
    if (!folder_exists(path))
        return fail("%s: no such folder; give a folder of results of `springback run --out`, or the folder of a "
                    "record, for example data/machines/nvidia-h100",
                    path);
    AUTO_FREE char *file = text_format("%s/machine.json", out->path);
    int status = STATUS_OK;
    if (file_exists(file)) {
        out->is_record = true;
        status = machine_file_read(file, out);
    } else if (!(status = trace_set_read(out->path, NULL, NULL, &out->traces))) {
        status = add_results(&out->traces, out);
    }
    return status;
}

int machines_read(const char *folder, struct machines *out) {
    *out = (struct machines){NULL, 0};
    AUTO(entries_free) char **entries = entries_list(folder);
    int status = STATUS_OK;
    for (char **entry = entries; *entry && !status; ++entry) {
        AUTO_FREE char *path = text_format("%s/%s", folder, *entry);
        AUTO_FREE char *file = text_format("%s/machine.json", path);
        if (file_exists(file))
            status = machine_read(path, ARRAY_ADD(out->items, out->count));
    }
    return status;
}

void machines_free(struct machines *machines) {
    for (int m = 0; m < machines->count; ++m)
        machine_free(&machines->items[m]);
    free(machines->items);
    *machines = (struct machines){NULL, 0};
}

/* ---- Hardware limits ---- */

const struct machine_limits *machine_limits_of(const struct machine *machine, const struct machine_run *run) {
    const struct backend *backend = backend_find(attributes_text(&run->facts, "backend_kind"));
    const char *device = attributes_text(&run->facts, "device");
    const bool is_device = backend && backend->has_devices;
    const int threads = (int)attributes_number(&run->facts, "threads", 1);
    for (int f = 0; f < machine->limits_count; ++f) {
        const struct machine_limits *limits = &machine->limits[f];
        if (is_device ? device && !strcmp(limits->device, device) : !*limits->device && limits->threads == threads)
            return limits;
    }
    return NULL;
}

static void add_limits(struct machine *machine, const struct roofline_limits *measured) {
    struct machine_limits *limits = machine_add_limits(machine);
    const double *const all[LIMIT_KINDS] = {measured->copy, measured->operations, measured->launch};
    limits->device = machine_text(machine, measured->device ? measured->device : "");
    limits->threads = measured->threads;
    for (int k = 0; k < (measured->device ? LIMIT_KINDS : LIMIT_LAUNCH); ++k) {
        limits->samples[k] = machine_array(machine, ROOFLINE_SAMPLES, sizeof *limits->samples[k]);
        limits->sample_count[k] = ROOFLINE_SAMPLES;
        memcpy(limits->samples[k], all[k], sizeof measured->copy);
    }
    limits_settle(limits);
}

int machine_measure(const char *path) {
    AUTO(machine_free) struct machine machine = {.name = cpu_name(), .source = "measured"};
    const int all = omp_get_max_threads();
    int status = file_write(path, ""); /* check that the file is writable before the long measurement */
    for (int k = 0; k < (all > 1 ? 2 : 1) && !status; ++k) {
        struct roofline_limits measured;
        if (!(status = roofline_measure_cpu(k ? all : 1, &measured)))
            add_limits(&machine, &measured);
    }
    for (int d = 0; d < device_list()->count && !status; ++d) {
        struct roofline_limits measured;
        if (!(status = roofline_measure_device(d, &measured)))
            add_limits(&machine, &measured);
    }
    if (!status)
        status = machine_file_write(path, &machine);
    return status;
}

/* ---- A record ---- */

int machine_record(const struct machine *machine, const char *folder, const char *name) {
    if (machine->is_record)
        return fail("%s: this is already a record; give a folder of results", machine->path);
    if (!name_is_plain(name) || strlen(name) >= 128)
        return fail("'%s' cannot be the name of a record; expected at most 127 letters, digits, '.', '_' and '-', and "
                    "a letter, digit or '_' first (example: amd-epyc-9474f)",
                    name);
    AUTO_FREE char *own = text_format("%s/%s", folder, name);
    AUTO_FREE char *file = text_format("%s/machine.json", own);
    AUTO(machine_free) struct machine before = {.path = NULL};
    struct machine about = {
        .name = name, .source = "measured", .limits = machine->limits, .limits_count = machine->limits_count};
    int status = STATUS_OK;
    if (file_exists(file) && !(status = machine_file_read(file, &before)) && before.reported_count)
        status = fail(
            "%s: this is the machine of a paper, known from its specification; use --name with your machine's name",
            file);
    if (!machine->limits_count) {
        about.limits = before.limits;
        about.limits_count = before.limits_count;
    }
    if (!status)
        status = folder_make(own);
    for (int r = 0; r < machine->run_count && !status; ++r)
        if (r == 0 || strcmp(machine->runs[r].experiment, machine->runs[r - 1].experiment) != 0)
            status = machine_file_write_runs(own, machine, machine->runs[r].experiment);
    if (!status)
        status = costs_record(machine, own);
    if (!status)
        status = machine_file_write(file, &about);
    return status;
}

/* ---- Rooflines ---- */

bool work_of(const struct machine_run *run, struct work *out) {
    const double nodes = attributes_number(&run->facts, "nodes", NAN);
    const double steps = attributes_number(&run->facts, "steps_per_frame", NAN);
    const char *precision = attributes_text(&run->parameter, "method.precision");
    const char *name = attributes_text(&run->facts, "method");
    const char *variant = attributes_text(&run->parameter, "method.variant");
    const struct method *method = name ? method_find(name) : NULL;
    const bool is_double = precision && !strcmp(precision, "double"), is_own = !variant || !strcmp(variant, "tuned");
    *out = (struct work){4 * 4 * (is_double ? 8 : 4) * nodes * steps, NAN};
    /* Operations are counted only in single precision, because the rate of double precision was not measured. They are
     * counted only for the variant `tuned`, because a method's function `operations` is for this variant. */
    if (method && method->operations && !is_double && is_own)
        out->operations = method->operations(&run->facts, &run->parameter) * steps;
    return isfinite(out->bytes) && out->bytes > 0;
}

double work_limit(const struct work *work, const struct machine_limits *limits, bool *by_memory) {
    const double memory = limits ? work->bytes / limits->best[LIMIT_COPY] : (double)NAN;
    const double arithmetic = limits ? work->operations / limits->best[LIMIT_OPERATIONS] : (double)NAN;
    const bool bound = !(arithmetic > memory);
    if (by_memory)
        *by_memory = bound;
    return bound ? memory : arithmetic;
}
