#include "claim/claim.h"

#include "base/digest.h"
#include "base/file.h"
#include "run/provenance.h"
#include "run/results.h"
#include "run/sweep.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Digests of everything that verdicts depend on ---- */

static void add_numbers(struct digest *digest, const int64_t *numbers, size_t count) {
    digest_add(digest, numbers, count * sizeof *numbers);
}

/* Add a file's name, inode and size, the time of its last modification, and the time of its last status change. */
static void add_file(struct digest *digest, const char *path) {
    struct stat about;
    digest_add_text(digest, path);
    if (!stat(path, &about))
        add_numbers(digest,
                    (int64_t[]){(int64_t)about.st_ino, about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec,
                                about.st_ctim.tv_sec, about.st_ctim.tv_nsec},
                    6);
}

/* Add an experiment file, and the file of the shared assumptions of its paper. */
static void add_files(struct digest *digest, const char *experiments, const char *name) {
    AUTO_FREE char *file = text_format("%s/%s.yaml", experiments, name);
    AUTO_FREE char *paper = text_format("%s/%.*s.yaml", experiments, (int)strcspn(name, "/"), name);
    add_file(digest, file);
    add_file(digest, paper);
}

/* Add a row of the manifest, and the trace file of its run. */
static void add_row(struct digest *digest, const char *folder, const struct manifest_row *row) {
    AUTO_FREE char *path = text_format("%s/%s", folder, row->trace);
    digest_add_text(digest, row->id);
    digest_add_text(digest, row->key);
    digest_add_text(digest, row->reason);
    add_numbers(digest, (int64_t[]){row->status}, 1);
    add_file(digest, path);
}

/* Add the manifest, the traces, the table of the sweep and the files of an experiment. */
static void add_experiment(struct digest *digest, const struct trace_set *traces,
                           const struct trace_experiment *experiment) {
    AUTO_FREE char *folder = text_format("%s/%s", traces->folder, experiment->name);
    AUTO(manifest_free) struct manifest manifest;
    const struct failure_mark mark = failure_mark();
    digest_add_text(digest, experiment->name);
    if (manifest_read(folder, &manifest))
        failure_rewind(mark);
    for (int r = 0; r < manifest.count; r++)
        add_row(digest, folder, &manifest.rows[r]);
    AUTO_FREE char *table = traces->sweeps ? sweep_path(traces->sweeps, experiment->name) : NULL;
    if (table)
        add_file(digest, table);
    if (table && traces->files)
        add_files(digest, traces->files, experiment->name);
}

/* The digest of this program and of all results of the folder, including results outside the scope. */
static void digest_of_results(const struct trace_set *traces, char out[DIGEST_SIZE]) {
    struct digest *digest = digest_create();
    digest_add_text(digest, provenance_binary());
    digest_add_text(digest, traces->folder);
    for (int e = 0; e < traces->experiment_count; e++)
        add_experiment(digest, traces, &traces->experiments[e]);
    digest_finish(digest, out);
}

/* A file's text, newly allocated; NULL, without a message, if it cannot be read. */
static char *text_if_readable(const char *file) {
    char *text = NULL;
    const struct failure_mark mark = failure_mark();
    if (file_exists(file) && file_read(file, &text))
        failure_rewind(mark);
    return text;
}

/* The digest of a file of claims and of the results by which the claims are judged. */
static void digest_of(const char *file, const char *results, char out[DIGEST_SIZE]) {
    struct digest *digest = digest_create();
    AUTO_FREE char *claims = text_if_readable(file); /* if `claims` is NULL, claims_judge reports why */
    digest_add_text(digest, results);
    digest_add_text(digest, claims ? claims : "");
    digest_finish(digest, out);
}

/* ---- The file ---- */

/* The checksum of an entry. Removes the entry's stored checksum. */
static void entry_sum(json_t *entry, char out[DIGEST_SIZE]) {
    json_object_del(entry, "sum");
    AUTO_FREE char *text = json_dumps(entry, JSON_COMPACT | JSON_SORT_KEYS);
    digest_bytes(text ? text : "", text ? strlen(text) : 0, out);
}

static json_t *report_json(const struct claim_report *report, const char *digest) {
    json_t *claims = json_array();
    char sum[DIGEST_SIZE];
    for (int c = 0; c < report->count; c++)
        json_array_append_new(claims, claim_result_json(&report->results[c]));
    json_t *entry = json_pack("{ss so so so sb so}", "digest", digest, "paper", json_text(report->paper), "title",
                              json_text(report->title), "doi", json_text(report->doi), "incomplete", report->incomplete,
                              "claims", claims);
    entry_sum(entry, sum);
    json_object_set_new(entry, "sum", json_string(sum));
    return entry;
}

static const char *text_of(json_t *object, const char *key, struct claim_report *report) {
    const char *text = json_string_value(json_object_get(object, key));
    return pool_add(&report->pool, text_copy(text ? text : ""));
}

/* Whether an entry matches its checksum. */
static bool is_whole(json_t *entry) {
    const char *stored = json_string_value(json_object_get(entry, "sum"));
    AUTO_FREE char *was = text_copy(stored ? stored : "");
    char sum[DIGEST_SIZE];
    entry_sum(entry, sum);
    if (stored)
        json_object_set_new(entry, "sum", json_string(was));
    return !strcmp(sum, was);
}

/* Read a report from an entry of the file. Returns false if the entry has another digest or is damaged. */
static bool report_read(json_t *entry, const char *digest, struct claim_report *report) {
    const char *of = json_string_value(json_object_get(entry, "digest"));
    json_t *claims = json_object_get(entry, "claims");
    *report = (struct claim_report){.status = STATUS_OK};
    if (!of || strcmp(of, digest) != 0 || !json_is_array(claims) || !is_whole(entry))
        return false;
    report->results = pool_add(&report->pool, memory_new(json_array_size(claims) + 1, sizeof *report->results));
    report->paper = text_of(entry, "paper", report);
    report->title = text_of(entry, "title", report);
    report->doi = text_of(entry, "doi", report);
    report->incomplete = json_is_true(json_object_get(entry, "incomplete"));
    for (size_t c = 0; c < json_array_size(claims); c++)
        if (!claim_result_read(json_array_get(claims, c), report, &report->results[report->count++])) {
            claim_report_free(report);
            return false;
        }
    return true;
}

/* The content of verdicts.json; an empty object if it cannot be read. */
static json_t *verdicts_read(const char *path) {
    AUTO_FREE char *text = text_if_readable(path);
    json_t *verdicts = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
    return json_is_object(verdicts) ? verdicts : json_object();
}

/* Write verdicts.json. A failure is not reported: the claims are then judged again the next time. */
static void verdicts_write(const char *path, json_t *verdicts) {
    AUTO_FREE char *text = json_dumps(verdicts, JSON_INDENT(1));
    const struct failure_mark mark = failure_mark();
    if (file_write(path, text))
        failure_rewind(mark);
}

int verdicts_of(const char *const *files, int count, const struct trace_set *traces, const struct claim_scope *scope,
                struct claim_report *reports) {
    const bool is_kept = traces->folder && !traces->is_temporary && !access(traces->folder, W_OK);
    AUTO_FREE char *path = text_format("%s/verdicts.json", is_kept ? traces->folder : "");
    json_auto_t *verdicts = is_kept ? verdicts_read(path) : json_object();
    char results[DIGEST_SIZE], digest[DIGEST_SIZE] = "";
    bool is_changed = false;
    int worst = STATUS_OK;
    if (is_kept)
        digest_of_results(traces, results);
    for (int f = 0; f < count; f++) {
        if (is_kept)
            digest_of(files[f], results, digest);
        if (report_read(json_object_get(verdicts, files[f]), digest, &reports[f]))
            continue;
        const int status = claims_judge(files[f], traces, scope, &reports[f]);
        worst = status > worst ? status : worst;
        if (!status && is_kept && !(scope && scope->count)) {
            json_object_set_new(verdicts, files[f], report_json(&reports[f], digest));
            is_changed = true;
        }
    }
    if (is_changed)
        verdicts_write(path, verdicts);
    return worst;
}
