#include "report/series_table.h"

#include "base/memory.h"
#include "trace/export.h"

#include <math.h>
#include <stdlib.h>

bool series_table_has(enum geometry_quantity quantity, bool pair) {
    const struct geometry_kind *kind = &geometry_kinds[quantity];
    return geometry_is_known(kind) && (pair || !kind->is_pair);
}

int series_table_write(const struct trace_data *trace, const struct geometry *geometry, bool pair, FILE *out) {
    struct export_column columns[GEOMETRY_QUANTITIES];
    double *values[GEOMETRY_QUANTITIES];
    int count = 0;
    for (int q = 0; q < GEOMETRY_QUANTITIES && geometry->frames; q++) {
        if (!series_table_has((enum geometry_quantity)q, pair))
            continue;
        values[count] = memory_new((size_t)trace->frames, sizeof *values[count]);
        for (int f = 0; f < trace->frames; f++)
            values[count][f] = NAN;
        for (int k = 0; k < geometry->frames; k++)
            values[count][trace->mesh_frame[k]] = geometry->values[q][k];
        columns[count] = (struct export_column){geometry_kinds[q].name, geometry_kinds[q].unit, values[count]};
        count++;
    }
    const int status = export_table(trace, columns, count, out);
    while (count > 0)
        free(values[--count]);
    return status;
}
