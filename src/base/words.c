#include "base/words.h"

#include "base/memory.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

void words_add(struct words *words, const char *word) {
    words->words = memory_grow(words->words, (size_t)words->count + 2, sizeof *words->words);
    words->words[words->count++] = text_copy(word);
    words->words[words->count] = NULL;
}

bool words_has(const struct words *words, const char *word) {
    for (int w = 0; w < words->count; ++w)
        if (!strcmp(words->words[w], word))
            return true;
    return false;
}

bool words_add_new(struct words *words, const char *word) {
    if (words_has(words, word))
        return false;
    words_add(words, word);
    return true;
}

void words_add_files(struct words *words, const char *pattern) {
    glob_t found = {0};
    if (!glob(pattern, 0, NULL, &found))
        for (size_t f = 0; f < found.gl_pathc; ++f)
            words_add(words, found.gl_pathv[f]);
    globfree(&found);
}

void words_free(struct words *words) {
    for (int w = 0; w < words->count; ++w)
        free((char *)words->words[w]);
    free(words->words);
    *words = (struct words){NULL, 0};
}
