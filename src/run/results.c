#include "run/results.h"

#include "base/file.h"
#include "base/memory.h"
#include "trace/trace.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

char **entries_list(const char *folder) {
    AUTO_FREE struct dirent **found = NULL;
    const int count = scandir(folder, &found, is_visible, alphasort);
    if (count < 0 && errno != ENOENT && errno != ENOTDIR) /* a folder that cannot be listed must not count as empty */
        fail_and_end("%s: %s", folder, strerror(errno));
    char **entries = memory_new((size_t)(count > 0 ? count : 0) + 1, sizeof *entries);
    for (int e = 0; e < count; ++e) {
        entries[e] = text_copy(found[e]->d_name);
        free(found[e]);
    }
    return entries;
}

void entries_free(char ***entries) {
    for (char **entry = *entries; entry && *entry; ++entry)
        free(*entry);
    free(*entries);
}

char *results_trace_id(const char *name, bool *is_part) {
    *is_part = text_ends(name, ".part");
    AUTO_FREE char *file = text_format("%.*s", (int)(strlen(name) - (*is_part ? strlen(".part") : 0)), name);
    return trace_file_id(file);
}

static bool is_trace(const char *name) {
    bool is_part;
    AUTO_FREE char *id = results_trace_id(name, &is_part);
    return id != NULL;
}

static bool holds_results(const char *folder) {
    AUTO_FREE char *manifest = text_format("%s/runs.tsv", folder);
    if (file_exists(manifest)) /* the usual case, which needs no list of all files */
        return true;
    AUTO(entries_free) char **entries = entries_list(folder);
    bool found = false;
    for (char **entry = entries; *entry; ++entry)
        found = found || !strcmp(*entry, "sensitivity") || is_trace(*entry);
    return found;
}

void results_list(const char *out, struct results *results) {
    *results = (struct results){NULL, 0};
    AUTO(entries_free) char **papers = entries_list(out);
    for (char **paper = papers; *paper; ++paper) {
        AUTO_FREE char *folder = text_format("%s/%s", out, *paper);
        AUTO(entries_free) char **entries = entries_list(folder);
        for (char **entry = entries; *entry; ++entry) {
            AUTO_FREE char *path = text_format("%s/%s", folder, *entry);
            if (holds_results(path))
                *ARRAY_ADD(results->experiments, results->count) = text_format("%s/%s", *paper, *entry);
        }
    }
}

void results_free(struct results *results) {
    for (int e = 0; e < results->count; ++e)
        free(results->experiments[e]);
    free(results->experiments);
    *results = (struct results){NULL, 0};
}
