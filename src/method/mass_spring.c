/* The method mass_spring: va2022, section 3.1 and 4.1. */
#include "base/memory.h"
#include "method/mass_spring_loops.h"
#include "method/method.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define REAL_IS_double /* of the host's parameters and of what is measured */
#include "mass_spring.h"

const struct field method_mass_spring_fields[] = {
    {"method.stiffness", TYPE_REAL, "N/m", NULL, 0, INFINITY, false, NULL, "Stiffness of every spring, ks in (1)."},
    {"method.damping", TYPE_REAL, "N s/m", "0 N s/m", 0, INFINITY, false, NULL,
     "Damping along every spring, kd in (1)."},
    {"method.precision", TYPE_CHOICE, "1", "float", -INFINITY, INFINITY, false, "float double",
     "Precision of positions, velocities and forces."},
    {.path = NULL},
};

enum { POSITION, VELOCITY, POSITION_NEXT, VELOCITY_NEXT, STATE_BUFFERS, START = STATE_BUFFERS, NEIGHBOUR, REST };

static int spring_bits(const struct body *body) {
    return (body->has[SPRING_STRUCTURAL] ? SPRINGS_STRUCTURAL : 0) | (body->has[SPRING_SHEAR] ? SPRINGS_SHEAR : 0) |
           (body->has[SPRING_BEND] ? SPRINGS_BEND : 0);
}

/* The first step that begins at or after a time, within rounding. */
static int step_at(double time, double step) {
    double index = ceil(time / step - 1e-6);
    return index < 2e9 ? (int)index : 2000000000;
}

/* Nodes from which a grid's border is a small part of it. */
enum { LARGE_GRID = 128 * 1024 };

static struct mass_spring_parameters parameters_of(const struct run *run, const struct body *body) {
    const double step = run_number(run, "time.step", 0);
    const bool is_pushed = run_parameter(run, "scene.push.until") != NULL; /* a cloth can be */
    return (struct mass_spring_parameters){
        .stiffness = run_number(run, "method.stiffness", 0),
        .damping = run_number(run, "method.damping", 0),
        .step = step,
        .gravity_x = run_number(run, "scene.gravity", 0),
        .gravity_y = run_number(run, "scene.gravity", 1),
        .gravity_z = run_number(run, "scene.gravity", 2),
        .push_x = is_pushed ? run_number(run, "scene.push.acceleration", 0) : 0,
        .push_y = is_pushed ? run_number(run, "scene.push.acceleration", 1) : 0,
        .push_z = is_pushed ? run_number(run, "scene.push.acceleration", 2) : 0,
        .rest_column = body->rest_column,
        .rest_row = body->rest_row,
        .rest_shear = body->rest_shear,
        .columns = body->is_grid ? body->columns : body->nodes,
        .rows = body->is_grid ? body->rows : 1,
        .springs = spring_bits(body),
        .is_large = body->nodes >= LARGE_GRID,
        .push_begin = is_pushed ? step_at(run_number(run, "scene.push.from", 0), step) : 0,
        .push_end = is_pushed ? step_at(run_number(run, "scene.push.until", 0), step) : 0,
    };
}

static void build(const struct run *run, const struct body *body, struct program *program) {
    const bool is_double = run_has(run, "method.precision", "double");
    const size_t real_size = is_double ? sizeof(double) : sizeof(float);
    const size_t nodes = (size_t)body->nodes, ends = 2 * (size_t)body->springs;
    *program = (struct program){.sources = {"mass_spring.h", "mass_spring.cl"},
                                .source_count = 2,
                                .real_size = (int)real_size,
                                .parameter_type = "struct mass_spring_parameters",
                                .positions = POSITION,
                                .velocities = VELOCITY,
                                .kernel_count = 1,
                                .buffers = {{"position", "quad", BUFFER_SHARED, nodes, 4 * real_size},
                                            {"velocity", "quad", BUFFER_SHARED, nodes, 4 * real_size},
                                            {"position_next", "quad", BUFFER_OWN, nodes, 4 * real_size},
                                            {"velocity_next", "quad", BUFFER_OWN, nodes, 4 * real_size},
                                            {"start", "int", BUFFER_SHARED, nodes + 1, sizeof(int)},
                                            {"neighbour", "int", BUFFER_SHARED, ends, sizeof(int)},
                                            {"rest", "real", BUFFER_SHARED, ends, real_size}},
                                .stages = {{STAGE_STEPS, 0, 0, (int)run_number(run, "time.steps_per_frame", 0)},
                                           {STAGE_RUN, 0, 0, 0},
                                           {STAGE_SWAP, POSITION, POSITION_NEXT, 0},
                                           {STAGE_SWAP, VELOCITY, VELOCITY_NEXT, 0},
                                           {STAGE_END, 0, 0, 0}},
                                .stage_count = 5};
    program->buffer_count = body->is_grid ? STATE_BUFFERS : REST + 1;
    static const char *const names[] = {"mass_spring_network", "mass_spring_grid"};
    static kernel_loop *const loops[2][2] = {{mass_spring_network_loop_float, mass_spring_network_loop_double},
                                             {mass_spring_grid_loop_float, mass_spring_grid_loop_double}};
    static const struct sweep *const rows[2][PROCESSOR_LEVELS] = {ROWS_TABLE(mass_spring_grid_rows_float),
                                                                  ROWS_TABLE(mass_spring_grid_rows_double)};
    struct kernel *kernel = &program->kernels[0];
    *kernel = (struct kernel){.name = names[body->is_grid],
                              .loop = loops[body->is_grid][is_double],
                              .sweep = body->is_grid ? rows[is_double][processor_level()] : NULL,
                              .buffer_count = program->buffer_count,
                              .columns = body->is_grid ? body->columns : body->nodes,
                              .rows = body->is_grid ? body->rows : 1};
    for (int b = 0; b < program->buffer_count; ++b)
        kernel->buffers[b] = b;
    const struct mass_spring_parameters p = parameters_of(run, body);
    program_set_parameters(program, &p, offsetof(struct mass_spring_parameters, columns), sizeof p);
}

/* Write each node's share of the push: 1 within the radius, measured at rest along the cloth's sides, 0 elsewhere. */
static void fill_push(const struct run *run, const struct body *body, int real_size, void *velocity) {
    if (!run_parameter(run, "scene.push.radius"))
        return;
    const double radius = run_number(run, "scene.push.radius", 0);
    const int last[2] = {body->columns - 1, body->rows - 1};
    double centre[2], size[2];
    for (int k = 0; k < 2; ++k) {
        centre[k] = run_number(run, "scene.push.centre", k);
        size[k] = run_number(run, "body.cloth.size", k);
    }
    for (int i = 0; i < body->nodes; ++i) {
        const int place[2] = {i % body->columns, i / body->columns};
        double distance = 0;
        for (int k = 0; k < 2; ++k) {
            double along = ((last[k] > 0 ? (double)place[k] / last[k] : 0) - centre[k]) * size[k];
            distance += along * along;
        }
        real_store(velocity, 4 * (size_t)i + 3, distance <= radius * radius ? 1 : 0, real_size);
    }
}

static void fill(const struct run *run, const struct body *body, const struct program *program, int buffer, void *out) {
    const int size = program->real_size;
    switch (buffer) {
    case POSITION:
        for (int i = 0; i < body->nodes; ++i) {
            for (int k = 0; k < 3; ++k)
                real_store(out, 4 * (size_t)i + (size_t)k, body->position[i][k], size);
            real_store(out, 4 * (size_t)i + 3, body->pinned[i] ? 0 : 1 / body->mass, size);
        }
        break;
    case VELOCITY:
        fill_push(run, body, size, out);
        break;
    case START:
        memcpy(out, body->start, sizeof(int) * ((size_t)body->nodes + 1));
        break;
    case NEIGHBOUR:
        memcpy(out, body->neighbour, sizeof(int) * 2 * (size_t)body->springs);
        break;
    case REST:
        for (size_t k = 0; k < 2 * (size_t)body->springs; ++k)
            real_store(out, k, body->rest[k], size);
        break;
    default: /* written before it is read */
        break;
    }
}

enum {
    KINETIC,
    ELASTIC,
    POTENTIAL,
    MOMENTUM_X,
    MOMENTUM_Y,
    MOMENTUM_Z,
    ANGULAR_X,
    ANGULAR_Y,
    ANGULAR_Z,
    STRAIN,
    SPEED,
    QUANTITIES
};

static const struct quantity quantities[QUANTITIES] = {
    {"kinetic_energy", "J", "m v^2 / 2, summed over the nodes", false},
    {"elastic_energy", "J", "ks (length - rest)^2 / 2, summed over the springs", false},
    {"potential_energy", "J", "-m g . x, summed over the nodes", false},
    {"momentum_x", "kg m/s", "m v along x", false},
    {"momentum_y", "kg m/s", "m v along y", false},
    {"momentum_z", "kg m/s", "m v along z", false},
    {"angular_momentum_x", "kg m^2/s", "m x cross v about the x axis", false},
    {"angular_momentum_y", "kg m^2/s", "m x cross v about the y axis", false},
    {"angular_momentum_z", "kg m^2/s", "m x cross v about the z axis", false},
    {"largest_strain", "1", "largest |length / rest - 1| of all springs", true},
    {"largest_speed", "m/s", "largest speed of all nodes", true},
};

static void measure(const struct program *program, const struct body *body, const double (*position)[3],
                    const double (*velocity)[3], int begin, int end, double *const *out) {
    struct mass_spring_parameters p;
    program_get_parameters(program, &p, offsetof(struct mass_spring_parameters, columns), sizeof p);
    const vec3 gravity = vec3_of(p.gravity_x, p.gravity_y, p.gravity_z);
    for (int i = begin; i < end; ++i) {
        const vec3 x = vec3_of(position[i][0], position[i][1], position[i][2]);
        const vec3 v = vec3_of(velocity[i][0], velocity[i][1], velocity[i][2]);
        double elastic = 0, strain = 0;
        for (int slot = 0; slot < body_slots(body, i); ++slot) {
            int j;
            double rest;
            if (!body_spring(body, i, slot, &j, &rest))
                continue;
            const vec3 other = vec3_of(position[j][0], position[j][1], position[j][2]);
            elastic += spring_energy(x, other, rest, p.stiffness) / 2; /* each spring is met from both ends */
            const double here = fabs(spring_strain(x, other, rest));
            strain = here > strain || isnan(here) ? here : strain;
        }
        const double share[QUANTITIES] = {
            [KINETIC] = body->mass * inner(v, v) / 2,
            [ELASTIC] = elastic,
            [POTENTIAL] = -body->mass * inner(gravity, x),
            [MOMENTUM_X] = body->mass * v.x,
            [MOMENTUM_Y] = body->mass * v.y,
            [MOMENTUM_Z] = body->mass * v.z,
            [ANGULAR_X] = body->mass * (x.y * v.z - x.z * v.y),
            [ANGULAR_Y] = body->mass * (x.z * v.x - x.x * v.z),
            [ANGULAR_Z] = body->mass * (x.x * v.y - x.y * v.x),
            [STRAIN] = strain,
            [SPEED] = sqrt(inner(v, v)),
        };
        for (int q = 0; q < QUANTITIES; ++q)
            out[q][i - begin] = share[q];
    }
}

const struct method method_mass_spring = {
    .name = "mass_spring",
    .doc = "Springs with damping, symplectic Euler: va2022 (1) to (4).",
    .fields = method_mass_spring_fields,
    .quantities = quantities,
    .quantity_count = QUANTITIES,
    .build = build,
    .fill = fill,
    .measure = measure,
};
