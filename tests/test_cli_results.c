/* What is made of traces: verdicts, exports, pictures, differences. */
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
    expect_no_out("verdict"); /* no table that would be empty */

    shell("\"$S\" run paper/two.yaml --out out && \"$S\" check claims.yaml --out out");
    expect_code(0);
    expect_out("test.bits");
    expect_out("2 claims: 1 matches, 1 differs; 0 changed");

    shell("sed 's/recorded: differs/recorded: matches/' claims.yaml >wrong.yaml; \"$S\" check wrong.yaml --out out");
    expect_code(1);
    expect_out("CHANGED, was: matches");
    shell("\"$S\" check wrong.yaml claims.yaml --out out");
    expect_code(1);
    expect_out("1 differs; 0 changed\nCHANGED: test.speed: differs, was: matches\n");
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

    shell("\"$S\" check --reported claims.yaml");
    expect_code(0);
    cr_expect_str_eq(said.out, "test_speed = 100 # m/s\n");
}

/* Results are of a file as it was. Where it is another now, what is judged by them is told so, and is no success. */
Test(cli_results, results_of_another_file_are_told) {
    text_write("claims.yaml", "springback: 1\n"
                              "paper: test\n"
                              "claims:\n"
                              "  - id: test.falls\n"
                              "    where: Sec. 1\n"
                              "    says: it falls\n"
                              "    kind: bound\n"
                              "    from: {experiment: paper/cloth, quantity: largest_speed, over_frames: max}\n"
                              "    expect: '>= 0.1 m/s'\n"
                              "    recorded: matches\n");
    shell("mkdir -p experiments/paper experiments/other && cp paper/cloth.yaml experiments/paper && "
          "\"$S\" run --tier quick paper/cloth.yaml --out out && \"$S\" check claims.yaml --out out");
    expect_code(0);
    expect_no_out("OUTDATED");

    vary("experiments/paper/cloth.yaml", "title: A small cloth", "title: A cloth"); /* in what makes no result */
    shell("\"$S\" check claims.yaml --out out");
    expect_code(0);
    vary("experiments/paper/cloth.yaml", "record:", "backend: threads:2\nrecord:"); /* another backend, the same bits */
    shell("\"$S\" check claims.yaml --out out");
    expect_code(0);

    static const char *const reason = "method.stiffness was 100 N/m, is 200 N/m (serial)";
    vary("experiments/paper/cloth.yaml", "100 N/m", "200 N/m");
    shell("\"$S\" check claims.yaml --out out");
    expect_code(2);
    expect_out(reason);
    expect_out("1 claims: 1 matches; 0 changed; incomplete\n"
               "OUTDATED: the results of paper/cloth: method.stiffness was 100 N/m, is 200 N/m (serial); ");
    shell("\"$S\" check claims.yaml --out out --experiments experiments --json");
    expect_code(2);
    expect_err("OUTDATED: the results of paper/cloth");
    json_t *claim = object(0);
    cr_expect_str_eq(json_word(claim, "outdated"), reason);
    cr_expect_str_eq(json_word(claim, "verdict"), "matches");
    json_decref(claim);
    shell("\"$S\" report claims.yaml --out out");
    expect_code(0);
    char *page = text_read("out/report.html");
    cr_expect(strstr(page, "Some runs are missing, failed or outdated"));
    cr_expect(strstr(page, "Results that are not of their experiment"));
    cr_expect(strstr(page, reason));
    free(page);

    vary("experiments/paper/cloth.yaml", "nodes: [6, 5]", "nodes: [[6, 5], [7, 5]]");
    shell("\"$S\" check claims.yaml --out out");
    expect_code(2);
    expect_out("OUTDATED: the results of paper/cloth: experiments/paper/cloth.yaml plans other runs than these");

    vary("experiments/paper/cloth.yaml", "stiffness: ", "stifness: ");
    shell("\"$S\" check claims.yaml --out out");
    expect_code(2);
    expect_out("OUTDATED: the results of paper/cloth: the file has a mistake: experiments/paper/cloth.yaml:");
    cr_expect_eq(*said.err, 0, "%s", said.err);

    vary("experiments/paper/cloth.yaml", "record:", "record:");
    shell("\"$S\" run --tier quick paper/cloth.yaml --out other --set stiffness='300 N/m' && "
          "\"$S\" check claims.yaml --out other");
    expect_code(0);
    expect_out("Its results were made with --set (method.stiffness).");
    expect_out("\nthe results of paper/cloth were made with --set (method.stiffness)\n");
    expect_no_out("OUTDATED");
    vary("experiments/paper/cloth.yaml", "100 N/m", "200 N/m");
    shell("\"$S\" check claims.yaml --out out --experiments experiments/other"); /* it is none of these */
    expect_no_out("OUTDATED");
    vary("experiments/paper/cloth.yaml", "record:", "record:");
    shell("\"$S\" run --tier full paper/cloth.yaml --out out && \"$S\" check claims.yaml --out out");
    expect_code(0);
}

Test(cli_results, export_writes_geometry_and_series) {
    vary("paper/mesh.yaml", "every: 1", "every: 1, mesh_every: 2");
    shell("\"$S\" run paper/mesh.yaml paper/cloth.yaml --out out");
    expect_code(0);
    shell("\"$S\" export out/paper/mesh/serial.h5");
    expect_code(0);
    cr_expect_eq(lines(said.out), 6, "%s", said.out);
    expect_out("frame\ttime/s\tkinetic_energy/J\t");
    expect_out("\n4\t0.04\t");

    shell("\"$S\" export --format vtk --out vtk out/paper/mesh/serial.h5");
    expect_code(0);
    cr_expect_eq(matching("vtk/serial_000[012].vtk"), 3);
    cr_expect_eq(matching("vtk/*"), 4);
    char *list = text_read("vtk/serial.vtk.series");
    json_t *root = json_loads(list, 0, NULL);
    cr_expect_eq(json_array_size(json_object_get(root, "files")), 3, "%s", list);
    json_decref(root);
    free(list);

    shell("\"$S\" export --format triangles --frame 2 out/paper/mesh/serial.h5");
    expect_code(0);
    cr_expect_eq(lines(said.out), 2 * 5 * 4 * 7, "two triangles a cell, seven lines each");
    expect_out(" 0x");
    char *blue = text_copy(said.out);
    shell("\"$S\" export --format triangles --frame 2 --colour 5B8FD0 out/paper/mesh/serial.h5");
    expect_code(0);
    cr_expect_str_eq(said.out, blue, "it is the colour that is taken where none is named");
    shell("\"$S\" export --format triangles --frame 2 --colour c00000 out/paper/mesh/serial.h5 | grep 0x | "
          "grep -vc '0000$'");
    cr_expect_str_eq(said.out, "0\n", "a red surface has only reds");
    free(blue);
    shell("\"$S\" export --format triangles --frame 3 out/paper/mesh/serial.h5");
    expect_code(2);
    expect_err("the geometry of frame 3 is not recorded; record.mesh_every says which");

    shell("\"$S\" export --format picture --frame 2 --size 40x30 out/paper/mesh/serial.h5 >a.ppm && head -n 3 a.ppm && "
          "wc -c <a.ppm");
    expect_code(0);
    cr_expect_str_eq(said.out, "P6\n40 30\n255\n3613\n");
    shell("\"$S\" export --format picture --frame 2 --size 40x30 out/paper/mesh/serial.h5 | cmp - a.ppm && "
          "\"$S\" export --format picture --frame 4 --size 40x30 out/paper/mesh/serial.h5 | cmp -s - a.ppm");
    expect_code(1);
    cr_expect_eq(*said.out, 0, "the same again, and another frame is another picture: %s", said.out);
    shell("\"$S\" export --format picture --size 9x9 --at 0,9,0 --across 1 out/paper/mesh/serial.h5 | tail -c 243 | "
          "tr -d '\\377' | wc -c");
    cr_expect_str_eq(said.out, "0\n", "nothing is up there");
    shell("\"$S\" export --format picture --frame 1 out/paper/mesh/serial.h5");
    expect_code(2);
    expect_err("the geometry of frame 1 is not recorded; record.mesh_every says which");
    cr_expect_eq(*said.out, 0);
    shell("\"$S\" export --format figure --out tables out/paper/mesh && \"$S\" export --format figure --out bare "
          "out/paper/cloth");
    expect_cell("tables/summary.tsv", "serial", "geometry", "0 2 4");
    expect_cell("bare/summary.tsv", "serial", "geometry", "-");

    shell("\"$S\" export --format vtk --out none out/paper/cloth/serial.h5");
    expect_code(2);
    expect_err("no geometry is recorded; record.mesh_every in the experiment asks for it");
    cr_expect_eq(matching("none/*"), 0);
    shell("\"$S\" export --format vtk --out paper/cloth.yaml/below out/paper/mesh/serial.h5");
    expect_code(2);
    expect_err("the folder cannot be made");
    shell("head -c 3000 out/paper/mesh/serial.h5 >cut.h5; \"$S\" export cut.h5");
    expect_code(2);
    expect_err("springback: cut.h5: ");
    cr_expect_eq(*said.out, 0);
}

/* A cube of 1 m on a sphere, and beside a box. */
Test(cli_results, a_picture_has_the_obstacles_of_its_run) {
    text_write("paper/cube.off", "OFF\n8 12 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n"
                                 "3 0 2 1\n3 0 3 2\n3 4 5 6\n3 4 6 7\n3 0 1 5\n3 0 5 4\n3 2 3 7\n3 2 7 6\n"
                                 "3 1 2 6\n3 1 6 5\n3 0 4 7\n3 0 7 3\n");
    text_write("paper/met.yaml", "springback: 1\npaper: test\ntitle: What is met\n"
                                 "body: {mesh: paper/cube.off, node_mass: 1 g}\n"
                                 "method: {name: xpbd, spring: stretching, stiffness: 1, iterations: 1}\n"
                                 "scene:\n  sphere: {radius: 0.5 m, centre: [0, -1.2 m, 0]}\n"
                                 "  convex: {mesh: paper/box.off, centre: [3 m, 0, 0]}\n"
                                 "time: {step: 1 ms, frames: 1}\nrecord: {mesh_every: 1}\n");
    shell("cp paper/cube.off paper/box.off && \"$S\" run paper/met.yaml --out out");
    expect_code(0);
#define SHOT  "\"$S\" export --format picture --size 30x30 --colour ff0000 --turn 0 --tilt 0 "
#define DRAWN " out/paper/met/serial.h5"
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
    expect_err("the convex bodies of paper/box.off, or what met them, are others now than when the trace was made; "
               "--bare leaves them out");
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
    expect_out("frames: the same bits in all 5 frames\n");
    expect_no_out("run again");

    shell("\"$S\" diff out/paper/cloth/backend=serial.h5 stiff/paper/cloth/serial.h5");
    expect_code(1);
    expect_out("work: UNLIKE\n    method.stiffness       100 N/m | 120 N/m\n");
    expect_out("frames: frame 1 is the first of 5 recorded that differs; the same bits up to frame 0\n");
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

Test(cli_results, refine_prints_a_word_for_each_number) {
    shell("\"$S\" refine paper/cloth.yaml --out out");
    expect_code(0);
    expect_out("paper/cloth: 1 run, each with the step h, h/2, h/4, and with h in double precision\n");
    expect_out("serial: step size\n");
    expect_out("    kinetic_energy, J  ");
    expect_out("  physics\n");
    expect_out("  rounding\n");
    cr_expect_eq(matching("out/*"), 1, "the ordinary results are not touched");
    cr_expect_eq(matching("out/refine/*/paper/cloth/serial.h5"), 4);
    struct timespec first = changed_at("out/refine/h4/paper/cloth/serial.h5");
    shell("\"$S\" refine paper/cloth.yaml --out out --json");
    expect_code(0);
    cr_expect(same_time(first, changed_at("out/refine/h4/paper/cloth/serial.h5")), "it was up to date");
    cr_assert_eq(lines(said.out), 1, "%s", said.out);
    json_t *run = object(0);
    cr_expect_str_eq(json_word(run, "word"), "step size");
    const json_t *number = json_array_get(json_object_get(run, "numbers"), 0);
    cr_expect_str_eq(json_word(number, "name"), "kinetic_energy");
    cr_expect_str_eq(json_word(number, "word"), "physics");
    cr_expect_eq(json_object_size(json_object_get(number, "values")), 4);
    json_decref(run);
}
