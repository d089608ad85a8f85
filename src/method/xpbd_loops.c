/* The element functions of kernels/xpbd.h, over ranges: the twins of its functions for OpenCL. */
#include "method/xpbd_loops.h"

#include "xpbd.h"

#define PARAMETERS *(const struct xpbd_parameters *)parameters
#define EACH(i)    for (int(i) = range.column_begin; (i) < range.column_end; ++(i))

void LOOP(xpbd_predict)(void *const *buffers, const void *parameters, int step, struct range range) {
    (void)step;
    const struct xpbd m = {.position = buffers[0],
                           .velocity = buffers[1],
                           .predicted = buffers[2],
                           .multiplier = buffers[3],
                           .volume_multiplier = buffers[4],
                           .fan_start = buffers[5],
                           .fan = buffers[6],
                           .corner = buffers[7],
                           .p = PARAMETERS};
    EACH(i)
    xpbd_predict_item(i, &m);
}

void LOOP(xpbd_force)(void *const *buffers, const void *parameters, int step, struct range range) {
    (void)step;
    const struct xpbd m = {.position = buffers[0],
                           .velocity = buffers[1],
                           .place_share = buffers[2],
                           .forced = buffers[3],
                           .fan_start = buffers[4],
                           .fan = buffers[5],
                           .corner = buffers[6],
                           .p = PARAMETERS};
    EACH(i)
    xpbd_force_item(i, &m);
}

void LOOP(xpbd_turn)(void *const *buffers, const void *parameters, int step, struct range range) {
    (void)step;
    const struct xpbd m = {.position = buffers[0],
                           .forced = buffers[1],
                           .place = buffers[2],
                           .whole = buffers[3],
                           .momentum_share = buffers[4],
                           .diagonal_share = buffers[5],
                           .across_share = buffers[6],
                           .p = PARAMETERS};
    EACH(i)
    xpbd_turn_item(i, &m);
}

void LOOP(xpbd_damp)(void *const *buffers, const void *parameters, int step, struct range range) {
    (void)step;
    const struct xpbd m = {.position = buffers[0],
                           .forced = buffers[1],
                           .predicted = buffers[2],
                           .place = buffers[3],
                           .whole = buffers[4],
                           .momentum = buffers[5],
                           .diagonal = buffers[6],
                           .across = buffers[7],
                           .multiplier = buffers[8],
                           .volume_multiplier = buffers[9],
                           .p = PARAMETERS};
    EACH(i)
    xpbd_damp_item(i, &m);
}

void LOOP(xpbd_collide)(void *const *buffers, const void *parameters, int step, struct range range) {
    (void)step;
    const struct xpbd m = {.predicted = buffers[0], .planes = buffers[1], .solid_start = buffers[2], .p = PARAMETERS};
    EACH(i)
    xpbd_collide_item(i, &m);
}

void LOOP(xpbd_update)(void *const *buffers, const void *parameters, int step, struct range range) {
    (void)step;
    const struct xpbd m = {.position = buffers[0], .velocity = buffers[1], .predicted = buffers[2], .p = PARAMETERS};
    EACH(i)
    xpbd_update_item(i, &m);
}

void LOOP(xpbd_before)(void *const *buffers, const void *parameters, int step, struct range range) {
    (void)step;
    const struct xpbd m = {.position = buffers[0], .before = buffers[1], .particle = buffers[2], .p = PARAMETERS};
    EACH(c)
    xpbd_before_item(c, &m);
}

void LOOP(xpbd_volume_before)(void *const *buffers, const void *parameters, int step, struct range range) {
    (void)step;
    const struct xpbd m = {.position = buffers[0],
                           .before = buffers[1],
                           .centre_before = buffers[2],
                           .particle = buffers[3],
                           .p = PARAMETERS};
    EACH(c)
    xpbd_volume_before_item(c, &m);
}

void LOOP(xpbd_spring)(void *const *buffers, const void *parameters, int step, struct range range) {
    (void)step;
    const struct xpbd m = {.predicted = buffers[0],
                           .before = buffers[1],
                           .multiplier = buffers[2],
                           .particle = buffers[3],
                           .rest = buffers[4],
                           .p = PARAMETERS};
    EACH(c)
    xpbd_spring_item(c, &m);
}

void LOOP(xpbd_volume)(void *const *buffers, const void *parameters, int step, struct range range) {
    (void)step;
    const struct xpbd m = {.predicted = buffers[0],
                           .before = buffers[1],
                           .volume_multiplier = buffers[2],
                           .centre = buffers[3],
                           .particle = buffers[4],
                           .rest = buffers[5],
                           .p = PARAMETERS};
    EACH(c)
    xpbd_volume_item(c, &m);
}
