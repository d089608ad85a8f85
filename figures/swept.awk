# Prints each different value of column `what` of a summary once, in the order of the rows: numbers without their units,
# or words.
BEGIN { FS = "\t" }
NR == 1 {
    for (c = 1; c <= NF; ++c)
        column[$c] = c
    next
}
what in column {
    split($column[what], part, " ")
    value = part[1] ~ /^[-+]?[0-9.]+(e[-+]?[0-9]+)?$/ ? part[1] + 0 : part[1]
    if (value != "-" && !seen[value]++)
        print value
}
