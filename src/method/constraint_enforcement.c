/* The method constraint_enforcement: va2022, section 3.2 and (5) to (12). */
#define REAL_IS_double /* of the host's parameters */
#include "constraint_enforcement.h"

#include "method/constraint_enforcement_loops.h"
#include "method/network.h"

#include "base/memory.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

const struct field method_constraint_enforcement_fields[] = {
    {"method.iterations", TYPE_INTEGER, "1", NULL, 1, 1e6, false, NULL,
     "Iterations of conjugate gradients in a step, at most: the paper's user defined number."},
    {"method.tolerance", TYPE_REAL, "1", "0", 0, 1, false, NULL,
     "The residual of (12), relative to its right-hand side, at which a step's iteration ends; 0: none does."},
    {"method.regularisation", TYPE_REAL, "m^2/kg", "0 m^2/kg", 0, INFINITY, false, NULL,
     "What is added to the diagonal of (12)'s matrix, which is only semidefinite; 0 is (12) itself."},
    {"method.threshold", TYPE_REAL, "1", "0", 0, 0.999, false, NULL,
     "How far a constraint lets its spring be stretched or compressed, relative to the rest length: it holds the "
     "nearest length within; 0 holds the rest length."},
    {"method.warm_start", TYPE_CHOICE, "1", "no", -INFINITY, INFINITY, false, "no yes",
     "Whether a step's iteration begins from the multipliers of the step before, or from 0."},
    {"method.precision", TYPE_CHOICE, "1", "float", -INFINITY, INFINITY, false, "float double",
     "Precision of positions, velocities and multipliers."},
    {"method.variant", TYPE_CHOICE, "1", "tuned", -INFINITY, INFINITY, false, "tuned",
     "tuned never puts the matrix together: nodes gather from their constraints, and sums go by a fixed tree."},
    {.path = NULL},
};

enum {
    POSITION,
    VELOCITY,
    POSITION_NEXT,
    VELOCITY_NEXT,
    PLACE,
    DRIVE,
    PULL,
    RESIDUAL,
    DIRECTION,
    DIRECTION_NEXT,
    MULTIPLIER,
    KEPT,
    SHARES,
    PROGRESS,
    HEADING,
    RECORD,
    TOTAL_BEFORE_DIRECTION,
    TOTAL_BEFORE_STRIDE,
    BUFFERS
};

enum { PREPARE, BEGIN, TURN, STRIDE, FINISH, KERNELS };

/* The reals at the beginning of the parameters, in bytes. */
#define REALS (offsetof(struct constraint_enforcement_parameters, m) + MASS_SPRING_REALS)

static int check(const struct run *run, const struct body *body) {
    const struct parameter *name = run_parameter(run, "method.name");
    if (body->prepared.vertices)
        return fail_at(name->place,
                       "method.name is %s, whose constraints are a cloth's springs, and the body is a "
                       "mesh; body.cloth would be right",
                       name->value.text);
    if (!body->is_grid)
        return fail_at(run_parameter(run, "body.cloth.neighbours")->place,
                       "body.cloth.neighbours is %s, and %s finds neighbours by their index; index would be right",
                       run_text(run, "body.cloth.neighbours"), name->value.text);
    return STATUS_OK;
}

/* Slots up to the last that is in use. */
static size_t slots_of(const struct body *body) {
    return body->has[SPRING_BEND] ? 6 : body->has[SPRING_SHEAR] ? 4 : 2;
}

static double square(double x) {
    return x * x;
}

static void set_parameters(const struct run *run, const struct body *body, struct program *program) {
    const double threshold = run_number(run, "method.threshold", 0);
    const struct constraint_enforcement_parameters p = {
        .rate = 1 / run_number(run, "time.step", 0),
        .shortest = square(1 - threshold),
        .longest = square(1 + threshold),
        .regularisation = run_number(run, "method.regularisation", 0),
        .tolerance = square(run_number(run, "method.tolerance", 0)),
        .m = network_scene(run, body),
        .nodes = body->nodes,
        .steps_per_frame = (int)run_number(run, "time.steps_per_frame", 0),
        .is_warm = run_has(run, "method.warm_start", "yes"),
    };
    program_set_parameters(program, &p, REALS, sizeof p);
    program_add_constant(program, "CONSTRAINT_SPRINGS", p.m.springs);
    program_add_constant(program, "CONSTRAINT_IS_WARM", p.is_warm);
    program_add_constant(program, "CONSTRAINT_IS_ADAPTIVE", p.is_adaptive);
    program_add_constant(program, "CONSTRAINT_IS_LARGE", p.m.is_large);
}

static void build(const struct run *run, const struct body *body, struct program *program) {
    const bool is_double = run_has(run, "method.precision", "double");
    const size_t size = is_double ? sizeof(double) : sizeof(float), nodes = (size_t)body->nodes;
    const size_t constraints = slots_of(body) * nodes;
    static kernel_loop *const loops[KERNELS][2] = {
        [PREPARE] = {constraint_enforcement_prepare_float, constraint_enforcement_prepare_double},
        [BEGIN] = {constraint_enforcement_begin_float, constraint_enforcement_begin_double},
        [TURN] = {constraint_enforcement_direction_float, constraint_enforcement_direction_double},
        [STRIDE] = {constraint_enforcement_stride_float, constraint_enforcement_stride_double},
        [FINISH] = {constraint_enforcement_finish_float, constraint_enforcement_finish_double},
    };
    static const struct sweep *const sweeps[KERNELS][2][PROCESSOR_LEVELS] = {
        [TURN] = {ROWS_TABLE(constraint_enforcement_direction_lanes_float),
                  ROWS_TABLE(constraint_enforcement_direction_lanes_double)},
        [STRIDE] = {ROWS_TABLE(constraint_enforcement_stride_lanes_float),
                    ROWS_TABLE(constraint_enforcement_stride_lanes_double)},
    };
    *program = (struct program){
        .sources = {"contact.h", "mass_spring.h", "constraint_enforcement.h", "constraint_enforcement.cl"},
        .source_count = 4,
        .real_size = (int)size,
        .parameter_type = "struct constraint_enforcement_parameters",
        .positions = POSITION,
        .velocities = VELOCITY,
        .has_memory = run_has(run, "method.warm_start", "yes"),
        .record = RECORD,
        .buffers = {[POSITION] = {"position", "quad", BUFFER_SHARED, nodes, 4 * size},
                    [VELOCITY] = {"velocity", "quad", BUFFER_SHARED, nodes, 4 * size},
                    [POSITION_NEXT] = {"position_next", "quad", BUFFER_SHARED, nodes, 4 * size},
                    [VELOCITY_NEXT] = {"velocity_next", "quad", BUFFER_SHARED, nodes, 4 * size},
                    [PLACE] = {"place", "real", BUFFER_SHARED, 4 * nodes, size},
                    [DRIVE] = {"drive", "real", BUFFER_SHARED, 3 * nodes, size},
                    [PULL] = {"pull", "real", BUFFER_SHARED, 3 * nodes, size},
                    [RESIDUAL] = {"residual", "real", BUFFER_SHARED, constraints, size},
                    [DIRECTION] = {"direction", "real", BUFFER_SHARED, constraints, size},
                    [DIRECTION_NEXT] = {"direction_next", "real", BUFFER_SHARED, constraints, size},
                    [MULTIPLIER] = {"multiplier", "real", BUFFER_SHARED, constraints, size},
                    [KEPT] = {"kept", "real", BUFFER_SHARED, constraints, size},
                    [SHARES] = {"shares", "quad", BUFFER_OWN, nodes, 4 * size},
                    [PROGRESS] = {"progress", "quad", BUFFER_SHARED, 2, 4 * size},
                    [HEADING] = {"heading", "quad", BUFFER_SHARED, 2, 4 * size},
                    [RECORD] = {"record", "quad", BUFFER_SHARED, 2, 4 * size},
                    [TOTAL_BEFORE_DIRECTION] = {"squared_residual", "quad", BUFFER_TOTAL, 1, 4 * size},
                    [TOTAL_BEFORE_STRIDE] = {"curvature", "quad", BUFFER_TOTAL, 1, 4 * size}},
        .buffer_count = BUFFERS,
        .kernels = {[PREPARE] = {.name = "constraint_enforcement_prepare",
                                 .buffers = {POSITION, VELOCITY, PLACE, DRIVE, PULL, KEPT},
                                 .buffer_count = 6},
                    [BEGIN] = {.name = "constraint_enforcement_begin",
                               .buffers = {VELOCITY, PLACE, DRIVE, PULL, RESIDUAL, KEPT, SHARES, PROGRESS},
                               .buffer_count = 8},
                    [TURN] = {.name = "constraint_enforcement_direction",
                              .buffers = {PLACE, PULL, RESIDUAL, DIRECTION, DIRECTION_NEXT, MULTIPLIER, KEPT, SHARES,
                                          PROGRESS, HEADING, TOTAL_BEFORE_DIRECTION},
                              .buffer_count = 11},
                    [STRIDE] = {.name = "constraint_enforcement_stride",
                                .buffers = {PLACE, PULL, RESIDUAL, DIRECTION, SHARES, PROGRESS, HEADING,
                                            TOTAL_BEFORE_STRIDE},
                                .buffer_count = 8},
                    [FINISH] = {.name = "constraint_enforcement_finish",
                                .buffers = {POSITION, VELOCITY, POSITION_NEXT, VELOCITY_NEXT, PLACE, DRIVE, DIRECTION,
                                            MULTIPLIER, KEPT, PROGRESS, RECORD, TOTAL_BEFORE_DIRECTION},
                                .buffer_count = 12}},
        .kernel_count = KERNELS,
        .stages = {{STAGE_STEPS, 0, 0, (int)run_number(run, "time.steps_per_frame", 0)},
                   {STAGE_RUN, PREPARE, 0, 0},
                   {STAGE_RUN, BEGIN, 0, 0},
                   {STAGE_SUM, SHARES, TOTAL_BEFORE_DIRECTION, 0},
                   {STAGE_REPEAT, 0, 0, (int)run_number(run, "method.iterations", 0)},
                   {STAGE_RUN, TURN, 0, 0},
                   {STAGE_SUM, SHARES, TOTAL_BEFORE_STRIDE, 0},
                   {STAGE_SWAP, DIRECTION, DIRECTION_NEXT, 0},
                   {STAGE_RUN, STRIDE, 0, 0},
                   {STAGE_SUM, SHARES, TOTAL_BEFORE_DIRECTION, 0},
                   {STAGE_END, 0, 0, 0},
                   {STAGE_RUN, FINISH, 0, 0},
                   {STAGE_SWAP, POSITION, POSITION_NEXT, 0},
                   {STAGE_SWAP, VELOCITY, VELOCITY_NEXT, 0},
                   {STAGE_END, 0, 0, 0}},
        .stage_count = 15};
    for (int k = 0; k < KERNELS; ++k) {
        program->kernels[k].loop = loops[k][is_double];
        program->kernels[k].sweep = sweeps[k][is_double][processor_level()];
        program->kernels[k].columns = body->nodes;
        program->kernels[k].rows = 1;
    }
    set_parameters(run, body, program);
}

static void fill(const struct run *run, const struct body *body, const struct program *program, int buffer, void *out) {
    if (buffer == POSITION)
        network_fill_positions(body, program->real_size, out);
    else if (buffer == VELOCITY)
        network_fill_velocities(run, body, program->real_size, out);
    /* the others are written before they are read, or begin with 0 */
}

/* ---- What is measured: as of networks, but for the springs' energy; and what the iteration leaves ---- */

enum { NOTED = 5 };

/* Each the largest of the frame's steps. */
#define QUANTITIES_OF_ITERATION                                                                                        \
    {"residual", "1", "|b - A lambda| / |b| of (12), of the multipliers that are taken; the largest of the steps",     \
     QUANTITY_MAX},                                                                                                    \
        {"last_residual", "1", "the same of the multipliers with which the iteration ends", QUANTITY_MAX},             \
        {"iterations", "1", "iterations of a step; the most of the steps", QUANTITY_MAX},                              \
        {"kept_iteration", "1", "iterations after which the residual is least; the most of the steps", QUANTITY_MAX},  \
    {                                                                                                                  \
        "diverged_steps", "1", "steps of the frame that end with a residual above 1", QUANTITY_MAX                     \
    }

static const struct quantity quantities[] = {QUANTITY_OF_MOTION, QUANTITIES_OF_OPEN, QUANTITIES_OF_ITERATION};

enum { QUANTITIES = sizeof quantities / sizeof *quantities };

static int quantity_count(const struct body *body) {
    (void)body;
    return QUANTITIES;
}

static void measure(const struct program *program, const struct body *body, const double (*position)[3],
                    const double (*velocity)[3], int begin, int end, double *const *out) {
    struct constraint_enforcement_parameters p;
    program_get_parameters(program, &p, REALS, sizeof p);
    double *elastic = memory_new((size_t)(end - begin), sizeof *elastic), *all[NETWORK_QUANTITIES] = {out[0], elastic};
    for (int q = 1; q < QUANTITIES - NOTED; ++q)
        all[q + 1] = out[q];
    network_measure(p.m, body, position, velocity, begin, end, all);
    free(elastic);
}

static void note(const struct program *program, const void *record, double *out) {
    for (size_t k = 0; k < NOTED; ++k)
        out[k] = real_load(record, k, program->real_size);
    out[0] = sqrt(out[0]);
    out[1] = sqrt(out[1]);
}

const struct method method_constraint_enforcement = {
    .name = "constraint_enforcement",
    .doc = "A cloth's springs as constraints, enforced implicitly by conjugate gradients: va2022 (5) to (12).",
    .fields = method_constraint_enforcement_fields,
    .quantities = quantities,
    .quantity_count = quantity_count,
    .check = check,
    .build = build,
    .fill = fill,
    .measure = measure,
    .noted = NOTED,
    .note = note,
};
