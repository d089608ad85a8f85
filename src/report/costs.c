#include "report/costs.h"

#include "base/amount.h"
#include "base/file.h"
#include "base/number.h"
#include "claim/claim_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The costs of one experiment. `memory` and `bytes` are from costs.tsv; add_runs sets the members after them. */
struct cost {
    const char *experiment;
    double memory, bytes; /* the most memory of a process, and the size of all traces, both in bytes; NaN if unknown */
    int runs;             /* number of the experiment's runs in the record */
    double seconds;       /* total duration of these runs */
    bool has_gpu;         /* whether one of these runs used a GPU */
};

struct costs {
    struct cost *items;
    int count;
    struct pool pool; /* owns the texts */
};

static void costs_free(struct costs *costs) {
    pool_free(&costs->pool);
    free(costs->items);
    *costs = (struct costs){.count = 0};
}

/* ---- The file ---- */

static const char heading[] = "experiment\tpeak_memory\tbytes";

static double number_or_nan(const char *text) {
    double value;
    const char *end = number_read(text, &value);
    return end && !*end ? value : (double)NAN;
}

/* Find the cost of an experiment in the list; if there is none, add one without numbers. */
static struct cost *cost_of(struct costs *costs, const char *experiment) {
    for (int c = 0; c < costs->count; ++c)
        if (!strcmp(costs->items[c].experiment, experiment))
            return &costs->items[c];
    struct cost *cost = ARRAY_ADD(costs->items, costs->count);
    *cost = (struct cost){
        .experiment = pool_add(&costs->pool, text_copy(experiment)), .memory = (double)NAN, .bytes = (double)NAN};
    return cost;
}

/* Read FOLDER/costs.tsv. *out is empty if there is no such file. The caller frees the costs, also after an error. */
static int costs_read(const char *folder, struct costs *out) {
    AUTO_FREE char *path = text_format("%s/costs.tsv", folder), *text = NULL;
    *out = (struct costs){.count = 0};
    if (!file_exists(path))
        return STATUS_OK;
    if (file_read(path, &text))
        return STATUS_BAD;
    char *rest = text;
    for (int line = 1; rest && *rest; ++line) {
        char *row = strsep(&rest, "\n");
        const char *experiment = row;
        if (line == 1 && strcmp(row, heading) != 0)
            return fail("%s:1:1: expected the columns experiment, peak_memory and bytes", path);
        if (line == 1)
            continue;
        strsep(&row, "\t");
        const char *memory = strsep(&row, "\t"), *bytes = strsep(&row, "\t");
        if (row || !bytes || !strchr(experiment, '/'))
            return fail("%s:%d:1: expected an experiment and 2 numbers, separated by tabs; record the experiment again "
                        "with springback record",
                        path, line);
        struct cost *cost = cost_of(out, experiment);
        cost->memory = number_or_nan(memory);
        cost->bytes = number_or_nan(bytes);
    }
    return STATUS_OK;
}

static int by_experiment(const void *a, const void *b) {
    return strcmp(((const struct cost *)a)->experiment, ((const struct cost *)b)->experiment);
}

static void append_number(char **text, double value, char end) {
    if (isnan(value))
        text_append(text, "-%c", end);
    else
        text_append(text, "%.6g%c", value, end);
}

static int costs_write(struct costs *costs, const char *folder) {
    AUTO_FREE char *path = text_format("%s/costs.tsv", folder), *text = text_format("%s\n", heading);
    qsort(costs->items, (size_t)costs->count, sizeof *costs->items, by_experiment);
    for (int c = 0; c < costs->count; ++c) {
        const struct cost *cost = &costs->items[c];
        text_append(&text, "%s\t", cost->experiment);
        append_number(&text, cost->memory, '\t');
        append_number(&text, cost->bytes, '\n');
    }
    return file_write_if_changed(path, text);
}

/* ---- Recording ---- */

int costs_record(const struct machine *machine, const char *folder) {
    AUTO(costs_free) struct costs costs;
    int status = costs_read(folder, &costs);
    const char *last = "";
    for (int r = 0; r < machine->run_count && !status; ++r) {
        const struct machine_run *run = &machine->runs[r];
        struct stat about;
        if (!run->trace)
            continue;
        struct cost *cost = cost_of(&costs, run->experiment);
        if (strcmp(last, run->experiment) != 0)
            *cost = (struct cost){.experiment = cost->experiment, .memory = (double)NAN};
        /* fmax ignores a NaN */
        cost->memory = fmax(cost->memory, number_or_nan(trace_run_text(run->trace, "peak_memory")));
        cost->bytes += stat(run->trace->path, &about) ? (double)NAN : (double)about.st_size;
        last = run->experiment;
    }
    return status ? status : costs_write(&costs, folder);
}

/* ---- The table for evaluators ---- */

static const char *bytes_text(double bytes, char out[AMOUNT_SIZE]) {
    return isnan(bytes) ? "not recorded" : amount_bytes(bytes, out);
}

static void print_cost(const struct cost *cost, FILE *out) {
    char time[AMOUNT_SIZE], memory[AMOUNT_SIZE], disk[AMOUNT_SIZE];
    fprintf(out, " %d | %s | %s | %s |", cost->runs, cost->runs ? amount_seconds(cost->seconds, time) : "not recorded",
            bytes_text(cost->memory, memory), bytes_text(cost->bytes, disk));
}

/* Print what an evaluator should see: the recorded verdicts of a claim, and the value that the paper prints. If the
 * paper prints no value, print the expectation of the claim. */
static void print_expected(const struct claim *claim, FILE *out) {
    const struct stated_verdict *own = &claim->recorded[0], *gpu = &claim->recorded[1];
    const char *paper = claim->reported ? claim->reported : claim->expect_text;
    fprintf(out, " %s", own->is_given ? verdict_name(own->verdict) : "no verdict is recorded");
    if (gpu->is_given && (!own->is_given || gpu->verdict != own->verdict))
        fprintf(out, "; with a GPU: %s", verdict_name(gpu->verdict));
    if (paper && *paper)
        fprintf(out, " (paper: %s)", paper);
}

/* The costs of an experiment, from the first record that has runs of the experiment. If `needs_gpu`, one of these runs
 * must have used a GPU. If there is no such record, the costs have no numbers. */
static struct cost recorded_cost(struct costs *records, int count, const char *experiment, bool needs_gpu) {
    for (int r = 0; r < count; ++r) {
        const struct cost *cost = cost_of(&records[r], experiment);
        if (cost->runs && (cost->has_gpu || !needs_gpu))
            return *cost;
    }
    return (struct cost){.memory = (double)NAN, .bytes = (double)NAN};
}

/* Print the rows of the headline claims of a file. */
static void print_claims(const struct claim_file *claims, struct costs *records, int count, FILE *out) {
    for (int c = 0; c < claims->count; ++c) {
        const struct claim *claim = &claims->claims[c];
        const char *experiment = claim_experiment(claim);
        const bool needs_gpu = strstr(claim->needs, "gpu");
        if (!claim->is_headline)
            continue;
        fprintf(out, "| `%s`: %s | %s | %s |", claim->id, *claim->brief ? claim->brief : claim->says,
                *experiment ? experiment : "none", needs_gpu ? "a GPU" : "any machine");
        const struct cost cost = recorded_cost(records, count, experiment, needs_gpu);
        if (*experiment)
            print_cost(&cost, out);
        else
            fputs(" 0 | - | - | - |", out);
        print_expected(claim, out);
        fputs(" |\n", out);
    }
}

/* The number of files FOLDER/PAPER/NAME.yaml. */
static int count_experiments(const char *folder, const char *paper) {
    AUTO_FREE char *pattern = text_format("%s/%s/*.yaml", folder, paper);
    AUTO(words_free) struct words found = {NULL, 0};
    words_add_files(&found, pattern);
    return found.count;
}

/* Print the costs of all experiments of a paper. */
static void print_paper(const char *paper, const struct costs *costs, const char *folder, FILE *out) {
    struct cost sum = {.memory = (double)NAN};
    const size_t length = strlen(paper);
    const int all = count_experiments(folder, paper);
    int experiments = 0;
    for (int c = 0; c < costs->count; ++c) {
        const struct cost *cost = &costs->items[c];
        if (strncmp(cost->experiment, paper, length) != 0 || cost->experiment[length] != '/')
            continue;
        if (!cost->runs)
            continue;
        ++experiments;
        sum.runs += cost->runs;
        sum.seconds += cost->seconds;
        sum.memory = fmax(sum.memory, cost->memory);
        sum.bytes += cost->bytes;
    }
    if (experiments < all)
        fprintf(out, "| **%s** | %d of %d experiments | any machine |", paper, experiments, all);
    else
        fprintf(out, "| **all of %s** | %d experiment%s | any machine |", paper, experiments,
                experiments == 1 ? "" : "s");
    print_cost(&sum, out);
    fprintf(out, " `springback check %s` |\n", paper);
}

/* Add each run of a machine to the costs of its experiment: one run, its duration, and whether it used a GPU. */
static void add_runs(struct costs *costs, const struct machine *machine) {
    for (int r = 0; r < machine->run_count; ++r) {
        struct cost *cost = cost_of(costs, machine->runs[r].experiment);
        ++cost->runs;
        cost->seconds += attributes_number(&machine->runs[r].facts, "seconds", NAN);
        cost->has_gpu = cost->has_gpu || !strcmp(attributes_text(&machine->runs[r].facts, "device_type"), "gpu");
    }
}

/* Read the costs of a record from its costs.tsv and its runs. The caller frees the costs, also after an error. */
static int record_read(const char *folder, struct costs *out) {
    AUTO(machine_free) struct machine machine;
    int status = machine_read(folder, &machine);
    status = costs_read(folder, out) ? STATUS_BAD : status;
    if (!status)
        add_runs(out, &machine);
    return status;
}

int costs_print(const char *const *files, int count, const struct words *records, const char *experiments, FILE *out) {
    struct costs *costs = memory_new((size_t)records->count, sizeof *costs);
    int status = STATUS_OK;
    for (int r = 0; r < records->count; ++r)
        status = record_read(records->words[r], &costs[r]) ? STATUS_BAD : status;
    if (!status)
        fputs("| claim | experiment | on | runs | time | memory | disk | what one should see |\n"
              "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
              out);
    for (int f = 0; f < count && !status; ++f) {
        AUTO(claim_file_free) struct claim_file claims;
        bool has_headline = false;
        status = claim_file_read(files[f], &claims);
        for (int c = 0; c < claims.count; ++c)
            has_headline = has_headline || claims.claims[c].is_headline;
        if (!status && has_headline) {
            print_claims(&claims, costs, records->count, out);
            print_paper(claims.paper, &costs[0], experiments, out);
        }
    }
    for (int r = 0; r < records->count; ++r)
        costs_free(&costs[r]);
    free(costs);
    return status;
}
