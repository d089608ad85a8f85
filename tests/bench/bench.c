/* The speed of timed runs, compared with the hardware limits of this machine, as a table and as JSON with every sample.
 *
 *   bench RUNS JSON      RUNS: an experiment's folder, as `springback run` makes it
 *
 * The hardware limits (backend/roofline_limits.h) are the copy rates of main memory and of a device's memory, the rate
 * of multiplications and additions, and the launch time of an empty kernel. A copy rate counts the bytes read and the
 * bytes written. A step of the cloth reads and writes positions and velocities once: 64 bytes per node in single
 * precision. */
#include "backend/cpu.h"
#include "backend/opencl/device.h"
#include "backend/roofline_limits.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/openmp.h"
#include "claim/statistics.h"
#include "run/manifest.h"
#include "run/provenance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *numbers(const double *samples, int count) {
    json_t *array = json_array();
    for (int k = 0; k < count; ++k)
        json_array_append_new(array, json_real(samples[k]));
    return array;
}

/* A measure as JSON: the median, its confidence interval, and the numbers of samples and outliers. */
static json_t *summary(const struct measure *m) {
    return json_pack("{sf sf sf si si}", "median", m->value, "low", m->low, "high", m->high, "samples", m->samples,
                     "outliers", m->outliers);
}

/* Print one line of the table; returns its JSON object. *serial is the median duration of a step of the same body on
 * the backend serial, in seconds, or 0 if this backend has not yet run the body. A run on the backend serial sets
 * *serial. */
static json_t *report_run(const struct trace_data *trace, const struct roofline_limits *roofline, double *serial) {
    const double nodes = strtod(trace_run_note(trace, "nodes"), NULL);
    const double steps = strtod(trace_run_note(trace, "steps_per_frame"), NULL);
    const char *backend = trace_run_note(trace, "backend"), *device = trace_run_note(trace, "device");
    int count = 0;
    double *seconds = memory_new((size_t)trace->repeats * (size_t)trace->timed_frames, sizeof *seconds);
    for (int k = 0; k < trace->repeats * trace->timed_frames; ++k)
        if (isfinite(trace->frame_seconds[k]))
            seconds[count++] = trace->frame_seconds[k] / steps;
    const struct measure m = median_of(seconds, count), copy = median_of(roofline->copy, ROOFLINE_SAMPLES);
    if (!strcmp(backend, "serial"))
        *serial = m.value;
    const double bandwidth = 64 * nodes / m.value;
    printf("%9.0f  %-10s %10.3f [%.3f, %.3f] us  %8.3f ns a node  %8.1f GB/s  %5.1f %% of the copy rate", nodes,
           backend, 1e6 * m.value, 1e6 * m.low, 1e6 * m.high, 1e9 * m.value / nodes, 1e-9 * bandwidth,
           100 * bandwidth / copy.value);
    printf(*serial > 0 ? "  %8.2f times as fast as serial\n" : "\n", *serial / m.value);
    json_t *object = json_pack(
        "{sf ss so so sf sf so so}", "nodes", nodes, "backend", backend, "device", json_text(device),
        "seconds_per_step", summary(&m), "bytes_per_second", bandwidth, "share_of_copy", bandwidth / copy.value,
        "times_serial", *serial > 0 ? json_real(*serial / m.value) : json_null(), "samples", numbers(seconds, count));
    free(seconds);
    return object;
}

static void report_limits(const struct roofline_limits *roofline, json_t *list) {
    const struct measure copy = median_of(roofline->copy, ROOFLINE_SAMPLES),
                         launch = median_of(roofline->launch, ROOFLINE_SAMPLES);
    const struct measure operations = median_of(roofline->operations, ROOFLINE_SAMPLES);
    json_t *object =
        json_pack("{so so so so so}", "device", roofline->device ? json_text(roofline->device) : json_null(),
                  "copy_bytes_per_second", summary(&copy), "copy_samples", numbers(roofline->copy, ROOFLINE_SAMPLES),
                  "operations_per_second", summary(&operations), "operation_samples",
                  numbers(roofline->operations, ROOFLINE_SAMPLES));
    printf("limits: %s copies %.1f [%.1f, %.1f] GB/s", roofline->device ? roofline->device : "main memory",
           1e-9 * copy.value, 1e-9 * copy.low, 1e-9 * copy.high);
    printf(", computes %.1f [%.1f, %.1f] Gop/s", 1e-9 * operations.value, 1e-9 * operations.low,
           1e-9 * operations.high);
    if (roofline->device) {
        printf(", launches in %.2f [%.2f, %.2f] us", 1e6 * launch.value, 1e6 * launch.low, 1e6 * launch.high);
        json_object_set_new(object, "launch_seconds", summary(&launch));
        json_object_set_new(object, "launch_samples", numbers(roofline->launch, ROOFLINE_SAMPLES));
    }
    printf("\n");
    json_array_append_new(list, object);
}

static int bench(const char *folder, const char *path) {
    struct manifest manifest;
    int status = manifest_read(folder, &manifest);
    const struct device_list *devices = device_list();
    struct roofline_limits *roofline = memory_new((size_t)devices->count + 1, sizeof *roofline);
    bool *known = memory_new((size_t)devices->count + 1, sizeof *known);
    json_t *results = json_array(), *limits = json_array();
    double serial = 0;
    long body = -1;
    printf("springback %s, revision %s, on %s\n", provenance_version(), provenance_revision(), cpu_name());
    for (int r = 0; !status && r < manifest.count; ++r) {
        struct trace_data trace;
        if (!strcmp(manifest.rows[r].trace, "-") || (status = manifest_open(folder, NULL, &manifest.rows[r], &trace)))
            continue;
        int d = 0;
        const bool is_device = !strcmp(trace_run_note(&trace, "backend_kind"), "opencl");
        while (is_device && d < devices->count &&
               strcmp(devices->devices[d].name, trace_run_note(&trace, "device")) != 0)
            ++d;
        const int place = is_device && d < devices->count ? d + 1 : 0;
        if (!known[place]) {
            status = place ? roofline_measure_device(d, &roofline[place])
                           : roofline_measure_cpu(omp_get_max_threads(), &roofline[place]);
            known[place] = true;
        }
        if (!status && trace.frame_seconds) {
            const long nodes = strtol(trace_run_note(&trace, "nodes"), NULL, 10);
            serial = nodes == body ? serial : 0;
            body = nodes;
            json_array_append_new(results, report_run(&trace, &roofline[place], &serial));
        }
        trace_close(&trace);
    }
    for (int d = 0; !status && d <= devices->count; ++d)
        if (known[d])
            report_limits(&roofline[d], limits);
    json_t *root = json_pack("{ss ss so so so}", "springback", provenance_version(), "revision", provenance_revision(),
                             "cpu", json_text(cpu_name()), "floors", limits, "results", results);
    if (!status && json_dump_file(root, path, JSON_INDENT(1)))
        status = fail("%s: cannot be written", path);
    json_decref(root);
    free(roofline);
    free(known);
    manifest_free(&manifest);
    return status;
}

int main(int count, char **words) {
    if (count != 3) {
        fprintf(stderr, "usage: bench RUNS JSON\n");
        return 2;
    }
    const int status = bench(words[1], words[2]);
    if (status)
        fprintf(stderr, "bench: %s\n", failure_text());
    return status ? 2 : 0;
}
