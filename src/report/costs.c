#include "report/costs.h"

#include "base/amount.h"
#include "base/file.h"
#include "base/number.h"
#include "claim/claim_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct cost {
    char *experiment, *tier;
    int runs;
    double seconds, memory, bytes; /* NaN if not known */
};

struct costs {
    struct cost *items; /* sorted by experiment */
    int count;
    struct pool pool; /* owns the texts */
};

static void costs_free(struct costs *costs) {
    pool_free(&costs->pool);
    free(costs->items);
    *costs = (struct costs){.count = 0};
}

/* ---- The file ---- */

static const char heading[] = "experiment\ttier\truns\tseconds\tpeak_memory\tbytes";

static double number_or_nan(const char *text) {
    char *end;
    const double value = strtod(text, &end);
    return *text && !*end && isfinite(value) ? value : (double)NAN;
}

/* Read FOLDER/costs.tsv; empty if there is no such file. The caller frees the costs, also after an error. */
static int costs_read(const char *folder, struct costs *out) {
    AUTO_FREE char *path = text_format("%s/costs.tsv", folder), *text = NULL;
    *out = (struct costs){.count = 0};
    if (!file_exists(path))
        return STATUS_OK;
    if (file_read(path, &text))
        return STATUS_BAD;
    char *rest = text;
    for (int line = 1; rest && *rest; ++line) {
        char *row = strsep(&rest, "\n"), *cells[6] = {NULL};
        if (line == 1 && strcmp(row, heading) != 0)
            return fail("%s:1:1: expected the columns experiment, tier, runs, seconds, peak_memory, bytes", path);
        if (line == 1)
            continue;
        int count = 0;
        while (row && count < 6)
            cells[count++] = strsep(&row, "\t");
        if (row || count < 6 || !strchr(cells[0], '/'))
            return fail(
                "%s:%d:1: expected 6 cells separated by tabs, the first one an experiment; record it again with "
                "springback record",
                path, line);
        *ARRAY_ADD(out->items, out->count) = (struct cost){.experiment = pool_add(&out->pool, text_copy(cells[0])),
                                                           .tier = pool_add(&out->pool, text_copy(cells[1])),
                                                           .runs = (int)strtol(cells[2], NULL, 10),
                                                           .seconds = number_or_nan(cells[3]),
                                                           .memory = number_or_nan(cells[4]),
                                                           .bytes = number_or_nan(cells[5])};
    }
    return STATUS_OK;
}

static struct cost *find(const struct costs *costs, const char *experiment) {
    for (int c = 0; c < costs->count; ++c)
        if (!strcmp(costs->items[c].experiment, experiment))
            return &costs->items[c];
    return NULL;
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
        text_append(&text, "%s\t%s\t%d\t", cost->experiment, cost->tier, cost->runs);
        append_number(&text, cost->seconds, '\t');
        append_number(&text, cost->memory, '\t');
        append_number(&text, cost->bytes, '\n');
    }
    return file_write_if_changed(path, text);
}

/* ---- Recording ---- */

/* Add the cost of a run to that of its experiment. */
static void add_run(struct cost *cost, const struct trace_data *trace) {
    struct stat about;
    const double memory = number_or_nan(trace_run_text(trace, "peak_memory"));
    ++cost->runs;
    cost->seconds += number_or_nan(trace_run_text(trace, "seconds"));
    cost->memory = fmax(cost->memory, memory); /* fmax ignores a NaN */
    cost->bytes += stat(trace->path, &about) ? (double)NAN : (double)about.st_size;
}

int costs_record(const struct machine *machine, const char *folder) {
    AUTO(costs_free) struct costs costs;
    int status = costs_read(folder, &costs);
    const char *last = "";
    for (int r = 0; r < machine->run_count && !status; ++r) {
        const struct machine_run *run = &machine->runs[r];
        struct cost *cost = find(&costs, run->experiment);
        if (!run->trace)
            continue;
        if (!cost) {
            cost = ARRAY_ADD(costs.items, costs.count);
            cost->experiment = pool_add(&costs.pool, text_copy(run->experiment));
        }
        if (strcmp(last, run->experiment) != 0)
            *cost = (struct cost){.experiment = cost->experiment,
                                  .tier = pool_add(&costs.pool, text_copy(trace_run_text(run->trace, "tier"))),
                                  .memory = (double)NAN};
        add_run(cost, run->trace);
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
    if (cost && cost->runs)
        fprintf(out, " %d | %s | %s | %s |", cost->runs,
                isnan(cost->seconds) ? "not recorded" : amount_seconds(cost->seconds, time),
                bytes_text(cost->memory, memory), bytes_text(cost->bytes, disk));
    else
        fprintf(out, " - | not recorded | not recorded | not recorded |");
}

/* Print what an evaluator should see: the recorded verdicts, and the printed value. */
static void print_expected(const struct claim *claim, FILE *out) {
    const struct stated_verdict *own = &claim->recorded[0], *gpu = &claim->recorded[1];
    const char *paper = claim->reported ? claim->reported : claim->expect_text;
    fprintf(out, " %s", own->is_given ? verdict_name(own->verdict) : "no verdict is recorded");
    if (gpu->is_given && (!own->is_given || gpu->verdict != own->verdict))
        fprintf(out, "; with a GPU: %s", verdict_name(gpu->verdict));
    if (paper && *paper)
        fprintf(out, " (paper: %s)", paper);
}

/* Print the rows of the headline claims of a file. */
static void print_claims(const struct claim_file *claims, const struct costs *costs, FILE *out) {
    for (int c = 0; c < claims->count; ++c) {
        const struct claim *claim = &claims->claims[c];
        const char *experiment = claim_experiment(claim);
        if (!claim->is_headline)
            continue;
        fprintf(out, "| `%s`: %s | %s | %s |", claim->id, *claim->brief ? claim->brief : claim->says,
                *experiment ? experiment : "none", strstr(claim->needs, "gpu") ? "a GPU" : "any machine");
        print_cost(*experiment ? find(costs, experiment) : NULL, out);
        print_expected(claim, out);
        fputs(" |\n", out);
    }
}

/* Print the costs of all experiments of a paper. */
static void print_paper(const char *paper, const struct costs *costs, FILE *out) {
    struct cost sum = {.memory = (double)NAN};
    const size_t length = strlen(paper);
    int experiments = 0;
    for (int c = 0; c < costs->count; ++c) {
        const struct cost *cost = &costs->items[c];
        if (strncmp(cost->experiment, paper, length) != 0 || cost->experiment[length] != '/')
            continue;
        ++experiments;
        sum.runs += cost->runs;
        sum.seconds += cost->seconds;
        sum.memory = fmax(sum.memory, cost->memory);
        sum.bytes += cost->bytes;
    }
    fprintf(out, "| **all of %s** | %d experiment%s | any machine |", paper, experiments, experiments == 1 ? "" : "s");
    print_cost(&sum, out);
    fprintf(out, " `springback check %s` |\n", paper);
}

int costs_print(const char *const *files, int count, const char *folder, FILE *out) {
    AUTO(costs_free) struct costs costs;
    int status = costs_read(folder, &costs);
    if (!status && !costs.count)
        status = fail("%s: it has no costs.tsv; name a record of a machine that springback record has written", folder);
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
            print_claims(&claims, &costs, out);
            print_paper(claims.paper, &costs, out);
        }
    }
    return status;
}
