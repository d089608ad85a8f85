/* OpenCL's entry points to mass_spring.h. */
#include "mass_spring.h"

__kernel void mass_spring_grid(__global const quad *position, __global const quad *velocity,
                               __global quad *position_next, __global quad *velocity_next,
                               const struct mass_spring_parameters p, const int step) {
    const struct mass_spring m = {position, velocity, position_next, velocity_next, 0, 0, 0, p, step};
    const int column = (int)get_global_id(0), row = (int)get_global_id(1);
    if (column < p.columns && row < p.rows)
        mass_spring_grid_step(column, row, &m);
}

__kernel void mass_spring_network(__global const quad *position, __global const quad *velocity,
                                  __global quad *position_next, __global quad *velocity_next,
                                  __global const int *start, __global const int *neighbour, __global const real *rest,
                                  const struct mass_spring_parameters p, const int step) {
    const struct mass_spring m = {position, velocity, position_next, velocity_next, start, neighbour, rest, p, step};
    const int i = (int)get_global_id(0);
    if (i < p.columns)
        mass_spring_network_step(i, &m);
}
