/* springback list: the experiments of a folder. */
#include "base/json.h"
#include "base/memory.h"
#include "cli/verb.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list_verb {
    struct words folders;
    bool json;
};

enum { KEY_JSON = 256 };

static const struct argp_option options[] = {
    {"json", KEY_JSON, 0, 0, "Print one object an experiment", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct list_verb *verb = state->input;
    switch (key) {
    case KEY_JSON:
        verb->json = true;
        return 0;
    case ARGP_KEY_ARG:
        words_add(&verb->folders, argument);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_json(const struct plan *plan) {
    const struct experiment *experiment = &plan->experiment;
    json_t *shows = json_array();
    for (int s = 0; s < experiment->shows_count; ++s)
        json_array_append_new(shows, json_text(experiment->shows[s]));
    json_print(json_pack("{so so so so si so}", "experiment", json_text(experiment->name), "file",
                         json_text(experiment->file), "paper", json_text(experiment->paper), "title",
                         json_text(experiment->title), "runs", plan->run_count, "shows", shows),
               stdout);
}

static void print_line(const struct plan *plan, int width) {
    const struct experiment *experiment = &plan->experiment;
    printf("%-*s %4d runs  %s", width, experiment->name, plan->run_count, experiment->title);
    for (int s = 0; s < experiment->shows_count; ++s)
        printf("%s%s", s ? ", " : " (", experiment->shows[s]);
    printf("%s\n", experiment->shows_count ? ")" : "");
}

/* The longest name's columns. */
static int width_of(const glob_t *found) {
    int width = 0;
    for (size_t f = 0; f < found->gl_pathc; ++f) {
        char *name = plan_experiment_name(found->gl_pathv[f]);
        const int length = (int)strlen(name);
        width = length > width ? length : width;
        free(name);
    }
    return width;
}

static int list_folder(const struct list_verb *verb, const char *folder) {
    glob_t found = {0};
    char *pattern = text_format("%s/*/*.yaml", folder);
    int status = STATUS_OK;
    if (glob(pattern, 0, NULL, &found))
        status = fail("%s: no experiment files (%s)", folder, pattern);
    free(pattern);
    const struct selection all = {.tier = NULL};
    const int width = width_of(&found);
    for (size_t f = 0; f < found.gl_pathc; ++f) {
        struct plan plan;
        if (selection_plan(&all, found.gl_pathv[f], &plan)) {
            status = STATUS_BAD;
            continue;
        }
        if (verb->json)
            print_json(&plan);
        else
            print_line(&plan, width);
        plan_free(&plan);
    }
    globfree(&found);
    return status;
}

int verb_list(int count, char **words) {
    struct list_verb verb = {.json = false};
    const struct argp argp = {options,
                              parse,
                              "[FOLDER...]",
                              "List the experiments of a folder (experiments/), with their runs and what they show."
                              "\vExample: those that serve figure 7\n"
                              "  springback list experiments | grep fig7",
                              NULL,
                              NULL,
                              NULL};
    int status = verb_parse(&argp, count, words, &verb);
    if (status >= 0)
        return status;
    status = STATUS_OK;
    if (!verb.folders.count)
        words_add(&verb.folders, "experiments");
    for (int f = 0; f < verb.folders.count; ++f)
        if (list_folder(&verb, verb.folders.words[f]))
            status = STATUS_BAD;
    words_free(&verb.folders);
    return status ? complain() : STATUS_OK;
}
