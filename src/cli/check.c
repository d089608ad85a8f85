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
    bool json, reported;
};

enum { KEY_JSON = 256, KEY_REPORTED };

static const struct argp_option options[] = {
    {"out", 'o', "DIR", 0, "Folder of the results to judge (out/<host>)", 0},
    {"experiments", 'e', "DIR", 0, "Only judge results whose experiment is still in this folder (all results)", 0},
    {"json", KEY_JSON, 0, 0, "Print one object a claim", 0},
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

/* Judge one file of claims, print what came out, and return the exit code. */
static int check_file(const struct check_verb *verb, const char *file, const struct trace_set *traces) {
    struct claim_report report;
    int status = claims_judge(file, traces, &report);
    if (!status) {
        if (verb->json)
            claim_report_json(&report, stdout);
        else
            claim_report_print(&report, stdout, table_width());
        status = claim_report_status(&report);
    }
    claim_report_free(&report);
    return status;
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
    int worst = status;
    for (int f = 0; !status && f < verb.files.count; ++f) {
        int here = verb.reported ? claims_write_gnuplot(verb.files.words[f], stdout)
                                 : check_file(&verb, verb.files.words[f], &traces);
        worst = here > worst ? here : worst;
    }
    trace_set_free(&traces);
    globfree(&found);
    words_free(&verb.files);
    free(out);
    if (failure_count())
        complain();
    return worst;
}
