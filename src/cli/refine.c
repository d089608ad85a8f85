/* springback refine: what results owe to the time step and to rounding. */
#include "refine/refine.h"
#include "backend/backend.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "cli/verb.h"
#include "method/method.h"

#include <stdlib.h>

struct refine_verb {
    struct selection selection;
    const char *out, *claims;
    bool json, quiet;
};

enum { KEY_JSON = 256 };

static const struct argp_option options[] = {
    {"out", 'o', "DIR", 0, "Folder of this machine's results (out/<host>); the traces go to DIR/refine/", 0},
    {"claims", 'c', "FILE", 0, "File of claims (paper_checks/<paper>.yaml, if it is there)", 0},
    {"json", KEY_JSON, 0, 0, "Print one object a claim, or a run where there are no claims", 0},
    {"quiet", 'q', 0, 0, "No progress", 0},
    {0},
};

static const char doc[] =
    "Run experiment files with their time step h, with h/2 and h/4 (frames stay at the same times), and with h in "
    "double precision, and say how the quantity of each claim moves; where an experiment has no claims, each recorded "
    "series. Runs that vary an assumption are left out."
    "\v"
    "A number is owed to the step size if it is over 1 % of its value at h away from it at h/2 or h/4; to rounding if "
    "so in double, unless the step moves it over twice as far; to physics if it moves less under all three. Of a "
    "series, the largest "
    "difference over all frames counts, and 1 % of its largest value at h. The order is log2 of the ratio of the "
    "differences h to h/2 and h/2 to h/4, where the latter exceeds eight times that between h and "
    "double. A blow-up that comes or "
    "goes is told. Timings and counts are left out.\n\n"
    "Example: the paper's own step\n"
    "  springback refine experiments/va2022/strong-push.yaml --only step=0.005s";

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct refine_verb *verb = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &verb->selection;
        return 0;
    case 'o':
        if (!*argument)
            argp_error(state, "--out names no folder; --out DIR would");
        verb->out = argument;
        return 0;
    case 'c':
        verb->claims = argument;
        return 0;
    case KEY_JSON:
        verb->json = true;
        return 0;
    case 'q':
        verb->quiet = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int refine_file(const struct refine_verb *verb, const char *file, const char *out) {
    const struct refine_options how = {.plan = {.tier = verb->selection.tier,
                                                .set = verb->selection.set.words,
                                                .only = verb->selection.only.words,
                                                .backends = verb->selection.backends.words,
                                                .methods = method_table,
                                                .backend_words = backend_words},
                                       .out = out,
                                       .claims = verb->claims,
                                       .quiet = verb->quiet};
    struct refine_report report;
    int status = refine(file, &how, &report);
    if (!status && !interrupt_signal()) /* half of the runs tell nothing */
        (verb->json ? refine_report_json : refine_report_print)(&report, stdout);
    refine_report_free(&report);
    return status ? complain() : STATUS_OK;
}

int verb_refine(int count, char **words) {
    struct refine_verb verb = {.quiet = false};
    const struct argp selection = {selection_options, selection_parse, NULL, NULL, NULL, NULL, NULL};
    const struct argp_child children[] = {{&selection, 0, NULL, 0}, {0}};
    const struct argp argp = {options, parse, "FILE...", doc, children, NULL, NULL};
    int status = verb_parse(&argp, count, words, &verb);
    if (status >= 0)
        return status;
    char *out = verb.out ? text_copy(verb.out) : default_out();
    status = STATUS_OK;
    interrupt_catch();
    for (int f = 0; f < verb.selection.files.count && !interrupt_signal(); ++f)
        if (refine_file(&verb, verb.selection.files.words[f], out))
            status = STATUS_BAD;
    free(out);
    selection_free(&verb.selection);
    interrupt_obey();
    return status;
}
