/* Edits of a trace. An input of the fuzzer is a list of edits. */
#ifndef SPRINGBACK_TESTS_TRACE_EDITS_H
#define SPRINGBACK_TESTS_TRACE_EDITS_H

#include "base/store.h"

/* The kinds before EDIT_RAW are edits through HDF5. EDIT_RAW and the later kinds are edits of a file's bytes. The bytes
 * of the checkpoints, if there are any, are stored at the end of the file. */
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
    EDIT_DATA = EDIT_RAW, /* one to six bytes of the part in front of the checkpoints get another value */
    EDIT_ANY,             /* one byte of the part in front of the checkpoints gets another value */
    EDIT_SLOT,            /* one byte of the checkpoints gets another value; like EDIT_ANY if there are none */
    EDIT_LENGTH,          /* the file gets another length */
    EDIT_METADATA,        /* HDF5's metadata change, and HDF5's checksums are corrected */
    EDIT_KINDS
};

enum {
    EDIT_SIZE = 10,   /* bytes of an edit: one each for kind, object, part and how, and six for a number */
    EDIT_TURN = 0xfe, /* if a number's first byte is EDIT_TURN, its second byte chooses a number at a limit */
    EDIT_FRAMES = 3,  /* allocated frames of each trace, and rows of a new dataset (EDIT_MEMBER) */
};

/* `object` and `part` choose what is edited, and `how` chooses a variant of the edit; their meaning depends on `kind`.
 * In most kinds of edits, `number` is the new value. */
struct edit {
    uint8_t kind, object, part, how;
    int64_t number;
};

struct edit edit_read(const uint8_t *bytes);

/* Apply an edit whose kind is less than EDIT_RAW. Errors of HDF5 are ignored. */
void edit_make(hid_t file, const struct edit *edit);

/* Open a file so that all features of HDF5 can be written into it. */
hid_t edit_open(const char *path);

#endif
