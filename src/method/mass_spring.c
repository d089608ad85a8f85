/* The method mass_spring: va2022, sections 3.1 and 4.1; on meshes also va2023, equations (1) to (4) and algorithms 1
 * and 3. */
#include "mass_spring_blocks.h"
#include "mass_spring_strips.h"
#include "method/build.h"
#include "method/loops.h"
#include "method/network.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const struct field method_mass_spring_fields[] = {
    FIELD_STIFFNESS("(1)"),
    FIELD_DAMPING("(1)"),
    FIELD_PRECISION,
    FIELD_CHOICE("method.variant", "tuned paper", "tuned",
                 "tuned: each node adds up the forces of its springs; paper: the variant of va2023 for meshes, in "
                 "which each spring adds its force to both ends by atomic sums."),
    {.path = NULL},
};

#define BUFFERS(BUFFER)                                                                                                \
    BUFFER(position, quad, BUFFER_SHARED, nodes)                                                                       \
    BUFFER(velocity, quad, BUFFER_SHARED, nodes)                                                                       \
    BUFFER(position_next, quad, BUFFER_OWN, is_paper ? 0 : nodes)                                                      \
    BUFFER(velocity_next, quad, BUFFER_OWN, is_paper ? 0 : nodes)                                                      \
    BUFFER(start, int, BUFFER_FIXED, is_paper ? 0 : nodes + 1)                                                         \
    BUFFER(neighbour, int, BUFFER_FIXED, is_paper ? 0 : 2 * springs)                                                   \
    BUFFER(rest, real, BUFFER_FIXED, is_paper ? 0 : 2 * springs)                                                       \
    BUFFER(force, real, BUFFER_SHARED, is_paper ? 4 * nodes : 0)                                                       \
    BUFFER(spring, int, BUFFER_SHARED, is_paper ? 2 * springs : 0)                                                     \
    BUFFER(spring_rest, real, BUFFER_SHARED, is_paper ? springs : 0)

enum { BUFFERS(BUFFER_INDEX) STATE_BUFFERS = AT_start };

/* The first enumeration has the kernels of the variant `tuned`, the second those of the variant `paper`. */
enum { STEP, CONTACT };
enum { SPRING_FORCES, UPDATE_NODES };

MASS_SPRING_KERNELS(DECLARE_LOOPS)
DECLARE_SIMD_KERNEL(mass_spring_grid_rows);
DECLARE_SIMD_KERNEL(mass_spring_network_lanes);

static bool uses_paper(const struct run *run) {
    return run_has(run, "method.variant", "paper");
}

static int check(const struct run *run, const struct body *body) {
    const struct parameter *variant = run_parameter(run, "method.variant");
    if (uses_paper(run) && !body->prepared.vertices)
        return fail_at(variant->place,
                       "method.variant is paper, which is for meshes only, and the body is a cloth; use tuned");
    if (uses_paper(run) && run_has(run, "method.precision", "double"))
        return fail_at(variant->place, "method.variant is paper: its atomic sums exist in float only, and "
                                       "method.precision is double; use float, or the variant tuned");
    if (uses_paper(run) && network_collides_on_host(run))
        return fail_at(variant->place, "method.variant is paper, which cannot compute collisions on the host, and "
                                       "scene.collisions is host; use the variant tuned");
    return STATUS_OK;
}

/* Build the variant `paper`, the method of va2023, in which each spring adds its force to both ends. */
static void build_paper(const struct run *run, const struct body *body, struct program *program) {
    const bool is_paper = true;
    const size_t nodes = (size_t)body->nodes, springs = (size_t)body->springs;
    *program = (struct program){
        .sources = {"contact.h", "mass_spring.h"},
        .real_size = sizeof(float),
        .has_unordered_sums = true,
        ARGUMENTS_ARE(mass_spring_paper, mass_spring_parameters),
        .buffers = {BUFFERS(BUFFER_ENTRY)},
        /* Groups of 1,024 work items: va2023, table 2. */
        .kernels = {[SPRING_FORCES] = {FLOAT_CODE(mass_spring_spring_forces),
                                       .bindings = {BINDINGS(mass_spring_paper, position, velocity, force, spring),
                                                    BIND(mass_spring_paper, rest, AT_spring_rest)},
                                       .columns = (int)body->springs, .group_size = 1024},
                    [UPDATE_NODES] = {FLOAT_CODE(mass_spring_update_nodes),
                                      .bindings = {BINDINGS(mass_spring_paper, position, velocity, force)},
                                      .group_size = 1024}},
        .stages = {{STAGE_STEPS, 0, 0, (int)run_number(run, "time.steps_per_frame", 0)},
                   {STAGE_RUN, SPRING_FORCES, 0, 0},
                   {STAGE_RUN, UPDATE_NODES, 0, 0},
                   {STAGE_END, 0, 0, 0}}};
}

/* How one launch computes several steps of a grid (program.h: struct multistep). */
#define STRIPS(columns)                                                                                                \
    { "strips", STRIP_STEPS, STRIP_LANES, STRIP_COUNT(columns), 0, STRIP_HALO + STRIP_LAG, STRIP_BYTES }
#define BLOCKS(columns)                                                                                                \
    { "blocks", BLOCK_STEPS, BLOCK_LANES, ((columns) + BLOCK_COLUMNS - 1) / BLOCK_COLUMNS, BLOCK_ROWS, 0, BLOCK_BYTES }

static void build_tuned(const struct run *run, const struct body *body, const struct mass_spring_parameters *p,
                        struct program *program) {
    const bool is_double = run_is_double(run), is_paper = false;
    const size_t nodes = (size_t)body->nodes, springs = (size_t)body->springs;
#define STATE   BINDINGS(mass_spring, position, velocity, position_next, velocity_next)
#define SPRINGS BINDINGS(mass_spring, start, neighbour, rest)
    *program = (struct program){.sources = {"contact.h", "mass_spring.h"},
                                .real_size = run_real_size(run),
                                ARGUMENTS_ARE(mass_spring, mass_spring_parameters),
                                .state_count = STATE_BUFFERS,
                                .buffer_count = body->is_grid ? AT_start : AT_force,
                                .buffers = {BUFFERS(BUFFER_ENTRY)}};
    if (!body->is_grid) {
        program->kernels[STEP] = (struct kernel){CODE(mass_spring_network), SIMD_KERNEL(mass_spring_network_lanes),
                                                 .bindings = {STATE, SPRINGS}, .hints.uses_resident = true};
        program->hints.resident.type = "struct ring";
        program->hints.resident.name = "mass_spring_load_resident";
        const struct binding springs_only[] = {SPRINGS};
        memcpy(program->hints.resident.bindings, springs_only, sizeof springs_only);
        program->hints.network.start = &body->start;
        program->hints.network.neighbour = &body->neighbour;
        program->hints.network.buffer = AT_neighbour;
    } else {
        program->kernels[STEP] = (struct kernel){CODE(mass_spring_grid),
                                                 SIMD_KERNEL(mass_spring_grid_rows),
                                                 .bindings = {STATE},
                                                 .columns = body->columns,
                                                 .rows = body->rows,
                                                 .is_collective = true,
                                                 .hints.multistep = {BLOCKS(body->columns), STRIPS(body->columns)},
                                                 .hints.multistep_constant = {"GRID_SPRINGS", p->springs}};
        program->sources[2] = "mass_spring_strips.h";
        program->sources[3] = "mass_spring_blocks.h";
    }
    program_add_stage(program, STAGE_STEPS, 0, 0, (int)run_number(run, "time.steps_per_frame", 0));
    program_add_stage(program, STAGE_RUN, STEP, 0, 0);
    if (network_collides_on_host(run)) {
        program->kernels[CONTACT] = (struct kernel){CODE(mass_spring_contact_nodes),
                                                    .bindings = {BINDINGS(mass_spring, position_next, velocity_next)}};
        program_add_stage(program, STAGE_HOST, CONTACT, 0, 0);
    }
    program_add_stage(program, STAGE_SWAP, AT_position, AT_position_next, 0);
    program_add_stage(program, STAGE_SWAP, AT_velocity, AT_velocity_next, 0);
    program_add_stage(program, STAGE_END, 0, 0, 0);
}

static void build(const struct run *run, const struct body *body, struct program *program) {
    const struct mass_spring_parameters p = network_parameters(run, body);
    PARAMETERS_END(struct mass_spring_parameters, triangle_count);
    if (uses_paper(run))
        build_paper(run, body, program);
    else
        build_tuned(run, body, &p, program);
    program_complete(program, body->nodes);
    program_set_parameters(program, &p, MASS_SPRING_REALS, sizeof p);
    network_add_constants(program, &p);
}

static void measure(const struct program *program, const struct body *body, const struct node_motion *motion, int begin,
                    int end, double *const *out) {
    struct mass_spring_parameters p;
    program_get_parameters(program, &p, MASS_SPRING_REALS, sizeof p);
    network_measure(p, body, motion, begin, end, 1, out);
}

static double operations(const struct attributes *notes, const struct attributes *parameters) {
    (void)parameters;
    return attributes_number(notes, "springs", NAN) * OPS_SPRING_FORCE +
           attributes_number(notes, "nodes", NAN) * OPS_EULER;
}

DEFINE_METHOD(mass_spring, 1, "Springs with damping, symplectic Euler: va2022 (1) to (4), va2023 (1) to (4).",
              .quantities = network_quantities, .quantity_count = network_quantity_count, .operations = operations,
              .fill = network_fill, .measure = measure);
