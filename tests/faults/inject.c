/* A library that is preloaded into springback and lets the Nth call of a class fail. The environment variable
 * FAULTS_STATE is the path of a file with struct fault_state.
 *
 * The library replaces malloc and related functions of the C library. A seccomp filter traps system calls, also those
 * within stdio. The signal handler makes the trapped call or returns an error. Calls before main do not fail. The clock
 * is simulated, so that results can be compared byte by byte. */
#include "inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef __x86_64__
#error "the registers of a trapped call are known for x86-64 alone"
#endif

static struct fault_state *state; /* NULL until main */
static __thread bool is_inside;   /* true while this library makes calls, which are not counted */

/* Make a system call that the filter never traps. */
long made_call(long number, long a, long b, long c, long d, long e, long f);
extern const char made_call_end[];
__asm__(".text\n.globl made_call\n.type made_call,@function\nmade_call:\n"
        "mov %rdi,%rax\nmov %rsi,%rdi\nmov %rdx,%rsi\nmov %rcx,%rdx\nmov %r8,%r10\nmov %r9,%r8\nmov 8(%rsp),%r9\n"
        "syscall\n.globl made_call_end\nmade_call_end:\nret\n.size made_call,.-made_call\n");

/* Store the current call stack. */
static void keep_stack(struct fault_stack *stack) {
    void *frames[STACK_DEPTH];
    is_inside = true;
    const int depth = backtrace(frames, STACK_DEPTH);
    for (int f = 0; f < depth; ++f) {
        Dl_info about;
        if (!dladdr(frames[f], &about) || !about.dli_fname)
            continue;
        const char *slash = strrchr(about.dli_fname, '/');
        snprintf(stack->frames[f].module, sizeof stack->frames[f].module, "%s", slash ? slash + 1 : about.dli_fname);
        snprintf(stack->frames[f].symbol, sizeof stack->frames[f].symbol, "%s", about.dli_sname ? about.dli_sname : "");
        stack->frames[f].offset = (unsigned long)((char *)frames[f] - (char *)about.dli_fbase);
    }
    stack->depth = depth;
    is_inside = false;
}

static void crash(int signal_number) {
    (void)signal_number;
    keep_stack(&state->crashed);
}

/* Store a hash of the current call stack for this allocation (FNV-1a, with addresses in place of bytes). */
static void list_stack(long number) {
    void *frames[STACK_DEPTH];
    const int depth = backtrace(frames, STACK_DEPTH);
    uint64_t hash = 14695981039346656037u;
    for (int f = 0; f < depth; ++f)
        hash = (hash ^ (uintptr_t)frames[f]) * 1099511628211u;
    state->listed[number - 1] = hash;
}

/* Count a call. Returns whether it must fail. */
static bool fails(enum call_class call) {
    if (!state || is_inside)
        return false;
    const long number = atomic_fetch_add(&state->calls[call], 1) + 1;
    if (state->kind == FAULT_LIST && call == CALL_ALLOC && number <= LISTED_MOST) {
        is_inside = true;
        list_stack(number);
        is_inside = false;
    }
    if (state->call != call || number < state->which || (number > state->which && state->kind != FAULT_ALWAYS))
        return false;
    if (state->kind == FAULT_NONE || state->kind == FAULT_LIST)
        return false;
    if (number == state->which)
        keep_stack(&state->failed);
    if (state->kind == FAULT_KILL)
        made_call(SYS_kill, getpid(), SIGKILL, 0, 0, 0, 0);
    return true;
}

/* ---- Allocations ---- */

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static bool lacks_memory(void) {
    if (!fails(CALL_ALLOC))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t bytes) {
    return lacks_memory() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t size) {
    return lacks_memory() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t bytes) {
    return bytes && lacks_memory() ? NULL : __libc_realloc(old, bytes); /* with 0 bytes, realloc only frees `old`, which
                                                                           cannot fail */
}

void *memalign(size_t alignment, size_t bytes) {
    return lacks_memory() ? NULL : __libc_memalign(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    return memalign(alignment, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t bytes) {
    void *memory = memalign(alignment, bytes);
    if (memory)
        *out = memory;
    return memory ? 0 : ENOMEM;
}

/* ---- System calls ---- */

static const struct {
    int number;
    enum call_class call;
    int error;
} trapped[] = {
    {SYS_open, CALL_OPEN, EMFILE},
    {SYS_openat, CALL_OPEN, EMFILE},
    {SYS_creat, CALL_OPEN, EMFILE},
    {SYS_read, CALL_READ, EIO},
    {SYS_pread64, CALL_READ, EIO},
    {SYS_readv, CALL_READ, EIO},
    {SYS_preadv, CALL_READ, EIO},
    {SYS_getdents64, CALL_READ, EIO},
    {SYS_write, CALL_WRITE, ENOSPC},
    {SYS_pwrite64, CALL_WRITE, ENOSPC},
    {SYS_writev, CALL_WRITE, ENOSPC},
    {SYS_pwritev, CALL_WRITE, ENOSPC},
    {SYS_copy_file_range, CALL_WRITE, ENOSPC},
    {SYS_sendfile, CALL_WRITE, ENOSPC},
    {SYS_fsync, CALL_SYNC, EIO},
    {SYS_fdatasync, CALL_SYNC, EIO},
    {SYS_truncate, CALL_SPACE, ENOSPC},
    {SYS_ftruncate, CALL_SPACE, ENOSPC},
    {SYS_fallocate, CALL_SPACE, ENOSPC},
    {SYS_rename, CALL_NAME, EIO},
    {SYS_renameat, CALL_NAME, EIO},
    {SYS_renameat2, CALL_NAME, EIO},
    {SYS_link, CALL_NAME, EIO},
    {SYS_linkat, CALL_NAME, EIO},
    {SYS_symlink, CALL_NAME, EIO},
    {SYS_mkdir, CALL_NAME, EIO},
    {SYS_mkdirat, CALL_NAME, EIO},
    {SYS_flock, CALL_LOCK, ENOLCK},
    {SYS_fcntl, CALL_LOCK, ENOLCK},
    {SYS_close, CALL_CLOSE, EIO},
};
enum { TRAPPED = sizeof trapped / sizeof *trapped };

static bool is_counted(const int number, const greg_t *registers) {
    if (number == SYS_fcntl)
        return registers[REG_RSI] == F_SETLK || registers[REG_RSI] == F_SETLKW || registers[REG_RSI] == F_OFD_SETLK ||
               registers[REG_RSI] == F_OFD_SETLKW;
    return (number != SYS_write && number != SYS_writev) || registers[REG_RDI] != STDERR_FILENO;
}

static void trap(int signal_number, siginfo_t *info, void *context) {
    (void)signal_number;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    const int number = info->si_syscall, kept = errno;
    int t = 0;
    while (t < TRAPPED - 1 && trapped[t].number != number)
        ++t;
    const bool hit = is_counted(number, registers) && fails(trapped[t].call);
    const bool failed = hit && state->kind != FAULT_HALF;
    const bool is_plain = number == SYS_read || number == SYS_pread64 || number == SYS_write || number == SYS_pwrite64;
    const long third = registers[REG_RDX], count = hit && !failed && is_plain && third > 1 ? third / 2 : third;
    long result = -trapped[t].error;
    if (!failed || number == SYS_close) {
        const long made = made_call(number, registers[REG_RDI], registers[REG_RSI], count, registers[REG_R10],
                                    registers[REG_R8], registers[REG_R9]);
        result = failed ? result : made;
    }
    registers[REG_RAX] = result;
    errno = kept;
}

static void trap_calls(void) {
    struct sock_filter program[TRAPPED + 6];
    int p = 0;
    program[p++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer));
    program[p++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(uintptr_t)made_call_end, TRAPPED + 1, 0);
    program[p++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int t = 0; t < TRAPPED; ++t)
        program[p++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)trapped[t].number,
                                                    (uint8_t)(TRAPPED - t), 0);
    program[p++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    program[p++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    const struct sock_fprog filter = {(unsigned short)p, program};
    struct sigaction action = {.sa_sigaction = trap, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};
    sigaction(SIGSYS, &action, NULL);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) {
        perror("faults: system calls cannot be trapped");
        _exit(99);
    }
}

/* ---- The clock ---- */

/* The simulated wall clock or monotonic clock, in s. Each call advances both by 1 us to 0.13 s, in the same sequence in
 * each process. */
static double made_seconds(bool is_wall) {
    static _Atomic uint64_t passed; /* us */
    if (!state)
        return 0;
    const bool jumps = fails(CALL_CLOCK);
    static _Atomic int hours;
    if (jumps)
        hours = state->kind == FAULT_AHEAD ? 5 : state->kind == FAULT_BACK ? -5 : 0;
    const long looks = state->calls[CALL_CLOCK];
    const uint64_t step = (uint64_t)1 << (looks * 2654435761u >> 7) % 18;
    const uint64_t now = atomic_fetch_add(&passed, step) + step;
    const int jump = is_wall || hours > 0 ? hours : 0; /* the monotonic clock does not jump back */
    return (is_wall ? 1.7e9 : 1e5) + 1e-6 * (double)now + 3600.0 * jump;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!state || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC))
        return (int)made_call(SYS_clock_gettime, clock, (long)time, 0, 0, 0, 0);
    const double seconds = made_seconds(clock == CLOCK_REALTIME);
    time->tv_sec = (time_t)seconds;
    time->tv_nsec = (long)(1e9 * (seconds - (double)time->tv_sec));
    return 0;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out)
        *out = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *out = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

/* ---- main ---- */

static int (*real_main)(int, char **, char **);

static int begin_main(int count, char **words, char **environment) {
    const char *path = getenv("FAULTS_STATE");
    void *frames[2];
    (void)!backtrace(frames, 2); /* its first call loads a library; the calls for this must not be counted */
    const int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file >= 0) {
        void *map = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
        unsetenv("LD_PRELOAD");
        if (map != MAP_FAILED) {
            state = map;
            trap_calls();
            const struct sigaction action = {.sa_handler = crash, .sa_flags = (int)SA_RESETHAND};
            static const int signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
            for (size_t s = 0; s < sizeof signals / sizeof *signals; ++s)
                sigaction(signals[s], &action, NULL);
        }
    }
    return real_main(count, words, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int count, char **words, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

int __libc_start_main(int (*main)(int, char **, char **), int count, char **words, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
    int (*start)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = main;
    return start(begin_main, count, words, init, fini, rtld_fini, stack_end);
}
