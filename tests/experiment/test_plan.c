/* The reader of experiment files: the plans of correct files, and the messages for wrong ones. */
#include "backend/backend.h"
#include "base/memory.h"
#include "base/status.h"
#include "experiment/name.h"
#include "experiment/plan.h"
#include "experiment/units.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ANY -INFINITY, INFINITY, false

static const struct field spring_fields[] = {
    {"method.stiffness", TYPE_REAL, "N/m", NULL, 0, 1e9, true, NULL, "Stiffness of a spring."},
    {"method.damping", TYPE_REAL, "N s/m", "0 N s/m", 0, 1e9, false, NULL, "Damping of a spring."},
    {"method.precision", TYPE_CHOICE, "1", "float", ANY, "float double", "Precision of the arithmetic."},
    {.path = NULL},
};
static const struct field volume_fields[] = {
    {"method.compliance", TYPE_REAL, "m/N", "0 m/N", 0, 1e9, false, NULL, "Compliance of a constraint."},
    {"method.damping", TYPE_REAL, "N s/m", "0 N s/m", 0, 5, false, NULL, "Damping of a constraint."},
    {.path = NULL},
};
static const struct method_fields methods[] = {{"mass_spring", spring_fields}, {"volume", volume_fields}, {NULL, NULL}};

static const char good[] = "springback: 1\n"
                           "paper: p\n"
                           "title: t\n"
                           "body: {cloth: {nodes: [8, 8]}, node_mass: 1 kg}\n"
                           "method: {name: mass_spring, stiffness: 50 N/m}\n"
                           "time: {step: 0.005 s, frames: 10}\n";

/* ---- Helpers ---- */

static char folder[64], file[96];

static void setup(void) {
    strcpy(folder, "/tmp/springback-plan-XXXXXX");
    cr_assert(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/e.yaml", folder);
    failure_clear();
}

static void teardown(void) {
    unlink(file);
    rmdir(folder);
}

TestSuite(plan, .init = setup, .fini = teardown);

static void write_bytes(const char *bytes, size_t length) {
    FILE *out = fopen(file, "wb");
    cr_assert(out && fwrite(bytes, 1, length, out) == length);
    fclose(out);
}

/* A text with the first occurrence of `old` replaced by `new`; if `old` is NULL, `new` is appended. Newly allocated. */
static char *changed(const char *text, const char *old, const char *new) {
    const char *at = old ? strstr(text, old) : text + strlen(text);
    cr_assert(at, "%s is not in the text", old);
    return text_format("%.*s%s%s", (int)(at - text), text, new, at + (old ? strlen(old) : 0));
}

static int read_text(const char *text, struct plan_options options, struct plan *plan) {
    write_bytes(text, strlen(text));
    options.methods = methods;
    options.backend_words = backend_words;
    return plan_read(file, &options, plan);
}

/* The messages without the path of the temporary folder. Newly allocated. */
static char *said(void) {
    const char *text = failure_text();
    char *shorter = memory_new(strlen(text) + 1, 1), *to = shorter;
    size_t skip = strlen(folder);
    for (; *text; text++) {
        if (strncmp(text, folder, skip) == 0 && text[skip] == '/')
            text += skip + 1;
        *to++ = *text;
    }
    return shorter;
}

/* The ids of all runs, one on each line; newly allocated. */
static char *ids(const struct plan *plan) {
    char *all = text_copy("");
    for (int r = 0; r < plan->run_count; r++) {
        char *longer = text_format("%s%s%s", all, r ? "\n" : "", plan->runs[r].id);
        free(all);
        all = longer;
    }
    return all;
}

static void expect_ids(const char *text, struct plan_options options, const char *expected) {
    struct plan plan;
    int status = read_text(text, options, &plan);
    cr_expect(status == STATUS_OK, "%s", failure_text());
    char *found = ids(&plan);
    cr_expect_str_eq(found, expected);
    free(found);
    plan_free(&plan);
}

static void expect_said(const char *text, struct plan_options options, const char *expected) {
    struct plan plan;
    failure_clear();
    cr_expect(read_text(text, options, &plan) == STATUS_BAD, "expected a message, but this file was read:\n%s", text);
    cr_expect(plan.run_count == 0 && !plan.runs && !plan.experiment.file);
    char *found = said();
    cr_expect_str_eq(found, expected);
    free(found);
    failure_clear();
    plan_free(&plan);
}

static void expect_value(const struct run *run, const char *path, const char *text, enum origin origin) {
    const struct parameter *parameter = run_parameter(run, path);
    cr_assert(parameter, "%s", path);
    cr_expect_str_eq(parameter->value.text, text);
    cr_expect(parameter->origin == origin, "%s has the origin %s", path, origin_name(parameter->origin));
}

/* ---- Correct files ---- */

Test(plan, settles_every_parameter) {
    struct plan plan;
    char *text = changed(good, NULL,
                         "assumptions:\n  method.damping: {value: 1 N s/m, likely: "
                         "[0 N s/m, 2 N s/m], why: usual}\n");
    cr_assert(read_text(text, (struct plan_options){.set = (const char *[]){"record.every=5", NULL}}, &plan) == 0, "%s",
              failure_text());
    cr_assert_eq(plan.run_count, 1);
    const struct run *run = &plan.runs[0];
    cr_expect_str_eq(run->id, "serial");
    expect_value(run, "body.cloth.nodes", "8 8", ORIGIN_STATED);
    expect_value(run, "body.cloth.springs", "structural shear bend", ORIGIN_DEFAULT);
    expect_value(run, "body.cloth.size", "1 1 m", ORIGIN_DEFAULT);
    expect_value(run, "scene.gravity", "0 -9.8 0 m/s^2", ORIGIN_DEFAULT);
    expect_value(run, "time.step", "0.005 s", ORIGIN_STATED);
    expect_value(run, "method.stiffness", "50 N/m", ORIGIN_STATED);
    expect_value(run, "method.damping", "1 N s/m", ORIGIN_ASSUMED);
    expect_value(run, "method.precision", "float", ORIGIN_DEFAULT);
    expect_value(run, "record.every", "5", ORIGIN_COMMAND);
    cr_expect_eq(run_number(run, "scene.gravity", 1), -9.8);
    cr_expect(run_has(run, "body.cloth.springs", "shear") && !run_has(run, "body.cloth.springs", "she"));
    cr_expect_null(run_parameter(run, "method.compliance"));
    const struct parameter *step = run_parameter(run, "time.step");
    cr_expect_eq(step->place.line, 6);
    cr_expect_eq(step->place.column, 8);
    int place = 0;
    for (const struct field *field = experiment_fields; field->path; field++) {
        const char *first = field_belongs_to(field); /* a cloth has no fields of meshes */
        if (!first || !strcmp(first, "body.cloth.nodes"))
            cr_expect_str_eq(run->parameters[place++].field->path, field->path);
    }
    for (const struct field *field = spring_fields; field->path; field++)
        cr_expect_str_eq(run->parameters[place++].field->path, field->path);
    cr_expect_eq(place, run->parameter_count);
    const struct experiment *experiment = &plan.experiment;
    cr_expect_str_eq(experiment->paper, "p");
    cr_expect_str_eq(experiment->title, "t");
    cr_expect_str_eq(experiment->text, text);
    cr_expect_str_eq(strchr(experiment->name, '/'), "/e");
    cr_expect_eq(experiment->assumption_count, 1);
    cr_expect_str_eq(experiment->assumptions[0].why, "usual");
    cr_expect_eq(experiment->assumptions[0].ranges[RANGE_LIKELY].values[1].number[0], 2);
    free(text);
    plan_free(&plan);
}

Test(plan, sweeps_cross_in_file_order) {
    char *text = changed(good, "[8, 8]", "[[8, 8], [9, 10]]");
    char *more = changed(text, "0.005 s", "[5 ms, 1 ms]");
    expect_ids(more, (struct plan_options){0},
               "nodes=8x8,step=0.005\nnodes=8x8,step=0.001\nnodes=9x10,step=0.005\nnodes=9x10,step=0.001");
    free(more);
    more = changed(text, "springback: 1",
                   "springback: 1\nbackend: [serial, 'opencl:0']\nbody.cloth.springs: [[shear, "
                   "structural], structural]");
    expect_ids(more, (struct plan_options){.only = (const char *[]){"nodes=[8, 8]", NULL}},
               "backend=serial,springs=structural+shear,nodes=8x8\nbackend=serial,springs=structural,nodes=8x8\n"
               "backend=opencl.0,springs=structural+shear,nodes=8x8\nbackend=opencl.0,springs=structural,nodes=8x8");
    free(more);
    free(text);
    text = changed(good, NULL, "body.cloth.springs: [structural, bend]\nscene.gravity: [0, -1 m/s^2, 0]\n");
    expect_ids(text, (struct plan_options){0}, "serial");
    free(text);
}

Test(plan, zips_walk_together) {
    char *text = changed(good, ", frames: 10", "");
    char *more = changed(text, NULL,
                         "zip: {time: {frames: [3, 3, 4]}, record.every: [1, 2, 3]}\nbackend: [serial, "
                         "threads]\n");
    expect_ids(more, (struct plan_options){0},
               "every=1,backend=serial\nevery=1,backend=threads\nevery=2,backend=serial\nevery=2,backend=threads\n"
               "every=3,backend=serial\nevery=3,backend=threads");
    const char *set[] = {"record.every=[7, 8]", NULL};
    expect_ids(more, (struct plan_options){.set = set, .only = (const char *[]){"backend=serial", "frames=4", NULL}},
               "frames=4,backend=serial,every=7\nframes=4,backend=serial,every=8");
    free(more);
    free(text);
}

Test(plan, methods_bring_their_own_fields) {
    char *text = changed(good, "{name: mass_spring, stiffness: 50 N/m}",
                         "[{name: mass_spring, stiffness: [1 N/m, 2 N/m]}, {name: volume, compliance: 3 m/N}]");
    struct plan plan;
    cr_assert(read_text(text, (struct plan_options){0}, &plan) == 0, "%s", failure_text());
    cr_assert_eq(plan.run_count, 3);
    cr_expect_str_eq(plan.runs[1].id, "method=mass_spring,stiffness=2");
    cr_expect_str_eq(plan.runs[2].id, "method=volume,compliance=3");
    cr_expect_null(run_parameter(&plan.runs[2], "method.stiffness"));
    expect_value(&plan.runs[2], "method.compliance", "3 m/N", ORIGIN_STATED);
    plan_free(&plan);
    free(text);
    /* A method of the list can have its own zip. The steps of the zip are combined with the method's other lists. */
    text =
        changed(good, "{name: mass_spring, stiffness: 50 N/m}",
                "[{name: mass_spring, stiffness: [1 N/m, 2 N/m], zip: {record.every: [2, 4], time.repeats: [1, 3]}}, "
                "{name: volume, compliance: 3 m/N}]");
    expect_ids(text, (struct plan_options){.only = (const char *[]){"method=mass_spring", NULL}},
               "method=mass_spring,stiffness=1,every=2,repeats=1\nmethod=mass_spring,stiffness=1,every=4,repeats=3\n"
               "method=mass_spring,stiffness=2,every=2,repeats=1\nmethod=mass_spring,stiffness=2,every=4,repeats=3");
    expect_ids(text, (struct plan_options){.only = (const char *[]){"method=volume", "every=1", NULL}},
               "method=volume,every=1,repeats=0,compliance=3");
    free(text);
    /* If one method does not have a field, the field's values do not multiply that method's runs. The method also
     * ignores an assumption about this field. */
    text = changed(good, "{name: mass_spring, stiffness: 50 N/m}",
                   "{name: [mass_spring, volume], stiffness: [1 N/m, 2 N/m]}");
    expect_ids(text, (struct plan_options){0},
               "method=mass_spring,stiffness=1\nmethod=mass_spring,stiffness=2\nmethod=volume");
    free(text);
    text = changed(good, "{name: mass_spring, stiffness: 50 N/m}",
                   "{name: [mass_spring, volume]}\nassumptions: {method.stiffness: {value: 1 N/m, likely: [1 N/m, 9 "
                   "N/m], why: w}}");
    expect_ids(text, (struct plan_options){0}, "method=mass_spring\nmethod=volume");
    expect_ids(text, (struct plan_options){.only = (const char *[]){"method=volume", NULL}}, "method=volume");
    free(text);
    expect_ids(good, (struct plan_options){.set = (const char *[]){"method.name=volume", NULL}}, "serial");
}

static const struct field pure_fields[] = {
    {"method.stiffness", TYPE_REAL, "1", NULL, 0, 1e9, false, NULL, "Stiffness without a unit."},
    {.path = NULL},
};
static const struct method_fields pure_methods[] = {
    {"mass_spring", spring_fields}, {"volume", volume_fields}, {"pure", pure_fields}, {NULL, NULL}};

static struct plan_options pure_options(const char *const *set) {
    return (struct plan_options){.set = set, .methods = pure_methods, .backend_words = backend_words};
}

static void expect_pure_ids(const char *methods_text, const char *const *set, const char *expected) {
    AUTO_FREE char *text = changed(good, "{name: mass_spring, stiffness: 50 N/m}", methods_text);
    const struct plan_options options = pure_options(set);
    struct plan plan;
    write_bytes(text, strlen(text));
    cr_assert(plan_read(file, &options, &plan) == STATUS_OK, "%s", failure_text());
    AUTO_FREE char *found = ids(&plan);
    cr_expect_str_eq(found, expected);
    plan_free(&plan);
}

/* Ids have no units. Therefore values that differ only in their units cannot distinguish the ids of runs. */
Test(plan, an_id_has_the_method_where_stiffnesses_differ_in_their_unit_alone) {
    expect_pure_ids("[{name: mass_spring, stiffness: 5 N/m}, {name: pure, stiffness: [5, 6]}]", NULL,
                    "method=mass_spring,stiffness=5\nmethod=pure,stiffness=5\nmethod=pure,stiffness=6");
    expect_pure_ids("[{name: mass_spring, stiffness: 4 N/m}, {name: pure, stiffness: [5, 6]}]", NULL,
                    "stiffness=4\nstiffness=5\nstiffness=6");
}

Test(plan, set_for_one_method_of_several) {
    static const char list[] = "[{name: mass_spring, stiffness: 5 N/m}, {name: pure, stiffness: [6, 7]}]";
    const char *one[] = {"pure.stiffness=5", NULL}, *twice[] = {"pure.stiffness=5", "pure.stiffness=8", NULL};
    expect_pure_ids(list, one, "method=mass_spring,stiffness=5\nmethod=pure,stiffness=5");
    expect_pure_ids(list, twice, "method=mass_spring,stiffness=5\nmethod=pure,stiffness=8");

    /* --set for one method overrides a value or a list of values that the file gives for all methods. --set for one
     * method also overrides --set for all methods. The order of these two options has no effect. */
    const char *damping[] = {"volume.damping=3 N s/m", NULL},
               *last[] = {"method.damping=1 N s/m", "volume.damping=3 N s/m", NULL},
               *first[] = {"volume.damping=3 N s/m", "method.damping=1 N s/m", NULL};
    static const char apart[] = "{damping: %s, name: [mass_spring, volume], stiffness: 50 N/m}";
    const char *const *sets[] = {damping, damping, last, first};
    for (int s = 0; s < 4; s++) {
        AUTO_FREE char *methods_text = text_format(apart, s == 1 ? "[1 N s/m, 2 N s/m]" : "1 N s/m"),
                       *text = changed(good, "{name: mass_spring, stiffness: 50 N/m}", methods_text);
        struct plan plan;
        cr_assert(read_text(text, (struct plan_options){.set = sets[s]}, &plan) == STATUS_OK, "%s", failure_text());
        cr_assert_eq(plan.run_count, s == 1 ? 3 : 2);
        expect_value(&plan.runs[0], "method.damping", "1 N s/m", s < 2 ? ORIGIN_STATED : ORIGIN_COMMAND);
        expect_value(&plan.runs[1], "method.damping", "3 N s/m", ORIGIN_COMMAND);
        cr_expect_str_eq(run_text(&plan.runs[1], "method.name"), "volume");
        plan_free(&plan);
    }

    /* It is not a mistake if no run uses an assumption because --set gives a value to one method. Here, one method has
     * a stated value, and the other method has a value by --set. */
    AUTO_FREE char *assumed = changed(
        good, "{name: mass_spring, stiffness: 50 N/m}",
        "[{name: mass_spring, stiffness: 5 N/m, damping: 2 N s/m}, {name: volume}]\nassumptions: {method.damping: "
        "{value: 1 N s/m, likely: [0 N s/m, 4 N s/m], why: w}}");
    struct plan plan;
    cr_assert(read_text(assumed, (struct plan_options){.set = damping}, &plan) == STATUS_OK, "%s", failure_text());
    expect_value(&plan.runs[0], "method.damping", "2 N s/m", ORIGIN_STATED);
    expect_value(&plan.runs[1], "method.damping", "3 N s/m", ORIGIN_COMMAND);
    plan_free(&plan);
}

Test(plan, bad_settings_of_one_method) {
    static const char *const cases[][2] = {
        {"pur.stiffness=5", "--set: these runs have no method pur; did you mean pure.stiffness?"},
        {"volume.damping=1 N s/m", "--set: these runs have no method volume; expected one of: mass_spring pure"},
        {"pure.stifness=5", "--set: pure has no key stifness; did you mean stiffness?"},
        {"pure.compliance=5", "--set: pure has no key compliance; expected one of: stiffness"},
        {"pure.stiffness=5 N/m",
         "--set: method.stiffness: \"5 N/m\" has the unit N/m; it must be a pure number, as in 0.5"},
        {"pure.stiffness=[5, 6]", "--set: method.stiffness is a list; it must be a number"},
        {"method.stiffness=5 N/m",
         "--set: method.stiffness is a number (N/m) in one method and a number (no unit) in another; give each method "
         "its own value, next to the method's name (with --set: METHOD.stiffness=VALUE)"},
    };
    AUTO_FREE char *text = changed(good, "{name: mass_spring, stiffness: 50 N/m}",
                                   "[{name: mass_spring, stiffness: 5 N/m}, {name: pure, stiffness: [6, 7]}]");
    write_bytes(text, strlen(text));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const struct plan_options options = pure_options((const char *[]){cases[c][0], NULL});
        struct plan plan;
        failure_clear();
        cr_expect(plan_read(file, &options, &plan) == STATUS_BAD, "%s", cases[c][0]);
        cr_expect_str_eq(failure_text(), cases[c][1]);
    }
    failure_clear();
}

/* One method of a list has a stated value. The other method takes the value of the assumption. */
Test(plan, an_assumption_is_for_the_methods_that_do_not_state_it) {
    static const char assumed[] = "assumptions: {method.damping: {value: 1 N s/m, likely: [0 N s/m, 4 N s/m], "
                                  "why: w}}\n",
                      listed[] = "[{name: mass_spring, stiffness: 5 N/m, damping: 2 N s/m}, {name: volume}]";
    char *list = changed(good, "{name: mass_spring, stiffness: 50 N/m}", listed),
         *first = text_format("%stitle", assumed);
    char *orders[] = {changed(list, NULL, assumed), changed(list, "title", first)};
    for (int order = 0; order < 2; order++) {
        struct plan plan;
        cr_assert(read_text(orders[order], (struct plan_options){0}, &plan) == 0, "%s", failure_text());
        cr_assert_eq(plan.run_count, 2);
        expect_value(&plan.runs[0], "method.damping", "2 N s/m", ORIGIN_STATED);
        expect_value(&plan.runs[1], "method.damping", "1 N s/m", ORIGIN_ASSUMED);
        cr_expect_str_eq(run_text(&plan.runs[1], "method.name"), "volume");
        plan_free(&plan);
        free(orders[order]);
    }
    free(first);
    free(list);
}

Test(plan, an_assumption_makes_no_runs_and_groups_are_of_backends) {
    char *text = changed(good, "step: 0.005 s, ", "");
    char *more = changed(text, NULL,
                         "assumptions:\n  time.step: {value: 5 ms, likely: [1 ms, 9 ms], possible: [0.1 ms, 9 ms], "
                         "why: \"not given\", source: Who (2010)}\nbackend: [serial, threads:2]\n");
    struct plan plan;
    cr_assert(read_text(more, (struct plan_options){0}, &plan) == 0, "%s", failure_text());
    char *all = ids(&plan);
    cr_expect_str_eq(all, "backend=serial\nbackend=threads.2");
    cr_expect(plan.runs[0].group == 0 && plan.runs[1].group == 0);
    cr_expect_str_neq(plan.runs[0].canonical, plan.runs[1].canonical);
    expect_value(&plan.runs[0], "time.step", "0.005 s", ORIGIN_ASSUMED);
    const struct assumption *step = plan.experiment.assumptions;
    cr_expect_str_eq(step->source, "Who (2010)");
    char *likely = range_text(&step->ranges[RANGE_LIKELY]), *possible = range_text(&step->ranges[RANGE_POSSIBLE]);
    cr_expect_str_eq(likely, "0.001 s to 0.009 s");
    cr_expect_str_eq(possible, "0.0001 s to 0.009 s");
    free(likely);
    free(possible);
    free(all);
    plan_free(&plan);
    /* A value from the command line replaces the assumption. */
    cr_assert(read_text(more, (struct plan_options){.set = (const char *[]){"time.step=2 ms", NULL}}, &plan) == 0);
    cr_expect_eq(plan.experiment.assumption_count, 0);
    expect_value(&plan.runs[0], "time.step", "0.002 s", ORIGIN_COMMAND);
    plan_free(&plan);
    free(more);
    free(text);
}

Test(plan, tiers_cut_lengths_only) {
    char *text = changed(good, NULL, "tiers: {quick: {time.frames: 2, time: {repeats: 3}}, long: {time.frames: 99}}\n");
    static const struct {
        const char *tier, *frames, *repeats;
        enum origin frames_origin, repeats_origin;
    } cases[] = {
        {NULL, "10", "0", ORIGIN_STATED, ORIGIN_DEFAULT},
        {"full", "10", "0", ORIGIN_STATED, ORIGIN_DEFAULT},
        {"quick", "2", "3", ORIGIN_TIER, ORIGIN_TIER},
        {"long", "99", "0", ORIGIN_TIER, ORIGIN_DEFAULT},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct plan plan;
        cr_assert(read_text(text, (struct plan_options){.tier = cases[c].tier}, &plan) == 0, "%s", failure_text());
        expect_value(&plan.runs[0], "time.frames", cases[c].frames, cases[c].frames_origin);
        expect_value(&plan.runs[0], "time.repeats", cases[c].repeats, cases[c].repeats_origin);
        plan_free(&plan);
    }
    free(text);
    expect_ids(good, (struct plan_options){.tier = "quick"}, "serial");
}

Test(plan, set_only_and_backend) {
    const char *set[] = {"body.cloth.nodes=[[4, 4], [5, 5]]", "time.step=[2 ms, 3e-3 s]", NULL};
    expect_ids(good, (struct plan_options){.set = set},
               "nodes=4x4,step=0.002\nnodes=4x4,step=0.003\nnodes=5x5,step=0.002\nnodes=5x5,step=0.003");
    const char *only[] = {"time.step=3000 us", "nodes=[5, 5]", NULL};
    expect_ids(good, (struct plan_options){.set = set, .only = only}, "nodes=5x5,step=0.003");
    const char *by_id[] = {"id=nodes=4x4,step=0.002", NULL};
    expect_ids(good, (struct plan_options){.set = set, .only = by_id}, "nodes=4x4,step=0.002");
    const char *shown[] = {"time.step=3000 us", "nodes=5x5", NULL}; /* nodes=5x5 is written as in an id */
    expect_ids(good, (struct plan_options){.set = set, .only = shown}, "nodes=5x5,step=0.003");
    const char *springs[] = {"springs=bend shear structural", "plane=horizontal", NULL};
    expect_ids(good, (struct plan_options){.only = springs}, "serial");
    const char *backends[] = {"threads", "opencl:cpu", NULL};
    expect_ids(good, (struct plan_options){.backends = backends}, "backend=threads\nbackend=opencl.cpu");
}

/* ---- The canonical digest ---- */

static void digest_of(const char *text, char out[DIGEST_SIZE]) {
    struct plan plan;
    cr_assert(read_text(text, (struct plan_options){0}, &plan) == 0, "%s", failure_text());
    memcpy(out, plan.runs[0].canonical, DIGEST_SIZE);
    plan_free(&plan);
}

Test(plan, canonical_is_about_content) {
    char base[DIGEST_SIZE], other[DIGEST_SIZE];
    digest_of(good, base);
    static const char *const same[][2] = {
        {"springback: 1", "# a comment\nspringback:    1   # another"},
        {"title: t", "title: another"},
        {"{step: 0.005 s, frames: 10}", "{frames: 10, step: 0.005 s}"},
        {"{step: 0.005 s, frames: 10}", "\n  frames: 10.0\n  step: 5 ms\nrecord: {every: 1}"},
        {"0.005 s", "\"5e-3 s\""},
        {"50 N/m", "0.05 kN/m"},
        {"time: {step: 0.005 s, frames: 10}", "backend: serial\ntime.frames: 10\ntime.step: 5000 us"},
        {"time: {step: 0.005 s, frames: 10}",
         "time.frames: 10\nassumptions: {time: {step: {value: 5 ms, likely: [1 ms, "
         "5 ms], why: w}}}"},
    };
    for (size_t c = 0; c < sizeof same / sizeof *same; c++) {
        char *text = changed(good, same[c][0], same[c][1]);
        digest_of(text, other);
        cr_expect_str_eq(other, base, "%s", text);
        free(text);
    }
    static const char *const different[][2] = {
        {"0.005 s", "0.0050000001 s"},
        {"[8, 8]", "[8, 9]"},
        {"frames: 10", "frames: 11"},
        {"title: t", "backend: threads"},
        {"title: t", "scene.gravity: [0, 9.8 m/s^2, 0]"},
        {"title: t", "method.precision: double"},
    };
    for (size_t c = 0; c < sizeof different / sizeof *different; c++) {
        char *text = changed(good, different[c][0], different[c][1]);
        digest_of(text, other);
        cr_expect_str_neq(other, base, "%s", text);
        free(text);
    }
}

Test(plan, numbers_are_shortest_and_units_decimal) {
    static const struct {
        double number;
        const char *text;
    } shortest[] = {{0, "0"},      {-0.0, "0"},     {100, "100"},    {50000, "50000"},
                    {0.1, "0.1"},  {1e-5, "1e-05"}, {1e22, "1e+22"}, {1.0 / 3, "0.3333333333333333"},
                    {-9.8, "-9.8"}};
    char text[NUMBER_SIZE];
    for (size_t c = 0; c < sizeof shortest / sizeof *shortest; c++) {
        number_write(shortest[c].number, text);
        cr_expect_str_eq(text, shortest[c].text);
        cr_expect_eq(strtod(text, NULL), shortest[c].number);
    }
    struct place place = {"x", 0, 0};
    for (int i = 1; i <= 1000; i++) {
        char with_unit[32], plain[32];
        double milliseconds, seconds;
        snprintf(with_unit, sizeof with_unit, "%d ms", i);
        snprintf(plain, sizeof plain, "%d.%03d s", i / 1000, i % 1000);
        cr_assert_eq(unit_read(place, "x", with_unit, "s", &milliseconds), 0, "%s", failure_text());
        cr_assert_eq(unit_read(place, "x", plain, "s", &seconds), 0);
        cr_expect_eq(milliseconds, seconds, "%s", with_unit);
    }
    double number;
    cr_expect_eq(unit_read(place, "x", "25 %", "1", &number), 0);
    cr_expect_eq(number, 0.25);
    cr_expect_eq(unit_read(place, "x", "90 degree", "rad", &number), 0);
    cr_expect_float_eq(number, 1.5707963267948966, 1e-14);
}

/* ---- Bad files, one mistake each ---- */

#define TOP                                                                                                            \
    "; allowed here: springback, paper, title, zip, stated, assumptions, tiers, body, method, scene, time, record, "   \
    "backend"
#define YAML "; write \"key: value\" indented by spaces, lists as [a, b], maps as {key: value}"
#define BACKENDS                                                                                                       \
    " is not known; it must be one of: serial threads threads:1... opencl opencl:0... opencl:gpu opencl:cpu"

static const struct {
    const char *old, *new, *said;
} bad[] = {
    /* keys */
    {"time:", "tmie:", "e.yaml:6:1: unknown key tmie; the nearest key is time" TOP},
    {"time:", "tiem:", "e.yaml:6:1: unknown key tiem; the nearest key is time" TOP},
    {"step:", "stpe:",
     "e.yaml:6:8: unknown key time.stpe; the nearest key is time.step; allowed under time: step, "
     "steps_per_frame, frames, repeats, read_back"},
    {"title: t", "step: 5 ms", "e.yaml:3:1: unknown key step; the nearest key is time.step" TOP},
    {"title", "paper", "e.yaml:3:1: the key paper is here and at line 2, column 1; keep one of them"},
    {"title: t", "time.step: 5 ms", "e.yaml:6:8: time.step is here and at line 3, column 1; keep one of them"},
    {NULL, "zip: {time.step: [1 s, 2 s]}", "e.yaml:7:7: time.step is here and at line 6, column 8; keep one of them"},
    {NULL, "assumptions: {time: {step: {value: 1 s, likely: [0.1 s, 1 s], why: w}}}",
     "e.yaml:7:22: time.step is here and at line 6, column 8; keep one of them"},
    {"{name: mass_spring, stiffness: 50 N/m}\n",
     "[{name: mass_spring, stiffness: 50 N/m}]\nassumptions: {method.stiffness: {value: 1 N/m, likely: [1 N/m, 9 N/m], "
     "why: w}}\n",
     "e.yaml:6:15: method.stiffness is assumed here, but each method of the list states it, one at line 5, column 30; "
     "remove the assumption, or the value of a method"},
    {"{name: mass_spring, stiffness: 50 N/m}\n",
     "[{name: mass_spring, stiffness: 50 N/m}, {name: mass_spring}]\nassumptions: {method.stiffness: {value: 1 N/m, "
     "likely: [1 N/m, 9 N/m], why: w}, method: {stiffness: {value: 1 N/m, likely: [1 N/m, 9 N/m], why: w}}}\n",
     "e.yaml:6:90: method.stiffness is here and at line 6, column 15; keep one of them"},
    {"springback: 1\n", "", "e.yaml: the key `springback` is missing; begin with the line `springback: 1`"},
    {"springback: 1", "springback: 2",
     "e.yaml:1:13: `springback` is 2; expected 1, the version that this program reads"},
    {"paper: p", "paper: ../p",
     "e.yaml:2:8: paper '../p' has '.'; write it with letters (A to Z, a to z), digits, '.', '_' and '-', and begin "
     "none of its parts with '.' or '-'"},
    {"paper: p", "paper: p/",
     "e.yaml:2:8: paper 'p/' ends with '/'; write it with letters (A to Z, a to z), digits, '.', '_' and '-', and "
     "begin none of its parts with '.' or '-'"},
    {"title: t", "title: [t]", "e.yaml:3:8: title is a list; it must be a text"},
    /* methods */
    {"mass_spring", "mas_spring",
     "e.yaml:5:16: method.name: \"mas_spring\" is not known; it must be one of: mass_spring volume"},
    {"stiffness: 50 N/m", "compliance: 1 m/N",
     "e.yaml:5:29: unknown key method.compliance; the nearest key is method.damping; allowed under method: name, "
     "stiffness, damping, precision"},
    {"{name: mass_spring, stiffness: 50 N/m}", "[{name: volume, damping: 6 N s/m}]",
     "e.yaml:5:34: method.damping: 6 N s/m is out of bounds; it must be at least 0 N s/m and at most 5 N s/m"},
    {"{name: mass_spring,", "{name: [mass_spring, volume], damping: 6 N s/m,",
     "e.yaml:5:48: method.damping: 6 N s/m is out of bounds; it must be at least 0 N s/m and at most 5 N s/m"},
    {"{name: mass_spring, stiffness: 50 N/m}", "[]",
     "e.yaml:5:9: method is an empty list; give one or more of: mass_spring volume"},
    {"{name: mass_spring, stiffness: 50 N/m}", "[{stiffness: 1 N/m}]",
     "e.yaml:5:10: an item of method has no name; give it one of: mass_spring volume"},
    {"{name: mass_spring, stiffness: 50 N/m}", "mass_spring",
     "e.yaml:5:9: method is a single value; it must be a map of: name, stiffness, damping, precision, compliance"},
    /* units and numbers */
    {"0.005 s", "0.005 m",
     "e.yaml:6:14: time.step: \"0.005 m\" has the unit m; it must be in s or a unit of the same kind"},
    {"0.005 s", "200 Hz",
     "e.yaml:6:14: time.step: \"200 Hz\" has the unit Hz; it must be in s or a unit of the same kind"},
    {"0.005 s", "5 florins",
     "e.yaml:6:14: time.step: \"5 florins\" has the unit florins; it must be in s or a unit of the same kind"},
    {"0.005 s", "5 3 s",
     "e.yaml:6:14: time.step: \"5 3 s\" has the unit 3 s; it must be in s or a unit of the same kind"},
    {"0.005 s", "0.005",
     "e.yaml:6:14: time.step: \"0.005\" has no unit; write \"0.005 s\", or another unit of the same kind"},
    {"0.005 s", "1 s 3",
     "e.yaml:6:14: time.step: \"1 s 3\" has the unit s 3; it must be in s or a unit of the same kind"},
    {"0.005 s", "1 s*2",
     "e.yaml:6:14: time.step: \"1 s*2\" has the unit s*2; it must be in s or a unit of the same kind"},
    {"0.005 s", "1 s.2",
     "e.yaml:6:14: time.step: \"1 s.2\" has the unit s.2; it must be in s or a unit of the same kind"},
    {"0.005 s", "1 (2 s)",
     "e.yaml:6:14: time.step: \"1 (2 s)\" has the unit (2 s); it must be in s or a unit of the same kind"},
    {"0.005 s", "1 s @ 0",
     "e.yaml:6:14: time.step: \"1 s @ 0\" has the unit s @ 0; it must be in s or a unit of the same kind"},
    {"0.005 s", "1 s+1",
     "e.yaml:6:14: time.step: \"1 s+1\" has the unit s+1; it must be in s or a unit of the same kind"},
    {"0.005 s", "1 s^1 2",
     "e.yaml:6:14: time.step: \"1 s^1 2\" has the unit s^1 2; it must be in s or a unit of the same kind"},
    {"frames: 10", "frames: 10 rad",
     "e.yaml:6:31: time.frames: \"10 rad\" has the unit rad; it must be a pure number, as in 5"},
    {"frames: 10", "frames: 10 bit",
     "e.yaml:6:31: time.frames: \"10 bit\" has the unit bit; it must be a pure number, as in 5"},
    {"frames: 10", "frames: 3 pi",
     "e.yaml:6:31: time.frames: \"3 pi\" has the unit pi; it must be a pure number, as in 5"},
    {"frames: 10", "frames: 1000 % %",
     "e.yaml:6:31: time.frames: \"1000 % %\" has the unit % %; it must be a pure number, as in 5"},
    {"frames: 10", "frames: 5 % 200",
     "e.yaml:6:31: time.frames: \"5 % 200\" has the unit % 200; it must be a pure number, as in 5"},
    {"frames: 10", "frames: 0o12",
     "e.yaml:6:31: time.frames: \"0o12\" has the unit o12; it must be a pure number, as in 5"},
    {"frames: 10", "frames: 1_000",
     "e.yaml:6:31: time.frames: \"1_000\" has the unit _000; it must be a pure number, as in 5"},
    {"frames: 10", "frames: 1:30",
     "e.yaml:6:31: time.frames: \"1:30\" has the unit :30; it must be a pure number, as in 5"},
    {"frames: 10", "frames: 10 s",
     "e.yaml:6:31: time.frames: \"10 s\" has the unit s; it must be a pure number, as in 5"},
    {"0.005 s", "-0.005 s",
     "e.yaml:6:14: time.step: -0.005 s is out of bounds; it must be above 0 s and at most 1000 s"},
    {"0.005 s", "0 s", "e.yaml:6:14: time.step: 0 s is out of bounds; it must be above 0 s and at most 1000 s"},
    {"0.005 s", "NaN s", "e.yaml:6:14: time.step: \"NaN s\" is not finite; write a finite number, as in 0.5 s"},
    {"0.005 s", "-inf s", "e.yaml:6:14: time.step: \"-inf s\" is not finite; write a finite number, as in 0.5 s"},
    {"0.005 s", "1e400 s", "e.yaml:6:14: time.step: \"1e400 s\" is not finite; write a finite number, as in 0.5 s"},
    {"0.005 s", "1e308 Ys", "e.yaml:6:14: time.step: \"1e308 Ys\" is not finite in s; write a smaller number"},
    {"0.005 s", "0x10 s", "e.yaml:6:14: time.step: \"0x10 s\" is not a number; write one, as in 0.5 s"},
    {"0.005 s", "soon", "e.yaml:6:14: time.step: \"soon\" is not a number; write one, as in 0.5 s"},
    {"0.005 s", "", "e.yaml:6:8: time.step has no value; write one, as in 0.5 s"},
    {"frames: 10", "frames: 2.5",
     "e.yaml:6:31: time.frames: \"2.5\" is not a whole number; expected a whole number, as in 5"},
    {"title: t", "scene.gravity: [0, -9.8, 0]",
     "e.yaml:3:20: scene.gravity: \"-9.8\" has no unit; write \"-9.8 m/s^2\", or another unit of the same kind"},
    /* lists of values, and values of a wrong form */
    {"0.005 s", "[]", "e.yaml:6:14: time.step is an empty list; write one value or a list of values"},
    {"0.005 s", "[5 ms, 0.005 s]", "e.yaml:6:21: time.step: 0.005 s is twice in the list; write each value once"},
    {"0.005 s", "{a: 1}", "e.yaml:6:14: time.step is a map; it must be a number"},
    {"{step: 0.005 s, frames: 10}", "5 s",
     "e.yaml:6:7: time is a single value; it must be a map of: step, steps_per_frame, frames, repeats, read_back"},
    {"[8, 8]", "[0, 5]", "e.yaml:4:24: body.cloth.nodes: 0 is out of bounds; it must be at least 2 and at most 65536"},
    {"[8, 8]", "[1, 5]", "e.yaml:4:24: body.cloth.nodes: 1 is out of bounds; it must be at least 2 and at most 65536"},
    {"[8, 8]", "[8, 8, 8]", "e.yaml:4:23: body.cloth.nodes has 3 items; it must be two whole numbers, as in [52, 52]"},
    {"[8, 8]", "8", "e.yaml:4:23: body.cloth.nodes is a single value; it must be two whole numbers, as in [52, 52]"},
    {"[8, 8]", "[[8, 8], 9]",
     "e.yaml:4:32: body.cloth.nodes is a single value; it must be two whole numbers, as in [52, 52]"},
    {"[8, 8]", "[65536, 65536]",
     "e.yaml:4:16: body.cloth.nodes is 65536 65536, which makes 4294967296 nodes; at most 2147483647 are allowed"},
    {"[8, 8]", "[8, 8], springs: []",
     "e.yaml:4:40: body.cloth.springs is empty; it must have one or more of: structural shear bend"},
    {"[8, 8]", "[8, 8], springs: [shear, shear]",
     "e.yaml:4:48: body.cloth.springs has shear twice; write each word once"},
    {"[8, 8]", "[8, 8], pins: feet",
     "e.yaml:4:37: body.cloth.pins: \"feet\" is not known; it must be one of: none corners row border"},
    /* missing values, and values that contradict each other */
    {", node_mass: 1 kg", "",
     "e.yaml:4:1: body.node_mass is missing; state it (number in kg), or add it to assumptions if the paper does not "
     "state it"},
    {", frames: 10", "",
     "e.yaml:6:1: time.frames is missing; state it (whole number), or add it to assumptions if the paper does not "
     "state it"},
    {"method: {name: mass_spring, stiffness: 50 N/m}\n", "",
     "e.yaml: method.name is missing; state it (word, one of: mass_spring volume)"},
    {", stiffness: 50 N/m", "",
     "e.yaml:5:1: method.stiffness is missing; state it (number in N/m), or add it to assumptions if the paper does "
     "not state it"},
    {NULL, "record: {every: 3, mesh_every: 10}",
     "e.yaml:7:20: record.mesh_every is 10 and record.every is 3; make record.mesh_every a multiple of record.every, "
     "or 0"},
    {NULL, "scene: {push: {from: 3 s, until: 1 s, acceleration: [0, 1 m/s^2, 0]}}",
     "e.yaml:7:27: scene.push.until is 1 s, which is before scene.push.from (3 s); use a time that is not earlier"},
    {NULL, "scene: {push: {rim: linear}}",
     "e.yaml:7:16: scene.push.rim needs scene.push.acceleration, which is missing"},
    {NULL, "scene: {sphere: {radius: 1 m}}",
     "e.yaml:7:9: scene.sphere.centre is missing; state it (three numbers in m), or add it to assumptions if the "
     "paper does not state it"},
    {NULL, "scene: {sphere: {radius: 0 m, centre: [0, 0, 0]}}",
     "e.yaml:7:26: scene.sphere.radius: 0 m is out of bounds; it must be above 0 m and at most 1e+06 m"},
    {NULL, "scene: {sphere: {centre: [0, 0, 0]}}",
     "e.yaml:7:18: scene.sphere.centre needs scene.sphere.radius, which is missing"},
    {NULL, "scene: {convex: {length: 1 m}}",
     "e.yaml:7:18: scene.convex.length needs scene.convex.mesh, which is missing"},
    {NULL, "scene: {convex: {mesh: a.obj}}",
     "e.yaml:7:9: scene.convex.centre is missing; state it (three numbers in m), or add it to assumptions if the "
     "paper does not state it"},
    {NULL, "scene: {wind: {velocity: [1 m/s, 0, 0]}}",
     "e.yaml:7:16: scene.wind.velocity needs scene.wind.kind, which is missing"},
    {NULL, "scene: {wind: {kind: uniform}}",
     "e.yaml:7:16: scene.wind.kind is uniform, and scene.wind.acceleration is missing; state it, or add it to "
     "assumptions if the paper does not state it"},
    {NULL, "scene: {wind: {kind: triangles, velocity: [0, 0, 0]}}",
     "e.yaml:7:16: scene.wind.kind is triangles, and scene.wind.drag is missing; state it, or add it to assumptions "
     "if the paper does not state it"},
    {NULL, "scene: {wind: {kind: gale}}",
     "e.yaml:7:22: scene.wind.kind: \"gale\" is not known; it must be one of: triangles uniform normals"},
    {NULL, "scene: {wind: {kind: triangles, velocity: [0, 0, 0], drag: -1 kg/m^2/s}}",
     "e.yaml:7:60: scene.wind.drag: -1 kg/m^2/s is out of bounds; it must be at least 0 kg/m^2/s and at most 1e+09 "
     "kg/m^2/s"},
    {NULL, "scene: {wind: {kind: triangles, velocity: [0, 0, 0], drag: 1 kg/m^3}}",
     "e.yaml:7:60: scene.wind.drag: \"1 kg/m^3\" has the unit kg/m^3; it must be in kg/m^2/s or a unit of the same "
     "kind"},
    {"cloth: {nodes: [8, 8]}", "mesh: a.obj, surface: {up: w}",
     "e.yaml:4:35: body.surface.up: \"w\" is not known; it must be one of: y z x"},
    {"cloth: {nodes: [8, 8]}", "mesh: a.obj, surface: {pins: ends}",
     "e.yaml:4:37: body.surface.pins: \"ends\" is not known; it must be one of: none lowest highest highest_ends"},
    {"cloth: {nodes: [8, 8]}", "mesh: a.obj, surface: {pins_depth: 1.1}",
     "e.yaml:4:43: body.surface.pins_depth: 1.1 is out of bounds; it must be at least 0 and at most 1"},
    /* assumptions */
    {NULL, "assumptions: 5",
     "e.yaml:7:14: assumptions is a single value; it must be a map: {time.step: {value: ..., likely: [LOW, HIGH], why: "
     "...}}"},
    {NULL, "assumptions: {record.every: {value: 1, likely: [1, 2]}}",
     "e.yaml:7:15: assumptions: record.every has no `why`; give the reason for this value in a sentence"},
    {NULL, "assumptions: {record.every: {value: 1, likely: [1, 2], why: ' '}}",
     "e.yaml:7:61: assumptions: record.every has no `why`; give the reason for this value in a sentence"},
    {NULL, "assumptions: {record.every: {likely: [1, 2], why: w}}",
     "e.yaml:7:15: assumptions: record.every has no `value`; write the chosen value"},
    {NULL, "assumptions: {record.every: {value: 1, why: w}}",
     "e.yaml:7:15: assumptions: record.every has no `likely` range; write the values that a reader of the paper would "
     "choose: [LOW, HIGH]"},
    {NULL, "assumptions: {record.every: {value: 3, likely: [1, 2], why: w}}",
     "e.yaml:7:48: assumptions: `likely` of record.every is too narrow: the range 1 to 2 does not include `value`, 3"},
    {NULL, "assumptions: {record.every: {value: 3, likely: [1, 2, 4], why: w}}",
     "e.yaml:7:48: assumptions: `likely` of record.every is too narrow: the range 1, 2, 4 does not include `value`, 3"},
    {NULL, "assumptions: {record.every: {value: 1, likely: [1, 3], possible: [1, 2], why: w, source: s}}",
     "e.yaml:7:66: assumptions: `possible` of record.every is too narrow: the range 1 to 2 does not include the likely "
     "range, 1 to 3"},
    {NULL, "assumptions: {record.every: {value: 1, likely: [1, 2], possible: [1, 2, 3], why: w, source: s}}",
     "e.yaml:7:66: assumptions: `possible` of record.every is too narrow: the range 1, 2, 3 does not include the "
     "likely range, 1 to 2"},
    {NULL, "assumptions: {record.every: {value: 1, likely: [2, 1], why: w}}",
     "e.yaml:7:48: assumptions: `likely` of record.every has 2 before the lower 1; write the lower value first"},
    {NULL, "assumptions: {record.every: {value: 1, likely: [1, 2, 1], why: w}}",
     "e.yaml:7:55: assumptions: `likely` of record.every has the value 1 twice; write each value once"},
    {NULL, "assumptions: {record.every: {value: 1, likely: 1, why: w}}",
     "e.yaml:7:48: assumptions: `likely` of record.every must be a list: [LOW, HIGH] for an interval of numbers, or "
     "the values to choose from"},
    {NULL, "assumptions: {record.every: {value: 1, likely: [1, 2], possible: [1, 3], why: w}}",
     "e.yaml:7:15: assumptions: record.every has no `source`; write who has used the values of the possible range"},
    {NULL, "assumptions: {scene.gravity: {value: [0, 1 m/s^2, 0], likely: [[0, 0, 0], [0, 0, 1 m/s^2]], why: w}}",
     "e.yaml:7:63: assumptions: `likely` of scene.gravity is too narrow: the range 0 0 0 m/s^2 to 0 0 1 m/s^2 does not "
     "include `value`, 0 1 0 m/s^2"},
    {NULL, "assumptions: {record.every: {value: 1, likely: [1, 2], range: [1, 2], why: w}}",
     "e.yaml:7:56: assumptions: record.every has the key range; the allowed keys are `value`, `likely`, `possible`, "
     "`why` and `source`"},
    /* citations */
    {NULL, "stated: Sec. 5", "e.yaml:7:9: stated is a single value; it must be a map: {time.step: Sec. 5}"},
    {NULL, "stated: {time: {step: [a, b]}}",
     "e.yaml:7:23: stated: time.step is a list; write where the source states it, such as Sec. 5"},
    {NULL, "stated: {time.step: ''}",
     "e.yaml:7:21: stated: time.step is empty; write where the source states it, such as Sec. 5"},
    {NULL, "stated: {time.stpe: Sec. 5}", "e.yaml:7:10: unknown key time.stpe; the nearest key is time.step"},
    {NULL, "stated: {time.step: a, time: {step: b}}",
     "e.yaml:7:31: stated: time.step is here and at line 7; keep one of them"},
    {NULL, "stated: {body.surface.length: Tab. 1}",
     "e.yaml:7:10: stated: no run has a stated value of body.surface.length; remove this entry"},
    {NULL,
     "stated: {method.damping: a}\nassumptions: {method.damping: {value: 1 N s/m, likely: [0 N s/m, 4 N s/m], "
     "why: w}}",
     "e.yaml:7:10: stated: no run has a stated value of method.damping; remove this entry"},
    {NULL, "assumptions: {record.evry: {value: 1}}",
     "e.yaml:7:15: unknown key record.evry; the nearest key is record.every"},
    {NULL, "assumptions: {backend: {value: serial, why: w}}", "e.yaml:7:15: backend cannot be an assumption; set it as a field, and give its source under `stated:`"},
    /* zip, tiers, backends */
    {NULL, "zip: {record.every: [1, 2], time.repeats: [1, 2, 3]}",
     "e.yaml:7:43: time.repeats has 3 values, and record.every has 2; the lists of a zip must be equally long"},
    {"{name: mass_spring, stiffness: 50 N/m}",
     "[{name: mass_spring, stiffness: 50 N/m, zip: {record.every: [1, 2], time.repeats: [1]}}]",
     "e.yaml:5:91: time.repeats has 1 values, and record.every has 2; the lists of a zip must be equally long"},
    {"{name: mass_spring, stiffness: 50 N/m}", "[{name: mass_spring, stiffness: 50 N/m, zip: {time.step: [1 s]}}]",
     "e.yaml:6:8: time.step is here and at line 5, column 55; keep one of them"},
    {NULL, "zip: {record.every: 1}",
     "e.yaml:7:21: record.every is a single value; in a zip it must be a list of values, each a whole number, as in 5"},
    {NULL, "tiers: {quick: {time.step: 1 s}}",
     "e.yaml:7:17: tiers: a tier cannot change time.step; it can set time.frames and time.repeats only"},
    {NULL, "tiers: {quick: {time.frames: 1, time: {frames: 1}}}",
     "e.yaml:7:40: tiers.quick.time.frames is here and at line 7, column 17; keep one of them"},
    {"time: {step: 0.005 s, frames: 10}\n",
     "time: {step: 0.005 s}\nzip: {time.frames: [1, 2]}\ntiers: {quick: {time.frames: [1, 2, 3]}}\n",
     "e.yaml:8:30: tiers: time.frames has 3 values, but its zip has 2; give as many values as the zip has"},
    {NULL, "backend: gpu", "e.yaml:7:10: backend: \"gpu\"" BACKENDS},
    {NULL, "backend: [serial, threads:0]", "e.yaml:7:19: backend: \"threads:0\"" BACKENDS},
    {NULL, "backend: opencl:1x", "e.yaml:7:10: backend: \"opencl:1x\"" BACKENDS},
    {NULL, "backend: [serial, serial]", "e.yaml:7:19: backend: serial is twice in the list; write each value once"},
    /* YAML */
    {"title: t", "a:\n\tb: 2", "e.yaml:4:1: broken YAML: tab character may not be used as indentation" YAML},
    {"[8, 8]", "[8, 8", "e.yaml:4:28: broken YAML: mismatched flow mapping end" YAML},
    {"title: t", "title: \"t", "e.yaml:3:8: broken YAML: wrongly indented double-quoted scalar" YAML},
    {NULL, "assumptions: {record.every: {value: 1, likely: [1, 2], why: null}}",
     "e.yaml:7:61: assumptions: record.every has no `why`; give the reason for this value in a sentence"},
    {"0.005 s", "~", "e.yaml:6:14: time.step has no value; write one, as in 0.5 s"},
    {"title: t", "title: &a [x]\nzip: *a", "e.yaml:4:6: an alias (*name) is not allowed; write the value itself"},
    {"title: t", "title: !x t", "e.yaml:3:11: a tag (!name) is not allowed; write the value itself"},
    {NULL, "---\nspringback: 1", "e.yaml:7:1: a second document begins here; a file may have only one"},
};

Test(plan, bad_files_are_told_where_and_why) {
    for (size_t c = 0; c < sizeof bad / sizeof *bad; c++) {
        char *text = changed(good, bad[c].old, bad[c].new);
        expect_said(text, (struct plan_options){0}, bad[c].said);
        free(text);
    }
}

Test(plan, all_mistakes_in_one_go) {
    char *text = changed(good, "0.005 s", "5"), *more = changed(text, "[8, 8]", "[1, 8]"),
         *most = changed(more, "title", "tilte");
    expect_said(most, (struct plan_options){0},
                "e.yaml:3:1: unknown key tilte; the nearest key is title" TOP "\n"
                "e.yaml:4:24: body.cloth.nodes: 1 is out of bounds; it must be at least 2 and at most 65536\n"
                "e.yaml:6:14: time.step: \"5\" has no unit; write \"5 s\", or another unit of the same kind");
    free(most);
    free(more);
    free(text);
}

Test(plan, bad_command_lines) {
    static const struct {
        const char *set, *only, *tier, *backend, *said;
    } cases[] = {
        {"time.step=5", NULL, NULL, NULL,
         "--set: time.step: \"5\" has no unit; write \"5 s\", or another unit of the same kind"},
        {"time.stp=5 s", NULL, NULL, NULL, "--set: unknown key time.stp; the nearest key is time.step"},
        {"stp=5 s", NULL, NULL, NULL, "--set: unknown key stp; the nearest key is time.step"},
        {"precision=half", NULL, NULL, NULL,
         "--set: method.precision: \"half\" is not known; it must be one of: float double"},
        {"time.step", NULL, NULL, NULL, "--set: \"time.step\" has no value; write PATH=VALUE, as in time.frames=5"},
        {"time.frames=[]", NULL, NULL, NULL,
         "--set: time.frames is an empty list; write one value or a list of values"},
        {"time.frames=[5", NULL, NULL, NULL, "--set: broken YAML: flow sequence without a closing bracket" YAML},
        {"method.name=x", NULL, NULL, NULL,
         "--set: method.name: \"x\" is not known; it must be one of: mass_spring volume"},
        {NULL, "step=7 ms", NULL, NULL,
         "--only: no run of e.yaml has step=7 ms; `springback plan e.yaml` lists the runs"},
        {NULL, "step=7", NULL, NULL,
         "--only: time.step: \"7\" has no unit; write \"7 s\", or another unit of the same kind"},
        {NULL, "stp=7", NULL, NULL,
         "--only: these runs have no parameter stp; the nearest key is time.step; the key `id` is allowed, too"},
        {NULL, "step", NULL, NULL, "--only: \"step\" has no value; write KEY=VALUE, as in backend=serial"},
        {NULL, NULL, "slow", NULL, "--tier: e.yaml has no tier slow; it has: quick, full"},
        {NULL, NULL, NULL, "gpu", "--backend: backend: \"gpu\"" BACKENDS},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const char *set[] = {cases[c].set, NULL}, *only[] = {cases[c].only, NULL},
                   *backends[] = {cases[c].backend, NULL};
        struct plan_options options = {.set = set, .only = only, .backends = backends, .tier = cases[c].tier};
        expect_said(good, options, cases[c].said);
    }
}

/* --set accepts the last part of a parameter's path if this part is unambiguous. */
Test(plan, set_by_a_short_key) {
    static const struct field lattice_fields[] = {
        {"method.size", TYPE_REAL, "m", "1 m", 0, 1e9, true, NULL, "Size of a lattice."},
        {"method.precision", TYPE_CHOICE, "1", "float", ANY, "float double", "Precision of the arithmetic."},
        {.path = NULL},
    };
    static const struct method_fields lattice[] = {
        {"mass_spring", spring_fields}, {"lattice", lattice_fields}, {NULL, NULL}};
    const char *set[] = {"precision=double", "frames=3", "step=[2 ms, 3 ms]", NULL};
    struct plan plan;
    cr_assert(read_text(good, (struct plan_options){.set = set}, &plan) == STATUS_OK, "%s", failure_text());
    cr_expect_eq(plan.run_count, 2);
    expect_value(&plan.runs[0], "method.precision", "double", ORIGIN_COMMAND);
    expect_value(&plan.runs[0], "time.frames", "3", ORIGIN_COMMAND);
    expect_value(&plan.runs[1], "time.step", "0.003 s", ORIGIN_COMMAND);
    plan_free(&plan);

    /* The short keys `name` and `method` of --set choose methods, and the fields of these methods are then known. Two
     * methods may have a field with the same path. */
    write_bytes(good, strlen(good));
    const char *both[] = {"name=[mass_spring, lattice]", "precision=double", NULL}, *one[] = {"method=lattice", NULL};
    struct plan_options options = {.set = both, .methods = lattice, .backend_words = backend_words};
    cr_assert(plan_read(file, &options, &plan) == STATUS_OK, "%s", failure_text());
    cr_assert_eq(plan.run_count, 2);
    expect_value(&plan.runs[0], "method.precision", "double", ORIGIN_COMMAND);
    expect_value(&plan.runs[1], "method.precision", "double", ORIGIN_COMMAND);
    plan_free(&plan);

    const char *ambiguous[] = {"method.name=lattice", "size=2 m", NULL};
    char *text = changed(good, ", stiffness: 50 N/m", "");
    write_bytes(text, strlen(text));
    options.set = ambiguous;
    cr_expect(plan_read(file, &options, &plan) == STATUS_BAD);
    cr_expect_str_eq(failure_text(),
                     "--set: the key size is ambiguous: body.cloth.size or method.size; write the whole key");
    failure_clear();
    options.set = one;
    cr_assert(plan_read(file, &options, &plan) == STATUS_OK, "%s", failure_text());
    expect_value(&plan.runs[0], "method.name", "lattice", ORIGIN_COMMAND);
    plan_free(&plan);
    free(text);
}

Test(plan, too_many_runs) {
    char *list = text_copy("1");
    for (int i = 2; i <= 101; i++) {
        char *longer = text_format("%s, %d", list, i);
        free(list);
        list = longer;
    }
    char *more = text_format("record.every: [%s]\ntime.steps_per_frame: [%s]\n", list, list);
    char *text = changed(good, NULL, more);
    expect_said(text, (struct plan_options){0}, "e.yaml: the file describes 10201 runs; at most 10000 are allowed");
    free(text);
    free(more);
    free(list);
    /* The limit also applies to the runs of one method of a list. */
    char *stiffness = text_copy("1 N/m"), *damping = text_copy("1 N s/m");
    for (int i = 2; i <= 200; i++) {
        char *longer = text_format("%s, %d N/m", stiffness, i), *other = text_format("%s, %d N s/m", damping, i);
        free(stiffness);
        free(damping);
        stiffness = longer;
        damping = other;
    }
    more = text_format("[{name: mass_spring, stiffness: [%s], damping: [%s], precision: [float, double]}]", stiffness,
                       damping);
    text = changed(good, "{name: mass_spring, stiffness: 50 N/m}", more);
    expect_said(text, (struct plan_options){0},
                "e.yaml:5:10: the lists under method have more than 10000 combinations; shorten a list");
    free(text);
    free(more);
    free(stiffness);
    free(damping);
}

/* ---- Files that are not experiment files ---- */

static void expect_bytes_said(const char *bytes, size_t length, const char *expected) {
    struct plan_options options = {.methods = methods, .backend_words = backend_words};
    struct plan plan;
    write_bytes(bytes, length);
    failure_clear();
    cr_expect_eq(plan_read(file, &options, &plan), STATUS_BAD);
    char *found = said();
    cr_expect_str_eq(found, expected);
    free(found);
    failure_clear();
}

Test(plan, files_that_are_no_descriptions) {
    expect_bytes_said("", 0, "e.yaml: is empty; write \"key: value\" lines");
    expect_bytes_said("# hm\n", 5, "e.yaml: is empty; write \"key: value\" lines");
    expect_bytes_said("a\nb\0c", 5,
                      "e.yaml:2:2: byte 0x00 is not part of printable UTF-8 text; expected a YAML file in UTF-8");
    expect_bytes_said("\x7f"
                      "ELF",
                      4, "e.yaml:1:1: byte 0x7f is not part of printable UTF-8 text; expected a YAML file in UTF-8");
    expect_bytes_said("a: \xff", 4,
                      "e.yaml:1:4: byte 0xff is not part of printable UTF-8 text; expected a YAML file in UTF-8");
    expect_bytes_said("words", 5,
                      "e.yaml:1:1: the experiment file is a single value; it must be a map: springback: 1, and so on");
    size_t size = 2 << 20;
    char *large = memory_new(size, 1);
    memset(large, '[', size);
    expect_bytes_said(large, size, "e.yaml: has 2097152 bytes; a YAML file may have at most 1048576");
    expect_bytes_said(large, 1 << 20, "e.yaml:1:33: this value is more than 32 levels deep; this is the limit");
    memset(large, 'x', size);
    memcpy(large, "springback: ", 12);
    expect_bytes_said(
        large, 1 << 20,
        "e.yaml:1:13: `springback` is xxxxxxxxxxxxxxxxxxxx; expected 1, the version that this program reads");
    char *to = large;
    for (int i = 0; i < 30000; i++)
        to += sprintf(to, "k%d: 1\n", i);
    expect_bytes_said(large, (size_t)(to - large),
                      "e.yaml:10000:8: the file has more than 20000 values; this is the limit");
    free(large);
    /* Each anchor would have twice the size of the anchor before it. */
    static const char bomb[] = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n";
    expect_bytes_said(bomb, sizeof bomb - 1, "e.yaml:2:8: an alias (*name) is not allowed; write the value itself");
}

Test(plan, places_that_are_no_files) {
    struct plan_options options = {.methods = methods, .backend_words = backend_words};
    struct plan plan;
    cr_expect_eq(plan_read(file, &options, &plan), STATUS_BAD);
    char *found = said();
    cr_expect_str_eq(found, "e.yaml: cannot be read (No such file or directory); expected a YAML file such as "
                            "experiments/va2022/strong-push.yaml");
    free(found);
    failure_clear();
    cr_expect_eq(plan_read("/tmp", &options, &plan), STATUS_BAD);
    cr_expect_str_eq(failure_text(), "/tmp: is a folder; expected a YAML file, whose name ends with .yaml");
    failure_clear();
    cr_expect_eq(plan_read("/dev/null", &options, &plan), STATUS_BAD);
    cr_expect_str_eq(failure_text(),
                     "/dev/null: is not a regular file; expected a YAML file, whose name ends with .yaml");
}

/* At each byte, a correct file is cut off, or the byte is changed. plan_read must accept the file or report a mistake.
 */
Test(plan, any_cut_or_broken_byte_is_survived) {
    char *text = changed(good, NULL,
                         "assumptions: {record.every: {value: 1, likely: [1, 2], why: w}}\n"
                         "zip: {time.repeats: [1, 2]}\ntiers: {quick: {time.repeats: [1, 1]}}\n");
    size_t length = strlen(text);
    for (size_t i = 0; i < 2 * length; i++) {
        char *broken = text_copy(text);
        if (i < length)
            broken[i] = 0;
        else
            broken[i - length] = "[]{}:,-#&*!|>'\"%@` \t\n?9x"[i % 24];
        struct plan plan;
        failure_clear();
        int status = read_text(broken, (struct plan_options){0}, &plan);
        cr_expect((status == STATUS_OK) == (failure_count() == 0), "%s", broken);
        cr_expect((status == STATUS_OK) == (plan.run_count > 0), "%s", broken);
        plan_free(&plan);
        free(broken);
    }
    free(text);
}

Test(plan, the_manual_names_every_field) {
    char *all = plan_manual(methods, backend_words);
    const struct field *tables[] = {experiment_fields, spring_fields, volume_fields};
    for (int t = 0; t < 3; t++)
        for (const struct field *field = tables[t]; field->path; field++) {
            char *row = text_format("\n| `%s` | ", field->path);
            cr_expect(strstr(all, row) && strstr(all, field->doc), "%s", field->path);
            free(row);
        }
    cr_expect(strstr(all, "| `time.step` | number | s | must be given | "));
    cr_expect(strstr(all, "### method: volume"));
    for (const char *at = all; (at = strstr(at, "\n| ")); at++)
        cr_expect(at[3] == '`' || strncmp(at, "\n| key", 6) == 0 || strncmp(at, "\n| ---", 6) == 0);
    free(all);
}

/* The characters of names are limited, because names become parts of paths, make targets and command lines. */
Test(plan, names_have_a_written_set_of_characters) {
    static const struct {
        const char *name;
        bool is_plain, is_run;
    } cases[] = {
        {"a", true, true},          {"Z9", true, true},      {"_x", true, true},     {"9.5-b_c", true, true},
        {"a=1,b=x+y", false, true}, {"", false, false},      {".", false, false},    {"..", false, false},
        {".a", false, false},       {"-a", false, false},    {"a/b", false, false},  {"a b", false, false},
        {"a\nb", false, false},     {"a$b", false, false},   {"a`b", false, false},  {"a;b", false, false},
        {"a&b", false, false},      {"a'b", false, false},   {"a\"b", false, false}, {"a\\b", false, false},
        {"a:b", false, false},      {"a%b", false, false},   {"a*b", false, false},  {"~a", false, false},
        {"\xc3\xa9", false, false}, {"a\xff", false, false},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        cr_expect_eq(name_is_plain(cases[c].name), cases[c].is_plain, "%s", cases[c].name);
        cr_expect_eq(name_is_run(cases[c].name), cases[c].is_run, "%s", cases[c].name);
    }
    static const char *const paths[] = {"a/b", "a", "a/b/c", "a/", "/a", "a//b", "a/.b", "a/-b"};
    for (size_t p = 0; p < sizeof paths / sizeof *paths; ++p) {
        failure_clear();
        cr_expect_eq(name_check((struct place){"e\x1b.yaml", 2, 3}, "name", paths[p]), p < 3 ? STATUS_OK : STATUS_BAD,
                     "%s", paths[p]);
        cr_expect_eq(strstr(failure_text(), "e\\x1b.yaml:2:3: name 'a/") != NULL, p >= 3 && p != 4, "%s",
                     failure_text());
    }
    failure_clear();
}
