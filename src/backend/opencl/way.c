#include "backend/opencl/way.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/status.h"
#include "experiment/value.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char words[] = "launches fused plain one many ahead bare behind global state hold", lanes[] = "lanes=";

/* What follows a word's beginning where the environment has it, or NULL. */
static const char *asked(const char *word) {
    const size_t length = strlen(word);
    const char *at = getenv("SPRINGBACK_OPENCL");
    for (; at && *(at += strspn(at, " ")); at += strcspn(at, " "))
        if (!strncmp(at, word, length) && (word[length - 1] == '=' || strcspn(at, " ") == length))
            return at + length;
    return NULL;
}

int way_check(void) {
    const char *asked_for = getenv("SPRINGBACK_OPENCL");
    AUTO_FREE char *all = text_copy(asked_for ? asked_for : "");
    char *rest = all, *word;
    int number;
    while ((word = strsep(&rest, " ")))
        if (*word && !words_have(words, word, strlen(word)) &&
            (strncmp(word, lanes, strlen(lanes)) != 0 || !whole_read(word + strlen(lanes), 1, INT_MAX, &number)))
            return fail("SPRINGBACK_OPENCL has '%s'; it may have %s lanes=N", word, words);
    return STATUS_OK;
}

bool way_has(const char *word) {
    return asked(word) != NULL;
}

bool way_is_strict(void) {
    const char *wish = getenv("SPRINGBACK_STRICT");
    return wish && !strcmp(wish, "1");
}

bool way_is_plain(const struct device *device) {
    return way_has("plain") || (!device->is_gpu && !way_has("fused"));
}

struct frame_wish way_wish(void) {
    const char *number = asked(lanes);
    return (struct frame_wish){.one = way_has("one"),
                               .many = way_has("many"),
                               .ahead = way_has("ahead"),
                               .behind = way_has("behind"),
                               .global = way_has("global"),
                               .bare = way_has("bare"),
                               .state = way_has("state"),
                               .hold = way_has("hold"),
                               .lanes = number ? strtoul(number, NULL, 10) : 0};
}
