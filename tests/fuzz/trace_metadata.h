/* HDF5's metadata as bytes: the parts that carry a checksum, and edits of them that leave the checksums right, so that
 * HDF5 reads what was changed. */
#ifndef SPRINGBACK_TESTS_TRACE_METADATA_H
#define SPRINGBACK_TESTS_TRACE_METADATA_H

#include <stddef.h>
#include <stdint.h>

/* Change one message of an object header, or one other structure, of a file's `size` bytes. `which` chooses it, `place`
 * the first byte in it, from its type on; `how` whether the value is set, added or xor-ed, and its width. */
void metadata_edit(uint8_t *file, size_t size, unsigned which, unsigned place, unsigned how, uint64_t value);

/* Make all checksums right. */
void metadata_mend(uint8_t *file, size_t size);

#endif
