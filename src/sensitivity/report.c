#include "base/file.h"
#include "base/memory.h"
#include "base/terminal.h"
#include "claim/evaluate.h"
#include "sensitivity/sweeper.h"

#include <stdlib.h>
#include <string.h>

/* ---- For people ---- */

static int longest_id(const struct sweep_report *report) {
    int width = (int)strlen("claim");
    for (int i = 0; i < report->count; ++i) {
        const int length = (int)strlen(report->items[i].claim->id);
        width = length > width ? length : width;
    }
    return width;
}

static void print_judged(const struct sensitivity *sensitivity, FILE *out) {
    static const enum terminal_style styles[VERDICT_COUNT] = {
        [VERDICT_MATCHES] = TERMINAL_GOOD, [VERDICT_WITHIN] = TERMINAL_GOOD,    [VERDICT_SHAPE_ONLY] = TERMINAL_FAIR,
        [VERDICT_DEPENDS] = TERMINAL_FAIR, [VERDICT_NOT_SWEPT] = TERMINAL_FAIR, [VERDICT_DIFFERS] = TERMINAL_BAD};
    AUTO_FREE char *count = sensitivity_count_text(sensitivity), *split = split_text(&sensitivity->split);
    fprintf(out, "%s%-16s%s  holds %s", terminal_begin(out, styles[sensitivity->verdict]),
            verdict_name(sensitivity->verdict), terminal_end(out, styles[sensitivity->verdict]), count);
    if (*split && sensitivity->split.chance < 0.05)
        fprintf(out, "; depends most on %s", split);
}

void sweep_report_print(const struct sweep_report *report, FILE *out) {
    const int width = longest_id(report);
    if (!report->count) {
        fprintf(out, "  no claim is about this experiment; the members' values are in sensitivity.tsv\n");
        return;
    }
    for (int i = 0; i < report->count; ++i) {
        const struct sensitivity *sensitivity = report->items[i].sensitivity;
        fprintf(out, "  %-*s  ", width, report->items[i].claim->id);
        if (sensitivity->left_out)
            fprintf(out, "left out: %s", sensitivity->left_out);
        else
            print_judged(sensitivity, out);
        fputc('\n', out);
    }
}

/* ---- For programs ---- */

void sweep_report_json(const struct sweep_report *report, FILE *out) {
    for (int i = 0; i < report->count; ++i) {
        const struct sweep_item *item = &report->items[i];
        const struct sensitivity *sensitivity = item->sensitivity;
        json_print(json_pack("{so so so so so}", "experiment", json_text(report->experiment), "claim",
                             json_text(item->claim->id), "says", json_text(item->claim->says), "verdict",
                             sensitivity->left_out ? json_null() : json_string(verdict_name(sensitivity->verdict)),
                             "sensitivity", sensitivity_json(sensitivity, &report->set)),
                   out);
    }
}

/* Write a tab and a cell; NULL and "" become "-". */
static void put_cell(FILE *file, const char *text) {
    AUTO_FREE char *cell = text_cell(text && *text ? text : "-");
    fprintf(file, "\t%s", cell);
}

int sweep_report_write(const struct sweep_report *report, const char *folder) {
    const struct member_set *set = &report->set;
    AUTO_FREE char *text = NULL, *path = text_format("%s/sensitivity.tsv", folder);
    size_t size;
    FILE *file = open_memstream(&text, &size);
    fputs("member", file);
    for (int p = 0; p < set->table.assumption_count; ++p)
        put_cell(file, set->table.assumptions[p].path);
    for (int i = 0; i < report->count; ++i)
        if (!report->items[i].sensitivity->left_out) {
            put_cell(file, report->items[i].claim->id);
            fprintf(file, "\t%s holds", report->items[i].claim->id);
        }
    fputc('\n', file);
    for (int m = 0; m < set->count; ++m) {
        fprintf(file, "%s %d", member_kind_name(set->members[m].member->kind), set->members[m].member->number);
        for (int p = 0; p < set->table.assumption_count; ++p)
            put_cell(file, set->members[m].member->values[p]);
        for (int i = 0; i < report->count; ++i) {
            const struct sensitivity *sensitivity = report->items[i].sensitivity;
            if (sensitivity->left_out)
                continue;
            const bool is_judged = sensitivity->verdicts[m] != VERDICT_NOT_RUN;
            AUTO_FREE char *measured = sensitivity_measured(sensitivity, set, m, sensitivity->shown[m]);
            put_cell(file, measured);
            put_cell(file, set->members[m].rejection ? "rejected"
                           : !is_judged              ? ""
                           : sensitivity->holds[m]   ? "yes"
                                                     : "no");
        }
        fputc('\n', file);
    }
    return fclose(file) ? fail("%s: out of memory", path) : file_write_if_changed(path, text);
}
