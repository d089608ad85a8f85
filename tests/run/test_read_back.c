/* time.read_back: the positions are read back in each timed frame, and this changes no bit. */
#include "same_trace.h"
#include "shell.h"

static const char cloth[] = "springback: 1\npaper: t\ntitle: A cloth that is read back\n"
                            "body: {cloth: {nodes: [9, 7], pins: corners}, node_mass: 1 kg}\n"
                            "method: {name: mass_spring, stiffness: 100 N/m, damping: 0.1 N s/m}\n"
                            "time: {step: 1 ms, steps_per_frame: 7, frames: 6, repeats: 3, read_back: %s}\n"
                            "record: {mesh_every: 3}\nbackend: [%s]\n";

TestSuite(read_back, .init = shell_begin, .fini = shell_end);

static void open_trace(const char *read_back, const char *backend, struct trace_data *out) {
    char *path = text_format("out/t/cloth/read_back=%s,backend=%s.trace-1.vtkhdf", read_back, backend);
    cr_assert_eq(trace_open(path, out), STATUS_OK, "%s", failure_text());
    free(path);
}

Test(read_back, states_and_hashes_are_the_same_with_and_without) {
    static const char *const backends[] = {"serial", "threads.2", "opencl"};
    char *text = text_format(cloth, "[none, positions]", "serial, 'threads:2', opencl");
    cr_assert_eq(shell("mkdir t"), 0);
    text_write("t/cloth.yaml", text);
    free(text);
    shell("\"$S\" run -q --inexact t/cloth.yaml --out out");
    cr_assert_eq(said.code, 0, "%s", said.err);
    struct trace_data serial, without, with;
    open_trace("none", "serial", &serial);
    for (size_t b = 0; b < sizeof backends / sizeof *backends; ++b) {
        open_trace("none", backends[b], &without);
        open_trace("positions", backends[b], &with);
        const char *difference = trace_difference(&with, &without);
        cr_expect_null(difference, "%s: %s", backends[b], difference);
        difference = trace_difference(&with, &serial);
        cr_expect_null(difference, "%s: %s", backends[b], difference);
        /* The runs are timed alternately, and each has all its samples. */
        cr_expect_str_eq(trace_run_note(&with, "group"), trace_run_note(&serial, "group"));
        cr_expect_eq(with.repeats, 3);
        for (int k = 0; k < with.repeats * with.timed_frames; ++k)
            cr_expect(with.frame_seconds[k] > 0);
        cr_expect_str_eq(trace_parameter_text(&with, "time.read_back"), "positions");
        trace_close(&without);
        trace_close(&with);
    }
    trace_close(&serial);
    /* time.read_back can have a list of values, and claims can select runs by its value and compare its values. */
    text_write(
        "claims.yaml",
        "springback: 1\npaper: t\nclaims:\n"
        "  - {id: t.a, says: x, kind: order, from: {experiment: t/cloth, select: {backend: opencl}, quantity: "
        "nodes, compare: time.read_back}, expect: none = positions, recorded: matches}\n"
        "  - {id: t.b, says: x, kind: ratio, from: {experiment: t/cloth, select: {backend: serial}, quantity: "
        "frames_per_second, statistic: lee2022, numerator: {time.read_back: none}, denominator: {time.read_back: "
        "positions}}, reported: 1, tolerance: {relative: 100000 %}, why: x, recorded: within tolerance}\n");
    shell("\"$S\" check claims.yaml --out out --json");
    cr_expect_neq(said.code, 2, "%s", said.err);
    expect_out("\"id\":\"t.a\",\"paper\":\"t\"");
    expect_out("By lee2022's protocol (section 4.2), with equations (12) and (13) corrected: 15 samples, one at the "
               "end of each of 15 equal parts of a test, which lasts ");
    expect_out(" of 3 tests (paper: 15), all are averaged. By the median of all frames, with its 95 % interval: ");
    shell("\"$S\" export --format figure --out tables out/t/cloth && head -1 tables/summary.tsv");
    expect_code(0);
    expect_out("\tlee2022_frames_per_second\tlee2022_samples\tkinetic_energy_min\t");
    expect_out("\tcentre_x_min\t");
}

Test(read_back, the_positions_are_those_of_the_frame) {
    struct plan plan;
    struct model model;
    const struct state *state;
    char *text = text_format(cloth, "positions", "serial");
    plan_from_text(text, &plan);
    free(text);
    cr_assert_eq(model_describe(&plan.runs[0], &model), STATUS_OK, "%s", failure_text());
    cr_assert_eq(model_build(&model), STATUS_OK);
    const size_t bytes = 3 * sizeof(float) * (size_t)model.body.nodes;
    struct simulation *a = simulation_on(&model, "serial"), *b = simulation_on(&model, "serial");
    cr_assert_eq(simulation_observe(b, false, &state), STATUS_OK);
    cr_assert(simulation_advance(b) == STATUS_OK && simulation_read_back(b) == STATUS_OK);
    const struct state *expected = state_after(a, 1);
    state = simulation_state(b, false);
    cr_expect(!memcmp(state->position, expected->position, bytes), "the positions are those of an earlier frame");
    /* After simulation_read_back, simulation_observe still reads the complete state. */
    cr_assert_eq(simulation_observe(b, false, &state), STATUS_OK);
    cr_expect_str_eq(state->hash, expected->hash);
    simulation_close(a);
    simulation_close(b);
    model_free(&model);
    plan_free(&plan);
}

Test(read_back, what_is_not_known_is_refused) {
    char *text = text_format(cloth, "velocities", "serial");
    text_write("cloth.yaml", text);
    free(text);
    shell("\"$S\" run cloth.yaml --out out");
    expect_code(2);
    expect_err("cloth.yaml:6:74: time.read_back: \"velocities\" is not known; it must be one of: none positions");
    cr_expect_eq(matching("out"), 0);
}
