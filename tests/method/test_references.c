/* Comparisons with a method that is not in the program: the implicit midpoint rule, a variational integrator of second
 * order (Hairer, Lubich and Wanner, "Geometric Numerical Integration", 2006). The tests solve its equations by Newton's
 * method with CHOLMOD's factorisation. All methods that simulate the springs of va2022 must converge to the solution of
 * this rule, each with its order. */
#include "subject.h"

#include <cholmod.h>

enum { SIDE = 10, NODES = SIDE * SIDE, FREE_NODES = NODES - SIDE, UNKNOWNS = 3 * FREE_NODES };

#define STIFFNESS 1000.0 /* N/m */
#define DAMPING   0.1    /* N s/m */
#define MASS      0.0025 /* kg, of a node */
#define GRAVITY   9.8    /* m/s^2 */
#define DURATION  0.2    /* s */

typedef double place[NODES][3];

/* Make a plan and a model of a cloth that is pinned at its first row and swings down. */
static void swing(const char *method, double step, int steps, struct plan *plan, struct model *model) {
    char *text = text_format("springback: 1\npaper: test\ntitle: t\n"
                             "body: {cloth: {nodes: [%d, %d], pins: row}, node_mass: %.17g kg}\n"
                             "method: {name: %s, precision: double}\n"
                             "time: {step: %.17g s, steps_per_frame: %d, frames: 1}\n",
                             SIDE, SIDE, MASS, method, step, steps);
    plan_from_text(text, plan);
    free(text);
    failure_clear();
    cr_assert_eq(model_describe(&plan->runs[0], model), STATUS_OK, "%s", failure_text());
    cr_assert_eq(model_build(model), STATUS_OK, "%s", failure_text());
}

static void by_method(const char *method, int steps, place out) {
    struct plan plan;
    struct model model;
    swing(method, DURATION / steps, steps, &plan, &model);
    struct simulation *simulation = simulation_on(&model, "threads");
    const struct state *state = state_after(simulation, 1);
    for (int c = 0; c < 3 * NODES; ++c)
        out[c / 3][c % 3] = real_load(state->position, (size_t)c, sizeof(double));
    simulation_close(simulation);
    model_free(&model);
    plan_free(&plan);
}

/* ---- The implicit midpoint rule ---- */

/* The matrix of Newton's method, as a list of the entries of its upper triangle, and its factorisation. */
struct matrix {
    cholmod_common common;
    cholmod_triplet *triplet;
    cholmod_factor *factor;
};

static void add(struct matrix *m, int row, int column, double value) {
    if (row < 0 || column < row)
        return;
    cholmod_triplet *t = m->triplet;
    cr_assert_lt(t->nnz, t->nzmax);
    ((int *)t->i)[t->nnz] = row;
    ((int *)t->j)[t->nnz] = column;
    ((double *)t->x)[t->nnz++] = value;
}

/* The index of the unknown for coordinate 0 of node i; -1 for a pinned node of the first row. */
static int unknown(int i) {
    return i < SIDE ? -1 : 3 * (i - SIDE);
}

/* Add the force of a spring at positions x and velocities v to `force`. Add the spring's part of K / 2 + C / h to the
 * matrix, where K is the stiffness matrix and C the damping matrix. */
static void add_spring(int i, int j, double rest, const place x, const place v, double h, double *force,
                       struct matrix *m) {
    double d[3], length = 0, along = 0;
    for (int k = 0; k < 3; ++k) {
        d[k] = x[i][k] - x[j][k];
        length += d[k] * d[k];
    }
    length = sqrt(length);
    for (int k = 0; k < 3; ++k)
        along += d[k] / length * (v[i][k] - v[j][k]);
    const double pull = STIFFNESS * (length - rest) + DAMPING * along, across = STIFFNESS * (1 - rest / length) / 2;
    for (int a = 0; a < 3; ++a) {
        const double n = d[a] / length;
        if (unknown(i) >= 0)
            force[unknown(i) + a] -= pull * n;
        if (unknown(j) >= 0)
            force[unknown(j) + a] += pull * n;
        for (int b = 0; b < 3; ++b) {
            const double value = (a == b ? across : 0) + (STIFFNESS / 2 - across + DAMPING / h) * n * d[b] / length;
            const int row = unknown(i) < 0 ? -1 : unknown(i) + a, other = unknown(j) < 0 ? -1 : unknown(j) + a;
            add(m, row, unknown(i) + b, value);
            add(m, other, unknown(j) + b, value);
            if (row >= 0 && other >= 0) {
                add(m, row, unknown(j) + b, -value);
                add(m, other, unknown(i) + b, -value);
            }
        }
    }
}

/* Solve the linear system of a Newton step. The solution replaces the right-hand side. */
static void solve(struct matrix *m, double *right) {
    cholmod_sparse *a = cholmod_triplet_to_sparse(m->triplet, 0, &m->common);
    if (!m->factor)
        m->factor = cholmod_analyze(a, &m->common);
    cholmod_factorize(a, m->factor, &m->common);
    cr_assert_eq(m->common.status, CHOLMOD_OK, "the matrix is not positive definite");
    cholmod_dense *b = cholmod_allocate_dense(UNKNOWNS, 1, UNKNOWNS, CHOLMOD_REAL, &m->common);
    memcpy(b->x, right, UNKNOWNS * sizeof *right);
    cholmod_dense *x = cholmod_solve(CHOLMOD_A, m->factor, b, &m->common);
    memcpy(right, x->x, UNKNOWNS * sizeof *right);
    cholmod_free_dense(&x, &m->common);
    cholmod_free_dense(&b, &m->common);
    cholmod_free_sparse(&a, &m->common);
}

/* One step from x0 and v0 to x1 and v1. With the displacement d = x1 - x0,
 *
 *     2 m (d - h v0) / h^2 = F(x0 + d / 2, d / h), x1 = x0 + d, v1 = 2 d / h - v0. */
static void midpoint_step(const struct body *body, double h, place x, place v, struct matrix *m) {
    static place d, middle, speed;
    double force[UNKNOWNS], change = 1;
    for (int c = 0; c < 3 * NODES; ++c)
        d[c / 3][c % 3] = c / 3 < SIDE ? 0 : h * v[c / 3][c % 3];
    for (int newton = 0; newton < 50 && change > 1e-13; ++newton) {
        for (int c = 0; c < 3 * NODES; ++c) {
            middle[c / 3][c % 3] = x[c / 3][c % 3] + d[c / 3][c % 3] / 2;
            speed[c / 3][c % 3] = d[c / 3][c % 3] / h;
        }
        m->triplet->nnz = 0;
        for (int u = 0; u < UNKNOWNS; ++u) {
            const int i = SIDE + u / 3, k = u % 3;
            force[u] = (k == 1 ? -MASS * GRAVITY : 0) - 2 * MASS * (d[i][k] - h * v[i][k]) / (h * h);
            add(m, u, u, 2 * MASS / (h * h));
        }
        for (int i = 0; i < NODES; ++i)
            for (int slot = 0; slot < body_slots(body, i); ++slot) {
                int j;
                double rest;
                if (body_spring(body, i, slot, &j, &rest) && j > i)
                    add_spring(i, j, rest, (const double(*)[3])middle, (const double(*)[3])speed, h, force, m);
            }
        solve(m, force);
        change = 0;
        for (int u = 0; u < UNKNOWNS; ++u) {
            d[SIDE + u / 3][u % 3] += force[u];
            change = fmax(change, fabs(force[u]));
        }
    }
    cr_assert_leq(change, 1e-13);
    for (int c = 0; c < 3 * NODES; ++c) {
        x[c / 3][c % 3] += d[c / 3][c % 3];
        v[c / 3][c % 3] = 2 * d[c / 3][c % 3] / h - v[c / 3][c % 3];
    }
}

static void by_midpoint(int steps, place out) {
    static place velocity;
    struct plan plan;
    struct model model;
    struct matrix m = {.factor = NULL};
    swing("mass_spring, stiffness: 1 N/m", 1, 1, &plan, &model); /* only its body is used */
    cholmod_start(&m.common);
    m.triplet = cholmod_allocate_triplet(UNKNOWNS, UNKNOWNS, (size_t)400 * UNKNOWNS, 1, CHOLMOD_REAL, &m.common);
    memset(velocity, 0, sizeof velocity);
    memcpy(out, model.body.position, sizeof(place));
    for (int s = 0; s < steps; ++s)
        midpoint_step(&model.body, DURATION / steps, out, velocity, &m);
    cholmod_free_factor(&m.factor, &m.common);
    cholmod_free_triplet(&m.triplet, &m.common);
    cholmod_finish(&m.common);
    model_free(&model);
    plan_free(&plan);
}

/* ---- Comparisons ---- */

/* The root mean square, over the nodes, of the distance between a and b, in m. The sides of the cloth are 1 m long. */
static double distance(const place a, const place b) {
    double sum = 0;
    for (int c = 0; c < 3 * NODES; ++c)
        sum += (a[c / 3][c % 3] - b[c / 3][c % 3]) * (a[c / 3][c % 3] - b[c / 3][c % 3]);
    return sqrt(sum / NODES);
}

/* Richardson's extrapolation for a method of order `order`. `fine` is the result with half the time step of
 * `coarse`. */
static void extrapolate(const place coarse, const place fine, int order, place out) {
    for (int c = 0; c < 3 * NODES; ++c)
        out[c / 3][c % 3] = fine[c / 3][c % 3] + (fine[c / 3][c % 3] - coarse[c / 3][c % 3]) / ((1 << order) - 1);
}

static place reference;

static void make_reference(void) {
    static place coarse, fine;
    by_midpoint(400, coarse);
    by_midpoint(800, fine);
    extrapolate((const double(*)[3])coarse, (const double(*)[3])fine, 2, reference);
}

Test(references, the_midpoint_rule_has_second_order) {
    static place at[3];
    for (int k = 0; k < 3; ++k)
        by_midpoint(200 << k, at[k]);
    const double ratio = distance((const double(*)[3])at[0], (const double(*)[3])at[1]) /
                         distance((const double(*)[3])at[1], (const double(*)[3])at[2]);
    cr_expect(ratio > 3.5 && ratio < 4.5, "%g", ratio);
}

/* experiments/springback/convergence.yaml measures distances from a reference: mass_spring with a time step of some
 * microseconds. The error of this reference is of first order, so extrapolation removes nearly all of the error. */
Test(references, small_steps_of_mass_spring_end_at_the_midpoint_s_solution) {
    static place coarse, fine, ends;
    const char *method = "mass_spring, stiffness: 1000 N/m, damping: 0.1 N s/m";
    make_reference();
    by_method(method, 20000, coarse);
    by_method(method, 40000, fine);
    extrapolate((const double(*)[3])coarse, (const double(*)[3])fine, 1, ends);
    const double away = distance((const double(*)[3])fine, (const double(*)[3])reference),
                 left = distance((const double(*)[3])ends, (const double(*)[3])reference);
    cr_expect_lt(away, 2e-5, "%g", away);
    cr_expect_lt(left, 1e-7, "%g", left);
}

/* With enough iterations all methods are of first order: half the time step gives half the error. */
Test(references, all_methods_of_these_springs_converge_to_it) {
    static const struct {
        const char *method;
        int steps;
    } table[] = {{"mass_spring, stiffness: 1000 N/m, damping: 0.1 N s/m", 1600},
                 {"xpbd, spring: stretching, compliance: 1e-3, damping: 0.1, iterations: 100", 400},
                 {"vbd, stiffness: 1000 N/m, damping: 0.1 N s/m, iterations: 100", 400}};
    make_reference();
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        static place coarse, fine;
        by_method(table[t].method, table[t].steps, coarse);
        by_method(table[t].method, 2 * table[t].steps, fine);
        const double error = distance((const double(*)[3])coarse, (const double(*)[3])reference),
                     half = distance((const double(*)[3])fine, (const double(*)[3])reference);
        cr_expect(error < 1e-3 && error / half > 1.8 && error / half < 2.2, "%s: %g, %g", table[t].method, error, half);
    }
}
