#include "run/manifest.h"

#include "base/file.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 5 };

static const char header[] = "id\tstatus\ttrace\tsample\treason\n";

static void row_free(struct manifest_row *row) {
    free(row->id);
    free(row->status);
    free(row->trace);
    free(row->sample);
    free(row->reason);
}

static char *cell(const char *text) {
    char *copy = text_copy(*text ? text : "-");
    for (char *c = copy; *c; ++c)
        if (*c == '\t' || *c == '\n' || *c == '\r')
            *c = ' ';
    return copy;
}

void manifest_put(struct manifest *manifest, const char *id, const char *status, const char *trace, const char *sample,
                  const char *reason) {
    const struct manifest_row row = {cell(id), cell(status), cell(trace), cell(sample), cell(reason)};
    for (int r = 0; r < manifest->count; ++r)
        if (!strcmp(manifest->rows[r].id, row.id)) {
            row_free(&manifest->rows[r]);
            manifest->rows[r] = row;
            return;
        }
    manifest->rows = memory_grow(manifest->rows, (size_t)manifest->count + 1, sizeof *manifest->rows);
    manifest->rows[manifest->count++] = row;
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
            if (count < COLUMNS || line)
                status = fail_at((struct place){path, line_number, 1},
                                 "a row has %d cells; remove the file, and run "
                                 "again",
                                 COLUMNS);
            else
                manifest_put(manifest, cells[0], cells[1], cells[2], cells[3], cells[4]);
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
        char *longer =
            text_format("%s%s\t%s\t%s\t%s\t%s\n", text, row->id, row->status, row->trace, row->sample, row->reason);
        free(text);
        text = longer;
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
