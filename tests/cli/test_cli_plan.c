/* The commands plan (which runs would run), clean (files that are left over), list (experiments) and devices. */
#include "cli_fixture.h"

TestSuite(cli_plan, .init = cli_begin, .fini = shell_end);

Test(cli_plan, plan_says_what_would_run_and_runs_nothing) {
    vary("paper/swept.yaml", "100 N/m", "[100 N/m, 200 N/m]");
    shell("printf 'assumptions:\\n  scene.gravity: {value: [0, -9.81 m/s^2, 0], likely: [[0, -10 m/s^2, 0], [0, -9 "
          "m/s^2, 0]], why: the paper is silent}\\n' "
          ">>paper/swept.yaml && \"$S\" plan paper/swept.yaml");
    expect_code(0);
    expect_out("paper/swept: A small cloth\n");
    expect_out("scene.gravity = 0 -9.81 0 m/s^2");
    expect_out("the paper is silent");
    expect_out("2 runs:");
    expect_out("stiffness=100\n");
    expect_out("stiffness=200\n        30 nodes, 127 springs, 4 frames of 10 steps\n");
    expect_out("would run: no trace yet; about ");
    expect_out("  2 would run; this would take about ");
    shell("\"$S\" plan paper/swept.yaml --only 'stiffness=200 N/m' --set time.frames=7");
    expect_code(0);
    expect_no_out("stiffness=100 ");
    expect_out("7 frames of 10 steps");
    cr_expect_not(matching("out"));
}

/* Replace a note (a named text) in a group of a trace. */
static void note_write(const char *path, const char *group, const char *note, const char *text) {
    hid_t file = store_open(path, H5F_ACC_RDWR);
    cr_assert(file >= 0, "%s", path);
    hid_t opened = H5Gopen2(file, group, H5P_DEFAULT);
    cr_assert(opened >= 0 && store_text_write(opened, note, text));
    store_release(&opened);
    cr_assert_eq(store_close(file, path, "test"), STATUS_OK);
}

Test(cli_plan, plan_says_of_each_run_why_it_would_run) {
    const char *trace = "out/paper/cloth/serial.h5";
    cr_assert_eq(shell("\"$S\" run paper/cloth.yaml --out out"), 0);
    shell("\"$S\" plan paper/cloth.yaml --out out");
    expect_code(0);
    expect_out("        up to date\n  0 would run; 1 up to date\n");
    shell("\"$S\" plan paper/cloth.yaml --out out --set 'method.stiffness=120 N/m' --set time.frames=7");
    expect_out("would run: time.frames was 4, is 7; method.stiffness was 100 N/m, is 120 N/m; about ");
    /* A change of the kernels' files outdates a run on opencl, but not a run on serial, because serial runs the kernels
     * that were compiled into the program. */
    cr_assert_eq(shell("\"$S\" run paper/cloth.yaml --out other -b opencl && cp -r '" SOURCE_DIR "/kernels' k"), 0);
    shell("sed -i '$a int more;' k/mass_spring.h && export SPRINGBACK_KERNELS=k && "
          "\"$S\" plan paper/cloth.yaml --out other -b opencl && \"$S\" plan paper/cloth.yaml --out out");
    expect_out("would run: the kernels changed; about ");
    expect_out("  0 would run; 1 up to date\n");
    shell("sed -i '$d' k/mass_spring.h && echo '// a comment' >>k/mass_spring.h && "
          "SPRINGBACK_KERNELS=k \"$S\" plan paper/cloth.yaml --out other -b opencl");
    expect_out("up to date");

    cr_assert_eq(shell("cp %s whole.h5", trace), 0);
    static const struct {
        const char *group, *note, *text, *said;
    } notes[] = {
        {"/provenance", "springback", "0.0.9", "springback's version was 0.0.9, is "},
        {"/provenance", "generation", "0", "the generation of traces was 0, is 2;"},
        {"/provenance", "method_code", "old", "the code outside the backend changed; about "},
        {"/provenance", "backend_code", "old", "the backend's code changed; about "},
        {"/provenance", "driver", "a cart", "the driver was a cart, is "},
        {"/provenance", "device", "an abacus", "the device was an abacus, is "},
        {"/run", "title", "another", "the trace was made from other inputs"},
    };
    for (size_t n = 0; n < sizeof notes / sizeof *notes; ++n) {
        cr_assert_eq(shell("cp whole.h5 %s", trace), 0);
        note_write(trace, notes[n].group, notes[n].note, notes[n].text);
        note_write(trace, "/run", "key", "another");
        shell("\"$S\" plan paper/cloth.yaml --out out");
        expect_code(0);
        expect_out(notes[n].said);
    }
    hid_t file = store_open(trace, H5F_ACC_RDWR);
    cr_assert(store_number_write(file, "springback_trace", 99));
    cr_assert_eq(store_close(file, trace, "test"), STATUS_OK);
    shell("\"$S\" plan paper/cloth.yaml --out out");
    expect_out("would run: the trace has the layout of another version of springback; about ");
    shell("echo rest >%s; \"$S\" plan paper/cloth.yaml --out out", trace);
    expect_out("would run: the file in the trace's place is not a trace; about ");
    shell("head -c 9000 whole.h5 >%s; \"$S\" plan paper/cloth.yaml --out out", trace);
    expect_out("would run: the trace is damaged; about ");
    cr_expect_eq(*said.err, 0, "%s", said.err);
}

/* The number of threads changes no result, but it changes timings. */
Test(cli_plan, a_number_of_threads_makes_only_timed_runs_again) {
    vary("paper/timed.yaml", "frames: 4", "frames: 4, repeats: 1");
    cr_assert_eq(shell("export OMP_NUM_THREADS=1; for e in cloth timed; do "
                       "\"$S\" run paper/$e.yaml -b threads --out out; done"),
                 0);
    shell("OMP_NUM_THREADS=2 \"$S\" plan paper/cloth.yaml -b threads --out out");
    expect_out("  0 would run; 1 up to date\n");
    shell("OMP_NUM_THREADS=2 \"$S\" plan paper/timed.yaml -b threads --out out");
    expect_out("would run: the device was ");
    expect_out(", 1 thread, is ");
    shell("OMP_NUM_THREADS=1 \"$S\" plan paper/timed.yaml -b threads --out out");
    expect_out("  0 would run; 1 up to date\n");
    note_write("out/paper/cloth/backend=threads.h5", "/provenance", "cpu", "an abacus");
    note_write("out/paper/cloth/backend=threads.h5", "/run", "key", "another");
    shell("\"$S\" plan paper/cloth.yaml -b threads --out out");
    expect_out("would run: the device was an abacus, is ");
}

Test(cli_plan, timed_runs_are_planned_as_they_are_run_together) {
    vary("paper/timed.yaml", "frames: 4", "frames: 4, repeats: 2");
    text_write("more", "backend: [serial, 'threads:2']\n");
    cr_assert_eq(shell("cat more >>paper/timed.yaml && \"$S\" run paper/timed.yaml --out out"), 0);
    shell("\"$S\" plan paper/timed.yaml --out out");
    expect_out("  0 would run; 2 up to date\n");
    note_write("out/paper/timed/backend=serial.h5", "/provenance", "driver", "a cart");
    note_write("out/paper/timed/backend=serial.h5", "/run", "key", "another");
    shell("\"$S\" plan paper/timed.yaml --out out");
    expect_out("would run: the driver was a cart, is ");
    expect_out("would run: it is timed together with backend=serial, which must run; about ");
    expect_out("  2 would run; this would take about ");
    shell("\"$S\" run paper/timed.yaml --out out --json");
    for (int r = 0; r < 2; ++r) {
        json_t *run = object(r);
        cr_expect(json_is_false(json_object_get(run, "up_to_date")));
        json_decref(run);
    }
}

Test(cli_plan, plan_forecasts_from_what_runs_took) {
    shell("\"$S\" plan paper/cloth.yaml --out out");
    expect_out(", a rough guess; about 33.2 KiB of disk\n");
    expect_out(" (rough) and about 33.2 KiB of disk\n");
    cr_assert_eq(shell("\"$S\" run paper/cloth.yaml --out out"), 0);
    note_write("out/paper/cloth/serial.h5", "/run", "seconds", "10");
    shell("\"$S\" plan paper/cloth.yaml --out out --set 'method.stiffness=120 N/m'");
    expect_out("; about 10 s, as measured before; about 33.2 KiB of disk\n"
               "  1 would run; this would take about 10 s and about 33.2 KiB of disk\n");
    shell("\"$S\" plan paper/cloth.yaml --out out --set time.frames=8");
    expect_out("; about 20 s, as measured before; about 33.9 KiB of disk\n");
    vary("paper/other.yaml", "[6, 5]", "[12, 15]");
    /* The trace of paper/cloth says that the run took 10 s. paper/other has 180 nodes and 947 springs, paper/cloth 30
     * nodes and 127 springs. The forecast is 10 s times (180 + 947) / (30 + 127) = 72 s. With 30 repeats, the forecast
     * is 30 times as long. */
    shell("\"$S\" plan paper/other.yaml --out out --set time.repeats=30");
    expect_out("no trace yet; about 35 min 54 s, from a similar run; about 35.1 KiB of disk\n");
    shell("\"$S\" plan paper/cloth.yaml paper/other.yaml --out out");
    expect_out(
        "all 2 experiments:\n  1 would run; this would take about 72 s and about 33.2 KiB of disk; 1 up to date\n");
    shell("\"$S\" plan paper/other.yaml --out out -b threads:2");
    expect_out(", a rough guess; about 33.2 KiB of disk\n");
}

Test(cli_plan, plan_tells_what_run_would_refuse) {
    vary("paper/bad.yaml", "springback: 1", "springback: 1\nbackend: [serial, 'threads:5000', 'opencl:99']");
    shell("\"$S\" plan paper/bad.yaml --out out");
    expect_code(2);
    expect_out("would be refused: ");
    expect_out("would be missing: backend opencl:99: there is no OpenCL device 99 here");
    expect_out("  1 would run; this would take about ");
    expect_out("; 1 missing; 1 refused\n");
    expect_err("threads:5000");
    shell("\"$S\" plan paper/cloth.yaml -b opencl:99 --out out");
    expect_code(2);
    expect_err("there is no OpenCL device 99 here");
    cr_expect_not(matching("out"));
}

/* ---- Files that are left over ---- */

/* Make files that are left over. Run an experiment, change one of its stiffnesses, and run it again. Delete the file of
 * another experiment. Add an incomplete file and files of the user. */
static void leave_over(void) {
    vary("paper/two.yaml", "100 N/m", "[100 N/m, 200 N/m]");
    vary("paper/gone.yaml", "frames: 4", "frames: 3");
    /* The index leaves out a trace that was changed less than 0.05 s ago; therefore the command sleeps. */
    cr_assert_eq(shell("\"$S\" run paper/two.yaml paper/gone.yaml paper/cloth.yaml --out out && sleep 0.2 && "
                       "\"$S\" export --format figure --out out/paper/two out/paper/two && "
                       "\"$S\" export --format figure --out out/paper/gone out/paper/gone"),
                 0, "%s", said.err);
    vary("paper/two.yaml", "100 N/m", "[100 N/m, 300 N/m]");
    cr_assert_eq(shell("\"$S\" run paper/two.yaml --out out && rm paper/gone.yaml && cd out/paper/two && "
                       "cp stiffness=100.h5 mine.h5 && echo mine >mine.tsv && echo mine >notes.h5 && mkdir deep.h5 && "
                       "ln -s stiffness=100.h5 link.h5 && echo rest >stiffness=300.h5.part && "
                       "echo twin >runs.tsv.4711.part && touch -d '1 hour ago' runs.tsv.4711.part && "
                       "echo new >runs.tsv.4712.part && mkdir ../../else && cp -r ../gone ../../else/"),
                 0, "%s", said.err);
}

static void expect_kept(void) {
    static const char *const kept[] = {"two/stiffness=100.h5", "two/stiffness=300.h5", "two/stiffness=100.tsv",
                                       "two/runs.tsv",         "two/summary.tsv",      "two/traces.index",
                                       "two/mine.h5",          "two/mine.tsv",         "two/notes.h5",
                                       "two/deep.h5",          "two/link.h5",          "two/runs.tsv.4712.part",
                                       "cloth/serial.h5",      "cloth/runs.tsv",       "../else/gone/serial.h5"};
    for (size_t k = 0; k < sizeof kept / sizeof *kept; ++k) {
        char *path = text_format("out/paper/%s", kept[k]);
        cr_expect_eq(matching(path), 1, "%s is gone\n%s", path, said.out);
        free(path);
    }
}

Test(cli_plan, clean_removes_what_is_left_over_and_nothing_else) {
    static const char *const stale[] = {"two/stiffness=200.h5",
                                        "two/stiffness=200.tsv",
                                        "two/stiffness=300.h5.part",
                                        "two/runs.tsv.4711.part",
                                        "gone/serial.h5",
                                        "gone/serial.tsv",
                                        "gone/runs.tsv",
                                        "gone/summary.tsv",
                                        "gone/context.gp",
                                        "gone/traces.index",
                                        "gone/.lock"};
    enum { STALE = sizeof stale / sizeof *stale };
    leave_over();
    shell("\"$S\" plan paper/two.yaml --out out");
    expect_out("  left over: 11 files, ");
    expect_out(" (--stale names them all, `springback clean` removes leftover files)\n");
    expect_no_out("stiffness=200.h5");
    shell("\"$S\" plan paper/two.yaml --out out --stale --only 'stiffness=100 N/m'");
    for (size_t s = 0; s < STALE; ++s)
        expect_out(stale[s]);
    cr_expect_eq(matching("out/paper/gone/*"), 6);
    expect_out("stiffness=200.h5  (no row of the manifest names it, ");

    shell("\"$S\" clean paper/*.yaml --out out --dry-run");
    expect_code(0);
    cr_expect_eq(lines(said.out), STALE + 1, "%s", said.out);
    cr_expect_eq(matching("out/paper/gone/*") + matching("out/paper/two/stiffness=200*"), 6 + 2);
    expect_kept();

    shell("\"$S\" clean paper/*.yaml --out out");
    expect_code(0);
    for (size_t s = 0; s < STALE; ++s) {
        char *path = text_format("out/paper/%s", stale[s]), *line = text_format("removed %s: ", path);
        cr_expect_not(matching(path), "%s is still there", path);
        expect_out(line);
        free(line);
        free(path);
    }
    expect_out("removed out/paper/gone: its experiment's file no longer exists\n");
    expect_out("\n11 files, ");
    cr_expect_not(matching("out/paper/gone"));
    expect_kept();
    shell("\"$S\" clean paper/*.yaml --out out");
    expect_code(0);
    cr_expect_str_eq(said.out, "nothing is left over\n");
    shell("\"$S\" run paper/*.yaml --out out && \"$S\" plan paper/two.yaml --out out");
    expect_out("  0 would run; 2 up to date\n");
    expect_no_out("left over");
}

Test(cli_plan, clean_keeps_what_can_be_resumed_and_what_is_being_written) {
    vary("paper/long.yaml", "frames: 4", "frames: 10000000");
    const char *part = "out/paper/long/serial.h5.part";
    /* Wait until the run can be resumed from a copy of the folder, then clean the folder and kill the run. The copy is
     * needed because `plan` and `clean` leave out a folder in which a run is in progress. */
    shell("\"$S\" run paper/long.yaml --out out --set record.every=1000 & pid=$!; "
          "sed -i 's/every: 1/every: 1000/' paper/long.yaml; "
          "until [ -e %s ] && cp -r out copy && \"$S\" plan paper/long.yaml --out copy | grep -q 'can be resumed'; do "
          "kill -0 $pid || exit 1; rm -rf copy; sleep 0.05; done; "
          "\"$S\" clean paper/long.yaml --out out --parts; kill -9 $pid; wait $pid",
          part);
    expect_code(137);
    cr_expect_str_eq(said.out, "paper/long: A small cloth, 1 runs\nnothing is left over\n");
    cr_assert_eq(matching(part), 1);
    shell("\"$S\" plan paper/long.yaml --out out");
    expect_out("  left over: 1 file, ");
    expect_out("; runs or sweeps can be resumed from 1 of these files, which `clean` removes only with --parts (");
    shell("\"$S\" clean paper/long.yaml --out out");
    expect_code(0);
    expect_out(
        "kept out/paper/long/serial.h5.part: an interrupted run or sweep can be resumed from it; --parts removes it\n");
    cr_assert_eq(matching(part), 1);
    shell("sed 's/100 N/101 N/' paper/long.yaml >paper/new.yaml; mv out/paper/long out/paper/new; "
          "\"$S\" clean paper/new.yaml --out out --dry-run");
    expect_out("would remove out/paper/new/serial.h5.part: its run was interrupted\n"); /* the planned run has another
                                                                                           stiffness, so it cannot
                                                                                           resume from this file */
    shell("mv out/paper/new out/paper/long; \"$S\" clean paper/long.yaml --out out --parts");
    expect_code(0);
    expect_out("removed out/paper/long/serial.h5.part: its run was interrupted\n");
    cr_expect_not(matching(part));
}

Test(cli_plan, clean_removes_nothing_where_anything_is_wrong) {
    leave_over();
    vary("paper/bad.yaml", "1 ms", "1 kg");
    shell("\"$S\" clean paper/two.yaml paper/bad.yaml --out out");
    expect_code(2);
    expect_err("paper/bad.yaml:8:14: ");
    cr_expect_eq(matching("out/paper/two/stiffness=200.h5"), 1);
    shell("rm paper/bad.yaml; echo rows >out/paper/gone/runs.tsv; \"$S\" clean paper/two.yaml --out out");
    expect_code(2);
    expect_err("out/paper/gone/runs.tsv:1:1: this is not a manifest");
    cr_expect_eq(matching("out/paper/two/stiffness=200.h5"), 1);
    shell("\"$S\" clean paper/two.yaml --out nowhere");
    expect_code(0);
    cr_expect_str_eq(said.out, "nothing is left over\n");
}

Test(cli_plan, list_names_what_is_there_and_what_is_wrong_with_it) {
    cr_assert_eq(shell("mkdir -p experiments && cp -r paper experiments/"), 0);
    shell("\"$S\" list");
    expect_code(0);
    expect_out("paper/cloth ");
    expect_out("   1 runs  A small cloth");
    cr_assert_eq(shell("mkdir -p figures/paper"), 0);
    text_write("figures/paper/fig1.gp", "load \"figures/paper/rows.inc\"\n");
    text_write("figures/paper/fig2.gp", "plot here.\"/other/summary.tsv\", \"cloth\", here.\"/cloths/x.tsv\"\n");
    text_write("figures/paper/rows.inc", "table = here.'/cloth|length'; load 'figures/paper/rows.inc'\n");
    shell("\"$S\" list");
    expect_out("A small cloth (fig1)\n");
    shell("\"$S\" list --make");
    expect_out("reads:figures/paper/fig1.gp:experiments/paper/cloth.yaml\n");
    expect_no_out("reads:figures/paper/fig2.gp");
    shell("\"$S\" list --json");
    expect_code(0);
    json_t *listed = object(0);
    cr_expect_eq(json_array_size(json_object_get(listed, "figures")), 1);
    cr_expect_str_eq(json_word(listed, "experiment"), "paper/cloth");
    cr_expect_str_eq(json_word(listed, "file"), "experiments/paper/cloth.yaml");
    cr_expect_eq(json_integer_value(json_object_get(listed, "runs")), 1);
    json_decref(listed);
    vary("experiments/paper/bad.yaml", "1 ms", "1 kg");
    shell("\"$S\" list experiments");
    expect_code(2);
    expect_out("paper/cloth ");
    expect_err("experiments/paper/bad.yaml:8:14: ");
}

Test(cli_plan, the_experiments_of_this_repository_can_be_listed_and_planned) {
    shell("\"$S\" list '" SOURCE_DIR "/experiments'");
    expect_code(0);
    expect_out("va2022/resolutions");
    shell("\"$S\" plan $(grep -L 'mesh:' '" SOURCE_DIR "'/experiments/*/*.yaml)");
    expect_code(0);
    /* Experiments on prepared bodies are planned, but their runs would be refused, because no body is prepared here. */
    shell("\"$S\" plan $(grep -l 'mesh:' '" SOURCE_DIR "'/experiments/*/*.yaml)");
    expect_code(2);
    expect_out("would be refused: ");
    expect_err("is not prepared: out/bodies/");
}

Test(cli_plan, devices_are_listed_for_people_and_programs) {
    shell("\"$S\" devices --json");
    expect_code(0);
    const int count = lines(said.out);
    cr_assert_gt(count, 0, "there is no OpenCL device to test on");
    char *lists = text_copy(said.out);
    json_t *device = object(count - 1);
    cr_expect_eq(json_integer_value(json_object_get(device, "index")), count - 1);
    char *row = text_format("opencl:%-3d %s ", count - 1, json_word(device, "name"));
    cr_expect(json_is_boolean(json_object_get(device, "gpu")) && json_is_boolean(json_object_get(device, "bit_exact")));
    cr_expect_gt(json_integer_value(json_object_get(device, "memory")), 0);
    json_decref(device);
    shell("\"$S\" devices");
    expect_code(0);
    cr_expect_eq(lines(said.out), count + 2);
    expect_out("serial     ");
    expect_out("threads    ");
    expect_out(row);
    free(row);
    free(lists);
}

Test(cli_plan, a_trace_that_does_not_fit_on_the_disk_is_refused) {
    const char *large = "paper/cloth.yaml --out out --set time.frames=10000000 --set record.mesh_every=1 "
                        "--set 'body.cloth.nodes=[1000, 1000]'";
    shell("\"$S\" plan %s", large);
    expect_code(2);
    expect_out("would be refused: ");
    expect_err("TiB, but ");
    expect_err("free on the disk; record less often or run fewer frames\n");
    expect_err("--set: ");
    cr_expect_eq(lines(said.err), 1, "%s", said.err);
    shell("\"$S\" run %s", large);
    expect_code(2);
    cr_expect_not(matching("out/paper/cloth/*.h5*"));
}

Test(cli_plan, only_traces_of_the_experiment_are_opened) {
    vary("paper/two.yaml", "100 N/m", "[100 N/m, 200 N/m]");
    cr_assert_eq(shell("\"$S\" run paper/cloth.yaml --out out -q && \"$S\" run paper/two.yaml --out out -q"), 0);
    shell("printf rest >out/paper/two/stiffness=100.h5; \"$S\" plan paper/cloth.yaml --out out --set time.frames=7");
    expect_code(0);
    expect_out("as measured before");
}
