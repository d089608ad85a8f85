/* Tests of xpbd_hyperelastic: invariants, the return to the rest shape, Young's modulus, obstacles, pins, refused
 * input, and bit-identical results of plain loops, vector units and threads. */
#include "body/filling.h"
#include "body/prepared.h"
#include "subject.h"

#define FREE    "scene: {gravity: [0, 0, 0]}\n"
#define OBJECTS "scene: {gravity: [0, -10 m/s^2, 0], sphere: {radius: 0.5 m, centre: [0.1 m, -1.4 m, 0]}, " WIND "}\n"
#define WIND    "wind: {kind: triangles, velocity: [5 m/s, 0, 0], drag: 1 kg/m^2/s}"

/* Each pair of these cases has both materials. The pairs are: C = U without compliance, C = U with compliance, C =
 * sqrt(2 U), and C = U with another Poisson's ratio (kernels/xpbd_hyperelastic.h). Some tests use only the first TAME
 * cases. */
static const char *const kinds[] = {"stvk",
                                    "neo_hookean",
                                    "stvk, element_compliance: 1 J, young: 100 Pa",
                                    "neo_hookean, element_compliance: 1 J, young: 100 Pa",
                                    "stvk, constraint: root, young: 1 kPa",
                                    "neo_hookean, constraint: root, young: 1 kPa",
                                    "stvk, poisson: 0.45",
                                    "neo_hookean, poisson: 0.45"};
enum { KINDS = sizeof kinds / sizeof *kinds, TAME = KINDS - 2 };

/* The folder of the body that `keep` has prepared last, and the shape of this body. `keep` uses the body again if the
 * shape is the same. */
static struct {
    char *folder;
    void (*shape)(struct mesh *mesh);
} kept;

static void forget(void) {
    if (kept.folder)
        folder_remove(kept.folder);
    kept.folder = NULL;
}

TestSuite(xpbd_hyperelastic, .fini = forget);

static void keep(void (*shape)(struct mesh *mesh)) {
    struct mesh mesh;
    struct prepared prepared;
    if (kept.folder && kept.shape == shape)
        return;
    forget();
    kept.folder = folder_temporary();
    kept.shape = shape;
    char *path = text_format("%s/filled.h5", kept.folder);
    shape(&mesh);
    cr_assert_eq(prepared_create(&mesh, "filled", &prepared), STATUS_OK, "%s", failure_text());
    cr_assert_eq(filling_add(&prepared, &(struct filling){.switches = "-pqYa0.05"}, "filled"), STATUS_OK, "%s",
                 failure_text());
    cr_assert_eq(stored_write(&prepared, path), STATUS_OK, "%s", failure_text());
    prepared_free(&prepared);
    mesh_free(&mesh);
    free(path);
    cr_assert_eq(setenv("SPRINGBACK_BODIES", kept.folder, 1), 0);
}

/* Make a subject from a shape that is filled with tetrahedra, with nodes of 0.1 kg. `kind` begins with the material.
 * `surface` and `keys` are further keys of body.surface and of the method. If they are not empty, they begin with a
 * comma. `rest` has the lines after the method. */
static void filled(struct subject *s, void (*shape)(struct mesh *mesh), const char *surface, const char *kind,
                   const char *keys, const char *rest) {
    char *body = text_format("node_mass: 0.1 kg, surface: {inside: tetrahedra%s}", surface);
    char *text = text_format("method: {name: xpbd_hyperelastic, material: %s%s}\n%s", kind, keys, rest);
    keep(shape);
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
    const double c = is_turned ? 0.6 : 1, d = is_turned ? 0.8 : 0;
    unsigned seed = 5;
    for (int i = 0; i < body->nodes; ++i) {
        double place[3], speed[3];
        for (int k = 0; k < 3; ++k) {
            place[k] = body->position[i][k] + by * subject_random(&seed);
            speed[k] = 0.5 * subject_random(&seed);
        }
        memcpy(x[i], (double[3]){place[0], c * place[1] - d * place[2], d * place[1] + c * place[2]}, sizeof *x);
        memcpy(v[i], (double[3]){speed[0], c * speed[1] - d * speed[2], d * speed[1] + c * speed[2]}, sizeof *v);
    }
    subject_set(s, (const double(*)[3])x, (const double(*)[3])v);
    free(x);
    free(v);
}

static double farthest_from_rest(const struct subject *s, const struct state *state) {
    double farthest = 0;
    for (int i = 0; i < s->model.body.nodes; ++i)
        for (int c = 0; c < 3; ++c)
            farthest = fmax(farthest, fabs(subject_position(s, state, i, c) - s->model.body.position[i][c]));
    return farthest;
}

Test(xpbd_hyperelastic, a_body_at_rest_stays_as_it_is) {
    static const char *const precisions[] = {"double", "float"};
    for (int k = 0; k < KINDS; ++k)
        for (int p = 0; p < 2; ++p) {
            struct subject s;
            char *keys = text_format(", precision: %s, iterations: 10", precisions[p]);
            filled(&s, ball, "", kinds[k], keys, FREE "time: {step: 10 ms, frames: 50}\n");
            subject_open(&s, "serial");
            const double farthest = farthest_from_rest(&s, state_after(s.simulation, 50));
            cr_expect_lt(farthest, p ? 1e-4 : 1e-12, "%s in %s: %g", kinds[k], precisions[p], farthest);
            subject_free(&s);
            free(keys);
        }
}

Test(xpbd_hyperelastic, momentum_is_kept) {
    static const char *const names[] = {"momentum_x", "momentum_y", "momentum_z"};
    for (int k = 0; k < KINDS; ++k) {
        struct subject s;
        const struct state *state;
        double before[3];
        filled(&s, ball, "", kinds[k], ", precision: double, iterations: 5", FREE "time: {step: 10 ms, frames: 20}\n");
        subject_open(&s, "serial");
        set_random(&s, 0.05, false);
        cr_assert_eq(simulation_observe(s.simulation, true, &state), STATUS_OK);
        for (int c = 0; c < 3; ++c)
            before[c] = subject_value(&s, state, names[c]);
        state_after(s.simulation, 20);
        cr_assert_eq(simulation_observe(s.simulation, true, &state), STATUS_OK);
        cr_expect_not(state->diverged);
        for (int c = 0; c < 3; ++c)
            cr_expect_float_eq(subject_value(&s, state, names[c]), before[c], 1e-10, "%s: %g, was %g", kinds[k],
                               subject_value(&s, state, names[c]), before[c]);
        subject_free(&s);
    }
}

/* This test leaves out the cases with a Poisson's ratio of 0.45, for which lambda is nine times mu. With both
 * materials, the corrections then overshoot in alternating directions, and a rounding error grows by several powers of
 * ten in each step. */
Test(xpbd_hyperelastic, a_rotated_body_moves_the_same) {
    for (int k = 0; k < TAME; ++k) {
        struct subject s;
        double(*straight)[3], worst = 0;
        filled(&s, ball, "", kinds[k], ", precision: double, iterations: 3", FREE "time: {step: 10 ms, frames: 5}\n");
        straight = memory_new((size_t)s.model.body.nodes, sizeof *straight);
        for (int turned = 0; turned < 2; ++turned) {
            subject_open(&s, "serial");
            set_random(&s, 0.005, turned);
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
        cr_expect_lt(worst, 1e-10, "%s: %g", kinds[k], worst);
        free(straight);
        subject_free(&s);
    }
}

/* The ball starts with nodes that are displaced by more than the distances between neighbours, or as its own mirror
 * image. No node moves far away, and Neo-Hookean bodies get their volume back. A StVK body stays a mirror image,
 * because the mirror image is another rest shape of this material. */
Test(xpbd_hyperelastic, a_body_that_is_wrecked_comes_back) {
    for (int k = 0; k < KINDS; ++k)
        for (int wreck = 0; wreck < 2; ++wreck) {
            struct subject s;
            const struct state *state = NULL;
            double farthest = 0;
            filled(&s, ball, "", kinds[k], ", precision: double, iterations: 10",
                   FREE "time: {step: 10 ms, frames: 100}\n");
            subject_open(&s, "serial");
            if (wreck) { /* the mirror image */
                double(*x)[3] = memory_new((size_t)s.model.body.nodes, sizeof *x);
                for (int i = 0; i < s.model.body.nodes; ++i)
                    for (int c = 0; c < 3; ++c)
                        x[i][c] = s.model.body.position[i][c] * (c ? 1 : -1);
                subject_set(&s, (const double(*)[3])x, NULL);
                free(x);
            } else {
                set_random(&s, 0.4, false);
            }
            for (int f = 0; f < 100; ++f) {
                state = state_after(s.simulation, 1);
                for (int i = 0; i < 3 * s.model.body.nodes; ++i)
                    farthest = fmax(farthest, fabs(subject_position(&s, state, i / 3, i % 3)));
            }
            cr_assert_eq(simulation_observe(s.simulation, true, &state), STATUS_OK);
            const double loss = subject_value(&s, state, "volume_loss");
            cr_expect_not(state->diverged);
            cr_expect_lt(farthest, 4, "%s, mirrored %d: a coordinate of %g m", kinds[k], wreck, farthest);
            if (k % 2)
                cr_expect_lt(fabs(loss), strstr(kinds[k], "young") ? 0.5 : 0.01,
                             "%s, mirrored %d: loses %g of its volume", kinds[k], wreck, loss);
            else if (wreck)
                cr_expect_float_eq(loss, 2, 1e-6, "%s: %g", kinds[k], loss);
            subject_free(&s);
        }
}

/* ---- Young's modulus ---- */

/* A tetrahedron on a pinned base. The three edges at the origin are 1 m long and perpendicular; the apex is at y = 1 m.
 */
static void pyramid(struct mesh *mesh) {
    static const int corner[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    static const double place[4][3] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    mesh_create(mesh, 4, 4);
    memcpy(mesh->position, place, sizeof place);
    memcpy(mesh->corner, corner, sizeof corner);
}

/* The energy U of the pyramid, in J, with its apex at this height, in m. The deformation gradient F is diagonal and has
 * the elements 1, height and 1. */
static double energy_of(bool is_neo_hookean, double young, double nu, double height) {
    const double mu = young / (2 * (1 + nu)), lame = young * nu / ((1 + nu) * (1 - 2 * nu)),
                 e = (height * height - 1) / 2, log_j = log(height);
    return (is_neo_hookean ? mu / 2 * (height * height - 1 - 2 * log_j) + lame / 2 * log_j * log_j
                           : mu * e * e + lame / 2 * e * e) /
           6;
}

/* The height of the apex, in m, in equilibrium under a weight of 1 N: there dU/dy + 1 N is 0. */
static double height_under_weight(bool is_neo_hookean, double young, double nu) {
    double low = 0.7, high = 1;
    for (int n = 0; n < 100; ++n) {
        const double middle = (low + high) / 2, d = 1e-6;
        const double slope =
            (energy_of(is_neo_hookean, young, nu, middle + d) - energy_of(is_neo_hookean, young, nu, middle - d)) /
            (2 * d);
        *(slope + 1 < 0 ? &low : &high) = middle;
    }
    return low;
}

/* The pyramid's apex starts at a height of `from` metres, and moves for 1 s under its weight of 1 N. Returns the
 * largest difference between the apex's height and the starting height, in m. */
static double goes_from(bool is_neo_hookean, const char *constraint, double young, double from, double step) {
    struct subject s;
    const struct state *state;
    const int frames = (int)lround(1 / step);
    double farthest = 0;
    char *kind = text_format("%s, constraint: %s, young: %.17g Pa, poisson: 0.25, iterations: 3, precision: double",
                             is_neo_hookean ? "neo_hookean" : "stvk", constraint, young);
    char *rest = text_format("scene: {gravity: [0, -10 m/s^2, 0]}\ntime: {step: %.17g s, frames: %d}\n", step, frames);
    filled(&s, pyramid, ", pins: lowest", kind, "", rest);
    cr_assert_eq(s.model.body.nodes, 4);
    subject_open(&s, "serial");
    double x[4][3];
    int apex = 0;
    for (int i = 0; i < 4; ++i) {
        memcpy(x[i], s.model.body.position[i], sizeof *x);
        apex = x[i][1] > x[apex][1] ? i : apex;
    }
    const double top = x[apex][1] - 1; /* the height of the base in the body's coordinates */
    x[apex][1] = top + from;
    subject_set(&s, (const double(*)[3])x, NULL);
    for (int f = 0; f < frames; ++f) {
        state = state_after(s.simulation, 1);
        farthest = fmax(farthest, fabs(subject_position(&s, state, apex, 1) - top - from));
    }
    subject_free(&s);
    free(kind);
    free(rest);
    return farthest;
}

/* With C = sqrt(2 U) and alpha = 1, the energy C^2 / (2 alpha) is U. Therefore the apex stays at the height at which
 * the sum of U and the potential energy of the weight is minimal. The error is proportional to the square of the time
 * step, as for springs. */
Test(xpbd_hyperelastic, a_weight_is_carried_as_youngs_modulus_has_it) {
    static const double moduli[] = {60, 200, 5000};
    for (int neo = 0; neo < 2; ++neo)
        for (int y = 0; y < 3; ++y) {
            const double height = height_under_weight(neo, moduli[y], 0.25);
            const double coarse = goes_from(neo, "root", moduli[y], height, 1e-2),
                         fine = goes_from(neo, "root", moduli[y], height, 1e-3);
            cr_expect_gt(goes_from(neo, "root", 0.8 * moduli[y], height, 1e-3), 0.1 * (1 - height),
                         "a body with 0.8 times the modulus has the same height");
            cr_expect_lt(fine, 1e-3 * (1 - height), "%s of %g Pa: %g", neo ? "Neo-Hookean" : "StVK", moduli[y], fine);
            cr_expect_lt(fine, coarse / 30, "the error does not decrease by the square of the step: %g, %g", fine,
                         coarse);
        }
}

static void hash_of(const char *kind, char out[DIGEST_SIZE]) {
    struct subject s;
    filled(&s, ball, "", kind, ", precision: double, iterations: 4", FREE "time: {step: 10 ms, frames: 5}\n");
    subject_open(&s, "serial");
    set_random(&s, 0.1, false);
    memcpy(out, state_after(s.simulation, 5)->hash, DIGEST_SIZE);
    subject_free(&s);
}

/* Let E be Young's modulus and alpha the compliance. For C = U, these two affect the result only by E^2 / alpha. If
 * alpha is 0, the result does not depend on E. */
Test(xpbd_hyperelastic, young_and_compliance_are_one_parameter_of_the_energy) {
    static const struct {
        const char *a, *b;
        bool is_same;
    } table[] = {{"stvk, young: 1 Pa", "stvk, young: 12345 Pa", true},
                 {"neo_hookean, young: 1 Pa", "neo_hookean, young: 12345 Pa", true},
                 {"stvk, poisson: 0.3", "stvk, poisson: 0.31", false},
                 {"stvk, young: 64 Pa, element_compliance: 2 J", "stvk, young: 128 Pa, element_compliance: 8 J", true},
                 {"stvk, young: 64 Pa, element_compliance: 2 J", "stvk, young: 128 Pa, element_compliance: 2 J", false},
                 {"neo_hookean, young: 64 Pa, element_compliance: 2 J",
                  "neo_hookean, young: 128 Pa, element_compliance: 8 J", true},
                 {"neo_hookean, constraint: root, young: 64 Pa", "neo_hookean, constraint: root, young: 65 Pa", false}};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        char a[DIGEST_SIZE], b[DIGEST_SIZE];
        hash_of(table[t].a, a);
        hash_of(table[t].b, b);
        cr_expect_eq(!strcmp(a, b), table[t].is_same, "%s, %s", table[t].a, table[t].b);
    }
}

/* ---- Obstacles, pins, and refused input ---- */

Test(xpbd_hyperelastic, a_body_stays_out_of_a_sphere_and_pins_stay) {
    for (int k = 0; k < KINDS; ++k) {
        struct subject s;
        filled(&s, ball, ", pins: highest, pins_depth: 0.1", kinds[k], ", iterations: 10",
               "scene: {gravity: [0, -10 m/s^2, 0], sphere: {radius: 0.5 m, centre: [0, -1.3 m, 0]}}\n"
               "time: {step: 10 ms, frames: 40}\n");
        subject_open(&s, "serial");
        const struct state *state = state_after(s.simulation, 40);
        int pinned = 0, touching = 0;
        for (int i = 0; i < s.model.body.nodes; ++i) {
            const double d[3] = {subject_position(&s, state, i, 0), subject_position(&s, state, i, 1) + 1.3,
                                 subject_position(&s, state, i, 2)};
            const double distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            cr_expect_gt(distance, 0.5 - 1e-6, "%s, node %d: %g", kinds[k], i, distance);
            touching += distance < 0.5 + 1e-6;
            pinned += s.model.body.pinned[i];
            for (int c = 0; c < 3 && s.model.body.pinned[i]; ++c)
                cr_expect_eq((float)subject_position(&s, state, i, c), (float)s.model.body.position[i][c]);
        }
        cr_expect_gt(pinned, 2);
        cr_expect_gt(touching, 0, "%s", kinds[k]);
        subject_free(&s);
    }
}

Test(xpbd_hyperelastic, what_cannot_be_is_refused) {
    static const struct {
        const char *inside, *keys, *scene, *said;
    } table[] = {
        {"none", "material: stvk", "",
         "method.name is xpbd_hyperelastic, and body.surface.inside is none; use tetrahedra"},
        {"tetrahedra", "material: stvk, constraint: root, element_compliance: 1 J", "",
         "method.constraint is root, which fixes alpha at 1, but method.element_compliance is 1 J"},
        {"tetrahedra", "material: stvk", "scene: {ground: {height: 0 m}}\n", "cannot simulate scene.ground.height"},
    };
    keep(ball);
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        AUTO_FREE char *text =
            text_format("springback: 1\npaper: test\ntitle: t\nbody: {mesh: filled, node_mass: 1 kg, surface: "
                        "{inside: %s}}\nmethod: {name: xpbd_hyperelastic, %s}\n%stime: {step: 1 ms, frames: "
                        "1}\n",
                        table[t].inside, table[t].keys, table[t].scene);
        expect_refused(text, table[t].said);
    }
}

/* ---- Equal bits ---- */

Test(xpbd_hyperelastic, vector_units_and_threads_give_the_same_bits) {
    static const char *const levels[] = {"base", "v3", "v4", ""}, *const precisions[] = {"float", "double"},
                             *const backends[] = {"threads:2", "threads:2", "threads:1", "threads:3"};
    for (int k = 0; k < 2 * KINDS; ++k) {
        char reference[DIGEST_SIZE];
        char *keys = text_format(", precision: %s, iterations: 4", precisions[k % 2]);
        for (int l = -1; l < 4; ++l) {
            struct subject s;
            if (l >= 0 && *levels[l])
                cr_assert_eq(setenv("SPRINGBACK_LEVEL", levels[l], 1), 0);
            else
                cr_assert_eq(unsetenv("SPRINGBACK_LEVEL"), 0);
            filled(&s, ball, "", kinds[k / 2], keys, OBJECTS "time: {step: 5 ms, steps_per_frame: 3, frames: 2}\n");
            subject_open(&s, l < 0 ? "serial" : backends[l]);
            const struct state *state = state_after(s.simulation, 2);
            cr_expect_not(state->diverged);
            if (l < 0)
                memcpy(reference, state->hash, DIGEST_SIZE);
            else
                cr_expect_str_eq(state->hash, reference, "%s%s on %s at %s", kinds[k / 2], keys, backends[l],
                                 levels[l]);
            subject_free(&s);
        }
        free(keys);
    }
}
