#include "claim/member_set.h"

#include "base/memory.h"
#include "claim/quantity.h"
#include "experiment/sample.h"
#include "run/manifest.h"
#include "run/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int index_of(char *const *list, int count, const char *text) {
    for (int i = 0; i < count; i++)
        if (!strcmp(list[i], text))
            return i;
    return -1;
}

static void list_add(char ***list, int *count, const char *text) {
    *list = memory_grow(*list, (size_t)*count + 1, sizeof **list);
    (*list)[(*count)++] = text_copy(text);
}

/* ---- One member ---- */

static void member_free(struct sweep_member *member, int ids, int paths) {
    for (int i = 0; member->traces && i < ids; i++)
        if (member->traces[i]) {
            trace_close(member->traces[i]);
            free(member->traces[i]);
        }
    for (int p = 0; member->texts && p < paths; p++)
        free(member->texts[p]);
    free(member->texts);
    free(member->places);
    free(member->traces);
}

/* Read the traces of a member's manifest. The first member's are what the others must have. Returns NULL, or why it is
 * not there as it should be, newly allocated. */
static char *member_read(const char *folder, const char *digest, struct member_set *set, struct sweep_member *member) {
    const struct failure_mark mark = failure_mark();
    struct manifest manifest;
    if (manifest_read(folder, &manifest))
        return failure_take(mark);
    const bool first = set->count == 0;
    char *problem = NULL;
    int found = 0;
    for (int r = 0; r < manifest.count; r++)
        if (first && !strcmp(manifest.rows[r].plan, digest))
            list_add(&set->ids, &set->id_count, manifest.rows[r].id);
    member->traces = memory_new((size_t)set->id_count, sizeof *member->traces);
    for (int r = 0; r < manifest.count && !problem; r++) {
        const struct manifest_row *row = &manifest.rows[r];
        const int id = strcmp(row->plan, digest) ? -1 : index_of(set->ids, set->id_count, row->id);
        struct trace_data trace;
        if (id < 0 || !strcmp(row->trace, "-")) /* failed */
            continue;
        if (manifest_open(folder, row, &trace)) {
            problem = failure_take(mark);
            continue;
        }
        member->traces[id] = memory_new(1, sizeof trace);
        *member->traces[id] = trace;
        found++;
    }
    manifest_free(&manifest);
    if (!problem && (!found || found < set->id_count))
        problem = text_format(found ? "member %d lacks runs that member 0 has" : "member %d has not been run",
                              member->number);
    return problem;
}

/* ---- What is assumed ---- */

static void take_texts(struct member_set *set, const struct sweep_members *table, struct sweep_member *member) {
    member->texts = memory_new((size_t)set->path_count, sizeof *member->texts);
    for (int p = 0; p < set->path_count; p++)
        member->texts[p] = text_copy(table->values[member->number * table->path_count + p]);
}

/* The unit of a path in the runs that have it; "1" where none has. */
static const char *unit_of(const struct member_set *set, const char *path) {
    for (int i = 0; i < set->id_count; i++) {
        const struct trace_data *trace = set->members[0].traces[i];
        for (int p = 0; p < trace->parameter_count; p++)
            if (!strcmp(trace->parameters[p].path, path))
                return trace->parameters[p].unit;
    }
    return "1";
}

/* An axis for each number that has a range, and for words that are not the same in all members. */
static void find_axes(struct member_set *set, const struct sweep_members *table) {
    for (int p = 0; p < set->path_count; p++) {
        double low[3], high[3];
        const int lows = text_numbers(table->low[p], low), highs = text_numbers(table->high[p], high);
        const bool is_number = lows > 0 && lows == highs && strcmp(table->low[p], table->high[p]) != 0;
        bool varies = false;
        for (int m = 1; m < set->count; m++)
            varies = varies || strcmp(set->members[m].texts[p], set->members[0].texts[p]) != 0;
        for (int k = 0; varies && k < (is_number ? lows : 1); k++) {
            if (is_number && low[k] == high[k])
                continue;
            set->axes = memory_grow(set->axes, (size_t)set->axis_count + 1, sizeof *set->axes);
            set->axes[set->axis_count++] =
                (struct sweep_axis){.path = text_copy(set->paths[p]),
                                    .unit = text_copy(is_number ? unit_of(set, set->paths[p]) : ""),
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
    member->places = memory_new((size_t)set->axis_count, sizeof *member->places);
    for (int a = 0; a < set->axis_count; a++) {
        struct sweep_axis *axis = &set->axes[a];
        const char *text = member->texts[index_of(set->paths, set->path_count, axis->path)];
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
            if (index_of(set->paths, set->path_count, parameter->path) < 0 || !taken)
                continue;
            char *copy = text_copy(taken);
            free((char *)parameter->value);
            parameter->value = copy;
        }
}

/* ---- All ---- */

int member_set_read(const char *out, const char *experiment, struct member_set *set) {
    char *sweep = sweep_folder(out, experiment), *problem = NULL;
    struct sweep_members members;
    *set = (struct member_set){.experiment = text_copy(experiment)};
    int status = sweep_members_read(sweep, &members);
    set->listed = members.count;
    for (int p = 0; p < members.path_count; p++)
        list_add(&set->paths, &set->path_count, members.paths[p]);
    set->members = memory_new((size_t)members.count, sizeof *set->members);
    for (int m = 0; m < members.count && !problem; m++) {
        struct sweep_member *member = &set->members[set->count];
        set->passed += members.passed[m];
        if (members.passed[m])
            continue;
        char *folder = sweep_member_folder(sweep, m);
        *member = (struct sweep_member){.number = m};
        problem = member_read(folder, members.digest, set, member);
        free(folder);
        if (problem) {
            member_free(member, set->id_count, 0);
            break;
        }
        take_texts(set, &members, member);
        set->count++;
    }
    set->end = problem ? problem : text_copy("");
    if (set->count) {
        find_axes(set, &members);
        for (int m = 0; m < set->count; m++)
            take_places(set, &set->members[m]);
        for (int m = 1; m < set->count; m++)
            show_as_taken(set, &set->members[m]);
    }
    sweep_members_free(&members);
    free(sweep);
    if (status)
        member_set_free(set);
    return status;
}

void member_set_free(struct member_set *set) {
    for (int m = 0; m < set->count; m++)
        member_free(&set->members[m], set->id_count, set->path_count);
    for (int i = 0; i < set->id_count; i++)
        free(set->ids[i]);
    for (int p = 0; p < set->path_count; p++)
        free(set->paths[p]);
    for (int a = 0; a < set->axis_count; a++) {
        free(set->axes[a].path);
        free(set->axes[a].unit);
    }
    free(set->members);
    free(set->ids);
    free(set->paths);
    free(set->axes);
    free(set->experiment);
    free(set->end);
    *set = (struct member_set){.count = 0};
}

char *axis_name(const struct sweep_axis *axis) {
    return axis->component < 0 ? text_copy(axis->path) : text_format("%s[%d]", axis->path, axis->component);
}
