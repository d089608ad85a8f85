/* HDF5's metadata as bytes: the parts with a checksum, and edits of them with corrected checksums, so that HDF5 reads
 * the changes. */
#ifndef SPRINGBACK_TESTS_TRACE_METADATA_H
#define SPRINGBACK_TESTS_TRACE_METADATA_H

#include <stddef.h>
#include <stdint.h>

/* Change one message of an object header, or another structure, of a file's `size` bytes. `which` chooses it; `place`
 * the first byte in it, counted from its type; `how` the width, and whether the value is set, added or xor-ed. */
void metadata_edit(uint8_t *file, size_t size, unsigned which, unsigned place, unsigned how, uint64_t value);

/* Correct all checksums. */
void metadata_mend(uint8_t *file, size_t size);

#endif
