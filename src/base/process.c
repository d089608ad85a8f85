#include "base/process.h"

#include "base/amount.h"
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
#include <time.h>
#include <unistd.h>

enum { READ_SIZE = 65536, OUTPUT_KEPT = 1 << 20, LONGEST_PAUSE = 20 /* ms */, DRAINED_READS = 64, TOLD_LINES = 12 };

extern char **environ;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A folder's path with a slash at its end, newly allocated; a relative one is seen from where we are, since the child
 * works elsewhere. */
static char *absolute(const char *folder, size_t length) {
    char *here = folder[0] == '/' ? text_copy("") : getcwd(NULL, 0);
    char *path = text_format("%s%s%.*s%s", here ? here : ".", folder[0] == '/' ? "" : "/", (int)length, folder,
                             length ? "/" : "");
    free(here);
    return path;
}

static bool is_program(const char *path) {
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode) && !access(path, X_OK);
}

int process_find(const char *program, const char *package, char **path) {
    *path = NULL;
    const char *slash = strrchr(program, '/'), *list = getenv("PATH");
    if (slash) {
        char *folder = absolute(program, (size_t)(slash - program));
        *path = text_format("%s%s%s", folder, slash == program ? "/" : "", slash + 1);
        free(folder);
    }
    for (const char *entry = list ? list : "/usr/bin:/bin"; !slash && *program; ++entry) {
        const size_t length = strcspn(entry, ":");
        char *folder = absolute(entry, length);
        *path = text_format("%s%s", folder, program);
        free(folder);
        if (is_program(*path) || !*(entry += length))
            break;
        free(*path);
        *path = NULL;
    }
    if (*path && is_program(*path))
        return STATUS_OK;
    free(*path);
    *path = NULL;
    return package ? fail("%s is missing; apt-get install %s would bring it", program, package)
                   : fail("%s: there is no such program", program);
}

/* What the child needs between fork and exec, where nothing may be allocated: another thread may have held the lock. */
struct start {
    const char *path, *folder;
    const char *const *argv;
    int in, out, error, trouble; /* file descriptors, all above 2 */
    pid_t parent;
    size_t memory;
    long files; /* the most that may be open */
};

/* Which step of the child's way to the program went wrong. */
enum step { STEP_FOLDER, STEP_LIMIT, STEP_EXEC };
struct trouble {
    enum step step;
    int error;
};

static _Noreturn void give_up(const struct start *start, enum step step) {
    const struct trouble trouble = {step, errno};
    (void)!write(start->trouble, &trouble, sizeof trouble);
    _exit(127);
}

/* In the child: only what is safe between fork and exec of a program with threads. */
static _Noreturn void become(const struct start *start) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != start->parent) /* we ended before it was asked for */
        _exit(127);
    struct sigaction action = {.sa_handler = SIG_DFL}, old;
    sigemptyset(&action.sa_mask);
    for (int s = 1; s < NSIG;
         ++s) /* what was ignored from outside stays so, as under nohup; our own SIGPIPE does not */
        if (!sigaction(s, NULL, &old) && (old.sa_handler != SIG_IGN || s == SIGPIPE))
            sigaction(s, &action, NULL);
    sigprocmask(SIG_SETMASK, &action.sa_mask, NULL);
    dup2(start->in, STDIN_FILENO);
    dup2(start->out, STDOUT_FILENO);
    dup2(start->error, STDERR_FILENO);
    if (close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC)) /* an old kernel */
        for (long file = STDERR_FILENO + 1; file < start->files; ++file)
            fcntl((int)file, F_SETFD, FD_CLOEXEC);
    if (start->folder && chdir(start->folder))
        give_up(start, STEP_FOLDER);
    const struct rlimit none = {0, 0}, memory = {start->memory, start->memory};
    setrlimit(RLIMIT_CORE, &none); /* a crash of some programs is an outcome, and leaves no file behind */
    if (start->memory && setrlimit(RLIMIT_AS, &memory))
        give_up(start, STEP_LIMIT);
    execve(start->path, (char *const *)start->argv, environ);
    give_up(start, STEP_EXEC);
}

static void close_file(int *file) {
    if (*file >= 0)
        close(*file);
    *file = -1;
}

/* Give a file a number above 2, so that laying 0, 1 and 2 overwrites none. */
static int lifted(int file) {
    if (file < 0 || file > STDERR_FILENO)
        return file;
    const int high = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(file);
    return high;
}

static bool pipe_open(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC)) {
        ends[0] = ends[1] = -1;
        return false;
    }
    for (int e = 0; e < 2; ++e)
        ends[e] = lifted(ends[e]);
    return ends[0] >= 0 && ends[1] >= 0;
}

static pid_t start_child(const struct start *start) {
    /* Until the child has put our handlers away, none may run in it. */
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    const pid_t child = fork();
    if (child == 0)
        become(start);
    const int error = errno;
    if (child > 0)
        setpgid(child, child); /* here as well: whoever of the two comes first */
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = error;
    return child;
}

/* Output kept so far: the buffer has room for twice the limit, so that dropping the beginning is rare. */
struct capture {
    char *bytes;
    size_t length, room, limit, lost;
};

static void capture_trim(struct capture *capture) {
    if (capture->length <= capture->limit)
        return;
    const size_t over = capture->length - capture->limit;
    memmove(capture->bytes, capture->bytes + over, capture->length - over);
    capture->length -= over;
    capture->lost += over;
}

enum got { GOT_END, GOT_BYTES, GOT_NOTHING };

static enum got capture_read(struct capture *capture, int file) {
    if (capture->length >= 2 * capture->limit)
        capture_trim(capture);
    if (capture->length + READ_SIZE + 1 > capture->room) {
        capture->room = 2 * capture->room + READ_SIZE + 1;
        capture->bytes = memory_grow(capture->bytes, capture->room, 1);
    }
    const ssize_t got = read(file, capture->bytes + capture->length, READ_SIZE);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? GOT_NOTHING : GOT_END;
    capture->length += (size_t)got;
    return got ? GOT_BYTES : GOT_END;
}

/* The address space that a process holds now, bytes; 0 where that is not known. */
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

/* Wait for the child to end, reading on, and end it where a limit says so. It stays a zombie, so that its number, which
 * is its group's as well, is not given to another. */
static enum process_end watch(const struct process *process, pid_t child, int *out, struct capture *capture,
                              double begin, size_t *space) {
    enum process_end end = PROCESS_EXITED;
    bool is_killed = false;
    for (int pause = 1;; pause = pause < LONGEST_PAUSE ? 2 * pause : LONGEST_PAUSE) {
        struct pollfd ready = {.fd = *out, .events = POLLIN};
        if (poll(&ready, *out >= 0, pause) > 0) {
            if (capture_read(capture, *out) == GOT_END)
                close_file(out);
            pause = 1;
        }
        siginfo_t info = {.si_pid = 0};
        if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) && errno != EINTR)
            break;
        if (info.si_pid)
            break;
        const size_t held = process->memory ? space_of(child) : 0;
        *space = held > *space ? held : *space;
        const bool is_late = process->seconds > 0 && now() - begin > process->seconds;
        if (!is_killed && (interrupt_signal() || is_late)) {
            end = interrupt_signal() ? PROCESS_INTERRUPTED : PROCESS_TIMED_OUT;
            kill(-child, SIGKILL);
            is_killed = true;
        }
    }
    kill(-child, SIGKILL); /* whom it left running */
    for (int r = 0; *out >= 0 && r < DRAINED_READS && capture_read(capture, *out) == GOT_BYTES; ++r)
        ;
    return end;
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

static int run_child(const struct process *process, struct start *start, int *out, int trouble,
                     struct process_outcome *outcome) {
    const double begin = now();
    const pid_t child = start_child(start);
    if (child < 0)
        return fail("%s cannot be started: %s", process->argv[0], strerror(errno));
    close_file(&start->in);
    close_file(&start->out);
    close_file(&start->error);
    close_file(&start->trouble);
    struct trouble what;
    ssize_t got;
    /* Empty from where the program begins on; the space that the child holds before that is ours. */
    while ((got = read(trouble, &what, sizeof what)) < 0 && errno == EINTR)
        ;
    struct capture capture = {.limit = process->output ? process->output : OUTPUT_KEPT};
    fcntl(*out, F_SETFL, O_NONBLOCK);
    size_t space = 0;
    outcome->end = watch(process, child, out, &capture, begin, &space);
    close_file(out);
    int how = 0;
    struct rusage usage = {.ru_maxrss = 0};
    while (wait4(child, &how, 0, &usage) < 0 && errno == EINTR)
        ;
    outcome->seconds = now() - begin;
    outcome->peak = (size_t)usage.ru_maxrss * 1024;
    capture_trim(&capture);
    capture.bytes = memory_grow(capture.bytes, capture.length + 1, 1);
    capture.bytes[capture.length] = 0;
    free(outcome->output);
    outcome->output = capture.bytes;
    outcome->length = capture.length;
    outcome->lost = capture.lost;
    if (got == sizeof what) { /* it did not */
        if (what.step == STEP_FOLDER)
            return fail("%s cannot be started in %s: %s", process->argv[0], process->folder, strerror(what.error));
        return fail("%s cannot be started%s: %s", start->path, what.step == STEP_LIMIT ? " under its memory limit" : "",
                    strerror(what.error));
    }
    judge(process, how, space > outcome->peak ? space : outcome->peak, outcome);
    if (outcome->end == PROCESS_INTERRUPTED)
        return fail("%s was ended, as asked by signal %d (%s)", process->argv[0], interrupt_signal(),
                    strsignal(interrupt_signal()));
    return STATUS_OK;
}

int process_run(const struct process *process, struct process_outcome *outcome) {
    *outcome = (struct process_outcome){.code = -1, .output = text_copy("")};
    if (interrupt_signal()) {
        outcome->end = PROCESS_INTERRUPTED;
        return fail("%s is not started, as asked by signal %d (%s)", process->argv[0], interrupt_signal(),
                    strsignal(interrupt_signal()));
    }
    char *path;
    if (process_find(process->argv[0], process->package, &path))
        return STATUS_BAD;
    int out[2] = {-1, -1}, trouble[2] = {-1, -1}, status = STATUS_OK;
    struct start start = {.path = path,
                          .folder = process->folder,
                          .argv = process->argv,
                          .in = lifted(open("/dev/null", O_RDONLY | O_CLOEXEC)),
                          .out = -1,
                          .parent = getpid(),
                          .memory = process->memory,
                          .files = sysconf(_SC_OPEN_MAX)};
    if (start.in < 0 || !pipe_open(out) || !pipe_open(trouble))
        status = fail("%s cannot be started: %s", process->argv[0], strerror(errno));
    start.error = out[1];
    start.trouble = trouble[1];
    start.out = lifted(process->into ? open(process->into, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)
                                     : fcntl(out[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    if (!status && start.out < 0)
        status = fail("%s: cannot be written: %s", process->into ? process->into : process->argv[0], strerror(errno));
    if (!status) {
        /* Where the caller of the program had ignored SIGCHLD, children would vanish with their exit codes. */
        struct sigaction wait = {.sa_handler = SIG_DFL}, old;
        sigemptyset(&wait.sa_mask);
        sigaction(SIGCHLD, &wait, &old);
        status = run_child(process, &start, &out[0], trouble[0], outcome);
        sigaction(SIGCHLD, &old, NULL);
    }
    int *const files[] = {&start.in, &start.out, &start.error, &start.trouble, &out[0], &trouble[0]};
    for (size_t f = 0; f < sizeof files / sizeof *files; ++f)
        close_file(files[f]);
    free(path);
    return status;
}

char *process_told(const struct process *process, const struct process_outcome *outcome) {
    char amount[AMOUNT_SIZE];
    switch (outcome->end) {
    case PROCESS_TIMED_OUT:
        return text_format("did not end within %s", amount_seconds(process->seconds, amount));
    case PROCESS_OUT_OF_MEMORY:
        return text_format("ran out of memory within its limit of %s", amount_bytes((double)process->memory, amount));
    case PROCESS_INTERRUPTED:
        return text_copy("was ended, as asked");
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
        if (tail[-1] == '\n' && ++lines == TOLD_LINES)
            break;
    char *told = process_told(process, outcome);
    const int status =
        fail("%s %s%s%.*s", process->argv[0], told, tail < end ? ":\n" : "; it said nothing", (int)(end - tail), tail);
    free(told);
    return status;
}

void process_free(struct process_outcome *outcome) {
    free(outcome->output);
    *outcome = (struct process_outcome){.code = -1};
}
