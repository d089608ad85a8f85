/* The headline claims of all papers as short rows, for the first screen of the terminal and of the report. */
#ifndef SPRINGBACK_CLAIM_HEADLINE_H
#define SPRINGBACK_CLAIM_HEADLINE_H

#include "base/memory.h"
#include "claim/claim.h"

/* A row. Each text is one line of plain text, never NULL. */
struct headline {
    const struct claim_result *result; /* the claim: its id, paper, whole sentence (says), verdict, set-ups */
    const char *sentence;              /* the claim's key `short`; the whole sentence if the claim has no such key */
    const char *paper;   /* the printed value: "95.35 %", "<= 5 %", "this order", "stable"; "" if there is none */
    const char *ours;    /* the measured value: "97.94 %", "other order", "blew up"; for a bound, the largest or
                            smallest measured value, which decides; "" if nothing was measured */
    const char *verdict; /* verdict_name(result->verdict) */
    const char *clause;  /* the reason, which follows the verdict: "on node mass: in 44 of 55 set-ups", "worse than
                            printed, 67 % more", "the claim needs a GPU", "bob_3087 is a stand-in"; "" for none. The
                            numbers count likely set-ups. After "on unlikely values" they count possible set-ups, after
                            "on searched values" searched ones. After "on the reading" they are those of the reading
                            that holds most often */
};

struct headlines {
    struct headline *rows; /* in the order of the reports and of their claims; row r is shown with the number r + 1 */
    int count;
    struct pool pool; /* owns the texts of the rows that the reports do not own */
};

/* Make a row for each headline claim of some reports. If `all` is set, or if no claim is a headline, make a row for
 * each claim. The reports must outlive the rows. */
void headlines_of(const struct claim_report *reports, int count, bool all, struct headlines *out);
void headlines_free(struct headlines *headlines);

#endif
