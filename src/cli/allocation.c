/* The program's malloc, calloc, realloc, memalign and aligned_alloc. They call the functions of the C library. A failed
 * allocation ends the program with a message and exit code 2.
 *
 * Libraries behave differently without memory: HDF5 1.10 reads through null pointers, udunits aborts, libgomp exits
 * with 1, and other libraries return a result like that of an empty file. springback's own large arrays come
 * from memory_large (base/memory.h), which does not call these functions and may fail. Some memory checkers replace
 * malloc; builds for these checkers omit this file (CMakeLists.txt). */
#include "base/memory.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>

static void *next_malloc, *next_calloc, *next_realloc, *next_memalign, *next_aligned_alloc;

/* Find the next definition of a function, which is that of the C library, and store its address in *found. Returns
 * `found`. POSIX allows a data pointer to store the address of a function. */
static void *next(void **found, const char *name) {
    if (!*found)
        *found = dlsym(RTLD_NEXT, name);
    return found;
}

static void *checked(void *memory, size_t bytes) {
    if (!memory)
        memory_exhausted(bytes);
    return memory;
}

void *malloc(size_t bytes) {
    void *(**call)(size_t) = next(&next_malloc, "malloc");
    return checked((*call)(bytes), bytes);
}

void *calloc(size_t count, size_t size) {
    void *(**call)(size_t, size_t) = next(&next_calloc, "calloc");
    return checked((*call)(count, size), count * size);
}

void *realloc(void *old, size_t bytes) {
    void *(**call)(void *, size_t) = next(&next_realloc, "realloc");
    void *memory = (*call)(old, bytes);
    return bytes ? checked(memory, bytes) : memory;
}

void *memalign(size_t alignment, size_t bytes) {
    void *(**call)(size_t, size_t) = next(&next_memalign, "memalign");
    return checked((*call)(alignment, bytes), bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    void *(**call)(size_t, size_t) = next(&next_aligned_alloc, "aligned_alloc");
    return checked((*call)(alignment, bytes), bytes);
}
