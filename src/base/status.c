#include "base/status.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text; /* NULL before the first message */
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* several threads may add messages */

PRINTF_LIKE(2, 0)
static int add(struct place place, const char *format, va_list arguments) {
    AUTO_FREE char *message = text_format_list(format, arguments);
    pthread_mutex_lock(&lock);
    text = text ? text : text_copy("");
    text_append(&text, "%s", count++ ? "\n" : "");
    if (place.file && place.line > 0)
        text_append(&text, "%s:%d:%d: ", place.file, place.line, place.column);
    else if (place.file)
        text_append(&text, "%s: ", place.file);
    text_append(&text, "%s", message);
    pthread_mutex_unlock(&lock);
    return STATUS_BAD;
}

int fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int status = add((struct place){.file = NULL}, format, arguments);
    va_end(arguments);
    return status;
}

int fail_at(struct place place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int status = add(place, format, arguments);
    va_end(arguments);
    return status;
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
    count = 0;
}

struct failure_mark failure_mark(void) {
    return (struct failure_mark){strlen(failure_text()), count};
}

char *failure_take(struct failure_mark mark) {
    const char *message = failure_text() + mark.length;
    char *copy = text_copy(message + (*message == '\n'));
    count = mark.count;
    if (text)
        text[mark.length] = 0;
    return copy;
}

void failure_rewind(struct failure_mark mark) {
    free(failure_take(mark));
}
