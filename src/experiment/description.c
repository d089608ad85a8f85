#include "experiment/description.h"

#include "base/memory.h"
#include "experiment/name.h"
#include "experiment/reader.h"
#include "experiment/spelling.h"
#include "experiment/value.h"

#include <stdlib.h>
#include <string.h>

const struct method_fields *method_named(const struct method_fields *methods, const char *name) {
    for (; methods->name; methods++)
        if (strcmp(methods->name, name) == 0)
            return methods;
    return NULL;
}

const char *description_choices(const struct description *description, const struct field *field) {
    return field->choices                            ? field->choices
           : strcmp(field->path, "method.name") == 0 ? description->methods
           : strcmp(field->path, "backend") == 0     ? description->backends
                                                     : "";
}

struct place description_parent(const struct description *description, const char *file, const char *path) {
    struct place place = {file, 0, 0};
    size_t longest = 0;
    for (int i = 0; i < description->location_count; i++) {
        const struct source_location *location = &description->locations[i];
        size_t length = strlen(location->path);
        if (location->map && length > longest && strncmp(path, location->path, length) == 0 && path[length] == '.') {
            longest = length;
            place = location->place;
        }
    }
    return place;
}

/* ---- The methods in use ---- */

static void add_words(char **words, const char *more) {
    text_append(words, "%s%s", (*words)[0] ? " " : "", more);
}

/* Append to *words the words that the file gives at a path. In the file, the path may be written as nested maps or as a
 * dotted key. The items of a list are searched, too. The fields are read later, because the names of the methods decide
 * which fields a file may have. */
static void gather(const struct node *node, const char *path, char **words) {
    if (node->kind == NODE_SCALAR && !path[0])
        add_words(words, node->text);
    for (int i = 0; i < node->count; i++) {
        const struct node *item = &node->items[i];
        size_t length = node->kind == NODE_MAP ? strlen(item->key) : 0;
        if (node->kind == NODE_LIST)
            gather(item, path, words);
        else if (path[0] && strncmp(path, item->key, length) == 0 && (path[length] == '.' || !path[length]))
            gather(item, path + length + (path[length] == '.'), words);
    }
}

/* The words that the file or the command line gives for method.name. Some of these words may be misspelt names. */
static char *methods_in_use(const struct plan_options *options, const struct node *root) {
    char *words = text_copy("");
    gather(root, "method.name", &words);
    gather(root, "zip.method.name", &words);
    for (const char *const *set = options->set; set && *set; set++) {
        size_t length = strcspn(*set, "=");
        AUTO_FREE char *key = text_format("%.*s", (int)length, *set),
                       *more = text_copy(*set + length + ((*set)[length] == '='));
        for (char *at = more; (at = strpbrk(at, "[],\"'"));)
            *at = ' ';
        if (spelling_path_fits(key, "method.name"))
            add_words(&words, more);
    }
    return words;
}

/* ---- The head: version, paper, title ---- */

static void read_version(struct reader *reader, const struct node *node) {
    if (node->kind != NODE_SCALAR || strcmp(node->text, "1") != 0)
        reader->status = fail_at(node->place, "`springback` is %.20s; expected 1, the version that this program reads",
                                 node->kind == NODE_SCALAR ? node->text : document_kind(node));
}

/* Read `paper:` or `title:`. */
static void read_text(struct reader *reader, const struct node *node) {
    struct experiment *experiment = reader->experiment;
    const bool is_paper = strcmp(node->key, "paper") == 0;
    if (node->kind == NODE_SCALAR && node->text[0])
        *(is_paper ? &experiment->paper : &experiment->title) = pool_add(reader->out->pool, text_copy(node->text));
    else
        reader->status = fail_at(node->place, "%s is %s; it must be a text", node->key,
                                 node->kind == NODE_SCALAR ? "empty" : document_kind(node));
    if (is_paper && experiment->paper)
        reader->status |= name_check(node->place, "paper", experiment->paper);
}

static void read_assumptions(struct reader *reader, const struct node *node) {
    reader->assuming = true;
    if (reader_map(reader, node, "assumptions", "{time.step: {value: ..., likely: [LOW, HIGH], why: ...}}"))
        reader_walk(reader, node, "", assumption_read);
    reader->assuming = false;
}

static void read_stated(struct reader *reader, const struct node *node) {
    if (reader_map(reader, node, "stated", "{time.step: Sec. 5}"))
        reader_walk(reader, node, "", citation_read);
}

/* ---- Tiers ---- */

/* Read time.frames or time.repeats of a tier. If the tier is chosen, its values replace those of the file. If the key
 * is in a zip, the tier gives a list with one value for each step of the zip. */
static void cut(struct reader *reader, const struct field *field, const struct node *node) {
    const char *path = field->path;
    if (strcmp(path, "time.frames") != 0 && strcmp(path, "time.repeats") != 0) {
        reader->status = fail_at(node->key_place,
                                 "tiers: a tier cannot change %s; it can set time.frames and time.repeats only", path);
        return;
    }
    AUTO_FREE char *full_path = text_format("tiers.%s.%s", reader->tier, path);
    const bool once = reader_once(reader, full_path, node->key_place, false);
    struct axis *axis = axis_of(reader->out, path), *zip = axis && axis->zip ? axis : NULL;
    struct column column = {field, NULL, ORIGIN_TIER, node->key_place, false};
    int count;
    if (!once || reader_many(reader, node, field, zip != NULL, &column.values, &count) != STATUS_OK)
        return;
    bool chosen = strcmp(reader->tier, reader->options->tier ? reader->options->tier : "full") == 0;
    if (axis && axis_column(axis, "method.name") && count != 1) {
        reader->status = fail_at(node->place,
                                 "tiers: %s has %d values, but the zip of a method has its own values; give one value "
                                 "for all runs",
                                 path, count);
    } else if (zip && count != zip->length) {
        reader->status =
            fail_at(node->place, "tiers: %s has %d values, but its zip has %d; give as many values as the zip has",
                    path, count, zip->length);
    } else if (chosen && zip) {
        *axis_column(zip, path) = column;
    } else if (chosen) {
        axis_override(reader, column, count);
    }
}

static void read_tiers(struct reader *reader, const struct node *node) {
    const char *chosen = reader->options->tier ? reader->options->tier : "full";
    bool known = strcmp(chosen, "full") == 0 || strcmp(chosen, "quick") == 0;
    AUTO_FREE char *names = text_copy("quick, full");
    if (node && reader_map(reader, node, "tiers", "{quick: {time.frames: 50}}"))
        for (int i = 0; i < node->count; i++) {
            const struct node *tier = &node->items[i];
            known = known || strcmp(tier->key, chosen) == 0;
            if (strcmp(tier->key, "full") != 0 && strcmp(tier->key, "quick") != 0)
                text_append(&names, ", %s", tier->key);
            reader->tier = tier->key;
            if (reader_map(reader, tier, tier->key, "{time.frames: 50, time.repeats: 3}"))
                reader_walk(reader, tier, "", cut);
        }
    if (!known)
        reader->status = fail_at((struct place){"--tier", 0, 0}, "%s has no tier %.60s; it has: %s",
                                 reader->experiment->file, chosen, names);
}

/* ---- The command line ---- */

/* The names of the methods of the runs, separated by spaces. */
static char *names_of_runs(const struct description *description) {
    char *names = text_copy("");
    struct axis *axis = axis_of(description, "method.name");
    for (int step = 0; axis && step < axis->length; step++) {
        const char *name = axis_column(axis, "method.name")->values[step].text;
        if (name && !words_have(names, name, strlen(name)))
            add_words(&names, name);
    }
    return names;
}

/* Whether the first part of a key is a misspelt name of a method, as in xpdb.stiffness: the first part is more similar
 * to the name of a method than to any section. A misspelt name is reported. */
static bool is_misnamed(struct reader *reader, struct place place, const char *key) {
    const size_t length = strcspn(key, ".");
    AUTO_FREE char *first = text_format("%.*s", (int)length, key), *names = names_of_runs(reader->out);
    struct spelling search = spelling_search(first);
    for (const struct field **field = reader->fields; *field; field++) {
        AUTO_FREE char *section = text_format("%.*s", (int)strcspn((*field)->path, "."), (*field)->path);
        spelling_consider(&search, "", spelling_distance(first, section));
    }
    for (char *rest = names, *name; (name = strsep(&rest, " "));)
        spelling_consider(&search, name, spelling_distance(first, name));
    if (!key[length] || !*search.nearest)
        return false;
    reader->status =
        fail_at(place, "these runs have no method %.60s; did you mean %s%.60s?", first, search.nearest, key + length);
    return true;
}

/* The method whose name is the first part of the key in `set`, as in xpbd.stiffness=5; NULL if there is no such
 * method. */
static const struct method_fields *method_of_set(const struct plan_options *options, const char *set) {
    const size_t length = strcspn(set, ".=");
    AUTO_FREE char *name = text_format("%.*s", (int)length, set);
    return set[length] == '.' ? method_named(options->methods, name) : NULL;
}

/* Set a key of one method of the runs to a value, for --set METHOD.KEY=TEXT. */
static void set_of_method(struct reader *reader, const struct method_fields *method, const char *key,
                          const char *text) {
    const struct place place = {"--set", 0, 0};
    AUTO_FREE char *names = names_of_runs(reader->out), *keys = text_copy("");
    if (!words_have(names, method->name, strlen(method->name))) {
        AUTO_FREE char *advice = spelling_advice(method->name, names);
        reader->status = fail_at(place, "these runs have no method %s; %s", method->name, advice);
        return;
    }
    const struct field *field = method->fields;
    for (; field->path && strcmp(strchr(field->path, '.') + 1, key) != 0; field++)
        add_words(&keys, strchr(field->path, '.') + 1);
    if (!field->path) {
        AUTO_FREE char *advice = spelling_advice(key, keys);
        reader->status = fail_at(place, "%s has no key %.60s; %s", method->name, key, advice);
        return;
    }
    AUTO(document_free) struct node node = {0};
    struct value value;
    const struct field **common = reader->fields;
    reader->fields = reader_fields(reader->options, method->name);
    if (document_parse(text, place.file, false, &node) != STATUS_OK)
        reader->status = STATUS_BAD;
    else if (reader_one(reader, &node, field, &value) == STATUS_OK)
        axis_set_method(reader->out, method->name, (struct column){field, NULL, ORIGIN_COMMAND, place, true}, value);
    free(reader->fields);
    reader->fields = common;
}

static void set_from_command(struct reader *reader, const char *set) {
    struct place place = {"--set", 0, 0};
    const char *equals = strchr(set, '=');
    if (!equals) {
        reader->status = fail_at(place, "\"%.60s\" has no value; write PATH=VALUE, as in time.frames=5", set);
        return;
    }
    AUTO_FREE char *key = text_format("%.*s", (int)(equals - set), set);
    const struct method_fields *method = method_of_set(reader->options, set);
    if (method)
        set_of_method(reader, method, strchr(key, '.') + 1, equals + 1);
    const struct field *field =
        method || is_misnamed(reader, place, key) ? NULL : reader_field_short(reader, place, key);
    if (!field)
        return;
    struct column column = {field, NULL, ORIGIN_COMMAND, place, false};
    AUTO(document_free) struct node value = {0};
    int count;
    const struct axis *axis = axis_of(reader->out, field->path);
    if (axis && axis->column_count > 1 && strcmp(field->path, "method.name") == 0)
        reader->status = fail_at(place,
                                 "each method.name of the file has its own values; choose one with "
                                 "--only method.name=%s",
                                 equals + 1);
    else if (document_parse(equals + 1, place.file, false, &value) != STATUS_OK)
        reader->status = STATUS_BAD;
    else if (reader_many(reader, &value, field, false, &column.values, &count) == STATUS_OK)
        axis_override(reader, column, count);
}

static void set_backends(struct reader *reader, const char *const *backends) {
    struct node list = {.kind = NODE_LIST, .place = {"--backend", 0, 0}};
    struct column column = {reader_field(reader, "backend"), NULL, ORIGIN_COMMAND, list.place, false};
    int count;
    for (; *backends; backends++)
        *ARRAY_ADD(list.items, list.count) = (struct node){.place = list.place, .text = (char *)*backends};
    if (reader_many(reader, &list, column.field, false, &column.values, &count) == STATUS_OK)
        axis_override(reader, column, count);
    free(list.items);
}

/* ---- The whole ---- */

static const struct {
    const char *key;
    void (*read)(struct reader *reader, const struct node *node);
} heads[] = {
    {"springback", read_version},      {"paper", read_text},    {"title", read_text}, {"zip", axis_read_zip},
    {"assumptions", read_assumptions}, {"stated", read_stated},
};

static void read_item(struct reader *reader, const struct node *item) {
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++)
        if (strcmp(item->key, heads[h].key) == 0) {
            heads[h].read(reader, item);
            return;
        }
    if (strcmp(item->key, "method") == 0 && item->kind == NODE_LIST)
        axis_read_methods(reader, item);
    else if (strcmp(item->key, "tiers") != 0)
        reader_item(reader, item, "", axis_state);
}

void description_begin(const struct method_fields *methods, const char *const *backend_words, struct pool *pool,
                       struct description *out) {
    char *names = text_copy(""), *backends = text_copy("");
    for (; methods->name; methods++)
        add_words(&names, methods->name);
    for (; *backend_words; backend_words++)
        add_words(&backends, *backend_words);
    *out = (struct description){.pool = pool, .methods = pool_add(pool, names), .backends = pool_add(pool, backends)};
}

int description_read(const struct plan_options *options, struct experiment *experiment, struct description *out) {
    struct reader reader = {.options = options, .experiment = experiment, .out = out};
    AUTO(document_free) struct node root = {0};
    description_begin(options->methods, options->backend_words, &experiment->pool, out);
    if (document_parse(experiment->text, experiment->file, true, &root) != STATUS_OK)
        return STATUS_BAD;
    if (reader_map(&reader, &root, "the experiment file", "springback: 1, and so on")) {
        AUTO_FREE char *names = methods_in_use(options, &root);
        reader.fields = reader_fields(options, names);
        char *shared = NULL;
        if (assumptions_read_shared(&reader, &shared))
            reader.status = STATUS_BAD;
        if (!document_item(&root, "springback"))
            reader.status = fail_at((struct place){experiment->file, 0, 0},
                                    "the key `springback` is missing; begin with the line `springback: 1`");
        for (int i = 0; i < root.count; i++)
            read_item(&reader, &root.items[i]);
        read_tiers(&reader, document_item(&root, "tiers"));
        for (int of_method = 0; of_method < 2; of_method++) /* a value for one method overrides a value for all */
            for (const char *const *set = options->set; set && *set; set++)
                if ((method_of_set(options, *set) != NULL) == of_method)
                    set_from_command(&reader, *set);
        if (options->backends && *options->backends)
            set_backends(&reader, options->backends);
        assumptions_place(experiment);
        free(reader.fields);
    }
    return reader.status;
}

void description_free(struct description *description) {
    axes_free(description->axes, description->axis_count);
    free(description->locations);
    free(description->defaults);
    memset(description, 0, sizeof *description);
}
