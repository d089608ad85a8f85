#include "backend/opencl/frame_shape.h"

enum {
    GRID_ROW = 32,              /* items side by side: a warp */
    GRID_SMALLEST = 64,         /* items of a group */
    GRID_LARGEST = 256,         /* beyond, a step takes as long as a launch */
    GRID_LARGEST_SUMMED = 1024, /* where there are sums; half as many in doubles: 20 kB of 32 of local memory */
    GRID_SUMMED_GROUPS = 128,   /* of a program that sums: four a lane of a warp */
    GRID_CORE = 256,            /* items that one core of a CPU takes in no more time than all of them with launches */
    LIST_SMALLEST = 64,         /* lanes of a group that meets others */
    LIST_LARGEST = 256,
    LIST_HELD = 84,         /* 4-byte words of what a lane takes that it holds in registers at most */
    LIST_HELD_WIDE = 48,    /* the same where there are more lanes than LIST_ALONE, and fewer registers each */
    LIST_TAKEN = 4,         /* items of a colour at most that a lane takes ahead */
    LIST_MEMBER_TURNS = 32, /* items of a stage that a lane takes at most where each group has a member of its own */
    LIST_MEMBER_STEPS = 4,  /* of a frame at least, whose state goes to local memory and back */
    LIST_MEMBER_NODES = 4,  /* of which a lane holds what does not change, at most */
    LIST_CORE = 1024        /* items of a colour that one core takes in no more time than all of them with launches */
};

/* ---- What a frame is ---- */

struct census {
    const struct program *program;
    long meetings;
    int widest; /* items between two meetings, of colours if there are any */
    bool has_colours, is_odd;
};

static int count(void *context, const struct stage *stage, int step) {
    (void)step;
    struct census *census = context;
    const struct program *program = census->program;
    if (stage->kind == STAGE_COLOURS) {
        const int colours = program->colourings[stage->b].colours, *start = program->colourings[stage->b].start;
        if (!census->has_colours)
            census->widest = 0;
        census->has_colours = true;
        census->meetings += colours;
        for (int c = 0; c < colours; ++c)
            census->widest = start[c + 1] - start[c] > census->widest ? start[c + 1] - start[c] : census->widest;
    } else if (stage->kind == STAGE_RUN) {
        const int items = program->kernels[stage->a].columns;
        census->meetings += program->is_listed ? items > 0 : !program_is_summed(program, stage);
        if (!census->has_colours && items > census->widest)
            census->widest = items;
    } else if (stage->kind == STAGE_SUM) {
        ++census->meetings;
    } else if (stage->kind != STAGE_SWAP) {
        census->is_odd = true;
    }
    return STATUS_OK;
}

static struct census census_take(const struct program *program) {
    struct census census = {program, 0, 0, false, false};
    int step = 0;
    program_walk(program, count, &census, &step);
    return census;
}

long frame_meetings(const struct program *program) {
    return census_take(program).meetings;
}

/* Whether one group of lanes adds up by warps. */
static bool has_warps(const struct device *device, const struct program *program) {
    return device->may_meet && program->real_size == sizeof(float);
}

static size_t bytes_of(const struct buffer *buffer) {
    return (buffer->items * buffer->item_size + 63) / 64 * 64;
}

/* Bytes of local memory in which one group of so many lanes adds up: FOLD_ROOM, or a quad a warp. */
static size_t fold_room(const struct device *device, const struct program *program, size_t lanes) {
    const size_t quads = has_warps(device, program) ? LIST_WARPS : lanes + lanes / 4 + 8;
    return program_most_summed(program) ? quads * 4 * (size_t)program->real_size : 0;
}

/* Bytes of all buffers of a sharing. */
static size_t bytes_shared_as(const struct program *program, enum sharing sharing) {
    size_t bytes = 0;
    for (int b = 0; b < program->buffer_count; ++b)
        if (program->buffers[b].sharing == sharing)
            bytes += bytes_of(&program->buffers[b]);
    return bytes;
}

/* Whether there is what lives for a frame, and a group's local memory holds it. What is exchanged with it must lie
 * there too. */
static bool fits_local(const struct device *device, const struct program *program, size_t lanes) {
    const size_t bytes = fold_room(device, program, lanes) + bytes_shared_as(program, BUFFER_FRAME);
    const struct stage *stages = program->stages;
    for (int s = 0; s < program->stage_count; ++s)
        if (stages[s].kind == STAGE_SWAP && (program->buffers[stages[s].a].sharing == BUFFER_FRAME) !=
                                                (program->buffers[stages[s].b].sharing == BUFFER_FRAME))
            return false;
    return bytes > 0 && bytes <= device->local_memory;
}

/* Whether there is what could lie there beside it, and there is room. */
static bool fits_spare(const struct device *device, const struct program *program, size_t lanes) {
    const size_t spare = bytes_shared_as(program, BUFFER_SPARE);
    return spare > 0 &&
           fold_room(device, program, lanes) + bytes_shared_as(program, BUFFER_FRAME) + spare <= device->local_memory;
}

/* Of a colour, in the mean, the part that one core takes some microseconds for (program.h: grain). */
static double grains_of(const struct program *program) {
    const struct stage *stages = program->stages;
    int colours = 0;
    double grains = 0;
    for (int s = 0; s < program->stage_count; ++s)
        if (stages[s].kind == STAGE_COLOURS) {
            const int those = program->colourings[stages[s].b].colours, *start = program->colourings[stages[s].b].start;
            const int grain = program->kernels[stages[s].a].hints.grain;
            colours += those;
            if (those > 0 && grain)
                grains += (double)start[those] / grain;
        }
    return colours ? grains / colours : 0;
}

/* Whether one group of a GPU takes a colour in less time than many take to meet: on an H100 about as long at two thirds
 * of a grain. */
static bool is_light(const struct program *program) {
    return 3 * grains_of(program) <= 2;
}

static size_t power_of_two(size_t least, size_t items, size_t most) {
    size_t size = least;
    while (size < items && 2 * size <= most)
        size *= 2;
    return size;
}

int list_turns_of(const int *start, int c, size_t lanes) {
    return (int)(((size_t)(start[c + 1] - start[c]) + lanes - 1) / lanes);
}

int list_turns_at_most(const int *start, int colours, size_t lanes) {
    int turns = 0;
    for (int c = 0; c < colours; ++c)
        turns = list_turns_of(start, c, lanes) > turns ? list_turns_of(start, c, lanes) : turns;
    return turns;
}

/* 4-byte words of what each lane takes of the colours between a frame's `repeat` and its end; 0 where it cannot be held
 * all that time. */
static int held_words(const struct program *program, int repeat, size_t lanes) {
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
        for (int c = 0; c < program->colourings[stages[s].b].colours; ++c)
            words += list_turns_of(program->colourings[stages[s].b].start, c, lanes) * kernel->hints.prefetched_words;
    }
    return words;
}

/* Turns of all colours, one after the other. */
static int turns_of_all(const struct program *program, size_t lanes) {
    const struct stage *stages = program->stages;
    int turns = 0;
    for (int s = 0; s < program->stage_count; ++s)
        for (int c = 0; stages[s].kind == STAGE_COLOURS && c < program->colourings[stages[s].b].colours; ++c)
            turns += list_turns_of(program->colourings[stages[s].b].start, c, lanes);
    return turns;
}

/* As few lanes as take no more turns than all that a group may have. */
static size_t lanes_of_few_turns(const struct device *device, const struct program *program) {
    const int least = turns_of_all(program, device->group_size);
    size_t lanes = LIST_WARPS;
    while (turns_of_all(program, lanes) > least)
        lanes += LIST_WARPS;
    return lanes;
}

/* Lanes of a group that is alone on a GPU, where it can hold what they take and no sum wants a power of two: one for
 * each item of the largest colour. Else at most `most`, so that each has enough registers. */
static size_t lanes_alone(const struct device *device, const struct program *program, size_t widest, size_t most) {
    const struct stage *stages = program->stages;
    const size_t each = (widest + LIST_WARPS - 1) / LIST_WARPS * LIST_WARPS;
    const bool is_free = !program_most_summed(program) || has_warps(device, program);
    for (int s = 0; s < program->stage_count && is_free && each <= device->group_size; ++s) {
        const int words = stages[s].kind == STAGE_REPEAT ? held_words(program, s, each) : 0;
        if (words > 0 && words <= LIST_HELD_WIDE)
            return each;
    }
    return power_of_two(32, widest, most);
}

bool list_is_held(const struct program *program, int repeat, const struct frame_shape *shape) {
    const int words = held_words(program, repeat, shape->lanes);
    const int most = shape->lanes > LIST_ALONE ? LIST_HELD_WIDE : LIST_HELD;
    return shape->groups == 1 && shape->is_ahead && !shape->is_bare && words > 0 && words <= most;
}

bool list_holds(const struct program *program, const struct frame_shape *shape) {
    const struct stage *stages = program->stages;
    for (int s = 0; s < program->stage_count; ++s)
        if (stages[s].kind == STAGE_REPEAT && list_is_held(program, s, shape))
            return true;
    return false;
}

/* Lanes that are asked for, where a group can have them and a sum's tree, which wants a power of two or warps, takes
 * them; else 0. */
static size_t lanes_asked(const struct device *device, const struct program *program, const struct frame_wish *wish,
                          bool by_warps) {
    const bool is_free = !program_most_summed(program) || (wish->lanes & (wish->lanes - 1)) == 0 ||
                         (by_warps && has_warps(device, program) && wish->lanes % LIST_WARPS == 0);
    return is_free && wish->lanes <= device->group_size ? wish->lanes : 0;
}

static bool choose_list(const struct device *device, const struct program *program, const struct frame_wish *wish,
                        struct frame_shape *out) {
    const struct census census = census_take(program);
    const size_t asked = lanes_asked(device, program, wish, !wish->many);
    const size_t widest = (size_t)census.widest, units = device->compute_units;
    const size_t most = device->group_size < LIST_ALONE ? device->group_size : LIST_ALONE;
    if (census.is_odd || census.meetings < 2 || (!census.has_colours && !wish->one && !wish->many))
        return false;
    const bool is_local = !wish->global && fits_local(device, program, most);
    bool has_one = device->may_meet ? is_local && is_light(program) : widest <= most;
    if (!device->is_gpu)
        has_one = widest <= LIST_CORE;
    const bool ahead = wish->ahead || (device->is_gpu && !wish->behind);
    if ((wish->one || has_one) && !(wish->many && device->may_meet)) {
        const size_t lanes = asked ? asked : !device->is_gpu ? LIST_LANES : lanes_alone(device, program, widest, most);
        *out = (struct frame_shape){.lanes = lanes,
                                    .groups = 1,
                                    .is_local = is_local,
                                    .is_ahead = ahead,
                                    .has_warps = has_warps(device, program) && lanes % LIST_WARPS == 0,
                                    .has_turns = device->may_meet && is_local && !wish->bare,
                                    .is_bare = wish->bare || !device->is_gpu}; /* PoCL 3.1 loses what is held */
        if (!asked && program->hints.low_register && out->has_turns && out->has_warps && !list_holds(program, out))
            out->lanes = lanes_of_few_turns(device, program);
        out->has_spare = is_local && fits_spare(device, program, out->lanes);
        return true;
    }
    if (!device->may_meet)
        return false;
    size_t lanes = asked && asked <= most ? asked : LIST_SMALLEST;
    while (!asked && lanes < LIST_LARGEST && (widest + lanes - 1) / lanes > units)
        lanes *= 2;
    size_t groups = (widest + lanes - 1) / lanes;
    if (groups > units && !wish->many)
        return false;
    groups = groups > units ? units : groups;
    *out = (struct frame_shape){.lanes = lanes, .groups = (int)groups, .is_ahead = ahead, .is_bare = wish->bare};
    return true;
}

/* ---- A program that is not listed: each lane has one item ---- */

/* Whether all stages are over the same items, and none is the host's. */
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

static size_t parts(int items, size_t size) {
    return ((size_t)items + size - 1) / size;
}

/* Turns that change nothing are left out where groups wait for each other: on a processor they cost little. */
static struct frame_shape grid_of(const struct device *device, const struct program *program, size_t column_lanes,
                                  size_t row_lanes) {
    const size_t across = parts(program->kernels[0].columns, column_lanes),
                 down = parts(program->kernels[0].rows, row_lanes);
    const bool has_totals = program_most_summed(program) > 0 && across * down > 1;
    return (struct frame_shape){.lanes = column_lanes * row_lanes,
                                .groups = (int)(across * down),
                                .local = {column_lanes, row_lanes},
                                .global = {across * column_lanes, down * row_lanes},
                                .has_warps = has_totals && has_warps(device, program),
                                .leaves_turns = program->hints.ended.name && device->may_meet};
}

static bool choose_grid(const struct device *device, const struct program *program, struct frame_shape *out) {
    const int columns = program->kernels[0].columns, rows = program->kernels[0].rows;
    const bool has_sums = program_most_summed(program) > 0;
    const size_t largest_summed = GRID_LARGEST_SUMMED * sizeof(float) / (size_t)program->real_size,
                 items = (size_t)columns * (size_t)rows;
    size_t most = device->group_size;
    if (!is_uniform(program) || frame_meetings(program) < 2)
        return false;
    if (has_sums && most > largest_summed)
        most = largest_summed;
    if (items <= most &&
        (device->is_gpu ? !device->may_meet : items <= GRID_CORE && program_sums(program) <= FRAME_SUMS)) {
        *out = grid_of(device, program, (size_t)columns, (size_t)rows);
        return true;
    }
    if (!device->may_meet)
        return false;
    /* As many groups as there are compute units, so as small as they can be. */
    const size_t limit = has_sums ? GRID_LARGEST_SUMMED : GRID_LARGEST;
    most = most < limit ? most : limit;
    for (size_t lanes = GRID_SMALLEST; lanes <= most; lanes *= 2) {
        const size_t row = rows > 1 ? GRID_ROW : lanes;
        *out = grid_of(device, program, row, lanes / row);
        if ((size_t)out->groups <= device->compute_units && (!has_sums || out->groups <= GRID_SUMMED_GROUPS))
            return true;
    }
    return false;
}

/* ---- All ---- */

bool frame_shape_choose(const struct device *device, const struct program *program, const struct frame_wish *wish,
                        struct frame_shape *out) {
    if (!program->is_listed)
        return choose_grid(device, program, out);
    if (!choose_list(device, program, wish, out))
        return false;
    out->local[0] = out->lanes;
    out->global[0] = out->lanes * (size_t)out->groups;
    out->local[1] = out->global[1] = 1;
    return true;
}

bool list_uses(const struct program *program, int buffer) {
    const struct stage *stages = program->stages;
    for (int s = 0; s < program->stage_count; ++s) {
        if (stages[s].kind == STAGE_SWAP && (stages[s].a == buffer || stages[s].b == buffer))
            return true;
        if (stages[s].kind == STAGE_SUM && stages[s].a == buffer)
            return true;
        const bool runs = stages[s].kind == STAGE_RUN || stages[s].kind == STAGE_COLOURS;
        const struct kernel *kernel = runs ? &program->kernels[stages[s].a] : NULL;
        for (const struct binding *b = kernel ? kernel->bindings : NULL; b && b->member; ++b)
            if (b->buffer == buffer)
                return true;
    }
    return false;
}

bool list_state_fits(const struct device *device, const struct program *program, const struct frame_wish *wish) {
    size_t bytes = fold_room(device, program, device->group_size);
    const struct stage *stages = program->stages;
    int steps = 0;
    for (int s = 0; s < program->stage_count; ++s)
        steps += stages[s].kind == STAGE_STEPS ? stages[s].count : 0;
    for (int b = 0; b < program->state_count; ++b)
        bytes += list_uses(program, b) ? bytes_of(&program->buffers[b]) : 0;
    const bool is_wished = wish->state || (device->is_gpu && !wish->global && steps >= LIST_MEMBER_STEPS);
    return is_wished && program->state_count > 0 && bytes <= device->local_memory;
}

int list_node_turns(const struct program *program, size_t lanes) {
    const struct stage *stages = program->stages;
    int nodes = 0;
    for (int s = 0; s < program->stage_count; ++s)
        if (stages[s].kind == STAGE_RUN && program->kernels[stages[s].a].hints.is_held)
            nodes = program->kernels[stages[s].a].columns;
    return (int)(((size_t)nodes + lanes - 1) / lanes);
}

bool frame_shape_of_members(const struct device *device, const struct program *program, const struct frame_wish *wish,
                            struct frame_shape *out) {
    const struct census census = census_take(program);
    const size_t widest = (size_t)census.widest;
    const size_t most = device->group_size < LIST_ALONE ? device->group_size : LIST_ALONE;
    if (census.is_odd || census.meetings < 1 || (device->is_gpu && widest > LIST_MEMBER_TURNS * most && !wish->one))
        return false;
    const bool has_state = list_state_fits(device, program, wish);
    const size_t asked = lanes_asked(device, program, wish, true);
    const size_t lanes = asked             ? asked
                         : !device->is_gpu ? LIST_LANES
                         : has_state       ? power_of_two(32, widest, device->group_size)
                                           : lanes_alone(device, program, widest, most);
    const int turns = list_node_turns(program, lanes);
    *out = (struct frame_shape){.lanes = lanes,
                                .groups = 1,
                                .of_members = true,
                                .is_local = !wish->global && !has_state && fits_local(device, program, lanes),
                                .is_ahead = wish->ahead || (device->is_gpu && !wish->behind),
                                .has_warps = has_warps(device, program) && lanes % LIST_WARPS == 0,
                                .is_bare = wish->bare || !device->is_gpu,
                                .has_state = has_state,
                                .has_nodes =
                                    turns > 0 && turns <= LIST_MEMBER_NODES && !wish->bare &&
                                    (wish->hold || (device->is_gpu && has_state && !program_most_summed(program))),
                                .local = {lanes, 1}};
    return true;
}

bool list_takes_ahead(const struct program *program, const struct stage *stage, const struct frame_shape *shape) {
    return shape->is_ahead && program->kernels[stage->a].hints.prefetched && program->colourings[stage->b].colours > 1;
}

bool list_takes_all(const struct program *program, const struct stage *stage, const struct frame_shape *shape) {
    const int *start = program->colourings[stage->b].start;
    const int turns = list_turns_at_most(start, program->colourings[stage->b].colours, shape->lanes);
    return shape->has_turns && list_takes_ahead(program, stage, shape) && turns > 0 && turns <= LIST_TAKEN;
}
