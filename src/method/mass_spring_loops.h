/* The loops of mass_spring_loops.c, once a precision, and of mass_spring_rows.c and
 * mass_spring_lanes.c, once a precision and level. */
#ifndef SPRINGBACK_METHOD_MASS_SPRING_LOOPS_H
#define SPRINGBACK_METHOD_MASS_SPRING_LOOPS_H

#include "method/loops.h"
#include "method/program.h"

kernel_loop mass_spring_grid_loop_float, mass_spring_grid_loop_double;
kernel_loop mass_spring_network_loop_float, mass_spring_network_loop_double;
kernel_loop mass_spring_contact_nodes_float, mass_spring_contact_nodes_double;
kernel_loop mass_spring_spring_forces_float, mass_spring_update_nodes_float;

ROWS_DECLARE(mass_spring_grid_rows_float);
ROWS_DECLARE(mass_spring_grid_rows_double);
ROWS_DECLARE(mass_spring_network_lanes_float);
ROWS_DECLARE(mass_spring_network_lanes_double);

#endif
