/* A comparison as one <section>, well-formed XML as well: for a page of its own, or as a part of the report's. */
#include "report/comparison.h"

#include "report/html.h"
#include "report/page_table.h"

#include <math.h>
#include <string.h>

static void put_number(struct page_table *table, double value, const char *format) {
    char text[64] = "-";
    if (isfinite(value))
        snprintf(text, sizeof text, format, value); /* NOLINT(clang-diagnostic-format-nonliteral): all are literals */
    page_table_word(table, text);
}

static void put_ratio(struct page_table *table, double ratio) {
    put_number(table, ratio, ratio < 999.5 ? "%.3g" : "%.0f");
}

static void put_share(struct page_table *table, const struct share *share) {
    static const char *const forms[2][2] = {{"%.2g %% (arithmetic)", "%.2g %% (memory)"},
                                            {"%.0f %% (arithmetic)", "%.0f %% (memory)"}};
    put_number(table, 100 * share->value, forms[share->value > 0.1][share->by_memory]);
}

static void put_environment(FILE *out, const struct comparison *comparison) {
    static const char *const headings[] = {"what", "A", "B", NULL};
    if (!comparison->apart.count) {
        fputs("<p>Where and by what they ran: no difference is known.</p>\n", out);
        return;
    }
    struct page_table table;
    page_table_begin(&table, out, "Where and by what they ran, as far as it differs, which should change no bit",
                     headings);
    for (int i = 0; i < comparison->apart.count; ++i) {
        const struct contrast *contrast = &comparison->apart.items[i];
        page_table_word(&table, contrast->name);
        page_table_text(&table, contrast->of[0]);
        page_table_text(&table, contrast->of[1]);
    }
    page_table_end(&table);
}

/* ---- Physics ---- */

static void put_physics_count(FILE *out, const struct comparison *comparison) {
    const int like = comparison->pair_count - comparison->refused;
    fprintf(out, "<p>%d run%s of both: %d in the same bits, <strong>%d not</strong>", like, like == 1 ? "" : "s",
            comparison->physics[PHYSICS_SAME], comparison->physics[PHYSICS_APART]);
    if (comparison->physics[PHYSICS_INEXACT])
        fprintf(out, ", %d by methods or devices that do not keep them", comparison->physics[PHYSICS_INEXACT]);
    if (comparison->physics[PHYSICS_UNKNOWN])
        fprintf(out, ", %d without a frame that both recorded", comparison->physics[PHYSICS_UNKNOWN]);
    if (comparison->refused)
        fprintf(out, ", %d refused as of unlike work", comparison->refused);
    if (comparison->elsewhere)
        fprintf(out, "; %d of them on one kind of backend by A, on another by B", comparison->elsewhere);
    fputs(".</p>\n", out);
}

static void put_distance(struct page_table *table, const struct distance *distance) {
    char value[32];
    if (!distance->what) {
        page_table_cell(table, "", "not known");
        return;
    }
    const bool is_share = !strcmp(distance->unit, "1");
    snprintf(value, sizeof value, is_share ? "%.3g" : "%.4g", distance->value);
    page_table_cell(table, "", "{text}: {text} {text}, in frame {int}", distance->what, value,
                    is_share ? "of the larger" : distance->unit, distance->frame);
}

static void put_apart(FILE *out, const struct comparison *comparison) {
    static const char *const headings[] = {"run", "of", "first frame that differs", "largest difference", NULL};
    if (!comparison->physics[PHYSICS_APART] && !comparison->physics[PHYSICS_INEXACT])
        return;
    struct page_table table;
    page_table_begin(&table, out, "Runs that do not end in the same bits", headings);
    for (int p = 0; p < comparison->pair_count; ++p) {
        const struct pair *pair = &comparison->pairs[p];
        if (pair->unlike.count || pair->first_apart < 0)
            continue;
        page_table_text(&table, pair->run[0]->id);
        page_table_word(&table, pair->run[0]->experiment);
        page_table_number(&table, pair->first_apart);
        put_distance(&table, &pair->distance);
    }
    page_table_end(&table);
}

/* ---- Speed ---- */

static void put_backends(FILE *out, const struct comparison *comparison) {
    static const char *const headings[] = {"backend", "runs", "median", "least", "most", NULL};
    if (!comparison->speed_count)
        return;
    struct page_table table;
    page_table_begin(&table, out, "How many times as fast B is", headings);
    for (int s = 0; s < comparison->speed_count; ++s) {
        const struct backend_speed *speed = &comparison->speeds[s];
        page_table_word(&table, speed->backend);
        page_table_number(&table, speed->runs);
        put_ratio(&table, speed->median);
        put_ratio(&table, speed->least);
        put_ratio(&table, speed->most);
    }
    page_table_end(&table);
}

static void put_speeds(FILE *out, const struct comparison *comparison) {
    static const char *const headings[] = {"run", "of",    "A, ms",          "B, ms",          "A / B", "from",
                                           "to",  "holds", "A of its limit", "B of its limit", NULL};
    if (!comparison->speed_count)
        return;
    fputs("<p>How many times as fast B is, by the medians of a frame's time, with an interval that assumes nothing of "
          "their distribution and holds as often as is said; and the share of the limit that copying memory or "
          "computing sets (above 100 %: a cache holds the body).</p>\n",
          out);
    struct page_table table;
    page_table_begin(&table, out, "Runs that both timed", headings);
    for (int p = 0; p < comparison->pair_count; ++p) {
        const struct pair *pair = &comparison->pairs[p];
        if (pair->unlike.count || !isfinite(pair->ratio.value))
            continue;
        page_table_text(&table, pair->run[0]->id);
        page_table_word(&table, pair->run[0]->experiment);
        for (int k = 0; k < 2; ++k)
            put_number(&table, 1e3 * pair->run[k]->seconds.value, "%.5g");
        put_ratio(&table, pair->ratio.value);
        put_ratio(&table, pair->ratio.low);
        put_ratio(&table, pair->ratio.high);
        put_number(&table, 100 * pair->ratio.confidence, "%.0f %%");
        for (int k = 0; k < 2; ++k)
            put_share(&table, &pair->share[k]);
    }
    page_table_end(&table);
}

static void put_papers(FILE *out, const struct comparison *comparison) {
    static const char *const headings[] = {"claim", "where", "machine", "frames a second", "paper", "A", "B", NULL};
    if (!comparison->paper_count)
        return;
    fputs("<p>By the vendors' published bandwidth and arithmetic, and the steps a frame that the experiment "
          "assumes:</p>\n",
          out);
    struct page_table table;
    page_table_begin(&table, out, "Of the hardware's limit, what the papers reached, and A and B", headings);
    for (int p = 0; p < comparison->paper_count; ++p) {
        const struct paper_share *paper = &comparison->papers[p];
        page_table_text(&table, paper->reported->claim);
        page_table_text(&table, paper->reported->where);
        page_table_text(&table, paper->machine->name);
        put_number(&table, paper->reported->low, isinf(paper->reported->high) ? "at least %g" : "%g");
        put_share(&table, &paper->share);
        for (int k = 0; k < 2; ++k)
            put_share(&table, &paper->ours[k]);
    }
    page_table_end(&table);
}

/* ---- What is not compared ---- */

static void put_refused(FILE *out, const struct comparison *comparison) {
    static const char *const headings[] = {"runs", "what differs", "A", "B", NULL};
    if (!comparison->refused)
        return;
    fprintf(out, "<p>%d run%s of unlike work:</p>\n", comparison->refused, comparison->refused == 1 ? " is" : "s are");
    struct page_table table;
    page_table_begin(&table, out, "Refused", headings);
    for (int p = 0, alike; p < comparison->pair_count; p += alike ? alike : 1) {
        const struct pair *pair = &comparison->pairs[p];
        if (!(alike = refused_alike(comparison, p)))
            continue;
        for (int i = 0; i < pair->unlike.count; ++i) {
            page_table_cell(&table, "", alike > 1 ? "{text} {text}, and {int} more" : "{text} {text}",
                            pair->run[0]->experiment, pair->run[0]->id, alike - 1);
            page_table_text(&table, pair->unlike.items[i].name);
            page_table_text(&table, pair->unlike.items[i].of[0]);
            page_table_text(&table, pair->unlike.items[i].of[1]);
        }
    }
    page_table_end(&table);
}

/* ---- All of it ---- */

void comparison_html(const struct comparison *comparison, FILE *out) {
    html_put(out, "<section class=\"comparison\">\n<h3>{text} (A) and {text} (B)</h3>\n", comparison->machine[0]->name,
             comparison->machine[1]->name);
    put_physics_count(out, comparison);
    put_backends(out, comparison);
    fputs("<details><summary>Where they ran, and run by run</summary>\n", out);
    put_environment(out, comparison);
    put_apart(out, comparison);
    put_speeds(out, comparison);
    put_papers(out, comparison);
    put_refused(out, comparison);
    fputs("</details>\n</section>\n", out);
}
