/* Chooses how a device computes sums, and which nodes of a grid a work group computes. For programs whose stages are
 * launched one by one. */
#ifndef SPRINGBACK_BACKEND_LAUNCH_SHAPE_H
#define SPRINGBACK_BACKEND_LAUNCH_SHAPE_H

#include "backend/opencl/device.h"
#include "method/program.h"

enum {
    SUM_GROUP = 256, /* maximum work items of a group that adds up */

    /* Columns and rows of a tile, the rectangle of nodes that a group computes. A row of a tile is a warp. A tile has
     * fewer neighbours in other groups than a row of as many nodes.
     *
     * Measurements on an H100, for a step of adaptive_constraint with 2,048 x 2,048 nodes: with tiles of 8 rows the
     * step was 1.77 times as fast as without tiles. Compared with 8 rows, the step was 5 % faster with 4 rows, 2 %
     * faster with 2 rows, and 5 % slower with 16 rows. */
    TILE_COLUMNS = WARP_SIZE,
    TILE_ROWS = 4,

    /* Maximum registers of a work item on tiles. Compared with 48 registers, the step of the measurements above was
     * slower: by 6 % without a maximum, by 3 % with at most 56 registers, and by 28 % with at most 40 registers. */
    TILE_REGISTERS = 48
};

/* Each comment ends with the macro of kernels/dialect.h or kernels/frame.h that gives the field to the kernels. */
struct launch_shape {
    bool fuses_sums;   /* each stage that writes a BUFFER_SUMMED also begins the sum of this buffer: SUMS_ARE_FUSED */
    bool sums_at_once; /* a sum is one launch, whose last group adds up the groups' sums: SUMS_AT_ONCE */
    int grid_columns;  /* columns of the grid if a group computes a tile, otherwise 0: GRID_COLUMNS */
};

struct launch_shape launch_shape_of(const struct device *device, const struct program *program);

/* Compiler options for launches of this shape. If `constant` is not NULL, the options also define this macro. Newly
 * allocated; the caller frees them. */
char *launch_shape_options(const struct launch_shape *shape, const struct constant *constant);

/* The number of partial sums that a stage over `items` items stores if the stage begins a sum. On tiles there is one
 * partial sum for each warp, otherwise one for each group of `group` work items. */
size_t launch_shape_parts(const struct launch_shape *shape, size_t items, size_t group);

#endif
