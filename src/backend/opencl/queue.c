#include "backend/opencl/queue.h"

#include "backend/opencl/compile.h"
#include "backend/opencl/context.h"
#include "base/memory.h"

int queue_open(const struct device *device, struct opencl_queue *q) {
    cl_int error;
    *q = (struct opencl_queue){.device = device, .max_group_size = device->max_group_size};
    q->context = context_open(device, &error);
    if (error)
        return opencl_failed("clCreateContext", error);
    q->commands = clCreateCommandQueue(q->context, device->id, 0, &error);
    return error ? opencl_failed("clCreateCommandQueue", error) : STATUS_OK;
}

void queue_release_program(struct opencl_queue *q) {
    while (q->kernel_count > 0)
        clReleaseKernel(q->kernels[--q->kernel_count]);
    if (q->program)
        clReleaseProgram(q->program);
    q->program = NULL;
    q->max_group_size = q->device->max_group_size;
}

void queue_close(struct opencl_queue *q) {
    queue_release_program(q);
    while (q->memory_count > 0)
        clReleaseMemObject(q->memories[--q->memory_count]);
    if (q->commands)
        clReleaseCommandQueue(q->commands);
    if (q->context)
        clReleaseContext(q->context);
}

int queue_create_kernel(struct opencl_queue *q, const char *name, cl_kernel *out) {
    cl_int error;
    size_t group = 0;
    cl_kernel kernel = clCreateKernel(q->program, name, &error);
    if (error) {
        AUTO_FREE char *what = text_format("creating the kernel %s", name);
        return opencl_failed(what, error);
    }
    clGetKernelWorkGroupInfo(kernel, q->device->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group, NULL);
    q->max_group_size = group && group < q->max_group_size ? group : q->max_group_size;
    *out = q->kernels[q->kernel_count++] = kernel;
    return STATUS_OK;
}

int queue_create_memory(struct opencl_queue *q, const char *name, size_t bytes, void *contents, cl_mem *out) {
    cl_int error;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0);
    cl_mem memory = clCreateBuffer(q->context, flags, bytes ? bytes : 4, contents, &error);
    if (error) {
        AUTO_FREE char *what = text_format("allocating device memory for %s", name);
        return opencl_failed(what, error);
    }
    *out = q->memories[q->memory_count++] = memory;
    return STATUS_OK;
}

int queue_write(const struct opencl_queue *q, cl_mem memory, size_t at, size_t bytes, const void *from) {
    const cl_int error =
        bytes ? clEnqueueWriteBuffer(q->commands, memory, CL_TRUE, at, bytes, from, 0, NULL, NULL) : CL_SUCCESS;
    return error ? opencl_failed("clEnqueueWriteBuffer", error) : STATUS_OK;
}

int queue_read(const struct opencl_queue *q, cl_mem memory, size_t at, size_t bytes, void *to) {
    const cl_int error =
        bytes ? clEnqueueReadBuffer(q->commands, memory, CL_TRUE, at, bytes, to, 0, NULL, NULL) : CL_SUCCESS;
    return error ? opencl_failed("clEnqueueReadBuffer", error) : STATUS_OK;
}

cl_int queue_set_arguments(cl_kernel kernel, cl_uint first, const struct argument *arguments) {
    cl_int error = CL_SUCCESS;
    for (; arguments->value && !error; ++arguments)
        error = clSetKernelArg(kernel, first++, arguments->size, arguments->value);
    return error;
}
