/* The speed of timed runs beside this machine's floors, as a table and as JSON with every sample.
 *
 *   bench RUNS JSON      RUNS: an experiment's folder, as `springback run` leaves it
 *
 * The floors: copying main memory and a device's memory (bytes read and written), and launching an empty kernel. A step
 * of the cloth reads and writes positions and velocities once, 64 bytes a node in single precision. */
#include "backend/device.h"
#include "base/json.h"
#include "base/memory.h"
#include "claim/statistics.h"
#include "run/manifest.h"
#include "run/provenance.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TIMES = 9, LAUNCHES = 1000 };
static const size_t copied = (size_t)256 << 20; /* bytes, beyond any cache */

struct floors {
    const char *device;   /* NULL: main memory */
    double copy[TIMES];   /* bytes/s */
    double launch[TIMES]; /* s */
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int measure_memory(struct floors *floors) {
    char *from = memory_large(copied), *to = memory_large(copied);
    if (!from || !to)
        return fail("%zu bytes could not be had to copy", 2 * copied);
    for (int k = -1; k < TIMES; ++k) { /* the first touches the pages */
        const double begin = now();
#pragma omp parallel
        {
            const size_t all = (size_t)omp_get_num_threads(), here = (size_t)omp_get_thread_num();
            const size_t first = copied * here / all, last = copied * (here + 1) / all;
            memcpy(to + first, from + first, last - first);
        }
        if (k >= 0)
            floors->copy[k] = 2 * (double)copied / (now() - begin);
    }
    free(from);
    free(to);
    return STATUS_OK;
}

static const char kernels[] = "__kernel void copy(__global const float4 *from, __global float4 *to) {\n"
                              "    const size_t i = get_global_id(0);\n"
                              "    to[i] = from[i];\n"
                              "}\n"
                              "__kernel void nothing(__global float4 *to) {}\n";

static int measure_device(const struct device *device, struct floors *floors) {
    cl_int error = 0, any = 0;
    cl_context context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &error);
    any |= error;
    cl_command_queue queue = clCreateCommandQueue(context, device->id, 0, &error);
    any |= error;
    const char *text = kernels;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    any |= error;
    any |= clBuildProgram(program, 1, &device->id, "", NULL, NULL);
    cl_kernel copy = clCreateKernel(program, "copy", &error), nothing = clCreateKernel(program, "nothing", &error);
    any |= error;
    cl_mem from = clCreateBuffer(context, CL_MEM_READ_WRITE, copied, NULL, &error);
    any |= error;
    cl_mem to = clCreateBuffer(context, CL_MEM_READ_WRITE, copied, NULL, &error);
    any |= error;
    any |= clSetKernelArg(copy, 0, sizeof from, &from) | clSetKernelArg(copy, 1, sizeof to, &to);
    any |= clSetKernelArg(nothing, 0, sizeof to, &to);
    const size_t all = copied / 16, group = 128, one = 1;
    const int copies = 8;
    for (int k = -1; k < TIMES && !any; ++k) {
        double begin = now();
        for (int c = 0; c < copies; ++c)
            any |= clEnqueueNDRangeKernel(queue, copy, 1, NULL, &all, &group, 0, NULL, NULL);
        any |= clFinish(queue);
        if (k >= 0)
            floors->copy[k] = 2 * (double)copied * copies / (now() - begin);
        begin = now();
        for (int c = 0; c < LAUNCHES; ++c)
            any |= clEnqueueNDRangeKernel(queue, nothing, 1, NULL, &one, NULL, 0, NULL, NULL);
        any |= clFinish(queue);
        if (k >= 0)
            floors->launch[k] = (now() - begin) / LAUNCHES;
    }
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    clReleaseKernel(copy);
    clReleaseKernel(nothing);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return any ? fail("device '%s': its floors could not be measured (%s)", device->name, device_error_name(any))
               : STATUS_OK;
}

static json_t *numbers(const double *samples, int count) {
    json_t *array = json_array();
    for (int k = 0; k < count; ++k)
        json_array_append_new(array, json_real(samples[k]));
    return array;
}

static json_t *summary(const struct median *m) {
    return json_pack("{sf sf sf si si}", "median", m->value, "low", m->low, "high", m->high, "samples", m->samples,
                     "outliers", m->outliers);
}

/* One line of the table, and its object. `serial` is the median of the same body on one core, 0 where there is none. */
static json_t *report_run(const struct trace_data *trace, const struct floors *floors, double *serial) {
    const double nodes = strtod(trace_run_note(trace, "nodes"), NULL);
    const double steps = strtod(trace_run_note(trace, "steps_per_frame"), NULL);
    const char *backend = trace_run_note(trace, "backend"), *device = trace_run_note(trace, "device");
    int count = 0;
    double *seconds = memory_new((size_t)trace->repeats * (size_t)trace->timed_frames, sizeof *seconds);
    for (int k = 0; k < trace->repeats * trace->timed_frames; ++k)
        if (isfinite(trace->frame_seconds[k]))
            seconds[count++] = trace->frame_seconds[k] / steps;
    const struct median m = median_of(seconds, count), copy = median_of(floors->copy, TIMES);
    if (!strcmp(backend, "serial"))
        *serial = m.value;
    const double bandwidth = 64 * nodes / m.value;
    printf("%9.0f  %-10s %10.3f [%.3f, %.3f] us  %8.3f ns a node  %8.1f GB/s  %5.1f %% of copying", nodes, backend,
           1e6 * m.value, 1e6 * m.low, 1e6 * m.high, 1e9 * m.value / nodes, 1e-9 * bandwidth,
           100 * bandwidth / copy.value);
    printf(*serial > 0 ? "  %8.2f times serial\n" : "\n", *serial / m.value);
    json_t *object = json_pack(
        "{sf ss so so sf sf so so}", "nodes", nodes, "backend", backend, "device", json_text(device),
        "seconds_per_step", summary(&m), "bytes_per_second", bandwidth, "share_of_copy", bandwidth / copy.value,
        "times_serial", *serial > 0 ? json_real(*serial / m.value) : json_null(), "samples", numbers(seconds, count));
    free(seconds);
    return object;
}

static void report_floors(const struct floors *floors, json_t *list) {
    const struct median copy = median_of(floors->copy, TIMES), launch = median_of(floors->launch, TIMES);
    json_t *object = json_pack("{so so so}", "device", floors->device ? json_text(floors->device) : json_null(),
                               "copy_bytes_per_second", summary(&copy), "copy_samples", numbers(floors->copy, TIMES));
    printf("floor: %s copies %.1f [%.1f, %.1f] GB/s", floors->device ? floors->device : "main memory",
           1e-9 * copy.value, 1e-9 * copy.low, 1e-9 * copy.high);
    if (floors->device) {
        printf(", launches in %.2f [%.2f, %.2f] us", 1e6 * launch.value, 1e6 * launch.low, 1e6 * launch.high);
        json_object_set_new(object, "launch_seconds", summary(&launch));
        json_object_set_new(object, "launch_samples", numbers(floors->launch, TIMES));
    }
    printf("\n");
    json_array_append_new(list, object);
}

static int bench(const char *folder, const char *path) {
    struct manifest manifest;
    int status = manifest_read(folder, &manifest);
    const struct device_list *devices = device_list();
    struct floors *floors = memory_new((size_t)devices->count + 1, sizeof *floors);
    bool *known = memory_new((size_t)devices->count + 1, sizeof *known);
    json_t *results = json_array(), *limits = json_array();
    double serial = 0;
    long body = -1;
    printf("springback %s, revision %s, on %s\n", provenance_version(), provenance_revision(), device_cpu_name());
    for (int r = 0; !status && r < manifest.count; ++r) {
        struct trace_data trace;
        if (!strcmp(manifest.rows[r].trace, "-") || (status = manifest_open(folder, &manifest.rows[r], &trace)))
            continue;
        int d = 0;
        const bool is_device = !strcmp(trace_run_note(&trace, "backend_kind"), "opencl");
        while (is_device && d < devices->count &&
               strcmp(devices->devices[d].name, trace_run_note(&trace, "device")) != 0)
            ++d;
        const int place = is_device && d < devices->count ? d + 1 : 0;
        if (!known[place]) {
            floors[place].device = place ? devices->devices[d].name : NULL;
            status = place ? measure_device(&devices->devices[d], &floors[place]) : measure_memory(&floors[place]);
            known[place] = true;
        }
        if (!status && trace.frame_seconds) {
            const long nodes = strtol(trace_run_note(&trace, "nodes"), NULL, 10);
            serial = nodes == body ? serial : 0;
            body = nodes;
            json_array_append_new(results, report_run(&trace, &floors[place], &serial));
        }
        trace_close(&trace);
    }
    for (int d = 0; !status && d <= devices->count; ++d)
        if (known[d])
            report_floors(&floors[d], limits);
    json_t *root = json_pack("{ss ss so so so}", "springback", provenance_version(), "revision", provenance_revision(),
                             "cpu", json_text(device_cpu_name()), "floors", limits, "results", results);
    if (!status && json_dump_file(root, path, JSON_INDENT(1)))
        status = fail("%s: cannot be written", path);
    json_decref(root);
    free(floors);
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
