# Median times of a step from a summary.tsv, in microseconds: a line for each body, a column for each method and backend.
BEGIN { FS = "\t" }
NR == 1 { for (c = 1; c <= NF; ++c) at[$c] = c; next }
{
    row = $at["body.mesh"]; column = $at["method"] "/" $at["backend"]
    if (!(row in rows)) { rows[row] = ++row_count; row_name[row_count] = row }
    if (!(column in columns)) { columns[column] = ++column_count; column_name[column_count] = column }
    value[row, column] = 1e6 * $at["frame_seconds"] / $at["steps_per_frame"]
}
END {
    printf "%-22s", "us a step"
    for (c = 1; c <= column_count; ++c) printf " %28s", column_name[c]
    printf "\n"
    for (r = 1; r <= row_count; ++r) {
        printf "%-22s", row_name[r]
        for (c = 1; c <= column_count; ++c) printf " %28.3f", value[row_name[r], column_name[c]]
        printf "\n"
    }
}
