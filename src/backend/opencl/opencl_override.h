/* The environment variable SPRINGBACK_OPENCL. Benchmarks and tests use it to override how a program runs. Its value is
 * a list of words, separated by spaces:
 *
 *   launches   no frame kernel, and no launch of several steps of a grid
 *   strips     no frame kernel, and two steps of a grid in each launch (kernels/mass_spring_strips.h), also on a CPU
 *   blocks     like strips, but by kernels/mass_spring_blocks.h
 *   fused      the fused stages also on a CPU
 *   plain      never the fused stages
 *
 * These words override the shape of a frame of a list program or an ensemble (struct shape_override):
 *
 *   one        one work group
 *   many       several work groups, only on a device with a global barrier
 *   lanes=N    N lanes of a group, if a group can have N lanes
 *   ahead      with prefetching
 *   behind     without prefetching
 *   bare       with prefetching of one item only, and without the register cache; for ensembles, also without ordered
 *              nodes
 *   global     without buffers in local memory
 *   state      the state in local memory, also on a CPU; only for ensembles
 *   resident   with `state` and lanes=N: resident data also on a CPU; only for ensembles */
#ifndef SPRINGBACK_BACKEND_OPENCL_OVERRIDE_H
#define SPRINGBACK_BACKEND_OPENCL_OVERRIDE_H

#include "backend/opencl/frame_shape.h"

/* Fails if SPRINGBACK_OPENCL has an unknown word. */
int opencl_override_check(void);

/* Whether the list of words in SPRINGBACK_OPENCL has `word`. */
bool opencl_override_has(const char *word);

/* Whether SPRINGBACK_STRICT is 1. Warnings of a device's compiler are then errors. Tests need this. */
bool warnings_are_errors(void);

/* Whether a device runs without the fused stages (program.h). By default, only a CPU runs without them, because on a
 * CPU a barrier or a launch costs less than the additional work of a fused stage. */
bool runs_unfused(const struct device *device);

/* The requests of SPRINGBACK_OPENCL for the shape of a frame. */
struct shape_override opencl_override_shape(void);

#endif
