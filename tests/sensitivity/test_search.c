/* Searches for set-ups in which a claim holds. */
#include "falling_cloth.h"
#include "run/sweep.h"

TestSuite(search, .init = shell_begin, .fini = shell_end);

/* Four nodes of mass m that fall for 30 ms without pins have the kinetic energy 2 m (g 30 ms)^2. In the possible
 * ranges, this energy is from 0.0146 J to 1.8 J. The stiffness does not change it. */
static const char mass_and_others[] =
    "  time.steps_per_frame: {value: 10, likely: [10], why: x}\n"
    "  body.cloth.pins: {value: none, likely: [none], possible: [border, none, corners], why: x, source: y}\n"
    "  method.stiffness: {value: 5 N/m, likely: [1 N/m, 9 N/m], possible: [0.001 N/m, 9000 N/m], why: x, source: y}\n"
    "  scene.gravity: {value: [0, -9.8 m/s^2, 0], likely: [[0, -9.8 m/s^2, 0], [0, -9.7 m/s^2, 0]],\n"
    "    possible: [[0, -10 m/s^2, 0], [0, -9 m/s^2, 0]], why: x, source: y}\n"
    "  body.node_mass: {value: 1 kg, likely: [0.5 kg, 1.5 kg], possible: [0.1 kg, 10 kg], why: x, source: y}\n";

#define ENERGY "from: {experiment: paper/mass, quantity: kinetic_energy, over_frames: last}}\n"

static const char energies[] = "springback: 1\npaper: test\nclaims:\n"
                               "  - {id: t.exact, where: here, says: s, kind: value, reported: 0.98765 J, why: x,\n"
                               "     tolerance: {relative: 0.1 %}, " ENERGY
                               "  - {id: t.most, where: here, says: s, kind: bound, expect: '> 1.799 J', " ENERGY
                               "  - {id: t.never, where: here, says: s, kind: bound, expect: '> 1.81 J', " ENERGY
                               "  - {id: t.likely, where: here, says: s, kind: bound, expect: '< 1 J', " ENERGY;

#define SEARCH_INTO(out)                                                                                               \
    "\"$S\" sensitivity --claims claims.yaml --out " out " --sweeps " out ".s -n 64 -p 64 paper/mass.yaml "

Test(search, a_search_finds_set_ups_that_the_points_missed) {
    write_fall("mass", mass_and_others);
    text_write("claims.yaml", energies);
    shell(SEARCH_INTO("a"));
    expect_code(0);
    expect_out("  t.exact   not swept         holds in 0 of 64 likely set-ups and in 0 of 64 other possible ones\n");
    expect_out("  t.most    not swept         ");
    shell(SEARCH_INTO("a") "--search 200");
    expect_code(0);
    expect_out(
        "  nothing to run: the table has all 136 runs\n  3 claims are true in no set-up: a search runs at most 600 "
        "more set-ups\n");
    expect_out(
        "  t.exact   depends           holds in 0 of 64 likely set-ups and in 0 of 64 other possible ones; the claim "
        "holds, by at least one reading, in ");
    expect_out("  t.most    depends           ");
    expect_out("  t.never   differs           holds in none of 64 likely, 64 possible and ");
    expect_out("  t.likely  matches           holds in 64 of 64 likely ");
    struct sweep_table table;
    cr_assert_eq(sweep_read("a.s/paper/mass.tsv.xz", false, &table), STATUS_OK, "%s", failure_text());
    cr_expect(table.member_count > 136 + 200 && table.member_count < 136 + 600, "%d members", table.member_count);
    cr_expect_eq(table.searched_count, 1, "only t.never is searched to the end");
    cr_expect_eq(sweep_searched_runs(&table, "t.never"), 200);
    sweep_free(&table);
    /* `check` names a set-up in which the claim holds, and the claim holds in a run with this set-up. */
    shell("\"$S\" run -q --tier quick --out a paper/mass.yaml && mkdir -p data && cp -r a.s data/sweeps && "
          "\"$S\" check --out a claims.yaml --json");
    char *at = strstr(said.out, "{\"id\":\"t.exact\"");
    at = at ? strstr(at, "\"options\":\"--set '") : NULL;
    cr_assert_not_null(at, "%s", said.out);
    at += strlen("\"options\":\"");
    at = text_format("%.*s", (int)strcspn(at, "\""), at);
    shell("\"$S\" run -q --tier quick --out b %s paper/mass.yaml && \"$S\" check --out b claims.yaml --json", at);
    free(at);
    at = strstr(said.out, "{\"id\":\"t.exact\"");
    at = at ? strstr(at, "\"measured\":\"") : NULL;
    cr_assert_not_null(at, "%s", said.out);
    cr_expect_float_eq(strtod(at + strlen("\"measured\":\""), NULL), 0.98765, 0.0011 * 0.98765);
    /* The search is not repeated, and `verify` gives the same members. The search continues if more runs are requested.
     */
    shell("cp a.s/paper/mass.tsv.xz t; " SEARCH_INTO("a") "--search 200 && cmp t a.s/paper/mass.tsv.xz && " SEARCH_INTO(
        "a") " && cmp t a.s/paper/mass.tsv.xz && \"$S\" verify -q --out a --sweeps a.s --sample 1000 paper/mass.yaml");
    expect_code(0);
    expect_out("  t.never   differs ");
    expect_no_out("a search runs");
    shell(SEARCH_INTO("a") "--search 225");
    expect_code(0);
    expect_out("  1 claim is true in no set-up: a search runs at most 225 more set-ups\n");
    shell("xz -dc t | grep -c '^member' >n; xz -dc a.s/paper/mass.tsv.xz | grep -c '^member' | cat n - && "
          "[ $(($(xz -dc a.s/paper/mass.tsv.xz | grep -c '^member') - $(cat n))) = 25 ]");
    expect_code(0);
}

Test(search, a_search_that_was_cut_equals_one_that_was_not) {
    write_fall("mass", mass_and_others);
    write_part_script();
    text_write("claims.yaml", energies);
    shell(SEARCH_INTO("whole") "--search 60 -q");
    expect_code(0);
    /* The part file has only the first `lines` lines of the searched members. */
    for (int lines = 20; lines < 150; lines += 82) {
        shell("rm -rf cut cut.s; " SEARCH_INTO(
                  "cut") "-q && mkdir -p cut/paper/mass/sensitivity && "
                         "{ xz -dc cut.s/paper/mass.tsv.xz | sed '/^member/,$d'; " PART_OF(
                             "whole.s/paper/mass.tsv.xz") " | "
                                                          "sed -n '/^member.search/,$p' | head -n %d; } "
                                                          ">cut/paper/mass/sensitivity/members.tsv "
                                                          "&& " SEARCH_INTO(
                                                              "cut") "--search 60 -q && cmp cut.s/paper/mass.tsv.xz "
                                                                     "whole.s/paper/mass.tsv.xz",
              lines);
        expect_code(0);
    }
    /* A sweep without a search keeps the searched members, but the search does not count as finished. */
    shell("mkdir -p cut/paper/mass/sensitivity && rm -r cut.s; { " PART_OF(
        "whole.s/paper/mass.tsv.xz") " | "
                                     "sed '/^searched/d'; } >cut/paper/mass/sensitivity/members.tsv && " SEARCH_INTO(
                                         "cut") "-q && "
                                                "xz -dc cut.s/paper/mass.tsv.xz >a; xz -dc whole.s/paper/mass.tsv.xz | "
                                                "sed '/^searched/d' | cmp - "
                                                "a");
    expect_code(0);
    expect_out("  t.never   not swept         holds in none of 64 likely, 64 possible and ");
}

Test(search, searched_members_that_are_none_of_the_ranges_are_refused) {
    static const char *const edits[] = {"s/^\\(member\\tsearch\\t3\\t[^\\t]*\\t\\)[a-z]*/\\1row/",
                                        "s/^\\(member\\tsearch\\t3\\t.*\\t\\)[^\\t]*$/\\111 kg/",
                                        "s/^\\(member\\tsearch\\t3\\t.*\\t\\)[^\\t]*$/\\1nan kg/",
                                        "s/^\\(member\\tsearch\\t3\\t.*\\t\\)[^\\t]*$/\\1/"};
    write_fall("mass", mass_and_others);
    text_write("claims.yaml", energies);
    shell(SEARCH_INTO("a") "--search 25 -q");
    expect_code(0);
    for (size_t e = 0; e < sizeof edits / sizeof *edits; ++e) {
        shell("cp -r a.s b.s; xz -dc a.s/paper/mass.tsv.xz | sed '%s' | xz >b.s/paper/mass.tsv.xz; "
              "\"$S\" verify -q --out b --sweeps b.s paper/mass.yaml",
              edits[e]);
        expect_code(2);
        expect_err("b.s/paper/mass.tsv.xz: the values of the searched member 3 are not in the possible ranges");
    }
}
