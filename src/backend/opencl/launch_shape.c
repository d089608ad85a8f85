#include "backend/opencl/launch_shape.h"

#include "base/memory.h"
#include "base/number.h"

/* Whether the program has a BUFFER_SUMMED, and the sum of this buffer follows directly after each stage that writes it.
 * False for a list program. */
static bool can_fuse_sums(const struct program *program) {
    bool has_any = false;
    for (int s = 0; s < program->stage_count; ++s) {
        const struct stage *stage = &program->stages[s];
        if (stage->kind != STAGE_RUN || !kernel_is_summed(program, &program->kernels[stage->a]))
            continue;
        if (!stage_feeds_sum(program, stage))
            return false;
        has_any = true;
    }
    return has_any && !program->is_list_program;
}

struct launch_shape launch_shape_of(const struct device *device, const struct program *program) {
    const bool has_warps = device_has_warps(device, program->real_size) && device->max_group_size >= SUM_GROUP;
    struct launch_shape shape = {.fuses_sums = can_fuse_sums(program)};
    shape.sums_at_once = has_warps && shape.fuses_sums;
    if (shape.sums_at_once && program->hints.grid_columns % TILE_COLUMNS == 0)
        shape.grid_columns = program->hints.grid_columns;
    return shape;
}

char *launch_shape_options(const struct launch_shape *shape, const struct constant *constant) {
    char *options = text_copy("");
    if (constant)
        text_append(&options, " -D%s=%d", constant->name, constant->value);
    if (shape->fuses_sums)
        text_append(&options, " -DSUMS_ARE_FUSED");
    if (shape->sums_at_once)
        text_append(&options, " -DSUMS_AT_ONCE");
    if (shape->grid_columns)
        text_append(&options, " -DGRID_COLUMNS=%d -DTILE_COLUMNS=%d -DTILE_ROWS=%d -cl-nv-maxrregcount=%d",
                    shape->grid_columns, TILE_COLUMNS, TILE_ROWS, TILE_REGISTERS);
    return options;
}

size_t launch_shape_parts(const struct launch_shape *shape, size_t items, size_t group) {
    return parts_of(items, shape->grid_columns ? TILE_COLUMNS : group);
}
