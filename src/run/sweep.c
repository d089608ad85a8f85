#include "run/sweep.h"

#include "base/file.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char generation[] = "1"; /* a change of how members are drawn is a new one */
static const char head[] = "# sensitivity ", first_cell[] = "member\t";

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

void sweep_digest(const struct plan *plan, char out[DIGEST_SIZE]) {
    const struct experiment *experiment = &plan->experiment;
    struct digest *digest = digest_create();
    digest_add_text(digest, generation);
    digest_add_text(digest, plan->digest);
    for (int a = 0; a < experiment->assumption_count; ++a) {
        const struct assumption *assumption = &experiment->assumptions[a];
        digest_add_text(digest, assumption->field->path);
        digest_add_text(digest, assumption->value.text);
        digest_add_text(digest, assumption->low.text);
        digest_add_text(digest, assumption->high.text);
        for (int s = 0; s < assumption->sample_count && !assumption->value.count; ++s)
            digest_add_text(digest, assumption->samples[s].text);
    }
    digest_finish(digest, out);
}

/* A cell and what follows it; what would end a cell becomes a space. */
static void put_cell(FILE *file, const char *text, char end) {
    for (; *text; ++text)
        fputc(*text == '\t' || *text == '\n' || *text == '\r' ? ' ' : *text, file);
    fputc(end, file);
}

int sweep_members_write(const char *sweep, const struct experiment *experiment, const char *digest,
                        const struct value *values, char *const *reasons, int count) {
    char *text = NULL, *path = text_format("%s/members.tsv", sweep);
    size_t size;
    FILE *file = open_memstream(&text, &size);
    fprintf(file, "%s%s\n%s", head, digest, first_cell);
    for (int a = 0; a < experiment->assumption_count; ++a)
        fprintf(file, "%s\t", experiment->assumptions[a].field->path);
    fputs("passed_over\n", file);
    for (int m = 0; m < count; ++m) {
        fprintf(file, "%d\t", m);
        for (int a = 0; a < experiment->assumption_count; ++a)
            put_cell(file, values[m * experiment->assumption_count + a].text, '\t');
        put_cell(file, reasons[m] ? reasons[m] : "-", '\n');
    }
    int status = fclose(file) ? fail("%s: out of memory", path) : file_write_if_changed(path, text);
    free(text);
    free(path);
    return status;
}

int sweep_members_read(const char *sweep, struct sweep_members *out) {
    *out = (struct sweep_members){.count = 0};
    char *path = text_format("%s/members.tsv", sweep), *text = NULL;
    int status = STATUS_OK;
    if (file_exists(path) && !(status = file_read(path, &text))) {
        char *rest = text, *line = strsep(&rest, "\n");
        const bool is_headed = !strncmp(line, head, strlen(head)) && strlen(line) == strlen(head) + DIGEST_SIZE - 1;
        if (is_headed)
            memcpy(out->digest, line + strlen(head), DIGEST_SIZE);
        line = is_headed ? strsep(&rest, "\n") : NULL;
        bool good = line && !strncmp(line, first_cell, strlen(first_cell));
        while (good && (line = strsep(&rest, "\n")) && *line) {
            char *end;
            const char *last = strrchr(line, '\t');
            good = strtol(line, &end, 10) == out->count && *end == '\t' && out->count < SWEEP_MOST;
            out->passed = memory_grow(out->passed, (size_t)out->count + 1, sizeof *out->passed);
            out->passed[out->count++] = last && strcmp(last, "\t-") != 0;
        }
        if (!good) {
            status = fail("%s: this is no table of a sweep's members; remove it, and run springback sensitivity again",
                          path);
            sweep_members_free(out);
        }
    }
    free(text);
    free(path);
    return status;
}

void sweep_members_free(struct sweep_members *members) {
    free(members->passed);
    *members = (struct sweep_members){.count = 0};
}
