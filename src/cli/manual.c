/* springback manual: the reference of the experiment file, from the tables that the program itself goes by. */
#include "backend/backend.h"
#include "cli/verb.h"
#include "method/method.h"

#include <stdio.h>

int verb_manual(int count, char **words) {
    const struct verb_option none = {.name = NULL};
    const struct verb how = {.doc = "Print the reference of the experiment file, as Markdown."
                                    "\vExample: what a method's keys are\n"
                                    "  springback manual | grep -A 20 'method: xpbd$'",
                             .options = &none};
    const int status = verb_parse(&how, count, words, NULL);
    if (status >= 0)
        return status;
    AUTO_FREE char *manual = plan_manual(method_table, backend_words);
    fputs(manual, stdout);
    return STATUS_OK;
}
