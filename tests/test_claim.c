/* Claims and verdicts, on small traces that are made in memory. */
#include "base/file.h"
#include "base/memory.h"
#include "claim/claim.h"
#include "claim/claim_file.h"
#include "claim/quantity.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- A set of traces in memory ---- */

enum { MOST = 32 };

/* What a trace is made from: texts, and up to 6 seconds of frames. */
struct sketch {
    const char *id, *kind, *type, *nodes, *stiffness, *step, *steps, *status, *hash, *sample, *experiment, *tier;
    double seconds[6];
    enum run_status run;
};

static struct trace_set set;
static struct trace_data traces[MOST];
static struct trace_run runs[MOST];
static struct trace_note notes[MOST][16];
static struct trace_parameter parameters[MOST][8];
static double seconds[MOST][6], strain[MOST][3];
static double *strain_rows[MOST];
static struct trace_series series[] = {{"largest_strain", "1", ""}};
static struct trace_experiment experiments[] = {{"paper/speed", "", NULL, NULL}};
static char folder[64], path[96];

static const char * or (const char *text, const char *fallback) {
    return text ? text : fallback;
}

static void add(struct sketch s) {
    int i = set.run_count++;
    static char kinds[MOST][16]; /* "threads" of the backend "threads:1" */
    const char *kind = kinds[i];
    snprintf(kinds[i], sizeof kinds[i], "%.*s", (int)strcspn(or (s.kind, "serial"), ":"), or (s.kind, "serial"));
    const struct trace_note run_notes[] = {
        {"id", s.id},
        {"backend_kind", kind},
        {"device_type", or (s.type, "cpu")},
        {"device", or (s.type, "cpu")[0] == 'g' ? "A GPU" : "PoCL"},
        {"status", or (s.status, "whole")},
        {"state_hash", or (s.hash, "aa")},
        {"bit_exact", "yes"},
        {"tier", or (s.tier, "quick")},
        {"nodes", or (s.nodes, "100")},
        {"springs", "0"},
        {"steps_per_frame", or (s.steps, "1")},
        {"sample", or (s.sample, "")},
    };
    const struct trace_parameter run_parameters[] = {
        {"body.cloth.nodes", or (s.nodes, "100"), "1", "stated", "", "", ""},
        {"method.name", "mass_spring", "1", "stated", "", "", ""},
        {"method.stiffness", or (s.stiffness, "100 N/m"), "N/m", "assumed", "", "1 N/m", "1000 N/m"},
        {"time.step", or (s.step, "0.001 s"), "s", "stated", "", "", ""},
        {"time.steps_per_frame", or (s.steps, "1"), "1", "assumed", "", "1", "20"},
        {"backend", or (s.kind, "serial"), "1", "stated", "", "", ""},
    };
    memcpy(notes[i], run_notes, sizeof run_notes);
    memcpy(parameters[i], run_parameters, sizeof run_parameters);
    int timed = 0;
    while (timed < 6 && s.seconds[timed] > 0)
        timed++;
    memcpy(seconds[i], s.seconds, sizeof s.seconds);
    strain[i][0] = 0;
    strain[i][1] = 0.25;
    strain[i][2] = 0.125;
    strain_rows[i] = strain[i];
    traces[i] = (struct trace_data){
        .path = "memory",
        .run = notes[i],
        .run_count = sizeof run_notes / sizeof run_notes[0],
        .parameters = parameters[i],
        .parameter_count = sizeof run_parameters / sizeof run_parameters[0],
        .series = series,
        .series_count = 1,
        .values = &strain_rows[i],
        .frames = 3,
        .repeats = timed ? 1 : 0,
        .timed_frames = timed,
        .frame_seconds = timed ? seconds[i] : NULL,
    };
    bool there = s.run == RUN_WHOLE || s.run == RUN_DIVERGED;
    runs[i] = (struct trace_run){(char *) or (s.experiment, "paper/speed"),
                                 (char *)s.id,
                                 (char *) or (s.sample, ""),
                                 "it broke",
                                 s.run,
                                 there ? &traces[i] : NULL};
}

static void setup(void) {
    failure_clear();
    set = (struct trace_set){.runs = runs, .experiments = experiments, .experiment_count = 1};
    strcpy(folder, "/tmp/springback-claim-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/claims.yaml", folder);
}

static void teardown(void) {
    unlink(path);
    rmdir(folder);
    failure_clear();
}

static void write_text(const char *text) {
    FILE *out = fopen(path, "w");
    cr_assert_not_null(out);
    fputs(text, out);
    fclose(out);
}

static void write_claims(const char *claims) {
    char *text = text_format("springback: 1\npaper: paper\nclaims:\n%s", claims);
    write_text(text);
    free(text);
}

static struct claim_report judge(const char *claims) {
    struct claim_report report;
    write_claims(claims);
    int status = claims_judge(path, &set, NULL, &report);
    cr_assert_eq(status, STATUS_OK, "%s", failure_text());
    return report;
}

/* Judge one claim, whose id and says are given here, and expect a verdict; `why` must stand in the reason. */
static void expect(const char *claim, enum verdict verdict, const char *measured, const char *why) {
    char *text = text_format("- {id: a, says: b, %s}\n", claim);
    struct claim_report report = judge(text);
    const struct claim_result *result = &report.results[0];
    cr_assert_eq(report.count, 1);
    cr_assert_str_eq(verdict_name(result->verdict), verdict_name(verdict), "%s: %s", claim, result->why);
    cr_assert_str_eq(result->measured, measured, "%s", claim);
    cr_assert_not_null(strstr(result->why, why), "%s", result->why);
    claim_report_free(&report);
    free(text);
}

/* Three sizes on a serial CPU, a threads backend and a GPU: ratios of 2, 8 and 50 to the GPU. */
static void add_speeds(void) {
    add((struct sketch){.id = "s1", .nodes = "10 10", .seconds = {2}});
    add((struct sketch){.id = "s2", .nodes = "20 20", .seconds = {8}});
    add((struct sketch){.id = "s3", .nodes = "40 40", .seconds = {50}});
    add((struct sketch){.id = "t1", .kind = "threads", .nodes = "10 10", .seconds = {1}});
    add((struct sketch){.id = "g1", .kind = "opencl", .type = "gpu", .nodes = "10 10", .seconds = {1}});
    add((struct sketch){.id = "g2", .kind = "opencl", .type = "gpu", .nodes = "20 20", .seconds = {1}});
    add((struct sketch){.id = "g3", .kind = "opencl", .type = "gpu", .nodes = "40 40", .seconds = {1}});
}

#define RATIO                                                                                                          \
    "from: {experiment: paper/speed, numerator: {backend_kind: serial}, denominator: {device_type: gpu}, "             \
    "quantity: frame_seconds, each: body.cloth.nodes, between: devices, over: {each: mean}}"

TestSuite(claim, .init = setup, .fini = teardown);

/* ---- Kinds and verdicts ---- */

Test(claim, value) {
    add((struct sketch){.id = "s"});
#define STRAIN "kind: value, from: {experiment: paper/speed, quantity: largest_strain, over_frames: max}, "
    expect(STRAIN "reported: 0.25", VERDICT_MATCHES, "0.25", "");
    expect(STRAIN "reported: 25 %", VERDICT_MATCHES, "25 %", "");
    expect(STRAIN "reported: 0.3", VERDICT_MATCHES, "0.25", ""); /* half a unit of the last printed place */
    expect(STRAIN "reported: 0.30", VERDICT_DIFFERS, "0.25", "");
    expect(STRAIN "reported: 0.25 to 0.3", VERDICT_MATCHES, "0.25", ""); /* a printed range, with its ends */
    expect(STRAIN "reported: 20 to 25 %", VERDICT_MATCHES, "25 %", "");
    expect(STRAIN "reported: 0.26 to 0.3", VERDICT_DIFFERS, "0.25", "");
    expect(STRAIN "reported: 0.28 to 0.32, tolerance: {relative: 20 %}, why: reasons", VERDICT_WITHIN, "0.25",
           "reasons");
    expect(STRAIN "reported: 0.30, tolerance: {relative: 20 %}, why: reasons", VERDICT_WITHIN, "0.25", "reasons");
    expect(STRAIN "reported: 30 %, tolerance: {absolute: 5 %}, why: reasons", VERDICT_WITHIN, "25 %", "");
    expect(STRAIN "reported: 30 %, tolerance: {absolute: 4 %}, why: reasons", VERDICT_DIFFERS, "25 %", "");
    expect(STRAIN "reported: 0.90, expect: '> 0.2'", VERDICT_SHAPE_ONLY, "0.25", "shape holds");
    expect(STRAIN "reported: 0.90, expect: '> 0.5'", VERDICT_DIFFERS, "0.25", "");
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
#define RATE "kind: bound, from: {experiment: paper/speed, quantity: frames_per_second}, "
    expect(RATE "expect: '>= 50 1/s'", VERDICT_MATCHES, "50 1/s", "1 of 6 timing samples are outliers");
    expect(RATE "expect: '> 50'", VERDICT_DIFFERS, "50 1/s", "");
    expect(RATE "expect: '>= 0.05 kHz'", VERDICT_MATCHES, "50 1/s", "");
    expect(RATE "expect: '>= 30 1/s'", VERDICT_MATCHES, "50 1/s", "inside the interval of 1");
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
    /* 3.5 s of the second run, its last frame over 2.25 of them: (4 * 5 + 10 / 0.45) / 15 over 2. */
    expect(PROTOCOL "reported: 1.407", VERDICT_MATCHES, "1.407", "3 s to 3.5 s a test");
    expect(PROTOCOL "reported: 1.407", VERDICT_MATCHES, "1.407", "of 1 tests, where the paper has 15, all.");
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
    expect("kind: ratio, " RATIO ", reported: 61", VERDICT_SHAPE_ONLY, "20", "the threads backend: mean 2");
    expect("kind: ratio, " RATIO ", reported: 0.5", VERDICT_DIFFERS, "20", "does not hold");
    seconds[4][0] = 3; /* one size at which the GPU is slower */
    expect("kind: ratio, " RATIO ", reported: 61", VERDICT_DIFFERS, "19.56", "1 of 3 (10 10)");
}

Test(claim, baselines_by_number_of_threads) {
    add_speeds();
    add((struct sketch){.id = "o1", .kind = "threads:1", .nodes = "10 10", .seconds = {2}});
    add((struct sketch){.id = "o2", .kind = "threads:1", .nodes = "20 20", .seconds = {4}});
    expect("kind: ratio, " RATIO ", reported: 20", VERDICT_MATCHES, "20", "the threads backend: mean 2");
    expect("kind: ratio, " RATIO ", reported: 20", VERDICT_MATCHES, "20", "the threads:1 backend: mean 1.5");
}

Test(claim, members_without_partner_are_told) {
    add_speeds();
    set.run_count--;
    expect("kind: ratio, " RATIO ", reported: 5", VERDICT_MATCHES, "5", "want of a partner: 1");
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
           "No run has the backend_kind threads");
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

/* The largest stiffness that does not blow up, by step; at the largest step there is none. */
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

Test(claim, shape_is_a_slope) {
    add((struct sketch){.id = "a", .nodes = "10 10", .seconds = {1}});
    add((struct sketch){.id = "b", .nodes = "20 20", .seconds = {4}});
    add((struct sketch){.id = "c", .nodes = "40 40", .seconds = {16}});
#define SLOPE "kind: shape, from: {experiment: paper/speed, quantity: frame_seconds, along: body.cloth.nodes}, "
    expect(SLOPE "reported: 1.00", VERDICT_MATCHES, "1", "");
    expect(SLOPE "reported: 1.2, tolerance: {absolute: 0.3}, why: x", VERDICT_WITHIN, "1", "");
    expect(SLOPE "reported: 2.0, expect: increasing", VERDICT_SHAPE_ONLY, "1", "");
    expect(SLOPE "reported: 2.0", VERDICT_DIFFERS, "1", "");
    expect(SLOPE "reported: 2.0, expect: '> 0.5 s'", VERDICT_SHAPE_ONLY, "1", ""); /* of the members, in their unit */
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
    expect(ABLE "expect: yes", VERDICT_MATCHES, "yes", "");
    expect(ABLE "expect: no", VERDICT_DIFFERS, "yes", "2 of 2 (a and b)");
    notes[1][4].value = "whole";
    expect(ABLE "expect: yes", VERDICT_DIFFERS, "no to yes", "1 of 2 (b)");
}

/* Of 2 kg: at first all goes along at 1 m/s; then sqrt(2 K / M - |P|^2 / M^2) is 3 m/s and 6 m/s. */
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
    expect(SAME, VERDICT_MATCHES, "equal in 2 of 2", "group by group");
    notes[3][5].value = "cc";
    expect(SAME, VERDICT_DIFFERS, "equal in 1 of 2", "c has bb, d has cc.");
    notes[3][5].value = "bb";
    /* A device that is not here takes nothing from those that are; a run that failed does, and so does want of two. */
    add((struct sketch){.id = "e", .run = RUN_MISSING});
    expect(SAME, VERDICT_MATCHES, "equal in 2 of 2", "Left out is the run e, for which there is no device: it broke.");
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
    expect("kind: value, reported: 2, from: {experiment: paper/speed, quantity: spring}", VERDICT_NOT_RUN, "",
           "no quantity spring");
}

/* ---- What is not there ---- */

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
    cr_expect_eq(report.results[0].recorded, VERDICT_MATCHES, "runs of both tiers are none of the tier full");
    claim_report_free(&report);
}

Test(claim, missing_method) {
    add((struct sketch){.id = "s", .seconds = {1}});
    expect(FRAME "}, needs: [gpu, constraint]", VERDICT_NOT_RUN, "", "of the method constraint");
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
    cr_assert(report.incomplete, "a run of an experiment that the file uses failed");
    cr_assert_eq(claim_report_status(&report, false), STATUS_BAD);
    claim_report_free(&report);
}

/* ---- Sensitivity ---- */

Test(claim, sensitive_to_a_sample) {
    add((struct sketch){.id = "a", .status = "diverged"});
    add((struct sketch){.id = "b", .stiffness = "50 N/m", .sample = "method.stiffness", .status = "diverged"});
    expect(ABLE "expect: yes", VERDICT_MATCHES, "yes", "stays so with method.stiffness at 50 N/m (yes)");
    add((struct sketch){.id = "c", .stiffness = "10 N/m", .sample = "method.stiffness"});
    expect(
        ABLE "expect: yes", VERDICT_SENSITIVE, "yes",
        "It hangs on method.stiffness, which the paper does not state: with 100 N/m, as taken, it holds (yes), and so "
        "with 50 N/m (yes); it does not hold with 10 N/m (no).");
    expect(ABLE "expect: no", VERDICT_SENSITIVE, "yes",
           "it does not hold (yes), and so with 50 N/m (yes); it holds with 10 N/m (no)");
    parameters[2][3].value = "0.002 s"; /* no longer equal to a run of the main sweep in all else */
    expect(ABLE "expect: yes", VERDICT_MATCHES, "yes", "");
}

/* Of two runs that are compared, one states what the other assumes: it stands beside the other's samples as it is. */
Test(claim, sensitive_where_one_run_states_what_another_assumes) {
    add((struct sketch){.id = "a", .nodes = "5", .stiffness = "70 N/m", .status = "diverged"});
    parameters[0][2].origin = "stated";
    add((struct sketch){.id = "b", .nodes = "6"});
    add((struct sketch){.id = "c", .nodes = "6", .stiffness = "10 N/m", .sample = "method.stiffness"});
    expect(ABLE "expect: yes", VERDICT_DIFFERS, "no to yes", "It stays so with method.stiffness at 10 N/m (no to yes)");
    add((struct sketch){
        .id = "d", .nodes = "6", .stiffness = "20 N/m", .sample = "method.stiffness", .status = "diverged"});
    expect(ABLE "expect: yes", VERDICT_SENSITIVE, "no to yes",
           "with 100 N/m, as taken, it does not hold (no to yes), and so with 10 N/m (no to yes); it holds with 20 N/m "
           "(yes)");
}

Test(claim, samples_are_no_main_runs) {
    add((struct sketch){.id = "a", .nodes = "5"});
    add((struct sketch){.id = "b", .nodes = "6", .stiffness = "10 N/m", .sample = "method.stiffness"});
    expect("kind: count, from: {experiment: paper/speed, quantity: nodes}, reported: 5", VERDICT_MATCHES, "5", "");
}

Test(claim, sensitive_to_a_scale) {
    add((struct sketch){.id = "a", .seconds = {0.0033333333333}});
    expect(RATE "expect: '>= 30 1/s', scales: {time.steps_per_frame: -1}", VERDICT_SENSITIVE, "300 1/s",
           "ceases to from about 10 on (15 1/s at 20, the end of the plausible range)");
    expect(RATE "expect: '>= 10 1/s', scales: {time.steps_per_frame: -1}", VERDICT_MATCHES, "300 1/s",
           "It stays so for time.steps_per_frame from 1 to 20.");
    expect(RATE "expect: '< 30 1/s', scales: {time.steps_per_frame: -1}", VERDICT_SENSITIVE, "300 1/s",
           "begins to from about 10 on");
    parameters[0][4].origin = "stated";
    expect(RATE "expect: '>= 30 1/s', scales: {time.steps_per_frame: -1}", VERDICT_MATCHES, "300 1/s", "");
}

/* An end of 0 is tried where the quantity has a value there, and only ends that were tried are named. */
Test(claim, a_scale_whose_range_ends_at_zero) {
    add((struct sketch){.id = "a", .seconds = {2}});
    parameters[0][4] = (struct trace_parameter){"time.steps_per_frame", "4", "1", "assumed", "", "0", "8"};
#define FRAMES "kind: bound, from: {experiment: paper/speed, quantity: frame_seconds}, "
    expect(
        FRAMES "expect: '> 0 s', scales: {time.steps_per_frame: 1}", VERDICT_SENSITIVE, "2 s",
        "with 4, as taken, it holds (2 s); it ceases to on the way to 0 (0 s at 0, the end of the plausible range).");
    expect(FRAMES "expect: '< 5 s', scales: {time.steps_per_frame: 1}", VERDICT_MATCHES, "2 s",
           "It stays so for time.steps_per_frame from 0 to 8.");
    expect(FRAMES "expect: '< 5 s', scales: {time.steps_per_frame: -1}", VERDICT_MATCHES, "2 s",
           "It cannot be tried with time.steps_per_frame at 0, where the quantity has no value. It stays so for "
           "time.steps_per_frame from 4 to 8.");
    expect(FRAMES "expect: '> 1.5 s', scales: {time.steps_per_frame: -1}", VERDICT_SENSITIVE, "2 s",
           "it ceases to from about 5.333 on");
    parameters[0][4].low = parameters[0][4].high = "";
    expect(FRAMES "expect: '> 1.5 s', scales: {time.steps_per_frame: -1}", VERDICT_MATCHES, "2 s", "");
}

/* ---- Reports ---- */

Test(claim, changed_verdict) {
    add((struct sketch){.id = "a"});
    struct claim_report report =
        judge("- {id: a, says: b, kind: count, from: {experiment: paper/speed, quantity: nodes}, "
              "reported: 99, recorded: matches}");
    cr_assert_eq(claim_report_status(&report, false), STATUS_CHANGED);
    cr_assert_eq(claim_report_status(&report, true), STATUS_CHANGED, "nothing of it was timed");
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    claim_report_print(&report, out, 80);
    fclose(out);
    cr_assert_not_null(strstr(text, "was: matches"), "%s", text);
    cr_assert_not_null(strstr(text, "1 claims: 1 differs; 1 changed"), "%s", text);
    free(text);
    claim_report_free(&report);
}

Test(claim, changed_speed) {
    add_speeds();
    struct claim_report report = judge("- {id: a, says: b, kind: ratio, " RATIO ", reported: 61, recorded: matches}");
    cr_assert_eq(claim_report_status(&report, false), STATUS_CHANGED);
    cr_assert_eq(claim_report_status(&report, true), STATUS_OK);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    claim_report_print_changed(&report, out);
    fclose(out);
    cr_assert_str_eq(text, "CHANGED: a: shape only, was: matches (it was timed)\n");
    free(text);
    claim_report_free(&report);
}

static int columns_of(const char *line, size_t bytes) {
    int columns = 0;
    for (size_t i = 0; i < bytes; i++)
        columns += ((unsigned char)line[i] & 0xc0) != 0x80;
    return columns;
}

Test(claim, table_fits_any_width) {
    add_speeds();
    struct claim_report report =
        judge("- {id: paper.a-rather-long-name.of-a-claim.that-fits-no-narrow-table, says: b, kind: ratio, " RATIO
              ", reported: 61, "
              "why: \"gr\\u00f6\\u00dfer als gedacht, sehr viel gr\\u00f6\\u00dfer, und "
              "averyveryveryveryveryveryveryveryveryverylongword\"}\n"
              "- {id: b, says: b, kind: consistency, finding: f, verdict: not testable here}\n");
    for (int width = 40; width <= 160; width += 20) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        claim_report_print(&report, out, width);
        fclose(out);
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
            cr_assert_leq(columns_of(line, strcspn(line, "\n")), width, "width %d: %s", width, line);
        cr_assert_null(strchr(text, '\033'), "plain text has no colours");
        cr_assert_not_null(strstr(text, "shape only"));
        cr_assert_not_null(strstr(text, "größer"));
        free(text);
    }
    claim_report_free(&report);
}

Test(claim, json_parses_back) {
    add_speeds();
    notes[4][3].value = "device \"\xff\\";
    struct claim_report report = judge("- {id: a, says: \"\\\"quoted\\\"\\n\", where: x, kind: ratio, " RATIO
                                       ", reported: 61, recorded: differs}\n"
                                       "- {id: b, says: b, kind: consistency, finding: f, verdict: differs}\n");
    report.results[1].why[0] = '\xff'; /* no UTF-8 */
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    claim_report_json(&report, out);
    fclose(out);
    char *end = strchr(text, '\n');
    cr_assert_not_null(end);
    *end = 0;
    json_t *first = json_loads(text, 0, NULL), *second = json_loads(end + 1, 0, NULL);
    cr_assert_str_eq(json_string_value(json_object_get(first, "id")), "a");
    cr_assert_str_eq(json_string_value(json_object_get(first, "paper")), "paper");
    cr_assert_str_eq(json_string_value(json_object_get(first, "says")), "\"quoted\"\n");
    cr_assert_str_eq(json_string_value(json_object_get(first, "verdict")), "shape only");
    cr_assert_str_eq(json_string_value(json_object_get(first, "recorded")), "differs");
    cr_assert(json_is_true(json_object_get(first, "changed")));
    cr_assert_str_eq(json_string_value(json_object_get(first, "measured")), "20");
    cr_assert_str_eq(json_string_value(json_object_get(first, "tier")), "quick");
    cr_assert_eq(json_array_size(json_object_get(first, "traces")), 6, "the threads run is no part of the ratio");
    cr_assert_str_eq(json_string_value(json_array_get(json_object_get(first, "traces"), 0)), "paper/speed s1");
    cr_assert_eq(json_array_size(json_object_get(first, "files")), 6);
    cr_assert_str_eq(json_string_value(json_array_get(json_object_get(first, "files"), 0)), "memory");
    cr_assert_str_eq(json_string_value(json_object_get(first, "experiment")), "paper/speed");
    const json_t *assumptions = json_object_get(first, "assumptions");
    cr_assert_eq(json_array_size(assumptions), 2, "each value is told once, however many traces assume it");
    const json_t *stiffness = json_array_get(assumptions, 0);
    const char *const texts[][2] = {
        {"path", "method.stiffness"}, {"value", "100 N/m"}, {"low", "1 N/m"}, {"high", "1000 N/m"}, {"why", ""}};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        cr_assert_str_eq(json_string_value(json_object_get(stiffness, texts[t][0])), texts[t][1]);
    char *check = text_format("springback check %s", path);
    cr_assert_str_eq(json_string_value(json_object_get(second, "command")), check);
    cr_assert_str_eq(json_string_value(json_object_get(second, "experiment")), "");
    cr_assert_eq(json_array_size(json_object_get(second, "assumptions")), 0);
    free(check);
    cr_assert(json_is_null(json_object_get(second, "recorded")));
    cr_assert_str_eq(json_string_value(json_object_get(second, "why")), "?");
    json_decref(first);
    json_decref(second);
    free(text);
    claim_report_free(&report);
}

/* The command of a claim on the nodes of what `select` takes, and the files of its traces, one a line. */
static char *repeated(const char *select) {
    char *text = text_format("- {id: a, says: b, kind: count, from: {experiment: paper/speed, quantity: nodes%s}, "
                             "reported: 100}\n",
                             select);
    struct claim_report report = judge(text);
    const struct claim_result *result = &report.results[0];
    char *said = text_copy(result->command);
    for (int t = 0; t < result->trace_count; t++) {
        char *longer = text_format("%s\n%s", said, result->files[t]);
        free(said);
        said = longer;
    }
    claim_report_free(&report);
    free(text);
    return said;
}

/* A command names the one run, or what all runs have in common that others have not; a shell reads it as it is meant.
 */
Test(claim, commands_take_the_runs_of_a_claim) {
    add((struct sketch){.id = "step=1,stiffness=1 N,backend=serial", .stiffness = "1 N/m"});
    add((struct sketch){.id = "step=1,stiffness=2,backend=serial", .stiffness = "2 N/m"});
    add((struct sketch){.id = "step=1,stiffness=2,backend=threads", .stiffness = "2 N/m", .kind = "threads"});
    add((struct sketch){.id = "it's", .stiffness = "3 N/m", .step = "0.002 s"});
    add((struct sketch){.id = "step=1,stiffness=2,sample.steps=20", .sample = "time.steps_per_frame", .steps = "20"});
    set.folder = "out/here";
    traces[0].path = "out/here//paper/speed/a.h5";
    traces[1].path = "out/hereafter/paper/speed/b.h5";
    traces[2].path = "out/here/paper/speed/c.h5";
    static const struct {
        const char *select, *options, *files;
    } cases[] = {
        {", select: {method.stiffness: 1 N/m}", " -k 'id=step=1,stiffness=1 N,backend=serial'", "\npaper/speed/a.h5"},
        {", select: {method.stiffness: 2 N/m}", " -k step=1 -k stiffness=2",
         "\nout/hereafter/paper/speed/b.h5\npaper/speed/c.h5"},
        {", select: {method.stiffness: 3 N/m}", " -k 'id=it'\\''s'", "\nmemory"},
        {", select: {backend_kind: serial, time.step: 0.001 s}", " -k step=1 -k backend=serial",
         "\npaper/speed/a.h5\nout/hereafter/paper/speed/b.h5"},
        {"", "", "\npaper/speed/a.h5\nout/hereafter/paper/speed/b.h5\npaper/speed/c.h5\nmemory"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char *said = repeated(cases[c].select);
        char *meant = text_format("springback run --force experiments/paper/speed.yaml --tier quick%s && springback "
                                  "check %s%s",
                                  cases[c].options, path, cases[c].files);
        cr_expect_str_eq(said, meant);
        free(meant);
        free(said);
    }
}

/* What a file says of its paper is for the report. */
Test(claim, a_paper_is_told) {
    struct claim_report report = judge("- {id: a, says: b, kind: consistency, finding: f, verdict: differs}\n");
    cr_assert_str_eq(report.paper, "paper");
    cr_assert_str_eq(report.title, "");
    cr_assert_str_eq(report.doi, "");
    claim_report_free(&report);
    write_text("springback: 1\npaper: p\ntitle: Who, What\ndoi: 10.1/2\nclaims:\n"
               "- {id: a, says: b, kind: consistency, finding: f, verdict: differs}\n");
    cr_assert_eq(claims_judge(path, &set, NULL, &report), STATUS_OK, "%s", failure_text());
    cr_assert_str_eq(report.title, "Who, What");
    cr_assert_str_eq(report.doi, "10.1/2");
    claim_report_free(&report);
}

Test(claim, those_about_some_experiments) {
    struct claim_report report;
    const char *const named[] = {"p/two", "p/three"};
    write_claims("- {id: a, says: b, kind: count, from: {experiment: p/one, quantity: nodes}, reported: 1}\n"
                 "- {id: b, says: b, kind: count, from: {experiment: p/two, quantity: nodes}, reported: 1}\n"
                 "- {id: c, says: b, kind: consistency, finding: f, verdict: differs}\n"
                 "- {id: d, says: b, kind: count, from: {experiment: p/three, quantity: nodes}, reported: 1}\n");
    cr_assert_eq(claims_judge(path, &set, &(struct claim_scope){named, 2}, &report), STATUS_OK, "%s", failure_text());
    cr_assert_eq(report.count, 2);
    cr_expect_str_eq(report.results[0].id, "b");
    cr_expect_str_eq(report.results[1].id, "d");
    claim_report_free(&report);
    cr_assert_eq(claims_judge(path, &set, &(struct claim_scope){named, 0}, &report), STATUS_OK, "%s", failure_text());
    cr_expect_eq(report.count, 4, "all where none is named");
    claim_report_free(&report);
}

Test(claim, gnuplot_variables) {
    write_claims("- {id: p.speed-up.mean, says: b, kind: consistency, compute: '61', reported: 61}\n"
                 "- {id: p.loss, says: b, kind: consistency, compute: '5.61', reported: 5.61 %}\n"
                 "- {id: p.rate, says: b, kind: consistency, compute: '6.75', reported: 6.5 to 7 1/s}\n"
                 "- {id: p.word, says: b, kind: consistency, finding: f, verdict: differs}\n");
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    cr_assert_eq(claims_write_gnuplot(path, out), STATUS_OK, "%s", failure_text());
    fclose(out);
    cr_assert_str_eq(text, "p_speed_up_mean = 61\np_loss = 5.61 # %\np_rate = 6.75 # 1/s\np_rate_low = 6.5 # 1/s\n"
                           "p_rate_high = 7 # 1/s\n");
    free(text);
}

/* ---- Files with mistakes ---- */

/* Each of a file's mistakes, by its place and a part of its message. */
static void expect_mistakes(const char *text, int count, const char *const mistakes[]) {
    struct claim_report report;
    write_text(text);
    failure_clear();
    cr_assert_eq(claims_judge(path, &set, NULL, &report), STATUS_BAD, "%s", text);
    cr_assert_eq(report.count, 0);
    claim_report_free(&report);
    for (int m = 0; m < count; m++) {
        char *whole = text_format("%s%s", path, mistakes[m]);
        cr_assert_not_null(strstr(failure_text(), whole), "wanted: %s\nin: %s", whole, failure_text());
        free(whole);
    }
    cr_assert_eq(failure_count(), count, "%s", failure_text());
}

#define HEAD "springback: 1\npaper: p\nclaims:\n"

Test(claim, all_mistakes_at_once_with_their_places) {
    expect_mistakes(HEAD "- {id: a, says: b, kind: cuont}\n"
                         "- {id: a, say: b, kind: count, from: {experiment: e, quantity: q}, reported: 1}\n"
                         "- id: b\n"
                         "  says: c\n"
                         "  kind: bound\n"
                         "  from: {experiment: e, quantity: q, over_frames: mxa}\n"
                         "  expect: about 30\n",
                    6,
                    (const char *const[]){
                        ":4:26: there is no kind cuont; did you mean count?",
                        ":5:11: a claim has no key say; did you mean says?",
                        ":5:3: a claim has no says",
                        ":5:8: the id a is taken by the claim at line 4",
                        ":9:51: over_frames is mxa; did you mean max?",
                        ":10:11: expect is \"about 30\"",
                    });
}

Test(claim, each_mistake) {
    static const struct {
        const char *claim, *mistake;
    } table[] = {
        {"{id: A, says: b, kind: consistency, finding: f, verdict: differs}",
         ":4:8: the id \"A\" must be made of small"},
        {"{id: a, says: b, kind: consistency, finding: f, verdict: maybe}", ":4:60: there is no verdict \"maybe\""},
        {"{id: a, says: b, kind: consistency, finding: f}", ":4:3: a finding needs the verdict"},
        {"{id: a, says: b, kind: consistency, compute: 'n*', with: {n: 1}, reported: 1}", ":4:48: compute: Unexpected"},
        {"{id: a, says: b, kind: consistency, compute: n*q, with: {n: 1}, reported: 1}",
         ":4:48: compute: Unexpected token \"q\""},
        {"{id: a, says: b, kind: consistency, compute: 1/n, with: {n: 0}, reported: 1}",
         ":4:48: compute: 1/n is not finite"},
        {"{id: a, says: b, kind: consistency, compute: n, with: {n: x}, reported: 1}", ":4:61: n: \"x\" is no number"},
        {"{id: a, says: b, kind: count, from: {experiment: e, quantity: q}, reported: many}",
         ":4:79: reported is \"many\""},
        {"{id: a, says: b, kind: value, from: {experiment: e, quantity: q}, reported: 7 to 6 1/s}",
         ":4:79: reported is \"7 to 6 1/s\"; a range goes from the smaller number to the larger"},
        {"{id: a, says: b, kind: value, from: {experiment: e, quantity: q}, reported: 7 to many}",
         ":4:79: reported is \"7 to many\"; write the number"},
        {"{id: a, says: b, kind: count, from: {experiment: e, quantity: q}, reported: 7 to 8}",
         ":4:79: reported is a range; a count is one number"},
        {"{id: a, says: b, kind: count, from: {experiment: e, quantity: q}, reported: '5,242'}",
         ":4:79: reported is \"5,242\""},
        {"{id: a, says: b, kind: count, from: {experiment: e, quantity: q}}",
         ":4:3: a claim of the kind count needs reported"},
        {"{id: a, says: b, kind: count, from: {quantity: q}, reported: 1}", ":4:39: from has no experiment"},
        {"{id: a, says: b, kind: count, from: {experiment: e}, reported: 1}", ":4:39: from needs a quantity"},
        {"{id: a, says: b, kind: count, from: {experiment: e, quantty: q, quantity: q}, reported: 1}",
         ":4:55: from has no key quantty; did you mean quantity?"},
        {"{id: a, says: b, kind: count, from: {experiment: e, quantity: q}, reported: 1, scales: {t: 1}}",
         ":4:82: a claim of the kind count has no use for scales"},
        {"{id: a, says: b, kind: value, from: {experiment: e, quantity: q}, reported: 1, tolerance: {relative: 5 %}}",
         ":4:93: a tolerance without a reason"},
        {"{id: a, says: b, kind: value, from: {experiment: e, quantity: q}, reported: 1, why: w, tolerance: {relative: "
         "5 m}}",
         ":4:101: tolerance: \"5 m\" has the unit m"},
        {"{id: a, says: b, kind: value, from: {experiment: e, quantity: q}, reported: 1, why: w, tolerance: {relative: "
         "5 %, absolute: 1}}",
         ":4:101: tolerance is either"},
        {"{id: a, says: b, kind: order, from: {experiment: e, quantity: q}, expect: a < b}",
         ":4:77: an order of names needs from: {compare"},
        {"{id: a, says: b, kind: order, from: {experiment: e, quantity: q, compare: x}, expect: a < b > c}",
         ":4:89: expect is"},
        {"{id: a, says: b, kind: order, from: {experiment: e, quantity: q, compare: x}, expect: a <}",
         ":4:89: expect is"},
        {"{id: a, says: b, kind: order, from: {experiment: e, quantity: q}, expect: rises}",
         ":4:77: rises needs from: {along"},
        {"{id: a, says: b, kind: shape, from: {experiment: e, quantity: q}, reported: 1}",
         ":4:39: the kind shape needs along"},
        {"{id: a, says: b, kind: ratio, from: {experiment: e, quantity: q}, reported: 1}",
         ":4:39: the kind ratio needs a numerator"},
        {"{id: a, says: b, kind: ratio, from: {experiment: e, quantity: q, numerator: {a: b}}, reported: 1}",
         ":4:39: a ratio needs both"},
        {"{id: a, says: b, kind: capability, from: {experiment: e, quantity: q}}", ":4:3: a capability needs expect"},
        {"{id: a, says: b, kind: count, from: {experiment: e, quantity: q, over: {each: mean}}, reported: 1}",
         ":4:75: over has each"},
        {"{id: a, says: b, kind: count, from: {experiment: e, quantity: q, over: {runs: last}}, reported: 1}",
         ":4:81: runs is last"},
        {"{id: a, says: b, kind: count, from: {experiment: e, quantity: q, over: {runs: max, x: max}}, reported: 1}",
         ":4:75: over reduces runs before x"},
        {"{id: a, says: b, kind: consistency, finding: f, verdict: differs, recorded: {gpus: differs}}",
         ":4:80: recorded has no key gpus; did you mean gpu?"},
        {"{id: a, says: b, kind: consistency, finding: f, verdict: differs, recorded: {quick: differs, gpu: differs}}",
         ":4:87: recorded has a tier beside gpu or no_gpu"},
        {"{id: a, says: b, kind: consistency, finding: f, verdict: differs, recorded: {gpu: differs, full: differs}}",
         ":4:100: recorded has a tier beside gpu or no_gpu"},
        {"{id: a, id: b, says: b, kind: consistency, finding: f, verdict: differs}",
         ":4:11: the key id stands here and at line 4, column 4"},
        {"{id: a, says: b, kind: consistency, finding: f, verdict: differs", ":"},
        {"{id: a.b-c, says: b, kind: consistency, finding: f, verdict: differs}\n- {id: a-b.c, says: b, kind: "
         "consistency, finding: f, verdict: differs}",
         ":5:8: the id a-b.c and that of the claim at line 4 make one variable for the figures"},
        {"word", ":4:3: a claim is a single value"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *text = text_format(HEAD "- %s\n", table[i].claim);
        write_text(text);
        failure_clear();
        struct claim_report report;
        cr_assert_eq(claims_judge(path, &set, NULL, &report), STATUS_BAD, "%s", text);
        char *whole = text_format("%s%s", path, table[i].mistake);
        cr_assert_not_null(strstr(failure_text(), whole), "%s\nwanted: %s\nin: %s", text, whole, failure_text());
        claim_report_free(&report);
        free(whole);
        free(text);
    }
}

Test(claim, bad_heads) {
    expect_mistakes(
        "springback: 2\npaper: p\nclaims: 3\n", 2,
        (const char *const[]){":1:13: a file of claims begins with springback: 1", ":3:9: claims must be a list"});
    expect_mistakes("paper: p\nclaim: []\n", 3,
                    (const char *const[]){":2:1: a file of claims has no key claim; did you mean claims?",
                                          ":1:1: a file of claims begins", ":1:1: a file of claims has a list"});
    expect_mistakes("springback: 1\npaper: p\ntitle: {a: b}\ndoi: https://doi.org/10.1/a\nclaims: []\n", 3,
                    (const char *const[]){":3:8: title has no value",
                                          ":4:6: a doi begins with \"10.\", as in 10.1109/ACCESS.2023.3245130; not "
                                          "https://doi.org/10.1/a",
                                          ":5:9: claims must be a list of claims"});
    expect_mistakes("", 1, (const char *const[]){": is empty"});
    unlink(path);
    struct claim_report report;
    failure_clear();
    cr_assert_eq(claims_judge(path, &set, NULL, &report), STATUS_BAD);
    cr_assert_eq(claims_write_gnuplot(path, stdout), STATUS_BAD);
}

Test(claim, unit_of_another_kind) {
    add((struct sketch){.id = "a", .seconds = {1}});
    struct claim_report report;
    write_claims("- {id: a, says: b, " RATE "expect: '> 3 m'}");
    cr_assert_eq(claims_judge(path, &set, NULL, &report), STATUS_BAD);
    cr_assert_not_null(strstr(failure_text(), ":4:103: expect: \"3 m\" has the unit m; it must be in 1/s"), "%s",
                       failure_text());
    claim_report_free(&report);
}

/* ---- Folders ---- */

Test(claim, set_of_a_folder) {
    struct trace_set read;
    char *paper = text_format("%s/p", folder), *experiment = text_format("%s/p/e", folder);
    char *manifest = text_format("%s/runs.tsv", experiment), *broken = text_format("%s/broken.h5", experiment);
    mkdir(paper, 0777);
    mkdir(experiment, 0777);
    FILE *out = fopen(manifest, "w");
    fputs("id\tstatus\ttrace\tsample\tkey\tplan\treason\n"
          "a\tfailed\t-\t-\t-\t1\tout of luck\n"
          "b\tmissing\t-\t-\t-\t1\tno GPU\n"
          "c\twhole\tbroken.h5\ttime.step\t2\t1\t-\n",
          out);
    fclose(out);
    out = fopen(broken, "w");
    fputs("this is no HDF5", out);
    fclose(out);
    cr_assert_eq(trace_set_read(folder, NULL, &read), STATUS_OK, "%s", failure_text());
    cr_assert_eq(failure_count(), 0, "%s", failure_text());
    cr_assert_eq(read.run_count, 3);
    cr_assert_eq(read.count, 0);
    cr_assert_eq(read.experiment_count, 1);
    cr_assert_str_eq(read.experiments[0].name, "p/e");
    cr_assert_eq(read.runs[0].status, RUN_FAILED);
    cr_assert_str_eq(read.runs[0].reason, "out of luck");
    cr_assert_eq(read.runs[1].status, RUN_MISSING);
    cr_assert_eq(read.runs[2].status, RUN_FAILED, "its trace cannot be read");
    cr_assert_str_eq(read.runs[2].sample, "time.step");
    cr_assert_not_null(strstr(read.runs[2].reason, "broken.h5"), "%s", read.runs[2].reason);
    cr_assert_null(read.runs[2].trace);
    trace_set_free(&read);
    out = fopen(manifest, "w");
    fputs("no manifest\n", out);
    fclose(out);
    cr_assert_eq(trace_set_read(folder, NULL, &read), STATUS_BAD);
    unlink(manifest);
    unlink(broken);
    rmdir(experiment);
    rmdir(paper);
    free(manifest);
    free(broken);
    free(experiment);
    free(paper);
    cr_assert_eq(trace_set_read("/nowhere", NULL, &read), STATUS_BAD);
}

/* ---- The project's own claims ---- */

static const char *const papers[] = {"va2022", "va2023", "lee2022", "cetinaslan2019", "springback"};
static const char *const ledgers[] = {SOURCE_DIR "/paper_checks/va2022.yaml", SOURCE_DIR "/paper_checks/va2023.yaml",
                                      SOURCE_DIR "/paper_checks/lee2022.yaml",
                                      SOURCE_DIR "/paper_checks/cetinaslan2019.yaml",
                                      SOURCE_DIR "/paper_checks/springback.yaml"};
enum { LEDGERS = sizeof ledgers / sizeof *ledgers };

/* Without any run: what is the paper's own arithmetic is judged, all else is not run, and nothing is invented. */
Test(claim, papers_without_runs) {
    struct trace_set nothing = {0};
    for (size_t f = 0; f < LEDGERS; f++) {
        struct claim_report report;
        cr_assert_eq(claims_judge(ledgers[f], &nothing, NULL, &report), STATUS_OK, "%s", failure_text());
        cr_assert_gt(report.count, 0);
        cr_assert(report.incomplete);
        for (int i = 0; i < report.count; i++) {
            const struct claim_result *result = &report.results[i];
            if (strcmp(result->kind, "consistency") != 0)
                cr_assert(result->verdict == VERDICT_NOT_RUN || result->verdict == VERDICT_NOT_TESTABLE, "%s",
                          result->id);
            else
                cr_assert(result->has_recorded && result->verdict == result->recorded, "%s", result->id);
        }
        claim_report_free(&report);
    }
}

/* A claim, or the group of all whose ids begin so, by the name of `size` characters. */
static bool is_claim(const struct claim_file files[LEDGERS], const char *name, size_t size) {
    for (int f = 0; f < LEDGERS; f++)
        for (int i = 0; i < files[f].count; i++) {
            const char *id = files[f].claims[i].id;
            if (!strncmp(id, name, size) && (!id[size] || id[size] == '.'))
                return true;
        }
    return false;
}

/* The names of claims in a text: a paper's, and what follows it behind a dot. */
static int expect_claims(const struct claim_file files[LEDGERS], const char *file, const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-.";
    int names = 0;
    for (const char *at = text; *at; at += strspn(at, letters), at += strcspn(at, letters)) {
        size_t size = strspn(at, letters), paper = strcspn(at, ".");
        bool is_paper = false;
        for (size_t p = 0; p < sizeof papers / sizeof *papers && paper < size; p++)
            is_paper = is_paper || (strlen(papers[p]) == paper && !strncmp(at, papers[p], paper));
        while (size && at[size - 1] == '.')
            size--;
        const bool is_path = at > text && (at[-1] == '/' || at[-1] == '_');
        if (!is_paper || is_path || size <= paper || !strncmp(at + size - 3, ".md", 3) ||
            !strncmp(at + size - 5, ".yaml", 5))
            continue;
        names++;
        cr_expect(is_claim(files, at, size), "%s: there is no claim %.*s", file, (int)size, at);
    }
    return names;
}

/* What a ledger or a document calls a claim is one; what a claim calls an experiment is one. */
Test(claim, claims_and_experiments_that_are_named_exist) {
    static const char *const documents[] = {SOURCE_DIR "/docs/va2022.md", SOURCE_DIR "/docs/va2023.md",
                                            SOURCE_DIR "/docs/lee2022.md", SOURCE_DIR "/docs/cetinaslan2019.md"};
    struct claim_file files[LEDGERS];
    int names = 0, numbered = 0;
    for (int f = 0; f < LEDGERS; f++)
        cr_assert_eq(claim_file_read(ledgers[f], &files[f]), STATUS_OK, "%s", failure_text());
    for (int f = 0; f < LEDGERS; f++)
        for (int i = 0; i < files[f].count; i++) {
            const struct claim *claim = &files[f].claims[i];
            names += expect_claims(files, claim->id, claim->why);
            names += expect_claims(files, claim->id, claim->finding ? claim->finding : "");
            if (claim->from.experiment) {
                char *file = text_format(SOURCE_DIR "/experiments/%s.yaml", claim->from.experiment);
                cr_expect_eq(access(file, R_OK), 0, "%s: there is no %s", claim->id, file);
                free(file);
            }
        }
    cr_expect_gt(names, 50, "%d", names);
    cr_expect(is_claim(files, "va2023.free-fall", 16) && !is_claim(files, "va2023.free-fal", 15));
    for (size_t d = 0; d < sizeof documents / sizeof *documents; d++) {
        char *text;
        cr_assert_eq(file_read(documents[d], &text), STATUS_OK, "%s", failure_text());
        expect_claims(files, documents[d], text);
        /* Where a document says how many claims there are, as "one of 193". */
        const char *number = strstr(text, "is one of ");
        for (int f = 0; f < LEDGERS && number; f++) {
            char *name = text_format("/docs/%s.md", files[f].paper);
            if (strstr(documents[d], name))
                cr_expect_eq(strtol(number + strlen("is one of "), NULL, 10), files[f].count, "%s: %d claims",
                             documents[d], files[f].count);
            free(name);
        }
        numbered += number != NULL;
        free(text);
    }
    cr_expect_geq(numbered, 2);
    for (int f = 0; f < LEDGERS; f++)
        claim_file_free(&files[f]);
}

Test(claim, numbers_as_they_are_shown) {
    static const struct {
        double number;
        const char *unit, *text;
    } table[] = {{3008, "1", "3008"},         {0.25, "m", "0.25 m"},         {-0.0, "J", "0 J"},
                 {1, "yes or no", "yes"},     {INFINITY, "s", "none"},       {NAN, "1", "not a number"},
                 {-NAN, "J", "not a number"}, {1.23456e-7, "1", "1.235e-07"}};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        char *text = number_text(table[t].number, table[t].unit);
        cr_expect_str_eq(text, table[t].text);
        free(text);
    }
}
