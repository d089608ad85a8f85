/* kernels/xpbd.h over ranges: plain, in both precisions; and for vector units. */
#ifndef SPRINGBACK_METHOD_XPBD_LOOPS_H
#define SPRINGBACK_METHOD_XPBD_LOOPS_H

#include "method/loops.h"
#include "method/program.h"

#define XPBD_LOOPS(name)                                                                                               \
    kernel_loop name##_float;                                                                                          \
    kernel_loop name##_double

XPBD_LOOPS(xpbd_predict);
XPBD_LOOPS(xpbd_force);
XPBD_LOOPS(xpbd_turn);
XPBD_LOOPS(xpbd_damp);
XPBD_LOOPS(xpbd_collide);
XPBD_LOOPS(xpbd_update);
XPBD_LOOPS(xpbd_spring);
XPBD_LOOPS(xpbd_volume);
XPBD_LOOPS(xpbd_before);
XPBD_LOOPS(xpbd_volume_before);

#undef XPBD_LOOPS

/* Of xpbd_lanes.c, once a precision and level. */
#define XPBD_LANES(name)                                                                                               \
    ROWS_DECLARE(name##_float);                                                                                        \
    ROWS_DECLARE(name##_double)

XPBD_LANES(xpbd_predict_lanes);
XPBD_LANES(xpbd_collide_lanes);
XPBD_LANES(xpbd_update_lanes);
XPBD_LANES(xpbd_spring_lanes);
XPBD_LANES(xpbd_volume_lanes);

#undef XPBD_LANES

#endif
