#include "cli/verb.h"

#include "backend/backend.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/project.h"
#include "base/terminal.h"
#include "cli/spread.h"
#include "method/method.h"
#include "run/provenance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct verb_option selection_options[] = {
    {"backend", 'b', "BACKEND",
     "Run on this backend (`springback devices` lists all backends) instead of the backends in the file; may be given "
     "several times",
     OPTION_WORDS, .field = offsetof(struct selection, backends)},
    {"tier", 't', "TIER", "quick (fewer repeats and frames) or full (default: full)", OPTION_TEXT,
     .field = offsetof(struct selection, tier)},
    {"only", 'k', "KEY=VALUE",
     "Only the runs in which KEY has this value, for example backend=serial. If the option is given several times, "
     "only the runs that match all of them",
     OPTION_WORDS, .field = offsetof(struct selection, only)},
    {"set", 's', "PATH=VALUE",
     "Set a field to another value than in the file, for example time.frames=5. The last part of a path is enough if "
     "it is unambiguous, for example precision=double for a reference run. A method's name instead of `method` sets "
     "the "
     "field for this method only, for example xpbd.stiffness=5. May be given several times",
     OPTION_WORDS, .field = offsetof(struct selection, set)},
    {.name = NULL},
};

struct plan_options selection_plan_options(const struct selection *selection) {
    return (struct plan_options){.tier = selection->tier,
                                 .set = selection->set.words,
                                 .only = selection->only.words,
                                 .backends = selection->backends.words,
                                 .methods = method_table,
                                 .backend_words = backend_words};
}

int selection_plan(const struct selection *selection, const char *file, struct plan *plan) {
    const struct plan_options options = selection_plan_options(selection);
    return plan_read(file, &options, plan);
}

const char *results_folder(const char *named) {
    static char folder[80];
    if (!named)
        snprintf(folder, sizeof folder, "out/%s", provenance_machine());
    return named ? named : folder;
}

void verb_check_set(void *selection, struct argp_state *state) {
    const struct selection *chosen = selection;
    if (chosen->set.count && !chosen->out)
        argp_error(state, "--set changes the experiment; use --out DIR with a separate folder for the results");
}

void shard_take(void *selection, const char *argument, struct argp_state *state) {
    struct selection *chosen = selection;
    const char *slash = strchr(argument, '/');
    AUTO_FREE char *first = text_format("%.*s", (int)strcspn(argument, "/"), argument);
    if (!slash || !whole_read(slash + 1, 1, MAX_SHARDS, &chosen->shards) ||
        !whole_read(first, 1, chosen->shards, &chosen->shard))
        argp_error(state, "--shard='%s' is not I/N with I from 1 to N and N at most %d (example: --shard=2/4)",
                   argument, MAX_SHARDS);
}

/* ---- Parsing ---- */

enum { KEY_COLOUR = 0x1000, KEY_OPTION = 0x2000, OPTIONS_MOST = 32 };

static const struct argp_option colour_option = {
    "color",
    KEY_COLOUR,
    "WHEN",
    OPTION_ARG_OPTIONAL,
    "Colour verdicts and outcomes: auto (the default: on a terminal, unless NO_COLOR is set), always or never",
    -1};

/* The state while the words of a verb are parsed. */
struct parsing {
    const struct verb *verb;
    void *out;
    const struct verb_option *options[OPTIONS_MOST]; /* option k has the key of argp_options[k] */
    struct argp_option argp_options[OPTIONS_MOST + 1];
    int count;
};

static void add_options(struct parsing *parsing, const struct verb_option *options, int group) {
    for (; options->name && parsing->count < OPTIONS_MOST - 1; ++options) {
        const int k = parsing->count++;
        parsing->options[k] = options;
        parsing->argp_options[k] = (struct argp_option){.name = options->name,
                                                        .key = options->letter ? options->letter : KEY_OPTION + k,
                                                        .arg = options->argument,
                                                        .doc = options->doc,
                                                        .group = group};
    }
}

static void take(const struct verb_option *option, void *out, char *argument, struct argp_state *state) {
    void *field = (char *)out + option->field;
    const char *end;
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        break;
    case OPTION_TEXT:
    case OPTION_PATH:
        if (option->kind == OPTION_PATH && !*argument)
            argp_error(state, "--%s: the %s's name is empty (expected --%s %s)", option->name,
                       strcmp(option->argument, "FILE") ? "folder" : "file", option->name, option->argument);
        *(const char **)field = argument;
        break;
    case OPTION_NUMBER:
        end = number_read(argument, field);
        if (!end || *end || *(double *)field < option->low || *(double *)field > option->high)
            argp_error(state, "--%s expects %s, not '%s'", option->name, option->range, argument);
        break;
    case OPTION_WHOLE:
        if (!whole_read(argument, (int)option->low, (int)option->high, field))
            argp_error(state, "--%s expects %s, not '%s'", option->name, option->range, argument);
        break;
    case OPTION_WORDS:
        words_add(field, argument);
        break;
    case OPTION_OWN:
        option->take(out, argument, state);
        break;
    }
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct parsing *parsing = state->input;
    const struct verb *verb = parsing->verb;
    switch (key) {
    case KEY_COLOUR:
        if (terminal_colour(argument ? argument : "always"))
            argp_error(state, "--color expects auto, always or never, not '%s'", argument);
        return 0;
    case ARGP_KEY_ARG:
        if (!verb->arguments)
            return ARGP_ERR_UNKNOWN;
        words_add(parsing->out, project_path(argument));
        return 0;
    case ARGP_KEY_NO_ARGS:
        if (verb->missing)
            argp_error(state, "%s", verb->missing);
        return 0;
    case ARGP_KEY_END:
        if (verb->check)
            verb->check(parsing->out, state);
        return 0;
    default:
        for (int k = 0; k < parsing->count; ++k)
            if (parsing->argp_options[k].key == key) {
                take(parsing->options[k], parsing->out, argument, state);
                return 0;
            }
        return ARGP_ERR_UNKNOWN;
    }
}

/* Call the verb's function `each` for each argument, until a signal is received. */
static int do_each(const struct verb *verb, void *out) {
    const struct words *files = out;
    int status = STATUS_OK;
    interrupt_catch();
    for (int f = 0; f < files->count && !interrupt_signal(); ++f)
        if (verb->each(out, files->words[f]))
            status = STATUS_BAD;
    return status;
}

int verb_do(const struct verb *verb, int count, char **words) {
    AUTO_FREE void *out = memory_new(1, verb->size);
    struct parsing parsing = {.verb = verb, .out = out};
    if (verb->defaults)
        memcpy(out, verb->defaults, verb->size);
    add_options(&parsing, verb->options, 0);
    if (verb->has_selection)
        add_options(&parsing, selection_options, 1);
    parsing.argp_options[parsing.count] = colour_option;
    const struct argp argp = {
        .options = parsing.argp_options, .parser = parse, .args_doc = verb->arguments, .doc = verb->doc};
    char *name = text_format("springback %s", words[0]), *first = words[0];
    words[0] = name;
    argp_err_exit_status = STATUS_BAD;
    error_t error = argp_parse(&argp, count, words, 0, NULL, &parsing);
    words[0] = first;
    free(name);
    int status = error ? STATUS_BAD : STATUS_OK;
    if (!status && verb->has_selection)
        status = spread_over_devices(verb, out, count, words);
    const struct selection *selection = out;
    if (!status && !(verb->has_selection && selection->is_shared && selection->shards))
        status = verb->each ? do_each(verb, out) : verb->run(out);
    if (verb->arguments)
        words_free(out);
    for (int k = 0; k < parsing.count; ++k)
        if (parsing.options[k]->kind == OPTION_WORDS)
            words_free((void *)((char *)out + parsing.options[k]->field));
    if (status == STATUS_BAD || interrupt_signal())
        complain();
    interrupt_obey();
    return status;
}

int complain(void) {
    char *copy = text_copy(failure_text()), *rest = copy, *line;
    terminal_clean(copy);             /* messages contain names and texts from untrusted files */
    struct words printed = {NULL, 0}; /* a message that occurs for many runs is printed once */
    while ((line = strsep(&rest, "\n")))
        if (*line && words_add_new(&printed, line))
            fprintf(stderr, "springback: %s\n", line);
    words_free(&printed);
    free(copy);
    failure_clear();
    return STATUS_BAD;
}
