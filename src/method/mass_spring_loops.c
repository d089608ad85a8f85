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
    const int columns = m.p.columns, rows = m.p.rows;
    for (int row = range.row_begin; row < range.row_end; ++row) {
        /* From `first` to `last` every neighbour is there, and none is looked for. */
        const int has_inside = row >= 2 && row < rows - 2 && columns > 4;
        const int first = has_inside ? 2 : columns, last = has_inside ? columns - 2 : columns;
        int column = range.column_begin;
        for (; column < range.column_end && column < first; ++column)
            mass_spring_grid_step(column, row, 1, &m);
        const int end = range.column_end < last ? range.column_end : last;
        INDEPENDENT
        for (; column < end; ++column)
            mass_spring_grid_step(column, row, 0, &m);
        for (; column < range.column_end; ++column)
            mass_spring_grid_step(column, row, 1, &m);
    }
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
    for (int i = range.column_begin; i < range.column_end; ++i) {
        const struct ring ring = ring_take(i, m.start, NULL, m.neighbour, m.rest);
        mass_spring_network_step(i, &ring, &m);
    }
}

void LOOP(mass_spring_contact_nodes)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct mass_spring_parameters *p = parameters;
    for (int i = range.column_begin; i < range.column_end; ++i)
        mass_spring_contact(i, buffers[0], buffers[1], *p, step);
}

#ifndef REAL_IS_double
void mass_spring_spring_forces_float(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct mass_spring_paper m = {buffers[0], buffers[1], buffers[2],
                                        buffers[3], buffers[4], *(const struct mass_spring_parameters *)parameters,
                                        step};
    for (int s = range.column_begin; s < range.column_end; ++s)
        mass_spring_paper_force(s, &m);
}

void mass_spring_update_nodes_float(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct mass_spring_paper m = {
        buffers[0], buffers[1], buffers[2], NULL, NULL, *(const struct mass_spring_parameters *)parameters, step};
    for (int i = range.column_begin; i < range.column_end; ++i)
        mass_spring_paper_update(i, &m);
}
#endif
