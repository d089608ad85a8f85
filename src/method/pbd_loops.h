/* kernels/pbd.h over ranges, in both precisions. */
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

#endif
