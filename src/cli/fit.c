/* springback fit: what of a paper can hold together. */
#include "claim/fit.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/verb.h"
#include "run/sweep.h"

#include <stdio.h>
#include <string.h>

struct fit_verb {
    struct words papers;
    const char *sweeps, *experiments, *output;
    bool json;
};

static const struct verb_option options[] = {
    {"sweeps", 0, "DIR", "Folder of the tables of sweeps, DIR/<paper>/<experiment>.tsv.xz (data/sweeps)", OPTION_TEXT,
     .field = offsetof(struct fit_verb, sweeps)},
    {"experiments", 'e', "DIR",
     "Folder of the experiments' files; a table that is not of its file as it is now is left out (experiments)",
     OPTION_TEXT, .field = offsetof(struct fit_verb, experiments)},
    {"output", 'o', "FILE", "Write a shell script that runs all experiments in the best set-up", OPTION_PATH,
     .field = offsetof(struct fit_verb, output)},
    {"json", 0, NULL, "Print one object a paper", OPTION_FLAG, .field = offsetof(struct fit_verb, json)},
    {.name = NULL},
};

static void check_papers(void *out, struct argp_state *state) {
    const struct fit_verb *verb = out;
    if (verb->output && verb->papers.count != 1)
        argp_error(state, "--output takes one paper");
}

static int fit_paper(void *out, const char *paper) {
    const struct fit_verb *verb = out;
    const size_t length = strlen(paper);
    const bool is_file = length > 5 && !strcmp(paper + length - 5, ".yaml");
    AUTO_FREE char *file = is_file ? text_copy(paper) : text_format("paper_checks/%s.yaml", paper);
    AUTO(claim_file_free) struct claim_file claims;
    AUTO(member_sets_free) struct member_sets sets = {.folder = verb->sweeps, .experiments = verb->experiments};
    AUTO(fit_free) struct fit fit = {.count = 0};
    int status = claim_file_read(file, &claims);
    status = status ? status : fit_make(&claims, &sets, &fit);
    if (!status && !fit.count)
        status = fail("%s: no current sweep below %s judges a claim of this paper; springback sensitivity makes one",
                      file, verb->sweeps);
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
    .doc = "Say which headline and result claims of a paper can hold together: the set-up in which most of them hold, "
           "the claims that hold in none, and the pairs that each hold somewhere but never together. A set-up has the "
           "same values of the assumptions that the paper's experiments share, is admissible in all, and comes from "
           "the tables of sweeps. "
           "PAPER is a paper's name or its file of claims."
           "\vThe script of --output runs the experiments in out/fit/<paper> and judges the claims there.\n\n"
           "Example: the set-up that is kindest to va2023\n"
           "  springback fit va2023 --output fit.sh",
    .options = options,
    .missing = "a paper must be named",
    .check = check_papers,
    .size = sizeof(struct fit_verb),
    .defaults = &(const struct fit_verb){.sweeps = DEFAULT_SWEEPS, .experiments = "experiments"},
    .each = fit_paper};
