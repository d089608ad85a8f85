/* Tests of tests/bench/frontier.sh, which `make frontier` calls: with a script of known speed in place of springback,
 * and with springback. */
#include "shell.h"

/* A script that replaces the program. Each method has a bound. If the bound is 500, a cloth of 500 x 500 nodes runs at
 * 30 frames per second, and a cloth of twice as many nodes at 15. The script refuses a cloth with more than $MOST nodes
 * per side. With the adaptive method, 5 % of the springs are constraints in cloths of more than 50 nodes per side, and
 * 60 % in all other cloths. */
static const char program[] =
    "#!/usr/bin/env bash\n"
    "for word; do\n"
    "    case $before in\n"
    "    --out) out=$word;;\n"
    "    -k) method=${word#method.name=};;\n"
    "    -s) side=${word#*, } side=${side%]};;\n"
    "    esac\n"
    "    before=$word\n"
    "done\n"
    "if [ $1 = run ]; then\n"
    "    [ $side -le ${MOST:-100000} ] || { echo 'it does not fit' >&2; exit 2; }\n"
    "    mkdir -p $out && echo $method $side >$out/made\n"
    "    exit\n"
    "fi\n"
    "mkdir -p $out\n"
    "read -r method side <$out/../made\n"
    "case $method in mass_spring) bound=500;; constraint_enforcement) bound=100;; *) bound=70;; esac\n"
    "rate=$(awk -v b=$bound -v s=$side 'BEGIN {printf \"%.9g\", 30 * b * b / (s * s)}')\n"
    "h='run\\tstatus\\tbackend_kind\\tbackend\\tdevice\\tnodes\\tsprings\\tframes_per_second\\tframes_per_second_"
    "low\\t'\n"
    "printf \"$h\"'frames_per_second_high\\tsamples\\n' >$out/summary.tsv\n"
    "printf 'one\\twhole\\tserial\\tserial\\tD\\t%d\\t100\\t%s\\t1\\t2\\t3\\n' $((side * side)) $rate "
    ">>$out/summary.tsv\n"
    "active=5; [ $side -gt 50 ] || active=60\n"
    "if [ $method = adaptive_constraint ]; then\n"
    "    printf 'frame\\tactive_constraints\\tresidual\\n0\\t0\\t0\\n1\\t0\\t0.5\\n2\\t%d\\t0.25\\n3\\t%d\\t0.1\\n' "
    "$active $active\n"
    "else\n"
    "    printf 'frame\\tkinetic_energy\\n0\\t0\\n1\\t0\\n'\n"
    "fi >$out/one.tsv\n";

static void setup(void) {
    shell_begin();
    text_write("program", program);
    cr_assert_eq(shell("chmod +x program && ln -s '" SOURCE_DIR "/experiments' experiments"), 0);
}

TestSuite(frontier, .init = setup, .fini = shell_end);

#define FRONTIER "bash '" SOURCE_DIR "/tests/bench/frontier.sh' "

Test(frontier, the_largest_grid_is_found) {
    shell(FRONTIER "./program out full found.tsv serial");
    expect_code(0);
    expect_out("mass_spring on D: 250000 nodes, 500 x 500, at 30 frames/s; 504 x 504 does not run in real time");
    expect_out(
        "constraint_enforcement on D: 10000 nodes, 100 x 100, at 30 frames/s; 101 x 101 does not run in real time");
    expect_out("adaptive_constraint on D: 2500 nodes, 50 x 50, at 58.8 frames/s, residual 0.5, 60 % of the springs are "
               "constraints; 51 x 51 does not run in real time");
    shell("cut -f1,5,15 found.tsv | tail -7");
    expect_out("adaptive_constraint\t32\tyes\nadaptive_constraint\t64\tno\nadaptive_constraint\t48\tyes\n"
               "adaptive_constraint\t56\tno\nadaptive_constraint\t52\tno\nadaptive_constraint\t50\tyes\n"
               "adaptive_constraint\t51\tno\n");
}

Test(frontier, what_does_not_fit_is_not_in_real_time) {
    shell("MOST=300 " FRONTIER "./program out full found.tsv serial");
    expect_code(0);
    expect_err("mass_spring on serial: 512 x 512 cannot be run");
    expect_out("mass_spring on D: 90000 nodes, 300 x 300, at 83.33 frames/s; no larger grid was tried");
}

/* If nothing runs, or if an argument is wrong, no table is written. */
Test(frontier, what_is_wrong_is_said) {
    shell("MOST=10 " FRONTIER "./program out quick found.tsv serial");
    expect_code(2);
    expect_err("it does not fit");
    shell("FIRST=x " FRONTIER "./program out quick found.tsv serial");
    expect_code(2);
    expect_err("FIRST='x' and LAST='16384' must be whole numbers of nodes per side");
    shell("FIRST=64 LAST=32 " FRONTIER "./program out quick found.tsv serial");
    expect_code(2);
    expect_err("FIRST must be at least 4, and LAST at least FIRST");
    shell(FRONTIER "./program out");
    expect_code(2);
    expect_err("tests/bench/frontier.sh SPRINGBACK OUT TIER FOUND BACKEND...");
    cr_expect_eq(matching("found.tsv*"), 0);
}

Test(frontier, the_program_itself_is_asked) {
    shell("FIRST=16 LAST=16 " FRONTIER "\"$S\" out quick found.tsv serial");
    expect_code(0);
    expect_out("adaptive_constraint on serial: 16 x 16, ");
    expect_out(" % of the springs are constraints");
    expect_out("no larger grid was tried");
    shell("awk -F'\\t' 'NR > 1 && ($6 != 256 || $7 != 1378 || $8 < 30 || $15 != \"yes\")' found.tsv; wc -l <found.tsv");
    expect_code(0);
    cr_expect_str_eq(said.out, "4\n");
}
