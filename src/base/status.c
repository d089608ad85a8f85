#include "base/status.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text; /* grows with each message */
static size_t length;
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* threads with runs of their own may add messages */

static void append(const char *format, va_list arguments) PRINTF_LIKE(1, 0);

static void append(const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int needed = vsnprintf(NULL, 0, format, arguments);
    char *grown = needed < 0 ? NULL : realloc(text, length + (size_t)needed + 1);
    if (grown) {
        text = grown;
        vsnprintf(text + length, (size_t)needed + 1, format, again);
        length += (size_t)needed;
    }
    va_end(again);
}

static void append_plain(const char *format, ...) PRINTF_LIKE(1, 2);

static void append_plain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    append(format, arguments);
    va_end(arguments);
}

int fail(const char *format, ...) {
    pthread_mutex_lock(&lock);
    if (count++)
        append_plain("\n");
    va_list arguments;
    va_start(arguments, format);
    append(format, arguments);
    va_end(arguments);
    pthread_mutex_unlock(&lock);
    return STATUS_BAD;
}

int fail_at(struct place place, const char *format, ...) {
    pthread_mutex_lock(&lock);
    if (count++)
        append_plain("\n");
    if (place.file && place.line > 0)
        append_plain("%s:%d:%d: ", place.file, place.line, place.column);
    else if (place.file)
        append_plain("%s: ", place.file);
    va_list arguments;
    va_start(arguments, format);
    append(format, arguments);
    va_end(arguments);
    pthread_mutex_unlock(&lock);
    return STATUS_BAD;
}

void fail_and_end(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("springback: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(STATUS_BAD);
}

const char *failure_text(void) {
    return text ? text : "";
}

int failure_count(void) {
    return count;
}

void failure_clear(void) {
    free(text);
    text = NULL;
    length = 0;
    count = 0;
}

struct failure_mark failure_mark(void) {
    return (struct failure_mark){length, count};
}

char *failure_take(struct failure_mark mark) {
    const char *taken = failure_text() + mark.length;
    char *copy = text_copy(taken + (*taken == '\n'));
    length = mark.length;
    count = mark.count;
    if (text)
        text[length] = 0;
    return copy;
}

void failure_rewind(struct failure_mark mark) {
    free(failure_take(mark));
}
