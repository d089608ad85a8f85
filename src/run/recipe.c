#include "run/recipe.h"

#include "backend/cpu.h"
#include "base/memory.h"
#include "experiment/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char generation[] = "2";

/* A part of a recipe, which is also a note of the trace. */
struct recipe_part {
    const char *note;        /* name of the note */
    bool is_readable;        /* messages can show the text, because it is not a hash */
    const char *what, *text; /* what: the name of the part in messages; text: the value of the part */
};

enum { PARTS = 9 };

/* The parts of a recipe, in the order in which the key hashes them. */
static void list_parts(const struct recipe *recipe, struct recipe_part out[PARTS]) {
    const struct recipe_part parts[PARTS] = {
        {"generation", true, "the generation of traces", generation},
        {"springback", true, "springback's version", provenance_version()},
        {"canonical", false, "the parameters", recipe->run->canonical},
        {"body_hash", false, "the body", recipe->body},
        {"kernels", false, "the kernels", recipe->kernels},
        {"method_code", false, "the code outside the backend", recipe->code},
        {"backend_code", false, "the backend's code", recipe->backend_code},
        {"device", true, "the device", recipe->device},
        {"driver", true, "the driver", recipe->driver},
    };
    memcpy(out, parts, sizeof parts);
}

void recipe_add_notes(const struct recipe *recipe, struct notes *notes) {
    notes_add(notes, "generation", "%s", generation);
    notes_add(notes, "kernels", "%s", recipe->kernels);
    notes_add(notes, "method_code", "%s", recipe->code);
    notes_add(notes, "backend_code", "%s", recipe->backend_code);
}

/* Whether the option --set gave the value of the parameter `path`. `is_of_command` says whether any option gave the
 * value, --set or --backend. */
static bool is_set(bool is_of_command, const char *path) {
    return is_of_command && strcmp(path, "backend") != 0;
}

static void hash_code(const struct model *model, const struct backend_choice *choice, struct recipe *recipe) {
    const char *words[sizeof model->program.sources / sizeof(char *) + 3] = {
        choice->backend->name, model->body.prepared.vertices ? "mesh" : "cloth"};
    memcpy(words + 2, model->program.sources, (size_t)model->program.source_count * sizeof *words);
    code_digest(code_files, false, words, recipe->code);
    code_digest(code_files, true, words, recipe->backend_code);
}

int recipe_make(const struct run *run, const struct model *model, const struct backend_choice *choice,
                struct recipe *out) {
    /* The number of threads changes only times, unless sums are atomic. */
    const bool ignores_thread_count =
        choice->backend->has_threads && !model->program.has_unordered_sums && !run_is_timed(run);
    *out = (struct recipe){.run = run,
                           .device = ignores_thread_count ? cpu_name() : choice->device_name,
                           .driver = choice->driver,
                           .ignores_thread_count = ignores_thread_count};
    if (model_kernel_digest(model, choice, out->kernels))
        return STATUS_BAD;
    struct recipe_part parts[PARTS];
    memcpy(out->body, model->body.sum, sizeof out->body);
    hash_code(model, choice, out);
    list_parts(out, parts);
    struct digest *digest = digest_create();
    for (int p = 0; p < PARTS; ++p)
        digest_add_text(digest, parts[p].text);
    /* A trace records which parameters --set gave, so the trace is outdated if --set gives other parameters. */
    for (int p = 0; p < run->parameter_count; ++p)
        if (is_set(run->parameters[p].origin == ORIGIN_COMMAND, run->parameters[p].field->path))
            digest_add_text(digest, run->parameters[p].field->path);
    digest_finish(digest, out->key);
    return STATUS_OK;
}

/* The reasons why a trace is outdated, or the parameters that differ, joined by semicolons in `text`. The text has only
 * the first REASONS_SHOWN of them; `count` counts all. */
struct reasons {
    char *text;
    int count;
};

enum { REASONS_SHOWN = 4 };

PRINTF_LIKE(2, 3)
static void add(struct reasons *reasons, const char *format, ...) {
    if (reasons->count++ >= REASONS_SHOWN)
        return;
    va_list arguments;
    va_start(arguments, format);
    AUTO_FREE char *reason = text_format_list(format, arguments);
    va_end(arguments);
    reasons->text = reasons->text ? reasons->text : text_copy("");
    text_append(&reasons->text, "%s%s", *reasons->text ? "; " : "", reason);
}

int run_of_trace(const struct trace_data *trace, struct run *out) {
    AUTO_FREE struct stated *stated = memory_new((size_t)trace->parameter_count, sizeof *stated);
    for (int p = 0; p < trace->parameter_count; ++p)
        stated[p] = (struct stated){trace->parameters[p].path, trace->parameters[p].value};
    return run_restore(trace->path, stated, trace->parameter_count, method_table, backend_words, out);
}

bool recipe_was_set(const struct trace_parameter *parameter) {
    return is_set(!strcmp(parameter->origin, origin_name(ORIGIN_COMMAND)), parameter->path);
}

/* Add the parameters that differ between a run and a trace. If only_of_file, skip the backend and the parameters whose
 * values in the trace are from the option --set. If there are such parameters, skip also the parameters that only the
 * run or only the trace has, because --set can change which parameters exist. */
static void compare_parameters(const struct run *run, const struct trace_data *trace, bool only_of_file,
                               struct reasons *reasons) {
    bool has_set = false;
    for (int p = 0; p < trace->parameter_count && only_of_file; ++p)
        has_set = has_set || recipe_was_set(&trace->parameters[p]);
    for (int p = 0; p < run->parameter_count; ++p) {
        const char *path = run->parameters[p].field->path, *is = run->parameters[p].value.text;
        const struct trace_parameter *was = trace_parameter_at(trace, path);
        if (only_of_file && (was ? recipe_was_set(was) || !strcmp(path, "backend") : has_set))
            continue;
        if (!was)
            add(reasons, "%s is new: %s", path, is);
        else if (strcmp(was->value, is) != 0)
            add(reasons, "%s was %s, is %s", path, was->value, is);
    }
    for (int p = 0; p < trace->parameter_count && !has_set; ++p)
        if (!run_parameter(run, trace->parameters[p].path))
            add(reasons, "%s is gone: was %s", trace->parameters[p].path, trace->parameters[p].value);
}

/* The text of the reasons, with "; and N more" at its end if there are more than REASONS_SHOWN. The caller frees the
 * text. NULL if there are no reasons. */
static char *reasons_text(struct reasons *reasons) {
    if (reasons->count <= REASONS_SHOWN)
        return reasons->text;
    text_append(&reasons->text, "; and %d more", reasons->count - REASONS_SHOWN);
    return reasons->text;
}

int recipe_parameters_differ(const struct run *run, const struct trace_data *trace, char **text) {
    /* If `count` starts at REASONS_SHOWN, add() makes no text. */
    struct reasons reasons = {NULL, text ? 0 : REASONS_SHOWN};
    compare_parameters(run, trace, true, &reasons);
    const int count = text ? reasons.count : reasons.count - REASONS_SHOWN;
    if (text)
        *text = reasons_text(&reasons);
    return count;
}

/* The reasons why a trace with another key is outdated. Newly allocated; the caller frees it. */
static char *compare(const struct recipe *recipe, const struct trace_data *trace) {
    struct reasons reasons = {NULL, 0};
    struct recipe_part parts[PARTS];
    list_parts(recipe, parts);
    for (int p = 0; p < PARTS; ++p) {
        const char *is = parts[p].text, *note = parts[p].note;
        const char *was =
            trace_provenance_note(trace, is == recipe->device && recipe->ignores_thread_count ? "cpu" : note);
        was = was ? was : trace_run_note(trace, note);
        if (!was || !strcmp(was, is))
            continue;
        if (is == recipe->run->canonical)
            compare_parameters(recipe->run, trace, false, &reasons);
        else if (parts[p].is_readable)
            add(&reasons, "%s was %s, is %s", parts[p].what, was, is);
        else
            add(&reasons, "%s changed", parts[p].what);
    }
    for (int p = 0; p < trace->parameter_count && !reasons.count; ++p) {
        const struct parameter *is = run_parameter(recipe->run, trace->parameters[p].path);
        if (is && recipe_was_set(&trace->parameters[p]) != is_set(is->origin == ORIGIN_COMMAND, is->field->path))
            add(&reasons, "--set %s %s", recipe_was_set(&trace->parameters[p]) ? "was given for" : "is now given for",
                is->field->path);
    }
    char *text = reasons_text(&reasons);
    return text ? text : text_copy("the trace was made from other inputs, which it does not name");
}

char *recipe_differs(const struct recipe *recipe, struct trace_index *index, const char *folder, const char *name) {
    static const char *const states[] = {
        [TRACE_ABSENT] = "no trace yet",
        [TRACE_UNREADABLE] = "the trace cannot be read",
        [TRACE_FOREIGN] = "the file in the trace's place is not a trace",
        [TRACE_DAMAGED] = "the trace is damaged",
        [TRACE_OTHER] = "the trace has the layout of another version of springback",
        [TRACE_UNFINISHED] = "the trace is unfinished",
    };
    AUTO_FREE char *path = text_format("%s/%s", folder, name);
    const enum trace_state state = trace_index_has(index, name) ? TRACE_WHOLE : trace_state(path);
    if (state != TRACE_WHOLE)
        return text_copy(states[state]);
    const struct failure_mark mark = failure_mark();
    AUTO(trace_close) struct trace_data trace;
    if (trace_index_read(index, folder, name, &trace)) {
        failure_rewind(mark);
        return text_copy(states[TRACE_DAMAGED]);
    }
    return strcmp(trace_run_text(&trace, "key"), recipe->key) ? compare(recipe, &trace) : NULL;
}
