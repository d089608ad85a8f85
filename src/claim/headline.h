/* The headline claims of all papers, one short row each: what a first screen shows, on the terminal and in the report.
 */
#ifndef SPRINGBACK_CLAIM_HEADLINE_H
#define SPRINGBACK_CLAIM_HEADLINE_H

#include "base/memory.h"
#include "claim/claim.h"

/* A row. Its texts are plain text in one line, never NULL. */
struct headline {
    const struct claim_result *result; /* the claim: its id, paper, whole sentence (says), verdict, set-ups */
    const char *sentence; /* the claim's key `short`, at most HEADLINE_SENTENCE characters; without it the whole one */
    const char *paper;    /* what is printed: "95.35 %", "<= 5 %", "this order", "stable"; "" if nothing is */
    const char *ours;     /* what was measured: "97.94 %", "other order", "blew up"; of a range against a bound the
                             end that decides; "" if nothing was measured */
    const char *verdict;  /* verdict_name(result->verdict) */
    const char *clause;   /* the reason, to be read after the verdict: "on node mass: in 44 of 55 set-ups" (likely ones;
                             after "on unlikely values" possible, after "on searched values" searched ones), "worse than
                             printed, 67 % more", "it needs a GPU", "bob_3087 is a stand-in"; "" for none */
};

enum { HEADLINE_SENTENCE = 40 };

struct headlines {
    struct headline *rows; /* in the order of the reports, and of the claims in each; row r is called r + 1 */
    int count;
    struct pool pool; /* memory of the above */
};

/* The rows of the headline claims of some reports, which must outlive them; of all claims if `all`, or if no claim is a
 * headline. */
void headlines_of(const struct claim_report *reports, int count, bool all, struct headlines *out);
void headlines_free(struct headlines *headlines);

#endif
