/* Completion for bash: what the verbs' tables and the table of fields offer, and a function that picks from it. */
#include "backend/backend.h"
#include "cli/manual.h"
#include "method/method.h"
#include "run/provenance.h"

#include <ctype.h>
#include <string.h>

/* What an argument of this name takes; all others are files. */
static const struct {
    const char *argument, *words;
} choices[] = {
    {"TIER", "quick full"},
    {"FORMAT", "series vtk triangles figure"},
    {"WHEN", "auto always never"},
    {"SECTION", "1 5"},
    {"SHELL", "bash"},
    {"FRAME", ""},
    {"DEGREES", ""},
};

/* Every way to write a field on the command line, and the words that it may have. */
static void put_field(FILE *out, const struct field *field) {
    const char *name = field->path, *dot = strrchr(name, '.');
    for (;;) {
        fprintf(out, " %s=", name);
        for (const char *word = field->choices; word && *word; word += strspn(word, " ")) {
            const size_t length = strcspn(word, " ");
            if (field->type == TYPE_CHOICE)
                fprintf(out, " %s=%.*s", name, (int)length, word);
            word += length;
        }
        if (!dot || name != field->path)
            return;
        name = dot + 1;
    }
}

/* Whether a method before this one has a field of the same path and words. */
static bool is_known(const struct method_fields *method, const struct field *field) {
    for (const struct method_fields *before = method_table; before != method; ++before)
        for (const struct field *other = before->fields; other->path; ++other)
            if (!strcmp(other->path, field->path) &&
                !strcmp(other->choices ? other->choices : "", field->choices ? field->choices : ""))
                return true;
    return false;
}

static void put_fields(FILE *out, const char *argument, const char *others) {
    fprintf(out, "    %s) echo '%s", argument, others);
    for (const struct field *field = experiment_fields; field->path; ++field)
        put_field(out, field);
    for (const struct method_fields *method = method_table; method->name; ++method) {
        fprintf(out, " method.name=%s", method->name);
        for (const struct field *field = method->fields; field->path; ++field)
            if (!is_known(method, field))
                put_field(out, field);
    }
    fputs("' ;;\n", out);
}

/* Of a choice that takes a number, what stands before the number. */
static void put_backends(FILE *out) {
    fputs("    BACKEND) echo '", out);
    for (const char *const *words = backend_words; *words; ++words)
        for (const char *word = *words; *word; word += strspn(word, " ")) {
            const size_t length = strcspn(word, " ");
            const bool is_numbered = length > 3 && !strncmp(word + length - 3, "...", 3);
            fprintf(out, " %.*s", (int)(is_numbered ? strcspn(word, ":") + 1 : length), word);
            word += length;
        }
    fputs("' ;;\n", out);
}

struct lists {
    FILE *out;
    const char *verb;
};

static bool is_short(const struct argp_option *option) {
    return option->key > 0 && option->key < 128 && isprint(option->key);
}

static void put_name(void *context, const struct argp_option *option) {
    fprintf(context, " --%s%s", option->name, option->arg && !(option->flags & OPTION_ARG_OPTIONAL) ? "=" : "");
}

static void put_argument(void *context, const struct argp_option *option) {
    const struct lists *lists = context;
    if (!option->arg)
        return;
    fprintf(lists->out, "    '%s --%s='", lists->verb, option->name);
    if (!(option->flags & OPTION_ARG_OPTIONAL)) {
        fprintf(lists->out, " | '%s --%s'", lists->verb, option->name);
        if (is_short(option))
            fprintf(lists->out, " | '%s -%c'", lists->verb, option->key);
    }
    fprintf(lists->out, ") echo '%s' ;;\n", option->arg);
}

static void put_options(void *context, const struct verb *verb, const struct argp *argp) {
    FILE *out = context;
    fprintf(out, "    %s) echo '--help --usage", verb->name);
    options_visit(argp, put_name, out);
    options_visit(&verb_common, put_name, out);
    fputs("' ;;\n", out);
}

static void put_arguments(void *context, const struct verb *verb, const struct argp *argp) {
    struct lists lists = {context, verb->name};
    options_visit(argp, put_argument, &lists);
    options_visit(&verb_common, put_argument, &lists);
    /* "[FILE...]" is FILE */
    const char *name = argp->args_doc ? argp->args_doc + strspn(argp->args_doc, "[") : "";
    fprintf(context, "    '%s ') echo '%.*s' ;;\n", verb->name, (int)strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), name);
}

/* bash breaks words at = and :, the command does not: the word is taken from the line, and of an answer that begins
 * with what bash already counts as earlier words, only the rest is given. */
static const char function[] =
    "_springback() {\n"
    "    local line=${COMP_LINE:0:COMP_POINT} breaks=${COMP_WORDBREAKS//[^=:]/} first=0 current option='' value kind "
    "reply\n"
    "    local -a words found=()\n"
    "    read -ra words <<<\"$line\"\n"
    "    if [[ -z $line || $line == *[[:space:]] ]]; then words+=(''); fi\n"
    "    while ((first < ${#words[@]} - 1)) && [[ ${words[first]##*/} != springback ]]; do ((++first)); done\n"
    "    words=(\"${words[@]:first}\")\n"
    "    current=${words[-1]} value=$current\n"
    "    COMPREPLY=()\n"
    "    if ((${#words[@]} <= 2)); then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$(_springback_verbs)\" -- \"$current\")\n"
    "        return\n"
    "    fi\n"
    "    if [[ $current == --*=* ]]; then\n"
    "        option=${current%%=*}= value=${current#*=}\n"
    "    elif [[ $current == -* ]]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$(_springback_options \"${words[1]}\")\" -- \"$current\")\n"
    "        if [[ ${COMPREPLY[0]-} == *= ]]; then compopt -o nospace 2>/dev/null; fi\n"
    "        return\n"
    "    elif [[ ${words[-2]} == -* && ${words[-2]} != *=* ]]; then\n"
    "        option=${words[-2]}\n"
    "    fi\n"
    "    kind=$(_springback_argument \"${words[1]} $option\")\n"
    "    if [[ -z $kind && $option != *= ]]; then kind=$(_springback_argument \"${words[1]} \"); fi\n"
    "    case $kind in\n"
    "    DIR | FOLDER) compopt -o filenames 2>/dev/null; mapfile -t found < <(compgen -d -- \"$value\") ;;\n"
    "    FILE | TRACE | MESH | PICTURE)\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        local ending endings=yaml\n"
    "        case $kind in TRACE) endings=h5 ;; MESH) endings='obj off ply stl gz' ;; PICTURE) endings='svg png' ;; "
    "esac\n"
    "        mapfile -t found < <(for ending in $endings; do compgen -f -X \"!*.$ending\" -- \"$value\"; done\n"
    "            compgen -d -- \"$value\")\n"
    "        ;;\n"
    "    *)\n"
    "        mapfile -t found < <(compgen -W \"$(_springback_words \"$kind\")\" -- \"$value\")\n"
    "        # first the names, then, behind one of them, its words\n"
    "        if [[ $kind == *=* && $value != *=* ]]; then\n"
    "            local -a names=()\n"
    "            for reply in \"${found[@]}\"; do if [[ $reply == *= ]]; then names+=(\"$reply\"); fi; done\n"
    "            found=(\"${names[@]}\")\n"
    "            compopt -o nospace 2>/dev/null\n"
    "        elif [[ $kind == *=* ]]; then\n"
    "            local -a words_of=()\n"
    "            for reply in \"${found[@]}\"; do if [[ $reply != *= ]]; then words_of+=(\"$reply\"); fi; done\n"
    "            found=(\"${words_of[@]}\")\n"
    "        fi\n"
    "        ;;\n"
    "    esac\n"
    "    local head=''\n"
    "    if [[ -n $breaks ]]; then head=${current%\"${current##*[\"$breaks\"]}\"}; fi\n"
    "    if [[ $option != *= ]]; then option=''; fi\n"
    "    for reply in \"${found[@]}\"; do reply=$option$reply; COMPREPLY+=(\"${reply#\"$head\"}\"); done\n"
    "}\n"
    "complete -F _springback springback\n";

void completion_bash(FILE *out) {
    fprintf(out,
            "# bash completion of springback %s, made by `springback manual --completion=bash`; to be sourced, or put "
            "into\n# share/bash-completion/completions/springback.\n",
            provenance_version());
    fputs("_springback_verbs() {\n    echo '--help --version", out);
    for (const struct verb *verb = verbs; verb->name; ++verb)
        fprintf(out, " %s", verb->name);
    fputs("'\n}\n_springback_options() { # of a verb\n    case $1 in\n", out);
    for (const struct verb *verb = verbs; verb->name; ++verb)
        verb_describe(verb, put_options, out);
    fputs(
        "    esac\n}\n_springback_argument() { # what stands behind a verb's option, or behind none\n    case $1 in\n",
        out);
    for (const struct verb *verb = verbs; verb->name; ++verb)
        verb_describe(verb, put_arguments, out);
    fputs("    esac\n}\n_springback_words() { # what such an argument may be\n    case $1 in\n", out);
    for (size_t c = 0; c < sizeof choices / sizeof *choices; ++c)
        fprintf(out, "    %s) echo '%s' ;;\n", choices[c].argument, choices[c].words);
    put_backends(out);
    put_fields(out, "KEY=VALUE", "id=");
    put_fields(out, "PATH=VALUE", "");
    fputs("    esac\n}\n", out);
    fputs(function, out);
}
