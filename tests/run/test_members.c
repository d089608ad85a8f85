/* A sweep's members, run side by side, leave what they leave one by one. */
#include "shell.h"
#include "trace/trace.h"

#include <glob.h>
#include <sys/stat.h>

TestSuite(members, .init = shell_begin, .fini = shell_end);

/* Two runs a member, one of which blows up in some members, and steps a frame that are odd and even. */
static const char two[] = "springback: 1\n"
                          "paper: test\n"
                          "body: {cloth: {nodes: [5, 4]}}\n"
                          "method: {name: mass_spring, damping: [0 N s/m, 3 N s/m]}\n"
                          "time: {step: 5 ms, frames: 9}\n"
                          "assumptions:\n"
                          "  time.steps_per_frame: {value: 2, likely: [2, 5], why: x}\n"
                          "  body.node_mass: {value: 1 kg, likely: [0.5 kg, 2 kg], why: x}\n"
                          "  body.cloth.pins: {value: corners, likely: [corners, border], why: x}\n"
                          "  method.stiffness: {value: 50 N/m, likely: [1 N/m, 1000000 N/m], why: x}\n";

static void write_two(void) {
    mkdir("paper", 0777);
    text_write("paper/two.yaml", two);
}

/* Trace by trace, without their backends: a note of all of a kind. */
static char *notes(const char *out, const char *name) {
    char *pattern = text_format("%s/paper/two/sensitivity/*/*.h5", out), *all = text_copy("");
    glob_t found = {0};
    cr_assert_eq(glob(pattern, 0, NULL, &found), 0);
    for (size_t f = 0; f < found.gl_pathc; ++f) {
        const char *path = found.gl_pathv[f] + strlen(out);
        char *note = trace_peek(found.gl_pathv[f], name);
        cr_assert_not_null(note);
        char *longer = text_format("%s%.*s %s\n", all, (int)(strstr(path, "backend=") - path), path, note);
        free(note);
        free(all);
        all = longer;
    }
    globfree(&found);
    free(pattern);
    return all;
}

static void expect_same(const char *a, const char *b) {
    static const char *const names[] = {"state_hash", "status", "diverged_frame", "frames", "threads"};
    shell("cmp %s/paper/two/sensitivity.tsv %s/paper/two/sensitivity.tsv && "
          "cmp %s/paper/two/sensitivity/members.tsv %s/paper/two/sensitivity/members.tsv && "
          "for m in %s/paper/two/sensitivity/0*; do sed 's/backend=[a-z]*\\(\\.[0-9]\\)*//g; s/[0-9a-f]\\{32\\}//g; "
          "s/\"backend\":\"[^\"]*\"//' $m/runs.tsv; done "
          ">a && "
          "for m in %s/paper/two/sensitivity/0*; do sed 's/backend=[a-z]*\\(\\.[0-9]\\)*//g; s/[0-9a-f]\\{32\\}//g; "
          "s/\"backend\":\"[^\"]*\"//' $m/runs.tsv; done "
          ">b && "
          "cmp a b",
          a, b, a, b, a, b);
    expect_code(0);
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n) {
        char *first = notes(a, names[n]), *second = notes(b, names[n]);
        cr_expect_str_eq(first, second, "%s and %s: %s", a, b, names[n]);
        free(first);
        free(second);
    }
}

#define SWEEP "\"$S\" sensitivity -q -n 10 paper/two.yaml "

Test(members, a_sweep_is_the_same_on_every_backend) {
    write_two();
    shell(SWEEP "-b serial --out serial");
    expect_code(0);
    char *said_alone = text_copy(said.out), *ends = notes("serial", "status");
    cr_expect(strstr(ends, "diverged") && strstr(ends, "whole"), "%s", ends);
    shell(SWEEP "-b threads:3 --out threads");
    expect_code(0);
    cr_expect_str_eq(said.out, said_alone);
    expect_same("serial", "threads");
    char *devices = notes("threads", "device");
    cr_expect(strstr(devices, ", 1 thread\n") && !strstr(devices, "3 threads"), "%s", devices);
    free(devices);
    shell(SWEEP "-b opencl --out together");
    expect_code(0);
    cr_expect_str_eq(said.out, said_alone);
    expect_same("serial", "together");
    free(said_alone);
    free(ends);
    /* A run of its own ends in a member's bits. */
    shell("\"$S\" run -q -b serial --out alone --only damping=3 paper/two.yaml");
    expect_code(0);
    char *alone = trace_peek("alone/paper/two/damping=3,backend=serial.h5", "state_hash"),
         *member = trace_peek("together/paper/two/sensitivity/0000/damping=3,backend=opencl.h5", "state_hash");
    cr_assert(alone && member);
    cr_expect_str_eq(alone, member);
    free(alone);
    free(member);
}

Test(members, a_member_that_cannot_go_on_leaves_the_others) {
    static const char *const backends[] = {"threads:2", "opencl"}, *const names[] = {"threads.2", "opencl"};
    write_two();
    shell(SWEEP "-b serial --out whole");
    expect_code(0);
    for (int k = 0; k < 2; ++k) {
        char *part = text_format("%s/paper/two/sensitivity/0002/damping=3,backend=%s.h5.part", names[k], names[k]);
        shell("mkdir -p %s && " SWEEP "-b %s --out %s", part, backends[k], names[k]);
        expect_code(2);
        expect_err("so member 2 of the sweep cannot run: time.steps_per_frame = ");
        cr_expect_eq(said.out[0], 0, "%s", said.out);
        shell("rmdir %s; ls %s/paper/two/sensitivity/0001/damping=3*.h5 && " SWEEP "-b %s --out %s", part, names[k],
              backends[k], names[k]);
        expect_code(0);
        expect_same("whole", names[k]);
        free(part);
    }
}

Test(members, a_sweep_that_was_interrupted_goes_on) {
    static const char *const backends[] = {"threads:2", "opencl"}, *const names[] = {"threads", "opencl"};
    write_two();
#define LONG SWEEP "--set time.frames=500 "
    shell(LONG "-b serial --out whole");
    expect_code(0);
    for (int k = 0; k < 2; ++k) {
        shell(LONG
              "-b %s --out %s & pid=$!; "
              "for i in $(seq 4000); do ls %s/paper/two/sensitivity/*/*.part >.ls 2>&1 && break; sleep 0.005; done; "
              "sleep 0.1; kill -TERM $pid; wait $pid",
              backends[k], names[k], names[k]);
        expect_code(128 + 15);
        cr_expect_eq(said.out[0], 0, "%s", said.out);
        shell(LONG "-b %s --out %s", backends[k], names[k]);
        expect_code(0);
        expect_same("whole", names[k]);
    }
}
