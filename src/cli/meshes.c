/* springback meshes: fetch and prepare the meshes of the bodies. */
#include "base/file.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/project.h"
#include "base/terminal.h"
#include "body/library.h"
#include "body/surface.h"
#include "cli/verb.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct meshes_verb {
    struct words names, files; /* names: the names of meshes; files: the experiment files of --for */
    struct origin_options origin;
    const char *catalogue, *out;
    int jobs; /* number of processes that prepare meshes at the same time */
    bool list, json, quiet;
};

enum { MAX_JOBS = 1000 };

static const struct verb_option options[] = {
    {"from", 'f', "FOLDER", "Your own folder of originals (default: the environment variable SPRINGBACK_MESHES)",
     OPTION_PATH, .field = offsetof(struct meshes_verb, origin.folder)},
    {"out", 'o', "DIR",
     "Folder of the prepared bodies (default: the environment variable SPRINGBACK_BODIES, or out/bodies)", OPTION_PATH,
     .field = offsetof(struct meshes_verb, out)},
    {"catalogue", 0, "FILE", "The catalogue of meshes (default: data/meshes.yaml)", OPTION_PATH,
     .field = offsetof(struct meshes_verb, catalogue)},
    {"for", 0, "FILE", "Prepare the bodies of this experiment's runs; may be given several times", OPTION_WORDS,
     .field = offsetof(struct meshes_verb, files)},
    {"offline", 0, NULL, "Do not use the network", OPTION_FLAG, .field = offsetof(struct meshes_verb, origin.offline)},
    {"jobs", 'j', "N", "Prepare N meshes at the same time: 1 to 1000 (default: 1)", OPTION_WHOLE,
     .field = offsetof(struct meshes_verb, jobs), 1, MAX_JOBS, "a whole number from 1 to 1000"},
    {"list", 0, NULL, "Only list the meshes of the catalogue", OPTION_FLAG,
     .field = offsetof(struct meshes_verb, list)},
    {"quiet", 'q', NULL, "Print only what was prepared, and errors", OPTION_FLAG,
     .field = offsetof(struct meshes_verb, quiet)},
    {"json", 0, NULL, "Print one JSON object per mesh", OPTION_FLAG, .field = offsetof(struct meshes_verb, json)},
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
            printf("%s %s%s", s ? ", otherwise" : " from", name_of(source), source->stand_in ? " (stand-in)" : "");
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
        printf("  %s from %s%s%s%s\n", fresh ? "prepared" : "present", name_of(source),
               source->stand_in ? terminal_begin(stdout, TERMINAL_FAIR) : "", source->stand_in ? ", a stand-in" : "",
               source->stand_in ? terminal_end(stdout, TERMINAL_FAIR) : "");
        const char *line = provenance->missed;
        for (const char *end; fresh && (end = strchr(line, '\n')); line = end + 1)
            printf("    not available: %.*s\n", (int)(end - line), line);
        if (fresh && failed)
            printf("    TetGen %s does not fill the mesh (%s)\n", provenance->mesh->switches,
                   prepared_fact(prepared, "tetgen_result"));
        if (!source->sum)
            printf("    no checksum is set; you may add to the catalogue: sha256: %s\n", sum ? sum : "");
    }
    fflush(stdout);
}

static int prepare_one(const struct meshes_verb *verb, const struct catalogue *catalogue, const char *name) {
    AUTO(mesh_provenance_free) struct mesh_provenance provenance = {.mesh = NULL};
    AUTO(prepared_free) struct prepared prepared = {.vertices = 0};
    bool fresh;
    if (library_keep(catalogue, name, &verb->origin, verb->out, &prepared, &provenance, &fresh))
        return STATUS_BAD;
    progress_hide();
    if (fresh || !verb->quiet)
        print(verb, &provenance, &prepared, fresh);
    return STATUS_OK;
}

/* Fetch the originals of all meshes before the processes start, so that no two processes fetch the same original. A
 * missing original is reported later, by the process that needs it. */
static void fetch(const struct meshes_verb *verb, const struct catalogue *catalogue) {
    const struct failure_mark mark = failure_mark();
    for (int k = 0; k < verb->names.count && !interrupt_signal(); ++k) {
        struct mesh_provenance provenance;
        if (!catalogue_choose(catalogue, verb->names.words[k], &verb->origin, &provenance))
            mesh_provenance_free(&provenance);
    }
    failure_rewind(mark);
}

/* Start a process that prepares one mesh, and prints the result or the errors. The new process also ends if the present
 * process ends. Returns -1 if no process can be started. */
static pid_t start_one(const struct meshes_verb *verb, const struct catalogue *catalogue, const char *name) {
    fflush(stdout);
    const pid_t child = fork();
    if (child)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    progress_end();
    failure_clear();
    const int status = prepare_one(verb, catalogue, name) ? complain() : STATUS_OK;
    _exit(fflush(stdout) ? STATUS_BAD : status);
}

/* Wait until one of the started processes ends. Returns whether the process that ended has succeeded. */
static bool wait_for_one(void) {
    int status = 0;
    while (wait(&status) < 0 && errno == EINTR)
        ;
    return status == 0;
}

/* The order for qsort: the largest mesh first. Otherwise a process that begins a large mesh last would end long after
 * the other processes. */
static int by_size(const void *a, const void *b) {
    const struct catalogue_mesh *const *x = a, *const *y = b;
    const long p = (*x)->sources[0].counts.value[MESH_VERTICES], q = (*y)->sources[0].counts.value[MESH_VERTICES];
    return (p < q) - (p > q);
}

static int prepare_in_parallel(const struct meshes_verb *verb, const struct catalogue *catalogue) {
    const int count = verb->names.count;
    AUTO_FREE const struct catalogue_mesh **meshes = memory_new((size_t)count, sizeof *meshes);
    int status = STATUS_OK, running = 0;
    for (int k = 0; k < count; ++k)
        meshes[k] = catalogue_mesh_named(catalogue, verb->names.words[k]);
    fetch(verb, catalogue);
    qsort(meshes, (size_t)count, sizeof *meshes, by_size);
    for (int k = 0; k < count || running; ++k) {
        const bool is_due = k < count && !interrupt_signal();
        if (running && (!is_due || running == verb->jobs)) {
            status = wait_for_one() ? status : STATUS_BAD;
            --running;
        }
        if (!is_due)
            continue;
        progress_show(k, meshes[k]->name, "bodies", k, count);
        if (start_one(verb, catalogue, meshes[k]->name) < 0)
            status = fail("%s: cannot start a process: %s", meshes[k]->name, strerror(errno));
        else
            ++running;
    }
    return status;
}

static int prepare(const struct meshes_verb *verb, const struct catalogue *catalogue) {
    int status = STATUS_OK;
    progress_begin(verb->names.count);
    if (verb->jobs > 1)
        status = prepare_in_parallel(verb, catalogue);
    for (int k = 0; verb->jobs == 1 && k < verb->names.count && !interrupt_signal(); ++k) {
        progress_show(k, verb->names.words[k], "bodies", k, verb->names.count);
        status = prepare_one(verb, catalogue, verb->names.words[k]) ? STATUS_BAD : status;
    }
    progress_end();
    return status;
}

/* Add the names of the bodies in the runs of an experiment, each once. Paths of files are ignored. */
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

static int prepare_bodies(void *out) {
    struct meshes_verb *verb = out;
    AUTO(catalogue_free) struct catalogue catalogue = {.origins = NULL};
    verb->out = verb->out ? verb->out : surface_folder();
    verb->catalogue = project_path(verb->catalogue);
    int status =
        file_exists(verb->catalogue)
            ? catalogue_read(verb->catalogue, &catalogue)
            : fail("%s: no such catalogue; run springback in its repository, or use --catalogue FILE", verb->catalogue);
    if (status)
        return status;
    int named = STATUS_OK; /* a file with mistakes adds no names, but the bodies of other files are prepared */
    for (int f = 0; f < verb->files.count; ++f)
        named = add_named(verb, &catalogue, verb->files.words[f]) ? STATUS_BAD : named;
    if (!verb->names.count && !verb->files.count)
        for (int m = 0; m < catalogue.mesh_count; ++m)
            words_add(&verb->names, catalogue.meshes[m].name);
    for (int k = 0; k < verb->names.count; ++k) { /* check all names before any work */
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
    .doc = "Fetch the originals of the bodies' meshes, prepare each as described in the catalogue, fill it with inner "
           "links and tetrahedra, and store it. Without arguments: all meshes; otherwise the named meshes, or the "
           "meshes that experiments need (--for). Meshes that are already prepared and valid are not changed. "
           "If an original is not available, the next source in the catalogue is used. An original with a wrong "
           "checksum is an error."
           "\vExample: list all meshes, then prepare two of them with your own originals\n"
           "  springback meshes --list\n"
           "  springback meshes --from ~/meshes bob_3087 bunny_open_3008",
    .options = options,
    .size = sizeof(struct meshes_verb),
    .defaults = &(const struct meshes_verb){.catalogue = "data/meshes.yaml", .jobs = 1},
    .run = prepare_bodies};
