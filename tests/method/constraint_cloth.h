/* For tests of constraint_enforcement on a cloth: states of the cloth, and the linear system (12) of va2022, which is
 * assembled from the body (equations: kernels/constraint_enforcement.h). */
#ifndef SPRINGBACK_TESTS_CONSTRAINT_CLOTH_H
#define SPRINGBACK_TESTS_CONSTRAINT_CLOTH_H

#include "backend/opencl/frame_source.h"
#include "cloth.h"

#include <math.h>

#define REAL_IS_double
#include "constraint_enforcement.h"

/* Set the positions (m) and velocities (m/s) at step 0 of a program in double precision. */
static inline void cloth_set(struct cloth *cloth, const double (*position)[3], const double (*velocity)[3]) {
    cr_assert_eq(simulation_restore(cloth->simulation, position, velocity, 0), STATUS_OK, "%s", failure_text());
}

static inline int buffer_of(const struct cloth *cloth, const char *name) {
    for (int b = 0; b < cloth->model.program.buffer_count; ++b)
        if (!strcmp(cloth->model.program.buffers[b].name, name))
            return b;
    cr_assert_fail("no buffer %s", name);
    return -1;
}

/* The pitch of the program's arrays of constraints: slot s of node i is element s * pitch + i. */
static inline size_t pitch_of(const struct cloth *cloth) {
    return cloth->model.program.buffers[buffer_of(cloth, "place")].items / 4;
}

/* The next pseudorandom number from -1 to 1. Equal seeds give equal sequences. */
static inline double any(unsigned *seed) {
    return (double)(*seed = *seed * 1664525u + 1013904223u) / 2147483648.0 - 1;
}

/* The nodes' positions, each coordinate displaced by at most `by` m. [nodes], newly allocated. */
static inline double (*shaken(const struct cloth *cloth, double by, unsigned seed))[3] {
    const size_t nodes = (size_t)cloth->model.body.nodes;
    double(*x)[3] = memory_new(nodes, sizeof *x);
    for (size_t k = 0; k < 3 * nodes; ++k)
        x[k / 3][k % 3] = cloth->model.body.position[k / 3][k % 3] + by * any(&seed);
    return x;
}

/* Random velocities, each component at most `speed` m/s; 0 for pinned nodes. [nodes], newly allocated. */
static inline double (*moving(const struct cloth *cloth, double speed, unsigned seed))[3] {
    const size_t nodes = (size_t)cloth->model.body.nodes;
    double(*v)[3] = memory_new(nodes, sizeof *v);
    for (size_t k = 0; k < 3 * nodes; ++k)
        v[k / 3][k % 3] = cloth->model.body.pinned[k / 3] ? 0 : speed * any(&seed);
    return v;
}

/* ---- The system of (12), assembled from the body ---- */

/* A spring with the ends a < b and the rest length `rest`, in m. The spring's multiplier is element slot * pitch + a of
 * the program's arrays (pitch_of). */
struct constraint {
    int a, b, slot;
    double rest;
};

struct system {
    int count, nodes;
    struct constraint *constraint;
    double (*jacobian)[3];        /* [count] elements of J for end a of each constraint, in m. The elements for end b
                                     are the negatives */
    double *inverse_mass, *error; /* inverse_mass[nodes], in 1/kg; error[count], which is Phi, in m^2 */
};

/* The program's slot of the constraint between nodes a and b > a of a grid. Node a stores the constraint. The slot
 * depends on how many columns and rows b is from a (kernels/constraint_enforcement.h). The slots of struct body have
 * another order. */
static inline int slot_of(const struct body *body, int a, int b) {
    static const int right[] = {1, 0, -1, 1, 2, 0}, down[] = {0, 1, 1, 1, 0, 2};
    for (int k = 0; k < 6; ++k)
        if (b % body->columns - a % body->columns == right[k] && b / body->columns - a / body->columns == down[k])
            return k;
    cr_assert_fail("nodes %d and %d are not neighbours", a, b);
    return -1;
}

static inline void system_create(const struct body *body, const double (*x)[3], struct system *system) {
    *system = (struct system){.nodes = body->nodes,
                              .constraint = memory_new((size_t)body->springs, sizeof *system->constraint)};
    system->jacobian = memory_new((size_t)body->springs, sizeof *system->jacobian);
    system->inverse_mass = memory_new((size_t)body->nodes, sizeof(double));
    system->error = memory_new((size_t)body->springs, sizeof(double));
    for (int i = 0; i < body->nodes; ++i) {
        system->inverse_mass[i] = body->pinned[i] ? 0 : 1 / body->mass;
        for (int s = 0; s < body_slots(body, i); ++s) {
            int j;
            double rest;
            if (!body_spring(body, i, s, &j, &rest) || j < i || (body->pinned[i] && body->pinned[j]))
                continue;
            const int c = system->count++;
            system->constraint[c] = (struct constraint){i, j, slot_of(body, i, j), rest};
            system->error[c] = -rest * rest;
            for (int k = 0; k < 3; ++k) {
                system->error[c] += (x[i][k] - x[j][k]) * (x[i][k] - x[j][k]);
                system->jacobian[c][k] = 2 * (x[i][k] - x[j][k]);
            }
        }
    }
}

static inline void system_free(struct system *system) {
    free(system->constraint);
    free(system->jacobian);
    free(system->inverse_mass);
    free(system->error);
}

/* 1 if the node is end a of the constraint, -1 if it is end b, otherwise 0. */
static inline int sign_in(const struct constraint *c, int node) {
    return c->a == node ? 1 : c->b == node ? -1 : 0;
}

/* The element of J M^-1 J^T in row c and column d. */
static inline double entry(const struct system *system, int c, int d) {
    const struct constraint *first = &system->constraint[c];
    const int ends[2] = {first->a, first->b};
    double sum = 0;
    for (int e = 0; e < 2; ++e)
        for (int k = 0; k < 3; ++k)
            sum += sign_in(first, ends[e]) * sign_in(&system->constraint[d], ends[e]) * system->inverse_mass[ends[e]] *
                   system->jacobian[c][k] * system->jacobian[d][k];
    return sum;
}

/* Element c of the right-hand side of (12), with velocities v and the acceleration `gravity`, m/s^2, along y. */
static inline double right_side(const struct system *system, int c, const double (*v)[3], double gravity, double dt) {
    const struct constraint *at = &system->constraint[c];
    double b = system->error[c] / (dt * dt);
    for (int k = 0; k < 3; ++k) {
        const double weight = k == 1 ? gravity : 0;
        b += system->jacobian[c][k] * (v[at->a][k] - v[at->b][k]) / dt;
        b += system->jacobian[c][k] *
             ((system->inverse_mass[at->a] > 0 ? weight : 0) - (system->inverse_mass[at->b] > 0 ? weight : 0));
    }
    return b;
}

#define METHOD(more)      "method: {name: constraint_enforcement, precision: double" more "}\n"
#define CLOTH(n, m, more) "body: {cloth: {nodes: [" n ", " m "]" more "}, node_mass: 0.5 kg}\n"
#define ONE_STEP          "time: {step: 10 ms, frames: 1}\n"

#endif
