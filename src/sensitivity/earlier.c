#include "sensitivity/members.h"

#include "base/file.h"
#include "base/memory.h"
#include "claim/quantity.h"
#include "claim/reduction.h"
#include "experiment/sample.h"
#include "run/results.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool sweeper_is_same(const struct sweeper *sweeper, const struct sweep_table *other) {
    return other->experiment && !strcmp(other->digest, sweeper->table.digest) &&
           !strcmp(other->tier, sweeper->table.tier) && other->run_count == sweeper->table.run_count &&
           other->assumption_count == sweeper->table.assumption_count;
}

/* Copy the notes and columns of an earlier table. */
static void copy_columns(struct sweep_table *table, const struct sweep_table *from) {
    for (int c = 0; c < from->column_count; ++c)
        *ARRAY_ADD(table->columns, table->column_count) = from->columns[c];
    for (int r = 0; r < from->run_count; ++r)
        for (int n = 0; n < from->runs[r].note_count; ++n)
            *ARRAY_ADD(table->runs[r].notes, table->runs[r].note_count) = from->runs[r].notes[n];
}

/* Whether `table` has a column for this quantity, or runs of the experiment record a series with this name. This
 * function assumes that the body is not closed. Therefore a series that only closed bodies have is found only if the
 * table has a column for the series. */
static bool is_series(const struct sweeper *sweeper, const struct sweep_table *table, const char *quantity) {
    const struct body open = {.is_closed = false};
    bool found = false;
    for (int k = 0; k < table->column_count && !found; ++k)
        found = !strcmp(table->columns[k].quantity, quantity);
    for (int r = 0; r < sweeper->base.run_count && !found; ++r) {
        const struct method *method = method_find(run_text(&sweeper->base.runs[r], "method.name"));
        for (int q = 0; q < method->quantity_count(&open) && !found; ++q)
            found = !strcmp(method->quantities[q].name, quantity);
    }
    return found;
}

/* Whether a claim or reading with the source `from` needs a column that the table does not have. */
static bool lacks_column_of(const struct sweeper *sweeper, const struct sweep_table *table, const struct source *from) {
    if (!from->quantity || !from->experiment || strcmp(from->experiment, table->experiment) != 0 ||
        !is_series(sweeper, table, from->quantity))
        return false;
    AUTO_FREE char *name = reduction_name(from, NULL);
    for (int k = 0; k < table->column_count; ++k)
        if (!strcmp(table->columns[k].quantity, from->quantity) &&
            !strncmp(table->columns[k].reduction, name, strlen(name)))
            return false;
    return true;
}

static bool lacks_columns(const struct sweeper *sweeper, const struct sweep_table *table) {
    for (int c = 0; c < sweeper->claims.count; ++c) {
        const struct claim *claim = &sweeper->claims.claims[c];
        for (int r = -1; r < claim->reading_count; ++r)
            if (lacks_column_of(sweeper, table, r < 0 ? &claim->from : &claim->readings[r].from))
                return true;
    }
    return false;
}

struct planned_member *sweeper_plan_searched(struct sweeper *sweeper, const struct sweep_member *member) {
    const struct experiment *experiment = &sweeper->base.experiment;
    struct value *values = pool_add(&sweeper->pool, memory_new((size_t)experiment->assumption_count, sizeof *values));
    return sample_read(experiment, member->values, &sweeper->pool, values)
               ? sweeper_plan(sweeper, MEMBER_SEARCH, member->number, values)
               : NULL;
}

/* Plan the searched members of the earlier table, and copy its list of finished searches. */
static int plan_earlier_searches(struct sweeper *sweeper) {
    const struct sweep_table *kept = &sweeper->kept;
    for (int m = 0; m < kept->member_count; ++m)
        if (kept->members[m].kind == MEMBER_SEARCH && !sweeper_plan_searched(sweeper, &kept->members[m]))
            return fail(
                "%s: the values of the searched member %d are not in the possible ranges of %s; remove the table "
                "and run springback sensitivity",
                sweeper->table_path, kept->members[m].number, sweeper->file);
    for (int s = 0; s < kept->searched_count; ++s)
        sweep_note_searched(&sweeper->table, kept->searched[s].claim, kept->searched[s].runs);
    return STATUS_OK;
}

/* Set planned_member.found for the members that an earlier table has. Returns false, and sets nothing, if the table is
 * of another sweep, lacks a number that the claims need, or has another number of columns. */
static bool find_members(struct sweeper *sweeper, const struct sweep_table *earlier) {
    bool is_usable = sweeper_is_same(sweeper, earlier) && !lacks_columns(sweeper, earlier);
    if (is_usable && !sweeper->table.column_count)
        copy_columns(&sweeper->table, earlier);
    is_usable = is_usable && earlier->column_count == sweeper->table.column_count;
    for (int m = 0; m < sweeper->member_count && is_usable; ++m) {
        struct planned_member *member = &sweeper->members[m];
        if (!member->found)
            member->found = sweep_member(earlier, member->kind, member->number);
    }
    return is_usable;
}

/* Read a part of the table. A shard reads only its own part; shard 1 also reads the part of the member likely 0.
 *
 * This process will append members to its own part. Therefore its own part is cut after the last complete member. The
 * process removes its own part if the part has no member, belongs to another version of the experiment file, or lacks
 * numbers that the claims need. */
static int read_part(struct sweeper *sweeper, const char *path) {
    const bool is_own =
        !strcmp(path, sweeper->part_path) || (!strcmp(path, sweeper->first_part_path) && sweeper->options->shard <= 1);
    if (sweeper->options->shards && !is_own)
        return STATUS_OK;
    struct sweep_table *read = ARRAY_ADD(sweeper->parts, sweeper->part_count), *all = &sweeper->part;
    if (sweep_read(path, true, read))
        return STATUS_BAD;
    if (!find_members(sweeper, read)) {
        if (is_own)
            remove(path);
        return STATUS_OK;
    }
    all->assumption_count = read->assumption_count;
    all->column_count = read->column_count;
    for (int m = 0; m < read->member_count; ++m)
        if (!sweep_member(all, read->members[m].kind, read->members[m].number))
            *ARRAY_ADD(all->members, all->member_count) = read->members[m];
    return is_own && truncate(path, (off_t)read->size) ? fail("%s: %s", path, strerror(errno)) : STATUS_OK;
}

int sweeper_read_earlier(struct sweeper *sweeper) {
    AUTO(entries_free) char **entries = entries_list(sweeper->folder);
    if (sweeper_is_same(sweeper, &sweeper->kept) && plan_earlier_searches(sweeper))
        return STATUS_BAD;
    find_members(sweeper, &sweeper->kept);
    for (char **entry = entries; *entry && !sweeper->is_verified; ++entry) {
        AUTO_FREE char *path = text_format("%s/%s", sweeper->folder, *entry);
        if (sweep_is_part(*entry) && read_part(sweeper, path))
            return STATUS_BAD;
    }
    return STATUS_OK;
}

int sweeper_write(struct sweeper *sweeper) {
    AUTO_FREE char *folder = text_copy(sweeper->table_path);
    *strrchr(folder, '/') = 0;
    bool is_new = sweeper->kept.member_count != sweeper->table.member_count ||
                  sweeper->kept.searched_count != sweeper->table.searched_count;
    for (int m = 0; m < sweeper->member_count; ++m) {
        const struct planned_member *member = &sweeper->members[m];
        is_new = is_new || !member->found || sweep_member(&sweeper->part, member->kind, member->number);
    }
    for (int s = 0; s < sweeper->kept.searched_count; ++s) {
        const struct sweep_searched *searched = &sweeper->kept.searched[s];
        is_new = is_new || sweep_searched_runs(&sweeper->table, searched->claim) != searched->runs;
    }
    return !is_new ? STATUS_OK : folder_make(folder) ? STATUS_BAD : sweep_write(sweeper->table_path, &sweeper->table);
}
