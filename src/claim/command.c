#include "claim/evaluate.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Whether `part`, of `length` bytes, is one of the comma-separated parts of a run's id. */
static bool has_part(const char *id, const char *part, size_t length) {
    for (const char *at = id; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strcspn(at, ",") == length && !strncmp(at, part, length))
            return true;
    return false;
}

char *shell_quoted(const char *word) {
    char *quoted = text_copy("'");
    for (const char *at = word; *at;) {
        const size_t length = strcspn(at, "'");
        text_append(&quoted, "%.*s%s", (int)length, at, at[length] ? "'\\''" : "");
        at += length + (at[length] != 0);
    }
    text_append(&quoted, "'");
    return quoted;
}

/* A word for a shell, in single quotes if necessary. */
static char *shell_word(const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
    return *word && !word[strspn(word, plain)] ? text_copy(word) : shell_quoted(word);
}

static void word_add(char **line, const char *before, const char *word) {
    AUTO_FREE char *quoted = shell_word(word);
    text_append(line, " %s%s", before, quoted);
}

/* The id of the run that wrote the trace result->traces[trace]. */
static const char *run_of(const struct claim_result *result, int trace) {
    return result->traces[trace] + strlen(result->experiment) + 1;
}

/* Add options that select the runs that decide the verdict. A few other runs may match too. One run is selected by its
 * id. Several runs are selected by the parts NAME=VALUE that all their ids have. A part that the ids of all runs of the
 * experiment have is left out. No option is added if all runs of the experiment decide. */
static void add_selection(const struct claim_result *result, const struct trace_set *set, char **line) {
    int all = 0;
    for (const struct trace_run *run = NULL; (run = trace_set_next(set, result->experiment, run)); all++)
        ;
    if (!result->trace_count || all == result->trace_count)
        return;
    if (result->trace_count == 1) {
        AUTO_FREE char *only = text_format("id=%s", run_of(result, 0));
        word_add(line, "-k ", only);
        return;
    }
    for (const char *part = run_of(result, 0), *next; part; part = next) {
        const size_t length = strcspn(part, ",");
        next = part[length] ? part + length + 1 : NULL;
        bool in_each = memchr(part, '=', length) != NULL, in_all = true;
        for (int t = 0; t < result->trace_count; t++)
            in_each = in_each && has_part(run_of(result, t), part, length);
        for (const struct trace_run *run = NULL; (run = trace_set_next(set, result->experiment, run));)
            in_all = in_all && has_part(run->id, part, length);
        AUTO_FREE char *only = text_format("%.*s", (int)length, part);
        if (in_each && !in_all)
            word_add(line, "-k ", only);
    }
}

char *claim_command(const struct claim_result *result, const struct trace_set *set, const char *claims) {
    char *line = text_copy("springback");
    if (!*result->experiment) {
        word_add(&line, "check ", claims);
        return line;
    }
    AUTO_FREE char *file = text_format("experiments/%s.yaml", result->experiment);
    word_add(&line, "run --force ", file);
    if (*result->tier && !strchr(result->tier, ' '))
        word_add(&line, "--tier ", result->tier);
    const struct trace_experiment *experiment = trace_set_experiment(set, result->experiment);
    const int given = experiment ? experiment->set_count : 0;
    const char *out = given && !set->is_temporary ? set->folder : NULL;
    for (int s = 0; s < given; s++)
        word_add(&line, "--set ", experiment->set[s]);
    if (out)
        word_add(&line, "--out ", out);
    add_selection(result, set, &line);
    word_add(&line, "&& springback check ", claims);
    word_add(&line, "--about ", result->experiment);
    if (out)
        word_add(&line, "--out ", out);
    return line;
}
