/* The element function of kernels/xpbd_hyperelastic.h, over ranges: the twin of its functions for OpenCL. */
#include "method/xpbd_hyperelastic_loops.h"

#include "xpbd_hyperelastic.h"

void LOOP(xpbd_element)(void *const *buffers, const void *parameters, int step, struct range range) {
    (void)step;
    const struct xpbd m = {.predicted = buffers[0],
                           .multiplier = buffers[1],
                           .particle = buffers[2],
                           .rest = buffers[3],
                           .p = *(const struct xpbd_parameters *)parameters};
    for (int c = range.column_begin; c < range.column_end; ++c)
        xpbd_element_item(c, &m);
}
