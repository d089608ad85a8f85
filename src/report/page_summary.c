/* The summary of the page: the verdicts on the papers' headline claims, and a picture of each paper. */
#include "report/page.h"

#include "base/memory.h"
#include "base/words.h"
#include "claim/facts.h"
#include "claim/headline.h"
#include "report/html.h"
#include "run/provenance.h"

#include <string.h>

/* ---- Headline claims ---- */

/* The words for each verdict in the first sentence, in the singular and the plural. "within tolerance" counts as
 * "matches". */
static const char *const outcomes[VERDICT_COUNT][2] = {
    [VERDICT_MATCHES] = {"reproduces", "reproduce"},
    [VERDICT_SHAPE_ONLY] = {"has only the right direction", "have only the right direction"},
    [VERDICT_DEPENDS] = {"depends on values that the papers do not state",
                         "depend on values that the papers do not state"},
    [VERDICT_NOT_SWEPT] = {"is not decided", "are not decided"},
    [VERDICT_DIFFERS] = {"differs", "differ"},
    [VERDICT_NOT_TESTABLE] = {"needs another device or body", "need another device or body"},
    [VERDICT_NOT_RUN] = {"was not run", "were not run"},
};

/* Count the headline claims of a paper by verdict; if `paper` is NULL, those of all papers. Returns the number of these
 * claims. */
static int count_headlines(const struct headlines *headlines, const char *paper, int counts[VERDICT_COUNT]) {
    int all = 0;
    for (int h = 0; h < headlines->count; ++h) {
        const struct claim_result *result = headlines->rows[h].result;
        if (paper && strcmp(result->paper, paper) != 0)
            continue;
        ++counts[result->verdict == VERDICT_WITHIN ? VERDICT_MATCHES : result->verdict];
        ++all;
    }
    return all;
}

static void put_sentence(const struct headlines *headlines, FILE *out) {
    int counts[VERDICT_COUNT] = {0};
    const int all = count_headlines(headlines, NULL, counts);
    fprintf(out, "<p class=\"sentence\">Of %d headline result%s", all, all == 1 ? "" : "s");
    for (int v = 0; v < VERDICT_COUNT; ++v)
        if (counts[v])
            fprintf(out, ", %d %s", counts[v], outcomes[v][counts[v] > 1]);
    fputs(".</p>\n", out);
}

/* Write what the verdicts are based on: the tiers of the runs, and whether a GPU was used. */
static void put_basis(const struct page_source *source, FILE *out) {
    AUTO(words_free) struct words tiers = {NULL, 0};
    bool has_gpu = false;
    struct fact_counts facts[2];
    int untested = 0, all = 0;
    for (int r = 0; r < source->traces->run_count; ++r) {
        const struct trace_data *trace = source->traces->runs[r].trace;
        if (!trace)
            continue;
        words_add_new(&tiers, trace_run_text(trace, "tier"));
        has_gpu = has_gpu || !strcmp(trace_run_text(trace, "device_type"), "gpu");
    }
    for (int r = 0; r < source->report_count; ++r) {
        facts_count_report(&source->reports[r], source->reports[r].paper, facts);
        untested += facts[1].of[VERDICT_NOT_TESTABLE];
        all += facts[1].all;
    }
    if (!tiers.count)
        return;
    html_put(out,
             "<p>Judged by runs of the tier {text}{markup}{text} (<a href=\"#machines\">this machine</a>), {markup} a "
             "GPU; {int} of the {int} facts that runs decide cannot be tested with these runs.</p>\n",
             tiers.words[0], tiers.count > 1 ? " and " : "", tiers.count > 1 ? tiers.words[1] : "",
             has_gpu ? "with" : "without", untested, all);
}

static void put_headlines(const struct headlines *headlines, const struct claim_report *report, FILE *out) {
    static const char *const headings[] = {"result", "paper", "here", "verdict", NULL};
    AUTO_FREE char *caption = text_format("%s%s%s", report->paper, *report->title ? ": " : "", report->title);
    struct page_table table = {.out = out, .caption = caption, .headings = headings};
    for (int h = 0; h < headlines->count; ++h) {
        const struct headline *row = &headlines->rows[h];
        const struct page_sign *sign = &page_signs[row->result->verdict];
        if (strcmp(row->result->paper, report->paper) != 0)
            continue;
        page_table_cell(&table, "", "{int}. <a href=\"#{id}\">{text}</a>", h + 1, row->result->id, row->sentence);
        page_table_text(&table, row->paper);
        page_table_text(&table, row->ours);
        page_table_cell(&table, "", "<span>" PAGE_VERDICT "<span class=\"note\">{markup}{text}</span></span>",
                        sign->word, sign->mark, row->verdict,
                        !strncmp(row->clause, "on ", 3) || !*row->clause ? " " : ", ", row->clause);
    }
    page_table_end(&table);
}

/* ---- Pictures ---- */

const struct gallery_figure *page_figure_of(const struct page_source *source, const struct claim_report *report) {
    const struct gallery_figure *best = NULL;
    int most = -1;
    for (int f = 0; f < source->gallery->count; ++f) {
        const struct gallery_figure *figure = &source->gallery->figures[f];
        if (!figure->width || strcmp(figure->paper, report->paper) != 0)
            continue;
        int points = strstr(figure->svg, "<image") ? report->count : 0;
        for (int c = 0; c < report->count; ++c)
            points += report->results[c].is_headline && page_figure_shows(figure, &report->results[c]);
        best = points > most ? figure : best;
        most = points > most ? points : most;
    }
    return best;
}

static void put_pictures(const struct page_source *source, const struct headlines *headlines, FILE *out) {
    fputs("<ul class=\"pictures\">\n", out);
    for (int r = 0; r < source->report_count; ++r) {
        const struct gallery_figure *figure = page_figure_of(source, &source->reports[r]);
        int counts[VERDICT_COUNT] = {0};
        const int all = count_headlines(headlines, source->reports[r].paper, counts);
        if (!figure)
            continue;
        html_put(out,
                 "<li><a href=\"#paper-{id}\"><svg viewBox=\"0 0 {int} {int}\" preserveAspectRatio=\"xMidYMid slice\" "
                 "aria-hidden=\"true\"><image id=\"picture-{id}\" width=\"{int}\" "
                 "height=\"{int}\" href=\"{svg}\"/></svg>{text}</a><span>: {int} of {int} headline results reproduce",
                 figure->paper, figure->width, figure->height, figure->paper, figure->width, figure->height,
                 figure->svg, figure->paper, counts[VERDICT_MATCHES], all);
        if (page_has_scenes(source, figure->paper))
            html_put(out, "; <a href=\"#scenes-{id}\">scenes</a>", figure->paper);
        fputs("</span></li>\n", out);
    }
    fputs("</ul>\n", out);
    if (!source->gallery->count)
        fputs("<p>No figures are drawn yet: <code>make reproduce</code> draws them.</p>\n", out);
}

/* ---- All facts ---- */

static void put_meanings(const struct page_source *source, FILE *out) {
    static const char *const meanings[VERDICT_COUNT] = {
        [VERDICT_MATCHES] =
            "the claim is true; a number equals the printed one within its rounding, or is in the printed range",
        [VERDICT_WITHIN] = "within a tolerance that was stated, with its reason, before the run",
        [VERDICT_SHAPE_ONLY] = "the printed order, direction or bound is true, but the number is not the printed one",
        [VERDICT_DEPENDS] = "true for some values or readings that the paper allows, false for others",
        [VERDICT_NOT_SWEPT] = ("judged with too few choices of the values that the paper does not state: the sweep is "
                               "missing, outdated, too small or without a search"),
        [VERDICT_DIFFERS] = "false for all values and readings that were tried; the reason is given if it is known",
        [VERDICT_NOT_TESTABLE] = "a device, a body or a printed value is missing; the reason is given",
        [VERDICT_NOT_RUN] = "the runs failed, or were not started",
    };
    fputs("<details><summary>What the verdicts mean</summary>\n<dl class=\"verdicts\">\n", out);
    for (int v = 0; v < VERDICT_COUNT; ++v) {
        fputs("<div><dt>", out);
        page_verdict((enum verdict)v, out);
        fprintf(out, "</dt><dd>%s</dd></div>\n", meanings[v]);
    }
    fputs("</dl>\n<p>How a verdict is reached: ", out);
    page_docs(source, "claims.md", out);
    fputs("</p>\n</details>\n", out);
}

/* Write the row of a paper in the table of facts. The number of facts with a verdict links to the paper's claims with
 * this verdict. */
static void put_facts(const struct claim_report *report, const bool shown[VERDICT_COUNT], struct page_table *table) {
    struct fact_counts facts[2];
    facts_count_report(report, report->paper, facts);
    page_table_cell(table, "word", "<a href=\"#paper-{id}\">{text}</a>", report->paper, report->paper);
    page_table_number(table, facts[1].all);
    for (int v = 0; v < VERDICT_COUNT; ++v)
        if (shown[v] && facts[1].of[v])
            page_table_cell(table, "word", "<a href=\"#{id}-{markup}\">{int}</a>", report->paper, page_signs[v].word,
                            facts[1].of[v]);
        else if (shown[v])
            page_table_number(table, 0);
    const int hold = facts_holding(&facts[0]), differ = facts[0].of[VERDICT_DIFFERS];
    page_table_number(table, facts[0].all);
    page_table_number(table, hold);
    page_table_number(table, differ);
    page_table_number(table, facts[0].all - hold - differ);
}

/* Write how many facts of each paper have each verdict, in the columns of `springback check --recorded`. */
static void put_counts(const struct page_source *source, FILE *out) {
    static const char *const others[] = {"other facts", "hold", "differ", "neither"};
    const char *headings[VERDICT_COUNT + 7] = {"paper", "facts that runs decide"};
    struct page_table table = {.out = out, .caption = "All facts, by verdict", .headings = headings};
    bool shown[VERDICT_COUNT] = {false};
    int columns = 2;
    for (int r = 0; r < source->report_count; ++r) {
        struct fact_counts facts[2];
        facts_count_report(&source->reports[r], source->reports[r].paper, facts);
        for (int v = 0; v < VERDICT_COUNT; ++v)
            shown[v] = shown[v] || facts[1].of[v];
    }
    for (int v = 0; v < VERDICT_COUNT; ++v)
        if (shown[v])
            headings[columns++] = verdict_name((enum verdict)v);
    memcpy(&headings[columns], others, sizeof others);
    for (int r = 0; r < source->report_count; ++r)
        put_facts(&source->reports[r], shown, &table);
    page_table_end(&table);
    fputs("<p class=\"note\">A fact has the worst verdict of its claims. The last four columns count the other facts, "
          "for example counts and the paper's own arithmetic.</p>\n",
          out);
}

/* List the claims whose verdict is not the recorded one. */
static void put_changed(const struct page_source *source, FILE *out) {
    const char *before = "<p>Claims whose verdict is not the one recorded for a similar machine: ";
    bool incomplete = false;
    for (int r = 0; r < source->report_count; ++r) {
        incomplete = incomplete || source->reports[r].incomplete;
        for (int c = 0; c < source->reports[r].count; ++c) {
            const struct claim_result *result = &source->reports[r].results[c];
            if (!claim_result_changed(result))
                continue;
            html_put(out, "{markup}<a href=\"#{id}\">{text}</a>", before, result->id, result->id);
            before = ", ";
        }
    }
    fputs(*before == ',' ? ".</p>\n" : "", out);
    if (incomplete)
        fputs("<p>Some runs are missing, failed or outdated: see <a href=\"#experiments\">Experiments</a>.</p>\n", out);
}

void page_summary(const struct page_source *source, FILE *out) {
    AUTO(headlines_free) struct headlines headlines;
    headlines_of(source->reports, source->report_count, false, &headlines);
    fputs("<section id=\"summary\" aria-labelledby=\"summary-title\">\n"
          "<h1 id=\"summary-title\">springback: what was found</h1>\n",
          out);
    put_sentence(&headlines, out);
    put_basis(source, out);
    fputs("<div class=\"first\">\n", out);
    put_pictures(source, &headlines, out);
    fputs("<div class=\"headlines\">\n", out);
    for (int r = 0; r < source->report_count; ++r)
        put_headlines(&headlines, &source->reports[r], out);
    fputs("</div>\n</div>\n", out);
    put_counts(source, out);
    put_changed(source, out);
    put_meanings(source, out);
    html_put(out,
             "<p>The claims of published papers on deformable bodies, judged by the runs in {text}. springback {text}, "
             "revision {text}. Commands on this page are for a shell in the repository; if springback is not "
             "installed, use <code>build/springback</code>.</p>\n</section>\n",
             source->results, provenance_version(), provenance_revision());
}
