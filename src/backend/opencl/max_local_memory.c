#include "backend/opencl/max_local_memory.h"

#include "backend/source.h"
#include "base/memory.h"

#include <stdlib.h>

/* Local memory of groups on NVIDIA's devices of compute capability 9.0, 8.0, 8.6 and 7.5, less 1 kB each. */
static const size_t candidates[] = {226 << 10, 162 << 10, 98 << 10, 63 << 10};

enum { GROUPS = 4, LANES = 256, ROUNDS = 3 };

static bool runs(const struct device *device, cl_context context, cl_kernel kernel) {
    cl_uint wrong[GROUPS * LANES];
    const cl_uint seed = 1;
    const size_t lanes = LANES, items = GROUPS * lanes;
    cl_int error;
    for (size_t k = 0; k < items; ++k)
        wrong[k] = 1;
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof wrong, wrong, &error);
    if (error)
        return false;
    cl_command_queue queue = clCreateCommandQueue(context, device->id, 0, &error);
    if (!error) {
        error = clSetKernelArg(kernel, 0, sizeof memory, &memory);
        error = error ? error : clSetKernelArg(kernel, 1, sizeof seed, &seed);
        error = error ? error : clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &lanes, 0, NULL, NULL);
        error = error ? error : clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof wrong, wrong, 0, NULL, NULL);
        clReleaseCommandQueue(queue);
    }
    clReleaseMemObject(memory);
    for (size_t k = 0; k < items && !error; ++k)
        error = wrong[k] != 0;
    return !error;
}

bool local_memory_works(const struct device *device, cl_context context, size_t bytes) {
    AUTO_FREE char *text = source_read((const char *const[]){"measure.h"}, 1, true);
    AUTO_FREE char *options = text_format("-DLOCAL_WORDS=%zuu -DLOCAL_ROUNDS=%du", bytes / sizeof(cl_uint), ROUNDS);
    cl_int error;
    bool is_well = false;
    cl_program program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &error);
    if (error)
        return false;
    if (clBuildProgram(program, 1, &device->id, options, NULL, NULL) == CL_SUCCESS) {
        cl_kernel kernel = clCreateKernel(program, "measure_local_memory", &error);
        if (!error) {
            is_well = runs(device, context, kernel);
            clReleaseKernel(kernel);
        }
    }
    clReleaseProgram(program);
    return is_well;
}

size_t max_local_memory(const struct device *device, cl_context context) {
    static struct known {
        cl_device_id id;
        size_t bytes;
    } * known;
    static size_t count;
    for (size_t k = 0; k < count; ++k)
        if (known[k].id == device->id)
            return known[k].bytes;
    size_t bytes = (size_t)device->local_memory;
    for (size_t k = 0;
         device->has_global_barrier && k < sizeof candidates / sizeof *candidates && candidates[k] > bytes; ++k)
        if (local_memory_works(device, context, candidates[k]))
            bytes = candidates[k];
    *ARRAY_ADD(known, count) = (struct known){device->id, bytes};
    return bytes;
}
