/* A claim on the report's page: what the paper says, what was found, why, and what repeats it. */
#ifndef SPRINGBACK_REPORT_PAGE_CLAIM_H
#define SPRINGBACK_REPORT_PAGE_CLAIM_H

#include "report/page.h"

/* A verdict's mark, so that it is told by more than its colour, and its name as a word of a class or an address:
 * "not-testable-here". */
const char *page_verdict_mark(enum verdict verdict);
const char *page_verdict_word(enum verdict verdict);

/* The mark and the name. */
void page_verdict(enum verdict verdict, FILE *out);

/* Write a claim as an article under a heading of the fourth level. */
void page_claim(const struct page_source *source, const struct claim_result *result, FILE *out);

#endif
