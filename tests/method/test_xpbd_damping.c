/* Tests of xpbd with the velocity damping of Mueller et al. (2007, section 3.5): which quantities the damping
 * conserves, and which it reduces. */
#include "subject.h"

static void ball(struct mesh *mesh) {
    shape_icosphere(2, mesh);
}

/* Make a ball in double precision. The free nodes have random velocities. `k` is method.velocity_damping. With a large
 * `compliance`, the springs have almost no force. */
static void create(struct subject *s, const char *pins, double k, const char *compliance, const char *gravity,
                   int frames) {
    char *body = text_format("node_mass: 0.1 kg, surface: {pins: %s, pins_depth: 0.1}", pins);
    subject_create(s, ball, body,
                   "method: {name: xpbd, precision: double, spring: stretching, compliance: %s, velocity_damping: "
                   "%.17g, iterations: 4}\nscene: {gravity: [0, %s, 0]}\ntime: {step: 10 ms, frames: %d}\n",
                   compliance, k, gravity, frames);
    free(body);
    subject_open(s, "serial");
    const int nodes = s->model.body.nodes;
    double(*v)[3] = memory_new((size_t)nodes, sizeof *v);
    unsigned seed = 3;
    for (int i = 0; i < nodes; ++i)
        for (int c = 0; c < 3; ++c)
            v[i][c] = s->model.body.pinned[i] ? 0 : 0.5 * subject_random(&seed) + (c == 1 ? 0.25 : 0);
    subject_set(s, (const double(*)[3])s->model.body.position, (const double(*)[3])v);
    free(v);
}

static const char *const kept[] = {"momentum_x",         "momentum_y",         "momentum_z",
                                   "angular_momentum_x", "angular_momentum_y", "angular_momentum_z"};
enum { KEPT = sizeof kept / sizeof *kept };

static const struct state *now(const struct subject *s) {
    const struct state *state;
    cr_assert_eq(simulation_observe(s->simulation, true, &state), STATUS_OK);
    return state;
}

/* The momentum and the angular momentum are conserved. The damping multiplies the velocities relative to the rigid
 * motion by 1 - k, and the energy of these velocities by (1 - k)^2. The case k = 1 leaves only the rigid motion, and
 * therefore gives the energy of the rigid motion. */
Test(xpbd_damping, takes_a_share_of_all_but_the_motion_of_the_whole) {
    static const double shares[] = {1, 0.3, 0.01};
    static const char *const pins[] = {"none", "highest"};
    for (int p = 0; p < 2; ++p) {
        double whole = 0;
        for (int k = 0; k < 3; ++k) {
            struct subject s;
            double before[KEPT];
            create(&s, pins[p], shares[k], "1e30", "0 m/s^2", 1);
            const struct state *state = now(&s);
            const double energy = subject_value(&s, state, "kinetic_energy");
            for (int q = 0; q < KEPT; ++q)
                before[q] = subject_value(&s, state, kept[q]);
            state = state_after(s.simulation, 1);
            for (int q = 0; q < KEPT; ++q)
                cr_expect_float_eq(subject_value(&s, state, kept[q]), before[q], 1e-13, "%s, pins %s, k = %g: %g",
                                   kept[q], pins[p], shares[k], subject_value(&s, state, kept[q]) - before[q]);
            const double left = subject_value(&s, state, "kinetic_energy");
            whole = k ? whole : left;
            const double expected = whole + (1 - shares[k]) * (1 - shares[k]) * (energy - whole);
            cr_expect_float_eq(left, expected, 1e-13, "pins %s, k = %g: %.15g, not %.15g", pins[p], shares[k], left,
                               expected);
            cr_expect(whole > 0.01 * energy && whole < 0.9 * energy, "%g of %g", whole, energy);
            subject_free(&s);
        }
    }
}

/* With k = 1 the velocities are those of a rigid body: no edge changes its length. */
Test(xpbd_damping, what_is_left_of_all_taken_is_rigid) {
    struct subject s;
    create(&s, "none", 1, "1e30", "0 m/s^2", 1);
    const struct state *state = state_after(s.simulation, 1);
    const struct body *body = &s.model.body;
    double worst = 0, fastest = 0;
    for (int i = 0; i < body->nodes; ++i)
        for (int n = body->start[i]; n < body->start[i + 1]; ++n) {
            double along = 0, speed = 0;
            for (int c = 0; c < 3; ++c) {
                const int j = body->neighbour[n];
                const double d = body->position[j][c] - body->position[i][c],
                             v = subject_velocity(&s, state, j, c) - subject_velocity(&s, state, i, c);
                along += d * v;
                speed += v * v;
            }
            worst = fmax(worst, fabs(along));
            fastest = fmax(fastest, sqrt(speed));
        }
    cr_expect_lt(worst, 1e-14, "%g", worst);
    cr_expect_gt(fastest, 1e-3, "the body does not rotate: %g m/s", fastest);
    subject_free(&s);
}

/* With damping, the centre of a body falls as far as without damping, but the body has less kinetic energy. */
Test(xpbd_damping, does_not_hold_the_fall_of_a_body) {
    double place[2][3], energy[2];
    for (int d = 0; d < 2; ++d) {
        struct subject s;
        create(&s, "none", d ? 0.2 : 0, "1e-3", "-10 m/s^2", 50);
        const struct state *state = state_after(s.simulation, 50);
        for (int c = 0; c < 3; ++c) {
            place[d][c] = 0;
            for (int i = 0; i < s.model.body.nodes; ++i)
                place[d][c] += subject_position(&s, state, i, c) / s.model.body.nodes;
        }
        energy[d] = subject_value(&s, state, "kinetic_energy");
        subject_free(&s);
    }
    for (int c = 0; c < 3; ++c)
        cr_expect_float_eq(place[1][c], place[0][c], 1e-12, "%g and %g", place[0][c], place[1][c]);
    cr_expect_lt(energy[1], energy[0] - 0.01, "%g and %g", energy[0], energy[1]);
}

/* The damping has no effect on a body whose nodes are all pinned, and on free nodes that fall together. */
Test(xpbd_damping, of_one_node_there_is_nothing_to_take) {
    struct subject s;
    subject_create(&s, subject_tetrahedron, "node_mass: 1 kg, surface: {pins: lowest, pins_depth: 1}",
                   "method: {name: xpbd, spring: stretching, velocity_damping: 0.5}\n"
                   "time: {step: 10 ms, frames: 3}\n");
    subject_open(&s, "serial");
    const struct state *state = state_after(s.simulation, 3);
    cr_expect_not(state->diverged);
    for (int i = 0; i < 4; ++i)
        for (int c = 0; c < 3; ++c)
            cr_expect_eq(subject_velocity(&s, state, i, c), 0);
    subject_free(&s);
    static const double mass = 1, fall[] = {10 * 0.01 * 0.01};
    subject_create(&s, subject_tetrahedron, "node_mass: 1 kg, surface: {pins: lowest, pins_depth: 0.5}",
                   "method: {name: xpbd, precision: double, spring: stretching, compliance: 1e30, velocity_damping: "
                   "0.5}\nscene: {gravity: [0, -10 m/s^2, 0]}\ntime: {step: 10 ms, frames: 1}\n");
    subject_open(&s, "serial");
    state = state_after(s.simulation, 1);
    int moving = 0;
    for (int i = 0; i < 4; ++i) {
        moving += !s.model.body.pinned[i];
        cr_expect_float_eq(subject_position(&s, state, i, 1) - s.model.body.position[i][1],
                           s.model.body.pinned[i] ? 0 : -fall[0] * mass, 1e-15);
    }
    cr_expect(moving > 0 && moving < 4, "%d move", moving);
    subject_free(&s);
}
