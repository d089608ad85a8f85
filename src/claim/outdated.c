/* Whether results are up to date with their experiment file, except for values of `springback run --set`. */
#include "backend/backend.h"
#include "base/file.h"
#include "base/memory.h"
#include "claim/claim.h"
#include "experiment/plan.h"
#include "method/method.h"
#include "run/recipe.h"

#include <stdlib.h>
#include <string.h>

/* ---- Values of --set ---- */

/* A parameter's text in the syntax of an experiment file: "0 -9.8 0 m/s^2" becomes [0 m/s^2, -9.8 m/s^2, 0 m/s^2].
 * Newly allocated. */
static char *described(const struct trace_parameter *parameter) {
    const size_t length = strlen(parameter->value), unit = strlen(parameter->unit);
    const bool has_unit = strcmp(parameter->unit, "1") != 0 && length > unit + 1 &&
                          parameter->value[length - unit - 1] == ' ' &&
                          !strcmp(parameter->value + length - unit, parameter->unit);
    AUTO_FREE char *bare = text_format("%.*s", (int)(has_unit ? length - unit - 1 : length), parameter->value);
    /* A text is a list only if it consists of words or numbers with spaces between them. */
    if (!strchr(bare, ' ') || bare[strspn(bare, "abcdefghijklmnopqrstuvwxyz_0123456789.+- ")])
        return text_format(strchr(bare, ' ') ? "\"%s\"" : "%s", parameter->value);
    char *text = text_copy("[");
    for (char *rest = bare, *word; (word = strsep(&rest, " "));)
        text_append(&text, "%s%s%s%s", text[1] ? ", " : "", word, has_unit ? " " : "", has_unit ? parameter->unit : "");
    text_append(&text, "]");
    return text;
}

/* The values that --set gave a path in an experiment's runs, each value once. */
struct given {
    const char *path;
    char *values; /* separated by ", " */
    int count;    /* number of values */
};

static void note_experiment(struct trace_experiment *experiment, struct trace_set *set) {
    AUTO_FREE struct given *paths = NULL;
    int count = 0;
    for (const struct trace_run *run = NULL; (run = trace_set_next_trace(set, experiment->name, run));)
        for (int p = 0; p < run->trace->parameter_count; ++p) {
            const struct trace_parameter *parameter = &run->trace->parameters[p];
            int k = 0;
            if (!recipe_was_set(parameter))
                continue;
            while (k < count && strcmp(paths[k].path, parameter->path) != 0)
                ++k;
            if (k == count)
                *ARRAY_ADD(paths, count) = (struct given){parameter->path, text_copy(""), 0};
            AUTO_FREE char *value = described(parameter);
            paths[k].count += text_list_add(&paths[k].values, value);
        }
    for (int k = 0; k < count; ++k) {
        *ARRAY_ADD(experiment->set, experiment->set_count) =
            pool_add(&set->pool, text_format(paths[k].count > 1 ? "%s=[%s]" : "%s=%s", paths[k].path, paths[k].values));
        free(paths[k].values);
    }
}

void trace_set_note(struct trace_set *set) {
    for (int e = 0; e < set->experiment_count; ++e)
        note_experiment(&set->experiments[e], set);
}

/* ---- Comparison with the file ---- */

/* A comparison of an experiment's results with its file. */
struct comparison {
    /* Numbers of runs. made: runs with a trace; unplanned: runs with a trace that the file does not plan; planned: runs
     * that the file plans; absent: planned runs that have no result. Planned runs that differ only in the backend count
     * once. */
    int made, unplanned, planned, absent;
    const char *example; /* how an unplanned run differs from the most similar planned run; NULL if all are planned */
};

/* The planned run that is most similar to a run with a trace. *differences: the number of parameters in which the two
 * runs differ. Planned runs with the same id are tried first, because they usually have no difference. */
static const struct run *nearest_to(const struct plan *plan, const struct trace_run *made, int *differences) {
    const struct run *nearest = NULL;
    *differences = 0;
    for (int pass = 0; pass < 2; ++pass)
        for (int r = 0; r < plan->run_count; ++r) {
            if (!strcmp(plan->runs[r].id, made->id) != !pass)
                continue;
            const int count = recipe_parameters_differ(&plan->runs[r], made->trace, NULL);
            if (!nearest || count < *differences) {
                nearest = &plan->runs[r];
                *differences = count;
            }
            if (!count)
                return nearest;
        }
    return nearest;
}

/* Whether two ids are equal except for the backend. */
static bool is_same_run(const char *id, const char *other) {
    const int length = run_id_length(id);
    return length == run_id_length(other) && !strncmp(id, other, (size_t)length);
}

/* How the run `made` differs from the most similar planned run, `nearest`, for a message; newly allocated. */
static char *difference(const struct trace_run *made, const struct run *nearest) {
    AUTO_FREE char *text = NULL;
    if (!is_same_run(made->id, nearest->id))
        return text_format("the file does not plan the run %s", made->id);
    recipe_parameters_differ(nearest, made->trace, &text);
    return text_format("in the run %s, %s", made->id, text);
}

/* Set is_there[r] for each planned run r whose id equals `id`, except for the backend. */
static void mark(const struct plan *plan, const char *id, bool *is_there) {
    for (int r = 0; r < plan->run_count; ++r)
        is_there[r] = is_there[r] || is_same_run(plan->runs[r].id, id);
}

/* Compare all results of an experiment with a plan. A planned run has a result if any run, even a failed run, has the
 * planned run's id (except for the backend), or if a trace has all parameters of the planned run. */
static struct comparison compare(struct trace_set *set, const char *experiment, const struct plan *plan) {
    struct comparison found = {.example = NULL};
    AUTO_FREE bool *is_there = memory_new((size_t)plan->run_count, sizeof *is_there);
    for (const struct trace_run *run = NULL; (run = trace_set_next(set, experiment, run));) {
        mark(plan, run->id, is_there);
        if (!run->trace)
            continue;
        int differences;
        const struct run *nearest = nearest_to(plan, run, &differences);
        found.made++;
        found.unplanned += differences > 0;
        if (!differences)
            mark(plan, nearest->id, is_there);
        else if (!found.example)
            found.example = pool_add(&set->pool, difference(run, nearest));
    }
    for (int r = 0; r < plan->run_count; ++r) {
        bool is_first = true;
        for (int s = 0; s < r && is_first; ++s)
            is_first = !is_same_run(plan->runs[s].id, plan->runs[r].id);
        found.planned += is_first;
        found.absent += is_first && !is_there[r];
    }
    return found;
}

/* The tier of an experiment's first trace, or "full". */
static const char *tier_of(const struct trace_set *set, const char *experiment) {
    for (const struct trace_run *run = NULL; (run = trace_set_next_trace(set, experiment, run));)
        if (trace_run_note(run->trace, "tier"))
            return trace_run_note(run->trace, "tier");
    return "full";
}

/* Compare results with the plans of both tiers. The tier with fewer differences counts. If the tiers have equally many
 * differences, the tier of the first trace counts. */
static void compare_with(struct trace_set *set, struct trace_experiment *experiment, const char *file) {
    const bool is_quick = !strcmp(tier_of(set, experiment->name), "quick");
    const char *const tiers[] = {is_quick ? "quick" : "full", is_quick ? "full" : "quick"};
    struct comparison best = {.example = NULL};
    for (int t = 0; t < 2 && (t == 0 || best.unplanned || best.absent); ++t) {
        const struct plan_options options = {.tier = tiers[t], .methods = method_table, .backend_words = backend_words};
        const struct failure_mark before = failure_mark();
        struct plan plan;
        if (plan_read(file, &options, &plan)) {
            AUTO_FREE char *mistakes = failure_take(before);
            experiment->outdated = pool_add(
                &set->pool, text_format("the file has a mistake, %.*s", (int)strcspn(mistakes, "\n"), mistakes));
            experiment->is_of_mistake = true;
            break;
        }
        struct comparison found = compare(set, experiment->name, &plan);
        if (t == 0 || found.unplanned < best.unplanned ||
            (found.unplanned == best.unplanned && found.absent < best.absent))
            best = found;
        plan_free(&plan);
    }
    experiment->planned = best.planned;
    experiment->absent = experiment->set_count ? 0 : best.absent; /* runs with --set can replace planned runs */
    if (best.unplanned && !experiment->is_of_mistake)
        experiment->outdated = pool_add(&set->pool, text_format("%d of %d runs are not as %s plans them; %s",
                                                                best.unplanned, best.made, file, best.example));
}

void trace_set_compare(struct trace_set *set, const char *experiments) {
    set->files = pool_add(&set->pool, text_copy(experiments));
    for (int e = 0; e < set->experiment_count; ++e) {
        struct trace_experiment *experiment = &set->experiments[e];
        AUTO_FREE char *file = text_format("%s/%s.yaml", experiments, experiment->name);
        experiment->outdated = NULL;
        experiment->is_of_mistake = false;
        experiment->planned = experiment->absent = 0;
        if (trace_set_next_trace(set, experiment->name, NULL) && file_exists(file))
            compare_with(set, experiment, file);
    }
}
