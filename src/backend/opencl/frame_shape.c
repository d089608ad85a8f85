#include "backend/opencl/frame_shape.h"

#include "backend/opencl/launch_size.h"

enum {
    GRID_MIN_LANES = 64,        /* minimum lanes of a group; a single larger group for small bodies was not measured */
    GRID_MAX_LANES = 256,       /* maximum lanes without sums; with more lanes, a launch for each step is as fast */
    GRID_MAX_LANES_SUMS = 1024, /* maximum lanes with sums, in single precision; half as many in double precision. Sums
                                   without warp shuffles then need 20 kB of local memory */
    GRID_MAX_GROUPS_SUMS = 128, /* maximum groups with sums: each lane of a warp adds up the sums of four groups */
    CPU_GRID_ITEMS = 256,       /* maximum items of a frame kernel on a CPU: one core is then as fast as launches on all
                                   cores */
    LIST_MIN_LANES = 64,        /* minimum lanes of a group if a frame has several groups */
    LIST_MAX_LANES = 256,       /* maximum lanes of a group if a frame has several groups */
    CACHE_WORDS = 84,           /* maximum 4-byte words of a lane's register cache (measurement not recorded) */
    CACHE_WORDS_WIDE = 48,      /* CACHE_WORDS with over SINGLE_GROUP_LANES lanes, each of which has fewer registers */
    PREFETCH_ITERATIONS = 4,    /* maximum items of a colour that a lane prefetches */
    MEMBER_ITERATIONS = 32,     /* maximum items of a colour, or of a stage if there are no colours, for each lane of a
                                   member's group */
    MEMBER_STEPS = 4,           /* minimum steps of a frame for which the state is copied to local memory */
    MEMBER_NODE_ITERATIONS = 8, /* maximum nodes with resident data for each lane of a member's group */
    MEMBER_OFFSETS = 65536,     /* maximum bytes of the positions of ordered nodes: byte offsets have 16 bits */
    CPU_COLOUR_ITEMS = 1024     /* maximum items of a colour on a CPU: one core is then as fast as launches on all
                                   cores */
};

/* ---- Statistics of a frame ---- */

struct frame_statistics {
    const struct program *program;
    long barriers;
    int widest;                       /* items of the largest colour, or of the largest stage if there are no colours */
    bool has_colours, is_unsupported; /* is_unsupported: a stage is on the host */
};

static int count(void *context, const struct stage *stage, int step) {
    (void)step;
    struct frame_statistics *statistics = context;
    const struct program *program = statistics->program;
    if (stage->kind == STAGE_COLOURS) {
        const int largest = max_colour_iterations(&program->colourings[stage->b], 1);
        if (!statistics->has_colours || largest > statistics->widest)
            statistics->widest = largest;
        statistics->has_colours = true;
        statistics->barriers += program->colourings[stage->b].colours;
    } else if (stage->kind == STAGE_RUN) {
        const int items = program->kernels[stage->a].columns;
        statistics->barriers += program->is_list_program ? items > 0 : !stage_feeds_sum(program, stage);
        if (!statistics->has_colours && items > statistics->widest)
            statistics->widest = items;
    } else if (stage->kind == STAGE_SUM) {
        ++statistics->barriers;
    } else if (stage->kind != STAGE_SWAP) {
        statistics->is_unsupported = true;
    }
    return STATUS_OK;
}

static struct frame_statistics gather_statistics(const struct program *program) {
    struct frame_statistics statistics = {program, 0, 0, false, false};
    int step = 0;
    program_walk(program, count, &statistics, &step);
    return statistics;
}

long frame_barriers(const struct program *program) {
    return gather_statistics(program).barriers;
}

/* Bytes of local memory for the sums of one group; 0 if the program has no sums. With warps the memory has a quad for
 * each warp that a group can have; otherwise it has REDUCE_SCRATCH quads (kernels/frame.h). */
static size_t sum_scratch_bytes(const struct device *device, const struct program *program, size_t lanes) {
    const size_t quads = device_has_warps(device, program->real_size) ? WARP_SIZE : lanes + lanes / 4 + 8;
    return program_largest_sum(program) ? quads * 4 * (size_t)program->real_size : 0;
}

size_t aligned_bytes(const struct program *program, unsigned kinds) {
    size_t bytes = 0;
    for (int b = 0; b < program->buffer_count; ++b)
        if (kinds >> program->buffers[b].sharing & 1)
            bytes += round_up(buffer_size(&program->buffers[b]), BUFFER_ALIGNMENT);
    return bytes;
}

/* Whether the BUFFER_FRAME buffers and the scratch memory of sums fit into a group's local memory. False if the program
 * has neither, or if a BUFFER_FRAME buffer is swapped with a buffer of another kind. */
static bool frame_fits_local(const struct device *device, const struct program *program, size_t lanes) {
    const size_t bytes = sum_scratch_bytes(device, program, lanes) + aligned_bytes(program, 1u << BUFFER_FRAME);
    const struct stage *stages = program->stages;
    for (int s = 0; s < program->stage_count; ++s)
        if (stages[s].kind == STAGE_SWAP && (program->buffers[stages[s].a].sharing == BUFFER_FRAME) !=
                                                (program->buffers[stages[s].b].sharing == BUFFER_FRAME))
            return false;
    return bytes > 0 && bytes <= device->local_memory;
}

/* Whether there are BUFFER_SPARE buffers, and these fit into local memory together with the BUFFER_FRAME buffers and
 * the scratch memory. */
static bool spare_fits_local(const struct device *device, const struct program *program, size_t lanes) {
    const unsigned spare = 1u << BUFFER_SPARE, both = spare | 1u << BUFFER_FRAME;
    return aligned_bytes(program, spare) > 0 &&
           sum_scratch_bytes(device, program, lanes) + aligned_bytes(program, both) <= device->local_memory;
}

/* Whether one group of a GPU runs a colour in less time than a barrier of many groups takes. True if there are no
 * colours. On an H100 the two times are equal if the mean number of items of a colour is two thirds of the kernel's
 * grain (program.h). */
static bool suits_single_group(const struct program *program) {
    const struct stage *stages = program->stages;
    int colours = 0;
    double grains = 0;
    for (int s = 0; s < program->stage_count; ++s)
        if (stages[s].kind == STAGE_COLOURS) {
            const struct colouring *colouring = &program->colourings[stages[s].b];
            const int grain = program->kernels[stages[s].a].hints.grain;
            colours += colouring->colours;
            if (colouring->colours > 0 && grain)
                grains += (double)colouring->start[colouring->colours] / grain;
        }
    return !colours || 3 * (grains / colours) <= 2;
}

/* The number of items, rounded up to `least` times a power of two. If that is more than `most`, the result is rounded
 * down to the largest such number that is at most `most`. */
static size_t power_of_two(size_t least, size_t items, size_t most) {
    size_t size = least;
    while (size < items && 2 * size <= most)
        size *= 2;
    return size;
}

int colour_iterations(const struct colouring *colouring, int c, size_t lanes) {
    return (int)parts_of((size_t)(colouring->start[c + 1] - colouring->start[c]), lanes);
}

int max_colour_iterations(const struct colouring *colouring, size_t lanes) {
    int most = 0;
    for (int c = 0; c < colouring->colours; ++c)
        most = colour_iterations(colouring, c, lanes) > most ? colour_iterations(colouring, c, lanes) : most;
    return most;
}

/* The sum of colour_iterations over all colours. */
static int total_iterations(const struct colouring *colouring, size_t lanes) {
    int iterations = 0;
    for (int c = 0; c < colouring->colours; ++c)
        iterations += colour_iterations(colouring, c, lanes);
    return iterations;
}

/* 4-byte words of a lane's register cache for the loop that begins at stage `repeat`; 0 if the loop cannot have a
 * cache.
 */
static int cache_words(const struct program *program, int repeat, size_t lanes) {
    const struct stage *stages = program->stages;
    int words = 0;
    for (int s = repeat + 1; stages[s].kind != STAGE_END; ++s) {
        const struct kernel *kernel = &program->kernels[stages[s].a];
        if (stages[s].kind == STAGE_REPEAT || stages[s].kind == STAGE_STEPS)
            return 0;
        if (stages[s].kind != STAGE_COLOURS)
            continue;
        if (!kernel->hints.prefetched || !kernel->hints.prefetched_words)
            return 0;
        words += kernel->hints.prefetched_words * total_iterations(&program->colourings[stages[s].b], lanes);
    }
    return words;
}

/* The sum of total_iterations over the program's stages by colours. */
static int frame_iterations(const struct program *program, size_t lanes) {
    int iterations = 0;
    for (const struct stage *stage = program->stages; stage < program->stages + program->stage_count; ++stage)
        if (stage->kind == STAGE_COLOURS)
            iterations += total_iterations(&program->colourings[stage->b], lanes);
    return iterations;
}

/* The smallest number of lanes, a multiple of WARP_SIZE, with which a frame needs no more iterations than with the
 * largest possible group. */
static size_t fewest_lanes(const struct device *device, const struct program *program) {
    const int least = frame_iterations(program, device->max_group_size);
    size_t lanes = WARP_SIZE;
    while (frame_iterations(program, lanes) > least)
        lanes += WARP_SIZE;
    return lanes;
}

/* Lanes of a single group on a GPU. There is one lane for each item of the largest colour, rounded up to whole warps,
 * under three conditions: a group can have this number of lanes; the register cache of a loop then suffices; and the
 * program has no sums, or its sums use warps. Otherwise the number is a power of two, at most `most`, so that each lane
 * has enough registers. */
static size_t single_group_lanes(const struct device *device, const struct program *program, size_t widest,
                                 size_t most) {
    const struct stage *stages = program->stages;
    const size_t each = round_up(widest, WARP_SIZE);
    const bool is_free = !program_largest_sum(program) || device_has_warps(device, program->real_size);
    for (int s = 0; s < program->stage_count && is_free && each <= device->max_group_size; ++s) {
        const int words = stages[s].kind == STAGE_REPEAT ? cache_words(program, s, each) : 0;
        if (words > 0 && words <= CACHE_WORDS_WIDE)
            return each;
    }
    return power_of_two(WARP_SIZE, widest, most);
}

bool loop_is_cached(const struct program *program, int repeat, const struct frame_shape *shape) {
    const int words = cache_words(program, repeat, shape->lanes);
    const int most = shape->lanes > SINGLE_GROUP_LANES ? CACHE_WORDS_WIDE : CACHE_WORDS;
    return shape->work_groups == 1 && shape->prefetches && !shape->has_no_cache && words > 0 && words <= most;
}

bool frame_has_cache(const struct program *program, const struct frame_shape *shape) {
    const struct stage *stages = program->stages;
    for (int s = 0; s < program->stage_count; ++s)
        if (stages[s].kind == STAGE_REPEAT && loop_is_cached(program, s, shape))
            return true;
    return false;
}

/* The number of lanes that the override requests, if a group can have this number of lanes; otherwise 0. With sums the
 * number must be a power of two. If `by_warps` and sums use warps, a multiple of WARP_SIZE is also allowed. */
static size_t requested_lanes(const struct device *device, const struct program *program,
                              const struct shape_override *override, bool by_warps) {
    const bool is_free = !program_largest_sum(program) || (override->lanes & (override->lanes - 1)) == 0 ||
                         (by_warps && device_has_warps(device, program->real_size) && override->lanes % WARP_SIZE == 0);
    return is_free && override->lanes <= device->max_group_size ? override->lanes : 0;
}

static bool choose_list(const struct device *device, const struct program *program,
                        const struct shape_override *override, struct frame_shape *out) {
    const struct frame_statistics statistics = gather_statistics(program);
    const size_t requested = requested_lanes(device, program, override, !override->many_groups);
    const size_t widest = (size_t)statistics.widest, units = device->compute_units;
    const size_t most = device->max_group_size < SINGLE_GROUP_LANES ? device->max_group_size : SINGLE_GROUP_LANES;
    if (statistics.is_unsupported || statistics.barriers < 2 ||
        (!statistics.has_colours && !override->one_group && !override->many_groups))
        return false;
    const bool is_frame_local = !override->no_local && frame_fits_local(device, program, most);
    bool has_one = device->has_global_barrier ? is_frame_local && suits_single_group(program) : widest <= most;
    if (!device->is_gpu)
        has_one = widest <= CPU_COLOUR_ITEMS;
    const bool prefetches = override->prefetch || (device->is_gpu && !override->no_prefetch);
    if ((override->one_group || has_one) && !(override->many_groups && device->has_global_barrier)) {
        const size_t lanes = requested         ? requested
                             : !device->is_gpu ? CPU_LANES
                                               : single_group_lanes(device, program, widest, most);
        *out = (struct frame_shape){
            .lanes = lanes,
            .work_groups = 1,
            .is_frame_local = is_frame_local,
            .prefetches = prefetches,
            .uses_warps = device_has_warps(device, program->real_size) && lanes % WARP_SIZE == 0,
            .prefetches_all = device->has_global_barrier && is_frame_local && !override->no_cache,
            .has_no_cache = override->no_cache || !device->is_gpu}; /* PoCL 3.1 loses the cached data */
        if (!requested && program->hints.low_register && out->prefetches_all && out->uses_warps &&
            !frame_has_cache(program, out))
            out->lanes = fewest_lanes(device, program);
        out->is_spare_local = is_frame_local && spare_fits_local(device, program, out->lanes);
        return true;
    }
    if (!device->has_global_barrier)
        return false;
    size_t lanes = requested && requested <= most ? requested : LIST_MIN_LANES;
    while (!requested && lanes < LIST_MAX_LANES && parts_of(widest, lanes) > units)
        lanes *= 2;
    size_t groups = parts_of(widest, lanes);
    if (groups > units && !override->many_groups)
        return false;
    groups = groups > units ? units : groups;
    *out = (struct frame_shape){
        .lanes = lanes, .work_groups = (int)groups, .prefetches = prefetches, .has_no_cache = override->no_cache};
    return true;
}

/* ---- A program that is not a list program: each lane has one item ---- */

/* Whether all stages are over the same items, no stage runs by colours, and no stage is on the host. */
static bool is_uniform(const struct program *program) {
    const struct stage *stages = program->stages;
    const int columns = program->kernels[0].columns, rows = program->kernels[0].rows;
    for (int s = 0; s < program->stage_count; ++s) {
        const struct kernel *kernel = stages[s].kind == STAGE_RUN ? &program->kernels[stages[s].a] : NULL;
        if (stages[s].kind == STAGE_HOST || stages[s].kind == STAGE_COLOURS ||
            (kernel && (kernel->columns != columns || kernel->rows != rows)) ||
            (stages[s].kind == STAGE_SUM && (rows > 1 || program->buffers[stages[s].a].items != (size_t)columns)))
            return false;
    }
    return true;
}

/* A shape with groups of column_lanes x row_lanes lanes. Iterations after convergence are skipped only on devices with
 * a global barrier, which are NVIDIA's GPUs (device.c); on a CPU these iterations cost little. */
static struct frame_shape grid_of(const struct device *device, const struct program *program, size_t column_lanes,
                                  size_t row_lanes) {
    const size_t across = parts_of((size_t)program->kernels[0].columns, column_lanes),
                 down = parts_of((size_t)program->kernels[0].rows, row_lanes);
    const bool has_totals = program_largest_sum(program) > 0 && across * down > 1;
    return (struct frame_shape){.lanes = column_lanes * row_lanes,
                                .work_groups = (int)(across * down),
                                .local = {column_lanes, row_lanes},
                                .global = {across * column_lanes, down * row_lanes},
                                .uses_warps = has_totals && device_has_warps(device, program->real_size),
                                .skips_converged = program->hints.converged.name && device->has_global_barrier};
}

static bool choose_grid(const struct device *device, const struct program *program, struct frame_shape *out) {
    const int columns = program->kernels[0].columns, rows = program->kernels[0].rows;
    const bool has_sums = program_largest_sum(program) > 0;
    const size_t largest_summed = GRID_MAX_LANES_SUMS * sizeof(float) / (size_t)program->real_size,
                 items = (size_t)columns * (size_t)rows;
    size_t most = device->max_group_size;
    if (!is_uniform(program) || frame_barriers(program) < 2)
        return false;
    if (has_sums && most > largest_summed)
        most = largest_summed;
    if (items <= most && (device->is_gpu ? !device->has_global_barrier
                                         : items <= CPU_GRID_ITEMS && program_sum_count(program) <= CPU_FRAME_SUMS)) {
        *out = grid_of(device, program, (size_t)columns, (size_t)rows);
        return true;
    }
    if (!device->has_global_barrier)
        return false;
    /* Groups of as few lanes as possible, but not more groups than compute units. */
    const size_t limit = has_sums ? GRID_MAX_LANES_SUMS : GRID_MAX_LANES;
    most = most < limit ? most : limit;
    for (size_t lanes = GRID_MIN_LANES; lanes <= most; lanes *= 2) {
        const size_t row = rows > 1 ? WARP_SIZE : lanes;
        *out = grid_of(device, program, row, lanes / row);
        if ((size_t)out->work_groups <= device->compute_units &&
            (!has_sums || out->work_groups <= GRID_MAX_GROUPS_SUMS))
            return true;
    }
    return false;
}

/* ---- All programs ---- */

bool frame_shape_choose(const struct device *device, const struct program *program,
                        const struct shape_override *override, struct frame_shape *out) {
    if (!program->is_list_program)
        return choose_grid(device, program, out);
    if (!choose_list(device, program, override, out))
        return false;
    out->local[0] = out->lanes;
    out->global[0] = out->lanes * (size_t)out->work_groups;
    out->local[1] = out->global[1] = 1;
    return true;
}

bool program_uses_buffer(const struct program *program, int buffer) {
    const struct stage *stages = program->stages;
    for (int s = 0; s < program->stage_count; ++s) {
        const enum stage_kind kind = stages[s].kind;
        if (((kind == STAGE_SWAP || kind == STAGE_SUM) && stages[s].a == buffer) ||
            (kind == STAGE_SWAP && stages[s].b == buffer))
            return true;
        const bool runs = kind == STAGE_RUN || kind == STAGE_COLOURS;
        const struct kernel *kernel = runs ? &program->kernels[stages[s].a] : NULL;
        for (const struct binding *b = kernel ? kernel->bindings : NULL; b && b->member; ++b)
            if (b->buffer == buffer)
                return true;
    }
    return false;
}

int node_iterations(const struct program *program, size_t lanes) {
    const struct stage *stages = program->stages;
    int nodes = 0;
    for (int s = 0; s < program->stage_count; ++s)
        if (stages[s].kind == STAGE_RUN && program->kernels[stages[s].a].hints.uses_resident)
            nodes = program->kernels[stages[s].a].columns;
    return (int)parts_of((size_t)nodes, lanes);
}

/* Whether the nodes of a member can be ordered if the member's state is in local memory. */
static bool can_order(const struct device *device, const struct program *program,
                      const struct shape_override *override) {
    const size_t requested = requested_lanes(device, program, override, true),
                 most = device->max_group_size < SINGLE_GROUP_LANES ? device->max_group_size : SINGLE_GROUP_LANES;
    return program->hints.network.order > 0 && !override->no_cache &&
           buffer_size(&program->buffers[program->positions]) <= MEMBER_OFFSETS &&
           (device->is_gpu || (override->resident && requested)) &&
           node_iterations(program, requested ? requested : most) <= MEMBER_NODE_ITERATIONS;
}

size_t share_plane(const struct program *program) {
    return round_up(program->buffers[program->positions].items, 1024);
}

size_t stored_items(const struct program *program, int buffer, bool is_ordered) {
    return !is_ordered                                             ? program->buffers[buffer].items
           : program->hints.resident.replaces >> buffer & 1        ? 0
           : buffer > 0 && buffer == program->hints.network.shares ? 3 * share_plane(program) / 4
                                                                   : program->buffers[buffer].items;
}

bool state_fits_local(const struct device *device, const struct program *program,
                      const struct shape_override *override) {
    const bool is_ordered = can_order(device, program, override);
    size_t bytes = sum_scratch_bytes(device, program, device->max_group_size);
    const struct stage *stages = program->stages;
    int steps = 0;
    for (int s = 0; s < program->stage_count; ++s)
        steps += stages[s].kind == STAGE_STEPS ? stages[s].count : 0;
    for (int b = 0; b < program->state_count; ++b)
        if (program_uses_buffer(program, b))
            bytes += round_up(stored_items(program, b, is_ordered) * program->buffers[b].item_size, BUFFER_ALIGNMENT);
    const bool is_wanted = override->local_state || (device->is_gpu && !override->no_local && steps >= MEMBER_STEPS);
    return is_wanted && program->state_count > 0 && bytes <= device->local_memory;
}

bool frame_shape_choose_member(const struct device *device, const struct program *program,
                               const struct shape_override *override, struct frame_shape *out) {
    const struct frame_statistics statistics = gather_statistics(program);
    const size_t widest = (size_t)statistics.widest;
    const size_t most = device->max_group_size < SINGLE_GROUP_LANES ? device->max_group_size : SINGLE_GROUP_LANES;
    if (statistics.is_unsupported || statistics.barriers < 1 ||
        (device->is_gpu && widest > MEMBER_ITERATIONS * most && !override->one_group))
        return false;
    const bool is_state_local = state_fits_local(device, program, override);
    const bool is_ordered = is_state_local && can_order(device, program, override);
    const size_t requested = requested_lanes(device, program, override, true);
    const size_t lanes = requested         ? requested
                         : !device->is_gpu ? CPU_LANES
                         : is_state_local  ? power_of_two(WARP_SIZE, widest, is_ordered ? most : device->max_group_size)
                                           : single_group_lanes(device, program, widest, most);
    *out = (struct frame_shape){.lanes = lanes,
                                .work_groups = 1,
                                .is_ensemble = true,
                                .is_frame_local =
                                    !override->no_local && !is_state_local && frame_fits_local(device, program, lanes),
                                .prefetches = override->prefetch || (device->is_gpu && !override->no_prefetch),
                                .uses_warps = device_has_warps(device, program->real_size) && lanes % WARP_SIZE == 0,
                                .has_no_cache = override->no_cache || !device->is_gpu,
                                .is_state_local = is_state_local,
                                .is_ordered = is_ordered,
                                .local = {lanes, 1}};
    return true;
}

bool stage_prefetches(const struct program *program, const struct stage *stage, const struct frame_shape *shape) {
    return shape->prefetches && program->kernels[stage->a].hints.prefetched &&
           program->colourings[stage->b].colours > 1;
}

bool stage_prefetches_all(const struct program *program, const struct stage *stage, const struct frame_shape *shape) {
    const int iterations = max_colour_iterations(&program->colourings[stage->b], shape->lanes);
    return shape->prefetches_all && stage_prefetches(program, stage, shape) && iterations > 0 &&
           iterations <= PREFETCH_ITERATIONS;
}
