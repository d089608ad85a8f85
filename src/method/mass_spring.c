/* The method mass_spring: va2022, sections 3.1 and 4.1; on meshes also va2023, (1) to (4) and algorithms 1 and 3. */
#include "method/loops.h"
#include "method/network.h"
#include "method/operations.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const struct field method_mass_spring_fields[] = {
    {"method.stiffness", TYPE_REAL, "N/m", NULL, 0, INFINITY, false, NULL, "Stiffness of every spring, ks in (1)."},
    {"method.damping", TYPE_REAL, "N s/m", "0 N s/m", 0, INFINITY, false, NULL,
     "Damping along every spring, kd in (1)."},
    {"method.precision", TYPE_CHOICE, "1", "float", -INFINITY, INFINITY, false, "float double",
     "Precision of positions, velocities and forces."},
    {"method.variant", TYPE_CHOICE, "1", "tuned", -INFINITY, INFINITY, false, "tuned paper",
     "tuned gathers a node's forces; paper is va2023's on a mesh, which adds each spring's to its ends atomically."},
    {.path = NULL},
};

enum { POSITION, VELOCITY, POSITION_NEXT, VELOCITY_NEXT, STATE_BUFFERS, START = STATE_BUFFERS, NEIGHBOUR, REST };

/* Of the variant `paper`, behind POSITION and VELOCITY. */
enum { FORCE = 2, SPRING, SPRING_REST };

/* Kernels. */
enum { STEP, CONTACT };
enum { SPRING_FORCES, UPDATE_NODES };

MASS_SPRING_KERNELS(DECLARE_LOOPS)
DECLARE_SWEEP(mass_spring_grid_rows);
DECLARE_SWEEP(mass_spring_network_lanes);

static bool is_paper(const struct run *run) {
    return run_has(run, "method.variant", "paper");
}

static int check(const struct run *run, const struct body *body) {
    const struct parameter *variant = run_parameter(run, "method.variant");
    if (is_paper(run) && !body->prepared.vertices)
        return fail_at(variant->place,
                       "method.variant is paper, which is va2023's, of meshes, and the body is a cloth; "
                       "tuned would be right");
    if (is_paper(run) && run_has(run, "method.precision", "double"))
        return fail_at(variant->place, "method.variant is paper, whose atomic sums are of floats, and "
                                       "method.precision is double; float, or the variant tuned, would be right");
    if (is_paper(run) && network_collides_on_host(run))
        return fail_at(variant->place, "scene.collisions are on the host, and method.variant is paper; tuned would be "
                                       "right");
    return STATUS_OK;
}

static void set_parameters(const struct run *run, const struct body *body, struct program *program) {
    const struct mass_spring_parameters p = network_parameters(run, body);
    PARAMETERS_END(struct mass_spring_parameters, triangle_count);
    program_set_parameters(program, &p, MASS_SPRING_REALS, sizeof p);
    program_add_constant(program, "NETWORK_CONTACTS", p.contacts);
}

static void build_paper(const struct run *run, const struct body *body, struct program *program) {
    const size_t nodes = (size_t)body->nodes, springs = (size_t)body->springs;
    const int steps = (int)run_number(run, "time.steps_per_frame", 0);
#define ARGUMENT(member, buffer) BIND(mass_spring_paper, member, buffer)
    *program = (struct program){
        .sources = {"contact.h", "mass_spring.h"},
        .source_count = 2,
        .real_size = sizeof(float),
        .is_inexact = true,
        ARGUMENTS_ARE(mass_spring_paper, mass_spring_parameters),
        .positions = POSITION,
        .velocities = VELOCITY,
        .buffers = {{"position", "quad", BUFFER_SHARED, nodes, 4 * sizeof(float)},
                    {"velocity", "quad", BUFFER_SHARED, nodes, 4 * sizeof(float)},
                    {"force", "real", BUFFER_SHARED, 4 * nodes, sizeof(float)},
                    {"spring", "int", BUFFER_SHARED, 2 * springs, sizeof(int)},
                    {"spring_rest", "real", BUFFER_SHARED, springs, sizeof(float)}},
        .buffer_count = 5,
        /* Groups of 1,024: table 2. */
        .kernels = {{FLOAT_CODE(mass_spring_spring_forces),
                     .bindings = {ARGUMENT(position, POSITION), ARGUMENT(velocity, VELOCITY), ARGUMENT(force, FORCE),
                                  ARGUMENT(spring, SPRING), ARGUMENT(rest, SPRING_REST)},
                     .columns = (int)body->springs, .rows = 1, .group = 1024},
                    {FLOAT_CODE(mass_spring_update_nodes),
                     .bindings = {ARGUMENT(position, POSITION), ARGUMENT(velocity, VELOCITY), ARGUMENT(force, FORCE)},
                     .columns = body->nodes, .rows = 1, .group = 1024}},
        .kernel_count = 2,
        .stages = {{STAGE_STEPS, 0, 0, steps},
                   {STAGE_RUN, SPRING_FORCES, 0, 0},
                   {STAGE_RUN, UPDATE_NODES, 0, 0},
                   {STAGE_END, 0, 0, 0}},
        .stage_count = 4};
#undef ARGUMENT
    set_parameters(run, body, program);
}

static void build(const struct run *run, const struct body *body, struct program *program) {
    const bool is_double = run_has(run, "method.precision", "double"), is_on_host = network_collides_on_host(run);
    const size_t real_size = is_double ? sizeof(double) : sizeof(float);
    const size_t nodes = (size_t)body->nodes, ends = 2 * (size_t)body->springs;
    if (is_paper(run)) {
        build_paper(run, body, program);
        return;
    }
#define ARGUMENT(member, buffer) BIND(mass_spring, member, buffer)
#define STATE                                                                                                          \
    ARGUMENT(position, POSITION), ARGUMENT(velocity, VELOCITY), ARGUMENT(position_next, POSITION_NEXT),                \
        ARGUMENT(velocity_next, VELOCITY_NEXT)
#define SPRINGS ARGUMENT(start, START), ARGUMENT(neighbour, NEIGHBOUR), ARGUMENT(rest, REST)
    *program = (struct program){.sources = {"contact.h", "mass_spring.h"},
                                .source_count = 2,
                                .real_size = (int)real_size,
                                ARGUMENTS_ARE(mass_spring, mass_spring_parameters),
                                .positions = POSITION,
                                .velocities = VELOCITY,
                                .state_count = STATE_BUFFERS,
                                .kernel_count = 1,
                                .buffers = {{"position", "quad", BUFFER_SHARED, nodes, 4 * real_size},
                                            {"velocity", "quad", BUFFER_SHARED, nodes, 4 * real_size},
                                            {"position_next", "quad", BUFFER_OWN, nodes, 4 * real_size},
                                            {"velocity_next", "quad", BUFFER_OWN, nodes, 4 * real_size},
                                            {"start", "int", BUFFER_FIXED, nodes + 1, sizeof(int)},
                                            {"neighbour", "int", BUFFER_FIXED, ends, sizeof(int)},
                                            {"rest", "real", BUFFER_FIXED, ends, real_size}}};
    const int steps = (int)run_number(run, "time.steps_per_frame", 0);
    const struct stage stages[] = {{STAGE_STEPS, 0, 0, steps},
                                   {STAGE_RUN, STEP, 0, 0},
                                   {STAGE_HOST, CONTACT, 0, 0}, /* left out where there is nothing to do */
                                   {STAGE_SWAP, POSITION, POSITION_NEXT, 0},
                                   {STAGE_SWAP, VELOCITY, VELOCITY_NEXT, 0},
                                   {STAGE_END, 0, 0, 0}};
    for (size_t s = 0; s < sizeof stages / sizeof *stages; ++s)
        if (stages[s].kind != STAGE_HOST || is_on_host)
            program->stages[program->stage_count++] = stages[s];
    program->buffer_count = body->is_grid ? STATE_BUFFERS : REST + 1;
    if (body->is_grid) {
        program->kernels[STEP] =
            (struct kernel){CODE(mass_spring_grid),   SWEEP(mass_spring_grid_rows), .bindings = {STATE},
                            .columns = body->columns, .rows = body->rows,           .is_collective = true};
    } else {
        program->kernels[STEP] = (struct kernel){CODE(mass_spring_network),
                                                 SWEEP(mass_spring_network_lanes),
                                                 .bindings = {STATE, SPRINGS},
                                                 .columns = body->nodes,
                                                 .rows = 1,
                                                 .hints.is_held = true};
        program->hints.held.type = "struct ring";
        program->hints.held.name = "mass_spring_hold";
        const struct binding held[] = {SPRINGS};
        memcpy(program->hints.held.bindings, held, sizeof held);
    }
    if (is_on_host)
        program->kernels[program->kernel_count++] = (struct kernel){
            CODE(mass_spring_contact_nodes),
            .bindings = {ARGUMENT(position_next, POSITION_NEXT), ARGUMENT(velocity_next, VELOCITY_NEXT)},
            .columns = body->nodes, .rows = 1};
#undef ARGUMENT
    set_parameters(run, body, program);
}

static void fill(const struct run *run, const struct body *body, const struct program *program, int buffer, void *out) {
    const int size = program->real_size;
    if (buffer == POSITION) {
        network_fill_positions(body, size, out);
    } else if (buffer == VELOCITY) {
        network_fill_velocities(run, body, size, out);
    } else if (is_paper(run)) {
        if (buffer == SPRING || buffer == SPRING_REST)
            network_fill_springs(body, size, buffer == SPRING ? out : NULL, buffer == SPRING ? NULL : out);
    } else if (buffer == START) {
        memcpy(out, body->start, sizeof(int) * ((size_t)body->nodes + 1));
    } else if (buffer == NEIGHBOUR) {
        memcpy(out, body->neighbour, sizeof(int) * 2 * (size_t)body->springs);
    } else if (buffer == REST) {
        network_fill_rest(body, size, out);
    } /* the others are written before they are read */
}

static void measure(const struct program *program, const struct body *body, const double (*position)[3],
                    const double (*velocity)[3], int begin, int end, double *const *out) {
    struct mass_spring_parameters p;
    program_get_parameters(program, &p, MASS_SPRING_REALS, sizeof p);
    network_measure(p, body, position, velocity, begin, end, out);
}

static double operations(const struct attributes *notes, const struct attributes *parameters) {
    (void)parameters;
    return attributes_number(notes, "springs", NAN) * OPS_SPRING_FORCE +
           attributes_number(notes, "nodes", NAN) * OPS_EULER;
}

const struct method method_mass_spring = {
    .name = "mass_spring",
    .doc = "Springs with damping, symplectic Euler: va2022 (1) to (4), va2023 (1) to (4).",
    .fields = method_mass_spring_fields,
    .quantities = network_quantities,
    .quantity_count = network_quantity_count,
    .relative_cost = 1,
    .operations = operations,
    .check = check,
    .build = build,
    .fill = fill,
    .measure = measure,
};
