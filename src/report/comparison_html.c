/* A comparison as one <section>, well-formed XML as well: for a page of its own, or as a part of the report's. */
#include "report/comparison.h"

#include "report/html.h"

#include <math.h>
#include <string.h>

static void put_cell(FILE *out, const char *element, const char *text) {
    fprintf(out, "<%s>", element);
    html_text(out, text);
    fprintf(out, "</%s>", element);
}

static void put_number(FILE *out, double value, const char *format) {
    fputs("<td class=\"number\">", out);
    if (isfinite(value))
        fprintf(out, format, value); /* NOLINT(clang-diagnostic-format-nonliteral): all callers' are literals */
    else
        fputs("-", out);
    fputs("</td>", out);
}

static void put_head(FILE *out, const char *const *columns) {
    fputs("<table>\n<thead><tr>", out);
    for (; *columns; ++columns)
        put_cell(out, "th", *columns);
    fputs("</tr></thead>\n<tbody>\n", out);
}

static void put_contrasts(FILE *out, const struct contrasts *list) {
    for (int i = 0; i < list->count; ++i) {
        fputs("<tr>", out);
        put_cell(out, "td", list->items[i].name);
        put_cell(out, "td", list->items[i].of[0]);
        put_cell(out, "td", list->items[i].of[1]);
        fputs("</tr>\n", out);
    }
}

static void put_environment(FILE *out, const struct comparison *comparison) {
    if (!comparison->apart.count) {
        fputs("<p>Where and by what they ran: no difference is known.</p>\n", out);
        return;
    }
    fputs("<p>Where and by what they ran differs; it should change no bit.</p>\n", out);
    put_head(out, (const char *const[]){"what", "A", "B", NULL});
    put_contrasts(out, &comparison->apart);
    fputs("</tbody></table>\n", out);
}

static void put_distance(FILE *out, const struct distance *distance) {
    fputs("<td>", out);
    if (distance->what) {
        html_text(out, distance->what);
        fprintf(out, !strcmp(distance->unit, "1") ? ": %.3g of the larger" : ": %.4g ", distance->value);
        if (strcmp(distance->unit, "1") != 0)
            html_text(out, distance->unit);
        fprintf(out, ", in frame %d", distance->frame);
    } else {
        fputs("not known", out);
    }
    fputs("</td>", out);
}

static void put_physics(FILE *out, const struct comparison *comparison) {
    const int like = comparison->pair_count - comparison->refused;
    fprintf(out, "<h3>Physics</h3>\n<p>%d run%s of both: %d in the same bits, <strong>%d not</strong>", like,
            like == 1 ? "" : "s", comparison->physics[PHYSICS_SAME], comparison->physics[PHYSICS_APART]);
    if (comparison->physics[PHYSICS_INEXACT])
        fprintf(out, ", %d by methods or devices that do not keep them", comparison->physics[PHYSICS_INEXACT]);
    if (comparison->physics[PHYSICS_UNKNOWN])
        fprintf(out, ", %d without a frame that both recorded", comparison->physics[PHYSICS_UNKNOWN]);
    if (comparison->elsewhere)
        fprintf(out, "; %d of them on one kind of backend by A, on another by B", comparison->elsewhere);
    fputs(".</p>\n", out);
    if (!comparison->physics[PHYSICS_APART] && !comparison->physics[PHYSICS_INEXACT])
        return;
    put_head(out, (const char *const[]){"experiment", "run", "first frame that differs", "largest difference", NULL});
    for (int p = 0; p < comparison->pair_count; ++p) {
        const struct pair *pair = &comparison->pairs[p];
        if (pair->unlike.count || pair->first_apart < 0)
            continue;
        fputs("<tr>", out);
        put_cell(out, "td", pair->run[0]->experiment);
        put_cell(out, "td", pair->run[0]->id);
        put_number(out, pair->first_apart, "%.0f");
        put_distance(out, &pair->distance);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
}

static void put_share(FILE *out, const struct share *share) {
    put_number(out, 100 * share->value, share->by_memory ? "%.2g %% (memory)" : "%.2g %% (arithmetic)");
}

static void put_speed(FILE *out, const struct comparison *comparison) {
    fputs(
        "<h3>Speed</h3>\n<p>How many times as fast B is, by the medians of a frame's time, with an interval that "
        "assumes nothing of their distribution and holds as often as is said; and the share of the limit that copying "
        "memory or computing sets (above 100 %: a cache holds the body).</p>\n",
        out);
    put_head(out, (const char *const[]){"experiment", "run", "A, ms", "B, ms", "A / B", "from", "to", "holds",
                                        "A of its limit", "B of its limit", NULL});
    for (int p = 0; p < comparison->pair_count; ++p) {
        const struct pair *pair = &comparison->pairs[p];
        if (pair->unlike.count || !isfinite(pair->ratio.value))
            continue;
        fputs("<tr>", out);
        put_cell(out, "td", pair->run[0]->experiment);
        put_cell(out, "td", pair->run[0]->id);
        for (int k = 0; k < 2; ++k)
            put_number(out, 1e3 * pair->run[k]->seconds.value, "%.5g");
        put_number(out, pair->ratio.value, "%.4g");
        put_number(out, pair->ratio.low, "%.4g");
        put_number(out, pair->ratio.high, "%.4g");
        put_number(out, 100 * pair->ratio.confidence, "%.0f %%");
        for (int k = 0; k < 2; ++k)
            put_share(out, &pair->share[k]);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
}

static void put_papers(FILE *out, const struct comparison *comparison) {
    if (!comparison->paper_count)
        return;
    fputs("<h3>Of the hardware's limit, what the papers reached</h3>\n<p>By the vendors' published bandwidth and "
          "arithmetic, and the steps a frame that the experiment assumes.</p>\n",
          out);
    put_head(out, (const char *const[]){"claim", "where", "machine", "frames a second", "paper", "A", "B", NULL});
    for (int p = 0; p < comparison->paper_count; ++p) {
        const struct paper_share *paper = &comparison->papers[p];
        fputs("<tr>", out);
        put_cell(out, "td", paper->reported->claim);
        put_cell(out, "td", paper->reported->where);
        put_cell(out, "td", paper->machine->name);
        put_number(out, paper->reported->low, isinf(paper->reported->high) ? "at least %g" : "%g");
        put_share(out, &paper->share);
        for (int k = 0; k < 2; ++k)
            put_share(out, &paper->ours[k]);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
}

static void put_refused(FILE *out, const struct comparison *comparison) {
    if (!comparison->refused)
        return;
    fprintf(out, "<h3>Refused</h3>\n<p>%d run%s of unlike work.</p>\n", comparison->refused,
            comparison->refused == 1 ? "" : "s");
    put_head(out, (const char *const[]){"what", "A", "B", NULL});
    for (int p = 0, alike; p < comparison->pair_count; p += alike ? alike : 1) {
        const struct pair *pair = &comparison->pairs[p];
        if (!(alike = refused_alike(comparison, p)))
            continue;
        fputs("<tr><td colspan=\"3\">", out);
        html_text(out, pair->run[0]->experiment);
        fputc(' ', out);
        html_text(out, pair->run[0]->id);
        if (alike > 1)
            fprintf(out, ", and %d more", alike - 1);
        fputs("</td></tr>\n", out);
        put_contrasts(out, &pair->unlike);
    }
    fputs("</tbody></table>\n", out);
}

void comparison_html(const struct comparison *comparison, FILE *out) {
    fputs("<section class=\"comparison\">\n<h2>", out);
    html_text(out, comparison->machine[0]->name);
    fputs(" (A) and ", out);
    html_text(out, comparison->machine[1]->name);
    fputs(" (B)</h2>\n", out);
    put_environment(out, comparison);
    put_physics(out, comparison);
    put_speed(out, comparison);
    put_papers(out, comparison);
    put_refused(out, comparison);
    fputs("</section>\n", out);
}
