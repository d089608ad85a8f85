/* Comparison of machines. A record has the results of the folder from which it was made. Physics and speed are compared
 * separately. Runs that do different work are refused. */
#include "claim/statistics.h"
#include "report/comparison.h"
#include "report/machine.h"
#include "shell.h"
#include "trace/trace.h"

#include <jansson.h>
#include <math.h>
#include <sys/stat.h>

static const char cloth[] = "springback: 1\npaper: test\ntitle: t\n"
                            "body: {cloth: {nodes: [6, 5], pins: corners}, node_mass: 1 kg}\n"
                            "method: {name: mass_spring, stiffness: [100 N/m, 200 N/m], damping: 0.1 N s/m}\n"
                            "time: {step: 1 ms, steps_per_frame: 10, frames: 8, repeats: 3}\n"
                            "record: {every: 1, mesh_every: 2}\n"
                            "backend: [serial, threads]\n";

static void setup(void) {
    shell_begin();
    unsetenv("SPRINGBACK_KERNELS");
    cr_assert_eq(mkdir("paper", 0777), 0);
    text_write("paper/cloth.yaml", cloth);
    failure_clear();
}

TestSuite(compare, .init = setup, .fini = shell_end);

static void run_into(const char *out, const char *more) {
    shell("\"$S\" run -q --out %s %s paper/cloth.yaml", out, more);
    expect_code(0);
}

static struct machine open_machine(const char *path) {
    struct machine machine;
    cr_assert_eq(machine_read(path, &machine), STATUS_OK, "%s", failure_text());
    return machine;
}

static struct comparison compare(const struct machine *a, const struct machine *b) {
    struct comparison comparison;
    cr_assert_eq(machines_compare(a, b, NULL, NULL, 0, &comparison), STATUS_OK, "%s", failure_text());
    return comparison;
}

static json_t *object(void) {
    json_error_t error;
    json_t *root = json_loads(said.out, 0, &error);
    cr_assert_not_null(root, "%s:\n%s", error.text, said.out);
    return root;
}

/* Replace the first `old` in a file by `new`. */
static void change(const char *path, const char *old, const char *new) {
    char *text = text_read(path), *at = strstr(text, old);
    cr_assert_not_null(at, "%s lacks %s:\n%s", path, old, text);
    char *changed = text_format("%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    text_write(path, changed);
    free(changed);
    free(text);
}

/* ---- Results and records ---- */

Test(compare, a_record_is_what_it_was_made_of) {
    run_into("a", "");
    shell("\"$S\" record --name here --out records a");
    expect_code(0);
    cr_expect_eq(matching("records/here/*/*.json"), 1);
    struct machine a = open_machine("a"), b = open_machine("records/here/");
    cr_expect(b.is_record);
    cr_expect_str_eq(b.name, "here");
    cr_expect_eq(b.run_count, 4);
    struct comparison comparison = compare(&a, &b);
    cr_expect_eq(comparison.pair_count, 4);
    cr_expect_eq(comparison.refused, 0);
    cr_expect_eq(comparison.physics[PHYSICS_SAME], 4);
    cr_expect_eq(comparison.environment.count, 0);
    cr_expect_eq(comparison.alone[0] + comparison.alone[1], 0);
    for (int p = 0; p < comparison.pair_count; ++p) {
        const struct pair *pair = &comparison.pairs[p];
        cr_expect_str_eq(pair->run[0]->id, pair->run[1]->id);
        cr_expect_eq(pair->common, 5, "a record has the hashes of five frames, not of %d", pair->common);
        cr_expect_eq(pair->last_same, 8);
        cr_expect_eq(pair->run[1]->seconds.samples, 24);
        cr_expect_eq(pair->run[1]->repeats, 3);
        cr_expect_eq(pair->run[1]->last_count, pair->run[0]->last_count);
        cr_expect_float_eq(pair->ratio.value, 1, 1e-6);
        cr_expect(pair->ratio.low <= 1 && pair->ratio.high >= 1 && pair->ratio.confidence >= 0.95);
        for (int s = 0; s < 24; ++s)
            cr_expect_float_eq(pair->run[1]->samples[s] / pair->run[0]->samples[s], 1, 1e-8);
    }
    comparison_free(&comparison);
    machine_free(&a);
    machine_free(&b);
}

Test(compare, a_record_tells_nothing_of_the_host) {
    run_into("a-very-own-folder", "");
    shell("\"$S\" record --name here --out records a-very-own-folder && cat records/here/*.json records/here/*.tsv "
          "records/here/*/*.json");
    expect_code(0);
    char host[65] = "";
    cr_assert_eq(gethostname(host, sizeof host - 1), 0);
    char *quoted = text_format("\"%s\"", host);
    expect_no_out(quoted);
    expect_no_out("a-very-own-folder\"");
    expect_no_out("command");
    expect_no_out("\"start\"");
    free(quoted);
}

Test(compare, recording_again_changes_nothing) {
    run_into("a", "");
    shell(
        "\"$S\" record --name here --out records a && cp -r records before && \"$S\" record --name here --out records "
        "a && diff -r before records");
    expect_code(0);
}

Test(compare, a_record_has_the_costs_of_its_experiments) {
    run_into("a", "");
    cr_assert_eq(shell("mkdir -p records/here"), 0);
    text_write("records/here/costs.tsv", "experiment\tpeak_memory\tbytes\nother/x\t-\t1048576\npaper/cloth\t1\t1\n");
    shell("\"$S\" record --name here --out records a && cat records/here/costs.tsv");
    expect_code(0);
    expect_out("experiment\tpeak_memory\tbytes\nother/x\t-\t1.04858e+06\npaper/cloth\t");
    cr_expect_eq(
        shell("set -- $(tail -n 1 records/here/costs.tsv | xargs printf '%%s %%.0f %%.0f') && test $2 -gt 1000000 && "
              "test $3 -gt 10000"),
        0, "%s", said.out);
    text_write(
        "claims.yaml",
        "springback: 1\npaper: paper\nclaims:\n"
        "  - {id: paper.a, says: A sentence, kind: count, headline: true, reported: 30,\n"
        "     from: {experiment: paper/cloth, quantity: nodes}, recorded: {gpu: matches, no_gpu: not run}}\n"
        "  - {id: paper.b, says: b, kind: count, from: {experiment: paper/cloth, quantity: nodes}, reported: 30}\n"
        "  - {id: paper.c, says: c, kind: bound, headline: true, needs: gpu, expect: \"> 1\",\n"
        "     from: {experiment: paper/none, quantity: nodes}}\n"
        "  - {id: paper.d, says: d, kind: bound, headline: true, needs: gpu, expect: \"> 1\",\n"
        "     from: {experiment: paper/cloth, quantity: nodes}}\n");
    shell("\"$S\" check --evaluation records/here claims.yaml");
    expect_code(0);
    expect_out("| `paper.a`: A sentence | paper/cloth | any machine | 4 | ");
    expect_out(" | not run; with a GPU: matches (paper: 30) |\n");
    expect_no_out("paper.b");
    expect_out("| `paper.c`: c | paper/none | a GPU | 0 | not recorded | not recorded | not recorded | no verdict is "
               "recorded (paper: > 1) |\n");
    expect_out("| `paper.d`: d | paper/cloth | a GPU | 0 | not recorded | not recorded | not recorded | ");
    expect_out("| **all of paper** | 1 experiment | any machine | 4 | ");
    cr_assert_eq(
        shell("cp -r records/here records/gpu && mkdir -p experiments/paper && "
              "touch experiments/paper/cloth.yaml experiments/paper/other.yaml && "
              "sed -i 's/\"device_type\":\"cpu\"/\"device_type\":\"gpu\"/' records/gpu/paper/cloth.json && "
              "printf 'experiment\\tpeak_memory\\tbytes\\npaper/cloth\\t2097152\\t1048576\\n' >records/gpu/costs.tsv"),
        0, "%s", said.err);
    shell("\"$S\" check --evaluation records/here --evaluation records/gpu claims.yaml");
    expect_code(0);
    expect_out("| `paper.d`: d | paper/cloth | a GPU | 4 | ");
    expect_out(" | 2.0 MiB | 1.0 MiB | no verdict is recorded (paper: > 1) |\n");
    expect_out("| **paper** | 1 of 2 experiments | any machine | 4 | ");
    shell("\"$S\" check --evaluation records claims.yaml");
    expect_code(2);
    expect_err("records: ");
    cr_expect_str_eq(said.out, "");
    text_write("records/here/costs.tsv", "experiment\tpeak_memory\tbytes\npaper/cloth\t1\n");
    shell("\"$S\" check --evaluation records/here claims.yaml; \"$S\" record --name here --out records a");
    expect_code(2);
    expect_err("records/here/costs.tsv:2:1: expected an experiment and 2 numbers, separated by tabs");
    cr_expect_str_eq(said.out, "");
}

Test(compare, a_record_of_many_samples_keeps_some_and_the_median_of_all) {
    run_into("a",
             "--set frames=400 --set record.every=100 --set mesh_every=0 --only method.stiffness='100 N/m' -b serial");
    shell("\"$S\" record --name here --out records a");
    expect_code(0);
    struct machine a = open_machine("a"), b = open_machine("records/here");
    cr_assert_eq(b.run_count, 1);
    cr_expect_eq(b.runs[0].seconds.samples, 1200);
    cr_expect_lt(b.runs[0].sample_count, 257);
    cr_expect_gt(b.runs[0].sample_count, 250);
    cr_expect_float_eq(b.runs[0].seconds.value / a.runs[0].seconds.value, 1, 1e-8);
    cr_expect_float_eq(b.runs[0].seconds.low / a.runs[0].seconds.low, 1, 1e-8);
    struct comparison comparison = compare(&a, &b);
    /* The confidence of a's interval is 97.5 %. Record b has only some samples, so the confidence of its interval is
     * 95 %. */
    cr_expect_float_eq(comparison.pairs[0].ratio.confidence, 0.925, 0.02);
    comparison_free(&comparison);
    machine_free(&a);
    machine_free(&b);
}

/* ---- Physics ---- */

/* After this call, runs on OpenCL use kernels that multiply the vertical velocity of node 7 by 1.001 from step 35
 * on. */
static void spoil_kernels(void) {
    cr_assert_eq(system("cp -r '" SOURCE_DIR "/kernels' kernels && sed -i 's/velocity_next\\[i\\] = quad_of("
                        "velocity, v.w)/velocity_next[i] = quad_of(m->step >= 35 \\&\\& i == 7 ? vec3_of(velocity.x, "
                        "velocity.y * (real)1.001, velocity.z) : velocity, v.w)/' kernels/mass_spring.h && ! cmp -s "
                        "'" SOURCE_DIR "/kernels/mass_spring.h' kernels/mass_spring.h"),
                 0, "kernels/mass_spring.h has changed: change the sed command of this test");
    cr_assert_eq(setenv("SPRINGBACK_KERNELS", "kernels", 1), 0);
}

Test(compare, other_bits_are_found_with_frame_and_distance) {
    run_into("a", "-b opencl --only method.stiffness='100 N/m'");
    spoil_kernels();
    run_into("b", "-b opencl --only method.stiffness='100 N/m'");
    unsetenv("SPRINGBACK_KERNELS");
    shell("\"$S\" compare a b --json");
    expect_code(1);
    json_t *root = object(), *run = json_array_get(json_object_get(root, "runs"), 0);
    cr_expect_eq(json_integer_value(json_object_get(json_object_get(root, "physics"), "apart")), 1);
    json_t *physics = json_object_get(run, "physics"), *largest = json_object_get(physics, "largest_difference");
    cr_expect_eq(json_integer_value(json_object_get(physics, "first_frame_apart")), 4); /* step 35 is in frame 4 */
    cr_expect_eq(json_integer_value(json_object_get(physics, "last_frame_same")), 3);
    cr_expect_str_eq(json_string_value(json_object_get(largest, "of")), "position");
    cr_expect_str_eq(json_string_value(json_object_get(largest, "unit")), "m");
    cr_expect_gt(json_real_value(json_object_get(largest, "value")), 1e-8);
    cr_expect_lt(json_real_value(json_object_get(largest, "value")), 1e-3);
    json_decref(root);
    shell("\"$S\" compare a b");
    expect_code(1);
    expect_out("1 run on both machines: 0 bit-identical, 1 DIFFER.");
    expect_out("9                      4                 3  position: ");
    expect_out("kernels");
    shell("\"$S\" record --name b --out records b && \"$S\" compare a records/b");
    expect_code(1);
    expect_out(" of the larger value, in frame 8"); /* the difference of a series, because a record has no geometry */
    shell("\"$S\" compare a b --html");
    expect_out("1 run on both machines: 0 bit-identical, 1 DIFFER.");
}

/* ---- Work ---- */

Test(compare, unlike_work_is_refused_with_what_differs) {
    run_into("a", "");
    run_into("b", "--set damping='0.2 N s/m' --set repeats=2");
    shell("\"$S\" compare a b");
    expect_code(2);
    expect_out("Refused: 4 runs with different work");
    expect_out("method.damping  0.1 N s/m  0.2 N s/m");
    expect_no_out("time.repeats");
    expect_err("in all 4 pairs, the two runs did different work");
}

Test(compare, runs_match_by_work_and_not_by_name) {
    run_into("a", "");
    run_into("b", "--set record.every=2 --set mesh_every=0 --only method.stiffness='200 N/m'");
    shell("\"$S\" compare a b --json");
    expect_code(0);
    json_t *root = object();
    cr_expect_eq(json_array_size(json_object_get(root, "runs")), 2);
    cr_expect_eq(json_integer_value(json_object_get(root, "only_a")), 2);
    cr_expect_eq(json_integer_value(json_object_get(json_object_get(root, "physics"), "same")), 2);
    json_decref(root);
}

Test(compare, a_parameter_unknown_to_an_older_program_matches_its_default) {
    run_into("a", "-b serial");
    shell("\"$S\" record --name old --out records a");
    expect_code(0);
    change("records/old/paper/cloth.json", "\"method.precision\":\"float\"", "\"gone.by\":\"now\"");
    shell("\"$S\" compare a records/old");
    expect_code(2); /* only records/old has the parameter gone.by, and its default is not known */
    expect_out("gone.by     -  now");
    expect_no_out("method.precision");
    change("records/old/paper/cloth.json", "\"gone.by\":\"now\",", "");
    shell("\"$S\" compare a records/old");
    expect_code(0);
    expect_out("2 runs on both machines: 2 bit-identical.");
}

Test(compare, a_run_with_a_sharp_rim_matches_one_without_the_key) {
    for (int is_linear = 0; is_linear < 2; ++is_linear) {
        AUTO_FREE char *file = text_format(
            "springback: 1\nbody: {cloth: {nodes: [4, 4]}, node_mass: 1 kg}\n"
            "method: {name: mass_spring, stiffness: 5 N/m}\ntime: {step: 1 ms, frames: 2}\nbackend: serial\n"
            "scene: {push: {acceleration: [0, 9 m/s^2, 0], until: 1 s, rim: %s}}\n",
            is_linear ? "linear" : "sharp");
        text_write("paper/cloth.yaml", file);
        shell("rm -rf a records && \"$S\" run -q --out a paper/cloth.yaml && \"$S\" record --name old --out records a");
        expect_code(0);
        change("records/old/paper/cloth.json",
               is_linear ? ",\"scene.push.rim\":\"linear\"" : ",\"scene.push.rim\":\"sharp\"", "");
        shell("\"$S\" compare a records/old");
        expect_code(is_linear ? 2 : 0);
    }
}

Test(compare, named_backends_match) {
    run_into("a", "");
    shell("\"$S\" compare a a --backend serial --backend threads --json");
    expect_code(0);
    json_t *root = object(), *run = json_array_get(json_object_get(root, "runs"), 0);
    cr_expect_eq(json_array_size(json_object_get(root, "runs")), 2);
    cr_expect_str_eq(json_string_value(json_object_get(json_object_get(run, "a"), "backend")), "serial");
    cr_expect_str_eq(json_string_value(json_object_get(json_object_get(run, "b"), "backend")), "threads");
    json_decref(root);
}

Test(compare, what_ran_elsewhere_is_compared_for_its_physics_alone) {
    run_into("a", "-b serial");
    run_into("b", "-b threads");
    shell("\"$S\" compare a b --json");
    expect_code(0);
    json_t *root = object(), *run = json_array_get(json_object_get(root, "runs"), 0);
    cr_expect_eq(json_integer_value(json_object_get(root, "two_backends")), 2);
    cr_expect_eq(json_integer_value(json_object_get(json_object_get(root, "physics"), "same")), 2);
    cr_expect(json_is_null(json_object_get(run, "ratio")));
    json_decref(root);
    shell("\"$S\" compare a b");
    expect_out("2 of the runs used another kind of backend on B than on A");

    /* If a machine has runs of both backends, runs of the same backend are matched. */
    run_into("both", "");
    shell("\"$S\" compare a both --json");
    expect_code(0);
    root = object();
    cr_expect_eq(json_integer_value(json_object_get(root, "two_backends")), 0);
    cr_expect_eq(json_integer_value(json_object_get(root, "only_b")), 2);
    json_decref(root);

    /* If the results differ, the message names the backends. */
    shell("\"$S\" record --out records --name there b");
    expect_code(0);
    json_error_t error;
    json_t *file = json_load_file("records/there/paper/cloth.json", 0, &error);
    cr_assert_not_null(file, "%s", error.text);
    json_t *hashes =
        json_object_get(json_object_get(json_array_get(json_object_get(file, "runs"), 0), "state"), "hashes");
    json_array_set_new(hashes, json_array_size(hashes) - 1, json_string("00000000000000000000000000000000"));
    cr_assert_eq(json_dump_file(file, "records/there/paper/cloth.json", 0), 0);
    json_decref(file);
    shell("\"$S\" compare a records/there");
    expect_code(1);
    expect_out("A serial, B threads");
}

Test(compare, several_machines_are_each_compared_with_the_first) {
    run_into("a", "-b serial");
    run_into("b", "-b serial");
    run_into("c", "-b serial");
    shell("\"$S\" compare a b c --json | wc -l");
    expect_out("2\n");
    shell("\"$S\" compare a b c");
    expect_out("B  b: results");
    expect_out("B  c: results");
}

/* ---- Speed ---- */

/* A run with `count` samples, in s. Repeat r has repeat_samples[r] samples. */
static struct machine_run timed(const double *samples, int count, int *repeat_samples, int repeats) {
    struct machine_run run = {.samples = (double *)samples,
                              .sample_count = count,
                              .seconds = median_of(samples, count),
                              .repeat_samples = repeat_samples,
                              .repeats = repeats};
    return run;
}

Test(compare, ratio_of_medians_and_its_interval) {
    double slow[12], fast[12];
    int parts[1] = {12};
    for (int k = 0; k < 12; ++k) {
        slow[k] = 10 + k; /* median 15.5 */
        fast[k] = 1 + 0.1 * k;
    }
    const struct machine_run a = timed(slow, 12, parts, 1), b = timed(fast, 12, parts, 1);
    const struct ratio ratio = ratio_of(&a, &b);
    cr_expect_float_eq(ratio.value, 15.5 / 1.55, 1e-12);
    /* X is the number of the 12 samples that are below the true median. P(X < 2) = 13/4096 = 0.3 % is below the limit
     * of 1.25 %, but P(X < 3) = 79/4096 = 1.9 % is above this limit. Therefore the interval of a median is from the
     * second to the eleventh sample. */
    cr_expect_float_eq(ratio.low, 11 / 2.0, 1e-12);
    cr_expect_float_eq(ratio.high, 20 / 1.1, 1e-12);
    cr_expect_float_eq(ratio.confidence, 1 - 4 * 13.0 / 4096, 1e-12);
    const struct machine_run few = timed(slow, 3, parts, 1);
    const struct ratio rough = ratio_of(&few, &few);
    cr_expect_float_eq(rough.low, 10.0 / 12, 1e-12);
    /* The interval lacks the true median if all three samples are above it, or if all three are below it. */
    cr_expect_float_eq(rough.confidence, 1 - 2 * 0.25, 1e-12);
    const struct machine_run none = {.seconds = {NAN, NAN, NAN, 0, 0}};
    cr_expect(isnan(ratio_of(&a, &none).value));
}

/* For a distribution with a heavy tail, the interval contains the true ratio in more than 95 % of the cases. */
Test(compare, the_interval_covers_the_true_ratio) {
    enum { TIMES = 4000, SAMPLES = 15 };
    unsigned long state = 12345;
    int held = 0, parts[1] = {SAMPLES};
    for (int t = 0; t < TIMES; ++t) {
        double samples[2][SAMPLES];
        for (int k = 0; k < 2 * SAMPLES; ++k) {
            state = state * 6364136223846793005UL + 1442695040888963407UL;
            const double u = (double)(state >> 11) / 9007199254740992.0;
            samples[k / SAMPLES][k % SAMPLES] = (k < SAMPLES ? 3 : 1) * (1 + 1 / (1.0001 - u)); /* medians 9 and 3 */
        }
        const struct machine_run a = timed(samples[0], SAMPLES, parts, 1), b = timed(samples[1], SAMPLES, parts, 1);
        const struct ratio ratio = ratio_of(&a, &b);
        held += ratio.low <= 3 && 3 <= ratio.high;
    }
    cr_expect_gt(held, 0.95 * TIMES, "the interval has the true ratio in %d of %d cases", held, TIMES);
}

Test(compare, interval_of_a_median_by_its_confidence) {
    double samples[9] = {9, 8, 7, 6, 5, 4, 3, 2, 1}, covered;
    struct interval interval = median_interval(samples, 9, 0.95, &covered);
    const struct measure same = median_of(samples, 9);
    cr_expect(interval.low == same.low && interval.high == same.high);
    cr_expect_float_eq(covered, 1 - 2 * 10.0 / 512, 1e-12);
    interval = median_interval(samples, 9, 0.999, &covered);
    cr_expect(interval.low == 1 && interval.high == 9);
    cr_expect_float_eq(covered, 1 - 2.0 / 512, 1e-12);
    interval = median_interval(samples, 1, 0.95, &covered);
    cr_expect(interval.low == 9 && interval.high == 9 && covered == 0);
}

static void add_fact(struct attributes *facts, struct attribute *items, int *count, const char *name,
                     const char *value) {
    items[*count] = (struct attribute){(char *)name, (char *)value, false};
    *facts = (struct attributes){items, ++*count};
}

Test(compare, work_and_limit_of_the_large_cloth) {
    struct attribute facts[8], parameters[8];
    int fact_count = 0, parameter_count = 0;
    struct machine_run run = {.seconds = {1e-3, 1e-3, 1e-3, 9, 0}};
    add_fact(&run.facts, facts, &fact_count, "method", "mass_spring");
    add_fact(&run.facts, facts, &fact_count, "nodes", "5242880");
    add_fact(&run.facts, facts, &fact_count, "springs", "31434242");
    add_fact(&run.facts, facts, &fact_count, "steps_per_frame", "2");
    add_fact(&run.parameter, parameters, &parameter_count, "method.precision", "float");
    struct work work;
    cr_assert(work_of(&run, &work));
    cr_expect_eq(work.bytes, 64.0 * 5242880 * 2); /* counted as `make bench` counts them */
    cr_expect_eq(work.operations, (44.0 * 31434242 + 24.0 * 5242880) * 2);
    struct machine_limits limits = {.best = {64.0 * 5242880, 1e18, NAN}};
    bool by_memory = false;
    cr_expect_float_eq(work_limit(&work, &limits, &by_memory), 2, 1e-12);
    cr_expect(by_memory);
    limits.best[LIMIT_OPERATIONS] = work.operations / 5;
    cr_expect_float_eq(work_limit(&work, &limits, &by_memory), 5, 1e-12);
    cr_expect_not(by_memory);
    cr_expect(isnan(work_limit(&work, NULL, NULL)));
    facts[0].value = "constraint_enforcement";
    add_fact(&run.parameter, parameters, &parameter_count, "method.iterations", "64");
    cr_assert(work_of(&run, &work));
    /* The first summand is the number of operations for all constraints, the second for all nodes. */
    cr_expect_eq(work.operations, (31434242.0 * (31 + 64 * 29 + 12) + 5242880.0 * (64 * 13 + 24)) * 2);
    add_fact(&run.parameter, parameters, &parameter_count, "method.tolerance", "0.1");
    cr_assert(work_of(&run, &work));
    cr_expect(isnan(work.operations), "with a tolerance, the number of iterations is unknown");
    facts[0].value = "xpbd";
    add_fact(&run.parameter, parameters, &parameter_count, "method.spring", "stretching");
    add_fact(&run.parameter, parameters, &parameter_count, "method.volume", "none");
    cr_assert(work_of(&run, &work));
    const double without = work.operations;
    add_fact(&run.facts, facts, &fact_count, "body_triangles", "1000");
    parameters[parameter_count - 1].value = "ghosts";
    cr_assert(work_of(&run, &work));
    cr_expect_float_eq(work.operations - without, 64.0 * (1000 * 122 + 3 * 5242880.0) * 2, 1);
    facts[0].value = "mass_spring";
    cr_assert(work_of(&run, &work));
    const double springs = work.operations;
    facts[0].value = "volume_constraint";
    cr_assert(work_of(&run, &work));
    cr_expect_float_eq(work.operations - springs, (1000 * 36 + 47 * 5242880.0) * 2, 1);
    add_fact(&run.parameter, parameters, &parameter_count, "method.weight_radius", "0.5 m");
    cr_assert(work_of(&run, &work));
    cr_expect(isnan(work.operations), "the number of nodes within the radius is unknown");
    facts[0].value =
        "adaptive_constraint"; /* its operations are not counted, so its limit is that of the memory alone */
    cr_assert(work_of(&run, &work));
    cr_expect(isnan(work.operations));
    cr_expect_float_eq(work_limit(&work, &limits, &by_memory), 2, 1e-12);
    cr_expect(by_memory);
}

/* The floating-point operations of a frame of this run, whose work must be known; NaN if they are not counted. */
static double operations_of(const struct machine_run *run) {
    struct work work;
    cr_assert(work_of(run, &work));
    return work.operations;
}

/* The code that gcc -O1 makes of kernels/ has 56 multiplications and additions for a distance, 275 for a bend, 1,089
 * for six strains, and 861 for the strains as printed. work_of counts 57 for a distance and 276 for a bend, because gcc
 * computes one operation of each at compile time. */
Test(compare, operations_of_positions_based_methods) {
    struct attribute facts[9], parameters[6];
    int fact_count = 0, parameter_count = 0;
    struct machine_run run = {.seconds = {1e-3, 1e-3, 1e-3, 9, 0}};
    add_fact(&run.facts, facts, &fact_count, "method", "pbd_surface");
    add_fact(&run.facts, facts, &fact_count, "nodes", "3008");
    add_fact(&run.facts, facts, &fact_count, "steps_per_frame", "1");
    add_fact(&run.facts, facts, &fact_count, "body_edges", "9018");
    add_fact(&run.facts, facts, &fact_count, "body_bends", "9000");
    add_fact(&run.facts, facts, &fact_count, "body_links", "2964");
    add_fact(&run.parameter, parameters, &parameter_count, "method.iterations", "10");
    add_fact(&run.parameter, parameters, &parameter_count, "method.bending", "0");
    cr_expect_eq(operations_of(&run), 10.0 * 9018 * 57 + 3008 * 21);
    parameters[1].value = "2";
    cr_expect_eq(operations_of(&run), 10.0 * (9018 * 57 + 9000 * 276) + 3008 * 21);
    facts[0].value = "pbd_inner_links";
    cr_expect_eq(operations_of(&run), 10.0 * ((9018 + 2964) * 57 + 9000 * 276) + 3008 * 21);
    facts[0].value = "pbd_strain_tets";
    cr_expect(isnan(operations_of(&run)), "the number of tetrahedra is unknown");
    add_fact(&run.facts, facts, &fact_count, "body_tetrahedra", "1000");
    add_fact(&run.parameter, parameters, &parameter_count, "method.strain_form", "normalised");
    cr_expect_eq(operations_of(&run), 10.0 * (9018 * 57 + 9000 * 276 + 1000 * 1089) + 3008 * 21);
    parameters[2].value = "printed";
    cr_expect_eq(operations_of(&run), 10.0 * (9018 * 57 + 9000 * 276 + 1000 * 861) + 3008 * 21);
    facts[0].value = "xpbd_hyperelastic";
    add_fact(&run.parameter, parameters, &parameter_count, "method.material", "stvk");
    const double stvk = (operations_of(&run) - 3008 * 21) / 10000;
    cr_expect_eq(stvk, 107 + 121 + 46 + 160);
    parameters[3].value = "neo_hookean";
    cr_expect_eq((operations_of(&run) - 3008 * 21) / 10000 - stvk, 314 - 46 - 121);
    add_fact(&run.parameter, parameters, &parameter_count, "method.constraint", "root");
    cr_expect_eq((operations_of(&run) - 3008 * 21) / 10000 - stvk, 314 - 46 - 121 + 64 - 46);
    add_fact(&run.parameter, parameters, &parameter_count, "method.solver", "jacobi");
    facts[0].value = "pbd_surface";
    cr_expect(isnan(operations_of(&run)), "copies and sums of Jacobi's method are not counted");
}

Test(compare, hardware_limits_are_measured_and_kept) {
    run_into("a", "-b serial");
    shell("\"$S\" devices --measure a/floors.json && \"$S\" record --name here --out records a");
    expect_code(0);
    expect_no_out("no hardware limits");
    struct machine a = open_machine("a"), b = open_machine("records/here");
    cr_assert_geq(a.limits_count, 1);
    cr_assert_eq(b.limits_count, a.limits_count);
    for (int f = 0; f < a.limits_count; ++f) {
        cr_expect_gt(a.limits[f].best[LIMIT_COPY], 1e7);
        cr_expect_gt(a.limits[f].best[LIMIT_OPERATIONS], 1e7);
        cr_expect_float_eq(a.limits[f].best[LIMIT_COPY] / b.limits[f].best[LIMIT_COPY], 1, 1e-8);
    }
    cr_expect_not_null(machine_limits_of(&a, &a.runs[0]));
    struct comparison comparison = compare(&a, &b);
    cr_expect_gt(comparison.pairs[0].share[0].value, 0);
    comparison_free(&comparison);
    machine_free(&a);
    machine_free(&b);
}

/* ---- The records of the repository ---- */

/* Whether the machine has a run for a paper's reported number: a run of this number's experiment with all values that
 * the number selects. */
static int is_run_selected(const struct machine *machine, const struct machine_reported *reported) {
    for (int r = 0; r < machine->run_count; ++r) {
        const struct machine_run *run = &machine->runs[r];
        int matches = !strcmp(run->experiment, reported->experiment);
        for (int s = 0; s < reported->select.count && matches; ++s) {
            const char *name = reported->select.items[s].name, *text = attributes_text(&run->parameter, name);
            text = text ? text : attributes_text(&run->facts, name);
            matches = text && !strcmp(text, reported->select.items[s].value);
        }
        if (matches)
            return 1;
    }
    return 0;
}

Test(compare, the_recorded_machines_end_in_the_same_bits) {
    struct machine a = open_machine(SOURCE_DIR "/data/machines/amd-epyc-2-cores"),
                   b = open_machine(SOURCE_DIR "/data/machines/nvidia-h100");
    struct comparison comparison = compare(&a, &b);
    cr_expect_gt(comparison.physics[PHYSICS_SAME], 100);
    cr_expect_eq(comparison.physics[PHYSICS_DIFFERENT], 0);
    comparison_free(&comparison);
    machine_free(&a);
    machine_free(&b);
}

Test(compare, the_papers_machines_are_compared) {
    static const char *const names[] = {"gtx-1070", "gtx-1080-ti", "gtx-570", "i7-7700", "i7-2600"};
    struct machine here = open_machine(SOURCE_DIR "/data/machines/amd-epyc-2-cores"), papers[5];
    for (int m = 0; m < 5; ++m) {
        char *path = text_format(SOURCE_DIR "/data/machines/%s", names[m]);
        papers[m] = open_machine(path);
        cr_expect(strstr(papers[m].source, "published specification"), "%s", papers[m].source);
        cr_assert_eq(papers[m].limits_count, 1);
        for (int r = 0; r < papers[m].reported_count; ++r) {
            char *file = text_format(SOURCE_DIR "/paper_checks/%s.yaml", papers[m].reported[r].paper);
            char *claims = text_read(file), *id = text_format("- id: %s\n", papers[m].reported[r].claim);
            cr_expect(strstr(claims, id), "%s is not a claim of %s", papers[m].reported[r].claim, file);
            cr_expect(is_run_selected(&here, &papers[m].reported[r]), "%s: the record has no such run",
                      papers[m].reported[r].claim);
            free(id);
            free(claims);
            free(file);
        }
        free(path);
    }
    struct comparison comparison;
    cr_assert_eq(machines_compare(&here, &here, NULL, papers, 5, &comparison), STATUS_OK, "%s", failure_text());
    cr_expect_eq(comparison.paper_count, 17);
    for (int p = 0; p < comparison.paper_count; ++p) {
        const struct paper_share *paper = &comparison.papers[p];
        cr_expect(paper->share.value > 0 && paper->share.value < 1, "%s: %g", paper->reported->claim,
                  paper->share.value);
    }
    /* The paper reports at least 30 frames per second with 5,242,880 nodes. A frame moves 64 bytes per node, and the
     * bandwidth is 256 GB/s. */
    cr_expect_str_eq(comparison.papers[0].reported->claim, "va2022.real-time.largest-cloth");
    cr_expect_float_eq(comparison.papers[0].share.value, 64.0 * 5242880 * 30 / 256e9, 1e-12);
    cr_expect(isinf(comparison.papers[0].reported->high));
    comparison_free(&comparison);
    for (int m = 0; m < 5; ++m)
        machine_free(&papers[m]);
    machine_free(&here);
}

/* ---- Formats, and bad input ---- */

Test(compare, the_section_is_well_formed_and_holds_no_markup_of_others) {
    run_into("a", "-b serial");
    shell("\"$S\" record --name here --out records a");
    change("records/here/machine.json", "\"name\": \"here\"", "\"name\": \"<script>&\\\"\"");
    change("records/here/paper/cloth.json", "\"cpu\":\"", "\"cpu\":\"<b>&");
    shell("\"$S\" compare a records/here --html");
    expect_code(0);
    expect_out("<section class=\"comparison\">");
    expect_out("&lt;script&gt;&amp;&quot;");
    expect_out("&lt;b&gt;&amp;");
    expect_no_out("<script>");
    expect_no_out("<b>");
    shell("\"$S\" compare a records/here --html >s.html && python3 -c 'import xml.dom.minidom; "
          "xml.dom.minidom.parse(\"s.html\")'");
    expect_code(0);
}

Test(compare, a_record_that_a_terminal_would_obey_is_refused) {
    run_into("a", "-b serial");
    shell("\"$S\" record --name here --out records a");
    change("records/here/machine.json", "\"name\": \"here\"", "\"name\": \"\\u001b[2J\"");
    shell("\"$S\" compare a records/here");
    expect_code(2);
    expect_err("records/here/machine.json: a text in the file has control characters");
}

Test(compare, the_table_has_a_line_a_timed_run) {
    run_into("a", "");
    shell("\"$S\" compare a a --table | awk -F'\\t' 'NF == 11 {++n} END {print n}'");
    expect_out("5\n");
}

Test(compare, bad_words_are_refused) {
    static const struct {
        const char *words, *said;
    } cases[] = {
        {"compare", "expected two or more folders, but 0 are given"},
        {"compare a", "expected two or more folders, but 1 is given"},
        {"compare a missing", "missing: no such folder"},
        {"compare a a --backend serial", "--backend must be given twice"},
        {"compare a a --json --html", "cannot be combined"},
        {"compare a a --papers missing", "missing: no such folder"},
        {"compare a a --backend serial --backend none", "no runs to compare"},
        {"compare a paper", "paper: the folder has neither a record"},
        {"compare a paper/cloth.yaml", "paper/cloth.yaml: no such folder"},
        {"record a", "--name is missing"},
        {"record --name x", "no folder of results given"},
        {"record --name x a a", "expected one folder of results"},
        {"record --name ../x a", "'../x' cannot be the name of a record"},
        {"record --name .x a", "cannot be the name of a record"},
        {"record --name '' a", "cannot be the name of a record"},
        {"record --name x --out '' a", "--out: the folder's name is empty"},
        {"record --name x missing", "missing: no such folder"},
        {"record --name x --out paper/cloth.yaml a", "paper/cloth.yaml"},
        {"record --name x records/here", "this is already a record"},
        {"devices --measure ''", "--measure: the file's name is empty"},
        {"devices --measure missing/floors.json", "missing/floors.json: cannot be written"},
    };
    run_into("a", "-b serial");
    shell("\"$S\" record --name here --out records a");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        shell("\"$S\" %s", cases[c].words);
        cr_expect_eq(said.code, 2, "springback %s: exit code %d", cases[c].words, said.code);
        cr_expect_eq(*said.out, 0, "springback %s: %s", cases[c].words, said.out);
        cr_expect(strstr(said.err, cases[c].said), "springback %s: %s", cases[c].words, said.err);
    }
}

#define REPORTED                                                                                                       \
    "{\"claim\":\"\",\"paper\":\"\",\"where\":\"\",\"experiment\":\"\",\"select\":{},\"frames_per_second\":"

Test(compare, a_fact_is_a_number_and_its_unit_or_no_number) {
    static const struct {
        const char *text;
        double number;
    } table[] = {{"52", 52}, {"0.5 kg", 0.5}, {"-1e-3 N s/m", -1e-3}, {"52nodes", 7}, {"0x34", 7}, {"inf", 7}, {"", 7}};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct attributes facts = {NULL, 0};
        attributes_add(&facts, "fact", table[t].text, false);
        cr_expect_eq(attributes_number(&facts, "fact", 7), table[t].number, "%s", table[t].text);
        attributes_free(&facts);
    }
}

Test(compare, damaged_records_are_refused) {
    static const struct {
        const char *file, *old, *new, *said;
    } cases[] = {
        {"machine.json", "{", "", "machine.json:"},
        {"machine.json", "\"springback_machine\": 1", "\"springback_machine\": 2", "the supported version"},
        {"machine.json", "\"name\": \"good\",", "", "'name' is missing; expected a text"},
        {"machine.json", "\"floors\": [", "\"floors\": [1", "'device' is missing"},
        {"machine.json", "\"floors\": [", "\"floors\": [{\"device\":\"\",\"copy\":-1}",
         "the hardware limit 'copy' is neither"},
        {"machine.json", "\"floors\": [", "\"floors\": [{\"device\":\"\",\"copy\":[0]}", "not a number above 0"},
        {"machine.json", "\"floors\": [", "\"flors\": [],\"floors\": [", "unknown key 'flors'"},
        {"machine.json", "\"floors\": [", "\"floors\": [{\"device\":\"\",\"threads\":-1}",
         "'threads' is not a whole number from 0"},
        {"machine.json", "\"floors\": [", "\"floors\": [{\"device\":\"\",\"threads\":1.5}",
         "'threads' is not a whole number"},
        {"machine.json", "\"floors\": [", "\"reported\": [" REPORTED "[30,40,50]}],\"floors\": [",
         "'frames_per_second' is not [low, high]"},
        {"machine.json", "\"floors\": [", "\"reported\": [" REPORTED "[\"30\",40]}],\"floors\": [",
         "'frames_per_second' is not [low, high]"},
        {"machine.json", "\"name\"", "\"name\": \"a\\u0000b\", \"name\"", "machine.json:"},
        {"paper/cloth.json", "\"environment\":0", "\"environment\":0.5", "'environment' is not a whole number"},
        {"paper/cloth.json", "\"environments\": [", "\"environments\": [1,", "an environment is not an object"},
        {"paper/cloth.json", "\"count\":24", "\"count\":24.5", "'count' is not a whole number"},
        {"paper/cloth.json", "\"count\":24", "\"count\":9007199254740993", "'count' is not a whole number from 1"},
        {"paper/cloth.json", "\"frames\":[0,", "\"frames\":[0.0,", "are not increasing whole numbers"},
        {"paper/cloth.json", "\"repeats\":[[", "\"repeats\":[5,[", "a repeat is not a list of samples"},
        {"paper/cloth.json", "\"last\":[", "\"last\":[\"1\",", "is neither a number nor null"},
        {"paper/cloth.json", "\"defaulted\": [", "\"defaulted\": [1,", "an item of 'defaulted' is not a text"},
        {"paper/cloth.json", "\"timing\":", "\"timings\":", "unknown key 'timings'"},
        {"paper/cloth.json", "{", "[", "cloth.json:"},
        {"paper/cloth.json", "\"springback_runs\": 1", "\"springback_runs\": \"1\"",
         "'springback_runs' is not a number"},
        {"paper/cloth.json", "\"environment\":0", "\"environment\":7", "has environment 7, but there are only"},
        {"paper/cloth.json", "\"environment\":0", "\"environment\":-1", "'environment' is not a whole number from 0"},
        {"paper/cloth.json", "\"frames\":[0,", "\"frames\":[3,", "are not increasing whole numbers"},
        {"paper/cloth.json", "\"frames\":[0,", "\"frames\":[", "has 4 frames, but 5 hashes"},
        {"paper/cloth.json", "\"hashes\":[\"", "\"hashes\":[\"x", "is not 32 hexadecimal digits"},
        {"paper/cloth.json", "\"median\":", "\"median\":-", "a timing does not have 0 < 'low' <= 'median' <="},
        {"paper/cloth.json", "\"count\":24", "\"count\":3", "has more samples than its 'count' says"},
        {"paper/cloth.json", "\"repeats\":[[", "\"repeats\":[[-1,", "a sample is not a number above 0"},
        {"paper/cloth.json", "\"series\": [[", "\"series\": [[1,", "a series is not a pair of name and unit"},
        {"paper/cloth.json", "\"runs\": [", "\"runs\": [1,", "a run is not an object"},
        {"paper/cloth.json", "\"parameters\": {", "\"parameters\": {\"x\":1,", "'x' is not a text"},
    };
    run_into("a", "-b serial");
    shell("\"$S\" record --name good --out records a");
    expect_code(0);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        shell("rm -rf records/bad && cp -r records/good records/bad");
        char *path = text_format("records/bad/%s", cases[c].file);
        change(path, cases[c].old, cases[c].new);
        struct machine machine;
        failure_clear();
        cr_expect_eq(machine_read("records/bad", &machine), STATUS_BAD, "%s", cases[c].new);
        cr_expect(strstr(failure_text(), cases[c].said) && strstr(failure_text(), cases[c].file), "%s: %s",
                  cases[c].new, failure_text());
        machine_free(&machine);
        free(path);
    }
    shell("rm -rf records/bad && cp -r records/good records/bad && : >records/bad/paper/cloth.json && \"$S\" compare a "
          "records/bad");
    expect_code(2);
    expect_err("cloth.json:");
}
