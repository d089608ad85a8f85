#include "run/manifest.h"

#include "base/file.h"
#include "base/terminal.h"
#include "experiment/name.h"

#include <stdlib.h>
#include <string.h>

enum { ID, STATUS, TRACE, KEY, PLAN, REASON, PARAMETERS, COLUMNS };

static const char header[] = "id\tstatus\ttrace\tkey\tplan\treason\tparameters";

static const char *const status_words[RUN_STATUSES] = {
    [RUN_WHOLE] = "whole",     [RUN_DIVERGED] = "diverged",       [RUN_FAILED] = "failed",
    [RUN_MISSING] = "missing", [RUN_INTERRUPTED] = "interrupted", [RUN_PENDING] = "pending",
};

const char *run_status_word(enum run_status status) {
    return status_words[status];
}

bool run_has_trace(enum run_status status) {
    return status == RUN_WHOLE || status == RUN_DIVERGED;
}

/* The status with this word; RUN_STATUSES if a manifest cannot have this word. */
static enum run_status status_of(const char *word) {
    enum run_status status = RUN_WHOLE;
    while (status <= RUN_MISSING && strcmp(word, status_words[status]) != 0)
        ++status;
    return status <= RUN_MISSING ? status : RUN_STATUSES;
}

/* The member of a row that has the text of a column; NULL for the status, which is not stored as a text. */
static const char **cell_of(struct manifest_row *row, int column) {
    const char **const cells[COLUMNS] = {&row->id,   NULL,         &row->trace,     &row->key,
                                         &row->plan, &row->reason, &row->parameters};
    return cells[column];
}

void manifest_put(struct manifest *manifest, const struct manifest_row *row) {
    struct manifest_row copy = *row;
    for (int c = 0; c < COLUMNS; ++c) {
        const char **cell = cell_of(&copy, c);
        if (cell)
            *cell = pool_add(&manifest->pool, text_cell(*cell && **cell ? *cell : "-"));
    }
    int r = 0;
    while (r < manifest->count && strcmp(manifest->rows[r].id, copy.id) != 0)
        ++r;
    *(r < manifest->count ? &manifest->rows[r] : ARRAY_ADD(manifest->rows, manifest->count)) = copy;
}

void manifest_remove(struct manifest *manifest, int r) {
    memmove(&manifest->rows[r], &manifest->rows[r + 1], (size_t)(--manifest->count - r) * sizeof *manifest->rows);
}

int manifest_open(const char *folder, struct trace_index *index, const struct manifest_row *row,
                  struct trace_data *out) {
    if (trace_index_read(index, folder, row->trace, out))
        return STATUS_BAD;
    if (!strcmp(trace_run_text(out, "key"), row->key))
        return STATUS_OK;
    trace_close(out);
    return fail("%s/%s: this trace does not belong to runs.tsv, which has another key for it; run the experiment again",
                folder, row->trace);
}

/* What is wrong with a row's cells, or NULL. A trace must be a file name without a folder, because a path could refer
 * to any file. */
static const char *row_flaw(char *const cells[COLUMNS], int count, bool has_more) {
    if (count < COLUMNS || has_more)
        return "does not have 7 cells";
    if (!name_is_run(cells[ID]) || (strcmp(cells[TRACE], "-") != 0 && !name_is_run(cells[TRACE])))
        return "has an id or a trace with a character that is not a letter, a digit or one of . = , + _ -";
    if (status_of(cells[STATUS]) == RUN_STATUSES)
        return "has a status that is not whole, diverged, failed or missing";
    for (int c = 0; c < COLUMNS; ++c)
        if (!terminal_is_plain(cells[c]))
            return "has a control character";
    return NULL;
}

/* Read a row from a line. Returns what is wrong with the line, or NULL. Modifies the line. */
static const char *row_read(char *line, struct manifest *manifest) {
    char *cells[COLUMNS] = {NULL};
    struct manifest_row row = {.id = NULL};
    int count = 0;
    while (line && count < COLUMNS)
        cells[count++] = strsep(&line, "\t");
    const char *flaw = row_flaw(cells, count, line != NULL);
    if (flaw)
        return flaw;
    row.status = status_of(cells[STATUS]);
    for (int c = 0; c < COLUMNS; ++c)
        if (c != STATUS)
            *cell_of(&row, c) = cells[c];
    manifest_put(manifest, &row);
    return NULL;
}

int manifest_read(const char *folder, struct manifest *manifest) {
    *manifest = (struct manifest){.count = 0};
    AUTO_FREE char *path = text_format("%s/runs.tsv", folder), *text = NULL;
    int status = file_exists(path) ? file_read(path, &text) : STATUS_OK;
    char *rest = text, *line = strsep(&rest, "\n");
    if (line && strcmp(line, header) != 0)
        status = fail_at((struct place){path, 1, 1}, "this is not a manifest; remove the file and run again");
    for (int number = 2; !status && (line = strsep(&rest, "\n")) && *line; ++number) {
        const char *flaw = row_read(line, manifest);
        if (flaw)
            status = fail_at((struct place){path, number, 1}, "this row %s; remove the file and run again", flaw);
    }
    return status;
}

int manifest_write(const char *folder, const struct manifest *manifest, bool always_write) {
    AUTO_FREE char *text = text_format("%s\n", header), *path = text_format("%s/runs.tsv", folder);
    for (int r = 0; r < manifest->count; ++r) {
        const struct manifest_row *row = &manifest->rows[r];
        text_append(&text, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", row->id, run_status_word(row->status), row->trace, row->key,
                    row->plan, row->reason, row->parameters);
    }
    return always_write ? file_write(path, text) : file_write_if_changed(path, text);
}

void manifest_free(struct manifest *manifest) {
    pool_free(&manifest->pool);
    free(manifest->rows);
    *manifest = (struct manifest){.count = 0};
}
