/* Small traces in memory, and claims that are judged by them. */
#ifndef SPRINGBACK_TESTS_CLAIM_FIXTURE_H
#define SPRINGBACK_TESTS_CLAIM_FIXTURE_H

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

/* The data of a run's trace. A text that is NULL gets a default value in `add`. `seconds` are up to 6 durations of
 * frames, in s. `assumes` has the paths of values that the paper does not state. */
struct sketch {
    const char *id, *kind, *type, *nodes, *stiffness, *step, *steps, *status, *hash, *experiment, *tier, *assumes;
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
static struct trace_experiment experiments[] = {{.name = "paper/speed"}};
static char folder[64], path[96];

static inline const char * or (const char *text, const char *fallback) {
    return text ? text : fallback;
}

/* Add a run to the set. Only a whole or diverged run has a trace. */
static inline void add(struct sketch s) {
    int i = set.run_count++;
    static char kinds[MOST][16]; /* "threads" for the backend "threads:1" */
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
    };
    const struct trace_parameter run_parameters[] = {
        {"body.cloth.nodes", or (s.nodes, "100"), "1", "stated", "", "", ""},
        {"method.name", "mass_spring", "1", "stated", "", "", ""},
        {"method.stiffness", or (s.stiffness, "100 N/m"), "N/m", "stated", "", "1 N/m", "1000 N/m"},
        {"time.step", or (s.step, "0.001 s"), "s", "stated", "", "", ""},
        {"time.steps_per_frame", or (s.steps, "1"), "1", "stated", "", "1", "20"},
        {"backend", or (s.kind, "serial"), "1", "stated", "", "", ""},
    };
    memcpy(notes[i], run_notes, sizeof run_notes);
    memcpy(parameters[i], run_parameters, sizeof run_parameters);
    for (size_t p = 0; p < sizeof run_parameters / sizeof *run_parameters; p++)
        if (strstr(or (s.assumes, ""), run_parameters[p].path))
            parameters[i][p].origin = "assumed";
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
    runs[i] = (struct trace_run){(char *) or (s.experiment, "paper/speed"), (char *)s.id, "it broke", s.run,
                                 there ? &traces[i] : NULL};
}

static inline void setup(void) {
    failure_clear();
    set = (struct trace_set){.runs = runs, .experiments = experiments, .experiment_count = 1};
    strcpy(folder, "/tmp/springback-claim-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/claims.yaml", folder);
}

static inline void teardown(void) {
    unlink(path);
    rmdir(folder);
    failure_clear();
}

static inline void write_text(const char *text) {
    FILE *out = fopen(path, "w");
    cr_assert_not_null(out);
    fputs(text, out);
    fclose(out);
}

static inline void write_claims(const char *claims) {
    char *text = text_format("springback: 1\npaper: paper\nclaims:\n%s", claims);
    write_text(text);
    free(text);
}

static inline struct claim_report judge(const char *claims) {
    struct claim_report report;
    write_claims(claims);
    int status = claims_judge(path, &set, NULL, &report);
    cr_assert_eq(status, STATUS_OK, "%s", failure_text());
    return report;
}

/* Judge one claim, given without its keys `id` and `says`. Check its verdict, its measured number, and that the reason
 * contains `why`. */
static inline void expect(const char *claim, enum verdict verdict, const char *measured, const char *why) {
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

/* Add timed runs of cloths: three sizes of cloth on serial, the same sizes on a GPU, and one size on threads. A frame
 * on serial takes 2, 8 and 50 times as long as a frame on the GPU. */
static inline void add_speeds(void) {
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

#define RATE "kind: bound, from: {experiment: paper/speed, quantity: frames_per_second}, "

#endif
