/* Compare the results of number_items.h bit by bit: plain C, vector lanes, and the first bit-exact OpenCL device. */
#ifndef SPRINGBACK_TESTS_NUMBER_BITS_H
#define SPRINGBACK_TESTS_NUMBER_BITS_H

#include "backend/opencl/device.h"
#include "backend/source.h"
#include "base/memory.h"
#include "base/status.h"
#include "number_loops.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first bit-exact OpenCL device that can compute in double precision, or NULL. */
static inline const struct device *bit_exact_device(void) {
    const struct device_list *list = device_list();
    for (int d = 0; d < list->count; ++d)
        if (list->devices[d].bit_exact && list->devices[d].has_double)
            return &list->devices[d];
    return NULL;
}

static inline char *number_items_text(void) {
    FILE *file = fopen(SOURCE_DIR "/tests/kernels/number_items.h", "r");
    cr_assert_not_null(file);
    char *text = memory_new(65536, 1);
    cr_assert_lt(fread(text, 1, 65535, file), 65535);
    cr_assert_eq(fclose(file), 0);
    return text;
}

/* Run a kernel of number_items.h over n items. `in` has `fields` arrays of n reals, and `out` gets `results` arrays of
 * n reals; a real has real_size bytes. */
static inline void number_on_device(const struct device *device, const char *name, size_t real_size, int n,
                                    const void *in, int fields, void *out, int results) {
    static const char *const files[] = {"contact.h", "angle.h", "pbd.h", "exponential.h", "hyperelastic.h"};
    const size_t in_size = real_size * (size_t)n * (size_t)fields, out_size = real_size * (size_t)n * (size_t)results;
    char *source = source_read(files, sizeof files / sizeof *files, true), *items = number_items_text();
    const char *text[] = {source, items};
    cl_int error, count = n;
    const cl_context context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &error);
    cr_assert_eq(error, CL_SUCCESS);
    const cl_command_queue queue = clCreateCommandQueue(context, device->id, 0, &error);
    cr_assert_eq(error, CL_SUCCESS);
    const cl_program program = clCreateProgramWithSource(context, 2, text, NULL, &error);
    cr_assert_eq(error, CL_SUCCESS);
    char *options = text_format("-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -DREAL_IS_%s",
                                real_size == sizeof(double) ? "double" : "float");
    if (clBuildProgram(program, 1, &device->id, options, NULL, NULL)) {
        char *log = memory_new(65536, 1);
        clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 65535, log, NULL);
        cr_assert_fail("%s", log);
    }
    const cl_kernel kernel = clCreateKernel(program, name, &error);
    cr_assert_eq(error, CL_SUCCESS);
    cl_mem memory[2];
    memory[0] = clCreateBuffer(context, CL_MEM_READ_WRITE, in_size, NULL, &error);
    cr_assert_eq(error, CL_SUCCESS);
    memory[1] = clCreateBuffer(context, CL_MEM_READ_WRITE, out_size, NULL, &error);
    cr_assert_eq(error, CL_SUCCESS);
    cr_assert_eq(clEnqueueWriteBuffer(queue, memory[0], CL_TRUE, 0, in_size, in, 0, NULL, NULL), CL_SUCCESS);
    for (cl_uint k = 0; k < 2; ++k)
        cr_assert_eq(clSetKernelArg(kernel, k, sizeof memory[k], &memory[k]), CL_SUCCESS);
    cr_assert_eq(clSetKernelArg(kernel, 2, sizeof count, &count), CL_SUCCESS);
    const size_t items_count = (size_t)n;
    cr_assert_eq(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items_count, NULL, 0, NULL, NULL), CL_SUCCESS);
    cr_assert_eq(clEnqueueReadBuffer(queue, memory[1], CL_TRUE, 0, out_size, out, 0, NULL, NULL), CL_SUCCESS);
    clReleaseMemObject(memory[0]);
    clReleaseMemObject(memory[1]);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(options);
    free(source);
    free(items);
}

/* Replace every NaN by the same NaN, because the bits of NaNs differ between devices. The program does the same before
 * it hashes a state. */
static inline void even_nan(void *numbers, size_t real_size, size_t count) {
    float *f = numbers;
    double *d = numbers;
    for (size_t k = 0; k < count; ++k)
        if (real_size == sizeof *f)
            f[k] = f[k] == f[k] ? f[k] : 0.0F / 0.0F;
        else
            d[k] = d[k] == d[k] ? d[k] : 0.0 / 0.0;
}

/* Expect bit-identical results from all `count` loops and from the kernel on a bit-exact OpenCL device. */
static inline void expect_same_bits(const char *kernel, number_loop *const *loops, int count, size_t real_size, int n,
                                    const void *in, int fields, int results) {
    const size_t all = (size_t)n * (size_t)results;
    const struct device *device = bit_exact_device();
    char *first = memory_new(all, real_size), *other = memory_new(all, real_size);
    loops[0](n, in, first);
    even_nan(first, real_size, all);
    cr_assert_not_null(device,
                       "there is no bit-exact OpenCL device with doubles; install pocl-opencl-icd (packages.txt)");
    for (int k = 1; k <= count; ++k) {
        if (k < count)
            loops[k](n, in, other);
        else
            number_on_device(device, kernel, real_size, n, in, fields, other, results);
        even_nan(other, real_size, all);
        for (size_t x = 0; x < all; ++x)
            cr_assert_eq(
                memcmp(first + x * real_size, other + x * real_size, real_size), 0,
                "loop %d differs from loop 0, for numbers of %zu bytes: result %zu of item %zu; loop %d is the device",
                k, real_size, x / (size_t)n, x % (size_t)n, count);
    }
    free(first);
    free(other);
}

#endif
