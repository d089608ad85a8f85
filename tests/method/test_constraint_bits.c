/* Tests of constraint_enforcement and adaptive_constraint: refused input, and bit-identical results. */
#include "constraint_cloth.h"

/* ---- Refused input ---- */

Test(constraint_enforcement, what_it_cannot_do_is_refused) {
    static const struct {
        const char *body, *method, *flaw;
    } table[] = {
        {"cloth: {nodes: [4, 4], neighbours: stored}", "constraint_enforcement",
         "test.yaml:4:31: body.cloth.neighbours is stored, and constraint_enforcement finds neighbours by their index; "
         "use index"},
        {"cloth: {nodes: [40000, 40000]}", "constraint_enforcement",
         "test.yaml:4:16: a cloth of 40000 x 40000 nodes has too many springs for constraint_enforcement"},
        {"mesh: " SOURCE_DIR "/tests/small_cube.off",
         "adaptive_constraint, stiffness: 1 N/m, threshold: 0.1, held: rest",
         "test.yaml:5:10: method.name is adaptive_constraint, whose constraints are the springs of a cloth, and the "
         "body is a mesh; use body.cloth"},
    };
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        AUTO_FREE char *text = text_format("springback: 1\npaper: test\ntitle: t\nbody: {%s, node_mass: 1 g}\n"
                                           "method: {name: %s, iterations: 3}\ntime: {step: 1 ms, frames: 1}\n",
                                           table[t].body, table[t].method);
        expect_refused(text, table[t].flaw);
    }
}

/* ---- Bits ---- */

static void hash_after(const struct cloth *cloth, const char *backend, int frames, char out[DIGEST_SIZE]) {
    struct simulation *s = simulation_on(&cloth->model, backend);
    const struct state *state = state_after(s, frames);
    cr_expect_not(state->diverged, "%s", backend);
    memcpy(out, state->hash, DIGEST_SIZE);
    simulation_close(s);
}

#define SCENE_WITH(rim)                                                                                                \
    "scene: {push: {acceleration: [3 m/s^2, 40 m/s^2, 1 m/s^2], from: 0.01 s, until: 0.05 s, radius: 0.5 m, "          \
    "rim: " rim "}}\n"                                                                                                 \
    "time: {step: 5 ms, steps_per_frame: 4, frames: 3}\n"
#define OF(precision) "method: {name: constraint_enforcement, iterations: 15, precision: " precision
#define ADAPTIVE                                                                                                       \
    "method: {name: adaptive_constraint, iterations: 15, stiffness: 2 N/m, damping: 0.001 N s/m, threshold: 2 %, "     \
    "held: threshold, precision: "

Test(constraint_enforcement, the_bits_are_the_same_everywhere) {
    static const struct {
        int columns, rows;
        const char *springs, *method;
        bool on_device; /* whether OpenCL computes this case, too; compiling a case takes a second */
    } table[] = {
        {33, 40, "[shear, bend]", OF("float") ", warm_start: yes}", true},
        {33, 9, "[structural]", ADAPTIVE "double, regularisation: 0.001 m^2/kg}", true},
        {9, 7, "[structural, shear]", OF("double") ", warm_start: yes, regularisation: 0.001 m^2/kg}", false},
        {2, 2, "[structural, shear, bend]", OF("float") "}", false},
        {3, 200, "[structural, bend]", OF("float") ", tolerance: 0.4}", false},
        {300, 5, "[structural, shear, bend]", OF("double") "}", false},
        {40, 64, "[structural, shear]", OF("float") ", threshold: 1 %}", false},
        {61, 47, "[structural]", OF("double") ", tolerance: 0.01}", false},
        {24, 30, "[structural, shear, bend]", ADAPTIVE "float}", false},
        {40, 2, "[structural, shear, bend]", OF("float") ", tolerance: 0.3}", false},
        {16, 3, "[structural, shear, bend]", OF("float") "}", false},
        {53, 37, "[structural, shear]", ADAPTIVE "float, tolerance: 0.1}", false},
        {19, 130, "[shear, bend]", OF("float") ", tolerance: 0.3, warm_start: yes}", false},
    };
    static const char *const levels[] = {"base", "v3", "v4"}, *const threads[] = {"threads:1", "threads:2",
                                                                                  "threads:5"};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t)
        for (int l = 0; l < 3; ++l) {
            struct cloth cloth;
            char reference[DIGEST_SIZE], hash[DIGEST_SIZE];
            cr_assert_eq(setenv("SPRINGBACK_LEVEL", levels[l], 1), 0);
            cloth_create(&cloth, "body: {cloth: {nodes: [%d, %d], springs: %s, pins: corners}, node_mass: 1 g}\n%s\n%s",
                         table[t].columns, table[t].rows, table[t].springs, table[t].method, SCENE_WITH("linear"));
            hash_after(&cloth, "serial", 3, reference);
            for (int b = 0; b < 3; ++b) {
                hash_after(&cloth, threads[b], 3, hash);
                cr_expect_str_eq(hash, reference, "%d x %d on %s at %s", table[t].columns, table[t].rows, threads[b],
                                 levels[l]);
            }
            if (table[t].on_device && l == 0) {
                hash_after(&cloth, "opencl", 3, hash);
                cr_expect_str_eq(hash, reference, "%d x %d on OpenCL", table[t].columns, table[t].rows);
            }
            cloth_free(&cloth);
        }
}

Test(constraint_enforcement, frames_do_not_change_the_steps) {
    static const char *const starts[] = {"no", "yes"};
    for (int w = 0; w < 2; ++w) {
        struct cloth few, many;
        char a[DIGEST_SIZE], b[DIGEST_SIZE];
        static const char text[] = CLOTH("10", "8", ", pins: corners")
            METHOD(", iterations: 15, warm_start: %s") "time: {step: 5 ms, steps_per_frame: %d, frames: 1}\n";
        cloth_create(&few, text, starts[w], 12);
        cloth_create(&many, text, starts[w], 1);
        hash_after(&few, "threads:2", 2, a);
        hash_after(&many, "serial", 24, b);
        cr_expect_str_eq(a, b, "%s", starts[w]);
        cloth_free(&few);
        cloth_free(&many);
    }
}

/* After a rewind, a simulation must not start from the multipliers that the step before the rewind has stored for a
 * warm start. */
Test(constraint_enforcement, a_rewound_simulation_repeats_itself) {
    struct cloth cloth;
    char first[DIGEST_SIZE];
    cloth_create(&cloth, CLOTH("10", "8", ", pins: corners")
                             METHOD(", iterations: 15, warm_start: yes") "time: {step: 5 ms, frames: 1}\n");
    cloth_open(&cloth, "threads:2");
    memcpy(first, state_after(cloth.simulation, 20)->hash, DIGEST_SIZE);
    cr_assert_eq(simulation_rewind(cloth.simulation), STATUS_OK);
    cr_expect_str_eq(state_after(cloth.simulation, 20)->hash, first);
    cloth_free(&cloth);
}

/* All machines must give these hashes. A changed hash means changed results. Change a hash here only if the change of
 * the results is intended. */
Test(constraint_enforcement, golden_hashes) {
    static const struct {
        const char *precision, *hash;
    } table[] = {{"float", "073c9ebd7e23eeb836b8113cd9004407"}, {"double", "589a62102d8716c7d97647e544001f30"}};
    for (int k = 0; k < 2; ++k) {
        struct cloth cloth;
        char hash[DIGEST_SIZE];
        cloth_create(&cloth,
                     "body: {cloth: {nodes: [40, 30], pins: corners}, node_mass: 1 g}\n"
                     "method: {name: constraint_enforcement, iterations: 20, precision: %s}\n" SCENE_WITH("sharp"),
                     table[k].precision);
        hash_after(&cloth, "serial", 5, hash);
        cr_expect_str_eq(hash, table[k].hash, "%s: %s", table[k].precision, hash);
        cloth_free(&cloth);
    }
}

/* The cloth starts at rest. Few springs become constraints, and the method skips most nodes. A version of the method
 * that skips no nodes gives the same hashes. If a hash changes: see golden_hashes above. */
Test(adaptive_constraint, golden_hashes_where_most_nodes_sleep) {
    static const struct {
        const char *precision, *hash;
    } table[] = {{"float", "735bd1d6efe12df21b385532c8782a1d"}, {"double", "bea956d72e9db97eef570e14039a7e75"}};
    static const char *const backends[] = {"serial", "threads:2", "opencl"};
    for (int k = 0; k < 2; ++k) {
        struct cloth cloth;
        char hash[DIGEST_SIZE];
        cloth_create(&cloth,
                     "body: {cloth: {nodes: [40, 30], springs: [structural, shear, bend], pins: corners}, node_mass: 1 "
                     "g}\n"
                     "method: {name: adaptive_constraint, iterations: 20, stiffness: 20 N/m, damping: 0.001 N s/m, "
                     "threshold: 10 %%, held: threshold, precision: %s}\n"
                     "time: {step: 5 ms, steps_per_frame: 4, frames: 5}\n",
                     table[k].precision);
        for (int b = 0; b < 3; ++b) {
            hash_after(&cloth, backends[b], 5, hash);
            cr_expect_str_eq(hash, table[k].hash, "%s on %s: %s", table[k].precision, backends[b], hash);
        }
        cloth_free(&cloth);
    }
}
