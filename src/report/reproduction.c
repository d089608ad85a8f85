#include "report/reproduction.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/project.h"
#include "base/tarball.h"
#include "claim/claim_file.h"
#include "claim/sensitivity.h"
#include "experiment/spelling.h"
#include "mesh/mesh_file.h"
#include "report/crate.h"
#include "run/manifest.h"
#include "run/provenance.h"
#include "run/results.h"
#include "run/sweep.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_file(const char *path) {
    struct stat about;
    return !stat(path, &about) && S_ISREG(about.st_mode);
}

/* "va2022" for "paper_checks/va2022.yaml". Newly allocated; the caller frees it. */
static char *stem_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return text_format("%.*s", (int)(strlen(name) - (text_ends(name, ".yaml") ? strlen(".yaml") : 0)), name);
}

/* ---- Contents ---- */

/* Add FOLDER/NAME as UNDER/NAME, if it exists. */
static void add_if_there(struct tarball_list *list, const char *folder, const char *under, const char *name) {
    AUTO_FREE char *path = text_format("%s/%s", folder, name);
    if (is_file(path)) {
        AUTO_FREE char *inside = *under ? text_format("%s/%s", under, name) : text_copy(name);
        tarball_add_file(list, inside, path);
    }
}

/* Add a file of the project by its path, if it exists. */
static void add_of_project(struct tarball_list *list, const char *name) {
    if (is_file(project_path(name)))
        tarball_add_file(list, name, project_path(name));
}

/* Add the files of FOLDER that have one of the extensions `ends`, a NULL-terminated list, as UNDER/NAME. */
static void add_ending(struct tarball_list *list, const char *folder, const char *under, const char *const *ends) {
    AUTO(entries_free) char **entries = entries_list(folder);
    for (char **entry = entries; *entry; ++entry)
        for (const char *const *end = ends; *end; ++end)
            if (text_ends(*entry, *end))
                add_if_there(list, folder, under, *entry);
}

/* Add the manifest of an experiment's folder, the traces that the manifest names, and the tables of the folder. */
static int add_runs(struct tarball_list *list, const char *folder, const char *under) {
    static const char *const tables[] = {"runs.tsv", "summary.tsv", "context.gp", "sensitivity.tsv"};
    AUTO(manifest_free) struct manifest manifest;
    int status = manifest_read(folder, &manifest);
    for (size_t t = 0; t < sizeof tables / sizeof *tables; ++t)
        add_if_there(list, folder, under, tables[t]);
    for (int r = 0; r < manifest.count && !status; ++r) {
        if (!strcmp(manifest.rows[r].trace, "-"))
            continue;
        AUTO_FREE char *table = text_format("%s.tsv", manifest.rows[r].id);
        add_if_there(list, folder, under, manifest.rows[r].trace);
        add_if_there(list, folder, under, table);
    }
    return status;
}

/* Add the table of an experiment's sweep, by which its claims are judged. An outdated table is not added, because its
 * members belong to another version of the experiment's file. */
static int add_sweep(struct tarball_list *list, const struct trace_set *traces, const char *experiment) {
    AUTO_FREE char *path = sweep_path(traces->sweeps, experiment), *inside = sweep_path(DEFAULT_SWEEPS, experiment);
    AUTO(member_set_free) struct member_set set;
    if (member_set_read(traces->sweeps, traces->files, experiment, &set))
        return STATUS_BAD;
    if (set.count)
        tarball_add_file(list, inside, path);
    return STATUS_OK;
}

static const char *paper_end(const char *experiment) {
    return experiment + strcspn(experiment, "/");
}

/* Whether two names belong to the same paper. Each is the name of an experiment or of a paper. */
static bool is_same_paper(const char *a, const char *b) {
    const size_t length = (size_t)(paper_end(a) - a);
    return (size_t)(paper_end(b) - b) == length && !strncmp(a, b, length);
}

/* Add the figures of a paper, and their scripts. */
static void add_figures(struct tarball_list *list, const char *folder, const char *paper) {
    static const char *const pictures[] = {".svg", ".png", NULL}, *const scripts[] = {".gp", ".inc", ".awk", NULL};
    AUTO_FREE char *of_paper = text_format("%s/%s", folder, paper);
    AUTO_FREE char *results = text_format("results/%s", paper);
    AUTO_FREE char *drawn = text_format("%s/figures/%s", folder, paper);
    AUTO_FREE char *under = text_format("results/figures/%s", paper);
    AUTO_FREE char *sources = text_format("figures/%s", paper);
    add_if_there(list, of_paper, results, "reported.gp");
    add_ending(list, drawn, under, pictures);
    add_ending(list, sources, sources, scripts);
}

static bool has_item(const struct tarball_list *list, const char *name) {
    for (int i = 0; i < list->count; ++i)
        if (!strcmp(list->items[i].name, name))
            return true;
    return false;
}

/* Whether a mesh named by a trace may be included. The trace may be untrusted and name any file. */
static bool is_packable_mesh(const char *name) {
    return tarball_is_name(name) && mesh_file_is_name(name) && *name != '.' && !strstr(name, "/.");
}

/* Add the experiment file, as the first trace of the experiment stores it, and the mesh files of the project that the
 * runs name. A prepared body that a run names is not added. */
static void add_sources(struct tarball_list *list, const struct trace_set *traces, const char *experiment) {
    static const char *const paths[] = {"body.mesh", "scene.convex.mesh"};
    AUTO_FREE char *name = text_format("experiments/%s.yaml", experiment);
    for (const struct trace_run *run = NULL; (run = trace_set_next_trace(traces, experiment, run));) {
        if (!has_item(list, name))
            tarball_add_text(list, name, run->trace->experiment_text);
        for (size_t p = 0; p < sizeof paths / sizeof *paths; ++p) {
            const char *mesh = trace_parameter_text(run->trace, paths[p]);
            while (mesh && !strncmp(mesh, "./", 2))
                mesh += 2;
            if (mesh && is_packable_mesh(mesh) && !has_item(list, mesh))
                add_of_project(list, mesh);
        }
    }
}

/* Fail if a trace that a manifest names is missing or damaged. */
static int refuse_damaged(const struct trace_set *traces, const char *folder, const char *experiment) {
    AUTO_FREE char *path = text_format("%s/%s", folder, experiment);
    AUTO(manifest_free) struct manifest manifest;
    int status = manifest_read(path, &manifest);
    for (const struct trace_run *run = NULL; (run = trace_set_next(traces, experiment, run));)
        for (int m = 0; m < manifest.count; ++m)
            if (!run->trace && !strcmp(run->id, manifest.rows[m].id) && strcmp(manifest.rows[m].trace, "-") != 0)
                status = fail("%s; run experiments/%s.yaml again", run->reason, experiment);
    return status;
}

/* Whether `part` names the paper of an experiment. An empty `part` means all papers. */
static bool has_paper(const struct words *part, const char *experiment) {
    bool has = !part->count;
    for (int p = 0; p < part->count && !has; ++p)
        has = !*paper_end(part->words[p]) && is_same_paper(part->words[p], experiment);
    return has;
}

static int add_results(struct tarball_list *list, const char *folder, const struct words *part,
                       const struct trace_set *traces) {
    const char *last = "";
    int status = STATUS_OK;
    for (int e = 0; e < traces->experiment_count && !status; ++e) {
        const char *experiment = traces->experiments[e].name;
        if (!traces->experiments[e].index)
            continue;
        AUTO_FREE char *path = text_format("%s/%s", folder, experiment);
        AUTO_FREE char *under = text_format("results/%s", experiment);
        status = refuse_damaged(traces, folder, experiment);
        status = status ? status : add_runs(list, path, under);
        status = status ? status : add_sweep(list, traces, experiment);
        add_sources(list, traces, experiment);
        if (!is_same_paper(last, experiment)) {
            AUTO_FREE char *paper = text_format("%.*s", (int)(paper_end(experiment) - experiment), experiment);
            AUTO_FREE char *shared = text_format("experiments/%s.yaml", paper); /* the paper's shared assumptions */
            add_of_project(list, shared);
            if (has_paper(part, experiment))
                add_figures(list, folder, paper);
        }
        last = experiment;
    }
    return status;
}

/* ---- Claims and verdicts ---- */

static bool has_results_of(const struct trace_set *traces, const char *paper) {
    for (int e = 0; e < traces->experiment_count; ++e)
        if (traces->experiments[e].index && is_same_paper(traces->experiments[e].name, paper))
            return true;
    return false;
}

/* List the files of claims: the `count` named files, or all files of paper_checks/ if `count` is 0. */
static void list_claims(const char *const *named, int count, struct words *out) {
    for (int c = 0; c < count; ++c)
        words_add(out, named[c]);
    if (!count)
        project_add_claims(out);
}

/* Choose those files of claims whose paper has results. */
static int choose_claims(const struct trace_set *traces, const struct words *files, struct words *out) {
    int status = STATUS_OK;
    for (int f = 0; f < files->count && !status; ++f) {
        AUTO(claim_file_free) struct claim_file claims;
        status = claim_file_read(files->words[f], &claims);
        if (!status && has_results_of(traces, claims.paper))
            words_add(out, files->words[f]);
    }
    return status;
}

/* The results of a report that are in `scope`. They are borrowed from the report; the caller frees the array only. */
static struct claim_report part_of(const struct claim_report *report, const struct claim_scope *scope) {
    struct claim_report part = *report;
    part.results = memory_new((size_t)report->count, sizeof *part.results);
    part.count = 0;
    for (int r = 0; r < report->count; r++)
        if (scope_has(scope, report->results[r].experiment))
            part.results[part.count++] = report->results[r];
    return part;
}

/* Add the files of claims, and the verdicts on each. Files without claims in the scope are not added, and are removed
 * from `files`. */
static int add_claims(struct tarball_list *list, const struct trace_set *traces, const struct claim_scope *scope,
                      struct words *files, struct reproduction_summary *summary) {
    struct words added = {NULL, 0};
    AUTO_FREE struct claim_report *reports = memory_new((size_t)files->count, sizeof *reports);
    int status = verdicts_of(files->words, files->count, traces, scope, reports);
    for (int f = 0; f < files->count; ++f) {
        AUTO_FREE char *text = NULL, *stem = stem_of(files->words[f]);
        AUTO_FREE char *name = text_format("paper_checks/%s.yaml", stem);
        AUTO_FREE char *verdicts = text_format("verdicts/%s.jsonl", stem);
        size_t size;
        const struct claim_report part = part_of(&reports[f], scope);
        FILE *out = open_memstream(&text, &size);
        claim_report_json(&part, out);
        fclose(out);
        if (part.count || !scope->count) {
            tarball_add_file(list, name, files->words[f]);
            tarball_add_text(list, verdicts, text);
            words_add(&added, files->words[f]);
        }
        summary->verdicts += part.count;
        free(part.results);
        claim_report_free(&reports[f]);
    }
    words_free(files);
    *files = added;
    if (!status && !summary->verdicts)
        status = fail("%s: no claims about these results in paper_checks/, or in the files that --claims names; use "
                      "--claims FILE",
                      traces->folder);
    return status;
}

/* ---- Provenance ---- */

/* The notes that distinguish environments. Notes that change from run to run, such as the machine's load average, are
 * not among them. */
static const char *const environment[] = {"springback",  "revision", "tree",    "compiler", "flags",
                                          "fp_contract", "code",     "kernels", "cpu",      "system",
                                          "host",        "device",   "driver"};

static json_t *environment_of(const struct trace_data *trace) {
    json_t *object = json_object();
    for (size_t n = 0; n < sizeof environment / sizeof *environment; ++n) {
        const char *value = trace_provenance_note(trace, environment[n]);
        json_object_set_new(object, environment[n], value ? json_text(value) : json_null());
    }
    return object;
}

static char *provenance_text(const struct trace_set *traces, const struct claim_scope *scope) {
    json_auto_t *root = json_object(), *counts = json_array(), *part = json_array();
    json_t *all = json_array();
    for (int t = 0; t < traces->count; ++t) {
        json_auto_t *one = environment_of(&traces->traces[t]);
        size_t at = 0;
        while (at < json_array_size(all) && !json_equal(json_array_get(all, at), one))
            ++at;
        if (at == json_array_size(all)) {
            json_array_append(all, one);
            json_array_append_new(counts, json_integer(0));
        }
        json_array_set_new(counts, at, json_integer(1 + json_integer_value(json_array_get(counts, at))));
    }
    for (size_t a = 0; a < json_array_size(all); ++a)
        json_object_set(json_array_get(all, a), "traces", json_array_get(counts, a));
    json_object_set_new(root, "archive", json_integer(1)); /* the version of this layout */
    json_object_set_new(root, "judged_by", json_text(provenance_version()));
    json_object_set_new(root, "judged_by_revision", json_text(provenance_revision()));
    json_object_set_new(root, "environments", all);
    for (int e = 0; e < scope->count; ++e)
        json_array_append_new(part, json_text(scope->experiments[e]));
    if (scope->count)
        json_object_set(root, "part", part);
    AUTO_FREE char *json = json_dumps(root, JSON_INDENT(2));
    return text_format("%s\n", json);
}

static const char read_me[] =
    "A reproduction by springback: experiments, claims, traces, tables, figures, verdicts.\n"
    "\n"
    "    springback check --archive FILE     judge the claims again, and compare with verdicts/\n"
    "    sha256sum --check SHA256SUMS        after unpacking: check that no file has changed\n"
    "\n"
    "ro-crate-metadata.json (RO-Crate, Process Run Crate) describes each file and each run for other programs.\n"
    "codecheck.yml lists the papers, and the files that a reader of these papers checks.\n"
    "provenance.json lists the programs, machines and devices of the traces. results/ is the folder for\n"
    "`springback check --out results` and `make -f Makefile.experiments OUT=results`. Traces (.vtkhdf with\n"
    "geometry, .h5 without) are HDF5 files; ParaView 5.12 and newer can play .vtkhdf.\n";

/* Add the experiments that decide a claim or one of its readings. */
static void add_experiments_of(const struct claim *claim, struct words *out) {
    if (*claim_experiment(claim))
        words_add_new(out, claim_experiment(claim));
    for (int r = 0; r < claim->reading_count; ++r)
        add_experiments_of(&claim->readings[r], out);
}

/* Find a claim by its id in files of claims, and add the experiments that decide it. *is_there becomes true if the
 * claim is found. `search` collects the ids, so that a message can name the id that is most similar to a misspelt id.
 * Errors: a mistake in a file; no run decides the claim. */
static int find_claim(const struct words *files, const char *id, struct spelling *search, struct words *out,
                      bool *is_there) {
    int status = STATUS_OK;
    for (int f = 0; f < files->count && !status; ++f) {
        AUTO(claim_file_free) struct claim_file claims;
        status = claim_file_read(files->words[f], &claims);
        for (int c = 0; c < claims.count && !status; ++c) {
            const struct claim *claim = &claims.claims[c];
            spelling_consider(search, claim->id, spelling_distance(id, claim->id));
            if (strcmp(claim->id, id) != 0)
                continue;
            *is_there = true;
            if (!*claim_experiment(claim))
                status = fail("%s: no run decides the claim %s, so there is nothing to archive; springback check %s "
                              "judges it",
                              files->words[f], id, files->words[f]);
            add_experiments_of(claim, out);
        }
    }
    return status;
}

/* Find the experiments that the names in `part` select; none if `part` is empty. Each name must be an experiment or a
 * paper with results, or a claim in the files `claims`. */
static int find_experiments(const char *folder, const struct words *part, const struct words *claims,
                            struct words *out) {
    AUTO(results_free) struct results results = {NULL, 0};
    int status = STATUS_OK;
    if (part->count)
        results_list(folder, &results);
    for (int p = 0; p < part->count; ++p) {
        const char *name = part->words[p];
        struct spelling search = spelling_search(name);
        bool is_there = false;
        for (int e = 0; e < results.count; ++e) {
            const char *experiment = results.experiments[e];
            AUTO_FREE char *paper = text_format("%.*s", (int)(paper_end(experiment) - experiment), experiment);
            const bool is_named = !strcmp(name, experiment) || !strcmp(name, paper);
            is_there = is_there || is_named;
            if (is_named)
                words_add_new(out, experiment);
            spelling_consider(&search, experiment, spelling_distance(name, experiment));
            spelling_consider(&search, paper, spelling_distance(name, paper));
        }
        AUTO(words_free) struct words deciding = {NULL, 0};
        if (!is_there && find_claim(claims, name, &search, &deciding, &is_there)) {
            status = STATUS_BAD;
            continue;
        }
        for (int d = 0; d < deciding.count; ++d) {
            bool has_results = false;
            for (int e = 0; e < results.count; ++e)
                has_results = has_results || !strcmp(results.experiments[e], deciding.words[d]);
            if (!has_results)
                status = fail("%s: no results of %s, which decides the claim %s; run experiments/%s.yaml", folder,
                              deciding.words[d], name, deciding.words[d]);
            words_add_new(out, deciding.words[d]);
        }
        if (!is_there)
            status = fail("%s: '%s' is not a paper or an experiment with results here, and not a claim%s%s%s", folder,
                          name, *search.nearest ? "; did you mean " : "", search.nearest, *search.nearest ? "?" : "");
    }
    return status;
}

int reproduction_write(const char *path, const char *folder, const struct words *part, const char *const *claims,
                       int claim_count, struct reproduction_summary *summary) {
    *summary = (struct reproduction_summary){.files = 0};
    if (tarball_check_ending(path))
        return STATUS_BAD;
    struct trace_set traces;
    struct tarball_list list = {.count = 0};
    AUTO(words_free) struct words files = {NULL, 0}, experiments = {NULL, 0}, all = {NULL, 0};
    list_claims(claims, claim_count, &all);
    int status = find_experiments(folder, part, &all, &experiments);
    const struct claim_scope scope = {experiments.words, experiments.count};
    traces = (struct trace_set){.folder = NULL};
    if (!status)
        status = trace_set_read(folder, NULL, &scope, &traces);
    if (traces.rest) { /* experiments that the archive does not contain must not decide a verdict */
        free(traces.rest);
        traces.rest = NULL;
        traces.is_temporary = true;
    }
    if (!status && !traces.count)
        status = fail("%s: no manifest names a trace; give a folder of results, for example out/<machine>", folder);
    trace_set_compare(&traces,
                      project_path("experiments")); /* as `springback check` does, so that the verdicts are the same */
    if (!status)
        status = add_results(&list, folder, part, &traces);
    if (!status && !claim_count)
        status = choose_claims(&traces, &all, &files);
    else
        list_claims(claims, claim_count, &files);
    if (!status)
        status = add_claims(&list, &traces, &scope, &files, summary);
    if (!status) {
        static const char *const shared[] = {".gp", ".inc", ".awk", NULL};
        AUTO_FREE char *provenance = provenance_text(&traces, &scope);
        tarball_add_text(&list, "README.txt", read_me);
        tarball_add_text(&list, "provenance.json", provenance);
        add_ending(&list, "figures", "figures", shared);
        add_of_project(&list, "data/meshes.yaml");
        if (!part->count) /* the report describes all results of the folder */
            add_if_there(&list, folder, "results", "report.html");
        status = crate_add(&list, &traces, &files);
    }
    if (!status)
        status = tarball_write(path, &list);
    summary->files = list.count;
    summary->bytes = list.bytes;
    summary->traces = traces.count;
    tarball_list_free(&list);
    trace_set_free(&traces);
    return status;
}

/* ---- Reading ---- */

/* Read from provenance.json the experiments to which an archive is limited; none if the archive has everything. */
static int read_part(struct reproduction *out) {
    AUTO_FREE char *path = text_format("%s/provenance.json", out->folder), *text = NULL;
    if (file_read(path, &text))
        return STATUS_BAD;
    json_auto_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    json_t *part = json_object_get(root, "part");
    for (size_t e = 0; e < json_array_size(part); ++e) {
        const char *name = json_string_value(json_array_get(part, e));
        if (name && tarball_is_name(name))
            words_add_new(&out->part, name);
    }
    return STATUS_OK;
}

int reproduction_open(const char *path, const struct archive_limits *limits, struct reproduction *out) {
    *out = (struct reproduction){.path = text_copy(path)};
    int status = temporary_make(&out->folder);
    if (!status)
        status = tarball_unpack(path, out->folder, limits);
    if (!status) {
        AUTO_FREE char *folder = text_format("%s/paper_checks", out->folder);
        AUTO(entries_free) char **entries = entries_list(folder);
        for (char **entry = entries; *entry; ++entry) {
            AUTO_FREE char *file = text_format("%s/%s", folder, *entry);
            words_add(&out->claims, file);
        }
        out->results = text_format("%s/results", out->folder);
        if (!out->claims.count)
            status = fail("%s: the archive has no claims; expected an archive of `springback archive`", path);
    }
    if (!status)
        status = read_part(out);
    if (status)
        reproduction_close(out);
    return status;
}

void reproduction_close(struct reproduction *reproduction) {
    temporary_end(reproduction->folder);
    words_free(&reproduction->claims);
    words_free(&reproduction->part);
    free(reproduction->results);
    free(reproduction->path);
    *reproduction = (struct reproduction){.path = NULL};
}

/* Read a text with one JSON object per line. Returns one object, in which the key of each verdict is the id of its
 * claim; NULL if the text is malformed. The caller releases the object. */
static json_t *verdicts_parse(const char *text) {
    json_t *verdicts = json_object();
    for (const char *line = text; *line && verdicts;) {
        const size_t length = strcspn(line, "\n");
        json_auto_t *one = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);
        const char *id = json_string_value(json_object_get(one, "id"));
        const char *verdict = json_string_value(json_object_get(one, "verdict"));
        if (id && verdict && json_is_plain(one) && !json_object_get(verdicts, id)) {
            json_object_set_new(verdicts, id, json_string(verdict));
        } else {
            json_decref(verdicts);
            verdicts = NULL;
        }
        line += length + (line[length] == '\n');
    }
    return verdicts;
}

int reproduction_compare(const struct reproduction *reproduction, const char *claims, const struct claim_report *report,
                         int *count, FILE *out) {
    AUTO_FREE char *stem = stem_of(claims);
    AUTO_FREE char *path = text_format("%s/verdicts/%s.jsonl", reproduction->folder, stem);
    AUTO_FREE char *text = NULL;
    int status = file_read(path, &text);
    json_auto_t *verdicts = status ? NULL : verdicts_parse(text);
    if (!status && !verdicts)
        status = fail("%s: verdicts/%s.jsonl is malformed; make the archive again", reproduction->path, stem);
    for (int i = 0; i < report->count && verdicts; ++i) {
        const struct claim_result *result = &report->results[i];
        const char *was = json_string_value(json_object_get(verdicts, result->id)), *is = verdict_name(result->verdict);
        if (!was || strcmp(was, is) != 0) {
            fprintf(out, "NOT AS ARCHIVED: %s: %s, was: %s\n", result->id, is, was ? was : "not judged");
            status = STATUS_CHANGED;
        }
        json_object_del(verdicts, result->id);
        ++*count;
    }
    const char *id;
    json_t *left;
    json_object_foreach(verdicts, id, left) {
        fprintf(out, "NOT AS ARCHIVED: %s: not judged, was: %s\n", id, json_string_value(left));
        status = STATUS_CHANGED;
    }
    return status;
}
