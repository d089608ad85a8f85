/* The claim files of this repository, paper_checks/. */
#include "claim_fixture.h"

TestSuite(ledger, .init = setup, .fini = teardown);

static const char *const papers[] = {"va2022", "va2023", "lee2022", "cetinaslan2019", "springback"};
static const char *const ledgers[] = {SOURCE_DIR "/paper_checks/va2022.yaml", SOURCE_DIR "/paper_checks/va2023.yaml",
                                      SOURCE_DIR "/paper_checks/lee2022.yaml",
                                      SOURCE_DIR "/paper_checks/cetinaslan2019.yaml",
                                      SOURCE_DIR "/paper_checks/springback.yaml"};
enum { LEDGERS = sizeof ledgers / sizeof *ledgers };

/* Without runs, the paper's own arithmetic is judged. All other claims get the verdict "not run" or "not testable
 * here". */
Test(ledger, papers_without_runs) {
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

/* Whether the id of a claim is the first `size` characters of `name`, or begins with these characters and a dot. */
static bool is_claim(const struct claim_file files[LEDGERS], const char *name, size_t size) {
    for (int f = 0; f < LEDGERS; f++)
        for (int i = 0; i < files[f].count; i++) {
            const char *id = files[f].claims[i].id;
            if (!strncmp(id, name, size) && (!id[size] || id[size] == '.'))
                return true;
        }
    return false;
}

/* Check that all claims that a text names exist. A text names a claim by its id, or by the first parts of the id, which
 * begins with the paper's name and a dot. Returns the number of names. */
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

/* Each claim that a document or a reason names must exist. Each experiment that a claim uses must exist. */
Test(ledger, claims_and_experiments_that_are_named_exist) {
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
        /* If a document states the number of claims, as in "is one of 193", the number must be correct. */
        const char *number = strstr(text, "is one of ");
        for (int f = 0; f < LEDGERS && number; f++) {
            char *name = text_format("/docs/%s.md", files[f].paper);
            if (strstr(documents[d], name))
                cr_expect_eq(strtol(number + strlen("is one of "), NULL, 10), files[f].count,
                             "%s: the number of claims is %d", documents[d], files[f].count);
            free(name);
        }
        numbered += number != NULL;
        free(text);
    }
    cr_expect_geq(numbered, 2);
    for (int f = 0; f < LEDGERS; f++)
        claim_file_free(&files[f]);
}
