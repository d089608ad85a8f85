/* springback report: what was found, as one page. */
#include "base/file.h"
#include "base/memory.h"
#include "base/progress.h"
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
    {"out", 'o', "DIR", "Folder of the results to report (out/<machine>)", OPTION_PATH,
     .field = offsetof(struct report_verb, out)},
    {"page", 'p', "FILE", "The page to write (DIR/report.html)", OPTION_PATH,
     .field = offsetof(struct report_verb, page)},
    {"experiments", 'e', "DIR",
     "Only report results whose experiment is still in this folder (all results); and tell those that are not of their "
     "file there (experiments)",
     OPTION_TEXT, .field = offsetof(struct report_verb, experiments)},
    {"machines", 0, "DIR",
     "Folder of the recorded machines to compare the results with (data/machines, if it is there)", OPTION_TEXT,
     .field = offsetof(struct report_verb, machines)},
    {"quiet", 'q', NULL, "Do not say where the page is", OPTION_FLAG, .field = offsetof(struct report_verb, quiet)},
    {.name = NULL},
};

/* The folder that a file is in, newly allocated. */
static char *folder_of(const char *file) {
    const char *slash = strrchr(file, '/');
    return slash ? text_format("%.*s", (int)(slash - file) + (slash == file), file) : text_copy(".");
}

/* What leads from a folder to another: "" where they are one, else a path that ends in a slash. Newly allocated; NULL
 * where one of them is not there. */
static char *path_between(const char *from, const char *to) {
    AUTO_FREE char *start = realpath(from, NULL);
    AUTO_FREE char *end = realpath(to, NULL);
    char *path = NULL;
    if (start && end) {
        const char *a = start + 1, *b = end + 1; /* behind what both have in common */
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

/* The traces of a folder; none where there is no such folder, unless it was named: then it is mistyped. */
static int read_traces(const struct report_verb *verb, const char *out, struct trace_set *traces) {
    struct stat about;
    *traces = (struct trace_set){.folder = NULL};
    if (!verb->out && stat(out, &about) && errno == ENOENT) {
        traces->folder = pool_add(&traces->pool, text_copy(out));
        return STATUS_OK;
    }
    const int status = trace_set_read(out, verb->experiments, NULL, traces);
    if (!status)
        trace_set_compare(traces, verb->experiments ? verb->experiments : "experiments");
    return status;
}

/* These results beside each recorded machine. */
struct beside {
    struct machine here;
    struct machines others;
    struct comparison *comparisons;
    int count;
};

static int beside_read(const char *machines, const struct trace_set *traces, struct beside *beside) {
    if (machines && !folder_exists(machines))
        return fail("%s: there is no such folder; --machines names one of records", machines);
    int status = machines_read(machines ? machines : "data/machines", &beside->others);
    if (!status && beside->others.count)
        status = machine_of_traces(traces, &beside->here);
    beside->comparisons = memory_new((size_t)beside->others.count + 1, sizeof *beside->comparisons);
    for (int m = 0; m < beside->others.count && !status; ++m)
        if (beside->others.items[m].run_count) /* a paper's machine has none */
            status = machines_compare(&beside->here, &beside->others.items[m], NULL, beside->others.items,
                                      beside->others.count, &beside->comparisons[beside->count++]);
    return status;
}

static void beside_free(struct beside *beside) {
    for (int c = 0; c < beside->count; ++c)
        comparison_free(&beside->comparisons[c]);
    free(beside->comparisons);
    machines_free(&beside->others);
    machine_free(&beside->here);
}

/* Places on the page go by paper and by id: both must be those of one file. */
static int check_names(const struct words *files, const struct claim_report *reports) {
    int status = STATUS_OK;
    for (int f = 0; f < files->count; ++f)
        for (int g = 0; g < f; ++g) {
            const struct claim_report *one = &reports[g], *other = &reports[f];
            if (!strcmp(one->paper, other->paper)) {
                status = fail("%s: %s is of the paper %s, too; a report takes one file of a paper", files->words[f],
                              files->words[g], one->paper);
                continue;
            }
            for (int c = 0; c < other->count; ++c)
                for (int d = 0; d < one->count; ++d)
                    if (!strcmp(one->results[d].id, other->results[c].id))
                        status = fail("%s: the id %s is taken by a claim of %s; ids are unique", files->words[f],
                                      other->results[c].id, files->words[g]);
        }
    return status;
}

int report_write(const char *page, const char *machines, const struct words *files, const struct trace_set *traces,
                 struct claim_report *reports) {
    AUTO(beside_free) struct beside beside = {.count = 0};
    AUTO(gallery_free) struct gallery gallery = {.count = 0};
    AUTO_FREE char *folder = folder_of(page);
    struct file_draft draft;
    if (check_names(files, reports) || (traces->count && beside_read(machines, traces, &beside)) ||
        folder_make(folder) || file_draft_begin(page, &draft))
        return STATUS_BAD;
    AUTO_FREE char *base = path_between(folder, traces->folder); /* without results nothing is linked to */
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
                                       .comparisons = beside.comparisons,
                                       .comparison_count = beside.count};
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
        words_add_files(&verb->files, "paper_checks/*.yaml");
    const char *out = results_folder(verb->out);
    AUTO_FREE char *page = text_format("%s/report.html", out);
    verb->page = verb->page ? verb->page : page;
    const int status =
        verb->files.count ? report(verb, out) : fail("paper_checks/: no claims there; name a file of claims");
    if (!status && !verb->quiet)
        printf("report: %s\n", verb->page);
    return failure_count() ? STATUS_BAD : status;
}

const struct verb verb_report = {
    .arguments = "[FILE...]",
    .doc = "Write what was found of the claims of files like paper_checks/*.yaml (all of these) as one HTML page, "
           "with the "
           "figures in it: it needs no other file and no network. Runs that are missing are told as such."
           "\v"
           "Links to results and figures are relative to the page, and so are those to docs/, if that folder is in "
           "the present one.\n\n"
           "Example: the page of another machine's results\n"
           "  springback report --out out/vm --page /tmp/vm.html",
    .options = options,
    .size = sizeof(struct report_verb),
    .run = report_all};
