#include "diff/diff.h"

#include "backend/backend.h"
#include "base/memory.h"
#include "experiment/run.h"
#include "run/recipe.h"
#include "run/simulation.h"

#include <stdlib.h>
#include <string.h>

/* One of the two runs. */
struct side {
    const struct trace_data *trace;
    struct run run;
    struct model model;
    struct backend_choice choice;
    void *held[PROGRAM_BUFFERS]; /* all buffers, as they were before the latest advance */
    struct simulation *simulation;
};

static void stop(struct diff *diff, const char *reason) {
    free(diff->stopped);
    diff->stopped = text_copy(reason);
}

/* ---- The sides ---- */

/* The backend that a trace was made on, if it is here: a device is known by its name. */
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
        text_format("%s ran on the device %s, which is not here; --backend NAME --backend NAME runs both on "
                    "others",
                    k ? "B" : "A", device ? device : "of a name that was not recorded");
    stop(diff, reason);
    return false;
}

static int restore(struct side *side, const struct trace_data *trace) {
    if (run_of_trace(trace, &side->run))
        return STATUS_BAD;
    side->trace = trace;
    int status = model_describe(&side->run, &side->model);
    const char *was = trace_run_note(trace, "body_hash");
    if (!status && was && strcmp(was, side->model.body.sum) != 0)
        status =
            fail("%s: the body %s is another now than when the trace was made, and so the run cannot be made again",
                 trace->path,
                 run_text(&side->run, run_parameter(&side->run, "body.mesh") ? "body.mesh" : "scene.convex.mesh"));
    return status;
}

/* Whether two programs keep the same things and do the same stages, so that they can be set side by side. */
static bool is_alike(const struct program *a, const struct program *b) {
    bool alike = a->real_size == b->real_size && a->buffer_count == b->buffer_count && a->positions == b->positions &&
                 a->velocities == b->velocities && a->kernel_count == b->kernel_count &&
                 a->stage_count == b->stage_count;
    for (int k = 0; alike && k < a->buffer_count; ++k)
        alike = a->buffers[k].items == b->buffers[k].items && a->buffers[k].item_size == b->buffers[k].item_size;
    for (int k = 0; alike && k < a->kernel_count; ++k)
        alike = !strcmp(a->kernels[k].name, b->kernels[k].name) && a->kernels[k].columns == b->kernels[k].columns &&
                a->kernels[k].rows == b->kernels[k].rows;
    for (int k = 0; alike && k < a->stage_count; ++k)
        alike = a->stages[k].kind == b->stages[k].kind && a->stages[k].a == b->stages[k].a &&
                a->stages[k].b == b->stages[k].b && a->stages[k].count == b->stages[k].count;
    for (int k = 0; alike && k < PROGRAM_COLOURINGS; ++k) {
        const int colours = a->colourings[k].colours;
        alike = colours == b->colourings[k].colours &&
                (!colours || !memcmp(a->colourings[k].start, b->colourings[k].start,
                                     ((size_t)colours + 1) * sizeof *a->colourings[k].start));
    }
    return alike;
}

static size_t buffer_bytes(const struct side *side, int b) {
    return side->model.program.buffers[b].items * side->model.program.buffers[b].item_size;
}

static int build(struct side *side) {
    const size_t needed = 2 * model_bytes(&side->model), available = memory_available();
    int status = backend_check(&side->choice, &side->model.program, true);
    if (!status && needed > available)
        status = fail("two bodies need %zu bytes of memory, and %zu are available", needed, available);
    if (!status)
        status = model_build(&side->model);
    for (int b = 0; !status && b < side->model.program.buffer_count; ++b) {
        side->held[b] = memory_large(buffer_bytes(side, b));
        if (!side->held[b])
            status = fail("the buffers of %d nodes do not fit into memory twice", side->model.body.nodes);
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

static int hold(struct side *side, struct engine *engine) {
    int status = STATUS_OK;
    for (int b = 0; !status && b < side->model.program.buffer_count; ++b)
        status = engine_read(engine, b, side->held[b]);
    return status;
}

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

/* Begin the note of where they part: whatever was noted of a shallower depth is given up. */
static void parting_begin(struct diff *diff, const struct side *side, enum depth depth) {
    diff->depth = depth;
    diff->parting = (struct parting){.column = -1, .row = -1, .real_size = side->model.program.real_size};
}

static void parting_place(struct diff *diff, const struct side *side) {
    const struct body *body = &side->model.body;
    struct parting *parting = &diff->parting;
    if (!parting->found || body->rows < 2 || parting->element >= (size_t)body->nodes)
        return;
    parting->column = (int)(parting->element % (size_t)body->columns);
    parting->row = (int)(parting->element / (size_t)body->columns);
}

/* Note where the states differ that were observed last. */
static void note_state(struct diff *diff, struct side sides[2], enum depth depth) {
    const struct program *program = &sides[0].model.program;
    const struct state *a = simulation_state(sides[0].simulation, false),
                       *b = simulation_state(sides[1].simulation, false);
    const size_t nodes = (size_t)sides[0].model.body.nodes, size = 3 * (size_t)program->real_size;
    parting_begin(diff, sides, depth);
    parting_add(&diff->parting, program->buffers[program->positions].name, a->position, b->position, nodes, size);
    parting_add(&diff->parting, program->buffers[program->velocities].name, a->velocity, b->velocity, nodes, size);
    parting_place(diff, sides);
}

/* ---- Frames ---- */

/* Whether a frame's state is what the trace recorded of it; true too where it did not. */
static bool in_trace(const struct trace_data *trace, int frame, const char *hash) {
    for (int f = 0; f < trace->frames; ++f)
        if (trace->frame_index[f] == frame)
            return !strcmp(trace->frame_hash[f], hash);
    return true;
}

/* STATUS_CHANGED where the two states differ; and note whether each is the recorded one. */
static int compare(struct diff *diff, struct side sides[2], int frame) {
    const struct state *state[2];
    int status = STATUS_OK;
    for (int k = 0; !status && k < 2; ++k) {
        status = simulation_observe(sides[k].simulation, false, &state[k]);
        if (!status && frame >= 0 && diff->unlike_trace[k] < 0 && !in_trace(sides[k].trace, frame, state[k]->hash))
            diff->unlike_trace[k] = frame;
    }
    if (status)
        return status;
    return strcmp(state[0]->hash, state[1]->hash) ? STATUS_CHANGED : STATUS_OK;
}

static int advance(struct side sides[2]) {
    for (int k = 0; k < 2; ++k)
        if (hold(&sides[k], simulation_engine(sides[k].simulation)) || simulation_advance(sides[k].simulation))
            return STATUS_BAD;
    return STATUS_OK;
}

static int find_frame(struct diff *diff, struct side sides[2], int last) {
    const int frames = (int)run_number(&sides[0].run, "time.frames", 0);
    int status = compare(diff, sides, 0);
    last = last < frames ? last : frames; /* a damaged trace may count further */
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

/* Make of a frame's program one of a single time step: possible where the whole of it is one bracket of steps. */
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
    program->hints.fused_count = 0; /* the table that both backends know */
    return true;
}

/* Find the time step inside the frame before which the sides hold their buffers. */
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
        stop(diff, "step by step, in place of whole frames, both are in the same bits: what parts them is how a "
                   "backend runs a frame as a whole");
    return status == STATUS_CHANGED ? STATUS_OK : status;
}

/* ---- Stages ---- */

struct search {
    struct diff *diff;
    struct side *sides;
    const struct program *table;
    struct program programs[2][PROGRAM_STAGES]; /* of one stage each */
    struct engine *engines[2][PROGRAM_STAGES];
    bool apart[PROGRAM_BUFFERS]; /* differed before the step, as what the recorded state does not hold may */
    void *before[2]
                [PROGRAM_BUFFERS]; /* all buffers before a stage that goes colour by colour; NULL until there is one */
};

/* A program of one of the table's stages alone. What lives for a frame alone goes from program to program, too. */
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

/* Run a program on what a side holds. The engine is opened if it is not yet. */
static int run_program(struct side *side, const struct program *program, struct engine **engine, int step) {
    if ((!*engine && engine_open(&side->choice, program, engine)) || load(side, *engine, step) ||
        engine_advance(*engine))
        return STATUS_BAD;
    return hold(side, *engine);
}

/* Run one stage by itself on one side. */
static int run_stage(struct search *search, int k, int index, int step) {
    struct program *program = &search->programs[k][index];
    if (!search->engines[k][index])
        *program = program_of_stage(&search->sides[k].model.program, &search->table->stages[index]);
    return run_program(&search->sides[k], program, &search->engines[k][index], step);
}

/* Exchange what the two sides hold, which no backend needs to be asked for. */
static void swap_held(struct search *search, int a, int b) {
    for (int k = 0; k < 2; ++k) {
        void *held = search->sides[k].held[a];
        search->sides[k].held[a] = search->sides[k].held[b];
        search->sides[k].held[b] = held;
    }
    const bool apart = search->apart[a];
    search->apart[a] = search->apart[b];
    search->apart[b] = apart;
}

static bool held_differ(const struct search *search, int b) {
    const struct program *program = &search->sides[0].model.program;
    return elements_differ(search->sides[0].held[b], search->sides[1].held[b], program->buffers[b].items,
                           program->buffers[b].item_size, program->real_size);
}

static bool has_parted(const struct search *search) {
    const int buffers = search->sides[0].model.program.buffer_count;
    for (int b = 0; b < buffers; ++b)
        if (!search->apart[b] && held_differ(search, b))
            return true;
    return false;
}

/* Copy what the sides hold, or take it back. */
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

static void take_back(struct search *search, int k) {
    for (int b = 0; b < search->table->buffer_count; ++b)
        memcpy(search->sides[k].held[b], search->before[k][b], buffer_bytes(&search->sides[k], b));
}

/* Run the first `colours` colours of a stage on both sides, from what was kept. */
static int run_colours(struct search *search, const struct stage *stage, int colours, int step) {
    int status = STATUS_OK;
    for (int k = 0; !status && k < 2; ++k) {
        struct side *side = &search->sides[k];
        struct program program = program_of_stage(&side->model.program, stage);
        struct engine *engine = NULL;
        program.colourings[stage->b].colours = colours;
        take_back(search, k);
        status = run_program(side, &program, &engine, step);
        engine_close(engine);
    }
    return status;
}

/* Find the first colour after which the sides part, and leave them as they are after it. */
static int find_colour(struct search *search, const struct stage *stage, int step) {
    struct diff *diff = search->diff;
    const int colours = search->table->colourings[stage->b].colours;
    int same = 0, apart = colours, status = STATUS_OK;
    while (!status && apart - same > 1) {
        const int middle = same + (apart - same) / 2;
        status = run_colours(search, stage, middle, step);
        if (!status)
            *(has_parted(search) ? &apart : &same) = middle;
    }
    if (!status)
        status = run_colours(search, stage, apart, step);
    diff->colour = apart - 1;
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
    if (status || !has_parted(search))
        return status;
    struct diff *diff = search->diff;
    diff->colour = diff->colours = -1;
    if (has_colours && (status = find_colour(search, stage, step)))
        return status;
    parting_begin(diff, search->sides, DEPTH_STAGE);
    for (int b = 0; b < program->buffer_count; ++b)
        if (!search->apart[b])
            parting_add(&diff->parting, program->buffers[b].name, search->sides[0].held[b], search->sides[1].held[b],
                        program->buffers[b].items, program->buffers[b].item_size);
    parting_place(diff, search->sides);
    diff->step = step;
    diff->stage = index;
    snprintf(diff->kernel, sizeof diff->kernel, "%s",
             stage->kind == STAGE_RUN || has_colours ? program->kernels[stage->a].name : "no kernel");
    return STATUS_CHANGED;
}

/* Find the stage in what `table` describes, a step or a whole frame, before which the sides hold their buffers. */
static int find_stage(struct diff *diff, struct side sides[2], const struct program *table, int step) {
    AUTO_FREE struct search *search = memory_new(1, sizeof *search);
    search->diff = diff;
    search->sides = sides;
    search->table = table;
    for (int k = 0; k < 2; ++k)
        side_close(&sides[k]);
    for (int b = 0; b < table->buffer_count; ++b) {
        for (int k = 0; buffer_is_frame_local(&table->buffers[b]) && k < 2; ++k) /* nobody reads what it held */
            memset(sides[k].held[b], 0, buffer_bytes(&sides[k], b));
        search->apart[b] = held_differ(search, b);
    }
    int status = program_walk(table, visit, search, &step);
    for (int k = 0; k < 2; ++k) {
        for (int s = 0; s < PROGRAM_STAGES; ++s)
            engine_close(search->engines[k][s]);
        for (int b = 0; b < PROGRAM_BUFFERS; ++b)
            free(search->before[k][b]);
    }
    if (!status)
        stop(diff, "stage by stage, in place of whole steps, both are in the same bits: what parts them is how a "
                   "backend runs a step as a whole");
    return status == STATUS_CHANGED ? STATUS_OK : status;
}

/* ---- The whole ---- */

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
    if (!status && !is_alike(&sides[0].model.program, &sides[1].model.program)) {
        stop(diff, "their states cannot be set side by side: the bodies, the precision or the stages of a frame are "
                   "not the same");
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
