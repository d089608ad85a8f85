/* The nearest valid word to a misspelt word. */
#ifndef SPRINGBACK_EXPERIMENT_SPELLING_H
#define SPRINGBACK_EXPERIMENT_SPELLING_H

#include <stdbool.h>

/* The edit distance of two words: insertions, deletions, replacements, and swaps of neighbouring letters. Only the
 * first 63 letters count. */
int spelling_distance(const char *a, const char *b);

/* The part of a dotted path after its last dot. */
const char *path_last(const char *path);

/* The edit distance of two dotted paths. If their last parts have a distance d <= 2, the result is at most d + 1, even
 * if the sections before them differ more. */
int spelling_path_distance(const char *given, const char *right);

/* The search for the valid word that is nearest to a misspelt one. A word is near if its distance is less than 2 plus
 * L / 3, rounded down. L is the number of letters of the misspelt word. */
struct spelling {
    char nearest[256]; /* the nearest word until now; "" if no word is near */
    int distance;      /* the distance of `nearest`; if no word is near, the smallest distance that is too large */
};

struct spelling spelling_search(const char *given);

/* Copy the valid word `right` to search->nearest if `right` is near, and nearer than all earlier words. `distance`: the
 * distance of `right` from the misspelt word. */
void spelling_consider(struct spelling *search, const char *right, int distance);

/* "did you mean x?" with the nearest of space-separated words; "expected one of: ..." if no word is near; "none exists"
 * if there are no words. Newly allocated. */
char *spelling_advice(const char *given, const char *words);

/* Whether a key is this path or its last part. The key "method" also matches method.name. */
bool spelling_path_fits(const char *key, const char *path);

#endif
