/* Replacements for functions of libc, and for one function of HDF5. A function that opens a file checks the path. fsync
 * and fdatasync do nothing, because the fuzzer's files are in memory. pwrite limits the size of a file, and fallocate
 * allocates no blocks. H5Eset_auto2 makes errors of HDF5 count for libFuzzer. */
#include "trace_watch.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *allowed;

void watch_only(const char *path) {
    allowed = path;
}

/* The reader reads the amount of memory from /proc/meminfo. A constant is faster, and makes runs repeatable. */
static const char meminfo[] = "/proc/meminfo", memory[] = "MemAvailable: 4194304 kB\n";

static void opening(const char *path) {
    const size_t length = allowed ? strlen(allowed) : 0;
    if (!allowed || (strncmp(path, allowed, length) == 0 && (!path[length] || path[length] == '/')))
        return;
    const char *only = allowed;
    allowed = NULL; /* the sanitizer's report opens files too */
    fprintf(stderr, "does not hold: %s is opened, but only %s may be opened\n", path, only);
    abort();
}

static void *next(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

int open(const char *path, int flags, ...) {
    static int (*real)(const char *path, int flags, ...);
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (!real)
        *(void **)&real = next("open");
    if ((flags & O_ACCMODE) == O_RDONLY) /* writing is allowed, for reports of libFuzzer */
        opening(path);
    return real(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode) {
    static FILE *(*real)(const char *path, const char *mode);
    if (!real)
        *(void **)&real = next("fopen");
    if (strcmp(path, meminfo) == 0)
        return fmemopen((void *)memory, sizeof memory - 1, "r");
    if (*mode == 'r')
        opening(path);
    return real(path, mode);
}

DIR *opendir(const char *path) {
    static DIR *(*real)(const char *path);
    if (!real)
        *(void **)&real = next("opendir");
    opening(path);
    return real(path);
}

void *dlopen(const char *path, int flags) {
    static void *(*real)(const char *path, int flags);
    if (!real)
        *(void **)&real = next("dlopen");
    opening(path ? path : "");
    return real(path, flags);
}

int fsync(int fd) {
    (void)fd;
    return 0;
}

int fdatasync(int fd) {
    (void)fd;
    return 0;
}

/* A write must begin in the first 16 MiB of a file, and have at most 16 MiB, because an edit can make HDF5 write any
 * number of bytes. */
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t place) {
    static ssize_t (*real)(int fd, const void *bytes, size_t size, off_t place);
    enum { DISK = 16 << 20 };
    if (!real)
        *(void **)&real = next("pwrite");
    if (place < 0 || place > DISK || size > DISK) {
        errno = ENOSPC;
        return -1;
    }
    return real(fd, bytes, size, place);
}

/* Set the file's size without allocating blocks. */
int fallocate(int fd, int mode, off_t start, off_t length) {
    struct stat file;
    (void)mode;
    return fstat(fd, &file) != 0 ? -1 : file.st_size >= start + length ? 0 : ftruncate(fd, start + length);
}

/* ---- Errors of HDF5 ---- */

/* HDF5's code is not instrumented for libFuzzer. The line of an error represents the code that was reached. */
__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t reasons[4096];

static herr_t reason_count(unsigned n, const H5E_error2_t *error, void *unused) {
    (void)unused;
    unsigned hash = error->line;
    for (const char *at = error->func_name; n == 0 && *at; at++)
        hash = hash * 31 + (unsigned char)*at;
    if (n == 0)
        reasons[hash % sizeof reasons]++;
    return 0;
}

static herr_t failed(hid_t stack, void *unused) {
    (void)unused;
    if (allowed)
        H5Ewalk2(stack, H5E_WALK_UPWARD, reason_count, NULL);
    return 0;
}

/* springback calls this to switch HDF5's messages off. Each error calls `failed` instead. */
herr_t H5Eset_auto2(hid_t stack, H5E_auto2_t function, void *data) {
    static herr_t (*real)(hid_t stack, H5E_auto2_t function, void *data);
    (void)function, (void)data;
    if (!real)
        *(void **)&real = next("H5Eset_auto2");
    return real(stack, failed, NULL);
}
