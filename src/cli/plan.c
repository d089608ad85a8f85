/* springback plan: what would run, and what is assumed. */
#include "cli/verb.h"
#include "run/simulation.h"

#include <stdio.h>

static void print_assumption(const struct assumption *a) {
    printf("    %s = %s", a->field->path, a->value.text);
    if (a->value.count)
        printf(", plausible from %s to %s", a->low.text, a->high.text);
    printf("\n        %s\n", a->why);
}

static int plan_file(const struct selection *selection, const char *file) {
    struct plan plan;
    if (selection_plan(selection, file, &plan))
        return complain();
    const struct experiment *experiment = &plan.experiment;
    printf("%s: %s\n", experiment->name, experiment->title);
    if (experiment->assumption_count)
        printf("  assumed:\n");
    for (int a = 0; a < experiment->assumption_count; ++a)
        print_assumption(&experiment->assumptions[a]);
    printf("  %d runs:\n", plan.run_count);
    for (int r = 0; r < plan.run_count; ++r) {
        struct model model;
        model_describe(&plan.runs[r], &model);
        printf("    %-52s %8d nodes %9ld springs  %7.0f frames of %.0f steps\n", plan.runs[r].id, model.body.nodes,
               model.body.springs, run_number(&plan.runs[r], "time.frames", 0),
               run_number(&plan.runs[r], "time.steps_per_frame", 0));
        model_free(&model);
    }
    plan_free(&plan);
    return STATUS_OK;
}

int verb_plan(int count, char **words) {
    struct selection selection = {.tier = NULL};
    const struct argp argp = {selection_options,
                              selection_parse,
                              "FILE...",
                              "Say what would run, and what is assumed. Nothing is run.",
                              NULL,
                              NULL,
                              NULL};
    int status = verb_parse(&argp, count, words, &selection);
    if (status >= 0)
        return status;
    status = STATUS_OK;
    for (int f = 0; f < selection.files.count; ++f)
        if (plan_file(&selection, selection.files.words[f]))
            status = STATUS_BAD;
    selection_free(&selection);
    return status;
}
