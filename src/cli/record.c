/* springback record: write a summary of a machine's results, for comparisons with other machines. */
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
    {"name", 'n', "NAME", "Name of the hardware, for example amd-epyc-9474f, and of the record's folder", OPTION_TEXT,
     .field = offsetof(struct record_verb, name)},
    {"out", 'o', "DIR", "Folder of the records (default: data/machines)", OPTION_PATH,
     .field = offsetof(struct record_verb, out)},
    {.name = NULL},
};

static const char doc[] =
    "Write a record of a folder of results. For each run in a manifest, the record has the parameters, a few state "
    "hashes, the last values of the series, and up to about 256 frame times. This is about 1.2 kB per run. The "
    "record has no host's name, no commands and no dates. The hardware limits come from DIR/floors.json, which "
    "`springback devices --measure DIR/floors.json` writes."
    "\v"
    "Example: record this machine for comparisons\n"
    "  springback record --name amd-epyc-9474f out/$(build/springback devices --machine)\n\n"
    "If the record NAME exists, its experiments that DIR also has are replaced; its other experiments stay.";

static void check_arguments(void *out, struct argp_state *state) {
    const struct record_verb *verb = out;
    if (verb->results.count > 1)
        argp_error(state, "expected one folder of results; '%s' is a second one", verb->results.words[1]);
    if (!verb->results.count)
        argp_error(state, "no folder of results given (example: out/$(build/springback devices --machine))");
    if (!verb->name)
        argp_error(state, "--name is missing (example: --name amd-epyc-9474f)");
}

static int record(void *out) {
    const struct record_verb *verb = out;
    AUTO(machine_free) struct machine machine;
    int status = machine_read(verb->results.words[0], &machine);
    if (!status)
        status = machine_record(&machine, verb->out, verb->name);
    if (!status)
        printf("%s/%s: recorded%s\n", verb->out, verb->name,
               machine.limits_count
                   ? ""
                   : "; the folder has no hardware limits: measure them with `springback devices --measure`");
    return status;
}

const struct verb verb_record = {.arguments = "DIR",
                                 .doc = doc,
                                 .options = options,
                                 .check = check_arguments,
                                 .size = sizeof(struct record_verb),
                                 .defaults = &(const struct record_verb){.out = "data/machines"},
                                 .run = record};
