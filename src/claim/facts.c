#include "claim/facts.h"

#include "base/memory.h"
#include "claim/evaluate.h"

#include <stdlib.h>
#include <string.h>

static bool represents_fact(const struct fact_claim *claims, int count, int c) {
    const int column = claims[c].column;
    const bool is_judged = column < VERDICT_NOT_TESTABLE;
    for (int o = 0; o < count && *claims[c].fact; o++) {
        const int other = claims[o].column;
        const bool is_other = other < VERDICT_NOT_TESTABLE;
        if (!strcmp(claims[o].fact, claims[c].fact) &&
            (is_other != is_judged ? is_other : other > column || (other == column && o < c)))
            return false;
    }
    return true;
}

void facts_count(const struct fact_claim *claims, int count, struct fact_counts out[2]) {
    memset(out, 0, 2 * sizeof *out);
    for (int c = 0; c < count; c++)
        if (represents_fact(claims, count, c)) {
            out[claims[c].is_decided_by_runs].all++;
            out[claims[c].is_decided_by_runs].of[claims[c].column]++;
        }
}

void facts_count_report(const struct claim_report *report, const char *paper, struct fact_counts out[2]) {
    AUTO_FREE struct fact_claim *claims = memory_new((size_t)report->count, sizeof *claims);
    int count = 0;
    for (int r = 0; r < report->count; r++) {
        const struct claim_result *result = &report->results[r];
        if (!strcmp(result->paper, paper))
            claims[count++] =
                (struct fact_claim){result->fact, (int)result->verdict, claim_result_is_decided_by_runs(result)};
    }
    facts_count(claims, count, out);
}

int facts_holding(const struct fact_counts *counts) {
    int holding = 0;
    for (int v = 0; v < VERDICT_COUNT; v++)
        holding += verdict_holds((enum verdict)v) ? counts->of[v] : 0;
    return holding;
}
