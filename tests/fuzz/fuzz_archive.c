/* The input gives an archive, as if it was damaged or made by others. The program unpacks this archive.
 *
 * If the first byte is odd, the other bytes are the archive. If the first byte is even, the other bytes describe
 * entries, from which the test makes a tar with correct checksums. If the other bytes were always the archive, few
 * inputs would pass the check of the checksums. An entry consists of a byte of type, a byte of flags, a byte with the
 * length of the name, the name, a byte with the length of the text, and the text. Flags: 1 is a hard link, 2 is an
 * entry that SHA256SUMS does not list.
 *
 * For any input, nothing may be written outside the folder. Accepted entries must be files with allowed names. */
#include "base/checksum.h"
#include "base/tarball.h"
#include "fuzz.h"

#include <archive.h>
#include <archive_entry.h>
#include <ftw.h>
#include <sys/stat.h>

static char *parent, *folder;

int LLVMFuzzerInitialize(int *count, char ***words) {
    (void)count, (void)words;
    const char *place = getenv("TMPDIR");
    parent = text_format("%s/fuzz-archive-XXXXXX", place ? place : "/tmp");
    MUST(mkdtemp(parent));
    folder = text_format("%s/into", parent);
    return 0;
}

static int clear_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status;
    if (place->level == 0)
        return 0;
    MUST(place->level > 1 || !strcmp(path, folder)); /* nothing was written outside the folder */
    MUST(type != FTW_SL && type != FTW_SLN);
    MUST(place->level < 2 || tarball_is_name(path + strlen(folder) + 1));
    return remove(path);
}

/* Take a byte, which is a length, and then a text of this length. If the input ends earlier, the text is shorter. The
 * text is newly allocated. */
static char *take(const uint8_t **bytes, const uint8_t *end, size_t *length) {
    const size_t wanted = *bytes < end ? *(*bytes)++ : 0, left = (size_t)(end - *bytes);
    *length = wanted < left ? wanted : left;
    char *text = memory_new(*length + 1, 1);
    memcpy(text, *bytes, *length);
    *bytes += *length;
    return text;
}

static void put(struct archive *archive, int type, int flags, const char *name, const char *text, size_t length) {
    static const unsigned types[] = {AE_IFREG, AE_IFREG, AE_IFREG, AE_IFLNK, AE_IFDIR, AE_IFIFO, AE_IFCHR, AE_IFREG};
    struct archive_entry *entry = archive_entry_new();
    const bool has_data = types[type & 7] == AE_IFREG && !(flags & 1);
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, types[type & 7]);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, has_data ? (la_int64_t)length : 0);
    if (types[type & 7] == AE_IFLNK)
        archive_entry_set_symlink(entry, "/etc");
    else if (flags & 1)
        archive_entry_set_hardlink(entry, "SHA256SUMS");
    if (archive_write_header(archive, entry) == ARCHIVE_OK && has_data)
        archive_write_data(archive, text, length);
    archive_entry_free(entry);
}

/* Make a tar of the entries; newly allocated. *size is its length. */
static char *build(const uint8_t *bytes, const uint8_t *end, size_t *size) {
    enum { MOST = 1 << 18 };
    char *tar = memory_new(MOST, 1), *sums = NULL;
    size_t sums_size;
    FILE *list = open_memstream(&sums, &sums_size);
    struct archive *archive = archive_write_new();
    archive_write_set_format_gnutar(archive);
    archive_write_open_memory(archive, tar, MOST, size);
    for (int pass = 0; pass < 2; ++pass) {
        for (const uint8_t *at = bytes; end - at > 3;) {
            const int type = *at++, flags = *at++;
            size_t name_length, length;
            char *name = take(&at, end, &name_length), *text = take(&at, end, &length), sum[CHECKSUM_SIZE];
            struct checksum *checksum = checksum_create();
            checksum_add(checksum, text, length);
            checksum_finish(checksum, sum);
            if (pass)
                put(archive, type, flags, name, text, length);
            else if (!(flags & 2))
                fprintf(list, "%s  %s\n", sum, name);
            free(name);
            free(text);
        }
        if (!pass) {
            fclose(list);
            put(archive, 0, 0, "SHA256SUMS", sums, sums_size);
        }
    }
    archive_write_close(archive);
    archive_write_free(archive);
    free(sums);
    return tar;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (!size)
        return 0;
    char *tar = NULL;
    size_t length = size - 1;
    if (!(bytes[0] & 1))
        tar = build(bytes + 1, bytes + size, &length);
    const char *path = fuzz_file(tar ? (const uint8_t *)tar : bytes + 1, length);
    failure_clear();
    MUST(mkdir(folder, 0700) == 0);
    const int status = tarball_unpack(path, folder, &archive_limits_default);
    MUST(status == STATUS_OK || failure_count());
    MUST(nftw(parent, clear_entry, 16, FTW_DEPTH | FTW_PHYS) == 0);
    free(tar);
    return 0;
}
