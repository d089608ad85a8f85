/* Compiles a program's kernels for a device. */
#ifndef SPRINGBACK_BACKEND_COMPILE_H
#define SPRINGBACK_BACKEND_COMPILE_H

#include "backend/opencl/frame_shape.h"
#include "backend/opencl/queue.h"

/* Report that an OpenCL call failed, and clear the kept contexts (context.h). Returns STATUS_BAD. */
int opencl_failed(const char *what, cl_int error);

/* Compile `count` texts as the queue's program. On failure, the message contains the output of the device's
 * compiler. */
int compile_text(struct opencl_queue *q, int count, const char **text, const char *options);

/* Compile the program's sources (backend/source.h), its kernel functions (kernel_source.h) and `generated` into the
 * queue's program. Frees `generated`. `define` are compiler options such as " -DFRAME". A program that was compiled
 * before is read from context.h. */
int compile(struct opencl_queue *q, const struct program *program, char *generated, const char *define);

/* Compile a frame kernel. It may need more registers than the lanes of this shape have. Then *out is NULL, the queue
 * has no program, and *max_lanes is the number of lanes that it can have, which is fewer. An ensemble then compiles it
 * again for this number; a single run is launched stage by stage. The check is done only on devices without a global
 * barrier, because NVIDIA's devices report a maximum of 256 lanes for every kernel, but run larger groups. The queue
 * owns the kernel. On failure *out does not change. */
int compile_frame(struct opencl_queue *q, const struct program *program, const struct frame_shape *shape,
                  cl_kernel *out, size_t *max_lanes);

#endif
