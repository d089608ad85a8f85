/* OpenCL's entry points to mass_spring.h. What runs a whole frame is inlined: PoCL 3.1 reads 0 where a function that is
 * not is given a pointer to local memory. */
#include "mass_spring.h"

ENTRY void mass_spring_grid(STATE_SPACE const quad *position, STATE_SPACE const quad *velocity,
                            STATE_SPACE quad *position_next, STATE_SPACE quad *velocity_next,
                            const struct mass_spring_parameters p, const int step WORK_ITEM_PARAMETER) {
    const struct mass_spring m = {position, velocity, position_next, velocity_next, 0, 0, 0, p, step};
    const int column = WORK_COLUMN(p.columns), row = WORK_ROW(p.columns);
    if (column >= p.columns || row >= p.rows)
        return;
    /* Two rows and columns from the border every neighbour is there and need not be looked for: a tenth of the large
     * cloth's time on the H100. In a small cloth nearly every warp holds border nodes, and would go both ways. */
    const int inside = column >= 2 && column < p.columns - 2 && row >= 2 && row < p.rows - 2;
    if (inside && p.is_large)
        mass_spring_grid_step(column, row, 0, &m);
    else
        mass_spring_grid_step(column, row, 1, &m);
}

INLINE void mass_spring_network_held(STATE_SPACE const quad *position, STATE_SPACE const quad *velocity,
                                     STATE_SPACE quad *position_next, STATE_SPACE quad *velocity_next,
                                     __global const int *start, __global const int *neighbour,
                                     __global const real *rest, const struct mass_spring_parameters p,
                                     const int step, const struct ring *ring WORK_ITEM_PARAMETER) {
    const struct mass_spring m = {position, velocity, position_next, velocity_next, start, neighbour, rest, p, step};
    const int i = WORK_ITEM;
    if (i < p.columns)
        mass_spring_network_step(i, ring, &m);
}

INLINE struct ring mass_spring_hold(__global const int *start, __global const int *neighbour,
                                    __global const real *rest,
                                    const struct mass_spring_parameters p WORK_ITEM_PARAMETER) {
    const int i = WORK_ITEM;
    return ring_take(i < p.columns ? i : 0, start, 0, neighbour, rest);
}

ENTRY void mass_spring_network(STATE_SPACE const quad *position, STATE_SPACE const quad *velocity,
                               STATE_SPACE quad *position_next, STATE_SPACE quad *velocity_next,
                               __global const int *start, __global const int *neighbour, __global const real *rest,
                               const struct mass_spring_parameters p, const int step WORK_ITEM_PARAMETER) {
    const struct ring ring = mass_spring_hold(start, neighbour, rest, p WORK_ITEM_ARGUMENT);
    mass_spring_network_held(position, velocity, position_next, velocity_next, start, neighbour, rest, p, step,
                             &ring WORK_ITEM_ARGUMENT);
}

ENTRY void mass_spring_contact_nodes(STATE_SPACE quad *position, STATE_SPACE quad *velocity,
                                     const struct mass_spring_parameters p, const int step WORK_ITEM_PARAMETER) {
    const int i = WORK_ITEM;
    if (i < p.columns)
        mass_spring_contact(i, position, velocity, p, step);
}

#ifndef REAL_IS_double
ENTRY void mass_spring_spring_forces(__global quad *position, __global quad *velocity, __global real *force,
                                     __global const int *spring, __global const real *rest,
                                     const struct mass_spring_parameters p, const int step WORK_ITEM_PARAMETER) {
    const struct mass_spring_paper m = {position, velocity, force, spring, rest, p, step};
    const int s = WORK_ITEM;
    if (s < p.spring_count)
        mass_spring_paper_force(s, &m);
}

ENTRY void mass_spring_update_nodes(__global quad *position, __global quad *velocity, __global real *force,
                                    const struct mass_spring_parameters p, const int step WORK_ITEM_PARAMETER) {
    const struct mass_spring_paper m = {position, velocity, force, 0, 0, p, step};
    const int i = WORK_ITEM;
    if (i < p.columns)
        mass_spring_paper_update(i, &m);
}
#endif
