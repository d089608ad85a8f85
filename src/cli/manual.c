/* springback manual: the reference of the experiment file, from the tables that the program itself goes by. */
#include "backend/backend.h"
#include "cli/verb.h"
#include "method/method.h"

#include <stdio.h>

static int print_manual(void *out) {
    (void)out;
    AUTO_FREE char *manual = plan_manual(method_table, backend_words);
    fputs(manual, stdout);
    return STATUS_OK;
}

const struct verb verb_manual = {.doc = "Print the reference of the experiment file, as Markdown."
                                        "\vExample: what a method's keys are\n"
                                        "  springback manual | grep -A 20 'method: xpbd$'",
                                 .options = &(const struct verb_option){.name = NULL},
                                 .run = print_manual};
