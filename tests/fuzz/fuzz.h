/* What the fuzz targets share: a claim that must hold, files of the bytes at hand, options of the sanitizers. */
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

/* What does not hold is a finding. */
#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: does not hold: %s\n%s\n", __FILE__, __LINE__, #condition, failure_text());         \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* As in all programs, too large an amount of memory is an error that is met, and not one of the program. The rest is
 * for speed: HDF5 takes half a megabyte each time that it opens a file; a report has the stack of an allocation in full
 * with ASAN_OPTIONS=malloc_context_size=30. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1:quarantine_size_mb=8:allocator_release_to_os_interval_ms=-1:"
           "malloc_context_size=4:max_malloc_fill_size=256";
}

/* Not ours: libfyaml 0.7.12 loses memory over a quoted text with many doubled quotes, HDF5 1.10.8 some of what it read
 * of a damaged file before it saw that, udunits 2.2 the text of a unit that is none. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libfyaml\nleak:libhdf5\nleak:libudunits2";
}

/* A file in memory that holds these bytes; its path is good until the next call. */
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

/* Where prints go that nobody reads. */
static inline FILE *fuzz_nowhere(void) {
    static FILE *nowhere;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    MUST(nowhere);
    return nowhere;
}

/* A number below a limit, for mutations, from a state that is moved on (Knuth, MMIX). */
static inline unsigned fuzz_below(uint64_t *state, unsigned limit) {
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)((*state >> 32) * limit >> 32);
}

#endif
