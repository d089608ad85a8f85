/* springback clean: remove what earlier sweeps, killed runs and deleted experiments left over. */
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

enum { KEY_DRY_RUN = 256, KEY_PARTS };

static const struct argp_option options[] = {
    {"out", 'o', "DIR", 0, "Folder of the results to clean (out/<host>)", 0},
    {"dry-run", KEY_DRY_RUN, 0, 0, "Only say what would be removed", 0},
    {"parts", KEY_PARTS, 0, 0, "Remove also what interrupted runs left that can be resumed", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct clean_verb *verb = state->input;
    switch (key) {
    case 'o':
        if (!*argument)
            argp_error(state, "--out names no folder; --out DIR would");
        verb->out = argument;
        return 0;
    case KEY_DRY_RUN:
        verb->dry_run = true;
        return 0;
    case KEY_PARTS:
        verb->parts = true;
        return 0;
    case ARGP_KEY_ARG:
        words_add(&verb->files, argument);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "an experiment file must be named");
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* A mistake in one file could make its traces look left over: all are read before anything is removed. */
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
            printf("kept %s: its run was interrupted and can be resumed; --parts removes it\n", leftover->path);
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

int verb_clean(int count, char **words) {
    struct clean_verb verb = {.out = NULL};
    const struct argp argp = {
        options,
        parse,
        "FILE...",
        "Remove what is left over in the results of experiments: traces and tables of runs that "
        "neither the file nor its manifest names any more, halves of interrupted writing, and the "
        "results of experiments of the same paper whose files are gone. Nothing else is touched."
        "\vExample: see first, then remove\n"
        "  springback clean --dry-run experiments/va2022/*.yaml\n"
        "  springback clean experiments/va2022/*.yaml",
        NULL,
        NULL,
        NULL};
    int status = verb_parse(&argp, count, words, &verb);
    if (status >= 0)
        return status;
    char *out = verb.out ? text_copy(verb.out) : default_out();
    struct leftovers leftovers = {NULL, 0};
    status = find(&verb, out, &leftovers);
    if (!status)
        status = clean(&verb, &leftovers);
    leftovers_free(&leftovers);
    words_free(&verb.files);
    free(out);
    return status ? complain() : STATUS_OK;
}
