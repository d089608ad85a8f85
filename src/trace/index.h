/* The index of a folder's traces: what each of them holds but its geometry, so that it need not be opened again.
 *
 * It is a cache, FOLDER/traces.index, and decides nothing. An entry counts only while the trace's file is the very one
 * that was opened and checked: the same inode, size, time of modification and time of change, by the same binary. The
 * system sets the time of change at each write, and nobody else can, so an index that comes with a folder from
 * elsewhere counts for nothing. A file that changed within a tick of the clock before it was opened gets no entry,
 * because its next change could have the same time. The whole index has a checksum; one that is damaged counts as
 * empty. */
#ifndef SPRINGBACK_TRACE_INDEX_H
#define SPRINGBACK_TRACE_INDEX_H

#include "trace/trace.h"

struct trace_index;

/* Open the index of a folder, which may have none. `binary` is the digest of the running executable
 * (provenance_binary); a literal or a text that outlives the index. Never NULL, and says nothing. */
struct trace_index *trace_index_open(const char *folder, const char *binary);

/* As trace_open of FOLDER/NAME, but from the index if it has the trace; else the trace gets an entry. What comes from
 * the index lacks its triangles (NULL) and must be closed before the index. Without an index (NULL): trace_open. */
int trace_index_read(struct trace_index *index, const char *folder, const char *name, struct trace_data *out);

/* Whether the index has the trace as it now is. */
bool trace_index_has(struct trace_index *index, const char *name);

/* Free the index. If `saves`, what is new is written first; a folder that cannot be written keeps what it has. NULL
 * does nothing. */
void trace_index_close(struct trace_index *index, bool saves);

/* Numbers that were computed from a trace's geometry, kept under a name beside it; NULL unless it has `count` of that
 * name. They are the index's. */
const double *trace_kept_numbers(const struct trace_data *data, const char *name, size_t count);

/* Keep such numbers, which are copied; nothing if the trace has no entry. One thread at a time. */
void trace_keep_numbers(const struct trace_data *data, const char *name, const double *numbers, size_t count);

/* What tells a trace's file from all others and from itself after a change; "" if it has no entry. */
const char *trace_identity(const struct trace_data *data);

#endif
