/* Lists of words. */
#ifndef SPRINGBACK_BASE_WORDS_H
#define SPRINGBACK_BASE_WORDS_H

#include <stdbool.h>

/* A NULL-ended list of words, which are copies. */
struct words {
    const char **words;
    int count;
};

void words_add(struct words *words, const char *word);
bool words_add_new(struct words *words, const char *word);      /* unless it is there; returns whether it was not */
void words_add_files(struct words *words, const char *pattern); /* those that match a pattern of glob(3) */
void words_free(struct words *words);

#endif
