/* Whether results are of their experiment's file as it is now, or of what `springback run --set` made of it. */
#include "base/file.h"
#include "base/memory.h"
#include "claim/claim.h"
#include "experiment/plan.h"
#include "method/method.h"
#include "run/recipe.h"

#include <stdlib.h>
#include <string.h>

/* ---- What --set gave ---- */

/* A parameter's text as a description has it: "0 -9.8 0 m/s^2" is [0 m/s^2, -9.8 m/s^2, 0 m/s^2] there. */
static char *described(const struct trace_parameter *parameter) {
    const size_t length = strlen(parameter->value), unit = strlen(parameter->unit);
    const bool has_unit = strcmp(parameter->unit, "1") != 0 && length > unit + 1 &&
                          parameter->value[length - unit - 1] == ' ' &&
                          !strcmp(parameter->value + length - unit, parameter->unit);
    char *rest = text_format("%.*s", (int)(has_unit ? length - unit - 1 : length), parameter->value), *text = NULL;
    if (!strchr(rest, ' ')) {
        free(rest);
        return text_copy(parameter->value);
    }
    for (char *at = rest, *word; (word = strsep(&at, " "));) {
        char *longer = text_format("%s%s%s%s%s", text ? text : "[", text ? ", " : "", word, has_unit ? " " : "",
                                   has_unit ? parameter->unit : "");
        free(text);
        text = longer;
    }
    char *closed = text_format("%s]", text);
    free(text);
    free(rest);
    return closed;
}

static bool is_set(const struct trace_parameter *parameter) {
    return !strcmp(parameter->origin, origin_name(ORIGIN_COMMAND)) && strcmp(parameter->path, "backend") != 0;
}

static void note_path(struct trace_experiment *experiment, const struct trace_set *set, const char *path) {
    char **values = NULL, *list = NULL;
    int count = 0;
    for (int r = 0; r < set->run_count; ++r) {
        const struct trace_data *trace = strcmp(set->runs[r].experiment, experiment->name) ? NULL : set->runs[r].trace;
        for (int p = 0; trace && p < trace->parameter_count; ++p) {
            if (!is_set(&trace->parameters[p]) || strcmp(trace->parameters[p].path, path) != 0)
                continue;
            char *value = described(&trace->parameters[p]);
            bool is_known = false;
            for (int v = 0; v < count && !is_known; ++v)
                is_known = !strcmp(values[v], value);
            if (is_known) {
                free(value);
            } else {
                values = memory_grow(values, (size_t)count + 1, sizeof *values);
                values[count++] = value;
            }
        }
    }
    for (int v = 0; v < count; ++v) {
        char *longer = text_format("%s%s%s", list ? list : count > 1 ? "[" : "", list ? ", " : "", values[v]);
        free(list);
        free(values[v]);
        list = longer;
    }
    experiment->set = memory_grow(experiment->set, (size_t)experiment->set_count + 1, sizeof *experiment->set);
    experiment->set[experiment->set_count++] = text_format("%s=%s%s", path, list, count > 1 ? "]" : "");
    free(list);
    free(values);
}

static bool is_noted(const struct trace_experiment *experiment, const char *path) {
    for (int s = 0; s < experiment->set_count; ++s)
        if (!strncmp(experiment->set[s], path, strlen(path)) && experiment->set[s][strlen(path)] == '=')
            return true;
    return false;
}

void trace_set_note(struct trace_set *set) {
    for (int e = 0; e < set->experiment_count; ++e)
        for (int r = 0; r < set->run_count; ++r) {
            const struct trace_run *run = &set->runs[r];
            const bool is_its = run->trace && !strcmp(run->experiment, set->experiments[e].name);
            for (int p = 0; is_its && p < run->trace->parameter_count; ++p)
                if (is_set(&run->trace->parameters[p]) &&
                    !is_noted(&set->experiments[e], run->trace->parameters[p].path))
                    note_path(&set->experiments[e], set, run->trace->parameters[p].path);
        }
}

/* ---- What the file plans ---- */

/* What is found of an experiment's results. */
struct comparison {
    int made, unplanned, planned, absent;
    char *example; /* in what one of those that are not planned is other */
};

/* The planned run that is most like a trace: first that of its name, which mostly is it. */
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

/* How much of a run's id is not its backend; an id without a "=" is a backend, where nothing else varies. */
static int id_length(const char *id) {
    const char *backend = strstr(id, "backend=");
    const int length = backend ? (int)(backend - id) : strchr(id, '=') ? (int)strlen(id) : 0;
    return length && id[length - 1] == ',' ? length - 1 : length;
}

static char *difference(const struct trace_run *made, const struct run *nearest) {
    const int length = id_length(made->id);
    if (length != id_length(nearest->id) || strncmp(made->id, nearest->id, (size_t)length) != 0)
        return text_format("%s is no longer planned", made->id);
    char *text = NULL;
    recipe_parameters_differ(nearest, made->trace, &text);
    char *whole = text_format("of %s, %s", made->id, text);
    free(text);
    return whole;
}

static bool is_of(const struct trace_run *run, const char *experiment, const char *tier) {
    const char *of = run->trace ? trace_run_note(run->trace, "tier") : NULL;
    return of && !strcmp(of, tier) && !strcmp(run->experiment, experiment);
}

/* Compare the results that are of a tier with the plan of it. */
static void compare(const struct trace_set *set, const char *experiment, const char *tier, const struct plan *plan,
                    struct comparison *found) {
    bool *has_result = memory_new((size_t)plan->planned_count, sizeof *has_result);
    const int made = found->made;
    for (int r = 0; r < set->run_count; ++r) {
        const struct trace_run *run = &set->runs[r];
        int differences = 0;
        const bool is_its = is_of(run, experiment, tier), is_known = plan_has(plan, run->plan);
        const struct run *nearest = is_its && !is_known ? nearest_to(plan, run, &differences) : NULL;
        const char *alike = nearest && !differences ? nearest->alike : run->plan;
        for (int p = 0; p < plan->planned_count && !strcmp(run->experiment, experiment); ++p)
            has_result[p] = has_result[p] || !strcmp(plan->planned[p], alike);
        found->made += is_its;
        found->unplanned += differences > 0;
        if (differences && !found->example)
            found->example = difference(run, nearest);
    }
    if (found->made > made) {
        found->planned += plan->planned_count;
        for (int p = 0; p < plan->planned_count; ++p)
            found->absent += !has_result[p];
    }
    free(has_result);
}

static void compare_with(const struct trace_set *set, struct trace_experiment *experiment, const char *file) {
    static const char *const tiers[] = {"quick", "full"};
    struct comparison found = {.example = NULL};
    for (size_t t = 0; t < sizeof tiers / sizeof *tiers && !experiment->is_of_mistake; ++t) {
        const struct plan_options options = {.tier = tiers[t], .methods = method_table};
        const struct failure_mark mark = failure_mark();
        struct plan plan;
        if (plan_read(file, &options, &plan)) {
            char *mistakes = failure_take(mark);
            experiment->outdated = text_format("the file has a mistake, %.*s", (int)strcspn(mistakes, "\n"), mistakes);
            experiment->is_of_mistake = true;
            free(mistakes);
        } else {
            compare(set, experiment->name, tiers[t], &plan, &found);
        }
        plan_free(&plan);
    }
    experiment->planned = found.planned;
    experiment->absent = found.absent;
    if (found.unplanned && !experiment->is_of_mistake)
        experiment->outdated =
            text_format("%d of %d are not what %s plans; %s", found.unplanned, found.made, file, found.example);
    free(found.example);
}

static bool has_trace(const struct trace_set *set, const char *experiment) {
    for (int r = 0; r < set->run_count; ++r)
        if (set->runs[r].trace && !strcmp(set->runs[r].experiment, experiment))
            return true;
    return false;
}

void trace_set_compare(struct trace_set *set, const char *experiments) {
    for (int e = 0; e < set->experiment_count; ++e) {
        struct trace_experiment *experiment = &set->experiments[e];
        char *file = text_format("%s/%s.yaml", experiments, experiment->name);
        free(experiment->outdated);
        experiment->outdated = NULL;
        experiment->is_of_mistake = false;
        experiment->planned = experiment->absent = 0;
        if (has_trace(set, experiment->name) && file_exists(file))
            compare_with(set, experiment, file);
        free(file);
    }
}
