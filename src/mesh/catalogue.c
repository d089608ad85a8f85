#include "mesh/catalogue.h"

#include "base/memory.h"
#include "experiment/spelling.h"
#include "experiment/units.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

const char *const mesh_count_names[MESH_COUNTS] = {"vertices", "triangles", "edges", "euler", "loops", "crossings"};
static const char count_words[] = "vertices triangles edges euler loops crossings";

/* ---- Values ---- */

static void read_sum(struct form *form, const struct node *node, void *field) {
    const char **sum = field;
    form_text(form, node, sum);
    if (*sum && !checksum_is(*sum))
        form->status = fail_at(
            node->place, "`sha256` is \"%.80s\"; use 64 digits of 0 to 9 and a to f, as sha256sum prints them", *sum);
}

/* Read a path that does not leave its folder. */
static void read_path(struct form *form, const struct node *node, void *field) {
    const char **path = field;
    form_text(form, node, path);
    bool leaves = *path && (**path == '/' || **path == '-');
    for (const char *part = *path; part; part = strchr(part, '/'), part += part != NULL)
        leaves = leaves || (!strncmp(part, "..", 2) && (!part[2] || part[2] == '/'));
    if (leaves)
        form->status =
            fail_at(node->place,
                    "%s is %.60s; use a path relative to the folder or package, without .. and without - at its start",
                    node->key, *path);
}

/* Fails unless a name can be part of a path and of a command line. */
static void check_name(struct form *form, struct place place, const char *what, const char *name) {
    bool good = isalnum((unsigned char)*name);
    for (const char *c = name; *c; ++c)
        good = good && (isalnum((unsigned char)*c) || strchr("_-.+", *c));
    if (!good)
        form->status =
            fail_at(place, "%s is \"%.60s\"; use only letters, digits, _ - . and +, and begin with a letter or digit",
                    what, name);
}

static void read_name(struct form *form, const struct node *node, void *field) {
    const char **name = field;
    form_text(form, node, name);
    if (*name)
        check_name(form, node->place, node->key, *name);
}

/* Zeroed records for the items of a map or a list; NULL, with a message, if the node is not of the kind `kind` or has
 * fewer than `least` items. `right` says in the message what the node must be ("must be a map of names"). */
static void *new_records(struct form *form, const struct node *node, enum node_kind kind, int least, size_t size,
                         const char *right) {
    if (node->kind == kind && node->count >= least)
        return pool_add(&form->pool, memory_new((size_t)node->count, size));
    form->status =
        fail_at(node->place, "`%s` is %s; it %s", node->key, node->kind == kind ? "empty" : document_kind(node), right);
    return NULL;
}

/* ---- Originals ---- */

#define AT(field) offsetof(struct mesh_origin, field)

/* The keys of all kinds of origins. */
static const struct form_key origin_keys[] = {
    {"package", AT(package), read_name, NULL}, {"version", AT(version), read_name, NULL},
    {"member", AT(member), read_path, NULL},   {"file", AT(file), read_path, NULL},
    {"sha256", AT(sum), read_sum, ""},         {"licence", AT(licence), form_text, ""},
    {"credit", AT(credit), form_text, ""},     {.name = NULL},
};

static void read_origin(struct form *form, const struct node *node, struct mesh_origin *origin) {
    *origin = (struct mesh_origin){
        .name = node->key, .place = node->key_place, .missed = pool_add(&form->pool, memory_new(ORIGIN_MISSED, 1))};
    check_name(form, node->key_place, "an original's name", node->key);
    const struct node *kind = document_item(node, "kind");
    if (!kind)
        form->status =
            fail_at(node->place, "%s has no key `kind`; its value may be one of: %s", node->key, origin_kinds());
    if (!kind || form_choice(form, kind, "kind", origin_kinds()) < 0)
        return;
    origin->kind = origin_kind_find(kind->text);
    AUTO_FREE char *words =
        text_format("kind sha256 licence credit %s %s", origin->kind->required, origin->kind->optional);
    if (form_is_map(form, node, node->key, words)) {
        form_needs(form, node, node->key, origin->kind->required);
        form_read_keys(form, node, node->key, origin_keys, origin);
    }
}

static void read_origins(struct form *form, const struct node *node, void *field) {
    struct catalogue *out = field;
    out->origins = new_records(form, node, NODE_MAP, 0, sizeof *out->origins, "must be a map of names");
    for (int i = 0; out->origins && i < node->count; ++i)
        read_origin(form, &node->items[i], &out->origins[out->origin_count++]);
}

/* ---- Meshes ---- */

static void read_counts(struct form *form, const struct node *node, void *field) {
    struct mesh_counts *counts = field;
    if (!form_is_map(form, node, "counts", count_words))
        return;
    for (int k = 0; k < MESH_COUNTS; ++k) {
        const struct node *item = document_item(node, mesh_count_names[k]);
        if (!item)
            continue;
        double number = 0;
        if (item->kind != NODE_SCALAR || unit_read(item->place, mesh_count_names[k], item->text, "1", &number) ||
            number != floor(number) || fabs(number) > 1e9)
            form->status = fail_at(item->place, "`%s` must be a whole number from -1e9 to 1e9", mesh_count_names[k]);
        counts->asked[k] = true;
        counts->value[k] = (long)number;
    }
}

static void read_original(struct form *form, const struct node *node, void *field) {
    const struct catalogue *catalogue = form->record;
    const struct mesh_origin **origin = field;
    AUTO_FREE char *names = text_copy("");
    for (int i = 0; i < catalogue->origin_count; ++i)
        text_append(&names, "%s%s", i ? " " : "", catalogue->origins[i].name);
    const int choice = form_choice(form, node, "original", names);
    *origin = choice < 0 ? NULL : &catalogue->origins[choice];
}

static void read_shape(struct form *form, const struct node *node, void *field) {
    AUTO_FREE char *names = text_copy("");
    for (const struct shape *shape = shapes; shape->name; ++shape)
        text_append(&names, "%s%s", *names ? " " : "", shape->name);
    const int choice = form_choice(form, node, "formula", names);
    *(const struct shape **)field = choice < 0 ? NULL : &shapes[choice];
}

static const struct form_key shape_keys[] = {
    {"name", offsetof(struct mesh_source, shape), read_shape, "`formula` needs the key `name`"}, {.name = NULL}};

/* Read the name of a shape, and a value for each of its parameters. */
static void read_formula(struct form *form, const struct node *node, void *field) {
    struct mesh_source *source = field;
    form_read_keys(form, node, "formula", shape_keys, source);
    if (!source->shape)
        return;
    const int before = failure_count();
    AUTO_FREE char *words = text_copy("name");
    for (int p = 0; p < SHAPE_PARAMETERS && source->shape->parameter[p].name; ++p)
        text_append(&words, " %s", source->shape->parameter[p].name);
    form_is_map(form, node, source->shape->name, words);
    form_needs(form, node, source->shape->name, words);
    for (int p = 0; p < SHAPE_PARAMETERS && source->shape->parameter[p].name; ++p) {
        const struct node *item = document_item(node, source->shape->parameter[p].name);
        const char *text = "";
        if (item)
            form_text(form, item, &text);
        if (*text)
            form->status |= unit_read(item->place, item->key, text, source->shape->parameter[p].whole ? "1" : "m",
                                      &source->parameter[p]);
    }
    if (failure_count() == before)
        form->status |= shape_check(source->shape, source->parameter, node->place);
}

static void read_steps(struct form *form, const struct node *node, void *field) {
    struct mesh_source *source = field;
    source->steps =
        new_records(form, node, NODE_LIST, 0, sizeof *source->steps, "must be a list, as in [weld, centre]");
    for (int s = 0; source->steps && s < node->count; ++s)
        form->status |= step_read(&node->items[s], &source->steps[source->step_count++]);
}

static void read_stand_in(struct form *form, const struct node *node, void *field) {
    const char *word = "false";
    form_text(form, node, &word);
    *(bool *)field = !strcmp(word, "true");
    if (strcmp(word, "true") != 0 && strcmp(word, "false") != 0)
        form->status = fail_at(node->place, "`stand_in` is %.60s; use true or false", word);
}

static const struct form_key source_keys[] = {
    {"original", offsetof(struct mesh_source, origin), read_original, NULL},
    {"formula", 0, read_formula, NULL},
    {"steps", 0, read_steps, NULL},
    {"counts", offsetof(struct mesh_source, counts), read_counts, NULL},
    {"sha256", offsetof(struct mesh_source, sum), read_sum, NULL},
    {"stand_in", offsetof(struct mesh_source, stand_in), read_stand_in, NULL},
    {.name = NULL},
};

static void read_source(struct form *form, const struct node *node, struct mesh_source *source) {
    if (!form_read_map(form, node, "a source", source_keys, source))
        return;
    form_refuse_if(form, !document_item(node, "original") == !document_item(node, "formula"), node->place,
                   "a source must have exactly one of the keys `original` and `formula`");
    const bool *asked = source->counts.asked;
    if (!asked[MESH_VERTICES] || !asked[MESH_TRIANGLES])
        form->status =
            fail_at(node->place, "`counts` has no `%s` in this source or in the mesh; state the required number",
                    asked[MESH_VERTICES] ? "triangles" : "vertices");
}

static void read_sources(struct form *form, const struct node *node, void *field) {
    struct catalogue_mesh *mesh = field;
    mesh->sources =
        new_records(form, node, NODE_LIST, 1, sizeof *mesh->sources, "must be a list of at least one source");
    for (int s = 0; mesh->sources && s < node->count; ++s) {
        mesh->sources[s] = (struct mesh_source){.place = node->items[s].place, .counts = mesh->counts};
        read_source(form, &node->items[s], &mesh->sources[mesh->source_count++]);
    }
}

static const struct form_key mesh_keys[] = {
    {"doc", offsetof(struct catalogue_mesh, doc), form_text, ""},
    {"tetrahedra", offsetof(struct catalogue_mesh, switches), form_text, NULL},
    {"counts", offsetof(struct catalogue_mesh, counts), read_counts, ""},
    {"sources", 0, read_sources, ""},
    {.name = NULL},
};

static void read_meshes(struct form *form, const struct node *node, void *field) {
    struct catalogue *out = field;
    out->meshes = new_records(form, node, NODE_MAP, 1, sizeof *out->meshes, "must be a map of names");
    for (int i = 0; out->meshes && i < node->count; ++i) {
        const struct node *item = &node->items[i];
        struct catalogue_mesh *mesh = &out->meshes[out->mesh_count++];
        *mesh = (struct catalogue_mesh){.name = item->key, .place = item->key_place};
        check_name(form, item->key_place, "a mesh's name", item->key);
        form_read_map(form, item, item->key, mesh_keys, mesh);
    }
}

static const struct form_key catalogue_keys[] = {
    {"originals", 0, read_origins, NULL},
    {"meshes", 0, read_meshes, ""},
    {.name = NULL},
};

int catalogue_read(const char *path, struct catalogue *catalogue) {
    *catalogue = (struct catalogue){.origins = NULL};
    if (!form_open(path, &catalogue->form)) {
        catalogue->form.record = catalogue;
        form_read_map(&catalogue->form, &catalogue->form.root, "a catalogue", catalogue_keys, catalogue);
    }
    const int status = catalogue->form.status;
    if (status)
        catalogue_free(catalogue);
    return status;
}

void catalogue_free(struct catalogue *catalogue) {
    form_close(&catalogue->form);
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
        fail("%.60s is not in the catalogue of meshes; %s%s", name,
             *search.nearest ? "the most similar name is " : "`springback meshes --list` lists them", search.nearest);
    return mesh;
}
