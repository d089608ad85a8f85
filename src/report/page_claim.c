#include "report/page.h"

#include "base/memory.h"
#include "report/html.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const struct page_sign page_signs[VERDICT_COUNT] = {
    [VERDICT_MATCHES] = {"matches", "\xe2\x9c\x93"},         /* check mark */
    [VERDICT_WITHIN] = {"within-tolerance", "\xe2\x89\x88"}, /* almost equal */
    [VERDICT_SHAPE_ONLY] = {"shape-only", "\xe2\x86\x97"},   /* an arrow: only the direction matches */
    [VERDICT_DEPENDS] = {"depends", "\xc2\xb1"},             /* plus or minus */
    [VERDICT_NOT_SWEPT] = {"not-swept", "?"},
    [VERDICT_DIFFERS] = {"differs", "\xe2\x89\xa0"},                /* not equal */
    [VERDICT_NOT_TESTABLE] = {"not-testable-here", "\xe2\x80\x93"}, /* dash */
    [VERDICT_NOT_RUN] = {"not-run", "\xe2\x80\xa6"},                /* ellipsis */
};

void page_verdict(enum verdict verdict, FILE *out) {
    html_put(out, PAGE_VERDICT, page_signs[verdict].word, page_signs[verdict].mark, verdict_name(verdict));
}

void page_judged(const struct claim_result *result, FILE *out) {
    fputs("<span class=\"judged\">", out);
    page_verdict(result->verdict, out);
    if (*result->direction)
        html_put(out, "<span class=\"note\">, {text}</span>", result->direction);
    if (*result->stand_in)
        html_put(out, "<span class=\"note\">, {text} is a stand-in</span>", result->stand_in);
    if (claim_result_changed(result))
        html_put(out, ", <strong class=\"changed\">changed; recorded verdict: {text}</strong>",
                 verdict_name(result->recorded));
    fputs("</span>", out);
}

/* ---- Figures ---- */

/* Whether `where`, a place in a paper, for example "Sec. 5, Fig. 7, Tab. 3 to 5", names the figure or the table that
 * has the number `number`. `word` is "Fig" for a figure and "Tab" for a table. */
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

/* Whether `where`, a claim's place in the paper, names a figure. Our figure "fig10-elements" belongs to figure 10 of
 * the paper. */
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

bool page_figure_shows(const struct gallery_figure *figure, const struct claim_result *result) {
    return (!strcmp(figure->paper, result->paper) && is_named(figure, result->where)) ||
           figure_reads_experiment(figure->reads, figure->paper, result->experiment);
}

static void put_figures(const struct page_source *source, const struct claim_result *result, FILE *out) {
    const char *before = "<p class=\"figures\">Figures: ";
    for (int f = 0; f < source->gallery->count; ++f) {
        const struct gallery_figure *figure = &source->gallery->figures[f];
        if (!page_figure_shows(figure, result))
            continue;
        html_put(out, "{markup}<a href=\"#figure-{id}-{id}\">{text}</a>", before, figure->paper, figure->name,
                 figure->name);
        before = ", ";
    }
    if (*before == ',')
        fputs("</p>\n", out);
}

/* ---- Parts ---- */

static void put_value(const char *term, const char *text, FILE *out) {
    html_put(out, "<div><dt>{markup}</dt><dd>{text}</dd></div>\n", term, *text ? text : "-");
}

/* Write the value that the paper prints, the measured value, and the interval of the measured value. */
static void put_values(const struct claim_result *result, FILE *out) {
    if (!*result->reported && !*result->measured)
        return;
    fputs("<dl>\n", out);
    put_value("the paper", result->reported, out);
    put_value("here", result->measured, out);
    if (*result->interval)
        put_value("interval", result->interval, out);
    fputs("</dl>\n", out);
}

/* Write the place in the paper, the kind of claim, and its runs. */
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
    if (result->trace_count)
        fprintf(out, ", %d run%s", result->trace_count, result->trace_count == 1 ? "" : "s");
    fputs("</p>\n", out);
}

/* Write an example of a set-up, and the value that was measured with this set-up. The claim is true in the example if
 * `key` is "holds_in" and `name` is "True"; it is false if `key` is "fails_in" and `name` is "False". */
static void put_example(const struct claim_result *result, const char *key, const char *name, FILE *out) {
    struct claim_example example;
    if (!claim_result_example(result, key, &example))
        return;
    html_put(out,
             *example.options
                 ? "<p class=\"repeat\">{markup} in another set-up (tier {text}): {text}. <code>{text}</code></p>\n"
                 : "<p class=\"repeat\">{markup} with our choice of values (tier {text}): {text}.</p>\n",
             name, example.tier, example.measured, example.options);
}

void page_claim(const struct page_source *source, const struct claim_result *result, FILE *out) {
    html_put(out,
             "<article class=\"claim\" id=\"{id}\">\n<div class=\"head\">\n<h4><a href=\"#{id}\">{text}</a></h4>\n<p>",
             result->id, result->id, result->id);
    page_judged(result, out);
    html_put(out, "</p>\n</div>\n<p class=\"says\">{text}</p>\n", result->says);
    put_values(result, out);
    if (*result->why)
        html_put(out, "<p class=\"why\">{text}</p>\n", result->why);
    put_example(result, "holds_in", "True", out);
    put_example(result, "fails_in", "False", out);
    put_place(result, out);
    put_figures(source, result, out);
    html_put(out, "<p class=\"repeat\">Repeat: <code>{text}</code></p>\n</article>\n", result->command);
}

void page_claim_item(const struct claim_result *result, const char *why, FILE *out) {
    html_put(out, "<li><a href=\"#{id}\">{text}</a><br/>\n", result->id, result->says);
    page_judged(result, out);
    if (*result->reported)
        html_put(out, "<span class=\"note\">; paper: {text}</span>", result->reported);
    if (*result->measured)
        html_put(out, "<span class=\"note\">; here: {text}</span>", result->measured);
    if (*why)
        html_put(out, "<br/>\n{text}", why);
    fputs("</li>\n", out);
}
