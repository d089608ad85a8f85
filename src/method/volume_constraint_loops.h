/* The loops of volume_constraint_loops.c, once a precision; those of the paper's own program in floats alone; and
 * those of volume_constraint_lanes.c, once a precision and level. */
#ifndef SPRINGBACK_METHOD_VOLUME_CONSTRAINT_LOOPS_H
#define SPRINGBACK_METHOD_VOLUME_CONSTRAINT_LOOPS_H

#include "method/loops.h"
#include "method/program.h"

kernel_loop volume_constraint_begin_float, volume_constraint_begin_double;
kernel_loop volume_constraint_printed_float, volume_constraint_printed_double;
kernel_loop volume_constraint_late_float, volume_constraint_late_double;
kernel_loop volume_constraint_end_float, volume_constraint_end_double;
kernel_loop volume_constraint_contact_float, volume_constraint_contact_double;

kernel_loop volume_constraint_spring_forces_float, volume_constraint_node_forces_float, volume_constraint_volume_float,
    volume_constraint_volume_shares_float, volume_constraint_jacobian_float, volume_constraint_system_float,
    volume_constraint_system_shares_float, volume_constraint_constrain_float, volume_constraint_constrain_by_sums_float,
    volume_constraint_update_float;

ROWS_DECLARE(volume_constraint_begin_lanes_float);
ROWS_DECLARE(volume_constraint_begin_lanes_double);
ROWS_DECLARE(volume_constraint_end_lanes_float);
ROWS_DECLARE(volume_constraint_end_lanes_double);

#endif
