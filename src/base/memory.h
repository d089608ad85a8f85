/* Memory allocation. Small allocations end the program with a message if they fail, because no caller could continue.
 * Large arrays use memory_large, which can fail. */
#ifndef SPRINGBACK_BASE_MEMORY_H
#define SPRINGBACK_BASE_MEMORY_H

#include "base/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* End the program with a message and exit code 2, because an allocation of `bytes` bytes failed. Each function below
 * that allocates memory calls memory_exhausted on failure, except memory_large. Temporary files are removed; open
 * streams are not flushed. */
_Noreturn void memory_exhausted(size_t bytes);

/* Allocate zeroed memory for `count` items of `size` bytes; never NULL; the caller frees it. */
void *memory_new(size_t count, size_t size);

/* Resize memory, or allocate it if `old` is NULL. Never NULL; the caller frees the result. `old` becomes invalid. Added
 * bytes are not zeroed. */
void *memory_grow(void *old, size_t count, size_t size);

/* Declares a pointer whose memory is freed at the end of its scope: AUTO_FREE char *text = text_copy(...). */
#define AUTO_FREE __attribute__((cleanup(memory_release)))
void memory_release(void *pointer);

/* A list of allocations that are freed together. */
struct pool {
    void **items;
    int count;
};

void *pool_add(struct pool *pool, void *memory); /* The pool then owns `memory`. Returns `memory`. */
void pool_free(struct pool *pool);               /* A zeroed pool is allowed. */

/* Grow an array by one item, and return the address of the new item: *ARRAY_ADD(items, count) = item. `items` may be
 * NULL if `count` is 0. The array is reallocated, so `items` can change. */
#define ARRAY_ADD(items, count)                                                                                        \
    ((items) = memory_grow((items), (size_t)(count) + 1, sizeof *(items)), (items) + (count)++)

/* A copy of a string; never NULL. Newly allocated; the caller frees it. */
char *text_copy(const char *text);

/* A string formatted as by printf; never NULL. Newly allocated; the caller frees it. */
char *text_format(const char *format, ...) PRINTF_LIKE(1, 2);
char *text_format_list(const char *format, va_list arguments) PRINTF_LIKE(1, 0);

/* Append a text, formatted as by printf, to *text, which malloc or text_format has allocated. The text is reallocated,
 * so *text can change. */
void text_append(char **text, const char *format, ...) PRINTF_LIKE(2, 3);

/* A copy in which spaces replace tabs and line ends, for a table cell. Newly allocated; the caller frees it. */
char *text_cell(const char *text);

/* Whether a text is longer than `ending` and ends with it. */
bool text_ends(const char *text, const char *ending);

/* Append an item to *list, a text of items with ", " between them, unless the text has the item already. The text is
 * reallocated, so *list can change. Returns whether the item was added. */
bool text_list_add(char **list, const char *item);

/* Allocate an array that is zeroed and aligned to 64 bytes; the caller frees it with free(). NULL if the system cannot
 * allocate so much. */
void *memory_large(size_t bytes);

/* Bytes of main memory that can be allocated now without swapping; about SIZE_MAX if the system does not report them.
 */
size_t memory_available(void);

/* Calls `release` with the address of a variable at the end of its scope: AUTO(edges_free) struct edges edges; */
#define AUTO(release) __attribute__((cleanup(release)))

#endif
