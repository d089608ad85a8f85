/* springback sensitivity: the assumptions swept, and which verdicts hang on them. */
#include "base/amount.h"
#include "base/memory.h"
#include "cli/verb.h"
#include "run/sweep.h"
#include "sensitivity/sweeper.h"

#include <stdio.h>
#include <stdlib.h>

struct sensitivity_verb {
    struct selection selection;
    const char *claims;
    int members;
    bool json, quiet;
};

static const struct verb_option options[] = {
    {"members", 'n', "N", "Points of the ranges to run, the values as taken among them: 2 to 10000 (64)", OPTION_WHOLE,
     .field = offsetof(struct sensitivity_verb, members), 2, MAX_SWEEP_MEMBERS, "a whole number from 2 to 10000"},
    {"out", 'o', "DIR",
     "Folder of this machine's results (out/<host>); the traces go to DIR/<paper>/<experiment>/sensitivity/",
     OPTION_PATH, .field = offsetof(struct sensitivity_verb, selection.out)},
    {"claims", 'c', "FILE", "File of claims (paper_checks/<paper>.yaml, if it is there)", OPTION_TEXT,
     .field = offsetof(struct sensitivity_verb, claims)},
    {"json", 0, NULL, "Print one object a claim", OPTION_FLAG, .field = offsetof(struct sensitivity_verb, json)},
    {"quiet", 'q', NULL, "No progress, and no word of what is to be done", OPTION_FLAG,
     .field = offsetof(struct sensitivity_verb, quiet)},
    {.name = NULL},
};

static const char doc[] =
    "Run experiment files at many points of the ranges of all their assumptions at once, and say of each claim in what "
    "share of them it holds, and on which assumption that hangs most. The tier is quick, the backend threads if the "
    "file has it, else its first, unless others are named. A sweep always goes on where it was: what is up to date is "
    "not "
    "run again, and more members are added to those that there are."
    "\v"
    "Member 0 is the values as taken; the others are points of Sobol's sequence, a range from LOW to ten times LOW or "
    "more in its logarithm. `springback check` uses the sweep as well: a verdict that under 95 % of the members agree "
    "with is sensitive. OUT/<paper>/<experiment>/sensitivity.tsv is a table of all members.\n\n"
    "Example: what the strong push hangs on\n"
    "  springback sensitivity experiments/va2022/strong-push.yaml --members 128";

static void tell(const struct sweep_outlook *outlook) {
    char seconds[AMOUNT_SIZE];
    printf("%s: %d members over the ranges of %d assumption%s, on %s, tier %s\n", outlook->experiment, outlook->members,
           outlook->assumptions, outlook->assumptions == 1 ? "" : "s", outlook->backend, outlook->tier);
    if (outlook->skipped)
        printf("  %d of them passed over: their values do not go together\n", outlook->skipped);
    if (outlook->due)
        printf("  %d of %d runs to make, in about %s%s\n", outlook->due, outlook->runs,
               amount_seconds(outlook->seconds, seconds), outlook->rough ? " (rough)" : "");
    else
        printf("  nothing to run: all %d runs are up to date\n", outlook->runs);
    fflush(stdout);
}

static int sweep_file(void *out, const char *file) {
    struct sensitivity_verb *verb = out;
    const struct sweeper_options how = {.plan = selection_plan_options(&verb->selection),
                                        .members = verb->members,
                                        .out = results_folder(verb->selection.out),
                                        .claims = verb->claims,
                                        .quiet = verb->quiet,
                                        .tell = verb->quiet || verb->json ? NULL : tell};
    AUTO(sweep_report_free) struct sweep_report report;
    int status = sweep(file, &how, &report);
    if (!status)
        (verb->json ? sweep_report_json : sweep_report_print)(&report, stdout);
    return status ? complain() : STATUS_OK;
}

const struct verb verb_sensitivity = {.arguments = "FILE...",
                                      .doc = doc,
                                      .options = options,
                                      .has_selection = true,
                                      .missing = "an experiment file must be named",
                                      .check = verb_check_set,
                                      .size = sizeof(struct sensitivity_verb),
                                      .defaults =
                                          &(const struct sensitivity_verb){.selection.tier = "quick", .members = 64},
                                      .each = sweep_file};
