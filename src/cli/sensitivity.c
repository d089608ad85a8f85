/* springback sensitivity: the assumptions swept, and which verdicts depend on them; springback verify: tables of sweeps
 * checked by running members again. */
#include "base/amount.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "cli/verb.h"
#include "run/sweep.h"
#include "sensitivity/sweeper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOISE_MEMBERS = 8 };

struct sensitivity_verb {
    struct selection selection;
    const char *claims, *sweeps, *scratch;
    int members, possible, search, sample, seed, seconds;
    bool json, quiet;
};

#define COMMON_OPTIONS                                                                                                 \
    {"sweeps",    0,                                                                                                   \
     "DIR",       "Folder of the tables of sweeps, DIR/<paper>/<experiment>.tsv.xz (data/sweeps)",                     \
     OPTION_TEXT, .field = offsetof(struct sensitivity_verb, sweeps)},                                                 \
        {"out",                                                                                                        \
         'o',                                                                                                          \
         "DIR",                                                                                                        \
         "Folder of this machine's results (out/<machine>); members run in DIR/<paper>/<experiment>/sensitivity/",     \
         OPTION_PATH,                                                                                                  \
         .field = offsetof(struct sensitivity_verb, selection.out)},                                                   \
    {                                                                                                                  \
        "quiet", 'q', NULL, "No progress, and no word of what is to be done", OPTION_FLAG,                             \
            .field = offsetof(struct sensitivity_verb, quiet)                                                          \
    }

static const struct verb_option options[] = {
    {"members", 'n', "N", "Likely set-ups to run, that with the values as taken among them: 2 to 9999 (64)",
     OPTION_WHOLE, .field = offsetof(struct sensitivity_verb, members), 2, MAX_SWEEP_MEMBERS - 1,
     "a whole number from 2 to 9999"},
    {"possible", 'p', "N", "Possible set-ups to run: 0 to 9999 (as many as likely ones)", OPTION_WHOLE,
     .field = offsetof(struct sensitivity_verb, possible), 0, MAX_SWEEP_MEMBERS - 1, "a whole number from 0 to 9999"},
    {"search", 0, "N",
     "For each claim that holds in none of them, run up to N more near those where it nearly holds: 0 to 9999 (0; a "
     "verdict `differs` needs 200)",
     OPTION_WHOLE, .field = offsetof(struct sensitivity_verb, search), 0, MAX_SWEEP_MEMBERS - 1,
     "a whole number from 0 to 9999"},
    {"shard", 0, "I/N",
     "Run every N-th set-up alone, the first of which is set-up I, and write no table; once all shards have ended, "
     "sensitivity without --shard makes the table of their set-ups",
     OPTION_OWN, .take = shard_take},
    {"claims", 'c', "FILE", "File of claims (paper_checks/<paper>.yaml, if it is there)", OPTION_TEXT,
     .field = offsetof(struct sensitivity_verb, claims)},
    {"scratch", 0, "DIR",
     "Members run in DIR/<paper>/<experiment>/sensitivity/, such as on a disk of the node; their numbers still go to "
     "--out",
     OPTION_PATH, .field = offsetof(struct sensitivity_verb, scratch)},
    {"json", 0, NULL, "Print one object a claim", OPTION_FLAG, .field = offsetof(struct sensitivity_verb, json)},
    COMMON_OPTIONS,
    {.name = NULL},
};

static const char doc[] =
    "Run experiment files with many combinations of the values that their paper does not state, and say of each claim "
    "in how many of them it holds. Members of the table are kept and not run again; an interrupted sweep goes on. The "
    "tier is full, the backend threads if the file has it, else its first, unless others are named."
    "\v"
    "Set-ups are points of Sobol's sequence in the likely and in the possible ranges of all assumptions; 8 more differ "
    "from the values as taken by rounding. `springback check` judges by the table. A claim only differs if no set-up "
    "of a search (--search 200) makes it true either. A search begins at the three set-ups in which the claim nearly "
    "holds, and runs batches of 25 for all claims at a time, nearer and nearer to the best so far.\n\n"
    "Example: what the strong push depends on\n"
    "  springback sensitivity experiments/va2022/strong-push.yaml --members 128 --search 200";

static void tell(const struct sweep_forecast *outlook) {
    char seconds[AMOUNT_SIZE];
    printf("%s: %d likely and %d possible set-ups of %d assumption%s, on %s, tier %s\n", outlook->experiment,
           outlook->members[MEMBER_LIKELY], outlook->members[MEMBER_POSSIBLE], outlook->assumptions,
           outlook->assumptions == 1 ? "" : "s", outlook->backend, outlook->tier);
    if (outlook->shards)
        printf("  shard %d of %d of them\n", outlook->shard, outlook->shards);
    if (outlook->skipped)
        printf("  %d of them cannot be run: their values do not go together\n", outlook->skipped);
    if (outlook->due)
        printf("  %d of %d runs to make, in about %s%s\n", outlook->due, outlook->runs,
               amount_seconds(outlook->seconds, seconds), outlook->rough ? " (rough)" : "");
    else
        printf("  nothing to run: the table has all %d runs\n", outlook->runs);
    fflush(stdout);
}

static void tell_search(int claims, int members) {
    printf("  %d claim%s in no set-up: a search runs at most %d others\n", claims, claims == 1 ? " holds" : "s hold",
           members);
    fflush(stdout);
}

static void check_set(void *out, struct argp_state *state) {
    const struct sensitivity_verb *verb = out;
    verb_check_set(out, state);
    if (verb->selection.shards && verb->search)
        argp_error(state, "--search is for the sweep of all set-ups, once its shards have ended");
    if (verb->selection.set.count && !verb->sweeps)
        argp_error(state, "--set alters the experiment; --sweeps DIR must name a folder of its own for the table");
}

static struct sweeper_options sweeper_options(const struct sensitivity_verb *verb) {
    return (struct sweeper_options){
        .plan = selection_plan_options(&verb->selection),
        .members = {verb->members, verb->possible < 0 ? verb->members : verb->possible, NOISE_MEMBERS},
        .shard = verb->selection.shard,
        .shards = verb->selection.shards,
        .search = verb->search,
        .out = results_folder(verb->selection.out),
        .scratch = verb->scratch,
        .sweeps = verb->sweeps ? verb->sweeps : DEFAULT_SWEEPS,
        .claims = verb->claims,
        .quiet = verb->quiet,
        .tell = verb->quiet || verb->json ? NULL : tell,
        .tell_search = verb->quiet || verb->json ? NULL : tell_search};
}

static int sweep_file(void *out, const char *file) {
    struct sensitivity_verb *verb = out;
    const struct sweeper_options how = sweeper_options(verb);
    AUTO(sweep_report_free) struct sweep_report report;
    int status = sweep(file, &how, &report);
    if (!status && !verb->selection.shards)
        (verb->json ? sweep_report_json : sweep_report_print)(&report, stdout);
    return status ? complain() : STATUS_OK;
}

const struct verb verb_sensitivity = {
    .arguments = "FILE...",
    .doc = doc,
    .options = options,
    .has_selection = true,
    .shard_words = (const char *const[]){"--quiet", "--search=0", NULL},
    .missing = "an experiment file must be named",
    .check = check_set,
    .size = sizeof(struct sensitivity_verb),
    .defaults = &(const struct sensitivity_verb){.selection.tier = "full", .members = 64, .possible = -1},
    .each = sweep_file};

/* ---- springback verify ---- */

static const struct verb_option verify_options[] = {
    {"sample", 'n', "N", "Members of each table to run again: 1 to 10000 (1)", OPTION_WHOLE,
     .field = offsetof(struct sensitivity_verb, sample), 1, MAX_SWEEP_MEMBERS, "a whole number from 1 to 10000"},
    {"seed", 0, "N", "Seed of the random choice of members (1)", OPTION_WHOLE,
     .field = offsetof(struct sensitivity_verb, seed), 0, 1e9, "a whole number from 0 to 1000000000"},
    {"seconds", 't', "N",
     "Run what is forecast to end within N seconds in all; the order of the tables is random (no limit)", OPTION_WHOLE,
     .field = offsetof(struct sensitivity_verb, seconds), 1, 1e6, "a whole number from 1 to 1000000"},
    COMMON_OPTIONS,
    {.name = NULL},
};

static bool has_table(const struct sweeper_options *how, const char *file) {
    AUTO_FREE char *name = plan_experiment_name(file), *path = sweep_path(how->sweeps, name);
    return file_exists(path);
}

static int verify_all(void *out) {
    struct sensitivity_verb *verb = out;
    struct sweeper_options how = sweeper_options(verb);
    const double begin = clock_now();
    int status = STATUS_OK, all = 0, tables = 0, compared = 0, differing = 0;
    AUTO_FREE const char **files = memory_new((size_t)verb->selection.files.count + 1, sizeof *files);
    for (int f = 0; f < verb->selection.files.count; ++f)
        if (has_table(&how, verb->selection.files.words[f]))
            files[all++] = verb->selection.files.words[f];
    if (!all) {
        fail("%s: there is no table of a sweep over these experiments; springback sensitivity makes one", how.sweeps);
        return complain();
    }
    sweep_shuffle(files, (size_t)all, sizeof *files, (unsigned long)verb->seed);
    for (int f = 0; f < all && !(verb->seconds && clock_now() - begin > verb->seconds); ++f) {
        int here, differing_here;
        if (verb->seconds)
            how.seconds = fmax(verb->seconds - (clock_now() - begin), 0.001);
        if (sweep_verify(files[f], &how, verb->sample, (unsigned long)verb->seed + (unsigned)f, &here, &differing_here))
            status = complain();
        else if (differing_here)
            complain();
        if (here < 0) {
            if (!verb->quiet)
                printf("%s: left out, because the members would take longer than is left\n", files[f]);
            continue;
        }
        if (!here)
            continue; /* which has been complained of */
        if (!verb->quiet || all == 1)
            printf("%s: %d of %d members that were run again are bit-identical to the table\n", files[f],
                   here - differing_here, here);
        compared += here;
        differing += differing_here;
        ++tables;
    }
    printf("%d members of %d of %d tables were run again; %d are bit-identical", compared, tables, all,
           compared - differing);
    if (compared >= ENOUGH_MEMBERS && !differing)
        printf(", so with 95 %% confidence at least 95 %% of all members are right");
    printf("\n");
    return status ? status : differing ? STATUS_CHANGED : STATUS_OK;
}

const struct verb verb_verify = {
    .arguments = "FILE...",
    .doc = "Run random members of the tables of sweeps again, and compare their states to the bit, and their numbers, "
           "with the tables. "
           "Exit code 1 if a member differs."
           "\vExample: one member of each table of a paper\n"
           "  springback verify experiments/va2022/*.yaml",
    .options = verify_options,
    .has_selection = true,
    .missing = "an experiment file must be named",
    .size = sizeof(struct sensitivity_verb),
    .defaults = &(const struct sensitivity_verb){.selection.tier = "full", .members = 2, .sample = 1, .seed = 1},
    .run = verify_all};
