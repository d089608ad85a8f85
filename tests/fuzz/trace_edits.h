/* Edits of a trace: what one input of the fuzzer is made of. */
#ifndef SPRINGBACK_TESTS_TRACE_EDITS_H
#define SPRINGBACK_TESTS_TRACE_EDITS_H

#include "base/store.h"

/* First those that are made through HDF5, then those of a file's bytes. */
enum edit_kind {
    EDIT_NUMBER,
    EDIT_ELEMENT,
    EDIT_ATTRIBUTE,
    EDIT_DATASET,
    EDIT_ATTRIBUTE_DROP,
    EDIT_LINK_DROP,
    EDIT_LINK,
    EDIT_MEMBER,
    EDIT_RAW,
    EDIT_DATA = EDIT_RAW,
    EDIT_ANY,
    EDIT_SLOT,
    EDIT_LENGTH,
    EDIT_METADATA,
    EDIT_KINDS
};

enum {
    EDIT_SIZE = 10,   /* bytes: what, which object, which part, how, six of the number */
    EDIT_TURN = 0xfe, /* as a number's first byte: the second chooses a value at which something turns */
    EDIT_FRAMES = 3,  /* rows of a new member */
};

struct edit {
    uint8_t kind, object, part, how;
    int64_t number;
};

struct edit edit_read(const uint8_t *bytes);

/* Make an edit whose kind is less than EDIT_RAW. Errors are HDF5's, and ignored. */
void edit_make(hid_t file, const struct edit *edit);

/* Open a file such that all that HDF5 knows can be written into it. */
hid_t edit_open(const char *path);

#endif
