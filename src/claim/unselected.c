
#include "base/memory.h"
#include "claim/evaluate.h"
#include "experiment/spelling.h"
#include "experiment/value.h"

#include <stdlib.h>
#include <string.h>

/* The path among an experiment's parameters that is nearest to an unknown path. */
static struct spelling nearest_path(const struct source *from, const struct trace_set *set, const char *given) {
    struct spelling search = spelling_search(given);
    for (const struct trace_run *run = NULL; (run = trace_set_next_trace(set, from->experiment, run));)
        for (int p = 0; p < run->trace->parameter_count; p++) {
            const char *path = run->trace->parameters[p].path;
            spelling_consider(&search, path, spelling_path_distance(given, path));
        }
    return search;
}

/* The different values that an experiment's runs have for the parameter or note of a clause; newly allocated. NULL if
 * no run has the parameter or note. *is_there: whether the clause's value is one of these values. */
static char *values_there(const struct source *from, const struct trace_set *set, const struct clause *clause,
                          bool *is_there) {
    char *values = NULL;
    *is_there = false;
    for (const struct trace_run *run = NULL; (run = trace_set_next_trace(set, from->experiment, run));) {
        const char *text = trace_text(run->trace, clause->name);
        if (!text)
            continue;
        *is_there = *is_there || !strcmp(text, clause->value);
        values = values ? values : text_copy("");
        text_list_add(&values, text);
    }
    return values;
}

/* Names whose values depend on the machine or on BACKENDS= of make. A claim has no mistake if it selects a value of
 * such a name that no run here has. */
static const char of_machine[] = "backend backend_kind device_type threads bit_exact";

char *why_unselected(const struct source *from, const struct trace_set *set, bool *is_of_claim, bool *is_partly_run) {
    const struct trace_experiment *results = trace_set_experiment(set, from->experiment);
    char *why = text_format("No run of %s matches what the claim selects.", from->experiment);
    *is_of_claim = trace_set_next_trace(set, from->experiment, NULL) != NULL;
    for (int c = 0; c < from->select.count && *is_of_claim; c++) {
        const struct clause *clause = &from->select.items[c];
        bool is_there;
        AUTO_FREE char *values = values_there(from, set, clause, &is_there);
        const struct spelling search = nearest_path(from, set, clause->name);
        if (!values)
            sentence_add(&why, "No run has the parameter or note %s (%s:%d)%s%s%s", clause->name, clause->place.file,
                         clause->place.line, *search.nearest ? "; did you mean " : ".", search.nearest,
                         *search.nearest ? "?" : "");
        else if (!is_there)
            sentence_add(&why, "The runs have %s = %s, but not %s.", clause->name, values, clause->value);
        if (values && !is_there && words_have(of_machine, clause->name, strlen(clause->name)))
            *is_of_claim = false;
    }
    *is_partly_run = results && results->absent;
    if (*is_partly_run)
        sentence_add(&why, "%d of the %d runs that the experiment file plans have no result.", results->absent,
                     results->planned);
    return why;
}
