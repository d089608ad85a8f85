/* springback manual: the reference of the experiment file and the manual pages, from the tables that the program itself
 * goes by. */
#include "cli/manual.h"
#include "backend/backend.h"
#include "method/method.h"

#include <string.h>

static void put(void *context, const char *text) {
    fputs(text, context);
}

static void reference(FILE *out) {
    plan_write_manual(method_table, backend_words, put, out);
}

static const struct {
    const char *option, *value;
    void (*write)(FILE *out);
} forms[] = {{"man", "1", man_page_command}, {"man", "5", man_page_file}, {"completion", "bash", completion_bash}};

enum { KEY_MAN = 256, KEY_COMPLETION };

static const struct argp_option options[] = {
    {"man", KEY_MAN, "SECTION", OPTION_ARG_OPTIONAL,
     "Print a manual page for man: 1 (the default), of the command; 5, of the experiment file", 0},
    {"completion", KEY_COMPLETION, "SHELL", 0, "Print completion for a shell: bash", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    if (key != KEY_MAN && key != KEY_COMPLETION)
        return ARGP_ERR_UNKNOWN;
    const char *option = key == KEY_MAN ? "man" : "completion", *value = argument ? argument : "1";
    for (size_t f = 0; f < sizeof forms / sizeof *forms; ++f)
        if (!strcmp(forms[f].option, option) && !strcmp(forms[f].value, value)) {
            *(void (**)(FILE *))state->input = forms[f].write;
            return 0;
        }
    argp_error(state, "--%s takes %s; '%s' is not known", option, key == KEY_MAN ? "1 or 5" : "bash", value);
    return EINVAL;
}

int verb_manual(int count, char **words) {
    void (*write)(FILE * out) = reference;
    const struct argp argp = {options,
                              parse,
                              NULL,
                              "Print the reference of the experiment file, as Markdown, or another part of the manual."
                              "\vExample: read the manual page of an uninstalled springback\n"
                              "  springback manual --man | man -l -",
                              NULL,
                              NULL,
                              NULL};
    int status = verb_parse(&argp, count, words, &write);
    if (status >= 0)
        return status;
    write(stdout);
    return STATUS_OK;
}
