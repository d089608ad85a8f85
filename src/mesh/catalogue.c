#include "mesh/catalogue.h"

#include "base/memory.h"
#include "experiment/document.h"
#include "experiment/spelling.h"
#include "experiment/units.h"
#include "experiment/value.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const mesh_count_names[MESH_COUNTS] = {"vertices", "triangles", "edges", "euler", "loops", "crossings"};
static const char count_words[] = "vertices triangles edges euler loops crossings";

struct reader {
    struct catalogue *out;
    int status;
};

static void *keep(struct reader *reader, void *memory) {
    struct catalogue *out = reader->out;
    out->kept = memory_grow(out->kept, (size_t)out->kept_count + 1, sizeof *out->kept);
    return out->kept[out->kept_count++] = memory;
}

/* ---- Words ---- */

static const char *advice(struct reader *reader, const char *given, const char *words) {
    return keep(reader, spelling_advice(given, words));
}

/* Whether a node is a map whose keys are all among space-separated words, and has those that it must have. */
static bool is_map(struct reader *reader, const struct node *node, const char *what, const char *words,
                   const char *required) {
    if (node->kind != NODE_MAP) {
        reader->status =
            fail_at(node->place, "%s is %s; it must be a map with the keys %s", what, document_kind(node), words);
        return false;
    }
    for (int i = 0; i < node->count; ++i)
        if (!words_have(words, node->items[i].key, strlen(node->items[i].key)))
            reader->status = fail_at(node->items[i].key_place, "%s has no key %.60s; %s", what, node->items[i].key,
                                     advice(reader, node->items[i].key, words));
    char *rest = keep(reader, text_copy(required));
    for (char *word; (word = strsep(&rest, " "));)
        if (*word && !document_item(node, word))
            reader->status = fail_at(node->place, "%s lacks the key %s", what, word);
    return true;
}

static const char *text_of(struct reader *reader, const struct node *map, const char *key) {
    const struct node *item = document_item(map, key);
    if (!item)
        return NULL;
    if (item->kind == NODE_SCALAR && *item->text)
        return keep(reader, text_copy(item->text));
    reader->status = fail_at(item->place, "%s is %s; write a word or a text", key,
                             item->kind == NODE_SCALAR ? "empty" : document_kind(item));
    return NULL;
}

static const char *sum_of(struct reader *reader, const struct node *map) {
    const char *sum = text_of(reader, map, "sha256");
    if (!sum || checksum_is(sum))
        return sum;
    reader->status =
        fail_at(document_item(map, "sha256")->place,
                "sha256 is \"%.80s\"; it is 64 digits of 0 to 9 and a to f, as sha256sum prints them", sum);
    return NULL;
}

/* A path below a folder that is not ours to leave. */
static void check_path(struct reader *reader, const struct node *map, const char *key) {
    const struct node *item = document_item(map, key);
    if (!item || item->kind != NODE_SCALAR)
        return;
    bool leaves = item->text[0] == '/' || item->text[0] == '-';
    for (const char *part = item->text; part; part = strchr(part, '/'), part += part != NULL)
        leaves = leaves || (!strncmp(part, "..", 2) && (!part[2] || part[2] == '/'));
    if (leaves)
        reader->status = fail_at(item->place, "%s is %.60s; write a path from the folder or package on, without ..",
                                 key, item->text);
}

/* A name that can be part of a path and of a command line. */
static void check_name(struct reader *reader, struct place place, const char *what, const char *name) {
    bool good = isalnum((unsigned char)*name);
    for (const char *c = name; *c; ++c)
        good = good && (isalnum((unsigned char)*c) || strchr("_-.+", *c));
    if (!good)
        reader->status = fail_at(place, "%s is \"%.60s\"; it is made of letters, digits, _ - . and +", what, name);
}

/* ---- Originals ---- */

static void read_origin(struct reader *reader, const struct node *node, struct mesh_origin *origin) {
    const char *kind = node->kind == NODE_MAP ? text_of(reader, node, "kind") : "folder";
    *origin = (struct mesh_origin){.name = keep(reader, text_copy(node->key)), .place = node->key_place};
    check_name(reader, node->key_place, "an original's name", node->key);
    origin->kind = kind ? origin_kind_find(kind) : NULL;
    if (!origin->kind) {
        reader->status = kind ? fail_at(document_item(node, "kind")->place, "there is no kind %.60s; %s", kind,
                                        advice(reader, kind, origin_kinds()))
                              : fail_at(node->place, "%s lacks the key kind; one of: %s", node->key, origin_kinds());
        origin->kind = origin_kind_find("folder");
        return;
    }
    const char *required = origin->kind->required;
    const char *all = keep(reader, text_format("kind sha256 licence credit %s %s", required, origin->kind->optional));
    const char *needed = keep(reader, text_format("sha256 licence credit %s", required));
    if (!is_map(reader, node, node->key, all, needed))
        return;
    origin->package = text_of(reader, node, "package");
    origin->version = text_of(reader, node, "version");
    origin->member = text_of(reader, node, "member");
    origin->file = text_of(reader, node, "file");
    origin->sum = sum_of(reader, node);
    origin->missed = keep(reader, memory_new(ORIGIN_MISSED, 1));
    origin->licence = text_of(reader, node, "licence");
    origin->credit = text_of(reader, node, "credit");
    check_path(reader, node, "file");
    check_path(reader, node, "member");
    if (origin->package)
        check_name(reader, node->place, "package", origin->package);
    if (origin->version)
        check_name(reader, node->place, "version", origin->version);
}

static void read_origins(struct reader *reader, const struct node *node) {
    struct catalogue *out = reader->out;
    if (node->kind != NODE_MAP) {
        reader->status = fail_at(node->place, "originals is %s; it must be a map of names", document_kind(node));
        return;
    }
    out->origins = keep(reader, memory_new((size_t)node->count, sizeof *out->origins));
    for (int i = 0; i < node->count; ++i)
        read_origin(reader, &node->items[i], &out->origins[out->origin_count++]);
}

/* ---- Meshes ---- */

static void read_counts(struct reader *reader, const struct node *node, struct mesh_counts *counts) {
    if (!is_map(reader, node, "counts", count_words, ""))
        return;
    for (int k = 0; k < MESH_COUNTS; ++k) {
        const struct node *item = document_item(node, mesh_count_names[k]);
        if (!item)
            continue;
        double number = 0;
        if (item->kind != NODE_SCALAR || unit_read(item->place, mesh_count_names[k], item->text, "1", &number) ||
            number != floor(number) || fabs(number) > 1e9)
            reader->status = fail_at(item->place, "%s is a whole number", mesh_count_names[k]);
        counts->asked[k] = true;
        counts->value[k] = (long)number;
    }
}

static void read_formula(struct reader *reader, const struct node *node, struct mesh_source *source) {
    const char *name = node->kind == NODE_MAP ? text_of(reader, node, "name") : NULL;
    char *names = text_copy("");
    for (const struct shape *shape = shapes; shape->name; ++shape)
        text_append(&names, "%s%s", *names ? " " : "", shape->name);
    keep(reader, names);
    source->shape = name ? shape_find(name) : NULL;
    if (!source->shape) {
        reader->status = name ? fail_at(document_item(node, "name")->place, "there is no formula %.60s; %s", name,
                                        advice(reader, name, names))
                              : fail_at(node->place, "formula needs a name, one of: %s", names);
        return;
    }
    const char *words = "";
    for (int p = 0; p < SHAPE_PARAMETERS && source->shape->parameter[p].name; ++p)
        words = keep(reader, text_format("%s %s", words, source->shape->parameter[p].name));
    const int before = failure_count();
    is_map(reader, node, name, keep(reader, text_format("name%s", words)), words);
    for (int p = 0; p < SHAPE_PARAMETERS && source->shape->parameter[p].name; ++p) {
        const char *key = source->shape->parameter[p].name, *text = text_of(reader, node, key);
        if (text && unit_read(document_item(node, key)->place, key, text, source->shape->parameter[p].whole ? "1" : "m",
                              &source->parameter[p]))
            reader->status = STATUS_BAD;
    }
    if (failure_count() == before && shape_check(source->shape, source->parameter, node->place))
        reader->status = STATUS_BAD;
}

static void read_source(struct reader *reader, const struct node *node, struct mesh_source *source) {
    source->place = node->place;
    if (!is_map(reader, node, "a source", "original formula steps counts sha256 stand_in", ""))
        return;
    const struct node *steps = document_item(node, "steps"), *counts = document_item(node, "counts"),
                      *formula = document_item(node, "formula"), *stand_in = document_item(node, "stand_in");
    const char *original = text_of(reader, node, "original");
    if (!document_item(node, "original") == !formula)
        reader->status = fail_at(node->place, "a source is either an original, by its name, or a formula");
    if (original) {
        const char *names = "";
        for (int i = 0; i < reader->out->origin_count; ++i) {
            const struct mesh_origin *origin = &reader->out->origins[i];
            names = keep(reader, text_format("%s%s%s", names, *names ? " " : "", origin->name));
            if (!strcmp(origin->name, original))
                source->origin = origin;
        }
        if (!source->origin)
            reader->status = fail_at(document_item(node, "original")->place, "there is no original %.60s; %s", original,
                                     advice(reader, original, names));
    }
    if (formula)
        read_formula(reader, formula, source);
    if (counts)
        read_counts(reader, counts, &source->counts);
    source->sum = sum_of(reader, node);
    if (stand_in) {
        const char *word = text_of(reader, node, "stand_in");
        source->stand_in = word && !strcmp(word, "true");
        if (word && !source->stand_in && strcmp(word, "false") != 0)
            reader->status = fail_at(stand_in->place, "stand_in is %.60s; it is true or false", word);
    }
    if (steps && steps->kind != NODE_LIST) {
        reader->status = fail_at(steps->place, "steps is %s; it is a list, as in [weld, centre]", document_kind(steps));
    } else if (steps) {
        source->steps = keep(reader, memory_new((size_t)steps->count, sizeof *source->steps));
        for (int s = 0; s < steps->count; ++s)
            if (step_read(&steps->items[s], &source->steps[source->step_count++]))
                reader->status = STATUS_BAD;
    }
}

static void read_mesh(struct reader *reader, const struct node *node, struct catalogue_mesh *mesh) {
    *mesh = (struct catalogue_mesh){.name = keep(reader, text_copy(node->key)), .place = node->key_place};
    check_name(reader, node->key_place, "a mesh's name", node->key);
    if (!is_map(reader, node, node->key, "doc tetrahedra counts sources", "doc counts sources"))
        return;
    mesh->doc = text_of(reader, node, "doc");
    mesh->switches = text_of(reader, node, "tetrahedra");
    struct mesh_counts counts = {{false}, {0}};
    const struct node *counted = document_item(node, "counts"), *sources = document_item(node, "sources");
    if (counted)
        read_counts(reader, counted, &counts);
    if (!sources)
        return;
    if (sources->kind != NODE_LIST || !sources->count) {
        reader->status = fail_at(sources->place, "sources is %s; it is a list of at least one source",
                                 sources->kind == NODE_LIST ? "empty" : document_kind(sources));
        return;
    }
    mesh->sources = keep(reader, memory_new((size_t)sources->count, sizeof *mesh->sources));
    for (int s = 0; s < sources->count; ++s) {
        mesh->sources[s].counts = counts;
        read_source(reader, &sources->items[s], &mesh->sources[s]);
        const bool *asked = mesh->sources[s].counts.asked;
        if (!asked[MESH_VERTICES] || !asked[MESH_TRIANGLES])
            reader->status = fail_at(sources->items[s].place,
                                     "counts lacks %s, for this source or for the mesh; say what "
                                     "must come out",
                                     asked[MESH_VERTICES] ? "triangles" : "vertices");
        ++mesh->source_count;
    }
}

int catalogue_read(const char *path, struct catalogue *catalogue) {
    struct reader reader = {catalogue, STATUS_OK};
    struct node root;
    char *text = NULL;
    *catalogue = (struct catalogue){.origins = NULL};
    const char *file = keep(&reader, text_copy(path)); /* places point to it */
    int status = document_load(path, &text);
    if (!status)
        status = document_parse(text, file, true, &root);
    if (status) {
        free(text);
        catalogue_free(catalogue);
        return status;
    }
    if (is_map(&reader, &root, "a catalogue", "originals meshes", "meshes")) {
        const struct node *origins = document_item(&root, "originals"), *meshes = document_item(&root, "meshes");
        if (origins)
            read_origins(&reader, origins);
        if (meshes && (meshes->kind != NODE_MAP || !meshes->count)) {
            reader.status = fail_at(meshes->place, "meshes is %s; it must be a map of names",
                                    meshes->kind == NODE_MAP ? "empty" : document_kind(meshes));
        } else if (meshes) {
            catalogue->meshes = keep(&reader, memory_new((size_t)meshes->count, sizeof *catalogue->meshes));
            for (int i = 0; i < meshes->count; ++i)
                read_mesh(&reader, &meshes->items[i], &catalogue->meshes[catalogue->mesh_count++]);
        }
    }
    document_free(&root);
    free(text);
    if (reader.status)
        catalogue_free(catalogue);
    return reader.status;
}

void catalogue_free(struct catalogue *catalogue) {
    for (int k = 0; k < catalogue->kept_count; ++k)
        free(catalogue->kept[k]);
    free(catalogue->kept);
    *catalogue = (struct catalogue){.origins = NULL};
}

const struct catalogue_mesh *catalogue_mesh_named(const struct catalogue *catalogue, const char *name) {
    for (int m = 0; m < catalogue->mesh_count; ++m)
        if (!strcmp(catalogue->meshes[m].name, name))
            return &catalogue->meshes[m];
    return NULL;
}

const struct catalogue_mesh *catalogue_find(const struct catalogue *catalogue, const char *name) {
    const struct catalogue_mesh *mesh = catalogue_mesh_named(catalogue, name);
    struct spelling search = spelling_search(name);
    for (int m = 0; m < catalogue->mesh_count; ++m)
        spelling_consider(&search, catalogue->meshes[m].name, spelling_distance(name, catalogue->meshes[m].name));
    if (!mesh)
        fail("%.60s is no mesh of the catalogue; %s%s", name,
             *search.nearest ? "the nearest is " : "`springback meshes --list` lists them", search.nearest);
    return mesh;
}
