/* springback sensitivity: sweep the assumptions, and find which verdicts depend on them. springback verify: check
 * tables of sweeps by running members again. */
#include "base/amount.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/project.h"
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
     "DIR",       "Folder of the tables of sweeps, DIR/<paper>/<experiment>.tsv.xz (default: data/sweeps)",            \
     OPTION_TEXT, .field = offsetof(struct sensitivity_verb, sweeps)},                                                 \
        {"out",                                                                                                        \
         'o',                                                                                                          \
         "DIR",                                                                                                        \
         "Folder of results (default: out/<machine>); members run in DIR/<paper>/<experiment>/sensitivity/",           \
         OPTION_PATH,                                                                                                  \
         .field = offsetof(struct sensitivity_verb, selection.out)},                                                   \
    {                                                                                                                  \
        "quiet", 'q', NULL, "Print no progress and no forecast", OPTION_FLAG,                                          \
            .field = offsetof(struct sensitivity_verb, quiet)                                                          \
    }

static const struct verb_option options[] = {
    {"members", 'n', "N", "Likely set-ups to run, including the chosen values: 2 to 9999 (default: 64)", OPTION_WHOLE,
     .field = offsetof(struct sensitivity_verb, members), 2, MAX_SWEEP_MEMBERS - 1, "a whole number from 2 to 9999"},
    {"possible", 'p', "N", "Possible set-ups to run: 0 to 9999 (default: as many as likely ones)", OPTION_WHOLE,
     .field = offsetof(struct sensitivity_verb, possible), 0, MAX_SWEEP_MEMBERS - 1, "a whole number from 0 to 9999"},
    {"search", 0, "N",
     "Run up to N more set-ups for each claim that is true in no likely or possible set-up: 0 to 9999 (default: 0). "
     "These set-ups are near those in which the claim is almost true. The verdict `differs` needs an N of at least 200",
     OPTION_WHOLE, .field = offsetof(struct sensitivity_verb, search), 0, MAX_SWEEP_MEMBERS - 1,
     "a whole number from 0 to 9999"},
    {"shard", 0, "I/N",
     "Run only every N-th set-up, starting with set-up I, and write no table. When all shards have ended, `springback "
     "sensitivity` without --shard writes the table of their set-ups",
     OPTION_OWN, .take = shard_take},
    {"claims", 'c', "FILE", "File of claims (default: paper_checks/<paper>.yaml, if it exists)", OPTION_TEXT,
     .field = offsetof(struct sensitivity_verb, claims)},
    {"scratch", 0, "DIR",
     "Run members in DIR/<paper>/<experiment>/sensitivity/, for example on a local disk. Their numbers are still "
     "written below the folder of --out",
     OPTION_PATH, .field = offsetof(struct sensitivity_verb, scratch)},
    {"json", 0, NULL, "Print one JSON object per claim", OPTION_FLAG, .field = offsetof(struct sensitivity_verb, json)},
    COMMON_OPTIONS,
    {.name = NULL},
};

static const char doc[] =
    "Run experiment files with many combinations of the values that their paper does not state (set-ups), and print "
    "for each claim in how many set-ups it is true. Set-ups that the table has are not run again; an interrupted sweep "
    "resumes. By default, the tier is full, and the backend is threads if the file has it, otherwise the file's first "
    "backend."
    "\v"
    "Set-ups are points of Sobol's sequence in the likely and in the possible ranges of all assumptions. 8 noise "
    "members have the chosen values, but starting positions that differ by a rounding error. `springback check` judges "
    "by the table. A claim gets the verdict `differs` only if it is also false in all set-ups of a search (--search "
    "200). A search runs batches of set-ups: up to 25 for each claim, near the three known set-ups in which the claim "
    "is closest to true. After a batch without a better set-up for a claim, the next set-ups for this claim are nearer "
    "to these three.\n\n"
    "Example: what the strong push depends on\n"
    "  springback sensitivity experiments/va2022/strong-push.yaml --members 128 --search 200";

static void print_forecast(const struct sweep_forecast *forecast) {
    char seconds[AMOUNT_SIZE];
    printf("%s: %d likely and %d possible set-ups of %d assumption%s, on %s, tier %s\n", forecast->experiment,
           forecast->members[MEMBER_LIKELY], forecast->members[MEMBER_POSSIBLE], forecast->assumptions,
           forecast->assumptions == 1 ? "" : "s", forecast->backend, forecast->tier);
    if (forecast->shards)
        printf("  this is shard %d of %d\n", forecast->shard, forecast->shards);
    if (forecast->skipped)
        printf("  %d of the set-ups cannot run: their values cannot be combined\n", forecast->skipped);
    if (forecast->due)
        printf("  %d of %d runs must be done; this takes about %s%s\n", forecast->due, forecast->runs,
               amount_seconds(forecast->seconds, seconds), forecast->rough ? " (rough)" : "");
    else
        printf("  nothing to run: the table has all %d runs\n", forecast->runs);
    fflush(stdout);
}

static void print_search(int claims, int members) {
    printf("  %d claim%s true in no set-up: a search runs at most %d more set-ups\n", claims,
           claims == 1 ? " is" : "s are", members);
    fflush(stdout);
}

static void check_set(void *out, struct argp_state *state) {
    const struct sensitivity_verb *verb = out;
    verb_check_set(out, state);
    if (verb->selection.shards && verb->search)
        argp_error(state, "--search cannot be combined with --shard; use --search after all shards have ended");
    if (verb->selection.set.count && !verb->sweeps)
        argp_error(state, "--set changes the experiment; use --sweeps DIR with a separate folder for the table");
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
        .report = verb->quiet || verb->json ? NULL : print_forecast,
        .report_search = verb->quiet || verb->json ? NULL : print_search};
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
    .missing = "no experiment file given",
    .check = check_set,
    .size = sizeof(struct sensitivity_verb),
    .defaults = &(const struct sensitivity_verb){.selection.tier = "full", .members = 64, .possible = -1},
    .each = sweep_file};

/* ---- springback verify ---- */

static const struct verb_option verify_options[] = {
    {"sample", 'n', "N", "Members of each table to run again: 1 to 10000 (default: 1)", OPTION_WHOLE,
     .field = offsetof(struct sensitivity_verb, sample), 1, MAX_SWEEP_MEMBERS, "a whole number from 1 to 10000"},
    {"seed", 0, "N", "Seed of the random choice of members (default: 1)", OPTION_WHOLE,
     .field = offsetof(struct sensitivity_verb, seed), 0, 1e9, "a whole number from 0 to 1000000000"},
    {"seconds", 't', "N",
     "Skip a table if its members to run again are forecast to take longer than what is left of N seconds. The order "
     "of the tables is random (default: no limit)",
     OPTION_WHOLE, .field = offsetof(struct sensitivity_verb, seconds), 1, 1e6, "a whole number from 1 to 1000000"},
    COMMON_OPTIONS,
    {.name = NULL},
};

static bool has_table(const struct sweeper_options *how, const char *file) {
    AUTO_FREE char *name = plan_experiment_name(file), *path = sweep_path(how->sweeps, name);
    return file_exists(path);
}

static void print_runs(const struct sweep_forecast *forecast) {
    char seconds[AMOUNT_SIZE];
    printf("%s: repeating %d runs; this takes about %s%s\n", forecast->experiment, forecast->due,
           amount_seconds(forecast->seconds, seconds), forecast->rough ? " (rough)" : "");
    fflush(stdout);
}

static void print_result(const char *file, const struct verify_result *result, double seconds_left) {
    char needed[AMOUNT_SIZE], left[AMOUNT_SIZE];
    switch (result->skip) {
    case VERIFY_NOT_SKIPPED:
        printf("%s: %d of %d members that were run again are bit-identical to the table\n", file,
               result->compared - result->differing, result->compared);
        break;
    case VERIFY_TOO_LONG:
        printf("%s: skipped, because the members to run again would take about %s, but only %s are left\n", file,
               amount_seconds(result->seconds, needed), amount_seconds(seconds_left, left));
        break;
    case VERIFY_OTHER_BODY:
        printf("%s: skipped, because a body here has another mesh than in the table, which was made with a stand-in "
               "or another original\n",
               file);
        break;
    }
}

static int verify_all(void *out) {
    struct sensitivity_verb *verb = out;
    struct sweeper_options how = sweeper_options(verb);
    how.sweeps = project_path(how.sweeps);
    how.report = verb->quiet ? NULL : print_runs;
    interrupt_catch();
    const double begin = clock_now();
    int status = STATUS_OK, all = 0, tables = 0, compared = 0, differing = 0;
    AUTO_FREE const char **files = memory_new((size_t)verb->selection.files.count + 1, sizeof *files);
    for (int f = 0; f < verb->selection.files.count; ++f)
        if (has_table(&how, verb->selection.files.words[f]))
            files[all++] = verb->selection.files.words[f];
    if (!all) {
        fail("%s: no table of a sweep of these experiments; springback sensitivity makes one", how.sweeps);
        return complain();
    }
    sweep_shuffle(files, (size_t)all, sizeof *files, (unsigned long)verb->seed);
    for (int f = 0; f < all && !interrupt_signal() && !(verb->seconds && clock_now() - begin > verb->seconds); ++f) {
        struct verify_result result;
        if (verb->seconds)
            how.seconds = fmax(verb->seconds - (clock_now() - begin), 0.001);
        const int failed = sweep_verify(files[f], &how, verb->sample, (unsigned long)verb->seed + (unsigned)f, &result);
        if (failed)
            status = complain();
        else if (result.differing)
            complain();
        if (!failed && (!verb->quiet || (all == 1 && !result.skip)))
            print_result(files[f], &result, how.seconds);
        compared += result.compared;
        differing += result.differing;
        tables += result.compared > 0;
    }
    printf("%d members of %d of %d tables were run again; %d are bit-identical", compared, tables, all,
           compared - differing);
    /* After an interruption, the members that have ended are no random sample. */
    if (compared >= ENOUGH_MEMBERS && !differing && !interrupt_signal())
        printf(", so with 95 %% confidence at least 95 %% of all members are correct");
    printf("\n");
    return status ? status : differing ? STATUS_CHANGED : STATUS_OK;
}

const struct verb verb_verify = {
    .arguments = "FILE...",
    .doc = "Run random members of the tables of sweeps again, and compare all bits of their states and their numbers "
           "with the tables. "
           "Exit code 1 if a member differs."
           "\vExample: one member of each table of a paper\n"
           "  springback verify experiments/va2022/*.yaml",
    .options = verify_options,
    .has_selection = true,
    .missing = "no experiment file given",
    .size = sizeof(struct sensitivity_verb),
    .defaults = &(const struct sensitivity_verb){.selection.tier = "full", .members = 2, .sample = 1, .seed = 1},
    .run = verify_all};
