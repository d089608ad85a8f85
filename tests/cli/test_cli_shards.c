/* Runs of one experiment by several processes: as shards, on all devices of a host, on the nodes of a cluster. */
#include "cli_fixture.h"

TestSuite(cli_shards, .init = cli_begin, .fini = shell_end);

/* Write two experiments with nine runs in all, and one with a timed run. */
static void write_files(void) {
    vary("paper/six.yaml", "step: 1 ms", "step: [1 ms, 2 ms, 3 ms, 4 ms, 5 ms, 6 ms]");
    vary("paper/three.yaml", "step: 1 ms", "step: [0.1 ms, 0.2 ms, 0.3 ms]");
    vary("paper/timed.yaml", "frames: 4}", "frames: 4, repeats: 2}");
}

static const char files[] = "paper/six.yaml paper/three.yaml paper/timed.yaml";

/* Check that the manifests in two folders have the same ids, statuses, traces and plans of runs. */
static void expect_same_manifests(const char *a, const char *b) {
    shell(
        "for e in six three timed; do cut -f1-3,5 %s/paper/$e/runs.tsv >first; cut -f1-3,5 %s/paper/$e/runs.tsv >second"
        "; cmp first second || exit 1; done",
        a, b);
    expect_code(0);
}

Test(cli_shards, shards_make_each_run_once_and_the_whole_makes_the_manifests) {
    write_files();
    shell("\"$S\" run %s --out whole", files);
    expect_code(0);
    shell("for i in 1 2 3 4; do \"$S\" run %s --out shards --shard $i/4 --json || exit 1; done", files);
    expect_code(0);
    cr_expect_eq(lines(said.out), 9, "%s", said.out); /* shards leave out the timed run */
    cr_expect_eq(matching("shards/paper/*/*.h5"), 9);
    cr_expect_eq(matching("shards/paper/*/runs.tsv"), 0, "a shard wrote a manifest");
    cr_expect_eq(matching("shards/paper/*/traces.index"), 0, "a shard wrote an index");
    shell("\"$S\" run %s --out shards --json", files);
    expect_code(0);
    int up_to_date = 0;
    for (int line = 0; line < lines(said.out); ++line) {
        json_t *run = object(line);
        up_to_date += json_is_true(json_object_get(run, "up_to_date"));
        json_decref(run);
    }
    cr_expect_eq(up_to_date, 9, "%s", said.out);
    expect_same_manifests("whole", "shards");
}

Test(cli_shards, all_devices_share_the_work) {
    write_files();
    cr_assert_eq(setenv("POCL_DEVICES", "pthread pthread pthread", 1), 0);
    shell("\"$S\" run %s --out all --backend opencl:cpu:all && \"$S\" run %s --out one --backend opencl:cpu", files,
          files);
    expect_code(0);
    expect_same_manifests("all", "one");
    shell("for t in all/paper/*/*.h5; do \"$S\" diff $t one/${t#all/} || exit 1; done");
    expect_code(0);
    /* If there is one process for each device, SPRINGBACK_DEVICE or SLURM_LOCALID has the process's number, which
     * selects the device. */
    shell("SPRINGBACK_DEVICE=1 SLURM_LOCALID=0 \"$S\" run paper/cloth.yaml --backend opencl:cpu --out two && "
          "SLURM_LOCALID=5 \"$S\" run paper/cloth.yaml --backend opencl:cpu --out two --json");
    expect_code(0);
    expect_out("\"up_to_date\":true");
}

/* With several devices, --json prints each run once, and --force runs each run once. The runs of a shard can be divided
 * among devices. */
Test(cli_shards, all_devices_and_other_words) {
    write_files();
    cr_assert_eq(setenv("POCL_DEVICES", "pthread pthread", 1), 0);
    shell("\"$S\" run %s --out all --backend opencl:cpu:all --json", files);
    expect_code(0);
    cr_expect_eq(lines(said.out), 10, "%s", said.out);
    shell(
        "stat -c %%i all/paper/six/*.h5 >before; \"$S\" run paper/six.yaml --out all --backend opencl:cpu:all --force; "
        "stat -c %%i all/paper/six/*.h5 >after; ! cmp -s before after");
    expect_code(0);
    expect_out("nothing to run: all 6 are up to date"); /* printed by the process that has started one process for each
                                                           device */
    shell("for i in 1 2 3; do \"$S\" run paper/six.yaml --out parts --backend opencl:cpu:all --shard $i/3 || exit 1; "
          "done; ls parts/paper/six/runs.tsv");
    cr_expect_eq(said.code, 2, "a shard wrote a manifest");
    cr_expect_eq(matching("parts/paper/six/*.h5"), 6);
    shell("\"$S\" run paper/six.yaml --out parts --backend opencl:cpu");
    expect_out("nothing to run: all 6 are up to date");
}

/* A sweep on all devices has the same members as a sweep on one device. The search begins when the processes for all
 * devices have ended. `verify` does not change the results of shards. */
Test(cli_shards, a_sweep_on_all_devices_and_verify_beside_shards) {
    cr_assert_eq(setenv("POCL_DEVICES", "pthread pthread", 1), 0);
    shell("printf 'assumptions:\n  scene.gravity: {value: [0, -9.81 m/s^2, 0], likely: [[0, -10 m/s^2, 0], [0, -9 "
          "m/s^2, 0]], why: the paper is silent}\n' >>paper/cloth.yaml");
    shell(
        "\"$S\" sensitivity paper/cloth.yaml -n 8 -p 4 --out one --sweeps one.s && \"$S\" sensitivity paper/cloth.yaml "
        "-n 8 -p 4 --search 5 --out all --sweeps all.s --backend opencl:cpu:all");
    expect_code(0);
    cr_expect_not(strstr(said.err, "failed"), "%s", said.err);
    shell("for s in one all; do xz -dc $s.s/paper/cloth.tsv.xz | grep '^member' >$s.members; done; cmp one.members "
          "all.members");
    expect_code(0);
    shell("\"$S\" sensitivity paper/cloth.yaml -n 12 -p 4 --out one --sweeps one.s --shard 2/2 && \"$S\" verify "
          "paper/cloth.yaml --out one --sweeps one.s");
    expect_code(0);
    cr_expect_eq(matching("one/paper/cloth/sensitivity/members-2-of-2.tsv"), 1, "verify removed a shard's part");
    cr_expect_eq(matching("one/.verify*"), 0);
    shell("\"$S\" sensitivity paper/cloth.yaml -n 12 -p 4 --out one --sweeps one.s");
    expect_out("2 of 24 runs must be done");
}

Test(cli_shards, bad_words_run_nothing) {
    static const struct {
        const char *words, *wrong;
    } rows[] = {
        {"--shard 3/2", "--shard='3/2' is not I/N with I from 1 to N"},
        {"--shard 0/2", "--shard='0/2' is not I/N"},
        {"--shard 2", "--shard='2' is not I/N"},
        {"--shard 1/10001", "N at most 10000"},
        {"--backend threads:all", "threads has no devices"},
        {"--backend vulkan:all", "vulkan"},
        {"--backend opencl:cpu:all --backend serial", "must be the only one"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r) {
        shell("\"$S\" run paper/cloth.yaml %s", rows[r].words);
        expect_code(2);
        expect_err(rows[r].wrong);
        cr_expect(!matching("out"), "%s left a folder", rows[r].words);
    }
}

Test(cli_shards, results_are_kept_by_the_type_of_machine) {
    shell("\"$S\" devices --machine && \"$S\" devices --machine");
    expect_code(0);
    char *name = text_format("%.*s", (int)strcspn(said.out, "\n"), said.out);
    cr_expect_eq(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(name), "%s", name);
    shell("\"$S\" run paper/cloth.yaml");
    char *path = text_format("out/%s/paper/cloth/runs.tsv", name);
    cr_expect_eq(matching(path), 1, "%s", path);
    /* The machine's name depends on the driver, but not on how many devices of the same name a job has. */
    shell("POCL_DEVICES='pthread pthread' \"$S\" devices --machine");
    cr_expect(!strncmp(said.out, name, strlen(name)), "%s", said.out);
    shell("POCL_DEVICES=basic \"$S\" devices --machine");
    cr_expect(strncmp(said.out, name, strlen(name)) != 0, "%s", said.out);
    free(path);
    free(name);
}

/* A script replaces Slurm's scontrol, and prints what scontrol prints for a job with and without --exclusive. */
Test(cli_shards, nothing_is_timed_on_a_shared_node) {
    write_files();
    text_write("scontrol", "#!/bin/sh\necho \"JobId=$5 Features=(null) OverSubscribe=$SHARED Contiguous=0\"\n");
    shell("chmod +x scontrol; export PATH=.:$PATH SLURM_JOB_ID=7 SHARED=OK; \"$S\" run paper/timed.yaml --out out");
    expect_code(2);
    expect_err("paper/timed.yaml: run ");
    expect_err("submit it with sbatch --exclusive");
    shell("export PATH=.:$PATH SLURM_JOB_ID=7 SHARED=OK; \"$S\" run paper/six.yaml --out out -q");
    expect_code(0);
    shell(
        "export PATH=.:$PATH SLURM_JOB_ID=7 SHARED=NO SLURM_JOB_PARTITION=low; \"$S\" run paper/timed.yaml --out out");
    expect_code(0);
    AUTO(trace_close) struct trace_data trace;
    glob_t found;
    cr_assert_eq(glob("out/paper/timed/*.h5", 0, NULL, &found), 0);
    cr_assert_eq(trace_open(found.gl_pathv[0], &trace), 0);
    cr_expect_str_eq(trace_provenance_note(&trace, "partition"), "low");
    globfree(&found);
}
