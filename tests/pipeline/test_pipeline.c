/* The pipeline of Makefile.experiments on a small cloth: files that are made, made again, or not touched. */
#include "shell.h"

#include <libgen.h>
#include <sys/stat.h>

static const char cloth[] = "springback: 1\n"
                            "paper: paper\n"
                            "title: A small cloth\n"
                            "body: {cloth: {nodes: [6, 5], pins: corners}, node_mass: 1 kg}\n"
                            "method: {name: mass_spring, stiffness: 100 N/m, damping: 0.1 N s/m}\n"
                            "time: {step: 1 ms, steps_per_frame: 10, frames: 4}\n"
                            "record: {every: 1}\n";

static const char claims[] =
    "springback: 1\n"
    "paper: paper\n"
    "claims:\n"
    "  - {id: paper.nodes, says: thirty, kind: count, from: {experiment: paper/cloth, quantity: nodes}, reported: 30,\n"
    "     recorded: matches}\n";

static const char figure[] = "load here.'/cloth/context.gp'\n"
                             "load here.'/reported.gp'\n"
                             "plot here.'/cloth/summary.tsv' using (column('nodes')):(paper_nodes)\n";

/* Copy the files of the repository that the pipeline needs. Also copy the program, so that tests can change its date.
 */
static void setup(void) {
    shell_begin();
    cr_assert_eq(shell("mkdir -p experiments/paper figures/paper paper_checks && cp \"$S\" program && "
                       "cp '" SOURCE_DIR "/Makefile.experiments' . && cp '" SOURCE_DIR "/figures/style.gp' '" SOURCE_DIR
                       "/figures/draw.gp' '" SOURCE_DIR "/figures/slim.awk' '" SOURCE_DIR
                       "/figures/variables.awk' figures"),
                 0, "%s", said.err);
    text_write("experiments/paper/cloth.yaml", cloth);
    text_write("paper_checks/paper.yaml", claims);
    text_write("figures/paper/plot.gp", figure);
}

TestSuite(pipeline, .init = setup, .fini = shell_end);

static int make(const char *goal) {
    return shell("env -u MAKEFLAGS -u MAKELEVEL make -f Makefile.experiments OUT=out SPRINGBACK=./program %s", goal);
}

static int lines_of(const char *text) {
    int count = 0;
    for (; (text = strchr(text, '\n')); text++)
        count++;
    return count;
}

#define TABLE "out/paper/cloth/summary.tsv"

Test(pipeline, a_second_run_makes_nothing) {
    make("reproduce");
    expect_code(0);
    expect_out("  [1/1] paper/cloth ");
    expect_out("  2 pictures drawn\n");
    expect_out("1 claims: 1 matches; 0 changed");
    expect_out("report: out/report.html");
    expect_out("Total 0 min ");
    cr_expect_leq(lines_of(said.out), 60, "%s", said.out);
    char *log = text_read("out/reproduce.log");
    cr_expect(strstr(log, "paper/cloth") && strstr(log, "  drew out/figures/paper/plot.svg\n"), "%s", log);
    free(log);
    cr_expect_eq(shell("grep -q 'id=\"figure-paper-plot\"' out/report.html && "
                       "grep -q 'id=\"paper-matches\"' out/report.html"),
                 0, "the report lacks the figure or the verdict");
    cr_expect_eq(shell("grep -q \"<svg font-family='DejaVu Sans'\" out/figures/paper/plot.svg && "
                       "! grep -q linecap out/figures/paper/plot.svg && grep -q '</svg>' out/figures/paper/plot.svg"),
                 0, "figures/slim.awk has not changed the figure, or the figure is incomplete");
    make("reproduce");
    expect_code(0);
    expect_out("  nothing to run: all 1 experiments are up to date\n");
    expect_no_out("[1/1]");
    expect_no_out("drawn");
}

Test(pipeline, an_archive_of_everything_of_a_paper_and_of_a_claim) {
    make("reproduce");
    expect_code(0);
    make("archive");
    expect_out("out.tar.zst: ");
    make("archive PAPER=paper");
    expect_out("out-paper.tar.zst: ");
    make("archive CLAIM=paper.nodes");
    expect_out("out-paper.nodes.tar.zst: ");
    shell("tar tf out-paper.nodes.tar.zst");
    expect_out("codecheck.yml\n");
    expect_out("ro-crate-metadata.json\n");
    expect_no_out("plot.svg");
    make("archive CLAIM='paper.nodes;touch A'");
    expect_code(2);
    cr_expect_eq(matching("A"), 0);
}

Test(pipeline, a_number_of_jobs_that_is_none_is_refused) {
    static const char *const numbers[] = {"0", "two", "''", "-1"};
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; ++n) {
        char *goal = text_format("reproduce JOBS=%s", numbers[n]);
        make(goal);
        expect_code(2);
        expect_err("is not a positive integer (example: JOBS=2)");
        cr_expect_eq(matching("out"), 0);
        free(goal);
    }
}

/* File names that make, a shell or gnuplot would run as commands. No command may run, and the message must name the
 * file. */
Test(pipeline, a_file_whose_name_is_a_command_is_refused) {
    static const struct {
        const char *file, *shown;
    } cases[] = {
        {"experiments/paper/x;touch${IFS}A;y.yaml",
         "the file's name 'experiments/paper/x;touch${IFS}A;y.yaml' has ';'; "},
        {"experiments/paper/$(touch A).yaml", "'experiments/paper/$(touch A).yaml' has '$'"},
        {"experiments/paper/$(shell touch A).yaml", "'experiments/paper/$(shell touch A).yaml' has '$'"},
        {"experiments/paper/`touch A`.yaml", "'experiments/paper/`touch A`.yaml' has '`'"},
        {"experiments/paper/x&touch${IFS}A&y.yaml", "has '&'"},
        {"experiments/a folder's/x.yaml", "'experiments/a folder's/x.yaml' has ' '"},
        {"experiments/x';touch A;'/x.yaml", "has '''"},
        {"experiments/paper/x\ntouch A\ny.yaml", "'experiments/paper/x\\ntouch A\\ny.yaml' has '\\n'"},
        {"experiments/paper/-x.yaml", "'experiments/paper/-x.yaml' has '-'"},
        {"experiments/paper/\xc3\xa9t\xc3\xa9.yaml", "has '\xc3\xa9'"},
        {"figures/paper/$(shell touch A).gp", "'figures/paper/$(shell touch A).gp' has '$'"},
        {"figures/paper/x';system(\"touch A\");'.gp", "has '''"},
        {"figures/paper/$(shell touch A).inc", "has '$'"},
        {"figures/$(shell touch A).awk", "has '$'"},
        {"paper_checks/x;touch${IFS}A;y.yaml", "'paper_checks/x;touch${IFS}A;y.yaml' has ';'"},
        {"paper_checks/$(shell touch A).yaml", "has '$'"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        char *folder = text_copy(cases[c].file);
        mkdir(dirname(folder), 0777);
        text_write(cases[c].file, strstr(cases[c].file, ".yaml") ? cloth : "");
        static const char *const goals[] = {"reproduce JOBS=1", "sensitivity"};
        for (size_t g = 0; g < sizeof goals / sizeof *goals; ++g) {
            make(goals[g]);
            expect_code(2);
            expect_err(cases[c].shown);
            expect_err("write it with letters (A to Z, a to z), digits, '.', '_' and '-'");
            cr_expect_eq(matching("A"), 0, "%s was run", cases[c].file);
            cr_expect_eq(matching("out"), 0, "%s", cases[c].file);
            shell("rm -rf A out");
        }
        cr_assert_eq(unlink(cases[c].file), 0);
        free(folder);
    }
}

/* Each value that the user gives to make reaches the program as one word. A folder of results that cannot be a target
 * of make is refused. */
Test(pipeline, settings_are_words_and_no_commands) {
    static const struct {
        const char *setting, *said;
    } cases[] = {
        {"JOBS=\"1' ] ; touch A; [ '1\"", "is not a positive integer (example: JOBS=2)"},
        {"JOBS=\"1;touch A\"", "JOBS='1;touch A' is not a positive integer"},
        {"OUT=\"out;touch A;\"", "OUT='out;touch A;' "},
        {"OUT=\"o';touch A;'\"", "OUT='o';touch A;'' "},
        {"OUT='an out'", "OUT='an out' "},
        {"OUT=-out", "OUT='-out' "},
        {"OUT=", "OUT='' "},
        {"OUT='<touch A'", "OUT='<touch A' "},
        {"TIER='quick;touch A;'", "quick;touch A;"},
        {"TIER=\"quick';touch A;'\"", "quick';touch A;'"},
        {"BACKENDS='serial;touch${IFS}A;'", "serial;touch"},
        {"SPRINGBACK='./none;touch A'", "./none;touch A"},
        {"CLAIMS='x;touch A;'", "x;touch"},
        {"EXPERIMENTS='experiments/paper/x;touch A;'", "there is no experiment experiments/paper/x;touch A;"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        char *goal = text_format("reproduce %s%s", strstr(cases[c].setting, "JOBS") ? "" : "JOBS=1 ", cases[c].setting);
        make(goal);
        expect_code(2);
        cr_expect(strstr(said.err, cases[c].said) || strstr(said.out, cases[c].said), "%s: %s\n%s", cases[c].setting,
                  said.out, said.err);
        cr_expect_eq(matching("A"), 0, "%s was run", cases[c].setting);
        shell("rm -rf A out *';'*");
        free(goal);
    }
}

/* A manifest, which another author may have written, is refused if it names a file outside its folder. */
Test(pipeline, a_manifest_names_files_of_its_folder_alone) {
    make(TABLE);
    expect_code(0);
    static const char *const edits[] = {"2s,^[^\\t]*,../../escaped,", "2s,^[^\\t]*,x\\x27;touch A;\\x27,",
                                        "2s,\\t[^\\t]*h5,\\t../cloth/serial.h5,"};
    for (size_t e = 0; e < sizeof edits / sizeof *edits; ++e) {
        shell("rm -rf copy && cp -r out copy && sed -i '%s' copy/paper/cloth/runs.tsv && "
              "./program export --format figure --out copy/paper/cloth copy/paper/cloth",
              edits[e]);
        expect_code(2);
        expect_err("copy/paper/cloth/runs.tsv:2:1: ");
        cr_expect_eq(matching("copy/escaped.tsv"), 0);
    }
}

/* The unit of a claim's number cannot become a command of gnuplot. */
Test(pipeline, a_unit_of_a_claim_is_no_command_of_a_figure) {
    text_write(
        "paper_checks/paper.yaml",
        "springback: 1\npaper: paper\nclaims:\n"
        "  - {id: paper.x, says: b, kind: consistency, compute: '5', reported: \"5 %\\nsystem('touch A') \\\\\"}\n"
        "  - {id: paper.y, says: b, kind: consistency, compute: '6', reported: 6 %}\n");
    shell("./program check --reported paper_checks/paper.yaml >numbers.gp");
    expect_code(2);
    expect_err("paper_checks/paper.yaml:4:71: `reported` is");
    cr_expect_eq(shell("gnuplot numbers.gp"), 0);
    cr_expect_eq(matching("A"), 0);
}

/* Texts of tables and names of folders cannot become commands of the shells that figures start. */
Test(pipeline, a_text_of_a_table_is_no_command_of_a_figure) {
    static const char *const texts[] = {"';touch A;'", "$(touch A)", "`touch A`", "a b", "it's", "''", "\"", "x"};
    text_write("draw.gp", "format = 'svg'; raster = '9 9'; out = 'out.svg'; springback = './program'\n"
                          "load 'figures/style.gp'\n"
                          "table = ARG1.'/summary.tsv'\n"
                          "run = pick(table, '', 'run')\n"
                          "print run.'|'.look_up(table, 'device', ARG2, 'device', ARG2, 'run')\n"
                          "print swept(table, ARG2).reduced(table, ARG2, ARG2).pick(table, ARG2, ARG2)\n"
                          "stats shot(ARG1.'/'.run, 0, 1, 1, '') using 1 nooutput\n");
    shell("cp '" SOURCE_DIR
          "'/figures/*.awk figures && printf '#!/bin/sh\\necho 1; printf \"%%%%s\\\\n\" \"$@\" >words\\n' "
          ">program");
    for (size_t t = 0; t < sizeof texts / sizeof *texts; ++t) {
        char *table = text_format("run\tdevice\n%s\t%s\n", texts[t], texts[t]);
        char *folder = text_format("o%s", texts[t]), *file = text_format("%s/summary.tsv", folder);
        char *trace = text_format("%s/%s\n", folder, texts[t]), *looked_up = text_format("%s|%s", texts[t], texts[t]);
        mkdir(folder, 0777);
        text_write(file, table);
        cr_assert_eq(setenv("FOLDER", folder, 1) || setenv("TEXT", texts[t], 1), 0);
        shell("gnuplot -c draw.gp \"$FOLDER\" \"$TEXT\"");
        expect_code(0);
        expect_err(looked_up);
        cr_expect_eq(matching("A"), 0, "%s was run", texts[t]);
        shell("rm -f A; cat words");
        expect_out(trace);
        char *const made[] = {table, folder, file, trace, looked_up};
        for (size_t m = 0; m < sizeof made / sizeof *made; ++m)
            free(made[m]);
    }
}

/* gnuplot loads another author's table of variables only if each line of the table sets a variable. */
Test(pipeline, a_line_of_a_table_of_variables_is_no_command_of_a_figure) {
    static const char *const lines[] = {"a = system(\"touch A\")", "system(\"touch A\")", "a = \"`touch A`\"",
                                        "a = 1; system \"touch A\"", "a = 1 # \\"};
    make("figures verdicts");
    for (size_t l = 0; l < sizeof lines / sizeof *lines; ++l) {
        setenv("LINE", lines[l], 1);
        shell("rm -rf out/figures; printf '%%s\\n' \"$LINE\" >out/paper/cloth/context.gp; "
              "touch -d '+1 hour' out/paper/cloth/*.gp out/paper/cloth/*.tsv");
        make("figures RAN=yes");
        expect_code(2);
        expect_err("context.gp:1: expected NAME = NUMBER or NAME = \"TEXT\"; remove the file and run make again");
        cr_expect_eq(matching("A") + matching("out/figures/paper/*"), 0, "%s", lines[l]);
    }
}

/* If experiments run in parallel, each printed line names its experiment. */
Test(pipeline, experiments_side_by_side_are_named) {
    shell("cp experiments/paper/cloth.yaml experiments/paper/other.yaml");
    make("-j2 run");
    expect_code(0);
    expect_out("  paper/cloth ");
    expect_out("  paper/other ");
    make("-j2 run");
    expect_out("  paper/other: nothing to run: all ");
    make("run");
    expect_out("\n  nothing to run: all ");
}

/* If experiments run in parallel, each gets an equal number of the cores. Timed experiments run alone. */
Test(pipeline, experiments_side_by_side_share_the_cores) {
    static const struct {
        const char *goal, *share, *timed;
    } cases[] = {
        {"run", "8", "8"},
        {"-j2 run", "4", "8"},
        {"-j6 run", "4", "8"}, /* only two experiments are not timed */
        {"-j run", "4", "8"},
        {"-j2 run LAUNCH='env'", "8", "8"},
        {"-j2 sensitivity", "4", NULL},
        {"reproduce JOBS=2", "4", "8"}, /* each experiment runs once; timed ones run last and not in parallel */
        {"reproduce JOBS=1", "8", "8"},
    };
    text_write("program", "#!/bin/sh\nfor file; do :; done\nname=$(basename $file .yaml)\n"
                          "case \"$STAGED $*\" in yes\\ run*timed*)\n"
                          "    [ -e said-cloth ] && [ -e said-other ] || echo early >>said-$name\n"
                          "    mkdir busy || echo parallel >>said-$name; sleep 0.1; rmdir busy ;; esac\n"
                          "case \"$*\" in\n"
                          "list*) \"$S\" \"$@\" ;;\n"
                          "run*|sensitivity*) echo \"$file $OMP_NUM_THREADS\" >>said-$name\n"
                          "    mkdir -p out/paper/$name; touch out/paper/$name/runs.tsv ;;\n"
                          "export*) touch $file/summary.tsv $file/context.gp ;;\n"
                          "esac\n");
    shell("rm -r figures/paper; "
          "sed 's/frames: 4/frames: 4, repeats: 3/' experiments/paper/cloth.yaml >experiments/paper/timed.yaml && "
          "echo 'assumptions: {method.damping: {value: 0.1 N s/m, likely: [0 N s/m, 1 N s/m], why: untold}}' "
          ">>experiments/paper/cloth.yaml && cp experiments/paper/cloth.yaml experiments/paper/other.yaml && "
          "cp experiments/paper/timed.yaml experiments/paper/timed2.yaml");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        shell("rm -rf said-* out; env -u MAKEFLAGS -u MAKELEVEL OMP_NUM_THREADS=8 %s make -f Makefile.experiments "
              "OUT=out SPRINGBACK=./program %s",
              strncmp(cases[c].goal, "reproduce", 9) != 0 ? "" : "STAGED=yes", cases[c].goal);
        expect_code(0);
        char *shared = text_format("experiments/paper/cloth.yaml %s\nexperiments/paper/other.yaml %s\n", cases[c].share,
                                   cases[c].share);
        if (cases[c].timed) {
            char *all = text_format("%sexperiments/paper/timed.yaml %s\nexperiments/paper/timed2.yaml %s\n", shared,
                                    cases[c].timed, cases[c].timed);
            free(shared);
            shared = all;
        }
        shell("cat said-*");
        cr_expect_str_eq(said.out, shared, "%s", cases[c].goal);
        free(shared);
    }
}

/* If a table cannot be written completely, the earlier table remains, or there is no table. The next make writes the
 * table. */
Test(pipeline, half_a_table_is_never_left) {
    make(TABLE);
    expect_code(0);
    char *whole = text_read(TABLE);
    char *series = text_read("out/paper/cloth/serial.tsv");
    cr_assert(strlen(series) < 1024 && strlen(whole) > 1024,
              "the limit of ulimit below must be between the sizes of the two tables");
    free(series);
    shell("(trap '' XFSZ; ulimit -f 2; ./program export --format figure --out out/paper/cloth out/paper/cloth)");
    expect_code(2);
    expect_err("summary.tsv: cannot be written: File too large");
    char *left = text_read(TABLE);
    cr_expect_str_eq(left, whole);
    cr_expect_eq(matching("out/paper/cloth/*.part"), 0);
    free(left);
    cr_assert_eq(unlink(TABLE), 0);
    shell("(trap '' XFSZ; ulimit -f 2; ./program export --format figure --out out/paper/cloth out/paper/cloth)");
    expect_code(2);
    cr_expect_eq(matching(TABLE), 0);
    make(TABLE);
    expect_code(0);
    left = text_read(TABLE);
    cr_expect_str_eq(left, whole);
    free(left);
    free(whole);
}

Test(pipeline, tables_are_made_again_where_the_program_is_newer_or_one_is_missing) {
    make("figures");
    expect_code(0);
    cr_assert_eq(unlink("out/paper/cloth/context.gp"), 0);
    make("figures");
    expect_code(0);
    expect_out("drew out/figures/paper/plot.png");
    cr_expect_eq(matching("out/paper/cloth/context.gp"), 1);
    text_write(TABLE, "run\tof another program\n");
    make("figures");
    char *table = text_read(TABLE);
    cr_expect(strstr(table, "another program"), "a table was made again although it is newer than its sources");
    free(table);
    shell("sleep 0.01; touch program");
    make("figures");
    expect_code(0);
    expect_out("drew out/figures/paper/plot.png");
    table = text_read(TABLE);
    cr_expect_not(strstr(table, "another program"), "%s", table);
    free(table);
    shell("sleep 0.01; echo '# a part' >figures/paper/part.inc");
    make("figures");
    expect_out("drew out/figures/paper/plot.png");
}

/* Results of an experiment whose file was deleted are not judged, and do not change the verdicts on other experiments.
 */
Test(pipeline, results_without_their_experiment_do_not_count) {
    make("reproduce");
    expect_code(0);
    cr_assert_eq(rename("experiments/paper/cloth.yaml", "experiments/paper/other.yaml"), 0);
    make("verdicts");
    expect_out("not run: the experiment paper/cloth has not been run");
    expect_no_out("1 matches");
    shell("./program check --out out paper_checks/paper.yaml");
    expect_code(0);
    shell("./program check --out out --experiments experiments paper_checks/paper.yaml");
    expect_code(2);
    shell("./program check --out out --experiments missing paper_checks/paper.yaml");
    expect_code(2);
    expect_err("springback: missing: there is no such folder; expected a folder of experiment files");
    shell("./program check --out out --experiments program paper_checks/paper.yaml");
    expect_code(2);
    expect_err("springback: program: there is no such folder");
}

/* If EXPERIMENTS names experiments, only claims about the named experiments are judged. If one named experiment is
 * refused, the claims about the other named experiments are still judged. */
Test(pipeline, named_experiments_are_judged_alone) {
    cr_assert_eq(shell("sed 's/100 N/200 N/' experiments/paper/cloth.yaml >experiments/paper/other.yaml && "
                       "sed 's/100 N.m/100 kg/' experiments/paper/cloth.yaml >experiments/paper/wrong.yaml && "
                       "for e in other wrong; do sed -n \"s/paper.nodes/paper.$e/; s,paper/cloth,paper/$e,; 4,5p\" "
                       "paper_checks/paper.yaml; done >more && cat more >>paper_checks/paper.yaml"),
                 0, "%s", said.err);
    text_write("figures/paper/both.gp", "load \"figures/paper/both.inc\"\n");
    text_write("figures/paper/both.inc", "plot here.\"/cloth/summary.tsv\", here.\"/other/summary.tsv\"\n");
    make("reproduce EXPERIMENTS=experiments/paper/cloth.yaml");
    expect_code(0);
    expect_out("1 claims: 1 matches; 0 changed");
    expect_out("2 pictures drawn");
    expect_no_out("both");
    make("reproduce EXPERIMENTS='experiments/paper/wrong.yaml experiments/paper/other.yaml'");
    expect_code(2);
    expect_out("paper/wrong ");
    expect_out(", failed");
    expect_err("experiments/paper/wrong.yaml:");
    expect_out("2 claims: 1 matches, 1 not run");
    make("verdicts EXPERIMENTS=experiments/paper/cloth.yaml CLAIMS=paper_checks/paper.yaml");
    expect_out("3 claims: ");
    make("verdicts EXPERIMENTS=$PWD/experiments/paper/cloth.yaml");
    expect_out("1 claims: 1 matches; 0 changed");
    make("verdicts EXPERIMENTS='./experiments/paper/cloth.yaml experiments/paper/clot.yaml'");
    expect_code(2);
    expect_err("EXPERIMENTS: there is no experiment experiments/paper/clot.yaml; give files of experiments/");
    expect_no_out("claims");
}

/* A figure of va2022 reads the manifest: a trace of another version of the experiment file is not drawn. */
Test(pipeline, a_figure_of_traces_draws_those_of_the_experiment_only) {
    shell("mkdir -p experiments/va2022 && rm figures/paper/* paper_checks/* && mkdir figures/va2022 && "
          "cp '" SOURCE_DIR "/figures/va2022/strong-push.gp' '" SOURCE_DIR
          "/figures/va2022/moments.inc' figures/va2022 && "
          "cp '" SOURCE_DIR "'/figures/*.inc '" SOURCE_DIR "'/figures/*.awk figures");
    static const char *const steps[] = {"[0.005 s, 0.00025 s]", "[0.004 s, 0.00025 s]"};
    for (int s = 0; s < 2; ++s) {
        char *text = text_format("springback: 1\npaper: va2022\n"
                                 "body: {cloth: {nodes: [6, 5]}, node_mass: 1 kg}\n"
                                 "method: {name: mass_spring, stiffness: 100 N/m, damping: 0.1 N s/m}\n"
                                 "time: {step: %s, steps_per_frame: 1, frames: 60}\n"
                                 "record: {every: 1, mesh_every: 1}\n",
                                 steps[s]);
        text_write("experiments/va2022/strong-push.yaml", text);
        free(text);
        make("out/figures/va2022/strong-push.png");
        if (s == 0) {
            expect_code(0);
            expect_out("drew");
        } else {
            expect_code(2);
            expect_err("out/va2022/strong-push/summary.tsv: no run has time.step=0.005 s, which this figure shows");
            expect_no_out("drew");
        }
    }
}

/* Figure 11 of va2022 draws the runs that exist, and names the missing runs. Each run is drawn with the frames of its
 * own time step. */
Test(pipeline, a_figure_of_several_experiments_draws_what_has_been_run) {
    shell("mkdir -p experiments/va2022 && rm figures/paper/* paper_checks/* && mkdir figures/va2022 && "
          "cp '" SOURCE_DIR "/figures/va2022/fig11.gp' '" SOURCE_DIR "/figures/va2022/moments.inc' figures/va2022 && "
          "cp '" SOURCE_DIR "'/figures/*.inc '" SOURCE_DIR "'/figures/*.awk figures");
    static const char head[] = "springback: 1\npaper: va2022\ntitle: t\n"
                               "body: {cloth: {nodes: [6, 5]}, node_mass: 1 kg}\n"
                               "record: {every: 1, mesh_every: 1}\n";
    char *constraint = text_format("%smethod: {name: constraint_enforcement, iterations: 5}\n"
                                   "time: {step: 0.02 s, frames: 15}\n",
                                   head),
         *adaptive = text_format("%smethod: {name: adaptive_constraint, iterations: 5, stiffness: 1 N/m, "
                                 "threshold: 10 %%, held: rest}\n"
                                 "time: {step: 0.01 s, frames: 20}\n",
                                 head);
    text_write("experiments/va2022/constraint-push.yaml", constraint);
    text_write("experiments/va2022/adaptive-push.yaml", adaptive);
    free(constraint);
    free(adaptive);
    make("out/figures/va2022/fig11.png");
    expect_code(0);
    expect_out("drew out/figures/va2022/fig11.png");
    cr_expect(!strstr(said.err, "warning") && !strstr(said.err, "line "), "%s", said.err);
    cr_expect_eq(
        shell("cp -r out other && rm -r other/va2022/adaptive-push && "
              "gnuplot -c figures/draw.gp png '1350 970' other/f.png figures/va2022/fig11.gp other/va2022 ./program"),
        1);
    expect_err("Cannot load input from 'other/va2022/adaptive-push/context.gp'");
    shell("mkdir -p none/va2022/adaptive-push && echo run >none/va2022/adaptive-push/summary.tsv && "
          "gnuplot -c figures/draw.gp svg '9 9' none/f.svg figures/va2022/fig11.gp none/va2022 ./program && cat "
          "none/f.svg");
    expect_code(0);
    expect_out("not run here: adaptive-push constraint-push");
}

/* The awk scripts by which figures look up values in tables. */
Test(pipeline, figures_find_cells_and_extremes) {
    static const struct {
        const char *command, *said;
    } cases[] = {
        {"-f pick.awk -v where='a=500000 N/m;b=x' -v what=run table", "two\n"},
        {"-f pick.awk -v where='a=5e+05 N/m;b=x' -v what=run table", "two\n"},
        {"-f pick.awk -v where='a=500000 kg;b=x' -v what=run table", ""},
        {"-f pick.awk -v where='b=y' -v what=a table", "0.5 N/m\n"},
        {"-f pick.awk -v where='' -v what=run table", "one\n"},
        {"-f pick.awk -v where='c=1' -v what=run table", ""},
        {"-f pick.awk -v where='b=x' -v what=c table", ""},
        {"-f swept.awk -v what=a table", "0.5\n500000\n"},
        {"-f swept.awk -v what=b table", "y\nx\n"},
        {"-f swept.awk -v what=c table", ""},
        {"-f reduced.awk -v series=loss -v frames='' series", "3 0.2 0.7 -0.3 2 4\n"},
        {"-f reduced.awk -v series=loss -v frames='0 4 6' series", "2 -0.05 0.2 -0.3 0 4\n"},
        {"-f reduced.awk -v series=gain -v frames='' series", "0\n"},
        {"-f reduced.awk -v series=broken -v frames='' series", "0\n"},
    };
    text_write("table", "run\ta\tb\n"
                        "one\t0.5 N/m\ty\n"
                        "two\t5e+05 N/m\tx\n"
                        "three\t500000 N/m\tx\n");
    text_write("series",
               "frame\ttime/s\tloss\tbroken/m\n0\t0\t0.2\tnan\n2\t1\t0.7\tnan\n4\t2\t-0.3\tnan\n6\t3\tnan\tnan\n");
    shell("cp '" SOURCE_DIR "'/figures/*.awk .");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        shell("awk %s", cases[c].command);
        expect_code(0);
        cr_expect_str_eq(said.out, cases[c].said, "%s: %s", cases[c].command, said.out);
    }
}

/* Only one of va2023's five bodies has run: the figures are drawn, and name the missing bodies. */
Test(pipeline, figures_stand_where_runs_are_missing) {
    shell("mkdir -p experiments/va2023 figures/va2023 data && rm figures/paper/* experiments/paper/* paper_checks/* && "
          "cp '" SOURCE_DIR "'/figures/*.awk '" SOURCE_DIR "'/figures/*.inc figures && cp '" SOURCE_DIR
          "/data/meshes.yaml' data && "
          "cd '" SOURCE_DIR "/figures/va2023' && cp fig7.gp fig9.gp loss.gp *.inc \"$OLDPWD/figures/va2023\"");
    expect_code(0);
    text_write("experiments/va2023/free-fall.yaml",
               "springback: 1\npaper: va2023\n"
               "body: {mesh: sphere_482, surface: {length: 2 m}, node_mass: 1 kg}\n"
               "method: [{name: mass_spring, stiffness: 500 N/m, damping: 1 N s/m},\n"
               "         {name: volume_constraint, stiffness: 500 N/m, damping: 1 N s/m}]\n"
               "scene: {ground: {height: 0 m}}\n"
               "time: {step: 1 ms, steps_per_frame: 10, frames: 4}\nrecord: {mesh_every: 2}\n");
    text_write(
        "paper_checks/va2023.yaml",
        "springback: 1\npaper: va2023\nclaims:\n"
        "  - {id: va2023.free-fall.vpc-mean-max-loss, says: five, kind: consistency, compute: 5, reported: 5}\n");
    shell("export SPRINGBACK_BODIES=$PWD/bodies; ./program meshes sphere_482 && "
          "env -u MAKEFLAGS -u MAKELEVEL make -f Makefile.experiments OUT=out SPRINGBACK=./program figures");
    expect_code(0);
    expect_out("drew out/figures/va2023/fig9.png");
    char *bars = text_read("out/figures/va2023/fig7.svg"), *curves = text_read("out/figures/va2023/loss.svg");
    cr_expect(strstr(bars, "not run") && strstr(bars, "482 nodes") && strstr(bars, "mean: 5 %"));
    cr_expect(strstr(curves, "Dragon not run") && !strstr(curves, "Sphere not run"));
    shell("head -c 200 out/figures/va2023/fig9.svg");
    expect_out("viewBox=\"0 0 1350 1450\"");
    free(bars);
    free(curves);
}

/* A sweep runs only on request, and not for timed experiments. If a sweep exists, a figure shows its results. */
Test(pipeline, a_sweep_is_made_on_demand_and_drawn) {
    static const char swept[] = "springback: 1\npaper: va2023\nbody: {cloth: {nodes: [6, 5]}}\n"
                                "method: {name: mass_spring, stiffness: 100 N/m}\n"
                                "assumptions: \n  body.node_mass: {value: 1 kg, likely: [0.5 kg, 2 kg], why: w}\n",
                      frames[] = "time: {step: 1 ms, frames: 4}\n",
                      timed[] = "time: {step: 1 ms, frames: 4, repeats: 2}\n";
    shell("mkdir -p experiments/va2023 figures/va2023 && rm figures/paper/* experiments/paper/* paper_checks/* && "
          "cp '" SOURCE_DIR "/figures/sensitivity.inc' figures && "
          "cp '" SOURCE_DIR "/figures/va2023/sensitivity.gp' figures/va2023");
    expect_code(0);
    char *fall = text_format("%s%s", swept, frames), *speed = text_format("%s%s", swept, timed);
    text_write("experiments/va2023/free-fall.yaml", fall);
    text_write("experiments/va2023/speed.yaml", speed);
    text_write("paper_checks/va2023.yaml",
               "springback: 1\npaper: va2023\nclaims:\n"
               "  - {id: va2023.free-fall.falls, says: it falls, kind: bound, from: {experiment: va2023/free-fall, "
               "quantity: largest_speed, over_frames: last}, expect: '> 0 m/s'}\n");
    make("figures");
    expect_code(0);
    char *without = text_read("out/figures/va2023/sensitivity.svg");
    make("sensitivity MEMBERS=2");
    expect_code(0);
    expect_out("va2023/free-fall: 2 likely and 2 possible set-ups");
    expect_no_out("va2023/speed");
    make("figures");
    expect_code(0);
    shell("tail -1 out/va2023/shares.tsv"); /* 34.24 %, Wilson's lower limit: 1 / (1 + 1.96^2 / 2) */
    expect_out("va2023.free-fall.falls\tva2023/free-fall\tnot swept\t2\t100\t34.24\t100\t2\t100\tyes\n");
    make("figures");
    expect_no_out("drew");
    char *with = text_read("out/figures/va2023/sensitivity.svg");
    cr_expect(strstr(without, "not swept yet") && !strstr(with, "not swept yet") && strstr(with, "free-fall.falls"));
    free(without);
    free(with);
    free(fall);
    free(speed);
}

/* The script .ci/run of the continuous integration. Other scripts replace make and the program: `make` prints a given
 * line, and `check` exits with a given code. */
Test(pipeline, continuous_integration_fails_where_it_should) {
    static const struct {
        const char *again;
        int verdicts, code;
    } cases[] = {
        {"  nothing to run: all 1 experiments are up to date", 0, 0},
        {"  nothing to run: all 1 experiments are up to date\n  2 pictures drawn", 0, 1},
        {"  [1/1] paper/cloth 0.1 s", 0, 1},
        {"  nothing to run: all 1 experiments are up to date", 1, 1},
        {"  nothing to run: all 1 experiments are up to date", 2, 2},
    };
    shell("mkdir -p .ci build bin experiments/cetinaslan2019 && cp '" SOURCE_DIR
          "/.ci/run' .ci && >experiments/cetinaslan2019/some.yaml");
    text_write("bin/make", "#!/bin/sh\ncat again\n");
    text_write("build/springback",
               "#!/bin/sh\ncase \"$*\" in \"check --untimed --experiments experiments --out out/here\"*) "
               "exit $(cat verdicts) ;; \"run --quiet --out out/convergence \"*|\"check --out out/convergence \"*) ;; "
               "*) exit 9 ;; esac\n");
    shell("chmod +x bin/make build/springback");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        char *verdicts = text_format("%d", cases[c].verdicts);
        text_write("again", cases[c].again);
        text_write("verdicts", verdicts);
        free(verdicts);
        shell("unset OUT; MACHINE=here PATH=\"$PWD/bin:$PATH\" .ci/run");
        expect_code(cases[c].code);
        cr_expect_eq(strstr(said.out, "1 passed, 0 failed") != NULL, cases[c].code == 0, "case %zu: %s", c, said.out);
    }
}
