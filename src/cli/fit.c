/* springback fit: find which claims of a paper can be true together. */
#include "claim/fit.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/project.h"
#include "cli/verb.h"
#include "run/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef SPRINGBACK_SWEEP
#include "sensitivity/fit_search.h"
#endif

struct fit_verb {
    struct words papers;
    const char *sweeps, *experiments, *output, *out;
    int search, seconds;
    bool json, quiet;
};

static const struct verb_option options[] = {
    {"sweeps", 0, "DIR", "Folder of the tables of sweeps, DIR/<paper>/<experiment>.tsv.xz (default: data/sweeps)",
     OPTION_TEXT, .field = offsetof(struct fit_verb, sweeps)},
    {"experiments", 'e', "DIR",
     "Folder of the experiment files (default: experiments). A table is ignored if it was made from an older version "
     "of its experiment file",
     OPTION_TEXT, .field = offsetof(struct fit_verb, experiments)},
    {"output", 'o', "FILE", "Write a shell script that runs all experiments in the best set-up", OPTION_PATH,
     .field = offsetof(struct fit_verb, output)},
#ifdef SPRINGBACK_SWEEP
    {"search", 0, "N",
     "Run up to N more set-ups near the best one, to find one in which more claims are true: 0 to 9999 (default: 0). "
     "These set-ups are stored in the tables as searched members",
     OPTION_WHOLE, .field = offsetof(struct fit_verb, search), 0, MAX_SWEEP_MEMBERS - 1,
     "a whole number from 0 to 9999"},
    {"seconds", 't', "N",
     "Run an experiment in the search only if the forecast for one member is at most N seconds (default: 10). The "
     "other experiments keep the values that they have in the best set-up",
     OPTION_WHOLE, .field = offsetof(struct fit_verb, seconds), 0, 1e6, "a whole number from 0 to 1000000"},
    {"out", 0, "DIR",
     "Folder of this machine's results (default: out/<machine>). Members run in DIR/<paper>/<experiment>/sensitivity/",
     OPTION_PATH, .field = offsetof(struct fit_verb, out)},
    {"quiet", 'q', NULL, "Print no progress", OPTION_FLAG, .field = offsetof(struct fit_verb, quiet)},
#endif
    {"json", 0, NULL, "Print one JSON object per paper", OPTION_FLAG, .field = offsetof(struct fit_verb, json)},
    {.name = NULL},
};

static void check_papers(void *out, struct argp_state *state) {
    const struct fit_verb *verb = out;
    if (verb->output && verb->papers.count != 1)
        argp_error(state, "--output needs exactly one paper");
}

#ifdef SPRINGBACK_SWEEP
/* Search near the best set-up for a better one. The fit is then made again from the new tables. */
static int search(const struct fit_verb *verb, const char *file, struct fit *fit) {
    struct claim_file *claims = fit->claims;
    struct member_sets *sets = fit->sets;
    const struct fit_search_options how = {.runs = verb->search,
                                           .seconds = verb->seconds,
                                           .claims = file,
                                           .experiments = verb->experiments,
                                           .sweeps = verb->sweeps,
                                           .out = results_folder(verb->out),
                                           .quiet = verb->quiet};
    if (fit->best < 0)
        return fail("%s: no set-up is admissible in all experiments", file);
    const int before = fit->setups[fit->best].holding;
    struct fit_found found;
    int status = fit_search(fit, &how, &found);
    fit_free(fit);
    member_sets_free(sets);
    *sets = (struct member_sets){.folder = verb->sweeps, .experiments = verb->experiments};
    status = status ? status : fit_make(claims, sets, fit);
    if (!status && !verb->json)
        printf("%s: a search of %d set-ups varied %d of %d experiments; in the best set-up, %d more claims are true "
               "together\n",
               claims->paper, found.runs, found.moved, fit->experiment_count, fit->setups[fit->best].holding - before);
    return status;
}
#endif

static int fit_paper(void *out, const char *paper) {
    struct fit_verb *verb = out;
    const bool is_file = text_ends(paper, ".yaml");
    AUTO_FREE char *file = is_file ? text_copy(paper) : text_format("%s/%s.yaml", project_path("paper_checks"), paper);
    AUTO(claim_file_free) struct claim_file claims;
    verb->sweeps = project_path(verb->sweeps);
    verb->experiments = project_path(verb->experiments);
    AUTO(member_sets_free) struct member_sets sets = {.folder = verb->sweeps, .experiments = verb->experiments};
    AUTO(fit_free) struct fit fit = {.count = 0};
    int status = claim_file_read(file, &claims);
    status = status ? status : fit_make(&claims, &sets, &fit);
    if (!status && !fit.count)
        status = fail("%s: no up-to-date sweep below %s judges a claim of this paper; springback sensitivity makes one",
                      file, verb->sweeps);
#ifdef SPRINGBACK_SWEEP
    if (!status && verb->search)
        status = search(verb, file, &fit);
#endif
    if (!status && verb->json)
        json_print(fit_json(&fit), stdout);
    else if (!status)
        fit_print(&fit, stdout);
    if (!status && verb->output) {
        AUTO_FREE char *script = fit.best < 0 ? NULL : fit_script(&fit, file);
        status = script ? file_write_if_changed(verb->output, script)
                        : fail("%s: no set-up is admissible in all experiments", file);
    }
    return status ? complain() : STATUS_OK;
}

const struct verb verb_fit = {
    .arguments = "PAPER...",
    .doc = "Find which headline and result claims of a paper can be true together. The output has the set-up with the "
           "largest number of true claims, and the claims that are true in no set-up. The output also has the pairs of "
           "claims that exclude each other: each is true in some set-up, but never both together. A set-up comes from "
           "the "
           "tables of sweeps, has the same values for the assumptions that the paper's experiments share, and is "
           "admissible in all experiments. PAPER is a paper's name or its file of claims."
           "\v"
           "A search draws batches of 25 set-ups around the best one so far. All experiments that run have the same "
           "values of the assumptions that they share; experiments that take too long (--seconds) keep their values. "
           "If the same search is made again, it runs nothing and finds the same set-up.\n\n"
           "The script of --output runs the experiments in out/fit/<paper> and judges the claims there.\n\n"
           "Example: the best set-up for va2023\n"
           "  springback fit va2023 --output fit.sh",
    .options = options,
    .missing = "no paper given",
    .check = check_papers,
    .size = sizeof(struct fit_verb),
    .defaults = &(const struct fit_verb){.sweeps = DEFAULT_SWEEPS, .experiments = "experiments", .seconds = 10},
    .each = fit_paper};
