/* Wrong input: the exit code, the message on the correct stream, and no files left. */
#include "cli_fixture.h"

TestSuite(cli, .init = cli_begin, .fini = shell_end);

Test(cli, a_mistake_in_a_file_has_its_place_and_its_remedy_and_makes_no_folder) {
    static const struct {
        const char *old, *new, *place, *wrong, *right;
    } mistakes[] = {
        {"record:", "recrod:", "9:1", "unknown key recrod", "nearest key is record;"},
        {"damping", "dampning", "7:49", "unknown key method.dampning", "method.damping"},
        {"title:", "paper: again\ntitle:", "3:1", "the key paper is here and at line 2", "keep one of them"},
        {"mass_spring", "mass_sprong", "7:16", "\"mass_sprong\" is not known", "mass_spring"},
        {"1 ms", "1 kg", "8:14", "has the unit kg", "must be in s"},
        {"1 ms", "0.001", "8:14", "has no unit", "0.001 s"},
        {"1 ms", "-1 ms", "8:14", "out of bounds", "above 0 s"},
        {"1 ms", "nan s", "8:14", "not finite", "write a finite number"},
        {"1 ms", ".nan", "8:14", ".nan", "write"},
        {"100 N/m", "[]", "7:40", "empty list", "a list of values"},
        {"[6, 5]", "[0, 5]", "5:19", "0 is out of bounds", "at least 2"},
        {"[6, 5]", "[6, 1]", "5:", "1 is out of bounds", "at least 2"},
        {"[6, 5]", "[66000, 66000]", "5:19", "66000 is out of bounds", "at most 65536"},
        {"[6, 5]", "[6, 5", "5:", "broken YAML", "[a, b]"},
        {"springback: 1", "springback: 2", "1:13", "`springback` is 2", "expected 1"},
    };
    for (size_t m = 0; m < sizeof mistakes / sizeof *mistakes; ++m) {
        vary("paper/bad.yaml", mistakes[m].old, mistakes[m].new);
        shell("\"$S\" run paper/bad.yaml --out out");
        expect_code(2);
        char *place = text_format("springback: paper/bad.yaml:%s", mistakes[m].place);
        expect_err(place);
        expect_err(mistakes[m].wrong);
        expect_err(mistakes[m].right);
        free(place);
        cr_expect_eq(*said.out, 0, "%s", said.out);
        cr_expect_not(matching("out"), "%s left a folder", mistakes[m].new);
    }
}

/* Write mesh files of three tetrahedra: a closed one, one that lacks a triangle, and one oriented inward. */
static void write_boxes(void) {
    static const char closed[] = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";
    text_write("closed.off", closed);
    text_write("open.off", "OFF\n4 3 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n");
    text_write("inward.off", "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 3 1\n3 1 3 2\n3 0 2 3\n");
}

Test(cli, a_volume_that_cannot_be_kept_and_a_scene_that_cannot_be_are_told) {
    static const struct {
        const char *body, *method, *scene, *place, *wrong, *right;
    } mistakes[] = {
        {"cloth: {nodes: [6, 5]}", "volume_constraint, stiffness: 1 N/m", "", "5:10", "the body is a cloth",
         "use body.mesh"},
        {"mesh: ./open.off", "volume_constraint, stiffness: 1 N/m", "", "5:10", "is open", "springback mesh"},
        {"mesh: ./inward.off", "volume_constraint, stiffness: 1 N/m", "", "5:10", "oriented inward",
         "[orient]` orients"},
        {"mesh: ./closed.off", "volume_constraint, stiffness: 1 N/m, variant: paper, precision: double", "", "5:53",
         "exists in float only", "float, or the variant tuned"},
        {"mesh: ./closed.off", "volume_constraint, stiffness: 1 N/m, variant: reduced, weight_radius: 1 m", "", "5:53",
         "does not support a weight", "method.weight_radius: 0 m"},
        {"mesh: ./closed.off", "volume_constraint, stiffness: 1 N/m, variant: node_centric",
         "{ground: {height: 0 m}, collisions: host}", "5:53", "collisions on the device", "scene.collisions: device"},
        {"mesh: ./closed.off", "volume_constraint, stiffness: 1 N/m, variant: printed", "", "5:62", "is not known",
         "as_printed"},
        {"mesh: ./closed.off", "volume_constraint, stiffness: 1 N/m, weight_radius: -1 m", "", "5:68", "out of bounds",
         "at least 0 m"},
        {"mesh: ./closed.off", "mass_spring, stiffness: 1 N/m, variant: paper, precision: double", "", "5:47",
         "atomic sums exist in float only", "float, or the variant tuned"},
        {"cloth: {nodes: [6, 5]}", "mass_spring, stiffness: 1 N/m, variant: paper", "", "5:47", "the body is a cloth",
         "use tuned"},
        {"mesh: ./closed.off, surface: {inside: tetrahedra}", "volume_constraint, stiffness: 1 N/m", "", "4:38",
         "has no tetrahedra", "use body.surface.inside: none"},
        {"mesh: ./closed.off, surface: {inside: links}", "volume_constraint, stiffness: 1 N/m", "", "4:38",
         "has no links", "use body.surface.inside: none"},
        {"cloth: {nodes: [6, 5]}", "mass_spring, stiffness: 1 N/m", "{ground: {height: 0 m}}", "6:", "scene.ground",
         "body.mesh"},
        {"cloth: {nodes: [6, 5]}", "mass_spring, stiffness: 1 N/m", "{twist: {torque: 1 N m}}", "6:", "scene.twist",
         "body.mesh"},
        {"mesh: ./closed.off", "mass_spring, stiffness: 1 N/m", "{ground: {height: 0 m, restitution: 2}}", "6:44",
         "2 is out of bounds", "at most 1"},
        {"mesh: ./closed.off", "mass_spring, stiffness: 1 N/m", "{ground: {height: 0 m, friction: -0.1}}", "6:41",
         "-0.1 is out of bounds", "at least 0"},
        {"mesh: ./closed.off", "mass_spring, stiffness: 1 N/m", "{ground: {drop: 1 m}}", "6:", "scene.ground.drop",
         "scene.ground.height"},
        {"mesh: ./closed.off", "mass_spring, stiffness: 1 N/m", "{plate: {speed: 0 m/s}}", "6:24", "out of bounds",
         "above 0 m/s"},
        {"mesh: ./closed.off", "mass_spring, stiffness: 1 N/m", "{plate: {speed: 1 m/s, depth: 2}}", "6:38",
         "2 is out of bounds", "at most 1"},
        {"mesh: ./closed.off", "mass_spring, stiffness: 1 N/m", "{collisions: gpu}", "6:21", "is not known", "host"},
        {"mesh: ./closed.off", "mass_spring, stiffness: 1 N/m", "{sphere: {radius: 1 m, centre: [0, 0, 0]}}", "6:18",
         "mass_spring, which does not support scene.sphere", "remove scene.sphere"},
        {"mesh: ./closed.off", "volume_constraint, stiffness: 1 N/m", "{convex: {mesh: ./no.off, centre: [0, 0, 0]}}",
         "6:18", "does not support scene.convex", "remove scene.convex"},
        {"mesh: ./closed.off", "pbd_surface", "{wind: {kind: uniform, acceleration: [1 m/s^2, 0, 0]}}", "6:16",
         "does not support scene.wind", "remove scene.wind"},
        {"cloth: {nodes: [6, 5]}", "mass_spring, stiffness: 1 N/m",
         "{wind: {kind: triangles, velocity: [1 m/s, 0, 0], drag: 1 kg/m^2/s}}", "6:16", "does not support scene.wind",
         "remove scene.wind"},
        {"cloth: {nodes: [6, 5]}", "xpbd_hyperelastic, material: stvk", "", "5:10", "the body is a cloth", "body.mesh"},
        {"mesh: ./closed.off", "xpbd", "", "5:1: ", "method.spring is missing", "state it"},
        {"mesh: ./closed.off", "xpbd, spring: mores", "", "5:30", "is not known", "morse"},
        {"mesh: ./closed.off", "xpbd, spring: morse, stiffness: 0", "", "5:48", "out of bounds", "above 0"},
        {"mesh: ./closed.off", "xpbd, spring: morse_unmodified, morse_exponent: 0 1/m", "", "5:64", "out of bounds",
         "above 0"},
        {"mesh: ./closed.off", "xpbd, spring: morse_unmodified, morse_exponent: 1 m", "", "5:64", "has the unit m",
         "must be in 1/m"},
        {"mesh: ./closed.off", "xpbd, spring: morse_unmodified, morse_zero: infinity", "", "5:60", "is not known",
         "dissociation"},
        {"mesh: ./closed.off", "xpbd, spring: morse, groups: printed", "", "5:45", "is not known", "paper"},
        {"mesh: ./closed.off", "xpbd, spring: morse, velocity_damping: 1.5", "", "5:55", "out of bounds", "at most 1"},
        {"mesh: ./closed.off", "xpbd, spring: morse, compliance: -1e-6", "", "5:49", "out of bounds", "at least 0"},
        {"mesh: ./closed.off", "xpbd, spring: morse, damping: 1, damping_means: alpha", "", "5:64", "is not known",
         "scaled"},
        {"mesh: ./closed.off", "xpbd, spring: morse, iterations: 0", "", "5:49", "out of bounds", "at least 1"},
        {"mesh: ./open.off", "xpbd, spring: morse, volume: ghosts", "", "5:37", "the body is open", "use none"},
        {"mesh: ./closed.off", "xpbd, spring: morse", "{ground: {height: 0 m}}", "6:18",
         "cannot simulate scene.ground.height", "remove it"},
        {"mesh: ./closed.off", "xpbd, spring: morse", "{plate: {speed: 1 m/s}}", "6:17",
         "cannot simulate scene.plate.speed", "remove it"},
        {"mesh: ./closed.off, surface: {pins: lowest}", "xpbd, spring: morse", "{twist: {torque: 1 N m}}", "6:17",
         "cannot simulate scene.twist.torque", "remove it"},
        {"cloth: {nodes: [6, 5]}, surface: {up: z}", "mass_spring, stiffness: 1 N/m", "", "4:", "body.surface.up",
         "body.mesh"},
        {"mesh: ./closed.off", "mass_spring, stiffness: 1 N/m", "{twist: {torque: 1 N}}", "6:25", "has the unit N",
         "must be in N m"},
    };
    write_boxes();
    for (size_t m = 0; m < sizeof mistakes / sizeof *mistakes; ++m) {
        char *scene = *mistakes[m].scene ? text_format("scene: %s\n", mistakes[m].scene) : text_copy("");
        char *text = text_format("springback: 1\npaper: test\ntitle: t\nbody: {%s, node_mass: 1 kg}\n"
                                 "method: {name: %s}\n%stime: {step: 1 ms, frames: 1}\n",
                                 mistakes[m].body, mistakes[m].method, scene);
        text_write("paper/bad.yaml", text);
        shell("\"$S\" run paper/bad.yaml --out out");
        expect_code(2);
        char *place = text_format("springback: paper/bad.yaml:%s", mistakes[m].place);
        expect_err(place);
        expect_err(mistakes[m].wrong);
        expect_err(mistakes[m].right);
        cr_expect_not(matching("out"), "%zu left a folder", m);
        free(place);
        free(text);
        free(scene);
    }
}

/* The trace of a mesh records the numbers of its springs, and whether its results are bit-exact. */
Test(cli, a_trace_of_a_mesh_tells_its_springs_and_whether_its_bits_are_exact) {
    static const char *const variants[] = {"tuned", "as_printed", "printed_volume", "paper", "node_centric", "reduced"};
    write_boxes();
    for (int v = 0; v < 6; ++v) {
        char *text = text_format("springback: 1\npaper: test\ntitle: t\nbody: {mesh: ./closed.off, node_mass: 1 kg}\n"
                                 "method: {name: volume_constraint, stiffness: 1 N/m, variant: %s}\n"
                                 "time: {step: 1 ms, frames: 2}\n",
                                 variants[v]);
        struct trace_data trace;
        text_write("paper/box.yaml", text);
        shell("\"$S\" run --json --force paper/box.yaml --out out");
        expect_code(0);
        expect_out(v < 3 ? "\"bit_exact\":true" : "\"bit_exact\":false");
        cr_assert_eq(trace_open("out/paper/box/serial.h5", &trace), STATUS_OK, "%s", failure_text());
        static const char *const notes[][2] = {{"nodes", "4"},
                                               {"springs", "6"},
                                               {"springs_structural", "6"},
                                               {"springs_bend", "0"},
                                               {"springs_inside", "0"}};
        for (size_t n = 0; n < sizeof notes / sizeof *notes; ++n) {
            const char *note = trace_run_note(&trace, notes[n][0]);
            cr_expect(note && !strcmp(note, notes[n][1]), "%s: %s", notes[n][0], note);
        }
        const char *exact = trace_run_note(&trace, "bit_exact");
        cr_expect_eq(exact && !strcmp(exact, "no"), v >= 3, "%s: bit_exact %s", variants[v], exact);
        trace_close(&trace);
        free(text);
    }
}

/* The assumption method.stiffness applies to both methods of the list, although each method has its own field with the
 * path method.stiffness. */
Test(cli, a_trace_tells_the_range_and_the_reason_of_what_it_assumes) {
    static const char *const names[] = {"mass_spring", "volume_constraint"};
    write_boxes();
    text_write("paper/box.yaml", "springback: 1\npaper: test\nbody: {mesh: ./closed.off, node_mass: 1 kg}\n"
                                 "method: [{name: mass_spring}, {name: volume_constraint}]\n"
                                 "time: {step: 1 ms, frames: 1}\nassumptions: {method.stiffness: "
                                 "{value: 2 N/m, likely: [1 N/m, 3 N/m], why: the paper is silent}}\n");
    shell("\"$S\" run paper/box.yaml --out out");
    expect_code(0);
    for (int n = 0; n < 2; ++n) {
        char *path = text_format("out/paper/box/method=%s.h5", names[n]);
        struct trace_data trace;
        int found = 0;
        cr_assert_eq(trace_open(path, &trace), STATUS_OK, "%s", failure_text());
        for (int p = 0; p < trace.parameter_count; ++p) {
            const struct trace_parameter *parameter = &trace.parameters[p];
            if (strcmp(parameter->path, "method.stiffness") != 0)
                continue;
            ++found;
            cr_expect_str_eq(parameter->origin, "assumed");
            cr_expect_str_eq(parameter->low, "1 N/m", "%s", names[n]);
            cr_expect_str_eq(parameter->high, "3 N/m", "%s", names[n]);
            cr_expect_str_eq(parameter->why, "the paper is silent", "%s", names[n]);
        }
        cr_expect_eq(found, 1);
        trace_close(&trace);
        free(path);
    }
}

Test(cli, one_bad_run_of_a_sweep_stops_all_of_it) {
    vary("paper/bad.yaml", "1 ms", "[1 ms, 2 ms, -1 ms]");
    shell("\"$S\" run paper/bad.yaml --out out");
    expect_code(2);
    expect_err("paper/bad.yaml:8:");
    cr_expect_not(matching("out"));
}

Test(cli, a_file_that_is_none_is_told) {
    static const struct {
        const char *file, *wrong;
    } files[] = {{"missing.yaml", "springback: missing.yaml: cannot be read (No such file or directory); expected a "},
                 {"paper", "springback: paper: is a folder; expected a "},
                 {"/dev/null", "springback: /dev/null: "},
                 {"''", "cannot be read"}};
    for (size_t f = 0; f < sizeof files / sizeof *files; ++f) {
        shell("\"$S\" run %s --out out", files[f].file);
        expect_code(2);
        expect_err(files[f].wrong);
        cr_expect_not(matching("out"));
    }
    text_write("empty.yaml", "");
    shell("\"$S\" run empty.yaml --out out");
    expect_code(2);
    expect_err("empty.yaml: is empty; write \"key: value\" lines");
    cr_expect_not(matching("out"));
}

Test(cli, a_bad_file_does_not_keep_the_next_from_running) {
    shell("\"$S\" run missing.yaml paper/cloth.yaml --out out");
    expect_code(2);
    expect_err("missing.yaml");
    cr_expect_eq(matching("out/paper/cloth/serial.h5"), 1);
}

Test(cli, a_body_beyond_memory_is_refused_before_anything_starts) {
    if (memory_available() / 1000 > 200L * 1000 * 1000)
        cr_skip_test("this machine has enough memory for the body");
    vary("paper/large.yaml", "[6, 5]", "[46000, 46000]");
    shell("\"$S\" run paper/large.yaml --out out");
    expect_code(2);
    const char *at = strstr(said.err, "needs ");
    cr_assert_not_null(at, "%s", said.err);
    char *end;
    const unsigned long needed = strtoul(at + strlen("needs "), &end, 10);
    at = strstr(end, " bytes of memory, but ");
    cr_assert_eq(at, end, "%s", said.err);
    const unsigned long available = strtoul(at + strlen(" bytes of memory, but "), &end, 10);
    cr_expect_eq(strncmp(end, " are available", 14), 0, "%s", said.err);
    cr_expect_gt(needed, 46000UL * 46000 * 32); /* the bytes of positions and velocities, 32 for each node */
    cr_expect_lt(available, needed);
    expect_err("springback: paper/large.yaml: run serial: ");
    expect_err("use a smaller body");
    cr_expect_not(matching("out"));
}

Test(cli, a_device_that_was_asked_for_and_is_missing_is_an_error) {
    shell("\"$S\" devices --json");
    char *count = text_format("OpenCL devices here: %d, numbered from 0", lines(said.out));
    shell("\"$S\" run paper/cloth.yaml -b opencl:99 --out out");
    expect_code(2);
    expect_err("there is no OpenCL device 99 here");
    expect_err(count);
    free(count);
    cr_expect_not(matching("out"));
    shell("\"$S\" run paper/cloth.yaml -b cuda --out out");
    expect_code(2);
    expect_err("\"cuda\" is not known; it must be one of: serial threads");
    cr_expect_not(matching("out"));
}

static bool has_gpu(void) {
    shell("\"$S\" devices --json");
    return strstr(said.out, "\"gpu\":true") != NULL;
}

Test(cli, a_missing_device_of_the_file_is_recorded_and_the_rest_runs) {
    if (has_gpu())
        cr_skip_test("there is a GPU here");
    vary("paper/gpu.yaml", "springback: 1", "springback: 1\nbackend: [serial, 'opencl:gpu']");
    shell("\"$S\" run paper/gpu.yaml --out out");
    expect_code(0);
    expect_out("missing  backend=opencl.gpu: backend opencl:gpu: there is no OpenCL device of this type here");
    cr_expect_eq(matching("out/paper/gpu/*.h5"), 1);
    expect_cell("out/paper/gpu/runs.tsv", "backend=serial", "status", "whole");
    expect_cell("out/paper/gpu/runs.tsv", "backend=opencl.gpu", "status", "missing");
    expect_cell("out/paper/gpu/runs.tsv", "backend=opencl.gpu", "trace", "-");
    shell("\"$S\" run paper/gpu.yaml --out out");
    expect_code(0);
    expect_out("nothing to run: the other 1 are up to date");
    shell("\"$S\" run paper/gpu.yaml --out out --json");
    json_t *missing = object(1);
    cr_expect_str_eq(json_word(missing, "status"), "missing");
    cr_expect_str_eq(json_word(missing, "trace"), "");
    cr_expect(json_is_null(json_object_get(missing, "device")));
    json_decref(missing);
}

Test(cli, a_wrong_backend_in_a_file_is_no_missing_device) {
    vary("paper/bad.yaml", "springback: 1", "springback: 1\nbackend: [serial, 'threads:5000']");
    shell("\"$S\" run paper/bad.yaml --out out");
    expect_code(2);
    expect_err("threads:5000");
    expect_err("N from 1 to 4096");
    cr_expect_not(matching("out"));
}

Test(cli, the_words_of_the_opencl_compiler_are_shown) {
    cr_assert_eq(shell("cp -r '" SOURCE_DIR "/kernels' k && sed -i '1i this is no C;' k/mass_spring.h"), 0);
    vary("paper/two.yaml", "100 N/m", "[100 N/m, 200 N/m]");
    shell("SPRINGBACK_KERNELS=k \"$S\" run paper/two.yaml -b opencl --out out");
    expect_code(2);
    expect_err("cannot compile the kernels");
    expect_err("kernels/mass_spring.h:1:");
    cr_expect_not(strstr(said.err, "springback: \n"), "the message has an empty line:\n%s", said.err);
    expect_no_out("mass_spring.h"); /* the compiler's messages are printed on standard error only */
    cr_expect_eq(matching("out/*/*/*.h5") + matching("out/*/*/*.part"), 0);
    expect_cell("out/paper/two/runs.tsv", "stiffness=100,backend=opencl", "status", "failed");
    char *table = text_read("out/paper/two/runs.tsv");
    const char *reason = cell(table, "stiffness=200,backend=opencl", "reason"),
               *first = reason ? strstr(reason, "cannot") : NULL;
    cr_assert_not_null(first, "%s", table);
    cr_expect_not(strstr(first + 1, "cannot compile"), "the reason also has the message of the other run: %s", reason);
    free(table);
    /* The backend serial does not compile kernels. */
    shell("SPRINGBACK_KERNELS=k \"$S\" run paper/cloth.yaml --out out");
    expect_code(0);
    shell("SPRINGBACK_KERNELS=nowhere \"$S\" run paper/cloth.yaml -b opencl --out other");
    expect_code(2);
    expect_err("nowhere/dialect.h: No such file or directory; SPRINGBACK_KERNELS must name a folder");
    cr_expect_not(matching("other"));
    /* With SPRINGBACK_STRICT=1, which only tests set, a warning of the compiler is an error. */
    shell("sed -i '1s/.*/#warning this is no error/' k/mass_spring.h && "
          "SPRINGBACK_KERNELS=k SPRINGBACK_STRICT=1 \"$S\" run paper/two.yaml -b opencl --out strict");
    expect_code(2);
    expect_err("this is no error");
    shell("SPRINGBACK_KERNELS=k SPRINGBACK_STRICT=0 \"$S\" run paper/two.yaml -b opencl --out lax");
    expect_code(0);
}

Test(cli, an_output_folder_that_cannot_be_is_refused) {
    shell("\"$S\" run paper/cloth.yaml --out paper/cloth.yaml/below");
    expect_code(2);
    expect_err("cannot create the folder: Not a directory; choose another one, for example with --out");
    shell("\"$S\" run paper/cloth.yaml --out ''");
    expect_code(2);
    expect_err("--out: the folder's name is empty");
    char *kept = text_read("paper/cloth.yaml");
    cr_expect_str_eq(kept, cloth);
    free(kept);
}

Test(cli, wrong_words_are_told_and_nothing_runs) {
    static const struct {
        const char *words, *wrong;
    } cases[] = {
        {"", "Usage: springback COMMAND"},
        {"fly", "unknown command 'fly'; the commands are listed below"},
        {"fly", "judge the papers' claims"},
        {"run", "no experiment file given"},
        {"run --fly paper/cloth.yaml --out out", "unrecognized option '--fly'"},
        {"run paper/cloth.yaml --out", "requires an argument"},
        {"run paper/cloth.yaml --set time.frames=3", "use --out DIR with a separate folder"},
        {"run paper/cloth.yaml --out out --set fames=3", "the nearest key is time.frames"},
        {"run paper/cloth.yaml --out out --set time.frames=ten", "\"ten\" is not a number"},
        {"run paper/cloth.yaml --out out --only backend=opencl", "no run of paper/cloth.yaml has backend=opencl"},
        {"run paper/cloth.yaml --out out --only 'stiffness=7 N/m'",
         "`springback plan paper/cloth.yaml` lists the runs"},
        {"run paper/cloth.yaml --out out --set foo=1", "unknown key foo; `springback manual` lists the keys\n"},
        {"run paper/cloth.yaml --out out --only flop=7",
         "these runs have no parameter flop; `springback manual` lists"},
        {"run paper/cloth.yaml --out out --only stifness=7",
         "these runs have no parameter stifness; the nearest key is method.stiffness"},
        {"run paper/cloth.yaml --out out --only backend", "write KEY=VALUE, as in backend=serial"},
        {"run paper/cloth.yaml --out out --tier slow", "has no tier slow; it has: quick, full"},
        {"plan", "no experiment file given"},
        {"plan missing.yaml", "missing.yaml: cannot be read"},
        {"plan --json paper/cloth.yaml", "unrecognized option '--json'"},
        {"plan --out '' paper/cloth.yaml", "--out: the folder's name is empty"},
        {"clean", "no experiment file given"},
        {"clean missing.yaml", "missing.yaml: cannot be read"},
        {"clean --out '' paper/cloth.yaml", "--out: the folder's name is empty"},
        {"clean --fly paper/cloth.yaml", "unrecognized option '--fly'"},
        {"list --color=red", "--color expects auto, always or never, not 'red'"},
        {"list missing", "missing: no experiment files (missing/*/*.yaml)"},
        {"devices all", "Too many arguments"},
        {"manual all", "Too many arguments"},
        {"export", "no trace given (for the format figure: no folder of an experiment's traces)"},
        {"export missing.h5", "missing.h5: No such file or directory"},
        {"export paper/cloth.yaml", "paper/cloth.yaml: not an HDF5 file; expected a trace"},
        {"export --format gif missing.h5",
         "unknown format 'gif'; expected series, csv, vtk, triangles, picture or figure"},
        {"export --format triangles --colour red missing.h5",
         "--colour expects six hexadecimal digits, for example c0392b, not 'red'"},
        {"export --format triangles --colour 0x1234 missing.h5", "six hexadecimal digits"},
        {"export --format picture --size 300 missing.h5", "up to 8192 pixels each, for example 300x200, not '300'"},
        {"export --format picture --size 300x9000 missing.h5", "not '300x9000'"},
        {"export --format picture --size 300x20.5 missing.h5", "not '300x20.5'"},
        {"export --format picture --size 0x20 missing.h5", "not '0x20'"},
        {"export --format picture --size 0x1ex20 missing.h5", "not '0x1ex20'"},
        {"export --format picture --turn 0x10 missing.h5", "--turn expects degrees, -360 to 360, not '0x10'"},
        {"export --format picture --at 1,2 missing.h5",
         "--at expects three lengths in m, for example 0,0.5,0, not '1,2'"},
        {"export --format picture --at 1,2,nan missing.h5", "not '1,2,nan'"},
        {"export --format picture --at 1,2,3,4 missing.h5", "not '1,2,3,4'"},
        {"export --format picture --across 0 missing.h5", "--across expects a length in m, 1e-6 to 1e6, not '0'"},
        {"export --format picture --ground low missing.h5", "--ground expects a height in m, -1e6 to 1e6, not 'low'"},
        {"export --format picture --plate inf missing.h5", "--plate expects a height"},
        {"export --format picture --tilt 91 missing.h5", "--tilt expects degrees, -90 to 90, not '91'"},
        {"export --format picture --groups mine missing.h5",
         "--groups expects colouring, repaired or printed, not 'mine'"},
        {"export --format vtk --groups printed missing.h5", "--groups needs the format picture, not 'vtk'"},
        {"export --bare missing.h5", "--bare needs the format picture, not 'series'"},
        {"export --format picture --turn 1x missing.h5", "--turn expects degrees, -360 to 360, not '1x'"},
        {"export --format picture missing.h5", "missing.h5: No such file or directory"},
        {"export --format triangles --frame one missing.h5", "expects a frame's number, from 0, not 'one'"},
        {"export --format triangles --frame ' 1' missing.h5", "expects a frame's number, from 0, not ' 1'"},
        {"export --format triangles --frame -1 missing.h5", "expects a frame's number, from 0, not '-1'"},
        {"export --format figure --out made missing", "missing/runs.tsv: no such file"},
        {"export --format figure --out made paper/cloth.yaml", "paper/cloth.yaml/runs.tsv: no such file"},
        {"diff", "expected two traces, but 0 are given"},
        {"diff missing.h5", "expected two traces, but 1 is given"},
        {"diff missing.h5 paper/cloth.yaml", "missing.h5: No such file or directory"},
        {"diff missing.h5 paper/cloth.yaml", "paper/cloth.yaml: not an HDF5 file"},
        {"diff missing.h5 missing.h5 --backend serial", "--backend must be given twice"},
        {"check", "give a file of claims"},
        {"check --archive missing.tar", "missing.tar: No such file or directory; name an archive"},
        {"check --archive paper/cloth.yaml", "paper/cloth.yaml: not a springback archive"},
        {"check missing.yaml --out paper", "missing.yaml: cannot be read"},
        {"check claims.yaml --out missing", "missing: No such file or directory; expected a folder of traces"},
        {"check paper/cloth.yaml --out missing",
         "paper/cloth.yaml:1:1: this is a file of an experiment or of assumptions; name a file of claims"},
        {"check claims.yaml --out paper --about p/e", "--about: no experiment 'p/e', and no results of it in paper"},
        {"check claims.yaml --out paper --experiments . --about paper/cloht",
         "and no results of it in paper; did you mean paper/cloth?"},
        {"check claims.yaml --out paper --experiments . --about cloth", "did you mean paper/cloth?"},
        {"check claims.yaml --out paper --experiments . --about paper/", "; `springback list` lists the experiments"},
        {"check --archive missing.tar --about p/e", "it can be combined with none of --out, --experiments,"},
    };
    text_write("claims.yaml",
               "springback: 1\npaper: p\nclaims:\n"
               "  - {id: p.a, where: Sec. 1, says: b, kind: consistency, reported: 2, compute: 1 + 1}\n");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        shell("\"$S\" %s", cases[c].words);
        cr_expect_eq(said.code, 2, "springback %s: exit code %d", cases[c].words, said.code);
        cr_expect_eq(*said.out, 0, "springback %s: %s", cases[c].words, said.out);
        expect_err(cases[c].wrong);
        cr_expect_not(matching("out") + matching("made"), "springback %s left a folder", cases[c].words);
    }
}

Test(cli, help_and_version_are_no_mistakes) {
    static const char *const words[] = {"--help",       "help",          "--version",  "run --help",
                                        "check --help", "export --help", "diff --help"};
    for (size_t w = 0; w < sizeof words / sizeof *words; ++w) {
        shell("\"$S\" %s", words[w]);
        expect_code(0);
        expect_out("springback");
        cr_expect_eq(*said.err, 0, "%s", said.err);
    }
}

Test(cli, a_full_disk_behind_standard_output_is_an_error) {
    if (access("/dev/full", W_OK))
        cr_skip_test("there is no /dev/full here");
    static const char *const words[] = {"devices", "manual", "plan paper/cloth.yaml",
                                        "run paper/cloth.yaml --out out --json"};
    for (size_t w = 0; w < sizeof words / sizeof *words; ++w) {
        shell("\"$S\" %s >/dev/full", words[w]);
        expect_code(2);
        expect_err("cannot write to standard output");
    }
}
