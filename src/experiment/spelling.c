#include "experiment/spelling.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#define LONGEST 63

int spelling_distance(const char *a, const char *b) {
    const int length = (int)strnlen(b, LONGEST);
    /* row[j]: the distance of the first i letters of a and the first j letters of b. last, before: the same for the
     * first i - 1 and i - 2 letters of a. */
    int rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *row = rows[2];
    for (int j = 0; j <= length; j++)
        row[j] = j;
    for (int i = 1; i <= LONGEST && a[i - 1]; i++) {
        int *oldest = before;
        before = last;
        last = row;
        row = oldest;
        row[0] = i;
        for (int j = 1; j <= length; j++) {
            const int change = last[j - 1] + (a[i - 1] != b[j - 1]),
                      less = (last[j] < row[j - 1] ? last[j] : row[j - 1]) + 1;
            row[j] = change < less ? change : less;
            const bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (is_swapped && before[j - 2] + 1 < row[j])
                row[j] = before[j - 2] + 1;
        }
    }
    return row[length];
}

struct spelling spelling_search(const char *given) {
    return (struct spelling){"", 2 + (int)strnlen(given, LONGEST) / 3};
}

void spelling_consider(struct spelling *search, const char *right, int distance) {
    if (distance < search->distance) {
        search->distance = distance;
        snprintf(search->nearest, sizeof search->nearest, "%s", right);
    }
}

char *spelling_advice(const char *given, const char *words) {
    struct spelling search = spelling_search(given);
    AUTO_FREE char *list = text_copy(words);
    for (char *rest = list, *word; (word = strsep(&rest, " "));)
        if (*word)
            spelling_consider(&search, word, spelling_distance(given, word));
    if (*search.nearest)
        return text_format("did you mean %s?", search.nearest);
    return text_format("%s%s", *words ? "expected one of: " : "none exists", words);
}

const char *path_last(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

int spelling_path_distance(const char *given, const char *right) {
    const int whole = spelling_distance(given, right), last = spelling_distance(path_last(given), path_last(right));
    return last <= 2 && last + 1 < whole ? last + 1 : whole;
}

bool spelling_path_fits(const char *key, const char *path) {
    return strcmp(key, path) == 0 || strcmp(key, path_last(path)) == 0 ||
           (strcmp(key, "method") == 0 && strcmp(path, "method.name") == 0);
}
