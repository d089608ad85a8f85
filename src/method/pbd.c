/* The methods pbd_surface, pbd_inner_links and pbd_strain_tets: lee2022, algorithm 1. They differ in what is inside. */
#define REAL_IS_double /* of the host's parameters, and of rest angles */
#include "pbd.h"

#include "method/element.h"
#include "method/loops.h"
#include "method/network.h"
#include "method/operations.h"

#include "base/memory.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define STIFFNESS(path, doc)                                                                                           \
    { path, TYPE_REAL, "1", "1", 0, INFINITY, false, NULL, doc }
#define CHOICE(path, words, first, doc)                                                                                \
    { path, TYPE_CHOICE, "1", first, -INFINITY, INFINITY, false, words, doc }

/* Of all three. */
#define ITERATIONS                                                                                                     \
    {                                                                                                                  \
        "method.iterations", TYPE_INTEGER, "1", "10", 1, 1e6, false, NULL,                                             \
            "How often a step goes through all constraints: line (12) of algorithm 1."                                 \
    }
#define SURFACE_COMPRESSION                                                                                            \
    STIFFNESS("method.surface_compression",                                                                            \
              "Stiffness of the surface's edges where they are shorter than at rest: tables 3 to 5.")
#define SURFACE_STRETCH STIFFNESS("method.surface_stretch", "The same where they are longer.")
#define BENDING         STIFFNESS("method.bending", "Stiffness of the angles between triangles, (4); 0 leaves them out.")
#define MEANS                                                                                                          \
    CHOICE("method.stiffness_means", "clamp scale share raw", "clamp",                                                 \
           "What a stiffness is, of which the paper prints some up to 4, where 1 goes the whole way and over 2 a "     \
           "projection overshoots for good: at most 1; a fourth of it; a share of it for each iteration, at most 1; "  \
           "or as it is.")
#define DAMPING                                                                                                        \
    {                                                                                                                  \
        "method.damping", TYPE_REAL, "1/s", "0 1/s", 0, INFINITY, false, NULL,                                         \
            "Share of its velocity that a node loses in a second, line (9); in a step at most all of it."              \
    }
#define SOLVER                                                                                                         \
    CHOICE(                                                                                                            \
        "method.solver", "gauss_seidel jacobi jacobi_sum", "gauss_seidel",                                             \
        "gauss_seidel projects colour by colour; jacobi all at once, and a node takes the mean of its corrections; "   \
        "jacobi_sum their sum, as the method is without further care, which overshoots where several meet.")
#define PRECISION CHOICE("method.precision", "float double", "float", "Precision of positions and velocities.")

const struct field method_pbd_surface_fields[] = {
    ITERATIONS, SURFACE_COMPRESSION, SURFACE_STRETCH, BENDING, MEANS, DAMPING, SOLVER, PRECISION, {.path = NULL},
};
const struct field method_pbd_inner_links_fields[] = {
    ITERATIONS,
    SURFACE_COMPRESSION,
    SURFACE_STRETCH,
    STIFFNESS("method.inside_compression",
              "Stiffness of the inner links where they are shorter than at rest: tables 3 to 5."),
    STIFFNESS("method.inside_stretch", "The same where they are longer."),
    BENDING,
    MEANS,
    DAMPING,
    SOLVER,
    PRECISION,
    {.path = NULL},
};
const struct field method_pbd_strain_tets_fields[] = {
    ITERATIONS,
    SURFACE_COMPRESSION,
    SURFACE_STRETCH,
    BENDING,
    STIFFNESS("method.strain", "Stiffness of the tetrahedra's stretch and shear, (10) and (11): tables 3 and 4."),
    CHOICE("method.strain_form", "normalised printed", "normalised",
           "The root of the stretch and the cosine of the shear, as Mueller et al. (2014) have them; or the squares "
           "and products of (10) and (11)."),
    MEANS,
    DAMPING,
    SOLVER,
    PRECISION,
    {.path = NULL},
};

/* What is inside, by method. */
static const struct inside {
    const char *method, *word; /* of body.surface.inside */
    enum body_part part;
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
    const struct parameter *name = run_parameter(run, "method.name"), *set;
    const struct inside *inside = inside_of(run);
    if (!body->prepared.vertices)
        return fail_at(name->place,
                       "method.name is %s, whose constraints are a mesh's, and the body is a cloth; "
                       "body.mesh would be right",
                       inside->method);
    set = run_parameter(run, "body.surface.inside");
    if (!run_has(run, "body.surface.inside", inside->word))
        return fail_at(set->origin == ORIGIN_DEFAULT ? name->place : set->place,
                       "method.name is %s, and body.surface.inside is %s; %s would be right", inside->method,
                       set->value.text, inside->word);
    if (run_has(run, "scene.collisions", "host") && run_parameter(run, "scene.collisions")->origin != ORIGIN_DEFAULT)
        return fail_at(run_parameter(run, "scene.collisions")->place,
                       "scene.collisions is host, and %s collides where it runs; device would be right",
                       inside->method);
    if (run_parameter(run, "scene.twist.torque"))
        return fail_at(run_parameter(run, "scene.twist.torque")->place,
                       "scene.twist acts by forces, and %s has none but gravity; mass_spring or volume_constraint "
                       "would be right",
                       inside->method);
    return STATUS_OK;
}

/* ---- Parameters ---- */

/* What part of a correction a printed stiffness is. */
static double share_of_correction(const struct run *run, double stiffness) {
    const double largest = 4; /* of those that the paper prints */
    if (run_has(run, "method.stiffness_means", "raw"))
        return stiffness;
    if (run_has(run, "method.stiffness_means", "scale"))
        stiffness /= largest;
    else if (run_has(run, "method.stiffness_means", "share"))
        stiffness /= run_number(run, "method.iterations", 0);
    return stiffness < 1 ? stiffness : 1;
}

static double stiffness_at(const struct run *run, const char *path) {
    return run_parameter(run, path) ? share_of_correction(run, run_number(run, path, 0)) : 0;
}

/* The kinds of constraints in the order in which an iteration goes through them, and how many there are. */
static int list_kinds(const struct run *run, const struct body *body, enum body_part kinds[3]) {
    const enum body_part inside = inside_of(run)->part;
    int count = 0;
    kinds[count++] = PART_EDGES;
    if (run_number(run, "method.bending", 0) > 0 && body->prepared.parts[PART_BENDS].count > 0)
        kinds[count++] = PART_BENDS;
    if (inside != PART_EDGES)
        kinds[count++] = inside;
    return count;
}

/* Particles of the constraints before those of a kind: where its corrections begin in Jacobi's array; of all where
 * there is no such kind. */
static int slots_before(const struct run *run, const struct body *body, enum body_part kind) {
    enum body_part kinds[3];
    const int count = list_kinds(run, body, kinds);
    int slots = 0;
    for (int k = 0; k < count && kinds[k] != kind; ++k)
        slots += body->prepared.parts[kinds[k]].count * part_kinds[kinds[k]].size;
    return slots;
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
        .contact = scene.contact,
        .nodes = body->nodes,
        .contacts = scene.contacts,
        .plate_until = scene.plate_until,
        .is_printed = run_parameter(run, "method.strain_form") && run_has(run, "method.strain_form", "printed"),
        .is_summed = run_has(run, "method.solver", "jacobi_sum"),
        .bend_slot = slots_before(run, body, PART_BENDS),
        .inside_slot = inside_of(run)->part == PART_EDGES ? 0 : slots_before(run, body, inside_of(run)->part),
    };
    PARAMETERS_END(struct pbd_parameters, unused);
    program_set_parameters(program, &p, offsetof(struct pbd_parameters, nodes), sizeof p);
    program_add_constant(program, "NETWORK_CONTACTS", p.contacts);
    program_add_constant(program, "PBD_IS_PRINTED", p.is_printed);
}

/* ---- The program ---- */

enum {
    POSITION,
    VELOCITY,
    PREDICTED,
    PARTICLES,                  /* of each kind of constraints in turn: their particles, and what they are at rest */
    CORRECTION = PARTICLES + 6, /* Jacobi alone, as those behind */
    START,
    SLOT,
    BUFFERS
};

enum { NODE_GRAIN = 4096 };

/* Kernels. */
enum { PREDICT, COLLIDE, UPDATE, PROJECT, AVERAGE = PROJECT + 3, KERNELS };

PBD_KERNELS(DECLARE_LOOPS)
DECLARE_SWEEP(pbd_predict_lanes);
DECLARE_SWEEP(pbd_collide_lanes);
DECLARE_SWEEP(pbd_update_lanes);
DECLARE_SWEEP(pbd_edge_lanes);
DECLARE_SWEEP(pbd_link_lanes);
DECLARE_SWEEP(pbd_bend_lanes);
DECLARE_SWEEP(pbd_strain_lanes);

#define ARGUMENT(member, buffer) BIND(pbd, member, buffer)

/* Loops by precision, and by whether corrections are kept apart. */
#define BOTH(name)                                                                                                     \
    { name##_float, name##_double }
#define LANES_OF(name)                                                                                                 \
    { ROWS_TABLE(name##_lanes_float), ROWS_TABLE(name##_lanes_double) }

static const struct constraint_kernel {
    enum body_part part;
    const char *particles, *rest; /* names of buffers */
    const char *names[2];
    kernel_loop *loops[2][2];
    const struct sweep *sweeps[2][PROCESSOR_LEVELS]; /* by colours */
    int reals;                                       /* of rest, a constraint */
    int grain;                                       /* of the loops for vector units: some microseconds */
    const char *taken;                               /* in OpenCL C: what is read of a constraint alone */
} constraint_kernels[] = {
    {PART_EDGES,
     "edge",
     "edge_rest",
     {"pbd_edge", "pbd_edge_apart"},
     {BOTH(pbd_edge), BOTH(pbd_edge_apart)},
     LANES_OF(pbd_edge),
     1,
     4096,
     "struct pbd_pair"},
    {PART_LINKS,
     "link",
     "link_rest",
     {"pbd_link", "pbd_link_apart"},
     {BOTH(pbd_link), BOTH(pbd_link_apart)},
     LANES_OF(pbd_link),
     1,
     4096,
     "struct pbd_pair"},
    {PART_BENDS,
     "bend",
     "bend_rest",
     {"pbd_bend", "pbd_bend_apart"},
     {BOTH(pbd_bend), BOTH(pbd_bend_apart)},
     LANES_OF(pbd_bend),
     1,
     1024,
     "struct pbd_bent"},
    {PART_TETRAHEDRA,
     "tetrahedron",
     "tetrahedron_rest",
     {"pbd_strain", "pbd_strain_apart"},
     {BOTH(pbd_strain), BOTH(pbd_strain_apart)},
     LANES_OF(pbd_strain),
     9,
     256,
     "struct pbd_strained"},
};

static const struct constraint_kernel *kernel_of(enum body_part part) {
    const struct constraint_kernel *kernel = constraint_kernels;
    while (kernel->part != part)
        ++kernel;
    return kernel;
}

/* The k-th kind of constraints: buffers, kernel and stage. */
static void add_constraints(const struct run *run, const struct body *body, enum body_part part, int k,
                            struct program *program) {
    const bool is_double = run_has(run, "method.precision", "double"), apart = is_jacobi(run);
    const struct part *from = &body->prepared.parts[part];
    const struct constraint_kernel *kind = kernel_of(part);
    const int particles = PARTICLES + 2 * k, slot = PROJECT + k;
    const size_t count = (size_t)from->count;
    program->buffers[particles] =
        (struct buffer){kind->particles, "int", BUFFER_FIXED, count * (size_t)part_kinds[part].size, sizeof(int)};
    program->buffers[particles + 1] =
        (struct buffer){kind->rest, "real", BUFFER_FIXED, count * (size_t)kind->reals, (size_t)program->real_size};
    program->kernels[slot] = (struct kernel){
        .name = kind->names[apart],
        .loop = kind->loops[apart][is_double],
        .sweep = apart ? NULL : kind->sweeps[is_double][processor_level()],
        .hints.grain = apart ? 0 : kind->grain,
        .bindings = {ARGUMENT(predicted, PREDICTED), ARGUMENT(particle, particles), ARGUMENT(rest, particles + 1)},
        .columns = from->count,
        .rows = 1,
        .hints.prefetched = apart ? NULL : kind->taken};
    if (apart)
        program->kernels[slot].bindings[3] = (struct binding)ARGUMENT(correction, CORRECTION);
    program->colourings[k].colours = from->groups;
    program->colourings[k].start = from->start;
    program_add_stage(program, apart ? STAGE_RUN : STAGE_COLOURS, slot, k, 0);
}

static void add_average(const struct run *run, const struct body *body, struct program *program) {
    const bool is_double = program->real_size == sizeof(double);
    const size_t real_size = (size_t)program->real_size, nodes = (size_t)body->nodes;
    const size_t slots = (size_t)slots_before(run, body, BODY_PARTS);
    program->buffers[CORRECTION] = (struct buffer){"correction", "quad", BUFFER_SHARED, slots, 4 * real_size};
    program->buffers[START] = (struct buffer){"start", "int", BUFFER_FIXED, nodes + 1, sizeof(int)};
    program->buffers[SLOT] = (struct buffer){"slot", "int", BUFFER_FIXED, slots, sizeof(int)};
    program->kernels[AVERAGE] =
        (struct kernel){CODE(pbd_average),
                        .bindings = {ARGUMENT(predicted, PREDICTED), ARGUMENT(correction, CORRECTION),
                                     ARGUMENT(start, START), ARGUMENT(slot, SLOT)},
                        .columns = body->nodes, .rows = 1};
    program_add_stage(program, STAGE_RUN, AVERAGE, 0, 0);
}

static void build(const struct run *run, const struct body *body, struct program *program) {
    const bool is_double = run_has(run, "method.precision", "double");
    const size_t real_size = is_double ? sizeof(double) : sizeof(float), nodes = (size_t)body->nodes;
    enum body_part kinds[3];
    const int kind_count = list_kinds(run, body, kinds);
    *program = (struct program){.sources = {"angle.h", "contact.h", "pbd.h"},
                                .source_count = 3,
                                .real_size = (int)real_size,
                                .is_listed = true,
                                ARGUMENTS_ARE(pbd, pbd_parameters),
                                .positions = POSITION,
                                .velocities = VELOCITY,
                                .buffer_count = BUFFERS,
                                .kernel_count = KERNELS,
                                .buffers = {{"position", "quad", BUFFER_OWN, nodes, 4 * real_size},
                                            {"velocity", "quad", BUFFER_OWN, nodes, 4 * real_size},
                                            {"predicted", "quad", BUFFER_FRAME, nodes, 4 * real_size}}};
    for (int b = PARTICLES; b < BUFFERS; ++b) /* what is not needed stays empty */
        program->buffers[b] = (struct buffer){"none", "int", BUFFER_FIXED, 0, sizeof(int)};
#define NODES ARGUMENT(position, POSITION), ARGUMENT(velocity, VELOCITY), ARGUMENT(predicted, PREDICTED)
    const struct kernel of_nodes[] = {
        [PREDICT] = {CODE(pbd_predict), SWEEP(pbd_predict_lanes), .bindings = {NODES}},
        [COLLIDE] = {CODE(pbd_collide), SWEEP(pbd_collide_lanes), .bindings = {ARGUMENT(predicted, PREDICTED)}},
        [UPDATE] = {CODE(pbd_update), SWEEP(pbd_update_lanes), .bindings = {NODES}}};
    for (int k = PREDICT; k <= UPDATE; ++k) {
        program->kernels[k] = of_nodes[k];
        program->kernels[k].hints.grain = NODE_GRAIN;
        program->kernels[k].columns = body->nodes;
        program->kernels[k].rows = 1;
    }
    for (int k = PROJECT; k < KERNELS; ++k) /* one that no stage names */
        program->kernels[k] = program->kernels[COLLIDE];
    program_add_stage(program, STAGE_STEPS, 0, 0, (int)run_number(run, "time.steps_per_frame", 0));
    program_add_stage(program, STAGE_RUN, PREDICT, 0, 0);
    program_add_stage(program, STAGE_REPEAT, 0, 0, (int)run_number(run, "method.iterations", 0));
    for (int k = 0; k < kind_count; ++k)
        add_constraints(run, body, kinds[k], k, program);
    if (is_jacobi(run))
        add_average(run, body, program);
    if (network_scene(run, body).contacts)
        program_add_stage(program, STAGE_RUN, COLLIDE, 0, 0);
    program_add_stage(program, STAGE_END, 0, 0, 0);
    program_add_stage(program, STAGE_RUN, UPDATE, 0, 0);
    program_add_stage(program, STAGE_END, 0, 0, 0);
    set_parameters(run, body, program);
}

/* ---- What the buffers hold ---- */

static vec3 place_of(const struct body *body, int i) {
    return vec3_of(body->position[i][0], body->position[i][1], body->position[i][2]);
}

static void fill_rest(const struct body *body, enum body_part kind, int real_size, void *out) {
    const struct part *part = &body->prepared.parts[kind];
    const size_t size = (size_t)part_kinds[kind].size;
    for (size_t c = 0; c < (size_t)part->count; ++c) {
        const int *particle = part->particle + size * c;
        if (kind == PART_TETRAHEDRA) {
            double inverse[9];
            element_at_rest(body, particle, inverse);
            for (size_t k = 0; k < 9; ++k)
                real_store(out, 9 * c + k, inverse[k], real_size);
        } else if (kind == PART_BENDS) {
            const struct dihedral h = dihedral_of(place_of(body, particle[0]), place_of(body, particle[1]),
                                                  place_of(body, particle[2]), place_of(body, particle[3]));
            real_store(out, c, h.angle, real_size);
        } else {
            const vec3 d = subtract(place_of(body, particle[0]), place_of(body, particle[1]));
            real_store(out, c, sqrt(inner(d, d)), real_size);
        }
    }
}

/* The corrections of each node, in the order of the kinds, of the constraints and of their particles: start is
 * [nodes + 1], slot is [slots]; one of the two may be NULL. */
static void fill_slots(const struct run *run, const struct body *body, int *start, int *slot) {
    enum body_part kinds[3];
    const int kind_count = list_kinds(run, body, kinds);
    int *next = memory_new((size_t)body->nodes + 1, sizeof *next);
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0, at = 0; k < kind_count; ++k) {
            const struct part *part = &body->prepared.parts[kinds[k]];
            for (int s = 0; s < part_kinds[kinds[k]].size * part->count; ++s, ++at) {
                if (!pass)
                    ++next[part->particle[s] + 1];
                else if (slot)
                    slot[next[part->particle[s]]++] = at;
            }
        }
        for (int i = 0; !pass && i < body->nodes; ++i)
            next[i + 1] += next[i];
        if (!pass && start)
            memcpy(start, next, ((size_t)body->nodes + 1) * sizeof *start);
    }
    free(next);
}

static void fill(const struct run *run, const struct body *body, const struct program *program, int buffer, void *out) {
    enum body_part kinds[3];
    const size_t bytes = program->buffers[buffer].items * program->buffers[buffer].item_size;
    const int k = (buffer - PARTICLES) / 2;
    list_kinds(run, body, kinds);
    if (!bytes)
        return;
    if (buffer == POSITION || buffer == PREDICTED) /* loops for vector units take the inverse masses before a step */
        network_fill_positions(body, program->real_size, out);
    else if (buffer == VELOCITY)
        network_fill_velocities(run, body, program->real_size, out);
    else if (buffer == START || buffer == SLOT)
        fill_slots(run, body, buffer == START ? out : NULL, buffer == START ? NULL : out);
    else if (buffer >= PARTICLES && buffer < CORRECTION && (buffer - PARTICLES) % 2 == 0)
        memcpy(out, body->prepared.parts[kinds[k]].particle, bytes);
    else if (buffer >= PARTICLES && buffer < CORRECTION)
        fill_rest(body, kinds[k], program->real_size, out);
} /* the others are written before they are read */

/* ---- What is measured: as of networks, but for the springs' energy ---- */

static const struct quantity quantities[] = {QUANTITY_OF_MOTION, QUANTITIES_OF_NODES};

static int quantity_count(const struct body *body) {
    return network_quantity_count(body) - 1;
}

static void measure(const struct program *program, const struct body *body, const double (*position)[3],
                    const double (*velocity)[3], int begin, int end, double *const *out) {
    struct pbd_parameters p;
    program_get_parameters(program, &p, offsetof(struct pbd_parameters, nodes), sizeof p);
    const struct mass_spring_parameters scene = {
        .gravity_x = p.gravity_x, .gravity_y = p.gravity_y, .gravity_z = p.gravity_z};
    double *elastic = memory_new((size_t)(end - begin), sizeof *elastic), *all[NETWORK_QUANTITIES];
    for (int q = 0; q < quantity_count(body); ++q)
        all[q + (q >= ELASTIC_AT)] = out[q];
    all[ELASTIC_AT] = elastic;
    network_measure(scene, body, position, velocity, begin, end, all);
    free(elastic);
}

/* ---- Operations ---- */

/* Of a distance its share, d, |d|^2, its root, the error (2), the factor (3), d's multiple, and both ends moved. */
enum { DISTANCE = 1 + OPS_SHARE + OPS_VECTOR + OPS_INNER + OPS_ROOT + 2 + 3 + OPS_VECTOR + 4 * OPS_VECTOR };

/* Of a bend: five differences, both normals (9 each), |e|; the arctangent's arguments, and it, with a reciprocal and a
 * polynomial (12); normals over their squares, and from them the gradients of c and d (6), and of a and b; the weighted
 * squares; the angle's difference, wrapped, and the factor; four corners moved. */
enum {
    BEND = 5 * OPS_VECTOR + 2 * 9 + OPS_INNER + OPS_ROOT + 1 + (9 + 2 * OPS_INNER + 1) + (9 + OPS_ROOT + 12) +
           2 * (OPS_INNER + OPS_SHARE + OPS_VECTOR) + 6 + 2 * (2 * OPS_INNER + 4 * OPS_VECTOR) +
           (4 * (OPS_INNER + 1) + 3) + 4 + OPS_SHARE + 4 * (1 + 2 * OPS_VECTOR)
};

/* The corners moved along a strain's gradient. */
enum {
    STRAIN_MOVE =
        3 * 3 * OPS_VECTOR + 2 * OPS_VECTOR + (4 * (OPS_INNER + 1) + 3) + 1 + OPS_SHARE + 4 * (1 + 2 * OPS_VECTOR)
};

/* Of a tetrahedron its three stretches and three shears, in the form of the print or with lengths divided by. */
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

/* By Gauss-Seidel, with so many operations of what is inside in an iteration. By Jacobi tetrahedra are gone through in
 * copies, and corrections added up by nodes: nobody counted that. */
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

#define METHOD_OF(variable, cost, what)                                                                                \
    const struct method method_##variable = {                                                                          \
        .name = #variable,                                                                                             \
        .doc = (what),                                                                                                 \
        .fields = method_##variable##_fields,                                                                          \
        .quantities = quantities,                                                                                      \
        .quantity_count = quantity_count,                                                                              \
        .relative_cost = (cost),                                                                                       \
        .operations = variable##_operations,                                                                           \
        .check = check,                                                                                                \
        .build = build,                                                                                                \
        .fill = fill,                                                                                                  \
        .measure = measure,                                                                                            \
    }

METHOD_OF(pbd_surface, 6,
          "Position based dynamics of a surface, its edges and bends: lee2022, algorithm 1, (1) to (4).");
METHOD_OF(pbd_inner_links, 6,
          "The same with inner links, lee2022's internal shape preserving constraints: algorithm 2.");
METHOD_OF(pbd_strain_tets, 25, "The same with strain constraints of tetrahedra: lee2022 (5) to (11).");
