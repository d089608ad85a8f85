/* The command as a person or a makefile meets it: exit codes, what is said and where, and which files are left. */
#include "base/store.h"
#include "shell.h"
#include "trace/trace.h"

#include <jansson.h>
#include <sys/stat.h>

/* The file that all others here are made from. */
static const char cloth[] = "springback: 1\n"
                            "paper: test\n"
                            "title: A small cloth\n"
                            "body:\n"
                            "  cloth: {nodes: [6, 5], springs: [structural, shear, bend], pins: corners}\n"
                            "  node_mass: 1 kg\n"
                            "method: {name: mass_spring, stiffness: 100 N/m, damping: 0.1 N s/m}\n"
                            "time: {step: 1 ms, steps_per_frame: 10, frames: 4}\n"
                            "record: {every: 1}\n";

/* ---- Running the binary ---- */

static void setup(void) {
    shell_begin();
    cr_assert_eq(mkdir("paper", 0777), 0);
    text_write("paper/cloth.yaml", cloth);
}

TestSuite(cli, .init = setup, .fini = shell_end);

/* Write a file that is the small cloth with one text in place of another; with an empty one, it is put in front. */
static void vary(const char *path, const char *old, const char *new) {
    const char *at = strstr(cloth, old);
    cr_assert_not_null(at, "%s is not in the cloth", old);
    char *text = text_format("%.*s%s%s", (int)(at - cloth), cloth, new, at + strlen(old));
    text_write(path, text);
    free(text);
}

/* The cell of the column that has this name, in the row whose first cell is this; NULL where there is none. It is the
 * caller's, until the next call. */
static const char *cell(const char *table, const char *row, const char *column) {
    static char line[16384], header[16384], *text;
    const char *found = NULL;
    free(text);
    text = text_copy(table);
    char *rest = text, *next = strsep(&rest, "\n");
    snprintf(header, sizeof header, "%s", next);
    while (!found && (next = strsep(&rest, "\n"))) {
        snprintf(line, sizeof line, "%s", next);
        char *names = header, *cells = line, *name, *value = strsep(&cells, "\t");
        if (strcmp(value, row) != 0)
            continue;
        for (name = strsep(&names, "\t"); name && value && !found; name = strsep(&names, "\t")) {
            if (!strcmp(name, column))
                found = value;
            value = strsep(&cells, "\t");
        }
        break;
    }
    return found;
}

static void expect_cell(const char *path, const char *row, const char *column, const char *expected) {
    char *table = text_read(path);
    const char *found = cell(table, row, column);
    cr_expect(found && !strcmp(found, expected), "%s: %s of %s is %s, not %s\n%s", path, column, row,
              found ? found : "missing", expected, table);
    free(table);
}

/* The object of a line of standard output; the caller's. */
static json_t *object(int line) {
    const char *text = said.out;
    for (int l = 0; l < line && text; ++l)
        text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
    cr_assert(text && *text, "there is no line %d:\n%s", line, said.out);
    json_error_t error;
    json_t *root = json_loadb(text, strcspn(text, "\n"), 0, &error);
    cr_assert_not_null(root, "%s: %s", error.text, text);
    return root;
}

static const char *json_word(const json_t *root, const char *key) {
    const char *text = json_string_value(json_object_get(root, key));
    cr_assert_not_null(text, "no text %s", key);
    return text;
}

static int lines(const char *text) {
    int count = 0;
    for (; *text; ++text)
        count += *text == '\n';
    return count;
}

static bool has_gpu(void) {
    shell("\"$S\" devices --json");
    return strstr(said.out, "\"gpu\":true") != NULL;
}

/* ---- Bad input ---- */

Test(cli, a_mistake_in_a_file_has_its_place_and_its_remedy_and_makes_no_folder) {
    static const struct {
        const char *old, *new, *place, *wrong, *right;
    } mistakes[] = {
        {"record:", "recrod:", "9:1", "recrod is no key", "nearest right one is record;"},
        {"damping", "dampning", "7:49", "method.dampning is no key", "method.damping"},
        {"title:", "paper: again\ntitle:", "3:1", "the key paper stands here and at line 2", "keep one of them"},
        {"mass_spring", "mass_sprong", "7:16", "\"mass_sprong\" is not known", "mass_spring"},
        {"1 ms", "1 kg", "8:14", "has the unit kg", "must be in s"},
        {"1 ms", "0.001", "8:14", "has no unit", "0.001 s"},
        {"1 ms", "-1 ms", "8:14", "out of bounds", "above 0 s"},
        {"1 ms", "nan s", "8:14", "not finite", "write a finite number"},
        {"1 ms", ".nan", "8:14", ".nan", "write"},
        {"100 N/m", "[]", "7:40", "empty list", "a list of values to sweep"},
        {"[6, 5]", "[0, 5]", "5:19", "0 is out of bounds", "at least 2"},
        {"[6, 5]", "[6, 1]", "5:", "1 is out of bounds", "at least 2"},
        {"[6, 5]", "[66000, 66000]", "5:19", "66000 is out of bounds", "at most 65536"},
        {"[6, 5]", "[6, 5", "5:", "broken YAML", "[a, b]"},
        {"springback: 1", "springback: 2", "1:13", "springback is 2", "springback: 1"},
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

/* Two bodies beside the cloth: closed, and with a side missing. */
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
         "body.mesh would be right"},
        {"mesh: ./open.off", "volume_constraint, stiffness: 1 N/m", "", "5:10", "is not closed", "springback mesh"},
        {"mesh: ./inward.off", "volume_constraint, stiffness: 1 N/m", "", "5:10", "turned inward", "[orient] would"},
        {"mesh: ./closed.off", "volume_constraint, stiffness: 1 N/m, variant: paper, precision: double", "", "5:53",
         "atomic sums are of floats", "float, or the variant tuned"},
        {"mesh: ./closed.off", "volume_constraint, stiffness: 1 N/m, variant: reduced, weight_radius: 1 m", "", "5:53",
         "it knows no weight", "a method.weight_radius of 0 m"},
        {"mesh: ./closed.off", "volume_constraint, stiffness: 1 N/m, variant: node_centric",
         "{ground: {height: 0 m}, collisions: host}", "5:53", "collides on the device", "scene.collisions: device"},
        {"mesh: ./closed.off", "volume_constraint, stiffness: 1 N/m, variant: printed", "", "5:62", "is not known",
         "as_printed"},
        {"mesh: ./closed.off", "volume_constraint, stiffness: 1 N/m, weight_radius: -1 m", "", "5:68", "out of bounds",
         "at least 0 m"},
        {"mesh: ./closed.off", "mass_spring, stiffness: 1 N/m, variant: paper, precision: double", "", "5:47",
         "atomic sums are of floats", "float, or the variant tuned"},
        {"cloth: {nodes: [6, 5]}", "mass_spring, stiffness: 1 N/m, variant: paper", "", "5:47", "the body is a cloth",
         "tuned would be right"},
        {"mesh: ./closed.off, surface: {inside: tetrahedra}", "volume_constraint, stiffness: 1 N/m", "", "4:38",
         "has none", "none would be right"},
        {"mesh: ./closed.off, surface: {inside: links}", "volume_constraint, stiffness: 1 N/m", "", "4:38", "has none",
         "none would be right"},
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
         "mass_spring, which takes no obstacle", "without it"},
        {"mesh: ./closed.off", "volume_constraint, stiffness: 1 N/m", "{convex: {mesh: ./no.off, centre: [0, 0, 0]}}",
         "6:18", "takes no obstacle", "without it"},
        {"mesh: ./closed.off", "pbd_surface", "{wind: {kind: uniform, acceleration: [1 m/s^2, 0, 0]}}", "6:16",
         "takes no wind", "without it"},
        {"cloth: {nodes: [6, 5]}", "mass_spring, stiffness: 1 N/m",
         "{wind: {kind: triangles, velocity: [1 m/s, 0, 0], drag: 1 kg/m^2/s}}", "6:16", "takes no wind", "without it"},
        {"cloth: {nodes: [6, 5]}", "xpbd, spring: morse", "", "5:10", "the body is a cloth", "body.mesh"},
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
        {"mesh: ./open.off", "xpbd, spring: morse, volume: ghosts", "", "5:37", "the body is open", "none would be"},
        {"mesh: ./closed.off", "xpbd, spring: morse", "{ground: {height: 0 m}}", "6:18", "knows no scene.ground.height",
         "without it"},
        {"mesh: ./closed.off", "xpbd, spring: morse", "{plate: {speed: 1 m/s}}", "6:17", "knows no scene.plate.speed",
         "without it"},
        {"mesh: ./closed.off, surface: {pins: lowest}", "xpbd, spring: morse", "{twist: {torque: 1 N m}}", "6:17",
         "knows no scene.twist.torque", "without it"},
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

/* A trace says what its bits are worth, and of what its body is. */
Test(cli, a_trace_of_a_mesh_tells_its_springs_and_whether_its_bits_are_exact) {
    static const char *const variants[] = {"tuned", "as_printed", "paper", "node_centric", "reduced"};
    write_boxes();
    for (int v = 0; v < 5; ++v) {
        char *text = text_format("springback: 1\npaper: test\ntitle: t\nbody: {mesh: ./closed.off, node_mass: 1 kg}\n"
                                 "method: {name: volume_constraint, stiffness: 1 N/m, variant: %s}\n"
                                 "time: {step: 1 ms, frames: 2}\n",
                                 variants[v]);
        struct trace_data trace;
        text_write("paper/box.yaml", text);
        shell("\"$S\" run --json --force paper/box.yaml --out out");
        expect_code(0);
        expect_out(v < 2 ? "\"bit_exact\":true" : "\"bit_exact\":false");
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
        cr_expect_eq(exact && !strcmp(exact, "no"), v >= 2, "%s: bit_exact %s", variants[v], exact);
        trace_close(&trace);
        free(text);
    }
}

/* Each method of a list has a field of its own at the path of an assumption. */
Test(cli, a_trace_tells_the_range_and_the_reason_of_what_it_assumes) {
    static const char *const names[] = {"mass_spring", "volume_constraint"};
    write_boxes();
    text_write("paper/box.yaml", "springback: 1\npaper: test\nbody: {mesh: ./closed.off, node_mass: 1 kg}\n"
                                 "method: [{name: mass_spring}, {name: volume_constraint}]\n"
                                 "time: {step: 1 ms, frames: 1}\nassumptions: {method.stiffness: "
                                 "{value: 2 N/m, range: [1 N/m, 3 N/m], why: the paper is silent}}\n");
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
    } files[] = {{"missing.yaml", "springback: missing.yaml: cannot be read (No such file or directory); name a "},
                 {"paper", "springback: paper: is a folder; name a "},
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
    expect_err("empty.yaml: is empty; it must hold a description");
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
        cr_skip_test("this machine could hold that body");
    vary("paper/large.yaml", "[6, 5]", "[46000, 46000]");
    shell("\"$S\" run paper/large.yaml --out out");
    expect_code(2);
    const char *at = strstr(said.err, "needs ");
    cr_assert_not_null(at, "%s", said.err);
    char *end;
    const unsigned long needed = strtoul(at + strlen("needs "), &end, 10);
    at = strstr(end, " bytes of memory, and ");
    cr_assert_eq(at, end, "%s", said.err);
    const unsigned long available = strtoul(at + strlen(" bytes of memory, and "), &end, 10);
    cr_expect_eq(strncmp(end, " are available", 14), 0, "%s", said.err);
    cr_expect_gt(needed, 46000UL * 46000 * 32); /* positions and velocities alone */
    cr_expect_lt(available, needed);
    expect_err("springback: paper/large.yaml: run serial: ");
    expect_err("a smaller body would fit");
    cr_expect_not(matching("out"));
}

Test(cli, a_device_that_was_asked_for_and_is_missing_is_an_error) {
    shell("\"$S\" devices --json");
    char *count = text_format("`springback devices` lists %d", lines(said.out));
    shell("\"$S\" run paper/cloth.yaml -b opencl:99 --out out");
    expect_code(2);
    expect_err("there is no OpenCL device 99 here");
    expect_err(count);
    free(count);
    cr_expect_not(matching("out"));
    shell("\"$S\" run paper/cloth.yaml -b cuda --out out");
    expect_code(2);
    expect_err("\"cuda\" is not known; it must be serial, threads");
    cr_expect_not(matching("out"));
}

Test(cli, a_missing_device_of_the_file_is_recorded_and_the_rest_runs) {
    if (has_gpu())
        cr_skip_test("there is a GPU here");
    vary("paper/gpu.yaml", "springback: 1", "springback: 1\nbackend: [serial, 'opencl:gpu']");
    shell("\"$S\" run paper/gpu.yaml --out out");
    expect_code(0);
    expect_out("missing: backend opencl:gpu: there is no such OpenCL device here");
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
    cr_expect_not(strstr(said.err, "springback: \n"), "an empty line:\n%s", said.err);
    expect_no_out("mass_spring.h"); /* said once */
    cr_expect_eq(matching("out/*/*/*.h5") + matching("out/*/*/*.part"), 0);
    expect_cell("out/paper/two/runs.tsv", "stiffness=100,backend=opencl", "status", "failed");
    char *table = text_read("out/paper/two/runs.tsv");
    const char *reason = cell(table, "stiffness=200,backend=opencl", "reason"),
               *first = reason ? strstr(reason, "cannot") : NULL;
    cr_assert_not_null(first, "%s", table);
    cr_expect_not(strstr(first + 1, "cannot compile"), "the reason holds the other run's as well: %s", reason);
    free(table);
    /* The CPU's own code is compiled already. */
    shell("SPRINGBACK_KERNELS=k \"$S\" run paper/cloth.yaml --out out");
    expect_code(0);
    shell("SPRINGBACK_KERNELS=nowhere \"$S\" run paper/cloth.yaml -b opencl --out other");
    expect_code(2);
    expect_err("nowhere/dialect.h: No such file or directory; SPRINGBACK_KERNELS must name a folder");
    cr_expect_not(matching("other"));
    /* A warning is a mistake in these tests alone. */
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
    expect_err("the folder cannot be made: Not a directory; --out names another");
    shell("\"$S\" run paper/cloth.yaml --out ''");
    expect_code(2);
    expect_err("--out names no folder");
    char *kept = text_read("paper/cloth.yaml");
    cr_expect_str_eq(kept, cloth);
    free(kept);
}

Test(cli, wrong_words_are_told_and_nothing_runs) {
    static const struct {
        const char *words, *wrong;
    } cases[] = {
        {"", "Usage: springback VERB"},
        {"fly", "'fly' is no verb; the verbs are listed below"},
        {"fly", "judge the papers' claims"},
        {"run", "an experiment file must be named"},
        {"run --fly paper/cloth.yaml --out out", "unrecognized option '--fly'"},
        {"run paper/cloth.yaml --out", "requires an argument"},
        {"run paper/cloth.yaml --set time.frames=3", "--out DIR must name a folder of its own"},
        {"run paper/cloth.yaml --out out --set fames=3", "the nearest right one is time.frames"},
        {"run paper/cloth.yaml --out out --set time.frames=ten", "\"ten\" is no number"},
        {"run paper/cloth.yaml --out out --only backend=opencl", "no run of paper/cloth.yaml has backend=opencl"},
        {"run paper/cloth.yaml --out out --only 'stiffness=7 N/m'", "`springback plan paper/cloth.yaml` lists those"},
        {"run paper/cloth.yaml --out out --set foo=1",
         "foo is no key of a description; `springback manual` lists them\n"},
        {"run paper/cloth.yaml --out out --only flop=7",
         "flop is no parameter of these runs; `springback manual` lists"},
        {"run paper/cloth.yaml --out out --only stifness=7", "these runs; the nearest right one is method.stiffness"},
        {"run paper/cloth.yaml --out out --only backend", "write KEY=VALUE, as in backend=serial"},
        {"run paper/cloth.yaml --out out --tier slow", "has no tier slow; it has: quick, full"},
        {"plan", "an experiment file must be named"},
        {"plan missing.yaml", "missing.yaml: cannot be read"},
        {"plan --json paper/cloth.yaml", "unrecognized option '--json'"},
        {"plan --out '' paper/cloth.yaml", "--out names no folder"},
        {"clean", "an experiment file must be named"},
        {"clean missing.yaml", "missing.yaml: cannot be read"},
        {"clean --out '' paper/cloth.yaml", "--out names no folder"},
        {"clean --fly paper/cloth.yaml", "unrecognized option '--fly'"},
        {"list --color=red", "--color takes auto, always or never; 'red' is none of them"},
        {"manual --man=3", "--man takes 1 or 5; '3' is not known"},
        {"manual --completion=fish", "--completion takes bash; 'fish' is not known"},
        {"list missing", "missing: no experiment files (missing/*/*.yaml)"},
        {"devices all", "Too many arguments"},
        {"manual all", "Too many arguments"},
        {"export", "a trace (or for figure an experiment's folder, for archive a machine's) must be named"},
        {"export missing.h5", "missing.h5: No such file or directory"},
        {"export paper/cloth.yaml", "paper/cloth.yaml: not an HDF5 file; a trace was expected"},
        {"export --format gif missing.h5",
         "format 'gif' is not known; series, vtk, triangles, picture, archive or figure would be"},
        {"export --format triangles --colour red missing.h5",
         "--colour takes six hexadecimal digits, such as c0392b; 'red'"},
        {"export --format triangles --colour 0x1234 missing.h5", "six hexadecimal digits"},
        {"export --format picture --size 300 missing.h5", "up to 8192 pixels each, such as 300x200; '300' is none"},
        {"export --format picture --size 300x9000 missing.h5", "'300x9000' is none"},
        {"export --format picture --size 300x20.5 missing.h5", "'300x20.5' is none"},
        {"export --format picture --size 0x20 missing.h5", "'0x20' is none"},
        {"export --format picture --at 1,2 missing.h5",
         "--at takes three lengths in m, such as 0,0.5,0; '1,2' are none"},
        {"export --format picture --at 1,2,nan missing.h5", "'1,2,nan' are none"},
        {"export --format picture --at 1,2,3,4 missing.h5", "'1,2,3,4' are none"},
        {"export --format picture --across 0 missing.h5", "--across takes a length in m, 1e-6 to 1e6; '0' is none"},
        {"export --format picture --ground low missing.h5", "--ground takes a height in m, -1e6 to 1e6; 'low' is none"},
        {"export --format picture --plate inf missing.h5", "--plate takes a height"},
        {"export --format picture --tilt 91 missing.h5", "--tilt takes degrees, -90 to 90; '91' is none"},
        {"export --format picture --groups mine missing.h5",
         "--groups takes colouring, repaired or printed; 'mine' is none"},
        {"export --format vtk --groups printed missing.h5",
         "--groups is for the format picture; 'vtk' has no use for it"},
        {"export --bare missing.h5", "--bare is for the format picture; 'series' has no use for it"},
        {"export --format picture --turn 1x missing.h5", "--turn takes degrees, -360 to 360; '1x' is none"},
        {"export --format picture missing.h5", "missing.h5: No such file or directory"},
        {"export --format triangles --frame one missing.h5", "takes a frame's number, from 0; 'one' is none"},
        {"export --format triangles --frame -1 missing.h5", "takes a frame's number, from 0; '-1' is none"},
        {"export --format figure --out made missing", "missing/runs.tsv: there is no such file"},
        {"export --format figure --out made paper/cloth.yaml", "paper/cloth.yaml/runs.tsv: there is no such file"},
        {"diff", "two traces must be named, and 0 are"},
        {"diff missing.h5", "two traces must be named, and 1 is"},
        {"diff missing.h5 paper/cloth.yaml", "missing.h5: No such file or directory"},
        {"diff missing.h5 paper/cloth.yaml", "paper/cloth.yaml: not an HDF5 file"},
        {"diff missing.h5 missing.h5 --backend serial", "--backend is given twice"},
        {"refine", "an experiment file must be named"},
        {"refine missing.yaml --out out", "missing.yaml: cannot be read"},
        {"refine paper/cloth.yaml --out ''", "--out names no folder"},
        {"refine paper/cloth.yaml --out out --claims none.yaml", "none.yaml: cannot be read"},
        {"refine paper/cloth.yaml --out out --set steps_per_frame=900000", "has no variant at h/2"},
        {"refine paper/cloth.yaml --out out --only backend=opencl", "no run of paper/cloth.yaml has backend=opencl"},
        {"check", "name a file of claims"},
        {"check --archive missing.tar", "missing.tar: there is no such file; name an archive"},
        {"check --archive paper/cloth.yaml", "paper/cloth.yaml: this is no archive of springback's"},
        {"check missing.yaml --out paper", "missing.yaml: cannot be read"},
        {"check paper/cloth.yaml --out missing", "missing: No such file or directory; name a folder of traces"},
        {"check paper/cloth.yaml --out paper", "paper/cloth.yaml:"},
        {"check paper/cloth.yaml --out paper --about p/e", "--about: there are no results of 'p/e' in paper"},
        {"check --archive missing.tar --about p/e", "leave out --out, --experiments, --about,"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        shell("\"$S\" %s", cases[c].words);
        cr_expect_eq(said.code, 2, "springback %s: exit code %d", cases[c].words, said.code);
        cr_expect_eq(*said.out, 0, "springback %s: %s", cases[c].words, said.out);
        expect_err(cases[c].wrong);
        cr_expect_not(matching("out") + matching("made"), "springback %s left a folder", cases[c].words);
    }
}

Test(cli, help_and_version_are_no_mistakes) {
    static const char *const words[] = {"--help",       "help",          "--version",   "run --help",
                                        "check --help", "export --help", "diff --help", "refine --help"};
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
        expect_err("standard output cannot be written");
    }
}

/* ---- Good runs ---- */

Test(cli, every_backend_ends_in_the_same_hash_and_json_says_all) {
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

/* Where threads add to one place in no order, two runs need not end in the same bits; they are timed all the same. */
Test(cli, repeats_of_atomic_sums_may_part) {
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

/* The reference run of any experiment. */
Test(cli, double_precision_is_one_word_and_the_same_bits_everywhere) {
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
    cr_expect_str_neq(json_word(runs[3], "state_hash"), hash, "this is not double precision");
    for (int b = 0; b < 4; ++b)
        json_decref(runs[b]);
}

Test(cli, json_is_whole_whatever_bytes_a_file_name_has) {
    char *name = text_format("paper/%c.yaml", 0xff);
    text_write(name, cloth);
    free(name);
    shell("\"$S\" run paper/?.yaml --out out --json");
    expect_code(0);
    json_t *run = object(0);
    cr_expect_str_eq(json_word(run, "experiment"), "paper/?");
    cr_expect_str_eq(json_word(run, "status"), "whole");
    json_decref(run);
}

static struct timespec changed_at(const char *path) {
    struct stat about;
    cr_assert_eq(stat(path, &about), 0, "%s", path);
    return about.st_mtim;
}

static bool same_time(struct timespec a, struct timespec b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

Test(cli, what_is_up_to_date_is_left_alone) {
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

    vary("paper/cloth.yaml", "100 N/m", "0.1 kN/m"); /* another way to write it */
    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_out("nothing to run");

    vary("paper/cloth.yaml", "100 N/m", "120 N/m");
    text_write("paper/cloth.yaml", cloth); /* changed back before it ran */
    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_out("nothing to run");
    cr_expect(same_time(traced, changed_at(trace)));

    vary("paper/cloth.yaml", "100 N/m", "120 N/m");
    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_code(0);
    expect_no_out("nothing to run");
    struct timespec second = changed_at(trace);
    cr_expect_not(same_time(traced, second));

    text_write("paper/cloth.yaml", cloth); /* the trace that is there is the other one's */
    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_no_out("nothing to run");
    cr_expect_not(same_time(second, changed_at(trace)));

    shell("\"$S\" run paper/cloth.yaml --out out --force");
    expect_code(0);
    expect_no_out("nothing to run");
    cr_expect_not(same_time(first, changed_at(table)), "what is made from the table must be made again");

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

Test(cli, a_part_of_a_plan_keeps_the_rows_of_the_rest) {
    const char *table = "out/paper/two/runs.tsv";
    vary("paper/two.yaml", "springback: 1", "springback: 1\nbackend: [serial, 'threads:2']");
    shell("\"$S\" run paper/two.yaml --out out");
    expect_code(0);
    shell("\"$S\" run paper/two.yaml --out out --only backend=serial --force");
    expect_code(0);
    expect_cell(table, "backend=serial", "status", "whole");
    expect_cell(table, "backend=threads.2", "status", "whole");
    /* The whole plan's rows are all there are. */
    vary("paper/two.yaml", "springback: 1", "springback: 1\nbackend: [serial, 'threads:3']");
    shell("\"$S\" run paper/two.yaml --out out");
    char *text = text_read(table);
    cr_expect_eq(lines(text), 3, "%s", text);
    cr_expect_not(cell(text, "backend=threads.2", "status"));
    free(text);
}

Test(cli, what_belongs_to_an_earlier_plan_is_not_judged_with_the_rest) {
    vary("paper/two.yaml", "[6, 5]", "[[6, 5], [7, 5]]");
    shell("\"$S\" run paper/two.yaml --out out");
    expect_code(0);
    cr_assert_eq(shell("sed -i 's/100 N/200 N/' paper/two.yaml"), 0);
    shell("\"$S\" run paper/two.yaml --out out --only 'nodes=[6, 5]'");
    expect_code(0);
    char *text = text_read("out/paper/two/runs.tsv");
    cr_expect_eq(lines(text), 2, "the other run is of 100 N/m:\n%s", text);
    free(text);
    /* A run that ended between its last trace and its manifest leaves the manifest of the one before. */
    cr_assert_eq(shell("\"$S\" run paper/two.yaml --out out && cp out/paper/two/runs.tsv kept && "
                       "sed -i 's/200 N/300 N/' paper/two.yaml && \"$S\" run paper/two.yaml --out out && "
                       "cp kept out/paper/two/runs.tsv"),
                 0, "%s", said.err);
    shell("\"$S\" export --format figure --out tables out/paper/two");
    expect_code(2);
    expect_err("out/paper/two/nodes=6x5.h5: this trace is not the one that runs.tsv was written for");
    shell("\"$S\" run paper/two.yaml --out out && \"$S\" export --format figure --out tables out/paper/two");
    expect_code(0);
    expect_out("nothing to run");
    expect_cell("tables/summary.tsv", "nodes=7x5", "method.stiffness", "300 N/m");
}

Test(cli, a_damaged_trace_is_made_again) {
    shell("\"$S\" run paper/cloth.yaml --out out --json");
    expect_code(0);
    json_t *run = object(0);
    char *hash = text_copy(json_word(run, "state_hash"));
    json_decref(run);
    shell("LC_ALL=C sed -i \"s/%.8s/zzzzzzzz/\" out/paper/cloth/serial.h5", hash);
    /* HDF5 does not free all of what it read of a damaged file. */
    shell("ASAN_OPTIONS=detect_leaks=0 \"$S\" run paper/cloth.yaml --out out --json");
    expect_code(0);
    run = object(0);
    cr_expect_str_eq(json_word(run, "status"), "whole");
    cr_expect_str_eq(json_word(run, "state_hash"), hash);
    cr_expect_not(json_is_true(json_object_get(run, "up_to_date")));
    json_decref(run);
    free(hash);
}

Test(cli, a_backend_that_is_asked_for_has_a_result_of_its_own) {
    shell("\"$S\" run paper/cloth.yaml --out out -b serial && \"$S\" run paper/cloth.yaml --out out -b threads:2");
    expect_code(0);
    expect_cell("out/paper/cloth/runs.tsv", "backend=serial", "status", "whole");
    expect_cell("out/paper/cloth/runs.tsv", "backend=threads.2", "status", "whole");
    vary("paper/two.yaml", "springback: 1", "springback: 1\nbackend: [serial, 'threads:2']");
    shell("\"$S\" run paper/two.yaml --out out && \"$S\" run paper/two.yaml --out out -b serial");
    expect_code(0);
    expect_out("nothing to run: all 1 are up to date");
}

Test(cli, two_runs_into_one_folder_wait_for_each_other) {
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

Test(cli, what_follows_a_blow_up_is_not_timed) {
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

Test(cli, a_timed_run_has_every_sample) {
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

Test(cli, twins_of_an_interrupted_run_do_not_remain) {
    cr_assert_eq(shell("mkdir -p out/paper/cloth && echo rest >out/paper/cloth/serial.h5.part"), 0);
    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_code(0);
    cr_expect_eq(matching("out/*/*/*.part"), 0);
    cr_expect_eq(matching("out/*/*/*"), 2);
    /* Nor does a run that is ended from outside leave a trace that looks whole. */
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

Test(cli, an_instability_is_a_result) {
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
    shell("\"$S\" run paper/stiff.yaml --out out --json"); /* from the trace, it is told the same */
    run = object(0);
    cr_expect_str_eq(json_word(run, "status"), "diverged");
    cr_expect(json_is_true(json_object_get(run, "up_to_date")));
    cr_expect_eq(json_integer_value(json_object_get(run, "frames")), frames);
    json_decref(run);
}

/* ---- The other verbs ---- */

Test(cli, plan_says_what_would_run_and_runs_nothing) {
    vary("paper/swept.yaml", "100 N/m", "[100 N/m, 200 N/m]");
    shell("printf 'assumptions:\\n  scene.gravity: {value: [0, -9.81 m/s^2, 0], range: [[0, -10 m/s^2, 0], [0, -9 "
          "m/s^2, 0]], why: the paper is silent}\\n' "
          ">>paper/swept.yaml && \"$S\" plan paper/swept.yaml");
    expect_code(0);
    expect_out("paper/swept: A small cloth\n");
    expect_out("scene.gravity = 0 -9.81 0 m/s^2");
    expect_out("the paper is silent");
    expect_out("2 runs:");
    expect_out("stiffness=100 ");
    expect_out("stiffness=200 ");
    expect_out("30 nodes       127 springs        4 frames of 10 steps");
    expect_out("would run: no trace yet; about ");
    expect_out("  2 would run, in about ");
    shell("\"$S\" plan paper/swept.yaml --only 'stiffness=200 N/m' --set time.frames=7");
    expect_code(0);
    expect_no_out("stiffness=100 ");
    expect_out("7 frames of 10 steps");
    cr_expect_not(matching("out"));
}

/* Write a text note of a trace's group in place of what it says. */
static void note_write(const char *path, const char *group, const char *note, const char *text) {
    hid_t file = store_open(path, H5F_ACC_RDWR);
    cr_assert(file >= 0, "%s", path);
    hid_t opened = H5Gopen2(file, group, H5P_DEFAULT);
    cr_assert(opened >= 0 && store_text_write(opened, note, text));
    store_release(&opened);
    store_release(&file);
}

Test(cli, plan_says_of_each_run_why_it_would_run) {
    const char *trace = "out/paper/cloth/serial.h5";
    cr_assert_eq(shell("\"$S\" run paper/cloth.yaml --out out"), 0);
    shell("\"$S\" plan paper/cloth.yaml --out out");
    expect_code(0);
    expect_out("        up to date\n  0 would run; 1 up to date\n");
    shell("\"$S\" plan paper/cloth.yaml --out out --set 'method.stiffness=120 N/m' --set time.frames=7");
    expect_out("would run: time.frames was 4, is 7; method.stiffness was 100 N/m, is 120 N/m; about ");
    /* The CPU's loops are compiled in. */
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
        {"/provenance", "code", "old", "the program's code changed; about "},
        {"/provenance", "driver", "a cart", "the driver was a cart, is "},
        {"/provenance", "device", "an abacus", "the device was an abacus, is "},
        {"/run", "title", "another", "the trace was made from something else"},
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
    store_release(&file);
    shell("\"$S\" plan paper/cloth.yaml --out out");
    expect_out("would run: the trace is of another version's layout; about ");
    shell("echo rest >%s; \"$S\" plan paper/cloth.yaml --out out", trace);
    expect_out("would run: what lies in its place is no trace; about ");
    shell("head -c 9000 whole.h5 >%s; \"$S\" plan paper/cloth.yaml --out out", trace);
    expect_out("would run: the trace is damaged; about ");
    cr_expect_eq(*said.err, 0, "%s", said.err);
}

/* A trace whose key is right and whose series is not there any more. */
Test(cli, a_trace_that_is_damaged_behind_its_key_is_made_again) {
    const char *trace = "out/paper/cloth/serial.h5";
    cr_assert_eq(shell("\"$S\" run paper/cloth.yaml --out out"), 0);
    hid_t file = store_open(trace, H5F_ACC_RDWR);
    cr_assert(file >= 0 && H5Ldelete(file, "/frames/hash", H5P_DEFAULT) >= 0);
    store_release(&file);
    shell("\"$S\" plan paper/cloth.yaml --out out");
    expect_code(0);
    expect_out("would run: the trace is damaged; about ");
    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_code(0);
    expect_no_out("nothing to run");
    shell("\"$S\" run paper/cloth.yaml --out out");
    expect_out("nothing to run");
}

Test(cli, timed_runs_are_planned_as_they_are_run_together) {
    vary("paper/timed.yaml", "frames: 4", "frames: 4, repeats: 2");
    text_write("more", "backend: [serial, 'threads:2']\n");
    cr_assert_eq(shell("cat more >>paper/timed.yaml && \"$S\" run paper/timed.yaml --out out"), 0);
    shell("\"$S\" plan paper/timed.yaml --out out");
    expect_out("  0 would run; 2 up to date\n");
    note_write("out/paper/timed/backend=serial.h5", "/provenance", "driver", "a cart");
    note_write("out/paper/timed/backend=serial.h5", "/run", "key", "another");
    shell("\"$S\" plan paper/timed.yaml --out out");
    expect_out("would run: the driver was a cart, is ");
    expect_out("would run: it is timed together with backend=serial, which is not up to date; about ");
    expect_out("  2 would run, in about ");
    shell("\"$S\" run paper/timed.yaml --out out --json");
    for (int r = 0; r < 2; ++r) {
        json_t *run = object(r);
        cr_expect(json_is_false(json_object_get(run, "up_to_date")));
        json_decref(run);
    }
}

Test(cli, plan_forecasts_from_what_runs_took) {
    shell("\"$S\" plan paper/cloth.yaml --out out");
    expect_out(", a rough guess\n");
    expect_out(" (rough)\n");
    cr_assert_eq(shell("\"$S\" run paper/cloth.yaml --out out"), 0);
    note_write("out/paper/cloth/serial.h5", "/run", "seconds", "10");
    shell("\"$S\" plan paper/cloth.yaml --out out --set 'method.stiffness=120 N/m'");
    expect_out("; about 10 s, as it took before\n  1 would run, in about 10 s\n");
    shell("\"$S\" plan paper/cloth.yaml --out out --set time.frames=8");
    expect_out("; about 20 s, as it took before\n");
    vary("paper/other.yaml", "[6, 5]", "[12, 15]");
    shell("\"$S\" plan paper/other.yaml --out out --set time.repeats=30");
    expect_out("no trace yet; about 30 min 00 s, from a like run\n");
    shell("\"$S\" plan paper/other.yaml --out out -b threads:2");
    expect_out(", a rough guess\n");
}

Test(cli, plan_tells_what_run_would_refuse) {
    vary("paper/bad.yaml", "springback: 1", "springback: 1\nbackend: [serial, 'threads:5000', 'opencl:99']");
    shell("\"$S\" plan paper/bad.yaml --out out");
    expect_code(2);
    expect_out("would be refused: ");
    expect_out("would be missing: backend opencl:99: there is no OpenCL device 99 here");
    expect_out("  1 would run, in about ");
    expect_out("; 1 missing; 1 refused\n");
    expect_err("threads:5000");
    shell("\"$S\" plan paper/cloth.yaml -b opencl:99 --out out");
    expect_code(2);
    expect_err("there is no OpenCL device 99 here");
    cr_expect_not(matching("out"));
}

/* ---- What is left over ---- */

/* Run a sweep of two, then one of them alone, beside an interrupted run and things that are a person's own. */
static void leave_over(void) {
    vary("paper/two.yaml", "100 N/m", "[100 N/m, 200 N/m]");
    vary("paper/gone.yaml", "frames: 4", "frames: 3");
    cr_assert_eq(shell("\"$S\" run paper/two.yaml paper/gone.yaml paper/cloth.yaml --out out && "
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
    static const char *const kept[] = {"two/stiffness=100.h5", "two/stiffness=300.h5",   "two/stiffness=100.tsv",
                                       "two/runs.tsv",         "two/summary.tsv",        "two/mine.h5",
                                       "two/mine.tsv",         "two/notes.h5",           "two/deep.h5",
                                       "two/link.h5",          "two/runs.tsv.4712.part", "cloth/serial.h5",
                                       "cloth/runs.tsv",       "../else/gone/serial.h5"};
    for (size_t k = 0; k < sizeof kept / sizeof *kept; ++k) {
        char *path = text_format("out/paper/%s", kept[k]);
        cr_expect_eq(matching(path), 1, "%s is gone\n%s", path, said.out);
        free(path);
    }
}

Test(cli, clean_removes_what_is_left_over_and_nothing_else) {
    static const char *const stale[] = {"two/stiffness=200.h5",
                                        "two/stiffness=200.tsv",
                                        "two/stiffness=300.h5.part",
                                        "two/runs.tsv.4711.part",
                                        "gone/serial.h5",
                                        "gone/serial.tsv",
                                        "gone/runs.tsv",
                                        "gone/summary.tsv",
                                        "gone/context.gp",
                                        "gone/.lock"};
    enum { STALE = sizeof stale / sizeof *stale };
    leave_over();
    shell("\"$S\" plan paper/two.yaml --out out");
    expect_out("  left over: 10 files, ");
    expect_out(" (--stale names them, `springback clean` removes them)\n");
    expect_no_out("stiffness=200.h5");
    shell("\"$S\" plan paper/two.yaml --out out --stale --only 'stiffness=100 N/m'");
    for (size_t s = 0; s < STALE; ++s)
        expect_out(stale[s]);
    cr_expect_eq(matching("out/paper/gone/*"), 5);
    expect_out("stiffness=200.h5  (no row of the manifest names it, ");

    shell("\"$S\" clean paper/*.yaml --out out --dry-run");
    expect_code(0);
    cr_expect_eq(lines(said.out), STALE + 1, "%s", said.out);
    cr_expect_eq(matching("out/paper/gone/*") + matching("out/paper/two/stiffness=200*"), 5 + 2);
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
    expect_out("removed out/paper/gone: its experiment's file is gone\n");
    expect_out("\n10 files, ");
    cr_expect_not(matching("out/paper/gone"));
    expect_kept();
    shell("\"$S\" clean paper/*.yaml --out out");
    expect_code(0);
    cr_expect_str_eq(said.out, "nothing is left over\n");
    shell("\"$S\" run paper/*.yaml --out out && \"$S\" plan paper/two.yaml --out out");
    expect_out("  0 would run; 2 up to date\n");
    expect_no_out("left over");
}

Test(cli, clean_keeps_what_can_be_resumed_and_what_is_being_written) {
    vary("paper/long.yaml", "frames: 4", "frames: 10000000");
    const char *part = "out/paper/long/serial.h5.part";
    shell("\"$S\" run paper/long.yaml --out out --set record.every=1000 & pid=$!; "
          "sed -i 's/every: 1/every: 1000/' paper/long.yaml; "
          "while [ ! -e %s ]; do kill -0 $pid || exit 1; sleep 0.01; done; sleep 0.2; "
          "\"$S\" clean paper/long.yaml --out out --parts; kill -9 $pid; wait $pid",
          part);
    expect_code(137);
    cr_expect_str_eq(said.out, "paper/long: A small cloth, 1 runs\nnothing is left over\n");
    cr_assert_eq(matching(part), 1);
    shell("\"$S\" plan paper/long.yaml --out out");
    expect_out("  left over: 1 file, ");
    expect_out(", 1 of an interrupted run that can be resumed (");
    shell("\"$S\" clean paper/long.yaml --out out");
    expect_code(0);
    expect_out("kept out/paper/long/serial.h5.part: its run was interrupted and can be resumed; --parts removes it\n");
    cr_assert_eq(matching(part), 1);
    shell("sed 's/100 N/101 N/' paper/long.yaml >paper/new.yaml; mv out/paper/long out/paper/new; "
          "\"$S\" clean paper/new.yaml --out out --dry-run");
    expect_out("would remove out/paper/new/serial.h5.part: its run was interrupted\n"); /* other parameters */
    shell("mv out/paper/new out/paper/long; \"$S\" clean paper/long.yaml --out out --parts");
    expect_code(0);
    expect_out("removed out/paper/long/serial.h5.part: its run was interrupted\n");
    cr_expect_not(matching(part));
}

Test(cli, clean_removes_nothing_where_anything_is_wrong) {
    leave_over();
    vary("paper/bad.yaml", "1 ms", "1 kg");
    shell("\"$S\" clean paper/two.yaml paper/bad.yaml --out out");
    expect_code(2);
    expect_err("paper/bad.yaml:8:14: ");
    cr_expect_eq(matching("out/paper/two/stiffness=200.h5"), 1);
    shell("rm paper/bad.yaml; echo rows >out/paper/gone/runs.tsv; \"$S\" clean paper/two.yaml --out out");
    expect_code(2);
    expect_err("out/paper/gone/runs.tsv:1:1: this is no manifest of runs");
    cr_expect_eq(matching("out/paper/two/stiffness=200.h5"), 1);
    shell("\"$S\" clean paper/two.yaml --out nowhere");
    expect_code(0);
    cr_expect_str_eq(said.out, "nothing is left over\n");
}

Test(cli, list_names_what_is_there_and_what_is_wrong_with_it) {
    cr_assert_eq(shell("mkdir -p experiments && cp -r paper experiments/"), 0);
    shell("\"$S\" list");
    expect_code(0);
    expect_out("paper/cloth ");
    expect_out("   1 runs  A small cloth");
    vary("experiments/paper/bad.yaml", "1 ms", "1 kg");
    shell("\"$S\" list experiments");
    expect_code(2);
    expect_out("paper/cloth ");
    expect_err("experiments/paper/bad.yaml:8:14: ");
}

Test(cli, the_experiments_of_this_repository_can_be_listed_and_planned) {
    shell("\"$S\" list '" SOURCE_DIR "/experiments'");
    expect_code(0);
    expect_out("va2022/resolutions");
    shell("\"$S\" plan $(grep -L 'mesh:' '" SOURCE_DIR "'/experiments/*/*.yaml)");
    expect_code(0);
    /* Those of prepared bodies are read all the same; here no body is prepared. */
    shell("\"$S\" plan $(grep -l 'mesh:' '" SOURCE_DIR "'/experiments/*/*.yaml)");
    expect_code(2);
    expect_out("would be refused: ");
    expect_err("is not prepared: there is no out/bodies/");
}

Test(cli, devices_are_listed_for_people_and_programs) {
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

Test(cli, the_manual_has_every_field) {
    static const char *const fields[] = {"body.cloth.nodes", "time.step", "method.stiffness", "record.every",
                                         "backend"};
    shell("\"$S\" manual");
    expect_code(0);
    for (size_t f = 0; f < sizeof fields / sizeof *fields; ++f)
        expect_out(fields[f]);
}

/* ---- The manual ---- */

static const char *const all_verbs[] = {"run",    "plan",    "list",   "devices",    "mesh",   "check",
                                        "report", "compare", "record", "diff",       "refine", "export",
                                        "clean",  "meshes",  "manual", "sensitivity"};

enum { VERBS = sizeof all_verbs / sizeof *all_verbs };

Test(cli, every_verb_helps_with_an_example) {
    shell("\"$S\" --help");
    int verbs = 0;
    for (const char *at = said.out; (at = strstr(at, "\n  ")); ++at)
        ++verbs;
    cr_expect_eq(verbs, VERBS, "a verb is not tested here:\n%s", said.out);
    for (int v = 0; v < VERBS; ++v) {
        shell("\"$S\" %s --help", all_verbs[v]);
        expect_code(0);
        char *line = text_format("\n  springback %s", all_verbs[v]);
        expect_out("\nExample: ");
        expect_out(line);
        free(line);
    }
}

Test(cli, the_manual_pages_have_every_option_and_field_and_groff_has_no_complaint) {
    for (int v = 0; v < VERBS; ++v) {
        shell("p='%s'; \"$S\" manual --man >page; "
              "for o in $(\"$S\" $p --help | grep -o -- '^ .*--[a-z-]*' | grep -o -- '--[a-z-]*$'); do "
              "sed -n \"/^.SS springback $p/,/^.S[SH] [sE]/p;/^.SH OPTIONS OF/,/^.SH EX/p\" page | sed 's/[\\]//g' | "
              "grep -qe \"$o\" || [ $o = --usage ] || echo \"$o is missing\"; done",
              all_verbs[v]);
        expect_code(0);
        cr_expect_eq(*said.out, 0, "%s: %s", all_verbs[v], said.out);
    }
    shell("\"$S\" manual --man=5");
    expect_out("\n.TP\n\\fBbody.cloth.nodes\\fR  ");
    expect_out("\n.TP\n\\fBmethod.stiffness\\fR  ");
    if (shell("command -v groff"))
        cr_skip_test("groff is not installed");
    for (int section = 1; section <= 5; section += 4) {
        shell("\"$S\" manual --man=%d >page; groff -man -ww -Tascii page >shown && [ $(wc -l <shown) -gt 100 ]",
              section);
        expect_code(0);
        cr_expect_eq(*said.err, 0, "%s", said.err);
    }
}

Test(cli, what_is_installed_is_whole) {
    shell("cmake --install \"$(dirname \"$S\")\" --prefix there >/dev/null");
    expect_code(0);
    static const char *const installed[] = {"bin/springback",
                                            "share/man/man1/springback.1",
                                            "share/man/man5/springback.5",
                                            "share/bash-completion/completions/springback",
                                            "share/doc/springback/README.md",
                                            "share/doc/springback/docs/reference.md"};
    for (size_t f = 0; f < sizeof installed / sizeof *installed; ++f) {
        char *path = text_format("there/%s", installed[f]);
        cr_expect_eq(matching(path), 1, "%s is missing", path);
        free(path);
    }
    shell("there/bin/springback manual --man | cmp - there/share/man/man1/springback.1 && "
          "there/bin/springback manual --man=5 | cmp - there/share/man/man5/springback.5 && "
          "there/bin/springback manual --completion=bash | cmp - there/share/bash-completion/completions/springback && "
          "there/bin/springback run paper/cloth.yaml --out out");
    expect_code(0);
}

Test(cli, bash_completes_verbs_options_files_and_keys) {
    static const struct {
        const char *line, *answer;
    } cases[] = {
        {"springback p", "plan"},
        {"springback cle", "clean"},
        {"springback run --dev", ""},
        {"springback run --fo", "--force"},
        {"springback plan --st", "--stale"},
        {"/some/where/springback run pap", "paper"},
        {"springback run paper/", "paper/cloth.yaml paper/below"},
        {"springback export --format v", "vtk"},
        {"springback export paper/", "paper/trace.h5 paper/below"},
        {"springback mesh paper/", "paper/body.obj paper/body.ply.gz paper/below"},
        {"springback mesh --figure paper/", "paper/body.svg paper/below"},
        {"springback run --out pap", "paper"},
        {"springback run --out=pap", "paper"},
        {"springback run --backend thr", "threads threads:"},
        {"springback run -b opencl:g", "gpu"}, /* bash breaks words at the colon */
        {"springback run --tier=q", "quick"},
        {"springback plan --set time.f", "time.frames="},
        {"springback plan --set=method.dam", "method.damping= method.damping_means="},
        {"springback plan --set damp", "damping= damping_means="},
        {"springback plan --only damp", "damping= damping_means="},
        {"springback plan --only plane=", "horizontal vertical"},
        {"springback check --color=n", "never"},
        {"springback devices ", ""},
        {"springback fly ", ""},
    };
    cr_assert_eq(shell("mkdir paper/below && touch paper/notes.txt paper/trace.h5 paper/body.obj paper/body.ply.gz "
                       "paper/body.svg && \"$S\" manual --completion=bash >c && bash -n c"),
                 0, "%s", said.err);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        shell("bash -c 'set -u; source ./c; COMP_LINE=\"%s\"; COMP_POINT=${#COMP_LINE}; _springback; "
              "complete -p springback >&2; echo \"${COMPREPLY[*]-}\"'",
              cases[c].line);
        char *answer = text_format("%s\n", cases[c].answer);
        cr_expect_str_eq(said.out, answer, "%s", cases[c].line);
        cr_expect_str_eq(said.err, "complete -F _springback springback\n", "%s", cases[c].line);
        free(answer);
    }
}

Test(cli, check_judges_and_its_exit_code_tells) {
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
    expect_out("The experiment paper/two has not been run.");

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

Test(cli, export_writes_geometry_and_series) {
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
Test(cli, a_picture_has_the_obstacles_of_its_run) {
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

Test(cli, diff_tells_by_its_exit_code_whether_two_runs_are_the_same) {
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

Test(cli, refine_prints_a_word_for_each_number) {
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
