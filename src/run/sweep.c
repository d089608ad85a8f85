#include "run/sweep.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "experiment/run.h"
#include "experiment/sample.h"

#include <errno.h>
#include <lzma.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char generation[] = "2"; /* a part of the digest; must change if the program chooses members differently */
static const char head[] = "springback-sweep", version[] = "2";
static const char *const kind_names[] = {"likely", "possible", "noise", "search"};

/* Limits for a table from an untrusted source: bytes of its text, bytes of memory for unpacking, and items of each kind
 * (assumptions, runs, notes, ...). */
enum { MAX_TEXT = 1 << 28, MAX_MEMORY = 1 << 27, MAX_ITEMS = 100000 };

const char *member_kind_name(enum member_kind kind) {
    return kind_names[kind];
}

char *sweep_path(const char *folder, const char *experiment) {
    return text_format("%s/%s.tsv.xz", folder, experiment);
}

char *sweep_folder(const char *out, const char *experiment) {
    return text_format("%s/%s/sensitivity", out, experiment);
}

char *sweep_member_folder(const char *sweep, enum member_kind kind, int number) {
    return text_format("%s/%c%04d", sweep, kind_names[kind][0], number);
}

bool sweep_is_member(const char *entry) {
    return strlen(entry) == 5 && strchr("lpns", *entry) && strspn(entry + 1, "0123456789") == 4;
}

char *sweep_part_path(const char *sweep, int shard, int shards) {
    return shards ? text_format("%s/members-%d-of-%d.tsv", sweep, shard, shards) : text_format("%s/members.tsv", sweep);
}

char *sweep_first_part_path(const char *sweep) {
    return text_format("%s/members-0.tsv", sweep);
}

bool sweep_is_part(const char *entry) {
    static const char beginning[] = "members";
    return !strncmp(entry, beginning, strlen(beginning)) && text_ends(entry, ".tsv");
}

void sweep_digest(const struct plan *plan, char out[DIGEST_SIZE]) {
    const struct experiment *experiment = &plan->experiment;
    struct digest *digest = digest_create();
    digest_add_text(digest, generation);
    digest_add_text(digest, plan->digest);
    for (int a = 0; a < experiment->assumption_count; ++a) {
        const struct assumption *assumption = &experiment->assumptions[a];
        /* plan->digest covers the value of an assumption that does not vary. */
        if (!assumption_varies(assumption, RANGE_POSSIBLE))
            continue;
        digest_add_text(digest, assumption->field->path);
        digest_add_text(digest, assumption->value.text);
        for (int kind = 0; kind < RANGE_COUNT; ++kind) {
            AUTO_FREE char *range = range_text(&assumption->ranges[kind]);
            digest_add_text(digest, range);
        }
        digest_add_words(digest, &assumption->dimension, sizeof assumption->dimension, 1);
    }
    digest_finish(digest, out);
}

const struct sweep_member *sweep_member(const struct sweep_table *table, enum member_kind kind, int number) {
    for (int m = 0; m < table->member_count; ++m)
        if (table->members[m].kind == kind && table->members[m].number == number)
            return &table->members[m];
    return NULL;
}

int sweep_searched_runs(const struct sweep_table *table, const char *claim) {
    for (int s = 0; s < table->searched_count; ++s)
        if (!strcmp(table->searched[s].claim, claim))
            return table->searched[s].runs;
    return 0;
}

void sweep_note_searched(struct sweep_table *table, const char *claim, int runs) {
    int s = 0;
    while (s < table->searched_count && strcmp(table->searched[s].claim, claim) != 0)
        ++s;
    if (s < table->searched_count)
        table->searched[s].runs = runs;
    else
        *ARRAY_ADD(table->searched, table->searched_count) = (struct sweep_searched){claim, runs};
}

/* ---- Writing ---- */

enum { NUMBER_TEXT = 32 };

static void number_write(double number, char out[NUMBER_TEXT]) {
    /* Five digits suffice, because sweep_member.digest covers all bits of the final states. */
    if (isnan(number))
        snprintf(out, NUMBER_TEXT, "nan");
    else
        snprintf(out, NUMBER_TEXT, "%.5g", number);
}

float sweep_number(double number) {
    char text[NUMBER_TEXT];
    number_write((double)(float)number, text);
    return isfinite(number) ? (float)strtod(text, NULL) : (float)number;
}

static void put(char **text, const char *cell) {
    AUTO_FREE char *clean = text_cell(cell);
    text_append(text, "\t%s", *clean ? clean : "-");
}

static char *head_text(const struct sweep_table *table) {
    char *text = text_format("%s\t%s", head, version);
    put(&text, table->experiment);
    put(&text, table->tier);
    text_append(&text, "\t%s\n", table->digest);
    for (int a = 0; a < table->assumption_count; ++a) {
        const struct sweep_assumption *assumption = &table->assumptions[a];
        text_append(&text, "assumption");
        put(&text, assumption->path);
        put(&text, assumption->unit);
        put(&text, assumption->likely);
        put(&text, assumption->possible);
        text_append(&text, "\n");
    }
    for (int r = 0; r < table->run_count; ++r) {
        const struct sweep_run *run = &table->runs[r];
        text_append(&text, "run\t%s\n", run->id);
        for (int n = 0; n < run->note_count; ++n) {
            text_append(&text, "note\t%s", run->notes[n].name);
            put(&text, run->notes[n].value);
            text_append(&text, "\n");
        }
        for (int p = 0; p < run->parameter_count; ++p) {
            const struct trace_parameter *parameter = &run->parameters[p];
            text_append(&text, "parameter\t%s", parameter->path);
            put(&text, parameter->value);
            put(&text, parameter->unit);
            put(&text, parameter->origin);
            text_append(&text, "\n");
        }
    }
    for (int c = 0; c < table->column_count; ++c)
        text_append(&text, "column\t%s\t%s\t%s\n", table->columns[c].quantity, table->columns[c].reduction,
                    table->columns[c].unit);
    for (int s = 0; s < table->searched_count; ++s) {
        text_append(&text, "searched");
        put(&text, table->searched[s].claim);
        text_append(&text, "\t%d\n", table->searched[s].runs);
    }
    return text;
}

static void write_number(FILE *file, float value) {
    char number[NUMBER_TEXT];
    number_write((double)value, number);
    fprintf(file, "\t%s", number);
}

static void write_member(FILE *file, const struct sweep_table *table, const struct sweep_member *member,
                         bool has_numbers) {
    fprintf(file, "member\t%s\t%d\t%s", kind_names[member->kind], member->number,
            *member->digest ? member->digest : "-");
    for (int a = 0; a < table->assumption_count; ++a)
        fprintf(file, "\t%s", *member->values[a] ? member->values[a] : "-");
    fputc('\n', file);
    for (int r = 0; r < table->run_count && *member->digest; ++r) {
        fprintf(file, "row\t%s", member->status[r]);
        for (int c = 0; c < table->column_count && has_numbers; ++c)
            write_number(file, sweep_numbers(table, member, r)[c]);
        fputc('\n', file);
    }
}

/* Write the numbers of all members, sorted by column and run. The compressed file is smaller if similar numbers are
 * next to each other. */
static void write_numbers(FILE *file, const struct sweep_table *table) {
    for (int c = 0; c < table->column_count; ++c)
        for (int r = 0; r < table->run_count; ++r) {
            fputs("numbers", file);
            for (int m = 0; m < table->member_count; ++m)
                if (*table->members[m].digest)
                    write_number(file, sweep_numbers(table, &table->members[m], r)[c]);
            fputc('\n', file);
        }
}

int sweep_append(const char *path, const struct sweep_table *table, const struct sweep_member *member) {
    const bool is_new = !file_exists(path);
    FILE *file = fopen(path, "a");
    if (!file)
        return fail("%s: %s", path, strerror(errno));
    if (is_new) {
        AUTO_FREE char *text = head_text(table);
        fputs(text, file);
    }
    write_member(file, table, member, true);
    const bool is_bad = ferror(file);
    return fclose(file) || is_bad ? fail("%s: %s", path, strerror(errno)) : STATUS_OK;
}

static int by_kind_and_number(const void *a, const void *b) {
    const struct sweep_member *x = a, *y = b;
    return x->kind != y->kind ? (int)x->kind - (int)y->kind : x->number - y->number;
}

int sweep_write(const char *path, const struct sweep_table *table) {
    AUTO_FREE char *text = head_text(table), *rows = NULL;
    size_t size;
    FILE *file = open_memstream(&rows, &size);
    qsort(table->members, (size_t)table->member_count, sizeof *table->members, by_kind_and_number);
    for (int m = 0; m < table->member_count; ++m)
        write_member(file, table, &table->members[m], false);
    write_numbers(file, table);
    if (fclose(file))
        return fail("%s: out of memory", path);
    AUTO_FREE char *whole = text_format("%s%s", text, rows);
    const size_t bytes = strlen(whole), capacity = lzma_stream_buffer_bound(bytes);
    AUTO_FREE uint8_t *packed = memory_new(capacity, 1);
    size_t used = 0;
    if (lzma_easy_buffer_encode(LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64, NULL, (const uint8_t *)whole, bytes, packed,
                                &used, capacity) != LZMA_OK)
        return fail("%s: the table cannot be compressed", path);
    struct file_draft draft;
    if (file_draft_begin(path, &draft))
        return STATUS_BAD;
    return file_draft_end(&draft, fwrite(packed, 1, used, draft.file) == used ? STATUS_OK : STATUS_BAD);
}

/* ---- Reading ---- */

struct table_reader {
    struct sweep_table *table;
    bool is_part;
    bool has_rows, has_bare_rows; /* a row with numbers was read; a row without numbers was read */
    char *rest;                   /* the cells of the line that are not read yet */
    int rows;                     /* rows read of the last member */
    int numbers;                  /* lines of numbers read */
};

/* The next cell of a line; NULL after the last. A cell "-" is returned as "". */
static const char *cell(struct table_reader *reader) {
    char *text = strsep(&reader->rest, "\t");
    return text && !strcmp(text, "-") ? "" : text;
}

static const char *kept_cell(struct table_reader *reader) {
    const char *text = cell(reader);
    return text ? pool_add(&reader->table->pool, text_copy(text)) : NULL;
}

static const char *read_head(struct table_reader *reader) {
    struct sweep_table *table = reader->table;
    const char *found = cell(reader), *experiment, *tier, *digest;
    if (table->experiment || !found || strcmp(found, version) != 0)
        return "expected one springback-sweep line of version 2";
    experiment = kept_cell(reader);
    tier = kept_cell(reader);
    digest = cell(reader);
    if (!digest || strlen(digest) != DIGEST_SIZE - 1)
        return "the digest is missing or has a wrong length";
    memcpy(table->digest, digest, DIGEST_SIZE);
    table->experiment = experiment;
    table->tier = tier;
    return NULL;
}

static const char *read_assumption(struct table_reader *reader) {
    struct sweep_assumption read = {.path = kept_cell(reader)};
    read.unit = kept_cell(reader);
    read.likely = kept_cell(reader);
    read.possible = kept_cell(reader);
    if (!read.possible || reader->table->run_count || reader->table->assumption_count >= MAX_ITEMS)
        return "a malformed or misplaced assumption";
    *ARRAY_ADD(reader->table->assumptions, reader->table->assumption_count) = read;
    return NULL;
}

static struct sweep_run *last_run(struct table_reader *reader) {
    struct sweep_table *table = reader->table;
    return table->run_count && !table->column_count ? &table->runs[table->run_count - 1] : NULL;
}

static const char *read_run(struct table_reader *reader) {
    const char *id = kept_cell(reader);
    if (!id || reader->table->column_count || reader->table->run_count >= MAX_ITEMS)
        return "a malformed or misplaced run";
    *ARRAY_ADD(reader->table->runs, reader->table->run_count) = (struct sweep_run){.id = id};
    return NULL;
}

static const char *read_note(struct table_reader *reader) {
    struct sweep_run *run = last_run(reader);
    struct trace_note read = {.name = kept_cell(reader)};
    read.value = kept_cell(reader);
    if (!run || !read.value || run->note_count >= MAX_ITEMS)
        return "a malformed or misplaced note";
    *ARRAY_ADD(run->notes, run->note_count) = read;
    return NULL;
}

static const char *read_parameter(struct table_reader *reader) {
    struct sweep_run *run = last_run(reader);
    struct trace_parameter read = {.path = kept_cell(reader)};
    read.value = kept_cell(reader);
    read.unit = kept_cell(reader);
    read.origin = kept_cell(reader);
    read.why = read.low = read.high = "";
    if (!run || !read.origin || run->parameter_count >= MAX_ITEMS)
        return "a malformed or misplaced parameter";
    *ARRAY_ADD(run->parameters, run->parameter_count) = read;
    return NULL;
}

static const char *read_column(struct table_reader *reader) {
    struct trace_reduction read = {.quantity = kept_cell(reader)};
    read.reduction = kept_cell(reader);
    read.unit = kept_cell(reader);
    if (!read.unit || reader->table->member_count || reader->table->column_count >= MAX_ITEMS)
        return "a malformed or misplaced column";
    *ARRAY_ADD(reader->table->columns, reader->table->column_count) = read;
    return NULL;
}

/* Read a number. Returns false if there is no next cell, or if the next cell is not a number. */
static bool read_number(struct table_reader *reader, float *out) {
    const char *text = cell(reader);
    double number = (double)NAN;
    if (!text)
        return false;
    const char *end = strcmp(text, "nan") ? number_read(text, &number) : "";
    if (!strcmp(text, "inf") || !strcmp(text, "-inf"))
        number = *text == '-' ? -INFINITY : INFINITY;
    else if (!end || *end)
        return false;
    *out = (float)number;
    return true;
}

/* Whether the last member has all its rows. */
static bool is_complete(const struct table_reader *reader) {
    const struct sweep_table *table = reader->table;
    return !table->member_count || reader->rows == table->run_count || !*table->members[table->member_count - 1].digest;
}

static const char *read_searched(struct table_reader *reader) {
    struct sweep_table *table = reader->table;
    const char *claim = kept_cell(reader), *runs = cell(reader);
    int count;
    if (!runs || !*claim || table->member_count || table->searched_count >= MAX_SWEEP_MEMBERS ||
        sweep_searched_runs(table, claim) || !whole_read(runs, 1, MAX_SWEEP_MEMBERS, &count))
        return "a malformed, misplaced or repeated searched claim";
    sweep_note_searched(table, claim, count);
    return NULL;
}

static const char *read_member(struct table_reader *reader) {
    struct sweep_table *table = reader->table;
    const char *kind = cell(reader), *number = cell(reader);
    const char *digest = kept_cell(reader);
    struct sweep_member member = {.digest = digest};
    char *end;
    if (!is_complete(reader))
        return "the previous member has too few rows";
    if (reader->numbers)
        return "a misplaced member";
    while (kind && member.kind < MEMBER_KINDS && strcmp(kind_names[member.kind], kind) != 0)
        ++member.kind;
    if (!digest || member.kind == MEMBER_KINDS || table->member_count >= MAX_SWEEP_MEMBERS * MEMBER_KINDS)
        return "a malformed member, or too many members";
    member.number = (int)strtol(number, &end, 10);
    if (*end || end == number || member.number < 0 || member.number >= MAX_SWEEP_MEMBERS ||
        sweep_member(table, member.kind, member.number))
        return "a wrong or repeated member number";
    if ((size_t)table->run_count * (size_t)table->column_count > (size_t)MAX_ITEMS * 100)
        return "too many numbers";
    const size_t runs = (size_t)table->run_count;
    member.values = pool_add(&table->pool, memory_new((size_t)table->assumption_count + 1, sizeof(const char *)));
    member.status = pool_add(&table->pool, memory_new(runs + 1, sizeof(const char *)));
    member.numbers = pool_add(&table->pool, memory_new(runs * (size_t)table->column_count + 1, sizeof *member.numbers));
    for (int a = 0; a < table->assumption_count; ++a)
        if (!(member.values[a] = kept_cell(reader)))
            return "too few values";
    *ARRAY_ADD(table->members, table->member_count) = member;
    reader->rows = 0;
    return NULL;
}

static const char *read_row(struct table_reader *reader) {
    struct sweep_table *table = reader->table;
    struct sweep_member *member = table->member_count ? &table->members[table->member_count - 1] : NULL;
    const char *status = kept_cell(reader);
    if (!member || !status || reader->rows >= table->run_count || !*member->digest)
        return "too many rows";
    *(reader->rest || reader->is_part ? &reader->has_rows : &reader->has_bare_rows) = true;
    if (reader->has_rows && reader->has_bare_rows)
        return "rows with numbers and rows without";
    for (int c = 0; c < table->column_count && reader->has_rows; ++c)
        if (!read_number(reader, &sweep_numbers(table, member, reader->rows)[c]))
            return "a number is missing, or a cell is not a number";
    member->status[reader->rows++] = status;
    return NULL;
}

/* How many lines of numbers are left to read. */
static int numbers_left(const struct table_reader *reader) {
    const struct sweep_table *table = reader->table;
    return reader->has_bare_rows ? table->run_count * table->column_count - reader->numbers : 0;
}

static const char *read_numbers(struct table_reader *reader) {
    struct sweep_table *table = reader->table;
    if (!is_complete(reader) || !numbers_left(reader))
        return "misplaced or too many numbers";
    const int run = reader->numbers % table->run_count, column = reader->numbers / table->run_count;
    for (int m = 0; m < table->member_count; ++m)
        if (*table->members[m].digest && !read_number(reader, &sweep_numbers(table, &table->members[m], run)[column]))
            return "a number is missing, or a cell is not a number";
    ++reader->numbers;
    return NULL;
}

static const struct {
    const char *name;
    const char *(*read)(struct table_reader *reader);
} lines[] = {{head, read_head},           {"assumption", read_assumption}, {"run", read_run},
             {"note", read_note},         {"parameter", read_parameter},   {"column", read_column},
             {"searched", read_searched}, {"member", read_member},         {"row", read_row},
             {"numbers", read_numbers}};

/* Read a line. Returns what is wrong with it, or NULL. */
static const char *read_line(struct table_reader *reader, char *line) {
    reader->rest = line;
    const char *name = cell(reader);
    for (size_t l = 0; l < sizeof lines / sizeof *lines; ++l)
        if (!strcmp(lines[l].name, name) && (l == 0 || reader->table->experiment)) {
            const char *flaw = lines[l].read(reader);
            return flaw ? flaw : reader->rest ? "too many cells" : NULL;
        }
    return "an unknown first word";
}

/* Unpack a file's bytes into a text. Newly allocated; the caller frees it. NULL if the bytes are damaged, or the text
 * is too long. */
static char *unpack(const uint8_t *bytes, size_t count) {
    for (size_t capacity = 1 << 22; capacity <= MAX_TEXT; capacity *= 4) {
        uint64_t memory = MAX_MEMORY;
        size_t in = 0, out = 0;
        char *text = memory_new(capacity + 1, 1);
        const lzma_ret found =
            lzma_stream_buffer_decode(&memory, 0, NULL, bytes, &in, count, (uint8_t *)text, &out, capacity);
        if (found == LZMA_OK && in == count && !memchr(text, 0, out))
            return text;
        free(text);
        if (found != LZMA_BUF_ERROR)
            return NULL;
    }
    return NULL;
}

/* Read the whole text of a table. Newly allocated; the caller frees it. NULL after fail(). */
static char *load(const char *path) {
    const int descriptor = file_open(path);
    struct stat about;
    if (descriptor < 0)
        return NULL;
    const size_t bytes = !fstat(descriptor, &about) && about.st_size < MAX_TEXT ? (size_t)about.st_size : 0;
    char *packed = memory_new(bytes + 1, 1), *text = NULL;
    const bool is_read = file_read_at(descriptor, packed, bytes, 0) == (ssize_t)bytes;
    close(descriptor);
    if (!is_read)
        fail("%s: %s", path, strerror(errno));
    else if (!text_ends(path, ".xz"))
        return packed;
    else if (!(text = unpack((const uint8_t *)packed, bytes)))
        fail("%s: the file is damaged, or not the table of a sweep; remove it and run springback sensitivity", path);
    free(packed);
    return text;
}

static int read_lines(char *text, const char *path, bool is_part, struct table_reader *reader) {
    struct sweep_table *table = reader->table;
    const char *flaw = NULL, *const begin = text;
    int number = 0;
    for (char *line; !flaw && text && *text;) {
        ++number;
        line = text;
        text = strchr(text, '\n');
        if (!text)
            flaw = "the line does not end with a newline";
        else
            *text++ = 0;
        flaw = flaw ? flaw : read_line(reader, line);
        if (!flaw && table->member_count && is_complete(reader))
            table->size = (size_t)(text - begin);
    }
    if (is_part && (flaw || !is_complete(reader)) && table->member_count) {
        table->member_count -= !is_complete(reader);
        return STATUS_OK;
    }
    if (is_part && !table->member_count) { /* interrupted before its first member */
        sweep_free(table);
        return STATUS_OK;
    }
    if (!flaw && (!table->experiment || !is_complete(reader) || numbers_left(reader)))
        flaw = "the table is incomplete";
    return flaw ? fail_at((struct place){path, number, 1},
                          "invalid table of a sweep: %s; remove the file and run springback sensitivity", flaw)
                : STATUS_OK;
}

int sweep_read(const char *path, bool is_part, struct sweep_table *out) {
    *out = (struct sweep_table){.experiment = NULL};
    if (!file_exists(path))
        return STATUS_OK;
    AUTO_FREE char *text = load(path);
    if (!text)
        return STATUS_BAD;
    struct table_reader reader = {.table = out, .is_part = is_part};
    const int status = read_lines(text, path, is_part, &reader);
    if (status)
        sweep_free(out);
    return status;
}

void sweep_free(struct sweep_table *table) {
    for (int r = 0; r < table->run_count; ++r) {
        free(table->runs[r].notes);
        free(table->runs[r].parameters);
    }
    free(table->assumptions);
    free(table->runs);
    free(table->columns);
    free(table->searched);
    free(table->members);
    pool_free(&table->pool);
    *table = (struct sweep_table){.experiment = NULL};
}

float *sweep_numbers(const struct sweep_table *table, const struct sweep_member *member, int run) {
    return member->numbers + (size_t)run * (size_t)table->column_count;
}

struct trace_data sweep_trace(const struct sweep_table *table, const struct sweep_member *member, int run,
                              struct pool *pool) {
    const struct sweep_run *source = &table->runs[run];
    struct trace_data trace = {.path = (char *)source->id,
                               .parameters = source->parameters,
                               .parameter_count = source->parameter_count,
                               .run_count = source->note_count,
                               .reductions = table->columns,
                               .reduction_count = table->column_count,
                               .reduced = sweep_numbers(table, member, run)};
    trace.run = pool_add(pool, memory_new((size_t)source->note_count + 1, sizeof *trace.run));
    for (int n = 0; n < source->note_count; ++n) {
        trace.run[n] = source->notes[n];
        if (!strcmp(trace.run[n].name, "status"))
            trace.run[n].value = member->status[run];
    }
    return trace;
}
