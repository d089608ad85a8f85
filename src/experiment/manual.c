#include "base/memory.h"
#include "experiment/plan.h"
#include "experiment/value.h"

#include <math.h>
#include <string.h>

/* "above 0 and at most 1000", "" if everything is allowed; or the words to choose from. */
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
    "## The description file\n\n"
    "A description file is YAML. Its first key is `springback: 1`; `paper` and `title` say what it is for. All other "
    "keys are in the tables below. `time: {step: 5 ms}` and `time.step: 5 ms` are the same. A number with a unit is "
    "written with it, in any unit of the same kind: `5 ms` is `0.005 s`, `25 %` is "
    "`0.25`; in a list of numbers a bare `0` needs no unit. What has no default must be given.\n\n";

static const char rules[] =
    "### Sweeps\n\n"
    "A list where a key wants one value is a sweep: a run is made for each value (for a key that wants a list, a list "
    "of lists). Several sweeps are crossed in the order of the file; the last varies fastest. `method:` may be a list "
    "of maps, each with a name and that method's own keys. Runs that would be equal are made once.\n\n"
    "### Zip\n\n"
    "`zip:` holds keys whose lists, equally long, walk together as one sweep:\n\n"
    "    zip:\n"
    "      body.cloth.nodes: [[52, 52], [128, 128]]\n"
    "      time.frames: [2000, 500]\n\n"
    "Each map in a list of methods can have a `zip:` of its own, as of the time steps of that method.\n\n"
    "### Assumptions\n\n"
    "A value that the paper does not state stands under `assumptions:`, a map for each key:\n\n"
    "- `value`: the value that is taken\n"
    "- `likely`: what a reader of the paper might choose; required for numbers\n"
    "- `possible`: what anyone has used; it includes `likely`, and equals it if it is left out\n"
    "- `why`: a sentence on `value` and `likely`\n"
    "- `source`: who has used the values of `possible`; required with it\n\n"
    "Two numbers `[LOW, HIGH]` are an interval; words, one number, or more than two are values to choose from. A key "
    "stands either here or in the sections above; what one method of a list states can be assumed for those that do "
    "not.\n\n"
    "    assumptions:\n"
    "      time.step: {value: 1 ms, likely: [0.1 ms, 5 ms], why: usual for explicit schemes}\n\n"
    "Assumptions that all experiments of a paper share stand in `experiments/<paper>.yaml`, a file with the keys "
    "`springback`, `paper` and `assumptions`. An experiment takes those that it does not state; it may take another "
    "`value`, with a `why`, within the same ranges.\n\n"
    "### Stated values\n\n"
    "`stated:` says for each other value where the paper states it. `springback plan` shows values without a "
    "source.\n\n"
    "    stated:\n"
    "      time.frames: Sec. 5, figure 3\n\n"
    "### Tiers\n\n"
    "`tiers:` makes a plan shorter or longer, as `tiers: {quick: {time.frames: 50}}` does for `--tier quick`. A tier "
    "may set `time.frames` and `time.repeats`, nothing else; where the key stands in a zip it gives a list as long as "
    "the zip's. The tiers `quick` and `full` always exist; `full` is taken where none is named.\n";

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
