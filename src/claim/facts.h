/* Numbers of facts by verdict. All tables of verdicts count facts, so that several claims about one result count once.
 * Facts that runs decide are counted apart from the other facts, such as counts and the paper's own arithmetic. */
#ifndef SPRINGBACK_CLAIM_FACTS_H
#define SPRINGBACK_CLAIM_FACTS_H

#include "claim/claim.h"

/* The columns of tables of facts: one for each verdict, and one for claims without a recorded verdict. */
enum { FACT_UNRECORDED = VERDICT_COUNT, FACT_COLUMNS };

/* What facts_count needs to know of a claim. */
struct fact_claim {
    const char *fact; /* name of the fact; "" if the claim is a fact of its own */
    int column;       /* its verdict, or FACT_UNRECORDED */
    bool is_decided_by_runs;
};

struct fact_counts {
    int all, of[FACT_COLUMNS];
};

/* Count the facts of one paper by verdict. A fact has the worst verdict of its claims: the largest `column`. Claims
 * that are not testable, not run or not recorded count only if the fact has no other claims. out[1] counts the facts
 * that runs decide, out[0] the other facts. The first claim with the verdict of the fact says whether runs decide. */
void facts_count(const struct fact_claim *claims, int count, struct fact_counts out[2]);

/* Count the facts of a paper by the verdicts of a report. */
void facts_count_report(const struct claim_report *report, const char *paper, struct fact_counts out[2]);

/* The number of facts that hold: matches, within tolerance or shape only. */
int facts_holding(const struct fact_counts *counts);

#endif
