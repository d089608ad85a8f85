# Prints, for a series of a run, the number of finite values, their mean, the largest, the smallest, and the frames of
# the largest and the smallest. Uses all frames, or only those in the list `frames`, such as "0 80 160". The series is
# named without its unit. Prints 0 if there is no finite value.
BEGIN {
    FS = "\t"
    count_of_list = split(frames, list, " ")
    for (f = 1; f <= count_of_list; ++f)
        listed[list[f]] = 1
}
NR == 1 {
    for (c = 1; c <= NF; ++c) {
        split($c, part, "/")
        if (part[1] == series)
            at = c
    }
    next
}
at && (!count_of_list || $1 in listed) && $at !~ /nan|inf/ {
    value = $at + 0
    sum += value
    if (!count || value > high) {
        high = value
        high_at = $1
    }
    if (!count || value < low) {
        low = value
        low_at = $1
    }
    ++count
}
END {
    if (count)
        printf "%d %.9g %.9g %.9g %d %d\n", count, sum / count, high, low, high_at, low_at
    else
        print 0
}
