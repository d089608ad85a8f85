/* Claim files with mistakes. All mistakes of a file are reported together, with their places. */
#include "claim/quantity_list.h"
#include "claim_fixture.h"
#include "method/method.h"

TestSuite(claim_file, .init = setup, .fini = teardown);

/* Check that a file has exactly these mistakes. Each mistake is given as its place and a part of its message. */
static void expect_mistakes(const char *text, int count, const char *const mistakes[]) {
    struct claim_report report;
    write_text(text);
    failure_clear();
    cr_assert_eq(claims_judge(path, &set, NULL, &report), STATUS_BAD, "%s", text);
    cr_assert_eq(report.count, 0);
    claim_report_free(&report);
    for (int m = 0; m < count; m++) {
        char *whole = text_format("%s%s", path, mistakes[m]);
        cr_assert_not_null(strstr(failure_text(), whole), "expected: %s\nin: %s", whole, failure_text());
        free(whole);
    }
    cr_assert_eq(failure_count(), count, "%s", failure_text());
}

#define HEAD "springback: 1\npaper: p\nclaims:\n"

Test(claim_file, all_mistakes_at_once_with_their_places) {
    expect_mistakes(HEAD "- {id: a, says: b, kind: cuont}\n"
                         "- {id: a, say: b, kind: count, from: {experiment: e, quantity: springs}, reported: 1}\n"
                         "- id: b\n"
                         "  says: c\n"
                         "  kind: bound\n"
                         "  from: {experiment: e, quantity: springs, over_frames: mxa}\n"
                         "  expect: about 30\n",
                    6,
                    (const char *const[]){
                        ":4:26: there is no kind cuont; did you mean count?",
                        ":5:11: a claim has no key say; did you mean says?",
                        ":5:3: this claim has no key `says`; every claim needs the keys `id`, `says` and `kind`",
                        ":5:8: the id a is also the id of the claim at line 4",
                        ":9:57: `over_frames` is mxa; did you mean max?",
                        ":10:11: `expect` is \"about 30\"",
                    });
}

Test(claim_file, each_mistake) {
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
         ":4:48: compute: the result of 1/n is not finite"},
        {"{id: a, says: b, kind: consistency, compute: n, with: {n: x}, reported: 1}",
         ":4:61: n: \"x\" is not a number"},
        {"{id: a, says: b, kind: count, from: {experiment: e, quantity: springs}, reported: many}",
         ":4:85: `reported` is \"many\""},
        {"{id: a, says: b, kind: value, from: {experiment: e, quantity: springs}, reported: 7 to 6 1/s}",
         ":4:85: `reported` is \"7 to 6 1/s\"; write the smaller number of a range first"},
        {"{id: a, says: b, kind: value, from: {experiment: e, quantity: springs}, reported: 7 to many}",
         ":4:85: `reported` is \"7 to many\"; write the number"},
        {"{id: a, says: b, kind: count, from: {experiment: e, quantity: springs}, reported: 7 to 8}",
         ":4:85: `reported` is a range; a count is one number"},
        {"{id: a, says: b, kind: count, from: {experiment: e, quantity: springs}, reported: '5,242'}",
         ":4:85: `reported` is \"5,242\""},
        {"{id: a, says: b, kind: count, from: {experiment: e, quantity: springs}}",
         ":4:3: a claim of the kind count needs the key `reported`"},
        {"{id: a, says: b, kind: count, from: {quantity: springs}, reported: 1}", ":4:39: `from` has no experiment"},
        {"{id: a, says: b, kind: count, from: {experiment: e}, reported: 1}",
         ":4:39: `from` needs either the key `quantity`"},
        {"{id: a, says: b, kind: count, from: {experiment: e, quantty: q, quantity: springs}, reported: 1}",
         ":4:55: from has no key quantty; did you mean quantity?"},
        {"{id: a, says: b, kind: count, from: {experiment: e, quantity: springs}, reported: 1, scales: {t: 1}}",
         ":4:88: a claim of the kind count cannot have the key `scales`"},
        {"{id: a, says: b, kind: value, from: {experiment: e, quantity: springs}, reported: 1, tolerance: {relative: 5 "
         "%}}",
         ":4:99: the tolerance has no reason"},
        {"{id: a, says: b, kind: value, from: {experiment: e, quantity: springs}, reported: 1, why: w, tolerance: "
         "{relative: 5 m}}",
         ":4:107: tolerance: \"5 m\" has the unit m"},
        {"{id: a, says: b, kind: value, from: {experiment: e, quantity: springs}, reported: 1, why: w, tolerance: "
         "{relative: 5 %, absolute: 1}}",
         ":4:107: tolerance must have one of the keys relative and absolute"},
        {"{id: a, says: b, kind: order, from: {experiment: e, quantity: springs}, expect: a < b}",
         ":4:83: an order of names needs from: {compare"},
        {"{id: a, says: b, kind: order, from: {experiment: e, quantity: springs, compare: x}, expect: a < b > c}",
         ":4:95: `expect` is"},
        {"{id: a, says: b, kind: order, from: {experiment: e, quantity: springs, compare: x}, expect: a <}",
         ":4:95: `expect` is"},
        {"{id: a, says: b, kind: order, from: {experiment: e, quantity: springs}, expect: rises}",
         ":4:83: expect: rises needs from: {along"},
        {"{id: a, says: b, kind: shape, from: {experiment: e, quantity: springs}, reported: 1}",
         ":4:39: the kind shape needs along"},
        {"{id: a, says: b, kind: ratio, from: {experiment: e, quantity: springs}, reported: 1}",
         ":4:39: the kind ratio needs a numerator"},
        {"{id: a, says: b, kind: ratio, from: {experiment: e, quantity: springs, numerator: {a: b}}, reported: 1}",
         ":4:39: a ratio needs both"},
        {"{id: a, says: b, kind: capability, from: {experiment: e, quantity: springs}}",
         ":4:3: a capability needs the key `expect`"},
        {"{id: a, says: b, kind: count, from: {experiment: e, quantity: springs, over: {each: mean}}, reported: 1}",
         ":4:81: over: {each: ...} reduces the values of `each`"},
        {"{id: a, says: b, kind: count, from: {experiment: e, quantity: springs, over: {runs: last}}, reported: 1}",
         ":4:87: `runs` is last"},
        {"{id: a, says: b, kind: count, from: {experiment: e, quantity: springs, over: {runs: max, x: max}}, reported: "
         "1}",
         ":4:81: `over` has the key `runs` before x; write `runs` last"},
        {"{id: a, says: b, kind: consistency, finding: f, verdict: differs, recorded: {gpus: differs}}",
         ":4:80: recorded has no key gpus; did you mean gpu?"},
        {"{id: a, says: b, kind: consistency, finding: f, verdict: differs, recorded: {quick: differs, gpu: differs}}",
         ":4:87: `recorded` has keys for a tier and for a GPU"},
        {"{id: a, says: b, kind: consistency, finding: f, verdict: differs, recorded: {gpu: differs, full: differs}}",
         ":4:100: `recorded` has keys for a tier and for a GPU"},
        {"{id: a, id: b, says: b, kind: consistency, finding: f, verdict: differs}",
         ":4:11: the key id is here and at line 4, column 4"},
        {"{id: a, says: b, kind: consistency, finding: f, verdict: differs", ":"},
        {"{id: a.b-c, says: b, kind: consistency, finding: f, verdict: differs}\n- {id: a-b.c, says: b, kind: "
         "consistency, finding: f, verdict: differs}",
         ":5:8: the id a-b.c and that of the claim at line 4 give the same variable for the figures"},
        {"{id: a, says: b, kind: consistency, compute: '31,434,242', with: {n: 3}, reported: 1}",
         ":4:48: compute: the comma at character 3 is between two digits"},
        {"{id: a, says: b, kind: consistency, compute: '3,008*2', with: {n: 3}, reported: 1}",
         ":4:48: compute: the comma at character 2 is between two digits"},
        {"{id: a, says: b, kind: consistency, compute: 'max(1,740)', with: {n: 3}, reported: 1}",
         ":4:48: compute: the comma at character 6 is between two digits"},
        {"{id: a, says: b, kind: consistency, compute: 'sqrt(4), n', with: {n: 3}, reported: 1}",
         ":4:48: compute: \"sqrt(4), n\" has 2 results"},
        {"{id: a, says: b, kind: consistency, compute: 'n, n, n', with: {n: 3}, reported: 1}",
         ":4:48: compute: \"n, n, n\" has 3 results"},
        {"{id: a, says: b, kind: consistency, compute: n = 5, with: {n: 3}, reported: 1}",
         ":4:48: compute: character 3 is '='"},
        {"{id: a, says: b, kind: consistency, compute: n < 5, with: {n: 3}, reported: 1}",
         ":4:48: compute: character 3 is '<'"},
        {"{id: a, says: b, kind: consistency, compute: 'n ? 2 : 3', with: {n: 3}, reported: 1}",
         ":4:48: compute: character 3 is '?'"},
        {"{id: a, says: b, kind: consistency, compute: n && 1, with: {n: 3}, reported: 1}",
         ":4:48: compute: character 3 is '&'"},
        {"{id: a, says: b, kind: consistency, compute: n || 1, with: {n: 3}, reported: 1}",
         ":4:48: compute: character 3 is '|'"},
        {"{id: a, says: b, kind: consistency, compute: '\"n\"', with: {n: 3}, reported: 1}",
         ":4:48: compute: character 1 is '\"'"},
        {"{id: a, says: b, kind: consistency, compute: 'n·2', with: {n: 3}, reported: 1}",
         ":4:48: compute: character 2 is not an ASCII character"},
        {"{id: a, says: b, kind: consistency, compute: _pi*n, with: {n: 3}, reported: 1}",
         ":4:48: compute: Unexpected token \"_pi"},
        {"{id: a, says: b, kind: consistency, compute: _e*n, with: {n: 3}, reported: 1}",
         ":4:48: compute: Unexpected token \"_e"},
        {"{id: a, says: b, kind: consistency, compute: log(n), with: {n: 3}, reported: 1}",
         ":4:48: compute: Unexpected token \"log"},
        {"{id: a, says: b, kind: consistency, compute: 'sum(n, 2)', with: {n: 3}, reported: 1}",
         ":4:48: compute: Unexpected token \"sum"},
        {"{id: a, says: b, kind: consistency, compute: 'max(n, 2, 4)', with: {n: 3}, reported: 1}",
         ":4:48: compute: Too many parameters"},
        {"{id: a, says: b, kind: consistency, compute: n, with: {n: 1}, reported: 1 740}",
         ":4:75: `reported` is \"1 740\""},
        {"{id: a, says: b, kind: consistency, compute: n, with: {n: 1}, reported: 1 or so}",
         ":4:75: `reported` is \"1 or so\""},
        {"{id: a, says: b, kind: consistency, compute: n, with: {n: 1}, reported: 1 % to 2 %}",
         ":4:75: `reported` is \"1 % to 2 %\""},
        {"{id: a, says: b, kind: consistency, compute: n, with: {n: 1}, reported: 5e-4294967290}",
         ":4:75: `reported` is \"5e-4294967290\""},
        {"{id: a, says: b, kind: bound, from: {experiment: e, quantity: springs}, expect: '=> 30'}",
         ":4:83: `expect` is"},
        {"{id: a, says: b, kind: bound, from: {experiment: e, quantity: springs}, expect: '=< 30'}",
         ":4:83: `expect` is"},
        {"{id: a, says: b, kind: bound, from: {experiment: e, quantity: springs}, expect: '> = 30'}",
         ":4:83: `expect` is"},
        {"{id: a, says: b, kind: bound, from: {experiment: e, quantity: springs}, expect: '>< 30'}",
         ":4:83: `expect` is"},
        {"{id: a, says: b, kind: bound, from: {experiment: e, quantity: springs}, expect: '== 30'}",
         ":4:83: `expect` is"},
        {"{id: a, says: b, kind: bound, from: {experiment: e, quantity: springs}, expect: '> 0x10'}",
         ":4:83: `expect` is"},
        {"{id: a, says: b, kind: order, from: {experiment: e, quantity: springs, compare: x}, expect: a <> b}",
         ":4:95: `expect` is"},
        {"{id: a, says: b, kind: order, from: {experiment: e, quantity: springs, compare: x}, expect: a => b}",
         ":4:95: `expect` is"},
        {"{id: a, says: b, kind: order, from: {experiment: e, quantity: springs, compare: x}, expect: a <- b}",
         ":4:95: `expect` is"},
        {"{id: a, says: b, kind: value, from: {experiment: e, quantity: springs}, reported: 1, why: w, tolerance: "
         "{absolute: inf}}",
         ":4:107: tolerance: absolute is \"inf\""},
        {"{id: a, says: b, kind: value, from: {experiment: e, quantity: springs}, reported: 1, why: w, tolerance: "
         "{absolute: 0x10}}",
         ":4:107: tolerance: absolute is \"0x10\""},
        {"{id: a, says: b, kind: value, from: {experiment: e, quantity: springs}, reported: 1, why: w, tolerance: "
         "{absolute: -1}}",
         ":4:107: tolerance: absolute is \"-1\""},
        {"{id: a, says: b, kind: value, from: {experiment: e, quantity: springs}, reported: 1, why: w, tolerance: "
         "{relative: -5 %}}",
         ":4:107: tolerance: relative is \"-5 %\""},
        {"word", ":4:3: a claim is a single value"},
        {"{id: a, says: b, kind: count, from: {experiment: p/../e, quantity: springs}, reported: 1}",
         ":4:52: experiment 'p/../e' has '.'; write it with letters"},
        {"{id: a, says: b, kind: count, from: {experiment: p/$(e), quantity: springs}, reported: 1}",
         ":4:52: experiment 'p/$(e)' has '$'; write it with letters"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *text = text_format(HEAD "- %s\n", table[i].claim);
        write_text(text);
        failure_clear();
        struct claim_report report;
        cr_assert_eq(claims_judge(path, &set, NULL, &report), STATUS_BAD, "%s", text);
        char *whole = text_format("%s%s", path, table[i].mistake);
        cr_assert_not_null(strstr(failure_text(), whole), "%s\nexpected: %s\nin: %s", text, whole, failure_text());
        claim_report_free(&report);
        free(whole);
        free(text);
    }
}

/* Quantities of these kinds are known: series of methods, the inner speed, notes, timings, keys of experiments, numbers
 * of meshes. */
Test(claim_file, an_unknown_quantity_is_told_with_the_nearest_and_the_list) {
    static const char *const known[] = {"residual",     "inner_speed",  "springs",
                                        "step_seconds", "method.young", "body_links"};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        AUTO_FREE char *text = text_format(
            HEAD "- {id: a, says: b, kind: count, from: {experiment: e, quantity: %s}, reported: 1}\n", known[k]);
        struct claim_file claims;
        write_text(text);
        cr_assert_eq(claim_file_read(path, &claims), STATUS_OK, "%s", failure_text());
        claim_file_free(&claims);
    }
    expect_mistakes(
        HEAD "- {id: a, says: b, kind: count, from: {experiment: e, quantity: larges_strain}, reported: 1}\n", 1,
        (const char *const[]){":4:65: unknown quantity larges_strain; did you mean "
                              "largest_strain? expected one of: kinetic_energy, elastic_energy, "});
    cr_expect_not_null(strstr(failure_text(), ", inner_speed, centre_x, "));
}

/* The reference manual has each quantity once for each meaning, with the methods that record it. */
Test(claim_file, the_manual_has_every_quantity_by_method) {
    AUTO_FREE char *manual = quantity_manual();
    for (const struct method *const *method = methods; *method; method++) {
        const struct body closed = {.is_closed = true};
        for (int q = 0; q < (*method)->quantity_count(&closed); q++) {
            AUTO_FREE char *row = text_format("\n| `%s` |", (*method)->quantities[q].name);
            bool has_method = false;
            for (const char *at = manual; (at = strstr(at, row)) && !has_method; at++) {
                AUTO_FREE char *line = text_format("%.*s", (int)strcspn(at + 1, "\n"), at + 1);
                has_method = strstr(line, "| all |") || strstr(line, (*method)->name);
            }
            cr_expect(has_method, "%s of %s", row, (*method)->name);
        }
    }
    cr_expect_not_null(strstr(manual, "\n| `constraint_error` |  | mean of \\|C\\| / rest over all springs"));
    cr_expect_not_null(strstr(manual, "| xpbd |\n"));
}

/* Formulas may have the operators and functions that docs/claims.md describes. */
Test(claim_file, formulas_have_these_operators_and_functions) {
    static const struct {
        const char *formula;
        double value;
    } table[] = {
        {"-n^2 + (2 + n)/5*1e1 - .5", 0.5},
        {"2^n^2", 512},
        {"min(n, 5) + max(1, 2)", 5},
        {"sqrt(16)", 4},
        {"ln(exp(n)) + log10(100) + log2(8)", 8},
        {"sin(0) + cos(0) + tan(0)", 1},
        {"asin(1)/acos(0) + atan(0)", 1},
        {"abs(-n) + rint(5.9956)", 9},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *text = text_format(
            HEAD "- {id: a, says: b, kind: consistency, compute: '%s', with: {n: 3}, reported: 1}\n", table[i].formula);
        struct claim_file claims;
        write_text(text);
        cr_assert_eq(claim_file_read(path, &claims), STATUS_OK, "%s", failure_text());
        cr_expect_float_eq(claims.claims[0].computed, table[i].value, 1e-12, "%s is %.17g", table[i].formula,
                           claims.claims[0].computed);
        claim_file_free(&claims);
        free(text);
    }
}

/* The length of a formula is limited, because muParser reads a formula of 20,000 characters or more as empty. */
Test(claim_file, a_formula_is_as_long_as_a_person_reads) {
    const int most = 2000, lengths[] = {most, most + 1, 40001};
    for (int i = 0; i < 3; i++) {
        const int depth = (lengths[i] - 1) / 2;
        char *formula = memory_new((size_t)lengths[i] + 1, 1);
        memset(formula, '(', (size_t)depth);
        memset(formula + depth, '1', (size_t)(lengths[i] - 2 * depth));
        memset(formula + lengths[i] - depth, ')', (size_t)depth);
        char *text = text_format(HEAD "- {id: a, says: b, kind: consistency, compute: %s, reported: 1}\n", formula);
        char *said = text_format(
            ":4:48: compute: the formula has %d characters; at most %d are allowed; write a shorter formula",
            lengths[i], most);
        struct claim_file claims;
        if (i > 0) {
            expect_mistakes(text, 1, (const char *const[]){said});
        } else {
            write_text(text);
            cr_assert_eq(claim_file_read(path, &claims), STATUS_OK, "%s", failure_text());
            claim_file_free(&claims);
        }
        free(said);
        free(text);
        free(formula);
    }
}

Test(claim_file, bad_heads) {
    expect_mistakes(
        "springback: 2\npaper: p\nclaims: 3\n", 2,
        (const char *const[]){":1:13: a file of claims begins with springback: 1", ":3:9: `claims` must be a list"});
    expect_mistakes("paper: p\nclaim: []\n", 3,
                    (const char *const[]){":2:1: a file of claims has no key claim; did you mean claims?",
                                          ":1:1: a file of claims begins",
                                          ":1:1: a file of claims needs the key `claims`"});
    expect_mistakes("springback: 1\npaper: p\ntitle: {a: b}\ndoi: https://doi.org/10.1/a\nclaims: []\n", 3,
                    (const char *const[]){":3:8: `title` needs one value; write a word, a number or a text",
                                          ":4:6: `doi` is https://doi.org/10.1/a; a doi begins with \"10.\", as in "
                                          "10.1109/ACCESS.2023.3245130",
                                          ":5:9: `claims` must be a list of claims"});
    expect_mistakes(
        "springback: 1\npaper: p\nauthors: Ada\nclaims: []\n", 2,
        (const char *const[]){":3:10: `authors` must be a list of names", ":4:9: `claims` must be a list of claims"});
    expect_mistakes("", 1, (const char *const[]){": is empty"});
    unlink(path);
    struct claim_report report;
    failure_clear();
    cr_assert_eq(claims_judge(path, &set, NULL, &report), STATUS_BAD);
    cr_assert_eq(claims_write_gnuplot(path, stdout), STATUS_BAD);
}

Test(claim_file, unit_of_another_kind) {
    add((struct sketch){.id = "a", .seconds = {1}});
    struct claim_report report;
    write_claims("- {id: a, says: b, " RATE "expect: '> 3 m'}");
    cr_assert_eq(claims_judge(path, &set, NULL, &report), STATUS_BAD);
    cr_assert_not_null(strstr(failure_text(), ":4:103: expect: \"3 m\" has the unit m; it must be in 1/s"), "%s",
                       failure_text());
    claim_report_free(&report);
}
