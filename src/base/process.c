#include "base/process.h"

#include "base/amount.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READ_SIZE = 65536, OUTPUT_KEPT = 1 << 20, PAUSE = 5 /* ms */, DRAINED_READS = 64, REPORTED_LINES = 12 };

extern char **environ;

int process_find(const char *program, const char *package, char **path) {
    const char *list = *program == '/' ? "/" : strchr(program, '/') ? "." : getenv("PATH");
    AUTO_FREE char *folders = text_copy(list ? list : "/usr/bin:/bin");
    char *rest = folders, *folder;
    struct stat status;
    *path = NULL;
    while (!*path && (folder = strsep(&rest, ":"))) {
        AUTO_FREE char *entry = text_format("%s/%s", *folder ? folder : ".", program);
        if (!stat(entry, &status) && S_ISREG(status.st_mode) && !access(entry, X_OK))
            *path = realpath(entry, NULL); /* absolute, because the child may have another working folder */
    }
    if (*path)
        return STATUS_OK;
    return package ? fail("%s is missing; apt-get install %s installs it", program, package)
                   : fail("%s: no such program", program);
}

/* Indices of start.file. INTO is the file process.into. The others are two pipes: the parent reads from OUTPUT_END and
 * TROUBLE_END, and the child writes to OUTPUT and TROUBLE. Each descriptor is above 2, or -1 if it is not open. */
enum { INTO, OUTPUT_END, OUTPUT, TROUBLE_END, TROUBLE, FILES };

/* What the child needs between fork and exec. The child must not allocate memory there, because another thread may hold
 * malloc's lock. */
struct start {
    const struct process *process;
    const char *path;
    int file[FILES];
    pid_t parent;
};

/* The descriptor on which the child reports why the program could not be started. */
enum { TROUBLE_FILENO = STDERR_FILENO + 1 };

static _Noreturn void give_up(void) {
    (void)!write(TROUBLE_FILENO, &errno, sizeof errno);
    _exit(127);
}

/* Start the program in the child. Calls only functions that are safe between fork and exec in a program with threads.
 */
static _Noreturn void become(const struct start *start) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != start->parent) /* the parent ended before the prctl above */
        _exit(127);
    sigset_t none_blocked;
    sigemptyset(&none_blocked);
    signal(SIGPIPE, SIG_DFL); /* exec resets handlers, but an ignored signal stays ignored */
    sigprocmask(SIG_SETMASK, &none_blocked, NULL);
    dup2(start->file[start->file[INTO] < 0 ? OUTPUT : INTO], STDOUT_FILENO);
    dup2(start->file[OUTPUT], STDERR_FILENO);
    dup3(start->file[TROUBLE], TROUBLE_FILENO, O_CLOEXEC);
    closefrom(TROUBLE_FILENO + 1);
    close(STDIN_FILENO);
    const struct process *process = start->process;
    if (open("/dev/null", O_RDONLY) != STDIN_FILENO || (process->folder && chdir(process->folder)))
        give_up();
    const struct rlimit none = {0, 0}, memory = {process->memory, process->memory};
    setrlimit(RLIMIT_CORE, &none); /* no core file: a crash is a normal outcome of some programs */
    if (process->memory && setrlimit(RLIMIT_AS, &memory))
        give_up();
    execve(start->path, (char *const *)process->argv, environ);
    give_up();
}

static void close_file(int *file) {
    if (*file >= 0)
        close(*file);
    *file = -1;
}

/* Move a descriptor above 2, so that dup2 to 0, 1 and 2 does not overwrite it. */
static int lifted(int file) {
    if (file < 0 || file > STDERR_FILENO)
        return file;
    const int high = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(file);
    return high;
}

static bool pipe_open(int file[2]) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return false;
    file[0] = lifted(ends[0]);
    file[1] = lifted(ends[1]);
    return file[0] >= 0 && file[1] >= 0;
}

/* Append available output to outcome->output, and keep only its last `limit` bytes. The buffer has READ_SIZE bytes more
 * than `limit`. Returns whether more output may follow. */
static bool output_read(struct process_outcome *outcome, size_t limit, int file) {
    const ssize_t got = read(file, outcome->output + outcome->length, READ_SIZE);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR;
    outcome->length += (size_t)got;
    if (outcome->length > limit) {
        const size_t over = outcome->length - limit;
        memmove(outcome->output, outcome->output + over, limit);
        outcome->length = limit;
        outcome->lost += over;
    }
    return got > 0;
}

/* The address space that a process uses now, bytes; 0 if unknown. */
static size_t space_of(pid_t process) {
    char path[64], text[64];
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)process);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = 0;
    return (size_t)strtoull(text, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

/* Read output until the child ends, and kill its process group at the time limit or after an interruption. Returns the
 * largest address space seen, in bytes; 0 if there is no memory limit. The child stays a zombie, so the system does not
 * reuse its process number. This number is also the number of the group. */
static size_t watch(const struct process *process, pid_t child, int *out, size_t limit, double begin,
                    struct process_outcome *outcome) {
    bool is_killed = false;
    size_t space = 0;
    for (siginfo_t info = {.si_pid = 0}; !info.si_pid;) {
        struct pollfd ready = {.fd = *out, .events = POLLIN};
        if (poll(&ready, 1, PAUSE) > 0 && !output_read(outcome, limit, *out))
            close_file(out);
        if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) && errno != EINTR)
            break;
        const size_t held = process->memory ? space_of(child) : 0;
        space = held > space ? held : space;
        const bool is_late = process->seconds > 0 && clock_now() - begin > process->seconds;
        if (!info.si_pid && !is_killed && (interrupt_signal() || is_late)) {
            outcome->end = interrupt_signal() ? PROCESS_INTERRUPTED : PROCESS_TIMED_OUT;
            kill(-child, SIGKILL);
            is_killed = true;
        }
    }
    kill(-child, SIGKILL); /* ends processes that the child left running */
    for (int r = 0; *out >= 0 && r < DRAINED_READS && output_read(outcome, limit, *out); ++r)
        ;
    return space;
}

static bool says_out_of_memory(const char *output) {
    static const char *const words[] = {"out of memory", "bad_alloc", "cannot allocate memory", "memory exhausted"};
    for (size_t w = 0; w < sizeof words / sizeof *words; ++w)
        if (strcasestr(output, words[w]))
            return true;
    return false;
}

static void judge(const struct process *process, int how, size_t space, struct process_outcome *outcome) {
    outcome->code = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
    outcome->signal = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
    if (outcome->end != PROCESS_EXITED || outcome->code == 0)
        return;
    if (process->memory && (space >= process->memory - process->memory / 10 || says_out_of_memory(outcome->output)))
        outcome->end = PROCESS_OUT_OF_MEMORY;
    else if (outcome->signal)
        outcome->end = PROCESS_KILLED;
}

static int run_child(struct start *start, struct process_outcome *outcome) {
    const struct process *process = start->process;
    const double begin = clock_now();
    const pid_t child = fork();
    if (child == 0)
        become(start);
    if (child < 0)
        return fail("%s cannot be started: %s", process->argv[0], strerror(errno));
    setpgid(child, child); /* the child makes the same call, because either process may run first */
    close_file(&start->file[INTO]);
    close_file(&start->file[OUTPUT]);
    close_file(&start->file[TROUBLE]);
    int error;
    ssize_t got; /* 0 if the program was started; otherwise the child has sent the errno */
    while ((got = read(start->file[TROUBLE_END], &error, sizeof error)) < 0 && errno == EINTR)
        ;
    const size_t limit = process->output ? process->output : OUTPUT_KEPT;
    outcome->output = memory_grow(outcome->output, limit + READ_SIZE + 1, 1);
    fcntl(start->file[OUTPUT_END], F_SETFL, O_NONBLOCK);
    const size_t space = watch(process, child, &start->file[OUTPUT_END], limit, begin, outcome);
    int how = 0;
    struct rusage usage = {.ru_maxrss = 0};
    while (wait4(child, &how, 0, &usage) < 0 && errno == EINTR)
        ;
    outcome->seconds = clock_now() - begin;
    outcome->peak = (size_t)usage.ru_maxrss * 1024;
    outcome->output[outcome->length] = 0;
    if (got == sizeof error)
        return fail("%s cannot be started%s%s: %s", process->argv[0], process->folder ? " in " : "",
                    process->folder ? process->folder : "", strerror(error));
    judge(process, how, space > outcome->peak ? space : outcome->peak, outcome);
    if (outcome->end == PROCESS_INTERRUPTED)
        return fail("%s was stopped because of signal %d (%s)", process->argv[0], interrupt_signal(),
                    strsignal(interrupt_signal()));
    return STATUS_OK;
}

int process_run(const struct process *process, struct process_outcome *outcome) {
    *outcome = (struct process_outcome){.code = -1, .output = text_copy("")};
    if (interrupt_signal()) {
        outcome->end = PROCESS_INTERRUPTED;
        return fail("%s was not started because of signal %d (%s)", process->argv[0], interrupt_signal(),
                    strsignal(interrupt_signal()));
    }
    AUTO_FREE char *path = NULL;
    if (process_find(process->argv[0], process->package, &path) || !path)
        return STATUS_BAD;
    struct start start = {process, path, {-1, -1, -1, -1, -1}, getpid()};
    int status = STATUS_OK;
    if (!pipe_open(&start.file[OUTPUT_END]) || !pipe_open(&start.file[TROUBLE_END]))
        status = fail("%s cannot be started: %s", process->argv[0], strerror(errno));
    else if (process->into &&
             (start.file[INTO] = lifted(open(process->into, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666))) < 0)
        status = fail("%s: cannot be written: %s", process->into, strerror(errno));
    if (!status) {
        /* If this program ignored SIGCHLD, the system would discard the exit codes of children. */
        struct sigaction wait = {.sa_handler = SIG_DFL}, old;
        sigemptyset(&wait.sa_mask);
        sigaction(SIGCHLD, &wait, &old);
        status = run_child(&start, outcome);
        sigaction(SIGCHLD, &old, NULL);
    }
    for (int f = 0; f < FILES; ++f)
        close_file(&start.file[f]);
    return status;
}

char *process_end_text(const struct process *process, const struct process_outcome *outcome) {
    char amount[AMOUNT_SIZE];
    switch (outcome->end) {
    case PROCESS_TIMED_OUT:
        return text_format("did not end within %s", amount_seconds(process->seconds, amount));
    case PROCESS_OUT_OF_MEMORY:
        return text_format("needed more memory than its limit of %s", amount_bytes((double)process->memory, amount));
    case PROCESS_INTERRUPTED:
        return text_copy("was stopped because of a signal to springback");
    case PROCESS_KILLED:
        return text_format("was ended by signal %d (%s)", outcome->signal, strsignal(outcome->signal));
    case PROCESS_EXITED:
        break;
    }
    return text_format("ended with exit code %d", outcome->code);
}

int process_succeed(const struct process *process, struct process_outcome *outcome) {
    if (process_run(process, outcome))
        return STATUS_BAD;
    if (outcome->end == PROCESS_EXITED && outcome->code == 0)
        return STATUS_OK;
    const char *end = outcome->output + strlen(outcome->output), *tail;
    while (end > outcome->output && end[-1] == '\n')
        --end;
    int lines = 0;
    for (tail = end; tail > outcome->output; --tail)
        if (tail[-1] == '\n' && ++lines == REPORTED_LINES)
            break;
    AUTO_FREE char *end_text = process_end_text(process, outcome);
    const int status = fail("%s %s%s%.*s", process->argv[0], end_text, tail < end ? ":\n" : "; it printed nothing",
                            (int)(end - tail), tail);
    return status;
}

void process_free(struct process_outcome *outcome) {
    free(outcome->output);
    *outcome = (struct process_outcome){.code = -1};
}
