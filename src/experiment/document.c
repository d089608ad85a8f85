#include "experiment/document.h"

#include "base/memory.h"
#include "base/terminal.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Limits against files that are made to exhaust the memory or the stack. Files that people write are much smaller. */
#define MOST_BYTES (1 << 20)
#define MOST_NODES 20000
#define MOST_DEPTH 32

/* ---- Bytes ---- */

/* The first byte that is not part of a printable character or white space in UTF-8, or NULL. */
static const unsigned char *text_flaw(const unsigned char *at, const unsigned char *end) {
    while (at < end) {
        int more = *at < 0x80 ? 0 : *at >= 0xc2 && *at < 0xe0 ? 1 : (*at & 0xf0) == 0xe0 ? 2 : *at < 0xf5 ? 3 : -1;
        if (*at >= 0x80 && *at < 0xc2)
            more = -1;
        if (more < 0 || end - at <= more || *at == 0x7f || (*at < 0x20 && *at != '\t' && *at != '\n' && *at != '\r'))
            return at;
        for (int i = 1; i <= more; i++)
            if ((at[i] & 0xc0) != 0x80)
                return at;
        at += more + 1;
    }
    return NULL;
}

int document_load(const char *file, char **text) {
    struct place place = {file, 0, 0};
    struct stat about;
    *text = NULL;
    if (stat(file, &about) != 0)
        return fail_at(place, "cannot be read (%s); expected a YAML file such as experiments/va2022/strong-push.yaml",
                       strerror(errno));
    if (!S_ISREG(about.st_mode))
        return fail_at(place, "is %s; expected a YAML file, whose name ends with .yaml",
                       S_ISDIR(about.st_mode) ? "a folder" : "not a regular file");
    if (about.st_size > MOST_BYTES)
        return fail_at(place, "has %lld bytes; a YAML file may have at most %d", (long long)about.st_size, MOST_BYTES);
    FILE *in = fopen(file, "rb");
    /* These are errors of the system, not of the file. The program ends, because a caller could treat the file as
     * missing. */
    if (!in && (errno == EIO || errno == EMFILE || errno == ENFILE || errno == ENOMEM))
        fail_and_end("%s: %s", file, strerror(errno));
    if (!in)
        return fail_at(place, "cannot be read (%s); make it readable", strerror(errno));
    const size_t size = (size_t)about.st_size;
    char *bytes = *text = memory_new(size + 2, 1);
    const size_t length = fread(bytes, 1, size + 1, in);
    if (ferror(in))
        fail_and_end("%s: reading it failed; try again", file);
    fclose(in);
    const unsigned char *start = (const unsigned char *)bytes, *flaw = text_flaw(start, start + length);
    if (length > size)
        return fail_at(place, "grew while it was read; try again");
    if (!flaw)
        return STATUS_OK;
    int line = 1;
    const unsigned char *line_start = start;
    for (const unsigned char *at = start; at < flaw; at++)
        if (*at == '\n')
            line++, line_start = at + 1;
    place = (struct place){file, line, (int)(flaw - line_start) + 1};
    return fail_at(place, "byte 0x%02x is not part of printable UTF-8 text; expected a YAML file in UTF-8", *flaw);
}

/* ---- The tree ---- */

struct builder {
    struct fy_parser *parser;
    struct fy_diag *diagnosis;
    const char *file;
    bool lines;
    int nodes;
};

static struct place place_of(const struct builder *builder, int line, int column) {
    return builder->lines ? (struct place){builder->file, line, column} : (struct place){builder->file, 0, 0};
}

static struct place event_place(const struct builder *builder, struct fy_event *event) {
    struct fy_token *token = fy_event_get_token(event);
    const struct fy_mark *mark = fy_token_start_mark(token);
    if (!mark)
        return place_of(builder, 0, 0);
    /* libfyaml's mark of a quoted text or an alias is after the quote or the asterisk. */
    enum fy_scalar_style style = event->type == FYET_SCALAR ? fy_token_scalar_style(token) : FYSS_PLAIN;
    bool led = event->type == FYET_ALIAS || style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
    return place_of(builder, mark->line + 1, mark->column + (led ? 0 : 1));
}

/* Report the error of libfyaml as a message of this program. */
static int broken_yaml(struct builder *builder) {
    void *iterator = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(builder->diagnosis, &iterator);
    if (!error)
        return fail_at(place_of(builder, 0, 0), "is not YAML; write \"key: value\" lines");
    return fail_at(place_of(builder, error->line, error->column),
                   "broken YAML: %s; write \"key: value\" indented by spaces, lists as [a, b], maps as {key: value}",
                   error->msg);
}

static int check_doubled(const struct node *map, const struct node *item) {
    for (const struct node *other = map->items; other < item; other++)
        if (strcmp(other->key, item->key) == 0)
            return fail_at(item->key_place, "the key %.60s is here and at line %d, column %d; keep one of them",
                           item->key, other->key_place.line, other->key_place.column);
    return STATUS_OK;
}

static int build(struct builder *builder, struct fy_event *event, int depth, struct node *out);

/* The next event of the parser. NULL, after a message, if the text is not YAML. */
static struct fy_event *next_event(struct builder *builder) {
    struct fy_event *event = fy_parser_parse(builder->parser);
    if (!event)
        broken_yaml(builder);
    return event;
}

/* Read the items of a list or map up to its end event. *out has every item that was begun, so the caller can free them
 * all. */
static int build_items(struct builder *builder, int depth, struct node *out) {
    enum fy_event_type end = out->kind == NODE_MAP ? FYET_MAPPING_END : FYET_SEQUENCE_END;
    int status = STATUS_OK;
    for (;;) {
        struct fy_event *event = next_event(builder);
        if (!event)
            return STATUS_BAD;
        if (event->type == end) {
            fy_parser_event_free(builder->parser, event);
            return status;
        }
        struct node *item = ARRAY_ADD(out->items, out->count);
        *item = (struct node){0};
        if (out->kind == NODE_MAP) {
            struct node key = {0};
            int key_status = build(builder, event, depth, &key);
            if (key_status == STATUS_OK && key.kind != NODE_SCALAR)
                key_status = fail_at(key.place, "a key is %s; it must be a word", document_kind(&key));
            item->key = key.kind == NODE_SCALAR && key.text ? key.text : text_copy("");
            item->key_place = key.place;
            if (key.kind != NODE_SCALAR)
                document_free(&key);
            if (key_status != STATUS_OK)
                return STATUS_BAD;
            status |= check_doubled(out, item);
            if (!(event = next_event(builder)))
                return STATUS_BAD;
        }
        if (build(builder, event, depth, item) != STATUS_OK)
            return STATUS_BAD;
        if (item->place.line == 0) /* an empty value has no token, and therefore no place */
            item->place = item->key ? item->key_place : out->place;
    }
}

/* Whether a plain scalar is one of YAML's words for null. */
static bool is_null(struct fy_token *scalar, const char *bytes, size_t length) {
    static const char *const words[] = {"~", "null", "Null", "NULL"};
    bool found = false;
    for (size_t w = 0; w < sizeof words / sizeof *words; ++w)
        found = found || (length == strlen(words[w]) && memcmp(bytes, words[w], length) == 0);
    return found && fy_token_scalar_style(scalar) == FYSS_PLAIN;
}

/* Read the node that begins with an event. Frees the event. */
static int build(struct builder *builder, struct fy_event *event, int depth, struct node *out) {
    struct fy_token *scalar = event->type == FYET_SCALAR ? event->scalar.value : NULL;
    struct fy_token *tag = event->type == FYET_SCALAR           ? event->scalar.tag
                           : event->type == FYET_SEQUENCE_START ? event->sequence_start.tag
                           : event->type == FYET_MAPPING_START  ? event->mapping_start.tag
                                                                : NULL;
    bool alias = event->type == FYET_ALIAS;
    out->place = event_place(builder, event);
    out->kind = event->type == FYET_SEQUENCE_START  ? NODE_LIST
                : event->type == FYET_MAPPING_START ? NODE_MAP
                                                    : NODE_SCALAR;
    size_t length = 0;
    const char *bytes = scalar ? fy_token_get_text(scalar, &length) : NULL;
    if (bytes && is_null(scalar, bytes, length))
        length = 0;
    if (out->kind == NODE_SCALAR) {
        out->text = memory_new(length + 1, 1);
        if (bytes)
            memcpy(out->text, bytes, length);
    }
    const bool is_plain = !bytes || (!memchr(bytes, 0, length) && terminal_is_plain(out->text));
    fy_parser_event_free(builder->parser, event);
    if (alias || tag)
        return fail_at(out->place, "%s; write the value itself",
                       alias ? "an alias (*name) is not allowed" : "a tag (!name) is not allowed");
    if (!is_plain)
        return fail_at(out->place, "the text has a control character; remove it");
    if (++builder->nodes > MOST_NODES)
        return fail_at(out->place, "the file has more than %d values; this is the limit", MOST_NODES);
    if (depth >= MOST_DEPTH)
        return fail_at(out->place, "this value is more than %d levels deep; this is the limit", MOST_DEPTH);
    return out->kind == NODE_SCALAR ? STATUS_OK : build_items(builder, depth + 1, out);
}

/* Read the stream, which must have one document with one node. */
static int build_stream(struct builder *builder, struct node *root) {
    bool found = false;
    for (;;) {
        struct fy_event *event = next_event(builder);
        if (!event)
            return STATUS_BAD;
        enum fy_event_type type = event->type;
        bool frame = type == FYET_STREAM_START || type == FYET_DOCUMENT_START || type == FYET_DOCUMENT_END;
        if (frame || type == FYET_STREAM_END) {
            struct place place = event_place(builder, event);
            fy_parser_event_free(builder->parser, event);
            if (type == FYET_DOCUMENT_START && found)
                return fail_at(place, "a second document begins here; a file may have only one");
            if (type == FYET_STREAM_END)
                return found ? STATUS_OK : fail_at(place_of(builder, 0, 0), "is empty; write \"key: value\" lines");
            continue;
        }
        found = true;
        if (build(builder, event, 0, root) != STATUS_OK)
            return STATUS_BAD;
    }
}

static void no_output(struct fy_diag *diagnosis, void *user, const char *text, size_t length) {
    (void)diagnosis, (void)user, (void)text, (void)length;
}

int document_parse(const char *text, const char *file, bool lines, struct node *root) {
    memset(root, 0, sizeof *root);
    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL;
    quiet.output_fn = no_output;
    quiet.colorize = false;
    struct builder builder = {.diagnosis = fy_diag_create(&quiet), .file = file, .lines = lines};
    fy_diag_set_collect_errors(builder.diagnosis, true);
    struct fy_parse_cfg config = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG, .diag = builder.diagnosis};
    builder.parser = fy_parser_create(&config);
    int status;
    if (!builder.parser || fy_parser_set_string(builder.parser, text, strlen(text)) != 0)
        status =
            fail_at(place_of(&builder, 0, 0), "libfyaml could not start, perhaps because there is too little memory");
    else
        status = build_stream(&builder, root);
    fy_parser_destroy(builder.parser);
    fy_diag_destroy(builder.diagnosis);
    if (status != STATUS_OK)
        document_free(root);
    return status;
}

void document_free(struct node *root) {
    for (int i = 0; i < root->count; i++)
        document_free(&root->items[i]);
    free(root->items);
    free(root->text);
    free(root->key);
    memset(root, 0, sizeof *root);
}

const struct node *document_item(const struct node *map, const char *key) {
    for (int i = 0; map->kind == NODE_MAP && i < map->count; i++)
        if (strcmp(map->items[i].key, key) == 0)
            return &map->items[i];
    return NULL;
}

const char *document_kind(const struct node *node) {
    return node->kind == NODE_MAP ? "a map" : node->kind == NODE_LIST ? "a list" : "a single value";
}
