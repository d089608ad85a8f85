/* The element functions of kernels/mass_spring.h, over ranges. */
#include "method/mass_spring_loops.h"

#include "mass_spring.h"
#include "method/loops.h"

void LOOP(mass_spring_grid_loop)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct mass_spring m = {.position = buffers[0],
                                  .velocity = buffers[1],
                                  .position_next = buffers[2],
                                  .velocity_next = buffers[3],
                                  .p = *(const struct mass_spring_parameters *)parameters,
                                  .step = step};
    for (int row = range.row_begin; row < range.row_end; ++row)
        for (int column = range.column_begin; column < range.column_end; ++column)
            mass_spring_grid_step(column, row, &m);
}

void LOOP(mass_spring_network_loop)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct mass_spring m = {.position = buffers[0],
                                  .velocity = buffers[1],
                                  .position_next = buffers[2],
                                  .velocity_next = buffers[3],
                                  .start = buffers[4],
                                  .neighbour = buffers[5],
                                  .rest = buffers[6],
                                  .p = *(const struct mass_spring_parameters *)parameters,
                                  .step = step};
    for (int i = range.column_begin; i < range.column_end; ++i)
        mass_spring_network_step(i, &m);
}
