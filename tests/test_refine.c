/* What numbers owe to the step and to rounding, on cloths for which it is known. */
#include "refine/refine.h"
#include "support.h"

#include <glob.h>
#include <math.h>

static char *home, *file, *claims;

static void setup(void) {
    home = folder_temporary();
    file = text_format("%s/cloth.yaml", home);
    claims = text_format("%s/claims.yaml", home);
    failure_clear();
}

static void teardown(void) {
    free(claims);
    free(file);
    folder_remove(home);
}

TestSuite(refine, .init = setup, .fini = teardown);

static void write_cloth(const char *method, const char *time, const char *more) {
    char *text = text_format("springback: 1\npaper: test\ntitle: t\n"
                             "body: {cloth: {nodes: [6, 5], pins: corners}, node_mass: 1 kg}\n"
                             "method: {name: mass_spring, %s}\ntime: {%s}\n%s",
                             method, time, more);
    text_write(file, text);
    free(text);
}

static int refine_with(const char *claim_file, struct refine_report *report) {
    const struct refine_options options = {.plan = {.methods = method_table, .backend_words = backend_words},
                                           .out = home,
                                           .claims = claim_file,
                                           .quiet = true};
    return refine(file, &options, report);
}

static struct refine_report refined(const char *claim_file) {
    struct refine_report report;
    cr_assert_eq(refine_with(claim_file, &report), STATUS_OK, "%s", failure_text());
    return report;
}

static const struct movement *movement_of(const struct refinement *item, const char *name) {
    for (int m = 0; m < item->movement_count; ++m)
        if (!strcmp(item->movements[m].name, name))
            return &item->movements[m];
    cr_assert(false, "there is no %s", name);
    return NULL;
}

static size_t matching(const char *pattern) {
    char *whole = text_format("%s/%s", home, pattern);
    glob_t found = {0};
    const size_t count = glob(whole, 0, NULL, &found) ? 0 : found.gl_pathc;
    globfree(&found);
    free(whole);
    return count;
}

/* The paper's text, and so no claims: the folder that a test runs in has no paper_checks/test.yaml. */
Test(refine, series_move_as_the_scheme_says) {
    write_cloth("stiffness: 100 N/m, damping: 0.1 N s/m", "step: 1 ms, steps_per_frame: 10, frames: 4",
                "record: {mesh_every: 1}\nbackend: [serial, threads]\n");
    struct refine_report report = refined(NULL);
    cr_assert(report.count == 1 && report.runs == 1, "one of the two backends is enough");
    const struct refinement *item = &report.items[0];
    cr_expect_not(item->is_claim);
    cr_expect_eq(item->word, OWED_STEP);
    /* In free fall the velocity is exact, the height lags by g t h / 2: of first order. */
    const struct movement *kinetic = movement_of(item, "kinetic_energy");
    cr_expect_eq(kinetic->word, OWED_PHYSICS, "%s", origin_word_name(kinetic->word));
    cr_expect(isnan(kinetic->order), "rounding alone has no order: %g", kinetic->order);
    const struct movement *height = movement_of(item, "potential_energy");
    cr_expect_eq(height->word, OWED_STEP);
    cr_expect_lt(fabs(height->order - 1), 0.05, "%g", height->order);
    cr_expect_lt(fabs(height->with_step - 0.0183), 0.002, "%g", height->with_step);
    /* By symmetry there is no momentum along x: what there is, is rounding. */
    const struct movement *across = movement_of(item, "momentum_x");
    cr_expect_eq(across->word, OWED_ROUNDING, "%s", origin_word_name(across->word));
    cr_expect_gt(fabs(across->value[AT_STEP]), 1e3 * fabs(across->value[IN_DOUBLE]));
    refine_report_free(&report);

    /* The ordinary results are not touched, and the traces say what they are. */
    cr_expect_eq(matching("*"), 2, "the file, and refine/");
    cr_expect_eq(matching("refine/*/*/cloth/*.h5"), VARIANTS);
    static const struct {
        const char *folder, *step, *steps, *precision;
    } kept[] = {{"h", "0.001 s", "10", "float"},
                {"h2", "0.0005 s", "20", "float"},
                {"h4", "0.00025 s", "40", "float"},
                {"double", "0.001 s", "10", "double"}};
    for (int v = 0; v < VARIANTS; ++v) {
        char *pattern = text_format("%s/refine/%s/*/cloth/*.h5", home, kept[v].folder);
        glob_t found = {0};
        cr_assert_eq(glob(pattern, 0, NULL, &found), 0);
        struct trace_data trace;
        cr_assert_eq(trace_open(found.gl_pathv[0], &trace), STATUS_OK, "%s", failure_text());
        cr_expect_str_eq(trace_parameter_text(&trace, "time.step"), kept[v].step);
        cr_expect_str_eq(trace_parameter_text(&trace, "time.steps_per_frame"), kept[v].steps);
        cr_expect_str_eq(trace_parameter_text(&trace, "method.precision"), kept[v].precision);
        cr_expect(trace.frames == 5 && fabs(trace.frame_time[4] - 0.04) < 1e-12 && trace.mesh_frames == 0);
        trace_close(&trace);
        globfree(&found);
        free(pattern);
    }
}

Test(refine, a_blow_up_that_a_smaller_step_cures_is_said) {
    write_cloth("stiffness: 60 N/m, damping: 0 N s/m", "step: 0.1 s, frames: 300", "");
    struct refine_report report = refined(NULL);
    cr_assert_eq(report.count, 1);
    const struct refinement *item = &report.items[0];
    cr_expect(item->blown[AT_STEP] == 1 && item->blown[AT_HALF] == 0 && item->blown[IN_DOUBLE] == 1);
    cr_expect_eq(item->word, OWED_STEP);
    cr_expect(strstr(item->why, "The blow-up at h is gone at h/2."), "%s", item->why);
    cr_expect(isinf(movement_of(item, "largest_speed")->with_step));
    refine_report_free(&report);
    /* Where every step is too large, there is nothing to compare. */
    write_cloth("stiffness: 60000 N/m, damping: 0 N s/m", "step: 0.1 s, frames: 300", "");
    report = refined(NULL);
    cr_assert_eq(report.count, 1);
    cr_expect_eq(report.items[0].word, OWED_UNKNOWN);
    cr_expect(strstr(report.items[0].why, "1 of 1 at h, 1 of 1 at h/2, 1 of 1 at h/4, 1 of 1 in double."), "%s",
              report.items[0].why);
    refine_report_free(&report);
}

static const struct refinement *claim_of(const struct refine_report *report, const char *id) {
    for (int i = 0; i < report->count; ++i)
        if (!strcmp(report->items[i].id, id))
            return &report->items[i];
    cr_assert(false, "there is no %s", id);
    return NULL;
}

/* Claims select by what the file says, though the refined traces have other steps. */
Test(refine, claims_are_evaluated_at_every_variant) {
    char *head = text_copy(strrchr(home, '/') + 1);
    char *text =
        text_format("springback: 1\npaper: test\nclaims:\n"
                    "  - {id: t.blow-up, where: here, says: it blows up, kind: capability,\n"
                    "     from: {experiment: %s/cloth, select: {time.step: 0.1 s}, quantity: diverged},\n"
                    "     expect: yes, recorded: matches}\n"
                    "  - {id: t.steps, where: here, says: speeds, kind: order,\n"
                    "     from: {experiment: %s/cloth, select: {backend: serial}, quantity: largest_speed,\n"
                    "            over_frames: first, along: time.step},\n"
                    "     expect: rises, recorded: differs}\n"
                    "  - {id: t.nodes, where: here, says: nodes, kind: count, reported: 30,\n"
                    "     from: {experiment: %s/cloth, quantity: nodes}, recorded: matches}\n"
                    "  - {id: t.speed, where: here, says: fast, kind: bound, expect: '> 1 1/s',\n"
                    "     from: {experiment: %s/cloth, quantity: frames_per_second}, recorded: matches}\n"
                    "  - {id: t.bits, where: here, says: the same bits, kind: capability,\n"
                    "     from: {experiment: %s/cloth, same: state_hash, each: time.step}, recorded: matches}\n"
                    "  - {id: t.other, where: here, says: another, kind: count, reported: 1,\n"
                    "     from: {experiment: other/cloth, quantity: nodes}, recorded: matches}\n",
                    head, head, head, head, head);
    text_write(claims, text);
    free(text);
    free(head);
    write_cloth("stiffness: 60 N/m, damping: 0 N s/m", "step: [0.02 s, 0.1 s], frames: 300", "");
    struct refine_report report = refined(claims);
    cr_assert_eq(report.count, 5);
    const struct refinement *blow_up = claim_of(&report, "t.blow-up");
    cr_expect(blow_up->is_claim && blow_up->word == OWED_STEP && blow_up->runs[AT_HALF] == 1);
    cr_expect_str_eq(blow_up->verdict[AT_STEP], "matches");
    cr_expect_str_eq(blow_up->verdict[AT_HALF], "differs");
    cr_expect_str_eq(blow_up->verdict[IN_DOUBLE], "matches");
    cr_expect(strstr(blow_up->why, "gone at h/2") && strstr(blow_up->why, "The verdict changes: matches at h, differs"),
              "%s", blow_up->why);
    const struct movement *diverged = &blow_up->movements[0];
    cr_assert(blow_up->movement_count == 1 && diverged->has[AT_QUARTER]);
    cr_expect(diverged->value[AT_STEP] == 1 && diverged->value[AT_HALF] == 0 && isnan(diverged->order));
    const struct refinement *steps = claim_of(&report, "t.steps");
    cr_assert_eq(steps->movement_count, 2);
    cr_expect_str_eq(steps->movements[1].name, "largest_speed at 0.1 s");
    cr_expect(steps->word == OWED_PHYSICS && steps->movements[1].has[AT_HALF], "at rest nothing moves");
    static const char *const left_out[] = {"t.nodes", "t.speed", "t.bits"};
    for (int i = 0; i < 3; ++i) {
        const struct refinement *item = claim_of(&report, left_out[i]);
        cr_expect(item->word == OWED_LEFT_OUT && item->movement_count == 0 && *item->why, "%s", left_out[i]);
    }
    refine_report_free(&report);
}

Test(refine, what_is_left_out_is_not_run) {
    char *head = text_copy(strrchr(home, '/') + 1);
    char *text = text_format("springback: 1\npaper: test\nclaims:\n"
                             "  - {id: t.nodes, where: here, says: nodes, kind: count, reported: 30,\n"
                             "     from: {experiment: %s/cloth, quantity: nodes}, recorded: matches}\n",
                             head);
    text_write(claims, text);
    free(text);
    free(head);
    write_cloth("stiffness: 60 N/m", "step: 0.01 s, frames: 3", "");
    struct refine_report report = refined(claims);
    cr_expect(report.count == 1 && report.runs == 0 && matching("refine") == 0);
    refine_report_free(&report);
}

Test(refine, mistakes_are_told_before_anything_runs) {
    struct refine_report report;
    write_cloth("stiffness: 60 N/m", "step: 0.01 s, steps_per_frame: 400000, frames: 1", "record: {every: 0}\n");
    cr_expect_eq(refine_with("/nowhere.yaml", &report), STATUS_BAD);
    cr_expect(strstr(failure_text(), "/nowhere.yaml"), "%s", failure_text());
    refine_report_free(&report);
    failure_clear();
    write_cloth("stiffness: 60 N/m", "step: 0.01 s, steps_per_frame: 400000, frames: 1", "");
    cr_expect_eq(refine_with(NULL, &report), STATUS_BAD);
    cr_expect(strstr(failure_text(), "time.steps_per_frame: 1600000 is out of bounds") &&
                  strstr(failure_text(), "has no variant at h/4"),
              "%s", failure_text());
    refine_report_free(&report);
    failure_clear();
    write_cloth("stiffness: 60 N/m", "step: 0.01 s, steps_per_frame: 200000, frames: 10000", "");
    cr_expect_eq(refine_with(NULL, &report), STATUS_BAD);
    cr_expect(strstr(failure_text(), "makes 4000000000 steps"), "%s", failure_text());
    cr_expect_eq(matching("refine"), 0, "nothing was run");
    refine_report_free(&report);
}
