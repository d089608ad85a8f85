#include "backend/roofline_limits.h"

#include "backend/opencl/compile.h"
#include "backend/opencl/queue.h"
#include "backend/source.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/openmp.h"

#include <stdlib.h>
#include <string.h>

enum { CHAINS = 8, LANES = 16, ROUNDS = 1000000 }; /* LANES: floats of a vector */
enum { LAUNCHES = 1000, TIMES_MOST = 16, DEVICE_ROUNDS = 64, DEVICE_ITEMS = 1 << 18 };
static const size_t copied = (size_t)256 << 20; /* bytes; larger than the caches of most machines */

/* ---- The processor ---- */

static int measure_copy(int threads, double out[ROOFLINE_SAMPLES]) {
    AUTO_FREE char *from = memory_large(copied), *to = memory_large(copied);
    if (!from || !to)
        return fail("the limits of the processor cannot be measured: %zu bytes of memory are not available",
                    2 * copied);
    for (int k = -1; k < ROOFLINE_SAMPLES; ++k) { /* pass -1 is not counted: it allocates the pages */
        const double begin = clock_now();
#pragma omp parallel num_threads(threads)
        {
            const size_t all = (size_t)omp_get_num_threads(), here = (size_t)omp_get_thread_num();
            const size_t first = copied * here / all, last = copied * (here + 1) / all;
            memcpy(to + first, from + first, last - first);
        }
        if (k >= 0)
            out[k] = 2 * (double)copied / (clock_now() - begin);
    }
    return STATUS_OK;
}

typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));

/* Several independent chains keep a vector unit busy. Each chain converges to a fixed point, so that no number becomes
 * denormal or infinite. */
#define MULTIPLY_AND_ADD(name, options)                                                                                \
    static options float name(float start) {                                                                           \
        lanes chain[CHAINS], sum;                                                                                      \
        float total = 0;                                                                                               \
        for (int c = 0; c < CHAINS; ++c)                                                                               \
            for (int l = 0; l < LANES; ++l)                                                                            \
                chain[c][l] = start + (float)(c + l);                                                                  \
        for (int round = 0; round < ROUNDS; ++round)                                                                   \
            for (int c = 0; c < CHAINS; ++c)                                                                           \
                chain[c] = chain[c] * 0.999F + 0.5F;                                                                   \
        sum = chain[0];                                                                                                \
        for (int c = 1; c < CHAINS; ++c)                                                                               \
            sum += chain[c];                                                                                           \
        for (int l = 0; l < LANES; ++l)                                                                                \
            total += sum[l];                                                                                           \
        return total;                                                                                                  \
    }

MULTIPLY_AND_ADD(multiply_and_add, )
#ifdef __x86_64__
MULTIPLY_AND_ADD(multiply_and_add_v3, __attribute__((target("avx2"))))
MULTIPLY_AND_ADD(multiply_and_add_v4, __attribute__((target("avx512f"))))
#endif

typedef float arithmetic(float start);

static arithmetic *fastest_arithmetic(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        return multiply_and_add_v4;
    if (__builtin_cpu_supports("avx2"))
        return multiply_and_add_v3;
#endif
    return multiply_and_add;
}

static void measure_operations(int threads, double out[ROOFLINE_SAMPLES]) {
    arithmetic *const compute = fastest_arithmetic();
    volatile float keep = 0;
    for (int k = -1; k < ROOFLINE_SAMPLES; ++k) {
        float total = 0;
        const double begin = clock_now();
#pragma omp parallel num_threads(threads) reduction(+ : total)
        total += compute((float)omp_get_thread_num());
        if (k >= 0)
            out[k] = 2.0 * LANES * CHAINS * ROUNDS * threads / (clock_now() - begin);
        keep = keep + total;
    }
}

int roofline_measure_cpu(int threads, struct roofline_limits *out) {
    *out = (struct roofline_limits){.threads = threads};
    if (measure_copy(threads, out->copy))
        return STATUS_BAD;
    measure_operations(threads, out->operations);
    return STATUS_OK;
}

/* ---- A device ---- */

/* Kernels and memory objects for measuring a device. */
struct bench {
    struct opencl_queue q;
    cl_kernel copy, compute, nothing;
    cl_mem from, to;
};

static int bench_open(const struct device *device, struct bench *b) {
    AUTO_FREE char *text = source_read((const char *const[]){"measure.h"}, 1, true);
    const cl_int rounds = DEVICE_ROUNDS;
    if (queue_open(device, &b->q) || compile_text(&b->q, 1, (const char **)&text, "") ||
        queue_create_kernel(&b->q, "measure_copy", &b->copy) ||
        queue_create_kernel(&b->q, "measure_operations", &b->compute) ||
        queue_create_kernel(&b->q, "measure_launch", &b->nothing) ||
        queue_create_memory(&b->q, "the source of the copy", copied, NULL, &b->from) ||
        queue_create_memory(&b->q, "the copy", copied, NULL, &b->to))
        return STATUS_BAD;
    const cl_int error = KERNEL_SET(b->copy, 0, ARGUMENT(b->from), ARGUMENT(b->to)) |
                         KERNEL_SET(b->compute, 0, ARGUMENT(b->to), ARGUMENT(rounds)) |
                         KERNEL_SET(b->nothing, 0, ARGUMENT(b->to));
    return error ? opencl_failed("clSetKernelArg", error) : STATUS_OK;
}

/* Seconds for `times` launches of a kernel. If calls fail, *any becomes an error code, or several error codes combined
 * by a bitwise OR. */
static double launch(const struct bench *b, cl_kernel kernel, size_t items, size_t group, int times, cl_int *any) {
    const double begin = clock_now();
    for (int t = 0; t < times && !*any; ++t)
        *any |= clEnqueueNDRangeKernel(b->q.commands, kernel, 1, NULL, &items, group ? &group : NULL, 0, NULL, NULL);
    *any |= clFinish(b->q.commands);
    return clock_now() - begin;
}

/* How many launches to time together, from 1 to TIMES_MOST. Together they should take about 0.02 s, because the time of
 * waiting for their end is then negligible. `once` is the time of one launch in s. */
static int times_for(double once) {
    const double enough = 0.02; /* s */
    return once >= enough ? 1 : once * TIMES_MOST <= enough ? TIMES_MOST : (int)(enough / once);
}

int roofline_measure_device(int index, struct roofline_limits *out) {
    const struct device *device = &device_list()->devices[index];
    struct bench b = {0};
    *out = (struct roofline_limits){.device = device->name};
    const int status = bench_open(device, &b);
    cl_int any = CL_SUCCESS;
    int copies = 1, computes = 1;
    for (int k = -1; k < ROOFLINE_SAMPLES && !any && !status;
         ++k) { /* pass -1 is not counted: in this pass, pages are allocated, clock rates rise, and code is loaded */
        const double copy = launch(&b, b.copy, copied / 16, 128, copies, &any);
        const double compute = launch(&b, b.compute, DEVICE_ITEMS, 128, computes, &any);
        const double nothing = launch(&b, b.nothing, 1, 0, LAUNCHES, &any);
        if (k < 0) {
            copies = times_for(copy);
            computes = times_for(compute);
            continue;
        }
        out->copy[k] = 2 * (double)copied * copies / copy;
        out->operations[k] = 2.0 * 4 * LANES * DEVICE_ROUNDS * DEVICE_ITEMS * computes / compute;
        out->launch[k] = nothing / LAUNCHES;
    }
    queue_close(&b.q);
    return status ? status
           : any  ? fail("device '%s': its limits cannot be measured (%s)", device->name, device_error_name(any))
                  : STATUS_OK;
}
