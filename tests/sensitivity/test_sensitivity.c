/* The verdict on a claim by the members of a sweep, and how far a claim is from being true in a member. */
#include "claim/answer.h"
#include "shell.h"

#include <sys/stat.h>

TestSuite(sensitivity, .init = shell_begin, .fini = shell_end);

/* Write the table of a sweep with `counts` members of each kind, and read it as a member set. `number` gives the
 * largest height of a run, in m; a run with more than 100 m has blown up. `searched`: the largest
 * number of members that a complete search for the claim `a` was allowed to run; 0: no search. */
static void member_set_of(const int counts[MEMBER_KINDS], double (*number)(enum member_kind kind, int k, int run),
                          int searched, struct member_set *set) {
    char *text = text_copy("springback-sweep\t2\tp/e\tquick\t0123456789abcdef0123456789abcdef\n"
                           "assumption\tmethod.stiffness\tN/m\t1 N/m to 100 N/m\t1 N/m to 1000 N/m\n");
    for (int r = 0; r < 2; ++r)
        text_append(&text,
                    "run\tr%d\nnote\tid\tr%d\nnote\tstatus\twhole\nparameter\tmethod.stiffness\t5 N/m\tN/m\tassumed\n"
                    "parameter\tmethod.name\t%s\t1\tstated\n",
                    r, r, r ? "pbd" : "xpbd");
    text_append(&text, "column\theight\tmax\tm\ncolumn\theight\tmin\tm\n");
    if (searched)
        text_append(&text, "searched\ta\t%d\n", searched);
    for (int kind = 0; kind < MEMBER_KINDS; ++kind)
        for (int k = 0; k < counts[kind]; ++k) {
            text_append(&text, "member\t%s\t%d\t0123456789abcdef0123456789abcdef\t%d N/m\n",
                        member_kind_name((enum member_kind)kind), k + (kind != MEMBER_LIKELY), k + 1);
            for (int r = 0; r < 2; ++r)
                text_append(&text, "row\t%s\t%.6g\t%.6g\n",
                            number((enum member_kind)kind, k, r) > 100 ? "diverged" : "whole",
                            number((enum member_kind)kind, k, r), -number((enum member_kind)kind, k, r));
        }
    mkdir("p", 0777);
    text_write("p/e.tsv", text);
    shell("xz -f p/e.tsv");
    free(text);
    failure_clear();
    cr_assert_eq(member_set_read(".", NULL, "p/e", set), STATUS_OK, "%s", failure_text());
}

/* Functions for the argument `number` of member_set_of. If a function has no comment of its own, run 1 has a height of
 * 0.5 m, run 0 has a height of 1 m or 2 m, and the function's name says in which members. Examples: with one_2, run 0
 * has 2 m in one likely member and 1 m in all other members. With found_1, run 0 has 1 m in one searched member and 2 m
 * in all other members. */
static double all_1(enum member_kind kind, int k, int run) {
    return (void)kind, (void)k, run ? 0.5 : 1;
}

static double all_2(enum member_kind kind, int k, int run) {
    return (void)kind, (void)k, run ? 0.5 : 2;
}

static double one_2(enum member_kind kind, int k, int run) {
    return run ? 0.5 : kind == MEMBER_LIKELY && k == 7 ? 2 : 1;
}

static double possible_2(enum member_kind kind, int k, int run) {
    return (void)k, run ? 0.5 : kind == MEMBER_POSSIBLE ? 2 : 1;
}

static double likely_2(enum member_kind kind, int k, int run) {
    return (void)k, run ? 0.5 : kind == MEMBER_LIKELY ? 2 : 1;
}

static double noise_2(enum member_kind kind, int k, int run) {
    return (void)k, run ? 0.5 : kind == MEMBER_NOISE ? 2 : 1;
}

static double found_1(enum member_kind kind, int k, int run) {
    return run ? 0.5 : kind == MEMBER_SEARCH && k == 3 ? 1 : 2;
}

static double found_2(enum member_kind kind, int k, int run) {
    return run ? 0.5 : kind == MEMBER_SEARCH && k == 3 ? 2 : 1;
}

/* Both runs have 2 m, except run 1 of one searched member, which has 1 m. */
static double found_other(enum member_kind kind, int k, int run) {
    return run && kind == MEMBER_SEARCH && k == 3 ? 1 : 2;
}

/* Run 0 has blown up, with 200 m, in one searched member, and has 2 m in all other members. Run 1 has 0.5 m. */
static double found_blown_up(enum member_kind kind, int k, int run) {
    return run ? 0.5 : kind == MEMBER_SEARCH && k == 3 ? 200 : 2;
}

/* Run 0 has 1 m in one searched member and 1.4 m in all other members. The claim is true only with 1 m, but then the
 * member is not admissible. */
static double found_low(enum member_kind kind, int k, int run) {
    return run ? 0.5 : kind == MEMBER_SEARCH && k == 3 ? 1 : 1.4;
}

/* Run 0 has 0.6 m, in noise members 0.9 m. Run 1 has 0.5 m. So the noise exceeds the difference of the runs. */
static double blurred(enum member_kind kind, int k, int run) {
    return (void)k, run ? 0.5 : kind == MEMBER_NOISE ? 0.9 : 0.6;
}

/* Run 0 has 0.6 m, in noise members 0.61 m. Run 1 has 0.5 m. So the difference of the runs exceeds the noise. */
static double apart(enum member_kind kind, int k, int run) {
    return (void)k, run ? 0.5 : kind == MEMBER_NOISE ? 0.61 : 0.6;
}

#define HIGH                                                                                                           \
    "kind: bound, expect: '< 1.5 m', from: {experiment: p/e, quantity: height, over_frames: max, over: {runs: max}}"
#define ORDER "kind: order, from: {experiment: p/e, quantity: height, over_frames: max, compare: method.name}, "
#define RATIO(above)                                                                                                   \
    "from: {experiment: p/e, quantity: height, over_frames: max, numerator: {method.name: " above                      \
    "}, denominator: {method.name: pbd}}"
#define LOW                                                                                                            \
    "admissible:\n- {says: it is low, expect: '> -1.5 m', from: "                                                      \
    "{experiment: p/e, quantity: height, over_frames: min, over: {runs: min}}}\n"
#define OF_PBD                                                                                                         \
    ", readings: [{says: of the other, from: {experiment: p/e, select: {method.name: pbd}, "                           \
    "quantity: height, over_frames: max}}]"

Test(sensitivity, the_verdict_follows_the_rule) {
    static const struct {
        int counts[MEMBER_KINDS];
        double (*number)(enum member_kind kind, int k, int run);
        const char *claim, *more; /* `more`: text after the claims */
        enum verdict verdict;
        int holding, rejected, undecided, searched;
    } cases[] = {
        {{59, 0, 0}, all_1, HIGH, "", VERDICT_MATCHES, 59, 0, 0, 0},
        {{58, 0, 0}, all_1, HIGH, "", VERDICT_NOT_SWEPT, 58, 0, 0, 0},
        {{58, 9, 0}, all_1, HIGH, "", VERDICT_NOT_SWEPT, 67, 0, 0, 0}, /* too few likely members */
        {{59, 9, 0}, one_2, HIGH, "", VERDICT_DEPENDS, 67, 0, 0, 0},
        {{30, 0, 0}, one_2, HIGH, "", VERDICT_DEPENDS, 29, 0, 0, 0}, /* one member in which the claim is true and one in
                                                                        which it is false are enough */
        {{59, 9, 0}, possible_2, HIGH, "", VERDICT_MATCHES, 59, 0, 0, 0},
        {{59, 9, 0}, likely_2, HIGH, "", VERDICT_DEPENDS, 9, 0, 0, 0},
        {{50, 9, 0}, all_2, HIGH, "", VERDICT_DIFFERS, 0, 0, 0, 200},
        /* Without a search of 200 runs for this claim the verdict is not "differs", even if other searches have
         * members. */
        {{50, 9, 0}, all_2, HIGH, "", VERDICT_NOT_SWEPT, 0, 0, 0, 0},
        {{50, 9, 0}, all_2, HIGH, "", VERDICT_NOT_SWEPT, 0, 0, 0, 199},
        {{50, 9, 0, 250}, all_2, HIGH, "", VERDICT_NOT_SWEPT, 0, 0, 0, 0},
        {{50, 9, 0, 250}, all_2, HIGH, "", VERDICT_DIFFERS, 0, 0, 0, 200},
        {{50, 8, 0, 250}, all_2, HIGH, "", VERDICT_NOT_SWEPT, 0, 0, 0, 200}, /* searched members do not count for the
                                                                                59 members that "differs" needs */
        /* If the claim is true in one searched member, in one reading, the verdict is not "differs". The member may
         * come from a search for another claim. */
        {{50, 9, 0, 8}, found_1, HIGH, "", VERDICT_DEPENDS, 0, 0, 0, 200},
        {{50, 9, 0, 8}, found_1, HIGH, "", VERDICT_DEPENDS, 0, 0, 0, 0},
        {{5, 0, 0, 8}, found_1, HIGH, "", VERDICT_DEPENDS, 0, 0, 0, 0},
        {{50, 9, 0, 8}, found_other, HIGH OF_PBD, "", VERDICT_DEPENDS, 0, 0, 0, 200},
        {{50, 9, 0, 8},
         found_low,
         "kind: bound, expect: '< 1.1 m', from: {experiment: p/e, quantity: height, "
         "over_frames: max, over: {runs: max}}",
         "admissible:\n- {says: it is high, expect: '> 1.2 m', from: "
         "{experiment: p/e, select: {method.name: xpbd}, quantity: height, over_frames: max}}\n",
         VERDICT_DIFFERS,
         0,
         0,
         0,
         200},
        /* If a run blew up, a claim about a printed number does not hold, but a claim with a bound can hold. */
        {{50, 9, 0, 8},
         found_blown_up,
         "kind: value, reported: 200 m, from: {experiment: p/e, select: {method.name: xpbd}, quantity: height, "
         "over_frames: max}",
         "",
         VERDICT_DIFFERS,
         0,
         0,
         0,
         200},
        {{50, 9, 0, 8},
         found_blown_up,
         "kind: bound, expect: '> 150 m', from: {experiment: p/e, quantity: height, over_frames: max, over: {runs: "
         "max}}",
         "",
         VERDICT_DEPENDS,
         0,
         0,
         0,
         200},
        /* Searched members count in no share. */
        {{59, 0, 0, 8}, found_2, HIGH, "", VERDICT_MATCHES, 59, 0, 0, 0},
        {{58, 0, 0, 8}, all_1, HIGH, "", VERDICT_NOT_SWEPT, 58, 0, 0, 0},
        {{50, 8, 0}, all_2, HIGH, "", VERDICT_NOT_SWEPT, 0, 0, 0, 0},
        {{59, 0, 8}, noise_2, HIGH, "", VERDICT_MATCHES, 59, 0, 0, 0}, /* noise members do not count */
        /* Members that are not admissible do not count, neither for nor against the claim. */
        {{60, 0, 0}, one_2, HIGH, LOW, VERDICT_MATCHES, 59, 1, 0, 0},
        {{59, 0, 0}, one_2, HIGH, LOW, VERDICT_NOT_SWEPT, 58, 1, 0, 0},
        /* Numbers that differ by less than the noise have no order. */
        {{59, 0, 8}, apart, ORDER "expect: xpbd > pbd", "", VERDICT_MATCHES, 59, 0, 0, 0},
        {{50, 9, 8}, apart, ORDER "expect: xpbd < pbd", "", VERDICT_DIFFERS, 0, 0, 0, 200},
        {{59, 0, 8}, blurred, ORDER "expect: xpbd > pbd", "", VERDICT_DEPENDS, 0, 0, 59, 0},
        {{59, 0, 8}, blurred, ORDER "expect: xpbd < pbd", "", VERDICT_DEPENDS, 0, 0, 59, 0},
        /* A ratio that differs from 1 by less than its noise does not say which number is larger. The noise
         * of a ratio has no effect if the bound is not 1. */
        {{59, 0, 8}, apart, "kind: bound, expect: '> 1', " RATIO("xpbd"), "", VERDICT_MATCHES, 59, 0, 0, 0},
        {{59, 0, 8}, blurred, "kind: bound, expect: '> 1', " RATIO("xpbd"), "", VERDICT_DEPENDS, 0, 0, 59, 0},
        {{59, 0, 8}, blurred, "kind: bound, expect: '> 1.1', " RATIO("xpbd"), "", VERDICT_MATCHES, 59, 0, 0, 0},
        /* Each reading has its own noise. */
        {{59, 0, 8},
         blurred,
         "kind: bound, expect: '>= 1', " RATIO("pbd") ", readings: [{says: of both, " RATIO("xpbd") "}]",
         "",
         VERDICT_DEPENDS,
         0,
         0,
         59,
         0},
        /* A claim holds only if it is true in every reading. The verdict is "differs" only if the claim is true in no
           reading. */
        {{59, 0, 0}, all_1, HIGH OF_PBD, "", VERDICT_MATCHES, 59, 0, 0, 0},
        {{59, 0, 0}, all_2, HIGH OF_PBD, "", VERDICT_DEPENDS, 0, 0, 0, 0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        struct member_set set;
        struct claim_file file;
        char *text =
            text_format("springback: 1\npaper: p\nclaims:\n- {id: a, says: b, %s}\n%s", cases[c].claim, cases[c].more);
        text_write("claims.yaml", text);
        free(text);
        failure_clear();
        cr_assert_eq(claim_file_read("claims.yaml", &file), STATUS_OK, "%s", failure_text());
        member_set_of(cases[c].counts, cases[c].number, cases[c].searched, &set);
        const struct sensitivity *found = sensitivity_of(&file.claims[0], &set, &file);
        cr_assert(!found->status && !found->left_out, "case %zu: %s", c, failure_text());
        cr_expect_str_eq(verdict_name(found->verdict), verdict_name(cases[c].verdict), "case %zu", c);
        cr_expect_eq(found->likely.holding + found->possible.holding, cases[c].holding, "case %zu", c);
        cr_expect_eq(found->rejected, cases[c].rejected, "case %zu", c);
        cr_expect_eq(found->likely.undecided + found->possible.undecided, cases[c].undecided, "case %zu", c);
        member_set_free(&set);
        claim_file_free(&file);
    }
}

/* If one reading of a claim has no verdict, the claim has no verdict with the chosen values. This is so even if the
 * claim differs in another reading. */
Test(sensitivity, a_claim_without_a_verdict_in_a_reading_is_left_out) {
    const int counts[MEMBER_KINDS] = {3};
    struct member_set set;
    struct claim_file file;
    text_write("claims.yaml",
               "springback: 1\npaper: p\nclaims:\n- {id: a, says: b, " HIGH ", readings: [{says: of none, from: "
               "{experiment: p/e, select: {method.name: vbd}, quantity: height, over_frames: max}}]}\n");
    cr_assert_eq(claim_file_read("claims.yaml", &file), STATUS_OK, "%s", failure_text());
    member_set_of(counts, all_2, 0, &set);
    const struct sensitivity *found = sensitivity_of(&file.claims[0], &set, &file);
    cr_assert_not_null(found->left_out);
    cr_expect_str_eq(found->left_out, "The claim has no verdict with the chosen values.");
    cr_expect_eq(found->verdict, VERDICT_NOT_SWEPT);
    member_set_free(&set);
    claim_file_free(&file);
}

/* A claim's distance from holding, for one member with the heights 1 m and 0.5 m. */
Test(sensitivity, members_have_a_distance_from_holding) {
    static const struct {
        const char *claim;
        double distance;
    } cases[] = {
        {HIGH, 0},
        {"kind: bound, expect: '< 0.8 m', from: {experiment: p/e, quantity: height, over_frames: max, each: "
         "method.name}",
         0.25},
        {"kind: bound, expect: '< 0 m', from: {experiment: p/e, quantity: height, over_frames: max, each: method.name}",
         1},
        {"kind: bound, expect: '> 5 m', from: {experiment: p/e, quantity: height, over_frames: max, each: method.name}",
         0.9},
        {ORDER "expect: xpbd > pbd", 0},
        {ORDER "expect: xpbd < pbd", 0.5},
        {"kind: value, reported: 0.5 m, tolerance: {absolute: 0.25 m}, why: x, from: {experiment: p/e, select: "
         "{method.name: xpbd}, quantity: height, over_frames: max}",
         2},
        {"kind: value, reported: 0.5 m, from: {experiment: p/e, select: {method.name: xpbd}, quantity: height, "
         "over_frames: max}",
         10}, /* half a unit in the last printed place is 0.05 */
        {"kind: ratio, reported: 4, tolerance: {relative: 25 %}, why: x, from: {experiment: p/e, quantity: height, "
         "over_frames: max, numerator: {method.name: xpbd}, denominator: {method.name: pbd}}",
         2},
        {"kind: bound, expect: '< 0.8 m', from: {experiment: p/e, quantity: height, over_frames: max, each: "
         "method.name}" OF_PBD,
         0},
        {"kind: bound, expect: '< 1 m', from: {experiment: p/e, quantity: width_x, over_frames: max}", INFINITY},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        struct member_set set;
        struct claim_file file;
        const int counts[MEMBER_KINDS] = {1};
        int status = STATUS_OK;
        char *text = text_format("springback: 1\npaper: p\nclaims:\n- {id: a, says: b, %s}\n", cases[c].claim);
        text_write("claims.yaml", text);
        free(text);
        failure_clear();
        cr_assert_eq(claim_file_read("claims.yaml", &file), STATUS_OK, "%s", failure_text());
        member_set_of(counts, all_1, 0, &set);
        struct table *noise = claim_noise(&file.claims[0], &set);
        const struct claim_answer answer = claim_answer(&file.claims[0], &set, 0, noise, &status);
        cr_expect(isinf(cases[c].distance) ? isinf(answer.distance) : fabs(answer.distance - cases[c].distance) < 1e-6,
                  "%s: %g, not %g", cases[c].claim, answer.distance, cases[c].distance);
        cr_expect_eq(status, STATUS_OK);
        claim_noise_free(noise, &file.claims[0]);
        member_set_free(&set);
        claim_file_free(&file);
    }
}

/* A value from a table of another author cannot become a command. */
Test(sensitivity, options_are_quoted) {
    struct member_set set;
    const int counts[MEMBER_KINDS] = {2};
    member_set_of(counts, all_1, 0, &set);
    set.table.members[1].values[0] = "1'; rm -r x; '";
    char *options = sensitivity_options(&set, 1);
    cr_expect_str_eq(options, "--set 'method.stiffness=1'\\''; rm -r x; '\\'''", "%s", options);
    free(options);
    member_set_free(&set);
}
