# Projections per second from a summary.tsv of tests/bench/pbd.yaml, in millions: a line for each body and method, a
# column for each backend. Here a projection corrects one edge, or one tetrahedron with all of its six constraints.
# Surfaces with bending are left out.
BEGIN { FS = "\t" }
NR == 1 { for (c = 1; c <= NF; ++c) at[$c] = c; next }
{
    count = $at["method"] == "pbd_strain_tets" ? $at["body_tetrahedra"] : $at["method.bending"] == 0 ? $at["springs"] : 0
    if (!count) next
    row = $at["body.mesh"] "/" $at["method"]; column = $at["backend"]
    if (!(row in rows)) { rows[row] = ++row_count; row_name[row_count] = row }
    if (!(column in columns)) { columns[column] = ++column_count; column_name[column_count] = column }
    rate[row, column] = count * $at["method.iterations"] * $at["steps_per_frame"] / $at["frame_seconds"] / 1e6
}
END {
    printf "%-40s", "million projections a second"
    for (c = 1; c <= column_count; ++c) printf " %12s", column_name[c]
    printf "\n"
    for (r = 1; r <= row_count; ++r) {
        printf "%-40s", row_name[r]
        for (c = 1; c <= column_count; ++c) printf " %12.1f", rate[row_name[r], column_name[c]]
        printf "\n"
    }
}
