#include "base/file.h"

#include "base/little_endian.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_exists(const char *path) {
    return access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

bool folder_exists(const char *path) {
    struct stat about;
    return !stat(path, &about) && S_ISDIR(about.st_mode);
}

int file_open(const char *path) {
    struct stat about;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* does not wait for the writer of a FIFO */
    if (descriptor < 0)
        return fail("%s: %s", path, strerror(errno)), -1;
    if (!fstat(descriptor, &about) && S_ISREG(about.st_mode))
        return descriptor;
    close(descriptor);
    return fail("%s: not a file", path), -1;
}

ssize_t file_read_at(int descriptor, void *data, size_t bytes, uint64_t place) {
    size_t held = 0;
    while (held < bytes) {
        const ssize_t got = pread(descriptor, (char *)data + held, bytes - held, (off_t)(place + held));
        if (got == 0)
            break;
        if (got < 0 && errno != EINTR)
            return -1;
        held += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)held;
}

int file_write_at(int descriptor, const void *data, size_t bytes, uint64_t place) {
    for (size_t done = 0; done < bytes;) {
        const ssize_t written = pwrite(descriptor, (const char *)data + done, bytes - done, (off_t)(place + done));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? errno : EIO;
        done += (size_t)written;
    }
    return 0;
}

int file_write_words_at(int descriptor, const void *words, size_t size, size_t count, uint64_t place) {
    char buffer[LITTLE_ENDIAN_BYTES];
    int error = 0;
    for (size_t first = 0, part; first < count && !error; first += part) {
        part = little_endian_part(count - first, size);
        error = file_write_at(descriptor, little_endian_words((const char *)words + first * size, size, part, buffer),
                              part * size, place + first * size);
    }
    return error;
}

int file_read(const char *path, char **text) {
    enum { MOST = 1 << 30 };
    const int descriptor = file_open(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
    if (!file)
        return descriptor < 0 ? STATUS_BAD : fail("%s: %s", path, strerror(errno));
    size_t length = 0, capacity = 65536, got;
    char *all = memory_new(capacity, 1);
    while (length <= MOST && (got = fread(all + length, 1, capacity - length - 1, file)) > 0)
        if ((length += got) + 1 == capacity)
            all = memory_grow(all, capacity *= 2, 1);
    all[length] = 0;
    int error = ferror(file) ? errno : length > MOST ? EFBIG : 0;
    fclose(file);
    if (error) {
        free(all);
        return fail("%s: %s", path, strerror(error));
    }
    *text = all;
    return STATUS_OK;
}

int file_write_if_changed(const char *path, const char *text) {
    AUTO_FREE char *old = NULL;
    if (file_exists(path) && file_read(path, &old))
        return STATUS_BAD;
    const bool same = old && !strcmp(old, text);
    return same ? STATUS_OK : file_write(path, text);
}

int file_draft_begin(const char *path, struct file_draft *draft) {
    *draft =
        (struct file_draft){.path = text_copy(path), .temporary = text_format("%s.%ld.part", path, (long)getpid())};
    temporary_add(draft->temporary);
    draft->file = fopen(draft->temporary, "wb");
    if (draft->file)
        return STATUS_OK;
    fail("%s: cannot be written: %s", path, strerror(errno));
    return file_draft_end(draft, STATUS_BAD);
}

int file_draft_end(struct file_draft *draft, int status) {
    int error = draft->file && ferror(draft->file) ? (errno ? errno : EIO) : 0; /* the errno of the failed write */
    if (draft->file && fclose(draft->file) && !error)
        error = errno;
    if (!status && !error && rename(draft->temporary, draft->path))
        error = errno;
    if (!status && error)
        status = fail("%s: cannot be written: %s", draft->path, strerror(error));
    if (status)
        unlink(draft->temporary);
    temporary_forget(draft->temporary);
    free(draft->temporary);
    free(draft->path);
    return status;
}

int file_write(const char *path, const char *text) {
    struct file_draft draft;
    if (file_draft_begin(path, &draft))
        return STATUS_BAD;
    fputs(text, draft.file);
    return file_draft_end(&draft, STATUS_OK);
}

int folder_make(const char *path) {
    for (size_t length = 1 + strcspn(path + 1, "/");; length += 1 + strcspn(path + length + 1, "/")) {
        AUTO_FREE char *part = text_format("%.*s", (int)length, path);
        if (mkdir(part, 0777) && errno != EEXIST)
            return fail("%s: cannot create the folder: %s; choose another one, for example with --out", part,
                        strerror(errno));
        if (!path[length])
            break;
    }
    return access(path, W_OK | X_OK)
               ? fail("%s: cannot write into the folder: %s; choose another one, for example with --out", path,
                      strerror(errno))
               : STATUS_OK;
}

/* ---- Temporary files ---- */

enum { MAX_PATHS = 64, MAX_DEPTH = 600 };

static _Atomic(const char *) paths[MAX_PATHS];

void temporary_add(const char *path) {
    static atomic_flag is_registered = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&is_registered))
        (void)atexit(temporary_remove_all);
    for (int p = 0; p < MAX_PATHS && path; ++p) {
        const char *none = NULL;
        if (atomic_compare_exchange_strong(&paths[p], &none, path))
            return;
    }
}

void temporary_forget(const char *path) {
    for (int p = 0; p < MAX_PATHS && path; ++p) {
        const char *held = path;
        if (atomic_compare_exchange_strong(&paths[p], &held, NULL))
            return;
    }
}

/* ---- Removal by system calls alone, because memory may be exhausted or a signal handler may be running ---- */

static int contents_remove(int folder, int depth);

static bool entry_remove(int folder, const char *name, int depth) {
    if (!unlinkat(folder, name, 0))
        return true;
    const int child = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (child < 0)
        return false;
    while (depth < MAX_DEPTH &&
           contents_remove(child, depth + 1)) /* repeat: after a removal, getdents64 may skip entries */
        lseek(child, 0, SEEK_SET);
    close(child);
    return !unlinkat(folder, name, AT_REMOVEDIR);
}

/* Remove the contents of a folder. Returns how many entries were removed. */
static int contents_remove(int folder, int depth) {
    char buffer[4096] __attribute__((aligned(8)));
    ssize_t got;
    int removed = 0;
    while ((got = getdents64(folder, buffer, sizeof buffer)) > 0)
        for (const char *at = buffer; at < buffer + got; at += ((const struct dirent64 *)at)->d_reclen) {
            const char *name = ((const struct dirent64 *)at)->d_name;
            removed += strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && entry_remove(folder, name, depth);
        }
    return removed;
}

void temporary_remove(const char *path) {
    if (!entry_remove(AT_FDCWD, path, 0)) /* a second attempt, in case a system call failed only once */
        (void)entry_remove(AT_FDCWD, path, 0);
}

void temporary_remove_all(void) {
    for (int p = 0; p < MAX_PATHS; ++p) {
        const char *path = atomic_exchange(&paths[p], NULL);
        if (path)
            temporary_remove(path);
    }
}

/* ---- Folders ---- */

int temporary_make(char **folder) {
    const char *parent = getenv("TMPDIR");
    *folder = text_format("%s/springback-XXXXXX", parent && *parent ? parent : "/tmp");
    if (mkdtemp(*folder)) {
        temporary_add(*folder);
        return STATUS_OK;
    }
    fail("%s: cannot create a temporary folder: %s; TMPDIR sets its parent folder", *folder, strerror(errno));
    free(*folder);
    *folder = NULL;
    return STATUS_BAD;
}

void temporary_end(char *folder) {
    if (folder)
        temporary_remove(folder);
    temporary_forget(folder);
    free(folder);
}
