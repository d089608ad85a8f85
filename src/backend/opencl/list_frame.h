/* What calls the functions of a listed program (program.h: is_listed): entry points for launches, and its whole frame
 * as one kernel. A constraint solver that goes colour by colour has hundreds of short stages a step, and of each a
 * launch would be most of the time. */
#ifndef SPRINGBACK_BACKEND_LIST_FRAME_H
#define SPRINGBACK_BACKEND_LIST_FRAME_H

#include "backend/opencl/list_shape.h"

/* The source of the kernel `springback_frame`, to be compiled behind the program's own with the options of
 * list_frame_define. Its arguments: the program's buffers in order, the parameters, the index of the frame's first
 * step, a counter of the groups that have come to a meeting (4 bytes), the value from which it counts; where a stage
 * adds up, room for two quads a group. Of members its arguments are member_source.h's. Newly allocated. */
char *list_frame_source(const struct program *program, const struct list_shape *shape);

/* What the kernels are told about the frame: FRAME; GROUPS; LISTED, of members; FRAME_SPACE=__local, where what lives
 * for a frame is local, or FRAME_NEAR, how much of it; STATE_SPACE=__local, where the state is; FRAME_HOLDS, where
 * lanes hold what they take through a repetition. As a compiler's options, newly allocated. */
char *list_frame_define(const struct program *program, const struct list_shape *shape);

/* The source of a kernel `springback_list_NAME` for each of the program's: its buffers, the parameters, the step, and
 * of its items the first and the one behind the last. Newly allocated. */
char *list_launch_source(const struct program *program);

#endif
