#include "claim/quantity_list.h"

#include "base/memory.h"
#include "claim/geometry.h"
#include "claim/quantity.h"
#include "experiment/spelling.h"
#include "method/method.h"

#include <stdlib.h>
#include <string.h>

const char inner_speed[] = "inner_speed";

/* ---- Rows ---- */

struct row {
    const char *name, *unit, *doc;
};

/* The notes of a run that are numbers. Notes about the body, whose names begin with body_, are not listed. */
static const struct row facts[] = {
    {"nodes", "1", "nodes of the body"},
    {"springs", "1", "springs of the body"},
    {"springs_structural", "1", "structural springs"},
    {"springs_shear", "1", "shear springs"},
    {"springs_bend", "1", "bend springs"},
    {"springs_inside", "1", "springs inside a mesh"},
    {"springs_at_node", "1", "the largest number of springs at a node"},
    {"steps_per_frame", "1", "time steps per frame"},
    {"frames", "1", "frames that were computed"},
    {"diverged_frame", "1", "the frame in which the run was found to have blown up; -1: the run did not blow up"},
    {"threads", "1", "threads of the backend"},
    {"seconds", "1", "the duration of the run, in s"},
    {"group", "1", "a number that is equal for runs that differ only in backend or time.read_back"},
    {"load_before", "1", "the machine's load average before the run"},
    {"load_after", "1", "the machine's load average after the run"},
    {"clock_before_mhz", "1", "the processor's clock before the run, in MHz"},
    {"clock_after_mhz", "1", "the processor's clock after the run, in MHz"},
    {"peak_memory", "1", "the most memory that the process had used when the run ended, in bytes"},
};

enum { FACTS = sizeof facts / sizeof *facts };

static const struct row derived = {inner_speed, "m/s",
                                   "root mean square speed of the nodes relative to their centre of mass"};

/* The number of all series of a method: the series that it records for a closed body. */
static int series_count(const struct method *method) {
    static const struct body closed = {.is_closed = true};
    return method->quantity_count(&closed);
}

/* Whether a method records a series with the name of a row and, unless row->doc is NULL, with the same meaning. */
static bool records(const struct method *method, const struct row *row) {
    for (int q = 0; q < series_count(method); q++) {
        const struct quantity *series = &method->quantities[q];
        if (!strcmp(series->name, row->name) && (!row->doc || !strcmp(series->doc, row->doc)))
            return true;
    }
    return false;
}

static char *methods_of(const struct row *row) {
    char *names = text_copy("");
    bool is_all = true;
    for (const struct method *const *method = methods; *method; method++)
        if (records(*method, row))
            text_append(&names, "%s%s", *names ? ", " : "", (*method)->name);
        else
            is_all = false;
    if (!is_all)
        return names;
    free(names);
    return text_copy("all");
}

char *quantity_methods(const char *name) {
    return methods_of(&(struct row){.name = name});
}

/* Call `each` once for each quantity. If methods give a series different meanings, there is a call for each meaning. */
static void each_row(void (*each)(void *out, const char *part, const struct row *row), void *out) {
    for (const struct method *const *method = methods; *method; method++)
        for (int q = 0; q < series_count(*method); q++) {
            const struct quantity *series = &(*method)->quantities[q];
            const struct row row = {series->name, series->unit, series->doc};
            bool is_told = false;
            for (const struct method *const *other = methods; other < method; other++)
                is_told = is_told || records(*other, &row);
            if (!is_told)
                each(out, "Series of a run", &row);
        }
    each(out, "Series from the energy and the momentum", &derived);
    for (int g = 0; g < GEOMETRY_QUANTITIES; g++)
        each(out, "Series of the recorded geometry",
             &(struct row){geometry_kinds[g].name, geometry_kinds[g].unit, geometry_kinds[g].doc});
    for (const struct run_quantity *kind = run_quantities; kind->name; kind++)
        each(out, "Timings, and whether a run blew up", &(struct row){kind->name, kind->unit, kind->doc});
    for (int f = 0; f < FACTS; f++)
        each(out, "Numbers about a run", &facts[f]);
}

/* ---- The manual ---- */

struct manual {
    char *text;
    const char *part;
};

static void add_row(void *out, const char *part, const struct row *row) {
    struct manual *manual = out;
    AUTO_FREE char *names = methods_of(row);
    const bool is_series = *names;
    if (!manual->part || strcmp(manual->part, part) != 0)
        text_append(&manual->text, "\n### %s\n\n| quantity | unit | meaning |%s\n| --- | --- | --- |%s\n", part,
                    is_series ? " recorded by |" : "", is_series ? " --- |" : "");
    manual->part = part;
    text_append(&manual->text, "| `%s` | %s | ", row->name, strcmp(row->unit, "1") ? row->unit : "");
    for (const char *c = row->doc; *c; c++)
        text_append(&manual->text, *c == '|' ? "\\|" : "%c", *c);
    text_append(&manual->text, " |");
    text_append(&manual->text, is_series ? " %s |\n" : "\n", names);
}

char *quantity_manual(void) {
    struct manual manual = {
        text_copy(
            "\n## Quantities\n\n"
            "The `quantity:` of a claim is one of these quantities, a key of the experiment file whose value is a "
            "number (`method.stiffness`), or a number of a mesh (`body_links`; docs/meshes.md). A series needs "
            "`over_frames:`. `springback export` writes the quantities; its format `figure` writes a table of "
            "all runs, summary.tsv.\n"),
        NULL};
    each_row(add_row, &manual);
    return manual.text;
}

/* ---- Unknown names ---- */

static void add_name(void *out, const char *part, const struct row *row) {
    (void)part;
    text_list_add(out, row->name);
}

static bool has_field(const struct field *field, const char *path) {
    for (; field->path; field++)
        if (!strcmp(field->path, path))
            return true;
    return false;
}

char *quantity_refusal(const char *name) {
    bool is_known = has_field(experiment_fields, name) || !strncmp(name, "body_", 5);
    for (const struct method_fields *method = method_table; method->name; method++)
        is_known = is_known || has_field(method->fields, name);
    AUTO_FREE char *names = text_copy("");
    each_row(add_name, &names);
    AUTO_FREE char *words = text_copy(names);
    struct spelling search = spelling_search(name);
    for (char *rest = words, *word; (word = strsep(&rest, ","));) {
        word += strspn(word, " ");
        is_known = is_known || !strcmp(word, name);
        spelling_consider(&search, word, spelling_distance(name, word));
    }
    if (is_known)
        return NULL;
    return text_format("unknown quantity %.60s; %s%s%sexpected one of: %s; a key of the experiment, such as "
                       "method.stiffness; or a number of a mesh, such as body_links",
                       name, *search.nearest ? "did you mean " : "", search.nearest, *search.nearest ? "? " : "",
                       names);
}
