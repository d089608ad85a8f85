/* OpenCL's names for what xpbd_hyperelastic.h has, behind xpbd.cl; what calls them is generated. */
#include "xpbd_hyperelastic.h"

#define ELEMENTS                                                                                                       \
    FRAME_QUADS predicted, SPARE_SPACE real *multiplier, __global const int *particle, __global const real *rest,      \
        __global const int *packed, PARAMETERS
#define OF_ELEMENTS                                                                                                    \
    { .predicted = predicted, .multiplier = multiplier, .particle = particle, .rest = rest, .packed = packed, .p = p }

static inline void xpbd_element(ELEMENTS, const int step, const int item) {
    const struct xpbd m = OF_ELEMENTS;
    xpbd_element_item(item, &m);
}

static inline struct xpbd_element xpbd_element_take(ELEMENTS, const int item) {
    const struct xpbd m = OF_ELEMENTS;
    return xpbd_element_at(item, &m);
}

static inline void xpbd_element_apply(ELEMENTS, const int step, const int item, struct xpbd_element *taken) {
    const struct xpbd m = OF_ELEMENTS;
    xpbd_element_of(taken, &m);
}

static inline void xpbd_element_keep(ELEMENTS, const int item, const struct xpbd_element *taken) {
    const struct xpbd m = OF_ELEMENTS;
    xpbd_element_keep_at(item, taken, &m);
}
