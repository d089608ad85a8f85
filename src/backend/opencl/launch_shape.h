/* How a device computes sums, and which nodes of a grid a work group computes, if a program's stages are launched one
 * by one. */
#ifndef SPRINGBACK_BACKEND_LAUNCH_SHAPE_H
#define SPRINGBACK_BACKEND_LAUNCH_SHAPE_H

#include "backend/opencl/device.h"
#include "method/program.h"

enum {
    SUM_GROUP = 256, /* work items of a group that adds up, at most */

    /* Columns and rows of a tile. A row is a warp. A tile has fewer neighbours in other groups than a row of as many
     * nodes.
     * On an H100, tiles of 8 rows made a step of 2,048 x 2,048 nodes of adaptive_constraint 1.77 times as fast; tiles
     * of 4 rows were 5 % faster, tiles of 2 rows 2 % faster and tiles of 16 rows 5 % slower than those of 8 rows. */
    TILE_COLUMNS = WARP_SIZE,
    TILE_ROWS = 4,

    /* Maximum registers of a work item on tiles. Without a maximum the same step was 6 % slower, with 56 registers 3 %
     * slower, and with 40 registers 28 % slower. */
    TILE_REGISTERS = 48
};

/* The macros are those of kernels/dialect.h and kernels/frame.h. */
struct launch_shape {
    bool fuses_sums;   /* each stage that writes a BUFFER_SUMMED begins its sum: SUMS_ARE_FUSED */
    bool sums_at_once; /* a sum is one launch, whose last group adds up the groups' sums: SUMS_AT_ONCE */
    int grid_columns;  /* columns of the grid if a group computes a tile of it: GRID_COLUMNS; else 0 */
};

struct launch_shape launch_shape_of(const struct device *device, const struct program *program);

/* Compiler options for launches of this shape. If `constant` is not NULL, the options also define this macro. Newly
 * allocated; the caller frees them. */
char *launch_shape_options(const struct launch_shape *shape, const struct constant *constant);

/* The number of sums that a stage over `items` items stores if it begins a sum: one for each group of `group` work
 * items or, on tiles, one for each warp. */
size_t launch_shape_parts(const struct launch_shape *shape, size_t items, size_t group);

#endif
