/* springback check: judge the papers' claims by the traces. */
#include "base/file.h"
#include "base/interrupt.h"
#include "base/lines.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/progress.h"
#include "base/project.h"
#include "base/terminal.h"
#include "claim/claim_file.h"
#include "claim/headline.h"
#include "cli/verb.h"
#include "experiment/plan.h"
#include "experiment/spelling.h"
#include "report/costs.h"
#include "run/sweep.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef SPRINGBACK_PREPARE
#include "report/reproduction.h"
#endif

struct check_verb {
    struct words files, about, evaluation;
    const char *out, *experiments, *archive, *page;
    const char *verdict;         /* only claims with this verdict are selected; NULL: any verdict */
    struct words limits, claims; /* claims: ids of selected claims */
    int words;                   /* number of arguments */
    int row;                     /* the selected row of the headline claims, counted from 1; 0: none */
    bool all, json, reported, recorded, audit, shares, untimed;
    const struct reproduction
        *reproduction; /* the archive whose stored verdicts are compared with the new ones; NULL: no comparison */
};

static void take_about(void *out, const char *argument, struct argp_state *state) {
    struct check_verb *verb = out;
    AUTO_FREE char *name = plan_experiment_name(argument);
    (void)state;
    words_add(&verb->about, name);
}

static const struct verb_option options[] = {
    {"out", 'o', "DIR", "Folder of the results to judge (default: out/<machine>)", OPTION_TEXT,
     .field = offsetof(struct check_verb, out)},
    {"experiments", 'e', "DIR",
     "Folder of the experiment files (default: experiments). Results that do not match these files are marked as "
     "outdated. With this option, only judge results whose experiment file exists in DIR",
     OPTION_TEXT, .field = offsetof(struct check_verb, experiments)},
#ifdef SPRINGBACK_PREPARE
    {"archive", 0, "FILE",
     "Judge the results in an archive of `springback archive`, by the claims in the archive, or by those of FILE... if "
     "files are given. The claims in the archive must give the verdicts that the archive stores",
     OPTION_TEXT, .field = offsetof(struct check_verb, archive)},
    {"limit", 0, "NAME=NUMBER",
     "Set a limit for an archive: files, file-size, size (both in bytes), ratio (of unpacked bytes to bytes of the "
     "archive), depth, seconds; may be given several times",
     OPTION_WORDS, .field = offsetof(struct check_verb, limits)},
#endif
    {"about", 0, "EXPERIMENT",
     "Only judge claims about this experiment: its file, or its name (va2022/resolutions); may be given several times",
     OPTION_OWN, .take = take_about},
    {"verdict", 0, "VERDICT", "Only print claims with this verdict, for example differs", OPTION_TEXT,
     .field = offsetof(struct check_verb, verdict)},
    {"all", 0, NULL, "Print all claims with their reasons, not only the headline claims", OPTION_FLAG,
     .field = offsetof(struct check_verb, all)},
    {"json", 0, NULL, "Print one JSON object per claim", OPTION_FLAG, .field = offsetof(struct check_verb, json)},
    {"page", 0, "FILE", "Also write a page with the verdicts on all claims, as springback report does", OPTION_PATH,
     .field = offsetof(struct check_verb, page)},
    {"untimed", 0, NULL,
     "Accept other verdicts than the recorded ones if they depend on timings, which differ between machines",
     OPTION_FLAG, .field = offsetof(struct check_verb, untimed)},
    {"reported", 0, NULL, "Only print the papers' stated values, as gnuplot variables", OPTION_FLAG,
     .field = offsetof(struct check_verb, reported)},
    {"shares", 0, NULL, "Only print a table for figures: the share of set-ups in which each claim is true", OPTION_FLAG,
     .field = offsetof(struct check_verb, shares)},
    {"audit", 0, NULL, "With --recorded: print each recorded verdict that the sweep of its experiment contradicts",
     OPTION_FLAG, .field = offsetof(struct check_verb, audit)},
    {"recorded", 0, NULL,
     "Only count the recorded verdicts, as a Markdown table; with --json, one object per claim with the share of "
     "set-ups in which it is true",
     OPTION_FLAG, .field = offsetof(struct check_verb, recorded)},
    {"evaluation", 0, "DIR",
     "Only print for each headline claim its experiment, what the runs cost on the recorded machine DIR "
     "(data/machines/NAME), and the recorded verdicts, as a Markdown table. If the option is given several times, a "
     "claim that needs a GPU has the costs of the first machine with a GPU",
     OPTION_WORDS, .field = offsetof(struct check_verb, evaluation)},
    {.name = NULL},
};

/* The width of tables in characters. Output into pipes and files has a fixed width. In a very wide window the width is
 * limited, because the columns would be too far apart. */
static int table_width(void) {
    const int columns = terminal_columns(stdout, 110);
    return columns > 160 ? 160 : columns;
}

/* The width of the summary in characters: 80 to 120, for which the summary is designed. */
static int screen_width(void) {
    const int columns = terminal_columns(stdout, 120);
    return columns > 120 ? 120 : columns < 80 ? 80 : columns;
}

/* Whether a claim is selected: its id is selected, or no claim of its paper is selected by id. */
static bool is_selected(const struct check_verb *verb, const char *paper, const char *claim) {
    const size_t length = strlen(paper);
    bool is_any = false;
    for (int c = 0; c < verb->claims.count; c++) {
        const char *id = verb->claims.words[c];
        if (!strcmp(id, claim))
            return true;
        is_any = is_any || (!strncmp(id, paper, length) && id[length] == '.');
    }
    return !is_any;
}

/* Fail if a selected id is not the id of a claim. The message suggests a similar id. */
static int refuse_unknown(const struct check_verb *verb, const struct claim_report *reports) {
    for (int c = 0; c < verb->claims.count; c++) {
        struct spelling search = spelling_search(verb->claims.words[c]);
        for (int f = 0; f < verb->files.count; f++)
            for (int r = 0; r < reports[f].count; r++)
                spelling_consider(&search, reports[f].results[r].id,
                                  spelling_distance(verb->claims.words[c], reports[f].results[r].id));
        if (search.distance > 0)
            return fail("no claim '%s'; %s%s%s", verb->claims.words[c],
                        *search.nearest ? "did you mean " : "`springback check PAPER` lists the claims of a paper",
                        search.nearest, *search.nearest ? "?" : "");
    }
    return STATUS_OK;
}

/* Whether only the summary is printed. */
static bool is_screen(const struct check_verb *verb) {
    return !verb->all && !verb->json && !verb->row && !verb->claims.count && !verb->verdict;
}

/* Judge all files, and add the results of the selected claims to `selected`. */
static int judge_files(const struct check_verb *verb, const struct trace_set *traces, struct claim_report *all,
                       struct claim_report *selected) {
    const struct claim_scope scope = {verb->about.words, verb->about.count};
    int worst = verdicts_of(verb->files.words, verb->files.count, traces, verb->page ? NULL : &scope, all);
    for (int f = 0; f < verb->files.count; f++) {
        for (int r = 0; r < all[f].count; ++r) {
            const struct claim_result *result = &all[f].results[r];
            if (!scope_has(&scope, result->experiment) || !is_selected(verb, result->paper, result->id) ||
                (verb->verdict && strcmp(verb->verdict, verdict_name(result->verdict)) != 0))
                continue;
            *ARRAY_ADD(selected->results, selected->count) = *result;
            selected->incomplete = selected->incomplete || result->is_incomplete;
        }
    }
    if (!worst && verb->claims.count)
        worst = refuse_unknown(verb, all);
    const int status = worst || verb->row ? STATUS_OK : claim_report_status(selected, verb->untimed);
    return status > worst ? status : worst;
}

/* Print the claims paper by paper. For each paper, print first the claims that runs decide, and then the others. */
static void print_papers(const struct claim_report *selected) {
    for (int first = 0, next; first < selected->count; first = next) {
        const char *paper = selected->results[first].paper;
        for (next = first; next < selected->count && !strcmp(selected->results[next].paper, paper);)
            next++;
        for (int by_runs = 1; by_runs >= 0; by_runs--) {
            struct claim_report part = {.count = 0};
            for (int r = first; r < next; r++) {
                const struct claim_result *result = &selected->results[r];
                if (claim_result_is_decided_by_runs(result) != by_runs)
                    continue;
                *ARRAY_ADD(part.results, part.count) = *result;
                part.incomplete = part.incomplete || result->is_incomplete;
            }
            if (part.count) {
                printf("%s%s: %s\n", first || !by_runs ? "\n" : "", paper,
                       by_runs ? "claims that runs decide" : "other claims");
                claim_report_print(&part, stdout, table_width());
            }
            free(part.results);
        }
    }
}

/* Print the headline claim of the selected row. */
static int print_row(const struct check_verb *verb, const struct claim_report *selected) {
    struct headlines rows;
    headlines_of(selected, 1, verb->about.count, &rows);
    const bool is_there = verb->row <= rows.count;
    const struct claim_result *result = is_there ? rows.rows[verb->row - 1].result : NULL;
    if (result && verb->json)
        json_print(claim_result_json(result), stdout);
    else if (result)
        claim_result_print(result, stdout, table_width());
    const int status =
        is_there ? STATUS_OK : fail("no row %d; `springback check` prints %d rows", verb->row, rows.count);
    headlines_free(&rows);
    return status;
}

static int print_claims(const struct check_verb *verb, const struct claim_report *selected) {
    if (verb->row)
        return print_row(verb, selected);
    if (verb->json)
        claim_report_json(selected, stdout);
    else if (is_screen(verb))
        claim_summary_print(selected, verb->about.count, stdout, screen_width());
    else if (!verb->claims.count)
        print_papers(selected);
    for (int r = 0; r < selected->count && verb->claims.count && !verb->json; r++)
        claim_result_print(&selected->results[r], stdout, table_width());
    return STATUS_OK;
}

static const char *experiments_of(const struct check_verb *verb) {
    return verb->experiments ? verb->experiments : project_path("experiments");
}

/* Whether an experiment has results, or a file in the folder of experiment files. */
static bool is_known(const struct check_verb *verb, const struct trace_set *traces, const char *experiment) {
    AUTO_FREE char *file = text_format("%s/%s.yaml", experiments_of(verb), experiment);
    return trace_set_experiment(traces, experiment) || file_exists(file);
}

/* The spelling distance between a name and an experiment's name. If `given` has no paper, only the part after the paper
 * is compared. */
static int distance(const char *given, const char *experiment) {
    const char *last = strrchr(experiment, '/');
    return spelling_distance(given, strchr(given, '/') || !last ? experiment : last + 1);
}

/* The name that is most similar to an unknown name, among the names of experiments that have results or an experiment
 * file. */
static struct spelling nearest_to(const struct check_verb *verb, const struct trace_set *traces, const char *given) {
    AUTO_FREE char *pattern = text_format("%s/*/*.yaml", experiments_of(verb));
    const char *last = strrchr(given, '/');
    /* The paper's name is left out, because a longer word may have more misspelt letters. */
    struct spelling search = spelling_search(last ? last + 1 : given);
    AUTO(words_free) struct words files = {NULL, 0};
    words_add_files(&files, pattern);
    for (int f = 0; f < files.count; ++f) {
        AUTO_FREE char *name = plan_experiment_name(files.words[f]);
        spelling_consider(&search, name, distance(given, name));
    }
    for (int e = 0; e < traces->experiment_count; ++e)
        spelling_consider(&search, traces->experiments[e].name, distance(given, traces->experiments[e].name));
    return search;
}

static int fail_unknown(const struct check_verb *verb, const struct trace_set *traces, const char *out,
                        const char *given) {
    const struct spelling search = nearest_to(verb, traces, given);
    return fail("--about: no experiment '%s', and no results of it in %s; %s%s%s", given, out,
                *search.nearest ? "did you mean " : "`springback list` lists the experiments", search.nearest,
                *search.nearest ? "?" : "");
}

/* Print the selected experiments about which there is no claim. */
static void print_unclaimed(const struct check_verb *verb, const struct claim_report *selected, FILE *out) {
    for (int e = 0; e < verb->about.count; e++) {
        bool has_any = false;
        for (int c = 0; c < selected->count && !has_any; c++)
            has_any = !strcmp(selected->results[c].experiment, verb->about.words[e]);
        if (!has_any)
            fprintf(out, "%s: no claim%s%s is about it\n", verb->about.words[e], verb->files.count == 1 ? " of " : "",
                    verb->files.count == 1 ? verb->files.words[0] : "");
    }
}

/* Whether a judged claim is about an experiment. If so, *tier becomes the tier of the experiment's runs, or "" if its
 * runs have both tiers. */
static bool is_judged(const struct claim_report *selected, const char *experiment, const char **tier) {
    for (int c = 0; c < selected->count; c++)
        if (!strcmp(selected->results[c].experiment, experiment)) {
            *tier = strchr(selected->results[c].tier, ' ') ? "" : selected->results[c].tier;
            if (**tier)
                return true;
        }
    return *tier != NULL;
}

/* Print which results do not match their experiments' files, once per experiment, and the command to update them. */
static void print_outdated(const struct check_verb *verb, const struct trace_set *traces, const char *folder,
                           const struct claim_report *selected, FILE *out) {
    for (int e = 0; e < traces->experiment_count; e++) {
        const struct trace_experiment *experiment = &traces->experiments[e];
        const char *tier = NULL;
        if (!is_judged(selected, experiment->name, &tier))
            continue;
        if (experiment->outdated)
            fprintf(out, "%sOUTDATED%s: the results of %s: %s\n", terminal_begin(out, TERMINAL_ALARM),
                    terminal_end(out, TERMINAL_ALARM), experiment->name, experiment->outdated);
        if (experiment->outdated && !experiment->is_of_mistake)
            fprintf(out, "    to update them: springback run%s%s --out %s %s/%s.yaml\n", *tier ? " --tier " : "", tier,
                    folder, experiments_of(verb), experiment->name);
        if (experiment->absent)
            fprintf(out, "of the %d runs of %s/%s.yaml, %d %s no result\n", experiment->planned, experiments_of(verb),
                    experiment->name, experiment->absent, experiment->absent == 1 ? "has" : "have");
        for (int s = 0; s < experiment->set_count; s++)
            fprintf(out, "the results of %s were made with --set '%s'\n", experiment->name, experiment->set[s]);
    }
}

/* Print which experiments of claims have neither results nor a file, for example because of a misspelt name. */
static void print_unknown_experiments(const struct check_verb *verb, const struct trace_set *traces,
                                      const struct claim_report *selected, FILE *out) {
    const char *last = "";
    for (int c = 0; c < selected->count && folder_exists(experiments_of(verb)); c++) {
        const char *name = selected->results[c].experiment;
        if (!*name || is_known(verb, traces, name) || !strcmp(name, last))
            continue;
        const struct spelling search = nearest_to(verb, traces, name);
        fprintf(out, "no experiment %s/%s.yaml, which the claim %s is about%s%s%s\n", experiments_of(verb), name,
                selected->results[c].id, *search.nearest ? "; did you mean " : "", search.nearest,
                *search.nearest ? "?" : "");
        last = name;
    }
}

#ifdef SPRINGBACK_PREPARE
/* Compare the verdicts with those stored in the archive. */
static int compare_archived(const struct check_verb *verb, const struct claim_report *reports) {
    FILE *out = verb->json ? stderr : stdout;
    int worst = STATUS_OK, count = 0;
    for (int f = 0; f < verb->files.count; f++) {
        const int status = reproduction_compare(verb->reproduction, verb->files.words[f], &reports[f], &count, out);
        worst = status > worst ? status : worst;
    }
    if (!worst && !verb->json)
        printf("%s: complete; all %d verdicts are as archived\n", verb->reproduction->path, count);
    return worst;
}
#endif

/* Write the page of all claims, unless errors made it incomplete. */
static int write_page(const struct check_verb *verb, const struct trace_set *traces, struct claim_report *all) {
    if (!verb->page || failure_count())
        return STATUS_OK;
    const int status = report_write(verb->page, NULL, &verb->files, traces, all);
    if (!status && !verb->json)
        printf("report: %s\n", verb->page);
    return status;
}

/* Print what a reader must know together with the verdicts: changed verdicts, and what is wrong with the results. */
static void print_notes(const struct check_verb *verb, const struct trace_set *traces, const char *folder,
                        const struct claim_report *selected, FILE *out) {
    if (!verb->json) {
        claim_report_print_changed(selected, out);
        if (!verb->archive)
            print_unclaimed(verb, selected, out);
    }
    print_outdated(verb, traces, folder, selected, out);
    if (!verb->archive)
        print_unknown_experiments(verb, traces, selected, out);
}

/* Print the notes of print_notes under the summary: at most two lines, and what to do next. */
static void print_few_notes(const struct check_verb *verb, const struct trace_set *traces, const char *folder,
                            const struct claim_report *selected) {
    enum { MOST_LINES = 2 };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    print_notes(verb, traces, folder, selected, out);
    fclose(out);
    int count = 0;
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) && rest; count++) {
        AUTO_FREE char *cut = text_cut(line, screen_width());
        if (count < MOST_LINES)
            printf("%s\n", cut);
    }
    if (count > MOST_LINES)
        printf("... and %d more lines, which `springback check --all` prints\n", count - MOST_LINES);
    free(text);
    puts("A set-up is one choice of the values that a paper does not state, within their likely ranges. Several claims "
         "about one fact count once.");
    if (verb->about.count)
        printf("Next: `%s check PAPER` prints a paper's claims, `check CLAIM` all about one claim.\n",
               program_invocation_name);
    else
        printf("Next: `%s check 1` prints all about row 1, `check PAPER` a paper's claims, `check --verdict differs` "
               "all claims with the verdict `differs`.\n",
               program_invocation_name);
}

/* Judge the traces of a folder, and print the results of the selected claims. */
static int judge_folder(const struct check_verb *verb, const struct trace_set *traces, const char *out) {
    AUTO_FREE struct claim_report *all = memory_new((size_t)verb->files.count, sizeof *all);
    struct claim_report selected = {.count = 0};
    int status = judge_files(verb, traces, all, &selected);
    if ((selected.count || !failure_count()) && print_claims(verb, &selected))
        status = STATUS_BAD;
    if (is_screen(verb))
        print_few_notes(verb, traces, out, &selected);
    else if (!verb->row && !verb->claims.count)
        print_notes(verb, traces, out, &selected, verb->json ? stderr : stdout);
    free(selected.results);
    if (write_page(verb, traces, all))
        status = STATUS_BAD;
#ifdef SPRINGBACK_PREPARE
    const int compared = verb->reproduction ? compare_archived(verb, all) : STATUS_OK;
    status = compared > status ? compared : status;
#endif
    for (int f = 0; f < verb->files.count; f++)
        claim_report_free(&all[f]);
    return status;
}

/* Find the experiments whose traces are needed: the experiments of --about; without --about, the experiments of the
 * selected claims. For a page the list stays empty, which means all experiments. Errors: mistakes in the files of
 * claims, which are reported before a trace is opened. */
static int find_scope(const struct check_verb *verb, struct words *experiments) {
    int status = STATUS_OK;
    for (int f = 0; f < verb->files.count; f++) {
        AUTO(claim_file_free) struct claim_file claims;
        status = claim_file_read(verb->files.words[f], &claims) ? STATUS_BAD : status;
        for (int c = 0; c < claims.count && !verb->about.count && !verb->page; c++)
            if (is_selected(verb, claims.paper, claims.claims[c].id))
                words_add_new(experiments, claim_experiment(&claims.claims[c]));
    }
    for (int e = 0; e < verb->about.count && !verb->page; e++)
        words_add_new(experiments, verb->about.words[e]);
    return status;
}

/* Judge a folder of results. `sweeps`: the folder of the tables of sweeps; NULL means data/sweeps of the repository. */
static int check_folder(const struct check_verb *verb, const char *out, const char *sweeps) {
    AUTO(trace_set_free) struct trace_set traces = {.folder = NULL};
    AUTO(words_free) struct words experiments = {NULL, 0};
    int status = find_scope(verb, &experiments);
    const struct claim_scope scope = {experiments.words, experiments.count};
    status = status ? status : trace_set_read(out, verb->experiments, &scope, &traces);
    if (sweeps)
        traces.sweeps = sweeps;
    for (int e = 0; e < verb->about.count && !status; e++)
        if (!is_known(verb, &traces, verb->about.words[e]))
            status = fail_unknown(verb, &traces, out, verb->about.words[e]);
    traces.is_temporary = verb->archive != NULL;
    if (!status && !verb->archive) /* the results of an archive belong to the experiment files in the archive */
        trace_set_compare(&traces, experiments_of(verb));
    if (!status)
        status = judge_folder(verb, &traces, out);
    return status;
}

#ifdef SPRINGBACK_PREPARE
/* Set the archive's limits from --limit, and start the deadline. */
static int set_limits(const struct check_verb *verb, struct archive_limits *limits) {
    *limits = archive_limits_default;
    for (int l = 0; l < verb->limits.count; l++)
        if (archive_limits_set(limits, verb->limits.words[l]))
            return STATUS_BAD;
    const double seconds = limits->most[LIMIT_SECONDS];
    AUTO_FREE char *word = text_format("%s: refused, because unpacking and judging this archive takes longer than %.0f "
                                       "s; if you trust the archive, use --limit seconds=NUMBER",
                                       verb->archive, seconds);
    interrupt_after(seconds, word);
    return STATUS_OK;
}

static int check_archive(struct check_verb *verb) {
    struct reproduction reproduction;
    struct archive_limits limits;
    const bool own = !verb->files.count;
    if (set_limits(verb, &limits))
        return STATUS_BAD;
    interrupt_catch();
    int status = reproduction_open(verb->archive, &limits, &reproduction);
    if (status)
        return status;
    for (int c = 0; c < reproduction.claims.count && own; c++)
        words_add(&verb->files, reproduction.claims.words[c]);
    for (int e = 0; e < reproduction.part.count; e++)
        words_add_new(&verb->about, reproduction.part.words[e]);
    verb->reproduction = own ? &reproduction : NULL;
    AUTO_FREE char *sweeps = text_format("%s/%s", reproduction.folder, DEFAULT_SWEEPS);
    status = check_folder(verb, reproduction.results, sweeps);
    verb->reproduction = NULL;
    reproduction_close(&reproduction);
    return status;
}
#endif

/* Print the numbers that the papers state, from all files of claims. */
static int print_reported(const struct check_verb *verb) {
    int worst = STATUS_OK;
    for (int f = 0; f < verb->files.count; f++) {
        const int status = claims_write_gnuplot(verb->files.words[f], stdout);
        worst = status > worst ? status : worst;
    }
    return worst;
}

/* Print the recorded verdicts with the shares from the sweeps, or, with --audit, the recorded verdicts that the sweeps
 * contradict. */
static int audit(const struct check_verb *verb) {
    struct recorded_audit found;
    const enum recorded_form form = verb->shares ? RECORDED_SHARES : verb->audit ? RECORDED_AUDIT : RECORDED_JSON;
    const int status = claims_audit(verb->files.words, verb->files.count, project_path(DEFAULT_SWEEPS),
                                    experiments_of(verb), form, stdout, &found);
    if (verb->audit)
        printf("%d claims; sweeps decide %d of them; %d recorded verdicts contradict their sweep\n", found.claims,
               found.swept, found.contradictions);
    for (int e = 0; e < found.outdated.count && verb->audit; e++)
        printf("%s: the table of its sweep is not used, because the table belongs to an older version of the "
               "experiment's file; run springback sensitivity\n",
               found.outdated.words[e]);
    words_free(&found.outdated);
    return status ? status : verb->audit && found.contradictions ? STATUS_CHANGED : STATUS_OK;
}

static int fail_verdict(const char *given) {
    struct spelling search = spelling_search(given);
    char *names = text_copy("");
    for (int v = 0; v < VERDICT_COUNT; v++) {
        const char *name = verdict_name((enum verdict)v);
        text_append(&names, "%s'%s'", v ? ", " : "", name);
        spelling_consider(&search, name, spelling_distance(given, name));
    }
    const int status = fail("--verdict: no verdict '%s'; expected %s%s%s%s", given, names,
                            *search.nearest ? "; did you mean " : "", search.nearest, *search.nearest ? "?" : "");
    free(names);
    return status;
}

/* Do what the options request. */
static int judge(struct check_verb *verb) {
    enum verdict verdict;
    if (verb->verdict && !verdict_of_name(verb->verdict, &verdict))
        return fail_verdict(verb->verdict);
    if (verb->row && (verb->words > 1 || verb->about.count || verb->archive))
        return fail("a row number cannot be combined with other arguments, --about or --archive");
    if (verb->verdict && (verb->row || verb->claims.count))
        return fail("--verdict cannot be combined with a row or a claim; give only one of them");
    if (verb->limits.count && !verb->archive)
        return fail("--limit needs --archive FILE");
    if (verb->audit && !verb->recorded)
        return fail("--audit needs --recorded");
    if (verb->archive && (verb->out || verb->experiments || verb->about.count || verb->reported || verb->recorded ||
                          verb->page || verb->evaluation.count))
        return fail("--archive uses the results and experiments of the archive; it can be combined with none of --out, "
                    "--experiments, --about, --reported, --recorded, --evaluation and --page");
#ifdef SPRINGBACK_PREPARE
    if (verb->archive)
        return check_archive(verb);
#endif
    if (!verb->files.count)
        return fail("paper_checks/: no files of claims; give a file of claims");
    if (verb->reported)
        return print_reported(verb);
    if (verb->shares || (verb->recorded && (verb->audit || verb->json)))
        return audit(verb);
    if (verb->evaluation.count)
        return costs_print(verb->files.words, verb->files.count, &verb->evaluation, experiments_of(verb), stdout);
    if (verb->recorded)
        return claims_write_recorded(verb->files.words, verb->files.count, stdout);
    return check_folder(verb, results_folder(verb->out), NULL);
}

/* Select what one argument names: a paper by its name, a claim by its id or by its row in the summary, or a file of
 * claims. */
static void take_word(struct check_verb *verb, const char *word) {
    AUTO_FREE char *file = text_format("paper_checks/%.*s.yaml", (int)strcspn(word, "."), word);
    const char *of_paper = project_path(file);
    const bool is_name = !strchr(word, '/') && !file_exists(word);
    if (is_name && whole_read(word, 1, 9999, &verb->row)) {
        project_add_claims(&verb->files);
    } else if (is_name && file_exists(of_paper)) {
        words_add_new(&verb->files, of_paper);
        if (strchr(word, '.'))
            words_add(&verb->claims, word);
        verb->all = true;
    } else {
        words_add(&verb->files, word);
        verb->all = true;
    }
}

static int check(void *out) {
    struct check_verb *verb = out;
    AUTO(words_free) struct words given = verb->files;
    verb->files = (struct words){NULL, 0};
    verb->words = given.count;
    for (int w = 0; w < given.count; w++)
        take_word(verb, given.words[w]);
    if (!verb->files.count && !verb->archive)
        project_add_claims(&verb->files);
    const int status = judge(verb);
    words_free(&verb->about);
    words_free(&verb->claims);
    words_free(&verb->evaluation);
    if (failure_count())
        complain();
    return status;
}

const struct verb verb_check = {
    .arguments = "ROW\n[PAPER|CLAIM|FILE...]",
    .doc =
        "Judge the papers' claims by the traces of a folder, and print the headline claims. With a paper (va2022) or "
        "a file of claims, print all its claims with their reasons. With a claim's id, or its row among the "
        "headline claims, print everything about this claim."
        "\vExample: the reason for the verdict on one claim\n"
        "  springback check va2022.speed-up.mean",
    .options = options,
    .size = sizeof(struct check_verb),
    .run = check};
