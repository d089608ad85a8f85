/* OpenCL's names for what xpbd.h has; what calls them is generated. */
#include "xpbd.h"

#define PARAMETERS const struct xpbd_parameters p

static inline void xpbd_predict(__global quad *position, __global quad *velocity, FRAME_QUADS predicted,
                                SPARE_SPACE real *multiplier, SPARE_SPACE real *volumes,
                                __global const int *fan_start, __global const int *fan, __global const int *corner,
                                PARAMETERS, const int step, const int item) {
    const struct xpbd m = {.position = position, .velocity = velocity, .predicted = predicted,
                           .multiplier = multiplier, .volume_multiplier = volumes, .fan_start = fan_start,
                           .fan = fan, .corner = corner, .p = p};
    xpbd_predict_item(item, &m);
}

static inline void xpbd_force(__global quad *position, __global quad *velocity, __global quad *place_share,
                              __global quad *forced, __global const int *fan_start, __global const int *fan,
                              __global const int *corner, PARAMETERS, const int step, const int item) {
    const struct xpbd m = {.position = position, .velocity = velocity, .place_share = place_share, .forced = forced,
                           .fan_start = fan_start, .fan = fan, .corner = corner, .p = p};
    xpbd_force_item(item, &m);
}

static inline void xpbd_turn(__global quad *position, __global quad *forced, TOTAL place, TOTAL whole,
                             __global quad *momentum_share, __global quad *diagonal_share,
                             __global quad *across_share, PARAMETERS, const int step, const int item) {
    const struct xpbd m = {.position = position, .forced = forced, .place = place, .whole = whole,
                           .momentum_share = momentum_share, .diagonal_share = diagonal_share,
                           .across_share = across_share, .p = p};
    xpbd_turn_item(item, &m);
}

static inline void xpbd_damp(__global quad *position, __global quad *forced, FRAME_QUADS predicted,
                             TOTAL place, TOTAL whole, TOTAL momentum, TOTAL diagonal, TOTAL across,
                             SPARE_SPACE real *springs, SPARE_SPACE real *volumes, PARAMETERS, const int step,
                             const int item) {
    const struct xpbd m = {.position = position, .forced = forced, .predicted = predicted, .place = place,
                           .whole = whole, .momentum = momentum, .diagonal = diagonal, .across = across,
                           .multiplier = springs, .volume_multiplier = volumes, .p = p};
    xpbd_damp_item(item, &m);
}

static inline void xpbd_collide(FRAME_QUADS predicted, __global const quad *planes, __global const int *solid_start,
                                PARAMETERS, const int step, const int item) {
    const struct xpbd m = {.predicted = predicted, .planes = planes, .solid_start = solid_start, .p = p};
    xpbd_collide_item(item, &m);
}

static inline void xpbd_update(__global quad *position, __global quad *velocity, FRAME_QUADS predicted,
                               PARAMETERS, const int step, const int item) {
    const struct xpbd m = {.position = position, .velocity = velocity, .predicted = predicted, .p = p};
    xpbd_update_item(item, &m);
}

static inline void xpbd_before(__global quad *position, __global real *before, __global const int *particle,
                               PARAMETERS, const int step, const int item) {
    const struct xpbd m = {.position = position, .before = before, .particle = particle, .p = p};
    xpbd_before_item(item, &m);
}

static inline void xpbd_volume_before(__global quad *position, __global real *before, TOTAL centre_before,
                                      __global const int *particle, PARAMETERS, const int step, const int item) {
    const struct xpbd m = {.position = position, .before = before, .centre_before = centre_before,
                           .particle = particle, .p = p};
    xpbd_volume_before_item(item, &m);
}

#define SPRINGS                                                                                                        \
    FRAME_QUADS predicted, __global real *before, SPARE_SPACE real *multiplier, __global const int *particle,          \
        __global const real *rest, __global const int *packed, PARAMETERS
#define OF_SPRINGS                                                                                                     \
    { .before = before, .predicted = predicted, .multiplier = multiplier, .particle = particle,                        \
      .rest = rest, .packed = packed, .p = p }

static inline void xpbd_spring(SPRINGS, const int step, const int item) {
    const struct xpbd m = OF_SPRINGS;
    xpbd_spring_item(item, &m);
}

/* In three: what can be read before the others have met, the projection, and what a constraint keeps of its own. */
static inline struct xpbd_pair xpbd_spring_take(SPRINGS, const int item) {
    const struct xpbd m = OF_SPRINGS;
    return xpbd_pair_at(item, &m);
}

static inline void xpbd_spring_apply(SPRINGS, const int step, const int item, struct xpbd_pair *taken) {
    const struct xpbd m = OF_SPRINGS;
    xpbd_spring_of(item, taken, &m);
}

static inline void xpbd_spring_keep(SPRINGS, const int item, const struct xpbd_pair *taken) {
    const struct xpbd m = OF_SPRINGS;
    xpbd_pair_keep(item, taken, &m);
}

#define VOLUMES                                                                                                        \
    FRAME_QUADS predicted, __global real *before, SPARE_SPACE real *multiplier, TOTAL centre,                          \
        __global const int *particle, __global const real *rest, __global const int *packed, PARAMETERS
#define OF_VOLUMES                                                                                                     \
    { .before = before, .predicted = predicted, .volume_multiplier = multiplier, .particle = particle,                 \
      .rest = rest, .packed = packed, .centre = centre, .p = p }

static inline void xpbd_volume(VOLUMES, const int step, const int item) {
    const struct xpbd m = OF_VOLUMES;
    xpbd_volume_item(item, &m);
}

static inline struct xpbd_ghost xpbd_volume_take(VOLUMES, const int item) {
    const struct xpbd m = OF_VOLUMES;
    return xpbd_ghost_at(item, &m);
}

static inline void xpbd_volume_apply(VOLUMES, const int step, const int item, struct xpbd_ghost *taken) {
    const struct xpbd m = OF_VOLUMES;
    xpbd_volume_of(item, taken, &m);
}

static inline void xpbd_volume_keep(VOLUMES, const int item, const struct xpbd_ghost *taken) {
    const struct xpbd m = OF_VOLUMES;
    xpbd_ghost_keep(item, taken, &m);
}
