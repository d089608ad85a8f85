/* Child programs and their limits. The tests run programs of the base system, such as sh, cat and sleep. */
#include "base/file.h"
#include "base/interrupt.h"
#include "base/process.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static struct process_outcome outcome;

static void begin(void) {
    failure_clear();
}

static void end(void) {
    process_free(&outcome);
}

TestSuite(process, .init = begin, .fini = end, .timeout = 60);

/* Run a shell script. */
static int script(const char *text, struct process process) {
    const char *const argv[] = {"sh", "-c", text, NULL};
    process.argv = argv;
    process_free(&outcome);
    return process_run(&process, &outcome);
}

/* Run the program `path` without arguments. */
static int program(const char *path, const char *package) {
    const char *const argv[] = {path, NULL};
    process_free(&outcome);
    return process_run(&(struct process){.argv = argv, .package = package}, &outcome);
}

static void expect_said(const char *text) {
    cr_expect(strstr(failure_text(), text), "expected \"%s\" in the message:\n%s", text, failure_text());
}

/* Whether the process whose number is in a file has ended, or ends within 2 s. A zombie has ended. */
static bool is_gone(const char *path) {
    char *text;
    cr_assert_eq(file_read(path, &text), STATUS_OK, "%s", failure_text());
    const pid_t child = (pid_t)strtol(text, NULL, 10);
    free(text);
    cr_assert_gt(child, 1);
    for (int k = 0; k < 200; ++k) {
        char *file = text_format("/proc/%ld/stat", (long)child), *stat = NULL;
        const bool is_there = file_exists(file) && !file_read(file, &stat) && !strstr(stat, ") Z ");
        free(stat);
        free(file);
        if (!is_there)
            return true;
        usleep(10000);
    }
    return false;
}

Test(process, both_streams_and_the_exit_code_come_back) {
    cr_assert_eq(script("echo out; echo err >&2; exit 3", (struct process){0}), STATUS_OK, "%s", failure_text());
    cr_expect_eq(outcome.end, PROCESS_EXITED);
    cr_expect_eq(outcome.code, 3);
    cr_expect_eq(outcome.signal, 0);
    cr_expect_str_eq(outcome.output, "out\nerr\n");
    cr_expect_eq(outcome.length, 8);
    cr_expect_eq(outcome.lost, 0);
    cr_expect(outcome.seconds > 0 && outcome.peak > 0);
}

Test(process, arguments_pass_no_shell) {
    const char *const argv[] = {"printf", "%s|%s", "a  $HOME; *", "", NULL};
    cr_assert_eq(process_succeed(&(struct process){.argv = argv}, &outcome), STATUS_OK, "%s", failure_text());
    cr_expect_str_eq(outcome.output, "a  $HOME; *|");
}

Test(process, a_signal_is_told_from_an_exit) {
    cr_assert_eq(script("kill -SEGV $$", (struct process){.memory = (size_t)1 << 30}), STATUS_OK);
    cr_expect_eq(outcome.end, PROCESS_KILLED);
    cr_expect_eq(outcome.signal, SIGSEGV);
    cr_expect_eq(outcome.code, -1);
    char *told = process_end_text(&(struct process){0}, &outcome);
    cr_expect_str_eq(told, "was ended by signal 11 (Segmentation fault)");
    free(told);
}

Test(process, a_missing_program_names_its_package) {
    cr_expect_eq(program("no-such-program", "some-package"), STATUS_BAD);
    expect_said("no-such-program is missing; apt-get install some-package installs it");
    failure_clear();
    cr_expect_eq(program("/usr", NULL), STATUS_BAD);
    cr_expect_eq(program("", NULL), STATUS_BAD);
    cr_expect_eq(program("/dev/null", NULL), STATUS_BAD);
    expect_said("/usr: no such program");
    expect_said("/dev/null: no such program");
}

Test(process, what_cannot_be_executed_is_said) {
    char *home = folder_temporary(), *path = text_format("%s/broken", home);
    text_write(path, "#!/no/such/interpreter\n");
    cr_assert_eq(chmod(path, 0700), 0);
    const char *const argv[] = {path, NULL};
    cr_expect_eq(process_run(&(struct process){.argv = argv}, &outcome), STATUS_BAD);
    expect_said("broken cannot be started: No such file or directory");
    failure_clear();
    cr_expect_eq(script("pwd", (struct process){.folder = "/no/such/folder"}), STATUS_BAD);
    expect_said("sh cannot be started in /no/such/folder: No such file or directory");
    failure_clear();
    cr_expect_eq(script("pwd", (struct process){.into = "/no/such/folder/file"}), STATUS_BAD);
    expect_said("/no/such/folder/file: cannot be written: No such file or directory");
    free(path);
    folder_remove(home);
}

Test(process, it_works_in_its_folder_and_finds_a_relative_program) {
    char *home = folder_temporary(), *path = text_format("%s/own", home), *into = text_format("%s/out", home), *text;
    text_write(path, "#!/bin/sh\npwd\necho aside >&2\n");
    cr_assert_eq(chmod(path, 0700), 0);
    cr_assert_eq(chdir(home), 0);
    const char *const argv[] = {"./own", NULL};
    cr_assert_eq(process_succeed(&(struct process){.argv = argv, .folder = "/usr", .into = into}, &outcome), STATUS_OK,
                 "%s", failure_text());
    cr_assert_eq(file_read(into, &text), STATUS_OK);
    cr_expect_str_eq(text, "/usr\n");
    cr_expect_str_eq(outcome.output, "aside\n");
    free(text);
    free(into);
    free(path);
    cr_assert_eq(chdir("/"), 0);
    folder_remove(home);
}

Test(process, a_late_one_is_ended_with_all_that_it_started) {
    char *home = folder_temporary(), *path = text_format("%s/number", home);
    const struct process process = {.folder = home, .seconds = 0.5};
    cr_assert_eq(
        script("sleep 300 & echo $! >number; echo begun; trap '' TERM INT; while :; do sleep 1; done", process),
        STATUS_OK);
    cr_expect_eq(outcome.end, PROCESS_TIMED_OUT);
    cr_expect_eq(outcome.signal, SIGKILL);
    cr_expect(outcome.seconds >= 0.5 && outcome.seconds < 20);
    cr_expect_str_eq(outcome.output, "begun\n");
    cr_expect(is_gone(path), "the child's child is still running");
    char *told = process_end_text(&process, &outcome);
    cr_expect_str_eq(told, "did not end within 0.5 s");
    free(told);
    free(path);
    folder_remove(home);
}

Test(process, what_it_left_running_ends_with_it) {
    char *home = folder_temporary(), *path = text_format("%s/number", home);
    cr_assert_eq(script("sleep 300 & echo $! >number", (struct process){.folder = home}), STATUS_OK);
    cr_expect_eq(outcome.end, PROCESS_EXITED);
    cr_expect_lt(outcome.seconds, 20, "process_run waited until the child's child closed the pipe");
    cr_expect(is_gone(path), "the child's child is still running");
    free(path);
    folder_remove(home);
}

Test(process, a_program_that_closes_its_streams_is_waited_for) {
    cr_assert_eq(script("exec >&- 2>&-; sleep 0.3; exit 5", (struct process){0}), STATUS_OK);
    cr_expect_eq(outcome.code, 5);
    cr_expect_geq(outcome.seconds, 0.3);
}

Test(process, output_is_bounded_and_its_end_is_kept) {
    cr_assert_eq(
        script("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i + 1)); done", (struct process){.output = 100}),
        STATUS_OK);
    size_t all = 0;
    for (int i = 0; i < 20000; ++i)
        all += (size_t)snprintf(NULL, 0, "line %d\n", i);
    cr_expect_eq(outcome.length, 100);
    cr_expect_eq(outcome.lost, all - 100);
    cr_expect_str_eq(outcome.output + 89, "line 19999\n");
}

Test(process, output_larger_than_a_pipe_comes_whole) {
    const char *const argv[] = {"head", "-c", "900000", "/dev/zero", NULL};
    cr_assert_eq(process_run(&(struct process){.argv = argv}, &outcome), STATUS_OK);
    cr_expect_eq(outcome.length, 900000);
    cr_expect_eq(outcome.lost, 0);
}

Test(process, memory_has_a_limit) {
    const char *const argv[] = {"dd", "if=/dev/zero", "of=/dev/null", "bs=300M", "count=1", NULL};
    const struct process process = {.argv = argv, .memory = (size_t)200 << 20};
    cr_assert_eq(process_run(&process, &outcome), STATUS_OK);
    cr_expect_eq(outcome.end, PROCESS_OUT_OF_MEMORY, "%d, code %d: %s", outcome.end, outcome.code, outcome.output);
    char *told = process_end_text(&process, &outcome);
    cr_expect_str_eq(told, "needed more memory than its limit of 200.0 MiB");
    free(told);
    process_free(&outcome);
    cr_assert_eq(process_run(&(struct process){.argv = argv, .memory = (size_t)1 << 30}, &outcome), STATUS_OK);
    cr_expect_eq(outcome.end, PROCESS_EXITED);
    cr_expect_eq(outcome.code, 0);
}

Test(process, our_ctrl_c_ends_it) {
    char *home = folder_temporary(), *path = text_format("%s/number", home);
    interrupt_catch();
    cr_expect_eq(script("sleep 300 & echo $! >number; kill -INT $PPID; wait", (struct process){.folder = home}),
                 STATUS_BAD);
    cr_expect_eq(outcome.end, PROCESS_INTERRUPTED);
    cr_expect_lt(outcome.seconds, 20);
    expect_said("sh was stopped because of signal 2 (Interrupt)");
    cr_expect(is_gone(path), "the child's child is still running");
    process_free(&outcome);
    failure_clear();
    cr_expect_eq(script("echo >begun", (struct process){.folder = home}), STATUS_BAD);
    expect_said("sh was not started");
    cr_expect_not(file_exists("begun"));
    free(path);
    folder_remove(home);
}

static unsigned long long hexadecimal_after(const char *word) {
    const char *found = strstr(outcome.output, word);
    cr_assert_not_null(found, "%s", outcome.output);
    return strtoull(found + strlen(word), NULL, 16);
}

Test(process, signals_and_files_of_ours_stay_here) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_IGN);
    sigset_t some;
    sigemptyset(&some);
    sigaddset(&some, SIGUSR1);
    sigprocmask(SIG_BLOCK, &some, NULL);
    const int leaked = open("/etc/passwd", O_RDONLY); /* without close-on-exec, as some libraries open files */
    cr_assert_geq(fcntl(leaked, F_DUPFD, 50), 50);
    cr_assert_eq(
        script("cat; ls /proc/self/fd | wc -l; grep -E '^Sig(Blk|Ign)' /proc/self/status; exit 7", (struct process){0}),
        STATUS_OK);
    cr_expect_eq(outcome.code, 7, "the exit code is lost, because SIGCHLD is ignored");
    const long files = strtol(outcome.output, NULL, 10);
    const unsigned long long blocked = hexadecimal_after("SigBlk:"), ignored = hexadecimal_after("SigIgn:");
    cr_expect_eq(files, 4, "the child must have 4 open files: 0, 1, 2 and the folder that ls lists; it has %ld", files);
    cr_expect_eq(blocked & (1ULL << (SIGUSR1 - 1)), 0);
    cr_expect_eq(ignored & (1ULL << (SIGPIPE - 1)), 0);
    struct sigaction action;
    cr_assert_eq(sigaction(SIGCHLD, NULL, &action), 0);
    cr_expect_eq(action.sa_handler, SIG_IGN, "process_run must restore the handler of SIGCHLD");
}

Test(process, our_streams_may_be_closed) {
    /* If the descriptors 0, 1 and 2 are closed, pipes get these numbers, which the child's streams need. */
    const int in = dup(0), out = dup(1), err = dup(2);
    close(0);
    close(1);
    close(2);
    const int status = script("echo one; echo two >&2", (struct process){0});
    dup2(in, 0);
    dup2(out, 1);
    dup2(err, 2);
    cr_assert_eq(status, STATUS_OK, "%s", failure_text());
    cr_expect_str_eq(outcome.output, "one\ntwo\n");
}

Test(process, success_is_code_0_and_nothing_else) {
    const char *const good[] = {"true", NULL}, *const bad[] = {"sh", "-c", "echo the reason; exit 4", NULL};
    cr_expect_eq(process_succeed(&(struct process){.argv = good}, &outcome), STATUS_OK);
    process_free(&outcome);
    cr_expect_eq(process_succeed(&(struct process){.argv = bad}, &outcome), STATUS_BAD);
    cr_expect_str_eq(failure_text(), "sh ended with exit code 4:\nthe reason");
}

Test(process, nothing_is_left_open_or_unwaited) {
    const char *const good[] = {"true", NULL}, *const bad[] = {"/dev/null", NULL};
    int before = -1;
    for (int k = 0; k < 20; ++k) {
        cr_assert_eq(process_run(&(struct process){.argv = good}, &outcome), STATUS_OK);
        process_free(&outcome);
        cr_expect_eq(process_run(&(struct process){.argv = bad}, &outcome), STATUS_BAD);
        process_free(&outcome);
        cr_expect_eq(process_run(&(struct process){.argv = good, .into = "/no/such/file"}, &outcome), STATUS_BAD);
        process_free(&outcome);
        const int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
        close(next);
        cr_expect(before < 0 || next == before, "a file was left open: the next descriptor is %d; before, it was %d",
                  next, before);
        before = next;
    }
    errno = 0;
    cr_expect(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "a zombie is left");
}
