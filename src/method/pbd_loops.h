/* kernels/pbd.h over ranges: plain, in both precisions; and for vector units. */
#ifndef SPRINGBACK_METHOD_PBD_LOOPS_H
#define SPRINGBACK_METHOD_PBD_LOOPS_H

#include "method/loops.h"
#include "method/program.h"

#define PBD_LOOPS(name)                                                                                                \
    kernel_loop name##_float;                                                                                          \
    kernel_loop name##_double

PBD_LOOPS(pbd_predict);
PBD_LOOPS(pbd_collide);
PBD_LOOPS(pbd_update);
PBD_LOOPS(pbd_edge);
PBD_LOOPS(pbd_link);
PBD_LOOPS(pbd_bend);
PBD_LOOPS(pbd_strain);
PBD_LOOPS(pbd_edge_apart);
PBD_LOOPS(pbd_link_apart);
PBD_LOOPS(pbd_bend_apart);
PBD_LOOPS(pbd_strain_apart);
PBD_LOOPS(pbd_average);

#undef PBD_LOOPS

/* Of pbd_lanes.c, once a precision and level. */
#define PBD_LANES(name)                                                                                                \
    ROWS_DECLARE(name##_float);                                                                                        \
    ROWS_DECLARE(name##_double)

PBD_LANES(pbd_predict_lanes);
PBD_LANES(pbd_collide_lanes);
PBD_LANES(pbd_update_lanes);
PBD_LANES(pbd_edge_lanes);
PBD_LANES(pbd_link_lanes);
PBD_LANES(pbd_bend_lanes);
PBD_LANES(pbd_strain_lanes);

#undef PBD_LANES

#endif
