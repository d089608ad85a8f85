/* Tests of ground, plate and torque. Most tests compare results with closed forms. Collisions that are computed on the
 * host must give bit-identical results. */
#include "subject.h"

#define REAL_IS_double
#include "mass_spring.h"

/* A method whose springs have no stiffness. With mass_spring, the nodes then move independently. */
#define LOOSE "method: {name: %s, stiffness: 0 N/m, precision: double}\n"

static const char *const names[] = {"mass_spring", "volume_constraint"};

/* The index of the lowest (sign -1) or highest (sign 1) node of the body. */
static int extreme(const struct body *body, int sign) {
    int found = 0;
    for (int i = 1; i < body->nodes; ++i)
        if (sign * body->position[i][1] > sign * body->position[found][1])
            found = i;
    return found;
}

/* ---- Ground ---- */

/* What is measured while a node falls from 1 m above the ground. The ground is at a height of 0.5 m. */
struct fall {
    double lowest;        /* m above the ground */
    double highest_after; /* m above the ground, between the first contact and the second */
    double speed_after;   /* m/s upward, after the first contact */
    bool is_at_rest;      /* at the end: exactly on the ground, with no vertical velocity */
};

static struct fall fall_of(double restitution) {
    struct subject s;
    struct fall fall = {INFINITY, -INFINITY, NAN, false};
    bool touched = false, again = false;
    subject_create(&s, subject_octahedron, "node_mass: 3 kg",
                   LOOSE "scene: {gravity: [0, -9.8 m/s^2, 0], ground: {height: 0.5 m, drop: 1 m, restitution: %g}}\n"
                         "time: {step: 0.1 ms, frames: 12000}\n",
                   "mass_spring", restitution);
    const int node = extreme(&s.model.body, -1);
    subject_open(&s, "serial");
    double before = -1;
    for (int f = 0; f < 12000; ++f) {
        const struct state *state;
        cr_assert_eq(simulation_advance(s.simulation), STATUS_OK);
        cr_assert_eq(simulation_observe(s.simulation, false, &state), STATUS_OK);
        const double y = subject_position(&s, state, node, 1) - 0.5, v = subject_velocity(&s, state, node, 1);
        fall.lowest = fmin(fall.lowest, y);
        again = again || (touched && before < 0 && v >= 0);
        if (!touched && v >= 0) {
            touched = true;
            fall.speed_after = v;
        }
        if (touched && !again)
            fall.highest_after = fmax(fall.highest_after, y);
        fall.is_at_rest = y == 0 && v == 0;
        before = v;
    }
    subject_free(&s);
    return fall;
}

Test(ground, a_node_that_is_dropped_stops_there_or_bounces_as_restitution_says) {
    static const double restitutions[] = {0, 0.3, 0.7, 1};
    const double arrival = sqrt(2 * 9.8), within = arrival * 1e-4; /* m/s; m, the motion in a step */
    for (int k = 0; k < 4; ++k) {
        const double e = restitutions[k];
        const struct fall fall = fall_of(e);
        cr_expect_geq(fall.lowest, 0, "lowest height above the ground: %g m", fall.lowest);
        cr_expect_float_eq(fall.speed_after, e * arrival, 3 * 9.8e-4, "%g: %g m/s", e, fall.speed_after);
        cr_expect_float_eq(fall.highest_after, e * e, 3 * within, "%g: %g m", e, fall.highest_after);
        cr_expect_eq(fall.is_at_rest, e == 0);
    }
}

/* A node with the velocity v slides by v^2 / (2 mu g) in the direction of v, and stops. */
Test(ground, a_node_slides_to_a_stop_by_coulombs_law) {
    const double mu = 0.4, g = 9.8, speed = 2, distance = speed * speed / (2 * mu * g), direction[2] = {0.6, -0.8};
    struct subject s;
    double velocity[6][3] = {{0}};
    subject_create(&s, subject_octahedron, "node_mass: 3 kg",
                   LOOSE "scene: {gravity: [0, -9.8 m/s^2, 0], ground: {height: -2 m, friction: 0.4}}\n"
                         "time: {step: 0.1 ms, frames: 6000}\n",
                   "mass_spring");
    const int node = extreme(&s.model.body, -1);
    const double start[2] = {s.model.body.position[node][0], s.model.body.position[node][2]};
    velocity[node][0] = speed * direction[0];
    velocity[node][2] = speed * direction[1];
    subject_open(&s, "serial");
    subject_set(&s, (const double(*)[3])s.model.body.position, (const double(*)[3])velocity);
    const struct state *state = state_after(s.simulation, 2000); /* after 0.2 s the velocity is v - mu g t */
    const double left = hypot(subject_velocity(&s, state, node, 0), subject_velocity(&s, state, node, 2));
    cr_expect_float_eq(left, speed - mu * g * 0.2, 1e-9, "%g", left);
    state = state_after(s.simulation, 4000);
    cr_expect_eq(subject_velocity(&s, state, node, 0), 0);
    cr_expect_eq(subject_velocity(&s, state, node, 2), 0);
    for (int k = 0; k < 2; ++k)
        cr_expect_float_eq(subject_position(&s, state, node, 2 * k) - start[k], distance * direction[k], speed * 1e-4);
    cr_expect_eq(subject_position(&s, state, node, 1), -2);
    subject_free(&s);
}

Test(ground, without_friction_nothing_stops_a_node_along_it) {
    struct subject s;
    double velocity[6][3] = {{0}};
    subject_create(&s, subject_octahedron, "node_mass: 3 kg",
                   LOOSE "scene: {ground: {height: 0 m}}\ntime: {step: 1 ms, frames: 10}\n", "mass_spring");
    const int node = extreme(&s.model.body, -1);
    velocity[node][0] = 0.75;
    subject_open(&s, "serial");
    subject_set(&s, (const double(*)[3])s.model.body.position, (const double(*)[3])velocity);
    cr_expect_eq(subject_velocity(&s, state_after(s.simulation, 10), node, 0), 0.75);
    subject_free(&s);
}

/* ---- Plate ---- */

/* Gravity acts upward, so that a node touches the plate and shows where the plate is. */
Test(plate, comes_down_stops_and_is_removed) {
    for (int n = 0; n < 2; ++n) {
        const double gap = 0.1, speed = 0.5, depth = 0.3, step = 1e-3;
        struct subject s;
        subject_create(&s, subject_octahedron, "node_mass: 3 kg, surface: {length: 4 m}",
                       LOOSE "scene: {gravity: [0, 40 m/s^2, 0], plate: {speed: 0.5 m/s, gap: 0.1 m, depth: 0.3, "
                             "until: 3 s}}\ntime: {step: 1 ms, frames: 3100}\n",
                       names[n]);
        const int node = extreme(&s.model.body, 1);
        subject_open(&s, "serial");
        int touched = 0, stood = 0;
        double before = 0;
        for (int f = 1; f <= 3100; ++f) {
            const struct state *state = state_after(s.simulation, 1);
            const double y = subject_position(&s, state, node, 1), v = subject_velocity(&s, state, node, 1);
            const double moving = 2 + gap - speed * step * f, stop = 2 - depth * 4;
            const double height = fmax(moving, stop);
            if (f >= 3000) {
                cr_expect_gt(y, before, "step %d: the removed plate still holds the node", f);
            } else if (f >= 2600 && f <= 2625) { /* the plate stops; the nodes move on by 0.5^2 / (2 * 40) m */
                cr_expect(y <= stop + 1e-12 && y > stop - 0.004, "step %d: %g", f, y);
            } else if (touched || y >= height - 1e-12) {
                cr_expect_float_eq(y, height, 1e-12, "%s step %d: %g, not %g", names[n], f, y, height);
                cr_expect_float_eq(v, f < 2600 ? -speed : 0, 1e-12, "step %d: %g m/s", f, v);
                ++touched;
                stood += height == stop;
            } else {
                cr_expect_lt(y, height, "step %d", f);
                cr_expect_lt(f, 100, "no contact, but 40 t^2 / 2 is 0.1 m after 71 ms");
            }
            before = y;
        }
        cr_expect_gt(touched, 2870);
        cr_expect_eq(stood, 374, "%d steps at the plate after it has stopped", stood);
        cr_expect_gt(before, 0.8 + 0.1);
        subject_free(&s);
    }
}

/* The ground is at 1 m. The plate is at 0.5 m, and keeps nodes below this height. If ground and plate both act, the
 * ground acts last. A removed plate has no effect. */
Test(plate, what_is_between_plate_and_ground_lies_on_the_ground) {
    const struct contact_parameters p = {
        .ground = 1, .placed = 1, .plate_start = 0.5, .plate_stop = 0.5, .plate_speed = 1};
    const struct motion above = {{0, 2, 0}, {0, 3, 0}}, beneath = {{0, 0.2, 0}, {0, -1, 0}};
    const int both = CONTACT_GROUND | CONTACT_PLATE;
    cr_expect_eq(contact_keep_out(above, 1, 5, 1, both, 100, p).x.y, 1);
    cr_expect_eq(contact_keep_out(beneath, 1, 5, 1, both, 100, p).x.y, 1);
    cr_expect_eq(contact_keep_out(above, 1, 5, 1, CONTACT_GROUND, 100, p).x.y, 2);
    cr_expect_eq(contact_keep_out(above, 1, 5, 1, CONTACT_PLATE, 100, p).x.y, 0.5);
    cr_expect_eq(contact_keep_out(above, 1, 5, 1, CONTACT_PLATE, 5, p).x.y, 2, "the plate is removed at step 5");
    cr_expect_eq(contact_keep_out(beneath, 1, 5, 1, 0, 100, p).x.y, 0.2);
}

Test(ground, pinned_nodes_stay_where_they_are) {
    struct subject s;
    subject_create(&s, subject_octahedron, "node_mass: 3 kg, surface: {pins: highest}",
                   LOOSE "scene: {ground: {height: 0 m}, plate: {speed: 1 m/s}}\ntime: {step: 1 ms, frames: 10}\n",
                   "mass_spring");
    const int node = extreme(&s.model.body, 1);
    subject_open(&s, "serial");
    cr_expect_eq(subject_position(&s, state_after(s.simulation, 10), node, 1), 2);
    subject_free(&s);
}

/* ---- Collisions on the host ---- */

static void hash_of(const char *name, const char *collisions, const char *ground, const char *precision,
                    const char *backend, char out[DIGEST_SIZE]) {
    struct subject s;
    subject_create(&s, subject_torus, "node_mass: 1 kg",
                   "method: {name: %s, stiffness: 5000 N/m, damping: 20 N s/m, precision: %s}\n"
                   "scene: {ground: {height: 0.1 m, drop: 0 m, restitution: 0.2, friction: 0.3%s}, "
                   "plate: {speed: 2 m/s, depth: 0.4}, collisions: %s}\n"
                   "time: {step: 0.1 ms, steps_per_frame: 40, frames: 3}\n",
                   name, precision, ground, collisions);
    subject_open(&s, backend);
    const struct state *state = state_after(s.simulation, 3);
    cr_expect_not(state->diverged);
    memcpy(out, state->hash, DIGEST_SIZE);
    subject_free(&s);
}

Test(contact, ends_in_the_same_bits_on_all_backends_and_on_the_host) {
    static const char *const backends[] = {"serial", "threads:2", "threads:5", "opencl"}, *const places[] = {"host",
                                                                                                             "device"};
    char references[2][DIGEST_SIZE], hash[DIGEST_SIZE];
    for (int k = 0; k < 8; ++k) {
        const char *name = names[k % 2], *precision = k % 4 < 2 ? "float" : "double",
                   *scaled = k < 4 ? "" : ", velocity_factor: -0.1, lift: 1 mm";
        char *reference = references[k / 4];
        hash_of(name, "device", scaled, precision, "serial", reference);
        for (int b = 0; b < 8; ++b) {
            hash_of(name, places[b / 4], scaled, precision, backends[b % 4], hash);
            cr_expect_str_eq(hash, reference, "%s %s on %s%s", name, precision, backends[b % 4], scaled);
        }
    }
    cr_expect_str_neq(references[0], references[1]);
}

/* ---- Torque ---- */

/* After the time t, a torque tau has given the body the angular momentum tau t about the vertical axis, but no
 * momentum. */
Test(twist, changes_the_angular_momentum_by_torque_times_time) {
    for (int n = 0; n < 2; ++n)
        for (int sign = -1; sign < 2; sign += 2) {
            struct subject s;
            subject_create(&s, subject_cube, "node_mass: 2 kg",
                           "method: {name: %s, stiffness: 1000 N/m, precision: double}\n"
                           "scene: {gravity: [0, 0, 0], twist: {torque: %d N m}}\n"
                           "time: {step: 0.1 ms, steps_per_frame: 100, frames: 2}\n",
                           names[n], 3 * sign);
            subject_open(&s, "serial");
            for (int f = 1; f < 3; ++f) {
                const struct state *state = state_after(s.simulation, 1);
                const double y = subject_value(&s, state, "angular_momentum_y");
                cr_expect_float_eq(y, sign * 0.03 * f, 1e-8, "%s: %g", names[n], y);
                cr_expect_lt(fabs(subject_value(&s, state, "angular_momentum_x")), 1e-8);
                cr_expect_lt(fabs(subject_value(&s, state, "momentum_x")), 1e-13);
                cr_expect_lt(fabs(subject_value(&s, state, "momentum_y")), 1e-13);
            }
            subject_free(&s);
        }
}

/* Let r be the vector from the vertical axis to a node, and y the unit vector upward. The force on each of the 81 nodes
 * of the top is tau (y x r) / (sum of r . r). There is no force on the other nodes. */
Test(twist, acts_on_the_highest_nodes_alone) {
    struct subject s;
    subject_create(&s, subject_cube, "node_mass: 2 kg",
                   LOOSE "scene: {gravity: [0, 0, 0], twist: {torque: 3 N m}}\ntime: {step: 1 ms, frames: 1}\n",
                   "mass_spring");
    const struct body *body = &s.model.body;
    double inertia = 0;
    int turned = 0;
    for (int i = 0; i < body->nodes; ++i)
        if (body->position[i][1] == body->position[extreme(body, 1)][1])
            inertia += pow(body->position[i][0], 2) + pow(body->position[i][2], 2);
    subject_open(&s, "serial");
    const struct state *state = state_after(s.simulation, 1);
    for (int i = 0; i < body->nodes; ++i) {
        const bool is_highest = body->position[i][1] == body->position[extreme(body, 1)][1];
        const double scale = is_highest ? 3 / inertia / 2 * 1e-3 : 0;
        turned += is_highest;
        cr_expect_float_eq(subject_velocity(&s, state, i, 0), scale * body->position[i][2], 1e-15);
        cr_expect_eq(subject_velocity(&s, state, i, 1), 0);
        cr_expect_float_eq(subject_velocity(&s, state, i, 2), -scale * body->position[i][0], 1e-15);
    }
    cr_expect_eq(turned, 81);
    subject_free(&s);
}

/* As in va2023's program (kernels/contact.h), a node below the ground is moved to a height above the ground, and all
 * components of its velocity are multiplied by a factor. */
Test(ground, a_lift_places_a_node_and_a_factor_scales_its_velocity) {
    const struct contact_parameters p = {.ground = 1, .placed = 1.001, .velocity_factor = -0.1, .friction = 1};
    const struct motion beneath = {{3, 0.2, 4}, {5, -20, 7}}, above = {{3, 1, 4}, {5, -20, 7}};
    const struct motion m = contact_keep_out(beneath, 1, 5, 1, CONTACT_GROUND | CONTACT_SCALED, 0, p);
    const double expected[] = {3, 1.001, 4, -0.5, 2, -0.1 * 7}, *is = &m.x.x;
    for (int k = 0; k < 6; ++k)
        cr_expect_eq(is[k], expected[k], "%d: %g", k, is[k]);
    cr_expect_eq(contact_keep_out(above, 1, 5, 1, CONTACT_GROUND | CONTACT_SCALED, 0, p).v.y, -20,
                 "the velocity of a node on the ground must not change");
    cr_expect_eq(contact_keep_out(beneath, 0, 5, 1, CONTACT_GROUND | CONTACT_SCALED, 0, p).x.y, 0.2,
                 "a pinned node has moved");
    const struct motion lifted = contact_keep_out(beneath, 1, 5, 1, CONTACT_GROUND | CONTACT_LIFTED, 0, p);
    cr_expect_eq(lifted.x.y, 1.001);
    cr_expect_eq(lifted.v.y, 0, "without a factor the restitution applies, which is 0");
}
