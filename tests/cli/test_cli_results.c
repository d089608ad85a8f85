/* Output from traces: verdicts, exports, pictures, and differences of two runs. */
#include "cli_fixture.h"

TestSuite(cli_results, .init = cli_begin, .fini = shell_end);

Test(cli_results, check_judges_and_its_exit_code_tells) {
    static const char claims[] =
        "springback: 1\n"
        "paper: test\n"
        "claims:\n"
        "  - id: test.bits\n"
        "    where: Sec. 1\n"
        "    says: the bits are the same\n"
        "    kind: capability\n"
        "    from: {experiment: paper/two, same: state_hash}\n"
        "    recorded: matches\n"
        "  - id: test.speed\n"
        "    where: Sec. 2\n"
        "    says: it falls at 100 m/s\n"
        "    kind: value\n"
        "    from: {experiment: paper/two, select: {backend: serial}, quantity: largest_speed, "
        "over_frames: max}\n"
        "    reported: 100 m/s\n"
        "    tolerance: {relative: 5 %}\n"
        "    recorded: differs\n"
        "    why: five in a hundred, as a guess\n";
    text_write("claims.yaml", claims);
    vary("paper/two.yaml", "springback: 1", "springback: 1\nbackend: [serial, 'threads:2']");

    shell("\"$S\" run paper/cloth.yaml --out out && \"$S\" check claims.yaml --out out");
    expect_code(2);
    cr_expect_str_eq(strstr(said.out, "paper/two has"), "paper/two has no results, and 2 claims are about it\n"
                                                        "2 claims: 2 not run; 0 changed; incomplete\n");
    expect_no_out("verdict"); /* a table without claims is not printed */

    shell("\"$S\" run paper/two.yaml --out out && \"$S\" check claims.yaml --out out");
    expect_code(0);
    expect_out("test.bits");
    expect_out("2 claims: 1 matches, 1 differs; 0 changed");

    shell("sed 's/recorded: differs/recorded: matches/' claims.yaml >wrong.yaml; \"$S\" check wrong.yaml --out out");
    expect_code(1);
    expect_out("CHANGED, was: matches");
    shell("\"$S\" check wrong.yaml claims.yaml --out out");
    expect_code(1);
    expect_out("2 differs; 1 changed\nCHANGED: test.speed: differs, was: matches\n");
    shell("\"$S\" check wrong.yaml --out out --untimed");
    expect_code(1);

    shell("\"$S\" check wrong.yaml --out out --json");
    expect_code(1);
    cr_assert_eq(lines(said.out), 2, "%s", said.out);
    json_t *claim = object(1);
    cr_expect_str_eq(json_word(claim, "id"), "test.speed");
    cr_expect_str_eq(json_word(claim, "paper"), "test");
    cr_expect_str_eq(json_word(claim, "kind"), "value");
    cr_expect_str_eq(json_word(claim, "verdict"), "differs");
    cr_expect_str_eq(json_word(claim, "recorded"), "matches");
    cr_expect(json_is_true(json_object_get(claim, "changed")));
    json_decref(claim);

    shell("sed 's/kind: value/kind: valeu/' claims.yaml >bad.yaml; \"$S\" check bad.yaml --out out");
    expect_code(2);
    expect_err("bad.yaml:13:11: there is no kind valeu; did you mean value?");
    cr_expect_eq(*said.out, 0);

    shell("mkdir paper_checks; cp claims.yaml paper_checks/test.yaml; \"$S\" check --out out");
    expect_code(0);
    expect_out("2 it falls at 100 m/s");
    expect_no_out("five in a hundred");
    static const char *const words[] = {"2", "test.speed", "test", "--all"};
    for (size_t w = 0; w < sizeof words / sizeof *words; ++w) {
        shell("\"$S\" check --out out %s", words[w]);
        expect_code(0);
        expect_out("five in a hundred");
        cr_expect_eq(strstr(said.out, "test.bits") == NULL, w < 2, "%s", said.out);
    }
    shell("\"$S\" check --out out test.sped");
    expect_code(2);
    expect_err("no claim 'test.sped'; did you mean test.speed?");
    shell("\"$S\" check --out out 9");
    expect_code(2);
    expect_err("no row 9");

    shell("\"$S\" check --reported claims.yaml");
    expect_code(0);
    cr_expect_str_eq(said.out, "test_speed = 100 # m/s\n");
}

/* ---- Results of an older experiment file ---- */

/* An experiment with two methods, of which only one has iterations. The tier quick has fewer frames. */
static const char two_methods[] = "springback: 1\n"
                                  "paper: test\n"
                                  "title: A small cloth\n"
                                  "tiers: {quick: {time.frames: 2}}\n"
                                  "body:\n"
                                  "  cloth: {nodes: [6, 5], springs: [structural, shear, bend], pins: corners}\n"
                                  "  node_mass: 1 kg\n"
                                  "method:\n"
                                  "  - {name: mass_spring, stiffness: 100 N/m, damping: 0.1 N s/m}\n"
                                  "  - {name: constraint_enforcement, iterations: 3}\n"
                                  "time: {step: 1 ms, steps_per_frame: 10, frames: 4}\n"
                                  "record: {every: 1}\n";

/* Write two_methods to experiments/paper/two.yaml, with one text replaced by another. `check` looks for experiment
 * files in experiments/. */
static void change(const char *old, const char *new) {
    const char *at = strstr(two_methods, old);
    cr_assert_not_null(at, "%s", old);
    char *text = text_format("%.*s%s%s", (int)(at - two_methods), two_methods, new, at + strlen(old));
    text_write("experiments/paper/two.yaml", text);
    free(text);
}

/* Write three files. experiments/paper/two.yaml is two_methods. claims.yaml has a claim about paper/two. others.yaml
 * has a claim about paper/cloth, and a claim about an experiment that does not exist. */
static void claim_two(void) {
    cr_assert_eq(shell("mkdir -p experiments/paper experiments/other"), 0);
    text_write("experiments/paper/two.yaml", two_methods);
    text_write("claims.yaml", "springback: 1\n"
                              "paper: test\n"
                              "claims:\n"
                              "  - id: test.falls\n"
                              "    where: Sec. 1\n"
                              "    says: it falls\n"
                              "    kind: bound\n"
                              "    from: {experiment: paper/two, select: {method: mass_spring}, quantity: "
                              "largest_speed, over_frames: max}\n"
                              "    expect: '>= 0.1 m/s'\n"
                              "    recorded: matches\n");
    text_write("others.yaml", "springback: 1\n"
                              "paper: others\n"
                              "claims:\n"
                              "  - id: others.bits\n"
                              "    where: Sec. 1\n"
                              "    says: the bits are the same\n"
                              "    kind: capability\n"
                              "    from: {experiment: paper/cloth, same: state_hash}\n"
                              "    recorded: matches\n"
                              "  - id: others.gpu\n"
                              "    where: Sec. 1\n"
                              "    says: the bits are the same\n"
                              "    kind: capability\n"
                              "    needs: volume_constraint\n"
                              "    from: {experiment: paper/none, same: state_hash}\n"
                              "    recorded: matches\n");
}

static void expect_current(const char *out) {
    shell("\"$S\" check claims.yaml --out %s", out);
    expect_code(0);
    expect_no_out("OUTDATED");
    expect_no_out("outdated");
}

static void expect_outdated(const char *out, const char *why) {
    shell("\"$S\" check claims.yaml --out %s", out);
    expect_code(2);
    expect_out("OUTDATED: the results of paper/two: ");
    expect_out(why);
    cr_expect_eq(*said.err, 0, "%s", said.err);
}

/* Outdated results are reported, and the exit code is not 0. */
Test(cli_results, results_of_another_file_are_told) {
    claim_two();
    shell("\"$S\" run --tier quick experiments/paper/two.yaml --out out && "
          "\"$S\" run --tier full experiments/paper/two.yaml --out full && "
          "\"$S\" run --tier quick -b threads:2 experiments/paper/two.yaml --out threads");
    expect_code(0);
    expect_current("out");
    expect_current("full");
    expect_current("threads");

    change("title: A small cloth", "title: A cloth"); /* a change that changes no result */
    expect_current("out");
    change("record:", "backend: threads:2\nrecord:"); /* another backend, bit-identical */
    expect_current("out");
    change("  - {name: constraint_enforcement, iterations: 3}\n", /* a further run */
           "  - {name: constraint_enforcement, iterations: [2, 3]}\n");
    expect_current("out");
    expect_out("of the 3 runs of experiments/paper/two.yaml, 1 has no result\n");
    change("  - {name: mass_spring, stiffness: 100 N/m, damping: 0.1 N s/m}\n  - {name: constraint_enforcement, "
           "iterations: 3}\n",
           "  - {name: constraint_enforcement, iterations: 3}\n  - {name: mass_spring, stiffness: 100 N/m, damping: "
           "0.1 N s/m}\n");
    expect_current("out");
    change("time.frames: 2", "time.frames: 3"); /* the tier full does not change */
    expect_current("full");
    expect_outdated("out", "2 of 2 runs are not as experiments/paper/two.yaml plans them; in the run "
                           "method=mass_spring, "
                           "time.frames was 2, is 3\n"
                           "    to update them: springback run --tier quick --out out experiments/paper/two.yaml\n");
    change("frames: 4", "frames: 5");
    expect_current("out");
    expect_outdated("full",
                    "in the run method=mass_spring, time.frames was 4, is 5\n    to update them: springback run --tier "
                    "full --out full ");

    static const char *const reason = "1 of 2 runs are not as experiments/paper/two.yaml plans them; in the run "
                                      "method=mass_spring, method.stiffness was 100 N/m, is 200 N/m";
    change("100 N/m", "200 N/m");
    expect_outdated("out", reason);
    expect_out("1 claims: 1 matches; 0 changed; incomplete\nOUTDATED");
    expect_outdated("threads",
                    "in the run method=mass_spring,backend=threads.2, method.stiffness was 100 N/m, is 200 N/m");
    shell("\"$S\" check claims.yaml --out out --experiments experiments --json");
    expect_code(2);
    expect_err("OUTDATED: the results of paper/two");
    json_t *claim = object(0);
    cr_expect_str_eq(json_word(claim, "outdated"), reason);
    cr_expect_str_eq(json_word(claim, "verdict"), "matches");
    json_decref(claim);
    shell("\"$S\" report claims.yaml --out out");
    expect_code(0);
    char *page = text_read("out/report.html");
    cr_expect(strstr(page, "Some runs are missing, failed or outdated"));
    cr_expect(strstr(page, reason));
    free(page);

    /* Claims about other experiments are not affected. */
    shell("\"$S\" run paper/cloth.yaml -b serial -b threads:2 --out out; "
          "\"$S\" check others.yaml --out out --about paper/cloth");
    expect_code(0);
    expect_no_out("OUTDATED");

    change("stiffness: ", "stifness: ");
    expect_outdated("out", "the file has a mistake, experiments/paper/two.yaml:9:");
    expect_no_out("to update them");
    shell("rm experiments/paper/two.yaml");
    expect_current("out");
}

/* If only a part of an experiment's runs is run, the manifest keeps its other rows that are up to date. Outdated rows
 * are removed. */
Test(cli_results, a_part_keeps_what_is_of_the_file) {
    claim_two();
    shell("\"$S\" run experiments/paper/two.yaml --out out");
    expect_code(0);
    change("100 N/m", "200 N/m");
    shell("\"$S\" run experiments/paper/two.yaml --only method=mass_spring --out out");
    expect_code(0);
    cr_expect_not(strstr(said.err, "left out"), "%s", said.err);
    expect_cell("out/paper/two/runs.tsv", "method=constraint_enforcement", "status", "whole");
    expect_current("out");
    change("iterations: 3", "iterations: 4");
    shell("\"$S\" run experiments/paper/two.yaml --only method=mass_spring --out out");
    expect_err("  1 result is left out of paper/two: the file or --set has other values now; run without --only to "
               "make them again\n");
    expect_current("out");
    expect_out("of the 2 runs of experiments/paper/two.yaml, 1 has no result\n");
    vary("experiments/paper/two.yaml", "100 N/m", "[100 N/m, 200 N/m]");
    shell("\"$S\" run experiments/paper/two.yaml --out out");
    change("nodes: [6, 5]", "nodes: [7, 5]");
    vary("experiments/paper/two.yaml", "100 N/m", "[100 N/m, 300 N/m]");
    expect_outdated("out",
                    "1 of 2 runs are not as experiments/paper/two.yaml plans them; the file does not plan the run "
                    "stiffness=200\n");
}

/* The values that a claim selects must exist; otherwise the message lists the values that exist. */
Test(cli_results, what_a_claim_selects_must_be_there) {
    claim_two();
    shell("\"$S\" run experiments/paper/two.yaml --out out; sed -i 's/method: mass_spring/method.stifness: 100 N\\/m/' "
          "claims.yaml; \"$S\" check claims.yaml --out out");
    expect_code(2);
    expect_out("No run has the parameter or note method.stifness");
    expect_out("(claims.yaml:8); did you");
    shell("sed -i 's/stifness: 100 N.m/stiffness: 100/' claims.yaml; \"$S\" check claims.yaml --out out");
    expect_code(2);
    expect_out("The runs have method.stiffness = 100 N/m, but not 100.");
    expect_out("; incomplete");
}

/* Results of --set are not outdated, but `check` reports the settings. If the experiment file changes, these results
 * are outdated, unless only keys that --set gave have changed. */
Test(cli_results, results_of_set_are_told) {
    claim_two();
    shell("\"$S\" run --tier quick experiments/paper/two.yaml --out out --set method.iterations=7 "
          "--set 'scene.gravity=[0, -9.7 m/s^2, 0]'");
    expect_code(0);
    expect_current("out");
    expect_out("The results were made with --set");
    expect_out("\nthe results of paper/two were made with --set 'method.iterations=7'\n");
    expect_out("\nthe results of paper/two were made with --set 'scene.gravity=[0 m/s^2, -9.7 m/s^2, 0 m/s^2]'\n");
    shell("\"$S\" check claims.yaml --out out --json");
    json_t *claim = object(0);
    cr_expect_str_eq(json_word(claim, "set"), "scene.gravity=[0 m/s^2, -9.7 m/s^2, 0 m/s^2]; method.iterations=7");
    char *command = text_copy(json_word(claim, "command"));
    json_decref(claim);
    cr_expect(strstr(command, " --out out "), "%s", command);
    shell("springback() { \"$S\" \"$@\"; }; %s", command); /* the command makes the same results again */
    expect_code(0);
    expect_out("The results were made with --set");
    free(command);
    shell("\"$S\" report claims.yaml --out out");
    char *page = text_read("out/report.html");
    cr_expect(strstr(page, "its runs were made with --set"));
    free(page);

    change("iterations: 3", "iterations: 4"); /* a key that --set gave */
    expect_current("out");
    change("100 N/m", "200 N/m");
    expect_outdated("out", "method.stiffness was 100 N/m, is 200 N/m");
    expect_out("were made with --set 'method.iterations=7'");
    change("stiffness: ", "stifness: ");
    expect_outdated("out", "the file has a mistake");
}

/* Without results, a verdict that differs from the recorded one is not reported as changed. */
Test(cli_results, what_has_no_results_is_no_other_verdict) {
    claim_two();
    shell("mkdir out; \"$S\" check others.yaml --out out");
    expect_code(2);
    expect_out("paper/cloth has no results, and 1 claim is about it\n");
    expect_out(
        "2 claims: 2 not run; 0 changed; incomplete\nno experiment experiments/paper/cloth.yaml, which the claim "
        "others.bits "
        "is about\n");
    /* A missing device gives another verdict, and `check` reports this change. */
    vary("paper/cloth.yaml", "springback: 1", "springback: 1\nbackend: opencl:99");
    shell("\"$S\" run paper/cloth.yaml --out out; \"$S\" check others.yaml --out out --about paper/cloth");
    expect_code(1);
    expect_out("there is no OpenCL device 99 here");
}

Test(cli_results, export_writes_geometry_and_series) {
    vary("paper/mesh.yaml", "every: 1", "every: 1, mesh_every: 2");
    shell("\"$S\" run paper/mesh.yaml paper/cloth.yaml --out out");
    expect_code(0);
    shell("\"$S\" export out/paper/mesh/serial.trace-1.vtkhdf");
    expect_code(0);
    cr_expect_eq(lines(said.out), 6, "%s", said.out);
    expect_out("frame\ttime/s\tkinetic_energy/J\t");
    expect_out("\n4\t0.04\t");

    shell("\"$S\" export --format vtk --out vtk out/paper/mesh/serial.trace-1.vtkhdf");
    expect_code(0);
    cr_expect_eq(matching("vtk/serial_000[012].vtk"), 3);
    cr_expect_eq(matching("vtk/*"), 4);
    char *list = text_read("vtk/serial.vtk.series");
    json_t *root = json_loads(list, 0, NULL);
    cr_expect_eq(json_array_size(json_object_get(root, "files")), 3, "%s", list);
    json_decref(root);
    free(list);

    shell("\"$S\" export --format triangles --frame 2 out/paper/mesh/serial.trace-1.vtkhdf");
    expect_code(0);
    cr_expect_eq(lines(said.out), 2 * 5 * 4 * 7,
                 "expected two triangles for each cell, and seven lines for each triangle");
    expect_out(" 0x");
    char *blue = text_copy(said.out);
    shell("\"$S\" export --format triangles --frame 2 --colour 5B8FD0 out/paper/mesh/serial.trace-1.vtkhdf");
    expect_code(0);
    cr_expect_str_eq(said.out, blue, "5B8FD0 is the default colour");
    shell("\"$S\" export --format triangles --frame 2 --colour c00000 out/paper/mesh/serial.trace-1.vtkhdf | grep 0x | "
          "grep -vc '0000$'");
    cr_expect_str_eq(said.out, "0\n", "a red surface has only reds");
    free(blue);
    shell("\"$S\" export --format triangles --frame 3 out/paper/mesh/serial.trace-1.vtkhdf");
    expect_code(2);
    expect_err("the geometry of frame 3 is not recorded; record.mesh_every sets which frames");

    shell("\"$S\" export --format picture --frame 2 --size 40x30 out/paper/mesh/serial.trace-1.vtkhdf >a.ppm && head "
          "-n 3 a.ppm && "
          "wc -c <a.ppm");
    expect_code(0);
    cr_expect_str_eq(said.out, "P6\n40 30\n255\n3613\n");
    shell(
        "\"$S\" export --format picture --frame 2 --size 40x30 out/paper/mesh/serial.trace-1.vtkhdf | cmp - a.ppm && "
        "\"$S\" export --format picture --frame 4 --size 40x30 out/paper/mesh/serial.trace-1.vtkhdf | cmp -s - a.ppm");
    expect_code(1);
    cr_expect_eq(*said.out, 0, "expected the same picture of the same frame, and another picture of another frame: %s",
                 said.out);
    shell("\"$S\" export --format picture --size 9x9 --at 0,9,0 --across 1 out/paper/mesh/serial.trace-1.vtkhdf | tail "
          "-c 243 | "
          "tr -d '\\377' | wc -c");
    cr_expect_str_eq(said.out, "0\n", "the picture shows something above the body");
    if (!access("/dev/full", W_OK)) {
        shell("\"$S\" export --format picture out/paper/mesh/serial.trace-1.vtkhdf >/dev/full");
        expect_code(2);
        expect_err("the picture cannot be written: No space left on device");
    }
    shell("\"$S\" export --format picture --frame 1 out/paper/mesh/serial.trace-1.vtkhdf");
    expect_code(2);
    expect_err("the geometry of frame 1 is not recorded; record.mesh_every sets which frames");
    cr_expect_eq(*said.out, 0);
    shell("\"$S\" export --format figure --out tables out/paper/mesh && \"$S\" export --format figure --out bare "
          "out/paper/cloth");
    expect_cell("tables/summary.tsv", "serial", "geometry", "0 2 4");
    expect_cell("bare/summary.tsv", "serial", "geometry", "-");

    shell("\"$S\" export --format csv out/paper/mesh/serial.trace-1.vtkhdf out/paper/mesh/serial.trace-1.vtkhdf >a.csv "
          "&& \"$S\" export "
          "out/paper/mesh/serial.trace-1.vtkhdf | tr '\\t' , | sed '1s/^/run,/; 1!s/^/\"serial\",/' >b.csv && "
          "tail -n +2 b.csv | cat b.csv - | cmp - a.csv");
    expect_code(0);
    shell("\"$S\" export --format csv out/paper/mesh/serial.trace-1.vtkhdf out/paper/cloth/serial.h5");
    expect_code(2);
    expect_err("cloth/serial.h5: its columns differ from those of the traces before it; export it separately");

    shell("\"$S\" export --format vtk --out none out/paper/cloth/serial.h5");
    expect_code(2);
    expect_err("no geometry is recorded; set record.mesh_every in the experiment");
    cr_expect_eq(matching("none/*"), 0);
    shell("\"$S\" export --format vtk --out paper/cloth.yaml/below out/paper/mesh/serial.trace-1.vtkhdf");
    expect_code(2);
    expect_err("cannot create the folder");
    shell("head -c 3000 out/paper/mesh/serial.trace-1.vtkhdf >cut.h5; \"$S\" export cut.h5");
    expect_code(2);
    expect_err("springback: cut.h5: ");
    cr_expect_eq(*said.out, 0);
}

/* The body is a cube of 1 m, above a sphere and next to a box. The sphere and the box are obstacles. */
Test(cli_results, a_picture_has_the_obstacles_of_its_run) {
    text_write("paper/cube.off", "OFF\n8 12 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n"
                                 "3 0 2 1\n3 0 3 2\n3 4 5 6\n3 4 6 7\n3 0 1 5\n3 0 5 4\n3 2 3 7\n3 2 7 6\n"
                                 "3 1 2 6\n3 1 6 5\n3 0 4 7\n3 0 7 3\n");
    text_write("paper/obstacles.yaml", "springback: 1\npaper: test\ntitle: Obstacles\n"
                                       "body: {mesh: paper/cube.off, node_mass: 1 g}\n"
                                       "method: {name: xpbd, spring: stretching, stiffness: 1, iterations: 1}\n"
                                       "scene:\n  sphere: {radius: 0.5 m, centre: [0, -1.2 m, 0]}\n"
                                       "  convex: {mesh: paper/box.off, centre: [3 m, 0, 0]}\n"
                                       "time: {step: 1 ms, frames: 1}\nrecord: {mesh_every: 1}\n");
    shell("cp paper/cube.off paper/box.off && \"$S\" run paper/obstacles.yaml --out out");
    expect_code(0);
#define SHOT  "\"$S\" export --format picture --size 30x30 --colour ff0000 --turn 0 --tilt 0 "
#define DRAWN " out/paper/obstacles/serial.trace-1.vtkhdf"
    shell(SHOT "--across 12" DRAWN " >all.ppm && " SHOT "--across 12 --bare" DRAWN " >bare.ppm && " SHOT
               "--across 4 --at 0,-3,0" DRAWN " >low.ppm && " SHOT "--across 3 --at 3,0,0" DRAWN " >right.ppm");
    expect_code(0);
    shell("for p in all bare low right; do tail -c 2700 $p.ppm | od -An -v -tu1 -w3 | "
          "awk '$1 < 240 && $1 < $3 + 30 {++grey} $1 > $3 && $3 == 0 {++red} END {print (grey > 3 ? \"grey\" : \"\") "
          "(red > 3 ? \"red\" : \"\")}'; done");
    cr_expect_str_eq(said.out, "greyred\nred\ngrey\ngrey\n");
    shell(SHOT "--across 12 --groups colouring" DRAWN " | cmp -s - all.ppm");
    expect_code(1);

    shell("sed -i 's/^1 1 1$/1 1 2/' paper/box.off; " SHOT DRAWN);
    expect_code(2);
    expect_err("the convex bodies of paper/box.off, or the run's body, have changed since the trace was made; --bare "
               "draws without the convex bodies and the sphere");
    cr_expect_eq(*said.out, 0);
    shell("rm paper/box.off; " SHOT DRAWN);
    expect_code(2);
    expect_err("scene.convex.mesh: 'paper/box.off' cannot be read");
    shell(SHOT "--across 12 --bare" DRAWN " | cmp - bare.ppm");
    expect_code(0);
#undef SHOT
#undef DRAWN
}

Test(cli_results, diff_tells_by_its_exit_code_whether_two_runs_are_the_same) {
    shell("\"$S\" run paper/cloth.yaml -b serial -b opencl --out out && "
          "\"$S\" run paper/cloth.yaml --out stiff --set 'stiffness=120 N/m'");
    expect_code(0);
    shell("\"$S\" diff out/paper/cloth/backend=serial.h5 out/paper/cloth/backend=opencl.h5");
    expect_code(0);
    expect_out("work: the same\n");
    expect_out("backend                serial | opencl\n");
    expect_out("frames: bit-identical in all 5 frames that both traces recorded\n");
    expect_no_out("run again");

    shell("\"$S\" diff out/paper/cloth/backend=serial.h5 stiff/paper/cloth/serial.h5");
    expect_code(1);
    expect_out("work: DIFFERENT\n    method.stiffness       100 N/m | 120 N/m\n");
    expect_out("frames: frame 1 is the first that differs, of 5 recorded in both traces; bit-identical up to frame "
               "0\n");
    expect_out("  frame     1, the first that differs\n");
    expect_out("  step      0 of the run, counted from 0: number 1 of the 10 in the frame\n");
    expect_out("kernel mass_spring_grid\n");
    expect_out(" ulps\n");

    shell("\"$S\" diff out/paper/cloth/backend=serial.h5 stiff/paper/cloth/serial.h5 --json -b threads:2 -b opencl");
    expect_code(1);
    cr_assert_eq(lines(said.out), 1, "%s", said.out);
    json_t *diff = object(0);
    cr_expect(json_is_false(json_object_get(diff, "same")));
    const json_t *again = json_object_get(diff, "again"), *element = json_object_get(diff, "first_element");
    cr_expect_str_eq(json_string_value(json_array_get(json_object_get(again, "backends"), 1)), "opencl");
    cr_expect_eq(json_integer_value(json_object_get(again, "frame")), 1);
    cr_expect_str_eq(json_word(again, "kernel"), "mass_spring_grid");
    const json_t *value = json_array_get(json_object_get(element, "values"), 0);
    cr_expect_eq(strlen(json_word(value, "a_bits")), 10);
    cr_expect_gt(json_integer_value(json_object_get(value, "ulps")), 0);
    json_decref(diff);

    shell("\"$S\" diff out/paper/cloth/backend=serial.h5 out/paper/cloth/backend=serial.h5 -b serial -b opencl:99");
    expect_code(2);
    expect_err("there is no OpenCL device 99 here");
    cr_expect_eq(*said.out, 0, "%s", said.out);
    shell("head -c 3000 out/paper/cloth/backend=serial.h5 >cut.h5; \"$S\" diff cut.h5 cut.h5");
    expect_code(2);
    expect_err("cut.h5: ");
}
