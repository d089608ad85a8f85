/* Generates entry points in OpenCL C for launching a program's stages one by one. The entry points must be compiled
 * after kernel_source.h's functions and kernels/frame.h, which they call. */
#ifndef SPRINGBACK_BACKEND_LAUNCH_SOURCE_H
#define SPRINGBACK_BACKEND_LAUNCH_SOURCE_H

#include "method/program.h"

/* The entry points that kernel_source.h does not generate, newly allocated:
 *     springback_list_NAME(buffers, p, step, begin, end)  items `begin` to `end` - 1 of a list program's kernel
 *     springback_summed_K(buffers, p, step, to)           stage K, and the beginning of the STAGE_SUM after it
 *                                                         (stage_feeds_sum); leaves one sum for each group, or for each
 *                                                         warp on tiles
 *     springback_sum(from, count, take, to)               adds up `count` quads, `take` (up to 8) per work item;
 *                                                         leaves one sum for each group
 *     springback_sum_at_once(from, count, to, parts, finished)
 *                                                         adds up `count` quads (reduce_at_once in kernels/frame.h)
 *     springback_multistep(buffers, p, step, rows)        several time steps, if `multistep` is not NULL
 * `program` must have the same stages (fused or not) as when launch_shape_of chose the shape. If the program has a
 * BUFFER_SUMMED, this shape must fuse sums, because springback_summed_K keeps a BUFFER_SUMMED in private memory. */
char *launch_source(const struct program *program, const struct multistep *multistep);

#endif
