#include "backend/way.h"

#include <stdlib.h>
#include <string.h>

static const char *asked(const char *word) {
    const char *all = getenv("SPRINGBACK_OPENCL");
    return all ? strstr(all, word) : NULL;
}

bool way_has(const char *word) {
    return asked(word) != NULL;
}

bool way_is_strict(void) {
    const char *wish = getenv("SPRINGBACK_STRICT");
    return wish && !strcmp(wish, "1");
}

bool way_is_plain(const struct device *device) {
    return way_has("plain") || (!device->is_gpu && !way_has("lean"));
}

/* The number behind a word; 0 where it is not asked for. */
static size_t number(const char *word) {
    const char *at = asked(word);
    return at ? strtoul(at + strlen(word), NULL, 10) : 0;
}

struct list_wish way_list_wish(void) {
    return (struct list_wish){.one = way_has("one"),
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
