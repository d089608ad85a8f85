/* HDF5's metadata as bytes. The parts with a checksum are edited and their checksums are corrected, so that HDF5 reads
 * the changes. */
#ifndef SPRINGBACK_TESTS_TRACE_METADATA_H
#define SPRINGBACK_TESTS_TRACE_METADATA_H

#include <stddef.h>
#include <stdint.h>

/* In a file of `size` bytes, change a message of an object header, or another structure. `which` chooses the structure,
 * and `place` the first byte that changes, counted from the structure's start; both wrap around. `how` chooses the
 * width, and whether the value is set, added or xor-ed. */
void metadata_edit(uint8_t *file, size_t size, unsigned which, unsigned place, unsigned how, uint64_t value);

/* Correct all checksums of HDF5's metadata. */
void metadata_mend(uint8_t *file, size_t size);

#endif
