/* An index of the traces in a folder. It has everything that the traces contain except their geometry, so that most
 * readers need not open the traces.
 *
 * The index is a cache, FOLDER/traces.index, and results never depend on it. An entry is valid only for the binary that
 * opened and checked the trace, and only while the trace's file has the same inode, size, modification time and change
 * time. Only the system sets the change time, at each write. Therefore an index that was copied with a folder is not
 * valid. A file that changed within one clock tick before it was opened gets no entry, because its next change could
 * have the same time. The whole index has a checksum; a damaged index is treated as empty. */
#ifndef SPRINGBACK_TRACE_INDEX_H
#define SPRINGBACK_TRACE_INDEX_H

#include "trace/trace.h"

struct trace_index;

/* Open the index of a folder. Without a file traces.index, the index is empty. `binary` is the digest of the running
 * executable (provenance_binary); it is borrowed and must outlive the index. Never NULL; reports no errors. */
struct trace_index *trace_index_open(const char *folder, const char *binary);

/* Open the trace FOLDER/NAME. If the index has a valid entry for the trace, the trace is read from the index; then
 * `triangles` is NULL, and the trace must be closed before the index. Otherwise trace_open opens the trace, and
 * the index gets an entry for a whole trace, unless the file has just changed. `index` may be NULL. */
int trace_index_read(struct trace_index *index, const char *folder, const char *name, struct trace_data *out);

/* Whether the index has a valid entry for the trace. */
bool trace_index_has(struct trace_index *index, const char *name);

/* Free the index. If `saves`, new entries are written first; if the folder is not writable, its old index stays. NULL
 * is allowed. */
void trace_index_close(struct trace_index *index, bool saves);

/* The `count` numbers that trace_keep_numbers stored for a trace under a name, borrowed from the index. NULL if there
 * are no such numbers, or another number of them. */
const double *trace_kept_numbers(const struct trace_data *data, const char *name, size_t count);

/* Store numbers that were computed from a trace's geometry, under a name. The numbers and the name are copied. Does
 * nothing if the trace has no entry. Only one thread at a time may call this. */
void trace_keep_numbers(const struct trace_data *data, const char *name, const double *numbers, size_t count);

/* A text that identifies a trace's file and changes when the file changes, borrowed from the index; "" if the trace has
 * no entry. */
const char *trace_identity(const struct trace_data *data);

#endif
