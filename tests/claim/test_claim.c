/* Claims and verdicts, with small traces in memory. */
#include "claim_fixture.h"

TestSuite(claim, .init = setup, .fini = teardown);

/* ---- Kinds and verdicts ---- */

Test(claim, value) {
    add((struct sketch){.id = "s"});
#define STRAIN "kind: value, from: {experiment: paper/speed, quantity: largest_strain, over_frames: max}, "
    expect(STRAIN "reported: 0.25", VERDICT_MATCHES, "0.25", "");
    expect(STRAIN "reported: 25 %", VERDICT_MATCHES, "25 %", "");
    expect(STRAIN "reported: 0.3", VERDICT_MATCHES, "0.25", ""); /* differs by at most half a unit of the last printed
                                                                    digit */
    expect(STRAIN "reported: 0.30", VERDICT_DIFFERS, "0.25", "");
    expect(STRAIN "reported: 0.25 to 0.3", VERDICT_MATCHES, "0.25", ""); /* a printed range, including its ends */
    expect(STRAIN "reported: 20 to 25 %", VERDICT_MATCHES, "25 %", "");
    expect(STRAIN "reported: 0.26 to 0.3", VERDICT_DIFFERS, "0.25", "");
    expect(STRAIN "reported: 0.28 to 0.32, tolerance: {relative: 20 %}, why: reasons", VERDICT_WITHIN, "0.25",
           "reasons");
    expect(STRAIN "reported: 0.30, tolerance: {relative: 20 %}, why: reasons", VERDICT_WITHIN, "0.25", "reasons");
    expect(STRAIN "reported: 30 %, tolerance: {absolute: 5 %}, why: reasons", VERDICT_WITHIN, "25 %", "");
    expect(STRAIN "reported: 30 %, tolerance: {absolute: 4 %}, why: reasons", VERDICT_DIFFERS, "25 %", "");
    expect(STRAIN "reported: 0.90, expect: '> 0.2'", VERDICT_SHAPE_ONLY, "0.25", "(`expect`) holds");
    expect(STRAIN "reported: 0.90, expect: '> 0.5'", VERDICT_DIFFERS, "0.25", "");
}

/* Without a sweep, the readings are judged by the runs. */
Test(claim, readings) {
    add((struct sketch){.id = "s"});
#define READING(reduction)                                                                                             \
    ", readings: [{says: other, from: {experiment: paper/speed, quantity: largest_strain, over_frames: " reduction "}" \
    "}"                                                                                                                \
    "]"
#define STRAIN_BOUND "kind: bound, from: {experiment: paper/speed, quantity: largest_strain, over_frames: max}, "
    expect(STRAIN_BOUND "expect: '<= 25 %'" READING("last"), VERDICT_MATCHES, "25 %", "");
    expect(STRAIN_BOUND "expect: '> 20 %'" READING("last"), VERDICT_DEPENDS, "25 %",
           "The claim does not hold in the reading \"other\" (12.5 %).");
    expect(STRAIN_BOUND "expect: '< 20 %'" READING("last"), VERDICT_DEPENDS, "25 %",
           "The claim holds in the reading \"other\" (12.5 %).");
    expect(STRAIN_BOUND "expect: '< 5 %'" READING("last"), VERDICT_DIFFERS, "25 %", "");
    expect(STRAIN_BOUND
           "expect: '< 30 %', readings: [{says: other, from: {experiment: paper/speed, quantity: residual}}]",
           VERDICT_NOT_RUN, "25 %", "The reading \"other\" is not judged.");
}

Test(claim, percent_where_the_claim_has_it) {
    add((struct sketch){.id = "s"});
#define BOUND "kind: bound, from: {experiment: paper/speed, quantity: largest_strain, over_frames: max}, "
    expect(BOUND "expect: '<= 25 %'", VERDICT_MATCHES, "25 %", "");
    expect(BOUND "expect: '< 25 %'", VERDICT_DIFFERS, "25 %", "");
    expect(BOUND "expect: '<= 0.25'", VERDICT_MATCHES, "0.25", "");
    expect(BOUND "reported: 0.25, expect: '<= 25 %'", VERDICT_MATCHES, "0.25", "");
}

Test(claim, over_frames) {
    add((struct sketch){.id = "s"});
    const char *const table[][2] = {{"max", "0.25"},   {"min", "0"},   {"mean", "0.125"},
                                    {"last", "0.125"}, {"first", "0"}, {"range", "0.25"}};
    for (int i = 0; i < 6; i++) {
        char *claim = text_format("kind: value, from: {experiment: paper/speed, quantity: largest_strain, over_frames: "
                                  "%s}, reported: %s",
                                  table[i][0], table[i][1]);
        expect(claim, VERDICT_MATCHES, table[i][1], "");
        free(claim);
    }
    expect("kind: value, from: {experiment: paper/speed, quantity: largest_strain}, reported: 1", VERDICT_NOT_RUN, "",
           "over_frames");
}

Test(claim, zero_is_a_legal_reference) {
    add((struct sketch){.id = "s"});
#define ZERO "from: {experiment: paper/speed, quantity: springs}, "
    expect("kind: value, " ZERO "reported: 0.00 %", VERDICT_MATCHES, "0 %", "");
    expect("kind: value, " ZERO "reported: 0, tolerance: {relative: 5 %}, why: x", VERDICT_MATCHES, "0", "");
    expect("kind: count, " ZERO "reported: 0", VERDICT_MATCHES, "0", "");
    expect(STRAIN "reported: 0.00, tolerance: {relative: 50 %}, why: x", VERDICT_DIFFERS, "0.25", "");
}

Test(claim, count_is_exact) {
    add((struct sketch){.id = "s", .nodes = "97026"});
    expect("kind: count, from: {experiment: paper/speed, quantity: nodes}, reported: 97026", VERDICT_MATCHES, "97026",
           "");
    expect("kind: count, from: {experiment: paper/speed, quantity: nodes}, reported: 97027", VERDICT_DIFFERS, "97026",
           "");
}

Test(claim, bound_with_unit_interval_and_outlier) {
    add((struct sketch){.id = "s", .seconds = {0.02, 0.02, 0.02, 0.02, 0.04, 0.02}});
    expect(RATE "expect: '>= 50 1/s'", VERDICT_MATCHES, "50 1/s", "1 of 6 timing samples are outliers");
    expect(RATE "expect: '> 50'", VERDICT_DIFFERS, "50 1/s", "");
    expect(RATE "expect: '>= 0.05 kHz'", VERDICT_MATCHES, "50 1/s", "");
    expect(RATE "expect: '>= 30 1/s'", VERDICT_MATCHES, "50 1/s", "inside the interval of 1");
    expect(RATE "expect: '< 40 1/s'", VERDICT_DEPENDS, "50 1/s", "inside the interval of 1");
    struct claim_report report = judge("- {id: a, says: b, " RATE "expect: '< 60 Hz'}");
    cr_assert_str_eq(report.results[0].interval, "[25, 50 1/s]");
    claim_report_free(&report);
}

Test(claim, lee2022s_protocol_with_the_median_beside_it) {
    add((struct sketch){.id = "s", .nodes = "10 10", .seconds = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}});
    add((struct sketch){.id = "t", .nodes = "20 20", .seconds = {0.25, 0.25, 0.25, 0.25, 0.25, 2.25}});
#define PROTOCOL                                                                                                       \
    "kind: ratio, from: {experiment: paper/speed, quantity: frames_per_second, statistic: lee2022, numerator: "        \
    "{body.cloth.nodes: 20 20}, denominator: {body.cloth.nodes: 10 10}}, "
    /* The first run has 2 frames/s. The second run lasts 3.5 s, of which its last frame takes 2.25 s. 5 of its 15
     * samples are 4 frames/s; 10 are in the last frame, whose smoothed duration is 0.45 s. So the ratio is (4 * 5 + 10
     * / 0.45) / 15 / 2. */
    expect(PROTOCOL "reported: 1.407", VERDICT_MATCHES, "1.407", "which lasts 3 s to 3.5 s");
    expect(PROTOCOL "reported: 1.407", VERDICT_MATCHES, "1.407", "of 1 tests (paper: 15), all are averaged");
    expect(PROTOCOL "reported: 1.407", VERDICT_MATCHES, "1.407",
           "By the median of all frames, with its 95 % interval: 2 [0.2222, 2].");
    expect("kind: bound, from: {experiment: paper/speed, select: {body.cloth.nodes: 10 10}, quantity: "
           "frames_per_second, statistic: lee2022}, expect: '>= 2 1/s'",
           VERDICT_MATCHES, "2 1/s", "By the median of all frames");
    expect("kind: bound, from: {experiment: paper/speed, select: {body.cloth.nodes: 10 10}, quantity: "
           "frames_per_second, statistic: median}, expect: '>= 2 1/s'",
           VERDICT_MATCHES, "2 1/s", "");
}

Test(claim, ratio_between_devices_goes_by_direction) {
    add_speeds();
    expect("kind: ratio, " RATIO ", reported: 20", VERDICT_MATCHES, "20", "The geometric mean is 9.283");
    expect("kind: ratio, " RATIO ", reported: 21, tolerance: {relative: 25 %}, why: x", VERDICT_WITHIN, "20", "");
    expect("kind: ratio, " RATIO ", reported: 61", VERDICT_SHAPE_ONLY, "20", "10 10: 2; 20 20: 8; 40 40: 50.");
    expect("kind: ratio, " RATIO ", reported: 61", VERDICT_SHAPE_ONLY, "20",
           "the threads backend as the denominator: mean 2");
    expect("kind: ratio, " RATIO ", reported: 0.5", VERDICT_DIFFERS, "20", "does not hold");
    seconds[4][0] = 3; /* for one size the GPU is now slower */
    expect("kind: ratio, " RATIO ", reported: 61", VERDICT_DIFFERS, "19.56", "1 of 3 values (10 10)");
}

Test(claim, baselines_by_number_of_threads) {
    add_speeds();
    add((struct sketch){.id = "o1", .kind = "threads:1", .nodes = "10 10", .seconds = {2}});
    add((struct sketch){.id = "o2", .kind = "threads:1", .nodes = "20 20", .seconds = {4}});
    expect("kind: ratio, " RATIO ", reported: 20", VERDICT_MATCHES, "20",
           "the threads backend as the denominator: mean 2");
    expect("kind: ratio, " RATIO ", reported: 20", VERDICT_MATCHES, "20",
           "the threads:1 backend as the denominator: mean 1.5");
}

Test(claim, members_without_partner_are_told) {
    add_speeds();
    set.run_count--;
    expect("kind: ratio, " RATIO ", reported: 5", VERDICT_MATCHES, "5",
           "Values that are left out because there is no run to compare them with: 1");
}

Test(claim, order_of_names_within_each) {
    add_speeds();
#define ORDER                                                                                                          \
    "kind: order, from: {experiment: paper/speed, quantity: frame_seconds, each: body.cloth.nodes, compare: "          \
    "backend_kind"
    set.run_count = 3;
    add((struct sketch){.id = "g1", .kind = "opencl", .nodes = "10 10", .seconds = {1}});
    add((struct sketch){.id = "g2", .kind = "opencl", .nodes = "20 20", .seconds = {1}});
    add((struct sketch){.id = "g3", .kind = "opencl", .nodes = "40 40", .seconds = {1}});
    expect(ORDER "}, expect: opencl < serial", VERDICT_MATCHES, "1 s to 50 s", "");
    expect(ORDER "}, expect: serial < opencl", VERDICT_DIFFERS, "1 s to 50 s", "serial has 2 s and opencl has 1 s");
    expect(ORDER "}, expect: opencl < threads < serial", VERDICT_NOT_RUN, "1 s to 50 s",
           "No run has backend_kind = threads");
}

Test(claim, order_along_numbers) {
    add_speeds();
#define ALONG                                                                                                          \
    "kind: order, from: {experiment: paper/speed, select: {backend_kind: serial}, quantity: frame_seconds, along: "    \
    "body.cloth.nodes}, "
    expect(ALONG "expect: increasing", VERDICT_MATCHES, "2 s to 50 s", "");
    expect(ALONG "expect: decreasing", VERDICT_DIFFERS, "2 s to 50 s", "");
    seconds[1][0] = 2;
    expect(ALONG "expect: increasing", VERDICT_DIFFERS, "2 s to 50 s", "10 10 has 2 s and 20 20 has 2 s");
    expect(ALONG "expect: rises", VERDICT_MATCHES, "2 s to 50 s", "");
    seconds[2][0] = 2;
    expect(ALONG "expect: rises", VERDICT_DIFFERS, "2 s", "All values are equal");
}

static void add_limit(const char *id, const char *step, const char *stiffness, const char *status) {
    add((struct sketch){.id = id, .step = step, .stiffness = stiffness, .status = status});
}

/* The largest stiffness at which the run does not diverge, for each time step. At the largest step, all runs diverge.
 */
Test(claim, largest_stable) {
    add_limit("a", "0.001 s", "10 N/m", "whole");
    add_limit("b", "0.001 s", "100 N/m", "whole");
    add_limit("c", "0.0005 s", "10 N/m", "whole");
    add_limit("d", "0.0005 s", "100 N/m", "whole");
    add_limit("e", "0.005 s", "10 N/m", "diverged");
    add_limit("f", "0.005 s", "100 N/m", "diverged");
#define LIMIT                                                                                                          \
    "kind: order, from: {experiment: paper/speed, quantity: method.stiffness, only: {diverged: 'no'}, over: {runs: "   \
    "max}, along: time.step}, "
    expect(LIMIT "expect: falls", VERDICT_MATCHES, "none to 100 N/m",
           "0.0005 s: 100 N/m; 0.001 s: 100 N/m; 0.005 s: none.");
    expect(LIMIT "expect: decreasing", VERDICT_DIFFERS, "none to 100 N/m", "");
    expect(LIMIT "expect: rises", VERDICT_DIFFERS, "none to 100 N/m", "");
}

/* In `only`, a word other than yes and no is a mistake. It does not count as 0 (no). */
Test(claim, only_takes_numbers_and_yes_and_no) {
    add((struct sketch){.id = "a", .stiffness = "10 N/m", .seconds = {1}});
#define ONLY(wanted)                                                                                                   \
    "kind: bound, from: {experiment: paper/speed, quantity: method.stiffness, only: {" wanted "}}, expect: '> 5'"
    expect(ONLY("diverged: 'no'"), VERDICT_MATCHES, "10 N/m", "");
    expect(ONLY("diverged: 0"), VERDICT_MATCHES, "10 N/m", "");
    expect(ONLY("diverged: never"), VERDICT_NOT_RUN, "", "only: diverged is \"never\"; write yes, no or a number");
    expect(ONLY("frame_seconds: 1 m"), VERDICT_NOT_RUN, "", "has the unit m; it must be in s");
}

/* text_size gives a number, the product of two numbers, or the length of a vector. A word that only begins with a
 * number is not a number. */
Test(claim, a_size_is_of_whole_words) {
    cr_expect_eq(text_size("20 N/m"), 20);
    cr_expect_eq(text_size("52 50"), 2600);
    cr_expect_eq(text_size("0 3 4 m/s^2"), 5);
    cr_expect_eq(text_size("30 1/s"), 30);
    cr_expect_eq(text_size("3 4 1/s"), 12);
    cr_expect(isnan(text_size("3d")) && isnan(text_size("0x10")) && isnan(text_size("infinite")));
}

Test(claim, shape_is_a_slope) {
    add((struct sketch){.id = "a", .nodes = "10 10", .seconds = {1}});
    add((struct sketch){.id = "b", .nodes = "20 20", .seconds = {4}});
    add((struct sketch){.id = "c", .nodes = "40 40", .seconds = {16}});
#define SLOPE "kind: shape, from: {experiment: paper/speed, quantity: frame_seconds, along: body.cloth.nodes}, "
    expect(SLOPE "reported: 1.00", VERDICT_MATCHES, "1", "");
    expect(SLOPE "reported: 1.2, tolerance: {absolute: 0.3}, why: x", VERDICT_WITHIN, "1", "");
    expect(SLOPE "reported: 2.0, expect: increasing", VERDICT_SHAPE_ONLY, "1", "");
    expect(SLOPE "reported: 2.0", VERDICT_DIFFERS, "1", "");
    /* A bound in `expect` applies to the quantity of each run, in the unit of the quantity, not to the slope. */
    expect(SLOPE "reported: 2.0, expect: '> 0.5 s'", VERDICT_SHAPE_ONLY, "1", "");
    expect(SLOPE "reported: 2.0, expect: '> 2000 ms'", VERDICT_DIFFERS, "1", "1 of 3");
    set.run_count = 1;
    expect(SLOPE "reported: 2.0", VERDICT_NOT_RUN, "1 s", "two or more");
}

Test(claim, consistency) {
    expect("kind: consistency, compute: 'n*(m-1) + m*(n-1) + 2*(n-1)*(m-1)', with: {n: 52, m: 52}, reported: 10506",
           VERDICT_MATCHES, "10506", "n = 52");
    expect("kind: consistency, compute: a/b, with: {a: 2, b: 3}, reported: 0.67", VERDICT_MATCHES, "0.6667", "");
    expect("kind: consistency, compute: a/b, with: {a: 2, b: 3}, reported: 0.66", VERDICT_DIFFERS, "0.6667", "");
    expect("kind: consistency, finding: it is not so, verdict: differs", VERDICT_DIFFERS, "", "it is not so");
}

Test(claim, capability) {
    add((struct sketch){.id = "a", .status = "diverged"});
    add((struct sketch){.id = "b", .kind = "threads", .status = "diverged"});
#define ABLE "kind: capability, from: {experiment: paper/speed, quantity: diverged}, "
    expect(ABLE "expect: yes", VERDICT_MATCHES, "blew up in 2 of 2", "");
    expect(ABLE "expect: no", VERDICT_DIFFERS, "stable in 0 of 2", "2 of 2 values (a and b)");
    notes[1][4].value = "whole";
    expect(ABLE "expect: yes", VERDICT_DIFFERS, "blew up in 1 of 2", "1 of 2 values (b)");
}

/* The inner speed is sqrt(2 K / M - P^2 / M^2), with the kinetic energy K, the magnitude P of the momentum and the mass
 * M = 2 kg. In frame 0 all nodes move at 1 m/s, so the inner speed is 0. In frames 1 and 2 the inner speed is 3 m/s and
 * 6 m/s. */
Test(claim, inner_speed) {
    static const struct trace_series motion[] = {{"kinetic_energy", "J", ""},
                                                 {"momentum_x", "kg m/s", ""},
                                                 {"momentum_y", "kg m/s", ""},
                                                 {"momentum_z", "kg m/s", ""}};
    static double energy[] = {1, 10, 39}, x[] = {2, 0, 0}, y[] = {0, -2, 2}, z[] = {0, 0, 0x1p1 * 1.4142135623730951};
    static double *rows[] = {energy, x, y, z}, times[] = {0, 1, 2};
    add((struct sketch){.id = "a", .nodes = "4"});
    expect("kind: value, from: {experiment: paper/speed, quantity: inner_speed, over_frames: max}, reported: 3 m/s",
           VERDICT_NOT_RUN, "", "the run a has no inner_speed");
    traces[0].series = (struct trace_series *)motion;
    traces[0].series_count = 4;
    traces[0].values = rows;
    traces[0].frame_time = times;
    parameters[0][5] = (struct trace_parameter){"body.node_mass", "0.5 kg", "kg", "stated", "", "", ""};
    expect("kind: value, from: {experiment: paper/speed, quantity: inner_speed, over_frames: first}, reported: 0 m/s",
           VERDICT_MATCHES, "0 m/s", "");
    expect(
        "kind: value, from: {experiment: paper/speed, quantity: inner_speed, over_frames: {at: 1 s}}, reported: 3 m/s",
        VERDICT_MATCHES, "3 m/s", "");
    expect("kind: value, from: {experiment: paper/speed, quantity: inner_speed, over_frames: mean}, reported: 3 m/s",
           VERDICT_MATCHES, "3 m/s", "");
}

Test(claim, same_text) {
    add((struct sketch){.id = "a"});
#define SAME "kind: capability, from: {experiment: paper/speed, same: state_hash, each: body.cloth.nodes}"
    expect(SAME, VERDICT_NOT_RUN, "not equal", "nothing to compare");
    add((struct sketch){.id = "b", .kind = "threads"});
    expect(SAME, VERDICT_MATCHES, "equal", "state_hash is equal in all 2 runs");
    add((struct sketch){.id = "c", .nodes = "7", .hash = "bb"});
    add((struct sketch){.id = "d", .nodes = "7", .hash = "bb", .kind = "threads"});
    expect(SAME, VERDICT_MATCHES, "equal in 2 of 2",
           "equal in all runs that have the same value under `each` (4 runs in total)");
    notes[3][5].value = "cc";
    expect(SAME, VERDICT_DIFFERS, "equal in 1 of 2", "c has bb, d has cc.");
    notes[3][5].value = "bb";
    /* A missing device does not change the verdict on the other devices. If a run has failed, or if only one run is
     * left, there is no verdict. */
    add((struct sketch){.id = "e", .run = RUN_MISSING});
    expect(SAME, VERDICT_MATCHES, "equal in 2 of 2",
           "The run e is left out, because there is no device for it: it broke.");
    notes[3][5].value = "cc";
    expect(SAME, VERDICT_DIFFERS, "equal in 1 of 2", "c has bb, d has cc.");
    add((struct sketch){.id = "f", .run = RUN_FAILED});
    expect(SAME, VERDICT_NOT_RUN, "", "The run f failed: it broke");
    set.run_count = 1;
    add((struct sketch){.id = "b", .run = RUN_MISSING});
    expect(SAME, VERDICT_NOT_RUN, "not equal", "nothing to compare");
}

Test(claim, runs_that_disagree_must_be_selected) {
    add((struct sketch){.id = "a", .seconds = {1}});
    add((struct sketch){.id = "b", .kind = "threads", .seconds = {3}});
#define FRAME "kind: value, reported: 2, from: {experiment: paper/speed, quantity: frame_seconds"
    expect(FRAME "}", VERDICT_NOT_RUN, "", "different values (1, 3)");
    expect(FRAME ", over: {runs: mean}}", VERDICT_MATCHES, "2 s", "");
    expect(FRAME ", over: {backend_kind: mean}}", VERDICT_MATCHES, "2 s", "");
    expect(FRAME ", over: {backend_kind: max, runs: median}}", VERDICT_DIFFERS, "3 s", "");
    expect(FRAME ", select: {backend_kind: opencl}}", VERDICT_NOT_RUN, "", "matches what the claim selects");
    expect("kind: value, reported: 2, from: {experiment: paper/speed, quantity: residual}", VERDICT_NOT_RUN, "",
           "no quantity residual, which these methods record: constraint_enforcement, adaptive_constraint");
}

/* ---- Missing runs and values ---- */

Test(claim, missing_gpu) {
    add((struct sketch){.id = "s", .seconds = {1}});
    add((struct sketch){.id = "o", .kind = "opencl", .seconds = {1}});
    expect("kind: ratio, " RATIO ", reported: 61, needs: gpu", VERDICT_NOT_TESTABLE, "", "PoCL, is a CPU");
    struct claim_report report = judge("- {id: a, says: b, kind: ratio, " RATIO ", reported: 61, needs: gpu, recorded: "
                                       "{gpu: matches, no_gpu: not testable here}}");
    cr_assert_not(report.incomplete);
    cr_assert_eq(claim_report_status(&report, false), STATUS_OK);
    claim_report_free(&report);
}

Test(claim, the_tier_full_may_have_a_verdict_of_its_own) {
    static const char claim[] = "- {id: a, says: b, " FRAME "}, recorded: "
                                "{quick: matches, full: differs}}";
    add((struct sketch){.id = "s", .seconds = {1}});
    struct claim_report report = judge(claim);
    cr_expect_eq(report.results[0].recorded, VERDICT_MATCHES);
    cr_expect_eq(claim_report_status(&report, false), STATUS_CHANGED);
    claim_report_free(&report);
    set.run_count = 0;
    add((struct sketch){.id = "s", .seconds = {1}, .tier = "full"});
    report = judge(claim);
    cr_expect_eq(report.results[0].recorded, VERDICT_DIFFERS);
    cr_expect_eq(claim_report_status(&report, false), STATUS_OK);
    claim_report_free(&report);
    add((struct sketch){.id = "t", .seconds = {1}});
    report = judge(claim);
    cr_expect_eq(report.results[0].recorded, VERDICT_MATCHES,
                 "runs of two tiers must not count as runs of the tier full");
    claim_report_free(&report);
}

Test(claim, missing_method) {
    add((struct sketch){.id = "s", .seconds = {1}});
    expect(FRAME "}, needs: [gpu, constraint]", VERDICT_NOT_RUN, "", "uses the method constraint");
    expect(FRAME "}, needs: mass_spring", VERDICT_DIFFERS, "1 s", "");
}

Test(claim, missing_device_and_missing_manifest) {
    add((struct sketch){.id = "backend=serial", .seconds = {1}});
    add((struct sketch){.id = "backend=opencl.gpu", .run = RUN_MISSING});
    expect(FRAME "}", VERDICT_NOT_RUN, "", "no device for the run backend=opencl.gpu");
    expect(FRAME ", select: {backend_kind: serial}}", VERDICT_DIFFERS, "1 s", "");
    expect("kind: value, reported: 2, from: {experiment: paper/other, quantity: nodes}", VERDICT_NOT_RUN, "",
           "has not been run");
    struct claim_report report = judge("- {id: a, says: b, " FRAME "}}");
    cr_assert_not(report.incomplete);
    claim_report_free(&report);
    report = judge("- {id: a, says: b, kind: value, reported: 2, from: {experiment: paper/other, quantity: nodes}, "
                   "recorded: not run}");
    cr_assert(report.incomplete);
    cr_assert_eq(claim_report_status(&report, false), STATUS_BAD);
    claim_report_free(&report);
    report = judge("- {id: a, says: b, kind: value, reported: 2, from: {experiment: paper/other, quantity: nodes}, "
                   "recorded: matches, optional: true}");
    cr_assert_eq(report.results[0].verdict, VERDICT_NOT_RUN);
    cr_assert_not(report.incomplete);
    cr_assert_eq(claim_report_status(&report, false), STATUS_OK);
    claim_report_free(&report);
}

Test(claim, failed_run) {
    add((struct sketch){.id = "nodes=10x10,backend=serial", .nodes = "10 10", .seconds = {1}});
    add((struct sketch){.id = "nodes=20x20,backend=serial", .nodes = "20 20", .run = RUN_FAILED});
    add((struct sketch){.id = "nodes=10x10,backend=threads", .nodes = "10 10", .kind = "threads", .seconds = {2}});
    expect(FRAME ", over: {runs: mean}}", VERDICT_NOT_RUN, "", "20x20,backend=serial failed: it broke");
    expect(FRAME ", select: {body.cloth.nodes: [10, 10]}, over: {runs: mean}}", VERDICT_MATCHES, "1.5 s", "");
    expect(FRAME ", select: {body.cloth.nodes: [20, 20]}}", VERDICT_NOT_RUN, "", "failed");
    expect(FRAME ", select: {backend_kind: threads}}", VERDICT_MATCHES, "2 s", "");
    struct claim_report report =
        judge("- {id: a, says: b, " FRAME ", select: {backend_kind: threads}}, recorded: matches}");
    cr_assert(report.incomplete,
              "the report must be incomplete, because a run of an experiment that the file uses failed");
    cr_assert_eq(claim_report_status(&report, false), STATUS_BAD);
    claim_report_free(&report);
}

/* ---- Sensitivity ---- */

/* Runs with only one value of an assumption give no verdict on the paper, whether the claim holds with this value or
 * not. */
Test(claim, an_open_value_needs_a_sweep) {
    add((struct sketch){.id = "a", .status = "diverged", .assumes = "method.stiffness"});
    expect(ABLE "expect: yes", VERDICT_NOT_SWEPT, "blew up",
           "With the chosen values the claim holds. Other values that the "
           "paper allows were not tried: there is no sweep");
    expect(ABLE "expect: no", VERDICT_NOT_SWEPT, "blew up", "With the chosen values the claim does not hold.");
    parameters[0][2].high = parameters[0][2].low; /* a range of one value leaves nothing open */
    expect(ABLE "expect: yes", VERDICT_MATCHES, "blew up", "");
    parameters[0][2].high = "1000 N/m";
    /* A claim needs no sweep if it is about a count, or if it compares the values of the assumption. */
    expect("kind: count, from: {experiment: paper/speed, quantity: nodes}, reported: 100", VERDICT_MATCHES, "100", "");
    expect("kind: capability, from: {experiment: paper/speed, quantity: diverged, each: method.stiffness}, expect: yes",
           VERDICT_MATCHES, "blew up", "");
}

Test(claim, depends_on_a_scale) {
    add((struct sketch){.id = "a", .seconds = {0.0033333333333}, .assumes = "time.steps_per_frame"});
    expect(RATE "expect: '>= 30 1/s', scales: {time.steps_per_frame: -1}", VERDICT_DEPENDS, "300 1/s",
           "with 20, an end of the range, the claim does not hold (result: 15 1/s). The verdict changes at about 10.");
    expect(RATE "expect: '>= 10 1/s', scales: {time.steps_per_frame: -1}", VERDICT_MATCHES, "300 1/s",
           "The verdict is the same for time.steps_per_frame from 1 to 20.");
    expect(RATE "expect: '< 30 1/s', scales: {time.steps_per_frame: -1}", VERDICT_DEPENDS, "300 1/s",
           "with 20, an end of the range, the claim holds (result: 15 1/s). The verdict changes at about 10.");
    parameters[0][4].origin = "stated";
    expect(RATE "expect: '>= 30 1/s', scales: {time.steps_per_frame: -1}", VERDICT_MATCHES, "300 1/s", "");
}

/* If a range ends at 0, the claim is judged there only if the quantity has a value at 0. If it has none, the sentence
 * "The verdict is the same" has the chosen value in place of this end. */
Test(claim, a_scale_whose_range_ends_at_zero) {
    add((struct sketch){.id = "a", .seconds = {2}});
    parameters[0][4] = (struct trace_parameter){"time.steps_per_frame", "4", "1", "assumed", "", "0", "8"};
#define FRAMES "kind: bound, from: {experiment: paper/speed, quantity: frame_seconds}, "
    expect(
        FRAMES "expect: '> 0 s', scales: {time.steps_per_frame: 1}", VERDICT_DEPENDS, "2 s",
        "With the chosen value 4 the claim holds (result: 2 s); with 0, an end of the range, the claim does not hold "
        "(result: 0 s).");
    expect(FRAMES "expect: '< 5 s', scales: {time.steps_per_frame: 1}", VERDICT_MATCHES, "2 s",
           "The verdict is the same for time.steps_per_frame from 0 to 8.");
    expect(FRAMES "expect: '< 5 s', scales: {time.steps_per_frame: -1}", VERDICT_MATCHES, "2 s",
           "The claim cannot be judged with time.steps_per_frame = 0, because the quantity has no value there. The "
           "verdict is "
           "the same for time.steps_per_frame from 4 to 8.");
    expect(FRAMES "expect: '> 1.5 s', scales: {time.steps_per_frame: -1}", VERDICT_DEPENDS, "2 s",
           "The verdict changes at about 5.333.");
    parameters[0][4].low = parameters[0][4].high = "";
    expect(FRAMES "expect: '> 1.5 s', scales: {time.steps_per_frame: -1}", VERDICT_MATCHES, "2 s", "");
}
