/* A way of running on OpenCL that is asked for against the rules, for benches and tests: SPRINGBACK_OPENCL holds words.
 *
 * "launches": none of a frame's kernel; "fused": the fused stages on a processor, too; "plain": the other one
 * everywhere. Of a listed program's frame (frame_shape.h) also "one" group, "many", "lanes=N" of a group, taken
 * "ahead", "bare" (ahead, but neither held in registers nor all of a lane at once) or "behind" the meeting, or
 * all "global". Of a member's frame "state", in local memory, which goes by the
 * other table, and what lanes "hold" of their nodes, on a processor, too. */
#ifndef SPRINGBACK_BACKEND_WAY_H
#define SPRINGBACK_BACKEND_WAY_H

#include "backend/opencl/frame_shape.h"

/* Fails where the environment has an unknown word. */
int way_check(void);

/* Whether the environment has the word. */
bool way_has(const char *word);

/* Whether a warning of a device's compiler is an error, as SPRINGBACK_STRICT=1 asks for in the tests. */
bool way_is_strict(void);

/* Whether a device takes no fused stages (program.h): by the rule processors, on which a barrier costs little. */
bool way_is_plain(const struct device *device);

/* What of it frame_shape_choose is to heed. */
struct frame_wish way_wish(void);

#endif
