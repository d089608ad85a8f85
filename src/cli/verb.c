#include "cli/verb.h"

#include "backend/backend.h"
#include "base/memory.h"
#include "base/terminal.h"
#include "method/method.h"
#include "run/provenance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void words_add(struct words *words, const char *word) {
    words->words = memory_grow(words->words, (size_t)words->count + 2, sizeof *words->words);
    words->words[words->count++] = word;
    words->words[words->count] = NULL;
}

void words_free(struct words *words) {
    free(words->words);
    *words = (struct words){NULL, 0};
}

const struct argp_option selection_options[] = {
    {"backend", 'b', "BACKEND", 0,
     "Run on this backend instead of the file's, as `springback devices` names it; may be given again", 1},
    {"tier", 't', "TIER", 0, "quick (fewer repeats and frames) or full", 1},
    {"only", 'k', "KEY=VALUE", 0, "Only the runs that have this; may be given again", 1},
    {"set", 's', "PATH=VALUE", 0,
     "Set a field, over what the file says, as in time.frames=5; its last part will do where only one field has it, as "
     "in precision=double, the reference run. May be given again",
     1},
    {0},
};

error_t selection_parse(int key, char *argument, struct argp_state *state) {
    struct selection *selection = state->input;
    struct words *list = key == 'b' ? &selection->backends : key == 'k' ? &selection->only : &selection->set;
    switch (key) {
    case 'b':
    case 'k':
    case 's':
        words_add(list, argument);
        return 0;
    case 't':
        selection->tier = argument;
        return 0;
    case ARGP_KEY_ARG:
        words_add(&selection->files, argument);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "an experiment file must be named");
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void selection_free(struct selection *selection) {
    words_free(&selection->files);
    words_free(&selection->set);
    words_free(&selection->only);
    words_free(&selection->backends);
}

int selection_plan(const struct selection *selection, const char *file, struct plan *plan) {
    const struct plan_options options = {.tier = selection->tier,
                                         .set = selection->set.words,
                                         .only = selection->only.words,
                                         .backends = selection->backends.words,
                                         .methods = method_table,
                                         .backend_words = backend_words};
    return plan_read(file, &options, plan);
}

char *default_out(void) {
    return text_format("out/%s", provenance_host());
}

enum { KEY_COLOUR = 0x1000 };

static const struct argp_option common_options[] = {
    {"color", KEY_COLOUR, "WHEN", OPTION_ARG_OPTIONAL,
     "Colour verdicts and outcomes: auto (the default: on a terminal, unless NO_COLOR is set), always or never", -1},
    {0},
};

static error_t common_parse(int key, char *argument, struct argp_state *state) {
    if (key == ARGP_KEY_INIT)
        state->child_inputs[0] = state->input;
    if (key == KEY_COLOUR && terminal_colour(argument ? argument : "always"))
        argp_error(state, "--color takes auto, always or never; '%s' is none of them", argument);
    return key == KEY_COLOUR || key == ARGP_KEY_INIT ? 0 : ARGP_ERR_UNKNOWN;
}

int verb_parse(const struct argp *argp, int count, char **words, void *input) {
    const struct argp_child children[] = {{argp, 0, NULL, 0}, {0}};
    const struct argp whole = {.options = common_options, .parser = common_parse, .children = children};
    char *name = text_format("springback %s", words[0]), *first = words[0];
    words[0] = name;
    argp_err_exit_status = STATUS_BAD;
    error_t error = argp_parse(&whole, count, words, 0, NULL, input);
    words[0] = first;
    free(name);
    return error ? STATUS_BAD : -1;
}

int complain(void) {
    char *copy = text_copy(failure_text()), *rest = copy, *line;
    terminal_clean(copy);          /* names and texts of files from others stand in messages */
    struct words said = {NULL, 0}; /* what keeps many runs from running is told once */
    while ((line = strsep(&rest, "\n"))) {
        bool is_new = *line != 0;
        for (int w = 0; w < said.count && is_new; ++w)
            is_new = strcmp(said.words[w], line) != 0;
        if (is_new) {
            fprintf(stderr, "springback: %s\n", line);
            words_add(&said, line);
        }
    }
    words_free(&said);
    free(copy);
    failure_clear();
    return STATUS_BAD;
}
