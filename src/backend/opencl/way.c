#include "backend/opencl/way.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/status.h"
#include "experiment/value.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char words[] = "launches fused plain one many ahead bare behind global state hold", *const numbered[] = {
                                                                                                     "lanes=", "near="};

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
    char *all = text_copy(getenv("SPRINGBACK_OPENCL") ? getenv("SPRINGBACK_OPENCL") : ""), *rest = all, *word;
    int status = STATUS_OK, number;
    while ((word = strsep(&rest, " ")) && !status) {
        bool is_known = !*word || words_have(words, word, strlen(word));
        for (size_t n = 0; n < sizeof numbered / sizeof *numbered; ++n)
            is_known = is_known || (!strncmp(word, numbered[n], strlen(numbered[n])) &&
                                    whole_read(word + strlen(numbered[n]), 1, INT_MAX, &number));
        if (!is_known)
            status = fail("SPRINGBACK_OPENCL has '%s'; it may have %s lanes=N near=N", word, words);
    }
    free(all);
    return status;
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

/* The number behind a word; 0 where it is not asked for. */
static size_t number(const char *word) {
    const char *digits = asked(word);
    return digits ? strtoul(digits, NULL, 10) : 0;
}

struct frame_wish way_wish(void) {
    return (struct frame_wish){.one = way_has("one"),
                               .many = way_has("many"),
                               .ahead = way_has("ahead"),
                               .behind = way_has("behind"),
                               .global = way_has("global"),
                               .bare = way_has("bare"),
                               .state = way_has("state"),
                               .hold = way_has("hold"),
                               .lanes = number("lanes="),
                               .near = number("near=")};
}
