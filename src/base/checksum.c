#include "base/checksum.h"

#include "base/memory.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct checksum {
    struct sha256_ctx context;
};

struct checksum *checksum_create(void) {
    struct checksum *checksum = memory_new(1, sizeof *checksum);
    sha256_init(&checksum->context);
    return checksum;
}

void checksum_add(struct checksum *checksum, const void *bytes, size_t count) {
    sha256_update(&checksum->context, count, bytes);
}

void checksum_finish(struct checksum *checksum, char out[CHECKSUM_SIZE]) {
    unsigned char sum[SHA256_DIGEST_SIZE];
    sha256_digest(&checksum->context, sizeof sum, sum);
    for (size_t b = 0; b < sizeof sum; ++b)
        snprintf(out + 2 * b, 3, "%02x", sum[b]);
    free(checksum);
}

int checksum_file(const char *path, char out[CHECKSUM_SIZE]) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail("%s: %s", path, strerror(errno));
    struct checksum *checksum = checksum_create();
    enum { BUFFER_SIZE = 65536 };
    AUTO_FREE unsigned char *bytes = memory_new(BUFFER_SIZE, 1);
    size_t got;
    while ((got = fread(bytes, 1, BUFFER_SIZE, file)) > 0)
        checksum_add(checksum, bytes, got);
    const int error = ferror(file) ? errno : 0;
    fclose(file);
    checksum_finish(checksum, out);
    return error ? fail("%s: %s", path, strerror(error)) : STATUS_OK;
}

bool checksum_is(const char *text) {
    return strlen(text) == CHECKSUM_SIZE - 1 && strspn(text, "0123456789abcdef") == CHECKSUM_SIZE - 1;
}
