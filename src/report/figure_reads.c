#include "report/figure_reads.h"

#include "base/file.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Parts that load parts: a limit, so that one which loads itself ends. */
enum { NESTED_MOST = 8 };

/* Whether a text begins with a word and a quotation mark. */
static bool is_quoted(const char *text, const char *word) {
    const size_t length = strlen(word);
    return !strncmp(text, word, length) && text[length] && strchr("\"'", text[length]);
}

static void add_name(char **reads, const char *name) {
    AUTO_FREE char *word = text_format("%.*s ", (int)strcspn(name, "/|\"'"), name);
    AUTO_FREE char *between = text_format(" %s", word);
    if (!strstr(*reads, between))
        text_append(reads, "%s", word);
}

static void read_script(const char *path, int nested, char **reads) {
    static const char experiment[] = "here.", part[] = "load ", folder[] = "figures/";
    AUTO_FREE char *script = NULL;
    if (nested > NESTED_MOST || !file_exists(path) || file_read(path, &script))
        return;
    for (const char *at = script; *at; ++at) {
        if (is_quoted(at, experiment) && at[sizeof experiment] == '/')
            add_name(reads, at + sizeof experiment + 1);
        const char *loaded = at + sizeof part;
        if (!is_quoted(at, part) || strncmp(loaded, folder, strlen(folder)) != 0)
            continue;
        AUTO_FREE char *file = text_format("%.*s", (int)strcspn(loaded, "\"'"), loaded);
        read_script(file, nested + 1, reads);
    }
}

char *figure_reads(const char *paper, const char *figure) {
    const struct failure_mark mark = failure_mark();
    char *reads = text_copy(" ");
    AUTO_FREE char *path = text_format("figures/%s/%s.gp", paper, figure);
    read_script(path, 0, &reads);
    failure_rewind(mark);
    return reads;
}

bool figure_reads_experiment(const char *reads, const char *paper, const char *experiment) {
    const size_t length = strlen(paper);
    if (strncmp(experiment, paper, length) != 0 || experiment[length] != '/')
        return false;
    AUTO_FREE char *word = text_format(" %s ", experiment + length + 1);
    return strstr(reads, word) != NULL;
}
