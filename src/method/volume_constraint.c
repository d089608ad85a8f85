/* The method volume_constraint: va2023, section III and algorithm 2. */
#define REAL_IS_double /* precision of the host's parameters */
#include "volume_constraint.h"

#include "method/build.h"
#include "method/loops.h"
#include "method/network.h"

#include "base/memory.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct field method_volume_constraint_fields[] = {
    FIELD_STIFFNESS("(4)"),
    FIELD_DAMPING("(4)"),
    FIELD_PRECISION,
    FIELD_CHOICE("method.variant", "tuned paper node_centric reduced as_printed printed_volume", "tuned",
                 "tuned: each node adds up its forces and its gradient, and a fixed tree computes the sums over "
                 "nodes; paper: the program of va2023, with one thread per spring and atomic sums; node_centric: like "
                 "the variant paper, but each node adds up its forces; reduced: like the variant paper, but a fixed "
                 "tree computes the volume and both sides of (14); as_printed: like tuned, but with the Jacobian "
                 "(10a-c) as printed; printed_volume: like node_centric and reduced together, with the volume of "
                 "algorithm 4 as printed."),
    {"method.weight_centre", TYPE_REAL3, "m", "[0, 0, 0]", -1e6, 1e6, false, NULL, "The loaded point, c in (15)."},
    {"method.weight_radius", TYPE_REAL, "m", "0 m", 0, 1e6, false, NULL,
     "Radius of the zone around method.weight_centre in which the constraint acts, r in (15); with 0 it acts on all "
     "nodes equally."},
    {"method.volume_correction", TYPE_REAL, "1", "1", -1, 1, false, NULL,
     "Fraction of the volume error that a step removes: 1 by (14). With 0 only the change of the error is constrained, "
     "as in the public GPU program of the paper's first author; the later CPU program removes a third."},
    FIELD_CHOICE(
        "method.weight_enters", "rows forces", "rows",
        "What the weight of (15) multiplies in (14): the rows of the Jacobian, or only the constraint forces."),
    {.path = NULL},
};

/* In the order of the words of method.variant. */
enum variant { TUNED, PAPER, NODE_CENTRIC, REDUCED, AS_PRINTED, PRINTED_VOLUME };

static bool is_paper(enum variant variant) {
    return variant != TUNED && variant != AS_PRINTED;
}

static int check(const struct run *run, const struct body *body) {
    const struct parameter *name = run_parameter(run, "method.name"), *variant = run_parameter(run, "method.variant");
    const bool as_in_paper = is_paper((enum variant)run_choice(run, "method.variant"));
    const char *flaw = NULL;
    if (!body->prepared.vertices)
        return fail_at(
            name->place,
            "method.name is volume_constraint, which needs a closed surface, and the body is a cloth; use body.mesh");
    if (!body->is_closed)
        return fail_at(
            name->place,
            "method.name is volume_constraint, and the surface of '%s' is open, or its triangles are not consistently "
            "oriented; `springback mesh` lists the faults; for a mesh file, `body.surface.clean: [orient]` orients the "
            "triangles",
            run_text(run, "body.mesh"));
    if (!(body->rest_volume > 0))
        return fail_at(name->place,
                       "method.name is volume_constraint, and the surface of '%s' is oriented inward or has no volume; "
                       "for a mesh file, `body.surface.clean: [orient]` orients it outward",
                       run_text(run, "body.mesh"));
    if (as_in_paper && run_has(run, "method.precision", "double"))
        flaw = "it exists in float only, and method.precision is double; use float";
    else if (as_in_paper && run_number(run, "method.weight_radius", 0) > 0)
        flaw = "it does not support a weight; use method.weight_radius: 0 m";
    else if (as_in_paper && network_collides_on_host(run))
        flaw = "it computes collisions on the device only; use scene.collisions: device";
    return flaw ? fail_at(variant->place, "method.variant is %s: %s, or the variant tuned", variant->value.text, flaw)
                : STATUS_OK;
}

/* The sum of printed_volume over the body's triangles at the start, m^5. */
static double printed_rest_volume(const struct prepared *prepared) {
    const struct part *triangles = &prepared->parts[PART_TRIANGLES];
    double sum = 0;
    for (int t = 0; t < triangles->count; ++t) {
        const int *corner = triangles->particle + 3 * t;
        sum += printed_volume(vec3_from(prepared->position[corner[0]]), vec3_from(prepared->position[corner[1]]),
                              vec3_from(prepared->position[corner[2]]));
    }
    return sum;
}

static void set_parameters(const struct run *run, const struct body *body, struct program *program) {
    const bool has_printed_volume = run_has(run, "method.variant", "printed_volume");
    const struct volume_constraint_parameters p = {
        .volume = has_printed_volume ? printed_rest_volume(&body->prepared) : body->rest_volume,
        .rate = run_number(run, "method.volume_correction", 0) / run_number(run, "time.step", 0),
        .weight_x = run_number(run, "method.weight_centre", 0),
        .weight_y = run_number(run, "method.weight_centre", 1),
        .weight_z = run_number(run, "method.weight_centre", 2),
        .weight_radius = run_number(run, "method.weight_radius", 0),
        .weight_rows = run_has(run, "method.weight_enters", "rows"),
        .m = network_parameters(run, body),
    };
    PARAMETERS_END(struct volume_constraint_parameters, m);
    program_set_parameters(program, &p, offsetof(struct volume_constraint_parameters, m) + MASS_SPRING_REALS, sizeof p);
    network_add_constants(program, &p.m);
    program_add_constant(program, "VOLUME_HAS_WEIGHT", p.weight_radius > 0);
    program_add_constant(program, "SUMS_HAVE_W", false);
}

/* ---- The program ---- */

#define BUFFERS(BUFFER)                                                                                                \
    BUFFER(position, quad, BUFFER_SHARED, nodes)                                                                       \
    BUFFER(velocity, quad, BUFFER_SHARED, nodes)                                                                       \
    BUFFER(predicted, quad, BUFFER_SHARED, is_tuned ? nodes : 0)                                                       \
    BUFFER(drift, quad, BUFFER_SHARED, is_tuned ? nodes : 0)                                                           \
    BUFFER(direction_z, real, BUFFER_SHARED, is_tuned ? nodes : 0)                                                     \
    BUFFER(predicted_next, quad, BUFFER_SHARED, is_tuned ? nodes : 0)                                                  \
    BUFFER(drift_next, quad, BUFFER_SHARED, is_tuned ? nodes : 0)                                                      \
    BUFFER(direction_z_next, real, BUFFER_SHARED, is_tuned ? nodes : 0)                                                \
    BUFFER(shares, quad, BUFFER_OWN, is_tuned ? nodes : 0)                                                             \
    BUFFER(total, quad, BUFFER_TOTAL, is_tuned)                                                                        \
    BUFFER(start, int, BUFFER_FIXED, nodes + 1)                                                                        \
    BUFFER(ring_end, int, BUFFER_FIXED, nodes)                                                                         \
    BUFFER(neighbour, int, BUFFER_FIXED, 2 * springs)                                                                  \
    BUFFER(rest, real, BUFFER_FIXED, 2 * springs)                                                                      \
    BUFFER(corner, int, BUFFER_FIXED, as_printed ? 2 * springs : 0)                                                    \
    BUFFER(force, real, BUFFER_SHARED, is_tuned ? 0 : 4 * nodes)                                                       \
    BUFFER(spring, int, BUFFER_SHARED, is_tuned ? 0 : 2 * springs)                                                     \
    BUFFER(spring_rest, real, BUFFER_SHARED, is_tuned ? 0 : springs)                                                   \
    BUFFER(jacobian, quad, BUFFER_OWN, is_tuned ? 0 : nodes)                                                           \
    BUFFER(system, real, BUFFER_SHARED, is_tuned ? 0 : 4)                                                              \
    BUFFER(triangle, int, BUFFER_SHARED, is_tuned ? 0 : 3 * body->triangles)                                           \
    BUFFER(volume_share, quad, BUFFER_OWN, is_tuned ? 0 : body->triangles)                                             \
    BUFFER(volume_total, quad, BUFFER_TOTAL, !is_tuned)                                                                \
    BUFFER(system_share, quad, BUFFER_OWN, is_tuned ? 0 : nodes)                                                       \
    BUFFER(system_total, quad, BUFFER_TOTAL, !is_tuned)

enum { BUFFERS(BUFFER_INDEX) STATE_BUFFERS = AT_total };

/* The first enumeration has the kernels of the variants `tuned` and `as_printed`, the second those of build_paper. */
enum { BEGIN, LATE, FINISH, CONTACT };
enum { SPRING_FORCE, VOLUME, GRADIENT, BUILD_SYSTEM, ACCUMULATE, UPDATE };

VOLUME_CONSTRAINT_KERNELS(DECLARE_LOOPS)
DECLARE_SIMD_KERNEL(volume_constraint_begin_lanes);
DECLARE_SIMD_KERNEL(volume_constraint_end_lanes);

#define ARGUMENTS(...) BINDINGS(volume_constraint, __VA_ARGS__)
#define STATE          ARGUMENTS(position, velocity)
#define LEFT           ARGUMENTS(predicted, drift, direction_z)
#define RINGS          ARGUMENTS(start, ring_end, neighbour, rest)
#define LEAVES(x, v, z)                                                                                                \
    BIND(volume_constraint, predicted_next, x), BIND(volume_constraint, drift_next, v),                                \
        BIND(volume_constraint, direction_z_next, z), ARGUMENTS(shares)

static void build_tuned(const struct run *run, const struct body *body, bool as_printed, struct program *program) {
    const bool is_double = run_is_double(run), is_on_host = network_collides_on_host(run);
    const size_t nodes = (size_t)body->nodes, springs = (size_t)body->springs;
    const unsigned replaced = 1u << AT_predicted | 1u << AT_drift | 1u << AT_direction_z;
    const bool is_tuned = true;
    const int steps = (int)run_number(run, "time.steps_per_frame", 0);
    *program = (struct program){
        .sources = {"contact.h", "mass_spring.h", "volume_constraint.h"},
        .real_size = run_real_size(run),
        ARGUMENTS_ARE(volume_constraint, volume_constraint_parameters),
        .state_count = STATE_BUFFERS,
        .buffer_count = as_printed ? AT_force : AT_corner,
        .buffers = {BUFFERS(BUFFER_ENTRY)},
        .hints.resident = {"struct resident_node", "volume_constraint_load_resident", {STATE, RINGS}, replaced},
        .hints.network = {as_printed ? NULL : &body->start, &body->neighbour, NULL, AT_neighbour, AT_shares, 0},
        .kernels = {[BEGIN] = {CODE(volume_constraint_begin), SIMD_KERNEL(volume_constraint_begin_lanes),
                               .bindings = {STATE, LEAVES(AT_predicted, AT_drift, AT_direction_z), RINGS},
                               .is_collective = true, .hints.uses_resident = true},
                    [LATE] = {CODE(volume_constraint_late),
                              .bindings = {STATE, LEFT, LEAVES(AT_predicted_next, AT_drift_next, AT_direction_z_next),
                                           ARGUMENTS(total), RINGS},
                              .is_collective = true, .hints.uses_resident = true},
                    [FINISH] = {CODE(volume_constraint_end), SIMD_KERNEL(volume_constraint_end_lanes),
                                .bindings = {STATE, LEFT, ARGUMENTS(total), RINGS}, .is_collective = true,
                                .hints.uses_resident = true},
                    [CONTACT] = {CODE(volume_constraint_contact), .bindings = {STATE}}}};
    if (as_printed)
        program->kernels[BEGIN] = (struct kernel){
            CODE(volume_constraint_printed),
            .bindings = {STATE, LEAVES(AT_predicted, AT_drift, AT_direction_z), RINGS, ARGUMENTS(corner)}};
    program_add_constant(program, "NETWORK_IS_SURFACE", 2 * springs == 3 * body->triangles);
    program_add_stage(program, STAGE_STEPS, 0, 0, steps);
    program_add_stage(program, STAGE_RUN, BEGIN, 0, 0);
    program_add_stage(program, STAGE_SUM, AT_shares, AT_total, 0);
    program_add_stage(program, STAGE_RUN, FINISH, 0, 0);
    if (is_on_host)
        program_add_stage(program, STAGE_HOST, CONTACT, 0, 0);
    program_add_stage(program, STAGE_END, 0, 0, 0);
    if (as_printed || is_on_host)
        return;
    /* LATE completes a step and gathers for the next step. m->step is the index of the step that LATE completes. The
     * empty loop at the end advances the index after the last step. */
    const struct stage fused[] = {{STAGE_RUN, BEGIN, 0, 0},
                                  {STAGE_SUM, AT_shares, AT_total, 0},
                                  {STAGE_STEPS, 0, 0, steps - 1},
                                  {STAGE_RUN, LATE, 0, 0},
                                  {STAGE_SUM, AT_shares, AT_total, 0},
                                  {STAGE_SWAP, AT_predicted, AT_predicted_next, 0},
                                  {STAGE_SWAP, AT_drift, AT_drift_next, 0},
                                  {STAGE_SWAP, AT_direction_z, AT_direction_z_next, 0},
                                  {STAGE_END, 0, 0, 0},
                                  {STAGE_RUN, FINISH, 0, 0},
                                  {STAGE_STEPS, 0, 0, 1},
                                  {STAGE_END, 0, 0, 0}};
    memcpy(program->hints.fused_stages, fused, sizeof fused);
    program->hints.fused_count = sizeof fused / sizeof *fused;
}

#undef ARGUMENTS
#define ARGUMENTS(...) BINDINGS(volume_constraint_paper, __VA_ARGS__)

/* Build the paper's own program (variant `paper`), or a variant that differs from it in some kernels. */
static void build_paper(const struct run *run, const struct body *body, enum variant variant, struct program *program) {
    const size_t nodes = (size_t)body->nodes, springs = (size_t)body->springs;
    const bool is_tuned = false, as_printed = false, has_tree = variant == REDUCED || variant == PRINTED_VOLUME;
    *program = (struct program){
        .sources = {"contact.h", "mass_spring.h", "volume_constraint.h"},
        .real_size = sizeof(float),
        .has_unordered_sums = variant != PRINTED_VOLUME, /* The forces are atomic sums in the variants `paper` and
                                                            `reduced`. Volume and system are atomic sums in `paper`
                                                            and `node_centric`. `printed_volume` has no atomic sums. */
        ARGUMENTS_ARE(volume_constraint_paper, volume_constraint_parameters),
        .buffers = {BUFFERS(BUFFER_ENTRY)},
        .kernels = {
            [SPRING_FORCE] = {FLOAT_CODE(volume_constraint_spring_forces),
                              .bindings = {ARGUMENTS(position, velocity, force, spring, spring_rest)},
                              .columns = (int)springs},
            [VOLUME] = {FLOAT_CODE(volume_constraint_volume), .bindings = {ARGUMENTS(position, system, triangle)},
                        .columns = (int)body->triangles},
            [GRADIENT] = {FLOAT_CODE(volume_constraint_jacobian),
                          .bindings = {ARGUMENTS(position, jacobian, start, ring_end, neighbour)}},
            [BUILD_SYSTEM] = {FLOAT_CODE(volume_constraint_system),
                              .bindings = {ARGUMENTS(position, velocity, force, jacobian, system)}},
            [ACCUMULATE] = {FLOAT_CODE(volume_constraint_constrain), .bindings = {ARGUMENTS(force, jacobian, system)}},
            [UPDATE] = {FLOAT_CODE(volume_constraint_update),
                        .bindings = {ARGUMENTS(position, velocity, force, system)}}}};
    if (variant == NODE_CENTRIC || variant == PRINTED_VOLUME)
        program->kernels[SPRING_FORCE] =
            (struct kernel){FLOAT_CODE(volume_constraint_node_forces),
                            .bindings = {ARGUMENTS(position, velocity, force, start, neighbour, rest)}};
    if (has_tree) {
        program->kernels[VOLUME] =
            (struct kernel){FLOAT_CODE(volume_constraint_volume_shares),
                            .bindings = {ARGUMENTS(position, volume_share, triangle)}, .columns = (int)body->triangles};
        program->kernels[BUILD_SYSTEM] =
            (struct kernel){FLOAT_CODE(volume_constraint_system_shares),
                            .bindings = {ARGUMENTS(position, velocity, force, jacobian, system_share)}};
        program->kernels[ACCUMULATE] =
            (struct kernel){FLOAT_CODE(volume_constraint_constrain_by_sums),
                            .bindings = {ARGUMENTS(force, jacobian, volume_total, system_total)}};
    }
    if (variant == PRINTED_VOLUME)
        program->kernels[VOLUME] =
            (struct kernel){FLOAT_CODE(volume_constraint_printed_volume_shares),
                            .bindings = {ARGUMENTS(position, volume_share, triangle)}, .columns = (int)body->triangles};
    for (int k = SPRING_FORCE; k <= UPDATE; ++k)
        program->kernels[k].group_size = 1024; /* va2023, table 2 */
    program_add_stage(program, STAGE_STEPS, 0, 0, (int)run_number(run, "time.steps_per_frame", 0));
    program_add_stage(program, STAGE_RUN, SPRING_FORCE, 0, 0);
    program_add_stage(program, STAGE_RUN, VOLUME, 0, 0);
    if (has_tree)
        program_add_stage(program, STAGE_SUM, AT_volume_share, AT_volume_total, 0);
    program_add_stage(program, STAGE_RUN, GRADIENT, 0, 0);
    program_add_stage(program, STAGE_RUN, BUILD_SYSTEM, 0, 0);
    if (has_tree)
        program_add_stage(program, STAGE_SUM, AT_system_share, AT_system_total, 0);
    program_add_stage(program, STAGE_RUN, ACCUMULATE, 0, 0);
    program_add_stage(program, STAGE_RUN, UPDATE, 0, 0);
    program_add_stage(program, STAGE_END, 0, 0, 0);
}

static void build(const struct run *run, const struct body *body, struct program *program) {
    const enum variant variant = (enum variant)run_choice(run, "method.variant");
    if (is_paper(variant))
        build_paper(run, body, variant, program);
    else
        build_tuned(run, body, variant == AS_PRINTED, program);
    program_complete(program, body->nodes);
    set_parameters(run, body, program);
}

/* For each neighbour in the ring of each node, a triangle joins the node, this neighbour and the next neighbour. Write
 * whether the node is the first, second or third corner of this triangle: 1, 2 or 3. */
static void fill_corners(const struct body *body, int *corner) {
    for (size_t t = 0; t < body->triangles; ++t)
        for (size_t k = 0; k < 3; ++k) {
            const int i = body->triangle[t][k], next = body->triangle[t][(k + 1) % 3];
            for (int slot = body->start[i]; slot < body->ring_end[i]; ++slot)
                if (body->neighbour[slot] == next)
                    corner[slot] = (int)k + 1;
        }
}

static void fill(const struct run *run, const struct body *body, const struct program *program, int buffer, void *out) {
    if (buffer != AT_corner)
        network_fill(run, body, program, buffer, out);
    else if (program->buffers[buffer].items)
        fill_corners(body, out);
}

static void measure(const struct program *program, const struct body *body, const struct node_motion *motion, int begin,
                    int end, double *const *out) {
    struct volume_constraint_parameters p;
    program_get_parameters(program, &p, offsetof(struct volume_constraint_parameters, m) + MASS_SPRING_REALS, sizeof p);
    network_measure(p.m, body, motion, begin, end, 1, out);
}

/* Operations in addition to springs and motion. For a triangle: at each corner its part of dV/dx (9 operations) and the
 * sum. For a node: the factor 1/6 of dV/dx, c, the node's terms of three sums with their weights, the additions to
 * these sums (3 operations), and the corrections of velocity and position. */
enum {
    VOLUME_TRIANGLE = 3 * (9 + OPS_VECTOR),
    VOLUME_NODE = OPS_VECTOR + 2 + OPS_VECTOR + (OPS_VECTOR + OPS_INNER) + 2 * (1 + OPS_INNER) + 3 + OPS_VECTOR +
                  4 * OPS_VECTOR + 1
};

/* NAN if the constraint acts in a zone only, because the number of nodes in the zone is then unknown. */
static double operations(const struct attributes *notes, const struct attributes *parameters) {
    if (attributes_number(parameters, "method.weight_radius", 0) > 0)
        return NAN;
    return attributes_number(notes, "springs", NAN) * OPS_SPRING_FORCE +
           attributes_number(notes, "body_triangles", NAN) * VOLUME_TRIANGLE +
           attributes_number(notes, "nodes", NAN) * (VOLUME_NODE + OPS_EULER);
}

DEFINE_METHOD(
    volume_constraint, 2.5,
    "The mass-spring system with one constraint that preserves the volume of a closed surface: va2023 (1) to (15).",
    .quantities = network_quantities, .quantity_count = network_quantity_count, .operations = operations, .fill = fill,
    .measure = measure);
