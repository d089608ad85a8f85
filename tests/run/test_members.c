/* Members of a sweep that run in parallel are bit-identical to members that run one at a time, and to single runs. */
#include "run/sweep.h"
#include "shell.h"
#include "trace/trace.h"

#include <sys/stat.h>

TestSuite(members, .init = shell_begin, .fini = shell_end);

/* Each member has two runs. In some members, runs blow up. Some members have an odd number of steps per frame. */
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

#define SWEEP "\"$S\" sensitivity -q -n 12 -p 4 paper/two.yaml "

static void sweep_on(const char *backend, const char *out) {
    shell(SWEEP "-b %s --out %s --sweeps %s.s", backend, out, out);
    expect_code(0);
}

/* Check that the members of two tables are bit-identical; their backends may differ. */
static void expect_same(const char *a, const char *b) {
    shell("for t in %s %s; do xz -dc <$t.s/paper/two.tsv.xz | grep '^member\\|^row\\|^numbers' >$t.rows; done; cmp "
          "%s.rows "
          "%s.rows && cmp %s/paper/two/sensitivity.tsv %s/paper/two/sensitivity.tsv",
          a, b, a, b, a, b);
    expect_code(0);
}

Test(members, a_sweep_is_the_same_on_every_backend) {
    write_two();
    sweep_on("serial", "serial");
    shell("xz -dc <serial.s/paper/two.tsv.xz");
    expect_out("row\tdiverged\n");
    expect_out("row\twhole\n");
    sweep_on("threads:3", "threads");
    expect_same("serial", "threads");
    sweep_on("opencl", "together");
    expect_same("serial", "together");
}

/* Compute the digest that a table has for a member, from the state hashes of the member's two runs. */
static void digest_of_states(const char *out, char text[DIGEST_SIZE]) {
    struct digest *digest = digest_create();
    for (int r = 0; r < 2; ++r) {
        char *path = text_format("%s/paper/two/damping=%d,backend=serial.h5", out, r ? 3 : 0),
             *hash = trace_peek(path, "state_hash");
        cr_assert_not_null(hash, "%s", path);
        digest_add_text(digest, hash);
        free(hash);
        free(path);
    }
    digest_finish(digest, text);
}

/* Each of these members is repeated by single runs with the member's values. For a noise member, body.noise is the
 * member's number. */
Test(members, a_member_ends_in_the_bits_of_a_run_with_its_values) {
    static const struct {
        enum member_kind kind;
        int number;
    } cases[] = {{MEMBER_LIKELY, 0}, {MEMBER_LIKELY, 3}, {MEMBER_POSSIBLE, 4}, {MEMBER_NOISE, 2}};
    struct sweep_table table;
    write_two();
    sweep_on("opencl", "together");
    cr_assert_eq(sweep_read("together.s/paper/two.tsv.xz", false, &table), STATUS_OK, "%s", failure_text());
    cr_expect(table.member_count == 24 && table.run_count == 2 && table.assumption_count == 4);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        const struct sweep_member *member = sweep_member(&table, cases[c].kind, cases[c].number);
        char *line = text_copy(""), digest[DIGEST_SIZE];
        cr_assert_not_null(member);
        for (int a = 0; a < table.assumption_count; ++a)
            text_append(&line, " --set '%s=%s'", table.assumptions[a].path, member->values[a]);
        if (member->kind == MEMBER_NOISE)
            text_append(&line, " --set body.noise=%d", member->number);
        shell("\"$S\" run -q -b serial --out alone%zu%s paper/two.yaml", c, line);
        expect_code(0);
        free(line);
        char *out = text_format("alone%zu", c);
        digest_of_states(out, digest);
        free(out);
        cr_expect_str_eq(digest, member->digest, "member %s %d", member_kind_name(member->kind), member->number);
        for (size_t other = 0; other < c; ++other)
            cr_expect_str_neq(member->digest, sweep_member(&table, cases[other].kind, cases[other].number)->digest);
    }
    sweep_free(&table);
}

Test(members, a_member_that_cannot_go_on_leaves_the_others) {
    static const char *const backends[] = {"threads:2", "opencl"}, *const names[] = {"threads.2", "opencl"};
    write_two();
    sweep_on("serial", "whole");
    for (int k = 0; k < 2; ++k) {
        char *part = text_format("%s/paper/two/sensitivity/l0002/damping=3,backend=%s.h5.part", names[k], names[k]);
        shell("mkdir -p %s && " SWEEP "-b %s --out %s --sweeps %s.s", part, backends[k], names[k], names[k]);
        expect_code(2);
        expect_err("member likely 2 of the sweep cannot run; its values are time.steps_per_frame = ");
        cr_expect_eq(said.out[0], 0, "%s", said.out);
        shell("rmdir %s; grep -c ^member %s/paper/two/sensitivity/members.tsv && ! ls %s.s/paper/two.tsv.xz", part,
              names[k], names[k]);
        expect_code(0);
        sweep_on(backends[k], names[k]);
        expect_same("whole", names[k]);
        free(part);
    }
}

Test(members, a_sweep_that_was_interrupted_goes_on) {
    static const char *const backends[] = {"threads:2", "opencl"}, *const names[] = {"threads", "opencl"};
    write_two();
#define LONG SWEEP "--set time.frames=500 "
    shell(LONG "-b serial --out whole --sweeps whole.s");
    expect_code(0);
    for (int k = 0; k < 2; ++k) {
        shell(LONG "-b %s --out %s --sweeps %s.s & pid=$!; for i in $(seq 4000); do ls "
                   "%s/paper/two/sensitivity/*/*.part >.ls 2>&1 && break; sleep 0.005; done; "
                   "sleep 0.05; kill -TERM $pid; wait $pid",
              backends[k], names[k], names[k], names[k]);
        expect_code(128 + 15);
        cr_expect_eq(said.out[0], 0, "%s", said.out);
        shell(LONG "-b %s --out %s --sweeps %s.s", backends[k], names[k], names[k]);
        expect_code(0);
        expect_same("whole", names[k]);
    }
}
