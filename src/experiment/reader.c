#include "experiment/reader.h"

#include "base/memory.h"
#include "experiment/spelling.h"
#include "experiment/value.h"

#include <string.h>

/* ---- Fields ---- */

static void fields_add(const struct field ***fields, int *count, const struct field *table) {
    for (const struct field *field = table; field->path; field++)
        *ARRAY_ADD(*fields, *count) = field;
}

const struct field **reader_fields(const struct plan_options *options, const char *names) {
    const struct field **fields = NULL;
    int count = 0;
    bool any = false;
    for (const struct method_fields *method = options->methods; method->name; method++)
        any = any || words_have(names, method->name, strlen(method->name));
    fields_add(&fields, &count, experiment_fields);
    for (const struct method_fields *method = options->methods; method->name; method++)
        if (!any || words_have(names, method->name, strlen(method->name)))
            fields_add(&fields, &count, method->fields);
    *ARRAY_ADD(fields, count) = NULL;
    return fields;
}

const struct field *reader_field(const struct reader *reader, const char *path) {
    for (const struct field **field = reader->fields; *field; field++)
        if (strcmp((*field)->path, path) == 0)
            return *field;
    return NULL;
}

/* Whether a path is a section: the beginning of a field's path. */
static bool is_section(const struct reader *reader, const char *path) {
    size_t length = strlen(path);
    for (const struct field **field = reader->fields; *field; field++)
        if (strncmp((*field)->path, path, length) == 0 && (*field)->path[length] == '.')
            return true;
    return false;
}

static const char top_keys[] = "springback paper title zip stated assumptions tiers";

/* The keys that a section may have ("" for the whole file), separated by ", ". */
static char *keys_under(const struct reader *reader, const char *section) {
    AUTO_FREE char *top = text_copy(section[0] ? "" : top_keys);
    char *listed = text_copy("");
    size_t length = strlen(section);
    for (char *rest = top, *key; *top && (key = strsep(&rest, " "));)
        text_list_add(&listed, key);
    for (const struct field **field = reader->fields; *field; field++) {
        if (strncmp((*field)->path, section, length) != 0 || (length && (*field)->path[length] != '.'))
            continue;
        const char *rest = (*field)->path + length + (length > 0);
        AUTO_FREE char *key = text_format("%.*s", (int)strcspn(rest, "."), rest);
        text_list_add(&listed, key);
    }
    return listed;
}

/* Compare `path` with the first `length` bytes of `word`, and store them in `search` if they are the nearest text to
 * `path` until now. */
static void consider(struct spelling *search, const char *path, const char *word, size_t length) {
    AUTO_FREE char *candidate = text_format("%.*s", (int)length, word);
    spelling_consider(search, candidate, spelling_path_distance(path, candidate));
}

int reader_unknown(struct reader *reader, struct place place, const char *path, const char *section) {
    struct spelling search = spelling_search(path);
    for (const char *at = section && !section[0] ? top_keys : ""; *at; at += strcspn(at, " "), at += strspn(at, " "))
        consider(&search, path, at, strcspn(at, " "));
    for (const struct field **field = reader->fields; *field; field++)
        for (const char *end = (*field)->path; *end;) {
            end += strcspn(end + 1, ".") + 1;
            if (section || !*end)
                consider(&search, path, (*field)->path, (size_t)(end - (*field)->path));
        }
    AUTO_FREE char *keys = section ? keys_under(reader, section) : NULL, *allowed = text_copy("");
    if (keys && *keys)
        text_append(&allowed, "; allowed %s%s: %s", section[0] ? "under " : "here", section, keys);
    const char *advice = *search.nearest ? "the nearest key is " : "`springback manual` lists the keys";
    reader->status = fail_at(place, "unknown key %.60s; %s%s%s", path, advice, search.nearest, allowed);
    return reader->status;
}

const struct field *reader_field_short(struct reader *reader, struct place place, const char *key) {
    const struct field *found = reader_field(reader, key);
    for (const struct field **field = found ? NULL : reader->fields; field && *field; field++) {
        if (!spelling_path_fits(key, (*field)->path) || (found && strcmp(found->path, (*field)->path) == 0))
            continue;
        if (found) {
            reader->status = fail_at(place, "the key %.60s is ambiguous: %s or %s; write the whole key", key,
                                     found->path, (*field)->path);
            return NULL;
        }
        found = *field;
    }
    if (!found)
        reader_unknown(reader, place, key, NULL);
    return found;
}

/* ---- Values ---- */

/* The text for a unit in a message. */
static const char *unit_text(const char *unit) {
    return strcmp(unit, "1") != 0 ? unit : "no unit";
}

/* Check a value for every chosen method that has a field of this path. */
static int check_twins(const struct reader *reader, struct place place, const struct field *field,
                       const struct value *value) {
    for (const struct field **twin = reader->fields; *twin; twin++) {
        if (*twin == field || strcmp((*twin)->path, field->path) != 0)
            continue;
        if ((*twin)->type != field->type || strcmp((*twin)->unit, field->unit) != 0)
            return fail_at(
                place,
                "%s is a %s (%s) in one method and a %s (%s) in another; give each method its own value, next "
                "to the method's name (with --set: METHOD%s=VALUE)",
                field->path, type_name(field->type), unit_text(field->unit), type_name((*twin)->type),
                unit_text((*twin)->unit), strchr(field->path, '.'));
        if (value_check_bounds(place, *twin, value) != STATUS_OK)
            return STATUS_BAD;
    }
    return STATUS_OK;
}

int reader_one(struct reader *reader, const struct node *node, const struct field *field, struct value *out) {
    int status = value_read(node, field, description_choices(reader->out, field), reader->out->pool, out);
    if (status == STATUS_OK)
        status = check_twins(reader, node->place, field, out);
    return reader->status |= status, status;
}

int reader_many(struct reader *reader, const struct node *node, const struct field *field, bool zip,
                struct value **values, int *count) {
    int status =
        values_read(node, field, description_choices(reader->out, field), zip, reader->out->pool, values, count);
    for (int i = 0; i < *count && status == STATUS_OK; i++)
        status = check_twins(reader, node->place, field, &(*values)[i]);
    if (status == STATUS_OK && *count > MOST_STEPS)
        status = fail_at(node->place, "%s has %d values; at most %d are allowed", field->path, *count, MOST_STEPS);
    return reader->status |= status, status;
}

/* ---- Walking the maps ---- */

bool reader_once(struct reader *reader, const char *path, struct place place, bool map) {
    struct description *out = reader->out;
    for (int i = 0; i < out->location_count && !map; i++) {
        const struct source_location *earlier = &out->locations[i];
        /* In a list of methods, several methods may state the same key. The key may also be assumed for the methods
         * that do not state it (assumptions_check). */
        bool other_entry = earlier->entry && reader->entry && earlier->entry != reader->entry,
             for_others = (earlier->entry && reader->assuming) || (reader->entry && earlier->assumed);
        if (earlier->map || other_entry || for_others || strcmp(earlier->path, path) != 0)
            continue;
        reader->status = fail_at(place, "%s is here and at line %d, column %d; keep one of them", path,
                                 earlier->place.line, earlier->place.column);
        return false;
    }
    *ARRAY_ADD(out->locations, out->location_count) =
        (struct source_location){pool_add(out->pool, text_copy(path)), place, map, reader->entry, reader->assuming};
    return true;
}

/* Read one item of a map under a section: a field, or a section. */
void reader_item(struct reader *reader, const struct node *item, const char *section, reader_handle *each) {
    AUTO_FREE char *path = text_format("%s%s%s", section, section[0] ? "." : "", item->key);
    const struct field *field = reader_field(reader, path);
    if (field) {
        each(reader, field, item);
    } else if (!is_section(reader, path)) {
        reader_unknown(reader, item->key_place, path, section[0] || each == axis_state ? section : NULL);
    } else if (item->kind != NODE_MAP) {
        AUTO_FREE char *keys = keys_under(reader, path);
        reader->status = fail_at(item->place, "%s is %s; it must be a map of: %s", path, document_kind(item), keys);
    } else {
        if (each == axis_state)
            reader_once(reader, path, item->key_place, true);
        reader_walk(reader, item, path, each);
    }
}

void reader_walk(struct reader *reader, const struct node *map, const char *section, reader_handle *each) {
    for (int i = 0; i < map->count; i++)
        reader_item(reader, &map->items[i], section, each);
}

bool reader_map(struct reader *reader, const struct node *node, const char *name, const char *form) {
    if (node->kind == NODE_MAP)
        return true;
    reader->status = fail_at(node->place, "%s is %s; it must be a map: %s", name, document_kind(node), form);
    return false;
}
