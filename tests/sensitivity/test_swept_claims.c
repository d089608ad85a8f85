/* Results of sweeps: verdicts on claims, and the assumption on which they depend. */
#include "falling_cloth.h"

#include <jansson.h>

TestSuite(swept_claims, .init = shell_begin, .fini = shell_end);

static json_t *objects[8];

/* Run `springback sensitivity --json`, and store the objects that it prints. Returns their number. */
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
    cr_assert(false, "no object has the claim %s", claim);
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

/* Store the numbers of a table's column in `out`, and return how many there are. */
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

/* Expect `claim` to depend on the assumption `path`. `holds` is "above" or "below": on this side of a threshold, the
 * claim holds. `truth` is the true threshold. The reported threshold must be between the two values of the table that
 * are next to `truth`. */
static void expect_planted(const char *claim, const char *path, const char *table, const char *holds, double truth) {
    double values[256], below = -INFINITY, above = INFINITY;
    const json_t *split = item(claim, "split");
    cr_assert(json_is_object(split), "%s depends on nothing", claim);
    const int rows = column_of(table, path, values);
    for (int r = 0; r < rows; ++r) {
        below = values[r] <= truth && values[r] > below ? values[r] : below;
        above = values[r] > truth && values[r] < above ? values[r] : above;
    }
    const double threshold = json_number_value(json_object_get(split, "threshold"));
    cr_expect_str_eq(json_string_value(json_object_get(split, "path")), path);
    cr_expect_str_eq(json_string_value(json_object_get(split, "holds")), holds);
    cr_expect(threshold >= below && threshold < above, "%g is not from %g to %g", threshold, below, above);
    cr_expect_eq(json_number_value(json_object_get(split, "purity")), 1);
    cr_expect_lt(json_number_value(json_object_get(split, "chance")), 1e-6);
    const int members = whole(claim, "likely") + whole(claim, "possible"),
              holding = whole(claim, "likely_holding") + whole(claim, "possible_holding");
    cr_expect_eq(members + 8, rows, "the table must have these members and 8 noise members");
    cr_expect_eq((int)json_integer_value(json_object_get(split, "there")), holding);
}

Test(swept_claims, the_planted_assumption_and_threshold_are_found) {
    write_fall("steps", steps_and_mass);
    write_fall("pins", pins_too);
    write_fall("mass", only_mass);
    text_write("claims.yaml", claims);
    cr_assert_eq(sweep_objects("-n 60 -p 12 paper/steps.yaml"), 5);
    expect_planted("t.many-steps", "time.steps_per_frame", "out/paper/steps/sensitivity.tsv", "above", 12);
    expect_verdict("t.many-steps", "depends");
    expect_verdict("t.moves", "matches");
    expect_verdict("t.hovers", "not swept"); /* no search was run */
    cr_expect(json_is_null(item("t.moves", "split")) && whole("t.moves", "likely_holding") == 60);
    cr_expect(whole("t.moves", "likely") == 60 && whole("t.moves", "possible") == 12);
    cr_expect(strstr(json_string_value(item("t.fast", "left_out")), "timing"));
    cr_expect(strstr(json_string_value(item("t.stays-close", "left_out")), "a count of the body"));
    objects_free();
    /* A cloth that is pinned at its border does not fall; the other assumptions do not change this. The claim selects
     * runs by the chosen value of body.node_mass. */
    cr_assert_eq(sweep_objects("-n 24 -p 0 paper/pins.yaml"), 1);
    const json_t *split = item("t.falls", "split");
    cr_expect_str_eq(json_string_value(json_object_get(split, "path")), "body.cloth.pins");
    cr_expect_eq(json_number_value(json_object_get(split, "purity")), 1);
    expect_verdict("t.falls", "depends");
    objects_free();
    /* The claim holds in all likely members, but there are too few likely members for a verdict. */
    cr_assert_eq(sweep_objects("-n 16 -p 32 paper/mass.yaml"), 1);
    expect_planted("t.light", "body.node_mass", "out/paper/mass/sensitivity.tsv", "below",
                   0.3 / (2 * pow(9.8 * 0.03, 2)));
    cr_expect(whole("t.light", "likely_holding") == 16 && whole("t.light", "possible_holding") < 32);
    objects_free();
    /* The text output has the same content. */
    shell("\"$S\" sensitivity -n 16 -p 32 --claims claims.yaml --out out paper/mass.yaml");
    expect_code(0);
    expect_out("paper/mass: 16 likely and 32 possible set-ups of 2 assumptions, on serial, tier full\n");
    expect_out("  nothing to run: the table has all 56 runs\n");
    expect_out("  t.light  not swept         holds in 16 of 16 likely set-ups and in ");
    expect_out("body.node_mass: the claim holds in 36 of 36 set-ups with values below 1.655 kg (smallest: 0.1155 kg), "
               "and in 0 of 12 with values above 1.655 kg");
}

/* The verdicts of `check`, with and without a sweep. */
Test(swept_claims, check_judges_by_the_sweep) {
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
    expect_out("The claim holds in 0 of 60 likely set-ups and in 0 of 4 other possible ones. No search has been run "
               "for a set-up in which the claim holds.");
    shell("\"$S\" sensitivity -n 60 -p 4 -q --search 200 --claims claims.yaml --out out paper/steps.yaml >/dev/null && "
          "\"$S\" check claims.yaml --out out --json");
    static const char *const expected[][3] = {
        {"t.many-steps", "depends",
         "The claim depends most on time.steps_per_frame: the claim holds in 34 of 34 set-ups with values above 12 "
         "(largest: 184), and in 0 of 30 with values at most 12."},
        {"t.moves", "matches", "The claim holds in 60 of 60 likely set-ups and in 4 of 4 other possible ones."},
        {"t.hovers", "differs", "The claim holds in none of 60 likely, 4 possible and 200 searched set-ups."},
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
    /* The experiment paper/mass has no sweep, so the claim t.light is judged as before. */
    expect_out(light);
    free(light);
    shell("\"$S\" check claims.yaml --out out --verdict differs");
    expect_out("test: claims that runs decide\n");
    expect_out("\nt.hovers ");
    expect_no_out("t.moves");
    /* The tier quick now has fewer frames. The numbers in the output are still those of the sweep, of the tier full. */
    char *before = text_copy(strstr(said.out, "\nt.hovers"));
    before[strcspn(before + 1, "\n") + 1] = '\0';
    shell("echo 'tiers: {quick: {time.frames: 1}}' >>paper/steps.yaml && \"$S\" run -q --tier quick --out out "
          "paper/steps.yaml && \"$S\" check claims.yaml --out out --verdict differs");
    expect_out(before);
    expect_out("The numbers are those of the tier full, from the table of the sweep");
    free(before);
    shell("\"$S\" check claims.yaml --out out --verdict difers");
    expect_code(2);
    expect_err("--verdict: no verdict 'difers'; expected 'matches', ");
    expect_err("; did you mean differs?");
    /* This claim holds in only one of its two readings. */
    text_write("readings.yaml",
               "springback: 1\npaper: test\nclaims:\n"
               "  - {id: r.moves, says: it moves, kind: bound, expect: '> 0.001 m/s', headline: true,\n"
               "     from: {experiment: paper/steps, quantity: largest_speed, over_frames: max},\n"
               "     readings: [{says: from the start,\n"
               "                 from: {experiment: paper/steps, quantity: largest_speed, over_frames: min}}]}\n");
    shell("\"$S\" check readings.yaml --out out --json");
    expect_out("Of the likely set-ups, the claim holds in 60 by the first reading, in 0 by the reading ");
    expect_out("\"verdict\":\"depends\"");
    shell("mkdir paper_checks && cp readings.yaml paper_checks && \"$S\" check --out out; \"$S\" check 1 --out out; "
          "rm -r paper_checks");
    expect_out("depends on the reading: one holds in 60 of 60 set-ups");
    expect_out(" by the first reading, with our choice of values");
    expect_out(" by the reading \"from the start\"");
    shell("mkdir paper_checks && cp claims.yaml paper_checks/t.yaml && \"$S\" check 2 --out out --json | wc -l");
    expect_out("1\n");
    shell("\"$S\" check t 2 --out out; rm -r paper_checks");
    expect_err("a row number cannot be combined with other arguments, --about or --archive");
    /* First, all recorded verdicts agree with the sweep. Then one recorded verdict is changed. */
    shell("\"$S\" check claims.yaml --recorded --audit");
    expect_code(0);
    expect_out("7 claims; sweeps decide 3 of them; 0 recorded verdicts contradict their sweep\n");
    shell("sed -i '/t.hovers/,/t.stays/s/recorded: differs/recorded: depends/' claims.yaml && "
          "\"$S\" check claims.yaml --recorded --audit");
    expect_code(1);
    expect_out("t.hovers: recorded 'depends', but the sweep gives 'differs': the claim holds in none of 60 likely, ");
    expect_out("1 recorded verdicts contradict their sweep\n");
    shell("\"$S\" check claims.yaml --recorded --json");
    expect_code(0);
    expect_out(
        "{\"id\":\"t.moves\",\"class\":\"result\",\"fact\":\"t.moves\",\"headline\":false,\"verdict\":\"matches\","
        "\"holds\":64,\"members\":64,\"share\":1.0,\"explained\":null}");
    expect_out(
        "{\"id\":\"t.light\",\"class\":\"result\",\"fact\":\"t.light\",\"headline\":false,\"verdict\":\"depends\","
        "\"holds\":null,\"members\":null,\"share\":null,\"explained\":null}");
    /* A claim about another frame is added after the sweep. The sweep has no number for this claim. */
    shell("echo '  - {id: t.later, where: here, says: later, kind: bound, expect: \"> 0.001 m/s\", from: {experiment: "
          "paper/steps, quantity: largest_speed, over_frames: {at: 20 ms}}}' >>claims.yaml && "
          "\"$S\" check claims.yaml --out out --json");
    later = strstr(said.out, "{\"id\":\"t.later\"");
    cr_assert_not_null(later);
    cr_expect(strstr(later, "\"verdict\":\"not swept\"") &&
                  strstr(later, "The claim has no verdict with the chosen values."),
              "%s", later);
    /* A sweep of other ranges decides nothing, and `check` reports this. The verdicts that an earlier `check` stored
     * are then not used. */
    shell("\"$S\" check claims.yaml --out out --experiments . --json");
    expect_out("The claim holds in 60 of 60");
    shell("cp paper/steps.yaml kept && sed -i 's/\\[1, 200\\]/[1, 201]/' paper/steps.yaml && "
          "\"$S\" check claims.yaml --out out --experiments . --json");
    expect_code(1);
    expect_out("Other values that the paper allows were not tried: the table of the sweep does not match the "
               "experiment file; run springback sensitivity");
    expect_no_out("The claim holds in 60");
    shell("\"$S\" check claims.yaml --recorded --audit --experiments .; cp kept paper/steps.yaml");
    expect_out("8 claims; sweeps decide 0 of them; 0 recorded verdicts contradict their sweep\n"
               "paper/steps: the table of its sweep is not used, because the table belongs to an older version");
    /* A sweep of other values decides nothing, and `check` reports this. */
    shell(
        "sed -i 's/value: 20/value: 30/' paper/steps.yaml && \"$S\" run -q --tier quick --out out paper/steps.yaml && "
        "\"$S\" check claims.yaml --out out --json");
    expect_code(1);
    expect_out("the table of the sweep does not match the runs; run springback sensitivity");
    expect_no_out("The claim holds in 60");
    shell("echo nonsense | xz >data/sweeps/paper/steps.tsv.xz; \"$S\" check claims.yaml --out out");
    expect_code(2);
    expect_err("data/sweeps/paper/steps.tsv.xz:1:1: invalid table of a sweep: an unknown first word");
}

#ifdef SPRINGBACK_PREPARE
/* An archive contains the table of its sweep. In any folder, the claims of the archive are judged by this table. */
Test(swept_claims, an_archive_brings_its_sweeps) {
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
          "\"$S\" archive --file a.tar.gz --claims claims.yaml --out out && tar -tzf a.tar.gz");
    expect_code(0);
    expect_out("data/sweeps/paper/steps.tsv.xz\n");
    expect_out("experiments/paper.yaml\n");
    shell("rm -r data experiments out && \"$S\" check --archive a.tar.gz");
    expect_code(0);
    expect_out("depends");
    expect_out("a.tar.gz: complete; all 1 verdicts are as archived");
}
#endif
