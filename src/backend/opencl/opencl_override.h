/* The environment variable SPRINGBACK_OPENCL, by which benches and tests override how a program runs. Its words:
 *
 * "launches": no frame kernel. "fused": the fused stages also on a processor. "plain": never the fused stages.
 *
 * For the shape of a frame of a list program or an ensemble (struct shape_override): "one" group; "many" groups, only
 * on a device with a global barrier; "lanes=N" of a group; "ahead": with prefetching; "behind": without; "bare": with
 * prefetching of one item only and without the register cache; "global": no local memory; "state": the state in local
 * memory; "resident": resident data. The last two are for ensembles, and also work on a processor. */
#ifndef SPRINGBACK_BACKEND_OPENCL_OVERRIDE_H
#define SPRINGBACK_BACKEND_OPENCL_OVERRIDE_H

#include "backend/opencl/frame_shape.h"

/* Fails if SPRINGBACK_OPENCL has an unknown word. */
int opencl_override_check(void);

/* Whether SPRINGBACK_OPENCL has the word. */
bool opencl_override_has(const char *word);

/* Whether SPRINGBACK_STRICT is 1: warnings of a device's compiler are then errors, as tests need. */
bool warnings_are_errors(void);

/* Whether a device runs without the fused stages (program.h). By default processors do, because a barrier or a launch
 * costs them less than the additional work of a fused stage. */
bool runs_unfused(const struct device *device);

/* The words about the shape of a frame. */
struct shape_override opencl_override_shape(void);

#endif
