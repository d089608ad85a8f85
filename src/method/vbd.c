/* The methods vbd and vbd_hyperelastic: vertex block descent, Chen et al. (2024), for springs and for elements. */
#define REAL_IS_double /* precision of the host's parameters */
#include "vbd.h"

#include "method/build.h"
#include "method/loops.h"
#include "method/network.h"
#include "method/scene.h"

#include "base/memory.h"
#include "base/rows.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define FIELD_PASSES                                                                                                   \
    FIELD_ITERATIONS("10", "Number of iterations in a step; in each, every node makes one Newton step.")

const struct field method_vbd_fields[] = {
    FIELD_PASSES, FIELD_STIFFNESS("va2022 (1)"), FIELD_DAMPING("va2022 (1)"), FIELD_PRECISION, {.path = NULL},
};

const struct field method_vbd_hyperelastic_fields[] = {
    FIELD_PASSES,
    {"method.young", TYPE_REAL, "Pa", "1 MPa", 1e-6, 1e15, false, NULL, "Young's modulus E."},
    {"method.poisson", TYPE_REAL, "1", "0.3", -1, 0.499, true, NULL, "Poisson's ratio."},
    FIELD_PRECISION,
    {.path = NULL},
};

static bool is_hyperelastic(const struct run *run) {
    return run_has(run, "method.name", "vbd_hyperelastic");
}

static int check(const struct run *run, const struct body *body) {
    const struct parameter *name = run_parameter(run, "method.name");
    if (is_hyperelastic(run) && network_check_inside(run, body, "tetrahedra"))
        return STATUS_BAD;
    if (is_hyperelastic(run) && body->prepared.parts[PART_TETRAHEDRA].count > INT_MAX / 10)
        return fail_at(name->place, "the body has %d tetrahedra; %s supports at most %d",
                       body->prepared.parts[PART_TETRAHEDRA].count, name->value.text, INT_MAX / 10);
    return scene_refuse_forces_and_ground(run);
}

static struct vbd_parameters parameters_of(const struct run *run, const struct body *body) {
    const double h = run_number(run, "time.step", 0);
    struct vbd_parameters p = {.step = h,
                               .rate = 1 / h,
                               .gravity_x = run_number(run, "scene.gravity", 0),
                               .gravity_y = run_number(run, "scene.gravity", 1),
                               .gravity_z = run_number(run, "scene.gravity", 2),
                               .inertia = body->mass / (h * h),
                               .columns = body->nodes,
                               .rows = 1};
    if (is_hyperelastic(run)) {
        const double young = run_number(run, "method.young", 0), nu = run_number(run, "method.poisson", 0);
        p.shear = young / (2 * (1 + nu));
        p.lame = young * nu / ((1 + nu) * (1 - 2 * nu));
    } else {
        p.stiffness = run_number(run, "method.stiffness", 0);
        p.damping_rate = run_number(run, "method.damping", 0) / h;
    }
    return p;
}

/* ---- The program ---- */

/* item_neighbour has the other ends of springs in vbd, and the corners of elements in vbd_hyperelastic
 * (fill_corners). */
#define BUFFERS(BUFFER)                                                                                                \
    BUFFER(position, quad, BUFFER_SHARED, nodes)                                                                       \
    BUFFER(velocity, quad, BUFFER_SHARED, nodes)                                                                       \
    BUFFER(predicted, quad, BUFFER_FRAME, nodes)                                                                       \
    BUFFER(item_node, int, BUFFER_FIXED, nodes)                                                                        \
    BUFFER(item_start, int, BUFFER_FIXED, nodes + 1)                                                                   \
    BUFFER(item_neighbour, int, BUFFER_FIXED, has_elements ? 4 * elements : 2 * springs)                               \
    BUFFER(item_rest, real, BUFFER_FIXED, has_elements ? 10 * elements : 2 * springs)                                  \
    BUFFER(particle, int, BUFFER_FIXED, has_elements ? 4 * elements : 0)

enum { BUFFERS(BUFFER_INDEX) };

enum { PREDICT, MOVE, UPDATE };

enum { NODE_GRAIN = 4096, SPRING_GRAIN = 512, ELEMENT_GRAIN = 64 };

VBD_KERNELS(DECLARE_LOOPS)

#define VBD_REALS offsetof(struct vbd_parameters, columns)

static void build(const struct run *run, const struct body *body, struct program *program) {
    const bool is_double = run_is_double(run), has_elements = is_hyperelastic(run);
    const size_t nodes = (size_t)body->nodes, springs = (size_t)body->springs,
                 elements = (size_t)body->prepared.parts[PART_TETRAHEDRA].count;
    const struct vbd_parameters p = parameters_of(run, body);
#define ARGUMENT(member, buffer) BIND(vbd, member, AT_##buffer)
#define ARGUMENTS                                                                                                      \
    BINDINGS(vbd, position, velocity, predicted), ARGUMENT(node, item_node), ARGUMENT(start, item_start),              \
        ARGUMENT(neighbour, item_neighbour), ARGUMENT(rest, item_rest), BINDINGS(vbd, particle)
    *program = (struct program){
        .sources = {"exponential.h", "angle.h", "contact.h", "pbd.h", "hyperelastic.h", "vbd.h"},
        .real_size = run_real_size(run),
        .is_list_program = true,
        ARGUMENTS_ARE(vbd, vbd_parameters),
        .buffers = {BUFFERS(BUFFER_ENTRY)},
        .kernels = {[PREDICT] = {CODE(vbd_predict), .hints.grain = NODE_GRAIN,
                                 .bindings = {BINDINGS(vbd, position, velocity, predicted)}},
                    [MOVE] = {CODE(vbd_spring), .hints.grain = SPRING_GRAIN, .bindings = {ARGUMENTS}},
                    [UPDATE] = {CODE(vbd_update), .hints.grain = NODE_GRAIN,
                                .bindings = {BINDINGS(vbd, position, velocity, predicted)}}},
        .stages = {{STAGE_STEPS, 0, 0, (int)run_number(run, "time.steps_per_frame", 0)},
                   {STAGE_RUN, PREDICT, 0, 0},
                   {STAGE_REPEAT, 0, 0, (int)run_number(run, "method.iterations", 0)},
                   {STAGE_COLOURS, MOVE, 0, 0},
                   {STAGE_END, 0, 0, 0},
                   {STAGE_RUN, UPDATE, 0, 0},
                   {STAGE_END, 0, 0, 0}},
        .colourings = {{body->colours.count, body->colours.start}},
    };
    if (has_elements)
        program->kernels[MOVE] =
            (struct kernel){CODE(vbd_element), .hints.grain = ELEMENT_GRAIN, .bindings = {ARGUMENTS}};
    program_complete(program, body->nodes);
    program_set_parameters(program, &p, VBD_REALS, sizeof p);
}

/* ---- Initial content of buffers ---- */

/* For each item, write the springs of its node, in the body's order. Items are the nodes in the order of their colours
 * (body->colours.node). start[item] is the index of the item's first spring in the other two arrays: `neighbour` has
 * the other ends, and `rest` the rest lengths in m. An array that is NULL is not written. */
static void fill_springs(const struct body *body, int *start, int *neighbour, int real_size, void *rest) {
    int next = 0;
    for (int item = 0; item < body->nodes; ++item) {
        const int i = body->colours.node[item];
        if (start)
            start[item] = next;
        for (int slot = 0; slot < body_slots(body, i); ++slot) {
            int other;
            double length;
            if (!body_spring(body, i, slot, &other, &length))
                continue;
            if (neighbour)
                neighbour[next] = other;
            if (rest)
                real_store(rest, (size_t)next, length, real_size);
            ++next;
        }
    }
    if (start)
        start[body->nodes] = next;
}

/* For each item, write which corners of elements are at the item's node. A corner is written as 4 times the element's
 * index, plus the corner's number from 0 to 3. The values of an item are in ascending order. An array that is NULL is
 * not written. */
static void fill_corners(const struct body *body, int *start, int *corner) {
    const struct part *elements = &body->prepared.parts[PART_TETRAHEDRA];
    const int corners = 4 * elements->count;
    AUTO_FREE int *item_of = memory_new((size_t)body->nodes, sizeof *item_of),
                  *item = memory_new((size_t)corners, sizeof *item),
                  *first = start ? NULL : memory_new((size_t)body->nodes + 1, sizeof *first),
                  *sorted = corner ? NULL : memory_new((size_t)corners, sizeof *sorted);
    for (int k = 0; k < body->nodes; ++k)
        item_of[body->colours.node[k]] = k;
    for (int c = 0; c < corners; ++c)
        item[c] = item_of[elements->particle[c]];
    rows_sort(body->nodes, corners, item, start ? start : first, corner ? corner : sorted);
}

static void fill(const struct run *run, const struct body *body, const struct program *program, int buffer, void *out) {
    const size_t bytes = buffer_size(&program->buffers[buffer]);
    int *const start = buffer == AT_item_start ? out : NULL, *const neighbour =
                                                                 buffer == AT_item_neighbour ? out : NULL;
    if (!bytes)
        return;
    if (buffer == AT_item_node)
        memcpy(out, body->colours.node, bytes);
    else if (buffer == AT_particle)
        memcpy(out, body->prepared.parts[PART_TETRAHEDRA].particle, bytes);
    else if (buffer == AT_item_rest && is_hyperelastic(run))
        element_fill_rest(body, NULL, 10, program->real_size, out);
    else if ((start || neighbour) && is_hyperelastic(run))
        fill_corners(body, start, neighbour);
    else if (start || neighbour || buffer == AT_item_rest)
        fill_springs(body, start, neighbour, program->real_size, buffer == AT_item_rest ? out : NULL);
    else
        network_fill(run, body, program, buffer, out);
}

/* ---- Measured quantities ---- */

static void measure_nodes(const struct program *program, const struct body *body, const struct node_motion *motion,
                          int begin, int end, int own, double *const *out) {
    struct vbd_parameters p;
    program_get_parameters(program, &p, VBD_REALS, sizeof p);
    const struct mass_spring_parameters scene = {
        .stiffness = p.stiffness, .gravity_x = p.gravity_x, .gravity_y = p.gravity_y, .gravity_z = p.gravity_z};
    network_measure(scene, body, motion, begin, end, own, out);
}

static void measure_springs(const struct program *program, const struct body *body, const struct node_motion *motion,
                            int begin, int end, double *const *out) {
    measure_nodes(program, body, motion, begin, end, 1, out);
}

/* The quantities of networks without the springs' energy: the energy of elements is not measured. */
static const struct quantity element_quantities[] = {QUANTITY_OF_MOTION, QUANTITIES_OF_NODES};

static int element_quantity_count(const struct body *body) {
    return network_quantity_count(body) - 1;
}

static void measure_elements(const struct program *program, const struct body *body, const struct node_motion *motion,
                             int begin, int end, double *const *out) {
    measure_nodes(program, body, motion, begin, end, 0, out);
}

/* ---- Operations ---- */

enum {
    OPS_SQUARE = 3 + 2 * 6, /* symmetric_add_square */
    OPS_SOLVE = 3 * OPS_RECIPROCAL + 26,
    OPS_BLOCK = 6 * OPS_VECTOR + OPS_SOLVE + OPS_VECTOR /* y of vbd.h and the force of inertia; the solution; the
                                                           displacement */
};

/* Operations of block_add_spring: d, u, n, the stretch, the forces, and the squares for H. Each spring is computed
 * twice, once for each end. */
static double vbd_operations(const struct attributes *notes, const struct attributes *parameters) {
    const bool is_damped = attributes_number(parameters, "method.damping", 0) != 0;
    const double spring =
                     6 * OPS_VECTOR + 2 * OPS_INNER + OPS_ROOT + 7 + 3 + OPS_SQUARE + (is_damped ? 3 * OPS_VECTOR : 0),
                 nodes = attributes_number(notes, "nodes", NAN);
    return attributes_number(parameters, "method.iterations", NAN) *
               (2 * attributes_number(notes, "springs", NAN) * spring + nodes * OPS_BLOCK) +
           nodes * OPS_PREDICTION;
}

/* Operations of block_add_element: F, E, S b, F S b, F b, and the squares for H. Each element is computed four times,
 * once for each corner. */
static double vbd_hyperelastic_operations(const struct attributes *notes, const struct attributes *parameters) {
    const double corner = 2 * OPS_VECTOR + OPS_EDGES + 3 * OPS_COLUMN_OF_F + 6 * OPS_INNER + 3 * 2 + 3 + 2 + 2 + 3 * 9 +
                          2 * 5 * OPS_VECTOR + 2 * OPS_INNER + 6 + 2 * OPS_VECTOR + 3 + 4 * OPS_SQUARE,
                 nodes = attributes_number(notes, "nodes", NAN);
    return attributes_number(parameters, "method.iterations", NAN) *
               (4 * attributes_number(notes, "body_tetrahedra", NAN) * corner + nodes * OPS_BLOCK) +
           nodes * OPS_PREDICTION;
}

/* ---- The methods ---- */

DEFINE_METHOD(vbd, 12, "Vertex block descent of springs: Chen, Liu, Yang and Yuksel (2024).",
              .quantities = network_quantities, .quantity_count = network_quantity_count, .operations = vbd_operations,
              .fill = fill, .measure = measure_springs);
DEFINE_METHOD(vbd_hyperelastic, 40, "Vertex block descent of Saint Venant-Kirchhoff elements: Chen et al. (2024).",
              .quantities = element_quantities, .quantity_count = element_quantity_count,
              .operations = vbd_hyperelastic_operations, .fill = fill, .measure = measure_elements);
