/* The command run: the hashes of runs, which runs run again, and which files are left. */
#include "cli_fixture.h"

TestSuite(cli_run, .init = cli_begin, .fini = shell_end);

Test(cli_run, every_backend_ends_in_the_same_hash_and_json_says_all) {
    static const char *const backends[] = {"serial", "threads:3", "opencl"};
    static const struct {
        const char *key;
        json_type type;
    } keys[] = {{"id", JSON_STRING},      {"experiment", JSON_STRING}, {"paper", JSON_STRING},
                {"backend", JSON_STRING}, {"device", JSON_STRING},     {"bit_exact", JSON_TRUE},
                {"frames", JSON_INTEGER}, {"seconds", JSON_REAL},      {"state_hash", JSON_STRING},
                {"trace", JSON_STRING},   {"status", JSON_STRING},     {"up_to_date", JSON_FALSE}};
    vary("paper/all.yaml", "springback: 1", "springback: 1\nbackend: [serial, 'threads:3', opencl]");
    shell("\"$S\" run paper/all.yaml --out out --json");
    expect_code(0);
    cr_assert_eq(lines(said.out), 3, "%s", said.out);
    char *hash = NULL;
    for (int b = 0; b < 3; ++b) {
        json_t *run = object(b);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
            const json_t *value = json_object_get(run, keys[k].key);
            cr_expect(value && json_typeof(value) == keys[k].type, "%s of %s", keys[k].key, backends[b]);
        }
        cr_expect_str_eq(json_word(run, "backend"), backends[b]);
        cr_expect_str_eq(json_word(run, "experiment"), "paper/all");
        cr_expect_str_eq(json_word(run, "status"), "whole");
        cr_expect_eq(json_integer_value(json_object_get(run, "frames")), 4);
        cr_expect_gt(json_real_value(json_object_get(run, "seconds")), 0);
        cr_expect_eq(strlen(json_word(run, "state_hash")), DIGEST_SIZE - 1);
        cr_expect_eq(matching(json_word(run, "trace")), 1, "%s", json_word(run, "trace"));
        if (hash)
            cr_expect_str_eq(json_word(run, "state_hash"), hash, "%s", backends[b]);
        else
            hash = text_copy(json_word(run, "state_hash"));
        json_decref(run);
    }
    shell("\"$S\" run paper/all.yaml --out slower --json --set time.step=1.001ms --only backend=serial");
    json_t *run = object(0);
    cr_expect_str_neq(json_word(run, "state_hash"), hash, "the hash does not depend on the state");
    json_decref(run);
    free(hash);
}

/* The quantities of a grid are computed for several blocks of nodes at once (simulation.c). They must equal the
 * quantities of the same cloth with stored neighbours. The three cloths have many rows, long rows, or rows of two
 * nodes. */
Test(cli_run, a_grid_has_the_same_quantities_as_a_network) {
    text_write("paper/grid.yaml",
               "springback: 1\npaper: paper\ntitle: t\n"
               "body: {cloth: {nodes: [[211, 317], [9000, 2], [2, 9000]], springs: [structural, shear, bend],\n"
               "       neighbours: [index, stored]}, node_mass: 1 g}\n"
               "method: {name: mass_spring, stiffness: 10 N/m}\n"
               "time: {step: 1 ms, frames: 3}\nbackend: 'threads:2'\n");
    shell(
        "\"$S\" run -q paper/grid.yaml --out out >/dev/null && cd out/paper/grid && for f in *neighbours=index*; do "
        "\"$S\" export \"$f\" >a && \"$S\" export \"$(echo \"$f\" | sed s/index/stored/)\" >b && cmp a b && wc -l <b; "
        "done");
    expect_code(0);
    cr_expect_str_eq(said.out, "5\n5\n5\n");
}

/* The order of atomic sums is not defined, so the repeats of a timed run need not be bit-identical. The run must
 * succeed nevertheless. */
Test(cli_run, repeats_of_atomic_sums_may_part) {
    enum { SIDE = 40 };
    FILE *mesh = fopen("grid.off", "w");
    cr_assert_not_null(mesh);
    fprintf(mesh, "OFF\n%d %d 0\n", SIDE * SIDE, 2 * (SIDE - 1) * (SIDE - 1));
    for (int i = 0; i < SIDE * SIDE; ++i)
        fprintf(mesh, "0.0%02d -0.0%02d 0.000%d\n", i % SIDE, i / SIDE, i % 7);
    for (int r = 0; r + 1 < SIDE; ++r)
        for (int c = 0, i; c + 1 < SIDE; ++c) {
            i = r * SIDE + c;
            fprintf(mesh, "3 %d %d %d\n3 %d %d %d\n", i, i + SIDE, i + 1, i + 1, i + SIDE, i + SIDE + 1);
        }
    cr_assert_eq(fclose(mesh), 0);
    text_write("paper/atomic.yaml", "springback: 1\n"
                                    "body: {mesh: ./grid.off, surface: {pins: highest}, node_mass: 1 g}\n"
                                    "method: {name: mass_spring, stiffness: 10 N/m, variant: paper}\n"
                                    "time: {step: 0.1 ms, steps_per_frame: 20, frames: 5, repeats: 4}\n"
                                    "backend: opencl\n");
    shell("\"$S\" run paper/atomic.yaml --out out --json");
    expect_code(0);
    json_t *run = object(0);
    cr_expect_str_eq(json_word(run, "status"), "whole");
    cr_expect(json_is_false(json_object_get(run, "bit_exact")));
    json_decref(run);
}

/* --set precision=double runs all runs of a file in double precision, and all backends give the same state hash. */
Test(cli_run, double_precision_is_one_word_and_the_same_bits_everywhere) {
    vary("paper/all.yaml", "springback: 1", "springback: 1\nbackend: [serial, 'threads:3', opencl]");
    shell("\"$S\" run paper/all.yaml --out out --json --set precision=double && \"$S\" run paper/cloth.yaml --out out "
          "--json");
    expect_code(0);
    cr_assert_eq(lines(said.out), 4, "%s", said.out);
    json_t *runs[4];
    for (int b = 0; b < 4; ++b)
        runs[b] = object(b);
    const char *hash = json_word(runs[0], "state_hash");
    cr_expect_str_eq(json_word(runs[1], "state_hash"), hash);
    cr_expect_str_eq(json_word(runs[2], "state_hash"), hash);
    cr_expect_str_neq(json_word(runs[3], "state_hash"), hash, "the hash is that of single precision");
    for (int b = 0; b < 4; ++b)
        json_decref(runs[b]);
}

Test(cli_run, json_is_whole_whatever_bytes_a_folder_name_has) {
    shell("\"$S\" run paper/cloth.yaml --out out%c --json", 0xff);
    expect_code(0);
    json_t *run = object(0);
    cr_expect_str_eq(json_word(run, "trace"), "out?/paper/cloth/serial.h5");
    cr_expect_str_eq(json_word(run, "status"), "whole");
    json_decref(run);
}

Test(cli_run, what_is_up_to_date_is_left_alone) {
    const char *table = "out/paper/cloth/runs.tsv", *trace = "out/paper/cloth/serial.h5";
    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_code(0);
    expect_no_out("nothing to run");
    struct timespec first = changed_at(table), traced = changed_at(trace);

    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_code(0);
    expect_out("nothing to run: all 1 are up to date");
    cr_expect(same_time(first, changed_at(table)) && same_time(traced, changed_at(trace)));

    vary("paper/cloth.yaml", "title: A small cloth", "# a comment\ntitle: Another title");
    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_out("nothing to run");
    cr_expect(same_time(first, changed_at(table)) && same_time(traced, changed_at(trace)));

    vary("paper/cloth.yaml", "100 N/m", "0.1 kN/m"); /* another spelling of the same value */
    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_out("nothing to run");

    vary("paper/cloth.yaml", "100 N/m", "120 N/m");
    text_write("paper/cloth.yaml", cloth); /* changed back before the experiment ran */
    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_out("nothing to run");
    cr_expect(same_time(traced, changed_at(trace)));

    vary("paper/cloth.yaml", "100 N/m", "120 N/m");
    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_code(0);
    expect_no_out("nothing to run");
    struct timespec second = changed_at(trace);
    cr_expect_not(same_time(traced, second));

    text_write("paper/cloth.yaml", cloth); /* the existing trace was made with the other value */
    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_no_out("nothing to run");
    cr_expect_not(same_time(second, changed_at(trace)));

    shell("\"$S\" run paper/cloth.yaml --out out --force");
    expect_code(0);
    expect_no_out("nothing to run");
    cr_expect_not(same_time(first, changed_at(table)),
                  "the manifest must be written again, so that make updates the files that depend on it");

    text_write(trace, "no trace");
    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_code(0);
    expect_no_out("nothing to run");
    cr_assert_eq(unlink(trace), 0);
    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_code(0);
    expect_no_out("nothing to run");
    cr_expect_eq(matching(trace), 1);
}

Test(cli_run, a_part_of_a_plan_keeps_the_rows_of_the_rest) {
    const char *table = "out/paper/two/runs.tsv";
    vary("paper/two.yaml", "springback: 1", "springback: 1\nbackend: [serial, 'threads:2']");
    shell("\"$S\" run paper/two.yaml --out out");
    expect_code(0);
    shell("\"$S\" run paper/two.yaml --out out --only backend=serial --force");
    expect_code(0);
    expect_cell(table, "backend=serial", "status", "whole");
    expect_cell(table, "backend=threads.2", "status", "whole");
    /* The manifest has exactly the rows of the whole plan. */
    vary("paper/two.yaml", "springback: 1", "springback: 1\nbackend: [serial, 'threads:3']");
    shell("\"$S\" run paper/two.yaml --out out");
    char *text = text_read(table);
    cr_expect_eq(lines(text), 3, "%s", text);
    cr_expect_not(cell(text, "backend=threads.2", "status"));
    free(text);
}

Test(cli_run, what_belongs_to_an_earlier_plan_is_not_judged_with_the_rest) {
    vary("paper/two.yaml", "[6, 5]", "[[6, 5], [7, 5]]");
    shell("\"$S\" run paper/two.yaml --out out");
    expect_code(0);
    cr_assert_eq(shell("sed -i 's/100 N/200 N/' paper/two.yaml"), 0);
    shell("\"$S\" run paper/two.yaml --out out --only 'nodes=[6, 5]'");
    expect_code(0);
    char *text = text_read("out/paper/two/runs.tsv");
    cr_expect_eq(lines(text), 2, "the manifest must not have the run with 100 N/m:\n%s", text);
    free(text);
    /* If a process ends after its last trace, but before it writes the manifest, the earlier manifest remains. */
    cr_assert_eq(shell("\"$S\" run paper/two.yaml --out out && cp out/paper/two/runs.tsv kept && "
                       "sed -i 's/200 N/300 N/' paper/two.yaml && \"$S\" run paper/two.yaml --out out && "
                       "cp kept out/paper/two/runs.tsv"),
                 0, "%s", said.err);
    shell("\"$S\" export --format figure --out tables out/paper/two");
    expect_code(2);
    expect_err("out/paper/two/nodes=6x5.h5: this trace does not belong to runs.tsv");
    shell("\"$S\" run paper/two.yaml --out out && \"$S\" export --format figure --out tables out/paper/two");
    expect_code(0);
    expect_out("nothing to run");
    expect_cell("tables/summary.tsv", "nodes=7x5", "method.stiffness", "300 N/m");
}

Test(cli_run, a_damaged_trace_is_made_again) {
    shell("\"$S\" run paper/cloth.yaml --out out --json");
    expect_code(0);
    json_t *run = object(0);
    char *hash = text_copy(json_word(run, "state_hash"));
    json_decref(run);
    shell("LC_ALL=C sed -i \"s/%.8s/zzzzzzzz/\" out/paper/cloth/serial.h5", hash);
    /* If a file is damaged, HDF5 does not free everything that it has read. */
    shell("ASAN_OPTIONS=detect_leaks=0 \"$S\" run paper/cloth.yaml --out out --json");
    expect_code(0);
    run = object(0);
    cr_expect_str_eq(json_word(run, "status"), "whole");
    cr_expect_str_eq(json_word(run, "state_hash"), hash);
    cr_expect_not(json_is_true(json_object_get(run, "up_to_date")));
    json_decref(run);
    free(hash);
}

Test(cli_run, a_backend_that_is_asked_for_has_a_result_of_its_own) {
    shell("\"$S\" run paper/cloth.yaml --out out -b serial && \"$S\" run paper/cloth.yaml --out out -b threads:2");
    expect_code(0);
    expect_cell("out/paper/cloth/runs.tsv", "backend=serial", "status", "whole");
    expect_cell("out/paper/cloth/runs.tsv", "backend=threads.2", "status", "whole");
    vary("paper/two.yaml", "springback: 1", "springback: 1\nbackend: [serial, 'threads:2']");
    shell("\"$S\" run paper/two.yaml --out out && \"$S\" run paper/two.yaml --out out -b serial");
    expect_code(0);
    expect_out("nothing to run: all 1 are up to date");
}

/* A missing device is skipped. A wrong word in SPRINGBACK_OPENCL is an error. */
Test(cli_run, a_wrong_word_of_the_environment_is_no_missing_device) {
    vary("paper/device.yaml", "springback: 1", "springback: 1\nbackend: opencl");
    shell("SPRINGBACK_OPENCL=lunches \"$S\" run paper/device.yaml --out out");
    expect_code(2);
    expect_err("SPRINGBACK_OPENCL has the unknown word 'lunches'; its words are launches");
    cr_expect_not(matching("out"));
}

Test(cli_run, two_runs_into_one_folder_wait_for_each_other) {
    vary("paper/two.yaml", "[6, 5]", "[[6, 5], [7, 5]]");
    shell("\"$S\" run -q paper/two.yaml --out out --only 'nodes=[6, 5]' & first=$!; "
          "\"$S\" run -q paper/two.yaml --out out --only 'nodes=[7, 5]' && wait $first");
    expect_code(0);
    expect_cell("out/paper/two/runs.tsv", "nodes=6x5", "status", "whole");
    expect_cell("out/paper/two/runs.tsv", "nodes=7x5", "status", "whole");
    shell("\"$S\" run paper/two.yaml --out other >a & first=$!; \"$S\" run paper/two.yaml --out other >b && "
          "wait $first && cat a b");
    expect_code(0);
    expect_out("nothing to run: all 2 are up to date");
}

Test(cli_run, what_follows_a_blow_up_is_not_timed) {
    vary("paper/stiff.yaml", "time: {step: 1 ms, steps_per_frame: 10, frames: 4}",
         "time: {step: 0.1 s, steps_per_frame: 1, frames: 400, repeats: 3}");
    shell("\"$S\" run paper/stiff.yaml --out out --json && \"$S\" export --format figure --out tables out/paper/stiff");
    expect_code(0);
    json_t *run = object(0);
    cr_expect_str_eq(json_word(run, "status"), "diverged");
    char *frames = text_format("%d", (int)json_integer_value(json_object_get(run, "frames")));
    char *samples = text_format("%d", 3 * (int)json_integer_value(json_object_get(run, "frames")));
    json_decref(run);
    expect_cell("tables/summary.tsv", "serial", "samples", samples);
    expect_cell("tables/summary.tsv", "serial", "diverged_frame", frames);
    free(frames);
    free(samples);
}

Test(cli_run, a_timed_run_has_every_sample) {
    vary("paper/timed.yaml", "frames: 4", "frames: 4, repeats: 2");
    shell("\"$S\" run paper/timed.yaml --out out && \"$S\" export --format figure --out tables out/paper/timed");
    expect_code(0);
    expect_cell("tables/summary.tsv", "serial", "samples", "8");
    expect_cell("tables/summary.tsv", "serial", "outcome", "whole");
    expect_cell("tables/summary.tsv", "serial", "method.stiffness", "100 N/m");
    char *text = text_read("tables/summary.tsv"), *end;
    const char *seconds = cell(text, "serial", "frame_seconds");
    cr_assert_not_null(seconds);
    cr_expect(strtod(seconds, &end) > 0 && !*end, "%s", seconds);
    free(text);
    cr_expect_eq(matching("tables/context.gp"), 1);
    text = text_read("tables/serial.tsv");
    cr_expect_eq(lines(text), 6, "a line of names, frame 0 and four more:\n%s", text);
    free(text);
}

Test(cli_run, twins_of_an_interrupted_run_do_not_remain) {
    cr_assert_eq(shell("mkdir -p out/paper/cloth && echo rest >out/paper/cloth/serial.h5.part"), 0);
    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_code(0);
    cr_expect_eq(matching("out/*/*/*.part"), 0);
    cr_expect_eq(matching("out/*/*/*"), 2);
    /* A run that is killed leaves no trace under its final name, and no manifest. */
    vary("paper/long.yaml", "frames: 4", "frames: 10000000");
    shell("\"$S\" run paper/long.yaml --out out --set record.every=0 & pid=$!; "
          "while [ ! -e out/paper/long/serial.h5.part ]; do kill -0 $pid || exit 1; sleep 0.01; done; "
          "kill -9 $pid; wait $pid");
    expect_code(137);
    cr_expect_eq(matching("out/paper/long/serial.h5") + matching("out/paper/long/runs.tsv"), 0);
    vary("paper/long.yaml", "frames: 4", "frames: 5");
    shell("\"$S\" run paper/long.yaml --out out");
    expect_code(0);
    cr_expect_eq(matching("out/paper/long/serial.h5"), 1);
    cr_expect_eq(matching("out/*/*/*.part"), 0);
}

Test(cli_run, an_instability_is_a_result) {
    vary("paper/stiff.yaml", "time: {step: 1 ms, steps_per_frame: 10, frames: 4}",
         "time: {step: 0.1 s, steps_per_frame: 1, frames: 400}");
    shell("\"$S\" run paper/stiff.yaml --out out --json");
    expect_code(0);
    json_t *run = object(0);
    cr_expect_str_eq(json_word(run, "status"), "diverged");
    const int frames = (int)json_integer_value(json_object_get(run, "frames"));
    cr_expect(frames > 1 && frames < 400, "%d", frames);
    json_decref(run);
    expect_cell("out/paper/stiff/runs.tsv", "serial", "status", "diverged");
    shell("\"$S\" export out/paper/stiff/serial.h5");
    expect_code(0);
    cr_expect_eq(lines(said.out), frames + 2, "a line of names, and frames 0 to %d:\n%s", frames, said.out);
    char *last = text_format("\n%d\t", frames);
    expect_out(last);
    free(last);
    shell("\"$S\" run paper/stiff.yaml --out out --json"); /* the same status is read from the trace */
    run = object(0);
    cr_expect_str_eq(json_word(run, "status"), "diverged");
    cr_expect(json_is_true(json_object_get(run, "up_to_date")));
    cr_expect_eq(json_integer_value(json_object_get(run, "frames")), frames);
    json_decref(run);
}

/* The trace has the key of the planned run, but lacks the hashes of its frames. */
Test(cli_run, a_trace_that_is_damaged_behind_its_key_is_made_again) {
    const char *trace = "out/paper/cloth/serial.h5";
    cr_assert_eq(shell("\"$S\" run paper/cloth.yaml --out out"), 0);
    hid_t file = store_open(trace, H5F_ACC_RDWR);
    cr_assert(file >= 0 && H5Ldelete(file, "/frames/hash", H5P_DEFAULT) >= 0);
    cr_assert_eq(store_close(file, trace, "test"), STATUS_OK);
    shell("\"$S\" plan paper/cloth.yaml --out out");
    expect_code(0);
    expect_out("would run: the trace is damaged; about ");
    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_code(0);
    expect_no_out("nothing to run");
    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_out("nothing to run");
}
