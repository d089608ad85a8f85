#include "method/network.h"

#include "base/memory.h"
#include "base/vector.h"
#include "body/cloth.h"
#include "body/plate.h"
#include "method/loops.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static int spring_bits(const struct body *body) {
    return (body->has[SPRING_STRUCTURAL] ? SPRINGS_STRUCTURAL : 0) | (body->has[SPRING_SHEAR] ? SPRINGS_SHEAR : 0) |
           (body->has[SPRING_BEND] ? SPRINGS_BEND : 0);
}

/* The index of the first time step that begins at or after `time`, within rounding; at most 2e9. Times in s. */
static int step_at(double time, double step) {
    double index = ceil(time / step - 1e-6);
    return index < 2e9 ? (int)index : 2000000000;
}

/* A grid counts as large if it has at least this number of nodes. Only few of its nodes are then near the border. */
enum { LARGE_GRID = 128 * 1024 };

/* Whether the height y is at or near the top of the body: at most 1 % of the body's height below the top. A torque acts
 * on the nodes there. */
static bool is_highest(double y, double low, double high) {
    return y >= high - (high - low) / 100;
}

/* The lowest and the highest y of `count` positions, in m. */
static void find_heights(const double (*position)[3], int count, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < count; ++i) {
        *low = fmin(*low, position[i][1]);
        *high = fmax(*high, position[i][1]);
    }
}

/* Set the parameters of ground, plate and torque for a mesh. `low` and `high` are the lowest and the highest y of the
 * surface at rest, at the position that body_describe gives the mesh. */
static void set_scene(const struct run *run, const struct body *body, double step, struct mass_spring_parameters *p) {
    const struct prepared *prepared = &body->prepared;
    const bool has_ground = run_parameter(run, "scene.ground.height"),
               has_plate = run_parameter(run, "scene.plate.speed"),
               has_twist = run_parameter(run, "scene.twist.torque");
    double low, high;
    find_heights((const double(*)[3])prepared->position, prepared->surface_vertices, &low, &high);
    if (has_ground) {
        p->contacts |= CONTACT_GROUND;
        p->contact.ground = run_number(run, "scene.ground.height", 0);
        p->contact.restitution = run_number(run, "scene.ground.restitution", 0);
        p->contact.friction = run_number(run, "scene.ground.friction", 0);
        const double lift = run_number(run, "scene.ground.lift", 0);
        p->contact.placed = p->contact.ground + lift;
        p->contacts |= lift != 0 ? CONTACT_LIFTED : 0;
        if (run_parameter(run, "scene.ground.velocity_factor")) {
            p->contacts |= CONTACT_SCALED;
            p->contact.velocity_factor = run_number(run, "scene.ground.velocity_factor", 0);
        }
    }
    if (has_plate) {
        p->contacts |= CONTACT_PLATE;
        const struct plate plate = plate_of(run, low, high);
        p->contact.plate_start = plate.start;
        p->contact.plate_stop = plate.stop;
        p->contact.plate_speed = plate.speed;
        p->plate_until = step_at(plate.until, step);
    }
    if (network_collides_on_host(run))
        p->contacts |= CONTACT_APART;
    if (has_twist) {
        double x = 0, z = 0, inertia = 0, count = 0;
        for (int pass = 0; pass < 2; ++pass) /* first the axis, then the sum of squared distances from the axis */
            for (int i = 0; i < body->nodes; ++i) { /* also nodes inside the body, because fill_push marks them */
                const double *at = prepared->position[i];
                if (!is_highest(at[1], low, high))
                    continue;
                if (pass) {
                    inertia += (at[0] - x / count) * (at[0] - x / count) + (at[2] - z / count) * (at[2] - z / count);
                } else {
                    x += at[0];
                    z += at[2];
                    ++count;
                }
            }
        p->twist_x = x / count;
        p->twist_z = z / count;
        p->twist = inertia > 0 ? run_number(run, "scene.twist.torque", 0) / inertia : 0;
    }
}

struct mass_spring_parameters network_scene(const struct run *run, const struct body *body) {
    const double step = run_number(run, "time.step", 0);
    const bool is_pushed = run_parameter(run, "scene.push.until") != NULL; /* only a cloth can be pushed */
    struct mass_spring_parameters p = {
        .step = step,
        .gravity_x = run_number(run, "scene.gravity", 0) + 0.0, /* -0 becomes +0, because velocity_after in
                                                                   mass_spring.h needs +0 */
        .gravity_y = run_number(run, "scene.gravity", 1) + 0.0,
        .gravity_z = run_number(run, "scene.gravity", 2) + 0.0,
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
        .spring_count = (int)(body->is_grid ? 0 : body->springs),
        .triangle_count = (int)body->triangles,
    };
    set_scene(run, body, step, &p);
    return p;
}

void network_add_constants(struct program *program, const struct mass_spring_parameters *p) {
    program_add_constant(program, "NETWORK_CONTACTS", p->contacts);
    program_add_constant(program, "NETWORK_HAS_TWIST", p->twist != 0);
    program_add_constant(program, "NETWORK_IS_PUSHED", p->twist != 0 || p->push_begin < p->push_end);
}

struct mass_spring_parameters network_parameters(const struct run *run, const struct body *body) {
    struct mass_spring_parameters p = network_scene(run, body);
    p.stiffness = run_number(run, "method.stiffness", 0);
    p.damping = run_number(run, "method.damping", 0);
    return p;
}

int network_check_inside(const struct run *run, const struct body *body, const char *wanted) {
    const struct parameter *name = run_parameter(run, "method.name"),
                           *inside = run_parameter(run, "body.surface.inside");
    if (!body->prepared.vertices)
        return fail_at(
            name->place,
            "method.name is %s, whose constraints are those of a mesh, and the body is a cloth; use body.mesh",
            name->value.text);
    if (!run_has(run, "body.surface.inside", wanted))
        return fail_at(inside->origin == ORIGIN_DEFAULT ? name->place : inside->place,
                       "method.name is %s, and body.surface.inside is %s; use %s", name->value.text, inside->value.text,
                       wanted);
    return STATUS_OK;
}

bool network_collides_on_host(const struct run *run) {
    return run_has(run, "scene.collisions", "host") &&
           (run_parameter(run, "scene.ground.height") || run_parameter(run, "scene.plate.speed"));
}

/* Set w of each node's velocity to the node's part of the push or torque: from 0, which is the value before, to 1. On a
 * cloth the push acts within its radius, measured at rest along the cloth's sides. On a mesh the torque acts on the
 * highest nodes (is_highest), with the part 1. */
static void fill_push(const struct run *run, const struct body *body, int real_size, void *velocity) {
    if (run_parameter(run, "scene.twist.torque")) {
        double low, high;
        find_heights((const double(*)[3])body->position, body->nodes, &low, &high);
        for (int i = 0; i < body->nodes; ++i)
            real_store(velocity, 4 * (size_t)i + 3, is_highest(body->position[i][1], low, high), real_size);
    }
    if (!run_parameter(run, "scene.push.radius"))
        return;
    const double radius = run_number(run, "scene.push.radius", 0);
    const bool is_linear = run_parameter(run, "scene.push.rim") && run_has(run, "scene.push.rim", "linear");
    const int last[2] = {body->columns - 1, body->rows - 1};
    double centre[2], size[2];
    for (int k = 0; k < 2; ++k) {
        centre[k] = run_number(run, "scene.push.centre", k);
        size[k] = run_number(run, "body.cloth.size", k);
    }
    for (int i = 0; i < body->nodes; ++i) {
        const int place[2] = {i % body->columns, i / body->columns};
        double square = 0; /* of the distance from the centre */
        for (int k = 0; k < 2; ++k) {
            double along = ((last[k] > 0 ? (double)place[k] / last[k] : 0) - centre[k]) * size[k];
            square += along * along;
        }
        const double part = square > radius * radius ? 0 : is_linear ? 1 - sqrt(square) / radius : 1;
        real_store(velocity, 4 * (size_t)i + 3, part, real_size);
    }
}

/* The unit in the last place of the largest absolute coordinate, in m: the distance to the next larger number of the
 * precision. */
static double last_place(const struct body *body, int real_size) {
    double largest = 0;
    for (int i = 0; i < body->nodes; ++i)
        for (int k = 0; k < 3; ++k)
            largest = fmax(largest, fabs(body->position[i][k]));
    return real_size == sizeof(double) ? nextafter(largest, INFINITY) - largest
                                       : (double)(nextafterf((float)largest, INFINITY) - (float)largest);
}

/* A pseudo-random -1, 0 or 1, from the seed and the coordinate's number, by the finaliser of SplitMix64 (Steele, Lea
 * and Flood, 2014). */
static int random_sign(uint64_t seed, uint64_t coordinate) {
    uint64_t x = seed * 0x9e3779b97f4a7c15u + coordinate * 0xd1b54a32d192ed03u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (int)((x ^ (x >> 31)) % 3) - 1;
}

void network_fill_positions(const struct body *body, int real_size, void *out) {
    const double unit = body->noise ? last_place(body, real_size) : 0;
    for (int i = 0; i < body->nodes; ++i) {
        for (int k = 0; k < 3; ++k) {
            const bool moves = body->noise && !body->pinned[i];
            const double noise = moves ? unit * random_sign(body->noise, 3 * (uint64_t)i + (uint64_t)k) : 0;
            real_store(out, 4 * (size_t)i + (size_t)k, body->position[i][k] + noise, real_size);
        }
        real_store(out, 4 * (size_t)i + 3, body->pinned[i] ? 0 : 1 / body->mass, real_size);
    }
}

void network_fill_springs(const struct body *body, int real_size, int *ends, void *rest) {
    size_t s = 0;
    for (int i = 0; i < body->nodes; ++i)
        for (int slot = 0; slot < body_slots(body, i); ++slot) {
            int other;
            double length;
            if (!body_spring(body, i, slot, &other, &length) || other <= i)
                continue;
            if (ends) {
                ends[2 * s] = i;
                ends[2 * s + 1] = other;
            } else {
                real_store(rest, s, length, real_size);
            }
            ++s;
        }
}

void network_fill(const struct run *run, const struct body *body, const struct program *program, int buffer,
                  void *out) {
    const struct {
        const char *name;
        const void *from;
    } arrays[] = {{"start", body->start},
                  {"ring_end", body->ring_end},
                  {"neighbour", body->neighbour},
                  {"triangle", body->triangle},
                  {"fan_start", body->fan_start},
                  {"fan", body->fan},
                  {"solid_start", body->solid_start}};
    const char *name = program->buffers[buffer].name;
    const size_t bytes = buffer_size(&program->buffers[buffer]);
    if (!bytes)
        return;
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; ++a)
        if (!strcmp(name, arrays[a].name))
            memcpy(out, arrays[a].from, bytes);
    if (buffer == program->positions)
        network_fill_positions(body, program->real_size, out);
    else if (buffer == program->velocities)
        fill_push(run, body, program->real_size, out);
    else if (!strcmp(name, "rest"))
        for (size_t k = 0; k < 2 * (size_t)body->springs; ++k)
            real_store(out, k, body->rest[k], program->real_size);
    else if (!strcmp(name, "spring"))
        network_fill_springs(body, program->real_size, out, NULL);
    else if (!strcmp(name, "spring_rest"))
        network_fill_springs(body, program->real_size, NULL, out);
}

/* ---- Tetrahedra and pairs at rest ---- */

static double element_at_rest(const double *const corner[4], double inverse[9]) {
    double edge[3][3], row[3], determinant = 0;
    for (int k = 0; k < 9; ++k)
        edge[k / 3][k % 3] = corner[k / 3 + 1][k % 3] - corner[0][k % 3];
    vector_cross(edge[1], edge[2], row);
    for (int k = 0; k < 3; ++k)
        determinant += edge[0][k] * row[k];
    for (int r = 0; r < 3; ++r) {
        vector_cross(edge[(r + 1) % 3], edge[(r + 2) % 3], row);
        for (int k = 0; k < 3; ++k)
            inverse[3 * r + k] = determinant != 0 ? row[k] / determinant : 0;
    }
    return determinant / 6;
}

void element_fill_rest(const struct body *body, const double *tip, size_t reals, int real_size, void *out) {
    const struct part *elements = &body->prepared.parts[tip ? PART_TRIANGLES : PART_TETRAHEDRA];
    const size_t own = tip ? 3 : 4;
    for (size_t c = 0; c < (size_t)elements->count; ++c) {
        const double *corner[4] = {tip};
        double rest[10];
        for (size_t k = 0; k < own; ++k)
            corner[4 - own + k] = body->position[elements->particle[own * c + k]];
        rest[9] = fabs(element_at_rest(corner, rest));
        for (size_t k = 0; k < reals; ++k)
            real_store(out, reals * c + k, rest[k], real_size);
    }
}

void element_fill_lengths(const struct body *body, enum body_part part, int real_size, void *out) {
    const struct part *pairs = &body->prepared.parts[part];
    for (size_t c = 0; c < (size_t)pairs->count; ++c) {
        const int *ends = pairs->particle + 2 * c;
        real_store(out, c, vector_distance(body->position[ends[0]], body->position[ends[1]]), real_size);
    }
}
