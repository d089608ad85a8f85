#include "run/recorder.h"

#include "base/clock.h"
#include "base/memory.h"
#include "run/manifest.h"
#include "run/scenery.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct recorder {
    struct trace *trace;
    int every, mesh_every, frames; /* record.every, record.mesh_every and time.frames of the run */
    double frame_time;             /* simulated time of a frame, s */
    double load, clock;            /* load and clock of the machine before the run (provenance.h) */
    char hash[DIGEST_SIZE];        /* state hash of the last recorded frame */
    struct trace_checkpoint start; /* where the run resumes; its hash is "" if the run starts from its first frame */
    struct scenery scenery;        /* empty if no geometry is recorded */
    double (*scene_at)[3];         /* positions, then velocities of the scenery's points */
    bool has_checkpoints;          /* the run stores checkpoints, so that it can resume */
    double checkpoint_time, checkpoint_cost; /* when the last checkpoint was stored, and how long storing it took, s */
};

/* A checkpoint is due when storing it takes less than this part of the time since the last checkpoint. */
static const double checkpoint_share = 0.04;

static void add_run_notes(struct notes *notes, const struct experiment *experiment, const struct model *model,
                          const struct run *run, const struct backend_choice *choice, const char *key,
                          const char *tier) {
    const struct body *body = &model->body;
    notes_add(notes, "id", "%s", run->id);
    notes_add(notes, "experiment", "%s", experiment->name);
    notes_add(notes, "paper", "%s", experiment->paper);
    notes_add(notes, "title", "%s", experiment->title);
    notes_add(notes, "tier", "%s", tier ? tier : "full");
    notes_add(notes, "method", "%s", model->method->name);
    notes_add(notes, "backend", "%s", run_text(run, "backend"));
    notes_add(notes, "backend_kind", "%s", choice->backend->name);
    notes_add(notes, "device", "%s", choice->device_name);
    notes_add(notes, "device_type", "%s", choice->is_gpu ? "gpu" : "cpu");
    notes_add(notes, "threads", "%d", choice->threads);
    notes_add(notes, "bit_exact", "%s", model_is_exact(model, choice) ? "yes" : "no");
    notes_add(notes, "key", "%s", key);
    notes_add(notes, "canonical", "%s", run->canonical);
    notes_add(notes, "group", "%d", run->group);
    if (*body->sum)
        notes_add(notes, "body_hash", "%s", body->sum);
    for (int f = 0; f < body->prepared.facts.count; ++f) {
        AUTO_FREE char *name = text_format("body_%s", body->prepared.facts.items[f].name);
        notes_add(notes, name, "%s", body->prepared.facts.items[f].value);
    }
    notes_add(notes, "nodes", "%d", body->nodes);
    notes_add(notes, "springs", "%ld", body->springs);
    notes_add(notes, "springs_structural", "%ld", body->springs_of[SPRING_STRUCTURAL]);
    notes_add(notes, "springs_shear", "%ld", body->springs_of[SPRING_SHEAR]);
    notes_add(notes, "springs_bend", "%ld", body->springs_of[SPRING_BEND]);
    notes_add(notes, "springs_inside", "%ld", body->springs_inside);
    notes_add(notes, "springs_at_node", "%d", body->springs_at_node);
    notes_add(notes, "steps_per_frame", "%.0f", run_number(run, "time.steps_per_frame", 0));
}

/* The run's parameters for the trace. The table is newly allocated; the caller frees it. The texts are borrowed from
 * the run and the experiment. */
static struct trace_parameter *parameter_table(const struct experiment *experiment, const struct run *run) {
    struct trace_parameter *table = memory_new((size_t)run->parameter_count, sizeof *table);
    for (int p = 0; p < run->parameter_count; ++p) {
        const struct parameter *parameter = &run->parameters[p];
        table[p] = (struct trace_parameter){.path = parameter->field->path,
                                            .value = parameter->value.text,
                                            .unit = parameter->field->unit,
                                            .origin = origin_name(parameter->origin),
                                            .why = "",
                                            .low = "",
                                            .high = ""};
        for (int a = 0; a < experiment->assumption_count; ++a)
            if (parameter->origin == ORIGIN_ASSUMED &&
                !strcmp(experiment->assumptions[a].field->path, parameter->field->path)) {
                table[p].why = experiment->assumptions[a].why;
                const struct value_range *ranges = experiment->assumptions[a].ranges,
                                         *range =
                                             &ranges[ranges[RANGE_LIKELY].count > 1 ? RANGE_LIKELY : RANGE_POSSIBLE];
                table[p].low = range->values[0].text;
                table[p].high = range->values[range->count - 1].text;
            }
    }
    return table;
}

/* How many of the frames 0 to `last` are recorded: the multiples of `every`, and the last frame. If `every` is 0, only
 * frame 0 and the last frame are recorded. */
static int count_frames(int last, int every) {
    return every > 0 ? last / every + 1 + (last % every != 0) : 2;
}

bool recorder_has_geometry(const struct run *run) {
    return run_number(run, "record.mesh_every", 0) > 0;
}

/* The scenery of a run that records geometry; otherwise an empty one. */
static int scenery_of(const struct model *model, const struct run *run, struct scenery *out) {
    *out = (struct scenery){.plate_first = 0};
    return recorder_has_geometry(run) ? scenery_create(run, &model->body, out) : STATUS_OK;
}

/* A trace's header with all sizes, the body's triangles and tetrahedra, and the experiment's text. */
static struct trace_header sizes_of(const struct experiment *experiment, const struct model *model,
                                    const struct run *run, const struct scenery *scenery) {
    const bool has_tetrahedra =
        run_parameter(run, "body.surface.inside") && run_has(run, "body.surface.inside", "tetrahedra");
    const struct part *tetrahedra = &model->body.prepared.parts[PART_TETRAHEDRA];
    const int frames = (int)run_number(run, "time.frames", 0),
              mesh_every = (int)run_number(run, "record.mesh_every", 0);
    return (struct trace_header){
        .experiment_text = experiment->text,
        .series_count = model->method->quantity_count(&model->body),
        .frames = count_frames(frames, (int)run_number(run, "record.every", 0)),
        .mesh_frames = mesh_every ? count_frames(frames, mesh_every) : 0,
        .repeats = (int)run_number(run, "time.repeats", 0),
        .timed_frames = frames,
        .nodes = (size_t)model->body.nodes,
        .real_size = model->program.real_size,
        .triangles = (const int32_t *)model->body.triangle,
        .triangle_count = model->body.triangles,
        .tetrahedra = has_tetrahedra ? tetrahedra->particle : NULL,
        .tetrahedron_count = has_tetrahedra ? (size_t)tetrahedra->count : 0,
        .scene = scenery->scene,
    };
}

double recorder_bytes(const struct experiment *experiment, const struct model *model, const struct run *run) {
    AUTO(scenery_free) struct scenery scenery;
    const struct failure_mark mark = failure_mark();
    if (scenery_of(model, run, &scenery)) /* recorder_open will report the error */
        failure_rewind(mark);
    const struct trace_header sizes = sizes_of(experiment, model, run, &scenery);
    return trace_bytes(&sizes);
}

/* Resume an interrupted trace, if there is one. If the trace cannot be resumed, *why becomes the reason, newly
 * allocated, and a new trace may replace the interrupted trace. If the system cannot read the trace, the function
 * fails, because the trace may be valid and must not be replaced. */
static int resume_trace(const char *path, const struct trace_header *header, struct recorder *recorder, char **why) {
    const struct failure_mark mark = failure_mark();
    if (!trace_is_begun(path))
        return STATUS_OK;
    if (header->repeats > 0)
        *why = text_copy("a timed run cannot resume, because all its timings must come from one process");
    else if (!header->checkpoints)
        *why = text_copy("the method has more state than positions and velocities, which checkpoints do not store");
    else if (!trace_resume(path, header, &recorder->start, &recorder->trace))
        memcpy(recorder->hash, recorder->start.hash, sizeof recorder->hash);
    else if (trace_error())
        return STATUS_BAD;
    else
        *why = failure_take(mark);
    return STATUS_OK;
}

static void recorder_free(struct recorder *recorder) {
    scenery_free(&recorder->scenery);
    free(recorder->scene_at);
    free(recorder);
}

int recorder_open(const char *path, const struct experiment *experiment, const struct model *model,
                  const struct run *run, const struct backend_choice *choice, const struct recipe *recipe,
                  const char *tier, char **resume, struct recorder **out) {
    struct recorder *recorder = memory_new(1, sizeof *recorder);
    AUTO(notes_free) struct notes run_notes = {.count = 0}, provenance = {.count = 0};
    int status = STATUS_OK;
    recorder->every = (int)run_number(run, "record.every", 0);
    recorder->mesh_every = (int)run_number(run, "record.mesh_every", 0);
    recorder->frames = (int)run_number(run, "time.frames", 0);
    recorder->frame_time = run_number(run, "time.step", 0) * run_number(run, "time.steps_per_frame", 0);
    /* a timed run stores no checkpoints, because all its timings must come from one process */
    recorder->has_checkpoints = !run_is_timed(run) && !model->program.has_hidden_state;
    add_run_notes(&run_notes, experiment, model, run, choice, recipe->key, tier);
    provenance_collect(choice, &provenance);
    recipe_add_notes(recipe, &provenance);
    AUTO_FREE struct trace_parameter *parameters = parameter_table(experiment, run);
    struct trace_series series[METHOD_QUANTITIES];
    for (int q = 0; q < model->method->quantity_count(&model->body); ++q) {
        const struct quantity *quantity = &model->method->quantities[q];
        series[q] = (struct trace_series){quantity->name, quantity->unit, quantity->doc};
    }
    status = scenery_of(model, run, &recorder->scenery);
    recorder->scene_at = memory_new(2 * recorder->scenery.scene.points, sizeof *recorder->scene_at);
    struct trace_header header = sizes_of(experiment, model, run, &recorder->scenery);
    header.run = run_notes.notes;
    header.run_count = run_notes.count;
    header.provenance = provenance.notes;
    header.provenance_count = provenance.count;
    header.parameters = parameters;
    header.parameter_count = run->parameter_count;
    header.series = series;
    header.bit_exact = model_is_exact(model, choice);
    header.checkpoints = recorder->has_checkpoints;
    if (resume && !status) {
        *resume = NULL;
        status = resume_trace(path, &header, recorder, resume);
    }
    if (!status && !recorder->trace)
        status = trace_create(path, &header, &recorder->trace);
    recorder->checkpoint_time = clock_now();
    recorder->checkpoint_cost = 0.001; /* s; a guess, until a checkpoint was stored */
    if (status)
        recorder_free(recorder);
    else
        *out = recorder;
    return status;
}

static bool is_due(const struct recorder *recorder, int frame, int every) {
    return frame == 0 || frame == recorder->frames || (every > 0 && frame % every == 0);
}

bool recorder_records(const struct recorder *recorder, int frame) {
    return is_due(recorder, frame, recorder->every);
}

static int add_geometry(struct recorder *recorder, double time, const struct state *state) {
    double(*position)[3] = recorder->scene_at, (*velocity)[3] = position + recorder->scenery.scene.points;
    scenery_at(&recorder->scenery, time, position, velocity);
    const int status = trace_add_mesh(recorder->trace, time, state->position, state->velocity);
    return status ? status : trace_add_scene(recorder->trace, *position, *velocity);
}

int recorder_add_frame(struct recorder *recorder, struct simulation *simulation, int frame, bool *diverged) {
    const struct state *state = simulation_state(simulation, true);
    const double time = frame * recorder->frame_time;
    int status = STATUS_OK;
    if (recorder->mesh_every && is_due(recorder, frame, recorder->mesh_every))
        status = add_geometry(recorder, time, state);
    if (!status)
        status = trace_add_frame(recorder->trace, frame, time, state->values, state->hash);
    if (status)
        return status;
    memcpy(recorder->hash, state->hash, sizeof recorder->hash);
    *diverged = state->diverged;
    return STATUS_OK;
}

int recorder_restore(struct recorder *recorder, struct simulation *simulation, int *frame, double *seconds) {
    recorder->load = provenance_load();
    recorder->clock = provenance_clock();
    const struct trace_checkpoint *start = &recorder->start;
    *frame = start->frame;
    *seconds = start->seconds;
    if (!*start->hash)
        return STATUS_OK;
    const struct state *state;
    if (simulation_restore(simulation, start->positions, start->velocities, (int)start->step) ||
        simulation_observe(simulation, false, &state))
        return STATUS_BAD;
    if (strcmp(state->hash, start->hash) != 0)
        return fail(
            "the checkpoint of frame %d has the state %s, but restoring it gives %s; run again without --resume",
            start->frame, start->hash, state->hash);
    return STATUS_OK;
}

bool recorder_checkpoint_due(const struct recorder *recorder, int sharing) {
    return recorder->has_checkpoints &&
           sharing * recorder->checkpoint_cost < checkpoint_share * (clock_now() - recorder->checkpoint_time);
}

int recorder_add_checkpoint(struct recorder *recorder, struct simulation *simulation, int frame, double seconds,
                            double fetched) {
    const double begin = clock_now();
    if (!recorder->has_checkpoints)
        return STATUS_OK;
    const struct state *state = simulation_state(simulation, false);
    if (state->diverged) /* a diverged state is never stored as a checkpoint (recorder_add_frame) */
        return STATUS_OK;
    struct trace_checkpoint checkpoint = {.frame = frame,
                                          .step = state->step,
                                          .seconds = seconds,
                                          .positions = state->position,
                                          .velocities = state->velocity};
    memcpy(checkpoint.hash, state->hash, sizeof checkpoint.hash);
    const int status = trace_add_checkpoint(recorder->trace, &checkpoint);
    recorder->checkpoint_time = clock_now();
    recorder->checkpoint_cost = recorder->checkpoint_time - begin + fetched;
    return status;
}

int recorder_time(struct recorder *recorder, int repeat, const double *seconds) {
    return trace_add_timing(recorder->trace, repeat, seconds);
}

const char *recorder_hash(const struct recorder *recorder) {
    return recorder->hash;
}

int recorder_finish(struct recorder *recorder, int frames, int diverged_frame, double seconds) {
    AUTO(notes_free) struct notes notes = {.count = 0};
    notes_add(&notes, "status", "%s", run_status_word(diverged_frame < 0 ? RUN_WHOLE : RUN_DIVERGED));
    notes_add(&notes, "diverged_frame", "%d", diverged_frame);
    notes_add(&notes, "frames", "%d", frames);
    if (*recorder->start.hash) { /* these notes are about the last resumption; /provenance describes the first start */
        notes_add(&notes, "resumed_frame", "%d", recorder->start.frame);
        notes_add(&notes, "resumed_by", "springback %s, revision %s, on %s", provenance_version(),
                  provenance_revision(), provenance_host());
    }
    notes_add(&notes, "state_hash", "%s", recorder->hash);
    notes_add(&notes, "seconds", "%.9g", seconds);
    notes_add(&notes, "load_before", "%.2f", recorder->load);
    notes_add(&notes, "load_after", "%.2f", provenance_load());
    notes_add(&notes, "clock_before_mhz", "%.0f", recorder->clock);
    notes_add(&notes, "clock_after_mhz", "%.0f", provenance_clock());
    provenance_collect_end(&notes);
    int status = trace_finish(recorder->trace, notes.notes, notes.count);
    recorder_free(recorder);
    return status;
}

bool recorder_abandon(struct recorder *recorder) {
    const bool left = recorder && trace_keep(recorder->trace);
    if (recorder)
        recorder_free(recorder);
    return left;
}
