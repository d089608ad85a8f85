/* springback compare: compare machines. */
#include "base/file.h"
#include "base/memory.h"
#include "base/project.h"
#include "cli/verb.h"
#include "report/comparison.h"

#include <stdio.h>
#include <stdlib.h>

struct compare_verb {
    struct words folders, backends;
    const char *papers;
    bool json, html, table;
};

static const struct verb_option options[] = {
    {"backend", 'b', "BACKEND",
     "Compare the first folder's runs on one backend with the other folders' runs on another backend: give the option "
     "twice",
     OPTION_WORDS, .field = offsetof(struct compare_verb, backends)},
    {"json", 0, NULL, "Print one JSON object for each folder after the first", OPTION_FLAG,
     .field = offsetof(struct compare_verb, json)},
    {"html", 0, NULL, "Print one HTML <section> for each folder after the first", OPTION_FLAG,
     .field = offsetof(struct compare_verb, html)},
    {"table", 0, NULL, "Print the speeds as a table, which figures/compare.gp draws", OPTION_FLAG,
     .field = offsetof(struct compare_verb, table)},
    {"papers", 0, "DIR", "Folder with the records of the papers' own machines (default: data/machines, if it exists)",
     OPTION_TEXT, .field = offsetof(struct compare_verb, papers)},
    {.name = NULL},
};

static const char doc[] =
    "Compare the first machine with each of the other machines, by the runs that both machines have. The output has "
    "the differences of hardware and software, and the differences of the physics by the state hashes of the recorded "
    "frames. The output also has the speed: the ratio of the median frame times with its interval, and how much of "
    "the hardware limit each machine reaches. A folder has results (out/MACHINE) or is a record (data/machines/NAME). "
    "Runs that did different work are not compared; their differences are printed. Exit codes: 0 all runs that should "
    "be bit-identical are bit-identical, 1 some of them differ, 2 bad input, or nothing to compare."
    "\v"
    "Example: this machine and an H100; one core and all cores\n"
    "  springback compare out/$(build/springback devices --machine) data/machines/nvidia-h100\n"
    "  springback compare out/here out/here --backend serial --backend threads";

static void check_arguments(void *out, struct argp_state *state) {
    const struct compare_verb *verb = out;
    if (verb->folders.count < 2)
        argp_error(state, "expected two or more folders, but %d %s given", verb->folders.count,
                   verb->folders.count == 1 ? "is" : "are");
    if (verb->json + verb->html + verb->table > 1)
        argp_error(state, "--json, --html and --table cannot be combined");
    if (verb->backends.count != 0 && verb->backends.count != 2)
        argp_error(state, "--backend must be given twice (for the first folder and for the others) or not at all");
}

static int compare(const struct compare_verb *verb, const struct machine *first, const struct machine *second,
                   const struct machines *papers) {
    struct comparison comparison;
    int status = machines_compare(first, second, verb->backends.count ? verb->backends.words : NULL, papers->items,
                                  papers->count, &comparison);
    if (!status && !comparison.pair_count)
        status =
            fail("%s and %s have no runs to compare: %s; run the same experiment in both", first->path, second->path,
                 verb->backends.count ? "no experiment has runs on the first backend in the first folder and on the "
                                        "second backend in the other"
                                      : "no run of the first folder has the same experiment and parameters as a run of "
                                        "the other");
    if (!status) {
        (verb->json    ? comparison_json
         : verb->html  ? comparison_html
         : verb->table ? comparison_table
                       : comparison_print)(&comparison, stdout);
        status = comparison.physics[PHYSICS_DIFFERENT] ? STATUS_CHANGED : STATUS_OK;
        if (comparison.refused == comparison.pair_count)
            status = fail("%s and %s: in all %d pairs, the two runs did different work, as printed above; run the same "
                          "tier of the same experiments on both",
                          first->path, second->path, comparison.refused);
    }
    comparison_free(&comparison);
    return status;
}

static int compare_all(void *out) {
    const struct compare_verb *verb = out;
    AUTO(machine_free) struct machine first;
    AUTO(machines_free) struct machines papers = {NULL, 0};
    int status = machine_read(verb->folders.words[0], &first);
    if (!status && verb->papers && !file_exists(verb->papers))
        status = fail("%s: no such folder; --papers expects a folder of records", verb->papers);
    if (!status)
        status = machines_read(verb->papers ? verb->papers : project_path("data/machines"), &papers);
    for (int f = 1; f < verb->folders.count && status != STATUS_BAD; ++f) {
        struct machine other;
        int compared = machine_read(verb->folders.words[f], &other);
        if (!compared && f > 1 && !verb->json && !verb->html && !verb->table)
            printf("\n\n");
        if (!compared)
            compared = compare(verb, &first, &other, &papers);
        machine_free(&other);
        status = compared > status ? compared : status;
    }
    return status;
}

const struct verb verb_compare = {.arguments = "DIR DIR...",
                                  .doc = doc,
                                  .options = options,
                                  .check = check_arguments,
                                  .size = sizeof(struct compare_verb),
                                  .run = compare_all};
