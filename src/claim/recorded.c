/* The recorded verdicts of files of claims: their numbers, and their agreement with the sweeps. */
#include "base/memory.h"
#include "claim/claim_file.h"
#include "claim/evaluate.h"
#include "claim/facts.h"
#include "claim/sensitivity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The facts of a file. First index: 0 for the verdicts on a machine without an OpenCL GPU, 1 for those on a machine
 * with one. Second index: as in facts_count. */
struct row {
    char *paper;
    struct fact_counts facts[2][2];
};

static int row_read(const char *file, struct row *row) {
    AUTO(claim_file_free) struct claim_file claims;
    const int status = claim_file_read(file, &claims);
    AUTO_FREE struct fact_claim *counted = memory_new((size_t)claims.count, sizeof *counted);
    *row = (struct row){.paper = text_copy(status ? "" : claims.paper)};
    for (int gpu = 0; gpu < 2; gpu++) {
        for (int c = 0; c < claims.count; c++) {
            const struct claim *claim = &claims.claims[c];
            const struct stated_verdict *recorded = &claim->recorded[gpu];
            counted[c] = (struct fact_claim){claim->fact, recorded->is_given ? (int)recorded->verdict : FACT_UNRECORDED,
                                             !strcmp(claim_class_name(claim), "result")};
        }
        facts_count(counted, claims.count, row->facts[gpu]);
    }
    return status;
}

static void row_write(const struct row *row, int gpu, const bool shown[FACT_COLUMNS], FILE *out) {
    const struct fact_counts *results = &row->facts[gpu][1], *others = &row->facts[gpu][0];
    fprintf(out, "| %s%s | %d |", row->paper, gpu ? ", with a GPU" : "", results->all);
    for (int c = 0; c < FACT_COLUMNS; c++)
        if (shown[c])
            fprintf(out, " %d |", results->of[c]);
    const int hold = facts_holding(others), differ = others->of[VERDICT_DIFFERS];
    fprintf(out, " %d | %d | %d | %d |\n", others->all, hold, differ, others->all - hold - differ);
}

int claims_write_recorded(const char *const *files, int count, FILE *out) {
    AUTO_FREE struct row *rows = memory_new((size_t)count, sizeof *rows);
    bool shown[FACT_COLUMNS] = {false};
    int status = STATUS_OK, columns = 6;
    for (int f = 0; f < count; f++) {
        status = row_read(files[f], &rows[f]) ? STATUS_BAD : status;
        for (int c = 0; c < FACT_COLUMNS; c++)
            shown[c] = shown[c] || rows[f].facts[0][1].of[c] || rows[f].facts[1][1].of[c];
    }
    if (!status) {
        fprintf(out, "| paper | facts that runs decide |");
        for (int c = 0; c < FACT_COLUMNS; c++)
            if (shown[c]) {
                fprintf(out, " %s |", c == FACT_UNRECORDED ? "none recorded" : verdict_name((enum verdict)c));
                columns++;
            }
        fprintf(out, " other facts | hold | differ | neither |\n|");
        for (int c = 0; c < columns; c++)
            fprintf(out, " --- |");
        fputc('\n', out);
        for (int f = 0; f < count; f++) {
            row_write(&rows[f], 0, shown, out);
            if (memcmp(rows[f].facts[0], rows[f].facts[1], sizeof rows[f].facts[0]) != 0)
                row_write(&rows[f], 1, shown, out);
        }
    }
    for (int f = 0; f < count; f++)
        free(rows[f].paper);
    return status;
}

/* ---- Comparison with the sweeps ---- */

static json_t *recorded_json(const struct claim *claim, const struct sensitivity *sensitivity) {
    const struct stated_verdict *recorded = &claim->recorded[claim->recorded[0].is_given ? 0 : 1];
    const bool is_swept = sensitivity && !sensitivity->left_out;
    const struct member_share none = {0}, *likely = is_swept ? &sensitivity->likely : &none,
                              *possible = is_swept ? &sensitivity->possible : &none;
    const int members = likely->members + possible->members;
    return json_pack("{ss ss ss sb so so so so so}", "id", claim->id, "class", claim_class_name(claim), "fact",
                     *claim->fact ? claim->fact : claim->id, "headline", claim->is_headline, "verdict",
                     recorded->is_given ? json_string(verdict_name(recorded->verdict)) : json_null(), "holds",
                     members ? json_integer(likely->holding + possible->holding) : json_null(), "members",
                     members ? json_integer(members) : json_null(), "share",
                     likely->members ? json_real((double)likely->holding / likely->members) : json_null(), "explained",
                     *claim->explained ? json_text(claim->explained) : json_null());
}

/* Write a row of the table for figures, with shares in percent. The caller has written the names of its columns. */
static void write_share(const struct claim *claim, const struct sensitivity *sensitivity, FILE *out) {
    const struct member_share *likely = &sensitivity->likely, *possible = &sensitivity->possible;
    fprintf(out, "%s\t%s\t%s\t%d\t%.4g\t%.4g\t%.4g\t%d\t%.4g\t%s\n", claim->id, claim_experiment(claim),
            verdict_name(sensitivity->verdict), likely->members,
            likely->members ? 100.0 * likely->holding / likely->members : (double)NAN, 100 * sensitivity->low,
            100 * sensitivity->high, possible->members,
            possible->members ? 100.0 * possible->holding / possible->members : (double)NAN,
            sensitivity->holds_with_chosen_values ? "yes" : "no");
}

/* Print a claim in the form `form`, and add the claim to the counts of `audit`. RECORDED_AUDIT prints only
 * claims whose recorded verdict contradicts their sweep, RECORDED_SHARES only claims that a sweep decides.
 * `sensitivity` is NULL if the claim has no experiment, if its experiment was not swept, or if a run of the claim uses
 * a stand-in. */
static void print_claim(const struct claim *claim, const struct sensitivity *sensitivity, enum recorded_form form,
                        FILE *out, struct recorded_audit *audit) {
    const bool is_swept = sensitivity && !sensitivity->left_out && !sensitivity->status;
    audit->claims++;
    audit->swept += is_swept;
    if (form == RECORDED_JSON)
        json_print(recorded_json(claim, sensitivity), out);
    else if (form == RECORDED_SHARES && is_swept)
        write_share(claim, sensitivity, out);
    for (int gpu = 0; gpu < 2 && is_swept && form == RECORDED_AUDIT; gpu++) {
        const struct stated_verdict *recorded = &claim->recorded[gpu];
        if (!recorded->is_given || recorded->verdict == VERDICT_NOT_TESTABLE ||
            recorded->verdict == sensitivity->verdict)
            continue;
        AUTO_FREE char *count = sensitivity_count_text(sensitivity);
        fprintf(out, "%s: recorded '%s', but the sweep gives '%s': the claim holds %s\n", claim->id,
                verdict_name(recorded->verdict), verdict_name(sensitivity->verdict), count);
        audit->contradictions++;
        break;
    }
}

int claims_audit(const char *const *files, int count, const char *sweeps_folder, const char *experiments,
                 enum recorded_form form, FILE *out, struct recorded_audit *audit) {
    int status = STATUS_OK;
    *audit = (struct recorded_audit){0};
    if (form == RECORDED_SHARES)
        fputs("claim\texperiment\tverdict\tlikely\tshare\tlow\thigh\tpossible\tpossible_share\ttaken\n", out);
    for (int f = 0; f < count; f++) {
        AUTO(claim_file_free) struct claim_file claims;
        if (claim_file_read(files[f], &claims)) {
            status = STATUS_BAD;
            continue;
        }
        AUTO(member_sets_free) struct member_sets sets = {.folder = sweeps_folder, .experiments = experiments};
        AUTO(words_free) struct words swept = {NULL, 0};
        for (int c = 0; c < claims.count; c++)
            if (*claim_experiment(&claims.claims[c]))
                words_add_new(&swept, claim_experiment(&claims.claims[c]));
        member_sets_read_ahead(&sets, &swept);
        for (int c = 0; c < claims.count; c++) {
            const struct claim *claim = &claims.claims[c];
            const char *experiment = claim_experiment(claim);
            struct member_set *set = *experiment ? member_sets_find(&sets, experiment) : NULL;
            const struct sensitivity *sensitivity = set && set->count && !member_set_has_stand_in(set, &claim->from)
                                                        ? sensitivity_of(claim, set, &claims)
                                                        : NULL;
            status = (*experiment && !set) || (sensitivity && sensitivity->status) ? STATUS_BAD : status;
            print_claim(claim, sensitivity, form, out, audit);
        }
        for (const struct member_set *set = sets.first; set; set = set->next)
            if (set->is_outdated)
                words_add_new(&audit->outdated, set->experiment);
    }
    return status;
}
