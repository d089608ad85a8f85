/* A command queue on a device, with the program, kernels and memory objects that are released with it. */
#ifndef SPRINGBACK_BACKEND_QUEUE_H
#define SPRINGBACK_BACKEND_QUEUE_H

#include "backend/opencl/device.h"
#include "method/program.h"

enum { QUEUE_KERNELS = PROGRAM_KERNELS + PROGRAM_STAGES + 1, QUEUE_MEMORIES = PROGRAM_BUFFERS + 5 };

struct opencl_queue {
    const struct device *device;
    cl_context context;
    cl_command_queue commands;
    cl_program program; /* compiled by compile.h; NULL if there is no compiled program */
    cl_kernel kernels[QUEUE_KERNELS];
    cl_mem memories[QUEUE_MEMORIES];
    size_t max_group_size; /* maximum work items of a group that the device and all kernels of the queue allow */
    int kernel_count, memory_count;
};

/* Open a context and a command queue on a device, which must outlive the queue. A queue must be closed even if
 * queue_open failed. Functions of this file that return a status also report the error. */
int queue_open(const struct device *device, struct opencl_queue *q);
void queue_close(struct opencl_queue *q);

/* Create a kernel of the program, and lower q->max_group_size to the kernel's own maximum. The queue owns the kernel.
 * On failure *out does not change. */
int queue_create_kernel(struct opencl_queue *q, const char *name, cl_kernel *out);

/* Release the kernels and the program, and set q->max_group_size to the device's maximum. */
void queue_release_program(struct opencl_queue *q);

/* Create a memory object of `bytes` bytes (4 if `bytes` is 0), filled with `contents` unless that is NULL. `name` is
 * for messages. The queue owns the memory object. On failure *out does not change. */
int queue_create_memory(struct opencl_queue *q, const char *name, size_t bytes, void *contents, cl_mem *out);

/* Write or read `bytes` bytes of a memory object, from the offset `at`, and wait for the end. Zero bytes are allowed.
 */
int queue_write(const struct opencl_queue *q, cl_mem memory, size_t at, size_t bytes, const void *from);
int queue_read(const struct opencl_queue *q, cl_mem memory, size_t at, size_t bytes, void *to);

/* Set a kernel's arguments from argument `first` on: KERNEL_SET(kernel, 0, ARGUMENT(a), ARGUMENT(b)). Returns an OpenCL
 * error code. */
struct argument {
    size_t size;
    const void *value;
};
cl_int queue_set_arguments(cl_kernel kernel, cl_uint first, const struct argument *arguments);
#define ARGUMENT(x)                                                                                                    \
    { sizeof(x), &(x) }
#define KERNEL_SET(kernel, first, ...)                                                                                 \
    queue_set_arguments((kernel), (first), (const struct argument[]){__VA_ARGS__, {0, NULL}})

#endif
