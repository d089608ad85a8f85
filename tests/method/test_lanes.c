/* Tests of the SIMD kernels of mass_spring and volume_constraint on bodies of springs: their results must be
 * bit-identical to those of the plain loops. The tests use several scenes, all levels of vector instructions and
 * several numbers of threads. */
#include "base/memory.h"
#include "body/filling.h"
#include "body/prepared.h"
#include "method/lane_groups.h"
#include "shapes.h"
#include "support.h"

#include <math.h>

static const char *const levels[] = {"base", "v3", "v4"};

/* Store a mesh as the prepared body `name` in the folder, filled with inner links. Unless `switches` is NULL, TetGen
 * also fills the body with tetrahedra, with these switches. Frees the mesh. */
static void add_body(const char *folder, const char *name, struct mesh *mesh, const char *switches) {
    struct prepared prepared;
    char *path = text_format("%s/%s.h5", folder, name);
    failure_clear();
    cr_assert_eq(prepared_create(mesh, name, &prepared), STATUS_OK, "%s", failure_text());
    const struct filling how = {.with_links = true, .switches = switches};
    cr_assert_eq(filling_add(&prepared, &how, name), STATUS_OK, "%s", failure_text());
    cr_assert_eq(stored_write(&prepared, path), STATUS_OK, "%s", failure_text());
    prepared_free(&prepared);
    mesh_free(mesh);
    free(path);
}

/* Prepare three bodies in a new folder: an icosahedron, whose 12 nodes do not fill a vector of 16; a globe, whose poles
 * have many springs; and a ball with inner nodes, which are in no triangle. Globe and ball have more than one block of
 * nodes (LIST_BLOCK). Returns the folder's path, newly allocated, and sets SPRINGBACK_BODIES to this path. */
static char *bodies_create(void) {
    char *folder = folder_temporary();
    struct mesh mesh;
    shape_icosphere(0, &mesh);
    add_body(folder, "icosahedron", &mesh, NULL);
    shape_uv_sphere(24, 32, &mesh);
    add_body(folder, "globe", &mesh, NULL);
    shape_icosphere(3, &mesh);
    add_body(folder, "ball", &mesh, "-pq1.4Ya0.02");
    cr_assert_eq(setenv("SPRINGBACK_BODIES", folder, 1), 0);
    return folder;
}

static void bodies_remove(char *folder) {
    cr_assert_eq(unsetenv("SPRINGBACK_BODIES"), 0);
    folder_remove(folder);
}

static void read_plan(const char *body, const char *method, const char *scene, const char *step, struct plan *plan) {
    char *text = text_format("springback: 1\npaper: test\ntitle: t\n"
                             "body: {mesh: %s, node_mass: 1 kg}\n"
                             "method: {%s, stiffness: 5000 N/m, damping: 10 N s/m}\n"
                             "scene: {%s}\n"
                             "time: {step: %s, steps_per_frame: 7, frames: 3}\n",
                             body, method, scene, step);
    plan_from_text(text, plan);
    free(text);
}

static void hash_after(const struct model *model, const char *backend, bool diverges, const char *what,
                       char out[DIGEST_SIZE]) {
    struct simulation *s = simulation_on(model, backend);
    const struct state *state = state_after(s, 3);
    cr_expect_eq(state->diverged, diverges, "%s on %s", what, backend);
    memcpy(out, state->hash, DIGEST_SIZE);
    simulation_close(s);
}

/* Expect the state hash of the first run to be the same on the serial backend and on threads, at each level of vector
 * instructions. Stores the hash in `reference`. The run must diverge if and only if `diverges` is true. */
static void expect_serial_bits(const struct plan *plan, bool diverges, const char *what, char reference[DIGEST_SIZE]) {
    static const char *const backends[] = {"threads:1", "threads:3"};
    for (size_t l = 0; l < sizeof levels / sizeof *levels; ++l) {
        struct model model;
        char hash[DIGEST_SIZE];
        cr_assert_eq(setenv("SPRINGBACK_LEVEL", levels[l], 1), 0);
        cr_assert_eq(model_describe(&plan->runs[0], &model), STATUS_OK, "%s", failure_text());
        cr_assert_eq(model_build(&model), STATUS_OK, "%s", failure_text());
        cr_assert_not_null(model.program.kernels[0].simd, "%s", what);
        if (l == 0)
            hash_after(&model, "serial", diverges, what, reference);
        for (size_t b = 0; b < sizeof backends / sizeof *backends; ++b) {
            hash_after(&model, backends[b], diverges, what, hash);
            cr_expect_str_eq(hash, reference, "%s on %s at %s", what, backends[b], levels[l]);
        }
        model_free(&model);
    }
    cr_assert_eq(unsetenv("SPRINGBACK_LEVEL"), 0);
}

#define BALL_ON_GROUND "ground: {height: 0 m, restitution: 0.3, friction: 0.4}"
#define BALL_PRESSED   BALL_ON_GROUND ", plate: {speed: 50 m/s, depth: 0.5, until: 3.1 ms}"

Test(lanes, every_level_and_thread_count_gives_the_bits_of_the_plain_loops) {
    static const char *const bodies[] = {"icosahedron", "globe", "ball, surface: {pins: lowest}",
                                         "globe, surface: {inside: links}",
                                         "ball, surface: {inside: tetrahedra, pins: highest}"};
    static const char *const kinds[] = {
        "name: mass_spring", "name: mass_spring, precision: double", "name: volume_constraint",
        "name: volume_constraint, precision: double, weight_centre: [0.5 m, 1 m, 0 m], weight_radius: 1.45 m",
        "name: volume_constraint, weight_radius: 1.1 m, weight_centre: [1 m, 0.5 m, 0 m], weight_enters: forces"};
    static const char *const scenes[] = {"gravity: [1 m/s^2, -9.8 m/s^2, 0 m/s^2]", BALL_ON_GROUND,
                                         BALL_PRESSED ", twist: {torque: 900 N m}"};
    enum { SCENES = sizeof scenes / sizeof *scenes };
    char *folder = bodies_create();
    for (size_t b = 0; b < sizeof bodies / sizeof *bodies; ++b)
        for (size_t m = 0; m < sizeof kinds / sizeof *kinds; ++m) {
            char hash[SCENES][DIGEST_SIZE];
            for (size_t s = 0; s < SCENES; ++s) {
                struct plan plan;
                char *what = text_format("%s, %s, %s", bodies[b], kinds[m], scenes[s]);
                read_plan(bodies[b], kinds[m], scenes[s], "0.2 ms", &plan);
                expect_serial_bits(&plan, false, what, hash[s]);
                for (size_t t = 0; t < s; ++t) /* a scene without effect would give an earlier scene's hash */
                    cr_expect_str_neq(hash[s], hash[t], "%s: the scene has no effect", what);
                plan_free(&plan);
                free(what);
            }
        }
    bodies_remove(folder);
}

/* In runs that diverge, infinities and NaN appear in the same places on serial and on threads. */
Test(lanes, what_flies_apart_does_so_in_the_same_bits) {
    static const char *const bodies[] = {"globe", "ball, surface: {inside: tetrahedra}"};
    static const char *const kinds[] = {"name: mass_spring", "name: volume_constraint",
                                        "name: volume_constraint, weight_radius: 1.1 m"};
    char *folder = bodies_create();
    for (size_t b = 0; b < 2; ++b)
        for (size_t m = 0; m < sizeof kinds / sizeof *kinds; ++m) {
            struct plan plan;
            char *what = text_format("%s, %s", bodies[b], kinds[m]), hash[DIGEST_SIZE];
            read_plan(bodies[b], kinds[m], BALL_ON_GROUND, "200 ms", &plan);
            expect_serial_bits(&plan, true, what, hash);
            plan_free(&plan);
            free(what);
        }
    bodies_remove(folder);
}

/* Make a body with a node of 700 springs, 700 nodes with one spring, and 599 nodes without springs. All nodes of the
 * last block are without springs. */
static void star(struct body *body) {
    enum { NODES = 1300, ARMS = 700, HUB = 37 };
    double(*position)[3] = memory_new(NODES, sizeof *position);
    bool *pinned = memory_new(NODES, sizeof *pinned);
    struct spring *springs = memory_new(ARMS, sizeof *springs);
    for (int i = 0; i < NODES; ++i) {
        position[i][0] = i % 7 * 0.25;
        position[i][1] = i % 11 * 0.5;
        position[i][2] = i % 13 * 0.125 + 1;
        pinned[i] = i % 5 == 0;
    }
    for (int s = 0; s < ARMS; ++s) {
        const int other = s < HUB ? s : s + 1;
        springs[s] = (struct spring){other < HUB ? other : HUB, other < HUB ? HUB : other, 0.5 + s % 3};
    }
    body_of_springs((const double(*)[3])position, pinned, NODES, springs, ARMS, 0.5, body);
    free(position);
    free(pinned);
    free(springs);
}

static const char star_plan[] = "springback: 1\npaper: test\ntitle: t\n"
                                "body: {cloth: {nodes: [2, 2]}, node_mass: 1 kg}\n"
                                "method: {name: mass_spring, stiffness: 5 N/m, damping: 0.1 N s/m, precision: %s}\n"
                                "time: {step: 1 ms, steps_per_frame: 10, frames: 3}\n";

Test(lanes, nodes_of_many_springs_and_of_none_are_served) {
    for (int k = 0; k < 6; ++k) {
        struct plan plan;
        struct model model;
        struct body body;
        char *text = text_format(star_plan, k % 2 ? "double" : "float"), hash[2][DIGEST_SIZE];
        plan_from_text(text, &plan);
        star(&body);
        cr_assert_eq(setenv("SPRINGBACK_LEVEL", levels[k / 2], 1), 0);
        model_of_body(&plan.runs[0], &body, &model);
        hash_after(&model, "serial", false, "star", hash[0]);
        hash_after(&model, "threads:2", false, "star", hash[1]);
        cr_expect_str_eq(hash[1], hash[0], "%s at %s", k % 2 ? "double" : "float", levels[k / 2]);
        model_free(&model);
        plan_free(&plan);
        free(text);
    }
    cr_assert_eq(unsetenv("SPRINGBACK_LEVEL"), 0);
}

/* A node without springs has an infinite velocity. The infinity must not reach other nodes of the same vector. */
Test(lanes, infinities_do_not_reach_missing_springs) {
    enum { VELOCITY = 1, ALONE = 701 };
    struct plan plan;
    struct model model;
    struct body body;
    char *text = text_format(star_plan, "float"), hash[2][DIGEST_SIZE];
    plan_from_text(text, &plan);
    star(&body);
    cr_assert_eq(body.start[ALONE + 1], body.start[ALONE]);
    model_of_body(&plan.runs[0], &body, &model);
    float(*velocity)[4] = memory_new((size_t)body.nodes, sizeof *velocity);
    velocity[ALONE][0] = INFINITY;
    for (int b = 0; b < 2; ++b) {
        struct simulation *s = simulation_on(&model, b ? "threads:2" : "serial");
        cr_assert_eq(engine_write(simulation_engine(s), VELOCITY, velocity), STATUS_OK);
        const struct state *state = state_after(s, 1);
        cr_expect(isinf(((const float *)state->velocity)[3 * ALONE]));
        memcpy(hash[b], state->hash, DIGEST_SIZE);
        simulation_close(s);
    }
    cr_expect_str_eq(hash[1], hash[0]);
    free(velocity);
    model_free(&model);
    plan_free(&plan);
    free(text);
}

/* If a fixed buffer is written, a backend must call simd_kernel.prepare again, which rearranges the buffer. */
Test(lanes, what_is_written_later_counts) {
    enum { REST = 6 };
    struct plan plan;
    struct model model;
    struct body body;
    char *text = text_format(star_plan, "float"), hash[2][2][DIGEST_SIZE];
    plan_from_text(text, &plan);
    star(&body);
    model_of_body(&plan.runs[0], &body, &model);
    cr_assert_str_eq(model.program.buffers[REST].name, "rest");
    const size_t ends = model.program.buffers[REST].items;
    for (int b = 0; b < 2; ++b) {
        struct simulation *s = simulation_on(&model, b ? "threads:2" : "serial");
        float *rest = memory_new(ends, sizeof *rest);
        memcpy(hash[0][b], state_after(s, 1)->hash, DIGEST_SIZE);
        cr_assert_eq(engine_read(simulation_engine(s), REST, rest), STATUS_OK);
        for (size_t k = 0; k < ends; ++k)
            rest[k] *= 1.5F;
        cr_assert_eq(engine_write(simulation_engine(s), REST, rest), STATUS_OK);
        memcpy(hash[1][b], state_after(s, 1)->hash, DIGEST_SIZE);
        cr_assert_eq(simulation_rewind(s), STATUS_OK);
        cr_expect_str_eq(state_after(s, 1)->hash, hash[0][b]);
        simulation_close(s);
        free(rest);
    }
    cr_expect_str_eq(hash[0][1], hash[0][0]);
    cr_expect_str_eq(hash[1][1], hash[1][0]);
    model_free(&model);
    plan_free(&plan);
    free(text);
}

/* Each node is in exactly one lane, but the last node is repeated in the lanes after it. A lane's slots have the node's
 * springs in order. Unused slots have the node's own index. */
Test(lanes, groups_hold_each_row_once) {
    struct body body;
    star(&body);
    for (int lanes = 2; lanes <= 16; lanes *= 2) {
        float *rest = memory_new(2 * (size_t)body.springs, sizeof *rest);
        int *seen = memory_new((size_t)body.nodes, sizeof *seen), last = 0;
        for (long k = 0; k < 2 * body.springs; ++k)
            rest[k] = (float)body.rest[k];
        struct lane_groups *groups =
            lane_groups_create(body.start, NULL, body.neighbour, rest, body.nodes, sizeof(float), lanes);
        cr_assert_not_null(groups);
        for (int place = 0; place < (body.nodes + lanes - 1) / lanes * lanes; ++place) {
            const int i = groups->node[place], count = body.start[i + 1] - body.start[i];
            const struct lane_group *group = &groups->group[place / lanes];
            if (place < body.nodes) {
                ++seen[i];
                cr_assert_eq(i / LIST_BLOCK, place / LIST_BLOCK);
                cr_expect(place % LIST_BLOCK == 0 || count <= last, "a block is not sorted by the number of springs");
                last = count;
            }
            cr_assert_eq(((const int *)groups->springs)[place], count);
            cr_assert_eq(((const int *)groups->ring)[place], count);
            cr_assert(group->common <= count && count <= group->slots);
            for (int k = 0; k < group->slots; ++k) {
                const size_t at = group->first + (size_t)k * (size_t)lanes + (size_t)(place % lanes);
                cr_assert_eq(groups->neighbour[at], k < count ? body.neighbour[body.start[i] + k] : i);
                cr_assert(k >= count || ((const float *)groups->rest)[at] == rest[body.start[i] + k]);
            }
        }
        for (int i = 0; i < body.nodes; ++i)
            cr_assert_eq(seen[i], 1);
        free(groups);
        free(seen);
        free(rest);
    }
    body_free(&body);
}
