/* Shared by the fuzz targets: a check, temporary files with given bytes, options of the sanitizers. */
#ifndef SPRINGBACK_TESTS_FUZZ_H
#define SPRINGBACK_TESTS_FUZZ_H

#include "base/memory.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *count, char ***words);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);

/* A condition that must be true. If the condition is false, the fuzzer stops and stores the input. */
#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: does not hold: %s\n%s\n", __FILE__, __LINE__, #condition, failure_text());         \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* An allocation that is too large returns NULL, as without the sanitizer, because it is not an error of the program.
 * The other options are for speed: HDF5 allocates half a megabyte each time that it opens a file.
 * ASAN_OPTIONS=malloc_context_size=30 gives reports with the whole stack of an allocation. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1:quarantine_size_mb=8:allocator_release_to_os_interval_ms=-1:"
           "malloc_context_size=4:max_malloc_fill_size=256";
}

/* Leaks of these libraries are not reported. libfyaml 0.7.12 leaks for a quoted text with many doubled quotes. HDF5
 * 1.10.8 leaks some data of a damaged file. udunits 2.2 leaks the text of an invalid unit. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libfyaml\nleak:libhdf5\nleak:libudunits2";
}

/* The path of a file in memory with these bytes. The next call replaces the bytes. */
static inline const char *fuzz_file(const uint8_t *bytes, size_t size) {
    static int fd = -1;
    static char path[64];
    if (fd < 0) {
        fd = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    MUST(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, bytes, size, 0) == (ssize_t)size);
    return path;
}

/* A stream for output that nobody reads. */
static inline FILE *fuzz_nowhere(void) {
    static FILE *nowhere;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    MUST(nowhere);
    return nowhere;
}

/* A pseudorandom number below a limit, for mutations; advances the state (Knuth, MMIX). */
static inline unsigned fuzz_below(uint64_t *state, unsigned limit) {
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)((*state >> 32) * limit >> 32);
}

#endif
