/* The verdicts that files of claims have recorded, counted. */
#include "base/memory.h"
#include "claim/claim_file.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = VERDICT_COUNT, COLUMNS }; /* NONE: no verdict is recorded */

/* A machine without, and with, an OpenCL GPU. */
struct row {
    char *paper;
    int claims, counts[2][COLUMNS];
};

static int row_read(const char *file, struct row *row) {
    AUTO(claim_file_free) struct claim_file claims;
    const int status = claim_file_read(file, &claims);
    *row = (struct row){.paper = text_copy(status ? "" : claims.paper), .claims = claims.count};
    for (int c = 0; c < claims.count; c++)
        for (int gpu = 0; gpu < 2; gpu++)
            row->counts[gpu][claims.claims[c].recorded[gpu].is_given ? claims.claims[c].recorded[gpu].verdict : NONE]++;
    return status;
}

static void row_write(const struct row *row, int gpu, const bool shown[COLUMNS], FILE *out) {
    fprintf(out, "| %s%s | %d |", row->paper, gpu ? ", with a GPU" : "", row->claims);
    for (int c = 0; c < COLUMNS; c++)
        if (shown[c])
            fprintf(out, " %d |", row->counts[gpu][c]);
    fputc('\n', out);
}

int claims_write_recorded(const char *const *files, int count, FILE *out) {
    AUTO_FREE struct row *rows = memory_new((size_t)count, sizeof *rows);
    bool shown[COLUMNS] = {false};
    int status = STATUS_OK, columns = 2;
    for (int f = 0; f < count; f++) {
        status = row_read(files[f], &rows[f]) ? STATUS_BAD : status;
        for (int c = 0; c < COLUMNS; c++)
            shown[c] = shown[c] || rows[f].counts[0][c] || rows[f].counts[1][c];
    }
    if (!status) {
        fprintf(out, "| paper | claims |");
        for (int c = 0; c < COLUMNS; c++)
            if (shown[c]) {
                fprintf(out, " %s |", c == NONE ? "none recorded" : verdict_name((enum verdict)c));
                columns++;
            }
        fprintf(out, "\n|");
        for (int c = 0; c < columns; c++)
            fprintf(out, " --- |");
        fputc('\n', out);
        for (int f = 0; f < count; f++) {
            row_write(&rows[f], 0, shown, out);
            if (memcmp(rows[f].counts[0], rows[f].counts[1], sizeof rows[f].counts[0]) != 0)
                row_write(&rows[f], 1, shown, out);
        }
    }
    for (int f = 0; f < count; f++)
        free(rows[f].paper);
    return status;
}
