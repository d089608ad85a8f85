#include "report/page.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"
#include "report/html.h"
#include "report/scene.h"

#include <stdlib.h>
#include <string.h>

const char *page_part(const char *name) {
    const struct page_part *found = page_parts;
    while (found->name && strcmp(found->name, name) != 0)
        ++found;
    return found->name ? found->text : "";
}

/* Whether any two runs of the two machines did the same work. */
static bool is_compared(const struct comparison *comparison) {
    return comparison->pair_count > comparison->refused;
}

static const struct comparison *first_compared(const struct page_source *source) {
    for (int c = 0; c < source->comparison_count; ++c)
        if (is_compared(&source->comparisons[c]))
            return &source->comparisons[c];
    return NULL;
}

/* ---- Head ---- */

/* The Content-Security-Policy isolates the page: the page can load no file, and only scripts in the page itself can
 * run. Texts cannot become scripts, because html_text escapes them. XML parsers need the CDATA marks around style and
 * script. In HTML these marks have no effect, because they are in comments of CSS and JavaScript. */
static void put_head(const struct page_source *source, FILE *out) {
    html_put(out,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
             "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
             "style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\"/>\n"
             "<title>springback: "
             "{text}</title>\n<style>\n/*<![CDATA[*/\n{markup}{markup}/*]]>*/\n</style>\n</head>\n<body>\n"
             "<a class=\"skip\" href=\"#summary\">Skip the navigation</a>\n"
             "<header>\n<nav aria-label=\"Parts of this page\"><ul>\n<li><a href=\"#summary\">Summary</a></li>\n",
             source->results, page_part("page.css"), page_part("player.css"));
    for (int r = 0; r < source->report_count; ++r)
        html_put(out, "<li><a href=\"#paper-{id}\">{text}</a></li>\n", source->reports[r].paper,
                 source->reports[r].paper);
    fputs("<li><a href=\"#experiments\">Experiments</a></li>\n<li><a href=\"#machines\">This machine</a></li>\n", out);
    if (first_compared(source))
        fputs("<li><a href=\"#comparisons\">Other machines</a></li>\n", out);
    fputs("<li>", out);
    page_docs(source, "README.md", out);
    fputs("</li>\n</ul></nav>\n</header>\n<main>\n", out);
}

void page_docs(const struct page_source *source, const char *name, FILE *out) {
    AUTO_FREE char *path = text_format("docs/%s", name);
    if (source->docs && file_exists(path))
        html_put(out, "<a href=\"{path}{path}\">{text}</a>", source->docs, name, path);
    else
        html_put(out, "<code>{text}</code>", path);
}

/* ---- Other machines ---- */

static void put_compared(const struct page_source *source, FILE *out) {
    const struct comparison *first = first_compared(source);
    if (!first)
        return;
    html_put(out,
             "<section id=\"comparisons\" aria-labelledby=\"comparisons-title\">\n"
             "<h2 id=\"comparisons-title\">Comparison with other machines</h2>\n"
             "<p>These results (A) are compared with recorded machines (B). The first comparison on a terminal: "
             "<code>springback compare {text} {text}</code></p>\n",
             source->results, first->machine[1]->path);
    for (int c = 0; c < source->comparison_count; ++c)
        if (is_compared(&source->comparisons[c]))
            comparison_html(&source->comparisons[c], out);
    fputs("</section>\n", out);
}

/* ---- Experiments ---- */

/* List experiments that claims need and that have no manifest, each once. */
static void put_unrun(const struct page_source *source, FILE *out) {
    AUTO(words_free) struct words names = {NULL, 0};
    for (int r = 0; r < source->report_count; ++r)
        for (int c = 0; c < source->reports[r].count; ++c) {
            const char *name = source->reports[r].results[c].experiment;
            if (*name && !trace_set_experiment(source->traces, name))
                words_add_new(&names, name);
        }
    if (names.count)
        fputs("<h3>Not run</h3>\n<p>Claims need these experiments, which have no results:</p>\n<ul>\n", out);
    for (int n = 0; n < names.count; ++n)
        html_put(out, "<li id=\"experiment-{id}\">{text}: <code>springback run experiments/{text}.yaml</code></li>\n",
                 names.words[n], names.words[n], names.words[n]);
    if (names.count)
        fputs("</ul>\n", out);
}

/* List experiments whose results do not match their current files, one row per reason: the file changed, --set was
 * given, or runs are missing. */
static void put_outdated(const struct page_source *source, FILE *out) {
    static const char *const headings[] = {"experiment", "why", NULL};
    struct page_table table = {
        .out = out, .caption = "Results that do not match their experiment's current file", .headings = headings};
    for (int e = 0; e < source->traces->experiment_count; ++e) {
        const struct trace_experiment *experiment = &source->traces->experiments[e];
        AUTO_FREE char *absent = text_format("of its %d runs, %d %s no result", experiment->planned, experiment->absent,
                                             experiment->absent == 1 ? "has" : "have");
        for (int k = 0; k < 2 + experiment->set_count; ++k) {
            const char *why = k == 0   ? experiment->outdated
                              : k == 1 ? experiment->absent ? absent : NULL
                                       : experiment->set[k - 2];
            if (!why)
                continue;
            page_table_text(&table, experiment->name);
            page_table_cell(&table, "long", k < 2 ? "{text}" : "its runs were made with --set &#39;{text}&#39;", why);
        }
    }
    page_table_end(&table);
}

/* List failed and missing runs, with the reason. A run is missing if its device is not available. A run on an inexact
 * device is also missing if --inexact was not given. */
static void put_failures(const struct page_source *source, FILE *out) {
    static const char *const headings[] = {"run", "experiment", "outcome", "why", NULL};
    struct page_table table = {.out = out, .caption = "Runs without a trace", .headings = headings};
    for (int r = 0; r < source->traces->run_count; ++r) {
        const struct trace_run *run = &source->traces->runs[r];
        if (run->status != RUN_FAILED && run->status != RUN_MISSING)
            continue;
        page_table_text(&table, run->id);
        page_table_text(&table, run->experiment);
        page_table_text(&table, run->status == RUN_FAILED ? "failed" : "missing");
        page_table_text(&table, run->reason);
    }
    page_table_end(&table);
}

static void put_experiments(const struct page_source *source, FILE *out) {
    static const char *const headings[] = {"experiment", "title", "whole", "diverged", "failed",
                                           "missing",    "tier",  "took",  NULL};
    struct page_table table = {.out = out, .caption = "Experiments and their runs", .headings = headings};
    fputs("<section id=\"experiments\" aria-labelledby=\"experiments-title\">\n"
          "<h2 id=\"experiments-title\">Experiments</h2>\n",
          out);
    put_outdated(source, out);
    put_failures(source, out);
    put_unrun(source, out);
    if (source->traces->experiment_count) {
        html_put(out,
                 "<p>To run an experiment again, with its figures and verdicts: <code>make -f Makefile.experiments "
                 "reproduce EXPERIMENTS=experiments/{text}.yaml</code></p>\n",
                 source->traces->experiments[0].name);
        fprintf(out, "<details><summary>All %d experiments</summary>\n", source->traces->experiment_count);
        for (int e = 0; e < source->traces->experiment_count; ++e)
            page_experiment(source, source->traces->experiments[e].name, &table);
        page_table_end(&table);
        fputs("</details>\n", out);
    } else {
        fputs("<p>No experiment was run.</p>\n", out);
    }
    fputs("</section>\n", out);
}

void page_write(const struct page_source *source, FILE *out) {
    put_head(source, out);
    page_summary(source, out);
    int scenes = 0;
    for (int r = 0; r < source->report_count; ++r)
        scenes += page_paper(source, r, out);
    put_experiments(source, out);
    page_machines(source, out);
    put_compared(source, out);
    fputs("</main>\n<footer><p>The same verdicts for a terminal: <code>springback check</code>; for programs: "
          "<code>springback check --json</code>.</p></footer>\n",
          out);
#ifdef SPRINGBACK_PREPARE
    if (scenes)
        scene_put_player(out);
#else
    (void)scenes; /* this build cannot write scenes, so their number is 0 */
#endif
    fputs("<script>\n//<![CDATA[\n", out);
    fputs(page_part("page.js"), out);
    fputs("//]]>\n</script>\n</body>\n</html>\n", out);
}
