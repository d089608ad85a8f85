/* The nearest right word to a wrong one. */
#ifndef SPRINGBACK_EXPERIMENT_SPELLING_H
#define SPRINGBACK_EXPERIMENT_SPELLING_H

#include <stdbool.h>

/* Letters to insert, leave out, change or swap with the next to make one word of the other; only the first 63 letters
 * count. */
int spelling_distance(const char *a, const char *b);

/* The part of a dotted path behind its last dot. */
const char *path_last(const char *path);

/* The same as spelling_distance between dotted paths; a last part that is right, or nearly, under the wrong section
 * counts one more than the last part alone. */
int spelling_path_distance(const char *given, const char *right);

/* The search for the right word that is nearest to a wrong one. A word is near if it differs in less than about a third
 * of the letters. */
struct spelling {
    char nearest[256]; /* "" if no word is near */
    int distance;      /* of the nearest; before there is one, the least distance that is not near */
};

struct spelling spelling_search(const char *given);

/* Compare with one more right word, whose distance the caller says. Of equally near words the first is kept. */
void spelling_consider(struct spelling *search, const char *right, int distance);

/* "did you mean x?" for the nearest of space-separated words, otherwise "one of: ..."; newly allocated. */
char *spelling_advice(const char *given, const char *words);

/* Whether a key is a path, or the last part of one; a method's name goes by "method" too. */
bool spelling_path_fits(const char *key, const char *path);

#endif
