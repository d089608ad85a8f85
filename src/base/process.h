/* Child programs with limits.
 *
 * Arguments are passed directly, without a shell. The child has an empty standard input and the default signal
 * handlers, and inherits no open files of this program. The child leads its own process group. This group is killed at
 * the time limit, when this program receives SIGINT or SIGTERM (base/interrupt.h), and when the child has ended but
 * left other processes running. The child is also killed when this program ends. */
#ifndef SPRINGBACK_BASE_PROCESS_H
#define SPRINGBACK_BASE_PROCESS_H

#include "base/status.h"

#include <stddef.h>

/* The program to run, and its limits. Each pointer except argv may be NULL, and then has no effect. */
struct process {
    const char *const *argv; /* ends with NULL; the first one is searched in PATH if it has no slash */
    const char *package;     /* the Debian package that provides the program; for an error message */
    const char *folder;      /* the working folder; relative paths among the arguments start there */
    /* A file for the standard output, created or emptied. process_outcome.output then has the standard error only. */
    const char *into;
    double seconds; /* time limit, s; 0 means no limit */
    size_t memory;  /* limit of the address space of each process, bytes; 0 means no limit */
    size_t output;  /* how many bytes at the end of the output are kept; 0 means 1 MiB */
};

enum process_end {
    PROCESS_EXITED,        /* the child ended itself, with any exit code */
    PROCESS_KILLED,        /* the child was ended by a signal that this program did not send */
    PROCESS_TIMED_OUT,     /* killed at the time limit */
    PROCESS_OUT_OF_MEMORY, /* the child failed under a memory limit: its output reported exhausted memory, or it had
                              used nine tenths of the limit */
    PROCESS_INTERRUPTED,   /* killed because this program received a signal */
};

struct process_outcome {
    enum process_end end;
    int code;       /* exit code; -1 if the child did not exit by itself */
    int signal;     /* the signal that ended the child; 0 if none did */
    double seconds; /* elapsed time from start to end */
    size_t peak;    /* largest main memory that the child used, bytes */
    char *output;   /* standard output and error in the order written, zero-terminated */
    size_t length;  /* bytes of output */
    size_t lost;    /* how many bytes were dropped from the start of the output */
};

/* Find a program in PATH, or at its own path if `program` has a slash. *path is its absolute path, newly allocated; the
 * caller frees it. Errors: there is no such program; the message names the package unless `package` is NULL. */
int process_find(const char *program, const char *package, char **path);

/* Run a program until it ends. Errors: the program could not be started, or springback received a signal. In all other
 * cases the caller must look at outcome->end. Always call process_free for the outcome. Call this function from the
 * main thread. */
int process_run(const struct process *process, struct process_outcome *outcome);

/* Like process_run, but any end other than exit code 0 is also an error, whose message has the last lines of output. */
int process_succeed(const struct process *process, struct process_outcome *outcome);

/* How a program ended, as the end of a sentence that begins with its name: "ended with exit code 3". Newly allocated;
 * the caller frees it. */
char *process_end_text(const struct process *process, const struct process_outcome *outcome);

void process_free(struct process_outcome *outcome);

#endif
