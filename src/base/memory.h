/* Memory that either is there or ends the program with a clear word: running out of a few kilobytes is no error that a
 * caller could mend. Large arrays go through memory_large, which can say no. */
#ifndef SPRINGBACK_BASE_MEMORY_H
#define SPRINGBACK_BASE_MEMORY_H

#include "base/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* End the program with a message and exit code 2, as the functions below do if `bytes` cannot be had. Temporary files
 * go; nothing is flushed. */
_Noreturn void memory_exhausted(size_t bytes);

/* Zeroed; never NULL. */
void *memory_new(size_t count, size_t size);

/* Resized; never NULL. What is new is not zeroed. */
void *memory_grow(void *old, size_t count, size_t size);

/* A pointer whose memory is freed where its scope ends: AUTO_FREE char *text = text_copy(...). */
#define AUTO_FREE __attribute__((cleanup(memory_release)))
void memory_release(void *pointer);

/* Allocations that are freed together. */
struct pool {
    void **items;
    int count;
};

void *pool_add(struct pool *pool, void *memory); /* which is the pool's from then on, and is returned */
void pool_free(struct pool *pool);               /* zeroed is fine */

/* The place of one more item behind `count` others, which move: *ARRAY_ADD(items, count) = item. */
#define ARRAY_ADD(items, count)                                                                                        \
    ((items) = memory_grow((items), (size_t)(count) + 1, sizeof *(items)), (items) + (count)++)

/* A copy of a string; never NULL. */
char *text_copy(const char *text);

/* A string made as by printf; never NULL. */
char *text_format(const char *format, ...) PRINTF_LIKE(1, 2);
char *text_format_list(const char *format, va_list arguments) PRINTF_LIKE(1, 0);

/* Append to a newly allocated text, which moves. */
void text_append(char **text, const char *format, ...) PRINTF_LIKE(2, 3);

/* A copy in which tabs and line ends are spaces, so that it fits into a cell of a table. */
char *text_cell(const char *text);

/* Append an item to a newly allocated list with ", " between its items, unless it has that. Whether it was added. */
bool text_list_add(char **list, const char *item);

/* Zeroed, aligned to 64 bytes, freed by free(); NULL where there is no such amount. */
void *memory_large(size_t bytes);

/* Bytes of main memory that can be had now without swapping. */
size_t memory_available(void);

/* What a function releases where its scope ends, by its address: AUTO(edges_free) struct edges edges; */
#define AUTO(release) __attribute__((cleanup(release)))

#endif
