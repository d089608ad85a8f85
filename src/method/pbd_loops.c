/* The element functions of kernels/pbd.h, over ranges: the twins of its functions for OpenCL. */
#include "method/pbd_loops.h"

#include "pbd.h"

#define PARAMETERS *(const struct pbd_parameters *)parameters
#define EACH(i)    for (int(i) = range.column_begin; (i) < range.column_end; ++(i))

static struct pbd of_nodes(void *const *buffers, const void *parameters, int step) {
    return (struct pbd){
        .position = buffers[0], .velocity = buffers[1], .predicted = buffers[2], .p = PARAMETERS, .step = step};
}

/* `correction` where there are four buffers. */
static struct pbd of_constraints(void *const *buffers, const void *parameters, int step, void *correction) {
    return (struct pbd){.predicted = buffers[0],
                        .particle = buffers[1],
                        .rest = buffers[2],
                        .correction = correction,
                        .p = PARAMETERS,
                        .step = step};
}

void LOOP(pbd_predict)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct pbd m = of_nodes(buffers, parameters, step);
    EACH(i)
    pbd_predict_item(i, &m);
}

void LOOP(pbd_collide)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct pbd m = {.predicted = buffers[0], .p = PARAMETERS, .step = step};
    EACH(i)
    pbd_collide_item(i, &m);
}

void LOOP(pbd_update)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct pbd m = of_nodes(buffers, parameters, step);
    EACH(i)
    pbd_update_item(i, &m);
}

void LOOP(pbd_edge)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct pbd m = of_constraints(buffers, parameters, step, 0);
    EACH(c)
    pbd_distance_item(c, m.p.edge_compression, m.p.edge_stretch, 0, 0, &m);
}

void LOOP(pbd_link)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct pbd m = of_constraints(buffers, parameters, step, 0);
    EACH(c)
    pbd_distance_item(c, m.p.link_compression, m.p.link_stretch, 0, 0, &m);
}

void LOOP(pbd_bend)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct pbd m = of_constraints(buffers, parameters, step, 0);
    EACH(c)
    pbd_bend_item(c, 0, &m);
}

void LOOP(pbd_strain)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct pbd m = of_constraints(buffers, parameters, step, 0);
    EACH(c)
    pbd_strain_item(c, &m);
}

void LOOP(pbd_edge_apart)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct pbd m = of_constraints(buffers, parameters, step, buffers[3]);
    EACH(c)
    pbd_distance_item(c, m.p.edge_compression, m.p.edge_stretch, 1, 0, &m);
}

void LOOP(pbd_link_apart)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct pbd m = of_constraints(buffers, parameters, step, buffers[3]);
    EACH(c)
    pbd_distance_item(c, m.p.link_compression, m.p.link_stretch, 1, m.p.inside_slot, &m);
}

void LOOP(pbd_bend_apart)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct pbd m = of_constraints(buffers, parameters, step, buffers[3]);
    EACH(c)
    pbd_bend_item(c, 1, &m);
}

void LOOP(pbd_strain_apart)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct pbd m = of_constraints(buffers, parameters, step, buffers[3]);
    EACH(c)
    pbd_strain_apart_item(c, &m);
}

void LOOP(pbd_average)(void *const *buffers, const void *parameters, int step, struct range range) {
    const struct pbd m = {.predicted = buffers[0],
                          .correction = buffers[1],
                          .start = buffers[2],
                          .slot = buffers[3],
                          .p = PARAMETERS,
                          .step = step};
    EACH(i)
    pbd_average_item(i, &m);
}
