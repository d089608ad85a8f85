/* Interrupted runs and damaged traces: whole traces are not lost, damage is reported, and a resumed run is
 * bit-identical to an uninterrupted one. */
#include "mesh_write.h"
#include "run/recorder.h"
#include "run/runner.h"
#include "same_trace.h"
#include "shapes.h"
#include "shell.h"

#include <errno.h>
#include <hdf5.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* If HDF5 detects that a file is damaged, it does not free all memory. Leaks of HDF5 are therefore ignored. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libhdf5";
}

static const char cloth[] = "springback: 1\n"
                            "paper: test\n"
                            "title: A small cloth\n"
                            "body: {cloth: {nodes: [9, 7], pins: corners}, node_mass: 1 kg}\n"
                            "method: {name: mass_spring, stiffness: 100 N/m, damping: 0.1 N s/m}\n"
                            "scene: {push: {acceleration: [3 m/s^2, 40 m/s^2, 1 m/s^2], from: 0.01 s, until: 0.09 s}}\n"
                            "time: {step: 1 ms, steps_per_frame: 10, frames: 12}\n"
                            "record: {every: 2, mesh_every: 4}\n";

/* A run that takes longer than any test. */
static const char endless[] = "springback: 1\n"
                              "paper: test\n"
                              "title: A cloth without end\n"
                              "body: {cloth: {nodes: [30, 30], pins: corners}, node_mass: 1 g}\n"
                              "method: {name: mass_spring, stiffness: 10 N/m, damping: 0.01 N s/m}\n"
                              "time: {step: 1 ms, steps_per_frame: 10, frames: 100000}\n"
                              "record: {every: 1000}\n";

static const char trace_path[] = "out/paper/cloth/serial.trace-1.vtkhdf",
                  part_path[] = "out/paper/cloth/serial.trace-1.vtkhdf.part";

static void setup(void) {
    shell_begin();
    cr_assert_eq(mkdir("paper", 0777), 0);
    text_write("paper/cloth.yaml", cloth);
    text_write("paper/endless.yaml", endless);
    cr_assert_eq(setenv("S", SPRINGBACK, 1), 0);
}

static void teardown(void) {
    shell_end();
    failure_clear();
}

TestSuite(resume, .init = setup, .fini = teardown);

static bool exists(const char *path) {
    return access(path, F_OK) == 0;
}

static char *bytes_read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = memory_new(*size + 1, 1);
    cr_assert_eq(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void bytes_write(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
}

/* ---- In this process: interrupted after a frame that the test chooses ---- */

static struct run_outcome outcome;

static void keep_outcome(void *context, const struct run *run, const struct run_outcome *of) {
    (void)context, (void)run;
    outcome = *of;
    outcome.hash = outcome.trace = outcome.reason = "";
}

static int run_all(const struct plan *plan, const char *out, bool resume) {
    const struct runner_options options = {
        .out = out, .resume = resume, .quiet = true, .missing_is_bad = true, .report = keep_outcome};
    return runner_run(plan, &options);
}

static void plan_of_file(const char *file, const char *backend, const char *precision, struct plan *plan) {
    const char *set[] = {precision, NULL}, *backends[] = {backend, NULL};
    const struct plan_options options = {
        .methods = method_table, .backend_words = backend_words, .set = set, .backends = backends};
    cr_assert_eq(plan_read(file, &options, plan), STATUS_OK, "%s", failure_text());
}

static void plan_of(const char *backend, const char *precision, struct plan *plan) {
    plan_of_file("paper/cloth.yaml", backend, precision, plan);
}

/* Begin the run as the runner does, and stop after `cut` frames. A checkpoint is written after every `keep_every`
 * frames. */
static void begin(const struct plan *plan, const char *path, const char *key, int cut, int keep_every) {
    const struct run *run = &plan->runs[0];
    struct backend_choice choice;
    struct model model;
    struct simulation *simulation;
    struct recorder *recorder;
    bool diverged = false;
    cr_assert_eq(backend_choose(run_text(run, "backend"), &choice), STATUS_OK);
    model_describe(run, &model);
    cr_assert_eq(model_build(&model), STATUS_OK);
    cr_assert_eq(simulation_open(&model, &choice, &simulation), STATUS_OK);
    struct recipe recipe;
    cr_assert_eq(recipe_make(run, &model, &choice, &recipe), STATUS_OK);
    snprintf(recipe.key, sizeof recipe.key, "%s", key);
    cr_assert_eq(recorder_open(path, &plan->experiment, &model, run, &choice, &recipe, NULL, NULL, &recorder),
                 STATUS_OK, "%s", failure_text());
    cr_assert_eq(simulation_fetch(simulation), STATUS_OK);
    cr_assert_eq(recorder_add_frame(recorder, simulation, 0, &diverged), STATUS_OK);
    for (int f = 1; f <= cut; ++f) {
        cr_assert_eq(simulation_advance(simulation), STATUS_OK);
        cr_assert_eq(simulation_fetch(simulation), STATUS_OK);
        if (recorder_records(recorder, f))
            cr_assert_eq(recorder_add_frame(recorder, simulation, f, &diverged), STATUS_OK);
        if (f % keep_every == 0)
            cr_assert_eq(recorder_add_checkpoint(recorder, simulation, f, 0.5 * f, 0), STATUS_OK, "%s", failure_text());
    }
    cr_assert_eq(recorder_abandon(recorder), cut >= keep_every);
    simulation_close(simulation);
    model_free(&model);
}

static void expect_same(const char *path, const char *reference_path) {
    struct trace_data trace, reference;
    cr_assert_eq(trace_open(path, &trace), STATUS_OK, "%s", failure_text());
    cr_assert_eq(trace_open(reference_path, &reference), STATUS_OK, "%s", failure_text());
    const char *wrong = trace.whole ? trace_difference(&trace, &reference) : "it is not whole";
    cr_expect_null(wrong, "%s: %s", path, wrong);
    trace_close(&trace);
    trace_close(&reference);
}

/* Run the plan without interruption. Returns the path of its trace; *key becomes its key. Both are newly allocated. */
static char *reference_run(const struct plan *plan, char **key) {
    cr_assert_eq(run_all(plan, "reference", false), STATUS_OK, "%s", failure_text());
    char *path = text_format("reference/%s/%s.trace-1.vtkhdf", plan->experiment.name, plan->runs[0].id);
    *key = trace_peek(path, "key");
    cr_assert_not_null(*key);
    return path;
}

/* Interrupt the run of paper/NAME.yaml after each number of frames in `cuts`, resume it, and compare it with the run
 * without interruption. */
static void resume_at_cuts(const char *name, const char *backend, const char *precision, const int *cuts,
                           size_t cut_count) {
    struct plan plan;
    char *key;
    char *file = text_format("paper/%s.yaml", name), *make = text_format("mkdir -p out/paper/%s", name);
    plan_of_file(file, backend, precision, &plan);
    char *reference = reference_run(&plan, &key),
         *path = text_format("out/paper/%s/%s.trace-1.vtkhdf", name, plan.runs[0].id);
    cr_assert_eq(system(make), 0); /* NOLINT(cert-env33-c) */
    for (size_t c = 0; c < cut_count; ++c)
        for (int keep_every = 1; keep_every <= 3; keep_every += 2) {
            const int kept = cuts[c] / keep_every * keep_every;
            unlink(path);
            begin(&plan, path, key, cuts[c], keep_every);
            cr_assert_eq(run_all(&plan, "out", true), STATUS_OK, "%s", failure_text());
            cr_expect_eq(outcome.resumed, kept ? kept : -1, "%s: cut after %d: resumed at %d", backend, cuts[c],
                         outcome.resumed);
            cr_expect(outcome.seconds >= 0.5 * kept, "the time before the interruption is missing");
            expect_same(path, reference);
        }
    free(file);
    free(make);
    free(path);
    free(reference);
    free(key);
    plan_free(&plan);
}

static void resume_at_every_cut(const char *backend, const char *precision) {
    static const int cuts[] = {1, 2, 3, 7, 8, 11, 12};
    resume_at_cuts("cloth", backend, precision, cuts, sizeof cuts / sizeof *cuts);
}

Test(resume, at_every_cut_on_every_backend_it_ends_in_the_same_bits) {
    static const char *const backends[] = {"serial", "threads:3", "opencl"};
    for (size_t b = 0; b < sizeof backends / sizeof *backends; ++b) {
        resume_at_every_cut(backends[b], "method.precision=float");
        if (b == 0)
            resume_at_every_cut(backends[b], "method.precision=double");
    }
}

/* The numbers that a solver reports for a frame do not depend on the frame before. */
Test(resume, constraints_end_in_the_same_bits) {
    static const char *const settings[] = {"method.precision=float", "method.precision=double"};
    static const int cuts[] = {1, 6, 11};
    shell("sed 's/mass_spring.*/constraint_enforcement, iterations: 9, tolerance: 0.3}/' paper/cloth.yaml "
          ">paper/enforced.yaml");
    for (int k = 0; k < 2; ++k)
        resume_at_cuts("enforced", k ? "threads:3" : "serial", settings[k], cuts, sizeof cuts / sizeof *cuts);
}

/* With the method volume_constraint, a step passes only positions and velocities to the next step, and no sum over the
 * body. The plate's position follows from the index of the step, which a checkpoint stores. */
Test(resume, a_kept_volume_ends_in_the_same_bits) {
    static const char *const settings[] = {"method.precision=float", "method.precision=double",
                                           "scene.collisions=host"};
    static const int cuts[] = {1, 6, 11};
    struct mesh mesh;
    shape_uv_sphere(6, 9, &mesh);
    mesh_write(&mesh, "ball.off");
    mesh_free(&mesh);
    text_write("paper/ball.yaml",
               "springback: 1\npaper: test\ntitle: A ball that is pressed\n"
               "body: {mesh: ./ball.off, node_mass: 1 kg}\n"
               "method: {name: volume_constraint, stiffness: 5000 N/m, damping: 20 N s/m}\n"
               "scene: {ground: {height: 0 m, restitution: 0.2, friction: 0.3}, plate: {speed: 4 m/s, until: 10 ms}}\n"
               "time: {step: 0.1 ms, steps_per_frame: 10, frames: 12}\n"
               "record: {every: 2, mesh_every: 4}\n");
    for (size_t k = 0; k < sizeof settings / sizeof *settings; ++k)
        resume_at_cuts("ball", "serial", settings[k], cuts, sizeof cuts / sizeof *cuts);
    resume_at_cuts("ball", "threads:3", settings[0], cuts, 2);
    resume_at_cuts("ball", "opencl", settings[0], cuts, 2);
}

/* A part file is damaged in many places. The run resumes from its last or an older checkpoint, or restarts, with the
 * same final result. */
Test(resume, whatever_was_left_the_end_is_the_same) {
    struct plan plan;
    char *key;
    plan_of("serial", "method.precision=float", &plan);
    char *reference = reference_run(&plan, &key),
         *path = text_format("out/paper/cloth/%s.trace-1.vtkhdf", plan.runs[0].id);
    char *part = text_format("%s.part", path);
    cr_assert_eq(system("mkdir -p out/paper/cloth"), 0); /* NOLINT(cert-env33-c) */
    begin(&plan, path, key, 7, 1);
    size_t size;
    char *bytes = bytes_read(part, &size);
    int resumed = 0, from_older = 0, restarted = 0;
    srand(5);
    for (int round = 0; round < 75; ++round) {
        char *damaged = memory_new(size, 1);
        size_t length = size;
        memcpy(damaged, bytes, size);
        const size_t at = (size_t)rand() % size;
        if (round % 3 == 0) /* a page that was not on the disk when the power failed */
            for (size_t b = at / 4096 * 4096; b < size && b < at / 4096 * 4096 + 4096; ++b)
                damaged[b] = 0;
        else if (round % 3 == 1)
            length = at;
        else
            damaged[at] ^= (char)(1 + rand() % 255);
        if (round % 2) { /* the beginning and the end of the file have most of the content */
            const size_t place = round % 4 == 1 ? (size_t)rand() % 16384 : size - 1 - (size_t)rand() % 8192;
            damaged[place] ^= 0x10;
        }
        unlink(path);
        bytes_write(part, damaged, length);
        free(damaged);
        failure_clear();
        cr_assert_eq(run_all(&plan, "out", true), STATUS_OK, "round %d: %s", round, failure_text());
        resumed += outcome.resumed == 7;
        from_older += outcome.resumed == 6;
        restarted += outcome.resumed == -1;
        expect_same(path, reference);
        cr_assert_not(exists(part));
    }
    cr_expect(resumed > 0 && from_older > 0 && restarted > 0,
              "%d resumed, %d resumed from an older state, %d restarted", resumed, from_older, restarted);
    cr_expect_eq(resumed + from_older + restarted, 75);
    free(bytes);
    free(reference);
    free(path);
    free(part);
    free(key);
    plan_free(&plan);
}

Test(resume, one_that_only_lacked_its_name_gets_it) {
    struct plan plan;
    char *key;
    plan_of("serial", "method.precision=float", &plan);
    char *reference = reference_run(&plan, &key);
    cr_assert_eq(
        system("mkdir -p out/paper/cloth && cp reference/paper/cloth/* out/paper/cloth && cd out/paper/cloth && "
               "for f in *.vtkhdf; do mv $f $f.part; done"),
        0); /* NOLINT(cert-env33-c) */
    cr_assert_eq(run_all(&plan, "out", true), STATUS_OK, "%s", failure_text());
    cr_expect(outcome.up_to_date);
    char *path = text_format("out/paper/cloth/%s.trace-1.vtkhdf", plan.runs[0].id);
    expect_same(path, reference);
    free(path);
    free(reference);
    free(key);
    plan_free(&plan);
}

/* ---- The program, as a child process ---- */

/* Start the program with its output in .stdout and .stderr. */
static pid_t start(const char *first, const char *second) {
    pid_t child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        if (!freopen(".stdout", "w", stdout) || !freopen(".stderr", "w", stderr))
            _exit(126);
        execl(SPRINGBACK, SPRINGBACK, "run", "--out", "out", first, second, (char *)NULL);
        _exit(127);
    }
    return child;
}

static int end_of(pid_t child) {
    int how;
    cr_assert_eq(waitpid(child, &how, 0), child);
    free(said.out);
    free(said.err);
    said.out = text_read(".stdout");
    said.err = text_read(".stderr");
    return said.code = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
}

/* Wait until the part file has frames, and then a short time, so that the run has its first checkpoint. */
static void wait_for_frames(const char *part) {
    struct trace_data data;
    for (int tries = 0; tries < 2000; ++tries, usleep(5000)) {
        const struct failure_mark mark = failure_mark();
        const int status = trace_open(part, &data), frames = data.frames;
        trace_close(&data);
        free(failure_take(mark));
        if (!status && frames > 0) {
            usleep(100000);
            return;
        }
    }
    cr_assert_fail("the part file has no frame after 10 s");
}

/* Wait until the program reports that it resumes, and then a short time. */
static void wait_for_going_on(void) {
    for (int tries = 0; tries < 12000; ++tries, usleep(5000)) {
        char *text = text_read(".stderr");
        const bool found = strstr(text, "resuming after frame ") != NULL;
        free(text);
        if (found) {
            usleep(200000);
            return;
        }
    }
    cr_assert_fail("the program does not report that it resumes");
}

Test(resume, ctrl_c_ends_cleanly_and_the_run_goes_on_later) {
    static const char part[] = "out/paper/endless/serial.h5.part", table[] = "out/paper/endless/runs.tsv";
    static const int signals[] = {SIGINT, SIGTERM, SIGINT};
    int frame = 0;
    cr_assert_eq(system("mkdir -p out/paper/endless && printf 'id\\tstatus\\ttrace\\treason\\nold\\twhole\\t-\\t-\\n'"
                        " >out/paper/endless/runs.tsv"),
                 0); /* NOLINT(cert-env33-c) */
    char *before = text_read(table);
    for (size_t s = 0; s < sizeof signals / sizeof *signals; ++s) {
        text_write(".stderr", "");
        pid_t child = start("--resume", "paper/endless.yaml");
        if (s == 0)
            wait_for_frames(part);
        else
            wait_for_going_on();
        kill(child, signals[s]);
        end_of(child);
        expect_code(128 + signals[s]);
        expect_err("stopping after the current work; a second signal stops at once");
        expect_err("serial: interrupted after frame ");
        expect_err("use --resume to continue from the last checkpoint");
        cr_expect(exists(part));
        char *now = text_read(table);
        cr_expect_str_eq(now, before, "the manifest changed");
        free(now);
        const char *at = strstr(said.err, "resuming after frame "),
                   *stop = strstr(said.err, "interrupted after frame ");
        cr_assert_not_null(stop);
        if (s > 0) {
            cr_assert_not_null(at, "%s", said.err);
            cr_expect_eq(strtol(at + strlen("resuming after frame "), NULL, 10), frame, "%s", said.err);
        }
        const int next = (int)strtol(stop + strlen("interrupted after frame "), NULL, 10);
        cr_expect_gt(next, frame);
        frame = next;
    }
    free(before);
    /* A run that restarts removes the old part file. */
    shell("\"$S\" run paper/endless.yaml --out out --resume --set time.frames=3 --json");
    expect_code(0);
    expect_out("\"resumed_frame\":null");
    expect_err("restarting: out/paper/endless/serial.h5.part: belongs to another run: its key is ");
}

Test(resume, json_tells_of_an_interruption_and_of_going_on) {
    static const char part[] = "out/paper/endless/serial.h5.part";
    pid_t child = start("--json", "paper/endless.yaml");
    wait_for_frames(part);
    kill(child, SIGTERM);
    expect_code((end_of(child), 143));
    expect_out("\"status\":\"interrupted\"");
    expect_out("\"trace\":\"\"");
}

Test(resume, a_second_ctrl_c_ends_at_once) {
    static const char part[] = "out/paper/long/serial.h5.part";
    /* Each frame takes minutes. */
    shell("sed 's/steps_per_frame: 10, frames: 100000/steps_per_frame: 1000000, frames: 2/' paper/endless.yaml "
          ">paper/long.yaml");
    pid_t child = start("--quiet", "paper/long.yaml");
    wait_for_frames(part);
    kill(child, SIGINT);
    usleep(200000);
    cr_expect_eq(waitpid(child, NULL, WNOHANG), 0, "the program has ended, but should finish its frame");
    kill(child, SIGINT);
    end_of(child);
    expect_code(130);
}

Test(resume, of_a_sweep_what_is_done_stays_done_and_make_sees_the_failure) {
    shell("sed 's/stiffness: 10 /stiffness: [10 N\\/m, 11 /; s/ N\\/m, damping/ N\\/m], damping/; "
          "s/frames: 100000/frames: 600/; s/every: 1000/every: 20/' paper/endless.yaml >paper/two.yaml; "
          "printf 'all:\\n\\techo $$$$ >pid; exec \"$(S)\" run --resume paper/two.yaml --out out\\n' >Makefile");
    expect_code(0);
    /* The first run ends. The second is in progress when make's child is interrupted. */
    shell("make & make=$!; until [ -e out/paper/two/stiffness=11.h5.part ]; do kill -0 $make || exit 9; sleep 0.01; "
          "done; sleep 0.1; kill -TERM $(cat pid); wait $make");
    expect_code(2);
    cr_expect(strstr(said.err, "Error 143") || strstr(said.err, "Terminated"), "%s", said.err);
    cr_expect(exists("out/paper/two/stiffness=10.h5"));
    cr_expect_not(exists("out/paper/two/stiffness=11.h5"));
    cr_expect_not(exists("out/paper/two/runs.tsv"));
    shell("make && cat out/paper/two/runs.tsv");
    expect_code(0);
    expect_out("stiffness=10\twhole");
    expect_out("stiffness=11\twhole");
    shell("\"$S\" run paper/two.yaml --out other && for f in 10 11; do for o in out other; do "
          "\"$S\" export $o/paper/two/stiffness=$f.h5 >$o.$f; done; cmp out.$f other.$f || exit 1; done");
    expect_code(0);
}

Test(resume, a_timed_run_begins_anew) {
    shell("sed 's/frames: 100000/frames: 100000, repeats: 2/' paper/endless.yaml >paper/timed.yaml");
    pid_t child = start("--resume", "paper/timed.yaml");
    wait_for_frames("out/paper/timed/serial.h5.part");
    kill(child, SIGINT);
    end_of(child);
    expect_code(130);
    expect_err("a timed run cannot resume");
    cr_expect_not(exists("out/paper/timed/serial.h5.part"));
    shell("echo rest >out/paper/timed/serial.h5.part; \"$S\" run paper/timed.yaml --out out --resume --set "
          "time.frames=3");
    expect_code(0);
    expect_err("restarting: a timed run cannot resume");
}

/* A warm start needs the multipliers of the previous step, which a checkpoint does not have. */
Test(resume, a_warm_start_begins_anew) {
    shell("sed 's/mass_spring.*/constraint_enforcement, iterations: 2, warm_start: yes}/' paper/endless.yaml "
          ">paper/warm.yaml");
    pid_t child = start("--resume", "paper/warm.yaml");
    wait_for_frames("out/paper/warm/serial.h5.part");
    kill(child, SIGINT);
    end_of(child);
    expect_code(130);
    expect_err("this run cannot resume, because its method has more state than positions and velocities");
    cr_expect_not(exists("out/paper/warm/serial.h5.part"));
    shell("echo rest >out/paper/warm/serial.h5.part; \"$S\" run paper/warm.yaml --out out --resume --set "
          "time.frames=3");
    expect_code(0);
    expect_err("restarting: the method has more state than positions and velocities");
}

Test(resume, what_is_no_trace_is_named_and_begun_anew) {
    static const struct {
        const char *make, *word;
    } cases[] = {
        {"echo rest >$P", "not an HDF5 file"},
        {": >$P", "an empty file"},
        {"\"$S\" run paper/cloth.yaml --out o --set time.frames=6 && cp o/paper/cloth/serial.trace-1.vtkhdf $P",
         "belongs to another run: its key is "},
        {"head -c 3000 o/paper/cloth/serial.trace-1.vtkhdf >$P", "truncated or damaged"},
    };
    cr_assert_eq(shell("mkdir -p out/paper/cloth"), 0);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        unlink(trace_path);
        cr_assert_eq(shell("P=%s; %s", part_path, cases[c].make), 0, "%s", said.err);
        shell("\"$S\" run paper/cloth.yaml --out out --resume");
        expect_code(0);
        expect_err("serial: restarting: out/paper/cloth/serial.trace-1.vtkhdf.part: ");
        expect_err(cases[c].word);
        cr_expect(exists(trace_path) && !exists(part_path));
    }
    /* If nothing is left over, no message is printed. */
    shell("\"$S\" run paper/cloth.yaml --out out --resume --force");
    expect_code(0);
    cr_expect_eq(*said.err, 0, "%s", said.err);
    shell("\"$S\" run paper/cloth.yaml --out out --resume");
    expect_code(0);
    expect_out("nothing to run");
    /* A folder with the name of the part file is an error. */
    unlink(trace_path);
    shell("mkdir %s; \"$S\" run paper/cloth.yaml --out out --resume", part_path);
    expect_code(2);
    expect_err("serial.trace-1.vtkhdf.part: ");
}

/* ---- Disks ---- */

Test(resume, a_file_that_may_not_grow_in_mid_run_keeps_what_was_whole) {
    static const char part[] = "out/paper/endless/serial.h5.part", trace[] = "out/paper/endless/serial.h5";
    shell("\"$S\" run paper/endless.yaml --out out --set time.frames=2");
    expect_code(0);
    struct stat old, now;
    cr_assert_eq(stat(trace, &old), 0);
    pid_t child = start("--force", "paper/endless.yaml");
    wait_for_frames(part);
    usleep(300000); /* wait until a checkpoint is written */
    cr_assert_eq(prlimit(child, RLIMIT_FSIZE, &(struct rlimit){4096, 4096}, NULL), 0);
    end_of(child);
    expect_code(2);
    expect_err("cannot be written: File too large");
    expect_err("run serial: use --resume to continue from the last checkpoint");
    cr_expect(exists(part));
    cr_expect(!stat(trace, &now) && now.st_ino == old.st_ino, "the old trace is gone");
    text_write(".stderr", "");
    child = start("--resume", "paper/endless.yaml");
    wait_for_going_on();
    kill(child, SIGINT);
    end_of(child);
    expect_err("resuming after frame ");
}

/* Mount a file system at `disk`, in a separate mount namespace. Returns false if that is not allowed. */
static bool disk_small(const char *size) {
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mkdir("disk", 0777) == 0 && mount("none", "disk", "tmpfs", 0, size) == 0;
}

Test(resume, a_full_disk_is_told_and_a_run_that_began_can_end) {
    if (!disk_small("size=8m"))
        cr_skip_test("mounting is not allowed here");
    shell("head -c 7m /dev/zero >disk/filler; \"$S\" run paper/cloth.yaml --out disk/out");
    expect_code(2);
    expect_err("the disk is too full: the trace needs ");
    shell("ls disk/out/paper/cloth/*.vtkhdf*");
    expect_code(2);
    /* The disk becomes full while the run writes. The run can end, because its space was allocated before. */
    shell("rm disk/filler; sed 's/frames: 100000/frames: 1000/' paper/endless.yaml >paper/some.yaml; "
          "\"$S\" run paper/some.yaml --out disk/out & pid=$!; "
          "until [ -e disk/out/paper/some/serial.h5.part ]; do sleep 0.01; done; sleep 0.1; "
          "head -c 8m /dev/zero >disk/filler; wait $pid");
    expect_out("1000 frames");
    shell("rm -f disk/filler; \"$S\" run paper/some.yaml --out disk/out; \"$S\" export disk/out/paper/some/serial.h5");
    expect_code(0);
    expect_out("nothing to run");
    expect_out("\n1000\t");
    umount2("disk", MNT_DETACH);
}

Test(resume, a_read_only_disk_is_told) {
    if (!disk_small("size=8m"))
        cr_skip_test("mounting is not allowed here");
    shell("\"$S\" run paper/cloth.yaml --out disk/out");
    expect_code(0);
    cr_assert_eq(mount("none", "disk", NULL, MS_REMOUNT | MS_RDONLY, NULL), 0, "%s", strerror(errno));
    shell("\"$S\" run paper/cloth.yaml --out disk/out --force");
    expect_code(2);
    expect_err("disk/out/paper/cloth: cannot write into the folder: Read-only file system; choose another one, for "
               "example with --out");
    shell("\"$S\" run paper/cloth.yaml --out disk/new");
    expect_code(2);
    expect_err("cannot create the folder: Read-only file system; choose another one, for example with --out");
    shell("\"$S\" export disk/out/paper/cloth/serial.trace-1.vtkhdf");
    expect_code(0);
    umount2("disk", MNT_DETACH);
}

/* ---- Whole traces that are damaged ---- */

/* The offset of a dataset in the file. */
static size_t place_of(const char *path, const char *dataset) {
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), opened = H5Dopen2(file, dataset, H5P_DEFAULT);
    cr_assert(opened >= 0);
    const size_t place = (size_t)H5Dget_offset(opened);
    H5Dclose(opened);
    H5Fclose(file);
    return place;
}

static const char claims[] = "springback: 1\n"
                             "paper: test\n"
                             "claims:\n"
                             "  - id: test.speed\n"
                             "    where: Sec. 2\n"
                             "    says: it falls at 100 m/s\n"
                             "    kind: value\n"
                             "    from: {experiment: paper/cloth, quantity: largest_speed, over_frames: max}\n"
                             "    reported: 100 m/s\n"
                             "    tolerance: {relative: 5 %}\n"
                             "    recorded: differs\n"
                             "    why: five in a hundred, as a guess\n";

Test(resume, a_damaged_trace_is_told_by_every_verb_and_run_again) {
    static const struct {
        const char *dataset; /* the test flips a bit in its first byte; NULL: the command in `make` damages the trace */
        const char *make, *word;
    } cases[] = {
        {"/VTKHDF/Points", NULL, "the geometry of frame 0 does not match the frame's state hash and time"},
        {"/VTKHDF/PointData/velocity", NULL, "the geometry of frame 0 does not match the frame's state hash and time"},
        {"/frames/hash", NULL, "match their checksum"},
        {"/frames/check", NULL, "match their checksum"},
        {"/frames/time", NULL, "match their checksum"},
        {"/frames/count", NULL, "the trace says that it has 6 frames, but 7 are stored"},
        {"/series/kinetic_energy", NULL, "the data of frame 0 do not match their checksum"},
        {"/experiment/text", NULL, "experiment text, parameters or topology do not match their checksum"},
        {"/parameters", NULL, "experiment text, parameters or topology do not match their checksum"},
        {"/VTKHDF/Connectivity", NULL, "damaged"},
        {NULL, "printf X | dd of=$T bs=1 seek=12 conv=notrunc", ""}, /* in HDF5's superblock */
        {NULL, "truncate -s -100 $T", "truncated or damaged"},
        {NULL, "truncate -s 3000 $T", "truncated or damaged"},
        {NULL, "echo no trace >$T", "not an HDF5 file"},
        {NULL, ": >$T", "an empty file"},
    };
    text_write("claims.yaml", claims);
    shell("\"$S\" run paper/cloth.yaml --out out && cp -r out reference && \"$S\" check claims.yaml --out out");
    expect_code(0);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        if (cases[c].dataset) {
            const size_t place = place_of(trace_path, cases[c].dataset);
            size_t size;
            char *bytes = bytes_read(trace_path, &size);
            bytes[place] ^= 1;
            bytes_write(trace_path, bytes, size);
            free(bytes);
        } else {
            cr_assert_eq(shell("T=%s; %s", trace_path, cases[c].make), 0, "%s", said.err);
        }
        shell("\"$S\" export %s", trace_path);
        expect_code(2);
        expect_err("springback: out/paper/cloth/serial.trace-1.vtkhdf: ");
        expect_err(cases[c].word);
        cr_expect_eq(*said.out, 0);
        shell("\"$S\" export --format figure --out tables out/paper/cloth");
        expect_code(2);
        expect_err("springback: out/paper/cloth/serial.trace-1.vtkhdf: ");
        shell("\"$S\" check claims.yaml --out out");
        expect_code(2);
        expect_out("out/paper/cloth/serial.trace-1.vtkhdf: ");
        shell("\"$S\" run paper/cloth.yaml --out out");
        expect_code(0);
        expect_err("serial: out/paper/cloth/serial.trace-1.vtkhdf: ");
        expect_err("; running it again");
        expect_same(trace_path, "reference/paper/cloth/serial.trace-1.vtkhdf");
        shell("\"$S\" check claims.yaml --out out");
        expect_code(0);
    }
}

Test(resume, another_runs_trace_in_the_place_is_told) {
    text_write("claims.yaml", claims);
    shell("sed 's/100 N/200 N/' paper/cloth.yaml >paper/other.yaml; "
          "\"$S\" run paper/cloth.yaml paper/other.yaml --out out && cp -r out reference && "
          "cp out/paper/other/serial.trace-1.vtkhdf out/paper/cloth/");
    expect_code(0);
    shell("\"$S\" check claims.yaml --out out");
    expect_code(2);
    expect_out("serial.trace-1.vtkhdf: this trace does not belong to runs.tsv");
    shell("\"$S\" run paper/cloth.yaml --out out --json");
    expect_code(0);
    expect_out("\"up_to_date\":false");
    expect_same(trace_path, "reference/paper/cloth/serial.trace-1.vtkhdf");
}
