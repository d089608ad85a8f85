/* The nearest right word to a wrong one. */
#ifndef SPRINGBACK_EXPERIMENT_SPELLING_H
#define SPRINGBACK_EXPERIMENT_SPELLING_H

#include <stdbool.h>

/* Letters to insert, leave out or change to make one word of the other; only the first 63 letters count. */
int spelling_distance(const char *a, const char *b);

/* A word this far from another, or farther, is no slip of it: about a third of its letters. */
int spelling_limit(const char *given);

/* The same between dotted paths; a last part that is right, or nearly, under the wrong section counts one
 * more than the last part alone. */
int spelling_path_distance(const char *given, const char *right);

/* Whether a key is a path, or the last part of one; a method's name goes by "method" too. */
bool spelling_path_fits(const char *key, const char *path);

#endif
