#include "sensitivity/members.h"

#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "run/simulation.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Whether two numbers are equal in a table, which stores five digits: their relative difference is at most 1e-4. NaN
 * equals NaN. */
static bool is_same_number(double a, double b) {
    return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : a == b || fabs(a - b) <= 1e-4 * fmax(fabs(a), fabs(b));
}

/* How a member `a` that ran again differs from the member `b` of the table; NULL if both are the same. Newly allocated;
 * the caller frees it. */
static char *difference(const struct sweep_table *table, const struct sweep_member *a, const struct sweep_member *b) {
    if (strcmp(a->digest, b->digest) != 0)
        return text_copy("has other final states than the table");
    for (int r = 0; r < table->run_count; ++r) {
        const float *x = sweep_numbers(table, a, r), *y = sweep_numbers(table, b, r);
        if (strcmp(a->status[r], b->status[r]) != 0)
            return text_format("has a run with the status %s; in the table, this run has the status %s", a->status[r],
                               b->status[r]);
        for (int c = 0; c < table->column_count; ++c)
            if (!is_same_number((double)x[c], (double)y[c]))
                return text_format("has other numbers: in the run %s, %s of %s is %.6g, but the table has %.6g",
                                   table->runs[r].id, table->columns[c].reduction, table->columns[c].quantity,
                                   (double)x[c], (double)y[c]);
    }
    return NULL;
}

void sweep_shuffle(void *items, size_t count, size_t size, unsigned long seed) {
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(random, seed);
    gsl_ran_shuffle(random, items, count, size);
    gsl_rng_free(random);
}

/* Keep up to `count` random members that have results in the table, and mark them as not finished, so that they run
 * again. */
static void choose_members(struct sweeper *sweeper, int count, unsigned long seed) {
    const int members = sweeper->member_count;
    int *order = pool_add(&sweeper->pool, memory_new((size_t)members, sizeof *order)), chosen = 0;
    AUTO_FREE bool *is_chosen = memory_new((size_t)members, sizeof *is_chosen);
    for (int m = 0; m < members; ++m)
        order[m] = m;
    sweep_shuffle(order, (size_t)members, sizeof *order, seed);
    for (int k = 0; k < members && chosen < count; ++k) {
        const struct sweep_member *found = sweeper->members[order[k]].found;
        is_chosen[order[k]] = found && *found->digest;
        chosen += is_chosen[order[k]];
    }
    sweeper_keep(sweeper, is_chosen);
    for (int m = 0; m < sweeper->member_count; ++m)
        sweeper->members[m].found = NULL;
}

/* Whether the table was made with another mesh of one of the bodies, for example with a stand-in. */
static bool has_other_body(const struct sweeper *sweeper) {
    bool is_other = false;
    for (int r = 0; r < sweeper->kept.run_count && r < sweeper->base.run_count && !is_other; ++r) {
        const struct sweep_run *run = &sweeper->kept.runs[r];
        struct model model;
        /* The checksum of the body's mesh. NULL for a body without a mesh, and for a body that cannot be described: the
         * run of such a body reports the error. */
        const char *here = model_describe(&sweeper->base.runs[r], &model)
                               ? NULL
                               : attributes_text(&model.body.prepared.facts, "mesh_sha256");
        for (int n = 0; n < run->note_count && here; ++n)
            is_other =
                is_other || (!strcmp(run->notes[n].name, "body_mesh_sha256") && strcmp(run->notes[n].value, here) != 0);
        model_free(&model);
    }
    return is_other;
}

static void compare_members(const struct sweeper *sweeper, struct verify_result *out) {
    for (int m = 0; m < sweeper->table.member_count; ++m) {
        const struct sweep_member *again = &sweeper->table.members[m],
                                  *member = sweep_member(&sweeper->kept, again->kind, again->number);
        AUTO_FREE char *differs = difference(&sweeper->kept, again, member);
        ++out->compared;
        if (!differs)
            continue;
        ++out->differing;
        fail("%s: member %s %d %s", sweeper->table_path, member_kind_name(again->kind), again->number, differs);
    }
}

/* The same as sweep_verify, but members run below options->scratch, which the caller removes. */
static int verify(const char *file, const struct sweeper_options *options, int count, unsigned long seed,
                  struct verify_result *out) {
    AUTO(sweeper_free) struct sweeper sweeper = {.file = file, .options = options, .is_verified = true};
    if (sweeper_begin(&sweeper))
        return STATUS_BAD;
    if (!sweeper_is_same(&sweeper, &sweeper.kept))
        return fail("%s: %s", sweeper.table_path,
                    sweeper.kept.experiment ? "the table belongs to another version of the experiment file; run "
                                              "springback sensitivity"
                                            : "there is no such table; run springback sensitivity");
    if (has_other_body(&sweeper)) {
        out->skip = VERIFY_OTHER_BODY;
        return STATUS_OK;
    }
    choose_members(&sweeper, count, seed);
    if (sweeper_survey(&sweeper, 0) || interrupt_signal())
        return STATUS_BAD;
    out->seconds = sweeper.forecast.seconds;
    if (options->seconds > 0 && out->seconds > options->seconds) {
        out->skip = VERIFY_TOO_LONG;
        return STATUS_OK;
    }
    sweeper.forecast.experiment = sweeper.base.experiment.name;
    if (options->report)
        options->report(&sweeper.forecast);
    if (folder_make(sweeper.scratch))
        return STATUS_BAD;
    const int status = sweeper_run(&sweeper, 0);
    if (!status || interrupt_signal())
        compare_members(&sweeper, out);
    return status;
}

int sweep_verify(const char *file, const struct sweeper_options *options, int count, unsigned long seed,
                 struct verify_result *out) {
    char *scratch = text_format("%s/.verify-%ld", options->out, (long)getpid());
    struct sweeper_options own = *options;
    own.scratch = scratch;
    *out = (struct verify_result){0};
    temporary_add(scratch);
    const int status = verify(file, &own, count, seed, out);
    temporary_end(scratch);
    return status;
}
