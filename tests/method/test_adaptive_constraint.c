/* Tests of adaptive_constraint. In this method, a spring whose strain exceeds a threshold acts as a constraint. The
 * other springs exert forces. */
#include "constraint_direct.h"

#define ADAPTIVE_OF(more)                                                                                              \
    "method: {name: adaptive_constraint, iterations: 500, tolerance: 1e-12, precision: double, " more "}\n"

/* With the threshold 0, each spring of the displaced cloth is a constraint, because no spring has exactly its rest
 * length. Springs have no stiffness. The result is therefore that of constraint_enforcement. */
Test(adaptive_constraint, without_a_threshold_all_springs_are_constraints) {
    static const char *const texts[] = {"constraint_enforcement",
                                        "adaptive_constraint, stiffness: 0 N/m, threshold: 0, held: rest"};
    char hash[2][DIGEST_SIZE];
    for (int m = 0; m < 2; ++m) {
        struct cloth cloth;
        cloth_create(&cloth,
                     CLOTH("12", "9", ", pins: corners") "method: {name: %s, iterations: 20, precision: double}\n"
                                                         "time: {step: 5 ms, steps_per_frame: 4, frames: 1}\n",
                     texts[m]);
        double(*x)[3] = shaken(&cloth, 0.02, 11), (*v)[3] = moving(&cloth, 0.1, 12);
        cloth_open(&cloth, "serial");
        cloth_set(&cloth, (const double(*)[3])x, (const double(*)[3])v);
        memcpy(hash[m], state_after(cloth.simulation, 1)->hash, DIGEST_SIZE);
        free(x);
        free(v);
        cloth_free(&cloth);
    }
    cr_expect_str_eq(hash[0], hash[1]);
}

/* If no spring reaches the threshold, there are no constraints. The result is that of mass_spring, except for rounding,
 * because the forces are added in another order. */
Test(adaptive_constraint, within_the_threshold_it_is_the_mass_spring_system) {
    static const char *const texts[] = {"mass_spring, ",
                                        "adaptive_constraint, iterations: 3, threshold: 99 %, held: threshold, "};
    double(*x[2])[3];
    size_t reals = 0;
    for (int m = 0; m < 2; ++m) {
        struct cloth cloth;
        cloth_create(
            &cloth,
            CLOTH("7", "8",
                  ", pins: corners") "method: {name: %sstiffness: 300 N/m, damping: 0.1 N s/m, precision: double}\n"
                                     "scene: {push: {acceleration: [1 m/s^2, 2 m/s^2, 3 m/s^2], until: 0.1 s, radius: "
                                     "0.4 m}}\n"
                                     "time: {step: 2 ms, steps_per_frame: 100, frames: 1}\n",
            texts[m]);
        cloth_open(&cloth, "serial");
        reals = 3 * (size_t)cloth.model.body.nodes;
        x[m] = memory_new(reals, sizeof(double));
        const struct state *state = state_after(cloth.simulation, 1);
        memcpy(x[m], state->position, reals * sizeof(double));
        if (m) {
            cr_expect_eq(quantity(&cloth, state, "active_constraints"), 0);
            cr_expect_eq(quantity(&cloth, state, "iterations"), 0,
                         "an iteration ran, although there are no constraints");
        }
        cloth_free(&cloth);
    }
    for (size_t k = 0; k < reals; ++k)
        cr_expect_float_eq(x[0][k / 3][k % 3], x[1][k / 3][k % 3], 1e-12);
    free(x[0]);
    free(x[1]);
}

/* Component k of the force, in N, that the springs within the threshold exert on node i, by (1) of va2022. */
static double spring_pull(const struct body *body, const double (*x)[3], int i, int k, double stiffness,
                          double threshold) {
    double sum = 0;
    for (int s = 0; s < body_slots(body, i); ++s) {
        int j;
        double rest, squared = 0;
        if (!body_spring(body, i, s, &j, &rest))
            continue;
        for (int c = 0; c < 3; ++c)
            squared += (x[i][c] - x[j][c]) * (x[i][c] - x[j][c]);
        const double length = sqrt(squared);
        if (fabs(length / rest - 1) <= threshold)
            sum -= stiffness * (length - rest) * (x[i][k] - x[j][k]) / length;
    }
    return sum;
}

/* Compare the velocities after one step of a randomly displaced cloth with a direct solution. The solved system has a
 * constraint for each spring beyond the threshold. The other springs exert forces. */
Test(adaptive_constraint, those_beyond_the_threshold_are_solved_for_and_the_others_pull) {
    static const struct {
        const char *held;
        double share; /* enforced length / rest length: 1 + share if stretched, 1 - share if compressed */
    } table[] = {{"threshold", 0.1}, {"rest", 0}};
    for (int t = 0; t < 2; ++t) {
        struct cloth cloth;
        struct system all, acting;
        cloth_create(&cloth,
                     CLOTH("6", "5", ", pins: corners")
                         ADAPTIVE_OF("stiffness: 40 N/m, threshold: 0.1, regularisation: 0.01 m^2/kg, held: %s")
                             ONE_STEP,
                     table[t].held);
        const struct body *body = &cloth.model.body;
        double(*x)[3] = shaken(&cloth, 0.03, 3), (*v)[3] = moving(&cloth, 0, 4), dt = 0.01;
        system_create(body, (const double(*)[3])x, &all);
        acting = all; /* `acting` and `all` share arrays; each element is read before it is overwritten */
        acting.count = 0;
        for (int c = 0; c < all.count; ++c) {
            const double rest = all.constraint[c].rest, squared = all.error[c] + rest * rest;
            const double ratio = sqrt(squared) / rest;
            if (fabs(ratio - 1) <= 0.1)
                continue;
            const double held = rest * (ratio > 1 ? 1 + table[t].share : 1 - table[t].share);
            acting.error[acting.count] = squared - held * held;
            acting.constraint[acting.count] = all.constraint[c];
            memcpy(acting.jacobian[acting.count++], all.jacobian[c], sizeof all.jacobian[c]);
        }
        cr_assert(acting.count > 5 && acting.count < all.count - 5, "%d of %d springs are constraints", acting.count,
                  all.count);
        double *b = memory_new((size_t)acting.count, sizeof *b);
        for (int c = 0; c < acting.count; ++c) {
            b[c] = right_side(&acting, c, (const double(*)[3])v, -9.8, dt);
            for (int k = 0; k < 3; ++k)
                for (int e = 0; e < 2; ++e) {
                    const int i = e ? acting.constraint[c].b : acting.constraint[c].a;
                    b[c] += (e ? -1 : 1) * acting.jacobian[c][k] * acting.inverse_mass[i] *
                            spring_pull(body, (const double(*)[3])x, i, k, 40, 0.1);
                }
        }
        double *lambda = solve(&acting, b, 0.01);
        cloth_open(&cloth, "serial");
        cloth_set(&cloth, (const double(*)[3])x, (const double(*)[3])v);
        const struct state *state = state_after(cloth.simulation, 1);
        for (int i = 0; i < body->nodes; ++i)
            for (int k = 0; k < 3; ++k) {
                double force = spring_pull(body, (const double(*)[3])x, i, k, 40, 0.1) - (k == 1 ? 9.8 * 0.5 : 0);
                for (int c = 0; c < acting.count; ++c)
                    force -= sign_in(&acting.constraint[c], i) * acting.jacobian[c][k] * lambda[c];
                const double speed = dt * acting.inverse_mass[i] * force;
                cr_expect_float_eq(((const double *)state->velocity)[3 * i + k], speed, 1e-8,
                                   "node %d, axis %d: velocity %g, expected %g", i, k,
                                   ((const double *)state->velocity)[3 * i + k], speed);
            }
        free(lambda);
        free(b);
        free(x);
        free(v);
        system_free(&all);
        cloth_free(&cloth);
    }
}

/* Each case simulates two vertical springs, which are 2 m long at rest, for one step of 0.01 s without gravity. `held`
 * is method.held: a constraint enforces the rest length, or the length at the threshold, 2.2 m. The springs start with
 * this `length`, in m, which grows by `speed`, in m/s. `after` is the expected length after the step, in m. `active`,
 * `activated` and `deactivated` are the expected values of the quantities active_constraints, activated and
 * deactivated. */
Test(adaptive_constraint, constraints_come_and_go_with_the_length) {
    static const struct {
        const char *held;
        double length, speed, after, active, activated, deactivated;
    } table[] = {{"rest", 2.5, 0, 2.5 - (2.5 * 2.5 - 4) / 5, 0, 0, 2},
                 {"threshold", 3, 0, 3 - (9 - 2.2 * 2.2) / 6, 2, 0,
                  0}, /* 2.307 m instead of 2.2 m: one step of Newton's method */
                 {"threshold", 2.15, 10, 2.25, 2, 2, 0},
                 {"rest", 2.15, 1, 2.16, 0, 0, 0},
                 {"rest", 1.7, 0, 1.7 + (4 - 1.7 * 1.7) / 3.4, 0, 0, 2}};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct cloth cloth;
        double x[4][3], v[4][3] = {{0}};
        cloth_create(
            &cloth,
            CLOTH("2", "2", ", size: [1 m, 2 m], springs: [structural], pins: row, plane: vertical")
                ADAPTIVE_OF("stiffness: 0 N/m, threshold: 0.1, held: %s") "scene: {gravity: [0, 0, 0]}\n" ONE_STEP,
            table[t].held);
        cloth_open(&cloth, "serial");
        memcpy(x, cloth.model.body.position, sizeof x);
        x[2][1] = x[3][1] = -table[t].length;
        v[2][1] = v[3][1] = -table[t].speed;
        cloth_set(&cloth, (const double(*)[3])x, (const double(*)[3])v);
        const struct state *state = state_after(cloth.simulation, 1);
        cr_expect_float_eq(-((const double *)state->position)[7], table[t].after, 1e-12, "%zu: %.17g", t,
                           -((const double *)state->position)[7]);
        cr_expect_eq(quantity(&cloth, state, "active_constraints"), table[t].active, "%zu", t);
        cr_expect_eq(quantity(&cloth, state, "activated"), table[t].activated, "%zu", t);
        cr_expect_eq(quantity(&cloth, state, "deactivated"), table[t].deactivated, "%zu", t);
        cloth_free(&cloth);
    }
}
