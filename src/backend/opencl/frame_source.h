/* A program's whole frame as one kernel in OpenCL C. */
#ifndef SPRINGBACK_BACKEND_FRAME_SOURCE_H
#define SPRINGBACK_BACKEND_FRAME_SOURCE_H

#include "backend/opencl/frame_shape.h"

/* The source of the kernel `springback_frame`, to be compiled behind the program's own with the options of frame_define
 * and to run in this shape. Its arguments: the program's buffers in order, the parameters, the index of the frame's
 * first step, a counter of the groups that have come to a meeting (4 bytes), the value from which it counts; where a
 * stage adds up, room for two quads a group. Of members its arguments are MEMBER_ARGUMENTS (kernels/frame.h). Newly
 * allocated. */
char *frame_source(const struct program *program, const struct frame_shape *shape);

/* What the kernels are told about the frame: FRAME; GROUPS, where the compiler is to know it (kernels/frame.h); WARPS,
 * where each warp adds up the groups' sums; member_define's, of members; FRAME_SPACE=__local, where
 * what lives for a frame is local; STATE_SPACE=__local, where the state is; FRAME_HOLDS,
 * where lanes hold what they take through a repetition. As a compiler's options, newly allocated. */
char *frame_define(const struct program *program, const struct frame_shape *shape);

#endif
