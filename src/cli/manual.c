/* springback manual: the reference of the experiment file, from the tables that it is checked against. */
#include "cli/verb.h"
#include "method/method.h"

#include <stdio.h>

static void put(void *context, const char *text) {
    fputs(text, context);
}

int verb_manual(int count, char **words) {
    const struct argp argp = {NULL, NULL, NULL, "Print the reference manual of the experiment file, as Markdown.",
                              NULL, NULL, NULL};
    int status = verb_parse(&argp, count, words, NULL);
    if (status >= 0)
        return status;
    plan_write_manual(method_table, put, stdout);
    return STATUS_OK;
}
