/* diff finds the first difference of two runs. The tests compare pairs of traces that differ in one known place. */
#include "diff/diff.h"
#include "experiment/plan.h"
#include "run/runner.h"
#include "support.h"

#include <math.h>

static const char cloth[] = "springback: 1\npaper: test\ntitle: t\n"
                            "body: {cloth: {nodes: [6, 5], pins: corners}, node_mass: 1 kg}\n"
                            "method: {name: mass_spring, stiffness: 100 N/m, damping: 0.1 N s/m}\n"
                            "time: {step: 1 ms, steps_per_frame: 10, frames: 4}\n";

static char *home, *file;

static void setup(void) {
    home = folder_temporary();
    file = text_format("%s/cloth.yaml", home);
    text_write(file, cloth);
    unsetenv("SPRINGBACK_KERNELS");
    failure_clear();
}

static void teardown(void) {
    free(file);
    folder_remove(home);
}

TestSuite(diff, .init = setup, .fini = teardown);

static void keep_path(void *context, const struct run *run, const struct run_outcome *outcome) {
    (void)run;
    *(char **)context = text_copy(outcome->trace);
}

/* Run the experiment `file`, which has one run, and write the results into the folder `name`. `set` has the values of
 * --set. Returns the open trace. */
static struct trace_data run_into(const char *name, const char *backend, const char *const *set) {
    struct plan plan;
    const char *const backends[] = {backend, NULL};
    const struct plan_options how = {
        .set = set, .backends = backends, .methods = method_table, .backend_words = backend_words};
    cr_assert_eq(plan_read(file, &how, &plan), STATUS_OK, "%s", failure_text());
    char *out = text_format("%s/%s", home, name), *path = NULL;
    const struct runner_options options = {.out = out, .quiet = true, .report = keep_path, .context = &path};
    cr_assert_eq(runner_run(&plan, &options), STATUS_OK, "%s", failure_text());
    struct trace_data trace;
    cr_assert_eq(trace_open(path, &trace), STATUS_OK, "%s", failure_text());
    plan_free(&plan);
    free(path);
    free(out);
    return trace;
}

#define SET(...) ((const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})

/* Change OpenCL's kernels for all later runs: from step 23 on, the velocity of node 17 has a slightly larger y. */
static void spoil_kernels(void) {
    char *folder = text_format("%s/kernels", home);
    char *command = text_format("cp -r '" SOURCE_DIR
                                "/kernels' '%s' && sed -i 's/velocity_next\\[i\\] = quad_of(\\([a-z.]*\\), v.w)/"
                                "velocity_next[i] = quad_of(m->step >= 23 \\&\\& i == 17 ? vec3_of(\\1.x, \\1.y * "
                                "(real)1.0000001, \\1.z) : \\1, v.w)/; "
                                "s/node_store(i, after, \\(.*_next\\));/struct motion spoiled = after; "
                                "spoiled.v.y *= (real)(m->step >= 23 \\&\\& i == 17 ? 1.0000001 : 1); "
                                "node_store(i, spoiled, \\1);/' '%s'/mass_spring.h && "
                                "! cmp -s '" SOURCE_DIR "/kernels/mass_spring.h' '%s/mass_spring.h'",
                                folder, folder, folder);
    cr_assert_eq(system(command), 0, "the pattern of sed matches nothing in kernels/mass_spring.h; adapt it here");
    cr_assert_eq(setenv("SPRINGBACK_KERNELS", folder, 1), 0);
    free(command);
    free(folder);
}

static struct diff compare(const struct trace_data *a, const struct trace_data *b, const char *const *backends) {
    struct diff diff;
    cr_assert_eq(diff_traces(a, b, backends, &diff), STATUS_OK, "%s", failure_text());
    return diff;
}

static void expect_contrast(const struct contrasts *list, const char *name, const char *a, const char *b) {
    for (int i = 0; i < list->count; ++i)
        if (!strcmp(list->items[i].name, name)) {
            cr_expect_str_eq(list->items[i].of[0], a);
            cr_expect_str_eq(list->items[i].of[1], b);
            return;
        }
    cr_expect(false, "%s is not among the differences", name);
}

static void close_all(struct diff *diff, struct trace_data *a, struct trace_data *b) {
    diff_free(diff);
    trace_close(a);
    trace_close(b);
}

/* ---- Elements ---- */

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

Test(diff, steps_of_the_last_place) {
    cr_expect_eq(real_ulps(0x3f800000, 0x3f800001, 4), 1);
    cr_expect_eq(real_ulps(0x00000000, 0x80000000, 4), 1, "+0 and -0 must be 1 ulp apart");
    cr_expect_eq(real_ulps(0x00000001, 0x80000001, 4), 3,
                 "the smallest numbers of both signs must be 3 ulps apart, because both zeros lie between them");
    cr_expect_eq(real_ulps(bits_of(1), bits_of(nextafter(nextafter(1, 0), 0)), 8), 2);
    cr_expect_eq(real_ulps(bits_of(-INFINITY), bits_of(INFINITY), 8), 2 * bits_of(INFINITY) + 1);
}

Test(diff, nan_equals_nan_and_the_zeros_do_not) {
    float a[8] = {1, NAN, 0, 3, 5, 6, 7, 8}, b[8];
    const uint32_t other_nan = 0xffc12345;
    memcpy(b, a, sizeof b);
    memcpy(&b[1], &other_nan, sizeof other_nan);
    cr_expect_not(elements_differ(a, b, 2, 16, 4));
    b[2] = -0.0F;
    cr_expect(elements_differ(a, b, 2, 16, 4));
    struct difference difference = {.real_size = 4};
    difference_add(&difference, "q", a, b, 2, 16);
    cr_assert(difference.found && difference.element == 0 && difference.pair_count == 1);
    cr_expect_str_eq(difference.pairs[0].component, "z");
    b[2] = 0;
    b[6] = NAN;
    difference = (struct difference){.real_size = 4};
    difference_add(&difference, "q", a, b, 2, 16);
    cr_assert(difference.found && difference.element == 1 && difference.pair_count == 1);
    cr_expect(!difference.pairs[0].has_ulps && difference.pairs[0].bits[0] == 0x40e00000);
    /* The buffer `q` has no difference, so only the difference in the buffer `indices` is counted and reported. */
    int x[4] = {1, 2, 3, 4}, y[4] = {1, 9, 3, 4};
    difference = (struct difference){.real_size = 8};
    difference_add(&difference, "q", a, a, 2, 16);
    difference_add(&difference, "indices", x, y, 4, 4);
    cr_expect(difference.element == 1 && difference.buffer_count == 1 && difference.pairs[0].bits[1] == 9);
}

/* ---- Traces ---- */

Test(diff, equal_runs_on_two_backends_are_the_same) {
    struct trace_data a = run_into("a", "serial", NULL), b = run_into("b", "opencl", NULL);
    struct diff diff = compare(&a, &b, NULL);
    cr_expect(diff.same && !diff.again && diff.common == 5 && diff.work.count == 0);
    expect_contrast(&diff.environment, "backend", "serial", "opencl");
    diff_free(&diff);
    /* If backends are named, the runs are run again, and all frames are compared. */
    diff = compare(&a, &a, SET("threads:2", "opencl"));
    cr_expect(diff.same && diff.again && diff.depth == DEPTH_TRACES && diff.frame == 4 && !diff.stopped, "%s",
              diff.stopped);
    close_all(&diff, &a, &b);
}

static void expect_spoiled(const struct diff *diff, const char *kernel, int real_size) {
    cr_expect(diff->again && !diff->same && !diff->stopped, "%s", diff->stopped);
    cr_assert_eq(diff->depth, DEPTH_STAGE, "%d", diff->depth);
    cr_expect_eq(diff->frame, 3, "%d", diff->frame);
    cr_expect_eq(diff->step, 23, "%d", diff->step);
    cr_expect(diff->first_step == 20 && diff->steps == 10);
    cr_expect_str_eq(diff->kernel, kernel);
    const struct difference *difference = &diff->difference;
    cr_assert(difference->found);
    cr_expect_eq(difference->element, 17);
    cr_expect(difference->column == 5 && difference->row == 2, "%d %d", difference->column, difference->row);
    cr_expect_eq(difference->real_size, real_size);
    bool found = false;
    for (int p = 0; p < difference->pair_count; ++p) {
        const struct real_pair *pair = &difference->pairs[p];
        if (strcmp(pair->buffer, "velocity_next") != 0)
            continue;
        found = true;
        cr_expect_str_eq(pair->component, "y");
        cr_expect(pair->bits[0] != pair->bits[1] && pair->has_ulps && pair->ulps > 0);
        cr_expect_lt(fabs(pair->value[1] / pair->value[0] - 1.0000001), 1e-7);
    }
    cr_expect(found);
    for (int b = 0; b < difference->buffer_count; ++b)
        cr_expect_eq(difference->buffers[b].differing, 1, "%zu of %s", difference->buffers[b].differing,
                     difference->buffers[b].buffer);
}

Test(diff, one_changed_operation_is_found_to_the_element) {
    static const struct {
        const char *set, *kernel;
        int real_size, first_different, last_same;
    } cases[] = {{"record.every=1", "mass_spring_grid", 4, 3, 2},
                 {"record.every=4", "mass_spring_grid", 4, 4, 0},
                 {"record.every=0", "mass_spring_grid", 4, 4, 0},
                 {"neighbours=stored", "mass_spring_network", 4, 3, 2},
                 {"precision=double", "mass_spring_grid", 8, 3, 2}};
    spoil_kernels();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        char *name = text_format("a%zu", c);
        struct trace_data a = run_into(name, "serial", SET(cases[c].set)),
                          b = run_into(name, "opencl", SET(cases[c].set));
        struct diff diff = compare(&a, &b, NULL);
        cr_expect_eq(diff.work.count, 0);
        cr_expect_eq(diff.first_different, cases[c].first_different, "%s: %d", cases[c].set, diff.first_different);
        cr_expect_eq(diff.last_same, cases[c].last_same);
        cr_expect(diff.first_mismatch[0] < 0 && diff.first_mismatch[1] < 0);
        expect_spoiled(&diff, cases[c].kernel, cases[c].real_size);
        close_all(&diff, &a, &b);
        free(name);
    }
}

Test(diff, backends_that_are_named_are_compared_where_the_traces_are_equal) {
    struct trace_data a = run_into("a", "serial", NULL);
    spoil_kernels();
    struct diff diff = compare(&a, &a, SET("opencl", "threads:3"));
    cr_expect(diff.first_different < 0 && diff.first_mismatch[0] == 3 && diff.first_mismatch[1] < 0);
    cr_expect(diff.depth == DEPTH_STAGE && diff.frame == 3 && diff.step == 23 && diff.difference.element == 17);
    diff_free(&diff);
    struct diff bad;
    cr_expect_eq(diff_traces(&a, &a, SET("serial", "cuda"), &bad), STATUS_BAD);
    cr_expect(strstr(failure_text(), "unknown backend 'cuda'"), "%s", failure_text());
    failure_clear();
    diff_free(&bad);
    trace_close(&a);
}

Test(diff, what_does_not_show_again_is_said) {
    struct trace_data a = run_into("a", "serial", NULL);
    spoil_kernels();
    struct trace_data b = run_into("b", "opencl", NULL);
    unsetenv("SPRINGBACK_KERNELS");
    struct diff diff = compare(&a, &b, NULL);
    cr_expect(!diff.same && diff.first_different == 3 && diff.again);
    cr_expect(diff.depth == DEPTH_TRACES && diff.first_mismatch[0] < 0 && diff.first_mismatch[1] == 3);
    close_all(&diff, &a, &b);
}

Test(diff, a_kernel_that_does_not_compile_stops_the_search) {
    struct trace_data a = run_into("a", "serial", NULL);
    spoil_kernels();
    struct trace_data b = run_into("b", "opencl", NULL);
    cr_assert_eq(setenv("SPRINGBACK_KERNELS", "/nowhere", 1), 0);
    struct diff diff = compare(&a, &b, NULL);
    cr_expect(diff.depth == DEPTH_TRACES && diff.first_different == 3 && failure_count() == 0);
    cr_expect(diff.stopped && strstr(diff.stopped, "/nowhere"), "%s", diff.stopped);
    close_all(&diff, &a, &b);
}

Test(diff, unlike_work_is_told_parameter_by_parameter) {
    struct trace_data a = run_into("a", "serial", NULL),
                      b = run_into("b", "threads:2", SET("stiffness=120 N/m", "record.mesh_every=1"));
    struct diff diff = compare(&a, &b, NULL);
    cr_expect_not(diff.same);
    cr_expect_eq(diff.work.count, 2);
    expect_contrast(&diff.work, "method.stiffness", "100 N/m", "120 N/m");
    expect_contrast(&diff.work, "record.mesh_every", "0", "1");
    cr_expect(diff.last_same == 0 && diff.first_different == 1 && diff.depth == DEPTH_STAGE);
    cr_expect(diff.frame == 1 && diff.step == 0);
    close_all(&diff, &a, &b);
}

/* Change OpenCL's kernels for all later runs: from step 13 on, the rest length of edge 50 is slightly larger. */
static void spoil_an_edge(void) {
    char *folder = text_format("%s/kernels", home);
    char *command = text_format("cp -r '" SOURCE_DIR "/kernels' '%s' && sed -i 's/pair.rest = m->rest\\[c\\]/"
                                "pair.rest = m->rest[c] * (m->step >= 13 \\&\\& c == 50 ? (scalar)1.0001 : 1)/' "
                                "'%s'/pbd.h && ! cmp -s '" SOURCE_DIR "/kernels/pbd.h' '%s/pbd.h'",
                                folder, folder, folder);
    cr_assert_eq(system(command), 0, "the pattern of sed matches nothing in kernels/pbd.h; adapt it here");
    cr_assert_eq(setenv("SPRINGBACK_KERNELS", folder, 1), 0);
    free(command);
    free(folder);
}

/* The colour of an edge in the body of this experiment. */
static int colour_of(const char *text, int edge) {
    struct plan plan;
    struct model model;
    int colour = 0;
    plan_from_text(text, &plan);
    cr_assert_eq(model_describe(&plan.runs[0], &model), STATUS_OK, "%s", failure_text());
    const struct part *edges = &model.body.prepared.parts[PART_EDGES];
    cr_assert_gt(edges->count, edge);
    while (edges->start[colour + 1] <= edge)
        ++colour;
    model_free(&model);
    plan_free(&plan);
    return colour;
}

Test(diff, a_changed_constraint_is_found_to_its_colour) {
    static const char text[] = "springback: 1\npaper: test\ntitle: t\n"
                               "body: {mesh: " SOURCE_DIR "/tests/small_cube.off, node_mass: 1 kg}\n"
                               "method: {name: pbd_surface}\n"
                               "scene: {ground: {height: -0.6 m}}\n"
                               "time: {step: 1 ms, steps_per_frame: 5, frames: 4}\n";
    static const char *const overrides[] = {"launches", "one"};
    text_write(file, text);
    const int colour = colour_of(text, 50);
    cr_assert_gt(colour, 0, "the changed edge must not be in the first colour");
    struct trace_data a = run_into("a", "serial", NULL);
    spoil_an_edge();
    for (int w = 0; w < 2; ++w) {
        cr_assert_eq(setenv("SPRINGBACK_OPENCL", overrides[w], 1), 0);
        struct diff diff = compare(&a, &a, SET("serial", "opencl"));
        cr_expect_eq(diff.depth, DEPTH_STAGE, "%s: %s", overrides[w], diff.stopped ? diff.stopped : "");
        cr_expect(diff.frame == 3 && diff.step == 13, "%s: frame %d, step %d", overrides[w], diff.frame, diff.step);
        cr_expect_str_eq(diff.kernel, "pbd_edge");
        cr_expect_eq(diff.colour, colour, "%s: colour %d of %d", overrides[w], diff.colour, diff.colours);
        cr_expect(diff.difference.found && diff.difference.buffer_count == 1);
        cr_expect_str_eq(diff.difference.buffers[0].buffer, "predicted");
        cr_expect_leq(diff.difference.buffers[0].differing, 2, "an edge has two ends");
        diff_free(&diff);
    }
    unsetenv("SPRINGBACK_OPENCL");
    unsetenv("SPRINGBACK_KERNELS");
    trace_close(&a);
}

Test(diff, fewer_frames_are_not_the_same) {
    struct trace_data a = run_into("a", "serial", NULL), b = run_into("b", "serial", SET("frames=2"));
    struct diff diff = compare(&a, &b, NULL);
    cr_expect(!diff.same && diff.first_different < 0 && diff.common == 3 && diff.work.count == 1);
    close_all(&diff, &a, &b);
}

Test(diff, bodies_that_cannot_be_set_side_by_side_stop_the_search) {
    static const char *const sets[] = {"nodes=[7, 5]", "precision=double", "steps_per_frame=9"};
    struct trace_data a = run_into("a", "serial", NULL);
    for (size_t s = 0; s < sizeof sets / sizeof *sets; ++s) {
        struct trace_data b = run_into("b", "serial", SET(sets[s]));
        struct diff diff = compare(&a, &b, NULL);
        cr_expect(!diff.same && !diff.again && diff.stopped && strstr(diff.stopped, "cannot be compared"), "%s",
                  sets[s]);
        diff_free(&diff);
        trace_close(&b);
    }
    trace_close(&a);
}

Test(diff, runs_that_start_unlike_part_at_the_start) {
    struct trace_data a = run_into("a", "serial", NULL), b = run_into("b", "serial", SET("size=[1 m, 2 m]"));
    struct diff diff = compare(&a, &b, NULL);
    cr_expect(diff.depth == DEPTH_FRAME && diff.frame == 0 && diff.difference.found && diff.first_different == 0);
    cr_expect_eq(diff.difference.element, 6,
                 "element %zu; expected 6, the first of the second row, because only the distance of the rows differs",
                 diff.difference.element);
    close_all(&diff, &a, &b);
}

/* Replace a note of a trace by a value that another machine would have written. */
static void note_set(struct trace_data *trace, const char *name, const char *value) {
    for (int n = 0; n < trace->run_count; ++n)
        if (!strcmp(trace->run[n].name, name)) {
            trace->run[n].value = value;
            return;
        }
    cr_assert(false, "there is no note %s", name);
}

Test(diff, without_the_device_the_geometry_tells_what_it_can) {
    spoil_kernels();
    struct trace_data a = run_into("a", "serial", SET("record.mesh_every=1")),
                      b = run_into("b", "opencl", SET("record.mesh_every=1"));
    note_set(&b, "device", "A GPU of old");
    struct diff diff = compare(&a, &b, NULL);
    cr_expect(!diff.again && diff.depth == DEPTH_TRACES && diff.first_different == 3);
    cr_expect(diff.stopped && strstr(diff.stopped, "B ran on the device A GPU of old, which is not available"), "%s",
              diff.stopped);
    cr_expect_eq(diff.geometry_frame, 3);
    cr_assert(diff.difference.found);
    cr_expect_leq(diff.difference.element, 17, "at frame 3 the difference has spread from node 17 to its neighbours");
    cr_expect_eq(diff.difference.row, (int)diff.difference.element / 6);
    diff_free(&diff);
    /* If available backends are named, the runs are run again. */
    diff = compare(&a, &b, SET("serial", "opencl"));
    expect_spoiled(&diff, "mass_spring_grid", 4);
    close_all(&diff, &a, &b);
}

Test(diff, a_trace_of_another_version_is_not_run_again) {
    struct trace_data a = run_into("a", "serial", NULL), b = run_into("b", "serial", SET("damping=0.2 N s/m"));
    for (int p = 0; p < b.parameter_count; ++p)
        if (!strcmp(b.parameters[p].path, "method.stiffness"))
            b.parameters[p].value = "0.1 kN/m";
    struct diff diff = compare(&a, &b, NULL);
    cr_expect(!diff.again && diff.stopped && strstr(diff.stopped, "but this version writes 100 N/m"), "%s",
              diff.stopped);
    close_all(&diff, &a, &b);
}

Test(diff, runs_that_blow_up_have_equal_nans) {
    const char *const *set = SET("step=0.1 s", "frames=60", "steps_per_frame=1");
    struct trace_data a = run_into("a", "serial", set), b = run_into("b", "opencl", set);
    cr_expect_str_eq(trace_run_note(&a, "status"), "diverged");
    struct diff diff = compare(&a, &b, SET("serial", "opencl"));
    cr_expect(diff.same && diff.again && diff.depth == DEPTH_TRACES);
    close_all(&diff, &a, &b);
}
