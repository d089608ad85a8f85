/* springback record: keep a machine's results as a summary that others are compared with. */
#include "base/memory.h"
#include "cli/verb.h"
#include "report/machine.h"

#include <stdio.h>
#include <stdlib.h>

struct record_verb {
    const char *results, *name, *out;
};

static const struct argp_option options[] = {
    {"name", 'n', "NAME", 0, "What the hardware is, such as amd-epyc-9474f; the record's folder is called so", 0},
    {"out", 'o', "DIR", 0, "Where records lie (data/machines)", 0},
    {0},
};

static const char doc[] = "Keep a folder of results as a record: of each main run its parameters, a few state hashes, "
                          "the last values and the raw samples of its timings, about 1.2 kB a run, without the "
                          "host's name, commands and dates. The machine's floors are those of DIR/floors.json, which "
                          "`springback devices --measure DIR/floors.json` measures."
                          "\v"
                          "Example: a machine for others to be compared with\n"
                          "  springback record --name amd-epyc-9474f out/$(uname -n)\n\n"
                          "An experiment that is recorded again takes the place of what was there.";

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct record_verb *verb = state->input;
    switch (key) {
    case 'n':
        verb->name = argument;
        return 0;
    case 'o':
        if (!*argument)
            argp_error(state, "--out names no folder; --out DIR would");
        verb->out = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (verb->results)
            argp_error(state, "one folder of results is recorded at a time; '%s' is a second", argument);
        verb->results = argument;
        return 0;
    case ARGP_KEY_END:
        if (!verb->results)
            argp_error(state, "a folder of results must be named, such as out/$(uname -n)");
        if (!verb->name)
            argp_error(state, "--name must say what the hardware is, such as amd-epyc-9474f");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int verb_record(int count, char **words) {
    struct record_verb verb = {.out = "data/machines"};
    const struct argp argp = {options, parse, "DIR", doc, NULL, NULL, NULL};
    int status = verb_parse(&argp, count, words, &verb);
    if (status >= 0)
        return status;
    struct machine machine;
    status = machine_read(verb.results, &machine);
    if (!status)
        status = machine_record(&machine, verb.out, verb.name);
    if (!status)
        printf("%s/%s: recorded%s\n", verb.out, verb.name,
               machine.floor_count ? ""
                                   : "; the machine's floors are not known: `springback devices --measure` does that");
    machine_free(&machine);
    return status ? complain() : STATUS_OK;
}
