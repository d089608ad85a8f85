/* springback check: the papers' claims, judged by the traces. */
#include "base/memory.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "claim/claim.h"
#include "cli/verb.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

struct check_verb {
    struct words files;
    const char *out, *experiments;
    bool json, reported, untimed;
};

enum { KEY_JSON = 256, KEY_REPORTED, KEY_UNTIMED };

static const struct argp_option options[] = {
    {"out", 'o', "DIR", 0, "Folder of the results to judge (out/<host>)", 0},
    {"experiments", 'e', "DIR", 0, "Only judge results whose experiment is still in this folder (all results)", 0},
    {"json", KEY_JSON, 0, 0, "Print one object a claim", 0},
    {"untimed", KEY_UNTIMED, 0, 0,
     "Let verdicts on what was timed be other than the recorded ones, which are of another machine", 0},
    {"reported", KEY_REPORTED, 0, 0, "Only print the papers' stated values, as gnuplot variables", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct check_verb *verb = state->input;
    switch (key) {
    case 'o':
        verb->out = argument;
        return 0;
    case 'e':
        verb->experiments = argument;
        return 0;
    case KEY_JSON:
        verb->json = true;
        return 0;
    case KEY_REPORTED:
        verb->reported = true;
        return 0;
    case KEY_UNTIMED:
        verb->untimed = true;
        return 0;
    case ARGP_KEY_ARG:
        words_add(&verb->files, argument);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* A pipe or a file gets lines of a fixed width; a very wide window would tear the table's columns apart. */
static int table_width(void) {
    const int columns = terminal_columns(stdout, 110);
    return columns > 160 ? 160 : columns;
}

/* Judge one file of claims, print what came out, and return the exit code. The report is good to be freed. */
static int check_file(const struct check_verb *verb, const char *file, const struct trace_set *traces,
                      struct claim_report *report) {
    int status = claims_judge(file, traces, report);
    if (status)
        return status;
    if (verb->json)
        claim_report_json(report, stdout);
    else
        claim_report_print(report, stdout, table_width());
    return claim_report_status(report, verb->untimed);
}

/* Judge all files; what is not as recorded is said again below the tables, which are long. */
static int check_files(const struct check_verb *verb, const struct trace_set *traces) {
    struct claim_report *reports = memory_new((size_t)verb->files.count, sizeof *reports);
    int worst = STATUS_OK;
    for (int f = 0; f < verb->files.count; f++) {
        const int status = check_file(verb, verb->files.words[f], traces, &reports[f]);
        worst = status > worst ? status : worst;
    }
    for (int f = 0; f < verb->files.count; f++) {
        if (!verb->json)
            claim_report_print_changed(&reports[f], stdout);
        claim_report_free(&reports[f]);
    }
    free(reports);
    return worst;
}

/* The papers' stated values of all files. */
static int print_reported(const struct check_verb *verb) {
    int worst = STATUS_OK;
    for (int f = 0; f < verb->files.count; f++) {
        const int status = claims_write_gnuplot(verb->files.words[f], stdout);
        worst = status > worst ? status : worst;
    }
    return worst;
}

int verb_check(int count, char **words) {
    struct check_verb verb = {.json = false};
    const struct argp argp = {options,
                              parse,
                              "[FILE...]",
                              "Judge the claims of files like paper_checks/*.yaml (all of these) by the traces of a "
                              "folder."
                              "\vExample: why one claim got its verdict\n"
                              "  springback check paper_checks/va2022.yaml --json |\n"
                              "      jq -r 'select(.id == \"va2022.speed-up.mean\") | .verdict, .why'",
                              NULL,
                              NULL,
                              NULL};
    int status = verb_parse(&argp, count, words, &verb);
    if (status >= 0)
        return status;
    glob_t found = {0};
    if (!verb.files.count && !glob("paper_checks/*.yaml", 0, NULL, &found))
        for (size_t f = 0; f < found.gl_pathc; ++f)
            words_add(&verb.files, found.gl_pathv[f]);
    struct trace_set traces = {.count = 0};
    char *out = verb.out ? text_copy(verb.out) : default_out();
    status = verb.files.count ? STATUS_OK : fail("paper_checks/: no claims there; name a file of claims");
    if (!status && !verb.reported)
        status = trace_set_read(out, verb.experiments, &traces);
    if (!status)
        status = verb.reported ? print_reported(&verb) : check_files(&verb, &traces);
    trace_set_free(&traces);
    globfree(&found);
    words_free(&verb.files);
    free(out);
    if (failure_count())
        complain();
    return status;
}
