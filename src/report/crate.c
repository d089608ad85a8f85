#include "report/crate.h"

#include "base/json.h"
#include "base/memory.h"
#include "claim/claim_file.h"
#include "run/results.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RO_CRATE "https://w3id.org/ro/crate/1.2"
#define PROFILE  "https://w3id.org/ro/wfrun/process/0.5"
#define LICENCE  "https://spdx.org/licenses/MIT"

/* ---- Entities ---- */

/* The text `before`, followed by a name as a relative URL. Colons, and bytes that RFC 3986 does not allow in a path,
 * become %XX. Newly allocated; the caller frees it. */
static char *reference_of(const char *before, const char *name) {
    char *text = text_copy(before);
    for (; *name; ++name)
        if (isalnum((unsigned char)*name) || strchr("-._~!$&'()*+,;=@/", *name))
            text_append(&text, "%c", *name);
        else
            text_append(&text, "%%%02X", (unsigned char)*name);
    return text;
}

/* {"@id": id}; a new reference. */
static json_t *link_to(const char *id) {
    return json_pack("{so}", "@id", json_text(id));
}

/* A link to a file of the archive; a new reference. */
static json_t *link_to_file(const char *name) {
    AUTO_FREE char *id = reference_of("", name);
    return link_to(id);
}

/* An entity with a name; a new reference. */
static json_t *entity(const char *id, const char *type, const char *name) {
    return json_pack("{so ss so}", "@id", json_text(id), "@type", type, "name", json_text(name));
}

static void set_text(json_t *object, const char *property, const char *text) {
    if (text && *text)
        json_object_set_new(object, property, json_text(text));
}

static int by_item_name(const void *name, const void *item) {
    return strcmp(name, ((const struct tarball_item *)item)->name);
}

/* The file with this name; NULL if there is none. tarball_sum must have sorted the list. */
static const struct tarball_item *find_item(const struct tarball_list *list, const char *name) {
    return bsearch(name, list->items, (size_t)list->count, sizeof *list->items, by_item_name);
}

/* ---- Files ---- */

static const struct {
    const char *ending, *format;
} formats[] = {
    {".h5", "application/x-hdf5"}, {".vtkhdf", "application/x-hdf5"},     {".html", "text/html"},
    {".json", "application/json"}, {".jsonl", "application/jsonl"},       {".png", "image/png"},
    {".svg", "image/svg+xml"},     {".tsv", "text/tab-separated-values"}, {".txt", "text/plain"},
    {".xz", "application/x-xz"},   {".yaml", "application/yaml"},         {".yml", "application/yaml"},
};

static json_t *file_entity(const struct tarball_item *item) {
    AUTO_FREE char *id = reference_of("", item->name), *bytes = text_format("%.0f", item->bytes);
    json_t *file = entity(id, "File", item->name);
    set_text(file, "contentSize", bytes);
    set_text(file, "sha256", item->sum);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; ++f)
        if (text_ends(item->name, formats[f].ending))
            set_text(file, "encodingFormat", formats[f].format);
    return file;
}

/* ---- Programs, machines and bodies ---- */

static const char *note_of(const struct trace_data *trace, const char *name) {
    const char *note = trace_provenance_note(trace, name);
    return note ? note : "";
}

/* Add an entity to the graph. Its id becomes `prefix` and a number. If the graph has an entity that differs only in the
 * number, nothing is added. Takes over the entity; returns a link to the new or the old entity. */
static json_t *add_numbered(json_t *graph, json_t *new, const char *prefix) {
    AUTO_FREE char *id = NULL;
    int number = 1;
    size_t g;
    json_t *old;
    json_array_foreach(graph, g, old) {
        const char *known = json_string_value(json_object_get(old, "@id"));
        if (strncmp(known, prefix, strlen(prefix)) != 0)
            continue;
        ++number;
        json_object_set(new, "@id", json_object_get(old, "@id"));
        if (json_equal(old, new)) {
            json_decref(new);
            return link_to(known);
        }
    }
    id = text_format("%s%d", prefix, number);
    json_object_set_new(new, "@id", json_text(id));
    json_array_append_new(graph, new);
    return link_to(id);
}

/* Add an entity to the graph, unless the graph has an entity with the same id. Takes over the entity; returns a link to
 * the entity with this id. */
static json_t *add_once(json_t *graph, json_t *new) {
    json_t *link = link_to(json_string_value(json_object_get(new, "@id"))), *old;
    size_t g;
    json_array_foreach(graph, g, old) {
        if (json_equal(json_object_get(old, "@id"), json_object_get(new, "@id"))) {
            json_decref(new);
            return link;
        }
    }
    json_array_append_new(graph, new);
    return link;
}

/* Add the sources from which a program was built, with their SWHIDs. Returns a link to the sources; NULL if the trace
 * does not have the SWHIDs. */
static json_t *add_sources(json_t *graph, const struct trace_data *trace) {
    const char *sources = note_of(trace, "sources"), *commit = note_of(trace, "commit");
    if (strncmp(sources, "swh:1:dir:", 10) != 0 || strncmp(commit, "swh:1:rev:", 10) != 0)
        return NULL;
    json_t *code = entity(sources, "SoftwareSourceCode", "the sources of springback");
    json_object_set_new(code, "identifier", json_pack("[oo]", json_text(sources), json_text(commit)));
    set_text(code, "programmingLanguage", "C");
    set_text(code, "version", note_of(trace, "revision"));
    return add_once(graph, code);
}

/* Add the driver of the run's OpenCL device. The trace's note on the driver is "PLATFORM, driver VERSION". Returns a
 * link to the driver; NULL if the run used no OpenCL device. */
static json_t *add_driver(json_t *graph, const struct trace_data *trace) {
    static const char separator[] = ", driver ";
    const char *note = note_of(trace, "driver"), *end = strstr(note, separator);
    if (!*note)
        return NULL;
    AUTO_FREE char *platform = end ? text_format("%.*s", (int)(end - note), note) : text_copy(note);
    json_t *driver = entity("", "SoftwareApplication", platform);
    set_text(driver, "version", end ? end + strlen(separator) : "");
    return add_numbered(graph, driver, "#driver-");
}

static json_t *add_program(json_t *graph, const struct trace_data *trace) {
    const bool is_changed = !strcmp(note_of(trace, "tree"), "changed");
    AUTO_FREE char *version =
        text_format("%s+%s%s", note_of(trace, "springback"), note_of(trace, "revision"), is_changed ? ".changed" : "");
    AUTO_FREE char *build = text_format("Compiled by %s with %s. Hash of the object code: %s.",
                                        note_of(trace, "compiler"), note_of(trace, "flags"), note_of(trace, "code"));
    json_t *program = entity("", "SoftwareApplication", "springback"), *sources = add_sources(graph, trace);
    set_text(program, "softwareVersion", version);
    set_text(program, "description", build);
    set_text(program, "operatingSystem", note_of(trace, "system"));
    json_object_set_new(program, "license", link_to(LICENCE));
    if (sources) {
        json_object_set_new(
            program, "identifier",
            json_pack("[oo]", json_text(note_of(trace, "sources")), json_text(note_of(trace, "commit"))));
        json_object_set_new(program, "isBasedOn", sources);
    }
    json_t *driver = add_driver(graph, trace);
    if (driver)
        json_object_set_new(program, "softwareRequirements", driver);
    return add_numbered(graph, program, "#springback-");
}

static json_t *add_machine(json_t *graph, const struct trace_data *trace) {
    AUTO_FREE char *text = text_format("Host %s, %s. The runs were computed on %s.", note_of(trace, "host"),
                                       note_of(trace, "system"), note_of(trace, "device"));
    json_t *machine = entity("", "IndividualProduct", note_of(trace, "cpu"));
    set_text(machine, "description", text);
    return add_numbered(graph, machine, "#machine-");
}

/* Add the body of a run that names a mesh: a prepared body, or the body made from a mesh file. The archive does not
 * contain bodies. Returns a link to the body; NULL if the run names no mesh, or its trace has no hash of the body. */
static json_t *add_body(json_t *graph, const struct trace_data *trace) {
    const char *mesh = trace_parameter_text(trace, "body.mesh");
    const char *sum = trace_run_text(trace, "body_mesh_sha256"), *hash = trace_run_text(trace, "body_hash");
    if (!mesh || !*hash)
        return NULL;
    AUTO_FREE char *prefix = text_format("#body/%s/", mesh), *id = reference_of("#", prefix + 1);
    json_t *body = entity("", "CreativeWork", mesh), *identifiers = json_array();
    AUTO_FREE char *xxh3 = text_format("xxh3-128:%s", hash), *sha256 = text_format("sha256:%s", sum);
    json_array_append_new(identifiers, json_text(xxh3));
    if (*sum)
        json_array_append_new(identifiers, json_text(sha256));
    json_object_set_new(body, "identifier", identifiers);
    set_text(body, "description",
             "A body, which the archive does not contain. Its identifiers are its hash and the SHA-256 of its mesh, if "
             "known. `springback meshes` prepares this body, unless its name is the path of a mesh file.");
    return add_numbered(graph, body, id);
}

/* ---- Runs ---- */

/* The time at which a run ended; "" if it is unknown. A trace of an earlier version does not have this time, so the
 * function adds the duration to the start. Newly allocated; the caller frees it. */
static char *end_of(const struct trace_data *trace) {
    const char *ended = trace_run_text(trace, "ended");
    char text[32] = "";
    struct tm utc = {.tm_sec = 0};
    if (*ended || !strptime(note_of(trace, "start"), "%Y-%m-%dT%H:%M:%SZ", &utc))
        return text_copy(ended);
    const time_t end = timegm(&utc) + (time_t)(strtod(trace_run_text(trace, "seconds"), NULL) + 0.5);
    if (gmtime_r(&end, &utc))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text_copy(text);
}

/* Links to the files of the archive that a run read, and to the body of the run (add_body). A new reference. */
static json_t *inputs_of(json_t *graph, const struct tarball_list *list, const struct trace_run *run) {
    static const char *const paths[] = {"body.mesh", "scene.convex.mesh"};
    AUTO_FREE char *own = text_format("experiments/%s.yaml", run->experiment);
    AUTO_FREE char *shared = text_format("experiments/%.*s.yaml", (int)strcspn(run->experiment, "/"), run->experiment);
    json_t *inputs = json_array(), *body = add_body(graph, run->trace);
    if (find_item(list, own))
        json_array_append_new(inputs, link_to_file(own));
    if (find_item(list, shared))
        json_array_append_new(inputs, link_to_file(shared));
    for (size_t p = 0; p < sizeof paths / sizeof *paths; ++p) {
        const char *mesh = trace_parameter_text(run->trace, paths[p]);
        while (mesh && !strncmp(mesh, "./", 2))
            mesh += 2;
        if (mesh && find_item(list, mesh))
            json_array_append_new(inputs, link_to_file(mesh));
    }
    if (body)
        json_array_append_new(inputs, body);
    return inputs;
}

static json_t *add_usage(json_t *graph, const char *action, const char *bytes) {
    AUTO_FREE char *id = text_format("%s/peak-memory", action);
    json_t *usage = entity(id, "PropertyValue", "the most memory that the process had used when the run ended");
    set_text(usage, "propertyID", "peak_memory");
    set_text(usage, "unitCode", "AD"); /* the code of UN/CEFACT for the unit byte */
    set_text(usage, "value", bytes);
    json_array_append_new(graph, usage);
    return link_to(id);
}

/* Add the action of a run; returns a link to the action. NULL if the archive does not have the run's trace. */
static json_t *add_run(json_t *graph, const struct tarball_list *list, const struct trace_run *run) {
    AUTO_FREE char *path = text_format("%s/%s", run->experiment, run->id), *id = reference_of("#run/", path);
    const char *base = strrchr(run->trace->path, '/');
    AUTO_FREE char *file = text_format("results/%s/%s", run->experiment, base ? base + 1 : run->trace->path);
    AUTO_FREE char *name = text_format("run %s", path), *end = end_of(run->trace);
    if (!find_item(list, file))
        return NULL;
    json_t *action = entity(id, "CreateAction", name), *program = add_program(graph, run->trace);
    set_text(action, "description", note_of(run->trace, "command"));
    set_text(action, "startTime", note_of(run->trace, "start"));
    set_text(action, "endTime", end);
    set_text(action, "actionStatus", "http://schema.org/CompletedActionStatus");
    json_object_set(action, "instrument", program);
    json_object_set_new(action, "agent", json_pack("[oo]", program, add_machine(graph, run->trace)));
    json_object_set_new(action, "object", inputs_of(graph, list, run));
    json_object_set_new(action, "result", link_to_file(file));
    if (*trace_run_text(run->trace, "peak_memory"))
        json_object_set_new(action, "resourceUsage", add_usage(graph, id, trace_run_text(run->trace, "peak_memory")));
    json_array_append_new(graph, action);
    return link_to(id);
}

/* ---- Papers ---- */

/* The files of claims that are about a paper: those with `authors` or a `doi`. */
struct papers {
    struct claim_file *files;
    int count;
};

static int papers_read(const struct words *claims, struct papers *out) {
    int status = STATUS_OK;
    *out = (struct papers){memory_new((size_t)claims->count + 1, sizeof *out->files), 0};
    for (int c = 0; c < claims->count && !status; ++c) {
        struct claim_file *file = &out->files[out->count];
        status = claim_file_read(claims->words[c], file);
        if (!status && (file->authors || *file->doi))
            ++out->count;
        else if (!status)
            claim_file_free(file);
    }
    return status;
}

static void papers_free(struct papers *papers) {
    for (int p = 0; p < papers->count; ++p)
        claim_file_free(&papers->files[p]);
    free(papers->files);
}

static json_t *add_paper(json_t *graph, const struct claim_file *paper) {
    AUTO_FREE char *id =
        *paper->doi ? reference_of("https://doi.org/", paper->doi) : text_format("#paper/%s", paper->paper);
    json_t *article = entity(id, "ScholarlyArticle", *paper->title ? paper->title : paper->paper);
    json_t *authors = json_array();
    for (int a = 0; paper->authors && a < paper->authors->count; ++a) {
        AUTO_FREE char *person = reference_of("#person/", paper->authors->items[a].text);
        json_array_append_new(authors, add_once(graph, entity(person, "Person", paper->authors->items[a].text)));
    }
    json_object_set_new(article, "author", authors);
    set_text(article, "creditText", paper->citation);
    return add_once(graph, article);
}

/* ---- ro-crate-metadata.json ---- */

/* The time at which the last run ended; "1970-01-01T00:00:00Z" if it is unknown. Newly allocated; the caller frees it.
 */
static char *last_end(const struct trace_set *traces) {
    char *last = text_copy("1970-01-01T00:00:00Z");
    for (int t = 0; t < traces->count; ++t) {
        char *end = end_of(&traces->traces[t]);
        if (strcmp(end, last) > 0) {
            free(last);
            last = end;
        } else {
            free(end);
        }
    }
    return last;
}

static char *crate_text(const struct tarball_list *list, const struct trace_set *traces, const struct papers *papers) {
    json_t *graph = json_array(), *parts = json_array(), *actions = json_array(), *articles = json_array();
    AUTO_FREE char *published = last_end(traces);
    json_array_append_new(graph, json_pack("{ss ss s{ss} s{ss}}", "@id", "ro-crate-metadata.json", "@type",
                                           "CreativeWork", "conformsTo", "@id", RO_CRATE, "about", "@id", "./"));
    AUTO_FREE char *names = text_copy("");
    for (int r = 0; r < traces->run_count; ++r) {
        const char *experiment = traces->runs[r].experiment;
        AUTO_FREE char *paper = text_format("%.*s", (int)strcspn(experiment, "/"), experiment);
        text_list_add(&names, paper);
    }
    AUTO_FREE char *name = text_format("A reproduction by springback: %s", names);
    json_t *root = entity("./", "Dataset", name);
    json_array_append(graph, root);
    json_t *profile = entity(PROFILE, "CreativeWork", "Process Run Crate");
    set_text(profile, "version", "0.5");
    json_array_append_new(graph, profile);
    json_array_append_new(graph, entity(LICENCE, "CreativeWork", "MIT License"));
    for (int p = 0; p < papers->count; ++p)
        json_array_append_new(articles, add_paper(graph, &papers->files[p]));
    for (int r = 0; r < traces->run_count; ++r) {
        json_t *action = traces->runs[r].trace ? add_run(graph, list, &traces->runs[r]) : NULL;
        if (action)
            json_array_append_new(actions, action);
    }
    for (int i = 0; i < list->count; ++i) {
        json_array_append_new(graph, file_entity(&list->items[i]));
        json_array_append_new(parts, link_to_file(list->items[i].name));
    }
    json_array_append_new(parts, link_to_file("SHA256SUMS"));
    json_array_append_new(graph, entity("SHA256SUMS", "File", "the SHA-256 of each file, for sha256sum --check"));
    set_text(root, "description",
             "Experiments of papers, run again: experiment files, traces, tables, figures, claims and verdicts. "
             "README.txt says how to judge the claims again.");
    set_text(root, "datePublished", published);
    json_object_set_new(root, "license", link_to(LICENCE));
    json_object_set_new(root, "conformsTo", link_to(PROFILE));
    json_object_set_new(root, "citation", articles);
    json_object_set_new(root, "mentions", actions);
    json_object_set_new(root, "hasPart", parts);
    json_decref(root);
    json_auto_t *crate = json_pack("{s[s{ss}] so}", "@context", RO_CRATE "/context", "resourceUsage",
                                   "https://w3id.org/ro/terms/workflow-run#resourceUsage", "@graph", graph);
    AUTO_FREE char *json = json_dumps(crate, JSON_INDENT(1));
    return text_format("%s\n", json);
}

/* ---- codecheck.yml ---- */

/* Append a line: `lead`, then a text in double quotes, as both YAML and JSON write it. */
static void append_quoted(char **out, const char *lead, const char *text) {
    json_auto_t *value = json_text(text);
    AUTO_FREE char *quoted = json_dumps(value, JSON_ENCODE_ANY);
    text_append(out, "%s%s\n", lead, quoted);
}

/* The comment on a file in the list `manifest` of codecheck.yml; NULL if the file is not listed, because a reader of
 * the papers does not check it. */
static const char *manifest_comment(const char *name) {
    if (!strncmp(name, "verdicts/", 9))
        return "the verdicts on the claims, one JSON object on each line";
    if (!strncmp(name, "results/figures/", 16) && text_ends(name, ".svg"))
        return "a figure, drawn again";
    if (text_ends(name, "/summary.tsv"))
        return "for each run of an experiment: parameters, frame times, and the minimum, maximum, last and mean value "
               "of each series";
    return NULL;
}

static char *codecheck_text(const struct tarball_list *list, const struct papers *papers) {
    char *text = text_copy("---\n# The codechecker adds the keys `codechecker`, `summary`, `check_time`, `certificate` "
                           "and `report`.\n"
                           "version: https://codecheck.org.uk/spec/config/1.0/\n\npaper:\n");
    AUTO_FREE char *titles = text_copy(""), *authors = text_copy(""), *others = text_copy("");
    const char *doi = NULL;
    for (int p = 0; p < papers->count; ++p) {
        const struct claim_file *paper = &papers->files[p];
        text_append(&titles, "%s%s", *titles ? "; " : "", *paper->title ? paper->title : paper->paper);
        for (int a = 0; paper->authors && a < paper->authors->count; ++a) {
            const char *name = paper->authors->items[a].text;
            AUTO_FREE char *line = text_copy("");
            append_quoted(&line, "    - name: ", name);
            if (!strstr(authors, line))
                text_append(&authors, "%s", line);
        }
        if (!*paper->doi)
            continue;
        if (doi)
            text_append(&others, "    - https://doi.org/%s\n", paper->doi);
        else
            doi = paper->doi;
    }
    append_quoted(&text, "  title: ", papers->count ? titles : "no published paper");
    if (*authors)
        text_append(&text, "  authors:\n%s", authors);
    if (doi)
        text_append(&text, "  reference: https://doi.org/%s\n", doi);
    if (*others)
        text_append(&text, "  reference-other:\n%s", others);
    text_append(&text, "\nmanifest:\n");
    for (int i = 0; i < list->count; ++i) {
        const char *comment = manifest_comment(list->items[i].name);
        if (!comment)
            continue;
        append_quoted(&text, "  - file: ", list->items[i].name);
        append_quoted(&text, "    comment: ", comment);
    }
    return text;
}

int crate_add(struct tarball_list *list, const struct trace_set *traces, const struct words *claims) {
    struct papers papers;
    int status = papers_read(claims, &papers);
    if (!status)
        status = tarball_sum(list);
    if (!status) {
        AUTO_FREE char *codecheck = codecheck_text(list, &papers);
        tarball_add_text(list, "codecheck.yml", codecheck);
        status = tarball_sum(list);
    }
    if (!status) {
        AUTO_FREE char *crate = crate_text(list, traces, &papers);
        tarball_add_text(list, "ro-crate-metadata.json", crate);
    }
    papers_free(&papers);
    return status;
}
