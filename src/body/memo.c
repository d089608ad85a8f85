#include "body/memo.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct {
    pthread_mutex_t mutex;
    char *key; /* NULL if there is no body */
    struct body body;
} last = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* All that a described body follows from: the file, its date and size, and the parameters of body, scene and groups.
 * Newly allocated; NULL if there is no such file. */
static char *key_of(const struct run *run, const char *path) {
    struct stat file;
    if (stat(path, &file))
        return NULL;
    char *key = text_format("%s %lld %lld %lld %lld.%09ld %lld.%09ld", path, (long long)file.st_dev,
                            (long long)file.st_ino, (long long)file.st_size, (long long)file.st_mtim.tv_sec,
                            file.st_mtim.tv_nsec, (long long)file.st_ctim.tv_sec, file.st_ctim.tv_nsec);
    for (int p = 0; p < run->parameter_count; ++p) {
        const char *name = run->parameters[p].field->path;
        if (!strncmp(name, "body.", 5) || !strncmp(name, "scene.", 6) || !strcmp(name, "method.groups") ||
            !strcmp(name, "method.name"))
            text_append(&key, "\n%s=%s", name, run->parameters[p].value.text);
    }
    return key;
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

bool memo_find(const struct run *run, const char *path, struct body *body) {
    AUTO_FREE char *key = key_of(run, path);
    pthread_mutex_lock(&last.mutex);
    const bool is_found = key && last.key && !strcmp(key, last.key);
    if (is_found)
        copy(&last.body, body);
    pthread_mutex_unlock(&last.mutex);
    return is_found;
}

void memo_keep(const struct run *run, const char *path, const struct body *body) {
    char *key = body->pool.count ? NULL : key_of(run, path);
    if (!key)
        return;
    pthread_mutex_lock(&last.mutex);
    free(last.key);
    body_free(&last.body);
    copy(body, &last.body);
    last.key = key;
    pthread_mutex_unlock(&last.mutex);
}
