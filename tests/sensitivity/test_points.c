/* Points of the ranges of assumptions, and assumptions that experiments share. */
#include "experiment/sample.h"
#include "experiment/value.h"
#include "run/sweep.h"
#include "shell.h"

#include <sys/stat.h>

TestSuite(points, .init = shell_begin, .fini = shell_end);

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

Test(points, points_are_the_same_each_time_a_prefix_and_inside_the_ranges) {
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
            cr_expect(i == DAMPING || value_equal(value, wider), "%s: equal ranges, but different values",
                      a[i].field->path);
        }
    for (int k = 0; k < POINTS; ++k) {
        const struct value *point = &all[k * ASSUMPTIONS];
        ++nodes[(int)point[NODES].number[0]];
        for (int w = 0; w < 3; ++w)
            pins[w] += !strcmp(point[PINS].text, a[PINS].ranges[RANGE_LIKELY].values[w].text);
        under[MASS] += point[MASS].number[0] < 0.001;
        under[STIFFNESS] += point[STIFFNESS].number[0] < 10.5;
        under[GRAVITY] += point[GRAVITY].number[0] < 0;
        under[STEPS] += point[STEPS].number[0] <= 14; /* the geometric mean of the range is 14.1 */
        under[DAMPING] += possible[k * ASSUMPTIONS + DAMPING].number[0] < 4;
        cr_expect(point[STEPS].number[0] == floor(point[STEPS].number[0]) && point[NODES].number[1] == 5);
        cr_expect_str_eq(point[PLANE].text, "vertical");
        cr_expect(point[GRAVITY].number[2] == 0 && point[DAMPING].number[0] == 0);
    }
    /* A coordinate of 0.5 gives the middle of a range. For mass and steps, whose ranges are wide, this is the geometric
     * mean. For stiffness, whose range has a factor of only 9.5, for gravity and for damping, this is the arithmetic
     * mean. */
    for (int i = MASS; i <= DAMPING; ++i)
        cr_expect(abs(under[i] - POINTS / 2) <= 4, "%s: %d", a[i].field->path, under[i]);
    for (int w = 0; w < 3; ++w)
        cr_expect(abs(pins[w] - POINTS / 3) <= 4, "%d: %d", w, pins[w]);
    for (int n = 4; n <= 9; ++n)
        cr_expect(abs(nodes[n] - POINTS / 6) <= 4, "%d nodes: %d", n, nodes[n]);
    /* The first point of the sequence is the middle of each range. For a wide range, this is the geometric mean. */
    cr_expect_str_eq(all[MASS].text, "0.001 kg");
    cr_expect_str_eq(all[STIFFNESS].text, "10.5 N/m");
    cr_expect_str_eq(all[GRAVITY].text, "0 -9.5 0 m/s^2");
    cr_expect_str_eq(all[STEPS].text, "14");
    /* For each set of values, sample_place gives a point of the unit cube, from which sample_at gives the same values,
     * except for rounding. sample_read gives the same values from their texts. */
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
    /* The corners (0, 0, ...) and (1, 1, ...) of the unit cube are the ends of the ranges. */
    for (int end = 0; end < 2; ++end) {
        for (int d = 0; d < sample_dimensions(experiment); ++d)
            place[d] = end;
        sample_at(experiment, RANGE_POSSIBLE, place, &pool, back);
        cr_expect_str_eq(back[MASS].text, end ? "0.01 kg" : "0.0001 kg");
        cr_expect_str_eq(back[STEPS].text, end ? "200" : "1");
        cr_expect_str_eq(back[PINS].text, end ? "row" : "corners");
        cr_expect_str_eq(back[NODES].text, end ? "9 5" : "4 5");
    }
    /* Texts of values that are malformed or outside the range are refused. */
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

/* In two experiments, member k has the same values of the shared assumptions. This is so even if the other assumptions
 * and the stated values of the experiments differ. */
Test(points, a_shared_assumption_has_the_same_value_in_each_experiment) {
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
    cr_expect_str_eq(run_text(&plans[1].runs[0], "body.node_mass"), "2 kg", "expected the experiment's own value");
    cr_expect_str_eq(run_text(&plans[1].runs[0], "time.steps_per_frame"), "2", "a stated value is not an assumption");
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
            cr_expect_eq(same_as_first, 1, "%s does not vary", both[s]);
        }
    }
    pool_free(&pool);
    for (int p = 0; p < 2; ++p)
        plan_free(&plans[p]);
}

/* A shared assumption of an optional field applies to the experiments that have the part of the scene. */
Test(points, a_shared_assumption_of_an_optional_field_needs_its_part_of_the_scene) {
    struct plan pushed, at_rest;
    mkdir("paper", 0777);
    text_write("paper.yaml", "springback: 1\npaper: paper\nassumptions:\n"
                             "  scene.push.rim: {value: linear, likely: [sharp, linear], why: x}\n");
    for (int p = 0; p < 2; ++p) {
        AUTO_FREE char *text = text_format("springback: 1\nbody: {cloth: {nodes: [4, 4]}, node_mass: 1 kg}\n"
                                           "method: {name: mass_spring, stiffness: 5 N/m}\n"
                                           "time: {step: 1 ms, frames: 1}\n%s",
                                           p ? "" : "scene: {push: {acceleration: [0, 1 m/s^2, 0], until: 1 s}}\n");
        text_write("paper/e.yaml", text);
        read_plan("paper/e.yaml", p ? &at_rest : &pushed);
    }
    cr_expect_str_eq(run_text(&pushed.runs[0], "scene.push.rim"), "linear");
    cr_expect_eq(sample_axis(&pushed.experiment, 0), SAMPLE_CHOICE);
    cr_expect_null(run_parameter(&at_rest.runs[0], "scene.push.rim"), "without a push there is no rim");
    plan_free(&pushed);
    plan_free(&at_rest);
}

/* ---- Assumptions that an experiment does not vary ---- */

/* The plan of an experiment whose stiffness and shared assumptions vary. `damping`: more text inside `method: {...}`.
 * `own`: more lines of `assumptions:`. */
static void read_steady_plan(const char *damping, const char *own, struct plan *plan) {
    AUTO_FREE char *text = text_format("springback: 1\nbody: {cloth: {nodes: [4, 4]}}\n"
                                       "method: {name: mass_spring%s}\ntime: {step: 1 ms, frames: 1}\nassumptions:\n%s"
                                       "  method.stiffness: {value: 5 N/m, likely: [1 N/m, 9 N/m], why: x}\n",
                                       damping, own);
    mkdir("paper", 0777);
    text_write("paper.yaml", shared_file);
    text_write("paper/e.yaml", text);
    read_plan("paper/e.yaml", plan);
}

/* An assumption with one value adds no dimension. A stated value and an assumption with this value alone give the same
 * digest of the sweep. */
Test(points, an_assumption_with_one_value_changes_no_member_and_no_digest) {
    struct plan stated, assumed;
    char digests[2][DIGEST_SIZE];
    read_steady_plan(", damping: 0 N s/m", "", &stated);
    read_steady_plan("", "  method.damping: {value: 0 N s/m, likely: [0 N s/m], why: x}\n", &assumed);
    cr_expect_eq(sample_dimensions(&stated.experiment), sample_dimensions(&assumed.experiment));
    sweep_digest(&stated, digests[0]);
    sweep_digest(&assumed, digests[1]);
    cr_expect_str_eq(digests[0], digests[1]);
    plan_free(&assumed);
    read_steady_plan("", "  method.damping: {value: 0 N s/m, likely: [0 N s/m, 1 N s/m], why: x}\n", &assumed);
    sweep_digest(&assumed, digests[1]);
    cr_expect_str_neq(digests[0], digests[1], "the damping varies");
    plan_free(&stated);
    plan_free(&assumed);
}

/* If an experiment does not vary a shared assumption, the assumption's value may be outside the shared range. The other
 * assumptions keep their dimensions. */
Test(points, a_shared_assumption_that_an_experiment_does_not_vary_moves_no_other) {
    static const char *const others[] = {"scene.gravity", "time.steps_per_frame", "method.stiffness"};
    static struct value values[2][POINTS * 8];
    struct plan plans[2];
    struct pool pool = {0};
    read_steady_plan("", "", &plans[0]);
    read_steady_plan("", "  body.node_mass: {value: 60 kg, likely: [60 kg], why: x}\n", &plans[1]);
    cr_expect_str_eq(run_text(&plans[1].runs[0], "body.node_mass"), "60 kg");
    cr_expect_eq(sample_dimensions(&plans[0].experiment), sample_dimensions(&plans[1].experiment));
    for (int kind = 0; kind < RANGE_COUNT; ++kind) {
        for (int p = 0; p < 2; ++p) {
            cr_assert_leq(plans[p].experiment.assumption_count, 8);
            sample_draw(&plans[p].experiment, (enum range_kind)kind, POINTS, &pool, values[p]);
        }
        const int count = plans[0].experiment.assumption_count, mass = place_of(&plans[1].experiment, "body.node_mass");
        cr_assert_eq(plans[1].experiment.assumption_count, count);
        for (int k = 0; k < POINTS; ++k) {
            cr_expect_str_eq(values[1][k * count + mass].text, "60 kg");
            for (int o = 0; o < 3; ++o) {
                const struct value *x = &values[0][k * count + place_of(&plans[0].experiment, others[o])],
                                   *y = &values[1][k * count + place_of(&plans[1].experiment, others[o])];
                cr_expect(value_equal(x, y), "%s of member %d: %s and %s", others[o], k, x->text, y->text);
            }
        }
    }
    pool_free(&pool);
    for (int p = 0; p < 2; ++p)
        plan_free(&plans[p]);
}

Test(points, a_wrong_shared_assumption_is_told) {
    static const char own[] = "springback: 1\nbody: {cloth: {nodes: [4, 4]}, node_mass: 1 kg}\n"
                              "method: {name: mass_spring, stiffness: 5 N/m}\ntime: {step: 1 ms, frames: 1}\n";
    static const struct {
        const char *shared, *own, *said;
    } cases[] = {
        {"body: {node_mass: 1 kg}\n", "",
         "paper.yaml:2:1: the paper's file has the key body; the allowed keys are `springback`, `paper`, `title` and "
         "`assumptions`"},
        {"assumptions: {time.steps_per_frame: {value: 3, likely: [1, 2], why: x}}\n", "",
         "paper.yaml:2:56: assumptions: `likely` of time.steps_per_frame is too narrow: the range 1 to 2 does not "
         "include `value`, 3"},
        {"assumptions: {time.steps_per_frame: {value: 1, likely: [1, 2], why: x}}\n",
         "assumptions: {time.steps_per_frame: {value: 1, likely: [1, 3], why: x}}\n",
         "paper/e.yaml:5:56: assumptions: the ranges of time.steps_per_frame are in the paper's file, line 2; give "
         "only `value` and `why` here, or also `likely: [1]` if this experiment does not vary the value"},
        {"assumptions: {time.steps_per_frame: {value: 1, likely: [1, 2], why: x}}\n",
         "assumptions: {time.steps_per_frame: {value: 1, likely: [2], why: x}}\n",
         "paper/e.yaml:5:56: assumptions: the ranges of time.steps_per_frame are in the paper's file, line 2; give "
         "only `value` and `why` here, or also `likely: [1]` if this experiment does not vary the value"},
        {"assumptions: {time.steps_per_frame: {value: 1, likely: [1, 2], why: x}}\n",
         "assumptions: {time.steps_per_frame: {value: 4, likely: [4], possible: [4, 5], why: x, source: y}}\n",
         "paper/e.yaml:5:56: assumptions: the ranges of time.steps_per_frame are in the paper's file, line 2; give "
         "only `value` and `why` here, or also `likely: [4]` if this experiment does not vary the value"},
        {"assumptions: {time.steps_per_frame: {value: 1, likely: [1, 2], why: x}}\n",
         "assumptions: {time.steps_per_frame: {value: 4, why: x}}\n",
         "paper/e.yaml:5:15: assumptions: time.steps_per_frame is 4, outside the likely range of the paper's file (1 "
         "to 2); choose a value inside"},
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
