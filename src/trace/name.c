#include "trace/trace.h"

#include "base/memory.h"

#include <string.h>

/* ParaView treats two files as steps of one series if their names differ only in the number before the ending.
 * Therefore all names of traces with geometry have the number 1 there, and ParaView opens each trace separately. */
static const char plain[] = ".h5", with_geometry[] = ".trace-1.vtkhdf";

char *trace_file_name(const char *id, bool has_geometry) {
    return text_format("%s%s", id, has_geometry ? with_geometry : plain);
}

char *trace_file_id(const char *name) {
    static const char *const endings[] = {plain, with_geometry};
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++)
        if (text_ends(name, endings[e]))
            return text_format("%.*s", (int)(strlen(name) - strlen(endings[e])), name);
    return NULL;
}
