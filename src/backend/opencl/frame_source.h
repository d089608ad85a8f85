/* Generates a frame kernel: a program's whole frame as one kernel in OpenCL C. */
#ifndef SPRINGBACK_BACKEND_FRAME_SOURCE_H
#define SPRINGBACK_BACKEND_FRAME_SOURCE_H

#include "backend/opencl/frame_shape.h"

/* The source of the kernel `springback_frame`, newly allocated. It must be compiled after the program's own source with
 * frame_options, and run in this shape. Its arguments are the program's buffers in order; the parameters; the index of
 * the frame's first step; the counter of arrivals of groups at barriers (4 bytes); the counter's value before the
 * frame, which is needed because the counter is never reset; and, if a stage adds up, memory for two quads for each
 * group. For an ensemble they are MEMBER_ARGUMENTS (kernels/frame.h). */
char *frame_source(const struct program *program, const struct frame_shape *shape);

/* Compiler options for a frame kernel, newly allocated: FRAME; GROUPS, if the number of groups should be a constant;
 * WARPS, if each warp adds up the groups' sums; FRAME_SPACE, SPARE_SPACE and STATE_SPACE = __local, if these buffers
 * are in local memory; FRAME_CACHES_CONSTRAINTS, if lanes cache prefetched data; ORDERED, if the nodes are ordered; and
 * LIST_PROGRAM and the MEMBER_ constants for an ensemble. */
char *frame_options(const struct program *program, const struct frame_shape *shape);

#endif
