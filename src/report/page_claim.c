#include "report/page.h"

#include "base/memory.h"
#include "report/html.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const struct page_sign page_signs[VERDICT_COUNT] = {
    [VERDICT_MATCHES] = {"matches", "\xe2\x9c\x93"},         /* check mark */
    [VERDICT_WITHIN] = {"within-tolerance", "\xe2\x89\x88"}, /* almost equal */
    [VERDICT_SHAPE_ONLY] = {"shape-only", "\xe2\x86\x97"},   /* an arrow: the direction holds */
    [VERDICT_DEPENDS] = {"depends", "\xc2\xb1"},             /* plus or minus */
    [VERDICT_NOT_SWEPT] = {"not-swept", "?"},
    [VERDICT_DIFFERS] = {"differs", "\xe2\x89\xa0"},                /* not equal */
    [VERDICT_NOT_TESTABLE] = {"not-testable-here", "\xe2\x80\x93"}, /* dash */
    [VERDICT_NOT_RUN] = {"not-run", "\xe2\x80\xa6"},                /* ellipsis */
};

void page_verdict(enum verdict verdict, FILE *out) {
    html_put(out, "<span class=\"verdict {markup}\"><span aria-hidden=\"true\">{markup}</span> {text}</span>",
             page_signs[verdict].word, page_signs[verdict].mark, verdict_name(verdict));
}

/* ---- Its figures ---- */

/* Whether a place in a paper, "Sec. 5, Fig. 7, Tab. 3 to 5", names a figure or a table of this number. */
static bool names_number(const char *where, const char *word, int number) {
    for (const char *at = where; (at = strstr(at, word));) {
        at += strlen(word);
        for (bool more = true; more;) {
            char *end;
            at += strspn(at, " .s");
            const long first = strtol(at, &end, 10);
            long last = first;
            if (end == at)
                break;
            if (!strncmp(end, " to ", 4))
                last = strtol(end + 4, &end, 10);
            if (number >= first && number <= last)
                return true;
            more = !strncmp(end, " and ", 5) || (!strncmp(end, ", ", 2) && isdigit((unsigned char)end[2]));
            at = end + (*end == ',' ? 2 : more ? 5 : 0);
        }
    }
    return false;
}

/* "fig10-elements" is of figure 10. */
static bool is_named(const struct gallery_figure *figure, const char *where) {
    static const char *const words[][2] = {{"fig", "Fig"}, {"table", "Tab"}};
    for (size_t w = 0; w < sizeof words / sizeof *words; ++w) {
        const size_t length = strlen(words[w][0]);
        char *end = NULL;
        if (strncmp(figure->name, words[w][0], length) != 0 || !isdigit((unsigned char)figure->name[length]))
            continue;
        const long number = strtol(figure->name + length, &end, 10);
        if ((!*end || *end == '-') && number < 1000)
            return names_number(where, words[w][1], (int)number);
    }
    return false;
}

static void put_figures(const struct page_source *source, const struct claim_result *result, FILE *out) {
    const char *before = "<p class=\"figures\">Figures: ";
    for (int f = 0; f < source->gallery->count; ++f) {
        const struct gallery_figure *figure = &source->gallery->figures[f];
        if (!(!strcmp(figure->paper, result->paper) && is_named(figure, result->where)) &&
            !figure_reads_experiment(figure->reads, figure->paper, result->experiment))
            continue;
        html_put(out, "{markup}<a href=\"#figure-{id}-{id}\">{text}</a>", before, figure->paper, figure->name,
                 figure->name);
        before = ", ";
    }
    if (*before == ',')
        fputs("</p>\n", out);
}

/* ---- Its parts ---- */

static void put_value(const char *term, const char *text, FILE *out) {
    html_put(out, "<div><dt>{markup}</dt><dd>{text}</dd></div>\n", term, *text ? text : "-");
}

/* What was found beside what is printed, and what it hangs on. */
static void put_values(const struct claim_result *result, FILE *out) {
    if (!*result->reported && !*result->measured)
        return;
    fputs("<dl>\n", out);
    put_value("the paper", result->reported, out);
    put_value("here", result->measured, out);
    if (*result->interval)
        put_value("interval", result->interval, out);
    const char *count = json_string_value(json_object_get(result->sensitivity, "count_text"));
    const char *parting = json_string_value(json_object_get(result->sensitivity, "parting_text"));
    if (count)
        put_value("it holds", count, out);
    if (parting && *parting)
        put_value("it depends on", parting, out);
    fputs("</dl>\n", out);
}

static void put_assumptions(const struct claim_result *result, FILE *out) {
    static const char *const headings[] = {"assumed", "value", "likely range", "why", NULL};
    struct page_table table = {.out = out, .caption = "Values that the paper does not state", .headings = headings};
    for (int a = 0; a < result->assumption_count; ++a) {
        const struct trace_parameter *assumption = &result->assumptions[a];
        const bool is_range = *assumption->low && strcmp(assumption->low, assumption->high) != 0;
        AUTO_FREE char *range = is_range ? text_format("%s to %s", assumption->low, assumption->high) : text_copy("");
        page_table_text(&table, assumption->path);
        page_table_text(&table, assumption->value);
        page_table_text(&table, range);
        page_table_text(&table, assumption->why);
    }
    page_table_end(&table);
}

static void put_traces(const struct page_source *source, const struct claim_result *result, FILE *out) {
    if (!result->trace_count)
        return;
    fputs("<p class=\"traces\">Traces it rests on:</p>\n<ul>\n", out);
    for (int t = 0; t < result->trace_count; ++t)
        html_put(out, "<li><a href=\"{path}{path}\">{text}</a></li>\n", source->base, result->files[t],
                 result->traces[t]);
    fputs("</ul>\n", out);
}

static void put_details(const struct page_source *source, const struct claim_result *result, FILE *out) {
    fputs("<details><summary>", out);
    if (result->assumption_count)
        fprintf(out, "%d assumption%s, ", result->assumption_count, result->assumption_count == 1 ? "" : "s");
    if (result->trace_count)
        fprintf(out, "%d trace%s, ", result->trace_count, result->trace_count == 1 ? "" : "s");
    html_put(out, "how to repeat it<span class=\"unseen\">: {text}</span></summary>\n", result->id);
    put_assumptions(result, out);
    put_traces(source, result, out);
    html_put(out, "<p>Repeated by: </p>\n<pre><code>{text}</code></pre>\n</details>\n", result->command);
}

/* Where in the paper, of what kind, by which runs. */
static void put_place(const struct claim_result *result, FILE *out) {
    fputs("<p class=\"place\">", out);
    if (*result->where)
        html_put(out, "{text}; ", result->where);
    html_text(out, result->kind);
    if (result->is_timed)
        fputs("; timed", out);
    if (*result->tier)
        html_put(out, "; tier {text}", result->tier);
    if (*result->experiment)
        html_put(out, "; <a href=\"#experiment-{id}\">{text}</a>", result->experiment, result->experiment);
    fputs("</p>\n", out);
}

void page_claim(const struct page_source *source, const struct claim_result *result, FILE *out) {
    const bool is_changed = claim_result_changed(result);
    html_put(out,
             "<article class=\"claim\" id=\"{id}\" data-paper=\"{text}\" data-verdict=\"{markup}\" "
             "data-kind=\"{text}\" data-changed=\"{markup}\">\n"
             "<div class=\"head\">\n<h4><a href=\"#{id}\">{text}</a></h4>\n<p class=\"judged\">",
             result->id, result->paper, page_signs[result->verdict].word, result->kind, is_changed ? "yes" : "no",
             result->id, result->id);
    page_verdict(result->verdict, out);
    if (is_changed)
        html_put(out, " <strong class=\"changed\">changed, recorded is: {text}</strong>",
                 verdict_name(result->recorded));
    html_put(out, "</p>\n</div>\n<p class=\"says\">{text}</p>\n", result->says);
    put_values(result, out);
    if (*result->why)
        html_put(out, "<p class=\"why\">{text}</p>\n", result->why);
    put_place(result, out);
    put_figures(source, result, out);
    put_details(source, result, out);
    fputs("</article>\n", out);
}
