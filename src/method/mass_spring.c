/* The method mass_spring: va2022, sections 3.1 and 4.1; on meshes also va2023, (1) to (4) and algorithms 1 and 3. */
#include "method/mass_spring_loops.h"
#include "method/network.h"

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
    *program = (struct program){.sources = {"contact.h", "mass_spring.h", "mass_spring.cl"},
                                .source_count = 3,
                                .real_size = sizeof(float),
                                .is_inexact = true,
                                .parameter_type = "struct mass_spring_parameters",
                                .positions = POSITION,
                                .velocities = VELOCITY,
                                .buffers = {{"position", "quad", BUFFER_SHARED, nodes, 4 * sizeof(float)},
                                            {"velocity", "quad", BUFFER_SHARED, nodes, 4 * sizeof(float)},
                                            {"force", "real", BUFFER_SHARED, 4 * nodes, sizeof(float)},
                                            {"spring", "int", BUFFER_SHARED, 2 * springs, sizeof(int)},
                                            {"spring_rest", "real", BUFFER_SHARED, springs, sizeof(float)}},
                                .buffer_count = 5,
                                /* Groups of 1,024: table 2. */
                                .kernels = {{.name = "mass_spring_spring_forces",
                                             .loop = mass_spring_spring_forces_float,
                                             .buffers = {POSITION, VELOCITY, FORCE, SPRING, SPRING_REST},
                                             .buffer_count = 5,
                                             .columns = (int)body->springs,
                                             .rows = 1,
                                             .group = 1024},
                                            {.name = "mass_spring_update_nodes",
                                             .loop = mass_spring_update_nodes_float,
                                             .buffers = {POSITION, VELOCITY, FORCE},
                                             .buffer_count = 3,
                                             .columns = body->nodes,
                                             .rows = 1,
                                             .group = 1024}},
                                .kernel_count = 2,
                                .stages = {{STAGE_STEPS, 0, 0, steps},
                                           {STAGE_RUN, SPRING_FORCES, 0, 0},
                                           {STAGE_RUN, UPDATE_NODES, 0, 0},
                                           {STAGE_END, 0, 0, 0}},
                                .stage_count = 4};
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
    *program = (struct program){.sources = {"contact.h", "mass_spring.h", "mass_spring.cl"},
                                .source_count = 3,
                                .real_size = (int)real_size,
                                .parameter_type = "struct mass_spring_parameters",
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
    static const char *const names[] = {"mass_spring_network", "mass_spring_grid"};
    static kernel_loop *const loops[2][2] = {{mass_spring_network_loop_float, mass_spring_network_loop_double},
                                             {mass_spring_grid_loop_float, mass_spring_grid_loop_double}};
    static kernel_loop *const contacts[2] = {mass_spring_contact_nodes_float, mass_spring_contact_nodes_double};
    static const struct sweep *const sweeps[2][2][PROCESSOR_LEVELS] = {
        {ROWS_TABLE(mass_spring_network_lanes_float), ROWS_TABLE(mass_spring_network_lanes_double)},
        {ROWS_TABLE(mass_spring_grid_rows_float), ROWS_TABLE(mass_spring_grid_rows_double)}};
    struct kernel *kernel = &program->kernels[STEP];
    *kernel = (struct kernel){.name = names[body->is_grid],
                              .loop = loops[body->is_grid][is_double],
                              .sweep = sweeps[body->is_grid][is_double][processor_level()],
                              .buffer_count = program->buffer_count,
                              .columns = body->is_grid ? body->columns : body->nodes,
                              .rows = body->is_grid ? body->rows : 1};
    for (int b = 0; b < program->buffer_count; ++b)
        kernel->buffers[b] = b;
    if (!body->is_grid) {
        kernel->is_held = true;
        program->held.type = "struct ring";
        program->held.take = "mass_spring_hold";
        program->held.buffers[program->held.buffer_count++] = START;
        program->held.buffers[program->held.buffer_count++] = NEIGHBOUR;
        program->held.buffers[program->held.buffer_count++] = REST;
    }
    if (is_on_host)
        program->kernels[program->kernel_count++] = (struct kernel){.name = "mass_spring_contact_nodes",
                                                                    .loop = contacts[is_double],
                                                                    .buffers = {POSITION_NEXT, VELOCITY_NEXT},
                                                                    .buffer_count = 2,
                                                                    .columns = body->nodes,
                                                                    .rows = 1};
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

const struct method method_mass_spring = {
    .name = "mass_spring",
    .doc = "Springs with damping, symplectic Euler: va2022 (1) to (4), va2023 (1) to (4).",
    .fields = method_mass_spring_fields,
    .quantities = network_quantities,
    .quantity_count = network_quantity_count,
    .check = check,
    .build = build,
    .fill = fill,
    .measure = measure,
};
