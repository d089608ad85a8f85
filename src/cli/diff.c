/* springback diff: find the first difference of two runs. */
#include "diff/diff.h"
#include "cli/verb.h"

#include <stdio.h>

struct diff_verb {
    struct words traces, backends;
    bool json;
};

static const struct verb_option options[] = {
    {"backend", 'b', "BACKEND",
     "Run the traces again on this backend instead of their own: give the option twice, for the first and the second "
     "trace. The traces are then run again even if they are equal",
     OPTION_WORDS, .field = offsetof(struct diff_verb, backends)},
    {"json", 0, NULL, "Print one JSON object", OPTION_FLAG, .field = offsetof(struct diff_verb, json)},
    {.name = NULL},
};

static const char doc[] =
    "Find the first difference of two runs: compare what was run, then the state hashes of the recorded frames. Then "
    "run both again from the descriptions in their traces to find the frame, the time step, the stage and the element. "
    "Exit codes: 0 the same work and bit-identical, 1 any difference, 2 bad input."
    "\v"
    "Example: compare two backends, by running one trace again on both\n"
    "  springback diff run.h5 run.h5 --backend serial --backend opencl\n\n"
    "All NaNs count as equal. Runs are run again by the current program; if its result is not bit-identical to a "
    "trace, this is printed.";

static void check_arguments(void *out, struct argp_state *state) {
    const struct diff_verb *verb = out;
    if (verb->traces.count != 2)
        argp_error(state, "expected two traces, but %d %s given", verb->traces.count,
                   verb->traces.count == 1 ? "is" : "are");
    if (verb->backends.count != 0 && verb->backends.count != 2)
        argp_error(state, "--backend must be given twice, for the first trace and the second, or not at all");
}

static int compare(void *out) {
    const struct diff_verb *verb = out;
    AUTO(trace_close) struct trace_data a = {.path = NULL};
    AUTO(trace_close) struct trace_data b = {.path = NULL};
    int status = trace_open(verb->traces.words[0], &a);
    if (trace_open(verb->traces.words[1], &b))
        status = STATUS_BAD;
    if (!status) {
        AUTO(diff_free) struct diff diff;
        status = diff_traces(&a, &b, verb->backends.count ? verb->backends.words : NULL, &diff);
        if (!status) {
            (verb->json ? diff_json : diff_print)(&diff, stdout);
            status = diff.same ? STATUS_OK : STATUS_CHANGED;
        }
    }
    return status;
}

const struct verb verb_diff = {.arguments = "TRACE TRACE",
                               .doc = doc,
                               .options = options,
                               .check = check_arguments,
                               .size = sizeof(struct diff_verb),
                               .run = compare};
