#include "base/tarball.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* `name` is NAME in --limit NAME=N. In a message, `has` is before a number and `what` after it: "it has 5000 files". */
static const struct {
    const char *name, *has, *what;
} rows[LIMIT_COUNT] = {
    [LIMIT_FILES] = {"files", "it has", "files"},
    [LIMIT_FILE_SIZE] = {"file-size", "one of its files has", "bytes"},
    [LIMIT_SIZE] = {"size", "its files have", "bytes"},
    [LIMIT_RATIO] = {"ratio", "its files are", "times as large as the archive"},
    [LIMIT_DEPTH] = {"depth", "its folders are nested", "deep"},
    [LIMIT_SECONDS] = {"seconds", "", ""}, /* no words: the caller sets a deadline (base/interrupt.h) */
};

const struct archive_limits archive_limits_default = {.most = {
                                                          [LIMIT_FILES] = 200000,
                                                          [LIMIT_FILE_SIZE] = 4294967296.0, /* 4 GiB */
                                                          [LIMIT_SIZE] = 17179869184.0,     /* 16 GiB */
                                                          [LIMIT_RATIO] = 200,
                                                          [LIMIT_DEPTH] = 32,
                                                          [LIMIT_SECONDS] = 600,
                                                      }};

/* The names and default values of all limits: "files=200000, ...". Newly allocated; the caller frees it. */
static char *defaults_text(void) {
    char *text = text_copy("");
    for (int l = 0; l < LIMIT_COUNT; ++l)
        text_append(&text, "%s%s=%.0f", l ? ", " : "", rows[l].name, archive_limits_default.most[l]);
    return text;
}

int archive_limits_set(struct archive_limits *limits, const char *setting) {
    for (int l = 0; l < LIMIT_COUNT; ++l) {
        const size_t length = strlen(rows[l].name);
        if (strncmp(setting, rows[l].name, length) != 0 || setting[length] != '=')
            continue;
        const char *digits = setting + length + 1;
        const double value = strtod(digits, NULL);
        if (!*digits || digits[strspn(digits, "0123456789")] || !(value >= 1) || !isfinite(value))
            return fail("--limit %s: not a whole number above 0 (example: %s=%.0f)", setting, rows[l].name,
                        archive_limits_default.most[l]);
        limits->most[l] = value;
        return STATUS_OK;
    }
    AUTO_FREE char *all = defaults_text();
    return fail("--limit %s: no such limit; the limits are %s", setting, all);
}

int archive_limits_check(const struct archive_limits *limits, enum archive_limit limit, double found,
                         const char *path) {
    if (found <= limits->most[limit])
        return STATUS_OK;
    return fail("%s: refused: %s %.0f %s, and the limit is %.0f; if you trust the archive, use --limit %s=NUMBER", path,
                rows[limit].has, found, rows[limit].what, limits->most[limit], rows[limit].name);
}
