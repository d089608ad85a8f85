/* Tests of the methods of position based dynamics: invariants, the return to the rest shape, and contact with the
 * ground. */
#include "body/filling.h"
#include "body/prepared.h"
#include "subject.h"

#define FREE(step, frames) "scene: {gravity: [0, 0, 0]}\ntime: {step: " step ", frames: " frames "}\n"

/* The methods under test, each with the value of body.surface.inside that the method needs, and with further keys of
 * the method. */
static const struct kind {
    const char *method, *inside, *more;
} kinds[] = {{"pbd_surface", "none", ""},
             {"pbd_inner_links", "links", ""},
             {"pbd_strain_tets", "tetrahedra", ", strain_form: normalised"},
             {"pbd_strain_tets", "tetrahedra", ", strain_form: printed"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const char *const solvers[] = {"gauss_seidel", "jacobi"};

/* The folder of the body that `keep` has prepared last, and the body's shape and TetGen switches. `keep` uses the body
 * again if shape and switches are the same. */
static struct {
    char *folder;
    void (*shape)(struct mesh *mesh);
    const char *switches;
} kept;

static void forget(void) {
    if (kept.folder)
        folder_remove(kept.folder);
    kept.folder = NULL;
}

TestSuite(pbd, .fini = forget);

static void keep(void (*shape)(struct mesh *mesh), const char *switches) {
    struct mesh mesh;
    struct prepared prepared;
    if (kept.folder && kept.shape == shape && !strcmp(kept.switches, switches))
        return;
    forget();
    kept.folder = folder_temporary();
    kept.shape = shape;
    kept.switches = switches;
    char *path = text_format("%s/filled.h5", kept.folder);
    shape(&mesh);
    cr_assert_eq(prepared_create(&mesh, "filled", &prepared), STATUS_OK, "%s", failure_text());
    cr_assert_eq(filling_add(&prepared, &(struct filling){true, true, switches}, "filled"), STATUS_OK, "%s",
                 failure_text());
    cr_assert_eq(stored_write(&prepared, path), STATUS_OK, "%s", failure_text());
    prepared_free(&prepared);
    mesh_free(&mesh);
    free(path);
    cr_assert_eq(setenv("SPRINGBACK_BODIES", kept.folder, 1), 0);
}

/* Make a subject from a shape, filled with inner links and with tetrahedra by TetGen's `switches`. `keys` are further
 * keys of the method and begin with a comma; `rest` has the lines after the method. */
static void filled(struct subject *s, void (*shape)(struct mesh *mesh), const char *switches, const struct kind *kind,
                   const char *keys, const char *rest) {
    char *body = text_format("node_mass: 2 kg, surface: {inside: %s}", kind->inside);
    char *text = text_format("method: {name: %s%s%s}\n%s", kind->method, kind->more, keys, rest);
    keep(shape, switches);
    subject_of_file(s, "filled", body, text);
    free(body);
    free(text);
}

static void ball(struct mesh *mesh) {
    shape_icosphere(2, mesh);
}

/* Set random velocities, and positions whose coordinates differ by at most `by` m from those at rest. Each call gives
 * the same random numbers. If `is_turned`, velocities and positions are rotated about x by an angle whose cosine is
 * 0.6. */
static void set_random(struct subject *s, double by, bool is_turned) {
    const struct body *body = &s->model.body;
    double(*x)[3] = memory_new((size_t)body->nodes, sizeof *x), (*v)[3] = memory_new((size_t)body->nodes, sizeof *v);
    unsigned seed = 5;
    for (int i = 0; i < body->nodes; ++i) {
        double place[3], speed[3];
        for (int k = 0; k < 3; ++k) {
            place[k] = body->position[i][k] + by * subject_random(&seed);
            speed[k] = 0.5 * subject_random(&seed);
        }
        const double c = is_turned ? 0.6 : 1, d = is_turned ? 0.8 : 0;
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

Test(pbd, a_body_at_rest_stays_as_it_is) {
    for (int k = 0; k < KINDS; ++k)
        for (int j = 0; j < 2; ++j) {
            struct subject s;
            char *keys = text_format(", precision: double, solver: %s", solvers[j]);
            filled(&s, ball, "-pqYa0.05", &kinds[k], keys, FREE("10 ms", "20"));
            subject_open(&s, "serial");
            const struct state *state = state_after(s.simulation, 20);
            double worst = 0;
            for (int i = 0; i < s.model.body.nodes; ++i)
                for (int c = 0; c < 3; ++c)
                    worst = fmax(worst, fabs(subject_position(&s, state, i, c) - s.model.body.position[i][c]));
            cr_expect_lt(worst, 1e-12, "%s%s by %s: %g", kinds[k].method, kinds[k].more, solvers[j], worst);
            subject_free(&s);
            free(keys);
        }
}

/* This test uses Gauss-Seidel only. The solver jacobi does not conserve the momentum: each end of a constraint divides
 * the correction by its own number of constraints. */
Test(pbd, constraints_keep_the_momentum) {
    static const char *const names[] = {"momentum_x", "momentum_y", "momentum_z"};
    for (int k = 0; k < KINDS; ++k) {
        struct subject s;
        const struct state *state;
        double before[3];
        filled(&s, ball, "-pqYa0.05", &kinds[k], ", precision: double, iterations: 5", FREE("10 ms", "20"));
        subject_open(&s, "serial");
        set_random(&s, 0.01, false);
        cr_assert_eq(simulation_observe(s.simulation, true, &state), STATUS_OK);
        for (int c = 0; c < 3; ++c)
            before[c] = subject_value(&s, state, names[c]);
        state_after(s.simulation, 20);
        cr_assert_eq(simulation_observe(s.simulation, true, &state), STATUS_OK);
        cr_expect_not(state->diverged);
        for (int c = 0; c < 3; ++c)
            cr_expect_float_eq(subject_value(&s, state, names[c]), before[c], 1e-9, "%s%s: %g, was %g", kinds[k].method,
                               kinds[k].more, subject_value(&s, state, names[c]), before[c]);
        subject_free(&s);
    }
}

/* The test does one iteration with edges only, without velocities and gravity. With jacobi a node moves by the mean of
 * its corrections, with jacobi_sum by their sum. So a node with n edges moves n times as far with jacobi_sum. The sum
 * conserves the momentum, and the mean does not. */
Test(pbd, a_sum_of_corrections_is_their_mean_times_their_number) {
    static const char *const jacobi_solvers[] = {"jacobi", "jacobi_sum"};
    static const struct kind surface = {"pbd_surface", "none", ", bending: 0, iterations: 1, precision: double"};
    double(*moved[2])[3], drift[2] = {0, 0}, largest = 0;
    int *edges = NULL, nodes = 0;
    for (int j = 0; j < 2; ++j) {
        struct subject s;
        char *keys = text_format(", solver: %s", jacobi_solvers[j]);
        filled(&s, ball, "-pqYa0.05", &surface, keys, FREE("10 ms", "1"));
        nodes = s.model.body.nodes;
        moved[j] = memory_new((size_t)nodes, sizeof *moved[j]);
        const struct part *part = &s.model.body.prepared.parts[PART_EDGES];
        if (!edges) {
            edges = memory_new((size_t)nodes, sizeof *edges);
            for (int e = 0; e < 2 * part->count; ++e)
                ++edges[part->particle[e]];
        }
        subject_open(&s, "serial");
        double(*x)[3] = memory_new((size_t)nodes, sizeof *x), (*v)[3] = memory_new((size_t)nodes, sizeof *v);
        for (int i = 0; i < nodes; ++i)
            for (int c = 0; c < 3; ++c) {
                x[i][c] = s.model.body.position[i][c] * (1 + 0.01 * ((7 * i + c) % 5));
                v[i][c] = 0;
            }
        subject_set(&s, (const double(*)[3])x, (const double(*)[3])v);
        const struct state *state = state_after(s.simulation, 1);
        for (int i = 0; i < nodes; ++i)
            for (int c = 0; c < 3; ++c)
                moved[j][i][c] = subject_position(&s, state, i, c) - x[i][c];
        for (int i = 0; i < nodes; ++i)
            drift[j] += moved[j][i][0];
        subject_free(&s);
        free(x);
        free(v);
        free(keys);
    }
    for (int i = 0; i < nodes; ++i)
        for (int c = 0; c < 3; ++c) {
            largest = fmax(largest, fabs(moved[1][i][c]));
            cr_expect_float_eq(moved[1][i][c], edges[i] * moved[0][i][c], 1e-13,
                               "node %d: moved by %g m, %d edges, mean %g m", i, moved[1][i][c], edges[i],
                               moved[0][i][c]);
        }
    cr_expect_gt(largest, 1e-3);
    cr_expect_lt(fabs(drift[1]), 1e-12);
    cr_expect_gt(fabs(drift[0]), 1e-6);
    free(moved[0]);
    free(moved[1]);
    free(edges);
}

/* The positions after one step from the state of set_random: three numbers for each node, newly allocated. Sets *reals
 * to the count of numbers. */
static double *after_one_step(const char *keys, int *reals) {
    static const struct kind links = {"pbd_inner_links", "links", ", precision: double"};
    struct subject s;
    filled(&s, ball, "-pqYa0.05", &links, keys, FREE("10 ms", "1"));
    subject_open(&s, "serial");
    set_random(&s, 0.01, false);
    const struct state *state = state_after(s.simulation, 1);
    double *x = memory_new(3 * (size_t)s.model.body.nodes, sizeof *x);
    *reals = 3 * s.model.body.nodes;
    for (int k = 0; k < *reals; ++k)
        x[k] = subject_position(&s, state, k / 3, k % 3);
    subject_free(&s);
    return x;
}

/* With a relaxation of 0, a node ends at its predicted position. */
Test(pbd, a_relaxation_multiplies_the_mean_correction) {
    int reals;
    double *none = after_one_step(", iterations: 1, solver: jacobi, relaxation: 0", &reals),
           *mean = after_one_step(", iterations: 1, solver: jacobi", &reals),
           *relaxed = after_one_step(", iterations: 1, solver: jacobi, relaxation: 1.5", &reals), largest = 0;
    for (int k = 0; k < reals; ++k) {
        largest = fmax(largest, fabs(mean[k] - none[k]));
        cr_expect_float_eq(relaxed[k] - none[k], 1.5 * (mean[k] - none[k]), 1e-14, "%d", k);
    }
    cr_expect_gt(largest, 1e-3, "%g", largest);
    free(none);
    free(mean);
    free(relaxed);
}

#define ALL_STIFFNESSES(k)                                                                                             \
    ", surface_compression: " k ", surface_stretch: " k ", inside_compression: " k ", inside_stretch: " k              \
    ", bending: " k

/* Two corrections with the stiffness 1/2 leave 1/4 of the error, and so does a stiffness of 3/4 per step. A stiffness
 * of 4 per step has the effect of a stiffness of 1. */
Test(pbd, a_stiffness_per_step_leaves_the_same_error_after_all_iterations) {
    int reals;
    double *halves = after_one_step(", iterations: 2" ALL_STIFFNESSES("0.5"), &reals),
           *per_step = after_one_step(", iterations: 2, stiffness_means: per_step" ALL_STIFFNESSES("0.75"), &reals),
           *whole = after_one_step(", iterations: 2" ALL_STIFFNESSES("1"), &reals),
           *over = after_one_step(", iterations: 2, stiffness_means: per_step" ALL_STIFFNESSES("4"), &reals);
    double largest = 0;
    for (int k = 0; k < reals; ++k) {
        largest = fmax(largest, fabs(halves[k] - whole[k]));
        cr_expect_float_eq(per_step[k], halves[k], 1e-13, "%d", k);
        cr_expect_eq(over[k], whole[k]);
    }
    cr_expect_gt(largest, 1e-3, "%g", largest);
    free(halves);
    free(per_step);
    free(whole);
    free(over);
}

Test(pbd, a_rotated_body_moves_the_same) {
    for (int k = 0; k < KINDS; ++k)
        for (int j = 0; j < 2; ++j) {
            struct subject s;
            double(*straight)[3], worst = 0;
            char *keys = text_format(", precision: double, solver: %s, iterations: 3", solvers[j]);
            filled(&s, ball, "-pqYa0.05", &kinds[k], keys, FREE("10 ms", "5"));
            straight = memory_new((size_t)s.model.body.nodes, sizeof *straight);
            for (int turned = 0; turned < 2; ++turned) {
                subject_open(&s, "serial");
                set_random(&s, 0.01, turned);
                const struct state *state = state_after(s.simulation, 5);
                for (int i = 0; i < s.model.body.nodes; ++i) {
                    double x[3];
                    for (int c = 0; c < 3; ++c)
                        x[c] = subject_position(&s, state, i, c);
                    const double back[3] = {x[0], 0.6 * x[1] + 0.8 * x[2], -0.8 * x[1] + 0.6 * x[2]};
                    for (int c = 0; c < 3; ++c)
                        if (turned)
                            worst = fmax(worst, fabs(back[c] - straight[i][c]));
                        else
                            straight[i][c] = x[c];
                }
            }
            cr_expect_lt(worst, 1e-10, "%s%s by %s: %g", kinds[k].method, kinds[k].more, solvers[j], worst);
            free(straight);
            subject_free(&s);
            free(keys);
        }
}

/* Run the regular tetrahedron with edges of 1 m from these positions, with strain constraints only. Set *longest_error
 * to the largest difference of an edge's length from 1 m at the end. Set *farthest to the largest coordinate in all
 * frames. Both are in m. */
static void strained_from(const struct kind *kind, const double (*position)[3], int frames, double *longest_error,
                          double *farthest) {
    struct subject s;
    const struct state *state = NULL;
    filled(&s, subject_tetrahedron, "-pY", kind,
           ", precision: double, surface_compression: 0, surface_stretch: 0, bending: 0, damping: 20 1/s",
           FREE("10 ms", "400"));
    cr_assert_eq(s.model.body.nodes, 4);
    subject_open(&s, "serial");
    double(*placed)[3] = memory_new(4, sizeof *placed);
    memcpy(placed, position, 4 * sizeof *placed);
    subject_set(&s, (const double(*)[3])placed, NULL);
    *farthest = *longest_error = 0;
    for (int f = 0; f < frames; ++f) {
        state = state_after(s.simulation, 1);
        for (int c = 0; c < 12; ++c)
            *farthest = fmax(*farthest, fabs(subject_position(&s, state, c / 3, c % 3)));
    }
    cr_assert_not_null(state);
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < a; ++b) {
            double square = 0;
            for (int c = 0; c < 3; ++c)
                square += pow(subject_position(&s, state, a, c) - subject_position(&s, state, b, c), 2);
            *longest_error = fmax(*longest_error, fabs(sqrt(square) - 1));
        }
    free(placed);
    subject_free(&s);
}

/* The positions of subject_tetrahedron's vertices, in the order of the body's nodes. */
static void places_at_rest(double out[4][3]) {
    struct subject s;
    filled(&s, subject_tetrahedron, "-pY", &kinds[2], "", FREE("10 ms", "1"));
    memcpy(out, s.model.body.position, 12 * sizeof(double));
    subject_free(&s);
}

Test(pbd, a_stretched_tetrahedron_returns) {
    double rest[4][3], error, farthest;
    places_at_rest(rest);
    for (int k = 2; k < KINDS; ++k) {
        double stretched[4][3];
        for (int c = 0; c < 12; ++c)
            stretched[c / 3][c % 3] = rest[c / 3][c % 3] * (c % 3 == 0 ? 1.8 : c % 3 == 1 ? 0.7 : 1.2);
        strained_from(&kinds[k], (const double(*)[3])stretched, 200, &error, &farthest);
        cr_expect_lt(error, 1e-6, "%s: %g", kinds[k].more, error);
        cr_expect_lt(farthest, 2);
    }
}

/* The tetrahedron starts flattened, inverted, stretched to a needle, or compressed to a point or almost to a point. */
Test(pbd, an_inverted_tetrahedron_does_not_blow_up) {
    static const double by[][3] = {{1, 1, 0},       {1, 1, -1},         {-0.3, 1.5, 1},
                                   {1, 1e-4, 1e-4}, {1e-6, 1e-6, 1e-6}, {0, 0, 0}};
    double rest[4][3], error, farthest;
    places_at_rest(rest);
    for (int k = 2; k < KINDS; ++k)
        for (size_t b = 0; b < sizeof by / sizeof *by; ++b) {
            double placed[4][3];
            for (int c = 0; c < 12; ++c)
                placed[c / 3][c % 3] = rest[c / 3][c % 3] * by[b][c % 3];
            strained_from(&kinds[k], (const double(*)[3])placed, 400, &error, &farthest);
            cr_expect_lt(farthest, 4, "%s, case %zu: %g", kinds[k].more, b, farthest);
        }
}

/* Let nodes fall onto the ground. All stiffnesses are 0, so the nodes move independently. Sets two values of the node
 * that is lowest at the start: *rest_height is its height at the end, in m; *speed_after is its largest upward speed,
 * in m/s. */
static void fall(const char *restitution, double *rest_height, double *speed_after) {
    struct subject s;
    const struct state *state;
    char *text =
        text_format("scene: {gravity: [0, -10 m/s^2, 0], ground: {height: 1 m, drop: 0.2 m, restitution: %s}}\n"
                    "time: {step: 1 ms, frames: 4000}\n",
                    restitution);
    filled(&s, subject_octahedron, "-pY", &kinds[0],
           ", precision: double, surface_compression: 0, surface_stretch: 0, bending: 0", text);
    subject_open(&s, "serial");
    int lowest = 0;
    for (int i = 1; i < s.model.body.nodes; ++i)
        if (s.model.body.position[i][1] < s.model.body.position[lowest][1])
            lowest = i;
    *speed_after = 0;
    for (int f = 0; f < 4000; ++f) {
        state = state_after(s.simulation, 1);
        cr_assert_geq(subject_position(&s, state, lowest, 1), 1);
        *speed_after = fmax(*speed_after, subject_velocity(&s, state, lowest, 1));
    }
    *rest_height = subject_position(&s, state, lowest, 1);
    subject_free(&s);
    free(text);
}

Test(pbd, a_node_that_is_dropped_stops_or_bounces) {
    double height, speed;
    fall("0", &height, &speed);
    cr_expect_float_eq(height, 1, 1e-12, "%g", height);
    cr_expect_float_eq(speed, 0, 1e-12, "%g", speed);
    fall("0.5", &height, &speed);
    cr_expect_float_eq(speed, 0.5 * sqrt(2 * 10 * 0.2), 0.02, "%g", speed);
}

/* The nodes are independent, and the lowest node falls from 0.2 m above the ground. Step n = 20 is the first step that
 * ends below the ground, because there g dt^2 n (n + 1) / 2 exceeds 0.2 m. This step places the node 15 mm above the
 * ground, at p. The node continues with the velocity (p - x) / dt, where x is its position before the step. */
Test(pbd, a_node_below_the_ground_is_placed_above_it) {
    struct subject s;
    filled(&s, subject_octahedron, "-pY", &kinds[0],
           ", precision: double, surface_compression: 0, surface_stretch: 0, bending: 0, iterations: 1",
           "scene: {gravity: [0, -10 m/s^2, 0], ground: {height: 1 m, drop: 0.2 m, lift: 15 mm}}\n"
           "time: {step: 10 ms, frames: 21}\n");
    subject_open(&s, "serial");
    int lowest = 0;
    for (int i = 1; i < s.model.body.nodes; ++i)
        if (s.model.body.position[i][1] < s.model.body.position[lowest][1])
            lowest = i;
    double before = subject_position(&s, state_after(s.simulation, 19), lowest, 1);
    cr_expect_float_eq(before, 1.2 - 1e-3 * 19 * 20 / 2, 1e-12, "%g", before);
    const struct state *state = state_after(s.simulation, 1);
    cr_expect_float_eq(subject_position(&s, state, lowest, 1), 1.015, 1e-12, "%.12g",
                       subject_position(&s, state, lowest, 1));
    cr_expect_float_eq(subject_velocity(&s, state, lowest, 1), (1.015 - before) / 0.01, 1e-10, "%.12g",
                       subject_velocity(&s, state, lowest, 1));
    before = subject_velocity(&s, state, lowest, 1) - 0.1;
    state = state_after(s.simulation, 1);
    cr_expect_float_eq(subject_position(&s, state, lowest, 1), 1.015 + 0.01 * before, 1e-12);
    subject_free(&s);
}

Test(pbd, what_does_not_go_together_is_refused) {
    static const struct {
        const char *method, *scene, *flaw;
    } table[] = {
        {"relaxation: 1.5", "",
         "test.yaml:5:29: method.relaxation is 1.5, which only the solver jacobi uses, and method.solver is "
         "gauss_seidel; use 1, or the solver jacobi"},
        {"solver: jacobi_sum, relaxation: 1.5", "",
         "method.relaxation is 1.5, which only the solver jacobi uses, and method.solver is jacobi_sum"},
        {"solver: jacobi", ", velocity_factor: -0.1, lift: 1 mm",
         "test.yaml:6:31: scene.ground.velocity_factor is set, and pbd_surface computes velocities from "
         "positions; remove it"},
    };
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        AUTO_FREE char *text = text_format("springback: 1\npaper: test\ntitle: t\nbody: {mesh: " SOURCE_DIR
                                           "/tests/small_cube.off, node_mass: 1 kg}\nmethod: {name: pbd_surface, %s}\n"
                                           "scene: {ground: {height: 0 m%s}}\ntime: {step: 1 ms, frames: 1}\n",
                                           table[t].method, table[t].scene);
        expect_refused(text, table[t].flaw);
    }
}

Test(pbd, vector_units_and_threads_give_the_same_bits) {
    static const char *const levels[] = {"base", "v3", "v4"}, *const precisions[] = {"float", "double"};
    for (int k = 0; k < KINDS; ++k)
        for (int j = 0; j < 4; ++j) {
            struct subject s;
            char *keys = text_format(", precision: %s, solver: %s, iterations: 4", precisions[j % 2], solvers[j / 2]);
            char reference[DIGEST_SIZE];
            filled(&s, ball, "-pqYa0.02", &kinds[k], keys,
                   "scene: {ground: {height: 0 m, drop: 1 mm, friction: 0.3, restitution: 0.2}, plate: {speed: 1 m/s, "
                   "until: 0.2 s}}\ntime: {step: 5 ms, steps_per_frame: 3, frames: 5}\n");
            subject_open(&s, "serial");
            memcpy(reference, state_after(s.simulation, 5)->hash, DIGEST_SIZE);
            for (int l = 0; l < 9; ++l) {
                static const char *const backends[] = {"threads:1", "threads:2", "threads:3"};
                cr_assert_eq(setenv("SPRINGBACK_LEVEL", levels[l / 3], 1), 0);
                struct subject again;
                filled(&again, ball, "-pqYa0.02", &kinds[k], keys,
                       "scene: {ground: {height: 0 m, drop: 1 mm, friction: 0.3, restitution: 0.2}, plate: {speed: 1 "
                       "m/s, until: 0.2 s}}\ntime: {step: 5 ms, steps_per_frame: 3, frames: 5}\n");
                subject_open(&again, backends[l % 3]);
                cr_expect_str_eq(state_after(again.simulation, 5)->hash, reference, "%s%s%s on %s at %s",
                                 kinds[k].method, kinds[k].more, keys, backends[l % 3], levels[l / 3]);
                subject_free(&again);
            }
            cr_assert_eq(unsetenv("SPRINGBACK_LEVEL"), 0);
            subject_free(&s);
            free(keys);
        }
}
