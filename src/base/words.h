/* Lists of words. */
#ifndef SPRINGBACK_BASE_WORDS_H
#define SPRINGBACK_BASE_WORDS_H

#include <stdbool.h>

/* A NULL-terminated list of words, which owns its words. */
struct words {
    const char **words;
    int count;
};

bool words_has(const struct words *words, const char *word); /* whether the list has the word */
void words_add(struct words *words, const char *word);
/* Add a word if the list does not have it. Returns whether the word was added. */
bool words_add_new(struct words *words, const char *word);
void words_add_files(struct words *words, const char *pattern); /* adds the paths that match a pattern of glob(3) */
void words_free(struct words *words);

#endif
