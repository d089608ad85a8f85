#include "sensitivity/members.h"

#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static int judge(const struct sweeper *sweeper, struct sweep_report *report) {
    int status = member_set_read(sweeper->options->sweeps, NULL, report->experiment, &report->set);
    for (int c = 0; c < report->claims.count && !status; ++c) {
        const struct claim *claim = &report->claims.claims[c];
        if (strcmp(claim_experiment(claim), report->experiment) != 0)
            continue;
        const struct sensitivity *sensitivity = sensitivity_of(claim, &report->set, &report->claims);
        *ARRAY_ADD(report->items, report->count) = (struct sweep_item){claim, sensitivity};
        status = sensitivity->status;
    }
    AUTO_FREE char *folder = text_format("%s/%s", sweeper->options->out, report->experiment);
    if (!status)
        status = folder_make(folder) ? STATUS_BAD : sweep_report_write(report, folder);
    return status;
}

/* Keep only the members of the options' shard. */
static void keep_shard(struct sweeper *sweeper) {
    AUTO_FREE bool *is_kept = memory_new((size_t)sweeper->member_count, sizeof *is_kept);
    for (int m = 0; m < sweeper->member_count; ++m)
        is_kept[m] = m % sweeper->options->shards == sweeper->options->shard - 1;
    sweeper_keep(sweeper, is_kept);
}

int sweep(const char *file, const struct sweeper_options *options, struct sweep_report *report) {
    AUTO(sweeper_free) struct sweeper sweeper = {.file = file, .options = options};
    const struct experiment *experiment = &sweeper.base.experiment;
    *report = (struct sweep_report){.count = 0};
    if (sweeper_begin(&sweeper))
        return STATUS_BAD;
    if (options->shards)
        keep_shard(&sweeper);
    if (sweeper_survey(&sweeper, 0) || interrupt_signal())
        return STATUS_BAD;
    report->experiment = text_copy(experiment->name);
    sweeper.forecast.experiment = experiment->name;
    sweeper.forecast.shard = options->shard;
    sweeper.forecast.shards = options->shards;
    memcpy(sweeper.forecast.members, sweeper.counts, sizeof sweeper.forecast.members);
    sweeper.forecast.backend = run_text(&sweeper.base.runs[0], "backend");
    sweeper.forecast.tier = sweeper.table.tier;
    if (options->report)
        options->report(&sweeper.forecast);
    if (folder_make(sweeper.folder))
        return STATUS_BAD;
    sweeper_lock(&sweeper);
    if (sweeper_run(&sweeper, 0) || interrupt_signal())
        return STATUS_BAD;
    if (options->shards)
        return STATUS_OK;
    sweeper_add_others(&sweeper, 0);
    if (sweeper_write(&sweeper) || (options->search && sweeper_search(&sweeper)) || sweeper_keep_searched(&sweeper) ||
        sweeper_write(&sweeper))
        return STATUS_BAD;
    temporary_remove(sweeper.folder);
    temporary_remove(sweeper.scratch);
    report->claims = sweeper.claims;
    sweeper.claims = (struct claim_file){.count = 0};
    return judge(&sweeper, report);
}

void sweep_report_free(struct sweep_report *report) {
    member_set_free(&report->set);
    claim_file_free(&report->claims);
    free(report->items);
    free(report->experiment);
    *report = (struct sweep_report){.count = 0};
}
