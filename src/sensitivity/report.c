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
    const bool is_sure = sensitivity_agreement(sensitivity) >= SENSITIVITY_SURE;
    const enum terminal_style style = is_sure ? TERMINAL_GOOD : TERMINAL_FAIR;
    char holds[64], interval[64];
    snprintf(holds, sizeof holds, "%d of %d (%.3g %%)", sensitivity->holding, sensitivity->members,
             100 * sensitivity->share);
    snprintf(interval, sizeof interval, "%.3g to %.3g %%", 100 * sensitivity->low, 100 * sensitivity->high);
    fprintf(out, "%-16s  %s%-20s%s  %-16s  ", verdict_name(sensitivity->verdicts[0]), terminal_begin(out, style), holds,
            terminal_end(out, style), interval);
    AUTO_FREE char *parting = parting_text(&sensitivity->parting);
    if (!*parting)
        fputs("nothing: all are alike", out);
    else
        fprintf(out, "%s (purity %.3g %%%s)", parting, 100 * sensitivity->parting.purity,
                sensitivity->parting.chance < 0.05 ? "" : "; it may be chance");
    if (sensitivity->without)
        fprintf(out, "; %d without a verdict", sensitivity->without);
}

void sweep_report_print(const struct sweep_report *report, FILE *out) {
    const int width = longest_id(report);
    if (!report->count) {
        fprintf(out,
                "  no claim is about it; the members' values are in sensitivity.tsv, their series in their traces\n");
        return;
    }
    fprintf(out, "  %-*s  %-16s  %-20s  %-16s  %s\n", width, "claim", "as taken", "holds in", "95 % interval",
            "hangs most on");
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
                             sensitivity->left_out ? json_null() : json_string(verdict_name(sensitivity->verdicts[0])),
                             "sensitivity", sensitivity_json(sensitivity)),
                   out);
    }
}

/* "-" for NULL and "". */
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
    for (int p = 0; p < set->table.path_count; ++p)
        put_cell(file, set->table.paths[p]);
    for (int i = 0; i < report->count; ++i)
        if (!report->items[i].sensitivity->left_out) {
            put_cell(file, report->items[i].claim->id);
            fprintf(file, "\t%s holds", report->items[i].claim->id);
        }
    fputc('\n', file);
    for (int m = 0; m < set->count; ++m) {
        fprintf(file, "%d", set->members[m].number);
        for (int p = 0; p < set->table.path_count; ++p)
            put_cell(file, set->members[m].texts[p]);
        for (int i = 0; i < report->count; ++i) {
            const struct sensitivity *sensitivity = report->items[i].sensitivity;
            if (sensitivity->left_out)
                continue;
            const bool is_judged = sensitivity->verdicts[m] != VERDICT_NOT_RUN;
            put_cell(file, sensitivity->measured[m]);
            put_cell(file, !is_judged ? "" : verdict_holds(sensitivity->verdicts[m]) ? "yes" : "no");
        }
        fputc('\n', file);
    }
    return fclose(file) ? fail("%s: out of memory", path) : file_write_if_changed(path, text);
}
