/* Generates a frame kernel: a program's whole frame as one kernel in OpenCL C. */
#ifndef SPRINGBACK_BACKEND_FRAME_SOURCE_H
#define SPRINGBACK_BACKEND_FRAME_SOURCE_H

#include "backend/opencl/frame_shape.h"

/* The source of the kernel `springback_frame`. This source must be compiled after the program's own source, with
 * frame_options. The kernel must run in this shape. Newly allocated; the caller frees it.
 *
 * The kernel's arguments are, in order: the program's buffers; the parameters; the index of the frame's first step; the
 * counter of arrivals of groups at barriers (4 bytes); and the counter's value before the frame, because the counter is
 * never reset. If there is a STAGE_SUM, the last argument is memory for two quads (vectors of four reals) for each
 * group. For an ensemble the arguments are MEMBER_ARGUMENTS (kernels/frame.h). */
char *frame_source(const struct program *program, const struct frame_shape *shape);

/* Compiler options that define the macros of a frame kernel. Newly allocated; the caller frees them.
 *
 *   FRAME                                   always
 *   GROUPS                                  if the number of groups should be a constant (kernels/frame.h)
 *   WARPS                                   if each warp adds up the groups' sums
 *   FRAME_SPACE, SPARE_SPACE, STATE_SPACE   __local, if these buffers are in local memory
 *   FRAME_CACHES_CONSTRAINTS                if lanes use the register cache
 *   ORDERED, FIRST_NODE, SHARE_PLANE        if the nodes are ordered
 *   LIST_PROGRAM, MEMBER_...                for an ensemble */
char *frame_options(const struct program *program, const struct frame_shape *shape);

#endif
