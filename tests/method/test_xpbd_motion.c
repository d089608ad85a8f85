/* Tests of complete programs of xpbd: springs compared with closed forms, invariants, the return to the rest shape,
 * obstacles and wind. */
#include "body/filling.h"
#include "body/prepared.h"
#include "cloth.h"
#include "subject.h"

static const char *const springs[] = {"stretching", "hookean", "stvk", "morse"};
enum { SPRINGS = sizeof springs / sizeof *springs };

/* The elements of `springs`, and two more kinds of Morse springs. The last two do not have all properties that tests
 * check for the elements of `springs`. */
static const char *const all_springs[] = {"stretching", "hookean",          "stvk",
                                          "morse",      "morse_unmodified", "morse_as_printed"};

/* ---- Networks of the test ---- */

struct network {
    struct plan plan;
    struct model model;
    struct simulation *simulation;
};

/* Make a vertical chain of nodes of 2 kg, joined by springs with the rest length `apart`, in m. If `is_pinned`, the
 * first node is pinned, and the other nodes hang from this node. `keys` are keys of the method. `more` has the lines of
 * scene and time. */
static void line_create(struct network *n, int nodes, bool is_pinned, double apart, const char *keys,
                        const char *more) {
    char *text = text_format("springback: 1\npaper: test\ntitle: t\nbody: {cloth: {nodes: [2, 2]}, node_mass: 1 kg}\n"
                             "method: {name: xpbd, precision: double, %s}\n%s",
                             keys, more);
    struct body body;
    double(*position)[3] = memory_new((size_t)nodes, sizeof *position);
    bool *pinned = memory_new((size_t)nodes, sizeof *pinned);
    struct spring *joined = memory_new((size_t)nodes, sizeof *joined);
    int *ends = memory_new(2 * (size_t)nodes, sizeof *ends);
    pinned[0] = is_pinned;
    for (int i = 0; i < nodes; ++i)
        position[i][1] = -apart * i;
    for (int i = 0; i + 1 < nodes; ++i) {
        joined[i] = (struct spring){i, i + 1, apart};
        ends[2 * i] = i;
        ends[2 * i + 1] = i + 1;
    }
    plan_from_text(text, &n->plan);
    body_of_springs((const double(*)[3])position, pinned, nodes, joined, nodes - 1, 2, &body);
    body.prepared.vertices = nodes;
    cr_assert_eq(prepared_add_part(&body.prepared, PART_EDGES, nodes - 1, ends), STATUS_OK);
    model_of_body(&n->plan.runs[0], &body, &n->model);
    n->simulation = simulation_on(&n->model, "serial");
    free(ends);
    free(joined);
    free(pinned);
    free(position);
    free(text);
}

static void line_free(struct network *n) {
    simulation_close(n->simulation);
    model_free(&n->model);
    plan_free(&n->plan);
}

static void line_set(struct network *n, const double (*position)[3], const double (*velocity)[3]) {
    cr_assert_eq(simulation_restore(n->simulation, position, velocity, 0), STATUS_OK, "%s", failure_text());
}

static const double *line_place(const struct state *state, int node) {
    return (const double *)state->position + 3 * (size_t)node;
}

/* Stiffness, compliance, rest length (m), mass (kg) and weight (N) in the tests below, unless a test has others. */
static const double K = 3, ALPHA = 0.25, REST = 0.75, MASS = 2, WEIGHT = 20;

/* The force of a spring with the energy C^2 / (2 alpha): C dC/dl / alpha, with C as printed. Sets *slope_out to
 * dC/dl. */
static double force_of(int spring, double length, double *slope_out) {
    const double longer = length - REST, squares = length * length - REST * REST, grown = exp(longer);
    const double value[] = {K * longer, K * longer * longer / 2, K * squares * squares / 2, K * pow(1 - grown, 2)};
    const double slope[] = {K, K * longer, 2 * K * squares * length, -2 * K * (1 - grown) * grown};
    *slope_out = slope[spring];
    return value[spring] * slope[spring] / ALPHA;
}

/* The length, in m, of a spring in equilibrium with a weight, in N. If `step` is not 0, the equilibrium is that of a
 * program with the time step h = `step` and one iteration per step. Such a program evaluates the spring at the
 * predicted position, where the spring is longer by g h^2. There the acceleration f / (m + h^2 C'^2 / alpha), with the
 * force f and C' = dC/dl, must be g. */
static double length_under(int spring, double weight, double step) {
    double low = REST, high = REST + 4;
    for (int n = 0; n < 200; ++n) {
        const double middle = (low + high) / 2;
        double slope;
        const double force = force_of(spring, middle + 10 * step * step, &slope),
                     needed = weight * (1 + step * step * slope * slope / (MASS * ALPHA));
        *(force < needed ? &low : &high) = middle;
    }
    return low;
}

#define GRAVITY "scene: {gravity: [0, -10 m/s^2, 0]}\n"

/* The largest displacement, in m, of `masses` masses that hang in a chain. The springs start with their lengths in
 * equilibrium. If `is_first`, the equilibrium is that of a program with one iteration per step (length_under). */
static double goes_from_equilibrium(int spring, int masses, int iterations, double step, bool is_first) {
    enum { MOST = 8 };
    const int frames = step < 1e-3 ? 200 : (int)lround(2 / step);
    struct network n;
    char *keys = text_format("spring: %s, stiffness: 3, compliance: 0.25, iterations: %d", springs[spring], iterations);
    char *more = text_format(GRAVITY "time: {step: %.17g s, frames: %d}\n", step, frames);
    double at[MOST][3] = {{0}}, farthest = 0;
    line_create(&n, masses + 1, true, REST, keys, more);
    for (int i = 1; i <= masses; ++i)
        at[i][1] = at[i - 1][1] - length_under(spring, WEIGHT * (masses - i + 1), is_first ? step : 0);
    line_set(&n, (const double(*)[3])at, (const double[MOST][3]){{0}});
    for (int f = 0; f < frames; ++f) {
        const struct state *state = state_after(n.simulation, 1);
        for (int i = 0; i <= masses; ++i) {
            farthest = fmax(farthest, fabs(line_place(state, i)[1] - at[i][1]));
            cr_expect(line_place(state, i)[0] == 0 && line_place(state, i)[2] == 0);
        }
        cr_expect(line_place(state, 0)[1] == 0, "the pinned node has moved");
    }
    line_free(&n);
    free(keys);
    free(more);
    return farthest;
}

/* The constraint of a stretching spring is linear. Therefore one projection solves the constraint exactly, with any
 * time step. */
Test(xpbd_motion, a_mass_hangs_by_a_stretching_spring_as_by_hookes_law) {
    static const int iterations[] = {1, 10, 100};
    static const double steps[] = {1e-4, 5e-3, 50e-3};
    cr_expect_float_eq(length_under(0, WEIGHT, 0), REST + WEIGHT * ALPHA / (K * K), 1e-14, "m g alpha / k^2");
    for (int i = 0; i < 3; ++i)
        for (int s = 0; s < 3; ++s) {
            const double farthest = goes_from_equilibrium(0, 1, iterations[i], steps[s], false);
            cr_expect_lt(farthest, 1e-10, "%d iterations, %g s: %g", iterations[i], steps[s], farthest);
        }
}

Test(xpbd_motion, a_mass_hangs_by_each_spring_where_one_iteration_has_it) {
    static const double steps[] = {1e-4, 5e-3, 20e-3};
    for (int spring = 0; spring < SPRINGS; ++spring)
        for (int s = 0; s < 3; ++s) {
            const double farthest = goes_from_equilibrium(spring, 1, 1, steps[s], true);
            cr_expect_lt(farthest, 1e-10, "%s, %g s: %g", springs[spring], steps[s], farthest);
        }
}

/* All springs except the stretching spring are not linear. Even with many iterations in a step, such a spring does not
 * exactly reach the equilibrium of its energy. The reason is that its impulse in a step is the sum of dlambda grad C
 * over the iterations, not lambda grad C after the last iteration. The difference of these impulses is proportional to
 * h^2, as is the displacement by gravity in a step. */
Test(xpbd_motion, a_mass_hangs_by_each_spring_where_its_energy_has_it_but_for_the_step) {
    for (int spring = 1; spring < SPRINGS; ++spring) {
        const double one = goes_from_equilibrium(spring, 1, 1, 4e-3, false),
                     many = goes_from_equilibrium(spring, 1, 100, 4e-3, false),
                     half = goes_from_equilibrium(spring, 1, 100, 2e-3, false);
        cr_expect_lt(one, 40 * 4e-3 * 4e-3, "%s: %g", springs[spring], one);
        cr_expect_lt(many, 20 * 4e-3 * 4e-3, "%s: %g", springs[spring], many);
        cr_expect(many / half > 3.8 && many / half < 4.2, "%s: %g and %g", springs[spring], many, half);
    }
}

/* Each spring carries all masses below it. */
Test(xpbd_motion, a_hanging_chain_has_its_closed_form) {
    const double stays = goes_from_equilibrium(0, 6, 4000, 10e-3, false);
    cr_expect_lt(stays, 1e-9, "%g", stays);
    for (int spring = 1; spring < SPRINGS; ++spring) {
        const double farthest = goes_from_equilibrium(spring, 6, 300, 2e-3, false),
                     half = goes_from_equilibrium(spring, 6, 300, 1e-3, false);
        cr_expect_lt(farthest, 1e-3, "%s: %g", springs[spring], farthest);
        cr_expect(farthest / half > 3.5 && farthest / half < 4.5, "%s: %g and %g", springs[spring], farthest, half);
    }
}

/* A mass that starts at the rest length of a damped spring comes to rest at the length of equilibrium, because damping
 * has no force without motion. */
Test(xpbd_motion, a_mass_that_is_let_go_comes_to_rest_there) {
    for (int spring = 0; spring < SPRINGS; ++spring) {
        struct network n;
        char *keys =
            text_format("spring: %s, stiffness: 3, compliance: 0.25, damping: 1, iterations: 30", springs[spring]);
        line_create(&n, 2, true, REST, keys, GRAVITY "time: {step: 1 ms, steps_per_frame: 20000, frames: 1}\n");
        const double length = length_under(spring, WEIGHT, 0), got = -line_place(state_after(n.simulation, 1), 1)[1];
        cr_expect_float_eq(got, length, spring == 0 ? 1e-10 : 1e-5, "%s: %.12g, not %.12g", springs[spring], got,
                           length);
        line_free(&n);
        free(keys);
    }
}

/* In each step, implicit Euler divides v + i w x by 1 - i w h, where w^2 = k^2 / (alpha m). Therefore each step divides
 * the amplitude by sqrt(1 + w^2 h^2). The period is 2 pi / w times w h / atan(w h), which is about 1 + w^2 h^2 / 3. */
Test(xpbd_motion, a_spring_swings_as_implicit_euler_has_it) {
    const double h = 1e-3, w = K / sqrt(ALPHA * MASS);
    struct network n;
    line_create(&n, 2, true, 0.75, "spring: stretching, stiffness: 3, compliance: 0.25, iterations: 1",
                "scene: {gravity: [0, 0, 0]}\ntime: {step: 1 ms, frames: 3000}\n");
    const double at[2][3] = {{0, 0, 0}, {0, -0.85, 0}};
    line_set(&n, at, (const double[2][3]){{0}});
    double worst = 0, last = 0.1, crossing[2] = {0, 0};
    int crossings = 0;
    for (int f = 1; f <= 3000; ++f) {
        const struct state *state = state_after(n.simulation, 1);
        const double x = -0.75 - line_place(state, 1)[1];
        worst = fmax(worst, fabs(x - 0.1 * cos(f * atan(w * h)) * pow(1 + w * w * h * h, -0.5 * f)));
        if (last > 0 && x <= 0 && crossings < 2)
            crossing[crossings++] = h * (f - x / (x - last));
        last = x;
    }
    cr_expect_lt(worst, 1e-12, "%g", worst);
    const double period = crossing[1] - crossing[0], exact = 2 * M_PI / w;
    cr_assert_eq(crossings, 2);
    cr_expect_float_eq(period / exact, w * h / atan(w * h), 1e-6, "%.9g", period / exact);
    line_free(&n);
}

/* Two masses rotate about each other on a stiff spring. The predicted position is 2 x - x_before, and the projection
 * moves this position to the circle. If the last step rotated the masses by the angle t, the tangent of the next angle
 * is therefore sin t / (2 - cos t). */
Test(xpbd_motion, a_dumbbell_loses_rotation_as_in_its_closed_form) {
    struct network n;
    line_create(&n, 2, false, 1, "spring: stretching, iterations: 2",
                "scene: {gravity: [0, 0, 0]}\ntime: {step: 10 ms, frames: 300}\n");
    const double at[2][3] = {{0, 0, 0}, {0, -1, 0}}, v[2][3] = {{-2, 0, 0}, {2, 0, 0}};
    line_set(&n, at, v);
    double step = atan(4 * 0.01), angle = 0, worst = 0;
    for (int f = 0; f < 300; ++f) {
        const struct state *state = state_after(n.simulation, 1);
        const double *a = line_place(state, 0), *b = line_place(state, 1);
        angle += step;
        worst = fmax(worst, hypot(b[0] - a[0] - sin(angle), a[1] - b[1] - cos(angle)));
        worst = fmax(worst, hypot(b[0] + a[0], a[1] + b[1] + 1)); /* the masses' centre stays */
        step = atan(sin(step) / (2 - cos(step)));
    }
    cr_expect_lt(worst, 1e-11, "%g", worst);
    cr_expect_lt(step, 0.04 * 0.85, "the rotation does not slow down: %g rad per step", step);
    line_free(&n);
}

/* The damping follows from the dissipation potential of Macklin et al., beta (dC/dt)^2 / 2. The test compares the
 * motion with implicit Euler for m x'' = -(k^2 / alpha) x - beta k^2 x'. */
Test(xpbd_motion, damping_pulls_with_beta_by_either_name) {
    const double h = 2e-3, stiffness = K * K / ALPHA, beta = 0.05;
    for (int scaled = 0; scaled < 2; ++scaled) {
        struct network n;
        char *text = text_format("spring: stretching, stiffness: 3, compliance: 0.25, iterations: 4, damping: %.17g%s",
                                 scaled ? beta * h * h : beta, scaled ? ", damping_means: scaled" : "");
        line_create(&n, 2, true, 0.75, text, "scene: {gravity: [0, 0, 0]}\ntime: {step: 2 ms, frames: 1000}\n");
        const double at[2][3] = {{0, 0, 0}, {0, -0.85, 0}};
        line_set(&n, at, (const double[2][3]){{0}});
        double x = 0.1, v = 0, worst = 0;
        for (int f = 0; f < 1000; ++f) {
            const struct state *state = state_after(n.simulation, 1);
            v = (MASS * v - h * stiffness * x) / (MASS + h * h * stiffness + h * beta * K * K);
            x += h * v;
            worst = fmax(worst, fabs(-0.75 - line_place(state, 1)[1] - x));
        }
        cr_expect_lt(worst, 1e-12, "%s: %g", text, worst);
        line_free(&n);
        free(text);
    }
}

/* Two masses move along their spring with equal velocities, at its rest length. Damping of pairs has no effect on this
 * motion. Damping of ends, with the relaxation 1 / r, slows each end by the force beta k^2 v / r. Implicit Euler then
 * divides v by 1 + h beta k^2 / (r m) in each step. */
Test(xpbd_motion, damping_of_ends_slows_what_moves_as_a_whole) {
    static const char *const of[] = {"pair", "ends"};
    const double h = 2e-3, beta = 0.5;
    for (int ends = 0; ends < 2; ++ends)
        for (int r = 1; r < 3; ++r) {
            struct network n;
            char *text = text_format("spring: stretching, stiffness: 3, compliance: 0.25, iterations: 12, damping: "
                                     "0.5, damping_of: %s, relaxation: %.17g",
                                     of[ends], 1.0 / r);
            line_create(&n, 2, false, 0.75, text, "scene: {gravity: [0, 0, 0]}\ntime: {step: 2 ms, frames: 200}\n");
            const double at[2][3] = {{0, 0, 0}, {0, -0.75, 0}}, speed[2][3] = {{0, 4, 0}, {0, 4, 0}};
            line_set(&n, at, speed);
            double y = 0, v = 4, worst = 0;
            for (int f = 0; f < 200; ++f) {
                const struct state *state = state_after(n.simulation, 1);
                v /= ends ? 1 + h * beta * K * K / r / MASS : 1;
                y += h * v;
                worst = fmax(worst, fabs(line_place(state, 0)[1] - y));
                worst = fmax(worst, fabs(line_place(state, 1)[1] + 0.75 - y));
            }
            cr_expect_lt(worst, 1e-12, "%s: %g", text, worst);
            line_free(&n);
            free(text);
        }
}

/* A mass hangs by a spring. A relaxation of 1 / r lengthens the spring as much as r times the mass would. */
Test(xpbd_motion, a_relaxed_spring_stretches_as_by_a_larger_mass) {
    for (int r = 1; r <= 4; r *= 2) {
        struct network n;
        char *keys = text_format("spring: stretching, stiffness: 3, compliance: 0.25, iterations: 400, relaxation: "
                                 "%.17g",
                                 1.0 / r);
        line_create(&n, 2, true, REST, keys, GRAVITY "time: {step: 50 ms, frames: 20}\n");
        const double at[2][3] = {{0}, {0, -REST - r * WEIGHT * ALPHA / (K * K), 0}};
        line_set(&n, at, (const double[2][3]){{0}});
        const struct state *state = state_after(n.simulation, 20);
        cr_expect_float_eq(line_place(state, 1)[1], at[1][1], 1e-10, "%d: %.15g, not %.15g", r, line_place(state, 1)[1],
                           at[1][1]);
        line_free(&n);
        free(keys);
    }
}

/* The springs of a tetrahedron have the rest length 1 m and start 101 m long. There is no gravity. A projection moves a
 * node by at most half a metre. Nevertheless nodes 0 and 1 come within 10 m of each other, also with a large
 * stiffness. */
Test(xpbd_motion, morse_springs_that_are_far_too_long_come_back) {
    static const char *const keys[] = {
        "stiffness: 1, precision: double", "stiffness: 10, precision: double", "stiffness: 1000, precision: double",
        "stiffness: 10, compliance: 1e-4, damping: 0.1, precision: double", "stiffness: 10, precision: float"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
        struct subject s;
        subject_create(&s, subject_tetrahedron, "node_mass: 0.5 kg",
                       "method: {name: xpbd, spring: morse, iterations: 20, %s}\n"
                       "scene: {gravity: [0, 0, 0]}\ntime: {step: 10 ms, frames: 100}\n",
                       keys[k]);
        double far[4][3], least = INFINITY;
        subject_open(&s, "serial");
        for (int c = 0; c < 12; ++c)
            far[c / 3][c % 3] = 101 * s.model.body.position[c / 3][c % 3];
        subject_set(&s, (const double(*)[3])far, NULL);
        for (int f = 0; f < 100; ++f) {
            const struct state *state = state_after(s.simulation, 1);
            double square = 0;
            for (int c = 0; c < 3; ++c)
                square += pow(subject_position(&s, state, 0, c) - subject_position(&s, state, 1, c), 2);
            cr_assert(!state->diverged && isfinite(square));
            if (f == 0)
                cr_expect(sqrt(square) < 95 && sqrt(square) > 60, "%s: %g after a step", keys[k], sqrt(square));
            least = fmin(least, sqrt(square));
        }
        cr_expect_lt(least, 10, "%s: %g", keys[k], least);
        subject_free(&s);
    }
}

/* The elongation, in m, of an unmodified Morse spring, (5) of cetinaslan2019, after 4 s under a weight. The largest
 * force of the spring is 27/128 a D^2 / alpha, at the elongation s for which e^-as = 1/4. The spring starts with this
 * elongation. `share` is the weight divided by the largest force. */
static double longer_after(double share) {
    const double a = 2, from = log(4) / a;
    struct network n;
    char *keys = text_format("spring: morse_unmodified, stiffness: 3, morse_exponent: 2 1/m, compliance: %.17g, "
                             "iterations: 4",
                             27.0 / 128 * a * K * K * share / WEIGHT);
    line_create(&n, 2, true, REST, keys, GRAVITY "time: {step: 1 ms, steps_per_frame: 4000, frames: 1}\n");
    line_set(&n, (const double[2][3]){{0, 0, 0}, {0, -REST - from, 0}}, (const double[2][3]){{0}});
    const double longer = -line_place(state_after(n.simulation, 1), 1)[1] - REST;
    line_free(&n);
    free(keys);
    return longer;
}

Test(xpbd_motion, an_unmodified_morse_spring_is_torn_by_more_than_its_strength) {
    const double held = longer_after(0.9), torn = longer_after(1.1);
    cr_expect_lt(held, log(4) / 2, "%g", held);
    cr_expect_gt(torn, 10, "the spring holds the weight: %g m", torn);
}

/* ---- Bodies ---- */

#define FREE "scene: {gravity: [0, 0, 0]}\n"

static void ball(struct mesh *mesh) {
    shape_icosphere(2, mesh);
}

static void flag(struct mesh *mesh) {
    shape_cloth(9, 7, 1, 0.75, mesh);
}

/* Make a subject in double with the spring springs[spring], on the backend serial. `keys` are further keys of the
 * method and begin with a comma; `rest` has the lines after the method. */
static void body_create(struct subject *s, void (*shape)(struct mesh *mesh), int spring, const char *keys,
                        const char *rest) {
    subject_create(s, shape, "node_mass: 0.1 kg", "method: {name: xpbd, precision: double, spring: %s%s}\n%s",
                   springs[spring], keys, rest);
    subject_open(s, "serial");
}

/* Set random velocities, and positions whose coordinates differ by at most `by` m from those at rest. Each call gives
 * the same random numbers. If `is_turned`, velocities and positions are rotated about x by an angle whose cosine is
 * 0.6. */
static void set_random(struct subject *s, double by, bool is_turned) {
    const struct body *body = &s->model.body;
    double(*x)[3] = memory_new((size_t)body->nodes, sizeof *x), (*v)[3] = memory_new((size_t)body->nodes, sizeof *v);
    const double c = is_turned ? 0.6 : 1, d = is_turned ? 0.8 : 0;
    unsigned seed = 5;
    for (int i = 0; i < body->nodes; ++i) {
        double place[3], speed[3];
        for (int k = 0; k < 3; ++k) {
            place[k] = body->position[i][k] + by * subject_random(&seed);
            speed[k] = 0.5 * subject_random(&seed);
        }
        x[i][0] = place[0];
        x[i][1] = c * place[1] - d * place[2];
        x[i][2] = d * place[1] + c * place[2];
        v[i][0] = speed[0];
        v[i][1] = c * speed[1] - d * speed[2];
        v[i][2] = d * speed[1] + c * speed[2];
    }
    subject_set(s, (const double(*)[3])x, (const double(*)[3])v);
    free(x);
    free(v);
}

/* Keys of the method that lead to different programs. */
static const char *const key_sets[] = {"", ", compliance: 1e-3", ", compliance: 1e-3, damping: 2",
                                       ", compliance: 1e-3, damping: 2, volume: ghosts, volume_compliance: 1e-4",
                                       ", volume: ghosts"};
enum { KEY_SETS = sizeof key_sets / sizeof *key_sets, WITHOUT_GHOSTS = 3 };

Test(xpbd_motion, a_body_at_rest_stays_as_it_is) {
    for (int spring = 0; spring < SPRINGS; ++spring)
        for (int w = 0; w < KEY_SETS; ++w) {
            struct subject s;
            body_create(&s, ball, spring, key_sets[w], FREE "time: {step: 10 ms, frames: 20}\n");
            const struct state *state = state_after(s.simulation, 20);
            double worst = 0;
            for (int i = 0; i < s.model.body.nodes; ++i)
                for (int k = 0; k < 3; ++k)
                    worst = fmax(worst, fabs(subject_position(&s, state, i, k) - s.model.body.position[i][k]));
            cr_expect_lt(worst, 1e-12, "%s%s: %g", springs[spring], key_sets[w], worst);
            subject_free(&s);
        }
}

Test(xpbd_motion, a_rotated_body_moves_the_same) {
    for (int spring = 0; spring < SPRINGS; ++spring)
        for (int w = 0; w < KEY_SETS; ++w) {
            struct subject s;
            double worst = 0;
            body_create(&s, ball, spring, key_sets[w], FREE "time: {step: 10 ms, frames: 5}\n");
            double(*straight)[3] = memory_new((size_t)s.model.body.nodes, sizeof *straight);
            for (int turned = 0; turned < 2; ++turned) {
                set_random(&s, 0.02, turned);
                const struct state *state = state_after(s.simulation, 5);
                for (int i = 0; i < s.model.body.nodes; ++i) {
                    double x[3];
                    for (int k = 0; k < 3; ++k)
                        x[k] = subject_position(&s, state, i, k);
                    const double back[3] = {x[0], 0.6 * x[1] + 0.8 * x[2], -0.8 * x[1] + 0.6 * x[2]};
                    for (int k = 0; k < 3; ++k)
                        if (turned)
                            worst = fmax(worst, fabs(back[k] - straight[i][k]));
                        else
                            straight[i][k] = x[k];
                }
            }
            cr_expect_lt(worst, 1e-9, "%s%s: %g", springs[spring], key_sets[w], worst);
            free(straight);
            subject_free(&s);
        }
}

static void momenta(const struct subject *s, const struct state *state, double out[6]) {
    static const char *const names[] = {"momentum_x",         "momentum_y",         "momentum_z",
                                        "angular_momentum_x", "angular_momentum_y", "angular_momentum_z"};
    for (int k = 0; k < 6; ++k)
        out[k] = subject_value(s, state, names[k]);
}

/* Compute 0.2 s of motion in `steps` steps. Set *linear to the largest change of a component of the momentum, and
 * *angular to the largest change of a component of the angular momentum. */
static void drift(int spring, const char *more_keys, int steps, double *linear, double *angular) {
    struct subject s;
    double before[6], after[6];
    char *keys = text_format("%s, iterations: 10", more_keys);
    char *rest = text_format(FREE "time: {step: %.17g s, steps_per_frame: %d, frames: 1}\n", 0.2 / steps, steps);
    body_create(&s, ball, spring, keys, rest);
    const struct state *state;
    set_random(&s, 0.02, false);
    cr_assert_eq(simulation_observe(s.simulation, true, &state), STATUS_OK);
    momenta(&s, state, before);
    state = state_after(s.simulation, 1);
    momenta(&s, state, after);
    cr_expect_not(state->diverged);
    *linear = *angular = 0;
    for (int k = 0; k < 3; ++k) {
        *linear = fmax(*linear, fabs(after[k] - before[k]));
        *angular = fmax(*angular, fabs(after[3 + k] - before[3 + k]));
    }
    subject_free(&s);
    free(keys);
    free(rest);
}

/* A spring exerts opposite impulses on its two ends. A ghost changes the momentum of a body, because its fourth corner,
 * the mean of all nodes, gets no impulse. */
Test(xpbd_motion, springs_keep_the_linear_momentum_and_ghosts_do_not) {
    for (int spring = 0; spring < SPRINGS; ++spring)
        for (int w = 0; w < KEY_SETS; ++w) {
            double linear, angular;
            drift(spring, key_sets[w], 50, &linear, &angular);
            if (w < WITHOUT_GHOSTS)
                cr_expect_lt(linear, 1e-10, "%s%s: %g", springs[spring], key_sets[w], linear);
            else
                cr_expect_gt(linear, 1e-3, "%s%s: %g", springs[spring], key_sets[w], linear);
        }
}

/* An impulse has the direction of the predicted spring, but acts at the earlier positions of the nodes. Therefore the
 * angular momentum changes by the order h^2 in a step, and by the order h in 0.2 s, as with implicit Euler. */
Test(xpbd_motion, springs_keep_the_angular_momentum_but_for_the_step) {
    static const char *const keys[] = {", compliance: 0.1", ", compliance: 0.1, damping: 0.01"};
    for (int spring = 0; spring < SPRINGS; ++spring)
        for (int k = 0; k < 2; ++k) {
            double linear, whole, half;
            drift(spring, keys[k], 100, &linear, &whole);
            drift(spring, keys[k], 200, &linear, &half);
            cr_expect_lt(whole, 1e-2, "%s%s: %g", springs[spring], keys[k], whole);
            cr_expect(whole / half > 1.8 && whole / half < 2.2, "%s%s: %g and %g", springs[spring], keys[k], whole,
                      half);
        }
}

/* The ball starts compressed to 0.6 of its volume. Soft springs alone leave the ball compressed. Stiff ghosts restore
 * its volume. */
Test(xpbd_motion, ghosts_bring_a_volume_back) {
    static const char *const with[] = {"", ", volume: ghosts"};
    for (int spring = 0; spring < SPRINGS; ++spring)
        for (int w = 0; w < 2; ++w) {
            struct subject s;
            double loss[20];
            char *keys = text_format(", compliance: 10, iterations: 30%s", with[w]);
            body_create(&s, ball, spring, keys, FREE "time: {step: 10 ms, frames: 20}\n");
            double(*x)[3] = memory_new((size_t)s.model.body.nodes, sizeof *x);
            for (int i = 0; i < s.model.body.nodes; ++i)
                for (int k = 0; k < 3; ++k)
                    x[i][k] = s.model.body.position[i][k] * (k == 1 ? 0.6 : 1);
            subject_set(&s, (const double(*)[3])x, NULL);
            for (int f = 0; f < 20; ++f)
                loss[f] = subject_value(&s, state_after(s.simulation, 1), "volume_loss");
            if (w) {
                cr_expect_lt(fabs(loss[0]), 1e-3, "%s: %g after a step", springs[spring], loss[0]);
                cr_expect_lt(fabs(loss[19]), 1e-5, "%s: %g", springs[spring], loss[19]);
            } else {
                cr_expect_float_eq(loss[0], 0.4, 1e-3, "%s: %g after a step", springs[spring], loss[0]);
                cr_expect_gt(loss[19], 0.3, "%s: %g", springs[spring], loss[19]);
            }
            free(x);
            free(keys);
            subject_free(&s);
        }
}

/* ---- Obstacles, wind, pins ---- */

/* A flag falls onto a sphere, and a ball falls onto a cube with edges of 1 m. */
Test(xpbd_motion, no_node_is_in_an_obstacle_after_a_step) {
    char *folder = folder_temporary(), *cube = text_format("%s/cube.off", folder);
    struct mesh mesh;
    shape_cube(1, &mesh);
    mesh_write(&mesh, cube);
    mesh_free(&mesh);
    for (int is_convex = 0; is_convex < 2; ++is_convex) {
        struct subject s;
        char *rest = is_convex ? text_format("scene: {gravity: [0, -10 m/s^2, 0], convex: {mesh: %s, centre: [0, -1.6 "
                                             "m, 0]}}\ntime: {step: 5 ms, frames: 120}\n",
                                             cube)
                               : text_copy("scene: {gravity: [0, -10 m/s^2, 0], sphere: {radius: 0.3 m, centre: [0, "
                                           "-0.5 m, 0]}}\ntime: {step: 5 ms, frames: 120}\n");
        int touching = 0;
        double deepest = 0;
        body_create(&s, is_convex ? ball : flag, 0, ", compliance: 1e-5, iterations: 5", rest);
        for (int f = 0; f < 120; ++f) {
            const struct state *state = state_after(s.simulation, 1);
            cr_assert_not(state->diverged);
            for (int i = 0; i < s.model.body.nodes; ++i) {
                const double x = subject_position(&s, state, i, 0), y = subject_position(&s, state, i, 1),
                             z = subject_position(&s, state, i, 2);
                const double outside = is_convex ? fmax(fabs(y + 1.6) - 0.5, fmax(fabs(x) - 0.5, fabs(z) - 0.5))
                                                 : sqrt(x * x + (y + 0.5) * (y + 0.5) + z * z) - 0.3;
                deepest = fmin(deepest, outside);
                touching += outside < 1e-12;
            }
        }
        cr_expect_gt(deepest, -1e-14, "convex %d: %g m", is_convex, deepest);
        cr_expect_gt(touching, 20, "convex %d: only %d contacts", is_convex, touching);
        subject_free(&s);
        free(rest);
    }
    free(cube);
    folder_remove(folder);
}

/* The flag is horizontal and has the area A = 0.75 m^2. In a step h, a wind from below with the velocity u and the drag
 * c gives the flag the momentum c A u h. A wind along the flag gives no momentum. A wind of the kind `normals` acts on
 * each corner of the flag's 96 triangles. Its force is 0.1 kg times the component of the acceleration along the normal.
 * A uniform wind accelerates all free nodes. */
Test(xpbd_motion, a_flag_gets_its_momentum_from_the_wind) {
    static const struct {
        const char *wind;
        double force[3];
    } table[] = {{"kind: triangles, velocity: [0, 4 m/s, 0], drag: 2 kg/m^2/s", {0, 2 * 0.75 * 4, 0}},
                 {"kind: triangles, velocity: [3 m/s, 0, 1 m/s], drag: 2 kg/m^2/s", {0, 0, 0}},
                 {"kind: triangles, velocity: [3 m/s, -1 m/s, 0], drag: 2 kg/m^2/s", {0, -1.5, 0}},
                 {"kind: normals, acceleration: [1 m/s^2, 2 m/s^2, -3 m/s^2]", {0, 2 * 0.1 * 3 * 96, 0}},
                 {"kind: uniform, acceleration: [1 m/s^2, 2 m/s^2, -3 m/s^2]", {6.3, 12.6, -18.9}}};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct subject s;
        double got[6];
        char *rest =
            text_format("scene: {gravity: [0, 0, 0], wind: {%s}}\ntime: {step: 10 ms, frames: 1}\n", table[t].wind);
        body_create(&s, flag, 0, ", compliance: 1e-3", rest);
        momenta(&s, state_after(s.simulation, 1), got);
        for (int k = 0; k < 3; ++k)
            cr_expect_float_eq(got[k], 0.01 * table[t].force[k], 1e-12, "%s: %g along %d", table[t].wind, got[k], k);
        subject_free(&s);
        free(rest);
    }
}

/* Springs, ghosts, gravity, an obstacle and wind act together. Pinned nodes keep all bits of their positions, and other
 * nodes move. */
Test(xpbd_motion, pins_stay_to_the_bit) {
    static const char *const precisions[] = {"float", "double"};
    for (int p = 0; p < 2; ++p) {
        struct subject s;
        int pinned = 0;
        double moved = 0;
        subject_create(&s, ball, "node_mass: 0.1 kg, surface: {pins: highest, pins_depth: 0.1}",
                       "method: {name: xpbd, precision: %s, spring: stretching, compliance: 1e-4, damping: 1, volume: "
                       "ghosts, iterations: 5}\nscene: {gravity: [0, -10 m/s^2, 0], sphere: {radius: 0.6 m, centre: "
                       "[0, 1 m, 0]}, wind: {kind: triangles, velocity: [9 m/s, 0, 0], drag: 1 kg/m^2/s}}\n"
                       "time: {step: 5 ms, frames: 40}\n",
                       precisions[p]);
        subject_open(&s, "serial");
        const struct state *state = state_after(s.simulation, 40);
        cr_assert_not(state->diverged);
        for (int i = 0; i < s.model.body.nodes; ++i)
            for (int k = 0; k < 3; ++k) {
                const double x = subject_position(&s, state, i, k), rest = s.model.body.position[i][k];
                if (s.model.body.pinned[i]) {
                    pinned += k == 0;
                    cr_expect_eq(x, p ? rest : (double)(float)rest);
                    cr_expect_eq(subject_velocity(&s, state, i, k), 0);
                } else {
                    moved = fmax(moved, fabs(x - rest));
                }
            }
        cr_expect(pinned > 3 && pinned < 40, "%d", pinned);
        cr_expect_gt(moved, 0.01, "%g", moved);
        subject_free(&s);
    }
}

/* xpbd refuses a body with inner nodes, because these nodes would have no springs and would fall freely. */
Test(xpbd_motion, a_body_with_something_inside_is_refused) {
    char *folder = folder_temporary(), *path = text_format("%s/cube.h5", folder);
    struct mesh mesh;
    struct prepared cube;
    shape_cube(3, &mesh);
    cr_assert_eq(prepared_create(&mesh, "cube", &cube), STATUS_OK, "%s", failure_text());
    cr_assert_eq(filling_add(&cube, &(struct filling){.switches = "-pqYa0.01"}, "cube"), STATUS_OK, "%s",
                 failure_text());
    cr_assert_eq(stored_write(&cube, path), STATUS_OK, "%s", failure_text());
    prepared_free(&cube);
    mesh_free(&mesh);
    cr_assert_eq(setenv("SPRINGBACK_BODIES", folder, 1), 0);
    expect_refused("springback: 1\npaper: test\ntitle: t\nbody: {mesh: cube, node_mass: 1 kg, surface: {inside: "
                   "tetrahedra}}\nmethod: {name: xpbd, spring: morse}\ntime: {step: 1 ms, frames: 1}\n",
                   "test.yaml:4:47: method.name is xpbd, and body.surface.inside is tetrahedra");
    free(path);
    folder_remove(folder);
}

Test(xpbd_motion, ghosts_that_cannot_be_are_refused) {
    static const struct {
        const char *method, *said;
    } table[] = {
        {"{name: xpbd, spring: morse, volume: ghosts, damping_of: ends}",
         "method.damping_of is ends, which is for springs only, and method.volume is ghosts"},
        {"{name: xpbd_hyperelastic, material: stvk, elements: ghosts}",
         "method.elements is ghosts, which needs a closed body, and the body is open"},
    };
    char *folder = folder_temporary(),
         *path[2] = {text_format("%s/ball.off", folder), text_format("%s/flag.off", folder)};
    for (int t = 0; t < 2; ++t) {
        AUTO_FREE char *text =
            text_format("springback: 1\npaper: test\ntitle: t\nbody: {mesh: %s, node_mass: 1 kg}\nmethod: %s\n"
                        "time: {step: 1 ms, frames: 1}\n",
                        path[t], table[t].method);
        struct mesh mesh;
        (t ? flag : ball)(&mesh);
        mesh_write(&mesh, path[t]);
        mesh_free(&mesh);
        expect_refused(text, table[t].said);
        free(path[t]);
    }
    folder_remove(folder);
}

/* The time of the paper's grouping is proportional to the square of the number of edges. */
Test(xpbd_motion, the_paper_s_groups_of_too_many_edges_are_refused) {
    char *folder = folder_temporary(), *path = text_format("%s/large.off", folder);
    char *text = text_format("springback: 1\npaper: test\ntitle: t\nbody: {mesh: %s, node_mass: 1 kg}\n"
                             "method: {name: xpbd, spring: morse, groups: paper}\ntime: {step: 1 ms, frames: 1}\n",
                             path);
    struct mesh mesh;
    struct plan plan;
    struct model model;
    shape_cloth(149, 149, 1, 1, &mesh);
    mesh_write(&mesh, path);
    mesh_free(&mesh);
    plan_from_text(text, &plan);
    failure_clear();
    cr_expect_eq(model_describe(&plan.runs[0], &model), STATUS_BAD);
    cr_expect(strstr(failure_text(), "test.yaml:5:37: method.groups is paper") && strstr(failure_text(), "tuned"), "%s",
              failure_text());
    model_free(&model);
    plan_free(&plan);
    free(text);
    free(path);
    folder_remove(folder);
}

/* ---- Cloths ---- */

#define CLOTH_OF(method, more)                                                                                         \
    "body: {cloth: {nodes: [2, 2], springs: [structural], pins: row, plane: vertical}, node_mass: 2 kg}\n"             \
    "method: {name: " method "}\n" more

/* Two masses hang below a pinned row, and a spring joins the two masses. They come to rest m g alpha below their
 * start. */
Test(xpbd_motion, a_cloth_hangs_by_its_springs_as_by_hookes_law) {
    struct cloth cloth;
    cloth_create(&cloth, CLOTH_OF("xpbd, spring: stretching, compliance: 0.01, iterations: 1, precision: double",
                                  GRAVITY "time: {step: 10 ms, frames: 6000}\n"));
    cloth_open(&cloth, "serial");
    const struct state *state = state_after(cloth.simulation, 6000);
    for (int i = 0; i < 4; ++i) {
        cr_expect_float_eq(line_place(state, i)[0], i % 2, 1e-12);
        cr_expect_float_eq(line_place(state, i)[1], i < 2 ? 0 : -1 - 2 * 10 * 0.01, 1e-6, "%.12g",
                           line_place(state, i)[1]);
    }
    cr_expect_float_eq(quantity(&cloth, state, "length_error"), 0.2 * 2 / 4, 1e-6,
                       "two of four springs are too long: %.12g", quantity(&cloth, state, "length_error"));
    cloth_free(&cloth);
}

/* The constraint C of a spring by the paper's equation, with k = 3 and lengths in m. */
static double constraint_of(const char *spring, double length, double rest) {
    const double longer = length - rest, squares = length * length - rest * rest;
    return !strcmp(spring, "stretching") ? 3 * longer
           : !strcmp(spring, "hookean")  ? 1.5 * longer * longer
           : !strcmp(spring, "stvk")     ? 1.5 * squares * squares
                                         : 3 * pow(1 - exp(longer), 2);
}

/* The quantity constraint_error is the mean, over the springs, of |C| / (rest length). The cloth has four springs,
 * which are 1 m long at rest. */
Test(xpbd_motion, the_constraints_error_is_that_of_the_runs_own_spring) {
    static const int ends[][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
    for (size_t s = 0; s < sizeof springs / sizeof *springs; ++s) {
        struct cloth cloth;
        char *text = text_format(CLOTH_OF("xpbd, spring: %s, stiffness: 3, compliance: 0.01, precision: double",
                                          GRAVITY "time: {step: 10 ms, frames: 9}\n"),
                                 springs[s]);
        cloth_create(&cloth, text);
        cloth_open(&cloth, "serial");
        const struct state *state = state_after(cloth.simulation, 9);
        double expected = 0;
        for (int e = 0; e < 4; ++e) {
            const double *a = line_place(state, ends[e][0]), *b = line_place(state, ends[e][1]);
            const double length = sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
            expected += fabs(constraint_of(springs[s], length, 1)) / 4;
        }
        cr_expect_gt(expected, 1e-9, "%s", springs[s]);
        cr_expect_float_eq(quantity(&cloth, state, "constraint_error"), expected, 1e-6 * expected,
                           "%s: %.12g, not %.12g", springs[s], quantity(&cloth, state, "constraint_error"), expected);
        cloth_free(&cloth);
        free(text);
    }
}

Test(xpbd_motion, what_a_cloth_does_not_have_is_refused) {
    static const struct {
        const char *text, *flaw;
    } table[] = {
        {CLOTH_OF("xpbd_hyperelastic, material: stvk", ""), "test.yaml:5:10: method.name is xpbd_hyperelastic, whose "
                                                            "constraints are those of a mesh, and the body is a cloth"},
        {CLOTH_OF("xpbd, spring: morse, volume: ghosts", ""),
         "method.volume is ghosts, which needs a closed body, and the body is open"},
        {CLOTH_OF("xpbd, spring: morse", "scene: {push: {acceleration: [0, 0, 1 m/s^2], until: 1 s}}\n"),
         "test.yaml:6:16: xpbd cannot simulate scene.push"},
        {"body: {cloth: {nodes: [2, 2], springs: [bend]}, node_mass: 1 kg}\nmethod: {name: xpbd, spring: morse}\n",
         "which makes 0 springs"},
    };
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        AUTO_FREE char *text =
            text_format("springback: 1\npaper: test\ntitle: t\n%stime: {step: 1 ms, frames: 1}\n", table[t].text);
        expect_refused(text, table[t].flaw);
    }
}

/* ---- Damping ---- */

Test(xpbd_motion, damping_acts_through_compliance_alone) {
    char hash[3][DIGEST_SIZE];
    static const char *const keys[] = {"", ", damping: 3", ", damping: 3, damping_means: scaled"};
    for (int spring = 0; spring < SPRINGS; ++spring) {
        for (int k = 0; k < 3; ++k) {
            struct subject s;
            char *all = text_format(", volume: ghosts%s", keys[k]);
            body_create(&s, ball, spring, all, FREE "time: {step: 10 ms, frames: 5}\n");
            set_random(&s, 0.02, false);
            memcpy(hash[k], state_after(s.simulation, 5)->hash, DIGEST_SIZE);
            subject_free(&s);
            free(all);
        }
        cr_expect_str_eq(hash[1], hash[0], "%s", springs[spring]);
        cr_expect_str_eq(hash[2], hash[0], "%s", springs[spring]);
    }
}

/* Without damping, the multipliers of a spring's two ends are bit-identical. The result is therefore bit-identical to
 * that of `damping_of: pair`. */
Test(xpbd_motion, ends_without_damping_are_a_pair) {
    char hash[2][DIGEST_SIZE];
    for (int spring = 0; spring < SPRINGS; ++spring) {
        for (int ends = 0; ends < 2; ++ends) {
            struct subject s;
            char *keys = text_format(", compliance: 1e-3, iterations: 5, damping_of: %s", ends ? "ends" : "pair");
            body_create(&s, ball, spring, keys, FREE "time: {step: 10 ms, frames: 5}\n");
            set_random(&s, 0.02, false);
            memcpy(hash[ends], state_after(s.simulation, 5)->hash, DIGEST_SIZE);
            subject_free(&s);
            free(keys);
        }
        cr_expect_str_eq(hash[1], hash[0], "%s", springs[spring]);
    }
}

Test(xpbd_motion, damping_takes_energy) {
    static const char *const keys[] = {"", ", damping: 0.01", ", damping: 0.1", ", damping: 1"};
    for (int spring = 0; spring < SPRINGS; ++spring) {
        double before = INFINITY;
        for (int k = 0; k < 4; ++k) {
            struct subject s;
            char *all = text_format(", compliance: 1e-2, iterations: 20%s", keys[k]);
            body_create(&s, ball, spring, all, FREE "time: {step: 2 ms, frames: 50}\n");
            set_random(&s, 0.02, false);
            const double energy = subject_value(&s, state_after(s.simulation, 50), "kinetic_energy");
            cr_expect_lt(energy, before, "%s%s: %g, %g with less damping", springs[spring], keys[k], energy, before);
            before = energy;
            subject_free(&s);
            free(all);
        }
    }
}

/* ---- Equal bits ---- */

Test(xpbd_motion, vector_units_and_threads_give_the_same_bits) {
    static const char *const levels[] = {"base", "v3", "v4", ""}, *const precisions[] = {"float", "double"},
                             *const backends[] = {"threads:2", "threads:2", "threads:1", "threads:3"};
    static const char *const each_end = ", compliance: 1e-3, damping: 2, damping_of: ends, relaxation: 0.5";
    static const char *const scenes[] = {"gravity: [0, -10 m/s^2, 0], sphere: {radius: 0.5 m, centre: [0, -1.4 m, 0]}",
                                         "wind: {kind: triangles, velocity: [5 m/s, 0, 0], drag: 1 kg/m^2/s}"};
    for (int spring = 0; spring < (int)(sizeof all_springs / sizeof *all_springs); ++spring)
        for (int w = spring % 2; w < KEY_SETS + 2; w += 2) { /* every second element of key_sets, then each_end */
            char reference[DIGEST_SIZE];
            char *text = text_format("method: {name: xpbd, precision: %s, spring: %s, iterations: 4%s}\nscene: {%s}\n"
                                     "time: {step: 5 ms, steps_per_frame: 3, frames: 3}\n",
                                     precisions[(w / 2 + spring / 2) % 2], all_springs[spring],
                                     w < KEY_SETS ? key_sets[w] : each_end, scenes[(w / 2 + spring) % 2]);
            for (int l = -1; l < 4; ++l) {
                struct subject s;
                if (l >= 0 && *levels[l])
                    cr_assert_eq(setenv("SPRINGBACK_LEVEL", levels[l], 1), 0);
                else
                    cr_assert_eq(unsetenv("SPRINGBACK_LEVEL"), 0);
                subject_create(&s, ball, "node_mass: 0.1 kg", "%s", text);
                subject_open(&s, l < 0 ? "serial" : backends[l]);
                const struct state *state = state_after(s.simulation, 3);
                cr_expect_not(state->diverged);
                if (l < 0)
                    memcpy(reference, state->hash, DIGEST_SIZE);
                else
                    cr_expect_str_eq(state->hash, reference, "%s on %s at %s", text, backends[l], levels[l]);
                subject_free(&s);
            }
            free(text);
        }
}
