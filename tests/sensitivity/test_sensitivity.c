/* Sweeps over the ranges of all assumptions: which points are taken, what is found in them, what goes on and what is
 * left over. */
#include "claim/statistics.h"
#include "experiment/sample.h"
#include "experiment/value.h"
#include "sensitivity/sweeper.h"
#include "shell.h"

#include <jansson.h>
#include <math.h>
#include <sys/stat.h>

TestSuite(sensitivity, .init = shell_begin, .fini = shell_end);

/* ---- Points ---- */

static const char many[] = "springback: 1\n"
                           "body: {cloth: {size: [1 m, 1 m]}}\n"
                           "method: {name: mass_spring}\n"
                           "time: {step: 1 ms, frames: 1}\n"
                           "assumptions:\n"
                           "  body.cloth.nodes: {value: [6, 5], range: [[4, 5], [9, 5]], why: x}\n"
                           "  body.cloth.pins: {value: corners, samples: [none, row], why: x}\n"
                           "  body.cloth.plane: {value: vertical, why: x}\n"
                           "  body.node_mass: {value: 1 g, range: [0.1 g, 10 g], why: x}\n"
                           "  method.stiffness: {value: 10 N/m, range: [2 N/m, 19 N/m], why: x}\n"
                           "  scene.gravity: {value: [0, -9.8 m/s^2, 0], range: [[-1 m/s^2, -10 m/s^2, 0],"
                           " [1 m/s^2, -9 m/s^2, 0]], why: x}\n"
                           "  time.steps_per_frame: {value: 20, range: [1, 200], why: x}\n";

enum { NODES, PINS, PLANE, MASS, STIFFNESS, GRAVITY, STEPS, ASSUMPTIONS, POINTS = 256 };

Test(sensitivity, points_are_the_same_each_time_a_prefix_and_inside_the_ranges) {
    struct plan plan;
    plan_from_text(many, &plan);
    const struct assumption *a = plan.experiment.assumptions;
    static struct value all[POINTS * ASSUMPTIONS], again[POINTS * ASSUMPTIONS], few[10 * ASSUMPTIONS];
    cr_assert_eq(plan.experiment.assumption_count, ASSUMPTIONS);
    struct pool pool = {0};
    sample_draw(a, ASSUMPTIONS, POINTS, &pool, all);
    sample_draw(a, ASSUMPTIONS, POINTS, &pool, again);
    sample_draw(a, ASSUMPTIONS, 10, &pool, few);
    int pins[3] = {0}, nodes[10] = {0}, under[ASSUMPTIONS] = {0};
    for (int k = 0; k < POINTS; ++k)
        for (int i = 0; i < ASSUMPTIONS; ++i) {
            const struct value *value = &all[k * ASSUMPTIONS + i];
            cr_expect(k || value_equal(value, &a[i].value), "%s", value->text);
            cr_expect(value_equal(value, &again[k * ASSUMPTIONS + i]));
            cr_expect(k >= 10 || value_equal(value, &few[k * ASSUMPTIONS + i]));
            for (int n = 0; n < value->count; ++n)
                cr_expect(value->number[n] >= a[i].low.number[n] && value->number[n] <= a[i].high.number[n], "%s = %s",
                          a[i].field->path, value->text);
        }
    for (int k = 1; k < POINTS; ++k) {
        const struct value *point = &all[k * ASSUMPTIONS];
        ++nodes[(int)point[NODES].number[0]];
        for (int w = 0; w < 3; ++w)
            pins[w] += !strcmp(point[PINS].text, w ? a[PINS].samples[w - 1].text : a[PINS].value.text);
        under[MASS] += point[MASS].number[0] < 0.001;
        under[STIFFNESS] += point[STIFFNESS].number[0] < 10.5;
        under[GRAVITY] += point[GRAVITY].number[0] < 0;
        under[STEPS] += point[STEPS].number[0] <= 14; /* the root of 200 is 14.1 */
        cr_expect(point[STEPS].number[0] == floor(point[STEPS].number[0]) && point[NODES].number[1] == 5);
        cr_expect_str_eq(point[PLANE].text, "vertical");
        cr_expect_eq(point[GRAVITY].number[2], 0);
    }
    /* Halves are halves: of the mass and the steps in their logarithm, of stiffness (9.5 times) and gravity not. */
    for (int i = MASS; i <= STEPS; ++i)
        cr_expect(abs(under[i] - POINTS / 2) <= 4, "%s: %d", a[i].field->path, under[i]);
    for (int w = 0; w < 3; ++w)
        cr_expect(abs(pins[w] - POINTS / 3) <= 4, "%s: %d", w ? a[PINS].samples[w - 1].text : "corners", pins[w]);
    for (int n = 4; n <= 9; ++n)
        cr_expect(abs(nodes[n] - POINTS / 6) <= 4, "%d nodes: %d", n, nodes[n]);
    /* The first point of the sequence is the middle, by a geometric mean where the range is wide. */
    cr_expect_str_eq(all[ASSUMPTIONS + MASS].text, "0.001 kg");
    cr_expect_str_eq(all[ASSUMPTIONS + STIFFNESS].text, "10.5 N/m");
    cr_expect_str_eq(all[ASSUMPTIONS + GRAVITY].text, "0 -9.5 0 m/s^2");
    cr_expect_str_eq(all[ASSUMPTIONS + STEPS].text, "14");
    pool_free(&pool);
    plan_free(&plan);
}

/* Wilson (1927) as tabled by Newcombe (1998): 81 of 263, 15 of 148, 0 of 20, 1 of 29. */
Test(sensitivity, shares_have_the_intervals_of_the_tables) {
    static const struct {
        int hits, n;
        double low, high;
    } rows[] = {{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r) {
        const struct interval interval = wilson_of(rows[r].hits, rows[r].n);
        const struct interval other = wilson_of(rows[r].n - rows[r].hits, rows[r].n);
        cr_expect(fabs(interval.low - rows[r].low) < 6e-5 && fabs(interval.high - rows[r].high) < 6e-5, "[%g, %g]",
                  interval.low, interval.high);
        cr_expect(fabs(interval.low - (1 - other.high)) < 1e-12 && fabs(interval.high - (1 - other.low)) < 1e-12);
    }
    /* Fisher's tea: all of 4 cups right is 1 in 70, 3 or more 17 in 70. */
    cr_expect_float_eq(chance_of(4, 4, 4, 8), 1.0 / 70, 1e-12);
    cr_expect_float_eq(chance_of(3, 4, 4, 8), 17.0 / 70, 1e-12);
    cr_expect_float_eq(chance_of(0, 4, 4, 8), 1, 1e-12);
    cr_expect_float_eq(chance_of(3, 6, 6, 8), 1, 1e-12); /* fewer than 4 cannot be */
}

/* ---- What is found ---- */

static const char fall[] = "springback: 1\n"
                           "paper: test\n"
                           "body: {cloth: {nodes: [2, 2]}}\n"
                           "method: {name: mass_spring}\n"
                           "time: {step: 1 ms, frames: 3}\n"
                           "assumptions:\n";

/* Write paper/NAME.yaml, the falling cloth with these assumptions. */
static void write_fall(const char *name, const char *assumptions) {
    char *text = text_format("%s%s", fall, assumptions), *path = text_format("paper/%s.yaml", name);
    mkdir("paper", 0777);
    text_write(path, text);
    free(path);
    free(text);
}

static const char steps_and_mass[] = "  time.steps_per_frame: {value: 20, range: [1, 200], why: x}\n"
                                     "  body.node_mass: {value: 1 kg, range: [0.5 kg, 2 kg], why: x}\n"
                                     "  body.cloth.pins: {value: none, samples: [border], why: x}\n"
                                     "  method.stiffness: {value: 5 N/m, range: [1 N/m, 9 N/m], why: x}\n";

/* Four nodes of mass m that fall for 30 ms have the kinetic energy 2 m (9.8 m/s^2 30 ms)^2, 0.3 J at 1.74 kg. */
static const char only_mass[] = "  time.steps_per_frame: {value: 10, range: [10, 10], why: x}\n"
                                "  method.stiffness: {value: 5 N/m, range: [1 N/m, 9 N/m], why: x}\n"
                                "  body.node_mass: {value: 1 kg, range: [0.1 kg, 10 kg], why: x}\n";

static const char claims[] =
    "springback: 1\npaper: test\nclaims:\n"
    "  - {id: t.many-steps, where: here, says: over 12 steps, kind: bound, expect: '> 12',\n"
    "     from: {experiment: paper/steps, quantity: steps_per_frame}, recorded: matches}\n"
    "  - {id: t.falls, where: here, says: it falls, kind: bound, expect: '> 0.01 m/s',\n"
    "     from: {experiment: paper/steps, select: {backend_kind: serial, body.node_mass: 1 kg},\n"
    "            quantity: largest_speed, over_frames: max}, recorded: sensitive}\n"
    "  - {id: t.stays-close, where: here, says: nodes, kind: count, reported: 4,\n"
    "     from: {experiment: paper/steps, quantity: nodes}, recorded: matches}\n"
    "  - {id: t.fast, where: here, says: fast, kind: bound, expect: '> 1 1/s',\n"
    "     from: {experiment: paper/steps, quantity: frames_per_second}, recorded: not run}\n"
    "  - {id: t.light, where: here, says: light, kind: bound, expect: '< 0.3 J',\n"
    "     from: {experiment: paper/mass, quantity: kinetic_energy, over_frames: last}, recorded: matches}\n";

static json_t *objects[8];

/* Run the verb for JSON, and keep its objects. */
static int sweep_objects(const char *words) {
    shell("\"$S\" sensitivity --json -q --claims claims.yaml --out out %s", words);
    expect_code(0);
    int count = 0;
    for (const char *line = said.out; *line; line = strchr(line, '\n') + 1) {
        json_error_t error;
        objects[count] = json_loadb(line, strcspn(line, "\n"), 0, &error);
        cr_assert_not_null(objects[count++], "%s: %s", error.text, line);
    }
    return count;
}

static const json_t *item(const char *claim, const char *key) {
    for (int o = 0; objects[o]; ++o)
        if (!strcmp(json_string_value(json_object_get(objects[o], "claim")), claim))
            return json_object_get(json_object_get(objects[o], "sensitivity"), key);
    cr_assert(false, "there is no %s", claim);
    return NULL;
}

static void objects_free(void) {
    for (int o = 0; objects[o]; ++o) {
        json_decref(objects[o]);
        objects[o] = NULL;
    }
}

/* The values of a column of a table, as numbers. */
static int column_of(const char *path, const char *name, double *out) {
    char *text = text_read(path), *rest = text, *line = strsep(&rest, "\n");
    int column = -1, rows = 0, c = 0;
    for (char *cell; (cell = strsep(&line, "\t")); ++c)
        column = strcmp(cell, name) ? column : c;
    cr_assert_geq(column, 0, "%s has no column %s", path, name);
    while ((line = strsep(&rest, "\n")) && *line) {
        for (c = 0; c < column; ++c)
            strsep(&line, "\t");
        out[rows++] = strtod(line, NULL);
    }
    free(text);
    return rows;
}

/* That the threshold of a planted rule lies between the members' values on both sides of the true one, and that no
 * member is on the wrong side. */
static void expect_planted(const char *claim, const char *path, const char *table, const char *holds, double truth) {
    double values[256], below = -INFINITY, above = INFINITY;
    const json_t *parting = item(claim, "hangs_on");
    cr_assert(json_is_object(parting), "%s hangs on nothing", claim);
    const int rows = column_of(table, path, values);
    for (int r = 0; r < rows; ++r) {
        below = values[r] <= truth && values[r] > below ? values[r] : below;
        above = values[r] > truth && values[r] < above ? values[r] : above;
    }
    const double threshold = json_number_value(json_object_get(parting, "threshold"));
    cr_expect_str_eq(json_string_value(json_object_get(parting, "path")), path);
    cr_expect_str_eq(json_string_value(json_object_get(parting, "holds")), holds);
    cr_expect(threshold >= below && threshold < above, "%g is not from %g to %g", threshold, below, above);
    cr_expect_eq(json_number_value(json_object_get(parting, "purity")), 1);
    cr_expect_lt(json_number_value(json_object_get(parting, "chance")), 1e-6);
    const int members = (int)json_integer_value(item(claim, "members"));
    const int there = (int)json_integer_value(json_object_get(parting, "there"));
    cr_expect(members == rows && there == json_integer_value(item(claim, "holding")));
    cr_expect_float_eq(json_number_value(item(claim, "share")), (double)there / rows, 1e-12);
}

Test(sensitivity, the_planted_assumption_and_threshold_are_found) {
    write_fall("steps", steps_and_mass);
    write_fall("mass", only_mass);
    text_write("claims.yaml", claims);
    cr_assert_eq(sweep_objects("-n 48 paper/steps.yaml"), 4);
    expect_planted("t.many-steps", "time.steps_per_frame", "out/paper/steps/sensitivity.tsv", "above", 12);
    /* A cloth held at its border does not fall, whatever the other values; the claim selects by the value taken. */
    const json_t *parting = item("t.falls", "hangs_on");
    cr_expect_str_eq(json_string_value(json_object_get(parting, "path")), "body.cloth.pins");
    cr_expect_eq(json_integer_value(item("t.falls", "members")), 48);
    cr_expect_gt(json_number_value(json_object_get(parting, "purity")), 0.9);
    cr_expect(json_is_null(item("t.stays-close", "hangs_on")) &&
              json_integer_value(item("t.stays-close", "holding")) == 48);
    cr_expect(strstr(json_string_value(item("t.fast", "left_out")), "timing"));
    objects_free();
    cr_assert_eq(sweep_objects("-n 48 paper/mass.yaml"), 1);
    expect_planted("t.light", "body.node_mass", "out/paper/mass/sensitivity.tsv", "below",
                   0.3 / (2 * pow(9.8 * 0.03, 2)));
    objects_free();
    /* A person reads the same. */
    shell("\"$S\" sensitivity -n 48 --claims claims.yaml --out out paper/mass.yaml");
    expect_code(0);
    expect_out("paper/mass: 48 members over the ranges of 2 assumptions, on serial, tier quick\n");
    expect_out("  nothing to run: all 48 runs are up to date\n");
    expect_out("body.node_mass: it holds below 1.");
    expect_out("(down to 0.1 kg)");
}

/* The verdicts of `check`, with and without a sweep beside the results. */
Test(sensitivity, check_says_in_what_part_of_the_ranges_a_claim_holds) {
    write_fall("steps", steps_and_mass);
    write_fall("mass", only_mass);
    text_write("claims.yaml", claims);
    shell("\"$S\" run -q --tier quick --out out paper/steps.yaml paper/mass.yaml && \"$S\" check claims.yaml --out out "
          "--json");
    expect_code(0);
    cr_expect_not(strstr(said.out, "of 24 members"), "%s", said.out);
    char *before = text_copy(said.out);
    shell("\"$S\" sensitivity -n 24 -q --claims claims.yaml --out out paper/steps.yaml >/dev/null && "
          "\"$S\" check claims.yaml --out out --json");
    expect_code(1);
    static const char *const sensitive[] = {"t.many-steps", "t.falls"};
    for (size_t c = 0; c < 2; ++c) {
        char *line = text_format("{\"id\":\"%s\"", sensitive[c]), *at = strstr(said.out, line);
        cr_assert_not_null(at);
        at = text_format("%.*s", (int)strcspn(at, "\n"), at);
        cr_expect(strstr(at, "\"verdict\":\"sensitive\"") && strstr(at, " of 24 members over all assumptions' ranges"),
                  "%s", at);
        cr_expect(strstr(at, "it hangs most on ") && strstr(at, "\"sensitivity\":{\"members\":24,"), "%s", at);
        free(at);
        free(line);
    }
    const char *count = strstr(said.out, "t.stays-close");
    cr_expect(count && strstr(count, "\"verdict\":\"matches\"") && strstr(count, "It holds in 24 of 24 members"));
    /* No sweep is of the other experiment: it is judged as before. */
    const char *other = strstr(before, "{\"id\":\"t.light\"");
    cr_assert_not_null(other);
    expect_out(other);
    free(before);
    /* A sweep of other values tells nothing, and says so. */
    shell(
        "sed -i 's/value: 20/value: 30/' paper/steps.yaml && \"$S\" run -q --tier quick --out out paper/steps.yaml && "
        "\"$S\" check claims.yaml --out out");
    expect_code(0);
    expect_out("The sweep over its assumptions tells nothing of it");
    expect_out("of other runs than these; `springback sensitivity` makes it anew.");
    expect_no_out("of 24 members");
    /* One that was interrupted counts as far as it came. */
    shell("\"$S\" sensitivity -n 9 -q --claims claims.yaml --out out paper/steps.yaml && "
          "rm out/paper/steps/sensitivity/0007/runs.tsv && \"$S\" check claims.yaml --out out --json");
    expect_code(1);
    expect_out(" of 7 members over all assumptions' ranges");
    shell("echo nonsense >out/paper/steps/sensitivity/members.tsv; \"$S\" check claims.yaml --out out");
    expect_code(2);
    expect_err("this is not a table of a sweep's members");
}

/* ---- Going on ---- */

static char *hashes(const char *out) {
    char *pattern = text_format("%s/paper/steps/sensitivity/*/*.h5", out), *all = text_copy("");
    glob_t found = {0};
    cr_assert_eq(glob(pattern, 0, NULL, &found), 0);
    for (size_t f = 0; f < found.gl_pathc; ++f) {
        char *hash = trace_peek(found.gl_pathv[f], "state_hash");
        cr_assert_not_null(hash);
        char *longer = text_format("%s%s %s\n", all, found.gl_pathv[f] + strlen(out), hash);
        free(hash);
        free(all);
        all = longer;
    }
    globfree(&found);
    free(pattern);
    return all;
}

static void expect_same(const char *a, const char *b) {
    shell("cmp %s/paper/steps/sensitivity.tsv %s/paper/steps/sensitivity.tsv && "
          "cmp %s/paper/steps/sensitivity/members.tsv %s/paper/steps/sensitivity/members.tsv",
          a, b, a, b);
    expect_code(0);
    char *first = hashes(a), *second = hashes(b);
    cr_expect_str_eq(first, second);
    free(first);
    free(second);
}

Test(sensitivity, a_sweep_that_was_cut_or_grown_equals_one_that_was_not) {
    write_fall("steps", steps_and_mass);
    text_write("claims.yaml", claims);
    shell("\"$S\" sensitivity -n 12 --claims claims.yaml --out whole paper/steps.yaml");
    expect_code(0);
    expect_out("  12 of 12 runs to make, in about ");
    /* Grown: the members that there are stay. */
    shell("\"$S\" sensitivity -n 5 --claims claims.yaml --out grown paper/steps.yaml");
    expect_code(0);
    shell("\"$S\" sensitivity -n 12 --claims claims.yaml --out grown paper/steps.yaml");
    expect_code(0);
    expect_out("  7 of 12 runs to make, in about ");
    expect_same("whole", "grown");
    /* Killed in its midst, at another place of the disk and by another word for the place. */
    shell("\"$S\" sensitivity -n 12 -q --claims claims.yaml --out killed paper/steps.yaml >/dev/null & pid=$!; "
          "for i in $(seq 2000); do [ -e killed/paper/steps/sensitivity/0003/runs.tsv ] && break; sleep 0.005; done; "
          "kill -9 $pid; wait $pid");
    shell("\"$S\" sensitivity -n 12 -q --claims claims.yaml --out killed paper/steps.yaml");
    expect_code(0);
    expect_same("whole", "killed");
    /* A table that is lost is written again, and a member that is damaged made again. */
    shell("rm killed/paper/steps/sensitivity.tsv; for f in killed/paper/steps/sensitivity/0007/*.h5; do printf x >$f; "
          "done; "
          "\"$S\" sensitivity -n 12 --claims claims.yaml --out killed paper/steps.yaml");
    expect_code(0);
    expect_out("  1 of 12 runs to make");
    expect_same("whole", "killed");
    /* On another backend the bits are the same. */
    shell("\"$S\" sensitivity -n 12 -q --backend threads:2 --claims claims.yaml --out threads paper/steps.yaml "
          ">/dev/null && "
          "cmp whole/paper/steps/sensitivity.tsv threads/paper/steps/sensitivity.tsv");
    expect_code(0);
}

Test(sensitivity, clean_knows_the_members) {
    write_fall("steps", steps_and_mass);
    shell("\"$S\" sensitivity -n 6 -q --out out paper/steps.yaml && \"$S\" clean paper/steps.yaml --out out");
    expect_code(0);
    expect_out("nothing is left over");
    cr_expect_eq(matching("out/paper/steps/sensitivity/*/*.h5"), 6);
    /* Members beyond those of the last sweep go, and no other. */
    shell("touch out/paper/steps/sensitivity/0005/mine; \"$S\" sensitivity -n 4 -q --out out paper/steps.yaml && "
          "\"$S\" clean paper/steps.yaml --out out");
    expect_code(0);
    expect_out("the sensitivity sweep no longer has this member");
    cr_expect(matching("out/paper/steps/sensitivity/*/*.h5") == 4 && !matching("out/paper/steps/sensitivity/0004"));
    cr_expect_eq(matching("out/paper/steps/sensitivity/0005/*"), 1, "a file of one's own stays");
    shell("rm -r out/paper/steps/sensitivity/0005; \"$S\" clean paper/steps.yaml --out out");
    expect_out("nothing is left over");
    /* What an interrupted sweep left is kept, for it goes on. */
    shell("rm out/paper/steps/sensitivity/0002/runs.tsv; \"$S\" clean paper/steps.yaml --out out");
    expect_code(0);
    expect_out("kept out/paper/steps/sensitivity/0002/");
    cr_expect_eq(matching("out/paper/steps/sensitivity/*/*.h5"), 4);
    /* An experiment that assumes nothing any more, and one whose file is gone. */
    shell("sed -i '/assumptions/,$d; s/mass_spring}/mass_spring, stiffness: 5 N\\/m}/; "
          "s/2, 2\\]}/2, 2]}, node_mass: 1 kg/' paper/steps.yaml && \"$S\" clean paper/steps.yaml --out out");
    expect_code(0);
    expect_out("its experiment has no assumptions any more");
    cr_expect_eq(matching("out/paper/steps/sensitivity*"), 0);
    write_fall("mass", only_mass);
    shell("\"$S\" sensitivity -n 3 -q --out out paper/mass.yaml && rm paper/mass.yaml && "
          "\"$S\" clean paper/steps.yaml --out out");
    expect_code(0);
    cr_expect_eq(matching("out/paper/mass"), 0, "%s", said.out);
}

/* ---- Words and values that do not go ---- */

/* Sweep paper/NAME.yaml: some members run, `least` to `most`, and of others the table says this. Returns how many ran.
 */
static size_t expect_passed_over(const char *name, int members, size_t least, size_t most, const char *reason) {
    char *traces = text_format("out/paper/%s/sensitivity/*/*.h5", name),
         *path = text_format("out/paper/%s/sensitivity/members.tsv", name);
    shell("\"$S\" sensitivity -n %d --out out paper/%s.yaml", members, name);
    expect_code(0);
    expect_out(" of them passed over: their values do not go together");
    const size_t run = matching(traces);
    cr_expect(run >= least && run <= most, "%zu", run);
    char *table = text_read(path);
    cr_expect(strstr(table, reason), "%s", table);
    free(table);
    free(traces);
    free(path);
    return run;
}

Test(sensitivity, values_that_do_not_go_together_are_passed_over) {
    write_fall("push", "  method.stiffness: {value: 5 N/m, range: [1 N/m, 9 N/m], why: x}\n"
                       "  body.node_mass: {value: 1 kg, range: [0.5 kg, 2 kg], why: x}\n"
                       "  scene.push.from: {value: 0 s, range: [0 s, 1 s], why: x}\n"
                       "  scene.push.until: {value: 1 s, range: [0 s, 1 s], why: x}\n");
    const size_t run = expect_passed_over("push", 16, 5, 13, "before scene.push.from");
    char *table = text_read("out/paper/push/sensitivity.tsv");
    size_t rows = 0;
    for (const char *at = table; (at = strchr(at, '\n')); ++at)
        ++rows;
    cr_expect_eq(rows, run + 1);
    free(table);
}

/* The paper's variant is of meshes, which the method says, and no reader of files knows. */
Test(sensitivity, members_that_the_method_refuses_are_passed_over) {
    write_fall("kind", "  method.stiffness: {value: 5 N/m, range: [1 N/m, 9 N/m], why: x}\n"
                       "  body.node_mass: {value: 1 kg, range: [0.5 kg, 2 kg], why: x}\n"
                       "  method.variant: {value: tuned, samples: [paper], why: x}\n");
    expect_passed_over("kind", 8, 3, 5, "of meshes, and the body is a cloth");
    shell("sed -i 's/value: tuned, samples: .paper./value: paper, samples: [tuned]/' paper/kind.yaml && "
          "\"$S\" sensitivity -n 8 --out none paper/kind.yaml");
    expect_code(2);
    expect_err("so member 0 of the sweep cannot run: ");
    cr_expect_eq(matching("none"), 0);
}

/* A body that is not there is a mistake, whatever member wants it. */
Test(sensitivity, members_without_their_body_are_a_mistake) {
    mkdir("paper", 0777);
    text_write("paper/body.yaml",
               "springback: 1\npaper: paper\ntitle: t\nbody: {node_mass: 1 kg}\n"
               "method: {name: mass_spring, stiffness: 5 N/m}\ntime: {step: 1 ms, frames: 1}\n"
               "assumptions:\n"
               "  body.mesh: {value: " SOURCE_DIR "/tests/small_cube.off, samples: [paper/nowhere.off], why: x}\n");
    shell("\"$S\" sensitivity -n 4 --out none paper/body.yaml");
    expect_code(2);
    expect_err("nowhere.off");
    expect_err("of the sweep cannot run: ");
    cr_expect_eq(matching("none"), 0);
}

Test(sensitivity, bad_words_run_nothing) {
    write_fall("steps", steps_and_mass);
    write_fall("big", "  method.stiffness: {value: 5 N/m, range: [1 N/m, 9 N/m], why: x}\n"
                      "  body.node_mass: {value: 1 kg, range: [1 kg, 1 kg], why: x}\n"
                      "  body.cloth.springs: {value: [structural], why: x}\n"
                      "  time.steps_per_frame: {value: 1, range: [1, 1000000], why: x}\n");
    shell("sed -i 's/2, 2\\]/40000, 40000]/' paper/big.yaml; "
          "sed 's/range: \\[[^]]*\\]/range: [5, 5]/; /_mass/d; /pins/d; /stiff/d; /_per_/d; /^assumptions/d; "
          "s/mass_spring}/mass_spring, stiffness: 5 N\\/m}/; s/2, 2\\]}/2, 2]}, node_mass: 1 kg/' "
          "paper/steps.yaml >paper/none.yaml");
    static const struct {
        const char *words, *wrong;
    } rows[] = {
        {"", "an experiment file must be named"},
        {"paper/steps.yaml --members", "requires an argument"},
        {"paper/steps.yaml --members 1", "--members takes a whole number from 2 to 10000; '1' is none"},
        {"paper/steps.yaml --members 10001", "'10001' is none"},
        {"paper/steps.yaml --members 1e3", "'1e3' is none"},
        {"paper/steps.yaml --members 99999999999999999999", "is none"},
        {"paper/steps.yaml --out ''", "--out names no folder"},
        {"paper/steps.yaml --set stiffness=1", "--out DIR must name a folder of its own"},
        {"paper/steps.yaml --tier slow", "has no tier slow"},
        {"paper/steps.yaml --backend serial --backend threads", "the members are run on one backend"},
        {"paper/steps.yaml --backend opencl:77", "opencl:77"},
        {"paper/steps.yaml --backend vulkan", "\"vulkan\" is not known"},
        {"paper/steps.yaml --claims nowhere.yaml", "nowhere.yaml"},
        {"paper/steps.yaml --only step=7s", "no run of paper/steps.yaml has step=7s"},
        {"paper/steps.yaml --fly", "unrecognized option"},
        {"paper/none.yaml", "paper/none.yaml: it has no assumption that could be varied; under assumptions:"},
        {"paper/nowhere.yaml", "paper/nowhere.yaml: cannot be read"},
        {"paper/big.yaml", "so member 0 of the sweep cannot run: "},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r) {
        shell("\"$S\" sensitivity %s", rows[r].words);
        expect_code(2);
        expect_err(rows[r].wrong);
        cr_expect_eq(*said.out, 0, "%s", said.out);
        cr_expect_eq(matching("out"), 0, "%s left a folder", rows[r].words);
    }
}
