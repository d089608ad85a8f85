/* Kill runs with SIGKILL at random times, N times. After each kill, a trace that can be opened must have only correct
 * frames. A run that is resumed to its end must be bit-identical to an uninterrupted run. The exit code is 0 if both
 * are true and at least one run was resumed.
 *
 *   kill [N [SEED]]      default: 25 1 */
#include "same_trace.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char cloth[] = "springback: 1\n"
                            "paper: test\n"
                            "title: A cloth that is killed\n"
                            "body: {cloth: {nodes: [24, 24], pins: corners}, node_mass: 1 g}\n"
                            "method: {name: mass_spring, stiffness: 10 N/m, damping: 0.01 N s/m}\n"
                            "time: {step: 1 ms, steps_per_frame: %d, frames: 100}\n"
                            "record: {every: 1, mesh_every: 3}\n";

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Start the run. If it has not ended after this number of seconds, kill it. If `seconds` is negative, never kill it.
 * Returns the status of waitpid. */
static int run_for(const char *out, bool resume, double seconds) {
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        execl(SPRINGBACK, SPRINGBACK, "run", "paper/killed.yaml", "--out", out, resume ? "--resume" : (char *)NULL,
              (char *)NULL);
        _exit(127);
    }
    int how = 0;
    if (seconds >= 0) {
        usleep((useconds_t)(1e6 * seconds));
        kill(child, SIGKILL);
    }
    waitpid(child, &how, 0);
    return how;
}

static int experiment_write(int steps) {
    FILE *file = fopen("paper/killed.yaml", "w");
    if (!file)
        return EXIT_FAILURE;
    const bool written = fprintf(file, cloth, steps) > 0;
    return fclose(file) == 0 && written ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Write an experiment that runs for at least `least` seconds on this machine, and run it. Returns the duration of the
 * run in seconds, or a negative number after an error. */
static double experiment_run(double least) {
    double length = 0;
    for (int steps = 10; length < least && steps < 1 << 20; steps *= 2) {
        length = 1e9;
        if (experiment_write(steps))
            return -1;
        /* The shortest of three durations counts, because a busy machine can take longer. */
        for (int round = 0; round < 3; ++round) {
            const double begin = now();
            unlink("reference/paper/killed/serial.trace-1.vtkhdf");
            if (run_for("reference", false, -1))
                return -1;
            length = now() - begin < length ? now() - begin : length;
        }
    }
    return length;
}

/* Whether the trace equals the beginning of the reference; if not, print a message. If `must` is true, the trace must
 * be whole. If `must` is false, a file that cannot be opened also counts as right. Sets *frames to the trace's number
 * of frames, unless the file cannot be opened. */
static bool is_right(const char *path, const struct trace_data *reference, bool must, int *frames) {
    struct trace_data trace;
    failure_clear();
    if (trace_open(path, &trace)) {
        if (must)
            fprintf(stderr, "kill: %s\n", failure_text());
        return !must;
    }
    const char *wrong = must && !trace.whole ? "it is not whole" : trace_difference(&trace, reference);
    if (wrong)
        fprintf(stderr, "kill: %s: wrong: %s\n", path, wrong);
    *frames = trace.frames;
    trace_close(&trace);
    return !wrong;
}

/* The frame from which a whole trace was last resumed; 0 if it was not resumed. */
static int resumed_frame(const char *path) {
    char *note = trace_peek(path, "resumed_frame");
    int frame = note ? (int)strtol(note, NULL, 10) : 0;
    free(note);
    return frame;
}

static int kill_runs(int count, unsigned seed) {
    static const char trace[] = "out/paper/killed/serial.trace-1.vtkhdf",
                      part[] = "out/paper/killed/serial.trace-1.vtkhdf.part";
    struct trace_data reference;
    const double length = experiment_run(0.4); /* s; the first checkpoint is due after 0.025 s (run/recorder.c) */
    if (length < 0 || trace_open("reference/paper/killed/serial.trace-1.vtkhdf", &reference)) {
        fprintf(stderr, "kill: the run that is not interrupted fails: %s\n", failure_text());
        return EXIT_FAILURE;
    }
    int kills = 0, whole = 0, resumed = 0, partial = 0, frames = 0;
    bool good = true;
    srand(seed);
    while (good && kills < count) {
        frames = 0;
        int how = run_for("out", true, 0.9 * length * rand() / RAND_MAX);
        const bool ended = WIFEXITED(how);
        kills += !ended;
        good = (!ended || WEXITSTATUS(how) == 0) && is_right(part, &reference, false, &frames) &&
               (access(trace, F_OK) != 0 || is_right(trace, &reference, true, &frames));
        partial += !ended && frames > 0;
        if (!ended)
            continue;
        whole++;
        resumed += resumed_frame(trace) > 0;
        good = good && access(trace, F_OK) == 0 && access(part, F_OK) != 0;
        unlink(trace);
    }
    /* The last call of run_for does not kill the run. This run must resume and end correctly, too. */
    good = good && run_for("out", true, -1) == 0 && is_right(trace, &reference, true, &frames);
    resumed += resumed_frame(trace) > 0;
    whole++;
    trace_close(&reference);
    printf("%d kills, after %d of them the trace had frames; %d runs ended, %d of them after a resume: %s\n", kills,
           partial, whole, resumed,
           good ? "all bit-identical to the uninterrupted run" : "a trace or an exit code is WRONG");
    if (good && resumed == 0)
        fprintf(stderr, "kill: no run was resumed, so resuming was not tested; use a larger N\n");
    return good && resumed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int count, char **words) {
    const int kills = count > 1 ? (int)strtol(words[1], NULL, 10) : 25;
    const unsigned seed = count > 2 ? (unsigned)strtoul(words[2], NULL, 10) : 1;
    /* Use a file system in memory if there is one: writing takes little time there, so checkpoints are frequent. */
    char *folder =
        text_copy(access("/dev/shm", W_OK) ? "/tmp/springback-kill-XXXXXX" : "/dev/shm/springback-kill-XXXXXX");
    if (kills < 1 || !mkdtemp(folder) || chdir(folder) || mkdir("paper", 0777)) {
        fprintf(stderr, "usage: kill [N [SEED]]; N is at least 1, and /dev/shm or /tmp must be writable\n");
        return EXIT_FAILURE;
    }
    int status = kill_runs(kills, seed);
    char *command = text_format("rm -rf '%s'", folder);
    if (status)
        fprintf(stderr, "kill: failed; the traces are in %s\n", folder);
    else if (system(command)) /* NOLINT(cert-env33-c) */
        status = EXIT_FAILURE;
    free(command);
    free(folder);
    return status;
}
