/* The program's malloc, calloc, realloc, memalign and aligned_alloc: the C library's, but that memory which cannot be
 * had ends the program with a message and exit code 2.
 *
 * Libraries differ in what they do without memory: HDF5 1.10 reads through null pointers, udunits aborts, libgomp exits
 * with 1, others return what looks like an empty file. springback's own large arrays do not come from here
 * (memory_large, base/memory.h), and may fail. Programs for memory errors that replace malloc leave this file out
 * (CMakeLists.txt). */
#include "base/memory.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>

static void *next_malloc, *next_calloc, *next_realloc, *next_memalign, *next_aligned_alloc;

/* POSIX lets a data pointer hold a function's address. */
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
