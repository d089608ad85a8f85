# Of each claim of a sensitivity.tsv a row: its id without the paper, the members that have a verdict, the share of them
# in which it holds in %, Wilson's 95 % interval of that (as src/claim/statistics.c has it), and whether it holds with
# the values as taken. Members that differ by rounding do not count.
BEGIN { FS = "\t"; OFS = "\t"; z = 1.959963984540054 }
NR == 1 {
    for (c = 1; c <= NF; ++c)
        if (sub(/ holds$/, "", $c)) {
            column[++claims] = c
            id[claims] = substr($c, index($c, ".") + 1)
        }
    next
}
$1 ~ /^noise/ { next }
{
    for (k = 1; k <= claims; ++k) {
        if ($column[k] == "yes" || $column[k] == "no")
            ++members[k]
        if ($column[k] == "yes")
            ++holding[k]
        if ($1 == "likely 0")
            taken[k] = $column[k] == "yes"
    }
}
END {
    for (k = 1; k <= claims; ++k) {
        n = members[k]
        if (!n)
            continue
        share = holding[k] / n
        zz = z * z / n
        middle = (share + zz / 2) / (1 + zz)
        half = z * sqrt(share * (1 - share) / n + zz / (4 * n)) / (1 + zz)
        low = holding[k] ? middle - half : 0
        high = holding[k] < n ? middle + half : 1
        print id[k], n, 100 * share, 100 * low, 100 * high, taken[k] + 0
    }
}
