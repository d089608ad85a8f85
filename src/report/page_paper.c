/* The section of a paper. It has the player scenes, the figures with the claims that they show, and what differs and
 * why. The last parts are folded: all claims, the assumptions, and the set-up in which most claims are true. */
#include "report/page.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"
#include "claim/fit.h"
#include "report/html.h"
#include "report/scene.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The largest number of claims next to a figure. The ids of further claims are in a part that a reader can unfold. */
enum { ITEMS_MOST = 6 };

/* ---- Figures ---- */

/* Whether a figure corresponds to a figure or a table of the paper, as "fig7" and "table10-constraints" do. */
static bool is_of_paper(const struct gallery_figure *figure) {
    const size_t letters = strspn(figure->name, "abcdefghijklmnopqrstuvwxyz");
    return ((letters == 3 && !strncmp(figure->name, "fig", 3)) ||
            (letters == 5 && !strncmp(figure->name, "table", 5))) &&
           isdigit((unsigned char)figure->name[letters]);
}

/* Write the claims that a figure shows, headline claims first; after ITEMS_MOST only their ids. */
static void put_items(const struct claim_report *report, const struct gallery_figure *figure, FILE *out) {
    int count = 0;
    for (int c = 0; c < 2 * report->count; ++c) {
        const struct claim_result *result = &report->results[c % report->count];
        if (result->is_headline != (c < report->count) || !page_figure_shows(figure, result))
            continue;
        if (!count)
            fputs("<ul class=\"items\">\n", out);
        if (count < ITEMS_MOST)
            page_claim_item(result, "", out);
        else
            html_put(out, "{markup}<a href=\"#{id}\">{text}</a>",
                     count == ITEMS_MOST ? "</ul>\n<details><summary>More claims</summary>\n<p>" : ", ", result->id,
                     result->id);
        ++count;
    }
    if (count)
        fputs(count > ITEMS_MOST ? "</p>\n</details>\n" : "</ul>\n", out);
}

static void put_figure(const struct page_source *source, const struct claim_report *report,
                       const struct gallery_figure *figure, FILE *out) {
    AUTO_FREE char *size =
        figure->width ? text_format(" width=\"%d\" height=\"%d\"", figure->width, figure->height) : text_copy("");
    html_put(out, "<figure id=\"figure-{id}-{id}\">\n", figure->paper, figure->name);
    if (!figure->svg)
        html_put(out, "<p>{text}</p>\n", figure->problem);
    else if (figure == page_figure_of(source, report))
        html_put(out,
                 "<svg viewBox=\"0 0 {int} {int}\" role=\"img\" aria-label=\"{text}\"><use "
                 "href=\"#picture-{id}\"/></svg>\n",
                 figure->width, figure->height, figure->caption, figure->paper);
    else
        html_put(out, "<div><img alt=\"{text}\"{markup} src=\"{svg}\"/></div>\n", figure->caption, size, figure->svg);
    html_put(out, "<figcaption>\n<p><a href=\"{path}{path}\">{text}</a>: {text}</p>\n", source->base, figure->file,
             figure->name, figure->caption);
    put_items(report, figure, out);
    fputs("</figcaption>\n</figure>\n", out);
}

/* Write the figures that correspond to a figure or a table of the paper, or, if `of_paper` is false, all other figures.
 * Returns the number of these figures. If `out` is NULL, the function only counts them. */
static int put_figures(const struct page_source *source, const struct claim_report *report, bool of_paper, FILE *out) {
    int count = 0;
    for (int f = 0; f < source->gallery->count; ++f) {
        const struct gallery_figure *figure = &source->gallery->figures[f];
        if (strcmp(figure->paper, report->paper) != 0 || is_of_paper(figure) != of_paper)
            continue;
        ++count;
        if (out)
            put_figure(source, report, figure, out);
    }
    return count;
}

/* ---- What differs ---- */

/* Whether a claim is of the class `erratum`: the paper's text is compared with itself, with the paper's equations or
 * with geometry. If such a claim differs, the text contradicts one of these three. */
static bool is_erratum(const struct claim_result *result) {
    return !strcmp(result->class, "erratum");
}

static void put_differing(const struct claim_report *report, FILE *out) {
    int count = 0, errata = 0;
    for (int c = 0; c < report->count; ++c) {
        const struct claim_result *result = &report->results[c];
        if (result->verdict != VERDICT_DIFFERS)
            continue;
        if (!count++)
            html_put(out,
                     "<h3>What differs, and why<span class=\"unseen\">: {text}</span></h3>\n<ul class=\"items\">\n",
                     report->paper);
        errata += is_erratum(result);
        if (!is_erratum(result))
            page_claim_item(result, *result->explained ? result->explained : result->why, out);
    }
    if (errata)
        html_put(out,
                 "<li>{int} <a href=\"#{id}-differs\">errata</a>: places in which the paper's text contradicts itself, "
                 "its equations or geometry</li>\n",
                 errata, report->paper);
    fputs(count ? "</ul>\n" : "", out);
}

/* ---- Folded parts ---- */

/* Write all claims, grouped by verdict. */
static void put_claims(const struct page_source *source, const struct claim_report *report, FILE *out) {
    html_put(out, "<h3>All claims, by verdict<span class=\"unseen\">: {text}</span></h3>\n", report->paper);
    for (int v = 0; v < VERDICT_COUNT; ++v) {
        int count = 0;
        for (int c = 0; c < report->count; ++c)
            count += (int)report->results[c].verdict == v;
        if (!count)
            continue;
        fputs("<details class=\"group\"><summary>", out);
        page_verdict((enum verdict)v, out);
        html_put(out, " ({int})</summary>\n<div id=\"{id}-{markup}\">\n", count, report->paper, page_signs[v].word);
        for (int c = 0; c < report->count; ++c)
            if ((int)report->results[c].verdict == v)
                page_claim(source, &report->results[c], out);
        fputs("</div>\n</details>\n", out);
    }
}

/* Write the set-up in which the largest number of a paper's headline and result claims is true. Writes nothing if no
 * set-up is admissible in all experiments. */
static void put_fit(const struct fit *fit, FILE *out) {
    if (fit->best < 0)
        return;
    const struct fit_setup *best = &fit->setups[fit->best];
    html_put(out,
             "<details><summary>The values with which most claims are true together</summary>\n<p>{int} set-ups are "
             "admissible in all experiments of the paper. In the best of them (<code>springback fit</code> calls it "
             "{text} {int}), "
             "{int} of {int} headline and result claims that sweeps judge are true.</p>\n<dl class=\"setup\">\n",
             fit->setup_count, member_kind_name(best->kind), best->number, best->holding, fit->count);
    for (int e = 0; e < fit->experiment_count; ++e) {
        AUTO_FREE char *options = fit_options(fit, fit->best, e);
        html_put(out, "<dt>{text}</dt><dd><code>{text}</code></dd>\n", fit->experiments[e]->experiment,
                 *options ? options : "chosen values");
    }
    fputs("</dl>\n</details>\n", out);
}

/* An assumption in the experiments of a paper: the values of the parameter, and the experiments that make this
 * assumption. */
struct assumed {
    const struct trace_parameter *parameter; /* the first one with this path, range and reason */
    struct words values, experiments;
};

static bool is_same_assumption(const struct trace_parameter *a, const struct trace_parameter *b) {
    return !strcmp(a->path, b->path) && !strcmp(a->low, b->low) && !strcmp(a->high, b->high) && !strcmp(a->why, b->why);
}

/* Add the assumptions of a run to a list. */
static void add_assumed(const struct trace_run *run, struct assumed **list, int *count) {
    for (int p = 0; p < run->trace->parameter_count; ++p) {
        const struct trace_parameter *parameter = &run->trace->parameters[p];
        int a = 0;
        if (strcmp(parameter->origin, "assumed") != 0)
            continue;
        while (a < *count && !is_same_assumption((*list)[a].parameter, parameter))
            ++a;
        if (a == *count)
            *ARRAY_ADD(*list, *count) = (struct assumed){.parameter = parameter};
        words_add_new(&(*list)[a].values, parameter->value);
        words_add_new(&(*list)[a].experiments, strchr(run->experiment, '/') + 1);
    }
}

static int compare_assumed(const void *a, const void *b) {
    const struct assumed *x = a, *y = b;
    const int paths = strcmp(x->parameter->path, y->parameter->path);
    return paths ? paths : strcmp(x->parameter->why, y->parameter->why);
}

static void put_words(struct page_table *table, struct words *words) {
    char *text = text_copy("");
    for (int w = 0; w < words->count; ++w)
        text_append(&text, "%s%s", w ? ", " : "", words->words[w]);
    page_table_text(table, text);
    free(text);
    words_free(words);
}

static void put_assumptions(const struct page_source *source, const char *paper, FILE *out) {
    static const char *const headings[] = {"parameter", "values", "likely range", "why", "experiments", NULL};
    const size_t length = strlen(paper);
    struct assumed *list = NULL;
    int count = 0;
    for (int r = 0; r < source->traces->run_count; ++r) {
        const struct trace_run *run = &source->traces->runs[r];
        if (run->trace && !strncmp(run->experiment, paper, length) && run->experiment[length] == '/')
            add_assumed(run, &list, &count);
    }
    if (!count)
        return;
    qsort(list, (size_t)count, sizeof *list, compare_assumed);
    html_put(out, "<details><summary>Values that the paper does not state, and our choices ({int})</summary>\n", count);
    struct page_table table = {.out = out, .caption = "Assumptions", .headings = headings};
    for (int a = 0; a < count; ++a) {
        const struct trace_parameter *parameter = list[a].parameter;
        const bool is_range = *parameter->low && strcmp(parameter->low, parameter->high) != 0;
        page_table_text(&table, parameter->path);
        put_words(&table, &list[a].values);
        page_table_cell(&table, "", is_range ? "{text} to {text}" : "-", parameter->low, parameter->high);
        page_table_text(&table, parameter->why);
        put_words(&table, &list[a].experiments);
    }
    page_table_end(&table);
    fputs("</details>\n", out);
    free(list);
}

bool page_has_scenes(const struct page_source *source, const char *paper) {
#ifdef SPRINGBACK_PREPARE
    AUTO_FREE char *folder = scene_list(source->results, paper);
    return folder_exists(folder);
#else
    (void)source, (void)paper;
    return false;
#endif
}

/* Write the player scenes of a paper (report/scene.h). Returns their number. */
static int put_scenes(const struct page_source *source, const char *paper, FILE *out) {
    if (!page_has_scenes(source, paper))
        return 0;
    html_put(out,
             "<h3 id=\"scenes-{id}\">Scenes<span class=\"unseen\">: {text}</span></h3>\n<p>Colours show the strain of "
             "edges, or the loss of volume; each scene has a legend. Drag to rotate, scroll to zoom; space plays and "
             "pauses, the arrow keys step by one recorded frame.</p>\n<div class=\"scenes\">\n",
             paper, paper);
    int count = 0;
#ifdef SPRINGBACK_PREPARE
    count = scene_put_all(source->results, paper, out);
#endif
    fputs("</div>\n", out);
    return count;
}

int page_paper(const struct page_source *source, int paper, FILE *out) {
    const struct claim_report *report = &source->reports[paper];
    AUTO_FREE char *docs = text_format("%s.md", report->paper);
    html_put(out,
             "<section class=\"paper\" id=\"paper-{id}\" aria-labelledby=\"title-{id}\">\n"
             "<h2 id=\"title-{id}\">{text}</h2>\n<p class=\"title\">{text}{markup}",
             report->paper, report->paper, report->paper, report->paper, report->title, *report->title ? ". " : "");
    if (*report->doi)
        html_put(out, "<a href=\"https://doi.org/{path}\">doi {text}</a>. ", report->doi, report->doi);
    fputs("Discussion: ", out);
    page_docs(source, docs, out);
    fputs("</p>\n", out);
    const int scenes = put_scenes(source, report->paper, out);
    put_figures(source, report, true, out);
    const int ours = put_figures(source, report, false, NULL);
    if (ours) {
        html_put(out, "<details><summary>{int} more figures, which the paper does not have</summary>\n", ours);
        put_figures(source, report, false, out);
        fputs("</details>\n", out);
    }
    put_differing(report, out);
    put_claims(source, report, out);
    put_assumptions(source, report->paper, out);
    put_fit(&source->fits[paper], out);
    fputs("</section>\n", out);
    return scenes;
}
