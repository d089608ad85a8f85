#include "claim/sensitivity.h"

#include "backend/backend.h"
#include "base/file.h"
#include "base/memory.h"
#include "claim/evaluate.h"
#include "claim/quantity.h"
#include "experiment/sample.h"
#include "method/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Axes ---- */

/* Whether the values of a member define axes (struct sweep_axis). The values of searched members do not. */
static bool is_sampled(const struct set_member *member) {
    return member->member->kind != MEMBER_SEARCH;
}

/* How many numbers a value of an assumption has, at most 3; 0 for words. If this count differs between members, the
 * result is the smallest count. Searched members are ignored. */
static int numbers_of(const struct member_set *set, int assumption) {
    double numbers[3];
    int count = 3;
    for (int m = 0; m < set->count; m++) {
        const int found = text_numbers(set->members[m].member->values[assumption], numbers);
        count = found < count && is_sampled(&set->members[m]) ? found : count;
    }
    return count;
}

/* Add an axis for an assumption, if its value differs between members that are not searched. If values have several
 * numbers, the axis is for the number with the index `component`; otherwise `component` is -1. */
static void add_axis(struct member_set *set, int assumption, int component, bool is_word) {
    const struct sweep_assumption *about = &set->table.assumptions[assumption];
    struct sweep_axis axis = {.path = about->path,
                              .unit = is_word ? "" : about->unit,
                              .index = assumption,
                              .component = component,
                              .is_word = is_word,
                              .whole = !is_word,
                              .low = INFINITY,
                              .high = -INFINITY};
    bool varies = false;
    for (int m = 0; m < set->count; m++) {
        double numbers[3];
        if (!is_sampled(&set->members[m]))
            continue;
        varies = varies ||
                 strcmp(set->members[m].member->values[assumption], set->members[0].member->values[assumption]) != 0;
        if (is_word)
            continue;
        text_numbers(set->members[m].member->values[assumption], numbers);
        const double number = numbers[component < 0 ? 0 : component];
        axis.low = fmin(axis.low, number);
        axis.high = fmax(axis.high, number);
        axis.whole = axis.whole && number == floor(number);
    }
    axis.wide = !is_word && range_is_wide(axis.low, axis.high);
    if (is_word ? varies : axis.low < axis.high)
        set->axes[set->axis_count++] = axis;
}

static void find_axes(struct member_set *set) {
    const struct sweep_table *table = &set->table;
    set->axes = pool_add(&set->pool, memory_new(3 * (size_t)table->assumption_count + 1, sizeof *set->axes));
    for (int a = 0; a < table->assumption_count; a++) {
        const int numbers = numbers_of(set, a);
        for (int k = 0; k < (numbers ? numbers : 1); k++)
            add_axis(set, a, numbers > 1 ? k : -1, !numbers);
    }
}

/* Set `places` of a member. A place is NaN on an axis of words. A searched member can have a word on an axis of
 * numbers. Then its place on this axis is NaN, too. */
static void set_places(struct member_set *set, struct set_member *member) {
    member->places = pool_add(&set->pool, memory_new((size_t)set->axis_count + 1, sizeof *member->places));
    for (int a = 0; a < set->axis_count; a++) {
        const struct sweep_axis *axis = &set->axes[a];
        double numbers[3] = {(double)NAN, (double)NAN, (double)NAN};
        if (!axis->is_word)
            text_numbers(member->member->values[axis->index], numbers);
        member->places[a] = axis->is_word ? (double)NAN : numbers[axis->component < 0 ? 0 : axis->component];
    }
}

/* ---- Members ---- */

static void add_member(struct member_set *set, const struct sweep_member *member) {
    struct set_member *out = ARRAY_ADD(set->members, set->count);
    *out = (struct set_member){.member = member};
    out->traces = pool_add(&set->pool, memory_new((size_t)set->table.run_count + 1, sizeof *out->traces));
    for (int r = 0; r < set->table.run_count; r++)
        out->traces[r] = sweep_trace(&set->table, member, r, &set->pool);
}

void member_set_add(struct member_set *set, const struct sweep_member *member) {
    struct sweep_member *copy = pool_add(&set->pool, memory_new(1, sizeof *copy));
    *copy = *member;
    sensitivities_free(set);
    add_member(set, copy);
    set_places(set, &set->members[set->count - 1]);
}

static bool is_shared(const struct experiment *experiment, const char *path) {
    bool found = false;
    for (int a = 0; a < experiment->assumption_count && !found; a++)
        found = experiment->assumptions[a].is_shared && !strcmp(experiment->assumptions[a].field->path, path);
    return found;
}

/* Compare a set's table with the runs and ranges of an experiment file. If the file has a mistake, the table is
 * outdated. */
static void compare_with_file(struct member_set *set, const char *file) {
    const struct sweep_table *table = &set->table;
    const struct plan_options options = {.tier = table->tier, .methods = method_table, .backend_words = backend_words};
    const struct failure_mark before = failure_mark();
    char digest[DIGEST_SIZE] = "";
    struct plan plan;
    if (plan_read(file, &options, &plan))
        failure_rewind(before);
    else
        sweep_digest(&plan, digest);
    set->is_outdated = strcmp(digest, table->digest) != 0;
    set->is_shared = pool_add(&set->pool, memory_new((size_t)table->assumption_count + 1, sizeof *set->is_shared));
    for (int a = 0; a < table->assumption_count; a++)
        set->is_shared[a] = is_shared(&plan.experiment, table->assumptions[a].path);
    plan_free(&plan);
}

/* Make the set of an experiment from its table. The set then owns the table. `path`: the path of the table, for
 * messages. */
static int make_set(const struct sweep_table *table, const char *path, const char *experiments, const char *experiment,
                    struct member_set *set) {
    *set = (struct member_set){.table = *table};
    set->experiment = pool_add(&set->pool, text_copy(experiment));
    AUTO_FREE char *file = experiments ? text_format("%s/%s.yaml", experiments, experiment) : NULL;
    if (set->table.experiment && file && file_exists(file))
        compare_with_file(set, file);
    if (set->is_outdated)
        sweep_free(&set->table);
    for (int m = 0; m < set->table.member_count; m++)
        if (*set->table.members[m].digest)
            add_member(set, &set->table.members[m]);
        else
            set->skipped += set->table.members[m].kind != MEMBER_SEARCH;
    if (set->count && (set->members[0].member->kind != MEMBER_LIKELY || set->members[0].member->number != 0)) {
        member_set_free(set);
        return fail("%s: the first member must have the chosen values; remove the file and run springback "
                    "sensitivity",
                    path);
    }
    find_axes(set);
    for (int m = 0; m < set->count; m++)
        set_places(set, &set->members[m]);
    return STATUS_OK;
}

int member_set_read(const char *sweeps, const char *experiments, const char *experiment, struct member_set *set) {
    AUTO_FREE char *path = sweep_path(sweeps, experiment);
    struct sweep_table table;
    *set = (struct member_set){.count = 0};
    return sweep_read(path, false, &table) ? STATUS_BAD : make_set(&table, path, experiments, experiment, set);
}

/* The runs of a member that a condition selects. Runs that blew up are left out: if a condition rejected their
 * members, claims about blow-ups could not be judged in these members. */
static struct trace_list runs_of(const struct member_set *set, const struct claim *condition, int member) {
    struct trace_list list = {memory_new((size_t)set->table.run_count + 1, sizeof(const struct trace_data *)), 0};
    for (int r = 0; r < set->table.run_count; r++)
        if (source_selects(&condition->from, &set->members[member].traces[r], false) &&
            strcmp(trace_run_text(&set->members[member].traces[r], "status"), "diverged") != 0)
            list.items[list.count++] = &set->members[member].traces[r];
    return list;
}

int member_set_admit(struct member_set *set, const struct claim_file *claims) {
    int status = STATUS_OK;
    for (int c = 0; c < claims->admissible_count; c++) {
        const struct claim *condition = &claims->admissible[c];
        if (strcmp(condition->from.experiment, set->experiment) != 0)
            continue;
        for (int m = set->admitted; m < set->count && !status; m++) {
            struct trace_list list = runs_of(set, condition, m);
            AUTO(outcome_free) struct outcome outcome = outcome_of(condition, &list, 1);
            if (m == 0 && outcome.verdict == VERDICT_NOT_RUN)
                status = fail_at(condition->node->place, "the condition cannot be judged: %s", outcome.why);
            else if (list.count && outcome.verdict != VERDICT_MATCHES && !set->members[m].rejection)
                set->members[m].rejection = condition->says;
            free(list.items);
        }
    }
    set->admitted = set->count;
    return status;
}

void member_set_free(struct member_set *set) {
    sensitivities_free(set);
    sweep_free(&set->table);
    free(set->members);
    pool_free(&set->pool);
    *set = (struct member_set){.count = 0};
}

bool member_set_has_stand_in(const struct member_set *set, const struct source *from) {
    for (int r = 0; r < set->table.run_count && set->count; r++) {
        const struct trace_data *trace = &set->members[0].traces[r];
        const char *note = trace_run_note(trace, "body_stand_in");
        if (note && !strcmp(note, "yes") && source_selects(from, trace, false))
            return true;
    }
    return false;
}

/* ---- Sets of several experiments ---- */

/* A table that member_sets_read_ahead has read, before the set of the experiment is made. */
struct read_table {
    char *experiment;
    struct sweep_table table;
    int status; /* STATUS_BAD: the table cannot be read, or a set owns it now */
};

static struct member_set *find_set(const struct member_sets *sets, const char *experiment) {
    struct member_set *set = sets->first;
    while (set && strcmp(set->experiment, experiment) != 0)
        set = set->next;
    return set;
}

static struct read_table *find_ahead(const struct member_sets *sets, const char *experiment) {
    for (int t = 0; t < sets->ahead_count; t++)
        if (!strcmp(sets->ahead[t].experiment, experiment))
            return &sets->ahead[t];
    return NULL;
}

void member_sets_read_ahead(struct member_sets *sets, const struct words *experiments) {
    const int before = sets->ahead_count;
    for (int e = 0; e < experiments->count && sets->folder; e++)
        if (!find_set(sets, experiments->words[e]) && !find_ahead(sets, experiments->words[e]))
            *ARRAY_ADD(sets->ahead, sets->ahead_count) =
                (struct read_table){.experiment = text_copy(experiments->words[e])};
    const struct failure_mark mark = failure_mark();
#pragma omp parallel for schedule(dynamic, 1) if (sets->ahead_count > before + 1)
    for (int t = before; t < sets->ahead_count; t++) {
        AUTO_FREE char *path = sweep_path(sets->folder, sets->ahead[t].experiment);
        sets->ahead[t].status = sweep_read(path, false, &sets->ahead[t].table);
    }
    failure_rewind(mark);
}

struct member_set *member_sets_find(struct member_sets *sets, const char *experiment) {
    struct member_set *set = find_set(sets, experiment);
    struct read_table *ahead = set ? NULL : find_ahead(sets, experiment);
    int status = STATUS_OK;
    if (set)
        return set;
    set = memory_new(1, sizeof *set);
    if (ahead && !ahead->status) {
        AUTO_FREE char *path = sweep_path(sets->folder, experiment);
        ahead->status = STATUS_BAD; /* the set owns the table now */
        status = make_set(&ahead->table, path, sets->experiments, experiment, set);
    } else if (sets->folder) {
        status = member_set_read(sets->folder, sets->experiments, experiment, set);
    }
    if (status) {
        free(set);
        return NULL;
    }
    if (!sets->folder)
        set->experiment = pool_add(&set->pool, text_copy(experiment));
    set->next = sets->first;
    return sets->first = set;
}

void member_sets_free(struct member_sets *sets) {
    for (struct member_set *set = sets->first, *next; set; set = next) {
        next = set->next;
        member_set_free(set);
        free(set);
    }
    for (int t = 0; t < sets->ahead_count; t++) {
        free(sets->ahead[t].experiment);
        if (!sets->ahead[t].status)
            sweep_free(&sets->ahead[t].table);
    }
    free(sets->ahead);
    *sets = (struct member_sets){.folder = NULL};
}
