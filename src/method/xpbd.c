/* The methods xpbd and xpbd_hyperelastic: cetinaslan2019, algorithm 1. xpbd has the paper's four springs, two other
 * forms of its Morse spring, and ghost tetrahedra that preserve the volume. xpbd_hyperelastic has tetrahedra of
 * hyperelastic material instead. */
#define REAL_IS_double /* precision of the host's parameters and of rest values */
#include "xpbd.h"
#include "xpbd_hyperelastic.h"

#include "method/build.h"
#include "method/loops.h"
#include "method/network.h"
#include "method/scene.h"

#include "base/memory.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define RELAXATION                                                                                                     \
    "Factor of the displacement by a projection; the multiplier is not scaled. 1 gives equation (3). With nodes of "   \
    "1 kg, a later public program of the paper's author uses 0.5 for springs and 0.25 for ghost elements."

const struct field method_xpbd_fields[] = {
    FIELD_ITERATIONS("50", "Number of times that a step projects all constraints: line 4 of algorithm 1."),
    FIELD_CHOICE("method.spring", "stretching hookean stvk morse morse_unmodified morse_as_printed", NULL,
                 "The constraint of an edge. stretching: (15); hookean: (16); stvk: (17); morse: the modified Morse "
                 "potential (7); morse_unmodified: the unmodified one, (5) or (6); morse_as_printed: (7) with its "
                 "gradient as printed, (8) and (9), which lack the rest length."),
    {"method.stiffness", TYPE_REAL, "1", "1", 0, INFINITY, true, NULL,
     "k in (7) and (15) to (17), whose units differ, and D in (5) and (6): a number, with lengths in metres."},
    {"method.morse_exponent", TYPE_REAL, "1/m", "1 1/m", 0, INFINITY, true, NULL,
     "a in (5) and (6), of the unmodified Morse potential."},
    FIELD_CHOICE(
        "method.morse_zero", "minimum dissociation", "minimum",
        "The length at which the unmodified Morse potential is 0: its minimum, (5); or an infinite length, (6)."),
    FIELD_REAL("method.compliance", "1", "0",
               "alpha of the springs, whose unit depends on that of the constraint; 0 is the stiffest."),
    FIELD_REAL("method.damping", "1", "0",
               "Rayleigh damping of all constraints, beta (dC/dt)^2 / 2; if alpha is 0 it has no effect."),
    FIELD_CHOICE("method.damping_means", "beta scaled", "beta",
                 "The meaning of method.damping. beta: method.damping is beta, and gamma is alpha beta / h; scaled: "
                 "method.damping is h^2 beta, as in Macklin et al., and gamma is again alpha beta / h."),
    FIELD_CHOICE("method.damping_of", "pair ends", "pair",
                 "The motion that is damped. pair: the relative motion of a spring's ends, as in Macklin et al.; ends: "
                 "each end's own motion, with a multiplier for each end, as in a later public program of the paper's "
                 "author; this damping also slows down the whole body."),
    {"method.relaxation", TYPE_REAL, "1", "1", 0, 1, true, NULL, RELAXATION},
    FIELD_UP_TO(1, "method.velocity_damping", "1", "0",
                "Mueller et al.'s damping (2007, section 3.5) of all motion except the rigid motion of the whole body: "
                "the fraction k that a step removes."),
    FIELD_CHOICE(
        "method.volume", "none ghosts", "none",
        "ghosts: the volume of each ghost is preserved, (10) to (14). A ghost joins a triangle to the mean of all "
        "nodes."),
    FIELD_REAL("method.volume_compliance", "1", "0", "alpha of the ghost tetrahedra."),
    FIELD_CHOICE("method.groups", "tuned paper", "tuned",
                 "Groups of edges, which are projected one after the other. The edges of a group share no node. tuned: "
                 "the groups of this project; paper: those of algorithm 2, repaired (src/body/paper_groups.h)."),
    FIELD_PRECISION,
    {.path = NULL},
};

const struct field method_xpbd_hyperelastic_fields[] = {
    FIELD_ITERATIONS("50", "Number of times that a step projects all constraints: line 4 of algorithm 1."),
    FIELD_CHOICE("method.material", "stvk neo_hookean", NULL,
                 "The material of the tetrahedra: St. Venant-Kirchhoff or Neo-Hookean, as in Bender, Koschier, "
                 "Charrier and Weber (2014)."),
    FIELD_CHOICE("method.elements", "tetrahedra ghosts", "tetrahedra",
                 "tetrahedra: those inside the body; ghosts: one for each triangle of the surface, with the centre of "
                 "the nodes as the fourth corner, as in a later public program of the paper's author."),
    FIELD_CHOICE("method.constraint", "energy root", "energy",
                 "C of a tetrahedron. energy: its elastic energy U, as in Bender et al.; root: sqrt(2 U) with alpha = "
                 "1, so XPBD's energy C^2 / (2 alpha) is U itself."),
    {"method.young", TYPE_REAL, "Pa", "1 MPa", 1e-6, 1e15, false, NULL,
     "Young's modulus E. With `energy`, E has no effect if the compliance alpha is 0; otherwise only E^2 / alpha has "
     "an effect."},
    {"method.poisson", TYPE_REAL, "1", "0.3", -1, 0.499, true, NULL, "Poisson's ratio."},
    FIELD_REAL("method.element_compliance", "J", "0 J",
               "alpha of `energy`; 0 gives Bender et al.'s position based dynamics, as stiff as the iterations allow."),
    {"method.relaxation", TYPE_REAL, "1", "1", 0, 1, true, NULL, RELAXATION},
    FIELD_PRECISION,
    {.path = NULL},
};

static bool is_hyperelastic(const struct run *run) {
    return run_has(run, "method.name", "xpbd_hyperelastic");
}

static bool is_root(const struct run *run) {
    return is_hyperelastic(run) && run_has(run, "method.constraint", "root");
}

static bool has_ghost_elements(const struct run *run) {
    return is_hyperelastic(run) && run_has(run, "method.elements", "ghosts");
}

static bool has_volume(const struct run *run) {
    return !is_hyperelastic(run) && run_has(run, "method.volume", "ghosts");
}

static int check(const struct run *run, const struct body *body) {
    const bool is_cloth = run_parameter(run, "body.cloth.nodes") && !is_hyperelastic(run);
    if (!is_cloth &&
        network_check_inside(run, body, is_hyperelastic(run) && !has_ghost_elements(run) ? "tetrahedra" : "none"))
        return STATUS_BAD;
    if (scene_refuse_forces_and_ground(run))
        return STATUS_BAD;
    if (is_root(run) && run_number(run, "method.element_compliance", 0) > 0)
        return fail_at(run_parameter(run, "method.element_compliance")->place,
                       "method.constraint is root, which fixes alpha at 1, but method.element_compliance is %s; "
                       "remove element_compliance, or use constraint: energy",
                       run_text(run, "method.element_compliance"));
    if (has_volume(run) && run_has(run, "method.damping_of", "ends"))
        return fail_at(run_parameter(run, "method.damping_of")->place,
                       "method.damping_of is ends, which is for springs only, and method.volume is ghosts; use pair, "
                       "or volume: none");
    if ((has_volume(run) || has_ghost_elements(run)) && !body->is_closed)
        return fail_at(run_parameter(run, has_volume(run) ? "method.volume" : "method.elements")->place,
                       "method.%s is ghosts, which needs a closed body, and the body is open; use %s",
                       has_volume(run) ? "volume" : "elements", has_volume(run) ? "none" : "tetrahedra");
    return STATUS_OK;
}

/* ---- Parameters ---- */

enum { PACKED_NODES = 1 << 16 };

/* The number of 4-byte words for a constraint's particles if each word has the indices of two particles
 * (kernels/xpbd.h). */
static size_t packed_words(size_t particles) {
    return (particles + 1) / 2;
}

/* Whether the indices of the body's nodes fit into 16 bits. */
static bool can_pack(const struct body *body) {
    return body->nodes <= PACKED_NODES;
}

/* Set the parameters of elements, in units in which Young's modulus E is 1: the compliance divided by h^2, and Lame's
 * mu = E / (2 (1 + nu)) and lambda = E nu / ((1 + nu) (1 - 2 nu)). */
static void set_material(const struct run *run, struct xpbd_parameters *p) {
    const double nu = run_number(run, "method.poisson", 0), young = run_number(run, "method.young", 0);
    p->shear = 1 / (2 * (1 + nu));
    p->lame = nu / ((1 + nu) * (1 - 2 * nu));
    p->material = run_choice(run, "method.material"); /* the choices are in the order of ELEMENT_* */
    p->is_root = is_root(run);
    p->compliance = (p->is_root ? 1 / young : run_number(run, "method.element_compliance", 0) / (young * young)) *
                    p->rate * p->rate;
}

/* Set the parameters of springs and ghost tetrahedra. */
static void set_springs(const struct run *run, struct xpbd_parameters *p) {
    const double h = p->step, alpha = run_number(run, "method.compliance", 0),
                 volume_alpha = run_number(run, "method.volume_compliance", 0),
                 damping = run_number(run, "method.damping", 0),
                 beta = run_has(run, "method.damping_means", "scaled") ? damping / (h * h) : damping;
    p->stiffness = run_number(run, "method.stiffness", 0);
    p->exponent = run_number(run, "method.morse_exponent", 0);
    /* D, the difference between equations (5) and (6) of cetinaslan2019; 0 for (5) */
    p->depth = run_has(run, "method.morse_zero", "dissociation") ? p->stiffness : 0;
    p->velocity_damping = run_number(run, "method.velocity_damping", 0);
    p->compliance = alpha / (h * h);
    p->damping = alpha * beta / h;
    p->volume_compliance = volume_alpha / (h * h);
    p->volume_damping = volume_alpha * beta / h;
    p->spring = run_choice(run, "method.spring"); /* the choices are in the order of XPBD_* */
    if (beta > 0 && (alpha > 0 || volume_alpha > 0))
        p->is_damped = run_has(run, "method.damping_of", "ends") ? XPBD_DAMPED_ENDS : XPBD_DAMPED_PAIRS;
}

/* constraints_of: the constraints that an iteration projects first. They are the surface's edges, the tetrahedra, or,
 * for ghost elements, the surface's triangles. ends_of: how many particles such a constraint moves. */
static const struct part *constraints_of(const struct run *run, const struct body *body) {
    return &body->prepared.parts[has_ghost_elements(run) ? PART_TRIANGLES
                                 : is_hyperelastic(run)  ? PART_TETRAHEDRA
                                                         : PART_EDGES];
}

static size_t ends_of(const struct run *run) {
    return has_ghost_elements(run) ? 3 : is_hyperelastic(run) ? 4 : 2;
}

static struct xpbd_parameters parameters_in(const struct run *run, const struct body *body) {
    const struct mass_spring_parameters scene = network_scene(run, body);
    struct xpbd_parameters p = {
        .step = scene.step,
        .rate = 1 / scene.step,
        .gravity_x = scene.gravity_x,
        .gravity_y = scene.gravity_y,
        .gravity_z = scene.gravity_z,
        .share = 1.0 / body->nodes,
        .relaxation = run_number(run, "method.relaxation", 0),
        .unrelaxed = 1 / run_number(run, "method.relaxation", 0),
        .centre_weight = 1 / body->mass,
        .obstacle = scene_obstacle_parameters(run),
        .wind = scene_wind_parameters(run),
        .nodes = body->nodes,
        .constraints = constraints_of(run, body)->count,
        .triangles = has_volume(run) ? body->prepared.parts[PART_TRIANGLES].count : 0,
        .obstacles = scene_obstacles(run),
        .solids = body->solids,
        .wind_kind = scene_wind(run),
    };
    if (is_hyperelastic(run))
        set_material(run, &p);
    else
        set_springs(run, &p);
    return p;
}

static void set_parameters(const struct run *run, const struct body *body, const struct xpbd_parameters *p,
                           struct program *program) {
    PARAMETERS_END(struct xpbd_parameters, wind_kind);
    program_set_parameters(program, p, offsetof(struct xpbd_parameters, nodes), sizeof *p);
    if (is_hyperelastic(run)) {
        program_add_constant(program, "XPBD_MATERIAL", p->material);
        program_add_constant(program, "XPBD_IS_ROOT", p->is_root);
    } else {
        program_add_constant(program, "XPBD_SPRING", p->spring);
    }
    program_add_constant(program, "XPBD_IS_DAMPED", p->is_damped);
    program_add_constant(program, "XPBD_IS_PACKED", can_pack(body));
    program_add_constant(program, "XPBD_OBSTACLES", p->obstacles);
    program_add_constant(program, "XPBD_WIND", p->wind_kind);
    program_add_constant(program, "XPBD_CONSTRAINTS", p->constraints);
    program_add_constant(program, "XPBD_TRIANGLES", p->triangles);
}

/* ---- The program ---- */

#define BUFFERS(BUFFER)                                                                                                \
    BUFFER(position, quad, BUFFER_SHARED, nodes)                                                                       \
    BUFFER(velocity, quad, is_blown ? BUFFER_SHARED : BUFFER_OWN, nodes)                                               \
    BUFFER(predicted, quad, BUFFER_FRAME, nodes)                                                                       \
    /* multiplier, constraint, rest: of springs or elements. rest: the length; for an element, Q^-1 and the volume */  \
    BUFFER(multiplier, real, BUFFER_SPARE, multipliers)                                                                \
    BUFFER(volume_multiplier, real, BUFFER_SPARE, ghosts)                                                              \
    BUFFER(centre, quad, BUFFER_TOTAL, 1)                                                                              \
    BUFFER(centre_before, quad, BUFFER_TOTAL, 1)                                                                       \
    BUFFER(constraint, int, BUFFER_FIXED, ends *count)                                                                 \
    BUFFER(rest, real, BUFFER_FIXED, (has_elements ? 10 : 1) * count)                                                  \
    BUFFER(packed, int, BUFFER_FIXED, is_packed ? packed_words(ends) * count : 0)                                      \
    BUFFER(triangle, int, BUFFER_FIXED, 3 * ghosts)                                                                    \
    BUFFER(triangle_rest, real, BUFFER_FIXED, ghosts)                                                                  \
    BUFFER(triangle_packed, int, BUFFER_FIXED, is_packed ? packed_words(3) * ghosts : 0)                               \
    BUFFER(planes, quad, BUFFER_FIXED, scene_planes(body))                                                             \
    BUFFER(solid_start, int, BUFFER_FIXED, body->solids ? (size_t)body->solids + 1 : 0)                                \
    BUFFER(fan_start, int, BUFFER_FIXED, is_blown ? nodes + 1 : 0)                                                     \
    BUFFER(fan, int, BUFFER_FIXED, is_blown ? corners : 0)                                                             \
    BUFFER(corner, int, BUFFER_FIXED, is_blown ? corners : 0) /* the corners of the body's triangles */                \
    /* only with XPBD_DAMPED_PAIRS: vectors of springs and ghosts at the start of the step, m */                       \
    BUFFER(before, real, BUFFER_SHARED, is_damped ? 3 * count : 0)                                                     \
    BUFFER(volume_before, real, BUFFER_SHARED, is_damped ? 9 * ghosts : 0)                                             \
    /* from here on: only with damping of velocities. place_share is later reused for the angular momentum. */         \
    BUFFER(forced, quad, BUFFER_SHARED, nodes)                                                                         \
    BUFFER(place_share, quad, BUFFER_SHARED, nodes)                                                                    \
    BUFFER(diagonal_share, quad, BUFFER_SHARED, nodes)                                                                 \
    BUFFER(across_share, quad, BUFFER_SHARED, nodes)                                                                   \
    BUFFER(place, quad, BUFFER_TOTAL, 1)                                                                               \
    BUFFER(whole, quad, BUFFER_TOTAL, 1)                                                                               \
    BUFFER(momentum, quad, BUFFER_TOTAL, 1)                                                                            \
    BUFFER(diagonal, quad, BUFFER_TOTAL, 1)                                                                            \
    BUFFER(across, quad, BUFFER_TOTAL, 1)

enum { BUFFERS(BUFFER_INDEX) };

enum { PREDICT, COLLIDE, UPDATE, PROJECT, PROJECT_VOLUME, LAY, LAY_VOLUME, FORCE, MOMENTUM, DAMP, KERNELS };

enum { NODE_GRAIN = 4096, SPRING_GRAIN = 4096, ELEMENT_GRAIN = 512, VOLUME_GRAIN = 2048 };

/* Indices of the program's colourings. */
enum { OF_CONSTRAINTS, OF_TRIANGLES };

XPBD_KERNELS(DECLARE_LOOPS)
XPBD_HYPERELASTIC_KERNELS(DECLARE_LOOPS)
DECLARE_SIMD_KERNEL(xpbd_predict_lanes);
DECLARE_SIMD_KERNEL(xpbd_collide_lanes);
DECLARE_SIMD_KERNEL(xpbd_update_lanes);
DECLARE_SIMD_KERNEL(xpbd_spring_lanes);
DECLARE_SIMD_KERNEL(xpbd_ends_lanes);
DECLARE_SIMD_KERNEL(xpbd_volume_lanes);
DECLARE_SIMD_KERNEL(xpbd_element_lanes);

static void add_colouring(const struct part *part, int colouring, struct program *program) {
    program->colourings[colouring].colours = part->groups;
    program->colourings[colouring].start = part->start;
}

/* Add the first stages of a step with damping of velocities. A step without this damping begins with PREDICT. */
static void add_damping(struct program *program) {
    program_add_stage(program, STAGE_RUN, FORCE, 0, 0);
    program_add_stage(program, STAGE_SUM, AT_place_share, AT_place, 0);
    program_add_stage(program, STAGE_SUM, AT_forced, AT_whole, 0);
    program_add_stage(program, STAGE_RUN, MOMENTUM, 0, 0);
    program_add_stage(program, STAGE_SUM, AT_place_share, AT_momentum, 0);
    program_add_stage(program, STAGE_SUM, AT_diagonal_share, AT_diagonal, 0);
    program_add_stage(program, STAGE_SUM, AT_across_share, AT_across, 0);
    program_add_stage(program, STAGE_RUN, DAMP, 0, 0);
}

/* Set the kernels of a program. */
static void add_kernels(const struct run *run, const struct body *body, const struct xpbd_parameters *p,
                        struct program *program) {
    const bool is_double = run_is_double(run);
#define ARGUMENTS(...)           BINDINGS(xpbd, __VA_ARGS__)
#define ARGUMENT(member, buffer) BIND(xpbd, member, AT_##buffer)
#define CONSTRAINT               ARGUMENT(particle, constraint), ARGUMENTS(rest, packed)
    const struct kernel kernels[KERNELS] = {
        [PREDICT] = {CODE(xpbd_predict), SIMD_KERNEL(xpbd_predict_lanes), .hints.grain = NODE_GRAIN,
                     .bindings = {ARGUMENTS(position, velocity, predicted, multiplier, volume_multiplier, fan_start,
                                            fan, corner)}},
        [COLLIDE] = {CODE(xpbd_collide), SIMD_KERNEL(xpbd_collide_lanes), .hints.grain = NODE_GRAIN,
                     .bindings = {ARGUMENTS(predicted, planes, solid_start)}},
        [UPDATE] = {CODE(xpbd_update), SIMD_KERNEL(xpbd_update_lanes), .hints.grain = NODE_GRAIN,
                    .bindings = {ARGUMENTS(position, velocity, predicted)}},
        [PROJECT] = {CODE(xpbd_spring), SIMD_KERNEL(xpbd_spring_lanes), .hints.grain = SPRING_GRAIN,
                     .hints.prefetched = "struct xpbd_pair", .hints.prefetched_words = 3, .hints.writes_back = true,
                     .bindings = {ARGUMENTS(predicted, before, multiplier), CONSTRAINT}, .columns = p->constraints},
        [PROJECT_VOLUME] = {CODE(xpbd_volume), SIMD_KERNEL(xpbd_volume_lanes), .hints.grain = VOLUME_GRAIN,
                            .hints.prefetched = "struct xpbd_ghost", .hints.prefetched_words = 4,
                            .hints.writes_back = true,
                            .bindings = {ARGUMENT(before, volume_before),
                                         ARGUMENTS(predicted, volume_multiplier, centre), ARGUMENT(particle, triangle),
                                         ARGUMENT(rest, triangle_rest), ARGUMENT(packed, triangle_packed)},
                            .columns = p->triangles},
        [LAY] = {CODE(xpbd_before), .hints.grain = SPRING_GRAIN,
                 .bindings = {ARGUMENTS(position, before), ARGUMENT(particle, constraint)}, .columns = p->constraints},
        [LAY_VOLUME] = {CODE(xpbd_volume_before), .hints.grain = VOLUME_GRAIN,
                        .bindings = {ARGUMENTS(position, centre_before), ARGUMENT(before, volume_before),
                                     ARGUMENT(particle, triangle)},
                        .columns = p->triangles},
        [FORCE] = {CODE(xpbd_force), .hints.grain = NODE_GRAIN,
                   .bindings = {ARGUMENTS(position, velocity, place_share, forced, fan_start, fan, corner)}},
        [MOMENTUM] = {CODE(xpbd_momentum), .hints.grain = NODE_GRAIN,
                      .bindings = {ARGUMENTS(position, forced, place, whole, diagonal_share, across_share),
                                   ARGUMENT(momentum_share, place_share)}},
        [DAMP] = {CODE(xpbd_damp), .hints.grain = NODE_GRAIN,
                  .bindings = {ARGUMENTS(position, forced, predicted, place, whole, momentum, diagonal, across,
                                         multiplier, volume_multiplier)}}};
    memcpy(program->kernels, kernels, sizeof kernels);
    if (is_hyperelastic(run))
        program->kernels[PROJECT] = (struct kernel){CODE(xpbd_element),
                                                    SIMD_KERNEL(xpbd_element_lanes),
                                                    .hints.grain = ELEMENT_GRAIN,
                                                    .hints.prefetched = "struct xpbd_element",
                                                    .hints.prefetched_words = 13,
                                                    .hints.writes_back = true,
                                                    .bindings = {ARGUMENTS(predicted, multiplier), CONSTRAINT},
                                                    .columns = p->constraints};
    if (has_ghost_elements(run))
        program->kernels[PROJECT] = (struct kernel){CODE(xpbd_ghost_element), .hints.grain = ELEMENT_GRAIN,
                                                    .bindings = {ARGUMENTS(predicted, multiplier, centre), CONSTRAINT},
                                                    .columns = p->constraints};
    if (p->is_damped == XPBD_DAMPED_ENDS)
        program->kernels[PROJECT] = (struct kernel){
            CODE(xpbd_ends), SIMD_KERNEL(xpbd_ends_lanes), .hints.grain = SPRING_GRAIN,
            .bindings = {ARGUMENTS(position, predicted, multiplier), CONSTRAINT}, .columns = p->constraints};
    else if (p->is_damped) /* xpbd_pair.before is also prefetched */
        program->kernels[PROJECT].hints.prefetched_words += 3;
    if (p->wind_kind)
        program->kernels[PREDICT].simd = NULL;
    for (int k = 0; k < KERNELS; ++k)
        if (k != PROJECT && k != PROJECT_VOLUME && k != LAY && k != LAY_VOLUME)
            program->kernels[k].columns = body->nodes;
}

static void add_stages(const struct run *run, const struct xpbd_parameters *p, bool is_slowed,
                       struct program *program) {
    const bool keeps_volume = has_volume(run);
    program_add_stage(program, STAGE_STEPS, 0, 0, (int)run_number(run, "time.steps_per_frame", 0));
    if (is_slowed)
        add_damping(program);
    else
        program_add_stage(program, STAGE_RUN, PREDICT, 0, 0);
    if (p->is_damped == XPBD_DAMPED_PAIRS)
        program_add_stage(program, STAGE_RUN, LAY, 0, 0);
    if (keeps_volume && p->is_damped) {
        program_add_stage(program, STAGE_SUM, AT_position, AT_centre_before, 0);
        program_add_stage(program, STAGE_RUN, LAY_VOLUME, 0, 0);
    }
    program_add_stage(program, STAGE_REPEAT, 0, 0, (int)run_number(run, "method.iterations", 0));
    if (has_ghost_elements(run))
        program_add_stage(program, STAGE_SUM, AT_predicted, AT_centre, 0);
    program_add_stage(program, STAGE_COLOURS, PROJECT, OF_CONSTRAINTS, 0);
    if (keeps_volume) {
        program_add_stage(program, STAGE_SUM, AT_predicted, AT_centre, 0);
        program_add_stage(program, STAGE_COLOURS, PROJECT_VOLUME, OF_TRIANGLES, 0);
    }
    if (p->obstacles)
        program_add_stage(program, STAGE_RUN, COLLIDE, 0, 0);
    program_add_stage(program, STAGE_END, 0, 0, 0);
    program_add_stage(program, STAGE_RUN, UPDATE, 0, 0);
    program_add_stage(program, STAGE_END, 0, 0, 0);
}

static void build(const struct run *run, const struct body *body, struct program *program) {
    const struct xpbd_parameters p = parameters_in(run, body);
    const bool has_elements = is_hyperelastic(run), is_packed = can_pack(body), is_blown = body->is_blown,
               is_damped = p.is_damped == XPBD_DAMPED_PAIRS, is_slowed = p.velocity_damping > 0;
    const struct part *constraints = constraints_of(run, body), *triangles = &body->prepared.parts[PART_TRIANGLES];
    const size_t nodes = (size_t)body->nodes, count = (size_t)constraints->count, ends = ends_of(run),
                 multipliers = (size_t)xpbd_multipliers(&p), corners = 3 * body->triangles,
                 ghosts = (size_t)p.triangles;
    *program = (struct program){
        .sources = {"exponential.h", "obstacle.h", "wind.h", "xpbd.h", has_elements ? "angle.h" : NULL, "contact.h",
                    "pbd.h", "hyperelastic.h", "xpbd_hyperelastic.h"}, /* the first NULL ends the list */
        .real_size = run_real_size(run),
        .is_list_program = true,
        .hints.low_register = !has_elements,
        ARGUMENTS_ARE(xpbd, xpbd_parameters),
        .buffers = {BUFFERS(BUFFER_ENTRY)},
        .buffer_count = is_slowed ? 0 : AT_forced,
        .kernel_count = is_slowed ? KERNELS : FORCE,
    };
    add_kernels(run, body, &p, program);
    add_stages(run, &p, is_slowed, program);
    add_colouring(constraints, OF_CONSTRAINTS, program);
    if (has_volume(run))
        add_colouring(triangles, OF_TRIANGLES, program);
    set_parameters(run, body, &p, program);
    program_complete(program, 0);
}

/* ---- Initial content of buffers ---- */

static vec3 centre_of(const struct body *body) {
    vec3 centre = vec3_of(0, 0, 0);
    for (int i = 0; i < body->nodes; ++i)
        centre = add(centre, vec3_from(body->position[i]));
    return scale(1.0 / body->nodes, centre);
}

/* Write the volumes of the ghost tetrahedra, in m^3. `centre` is the mean position of all nodes. */
static void fill_volumes(const struct body *body, vec3 centre, int real_size, void *out) {
    const struct part *triangles = &body->prepared.parts[PART_TRIANGLES];
    for (size_t c = 0; c < (size_t)triangles->count; ++c) {
        vec3 corner[3];
        for (size_t k = 0; k < 3; ++k)
            corner[k] = subtract(vec3_from(body->position[triangles->particle[3 * c + k]]), centre);
        real_store(out, c, inner(corner[0], outer(corner[1], corner[2])) / 6, real_size);
    }
}

/* Write the particles of a part's constraints, two per word. The first of the two is in the lower half of the word. */
static void fill_packed(const struct part *part, size_t particles, uint32_t *out) {
    const size_t words = packed_words(particles);
    for (size_t w = 0; w < (size_t)part->count * words; ++w) {
        const size_t first = w % words * 2;
        out[w] = 0;
        for (size_t k = first; k < first + 2 && k < particles; ++k)
            out[w] |= (uint32_t)part->particle[w / words * particles + k] << 16 * (k - first);
    }
}

static void fill(const struct run *run, const struct body *body, const struct program *program, int buffer, void *out) {
    const size_t bytes = buffer_size(&program->buffers[buffer]);
    const struct part *triangles = &body->prepared.parts[PART_TRIANGLES];
    const vec3 centre = centre_of(body);
    if (!bytes)
        return;
    if (buffer == AT_packed)
        fill_packed(constraints_of(run, body), ends_of(run), out);
    else if (buffer == AT_triangle_packed)
        fill_packed(triangles, 3, out);
    else if (buffer == AT_constraint)
        memcpy(out, constraints_of(run, body)->particle, bytes);
    else if (buffer == AT_triangle)
        memcpy(out, triangles->particle, bytes);
    else if (buffer == AT_planes)
        scene_fill_planes(body, program->real_size, out);
    else if (buffer == AT_corner)
        memcpy(out, body->triangle, bytes);
    else if (buffer == AT_rest && is_hyperelastic(run))
        element_fill_rest(body, has_ghost_elements(run) ? (double[]){centre.x, centre.y, centre.z} : NULL, 10,
                          program->real_size, out);
    else if (buffer == AT_rest)
        element_fill_lengths(body, PART_EDGES, program->real_size, out);
    else if (buffer == AT_triangle_rest)
        fill_volumes(body, centre, program->real_size, out);
    else
        network_fill(run, body, program, buffer, out);
}

/* ---- Measured quantities: those of networks, except the springs' energy; and errors of the springs ---- */

enum { LENGTH_ERROR_AT = 1, CONSTRAINT_ERROR_AT };

#define QUANTITY_OF_LENGTHS                                                                                            \
    { "length_error", "1", "mean of |length / rest - 1| over all springs", QUANTITY_SUM }

static const struct quantity quantities[] = {QUANTITY_OF_MOTION, QUANTITY_OF_LENGTHS, QUANTITIES_OF_NODES};

static const struct quantity spring_quantities[] = {
    QUANTITY_OF_MOTION,
    QUANTITY_OF_LENGTHS,
    {"constraint_error", "1",
     "mean of |C| / rest over all springs, with C of method.spring, cetinaslan2019 (5) to (7) and (15) to (17), as a "
     "number with lengths in metres",
     QUANTITY_SUM},
    QUANTITIES_OF_NODES};

static int quantity_count(const struct body *body) {
    return network_quantity_count(body);
}

static int spring_quantity_count(const struct body *body) {
    return network_quantity_count(body) + 1;
}

/* A node's terms of two means over all springs: of |length / rest - 1|, and of |C| / rest. Each spring is visited from
 * both ends. */
struct spring_errors {
    double length, constraint;
};

static struct spring_errors errors_at(const struct xpbd_parameters *p, const struct body *body,
                                      const struct node_motion *motion, int i) {
    struct spring_errors sum = {0, 0};
    for (int s = 0; s < body_slots(body, i); ++s) {
        int j;
        double rest;
        if (!body_spring(body, i, s, &j, &rest))
            continue;
        const vec3 d = subtract(position_in(motion, i), position_in(motion, j));
        const double length = sqrt(inner(d, d));
        sum.length += fabs(length / rest - 1);
        sum.constraint += fabs(spring_value_of(p->spring, length, rest, p).value / rest);
    }
    return (struct spring_errors){sum.length / (2.0 * body->springs), sum.constraint / (2.0 * body->springs)};
}

/* Like method.measure, but `own` says how many own quantities the method has (network_measure). */
static void measure_springs(const struct program *program, const struct body *body, const struct node_motion *motion,
                            int begin, int end, int own, double *const *out) {
    struct xpbd_parameters p;
    program_get_parameters(program, &p, offsetof(struct xpbd_parameters, nodes), sizeof p);
    const struct mass_spring_parameters scene = {
        .gravity_x = p.gravity_x, .gravity_y = p.gravity_y, .gravity_z = p.gravity_z};
    network_measure(scene, body, motion, begin, end, own, out); /* stores an energy, which length_error overwrites */
    for (int i = begin; i < end; ++i) {
        const struct spring_errors errors = errors_at(&p, body, motion, i);
        out[LENGTH_ERROR_AT][i - begin] = errors.length;
        if (own > 1)
            out[CONSTRAINT_ERROR_AT][i - begin] = errors.constraint;
    }
}

static void measure(const struct program *program, const struct body *body, const struct node_motion *motion, int begin,
                    int end, double *const *out) {
    measure_springs(program, body, motion, begin, end, 1, out);
}

static void spring_measure(const struct program *program, const struct body *body, const struct node_motion *motion,
                           int begin, int end, double *const *out) {
    measure_springs(program, body, motion, begin, end, 2, out);
}

/* ---- Operations ---- */

/* Operations of spring_changed: d, |d|^2, the root of |d|^2, the length, C and its slope, the gradient (4 operations),
 * w |grad C|^2 (3 operations), xpbd_change (7 operations and OPS_SHARE), the displacement, lambda, and both ends moved
 * (12 operations). */
static double projection(const struct attributes *parameters) {
    static const struct {
        const char *spring;
        double operations; /* for C and its slope; the exponential of morse needs 23 */
    } springs[] = {{"stretching", 2}, {"hookean", 4}, {"stvk", 9}, {"morse", 30}};
    const char *spring = attributes_text(parameters, "method.spring");
    const bool is_damped = attributes_number(parameters, "method.damping", 0) != 0;
    for (size_t s = 0; spring && s < sizeof springs / sizeof *springs; ++s)
        if (!strcmp(springs[s].spring, spring))
            return OPS_VECTOR + OPS_INNER + OPS_ROOT + 1 + springs[s].operations + 4 + 3 + 7 + OPS_SHARE + OPS_VECTOR +
                   1 + 12 + (is_damped ? 2 * OPS_VECTOR + OPS_INNER : 0);
    return NAN;
}

/* Operations of volume_changed: the differences from the centre, the gradients of equation (13) (12 operations each), w
 * |grad C|^2, C, xpbd_change, the displacements, lambda, and three corners moved. */
static double ghost(const struct attributes *parameters) {
    const bool is_damped = attributes_number(parameters, "method.damping", 0) != 0;
    return 3 * OPS_VECTOR + 3 * 12 + 3 * (OPS_INNER + 2) + (OPS_INNER + 1) + 7 + OPS_SHARE + 3 * OPS_VECTOR + 1 +
           3 * 2 * OPS_VECTOR + (is_damped ? 3 * OPS_VECTOR + 3 * (OPS_INNER + 1) : 0);
}

/* With the volume constraint, each iteration also adds up the positions of the nodes. */
static double xpbd_operations(const struct attributes *notes, const struct attributes *parameters) {
    const char *volume = attributes_text(parameters, "method.volume");
    const bool has_volume = volume && strcmp(volume, "none") != 0;
    const double nodes = attributes_number(notes, "nodes", NAN),
                 ghosts = has_volume ? attributes_number(notes, "body_triangles", NAN) : 0;
    return attributes_number(parameters, "method.iterations", NAN) *
               (attributes_number(notes, "springs", NAN) * projection(parameters) + ghosts * ghost(parameters) +
                (has_volume ? nodes * OPS_VECTOR : 0)) +
           nodes * OPS_PREDICTION;
}

/* Operations for an element, in hyperelastic.h: F, E with its trace and square; the stresses and Psi of either
 * material; for Neo-Hookean also the logarithm (20 operations and a reciprocal) and, near rest, logarithm_lag (11
 * operations and a reciprocal); the gradients, their weighted squares; the bound, with F's change; four corners moved.
 * In xpbd_hyperelastic.h: the multiplier. */
static double element(const struct attributes *parameters) {
    const char *material = attributes_text(parameters, "method.material"),
               *energy = attributes_text(parameters, "method.constraint");
    const double strain = OPS_EDGES + 3 * OPS_COLUMN_OF_F + 6 * OPS_INNER + 3 * 2 + 3 + 2 + 12,
                 stvk = 2 + 3 * 2 + 3 + 3 * 5 * OPS_VECTOR + 4,
                 neo_hookean = 3 * 9 + OPS_INNER + 11 + 14 + 3 + 2 + (11 + OPS_RECIPROCAL) + (20 + OPS_RECIPROCAL) + 2 +
                               (OPS_RECIPROCAL + 3) + OPS_RECIPROCAL + 6 + 3 * 4 * OPS_VECTOR + 3 + 8,
                 gradients = 1 + 3 * (3 * OPS_VECTOR + 2 * OPS_VECTOR + OPS_VECTOR) + 2 * OPS_VECTOR,
                 squares = 4 * (OPS_INNER + 1) + 3,
                 bound = 4 * OPS_VECTOR + OPS_EDGES + 3 * (OPS_COLUMN_OF_F + 2 * OPS_INNER + 2) + 2 + 2 * OPS_ROOT + 2,
                 moved = 4 * (1 + 2 * OPS_VECTOR),
                 multiplier =
                     energy && !strcmp(energy, "root") ? 1 + OPS_ROOT + 1 + 3 + 2 + OPS_SHARE + 2 : 3 + OPS_SHARE + 1;
    return strain + (material && !strcmp(material, "neo_hookean") ? neo_hookean : stvk) + gradients + squares + bound +
           moved + multiplier;
}

static double xpbd_hyperelastic_operations(const struct attributes *notes, const struct attributes *parameters) {
    const char *elements = attributes_text(parameters, "method.elements");
    const bool is_ghost = elements && !strcmp(elements, "ghosts");
    return attributes_number(parameters, "method.iterations", NAN) *
               attributes_number(notes, is_ghost ? "body_triangles" : "body_tetrahedra", NAN) * element(parameters) +
           attributes_number(notes, "nodes", NAN) * OPS_PREDICTION;
}

/* ---- The methods ---- */

DEFINE_METHOD(xpbd, 3,
              "Extended position based dynamics of springs and volume: cetinaslan2019, algorithm 1, (3) to (17).",
              .takes = TAKES_OBSTACLES | TAKES_WIND, .quantities = spring_quantities,
              .quantity_count = spring_quantity_count, .operations = xpbd_operations, .fill = fill,
              .measure = spring_measure);
METHOD_OF(xpbd_hyperelastic, TAKES_OBSTACLES | TAKES_WIND, 6,
          "Extended position based dynamics of tetrahedra of hyperelastic material: Bender et al. (2014), with whose "
          "elements cetinaslan2019, section 7, compares springs.");
