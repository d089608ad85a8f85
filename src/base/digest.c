#include "base/digest.h"

#include "base/little_endian.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct digest {
    XXH3_state_t state;
};

struct digest *digest_create(void) {
    struct digest *digest = memory_large(sizeof *digest); /* aligned to 64 bytes, as XXH3_state_t requires */
    if (!digest)
        memory_exhausted(sizeof *digest);
    XXH3_128bits_reset(&digest->state);
    return digest;
}

void digest_add(struct digest *digest, const void *bytes, size_t count) {
    XXH3_128bits_update(&digest->state, bytes, count);
}

void digest_add_words(struct digest *digest, const void *words, size_t size, size_t count) {
    char buffer[LITTLE_ENDIAN_BYTES];
    for (size_t first = 0, part; first < count; first += part) {
        part = little_endian_part(count - first, size);
        digest_add(digest, little_endian_words((const char *)words + first * size, size, part, buffer), part * size);
    }
}

void digest_add_text(struct digest *digest, const char *text) {
    digest_add(digest, text, strlen(text) + 1);
}

void digest_finish(struct digest *digest, char out[DIGEST_SIZE]) {
    XXH128_hash_t hash = XXH3_128bits_digest(&digest->state);
    snprintf(out, DIGEST_SIZE, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
    free(digest);
}

void digest_bytes(const void *bytes, size_t count, char out[DIGEST_SIZE]) {
    struct digest *digest = digest_create();
    digest_add(digest, bytes, count);
    digest_finish(digest, out);
}
