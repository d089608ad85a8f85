/* Networks of springs: what the methods on them share. Parameters, contents of buffers, and what is measured. */
#ifndef SPRINGBACK_METHOD_NETWORK_H
#define SPRINGBACK_METHOD_NETWORK_H

#include "body/body.h"
#include "method/method.h"

#define REAL_IS_double /* of the host's parameters and of what is measured */
#include "mass_spring.h"

static inline vec3 vec3_from(const double at[3]) {
    return vec3_of(at[0], at[1], at[2]);
}

/* The reals at the beginning of the parameters, in bytes. */
#define MASS_SPRING_REALS offsetof(struct mass_spring_parameters, columns)

/* From the run and what body_describe gives: springs, weight, push, ground, plate, torque. */
struct mass_spring_parameters network_parameters(const struct run *run, const struct body *body);

/* The same without the springs' stiffness and damping, for methods that have none. */
struct mass_spring_parameters network_scene(const struct run *run, const struct body *body);

/* Tell a device's compiler what the scene has: contacts, a torque, a push (kernels/mass_spring.h). */
void network_add_constants(struct program *program, const struct mass_spring_parameters *p);

/* Of methods whose constraints are a mesh's: whether the body is one, with body.surface.inside as wanted. Else says
 * what would be right. */
int network_check_inside(const struct run *run, const struct body *body, const char *wanted);

/* Whether there is anything to collide with, and the run has it done on the host. */
bool network_collides_on_host(const struct run *run);

/* Fill a buffer by its name with what it holds at the start; one of another name is left alone. The program's positions
 * and velocities: [nodes] quads, with the inverse mass and the share of push or torque in w. start, ring_end,
 * neighbour, triangle, fan_start, fan and solid_start: the body's arrays. rest: [2 springs] rest lengths beside the
 * neighbours. spring and spring_rest: each spring once, its two ends and its rest length. */
void network_fill(const struct run *run, const struct body *body, const struct program *program, int buffer, void *out);
void network_fill_positions(const struct body *body, int real_size, void *out);

/* Each spring once, in the order of its first node and that node's slots: its two ends; or, without `ends`, its rest
 * length. */
void network_fill_springs(const struct body *body, int real_size, int *ends, void *rest);

/* What is measured of any nodes; the last three of closed bodies alone. Behind the first stands what is of springs. */
#define QUANTITY_OF_MOTION                                                                                             \
    { "kinetic_energy", "J", "m v^2 / 2, summed over the nodes", QUANTITY_SUM }
#define QUANTITIES_OF_OPEN                                                                                             \
    {"potential_energy", "J", "-m g . x, summed over the nodes", QUANTITY_SUM},                                        \
        {"momentum_x", "kg m/s", "m v along x", QUANTITY_SUM}, {"momentum_y", "kg m/s", "m v along y", QUANTITY_SUM},  \
        {"momentum_z", "kg m/s", "m v along z", QUANTITY_SUM},                                                         \
        {"angular_momentum_x", "kg m^2/s", "m x cross v about the x axis", QUANTITY_SUM},                              \
        {"angular_momentum_y", "kg m^2/s", "m x cross v about the y axis", QUANTITY_SUM},                              \
        {"angular_momentum_z", "kg m^2/s", "m x cross v about the z axis", QUANTITY_SUM},                              \
        {"largest_strain", "1", "largest |length / rest - 1| of all springs", QUANTITY_MAX}, {                         \
        "largest_speed", "m/s", "largest speed of all nodes", QUANTITY_MAX                                             \
    }
#define QUANTITIES_OF_NODES                                                                                            \
    QUANTITIES_OF_OPEN, {"volume", "m^3", "of a closed body: va2023 (7)", QUANTITY_SUM},                               \
        {"volume_loss", "1", "1 - volume / volume at rest; below 0 where it grew", QUANTITY_SUM}, {                    \
        "volume_error", "1", "|1 - volume / volume at rest|", QUANTITY_MAGNITUDE                                       \
    }

/* What is measured of networks: the springs' energy is the second. */
enum { NETWORK_QUANTITIES = 14 };
extern const struct quantity network_quantities[NETWORK_QUANTITIES];
int network_quantity_count(const struct body *body);

/* As struct method has it, of a method that has `own` quantities in the place of the springs' energy. The first of
 * these, if any, is given that energy; the others are left alone. */
void network_measure(struct mass_spring_parameters p, const struct body *body, const double (*position)[3],
                     const double (*velocity)[3], int begin, int end, int own, double *const *out);

/* Write of each tetrahedron of a body at rest the inverse of Q, whose columns are p_1 - p_0, p_2 - p_0 and p_3 - p_0,
 * by rows, in 1/m; and, if there are ten `reals`, its volume, in m^3. Of a flat one, which has no inverse, zeros: its
 * constraints have no gradient then, and do nothing. With a tip, p_0, the same of each triangle of the surface. */
void element_fill_rest(const struct body *body, const double *tip, size_t reals, int real_size, void *out);

/* Write the distance at rest of each pair of a part's particles. */
void element_fill_lengths(const struct body *body, enum body_part part, int real_size, void *out);

#endif
