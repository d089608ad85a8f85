/* The list of all quantities, with the methods that record them; for the manual and for messages. */
#ifndef SPRINGBACK_CLAIM_QUANTITY_LIST_H
#define SPRINGBACK_CLAIM_QUANTITY_LIST_H

extern const char inner_speed[]; /* "inner_speed", the name of a quantity (quantity.h) */

/* The chapter of the reference manual on quantities, as Markdown. Newly allocated. */
char *quantity_manual(void);

/* An error message for an unknown quantity, with the nearest name and the list of names; NULL if a run may have the
 * quantity. Newly allocated. */
char *quantity_refusal(const char *name);

/* The methods that record a series, separated by ", "; "all" if all methods do; "" if no method does. Newly
 * allocated. */
char *quantity_methods(const char *name);

#endif
