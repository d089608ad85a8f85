/* springback list: the experiments of a folder. */
#include "base/memory.h"
#include "cli/verb.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

static error_t parse(int key, char *argument, struct argp_state *state) {
    if (key == ARGP_KEY_ARG)
        words_add(state->input, argument);
    return key == ARGP_KEY_ARG ? 0 : ARGP_ERR_UNKNOWN;
}

static int list_folder(const char *folder) {
    glob_t found = {0};
    char *pattern = text_format("%s/*/*.yaml", folder);
    int status = STATUS_OK;
    if (glob(pattern, 0, NULL, &found))
        status = fail("%s: no experiment files (%s)", folder, pattern);
    free(pattern);
    const struct selection all = {.tier = NULL};
    for (size_t f = 0; f < found.gl_pathc; ++f) {
        struct plan plan;
        if (selection_plan(&all, found.gl_pathv[f], &plan)) {
            status = STATUS_BAD;
            continue;
        }
        printf("%-28s %4d runs  %s", plan.experiment.name, plan.run_count, plan.experiment.title);
        for (int s = 0; s < plan.experiment.shows_count; ++s)
            printf("%s%s", s ? ", " : " (", plan.experiment.shows[s]);
        printf("%s\n", plan.experiment.shows_count ? ")" : "");
        plan_free(&plan);
    }
    globfree(&found);
    return status;
}

int verb_list(int count, char **words) {
    struct words folders = {NULL, 0};
    const struct argp argp = {NULL,
                              parse,
                              "[FOLDER...]",
                              "List the experiments of a folder (experiments/), with their runs and what they show."
                              "\vExample: those that serve figure 7\n"
                              "  springback list experiments | grep fig7",
                              NULL,
                              NULL,
                              NULL};
    int status = verb_parse(&argp, count, words, &folders);
    if (status >= 0)
        return status;
    status = STATUS_OK;
    if (!folders.count)
        words_add(&folders, "experiments");
    for (int f = 0; f < folders.count; ++f)
        if (list_folder(folders.words[f]))
            status = STATUS_BAD;
    words_free(&folders);
    return status ? complain() : STATUS_OK;
}
