/* The structures are those of the HDF5 File Format Specification, version 3.0. Sizes of addresses and lengths are 8
 * bytes, as in every trace. */
#include "trace_metadata.h"

#include <stdbool.h>
#include <string.h>

#define SIGNATURE(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

enum { MOST_BLOCKS = 512, MOST_REGIONS = 4096, CHECKSUM = 4 };

/* A part of the file with a checksum of its own. The checksum is at `check`: inside the part if the part is a direct
 * block of a heap, otherwise directly after the part. */
struct block {
    size_t start, size, check;
    unsigned message_head; /* bytes of the header in front of each message; 0: the block has no messages */
    size_t messages;       /* offset of the first message in the file */
};

struct region {
    size_t start, size;
};

struct blocks {
    struct block items[MOST_BLOCKS];
    int count;
};

static uint64_t number(const uint8_t *bytes, size_t width) {
    uint64_t value = 0;
    for (size_t i = 0; i < width; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

static void number_put(uint8_t *bytes, size_t width, uint64_t value) {
    for (size_t i = 0; i < width; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t rotate(uint32_t value, int bits) {
    return value << bits | value >> (32 - bits);
}

/* Jenkins, lookup3.c (2006), hashlittle with an initial value of 0. */
static uint32_t checksum(const uint8_t *bytes, size_t length) {
    uint32_t a = 0xdeadbeef + (uint32_t)length, b = a, c = a;
    uint8_t last[12] = {0};
    for (; length > 12; bytes += 12, length -= 12) {
        a += (uint32_t)number(bytes, 4);
        b += (uint32_t)number(bytes + 4, 4);
        c += (uint32_t)number(bytes + 8, 4);
        a = (a - c) ^ rotate(c, 4), c += b;
        b = (b - a) ^ rotate(a, 6), a += c;
        c = (c - b) ^ rotate(b, 8), b += a;
        a = (a - c) ^ rotate(c, 16), c += b;
        b = (b - a) ^ rotate(a, 19), a += c;
        c = (c - b) ^ rotate(b, 4), b += a;
    }
    if (length == 0)
        return c;
    memcpy(last, bytes, length);
    a += (uint32_t)number(last, 4);
    b += (uint32_t)number(last + 4, 4);
    c += (uint32_t)number(last + 8, 4);
    c = (c ^ b) - rotate(b, 14);
    a = (a ^ c) - rotate(c, 11);
    b = (b ^ a) - rotate(a, 25);
    c = (c ^ b) - rotate(b, 16);
    a = (a ^ c) - rotate(c, 4);
    b = (b ^ a) - rotate(a, 14);
    return (c ^ b) - rotate(b, 24);
}

/* Add a block if it is inside the file and not known yet. block.size does not include the checksum. */
static const struct block *block_add(struct blocks *blocks, size_t file_size, struct block block) {
    if (blocks->count == MOST_BLOCKS || block.start > file_size || block.size > file_size - block.start ||
        file_size - block.start - block.size < CHECKSUM)
        return NULL;
    for (int b = 0; b < blocks->count; b++)
        if (blocks->items[b].start == block.start)
            return NULL;
    block.check = block.check ? block.check : block.start + block.size;
    blocks->items[blocks->count] = block;
    return &blocks->items[blocks->count++];
}

/* Set *message to the block's message whose header begins at `*at`, and move `*at` to the end of this message. Returns
 * false if no message begins at `*at`. */
static bool message_next(const struct block *block, const uint8_t *file, size_t *at, struct region *message) {
    const size_t end = block->start + block->size;
    if (!block->message_head || *at + block->message_head > end)
        return false;
    const size_t size = (size_t)number(file + *at + 1, 2) + block->message_head;
    *message = (struct region){*at, size < end - *at ? size : end - *at};
    *at += message->size;
    return true;
}

/* Add an object header of version 2, and the blocks with the rest of its messages. */
static void header_add(struct blocks *blocks, const uint8_t *file, size_t size, size_t start) {
    const uint8_t flags = file[start + 5];
    const size_t head = 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0), width = (size_t)1 << (flags & 3);
    if (size - start < head + width)
        return;
    const struct block *block = block_add(blocks, size,
                                          (struct block){.start = start,
                                                         .size = head + width + number(file + start + head, width),
                                                         .message_head = flags & 4 ? 6 : 4,
                                                         .messages = start + head + width});
    for (int b = blocks->count - 1; block && b < blocks->count; b++) {
        block = &blocks->items[b];
        struct region message;
        for (size_t at = block->messages; message_next(block, file, &at, &message);)
            if (file[message.start] == 0x10 && message.size >= block->message_head + 16U) {
                const uint8_t *body = file + message.start + block->message_head;
                const uint64_t place = number(body, 8), length = number(body + 8, 8);
                if (length >= 8)
                    block_add(blocks, size,
                              (struct block){.start = place,
                                             .size = length - CHECKSUM,
                                             .message_head = block->message_head,
                                             .messages = place + 4});
            }
    }
}

/* Add a B-tree of version 2, and its root if the root is a leaf. */
static void tree_add(struct blocks *blocks, const uint8_t *file, size_t size, size_t start) {
    enum { HEAD = 34 };
    const uint8_t *head = file + start;
    if (!block_add(blocks, size, (struct block){.start = start, .size = HEAD}) || number(head + 12, 2) != 0)
        return;
    block_add(blocks, size,
              (struct block){.start = number(head + 16, 8), .size = 6 + number(head + 10, 2) * number(head + 24, 2)});
}

/* Add a fractal heap, and its root if the root is a direct block with a checksum. */
static void heap_add(struct blocks *blocks, const uint8_t *file, size_t size, size_t start) {
    enum { HEAD = 142 };
    const uint8_t *head = file + start;
    if (!block_add(blocks, size, (struct block){.start = start, .size = HEAD}) || !(head[9] & 2) ||
        number(head + 140, 2) != 0)
        return;
    const uint64_t root = number(head + 132, 8), bytes = number(head + 112, 8);
    const size_t before = 13 + (number(head + 128, 2) + 7) / 8;
    if (bytes > before + CHECKSUM && root < size)
        block_add(blocks, size, (struct block){.start = root, .size = bytes - CHECKSUM, .check = root + before});
}

/* Find the blocks: the superblock, the blocks that begin with a known signature, and the blocks to which they point. */
static void blocks_find(struct blocks *blocks, const uint8_t *file, size_t size) {
    enum { SUPERBLOCK = 44, LONGEST = 146 };
    blocks->count = 0;
    block_add(blocks, size, (struct block){.start = 0, .size = SUPERBLOCK});
    for (size_t start = 0; start + LONGEST < size; start++) {
        uint32_t signature;
        memcpy(&signature, file + start, sizeof signature);
        if (signature == SIGNATURE('O', 'H', 'D', 'R'))
            header_add(blocks, file, size, start);
        else if (signature == SIGNATURE('B', 'T', 'H', 'D'))
            tree_add(blocks, file, size, start);
        else if (signature == SIGNATURE('F', 'R', 'H', 'P'))
            heap_add(blocks, file, size, start);
        else if (signature == SIGNATURE('F', 'S', 'H', 'D'))
            block_add(blocks, size, (struct block){.start = start, .size = 78});
    }
}

/* Region `which` of a list: the messages of all object headers, then all blocks without their messages. `which` wraps
 * around. */
static struct region region_find(const struct blocks *blocks, const uint8_t *file, unsigned which) {
    static struct region regions[MOST_REGIONS];
    unsigned count = 0;
    for (int b = 0; b < blocks->count; b++) {
        const struct block *block = &blocks->items[b];
        for (size_t at = block->messages; count < MOST_REGIONS && message_next(block, file, &at, &regions[count]);)
            count++;
    }
    for (int b = 0; b < blocks->count && count < MOST_REGIONS; b++) {
        const struct block *block = &blocks->items[b];
        regions[count++] =
            (struct region){block->start, block->message_head ? block->messages - block->start : block->size};
    }
    return count ? regions[which % count] : (struct region){0, 0};
}

void metadata_edit(uint8_t *file, size_t size, unsigned which, unsigned place, unsigned how, uint64_t value) {
    static struct blocks blocks;
    blocks_find(&blocks, file, size);
    const struct region region = region_find(&blocks, file, which);
    if (region.size == 0)
        return;
    const size_t from = place % region.size, left = region.size - from;
    size_t width = (size_t)1 << how % 4;
    width = width < left ? width : left;
    uint8_t *at = file + region.start + from;
    const uint64_t old = number(at, width);
    number_put(at, width, how / 4 % 4 == 0 ? old + value : how / 4 % 4 == 1 ? old ^ value : value);
}

void metadata_mend(uint8_t *file, size_t size) {
    static struct blocks blocks;
    blocks_find(&blocks, file, size);
    for (int b = 0; b < blocks.count; b++) {
        const struct block *block = &blocks.items[b];
        const bool is_inside = block->check < block->start + block->size;
        if (is_inside) {
            memset(file + block->check, 0, CHECKSUM);
            number_put(file + block->check, CHECKSUM, checksum(file + block->start, block->size + CHECKSUM));
        } else {
            number_put(file + block->check, CHECKSUM, checksum(file + block->start, block->size));
        }
    }
}
