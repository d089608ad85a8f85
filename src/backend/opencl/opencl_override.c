#include "backend/opencl/opencl_override.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/status.h"
#include "experiment/value.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char words[] = "launches strips blocks fused plain one many ahead bare behind global state resident",
                  lanes[] = "lanes=";

/* The text that follows `word` in SPRINGBACK_OPENCL. `word` is a whole word, or the beginning of a word up to "=". NULL
 * if SPRINGBACK_OPENCL has no such word. */
static const char *find_word(const char *word) {
    const size_t length = strlen(word);
    const char *at = getenv("SPRINGBACK_OPENCL");
    for (; at && *(at += strspn(at, " ")); at += strcspn(at, " "))
        if (!strncmp(at, word, length) && (word[length - 1] == '=' || strcspn(at, " ") == length))
            return at + length;
    return NULL;
}

int opencl_override_check(void) {
    const char *value = getenv("SPRINGBACK_OPENCL");
    AUTO_FREE char *all = text_copy(value ? value : "");
    char *rest = all, *word;
    int number;
    while ((word = strsep(&rest, " ")))
        if (*word && !words_have(words, word, strlen(word)) &&
            (strncmp(word, lanes, strlen(lanes)) != 0 || !whole_read(word + strlen(lanes), 1, INT_MAX, &number)))
            return fail("SPRINGBACK_OPENCL has the unknown word '%s'; its words are %s lanes=N (N at least 1)", word,
                        words);
    return STATUS_OK;
}

bool opencl_override_has(const char *word) {
    return find_word(word) != NULL;
}

bool warnings_are_errors(void) {
    const char *value = getenv("SPRINGBACK_STRICT");
    return value && !strcmp(value, "1");
}

bool runs_unfused(const struct device *device) {
    return opencl_override_has("plain") || (!device->is_gpu && !opencl_override_has("fused"));
}

struct shape_override opencl_override_shape(void) {
    const char *number = find_word(lanes);
    return (struct shape_override){.one_group = opencl_override_has("one"),
                                   .many_groups = opencl_override_has("many"),
                                   .prefetch = opencl_override_has("ahead"),
                                   .no_prefetch = opencl_override_has("behind"),
                                   .no_local = opencl_override_has("global"),
                                   .no_cache = opencl_override_has("bare"),
                                   .local_state = opencl_override_has("state"),
                                   .resident = opencl_override_has("resident"),
                                   .lanes = number ? strtoul(number, NULL, 10) : 0};
}
