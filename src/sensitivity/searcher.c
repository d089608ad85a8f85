#include "sensitivity/members.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "sensitivity/search.h"

#include <string.h>

/* The searched member with these values that an interrupted search has run; NULL if there is none. */
static const struct sweep_member *find_in_part(const struct sweeper *sweeper, const struct value *values) {
    const struct sweep_table *part = &sweeper->part;
    AUTO_FREE char *point = point_text(&sweeper->base.experiment, values);
    for (int m = 0; m < part->member_count; ++m) {
        AUTO_FREE char *other = member_text(part, &part->members[m]);
        if (part->members[m].kind == MEMBER_SEARCH && !strcmp(point, other))
            return &part->members[m];
    }
    return NULL;
}

/* The smallest number that no searched member of the plan or the part has. */
static int free_number(const struct sweeper *sweeper) {
    AUTO_FREE bool *is_used = memory_new(MAX_SWEEP_MEMBERS + 1, sizeof *is_used);
    int number = 1;
    for (int m = 0; m < sweeper->member_count; ++m)
        if (sweeper->members[m].kind == MEMBER_SEARCH)
            is_used[sweeper->members[m].number] = true;
    for (int m = 0; m < sweeper->part.member_count; ++m)
        if (sweeper->part.members[m].kind == MEMBER_SEARCH)
            is_used[sweeper->part.members[m].number] = true;
    while (is_used[number])
        ++number;
    return number;
}

/* The index of the set's member with these values, or -1. */
static int find_in_set(const struct sweeper *sweeper, const struct member_set *set, const struct value *values) {
    AUTO_FREE char *point = point_text(&sweeper->base.experiment, values);
    for (int m = 0; m < set->count; ++m) {
        AUTO_FREE char *other = member_text(&set->table, set->members[m].member);
        if (set->members[m].member->kind != MEMBER_NOISE && !strcmp(point, other))
            return m;
    }
    return -1;
}

/* Plan a searched member with the values of a point. If an interrupted search has run this member, the member does not
 * run again. */
static int plan_point(struct sweeper *sweeper, const struct value *point) {
    const size_t assumptions = (size_t)sweeper->base.experiment.assumption_count;
    struct value *values = pool_add(&sweeper->pool, memory_new(assumptions, sizeof *values));
    memcpy(values, point, assumptions * sizeof *values);
    const struct sweep_member *found = find_in_part(sweeper, values);
    const int number = found ? found->number : free_number(sweeper);
    if (number >= MAX_SWEEP_MEMBERS)
        return fail("%s: a sweep may have at most %d searched members", sweeper->file, MAX_SWEEP_MEMBERS - 1);
    sweeper_plan(sweeper, MEMBER_SEARCH, number, values)->found = found;
    return STATUS_OK;
}

int sweeper_run_points(struct sweeper *sweeper, const struct value *points, int count, struct member_set *set,
                       int *members) {
    const size_t assumptions = (size_t)sweeper->base.experiment.assumption_count;
    const int first = sweeper->member_count;
    const double seconds = sweeper->forecast.seconds;
    for (int p = 0; p < count; ++p)
        if (find_in_set(sweeper, set, points + (size_t)p * assumptions) < 0 &&
            plan_point(sweeper, points + (size_t)p * assumptions))
            return STATUS_BAD;
    if (sweeper_survey(sweeper, first) || interrupt_signal())
        return STATUS_BAD;
    sweeper->forecast.seconds -= seconds; /* the difference is the forecast for this batch */
    if (sweeper_run(sweeper, first))
        return STATUS_BAD;
    sweeper_add_others(sweeper, first);
    for (int m = first; m < sweeper->member_count; ++m) {
        const struct sweep_member *member = sweep_member(&sweeper->table, MEMBER_SEARCH, sweeper->members[m].number);
        if (member && *member->digest)
            member_set_add(set, member);
    }
    for (int p = 0; p < count; ++p)
        members[p] = find_in_set(sweeper, set, points + (size_t)p * assumptions);
    return STATUS_OK;
}

int sweeper_search(struct sweeper *sweeper) {
    AUTO(search_free) struct search search = {.experiment = NULL};
    AUTO(member_set_free) struct member_set set;
    int status = member_set_read(sweeper->options->sweeps, NULL, sweeper->base.experiment.name, &set);
    if (!status)
        status = search_begin(&sweeper->base.experiment, &sweeper->claims, &set, sweeper->options->search,
                              &sweeper->pool, &search);
    if (!status && search.target_count && sweeper->options->report_search)
        sweeper->options->report_search(search.target_count, search.target_count * sweeper->options->search);
    while (!status && (search_draw(&search), search.point_count)) {
        AUTO_FREE int *members = memory_new((size_t)search.point_count, sizeof *members);
        status = sweeper_run_points(sweeper, search.points, search.point_count, &set, members);
        status = status ? status : search_judge(&search);
    }
    for (int t = 0; t < search.target_count && !status; ++t)
        if (!search.targets[t].is_found)
            sweep_note_searched(&sweeper->table, pool_add(&sweeper->table.pool, text_copy(search.targets[t].claim->id)),
                                sweeper->options->search);
    return status;
}

int sweeper_keep_searched(struct sweeper *sweeper) {
    const struct sweep_table *part = &sweeper->part;
    for (int m = 0; m < part->member_count && part->column_count == sweeper->table.column_count; ++m)
        if (part->members[m].kind == MEMBER_SEARCH &&
            !sweep_member(&sweeper->table, MEMBER_SEARCH, part->members[m].number)) {
            struct planned_member *planned = sweeper_plan_searched(sweeper, &part->members[m]);
            if (!planned)
                return fail("%s: the values of the searched member %d are not in the possible ranges; remove this file",
                            sweeper->part_path, part->members[m].number);
            planned->found = &part->members[m];
            sweeper_add_others(sweeper, sweeper->member_count - 1);
        }
    return STATUS_OK;
}
