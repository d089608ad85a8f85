# The numbers that a summary's column has, without their units, each once, as they come.
BEGIN { FS = "\t" }
NR == 1 {
    for (c = 1; c <= NF; ++c)
        if ($c == what)
            at = c
    next
}
at {
    split($at, part, " ")
    if (part[1] != "-" && !seen[part[1] + 0]++)
        print part[1] + 0
}
