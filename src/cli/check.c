/* springback check: the papers' claims, judged by the traces. */
#include "base/file.h"
#include "base/interrupt.h"
#include "base/lines.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "claim/claim_file.h"
#include "claim/headline.h"
#include "cli/verb.h"
#include "experiment/plan.h"
#include "experiment/spelling.h"
#include "run/sweep.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef SPRINGBACK_PREPARE
#include "report/reproduction.h"
#endif

struct check_verb {
    struct words files, about;
    const char *out, *experiments, *archive, *page;
    const char *verdict;         /* that the claims asked for have; NULL for any */
    struct words limits, claims; /* the latter: ids of claims that are asked for */
    int words;                   /* how many are given */
    int row;                     /* the headline claim that is asked for, counted from 1; 0: none is */
    bool all, json, reported, recorded, audit, shares, untimed;
    const struct reproduction *reproduction; /* the archive's, whose verdicts must be those that it brings; else NULL */
};

static void take_about(void *out, const char *argument, struct argp_state *state) {
    struct check_verb *verb = out;
    AUTO_FREE char *name = plan_experiment_name(argument);
    (void)state;
    words_add(&verb->about, name);
}

static const struct verb_option options[] = {
    {"out", 'o', "DIR", "Folder of the results to judge (out/<machine>)", OPTION_TEXT,
     .field = offsetof(struct check_verb, out)},
    {"experiments", 'e', "DIR",
     "Only judge results whose experiment is still in this folder (all results); and tell those that are not of their "
     "file there (experiments)",
     OPTION_TEXT, .field = offsetof(struct check_verb, experiments)},
#ifdef SPRINGBACK_PREPARE
    {"archive", 0, "FILE",
     "Judge what springback archive wrote: its results, by its claims (or by FILE...), which must have "
     "the verdicts that stand in it",
     OPTION_TEXT, .field = offsetof(struct check_verb, archive)},
    {"limit", 0, "NAME=NUMBER",
     "Let an archive take more: files, file-size, size (both in bytes), ratio (to the archive's size), depth, seconds; "
     "may be given again",
     OPTION_WORDS, .field = offsetof(struct check_verb, limits)},
#endif
    {"about", 0, "EXPERIMENT",
     "Only judge claims about this experiment, its file or a name as va2022/resolutions; may be given again",
     OPTION_OWN, .take = take_about},
    {"verdict", 0, "VERDICT", "Print the claims that have this verdict alone, such as differs", OPTION_TEXT,
     .field = offsetof(struct check_verb, verdict)},
    {"all", 0, NULL, "Print all claims with their reasons, not the headline claims alone", OPTION_FLAG,
     .field = offsetof(struct check_verb, all)},
    {"json", 0, NULL, "Print one object a claim", OPTION_FLAG, .field = offsetof(struct check_verb, json)},
    {"page", 0, "FILE", "Also write the verdicts on all claims as a page, as springback report does", OPTION_PATH,
     .field = offsetof(struct check_verb, page)},
    {"untimed", 0, NULL, "Let verdicts on what was timed be other than the recorded ones, which are of another machine",
     OPTION_FLAG, .field = offsetof(struct check_verb, untimed)},
    {"reported", 0, NULL, "Only print the papers' stated values, as gnuplot variables", OPTION_FLAG,
     .field = offsetof(struct check_verb, reported)},
    {"shares", 0, NULL, "Only print in what share of the set-ups each claim holds, as a table for figures", OPTION_FLAG,
     .field = offsetof(struct check_verb, shares)},
    {"audit", 0, NULL, "With --recorded: name each recorded verdict that the sweep of its experiment contradicts",
     OPTION_FLAG, .field = offsetof(struct check_verb, audit)},
    {"recorded", 0, NULL,
     "Only count the recorded verdicts, as a Markdown table; with --json, an object for each claim with the share of "
     "set-ups in which it holds",
     OPTION_FLAG, .field = offsetof(struct check_verb, recorded)},
    {.name = NULL},
};

/* A pipe or a file gets lines of a fixed width; a very wide window would tear the table's columns apart. */
static int table_width(void) {
    const int columns = terminal_columns(stdout, 110);
    return columns > 160 ? 160 : columns;
}

/* The first screen is made for 120 columns. */
static int screen_width(void) {
    const int columns = terminal_columns(stdout, 120);
    return columns > 120 ? 120 : columns < 80 ? 80 : columns;
}

/* Whether a claim is asked for: by its id, or with its paper, of which no claim is asked for. */
static bool is_asked(const struct check_verb *verb, const char *paper, const char *claim) {
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

/* Say which id is no claim's, and what is near to it. */
static int refuse_unknown(const struct check_verb *verb, const struct claim_report *reports) {
    for (int c = 0; c < verb->claims.count; c++) {
        struct spelling search = spelling_search(verb->claims.words[c]);
        for (int f = 0; f < verb->files.count; f++)
            for (int r = 0; r < reports[f].count; r++)
                spelling_consider(&search, reports[f].results[r].id,
                                  spelling_distance(verb->claims.words[c], reports[f].results[r].id));
        if (search.distance > 0)
            return fail("there is no claim %s; %s%s%s", verb->claims.words[c],
                        *search.nearest ? "did you mean " : "`springback check PAPER` names a paper's claims",
                        search.nearest, *search.nearest ? "?" : "");
    }
    return STATUS_OK;
}

/* Whether the first screen alone is asked for. */
static bool is_screen(const struct check_verb *verb) {
    return !verb->all && !verb->json && !verb->row && !verb->claims.count && !verb->verdict;
}

/* Judge all files, and add the results of the claims that are asked about to `asked`. */
static int judge_files(const struct check_verb *verb, const struct trace_set *traces, struct claim_report *all,
                       struct claim_report *asked) {
    const struct claim_scope scope = {verb->about.words, verb->about.count};
    int worst = verdicts_of(verb->files.words, verb->files.count, traces, verb->page ? NULL : &scope, all);
    for (int f = 0; f < verb->files.count; f++) {
        for (int r = 0; r < all[f].count; ++r) {
            const struct claim_result *result = &all[f].results[r];
            if (!scope_has(&scope, result->experiment) || !is_asked(verb, result->paper, result->id) ||
                (verb->verdict && strcmp(verb->verdict, verdict_name(result->verdict)) != 0))
                continue;
            *ARRAY_ADD(asked->results, asked->count) = *result;
            asked->incomplete = asked->incomplete || result->is_incomplete;
        }
    }
    if (!worst && verb->claims.count)
        worst = refuse_unknown(verb, all);
    const int status = worst || verb->row ? STATUS_OK : claim_report_status(asked, verb->untimed);
    return status > worst ? status : worst;
}

/* The claims of each paper, one paper after another: first those that runs decide. */
static void print_papers(const struct claim_report *asked) {
    for (int first = 0, next; first < asked->count; first = next) {
        const char *paper = asked->results[first].paper;
        for (next = first; next < asked->count && !strcmp(asked->results[next].paper, paper);)
            next++;
        for (int simulated = 1; simulated >= 0; simulated--) {
            struct claim_report part = {.count = 0};
            for (int r = first; r < next; r++) {
                const struct claim_result *result = &asked->results[r];
                if (claim_result_is_simulated(result) != simulated)
                    continue;
                *ARRAY_ADD(part.results, part.count) = *result;
                part.incomplete = part.incomplete || result->is_incomplete;
            }
            if (part.count) {
                printf("%s%s: %s\n", first || !simulated ? "\n" : "", paper,
                       simulated ? "what simulations decide" : "counts and arithmetic");
                claim_report_print(&part, stdout, table_width());
            }
            free(part.results);
        }
    }
}

/* Print the one headline claim that is asked for by its row. */
static int print_row(const struct check_verb *verb, const struct claim_report *asked) {
    struct headlines rows;
    headlines_of(asked, 1, verb->about.count, &rows);
    const bool is_there = verb->row <= rows.count;
    const struct claim_result *result = is_there ? rows.rows[verb->row - 1].result : NULL;
    if (result && verb->json)
        json_print(claim_result_json(result), stdout);
    else if (result)
        claim_result_print(result, stdout, table_width());
    const int status =
        is_there ? STATUS_OK : fail("there is no row %d; `springback check` has %d rows", verb->row, rows.count);
    headlines_free(&rows);
    return status;
}

static int print_claims(const struct check_verb *verb, const struct claim_report *asked) {
    if (verb->row)
        return print_row(verb, asked);
    if (verb->json)
        claim_report_json(asked, stdout);
    else if (is_screen(verb))
        claim_summary_print(asked, verb->about.count, stdout, screen_width());
    else if (!verb->claims.count)
        print_papers(asked);
    for (int r = 0; r < asked->count && verb->claims.count && !verb->json; r++)
        claim_result_print(&asked->results[r], stdout, table_width());
    return STATUS_OK;
}

static const char *experiments_of(const struct check_verb *verb) {
    return verb->experiments ? verb->experiments : "experiments";
}

/* Whether there are results of an experiment, or its file, without --experiments in experiments/. */
static bool is_known(const struct check_verb *verb, const struct trace_set *traces, const char *experiment) {
    AUTO_FREE char *file = text_format("%s/%s.yaml", experiments_of(verb), experiment);
    return trace_set_experiment(traces, experiment) || file_exists(file);
}

/* How far a name is from an experiment's: where its paper was left out, only what stands behind that counts. */
static int distance(const char *given, const char *experiment) {
    const char *last = strrchr(experiment, '/');
    return spelling_distance(given, strchr(given, '/') || !last ? experiment : last + 1);
}

/* The known name that is nearest to an unknown one. */
static struct spelling nearest_to(const struct check_verb *verb, const struct trace_set *traces, const char *given) {
    AUTO_FREE char *pattern = text_format("%s/*/*.yaml", experiments_of(verb));
    const char *last = strrchr(given, '/');
    struct spelling search =
        spelling_search(last ? last + 1 : given); /* a paper alone is near to none of its experiments */
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
    return fail("--about: there is no experiment '%s', and no result of one in %s; %s%s%s", given, out,
                *search.nearest ? "did you mean " : "`springback list` names them", search.nearest,
                *search.nearest ? "?" : "");
}

/* Say which of the experiments that are asked about no claim is about. */
static void tell_unclaimed(const struct check_verb *verb, const struct claim_report *asked, FILE *out) {
    for (int e = 0; e < verb->about.count; e++) {
        bool has_any = false;
        for (int c = 0; c < asked->count && !has_any; c++)
            has_any = !strcmp(asked->results[c].experiment, verb->about.words[e]);
        if (!has_any)
            fprintf(out, "%s: no claim%s%s is about it\n", verb->about.words[e], verb->files.count == 1 ? " of " : "",
                    verb->files.count == 1 ? verb->files.words[0] : "");
    }
}

/* Whether a claim that was judged is about an experiment, and of which tier its runs are: "" where they are of both. */
static bool is_judged(const struct claim_report *asked, const char *experiment, const char **tier) {
    for (int c = 0; c < asked->count; c++)
        if (!strcmp(asked->results[c].experiment, experiment)) {
            *tier = strchr(asked->results[c].tier, ' ') ? "" : asked->results[c].tier;
            if (**tier)
                return true;
        }
    return *tier != NULL;
}

/* Say which results are not of their experiments' files, once for all claims about them, and what mends it. */
static void tell_outdated(const struct check_verb *verb, const struct trace_set *traces, const char *folder,
                          const struct claim_report *asked, FILE *out) {
    for (int e = 0; e < traces->experiment_count; e++) {
        const struct trace_experiment *experiment = &traces->experiments[e];
        const char *tier = NULL;
        if (!is_judged(asked, experiment->name, &tier))
            continue;
        if (experiment->outdated)
            fprintf(out, "%sOUTDATED%s: the results of %s: %s\n", terminal_begin(out, TERMINAL_ALARM),
                    terminal_end(out, TERMINAL_ALARM), experiment->name, experiment->outdated);
        if (experiment->outdated && !experiment->is_of_mistake)
            fprintf(out, "    made anew by: springback run%s%s --out %s %s/%s.yaml\n", *tier ? " --tier " : "", tier,
                    folder, experiments_of(verb), experiment->name);
        if (experiment->absent)
            fprintf(out, "of the %d runs that %s/%s.yaml plans, %d %s no result\n", experiment->planned,
                    experiments_of(verb), experiment->name, experiment->absent,
                    experiment->absent == 1 ? "has" : "have");
        for (int s = 0; s < experiment->set_count; s++)
            fprintf(out, "the results of %s were made with --set '%s'\n", experiment->name, experiment->set[s]);
    }
}

/* Say which experiments that claims are about have neither results nor a file, as those whose name is mistyped. */
static void tell_nameless(const struct check_verb *verb, const struct trace_set *traces,
                          const struct claim_report *asked, FILE *out) {
    const char *told = "";
    for (int c = 0; c < asked->count && folder_exists(experiments_of(verb)); c++) {
        const char *name = asked->results[c].experiment;
        if (!*name || is_known(verb, traces, name) || !strcmp(name, told))
            continue;
        const struct spelling search = nearest_to(verb, traces, name);
        fprintf(out, "there is no experiment %s/%s.yaml, which %s is about%s%s%s\n", experiments_of(verb), name,
                asked->results[c].id, *search.nearest ? "; did you mean " : "", search.nearest,
                *search.nearest ? "?" : "");
        told = name;
    }
}

#ifdef SPRINGBACK_PREPARE
/* Whether the verdicts are those that the archive was written with. */
static int compare_archived(const struct check_verb *verb, const struct claim_report *reports) {
    FILE *out = verb->json ? stderr : stdout;
    int worst = STATUS_OK, count = 0;
    for (int f = 0; f < verb->files.count; f++) {
        const int status = reproduction_compare(verb->reproduction, verb->files.words[f], &reports[f], &count, out);
        worst = status > worst ? status : worst;
    }
    if (!worst && !verb->json)
        printf("%s: whole; %d verdicts, all as archived\n", verb->reproduction->path, count);
    return worst;
}
#endif

/* Write the page of all claims; one of half the claims would look whole. */
static int write_page(const struct check_verb *verb, const struct trace_set *traces, struct claim_report *all) {
    if (!verb->page || failure_count())
        return STATUS_OK;
    const int status = report_write(verb->page, NULL, &verb->files, traces, all);
    if (!status && !verb->json)
        printf("report: %s\n", verb->page);
    return status;
}

/* Say what a reader must know beside the verdicts: which are not the recorded ones, and what is wrong with the results.
 */
static void tell_notes(const struct check_verb *verb, const struct trace_set *traces, const char *folder,
                       const struct claim_report *asked, FILE *out) {
    if (!verb->json) {
        claim_report_print_changed(asked, out);
        if (!verb->archive)
            tell_unclaimed(verb, asked, out);
    }
    tell_outdated(verb, traces, folder, asked, out);
    if (!verb->archive)
        tell_nameless(verb, traces, asked, out);
}

/* The same on the first screen: two lines of it, and what to do next. */
static void tell_few_notes(const struct check_verb *verb, const struct trace_set *traces, const char *folder,
                           const struct claim_report *asked) {
    enum { MOST_LINES = 2 };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    tell_notes(verb, traces, folder, asked, out);
    fclose(out);
    int count = 0;
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) && rest; count++) {
        AUTO_FREE char *cut = text_cut(line, screen_width());
        if (count < MOST_LINES)
            printf("%s\n", cut);
    }
    if (count > MOST_LINES)
        printf("... and %d more lines of this, which `springback check --all` prints\n", count - MOST_LINES);
    free(text);
    puts("A set-up is one choice of the values that a paper leaves open, from their likely ranges. Claims about one "
         "fact count once.");
    if (verb->about.count)
        printf("Next: `%s check PAPER` tells about a paper's claims, `check CLAIM` all about one.\n",
               program_invocation_name);
    else
        printf("Next: `%s check 1` tells all about row 1, `check PAPER` about a paper, `check --verdict differs` what "
               "differs.\n",
               program_invocation_name);
}

/* Judge the traces of a folder, and print what was found of the claims that are asked about. */
static int tell(const struct check_verb *verb, const struct trace_set *traces, const char *out) {
    AUTO_FREE struct claim_report *all = memory_new((size_t)verb->files.count, sizeof *all);
    struct claim_report asked = {.count = 0};
    int status = judge_files(verb, traces, all, &asked);
    if ((asked.count || !failure_count()) && print_claims(verb, &asked))
        status = STATUS_BAD;
    if (is_screen(verb))
        tell_few_notes(verb, traces, out, &asked);
    else if (!verb->row && !verb->claims.count)
        tell_notes(verb, traces, out, &asked, verb->json ? stderr : stdout);
    free(asked.results);
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

/* The experiments whose traces are needed: all for a page, else those that are asked about, or those that the claims
 * are about. Errors: mistakes in the files of claims, which so are known before a trace is opened. */
static int find_scope(const struct check_verb *verb, struct words *experiments) {
    int status = STATUS_OK;
    for (int f = 0; f < verb->files.count; f++) {
        AUTO(claim_file_free) struct claim_file claims;
        status = claim_file_read(verb->files.words[f], &claims) ? STATUS_BAD : status;
        for (int c = 0; c < claims.count && !verb->about.count && !verb->page; c++)
            if (is_asked(verb, claims.paper, claims.claims[c].id))
                words_add_new(experiments, claim_experiment(&claims.claims[c]));
    }
    for (int e = 0; e < verb->about.count && !verb->page; e++)
        words_add_new(experiments, verb->about.words[e]);
    return status;
}

/* `sweeps` is the folder of the sweeps' tables, or NULL for the repository's. */
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
    if (!status && !verb->archive) /* which brings its own experiments */
        trace_set_compare(&traces, experiments_of(verb));
    if (!status)
        status = tell(verb, &traces, out);
    return status;
}

#ifdef SPRINGBACK_PREPARE
/* The archive's limits, as --limit has them; the clock starts. */
static int set_limits(const struct check_verb *verb, struct archive_limits *limits) {
    *limits = archive_limits_default;
    for (int l = 0; l < verb->limits.count; l++)
        if (archive_limits_set(limits, verb->limits.words[l]))
            return STATUS_BAD;
    const double seconds = limits->most[LIMIT_SECONDS];
    AUTO_FREE char *word =
        text_format("%s: refused: it is not unpacked and judged within %.0f s; if you trust it: --limit "
                    "seconds=NUMBER",
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

/* The papers' stated values of all files. */
static int print_reported(const struct check_verb *verb) {
    int worst = STATUS_OK;
    for (int f = 0; f < verb->files.count; f++) {
        const int status = claims_write_gnuplot(verb->files.words[f], stdout);
        worst = status > worst ? status : worst;
    }
    return worst;
}

/* What is recorded, with the shares of the sweeps; or whether these contradict it. */
static int audit(const struct check_verb *verb) {
    struct recorded_audit found;
    const enum recorded_form form = verb->shares ? RECORDED_SHARES : verb->audit ? RECORDED_AUDIT : RECORDED_JSON;
    const int status =
        claims_audit(verb->files.words, verb->files.count, DEFAULT_SWEEPS, experiments_of(verb), form, stdout, &found);
    if (verb->audit)
        printf("%d claims; sweeps decide %d of them; %d recorded verdicts contradict their sweep\n", found.claims,
               found.swept, found.contradictions);
    for (int e = 0; e < found.outdated.count && verb->audit; e++)
        printf("%s: its table decides nothing, because it is of an older version of the experiment's file and must be "
               "made again; run springback sensitivity\n",
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
    const int status = fail("--verdict: there is no verdict '%s'; there are %s%s%s%s", given, names,
                            *search.nearest ? "; did you mean " : "", search.nearest, *search.nearest ? "?" : "");
    free(names);
    return status;
}

/* Do what the options ask for. */
static int judge(struct check_verb *verb) {
    enum verdict verdict;
    if (verb->verdict && !verdict_of_name(verb->verdict, &verdict))
        return fail_verdict(verb->verdict);
    if (verb->row && (verb->words > 1 || verb->about.count || verb->archive))
        return fail("a row is one of the first screen of all claims; leave out what else is asked for, or the row");
    if (verb->verdict && (verb->row || verb->claims.count))
        return fail("--verdict is for lists of claims; leave out --verdict, or the row and the claims");
    if (verb->limits.count && !verb->archive)
        return fail("--limit is for --archive FILE");
    if (verb->audit && !verb->recorded)
        return fail("--audit is for --recorded");
    if (verb->archive &&
        (verb->out || verb->experiments || verb->about.count || verb->reported || verb->recorded || verb->page))
        return fail("--archive holds its own results and experiments; leave out --out, --experiments, --about, "
                    "--reported, --recorded and --page");
#ifdef SPRINGBACK_PREPARE
    if (verb->archive)
        return check_archive(verb);
#endif
    if (!verb->files.count)
        return fail("paper_checks/: no claims there; name a file of claims");
    if (verb->reported)
        return print_reported(verb);
    if (verb->shares || (verb->recorded && (verb->audit || verb->json)))
        return audit(verb);
    if (verb->recorded)
        return claims_write_recorded(verb->files.words, verb->files.count, stdout);
    return check_folder(verb, results_folder(verb->out), NULL);
}

/* A paper is asked for by its name, a claim by its id or by its row on the first screen; all other words are files. */
static void take_word(struct check_verb *verb, const char *word) {
    AUTO_FREE char *file = text_format("paper_checks/%.*s.yaml", (int)strcspn(word, "."), word);
    const bool is_name = !strchr(word, '/') && !file_exists(word);
    if (is_name && whole_read(word, 1, 9999, &verb->row)) {
        words_add_files(&verb->files, "paper_checks/*.yaml");
    } else if (is_name && file_exists(file)) {
        words_add_new(&verb->files, file);
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
        words_add_files(&verb->files, "paper_checks/*.yaml");
    const int status = judge(verb);
    words_free(&verb->about);
    words_free(&verb->claims);
    if (failure_count())
        complain();
    return status;
}

const struct verb verb_check = {
    .arguments = "ROW\n[PAPER|CLAIM|FILE...]",
    .doc = "Judge the papers' claims by the traces of a folder, and print the headline claims. A paper (va2022), or a "
           "file of claims: all its claims with their reasons. A claim's id, or its row among the headline claims: all "
           "that is known of it."
           "\vExample: why one claim got its verdict\n"
           "  springback check va2022.speed-up.mean",
    .options = options,
    .size = sizeof(struct check_verb),
    .run = check};
