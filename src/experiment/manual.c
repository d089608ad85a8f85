#include "base/memory.h"
#include "experiment/plan.h"
#include "experiment/value.h"

#include <math.h>
#include <string.h>

/* The values that a field allows, as a sentence: " Must be above 0 and at most 1000.", or " One of: ..." for words; ""
 * if every value is allowed. Newly allocated. */
static char *allowed(const struct field *field, const char *const *backend_words) {
    if (!strcmp(field->path, "backend")) {
        char *text = text_copy(" One of:");
        for (; *backend_words; backend_words++)
            text_append(&text, " %s", *backend_words);
        text_append(&text, ".");
        return text;
    }
    if (field->choices)
        return text_format(" One of: %s.", field->choices);
    bool least = isfinite(field->least), most = isfinite(field->most);
    if (!type_numbers(field->type) || (!least && !most))
        return text_copy("");
    char *text = text_copy(" Must be ");
    if (least)
        text_append(&text, "%s %g%s", field->above_least ? "above" : "at least", field->least, most ? " and " : "");
    if (most)
        text_append(&text, "at most %g", field->most);
    text_append(&text, ".");
    return text;
}

static const char head[] = "\n\n| key | type | unit | default | meaning |\n| --- | --- | --- | --- | --- |\n";

static void add_row(char **manual, const struct field *field, const char *const *backend_words) {
    AUTO_FREE char *limits = allowed(field, backend_words);
    text_append(manual, "| `%s` | %s | %s | %s%s%s | %s%s |\n", field->path, type_name(field->type),
                strcmp(field->unit, "1") == 0 ? "" : field->unit, field->fallback ? "`" : "",
                field->fallback ? field->fallback : "must be given", field->fallback ? "`" : "", field->doc, limits);
}

static const char introduction[] =
    "## The experiment file\n\n"
    "For everyone who writes an experiment file. The file is YAML. Its first key is `springback: 1`; `paper` and "
    "`title` describe the experiment. The tables below have the keys of the parameters. The sections after the tables "
    "explain the keys `zip`, `assumptions`, `stated` and `tiers`. `time: {step: 5 ms}` and `time.step: 5 ms` are the "
    "same. Write a number with its unit, or with another unit of the same kind: `5 ms` is `0.005 s`, `25 %` is "
    "`0.25`. In a list of numbers, `0` needs no unit. A key without a default must be given. Exception: if the "
    "experiment has no cloth, no mesh or no part of the scene such as `scene.sphere`, leave out all keys of this body "
    "or part. `scene.ground.velocity_factor` and `scene.push.rim` may always be left out.\n\n";

static const char rules[] =
    "### Lists of values\n\n"
    "A key that has one value may have a list of values instead; then there is one run for each value. For a key whose "
    "value is a list, write a list of lists. If several keys have lists, all combinations run, in the order of the "
    "file; the last key varies fastest. `method:` may be a list of maps, each with a name and the keys of that method. "
    "Equal runs are made once.\n\n"
    "### Zip\n\n"
    "`zip:` contains keys with lists of the same length. The k-th values of all lists make one combination:\n\n"
    "    zip:\n"
    "      body.cloth.nodes: [[52, 52], [128, 128]]\n"
    "      time.frames: [2000, 500]\n\n"
    "Each map in a list of methods can have a `zip:`, for example for the time steps of that method.\n\n"
    "### Assumptions\n\n"
    "Write a value that the paper does not state under `assumptions:`, as a map for each key:\n\n"
    "- `value`: the chosen value, which the runs use\n"
    "- `likely`: the values that a reader of the paper would choose; required for numbers\n"
    "- `possible`: the values that anybody has used; must include `likely`; default: equal to `likely`\n"
    "- `why`: a sentence with the reason for `value` and `likely`\n"
    "- `source`: who has used the values of `possible`; required with `possible`\n\n"
    "Two numbers `[LOW, HIGH]` are an interval. Words, one number, or more than two numbers are values to choose from. "
    "A key may be under `assumptions:` or outside, but not both. Exception: if some methods of a list state a key, it "
    "can be assumed for the other methods.\n\n"
    "    assumptions:\n"
    "      time.step: {value: 1 ms, likely: [0.1 ms, 5 ms], why: usual for explicit schemes}\n\n"
    "Assumptions that all experiments of a paper share are in `experiments/<paper>.yaml`, a file with the keys "
    "`springback`, `paper`, `title` and `assumptions`. An experiment uses the assumptions whose keys it does not "
    "state. For such an assumption, the experiment may give another `value` within the likely range, with a `why`. "
    "With `likely: [VALUE]` a sweep of this experiment does not vary the value, which may then be outside the likely "
    "range.\n\n"
    "### Stated values\n\n"
    "`stated:` gives, for each value that the paper states, the place in the paper. If the experiment "
    "itself compares several values of a key, the entry of the key begins with `swept:`. If a value cannot change what "
    "the claims judge, its entry begins with `no effect on`. Every other value that you choose is an assumption. "
    "`springback plan` shows values without a source.\n\n"
    "    stated:\n"
    "      time.frames: Sec. 5, figure 3\n"
    "      time.step: \"swept: the claim compares three steps\"\n"
    "      scene.gravity: \"no effect on the counts: the body is at rest\"\n\n"
    "### Tiers\n\n"
    "`tiers:` makes a plan shorter or longer: `tiers: {quick: {time.frames: 50}}` is for `--tier quick`. A tier can "
    "set `time.frames` and `time.repeats` only. If the key is in a zip, give a list of the same length as the zip. "
    "The tiers `quick` and `full` always exist; `full` is the default.\n";

char *plan_manual(const struct method_fields *methods, const char *const *backend_words) {
    char *manual = text_copy(introduction);
    const char *section = "";
    for (const struct field *field = experiment_fields; field->path; field++) {
        size_t length = strcspn(field->path, ".");
        if (strcspn(section, ".") != length || strncmp(section, field->path, length) != 0)
            text_append(&manual, "%s### %.*s%s", section[0] ? "\n" : "", (int)length, field->path, head);
        section = field->path;
        add_row(&manual, field, backend_words);
    }
    for (; methods->name; methods++) {
        text_append(&manual, "\n### method: %s%s", methods->name, head);
        for (const struct field *field = methods->fields; field->path; field++)
            add_row(&manual, field, backend_words);
    }
    text_append(&manual, "\n%s", rules);
    return manual;
}
