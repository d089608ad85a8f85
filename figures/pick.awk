# Prints a cell of a summary: column `what` of the first row that satisfies `where`, such as
# "body.mesh=torus_576;method.name=mass_spring". Prints nothing if there is no such cell. Numbers are compared by value,
# so 500000 N/m is equal to 5e+05 N/m.
function is_number(text) { return text ~ /^[-+]?[0-9.]+(e[-+]?[0-9]+)?$/ }
function same(a, b, i, n, x, y) {
    if (a == b)
        return 1
    n = split(a, x, " ")
    if (split(b, y, " ") != n)
        return 0
    for (i = 1; i <= n; ++i)
        if (x[i] != y[i] && !(is_number(x[i]) && is_number(y[i]) && x[i] + 0 == y[i] + 0))
            return 0
    return n > 0
}
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
    good = what in column
    for (w = 1; w <= count && good; ++w)
        good = name[w] in column && same($column[name[w]], value[w])
    if (good) {
        print $column[what]
        exit
    }
}
