#include "body/library.h"

#include "base/file.h"
#include "base/memory.h"
#include "body/filling.h"
#include "body/links.h"
#include "body/prepared.h"
#include "mesh/reduce.h"
#include "mesh/survey.h"

#include <string.h>

/* Number to increase if the preparation of bodies changes, so that stored bodies are prepared again. */
static const char generation[] = "2";

static char *key_of(const struct catalogue_mesh *mesh, const struct mesh_source *source) {
    char key[CHECKSUM_SIZE];
    catalogue_key(source, key);
    AUTO_FREE char *tools = reduce_tools();
    return text_format("%s %s %s; %s; %s; %s", generation, key, mesh->switches ? mesh->switches : "", mesh->doc, tools,
                       links_tool());
}

/* Read the stored body. Returns whether its key is `key`; if not, nothing is allocated. A damaged file counts as
 * absent. */
static bool is_kept(const char *path, const char *key, struct prepared *prepared) {
    const struct failure_mark mark = failure_mark();
    const bool kept = file_exists(path) && !stored_read(path, prepared);
    failure_rewind(mark);
    const char *was = kept ? prepared_fact(prepared, "key") : NULL;
    if (!kept || (was && strcmp(was, key) == 0))
        return kept;
    prepared_free(prepared);
    return false;
}

static void add_survey(struct prepared *prepared, const struct mesh *mesh, const struct mesh_provenance *provenance) {
    AUTO(mesh_survey_free) struct mesh_survey survey;
    mesh_survey_quick(mesh, &survey);
    const struct {
        const char *name;
        int value;
    } counts[] = {{"genus", survey.genus}, {"loops", survey.boundary_loops}, {"components", survey.components}};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
        prepared_add(prepared, counts[c].name, "%d", counts[c].value);
    if (provenance->source->counts.asked[MESH_CROSSINGS])
        prepared_add(prepared, "crossings", "%ld", provenance->count[MESH_CROSSINGS]);
    prepared_add(prepared, "area", "%.17g", survey.area);
    if (survey.closed && survey.oriented)
        prepared_add(prepared, "volume", "%.17g", survey.volume);
}

static void add_provenance(struct prepared *prepared, const struct mesh_provenance *provenance, const char *key) {
    const struct mesh_source *source = provenance->source;
    const struct mesh_origin *origin = source->origin;
    const struct {
        const char *name, *text;
    } facts[] = {{"body", provenance->mesh->name},
                 {"doc", provenance->mesh->doc},
                 {"from", origin ? origin->name : source->shape->name},
                 {"kind", origin ? origin->kind->name : "formula"},
                 {"package", origin ? origin->package : NULL},
                 {"version", origin ? origin->version : NULL},
                 {"file", origin ? origin->file : NULL},
                 {"licence", origin ? origin->licence : NULL},
                 {"credit", origin ? origin->credit : NULL},
                 {"original_sha256", origin ? provenance->original : NULL},
                 {"steps", provenance->steps},
                 {"mesh_sha256", provenance->sum},
                 {"stand_in", source->stand_in ? "yes" : "no"},
                 {"missed", *provenance->missed ? provenance->missed : NULL},
                 {"key", key}};
    for (size_t f = 0; f < sizeof facts / sizeof *facts; ++f)
        if (facts[f].text)
            prepared_add(prepared, facts[f].name, "%s", facts[f].text);
}

static int make(struct mesh_provenance *provenance, const char *key, const char *path, struct prepared *prepared) {
    const char *name = provenance->mesh->name;
    const struct filling how = {true, true, provenance->mesh->switches};
    AUTO(mesh_free) struct mesh mesh = {.vertices = 0};
    if (catalogue_make(provenance, &mesh) || prepared_create(&mesh, name, prepared))
        return STATUS_BAD;
    if (!filling_add(prepared, &how, name)) {
        add_survey(prepared, &mesh, provenance);
        add_provenance(prepared, provenance, key);
        if (!stored_write(prepared, path))
            return STATUS_OK;
    }
    prepared_free(prepared);
    return STATUS_BAD;
}

/* Whether the stored body is from a better source than the one available now. If so, read the body, and set
 * provenance->source. */
static bool is_better_kept(const char *path, struct mesh_provenance *provenance, struct prepared *prepared) {
    const struct catalogue_mesh *mesh = provenance->mesh;
    for (const struct mesh_source *source = mesh->sources; source < provenance->source; ++source) {
        AUTO_FREE char *key = key_of(mesh, source);
        if (is_kept(path, key, prepared)) {
            provenance->source = source;
            return true;
        }
    }
    return false;
}

int library_keep(const struct catalogue *catalogue, const char *name, const struct origin_options *options,
                 const char *folder, struct prepared *prepared, struct mesh_provenance *provenance, bool *fresh) {
    if (catalogue_choose(catalogue, name, options, provenance))
        return STATUS_BAD;
    AUTO_FREE char *path = text_format("%s/%s.h5", folder, name);
    AUTO_FREE char *key = key_of(provenance->mesh, provenance->source);
    *fresh = !is_better_kept(path, provenance, prepared) && !is_kept(path, key, prepared);
    if (!*fresh || (!folder_make(folder) && !make(provenance, key, path, prepared)))
        return STATUS_OK;
    mesh_provenance_free(provenance);
    return STATUS_BAD;
}
