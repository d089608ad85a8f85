/* Results are bit-identical on every backend. */
#include "backend/opencl/device.h"
#include "body/filling.h"
#include "body/prepared.h"
#include "subject.h"

static const char *const backends[] = {"serial", "threads:1", "threads:2", "threads:3", "threads:7", "opencl"};
enum { BACKENDS = sizeof backends / sizeof *backends };

/* A cloth, and a push whose rim is linear if the number of columns is odd, otherwise sharp. */
static void cloth(struct plan *plan, int columns, int rows, const char *precision, const char *neighbours,
                  const char *springs, int steps) {
    char *text =
        text_format("springback: 1\npaper: test\ntitle: t\n"
                    "body: {cloth: {nodes: [%d, %d], pins: corners, neighbours: %s, springs: %s}, node_mass: 1 kg}\n"
                    "method: {name: mass_spring, stiffness: 40 N/m, damping: 0.02 N s/m, precision: %s}\n"
                    "scene: {push: {acceleration: [3 m/s^2, 40 m/s^2, 1 m/s^2], from: 0.01 s, until: 0.05 s, "
                    "rim: %s}}\n"
                    "time: {step: 1 ms, steps_per_frame: %d, frames: 3}\n",
                    columns, rows, neighbours, springs, precision, columns % 2 ? "linear" : "sharp", steps);
    plan_from_text(text, plan);
    free(text);
}

/* The state hash of the plan's first run after this number of frames on a backend. */
static void hash_after(const struct plan *plan, const char *backend, int frames, char out[DIGEST_SIZE]) {
    struct model model;
    model_describe(&plan->runs[0], &model);
    cr_assert_eq(model_build(&model), STATUS_OK, "%s", failure_text());
    struct simulation *s = simulation_on(&model, backend);
    const struct state *state = state_after(s, frames);
    cr_expect_not(state->diverged);
    memcpy(out, state->hash, DIGEST_SIZE);
    simulation_close(s);
    model_free(&model);
}

Test(bits, there_is_an_opencl_device_to_test_on) {
    cr_assert_gt(device_list()->count, 0);
}

Test(bits, all_backends_and_thread_counts_agree) {
    static const int sizes[][2] = {{2, 2}, {3, 5}, {5, 3}, {17, 33}, {64, 64}, {65, 129}, {400, 350}};
    static const char *const precisions[] = {"float", "double"};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s)
        for (int p = 0; p < 2; ++p) {
            struct plan plan;
            char reference[DIGEST_SIZE], hash[DIGEST_SIZE];
            cloth(&plan, sizes[s][0], sizes[s][1], precisions[p], "index", "[structural, shear, bend]", 30);
            hash_after(&plan, backends[0], 3, reference);
            for (int b = 1; b < BACKENDS; ++b) {
                hash_after(&plan, backends[b], 3, hash);
                cr_expect_str_eq(hash, reference, "%d x %d %s on %s", sizes[s][0], sizes[s][1], precisions[p],
                                 backends[b]);
            }
            plan_free(&plan);
        }
}

/* The SIMD kernel of a grid computes up to eight time steps in one pass over a tile of columns
 * (method/mass_spring_rows.c). A frame of 20 steps needs several passes, and the widest grid needs several tiles. */
Test(bits, every_level_of_the_processor_agrees) {
    static const int sizes[][2] = {{2, 2}, {2, 40}, {3, 3}, {5, 4}, {16, 9}, {20, 520}, {1100, 65}};
    static const char *const levels[] = {"base", "v3", "v4"}, *const precisions[] = {"float", "double"};
    static const char *const springs[] = {"[structural, shear, bend]", "[structural]", "[shear, bend]"};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s)
        for (int k = 0; k < 6; ++k) {
            struct plan plan;
            char reference[DIGEST_SIZE], hash[DIGEST_SIZE];
            cloth(&plan, sizes[s][0], sizes[s][1], precisions[k % 2], "index", springs[k / 2], 20);
            hash_after(&plan, "serial", 3, reference);
            for (int l = 0; l < 3; ++l) {
                cr_assert_eq(setenv("SPRINGBACK_LEVEL", levels[l], 1), 0);
                hash_after(&plan, "threads:2", 3, hash);
                cr_expect_str_eq(hash, reference, "%d x %d %s %s at level %s", sizes[s][0], sizes[s][1],
                                 precisions[k % 2], springs[k / 2], levels[l]);
            }
            plan_free(&plan);
        }
}

/* The frame of a small body runs as one kernel. If SPRINGBACK_OPENCL is "launches", the frame has several
 * launches. */
Test(bits, a_frame_in_one_kernel_gives_the_bits_of_launches) {
    static const int sizes[][2] = {{2, 2}, {9, 7}, {16, 16}};
    for (int k = 0; k < 6; ++k) {
        struct plan plan;
        char reference[DIGEST_SIZE], hash[DIGEST_SIZE];
        const int *size = sizes[k / 2];
        cloth(&plan, size[0], size[1], "float", k % 2 ? "stored" : "index", "[structural, shear, bend]", 41);
        cr_assert_eq(setenv("SPRINGBACK_OPENCL", "launches", 1), 0);
        hash_after(&plan, "opencl", 3, reference);
        cr_assert_eq(unsetenv("SPRINGBACK_OPENCL"), 0);
        hash_after(&plan, "opencl", 3, hash);
        cr_expect_str_eq(hash, reference, "%d x %d", size[0], size[1]);
        plan_free(&plan);
    }
}

/* With SPRINGBACK_OPENCL=strips or blocks, one launch computes two steps of a grid, also on a CPU and for small grids.
 * If a frame has an odd number of steps, its last launch computes one step. */
static void expect_the_bits_of_single_steps(const char *function) {
    static const int sizes[][2] = {{2, 2}, {3, 5}, {129, 7}, {248, 40}, {300, 90}};
    static const char *const springs[] = {"[structural, shear, bend]", "[structural]", "[shear, bend]"};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s)
        for (int k = 0; k < 3; ++k) {
            struct plan plan;
            char reference[DIGEST_SIZE], hash[DIGEST_SIZE];
            cloth(&plan, sizes[s][0], sizes[s][1], "float", "index", springs[k], k ? 8 : 9);
            hash_after(&plan, "threads:2", 3, reference);
            cr_assert_eq(setenv("SPRINGBACK_OPENCL", function, 1), 0);
            hash_after(&plan, "opencl", 3, hash);
            cr_assert_eq(unsetenv("SPRINGBACK_OPENCL"), 0);
            cr_expect_str_eq(hash, reference, "%s: %d x %d %s", function, sizes[s][0], sizes[s][1], springs[k]);
            plan_free(&plan);
        }
}

Test(bits, two_steps_of_strips_in_one_launch_give_the_bits_of_single_steps) {
    expect_the_bits_of_single_steps("strips");
}

Test(bits, two_steps_of_blocks_in_one_launch_give_the_bits_of_single_steps) {
    expect_the_bits_of_single_steps("blocks");
}

/* If a frame has more than 512 launches (QUEUE in backend/opencl/opencl.c), a separate thread enqueues them. The frames
 * of this test have at least 700 launches. */
Test(bits, a_frame_begun_and_waited_for_gives_the_bits_of_one_run_to_its_end) {
    struct plan plan;
    struct model model;
    struct simulation *apart;
    const struct state *state;
    char reference[DIGEST_SIZE];
    cr_assert_eq(setenv("SPRINGBACK_OPENCL", "launches", 1), 0);
    cloth(&plan, 9, 7, "float", "index", "[structural, shear, bend]", 700);
    hash_after(&plan, "serial", 2, reference);
    model_describe(&plan.runs[0], &model);
    cr_assert_eq(model_build(&model), STATUS_OK);
    apart = simulation_on(&model, "opencl");
    cr_assert(engine_is_asynchronous(simulation_engine(apart)));
    for (int f = 0; f < 2; ++f) {
        cr_assert_eq(engine_start(simulation_engine(apart)), STATUS_OK);
        cr_assert_eq(engine_wait(simulation_engine(apart)), STATUS_OK, "%s", failure_text());
    }
    cr_assert_eq(simulation_observe(apart, false, &state), STATUS_OK);
    cr_assert_not_null(state);
    cr_expect_str_eq(state->hash, reference);
    cr_expect_eq(state->step, 1400);
    cr_assert_eq(engine_start(simulation_engine(apart)),
                 STATUS_OK); /* closing the simulation waits for the launches of this frame */
    simulation_close(apart);
    model_free(&model);
    plan_free(&plan);
}

Test(bits, stored_neighbours_give_the_bits_of_indexed_ones) {
    static const char *const springs[] = {"[structural]", "[structural, shear]", "[structural, shear, bend]"};
    for (int t = 0; t < 3; ++t) {
        struct plan indexed, stored;
        char reference[DIGEST_SIZE], hash[DIGEST_SIZE];
        cloth(&indexed, 40, 30, "float", "index", springs[t], 50);
        cloth(&stored, 40, 30, "float", "stored", springs[t], 50);
        hash_after(&indexed, "serial", 3, reference);
        for (int b = 0; b < BACKENDS; ++b) {
            hash_after(&stored, backends[b], 3, hash);
            cr_expect_str_eq(hash, reference, "%s on %s", springs[t], backends[b]);
        }
        plan_free(&indexed);
        plan_free(&stored);
    }
}

/* The arrays of this grid need more bytes than CACHE (method/mass_spring_rows.c). The SIMD kernel therefore writes them
 * with stores that bypass the caches. */
Test(bits, a_grid_beyond_the_caches_gives_the_same_bits) {
    struct plan plan;
    char reference[DIGEST_SIZE], hash[DIGEST_SIZE];
    cloth(&plan, 1103, 803, "float", "index", "[structural, shear, bend]", 2);
    hash_after(&plan, "serial", 1, reference);
    hash_after(&plan, "threads:3", 1, hash);
    cr_expect_str_eq(hash, reference);
    plan_free(&plan);
}

/* In a grid of at least 131,072 nodes, the kernel does not check which neighbours of an inner node exist. */
Test(bits, a_large_grid_gives_the_bits_of_a_stored_network) {
    struct plan indexed, stored;
    char a[DIGEST_SIZE], b[DIGEST_SIZE];
    cloth(&indexed, 400, 350, "float", "index", "[structural, shear, bend]", 10);
    cloth(&stored, 400, 350, "float", "stored", "[structural, shear, bend]", 10);
    hash_after(&indexed, "serial", 2, a);
    hash_after(&stored, "serial", 2, b);
    cr_expect_str_eq(a, b);
    plan_free(&indexed);
    plan_free(&stored);
}

Test(bits, frames_do_not_change_the_steps) {
    struct plan few, many;
    char a[DIGEST_SIZE], b[DIGEST_SIZE];
    cloth(&few, 20, 20, "float", "index", "[structural, shear, bend]", 60);
    cloth(&many, 20, 20, "float", "index", "[structural, shear, bend]", 1);
    for (int k = 0; k < BACKENDS; ++k) {
        hash_after(&few, backends[k], 2, a);
        hash_after(&many, backends[k], 120, b);
        cr_expect_str_eq(a, b, "%s", backends[k]);
    }
    plan_free(&few);
    plan_free(&many);
}

Test(bits, a_rewound_simulation_repeats_itself) {
    for (int k = 0; k < BACKENDS; ++k) {
        struct plan plan;
        struct model model;
        char first[DIGEST_SIZE];
        cloth(&plan, 20, 20, "float", "index", "[structural, shear, bend]", 31);
        model_describe(&plan.runs[0], &model);
        cr_assert_eq(model_build(&model), STATUS_OK);
        struct simulation *s = simulation_on(&model, backends[k]);
        memcpy(first, state_after(s, 3)->hash, DIGEST_SIZE);
        cr_assert_eq(simulation_rewind(s), STATUS_OK);
        cr_expect_str_eq(state_after(s, 3)->hash, first, "%s", backends[k]);
        simulation_close(s);
        model_free(&model);
        plan_free(&plan);
    }
}

/* All machines must give these hashes. A changed hash means changed results. Change a hash here only if the change of
 * the results is intended. */
Test(bits, golden_hashes) {
    static const struct {
        const char *precision, *hash;
    } table[] = {{"float", "87a22d73d0d7559d6295a92afc6af4b3"}, {"double", "55d7c82bd9b9ac4e216b720673f7d9ed"}};
    for (int k = 0; k < 2; ++k) {
        struct plan plan;
        char hash[DIGEST_SIZE];
        cloth(&plan, 64, 64, table[k].precision, "index", "[structural, shear, bend]", 100);
        hash_after(&plan, "serial", 2, hash);
        cr_expect_str_eq(hash, table[k].hash, "%s: %s", table[k].precision, hash);
        plan_free(&plan);
    }
}

/* ---- Meshes with a volume constraint, which needs sums over all nodes in every step ---- */

static void subject_hash(struct subject *s, const char *backend, int frames, char out[DIGEST_SIZE]) {
    subject_open(s, backend);
    const struct state *state = state_after(s->simulation, frames);
    cr_expect_not(state->diverged, "%s", backend);
    memcpy(out, state->hash, DIGEST_SIZE);
}

/* Expect the backends threads and opencl to give the state hash of the backend serial. The backend opencl runs with
 * each combination of two words in SPRINGBACK_OPENCL: `fused` (fused stages also on a CPU) and `launches` (no frame
 * kernel). */
static void expect_same_everywhere(struct subject *s, const char *what) {
    static const struct {
        const char *backend, *override;
    } others[] = {{"threads:1", ""},   {"threads:2", ""},      {"threads:5", ""},           {"opencl", ""},
                  {"opencl", "fused"}, {"opencl", "launches"}, {"opencl", "fused launches"}};
    char reference[DIGEST_SIZE], hash[DIGEST_SIZE];
    subject_hash(s, "serial", 3, reference);
    for (size_t b = 0; b < sizeof others / sizeof *others; ++b) {
        cr_assert_eq(setenv("SPRINGBACK_OPENCL", others[b].override, 1), 0);
        subject_hash(s, others[b].backend, 3, hash);
        cr_expect_str_eq(hash, reference, "%s on %s, SPRINGBACK_OPENCL=%s", what, others[b].backend,
                         others[b].override);
    }
    cr_assert_eq(unsetenv("SPRINGBACK_OPENCL"), 0);
}

static void ball_of_162(struct mesh *mesh) {
    shape_icosphere(2, mesh);
}

static void ball_of_2242(struct mesh *mesh) { /* a sum over its nodes has nine blocks; the last block is not full */
    shape_uv_sphere(33, 70, mesh);
}

#define VOLUME(more)       "method: {name: volume_constraint, stiffness: 5000 N/m, damping: 20 N s/m" more "}\n"
#define STEPS(step, count) "time: {step: " step ", steps_per_frame: " count ", frames: 3}\n"
#define SCENE                                                                                                          \
    "scene: {ground: {height: 0.1 m, drop: 0 m, restitution: 0.1, friction: 0.3}, plate: {speed: 1 m/s, until: 5 "     \
    "ms}}\n"

Test(bits, a_kept_volume_is_the_same_everywhere) {
    static const struct {
        const char *what;
        void (*shape)(struct mesh *mesh);
        const char *body, *rest;
    } table[] = {
        {"one step a frame, in doubles", subject_octahedron, "node_mass: 1 kg",
         VOLUME(", precision: double") SCENE STEPS("1 ms", "1")},
        {"a small ball", ball_of_162, "node_mass: 1 kg", VOLUME("") SCENE STEPS("0.1 ms", "40")},
        {"a small ball, variant as_printed", ball_of_162, "node_mass: 1 kg",
         VOLUME(", variant: as_printed") SCENE STEPS("0.01 ms", "2")},
        {"a body of one work group, with sums and barriers", subject_octahedron, "node_mass: 1 kg",
         VOLUME(", variant: as_printed") SCENE STEPS("0.01 ms", "3")},
        {"a small ball, variant printed_volume", ball_of_162, "node_mass: 1 kg",
         VOLUME(", variant: printed_volume") SCENE STEPS("0.1 ms", "40")},
        {"a large sphere, variant printed_volume", ball_of_2242, "node_mass: 1 kg",
         VOLUME(", variant: printed_volume") SCENE STEPS("0.1 ms", "20")},
        {"the torus, with weights", subject_torus, "node_mass: 1 kg",
         VOLUME(", weight_centre: [1 m, 0.1 m, 0 m], weight_radius: 1 m") SCENE STEPS("0.1 ms", "30")},
        {"the cube, twisted", subject_cube, "node_mass: 1 kg, surface: {pins: lowest}",
         VOLUME(", weight_radius: 0.8 m, weight_enters: forces") "scene: {twist: {torque: 50 N m}}\n" STEPS("0.1 ms",
                                                                                                            "30")},
        {"a large sphere", ball_of_2242, "node_mass: 1 kg", VOLUME("") SCENE STEPS("0.1 ms", "20")},
    };
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct subject s;
        subject_create(&s, table[t].shape, table[t].body, "%s", table[t].rest);
        expect_same_everywhere(&s, table[t].what);
        subject_free(&s);
    }
}

Test(bits, springs_inside_a_body_are_the_same_everywhere) {
    char *folder = folder_temporary(), *path = text_format("%s/cube.h5", folder);
    struct mesh mesh;
    struct prepared cube;
    struct subject s;
    shape_cube(3, &mesh);
    cr_assert_eq(prepared_create(&mesh, "cube", &cube), STATUS_OK, "%s", failure_text());
    cr_assert_eq(filling_add(&cube, &(struct filling){.switches = "-pqYa0.01"}, "cube"), STATUS_OK, "%s",
                 failure_text());
    cr_assert_eq(stored_write(&cube, path), STATUS_OK, "%s", failure_text());
    prepared_free(&cube);
    mesh_free(&mesh);
    cr_assert_eq(setenv("SPRINGBACK_BODIES", folder, 1), 0);
    subject_of_file(&s, "cube", "node_mass: 1 kg, surface: {inside: tetrahedra}",
                    VOLUME("") SCENE STEPS("0.1 ms", "40"));
    cr_expect_gt(s.model.body.nodes, 56, "the body has no nodes inside; its surface has 56");
    expect_same_everywhere(&s, "a cube with nodes inside");
    subject_free(&s);
    free(path);
    folder_remove(folder);
}

/* ---- Constraints by colours ---- */

/* The ground of program C (docs/lee2022.md) has no friction and no restitution. It moves a node that is below the
 * ground to 15 mm above the ground. */
#define LIFTING      "scene: {ground: {height: 0.1 m, drop: 0 m, lift: 15 mm}}\n"
#define XPBD(more)   "method: {name: xpbd, iterations: 5" more "}\n"
#define XPBD_SCENE   "scene: {sphere: {radius: 0.5 m, centre: [0, -1.4 m, 0]}}\n"
#define WINDY(scene) "scene: {" scene "wind: {kind: triangles, velocity: [9 m/s, 1 m/s, 0], drag: 2 kg/m^2/s}}\n"

Test(bits, constraints_by_colours_are_the_same_everywhere) {
    static const struct {
        const char *method, *inside, *override;
    } table[] = {
        {"{name: pbd_inner_links}", "links", "one ahead lanes=64"},
        {"{name: pbd_strain_tets, precision: double, strain_form: printed}", "tetrahedra", "one ahead"},
        {"{name: pbd_strain_tets, stiffness_means: per_step, strain: 0.5}", "tetrahedra", "launches"},
        {"{name: pbd_inner_links, solver: jacobi}", "links", ""},
        {"{name: pbd_inner_links, solver: jacobi_sum, surface_compression: 0.05, surface_stretch: 0.05, "
         "inside_compression: 0.05, inside_stretch: 0.05, bending: 0.05}",
         "links", ""},
        {"{name: pbd_inner_links, solver: jacobi, relaxation: 1.5, stiffness_means: raw, surface_stretch: 2, "
         "inside_stretch: 0.1, bending: 2}",
         "links", "launches"},
        {"{name: pbd_strain_tets, solver: jacobi, relaxation: 1.5, strain: 4, precision: double}", "tetrahedra", "one"},
        {"{name: xpbd_hyperelastic, material: stvk}", "tetrahedra", "one ahead"},
        {"{name: xpbd_hyperelastic, material: neo_hookean, element_compliance: 1 J, young: 1 kPa}", "tetrahedra",
         "launches"},
        {"{name: xpbd_hyperelastic, material: neo_hookean, constraint: root, young: 1 kPa, precision: double}",
         "tetrahedra", "one lanes=64"},
        {"{name: vbd, stiffness: 50 N/m, damping: 1 N s/m}", "links", "one lanes=64"},
        {"{name: vbd, stiffness: 50 N/m, precision: double}", "none", "launches"},
        {"{name: vbd_hyperelastic, young: 1 kPa}", "tetrahedra", "one"},
        {"{name: vbd_hyperelastic, young: 1 kPa, precision: double}", "tetrahedra", "launches"},
    };
    static const char *const processors[] = {"threads:1", "threads:2", "threads:3"};
    char *folder = folder_temporary(), *path = text_format("%s/cube.h5", folder), hash[DIGEST_SIZE];
    struct mesh mesh;
    struct prepared cube;
    const struct filling how = {.with_links = true, .switches = "-pqYa0.01"};
    shape_cube(3, &mesh);
    cr_assert_eq(prepared_create(&mesh, "cube", &cube), STATUS_OK, "%s", failure_text());
    cr_assert_eq(filling_add(&cube, &how, "cube"), STATUS_OK, "%s", failure_text());
    cr_assert_eq(stored_write(&cube, path), STATUS_OK, "%s", failure_text());
    prepared_free(&cube);
    mesh_free(&mesh);
    cr_assert_eq(setenv("SPRINGBACK_BODIES", folder, 1), 0);
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct subject s;
        char reference[DIGEST_SIZE];
        char *body = text_format("node_mass: 1 kg, surface: {inside: %s}", table[t].inside);
        const char *const scene = strstr(table[t].method, "xpbd")         ? XPBD_SCENE
                                  : strstr(table[t].method, "vbd")        ? ""
                                  : strstr(table[t].method, "relaxation") ? LIFTING
                                                                          : SCENE;
        char *rest = text_format("method: %s\n%s" STEPS("10 ms", "4"), table[t].method, scene);
        subject_of_file(&s, "cube", body, rest);
        subject_hash(&s, "serial", 3, reference);
        for (int k = 0; k < 3; ++k) {
            subject_hash(&s, processors[k], 3, hash);
            cr_expect_str_eq(hash, reference, "%s on %s", table[t].method, processors[k]);
        }
        cr_assert_eq(setenv("SPRINGBACK_OPENCL", table[t].override, 1), 0);
        subject_hash(&s, "opencl", 3, hash);
        cr_expect_str_eq(hash, reference, "%s on opencl, SPRINGBACK_OPENCL=%s", table[t].method, table[t].override);
        cr_assert_eq(unsetenv("SPRINGBACK_OPENCL"), 0);
        subject_free(&s);
        free(body);
        free(rest);
    }
    free(path);
    folder_remove(folder);
}

/* A grid has the same colours whether its neighbours are stored or not. Threads divide a colour, and a thread's part
 * can end at any node. */
Test(bits, a_cloth_under_vbd_is_the_same_everywhere) {
    static const int sizes[][2] = {{2, 2}, {3, 5}, {17, 33}, {70, 41}};
    for (int k = 0; k < 8; ++k) {
        struct plan plan;
        char reference[DIGEST_SIZE], hash[DIGEST_SIZE];
        const int *size = sizes[k / 2];
        for (int stored = 0; stored < 2; ++stored) {
            char *text = text_format("springback: 1\npaper: test\ntitle: t\n"
                                     "body: {cloth: {nodes: [%d, %d], pins: row, neighbours: %s}, node_mass: 1 g}\n"
                                     "method: {name: vbd, stiffness: 40 N/m, damping: 0.01 N s/m, precision: %s}\n"
                                     "time: {step: 5 ms, steps_per_frame: 3, frames: 2}\n",
                                     size[0], size[1], stored ? "stored" : "index", k % 2 ? "float" : "double");
            plan_from_text(text, &plan);
            free(text);
            for (int b = 0; b < BACKENDS; ++b) {
                hash_after(&plan, backends[b], 2, b || stored ? hash : reference);
                if (b || stored)
                    cr_expect_str_eq(hash, reference, "%d x %d, %d on %s", size[0], size[1], k, backends[b]);
            }
            plan_free(&plan);
        }
    }
}

Test(bits, golden_hashes_of_vbd) {
    static const struct {
        const char *precision, *hash;
    } table[] = {{"float", "1d056353255773ba59320403b9e2a9a3"}, {"double", "d4ad75a6d9d69cbf33f3c7922590660c"}};
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        struct plan plan;
        char hash[DIGEST_SIZE];
        char *text = text_format("springback: 1\npaper: test\ntitle: t\n"
                                 "body: {cloth: {nodes: [24, 20], pins: row}, node_mass: 1 g}\n"
                                 "method: {name: vbd, stiffness: 40 N/m, damping: 0.01 N s/m, precision: %s}\n"
                                 "time: {step: 5 ms, steps_per_frame: 10, frames: 3}\n",
                                 table[k].precision);
        plan_from_text(text, &plan);
        free(text);
        hash_after(&plan, "serial", 3, hash);
        cr_expect_str_eq(hash, table[k].hash, "%s: %s", table[k].precision, hash);
        plan_free(&plan);
    }
}

static void sheet(struct mesh *mesh) {
    shape_cloth(12, 9, 1, 1, mesh);
}

static void lattice(struct mesh *mesh) { /* the edges have many different lengths */
    shape_cloth(157, 131, 1, 1, mesh);
    for (int v = 0; v < mesh->vertices; ++v)
        mesh->position[v][v % 3] += 1e-4 * (v * 7919 % 31);
}

/* A colour consists of long sequences of edges. In a sequence, the indices of both ends increase by 1 or by 2 from one
 * edge to the next. The edges of a row do not fill whole vectors. Threads divide a colour, and a thread's part can end
 * at any edge. */
Test(bits, edges_of_a_lattice_are_the_same_everywhere) {
    static const struct {
        const char *method;
        int frames;
    } table[] = {
        {"{name: pbd_surface, bending: 0, iterations: 5}", 3},
        {"{name: pbd_surface, iterations: 2, precision: double}", 2},
        {"{name: xpbd, spring: stretching, compliance: 1e-6, iterations: 5}", 3},
        {"{name: xpbd, spring: morse, compliance: 1e-6, damping: 1, iterations: 3}", 2},
        {"{name: xpbd, spring: hookean, damping: 1, iterations: 3, precision: double}", 2},
    };
    static const char *const processors[] = {"threads:1", "threads:2", "threads:3", "threads:7"};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct subject s;
        char reference[DIGEST_SIZE], hash[DIGEST_SIZE];
        subject_create(&s, lattice, "node_mass: 1 g, surface: {pins: highest_ends, up: z}",
                       "method: %s\ntime: {step: 5 ms, frames: %d}\n", table[t].method, table[t].frames);
        subject_hash(&s, "serial", table[t].frames, reference);
        for (size_t b = 0; b < sizeof processors / sizeof *processors; ++b) {
            subject_hash(&s, processors[b], table[t].frames, hash);
            cr_expect_str_eq(hash, reference, "%s on %s", table[t].method, processors[b]);
        }
        subject_free(&s);
    }
}

/* The cases together have all values of `spring`, and also damping, ghosts, an obstacle and two kinds of wind. With
 * ghosts, each iteration computes the mean of all nodes. */
Test(bits, xpbd_is_the_same_everywhere) {
    static const struct {
        const char *what;
        void (*shape)(struct mesh *mesh);
        const char *rest, *override; /* `override`: SPRINGBACK_OPENCL; NULL: the words of expect_same_everywhere */
    } table[] = {
        {"stretching", ball_of_162, XPBD(", spring: stretching") XPBD_SCENE STEPS("10 ms", "3"), "one ahead lanes=64"},
        {"Hookean, damped", ball_of_162,
         XPBD(", spring: hookean, compliance: 1e-4, damping: 1") XPBD_SCENE STEPS("10 ms", "3"), "launches"},
        {"StVK in a wind, in doubles", sheet,
         XPBD(", spring: stvk, compliance: 1e-6, precision: double") WINDY("") STEPS("10 ms", "3"), "one ahead"},
        {"Morse in a wind, damped", sheet,
         XPBD(", spring: morse, stiffness: 10, compliance: 1e-5, damping: 0.1")
             WINDY("sphere: {radius: 0.3 m, centre: [0, -0.35 m, 0]}, ") STEPS("10 ms", "3"),
         NULL},
        {"unmodified Morse, damped", ball_of_162,
         XPBD(", spring: morse_unmodified, stiffness: 5, morse_exponent: 3 1/m, compliance: 1e-4, damping: 1")
             XPBD_SCENE STEPS("10 ms", "3"),
         "one ahead lanes=64"},
        {"unmodified Morse, whose energy is 0 at dissociation, in doubles", ball_of_162,
         XPBD(", spring: morse_unmodified, morse_zero: dissociation, compliance: 1e-1, precision: double")
             XPBD_SCENE STEPS("10 ms", "3"),
         "launches"},
        {"Morse as printed", sheet, XPBD(", spring: morse_as_printed, compliance: 1e-4") WINDY("") STEPS("10 ms", "3"),
         "one ahead lanes=64"},
        {"by the paper's groups", ball_of_162,
         XPBD(", spring: hookean, compliance: 1e-4, groups: paper") XPBD_SCENE STEPS("10 ms", "3"), "one ahead"},
        {"velocity damping", ball_of_162,
         XPBD(", spring: stretching, velocity_damping: 0.1") XPBD_SCENE STEPS("10 ms", "3"), "one ahead"},
        {"velocity damping in a wind, in doubles", sheet,
         XPBD(", spring: hookean, velocity_damping: 0.1, precision: double") WINDY("") STEPS("10 ms", "3"), "launches"},
        {"a large sphere with ghosts and velocity damping", ball_of_2242,
         XPBD(", spring: stretching, compliance: 1e-5, damping: 1, velocity_damping: 0.1, volume: ghosts")
             XPBD_SCENE STEPS("5 ms", "2"),
         "launches"},
        {"Morse with ghosts", ball_of_162, XPBD(", spring: morse, volume: ghosts") XPBD_SCENE STEPS("10 ms", "3"),
         "fused"},
        {"Morse with soft ghosts, damped", ball_of_162,
         XPBD(", spring: morse, volume: ghosts, damping: 1, compliance: 1e-4") XPBD_SCENE STEPS("10 ms", "3"), "one"},
        {"stretching with soft ghosts, damped, in doubles", subject_octahedron,
         XPBD(", spring: stretching, compliance: 1e-4, damping: 1, volume: ghosts, volume_compliance: 1e-4, "
              "precision: double") XPBD_SCENE STEPS("10 ms", "3"),
         NULL},
        {"stretching, each end damped", ball_of_162,
         XPBD(", spring: stretching, compliance: 1e-4, damping: 1, damping_of: ends, relaxation: 0.5")
             XPBD_SCENE STEPS("10 ms", "3"),
         "one ahead lanes=64"},
        {"Morse in a wind on normals, each end damped", sheet,
         XPBD(", spring: morse, stiffness: 10, compliance: 1e-5, damping: 0.1, damping_of: ends") "scene: {wind: "
                                                                                                  "{kind: normals, "
                                                                                                  "acceleration: [1 "
                                                                                                  "m/s^2, 2 m/s^2, 3 "
                                                                                                  "m/s^2]}}\n" STEPS(
                                                                                                      "10 ms", "3"),
         NULL},
        {"Hookean, each end damped, in doubles", sheet,
         XPBD(", spring: hookean, damping: 1, compliance: 1e-3, damping_of: ends, precision: double")
             STEPS("10 ms", "3"),
         "launches"},
        {"ghosts of StVK", ball_of_162,
         "method: {name: xpbd_hyperelastic, material: stvk, elements: ghosts, relaxation: 0.25, iterations: "
         "5}\n" XPBD_SCENE STEPS("10 ms", "3"),
         "one ahead lanes=64"},
        {"Neo-Hookean ghosts, in doubles", subject_octahedron,
         "method: {name: xpbd_hyperelastic, material: neo_hookean, elements: ghosts, iterations: 5, "
         "element_compliance: 1 J, "
         "young: 1 kPa, precision: double}\n" XPBD_SCENE STEPS("10 ms", "3"),
         NULL},
        {"ghosts of a large sphere", ball_of_2242,
         "method: {name: xpbd_hyperelastic, material: stvk, elements: ghosts, constraint: root, young: 1 kPa, "
         "iterations: "
         "5}\n" XPBD_SCENE STEPS("5 ms", "2"),
         "launches"},
        {"a large sphere with ghosts", ball_of_2242,
         XPBD(", spring: hookean, damping: 1e-4, damping_means: scaled, volume: ghosts, volume_compliance: 1e-6")
             XPBD_SCENE STEPS("5 ms", "2"),
         "launches"},
    };
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct subject s;
        subject_create(&s, table[t].shape, "node_mass: 0.1 kg", "%s", table[t].rest);
        if (table[t].override) {
            static const char *const pair[] = {"threads:2", "opencl"};
            char reference[DIGEST_SIZE], hash[DIGEST_SIZE];
            cr_assert_eq(setenv("SPRINGBACK_OPENCL", table[t].override, 1), 0);
            subject_hash(&s, "serial", 3, reference);
            for (int b = 0; b < 2; ++b) {
                subject_hash(&s, pair[b], 3, hash);
                cr_expect_str_eq(hash, reference, "%s on %s, SPRINGBACK_OPENCL=%s", table[t].what, pair[b],
                                 table[t].override);
            }
            cr_assert_eq(unsetenv("SPRINGBACK_OPENCL"), 0);
        } else {
            expect_same_everywhere(&s, table[t].what);
        }
        subject_free(&s);
    }
}

/* The springs of a cloth are computed colour by colour. The neighbours of a node are computed from the node's index, or
 * stored. The hashes are golden hashes. */
Test(bits, a_cloth_under_xpbd_is_the_same_everywhere) {
    static const struct {
        const char *cloth, *method, *hash;
    } table[] = {
        {"nodes: [33, 17], pins: corners", "stretching", "8121ac5fee31cbde9759f3e570592a7d"},
        {"nodes: [33, 17], pins: corners, neighbours: stored", "stretching", "8121ac5fee31cbde9759f3e570592a7d"},
        {"nodes: [20, 31], pins: row, plane: vertical, springs: [structural, bend]",
         "morse, damping: 0.1, precision: double", "aff3f4d8c70a62cb92f1922b4d368d4f"},
        {"nodes: [12, 9]", "hookean, groups: paper", "c48c70bff8de72ad59f84955f8730890"}};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct plan plan;
        char hash[DIGEST_SIZE];
        char *text = text_format("springback: 1\npaper: test\ntitle: t\nbody: {cloth: {%s}, node_mass: 1 g}\n"
                                 "method: {name: xpbd, iterations: 5, compliance: 1e-4, spring: %s}\n" WINDY(
                                     "sphere: {radius: 0.3 m, centre: [0.5 m, -0.35 m, 0.5 m]}, ") STEPS("5 ms", "4"),
                                 table[t].cloth, table[t].method);
        plan_from_text(text, &plan);
        free(text);
        for (int b = 0; b < BACKENDS; ++b) {
            hash_after(&plan, backends[b], 3, hash);
            cr_expect_str_eq(hash, table[t].hash, "%s, %s on %s: %s", table[t].cloth, table[t].method, backends[b],
                             hash);
        }
        plan_free(&plan);
    }
}

/* A torus falls in a wind onto a ball. If a hash changes: see golden_hashes. */
Test(bits, golden_hashes_of_xpbd) {
    static const struct {
        const char *precision, *spring, *hash; /* `spring`: the kind of spring, then other keys of the method */
    } table[] = {{"float", "stretching", "9e1ebffc644f61667cef92332e694f43"},
                 {"double", "stretching", "636741bdbd807a77e479b6b1d4cbb472"},
                 {"float", "hookean", "ab7f5e3ba6b216edc03e8df27bca5261"},
                 {"float", "stvk", "2a79f54edba835cdf9bf7075b94b2ec3"},
                 {"float", "morse", "019ceee9890212ecf5ebc0fff337c671"},
                 {"double", "morse", "4424e5764fc6abad9c9ed3bcc20f518b"},
                 {"float", "morse_unmodified", "6207c0cb0de7da3fb9d202a0c5113cd0"},
                 {"double", "morse_unmodified", "6ab227d565d8f936504554aa77d6244f"},
                 {"float", "morse_as_printed", "a672ae3427eb6659cb1ff7b0ed060f45"},
                 {"double", "morse_as_printed", "cd61bfcff4370d180409c590000d8de1"},
                 {"float", "stretching, velocity_damping: 0.1", "868ea09c017cb19ee023ddde89b7ed05"},
                 {"float", "stretching, groups: paper", "f5a2f2ad38ea177ef3df21699692ec61"},
                 {"double", "stretching, velocity_damping: 0.1", "68586df40d5c8d53c2c0f5e6c675c116"}};
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        struct subject s;
        char hash[DIGEST_SIZE];
        subject_create(
            &s, subject_torus, "node_mass: 0.1 kg",
            "method: {name: xpbd, spring: %s, stiffness: 10, compliance: 1e-3, damping: 0.1, volume: "
            "ghosts, volume_compliance: 1e-6, iterations: 10, precision: %s}\n" WINDY(
                "sphere: {radius: 1 m, centre: [0, -1 m, 0]}, ") "time: {step: 5 ms, steps_per_frame: 20, frames: 3}\n",
            table[k].spring, table[k].precision);
        subject_hash(&s, "serial", 3, hash);
        cr_expect_str_eq(hash, table[k].hash, "%s %s: %s", table[k].spring, table[k].precision, hash);
        subject_free(&s);
    }
}

/* A torus in a wind above a ball. The methods have options of program D (docs/cetinaslan2019.md), a later program of
 * the paper's author. */
Test(bits, golden_hashes_of_the_author_s_program) {
    static const struct {
        const char *method, *hash;
    } table[] = {
        {"xpbd, spring: stretching, stiffness: 10, compliance: 1e-3, damping: 1, damping_of: ends",
         "4e26b5a772c97d997f66a08ce23284e3"},
        {"xpbd, spring: morse, compliance: 1e-3, damping: 1, damping_of: ends, relaxation: 0.5, precision: double",
         "12307acc48eb2c18b0a5457055d88422"},
        {"xpbd_hyperelastic, material: stvk, elements: ghosts, relaxation: 0.25", "b4cd45055bc14a241995358acb04baee"},
        {"xpbd_hyperelastic, material: neo_hookean, elements: ghosts, element_compliance: 1 J, young: 1 kPa, "
         "precision: double",
         "27a75dbb0c66bb8936bfa2c2e3d3e895"}};
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        struct subject s;
        char hash[DIGEST_SIZE];
        subject_create(&s, subject_torus, "node_mass: 0.1 kg",
                       "method: {name: %s, iterations: 10}\nscene: {sphere: {radius: 1 m, centre: [0, -1 m, 0]}, wind: "
                       "{kind: normals, acceleration: [3 m/s^2, 1 m/s^2, 0]}}\ntime: {step: 5 ms, steps_per_frame: 20, "
                       "frames: 3}\n",
                       table[k].method);
        subject_hash(&s, "serial", 3, hash);
        cr_expect_str_eq(hash, table[k].hash, "%s: %s", table[k].method, hash);
        subject_free(&s);
    }
}

/* Fill a ball with tetrahedra. The corners of a tetrahedron are vertex 0 and the corners of a triangle that does not
 * contain vertex 0. */
static void fan_of_tetrahedra(struct prepared *ball) {
    const struct part *triangles = &ball->parts[PART_TRIANGLES];
    int *corner = memory_new(4 * (size_t)triangles->count, sizeof *corner), count = 0;
    for (int t = 0; t < triangles->count; ++t) {
        const int *c = triangles->particle + 3 * t;
        if (c[0] && c[1] && c[2]) {
            corner[4 * count] = 0;
            memcpy(corner + 4 * count++ + 1, c, 3 * sizeof *c);
        }
    }
    cr_assert_eq(prepared_add_part(ball, PART_TETRAHEDRA, count, corner), STATUS_OK, "%s", failure_text());
    free(corner);
    prepared_seal(ball);
}

/* In the cases of `table`, the ball falls in a wind onto a smaller ball. In the cases of `vbd`, the ball hangs from its
 * pinned nodes. If a hash changes: see golden_hashes. */
Test(bits, golden_hashes_of_elements) {
    static const struct {
        const char *precision, *material, *hash;
    } table[] = {{"float", "stvk", "6abacfd8b1defd6398b335494ff8a835"},
                 {"float", "neo_hookean", "c6096f2bc0582a5a6ac23ac9ea0f4288"},
                 {"float", "neo_hookean, element_compliance: 1 J, young: 1 kPa", "b4cb526d4b649da79f74e4ed5714f301"},
                 {"double", "stvk, constraint: root, young: 1 kPa", "e29009f1cd1848454c530331eb8cdf4c"},
                 {"double", "neo_hookean, constraint: root, young: 1 kPa", "c9e2cc10f3b508c86366421806e5ab46"}},
      vbd[] = {{"float", "young: 1 kPa", "e9d227dd8e883390d2d058658e11fabb"},
               {"double", "young: 1 kPa", "1f342942c0512d434666ec921044986a"}};
    char *folder = folder_temporary(), *path = text_format("%s/ball.h5", folder), hash[DIGEST_SIZE];
    struct mesh mesh;
    struct prepared ball;
    ball_of_162(&mesh);
    cr_assert_eq(prepared_create(&mesh, "ball", &ball), STATUS_OK, "%s", failure_text());
    fan_of_tetrahedra(&ball);
    cr_assert_eq(stored_write(&ball, path), STATUS_OK, "%s", failure_text());
    prepared_free(&ball);
    mesh_free(&mesh);
    cr_assert_eq(setenv("SPRINGBACK_BODIES", folder, 1), 0);
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        struct subject s;
        char *rest =
            text_format("method: {name: xpbd_hyperelastic, material: %s, iterations: 10, precision: %s}\n" WINDY(
                            "sphere: {radius: 0.5 m, centre: [0, -1.4 m, 0]}, ") STEPS("10 ms", "5"),
                        table[k].material, table[k].precision);
        subject_of_file(&s, "ball", "node_mass: 0.1 kg, surface: {inside: tetrahedra}", rest);
        subject_hash(&s, "serial", 3, hash);
        cr_expect_str_eq(hash, table[k].hash, "%s %s: %s", table[k].material, table[k].precision, hash);
        subject_free(&s);
        free(rest);
    }
    for (size_t k = 0; k < sizeof vbd / sizeof *vbd; ++k) {
        struct subject s;
        char *rest =
            text_format("method: {name: vbd_hyperelastic, %s, iterations: 5, precision: %s}\n" STEPS("10 ms", "5"),
                        vbd[k].material, vbd[k].precision);
        subject_of_file(&s, "ball", "node_mass: 0.1 kg, surface: {inside: tetrahedra, pins: highest, pins_depth: 0.3}",
                        rest);
        subject_hash(&s, "serial", 3, hash);
        cr_expect_str_eq(hash, vbd[k].hash, "vbd %s: %s", vbd[k].precision, hash);
        subject_free(&s);
        free(rest);
    }
    free(path);
    folder_remove(folder);
}

Test(bits, a_torus_of_springs_alone_is_the_same_everywhere) {
    struct subject s;
    subject_create(&s, subject_torus, "node_mass: 1 kg",
                   "method: {name: mass_spring, stiffness: 5000 N/m, damping: 20 N s/m}\n" SCENE STEPS("0.1 ms", "40"));
    expect_same_everywhere(&s, "the torus");
    subject_free(&s);
}

Test(bits, frames_do_not_change_the_steps_of_a_kept_volume) {
    char a[DIGEST_SIZE], b[DIGEST_SIZE];
    for (int k = 0; k < BACKENDS; ++k) {
        struct subject few, many;
        subject_create(&few, ball_of_162, "node_mass: 1 kg", VOLUME("") SCENE STEPS("0.1 ms", "60"));
        subject_create(&many, ball_of_162, "node_mass: 1 kg", VOLUME("") SCENE STEPS("0.1 ms", "4"));
        subject_hash(&few, backends[k], 1, a);
        subject_hash(&many, backends[k], 15, b);
        cr_expect_str_eq(a, b, "%s", backends[k]);
        subject_free(&few);
        subject_free(&many);
    }
}

/* va2023's sphere falls onto the ground and touches the plate. If a hash changes: see golden_hashes. */
Test(bits, golden_hashes_of_a_kept_volume) {
    static const struct {
        const char *precision, *hash;
    } table[] = {{"float", "dece4110211cf74875cfe7eebcec3fb0"}, {"double", "87dd80d61c3bdce8973af95aa4a5e4c3"}};
    for (int k = 0; k < 2; ++k) {
        struct subject s;
        char hash[DIGEST_SIZE];
        subject_create(&s, subject_sphere, "node_mass: 1 kg",
                       "method: {name: volume_constraint, stiffness: 5000 N/m, damping: 200 N s/m, precision: %s}\n"
                       "scene: {ground: {height: 0 m, drop: 1 cm, friction: 0.3}, plate: {speed: 1 m/s}}\n"
                       "time: {step: 0.1 ms, steps_per_frame: 200, frames: 3}\n",
                       table[k].precision);
        subject_hash(&s, "serial", 3, hash);
        cr_expect_str_eq(hash, table[k].hash, "%s: %s", table[k].precision, hash);
        subject_free(&s);
    }
}
