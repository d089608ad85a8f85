/* The methods pbd_surface, pbd_inner_links and pbd_strain_tets: lee2022, algorithm 1. They differ in the constraints
 * inside the body. */
#define REAL_IS_double /* precision of the host's parameters and of rest angles */
#include "pbd.h"
#include "exponential.h"

#include "method/build.h"
#include "method/loops.h"
#include "method/network.h"

#include "base/memory.h"
#include "base/rows.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define STIFFNESS(path, doc) FIELD_REAL(path, "1", "1", doc)

/* Fields of all three methods. The fields for constraints inside the body come after FIELDS_OF_SURFACE and before
 * FIELDS_OF_SOLVER. */
#define FIELDS_OF_SURFACE                                                                                              \
    FIELD_ITERATIONS("10", "Number of times that a step projects all constraints: line (12) of algorithm 1."),         \
        STIFFNESS("method.surface_compression",                                                                        \
                  "Stiffness of the surface's edges if they are shorter than at rest: tables 3 to 5."),                \
        STIFFNESS("method.surface_stretch",                                                                            \
                  "Stiffness of the surface's edges if they are longer than at rest: tables 3 to 5.")
#define BENDING                                                                                                        \
    STIFFNESS("method.bending", "Stiffness of the angles between triangles, (4); 0 disables these constraints.")
#define FIELDS_OF_SOLVER                                                                                               \
    FIELD_CHOICE("method.stiffness_means", "clamp scale share per_step raw", "clamp",                                  \
                 "How a printed stiffness k becomes the fraction of a correction that is applied. The paper prints k " \
                 "up to 4. The fraction 1 is the whole correction; with a fraction above 2 the error grows. clamp: "   \
                 "k, at most 1; scale: k/4, at most 1; share: k/n, at most 1, for n iterations; per_step: "            \
                 "1 - (1 - k)^(1/n) with k at most 1, as in Mueller et al. (2007); raw: k."),                          \
        FIELD_REAL(                                                                                                    \
            "method.damping", "1/s", "0 1/s",                                                                          \
            "Fraction of its velocity that a node loses per second, line (9); in a step at most the whole velocity."), \
        FIELD_CHOICE("method.solver", "gauss_seidel jacobi jacobi_sum", "gauss_seidel",                                \
                     "gauss_seidel: projects colour by colour; jacobi: projects all constraints at once, and a node "  \
                     "moves by the mean of its corrections; jacobi_sum: like jacobi, but a node moves by the sum of "  \
                     "its corrections, which overshoots if the node has several constraints."),                        \
        FIELD_UP_TO(2, "method.relaxation", "1", "1",                                                                  \
                    "With the solver jacobi, the factor of a node's mean correction; 1.5 in a later public program "   \
                    "of the paper's group."),                                                                          \
        FIELD_PRECISION

const struct field method_pbd_surface_fields[] = {FIELDS_OF_SURFACE, BENDING, FIELDS_OF_SOLVER, {.path = NULL}};

const struct field method_pbd_inner_links_fields[] = {
    FIELDS_OF_SURFACE,
    STIFFNESS("method.inside_compression",
              "Stiffness of the inner links if they are shorter than at rest: tables 3 to 5."),
    STIFFNESS("method.inside_stretch", "Stiffness of the inner links if they are longer than at rest: tables 3 to 5."),
    BENDING,
    FIELDS_OF_SOLVER,
    {.path = NULL},
};

const struct field method_pbd_strain_tets_fields[] = {
    FIELDS_OF_SURFACE,
    BENDING,
    STIFFNESS("method.strain", "Stiffness of the tetrahedra's stretch and shear, (10) and (11): tables 3 and 4."),
    FIELD_CHOICE("method.strain_form", "normalised printed", "normalised",
                 "normalised: the root of the stretch and the cosine of the shear, as in Mueller et al. (2014); "
                 "printed: the squares and products of (10) and (11)."),
    FIELDS_OF_SOLVER,
    {.path = NULL},
};

/* The constraints inside the body, by method. */
static const struct inside {
    const char *method, *word; /* word: the value of body.surface.inside that the method needs */
    enum body_part part;       /* PART_EDGES if there are no constraints inside */
} insides[] = {{"pbd_surface", "none", PART_EDGES},
               {"pbd_inner_links", "links", PART_LINKS},
               {"pbd_strain_tets", "tetrahedra", PART_TETRAHEDRA}};

static const struct inside *inside_of(const struct run *run) {
    const struct inside *inside = insides;
    while (strcmp(inside->method, run_text(run, "method.name")) != 0)
        ++inside;
    return inside;
}

static bool is_jacobi(const struct run *run) {
    return !run_has(run, "method.solver", "gauss_seidel");
}

static int check(const struct run *run, const struct body *body) {
    const struct inside *inside = inside_of(run);
    if (network_check_inside(run, body, inside->word))
        return STATUS_BAD;
    if (run_has(run, "scene.collisions", "host") && run_parameter(run, "scene.collisions")->origin != ORIGIN_DEFAULT)
        return fail_at(run_parameter(run, "scene.collisions")->place,
                       "scene.collisions is host, and %s cannot compute collisions on the host; use device",
                       inside->method);
    const struct parameter *factor = run_parameter(run, "scene.ground.velocity_factor");
    if (factor)
        return fail_at(factor->place,
                       "scene.ground.velocity_factor is set, and %s computes velocities from positions; remove it",
                       inside->method);
    if (run_number(run, "method.relaxation", 0) != 1 && !run_has(run, "method.solver", "jacobi"))
        return fail_at(run_parameter(run, "method.relaxation")->place,
                       "method.relaxation is %s, which only the solver jacobi uses, and method.solver is %s; use 1, or "
                       "the solver jacobi",
                       run_text(run, "method.relaxation"), run_text(run, "method.solver"));
    if (run_parameter(run, "scene.twist.torque"))
        return fail_at(
            run_parameter(run, "scene.twist.torque")->place,
            "scene.twist acts by forces, and %s has no forces except gravity; use mass_spring or volume_constraint",
            inside->method);
    return STATUS_OK;
}

/* ---- Parameters ---- */

/* The fraction of a correction that is applied for a printed stiffness, by method.stiffness_means. */
static double share_of_correction(const struct run *run, double stiffness) {
    const double largest = 4; /* the largest stiffness that the paper prints */
    if (run_has(run, "method.stiffness_means", "raw"))
        return stiffness;
    if (run_has(run, "method.stiffness_means", "scale"))
        stiffness /= largest;
    else if (run_has(run, "method.stiffness_means", "share"))
        stiffness /= run_number(run, "method.iterations", 0);
    if (stiffness >= 1)
        return 1;
    if (run_has(run, "method.stiffness_means", "per_step")) /* n iterations leave (1 - k) of the error */
        return 1 - exponential(logarithm(1 - stiffness) / run_number(run, "method.iterations", 0));
    return stiffness;
}

static double stiffness_at(const struct run *run, const char *path) {
    return run_parameter(run, path) ? share_of_correction(run, run_number(run, path, 0)) : 0;
}

/* Kinds of constraints, in the order in which an iteration projects them. */
enum { EDGES, BENDS, INSIDE, KINDS };

/* The part of the body that has the constraints of a kind. BODY_PARTS if the run has no constraints of this kind. */
static enum body_part part_of(const struct run *run, const struct body *body, int kind) {
    const enum body_part inside = inside_of(run)->part;
    const bool has_bends = run_number(run, "method.bending", 0) > 0 && body->prepared.parts[PART_BENDS].count > 0;
    const enum body_part parts[KINDS] = {[EDGES] = PART_EDGES,
                                         [BENDS] = has_bends ? PART_BENDS : BODY_PARTS,
                                         [INSIDE] = inside == PART_EDGES ? BODY_PARTS : inside};
    return parts[kind];
}

/* count_of: number of constraints of a kind. joined_by: number of particles of all these constraints. A particle counts
 * once for each constraint. */
static size_t count_of(const struct run *run, const struct body *body, int kind) {
    const enum body_part part = part_of(run, body, kind);
    return part == BODY_PARTS ? 0 : (size_t)body->prepared.parts[part].count;
}

static size_t joined_by(const struct run *run, const struct body *body, int kind) {
    const enum body_part part = part_of(run, body, kind);
    return part == BODY_PARTS ? 0 : count_of(run, body, kind) * (size_t)part_kinds[part].size;
}

/* The index at which the corrections of a kind begin in the buffer `correction`. This buffer has one item for each
 * particle of each constraint. If `kind` is KINDS, the result is the number of all corrections. */
static int slots_before(const struct run *run, const struct body *body, int kind) {
    size_t slots = 0;
    for (int k = 0; k < kind; ++k)
        slots += joined_by(run, body, k);
    return (int)slots;
}

static void set_parameters(const struct run *run, const struct body *body, struct program *program) {
    const struct mass_spring_parameters scene = network_scene(run, body);
    const double kept = 1 - run_number(run, "method.damping", 0) * scene.step;
    const struct pbd_parameters p = {
        .step = scene.step,
        .rate = 1 / scene.step,
        .kept = kept > 0 ? kept : 0,
        .gravity_x = scene.gravity_x,
        .gravity_y = scene.gravity_y,
        .gravity_z = scene.gravity_z,
        .edge_compression = stiffness_at(run, "method.surface_compression"),
        .edge_stretch = stiffness_at(run, "method.surface_stretch"),
        .link_compression = stiffness_at(run, "method.inside_compression"),
        .link_stretch = stiffness_at(run, "method.inside_stretch"),
        .bending = stiffness_at(run, "method.bending"),
        .strain = stiffness_at(run, "method.strain"),
        .relaxation = run_number(run, "method.relaxation", 0),
        .contact = scene.contact,
        .nodes = body->nodes,
        .contacts = scene.contacts,
        .plate_until = scene.plate_until,
        .is_printed = run_parameter(run, "method.strain_form") && run_has(run, "method.strain_form", "printed"),
        .is_summed = run_has(run, "method.solver", "jacobi_sum"),
        .bend_slot = slots_before(run, body, BENDS),
        .inside_slot = slots_before(run, body, INSIDE),
    };
    PARAMETERS_END(struct pbd_parameters, unused);
    program_set_parameters(program, &p, offsetof(struct pbd_parameters, nodes), sizeof p);
    program_add_constant(program, "NETWORK_CONTACTS", p.contacts);
    program_add_constant(program, "PBD_IS_PRINTED", p.is_printed);
}

/* ---- The program ---- */

/* The buffers of a kind's particles and rest values are consecutive (add_constraints uses this). Only Jacobi uses
 * correction, start and slot. */
#define BUFFERS(BUFFER)                                                                                                \
    BUFFER(position, quad, BUFFER_OWN, nodes)                                                                          \
    BUFFER(velocity, quad, BUFFER_OWN, nodes)                                                                          \
    BUFFER(predicted, quad, BUFFER_FRAME, nodes)                                                                       \
    BUFFER(edge, int, BUFFER_FIXED, joined_by(run, body, EDGES))                                                       \
    BUFFER(edge_rest, real, BUFFER_FIXED, rest_reals(run, body, EDGES))                                                \
    BUFFER(bend, int, BUFFER_FIXED, joined_by(run, body, BENDS))                                                       \
    BUFFER(bend_rest, real, BUFFER_FIXED, rest_reals(run, body, BENDS))                                                \
    BUFFER(inside, int, BUFFER_FIXED, joined_by(run, body, INSIDE)) /* links or tetrahedra */                          \
    BUFFER(inside_rest, real, BUFFER_FIXED, rest_reals(run, body, INSIDE))                                             \
    BUFFER(correction, quad, BUFFER_SHARED, slots)                                                                     \
    BUFFER(start, int, BUFFER_FIXED, is_jacobi(run) ? nodes + 1 : 0)                                                   \
    BUFFER(slot, int, BUFFER_FIXED, slots)

enum { BUFFERS(BUFFER_INDEX) };

#define ARGUMENTS(...) BINDINGS(pbd, __VA_ARGS__)

enum { NODE_GRAIN = 4096 };

/* Kernels of nodes. The kernels of constraints follow, then Jacobi's kernel that adds up corrections. */
enum { PREDICT, COLLIDE, UPDATE, NODE_KERNELS };

PBD_KERNELS(DECLARE_LOOPS)
DECLARE_SIMD_KERNEL(pbd_predict_lanes);
DECLARE_SIMD_KERNEL(pbd_collide_lanes);
DECLARE_SIMD_KERNEL(pbd_update_lanes);
DECLARE_SIMD_KERNEL(pbd_edge_lanes);
DECLARE_SIMD_KERNEL(pbd_link_lanes);
DECLARE_SIMD_KERNEL(pbd_bend_lanes);
DECLARE_SIMD_KERNEL(pbd_strain_lanes);
DECLARE_SIMD_KERNEL(pbd_edge_apart_lanes);
DECLARE_SIMD_KERNEL(pbd_link_apart_lanes);
DECLARE_SIMD_KERNEL(pbd_bend_apart_lanes);
DECLARE_SIMD_KERNEL(pbd_strain_apart_lanes);

/* The kernels of a part's constraints: projected by colours (Gauss-Seidel), or with separate corrections (Jacobi). */
#define KERNELS_OF(name, rest_reals, least, prefetched)                                                                \
    {                                                                                                                  \
        {#name, #name "_apart"}, {{name##_float, name##_double}, {name##_apart_float, name##_apart_double}},           \
            {{ROWS_TABLE(name##_lanes_float), ROWS_TABLE(name##_lanes_double)},                                        \
             {ROWS_TABLE(name##_apart_lanes_float), ROWS_TABLE(name##_apart_lanes_double)}},                           \
            rest_reals, least, prefetched                                                                              \
    }

static const struct constraint_kernel {
    const char *names[2];     /* [0]: by colours; [1]: Jacobi */
    kernel_loop *loops[2][2]; /* [0: by colours; 1: Jacobi][0: float; 1: double] */
    const struct simd_kernel *simd_kernels[2][2][PROCESSOR_LEVELS]; /* indices as in `loops`, then the level */
    int reals;                                                      /* rest values per constraint */
    int grain;                                                      /* kernel_hints.grain */
    const char *prefetched;                                         /* kernel_hints.prefetched: a type in OpenCL C */
} constraint_kernels[BODY_PARTS] = {
    [PART_EDGES] = KERNELS_OF(pbd_edge, 1, 4096, "struct pbd_pair"),
    [PART_LINKS] = KERNELS_OF(pbd_link, 1, 4096, "struct pbd_pair"),
    [PART_BENDS] = KERNELS_OF(pbd_bend, 1, 1024, "struct pbd_bent"),
    [PART_TETRAHEDRA] = KERNELS_OF(pbd_strain, 9, 256, "struct pbd_strained"),
};

static size_t rest_reals(const struct run *run, const struct body *body, int kind) {
    const size_t count = count_of(run, body, kind);
    return count ? count * (size_t)constraint_kernels[part_of(run, body, kind)].reals : 0;
}

/* Add the kernel and the stage of a kind's constraints. */
static void add_constraints(const struct run *run, const struct body *body, int kind, struct program *program) {
    const enum body_part part = part_of(run, body, kind);
    if (part == BODY_PARTS)
        return;
    const bool is_double = run_is_double(run), apart = is_jacobi(run);
    const struct part *from = &body->prepared.parts[part];
    const struct constraint_kernel *of_part = &constraint_kernels[part];
    const int particles = AT_edge + 2 * kind;
    struct kernel *kernel = &program->kernels[program->kernel_count];
    *kernel = (struct kernel){
        .name = of_part->names[apart],
        .loop = of_part->loops[apart][is_double],
        .simd = of_part->simd_kernels[apart][is_double][processor_level()],
        .hints.grain = of_part->grain,
        .bindings = {ARGUMENTS(predicted), BIND(pbd, particle, particles), BIND(pbd, rest, particles + 1)},
        .columns = from->count,
        .hints.prefetched = apart ? NULL : of_part->prefetched};
    if (apart)
        kernel->bindings[3] = (struct binding)ARGUMENTS(correction);
    program->colourings[kind].colours = from->groups;
    program->colourings[kind].start = from->start;
    program_add_stage(program, apart ? STAGE_RUN : STAGE_COLOURS, program->kernel_count++, kind, 0);
}

static void build(const struct run *run, const struct body *body, struct program *program) {
    const bool is_double = run_is_double(run);
    const size_t nodes = (size_t)body->nodes, slots = is_jacobi(run) ? (size_t)slots_before(run, body, KINDS) : 0;
    *program = (struct program){
        .sources = {"angle.h", "contact.h", "pbd.h"},
        .real_size = run_real_size(run),
        .is_list_program = true,
        ARGUMENTS_ARE(pbd, pbd_parameters),
        .buffers = {BUFFERS(BUFFER_ENTRY)},
        .kernels = {[PREDICT] = {CODE(pbd_predict), SIMD_KERNEL(pbd_predict_lanes), .hints.grain = NODE_GRAIN,
                                 .bindings = {ARGUMENTS(position, velocity, predicted)}},
                    [COLLIDE] = {CODE(pbd_collide), SIMD_KERNEL(pbd_collide_lanes), .hints.grain = NODE_GRAIN,
                                 .bindings = {ARGUMENTS(predicted)}},
                    [UPDATE] = {CODE(pbd_update), SIMD_KERNEL(pbd_update_lanes), .hints.grain = NODE_GRAIN,
                                .bindings = {ARGUMENTS(position, velocity, predicted)}}},
        .kernel_count = NODE_KERNELS};
    program_add_stage(program, STAGE_STEPS, 0, 0, (int)run_number(run, "time.steps_per_frame", 0));
    program_add_stage(program, STAGE_RUN, PREDICT, 0, 0);
    program_add_stage(program, STAGE_REPEAT, 0, 0, (int)run_number(run, "method.iterations", 0));
    for (int kind = 0; kind < KINDS; ++kind)
        add_constraints(run, body, kind, program);
    if (is_jacobi(run)) {
        program->kernels[program->kernel_count] =
            (struct kernel){CODE(pbd_average), .bindings = {ARGUMENTS(predicted, correction, start, slot)}};
        program_add_stage(program, STAGE_RUN, program->kernel_count++, 0, 0);
    }
    if (network_scene(run, body).contacts)
        program_add_stage(program, STAGE_RUN, COLLIDE, 0, 0);
    program_add_stage(program, STAGE_END, 0, 0, 0);
    program_add_stage(program, STAGE_RUN, UPDATE, 0, 0);
    program_add_stage(program, STAGE_END, 0, 0, 0);
    program_complete(program, body->nodes);
    set_parameters(run, body, program);
}

/* ---- Initial content of buffers ---- */

static void fill_angles(const struct body *body, int real_size, void *out) {
    const struct part *bends = &body->prepared.parts[PART_BENDS];
    for (size_t c = 0; c < (size_t)bends->count; ++c) {
        const int *particle = bends->particle + 4 * c;
        const struct dihedral h =
            dihedral_of(vec3_from(body->position[particle[0]]), vec3_from(body->position[particle[1]]),
                        vec3_from(body->position[particle[2]]), vec3_from(body->position[particle[3]]));
        real_store(out, c, h.angle, real_size);
    }
}

/* For Jacobi, each node has a list of its corrections: indices in the buffer `correction`, in the order of kinds,
 * constraints and particles. If `begins`, write where each node's list begins; otherwise write the lists. */
static void fill_slots(const struct run *run, const struct body *body, bool begins, size_t bytes, void *out) {
    const int slots = slots_before(run, body, KINDS);
    AUTO_FREE int *node = memory_new((size_t)slots, sizeof *node);
    AUTO_FREE int *start = memory_new((size_t)body->nodes + 1, sizeof *start);
    AUTO_FREE int *slot = memory_new((size_t)slots, sizeof *slot);
    for (int kind = 0; kind < KINDS; ++kind)
        if (count_of(run, body, kind))
            memcpy(node + slots_before(run, body, kind), body->prepared.parts[part_of(run, body, kind)].particle,
                   joined_by(run, body, kind) * sizeof *node);
    rows_sort(body->nodes, slots, node, start, slot);
    memcpy(out, begins ? start : slot, bytes);
}

static void fill(const struct run *run, const struct body *body, const struct program *program, int buffer, void *out) {
    const size_t bytes = buffer_size(&program->buffers[buffer]);
    const int kind = (buffer - AT_edge) / 2;
    if (!bytes)
        return;
    if (buffer == AT_predicted) /* simd_kernel.prepare reads the inverse masses in this buffer before the first step */
        network_fill_positions(body, program->real_size, out);
    else if (buffer == AT_start || buffer == AT_slot)
        fill_slots(run, body, buffer == AT_start, bytes, out);
    else if (buffer == AT_edge || buffer == AT_bend || buffer == AT_inside)
        memcpy(out, body->prepared.parts[part_of(run, body, kind)].particle, bytes);
    else if (buffer == AT_bend_rest)
        fill_angles(body, program->real_size, out);
    else if (buffer == AT_inside_rest && part_of(run, body, INSIDE) == PART_TETRAHEDRA)
        element_fill_rest(body, NULL, 9, program->real_size, out);
    else if (buffer == AT_edge_rest || buffer == AT_inside_rest)
        element_fill_lengths(body, part_of(run, body, kind), program->real_size, out);
    else
        network_fill(run, body, program, buffer, out);
}

/* ---- Measured quantities: those of networks, except the springs' energy ---- */

static const struct quantity quantities[] = {QUANTITY_OF_MOTION, QUANTITIES_OF_NODES};

static int quantity_count(const struct body *body) {
    return network_quantity_count(body) - 1;
}

static void measure(const struct program *program, const struct body *body, const struct node_motion *motion, int begin,
                    int end, double *const *out) {
    struct pbd_parameters p;
    program_get_parameters(program, &p, offsetof(struct pbd_parameters, nodes), sizeof p);
    const struct mass_spring_parameters scene = {
        .gravity_x = p.gravity_x, .gravity_y = p.gravity_y, .gravity_z = p.gravity_z};
    network_measure(scene, body, motion, begin, end, 0, out);
}

/* ---- Operations ---- */

/* For a distance constraint: 1 / (w1 + w2), d, |d|^2, the root of |d|^2, the error (2 operations), the factor (3
 * operations), the multiple of d, and both ends moved. */
enum { DISTANCE = 1 + OPS_SHARE + OPS_VECTOR + OPS_INNER + OPS_ROOT + 2 + 3 + OPS_VECTOR + 4 * OPS_VECTOR };

/* For a bend constraint: five differences, both normals (9 operations each), |e|; the arguments of the arctangent; the
 * arctangent: its reduction (8 operations), a reciprocal and a polynomial (12 operations); normals over their squares,
 * and from them the gradients of c and d (6 operations), and of a and b; the weighted squares; the angle's difference,
 * wrapped, and the factor; four corners moved. */
enum {
    BEND = 5 * OPS_VECTOR + 2 * 9 + OPS_INNER + OPS_ROOT + 1 + (9 + 2 * OPS_INNER + 1) + (9 + OPS_ROOT + 12) +
           2 * (OPS_INNER + OPS_SHARE + OPS_VECTOR) + 6 + 2 * (2 * OPS_INNER + 4 * OPS_VECTOR) +
           (4 * (OPS_INNER + 1) + 3) + 4 + OPS_SHARE + 4 * (1 + 2 * OPS_VECTOR)
};

/* How many operations move the four corners of a tetrahedron along the gradient of a strain. */
enum {
    STRAIN_MOVE =
        3 * 3 * OPS_VECTOR + 2 * OPS_VECTOR + (4 * (OPS_INNER + 1) + 3) + 1 + OPS_SHARE + 4 * (1 + 2 * OPS_VECTOR)
};

/* For a tetrahedron: three stretches and three shears, in the printed form or divided by lengths. */
static double strains(const struct attributes *parameters) {
    const char *form = attributes_text(parameters, "method.strain_form");
    const bool is_printed = form && !strcmp(form, "printed");
    const double stretch = OPS_EDGES + OPS_COLUMN_OF_F + OPS_INNER + OPS_VECTOR + (is_printed ? 3 : OPS_SHARE),
                 shear =
                     OPS_EDGES + 2 * OPS_COLUMN_OF_F + OPS_INNER +
                     (is_printed ? 0
                                 : 2 * (OPS_INNER + OPS_ROOT + OPS_VECTOR) + 3 + 1 + 2 * (2 * OPS_VECTOR + OPS_VECTOR));
    return 3 * (stretch + shear) + 6 * STRAIN_MOVE;
}

/* The operations of Gauss-Seidel. `inside` is the number of operations for the constraints inside the body, per
 * iteration. Returns NAN for Jacobi, whose operations have not been counted: Jacobi projects copies of tetrahedra, and
 * adds up corrections by nodes. */
static double operations(const struct attributes *notes, const struct attributes *parameters, double inside) {
    const char *solver = attributes_text(parameters, "method.solver");
    if (solver && strcmp(solver, "gauss_seidel") != 0)
        return NAN;
    const double bends = attributes_number(parameters, "method.bending", NAN) != 0
                             ? attributes_number(notes, "body_bends", NAN) * BEND
                             : 0;
    return attributes_number(parameters, "method.iterations", NAN) *
               (attributes_number(notes, "body_edges", NAN) * DISTANCE + bends + inside) +
           attributes_number(notes, "nodes", NAN) * OPS_PREDICTION;
}

static double pbd_surface_operations(const struct attributes *notes, const struct attributes *parameters) {
    return operations(notes, parameters, 0);
}

static double pbd_inner_links_operations(const struct attributes *notes, const struct attributes *parameters) {
    return operations(notes, parameters, attributes_number(notes, "body_links", NAN) * DISTANCE);
}

static double pbd_strain_tets_operations(const struct attributes *notes, const struct attributes *parameters) {
    return operations(notes, parameters, attributes_number(notes, "body_tetrahedra", NAN) * strains(parameters));
}

/* ---- The methods ---- */

METHOD_OF(pbd_surface, 0, 6,
          "Position based dynamics of a surface, its edges and bends: lee2022, algorithm 1, (1) to (4).");
METHOD_OF(pbd_inner_links, 0, 6,
          "pbd_surface with inner links, lee2022's internal shape preserving constraints: algorithm 2.");
METHOD_OF(pbd_strain_tets, 0, 25, "pbd_surface with strain constraints of tetrahedra: lee2022 (5) to (11).");
