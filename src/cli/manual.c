/* springback manual: print the reference of the experiment file and of the quantities, from the tables that the program
 * itself uses. */
#include "backend/backend.h"
#include "claim/quantity_list.h"
#include "cli/verb.h"
#include "method/method.h"

#include <stdio.h>

static int print_manual(void *out) {
    (void)out;
    AUTO_FREE char *manual = plan_manual(method_table, backend_words), *quantities = quantity_manual();
    printf("%s%s", manual, quantities);
    return STATUS_OK;
}

const struct verb verb_manual = {.doc = "Print the reference of the experiment file and of the quantities, as Markdown."
                                        "\vExample: the keys of a method\n"
                                        "  springback manual | grep -A 20 'method: xpbd$'",
                                 .options = &(const struct verb_option){.name = NULL},
                                 .run = print_manual};
