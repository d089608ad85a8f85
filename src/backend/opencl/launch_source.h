/* Entry points in OpenCL C by which a program's stages are launched one by one. They call the functions of
 * kernel_source.h, behind which they are compiled, and those of kernels/frame.h. */
#ifndef SPRINGBACK_BACKEND_LAUNCH_SOURCE_H
#define SPRINGBACK_BACKEND_LAUNCH_SOURCE_H

#include "method/program.h"

/* The entry points of a program, newly allocated:
 *
 *     springback_list_NAME(buffers, p, step, begin, end)   items `begin` to `end` - 1 of a listed program's kernel
 *     springback_summed_K(buffers, p, step, to)            stage K of the program's and the sum behind it, where
 *                                                          program_is_summed; it leaves a sum a group
 *     springback_sum(from, count, take, to)                adds up `count` quads, `take` (up to 8) a work item,
 * likewise
 */
char *launch_source(const struct program *program);

#endif
