/* Results that are not of their experiment's file as it is now. */
#include "base/file.h"
#include "base/memory.h"
#include "base/terminal.h"
#include "claim/claim.h"
#include "experiment/plan.h"
#include "method/method.h"
#include "run/recipe.h"

#include <stdlib.h>
#include <string.h>

/* The paths that the command line gave the runs of an experiment, other than the backend; NULL where it gave none. */
static char *set_paths(const struct trace_set *set, const char *name) {
    const struct trace_data *trace = NULL;
    char *paths = NULL;
    for (int r = 0; r < set->run_count && !trace; ++r)
        trace = strcmp(set->runs[r].experiment, name) != 0 ? NULL : set->runs[r].trace;
    for (int p = 0; trace && p < trace->parameter_count; ++p) {
        const struct trace_parameter *parameter = &trace->parameters[p];
        if (strcmp(parameter->origin, origin_name(ORIGIN_COMMAND)) != 0 || !strcmp(parameter->path, "backend"))
            continue;
        char *longer = paths ? text_format("%s, %s", paths, parameter->path) : text_copy(parameter->path);
        free(paths);
        paths = longer;
    }
    return paths;
}

static const struct run *run_of_id(const struct plan *plan, const char *id) {
    for (int r = 0; r < plan->run_count; ++r)
        if (!strcmp(plan->runs[r].id, id))
            return &plan->runs[r];
    return NULL;
}

/* In what the results of an experiment are not of a plan of their tier: by the first run that tells. */
static char *difference(const struct trace_set *set, const char *name, const char *tier, const struct plan *plan) {
    char *found = NULL;
    for (int r = 0; r < set->run_count && !found; ++r) {
        const struct trace_run *run = &set->runs[r];
        const char *made = run->trace ? trace_run_note(run->trace, "tier") : NULL;
        if (strcmp(run->experiment, name) != 0 || !made || strcmp(made, tier) != 0)
            continue;
        const struct run *planned = run_of_id(plan, run->id);
        char *other = planned ? recipe_parameters_differ(planned, run->trace) : NULL;
        if (other)
            found = text_format("%s (%s)", other, run->id);
        free(other);
    }
    return found;
}

/* Why results are not those of a file, newly allocated; NULL where they are. */
static char *outdated_by(const struct trace_set *set, const struct trace_experiment *experiment, const char *file) {
    static const char *const tiers[] = {"quick", "full"};
    char *found = NULL;
    for (size_t t = 0; t < sizeof tiers / sizeof *tiers; ++t) {
        const struct plan_options options = {.tier = tiers[t], .methods = method_table};
        const struct failure_mark mark = failure_mark();
        struct plan plan;
        if (plan_read(file, &options, &plan)) {
            char *mistakes = failure_take(mark);
            free(found);
            found = text_format("the file has a mistake: %.*s", (int)strcspn(mistakes, "\n"), mistakes);
            free(mistakes);
            break;
        }
        const bool is_same = !strcmp(plan.digest, experiment->plan);
        if (!is_same && !found)
            found = difference(set, experiment->name, tiers[t], &plan);
        plan_free(&plan);
        if (is_same) {
            free(found);
            return NULL;
        }
    }
    return found ? found : text_format("%s plans other runs than these", file);
}

void trace_set_compare(struct trace_set *set, const char *experiments) {
    for (int e = 0; e < set->experiment_count; ++e) {
        struct trace_experiment *experiment = &set->experiments[e];
        char *file = text_format("%s/%s.yaml", experiments, experiment->name);
        const bool is_compared = *experiment->plan && file_exists(file);
        free(experiment->outdated);
        free(experiment->set);
        experiment->set = is_compared ? set_paths(set, experiment->name) : NULL;
        experiment->outdated = is_compared && !experiment->set ? outdated_by(set, experiment, file) : NULL;
        free(file);
    }
}

static bool is_in_scope(const struct claim_scope *scope, const char *experiment) {
    for (int e = 0; e < scope->count; ++e)
        if (!strcmp(scope->experiments[e], experiment))
            return true;
    return !scope->count;
}

void trace_set_print_outdated(const struct trace_set *set, const struct claim_scope *scope, FILE *out) {
    for (int e = 0; e < set->experiment_count; ++e) {
        const struct trace_experiment *experiment = &set->experiments[e];
        if (!is_in_scope(scope, experiment->name))
            continue;
        if (experiment->outdated)
            fprintf(out, "%sOUTDATED%s: the results of %s: %s; `springback run` on its file makes them anew\n",
                    terminal_begin(out, TERMINAL_ALARM), terminal_end(out, TERMINAL_ALARM), experiment->name,
                    experiment->outdated);
        if (experiment->set)
            fprintf(out, "the results of %s were made with --set (%s)\n", experiment->name, experiment->set);
    }
}
