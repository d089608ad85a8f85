#include "run/manifest.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/terminal.h"
#include "experiment/name.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7 };

static const char header[] = "id\tstatus\ttrace\tsample\tkey\tplan\treason\n";

/* A row's cells, in the header's order. */
static void row_cells(struct manifest_row *row, const char **cells[COLUMNS]) {
    const char **const all[COLUMNS] = {&row->id,  &row->status, &row->trace, &row->sample,
                                       &row->key, &row->plan,   &row->reason};
    memcpy(cells, all, sizeof all);
}

static void row_free(struct manifest_row *row) {
    const char **cells[COLUMNS];
    row_cells(row, cells);
    for (int c = 0; c < COLUMNS; ++c)
        free((char *)*cells[c]);
}

static struct manifest_row row_copy(struct manifest_row row) {
    const char **cells[COLUMNS];
    row_cells(&row, cells);
    for (int k = 0; k < COLUMNS; ++k) {
        char *copy = text_copy(*cells[k] && **cells[k] ? *cells[k] : "-");
        for (char *c = copy; *c; ++c)
            if (*c == '\t' || *c == '\n' || *c == '\r')
                *c = ' ';
        *cells[k] = copy;
    }
    return row;
}

void manifest_put(struct manifest *manifest, const struct manifest_row *row) {
    const struct manifest_row copy = row_copy(*row);
    for (int r = 0; r < manifest->count; ++r)
        if (!strcmp(manifest->rows[r].id, copy.id)) {
            row_free(&manifest->rows[r]);
            manifest->rows[r] = copy;
            return;
        }
    manifest->rows = memory_grow(manifest->rows, (size_t)manifest->count + 1, sizeof *manifest->rows);
    manifest->rows[manifest->count++] = copy;
}

void manifest_keep(struct manifest *manifest, bool (*is_kept)(void *context, const struct manifest_row *row),
                   void *context) {
    const int count = manifest->count;
    manifest->count = 0;
    for (int r = 0; r < count; ++r)
        if (is_kept(context, &manifest->rows[r]))
            manifest->rows[manifest->count++] = manifest->rows[r];
        else
            row_free(&manifest->rows[r]);
}

int manifest_open(const char *folder, const struct manifest_row *row, struct trace_data *out) {
    char *path = text_format("%s/%s", folder, row->trace);
    int status = trace_open(path, out);
    const char *key = status ? NULL : trace_run_note(out, "key");
    if (!status && (!key || strcmp(key, row->key) != 0)) {
        trace_close(out);
        status = fail("%s: this trace is not the one that runs.tsv was written for, as after a run that did not end; "
                      "run the experiment again",
                      path);
    }
    free(path);
    return status;
}

/* A trace lies beside its manifest: a name that leads elsewhere is somebody's attempt to have another file read. */
static const char *row_flaw(char *const cells[COLUMNS], int count, bool has_more) {
    if (count < COLUMNS || has_more)
        return "has not 7 cells";
    if (!name_is_run(cells[0]) || (strcmp(cells[2], "-") != 0 && !name_is_run(cells[2])))
        return "has an id or a trace with other characters than letters, digits and . = , + _ -";
    for (int c = 0; c < COLUMNS; ++c)
        if (!terminal_is_plain(cells[c]))
            return "has a control character";
    return NULL;
}

int manifest_read(const char *folder, struct manifest *manifest) {
    *manifest = (struct manifest){NULL, 0};
    char *path = text_format("%s/runs.tsv", folder), *text = NULL;
    int status = STATUS_OK;
    if (file_exists(path) && !(status = file_read(path, &text))) {
        if (strncmp(text, header, strlen(header)) != 0)
            status = fail_at((struct place){path, 1, 1}, "this is no manifest of runs; remove it, and run again");
        int line_number = 1;
        char *rest = status ? NULL : text + strlen(header), *line;
        while (!status && (line = strsep(&rest, "\n")) && *line) {
            char *cells[COLUMNS] = {NULL};
            int count = 0;
            ++line_number;
            while (line && count < COLUMNS)
                cells[count++] = strsep(&line, "\t");
            const char *flaw = row_flaw(cells, count, line != NULL);
            if (flaw)
                status = fail_at((struct place){path, line_number, 1},
                                 "this row %s, which springback never writes; remove the file, and run again", flaw);
            else
                manifest_put(manifest, &(struct manifest_row){cells[0], cells[1], cells[2], cells[3], cells[4],
                                                              cells[5], cells[6]});
        }
    }
    free(text);
    free(path);
    return status;
}

int manifest_write(const char *folder, const struct manifest *manifest, bool anew) {
    char *text = text_copy(header), *path = text_format("%s/runs.tsv", folder);
    for (int r = 0; r < manifest->count; ++r) {
        const struct manifest_row *row = &manifest->rows[r];
        text_append(&text, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", row->id, row->status, row->trace, row->sample, row->key,
                    row->plan, row->reason);
    }
    int status = anew ? file_write(path, text) : file_write_if_changed(path, text);
    free(text);
    free(path);
    return status;
}

void manifest_free(struct manifest *manifest) {
    for (int r = 0; r < manifest->count; ++r)
        row_free(&manifest->rows[r]);
    free(manifest->rows);
    *manifest = (struct manifest){NULL, 0};
}
