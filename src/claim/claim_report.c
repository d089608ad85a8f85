#include "base/lines.h"
#include "base/memory.h"
#include "base/terminal.h"
#include "claim/claim_file.h"
#include "claim/sensitivity.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool claim_result_changed(const struct claim_result *result) {
    return result->has_recorded && !result->is_unrun && result->recorded != result->verdict;
}

bool claim_result_is_decided_by_runs(const struct claim_result *result) {
    return !strcmp(result->class, "result");
}

int claim_report_status(const struct claim_report *report, bool untimed) {
    bool changed = false;
    for (int i = 0; i < report->count; i++)
        changed = changed || (claim_result_changed(&report->results[i]) && !(untimed && report->results[i].is_timed));
    return report->incomplete ? STATUS_BAD : changed ? STATUS_CHANGED : STATUS_OK;
}

void claim_report_print_changed(const struct claim_report *report, FILE *out) {
    for (int i = 0; i < report->count; i++) {
        const struct claim_result *result = &report->results[i];
        if (claim_result_changed(result))
            fprintf(out, "%sCHANGED%s: %s: %s, was: %s%s\n", terminal_begin(out, TERMINAL_ALARM),
                    terminal_end(out, TERMINAL_ALARM), result->id, verdict_name(result->verdict),
                    verdict_name(result->recorded), result->is_timed ? " (a timing)" : "");
    }
}

void claim_report_free(struct claim_report *report) {
    for (int i = 0; i < report->count; i++)
        json_decref(report->results[i].sensitivity);
    if (report->claims) {
        member_sets_free(report->sweeps);
        claim_file_free(report->claims);
    }
    pool_free(&report->pool);
    *report = (struct claim_report){0};
}

bool scope_has(const struct claim_scope *scope, const char *experiment) {
    bool has = !scope || !scope->count;
    for (int e = 0; !has && e < scope->count; e++)
        has = !strcmp(experiment, scope->experiments[e]);
    return has;
}

/* ---- The table ---- */

enum { COLUMNS = 4, GAP = 2 };

enum { VERDICT_COLUMN = 1 };

static const enum terminal_style styles[VERDICT_COUNT] = {
    [VERDICT_MATCHES] = TERMINAL_GOOD,     [VERDICT_WITHIN] = TERMINAL_GOOD,   [VERDICT_SHAPE_ONLY] = TERMINAL_FAIR,
    [VERDICT_DEPENDS] = TERMINAL_FAIR,     [VERDICT_NOT_SWEPT] = TERMINAL_DIM, [VERDICT_DIFFERS] = TERMINAL_BAD,
    [VERDICT_NOT_TESTABLE] = TERMINAL_DIM, [VERDICT_NOT_RUN] = TERMINAL_DIM,
};

int verdict_style(enum verdict verdict) {
    return styles[verdict];
}

/* Print one row, with each cell wrapped inside its column and the verdict in its style. */
static void print_row(FILE *out, const char *const cells[COLUMNS], const int widths[COLUMNS],
                      enum terminal_style style) {
    const char *rest[COLUMNS];
    memcpy(rest, cells, sizeof rest);
    bool more = true;
    while (more) {
        int behind = 0; /* spaces to print before the next text */
        more = false;
        for (int c = 0; c < COLUMNS; c++) {
            const char *line = rest[c];
            size_t bytes = *line ? text_line(&rest[c], widths[c]) : 0;
            if (bytes)
                fprintf(out, "%*s%s%.*s%s", behind, "",
                        terminal_begin(out, c == VERDICT_COLUMN ? style : TERMINAL_PLAIN), (int)bytes, line,
                        terminal_end(out, c == VERDICT_COLUMN ? style : TERMINAL_PLAIN));
            behind = bytes ? widths[c] - text_columns(line, bytes) + GAP : behind + widths[c] + GAP;
            more = more || *rest[c];
        }
        fputc('\n', out);
    }
}

static void result_cells(const struct claim_result *result, const char *cells[COLUMNS]) {
    cells[0] = result->id;
    cells[1] = verdict_name(result->verdict);
    cells[2] = *result->reported ? result->reported : "-";
    cells[3] = *result->measured ? result->measured : "-";
}

/* Whether the experiment of a claim has no results at all, so that the table has no row for the claim. */
static bool has_no_results(const struct claim_result *result) {
    return result->is_unrun && !result->is_partly_run && result->verdict == VERDICT_NOT_RUN;
}

/* Print a line for each experiment without results, with the number of claims about the experiment. */
static void print_unrun(const struct claim_report *report, FILE *out, int width) {
    for (int i = 0; i < report->count; i++) {
        const char *experiment = report->results[i].experiment;
        int count = 0;
        bool is_first = has_no_results(&report->results[i]);
        for (int j = 0; j < report->count && is_first; j++) {
            const bool is_same =
                has_no_results(&report->results[j]) && !strcmp(report->results[j].experiment, experiment);
            is_first = j >= i || !is_same;
            count += is_same;
        }
        if (!is_first)
            continue;
        AUTO_FREE char *line = text_format("%s has no results, and %d claim%s %s about it", experiment, count,
                                           count == 1 ? "" : "s", count == 1 ? "is" : "are");
        text_print(out, line, 0, width);
    }
}

void claim_report_print_total(const struct claim_report *report, FILE *out, int width) {
    int counts[VERDICT_COUNT] = {0}, changed = 0;
    for (int i = 0; i < report->count; i++) {
        counts[report->results[i].verdict]++;
        changed += claim_result_changed(&report->results[i]);
    }
    AUTO_FREE char *summary = text_format("%d claims", report->count);
    const char *separator = ": ";
    for (int v = 0; v < VERDICT_COUNT; v++)
        if (counts[v]) {
            text_append(&summary, "%s%d %s", separator, counts[v], verdict_name((enum verdict)v));
            separator = ", ";
        }
    text_append(&summary, "; %d changed%s", changed, report->incomplete ? "; incomplete" : "");
    text_print(out, summary, 0, width);
}

void claim_report_print(const struct claim_report *report, FILE *out, int width) {
    const char *cells[COLUMNS] = {"claim", "verdict", "reported", "measured"};
    int widths[COLUMNS];
    width = width < 40 ? 40 : width;
    for (int c = 0; c < COLUMNS; c++)
        widths[c] = (int)strlen(cells[c]);
    for (int i = 0; i < report->count; i++) {
        const char *row[COLUMNS];
        if (has_no_results(&report->results[i]))
            continue;
        result_cells(&report->results[i], row);
        for (int c = 0; c < COLUMNS; c++) {
            int columns = text_columns(row[c], strlen(row[c]));
            widths[c] = columns > widths[c] ? columns : widths[c];
        }
    }
    /* The columns `reported` and `measured` become narrower first, down to 14 characters, because their texts can break
     * at spaces. Then the widest column becomes narrower. */
    for (;;) {
        int widest = widths[3] > widths[2] ? 3 : 2, total = GAP * (COLUMNS - 1);
        for (int c = 0; c < COLUMNS; c++) {
            widest = widths[widest] <= 14 && widths[c] > widths[widest] ? c : widest;
            total += widths[c];
        }
        if (total <= width)
            break;
        widths[widest]--;
    }
    bool is_headed = false;
    for (int i = 0; i < report->count; i++) {
        const struct claim_result *result = &report->results[i];
        if (has_no_results(result))
            continue;
        if (!is_headed)
            print_row(out, cells, widths, TERMINAL_PLAIN);
        is_headed = true;
        result_cells(result, cells);
        print_row(out, cells, widths, styles[result->verdict]);
        if (claim_result_changed(result))
            fprintf(out, "  %sCHANGED%s, was: %s\n", terminal_begin(out, TERMINAL_ALARM),
                    terminal_end(out, TERMINAL_ALARM), verdict_name(result->recorded));
        AUTO_FREE char *says = text_format("%s%s", result->is_headline ? "Headline: " : "", result->says);
        text_print(out, says, 2, width);
        AUTO_FREE char *side = *result->direction ? text_format("(%s)", result->direction) : text_copy("");
        text_print(out, side, 4, width);
        if (*result->stand_in)
            fprintf(out, "    stand-in body: %s\n", result->stand_in);
        text_print(out, result->why, 4, width);
    }
    print_unrun(report, out, width);
    claim_report_print_total(report, out, width);
}

/* ---- gnuplot ---- */

static void put_variable(const struct claim *claim, const char *ending, double number, FILE *out) {
    for (const char *at = claim->id; *at; at++)
        fputc(isalnum((unsigned char)*at) ? *at : '_', out);
    fprintf(out, "%s = %.15g%s", ending, number, *claim->reported_unit ? " # " : "");
    /* The unit is a gnuplot comment of one line. A backslash at its end would continue the comment
     * (figures/variables.awk). */
    for (const char *at = claim->reported_unit; *at; at++)
        fputc(iscntrl((unsigned char)*at) || *at == '\\' || *at == '`' ? ' ' : *at, out);
    fputc('\n', out);
}

int claims_write_gnuplot(const char *file, FILE *out) {
    AUTO(claim_file_free) struct claim_file claims;
    int status = claim_file_read(file, &claims);
    for (int c = 0; c < claims.count; c++) {
        const struct claim *claim = &claims.claims[c];
        if (claim->reported)
            put_variable(claim, "", claim->printed, out);
        if (claim->is_range) {
            put_variable(claim, "_low", claim->printed - claim->printed_half, out);
            put_variable(claim, "_high", claim->printed + claim->printed_half, out);
        }
    }
    return status;
}
