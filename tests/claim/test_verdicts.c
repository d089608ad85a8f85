/* verdicts.json: claims are judged once, and again after a change of anything that they depend on. */
#include "claim/claim.h"
#include "claim_fixture.h"

static char kept[96];

static void begin(void) {
    setup();
    set.folder = folder;
    snprintf(kept, sizeof kept, "%s/verdicts.json", folder);
    add((struct sketch){.id = "a", .nodes = "10 10", .seconds = {0.5}});
    write_claims("- {id: a, says: b, where: Sec. 1, kind: bound, from: {experiment: paper/speed, "
                 "quantity: frame_seconds}, expect: '> 0.1 s', recorded: differs}\n"
                 "- {id: c, says: d, kind: consistency, reported: 3, compute: 1 + 1}\n");
}

static void end(void) {
    unlink(kept);
    teardown();
}

TestSuite(verdicts, .init = begin, .fini = end);

static struct claim_report take(const struct claim_scope *scope) {
    struct claim_report report;
    const char *files[] = {path};
    cr_assert_eq(verdicts_of(files, 1, &set, scope, &report), STATUS_OK, "%s", failure_text());
    return report;
}

/* What `check --json` prints for this report, newly allocated. */
static char *json_of(const struct claim_report *report) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    claim_report_json(report, out);
    fclose(out);
    return text;
}

/* Replace a text in verdicts.json by another text of the same length. */
static void forge(const char *from, const char *to) {
    char *text;
    cr_assert_eq(file_read(kept, &text), STATUS_OK);
    char *at = strstr(text, from);
    cr_assert_not_null(at, "%s: %s", from, text);
    memcpy(at, to, strlen(to));
    cr_assert_eq(file_write(kept, text), STATUS_OK);
    free(text);
}

/* The verdict on the second claim. The correct verdict is "differs"; a forged one may be "matches". */
static enum verdict second(void) {
    struct claim_report report = take(NULL);
    cr_assert_eq(report.count, 2);
    const enum verdict verdict = report.results[1].verdict;
    claim_report_free(&report);
    return verdict;
}

Test(verdicts, what_is_read_is_what_was_judged) {
    struct claim_report judged = take(NULL), read = take(NULL);
    cr_assert_not_null(judged.claims);
    cr_assert_null(read.claims, "the claims were judged again");
    char *before = json_of(&judged), *after = json_of(&read);
    cr_assert_str_eq(before, after);
    cr_assert_eq(claim_report_status(&read, false), claim_report_status(&judged, false));
    cr_assert_str_eq(read.paper, "paper");
    claim_report_free(&judged);
    claim_report_free(&read);
    free(before);
    free(after);
}

/* Whether the claims are judged again, instead of being read from the file. */
static bool is_judged_again(void) {
    struct claim_report report = take(NULL);
    const bool is_judged = report.claims != NULL;
    claim_report_free(&report);
    return is_judged;
}

Test(verdicts, they_are_judged_again_if_claims_or_results_change) {
    cr_assert(is_judged_again());
    cr_assert_not(is_judged_again());
    char *below = text_format("%s/paper/speed", folder), *table = text_format("%s/runs.tsv", below);
    cr_assert_eq(folder_make(below), STATUS_OK);
    cr_assert_eq(file_write(table, "id\tstatus\ttrace\tkey\tplan\treason\tparameters\n"
                                   "b\tfailed\t-\t-\t-\tno reason\t{}\n"),
                 STATUS_OK);
    cr_assert(is_judged_again());
    cr_assert_not(is_judged_again());
    write_claims("- {id: a, says: b, kind: consistency, reported: 2, compute: 1 + 1}\n"
                 "- {id: c, says: d, kind: consistency, reported: 3, compute: 1 + 1}\n");
    cr_assert(is_judged_again());
    temporary_remove(below);
    free(below);
    free(table);
}

Test(verdicts, a_verdict_that_was_altered_in_the_file_is_not_believed) {
    cr_assert_eq(second(), VERDICT_DIFFERS);
    forge("\"verdict\": \"differs\"", "\"verdict\": \"matches\"");
    cr_assert_eq(second(), VERDICT_DIFFERS);
}

Test(verdicts, a_damaged_file_is_not_believed) {
    static const char *const forged[][2] = {
        {"\"verdict\": \"differs\"", "\"verdict\": \"dIffers\""},
        {"\"timed\": false", "\"timed\": 12345"},
        {"\"why\": ", "\"Why\": "},
        {"\"traces\": [", "\"Traces\": ["},
        {"\"says\": \"b\"", "\"says\": \"\033\""},
        {"{", "["},
    };
    for (size_t f = 0; f < sizeof forged / sizeof *forged; ++f) {
        cr_assert_eq(second(), VERDICT_DIFFERS);
        forge(forged[f][0], forged[f][1]);
        struct claim_report report = take(NULL);
        cr_assert_not_null(report.claims, "%s", forged[f][1]);
        claim_report_free(&report);
    }
    cr_assert_eq(failure_count(), 0, "%s", failure_text());
}

Test(verdicts, those_of_a_part_are_not_kept) {
    const char *const named[] = {"paper/other"};
    struct claim_report report = take(&(struct claim_scope){named, 1});
    cr_assert_eq(report.count, 0);
    claim_report_free(&report);
    cr_assert_not(file_exists(kept));
}

Test(verdicts, results_that_do_not_stay_are_judged_each_time) {
    set.is_temporary = true;
    cr_assert_eq(second(), VERDICT_DIFFERS);
    cr_assert_not(file_exists(kept));
    set.is_temporary = false;
}
