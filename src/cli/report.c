/* springback report: write the verdicts as one page. */
#include "base/file.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/project.h"
#include "claim/fit.h"
#include "cli/verb.h"
#include "report/page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct report_verb {
    struct words files;
    const char *out, *page, *experiments, *machines;
    bool quiet;
};

static const struct verb_option options[] = {
    {"out", 'o', "DIR", "Folder of the results to report (default: out/<machine>)", OPTION_PATH,
     .field = offsetof(struct report_verb, out)},
    {"page", 'p', "FILE", "The page to write (default: DIR/report.html)", OPTION_PATH,
     .field = offsetof(struct report_verb, page)},
    {"experiments", 'e', "DIR",
     "Folder of the experiment files (default: experiments). Results that do not match these files are marked as "
     "outdated. With this option, only report results whose experiment file exists in DIR",
     OPTION_TEXT, .field = offsetof(struct report_verb, experiments)},
    {"machines", 0, "DIR",
     "Folder of the recorded machines to compare the results with (default: data/machines, if it exists)", OPTION_TEXT,
     .field = offsetof(struct report_verb, machines)},
    {"quiet", 'q', NULL, "Do not print the path of the page", OPTION_FLAG,
     .field = offsetof(struct report_verb, quiet)},
    {.name = NULL},
};

/* The folder of a file. Newly allocated; the caller frees it. */
static char *folder_of(const char *file) {
    const char *slash = strrchr(file, '/');
    return slash ? text_format("%.*s", (int)(slash - file) + (slash == file), file) : text_copy(".");
}

/* The relative path from one folder to another, with a slash at the end; "" if they are the same folder. Newly
 * allocated; the caller frees it. NULL if one of the folders does not exist. */
static char *path_between(const char *from, const char *to) {
    AUTO_FREE char *start = realpath(from, NULL);
    AUTO_FREE char *end = realpath(to, NULL);
    char *path = NULL;
    if (start && end) {
        const char *a = start + 1, *b = end + 1; /* the parts after the common start */
        for (size_t length; *a && *b; a += length + (a[length] == '/'), b += length + (b[length] == '/')) {
            length = strcspn(a, "/");
            if (strcspn(b, "/") != length || strncmp(a, b, length) != 0)
                break;
        }
        path = text_copy("");
        for (size_t length; *a; a += length + (a[length] == '/')) {
            text_append(&path, "../");
            length = strcspn(a, "/");
        }
        text_append(&path, "%s%s", b, *b ? "/" : "");
    }
    return path;
}

/* Read the traces of a folder. A missing folder has no traces; but a missing folder is an error if --out names it. */
static int read_traces(const struct report_verb *verb, const char *out, struct trace_set *traces) {
    struct stat about;
    *traces = (struct trace_set){.folder = NULL};
    if (!verb->out && stat(out, &about) && errno == ENOENT) {
        traces->folder = pool_add(&traces->pool, text_copy(out));
        return STATUS_OK;
    }
    const int status = trace_set_read(out, verb->experiments, NULL, traces);
    if (!status)
        trace_set_compare(traces, verb->experiments ? verb->experiments : project_path("experiments"));
    return status;
}

/* Comparisons of these results with each recorded machine. */
struct machine_comparisons {
    struct machine here;
    struct machines others;
    struct comparison *comparisons;
    int count;
};

static int machine_comparisons_read(const char *machines, const struct trace_set *traces,
                                    struct machine_comparisons *recorded) {
    if (machines && !folder_exists(machines))
        return fail("%s: no such folder; --machines expects a folder of records", machines);
    int status = machines_read(machines ? machines : project_path("data/machines"), &recorded->others);
    if (!status && recorded->others.count)
        status = machine_of_traces(traces, &recorded->here);
    recorded->comparisons = memory_new((size_t)recorded->others.count + 1, sizeof *recorded->comparisons);
    for (int m = 0; m < recorded->others.count && !status; ++m)
        if (recorded->others.items[m].run_count) /* the record of a paper's machine has no runs */
            status = machines_compare(&recorded->here, &recorded->others.items[m], NULL, recorded->others.items,
                                      recorded->others.count, &recorded->comparisons[recorded->count++]);
    return status;
}

static void machine_comparisons_free(struct machine_comparisons *recorded) {
    for (int c = 0; c < recorded->count; ++c)
        comparison_free(&recorded->comparisons[c]);
    free(recorded->comparisons);
    machines_free(&recorded->others);
    machine_free(&recorded->here);
}

/* Check that all files are about different papers, and that claims of different files have different ids. The page's
 * anchors are made from the paper's name and the claim's id. */
static int check_names(const struct words *files, const struct claim_report *reports) {
    int status = STATUS_OK;
    for (int f = 0; f < files->count; ++f)
        for (int g = 0; g < f; ++g) {
            const struct claim_report *one = &reports[g], *other = &reports[f];
            if (!strcmp(one->paper, other->paper)) {
                status = fail("%s: the file %s is also about the paper %s; a report needs one file per paper",
                              files->words[f], files->words[g], one->paper);
                continue;
            }
            for (int c = 0; c < other->count; ++c)
                for (int d = 0; d < one->count; ++d)
                    if (!strcmp(one->results[d].id, other->results[c].id))
                        status = fail("%s: the id %s is already used by a claim of %s; ids must be unique",
                                      files->words[f], other->results[c].id, files->words[g]);
        }
    return status;
}

int report_write(const char *page, const char *machines, const struct words *files, const struct trace_set *traces,
                 struct claim_report *reports) {
    AUTO(machine_comparisons_free) struct machine_comparisons recorded = {.count = 0};
    AUTO(gallery_free) struct gallery gallery = {.count = 0};
    AUTO_FREE char *folder = folder_of(page);
    struct file_draft draft;
    if (check_names(files, reports) || (traces->count && machine_comparisons_read(machines, traces, &recorded)) ||
        folder_make(folder) || file_draft_begin(page, &draft))
        return STATUS_BAD;
    AUTO_FREE char *base = path_between(folder, traces->folder); /* NULL if there are no results to link to */
    AUTO_FREE char *docs = path_between(folder, "docs");
    gallery_read(traces->folder, &gallery);
    struct fit *fits = memory_new((size_t)files->count, sizeof *fits);
    int status = STATUS_OK;
    for (int f = 0; f < files->count; ++f)
        if (claim_report_open(&reports[f], files->words[f], traces) ||
            fit_make(reports[f].claims, reports[f].sweeps, &fits[f]))
            status = STATUS_BAD;
    const struct page_source source = {.results = traces->folder,
                                       .base = base ? base : "",
                                       .docs = docs,
                                       .traces = traces,
                                       .reports = reports,
                                       .report_count = files->count,
                                       .fits = fits,
                                       .gallery = &gallery,
                                       .comparisons = recorded.comparisons,
                                       .comparison_count = recorded.count};
    page_write(&source, draft.file);
    for (int f = 0; f < files->count; ++f)
        fit_free(&fits[f]);
    free(fits);
    return file_draft_end(&draft, status);
}

/* Judge all claims, and write the page. */
static int report(const struct report_verb *verb, const char *out) {
    AUTO(trace_set_free) struct trace_set traces;
    AUTO_FREE struct claim_report *reports = memory_new((size_t)verb->files.count, sizeof *reports);
    int status = read_traces(verb, out, &traces);
    if (!status)
        status = verdicts_of(verb->files.words, verb->files.count, &traces, NULL, reports);
    if (!status)
        status = report_write(verb->page, verb->machines, &verb->files, &traces, reports);
    for (int f = 0; f < verb->files.count; ++f)
        claim_report_free(&reports[f]);
    return status;
}

static int report_all(void *arguments) {
    struct report_verb *verb = arguments;
    if (!verb->files.count)
        project_add_claims(&verb->files);
    const char *out = results_folder(verb->out);
    AUTO_FREE char *page = text_format("%s/report.html", out);
    verb->page = verb->page ? verb->page : page;
    const int status =
        verb->files.count ? report(verb, out) : fail("paper_checks/: no files of claims; give a file of claims");
    if (!status && !verb->quiet)
        printf("report: %s\n", verb->page);
    return failure_count() ? STATUS_BAD : status;
}

const struct verb verb_report = {
    .arguments = "[FILE...]",
    .doc = "Write the verdicts on the claims of files (default: all files paper_checks/*.yaml) as one HTML page that "
           "includes the figures; the page needs no other file and no network. Missing runs are marked."
           "\v"
           "Links to results and figures are relative to the page. So are links to docs/, if the current folder has "
           "docs/.\n\n"
           "Example: the page of another machine's results\n"
           "  springback report --out out/vm --page /tmp/vm.html",
    .options = options,
    .size = sizeof(struct report_verb),
    .run = report_all};
