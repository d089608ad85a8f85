/* springback fit: which claims of a paper can hold together, in one set-up. */
#include "shell.h"

#include <jansson.h>
#include <sys/stat.h>

TestSuite(fit, .init = shell_begin, .fini = shell_end);

/* Write two experiments of a paper that share an assumption, the mass of a node. The claims use the kinetic energy,
 * after three steps of 10 ms in two/a and after two steps in two/b. */
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

Test(fit, fit_says_what_can_hold_together) {
    write_pair();
    shell("\"$S\" fit two");
    expect_code(2);
    expect_err("paper_checks/two.yaml: no up-to-date sweep below data/sweeps judges a claim of this paper");
    shell("\"$S\" sensitivity -q -n 16 -p 40 --out out experiments/two/[ab].yaml >/dev/null && \"$S\" fit --json two");
    expect_code(0);
    json_error_t error;
    json_t *object = json_loads(said.out, 0, &error);
    cr_assert_not_null(object, "%s: %s", error.text, said.out);
    /* Count the admissible and the other members of two/a, the only experiment with a condition under `admissible:`. */
    shell("awk -F'\\t' 'NR > 1 && !/^noise/ {n++; if (/rejected/) r++} END {print n - r, r}' "
          "out/two/a/sensitivity.tsv");
    char *counts = text_format("%lld %lld\n", json_integer_value(json_object_get(object, "setups")),
                               json_integer_value(json_object_get(object, "left_out")));
    cr_expect_str_eq(said.out, counts);
    free(counts);
    cr_expect_eq(json_integer_value(json_object_get(object, "claims")), 4,
                 "only result claims and headline claims are counted");
    const json_t *best = json_object_get(object, "best"), *apart = json_object_get(object, "apart"),
                 *nowhere = json_object_get(object, "nowhere");
    cr_expect_eq(json_integer_value(json_object_get(best, "holding")), 2);
    cr_expect_eq(json_integer_value(json_object_get(best, "headlines")), 1,
                 "if the same number of claims holds in several set-ups, one with a headline claim is chosen");
    cr_expect_str_eq(json_string_value(json_object_get(best, "kind")), "possible");
    cr_expect_str_eq(text_at(json_object_get(best, "holds"), 0), "two.heavy");
    cr_assert_eq(json_array_size(apart), 1);
    cr_expect_str_eq(text_at(json_array_get(apart, 0), 0), "two.heavy");
    cr_expect_str_eq(text_at(json_array_get(apart, 0), 1), "two.light");
    cr_assert_eq(json_array_size(nowhere), 1);
    cr_expect_str_eq(text_at(nowhere, 0), "two.hovers");
    json_decref(object);
    /* The text output has the same content, and the script fit.sh runs the best set-up. */
    shell("\"$S\" fit two -o fit.sh");
    expect_code(0);
    expect_out("two: 4 headline and result claims, in ");
    expect_out(" set-ups of 2 experiments. ");
    expect_out("the largest number of claims holds in the set-up possible ");
    expect_out(": 2 of 4\n  two/a: --set 'body.node_mass=");
    expect_out("claims that hold in no set-up:\n  two.hovers\n"
               "pairs of claims that hold in some set-ups, but never together:\n  two.heavy (in ");
    shell("mkdir -p bin && ln -sf \"$S\" bin/springback && "
          "PATH=$PWD/bin:$PATH sh -e fit.sh");
    expect_code(0);
    expect_out("two.heavy");
    /* Members of two experiments with different values of a shared assumption cannot be joined to a set-up. */
    shell(
        "cp -r data kept && xz -dc data/sweeps/two/b.tsv.xz | sed '/^member\tlikely\t3\t/s/\t[0-9.]* kg/\t1.25 kg/' | "
        "xz >t.xz && mv t.xz data/sweeps/two/b.tsv.xz && \"$S\" fit two; rm -r data; mv kept data");
    expect_code(0);
    expect_out(" other set-ups are not admissible or did not run in one of the experiments. In 1 more, the experiments "
               "have different values of a shared "
               "assumption.");
    /* A table whose ranges differ from those of the experiment file is left out. */
    shell("sed -i 's/-9.9 m/-9.95 m/' experiments/two/b.yaml && \"$S\" fit two");
    expect_code(0);
    expect_out("two: 1 headline and result claims, in ");
    expect_out("two/b is left out: its table does not match the experiment file; run springback sensitivity\n");
    shell("\"$S\" fit two --json");
    expect_out("\"outdated\":[\"two/b\"]");
    /* Wrong input is refused. */
    static const char *const wrong[][2] = {{"fit", "no paper given"},
                                           {"fit nowhere", "paper_checks/nowhere.yaml"},
                                           {"fit two two -o x", "--output needs exactly one paper"},
                                           {"fit two -o ''", "--output: the file's name is empty"},
                                           {"fit two --sweeps nowhere", "no up-to-date sweep below nowhere judges"}};
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; ++w) {
        shell("\"$S\" %s", wrong[w][0]);
        expect_code(2);
        expect_err(wrong[w][1]);
    }
    shell("echo x | xz >data/sweeps/two/a.tsv.xz; \"$S\" fit two");
    expect_code(2);
    expect_err("data/sweeps/two/a.tsv.xz:1:1: ");
}

#define SEARCH "\"$S\" fit two -q --out out --search %d --seconds %d"

/* The heaviest cloth of the tables is too light for one claim. A search finds a heavier cloth, with the same mass in
 * both experiments. */
Test(fit, a_search_finds_a_kinder_set_up) {
    write_pair();
    shell("sed -i '/two.light/,+1d; s/> 0.9/> 0.5/' paper_checks/two.yaml && \"$S\" sensitivity -q -n 4 -p 0 --out out "
          "experiments/two/[ab].yaml >/dev/null && cp -r data kept && \"$S\" fit two");
    expect_code(0);
    expect_out("the largest number of claims holds in the set-up likely 0: 1 of 3\n");
    shell(SEARCH, 100, 10);
    expect_code(0);
    expect_out("two: a search of 100 set-ups varied 2 of 2 experiments; in the best set-up, 1 more claims are true "
               "together\n");
    expect_out("the largest number of claims holds in the set-up search ");
    expect_out(": 2 of 3\n  two/a: --set 'body.node_mass=");
    const char *mass[2] = {strstr(said.out, "  two/a: "), strstr(said.out, "  two/b: ")};
    for (int e = 0; e < 2; ++e)
        mass[e] = mass[e] ? strstr(mass[e], "body.node_mass=") : NULL;
    cr_assert(mass[0] && mass[1], "%s", said.out);
    cr_expect_eq(strncmp(mass[0], mass[1], strcspn(mass[0], "'")), 0, "%s", said.out);
    cr_expect(!matching("out/two/a/sensitivity") && !matching("out/two/b/sensitivity"));
    /* The tables now have the searched set-up: `fit` alone finds it, and its members can be verified. */
    char *first = text_copy(said.out);
    shell("\"$S\" fit two");
    expect_code(0);
    cr_expect_str_eq(said.out, strchr(first, '\n') + 1);
    free(first);
    /* A search that finds no better set-up is not repeated. */
    shell(SEARCH " && cp -r data made", 100, 10);
    expect_code(0);
    expect_out("in the best set-up, 0 more claims are true together\n");
    first = text_copy(said.out);
    shell(SEARCH " && cmp data/sweeps/two/a.tsv.xz made/sweeps/two/a.tsv.xz && "
                 "cmp data/sweeps/two/b.tsv.xz made/sweeps/two/b.tsv.xz",
          100, 10);
    expect_code(0);
    cr_expect_str_eq(said.out, first);
    free(first);
    shell("\"$S\" verify -q --out out --sample 1000 experiments/two/[ab].yaml");
    expect_code(0);
    /* Experiments that would take longer than --seconds are not searched. */
    shell("rm -r data; mv kept data; " SEARCH, 100, 0);
    expect_code(0);
    expect_out("two: a search of 0 set-ups varied 0 of 2 experiments; in the best set-up, 0 more claims");
    shell("\"$S\" fit two --search x");
    expect_code(2);
}
