/* The method volume_constraint: va2023, section III and algorithm 2. */
#define REAL_IS_double /* of the host's parameters */
#include "volume_constraint.h"

#include "method/loops.h"
#include "method/network.h"
#include "method/operations.h"

#include "base/memory.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct field method_volume_constraint_fields[] = {
    {"method.stiffness", TYPE_REAL, "N/m", NULL, 0, INFINITY, false, NULL, "Stiffness of every spring, ks in (4)."},
    {"method.damping", TYPE_REAL, "N s/m", "0 N s/m", 0, INFINITY, false, NULL,
     "Damping along every spring, kd in (4)."},
    {"method.precision", TYPE_CHOICE, "1", "float", -INFINITY, INFINITY, false, "float double",
     "Precision of positions, velocities and forces."},
    {"method.variant", TYPE_CHOICE, "1", "tuned", -INFINITY, INFINITY, false,
     "tuned paper node_centric reduced as_printed",
     "tuned gathers forces and gradients by node and sums by a fixed tree; paper is the paper's program, with a thread "
     "a spring and atomic sums; node_centric is that with gathered forces, reduced that with sums by the tree; "
     "as_printed is tuned with the Jacobian of (10a-c) as it is printed."},
    {"method.weight_centre", TYPE_REAL3, "m", "[0, 0, 0]", -1e6, 1e6, false, NULL, "The loaded point, c in (15)."},
    {"method.weight_radius", TYPE_REAL, "m", "0 m", 0, 1e6, false, NULL,
     "Radius of the zone around it in which the constraint acts, r in (15); 0 lets it act on all nodes alike."},
    {"method.weight_enters", TYPE_CHOICE, "1", "rows", -INFINITY, INFINITY, false, "rows forces",
     "What the weight of (15) multiplies in (14): the rows of the Jacobian, or the constraint forces alone."},
    {.path = NULL},
};

enum variant { TUNED, PAPER, NODE_CENTRIC, REDUCED, AS_PRINTED, VARIANTS };

static const char *const variant_words[VARIANTS] = {"tuned", "paper", "node_centric", "reduced", "as_printed"};

static enum variant variant_of(const struct run *run) {
    int v = 0;
    while (v + 1 < VARIANTS && !run_has(run, "method.variant", variant_words[v]))
        ++v;
    return (enum variant)v;
}

static bool is_paper(enum variant variant) {
    return variant == PAPER || variant == NODE_CENTRIC || variant == REDUCED;
}

static int check(const struct run *run, const struct body *body) {
    const struct parameter *name = run_parameter(run, "method.name"), *variant = run_parameter(run, "method.variant");
    const char *flaw = NULL;
    if (!body->prepared.vertices)
        return fail_at(name->place, "method.name is volume_constraint, which needs a closed surface, and the body is a "
                                    "cloth; body.mesh would be right");
    if (!body->is_closed)
        return fail_at(name->place,
                       "method.name is volume_constraint, and the surface of '%s' is not closed and turned alike "
                       "about every vertex; `springback mesh` says where it is not; of a file, body.surface.clean: "
                       "[orient] would turn its triangles alike",
                       run_text(run, "body.mesh"));
    if (!(body->rest_volume > 0))
        return fail_at(name->place,
                       "method.name is volume_constraint, and the surface of '%s' is turned inward, or flat; of a "
                       "file, body.surface.clean: [orient] would turn it outward",
                       run_text(run, "body.mesh"));
    if (is_paper(variant_of(run)) && run_has(run, "method.precision", "double"))
        flaw = "method.precision is double, and its atomic sums are of floats; float";
    else if (is_paper(variant_of(run)) && run_number(run, "method.weight_radius", 0) > 0)
        flaw = "it knows no weight; a method.weight_radius of 0 m";
    else if (is_paper(variant_of(run)) && network_collides_on_host(run))
        flaw = "it collides on the device; scene.collisions: device";
    return flaw ? fail_at(variant->place, "method.variant is %s: %s, or the variant tuned, would be right",
                          variant->value.text, flaw)
                : STATUS_OK;
}

static void set_parameters(const struct run *run, const struct body *body, struct program *program) {
    const struct volume_constraint_parameters p = {
        .volume = body->rest_volume,
        .rate = 1 / run_number(run, "time.step", 0),
        .weight_x = run_number(run, "method.weight_centre", 0),
        .weight_y = run_number(run, "method.weight_centre", 1),
        .weight_z = run_number(run, "method.weight_centre", 2),
        .weight_radius = run_number(run, "method.weight_radius", 0),
        .weight_rows = run_has(run, "method.weight_enters", "rows"),
        .m = network_parameters(run, body),
    };
    PARAMETERS_END(struct volume_constraint_parameters, m);
    program_set_parameters(program, &p, offsetof(struct volume_constraint_parameters, m) + MASS_SPRING_REALS, sizeof p);
    program_add_constant(program, "NETWORK_CONTACTS", p.m.contacts);
}

/* ---- Tuned ---- */

enum {
    POSITION,
    VELOCITY,
    PREDICTED,
    DRIFT,
    DIRECTION_Z,
    PREDICTED_NEXT,
    DRIFT_NEXT,
    DIRECTION_Z_NEXT,
    STATE_BUFFERS,
    SHARES = STATE_BUFFERS,
    TOTAL_OF_SHARES,
    START,
    RING_END,
    NEIGHBOUR,
    REST,
    CORNER,
    TUNED_BUFFERS
};

enum { BEGIN, LATE, FINISH, CONTACT };

VOLUME_CONSTRAINT_KERNELS(DECLARE_LOOPS)
DECLARE_SWEEP(volume_constraint_begin_lanes);
DECLARE_SWEEP(volume_constraint_end_lanes);

static void build_tuned(const struct run *run, const struct body *body, bool as_printed, struct program *program) {
    const bool is_double = run_has(run, "method.precision", "double"), is_on_host = network_collides_on_host(run);
    const size_t size = is_double ? sizeof(double) : sizeof(float);
    const size_t nodes = (size_t)body->nodes, ends = 2 * (size_t)body->springs;
    const int steps = (int)run_number(run, "time.steps_per_frame", 0);
#define ARGUMENT(member, buffer) BIND(volume_constraint, member, buffer)
#define STATE                    ARGUMENT(position, POSITION), ARGUMENT(velocity, VELOCITY)
#define LEFT                     ARGUMENT(predicted, PREDICTED), ARGUMENT(drift, DRIFT), ARGUMENT(direction_z, DIRECTION_Z)
#define LEAVES(x, v, z)                                                                                                \
    ARGUMENT(predicted_next, x), ARGUMENT(drift_next, v), ARGUMENT(direction_z_next, z), ARGUMENT(shares, SHARES)
#define RINGS ARGUMENT(start, START), ARGUMENT(ring_end, RING_END), ARGUMENT(neighbour, NEIGHBOUR), ARGUMENT(rest, REST)
    *program = (struct program){
        .sources = {"contact.h", "mass_spring.h", "volume_constraint.h"},
        .source_count = 3,
        .real_size = (int)size,
        ARGUMENTS_ARE(volume_constraint, volume_constraint_parameters),
        .positions = POSITION,
        .velocities = VELOCITY,
        .state_count = STATE_BUFFERS,
        .buffers = {[POSITION] = {"position", "quad", BUFFER_SHARED, nodes, 4 * size},
                    [VELOCITY] = {"velocity", "quad", BUFFER_SHARED, nodes, 4 * size},
                    [PREDICTED] = {"predicted", "quad", BUFFER_SHARED, nodes, 4 * size},
                    [DRIFT] = {"drift", "quad", BUFFER_SHARED, nodes, 4 * size},
                    [DIRECTION_Z] = {"direction_z", "real", BUFFER_SHARED, nodes, size},
                    [PREDICTED_NEXT] = {"predicted_next", "quad", BUFFER_SHARED, nodes, 4 * size},
                    [DRIFT_NEXT] = {"drift_next", "quad", BUFFER_SHARED, nodes, 4 * size},
                    [DIRECTION_Z_NEXT] = {"direction_z_next", "real", BUFFER_SHARED, nodes, size},
                    [SHARES] = {"shares", "quad", BUFFER_OWN, nodes, 4 * size},
                    [TOTAL_OF_SHARES] = {"total", "quad", BUFFER_TOTAL, 1, 4 * size},
                    [START] = {"start", "int", BUFFER_FIXED, nodes + 1, sizeof(int)},
                    [RING_END] = {"ring_end", "int", BUFFER_FIXED, nodes, sizeof(int)},
                    [NEIGHBOUR] = {"neighbour", "int", BUFFER_FIXED, ends, sizeof(int)},
                    [REST] = {"rest", "real", BUFFER_FIXED, ends, size},
                    [CORNER] = {"corner", "int", BUFFER_FIXED, ends, sizeof(int)}},
        .buffer_count = as_printed ? TUNED_BUFFERS : CORNER,
        .hints.held = {"struct held_node", "volume_constraint_hold", {STATE, RINGS}},
        .kernels = {[BEGIN] = {CODE(volume_constraint_begin), SWEEP(volume_constraint_begin_lanes),
                               .bindings = {STATE, LEAVES(PREDICTED, DRIFT, DIRECTION_Z), RINGS}, .is_collective = true,
                               .hints.is_held = true},
                    [LATE] = {CODE(volume_constraint_late),
                              .bindings = {STATE, LEFT, LEAVES(PREDICTED_NEXT, DRIFT_NEXT, DIRECTION_Z_NEXT),
                                           ARGUMENT(total, TOTAL_OF_SHARES), RINGS},
                              .is_collective = true, .hints.is_held = true},
                    [FINISH] = {CODE(volume_constraint_end), SWEEP(volume_constraint_end_lanes),
                                .bindings = {STATE, LEFT, ARGUMENT(total, TOTAL_OF_SHARES)}, .is_collective = true},
                    [CONTACT] = {CODE(volume_constraint_contact), .bindings = {STATE}}},
        .kernel_count = CONTACT + 1};
    if (as_printed)
        program->kernels[BEGIN] =
            (struct kernel){CODE(volume_constraint_printed), .bindings = {STATE, LEAVES(PREDICTED, DRIFT, DIRECTION_Z),
                                                                          RINGS, ARGUMENT(corner, CORNER)}};
    for (int k = 0; k < program->kernel_count; ++k) {
        program->kernels[k].columns = body->nodes;
        program->kernels[k].rows = 1;
    }
#undef ARGUMENT
#undef STATE
    const struct stage stages[] = {
        {STAGE_STEPS, 0, 0, steps}, {STAGE_RUN, BEGIN, 0, 0},    {STAGE_SUM, SHARES, TOTAL_OF_SHARES, 0},
        {STAGE_RUN, FINISH, 0, 0},  {STAGE_HOST, CONTACT, 0, 0}, /* left out where there is nothing to do */
        {STAGE_END, 0, 0, 0}};
    for (size_t s = 0; s < sizeof stages / sizeof *stages; ++s)
        if (stages[s].kind != STAGE_HOST || is_on_host)
            program->stages[program->stage_count++] = stages[s];
    if (as_printed || is_on_host)
        return;
    /* The gather of each step but the first completes the step before it, whose index it is given. */
    const struct stage fused[] = {{STAGE_RUN, BEGIN, 0, 0},
                                  {STAGE_SUM, SHARES, TOTAL_OF_SHARES, 0},
                                  {STAGE_STEPS, 0, 0, steps - 1},
                                  {STAGE_RUN, LATE, 0, 0},
                                  {STAGE_SUM, SHARES, TOTAL_OF_SHARES, 0},
                                  {STAGE_SWAP, PREDICTED, PREDICTED_NEXT, 0},
                                  {STAGE_SWAP, DRIFT, DRIFT_NEXT, 0},
                                  {STAGE_SWAP, DIRECTION_Z, DIRECTION_Z_NEXT, 0},
                                  {STAGE_END, 0, 0, 0},
                                  {STAGE_RUN, FINISH, 0, 0},
                                  {STAGE_STEPS, 0, 0, 1},
                                  {STAGE_END, 0, 0, 0}};
    memcpy(program->hints.fused_stages, fused, sizeof fused);
    program->hints.fused_count = sizeof fused / sizeof *fused;
}

/* ---- As the paper has it ---- */

enum {
    FORCE = 2,
    SPRING,
    SPRING_REST,
    JACOBIAN,
    SYSTEM,
    TRIANGLE,
    VOLUME_SHARE,
    VOLUME_TOTAL,
    SYSTEM_SHARE,
    SYSTEM_TOTAL,
    PAPER_START,
    PAPER_RING_END,
    PAPER_NEIGHBOUR,
    PAPER_REST,
    PAPER_BUFFERS
};

enum { SPRING_FORCE, VOLUME, GRADIENT, BUILD_SYSTEM, ACCUMULATE, UPDATE, PAPER_KERNELS };

static void build_paper(const struct run *run, const struct body *body, enum variant variant, struct program *program) {
#define ARGUMENT(member, buffer) BIND(volume_constraint_paper, member, buffer)
#define STATE                    ARGUMENT(position, POSITION), ARGUMENT(velocity, VELOCITY), ARGUMENT(force, FORCE)
    const size_t size = sizeof(float), nodes = (size_t)body->nodes, springs = (size_t)body->springs;
    const int steps = (int)run_number(run, "time.steps_per_frame", 0);
    *program = (struct program){
        .sources = {"contact.h", "mass_spring.h", "volume_constraint.h"},
        .source_count = 3,
        .real_size = (int)size,
        .is_inexact = true, /* forces at least, or volume and system, are atomic sums */
        ARGUMENTS_ARE(volume_constraint_paper, volume_constraint_parameters),
        .positions = POSITION,
        .velocities = VELOCITY,
        .buffers = {[POSITION] = {"position", "quad", BUFFER_SHARED, nodes, 4 * size},
                    [VELOCITY] = {"velocity", "quad", BUFFER_SHARED, nodes, 4 * size},
                    [FORCE] = {"force", "real", BUFFER_SHARED, 4 * nodes, size},
                    [SPRING] = {"spring", "int", BUFFER_SHARED, 2 * springs, sizeof(int)},
                    [SPRING_REST] = {"spring_rest", "real", BUFFER_SHARED, springs, size},
                    [JACOBIAN] = {"jacobian", "quad", BUFFER_OWN, nodes, 4 * size},
                    [SYSTEM] = {"system", "real", BUFFER_SHARED, 4, size},
                    [TRIANGLE] = {"triangle", "int", BUFFER_SHARED, 3 * body->triangles, sizeof(int)},
                    [VOLUME_SHARE] = {"volume_share", "quad", BUFFER_OWN, body->triangles, 4 * size},
                    [VOLUME_TOTAL] = {"volume_total", "quad", BUFFER_TOTAL, 1, 4 * size},
                    [SYSTEM_SHARE] = {"system_share", "quad", BUFFER_OWN, nodes, 4 * size},
                    [SYSTEM_TOTAL] = {"system_total", "quad", BUFFER_TOTAL, 1, 4 * size},
                    [PAPER_START] = {"start", "int", BUFFER_FIXED, nodes + 1, sizeof(int)},
                    [PAPER_RING_END] = {"ring_end", "int", BUFFER_FIXED, nodes, sizeof(int)},
                    [PAPER_NEIGHBOUR] = {"neighbour", "int", BUFFER_FIXED, 2 * springs, sizeof(int)},
                    [PAPER_REST] = {"rest", "real", BUFFER_FIXED, 2 * springs, size}},
        .buffer_count = PAPER_BUFFERS,
        .kernels = {[SPRING_FORCE] = {FLOAT_CODE(volume_constraint_spring_forces),
                                      .bindings = {STATE, ARGUMENT(spring, SPRING), ARGUMENT(spring_rest, SPRING_REST)},
                                      .columns = (int)springs},
                    [VOLUME] = {FLOAT_CODE(volume_constraint_volume),
                                .bindings = {ARGUMENT(position, POSITION), ARGUMENT(system, SYSTEM),
                                             ARGUMENT(triangle, TRIANGLE)},
                                .columns = (int)body->triangles},
                    [GRADIENT] = {FLOAT_CODE(volume_constraint_jacobian),
                                  .bindings = {ARGUMENT(position, POSITION), ARGUMENT(jacobian, JACOBIAN),
                                               ARGUMENT(start, PAPER_START), ARGUMENT(ring_end, PAPER_RING_END),
                                               ARGUMENT(neighbour, PAPER_NEIGHBOUR)}},
                    [BUILD_SYSTEM] = {FLOAT_CODE(volume_constraint_system),
                                      .bindings = {STATE, ARGUMENT(jacobian, JACOBIAN), ARGUMENT(system, SYSTEM)}},
                    [ACCUMULATE] = {FLOAT_CODE(volume_constraint_constrain),
                                    .bindings = {ARGUMENT(force, FORCE), ARGUMENT(jacobian, JACOBIAN),
                                                 ARGUMENT(system, SYSTEM)}},
                    [UPDATE] = {FLOAT_CODE(volume_constraint_update), .bindings = {STATE, ARGUMENT(system, SYSTEM)}}},
        .kernel_count = PAPER_KERNELS};
    if (variant == NODE_CENTRIC)
        program->kernels[SPRING_FORCE] =
            (struct kernel){FLOAT_CODE(volume_constraint_node_forces),
                            .bindings = {STATE, ARGUMENT(start, PAPER_START), ARGUMENT(neighbour, PAPER_NEIGHBOUR),
                                         ARGUMENT(rest, PAPER_REST)}};
    if (variant == REDUCED) {
        program->kernels[VOLUME] =
            (struct kernel){FLOAT_CODE(volume_constraint_volume_shares),
                            .bindings = {ARGUMENT(position, POSITION), ARGUMENT(volume_share, VOLUME_SHARE),
                                         ARGUMENT(triangle, TRIANGLE)},
                            .columns = (int)body->triangles};
        program->kernels[BUILD_SYSTEM] =
            (struct kernel){FLOAT_CODE(volume_constraint_system_shares),
                            .bindings = {STATE, ARGUMENT(jacobian, JACOBIAN), ARGUMENT(system_share, SYSTEM_SHARE)}};
        program->kernels[ACCUMULATE] =
            (struct kernel){FLOAT_CODE(volume_constraint_constrain_by_sums),
                            .bindings = {ARGUMENT(force, FORCE), ARGUMENT(jacobian, JACOBIAN),
                                         ARGUMENT(volume_total, VOLUME_TOTAL), ARGUMENT(system_total, SYSTEM_TOTAL)}};
    }
#undef ARGUMENT
    for (int k = 0; k < PAPER_KERNELS; ++k) {
        struct kernel *kernel = &program->kernels[k];
        kernel->columns = kernel->columns ? kernel->columns : body->nodes;
        kernel->rows = 1;
        kernel->group = 1024; /* table 2 */
    }
    const struct stage stages[] = {{STAGE_STEPS, 0, 0, steps},
                                   {STAGE_RUN, SPRING_FORCE, 0, 0},
                                   {STAGE_RUN, VOLUME, 0, 0},
                                   {STAGE_SUM, VOLUME_SHARE, VOLUME_TOTAL, 0},
                                   {STAGE_RUN, GRADIENT, 0, 0},
                                   {STAGE_RUN, BUILD_SYSTEM, 0, 0},
                                   {STAGE_SUM, SYSTEM_SHARE, SYSTEM_TOTAL, 0},
                                   {STAGE_RUN, ACCUMULATE, 0, 0},
                                   {STAGE_RUN, UPDATE, 0, 0},
                                   {STAGE_END, 0, 0, 0}};
    for (size_t s = 0; s < sizeof stages / sizeof *stages; ++s)
        if (stages[s].kind != STAGE_SUM || variant == REDUCED)
            program->stages[program->stage_count++] = stages[s];
}

static void build(const struct run *run, const struct body *body, struct program *program) {
    const enum variant variant = variant_of(run);
    if (is_paper(variant))
        build_paper(run, body, variant, program);
    else
        build_tuned(run, body, variant == AS_PRINTED, program);
    set_parameters(run, body, program);
}

/* Beside each ring: which corner of the triangle that begins there the node is. */
static void fill_corners(const struct body *body, int *corner) {
    for (size_t t = 0; t < body->triangles; ++t)
        for (size_t k = 0; k < 3; ++k) {
            const int i = body->triangle[t][k], next = body->triangle[t][(k + 1) % 3];
            for (int slot = body->start[i]; slot < body->ring_end[i]; ++slot)
                if (body->neighbour[slot] == next)
                    corner[slot] = (int)k + 1;
        }
}

static void fill_triangles(const struct body *body, int *triangle) {
    for (size_t t = 0; t < body->triangles; ++t)
        for (size_t k = 0; k < 3; ++k)
            triangle[3 * t + k] = body->triangle[t][k];
}

static void fill(const struct run *run, const struct body *body, const struct program *program, int buffer, void *out) {
    const int size = program->real_size;
    const size_t nodes = (size_t)body->nodes, ends = 2 * (size_t)body->springs;
    const char *name = program->buffers[buffer].name;
    if (!strcmp(name, "position"))
        network_fill_positions(body, size, out);
    else if (!strcmp(name, "velocity"))
        network_fill_velocities(run, body, size, out);
    else if (!strcmp(name, "start"))
        memcpy(out, body->start, (nodes + 1) * sizeof(int));
    else if (!strcmp(name, "ring_end"))
        memcpy(out, body->ring_end, nodes * sizeof(int));
    else if (!strcmp(name, "neighbour"))
        memcpy(out, body->neighbour, ends * sizeof(int));
    else if (!strcmp(name, "rest"))
        network_fill_rest(body, size, out);
    else if (!strcmp(name, "corner"))
        fill_corners(body, out);
    else if (!strcmp(name, "triangle"))
        fill_triangles(body, out);
    else if (!strcmp(name, "spring"))
        network_fill_springs(body, size, out, NULL);
    else if (!strcmp(name, "spring_rest"))
        network_fill_springs(body, size, NULL, out);
    /* the others are written before they are read, or begin with 0 */
}

static void measure(const struct program *program, const struct body *body, const double (*position)[3],
                    const double (*velocity)[3], int begin, int end, double *const *out) {
    struct volume_constraint_parameters p;
    program_get_parameters(program, &p, offsetof(struct volume_constraint_parameters, m) + MASS_SPRING_REALS, sizeof p);
    network_measure(p.m, body, position, velocity, begin, end, out);
}

/* Beside springs and motion, of a triangle at each corner its part of dV/dx (9) and the sum; of a node (10)'s sixth, c,
 * its three shares with their weights (3), their sum, and both corrections. */
enum {
    VOLUME_TRIANGLE = 3 * (9 + OPS_VECTOR),
    VOLUME_NODE = OPS_VECTOR + 2 + OPS_VECTOR + (OPS_VECTOR + OPS_INNER) + 2 * (1 + OPS_INNER) + 3 + OPS_VECTOR +
                  4 * OPS_VECTOR + 1
};

/* If the constraint acts on all nodes alike; else nobody knows on how many. */
static double operations(const struct attributes *notes, const struct attributes *parameters) {
    if (attributes_number(parameters, "method.weight_radius", 0) > 0)
        return NAN;
    return attributes_number(notes, "springs", NAN) * OPS_SPRING_FORCE +
           attributes_number(notes, "body_triangles", NAN) * VOLUME_TRIANGLE +
           attributes_number(notes, "nodes", NAN) * (VOLUME_NODE + OPS_EULER);
}

const struct method method_volume_constraint = {
    .name = "volume_constraint",
    .doc = "The mass-spring system with a closed surface's volume kept by one constraint: va2023 (1) to (15).",
    .fields = method_volume_constraint_fields,
    .quantities = network_quantities,
    .quantity_count = network_quantity_count,
    .relative_cost = 2.5,
    .operations = operations,
    .check = check,
    .build = build,
    .fill = fill,
    .measure = measure,
};
