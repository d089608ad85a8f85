/* springback meshes: the bodies' meshes, fetched, prepared and kept. */
#include "base/file.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "body/library.h"
#include "body/surface.h"
#include "cli/verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct meshes_verb {
    struct words names, files; /* the latter: experiments */
    struct origin_options origin;
    const char *catalogue, *out;
    bool list, json, quiet;
};

static const struct verb_option options[] = {
    {"from", 'f', "FOLDER", "A folder of your own with originals (SPRINGBACK_MESHES)", OPTION_PATH,
     .field = offsetof(struct meshes_verb, origin.folder)},
    {"out", 'o', "DIR", "Folder of the prepared bodies (SPRINGBACK_BODIES, or out/bodies)", OPTION_PATH,
     .field = offsetof(struct meshes_verb, out)},
    {"catalogue", 0, "FILE", "The catalogue (data/meshes.yaml)", OPTION_PATH,
     .field = offsetof(struct meshes_verb, catalogue)},
    {"for", 0, "FILE", "Those that this experiment's runs name; may be given again", OPTION_WORDS,
     .field = offsetof(struct meshes_verb, files)},
    {"offline", 0, NULL, "Ask no network: take what is here", OPTION_FLAG,
     .field = offsetof(struct meshes_verb, origin.offline)},
    {"list", 0, NULL, "Only say what the catalogue has", OPTION_FLAG, .field = offsetof(struct meshes_verb, list)},
    {"quiet", 'q', NULL, "Print only what was prepared, and what went wrong", OPTION_FLAG,
     .field = offsetof(struct meshes_verb, quiet)},
    {"json", 0, NULL, "Print one object a mesh", OPTION_FLAG, .field = offsetof(struct meshes_verb, json)},
    {.name = NULL},
};

static const char *name_of(const struct mesh_source *source) {
    return source->origin ? source->origin->name : source->shape->name;
}

static void list(const struct meshes_verb *verb, const struct catalogue_mesh *mesh) {
    json_t *sources = json_array();
    if (!verb->json)
        printf("%-22s %s;", mesh->name, mesh->doc);
    for (int s = 0; s < mesh->source_count; ++s) {
        const struct mesh_source *source = &mesh->sources[s];
        if (!verb->json)
            printf("%s %s%s", s ? ", else" : " from", name_of(source), source->stand_in ? " (stand-in)" : "");
        json_array_append_new(sources,
                              json_pack("{so sb}", "from", json_text(name_of(source)), "stand_in", source->stand_in));
    }
    if (verb->json)
        json_print(
            json_pack("{so so sO}", "name", json_text(mesh->name), "doc", json_text(mesh->doc), "sources", sources),
            stdout);
    else
        printf("\n");
    json_decref(sources);
}

static void print(const struct meshes_verb *verb, const struct mesh_provenance *provenance,
                  const struct prepared *prepared, bool fresh) {
    const struct mesh_source *source = provenance->source;
    const json_int_t vertices = prepared->surface_vertices, edges = prepared->parts[PART_EDGES].count,
                     triangles = prepared->parts[PART_TRIANGLES].count, links = prepared->parts[PART_LINKS].count,
                     tetrahedra = prepared->parts[PART_TETRAHEDRA].count;
    const char *sum = prepared_fact(prepared, "mesh_sha256"), *message = prepared_fact(prepared, "tetgen_message");
    const char *failure = prepared_fact(prepared, "tetgen_failed");
    const bool failed = failure && strtol(failure, NULL, 10) != 0;
    if (verb->json) {
        json_print(json_pack("{so so sb sb sI sI sI sI sI sI so so so so}", "name", json_text(provenance->mesh->name),
                             "from", json_text(name_of(source)), "stand_in", source->stand_in, "fresh", fresh,
                             "vertices", vertices, "edges", edges, "triangles", triangles, "links", links, "tetrahedra",
                             tetrahedra, "particles", (json_int_t)prepared->vertices, "hash", json_text(prepared->hash),
                             "sha256", json_text(sum ? sum : ""), "missed", json_text(provenance->missed), "tetgen",
                             failed && message ? json_text(message) : json_null()),
                   stdout);
    } else {
        printf("%-20s %6lld vertices %6lld edges %6lld triangles %6lld links", provenance->mesh->name,
               (long long)vertices, (long long)edges, (long long)triangles, (long long)links);
        if (tetrahedra)
            printf(" %6lld tetrahedra", (long long)tetrahedra);
        printf("  %s from %s%s%s%s\n", fresh ? "prepared" : "there", name_of(source),
               source->stand_in ? terminal_begin(stdout, TERMINAL_FAIR) : "", source->stand_in ? ", a stand-in" : "",
               source->stand_in ? terminal_end(stdout, TERMINAL_FAIR) : "");
        const char *line = provenance->missed;
        for (const char *end; fresh && (end = strchr(line, '\n')); line = end + 1)
            printf("    not from %.*s\n", (int)(end - line), line);
        if (fresh && failed)
            printf("    TetGen %s does not fill it (%s)\n", provenance->mesh->switches,
                   prepared_fact(prepared, "tetgen_result"));
        if (!source->sum)
            printf("    no sum pins it; the catalogue could have: sha256: %s\n", sum ? sum : "");
    }
    fflush(stdout);
}

static int prepare(const struct meshes_verb *verb, const struct catalogue *catalogue) {
    int status = STATUS_OK;
    progress_begin(verb->names.count);
    for (int k = 0; k < verb->names.count && !interrupt_signal(); ++k) {
        struct mesh_provenance provenance;
        progress_show(k, verb->names.words[k], "bodies", k, verb->names.count);
        struct prepared prepared;
        bool fresh;
        if (library_keep(catalogue, verb->names.words[k], &verb->origin, verb->out, &prepared, &provenance, &fresh)) {
            status = STATUS_BAD;
            continue;
        }
        progress_hide();
        if (fresh || !verb->quiet)
            print(verb, &provenance, &prepared, fresh);
        prepared_free(&prepared);
        mesh_provenance_free(&provenance);
    }
    progress_end();
    return status;
}

/* Add the bodies that the runs of an experiment name, each once; a file's path is none. */
static int add_named(struct meshes_verb *verb, const struct catalogue *catalogue, const char *file) {
    static const char *const paths[] = {"body.mesh", "scene.convex.mesh"};
    const struct selection all = {.tier = NULL};
    struct plan plan;
    const int status = selection_plan(&all, file, &plan);
    for (int r = 0; !status && r < plan.run_count; ++r)
        for (size_t p = 0; p < sizeof paths / sizeof *paths; ++p) {
            const struct parameter *parameter = run_parameter(&plan.runs[r], paths[p]);
            const struct catalogue_mesh *mesh =
                parameter ? catalogue_mesh_named(catalogue, parameter->value.text) : NULL;
            if (mesh)
                words_add_new(&verb->names, mesh->name);
        }
    if (!status)
        plan_free(&plan);
    return status;
}

static int keep_bodies(void *out) {
    struct meshes_verb *verb = out;
    AUTO(catalogue_free) struct catalogue catalogue = {.origins = NULL};
    verb->out = verb->out ? verb->out : surface_folder();
    int status =
        file_exists(verb->catalogue)
            ? catalogue_read(verb->catalogue, &catalogue)
            : fail("%s: there is no such catalogue; start springback in its repository, or name one by --catalogue",
                   verb->catalogue);
    if (status)
        return status;
    int named = STATUS_OK; /* a file with mistakes names none; what others name is prepared all the same */
    for (int f = 0; f < verb->files.count; ++f)
        named = add_named(verb, &catalogue, verb->files.words[f]) ? STATUS_BAD : named;
    if (!verb->names.count && !verb->files.count)
        for (int m = 0; m < catalogue.mesh_count; ++m)
            words_add(&verb->names, catalogue.meshes[m].name);
    for (int k = 0; k < verb->names.count; ++k) { /* all names, before any work */
        const struct catalogue_mesh *mesh = catalogue_find(&catalogue, verb->names.words[k]);
        if (!mesh)
            status = STATUS_BAD;
        else if (verb->list)
            list(verb, mesh);
    }
    if (!status && !verb->list) {
        interrupt_catch();
        status = prepare(verb, &catalogue);
    }
    return status ? status : named;
}

const struct verb verb_meshes = {
    .arguments = "[NAME...]",
    .doc = "Fetch the originals of the bodies' meshes, prepare each as the catalogue says, fill it with "
           "inner links and tetrahedra, and keep it: all of them, or those named, or those that experiments need. "
           "What is there already and is right is "
           "left as it is. "
           "Where an original cannot be had, the catalogue's next source takes its place; one that "
           "has not the sum it must have is an error."
           "\vExample: what there is, then two of them, with originals of your own\n"
           "  springback meshes --list\n"
           "  springback meshes --from ~/meshes bob_3087 bunny_open_3008",
    .options = options,
    .size = sizeof(struct meshes_verb),
    .defaults = &(const struct meshes_verb){.catalogue = "data/meshes.yaml"},
    .run = keep_bodies};
