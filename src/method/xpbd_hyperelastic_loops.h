/* kernels/xpbd_hyperelastic.h over ranges: plain, in both precisions; and for vector units, once a precision and level.
 */
#ifndef SPRINGBACK_METHOD_XPBD_HYPERELASTIC_LOOPS_H
#define SPRINGBACK_METHOD_XPBD_HYPERELASTIC_LOOPS_H

#include "method/loops.h"
#include "method/program.h"

kernel_loop xpbd_element_float, xpbd_element_double;

ROWS_DECLARE(xpbd_element_lanes_float);
ROWS_DECLARE(xpbd_element_lanes_double);

#endif
