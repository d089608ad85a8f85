#include "report/page.h"

#include "base/memory.h"
#include "base/words.h"
#include "claim/claim_file.h"
#include "claim/fit.h"
#include "report/html.h"
#include "run/provenance.h"

#include <stdlib.h>
#include <string.h>

const char *page_part(const char *name) {
    const struct page_part *found = page_parts;
    while (found->name && strcmp(found->name, name) != 0)
        ++found;
    return found->name ? found->text : "";
}

static const char *plural(long count) {
    return count == 1 ? "" : "s";
}

/* Whether any run of the two is of like work. */
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

/* The policy keeps the page to itself whatever a picture or a text holds. Style and script are marked for readers of
 * XML; those of HTML see comments. */
static void put_head(const struct page_source *source, FILE *out) {
    html_put(out,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
             "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
             "style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\"/>\n"
             "<title>springback: {text}</title>\n<style>\n/*<![CDATA[*/\n{markup}/*]]>*/\n</style>\n</head>\n<body>\n"
             "<a class=\"skip\" href=\"#claims\">Skip to the claims</a>\n"
             "<header>\n<h1>springback: what was found</h1>\n"
             "<p>The claims of published papers on deformable bodies, judged by the runs in {text}. springback {text}, "
             "revision {text}.</p>\n",
             source->results, page_part("page.css"), source->results, provenance_version(), provenance_revision());
    fputs("<nav aria-label=\"Parts of this page\"><ul>\n"
          "<li><a href=\"#summary\">Summary</a></li>\n<li><a href=\"#machines\">Machines</a></li>\n",
          out);
    if (first_compared(source))
        fputs("<li><a href=\"#beside\">Beside other machines</a></li>\n", out);
    fputs("<li><a href=\"#claims\">Claims</a></li>\n<li><a href=\"#figures\">Figures</a></li>\n"
          "<li><a href=\"#experiments\">Experiments</a></li>\n</ul></nav>\n</header>\n<main>\n",
          out);
}

/* ---- Summary ---- */

/* A count, which is a link to the claims that it counts: by the filters where there are any, else to the paper's. */
static void put_count(struct page_table *table, const char *paper, int verdict, int count) {
    const char *word = verdict < VERDICT_COUNT ? page_signs[verdict].word : NULL;
    if (count)
        page_table_cell(table, "word", "<a href=\"#paper-{id}\" data-paper=\"{text}{markup}{markup}\">{int}</a>", paper,
                        paper, word ? "\" data-verdict=\"" : "", word ? word : "", count);
    else
        page_table_number(table, 0);
}

static void put_meanings(FILE *out) {
    static const char *const meanings[VERDICT_COUNT] = {
        [VERDICT_MATCHES] = "inside what the paper prints, or its rounding",
        [VERDICT_WITHIN] = "inside a tolerance that was stated, with its reason, before the run",
        [VERDICT_SHAPE_ONLY] = "the order or the slope holds, the value does not",
        [VERDICT_DEPENDS] = "true for some values that the paper allows, false for others",
        [VERDICT_NOT_SWEPT] = "judged with one choice of the values that the paper does not state, or with too few",
        [VERDICT_DIFFERS] = "and why, where that is known",
        [VERDICT_NOT_TESTABLE] = "and why: no such device, or a value that the paper does not print",
        [VERDICT_NOT_RUN] = "the runs failed, or were left out",
    };
    fputs("<p>One verdict a claim, and never one score for a paper. A verdict is</p>\n<dl class=\"verdicts\">\n", out);
    for (int v = 0; v < VERDICT_COUNT; ++v) {
        fputs("<div><dt>", out);
        page_verdict((enum verdict)v, out);
        fprintf(out, "</dt><dd>%s</dd></div>\n", meanings[v]);
    }
    fputs("</dl>\n", out);
}

static void put_summary(const struct page_source *source, FILE *out) {
    const char *headings[VERDICT_COUNT + 4] = {"paper"};
    struct page_table table = {.out = out, .caption = "Verdicts by paper", .headings = headings};
    int all = 0, changed = 0, unrun = 0;
    bool incomplete = false;
    for (int v = 0; v < VERDICT_COUNT; ++v)
        headings[v + 1] = verdict_name((enum verdict)v);
    headings[VERDICT_COUNT + 1] = "changed";
    headings[VERDICT_COUNT + 2] = "claims";
    fputs("<section id=\"summary\" aria-labelledby=\"summary-title\">\n<h2 id=\"summary-title\">Summary</h2>\n", out);
    for (int r = 0; r < source->report_count; ++r) {
        const struct claim_report *report = &source->reports[r];
        int counts[VERDICT_COUNT] = {0}, others = 0;
        for (int c = 0; c < report->count; ++c) {
            ++counts[report->results[c].verdict];
            others += claim_result_changed(&report->results[c]);
            unrun += report->results[c].is_unrun && !report->results[c].is_partly_run;
        }
        page_table_text(&table, report->paper);
        for (int v = 0; v < VERDICT_COUNT; ++v)
            put_count(&table, report->paper, v, counts[v]);
        page_table_number(&table, others);
        put_count(&table, report->paper, VERDICT_COUNT, report->count);
        all += report->count;
        changed += others;
        incomplete = incomplete || report->incomplete;
    }
    page_table_end(&table);
    fprintf(out, "<p>%d claim%s; ", all, plural(all));
    if (unrun)
        fprintf(out, "%d %s about experiments that have not been run; ", unrun, unrun == 1 ? "is" : "are");
    fprintf(out, "%d %s another verdict than is recorded of a machine like this one.%s</p>\n", changed,
            changed == 1 ? "has" : "have",
            incomplete ? " Some runs are missing, failed or outdated: see <a href=\"#experiments\">Experiments</a>."
                       : "");
    put_meanings(out);
    fputs("</section>\n", out);
}

/* ---- Other machines ---- */

static void put_compared(const struct page_source *source, FILE *out) {
    const struct comparison *first = first_compared(source);
    if (!first)
        return;
    html_put(out,
             "<section id=\"beside\" aria-labelledby=\"beside-title\">\n"
             "<h2 id=\"beside-title\">Beside other machines</h2>\n"
             "<p>These results, A, beside recorded machines, B. The same for a terminal: "
             "<code>springback compare {text} {text}</code></p>\n",
             source->results, first->machine[1]->path);
    for (int c = 0; c < source->comparison_count; ++c)
        if (is_compared(&source->comparisons[c]))
            comparison_html(&source->comparisons[c], out);
    fputs("</section>\n", out);
}

/* ---- Claims ---- */

/* The claims of a verdict, or, where `kind` is not NULL, of a kind. */
static int count_claims(const struct page_source *source, enum verdict verdict, const char *kind) {
    int count = 0;
    for (int r = 0; r < source->report_count; ++r)
        for (int c = 0; c < source->reports[r].count; ++c) {
            const struct claim_result *result = &source->reports[r].results[c];
            count += kind ? !strcmp(result->kind, kind) : result->verdict == verdict;
        }
    return count;
}

/* An option of a filter, unless no claim would be shown. */
static void put_option(FILE *out, const char *value, const char *text, int count) {
    if (count)
        html_put(out, "<option value=\"{text}\">{text} ({int})</option>\n", value, text, count);
}

static void put_select(FILE *out, const char *name, const char *label) {
    html_put(out,
             "<p><label for=\"filter-{id}\">{text}</label>\n<select id=\"filter-{id}\" name=\"{id}\">\n"
             "<option value=\"\">all</option>\n",
             name, label, name, name);
}

/* The filters, which are shown by the script that they need. */
static void put_filters(const struct page_source *source, FILE *out) {
    fputs("<form id=\"filters\" role=\"search\" aria-label=\"Filter the claims\" hidden=\"hidden\">\n", out);
    put_select(out, "paper", "Paper");
    for (int r = 0; r < source->report_count; ++r)
        put_option(out, source->reports[r].paper, source->reports[r].paper, source->reports[r].count);
    fputs("</select></p>\n", out);
    put_select(out, "verdict", "Verdict");
    for (int v = 0; v < VERDICT_COUNT; ++v) {
        const enum verdict verdict = (enum verdict)v;
        AUTO_FREE char *text = text_format("%s %s", page_signs[v].mark, verdict_name(verdict));
        put_option(out, page_signs[v].word, text, count_claims(source, verdict, NULL));
    }
    fputs("</select></p>\n", out);
    put_select(out, "kind", "Kind");
    for (int k = 0; k < KIND_UNKNOWN; ++k) {
        const char *name = claim_kind_name((enum claim_kind)k);
        put_option(out, name, name, count_claims(source, VERDICT_COUNT, name));
    }
    fputs("</select></p>\n"
          "<p class=\"wide\"><label for=\"filter-text\">Text</label>\n"
          "<input id=\"filter-text\" name=\"text\" type=\"search\" autocomplete=\"off\"/></p>\n"
          "<p class=\"tick\"><input id=\"filter-changed\" name=\"changed\" type=\"checkbox\"/>\n"
          "<label for=\"filter-changed\">changed only</label></p>\n"
          "<p><button type=\"reset\">Show all</button></p>\n</form>\n"
          "<p id=\"shown\" role=\"status\" aria-live=\"polite\">",
          out);
    int all = 0;
    for (int r = 0; r < source->report_count; ++r)
        all += source->reports[r].count;
    fprintf(out, "%d claim%s</p>\n", all, plural(all));
}

/* The set-up in which most of a paper's claims hold. */
static void put_fit(const struct fit *fit, FILE *out) {
    if (fit->best < 0)
        return;
    const struct fit_setup *best = &fit->setups[fit->best];
    html_put(out,
             "<h4>The kindest reading</h4>\n<p>Of {int} set-ups that are admissible in all experiments of the paper, "
             "{int} of its {int} headline and result claims hold in one (member {text} {int} of the sweeps), and more "
             "in none.</p>\n<dl>\n",
             fit->setup_count, best->holding, fit->count, member_kind_name(best->kind), best->number);
    for (int e = 0; e < fit->experiment_count; ++e) {
        AUTO_FREE char *options = fit_options(fit, fit->best, e);
        html_put(out, "<dt>{text}</dt><dd><code>{text}</code></dd>\n", fit->experiments[e]->experiment,
                 *options ? options : "as taken");
    }
    fputs("</dl>\n", out);
}

static void put_title(const struct claim_report *report, FILE *out) {
    if (!*report->title && !*report->doi)
        return;
    html_put(out, "<p class=\"title\">{text}", report->title);
    if (*report->doi)
        html_put(out, "{markup}<a href=\"https://doi.org/{path}\">doi {text}</a>", *report->title ? " " : "",
                 report->doi, report->doi);
    fputs("</p>\n", out);
}

static void put_claims(const struct page_source *source, FILE *out) {
    fputs("<section id=\"claims\" aria-labelledby=\"claims-title\">\n<h2 id=\"claims-title\">Claims</h2>\n"
          "<p>Commands are for a shell in the repository; where springback is not installed, it is "
          "<code>build/springback</code>.</p>\n",
          out);
    put_filters(source, out);
    for (int r = 0; r < source->report_count; ++r) {
        const struct claim_report *report = &source->reports[r];
        if (!report->count)
            continue;
        html_put(out,
                 "<section class=\"paper\" id=\"paper-{id}\" aria-labelledby=\"title-{id}\">\n"
                 "<h3 id=\"title-{id}\">{text}</h3>\n",
                 report->paper, report->paper, report->paper, report->paper);
        put_title(report, out);
        put_fit(&source->fits[r], out);
        for (int c = 0; c < report->count; ++c)
            page_claim(source, &report->results[c], out);
        fputs("</section>\n", out);
    }
    fputs("</section>\n", out);
}

/* ---- Figures ---- */

static void put_figure(const struct page_source *source, const struct gallery_figure *figure, FILE *out) {
    html_put(out, "<figure id=\"figure-{id}-{id}\">\n", figure->paper, figure->name);
    if (figure->svg) {
        html_put(out, "<img alt=\"{text}\"", figure->caption);
        if (figure->width)
            html_put(out, " width=\"{int}\" height=\"{int}\"", figure->width, figure->height);
        html_put(out, " src=\"{svg}\"/>\n", figure->svg);
    } else {
        html_put(out, "<p>{text}</p>\n", figure->problem);
    }
    html_put(out, "<figcaption><a href=\"{path}{path}\">{text}</a>: {text}</figcaption>\n</figure>\n", source->base,
             figure->file, figure->name, figure->caption);
}

static void put_figures(const struct page_source *source, FILE *out) {
    const char *paper = NULL;
    fputs("<section id=\"figures\" aria-labelledby=\"figures-title\">\n<h2 id=\"figures-title\">Figures</h2>\n", out);
    if (!source->gallery->count)
        fputs("<p>There are none yet: <code>make reproduce</code> draws them.</p>\n", out);
    for (int f = 0; f < source->gallery->count; ++f) {
        const struct gallery_figure *figure = &source->gallery->figures[f];
        if (!paper || strcmp(paper, figure->paper) != 0) {
            html_put(out,
                     "{markup}<section data-paper=\"{text}\">\n"
                     "<h3>{text}<span class=\"unseen\">: figures</span></h3>\n",
                     paper ? "</section>\n" : "", figure->paper, figure->paper);
            paper = figure->paper;
        }
        put_figure(source, figure, out);
    }
    fputs(paper ? "</section>\n</section>\n" : "</section>\n", out);
}

/* ---- Experiments ---- */

/* Experiments that claims ask, and that have no manifest: each once. */
static void put_unrun(const struct page_source *source, FILE *out) {
    AUTO(words_free) struct words names = {NULL, 0};
    for (int r = 0; r < source->report_count; ++r)
        for (int c = 0; c < source->reports[r].count; ++c) {
            const char *name = source->reports[r].results[c].experiment;
            if (*name && !trace_set_experiment(source->traces, name))
                words_add_new(&names, name);
        }
    if (names.count)
        fputs("<h3>Not run</h3>\n<p>Claims ask these experiments, of which there are no results:</p>\n<ul>\n", out);
    for (int n = 0; n < names.count; ++n)
        html_put(out, "<li id=\"experiment-{id}\">{text}: <code>springback run experiments/{text}.yaml</code></li>\n",
                 names.words[n], names.words[n], names.words[n]);
    if (names.count)
        fputs("</ul>\n", out);
}

/* Experiments whose results are not those of their files as they are now, a row for each reason: the file changed,
 * --set was given, runs are not there. */
static void put_outdated(const struct page_source *source, FILE *out) {
    static const char *const headings[] = {"experiment", "why", NULL};
    struct page_table table = {.out = out,
                               .caption = "Results that are not those of their experiment's file as it is now",
                               .headings = headings};
    for (int e = 0; e < source->traces->experiment_count; ++e) {
        const struct trace_experiment *experiment = &source->traces->experiments[e];
        AUTO_FREE char *absent = text_format("of the %d runs that it plans, %d %s no result", experiment->planned,
                                             experiment->absent, experiment->absent == 1 ? "has" : "have");
        for (int k = 0; k < 2 + experiment->set_count; ++k) {
            const char *why = k == 0   ? experiment->outdated
                              : k == 1 ? experiment->absent ? absent : NULL
                                       : experiment->set[k - 2];
            if (!why)
                continue;
            page_table_text(&table, experiment->name);
            page_table_cell(&table, "long", k < 2 ? "{text}" : "they were made with --set &#39;{text}&#39;", why);
        }
    }
    page_table_end(&table);
}

/* Runs that failed, or have no device here, and why. */
static void put_failures(const struct page_source *source, FILE *out) {
    static const char *const headings[] = {"run", "of", "outcome", "why", NULL};
    struct page_table table = {.out = out, .caption = "Runs that left no trace", .headings = headings};
    for (int r = 0; r < source->traces->run_count; ++r) {
        const struct trace_run *run = &source->traces->runs[r];
        if (run->status != RUN_FAILED && run->status != RUN_MISSING)
            continue;
        page_table_text(&table, run->id);
        page_table_text(&table, run->experiment);
        page_table_text(&table, run->status == RUN_FAILED ? "failed" : "no such device");
        page_table_text(&table, run->reason);
    }
    page_table_end(&table);
}

static void put_experiments(const struct page_source *source, FILE *out) {
    static const char *const headings[] = {"experiment", "title", "whole", "diverged", "failed",
                                           "no device",  "tier",  "took",  NULL};
    struct page_table table = {.out = out,
                               .caption = "Experiments and their runs, those that vary an assumption among them",
                               .headings = headings};
    fputs("<section id=\"experiments\" aria-labelledby=\"experiments-title\">\n"
          "<h2 id=\"experiments-title\">Experiments</h2>\n",
          out);
    if (source->traces->experiment_count) {
        html_put(out,
                 "<p>One of them again, with the figures and the verdicts: <code>make -f Makefile.experiments "
                 "reproduce EXPERIMENTS=experiments/{text}.yaml</code></p>\n",
                 source->traces->experiments[0].name);
        for (int e = 0; e < source->traces->experiment_count; ++e)
            page_experiment(source, source->traces->experiments[e].name, &table);
        page_table_end(&table);
    } else {
        fputs("<p>None was run.</p>\n", out);
    }
    put_outdated(source, out);
    put_failures(source, out);
    put_unrun(source, out);
    fputs("</section>\n", out);
}

void page_write(const struct page_source *source, FILE *out) {
    put_head(source, out);
    put_summary(source, out);
    page_machines(source, out);
    put_compared(source, out);
    put_claims(source, out);
    put_figures(source, out);
    put_experiments(source, out);
    fputs("</main>\n<footer><p>The same table for a terminal: <code>springback check</code>; for programs: "
          "<code>springback check --json</code>.</p></footer>\n<script>\n//<![CDATA[\n",
          out);
    fputs(page_part("page.js"), out);
    fputs("//]]>\n</script>\n</body>\n</html>\n", out);
}
