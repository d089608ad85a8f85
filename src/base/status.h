/* Status codes and error messages.
 *
 * Every function that can fail returns one of these codes; they are the exit codes of the command as well. The text of
 * what went wrong is collected on the side, so that one reading of a file can report all of its mistakes at once. All
 * threads of the process share the messages: any thread may add one, and one thread at a time reads or forgets them. */
#ifndef SPRINGBACK_BASE_STATUS_H
#define SPRINGBACK_BASE_STATUS_H

#include <stddef.h>

#define PRINTF_LIKE(string, first) __attribute__((format(printf, string, first)))

enum status {
    STATUS_OK = 0,
    STATUS_CHANGED = 1, /* a verdict is not the recorded one */
    STATUS_BAD = 2      /* bad input, or something could not run */
};

/* A place in a file that a person wrote. Line and column count from 1; a line of 0 means the file as a whole. */
struct place {
    const char *file;
    int line, column;
};

/* Add one message, without a newline at its end. Returns STATUS_BAD, so that `return fail(...)` reads well. */
int fail(const char *format, ...) PRINTF_LIKE(1, 2);

/* The same, led by "FILE:LINE:COLUMN: ". */
int fail_at(struct place place, const char *format, ...) PRINTF_LIKE(2, 3);

/* Print a message and end the program with exit code 2: for what no caller can be without, such as a folder that the
 * system does not list. */
_Noreturn void fail_and_end(const char *format, ...) PRINTF_LIKE(1, 2);

/* All messages since the last clear, a line each; "" if there are none. Valid until the next fail or clear. */
const char *failure_text(void);
int failure_count(void);
void failure_clear(void);

/* Forget what was said since a moment: for a failure that was looked for, and is no mistake. */
struct failure_mark {
    size_t length;
    int count;
};
struct failure_mark failure_mark(void);
void failure_rewind(struct failure_mark mark);

/* The same, but what was said comes back, newly allocated; "" if nothing was. */
char *failure_take(struct failure_mark mark);

#endif
