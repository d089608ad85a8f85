/* Help, the manual, and what is installed. */
#include "cli_fixture.h"

TestSuite(cli_manual, .init = cli_begin, .fini = shell_end);

Test(cli_manual, the_manual_has_every_field) {
    static const char *const fields[] = {"body.cloth.nodes", "time.step", "method.stiffness", "record.every",
                                         "backend"};
    shell("\"$S\" manual");
    expect_code(0);
    for (size_t f = 0; f < sizeof fields / sizeof *fields; ++f)
        expect_out(fields[f]);
}

static const char *const all_verbs[] = {"run",         "plan",   "list", "devices", "mesh",   "check",  "report",
                                        "compare",     "record", "diff", "export",  "clean",  "meshes", "manual",
                                        "sensitivity", "verify", "fit",  "view",    "archive"};

enum { VERBS = sizeof all_verbs / sizeof *all_verbs };

Test(cli_manual, every_verb_helps_with_an_example) {
    shell("\"$S\" --help");
    int verbs = 0;
    for (const char *at = said.out; (at = strstr(at, "\n  ")); ++at)
        ++verbs;
    cr_expect_eq(verbs, VERBS, "all_verbs does not have all commands:\n%s", said.out);
    for (int v = 0; v < VERBS; ++v) {
        shell("\"$S\" %s --help", all_verbs[v]);
        expect_code(0);
        char *line = text_format("\n  springback %s", all_verbs[v]);
        expect_out("\nExample: ");
        expect_out(line);
        free(line);
    }
}

/* Make the manual pages of the current program, in the current folder. */
static void make_pages(void) {
    shell("sh " SOURCE_DIR "/src/cli/man_pages.sh " SOURCE_DIR "/docs/man/springback.1 \"$S\" .");
    expect_code(0);
    cr_expect_eq(*said.err, 0, "%s", said.err);
}

Test(cli_manual, the_manual_pages_have_every_option_and_field_and_groff_has_no_complaint) {
    make_pages();
    for (int v = 0; v < VERBS; ++v) {
        shell("p='%s'; "
              "for o in $(\"$S\" $p --help | grep -o -- '^ .*--[a-z-]*' | grep -o -- '--[a-z-]*$'); do "
              "sed -n \"/^.SS springback $p/,/^.S[SH] [sE]/p;/^.SH OPTIONS OF/,/^.SH EX/p\" springback.1 | sed "
              "'s/[\\]//g' | "
              "grep -qe \"$o\" || [ $o = --usage ] || echo \"$o is missing\"; done",
              all_verbs[v]);
        expect_code(0);
        cr_expect_eq(*said.out, 0, "%s: %s", all_verbs[v], said.out);
    }
    shell("cat springback.5");
    expect_out("\n.TP\n\\fBbody.cloth.nodes\\fR  ");
    expect_out("\n.TP\n\\fBmethod.stiffness\\fR  ");
    if (shell("command -v groff"))
        cr_skip_test("groff is not installed");
    for (int section = 1; section <= 5; section += 4) {
        shell("groff -man -ww -Tascii springback.%d >shown && [ $(wc -l <shown) -gt 100 ]", section);
        expect_code(0);
        cr_expect_eq(*said.err, 0, "%s", said.err);
    }
}

Test(cli_manual, what_is_installed_is_whole) {
    shell("cmake --install \"$(dirname \"$S\")\" --prefix there >/dev/null");
    expect_code(0);
    static const char *const installed[] = {"bin/springback",
                                            "share/man/man1/springback.1",
                                            "share/man/man5/springback.5",
                                            "share/bash-completion/completions/springback",
                                            "share/doc/springback/README.md",
                                            "share/doc/springback/docs/reference.md"};
    for (size_t f = 0; f < sizeof installed / sizeof *installed; ++f) {
        char *path = text_format("there/%s", installed[f]);
        cr_expect_eq(matching(path), 1, "%s is missing", path);
        free(path);
    }
    make_pages();
    shell("cmp springback.1 there/share/man/man1/springback.1 && cmp springback.5 there/share/man/man5/springback.5 && "
          "bash -n there/share/bash-completion/completions/springback && "
          "there/bin/springback run paper/cloth.yaml --out out");
    expect_code(0);
}

static void expect_completed(const char *line, const char *completions) {
    shell("PATH=$PWD/bin:$PATH bash -c 'set -u; source " SOURCE_DIR "/src/cli/springback.bash; COMP_LINE=\"%s\"; "
          "COMP_POINT=${#COMP_LINE}; _springback \"${COMP_LINE%%%% *}\"; complete -p springback >&2; "
          "echo \"${COMPREPLY[*]-}\"'",
          line);
    char *answer = text_format("%s\n", completions);
    cr_expect_str_eq(said.out, answer, "%s", line);
    cr_expect_str_eq(said.err, "complete -F _springback springback\n", "%s", line);
    free(answer);
}

Test(cli_manual, bash_completes_verbs_options_files_and_keys) {
    static const struct {
        const char *line, *answer;
    } cases[] = {
        {"springback p", "plan"},
        {"springback cle", "clean"},
        {"springback run --dev", ""},
        {"springback run --fo", "--force"},
        {"springback plan --st", "--stale"},
        {"./bin/springback run pap", "paper"},
        {"springback run paper/", "paper/cloth.yaml paper/below"},
        {"springback export --format v", "vtk"},
        {"springback export -f p", "picture"},
        {"springback plan --set name=xpbd_", "xpbd_hyperelastic"},
        {"springback plan --set=plane=v", "vertical"},
        {"springback check --archive pap", "paper"},
        {"springback export paper/", "paper/a.vtkhdf paper/trace.h5 paper/below"},
        {"springback mesh paper/", "paper/body.obj paper/body.ply.gz paper/below"},
        {"springback mesh --figure paper/", "paper/body.svg paper/below"},
        {"springback run --out pap", "paper"},
        {"springback run --out=pap", "paper"},
        {"springback run --backend thr", "threads threads:"},
        {"springback run -b opencl:g", "gpu"}, /* bash breaks words at the colon */
        {"springback run --tier=q", "quick"},
        {"springback plan --set time.f", "time.frames="},
        {"springback plan --set=method.dam", "method.damping= method.damping_means= method.damping_of="},
        {"springback plan --set damp", "damping= damping_means= damping_of="},
        {"springback plan --only damp", "damping= damping_means= damping_of="},
        {"springback plan --only plane=", "horizontal vertical"},
        {"springback check --color=n", "never"},
        {"springback devices ", ""},
        {"springback fly ", ""},
    };
    cr_assert_eq(
        shell(
            "mkdir paper/below && touch paper/notes.txt paper/trace.h5 paper/a.vtkhdf paper/body.obj paper/body.ply.gz "
            "paper/body.svg && ln -s \"$(dirname \"$S\")\" bin"),
        0, "%s", said.err);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c)
        expect_completed(cases[c].line, cases[c].answer);
    expect_completed("springback fit ", "");
    shell("mkdir -p paper_checks && touch paper_checks/va2022.yaml paper_checks/va2023.yaml");
    expect_completed("springback fit va", "va2022 va2023");
}
