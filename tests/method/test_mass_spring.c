/* Tests of the physics of mass_spring, most of them comparisons with closed forms. */
#include "support.h"

#include <math.h>

#define REAL_IS_double
#include "mass_spring.h"

static const double pi = 3.14159265358979323846;

/* Make a plan with a run in double precision. The tests use only the run's parameters, and have their own bodies. */
static void parameters(struct plan *plan, double stiffness, double damping, double gravity, double step, int steps) {
    char *text =
        text_format("springback: 1\npaper: test\ntitle: t\n"
                    "body: {cloth: {nodes: [2, 2]}, node_mass: 1 kg}\n"
                    "method: {name: mass_spring, stiffness: %.17g N/m, damping: %.17g N s/m, precision: double}\n"
                    "scene: {gravity: [0, %.17g m/s^2, 0]}\n"
                    "time: {step: %.17g s, steps_per_frame: %d, frames: 1}\n",
                    stiffness, damping, gravity, step, steps);
    plan_from_text(text, plan);
    free(text);
}

static double coordinate(const struct state *state, int node, int k) {
    return ((const double *)state->position)[3 * node + k];
}

/* Open a simulation of these nodes and springs on the backend serial. */
static struct simulation *network(const struct plan *plan, struct model *model, const double (*position)[3],
                                  const bool *pinned, int nodes, const struct spring *springs, int count, double mass) {
    struct body body;
    body_of_springs(position, pinned, nodes, springs, count, mass, &body);
    model_of_body(&plan->runs[0], &body, model);
    return simulation_on(model, "serial");
}

/* A mass m of 2 kg on a spring of k = 50 N/m with the rest length L0 = 1 m, displaced by a = 0.1 m:
 * x(t) = L0 + a e^(-d t) (cos w t + d / w sin w t), with d = damping / (2 m) and w^2 = k / m - d^2. Returns the error
 * of x after 3 s, in metres. */
static double oscillator_error(double damping, double step) {
    const double position[2][3] = {{0, 0, 0}, {1.1, 0, 0}}, mass = 2, stiffness = 50, time = 3;
    const bool pinned[2] = {true, false};
    const struct spring spring = {0, 1, 1};
    struct plan plan;
    struct model model;
    parameters(&plan, stiffness, damping, 0, step, (int)lround(time / step));
    struct simulation *s = network(&plan, &model, position, pinned, 2, &spring, 1, mass);
    const double x = coordinate(state_after(s, 1), 1, 0);
    const double d = damping / (2 * mass), w = sqrt(stiffness / mass - d * d);
    const double expected = 1 + 0.1 * exp(-d * time) * (cos(w * time) + d / w * sin(w * time));
    simulation_close(s);
    model_free(&model);
    plan_free(&plan);
    return fabs(x - expected);
}

Test(mass_spring, a_mass_on_a_spring_follows_its_closed_form) {
    cr_expect_lt(oscillator_error(0, 1e-4), 3e-5);
    cr_expect_lt(oscillator_error(2, 1e-4), 3e-5);
}

Test(mass_spring, the_error_is_of_first_order) {
    const double ratio = oscillator_error(2, 2e-3) / oscillator_error(2, 1e-3);
    cr_expect(ratio > 1.8 && ratio < 2.2, "%g", ratio);
}

Test(mass_spring, a_pendulum_keeps_its_period) {
    const double amplitude = 0.02, g = 9.8, step = 1e-4;
    const double position[2][3] = {{0, 0, 0}, {sin(amplitude), -cos(amplitude), 0}};
    const bool pinned[2] = {true, false};
    const struct spring spring = {0, 1, 1};
    struct plan plan;
    struct model model;
    parameters(&plan, 1e6, 0, -g, step, 1);
    struct simulation *s = network(&plan, &model, position, pinned, 2, &spring, 1, 1);
    double before = 0, crossing[3];
    int crossings = 0;
    for (int f = 0; f < 60000 && crossings < 3; ++f) {
        const struct state *state;
        cr_assert_eq(simulation_advance(s), STATUS_OK);
        cr_assert_eq(simulation_observe(s, false, &state), STATUS_OK);
        const double x = coordinate(state, 1, 0);
        if (f && (x > 0) != (before > 0))
            crossing[crossings++] = (f + before / (before - x)) * step;
        before = x;
    }
    cr_assert_eq(crossings, 3);
    const double period = crossing[2] - crossing[0];
    const double expected = 2 * pi * sqrt(1 / g) * (1 + amplitude * amplitude / 16);
    cr_expect_float_eq(period, expected, 1e-4 * expected, "%g, not %g", period, expected);
    simulation_close(s);
    model_free(&model);
    plan_free(&plan);
}

Test(mass_spring, a_hanging_chain_stretches_by_its_weight) {
    enum { LINKS = 5 };
    const double mass = 0.3, g = 9.8, stiffness = 400;
    double position[LINKS + 1][3] = {{0}};
    bool pinned[LINKS + 1] = {true};
    struct spring springs[LINKS];
    for (int k = 0; k < LINKS; ++k) {
        position[k + 1][1] = -0.1 * (k + 1);
        springs[k] = (struct spring){k, k + 1, 0.1};
    }
    struct plan plan;
    struct model model;
    parameters(&plan, stiffness, 5, -g, 1e-3, 60000);
    struct simulation *s = network(&plan, &model, position, pinned, LINKS + 1, springs, LINKS, mass);
    const struct state *state = state_after(s, 1);
    double expected = 0;
    for (int k = 0; k < LINKS; ++k) {
        expected -= 0.1 + (LINKS - k) * mass * g / stiffness;
        cr_expect_float_eq(coordinate(state, k + 1, 1), expected, 1e-9);
    }
    simulation_close(s);
    model_free(&model);
    plan_free(&plan);
}

/* Open a simulation of a deformed tetrahedron of springs without gravity. */
static struct simulation *tumbling(struct plan *plan, struct model *model, double damping, double step, int steps) {
    const double position[4][3] = {{0, 0, 0}, {1.2, 0, 0.1}, {0.1, 0.9, 0}, {0, 0.2, 1.1}};
    const struct spring springs[] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {1, 2, 1.3}, {1, 3, 1.4}, {2, 3, 1.5}};
    parameters(plan, 30, damping, 0, step, steps);
    return network(plan, model, position, NULL, 4, springs, 6, 0.5);
}

static double value_of(const struct model *model, const struct state *state, const char *name) {
    for (int q = 0; q < model->method->quantity_count(&model->body); ++q)
        if (!strcmp(model->method->quantities[q].name, name))
            return state->values[q];
    cr_assert_fail("no quantity %s", name);
    return NAN;
}

/* The strain of a node is that of its most stretched spring. In this chain, node k has the strain k / 1000; the last
 * node has the same strain as the node before it. */
Test(mass_spring, the_strain_of_99_percent_of_the_nodes) {
    enum { LINKS = 200 };
    double position[LINKS + 1][3] = {{0}};
    struct spring springs[LINKS];
    for (int k = 0; k < LINKS; ++k) {
        position[k + 1][0] = position[k][0] + 1 + k / 1000.0;
        springs[k] = (struct spring){k, k + 1, 1};
    }
    struct plan plan;
    struct model model;
    parameters(&plan, 30, 0, 0, 1e-3, 1);
    struct simulation *s = network(&plan, &model, position, NULL, LINKS + 1, springs, LINKS, 0.5);
    const struct state *state = state_after(s, 0);
    cr_expect_float_eq(value_of(&model, state, "largest_strain"), 0.199, 1e-12);
    cr_expect_float_eq(value_of(&model, state, "strain_99"), 0.198, 1e-12);
    simulation_close(s);
    model_free(&model);
    plan_free(&plan);
}

Test(mass_spring, momenta_are_kept) {
    struct plan plan;
    struct model model;
    struct simulation *s = tumbling(&plan, &model, 0.3, 1e-3, 5000);
    const struct state *state = state_after(s, 1);
    static const char *const names[] = {"momentum_x",         "momentum_y",         "momentum_z",
                                        "angular_momentum_x", "angular_momentum_y", "angular_momentum_z"};
    for (int k = 0; k < 6; ++k)
        cr_expect_lt(fabs(value_of(&model, state, names[k])), 1e-12, "%s = %g", names[k],
                     value_of(&model, state, names[k]));
    cr_expect_gt(value_of(&model, state, "elastic_energy"), 0);
    simulation_close(s);
    model_free(&model);
    plan_free(&plan);
}

static double energy(const struct model *model, const struct state *state) {
    return value_of(model, state, "kinetic_energy") + value_of(model, state, "elastic_energy") +
           value_of(model, state, "potential_energy");
}

/* The largest deviation of the energy from its initial value in 2 s without damping, as a fraction of the initial
 * value. */
static double energy_drift(double step) {
    struct plan plan;
    struct model model;
    struct simulation *s = tumbling(&plan, &model, 0, step, 1);
    const double start = energy(&model, state_after(s, 0));
    double drift = 0;
    for (int f = 0; f < (int)lround(2 / step); ++f)
        drift = fmax(drift, fabs(energy(&model, state_after(s, 1)) - start));
    simulation_close(s);
    model_free(&model);
    plan_free(&plan);
    return drift / start;
}

Test(mass_spring, energy_drift_falls_with_the_step) {
    const double coarse = energy_drift(4e-3), middle = energy_drift(2e-3), fine = energy_drift(1e-3);
    cr_expect_lt(coarse, 0.1);
    cr_expect(coarse / middle > 1.7 && coarse / middle < 2.3, "%g", coarse / middle);
    cr_expect(middle / fine > 1.7 && middle / fine < 2.3, "%g", middle / fine);
}

Test(mass_spring, damping_only_takes_energy) {
    struct plan plan;
    struct model model;
    struct simulation *s = tumbling(&plan, &model, 1, 1e-4, 100);
    double before = energy(&model, state_after(s, 0));
    const double start = before;
    for (int f = 0; f < 200; ++f) {
        const double after = energy(&model, state_after(s, 1));
        cr_expect_leq(after, before + 1e-4 * start);
        before = after;
    }
    cr_expect_lt(before, 0.2 * start);
    simulation_close(s);
    model_free(&model);
    plan_free(&plan);
}

Test(mass_spring, the_force_is_the_gradient_of_the_energy) {
    unsigned seed = 7;
    for (int k = 0; k < 200; ++k) {
        double c[6];
        for (int j = 0; j < 6; ++j)
            c[j] = (double)(seed = seed * 1664525u + 1013904223u) / 4294967296.0;
        const vec3 still = vec3_of(0, 0, 0), p2 = vec3_of(c[3], c[4], c[5]);
        const double rest = 0.5, stiffness = 20, h = 1e-6;
        const vec3 force = spring_force(vec3_of(c[0], c[1], c[2]), still, p2, still, rest, stiffness, 0);
        const double component[3] = {force.x, force.y, force.z};
        for (int j = 0; j < 3; ++j) {
            double up[3] = {c[0], c[1], c[2]}, down[3] = {c[0], c[1], c[2]};
            up[j] += h;
            down[j] -= h;
            const double gradient = (spring_energy(vec3_of(up[0], up[1], up[2]), p2, rest, stiffness) -
                                     spring_energy(vec3_of(down[0], down[1], down[2]), p2, rest, stiffness)) /
                                    (2 * h);
            cr_expect_float_eq(component[j], -gradient, 1e-6 * stiffness);
        }
    }
}

Test(mass_spring, the_damping_force_is_the_gradient_of_the_dissipation) {
    const vec3 p1 = vec3_of(0.3, 0.1, -0.2), p2 = vec3_of(-0.1, 0.6, 0.4), v2 = vec3_of(0.5, -0.2, 0.1);
    const vec3 d = subtract(p1, p2);
    const double length = sqrt(inner(d, d)), damping = 3;
    const vec3 n = scale(1 / length, d), v1 = vec3_of(-0.4, 0.7, 0.9);
    const double rate = inner(subtract(v1, v2), n);
    const vec3 force = spring_force(p1, v1, p2, v2, length, 0, damping);
    cr_expect_float_eq(force.x, -damping * rate * n.x, 1e-12);
    cr_expect_float_eq(force.y, -damping * rate * n.y, 1e-12);
    cr_expect_float_eq(force.z, -damping * rate * n.z, 1e-12);
}

Test(mass_spring, equal_and_opposite_to_the_last_bit) {
    const vec3 p1 = vec3_of(0.3, 0.1, -0.2), p2 = vec3_of(-0.1, 0.6, 0.4);
    const vec3 v1 = vec3_of(0.1, 0.7, 0.3), v2 = vec3_of(0.5, -0.2, 0.1);
    const vec3 a = spring_force(p1, v1, p2, v2, 0.3, 17, 0.2), b = spring_force(p2, v2, p1, v1, 0.3, 17, 0.2);
    cr_expect(a.x == -b.x && a.y == -b.y && a.z == -b.z);
}

Test(mass_spring, coincident_ends_feel_no_force) {
    const vec3 p = vec3_of(1, 2, 3), v = vec3_of(1, 0, 0), w = vec3_of(0, 1, 0);
    const vec3 f = spring_force(p, v, p, w, 0.1, 1000, 10);
    cr_expect(f.x == 0 && f.y == 0 && f.z == 0);
}

Test(mass_spring, the_inverse_root_is_within_one_and_a_half_units) {
    unsigned seed = 11;
    for (int k = 0; k < 1000000; ++k) {
        seed = seed * 1664525u + 1013904223u;
        const double x = ldexp(1 + 3 * ((double)seed / 4294967296.0), 2 * (int)(seed % 900) - 900);
        const long double exact = 1 / sqrtl((long double)x);
        int exponent;
        frexp((double)exact, &exponent);
        const double error = (double)(fabsl((long double)inverse_root(x) - exact) / ldexpl(1, exponent - 53));
        cr_assert_lt(error, 1.5, "%a", x);
    }
}

/* The velocities of a cloth of 5 x 5 nodes without springs, after 0.25 s of a push of 8 m/s^2 with a linear rim at 0.5
 * m. The nodes are 0.25 m apart. */
Test(mass_spring, a_push_with_a_linear_rim_falls_to_0_at_its_radius) {
    struct plan plan;
    struct model model;
    plan_from_text("springback: 1\npaper: test\ntitle: t\n"
                   "body: {cloth: {nodes: [5, 5], springs: [structural]}, node_mass: 1 kg}\n"
                   "method: {name: mass_spring, stiffness: 0 N/m, precision: double}\n"
                   "scene: {gravity: [0, 0, 0], push: {acceleration: [0, 8 m/s^2, 0], until: 0.25 s, radius: 0.5 m,"
                   " rim: linear}}\n"
                   "time: {step: 0.125 s, frames: 2}\n",
                   &plan);
    model_describe(&plan.runs[0], &model);
    cr_assert_eq(model_build(&model), STATUS_OK);
    struct simulation *s = simulation_on(&model, "serial");
    const double *velocity = state_after(s, 2)->velocity;
    for (int i = 0; i < 25; ++i) {
        const double distance = 0.25 * hypot(i % 5 - 2, i / 5 - 2);
        cr_expect_float_eq(velocity[3 * i + 1], 2 * fmax(0, 1 - distance / 0.5), 1e-15, "node %d", i);
    }
    simulation_close(s);
    model_free(&model);
    plan_free(&plan);
}

Test(mass_spring, a_push_acts_for_its_time_and_in_its_place) {
    struct plan plan;
    struct model model;
    plan_from_text("springback: 1\npaper: test\ntitle: t\n"
                   "body: {cloth: {nodes: [5, 5], springs: [structural]}, node_mass: 1 kg}\n"
                   "method: {name: mass_spring, stiffness: 0 N/m, precision: double}\n"
                   "scene: {gravity: [0, 0, 0], push: {acceleration: [0, 8 m/s^2, 0], from: 0.25 s, until: 0.5 s,"
                   " radius: 0.1 m}}\n"
                   "time: {step: 0.125 s, frames: 8}\n",
                   &plan);
    model_describe(&plan.runs[0], &model);
    cr_assert_eq(model_build(&model), STATUS_OK);
    struct simulation *s = simulation_on(&model, "serial");
    for (int f = 0; f <= 8; ++f) {
        const struct state *state = state_after(s, f > 0);
        const double *velocity = state->velocity;
        const double steps = f < 3 ? 0 : f < 4 ? 1 : 2;
        for (int i = 0; i < 25; ++i)
            cr_expect_eq(velocity[3 * i + 1], i == 12 ? steps : 0, "frame %d node %d: %g", f, i, velocity[3 * i + 1]);
    }
    simulation_close(s);
    model_free(&model);
    plan_free(&plan);
}
