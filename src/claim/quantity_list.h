/* What quantities there are, by method: for the manual, and for whoever misspells one. */
#ifndef SPRINGBACK_CLAIM_QUANTITY_LIST_H
#define SPRINGBACK_CLAIM_QUANTITY_LIST_H

extern const char inner_speed[]; /* the name of this quantity */

/* The reference's chapter on quantities, as Markdown. Newly allocated. */
char *quantity_manual(void);

/* Why a claim cannot name this as its quantity, with the nearest name and the list; NULL if some run may have it. Newly
 * allocated. */
char *quantity_refusal(const char *name);

/* The methods that record a series, with ", " between; "all", or "" if none does. Newly allocated. */
char *quantity_methods(const char *name);

#endif
