/* A queue on a device, with the program, kernels and memories that were made for it and are released with it. */
#ifndef SPRINGBACK_BACKEND_QUEUE_H
#define SPRINGBACK_BACKEND_QUEUE_H

#include "backend/opencl/device.h"
#include "method/program.h"

enum { QUEUE_KERNELS = PROGRAM_KERNELS + PROGRAM_STAGES + 1, QUEUE_MEMORIES = PROGRAM_BUFFERS + 5 };

struct queue {
    const struct device *device;
    cl_context context;
    cl_command_queue commands;
    cl_program program; /* compile.h, or NULL */
    cl_kernel kernels[QUEUE_KERNELS];
    cl_mem memories[QUEUE_MEMORIES];
    size_t group_size; /* work items that groups of all kernels may have */
    int kernel_count, memory_count;
};

/* What returns a status says what is wrong. A queue is closed also where opening it fails. */
int queue_open(const struct device *device, struct queue *q);
void queue_close(struct queue *q);

/* A kernel of the program, by its name. */
int queue_kernel(struct queue *q, const char *name, cl_kernel *out);

/* Release the kernels and the program. */
void queue_drop_program(struct queue *q);

/* So many bytes, at least 4; they hold `contents`, unless it is NULL. `name` is for the message. */
int queue_memory(struct queue *q, const char *name, size_t bytes, void *contents, cl_mem *out);

/* Put another memory in the place of one, which is released. */
void queue_replace(struct queue *q, cl_mem old, cl_mem new);

/* Write bytes of a memory, or read them, and wait for it. No bytes are nothing to do. */
int queue_write(const struct queue *q, cl_mem memory, size_t at, size_t bytes, const void *from);
int queue_read(const struct queue *q, cl_mem memory, size_t at, size_t bytes, void *to);

/* Set a kernel's arguments from the first-th on, up to one without a value: KERNEL_SET(kernel, 0, ARGUMENT(a)). */
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
