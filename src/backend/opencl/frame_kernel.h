/* A program's whole frame as one OpenCL kernel: where a body is small, launches are all that a step costs. */
#ifndef SPRINGBACK_BACKEND_FRAME_KERNEL_H
#define SPRINGBACK_BACKEND_FRAME_KERNEL_H

#include "backend/opencl/device.h"
#include "method/program.h"

#include <stdbool.h>
#include <stdio.h>

/* Sums of a table for a CPU's frame at most: PoCL takes a quarter of a minute to compile one of three. */
enum { FRAME_SUMS = 2 };

/* Work groups that step together. Between two stages all of them meet. */
struct frame_shape {
    size_t local[2], global[2];
    int groups;
};

/* Whether a program's frames are to run as one kernel on a device, and in what shape. The rule: a frame has several
 * stages, all over the same items, none of them on the host, and either one work group holds them (of at most 256
 * items, and two sums, on a CPU, where it has one core), or the device is one where groups may wait for each other, and
 * groups of 64 to 256 items have a compute unit each (on an H100, 64 x 64 nodes step in 2.7 us, in 5.4 by launches;
 * beyond 33,792 nodes nothing is gained), or, where there are sums, each two launches more, of up to 1,024 items (50
 * iterations of 256 x 256 nodes' conjugate gradients take 0.39 ms, 1.1 by launches). OpenCL 1.2 promises that for no
 * device; NVIDIA's have been seen to do it. */
bool frame_shape_choose(const struct device *device, const struct program *program, size_t group_size,
                        struct frame_shape *out);

/* Write a bracket of a table, the stage of that index, as a loop's begin or end; `depth` is how deep in loops it
 * stands, and is moved on. How often it turns is the stage's count, or what a macro COUNT of its index says. */
void frame_write_bracket(FILE *out, const struct stage *stage, int index, bool by_macro, int *depth);

/* Write that two buffers exchange their pointers, NAME and the buffer's index, into a space of OpenCL C. */
void frame_write_swap(FILE *out, const struct program *program, const struct stage *stage, const char *space,
                      const char *name, int indent);

/* Declare NAME as what the program holds of an item (program.h: held); `last` is the last argument of the function that
 * takes it (kernel_source.h). */
void frame_write_held(FILE *out, const struct program *program, const char *name, const char *last);

/* The source of the kernel `springback_frame`, to be compiled behind the program's own with the options of
 * frame_define, and to run in this shape. Its arguments: the program's buffers in order, the parameters, the index of
 * the frame's first step, a counter of the groups that have come to a meeting (4 bytes), the value from which it
 * counts, and room for two quads a group. Newly allocated. */
char *frame_kernel_source(const struct program *program, const struct device *device, const struct frame_shape *shape);

/* What the kernels are told about the frame: FRAME; WARPS, where warps add up; GROUPS, where there is one. As a
 * compiler's options, newly allocated. */
char *frame_define(const struct program *program, const struct device *device);

/* How many meetings a frame has. */
long frame_meetings(const struct program *program);

/* Whether what a stage's kernel leaves at its items' own indices is added up by the stage behind it: a work item that
 * adds up its own need not wait for others. The stage is one of the fused stages, or, without them, of the others. */
bool frame_is_summed(const struct program *program, const struct stage *stage);

/* For launches: the source of the kernel `springback_sum`, which adds up quads, up to 8 a work item; and of a kernel
 * `springback_summed_K` for each stage K of the fused stages that frame_is_summed, which does both and leaves a sum a
 * group in its last argument. Newly allocated. */
char *frame_sum_source(const struct program *program);

#endif
