/* Helpers for tests of the program as users and makefiles call it. Their experiment is a small cloth. */
#ifndef SPRINGBACK_TESTS_CLI_FIXTURE_H
#define SPRINGBACK_TESTS_CLI_FIXTURE_H

#include "base/store.h"
#include "shell.h"
#include "trace/trace.h"

#include <jansson.h>
#include <sys/stat.h>

/* The experiment file from which the function `vary` makes other experiment files. */
static const char cloth[] = "springback: 1\n"
                            "paper: test\n"
                            "title: A small cloth\n"
                            "body:\n"
                            "  cloth: {nodes: [6, 5], springs: [structural, shear, bend], pins: corners}\n"
                            "  node_mass: 1 kg\n"
                            "method: {name: mass_spring, stiffness: 100 N/m, damping: 0.1 N s/m}\n"
                            "time: {step: 1 ms, steps_per_frame: 10, frames: 4}\n"
                            "record: {every: 1}\n";

static inline void cli_begin(void) {
    shell_begin();
    cr_assert_eq(mkdir("paper", 0777), 0);
    text_write("paper/cloth.yaml", cloth);
}

/* Write the experiment file to `path`, with one text replaced by another. If `old` is empty, `new` is inserted at the
 * beginning. */
static inline void vary(const char *path, const char *old, const char *new) {
    const char *at = strstr(cloth, old);
    cr_assert_not_null(at, "the experiment file does not contain %s", old);
    char *text = text_format("%.*s%s%s", (int)(at - cloth), cloth, new, at + strlen(old));
    text_write(path, text);
    free(text);
}

/* The cell in the column `column` of the row whose first cell is `row`, or NULL if there is no such cell. The text is
 * valid until the next call. */
static inline const char *cell(const char *table, const char *row, const char *column) {
    static char line[16384], header[16384], *text;
    const char *found = NULL;
    free(text);
    text = text_copy(table);
    char *rest = text, *next = strsep(&rest, "\n");
    snprintf(header, sizeof header, "%s", next);
    while (!found && (next = strsep(&rest, "\n"))) {
        snprintf(line, sizeof line, "%s", next);
        char *names = header, *cells = line, *name, *value = strsep(&cells, "\t");
        if (strcmp(value, row) != 0)
            continue;
        for (name = strsep(&names, "\t"); name && value && !found; name = strsep(&names, "\t")) {
            if (!strcmp(name, column))
                found = value;
            value = strsep(&cells, "\t");
        }
        break;
    }
    return found;
}

static inline void expect_cell(const char *path, const char *row, const char *column, const char *expected) {
    char *table = text_read(path);
    const char *found = cell(table, row, column);
    cr_expect(found && !strcmp(found, expected), "%s: column %s of row %s is %s, expected %s\n%s", path, column, row,
              found ? found : "missing", expected, table);
    free(table);
}

/* The JSON object on a line of standard output; the first line is 0. The caller releases the object. */
static inline json_t *object(int line) {
    const char *text = said.out;
    for (int l = 0; l < line && text; ++l)
        text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
    cr_assert(text && *text, "there is no line %d:\n%s", line, said.out);
    json_error_t error;
    json_t *root = json_loadb(text, strcspn(text, "\n"), 0, &error);
    cr_assert_not_null(root, "%s: %s", error.text, text);
    return root;
}

static inline const char *json_word(const json_t *root, const char *key) {
    const char *text = json_string_value(json_object_get(root, key));
    cr_assert_not_null(text, "no text %s", key);
    return text;
}

/* The number of lines of a text. */
static inline int lines(const char *text) {
    int count = 0;
    for (; *text; ++text)
        count += *text == '\n';
    return count;
}

static inline struct timespec changed_at(const char *path) {
    struct stat about;
    cr_assert_eq(stat(path, &about), 0, "%s", path);
    return about.st_mtim;
}

static inline bool same_time(struct timespec a, struct timespec b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

#endif
