/* The members of an ensemble are bit-identical to single runs. */
#include "backend/opencl/device.h"
#include "backend/opencl/ensemble.h"
#include "body/filling.h"
#include "body/prepared.h"
#include "shapes.h"
#include "support.h"

enum { FRAMES = 3, MEMBERS = 16 };

/* The models of a plan's runs, which become members of ensembles. hashes[run][frame] is the state hash of a run on the
 * serial backend. */
struct batch {
    struct plan plan;
    struct model models[MEMBERS];
    char hashes[MEMBERS][FRAMES + 1][DIGEST_SIZE]; /* "" if the run has diverged */
    int count;
};

static void batch_create(struct batch *batch, const char *text) {
    plan_from_text(text, &batch->plan);
    batch->count = batch->plan.run_count;
    cr_assert_leq(batch->count, MEMBERS);
    for (int m = 0; m < batch->count; ++m) {
        struct model *model = &batch->models[m];
        const struct state *state;
        cr_assert_eq(model_describe(&batch->plan.runs[m], model), STATUS_OK, "%s", failure_text());
        cr_assert_eq(model_build(model), STATUS_OK, "%s", failure_text());
        struct simulation *alone = simulation_on(model, "serial");
        for (int f = 1; f <= FRAMES; ++f) {
            cr_assert_eq(simulation_advance(alone), STATUS_OK);
            cr_assert_eq(simulation_observe(alone, false, &state), STATUS_OK);
            if (state->diverged)
                break;
            memcpy(batch->hashes[m][f], state->hash, DIGEST_SIZE);
        }
        simulation_close(alone);
    }
}

static void batch_free(struct batch *batch) {
    for (int m = 0; m < batch->count; ++m)
        model_free(&batch->models[m]);
    plan_free(&batch->plan);
}

static struct backend_choice opencl(void) {
    struct backend_choice choice;
    cr_assert_eq(backend_choose("opencl", &choice), STATUS_OK, "%s", failure_text());
    return choice;
}

/* Run one ensemble, and compare its members with the serial runs. The first member is the first run that is not done.
 * The other members are all later runs that are not done and whose program is compatible with the first member's
 * program. Sets done[] to true for all members. Returns the number of members. */
static int run_some(const struct batch *batch, bool *done, const char *what) {
    const struct backend_choice choice = opencl();
    const struct program *programs[MEMBERS];
    struct simulation *simulations[MEMBERS] = {NULL};
    bool live[MEMBERS] = {false};
    int index[MEMBERS], count = 0;
    struct ensemble *ensemble;
    for (int m = 0; m < batch->count; ++m)
        if (!done[m] && (!count || program_is_compatible(&batch->models[m].program, programs[0]))) {
            cr_assert(ensemble_supports(&choice, &batch->models[m].program));
            programs[count] = &batch->models[m].program;
            index[count++] = m;
            done[m] = true;
        }
    cr_assert_eq(ensemble_open(&choice, programs, count, &ensemble), STATUS_OK, "%s: %s", what, failure_text());
    for (int k = 0; k < count; ++k) {
        cr_assert_eq(simulation_open_engine(&batch->models[index[k]], ensemble_engine(ensemble, k), &simulations[k]),
                     STATUS_OK, "%s", failure_text());
        live[k] = true;
    }
    for (int f = 1; f <= FRAMES; ++f) {
        cr_assert_eq(ensemble_start(ensemble, live), STATUS_OK, "%s", failure_text());
        cr_assert_eq(ensemble_wait(ensemble), STATUS_OK, "%s", failure_text());
        cr_assert_eq(ensemble_fetch(ensemble), STATUS_OK, "%s", failure_text());
        for (int k = 0; k < count; ++k) {
            const struct state *state;
            if (!live[k])
                continue;
            cr_assert_eq(simulation_observe(simulations[k], false, &state), STATUS_OK);
            const char *alone = batch->hashes[index[k]][f];
            cr_expect_str_eq(state->diverged ? "" : state->hash, alone, "%s: member %d of %d, frame %d: %s", what, k,
                             count, f, batch->plan.runs[index[k]].id);
            live[k] = !state->diverged;
        }
    }
    for (int k = 0; k < count; ++k)
        simulation_close(simulations[k]);
    ensemble_close(ensemble);
    return count;
}

/* Run all members, in as many ensembles as needed. Sets *ensembles to the number of ensembles. Returns the number of
 * members of the largest ensemble. */
static int run_all(const struct batch *batch, const char *what, int *ensembles) {
    bool done[MEMBERS] = {false};
    int largest = 0, ran = 0;
    for (*ensembles = 0; ran < batch->count; ++*ensembles) {
        const int count = run_some(batch, done, what);
        largest = count > largest ? count : largest;
        ran += count;
    }
    return largest;
}

/* Prepare a body from a mesh, and store it as <name>.h5 in a folder. If `how` is not NULL, the body is also filled
 * (body/filling.h). Frees the mesh. */
static void keep_body(const char *folder, const char *name, struct mesh *mesh, const struct filling *how) {
    char *path = text_format("%s/%s.h5", folder, name);
    struct prepared body;
    cr_assert_eq(prepared_create(mesh, name, &body), STATUS_OK, "%s", failure_text());
    cr_assert(!how || !filling_add(&body, how, name), "%s", failure_text());
    cr_assert_eq(stored_write(&body, path), STATUS_OK, "%s", failure_text());
    prepared_free(&body);
    mesh_free(mesh);
    free(path);
}

/* Prepare three bodies: a cube with inner nodes and inner links, and two tori with equal numbers of nodes and springs.
 * Returns the path of the bodies' folder, newly allocated, and sets SPRINGBACK_BODIES to this path. */
static char *make_bodies(void) {
    char *folder = folder_temporary();
    struct mesh mesh;
    shape_cube(3, &mesh);
    keep_body(folder, "cube", &mesh, &(struct filling){.with_links = true, .switches = "-pqYa0.01"});
    shape_torus(1, 0.25, 24, 8, &mesh);
    keep_body(folder, "torus", &mesh, NULL);
    shape_torus(1, 0.25, 16, 12, &mesh);
    keep_body(folder, "other_torus", &mesh, NULL);
    cr_assert_eq(setenv("SPRINGBACK_BODIES", folder, 1), 0);
    return folder;
}

#define CUBE(inside) "body: {mesh: cube, node_mass: [0.5 kg, 1 kg, 3 kg], surface: {inside: " inside "}}\n"
#define TORUS        "body: {mesh: torus, node_mass: [0.5 kg, 1 kg, 3 kg]}\n"
#define GROUND       "scene: {ground: {height: -0.4 m, restitution: [0, 0.3], friction: 0.3}}\n"
#define FLOOR        "scene: {ground: {height: -0.4 m, restitution: 0.3, friction: 0.3}}\n"
#define BALL         "scene: {sphere: {radius: 0.5 m, centre: [0, -1.1 m, 0]}}\n"
#define STEP         "time: {step: 10 ms, frames: 3}\n"
#define TIME         "time: {step: 1 ms, steps_per_frame: [4, 3], frames: 3}\n"

/* The runs of a case differ in one or several of these: mesh, node mass, stiffness, restitution, and the number of
 * steps or iterations per frame. If the number per frame differs, it is even in some runs and odd in others. Springs of
 * 1e8 N/m are too stiff for the time step: runs with such springs diverge, the other runs do not. `overrides` are
 * values of SPRINGBACK_OPENCL. */
static const struct {
    const char *what, *text, *overrides[5];
} table[] = {
    {"springs",
     TORUS "method: {name: mass_spring, stiffness: [500 N/m, 1e8 N/m], damping: 2 N s/m}\n" FLOOR TIME,
     {"", "lanes=16", "state", "state lanes=16", "state resident lanes=64"}},
    {"a network in which some nodes have many springs",
     CUBE("links") "method: {name: mass_spring, stiffness: [1e8 N/m, 50 N/m], damping: 0.2 N s/m}\n" FLOOR
                   "time: {step: 1 ms, steps_per_frame: 4, frames: 3}\n",
     {"state resident lanes=16", "state resident lanes=32 bare"}},
    {"springs of two networks under a plate that moves in every frame",
     "body: {mesh: [torus, other_torus], node_mass: 1 kg}\n"
     "method: {name: mass_spring, stiffness: 500 N/m, damping: 2 N s/m}\n"
     "scene: {plate: {speed: 10 m/s, until: 20 ms}}\n" TIME,
     {"state resident lanes=64"}},
    {"springs of a cloth in doubles",
     "body: {cloth: {nodes: [9, 7], pins: corners}, node_mass: [0.5 kg, 1 kg, 3 kg]}\n"
     "method: {name: mass_spring, stiffness: [30 N/m, 40 N/m], damping: 0.02 N s/m, precision: double}\n" TIME,
     {"one", "state lanes=16"}},
    {"springs of a network in doubles",
     TORUS "method: {name: mass_spring, stiffness: 500 N/m, damping: 2 N s/m, precision: double}\n" FLOOR TIME,
     {"state resident lanes=64"}},
    {"volume_constraint",
     TORUS "method: {name: volume_constraint, stiffness: 500 N/m, damping: 2 N s/m}\n" GROUND TIME,
     {"", "state", "state resident lanes=64", "fused"}},
    {"volume_constraint with nodes inside",
     CUBE("links") "method: {name: volume_constraint, stiffness: [1e8 N/m, 50 N/m], damping: 0.2 N s/m}\n" FLOOR
                   "time: {step: 1 ms, steps_per_frame: 4, frames: 3}\n",
     {"state resident lanes=16", "state resident lanes=32"}},
    {"volume_constraint, variant as_printed",
     TORUS "method: {name: volume_constraint, stiffness: 500 N/m, variant: as_printed}\n" GROUND TIME,
     {"state lanes=32"}},
    {"volume_constraint, variant printed_volume",
     TORUS "method: {name: volume_constraint, stiffness: 500 N/m, variant: printed_volume}\n" GROUND TIME,
     {"state lanes=32"}},
    {"constraint_enforcement",
     "body: {cloth: {nodes: [9, 7], pins: corners}, node_mass: [0.1 kg, 1 kg]}\n"
     "method: {name: constraint_enforcement, iterations: [3, 4]}\n" TIME,
     {"one"}},
    {"pbd_inner_links",
     CUBE("links") "method: {name: pbd_inner_links, iterations: [2, 3]}\n" GROUND STEP,
     {"lanes=16 ahead"}},
    {"pbd_strain_tets", CUBE("tetrahedra") "method: {name: pbd_strain_tets, iterations: [2, 3]}\n" GROUND STEP, {""}},
    {"xpbd", TORUS "method: {name: xpbd, spring: hookean, iterations: [2, 3]}\n" BALL STEP, {""}},
    {"xpbd_hyperelastic",
     CUBE("tetrahedra") "method: {name: xpbd_hyperelastic, material: stvk, young: 1 kPa, iterations: [2, 3]}\n" BALL
         STEP,
     {""}},
    {"vbd", TORUS "method: {name: vbd, stiffness: 500 N/m, iterations: [2, 3]}\n" STEP, {""}},
    {"vbd_hyperelastic",
     CUBE("tetrahedra") "method: {name: vbd_hyperelastic, young: 1 kPa, iterations: [2, 3]}\n" STEP,
     {""}},
};

Test(ensemble, members_end_in_the_bits_of_single_runs) {
    char *folder = make_bodies();
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        static struct batch batch;
        char *text = text_format("springback: 1\npaper: test\ntitle: t\n%s", table[t].text);
        batch = (struct batch){.count = 0};
        batch_create(&batch, text);
        for (int w = 0; w < 5 && table[t].overrides[w]; ++w) {
            int ensembles;
            char *what = text_format("%s, %s", table[t].what, table[t].overrides[w]);
            cr_assert_eq(setenv("SPRINGBACK_OPENCL", table[t].overrides[w], 1), 0);
            const int largest = run_all(&batch, what, &ensembles);
            cr_expect_geq(largest, 2, "%s", what);
            free(what);
        }
        batch_free(&batch);
        free(text);
    }
    cr_assert_eq(unsetenv("SPRINGBACK_OPENCL"), 0);
    folder_remove(folder);
}

/* The test sets the device's number of compute units to 1. A launch then has few work groups, so each group runs
 * several members. Some members have the same springs as the previous member of their group. */
Test(ensemble, a_group_runs_members_one_after_another) {
    static struct batch batch;
    static const struct {
        const char *method;
        size_t local_memory; /* in bytes. mass_spring: enough for the state of one member, but not of two.
                                volume_constraint: enough for a few states and for the sums of the largest group */
    } cases[] = {{"mass_spring", 16384}, {"volume_constraint", 120000}};
    int ensembles;
    char *folder = make_bodies();
    struct device *device = &device_list()->devices[opencl().device];
    device->compute_units = 1;
    cr_assert_eq(setenv("SPRINGBACK_OPENCL", "state resident lanes=64", 1), 0);
    for (size_t t = 0; t < sizeof cases / sizeof *cases; ++t) {
        AUTO_FREE char *text =
            text_format("springback: 1\npaper: test\ntitle: t\n"
                        "body: {mesh: torus, node_mass: [0.5 kg, 1 kg, 2 kg, 3 kg], surface: {length: [2 m, 3 m]}}\n"
                        "method: {name: %s, stiffness: 500 N/m, damping: 2 N s/m}\n" FLOOR TIME,
                        cases[t].method);
        device->local_memory = cases[t].local_memory;
        batch_create(&batch, text);
        cr_expect_eq(run_all(&batch, cases[t].method, &ensembles), 16);
        batch_free(&batch);
    }
    cr_assert_eq(unsetenv("SPRINGBACK_OPENCL"), 0);
    folder_remove(folder);
}

/* If the compiled frame kernel allows fewer lanes than the frame's shape has, the frame is compiled again with fewer
 * lanes. To cause this, the test doubles max_group_size in the description of the device. */
Test(ensemble, a_frame_is_compiled_again_with_fewer_lanes, .timeout = 120) {
    static struct batch batch;
    int ensembles;
    char *folder = make_bodies();
    struct device *device = &device_list()->devices[opencl().device];
    AUTO_FREE char *lanes = text_format("lanes=%zu", 2 * device->max_group_size);
    device->max_group_size *= 2;
    batch_create(&batch, "springback: 1\npaper: test\ntitle: t\n" TORUS
                         "method: {name: mass_spring, stiffness: 500 N/m, damping: 2 N s/m}\n" TIME);
    cr_assert_eq(setenv("SPRINGBACK_OPENCL", lanes, 1), 0);
    if (!device->has_global_barrier)
        run_all(&batch, lanes, &ensembles);
    cr_assert_eq(unsetenv("SPRINGBACK_OPENCL"), 0);
    batch_free(&batch);
    folder_remove(folder);
}
