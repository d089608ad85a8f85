#include "diff/diff.h"

#include "backend/backend.h"
#include "base/memory.h"
#include "experiment/run.h"
#include "run/recipe.h"
#include "run/simulation.h"

#include <stdlib.h>
#include <string.h>

/* One of the two runs that are compared. */
struct side {
    const struct trace_data *trace;
    struct run run;
    struct model model;
    struct backend_choice choice;
    void *held[PROGRAM_BUFFERS]; /* copies of all buffers: before the latest frame or step, or after the latest stage */
    struct simulation *simulation;
};

static void stop(struct diff *diff, const char *reason) {
    free(diff->stopped);
    diff->stopped = text_copy(reason);
}

/* ---- The sides ---- */

/* Set diff->backend[k] to the backend on which trace k was made. A device is identified by its name. If the device is
 * not available, stop the search and return false. */
static bool backend_of(struct diff *diff, int k) {
    const struct trace_data *trace = diff->trace[k];
    const char *kind = trace_run_note(trace, "backend_kind"), *device = trace_run_note(trace, "device");
    const char *threads = trace_run_note(trace, "threads"),
               *choice = kind ? kind : trace_parameter_text(trace, "backend");
    const struct backend *backend = backend_find(choice);
    const size_t size = sizeof diff->backend[k];
    snprintf(diff->backend[k], size, "%s", choice ? choice : "");
    if (kind && backend && backend->has_threads && threads)
        snprintf(diff->backend[k], size, "%s:%.8s", kind, threads);
    if (!kind || !backend || !backend->has_devices)
        return true;
    const int index = device ? backend->device_named(device) : -1;
    if (index >= 0) {
        snprintf(diff->backend[k], size, "%s:%d", kind, index);
        return true;
    }
    AUTO_FREE char *reason =
        text_format("%s ran on the device %s, which is not available; to run A and B on other backends, use "
                    "--backend NAME --backend NAME",
                    k ? "B" : "A", device ? device : "(name not recorded)");
    stop(diff, reason);
    return false;
}

/* Make the run and the model that a trace describes. Errors: the body has changed since the trace was made. */
static int restore(struct side *side, const struct trace_data *trace) {
    if (run_of_trace(trace, &side->run))
        return STATUS_BAD;
    side->trace = trace;
    int status = model_describe(&side->run, &side->model);
    const char *was = trace_run_note(trace, "body_hash");
    if (!status && was && strcmp(was, side->model.body.sum) != 0)
        status = fail("%s: the body %s has changed since the trace was made; the run cannot be repeated", trace->path,
                      run_text(&side->run, run_parameter(&side->run, "body.mesh") ? "body.mesh" : "scene.convex.mesh"));
    return status;
}

/* Whether two programs have the same buffers, kernels, stages and colours, so that they can be compared. */
static bool is_compatible(const struct program *a, const struct program *b) {
    bool compatible = a->real_size == b->real_size && a->buffer_count == b->buffer_count &&
                      a->positions == b->positions && a->velocities == b->velocities &&
                      a->kernel_count == b->kernel_count && a->stage_count == b->stage_count;
    for (int k = 0; compatible && k < a->buffer_count; ++k)
        compatible = a->buffers[k].items == b->buffers[k].items && a->buffers[k].item_size == b->buffers[k].item_size;
    for (int k = 0; compatible && k < a->kernel_count; ++k)
        compatible = !strcmp(a->kernels[k].name, b->kernels[k].name) &&
                     a->kernels[k].columns == b->kernels[k].columns && a->kernels[k].rows == b->kernels[k].rows;
    for (int k = 0; compatible && k < a->stage_count; ++k)
        compatible = a->stages[k].kind == b->stages[k].kind && a->stages[k].a == b->stages[k].a &&
                     a->stages[k].b == b->stages[k].b && a->stages[k].count == b->stages[k].count;
    for (int k = 0; compatible && k < PROGRAM_COLOURINGS; ++k) {
        const int colours = a->colourings[k].colours;
        compatible = colours == b->colourings[k].colours &&
                     (!colours || !memcmp(a->colourings[k].start, b->colourings[k].start,
                                          ((size_t)colours + 1) * sizeof *a->colourings[k].start));
    }
    return compatible;
}

static size_t buffer_bytes(const struct side *side, int b) {
    return side->model.program.buffers[b].items * side->model.program.buffers[b].item_size;
}

static int build(struct side *side) {
    const size_t needed = 2 * model_bytes(&side->model), available = memory_available();
    int status = backend_check(&side->choice, &side->model.program, true);
    if (!status && needed > available)
        status = fail("running A and B again needs %zu bytes of memory, but %zu are available", needed, available);
    if (!status)
        status = model_build(&side->model);
    for (int b = 0; !status && b < side->model.program.buffer_count; ++b) {
        side->held[b] = memory_large(buffer_bytes(side, b));
        if (!side->held[b])
            status = fail("two copies of the buffers of %d nodes do not fit into memory", side->model.body.nodes);
    }
    return status;
}

static void side_close(struct side *side) {
    simulation_close(side->simulation);
    side->simulation = NULL;
}

static void side_free(struct side *side) {
    side_close(side);
    for (int b = 0; b < PROGRAM_BUFFERS; ++b)
        free(side->held[b]);
    if (side->model.run)
        model_free(&side->model);
    run_free(&side->run);
}

/* ---- Reading and setting ---- */

/* Copy all buffers of an engine to side->held. */
static int hold(struct side *side, struct engine *engine) {
    int status = STATUS_OK;
    for (int b = 0; !status && b < side->model.program.buffer_count; ++b)
        status = engine_read(engine, b, side->held[b]);
    return status;
}

/* Copy side->held to all buffers of an engine, and set its next time step. */
static int load(const struct side *side, struct engine *engine, int step) {
    int status = STATUS_OK;
    for (int b = 0; !status && b < side->model.program.buffer_count; ++b)
        status = engine_write(engine, b, side->held[b]);
    engine->step = step;
    return status;
}

static int open_both(struct side sides[2], const struct model models[2]) {
    int status = STATUS_OK;
    for (int k = 0; !status && k < 2; ++k) {
        side_close(&sides[k]);
        status = simulation_open(&models[k], &sides[k].choice, &sides[k].simulation);
    }
    return status;
}

/* Prepare for a difference at a deeper level of the search. The difference of the previous level is discarded. */
static void difference_begin(struct diff *diff, const struct side *side, enum depth depth) {
    diff->depth = depth;
    diff->difference = (struct difference){.column = -1, .row = -1, .real_size = side->model.program.real_size};
}

/* Set column and row of the first element that differs, if it is a node of a grid. It is a node if each buffer that
 * differs has one item for each node. */
static void difference_place(struct diff *diff, const struct side *side) {
    const struct body *body = &side->model.body;
    struct difference *difference = &diff->difference;
    if (!difference->found || body->rows < 2)
        return;
    for (int b = 0; b < difference->buffer_count; ++b)
        if (difference->buffers[b].elements != (size_t)body->nodes)
            return;
    difference->column = (int)(difference->element % (size_t)body->columns);
    difference->row = (int)(difference->element / (size_t)body->columns);
}

/* Store in diff->difference where the last observed states differ. */
static void note_state(struct diff *diff, struct side sides[2], enum depth depth) {
    const struct program *program = &sides[0].model.program;
    const struct state *a = simulation_state(sides[0].simulation, false),
                       *b = simulation_state(sides[1].simulation, false);
    const size_t nodes = (size_t)sides[0].model.body.nodes, size = 3 * (size_t)program->real_size;
    difference_begin(diff, sides, depth);
    difference_add(&diff->difference, program->buffers[program->positions].name, a->position, b->position, nodes, size);
    difference_add(&diff->difference, program->buffers[program->velocities].name, a->velocity, b->velocity, nodes,
                   size);
    difference_place(diff, sides);
}

/* ---- Frames ---- */

/* Whether `hash` is the state hash that a trace recorded for a frame. True if the trace did not record the frame. */
static bool in_trace(const struct trace_data *trace, int frame, const char *hash) {
    for (int f = 0; f < trace->frames; ++f)
        if (trace->frame_index[f] == frame)
            return !strcmp(trace->frame_hash[f], hash);
    return true;
}

/* Compare the current states; STATUS_CHANGED if they differ. If `frame` is not negative, also compare each state with
 * the one that its trace recorded for this frame. */
static int compare(struct diff *diff, struct side sides[2], int frame) {
    const struct state *state[2];
    int status = STATUS_OK;
    for (int k = 0; !status && k < 2; ++k) {
        status = simulation_observe(sides[k].simulation, false, &state[k]);
        if (!status && frame >= 0 && diff->first_mismatch[k] < 0 && !in_trace(sides[k].trace, frame, state[k]->hash))
            diff->first_mismatch[k] = frame;
    }
    if (status)
        return status;
    return strcmp(state[0]->hash, state[1]->hash) ? STATUS_CHANGED : STATUS_OK;
}

/* Run the opened program once on both sides: a whole frame, or one time step of it (find_step). The member `held` of
 * both sides then has the buffers before this frame or step. */
static int advance(struct side sides[2]) {
    for (int k = 0; k < 2; ++k)
        if (hold(&sides[k], simulation_engine(sides[k].simulation)) || simulation_advance(sides[k].simulation))
            return STATUS_BAD;
    return STATUS_OK;
}

/* Find the first frame, up to `last`, after which the states differ. */
static int find_frame(struct diff *diff, struct side sides[2], int last) {
    const int frames = (int)run_number(&sides[0].run, "time.frames", 0);
    int status = compare(diff, sides, 0);
    last = last < frames ? last : frames; /* a damaged trace may have more frames than its run */
    for (diff->frame = 0; !status && diff->frame < last;) {
        diff->first_step = simulation_engine(sides[0].simulation)->step;
        status = advance(sides);
        diff->frame += !status;
        diff->steps = simulation_engine(sides[0].simulation)->step - diff->first_step;
        if (!status)
            status = compare(diff, sides, diff->frame);
    }
    if (status == STATUS_CHANGED)
        note_state(diff, sides, DEPTH_FRAME);
    return status == STATUS_CHANGED ? STATUS_OK : status;
}

/* ---- Steps ---- */

/* Change the program of a frame to the program of one time step. Returns false if the program is not a single loop of
 * steps. */
static bool cut_to_step(struct program *program) {
    int depth = 0;
    if (program->stages[0].kind != STAGE_STEPS)
        return false;
    for (int s = 0; s < program->stage_count; ++s) {
        const enum stage_kind kind = program->stages[s].kind;
        depth += kind == STAGE_STEPS || kind == STAGE_REPEAT ? 1 : kind == STAGE_END ? -1 : 0;
        if (depth == 0 && s + 1 < program->stage_count)
            return false;
    }
    program->stages[0].count = 1;
    program->hints.fused_count = 0; /* without fused stages, both backends run the same stages */
    return true;
}

/* Find the first time step, within the frame diff->frame, after which the states differ. The member `held` of both
 * sides has the buffers before the frame at the start, and the buffers before the last step that ran at the end. */
static int find_step(struct diff *diff, struct side sides[2], const struct model models[2]) {
    int status = open_both(sides, models);
    for (int k = 0; !status && k < 2; ++k)
        status = load(&sides[k], simulation_engine(sides[k].simulation), diff->first_step);
    for (int n = 0; !status && n < diff->steps; ++n) {
        status = advance(sides);
        diff->step = diff->first_step + n;
        if (!status)
            status = compare(diff, sides, -1);
    }
    if (status == STATUS_CHANGED)
        note_state(diff, sides, DEPTH_STEP);
    else if (!status)
        stop(diff, "A and B are bit-identical if they run step by step instead of frame by frame: the difference comes "
                   "from how "
                   "a backend runs a whole frame");
    return status == STATUS_CHANGED ? STATUS_OK : status;
}

/* ---- Stages ---- */

struct search {
    struct diff *diff;
    struct side *sides;
    const struct program *table; /* the program whose stages are run one by one: a time step or a whole frame */
    struct program programs[2][PROGRAM_STAGES]; /* [k][s]: a program with only stage s, for side k */
    struct engine *engines[2][PROGRAM_STAGES];

    /* Whether a buffer differed before the first stage of `table`. Such a buffer is ignored. Only buffers whose data do
     * not belong to the recorded state can differ there. */
    bool differed_before[PROGRAM_BUFFERS];

    /* Copies that keep() makes: all buffers before a stage that runs colour by colour. NULL if there was no such stage.
     */
    void *before[2][PROGRAM_BUFFERS];
};

/* A program with one stage of `whole`. Frame-local buffers become shared, so that their contents pass from one stage's
 * program to the next. */
static struct program program_of_stage(const struct program *whole, const struct stage *stage) {
    struct program program = *whole;
    program.stages[0] = *stage;
    program.stage_count = 1;
    program.hints.fused_count = 0;
    for (int b = 0; b < program.buffer_count; ++b)
        if (buffer_is_frame_local(&program.buffers[b]))
            program.buffers[b].sharing = BUFFER_SHARED;
    return program;
}

/* Run a program on the buffers in side->held, and store the results there. Opens the engine if *engine is NULL. */
static int run_program(struct side *side, const struct program *program, struct engine **engine, int step) {
    if ((!*engine && engine_open(&side->choice, program, engine)) || load(side, *engine, step) ||
        engine_advance(*engine))
        return STATUS_BAD;
    return hold(side, *engine);
}

/* Run stage `index` of the table on side k. */
static int run_stage(struct search *search, int k, int index, int step) {
    struct program *program = &search->programs[k][index];
    if (!search->engines[k][index])
        *program = program_of_stage(&search->sides[k].model.program, &search->table->stages[index]);
    return run_program(&search->sides[k], program, &search->engines[k][index], step);
}

/* Exchange two held buffers on both sides, as STAGE_SWAP does. No backend is needed. */
static void swap_held(struct search *search, int a, int b) {
    for (int k = 0; k < 2; ++k) {
        void *held = search->sides[k].held[a];
        search->sides[k].held[a] = search->sides[k].held[b];
        search->sides[k].held[b] = held;
    }
    const bool differed = search->differed_before[a];
    search->differed_before[a] = search->differed_before[b];
    search->differed_before[b] = differed;
}

static bool held_differ(const struct search *search, int b) {
    const struct program *program = &search->sides[0].model.program;
    return elements_differ(search->sides[0].held[b], search->sides[1].held[b], program->buffers[b].items,
                           program->buffers[b].item_size, program->real_size);
}

static bool has_difference(const struct search *search) {
    const int buffers = search->sides[0].model.program.buffer_count;
    for (int b = 0; b < buffers; ++b)
        if (!search->differed_before[b] && held_differ(search, b))
            return true;
    return false;
}

/* keep copies side->held to search->before for both sides. restore_kept copies search->before back for one side. */
static int keep(struct search *search) {
    for (int k = 0; k < 2; ++k)
        for (int b = 0; b < search->table->buffer_count; ++b) {
            const size_t bytes = buffer_bytes(&search->sides[k], b);
            if (!search->before[k][b] && !(search->before[k][b] = memory_large(bytes)))
                return fail("the buffers of %d nodes do not fit into memory three times",
                            search->sides[k].model.body.nodes);
            memcpy(search->before[k][b], search->sides[k].held[b], bytes);
        }
    return STATUS_OK;
}

static void restore_kept(struct search *search, int k) {
    for (int b = 0; b < search->table->buffer_count; ++b)
        memcpy(search->sides[k].held[b], search->before[k][b], buffer_bytes(&search->sides[k], b));
}

/* Run the first `colours` colours of a stage on both sides, beginning with the buffers in search->before. */
static int run_colours(struct search *search, const struct stage *stage, int colours, int step) {
    int status = STATUS_OK;
    for (int k = 0; !status && k < 2; ++k) {
        struct side *side = &search->sides[k];
        struct program program = program_of_stage(&side->model.program, stage);
        struct engine *engine = NULL;
        program.colourings[stage->b].colours = colours;
        restore_kept(search, k);
        status = run_program(side, &program, &engine, step);
        engine_close(engine);
    }
    return status;
}

/* Find the first colour after which the sides differ. The member `held` of both sides then has the buffers after this
 * colour. */
static int find_colour(struct search *search, const struct stage *stage, int step) {
    struct diff *diff = search->diff;
    const int colours = search->table->colourings[stage->b].colours;
    int same = 0, different = colours, status = STATUS_OK;
    while (!status && different - same > 1) {
        const int middle = same + (different - same) / 2;
        status = run_colours(search, stage, middle, step);
        if (!status)
            *(has_difference(search) ? &different : &same) = middle;
    }
    if (!status)
        status = run_colours(search, stage, different, step);
    diff->colour = different - 1;
    diff->colours = colours;
    return status;
}

static int visit(void *context, const struct stage *stage, int step) {
    struct search *search = context;
    const struct program *program = &search->sides[0].model.program;
    const int index = (int)(stage - search->table->stages);
    const bool has_colours = stage->kind == STAGE_COLOURS;
    if (stage->kind == STAGE_SWAP) {
        swap_held(search, stage->a, stage->b);
        return STATUS_OK;
    }
    int status = has_colours ? keep(search) : STATUS_OK;
    for (int k = 0; !status && k < 2; ++k)
        status = run_stage(search, k, index, step);
    if (status || !has_difference(search))
        return status;
    struct diff *diff = search->diff;
    diff->colour = diff->colours = -1;
    if (has_colours && (status = find_colour(search, stage, step)))
        return status;
    difference_begin(diff, search->sides, DEPTH_STAGE);
    for (int b = 0; b < program->buffer_count; ++b)
        if (!search->differed_before[b])
            difference_add(&diff->difference, program->buffers[b].name, search->sides[0].held[b],
                           search->sides[1].held[b], program->buffers[b].items, program->buffers[b].item_size);
    difference_place(diff, search->sides);
    diff->step = step;
    diff->stage = index;
    snprintf(diff->kernel, sizeof diff->kernel, "%s",
             stage->kind == STAGE_RUN || has_colours ? program->kernels[stage->a].name : "");
    return STATUS_CHANGED;
}

/* Run `table`, the program of a step or of a whole frame, stage by stage on both sides. At the start, the member `held`
 * of each side has the buffers before the first stage. Store in *diff the first stage after which there is a difference
 * in a buffer that was equal at the start. */
static int find_stage(struct diff *diff, struct side sides[2], const struct program *table, int step) {
    AUTO_FREE struct search *search = memory_new(1, sizeof *search);
    search->diff = diff;
    search->sides = sides;
    search->table = table;
    for (int k = 0; k < 2; ++k)
        side_close(&sides[k]);
    for (int b = 0; b < table->buffer_count; ++b) {
        const bool is_unread = buffer_is_frame_local(&table->buffers[b]) || table->buffers[b].sharing == BUFFER_SUMMED;
        for (int k = 0; is_unread && k < 2; ++k) /* no kernel reads the earlier contents of these buffers */
            memset(sides[k].held[b], 0, buffer_bytes(&sides[k], b));
        search->differed_before[b] = held_differ(search, b);
    }
    int status = program_walk(table, visit, search, &step);
    for (int k = 0; k < 2; ++k) {
        for (int s = 0; s < PROGRAM_STAGES; ++s)
            engine_close(search->engines[k][s]);
        for (int b = 0; b < PROGRAM_BUFFERS; ++b)
            free(search->before[k][b]);
    }
    if (!status)
        stop(diff, "A and B are bit-identical if they run stage by stage: the difference comes from how a backend runs "
                   "several stages together");
    return status == STATUS_CHANGED ? STATUS_OK : status;
}

/* ---- The search, from frame to stage ---- */

static int narrow(struct diff *diff, struct side sides[2], int last) {
    const struct model whole[2] = {sides[0].model, sides[1].model};
    struct model step[2] = {sides[0].model, sides[1].model};
    int status = open_both(sides, whole);
    if (!status)
        status = find_frame(diff, sides, last);
    if (status || diff->depth < DEPTH_FRAME || diff->frame == 0)
        return status;
    const bool steps = cut_to_step(&step[0].program) && cut_to_step(&step[1].program);
    if (steps && ((status = find_step(diff, sides, step)) || diff->depth < DEPTH_STEP))
        return status;
    return find_stage(diff, sides, &step[0].program, steps ? diff->step : diff->first_step);
}

int run_again(struct diff *diff, const char *const *backends, int last) {
    struct side sides[2] = {{.trace = NULL}, {.trace = NULL}};
    int status = STATUS_OK;
    for (int k = 0; !status && k < 2; ++k) {
        if (backends)
            snprintf(diff->backend[k], sizeof diff->backend[k], "%s", backends[k]);
        else if (!backend_of(diff, k))
            return STATUS_OK;
        status = backend_choose(diff->backend[k], &sides[k].choice);
    }
    if (status && backends)
        return status;
    for (int k = 0; !status && k < 2; ++k)
        status = restore(&sides[k], diff->trace[k]);
    if (!status && !is_compatible(&sides[0].model.program, &sides[1].model.program)) {
        stop(diff, "the states of A and B cannot be compared: their bodies, precisions or stages of a frame differ");
    } else if (!status) {
        diff->again = true;
        for (int k = 0; !status && k < 2; ++k)
            status = build(&sides[k]);
        if (!status)
            status = narrow(diff, sides, last);
    }
    if (status) {
        stop(diff, failure_text());
        failure_clear();
    }
    for (int k = 0; k < 2; ++k)
        side_free(&sides[k]);
    return STATUS_OK;
}
