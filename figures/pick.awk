# A cell of a summary: of the first row that meets `where`, such as "body.mesh=torus_576;method.name=mass_spring", and
# varies no assumption, in the column `what`. Nothing where there is none.
BEGIN {
    FS = "\t"
    count = split(where, wanted, ";")
    for (w = 1; w <= count; ++w) {
        at = index(wanted[w], "=")
        name[w] = substr(wanted[w], 1, at - 1)
        value[w] = substr(wanted[w], at + 1)
    }
}
NR == 1 {
    for (c = 1; c <= NF; ++c)
        column[$c] = c
    next
}
{
    good = what in column && $column["varies"] == "-"
    for (w = 1; w <= count && good; ++w)
        good = name[w] in column && $column[name[w]] == value[w]
    if (good) {
        print $column[what]
        exit
    }
}
