/* OpenCL's names for what pbd.h has; what calls them is generated. */
#include "pbd.h"

#define PARAMETERS const struct pbd_parameters p

static inline void pbd_predict(__global quad *position, __global quad *velocity, FRAME_SPACE quad *predicted,
                               PARAMETERS, const int step, const int item) {
    const struct pbd m = {.position = position, .velocity = velocity, .predicted = predicted, .p = p, .step = step};
    pbd_predict_item(item, &m);
}

static inline void pbd_collide(FRAME_SPACE quad *predicted, PARAMETERS, const int step, const int item) {
    const struct pbd m = {.predicted = predicted, .p = p, .step = step};
    pbd_collide_item(item, &m);
}

static inline void pbd_update(__global quad *position, __global quad *velocity, FRAME_SPACE quad *predicted, PARAMETERS,
                              const int step, const int item) {
    const struct pbd m = {.position = position, .velocity = velocity, .predicted = predicted, .p = p, .step = step};
    pbd_update_item(item, &m);
}

#define CONSTRAINTS                                                                                                    \
    FRAME_SPACE quad *predicted, __global const int *particle, __global const real *rest, PARAMETERS, const int step,  \
        const int item
#define APART                                                                                                          \
    FRAME_SPACE quad *predicted, __global const int *particle, __global const real *rest, __global quad *correction,   \
        PARAMETERS, const int step, const int item
#define TAKEN                                                                                                          \
    { .predicted = predicted, .particle = particle, .rest = rest, .p = p, .step = step }
#define TAKEN_APART                                                                                                    \
    { .predicted = predicted, .particle = particle, .rest = rest, .correction = correction, .p = p, .step = step }

static inline void pbd_edge(CONSTRAINTS) {
    const struct pbd m = TAKEN;
    pbd_distance_item(item, p.edge_compression, p.edge_stretch, 0, 0, &m);
}

static inline void pbd_link(CONSTRAINTS) {
    const struct pbd m = TAKEN;
    pbd_distance_item(item, p.link_compression, p.link_stretch, 0, 0, &m);
}

static inline void pbd_bend(CONSTRAINTS) {
    const struct pbd m = TAKEN;
    pbd_bend_item(item, 0, &m);
}

static inline void pbd_strain(CONSTRAINTS) {
    const struct pbd m = TAKEN;
    pbd_strain_item(item, &m);
}

/* The same in two: what can be read before the others have met, and the rest. */
#define TAKE                                                                                                           \
    FRAME_SPACE quad *predicted, __global const int *particle, __global const real *rest, PARAMETERS, const int item
#define TO_TAKE                                                                                                        \
    { .predicted = predicted, .particle = particle, .rest = rest, .p = p }

static inline struct pbd_pair pbd_edge_take(TAKE) {
    const struct pbd m = TO_TAKE;
    return pbd_pair_at(item, &m);
}

static inline void pbd_edge_apply(CONSTRAINTS, const struct pbd_pair *taken) {
    const struct pbd m = TAKEN;
    pbd_distance_of(item, taken, p.edge_compression, p.edge_stretch, 0, 0, &m);
}

static inline struct pbd_pair pbd_link_take(TAKE) {
    const struct pbd m = TO_TAKE;
    return pbd_pair_at(item, &m);
}

static inline void pbd_link_apply(CONSTRAINTS, const struct pbd_pair *taken) {
    const struct pbd m = TAKEN;
    pbd_distance_of(item, taken, p.link_compression, p.link_stretch, 0, 0, &m);
}

static inline struct pbd_bent pbd_bend_take(TAKE) {
    const struct pbd m = TO_TAKE;
    return pbd_bent_at(item, &m);
}

static inline void pbd_bend_apply(CONSTRAINTS, const struct pbd_bent *taken) {
    const struct pbd m = TAKEN;
    pbd_bend_of(item, taken, 0, &m);
}

static inline struct pbd_strained pbd_strain_take(TAKE) {
    const struct pbd m = TO_TAKE;
    return pbd_strained_at(item, &m);
}

static inline void pbd_strain_apply(CONSTRAINTS, const struct pbd_strained *taken) {
    const struct pbd m = TAKEN;
    pbd_strain_of(taken, &m);
}

static inline void pbd_edge_apart(APART) {
    const struct pbd m = TAKEN_APART;
    pbd_distance_item(item, p.edge_compression, p.edge_stretch, 1, 0, &m);
}

static inline void pbd_link_apart(APART) {
    const struct pbd m = TAKEN_APART;
    pbd_distance_item(item, p.link_compression, p.link_stretch, 1, p.inside_slot, &m);
}

static inline void pbd_bend_apart(APART) {
    const struct pbd m = TAKEN_APART;
    pbd_bend_item(item, 1, &m);
}

static inline void pbd_strain_apart(APART) {
    const struct pbd m = TAKEN_APART;
    pbd_strain_apart_item(item, &m);
}

static inline void pbd_average(FRAME_SPACE quad *predicted, __global const quad *correction, __global const int *start,
                               __global const int *slot, PARAMETERS, const int step, const int item) {
    const struct pbd m = {.predicted = predicted, .correction = (__global quad *)correction, .start = start,
                          .slot = slot, .p = p, .step = step};
    pbd_average_item(item, &m);
}
