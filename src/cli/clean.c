/* springback clean: remove leftovers of earlier sweeps, killed runs and deleted experiments. */
#include "base/amount.h"
#include "base/memory.h"
#include "cli/verb.h"
#include "run/leftover.h"

#include <stdio.h>
#include <stdlib.h>

struct clean_verb {
    struct words files;
    const char *out;
    bool dry_run, parts;
};

static const struct verb_option options[] = {
    {"out", 'o', "DIR", "Folder of the results to clean (default: out/<machine>)", OPTION_PATH,
     .field = offsetof(struct clean_verb, out)},
    {"dry-run", 0, NULL, "Only print what would be removed", OPTION_FLAG,
     .field = offsetof(struct clean_verb, dry_run)},
    {"parts", 0, NULL, "Also remove the files of interrupted runs and sweeps that can be resumed", OPTION_FLAG,
     .field = offsetof(struct clean_verb, parts)},
    {.name = NULL},
};

/* Find the leftovers. All files are read before a file is removed, because a mistake in one experiment file could make
 * its traces look like leftovers. */
static int find(const struct clean_verb *verb, const char *out, struct leftovers *leftovers) {
    const struct selection all = {.tier = NULL};
    int status = STATUS_OK;
    for (int f = 0; f < verb->files.count; ++f) {
        struct plan plan;
        if (selection_plan(&all, verb->files.words[f], &plan)) {
            status = STATUS_BAD;
            continue;
        }
        if (leftovers_find(out, &plan, leftovers))
            status = STATUS_BAD;
        plan_free(&plan);
    }
    return status;
}

static int clean(const struct clean_verb *verb, const struct leftovers *leftovers) {
    int status = STATUS_OK, removed = 0, kept = 0;
    double bytes = 0;
    char amount[AMOUNT_SIZE];
    for (int l = 0; l < leftovers->count; ++l) {
        const struct leftover *leftover = &leftovers->items[l];
        bool gone = verb->dry_run && !leftover->folder;
        if (leftover->resumable && !verb->parts) {
            printf("kept %s: an interrupted run or sweep can be resumed from it; --parts removes it\n", leftover->path);
            ++kept;
            continue;
        }
        if (!verb->dry_run && leftover_remove(leftover, &gone)) {
            status = STATUS_BAD;
            continue;
        }
        if (!gone)
            continue;
        printf("%s %s: %s\n", verb->dry_run ? "would remove" : "removed", leftover->path, leftover->why);
        removed += !leftover->folder;
        bytes += leftover->bytes;
    }
    if (removed)
        printf("%d file%s, %s\n", removed, removed == 1 ? "" : "s", amount_bytes(bytes, amount));
    else if (!kept && !status)
        printf("nothing is left over\n");
    return status;
}

static int clean_all(void *arguments) {
    const struct clean_verb *verb = arguments;
    const char *out = results_folder(verb->out);
    AUTO(leftovers_free) struct leftovers leftovers = {NULL, 0};
    const int status = find(verb, out, &leftovers);
    return status ? status : clean(verb, &leftovers);
}

const struct verb verb_clean = {
    .arguments = "FILE...",
    .doc =
        "Remove leftover files from the results of experiments. Leftovers are partly written files, the files of "
        "interrupted sweeps, and traces and tables of runs that neither the experiment file nor the manifest names. "
        "If FILE's paper has results of an experiment without an experiment file, all of these results are leftovers. "
        "Files from which a run or sweep can be resumed are removed only with --parts. Nothing else is removed."
        "\vExample: look first, then remove\n"
        "  springback clean --dry-run experiments/va2022/*.yaml\n"
        "  springback clean experiments/va2022/*.yaml",
    .options = options,
    .missing = "no experiment file given",
    .size = sizeof(struct clean_verb),
    .run = clean_all};
