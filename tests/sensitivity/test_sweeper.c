/* Sweeps: how they resume, run in shards, are verified, or are refused. */
#include "falling_cloth.h"
#include "run/sweep.h"

TestSuite(sweeper, .init = shell_begin, .fini = shell_end);

/* ---- Resuming ---- */

static const char *const table_of[] = {"data/sweeps/paper/steps.tsv.xz"};

static void expect_same(const char *a, const char *b) {
    shell("cmp %s/paper/steps/sensitivity.tsv %s/paper/steps/sensitivity.tsv && cmp %s.s/paper/steps.tsv.xz "
          "%s.s/paper/steps.tsv.xz",
          a, b, a, b);
    expect_code(0);
    char *folder = text_format("%s/paper/steps/sensitivity", b);
    cr_expect_eq(matching(folder), 0, "traces of members were left");
    free(folder);
}

#define SWEEP_INTO(out) "\"$S\" sensitivity --claims claims.yaml --out " out " --sweeps " out ".s paper/steps.yaml "

Test(sweeper, a_sweep_that_was_cut_or_grown_equals_one_that_was_not) {
    write_fall("steps", steps_and_mass);
    write_part_script();
    text_write("claims.yaml", claims);
    shell(SWEEP_INTO("whole") "-n 8 -p 4");
    expect_code(0);
    /* the 4 possible members have the values of likely members */
    expect_out("  16 of 20 runs must be done; this takes about ");
    /* If the sweep grows, its members are kept. */
    shell(SWEEP_INTO("grown") "-n 3 -p 2");
    expect_code(0);
    shell(SWEEP_INTO("grown") "-n 8 -p 4");
    expect_code(0);
    expect_out("  5 of 20 runs must be done; this takes about ");
    expect_same("whole", "grown");
    shell(SWEEP_INTO("grown") "-n 3 -p 0");
    expect_code(0);
    expect_out("8 likely and 4 possible set-ups");
    expect_same("whole", "grown");
    /* The sweep is killed in the middle. */
    shell(SWEEP_INTO("killed") "-n 8 -p 4 -q >/dev/null & pid=$!; for i in $(seq 2000); do "
                               "[ -e killed/paper/steps/sensitivity/members.tsv ] && break; sleep 0.002; done; "
                               "kill -9 $pid; wait $pid");
    shell(SWEEP_INTO("killed") "-n 8 -p 4 -q");
    expect_code(0);
    expect_same("whole", "killed");
    /* The sweep is killed before its first member is written: the part file is empty, or is cut off in its first lines.
     */
    for (int k = 0; k < 2; ++k) {
        shell(
            "rm killed.s/paper/steps.tsv.xz; mkdir -p killed/paper/steps/sensitivity && "
            "xz -dc <whole.s/paper/steps.tsv.xz | head -c %d >killed/paper/steps/sensitivity/members.tsv; " SWEEP_INTO(
                "killed") "-n 8 -p 4 -q",
            100 * k);
        expect_code(0);
        expect_same("whole", "killed");
    }
    /* The table is lost, and the last member of the part file is incomplete: the results are the same. */
    shell("rm killed.s/paper/steps.tsv.xz && mkdir -p killed/paper/steps/sensitivity && " PART_OF(
        "whole.s/paper/steps.tsv.xz") " | head -n -20 >killed/paper/steps/sensitivity/members.tsv && "
                                      "printf 'row\\twh' >>killed/paper/steps/sensitivity/members.tsv; " SWEEP_INTO(
                                          "killed") "-n 8 -p 4");
    expect_code(0);
    expect_out(" of 20 runs must be done");
    expect_no_out("  16 of 20 runs must be done");
    expect_same("whole", "killed");
    /* The members on another backend are bit-identical. */
    shell(SWEEP_INTO("threads") "-n 8 -p 4 -q --backend threads:2 >/dev/null; xz -dc <threads.s/paper/steps.tsv.xz | "
                                "grep '^member\\|^row\\|^numbers' >a; xz -dc <whole.s/paper/steps.tsv.xz | "
                                "grep '^member\\|^row\\|^numbers' >b; cmp a b");
    expect_code(0);
}

/* Shards run in parallel in one folder. The part file of shard 2 is truncated, and shard 3 does not run. */
Test(sweeper, shards_together_equal_a_whole_sweep) {
    static const char *const folder = "shards/paper/steps/sensitivity";
    write_fall("steps", steps_and_mass);
    text_write("claims.yaml", claims);
    shell(SWEEP_INTO("whole") "-n 8 -p 4 -q >/dev/null && " SWEEP_INTO(
        "shards") "-n 8 -p 4 --shard 1/3 -q & " SWEEP_INTO("shards") "-n 8 -p 4 --shard=2/3 && wait");
    expect_code(0);
    expect_out("this is shard 2 of 3\n  7 of 7 runs must be done; this takes about ");
    expect_no_out("t.moves");
    cr_expect(matching("shards/paper/steps/sensitivity/members-?-of-3.tsv") == 2 && !matching("shards.s"));
    /* A shard whose part file is cut off in its last member resumes. */
    shell("p=%s/members-2-of-3.tsv; head -c -10 $p >cut && cp cut $p; " SWEEP_INTO(
              "shards") "-n 8 -p 4 --shard=2/3 && grep -c '^member' $p && ! grep 'row.*member' $p",
          folder);
    expect_code(0);
    expect_out("  1 of 7 runs must be done; this takes about ");
    expect_out("\n7\n");
    /* The third shard has not run. A sweep without --shard runs the members of this shard. */
    shell(SWEEP_INTO("shards") "-n 8 -p 4");
    expect_code(0);
    expect_out("  4 of 20 runs must be done; this takes about ");
    expect_same("whole", "shards");
    /* Shard 1 has not run. The table takes its notes from the member with the chosen values, which is in shard 1. */
    shell(SWEEP_INTO("late") "-n 8 -p 4 --shard 2/2 --scratch node -q && test -z \"$(find late -name '*.h5' -o -name "
                             "'*.vtkhdf')\" && ls node "
                             "&& " SWEEP_INTO("late") "-n 8 -p 4 -q >/dev/null");
    expect_same("whole", "late");
    shell(SWEEP_INTO("shards") "--shard 1/2 --search 200");
    expect_code(2);
    expect_err("--search cannot be combined with --shard");
}

/* The only varied assumption has two values, so only 2 of the 12 likely and possible members run. The 8 noise members
 * run, too. Each other member gets the results of the first member with the same values, also if the sweep grows. */
Test(sweeper, members_with_the_same_values_run_once) {
    write_fall("steps", "  time.steps_per_frame: {value: 20, likely: [20], why: x}\n"
                        "  body.node_mass: {value: 1 kg, likely: [1 kg], why: x}\n"
                        "  body.cloth.pins: {value: none, likely: [none, border], why: x}\n"
                        "  method.stiffness: {value: 5 N/m, likely: [5 N/m], why: x}\n");
    text_write("claims.yaml", claims);
    shell(SWEEP_INTO("whole") "-n 8 -p 4");
    expect_code(0);
    expect_out("  10 of 20 runs must be done; this takes about ");
    shell(SWEEP_INTO("grown") "-n 3 -p 0 -q && " SWEEP_INTO("grown") "-n 8 -p 4 -q");
    expect_code(0);
    expect_same("whole", "grown");
    shell("\"$S\" verify -q --sample 20 --out v --sweeps whole.s paper/steps.yaml");
    expect_code(0);
    expect_out("20 members of 1 of 1 tables were run again; 20 are bit-identical");
}

/* Members run again if a claim needs a number that the table lacks. In the first case, a new reading of the claim needs
 * the number. In the second case, an earlier version of the program did not record the series of the number. */
Test(sweeper, numbers_that_a_table_lacks_are_made) {
    static const char asked[] = "springback: 1\npaper: test\nclaims:\n"
                                "  - {id: t.moves, where: here, says: it moves, kind: bound, expect: '> 0.001 m/s',\n"
                                "     from: {experiment: paper/steps, quantity: largest_speed, over_frames: max}%s}\n";
    char *before = text_format(asked, ""),
         *after = text_format(asked, ",\n     readings: [{says: by the first frame, from: {experiment: paper/steps, "
                                     "quantity: largest_speed, over_frames: first}}]");
    write_fall("steps", steps_and_mass);
    text_write("claims.yaml", before);
    shell("\"$S\" sensitivity -n 4 -p 0 -q --claims claims.yaml --out out paper/steps.yaml && xz -dc <%s", table_of[0]);
    expect_code(0);
    expect_no_out("column\tlargest_speed\tfirst");
    text_write("claims.yaml", after);
    shell("\"$S\" sensitivity -n 4 -p 0 -q --claims claims.yaml --out out paper/steps.yaml && xz -dc <%s", table_of[0]);
    expect_code(0);
    expect_out("column\tlargest_speed\tfirst\tm/s\n");
    /* Make a table as from an earlier version of the program, which did not record this series. */
    shell("xz -dc <%s | sed 's/^column\tlargest_speed/column\tearlier/' | xz >cut.xz && mv cut.xz %s", table_of[0],
          table_of[0]);
    expect_code(0);
    shell("\"$S\" sensitivity -n 4 -p 0 -q --claims claims.yaml --out out paper/steps.yaml && xz -dc <%s", table_of[0]);
    expect_code(0);
    expect_out("column\tlargest_speed\tfirst\tm/s\n");
    free(before);
    free(after);
}

Test(sweeper, clean_knows_what_an_interrupted_sweep_left) {
    write_fall("steps", steps_and_mass);
    shell("\"$S\" sensitivity -n 4 -p 0 -q --out out paper/steps.yaml && \"$S\" clean paper/steps.yaml --out out");
    expect_code(0);
    expect_out("nothing is left over");
    cr_expect(matching(table_of[0]) == 1 && matching("out/paper/steps/sensitivity.tsv") == 1);
    /* `clean` keeps the numbers of finished members, which a resumed sweep reads, and files of the user. */
    shell("mkdir -p out/paper/steps/sensitivity/l0003 && xz -dc <%s >out/paper/steps/sensitivity/members.tsv && "
          "echo x >out/paper/steps/sensitivity/mine && \"$S\" clean paper/steps.yaml --out out",
          table_of[0]);
    expect_code(0);
    cr_expect_eq(matching("out/paper/steps/sensitivity/members.tsv"), 1, "%s", said.out);
    cr_expect_eq(matching("out/paper/steps/sensitivity/mine"), 1, "a file of the user was removed");
    /* `clean` also removes what a sweep left if the experiment's file was deleted. */
    write_fall("mass", only_mass);
    shell("rm paper/steps.yaml out/paper/steps/sensitivity/mine; \"$S\" clean paper/mass.yaml --out out");
    cr_expect_eq(matching("out/paper/steps"), 0, "%s", said.out);
}

/* ---- Running members again ---- */

Test(sweeper, verify_finds_a_changed_member) {
    static const char change[] = "xz -dc <data/sweeps/paper/steps.tsv.xz >t; sed '%s' t | xz "
                                 ">data/sweeps/paper/steps.tsv.xz; cmp -s t /dev/null; "
                                 "\"$S\" verify -q --out out --sample 1000 paper/steps.yaml";
    write_fall("steps", steps_and_mass);
    shell("\"$S\" verify --out out paper/steps.yaml");
    expect_code(2);
    expect_err("data/sweeps: no table of a sweep of these experiments");
    shell("\"$S\" sensitivity -n 6 -p 5 -q --out out paper/steps.yaml && cp data/sweeps/paper/steps.tsv.xz whole");
    expect_code(0);
    shell("\"$S\" verify -q --out out --sample 4 paper/steps.yaml && cmp whole data/sweeps/paper/steps.tsv.xz");
    expect_code(0);
    expect_out("paper/steps.yaml: 4 of 4 members that were run again are bit-identical to the table\n4 members of 1 of "
               "1 tables were run again; 4 are bit-identical\n");
    cr_expect_eq(matching("out/paper/steps/sensitivity"), 0);
    /* Change a digest, a status or a number of one member. */
    static const char *const edits[] = {"/^member\\tlikely\\t3\\t/s/\\t[0-9a-f]\\{8\\}/\\t00000000/",
                                        "/^member\\tlikely\\t3\\t/{n;s/whole/diverged/}",
                                        "/^numbers/s/\\t[^\\t]*/&1/4"};
    for (size_t e = 0; e < sizeof edits / sizeof *edits; ++e) {
        shell("cp whole data/sweeps/paper/steps.tsv.xz");
        shell(change, edits[e]);
        expect_code(1);
        expect_err("data/sweeps/paper/steps.tsv.xz: member likely 3 ");
        expect_out("19 members of 1 of 1 tables were run again; 18 are bit-identical\n");
    }
    /* The table belongs to another version of the experiment file. */
    shell("cp whole data/sweeps/paper/steps.tsv.xz; sed -i 's/9 N/8 N/' paper/steps.yaml; \"$S\" verify --out out "
          "paper/steps.yaml");
    expect_code(2);
    expect_err("the table belongs to another version of the experiment file");
}

/* A table that was made with a stand-in says nothing about runs with the original. */
Test(sweeper, verify_skips_a_table_of_a_stand_in) {
    char *experiment = text_format("springback: 1\npaper: test\nbody: {mesh: ball}\nmethod: {name: mass_spring}\n"
                                   "time: {step: 1 ms, frames: 3}\nassumptions:\n%s",
                                   steps_and_mass);
    shell("mkdir data paper mine");
    text_write("paper/ball.yaml", experiment);
    free(experiment);
    text_write("mine/ball.off",
               "OFF\n8 12 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n2 2 2\n0 1 1\n3 0 2 1\n3 0 3 2\n"
               "3 4 5 6\n3 4 6 7\n3 0 1 5\n3 0 5 4\n3 1 2 6\n3 1 6 5\n3 2 3 7\n3 2 7 6\n3 3 0 4\n"
               "3 3 4 7\n");
    shell(
        "printf 'originals:\n  mine: {kind: folder, file: ball.off, sha256: %%s, licence: free, credit: me}\nmeshes:\n"
        "  ball:\n    doc: a ball\n"
        "    counts: {vertices: 8, triangles: 12, edges: 18, euler: 2, loops: 0, crossings: 0}\n    sources:\n"
        "      - {original: mine, steps: [centre]}\n      - {formula: {name: cube, squares: 1}, stand_in: true}\n' "
        "$(sha256sum <mine/ball.off | cut -d' ' -f1) >data/meshes.yaml; \"$S\" meshes -q ball && "
        "\"$S\" sensitivity -n 2 -p 0 -q --out out paper/ball.yaml && \"$S\" verify -q --out out paper/ball.yaml");
    expect_code(0);
    expect_out("1 members of 1 of 1 tables were run again; 1 are bit-identical\n");
    shell("\"$S\" meshes -q --from mine ball && \"$S\" verify --out out paper/ball.yaml");
    expect_code(0);
    expect_out("paper/ball.yaml: skipped, because a body here has another mesh than in the table");
    expect_out("0 members of 0 of 1 tables were run again; 0 are bit-identical\n");
}

/* An interrupted verification compares the members that have ended. */
Test(sweeper, verify_compares_what_has_ended_when_it_is_interrupted) {
    write_fall("steps", steps_and_mass);
    shell("sed -i 's/frames: 3/frames: 100/' paper/steps.yaml; \"$S\" sensitivity -n 60 -p 60 -q --out out "
          "paper/steps.yaml");
    expect_code(0);
    shell("\"$S\" verify --out out --sample 1000 -b threads:2 paper/steps.yaml & pid=$!; for i in $(seq 5000); do "
          "ls -d out/.verify-$pid/paper/steps/sensitivity/l001* 2>/dev/null && break; sleep 0.001; done; "
          "kill -TERM $pid; wait $pid");
    cr_expect_neq(said.code, 0);
    expect_out(" members of 1 of 1 tables were run again; ");
    expect_no_out("\n128 members of 1 of 1 ");
    cr_expect_eq(matching("out/.verify-*"), 0, "the scratch folder was left");
}

/* ---- Words and values that cannot be combined ---- */

/* Sweep paper/NAME.yaml with `members` likely members, and expect `least` to `most` of them to run. Returns how many
 * likely members ran. */
static int expect_passed_over(const char *name, int members, int least, int most) {
    struct sweep_table table;
    char *path = text_format("data/sweeps/paper/%s.tsv.xz", name);
    shell("\"$S\" sensitivity -n %d -p 0 --out out paper/%s.yaml", members, name);
    expect_code(0);
    expect_out(" of the set-ups cannot run: their values cannot be combined");
    cr_assert_eq(sweep_read(path, false, &table), STATUS_OK, "%s", failure_text());
    cr_expect_eq(table.member_count, members + 8);
    int run = 0;
    for (int m = 0; m < table.member_count; ++m)
        run += table.members[m].kind == MEMBER_LIKELY && *table.members[m].digest;
    cr_expect(run >= least && run <= most, "%d", run);
    sweep_free(&table);
    free(path);
    return run;
}

Test(sweeper, values_that_do_not_go_together_are_passed_over) {
    write_fall("push", "  method.stiffness: {value: 5 N/m, likely: [1 N/m, 9 N/m], why: x}\n"
                       "  body.node_mass: {value: 1 kg, likely: [0.5 kg, 2 kg], why: x}\n"
                       "  scene.push.acceleration: {value: [0, 1 m/s^2, 0], likely: [[0, 1 m/s^2, 0]], why: x}\n"
                       "  scene.push.from: {value: 0 s, likely: [0 s, 1 s], why: x}\n"
                       "  scene.push.until: {value: 1 s, likely: [0 s, 1 s], why: x}\n");
    const int run = expect_passed_over("push", 16, 5, 13);
    char *table = text_read("out/paper/push/sensitivity.tsv");
    int rows = 0;
    for (const char *at = table; (at = strchr(at, '\n')); ++at)
        ++rows;
    cr_expect_eq(rows, run + 8 + 1);
    free(table);
}

/* The variant `paper` is for meshes. The method checks this, not the reader of files. */
Test(sweeper, members_that_the_method_refuses_are_passed_over) {
    write_fall("kind", "  method.stiffness: {value: 5 N/m, likely: [1 N/m, 9 N/m], why: x}\n"
                       "  body.node_mass: {value: 1 kg, likely: [0.5 kg, 2 kg], why: x}\n"
                       "  method.variant: {value: tuned, likely: [tuned, paper], why: x}\n");
    expect_passed_over("kind", 8, 3, 6);
    shell(
        "sed -i 's/value: tuned/value: paper/' paper/kind.yaml && \"$S\" sensitivity -n 8 --out none paper/kind.yaml");
    expect_code(2);
    expect_err("member likely 0 of the sweep cannot run; its values are ");
    cr_expect_eq(matching("none"), 0);
}

/* A missing body is an error, even if only one member needs it. */
Test(sweeper, members_without_their_body_are_a_mistake) {
    mkdir("paper", 0777);
    text_write("paper/body.yaml", "springback: 1\npaper: paper\ntitle: t\nbody: {node_mass: 1 kg}\n"
                                  "method: {name: mass_spring, stiffness: 5 N/m}\ntime: {step: 1 ms, frames: 1}\n"
                                  "assumptions:\n"
                                  "  body.mesh: {value: " SOURCE_DIR "/tests/small_cube.off, likely: [" SOURCE_DIR
                                  "/tests/small_cube.off, paper/nowhere.off], why: x}\n");
    shell("\"$S\" sensitivity -n 4 --out none paper/body.yaml");
    expect_code(2);
    expect_err("nowhere.off");
    expect_err("of the sweep cannot run; its values are ");
    cr_expect_eq(matching("none"), 0);
}

Test(sweeper, bad_words_run_nothing) {
    write_fall("steps", steps_and_mass);
    write_fall("big", "  method.stiffness: {value: 5 N/m, likely: [1 N/m, 9 N/m], why: x}\n"
                      "  body.node_mass: {value: 1 kg, likely: [1 kg], why: x}\n"
                      "  body.cloth.springs: {value: [structural], likely: [[structural]], why: x}\n"
                      "  time.steps_per_frame: {value: 1, likely: [1, 1000000], why: x}\n");
    shell("sed -i 's/2, 2\\]/40000, 40000]/' paper/big.yaml; "
          "sed '/_mass/d; /stiff/d; /_per_/d; /^assumptions/d; "
          "s/mass_spring}/mass_spring, stiffness: 5 N\\/m}/; s/2, 2\\]}/2, 2]}, node_mass: 1 kg/' "
          "paper/steps.yaml >paper/none.yaml");
    static const struct {
        const char *words, *wrong;
    } rows[] = {
        {"", "no experiment file given"},
        {"paper/steps.yaml --members", "requires an argument"},
        {"paper/steps.yaml --members 1", "--members expects a whole number from 2 to 9999, not '1'"},
        {"paper/steps.yaml --members 10000", "not '10000'"},
        {"paper/steps.yaml --members 1e3", "not '1e3'"},
        {"paper/steps.yaml --members 99999999999999999999", "--members expects a whole number"},
        {"paper/steps.yaml --possible -1", "not '-1'"},
        {"paper/steps.yaml --search -1", "--search expects a whole number from 0 to 9999, not '-1'"},
        {"paper/steps.yaml --shard 5/4", "--shard='5/4' is not I/N with I from 1 to N"},
        {"paper/steps.yaml --shard 0/4", "--shard='0/4' is not"},
        {"paper/steps.yaml --shard 2", "--shard='2' is not"},
        {"paper/steps.yaml --out ''", "--out: the folder's name is empty"},
        {"paper/steps.yaml --set stiffness=1", "use --out DIR with a separate folder"},
        {"paper/steps.yaml --set stiffness=1 --out o", "use --sweeps DIR with a separate folder for the table"},
        {"paper/steps.yaml --tier slow", "has no tier slow"},
        {"paper/steps.yaml --backend serial --backend threads", "a sweep runs on one backend"},
        {"paper/steps.yaml --backend opencl:77", "opencl:77"},
        {"paper/steps.yaml --backend vulkan", "\"vulkan\" is not known"},
        {"paper/steps.yaml --claims nowhere.yaml", "nowhere.yaml"},
        {"paper/steps.yaml --only step=7s", "no run of paper/steps.yaml has step=7s"},
        {"paper/steps.yaml --fly", "unrecognized option"},
        {"paper/none.yaml", "paper/none.yaml: no assumption has a range; give one a `likely` or `possible` range"},
        {"paper/nowhere.yaml", "paper/nowhere.yaml: cannot be read"},
        {"paper/big.yaml", "member likely 0 of the sweep cannot run; its values are "},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r) {
        shell("\"$S\" sensitivity %s", rows[r].words);
        expect_code(2);
        expect_err(rows[r].wrong);
        cr_expect_eq(*said.out, 0, "%s", said.out);
        cr_expect(!matching("out") && !matching("data"), "%s left a folder", rows[r].words);
    }
}
