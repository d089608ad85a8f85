#include "body/memo.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_BODIES = 64 };
static const size_t most_bytes = (size_t)64 << 20; /* maximum size of all bodies in the cache together */

struct entry {
    char *key; /* NULL if there is no body */
    struct body body;
    size_t bytes;
};

static struct {
    pthread_mutex_t mutex;
    struct entry entries[MOST_BODIES];
    int next; /* the entry to replace next, which is the oldest */
    size_t bytes;
} memo = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* A key of everything that surface_describe uses: the file, its size and dates, and the parameters. Newly allocated;
 * NULL if the file does not exist. */
static char *key_of(const struct run *run, const char *path) {
    struct stat file;
    if (stat(path, &file))
        return NULL;
    char *key = text_format("%s %lld %lld %lld %lld.%09ld %lld.%09ld", path, (long long)file.st_dev,
                            (long long)file.st_ino, (long long)file.st_size, (long long)file.st_mtim.tv_sec,
                            file.st_mtim.tv_nsec, (long long)file.st_ctim.tv_sec, file.st_ctim.tv_nsec);
    for (int p = 0; p < run->parameter_count; ++p) {
        const char *name = run->parameters[p].field->path;
        if (!strncmp(name, "body.", 5) || !strncmp(name, "scene.ground.", 13) || !strcmp(name, "method.groups"))
            text_append(&key, "\n%s=%s", name, run->parameters[p].value.text);
    }
    return key;
}

static size_t bytes_of(const struct prepared *prepared) {
    size_t bytes = (size_t)prepared->vertices * sizeof *prepared->position;
    for (int k = 0; k < BODY_PARTS; ++k)
        bytes += (size_t)prepared->parts[k].count * (size_t)part_kinds[k].size * sizeof(int);
    return bytes;
}

static void *copy_of(const void *from, size_t bytes) {
    return from ? memcpy(memory_new(bytes, 1), from, bytes) : NULL;
}

static void copy(const struct body *from, struct body *to) {
    *to = *from;
    const struct prepared *a = &from->prepared;
    struct prepared *b = &to->prepared;
    b->position = copy_of(a->position, (size_t)a->vertices * sizeof *a->position);
    for (int k = 0; k < BODY_PARTS; ++k) {
        const struct part *part = &a->parts[k];
        b->parts[k].particle = copy_of(part->particle, (size_t)part->count * (size_t)part_kinds[k].size * sizeof(int));
        b->parts[k].start = copy_of(part->start, ((size_t)part->groups + 1) * sizeof(int));
    }
    b->facts = (struct attributes){.count = 0};
    for (int f = 0; f < a->facts.count; ++f)
        attributes_add(&b->facts, a->facts.items[f].name, a->facts.items[f].value, a->facts.items[f].is_default);
}

static void forget(struct entry *entry) {
    free(entry->key);
    body_free(&entry->body);
    memo.bytes -= entry->bytes;
    *entry = (struct entry){.key = NULL};
}

bool memo_find(const struct run *run, const char *path, struct body *body) {
    AUTO_FREE char *key = body_has_colours(run) ? NULL : key_of(run, path);
    bool is_found = false;
    pthread_mutex_lock(&memo.mutex);
    for (int e = 0; e < MOST_BODIES && key && !is_found; ++e) {
        is_found = memo.entries[e].key && !strcmp(key, memo.entries[e].key);
        if (is_found)
            copy(&memo.entries[e].body, body);
    }
    pthread_mutex_unlock(&memo.mutex);
    return is_found;
}

void memo_keep(const struct run *run, const char *path, const struct body *body) {
    const size_t bytes = bytes_of(&body->prepared);
    char *key = body_has_colours(run) || bytes > most_bytes ? NULL : key_of(run, path);
    if (!key)
        return;
    pthread_mutex_lock(&memo.mutex);
    for (int e = 0; e < MOST_BODIES && (e == 0 || memo.bytes + bytes > most_bytes); ++e)
        forget(&memo.entries[(memo.next + e) % MOST_BODIES]);
    struct entry *entry = &memo.entries[memo.next];
    copy(body, &entry->body);
    entry->key = key;
    entry->bytes = bytes;
    memo.bytes += bytes;
    memo.next = (memo.next + 1) % MOST_BODIES;
    pthread_mutex_unlock(&memo.mutex);
}
