/* A run's series as text, with what is measured of its recorded geometry. */
#ifndef SPRINGBACK_REPORT_SERIES_TABLE_H
#define SPRINGBACK_REPORT_SERIES_TABLE_H

#include "claim/geometry.h"

#include <stdio.h>

/* The columns of `geometry` that a table has: all that this program can measure; those of two runs where `pair`. */
bool series_table_has(enum geometry_quantity quantity, bool pair);

/* Write export_table's table (trace/export.h); behind the series, where `geometry` has frames, a column for each
 * quantity of claim/geometry.h, "nan" in frames whose geometry is not recorded. */
int series_table_write(const struct trace_data *trace, const struct geometry *geometry, bool pair, FILE *out);

#endif
