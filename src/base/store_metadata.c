#include "base/store_driver.h"

#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_DEPTH = 8,       /* maximum number of levels of groups; a trace has 3 */
    MAX_OBJECTS = 20000, /* maximum number of objects in a file; a trace has about 40, and one for each long text */
    MAX_RANK = 2,
    MAX_MEMBERS = 16, /* maximum number of members of a compound type */
    HEADER_START = 40 /* bytes; enough for the prefix of any object header */
};

#define NOWHERE UINT64_MAX /* HDF5's undefined address */

/* Bytes of the file that belong to the superblock, to one header chunk, or to one dataset. */
struct extent {
    uint64_t place, bytes;
};

/* The state while a file is checked. The check stops at the first fault. */
struct walk {
    int descriptor;
    uint64_t end; /* bytes: the smaller one of the file's size and the end that the superblock states */
    enum store_fault fault;
    const char *word;
    int error;              /* errno, if fault is STORE_UNREADABLE */
    struct extent *extents; /* the bytes of all objects found so far */
    int extent_count, objects;
};

static void stop(struct walk *walk, enum store_fault fault, const char *word) {
    if (walk->fault == STORE_SOUND) {
        walk->fault = fault;
        walk->word = word;
    }
}

static void damaged(struct walk *walk, const char *word) {
    stop(walk, STORE_DAMAGED, word);
}

static void forbidden(struct walk *walk, const char *word) {
    stop(walk, STORE_FORBIDDEN, word);
}

static bool is_sound(const struct walk *walk) {
    return walk->fault == STORE_SOUND;
}

/* ---- Bytes ---- */

/* Reads little-endian numbers one after the other. Numbers after `end` are read as 0 and set is_short. */
struct cursor {
    const uint8_t *at, *end;
    bool is_short;
};

static size_t left(const struct cursor *cursor) {
    return (size_t)(cursor->end - cursor->at);
}

static const uint8_t *skip(struct cursor *cursor, size_t bytes) {
    static const uint8_t nothing[8];
    const uint8_t *at = cursor->at;
    if (bytes > left(cursor)) {
        cursor->is_short = true;
        cursor->at = cursor->end;
        return bytes <= sizeof nothing ? nothing : NULL;
    }
    cursor->at += bytes;
    return at;
}

static uint64_t take(struct cursor *cursor, size_t bytes) {
    const uint8_t *at = skip(cursor, bytes);
    uint64_t number = 0;
    for (size_t b = 0; b < bytes && at; ++b)
        number |= (uint64_t)at[b] << 8 * b;
    return number;
}

static uint32_t rotate(uint32_t word, int bits) {
    return word << bits | word >> (32 - bits);
}

/* Add twelve bytes to a hash as three little-endian words. */
static void add_words(uint32_t word[3], const uint8_t *bytes) {
    for (size_t w = 0; w < 3; ++w)
        word[w] += bytes[4 * w] | (uint32_t)bytes[4 * w + 1] << 8 | (uint32_t)bytes[4 * w + 2] << 16 |
                   (uint32_t)bytes[4 * w + 3] << 24;
}

/* Jenkins' hash lookup3 ("hashlittle", 2006) with initial value 0: HDF5's checksum of metadata. */
static uint32_t checksum(const uint8_t *bytes, size_t count) {
    const uint32_t start = 0xdeadbeef + (uint32_t)count;
    uint32_t word[3] = {start, start, start};
    uint32_t *const a = &word[0], *const b = &word[1], *const c = &word[2];
    for (; count > 12; bytes += 12, count -= 12) {
        add_words(word, bytes);
        *a = (*a - *c) ^ rotate(*c, 4), *c += *b;
        *b = (*b - *a) ^ rotate(*a, 6), *a += *c;
        *c = (*c - *b) ^ rotate(*b, 8), *b += *a;
        *a = (*a - *c) ^ rotate(*c, 16), *c += *b;
        *b = (*b - *a) ^ rotate(*a, 19), *a += *c;
        *c = (*c - *b) ^ rotate(*b, 4), *b += *a;
    }
    uint8_t last[12] = {0};
    memcpy(last, bytes, count);
    add_words(word, last);
    *c = (*c ^ *b) - rotate(*b, 14);
    *a = (*a ^ *c) - rotate(*c, 11);
    *b = (*b ^ *a) - rotate(*a, 25);
    *c = (*c ^ *b) - rotate(*b, 16);
    *a = (*a ^ *c) - rotate(*c, 4);
    *b = (*b ^ *a) - rotate(*a, 14);
    *c = (*c ^ *b) - rotate(*b, 24);
    return *c;
}

/* Whether the last four bytes of a block are the checksum of the bytes before them. If not, note that the file is
 * damaged. */
static bool check_sum(struct walk *walk, const uint8_t *block, size_t bytes) {
    struct cursor stored = {block + bytes - 4, block + bytes, false};
    if (take(&stored, 4) == checksum(block, bytes - 4))
        return true;
    damaged(walk, "incorrect metadata checksum");
    return false;
}

/* Read bytes of the file. Newly allocated; the caller frees them. NULL if the file is too short or unreadable. */
static uint8_t *load(struct walk *walk, uint64_t place, uint64_t bytes) {
    if (place > walk->end || bytes > walk->end - place) {
        damaged(walk, "an address after the end of the file");
        return NULL;
    }
    uint8_t *data = memory_new(bytes, 1);
    const ssize_t held = file_read_at(walk->descriptor, data, bytes, place);
    if (held != (ssize_t)bytes) {
        walk->error = errno;
        stop(walk, held < 0 ? STORE_UNREADABLE : STORE_DAMAGED, "truncated file");
        free(data);
        return NULL;
    }
    return data;
}

static void add_extent(struct walk *walk, uint64_t place, uint64_t bytes) {
    if (bytes == 0)
        return;
    if (place > walk->end || bytes > walk->end - place) {
        damaged(walk, "values after the end of the file");
        return;
    }
    *ARRAY_ADD(walk->extents, walk->extent_count) = (struct extent){place, bytes};
}

/* ---- Messages of an object header (HDF5 File Format Specification 3.0, section IV.A.2) ---- */

/* The contents of an object's messages. */
struct object {
    unsigned seen;                           /* bit n is set if the object has a message of number n */
    uint64_t points, type_bytes, fill_bytes; /* number of values; bytes per value; bytes of the fill value, or 0 */
    uint64_t place, bytes; /* offset and size of the values; `place` is NOWHERE if is_compact or not allocated */
    bool is_compact;
    uint64_t *children;
    int child_count;
    struct extent *rest; /* further chunks of the header */
    int rest_count;
};

/* Check a data type: an integer, a floating-point number, a string, or, if may_be_record, a compound of such types.
 * Returns the size of the data type in bytes, or 0 on an error. */
static uint64_t type_read(struct walk *walk, struct cursor *data, bool may_be_record) {
    enum { WHOLE = 0, FLOAT = 1, TEXT = 3, RECORD = 6 };
    const unsigned kind = (unsigned)take(data, 1);
    const uint64_t bits = take(data, 3), bytes = take(data, 4);
    const unsigned version = kind >> 4, class = kind & 15;
    if (version < 1 || version > 3 || bytes == 0 || data->is_short) {
        forbidden(walk, "a type of an unsupported version");
    } else if (class == WHOLE) {
        const uint64_t offset = take(data, 2), precision = take(data, 2);
        if ((bits & ~0xfU) || bytes > 8 || (bytes & (bytes - 1)) || offset != 0 || precision != 8 * bytes)
            forbidden(walk, "integers in an unsupported format");
    } else if (class == FLOAT) {
        static const uint8_t forms[2][12] = {{0, 0, 32, 0, 23, 8, 0, 23, 127, 0, 0, 0},
                                             {0, 0, 64, 0, 52, 11, 0, 52, 255, 3, 0, 0}};
        const uint8_t *form = skip(data, sizeof *forms);
        const uint64_t sign = 8 * bytes - 1;
        if ((bits & ~1U) != (sign << 8 | 0x20) || (bytes != 4 && bytes != 8) || !form ||
            memcmp(form, forms[bytes == 8], sizeof *forms) != 0)
            forbidden(walk, "floating-point numbers that are not IEEE 754");
    } else if (class == TEXT) {
        if ((bits & 15) > 2 || (bits >> 4 & 15) > 1 || bits >> 8)
            forbidden(walk, "strings in an unsupported format");
    } else if (class == RECORD && may_be_record && version == 3) {
        size_t offset_bytes = 1;
        while (offset_bytes < 4 && bytes >> 8 * offset_bytes)
            ++offset_bytes;
        if (bits == 0 || bits > MAX_MEMBERS)
            forbidden(walk, "a compound type with too many members");
        for (uint64_t m = 0; m < bits && is_sound(walk); ++m) {
            const uint8_t *end = memchr(data->at, 0, left(data));
            skip(data, end ? (size_t)(end - data->at) + 1 : left(data) + 1);
            const uint64_t offset = take(data, offset_bytes), member = type_read(walk, data, false);
            if (data->is_short || offset > bytes || member > bytes - offset)
                forbidden(walk, "a compound type whose members do not fit");
        }
    } else {
        forbidden(walk, "a type that is neither a number nor a string");
    }
    if (data->is_short)
        forbidden(walk, "a message that is too short");
    return is_sound(walk) ? bytes : 0;
}

/* Check a dataspace. Returns the number of values. */
static uint64_t space_read(struct walk *walk, struct cursor *data) {
    enum { SCALAR, SIMPLE, EMPTY };
    const uint64_t version = take(data, 1), rank = take(data, 1), flags = take(data, 1), kind = take(data, 1);
    uint64_t points = kind != EMPTY;
    if (version != 2 || rank > MAX_RANK || flags > 1 || kind > EMPTY || (kind != SIMPLE && (rank || flags)))
        forbidden(walk, "an array of an unsupported shape");
    for (uint64_t d = 0; d < rank && is_sound(walk); ++d)
        if (__builtin_mul_overflow(points, take(data, 8), &points))
            forbidden(walk, "an array that is too large");
    if (flags & 1)
        skip(data, 8 * rank);
    if (data->is_short)
        forbidden(walk, "a message that is too short");
    return points;
}

static void space_message(struct walk *walk, struct cursor *data, struct object *object) {
    object->points = space_read(walk, data);
}

static void type_message(struct walk *walk, struct cursor *data, struct object *object) {
    object->type_bytes = type_read(walk, data, true);
}

static void fill_message(struct walk *walk, struct cursor *data, struct object *object) {
    enum { UNDEFINED = 0x10, DEFINED = 0x20 };
    const uint64_t version = take(data, 1);
    const uint64_t flags = take(data, 1);
    const bool is_defined = flags & DEFINED;
    if (version != 3 || flags & ~(uint64_t)0x3f || (flags & UNDEFINED && is_defined) || (flags >> 2 & 3) > 2)
        forbidden(walk, "a fill value in an unsupported format");
    if (is_defined) {
        object->fill_bytes = take(data, 4);
        if (object->fill_bytes != left(data))
            forbidden(walk, "a fill value whose size is wrong");
        skip(data, object->fill_bytes);
    }
}

static void layout_message(struct walk *walk, struct cursor *data, struct object *object) {
    enum { COMPACT, CONTIGUOUS, CHUNKED };
    const uint64_t version = take(data, 1), class = take(data, 1);
    if (class == CHUNKED)
        forbidden(walk, "a dataset in chunks");
    else if (version != 3 || class > CHUNKED)
        forbidden(walk, "a dataset that is not stored in one piece");
    object->is_compact = class == COMPACT;
    object->place = object->is_compact ? NOWHERE : take(data, 8);
    object->bytes = take(data, object->is_compact ? 2 : 8);
    if (object->is_compact)
        skip(data, object->bytes);
}

/* Refuse links and attributes that are stored outside the object header. Old versions of springback wrote such files;
 * this version does not. */
static void info_message(struct walk *walk, struct cursor *data, size_t index_bytes) {
    const uint64_t version = take(data, 1), flags = take(data, 1);
    if (flags & 1)
        skip(data, index_bytes);
    const uint64_t heap = take(data, 8), names = take(data, 8), order = flags & 2 ? take(data, 8) : NOWHERE;
    if (version != 0 || flags > 3)
        forbidden(walk, "a group in an unsupported format");
    else if (heap != NOWHERE || names != NOWHERE || order != NOWHERE)
        forbidden(walk,
                  "links or attributes outside their object's header, as written by older versions of springback");
}

static void link_info_message(struct walk *walk, struct cursor *data, struct object *object) {
    (void)object;
    info_message(walk, data, 8);
}

static void attribute_info_message(struct walk *walk, struct cursor *data, struct object *object) {
    (void)object;
    info_message(walk, data, 2);
}

static void group_info_message(struct walk *walk, struct cursor *data, struct object *object) {
    (void)object;
    const uint64_t version = take(data, 1), flags = take(data, 1);
    if (version != 0 || flags > 3)
        forbidden(walk, "a group in an unsupported format");
    skip(data, (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0));
}

static void link_message(struct walk *walk, struct cursor *data, struct object *object) {
    enum { ORDERED = 4, TYPED = 8, WITH_CHARSET = 16 };
    const uint64_t version = take(data, 1), flags = take(data, 1);
    const uint64_t type = flags & TYPED ? take(data, 1) : 0;
    if (flags & ORDERED)
        skip(data, 8);
    const uint64_t charset = flags & WITH_CHARSET ? take(data, 1) : 0;
    const uint64_t length = take(data, (size_t)1 << (flags & 3));
    const uint8_t *name = length <= left(data) ? skip(data, length) : NULL;
    if (type != 0)
        forbidden(walk, type == 1 ? "a soft link" : "a link to another file");
    else if (version != 1 || flags > 31 || charset > 1 || !name || length == 0 || memchr(name, 0, length) ||
             memchr(name, '/', length) || (length == 1 && *name == '.'))
        forbidden(walk, "a link in an unsupported format");
    *ARRAY_ADD(object->children, object->child_count) = take(data, 8);
}

static void attribute_message(struct walk *walk, struct cursor *data, struct object *object) {
    (void)object;
    const uint64_t version = take(data, 1), flags = take(data, 1);
    const uint64_t name_bytes = take(data, 2), type_bytes = take(data, 2), space_bytes = take(data, 2);
    const uint64_t charset = take(data, 1);
    const uint8_t *name = name_bytes <= left(data) ? skip(data, name_bytes) : NULL;
    if (version != 3 || flags != 0 || charset > 1 || !name || name_bytes < 2 ||
        memchr(name, 0, name_bytes) != name + name_bytes - 1 || type_bytes + space_bytes > left(data)) {
        forbidden(walk, "an attribute in an unsupported format");
        return;
    }
    struct cursor type = {data->at, data->at + type_bytes, false};
    struct cursor space = {type.end, type.end + space_bytes, false};
    const uint64_t bytes = type_read(walk, &type, false), points = space_read(walk, &space);
    skip(data, type_bytes + space_bytes);
    if (is_sound(walk) && (type.at != type.end || space.at != space.end || (bytes && points > left(data) / bytes) ||
                           bytes * points != left(data)))
        forbidden(walk, "an attribute whose size differs from that of its values");
}

static void continuation_message(struct walk *walk, struct cursor *data, struct object *object) {
    const struct extent chunk = {take(data, 8), take(data, 8)};
    if (chunk.bytes < 8)
        forbidden(walk, "an object header in an unsupported format");
    *ARRAY_ADD(object->rest, object->rest_count) = chunk;
}

enum { NOTHING = 0x00, SPACE = 0x01, LINKS = 0x02, TYPE = 0x03, LAYOUT = 0x08 };
/* The header messages that every dataset must have, as bits of object.seen. */
enum { OF_DATASET = 1 << SPACE | 1 << TYPE | 1 << LAYOUT };

/* Indexed by message number. Each number below has a function that reads the message, or a text that says what is
 * refused. The message NOTHING is skipped, and messages with any other number are refused as unknown. */
static const struct message {
    void (*read)(struct walk *walk, struct cursor *data, struct object *object);
    const char *refused;
    bool is_single; /* an object may have at most one message of this number */
} messages[] = {
    [SPACE] = {.read = space_message, .is_single = true},
    [LINKS] = {.read = link_info_message},
    [TYPE] = {.read = type_message, .is_single = true},
    [0x05] = {.read = fill_message},
    [0x06] = {.read = link_message},
    [0x07] = {.refused = "a dataset whose values are stored in another file"},
    [LAYOUT] = {.read = layout_message, .is_single = true},
    [0x0a] = {.read = group_info_message},
    [0x0b] = {.refused = "a filtered dataset"},
    [0x0c] = {.read = attribute_message},
    [0x10] = {.read = continuation_message},
    [0x15] = {.read = attribute_info_message},
    [0x16] = {.refused = "an object with several names"},
};

/* Read the messages of one chunk of a header. If `ordered`, each message includes its creation order. */
static void messages_read(struct walk *walk, struct cursor chunk, bool ordered, struct object *object) {
    enum { KNOWN = sizeof messages / sizeof *messages, CONSTANT = 1, UNSHARED = 4 };
    const size_t prefix = ordered ? 6 : 4;
    while (left(&chunk) >= prefix && is_sound(walk)) {
        const uint64_t type = take(&chunk, 1), bytes = take(&chunk, 2), flags = take(&chunk, 1);
        skip(&chunk, prefix - 4);
        const uint8_t *begin = bytes <= left(&chunk) ? skip(&chunk, bytes) : NULL;
        if (!begin) {
            forbidden(walk, "an object header in an unsupported format");
        } else if (type >= KNOWN || (type != NOTHING && !messages[type].read && !messages[type].refused)) {
            forbidden(walk, "an object header with unknown messages");
        } else if (messages[type].refused) {
            forbidden(walk, messages[type].refused);
        } else if (messages[type].is_single && object->seen >> type & 1) {
            forbidden(walk, "an object with two shapes, types or layouts");
        } else if (flags & ~(uint64_t)(CONSTANT | UNSHARED)) {
            forbidden(walk, "shared messages");
        } else if (type != NOTHING) {
            struct cursor data = {begin, begin + bytes, false};
            object->seen |= 1U << type;
            messages[type].read(walk, &data, object);
            if (data.is_short)
                forbidden(walk, "a message that is too short");
        }
    }
}

/* ---- Objects (HDF5 File Format Specification 3.0, section IV.A.1.b) ---- */

/* Read one chunk of a header: `prefix` bytes, messages, and a checksum. */
static void piece_read(struct walk *walk, struct extent piece, uint64_t prefix, bool ordered, struct object *object) {
    AUTO_FREE uint8_t *block = load(walk, piece.place, piece.bytes);
    if (!block)
        return;
    add_extent(walk, piece.place, piece.bytes);
    if (check_sum(walk, block, piece.bytes))
        messages_read(walk, (struct cursor){block + prefix, block + piece.bytes - 4, false}, ordered, object);
}

static void chunks_read(struct walk *walk, bool ordered, struct object *object) {
    for (int r = 0; r < object->rest_count && is_sound(walk); ++r) {
        AUTO_FREE uint8_t *signature = load(walk, object->rest[r].place, 4);
        if (object->rest_count > MAX_OBJECTS)
            forbidden(walk, "an object header in too many pieces");
        else if (signature && memcmp(signature, "OCHK", 4) != 0)
            damaged(walk, "a piece of an object header is missing");
        else
            piece_read(walk, object->rest[r], 4, ordered, object);
    }
}

static void header_read(struct walk *walk, uint64_t place, struct object *object) {
    enum { SIZE = 3, ORDERED = 4, INDEXED = 8, PHASED = 16, TIMED = 32 };
    const uint64_t behind = place < walk->end ? walk->end - place : 0;
    const size_t held = behind < HEADER_START ? (size_t)behind : HEADER_START;
    AUTO_FREE uint8_t *start = load(walk, place, held);
    if (!start)
        return;
    struct cursor cursor = {start, start + held, false};
    const uint8_t *signature = skip(&cursor, 4);
    const bool is_header = !cursor.is_short && !memcmp(signature, "OHDR", 4);
    const uint64_t version = take(&cursor, 1), flags = take(&cursor, 1);
    skip(&cursor, (flags & TIMED ? 16 : 0) + (flags & PHASED ? 4 : 0));
    const uint64_t bytes = take(&cursor, (size_t)1 << (flags & SIZE)), prefix = held - left(&cursor);
    if (!is_header || cursor.is_short || bytes > walk->end) {
        damaged(walk, "an object header is missing");
        return;
    }
    piece_read(walk, (struct extent){place, prefix + bytes + 4}, prefix, flags & ORDERED, object);
    if (version != 2 || flags > 63)
        forbidden(walk, "an object header of an unsupported version");
    chunks_read(walk, flags & ORDERED, object);
}

static void dataset_check(struct walk *walk, const struct object *object) {
    uint64_t bytes;
    if ((object->seen & OF_DATASET) != OF_DATASET)
        forbidden(walk, "an object that is neither a group nor a dataset");
    else if (object->child_count)
        forbidden(walk, "links in a dataset");
    else if (__builtin_mul_overflow(object->points, object->type_bytes, &bytes) ||
             (object->fill_bytes && object->fill_bytes != object->type_bytes))
        forbidden(walk, "a dataset whose size or fill value is wrong");
    else if (object->bytes != bytes && (object->place != NOWHERE || object->is_compact))
        forbidden(walk, "a dataset whose size differs from that of its values");
    else if (object->place != NOWHERE) /* otherwise the dataset is compact, has no values, or was never written */
        add_extent(walk, object->place, object->bytes);
}

static void object_check(struct walk *walk, uint64_t place, int depth) {
    struct object object = {.place = NOWHERE};
    if (++walk->objects > MAX_OBJECTS)
        forbidden(walk, "too many objects");
    else if (depth > MAX_DEPTH)
        forbidden(walk, "groups nested too deeply");
    else
        header_read(walk, place, &object);
    if (is_sound(walk) && !(object.seen >> LINKS & 1))
        dataset_check(walk, &object);
    else if (object.seen & OF_DATASET)
        forbidden(walk, "an object that is both a group and a dataset");
    for (int c = 0; c < object.child_count && is_sound(walk); ++c)
        object_check(walk, object.children[c], depth + 1);
    free(object.children);
    free(object.rest);
}

/* ---- The file ---- */

static int by_place(const void *a, const void *b) {
    const struct extent *one = a, *other = b;
    return (one->place > other->place) - (one->place < other->place);
}

/* Refuse objects that share bytes: one object has several names, or the file is malformed. */
static void overlaps_check(struct walk *walk) {
    if (walk->extent_count)
        qsort(walk->extents, (size_t)walk->extent_count, sizeof *walk->extents, by_place);
    for (int e = 1; e < walk->extent_count && is_sound(walk); ++e)
        if (walk->extents[e].place - walk->extents[e - 1].place < walk->extents[e - 1].bytes)
            forbidden(walk, walk->extents[e].place == walk->extents[e - 1].place ? "an object with several names"
                                                                                 : "objects that overlap");
}

/* The superblock's version follows the signature. Since version 2, all metadata has checksums. */
static void superblock_check(struct walk *walk, uint64_t *root) {
    static const uint8_t signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    enum { BYTES = 48 };
    const size_t held = walk->end < BYTES ? (size_t)walk->end : BYTES;
    AUTO_FREE uint8_t *block = load(walk, 0, held);
    if (!block)
        return;
    struct cursor cursor = {block, block + held, false};
    const uint8_t *own = skip(&cursor, sizeof signature);
    const bool is_foreign = cursor.is_short || memcmp(own, signature, sizeof signature) != 0;
    const uint64_t version = take(&cursor, 1), sizes = take(&cursor, 2), flags = take(&cursor, 1);
    const uint64_t base = take(&cursor, 8), extension = take(&cursor, 8), end = take(&cursor, 8);
    *root = take(&cursor, 8);
    add_extent(walk, 0, held);
    if (is_foreign)
        stop(walk, held ? STORE_FOREIGN : STORE_EMPTY, NULL);
    else if (version < 2)
        stop(walk, STORE_UNCHECKED, NULL);
    else if (held < BYTES)
        damaged(walk, "truncated file");
    else if (version == 2)
        check_sum(walk, block, BYTES);
    if (version != 2 || sizes != 0x0808 || flags != 0 || base != 0 || extension != NOWHERE)
        forbidden(walk, "a superblock of an unsupported version");
    else if (end > walk->end)
        damaged(walk, "truncated file");
    walk->end = end < walk->end ? end : walk->end;
}

enum store_fault store_metadata_check(int descriptor, const char **word) {
    struct walk walk = {.descriptor = descriptor};
    struct stat about;
    uint64_t root = NOWHERE;
    if (fstat(descriptor, &about))
        return STORE_UNREADABLE;
    walk.end = (uint64_t)about.st_size;
    superblock_check(&walk, &root);
    if (is_sound(&walk))
        object_check(&walk, root, 0);
    if (is_sound(&walk))
        overlaps_check(&walk);
    free(walk.extents);
    *word = walk.word;
    errno = walk.error;
    return walk.fault;
}
