/* Status codes and error messages.
 *
 * A function that can fail returns a code of enum status, unless its comment says otherwise. The codes are also the
 * exit codes of the program. Messages are collected separately, so that reading a file once can report all its
 * mistakes. All threads share the messages: any thread may add one, but only one thread at a time may read or clear
 * them. */
#ifndef SPRINGBACK_BASE_STATUS_H
#define SPRINGBACK_BASE_STATUS_H

#include <stddef.h>

#define PRINTF_LIKE(string, first) __attribute__((format(printf, string, first)))

enum status {
    STATUS_OK = 0,
    STATUS_CHANGED = 1, /* a verdict is not the recorded one, or compared results differ */
    STATUS_BAD = 2      /* bad input, or something could not run */
};

/* A position in an input file. Line and column count from 1. Line 0 means the whole file. `file` is NULL if there is no
 * position. */
struct place {
    const char *file;
    int line, column;
};

/* Add a message without a newline at its end. Returns STATUS_BAD, for `return fail(...)`. */
int fail(const char *format, ...) PRINTF_LIKE(1, 2);

/* Like fail, but the message starts with "FILE:LINE:COLUMN: ", or with "FILE: " if the line is 0. */
int fail_at(struct place place, const char *format, ...) PRINTF_LIKE(2, 3);

/* Print a message and end the program with exit code 2. For errors after which no caller can continue: for example, the
 * system cannot list a folder. */
_Noreturn void fail_and_end(const char *format, ...) PRINTF_LIKE(1, 2);

/* All messages since the last failure_clear, one per line; "" if there are none. Borrowed; valid until the next fail or
 * clear. */
const char *failure_text(void);
int failure_count(void); /* the number of these messages */
void failure_clear(void);

/* failure_rewind removes the messages added since failure_mark. Use it after a failure that is not an error. */
struct failure_mark {
    size_t length;
    int count;
};
struct failure_mark failure_mark(void);
void failure_rewind(struct failure_mark mark);

/* Like failure_rewind, but returns the removed messages, or "" if there are none. Newly allocated; the caller frees it.
 */
char *failure_take(struct failure_mark mark);

#endif
