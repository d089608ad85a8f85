/* Sweeps over the ranges of all assumptions: which points are taken, what is found in them, what goes on and what is
 * left over. */
#include "claim/answer.h"
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
                           "  body.cloth.nodes: {value: [6, 5], likely: [[4, 5], [9, 5]], why: x}\n"
                           "  body.cloth.pins: {value: corners, likely: [corners, none, row], why: x}\n"
                           "  body.cloth.plane: {value: vertical, likely: [vertical], why: x}\n"
                           "  body.node_mass: {value: 1 g, likely: [0.1 g, 10 g], why: x}\n"
                           "  method.stiffness: {value: 10 N/m, likely: [2 N/m, 19 N/m], why: x}\n"
                           "  scene.gravity: {value: [0, -9.8 m/s^2, 0], likely: [[-1 m/s^2, -10 m/s^2, 0],"
                           " [1 m/s^2, -9 m/s^2, 0]], why: x}\n"
                           "  time.steps_per_frame: {value: 20, likely: [1, 200], why: x}\n"
                           "  method.damping: {value: 0 N s/m, likely: [0 N s/m], possible: [0 N s/m, 8 N s/m],"
                           " why: x, source: y}\n";

enum { NODES, PINS, PLANE, MASS, STIFFNESS, GRAVITY, STEPS, DAMPING, ASSUMPTIONS, POINTS = 256 };

static bool is_in(const struct value_range *range, const struct value *value) {
    bool is_found = range->is_interval;
    for (int n = 0; range->is_interval && n < value->count; ++n)
        is_found = is_found && value->number[n] >= range->values[0].number[n] &&
                   value->number[n] <= range->values[1].number[n];
    for (int v = 0; !range->is_interval && v < range->count; ++v)
        is_found = is_found || value_equal(&range->values[v], value);
    return is_found;
}

Test(sensitivity, points_are_the_same_each_time_a_prefix_and_inside_the_ranges) {
    struct plan plan;
    plan_from_text(many, &plan);
    const struct experiment *experiment = &plan.experiment;
    const struct assumption *a = experiment->assumptions;
    static struct value all[POINTS * ASSUMPTIONS], again[POINTS * ASSUMPTIONS], few[10 * ASSUMPTIONS],
        possible[POINTS * ASSUMPTIONS];
    cr_assert_eq(experiment->assumption_count, ASSUMPTIONS);
    struct pool pool = {0};
    sample_draw(experiment, RANGE_LIKELY, POINTS, &pool, all);
    sample_draw(experiment, RANGE_LIKELY, POINTS, &pool, again);
    sample_draw(experiment, RANGE_LIKELY, 10, &pool, few);
    sample_draw(experiment, RANGE_POSSIBLE, POINTS, &pool, possible);
    int pins[3] = {0}, nodes[10] = {0}, under[ASSUMPTIONS] = {0};
    for (int k = 0; k < POINTS; ++k)
        for (int i = 0; i < ASSUMPTIONS; ++i) {
            const struct value *value = &all[k * ASSUMPTIONS + i], *wider = &possible[k * ASSUMPTIONS + i];
            cr_expect(value_equal(value, &again[k * ASSUMPTIONS + i]));
            cr_expect(k >= 10 || value_equal(value, &few[k * ASSUMPTIONS + i]));
            cr_expect(is_in(&a[i].ranges[RANGE_LIKELY], value), "%s = %s", a[i].field->path, value->text);
            cr_expect(is_in(&a[i].ranges[RANGE_POSSIBLE], wider), "%s = %s", a[i].field->path, wider->text);
            cr_expect(i == DAMPING || value_equal(value, wider), "the same point where the ranges are the same");
        }
    for (int k = 0; k < POINTS; ++k) {
        const struct value *point = &all[k * ASSUMPTIONS];
        ++nodes[(int)point[NODES].number[0]];
        for (int w = 0; w < 3; ++w)
            pins[w] += !strcmp(point[PINS].text, a[PINS].ranges[RANGE_LIKELY].values[w].text);
        under[MASS] += point[MASS].number[0] < 0.001;
        under[STIFFNESS] += point[STIFFNESS].number[0] < 10.5;
        under[GRAVITY] += point[GRAVITY].number[0] < 0;
        under[STEPS] += point[STEPS].number[0] <= 14; /* the root of 200 is 14.1 */
        under[DAMPING] += possible[k * ASSUMPTIONS + DAMPING].number[0] < 4;
        cr_expect(point[STEPS].number[0] == floor(point[STEPS].number[0]) && point[NODES].number[1] == 5);
        cr_expect_str_eq(point[PLANE].text, "vertical");
        cr_expect(point[GRAVITY].number[2] == 0 && point[DAMPING].number[0] == 0);
    }
    /* Halves are halves: of the mass and the steps in their logarithm, of stiffness (9.5 times) and gravity not. */
    for (int i = MASS; i <= DAMPING; ++i)
        cr_expect(abs(under[i] - POINTS / 2) <= 4, "%s: %d", a[i].field->path, under[i]);
    for (int w = 0; w < 3; ++w)
        cr_expect(abs(pins[w] - POINTS / 3) <= 4, "%d: %d", w, pins[w]);
    for (int n = 4; n <= 9; ++n)
        cr_expect(abs(nodes[n] - POINTS / 6) <= 4, "%d nodes: %d", n, nodes[n]);
    /* The first point of the sequence is the middle, by a geometric mean where the range is wide. */
    cr_expect_str_eq(all[MASS].text, "0.001 kg");
    cr_expect_str_eq(all[STIFFNESS].text, "10.5 N/m");
    cr_expect_str_eq(all[GRAVITY].text, "0 -9.5 0 m/s^2");
    cr_expect_str_eq(all[STEPS].text, "14");
    /* Each point has a place in the unit cube, from which it comes back, and a text, from which it is read. */
    double place[ASSUMPTIONS + 2];
    cr_assert_leq(sample_dimensions(experiment), ASSUMPTIONS + 2);
    struct value back[ASSUMPTIONS];
    for (int k = 0; k < POINTS; ++k) {
        const char *texts[ASSUMPTIONS];
        int varied = 0;
        for (int i = 0; i < ASSUMPTIONS; ++i)
            if (assumption_varies(&a[i], RANGE_POSSIBLE))
                texts[varied++] = possible[k * ASSUMPTIONS + i].text;
        cr_assert(sample_read(experiment, texts, &pool, back));
        for (int i = 0; i < ASSUMPTIONS; ++i)
            cr_expect(i == PLANE || value_equal(&back[i], &possible[k * ASSUMPTIONS + i]), "%s", a[i].field->path);
        sample_place(experiment, &possible[k * ASSUMPTIONS], place);
        sample_at(experiment, RANGE_POSSIBLE, place, &pool, back);
        for (int i = 0; i < ASSUMPTIONS; ++i)
            for (int n = 0; n < back[i].count; ++n)
                cr_expect_float_eq(back[i].number[n], possible[k * ASSUMPTIONS + i].number[n],
                                   2e-5 * fmax(1e-3, fabs(back[i].number[n])), "%s: %s from %s", a[i].field->path,
                                   back[i].text, possible[k * ASSUMPTIONS + i].text);
        cr_expect_str_eq(back[PINS].text, possible[k * ASSUMPTIONS + PINS].text);
    }
    /* Both ends of the unit cube are ends of the ranges. */
    for (int end = 0; end < 2; ++end) {
        for (int d = 0; d < sample_dimensions(experiment); ++d)
            place[d] = end;
        sample_at(experiment, RANGE_POSSIBLE, place, &pool, back);
        cr_expect_str_eq(back[MASS].text, end ? "0.01 kg" : "0.0001 kg");
        cr_expect_str_eq(back[STEPS].text, end ? "200" : "1");
        cr_expect_str_eq(back[PINS].text, end ? "row" : "corners");
        cr_expect_str_eq(back[NODES].text, end ? "9 5" : "4 5");
    }
    /* Texts of other values are refused. */
    static const char *const wrong[] = {"3 5", "9 5 1", "", "4", "4 5 kg", " 4 5", "4.5 5", "inf 5"};
    const char *texts[ASSUMPTIONS] = {"4 5", "corners", "0.001 kg", "5 N/m", "0 -9.5 0 m/s^2", "7", "0 N s/m"};
    cr_expect(sample_read(experiment, texts, &pool, back));
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; ++w) {
        texts[0] = wrong[w];
        cr_expect_not(sample_read(experiment, texts, &pool, back), "'%s' was read", wrong[w]);
    }
    texts[0] = "4 5";
    texts[1] = "corner";
    cr_expect_not(sample_read(experiment, texts, &pool, back));
    pool_free(&pool);
    plan_free(&plan);
}

/* ---- Assumptions that experiments share ---- */

static const char shared_file[] = "springback: 1\n"
                                  "paper: paper\n"
                                  "assumptions:\n"
                                  "  body.node_mass: {value: 1 kg, likely: [0.5 kg, 2 kg], possible: [0.1 kg, 50 kg],"
                                  " why: x, source: y}\n"
                                  "  scene.gravity: {value: [0, -9.8 m/s^2, 0], likely: [[0, -10 m/s^2, 0],"
                                  " [0, -9 m/s^2, 0]], why: x}\n"
                                  "  time.steps_per_frame: {value: 1, likely: [1, 9], why: x}\n";

static void read_plan(const char *path, struct plan *plan) {
    const struct plan_options options = {.methods = method_table, .backend_words = backend_words};
    failure_clear();
    cr_assert_eq(plan_read(path, &options, plan), STATUS_OK, "%s", failure_text());
}

static int place_of(const struct experiment *experiment, const char *path) {
    for (int a = 0; a < experiment->assumption_count; ++a)
        if (!strcmp(experiment->assumptions[a].field->path, path))
            return a;
    cr_assert_fail("%s is not assumed", path);
    return -1;
}

/* Member k of two experiments has the same values of what both assume, whatever else they assume or state. */
Test(sensitivity, a_shared_assumption_has_the_same_value_in_each_experiment) {
    static const char *const both[] = {"body.node_mass", "scene.gravity"};
    static struct value values[2][POINTS * 8];
    struct plan plans[2];
    struct pool pool = {0};
    mkdir("paper", 0777);
    text_write("paper.yaml", shared_file);
    text_write("paper/a.yaml", "springback: 1\nbody: {cloth: {nodes: [4, 4]}}\nmethod: {name: mass_spring}\n"
                               "time: {step: 1 ms, frames: 1}\nassumptions:\n"
                               "  method.stiffness: {value: 5 N/m, likely: [1 N/m, 9 N/m], why: x}\n");
    text_write("paper/b.yaml", "springback: 1\nbody: {cloth: {nodes: [4, 4]}}\n"
                               "method: {name: mass_spring, stiffness: 5 N/m}\n"
                               "time: {frames: 1, steps_per_frame: 2}\nassumptions:\n"
                               "  body.node_mass: {value: 2 kg, why: this one is heavy}\n"
                               "  time.step: {value: 1 ms, likely: [0.5 ms, 2 ms], why: x}\n");
    for (int p = 0; p < 2; ++p)
        read_plan(p ? "paper/b.yaml" : "paper/a.yaml", &plans[p]);
    cr_expect_str_eq(run_text(&plans[0].runs[0], "body.node_mass"), "1 kg");
    cr_expect_str_eq(run_text(&plans[1].runs[0], "body.node_mass"), "2 kg", "its own value, of the paper's range");
    cr_expect_str_eq(run_text(&plans[1].runs[0], "time.steps_per_frame"), "2", "what it states is no assumption");
    for (int kind = 0; kind < RANGE_COUNT; ++kind) {
        for (int p = 0; p < 2; ++p) {
            cr_assert_leq(plans[p].experiment.assumption_count, 8);
            sample_draw(&plans[p].experiment, (enum range_kind)kind, POINTS, &pool, values[p]);
        }
        for (int s = 0; s < 2; ++s) {
            const int a = place_of(&plans[0].experiment, both[s]), b = place_of(&plans[1].experiment, both[s]);
            int same_as_first = 0;
            for (int k = 0; k < POINTS; ++k) {
                const struct value *x = &values[0][k * plans[0].experiment.assumption_count + a],
                                   *y = &values[1][k * plans[1].experiment.assumption_count + b];
                cr_expect(value_equal(x, y), "%s of member %d: %s and %s", both[s], k, x->text, y->text);
                same_as_first += value_equal(x, &values[0][a]);
            }
            cr_expect_eq(same_as_first, 1, "%s varies", both[s]);
        }
    }
    pool_free(&pool);
    for (int p = 0; p < 2; ++p)
        plan_free(&plans[p]);
}

Test(sensitivity, a_wrong_shared_assumption_is_told) {
    static const char own[] = "springback: 1\nbody: {cloth: {nodes: [4, 4]}, node_mass: 1 kg}\n"
                              "method: {name: mass_spring, stiffness: 5 N/m}\ntime: {step: 1 ms, frames: 1}\n";
    static const struct {
        const char *shared, *own, *said;
    } cases[] = {
        {"body: {node_mass: 1 kg}\n", "",
         "paper.yaml:2:1: the paper's file has the key body; it may have springback, "
         "paper, title and assumptions"},
        {"assumptions: {time.steps_per_frame: {value: 3, likely: [1, 2], why: x}}\n", "",
         "paper.yaml:2:56: assumptions: `likely` of time.steps_per_frame (1 to 2) does not include the value taken, 3; "
         "widen it"},
        {"assumptions: {time.steps_per_frame: {value: 1, likely: [1, 2], why: x}}\n",
         "assumptions: {time.steps_per_frame: {value: 1, likely: [1, 3], why: x}}\n",
         "paper/e.yaml:5:56: assumptions: the ranges of time.steps_per_frame are those of the paper's file, line 2; "
         "give "
         "value and why, or change them there"},
        {"assumptions: {time.steps_per_frame: {value: 1, likely: [1, 2], why: x}}\n",
         "assumptions: {time.steps_per_frame: {value: 4, why: x}}\n",
         "paper/e.yaml:5:15: assumptions: time.steps_per_frame is 4, outside the paper's likely range (1 to 2)"},
        {"assumptions: [1]\n", "", "paper.yaml:2:14: assumptions is a list; it must be a map"},
        {"assumptions: }\n", "", "paper.yaml:2:"},
    };
    const struct plan_options options = {.methods = method_table, .backend_words = backend_words};
    mkdir("paper", 0777);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        struct plan plan;
        char *shared = text_format("springback: 1\n%s", cases[c].shared),
             *text = text_format("%s%s", own, cases[c].own);
        text_write("paper.yaml", shared);
        text_write("paper/e.yaml", text);
        failure_clear();
        cr_expect_eq(plan_read("paper/e.yaml", &options, &plan), STATUS_BAD, "%s%s was read", shared, text);
        cr_expect(strstr(failure_text(), cases[c].said) == failure_text(), "%s, not: %s", failure_text(),
                  cases[c].said);
        plan_free(&plan);
        free(shared);
        free(text);
    }
    failure_clear();
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

static const char steps_and_mass[] = "  time.steps_per_frame: {value: 20, likely: [1, 200], why: x}\n"
                                     "  body.node_mass: {value: 1 kg, likely: [0.5 kg, 2 kg], why: x}\n"
                                     "  method.stiffness: {value: 5 N/m, likely: [1 N/m, 9 N/m], why: x}\n",
                  pins_too[] = "  time.steps_per_frame: {value: 20, likely: [1, 200], why: x}\n"
                               "  body.node_mass: {value: 1 kg, likely: [0.5 kg, 2 kg], why: x}\n"
                               "  body.cloth.pins: {value: none, likely: [none, border], why: x}\n"
                               "  method.stiffness: {value: 5 N/m, likely: [1 N/m, 9 N/m], why: x}\n";

/* Four nodes of mass m that fall for 30 ms have the kinetic energy 2 m (9.8 m/s^2 30 ms)^2, 0.3 J at 1.74 kg. */
static const char only_mass[] = "  time.steps_per_frame: {value: 10, likely: [10], why: x}\n"
                                "  method.stiffness: {value: 5 N/m, likely: [1 N/m, 9 N/m], why: x}\n"
                                "  body.node_mass: {value: 1 kg, likely: [0.5 kg, 1.5 kg], possible: [0.1 kg, 10 kg],"
                                " why: x, source: y}\n";

/* A node falls at 9.8 m/s^2 for 3 ms times the steps: 0.3528 m/s after 12 steps a frame. */
static const char claims[] =
    "springback: 1\npaper: test\nclaims:\n"
    "  - {id: t.many-steps, where: here, says: over 12 steps, kind: bound, expect: '> 0.36 m/s',\n"
    "     from: {experiment: paper/steps, quantity: largest_speed, over_frames: last}, recorded: depends}\n"
    "  - {id: t.falls, where: here, says: it falls, kind: bound, expect: '> 0.01 m/s',\n"
    "     from: {experiment: paper/pins, select: {backend_kind: serial, body.node_mass: 1 kg},\n"
    "            quantity: largest_speed, over_frames: max}, recorded: depends}\n"
    "  - {id: t.moves, where: here, says: it moves, kind: bound, expect: '> 0.001 m/s',\n"
    "     from: {experiment: paper/steps, quantity: largest_speed, over_frames: max}, recorded: matches}\n"
    "  - {id: t.hovers, where: here, says: it hovers, kind: bound, expect: '< 0.001 m/s',\n"
    "     from: {experiment: paper/steps, quantity: largest_speed, over_frames: max}, recorded: differs}\n"
    "  - {id: t.stays-close, where: here, says: nodes, kind: count, reported: 4,\n"
    "     from: {experiment: paper/steps, quantity: nodes}, recorded: matches}\n"
    "  - {id: t.fast, where: here, says: fast, kind: bound, expect: '> 1 1/s',\n"
    "     from: {experiment: paper/steps, quantity: frames_per_second}, recorded: not run}\n"
    "  - {id: t.light, where: here, says: light, kind: bound, expect: '< 0.3 J',\n"
    "     from: {experiment: paper/mass, quantity: kinetic_energy, over_frames: last}, recorded: depends}\n";

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

static const json_t *object_of(const char *claim) {
    for (int o = 0; objects[o]; ++o)
        if (!strcmp(json_string_value(json_object_get(objects[o], "claim")), claim))
            return objects[o];
    cr_assert(false, "there is no %s", claim);
    return NULL;
}

static const json_t *item(const char *claim, const char *key) {
    return json_object_get(json_object_get(object_of(claim), "sensitivity"), key);
}

static int whole(const char *claim, const char *key) {
    return (int)json_integer_value(item(claim, key));
}

static void expect_verdict(const char *claim, const char *verdict) {
    cr_expect_str_eq(json_string_value(json_object_get(object_of(claim), "verdict")), verdict, "%s", claim);
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
    cr_assert(json_is_object(parting), "%s depends on nothing", claim);
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
    const int members = whole(claim, "likely") + whole(claim, "possible"),
              holding = whole(claim, "likely_holding") + whole(claim, "possible_holding");
    cr_expect_eq(members + 8, rows, "all but the members of noise");
    cr_expect_eq((int)json_integer_value(json_object_get(parting, "there")), holding);
}

Test(sensitivity, the_planted_assumption_and_threshold_are_found) {
    write_fall("steps", steps_and_mass);
    write_fall("pins", pins_too);
    write_fall("mass", only_mass);
    text_write("claims.yaml", claims);
    cr_assert_eq(sweep_objects("-n 60 -p 12 paper/steps.yaml"), 5);
    expect_planted("t.many-steps", "time.steps_per_frame", "out/paper/steps/sensitivity.tsv", "above", 12);
    expect_verdict("t.many-steps", "depends");
    expect_verdict("t.moves", "matches");
    expect_verdict("t.hovers", "not swept"); /* no search was made */
    cr_expect(json_is_null(item("t.moves", "hangs_on")) && whole("t.moves", "likely_holding") == 60);
    cr_expect(whole("t.moves", "likely") == 60 && whole("t.moves", "possible") == 12);
    cr_expect(strstr(json_string_value(item("t.fast", "left_out")), "timing"));
    cr_expect(strstr(json_string_value(item("t.stays-close", "left_out")), "counts what the body"));
    objects_free();
    /* A cloth held at its border does not fall, whatever the other values; the claim selects by the value taken. */
    cr_assert_eq(sweep_objects("-n 24 -p 0 paper/pins.yaml"), 1);
    const json_t *parting = item("t.falls", "hangs_on");
    cr_expect_str_eq(json_string_value(json_object_get(parting, "path")), "body.cloth.pins");
    cr_expect_eq(json_number_value(json_object_get(parting, "purity")), 1);
    expect_verdict("t.falls", "depends");
    objects_free();
    /* In the likely range alone it holds, in too few members for a verdict. */
    cr_assert_eq(sweep_objects("-n 16 -p 32 paper/mass.yaml"), 1);
    expect_planted("t.light", "body.node_mass", "out/paper/mass/sensitivity.tsv", "below",
                   0.3 / (2 * pow(9.8 * 0.03, 2)));
    cr_expect(whole("t.light", "likely_holding") == 16 && whole("t.light", "possible_holding") < 32);
    objects_free();
    /* A person reads the same. */
    shell("\"$S\" sensitivity -n 16 -p 32 --claims claims.yaml --out out paper/mass.yaml");
    expect_code(0);
    expect_out("paper/mass: 16 likely and 32 possible set-ups of 2 assumptions, on serial, tier full\n");
    expect_out("  nothing to run: the table has all 56 runs\n");
    expect_out("  t.light  not swept         holds in 16 of 16 likely set-ups and in ");
    expect_out("body.node_mass: it holds below 1.");
    expect_out(" (down to 0.1");
}

/* The verdicts of `check`, with and without a sweep. */
Test(sensitivity, check_judges_by_the_sweep) {
    write_fall("steps", steps_and_mass);
    write_fall("mass", only_mass);
    write_fall("pins", pins_too);
    text_write("claims.yaml", claims);
    shell("\"$S\" run -q --tier quick --out out paper/*.yaml && \"$S\" check claims.yaml --out out "
          "--json");
    expect_code(1);
    char *light = strstr(said.out, "{\"id\":\"t.light\""), *later;
    cr_assert_not_null(light);
    light = text_copy(light);
    cr_expect(strstr(light, "\"verdict\":\"not swept\"") && strstr(light, "there is no sweep of this experiment"), "%s",
              light);
    shell("\"$S\" sensitivity -n 60 -p 4 -q --claims claims.yaml --out out paper/steps.yaml >/dev/null && "
          "\"$S\" check claims.yaml --out out --json");
    expect_out("It holds in 0 of 60 likely set-ups and in 0 of 4 other possible ones. No search has been run from its "
               "nearest set-ups.");
    shell("\"$S\" sensitivity -n 60 -p 4 -q --search 200 --claims claims.yaml --out out paper/steps.yaml >/dev/null && "
          "\"$S\" check claims.yaml --out out --json");
    static const char *const expected[][3] = {
        {"t.many-steps", "depends", "It depends most on time.steps_per_frame: it holds above 1"},
        {"t.moves", "matches", "It holds in 60 of 60 likely set-ups and in 4 of 4 other possible ones."},
        {"t.hovers", "differs", "It holds in no set-up of 60 likely, 4 possible and 200 searched ones."},
        {"t.stays-close", "matches", ""},
    };
    for (size_t c = 0; c < sizeof expected / sizeof *expected; ++c) {
        char *line = text_format("{\"id\":\"%s\"", expected[c][0]), *at = strstr(said.out, line);
        cr_assert_not_null(at);
        at = text_format("%.*s", (int)strcspn(at, "\n"), at);
        char *verdict = text_format("\"verdict\":\"%s\"", expected[c][1]);
        cr_expect(strstr(at, verdict) && strstr(at, expected[c][2]), "%s", at);
        free(verdict);
        free(at);
        free(line);
    }
    /* No sweep is of the other experiment: it is judged as before. */
    expect_out(light);
    free(light);
    /* What is recorded agrees with the sweep, but for what is planted. */
    shell("\"$S\" check claims.yaml --recorded --audit");
    expect_code(0);
    expect_out("7 claims; sweeps decide 3 of them; 0 recorded verdicts contradict their sweep\n");
    shell("sed -i '/t.hovers/,/t.stays/s/recorded: differs/recorded: depends/' claims.yaml && "
          "\"$S\" check claims.yaml --recorded --audit");
    expect_code(1);
    expect_out("t.hovers: recorded as 'depends', by the sweep 'differs': it holds in no set-up of 60 likely, ");
    expect_out("1 recorded verdicts contradict their sweep\n");
    shell("\"$S\" check claims.yaml --recorded --json");
    expect_code(0);
    expect_out(
        "{\"id\":\"t.moves\",\"class\":\"result\",\"fact\":\"t.moves\",\"headline\":false,\"verdict\":\"matches\","
        "\"holds\":64,\"members\":64,\"share\":1.0,\"explained\":null}");
    expect_out(
        "{\"id\":\"t.light\",\"class\":\"result\",\"fact\":\"t.light\",\"headline\":false,\"verdict\":\"depends\","
        "\"holds\":null,\"members\":null,\"share\":null,\"explained\":null}");
    /* The sweep has no number for a claim about a frame that it was not made for. */
    shell("echo '  - {id: t.later, where: here, says: later, kind: bound, expect: \"> 0.001 m/s\", from: {experiment: "
          "paper/steps, quantity: largest_speed, over_frames: {at: 20 ms}}}' >>claims.yaml && "
          "\"$S\" check claims.yaml --out out --json");
    later = strstr(said.out, "{\"id\":\"t.later\"");
    cr_assert_not_null(later);
    cr_expect(strstr(later, "\"verdict\":\"not swept\"") &&
                  strstr(later, "It has no verdict with the values as taken."),
              "%s", later);
    /* A sweep of other ranges tells nothing, and says so; the verdicts that were kept are judged again. */
    shell("\"$S\" check claims.yaml --out out --experiments . --json");
    expect_out("It holds in 60 of 60");
    shell("cp paper/steps.yaml kept && sed -i 's/\\[1, 200\\]/[1, 201]/' paper/steps.yaml && "
          "\"$S\" check claims.yaml --out out --experiments . --json");
    expect_code(1);
    expect_out("Other values that the paper allows were not tried: the sweep's table is of an older version of the "
               "experiment's file and must be made again; run springback sensitivity");
    expect_no_out("It holds in 60");
    shell("\"$S\" check claims.yaml --recorded --audit --experiments .; cp kept paper/steps.yaml");
    expect_out("8 claims; sweeps decide 0 of them; 0 recorded verdicts contradict their sweep\n"
               "paper/steps: its table decides nothing, because it is of an older version");
    /* A sweep of other values tells nothing, and says so. */
    shell(
        "sed -i 's/value: 20/value: 30/' paper/steps.yaml && \"$S\" run -q --tier quick --out out paper/steps.yaml && "
        "\"$S\" check claims.yaml --out out --json");
    expect_code(1);
    expect_out("the sweep's table is of other runs; run springback sensitivity");
    expect_no_out("It holds in 60");
    shell("echo nonsense | xz >data/sweeps/paper/steps.tsv.xz; \"$S\" check claims.yaml --out out");
    expect_code(2);
    expect_err("data/sweeps/paper/steps.tsv.xz:1:1: this line of a sweep's table has an unknown first word");
}

#ifdef SPRINGBACK_PREPARE
/* An archive is judged by the table that it brings, wherever it is opened. */
Test(sensitivity, an_archive_brings_its_sweeps) {
    mkdir("experiments", 0777);
    cr_assert_eq(chdir("experiments"), 0);
    write_fall("steps", steps_and_mass);
    cr_assert_eq(chdir(".."), 0);
    text_write("experiments/paper.yaml", "springback: 1\npaper: paper\n");
    text_write("claims.yaml", "springback: 1\npaper: paper\nclaims:\n"
                              "  - {id: t.many-steps, says: over 12 steps, kind: bound, expect: '> 0.36 m/s',\n"
                              "     from: {experiment: paper/steps, quantity: largest_speed, over_frames: last}}\n");
    shell("\"$S\" sensitivity -q -n 60 -p 0 --out out experiments/paper/steps.yaml && "
          "\"$S\" run -q --tier quick --out out experiments/paper/steps.yaml && "
          "\"$S\" export --format archive --out a.tar.gz --claims claims.yaml out && tar -tzf a.tar.gz");
    expect_code(0);
    expect_out("data/sweeps/paper/steps.tsv.xz\n");
    expect_out("experiments/paper.yaml\n");
    shell("rm -r data experiments out && \"$S\" check --archive a.tar.gz");
    expect_code(0);
    expect_out("depends");
    expect_out("a.tar.gz: whole; 1 verdicts, all as archived");
}
#endif

/* ---- The rule ---- */

/* A table of `counts` members of each kind whose run has the numbers that a function gives, and a member set of it;
 * `searched`: runs of a search for the claim a. A run over 100 has blown up. */
static void member_set_of(const int counts[MEMBER_KINDS], double (*number)(enum member_kind kind, int k, int run),
                          int searched, struct member_set *set) {
    char *text = text_copy("springback-sweep\t1\tp/e\tquick\t0123456789abcdef0123456789abcdef\n"
                           "assumption\tmethod.stiffness\tN/m\t1 N/m to 100 N/m\t1 N/m to 1000 N/m\n");
    for (int r = 0; r < 2; ++r)
        text_append(&text,
                    "run\tr%d\nnote\tid\tr%d\nnote\tstatus\twhole\nparameter\tmethod.stiffness\t5 N/m\tN/m\tassumed\n"
                    "parameter\tmethod.name\t%s\t1\tstated\n",
                    r, r, r ? "pbd" : "xpbd");
    text_append(&text, "column\theight\tmax\tm\ncolumn\theight\tmin\tm\n");
    if (searched)
        text_append(&text, "searched\ta\t%d\n", searched);
    for (int kind = 0; kind < MEMBER_KINDS; ++kind)
        for (int k = 0; k < counts[kind]; ++k) {
            text_append(&text, "member\t%s\t%d\t0123456789abcdef0123456789abcdef\t%d N/m\n",
                        member_kind_name((enum member_kind)kind), k + (kind != MEMBER_LIKELY), k + 1);
            for (int r = 0; r < 2; ++r)
                text_append(&text, "row\t%s\t%.6g\t%.6g\n",
                            number((enum member_kind)kind, k, r) > 100 ? "diverged" : "whole",
                            number((enum member_kind)kind, k, r), -number((enum member_kind)kind, k, r));
        }
    mkdir("p", 0777);
    text_write("p/e.tsv", text);
    shell("xz -f p/e.tsv");
    free(text);
    failure_clear();
    cr_assert_eq(member_set_read(".", NULL, "p/e", set), STATUS_OK, "%s", failure_text());
}

/* Heights: that of run 0, and 0.5 for run 1. */
static double all_1(enum member_kind kind, int k, int run) {
    return (void)kind, (void)k, run ? 0.5 : 1;
}

static double all_2(enum member_kind kind, int k, int run) {
    return (void)kind, (void)k, run ? 0.5 : 2;
}

static double one_2(enum member_kind kind, int k, int run) {
    return run ? 0.5 : kind == MEMBER_LIKELY && k == 7 ? 2 : 1;
}

static double possible_2(enum member_kind kind, int k, int run) {
    return (void)k, run ? 0.5 : kind == MEMBER_POSSIBLE ? 2 : 1;
}

static double likely_2(enum member_kind kind, int k, int run) {
    return (void)k, run ? 0.5 : kind == MEMBER_LIKELY ? 2 : 1;
}

static double noise_2(enum member_kind kind, int k, int run) {
    return (void)k, run ? 0.5 : kind == MEMBER_NOISE ? 2 : 1;
}

static double found_1(enum member_kind kind, int k, int run) {
    return run ? 0.5 : kind == MEMBER_SEARCH && k == 3 ? 1 : 2;
}

static double found_2(enum member_kind kind, int k, int run) {
    return run ? 0.5 : kind == MEMBER_SEARCH && k == 3 ? 2 : 1;
}

/* In both runs too high, but for one of a search. */
static double found_other(enum member_kind kind, int k, int run) {
    return run && kind == MEMBER_SEARCH && k == 3 ? 1 : 2;
}

static double found_blown_up(enum member_kind kind, int k, int run) {
    return run ? 0.5 : kind == MEMBER_SEARCH && k == 3 ? 200 : 2;
}

/* Found only where the scene is not admissible. */
static double found_low(enum member_kind kind, int k, int run) {
    return run ? 0.5 : kind == MEMBER_SEARCH && k == 3 ? 1 : 1.4;
}

/* Run 0 lies 0.1 above run 1; rounding moves run 0 by 0.3. */
static double blurred(enum member_kind kind, int k, int run) {
    return (void)k, run ? 0.5 : kind == MEMBER_NOISE ? 0.9 : 0.6;
}

/* Likewise, and rounding moves it by 0.01. */
static double apart(enum member_kind kind, int k, int run) {
    return (void)k, run ? 0.5 : kind == MEMBER_NOISE ? 0.61 : 0.6;
}

#define HIGH                                                                                                           \
    "kind: bound, expect: '< 1.5 m', from: {experiment: p/e, quantity: height, over_frames: max, over: {runs: max}}"
#define ORDER "kind: order, from: {experiment: p/e, quantity: height, over_frames: max, compare: method.name}, "
#define LOW                                                                                                            \
    "admissible:\n- {says: it is low, expect: '> -1.5 m', from: "                                                      \
    "{experiment: p/e, quantity: height, over_frames: min, over: {runs: min}}}\n"
#define OF_PBD                                                                                                         \
    ", readings: [{says: of the other, from: {experiment: p/e, select: {method.name: pbd}, "                           \
    "quantity: height, over_frames: max}}]"

Test(sensitivity, the_verdict_follows_the_rule) {
    static const struct {
        int counts[MEMBER_KINDS];
        double (*number)(enum member_kind kind, int k, int run);
        const char *claim, *more; /* `more`: what stands behind the claims */
        enum verdict verdict;
        int holding, rejected, undecided, searched;
    } cases[] = {
        {{59, 0, 0}, all_1, HIGH, "", VERDICT_MATCHES, 59, 0, 0, 0},
        {{58, 0, 0}, all_1, HIGH, "", VERDICT_NOT_SWEPT, 58, 0, 0, 0},
        {{58, 9, 0}, all_1, HIGH, "", VERDICT_NOT_SWEPT, 67, 0, 0, 0}, /* of the likely ones too few */
        {{59, 9, 0}, one_2, HIGH, "", VERDICT_DEPENDS, 67, 0, 0, 0},
        {{30, 0, 0}, one_2, HIGH, "", VERDICT_DEPENDS, 29, 0, 0, 0}, /* two set-ups are enough to see that it depends */
        {{59, 9, 0}, possible_2, HIGH, "", VERDICT_MATCHES, 59, 0, 0, 0},
        {{59, 9, 0}, likely_2, HIGH, "", VERDICT_DEPENDS, 9, 0, 0, 0},
        {{50, 9, 0}, all_2, HIGH, "", VERDICT_DIFFERS, 0, 0, 0, 200},
        /* Without a search of 200 runs for the claim no claim differs, whatever members of other searches there are. */
        {{50, 9, 0}, all_2, HIGH, "", VERDICT_NOT_SWEPT, 0, 0, 0, 0},
        {{50, 9, 0}, all_2, HIGH, "", VERDICT_NOT_SWEPT, 0, 0, 0, 199},
        {{50, 9, 0, 250}, all_2, HIGH, "", VERDICT_NOT_SWEPT, 0, 0, 0, 0},
        {{50, 9, 0, 250}, all_2, HIGH, "", VERDICT_DIFFERS, 0, 0, 0, 200},
        {{50, 8, 0, 250}, all_2, HIGH, "", VERDICT_NOT_SWEPT, 0, 0, 0, 200}, /* they replace no other member */
        /* One of them that holds, in one reading, whichever claim it was made for, keeps it from differing. */
        {{50, 9, 0, 8}, found_1, HIGH, "", VERDICT_DEPENDS, 0, 0, 0, 200},
        {{50, 9, 0, 8}, found_1, HIGH, "", VERDICT_DEPENDS, 0, 0, 0, 0},
        {{5, 0, 0, 8}, found_1, HIGH, "", VERDICT_DEPENDS, 0, 0, 0, 0},
        {{50, 9, 0, 8}, found_other, HIGH OF_PBD, "", VERDICT_DEPENDS, 0, 0, 0, 200},
        {{50, 9, 0, 8},
         found_low,
         "kind: bound, expect: '< 1.1 m', from: {experiment: p/e, quantity: height, "
         "over_frames: max, over: {runs: max}}",
         "admissible:\n- {says: it is high, expect: '> 1.2 m', from: "
         "{experiment: p/e, select: {method.name: xpbd}, quantity: height, over_frames: max}}\n",
         VERDICT_DIFFERS,
         0,
         0,
         0,
         200},
        /* A run that blew up meets no printed number; whether it is high is another matter. */
        {{50, 9, 0, 8},
         found_blown_up,
         "kind: value, reported: 200 m, from: {experiment: p/e, select: {method.name: xpbd}, quantity: height, "
         "over_frames: max}",
         "",
         VERDICT_DIFFERS,
         0,
         0,
         0,
         200},
        {{50, 9, 0, 8},
         found_blown_up,
         "kind: bound, expect: '> 150 m', from: {experiment: p/e, quantity: height, over_frames: max, over: {runs: "
         "max}}",
         "",
         VERDICT_DEPENDS,
         0,
         0,
         0,
         200},
        /* They count in no share. */
        {{59, 0, 0, 8}, found_2, HIGH, "", VERDICT_MATCHES, 59, 0, 0, 0},
        {{58, 0, 0, 8}, all_1, HIGH, "", VERDICT_NOT_SWEPT, 58, 0, 0, 0},
        {{50, 8, 0}, all_2, HIGH, "", VERDICT_NOT_SWEPT, 0, 0, 0, 0},
        {{59, 0, 8}, noise_2, HIGH, "", VERDICT_MATCHES, 59, 0, 0, 0}, /* members of noise do not count */
        /* Members that their scene rejects do not count, for or against. */
        {{60, 0, 0}, one_2, HIGH, LOW, VERDICT_MATCHES, 59, 1, 0, 0},
        {{59, 0, 0}, one_2, HIGH, LOW, VERDICT_NOT_SWEPT, 58, 1, 0, 0},
        /* Numbers that are closer than what rounding changes have no order. */
        {{59, 0, 8}, apart, ORDER "expect: xpbd > pbd", "", VERDICT_MATCHES, 59, 0, 0, 0},
        {{50, 9, 8}, apart, ORDER "expect: xpbd < pbd", "", VERDICT_DIFFERS, 0, 0, 0, 200},
        {{59, 0, 8}, blurred, ORDER "expect: xpbd > pbd", "", VERDICT_DEPENDS, 0, 0, 59, 0},
        {{59, 0, 8}, blurred, ORDER "expect: xpbd < pbd", "", VERDICT_DEPENDS, 0, 0, 59, 0},
        /* A claim holds in every reading of its sentence, and differs in none. */
        {{59, 0, 0}, all_1, HIGH OF_PBD, "", VERDICT_MATCHES, 59, 0, 0, 0},
        {{59, 0, 0}, all_2, HIGH OF_PBD, "", VERDICT_DEPENDS, 0, 0, 0, 0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        struct member_set set;
        struct claim_file file;
        char *text =
            text_format("springback: 1\npaper: p\nclaims:\n- {id: a, says: b, %s}\n%s", cases[c].claim, cases[c].more);
        text_write("claims.yaml", text);
        free(text);
        failure_clear();
        cr_assert_eq(claim_file_read("claims.yaml", &file), STATUS_OK, "%s", failure_text());
        member_set_of(cases[c].counts, cases[c].number, cases[c].searched, &set);
        const struct sensitivity *found = sensitivity_of(&file.claims[0], &set, &file);
        cr_assert(!found->status && !found->left_out, "case %zu: %s", c, failure_text());
        cr_expect_str_eq(verdict_name(found->verdict), verdict_name(cases[c].verdict), "case %zu", c);
        cr_expect_eq(found->likely.holding + found->possible.holding, cases[c].holding, "case %zu", c);
        cr_expect_eq(found->rejected, cases[c].rejected, "case %zu", c);
        cr_expect_eq(found->likely.undecided + found->possible.undecided, cases[c].undecided, "case %zu", c);
        member_set_free(&set);
        claim_file_free(&file);
    }
}

/* A claim's distance from holding, for one member with the heights 1 m and 0.5 m. */
Test(sensitivity, members_have_a_distance_from_holding) {
    static const struct {
        const char *claim;
        double distance;
    } cases[] = {
        {HIGH, 0},
        {"kind: bound, expect: '< 0.8 m', from: {experiment: p/e, quantity: height, over_frames: max, each: "
         "method.name}",
         0.25},
        {"kind: bound, expect: '< 0 m', from: {experiment: p/e, quantity: height, over_frames: max, each: method.name}",
         1},
        {"kind: bound, expect: '> 5 m', from: {experiment: p/e, quantity: height, over_frames: max, each: method.name}",
         0.9},
        {ORDER "expect: xpbd > pbd", 0},
        {ORDER "expect: xpbd < pbd", 0.5},
        {"kind: value, reported: 0.5 m, tolerance: {absolute: 0.25 m}, why: x, from: {experiment: p/e, select: "
         "{method.name: xpbd}, quantity: height, over_frames: max}",
         2},
        {"kind: value, reported: 0.5 m, from: {experiment: p/e, select: {method.name: xpbd}, quantity: height, "
         "over_frames: max}",
         10}, /* half of the last printed place is 0.05 */
        {"kind: ratio, reported: 4, tolerance: {relative: 25 %}, why: x, from: {experiment: p/e, quantity: height, "
         "over_frames: max, numerator: {method.name: xpbd}, denominator: {method.name: pbd}}",
         2},
        {"kind: bound, expect: '< 0.8 m', from: {experiment: p/e, quantity: height, over_frames: max, each: "
         "method.name}" OF_PBD,
         0},
        {"kind: bound, expect: '< 1 m', from: {experiment: p/e, quantity: width_x, over_frames: max}", INFINITY},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        struct member_set set;
        struct claim_file file;
        const int counts[MEMBER_KINDS] = {1};
        int status = STATUS_OK;
        char *text = text_format("springback: 1\npaper: p\nclaims:\n- {id: a, says: b, %s}\n", cases[c].claim);
        text_write("claims.yaml", text);
        free(text);
        failure_clear();
        cr_assert_eq(claim_file_read("claims.yaml", &file), STATUS_OK, "%s", failure_text());
        member_set_of(counts, all_1, 0, &set);
        struct table noise = claim_noise(&file.claims[0], &set);
        const struct claim_answer answer = claim_answer(&file.claims[0], &set, 0, &noise, &status);
        cr_expect(isinf(cases[c].distance) ? isinf(answer.distance) : fabs(answer.distance - cases[c].distance) < 1e-6,
                  "%s: %g, not %g", cases[c].claim, answer.distance, cases[c].distance);
        cr_expect_eq(status, STATUS_OK);
        table_free(&noise);
        member_set_free(&set);
        claim_file_free(&file);
    }
}

/* ---- Searches ---- */

/* Four nodes of mass m that fall for 30 ms have the kinetic energy 2 m (g 30 ms)^2: 0.0146 J to 1.8 J. The others have
 * no part in it. */
static const char mass_and_others[] =
    "  time.steps_per_frame: {value: 10, likely: [10], why: x}\n"
    "  body.cloth.pins: {value: none, likely: [none], possible: [border, none, corners], why: x, source: y}\n"
    "  method.stiffness: {value: 5 N/m, likely: [1 N/m, 9 N/m], possible: [0.001 N/m, 9000 N/m], why: x, source: y}\n"
    "  scene.gravity: {value: [0, -9.8 m/s^2, 0], likely: [[0, -9.8 m/s^2, 0], [0, -9.7 m/s^2, 0]],\n"
    "    possible: [[0, -10 m/s^2, 0], [0, -9 m/s^2, 0]], why: x, source: y}\n"
    "  body.node_mass: {value: 1 kg, likely: [0.5 kg, 1.5 kg], possible: [0.1 kg, 10 kg], why: x, source: y}\n";

#define ENERGY "from: {experiment: paper/mass, quantity: kinetic_energy, over_frames: last}}\n"

static const char energies[] = "springback: 1\npaper: test\nclaims:\n"
                               "  - {id: t.exact, where: here, says: s, kind: value, reported: 0.98765 J, why: x,\n"
                               "     tolerance: {relative: 0.1 %}, " ENERGY
                               "  - {id: t.most, where: here, says: s, kind: bound, expect: '> 1.799 J', " ENERGY
                               "  - {id: t.never, where: here, says: s, kind: bound, expect: '> 1.81 J', " ENERGY
                               "  - {id: t.likely, where: here, says: s, kind: bound, expect: '< 1 J', " ENERGY;

#define SEARCH_INTO(out)                                                                                               \
    "\"$S\" sensitivity --claims claims.yaml --out " out " --sweeps " out ".s -n 64 -p 64 paper/mass.yaml "

Test(sensitivity, a_search_finds_set_ups_that_the_points_missed) {
    write_fall("mass", mass_and_others);
    text_write("claims.yaml", energies);
    shell(SEARCH_INTO("a"));
    expect_code(0);
    expect_out("  t.exact   not swept         holds in 0 of 64 likely set-ups and in 0 of 64 other possible ones\n");
    expect_out("  t.most    not swept         ");
    shell(SEARCH_INTO("a") "--search 200");
    expect_code(0);
    expect_out("  nothing to run: the table has all 136 runs\n  3 claims hold in no set-up: a search runs at most 600 "
               "others\n");
    expect_out("  t.exact   depends           holds in 0 of 64 likely set-ups and in 0 of 64 other possible ones; in ");
    expect_out("  t.most    depends           ");
    expect_out("  t.never   differs           holds in no set-up of 64 likely, 64 possible and ");
    expect_out("  t.likely  matches           holds in 64 of 64 likely ");
    struct sweep_table table;
    cr_assert_eq(sweep_read("a.s/paper/mass.tsv.xz", false, &table), STATUS_OK, "%s", failure_text());
    cr_expect(table.member_count > 136 + 200 && table.member_count < 136 + 600, "%d members", table.member_count);
    cr_expect_eq(table.searched_count, 1, "a claim that holds needs no further search");
    cr_expect_eq(sweep_searched_runs(&table, "t.never"), 200);
    sweep_free(&table);
    /* The set-up is named, and holds when it is run. */
    shell("\"$S\" run -q --tier quick --out a paper/mass.yaml && mkdir -p data && cp -r a.s data/sweeps && "
          "\"$S\" check --out a claims.yaml --json");
    char *at = strstr(said.out, "{\"id\":\"t.exact\"");
    at = at ? strstr(at, "with --set '") : NULL;
    cr_assert_not_null(at, "%s", said.out);
    at += strlen("with ");
    const char *end = strstr(at, "'. ");
    cr_assert_not_null(end, "%s", at);
    at = text_format("%.*s", (int)(end + 1 - at), at);
    shell("\"$S\" run -q --tier quick --out b %s paper/mass.yaml && \"$S\" check --out b claims.yaml --json", at);
    free(at);
    at = strstr(said.out, "{\"id\":\"t.exact\"");
    at = at ? strstr(at, "\"measured\":\"") : NULL;
    cr_assert_not_null(at, "%s", said.out);
    cr_expect_float_eq(strtod(at + strlen("\"measured\":\""), NULL), 0.98765, 0.0011 * 0.98765);
    /* It is not made again, goes on with more runs, and is found as made, by verify as well. */
    shell("cp a.s/paper/mass.tsv.xz t; " SEARCH_INTO("a") "--search 200 && cmp t a.s/paper/mass.tsv.xz && " SEARCH_INTO(
        "a") " && cmp t a.s/paper/mass.tsv.xz && \"$S\" verify -q --out a --sweeps a.s --sample 1000 paper/mass.yaml");
    expect_code(0);
    expect_out("  t.never   differs ");
    expect_no_out("a search runs");
    shell(SEARCH_INTO("a") "--search 225");
    expect_code(0);
    expect_out("  1 claim holds in no set-up: a search runs at most 225 others\n");
    shell("xz -dc t | grep -c '^member' >n; xz -dc a.s/paper/mass.tsv.xz | grep -c '^member' | cat n - && "
          "[ $(($(xz -dc a.s/paper/mass.tsv.xz | grep -c '^member') - $(cat n))) = 25 ]");
    expect_code(0);
}

Test(sensitivity, a_search_that_was_cut_equals_one_that_was_not) {
    write_fall("mass", mass_and_others);
    text_write("claims.yaml", energies);
    shell(SEARCH_INTO("whole") "--search 60 -q");
    expect_code(0);
    for (int lines = 20; lines < 150; lines += 41) { /* of the part: some of the searched members ended */
        shell("rm -rf cut cut.s; " SEARCH_INTO(
                  "cut") "-q && mkdir -p cut/paper/mass/sensitivity && "
                         "{ xz -dc cut.s/paper/mass.tsv.xz | sed '/^member/,$d'; xz -dc whole.s/paper/mass.tsv.xz | "
                         "sed -n '/^member.search/,$p' | head -n %d; } >cut/paper/mass/sensitivity/members.tsv "
                         "&& " SEARCH_INTO(
                             "cut") "--search 60 -q && cmp cut.s/paper/mass.tsv.xz whole.s/paper/mass.tsv.xz",
              lines);
        expect_code(0);
    }
    /* Without the search they are kept, as members of no search that ended. */
    shell("mkdir -p cut/paper/mass/sensitivity && rm -r cut.s; { xz -dc whole.s/paper/mass.tsv.xz | "
          "sed '/^searched/d'; } >cut/paper/mass/sensitivity/members.tsv && " SEARCH_INTO(
              "cut") "-q && "
                     "xz -dc cut.s/paper/mass.tsv.xz >a; xz -dc whole.s/paper/mass.tsv.xz | sed '/^searched/d' | cmp - "
                     "a");
    expect_code(0);
    expect_out("  t.never   not swept         holds in no set-up of 64 likely, 64 possible and ");
}

Test(sensitivity, searched_members_that_are_none_of_the_ranges_are_refused) {
    static const char *const edits[] = {"s/^\\(member\\tsearch\\t3\\t[^\\t]*\\t\\)[a-z]*/\\1row/",
                                        "s/^\\(member\\tsearch\\t3\\t.*\\t\\)[^\\t]*$/\\111 kg/",
                                        "s/^\\(member\\tsearch\\t3\\t.*\\t\\)[^\\t]*$/\\1nan kg/",
                                        "s/^\\(member\\tsearch\\t3\\t.*\\t\\)[^\\t]*$/\\1/"};
    write_fall("mass", mass_and_others);
    text_write("claims.yaml", energies);
    shell(SEARCH_INTO("a") "--search 25 -q");
    expect_code(0);
    for (size_t e = 0; e < sizeof edits / sizeof *edits; ++e) {
        shell("cp -r a.s b.s; xz -dc a.s/paper/mass.tsv.xz | sed '%s' | xz >b.s/paper/mass.tsv.xz; "
              "\"$S\" verify -q --out b --sweeps b.s paper/mass.yaml",
              edits[e]);
        expect_code(2);
        expect_err("b.s/paper/mass.tsv.xz: the values of the member search 3 are not in the possible ranges");
    }
}

/* ---- What can hold together ---- */

/* Two experiments of a paper that share an assumption, the mass m: the kinetic energy after three steps of 10 ms, and
 * after two. */
static void write_pair(void) {
    static const char body[] = "springback: 1\npaper: two\nbody: {cloth: {nodes: [2, 2]}}\n"
                               "method: {name: mass_spring, stiffness: 5 N/m}\n"
                               "time: {step: 10 ms, steps_per_frame: 1, frames: %d}\nassumptions:\n%s";
    mkdir("experiments", 0777);
    mkdir("experiments/two", 0777);
    text_write("experiments/two.yaml",
               "springback: 1\npaper: two\nassumptions:\n"
               "  body.node_mass: {value: 1 kg, likely: [0.5 kg, 1.5 kg], possible: [0.1 kg, 10 kg],"
               " why: x, source: y}\n");
    for (int e = 0; e < 2; ++e) {
        char *text =
            text_format(body, 3 - e,
                        e ? "  scene.gravity: {value: [0, -9.8 m/s^2, 0], likely: [[0, -9.9 m/s^2, 0],"
                            " [0, -9.7 m/s^2, 0]], why: x}\n"
                          : "  body.cloth.size: {value: [1 m, 1 m], likely: [[1 m, 1 m], [2 m, 2 m]], why: x}\n");
        text_write(e ? "experiments/two/b.yaml" : "experiments/two/a.yaml", text);
        free(text);
    }
    mkdir("paper_checks", 0777);
    text_write(
        "paper_checks/two.yaml",
        "springback: 1\npaper: two\nclaims:\n"
        "  - {id: two.heavy, says: s, kind: bound, expect: '> 0.9 J', headline: true,\n"
        "     from: {experiment: two/a, quantity: kinetic_energy, over_frames: last}}\n"
        "  - {id: two.light, says: s, kind: bound, expect: '< 0.1 J',\n"
        "     from: {experiment: two/b, quantity: kinetic_energy, over_frames: last}}\n"
        "  - {id: two.moves, says: s, kind: bound, expect: '> 0 J',\n"
        "     from: {experiment: two/b, quantity: kinetic_energy, over_frames: last}}\n"
        "  - {id: two.hovers, says: s, kind: bound, expect: '< 0 J',\n"
        "     from: {experiment: two/b, quantity: kinetic_energy, over_frames: last}}\n"
        "  - {id: two.background, says: s, class: background, kind: bound, expect: '< 0 J',\n"
        "     from: {experiment: two/b, quantity: kinetic_energy, over_frames: last}}\n"
        "  - {id: two.nodes, says: s, kind: count, reported: 4, from: {experiment: two/b, quantity: nodes}}\n"
        "admissible:\n"
        "  - {says: it is not too heavy, expect: '< 1.2 J', from: {experiment: two/a, quantity: kinetic_energy,\n"
        "     over_frames: last}}\n");
}

static const char *text_at(const json_t *array, size_t k) {
    return json_string_value(json_array_get(array, k));
}

Test(sensitivity, fit_says_what_can_hold_together) {
    write_pair();
    shell("\"$S\" fit two");
    expect_code(2);
    expect_err("paper_checks/two.yaml: no current sweep below data/sweeps judges a claim of this paper");
    shell("\"$S\" sensitivity -q -n 16 -p 40 --out out experiments/two/[ab].yaml >/dev/null && \"$S\" fit --json two");
    expect_code(0);
    json_error_t error;
    json_t *object = json_loads(said.out, 0, &error);
    cr_assert_not_null(object, "%s: %s", error.text, said.out);
    /* Members of the experiment that has a condition, counted by their rows. */
    shell("awk -F'\\t' 'NR > 1 && !/^noise/ {n++; if (/rejected/) r++} END {print n - r, r}' "
          "out/two/a/sensitivity.tsv");
    char *counts = text_format("%lld %lld\n", json_integer_value(json_object_get(object, "setups")),
                               json_integer_value(json_object_get(object, "left_out")));
    cr_expect_str_eq(said.out, counts);
    free(counts);
    cr_expect_eq(json_integer_value(json_object_get(object, "claims")), 4, "of results and headlines");
    const json_t *best = json_object_get(object, "best"), *apart = json_object_get(object, "apart"),
                 *nowhere = json_object_get(object, "nowhere");
    cr_expect_eq(json_integer_value(json_object_get(best, "holding")), 2);
    cr_expect_eq(json_integer_value(json_object_get(best, "headlines")), 1, "of equals the one with a headline");
    cr_expect_str_eq(json_string_value(json_object_get(best, "kind")), "possible");
    cr_expect_str_eq(text_at(json_object_get(best, "holds"), 0), "two.heavy");
    cr_assert_eq(json_array_size(apart), 1);
    cr_expect_str_eq(text_at(json_array_get(apart, 0), 0), "two.heavy");
    cr_expect_str_eq(text_at(json_array_get(apart, 0), 1), "two.light");
    cr_assert_eq(json_array_size(nowhere), 1);
    cr_expect_str_eq(text_at(nowhere, 0), "two.hovers");
    json_decref(object);
    /* A person reads the same; the script runs it. */
    shell("\"$S\" fit two -o fit.sh");
    expect_code(0);
    expect_out("two: 4 headline and result claims, in ");
    expect_out(" set-ups of 2 experiments (");
    expect_out("most hold in the set-up possible ");
    expect_out(": 2 of 4\n  two/a: --set 'body.node_mass=");
    expect_out("hold in none of them:\n  two.hovers\nhold in some of them, and never together:\n  two.heavy (in ");
    shell("mkdir -p bin && ln -sf \"$S\" bin/springback && "
          "PATH=$PWD/bin:$PATH sh -e fit.sh");
    expect_code(0);
    expect_out("two.heavy");
    /* Members whose shared values differ are no set-up. */
    shell(
        "cp -r data kept && xz -dc data/sweeps/two/b.tsv.xz | sed '/^member\tlikely\t3\t/s/\t[0-9.]* kg/\t1.25 kg/' | "
        "xz >t.xz && mv t.xz data/sweeps/two/b.tsv.xz && \"$S\" fit two; rm -r data; mv kept data");
    expect_code(0);
    expect_out(" others are not admissible, 1 cannot be joined because experiments take different values of a shared");
    /* Tables of older ranges are left out. */
    shell("sed -i 's/-9.9 m/-9.95 m/' experiments/two/b.yaml && \"$S\" fit two");
    expect_code(0);
    expect_out("two: 1 headline and result claims, in ");
    expect_out("two/b is left out: its table is of an older version of the experiment's file and must be made again\n");
    shell("\"$S\" fit two --json");
    expect_out("\"outdated\":[\"two/b\"]");
    /* What is wrong. */
    static const char *const wrong[][2] = {{"fit", "a paper must be named"},
                                           {"fit nowhere", "paper_checks/nowhere.yaml"},
                                           {"fit two two -o x", "--output takes one paper"},
                                           {"fit two -o ''", "--output names no"},
                                           {"fit two --sweeps nowhere", "no current sweep below nowhere judges"}};
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; ++w) {
        shell("\"$S\" %s", wrong[w][0]);
        expect_code(2);
        expect_err(wrong[w][1]);
    }
    shell("echo x | xz >data/sweeps/two/a.tsv.xz; \"$S\" fit two");
    expect_code(2);
    expect_err("data/sweeps/two/a.tsv.xz:1:1: ");
}

/* A value from a table of others is no part of a command. */
Test(sensitivity, options_are_quoted) {
    struct member_set set;
    const int counts[MEMBER_KINDS] = {2};
    member_set_of(counts, all_1, 0, &set);
    set.table.members[1].values[0] = "1'; rm -r x; '";
    char *options = member_options(&set, 1);
    cr_expect_str_eq(options, "--set 'method.stiffness=1'\\''; rm -r x; '\\'''", "%s", options);
    free(options);
    member_set_free(&set);
}

/* ---- Going on ---- */

static const char *const table_of[] = {"data/sweeps/paper/steps.tsv.xz"};

static void expect_same(const char *a, const char *b) {
    shell("cmp %s/paper/steps/sensitivity.tsv %s/paper/steps/sensitivity.tsv && cmp %s.s/paper/steps.tsv.xz "
          "%s.s/paper/steps.tsv.xz",
          a, b, a, b);
    expect_code(0);
    char *folder = text_format("%s/paper/steps/sensitivity", b);
    cr_expect_eq(matching(folder), 0, "traces of members are not kept");
    free(folder);
}

#define SWEEP_INTO(out) "\"$S\" sensitivity --claims claims.yaml --out " out " --sweeps " out ".s paper/steps.yaml "

Test(sensitivity, a_sweep_that_was_cut_or_grown_equals_one_that_was_not) {
    write_fall("steps", steps_and_mass);
    text_write("claims.yaml", claims);
    shell(SWEEP_INTO("whole") "-n 8 -p 4");
    expect_code(0);
    expect_out("  20 of 20 runs to make, in about ");
    /* Grown: the members that there are stay. */
    shell(SWEEP_INTO("grown") "-n 3 -p 2");
    expect_code(0);
    shell(SWEEP_INTO("grown") "-n 8 -p 4");
    expect_code(0);
    expect_out("  7 of 20 runs to make, in about ");
    expect_same("whole", "grown");
    /* Killed in its midst. */
    shell(SWEEP_INTO("killed") "-n 8 -p 4 -q >/dev/null & pid=$!; for i in $(seq 2000); do "
                               "[ -e killed/paper/steps/sensitivity/members.tsv ] && break; sleep 0.002; done; "
                               "kill -9 $pid; wait $pid");
    shell(SWEEP_INTO("killed") "-n 8 -p 4 -q");
    expect_code(0);
    expect_same("whole", "killed");
    /* Killed when it began to write. */
    for (int k = 0; k < 2; ++k) {
        shell(
            "rm killed.s/paper/steps.tsv.xz; mkdir -p killed/paper/steps/sensitivity && "
            "xz -dc <whole.s/paper/steps.tsv.xz | head -c %d >killed/paper/steps/sensitivity/members.tsv; " SWEEP_INTO(
                "killed") "-n 8 -p 4 -q",
            100 * k);
        expect_code(0);
        expect_same("whole", "killed");
    }
    /* A part whose last member was cut; and a table that is lost is made again, whatever its members ended in. */
    shell("rm killed.s/paper/steps.tsv.xz && mkdir -p killed/paper/steps/sensitivity && "
          "xz -dc <whole.s/paper/steps.tsv.xz | head -n -20 >killed/paper/steps/sensitivity/members.tsv && "
          "printf 'row\\twh' >>killed/paper/steps/sensitivity/members.tsv; " SWEEP_INTO("killed") "-n 8 -p 4");
    expect_code(0);
    expect_out(" of 20 runs to make");
    expect_no_out("  20 of 20 runs to make");
    expect_same("whole", "killed");
    /* On another backend the bits are the same. */
    shell(SWEEP_INTO("threads") "-n 8 -p 4 -q --backend threads:2 >/dev/null; xz -dc <threads.s/paper/steps.tsv.xz | "
                                "grep '^member\\|^row' >a; xz -dc <whole.s/paper/steps.tsv.xz | "
                                "grep '^member\\|^row' >b; cmp a b");
    expect_code(0);
}

/* Shards run side by side in one folder, one of them is cut, and one is lost. */
Test(sensitivity, shards_together_equal_a_whole_sweep) {
    static const char *const folder = "shards/paper/steps/sensitivity";
    write_fall("steps", steps_and_mass);
    text_write("claims.yaml", claims);
    shell(SWEEP_INTO("whole") "-n 8 -p 4 -q >/dev/null && " SWEEP_INTO(
        "shards") "-n 8 -p 4 --shard 1/3 -q & " SWEEP_INTO("shards") "-n 8 -p 4 --shard=2/3 && wait");
    expect_code(0);
    expect_out("shard 2 of 3 of them\n  7 of 7 runs to make, in about ");
    expect_no_out("t.moves");
    cr_expect(matching("shards/paper/steps/sensitivity/members-?-of-3.tsv") == 2 && !matching("shards.s"));
    /* Cut in its last member, it goes on. */
    shell("p=%s/members-2-of-3.tsv; head -c -10 $p >cut && cp cut $p; " SWEEP_INTO(
              "shards") "-n 8 -p 4 --shard=2/3 && grep -c '^member' $p && ! grep 'row.*member' $p",
          folder);
    expect_code(0);
    expect_out("  1 of 7 runs to make, in about ");
    expect_out("\n7\n");
    /* The third is lost: the whole sweep runs its members. */
    shell(SWEEP_INTO("shards") "-n 8 -p 4");
    expect_code(0);
    expect_out("  6 of 20 runs to make, in about ");
    expect_same("whole", "shards");
    shell(SWEEP_INTO("shards") "--shard 1/2 --search 200");
    expect_code(2);
    expect_err("--search is for the sweep of all set-ups");
}

/* Members run again if a claim asks for a number that the table does not have: by one of its readings, or of a series
 * that the method has got since. */
Test(sensitivity, numbers_that_a_table_lacks_are_made) {
    static const char asked[] = "springback: 1\npaper: test\nclaims:\n"
                                "  - {id: t.moves, where: here, says: it moves, kind: bound, expect: '> 0.001 m/s',\n"
                                "     from: {experiment: paper/steps, quantity: largest_speed, over_frames: max}%s}\n";
    char *before = text_format(asked, ""),
         *after = text_format(asked, ",\n     readings: [{says: by the first frame, from: {experiment: paper/steps, "
                                     "quantity: largest_speed, over_frames: first}}]");
    write_fall("steps", steps_and_mass);
    text_write("claims.yaml", before);
    shell("\"$S\" sensitivity -n 4 -p 0 -q --claims claims.yaml --out out paper/steps.yaml && xz -dc <%s", table_of[0]);
    expect_code(0);
    expect_no_out("column\tlargest_speed\tfirst");
    text_write("claims.yaml", after);
    shell("\"$S\" sensitivity -n 4 -p 0 -q --claims claims.yaml --out out paper/steps.yaml && xz -dc <%s", table_of[0]);
    expect_code(0);
    expect_out("column\tlargest_speed\tfirst\tm/s\n");
    /* As an earlier program without this series would have left it. */
    shell("xz -dc <%s | sed 's/^column\tlargest_speed/column\tearlier/' | xz >cut.xz && mv cut.xz %s", table_of[0],
          table_of[0]);
    expect_code(0);
    shell("\"$S\" sensitivity -n 4 -p 0 -q --claims claims.yaml --out out paper/steps.yaml && xz -dc <%s", table_of[0]);
    expect_code(0);
    expect_out("column\tlargest_speed\tfirst\tm/s\n");
    free(before);
    free(after);
}

Test(sensitivity, clean_knows_what_an_interrupted_sweep_left) {
    write_fall("steps", steps_and_mass);
    shell("\"$S\" sensitivity -n 4 -p 0 -q --out out paper/steps.yaml && \"$S\" clean paper/steps.yaml --out out");
    expect_code(0);
    expect_out("nothing is left over");
    cr_expect(matching(table_of[0]) == 1 && matching("out/paper/steps/sensitivity.tsv") == 1);
    /* Numbers of members that ended are kept for the sweep to go on; members that had begun are not. */
    shell("mkdir -p out/paper/steps/sensitivity/l0003 && xz -dc <%s >out/paper/steps/sensitivity/members.tsv && "
          "echo x >out/paper/steps/sensitivity/mine && \"$S\" clean paper/steps.yaml --out out",
          table_of[0]);
    expect_code(0);
    cr_expect_eq(matching("out/paper/steps/sensitivity/members.tsv"), 1, "%s", said.out);
    cr_expect_eq(matching("out/paper/steps/sensitivity/mine"), 1, "a file of one's own stays");
    /* An experiment whose file is gone. */
    write_fall("mass", only_mass);
    shell("rm paper/steps.yaml out/paper/steps/sensitivity/mine; \"$S\" clean paper/mass.yaml --out out");
    cr_expect_eq(matching("out/paper/steps"), 0, "%s", said.out);
}

/* ---- Running members again ---- */

Test(sensitivity, verify_finds_a_changed_member) {
    static const char change[] = "xz -dc <data/sweeps/paper/steps.tsv.xz >t; sed '%s' t | xz "
                                 ">data/sweeps/paper/steps.tsv.xz; cmp -s t /dev/null; "
                                 "\"$S\" verify -q --out out --sample 1000 paper/steps.yaml";
    write_fall("steps", steps_and_mass);
    shell("\"$S\" verify --out out paper/steps.yaml");
    expect_code(2);
    expect_err("data/sweeps: there is no table of a sweep over these experiments");
    shell("\"$S\" sensitivity -n 6 -p 5 -q --out out paper/steps.yaml && cp data/sweeps/paper/steps.tsv.xz whole");
    expect_code(0);
    shell("\"$S\" verify -q --out out --sample 4 paper/steps.yaml && cmp whole data/sweeps/paper/steps.tsv.xz");
    expect_code(0);
    expect_out("paper/steps.yaml: 4 of 4 members that were run again are bit-identical to the table\n4 members of 1 of "
               "1 tables were run again; 4 are "
               "bit-identical\n");
    cr_expect_eq(matching("out/paper/steps/sensitivity"), 0);
    /* A digest, a status, a number: each of one member. */
    static const char *const edits[] = {"/^member\\tlikely\\t3\\t/s/\\t[0-9a-f]\\{8\\}/\\t00000000/",
                                        "/^member\\tlikely\\t3\\t/{n;s/whole/diverged/}",
                                        "/^member\\tlikely\\t3\\t/{n;s/\\t\\([1-9]\\)\\./\\t1\\1./}"};
    for (size_t e = 0; e < sizeof edits / sizeof *edits; ++e) {
        shell("cp whole data/sweeps/paper/steps.tsv.xz");
        shell(change, edits[e]);
        expect_code(1);
        expect_err("data/sweeps/paper/steps.tsv.xz: member likely 3 ");
        expect_out("19 members of 1 of 1 tables were run again; 18 are bit-identical\n");
    }
    /* A table of another version of the file. */
    shell("cp whole data/sweeps/paper/steps.tsv.xz; sed -i 's/9 N/8 N/' paper/steps.yaml; \"$S\" verify --out out "
          "paper/steps.yaml");
    expect_code(2);
    expect_err("this table is of another version of the experiment's file");
}

/* ---- Words and values that do not go ---- */

/* Sweep paper/NAME.yaml: some members run, `least` to `most`. Returns how many ran. */
static int expect_passed_over(const char *name, int members, int least, int most) {
    struct sweep_table table;
    char *path = text_format("data/sweeps/paper/%s.tsv.xz", name);
    shell("\"$S\" sensitivity -n %d -p 0 --out out paper/%s.yaml", members, name);
    expect_code(0);
    expect_out(" of them cannot be run: their values do not go together");
    cr_assert_eq(sweep_read(path, false, &table), STATUS_OK, "%s", failure_text());
    cr_expect_eq(table.member_count, members + 8);
    int run = 0;
    for (int m = 0; m < table.member_count; ++m)
        run += table.members[m].kind == MEMBER_LIKELY && *table.members[m].digest;
    cr_expect(run >= least && run <= most, "%d", run);
    sweep_free(&table);
    free(path);
    return run;
}

Test(sensitivity, values_that_do_not_go_together_are_passed_over) {
    write_fall("push", "  method.stiffness: {value: 5 N/m, likely: [1 N/m, 9 N/m], why: x}\n"
                       "  body.node_mass: {value: 1 kg, likely: [0.5 kg, 2 kg], why: x}\n"
                       "  scene.push.acceleration: {value: [0, 1 m/s^2, 0], likely: [[0, 1 m/s^2, 0]], why: x}\n"
                       "  scene.push.from: {value: 0 s, likely: [0 s, 1 s], why: x}\n"
                       "  scene.push.until: {value: 1 s, likely: [0 s, 1 s], why: x}\n");
    const int run = expect_passed_over("push", 16, 5, 13);
    char *table = text_read("out/paper/push/sensitivity.tsv");
    int rows = 0;
    for (const char *at = table; (at = strchr(at, '\n')); ++at)
        ++rows;
    cr_expect_eq(rows, run + 8 + 1);
    free(table);
}

/* The paper's variant is of meshes, which the method says, and no reader of files knows. */
Test(sensitivity, members_that_the_method_refuses_are_passed_over) {
    write_fall("kind", "  method.stiffness: {value: 5 N/m, likely: [1 N/m, 9 N/m], why: x}\n"
                       "  body.node_mass: {value: 1 kg, likely: [0.5 kg, 2 kg], why: x}\n"
                       "  method.variant: {value: tuned, likely: [tuned, paper], why: x}\n");
    expect_passed_over("kind", 8, 3, 6);
    shell(
        "sed -i 's/value: tuned/value: paper/' paper/kind.yaml && \"$S\" sensitivity -n 8 --out none paper/kind.yaml");
    expect_code(2);
    expect_err("member likely 0 of the sweep cannot run: ");
    cr_expect_eq(matching("none"), 0);
}

/* A body that is not there is a mistake, whatever member wants it. */
Test(sensitivity, members_without_their_body_are_a_mistake) {
    mkdir("paper", 0777);
    text_write("paper/body.yaml", "springback: 1\npaper: paper\ntitle: t\nbody: {node_mass: 1 kg}\n"
                                  "method: {name: mass_spring, stiffness: 5 N/m}\ntime: {step: 1 ms, frames: 1}\n"
                                  "assumptions:\n"
                                  "  body.mesh: {value: " SOURCE_DIR "/tests/small_cube.off, likely: [" SOURCE_DIR
                                  "/tests/small_cube.off, paper/nowhere.off], why: x}\n");
    shell("\"$S\" sensitivity -n 4 --out none paper/body.yaml");
    expect_code(2);
    expect_err("nowhere.off");
    expect_err("of the sweep cannot run: ");
    cr_expect_eq(matching("none"), 0);
}

Test(sensitivity, bad_words_run_nothing) {
    write_fall("steps", steps_and_mass);
    write_fall("big", "  method.stiffness: {value: 5 N/m, likely: [1 N/m, 9 N/m], why: x}\n"
                      "  body.node_mass: {value: 1 kg, likely: [1 kg], why: x}\n"
                      "  body.cloth.springs: {value: [structural], likely: [[structural]], why: x}\n"
                      "  time.steps_per_frame: {value: 1, likely: [1, 1000000], why: x}\n");
    shell("sed -i 's/2, 2\\]/40000, 40000]/' paper/big.yaml; "
          "sed '/_mass/d; /stiff/d; /_per_/d; /^assumptions/d; "
          "s/mass_spring}/mass_spring, stiffness: 5 N\\/m}/; s/2, 2\\]}/2, 2]}, node_mass: 1 kg/' "
          "paper/steps.yaml >paper/none.yaml");
    static const struct {
        const char *words, *wrong;
    } rows[] = {
        {"", "an experiment file must be named"},
        {"paper/steps.yaml --members", "requires an argument"},
        {"paper/steps.yaml --members 1", "--members takes a whole number from 2 to 9999; '1' is none"},
        {"paper/steps.yaml --members 10000", "'10000' is none"},
        {"paper/steps.yaml --members 1e3", "'1e3' is none"},
        {"paper/steps.yaml --members 99999999999999999999", "is none"},
        {"paper/steps.yaml --possible -1", "'-1' is none"},
        {"paper/steps.yaml --search -1", "--search takes a whole number from 0 to 9999; '-1' is none"},
        {"paper/steps.yaml --shard 5/4", "--shard takes I/N, as 2/4 for the second of four shards; '5/4' is none"},
        {"paper/steps.yaml --shard 0/4", "'0/4' is none"},
        {"paper/steps.yaml --shard 2", "'2' is none"},
        {"paper/steps.yaml --out ''", "--out names no folder"},
        {"paper/steps.yaml --set stiffness=1", "--out DIR must name a folder of its own"},
        {"paper/steps.yaml --set stiffness=1 --out o", "--sweeps DIR must name a folder of its own for the table"},
        {"paper/steps.yaml --tier slow", "has no tier slow"},
        {"paper/steps.yaml --backend serial --backend threads", "the members are run on one backend"},
        {"paper/steps.yaml --backend opencl:77", "opencl:77"},
        {"paper/steps.yaml --backend vulkan", "\"vulkan\" is not known"},
        {"paper/steps.yaml --claims nowhere.yaml", "nowhere.yaml"},
        {"paper/steps.yaml --only step=7s", "no run of paper/steps.yaml has step=7s"},
        {"paper/steps.yaml --fly", "unrecognized option"},
        {"paper/none.yaml", "paper/none.yaml: it has no assumption that could be varied; under assumptions:"},
        {"paper/nowhere.yaml", "paper/nowhere.yaml: cannot be read"},
        {"paper/big.yaml", "member likely 0 of the sweep cannot run: "},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r) {
        shell("\"$S\" sensitivity %s", rows[r].words);
        expect_code(2);
        expect_err(rows[r].wrong);
        cr_expect_eq(*said.out, 0, "%s", said.out);
        cr_expect(!matching("out") && !matching("data"), "%s left a folder", rows[r].words);
    }
}
