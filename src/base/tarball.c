#include "base/tarball.h"

#include "base/amount.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/progress.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const char sums_name[] = "SHA256SUMS";
enum {
    SUM_DIGITS = CHECKSUM_SIZE - 1,
    NAME_MOST = 1024,        /* largest length of a file name, bytes */
    SUMS_MOST = 1 << 26,     /* largest size of the list SHA256SUMS, bytes; enough for about 500,000 files */
    PART = 1 << 16,          /* bytes per read */
    FREE_OF_RATIO = 1 << 26, /* bytes unpacked before LIMIT_RATIO applies */
    SPACE_LEFT = 16 << 20,   /* space on the disk that must stay free, bytes */
};

/* ---- The list ---- */

static void add(struct tarball_list *list, const char *name, const char *path, const char *text) {
    struct pool *pool = &list->pool;
    *ARRAY_ADD(list->items, list->count) = (struct tarball_item){.name = pool_add(pool, text_copy(name)),
                                                                 .path = path ? pool_add(pool, text_copy(path)) : NULL,
                                                                 .text = text ? pool_add(pool, text_copy(text)) : NULL};
}

void tarball_add_file(struct tarball_list *list, const char *name, const char *path) {
    add(list, name, path, NULL);
}

void tarball_add_text(struct tarball_list *list, const char *name, const char *text) {
    add(list, name, NULL, text);
}

void tarball_list_free(struct tarball_list *list) {
    pool_free(&list->pool);
    free(list->items);
    *list = (struct tarball_list){.count = 0};
}

bool tarball_is_name(const char *name) {
    const size_t first = strcspn(name, "/"); /* length of the first part */
    if (strlen(name) > NAME_MOST || (first == strlen(sums_name) && !strncmp(name, sums_name, first)))
        return false;
    for (const char *c = name; *c; ++c)
        if ((unsigned char)*c < ' ' || *c == 0x7f || *c == '\\')
            return false;
    for (const char *part = name;; part += strcspn(part, "/") + 1) {
        const size_t length = strcspn(part, "/");
        if (length == 0 || (length <= 2 && !strncmp(part, "..", length)))
            return false;
        if (!part[length])
            return true;
    }
}

/* ---- Writing ---- */

/* The compression for each extension. */
static const struct ending {
    const char *text;
    int (*add_filter)(struct archive *archive);
    const char *options;
} endings[] = {
    {".tar", archive_write_add_filter_none, NULL},
    {".tar.gz", archive_write_add_filter_gzip, "gzip:!timestamp"},
    {".tar.xz", archive_write_add_filter_xz, NULL},
    {".tar.zst", archive_write_add_filter_zstd, NULL},
};

static const struct ending *ending_of(const char *path) {
    const size_t length = strlen(path);
    for (size_t e = 0; e < sizeof endings / sizeof *endings; ++e) {
        const size_t own = strlen(endings[e].text);
        if (length > own && path[length - own - 1] != '/' && !strcmp(path + length - own, endings[e].text))
            return &endings[e];
    }
    return NULL;
}

int tarball_check_ending(const char *path) {
    return ending_of(path)
               ? STATUS_OK
               : fail("%s: the name of an archive must end in .tar, .tar.gz, .tar.xz or .tar.zst; --out sets it", path);
}

/* Open the source of an item, and set *length to its size in bytes. The caller closes the file. NULL after fail(). */
static FILE *item_open(const struct tarball_item *item, size_t *length) {
    struct stat about;
    FILE *file;
    if (item->text) {
        *length = strlen(item->text);
        file = fmemopen(item->text, *length, "r");
    } else {
        const int descriptor = file_open(item->path);
        if (descriptor < 0)
            return NULL;
        file = fstat(descriptor, &about) ? NULL : fdopen(descriptor, "r");
        *length = file ? (size_t)about.st_size : 0;
        if (!file)
            close(descriptor);
    }
    if (!file)
        fail("%s: %s", item->path ? item->path : item->name, strerror(errno));
    return file;
}

static int fail_interrupted(void) {
    return fail("interrupted");
}

/* Compute the checksum of one item, and also write the item if `archive` is not NULL. Adds its bytes to *bytes. */
static int item_pass(const struct tarball_item *item, struct archive *archive, char sum[CHECKSUM_SIZE], double *bytes) {
    size_t length;
    FILE *file = item_open(item, &length);
    if (!file)
        return STATUS_BAD;
    int status = STATUS_OK;
    if (archive) {
        struct archive_entry *entry = archive_entry_new();
        archive_entry_set_pathname(entry, item->name);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_size(entry, (la_int64_t)length);
        archive_entry_set_mtime(entry, 0, 0);
        if (archive_write_header(archive, entry) != ARCHIVE_OK)
            status = fail("%s: %s", item->name, archive_error_string(archive));
        archive_entry_free(entry);
    }
    struct checksum *checksum = checksum_create();
    AUTO_FREE char *part = memory_new(PART, 1);
    size_t got = 0, left = length;
    while (!status && (got = fread(part, 1, PART, file)) > 0 && got <= left) {
        checksum_add(checksum, part, got);
        left -= got;
        if (archive && archive_write_data(archive, part, got) != (la_ssize_t)got)
            status = fail("%s: %s", item->name, archive_error_string(archive));
        else if (interrupt_signal())
            status = fail_interrupted();
    }
    if (!status && ferror(file))
        status = fail("%s: cannot read the whole file", item->path);
    else if (!status && (left || got))
        status = fail("%s: changed while it was read; wait until the program that writes it has ended", item->path);
    *bytes += (double)length;
    checksum_finish(checksum, sum);
    fclose(file);
    return status;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct tarball_item *)a)->name, ((const struct tarball_item *)b)->name);
}

int tarball_sum(struct tarball_list *list) {
    int status = STATUS_OK;
    qsort(list->items, (size_t)list->count, sizeof *list->items, by_name);
    for (int i = 0; i < list->count && !status; ++i) {
        struct tarball_item *item = &list->items[i];
        char sum[CHECKSUM_SIZE];
        if (*item->sum)
            continue;
        item->bytes = 0;
        if (!(status = item_pass(item, NULL, sum, &item->bytes)))
            memcpy(item->sum, sum, sizeof item->sum);
    }
    return status;
}

static int check_names(const struct tarball_list *list) {
    int status = STATUS_OK;
    for (int i = 0; i < list->count; ++i) {
        if (!tarball_is_name(list->items[i].name))
            status = fail(
                "\"%s\" cannot be a name in an archive; write a relative path of at most 1024 bytes. It must not have "
                "control characters, \\, empty parts, the parts . and .., or SHA256SUMS as its first part",
                list->items[i].name);
        if (i && !strcmp(list->items[i - 1].name, list->items[i].name))
            status = fail("%s: two files of the archive have this name", list->items[i].name);
    }
    return status;
}

/* Compute the text of SHA256SUMS. *text is newly allocated; the caller frees it. Sets list->bytes. */
static int list_sums(struct tarball_list *list, char **text) {
    size_t size;
    FILE *file = open_memstream(text, &size);
    const int status = tarball_sum(list);
    list->bytes = 0;
    for (int i = 0; i < list->count && !status; ++i) {
        fprintf(file, "%s  %s\n", list->items[i].sum, list->items[i].name);
        list->bytes += list->items[i].bytes;
    }
    fclose(file);
    return status;
}

static int write_items(struct archive *archive, const struct tarball_list *list, const char *sums) {
    char sum[CHECKSUM_SIZE];
    double done = 0;
    int status =
        item_pass(&(struct tarball_item){.name = (char *)sums_name, .text = (char *)sums}, archive, sum, &done);
    const char *line = sums;
    done = 0;
    for (int i = 0; i < list->count && !status; ++i) {
        const struct tarball_item *item = &list->items[i];
        status = item_pass(item, archive, sum, &done);
        if (!status && strncmp(line, sum, SUM_DIGITS) != 0)
            status = fail("%s: changed while it was read; wait until the program that writes it has ended", item->path);
        line += strcspn(line, "\n") + 1;
        progress_show(done, "packing", "files", i + 1, list->count);
    }
    return status;
}

static int write_archive(FILE *file, const char *path, const struct tarball_list *list, const char *sums) {
    const struct ending *ending = ending_of(path);
    struct archive *archive = archive_write_new();
    int status = STATUS_OK;
    archive_write_set_format_gnutar(archive); /* in this format, names may have any bytes and any length */
    ending->add_filter(archive);
    archive_write_set_bytes_in_last_block(archive, 1);
    if ((ending->options && archive_write_set_options(archive, ending->options) != ARCHIVE_OK) ||
        archive_write_open_FILE(archive, file) != ARCHIVE_OK)
        status = fail("%s: cannot be written: %s", path, archive_error_string(archive));
    progress_begin(list->bytes);
    if (!status && (status = write_items(archive, list, sums)))
        fail("%s: not written", path);
    progress_end();
    if (archive_write_close(archive) != ARCHIVE_OK && !status)
        status = fail("%s: cannot be written: %s", path, archive_error_string(archive));
    archive_write_free(archive);
    return status;
}

int tarball_write(const char *path, struct tarball_list *list) {
    if (tarball_check_ending(path))
        return STATUS_BAD;
    struct file_draft draft;
    AUTO_FREE char *sums = NULL;
    if (list_sums(list, &sums) || check_names(list) || file_draft_begin(path, &draft))
        return STATUS_BAD;
    return file_draft_end(&draft, write_archive(draft.file, path, list, sums));
}

/* ---- Unpacking ---- */

static int fail_damaged(const char *path, struct archive *archive) {
    const char *reason = archive_error_string(archive);
    return fail("%s: this archive is truncated or damaged: %s; fetch or make it again", path,
                reason ? reason : "it cannot be read further");
}

/* A line of SHA256SUMS, borrowed from sums_text. `digits` has 64 digits, without a zero after them. */
struct sum {
    const char *name, *digits;
    bool is_there; /* the file was unpacked */
};

/* The state while an archive is unpacked. */
struct unpacking {
    const char *path, *folder;
    struct archive *archive;
    const struct archive_limits *limits;
    struct sum *sums;
    int sum_count;
    char *sums_text;
    double bytes; /* unpacked so far */
};

/* What is wrong with a line of SHA256SUMS; NULL if nothing. has_end: the line ends with a newline. `before` is the line
 * before it, or NULL for the first line. */
static const char *line_wrong(const char *line, bool has_end, const struct sum *before) {
    if (!has_end || strspn(line, "0123456789abcdef") != SUM_DIGITS || strncmp(line + SUM_DIGITS, "  ", 2) != 0)
        return "expected a SHA-256, two spaces and a name";
    const char *name = line + SUM_DIGITS + 2;
    if (!tarball_is_name(name))
        return "expected a relative name without .. and control characters";
    return before && strcmp(before->name, name) >= 0 ? "expected names in increasing order, each once" : NULL;
}

/* Parse the lines of SHA256SUMS from sums_text. */
static int sums_parse(struct unpacking *unpacking) {
    char *text = unpacking->sums_text;
    double lines = 0;
    for (const char *c = text; *c; ++c)
        lines += *c == '\n';
    if (archive_limits_check(unpacking->limits, LIMIT_FILES, lines, unpacking->path))
        return STATUS_BAD;
    while (text && *text) {
        const int count = unpacking->sum_count;
        const char *line = strsep(&text, "\n");
        const char *wrong = line_wrong(line, text != NULL, count ? &unpacking->sums[count - 1] : NULL);
        if (wrong)
            return fail("%s: its list %s is malformed: line %d: %s", unpacking->path, sums_name, count + 1, wrong);
        *ARRAY_ADD(unpacking->sums, unpacking->sum_count) = (struct sum){.name = line + SUM_DIGITS + 2, .digits = line};
    }
    return STATUS_OK;
}

static int by_listed_name(const void *name, const void *sum) {
    return strcmp(name, ((const struct sum *)sum)->name);
}

/* Whether an entry is a regular file, and neither a link nor a sparse file. */
static bool is_plain(struct archive_entry *entry) {
    return archive_entry_filetype(entry) == AE_IFREG && !archive_entry_hardlink(entry) &&
           !archive_entry_symlink(entry) && archive_entry_size_is_set(entry) && archive_entry_size(entry) >= 0 &&
           !archive_entry_sparse_count(entry);
}

static int sums_read(struct unpacking *unpacking) {
    const char *path = unpacking->path;
    struct archive *archive = unpacking->archive;
    struct archive_entry *entry;
    const int code = archive_read_next_header(archive, &entry);
    if (code != ARCHIVE_OK && code != ARCHIVE_EOF)
        return fail("%s: not a springback archive, or damaged: %s", path, archive_error_string(archive));
    const char *name = code == ARCHIVE_EOF ? NULL : archive_entry_pathname(entry);
    if (!name || strcmp(name, sums_name) != 0 || !is_plain(entry) || archive_entry_size(entry) > SUMS_MOST)
        return fail("%s: not a springback archive: it does not begin with %s; name an archive that `springback "
                    "archive` wrote",
                    path, sums_name);
    const size_t size = (size_t)archive_entry_size(entry);
    unpacking->sums_text = memory_new(size + 1, 1);
    if (archive_read_data(archive, unpacking->sums_text, size) != (la_ssize_t)size)
        return fail_damaged(path, archive);
    if (strlen(unpacking->sums_text) != size)
        return fail("%s: its list %s is not text; fetch or make the archive again", path, sums_name);
    return sums_parse(unpacking);
}

/* Check that the ratio of unpacked to compressed bytes so far is at most LIMIT_RATIO. */
static int ratio_check(const struct unpacking *unpacking) {
    const double packed = (double)archive_filter_bytes(unpacking->archive, -1);
    return unpacking->bytes <= FREE_OF_RATIO
               ? STATUS_OK
               : archive_limits_check(unpacking->limits, LIMIT_RATIO, unpacking->bytes / (packed > 1 ? packed : 1),
                                      unpacking->path);
}

/* Write an entry's bytes to a new file, and compute their checksum. */
static int entry_write(struct unpacking *unpacking, const char *target, char sum[CHECKSUM_SIZE]) {
    const char *path = unpacking->path;
    const int file = open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return fail("%s: %s cannot be written: %s", path, target, strerror(errno));
    struct checksum *checksum = checksum_create();
    AUTO_FREE char *part = memory_new(PART, 1);
    int status = STATUS_OK;
    la_ssize_t got;
    while (!status && (got = archive_read_data(unpacking->archive, part, PART)) != 0) {
        if (got < 0) {
            status = fail_damaged(path, unpacking->archive);
        } else if (interrupt_signal()) {
            status = fail_interrupted();
        } else if (write(file, part, (size_t)got) != got) {
            status = fail("%s: %s cannot be written: %s", path, target, strerror(errno ? errno : ENOSPC));
        } else {
            checksum_add(checksum, part, (size_t)got);
            unpacking->bytes += (double)got;
            status = ratio_check(unpacking);
        }
    }
    checksum_finish(checksum, sum);
    if (close(file) && !status)
        status = fail("%s: %s cannot be written: %s", path, target, strerror(errno));
    return status;
}

/* Check an entry against the limits and the free disk space. */
static int entry_check_size(const struct unpacking *unpacking, const char *name, double size) {
    struct statvfs disk;
    double depth = 0;
    for (const char *c = name; *c; ++c)
        depth += *c == '/';
    if (archive_limits_check(unpacking->limits, LIMIT_DEPTH, depth, unpacking->path) ||
        archive_limits_check(unpacking->limits, LIMIT_FILE_SIZE, size, unpacking->path) ||
        archive_limits_check(unpacking->limits, LIMIT_SIZE, unpacking->bytes + size, unpacking->path))
        return STATUS_BAD;
    if (statvfs(unpacking->folder, &disk) || size + SPACE_LEFT <= (double)disk.f_bavail * (double)disk.f_frsize)
        return STATUS_OK;
    char needed[AMOUNT_SIZE];
    return fail("%s: %s needs %s, and 16 MiB more must stay free, but the folder %s has less free space; TMPDIR sets "
                "its parent folder",
                unpacking->path, name, amount_bytes(size, needed), unpacking->folder);
}

static int entry_unpack(struct unpacking *unpacking, struct archive_entry *entry) {
    const char *path = unpacking->path, *name = archive_entry_pathname(entry);
    struct sum *sum = name && unpacking->sum_count ? bsearch(name, unpacking->sums, (size_t)unpacking->sum_count,
                                                             sizeof *unpacking->sums, by_listed_name)
                                                   : NULL;
    char found[CHECKSUM_SIZE];
    if (!sum)
        return fail("%s: it contains \"%s\", which its list %s does not name; the archive was changed", path,
                    name ? name : "?", sums_name);
    if (sum->is_there || !is_plain(entry))
        return fail("%s: %s %s; the archive was changed", path, name,
                    sum->is_there ? "occurs twice" : "is not a regular file");
    AUTO_FREE char *target = text_format("%s/%s", unpacking->folder, name);
    AUTO_FREE char *folder = text_format("%.*s", (int)(strrchr(target, '/') - target), target);
    if (entry_check_size(unpacking, name, (double)archive_entry_size(entry)) || folder_make(folder) ||
        entry_write(unpacking, target, found))
        return STATUS_BAD;
    sum->is_there = true;
    return strncmp(found, sum->digits, SUM_DIGITS) == 0
               ? STATUS_OK
               : fail("%s: %s is damaged: its SHA-256 is %.12s..., expected %.12s...; fetch or make the archive again",
                      path, name, found, sum->digits);
}

static int unpack_all(struct unpacking *unpacking) {
    const char *path = unpacking->path;
    struct archive *archive = unpacking->archive;
    struct archive_entry *entry;
    int status = sums_read(unpacking), unpacked = 0, code = ARCHIVE_OK;
    const int count = unpacking->sum_count;
    progress_begin(count);
    while (!status && (code = archive_read_next_header(archive, &entry)) == ARCHIVE_OK) {
        status = entry_unpack(unpacking, entry);
        ++unpacked;
        progress_show(unpacked, "unpacking", "files", unpacked, count);
    }
    progress_end();
    if (!status && code != ARCHIVE_EOF)
        status = fail_damaged(path, archive);
    for (int s = 0; s < count && !status; ++s)
        if (!unpacking->sums[s].is_there)
            status = fail("%s: this archive is incomplete: %s is missing; fetch or make it again", path,
                          unpacking->sums[s].name);
    free(unpacking->sums);
    free(unpacking->sums_text);
    return status;
}

int tarball_unpack(const char *path, const char *folder, const struct archive_limits *limits) {
    struct stat about;
    const char *wrong = stat(path, &about)        ? strerror(errno)
                        : !S_ISREG(about.st_mode) ? "not a file" /* opening a FIFO would block */
                                                  : NULL;
    if (wrong)
        return fail("%s: %s; name an archive that `springback archive` wrote", path, wrong);
    struct archive *archive = archive_read_new();
    /* Only these formats are allowed. Some of libarchive's other filters would run a system program. */
    archive_read_support_format_tar(archive);
    archive_read_support_filter_gzip(archive);
    archive_read_support_filter_xz(archive);
    archive_read_support_filter_zstd(archive);
    int status = STATUS_OK;
    if (archive_read_open_filename(archive, path, PART) != ARCHIVE_OK)
        status = fail("%s: not a springback archive: %s", path, archive_error_string(archive));
    else
        status = unpack_all(&(struct unpacking){.path = path, .folder = folder, .archive = archive, .limits = limits});
    archive_read_free(archive);
    return status;
}
