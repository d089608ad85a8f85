/* The output for claims: a table, JSON, commands, and variables for gnuplot. */
#include "claim_fixture.h"

TestSuite(claim_report, .init = setup, .fini = teardown);

Test(claim_report, changed_verdict) {
    add((struct sketch){.id = "a"});
    struct claim_report report =
        judge("- {id: a, says: b, kind: count, from: {experiment: paper/speed, quantity: nodes}, "
              "reported: 99, recorded: matches}");
    cr_assert_eq(claim_report_status(&report, false), STATUS_CHANGED);
    cr_assert_eq(claim_report_status(&report, true), STATUS_CHANGED, "the claim uses no timings, so its change counts");
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

Test(claim_report, changed_speed) {
    add_speeds();
    struct claim_report report = judge("- {id: a, says: b, kind: ratio, " RATIO ", reported: 61, recorded: matches}");
    cr_assert_eq(claim_report_status(&report, false), STATUS_CHANGED);
    cr_assert_eq(claim_report_status(&report, true), STATUS_OK);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    claim_report_print_changed(&report, out);
    fclose(out);
    cr_assert_str_eq(text, "CHANGED: a: shape only, was: matches (a timing)\n");
    free(text);
    claim_report_free(&report);
}

static int columns_of(const char *line, size_t bytes) {
    int columns = 0;
    for (size_t i = 0; i < bytes; i++)
        columns += ((unsigned char)line[i] & 0xc0) != 0x80;
    return columns;
}

Test(claim_report, table_fits_any_width) {
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
        cr_assert_null(strchr(text, '\033'), "a table for a file must have no colours");
        cr_assert_not_null(strstr(text, "shape only"));
        cr_assert_not_null(strstr(text, "größer"));
        free(text);
    }
    claim_report_free(&report);
}

Test(claim_report, json_parses_back) {
    add_speeds();
    for (int r = 0; r < set.run_count; r++)
        parameters[r][2].origin = parameters[r][4].origin = "assumed";
    notes[4][3].value = "device \"\xff\\";
    struct claim_report report = judge("- {id: a, says: \"\\\"quoted\\\"\\n\", where: x, kind: ratio, " RATIO
                                       ", reported: 61, recorded: differs}\n"
                                       "- {id: b, says: b, kind: consistency, finding: f, verdict: differs}\n");
    ((char *)report.results[1].why)[0] = '\xff'; /* not UTF-8 */
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
    cr_assert_eq(json_array_size(json_object_get(first, "traces")), 6, "the run on threads is not part of the ratio");
    cr_assert_str_eq(json_string_value(json_array_get(json_object_get(first, "traces"), 0)), "paper/speed s1");
    cr_assert_eq(json_array_size(json_object_get(first, "files")), 6);
    cr_assert_str_eq(json_string_value(json_array_get(json_object_get(first, "files"), 0)), "memory");
    cr_assert_str_eq(json_string_value(json_object_get(first, "experiment")), "paper/speed");
    const json_t *assumptions = json_object_get(first, "assumptions");
    cr_assert_eq(json_array_size(assumptions), 2, "each value is reported once, even if several traces assume it");
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

/* The summary has a row for each headline claim: its short sentence, and the difference from the printed value. Then
 * claim_result_print prints everything about one claim, its sentence first. */
Test(claim_report, first_screen_and_one_claim) {
    add((struct sketch){.id = "a", .status = "diverged"});
    struct claim_report report =
        judge("- {id: paper.a, says: it has ninety nodes in all, short: ninety nodes, headline: true, kind: count, "
              "from: {experiment: paper/speed, quantity: nodes}, reported: 90}\n"
              "- {id: paper.b, says: it is stable, headline: true, kind: capability, "
              "from: {experiment: paper/speed, quantity: diverged}, expect: no}\n"
              "- {id: paper.c, says: no headline, kind: consistency, compute: '6', reported: 3}\n");
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    claim_summary_print(&report, false, out, 120);
    claim_result_print(&report.results[2], out, 80);
    fclose(out);
    static const char *const lines[] = {" 1 ninety nodes",
                                        " 90      100 ",
                                        "differs: 11 % more than printed\n",
                                        " 2 it is stable",
                                        "differs: worse than printed\n",
                                        "\nno headline\n",
                                        "  verdict    differs: 2 times more than printed\n"};
    for (size_t l = 0; l < sizeof lines / sizeof *lines; ++l)
        cr_expect(strstr(text, lines[l]), "%s is not in:\n%s", lines[l], text);
    cr_expect_not(strstr(text, " 3 no headline"), "%s", text);
    free(text);
    claim_report_free(&report);
}

/* The command that judges a claim about the number of nodes again, and the files of the claim's traces, one on each
 * line; newly allocated. `select` is the end of the claim's `from`. */
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

/* If a claim uses one run, its command names the run's id. If a claim uses several runs, the command names the parts
 * that all ids of these runs have, and that at least one other run's id lacks. Words are quoted for the shell. */
Test(claim_report, commands_take_the_runs_of_a_claim) {
    add((struct sketch){.id = "step=1,stiffness=1 N,backend=serial", .stiffness = "1 N/m"});
    add((struct sketch){.id = "step=1,stiffness=2,backend=serial", .stiffness = "2 N/m"});
    add((struct sketch){.id = "step=1,stiffness=2,backend=threads", .stiffness = "2 N/m", .kind = "threads"});
    add((struct sketch){.id = "it's", .stiffness = "3 N/m", .step = "0.002 s"});
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
                                  "check %s --about paper/speed%s",
                                  cases[c].options, path, cases[c].files);
        cr_expect_str_eq(said, meant);
        free(meant);
        free(said);
    }
}

/* The report has the title and the DOI of the claim file. */
Test(claim_report, a_paper_is_told) {
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
    write_text("springback: 1\npaper: p\ntitle: What\nauthors: [Ada A, Bo B]\npublished: Here 1, 2020\nclaims:\n"
               "- {id: a, says: b, kind: consistency, finding: f, verdict: differs}\n");
    cr_assert_eq(claims_judge(path, &set, NULL, &report), STATUS_OK, "%s", failure_text());
    cr_assert_str_eq(report.title, "Ada A, Bo B: What, Here 1, 2020");
    claim_report_free(&report);
}

Test(claim_report, those_about_some_experiments) {
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
    cr_expect_eq(report.count, 4, "if no experiment is named, all claims are judged");
    claim_report_free(&report);
}

Test(claim_report, gnuplot_variables) {
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

Test(claim_report, numbers_as_they_are_shown) {
    static const struct {
        double number;
        const char *unit, *text;
    } table[] = {{3008, "1", "3008"},         {0.25, "m", "0.25 m"},         {-0.0, "J", "0 J"},
                 {1, "yes or no", "blew up"}, {INFINITY, "s", "none"},       {NAN, "1", "not a number"},
                 {-NAN, "J", "not a number"}, {1.23456e-7, "1", "1.235e-07"}};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        cr_expect_str_eq(number_text(table[t].number, table[t].unit).text, table[t].text);
    }
}
