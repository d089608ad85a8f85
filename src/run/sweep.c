#include "run/sweep.h"

#include "base/file.h"
#include "base/memory.h"
#include "run/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char generation[] = "1"; /* changes when the way of drawing members changes */
static const char head[] = "# sensitivity ", last_cell[] = "passed_over";

enum { HEAD_ROWS = 3 };
static const char *const head_rows[HEAD_ROWS] = {"member", "low", "high"};

char *sweep_folder(const char *out, const char *experiment) {
    return text_format("%s/%s/sensitivity", out, experiment);
}

char *sweep_member_folder(const char *sweep, int member) {
    return text_format("%s/%04d", sweep, member);
}

int sweep_member_of(const char *entry) {
    const bool is_number = strlen(entry) == 4 && strspn(entry, "0123456789") == 4;
    return is_number ? (int)strtol(entry, NULL, 10) : -1;
}

static bool has_row(const struct manifest *manifest, const char *digest, const char *id) {
    for (int r = 0; r < manifest->count; ++r)
        if (!strcmp(manifest->rows[r].result_digest, digest) && (!id || !strcmp(manifest->rows[r].id, id)))
            return true;
    return false;
}

bool sweep_member_ended(const char *folder, const char *digest, const struct plan *plan) {
    AUTO(manifest_free) struct manifest manifest;
    const struct failure_mark mark = failure_mark();
    if (manifest_read(folder, &manifest))
        failure_rewind(mark); /* a later read reports it */
    bool ended = has_row(&manifest, digest, NULL);
    for (int r = 0; plan && r < plan->run_count && ended; ++r)
        ended = has_row(&manifest, digest, plan->runs[r].id);
    return ended;
}

void sweep_digest(const struct plan *plan, char out[DIGEST_SIZE]) {
    const struct experiment *experiment = &plan->experiment;
    struct digest *digest = digest_create();
    digest_add_text(digest, generation);
    digest_add_text(digest, plan->digest);
    for (int a = 0; a < experiment->assumption_count; ++a) {
        const struct assumption *assumption = &experiment->assumptions[a];
        digest_add_text(digest, assumption->field->path);
        digest_add_text(digest, assumption->value.text);
        for (int kind = 0; kind < RANGE_COUNT; ++kind)
            for (int v = 0; v < assumption->ranges[kind].count; ++v)
                digest_add_text(digest, assumption->ranges[kind].values[v].text);
    }
    digest_finish(digest, out);
}

static void put_cell(FILE *file, const char *text, char end) {
    AUTO_FREE char *cell = text_cell(text);
    fprintf(file, "%s%c", cell, end);
}

int sweep_members_write(const char *sweep, const struct experiment *experiment, const char *digest,
                        const struct value *values, char *const *reasons, int count) {
    AUTO_FREE char *text = NULL, *path = text_format("%s/members.tsv", sweep);
    const struct assumption *assumptions = experiment->assumptions;
    const int columns = experiment->assumption_count;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    fprintf(file, "%s%s\n", head, digest);
    for (int row = 0; row < HEAD_ROWS; ++row) {
        put_cell(file, head_rows[row], '\t');
        for (int a = 0; a < columns; ++a) {
            const struct value_range *range = &assumptions[a].ranges[RANGE_LIKELY];
            const char *const texts[] = {assumptions[a].field->path, range->values[0].text,
                                         range->values[range->is_interval].text};
            put_cell(file, texts[row], '\t');
        }
        put_cell(file, row ? "-" : last_cell, '\n');
    }
    for (int m = 0; m < count; ++m) {
        fprintf(file, "%d\t", m);
        for (int a = 0; a < columns; ++a)
            put_cell(file, values[m * columns + a].text, '\t');
        put_cell(file, reasons[m] ? reasons[m] : "-", '\n');
    }
    return fclose(file) ? fail("%s: out of memory", path) : file_write_if_changed(path, text);
}

/* Split the next line into its first cell, which is returned, and `count` more. NULL if there are more or fewer. */
static char *take_row(char **rest, char **cells, int count) {
    char *line = strsep(rest, "\n"), *name = line ? strsep(&line, "\t") : NULL;
    for (int c = 0; c < count; ++c)
        if (!(cells[c] = strsep(&line, "\t")))
            return NULL;
    return line ? NULL : name;
}

/* Parse the table's text. Returns whether it is one. */
static bool take_rows(struct sweep_members *out) {
    char *rest = out->text, *line = strsep(&rest, "\n");
    if (strncmp(line, head, strlen(head)) != 0 || strlen(line) != strlen(head) + DIGEST_SIZE - 1 || !rest)
        return false;
    memcpy(out->digest, line + strlen(head), DIGEST_SIZE);
    int columns = 0; /* behind the first one */
    for (const char *c = rest; *c && *c != '\n'; ++c)
        columns += *c == '\t';
    if (columns < 2)
        return false;
    char ***const rows[] = {&out->paths, &out->low, &out->high};
    for (int r = 0; r < HEAD_ROWS; ++r) {
        *rows[r] = memory_new((size_t)columns, sizeof **rows[r]);
        const char *name = take_row(&rest, *rows[r], columns);
        if (!name || strcmp(name, head_rows[r]) != 0)
            return false;
    }
    out->path_count = columns - 1;
    AUTO_FREE char **cells = memory_new((size_t)columns, sizeof *cells);
    bool good = !strcmp(out->paths[columns - 1], last_cell);
    while (good && rest && *rest) {
        char *end, *name = take_row(&rest, cells, columns);
        good = name && *name && strtol(name, &end, 10) == out->count && !*end && out->count < MAX_SWEEP_MEMBERS;
        if (!good)
            break;
        const size_t room = (size_t)out->count + 1, width = (size_t)out->path_count;
        out->skipped = memory_grow(out->skipped, room, sizeof *out->skipped);
        out->values = memory_grow(out->values, room * width, sizeof *out->values);
        memcpy(out->values + (room - 1) * width, cells, width * sizeof *cells);
        out->skipped[out->count++] = strcmp(cells[columns - 1], "-") != 0;
    }
    return good && out->count > 0 && !out->skipped[0];
}

int sweep_members_read(const char *sweep, struct sweep_members *out) {
    *out = (struct sweep_members){.count = 0};
    AUTO_FREE char *path = text_format("%s/members.tsv", sweep);
    int status = file_exists(path) ? file_read(path, &out->text) : STATUS_OK;
    if (!status && out->text && !take_rows(out)) {
        sweep_members_free(out);
        status = fail(
            "%s: this is not a table of a sweep's members; remove the file and run springback sensitivity again", path);
    }
    return status;
}

void sweep_members_free(struct sweep_members *members) {
    free(members->paths);
    free(members->low);
    free(members->high);
    free(members->values);
    free(members->skipped);
    free(members->text);
    *members = (struct sweep_members){.count = 0};
}
