/* Networks of springs: parameters, buffer contents and measured quantities that several methods share. */
#ifndef SPRINGBACK_METHOD_NETWORK_H
#define SPRINGBACK_METHOD_NETWORK_H

#include "body/body.h"
#include "method/method.h"

#define REAL_IS_double /* precision of the host's parameters and of measurements */
#include "mass_spring.h"

static inline vec3 vec3_from(const double at[3]) {
    return vec3_of(at[0], at[1], at[2]);
}

static inline vec3 position_in(const struct node_motion *motion, int node) {
    const int k = node - motion->first;
    return vec3_of(motion->position[0][k], motion->position[1][k], motion->position[2][k]);
}

static inline vec3 velocity_in(const struct node_motion *motion, int node) {
    const int k = node - motion->first;
    return vec3_of(motion->velocity[0][k], motion->velocity[1][k], motion->velocity[2][k]);
}

/* Bytes of the reals at the start of the parameters. */
#define MASS_SPRING_REALS offsetof(struct mass_spring_parameters, columns)

/* Parameters from the run and from what body_describe sets: springs, gravity, push, ground, plate, torque. */
struct mass_spring_parameters network_parameters(const struct run *run, const struct body *body);

/* Like network_parameters, but without the springs' stiffness and damping. For methods that do not have these
 * fields. */
struct mass_spring_parameters network_scene(const struct run *run, const struct body *body);

/* Define macros for a device's compiler (kernels/mass_spring.h). They say which contacts the scene has, and whether it
 * has a torque or a push. */
void network_add_constants(struct program *program, const struct mass_spring_parameters *p);

/* For methods whose constraints are those of a mesh. Fails if the body is not a mesh, or if body.surface.inside is not
 * `wanted`. The message names the expected value. */
int network_check_inside(const struct run *run, const struct body *body, const char *wanted);

/* Whether there is a ground or plate and the run computes contacts on the host. */
bool network_collides_on_host(const struct run *run);

/* Fill a buffer, chosen by its name, with its initial content. A buffer with another name is left unchanged.
 *
 *   position     [nodes] quads; w is the node's inverse mass in 1/kg, 0 if the node is pinned
 *   velocity     [nodes] quads; w is the part of the push or torque that acts on the node, 0 to 1
 *   rest         [2 springs] rest lengths in m, in the order of `neighbour`
 *   spring       [springs][2] the two ends of each spring; each spring is listed once
 *   spring_rest  [springs] rest lengths in m, in the order of `spring`
 *   start, ring_end, neighbour, triangle, fan_start, fan, solid_start: the body's arrays
 *
 * network_fill_positions writes the positions alone. If body->noise is not 0, network_fill and network_fill_positions
 * change the positions of the nodes that are not pinned. Each coordinate changes by -1, 0 or 1 unit in the last place
 * of the largest coordinate. */
void network_fill(const struct run *run, const struct body *body, const struct program *program, int buffer, void *out);
void network_fill_positions(const struct body *body, int real_size, void *out);

/* Write the two ends of each spring to `ends`, [springs][2]. If `ends` is NULL, write the rest length of each spring,
 * in m, to `rest`, [springs]. Each spring is written once. Springs are in the order of their first nodes; springs with
 * the same first node are in the order of this node's slots. */
void network_fill_springs(const struct body *body, int real_size, int *ends, void *rest);

/* Quantities of every method. QUANTITIES_OF_NODES adds three quantities that exist only for closed bodies. A method
 * inserts its own quantities after QUANTITY_OF_MOTION. */
#define QUANTITY_OF_MOTION                                                                                             \
    { "kinetic_energy", "J", "m v^2 / 2, summed over the nodes", QUANTITY_SUM }
#define QUANTITIES_OF_OPEN                                                                                             \
    {"potential_energy", "J", "-m g . x, summed over the nodes", QUANTITY_SUM},                                        \
        {"momentum_x", "kg m/s", "m v along x", QUANTITY_SUM}, {"momentum_y", "kg m/s", "m v along y", QUANTITY_SUM},  \
        {"momentum_z", "kg m/s", "m v along z", QUANTITY_SUM},                                                         \
        {"angular_momentum_x", "kg m^2/s", "x of the sum of m (position cross velocity) over the nodes",               \
         QUANTITY_SUM},                                                                                                \
        {"angular_momentum_y", "kg m^2/s", "y of the sum of m (position cross velocity) over the nodes",               \
         QUANTITY_SUM},                                                                                                \
        {"angular_momentum_z", "kg m^2/s", "z of the sum of m (position cross velocity) over the nodes",               \
         QUANTITY_SUM},                                                                                                \
        {"largest_strain", "1", "largest |length / rest - 1| of all springs", QUANTITY_MAX},                           \
        {"strain_99", "1", "99 % of the nodes have no spring with a larger |length / rest - 1|", QUANTITY_PERCENTILE}, \
    {                                                                                                                  \
        "largest_speed", "m/s", "largest speed of all nodes", QUANTITY_MAX                                             \
    }
#define QUANTITIES_OF_NODES                                                                                            \
    QUANTITIES_OF_OPEN, {"volume", "m^3", "volume of a closed body: va2023 (7)", QUANTITY_SUM},                        \
        {"volume_loss", "1", "1 - volume / volume at rest; below 0 if the volume grew", QUANTITY_SUM}, {               \
        "volume_error", "1", "|1 - volume / volume at rest|", QUANTITY_MAGNITUDE                                       \
    }

/* Quantities of networks of springs; the second quantity is the energy of the springs. network_quantity_count returns
 * how many of these quantities the body has. */
enum { NETWORK_QUANTITIES = 15 };
extern const struct quantity network_quantities[NETWORK_QUANTITIES];
int network_quantity_count(const struct body *body);

/* method.measure for networks. The method's list of quantities begins with the kinetic energy. Then follow `own`
 * quantities of the method. Last are the network_quantities from the third on. If `own` is not 0, network_measure
 * stores the springs' energy in the first of the method's `own` quantities, and does not change the other ones. */
void network_measure(struct mass_spring_parameters p, const struct body *body, const struct node_motion *motion,
                     int begin, int end, int own, double *const *out);

/* For each tetrahedron of a body at rest, write the inverse of Q by rows, in 1/m. The columns of Q are p_1 - p_0, p_2 -
 * p_0 and p_3 - p_0. `reals` is the number of reals for each tetrahedron: 9, or 10 to write also its volume, in m^3. Q
 * has no inverse if the tetrahedron is flat. Zeros are then written, so the constraints of the tetrahedron have no
 * effect.
 *
 * If `tip` is NULL, the tetrahedra are those of the body. Otherwise each tetrahedron consists of `tip` (p_0) and a
 * triangle of the surface. */
void element_fill_rest(const struct body *body, const double *tip, size_t reals, int real_size, void *out);

/* Write the rest length, in m, of each constraint of a part. Each constraint of the part must have two particles. */
void element_fill_lengths(const struct body *body, enum body_part part, int real_size, void *out);

#endif
