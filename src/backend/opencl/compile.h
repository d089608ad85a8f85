/* Compiles a program's kernels for a device. */
#ifndef SPRINGBACK_BACKEND_COMPILE_H
#define SPRINGBACK_BACKEND_COMPILE_H

#include "backend/opencl/frame_shape.h"
#include "backend/opencl/queue.h"

/* Report "OpenCL: WHAT failed: ERROR", and clear the stored contexts (context.h). `what` is an OpenCL call, a kernel or
 * an action. Returns STATUS_BAD. */
int opencl_failed(const char *what, cl_int error);

/* Compile `count` texts as the queue's program. If the device's compiler reports an error, the message contains the
 * compiler's output. */
int compile_text(struct opencl_queue *q, int count, const char **text, const char *options);

/* Compile three texts into the queue's program: the program's sources (backend/source.h), its kernel functions
 * (kernel_source.h), and `generated`. Frees `generated`. `define` has compiler options such as " -DFRAME". If the same
 * texts were already compiled with the same options, the stored program is used (context.h). */
int compile(struct opencl_queue *q, const struct program *program, char *generated, const char *define);

/* Compile a frame kernel; the queue owns the kernel. *max_lanes is the largest number of lanes that the device reports
 * for the kernel: if a kernel needs many registers, a group can have fewer lanes. If *max_lanes is less than
 * shape->lanes, *out becomes NULL and the queue has no program. An ensemble then compiles the kernel again for at most
 * *max_lanes lanes; a single run is launched stage by stage. On failure *out does not change.
 *
 * Devices with a global barrier (NVIDIA's) are not checked. They report a maximum of 256 lanes for every kernel, but
 * can run larger groups. */
int compile_frame(struct opencl_queue *q, const struct program *program, const struct frame_shape *shape,
                  cl_kernel *out, size_t *max_lanes);

#endif
