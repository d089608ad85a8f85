#include "claim/sensitivity.h"

#include "base/memory.h"
#include "claim/quantity.h"
#include "experiment/sample.h"
#include "run/manifest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int index_of(const char *const *list, int count, const char *text) {
    for (int i = 0; i < count; i++)
        if (!strcmp(list[i], text))
            return i;
    return -1;
}

/* ---- One member ---- */

/* Whether a row of a manifest is of the sweep as it is now. */
static bool is_current(const struct member_set *set, const struct manifest_row *row) {
    return !strcmp(row->result_digest, set->table.digest);
}

/* The runs that the first member has are those that all must have. */
static void take_ids(struct member_set *set, const struct manifest *manifest) {
    set->ids = pool_add(&set->pool, memory_new((size_t)manifest->count, sizeof(const char *)));
    for (int r = 0; r < manifest->count; r++)
        if (is_current(set, &manifest->rows[r]))
            set->ids[set->id_count++] = pool_add(&set->pool, text_copy(manifest->rows[r].id));
}

/* Read the traces of a member's manifest. Returns NULL, or why it is not there as it should be, newly allocated. */
static char *member_read(const char *folder, struct member_set *set, struct sweep_member *member) {
    const struct failure_mark mark = failure_mark();
    AUTO(manifest_free) struct manifest manifest;
    if (manifest_read(folder, &manifest))
        return failure_take(mark);
    if (set->count == 0)
        take_ids(set, &manifest);
    char *problem = NULL;
    int found = 0;
    member->traces = pool_add(&set->pool, memory_new((size_t)set->id_count, sizeof *member->traces));
    for (int r = 0; r < manifest.count && !problem; r++) {
        const struct manifest_row *row = &manifest.rows[r];
        const int id = is_current(set, row) ? index_of(set->ids, set->id_count, row->id) : -1;
        struct trace_data trace;
        if (id < 0 || !strcmp(row->trace, "-")) /* failed */
            continue;
        if (manifest_open(folder, row, &trace)) {
            problem = failure_take(mark);
            continue;
        }
        member->traces[id] = pool_add(&set->pool, memory_new(1, sizeof trace));
        *member->traces[id] = trace;
        found++;
    }
    if (!problem && (!found || found < set->id_count))
        problem = text_format(found ? "member %d lacks runs that member 0 has" : "member %d has not been run",
                              member->number);
    return problem;
}

/* ---- What is assumed ---- */

/* The unit of a path in the runs that have it; "1" where none has. */
static const char *unit_of(const struct member_set *set, const char *path) {
    for (int i = 0; i < set->id_count; i++) {
        const struct trace_parameter *parameter = trace_parameter_at(set->members[0].traces[i], path);
        if (parameter)
            return parameter->unit;
    }
    return "1";
}

/* An axis for each number that has a range, and for words that are not the same in all members. */
static void find_axes(struct member_set *set) {
    const struct sweep_members *table = &set->table;
    set->axes = pool_add(&set->pool, memory_new(3 * (size_t)table->path_count, sizeof *set->axes));
    for (int p = 0; p < table->path_count; p++) {
        double low[3], high[3];
        const int lows = text_numbers(table->low[p], low), highs = text_numbers(table->high[p], high);
        const bool is_number = lows > 0 && lows == highs && strcmp(table->low[p], table->high[p]) != 0;
        bool varies = false;
        for (int m = 1; m < set->count; m++)
            varies = varies || strcmp(set->members[m].texts[p], set->members[0].texts[p]) != 0;
        for (int k = 0; varies && k < (is_number ? lows : 1); k++) {
            if (is_number && low[k] == high[k])
                continue;
            set->axes[set->axis_count++] = (struct sweep_axis){.path = table->paths[p],
                                                               .index = p,
                                                               .unit = is_number ? unit_of(set, table->paths[p]) : "",
                                                               .component = is_number && lows > 1 ? k : -1,
                                                               .is_word = !is_number,
                                                               .whole = is_number,
                                                               .wide = is_number && range_is_wide(low[k], high[k]),
                                                               .low = is_number ? low[k] : (double)NAN,
                                                               .high = is_number ? high[k] : (double)NAN};
        }
    }
}

static void take_places(struct member_set *set, struct sweep_member *member) {
    member->places = pool_add(&set->pool, memory_new((size_t)set->axis_count, sizeof *member->places));
    for (int a = 0; a < set->axis_count; a++) {
        struct sweep_axis *axis = &set->axes[a];
        const char *text = member->texts[axis->index];
        const int component = axis->component < 0 ? 0 : axis->component;
        double numbers[3];
        const bool there = !axis->is_word && text_numbers(text, numbers) > component;
        member->places[a] = there ? numbers[component] : (double)NAN;
        axis->whole = axis->whole && (!there || numbers[component] == floor(numbers[component]));
    }
}

/* Show a member's parameters of the assumed paths as they are taken. */
static void show_as_taken(struct member_set *set, struct sweep_member *member) {
    for (int i = 0; i < set->id_count; i++)
        for (int p = 0; p < member->traces[i]->parameter_count; p++) {
            struct trace_parameter *parameter = &member->traces[i]->parameters[p];
            const char *taken = trace_parameter_text(set->members[0].traces[i], parameter->path);
            if (index_of((const char *const *)set->table.paths, set->table.path_count, parameter->path) >= 0 && taken)
                parameter->value = taken;
        }
}

/* ---- All ---- */

static void member_close(struct sweep_member *member, int ids) {
    for (int i = 0; member->traces && i < ids; i++)
        if (member->traces[i])
            trace_close(member->traces[i]);
}

/* Read the members that were not skipped, up to the first that is not there as it should be. */
static void read_members(const char *sweep, struct member_set *set) {
    const struct sweep_members *table = &set->table;
    char *problem = NULL;
    set->members = pool_add(&set->pool, memory_new((size_t)table->count, sizeof *set->members));
    for (int m = 0; m < table->count && !problem; m++) {
        struct sweep_member *member = &set->members[set->count];
        set->skipped += table->skipped[m];
        if (table->skipped[m])
            continue;
        AUTO_FREE char *folder = sweep_member_folder(sweep, m);
        *member = (struct sweep_member){.number = m, .texts = table->values + (size_t)m * (size_t)table->path_count};
        problem = member_read(folder, set, member);
        if (problem)
            member_close(member, set->id_count);
        else
            set->count++;
    }
    set->end = problem ? pool_add(&set->pool, problem) : "";
}

int member_set_read(const char *out, const char *experiment, struct member_set *set) {
    AUTO_FREE char *sweep = sweep_folder(out, experiment);
    *set = (struct member_set){.end = ""};
    set->experiment = pool_add(&set->pool, text_copy(experiment));
    if (sweep_members_read(sweep, &set->table)) {
        member_set_free(set);
        return STATUS_BAD;
    }
    read_members(sweep, set);
    if (set->count)
        find_axes(set);
    for (int m = 0; m < set->count; m++)
        take_places(set, &set->members[m]);
    for (int m = 1; m < set->count; m++)
        show_as_taken(set, &set->members[m]);
    return STATUS_OK;
}

void member_set_free(struct member_set *set) {
    for (int m = 0; m < set->count; m++)
        member_close(&set->members[m], set->id_count);
    sweep_members_free(&set->table);
    pool_free(&set->pool);
    *set = (struct member_set){.count = 0};
}
