#include "experiment/plan.h"

#include "base/memory.h"
#include "base/words.h"
#include "experiment/document.h"
#include "experiment/name.h"
#include "experiment/reader.h"
#include "experiment/run.h"
#include "experiment/spelling.h"
#include "experiment/value.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_ID 220 /* bytes; a file name, with its ending, has at most 255 bytes */

/* ---- Ids ---- */

/* The name of a path in an id: "method" for method.name, otherwise the last part of the path ("stiffness" for
 * "method.stiffness"). If another path of the id has the same last part, the name is the whole path. */
static const char *id_key(const char *path, const char *const *named, int count) {
    if (strcmp(path, "method.name") == 0)
        return "method";
    const char *last = path_last(path);
    for (int i = 0; i < count; i++)
        if (strcmp(named[i], path) != 0 && strcmp(path_last(named[i]), last) == 0)
            return path;
    return last;
}

static const char *text_at(const struct column *column, int step) {
    return column->values[step].text ? column->values[step].text : "";
}

static bool column_varies(const struct column *column, int length) {
    for (int i = 1; i < length; i++)
        if (strcmp(text_at(column, i), text_at(column, 0)) != 0)
            return true;
    return false;
}

/* Whether all steps of an axis have values of this column, and all these values are different in ids. Ids have no
 * units, so 5 N/m of one method and 5 of another method are equal in ids. */
static bool column_distinct(const struct column *column, int length) {
    AUTO(words_free) struct words texts = {NULL, 0};
    for (int i = 0; i < length; i++) {
        if (!column->values[i].text)
            return false;
        AUTO_FREE char *text =
            parameter_id_text(&(struct parameter){.field = column->field, .value = column->values[i]});
        words_add_new(&texts, text);
    }
    return texts.count == length;
}

/* The paths that ids contain. For an axis with several steps, ids contain the path of its first column whose values are
 * all different. If the axis has no such column, ids contain the paths of all its columns that vary. */
static const char **id_paths(const struct description *description, int *count) {
    const char **paths = NULL;
    *count = 0;
    for (int a = 0; a < description->axis_count; a++) {
        const struct axis *axis = &description->axes[a];
        const struct column *first = axis->columns, *end = first + axis->column_count;
        for (; first < end && !column_distinct(first, axis->length); first++)
            ;
        for (const struct column *column = axis->columns; column < end; column++) {
            /* A backend from the command line is in the id, even if it is the only backend. */
            const bool is_from_command = column->origin == ORIGIN_COMMAND && !strcmp(column->field->path, "backend");
            if (first < end ? column != first || (axis->length < 2 && !is_from_command)
                            : !column_varies(column, axis->length))
                continue;
            bool is_there = false; /* the path has another column, for example one from --set for one method */
            for (int i = 0; i < *count; i++)
                is_there = is_there || strcmp(paths[i], column->field->path) == 0;
            if (!is_there)
                *ARRAY_ADD(paths, *count) = column->field->path;
        }
    }
    return paths;
}

/* Append KEY=VALUE to *id. VALUE is the run's value at `path`. */
static void id_add(char **id, const char *key, const struct run *run, const char *path) {
    AUTO_FREE char *text = parameter_id_text(run_parameter(run, path));
    text_append(id, "%s%s=%s", **id ? "," : "", key, text);
}

static char *id_make(const struct run *run, const char *const *paths, int count) {
    char *id = text_copy("");
    for (int i = 0; i < count; i++)
        if (run_parameter(run, paths[i]))
            id_add(&id, id_key(paths[i], paths, count), run, paths[i]);
    if (!*id) {
        free(id);
        id = parameter_id_text(run_parameter(run, "backend"));
    }
    if (strlen(id) > LONGEST_ID) {
        char *shorter = text_format("%.*s_%.16s", LONGEST_ID - 17, id, run->canonical);
        free(id);
        id = shorter;
    }
    return id;
}

/* ---- Expansion ---- */

static void plan_append(struct plan *plan, struct run run) {
    run_digest(&run, true, run.canonical);
    for (int i = 0; i < plan->run_count; i++)
        if (strcmp(plan->runs[i].canonical, run.canonical) == 0) {
            run_free(&run); /* it equals an earlier run, for example if the method lacks the field that varies */
            return;
        }
    *ARRAY_ADD(plan->runs, plan->run_count) = run;
}

/* Whether --set METHOD.KEY=VALUE gives the value at a path to one method only. */
static bool is_set_of_method(const struct description *description, const char *path) {
    for (int a = 0; a < description->axis_count; a++)
        for (int c = 0; c < description->axes[a].column_count; c++) {
            const struct column *column = &description->axes[a].columns[c];
            if (column->is_of_method && strcmp(column->field->path, path) == 0)
                return true;
        }
    return false;
}

/* Check the assumptions. If the file has a list of methods, an assumption applies to the methods that do not state its
 * key. If all methods state the key, the assumption is a mistake, unless it is in the paper's file. */
static int assumptions_check(const struct description *description, const struct plan *plan) {
    int status = STATUS_OK;
    for (int i = 0; i < plan->experiment.assumption_count; i++) {
        const struct assumption *assumption = &plan->experiment.assumptions[i];
        const struct source_location *stated = NULL;
        bool is_used = is_set_of_method(description, assumption->field->path);
        for (int s = 0; s < description->location_count; s++)
            if (description->locations[s].entry && strcmp(description->locations[s].path, assumption->field->path) == 0)
                stated = &description->locations[s];
        for (int r = 0; r < plan->run_count && !is_used; r++)
            is_used = run_assumes(&plan->runs[r], assumption->field->path);
        if (stated && !is_used && !assumption->is_shared)
            status = fail_at(assumption->place,
                             "%s is assumed here, but each method of the list states it, one at line %d, column %d; "
                             "remove the assumption, or the value of a method",
                             assumption->field->path, stated->place.line, stated->place.column);
    }
    return status;
}

/* The number of combinations of the steps of all axes: that is, of runs before equal runs are removed. */
static double combination_count(const struct description *description) {
    double count = 1;
    for (int a = 0; a < description->axis_count; a++)
        count *= description->axes[a].length;
    return count;
}

static int expand_main(const struct plan_options *options, struct description *description, struct plan *plan) {
    AUTO_FREE int *steps = memory_new((size_t)description->axis_count, sizeof *steps);
    int status = STATUS_OK, a;
    do {
        struct run run;
        status = run_settle(description, &plan->experiment, options->methods, steps, &run);
        if (status == STATUS_OK)
            plan_append(plan, run);
        /* The last axis varies fastest. */
        for (a = description->axis_count - 1; a >= 0 && ++steps[a] == description->axes[a].length; a--)
            steps[a] = 0;
    } while (status == STATUS_OK && a >= 0);
    return status;
}

/* Find the shared assumptions that the runs use. Report the citations that apply to no run. */
static int mark_used_assumptions(struct plan *plan) {
    struct experiment *experiment = &plan->experiment;
    int status = STATUS_OK;
    for (int i = 0; i < experiment->assumption_count; i++)
        for (int r = 0; r < plan->run_count && !experiment->assumptions[i].is_used; r++)
            experiment->assumptions[i].is_used = run_assumes(&plan->runs[r], experiment->assumptions[i].field->path);
    for (int c = 0; c < experiment->citation_count; c++) {
        const struct citation *citation = &experiment->citations[c];
        bool is_used = false;
        for (int r = 0; r < plan->run_count && !is_used; r++) {
            const struct parameter *parameter = run_parameter(&plan->runs[r], citation->field->path);
            is_used = parameter && parameter->origin != ORIGIN_ASSUMED;
        }
        if (!is_used)
            status = fail_at(citation->place, "stated: no run has a stated value of %s; remove this entry",
                             citation->field->path);
    }
    return status;
}

static void name_runs(struct plan *plan, const struct description *description) {
    int count;
    AUTO_FREE const char **paths = id_paths(description, &count);
    for (int r = 0; r < plan->run_count; r++) {
        struct run *run = &plan->runs[r];
        run->id = id_make(run, paths, count);
        for (int other = 0; other < r; other++)
            if (strcmp(plan->runs[other].id, run->id) == 0) {
                text_append(&run->id, "_%.16s", run->canonical);
                break;
            }
    }
}

int run_id_length(const char *id) {
    const char *backend = strstr(id, "backend=");
    const int length = backend ? (int)(backend - id) : strchr(id, '=') ? (int)strlen(id) : 0;
    return length && id[length - 1] == ',' ? length - 1 : length;
}

bool plan_has(const struct plan *plan, const char *id, const char *result_digest) {
    const size_t length = (size_t)run_id_length(id);
    for (int p = 0; p < plan->planned_count; p++)
        if (strlen(plan->planned[p].id) == length && !strncmp(plan->planned[p].id, id, length) &&
            !strcmp(plan->planned[p].result_digest, result_digest))
            return true;
    return false;
}

static void group_runs(struct plan *plan) {
    int groups = 0;
    for (int r = 0; r < plan->run_count; r++) {
        run_digest(&plan->runs[r], false, plan->runs[r].result_digest);
        int same = 0;
        while (strcmp(plan->runs[same].result_digest, plan->runs[r].result_digest) != 0)
            same++;
        plan->runs[r].group = same < r ? plan->runs[same].group : groups++;
    }
}

static void digest_runs(struct plan *plan) {
    struct digest *digest = digest_create();
    int groups = 0;
    plan->planned = memory_new((size_t)plan->run_count, sizeof *plan->planned);
    for (int r = 0; r < plan->run_count; r++) {
        const struct run *run = &plan->runs[r];
        struct planned *planned = &plan->planned[plan->planned_count++];
        memcpy(planned->result_digest, run->result_digest, sizeof planned->result_digest);
        planned->id = pool_add(&plan->experiment.pool, text_format("%.*s", run_id_length(run->id), run->id));
        if (run->group == groups) { /* the first run of its group */
            digest_add_text(digest, run->result_digest);
            groups++;
        }
    }
    digest_finish(digest, plan->digest);
}

/* ---- The plan ---- */

char *plan_experiment_name(const char *file) {
    char *whole = realpath(file, NULL);
    AUTO_FREE char *path = whole ? whole : text_copy(file);
    char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    if (dot && dot > name)
        *dot = 0;
    char *folder = NULL;
    if (slash) {
        *slash = 0;
        folder = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    }
    return folder && folder[0] ? text_format("%s/%s", folder, name) : text_copy(name);
}

static int plan_fill(const char *file, const struct plan_options *options, struct plan *plan,
                     struct description *description) {
    struct experiment *experiment = &plan->experiment;
    char *text;
    experiment->file = pool_add(&experiment->pool, text_copy(file));
    experiment->name = pool_add(&experiment->pool, plan_experiment_name(file));
    const int status = document_load(experiment->file, &text);
    experiment->text = pool_add(&experiment->pool, text);
    if (status || name_check((struct place){experiment->file, 0, 0}, "the experiment's name", experiment->name) ||
        description_read(options, experiment, description))
        return STATUS_BAD;
    if (!experiment->paper)
        experiment->paper =
            pool_add(&experiment->pool, text_format("%.*s", (int)strcspn(experiment->name, "/"), experiment->name));
    if (!experiment->title)
        experiment->title = experiment->name;
    double combinations = combination_count(description);
    if (combinations > MOST_STEPS)
        return fail_at((struct place){file, 0, 0}, "the file describes %.0f runs; at most %d are allowed", combinations,
                       MOST_STEPS);
    if (expand_main(options, description, plan) || assumptions_check(description, plan))
        return STATUS_BAD;
    if (mark_used_assumptions(plan))
        return STATUS_BAD;
    name_runs(plan, description);
    group_runs(plan);
    digest_runs(plan);
    if (selection_apply(options, description, plan))
        return STATUS_BAD;
    group_runs(plan);
    return STATUS_OK;
}

int plan_read(const char *file, const struct plan_options *options, struct plan *plan) {
    AUTO(description_free) struct description description = {0};
    memset(plan, 0, sizeof *plan);
    int status = plan_fill(file, options, plan, &description);
    if (status != STATUS_OK)
        plan_free(plan);
    return status;
}

void plan_free(struct plan *plan) {
    for (int r = 0; r < plan->run_count; r++)
        run_free(&plan->runs[r]);
    free(plan->runs);
    free(plan->planned);
    pool_free(&plan->experiment.pool);
    free(plan->experiment.assumptions);
    free(plan->experiment.citations);
    memset(plan, 0, sizeof *plan);
}
