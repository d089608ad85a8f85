#include "base/memory.h"

#include "base/file.h"
#include "base/number.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Calls _exit, because the exit handlers of libraries need memory. */
void memory_exhausted(size_t bytes) {
    char word[100];
    const int length = snprintf(word, sizeof word, "\nspringback: out of memory: cannot allocate %zu bytes\n", bytes);
    (void)!write(STDERR_FILENO, word, (size_t)length);
    temporary_remove_all();
    _exit(STATUS_BAD);
}

void *memory_new(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        memory_exhausted(count * size);
    return memory;
}

void *memory_grow(void *old, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size)
        memory_exhausted(SIZE_MAX);
    size_t bytes = count && size ? count * size : 1;
    void *memory = realloc(old, bytes);
    if (!memory)
        memory_exhausted(bytes);
    return memory;
}

void memory_release(void *pointer) {
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    free(memory);
}

void *pool_add(struct pool *pool, void *memory) {
    if (!(pool->count & (pool->count - 1))) /* 0 or a power of two: the array is full */
        pool->items = memory_grow(pool->items, pool->count ? 2 * (size_t)pool->count : 1, sizeof *pool->items);
    return pool->items[pool->count++] = memory;
}

void pool_free(struct pool *pool) {
    for (int i = 0; i < pool->count; i++)
        free(pool->items[i]);
    free(pool->items);
    *pool = (struct pool){0};
}

char *text_copy(const char *text) {
    size_t bytes = strlen(text) + 1;
    return memcpy(memory_new(bytes, 1), text, bytes);
}

char *text_format_list(const char *format, va_list arguments) {
    char *text;
    if (vasprintf(&text, format, arguments) < 0)
        memory_exhausted(strlen(format));
    return text;
}

char *text_format(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = text_format_list(format, arguments);
    va_end(arguments);
    return text;
}

void text_append(char **text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    AUTO_FREE char *more = text_format_list(format, arguments);
    va_end(arguments);
    const size_t length = strlen(*text), added = strlen(more) + 1;
    *text = memory_grow(*text, length + added, 1);
    memcpy(*text + length, more, added);
}

char *text_cell(const char *text) {
    char *cell = text_copy(text);
    for (char *c = cell; (c = strpbrk(c, "\t\n\r"));)
        *c = ' ';
    return cell;
}

bool text_ends(const char *text, const char *ending) {
    const size_t length = strlen(text), end = strlen(ending);
    return length > end && !strcmp(text + length - end, ending);
}

bool text_list_add(char **list, const char *item) {
    AUTO_FREE char *listed = text_format(", %s,", *list), *wanted = text_format(", %s,", item);
    const bool is_new = !strstr(listed, wanted);
    if (is_new)
        text_append(list, "%s%s", **list ? ", " : "", item);
    return is_new;
}

void *memory_large(size_t bytes) {
    const size_t rounded = round_up(bytes, 64);
    if (rounded < bytes)
        return NULL;
    void *memory = NULL; /* not aligned_alloc, which ends the program if memory is exhausted (src/cli/allocation.c) */
    if (!posix_memalign(&memory, 64, rounded ? rounded : 64))
        memset(memory, 0, rounded ? rounded : 64);
    return memory;
}

size_t memory_available(void) {
    FILE *file = fopen("/proc/meminfo", "r");
    const char *number = NULL;
    char line[128];
    while (file && !number && fgets(line, sizeof line, file))
        number = strncmp(line, "MemAvailable:", 13) ? NULL : line + 13;
    if (file)
        fclose(file);
    return 1024 * (number ? (size_t)strtoull(number, NULL, 10) : SIZE_MAX / 1024);
}
