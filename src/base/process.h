/* Child programs, under limits.
 *
 * No shell is between: arguments are passed as they are. The child reads nothing, gets signals as they are by default
 * and none of our open files, and leads a process group of its own, which ends with it: on its time limit, on our
 * Ctrl-C (base/interrupt.h), and when it ends by itself and has left others running. It ends with us, too. */
#ifndef SPRINGBACK_BASE_PROCESS_H
#define SPRINGBACK_BASE_PROCESS_H

#include "base/status.h"

#include <stddef.h>

/* What to run. What is left 0 is not asked for. */
struct process {
    const char *const *argv; /* ends with NULL; the first is looked for in PATH where it has no slash */
    const char *package;     /* the Debian package that would bring the program */
    const char *folder;      /* where it works; relative paths among the arguments start there */
    const char *into;        /* a file for its standard output, made or emptied; only errors are then captured */
    double seconds;          /* the longest it may take */
    size_t memory;           /* the largest address space, bytes, of each of its processes */
    size_t output;           /* how much of its output is kept, bytes; 0: 1 MiB */
};

enum process_end {
    PROCESS_EXITED,        /* by itself, with any code */
    PROCESS_KILLED,        /* by a signal that is not ours */
    PROCESS_TIMED_OUT,     /* killed at its time limit */
    PROCESS_OUT_OF_MEMORY, /* it failed, and says so or came to nine tenths of its memory limit */
    PROCESS_INTERRUPTED,   /* killed since we were asked to end */
};

struct process_outcome {
    enum process_end end;
    int code;       /* of the exit; -1 where there was none */
    int signal;     /* that ended it; 0 where none did */
    double seconds; /* wall clock */
    size_t peak;    /* most main memory held, bytes */
    char *output;   /* standard output and error as they came, and a final zero */
    size_t length;  /* bytes of output */
    size_t lost;    /* bytes before these, which were too many */
};

/* The path at which a program is found, newly allocated. Fails where it is not there, naming the package. */
int process_find(const char *program, const char *package, char **path);

/* Run a program to its end. Fails where it could not be started, and where we were asked to end; any other end is the
 * outcome's, to be judged by the caller. The outcome is always to be freed. Call it from the main thread. */
int process_run(const struct process *process, struct process_outcome *outcome);

/* The same, but anything else than an exit with code 0 fails, with the end of what the program said. */
int process_succeed(const struct process *process, struct process_outcome *outcome);

/* How a program ended, in words that follow its name, newly allocated: "ended with exit code 3". */
char *process_told(const struct process *process, const struct process_outcome *outcome);

void process_free(struct process_outcome *outcome);

#endif
