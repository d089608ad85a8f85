/* The methods constraint_enforcement and adaptive_constraint: va2022, sections 3.2 and 4.3, equations (1) to (12). */
#define REAL_IS_double /* precision of the host's parameters */
#include "constraint_enforcement.h"

#include "method/build.h"
#include "method/constraint_paper.h"
#include "method/loops.h"
#include "method/network.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Fields of both methods. */
#define FIELDS_OF_ITERATION                                                                                            \
    FIELD_ITERATIONS(                                                                                                  \
        NULL, "Largest number of iterations of conjugate gradients in a step: the paper's user defined number."),      \
        FIELD_UP_TO(1, "method.tolerance", "1", "0",                                                                   \
                    "A step's iteration ends early if the residual of (12), relative to its right-hand side, is at "   \
                    "most this number, or above 10^6."),                                                               \
        FIELD_REAL("method.regularisation", "m^2/kg", "0 m^2/kg",                                                      \
                   "Added to the diagonal of the matrix of (12), which is only semidefinite; with 0, (12) itself is "  \
                   "solved.")
#define TUNED_DOC                                                                                                      \
    "tuned: stores no matrix, each node adds up the terms of its constraints, and a fixed tree computes the sums "     \
    "over nodes"

const struct field method_constraint_enforcement_fields[] = {
    FIELDS_OF_ITERATION,
    {"method.threshold", TYPE_REAL, "1", "0", 0, 0.999, false, NULL,
     "Stretch or compression that a constraint allows, relative to the rest length. The constraint enforces the "
     "allowed length that is nearest to the present one; with 0, the rest length."},
    FIELD_CHOICE("method.warm_start", "no yes", "no",
                 "Whether a step's iteration starts from the multipliers of the previous step instead of 0."),
    FIELD_PRECISION,
    FIELD_CHOICE("method.variant", "tuned " CONSTRAINT_PAPER_WORDS, "tuned", TUNED_DOC "; " CONSTRAINT_PAPER_DOC),
    {.path = NULL},
};

const struct field method_adaptive_constraint_fields[] = {
    FIELD_STIFFNESS("(1)"),
    FIELD_DAMPING("(1)"),
    {"method.threshold", TYPE_REAL, "1", NULL, 0, 0.999, false, NULL,
     "Stretch or compression, relative to the rest length, beyond which a constraint replaces a spring."},
    FIELD_CHOICE("method.held", "threshold rest", NULL,
                 "The length that the constraint enforces: the length at the threshold, or the rest length."),
    FIELDS_OF_ITERATION,
    FIELD_PRECISION,
    FIELD_CHOICE("method.variant", "tuned " CONSTRAINT_PAPER_WORDS, "tuned", TUNED_DOC "; " CONSTRAINT_PAPER_DOC),
    {.path = NULL},
};

#define BUFFERS(BUFFER)                                                                                                \
    BUFFER(position, quad, BUFFER_SHARED, nodes)                                                                       \
    BUFFER(velocity, quad, BUFFER_SHARED, nodes)                                                                       \
    BUFFER(position_next, quad, BUFFER_SHARED, nodes)                                                                  \
    BUFFER(velocity_next, quad, BUFFER_SHARED, nodes)                                                                  \
    BUFFER(place, real, BUFFER_SHARED, 4 * pitch)                                                                      \
    BUFFER(drive, real, BUFFER_SHARED, 3 * pitch)                                                                      \
    BUFFER(pull, real, BUFFER_SHARED, 3 * pitch)                                                                       \
    BUFFER(residual, real, BUFFER_SHARED, constraints)                                                                 \
    BUFFER(direction, real, BUFFER_SHARED, constraints)                                                                \
    BUFFER(direction_next, real, BUFFER_SHARED, constraints)                                                           \
    BUFFER(multiplier, real, BUFFER_SHARED, constraints)                                                               \
    BUFFER(kept, real, BUFFER_SHARED, constraints)                                                                     \
    BUFFER(shares, quad, BUFFER_SUMMED, nodes)                                                                         \
    BUFFER(awake, int, BUFFER_OWN, is_adaptive(run) ? nodes : 0) /* whether a constraint acts at a node */             \
    BUFFER(progress, quad, BUFFER_SHARED, 2)                                                                           \
    BUFFER(heading, quad, BUFFER_SHARED, 2)                                                                            \
    BUFFER(record, quad, BUFFER_SHARED, 2)                                                                             \
    BUFFER(squared_residual, quad, BUFFER_TOTAL, 1)                                                                    \
    BUFFER(curvature, quad, BUFFER_TOTAL, 1)

enum { BUFFERS(BUFFER_INDEX) };

enum { PREPARE, BEGIN, DIRECTION, STRIDE, FINISH, KERNELS };

CONSTRAINT_ENFORCEMENT_KERNELS(DECLARE_LOOPS)
DECLARE_SIMD_KERNEL(constraint_enforcement_direction_lanes);
DECLARE_SIMD_KERNEL(constraint_enforcement_stride_lanes);

/* The number of slots that a node has for constraints: those up to the last slot that the cloth's types of springs
 * need. */
static size_t slots_of(const struct body *body) {
    return body->has[SPRING_BEND] ? CONSTRAINT_SLOTS : body->has[SPRING_SHEAR] ? 4 : 2;
}

/* Distance between the arrays of two coordinates or slots, in reals. It is chosen so that equal indices of different
 * arrays are in different sets of the cache. Without this, a grid of 512 x 512 nodes takes twice as long. */
static size_t pitch_of(const struct body *body) {
    enum { LINES = 1024, APART = 192 };
    return ((size_t)body->nodes + LINES - APART - 1) / LINES * LINES + APART;
}

static int check(const struct run *run, const struct body *body) {
    const struct parameter *name = run_parameter(run, "method.name");
    if (body->prepared.vertices)
        return fail_at(
            name->place,
            "method.name is %s, whose constraints are the springs of a cloth, and the body is a mesh; use body.cloth",
            name->value.text);
    if (!body->is_grid)
        return fail_at(run_parameter(run, "body.cloth.neighbours")->place,
                       "body.cloth.neighbours is %s, and %s finds neighbours by their index; use index",
                       run_text(run, "body.cloth.neighbours"), name->value.text);
    if (slots_of(body) * pitch_of(body) > INT_MAX)
        return fail_at(run_parameter(run, "body.cloth.nodes")->place,
                       "a cloth of %d x %d nodes has too many springs for %s, whose arrays have at most %d elements; "
                       "use fewer nodes",
                       body->columns, body->rows, name->value.text, INT_MAX);
    return constraint_paper_is(run) ? constraint_paper_check(run, body) : STATUS_OK;
}

static double square(double x) {
    return x * x;
}

static bool is_warm(const struct run *run) {
    return run_parameter(run, "method.warm_start") && run_has(run, "method.warm_start", "yes");
}

static bool is_adaptive(const struct run *run) {
    return run_has(run, "method.name", "adaptive_constraint");
}

static struct constraint_enforcement_parameters parameters_in(const struct run *run, const struct body *body) {
    const double threshold = run_number(run, "method.threshold", 0);
    const double held = is_adaptive(run) && run_has(run, "method.held", "rest") ? 0 : threshold;
    return (struct constraint_enforcement_parameters){
        .rate = 1 / run_number(run, "time.step", 0),
        .shortest = square(1 - held),
        .longest = square(1 + held),
        .below = square(1 - threshold),
        .above = square(1 + threshold),
        .regularisation = run_number(run, "method.regularisation", 0),
        .tolerance = square(run_number(run, "method.tolerance", 0)),
        .m = is_adaptive(run) ? network_parameters(run, body) : network_scene(run, body),
        .pitch = (int)pitch_of(body),
        .steps_per_frame = (int)run_number(run, "time.steps_per_frame", 0),
        .is_warm = is_warm(run),
        .is_adaptive = is_adaptive(run),
    };
}

static void build_tuned(const struct run *run, const struct body *body, struct program *program) {
    const bool is_double = run_is_double(run);
    const size_t nodes = (size_t)body->nodes, pitch = pitch_of(body), constraints = slots_of(body) * pitch;
#define ARGUMENTS(...)    BINDINGS(constraint_enforcement, __VA_ARGS__)
#define SUM_AS_TOTAL(sum) BIND(constraint_enforcement, total, AT_##sum)
    *program = (struct program){
        .sources = {"contact.h", "mass_spring.h", "constraint_enforcement.h"},
        .real_size = run_real_size(run),
        ARGUMENTS_ARE(constraint_enforcement, constraint_enforcement_parameters),
        .has_hidden_state = is_warm(run),
        .hints.converged = {"constraint_enforcement_ended", AT_progress},
        .hints.grid_columns = body->columns,
        .buffers = {BUFFERS(BUFFER_ENTRY)},
        .kernels = {[PREPARE] = {CODE(constraint_enforcement_prepare),
                                 .bindings = {ARGUMENTS(position, velocity, place, drive, pull, kept)}},
                    [BEGIN] = {CODE(constraint_enforcement_begin),
                               .bindings = {ARGUMENTS(velocity, place, drive, pull, residual, kept, shares, progress,
                                                      awake)}},
                    [DIRECTION] = {CODE(constraint_enforcement_direction),
                                   SIMD_KERNEL(constraint_enforcement_direction_lanes),
                                   .bindings = {ARGUMENTS(place, pull, residual, direction, direction_next, multiplier,
                                                          kept, shares, progress, heading, awake),
                                                SUM_AS_TOTAL(squared_residual)}},
                    [STRIDE] = {CODE(constraint_enforcement_stride), SIMD_KERNEL(constraint_enforcement_stride_lanes),
                                .bindings = {ARGUMENTS(place, pull, residual, direction, shares, progress, heading,
                                                       awake),
                                             SUM_AS_TOTAL(curvature)}},
                    [FINISH] = {CODE(constraint_enforcement_finish),
                                .bindings = {ARGUMENTS(position, velocity, position_next, velocity_next, place,
                                                       drive, direction, multiplier, kept, progress, record),
                                             SUM_AS_TOTAL(squared_residual)}}},
        .stages = {{STAGE_STEPS, 0, 0, (int)run_number(run, "time.steps_per_frame", 0)},
                   {STAGE_RUN, PREPARE, 0, 0},
                   {STAGE_RUN, BEGIN, 0, 0},
                   {STAGE_SUM, AT_shares, AT_squared_residual, 0},
                   {STAGE_REPEAT, 0, 0, (int)run_number(run, "method.iterations", 0)},
                   {STAGE_RUN, DIRECTION, 0, 0},
                   {STAGE_SUM, AT_shares, AT_curvature, 0},
                   {STAGE_SWAP, AT_direction, AT_direction_next, 0},
                   {STAGE_RUN, STRIDE, 0, 0},
                   {STAGE_SUM, AT_shares, AT_squared_residual, 0},
                   {STAGE_END, 0, 0, 0},
                   {STAGE_RUN, FINISH, 0, 0},
                   {STAGE_SWAP, AT_position, AT_position_next, 0},
                   {STAGE_SWAP, AT_velocity, AT_velocity_next, 0},
                   {STAGE_END, 0, 0, 0}}};
    for (int k = 0; k < KERNELS; ++k)
        program->kernels[k].is_collective = true;
    program_complete(program, body->nodes);
}

static void build(const struct run *run, const struct body *body, struct program *program) {
    const struct constraint_enforcement_parameters p = parameters_in(run, body);
    if (constraint_paper_is(run)) {
        constraint_paper_build(run, body, &p, program);
    } else {
        build_tuned(run, body, program);
        program_set_parameters(program, &p, CONSTRAINT_REALS, sizeof p);
    }
    program_add_constant(program, "CONSTRAINT_SPRINGS", p.m.springs);
    program_add_constant(program, "CONSTRAINT_IS_WARM", p.is_warm);
    program_add_constant(program, "CONSTRAINT_IS_ADAPTIVE", p.is_adaptive);
    program_add_constant(program, "CONSTRAINT_IS_LARGE", p.m.is_large);
}

static void fill(const struct run *run, const struct body *body, const struct program *program, int buffer, void *out) {
    if (buffer == program->positions || buffer == program->velocities)
        network_fill(run, body, program, buffer, out);
    else if (constraint_paper_is(run))
        constraint_paper_fill(body, program, buffer, out);
    /* All other buffers begin with 0, or are written before they are read. */
}

/* ---- Measured quantities, and the record of the iteration ---- */

enum { NOTED = 5 };

#define QUANTITIES_OF_ITERATION                                                                                        \
    {"residual", "1",                                                                                                  \
     "|b - A lambda| / |b| of (12), as updated by the iteration, for the multipliers that are used; largest of the "   \
     "steps",                                                                                                          \
     QUANTITY_MAX},                                                                                                    \
        {"last_residual", "1",                                                                                         \
         "|b - A lambda| / |b| of (12) for the last multipliers of the iteration; largest of the steps",               \
         QUANTITY_MAX},                                                                                                \
        {"iterations", "1", "iterations of a step; largest of the steps", QUANTITY_MAX},                               \
        {"kept_iteration", "1", "iterations until the least residual; largest of the steps", QUANTITY_MAX}, {          \
        "diverged_steps", "1", "steps of the frame whose last_residual is above 1", QUANTITY_MAX                       \
    }

static const struct quantity enforcement_quantities[] = {QUANTITY_OF_MOTION, QUANTITIES_OF_OPEN,
                                                         QUANTITIES_OF_ITERATION};

enum { ELASTIC = 1, ACTIVE, ACTIVATED, DEACTIVATED };

static const struct quantity adaptive_quantities[] = {
    QUANTITY_OF_MOTION,
    [ELASTIC] = {"elastic_energy", "J", "ks (length - rest)^2 / 2, summed over the springs within the threshold",
                 QUANTITY_SUM},
    {"active_constraints", "1", "springs beyond the threshold: the constraints of the next step", QUANTITY_SUM},
    {"activated", "1", "active constraints that were within the threshold before the frame's last step", QUANTITY_SUM},
    {"deactivated", "1", "springs within the threshold that were beyond it before the frame's last step", QUANTITY_SUM},
    QUANTITIES_OF_OPEN,
    QUANTITIES_OF_ITERATION};

enum {
    ENFORCEMENT_QUANTITIES = sizeof enforcement_quantities / sizeof *enforcement_quantities,
    ADAPTIVE_QUANTITIES = sizeof adaptive_quantities / sizeof *adaptive_quantities
};
_Static_assert((int)ADAPTIVE_QUANTITIES <= (int)METHOD_QUANTITIES, "METHOD_QUANTITIES is large enough");

static int enforcement_quantity_count(const struct body *body) {
    (void)body;
    return ENFORCEMENT_QUANTITIES;
}

static int adaptive_quantity_count(const struct body *body) {
    (void)body;
    return ADAPTIVE_QUANTITIES;
}

static struct constraint_enforcement_parameters parameters_of(const struct program *program) {
    struct constraint_enforcement_parameters p;
    program_get_parameters(program, &p, CONSTRAINT_REALS, sizeof p);
    return p;
}

static void enforcement_measure(const struct program *program, const struct body *body,
                                const struct node_motion *motion, int begin, int end, double *const *out) {
    network_measure(parameters_of(program).m, body, motion, begin, end, 0, out);
}

/* For each spring of a node, add half of the spring's quantities to share[]. The spring's other node adds the other
 * half. */
static void measure_springs(const struct constraint_enforcement_parameters *p, const struct body *body,
                            const struct node_motion *motion, int i, double share[]) {
    for (int slot = 0; slot < body_slots(body, i); ++slot) {
        int j;
        double rest;
        if (!body_spring(body, i, slot, &j, &rest))
            continue;
        const vec3 x = position_in(motion, i), y = position_in(motion, j), d = subtract(x, y);
        const vec3 u = subtract(velocity_in(motion, i), velocity_in(motion, j));
        /* The vector d as it was at the start of the last step, by equation (9) of va2022. */
        const vec3 before = subtract(d, scale(p->m.step, u));
        const bool acts = constraint_acts(inner(d, d), rest, *p),
                   has_acted = constraint_acts(inner(before, before), rest, *p);
        share[ELASTIC] += acts ? 0 : spring_energy(x, y, rest, p->m.stiffness) / 2;
        share[ACTIVE] += acts / 2.0;
        share[ACTIVATED] += (acts && !has_acted) / 2.0;
        share[DEACTIVATED] += (!acts && has_acted) / 2.0;
    }
}

static void adaptive_measure(const struct program *program, const struct body *body, const struct node_motion *motion,
                             int begin, int end, double *const *out) {
    const struct constraint_enforcement_parameters p = parameters_of(program);
    network_measure(p.m, body, motion, begin, end, DEACTIVATED, out);
    for (int i = begin; i < end; ++i) {
        double share[DEACTIVATED + 1] = {0};
        measure_springs(&p, body, motion, i, share);
        for (int q = ELASTIC; q <= DEACTIVATED; ++q)
            out[q][i - begin] = share[q];
    }
}

static void note(const struct program *program, const void *record, double *out) {
    for (size_t k = 0; k < NOTED; ++k)
        out[k] = real_load(record, k, program->real_size);
    out[0] = sqrt(out[0]);
    out[1] = sqrt(out[1]);
}

/* CONSTRAINT_BEGIN: the right side b of (12) for a constraint: two differences, their scaled sum, two inner products,
 * Phi (3 operations), the rest of b (4 operations), and the square of b (2 operations). CONSTRAINT_ENDS: the vector
 * between the ends, its multiple, and the sums at both ends. CONSTRAINT_ITERATION: for a constraint, the direction and
 * lambda (2 operations each), CONSTRAINT_ENDS, the difference of two pulls, an inner product and its double, the
 * residual and its square (2 operations each). CONSTRAINT_NODE: for a node in an iteration, its pull and its term of
 * p . A p. */
enum {
    CONSTRAINT_BEGIN = 2 * OPS_VECTOR + OPS_INNER + 3 + 2 * OPS_VECTOR + OPS_INNER + 4 + 2,
    CONSTRAINT_ENDS = OPS_VECTOR + OPS_VECTOR + 2 * OPS_VECTOR,
    CONSTRAINT_ITERATION = 4 + CONSTRAINT_ENDS + OPS_VECTOR + OPS_INNER + 1 + 4,
    CONSTRAINT_NODE = 2 * OPS_VECTOR + OPS_INNER + 2
};

/* NAN if a tolerance may end the iteration early, because the number of iterations is then unknown. */
static double operations(const struct attributes *notes, const struct attributes *parameters) {
    const double iterations = attributes_number(parameters, "method.iterations", NAN);
    if (attributes_number(parameters, "method.tolerance", 0) > 0)
        return NAN;
    return attributes_number(notes, "springs", NAN) *
               (CONSTRAINT_BEGIN + iterations * CONSTRAINT_ITERATION + CONSTRAINT_ENDS) +
           attributes_number(notes, "nodes", NAN) * (iterations * CONSTRAINT_NODE + OPS_EULER);
}

DEFINE_METHOD(constraint_enforcement, 1,
              "The springs of a cloth as constraints, enforced implicitly by conjugate gradients: va2022 (5) to (12).",
              .quantities = enforcement_quantities, .quantity_count = enforcement_quantity_count,
              .operations = operations, .fill = fill, .measure = enforcement_measure, .noted = NOTED, .note = note);
DEFINE_METHOD(
    adaptive_constraint, 1,
    "Springs, replaced by constraints while they are stretched or compressed beyond a threshold: va2022, section 4.3.",
    .quantities = adaptive_quantities, .quantity_count = adaptive_quantity_count, .fill = fill,
    .measure = adaptive_measure, .noted = NOTED, .note = note);
