/* springback record: keep a machine's results as a summary that others are compared with. */
#include "base/memory.h"
#include "cli/verb.h"
#include "report/machine.h"

#include <stdio.h>
#include <stdlib.h>

struct record_verb {
    struct words results;
    const char *name, *out;
};

static const struct verb_option options[] = {
    {"name", 'n', "NAME", "What the hardware is, such as amd-epyc-9474f; the record's folder is called so", OPTION_TEXT,
     .field = offsetof(struct record_verb, name)},
    {"out", 'o', "DIR", "Where records lie (data/machines)", OPTION_PATH, .field = offsetof(struct record_verb, out)},
    {.name = NULL},
};

static const char doc[] = "Keep a folder of results as a record: of each main run its parameters, a few state hashes, "
                          "the last values and the raw samples of its timings, about 1.2 kB a run, without the "
                          "host's name, commands and dates. The machine's floors are those of DIR/floors.json, which "
                          "`springback devices --measure DIR/floors.json` measures."
                          "\v"
                          "Example: a machine for others to be compared with\n"
                          "  springback record --name amd-epyc-9474f out/$(build/springback devices --machine)\n\n"
                          "An experiment that is recorded again takes the place of what was there.";

static void check_arguments(void *out, struct argp_state *state) {
    const struct record_verb *verb = out;
    if (verb->results.count > 1)
        argp_error(state, "one folder of results is recorded at a time; '%s' is a second", verb->results.words[1]);
    if (!verb->results.count)
        argp_error(state, "a folder of results must be named, such as out/$(build/springback devices --machine)");
    if (!verb->name)
        argp_error(state, "--name must say what the hardware is, such as amd-epyc-9474f");
}

static int record(void *out) {
    const struct record_verb *verb = out;
    AUTO(machine_free) struct machine machine;
    int status = machine_read(verb->results.words[0], &machine);
    if (!status)
        status = machine_record(&machine, verb->out, verb->name);
    if (!status)
        printf("%s/%s: recorded%s\n", verb->out, verb->name,
               machine.floor_count ? ""
                                   : "; the machine's floors are not known: `springback devices --measure` does that");
    return status;
}

const struct verb verb_record = {.arguments = "DIR",
                                 .doc = doc,
                                 .options = options,
                                 .check = check_arguments,
                                 .size = sizeof(struct record_verb),
                                 .defaults = &(const struct record_verb){.out = "data/machines"},
                                 .run = record};
