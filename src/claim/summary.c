/* The output of `check` on the terminal: the first screen of all claims, and everything that is known of one claim. */
#include "base/lines.h"
#include "base/memory.h"
#include "base/terminal.h"
#include "claim/claim.h"
#include "claim/facts.h"
#include "claim/headline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- The first screen ---- */

enum { MOST_ROWS = 40, GAP = 2, MOST_NUMBER = 16 /* most columns for a printed or measured value */ };

struct widths {
    int sentence, paper, ours;
};

static int columns_of(const char *text) {
    return text_columns(text, strlen(text));
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

/* The text between a verdict and its clause: "depends on ...", "matches: in ...". */
static const char *clause_gap(const struct headline *row) {
    return !*row->clause ? "" : row->result->verdict == VERDICT_DEPENDS ? " " : ": ";
}

/* Print a text in a column, cut to the width of the column. */
static void print_cell(FILE *out, const char *text, int width) {
    AUTO_FREE char *cell = text_cut(text, width);
    fprintf(out, "%s%*s", cell, width - columns_of(cell) + GAP, "");
}

static void print_row(FILE *out, int number, const struct headline *row, const struct widths *widths, int width) {
    const enum terminal_style style = (enum terminal_style)verdict_style(row->result->verdict);
    const int rest = width - 3 - widths->sentence - widths->paper - widths->ours - 3 * GAP - columns_of(row->verdict);
    AUTO_FREE char *clause = text_format("%s%s", clause_gap(row), row->clause);
    AUTO_FREE char *shown = text_cut(clause, larger(rest, 4));
    fprintf(out, "%2d ", number);
    print_cell(out, row->sentence, widths->sentence);
    print_cell(out, *row->paper ? row->paper : "-", widths->paper);
    print_cell(out, *row->ours ? row->ours : "-", widths->ours);
    fprintf(out, "%s%s%s%s\n", terminal_begin(out, style), row->verdict, terminal_end(out, style), shown);
}

static void print_rows(const struct headlines *rows, FILE *out, int width) {
    struct widths widths = {8, 5, 4};
    for (int r = 0; r < rows->count && r < MOST_ROWS; r++) {
        widths.sentence = larger(widths.sentence, columns_of(rows->rows[r].sentence));
        widths.paper = larger(widths.paper, columns_of(rows->rows[r].paper));
        widths.ours = larger(widths.ours, columns_of(rows->rows[r].ours));
    }
    widths.paper = widths.paper < MOST_NUMBER ? widths.paper : MOST_NUMBER;
    widths.ours = widths.ours < MOST_NUMBER ? widths.ours : MOST_NUMBER;
    widths.sentence = widths.sentence < width / 3 ? widths.sentence : width / 3;
    const char *paper = "";
    for (int r = 0; r < rows->count && r < MOST_ROWS; r++) {
        const struct headline *row = &rows->rows[r];
        if (strcmp(row->result->paper, paper) != 0) {
            AUTO_FREE char *name = text_cut(row->result->paper, widths.sentence + 3);
            fprintf(out, "%s%*s", name, widths.sentence + 3 - columns_of(name) + GAP, "");
            print_cell(out, "paper", widths.paper);
            print_cell(out, "ours", widths.ours);
            fputs("verdict\n", out);
            paper = row->result->paper;
        }
        print_row(out, r + 1, row, &widths, width);
    }
}

static void print_facts(const char *paper, const struct fact_counts facts[2], FILE *out) {
    fprintf(out, "%-16.16s", paper);
    for (int by_runs = 1; by_runs >= 0; by_runs--) {
        const struct fact_counts *counts = &facts[by_runs];
        const int *of = counts->of, hold = facts_holding(counts);
        fprintf(out, "%*d%8d%9d", by_runs ? 8 : 14, counts->all, hold, of[VERDICT_DIFFERS]);
        if (by_runs)
            fprintf(out, "%9d%11d%14d", of[VERDICT_DEPENDS], of[VERDICT_NOT_SWEPT],
                    of[VERDICT_NOT_TESTABLE] + of[VERDICT_NOT_RUN]);
        else
            fprintf(out, "%8d", counts->all - hold - of[VERDICT_DIFFERS]);
    }
    fputc('\n', out);
}

/* Print a line for each paper, with the numbers of its facts by verdict. */
static void print_counts(const struct claim_report *report, FILE *out) {
    fputs("                facts that runs decide                                     other facts\n"
          "                   all    hold   differ  depend  not swept    not tested           all    hold   differ "
          "neither\n",
          out);
    for (int r = 0; r < report->count; r++) {
        const char *paper = report->results[r].paper;
        struct fact_counts facts[2];
        if (r && !strcmp(report->results[r - 1].paper, paper))
            continue;
        facts_count_report(report, paper, facts);
        print_facts(paper, facts, out);
    }
}

void claim_summary_print(const struct claim_report *report, bool all, FILE *out, int width) {
    struct headlines rows;
    headlines_of(report, 1, all, &rows);
    print_rows(&rows, out, width);
    if (rows.count > MOST_ROWS)
        fprintf(out, "... and %d more claims, which `springback check --all` prints\n", rows.count - MOST_ROWS);
    fputc('\n', out);
    print_counts(report, out);
    claim_report_print_total(report, out, width);
    headlines_free(&rows);
}

/* ---- One claim ---- */

static void print_field(FILE *out, const char *name, const char *text, int width) {
    const char *rest = text;
    for (bool is_first = true; *rest; is_first = false) {
        const char *line = rest;
        const size_t bytes = text_line(&rest, width - 13);
        fprintf(out, "  %-11s%.*s\n", is_first ? name : "", (int)bytes, line);
    }
}

/* Print a command in one line, so that it can be copied. The name of the program is the one with which it was started.
 */
static void print_command(const char *command, FILE *out) {
    static const char name[] = "springback";
    for (const char *at = command; *at;)
        if (!strncmp(at, name, strlen(name)) && (at == command || at[-1] == ' ') && at[strlen(name)] == ' ') {
            fputs(program_invocation_name, out);
            at += strlen(name);
        } else {
            fputc(*at++, out);
        }
    fputc('\n', out);
}

/* Print a set-up with its measured value and, unless the set-up has the chosen values, the command that runs it. */
static void print_example(const struct claim_result *result, const char *name, const char *key, FILE *out, int width) {
    struct claim_example example;
    if (!claim_result_example(result, key, &example))
        return;
    const bool is_own = !*example.options;
    AUTO_FREE char *text =
        text_format("%s, %s (tier %s)%s", example.measured, is_own ? "with our choice of values" : "in another set-up",
                    example.tier, is_own ? "" : ":");
    print_field(out, name, text, width);
    if (is_own)
        return;
    AUTO_FREE char *command = text_format("springback run --out out/tried %s experiments/%s.yaml && springback check "
                                          "--out out/tried %s",
                                          example.options, result->experiment, result->id);
    fputs("      ", out);
    print_command(command, out);
}

void claim_result_print(const struct claim_result *result, FILE *out, int width) {
    const enum terminal_style style = (enum terminal_style)verdict_style(result->verdict);
    const struct claim_report report = {.results = (struct claim_result *)result, .count = 1};
    struct headlines rows;
    headlines_of(&report, 1, true, &rows);
    text_print(out, result->says, 0, width);
    print_field(out, "claim", result->id, width);
    print_field(out, "where", result->where, width);
    print_field(out, "paper", result->reported, width);
    AUTO_FREE char *measured = text_format("%s%s%s", result->measured, *result->interval ? " " : "", result->interval);
    print_field(out, "ours", measured, width);
    fprintf(out, "  %-11s%s%s%s%s%s\n", "verdict", terminal_begin(out, style), verdict_name(result->verdict),
            terminal_end(out, style), clause_gap(rows.rows), rows.rows->clause);
    if (claim_result_changed(result))
        print_field(out, "recorded", verdict_name(result->recorded), width);
    print_field(out, "direction", result->direction, width);
    print_field(out, "stand-in", result->stand_in, width);
    print_field(out, "reason", result->why, width);
    print_example(result, "holds", "holds_in", out, width);
    print_example(result, "fails", "fails_in", out, width);
    print_field(out, "explained", result->explained, width);
    for (int a = 0; a < result->assumption_count; a++) {
        const struct trace_parameter *one = &result->assumptions[a];
        AUTO_FREE char *text =
            text_format("%s = %s (%s to %s): %s", one->path, one->value, one->low, one->high, one->why);
        print_field(out, a ? "" : "assumed", text, width);
    }
    AUTO_FREE char *traces = text_format("%d, of %s", result->trace_count, result->experiment);
    if (result->trace_count)
        print_field(out, "traces", traces, width);
    fprintf(out, "  %-11s", "repeat");
    print_command(result->command, out);
    headlines_free(&rows);
}
