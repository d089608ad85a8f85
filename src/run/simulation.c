#include "run/simulation.h"

#include "backend/source.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/openmp.h"
#include "base/percentile.h"
#include "base/tree.h"
#include "trace/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct simulation {
    const struct model *model;
    struct engine *engine;
    void *quads[2]; /* positions and velocities as fetched: x, y, z, w; simulation_rewind overwrites them */
    void *record;   /* the buffer program.method_record, as fetched; NULL if the method has none */
    struct pool pool;
    struct state state;
    bool is_packed;                   /* `state` has the fetched positions and velocities */
    bool is_measured;                 /* `state` also has the values */
    double *planes;                   /* the motion of all nodes (convert_motion); NULL if the body is a grid */
    double *terms[METHOD_QUANTITIES]; /* for a percentile, the terms of all nodes; NULL for other quantities */
};

int model_describe(const struct run *run, struct model *model) {
    *model = (struct model){.run = run, .method = method_find(run_text(run, "method.name"))};
    model->is_invalid = method_check_scene(model->method, run) != STATUS_OK;
    if (model->is_invalid || body_describe(run, &model->body))
        return STATUS_BAD;
    model->is_invalid = model->method->check && model->method->check(run, &model->body);
    if (model->is_invalid)
        return STATUS_BAD;
    model->method->build(run, &model->body, &model->program);
    const struct backend *backend = backend_find(run_text(run, "backend")); /* backend_find needs no device */
    const struct parameter *variant = run_parameter(run, "method.variant");
    const struct place place = variant ? variant->place : run_parameter(run, "method.name")->place;
    model->is_invalid = backend && backend_check_kernels(backend, &model->program, place);
    return model->is_invalid ? STATUS_BAD : STATUS_OK;
}

int model_build(struct model *model) {
    const int status = body_build(model->run, &model->body);
    if (!status && model->program.is_list_program)
        banks_lay(&model->body.prepared);
    return status;
}

void model_free(struct model *model) {
    program_free(&model->program);
    body_free(&model->body);
}

size_t model_bytes(const struct model *model) {
    const size_t nodes = (size_t)model->body.nodes, real = (size_t)model->program.real_size;
    const size_t doubles = 1 + (model->body.is_grid ? 0 : 6); /* 1 for the terms of a percentile, 6 for `planes` */
    return body_bytes(&model->body) + nodes * (8 * real + 6 * real + doubles * sizeof(double));
}

int model_kernel_digest(const struct model *model, const struct backend_choice *choice, char out[DIGEST_SIZE]) {
    AUTO_FREE char *source =
        source_read(model->program.sources, model->program.source_count, !choice->backend->compiles_kernels);
    if (!source)
        return STATUS_BAD;
    source_digest(source, out);
    return STATUS_OK;
}

bool model_is_exact(const struct model *model, const struct backend_choice *choice) {
    return choice->bit_exact && !model->program.has_unordered_sums;
}

int simulation_open(const struct model *model, const struct backend_choice *choice, struct simulation **out) {
    struct engine *engine;
    const int status = engine_open(choice, &model->program, &engine);
    return status ? status : simulation_open_engine(model, engine, out);
}

int simulation_open_engine(const struct model *model, struct engine *engine, struct simulation **out) {
    struct simulation *s = memory_new(1, sizeof *s);
    const size_t nodes = (size_t)model->body.nodes, real = (size_t)model->program.real_size;
    s->model = model;
    s->engine = engine;
    s->quads[0] = pool_add(&s->pool, memory_large(nodes * 4 * real));
    s->quads[1] = pool_add(&s->pool, memory_large(nodes * 4 * real));
    s->state.position = pool_add(&s->pool, memory_large(nodes * 3 * real));
    s->state.velocity = pool_add(&s->pool, memory_large(nodes * 3 * real));
    if (!model->body.is_grid)
        s->planes = pool_add(&s->pool, memory_large(6 * (nodes + ROW_SPARE) * sizeof *s->planes));
    s->state.values = pool_add(&s->pool, memory_new(METHOD_QUANTITIES, sizeof(double)));
    if (model->method->noted) {
        const struct buffer *record = &model->program.buffers[model->program.method_record];
        s->record = pool_add(&s->pool, memory_new(record->items, record->item_size));
    }
    bool is_there =
        s->quads[0] && s->quads[1] && s->state.position && s->state.velocity && (model->body.is_grid || s->planes);
    for (int q = 0; q < model->method->quantity_count(&model->body); ++q)
        if (model->method->quantities[q].kind == QUANTITY_PERCENTILE) {
            s->terms[q] = pool_add(&s->pool, memory_large(nodes * sizeof **s->terms));
            is_there = is_there && s->terms[q];
        }
    int status = is_there ? STATUS_OK : fail("no main memory for the state of %d nodes", model->body.nodes);
    if (!status)
        status = simulation_rewind(s);
    if (status)
        simulation_close(s);
    else
        *out = s;
    return status;
}

void simulation_close(struct simulation *s) {
    if (!s)
        return;
    engine_close(s->engine);
    pool_free(&s->pool);
    free(s);
}

int simulation_rewind(struct simulation *s) {
    const struct model *model = s->model;
    s->engine->step = 0;
    for (int b = 0; b < model->program.buffer_count; ++b) {
        const struct buffer *buffer = &model->program.buffers[b];
        const size_t bytes = buffer_size(buffer);
        const bool fits = bytes <= 4 * (size_t)model->body.nodes * (size_t)model->program.real_size;
        AUTO_FREE void *large = fits ? NULL : memory_large(bytes);
        void *contents = fits ? s->quads[0] : large;
        if (!contents)
            return fail("no main memory for buffer '%s'", buffer->name);
        if (fits)
            memset(contents, 0, bytes);
        model->method->fill(model->run, &model->body, &model->program, b, contents);
        if (engine_write(s->engine, b, contents))
            return STATUS_BAD;
    }
    return STATUS_OK;
}

/* Write the packed x, y and z of all nodes into the engine's buffer of quads (x, y, z, w). w gets its initial value. */
static int restore(struct simulation *s, int buffer, const void *packed) {
    const struct model *model = s->model;
    const size_t real = (size_t)model->program.real_size;
    memset(s->quads[0], 0, (size_t)model->body.nodes * 4 * real);
    model->method->fill(model->run, &model->body, &model->program, buffer, s->quads[0]);
    for (size_t i = 0; i < (size_t)model->body.nodes; ++i)
        memcpy((char *)s->quads[0] + 4 * i * real, (const char *)packed + 3 * i * real, 3 * real);
    return engine_write(s->engine, buffer, s->quads[0]);
}

int simulation_restore(struct simulation *s, const void *positions, const void *velocities, int step) {
    if (simulation_rewind(s) || restore(s, s->model->program.positions, positions) ||
        restore(s, s->model->program.velocities, velocities))
        return STATUS_BAD;
    s->engine->step = step;
    return STATUS_OK;
}

int simulation_advance(struct simulation *s) {
    return engine_advance(s->engine);
}

struct engine *simulation_engine(struct simulation *s) {
    return s->engine;
}

/* The index after the last node of a block. All blocks except the last one have TREE_BLOCK nodes. */
static int block_end(const struct simulation *s, size_t block) {
    const int nodes = s->model->body.nodes, begin = (int)(block * TREE_BLOCK);
    return nodes - begin > TREE_BLOCK ? begin + TREE_BLOCK : nodes;
}

typedef float quad_float __attribute__((vector_size(16)));
typedef int32_t quad_word_float __attribute__((vector_size(16)));
typedef double quad_double __attribute__((vector_size(32)));
typedef int64_t quad_word_double __attribute__((vector_size(32)));

/* Copy x, y and z of the quads `begin` to `end` - 1 to `packed`. All NaNs get the same bits, because the bits of a NaN
 * differ between devices. Returns whether all values are from -limit to limit. */
#define DEFINE_PACK(real)                                                                                              \
    static int pack_##real(const real quads[], real packed[], size_t begin, size_t end, real limit) {                  \
        const quad_word_##real nan = (quad_word_##real)((quad_##real){0} + (real)NAN);                                 \
        quad_word_##real within = ~(quad_word_##real){0};                                                              \
        for (size_t i = begin; i < end; ++i) {                                                                         \
            quad_##real quad;                                                                                          \
            memcpy(&quad, quads + 4 * i, sizeof quad);                                                                 \
            within &= (quad >= -limit) & (quad <= limit);                                                              \
            const quad_word_##real is_nan = quad != quad, word = ((quad_word_##real)quad & ~is_nan) | (nan & is_nan);  \
            memcpy(packed + 3 * i, &word, 3 * sizeof(real));                                                           \
        }                                                                                                              \
        return within[0] && within[1] && within[2];                                                                    \
    }
DEFINE_PACK(float)
DEFINE_PACK(double)

/* Convert the packed x, y and z of `count` nodes to doubles: coordinate c of node i is out[c * pitch + i]. */
#define DEFINE_UNPACK(real)                                                                                            \
    static void unpack_##real(const real packed[], size_t count, double *out, size_t pitch) {                          \
        for (size_t i = 0; i < count; ++i)                                                                             \
            for (size_t c = 0; c < 3; ++c)                                                                             \
                out[c * pitch + i] = (double)packed[3 * i + c];                                                        \
    }
DEFINE_UNPACK(float)
DEFINE_UNPACK(double)

/* Convert the motion of the nodes `begin` to `end` - 1 to doubles. `planes` gets six arrays: three coordinates of the
 * positions, then three coordinates of the velocities. Each array begins `pitch` numbers after the previous array. */
static void convert_motion(const struct simulation *s, int begin, int end, double *planes, size_t pitch) {
    const size_t first = 3 * (size_t)begin, count = (size_t)(end - begin);
    if (s->model->program.real_size == sizeof(float)) {
        unpack_float((const float *)s->state.position + first, count, planes, pitch);
        unpack_float((const float *)s->state.velocity + first, count, planes + 3 * pitch, pitch);
    } else {
        unpack_double((const double *)s->state.position + first, count, planes, pitch);
        unpack_double((const double *)s->state.velocity + first, count, planes + 3 * pitch, pitch);
    }
}

/* The motion in `planes`, whose first node is `first`. */
static struct node_motion motion_in(const double *planes, size_t pitch, int first) {
    struct node_motion motion = {.first = first};
    for (size_t c = 0; c < 3; ++c) {
        motion.position[c] = planes + c * pitch;
        motion.velocity[c] = planes + (3 + c) * pitch;
    }
    return motion;
}

static enum tree_operation reduction_of(enum quantity_kind kind) {
    return kind == QUANTITY_MAX ? TREE_MAX : TREE_SUM;
}

/* The quantities of the current state while they are computed. */
struct measurement {
    const struct simulation *simulation;
    int quantities;
    double *results; /* [quantities][blocks] */
    size_t blocks;
};

/* The largest number of blocks in a chunk of a grid. A thread converts the motion of a whole chunk, and of the nodes
 * within body_reach of the chunk, to doubles. Then the thread measures the blocks of the chunk. */
enum { CHUNK_BLOCKS = 8 };

/* Compute the results of a block. `share`, [quantities][TREE_BLOCK], is memory for the terms of the block's nodes. */
static void measure_block(const struct measurement *m, size_t block, const struct node_motion *motion, double *share) {
    const struct model *model = m->simulation->model;
    const int begin = (int)(block * TREE_BLOCK), end = block_end(m->simulation, block);
    double *out[METHOD_QUANTITIES];
    for (int q = 0; q < m->quantities; ++q)
        out[q] = m->simulation->terms[q] ? m->simulation->terms[q] + begin : share + (size_t)q * TREE_BLOCK;
    model->method->measure(&model->program, &model->body, motion, begin, end, out);
    for (int q = 0; q < m->quantities; ++q)
        if (!m->simulation->terms[q])
            m->results[(size_t)q * m->blocks + block] =
                tree_block(reduction_of(model->method->quantities[q].kind), out[q], (size_t)(end - begin));
}

/* Measure a grid. Each thread measures chunks of up to CHUNK_BLOCKS blocks. If the grid has few blocks, the chunks are
 * smaller, so that each thread gets some blocks. */
static void measure_grid(const struct measurement *m) {
    const int nodes = m->simulation->model->body.nodes, reach = body_reach(&m->simulation->model->body);
    const size_t share_of_thread = parts_of(m->blocks, (size_t)omp_get_max_threads()),
                 chunk_blocks = share_of_thread < CHUNK_BLOCKS ? share_of_thread : CHUNK_BLOCKS,
                 chunks = parts_of(m->blocks, chunk_blocks),
                 pitch = chunk_blocks * TREE_BLOCK + 2 * (size_t)reach + ROW_SPARE;
#pragma omp parallel if (chunks > 1)
    {
        double *planes = memory_new(6 * pitch, sizeof *planes);
        double *share = memory_new((size_t)m->quantities * TREE_BLOCK, sizeof *share);
#pragma omp for schedule(static)
        for (size_t c = 0; c < chunks; ++c) {
            const size_t first = c * chunk_blocks,
                         last = first + chunk_blocks < m->blocks ? first + chunk_blocks : m->blocks;
            const long chunk_begin = (long)(first * TREE_BLOCK) - reach, chunk_end = (long)(last * TREE_BLOCK) + reach;
            const int begin = chunk_begin > 0 ? (int)chunk_begin : 0, end = chunk_end < nodes ? (int)chunk_end : nodes;
            convert_motion(m->simulation, begin, end, planes, pitch);
            const struct node_motion motion = motion_in(planes, pitch, begin);
            for (size_t b = first; b < last; ++b)
                measure_block(m, b, &motion, share);
        }
        free(planes);
        free(share);
    }
}

/* Measure a body that is not a grid. The threads first convert the motion of all nodes, because springs may join any
 * two nodes. Then the threads measure blocks. */
static void measure_network(const struct measurement *m) {
    const struct simulation *s = m->simulation;
    const size_t pitch = (size_t)s->model->body.nodes + ROW_SPARE;
    const struct node_motion motion = motion_in(s->planes, pitch, 0);
#pragma omp parallel if (m->blocks > 1)
    {
        double *share = memory_new((size_t)m->quantities * TREE_BLOCK, sizeof *share);
#pragma omp for schedule(static)
        for (size_t b = 0; b < m->blocks; ++b) {
            const int begin = (int)(b * TREE_BLOCK);
            convert_motion(s, begin, block_end(s, b), s->planes + begin, pitch);
        }
#pragma omp for schedule(static)
        for (size_t b = 0; b < m->blocks; ++b)
            measure_block(m, b, &motion, share);
        free(share);
    }
}

/* Compute every quantity. The terms of blocks of nodes are reduced by a fixed tree (base/tree.h). For a percentile, the
 * terms of all nodes are kept. */
static void measure(struct simulation *s) {
    const struct model *model = s->model;
    const size_t nodes = (size_t)model->body.nodes;
    const size_t blocks = parts_of(nodes, TREE_BLOCK);
    const int quantities = model->method->quantity_count(&model->body) - model->method->noted;
    AUTO_FREE double *results = memory_new(blocks * (size_t)quantities, sizeof *results);
    const struct measurement m = {s, quantities, results, blocks};
    if (model->body.is_grid)
        measure_grid(&m);
    else
        measure_network(&m);
    for (int q = 0; q < quantities; ++q) {
        const enum quantity_kind kind = model->method->quantities[q].kind;
        const double value = s->terms[q] ? percentile_99(s->terms[q], nodes)
                                         : tree_reduce(reduction_of(kind), results + (size_t)q * blocks, blocks);
        s->state.values[q] = kind == QUANTITY_MAGNITUDE ? fabs(value) : value;
    }
    if (s->record)
        model->method->note(&model->program, s->record, s->state.values + quantities);
    s->is_measured = true;
}

int simulation_fetch(struct simulation *s) {
    const struct program *program = &s->model->program;
    s->state.step = s->engine->step;
    s->is_packed = s->is_measured = false;
    if (engine_read(s->engine, program->positions, s->quads[0]) ||
        engine_read(s->engine, program->velocities, s->quads[1]))
        return STATUS_BAD;
    return s->record ? engine_read(s->engine, program->method_record, s->record) : STATUS_OK;
}

static bool pack(const struct simulation *s, const void *quads, void *packed, double limit) {
    const size_t nodes = (size_t)s->model->body.nodes, blocks = parts_of(nodes, TREE_BLOCK);
    const bool is_float = s->model->program.real_size == sizeof(float);
    int within = 1;
#pragma omp parallel for schedule(static) reduction(& : within) if (blocks > 1)
    for (size_t b = 0; b < blocks; ++b) {
        const size_t begin = b * TREE_BLOCK, end = (size_t)block_end(s, b);
        within &= is_float ? pack_float(quads, packed, begin, end, (float)limit)
                           : pack_double(quads, packed, begin, end, limit);
    }
    return within;
}

static void pack_state(struct simulation *s) {
    const struct model *model = s->model;
    const bool is_near = pack(s, s->quads[0], s->state.position, model->body.divergence_radius);
    const bool is_number =
        pack(s, s->quads[1], s->state.velocity, INFINITY); /* false only for NaN; infinity is allowed */
    s->state.diverged = !is_near || !is_number;
    layout_state_hash(s->state.position, s->state.velocity, (size_t)model->program.real_size,
                      3 * (size_t)model->body.nodes, s->state.hash);
    s->is_packed = true;
}

const struct state *simulation_state(struct simulation *s, bool measured) {
    if (!s->is_packed)
        pack_state(s);
    if (measured && !s->is_measured)
        measure(s);
    return &s->state;
}

int simulation_observe(struct simulation *s, bool measured, const struct state **out) {
    const int status = simulation_fetch(s);
    *out = status ? NULL : simulation_state(s, measured);
    return status;
}

int simulation_read_back(struct simulation *s) {
    s->is_packed = s->is_measured = false;
    return engine_read(s->engine, s->model->program.positions, s->quads[0]);
}
